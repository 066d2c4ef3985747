package bench

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"recollect/backend/memory"
	"recollect/backend/monitor"
	"recollect/backend/store"
)

// usageBar is how long the history of what a hundred thousand turns took may take to tell, in milliseconds.
const usageBar = 50

// usage measures how fast the monitor answers after years of talk: the whole report with its percentiles and days, that of
// one agent, and the newest turns.
func usage(ctx context.Context, o Options) ([]Result, error) {
	turns, rounds := 100_000, 20
	if o.Quick {
		turns = 10_000
	}
	st, err := openStore(ctx, filepath.Join(o.Dir, "usage"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = st.Close() }()
	a, err := defaultAgent(ctx, st)
	if err != nil {
		return nil, err
	}
	o.note("storing %d turns", turns)
	if err := spend(ctx, st, a.ID, turns); err != nil {
		return nil, err
	}
	report := func(f store.UsageFilter) error {
		r, err := monitor.Report(ctx, st, f, monitor.BucketDay, time.Local)
		if err == nil && r.Turns.Count != turns {
			err = fmt.Errorf("the report has %d of %d turns", r.Turns.Count, turns)
		}
		return err
	}
	var results []Result
	newest := func() error {
		calls, _, err := st.ModelCalls(ctx, store.UsageFilter{Limit: 50})
		if err == nil && len(calls) != 50 {
			err = fmt.Errorf("there are %d newest turns", len(calls))
		}
		return err
	}
	for _, m := range []struct {
		name string
		run  func() error
	}{
		{fmt.Sprintf("usage of %d turns, by day", turns), func() error { return report(store.UsageFilter{}) }},
		{fmt.Sprintf("usage of an agent, %d turns", turns), func() error { return report(store.UsageFilter{AgentID: a.ID}) }},
		{fmt.Sprintf("newest 50 of %d turns", turns), newest},
	} {
		var times []float64
		for range rounds {
			ms, err := timed(m.run)
			if err != nil {
				return nil, err
			}
			times = append(times, ms)
		}
		results = append(results, lower(m.name+", p90", percentile(times, 90), "ms", usageBar))
	}
	return results, nil
}

// spend stores turns in conversations of fifty, two minutes apart, four hours a day.
func spend(ctx context.Context, st *store.Store, agentID string, turns int) error {
	const talked, daily = 50, 120
	began := time.Now().AddDate(0, 0, -turns/daily-1)
	for done := 0; done < turns; done += batch {
		ms := make([]memory.Message, 0, batch)
		conversation := ""
		for i := done; i < min(done+batch, turns); i++ {
			if i%talked == 0 {
				c, err := st.CreateConversation(ctx, memory.Conversation{AgentID: agentID})
				if err != nil {
					return err
				}
				conversation = c.ID
			}
			ms = append(ms, memory.Message{
				ConversationID: conversation, Role: memory.RoleAssistant, Model: fmt.Sprintf("model-%d", i*3/turns),
				CreatedAt: began.AddDate(0, 0, i/daily).Add(time.Duration(i%daily) * 2 * time.Minute),
				Usage: &memory.Usage{
					PromptTokens: 500 + i*7919%7000, CachedTokens: 400, OutputTokens: 50 + i%400, PromptMs: 100, OutputMs: int64(1000 + i%5000),
					FirstTokenMs: int64(100 + i*7919%3000),
				},
			})
		}
		if _, err := st.AddMessages(ctx, ms); err != nil {
			return err
		}
	}
	return nil
}
