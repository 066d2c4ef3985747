package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"recollect/backend/memory"
)

// coreReason is the reason of the revisions that a core compaction makes.
const coreReason = "compact core memory"

// Learn returns what an agent's scores know after a core compaction was undone, redone, or an entry of it put back.
type Learn func(w memory.CompactionWeights, c memory.Compaction) memory.CompactionWeights

// ApplyCore carries out a core compaction in one transaction: the blocks get their new values, what left becomes passages,
// and the record is done. Passages are by the number of the entry; one that names an id is there already, another is made,
// unless the archive has its text. What it replays is undone first, and teaches nothing by that. ECONFLICT when a block is not as
// the record has it.
func (s *Store) ApplyCore(ctx context.Context, c memory.Compaction, passages map[int]memory.Passage, cause memory.Cause) (memory.Compaction, error) {
	const op = "compact core memory"
	err := s.write(ctx, op, kept, func(t *tx) error {
		cause.Reason, cause.AgentID = coreReason, c.AgentID
		if c.Replays != "" {
			old, err := t.coreCompaction(op, c.Replays)
			if err != nil {
				return err
			}
			if old.State == memory.CompactionDone {
				if _, err := t.turnCore(op, old.ID, memory.CompactionDone, memory.CompactionUndone, cause, nil); err != nil {
					return err
				}
			}
		}
		if c.ID == "" {
			c.ID, c.CreatedAt = t.s.ids.New("compaction"), t.now
		}
		// Entries refer to the record, which is told when all is done.
		if err := t.run("compaction_put", c.ID, string(c.Kind), c.AgentID, c.ConversationID, string(memory.CompactionPending), millis(c.CreatedAt), encode(c)); err != nil {
			return err
		}
		for i := range c.Entries {
			e := &c.Entries[i]
			if !e.Action.Left() {
				continue
			}
			if err := t.archiveEntry(op, &c, i, passages[i], cause); err != nil {
				return err
			}
		}
		for i := range c.Values {
			v := &c.Values[i]
			b, err := t.liveBlock(op, v.BlockID)
			if err != nil {
				return err
			}
			if b.Value != v.Before {
				return memory.Errorf(memory.ECONFLICT, op, "block %q has changed meanwhile", b.Label)
			}
			if b.ReadOnly {
				return memory.Errorf(memory.EREADONLY, op, "block %q is read-only", b.Label)
			}
			if err := t.setValue(op, &c, b, v.After, cause, ""); err != nil {
				return err
			}
		}
		c.State, c.AppliedAt, c.UndoneAt = memory.CompactionDone, t.now, time.Time{}
		return t.putCompaction(&c)
	})
	return c, err
}

// archiveEntry makes the passage of an entry, or takes the one that is there.
func (t *tx) archiveEntry(op string, c *memory.Compaction, n int, p memory.Passage, cause memory.Cause) error {
	e := &c.Entries[n]
	cause.MessageID = e.Origin
	e.Action = memory.EntryLinked
	if p.ID != "" {
		if _, err := t.livePassage(op, p.ID); memory.CodeOf(err) == memory.ENOTFOUND {
			p.ID = "" // it is gone meanwhile
		} else if err != nil {
			return err
		}
	}
	if p.ID == "" {
		made, rev, err := t.createPassage(op, p, cause)
		if err != nil {
			return err
		}
		if p.ID = made.ID; rev.ID != "" {
			e.Action = memory.EntryArchived
			c.Revisions = append(c.Revisions, rev.ID)
		}
	}
	e.PassageID = p.ID
	return t.placeEntry(c, n)
}

// placeEntry notes which passage an entry is.
func (t *tx) placeEntry(c *memory.Compaction, n int) error {
	e := c.Entries[n]
	return t.run("core_entry_put", c.ID, n, e.PassageID, e.Action.Left() && c.State != memory.CompactionUndone, encode(memory.EntryPlace{
		CompactionID: c.ID, Entry: n, BlockID: e.BlockID, Label: e.Label, Score: e.Score, Reason: e.Reason, Revision: e.Revision,
	}))
}

