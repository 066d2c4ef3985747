package agent_test

import (
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
)

const appendComet = `{"label":"human","content":"The bicycle is called Comet."}`

func TestToolEditsMemoryAndAnswers(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.scripts(call("core_memory_append", appendComet), say("Noted, Comet it is."))
	m := w.send("My bicycle is called Comet")
	if m.Content != "Noted, Comet it is." || m.Status != memory.StatusComplete {
		t.Fatalf("%+v", m)
	}
	if v := w.block("human").Value; v != "The bicycle is called Comet." {
		t.Errorf("block %q", v)
	}
	path := w.path()
	if len(path) != 4 || len(path[1].ToolCalls) != 1 || path[2].Role != memory.RoleTool || path[2].ToolName != "core_memory_append" {
		t.Fatalf("branch %s", w.script())
	}
	contains(t, "tool result", path[2].Content, "Done.", "The bicycle is called Comet.")
	if len(path[1].RevisionIDs) != 1 {
		t.Fatalf("revisions of the call: %v", path[1].RevisionIDs)
	}
	r, err := w.store.Revision(w.ctx(), path[1].RevisionIDs[0])
	w.must(err)
	if r.Cause.Actor != memory.ActorModel || r.Cause.MessageID != path[1].ID || r.Cause.ToolCallID != path[1].ToolCalls[0].ID || r.Cause.AgentID != w.agent.ID {
		t.Errorf("cause %+v", r.Cause)
	}
	// the model sees the result, and the next turn does not tell it the same again
	contains(t, "second request", w.sent(1), "tool: Done.\n")
	w.send("thanks")
	if next := w.sent(2); strings.Count(next, "The bicycle is called Comet.") != strings.Count(w.sent(1), "The bicycle is called Comet.") {
		t.Errorf("the next turn repeats the change:\n%s", next)
	}
	if w.sent(2)[:200] != w.sent(0)[:200] {
		t.Error("the beginning of the prompt changed")
	}
	if chats := w.fake.Chats(); len(chats[0].Tools) == 0 || len(chats[0].Tools) > 8 || len(chats[2].Tools) != len(chats[0].Tools) {
		t.Errorf("tools %d %d", len(chats[0].Tools), len(chats[2].Tools))
	}
}

// What a model said before it called is shown to it again where its template can show both.
func TestTextBesideACallIsKeptWhereTheTemplateKeepsIt(t *testing.T) {
	for name, template := range map[string]string{
		"keeps": `{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}{{ range .ToolCalls }}<tool_call>{{ .Function }}</tool_call>{{ end }}<|im_end|>
{{ end }}{{ .Tools }}<|im_start|>assistant
`,
		"drops": `{{- range .Messages }}<|im_start|>{{ .Role }}
{{ if .Content }}{{ .Content }}{{ else }}{{ range .ToolCalls }}<tool_call>{{ .Function }}</tool_call>{{ end }}{{ end }}<|im_end|>
{{ end }}{{ .Tools }}<|im_start|>assistant
`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, "own")
			w.fake.AddModel(enginetest.Model{Name: "own", Template: template, Capabilities: []model.Capability{model.CapabilityCompletion, model.CapabilityTools}})
			searching := call("archival_memory_search", `{"query":"tea"}`)
			searching.Content = "Let me see."
			w.scripts(searching, say("Nothing there."))
			w.send("do I like tea?")
			if got := strings.Contains(w.sent(1), "assistant: Let me see."); got != (name == "keeps") {
				t.Errorf("sent:\n%s", w.sent(1))
			}
		})
	}
}

