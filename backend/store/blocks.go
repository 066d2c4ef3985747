package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"recollect/backend/memory"
)

// storedBlock is a block as its row has it.
type storedBlock struct {
	memory.Block
	DeletedAt time.Time
}

// CreateBlock stores a new block and attaches it to the agents. It fails with ELIMIT when one of them has
// memory.MaxBlocksPerAgent blocks already and with ECONFLICT when one has a block of that label.
func (s *Store) CreateBlock(ctx context.Context, b memory.Block, agentIDs []string, cause memory.Cause) (memory.Block, memory.Revision, error) {
	const op = "create block"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if b, err = memory.ValidateBlock(b); err != nil {
			return err
		}
		rev, err = t.insertBlock(op, &b, agentIDs, cause)
		return err
	})
	return b, rev, err
}

// insertBlock stores a new, valid block, fills in its id, version and times, and attaches it to the agents.
func (t *tx) insertBlock(op string, b *memory.Block, agentIDs []string, cause memory.Cause) (memory.Revision, error) {
	b.ID, b.Version = t.s.ids.New("block"), 1
	b.CreatedAt, b.UpdatedAt = t.now, t.now
	if err := t.run("block_insert", b.ID, b.Label, b.Value, b.Description, b.Limit, b.ReadOnly, b.Pinned, encode(b.Tags),
		b.Version, millis(b.CreatedAt), millis(b.UpdatedAt)); err != nil {
		return memory.Revision{}, err
	}
	for _, id := range agentIDs {
		if err := t.attach(op, *b, id); err != nil {
			return memory.Revision{}, err
		}
	}
	return t.reviseBlock(nil, b, cause, "")
}

// UpdateBlock changes a block as memory.BlockChange.Apply says. A change that changes nothing makes no revision.
func (s *Store) UpdateBlock(ctx context.Context, id string, change memory.BlockChange, cause memory.Cause) (memory.Block, memory.Revision, error) {
	const op = "update block"
	var b memory.Block
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		old, err := t.liveBlock(op, id)
		if err != nil {
			return err
		}
		if b, err = change.Apply(old, cause.Actor); err != nil {
			return err
		}
		if sameBlock(&old, &b) {
			return nil
		}
		if rev, err = t.putBlock(op, &old, &b, cause, ""); err != nil {
			return err
		}
		t.then(rev, func() error { return t.linesGone(op, &old, &b, rev) })
		return nil
	})
	return b, rev, err
}

// DeleteBlock takes a block away from all agents. Undo brings it back to them.
func (s *Store) DeleteBlock(ctx context.Context, id string, cause memory.Cause) (memory.Revision, error) {
	const op = "delete block"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		old, err := t.writableBlock(op, id, cause)
		if err != nil {
			return err
		}
		if rev, err = t.putBlock(op, &old, nil, cause, ""); err != nil {
			return err
		}
		t.then(rev, func() error { return t.linesGone(op, &old, nil, rev) })
		return nil
	})
	return rev, err
}

// AttachBlock gives a block to an agent. Where the agent has it already nothing happens and the revision is empty.
func (s *Store) AttachBlock(ctx context.Context, blockID, agentID string, cause memory.Cause) (memory.Revision, error) {
	return s.changeAttachment(ctx, "attach block", blockID, agentID, true, cause)
}

// AttachInPlace gives a block to an agent in the place of its block of that label, which is detached from it and stays
// stored; one undo takes back both. Where it has no such block this is AttachBlock.
func (s *Store) AttachInPlace(ctx context.Context, blockID, agentID string, cause memory.Cause) (memory.Revision, error) {
	const op = "attach block"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		b, err := t.writableBlock(op, blockID, cause)
		if err != nil {
			return err
		}
		blocks, err := all(ctx, t, scanBlock, "block_list_of_agent", agentID)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(blocks, func(o storedBlock) bool { return o.ID != b.ID && memory.SameLabel(o.Label, b.Label) })
		if i < 0 {
			rev, err = t.setAttached(b, agentID, true, cause)
			return err
		}
		old := blocks[i].Block
		if err := old.Writable(op, cause.Actor); err != nil {
			return err
		}
		gone, err := t.setAttached(old, agentID, false, cause)
		if err != nil {
			return err
		}
		return t.within(gone, func() error {
			if rev, err = t.setAttached(b, agentID, true, cause); err != nil {
				return err
			}
			return t.run("attachment_take_place", agentID, b.ID, old.ID)
		})
	})
	return rev, err
}

