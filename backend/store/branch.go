package store

import (
	"context"
	"database/sql"
	"strings"
	"time"

	"golang.org/x/text/unicode/norm"

	"recollect/backend/memory"
)

// Stretch is some messages of a branch that follow each other.
type Stretch struct {
	Messages []memory.Message
	Older    bool // the branch has messages before them
	Newer    bool // and after them
}

// PathAround returns a message of the branch that ends in leafID with up to before messages in front of it and up to
// after behind it. It fails with ENOTFOUND where the message is not on that branch.
func (s *Store) PathAround(ctx context.Context, leafID, messageID string, before, after int) (Stretch, error) {
	const op = "read branch"
	var out Stretch
	// From the leaf up to the message; of these the ones next to it.
	rows, err := all(ctx, s, scanMessage, branchUpTo+messageSelect+
		` JOIN branch b ON b.key = m.key WHERE EXISTS (SELECT 1 FROM branch WHERE id = ?2) ORDER BY b.depth DESC LIMIT ?3`,
		leafID, messageID, after+2)
	if err != nil {
		return out, fault(op, err)
	}
	if len(rows) == 0 {
		return out, missingOr(op, "message", messageID, sql.ErrNoRows)
	}
	if out.Newer = len(rows) > after+1; out.Newer {
		rows = rows[:after+1]
	}
	if out.Messages, err = s.complete(ctx, rows); err != nil {
		return out, fault(op, err)
	}
	older, err := s.Path(ctx, leafID, before+1, messageID)
	if err != nil {
		return out, err
	}
	if out.Older = len(older) > before; out.Older {
		older = older[1:]
	}
	out.Messages = append(older, out.Messages...)
	return out, nil
}

// MessageAt returns the first message of a branch that is not older than at, or its last one.
func (s *Store) MessageAt(ctx context.Context, leafID string, at time.Time) (string, error) {
	ids, err := all(ctx, s, value[string], branchUpTo+`SELECT id FROM branch
		WHERE created_at >= ?3 OR depth = 0 ORDER BY depth DESC LIMIT 1`, leafID, "", millis(at))
	if err == nil && len(ids) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return "", missingOr("find message", "message", leafID, err)
	}
	return ids[0], nil
}

// FindInBranch returns the ids of the messages of a branch whose text contains the query, the oldest first. Case and the
// width of characters make no difference.
func (s *Store) FindInBranch(ctx context.Context, leafID, query string) ([]string, error) {
	found := []string{}
	query = folded(query)
	if query == "" || leafID == "" {
		return found, nil
	}
	err := pairs(ctx, s, func(id, content string) {
		if strings.Contains(folded(content), query) {
			found = append(found, id)
		}
	}, branchUpTo+`SELECT m.id, m.content FROM branch b JOIN message m ON m.key = b.key
		WHERE m.role IN ('user', 'assistant') ORDER BY b.depth DESC`, leafID, "")
	return found, fault("find in conversation", err)
}

// branchUpTo is the branch that ends in the message ?1, up to the message ?2 ("" = the root).
const branchUpTo = `WITH RECURSIVE branch (key, parent, id, created_at, depth) AS (
		SELECT key, parent, id, created_at, 0 FROM message WHERE id = ?1
		UNION ALL
		SELECT m.key, m.parent, m.id, m.created_at, b.depth + 1 FROM branch b JOIN message m ON m.key = b.parent WHERE b.id <> ?2
	) `

// folded makes texts comparable that differ only in case or in the width of characters.
func folded(text string) string { return strings.ToLower(norm.NFKC.String(text)) }
