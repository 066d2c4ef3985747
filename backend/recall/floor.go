package recall

import (
	"regexp"
	"slices"
)

// The floor: how much absolute evidence a memory needs to be injected. Evidence is in units that do not depend on the
// other candidates, so that it works for a store of three messages and of a million. Calibrated with the small talk,
// the nonsense and the questions of package eval.
const (
	wordsNeeded    = .28 // weight of the matched words, 1 = one word that occurs once in the store, times its share of all words
	itselfNeeded   = .05 // evidence in a memory itself, rather than in its neighbours …
	wordsForItself = 5   // … unless it says something, in this many words at least …
	muchText       = 200 // … or bytes
	leastWeight    = .4  // of the matched words
	longMessage    = 12  // weight of the words of a message beyond which its length raises the demand no further
	nearDeviation  = 3.0 // how many standard deviations nearer than unrelated texts a meaning must be …
	impersonal     = 1.8 // how many times as much evidence a message needs that is about nobody …
	asksOfSelf     = .6  // … one that asks about its author, or for what was said before …
	acquainted     = .25 // … and one that names somebody who speaks in a memory
	smallTalk      = 1.3 // … and how many times as many for a message that holds nothing but small talk

	showNear      = .67 // evidence that a result of a search on purpose needs when it has no word of the query
	aloneFloor    = .5  // share of the best score below which the rest is left out …
	vectorFloor   = .57 // … where meaning counts too
	neighbourPart = .5  // what a word is worth that stands in the message before or after
)

// judge sets the evidence of the best candidates.
func (f *found) judge(r *Recall, text string) {
	top := f.candidates[:min(len(f.candidates), judged)]
	byID := make(map[string]*candidate, len(top))
	for _, c := range top {
		c.words()
		byID[c.ID] = c
	}
	var unrelated, deviation float64
	if f.vectors { // the cosines are on the scale of the first
		unrelated, deviation, f.calibrated = r.probeOf(f.meanings[0].model).against(f.meanings[0].vector)
	}
	if !slices.ContainsFunc(f.terms, term.telling) {
		deviation *= smallTalk
	}
	demand := f.demand(text)
	deviation *= demand
	for _, c := range top {
		var near []map[string]bool
		if before := byID[c.ParentID]; before != nil {
			near = append(near, before.stems)
		}
		for _, o := range top {
			if o.ParentID != "" && o.ParentID == c.ID {
				near = append(near, o.stems)
			}
		}
		matched, nearby, total := compare(f.terms, c.stems, near)
		c.evidence = f.worth(matched+nearby*neighbourPart, total) / demand
		c.itself = f.worth(matched, total) / demand
		if c.told || c.hop > 0 {
			c.evidence, c.itself = max(c.evidence, 1), max(c.itself, 1)
		}
		if c.after {
			c.itself = max(c.itself, itselfNeeded)
		}
		if !f.calibrated {
			continue
		}
		cosine := (c.own + c.ctx) / 2
		if c.own == 0 || c.ctx == 0 {
			cosine = max(c.own, c.ctx)
		}
		if cosine > 0 {
			near := (cosine - unrelated) / deviation / nearDeviation
			c.evidence, c.itself = max(c.evidence, near), max(c.itself, near)
		}
	}
}

// aboutSomebody are the words by which a message is about its author.
var aboutSomebody = regexp.MustCompile(`(?i)\b(i|i'm|i've|me|my|mine|myself|we|we're|our|ours|us)\b|[我咱俺]`)

// wanted are the words by which somebody asks for something to be done or explained, which are not about them: “tell me a
// joke”, “how do I boil an egg?”.
var wanted = regexp.MustCompile(`(?i)\b(tell|give|show|help|teach|write|make|send|find|read|sing|let) (me|us)\b|\bhow (do|can|could|should|would) (i|we)\b|` +
	`\b(can|could|may|should|shall) (i|we)\b|[给給帮幫教替]我|告诉我|告訴我`)

// demand returns how much evidence a message needs, 1 as a rule. Memories are about people: a message that names one of those
// who speak in them is most likely about them, as is a question about oneself; one that is about nobody is most likely general
// knowledge or an order.
func (f *found) demand(text string) float64 {
	if len(namedSpeakers(f.candidates, text)) > 0 {
		return acquainted
	}
	if asksAboutPast(wanted.ReplaceAllString(text, "")) {
		return asksOfSelf
	}
	if aboutSomebody.MatchString(text) {
		return 1
	}
	return impersonal
}

// words returns the stems of a candidate's words.
func (c *candidate) words() map[string]bool {
	if c.stems == nil {
		c.stems = stemsOf(c.Text)
	}
	return c.stems
}

// saysMuch tells whether a candidate says something, in words enough.
func (c *candidate) saysMuch() bool {
	return len(c.Text) > muchText || len(c.words()) >= wordsForItself
}

// worth returns the evidence of matched words.
func (f *found) worth(matched, total float64) float64 {
	if matched == 0 {
		return 0
	}
	return min(matched*matched/min(total, longMessage)/wordsNeeded, matched/leastWeight)
}

// floor returns the score below which nothing is taken: a share of the best where some candidate has enough evidence, else 1,
// which no candidate reaches.
func (f *found) floor() float64 {
	top := f.candidates[:min(len(f.candidates), judged)]
	if !slices.ContainsFunc(top, func(c *candidate) bool { return c.evidence >= 1 }) {
		return 1
	}
	var best float64
	for _, c := range top {
		best = max(best, c.base)
	}
	if f.vectors {
		return squash(vectorFloor * unsquash(best))
	}
	return squash(aloneFloor * unsquash(best))
}
