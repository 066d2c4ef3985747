package agent_test

import (
	"testing"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// called returns how many calls of a model of a kind were noted.
func (w *world) called(kind memory.CallKind) int {
	w.Helper()
	calls, _, err := w.store.ModelCalls(w.ctx(), store.UsageFilter{Kind: kind})
	w.must(err)
	for _, c := range calls {
		if c.PromptTokens <= 0 || c.Model == "" || c.AgentID != w.agent.ID {
			w.Errorf("%+v", c)
		}
	}
	return len(calls)
}

// A try that came to nothing was a call of the model too.
func TestTriesAreCounted(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.scripts(say(""), say("There."))
	if m := w.send("Hello"); m.Content != "There." {
		t.Fatalf("%+v", m)
	}
	if answers, tries := w.called(memory.CallAnswer), w.called(memory.CallRetry); answers != 1 || tries != 1 {
		t.Errorf("%d answers, %d tries", answers, tries)
	}
}
