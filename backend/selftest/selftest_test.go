package selftest

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/tokens"
)

// scripted is an engine that answers at once, or, where a prompt holds slow, not at all.
type scripted struct {
	slow   string
	answer string
}

func (s scripted) Chat(ctx context.Context, r engine.ChatRequest, chunk func(engine.Chunk) error) (engine.ChatResult, error) {
	last := r.Messages[len(r.Messages)-1].Content
	if s.slow != "" && strings.Contains(last, s.slow) {
		<-ctx.Done()
		return engine.ChatResult{}, context.Cause(ctx)
	}
	var err error
	if chunk != nil {
		err = chunk(engine.Chunk{Content: s.answer})
	}
	return engine.ChatResult{Message: engine.Message{Role: "assistant", Content: s.answer}, End: memory.EndStop}, err
}

func (scripted) Ready(context.Context) error                    { return nil }
func (scripted) Hold() func()                                   { return func() {} }
func (scripted) Models(context.Context) ([]engine.Model, error) { return []engine.Model{model}, nil }

func (scripted) Profile(context.Context, string) (engine.Profile, error) {
	return engine.Profile{Model: model, MaxContext: 8192}, nil
}

func (scripted) Warm(context.Context, engine.ChatRequest) (memory.Usage, error) {
	return memory.Usage{}, nil
}
func (scripted) PromptSpeed(string) float64 { return 0 }
func (scripted) SideCache(string) bool      { return false }
func (scripted) Embed(_ context.Context, r engine.EmbedRequest) ([][]float32, error) {
	return slices.Repeat([][]float32{{1, 0}}, len(r.Texts)), nil
}

func (scripted) Vocabulary(context.Context, string) (map[string]any, error) {
	return nil, memory.Errorf(memory.EUNSUPPORTED, "read the vocabulary", "it has none")
}

var model = engine.Model{Name: "toy", Chat: true, Context: 8192}

// run tries the model and returns the results by task, and what was told meanwhile.
func run(t *testing.T, e scripted, language string) (map[string]Result, []Progress) {
	t.Helper()
	var told []Progress
	results, err := Run(t.Context(), Deps{
		Engine: e, Counters: tokens.New(e), Embedder: "embedder", Language: language, Progress: func(p Progress) { told = append(told, p) },
	}, model.Name)
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]Result{}
	for _, r := range results {
		by[r.Task] = r
	}
	if len(by) != len(tasks) {
		t.Fatalf("%+v", results)
	}
	return by, told
}

// A model that is of no use is told from one that works, and nothing fails where a rule stands in.
func TestAModelThatOnlyTalks(t *testing.T) {
	by, told := run(t, scripted{answer: "The gate has the code 7431."}, "en")
	for task, want := range map[string]Outcome{
		"answer": Works, "chinese": FallsBack, "remember": FallsBack, "note": FallsBack, "recall": Works,
		"summary": FallsBack, "judge": FallsBack, "json": FallsBack, "embedding": Works,
	} {
		if by[task].Outcome != want {
			t.Errorf("%s: %+v, want %s", task, by[task], want)
		}
	}
	for i, p := range told {
		if last := i == len(tasks); len(p.Results) != i || p.Total != len(tasks) || last != (p.Task == "") || last != (p.Limit == 0) {
			t.Errorf("told as number %d: %+v", i, p)
		}
	}
	if len(told) != len(tasks)+1 {
		t.Errorf("told %d times", len(told))
	}
}

// A task that comes to no end is given up at its limit, and those behind it are tried all the same.
func TestATaskThatTakesTooLong(t *testing.T) {
	for language, c := range map[string]struct{ slow, said string }{
		"en": {"capital of France", "took longer than 180 s"}, "zh": {"月亮", "超过了 180 秒"},
	} {
		synctest.Test(t, func(t *testing.T) {
			by, _ := run(t, scripted{slow: c.slow, answer: "7431"}, language)
			slow, want := by["answer"], Failed
			if language == "zh" {
				slow, want = by["chinese"], FallsBack
			}
			if slow.Outcome != want || slow.Detail != c.said || slow.Millis < (3*time.Minute).Milliseconds() || slow.Millis > (4*time.Minute).Milliseconds() {
				t.Errorf("%+v", slow)
			}
			if by["recall"].Outcome != Works || by["embedding"].Outcome != Works {
				t.Errorf("%+v", by)
			}
		})
	}
}
