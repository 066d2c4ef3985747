package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"recollect/backend/memory"
)

// putUsage notes what the call of a model for an answer took, in the transaction that stores the answer's end. An answer
// that nothing was measured of, and one that is stored again as it is, leave nothing.
func (t *tx) putUsage(key int64, m memory.Message) error {
	u := m.Usage
	if u == nil || u.PromptTokens <= 0 {
		return nil
	}
	type measured struct {
		n                                                int
		prompt, output, promptMs, outputMs, firstTokenMs int64
	}
	last, err := one(t.ctx, t, func(r scanner) (l measured, err error) {
		return l, r.Scan(&l.n, &l.prompt, &l.output, &l.promptMs, &l.outputMs, &l.firstTokenMs)
	}, "usage_newest", key)
	n, at := 0, m.CreatedAt
	switch {
	case errors.Is(err, sql.ErrNoRows):
	case err != nil:
		return err
	default: // the answer was continued
		if last == (measured{last.n, int64(u.PromptTokens), int64(u.OutputTokens), u.PromptMs, u.OutputMs, u.FirstTokenMs}) {
			return nil
		}
		n, at = last.n+1, t.now
	}
	if at.IsZero() {
		at = t.now
	}
	p := memory.Plan{Prompt: u.EstimateTokens}
	body, err := one(t.ctx, t, value[string], "plan_get", m.ID)
	if err == nil {
		err = json.Unmarshal([]byte(body), &p)
	}
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	used := map[memory.PartName]int{}
	for _, part := range p.Parts {
		used[part.Name] = part.Used
	}
	return t.run("usage_put", key, n, millis(at), p.Window, p.Usable, used[memory.PartSystem], used[memory.PartTools], used[memory.PartCore],
		used[memory.PartSummary], used[memory.PartRecalled], used[memory.PartMessages], used[memory.PartReserve], used[memory.PartMargin],
		p.Prompt, p.Evicted, p.Recalled, u.PromptTokens, max(u.CachedTokens, -1), u.OutputTokens, u.PromptMs, u.OutputMs, u.FirstTokenMs,
		u.LoadMs, u.Truncated)
}

// AddUsage notes what a call of a model took that is no answer. One of which nothing was measured leaves nothing.
func (s *Store) AddUsage(ctx context.Context, c memory.ModelCall) error {
	if c.PromptTokens <= 0 {
		return nil
	}
	return s.write(ctx, "note usage", lazy, func(t *tx) error {
		return t.run("usage_beside_put", c.AgentID, string(c.Kind), c.ConversationID, c.Model, millis(c.At), c.Window, c.Estimate,
			c.PromptTokens, max(c.CachedTokens, -1), c.OutputTokens, c.PromptMs, c.OutputMs, c.FirstTokenMs, c.LoadMs, c.Truncated)
	})
}

// UsageFilter says which model calls are meant; a zero field means all.
type UsageFilter struct {
	AgentID        string
	ConversationID string
	Model          string
	Kind           memory.CallKind // of ModelCalls only
	From, To       time.Time       // From ≤ time < To
	Cursor         string          // of ModelCalls only
	Limit          int             // 0 = 50
}

// slotMs is the length of a slot, whose sums are kept. Nearly every time zone is a whole number of slots from UTC.
const slotMs = 30 * 60 * 1000

// slotOf returns the slot that a moment falls into.
func slotOf(at time.Time) int64 { return millis(at) / slotMs }

// calls restricts rows of usage or usage_beside as u, but not to a conversation.
func (f UsageFilter) calls() filter {
	var q filter
	q.when(f.AgentID != "", "u.agent = (SELECT key FROM agent WHERE id = ?)", f.AgentID)
	q.when(f.Model != "", "u.model = ?", f.Model)
	q.when(!f.From.IsZero(), "u.at >= ?", millis(f.From))
	q.when(!f.To.IsZero(), "u.at < ?", millis(f.To))
	return q
}

// slots restricts rows of usage_slot as s. Times count by slots, of which the first and the last are taken whole.
func (f UsageFilter) slots() filter {
	var q filter
	q.when(f.AgentID != "", "s.agent = (SELECT key FROM agent WHERE id = ?)", f.AgentID)
	q.when(f.ConversationID != "", "s.conversation_id = ?", f.ConversationID)
	q.when(f.Model != "", "s.model = ?", f.Model)
	q.when(!f.From.IsZero(), "s.slot >= ?", slotOf(f.From))
	q.when(!f.To.IsZero(), "s.slot < ?", (millis(f.To)+slotMs-1)/slotMs)
	return q
}

