package recall

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/when"
)

// A question may say of which time it speaks ("in May", 「去年冬天」), or that the first or the latest of several is meant.
// Both weigh what was found and exclude nothing: people are wrong about dates, and tell of a thing long after it.
const (
	inTime    = .4  // of what is missing to the highest score: said in the window, or of a day in it
	roughly   = .5  // the same of a window that is said loosely: recently
	inOrder   = .5  // of what is missing: the oldest for "the first time", the newest for "most recently"
	equals    = .7  // share of the best score from which on candidates are equals, so that their order decides
	dated     = 40  // best candidates in whose texts dates are looked for …
	datedText = 800 // … in so many bytes
	ofTheTime = 30  // texts that are brought in for a question that says nothing but a time
	timeScore = .5  // of these, the newest a little more

	longestQuestion = 400 // bytes; the times in a longer text are not what it asks for
)

// times is what a question says of time.
type times struct {
	windows []when.Span
	rough   []bool // of each window, whether it is said loosely
	order   when.Kind
	text    string // of the question without its times, and without the words by which it asks for what was
	back    bool   // it has such words
}

// timesOf reads a question that is asked at a time. What recurs each year is sought on both sides: "in June" may be the trip
// that is planned.
func timesOf(text string, now time.Time) times {
	t := times{text: text}
	if len(text) > longestQuestion {
		return t
	}
	rest := []byte(text)
	for _, toward := range []when.Toward{when.Past, when.Ahead} {
		for _, s := range when.Parse(text, now, toward) {
			if s.Window() && s.Precision <= when.Day && s.To.After(now) && s.To.Sub(now) < 2*24*time.Hour {
				continue // today and tomorrow are of talk, seldom of memory
			}
			for i := s.Start; i < s.End; i++ {
				rest[i] = ' '
			}
			switch {
			case s.Kind == when.First || s.Kind == when.Latest:
				t.order = s.Kind
			case s.Window() && !slices.ContainsFunc(t.windows, func(o when.Span) bool { return o.From.Equal(s.From) && o.To.Equal(s.To) }):
				t.windows = append(t.windows, s)
				t.rough = append(t.rough, s.Kind == when.Range && s.Precision == when.Day && s.Contains(now))
			}
		}
	}
	if asksBack.MatchString(text) {
		for _, at := range backWords.FindAllIndex(rest, -1) {
			t.back = true
			for i := at[0]; i < at[1]; i++ {
				rest[i] = ' '
			}
		}
	}
	t.text = string(rest)
	return t
}

// ease takes the weight from the words that say the time, where others say the thing: a memory need not hold them.
func (t times) ease(terms []term) {
	if len(t.windows) == 0 && t.order == "" && !t.back {
		return
	}
	stems := stemsOf(t.text)
	of := func(w term) bool { return w.matched(stems) }
	if !slices.ContainsFunc(terms, func(w term) bool { return of(w) && w.df > 0 && w.telling() }) {
		return
	}
	for i := range terms {
		if !of(terms[i]) {
			terms[i].weight = 0
		}
	}
}

// weigh adds what the times of the question say for and against the candidates.
func (t times) weigh(all []*candidate) {
	if len(t.windows) > 0 {
		sortByScore(all)
		for i, c := range all {
			c.add(byTime, inTime*t.near(c, i < dated))
		}
	}
	if t.order == "" || len(all) == 0 {
		return
	}
	sortByScore(all)
	least := equals * all[0].score
	var group []*candidate
	for _, c := range all {
		if c.score >= least && !c.question {
			group = append(group, c)
		}
	}
	slices.SortStableFunc(group, func(a, b *candidate) int { return a.Date.Compare(b.Date) })
	if t.order == when.First {
		slices.Reverse(group)
	}
	for i, c := range group {
		c.add(byTime, inOrder*float64(i+1)/float64(len(group)))
	}
}

// add raises a part of the score by a share of what is missing to the highest.
func (c *candidate) add(part int, share float64) {
	if share > 0 {
		c.parts[part] += share * (1 - c.score)
		c.score = c.parts.sum()
	}
}

// near returns how near a candidate is to the times of the question, 0 to 1: by its own date or, where it is read, by the
// dates that it names, seen from its own.
func (t times) near(c *candidate, read bool) float64 {
	best := 0.0
	for i, w := range t.windows {
		n := nearness(c.Date, w)
		if t.rough[i] {
			n *= roughly
		}
		best = max(best, n)
	}
	if !read || best >= 1 {
		return best
	}
	for _, s := range when.Parse(cut(c.Text, 0, datedText), c.Date, when.Nearest) {
		if s.Kind != when.Point {
			continue
		}
		for _, w := range t.windows {
			best = max(best, overlap(s, w))
		}
	}
	return best
}

