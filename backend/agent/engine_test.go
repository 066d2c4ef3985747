package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/memory"
)

// newScripted is a world with a real Ollama and a scripted model of the architecture.
func newScripted(t *testing.T, arch string, extra ...scripted.Script) *world {
	t.Helper()
	address := enginetest.StartEngine(t)
	if err := scripted.Install(t.Context(), address, "scripted", arch, extra...); err != nil {
		t.Fatal(err)
	}
	w := newWorldAt(t, "http://"+address, "scripted")
	w.set["window"] = 16384
	w.must(w.engine.Ready(w.ctx()))
	return w
}

func TestRealEngineRunsTools(t *testing.T) {
	w := newScripted(t, scripted.Llama)
	m := w.send("I like tea <c:core_memory_append>")
	if m.Content != scripted.Done || m.Status != memory.StatusComplete || w.block("human").Value != "Likes tea." {
		t.Errorf("answer %+v, block %q", m, w.block("human").Value)
	}
	m = w.send("coffee rather <c:core_memory_replace>")
	if m.Content != scripted.Done || w.block("human").Value != "Likes coffee." {
		t.Errorf("answer %+v, block %q", m, w.block("human").Value)
	}
	m = w.send("keep that <c:archival_memory_insert>")
	if ps := w.passages(); m.Content != scripted.Done || len(ps) != 1 || ps[0].Origin != m.TurnID {
		t.Errorf("answer %+v, passages %+v", m, ps)
	}
	m = w.send("look it up <c:steps>")
	if m.Content != scripted.Done || strings.Count(w.script(), "tool: ") != 6 {
		t.Errorf("answer %+v\n%s", m, w.script())
	}
	m = w.send("into a wrong block <c:badlabel>")
	if m.Content != scripted.Done || !strings.Contains(w.block("human").Value, "Likes tea, really.") {
		t.Errorf("answer %+v, block %q", m, w.block("human").Value)
	}
	m = w.send("for ever <c:again>")
	if m.Status != memory.StatusComplete || m.Content == "" || len(m.ToolCalls) > 0 {
		t.Errorf("answer %+v\n%s", m, w.script())
	}
	// what is sent next begins with what the engine has read already
	m = w.send("and now? <c:hello>")
	if m.Usage == nil || m.Usage.CachedTokens < m.Usage.PromptTokens*8/10 {
		t.Errorf("usage %+v", m.Usage)
	}
}

func TestRealEngineRepairs(t *testing.T) {
	for _, arch := range []string{scripted.Llama, scripted.Qwen3} {
		t.Run(arch, func(t *testing.T) {
			w := newScripted(t, arch)
			for _, trigger := range []string{"<c:malformed>", "<c:unknown>", "<c:truncated>", "<c:raw>", "<c:prose>", "<c:empty>", "<c:loop>"} {
				m := w.send("what comes of this? " + trigger)
				if m.Status != memory.StatusComplete && m.Problem == nil {
					t.Errorf("%s: %+v", trigger, m)
				}
				if strings.Contains(m.Content, "<tool_call>") {
					t.Errorf("%s: the answer is %q", trigger, m.Content)
				}
				t.Logf("%s: %s %q %+v", trigger, m.Status, m.Content, m.Problem)
			}
			if m := w.send("still there? <c:hello>"); m.Content != "Hello there. How can I help?" {
				t.Errorf("%+v %+v", m, m.Problem)
			}
		})
	}
}

func TestRealEngineStopsAndGoesOn(t *testing.T) {
	w := newScripted(t, scripted.Gemma3)
	w.post("count, please <c:count>")
	w.await("some text", func() bool { return len(w.eventsOf("message.delta")) > 2 })
	w.service.Stop(w.conv.ID)
	m := w.answer()
	if m.Status != memory.StatusStopped || !strings.HasPrefix(m.Content, "one, two, ") {
		t.Fatalf("%+v", m)
	}
	before := m.Content
	_, err := w.service.Continue(w.ctx(), m.ID)
	w.must(err)
	if m = w.answer(); m.Content != before+scripted.Noted || m.Status != memory.StatusComplete {
		t.Errorf("%+v", m)
	}
	if m = w.send("remember that my bicycle is called Comet. Is it fast?"); m.Content != "Remembered: “my bicycle is called Comet”.\n\n"+scripted.Noted {
		t.Errorf("answer %q", m.Content)
	}
	body, err := w.store.Prompt(w.ctx(), m.ID)
	w.must(err)
	var sent struct{ Messages []engine.Message }
	w.must(json.Unmarshal(body, &sent))
	contains(t, "prompt", sent.Messages[len(sent.Messages)-1].Content, `<memory_update label="human">`, "my bicycle is called Comet")
}
