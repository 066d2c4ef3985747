// Package monitor tells what the context window is used for, how much that is over time, and what it would cost elsewhere.
package monitor

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// Store is what usage is read from.
type Store interface {
	UsageSpan(ctx context.Context, f store.UsageFilter) (from, to time.Time, err error)
	UsageSums(ctx context.Context, f store.UsageFilter, bounds []time.Time) ([]store.UsageBucket, error)
	UsageSizes(ctx context.Context, f store.UsageFilter) ([]store.UsageSizes, error)
	UsageConversations(ctx context.Context, f store.UsageFilter) ([]store.UsageConversation, error)
	CompactionTimes(ctx context.Context, f store.UsageFilter) ([]time.Time, error)
	ModelCalls(ctx context.Context, f store.UsageFilter) ([]memory.ModelCall, string, error)
}

// UsageReport is the history of what model calls took, over a stretch of time.
type UsageReport struct {
	From          time.Time    `json:"from"` // zero where nothing was measured yet
	To            time.Time    `json:"to"`
	Bucket        BucketSize   `json:"bucket"`
	Total         UsageTotals  `json:"total"`         // of answers, as is all that follows but Kinds
	Requests      Distribution `json:"requests"`      // tokens of the prompt of a model call
	Turns         Distribution `json:"turns"`         // tokens of a turn, prompts and outputs of all its calls
	Conversations Distribution `json:"conversations"` // tokens of a conversation, prompts and outputs of all its calls
	Windows       Distribution `json:"windows"`       // tokens of the largest prompt of a conversation
	FirstToken    Distribution `json:"first_token"`   // milliseconds
	Models        []ModelUsage `json:"models"`        // the most used first
	Series        []UsageSlice `json:"series"`        // without gaps, oldest first
	Kinds         []KindUsage  `json:"kinds"`         // what models were called for, those that they were
}

// UsageTotals are sums over model calls, and what follows from them.
type UsageTotals struct {
	Calls           int      `json:"calls"`
	Turns           int      `json:"turns"`
	PromptTokens    int      `json:"prompt_tokens"`
	CachedTokens    int      `json:"cached_tokens"` // of these, not read anew
	OutputTokens    int      `json:"output_tokens"`
	Reuse           *float64 `json:"reuse"`             // share of the prompts that was cached, 0 to 1; null = the engine did not tell
	FirstTokenMs    float64  `json:"first_token_ms"`    // mean
	TokensPerSecond float64  `json:"tokens_per_second"` // written; 0 = not measured
	ReadPerSecond   float64  `json:"read_per_second"`   // tokens of prompts read anew; 0 = not measured
	Largest         int      `json:"largest"`           // prompt
	Crowded         int      `json:"crowded"`           // calls whose prompt took more than 80 % of what is usable
	Truncated       int      `json:"truncated"`         // calls whose prompt the engine cut
	Evicted         int      `json:"evicted"`           // messages that left the window
	Recalls         int      `json:"recalls"`           // memories that recall brought
}

// Distribution describes many numbers. A percentile is the smallest number that is not exceeded by that share of all.
type Distribution struct {
	Count int     `json:"count"`
	Mean  float64 `json:"mean"`
	P50   int     `json:"p50"`
	P75   int     `json:"p75"`
	P90   int     `json:"p90"`
	P99   int     `json:"p99"`
	Max   int     `json:"max"`
}

// ModelUsage is the history of one model.
type ModelUsage struct {
	Model      string       `json:"model"`
	Total      UsageTotals  `json:"total"`
	Requests   Distribution `json:"requests"`
	Turns      Distribution `json:"turns"`
	FirstToken Distribution `json:"first_token"`
}

// KindUsage is the history of one kind of work.
type KindUsage struct {
	Kind  memory.CallKind `json:"kind"`
	Total UsageTotals     `json:"total"`
}

// UsageSlice is one stretch of the time that a report covers.
type UsageSlice struct {
	From        time.Time   `json:"from"`
	To          time.Time   `json:"to"`
	Total       UsageTotals `json:"total"`
	Compactions int         `json:"compactions"`
}

// BucketSize says how long a slice is.
type BucketSize string

// The sizes.
const (
	BucketHour BucketSize = "hour"
	BucketDay  BucketSize = "day"
	BucketWeek BucketSize = "week" // from Monday
)

// MaxSlices is how many slices a report has at most.
const MaxSlices = 1000

// Up to which length of time a report has slices of an hour, and of a day, where none is asked for.
const (
	hoursUpTo = 3 * 24 * time.Hour
	daysUpTo  = 200 * 24 * time.Hour
)

