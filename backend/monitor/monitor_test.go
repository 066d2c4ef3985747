package monitor_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
	"recollect/backend/monitor"
	"recollect/backend/store"
)

// life is a store with an agent that has talked.
type life struct {
	*store.Store
	t     *testing.T
	now   time.Time
	agent memory.Agent
}

func newLife(t *testing.T) *life {
	t.Helper()
	l := &life{t: t, now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)}
	s, err := store.Open(t.Context(), t.TempDir()+"/recollect.db", store.Options{Clock: func() time.Time { return l.now }})
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	l.Store = s
	l.agent, err = s.CreateAgent(t.Context(), memory.Agent{Name: "Ada"}, memory.Cause{Actor: memory.ActorUser})
	must(t, err)
	return l
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (l *life) conversation() string {
	l.t.Helper()
	c, err := l.CreateConversation(l.t.Context(), memory.Conversation{AgentID: l.agent.ID})
	must(l.t, err)
	return c.ID
}

// answer stores an answer of one model call.
func (l *life) answer(conversation, model string, u memory.Usage) {
	l.t.Helper()
	q, err := l.AddMessage(l.t.Context(), memory.Message{ConversationID: conversation, Role: memory.RoleUser, Content: "Hello"})
	must(l.t, err)
	_, err = l.AddMessage(l.t.Context(), memory.Message{
		ConversationID: conversation, ParentID: q.ID, TurnID: q.ID, Role: memory.RoleAssistant, Content: "Hi", Model: model, Usage: &u,
	})
	must(l.t, err)
}

func (l *life) report(f store.UsageFilter, size monitor.BucketSize, zone *time.Location) monitor.UsageReport {
	l.t.Helper()
	r, err := monitor.Report(l.t.Context(), l, f, size, zone)
	must(l.t, err)
	return r
}

func TestReportOfNothing(t *testing.T) {
	l := newLife(t)
	if r := l.report(store.UsageFilter{}, "", time.UTC); !r.From.IsZero() || r.Total.Calls != 0 || len(r.Series) != 0 {
		t.Errorf("%+v", r)
	}
}

func TestPercentilesAreThoseOfTheNumbers(t *testing.T) {
	l := newLife(t)
	for c := range 10 {
		id := l.conversation()
		for i := range 10 {
			n := c*10 + i + 1 // 1 to 100
			l.answer(id, fmt.Sprintf("model-%d", c%2), memory.Usage{PromptTokens: n * 100, CachedTokens: n * 50, OutputTokens: 10, OutputMs: 500, FirstTokenMs: int64(n), PromptMs: 100})
			l.now = l.now.Add(time.Hour)
		}
	}
	r := l.report(store.UsageFilter{}, monitor.BucketDay, time.UTC)
	if want := (monitor.Distribution{Count: 100, Mean: 5050, P50: 5000, P75: 7500, P90: 9000, P99: 9900, Max: 10000}); r.Requests != want {
		t.Errorf("requests: %+v, want %+v", r.Requests, want)
	}
	if r.Turns.Max != 10010 || r.Turns.Count != 100 || r.FirstToken.P90 != 90 || r.Conversations.Count != 10 || r.Conversations.Max != 95600 || r.Windows.P50 != 5000 {
		t.Errorf("turns %+v, first token %+v, conversations %+v, windows %+v", r.Turns, r.FirstToken, r.Conversations, r.Windows)
	}
	if r.Total.Calls != 100 || *r.Total.Reuse != .5 || r.Total.TokensPerSecond != 20 || r.Total.FirstTokenMs != 50.5 || r.Total.Largest != 10000 {
		t.Errorf("%+v", r.Total)
	}
	if len(r.Models) != 2 || r.Models[0].Total.Calls != 50 || r.Models[0].Requests.Count != 50 || r.Models[0].Requests.Max+r.Models[1].Requests.Max != 19000 {
		t.Errorf("models: %+v", r.Models)
	}
	calls := 0
	for i, s := range r.Series {
		calls += s.Total.Calls
		if i > 0 && !s.From.Equal(r.Series[i-1].To) {
			t.Errorf("there is a gap at %v", s.From)
		}
	}
	if calls != 100 || len(r.Series) != 5 {
		t.Errorf("%d calls in %d days", calls, len(r.Series))
	}
	if one := l.report(store.UsageFilter{Model: "model-1"}, "", time.UTC); one.Requests.Count != 50 || len(one.Models) != 1 || one.Bucket != monitor.BucketDay {
		t.Errorf("one model: %+v in %s", one.Requests, one.Bucket)
	}
	if before := l.report(store.UsageFilter{To: time.Date(2026, 11, 2, 12, 0, 0, 0, time.UTC)}, "", time.UTC); before.Total.Calls != 3 || before.Requests.Count != 3 || before.Bucket != monitor.BucketHour {
		t.Errorf("the first three hours: %+v", before)
	}
	if _, err := monitor.Report(t.Context(), l, store.UsageFilter{}, monitor.BucketHour, time.UTC); err != nil {
		t.Errorf("a hundred hours: %v", err)
	}
}

