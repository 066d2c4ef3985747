package recall

import (
	"cmp"
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// Plan B, the deep search: a model sees what plan A found, says whether it suffices, and if not what else to search for,
// in at most three rounds. It runs before the answer, so it has little time: how long a round takes is predicted, and none
// is begun that does not fit. Whatever goes wrong, plan A's outcome stands.

const (
	deepRounds    = 3
	deepNotes     = 8    // memories that the model is shown
	deepNoteChars = 160  // of each
	deepQuery     = 200  // characters of a query, at most; more is no query
	sureEvidence  = 1.25 // below, plan A has found so little that a deep search may help
	roundShare    = .9   // share of its score that a memory keeps which only a rewritten query found
	askingChars   = 500  // a longer message is no question about the past
)

// Judge is the model of plan B.
type Judge interface {
	// Judge says whether memories answer a message, and what else to search for; tried are the queries made so far. ok is
	// false where the model's answer is of no use.
	Judge(ctx context.Context, message string, notes []Note, tried []string) (v Verdict, ok bool, err error)
}

// Note is a memory as the judge sees it.
type Note struct {
	Text string
	Date time.Time
}

// Verdict is what the judge says.
type Verdict struct {
	Enough bool
	Search string
}

// Deep lets a deep search follow the search.
type Deep struct {
	Reason  memory.DeepReason // why; DeepUnsure = only where the message asks about the past and too little was found
	Refused memory.DeepEnd    // it is not possible, and why; "" = it is
	Model   string
	Judge   Judge
	Round   time.Duration      // how long one is expected to take; 0 = unknown
	Budget  time.Duration      // for all
	Tell    func(round, n int) // called when a round begins; may be nil
}

// deepen makes a deep search after f, where d wants it, and records it. It returns f where that came to nothing.
func (r *Recall) deepen(ctx context.Context, f found, rc *memory.Receipt, q Query) found {
	d := q.Deep
	if d == nil || d.Reason == memory.DeepUnsure && !(asksAboutPast(q.Text) && f.best(q) < sureEvidence) {
		return f
	}
	start := r.deps.Clock()
	rec := &memory.DeepSearch{
		Reason: d.Reason, Model: d.Model, BudgetMs: d.Budget.Milliseconds(), PredictedMs: d.Round.Milliseconds(), Rounds: []memory.DeepRound{},
	}
	rc.Deep = rec
	spent := func() time.Duration { return r.deps.Clock().Sub(start) }
	defer func() { rec.Ms = spent().Milliseconds() }()
	switch {
	case d.Refused != "":
		rec.End = d.Refused
		return f
	case d.Round <= 0:
		rec.End = memory.DeepUnknown
		return f
	case d.Round > d.Budget:
		rec.End = memory.DeepTooSlow
		return f
	}
	ctx, cancel := context.WithTimeout(ctx, d.Budget)
	defer cancel()
	best, tried, round := f, []string{q.Text}, d.Round
	for n := 1; ; n++ {
		if n > deepRounds {
			rec.End = memory.DeepRounds
			break
		}
		if spent()+round > d.Budget {
			rec.End = memory.DeepTime
			break
		}
		if d.Tell != nil {
			d.Tell(n, deepRounds)
		}
		began := r.deps.Clock()
		made, next, end := r.round(ctx, best, q, tried, n)
		made.Ms = r.deps.Clock().Sub(began).Milliseconds()
		rec.Rounds = append(rec.Rounds, made)
		if rec.End = end; !end.Usable() && end != "" {
			return f
		}
		best = next
		if end != "" {
			break
		}
		tried, round = append(tried, made.Query), max(round, r.deps.Clock().Sub(began))
	}
	rc.Plan = memory.PlanModel
	return best
}

// round asks the judge once, and searches for what it wants. The end is "" where a further round may follow.
func (r *Recall) round(ctx context.Context, f found, q Query, tried []string, n int) (memory.DeepRound, found, memory.DeepEnd) {
	var made memory.DeepRound
	v, ok, err := q.Deep.Judge.Judge(ctx, q.Text, f.notes(), tried)
	if end := deepFailure(ctx, err); end != "" {
		if end == memory.DeepFailed {
			r.deps.Log.Warn("deep search", "model", q.Deep.Model, "error", err)
		}
		return made, f, end
	}
	query := strings.Join(strings.Fields(v.Search), " ")
	if !ok || utf8.RuneCountInString(query) > deepQuery {
		return made, f, memory.DeepNonsense
	}
	if v.Enough {
		made.Enough = true
		return made, f, memory.DeepEnough
	}
	if query == "" || slices.ContainsFunc(tried, func(t string) bool { return strings.EqualFold(t, query) }) {
		return made, f, memory.DeepNothing
	}
	made.Query = query
	more, err := r.search(ctx, query, q.scope())
	if err == nil {
		more.markWeak()
		err = r.heed(ctx, &more, q.AgentID, q.ConversationID)
	}
	if end := deepFailure(ctx, err); end != "" {
		if end == memory.DeepFailed {
			r.deps.Log.Warn("deep search", "error", err)
		}
		return made, f, end
	}
	f, made.Found = f.with(more, n)
	return made, f, ""
}

// deepFailure says how an error ends a deep search, "" where there is none.
func deepFailure(ctx context.Context, err error) memory.DeepEnd {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return memory.DeepLate
	case err != nil || ctx.Err() != nil:
		return memory.DeepFailed
	}
	return ""
}

