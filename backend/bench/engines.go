package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/tokens"
)

// raise starts an engine of our own, apart from any that runs, with empty folders. The function it returns ends it.
func raise(ctx context.Context, o Options) (*engine.Engine, func(), error) {
	if o.Engine == "" {
		return nil, nil, missing{"an engine: Ollama beside this program (make engine) or in PATH"}
	}
	home, err := os.MkdirTemp(o.Dir, "engine-*")
	if err != nil {
		return nil, nil, fmt.Errorf("make a folder for the engine: %w", err)
	}
	e := engine.New(engine.Options{
		Home: home, Default: "-", Bundled: []string{o.Engine}, Parallel: 2, Guard: []string{o.Binary, engine.GuardCommand},
		Env: func(string) string { return "" }, // neither a running engine nor another binary
	})
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = e.Run(ctx) // its state says what is wrong
	}()
	stop := func() {
		cancel()
		<-ended
	}
	wait, done := context.WithTimeout(ctx, time.Minute)
	defer done()
	for {
		err := e.Ready(wait)
		if err == nil {
			return e, stop, nil
		}
		if e.Status().State != engine.StateMissing || wait.Err() != nil {
			stop()
			return nil, nil, fmt.Errorf("start the engine: %w", err)
		}
	}
}

// starter raises an engine with the small chat model that comes with the app.
func starter(ctx context.Context, o Options) (*engine.Engine, func(), error) {
	if o.Models == "" {
		return nil, nil, missing{"the starter models beside this program (make models)"}
	}
	raw, err := os.ReadFile(o.Models)
	if err != nil {
		return nil, nil, fmt.Errorf("read the list of starter models: %w", err)
	}
	var list []struct{ Name, File, Kind string }
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, nil, fmt.Errorf("read the list of starter models: %w", err)
	}
	for _, m := range list {
		if m.Kind != "chat" {
			continue
		}
		e, stop, err := raise(ctx, o)
		if err != nil {
			return nil, nil, err
		}
		o.note("importing %s", m.Name)
		path := filepath.Join(filepath.Dir(o.Models), m.File)
		if err := e.Import(ctx, path, engine.StarterChat, engine.ImportOptions{}, func(engine.PullProgress) {}); err != nil {
			stop()
			return nil, nil, err
		}
		return e, stop, nil
	}
	return nil, nil, missing{"a chat model among the starter models"}
}

const starterWindow = 8192

// request asks the starter model, with an answer of so many tokens.
func request(predict int, messages ...engine.Message) engine.ChatRequest {
	zero, seed := 0.0, 1
	return engine.ChatRequest{Model: engine.StarterChat, Messages: messages, NumCtx: starterWindow, NumPredict: predict, Temperature: &zero, Seed: &seed}
}

// speech is English of about n tokens that begins with salt, so that no cache knows it.
func speech(c tokens.Counter, salt string, n int) string {
	var b strings.Builder
	b.WriteString(salt)
	line := " In the year %d the people of the valley built a bridge over the river, and in the winter that followed nobody crossed it."
	each := c.Count(fmt.Sprintf(line, 1900))
	for i := range n / each {
		fmt.Fprintf(&b, line, 1000+i)
	}
	return b.String()
}

// stages measures what reading a long prompt in stages costs, and what it saves after a stop.
func stages(ctx context.Context, o Options) ([]Result, error) {
	e, end, err := starter(ctx, o)
	if err != nil {
		return nil, err
	}
	defer end()
	size, rounds := 6_000, 2
	if o.Quick {
		size, rounds = 2_000, 1
	}
	count := tokens.New(e).For(ctx, engine.StarterChat)
	long := func(salt string) engine.ChatRequest {
		r := request(1, engine.Message{Role: "user", Content: speech(count, salt, size)})
		r.PromptTokens = count.Count(r.Messages[0].Content)
		return r
	}
	// The first prompts load the model and measure its speed, as the first turns do.
	for _, salt := range []string{"One.", "Two."} {
		r := request(1, engine.Message{Role: "user", Content: speech(count, salt, 600)})
		if _, err := e.Chat(ctx, r, nil); err != nil {
			return nil, err
		}
	}
	var staged, whole []float64
	pieces := 0
	for i := range rounds {
		for _, noStages := range []bool{i%2 == 0, i%2 != 0} {
			r := long(fmt.Sprintf("Round %d, %v.", i, noStages))
			r.NoStages = noStages
			var result engine.ChatResult
			ms, err := timed(func() (err error) { result, err = e.Chat(ctx, r, nil); return err })
			if err != nil {
				return nil, err
			}
			o.note("%d tokens in %d pieces: %.1f s", result.Usage.PromptTokens, result.Stages, ms/1000)
			if noStages {
				whole = append(whole, ms/1000)
			} else {
				staged, pieces = append(staged, ms/1000), result.Stages
			}
		}
	}
	if pieces < 3 {
		return nil, fmt.Errorf("the prompt was read in %d pieces, which measures nothing", pieces)
	}
	ratio := mean(staged) / mean(whole)
	cost := lower(fmt.Sprintf("staged prompt of %d tokens, against one piece in seconds", size), ratio, "× its time", 1.15).against(mean(whole))
	cost.Ratio = &ratio

	ours, stage, err := afterStop(ctx, e, long("A stop."))
	if err != nil {
		return []Result{cost}, err
	}
	r := long("Another stop.")
	r.NoStages = true
	theirs, _, err := afterStop(ctx, e, r)
	if err != nil {
		return []Result{cost}, err
	}
	o.note("a stage takes %.2f s; after a stop the first token came after %.2f s, unstaged after %.2f s", stage, ours, theirs)
	name := fmt.Sprintf("short question after a stop in a prompt of %d tokens: first token, against unstaged", size)
	return []Result{cost, lower(name, ours/stage, "stages' time", 2).against(theirs / stage)}, nil
}