// nearness returns 1 for a time in the window, less for one beside it, 0 for one that is farther from it than it is long.
func nearness(at time.Time, w when.Span) float64 {
	if w.Contains(at) {
		return 1
	}
	if w.From.IsZero() || w.To.IsZero() {
		return 0
	}
	far := w.From.Sub(at)
	if at.After(w.From) {
		far = at.Sub(w.To)
	}
	return max(0, 1-float64(far)/float64(max(w.To.Sub(w.From), 24*time.Hour))) / 2
}

// overlap returns which share of the first window lies in the second: a day of May lies in May, the year does not.
func overlap(s, w when.Span) float64 {
	from, to := s.From, s.To
	if w.From.After(from) {
		from = w.From
	}
	if !w.To.IsZero() && w.To.Before(to) {
		to = w.To
	}
	if !to.After(from) || !s.To.After(s.From) {
		return 0
	}
	return float64(to.Sub(from)) / float64(s.To.Sub(s.From))
}

// between tells whether one statement was current in a window of the question and its successor came only after it.
func (t times) between(old, successor *candidate) bool {
	return slices.ContainsFunc(t.windows, func(w when.Span) bool {
		return !w.To.IsZero() && old.Date.Before(w.To) && !successor.Date.Before(w.To)
	})
}

// asksForTime asks what was said or done at a time and for nothing else.
var asksForTime = regexp.MustCompile(`(?i)\b(what|which|who|where)\b.*\b(did|have|had|was|were) (i|we)\b|\bwhat (happened|was (said|new|going on))\b|` +
	`\b(talk|talked|speak|discuss|discussed|say|said|tell|told|do|done|write|wrote) (you )?(about )?(on|in|at)?\s*[?.!]*$|(我|我们|我們|咱们|咱們).*(说|說|做|聊|干|幹|提|谈|談|讲|講|写|寫).*(什么|什麼|啥|哪些)|(发生|發生)了?(什么|什麼)`)

// ofTime brings in what the user said in the time of a question that asks for nothing else than this time.
func (r *Recall) ofTime(ctx context.Context, all []*candidate, t times, terms []term, sc scope) ([]*candidate, error) {
	if sc.typed || len(t.windows) == 0 || !asksForTime.MatchString(strings.TrimSpace(t.text)) || t.asksMore(terms) {
		return all, nil
	}
	known := make(map[string]*candidate, len(all))
	for _, c := range all {
		known[c.ID] = c
	}
	w := t.windows[0]
	messages, _, err := r.deps.Store.Messages(ctx, store.MessageFilter{
		AgentID: sc.agentID, Roles: []memory.Role{memory.RoleUser}, After: w.From, Before: w.To, Newest: true, Limit: ofTheTime,
	})
	if err != nil {
		return nil, fmt.Errorf("search by date: %w", err)
	}
	refs := make([]store.Ref, 0, len(messages))
	for _, m := range messages {
		if !sc.without[m.ID] {
			refs = append(refs, store.Ref{Kind: store.KindMessage, ID: m.ID})
		}
	}
	items, err := r.deps.Store.Items(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("load what was said at a time: %w", err)
	}
	for i, it := range items {
		c := known[it.ID]
		if c == nil {
			c = &candidate{Item: it, question: isQuestion(it.Text)}
			all = append(all, c)
		}
		c.told = true // it is what is asked for, without a word in common
		if c.score < timeScore {
			c.parts[byTime] += timeScore - .001*float64(i) - c.score
			c.score = c.parts.sum()
			c.base = c.score
		}
	}
	return all, nil
}

// asksMore tells whether a question asks for a thing besides the time.
func (t times) asksMore(terms []term) bool {
	stems := stemsOf(t.text)
	return slices.ContainsFunc(terms, func(w term) bool {
		return w.df > 0 && w.telling() && w.matched(stems) && !talking[w.stem]
	})
}

// talking are words about talking and doing, which ask for nothing in particular.
var talking = stems("talk talked discuss discussed said say told tell did do done wrote write spoke happened happen mention mentioned thing things chat " +
	"聊了 我们 们聊 说了 了什 什么 我说 提到 做了 我做 谈了 发生 生了 了些 些什")
