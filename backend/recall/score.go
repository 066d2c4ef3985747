package recall

import "recollect/backend/memory"

// score is what a candidate's place depends on, kept by its parts, so that a receipt can say where it comes from.
type score [len(scoreNames)]float64

// The parts of a score, in the order in which a receipt shows them.
const (
	byWords = iota
	byMeaning
	bySession
	bySpeaker
	byTold
	byExact
	byTime
	byFresh
	byQuestion
	byFeedback
)

var scoreNames = [...]memory.ScoreName{
	byWords: memory.ScoreWords, byMeaning: memory.ScoreMeaning, bySession: memory.ScoreSession, bySpeaker: memory.ScoreSpeaker,
	byTold: memory.ScoreTold, byExact: memory.ScoreExact, byTime: memory.ScoreTime, byFresh: memory.ScoreFresh,
	byQuestion: memory.ScoreQuestion, byFeedback: memory.ScoreFeedback,
}

// sum returns the score.
func (s *score) sum() float64 {
	var sum float64
	for _, v := range s {
		sum += v
	}
	return sum
}

// scale multiplies all parts.
func (s *score) scale(by float64) {
	for i := range s {
		s[i] *= by
	}
}

// parts returns those that are not 0.
func (s *score) parts() []memory.ScorePart {
	var parts []memory.ScorePart
	for i, v := range s {
		if v != 0 {
			parts = append(parts, memory.ScorePart{Name: scoreNames[i], Value: v})
		}
	}
	return parts
}
