package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

// longText is a text of many paragraphs about one thing each, under headings.
func longText(things ...string) string {
	var b strings.Builder
	for i, thing := range things {
		fmt.Fprintf(&b, "## Part %d\n\n", i+1)
		for range 12 {
			fmt.Fprintf(&b, "The %s of the house stands where it has always stood, and nobody has moved it. ", thing)
		}
		b.WriteString("\n\n")
	}
	return b.String()
}

// hitOf returns the hit in the text with the id.
func (w *world) hitOf(a memory.Agent, words, id string) (LexHit, bool) {
	w.t.Helper()
	hits, err := w.LexicalSearch(w.ctx, LexQuery{AgentID: a.ID, ArchiveID: a.ArchiveID, Terms: segment.Query(words)})
	must(w.t, err)
	n := 0
	var found LexHit
	for _, h := range hits {
		if h.ID == id {
			found = h
			n++
		}
	}
	if n > 1 {
		w.t.Errorf("%q: %d hits in one text", words, n)
	}
	return found, n > 0
}

func TestLongTextsAreFoundWhereTheyMatch(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	text := longText("kettle", "lantern", "anvil", "trumpet")
	w.say(c.ID, memory.RoleUser, "Tell me of the zeppelin inventory.")
	m := w.say(c.ID, memory.RoleAssistant, text)
	p := w.passage(a.ArchiveID, longText("saddle", "barometer", "spindle"), "farm")
	short := w.say(c.ID, memory.RoleUser, "A lantern is nice.")
	for _, thing := range []string{"kettle", "lantern", "anvil", "trumpet"} {
		h, ok := w.hitOf(a, thing, m.ID)
		if piece := text[h.Start:h.End]; !ok || !strings.Contains(piece, thing) || len(piece) > len(text)/2 {
			t.Errorf("%s is found at %d to %d", thing, h.Start, h.End)
		}
	}
	if h, ok := w.hitOf(a, "trumpet zeppelin", m.ID); !ok || !strings.Contains(text[h.Start:h.End], "trumpet") {
		t.Errorf("a piece does not know what it answers: %+v", h)
	}
	if h, ok := w.hitOf(a, "spindle", p.ID); !ok || h.Start == 0 || !strings.Contains(p.Text[h.Start:h.End], "spindle") {
		t.Errorf("passage: %+v", h)
	}
	if h, ok := w.hitOf(a, "lantern", short.ID); !ok || h.End != 0 {
		t.Errorf("short text: %+v, want the whole of it", h)
	}
	hits, err := w.LexicalSearch(w.ctx, LexQuery{ArchiveID: a.ArchiveID, Terms: segment.Query("spindle"), Tags: []string{"farm"}})
	must(t, err)
	wantEqual(t, "hits by tag", len(hits), 1)
}

func TestPiecesComeAndGoWithTheirText(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	p := w.passage(a.ArchiveID, longText("saddle", "barometer", "spindle"))
	w.embedAll("m", 4)
	found := func(word string) bool { _, ok := w.hitOf(a, word, p.ID); return ok }
	near := func(words string) bool {
		hits, err := w.VectorSearch(w.ctx, VecQuery{Model: "m", View: ViewOwn, Vector: vectorOf(1, 4), ArchiveID: a.ArchiveID})
		must(t, err)
		return slices.ContainsFunc(hits, func(h VecHit) bool { return h.ID == p.ID })
	}
	state := func(when string, want bool) {
		t.Helper()
		if found("spindle") != want || found("saddle") != want || near("x") != want {
			t.Errorf("%s: found by words %t and %t, by vector %t; want %t", when, found("saddle"), found("spindle"), near("x"), want)
		}
	}
	state("at first", true)
	rev, err := w.DeletePassage(w.ctx, p.ID, memory.Cause{Actor: memory.ActorUser})
	must(t, err)
	state("deleted", false)
	_, err = w.Undo(w.ctx, rev.ID, memory.Cause{Actor: memory.ActorUser})
	must(t, err)
	state("back", true)
	w.reopen()
	state("after a start", true)
	w.rebuildIndexes()
	w.embedAll("m", 4)
	state("indexed anew", true)
	must(t, w.RepairIndexes(w.ctx))
	if _, pending := w.pending("m"); pending != 0 {
		t.Errorf("%d texts wait after a check that found nothing", pending)
	}
	text := "Now it is short."
	_, _, err = w.UpdatePassage(w.ctx, p.ID, memory.PassageChange{Text: &text}, memory.Cause{Actor: memory.ActorUser})
	must(t, err)
	if found("spindle") || !found("short") {
		t.Error("the old words are still found, or the new ones are not")
	}
	if n, err := one(w.ctx, w.Store, value[int], "SELECT (SELECT count(*) FROM chunk) + (SELECT count(*) FROM item) - 1"); err != nil || n != 0 {
		t.Errorf("%d rows of pieces are left, %v", n, err)
	}
}