// Report returns the history that a filter selects, in slices of the given size ("" = whichever suits), whose days begin in
// the zone. Times count by half hours. EINVALID for more than MaxSlices slices.
func Report(ctx context.Context, s Store, f store.UsageFilter, size BucketSize, zone *time.Location) (UsageReport, error) {
	r := UsageReport{Bucket: size}
	from, to, err := s.UsageSpan(ctx, f)
	if err != nil {
		return r, err
	}
	if from.IsZero() { // nothing yet: the report says so
		if r.Bucket == "" {
			r.Bucket = BucketDay
		}
		return r, nil
	}
	r.From, r.To = from.In(zone), to.In(zone)
	if r.Bucket == "" {
		r.Bucket = suitable(to.Sub(from))
	}
	bounds, err := Bounds(r.From, r.To, r.Bucket)
	if err != nil {
		return r, err
	}
	f.From, f.To = from, to
	var (
		sums          []store.UsageBucket
		sizes         []store.UsageSizes
		conversations []store.UsageConversation
		compactions   []time.Time
		faults        [4]error
		work          sync.WaitGroup
	)
	work.Go(func() { sums, faults[0] = s.UsageSums(ctx, f, bounds) })
	work.Go(func() { sizes, faults[1] = s.UsageSizes(ctx, f); r.measure(sizes) })
	work.Go(func() { conversations, faults[2] = s.UsageConversations(ctx, f) })
	work.Go(func() { compactions, faults[3] = s.CompactionTimes(ctx, f) })
	work.Wait()
	if err := errors.Join(faults[:]...); err != nil {
		return r, err
	}
	r.add(sums, bounds, compactions)
	tokens, largest := make([]int, len(conversations)), make([]int, len(conversations))
	for i, c := range conversations {
		tokens[i], largest[i] = c.Tokens, c.Largest
	}
	r.Conversations, r.Windows = distribution(tokens), distribution(largest)
	return r, nil
}

// Totals returns the sums of the calls for answers that a filter selects from a time on and until another, by half hours.
func Totals(ctx context.Context, s Store, f store.UsageFilter, from, to time.Time) (UsageTotals, error) {
	_, u, err := sums(ctx, s, f, from, to)
	return totals(u), err
}

// sums returns those of all calls, and those of the calls for answers.
func sums(ctx context.Context, s Store, f store.UsageFilter, from, to time.Time) (all, answers store.UsageSums, err error) {
	list, err := s.UsageSums(ctx, f, []time.Time{from, to.Add(time.Hour / 2)}) // with the half hour that is not over
	for _, b := range list {
		if all.Add(b.UsageSums); b.Kind == memory.CallAnswer {
			answers.Add(b.UsageSums)
		}
	}
	return all, answers, err
}

// suitable returns the size of slices for a length of time.
func suitable(d time.Duration) BucketSize {
	switch {
	case d <= hoursUpTo:
		return BucketHour
	case d <= daysUpTo:
		return BucketDay
	}
	return BucketWeek
}

// Bounds returns where the slices of a stretch of time begin and end, in the zone of from: its first and last may be shorter.
func Bounds(from, to time.Time, size BucketSize) ([]time.Time, error) {
	zone := from.Location()
	next := func(t time.Time) time.Time {
		switch size {
		case BucketHour:
			return t.Add(time.Hour - time.Duration(t.Minute())*time.Minute - time.Duration(t.Second())*time.Second - time.Duration(t.Nanosecond()))
		case BucketDay:
			return memory.DayStart(t.Year(), t.Month(), t.Day()+1, zone)
		}
		days := (8 - int(t.Weekday())) % 7 // to the next Monday
		if days == 0 {
			days = 7
		}
		return memory.DayStart(t.Year(), t.Month(), t.Day()+days, zone)
	}
	bounds := []time.Time{from}
	for t := next(from); t.Before(to); t = next(t) {
		if bounds = append(bounds, t); len(bounds) > MaxSlices {
			return nil, memory.Errorf(memory.EINVALID, "read usage", "from %s to %s there are more than %d slices of one %s: choose longer ones or a shorter time",
				from.Format(time.DateOnly), to.Format(time.DateOnly), MaxSlices, size)
		}
	}
	return append(bounds, to), nil
}

