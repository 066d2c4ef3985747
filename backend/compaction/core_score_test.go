package compaction

import (
	"os"
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
