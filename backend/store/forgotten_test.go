package store

import (
	"slices"
	"testing"
	"time"

	"recollect/backend/memory"
)

func TestWhatWasForgottenSince(t *testing.T) {
	w := newWorld(t)
	a, other := w.agent(), w.agent()
	b := w.block("human", "Likes tea\nLives in Oslo. Has a cat.", a.ID)
	p, many := w.passage(a.ArchiveID, "one"), w.passage(a.ArchiveID, "two")
	d, _ := w.document(a.ArchiveID, "a.pdf", "1", "three")
	f, _, err := w.CreateFact(w.ctx, memory.Fact{AgentID: a.ID, Subject: memory.SubjectUser, Key: "home", Value: "Oslo"}, byUser)
	must(t, err)
	set := func(value string, cause memory.Cause) func() error {
		return func() error {
			_, _, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: &value}, cause)
			return err
		}
	}
	did := func(_ memory.Revision, err error) error { return err }
	for _, c := range []struct {
		what   string
		do     func() error
		forgot bool
	}{
		{"nothing", func() error { return nil }, false},
		{"a line more", set("Likes tea\nLives in Oslo. Has a cat.\nHas a dog", byUser), false},
		{"a line written otherwise", set("Likes coffee\nLives in Oslo. Has a cat.\nHas a dog", byUser), false},
		{"the app takes a line out", set("Likes coffee\nLives in Oslo. Has a cat.", memory.Cause{Actor: memory.ActorSystem}), false},
		{"a sentence less", set("Likes coffee\nLives in Oslo.", byUser), true},
		{"a line less and one more", set("Lives in Oslo.", byModel), true},
		{"a new passage", func() error { w.passage(a.ArchiveID, "four"); return nil }, false},
		{"a passage less", func() error { return did(w.DeletePassage(w.ctx, p.ID, byUser)) }, true},
		{"passages less", func() error {
			_, _, err := w.ChangePassages(w.ctx, a.ArchiveID, []string{many.ID}, memory.PassagesChange{Delete: true}, byUser, "")
			return err
		}, true},
		{"a document less", func() error { return did(w.DeleteDocument(w.ctx, d.ID, byUser)) }, true},
		{"a fact less", func() error { return did(w.DeleteFact(w.ctx, f.ID, byUser)) }, true},
		{"a block less", func() error { return did(w.DetachBlock(w.ctx, b.ID, a.ID, byUser)) }, true},
	} {
		since := w.now()
		w.pass(time.Second)
		must(t, c.do())
		for agent, want := range map[string]bool{a.ID: c.forgot, other.ID: false} {
			forgot, err := w.ForgotSince(w.ctx, agent, since)
			must(t, err)
			if forgot != want {
				t.Errorf("%s: %v", c.what, forgot)
			}
		}
		w.pass(time.Second)
		if forgot, err := w.ForgotSince(w.ctx, a.ID, w.now()); err != nil || forgot {
			t.Errorf("after %s: %v, %v", c.what, forgot, err)
		}
	}
	parts, err := all(w.ctx, w.Store, value[string], "SELECT id FROM passage WHERE document IS NOT NULL AND text LIKE '%three%'")
	must(t, err)
	ids := slices.Concat(parts, []string{p.ID, many.ID, f.ID})
	gone, err := w.Gone(w.ctx, append([]string{w.passage(a.ArchiveID, "five").ID}, ids...))
	must(t, err)
	if len(parts) == 0 || len(gone) != len(ids) {
		t.Errorf("of %v and one more are gone %v", ids, gone)
	}
}
