package recall

import (
	"context"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

const (
	injectedChars = 1000 // of one memory
	memoryTokens  = 12   // date and marks around an injected memory
)

// For returns the receipt of what a message recalls; its candidates that are Taken are to be injected. The receipt can
// always be used: where something fails it holds what was found without it, and the error is for the log.
func (r *Recall) For(ctx context.Context, q Query) (memory.Receipt, error) {
	start := r.deps.Clock()
	rc := memory.Receipt{
		MessageID: q.MessageID, Query: q.Text, Plan: memory.PlanRules, Cap: q.Cap, Floor: 1,
		Candidates: []memory.Candidate{}, Blocks: []memory.ReceiptBlock{}, CreatedAt: start,
	}
	if strings.TrimSpace(q.Text) == "" {
		return rc, nil
	}
	f, err := r.search(ctx, q.Text, q.scope())
	rc.Vectors, rc.WordsOnly, rc.EmbedMs = f.vectors, f.wordsOnly, f.embed.Milliseconds()
	if err != nil {
		rc.Micros = r.deps.Clock().Sub(start).Microseconds()
		return rc, err
	}
	rc.Floor = f.markWeak()
	facts, err := r.known(ctx, q)
	if err != nil {
		return rc, err
	}
	f.candidates = append(facts, f.candidates...)
	err = r.heed(ctx, &f, q.AgentID, q.ConversationID)
	rc.Micros = max(0, (r.deps.Clock().Sub(start) - f.waited).Microseconds())
	if err == nil {
		f = r.deepen(ctx, f, &rc, q)
	}
	rc.Considered = len(f.candidates)
	f.spend(&rc, q)
	return rc, err
}

// markWeak marks the candidates that are not strong enough to be injected, and returns the floor.
func (f *found) markWeak() float64 {
	if len(f.candidates) == 0 {
		return 1
	}
	f.least = f.floor()
	for _, c := range f.candidates {
		c.weak = !c.reaches(f.least) || c.itself < itselfNeeded && !c.saysMuch()
	}
	return f.least
}

// reaches tells whether a candidate reaches a score by itself, or because it is of the time that is asked for or says what is
// true now.
func (c *candidate) reaches(least float64) bool {
	return c.base >= least || c.score >= least && (c.parts[byTime] > 0 || c.parts[byFresh] > 0)
}

// spend goes through the candidates, best first, and takes what is strong enough, new to the model and fits.
func (f *found) spend(rc *memory.Receipt, q Query) {
	asked := newSaying(q.Text)
	var taken []saying
	told := map[string]map[string]bool{} // words of what is taken of a document
	best := f.candidates[:min(len(f.candidates), judged)]
	f.summariesLast(best)
	for _, c := range best {
		text := excerpt(c.Text, f.terms)
		out := c.receipt(text)
		out.Tokens = count(q.Counter, text) + memoryTokens
		if c.replaced != nil {
			out.Tokens += count(q.Counter, c.replaced.Text) + memoryTokens
		}
		if !c.begins.IsZero() || !c.ends.IsZero() {
			out.Tokens += memoryTokens
		}
		var said saying
		repeats := func() bool {
			said = newSaying(c.Text)
			return c.repeats(told) || c.question && said.within(asked) || said.equal(asked) || slices.ContainsFunc(taken, said.within)
		}
		switch {
		case c.wish == memory.UseNever:
			out.Why = memory.WhyNever
		case c.weak:
			out.Why = memory.WhyBelowFloor
		case q.InWindow[c.ID] || c.Origin != "" && q.InWindow[c.Origin]:
			out.Why = memory.WhyInWindow
		case repeats():
			out.Why = memory.WhyDuplicate
		case rc.Tokens+out.Tokens > rc.Cap:
			out.Why = memory.WhyCap
		default:
			out.Why, out.Taken = memory.WhyTaken, true
			rc.Tokens += out.Tokens
			taken = append(taken, said)
			if d := c.Document; d != nil && d.Page > 0 {
				told[d.ID] = join(told[d.ID], newSaying(text).terms)
			}
		}
		rc.Candidates = append(rc.Candidates, out)
	}
}

// summariesLast puts each summary of a document behind the passages of it that say all that it repeats: one of the two suffices, and
// they say it where it stands.
func (f *found) summariesLast(best []*candidate) {
	for _, s := range slices.Clone(best) {
		if d := s.Document; d == nil || d.Page > 0 || s.weak {
			continue
		}
		told := map[string]map[string]bool{}
		for i, c := range best {
			if d := c.Document; d == nil || d.ID != s.Document.ID || d.Page == 0 || c.weak || c.wish == memory.UseNever {
				continue
			}
			told[c.Document.ID] = join(told[c.Document.ID], newSaying(excerpt(c.Text, f.terms)).terms)
			if !s.repeats(told) {
				continue
			}
			if at := slices.Index(best, s); at < i {
				copy(best[at:i], best[at+1:i+1])
				best[i] = s
			}
			break
		}
	}
}

// repeats tells whether a candidate is the summary of a document and says nothing beyond words that are told of it.
func (c *candidate) repeats(told map[string]map[string]bool) bool {
	if c.Document == nil || c.Document.Page > 0 || told[c.Document.ID] == nil {
		return false
	}
	return contains(told[c.Document.ID], newSaying(memory.SummaryRepeats(c.Text)).terms)
}

// receipt returns the candidate as people and the API see it.
func (c *candidate) receipt(text string) memory.Candidate {
	return memory.Candidate{
		Kind: c.Kind, Layer: c.layer(), ID: c.ID, Text: text, Role: c.Role, ByRule: c.End == memory.EndRule, Origin: c.Origin, Date: c.Date,
		Lexical: c.lexical, Semantic: c.semantic, LexRank: c.lexRank, SemRank: c.semRank,
		Session: c.parts[bySession], Score: c.score, Parts: c.parts.parts(), Evidence: c.evidence, Hop: c.hop,
		ConversationID: c.ConversationID, Document: c.Document, Feedback: c.wish, Round: c.round, Replaced: c.replaced,
		Begins: c.begins, Ends: c.ends,
	}
}

// layer says where a candidate stands.
func (c *candidate) layer() memory.Layer {
	if c.Document != nil {
		return memory.LayerDocument
	}
	return memory.Layer(c.Kind)
}

// count returns the tokens of a text, by a counter if there is one.
func count(c Counter, text string) int {
	if c == nil {
		return (len(text) + 3) / 4
	}
	return c.Count(text)
}

// saying is a text as far as it matters for whether another one says the same.
type saying struct {
	text    string
	terms   map[string]bool // telling words; all words when none tells
	negated bool
}

// negations are words, parts of words and characters that turn a statement round.
var (
	negations     = []string{"not", "no", "never", "n't", "cannot", "without", "longer", "stopped", "quit", "former"}
	negationRunes = "不没沒别無无非未"
)

// wish is how people begin what is to be remembered, and the app what it says then; the statement is the same without it.
var wish = regexp.MustCompile(`(?i)^\s*(?:remembered(?:, [^:“]*)?: “|已记住(?:（[^）]*）)?：“)|^\s*(please[ ,]+)?((remember|note|keep in mind|do not forget|don['’]t forget)( that)?\b|(请|請)?(你|帮我|幫我)?(记住|記住|记得|記得|记一下|記一下|别忘了|別忘了))[：:，, ]*`)

func newSaying(text string) saying {
	text = wish.ReplaceAllString(text, "")
	s := saying{text: segment.Index(text), terms: map[string]bool{}, negated: strings.ContainsAny(text, negationRunes)}
	for _, t := range segment.Query(text) {
		s.terms[segment.Stem(strings.Trim(t, `"*`))] = true
	}
	for _, w := range strings.Fields(strings.ToLower(strings.ReplaceAll(text, "’", "'"))) {
		w = strings.Trim(w, ".,;:!?\"()")
		s.negated = s.negated || slices.Contains(negations, w) || strings.HasSuffix(w, "n't")
	}
	return s
}

// within tells whether another text says all that this one says: a lower-ranked memory that is within one already
// taken adds nothing. A different number or name, or a "not", makes it a different statement.
func (s saying) within(o saying) bool {
	return s.negated == o.negated && contains(o.terms, s.terms)
}

// contains tells whether words, of which there are some, are all among others.
func contains(all, words map[string]bool) bool {
	for t := range words {
		if !all[t] {
			return false
		}
	}
	return len(words) > 0
}

// join returns words with others among them.
func join(all, words map[string]bool) map[string]bool {
	if all == nil {
		all = map[string]bool{}
	}
	maps.Copy(all, words)
	return all
}

func (s saying) equal(o saying) bool { return s.text == o.text }

// excerpt returns at most injectedChars characters of a text: the lines or sentences around the words that were asked for,
// marked where something is left out.
func excerpt(text string, terms []term) string {
	text = strings.TrimSpace(text)
	if utf8.RuneCountInString(text) <= injectedChars {
		return text
	}
	pieces := sentences(text, injectedChars-2)
	best, bestWeight := 0, -1.0
	for i := range pieces {
		stems, n, weight := map[string]bool{}, 0, 0.0
		for j := i; j < len(pieces) && n+utf8.RuneCountInString(pieces[j]) <= injectedChars-2; j++ {
			n += utf8.RuneCountInString(pieces[j])
			for s := range stemsOf(pieces[j]) {
				stems[s] = true
			}
		}
		for _, t := range terms {
			if t.matched(stems) {
				weight += t.weight
			}
		}
		if weight > bestWeight {
			best, bestWeight = i, weight
		}
	}
	var b strings.Builder
	n, last := 0, best
	for ; last < len(pieces) && n+utf8.RuneCountInString(pieces[last]) <= injectedChars-2; last++ {
		n += utf8.RuneCountInString(pieces[last])
		b.WriteString(pieces[last])
	}
	out := strings.TrimSpace(b.String())
	if best > 0 {
		out = "…" + out
	}
	if last < len(pieces) {
		out += "…"
	}
	return out
}

// sentences cuts a text after ends of sentences and lines, and longer pieces at limit characters. Joined they are the
// text.
func sentences(text string, limit int) []string {
	var pieces []string
	start, n := 0, 0
	for i, c := range text {
		n++
		end := i + utf8.RuneLen(c)
		if strings.ContainsRune("\n。！？", c) || strings.ContainsRune(".!?", c) && end < len(text) && text[end] == ' ' || n == limit {
			pieces = append(pieces, text[start:end])
			start, n = end, 0
		}
	}
	if start < len(text) {
		pieces = append(pieces, text[start:])
	}
	return pieces
}
