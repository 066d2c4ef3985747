package recall

import "slices"

// The floor: how much absolute evidence a memory needs to be injected. Evidence is in units that do not depend on the
// other candidates, so that it works for a store of three messages and of a million. Calibrated with the small talk,
// the nonsense and the questions of package eval.
const (
	rareWords     = .95 // weight of the matched words, 1 = one word that occurs once in the store …
	coverage      = .3  // … together with this share of the weight of all words of the message
	fewWords      = .45 // or less weight …
	mostCoverage  = .6  // … with most of what the message says
	nearDeviation = 3.0 // or a meaning this many standard deviations nearer than unrelated texts

	showNear      = .67 // evidence that a result of a search on purpose needs when it has no word of the query
	relativeFloor = .4  // share of the best score below which the rest is left out
	neighbourPart = .5  // what a word is worth that stands in the message before or after
)

// judge sets the evidence of the best candidates.
func (f *found) judge(p *probe, query []float32) {
	top := f.candidates[:min(len(f.candidates), judged)]
	byID := make(map[string]*candidate, len(top))
	for _, c := range top {
		c.stems = stemsOf(c.Text)
		byID[c.ID] = c
	}
	unrelated, deviation, known := p.against(query)
	f.calibrated = known
	for _, c := range top {
		var near []*candidate
		if before := byID[c.ParentID]; before != nil {
			near = append(near, before)
		}
		for _, o := range top {
			if o.ParentID != "" && o.ParentID == c.ID {
				near = append(near, o)
			}
		}
		var matched float64
		for _, t := range f.terms {
			switch {
			case t.matched(c.stems):
				matched += t.weight
			case slices.ContainsFunc(near, func(n *candidate) bool { return t.matched(n.stems) }):
				matched += t.weight * neighbourPart
			}
		}
		if f.total > 0 {
			share := matched / f.total
			c.evidence = max(min(matched/rareWords, share/coverage), min(matched/fewWords, share/mostCoverage))
		}
		if known && c.own != 0 && c.ctx != 0 {
			c.evidence = max(c.evidence, ((c.own+c.ctx)/2-unrelated)/deviation/nearDeviation)
		} else if known && max(c.own, c.ctx) > 0 {
			c.evidence = max(c.evidence, (max(c.own, c.ctx)-unrelated)/deviation/nearDeviation)
		}
	}
}

// floor returns the score below which nothing is taken: a share of the best score where some candidate has enough
// evidence, else 1, which no candidate reaches.
func (f *found) floor() float64 {
	top := f.candidates[:min(len(f.candidates), judged)]
	if !slices.ContainsFunc(top, func(c *candidate) bool { return c.evidence >= 1 }) {
		return 1
	}
	return relativeFloor * top[0].score
}
