package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

// ForgotSince reports whether the user, or a model, has taken something out of an agent's memory since a time: words of a block with
// none in their place, a block, a passage, a document or a fact. What was written otherwise is not meant, nor what the app does by itself.
func (s *Store) ForgotSince(ctx context.Context, agentID string, since time.Time) (bool, error) {
	const op = "look for what was forgotten"
	taken, err := all(ctx, s, func(r scanner) (bool, error) {
		var subject memory.Subject
		var before, after string
		if err := r.Scan(&subject, &before, &after); err != nil {
			return false, err
		}
		if subject != memory.SubjectBlock || after == "" {
			return true, nil
		}
		var was, is memory.Block
		if err := json.Unmarshal([]byte(before), &was); err != nil {
			return false, err
		}
		err := json.Unmarshal([]byte(after), &is)
		return takenOut(was.Value, is.Value), err
	}, "revisions_taking", agentID, memory.FirstID("revision", since), millis(since))
	return slices.Contains(taken, true), fault(op, err)
}

// Gone returns those of some passages and facts, by their ids, that were deleted, themselves or with their document.
func (s *Store) Gone(ctx context.Context, ids []string) ([]string, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	gone, err := all(ctx, s, value[string], "memories_gone", encode(ids))
	return gone, fault("look for deleted memories", err)
}

// takenOut reports whether a text lacks words of what it was, with none in their place: a line, or a part of one.
func takenOut(was, is string) bool {
	lines := func(text, other string) []string {
		there := strings.Split(other, "\n")
		return slices.DeleteFunc(strings.Split(text, "\n"), func(l string) bool { return strings.TrimSpace(l) == "" || slices.Contains(there, l) })
	}
	gone, come := lines(was, is), lines(is, was)
	return len(gone) > len(come) || slices.ContainsFunc(come, func(c string) bool {
		return slices.ContainsFunc(gone, func(g string) bool { return isPart(c, g) })
	})
}

// isPart reports whether a line is another one with something left out.
func isPart(line, whole string) bool {
	rest := []rune(line)
	for _, r := range whole {
		if len(rest) > 0 && rest[0] == r {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}
