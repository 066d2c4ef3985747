package agent_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/memory"
	"recollect/backend/tokens"
)

// short counts less than the engine does, which then finds prompts too long.
type short struct{ agent.Counters }

func (s short) For(ctx context.Context, model string) tokens.Counter {
	return shortCounter{s.Counters.For(ctx, model)}
}

type shortCounter struct{ tokens.Counter }

func (c shortCounter) Count(text string) int { return (c.Counter.Count(text) + 2) / 3 }

func (shortCounter) Overhead() tokens.Overhead { return tokens.Overhead{} }

// scribe says a summary where a schema constrains it, and goes on with the chat elsewhere.
var scribe = scripted.Script{On: scripted.Constrained, Reply: []string{
	`{"goals": ["Go to the market with Ada"], "decisions": [], "facts": ["Ada paid 100 euros for apples"], "open": [], "preferences": []}`,
}}

// A real engine constrains a summary to its schema, reads the new window while idle, and has it in its cache with the next
// message.
func TestRealEngineSumsUp(t *testing.T) {
	w := newScripted(t, scripted.Gemma3, scribe)
	w.send("Hello there.")
	w.talk(60)
	w.send("What did we say?")
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
	w.must(err)
	w.must(w.service.Rest(w.ctx()))
	if c = w.compaction(c.ID); c.State != memory.CompactionDone || c.Attempts != c.Summed || !strings.Contains(c.Now.Summary, "Go to the market with Ada") {
		t.Fatalf("%+v %+v", c, c.Problem)
	}
	if c.RebaseMs == 0 || c.TokensAfter >= c.TokensBefore/2 {
		t.Errorf("the rebase took %d ms; %d tokens after %d", c.RebaseMs, c.TokensAfter, c.TokensBefore)
	}
	m := w.send("And then?")
	if m.Usage == nil || m.Usage.CachedTokens < m.Usage.PromptTokens*6/10 {
		t.Errorf("after a rebase that was warmed: %+v", m.Usage)
	}
	w.conserved()
}

// Where the engine finds a prompt too long that we think fits, room is made and it is sent again.
func TestRealEngineFindsAPromptTooLong(t *testing.T) {
	w := newScripted(t, scripted.Gemma3)
	w.set["window"] = 4096
	w.replace(func(d *agent.Deps) { d.Counters = short{d.Counters} })
	w.talk(200)
	m := w.send("And now?")
	if m.Status != memory.StatusComplete || m.Content != scripted.Noted {
		t.Fatalf("%+v %+v", m, m.Problem)
	}
	list := w.compactions()
	if len(list) == 0 || list[0].Trigger != memory.TriggerOverflow || m.Usage.Truncated {
		t.Errorf("%+v", list)
	}
	w.conserved()
}

// A model that cannot sum up costs nothing but the attempt: what matters stays word for word, and all of it can be found.
func TestStarterModelCompacts(t *testing.T) {
	w := newStarterWorld(t, map[string]any{"num_predict": 40}) // a busy machine has less to do
	w.send("My locker has the number 4711, remember that.")
	for i := range 3 {
		w.talk(8)
		w.send(fmt.Sprintf("Thank you, that was part %d.", i))
	}
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
	w.must(err)
	w.must(w.service.Rest(w.ctx()))
	if c = w.compaction(c.ID); c.State != memory.CompactionDone && c.State != memory.CompactionFailed {
		t.Fatalf("%+v", c)
	}
	t.Logf("%s, %d of %d attempts of use: %q, answer %q", c.State, c.Summed, c.Attempts, c.Now.Summary, c.Output)
	p, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategyPriority, Target: .3})
	if memory.CodeOf(err) != "" && memory.CodeOf(err) != memory.ECONFLICT {
		t.Fatal(err)
	}
	if m := w.send("What is the number of my locker?"); m.Status != memory.StatusComplete {
		t.Errorf("%+v %+v", m, m.Problem)
	}
	body, err := w.store.Prompt(w.ctx(), w.answer().ID)
	w.must(err)
	contains(t, "prompt", string(body), "4711")
	w.conserved()
	t.Logf("%d messages left, %d kept", len(p.Evicted), len(w.prefix().Kept))
}
