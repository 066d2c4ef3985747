package recall

import (
	"math"
	"slices"
)

// What each feature is worth, 0 for none. Fitted to the questions of LoCoMo's first five conversations and of MADial-Bench
// together (softmax over the candidates of a question, all evidence alike, ridge of .01), once by words alone and once with the
// vectors of multilingual-e5-small; docs/evaluation.md tells how well each does on conversations that it was not fitted to.
// One configuration serves all languages, stores and embedders.
var (
	aloneWeights = features{
		fWords:          0.32,
		fOwn:            0.24,
		fNear:           -0.32,
		fCovered:        0.56,
		fAround:         3.51,
		fBefore:         -1.02,
		fAfter:          0.04,
		fSession:        0.92,
		fSpeaker:        0.4,
		fNamed:          2.96,
		fQuestion:       -0.69,
		fAnswers:        0.12,
		fLong:           -0.27,
		fTime:           2.33,
		fBeforeThat:     1.32,
		fDetail:         0.75,
		fClose:          0.3,
		fFirst:          0.99,
		fOwnRank:        0.14,
		fWordsOwn:       -1.51,
		fWordsSpeaker:   0.13,
		fOwnSpeaker:     -0.06,
		fOwnLong:        3.48,
		fCovered2:       0.45,
		fAround2:        -1.14,
		fAnswered:       2.78,
		fSession2:       1.44,
		fSessionSpeaker: 0.57,
	}
	vectorWeights = features{
		fWords:           1.41,
		fOwn:             -0.15,
		fNear:            -0.18,
		fCovered:         0.21,
		fAround:          1.45,
		fBefore:          -1.05,
		fAfter:           -0.46,
		fSession:         1.07,
		fSpeaker:         0.44,
		fNamed:           1.51,
		fQuestion:        -0.56,
		fAnswers:         -0.32,
		fLong:            2.83,
		fTime:            2.37,
		fBeforeThat:      1.12,
		fDetail:          0.49,
		fClose:           0.23,
		fFirst:           1.54,
		fOwnRank:         0.14,
		fWordsOwn:        -1.04,
		fWordsSpeaker:    -0.59,
		fOwnSpeaker:      0.43,
		fOwnLong:         2.0,
		fCovered2:        2.01,
		fAround2:         -0.56,
		fAnswered:        2.07,
		fSession2:        0.95,
		fSessionSpeaker:  -0.27,
		fMeaning:         1.95,
		fContext:         2.74,
		fMeaningBefore:   -0.5,
		fMeaningAfter:    0.47,
		fSessionMeaning:  1.26,
		fOwnMeaning:      0.56,
		fWordsContext:    -0.85,
		fSpeakerMeaning:  0.46,
		fSpeakerContext:  0.02,
		fSessionContext:  0.48,
		fMeaningContext:  -0.29,
		fCoveredContext:  -2.64,
		fAnsweredMeaning: 1.1,
		fQuestionMeaning: -0.17,
		fMeaning2:        -0.21,
		fContext2:        0.13,
		fMeaningRank:     -0.18,
		fContextRank:     0.55,
	}
	// dialogueWeights are added to vectorWeights where the message is itself a dialogue: it asks for nothing in particular, so
	// that meaning tells more than words.
	dialogueWeights = features{
		fWords:       -3.58,
		fOwn:         0.47,
		fCovered:     10.43,
		fNamed:       1.51,
		fLong:        0.05,
		fClose:       5.53,
		fFirst:       -1.51,
		fOwnRank:     0.86,
		fCovered2:    -10.32,
		fMeaning:     0.7,
		fOwnMeaning:  -0.46,
		fMeaning2:    -0.46,
		fMeaningRank: 0.47,
	}
)

// spread is the sum of weighted features that makes a score of 1 − 1/e.
const spread = 8.0

// squash brings a sum of weighted features below 1; unsquash undoes it.
func squash(sum float64) float64 { return 1 - math.Exp(-sum/spread) }

func unsquash(score float64) float64 { return -spread * math.Log(1-score) }