// DetachBlock takes a block from an agent. Where the agent has it not nothing happens and the revision is empty.
func (s *Store) DetachBlock(ctx context.Context, blockID, agentID string, cause memory.Cause) (memory.Revision, error) {
	return s.changeAttachment(ctx, "detach block", blockID, agentID, false, cause)
}

func (s *Store) changeAttachment(ctx context.Context, op, blockID, agentID string, attached bool, cause memory.Cause) (memory.Revision, error) {
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		b, err := t.writableBlock(op, blockID, cause)
		if err != nil {
			return err
		}
		rev, err = t.setAttached(b, agentID, attached, cause)
		return err
	})
	return rev, err
}

// Block returns the block with the given id.
func (s *Store) Block(ctx context.Context, id string) (memory.Block, error) {
	return liveBlock(ctx, s, "read block", id)
}

// OrderBlocks puts the blocks of an agent into the given order, which must name each of them once; else it fails with
// ECONFLICT. The order that they have already makes no revision.
func (s *Store) OrderBlocks(ctx context.Context, agentID string, blockIDs []string, cause memory.Cause) (memory.Revision, error) {
	const op = "order blocks"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		if _, err := one(ctx, t, scanAgent, "agent_get", agentID); err != nil {
			return missingOr(op, "agent", agentID, err)
		}
		before, err := t.order(agentID)
		if err != nil || slices.Equal(before, blockIDs) {
			return err
		}
		if !slices.Equal(slices.Sorted(slices.Values(before)), slices.Sorted(slices.Values(blockIDs))) {
			return memory.Errorf(memory.ECONFLICT, op, "the agent has other blocks now")
		}
		rev, err = t.setOrder(op, agentID, before, blockIDs, cause, "")
		return err
	})
	return rev, err
}

// order returns the ids of an agent's blocks in their order.
func (t *tx) order(agentID string) ([]string, error) {
	blocks, err := all(t.ctx, t, scanBlock, "block_list_of_agent", agentID)
	ids := make([]string, len(blocks))
	for i, b := range blocks {
		ids[i] = b.ID
	}
	return ids, err
}

func (t *tx) setOrder(op, agentID string, before, after []string, cause memory.Cause, undoes string) (memory.Revision, error) {
	a, err := one(t.ctx, t, scanAgent, "agent_get", agentID)
	if err != nil {
		return memory.Revision{}, missingOr(op, "agent", agentID, err)
	}
	for i, id := range after {
		if err := t.run("attachment_place", agentID, id, i+1); err != nil {
			return memory.Revision{}, err
		}
	}
	cause.AgentID = agentID
	rev, err := t.revise(memory.Revision{
		Subject: memory.SubjectOrder, SubjectID: agentID, Label: a.Name, Before: encode(before), After: encode(after),
		Cause: cause, Undoes: undoes,
	})
	if err != nil {
		return rev, err
	}
	return rev, t.emitRevised("order.changed", nil, rev, map[string]any{"agent_id": agentID, "label": a.Name})
}

// DeletedBlocks returns the blocks that were deleted and not brought back, the last deleted first, at most limit (0 = 50).
func (s *Store) DeletedBlocks(ctx context.Context, limit int) ([]DeletedBlock, error) {
	blocks, err := all(ctx, s, func(r scanner) (d DeletedBlock, err error) {
		b, err := scanBlock(&trailing{r, []any{&d.RevisionID}})
		d.Block, d.DeletedAt = b.Block, b.DeletedAt
		return d, err
	}, "block_list_deleted", limitOr(limit))
	return blocks, fault("list deleted blocks", err)
}

// trailing is a row with further columns behind those that a scan function knows.
type trailing struct {
	scanner
	more []any
}

func (r *trailing) Scan(dest ...any) error { return r.scanner.Scan(append(dest, r.more...)...) }

