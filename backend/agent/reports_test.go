package agent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// These are failures that users of similar programs have reported.

// What the engine says when it refuses a request is shown as it said it; nothing is sent again, and the conversation is as
// it was.
func TestRefusalIsShownAndNotTriedAgain(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Hello."))
	w.send("hello")
	before := w.script()
	w.scripts(enginetest.Reply{Status: 400, Error: "messages must alternate between user and assistant"})
	m := w.send("and now?")
	if m.Status != memory.StatusFailed || m.Problem == nil || !strings.Contains(m.Problem.Message, "messages must alternate") {
		t.Errorf("%+v, problem %+v", m, m.Problem)
	}
	if n := len(w.fake.Chats()); n != 2 {
		t.Errorf("%d requests for two questions", n)
	}
	if after := w.script(); !strings.HasPrefix(after, before+"\nuser: and now?") {
		t.Errorf("the conversation was\n%s\nand is\n%s", before, after)
	}
	w.usable()
}

// An engine that refuses tools, or their schemas, still answers; the user is told once, and wishes work by rule.
func TestEngineThatRefusesToolsAnswersWithoutThem(t *testing.T) {
	for _, refusal := range []string{
		"registry.ollama.ai/library/helper:latest does not support tools", "invalid tool schema: core_memory_append: unexpected type",
	} {
		w := newWorld(t, enginetest.Tools)
		w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
			if len(r.Tools) > 0 {
				return enginetest.Reply{Status: 400, Error: refusal}
			}
			return enginetest.Echo(r)
		})
		for range 2 {
			if m := w.send("what is it?"); m.Status != memory.StatusComplete || !strings.Contains(m.Content, "what is it?") {
				t.Errorf("%s: %+v %+v", refusal, m, m.Problem)
			}
		}
		if notices := w.eventsOf("notice"); len(notices) != 1 || notices[0].Data["code"] != "tools_refused" {
			t.Errorf("notices %+v", notices)
		}
		w.send("Remember that my bicycle is called Comet.")
		contains(t, "block", w.block("human").Value, "bicycle is called Comet")
		refused := 0
		for _, r := range w.fake.Chats() {
			if len(r.Tools) > 0 {
				refused++
			}
		}
		if refused != 1 {
			t.Errorf("tools were sent %d times", refused)
		}
	}
}

// However often a memory is recalled, and however often the model says it again, it stays one.
func TestRecalledTextMakesNoMemories(t *testing.T) {
	const turns = 50
	const fact = "The spare key of the cottage hangs behind the blue shutter"
	for _, model := range []string{enginetest.Tools, enginetest.Chat} {
		w := newWorld(t, model)
		w.set["window"] = 4096 // what was said leaves it, and is recalled again
		_, _, err := w.store.CreatePassage(w.ctx(), memory.Passage{ArchiveID: w.agent.ArchiveID, Text: fact + "."}, memory.Cause{Actor: memory.ActorUser})
		w.must(err)
		w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
			last := r.Messages[len(r.Messages)-1]
			switch {
			case strings.Contains(string(r.Format), "enum"):
				return say(`{"tool": "archival_memory_insert"}`)
			case len(r.Format) > 0:
				return say(`{"content": "` + fact + `"}`)
			case len(r.Tools) > 0 && last.Role == "user":
				return call("archival_memory_insert", `{"content":"`+fact+`"}`)
			}
			return say(fact + ", as I said.")
		})
		for i := range turns {
			w.send(fmt.Sprintf("I ask for the %d. time: where is the spare key of the cottage?", i))
			w.must(w.service.Rest(w.ctx()))
		}
		without := 0 // turns in which the model did not see it: this would test nothing then
		for i, r := range w.fake.Chats() {
			if len(r.Format) == 0 && !strings.Contains(w.sent(i), fact) {
				without++
			}
		}
		if without > turns/10 {
			t.Errorf("%s: %d prompts without the memory", model, without)
		}
		if n := len(w.passages()); n != 1 || strings.Contains(w.block("human").Value, "key") {
			t.Errorf("%s: %d passages, block %q", model, n, w.block("human").Value)
		}
	}
}

// What is edited in one conversation is told in every other, also in one that began before.
func TestOldConversationIsToldWhatChangedSince(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("All right."))
	w.send("hello")
	old := w.conv
	w.conv = w.newConversation()
	w.send("hello")
	value := "Lives in Lyon."
	w.setBlock("human", memory.BlockChange{Value: &value})
	w.conv = old
	w.send("and here?")
	contains(t, "prompt of the old conversation", w.sent(2), "Lives in Lyon.")
}

// The same fact told three times in slightly other words is one passage, with the words it had first.
func TestTheSameFactInOtherWordsIsStoredOnce(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	for _, words := range []string{"The bicycle is called Comet.", "the user's bicycle is named Comet", "Bicycle: Comet!"} {
		w.scripts(call("archival_memory_insert", `{"content":"`+words+`"}`), say("Noted."))
		w.send("Keep that in the archive.")
		w.conv = w.newConversation()
	}
	if p := w.passages(); len(p) != 1 || p[0].Text != "The bicycle is called Comet." {
		t.Errorf("%+v", p)
	}
	w.scripts(call("archival_memory_insert", `{"content":"The boat is called Comet."}`), say("Noted."))
	w.send("And the boat?")
	if p := w.passages(); len(p) != 2 {
		t.Errorf("%+v", p)
	}
}

// Where the engine finds a prompt too long of which nothing can go but the tools, it is answered without them, and the user
// is told once.
func TestWindowWithoutRoomForTools(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if len(r.Tools) > 0 && r.Options["num_ctx"].(float64) < 4096 {
			return enginetest.Reply{Status: 400, Error: "the input length exceeds the context length"}
		}
		return enginetest.Echo(r)
	})
	w.set["window"] = 2048
	for range 2 {
		if m := w.send("what is it?"); m.Status != memory.StatusComplete || !strings.Contains(m.Content, "what is it?") {
			t.Errorf("%+v %+v", m, m.Problem)
		}
	}
	notices := w.eventsOf("notice")
	if len(notices) != 1 || notices[0].Data["code"] != "no_room_for_tools" {
		t.Errorf("notices %+v", notices)
	}
	w.send("Remember that my bicycle is called Comet.")
	contains(t, "block", w.block("human").Value, "bicycle is called Comet")
	w.set["window"] = 8192
	w.send("and now?")
	chats := w.fake.Chats()
	if len(chats[len(chats)-1].Tools) == 0 {
		t.Error("a larger window does not bring the tools back")
	}
}
