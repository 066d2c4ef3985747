package store

import (
	"testing"
	"time"

	"recollect/backend/memory"
)

func TestFeedbackIsKeptAndTakenBack(t *testing.T) {
	w := newWorld(t)
	a, other := w.agent(), w.agent()
	c := w.conversation(a)
	p := w.passage(a.ArchiveID, "Niangao eats no chicken")
	m := w.say(c.ID, memory.RoleUser, "My gate code is 7391")
	w.seen()
	set := func(f memory.Feedback) (memory.Feedback, memory.Revision) {
		t.Helper()
		w.pass(time.Second)
		f, rev, err := w.SetFeedback(w.ctx, f, byUser)
		must(t, err)
		return f, rev
	}
	uses := func() map[string]memory.FeedbackUse {
		t.Helper()
		list, err := w.Feedback(w.ctx, a.ID)
		must(t, err)
		found := map[string]memory.FeedbackUse{}
		for _, f := range list {
			found[f.Kind+" "+f.ConversationID] = f.Use
		}
		return found
	}
	less := memory.Feedback{AgentID: a.ID, Kind: KindPassage, ItemID: p.ID, Use: memory.UseLess, MessageID: m.ID}
	f, first := set(less)
	if f.ID == "" || f.Text != p.Text || f.CreatedAt.IsZero() || first.Subject != memory.SubjectFeedback || first.Cause.AgentID != a.ID {
		t.Errorf("stored %+v with %+v", f, first)
	}
	if events := w.seen(); len(events) != 1 || events[0].Type != "feedback.changed" || events[0].Data["use"] != memory.UseLess ||
		events[0].Data["item_id"] != p.ID || events[0].Data["revision_id"] != first.ID {
		t.Errorf("published %+v", events)
	}
	if _, rev := set(less); rev.ID != "" {
		t.Error("the same wish again made a revision")
	}

	// The wish for all conversations and the one for this stand side by side.
	always := less
	always.Use = memory.UseAlways
	_, second := set(always)
	never := memory.Feedback{AgentID: a.ID, ConversationID: c.ID, Kind: KindPassage, ItemID: p.ID, Use: memory.UseNever}
	_, third := set(never)
	set(memory.Feedback{AgentID: a.ID, Kind: KindMessage, ItemID: m.ID, Use: memory.UseLess})
	wantEqual(t, "wishes", len(uses()), 3)
	wantEqual(t, "for all", uses()["passage "], memory.UseAlways)
	wantEqual(t, "here", uses()["passage "+c.ID], memory.UseNever)

	// It survives the end of the program, is undone, and redone.
	w.reopen()
	_, err := w.Undo(w.ctx, first.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
	undo, err := w.Undo(w.ctx, second.ID, byUser)
	must(t, err)
	wantEqual(t, "after undo", uses()["passage "], memory.UseLess)
	_, err = w.Undo(w.ctx, undo.ID, byUser)
	must(t, err)
	wantEqual(t, "after redo", uses()["passage "], memory.UseAlways)
	_, err = w.Undo(w.ctx, third.ID, byUser)
	must(t, err)
	if _, there := uses()["passage "+c.ID]; there {
		t.Error("undo has left “never here”")
	}

	// Taken back by hand, and that undone.
	taken := always
	taken.Use = ""
	_, back := set(taken)
	wantEqual(t, "taken back", uses()["passage "], "")
	_, err = w.Undo(w.ctx, back.ID, byUser)
	must(t, err)
	wantEqual(t, "brought back", uses()["passage "], memory.UseAlways)
	if _, rev := set(memory.Feedback{AgentID: a.ID, ConversationID: c.ID, Kind: KindPassage, ItemID: p.ID}); rev.ID != "" {
		t.Error("nothing was taken back with a revision")
	}

	for name, bad := range map[string]struct {
		f    memory.Feedback
		code memory.Code
	}{
		"unknown use":       {memory.Feedback{AgentID: a.ID, Kind: KindPassage, ItemID: p.ID, Use: "more"}, memory.EINVALID},
		"never, but where?": {memory.Feedback{AgentID: a.ID, Kind: KindPassage, ItemID: p.ID, Use: memory.UseNever}, memory.EINVALID},
		"no such memory":    {memory.Feedback{AgentID: a.ID, Kind: KindPassage, ItemID: "passage-none", Use: memory.UseLess}, memory.ENOTFOUND},
		"another's message": {memory.Feedback{AgentID: other.ID, Kind: KindMessage, ItemID: m.ID, Use: memory.UseLess}, memory.ENOTFOUND},
		"another's passage": {memory.Feedback{AgentID: other.ID, Kind: KindPassage, ItemID: p.ID, Use: memory.UseLess}, memory.ENOTFOUND},
		"no such agent":     {memory.Feedback{AgentID: "agent-none", Kind: KindPassage, ItemID: p.ID, Use: memory.UseLess}, memory.ENOTFOUND},
	} {
		_, _, err := w.SetFeedback(w.ctx, bad.f, byUser)
		if memory.CodeOf(err) != bad.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	list, err := w.Feedback(w.ctx, other.ID)
	must(t, err)
	wantEqual(t, "of the other agent", len(list), 0)
}

func TestReceiptsAreListedNewestFirst(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	other := w.agent()
	foreign := w.say(w.conversation(other).ID, memory.RoleUser, "hello")
	must(t, w.SaveReceipt(w.ctx, memory.Receipt{MessageID: foreign.ID}))
	var ids []string
	for range 5 {
		w.pass(time.Minute)
		m := w.say(c.ID, memory.RoleUser, "what is my gate code")
		must(t, w.SaveReceipt(w.ctx, memory.Receipt{MessageID: m.ID, Query: m.Content}))
		ids = append([]string{m.ID}, ids...)
	}
	var got []string
	for cursor := ""; ; {
		page, next, err := w.Receipts(w.ctx, a.ID, cursor, 2)
		must(t, err)
		for _, r := range page {
			got = append(got, r.MessageID)
		}
		if cursor = next; next == "" {
			break
		}
	}
	if len(got) != len(ids) {
		t.Fatalf("listed %v, not %v", got, ids)
	}
	for i := range ids {
		wantEqual(t, "receipt", got[i], ids[i])
	}
	_, _, err := w.Receipts(w.ctx, a.ID, "nonsense", 2)
	wantCode(t, err, memory.EINVALID)
}

// A receipt of an earlier release lacks what later ones know, and is read all the same.
func TestAnOldReceiptIsReadable(t *testing.T) {
	w := newWorld(t)
	m := w.say(w.conversation(w.agent()).ID, memory.RoleUser, "what is my gate code")
	must(t, w.write(w.ctx, "old", kept, func(t *tx) error {
		return t.run("receipt_put", m.ID, `{"message_id":"`+m.ID+`","query":"q","plan":"rules","considered":1,"floor":0.4,"cap":100,"tokens":9,
			"vectors":false,"candidates":[{"kind":"message","id":"x","text":"The gate code is 7391","date":"2026-11-01T00:00:00Z","lexical":1,
			"semantic":0,"lex_rank":1,"sem_rank":0,"session":0.2,"score":0.7,"tokens":9,"taken":true,"why":"taken"}],"blocks":[],"micros":5,
			"embed_ms":0,"created_at":"2026-11-02T00:00:00Z"}`)
	}))
	r, err := w.Receipt(w.ctx, m.ID)
	must(t, err)
	if len(r.Candidates) != 1 || !r.Candidates[0].Taken || r.Candidates[0].Why != memory.WhyTaken || r.Candidates[0].Parts != nil || r.Deep != nil {
		t.Errorf("read %+v", r)
	}
}