// Blocks returns the blocks of an agent in the order that the user gave them; a newly attached one comes last. For "" it
// returns all blocks, the oldest first.
func (s *Store) Blocks(ctx context.Context, agentID string) ([]memory.Block, error) {
	name, args := "block_list", []any(nil)
	if agentID != "" {
		name, args = "block_list_of_agent", []any{agentID}
	}
	stored, err := all(ctx, s, scanBlock, name, args...)
	blocks := make([]memory.Block, len(stored))
	for i, b := range stored {
		blocks[i] = b.Block
	}
	return blocks, fault("list blocks", err)
}

// BlockAgents returns the ids of the agents that a block is attached to.
func (s *Store) BlockAgents(ctx context.Context, blockID string) ([]string, error) {
	ids, err := all(ctx, s, value[string], "block_agents", blockID)
	return ids, fault("list agents of block", err)
}

// writableBlock returns a block that is there and that the one who causes a change may change.
func (t *tx) writableBlock(op, id string, cause memory.Cause) (memory.Block, error) {
	b, err := t.liveBlock(op, id)
	if err != nil {
		return b, err
	}
	return b, b.Writable(op, cause.Actor)
}

func (t *tx) liveBlock(op, id string) (memory.Block, error) { return liveBlock(t.ctx, t, op, id) }

func liveBlock(ctx context.Context, q querier, op, id string) (memory.Block, error) {
	b, err := one(ctx, q, scanBlock, "block_get", id)
	if err == nil && !b.DeletedAt.IsZero() {
		err = sql.ErrNoRows
	}
	return b.Block, missingOr(op, "block", id, err)
}

// putBlock stores what a block becomes: before is what it is now, nil while it is deleted; after nil deletes it. The
// labels of all its agents stay unique and none gets too many blocks.
func (t *tx) putBlock(op string, before, after *memory.Block, cause memory.Cause, undoes string) (memory.Revision, error) {
	var deleted time.Time
	var row memory.Block
	if after == nil {
		row, deleted = *before, t.now
	} else {
		row = *after
	}
	id := row.ID
	stored, err := one(t.ctx, t, scanBlock, "block_get", id)
	if err != nil {
		return memory.Revision{}, missingOr(op, "block", id, err)
	}
	row.Version, row.CreatedAt, row.UpdatedAt = stored.Version+1, stored.CreatedAt, t.now
	if after != nil {
		*after = row
		agents, err := all(t.ctx, t, value[string], "block_agents", id)
		if err != nil {
			return memory.Revision{}, err
		}
		for _, agent := range agents {
			if err := t.roomFor(op, row, agent); err != nil {
				return memory.Revision{}, err
			}
		}
	}
	if err := t.run("block_update", id, row.Label, row.Value, row.Description, row.Limit, row.ReadOnly, row.Pinned,
		encode(row.Tags), row.Version, millis(row.UpdatedAt), millis(deleted)); err != nil {
		return memory.Revision{}, err
	}
	if err := t.resettleBlock(id, after); err != nil {
		return memory.Revision{}, err
	}
	return t.reviseBlock(before, after, cause, undoes)
}

// reviseBlock records a change of a block.
func (t *tx) reviseBlock(before, after *memory.Block, cause memory.Cause, undoes string) (memory.Revision, error) {
	b := after
	if b == nil {
		b = before
	}
	agents, err := all(t.ctx, t, value[string], "block_agents", b.ID)
	if err != nil {
		return memory.Revision{}, err
	}
	rev, err := t.revise(memory.Revision{
		Subject: memory.SubjectBlock, SubjectID: b.ID, Label: b.Label,
		Before: encodeOrEmpty(before), After: encodeOrEmpty(after), Cause: cause, Undoes: undoes,
	})
	if err != nil {
		return rev, err
	}
	t.then(rev, func() error { return t.linesCame(agents, before, after) })
	return rev, t.emitRevised("block.changed", agents, rev, map[string]any{
		"block_id": b.ID, "label": b.Label, "agent_ids": someOf(agents),
	})
}

// attach gives b to an agent, without a revision.
func (t *tx) attach(op string, b memory.Block, agentID string) error {
	if _, err := one(t.ctx, t, scanAgent, "agent_get", agentID); err != nil {
		return missingOr(op, "agent", agentID, err)
	}
	if err := t.roomFor(op, b, agentID); err != nil {
		return err
	}
	return t.run("attachment_insert", agentID, b.ID)
}