func TestPiecesAreEmbeddedByThemselves(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	w.say(c.ID, memory.RoleUser, "What is in the house?")
	text := longText("kettle", "lantern", "anvil")
	m := w.say(c.ID, memory.RoleAssistant, text)
	items, err := w.PendingEmbeddings(w.ctx, "m", 4, true, 50)
	must(t, err)
	var out []Embedding
	for i, it := range items {
		if strings.HasPrefix(it.ID, m.ID) && segment.Tokens(it.Text) > wholeTokens {
			t.Errorf("%s %s has %d tokens", it.ID, it.View, segment.Tokens(it.Text))
		}
		v := vectorOf(uint64(i+10), 4)
		if strings.Contains(it.Text, "anvil") && it.View == ViewOwn {
			v = []float32{0, 0, 0, 1}
			if !strings.Contains(it.Text, "What is in the house?") || !strings.Contains(it.Text, "Part 3") {
				t.Errorf("a piece is embedded without what it is about: %q", it.Text)
			}
		}
		out = append(out, Embedding{Ref: it.Ref, View: it.View, Vector: v})
	}
	must(t, w.SaveEmbeddings(w.ctx, "m", 4, out))
	if _, pending := w.pending("m"); pending != 0 {
		t.Errorf("%d wait", pending)
	}
	for range 2 { // in the file and in memory
		hits, err := w.VectorSearch(w.ctx, VecQuery{Model: "m", View: ViewOwn, Vector: []float32{0, 0, 0, 1}, AgentID: a.ID})
		must(t, err)
		if h := hits[0]; h.ID != m.ID || h.Cosine < .99 || !strings.Contains(text[h.Start:h.End], "anvil") {
			t.Errorf("nearest is %+v", h)
		}
		w.awaitCache()
	}
	must(t, w.QuarantineEmbedding(w.ctx, "m", KindMessage, m.ID+"#2", "no"))
}

func TestTextsOfEarlierVersionsAreCut(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	text := longText("kettle", "lantern", "anvil")
	m := w.say(w.conversation(a).ID, memory.RoleUser, text)
	p := w.passage(a.ArchiveID, longText("saddle", "barometer", "spindle"))
	must(t, w.write(w.ctx, "test", kept, func(t *tx) error { // as it was before there were chunks
		if err := t.forgetChunks(); err != nil {
			return err
		}
		return t.run("meta_set", chunkBelow, "1000000")
	}))
	w.embedAll("m", 4)
	w.reopen()
	w.work.Wait()
	if h, ok := w.hitOf(a, "anvil", m.ID); !ok || h.Start == 0 || !strings.Contains(text[h.Start:h.End], "anvil") {
		t.Errorf("message: %+v", h)
	}
	if h, ok := w.hitOf(a, "spindle", p.ID); !ok || h.Start == 0 {
		t.Errorf("passage: %+v", h)
	}
	if _, pending := w.pending("m"); pending == 0 {
		t.Error("no piece waits for a vector")
	}
	if marks, err := all(w.ctx, w.Store, value[string], "meta_get", chunkBelow); err != nil || len(marks) != 0 {
		t.Errorf("it is not over: %v, %v", marks, err)
	}
}

func TestPiecesAreErasedWithTheirAgent(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	w.say(w.conversation(a).ID, memory.RoleUser, longText("kettle", "lantern", "anvil"))
	w.passage(a.ArchiveID, longText("saddle", "barometer", "spindle"))
	w.embedAll("m", 4)
	must(t, w.erasing(w.ctx, "test", func(t *tx) error { return t.eraseAgent(a.ID) }))
	for _, table := range []string{"chunk", "item", "search_docsize", "embed_pending"} {
		if n, err := one(w.ctx, w.Store, value[int], "SELECT count(*) FROM "+table); err != nil || n != 0 {
			t.Errorf("%s has %d rows, %v", table, n, err)
		}
	}
}
