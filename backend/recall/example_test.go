package recall

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
)

var update = flag.Bool("update", false, "write the worked example of docs/recall.md anew")

// The worked example of docs/recall.md is a real receipt. After the ranking was changed on purpose, it is written anew with
// "go test ./backend/recall -run TestTheWorkedExample -update"; the sentences below it may then need a look.
func TestTheWorkedExampleIsWhatTheCodeDoes(t *testing.T) {
	h := newHouse(t)
	h.say("My bicycle is called Comet and stands in the cellar.", "The brakes of Comet squeak when it rains.")
	h.now = h.now.Add(40 * 24 * time.Hour)
	h.say("Dinner with Oskar went well.", "We talked about brakes on trains, mostly.")
	h.now = h.now.Add(20 * 24 * time.Hour)
	h.note("The brake pads of Comet were changed at Velowerk.")
	for i := range 30 { // words that stand in half of all texts would count for nothing
		h.note(fmt.Sprintf("Note %d is about the garden.", i))
	}
	h.now = h.now.Add(24 * time.Hour)
	rc := h.ask(New(Deps{Store: h.Store, Clock: func() time.Time { return h.now }}), "Why do the brakes of Comet squeak?")

	var b strings.Builder
	fmt.Fprintf(&b, "“%s” had %d candidates. The floor was %.2f, and %d of %d tokens were spent.\n\n", rc.Query, rc.Considered, rc.Floor, rc.Tokens, rc.Cap)
	b.WriteString("| memory | layer | by words | score | its parts | evidence | tokens | |\n|---|---|---|---|---|---|---|---|\n")
	for _, c := range rc.Candidates {
		rank := "–"
		if c.LexRank > 0 {
			rank = fmt.Sprintf("%d.", c.LexRank)
		}
		layer := string(c.Layer)
		if c.Role != "" {
			layer += ", " + string(c.Role)
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %.2f | %s | %.2f | %d | %s |\n", c.Text, layer, rank, c.Score, sumOf(c.Parts), c.Evidence, c.Tokens, c.Why)
	}

	const path, begin, end = "../../docs/recall.md", "<!-- example -->\n", "<!-- /example -->"
	doc, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(doc), begin)
	told, after, ok := strings.Cut(rest, end)
	if !ok {
		t.Fatalf("%s has no place for the example", path)
	}
	want := "\n" + b.String() + "\n"
	if *update {
		if err := os.WriteFile(path, []byte(before+begin+want+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if told != want {
		t.Errorf("%s says\n%s\nbut the receipt is\n%s", path, told, want)
	}
}

// sumOf writes the parts of a score as a sum.
func sumOf(parts []memory.ScorePart) string {
	terms := make([]string, len(parts))
	for i, p := range parts {
		terms[i] = fmt.Sprintf("%s %.2f", p.Name, p.Value)
	}
	return strings.Join(terms, " + ")
}
