package recall

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
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
	all, err := r.deps.Store.KnownFacts(ctx, q.AgentID)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	now := r.deps.Clock()
	asked := pick(q.Text, fact.About(q.Text, all), now)
	if len(asked) == 0 {
		return nil, nil
	}
	byID := make(map[string]*memory.Fact, len(all))
	for i := range all {
		byID[all[i].ID] = &all[i]
	}
	ids := make([]string, len(asked))
	for i, f := range asked {
		ids[i] = f.ID
	}
	if asked, err = r.deps.Store.FactsOf(ctx, ids); err != nil {
		return nil, fmt.Errorf("read facts: %w", err)
	}
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
		case isOver(&f, now):
			c.replaced = successorOf(memory.Replacement{Old: f, New: successor(f, byID, now)})
		case f.ValidFrom.After(f.SaidAt):
			c.begins = f.ValidFrom
		}
		if !isOver(&f, now) {
			c.ends = f.ValidTo
		}
		list = append(list, c)
	}
	return list, nil
}

func isOver(f *memory.Fact, now time.Time) bool { return !f.Current(now) && !f.Coming(now) }

// pick chooses of the facts that a message asks about those that answer it. What is over answers where it is asked for, where the
// message has its value ("am I still allergic to nuts?"), and the last of it where nothing is known to be true instead.
func pick(text string, asked []fact.Asked, now time.Time) []memory.Fact {
	over := func(f *memory.Fact) bool { return isOver(f, now) }
	current := func(f *memory.Fact) bool { return f.Current(now) }
	coming := func(f *memory.Fact) bool { return f.Coming(now) }
	then := timesOf(text, now)
	some := func(is func(*memory.Fact) bool) bool {
		return slices.ContainsFunc(asked, func(a fact.Asked) bool { return is(&a.Fact) })
	}
	wanted := current
	switch {
	case asksBack.MatchString(text):
		wanted = over
	case asksAhead.MatchString(text) && some(coming):
		wanted = coming
	case some(func(f *memory.Fact) bool { return over(f) && then.during(f) }):
		wanted = then.during
	}
	type thing struct{ subject, key string }
	of := func(f *memory.Fact) thing { return thing{memory.SameSubject(f.Subject), strings.ToLower(f.Key)} }
	holds, last := map[thing]bool{}, map[thing]*memory.Fact{} // what is true of each thing, and what was last
	for i := range asked {
		f := &asked[i].Fact
		switch l := last[of(f)]; {
		case !over(f):
			holds[of(f)] = true
		case l == nil || f.ValidTo.After(l.ValidTo):
			last[of(f)] = f
		}
	}
	asked = slices.DeleteFunc(asked, func(a fact.Asked) bool {
		f := &a.Fact
		return over(f) && !wanted(f) && !a.Named && (holds[of(f)] || !f.Many && last[of(f)].ID != f.ID)
	})
	best := fact.Best(asked)
	slices.SortStableFunc(best, func(a, b memory.Fact) int {
		// What is to come stands behind what is true now.
		return cmp.Or(cmp.Compare(truth(wanted(&b)), truth(wanted(&a))), cmp.Compare(truth(coming(&a)), truth(coming(&b))))
	})
	return best
}

// during reports whether a fact was true in one of the times.
func (t times) during(f *memory.Fact) bool {
	return slices.ContainsFunc(t.windows, func(w when.Span) bool {
		return f.ValidFrom.Before(w.To) && (f.ValidTo.IsZero() || f.ValidTo.After(w.From))
	})
}

// successor returns what is true now in the place of a fact, the zero Fact where nothing is.
func successor(f memory.Fact, byID map[string]*memory.Fact, now time.Time) memory.Fact {
	for range byID { // along the chain, which has no loops
		next := byID[f.ReplacedBy]
		if next == nil {
			break
		}
		if f = *next; f.Current(now) {
			return f
		}
	}
	return memory.Fact{}
}