// afterStop stops a prompt after a while and returns the seconds until the first token of a short question, and how long
// a stage took before.
func afterStop(ctx context.Context, e *engine.Engine, r engine.ChatRequest) (wait, stage float64, err error) {
	const stopAfter = 4 * time.Second
	reading, stop := context.WithCancel(ctx)
	defer stop()
	var at []time.Time // when pieces had been read; written by the turn until it ends
	read := 0
	r.Progress = func(p engine.Progress) {
		if p.Phase == engine.PhaseReading && (p.Read > read || len(at) == 0) {
			at, read = append(at, time.Now()), p.Read
		}
	}
	stopped := make(chan error, 1)
	go func() {
		_, err := e.Chat(reading, r, nil)
		stopped <- err
	}()
	select {
	case <-time.After(stopAfter):
	case err := <-stopped:
		return 0, 0, errors.Join(errors.New("the prompt was read before it could be stopped"), err)
	}
	stop()
	began := time.Now()
	if err := <-stopped; memory.CodeOf(err) != memory.ECANCELLED {
		return 0, 0, fmt.Errorf("a stopped prompt ended with: %w", err)
	}
	var first time.Duration
	question := request(4, engine.Message{Role: "user", Content: "What is the capital of France?"})
	_, err = e.Chat(ctx, question, func(engine.Chunk) error {
		if first == 0 {
			first = time.Since(began)
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	if n := len(at); n > 1 {
		stage = at[n-1].Sub(at[0]).Seconds() / float64(n-1)
	}
	return first.Seconds(), stage, nil
}

// sideTask measures how much of a chat's prompt must be read again after a side task.
func sideTask(ctx context.Context, o Options) ([]Result, error) {
	e, end, err := starter(ctx, o)
	if err != nil {
		return nil, err
	}
	defer end()
	count := tokens.New(e).For(ctx, engine.StarterChat)
	size, rounds := 2_000, 4
	if o.Quick {
		size, rounds = 600, 2
	}
	chat := []engine.Message{
		{Role: "system", Content: "You are a friendly companion."},
		{Role: "user", Content: speech(count, "The story so far.", size)},
	}
	before, worst := 0, 0.0
	for i := range rounds {
		result, err := e.Chat(ctx, request(12, chat...), nil)
		if err != nil {
			return nil, err
		}
		u := result.Usage
		if u.CachedTokens < 0 {
			return nil, errors.New("the engine does not say what it had in its cache")
		}
		if i > 0 {
			again := 100 * float64(max(before-u.CachedTokens, 0)) / float64(before)
			o.note("%d tokens, of the %d before %d from the cache", u.PromptTokens, before, min(u.CachedTokens, before))
			worst = max(worst, again)
		}
		before = u.PromptTokens
		chat = append(chat, result.Message, engine.Message{Role: "user", Content: fmt.Sprintf("And what happened in the year %d?", 1500+i)})
		side := request(12,
			engine.Message{Role: "system", Content: "You write one line about a text."},
			engine.Message{Role: "user", Content: speech(count, fmt.Sprintf("Side task %d.", i), size/4)})
		side.Priority = engine.PriorityBackground
		if _, err := e.Chat(ctx, side, nil); err != nil {
			return nil, err
		}
	}
	return []Result{lower(fmt.Sprintf("read again of a chat of %d tokens after a side task, at most", size), worst, "% of its prompt", 5)}, nil
}

func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
