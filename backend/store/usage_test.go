package store

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"recollect/backend/memory"
)

// answered stores a finished answer to the newest message, as a turn does, with the plan of its request.
func (w *world) answered(conversation string, p memory.Plan, u memory.Usage, turn string) memory.Message {
	w.t.Helper()
	c, err := w.Conversation(w.ctx, conversation)
	must(w.t, err)
	m, err := w.AddMessage(w.ctx, memory.Message{
		ConversationID: conversation, ParentID: c.Head, TurnID: turn, Role: memory.RoleAssistant, Status: memory.StatusStreaming, Model: "small",
	})
	must(w.t, err)
	must(w.t, w.SavePlan(w.ctx, m.ID, p))
	m.Content, m.Status, m.Usage = "An answer", memory.StatusComplete, &u
	must(w.t, w.FinishMessage(w.ctx, m))
	return m
}

func planOf(prompt, usable int) memory.Plan {
	return memory.Plan{Window: 8192, Usable: usable, Prompt: prompt, Evicted: 2, Recalled: 3, Parts: []memory.Part{
		{Name: memory.PartSystem, Used: 100},
		{Name: memory.PartTools, Used: 200},
		{Name: memory.PartCore, Used: 300},
		{Name: memory.PartRecalled, Used: 50},
		{Name: memory.PartMessages, Used: prompt - 650},
		{Name: memory.PartReserve, Used: 512},
		{Name: memory.PartMargin, Used: 819},
	}}
}

func calls(w *world, f UsageFilter) []memory.ModelCall {
	w.t.Helper()
	list, _, err := w.ModelCalls(w.ctx, f)
	must(w.t, err)
	return list
}

func total(w *world, f UsageFilter) UsageSums {
	w.t.Helper()
	from, to, err := w.UsageSpan(w.ctx, f)
	must(w.t, err)
	if from.IsZero() {
		return UsageSums{}
	}
	buckets, err := w.UsageSums(w.ctx, f, []time.Time{from, to})
	must(w.t, err)
	var all UsageSums
	for _, b := range buckets {
		all.Add(b.UsageSums)
	}
	return all
}

func TestEachModelCallLeavesItsNumbers(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	q := w.say(c.ID, memory.RoleUser, "Hello")
	u := memory.Usage{PromptTokens: 1000, CachedTokens: 900, OutputTokens: 40, PromptMs: 20, OutputMs: 800, FirstTokenMs: 70, LoadMs: 5}
	first := w.answered(c.ID, planOf(990, 6000), u, q.ID)
	must(t, w.FinishMessage(w.ctx, first)) // stored again as it is
	w.pass(time.Minute)
	u2 := memory.Usage{PromptTokens: 5000, CachedTokens: -1, OutputTokens: 60, OutputMs: 1000, FirstTokenMs: 30, Truncated: true}
	second := w.answered(c.ID, memory.Plan{}, u2, q.ID)
	w.answered(c.ID, planOf(800, 6000), memory.Usage{CachedTokens: -1}, q.ID) // the engine told nothing

	got := calls(w, UsageFilter{})
	if len(got) != 2 {
		t.Fatalf("there are %d calls, want 2", len(got))
	}
	wantEqual(t, "the first call", got[1], memory.ModelCall{
		At: w.time.Add(-time.Minute), Kind: memory.CallAnswer, AgentID: a.ID, ConversationID: c.ID, TurnID: q.ID, MessageID: first.ID, Step: 1, Model: "small",
		Window: 8192, Usable: 6000, System: 100, Tools: 200, Core: 300, Recalled: 50, Messages: 340, Reserve: 512, Margin: 819,
		Estimate: 990, Evicted: 2, Recalls: 3, PromptTokens: 1000, CachedTokens: 900, OutputTokens: 40, PromptMs: 20, OutputMs: 800,
		FirstTokenMs: 70, LoadMs: 5,
	})
	wantEqual(t, "the message of the second", got[0].MessageID, second.ID)
	wantEqual(t, "its step", got[0].Step, 2)
	wantEqual(t, "it is marked as cut", got[0].Truncated, true)
	wantEqual(t, "the sums", total(w, UsageFilter{}), UsageSums{
		Calls: 2, Turns: 1, PromptTokens: 6000, KnownTokens: 1000, CachedTokens: 900, OutputTokens: 100, PromptMs: 20, OutputMs: 1800,
		FirstTokenMs: 100, FirstTokens: 2, Largest: 5000, Truncated: 1, Evicted: 2, Recalls: 3,
	})
	sizes, err := w.UsageSizes(w.ctx, UsageFilter{})
	must(t, err)
	if len(sizes) != 1 || !slices.Equal(sizes[0].Turns, []int{6100}) || len(sizes[0].Prompts) != 2 {
		t.Errorf("the sizes are %+v; the turn took 6,100 tokens in two calls", sizes)
	}
}

