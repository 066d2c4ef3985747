package store

import (
	"context"
	"slices"

	"recollect/backend/memory"
)

// eraseAgent deletes an agent with all that is its alone: conversations, archive, blocks, history, events and indexes. It
// is the one deletion that nothing brings back. A block that other agents have stays, with its history, in which the
// agent is no longer named.
func (t *tx) eraseAgent(id string) error {
	agent, err := one(t.ctx, t, value[int64], "SELECT key FROM agent WHERE id = ?", id)
	if err != nil {
		return missingOr("erase agent", "agent", id, err)
	}
	archive, err := one(t.ctx, t, value[string], "SELECT archive_id FROM agent WHERE id = ?", id)
	if err != nil {
		return err
	}
	shared, err := one(t.ctx, t, value[bool], "SELECT EXISTS (SELECT 1 FROM agent WHERE archive_id = ? AND id <> ?)", archive, id)
	if err != nil {
		return err
	}
	if shared {
		archive = ""
	}
	blocks, err := all(t.ctx, t, value[string], "erase_blocks", id)
	if err != nil {
		return err
	}
	keys, err := all(t.ctx, t, value[int64], "erase_items", agent, archive)
	if err != nil {
		return err
	}
	if err := t.eraseVectors(keys); err != nil {
		return err
	}
	lists := []any{id, archive, encode(blocks), encode(keys)} // the numbered arguments of every statement
	for _, name := range []string{
		"erase_pending", "erase_search", "erase_revisions", "erase_revision_causes", "erase_events", "erase_mentions", "erase_facts", "erase_questions", "erase_prompts", "erase_plans",
		"erase_usage", "erase_usage_beside", "erase_usage_slots",
		"erase_receipts", "erase_feedback", "erase_prefixes", "erase_pages", "erase_entries", "erase_weights", "erase_compactions", "erase_files", "erase_tails", "erase_tags", "erase_parts",
		"erase_passages", "erase_readings", "erase_documents", "erase_messages", "erase_chunks", "erase_items_of",
		"erase_conversations", "erase_attachments", "erase_block_rows", "erase_agent", "erase_places", "erase_archive",
	} {
		if err := t.run(name, lists...); err != nil {
			return err
		}
	}
	t.after = append(t.after, func() {
		t.s.counts.unknown()
		t.s.known.Store(nil)
		t.s.vectors.hide(true, keys...)
	})
	return nil
}

// eraseVectors deletes vectors. vec0 only marks a row as free, so what it holds is overwritten first.
func (t *tx) eraseVectors(keys []int64) error {
	es, err := all(t.ctx, t, scanEmbedder, "embedder_list")
	if err != nil {
		return err
	}
	for _, e := range es {
		nothing := make([]float32, e.dim)
		nothing[0] = 1 // a vector without length has no cosine
		rows, err := all(t.ctx, t, value[int64], "SELECT rowid FROM "+e.table()+"_rowids WHERE rowid >> 1 IN (SELECT value FROM json_each(?))", encode(keys))
		if err != nil {
			return err
		}
		slices.Sort(rows)
		for _, row := range rows {
			if err := t.run("UPDATE "+e.table()+" SET vector = ? WHERE rowid = ?", floatBytes(nothing), row); err != nil {
				return err
			}
			if err := t.run("DELETE FROM "+e.table()+" WHERE rowid = ?", row); err != nil {
				return err
			}
		}
	}
	return nil
}

// erasing runs f in a transaction and then writes the file anew, so that nothing of what f deleted is left in it or in its
// log. Readers go on meanwhile; who writes waits, some seconds for each gigabyte.
func (s *Store) erasing(ctx context.Context, op string, f func(*tx) error) error {
	err := s.write(ctx, op, kept, func(t *tx) error {
		if err := f(t); err != nil {
			return err
		}
		// The index only marks texts as gone; their words leave it when its parts are merged.
		return t.run("INSERT INTO search (search) VALUES ('optimize')")
	})
	if err != nil {
		return err
	}
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	if s.conn == nil {
		return memory.Errorf(memory.EINTERNAL, op, "the store is closed")
	}
	for _, step := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := s.conn.ExecContext(context.WithoutCancel(ctx), step); err != nil {
			return fault(op, err)
		}
	}
	return nil
}
