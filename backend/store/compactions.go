package store

import (
	"context"
	"encoding/json"
	"time"

	"recollect/backend/memory"
)

// SaveCompaction stores a compaction, in place of an earlier state of it, with the event that reports it. A new one gets its
// id and, where it has none, its time.
func (s *Store) SaveCompaction(ctx context.Context, c memory.Compaction) (memory.Compaction, error) {
	err := s.write(ctx, "store compaction", kept, func(t *tx) error { return t.putCompaction(&c) })
	return c, err
}

// putCompaction is SaveCompaction within a transaction that also changes memory.
func (t *tx) putCompaction(c *memory.Compaction) error {
	if c.ID == "" {
		c.ID = t.s.ids.New("compaction")
	}
	if c.CreatedAt.IsZero() {
		c.CreatedAt = t.now
	}
	if err := t.run("compaction_put", c.ID, string(c.Kind), c.AgentID, c.ConversationID, string(c.State), millis(c.CreatedAt), encode(c)); err != nil {
		return err
	}
	return t.emit("compaction."+string(c.State), c.AgentID, c.ConversationID, map[string]any{
		"compaction_id": c.ID, "kind": string(c.Kind), "agent_id": c.AgentID, "conversation_id": c.ConversationID, "trigger": string(c.Trigger),
		"strategy": string(c.Strategy), "saved": c.Saved(), "evicted": len(c.Evicted),
	})
}

// TimeRebase notes on a compaction how long the engine took to read the new beginning of the prompt. Whatever became of it
// meanwhile stays.
func (s *Store) TimeRebase(ctx context.Context, id string, took time.Duration) error {
	return s.write(ctx, "store compaction", lazy, func(t *tx) error {
		c, err := one(t.ctx, t, jsonOf[memory.Compaction], "compaction_get", id)
		if err != nil {
			return missingOr("store compaction", "compaction", id, err)
		}
		c.RebaseMs = took.Milliseconds()
		return t.run("compaction_put", c.ID, string(c.Kind), c.AgentID, c.ConversationID, string(c.State), millis(c.CreatedAt), encode(&c))
	})
}

// Compaction returns one compaction; ENOTFOUND when there is none with the id.
func (s *Store) Compaction(ctx context.Context, id string) (memory.Compaction, error) {
	return readBody[memory.Compaction](ctx, s, "read compaction", "compaction_get", id)
}

// CompactionFilter says which compactions are meant; a zero field means all.
type CompactionFilter struct {
	AgentID        string
	ConversationID string
	Kind           memory.CompactionKind
	Cursor         string // the id that the page before ended with
	Limit          int    // 0 = 50
}

// Compactions returns the newest compactions first, and the cursor of the next page, "" at the end.
func (s *Store) Compactions(ctx context.Context, f CompactionFilter) ([]memory.Compaction, string, error) {
	const op = "list compactions"
	if f.Limit <= 0 {
		f.Limit = 50
	}
	list, err := all(ctx, s, func(row scanner) (memory.Compaction, error) {
		var c memory.Compaction
		body, err := value[string](row)
		if err != nil {
			return c, err
		}
		return c, json.Unmarshal([]byte(body), &c)
	}, "compaction_list", f.AgentID, f.ConversationID, string(f.Kind), f.Cursor, f.Limit+1)
	if err != nil {
		return nil, "", fault(op, err)
	}
	if len(list) <= f.Limit {
		return list, "", nil
	}
	return list[:f.Limit], list[f.Limit-1].ID, nil
}
