package recall

import "math"

// What each feature is worth, 0 for none. Fitted to the questions of LoCoMo's first five conversations and of MADial-Bench
// together (softmax over the candidates of a question, all evidence alike), once by words alone (ridge of .01) and once with the
// vectors of multilingual-e5-small (.003); docs/evaluation.md tells how well each does on conversations that it was not fitted to.
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
		fWords:           0.84,
		fOwn:             0.92,
		fNear:            -0.24,
		fCovered:         -0.97,
		fAround:          3.55,
		fBefore:          -1.01,
		fAfter:           -0.51,
		fSession:         1.04,
		fSpeaker:         0.85,
		fNamed:           3.52,
		fQuestion:        -1.13,
		fAnswers:         0.14,
		fLong:            1.95,
		fTime:            2.3,
		fDetail:          0.49,
		fClose:           0.39,
		fFirst:           0.64,
		fOwnRank:         0.1,
		fWordsOwn:        -1.93,
		fWordsSpeaker:    0.62,
		fOwnSpeaker:      -0.3,
		fOwnLong:         2.77,
		fCovered2:        1.94,
		fAround2:         -1.68,
		fAnswered:        2.21,
		fSession2:        1.72,
		fSessionSpeaker:  0.02,
		fMeaning:         1.59,
		fContext:         2.27,
		fMeaningBefore:   0.07,
		fMeaningAfter:    0.6,
		fSessionMeaning:  1.55,
		fOwnMeaning:      0.22,
		fWordsContext:    -1.56,
		fSpeakerMeaning:  -0.3,
		fSpeakerContext:  -0.57,
		fSessionContext:  -0.96,
		fMeaningContext:  0.41,
		fCoveredContext:  -0.86,
		fAnsweredMeaning: 0.87,
		fQuestionMeaning: 0.56,
		fMeaning2:        -0.88,
		fContext2:        0.17,
		fMeaningRank:     0.22,
		fContextRank:     0.97,
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
	w := &aloneWeights
	if f.vectors {
		w = &vectorWeights
	}
	for _, c := range all {
		c.parts = score{}
		for i, v := range c.features {
			c.parts[partOf[i]] += w[i] * v
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
