package agent_test

import (
	"strings"
	"testing"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
)

func TestModelWithoutToolsRemembersOnRequest(t *testing.T) {
	for _, c := range []struct{ message, line, confirmed, question string }{
		{"Please remember that my bicycle is called Comet. Is that a good name?", "my bicycle is called Comet", "Remembered: “my bicycle is called Comet”.", "What is my bicycle called?"},
		{"记住我的猫叫年糕。这名字好不好？", "我的猫叫年糕", "已记住：“我的猫叫年糕”。", "我的猫叫什么？"},
	} {
		w := newWorld(t, enginetest.Chat)
		w.scripts(say("Fine."))
		m := w.send(c.message)
		if w.block("human").Value != c.line || m.Content != c.confirmed+"\n\nFine." {
			t.Fatalf("block %q, answer %q", w.block("human").Value, m.Content)
		}
		user := w.path()[0]
		if len(user.RevisionIDs) != 2 { // of the block, and of the fact that it states
			t.Fatalf("revisions %v", user.RevisionIDs)
		}
		r, err := w.store.Revision(w.ctx(), user.RevisionIDs[0])
		w.must(err)
		if span := string([]rune(c.message)[r.Cause.Start:r.Cause.End]); span != c.line || r.Cause.MessageID != user.ID || r.Cause.Actor != memory.ActorUser {
			t.Errorf("cause %+v, span %q", r.Cause, span)
		}
		contains(t, "prompt", w.sent(0), c.line)

		// in another conversation the fact is in the prompt, and the receipt shows the block
		w.conv = w.newConversation()
		m = w.send(c.question)
		contains(t, "prompt of another conversation", w.sent(1), c.line)
		receipt, err := w.store.Receipt(w.ctx(), m.TurnID)
		w.must(err)
		if len(receipt.Blocks) != 2 || receipt.Blocks[1].Label != "human" || receipt.Blocks[1].Version != 2 {
			t.Errorf("receipt %+v", receipt.Blocks)
		}
	}
}

func TestWishIsStoredOnceHoweverOftenItIsSaid(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Fine."))
	m := w.send("Remember that my bicycle is called Comet")
	_, err := w.service.Regenerate(w.ctx(), m.ID, false)
	w.must(err)
	w.answer()
	m = w.send("Remember: my bicycle is called Comet!")
	contains(t, "answer", m.Content, "Already in memory")
	if v := w.block("human").Value; v != "my bicycle is called Comet" {
		t.Errorf("block %q", v)
	}
}

func TestUndoneWishStaysUndone(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Fine."))
	m := w.send("Remember that my bicycle is called Comet")
	_, err := w.store.Undo(w.ctx(), w.path()[0].RevisionIDs[0], memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	_, err = w.service.Regenerate(w.ctx(), m.ID, false)
	w.must(err)
	if m := w.answer(); m.Content != "Fine." || w.block("human").Value != "" {
		t.Errorf("block %q, answer %q", w.block("human").Value, m.Content)
	}
}

func TestModelWithToolsDoesNotStoreAWishTwice(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.scripts(
		call("core_memory_append", `{"label":"human","content":"The user's bicycle is called Comet."}`),
		call("archival_memory_insert", `{"content":"User has a bicycle named Comet"}`),
		say("I will remember Comet."),
	)
	m := w.send("Please remember that my bicycle is called Comet.")
	if m.Content != "I will remember Comet." { // it can say so itself
		t.Errorf("answer %q", m.Content)
	}
	if v := w.block("human").Value; v != "my bicycle is called Comet" || len(w.passages()) != 0 {
		t.Errorf("block %q, %d passages", v, len(w.passages()))
	}
	contains(t, "branch", w.script(), "stored already")
	contains(t, "prompt", w.sent(0), "confirm it in your answer")
}

func TestWishGoesToTheArchiveWhenTheBlockIsFull(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	limit := 10
	w.setBlock("human", memory.BlockChange{Limit: &limit})
	w.scripts(say("Fine."))
	m := w.send("remember that my bicycle is called Comet")
	ps := w.passages()
	if len(ps) != 1 || ps[0].Text != "my bicycle is called Comet" || ps[0].Origin != m.TurnID {
		t.Fatalf("passages %+v", ps)
	}
	contains(t, "answer", m.Content, "archive")
	// it is found again in another conversation
	w.conv = w.newConversation()
	w.send("What is my bicycle called?")
	contains(t, "prompt", w.sent(0), "my bicycle is called Comet")
}

// The answer says why a wish is not in the block.
func TestWishGoesToTheArchiveWithoutAWritableBlock(t *testing.T) {
	for _, c := range []struct {
		name, message, says string
		spoil               func(*world)
	}{
		{"no block", "remember that my bicycle is called Comet", "there is no block human", (*world).dropHuman},
		{"no block, in Chinese", "记住我的猫叫年糕", "没有记忆块 human", (*world).dropHuman},
		{"read-only", "remember that my bicycle is called Comet", "is read-only", (*world).lockHuman},
		{"read-only, in Chinese", "记住我的猫叫年糕", "为只读", (*world).lockHuman},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, enginetest.Chat)
			c.spoil(w)
			w.scripts(say("Fine."))
			m := w.send(c.message)
			contains(t, "answer", m.Content, c.says)
			if strings.Contains(m.Content, "full") || strings.Contains(m.Content, "已满") || len(w.passages()) != 1 {
				t.Errorf("answer %q, %d passages", m.Content, len(w.passages()))
			}
		})
	}
}