// What is no answer is listed among the answers, in order of time, and summed up apart.
func TestCallsBesideAnswers(t *testing.T) {
	w := newWorld(t)
	a, other := w.agent(), w.agent()
	c := w.conversation(a)
	for i := range 3 {
		q := w.say(c.ID, memory.RoleUser, "Hello")
		w.answered(c.ID, planOf(700, 6000), memory.Usage{PromptTokens: 700 + i, OutputTokens: 10}, q.ID)
		for k, kind := range []memory.CallKind{memory.CallNote, memory.CallJudge} {
			must(t, w.AddUsage(w.ctx, memory.ModelCall{
				At: w.time, Kind: kind, AgentID: a.ID, ConversationID: c.ID, Model: "small", Window: 8192, PromptTokens: 100 + 10*k + i, CachedTokens: 50, OutputTokens: 5,
			}))
		}
		w.pass(time.Minute)
	}
	must(t, w.AddUsage(w.ctx, memory.ModelCall{At: w.time, Kind: memory.CallNote, AgentID: other.ID, Model: "small", PromptTokens: 9, CachedTokens: -1}))
	must(t, w.AddUsage(w.ctx, memory.ModelCall{At: w.time, Kind: memory.CallNote, AgentID: other.ID, Model: "small"})) // of which nothing was measured
	read := func(f UsageFilter) (seen []int) {
		f.Limit = 2
		for {
			page, next, err := w.ModelCalls(w.ctx, f)
			must(t, err)
			for _, call := range page {
				seen = append(seen, call.PromptTokens)
			}
			if f.Cursor = next; next == "" {
				return seen
			}
		}
	}
	for name, of := range map[string]struct {
		f    UsageFilter
		want []int
	}{
		"all":             {UsageFilter{}, []int{9, 702, 102, 112, 701, 101, 111, 700, 100, 110}},
		"of conversation": {UsageFilter{ConversationID: c.ID, Kind: memory.CallJudge}, []int{112, 111, 110}},
		"answers":         {UsageFilter{Kind: memory.CallAnswer}, []int{702, 701, 700}},
		"of agent":        {UsageFilter{AgentID: other.ID}, []int{9}},
		"of no model":     {UsageFilter{Model: "large"}, nil},
	} {
		if got := read(of.f); !slices.Equal(got, of.want) {
			t.Errorf("%s: %v, want %v", name, got, of.want)
		}
	}
	from, to, err := w.UsageSpan(w.ctx, UsageFilter{})
	must(t, err)
	sums, err := w.UsageSums(w.ctx, UsageFilter{}, []time.Time{from, to})
	must(t, err)
	kinds := map[memory.CallKind][2]int{}
	for _, b := range sums {
		k := kinds[b.Kind]
		kinds[b.Kind] = [2]int{k[0] + b.Calls, k[1] + b.PromptTokens}
	}
	wantEqual(t, "sums by kind", fmt.Sprint(kinds), fmt.Sprint(map[memory.CallKind][2]int{memory.CallAnswer: {3, 2103}, memory.CallNote: {4, 312}, memory.CallJudge: {3, 333}}))
	sizes, err := w.UsageSizes(w.ctx, UsageFilter{})
	must(t, err)
	if len(sizes) != 1 || len(sizes[0].Prompts) != 3 || len(sizes[0].Turns) != 3 {
		t.Errorf("the sizes are those of answers: %+v", sizes)
	}
	must(t, w.erasing(w.ctx, "erase", func(tx *tx) error { return tx.eraseAgent(a.ID) }))
	if got := read(UsageFilter{}); !slices.Equal(got, []int{9}) {
		t.Errorf("%v is left of an agent that was erased", got)
	}
}

