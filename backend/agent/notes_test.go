package agent_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/memory"
)

// notes answers questions with words, and forms with a choice of a tool and its arguments.
func (w *world) notes(tool, arguments string) {
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		switch {
		case strings.Contains(string(r.Format), "enum"):
			return say(`{"tool": "` + tool + `"}`)
		case len(r.Format) > 0:
			return say(arguments)
		}
		return say("I see.")
	})
}

// forms returns the requests under a schema.
func (w *world) forms() []api.ChatRequest {
	var out []api.ChatRequest
	for _, r := range w.fake.Chats() {
		if len(r.Format) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// rested waits until n forms have been answered and what follows from them is done.
func (w *world) rested(n int) {
	w.Helper()
	w.fake.Await(w, "the forms", func(rs []enginetest.Request) bool {
		k := 0
		for _, r := range rs {
			if r.Chat != nil && len(r.Chat.Format) > 0 {
				k++
			}
		}
		return k >= n
	})
	w.must(w.service.Rest(w.ctx()))
}

func TestModelWithoutToolsNotesWhatItIsTold(t *testing.T) {
	for _, c := range []struct{ message, tool, arguments, line string }{
		{"My bicycle is called Comet.", "core_memory_append", `{"label": "human", "content": "The user's bicycle is called Comet"}`, "My bicycle is called Comet"},
		{"我养了一只猫，叫年糕。", "core_memory_append", `{"label": "user", "content": "用户养了一只猫，叫年糕"}`, "我养了一只猫，叫年糕"},
	} {
		w := newWorld(t, enginetest.Chat)
		w.notes(c.tool, c.arguments)
		m := w.send(c.message)
		w.rested(2)
		if n := w.called(memory.CallNote); n != 2 {
			t.Errorf("%d calls are noted", n)
		}
		if got := w.block("human").Value; m.Content != "I see." || got != c.line {
			t.Fatalf("answer %q, block %q", m.Content, got)
		}
		// it is traced to the user's own words, shown beside their message, and can be undone
		user := w.path()[0]
		if len(user.RevisionIDs) != 2 { // the fact that rules read in it, and the note
			t.Fatalf("revisions %v", user.RevisionIDs)
		}
		r, err := w.store.Revision(w.ctx(), user.RevisionIDs[1])
		w.must(err)
		if span := string([]rune(c.message)[r.Cause.Start:r.Cause.End]); r.Cause.Actor != memory.ActorModel || span != c.line || r.Cause.ToolCallID == "" {
			t.Errorf("cause %+v, span %q", r.Cause, span)
		}
		if changed := w.eventsOf("block.changed"); changed[len(changed)-1].Data["message_id"] != user.ID {
			t.Errorf("event %+v", changed)
		}
		_, err = w.store.Undo(w.ctx(), r.ID, memory.Cause{Actor: memory.ActorUser})
		w.must(err)
		// answered again, it stays undone
		_, err = w.service.Regenerate(w.ctx(), m.ID, false)
		w.must(err)
		w.answer()
		w.must(w.service.Rest(w.ctx()))
		if got := w.block("human").Value; got != "" || len(w.forms()) != 2 {
			t.Errorf("block %q after %d forms", got, len(w.forms()))
		}
		for _, r := range w.forms() {
			if len(r.Tools) > 0 {
				t.Error("tools and a format in one request")
			}
		}
	}
}

func TestNoteGoesToTheArchive(t *testing.T) {
	for name, c := range map[string]struct {
		tool, arguments string
		limit           int
	}{
		"as the model chose":        {"archival_memory_insert", `{"content": "bicycle is called Comet", "tags": ["invented"]}`, 2000},
		"because the block is full": {"core_memory_append", `{"label": "human", "content": "bicycle is called Comet"}`, 5},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, enginetest.Chat)
			w.setBlock("human", memory.BlockChange{Limit: &c.limit})
			w.notes(c.tool, c.arguments)
			m := w.send("My bicycle is called Comet.")
			w.rested(2)
			if ps := w.passages(); len(ps) != 1 || ps[0].Text != "My bicycle is called Comet" || ps[0].Origin != m.TurnID || len(ps[0].Tags) != 0 {
				t.Errorf("passages %+v", ps)
			}
		})
	}
}