// setValue gives a block another value and notes the revision.
func (t *tx) setValue(op string, c *memory.Compaction, b memory.Block, value string, cause memory.Cause, undoes string) error {
	after := b
	after.Value = value
	after, err := memory.ValidateBlock(after)
	if err != nil {
		return err
	}
	if sameBlock(&b, &after) {
		return nil
	}
	rev, err := t.putBlock(op, &b, &after, cause, undoes)
	if err == nil {
		c.Revisions = append(c.Revisions, rev.ID)
	}
	return err
}

// UndoCore takes a core compaction back as a whole: the blocks are byte for byte as they were, the passages that it made are
// gone. ECONFLICT when a block, or a passage that it made, has changed since: then nothing happens.
func (s *Store) UndoCore(ctx context.Context, id string, cause memory.Cause, learn Learn) (memory.Compaction, error) {
	return s.turnCore(ctx, "undo compaction", id, memory.CompactionDone, memory.CompactionUndone, cause, learn)
}

// RedoCore does an undone core compaction again. ECONFLICT when a block has changed since.
func (s *Store) RedoCore(ctx context.Context, id string, cause memory.Cause, learn Learn) (memory.Compaction, error) {
	return s.turnCore(ctx, "redo compaction", id, memory.CompactionUndone, memory.CompactionDone, cause, learn)
}

// turnCore brings a core compaction from one state to the other.
func (s *Store) turnCore(ctx context.Context, op, id string, from, to memory.CompactionState, cause memory.Cause, learn Learn) (memory.Compaction, error) {
	var c memory.Compaction
	err := s.write(ctx, op, kept, func(t *tx) (err error) {
		c, err = t.turnCore(op, id, from, to, cause, learn)
		return err
	})
	return c, err
}

// turnCore is turnCore of the store within a transaction.
func (t *tx) turnCore(op, id string, from, to memory.CompactionState, cause memory.Cause, learn Learn) (memory.Compaction, error) {
	c, err := t.coreCompaction(op, id)
	if err != nil {
		return c, err
	}
	if c.State != from {
		return c, c.State.Conflict(op)
	}
	cause.AgentID, cause.ConversationID, cause.Reason = c.AgentID, c.ConversationID, op
	c.State, c.AppliedAt, c.UndoneAt = to, t.now, time.Time{}
	if to == memory.CompactionUndone {
		c.UndoneAt = t.now
	}
	for _, v := range c.Values {
		is, wanted := v.After, v.Before
		if to == memory.CompactionDone {
			is, wanted = v.Before, v.After
		}
		b, err := t.liveBlock(op, v.BlockID)
		if err != nil {
			return c, err
		}
		if b.Value != is {
			return c, movedOn(op, memory.Revision{Label: b.Label})
		}
		undoes, err := t.lastOf(&c, b, wanted)
		if err != nil {
			return c, err
		}
		if err := t.setValue(op, &c, b, wanted, cause, undoes); err != nil {
			return c, err
		}
	}
	for n := range c.Entries {
		e := &c.Entries[n]
		if !e.Action.Left() {
			continue
		}
		if to == memory.CompactionUndone {
			err = t.takeBack(op, &c, n, cause, true)
		} else {
			err = t.giveAgain(op, &c, n, cause)
		}
		if err != nil {
			return c, err
		}
		if err := t.placeEntry(&c, n); err != nil {
			return c, err
		}
	}
	if err := t.learn(&c, learn); err != nil {
		return c, err
	}
	return c, t.putCompaction(&c)
}

// lastOf returns the compaction's last revision of a block where the block is to become what it was before that one.
func (t *tx) lastOf(c *memory.Compaction, b memory.Block, wanted string) (string, error) {
	for i := len(c.Revisions) - 1; i >= 0; i-- {
		r, err := one(t.ctx, t, scanRevision, "revision_get", c.Revisions[i])
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return "", err
		}
		if r.SubjectID != b.ID {
			continue
		}
		before, _, err := states[memory.Block](r)
		if err != nil || r.UndoneBy != "" || before == nil || before.Value != wanted {
			return "", err
		}
		return r.ID, nil
	}
	return "", nil
}