func TestContinuedAnswerIsAnotherCall(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	q := w.say(c.ID, memory.RoleUser, "Tell me a story")
	m := w.answered(c.ID, planOf(900, 6000), memory.Usage{PromptTokens: 900, OutputTokens: 500}, q.ID)
	w.pass(time.Hour)
	must(t, w.ReopenMessage(w.ctx, m.ID))
	m.Usage = &memory.Usage{PromptTokens: 1400, OutputTokens: 300}
	must(t, w.FinishMessage(w.ctx, m))
	got := calls(w, UsageFilter{})
	if len(got) != 2 || got[0].MessageID != m.ID || got[0].Step != 2 || !got[0].At.Equal(w.time) {
		t.Errorf("the calls are %+v", got)
	}
	wantEqual(t, "the tokens of the turn", total(w, UsageFilter{}).PromptTokens, 2300)
}

func TestUsageIsFilteredAndPaged(t *testing.T) {
	w := newWorld(t)
	mine, other := w.agent(), w.agent()
	c, d := w.conversation(mine), w.conversation(other)
	began := w.time
	for i := range 5 {
		for _, in := range []memory.Conversation{c, d} {
			q := w.say(in.ID, memory.RoleUser, "Hello")
			w.answered(in.ID, planOf(700, 6000), memory.Usage{PromptTokens: 700 + i, OutputTokens: 10}, q.ID)
		}
		w.pass(24 * time.Hour)
	}
	f := UsageFilter{AgentID: mine.ID, Limit: 2}
	var seen []int
	for {
		page, next, err := w.ModelCalls(w.ctx, f)
		must(t, err)
		for _, call := range page {
			seen = append(seen, call.PromptTokens)
		}
		if f.Cursor = next; next == "" {
			break
		}
	}
	if !slices.Equal(seen, []int{704, 703, 702, 701, 700}) {
		t.Errorf("the pages show %v", seen)
	}
	wantEqual(t, "calls of the conversation", total(w, UsageFilter{ConversationID: d.ID}).Calls, 5)
	wantEqual(t, "calls of another model", total(w, UsageFilter{Model: "large"}).Calls, 0)
	bounds := []time.Time{began, began.Add(24 * time.Hour), began.Add(72 * time.Hour)}
	buckets, err := w.UsageSums(w.ctx, UsageFilter{AgentID: mine.ID}, bounds)
	must(t, err)
	if len(buckets) != 2 || buckets[0].Calls != 1 || buckets[1].Calls != 2 || buckets[1].Largest != 702 {
		t.Errorf("the stretches are %+v", buckets)
	}
	_, _, err = w.ModelCalls(w.ctx, UsageFilter{Cursor: "nonsense"})
	wantCode(t, err, memory.EINVALID)
	conversations, err := w.UsageConversations(w.ctx, UsageFilter{AgentID: mine.ID})
	must(t, err)
	if len(conversations) != 1 || conversations[0] != (UsageConversation{Tokens: 3560, Largest: 704}) {
		t.Errorf("the conversations are %+v", conversations)
	}
}

