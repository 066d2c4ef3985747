package compaction

import (
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
)

// labelled reads testdata/entries.tsv: entries labelled by somebody who had not seen the scorer. They suppose that today is
// the day of labelledOn.
func labelled(t *testing.T) (rows [][4]string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/entries.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		f := strings.Split(line, "\t")
		if i == 0 || len(f) != 4 {
			continue
		}
		rows = append(rows, [4]string(f))
	}
	return rows
}

var labelledOn = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func TestLabelledEntries(t *testing.T) {
	kept, keys, gone, trivial := 0, 0, 0, 0
	for _, r := range labelled(t) {
		scorer := Scorer{Now: labelledOn}
		entries := Split(r[3])
		e := scorer.Score(memory.Block{Label: r[1]}, entries[0], Known{})
		switch r[2] {
		case "key":
			keys++
			if e.Score >= 4 {
				kept++
			} else {
				t.Logf("key, archived: %s %v", r[3], e.Signals)
			}
		case "trivial":
			trivial++
			if e.Score < 4 {
				gone++
			} else {
				t.Logf("trivial, kept: %s %v", r[3], e.Signals)
			}
		}
	}
	t.Logf("%d of %d key entries kept, %d of %d trivial ones archived", kept, keys, gone, trivial)
	if keys < 60 || trivial < 60 || float64(kept) < .95*float64(keys) || float64(gone) < .7*float64(trivial) {
		t.Error("too many key entries would leave, or too few trivial ones")
	}
}

// The entries that docs/context.md works through have the scores that it says.
func TestTheWorkedEntries(t *testing.T) {
	doc, err := os.ReadFile("../../docs/context.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(doc), "### A core compaction, worked through")
	text, _, _ = strings.Cut(text, "\n## ")
	rows := 0
	for line := range strings.Lines(text) {
		f := strings.Split(line, " | ")
		if len(f) != 4 || strings.HasPrefix(f[0], "| entry") {
			continue
		}
		rows++
		entry := strings.TrimPrefix(f[0], "| ")
		e := Scorer{Now: labelledOn}.Score(memory.Block{Label: "human"}, Split(entry)[0], Known{Since: labelledOn.Add(-time.Hour)})
		stays := strings.HasPrefix(f[3], "stays")
		if want, err := strconv.ParseFloat(f[1], 64); err != nil || e.Score != want || stays != (e.Protected != "" || e.Score >= DefaultCoreKeep) {
			t.Errorf("%s: %v %q, and the page says %s, %s", entry, e.Score, e.Protected, f[1], f[3])
		}
	}
	if rows < 8 {
		t.Errorf("%d entries", rows)
	}
}
