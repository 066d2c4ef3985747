package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// An engine that reports no count of the prompt, or one of what was new only, upsets nothing: the count is unknown then.
func TestCountThatIsMissing(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(enginetest.Reply{Content: "hm", PromptTokens: -1})
	first := w.send("hello")
	if u := first.Usage; first.Status != memory.StatusComplete || u == nil || u.PromptTokens != 0 || u.CachedTokens > 0 || u.Truncated {
		t.Errorf("%+v, usage %+v", first, first.Usage)
	}
	planned := w.plan(first).Prompt
	w.conv = w.newConversation()
	if again := w.plan(w.send("hello")).Prompt; again != planned {
		t.Errorf("planned %d tokens, then %d", planned, again)
	}
}

// The tools are the same bytes in every request, so that what the engine has cached stays good.
func TestToolsAreTheSameBytesEachTime(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.scripts(call("core_memory_append", appendComet), say("Noted."), say("Yes."))
	w.send("My bicycle is called Comet")
	w.send("Do you know its name?")
	var tools []string
	for _, r := range w.fake.Requests() {
		if r.Chat == nil || r.Stage {
			continue
		}
		var body struct{ Tools json.RawMessage }
		w.must(json.Unmarshal(r.Body, &body))
		tools = append(tools, string(body.Tools))
	}
	if len(tools) != 3 || tools[0] == "" || tools[0] != tools[1] || tools[1] != tools[2] {
		t.Errorf("%d requests:\n%s", len(tools), strings.Join(tools, "\n"))
	}
	if strings.Contains(tools[0], "$defs") || strings.Contains(tools[0], "$ref") {
		t.Error("the schemas are not flat")
	}
}

// With a parser of the engine's own a schema holds only while the model thinks.
func TestFormOfAModelWithAParserThinks(t *testing.T) {
	w := newWorld(t, "parsed")
	w.fake.AddModel(enginetest.Model{Name: "parsed", Arch: "qwen3", Context: 32768, Parser: "qwen3", Capabilities: []model.Capability{
		model.CapabilityCompletion, model.CapabilityTools, model.CapabilityThinking,
	}})
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		switch {
		case strings.Contains(string(r.Format), "enum"):
			return say(`{"tool": "core_memory_append"}`)
		case len(r.Format) > 0:
			return say(appendComet)
		case r.Messages[len(r.Messages)-1].Role == "tool":
			return say("Noted.")
		}
		return enginetest.Reply{Status: 500, Error: "failed to parse JSON: unexpected end of JSON input"}
	})
	w.send("My bicycle is called Comet")
	contains(t, "block", w.block("human").Value, "Comet")
	if len(w.forms()) != 2 {
		t.Fatalf("%d forms", len(w.forms()))
	}
	for _, r := range w.fake.Chats() {
		if thinks := r.Think != nil && r.Think.Bool(); thinks != (len(r.Format) > 0) {
			t.Errorf("format %s, think %v", r.Format, r.Think)
		}
	}
}

// An answer that the engine ended without a word and without saying that it was done is asked for once more, otherwise.
func TestEmptyStreamIsAskedAgainWithAnotherSeed(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(enginetest.Reply{Fault: enginetest.EOF}, say("Here I am."))
	if m := w.send("hello"); m.Content != "Here I am." || m.Status != memory.StatusComplete {
		t.Errorf("%+v %+v", m, m.Problem)
	}
	if chats := w.fake.Chats(); len(chats) != 2 || chats[0].Options["seed"] == chats[1].Options["seed"] {
		t.Errorf("asked %d times", len(chats))
	}
}

// Templates that print the tools beside the last user message would not show them after a tool result.
func TestModelIsRemindedOfItsToolsAfterAResult(t *testing.T) {
	w := newWorld(t, "last")
	w.fake.AddModel(enginetest.Model{
		Name: "last", Context: 32768, Capabilities: []model.Capability{model.CapabilityCompletion, model.CapabilityTools},
		Template: `{{ range $i, $m := .Messages }}{{ $last := eq (len (slice $.Messages $i)) 1 }}{{ if and (eq .Role "user") $last $.Tools }}{{ $.Tools }}{{ end }}<{{ .Role }}>{{ .Content }}{{ range .ToolCalls }}{{ .Function.Name }}{{ end }}{{ end }}`,
	})
	p, err := w.engine.Profile(w.ctx(), "last")
	w.must(err)
	if !p.ToolsLastUser {
		t.Fatalf("profile %+v", p)
	}
	w.scripts(call("core_memory_append", appendComet), say("Noted."))
	if m := w.send("My bicycle is called Comet"); m.Content != "Noted." {
		t.Errorf("%+v", m)
	}
	sent := w.fake.Chats()[1].Messages
	if last := sent[len(sent)-1]; last.Role != "user" || sent[len(sent)-2].Role != "tool" || !strings.Contains(last.Content, "another tool") {
		t.Errorf("sent %+v", sent)
	}
	for _, m := range w.path() { // it is told to the model alone
		if m.Role == memory.RoleUser && strings.Contains(m.Content, "another tool") {
			t.Error("the reminder is in the conversation")
		}
	}
}