func TestNoteReplacesWhatIsNoLongerSo(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["facts"] = "off" // with them the line is renewed by rule, before any model
	value := "I live in Bern\nMy bicycle is called Comet"
	w.setBlock("human", memory.BlockChange{Value: &value})
	w.notes("core_memory_replace", `{"label": "human", "old_content": "my bicycle is called comet", "new_content": "my bicycle is called Rocket"}`)
	w.send("My bicycle is called Rocket now.")
	w.rested(2)
	if got := w.block("human").Value; got != "I live in Bern\nMy bicycle is called Rocket now" {
		t.Errorf("block %q", got)
	}
}

// Nothing is stored that the user did not say, whatever the model writes; and a model that does so twice is asked no more.
func TestUselessNotesAreRefusedAndEnd(t *testing.T) {
	for name, c := range map[string]struct{ tool, arguments string }{
		"what the assistant said":      {"core_memory_append", `{"label": "human", "content": "I see."}`},
		"a copy of the form":           {"core_memory_append", `{"label": "human", "content": "the fact as one short sentence"}`},
		"an invented name":             {"core_memory_append", `{"label": "human", "content": "The user is called Robert Miller"}`},
		"no JSON":                      {"core_memory_append", "Sure! Here it is."},
		"another line is taken away":   {"core_memory_replace", `{"label": "human", "old_content": "Allergic to nuts", "new_content": "bicycle is called Comet"}`},
		"a line that is not there":     {"core_memory_replace", `{"label": "human", "old_content": "bicycle is called Rocket", "new_content": "bicycle is called Comet"}`},
		"a tool that was not offered":  {"memory_rethink", `{"label": "human", "new_memory": "bicycle is called Comet"}`},
		"an argument that is not text": {"core_memory_append", `{"label": "human", "content": ["bicycle", "Comet"]}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, enginetest.Chat)
			value := "Allergic to nuts"
			w.setBlock("human", memory.BlockChange{Value: &value})
			w.notes(c.tool, c.arguments)
			for range 3 {
				w.send("My bicycle is called Comet.")
				w.must(w.service.Rest(w.ctx()))
			}
			if got := w.block("human").Value; got != value || len(w.passages()) != 0 {
				t.Errorf("block %q, passages %+v", got, w.passages())
			}
			choices := 0
			for _, r := range w.forms() {
				if strings.Contains(string(r.Format), "enum") {
					choices++
				}
			}
			notices := w.eventsOf("notice")
			if choices != 2 || len(notices) != 1 || notices[0].Data["code"] != "notes_off" {
				t.Errorf("asked %d times, notices %+v", choices, notices)
			}
			// a restart does not forget it; a test that the model passes does
			asked := len(w.forms())
			w.replace(func(*agent.Deps) {})
			w.send("I live in Bern.")
			w.must(w.service.Rest(w.ctx()))
			if len(w.forms()) != asked {
				t.Error("asked again after a restart")
			}
			p, err := w.engine.Profile(w.ctx(), enginetest.Chat)
			w.must(err)
			w.service.TrustNotes(p.Digest, true)
			w.send("I live in Bern.")
			w.must(w.service.Rest(w.ctx()))
			if len(w.forms()) == asked {
				t.Error("not asked again after the test")
			}
		})
	}
}

func TestNothingToNote(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.notes("none", "")
	for range 3 {
		w.send("My day was long.")
		w.must(w.service.Rest(w.ctx()))
	}
	if got := w.block("human").Value; got != "" || len(w.forms()) != 3 || len(w.eventsOf("notice")) != 0 {
		t.Errorf("block %q, %d forms, notices %+v", got, len(w.forms()), w.eventsOf("notice"))
	}
	// questions are not even looked at, and the setting ends it all
	w.send("What is the capital of Peru?")
	w.set["notes"] = "off"
	w.send("My bicycle is called Comet.")
	w.must(w.service.Rest(w.ctx()))
	if len(w.forms()) != 3 {
		t.Errorf("%d forms", len(w.forms()))
	}
}

func TestModelWithToolsTakesNoNotes(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.notes("core_memory_append", `{"label": "human", "content": "bicycle is called Comet"}`)
	w.send("My bicycle is called Comet.")
	w.must(w.service.Rest(w.ctx()))
	if len(w.forms()) != 0 {
		t.Errorf("%d forms", len(w.forms()))
	}
}

// A note gives way to the next question at once, and is taken after its answer.
func TestNoteDoesNotDelayTheNextQuestion(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	hold := make(chan struct{})
	slow := true
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		switch {
		case strings.Contains(string(r.Format), "enum") && slow:
			slow = false
			return enginetest.Reply{Content: "{", Hold: hold}
		case strings.Contains(string(r.Format), "enum"):
			return say(`{"tool": "core_memory_append"}`)
		case len(r.Format) > 0:
			return say(`{"label": "human", "content": "bicycle is called Comet"}`)
		}
		return say("I see.")
	})
	defer close(hold)
	w.send("My bicycle is called Comet.")
	w.fake.AwaitChats(t, 2)
	if m := w.send("What is the capital of Peru?"); m.Content != "I see." || m.Status != memory.StatusComplete {
		t.Errorf("answer %+v", m)
	}
	w.rested(3)
	if got := w.block("human").Value; got != "My bicycle is called Comet" {
		t.Errorf("block %q", got)
	}
}

func TestCloseEndsANote(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	hold := make(chan struct{})
	defer close(hold)
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if len(r.Format) > 0 {
			return enginetest.Reply{Content: `{"tool": "core_memory_append"}`, Hold: hold}
		}
		return say("I see.")
	})
	w.send("My bicycle is called Comet.")
	w.fake.AwaitChats(t, 2)
	w.must(w.service.Close(w.ctx()))
	if got := w.block("human").Value; got != "" || len(w.forms()) != 1 {
		t.Errorf("block %q, %d forms", got, len(w.forms()))
	}
}

// On an engine with one prompt cache the form goes on where the chat ended, so that the chat finds its prompt as it was.
func TestNoteGoesOnWhereTheChatEnded(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.notes("none", "")
	w.send("My day was long.")
	w.must(w.service.Rest(w.ctx()))
	w.send("And now?")
	chats := w.fake.Chats()
	if len(chats) != 3 {
		t.Fatalf("%d requests", len(chats))
	}
	asked, form, next := chats[0].Messages, chats[1].Messages, chats[2].Messages
	for i, m := range append(asked, api.Message{Role: "assistant", Content: "I see."}) {
		if form[i].Role != m.Role || form[i].Content != m.Content || next[i].Content != m.Content {
			t.Errorf("message %d: asked %q, form %q, next %q", i, m.Content, form[i].Content, next[i].Content)
		}
	}
}

// With a real model without tools, on our own engine, the form has the second prompt cache.
func TestRealEngineTakesNotes(t *testing.T) {
	for _, arch := range []string{scripted.Llama, scripted.Gemma3} {
		t.Run(arch, func(t *testing.T) {
			w := newWorldOn(t, engine.Options{Bundled: []string{enginetest.Binary(t)}, Parallel: 2, Default: "-"}, "scripted")
			w.set["window"] = 16384
			w.must(w.engine.Ready(w.ctx()))
			script := scripted.Script{On: scripted.Constrained, Reply: []string{`{"tool": "core_memory_append"}`}}
			file := filepath.Join(t.TempDir(), "scripted.gguf")
			w.must(scripted.Write(file, arch, script))
			w.must(w.engine.Import(w.ctx(), file, "scripted", engine.ImportOptions{
				Template: scripted.Template(scripted.Gemma3, script), Parameters: map[string]any{"temperature": 0, "num_thread": 1},
			}, nil))
			w.send("hello <c:hello>")
			// the model writes the same into every text, so that is what the user has to have said
			if m := w.send(scripted.Noted); m.Content != scripted.Noted {
				t.Errorf("answer %+v", m)
			}
			w.await("the note", func() bool { return w.block("human").Value != "" })
			w.must(w.service.Rest(w.ctx()))
			if got := w.block("human").Value; got != "I have noted that, thank you" {
				t.Errorf("block %q", got)
			}
			m := w.send("and now? <c:hello>")
			if arch == scripted.Llama && m.Usage.CachedTokens < m.Usage.PromptTokens*8/10 { // the other's template lets it reuse nothing
				t.Errorf("the note cost the chat its cache: %+v", m.Usage)
			}
		})
	}
}