func (w *world) dropHuman() {
	_, err := w.store.DeleteBlock(w.ctx(), w.block("human").ID, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
}

func (w *world) lockHuman() {
	yes := true
	w.setBlock("human", memory.BlockChange{ReadOnly: &yes})
}

// What was done on a wish is said, also when the user stops before the model says anything; the model goes on behind it.
func TestStopBeforeTheFirstWordKeepsTheConfirmation(t *testing.T) {
	for _, c := range []struct{ message, confirmed string }{
		{"Remember that my bicycle is called Comet. Is it fast?", "Remembered: “my bicycle is called Comet”."},
		{"记住我的猫叫年糕。它几岁？", "已记住：“我的猫叫年糕”。"},
	} {
		w := newWorld(t, enginetest.Chat)
		hold := make(chan struct{})
		defer close(hold)
		w.scripts(enginetest.Reply{Hold: hold}, say("Fine."))
		w.post(c.message)
		w.await("the request", func() bool { return len(w.fake.Chats()) > 0 })
		w.service.Stop(w.conv.ID)
		m := w.answer()
		if m.Status != memory.StatusStopped || m.Content != c.confirmed || w.message(m.ID).Content != c.confirmed {
			t.Errorf("stopped: %q, %q", m.Status, m.Content)
		}
		_, err := w.service.Continue(w.ctx(), m.ID)
		w.must(err)
		if m := w.answer(); m.Content != c.confirmed+"\n\nFine." {
			t.Errorf("continued: %q", m.Content)
		}
	}
}

func TestForget(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	value := "my bicycle is called Comet\nI like tea\n我的猫叫年糕"
	w.setBlock("human", memory.BlockChange{Value: &value})
	_, _, err := w.store.CreatePassage(w.ctx(), memory.Passage{ArchiveID: w.agent.ArchiveID, Text: "The bicycle Comet needs a new chain."}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	w.scripts(say("Fine."))

	m := w.send("Forget that I like tea")
	if w.block("human").Value != "my bicycle is called Comet\n我的猫叫年糕" || !strings.HasPrefix(m.Content, "Forgotten: “I like tea”.") {
		t.Errorf("block %q, answer %q", w.block("human").Value, m.Content)
	}
	m = w.send("忘掉我的猫叫年糕")
	if w.block("human").Value != "my bicycle is called Comet" || !strings.HasPrefix(m.Content, "已忘掉：“我的猫叫年糕”。") {
		t.Errorf("block %q, answer %q", w.block("human").Value, m.Content)
	}
	m = w.send("Please forget about the bicycle Comet")
	if w.block("human").Value != "" || len(w.passages()) != 0 {
		t.Errorf("block %q, %d passages, answer %q", w.block("human").Value, len(w.passages()), m.Content)
	}
	m = w.send("Forget that I play chess")
	contains(t, "answer", m.Content, "Nothing in memory matches “I play chess”.")

	// every removal can be taken back
	rs, _, err := w.store.Revisions(w.ctx(), store.RevisionFilter{MessageID: w.path()[0].ID})
	w.must(err)
	_, err = w.store.Undo(w.ctx(), rs[0].ID, memory.Cause{Actor: memory.ActorUser})
	if code := memory.CodeOf(err); code != memory.ECONFLICT && code != "" {
		t.Errorf("undo: %v", err)
	}
}

// Models write several things into one line: only what is to be forgotten goes.
func TestForgettingASentenceKeepsItsNeighbours(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Fine."))
	value := "Tom sees Dr. Smith on Mondays. He likes jazz. He has two kids.\nI own a boat. It is called Argo."
	w.setBlock("human", memory.BlockChange{Value: &value})
	if m := w.send("Forget that I like jazz"); !strings.HasPrefix(m.Content, "Forgotten: “He likes jazz.”.") {
		t.Errorf("answer %q", m.Content)
	}
	if v := w.block("human").Value; v != "Tom sees Dr. Smith on Mondays. He has two kids.\nI own a boat. It is called Argo." {
		t.Errorf("block %q", v)
	}
	w.send("Forget that my boat is called Argo")
	if v := w.block("human").Value; v != "Tom sees Dr. Smith on Mondays. He has two kids." {
		t.Errorf("block %q", v)
	}
}

func TestForgettingTooMuchForgetsNothing(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	value := "tea one\ntea two\ntea three\ntea four\ntea five\ntea six"
	w.setBlock("human", memory.BlockChange{Value: &value})
	w.scripts(say("Fine."))
	m := w.send("Please forget my tea")
	if w.block("human").Value != value {
		t.Errorf("block %q", w.block("human").Value)
	}
	contains(t, "answer", m.Content, "6 entries")
}

func TestWishIsGrantedEvenWithoutAnEngine(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.must(w.engine.Ready(w.ctx()))
	w.fake.Stop()
	m := w.send("Remember that my bicycle is called Comet. Is it fast?")
	if m.Status != memory.StatusFailed || w.block("human").Value != "my bicycle is called Comet" {
		t.Errorf("%q, block %q", m.Status, w.block("human").Value)
	}
	w.engineReturns()
	w.scripts(say("Fine."))
	_, err := w.service.Regenerate(w.ctx(), m.ID, false)
	w.must(err)
	if m := w.answer(); m.Content != "Remembered: “my bicycle is called Comet”.\n\nFine." || w.block("human").Value != "my bicycle is called Comet" {
		t.Errorf("%q, block %q", m.Content, w.block("human").Value)
	}
}

// A message that asks for nothing but to be remembered is answered by the app: a model without tools would only ramble.
func TestWishAloneNeedsNoModel(t *testing.T) {
	for message, confirmed := range map[string]string{
		"Hi! Please remember that my bicycle is called Comet, thanks.": "Remembered: “my bicycle is called Comet”.",
		"请记住我的猫叫年糕，谢谢！":                                                "已记住：“我的猫叫年糕”。",
	} {
		w := newWorld(t, enginetest.Chat)
		m := w.send(message)
		if m.Content != confirmed || m.Status != memory.StatusComplete || m.End != memory.EndRule || m.Model != "" || m.Usage != nil {
			t.Errorf("answer %+v", m)
		}
		if n := len(w.fake.Chats()) + len(w.fake.Stages()); n != 0 {
			t.Errorf("%d requests to the model", n)
		}
		if d := w.eventsOf("message.delta"); len(d) != 1 || d[0].Data["text"] != confirmed {
			t.Errorf("told %+v", d)
		}
		// what was stored is in the next prompt, and the confirmation is part of the conversation
		w.scripts(say("Fine."))
		if m := w.send("Are you there?"); m.Content != "Fine." || m.End != memory.EndStop {
			t.Errorf("answer %+v", m)
		}
		contains(t, "prompt", w.sent(0), confirmed)
	}
}

// A model with tools answers itself, also then.
func TestWishAloneIsAnsweredByAModelWithTools(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.scripts(say("I will remember Comet."))
	if m := w.send("Remember that my bicycle is called Comet"); m.Content != "I will remember Comet." || m.End != memory.EndStop {
		t.Errorf("answer %+v", m)
	}
}