func TestCallsWrittenAsTextAreRead(t *testing.T) {
	args := `{"label": "human", "content": "Likes tea."}`
	for name, text := range map[string]string{
		"tag":        "<tool_call>\n{\"name\": \"core_memory_append\", \"arguments\": " + args + "}\n</tool_call>",
		"open tag":   "Sure.\n<tool_call>{\"name\": \"core_memory_append\", \"arguments\": " + args + "}",
		"fence":      "```json\n{\"name\": \"core_memory_append\", \"arguments\": " + args + "}\n```",
		"bare":       `{"name": "core_memory_append", "parameters": ` + args + `}`,
		"function":   `{"type": "function", "function": {"name": "core_memory_append", "arguments": ` + args + `}}`,
		"mistral":    `[TOOL_CALLS][{"name": "core_memory_append", "arguments": ` + args + `}]`,
		"mistral 3":  `[TOOL_CALLS]core_memory_append[ARGS]` + args,
		"llama":      `<function=core_memory_append>` + args + `</function>`,
		"qwen coder": "<tool_call>\n<function=core_memory_append>\n<parameter=label>\nhuman\n</parameter>\n<parameter=content>\nLikes tea.\n</parameter>\n</function>\n</tool_call>",
		"python tag": `<|python_tag|>{"name": "core_memory_append", "parameters": ` + args + `}`,
		"cut brace":  `{"name": "core_memory_append", "arguments": {"label": "human", "content": "Likes tea."`,
		"other name": `{"name": "functions.CoreMemoryAppend", "arguments": {"block": "Human", "text": "Likes tea."}}`,
		"string":     `{"name": "core_memory_append", "arguments": "{\"label\": \"human\", \"content\": \"Likes tea.\"}"}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, enginetest.Tools)
			w.scripts(say(text), say("I will remember that you like tea."))
			m := w.send("I like tea")
			if v := w.block("human").Value; v != "Likes tea." {
				t.Errorf("block %q", v)
			}
			if m.Content != "I will remember that you like tea." || m.Status != memory.StatusComplete {
				t.Errorf("answer %+v", m)
			}
			if c := w.path()[1]; len(c.ToolCalls) != 1 || !c.ToolCalls[0].Repaired || strings.Contains(c.Content, "core_memory") {
				t.Errorf("call %+v", c)
			}
			for _, ev := range w.eventsOf("message.delta") {
				if text := ev.Data["text"].(string); strings.ContainsAny(text, "{<[`") {
					t.Errorf("the user saw %q", text)
				}
			}
		})
	}
}

func TestCodeInAnAnswerIsNoCall(t *testing.T) {
	for _, text := range []string{
		"Here is an example:\n```json\n{\"name\": \"Bob\", \"age\": 3}\n```\nThat is all.",
		`{"name": "Bob", "age": 3}`,
		"```json\n[1, 2]\n```",
		"In HTML you write <p>.",
	} {
		w := newWorld(t, enginetest.Tools)
		w.scripts(say(text))
		if m := w.send("show me some JSON"); m.Content != text || m.Status != memory.StatusComplete {
			t.Errorf("%q became %+v", text, m)
		}
		got := []rune{}
		for _, ev := range w.eventsOf("message.delta") {
			got = append(got[:ev.Data["offset"].(int)], []rune(ev.Data["text"].(string))...)
		}
		if string(got) != text {
			t.Errorf("the bus told %q of %q", string(got), text)
		}
	}
}