// with returns what was found, and what a rewritten query has found besides or has found strong where it was weak. That
// counts only where it has evidence enough by itself, since nobody has said what the query says. n is how many they are.
func (f found) with(more found, round int) (result found, n int) {
	all := slices.Clone(f.candidates)
	at := make(map[store.Ref]int, len(all))
	for i, c := range all {
		at[c.Ref] = i
	}
	for _, c := range more.candidates[:min(len(more.candidates), judged)] {
		c.weak = c.weak || c.evidence < 1
		i, known := at[c.Ref]
		if c.wish == memory.UseAlways || known && (c.weak || !all[i].weak) {
			continue // an always one is there already
		}
		c.parts.scale(roundShare)
		c.score, c.round = c.parts.sum(), round
		if known {
			all[i] = c
		} else {
			all = append(all, c)
		}
		n++
	}
	sortByScore(all)
	f.candidates = all
	f.terms = append(slices.Clone(f.terms), more.terms...)
	f.vectors = f.vectors || more.vectors
	return f, n
}

// notes returns the best of what was found as the judge sees it: what would be injected, else what comes nearest to it.
func (f found) notes() []Note {
	top := slices.Clone(f.candidates[:min(len(f.candidates), judged)])
	top = slices.DeleteFunc(top, func(c *candidate) bool { return c.wish == memory.UseNever })
	slices.SortStableFunc(top, func(a, b *candidate) int { return cmp.Compare(order(a), order(b)) })
	var notes []Note
	for _, c := range top[:min(len(top), deepNotes)] {
		text := []rune(strings.Join(strings.Fields(excerpt(c.Text, f.terms)), " "))
		if len(text) > deepNoteChars {
			text = append(text[:deepNoteChars-1:deepNoteChars-1], '…')
		}
		notes = append(notes, Note{Text: string(text), Date: c.Date})
	}
	return notes
}

// order puts what is strong enough first.
func order(c *candidate) int {
	if c.weak {
		return 1
	}
	return 0
}

// best returns the strongest evidence of what plan A brings: neither what the model sees anyway nor the message once more.
func (f found) best(q Query) float64 {
	var best float64
	for _, c := range f.candidates {
		if !c.weak && !q.InWindow[c.ID] && !q.InWindow[c.Origin] && !c.question && c.wish != memory.UseNever {
			best = max(best, c.evidence)
		}
	}
	return best
}

var (
	asks = regexp.MustCompile(`(?i)[?？]|^\s*(who|what|when|where|which|why|how|did|do|does|was|were|is|are|have|has|had|can|could|tell me|remind me)\b|[吗呢么]\s*[。！!]*\s*$|什么|哪|谁|几|多少|怎么|还记得|告诉我|提醒我`)
	past = regexp.MustCompile(`(?i)\b(i|me|my|mine|we|us|our|ours|remember|recall|remind|again|before|earlier|previously|last|ago|yesterday|used to|told|said|mentioned|talked|discussed)\b|[我咱]|记得|上次|上回|以前|之前|曾经|昨天|前天|去年|上个?[月周]|说过|提过|聊过|告诉过|讲过`)
)

// asksAboutPast tells whether a message asks for something about the user, or about what was said before.
func asksAboutPast(text string) bool {
	return utf8.RuneCountInString(text) <= askingChars && asks.MatchString(text) && (past.MatchString(text) || len(toldAs(text)) > 0)
}