// takeBack removes the passage that a compaction made of an entry, unless another entry is in it too. strict refuses where
// the passage was changed since; else it stays.
func (t *tx) takeBack(op string, c *memory.Compaction, n int, cause memory.Cause, strict bool) error {
	e := c.Entries[n]
	if e.Action != memory.EntryArchived {
		return nil
	}
	stored, err := one(t.ctx, t, scanPassage, "passage_get", e.PassageID)
	if errors.Is(err, sql.ErrNoRows) || err == nil && !stored.DeletedAt.IsZero() {
		return nil
	}
	if err != nil {
		return err
	}
	shared, err := one(t.ctx, t, value[bool], "core_shared", e.PassageID, c.ID)
	if err != nil || shared {
		return err
	}
	for i := range c.Entries { // of those that go on being there, one takes it over
		if o := &c.Entries[i]; i != n && c.State == memory.CompactionDone && o.PassageID == e.PassageID && o.Action == memory.EntryLinked {
			o.Action = memory.EntryArchived
			return nil
		}
	}
	rev, err := t.madeBy(c, e.PassageID)
	if err != nil {
		return err
	}
	_, made, err := states[memory.Passage](rev)
	if err != nil {
		return err
	}
	if made != nil && !samePassage(&stored.Passage, made) {
		if strict {
			return movedOn(op, memory.Revision{Label: clip(stored.Text, 60)})
		}
		return nil
	}
	undoes := rev.ID
	if rev.UndoneBy != "" {
		undoes = ""
	}
	undo, err := t.putPassage(op, stored.key, &stored.Passage, nil, cause, undoes)
	if err == nil {
		c.Revisions = append(c.Revisions, undo.ID)
	}
	return err
}

// madeBy returns the last revision by which a compaction made a passage, or brought it back.
func (t *tx) madeBy(c *memory.Compaction, passage string) (memory.Revision, error) {
	for i := len(c.Revisions) - 1; i >= 0; i-- {
		r, err := one(t.ctx, t, scanRevision, "revision_get", c.Revisions[i])
		if errors.Is(err, sql.ErrNoRows) || err == nil && (r.SubjectID != passage || r.After == "") {
			continue
		}
		return r, err
	}
	return memory.Revision{}, nil
}

// giveAgain brings the passage of an entry back after an undo.
func (t *tx) giveAgain(op string, c *memory.Compaction, n int, cause memory.Cause) error {
	e := &c.Entries[n]
	cause.MessageID = e.Origin
	stored, err := one(t.ctx, t, scanPassage, "passage_get", e.PassageID)
	if err != nil {
		return err
	}
	if stored.DeletedAt.IsZero() {
		return nil
	}
	same, err := all(t.ctx, t, value[string], "passage_by_hash", stored.ArchiveID, textHash(stored.Text))
	if err != nil {
		return err
	}
	if len(same) > 0 { // it was stored again meanwhile
		e.PassageID, e.Action = same[0], memory.EntryLinked
		return nil
	}
	back := stored.Passage
	rev, err := t.putPassage(op, stored.key, nil, &back, cause, "")
	if err == nil {
		c.Revisions = append(c.Revisions, rev.ID)
	}
	return err
}

// RestoreEntry puts one entry of a done core compaction back into its block; place returns the value of the block with it.
// The passage that was made of it goes, unless it was changed since or another entry is in it. ECONFLICT when the entry is in
// core memory already.
func (s *Store) RestoreEntry(ctx context.Context, id string, n int, place func(value string, c memory.Compaction, n int) string, cause memory.Cause,
	learn Learn,
) (memory.Compaction, error) {
	const op = "put entry back"
	var c memory.Compaction
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if c, err = t.coreCompaction(op, id); err != nil {
			return err
		}
		if n < 0 || n >= len(c.Entries) {
			return memory.Errorf(memory.ENOTFOUND, op, "the compaction has no entry %d", n)
		}
		e := &c.Entries[n]
		if c.State != memory.CompactionDone || !e.Action.Left() {
			return memory.Errorf(memory.ECONFLICT, op, "the entry is in core memory")
		}
		cause.AgentID, cause.ConversationID, cause.Reason, cause.MessageID = c.AgentID, c.ConversationID, op, e.Origin
		b, err := t.liveBlock(op, e.BlockID)
		if err != nil {
			return err
		}
		value := place(b.Value, c, n)
		if err := t.setValue(op, &c, b, value, cause, ""); err != nil {
			return err
		}
		for i := range c.Values {
			if v := &c.Values[i]; v.BlockID == b.ID && v.After == b.Value { // else it was changed by others, and undo says so
				v.After = value
			}
		}
		if err := t.takeBack(op, &c, n, cause, false); err != nil {
			return err
		}
		e.Action, c.AppliedAt = memory.EntryRestored, t.now
		if err := t.placeEntry(&c, n); err != nil {
			return err
		}
		if err := t.learn(&c, learn); err != nil {
			return err
		}
		return t.putCompaction(&c)
	})
	return c, err
}