func TestRepairLadder(t *testing.T) {
	broken := enginetest.Reply{Status: 500, Error: "failed to parse JSON: unexpected end of JSON input"}
	t.Run("asked again, it calls", func(t *testing.T) {
		w := newWorld(t, enginetest.Tools)
		w.scripts(broken, call("core_memory_append", appendComet), say("Noted."))
		if m := w.send("My bicycle is called Comet"); m.Content != "Noted." {
			t.Errorf("%+v", m)
		}
		contains(t, "block", w.block("human").Value, "Comet")
		contains(t, "second request", w.sent(1), "could not be read")
		if o := w.fake.Chats()[1].Options; o["temperature"].(float64) > .2 {
			t.Errorf("temperature %v", o["temperature"])
		}
	})
	t.Run("under a schema, without tools", func(t *testing.T) {
		w := newWorld(t, enginetest.Tools)
		w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
			switch {
			case strings.Contains(string(r.Format), "enum"):
				return say(`{"tool": "core_memory_append"}`)
			case len(r.Format) > 0:
				return say(appendComet)
			case r.Messages[len(r.Messages)-1].Role == "tool":
				return say("Noted.")
			}
			return broken
		})
		if m := w.send("My bicycle is called Comet"); m.Content != "Noted." {
			t.Errorf("%+v", m)
		}
		contains(t, "block", w.block("human").Value, "Comet")
		for _, r := range w.fake.Chats() {
			if len(r.Format) > 0 && len(r.Tools) > 0 {
				t.Error("tools and a format in one request")
			}
		}
		if c := w.path()[1].ToolCalls; len(c) != 1 || !c[0].Repaired {
			t.Errorf("calls %+v", c)
		}
	})
	t.Run("in the end plain words", func(t *testing.T) {
		w := newWorld(t, enginetest.Tools)
		w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
			switch {
			case len(r.Tools) > 0:
				return broken
			case len(r.Format) > 0:
				return say("I cannot do JSON")
			}
			return say("Comet is a fine name.")
		})
		if m := w.send("My bicycle is called Comet"); m.Content != "Comet is a fine name." || m.Status != memory.StatusComplete {
			t.Errorf("%+v", m)
		}
	})
	t.Run("nothing at all is a problem with a remedy", func(t *testing.T) {
		w := newWorld(t, enginetest.Tools)
		w.scripts(say(""))
		m := w.send("hello")
		if m.Status != memory.StatusFailed || m.Problem == nil || m.Problem.Code != memory.EMALFORMED || m.Problem.Remedy != memory.RemedyRetry {
			t.Errorf("%+v", m)
		}
	})
	t.Run("after an edit nothing more to say", func(t *testing.T) {
		w := newWorld(t, enginetest.Tools)
		w.scripts(call("core_memory_append", appendComet), say(""))
		if m := w.send("My bicycle is called Comet"); m.Content != "I have updated my memory: human." || m.Status != memory.StatusComplete {
			t.Errorf("%+v", m)
		}
	})
	t.Run("only thoughts", func(t *testing.T) {
		w := newWorld(t, enginetest.Thinker)
		on := true
		var err error
		w.agent, err = w.store.UpdateAgent(w.ctx(), w.agent.ID, func(a *memory.Agent) error { a.Thinking = &on; return nil })
		w.must(err)
		w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
			if r.Think != nil && !r.Think.Bool() {
				return say("42.")
			}
			return enginetest.Reply{Thinking: "Hm, hm."}
		})
		if m := w.send("what is it?"); m.Content != "42." || m.Thinking != "Hm, hm." {
			t.Errorf("%+v", m)
		}
	})
}

func TestMissingArgumentIsToldAndCorrected(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.scripts(call("core_memory_append", `{"label":"human"}`), call("core_memory_append", appendComet), say("Noted."))
	m := w.send("My bicycle is called Comet")
	if m.Content != "Noted." || w.block("human").Value != "The bicycle is called Comet." {
		t.Errorf("%+v, block %q", m, w.block("human").Value)
	}
	contains(t, "error", w.path()[2].Content, `Error: the argument "content" is missing`, "Call core_memory_append again with: label, content")
}

func TestFullBlockIsToldWithNumbersAndNotTriedForEver(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	limit := 30
	w.setBlock("human", memory.BlockChange{Limit: &limit})
	n := 0
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if len(r.Tools) == 0 {
			return say("The block is full.")
		}
		n++
		return call("core_memory_append", `{"label":"human","content":"A very long thing to remember, number `+strings.Repeat("x", n)+`"}`)
	})
	m := w.send("remember a lot")
	if tries := strings.Count(w.script(), "tool: "); m.Content != "The block is full." || tries != 2 {
		t.Errorf("%d tries, then %+v", tries, m)
	}
	contains(t, "error", w.path()[2].Content, "its limit is 30", "memory_rethink", "human 0 of 30", "persona")
	if v := w.block("human").Value; v != "" {
		t.Errorf("block %q", v)
	}
}

