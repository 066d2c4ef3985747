package agent_test

import (
	"strings"
	"testing"

	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/memory"
)

// Thoughts are kept for the reader and never sent again. Where nobody chose, a model does not think.
func TestThoughtsAreKeptAndNotSentAgain(t *testing.T) {
	w := newWorld(t, enginetest.Thinker)
	w.scripts(enginetest.Reply{Thinking: "A secret thought.", Content: "It is 42."}, say("Still 42."))
	m := w.send("what is it?")
	if m = w.message(m.ID); m.Thinking != "A secret thought." || m.Content != "It is 42." {
		t.Errorf("%+v", m)
	}
	w.send("sure?")
	if sent := w.sent(1); strings.Contains(sent, "secret") || !strings.Contains(sent, "It is 42.") {
		t.Errorf("sent:\n%s", sent)
	}
	for _, c := range w.fake.Chats() {
		if c.Think == nil || c.Think.Bool() {
			t.Errorf("think %v", c.Think)
		}
		for _, m := range c.Messages {
			if m.Thinking != "" {
				t.Errorf("a thought was sent: %+v", m)
			}
		}
	}
}

func TestRealEngineThinks(t *testing.T) {
	w := newScripted(t, scripted.Qwen3)
	on := true
	_, err := w.store.UpdateAgent(w.ctx(), w.agent.ID, func(a *memory.Agent) error { a.Thinking = &on; return nil })
	w.must(err)
	m := w.send("what is it? <c:think>")
	if m.Content != "The answer is 42." || !strings.Contains(m.Thinking, "The user asks something.") {
		t.Errorf("words %q, thoughts %q", m.Content, m.Thinking)
	}
	if m = w.send("and then? <c:hello>"); m.Status != memory.StatusComplete || m.Usage == nil || m.Usage.Truncated {
		t.Errorf("%+v", m)
	}
	body, err := w.store.Prompt(w.ctx(), m.ID)
	w.must(err)
	if strings.Contains(string(body), "asks something") {
		t.Errorf("thoughts were sent again: %s", body)
	}
}

// What the engine counted corrects the estimate of the next turn.
func TestCountsOfTheEngineCorrectOurs(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.scripts(say("hm"))
	first := w.plan(w.send("hello"))
	w.scripts(enginetest.Reply{Content: "hm", PromptTokens: first.Prompt * 3 / 2})
	w.send("hello")
	w.scripts(say("hm"))
	higher := w.plan(w.send("hello"))
	if higher.Prompt < first.Prompt*11/10 {
		t.Errorf("the plan was %d, the engine counted %d, the next plan is %d", first.Prompt, first.Prompt*3/2, higher.Prompt)
	}
}
