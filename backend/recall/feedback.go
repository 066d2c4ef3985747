package recall

import (
	"context"
	"fmt"

	"recollect/backend/memory"
	"recollect/backend/store"
)

const (
	lessScore   = .5   // share of its score that a memory keeps which is to be used less …
	lessTimes   = 2    // … and how many times the evidence it needs
	alwaysScore = .999 // of a memory that is always to be used: it comes first, since no other score reaches that
)

// heed lets what the user said about memories count. What is to be used less counts half, and is taken only where nothing
// fits better and with twice the evidence; what is always to be used comes first, whether the message is about it or not;
// what is never to be used in this conversation is out, whatever else was said about it.
func (r *Recall) heed(ctx context.Context, f *found, agentID, conversationID string) error {
	said, err := r.deps.Store.Feedback(ctx, agentID)
	if err != nil {
		return fmt.Errorf("read feedback: %w", err)
	}
	if len(said) == 0 {
		return nil
	}
	wishes := map[store.Ref]memory.FeedbackUse{}
	for _, s := range said {
		ref := store.Ref{Kind: s.Kind, ID: s.ItemID}
		switch {
		case s.Use == memory.UseNever && s.ConversationID != conversationID, wishes[ref] == memory.UseNever:
		default:
			wishes[ref] = s.Use
		}
	}
	byRef := make(map[store.Ref]*candidate, len(f.candidates))
	for _, c := range f.candidates {
		byRef[c.Ref] = c
	}
	var missing []*candidate
	for _, s := range said {
		ref := store.Ref{Kind: s.Kind, ID: s.ItemID}
		if s.Use == memory.UseAlways && wishes[ref] == memory.UseAlways && byRef[ref] == nil {
			missing = append(missing, &candidate{Item: store.Item{Ref: ref}})
		}
	}
	if missing, err = r.load(ctx, missing); err != nil {
		return err
	}
	for _, c := range missing {
		c.stems = stemsOf(c.Text)
	}
	f.candidates = append(f.candidates, missing...)
	var best float64
	for _, c := range f.candidates {
		best = max(best, c.score)
	}
	for _, c := range f.candidates {
		c.wish = wishes[c.Ref]
		c.weak = c.weak || c.wish == memory.UseLess && c.score < best
		switch c.wish {
		case memory.UseLess:
			c.parts[byFeedback] = (lessScore - 1) * c.score
			c.evidence /= lessTimes
		case memory.UseAlways:
			c.parts[byFeedback] = alwaysScore - c.score
		default:
			continue
		}
		c.score = c.parts.sum()
		c.weak = c.wish == memory.UseLess && (c.weak || c.evidence < 1)
	}
	sortByScore(f.candidates)
	return nil
}
