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

// After a turn the plan of the next request stands on what the engine counted.
func TestThePlanOfTheNextRequestStandsOnWhatTheEngineCounted(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.scripts(enginetest.Reply{Content: "one two three", PromptTokens: 1000})
	m := w.message(w.send("hello").ID)
	next, err := w.service.Preview(w.ctx(), w.conv.ID, "")
	w.must(err)
	if want := 1000 + m.Tokens; next.Measured != want || next.Cached != want || next.Prompt <= want || next.Prompt > want+40 {
		t.Errorf("measured %d, cached %d, in all %d; the engine counted 1000 and the answer has %d", next.Measured, next.Cached, next.Prompt, m.Tokens)
	}
	sum := 0
	for _, p := range next.Parts {
		if p.Name != memory.PartReserve && p.Name != memory.PartMargin {
			sum += p.Used
		}
	}
	if sum != next.Prompt {
		t.Errorf("the parts make %d, the prompt is %d", sum, next.Prompt)
	}
}

// Of an answer that was stopped the engine has counted nothing, and the plan of the next request is our estimate.
func TestThePlanAfterAStoppedAnswerIsAnEstimate(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	hold := make(chan struct{})
	defer close(hold)
	w.scripts(enginetest.Reply{Content: "Once upon a time", Hold: hold})
	w.post("tell me a story")
	w.await("the beginning on disk", func() bool {
		path := w.path()
		return len(path) == 2 && path[1].Content != ""
	})
	w.service.Stop(w.conv.ID)
	m := w.answer()
	next, err := w.service.Preview(w.ctx(), w.conv.ID, "")
	w.must(err)
	if before := w.plan(m); next.Measured != 0 || next.Prompt <= before.Prompt {
		t.Errorf("the prompt was %d; with the answer the next is %d, of which %d are measured", before.Prompt, next.Prompt, next.Measured)
	}
}

// The model is loaded, and has read what the next prompt begins with, before anything is asked; nothing is stored, and the
// first answer then reads little.
func TestWarmReadsTheNextPrompt(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Hello."))
	w.send("Hi")
	w.answer()
	before, path := len(w.fake.Stages()), len(w.path())
	w.must(w.service.Warm(w.ctx(), w.conv.ID))
	stages := w.fake.Stages()[before:]
	if len(stages) == 0 {
		t.Fatal("nothing was read in advance")
	}
	if n := len(w.path()); n != path {
		t.Errorf("the conversation has %d messages, want %d", n, path)
	}
	warmed := stages[len(stages)-1].Messages
	w.send("And you?")
	w.answer()
	chats := w.fake.Chats()
	asked := chats[len(chats)-1]
	for i, m := range warmed[:len(warmed)-1] {
		if asked.Messages[i].Content != m.Content {
			t.Errorf("message %d of the next prompt is %q, but %q was read in advance", i, asked.Messages[i].Content, m.Content)
		}
	}
}