// roomFor fails when the agent cannot have b beside its other blocks.
func (t *tx) roomFor(op string, b memory.Block, agentID string) error {
	others, err := all(t.ctx, t, scanBlock, "block_list_of_agent", agentID)
	if err != nil {
		return err
	}
	others = slices.DeleteFunc(others, func(o storedBlock) bool { return o.ID == b.ID })
	if n := len(others) + 1; n > memory.MaxBlocksPerAgent {
		e := memory.Errorf(memory.ELIMIT, op, "the agent would have %d blocks; at most %d are possible", n, memory.MaxBlocksPerAgent)
		e.Limit, e.Actual = memory.MaxBlocksPerAgent, n
		return e
	}
	if slices.ContainsFunc(others, func(o storedBlock) bool { return memory.SameLabel(o.Label, b.Label) }) {
		return memory.Errorf(memory.ECONFLICT, op, "the agent has a block %q already", b.Label)
	}
	return nil
}

// setAttached attaches or detaches and records it; nothing to do makes no revision.
func (t *tx) setAttached(b memory.Block, agentID string, attached bool, cause memory.Cause) (memory.Revision, error) {
	before, err := all(t.ctx, t, value[string], "block_agents", b.ID)
	if err != nil || slices.Contains(before, agentID) == attached {
		return memory.Revision{}, err
	}
	after := slices.Clone(before)
	if attached {
		if err := t.attach("attach block", b, agentID); err != nil {
			return memory.Revision{}, err
		}
		after = append(after, agentID)
	} else {
		if err := t.run("attachment_end", agentID, b.ID); err != nil {
			return memory.Revision{}, err
		}
		after = slices.DeleteFunc(after, func(id string) bool { return id == agentID })
	}
	return t.reviseAttachment(b, before, after, cause, "")
}

func (t *tx) reviseAttachment(b memory.Block, before, after []string, cause memory.Cause, undoes string) (memory.Revision, error) {
	slices.Sort(after)
	rev, err := t.revise(memory.Revision{
		Subject: memory.SubjectAttachment, SubjectID: b.ID, Label: b.Label, Before: encode(before), After: encode(after),
		Cause: cause, Undoes: undoes,
	})
	if err != nil {
		return rev, err
	}
	touched := slices.Compact(slices.Sorted(slices.Values(append(slices.Clone(before), after...))))
	return rev, t.emitRevised("attachment.changed", touched, rev, map[string]any{
		"block_id": b.ID, "label": b.Label, "agent_ids": someOf(after),
	})
}

// someOf bounds a list of ids so that an event stays within its 4 KB.
func someOf(ids []string) []string { return ids[:min(len(ids), 64)] }

// sameBlock reports whether two states of a block hold the same; nil is a deleted one.
func sameBlock(a, b *memory.Block) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Label == b.Label && a.Value == b.Value && a.Description == b.Description && a.Limit == b.Limit &&
		a.ReadOnly == b.ReadOnly && a.Pinned == b.Pinned && slices.Equal(a.Tags, b.Tags)
}

// encodeOrEmpty returns the JSON of *v, "" for nil.
func encodeOrEmpty[T any](v *T) string {
	if v == nil {
		return ""
	}
	return encode(v)
}

// decodeOrNil is the inverse of encodeOrEmpty.
func decodeOrNil[T any](s string) (*T, error) {
	if s == "" {
		return nil, nil
	}
	v := new(T)
	return v, json.Unmarshal([]byte(s), v)
}

func scanBlock(r scanner) (b storedBlock, err error) {
	var tags string
	var created, updated, deleted int64
	if err := r.Scan(&b.ID, &b.Label, &b.Value, &b.Description, &b.Limit, &b.ReadOnly, &b.Pinned, &tags, &b.Version,
		&created, &updated, &deleted); err != nil {
		return b, err
	}
	b.CreatedAt, b.UpdatedAt, b.DeletedAt = moment(created), moment(updated), moment(deleted)
	return b, json.Unmarshal([]byte(tags), &b.Tags)
}

// missingOr names what was not found.
func missingOr(op, what, id string, err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return memory.Errorf(memory.ENOTFOUND, op, "there is no %s %q", what, id)
	}
	return fault(op, err)
}