func TestDaysBeginAtMidnightOfThePlace(t *testing.T) {
	for name, want := range map[string][]string{
		"Europe/Berlin":    {"2026-10-24T10:00:00+02:00", "2026-10-25T00:00:00+02:00", "2026-10-26T00:00:00+01:00", "2026-10-27T00:00:00+01:00", "2026-10-27T09:00:00+01:00"},
		"Asia/Kolkata":     {"2026-10-24T13:30:00+05:30", "2026-10-25T00:00:00+05:30", "2026-10-26T00:00:00+05:30", "2026-10-27T00:00:00+05:30", "2026-10-27T13:30:00+05:30"},
		"America/New_York": {"2026-10-24T04:00:00-04:00", "2026-10-25T00:00:00-04:00", "2026-10-26T00:00:00-04:00", "2026-10-27T00:00:00-04:00", "2026-10-27T04:00:00-04:00"},
	} {
		zone, err := time.LoadLocation(name)
		must(t, err)
		from := time.Date(2026, 10, 24, 8, 0, 0, 0, time.UTC)
		bounds, err := monitor.Bounds(from.In(zone), from.Add(72*time.Hour).In(zone), monitor.BucketDay)
		must(t, err)
		var got []string
		for _, b := range bounds {
			got = append(got, b.In(zone).Format(time.RFC3339))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	weeks, err := monitor.Bounds(time.Date(2026, 11, 4, 8, 0, 0, 0, time.UTC), time.Date(2026, 11, 17, 8, 0, 0, 0, time.UTC), monitor.BucketWeek)
	must(t, err)
	if len(weeks) != 4 || weeks[1].Weekday() != time.Monday || weeks[1].Day() != 9 || weeks[2].Day() != 16 {
		t.Errorf("weeks: %v", weeks)
	}
	if _, err := monitor.Bounds(time.Unix(0, 0).UTC(), time.Unix(0, 0).UTC().AddDate(1, 0, 0), monitor.BucketHour); memory.CodeOf(err) != memory.EINVALID {
		t.Errorf("a year of hours: %v", err)
	}
}

func TestExportIsWholeAndSafe(t *testing.T) {
	l := newLife(t)
	id := l.conversation()
	for i := range 1203 {
		model := "small"
		if i == 0 {
			model = `=HYPERLINK("http://x","a, b")`
		}
		l.answer(id, model, memory.Usage{PromptTokens: 100 + i, CachedTokens: -1})
		l.now = l.now.Add(time.Minute)
	}
	var table, list bytes.Buffer
	must(t, monitor.ExportCSV(t.Context(), l, store.UsageFilter{}, &table))
	must(t, monitor.ExportJSON(t.Context(), l, store.UsageFilter{}, &list))
	rows, err := csv.NewReader(&table).ReadAll()
	must(t, err)
	var calls []memory.ModelCall
	must(t, json.Unmarshal(list.Bytes(), &calls))
	if len(rows) != 1204 || len(calls) != 1203 {
		t.Fatalf("%d rows, %d calls", len(rows), len(calls))
	}
	column := map[string]int{}
	for i, name := range rows[0] {
		column[name] = i
	}
	if rows[1][column["prompt_tokens"]] != "1302" || calls[0].PromptTokens != 1302 || rows[1][column["cached_tokens"]] != "-1" {
		t.Errorf("the newest is not first: %v", rows[1])
	}
	if got := rows[1203][column["model"]]; got != `'=HYPERLINK("http://x","a, b")` {
		t.Errorf("a spreadsheet would run %s", got)
	}
	list.Reset()
	must(t, monitor.ExportJSON(t.Context(), l, store.UsageFilter{Model: "none"}, &list))
	if err := json.Unmarshal(list.Bytes(), &calls); err != nil || len(calls) != 0 {
		t.Errorf("nothing: %q, %v", list.String(), err)
	}
}

func TestCheckupSaysWhatToDo(t *testing.T) {
	plan := func(system, messages int) memory.Plan {
		return memory.Plan{Window: 8192, Usable: 6000, Prompt: system + messages, Parts: []memory.Part{
			{Name: memory.PartSystem, Used: system}, {Name: memory.PartMessages, Used: messages}, {Name: memory.PartReserve, Used: 9000},
		}}
	}
	last := &memory.ModelCall{Usable: 6000, PromptTokens: 5500, OutputTokens: 100}
	for name, c := range map[string]struct {
		in       monitor.Inspected
		warning  bool
		needed   bool
		strategy memory.Strategy
		open     []monitor.TickName
	}{
		"short":                    {monitor.Inspected{Plan: plan(400, 1000), Turns: 5, Last: last, Threshold: .8}, false, false, memory.StrategySliding, nil},
		"short, over":              {monitor.Inspected{Plan: plan(400, 4600), Turns: 5, Last: last, Threshold: .8}, true, true, memory.StrategySliding, nil},
		"middling":                 {monitor.Inspected{Plan: plan(400, 4600), Turns: 50, Last: last, Threshold: .8}, true, true, memory.StrategySliding, nil},
		"long":                     {monitor.Inspected{Plan: plan(400, 4600), Turns: 101, Last: last, Threshold: .8}, true, true, memory.StrategyPriority, nil},
		"room is about to be made": {monitor.Inspected{Plan: plan(400, 2000), Turns: 30, Last: last, Threshold: .8, Due: true}, true, true, memory.StrategySliding, nil},
		"room, in a smaller window than before": {
			monitor.Inspected{
				Plan: plan(400, 2000), Turns: 30, Last: &memory.ModelCall{Usable: 24_000, PromptTokens: 15_000}, Threshold: .8, Due: true,
			}, false, true, memory.StrategySliding, nil,
		},
		"answered by rule": {monitor.Inspected{Plan: plan(400, 10), Turns: 1, Threshold: .8}, false, false, memory.StrategySliding, nil},
		"everything is wrong": {
			monitor.Inspected{Plan: plan(3000, 500), Turns: 3, Answered: true, Results: 900, Threshold: .8},
			false, false, memory.StrategySliding,
			[]monitor.TickName{monitor.TickResults, monitor.TickSystem, monitor.TickMonitor},
		},
		"nothing was said yet": {monitor.Inspected{Plan: plan(400, 10), Threshold: .8}, false, false, memory.StrategySliding, nil},
	} {
		got := monitor.Check(c.in)
		var open []monitor.TickName
		for _, tick := range got.Ticks {
			if !tick.OK {
				open = append(open, tick.Name)
			}
			if tick.OK != (tick.Remedy == "") {
				t.Errorf("%s: %+v", name, tick)
			}
		}
		if got.Warning != c.warning || got.Compaction.Needed != c.needed || got.Compaction.Strategy != c.strategy || fmt.Sprint(open) != fmt.Sprint(c.open) {
			t.Errorf("%s: %+v", name, got)
		}
	}
	in := monitor.Inspected{Plan: plan(3000, 500), Month: monitor.UsageTotals{Calls: 100, ReadPerSecond: 1000}}
	got := monitor.Check(in)
	if got.Largest != memory.PartSystem || got.Parts[0].Tokens != 3000 || len(got.Parts) != 2 {
		t.Errorf("the largest is %s of %+v", got.Largest, got.Parts)
	}
	if tick := got.Ticks[1]; tick.Tokens != 3000 || tick.Monthly != 300_000 || tick.Seconds != 3 {
		t.Errorf("what the instructions cost: %+v", tick)
	}
}

func TestCosts(t *testing.T) {
	c, err := monitor.CostOf(monitor.DefaultHabit(), .01, .03)
	must(t, err)
	if c != (monitor.Cost{MonthlyTokens: 15_000_000, MonthlyCost: 225, PerConversation: .075}) {
		t.Errorf("%+v", c)
	}
	for _, bad := range []float64{-1, math.NaN(), math.Inf(1), 1e9} {
		if _, err := monitor.CostOf(monitor.DefaultHabit(), bad, 0); memory.CodeOf(err) != memory.EINVALID {
			t.Errorf("%v dollars: %v", bad, err)
		}
	}
	for _, h := range []monitor.Habit{{}, {Daily: -1, Tokens: 5, Input: 1}, {Daily: 1, Tokens: 1}, {Daily: 1, Tokens: 1 << 40, Input: 1}, {Daily: 1, Tokens: 1, Input: math.NaN(), Output: 1}} {
		if _, err := monitor.CostOf(h, 1, 1); memory.CodeOf(err) != memory.EINVALID {
			t.Errorf("%+v: %v", h, err)
		}
	}
	table := monitor.DefaultCosts()
	must(t, table.Validate())
	r, err := monitor.Costs(table, false, monitor.DefaultHabit(), monitor.Spent{
		Days: 30, Calls: 10, Read: 1_000_000, Wrote: 100_000, ReadSpeed: 500, WriteSpeed: 10, Busy: 10 * time.Hour,
	})
	must(t, err)
	if len(r.Rows) != 6 || r.Rows[2].Model != "GPT-4-turbo" || r.Rows[2].Cost.MonthlyCost != 225 || !r.Rows[2].Fits || r.Rows[0].Fits || r.Rows[2].Last != 13 {
		t.Errorf("%+v", r.Rows)
	}
	// 3,750 tokens are read in 7.5 s, 1,250 written in 125 s: 132.5 s at 65 W
	if want := 132.5 / 3600 * .065 * .15; !r.Local.Measured || math.Abs(r.Local.Cost.PerConversation-want) > 1e-6 || math.Abs(r.Local.Last-.0975) > 1e-6 {
		t.Errorf("here: %+v, want %v", r.Local, want)
	}
	for name, change := range map[string]func(*monitor.CostTable){
		"no name":                   func(t *monitor.CostTable) { t.Prices[0].Model = " " },
		"twice":                     func(t *monitor.CostTable) { t.Prices[0].Model = "gpt-4" },
		"no date":                   func(t *monitor.CostTable) { t.Prices[0].AsOf = "soon" },
		"not a number":              func(t *monitor.CostTable) { t.Prices[0].Input = math.NaN() },
		"negative":                  func(t *monitor.CostTable) { t.Own.Watts = -1 },
		"more usable than there is": func(t *monitor.CostTable) { t.Prices[0].Usable = t.Prices[0].Window + 1 },
		"too many":                  func(t *monitor.CostTable) { t.Prices = make([]monitor.Price, 1000) },
	} {
		table := monitor.DefaultCosts()
		change(&table)
		if err := table.Validate(); memory.CodeOf(err) != memory.EINVALID || strings.TrimSpace(err.Error()) == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

var _ monitor.Store = (*store.Store)(nil)
