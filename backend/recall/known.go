package recall

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"recollect/backend/fact"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/when"
)

// What is known for a fact needs no ranking: where a message asks about one, it comes first, and it is the one that is true
// now. Who asks for what was true before, or at a time that they name, gets that first, with what took its place.
const (
	knownScore = .99  // of the first fact: no text reaches it, only what the user always wants
	knownStep  = .001 // by which the next one comes behind it
)

// requests are ways to ask for something that facts may matter for. What only tells something asks for none.
var requests = regexp.MustCompile(`(?i)\b(?:plan|suggest|recommend|book|order|write|draft|make|give|show|list|find|help|cook|prepare|choose|pick|tell|remind|fill in|remember)\b|推荐|建议|帮|安排|给我|写|列|选|订|提醒|做.{0,3}[菜饭]|记得`)

// known returns the facts that a message asks about, the best first.
func (r *Recall) known(ctx context.Context, q Query) ([]*candidate, error) {
	if !asks.MatchString(q.Text) && !requests.MatchString(q.Text) {
		return nil, nil
	}
	past := asksBack.MatchString(q.Text)
	then := timesOf(q.Text, r.deps.Clock())
	facts, err := r.factsAsked(ctx, q, past || len(then.windows) > 0)
	if err != nil || len(facts) == 0 {
		return nil, err
	}
	wanted := func(f *memory.Fact) bool { return f.Current() }
	switch {
	case past:
		wanted = func(f *memory.Fact) bool { return !f.Current() }
	case slices.ContainsFunc(facts, func(f memory.Fact) bool { return !f.Current() && then.during(&f) }):
		wanted = then.during
	}
	asked := fact.Asked(q.Text, slices.DeleteFunc(slices.Clone(facts), func(f memory.Fact) bool { return !f.Current() && !wanted(&f) }))
	slices.SortStableFunc(asked, func(a, b memory.Fact) int {
		switch wa, wb := wanted(&a), wanted(&b); {
		case wa == wb:
			return 0
		case wa:
			return -1
		}
		return 1
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
		if !f.Current() {
			c.replaced = successorOf(memory.Replacement{Old: f, New: successor(f, facts)})
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
func successor(f memory.Fact, facts []memory.Fact) memory.Fact {
	for range facts { // along the chain, which has no loops
		i := slices.IndexFunc(facts, func(o memory.Fact) bool { return o.ID == f.ReplacedBy })
		if i < 0 {
			break
		}
		if f = facts[i]; f.Current() {
			return f
		}
	}
	return memory.Fact{}
}