func (t *tx) coreCompaction(op, id string) (memory.Compaction, error) {
	c, err := one(t.ctx, t, jsonOf[memory.Compaction], "compaction_get", id)
	if err == nil && c.Kind != memory.CompactionCore {
		return c, memory.Errorf(memory.EINVALID, op, "it is no compaction of core memory")
	}
	return c, missingOr(op, "compaction", id, err)
}

// learn changes the weights of the compaction's agent; a nil learn changes none.
func (t *tx) learn(c *memory.Compaction, learn Learn) error {
	if learn == nil {
		return nil
	}
	w, err := one(t.ctx, t, jsonOf[memory.CompactionWeights], "core_weights_get", c.AgentID)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return t.putWeights(c.AgentID, learn(w, *c))
}

func (t *tx) putWeights(agentID string, w memory.CompactionWeights) error {
	if err := t.run("core_weights_put", agentID, encode(w)); err != nil {
		return err
	}
	return t.emit("weights.changed", agentID, "", map[string]any{"agent_id": agentID})
}

// CoreWeights returns what an agent's scores learned.
func (s *Store) CoreWeights(ctx context.Context, agentID string) (memory.CompactionWeights, error) {
	w, err := one(ctx, s, jsonOf[memory.CompactionWeights], "core_weights_get", agentID)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if w.Kinds == nil {
		w.Kinds = map[string]float64{}
	}
	if w.Lessons == nil {
		w.Lessons = []memory.Lesson{}
	}
	return w, fault("read weights", err)
}

// ChangeCoreWeights changes what an agent's scores learned. ENOTFOUND without the agent.
func (s *Store) ChangeCoreWeights(ctx context.Context, agentID string, change func(memory.CompactionWeights) memory.CompactionWeights) error {
	const op = "change weights"
	return s.write(ctx, op, kept, func(t *tx) error {
		if _, err := one(t.ctx, t, scanAgent, "agent_get", agentID); err != nil {
			return missingOr(op, "agent", agentID, err)
		}
		w, err := one(t.ctx, t, jsonOf[memory.CompactionWeights], "core_weights_get", agentID)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		return t.putWeights(agentID, change(w))
	})
}

// PendingCore returns the core compactions that were asked for and are not made yet, the oldest first.
func (s *Store) PendingCore(ctx context.Context) ([]memory.Compaction, error) {
	list, err := all(ctx, s, jsonOf[memory.Compaction], "core_pending")
	return list, fault("list compactions", err)
}

// NewestCore returns the last core compaction of an agent that was made, or came to nothing; ENOTFOUND where there is none.
func (s *Store) NewestCore(ctx context.Context, agentID string) (memory.Compaction, error) {
	c, err := one(ctx, s, jsonOf[memory.Compaction], "core_newest", agentID)
	return c, missingOr("read compaction", "compaction of agent", agentID, err)
}

// TurnsSince returns how many messages the user has sent to an agent since a time.
func (s *Store) TurnsSince(ctx context.Context, agentID string, since time.Time) (int, error) {
	n, err := one(ctx, s, value[int], "core_turns_since", agentID, millis(since))
	return n, fault("count messages", err)
}

// entryPlaces returns which entry of core memory passages were, by their ids.
func (s *Store) entryPlaces(ctx context.Context, ids []string) (map[string]memory.EntryPlace, error) {
	places := map[string]memory.EntryPlace{}
	_, err := all(ctx, s, func(r scanner) (struct{}, error) {
		var id, body string
		var gone bool
		if err := r.Scan(&id, &gone, &body); err != nil {
			return struct{}{}, err
		}
		var p memory.EntryPlace
		if err := json.Unmarshal([]byte(body), &p); err != nil {
			return struct{}{}, err
		}
		p.Restored = !gone
		places[id] = p
		return struct{}{}, nil
	}, "core_places", encode(ids))
	return places, err
}

// jsonOf scans a row of one column that holds a record as JSON.
func jsonOf[T any](r scanner) (v T, err error) {
	body, err := value[string](r)
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal([]byte(body), &v)
}