// An older file has plans and usage with its messages; the migration makes the same rows of them as a turn does now.
func TestMigrationFillsUsage(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	for i := range 3 {
		q := w.say(c.ID, memory.RoleUser, "Hello")
		_, err := w.RecordEvent(w.ctx, memory.Event{Type: "recall.done", Data: map[string]any{"message_id": q.ID, "conversation_id": c.ID, "taken": 3}})
		must(t, err)
		w.answered(c.ID, planOf(700+i, 6000), memory.Usage{PromptTokens: 700 + i, CachedTokens: 10, OutputTokens: 10, FirstTokenMs: 4}, q.ID)
		second := planOf(900, 6000)
		second.Recalled = 0
		w.answered(c.ID, second, memory.Usage{PromptTokens: 5500, CachedTokens: -1, OutputTokens: 10, Truncated: true}, q.ID)
		w.pass(20 * time.Minute)
	}
	before, sums := calls(w, UsageFilter{}), total(w, UsageFilter{})
	sizes, err := w.UsageSizes(w.ctx, UsageFilter{})
	must(t, err)
	script := "DROP TABLE usage; DROP TABLE usage_slot; DROP TABLE usage_beside;\n"
	for _, m := range migrations {
		if m.name == "0012_usage" || m.name == "0014_usage_beside" {
			script += m.sql + "\n"
		}
	}
	must(t, w.write(w.ctx, "go back", kept, func(tx *tx) error {
		_, err := w.conn.ExecContext(tx.ctx, script)
		return err
	}))
	wantEqual(t, "the sums", total(w, UsageFilter{}), sums)
	if got := calls(w, UsageFilter{}); !slices.Equal(got, before) {
		t.Errorf("the calls are\n%+v, were\n%+v", got, before)
	}
	again, err := w.UsageSizes(w.ctx, UsageFilter{})
	must(t, err)
	for _, s := range [][]UsageSizes{sizes, again} {
		slices.Sort(s[0].Prompts)
		slices.Sort(s[0].Turns)
	}
	if fmt.Sprint(again) != fmt.Sprint(sizes) {
		t.Errorf("the sizes are\n%v, were\n%v", again, sizes)
	}
}

func TestErasedAgentLeavesNoUsage(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	q := w.say(c.ID, memory.RoleUser, "Hello")
	w.answered(c.ID, planOf(700, 6000), memory.Usage{PromptTokens: 700}, q.ID)
	must(t, w.erasing(w.ctx, "erase", func(tx *tx) error { return tx.eraseAgent(a.ID) }))
	wantEqual(t, "calls", len(calls(w, UsageFilter{})), 0)
	wantEqual(t, "sums", total(w, UsageFilter{}), UsageSums{})
}

// manyCalls stores n turns in conversations of fifty, two minutes apart, eight hours a day.
func manyCalls(tb testing.TB, s *Store, agentID, conversationPrefix string, n int) {
	tb.Helper()
	ctx := tb.Context()
	err := s.write(ctx, "fill", lazy, func(t *tx) error {
		began := t.now.Add(-time.Duration(n/240+2) * 24 * time.Hour)
		agent, err := one(ctx, t, value[int64], "SELECT key FROM agent WHERE id = ?", agentID)
		if err != nil {
			return err
		}
		conversation := ""
		for i := range n {
			if i%50 == 0 {
				conversation = fmt.Sprintf("%s-%d", conversationPrefix, i)
				if err := t.run("INSERT INTO conversation (id, agent_id, title, title_by, head, pinned, created_at, updated_at) VALUES (?, ?, '', '', '', 0, 0, 0)", conversation, agentID); err != nil {
					return err
				}
			}
			at := began.Add(time.Duration(i/240)*24*time.Hour + time.Duration(i%240)*2*time.Minute)
			key, err := t.addItem(agent*2, memory.RoleAssistant, at)
			if err != nil {
				return err
			}
			m := memory.Message{
				ID: fmt.Sprintf("message-%d", i), Model: fmt.Sprintf("model-%d", i/5000%3),
				Usage: &memory.Usage{
					PromptTokens: 500 + int(math.Abs(math.Sin(float64(i)))*7000), CachedTokens: 400, OutputTokens: 50 + i%400, PromptMs: 100,
					OutputMs: int64(1000 + i%5000), FirstTokenMs: int64(100 + i*7919%3000),
				},
			}
			m.CreatedAt = at
			if err := t.run("message_insert", key, nil, m.ID, conversation, agentID, m.ID, "assistant", "", "complete", "", m.Model, "", "", "", 1,
				millis(at), "", "", "", "", "", ""); err != nil {
				return err
			}
			if err := t.putUsage(key, m); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
}
