package agent_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// Failures of facts that users of similar programs have reported.

// Of two statements about the same thing the newer holds, in either order and in either language; the older stays readable.
func TestTheNewerStatementHoldsInEitherOrder(t *testing.T) {
	for _, c := range []struct{ first, second, want string }{
		{"My name is Anna.", "My name is Berta.", "name=Berta (name=Anna)"},
		{"My favourite drink is tea.", "My favourite drink is coffee now.", "favourite drink=coffee (favourite drink=tea)"},
		{"My favourite drink is coffee.", "My favourite drink is tea now.", "favourite drink=tea (favourite drink=coffee)"},
		{"我叫安娜。", "我现在叫贝塔。", "name=贝塔 (name=安娜)"},
		{"我的数据库是PostgreSQL。", "我的数据库换成MySQL了。", "数据库=MySQL (数据库=PostgreSQL)"},
		{"我用PostgreSQL。", "我不用PostgreSQL了，改用MySQL。", "uses=MySQL (uses=PostgreSQL)"},
		{"I love Chinese food.", "I hate Chinese food.", "dislikes=Chinese food (likes=Chinese food)"},
	} {
		w := newWorld(t, enginetest.Chat)
		w.scripts(say("Fine."))
		w.send(c.first)
		w.send(c.second)
		if got := w.facts(); got != c.want {
			t.Errorf("%q, then %q: facts %q, want %q", c.first, c.second, got, c.want)
		}
	}
}

// Asked for, the current value is the first thing that the model is told, and the one before is not told as true.
func TestTheCurrentNameIsToldFirst(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["notes"] = "off"
	w.scripts(say("Fine."))
	w.send("My name is Anna.")
	w.send("My name is Berta.")
	w.conv = w.newConversation()
	m := w.send("What is my name?")
	receipt, err := w.store.Receipt(w.ctx(), m.TurnID)
	w.must(err)
	if len(receipt.Candidates) == 0 || !strings.Contains(receipt.Candidates[0].Text, "Berta") {
		t.Errorf("first is %+v", receipt.Candidates)
	}
	for _, c := range receipt.Candidates {
		if c.Taken && strings.Contains(c.Text, "Anna") && c.Replaced == nil {
			t.Errorf("what was replaced is told as true: %+v", c)
		}
	}
}

// Nothing is kept of what is only imagined, quoted, asked, of somebody else's, or the assistant's own.
func TestWhatIsNoFactOfTheUserIsNotKept(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("You live in Rome, you are allergic to nuts and your name is Otto. My name is Recollect, and I live in a window."))
	for _, text := range []string{
		"Suppose my project were in /data/otto/secret, what would you do?",
		"If I lived in Rome, would I need a car?",
		"Imagine that I work at NASA.",
		"She said: “I live in Paris and my name is Marie.”",
		"Do I live in Berlin?",
		"My sister's husband works at Siemens, doesn't he?",
		"In the novel the hero says: my dog is called Argos.",
		"假如我住在罗马，我需要车吗？",
		"他说：“我叫李雷，我住在北京。”",
		"我住在柏林吗？",
		"Was wäre, wenn ich in Rom wohnte?",
	} {
		w.send(text)
	}
	facts, _, err := w.store.Facts(w.ctx(), store.FactFilter{AgentID: w.agent.ID})
	w.must(err)
	for _, f := range facts {
		if f.Subject == memory.SubjectUser {
			t.Errorf("kept %s = %s", f.Key, f.Value)
		}
	}
}

// Two true facts about similar things both stay.
func TestUnrelatedTrueFactsStay(t *testing.T) {
	for _, said := range [][]string{
		{"I work at Fernly.", "I administer Fernly's account at the bank."},
		{"My car is a Fiat.", "My bicycle is a Gazelle."},
		{"I have a dog called Rex.", "I have a cat called Minka."},
		{"我在云杉科技上班。", "我管理云杉科技的账号。"},
	} {
		w := newWorld(t, enginetest.Chat)
		w.scripts(say("Fine."))
		for _, text := range said {
			w.send(text)
		}
		if got := w.facts(); got == "" || strings.Contains(got, "(") {
			t.Errorf("%q: facts %q", said, got)
		}
	}
}

// What is dated by a word such as "yesterday" is dated by the message, not by the day on which it is read.
func TestWordsOfTimeAreReckonedFromTheMessage(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	said := time.Date(2023, 5, 8, 13, 56, 0, 0, time.Local)
	_, err := w.store.AddMessage(w.ctx(), memory.Message{ConversationID: w.conv.ID, Role: memory.RoleUser, Content: "I moved to Lyon yesterday.", CreatedAt: said})
	w.must(err)
	ctx, stop := context.WithCancel(w.ctx())
	wake, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- w.service.ReadTranscript(ctx, wake) }()
	w.await("the fact", func() bool { return w.facts() != "" })
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	facts, _, err := w.store.Facts(w.ctx(), store.FactFilter{AgentID: w.agent.ID})
	w.must(err)
	if f := facts[0]; f.Value != "Lyon" || f.ValidFrom.In(time.Local).Format(time.DateOnly) != "2023-05-07" || !f.SaidAt.Equal(said) {
		t.Errorf("%+v", f)
	}
}