// add fills in the sums.
func (r *UsageReport) add(sums []store.UsageBucket, bounds []time.Time, compactions []time.Time) {
	var all store.UsageSums
	slots := make([]store.UsageSums, len(bounds)-1)
	models, kinds := map[string]*store.UsageSums{}, map[memory.CallKind]store.UsageSums{}
	for _, b := range sums {
		k := kinds[b.Kind]
		k.Add(b.UsageSums)
		if kinds[b.Kind] = k; b.Kind != memory.CallAnswer {
			continue
		}
		all.Add(b.UsageSums)
		slots[b.Bucket].Add(b.UsageSums)
		if models[b.Model] == nil {
			models[b.Model] = &store.UsageSums{}
		}
		models[b.Model].Add(b.UsageSums)
	}
	r.Total = totals(all)
	for _, kind := range memory.CallKinds() {
		if k := kinds[kind]; k.Calls > 0 {
			r.Kinds = append(r.Kinds, KindUsage{Kind: kind, Total: totals(k)})
		}
	}
	r.Series = make([]UsageSlice, len(slots))
	for i, s := range slots {
		r.Series[i] = UsageSlice{From: bounds[i], To: bounds[i+1], Total: totals(s)}
	}
	for _, at := range compactions {
		if i, found := slices.BinarySearchFunc(bounds, at, time.Time.Compare); found {
			r.Series[min(i, len(slots)-1)].Compactions++
		} else if i > 0 {
			r.Series[min(i, len(slots))-1].Compactions++
		}
	}
	for i := range r.Models {
		if m := &r.Models[i]; models[m.Model] != nil {
			m.Total = totals(*models[m.Model])
		}
	}
	slices.SortFunc(r.Models, func(a, b ModelUsage) int { return b.Total.Calls - a.Total.Calls })
}

// measure fills in the distributions of single calls.
func (r *UsageReport) measure(sizes []store.UsageSizes) {
	var prompts, turns, firsts []int
	r.Models = make([]ModelUsage, len(sizes))
	for i, s := range sizes {
		r.Models[i] = ModelUsage{
			Model: s.Model, Requests: distribution(s.Prompts), Turns: distribution(s.Turns), FirstToken: distribution(s.FirstTokens),
		}
		prompts, turns, firsts = merge(prompts, s.Prompts), merge(turns, s.Turns), merge(firsts, s.FirstTokens)
	}
	r.Requests, r.Turns, r.FirstToken = distribution(prompts), distribution(turns), distribution(firsts)
}

// merge returns two sorted lists as one.
func merge(a, b []int) []int {
	if len(a) == 0 {
		return b
	}
	out := make([]int, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		if a[0] <= b[0] {
			out, a = append(out, a[0]), a[1:]
		} else {
			out, b = append(out, b[0]), b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// distribution describes numbers and leaves them sorted.
func distribution(n []int) Distribution {
	if len(n) == 0 {
		return Distribution{}
	}
	if !slices.IsSorted(n) {
		order(n)
	}
	sum := 0.0
	for _, v := range n {
		sum += float64(v)
	}
	at := func(percent int) int { return n[(len(n)*percent+99)/100-1] }
	return Distribution{Count: len(n), Mean: round(sum/float64(len(n)), 1), P50: at(50), P75: at(75), P90: at(90), P99: at(99), Max: n[len(n)-1]}
}

// order sorts numbers that are not negative, digit by digit: of a hundred thousand that takes a tenth of the time of comparing.
func order(n []int) {
	const bits = 11
	largest, other := slices.Max(n), make([]int, len(n))
	for shift := 0; largest>>shift > 0; shift += bits {
		var at [1<<bits + 1]int
		for _, v := range n {
			at[v>>shift&(1<<bits-1)+1]++
		}
		for i := range 1 << bits {
			at[i+1] += at[i]
		}
		for _, v := range n {
			digit := v >> shift & (1<<bits - 1)
			other[at[digit]] = v
			at[digit]++
		}
		copy(n, other)
	}
}

// totals tells what follows from sums.
func totals(u store.UsageSums) UsageTotals {
	t := UsageTotals{
		Calls: u.Calls, Turns: u.Turns, PromptTokens: u.PromptTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens,
		FirstTokenMs: ratio(float64(u.FirstTokenMs), float64(u.FirstTokens), 1), TokensPerSecond: ratio(float64(u.OutputTokens)*1000, float64(u.OutputMs), 2),
		ReadPerSecond: ratio(float64(u.KnownTokens-u.CachedTokens)*1000, float64(u.PromptMs), 2),
		Largest:       u.Largest, Crowded: u.Crowded, Truncated: u.Truncated, Evicted: u.Evicted, Recalls: u.Recalls,
	}
	if u.KnownTokens > 0 {
		reuse := ratio(float64(u.CachedTokens), float64(u.KnownTokens), 4)
		t.Reuse = &reuse
	}
	return t
}

// ratio returns a/b, 0 where there is no b.
func ratio(a, b float64, digits int) float64 {
	if b <= 0 {
		return 0
	}
	return round(a/b, digits)
}

// round returns v with so many digits behind the point.
func round(v float64, digits int) float64 {
	scale := math.Pow10(digits)
	return math.Round(v*scale) / scale
}