// ModelCalls returns the calls that the filter selects, the newest first, and the cursor of the next page, "" at the end.
func (s *Store) ModelCalls(ctx context.Context, f UsageFilter) ([]memory.ModelCall, string, error) {
	const op = "list model calls"
	answers, beside := f.calls(), f.calls()
	answers.when(f.ConversationID != "", "u.message IN (SELECT key FROM message WHERE conversation_id = ?)", f.ConversationID)
	beside.when(f.ConversationID != "", "u.conversation_id = ?", f.ConversationID)
	answers.when(f.Kind != "" && f.Kind != memory.CallAnswer, "0")
	beside.when(f.Kind != "", "u.kind = ?", string(f.Kind))
	if f.Cursor != "" {
		at, rest, err := splitCursor(op, f.Cursor)
		message, n, ok := strings.Cut(rest, ".")
		key, keyErr := strconv.ParseInt(message, 10, 64)
		number, numberErr := strconv.Atoi(n)
		if !ok || errors.Join(err, keyErr, numberErr) != nil {
			return nil, "", memory.Errorf(memory.EINVALID, op, "the cursor %q is none of ours", f.Cursor)
		}
		answers.when(true, "(u.at, u.message, u.n) < (?, ?, ?)", at, key, number)
		beside.when(true, "u.at <= ? AND (u.at < ? OR -u.key < ?)", at, at, key)
	}
	type row struct {
		memory.ModelCall
		message int64
		n       int
	}
	limit := limitOr(f.Limit)
	rows, err := all(ctx, s, func(r scanner) (c row, err error) {
		var at int64
		err = r.Scan(&c.message, &c.n, &at, &c.Kind, &c.AgentID, &c.ConversationID, &c.TurnID, &c.MessageID, &c.Step, &c.Model, &c.Window, &c.Usable,
			&c.System, &c.Tools, &c.Core, &c.Summary, &c.Recalled, &c.Messages, &c.Reserve, &c.Margin, &c.Estimate, &c.Evicted, &c.Recalls,
			&c.PromptTokens, &c.CachedTokens, &c.OutputTokens, &c.PromptMs, &c.OutputMs, &c.FirstTokenMs, &c.LoadMs, &c.Truncated)
		c.At = moment(at)
		return c, err
	}, "SELECT * FROM ("+text("usage_select")+answers.where()+" ORDER BY 3 DESC, 1 DESC, 2 DESC LIMIT ?) UNION ALL SELECT * FROM ("+
		text("usage_beside_select")+beside.where()+" ORDER BY 3 DESC, 1 DESC LIMIT ?) ORDER BY 3 DESC, 1 DESC, 2 DESC LIMIT ?",
		slices.Concat(answers.args, []any{limit + 1}, beside.args, []any{limit + 1, limit + 1})...)
	if err != nil {
		return nil, "", fault(op, err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		next = joinCursor(last.At, strconv.FormatInt(last.message, 10)+"."+strconv.Itoa(last.n))
	}
	calls := make([]memory.ModelCall, len(rows))
	for i, r := range rows {
		calls[i] = r.ModelCall
	}
	return calls, next, nil
}

// UsageSums are sums over model calls.
type UsageSums struct {
	Calls        int
	Turns        int // that began
	PromptTokens int
	KnownTokens  int // of the prompts of which is known how much was cached
	CachedTokens int
	OutputTokens int
	PromptMs     int64
	OutputMs     int64
	FirstTokenMs int64
	FirstTokens  int // calls of which the first token was timed
	Largest      int // prompt
	Crowded      int // calls whose prompt took more than memory.WarningShare of what is usable
	Truncated    int
	Evicted      int
	Recalls      int
}

// Add adds other to the sums.
func (u *UsageSums) Add(other UsageSums) {
	u.Calls += other.Calls
	u.Turns += other.Turns
	u.PromptTokens += other.PromptTokens
	u.KnownTokens += other.KnownTokens
	u.CachedTokens += other.CachedTokens
	u.OutputTokens += other.OutputTokens
	u.PromptMs += other.PromptMs
	u.OutputMs += other.OutputMs
	u.FirstTokenMs += other.FirstTokenMs
	u.FirstTokens += other.FirstTokens
	u.Largest = max(u.Largest, other.Largest)
	u.Crowded += other.Crowded
	u.Truncated += other.Truncated
	u.Evicted += other.Evicted
	u.Recalls += other.Recalls
}

// UsageBucket are the sums of one model for one kind of work in one stretch of time.
type UsageBucket struct {
	Bucket int // the stretch from bounds[Bucket] to the next bound
	Model  string
	Kind   memory.CallKind
	UsageSums
}

// UsageSpan returns the time from the first call that a filter selects to the end of the last, in whole slots; zero times
// where there is none.
func (s *Store) UsageSpan(ctx context.Context, f UsageFilter) (from, to time.Time, err error) {
	q := f.slots()
	span, err := one(ctx, s, func(r scanner) (v [2]sql.NullInt64, err error) { return v, r.Scan(&v[0], &v[1]) },
		"SELECT min(s.slot), max(s.slot) FROM usage_slot s"+q.where(), q.args...)
	if err != nil || !span[0].Valid {
		return from, to, fault("read usage", err)
	}
	return moment(span[0].Int64 * slotMs), moment((span[1].Int64 + 1) * slotMs), nil
}

// UsageSums returns the sums by model and kind in the stretches between bounds, which ascend; those without a call are left out.
// A bound that is not at a half hour counts as the one before.
func (s *Store) UsageSums(ctx context.Context, f UsageFilter, bounds []time.Time) ([]UsageBucket, error) {
	f.From, f.To = time.Time{}, time.Time{}
	stretches := make([][2]int64, max(len(bounds)-1, 0))
	for i := range stretches {
		stretches[i] = [2]int64{slotOf(bounds[i]), slotOf(bounds[i+1])}
	}
	q := f.slots()
	sums, err := all(ctx, s, func(r scanner) (b UsageBucket, err error) {
		return b, r.Scan(&b.Bucket, &b.Model, &b.Kind, &b.Calls, &b.Turns, &b.PromptTokens, &b.KnownTokens, &b.CachedTokens, &b.OutputTokens,
			&b.PromptMs, &b.OutputMs, &b.FirstTokenMs, &b.FirstTokens, &b.Largest, &b.Crowded, &b.Truncated, &b.Evicted, &b.Recalls)
	}, text("usage_sums")+q.where()+" GROUP BY 1, 2, 3", append([]any{encode(stretches)}, q.args...)...)
	return sums, fault("read usage", err)
}

// UsageSizes are the sizes of calls of one model for answers, in no order.
type UsageSizes struct {
	Model       string
	Prompts     []int // tokens of each prompt
	Turns       []int // tokens of each turn, with all its calls
	FirstTokens []int // milliseconds to each first token that was timed
}

// UsageSizes returns the sizes of the calls for answers that a filter selects, by model. Its times count by half hours, of which the first
// and the last are taken whole.
func (s *Store) UsageSizes(ctx context.Context, f UsageFilter) ([]UsageSizes, error) {
	q := f.slots()
	q.when(true, "s.kind = ?", string(memory.CallAnswer))
	sizes, err := all(ctx, s, func(r scanner) (u UsageSizes, err error) {
		var prompts, totals, firsts sql.RawBytes
		if err := r.Scan(&u.Model, &prompts, &totals, &firsts); err != nil {
			return u, err
		}
		u.Prompts, _ = readNumbers(prompts)
		u.FirstTokens, _ = readNumbers(firsts)
		u.Turns = without(readNumbers(totals))
		return u, nil
	}, text("usage_sizes")+q.where()+" GROUP BY s.model", q.args...)
	return sizes, fault("read usage", err)
}

// readNumbers reads a list of whole numbers between commas. Zeros are left out, negative ones are returned apart, without sign.
func readNumbers(list []byte) (positive, negative []int) {
	positive = make([]int, 0, len(list)/4)
	n, minus := 0, false
	add := func() {
		switch {
		case n > 0 && minus:
			negative = append(negative, n)
		case n > 0:
			positive = append(positive, n)
		}
		n, minus = 0, false
	}
	for _, c := range list {
		switch c {
		case ',':
			add()
		case '-':
			minus = true
		default:
			n = n*10 + int(c-'0')
		}
	}
	add()
	return positive, negative
}

// without returns values without one occurrence each of those in gone.
func without(values, gone []int) []int {
	if len(gone) == 0 {
		return values
	}
	left := map[int]int{}
	for _, g := range gone {
		left[g]++
	}
	return slices.DeleteFunc(values, func(v int) bool {
		if left[v] == 0 {
			return false
		}
		left[v]--
		return true
	})
}

// UsageConversation is what one conversation took.
type UsageConversation struct {
	Tokens  int // of all prompts and outputs
	Largest int // prompt
}

// UsageConversations returns what the answers of each conversation took of what a filter selects.
func (s *Store) UsageConversations(ctx context.Context, f UsageFilter) ([]UsageConversation, error) {
	q := f.slots()
	q.when(true, "s.kind = ?", string(memory.CallAnswer))
	list, err := all(ctx, s, func(r scanner) (c UsageConversation, err error) { return c, r.Scan(&c.Tokens, &c.Largest) },
		"SELECT sum(s.prompt_tokens + s.output_tokens), max(s.largest) FROM usage_slot s"+q.where()+" GROUP BY s.conversation_id", q.args...)
	return list, fault("read usage", err)
}

// CompactionTimes returns when the compactions took effect that belong to the agent and conversation of a filter and its
// time, the first one first.
func (s *Store) CompactionTimes(ctx context.Context, f UsageFilter) ([]time.Time, error) {
	var q filter
	q.when(true, "state = ?", string(memory.CompactionDone))
	q.when(f.AgentID != "", "agent_id = ?", f.AgentID)
	q.when(f.ConversationID != "", "conversation_id = ?", f.ConversationID)
	q.when(!f.From.IsZero(), "created_at >= ?", millis(f.From))
	q.when(!f.To.IsZero(), "created_at < ?", millis(f.To))
	times, err := all(ctx, s, func(r scanner) (time.Time, error) {
		at, err := value[int64](r)
		return moment(at), err
	}, "SELECT created_at FROM compaction"+q.where()+" ORDER BY created_at", q.args...)
	return times, fault("list compactions", err)
}