// partOf tells to which part of a score a feature belongs.
var partOf = [featureCount]int{
	fWords:           byWords,
	fOwn:             byWords,
	fNear:            byWords,
	fCovered:         byWords,
	fAround:          byWords,
	fBefore:          byWords,
	fAfter:           byWords,
	fSession:         bySession,
	fSpeaker:         bySpeaker,
	fNamed:           bySpeaker,
	fQuestion:        byQuestion,
	fAnswers:         byQuestion,
	fLong:            byQuestion,
	fTime:            byTime,
	fBeforeThat:      byWords,
	fDetail:          byQuestion,
	fClose:           byWords,
	fFirst:           byWords,
	fOwnRank:         byWords,
	fWordsOwn:        byWords,
	fWordsSpeaker:    bySpeaker,
	fOwnSpeaker:      bySpeaker,
	fOwnLong:         byWords,
	fCovered2:        byWords,
	fAround2:         byWords,
	fAnswered:        byQuestion,
	fSession2:        bySession,
	fSessionSpeaker:  bySpeaker,
	fMeaning:         byMeaning,
	fContext:         byMeaning,
	fMeaningBefore:   byMeaning,
	fMeaningAfter:    byMeaning,
	fSessionMeaning:  bySession,
	fOwnMeaning:      byMeaning,
	fWordsContext:    byMeaning,
	fSpeakerMeaning:  bySpeaker,
	fSpeakerContext:  bySpeaker,
	fSessionContext:  bySession,
	fMeaningContext:  byMeaning,
	fCoveredContext:  byMeaning,
	fAnsweredMeaning: byQuestion,
	fQuestionMeaning: byQuestion,
	fMeaning2:        byMeaning,
	fContext2:        byMeaning,
	fMeaningRank:     byMeaning,
	fContextRank:     byMeaning,
}

// bonusTold is for a candidate that says in the usual words what the message asks about the user.
const bonusTold = 6.0

// score sets the scores of the candidates.
func (f *found) score(all []*candidate, text string) {
	measure(all, text, f.terms, f.total)
	w := aloneWeights
	if f.vectors {
		w = vectorWeights
		if dialogueOf(text).is() {
			for i, more := range dialogueWeights {
				w[i] += more
			}
		}
	}
	var leveled func(score) score
	if slices.ContainsFunc(all, func(c *candidate) bool { return c.blind }) {
		leveled = even(all, &w)
	}
	for _, c := range all {
		if c.blind {
			c.parts = leveled(c.weighed(&aloneWeights))
		} else {
			c.parts = c.weighed(&w)
		}
		if c.tells(f.told) {
			c.told = true
			c.parts[byTold] = bonusTold
		}
		if sum := c.parts.sum(); sum != 0 {
			c.parts.scale(squash(sum) / sum)
		}
		c.score = c.parts.sum()
		c.base = c.score
	}
}

// weighed returns the parts of what the features of a candidate are worth.
func (c *candidate) weighed(w *features) (s score) {
	for i, v := range c.features {
		s[partOf[i]] += w[i] * v
	}
	return s
}

// What a score by words alone comes to on average, and how far it varies, beside one where meaning counts too: of the
// candidates that words have found for the questions of LoCoMo. Where a question has enough of them, its own tell.
const (
	evenFrom                     = 8
	aloneMean, aloneSpread       = 2.9, 1.4
	togetherMean, togetherSpread = 5.7, 1.7
)

// even returns what brings a score by words alone to the scale of those where meaning counts too, so that neither a place
// that has vectors comes first nor one that has none: as far above or below the others in one scale as in the other.
func even(all []*candidate, w *features) func(score) score {
	var alone, together []float64
	for _, c := range all {
		if c.lexRank > 0 && !c.blind {
			a, b := c.weighed(&aloneWeights), c.weighed(w)
			alone, together = append(alone, a.sum()), append(together, b.sum())
		}
	}
	from, fromSpread, to, toSpread := aloneMean, aloneSpread, togetherMean, togetherSpread
	if len(alone) >= evenFrom {
		if mean, spread := moments(alone); spread > 0 {
			from, fromSpread = mean, spread
			to, toSpread = moments(together)
		}
	}
	return func(s score) score {
		if sum := s.sum(); sum != 0 {
			s.scale((to + (sum-from)*toSpread/fromSpread) / sum)
		}
		return s
	}
}

// moments returns the mean of values and their standard deviation.
func moments(values []float64) (mean, spread float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		spread += (v - mean) * (v - mean) / float64(len(values))
	}
	return mean, math.Sqrt(spread)
}
