package recall

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"time"

	"recollect/backend/fact"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/when"
)

// What is known for a fact needs no ranking: where a message asks about one, it comes first, and it is the one that is true
// now. Who asks for what was true before, for what is to come, or for a time that they name, gets that first: with what took
// its place, or with the day from which it is true.
const (
	knownScore = .99  // of the first fact: no text reaches it, only what the user always wants
	knownStep  = .001 // by which the next one comes behind it
)

// requests are ways to ask for something that facts may matter for. What only tells something asks for none.
var requests = regexp.MustCompile(`(?i)\b(?:plan|suggest|recommend|book|order|write|draft|make|give|show|list|find|help|cook|prepare|choose|pick|tell|remind|fill in|remember)\b|推荐|建议|帮|安排|给我|写|列|选|订|提醒|做.{0,3}[菜饭]|记得`)

// asksAhead are ways to ask for what is to come.
var asksAhead = regexp.MustCompile(`(?i)\b(?:will|going to|gonna|upcoming|soon|next (?:week|month|year|spring|summer|autumn|fall|winter))\b|['’]ll\b|将|以后|今后|即将|打算|下个?(?:月|周|星期)|明年`)

// known returns the facts that a message asks about, the best first.
func (r *Recall) known(ctx context.Context, q Query) ([]*candidate, error) {
	if !asks.MatchString(q.Text) && !requests.MatchString(q.Text) {
		return nil, nil
	}
	now := r.deps.Clock()
	past := asksBack.MatchString(q.Text)
	then := timesOf(q.Text, now)
	facts, err := r.factsAsked(ctx, q, past || len(then.windows) > 0)
	if err != nil || len(facts) == 0 {
		return nil, err
	}
	current := func(f *memory.Fact) bool { return f.Current(now) }
	coming := func(f *memory.Fact) bool { return f.Coming(now) }
	over := func(f *memory.Fact) bool { return !current(f) && !coming(f) }
	some := func(is func(*memory.Fact) bool) bool {
		return slices.ContainsFunc(facts, func(f memory.Fact) bool { return is(&f) })
	}
	wanted := current
	switch {
	case past:
		wanted = over
	case asksAhead.MatchString(q.Text) && some(coming):
		wanted = coming
	case some(func(f *memory.Fact) bool { return over(f) && then.during(f) }):
		wanted = then.during
	}
	asked := fact.Asked(q.Text, slices.DeleteFunc(slices.Clone(facts), func(f memory.Fact) bool { return over(&f) && !wanted(&f) }))
	slices.SortStableFunc(asked, func(a, b memory.Fact) int {
		// What is to come stands behind what is true now.
		return cmp.Or(cmp.Compare(truth(wanted(&b)), truth(wanted(&a))), cmp.Compare(truth(coming(&a)), truth(coming(&b))))
	})
	without := q.scope().without
	var list []*candidate
	for _, f := range asked {
		if f.Origin != "" && without[f.Origin] {
			continue
		}
		c := &candidate{Item: store.FactItem(f), evidence: 1, itself: 1}
		c.stems = stemsOf(c.Text)
		c.parts[byTold] = knownScore - knownStep*float64(len(list))
		c.score = c.parts.sum()
		switch {
		case over(&f):
			c.replaced = successorOf(memory.Replacement{Old: f, New: successor(f, facts, now)})
		case f.ValidFrom.After(f.SaidAt):
			c.begins = f.ValidFrom
		}
		if !over(&f) {
			c.ends = f.ValidTo
		}
		list = append(list, c)
	}
	return list, nil
}

// factsAsked returns the facts under the keys that a message asks about, so that the others need not be read.
func (r *Recall) factsAsked(ctx context.Context, q Query, past bool) ([]memory.Fact, error) {
	groups, err := r.deps.Store.FactGroups(ctx, q.AgentID)
	if err != nil {
		return nil, fmt.Errorf("count facts: %w", err)
	}
	keys := make([]memory.Fact, 0, len(groups))
	for _, g := range groups {
		if past || g.Current > 0 {
			keys = append(keys, memory.Fact{Subject: g.Subject, Key: g.Key})
		}
	}
	var facts []memory.Fact
	for _, k := range fact.Asked(q.Text, keys) {
		of, _, err := r.deps.Store.Facts(ctx, store.FactFilter{AgentID: q.AgentID, Subject: k.Subject, Key: k.Key, Current: !past})
		if err != nil {
			return nil, fmt.Errorf("read facts: %w", err)
		}
		facts = append(facts, of...)
	}
	return facts, nil
}

// during reports whether a fact was true in one of the times.
func (t times) during(f *memory.Fact) bool {
	return slices.ContainsFunc(t.windows, func(w when.Span) bool {
		return f.ValidFrom.Before(w.To) && (f.ValidTo.IsZero() || f.ValidTo.After(w.From))
	})
}

// successor returns what is true now in the place of a fact, the zero Fact where nothing is.
func successor(f memory.Fact, facts []memory.Fact, now time.Time) memory.Fact {
	for range facts { // along the chain, which has no loops
		i := slices.IndexFunc(facts, func(o memory.Fact) bool { return o.ID == f.ReplacedBy })
		if i < 0 {
			break
		}
		if f = facts[i]; f.Current(now) {
			return f
		}
	}
	return memory.Fact{}
}
