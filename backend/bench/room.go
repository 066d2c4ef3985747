package bench

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/backend/compaction"
	"recollect/backend/memory"
	"recollect/backend/tokens"
	"recollect/backend/window"
)

const (
	roomMessages = 10_000
	roomRounds   = 20
)

// room measures what a turn spends on the plan of its request, and on the choice of what stays in a full window. No model is
// asked for either.
func room(_ context.Context, o Options) ([]Result, error) {
	n := roomMessages
	if o.Quick {
		n = 1_000
	}
	in := window.Input{
		System: "You remember what people tell you.", Now: time.Now(), Language: "en", Model: "m", Window: 65536, Counter: tokens.Estimator(),
	}
	for i := range memory.MaxBlocksPerAgent {
		in.Blocks = append(in.Blocks, memory.Block{Label: fmt.Sprint("block ", i), Value: strings.Repeat("A fact about the user. ", 10)})
	}
	for i := range n {
		m := memory.Message{ID: fmt.Sprintf("message-%06d", i), Role: memory.RoleUser, Content: said(i, false)}
		if i%2 == 1 {
			m.Role, m.Content = memory.RoleAssistant, strings.Repeat("It was better than last year. ", 1+i%9)
		}
		in.Path = append(in.Path, m)
	}
	in.Path = append(in.Path, memory.Message{ID: "message-999999", Role: memory.RoleUser, Content: "And now?"})
	first, err := window.Assemble(in) // fills the window, and the cache of counts
	if err != nil {
		return nil, err
	}
	in.Prefix = &first.Prefix
	var results []Result
	measured := func(name string, bar float64, f func() error) error {
		if err := f(); err != nil { // what is counted the first time is counted once
			return err
		}
		var took []float64
		for range roomRounds {
			ms, err := timed(f)
			if err != nil {
				return err
			}
			took = append(took, ms)
		}
		results = append(results, lower(name, percentile(took, 50), "ms", bar))
		return nil
	}
	if err := measured(fmt.Sprintf("plan of a request, %d messages, %d blocks, median", n, len(in.Blocks)), 5, func() error {
		r, err := window.Assemble(in)
		if err == nil && (r.Plan.Messages == 0 || r.Plan.Prompt > r.Plan.Usable || r.Prefix.First == "") {
			err = fmt.Errorf("the plan is not one of a full window: %d messages, %d of %d tokens", r.Plan.Messages, r.Plan.Prompt, r.Plan.Usable)
		}
		return err
	}); err != nil {
		return nil, err
	}
	for _, s := range []memory.Strategy{memory.StrategySliding, memory.StrategyPriority} {
		if err := measured(fmt.Sprintf("what stays of %d messages, %s, median", n, strings.ReplaceAll(string(s), "_", " ")), 50, func() error {
			keep := compaction.Choose(s, compaction.Chat{
				Path: in.Path, Newest: n, Room: 20_000, Cost: func(i int) int { return in.Counter.Count(in.Path[i].Content) + 6 },
			})
			if !slices.Contains(keep, true) || !slices.Contains(keep, false) {
				return errors.New("the choice is none: all stay, or all leave")
			}
			return nil
		}); err != nil {
			return nil, err
		}
	}
	return results, nil
}
