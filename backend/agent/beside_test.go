package agent_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/engine"
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

// counting counts the calls of models that an engine has answered, as far as it measured them.
type counting struct {
	agent.Engine
	calls atomic.Int32
}

func (c *counting) Chat(ctx context.Context, r engine.ChatRequest, chunk func(engine.Chunk) error) (engine.ChatResult, error) {
	res, err := c.Engine.Chat(ctx, r, chunk)
	return res, c.count(res.Usage, err)
}

func (c *counting) Warm(ctx context.Context, r engine.ChatRequest) (memory.Usage, error) {
	u, err := c.Engine.Warm(ctx, r)
	return u, c.count(u, err)
}

func (c *counting) count(u memory.Usage, err error) error {
	if u.PromptTokens > 0 {
		c.calls.Add(1)
	}
	return err
}

// Whatever a model is called for leaves a row with its kind, also the reading of a prompt in advance behind a rebase.
func TestEachCallOfAModelIsNoted(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	count := &counting{Engine: w.deps.Engine}
	w.replace(func(d *agent.Deps) { d.Engine = count })
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if asksForSummary(r) {
			return say(minutes)
		}
		return say("All right.")
	})
	w.talk(30)
	w.send("And now?")
	_, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
	w.must(err)
	w.must(w.service.Rest(w.ctx()))
	if warmed, summed := w.called(memory.CallWarm), w.called(memory.CallSummary); warmed != 1 || summed != 1 {
		t.Errorf("%d readings in advance and %d summaries are noted", warmed, summed)
	}
	if noted := w.called(""); noted != int(count.calls.Load()) {
		t.Errorf("%d calls are noted, there were %d", noted, count.calls.Load())
	}
}