func TestReadOnlyBlockStaysAsItIs(t *testing.T) {
	for tool, args := range map[string]string{
		"core_memory_append":  `{"label":"persona","content":"I am Bob."}`,
		"core_memory_replace": `{"label":"persona","old_content":"I am","new_content":"I was"}`,
		"memory_insert":       `{"label":"persona","new_string":"I am Bob."}`,
		"memory_rethink":      `{"label":"persona","new_memory":"I am Bob."}`,
	} {
		w := newWorld(t, enginetest.Tools)
		yes, before := true, w.block("persona").Value
		w.setBlock("persona", memory.BlockChange{ReadOnly: &yes})
		w.scripts(call(tool, args), say("I cannot change that."))
		m := w.send("you are Bob")
		if w.block("persona").Value != before || m.Content != "I cannot change that." {
			t.Errorf("%s: %q, %+v", tool, w.block("persona").Value, m)
		}
		contains(t, "error", w.path()[2].Content, "read-only", "user")
	}
}

func TestTheSameCallTwiceEndsInWords(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if len(r.Tools) == 0 {
			return say("I could not find it.")
		}
		return call("archival_memory_search", `{"query":"again"}`)
	})
	if m := w.send("find it"); m.Content != "I could not find it." || m.Status != memory.StatusComplete {
		t.Errorf("%+v", m)
	}
	if chats := w.fake.Chats(); len(chats) != 4 || len(chats[2].Tools) == 0 {
		t.Errorf("%d model calls; the tools, and with them the cached prompt, should stay as long as possible", len(chats))
	}
	if n := strings.Count(w.script(), "tool: "); n != 2 {
		t.Errorf("%d results", n)
	}
	contains(t, "branch", w.script(), "Do not call it again")
}

func TestStepsAreLimited(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	_, err := w.store.UpdateAgent(w.ctx(), w.agent.ID, func(a *memory.Agent) error { a.MaxSteps = 3; return nil })
	w.must(err)
	n := 0
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		n++
		if len(r.Tools) == 0 {
			return say("That is what I found. <tool_call>{\"name\": \"conversation_search\", \"arguments\": {}}</tool_call>")
		}
		return call("archival_memory_search", `{"query":"`+strings.Repeat("x", n)+`"}`)
	})
	if m := w.send("search"); m.Content != "That is what I found." || m.Status != memory.StatusComplete || len(m.ToolCalls) > 0 || n != 4 {
		t.Errorf("%d calls, %+v", n, m)
	}
}

func TestRecalledTextIsNotStoredAgain(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	const fact = "The spare key of the cottage hangs behind the blue shutter."
	_, _, err := w.store.CreatePassage(w.ctx(), memory.Passage{ArchiveID: w.agent.ArchiveID, Text: fact}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	w.scripts(
		call("archival_memory_insert", `{"content":"The spare key of the cottage hangs behind the blue shutter!"}`),
		call("core_memory_append", `{"label":"human","content":"The spare key of the cottage hangs behind the blue shutter"}`),
		say("Behind the blue shutter."),
	)
	m := w.send("Where is the spare key of the cottage?")
	receipt, err := w.store.Receipt(w.ctx(), m.TurnID)
	w.must(err)
	if len(receipt.Candidates) == 0 || !receipt.Candidates[0].Taken {
		t.Fatalf("the fact was not recalled: %+v", receipt)
	}
	contains(t, "prompt", w.sent(0), fact)
	if n := len(w.passages()); n != 1 || w.block("human").Value != "" {
		t.Errorf("%d passages, block %q", n, w.block("human").Value)
	}
	contains(t, "branch", w.script(), "stored already")
	// nor does recall find what it injected
	for range 3 {
		w.scripts(say("Behind the blue shutter, as I said."))
		m := w.send("Where was the spare key of the cottage again?")
		r, err := w.store.Receipt(w.ctx(), m.TurnID)
		w.must(err)
		for _, c := range r.Candidates {
			if c.Taken && c.Kind == store.KindMessage {
				t.Errorf("a message in the window was recalled: %+v", c)
			}
		}
	}
}
