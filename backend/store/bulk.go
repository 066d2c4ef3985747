package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"recollect/backend/memory"
)

// bulkPart is how many passages one transaction changes, and one revision tells of: what changes more is several, which are one
// act. Between them others write, such as a turn.
const bulkPart = 1000

// ChangePassages changes many passages of an archive as one act, which one undo takes back; where it goes on with another
// such change, act is the revision of that. It returns the revision that stands for the act and how many it changed: those
// that are gone already, or would stay as they are, are left out. ELIMIT when one would get too many tags, ECONFLICT when
// the act has been undone before; after an error the whole act is taken back.
func (s *Store) ChangePassages(ctx context.Context, archiveID string, ids []string, change memory.PassagesChange, cause memory.Cause, act string) (memory.Revision, int, error) {
	const op = "change passages"
	if _, err := one(ctx, s, value[int64], "archive_key", archiveID); err != nil {
		return memory.Revision{}, 0, missingOr(op, "archive", archiveID, err)
	}
	first, err := s.goingOn(ctx, op, archiveID, act)
	if err != nil {
		return memory.Revision{}, 0, err
	}
	changed := 0
	for part := range slices.Chunk(ids, bulkPart) {
		n, made := 0, memory.Revision{}
		err := s.write(ctx, op, kept, func(t *tx) error {
			rows, err := t.changedRows(archiveID, part, change)
			if err != nil {
				return err
			}
			n = len(rows)
			var wished []memory.Passage
			if change.Delete {
				if wished, err = t.wishedPassages(rows); err != nil {
					return err
				}
			}
			return t.within(first, func() error {
				if made, err = t.putPassages(archiveID, rows, cause, ""); err != nil {
					return err
				}
				rev := made
				t.then(rev, func() error {
					for _, p := range wished {
						if err := t.passageGone(op, &p, nil, rev); err != nil {
							return err
						}
					}
					return nil
				})
				return nil
			})
		})
		if err != nil {
			if first.ID != "" {
				_, _ = s.Undo(context.WithoutCancel(ctx), first.ID, cause) // the change itself is what failed, and is told
			}
			return memory.Revision{}, 0, err
		}
		if changed += n; first.ID == "" {
			first = made
		}
	}
	return first, changed, nil
}

// goingOn returns the revision that an act goes on from; act "" is a new one.
func (s *Store) goingOn(ctx context.Context, op, archiveID, act string) (memory.Revision, error) {
	if act == "" {
		return memory.Revision{}, nil
	}
	r, err := one(ctx, s, scanRevision, "revision_get", act)
	switch {
	case err != nil:
		return r, missingOr(op, "revision", act, err)
	case r.Subject != memory.SubjectPassages || r.SubjectID != archiveID || r.UndoneBy != "":
		return r, memory.Errorf(memory.ECONFLICT, op, "the change that this one goes on with has been undone, or is of something else")
	}
	return r, nil
}

// changedRows are the passages that a change makes different.
func (t *tx) changedRows(archiveID string, ids []string, change memory.PassagesChange) ([]bulkRow, error) {
	rows, err := bulkRows(t.ctx, t, archiveID, ids)
	if err != nil {
		return nil, err
	}
	var changed []bulkRow
	for _, row := range rows {
		if row.before.Deleted {
			continue
		}
		if row.after = row.before; change.Delete {
			row.after.Deleted = true
		} else if row.after.Tags, err = change.Apply(row.before.Tags); err != nil {
			return nil, err
		}
		if row.moves() {
			changed = append(changed, row)
		}
	}
	return changed, nil
}

// wishedPassages returns those of the passages that the user wished to have written.
func (t *tx) wishedPassages(rows []bulkRow) ([]memory.Passage, error) {
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = row.before.ID
	}
	wished, err := all(t.ctx, t, value[string], "passages_wished", encode(ids))
	if err != nil {
		return nil, err
	}
	passages := make([]memory.Passage, len(wished))
	for i, id := range wished {
		p, err := one(t.ctx, t, scanPassage, "passage_get", id)
		if err != nil {
			return nil, err
		}
		passages[i] = p.Passage
	}
	return passages, nil
}

// bulkRow is one of many passages that change together.
type bulkRow struct {
	key           int64
	hash, text    string // of a passage that is of no document; the beginning of the text
	before, after memory.PassageState
}

func (r *bulkRow) moves() bool {
	return r.before.Deleted != r.after.Deleted || !slices.Equal(r.before.Tags, r.after.Tags)
}

// bulkRows reads the passages of an archive that the ids name, in their order.
func bulkRows(ctx context.Context, q querier, archiveID string, ids []string) ([]bulkRow, error) {
	read, err := all(ctx, q, func(r scanner) (row bulkRow, err error) {
		var tags string
		if err := r.Scan(&row.key, &row.before.ID, &row.before.Deleted, &tags, &row.hash, &row.text); err != nil {
			return row, err
		}
		return row, json.Unmarshal([]byte(tags), &row.before.Tags)
	}, "passage_states", archiveID, encode(ids))
	if err != nil {
		return nil, err
	}
	byID := make(map[string]bulkRow, len(read))
	for _, row := range read {
		byID[row.before.ID] = row
	}
	rows := make([]bulkRow, 0, len(read))
	for _, id := range ids {
		if row, ok := byID[id]; ok {
			rows = append(rows, row)
			delete(byID, id)
		}
	}
	return rows, nil
}

// putPassages stores what passages become, with one revision and one event; nothing to do makes none.
func (t *tx) putPassages(archiveID string, rows []bulkRow, cause memory.Cause, undoes string) (memory.Revision, error) {
	if len(rows) == 0 {
		return memory.Revision{}, nil
	}
	var gone, back []int64
	before, after := make([]memory.PassageState, len(rows)), make([]memory.PassageState, len(rows))
	for i, row := range rows {
		before[i], after[i] = row.before, row.after
		switch {
		case row.after.Deleted && !row.before.Deleted:
			gone = append(gone, row.key)
		case row.before.Deleted && !row.after.Deleted:
			back = append(back, row.key)
		}
		if !slices.Equal(row.before.Tags, row.after.Tags) {
			if err := t.retag(row.key, row.after.Tags); err != nil {
				return memory.Revision{}, err
			}
		}
	}
	if err := t.hidePassages("passages_delete", true, gone); err != nil {
		return memory.Revision{}, err
	}
	if err := t.hidePassages("passages_restore", false, back); err != nil {
		return memory.Revision{}, err
	}
	rev, err := t.revise(memory.Revision{
		Subject: memory.SubjectPassages, SubjectID: archiveID, Label: rows[0].text, Before: encode(before), After: encode(after),
		Cause: cause, Undoes: undoes,
	})
	if err != nil {
		return rev, err
	}
	agents, err := all(t.ctx, t, value[string], "archive_agents", archiveID)
	if err != nil {
		return rev, err
	}
	data := map[string]any{"archive_id": archiveID, "label": rev.Label, "count": len(rows), "deleted": len(gone) > 0}
	same, err := all(t.ctx, t, value[string], "event_count_on", t.act, archiveID, len(rows), len(gone) > 0)
	if err != nil {
		return rev, err
	}
	if len(same) == 0 {
		return rev, t.emitRevised("passages.changed", agents, rev, data)
	}
	// One act is one row, which counts all that it changed; who listens hears of this part.
	t.events = append(t.events, memory.Event{ID: same[0], Type: "passages.changed", At: t.now, Data: revised(rev, data)})
	return rev, nil
}

// retag gives a passage other tags; they are among the words that it is found by.
func (t *tx) retag(key int64, tags []string) error {
	if err := t.run("passage_retag", key, encode(tags), millis(t.now)); err != nil {
		return err
	}
	if err := t.tagPassage(key, tags); err != nil {
		return err
	}
	return t.indexPassage(key)
}

// hidePassages deletes passages or brings them back.
func (t *tx) hidePassages(statement string, hidden bool, keys []int64) error {
	if len(keys) == 0 {
		return nil
	}
	list := encode(keys)
	if err := t.run(statement, list, millis(t.now)); err != nil {
		return err
	}
	if err := t.run("items_hide", hidden, list); err != nil {
		return err
	}
	t.after = append(t.after, func() { t.s.vectors.hide(hidden, keys...) })
	return nil
}

// undoneRows are the passages of a change as taking it back makes them; ECONFLICT where one has changed since.
func undoneRows(ctx context.Context, q querier, op string, r memory.Revision) ([]bulkRow, error) {
	before, after, err := lists[memory.PassageState](r)
	if err != nil {
		return nil, err
	}
	ids, wanted := make([]string, len(before)), make(map[string]memory.PassageState, len(before))
	left := make(map[string]memory.PassageState, len(after))
	for i, state := range before {
		ids[i], wanted[state.ID], left[state.ID] = state.ID, state, after[i]
	}
	rows, err := bulkRows(ctx, q, r.SubjectID, ids)
	if err != nil {
		return nil, err
	}
	for i, row := range rows {
		id := row.before.ID
		row.after = left[id]
		if row.moves() {
			return nil, movedOn(op, memory.Revision{Label: row.text})
		}
		rows[i].after = wanted[id]
	}
	return rows, nil
}

// undoPassages takes a change of many passages back. A passage whose text the archive holds again stays deleted: what it
// said is there.
func (t *tx) undoPassages(op string, r memory.Revision, cause memory.Cause) (memory.Revision, error) {
	rows, err := undoneRows(t.ctx, t, op, r)
	if err != nil {
		return memory.Revision{}, err
	}
	var changed []bulkRow
	for _, row := range rows {
		if row.before.Deleted && !row.after.Deleted && row.hash != "" {
			same, err := all(t.ctx, t, value[string], "passage_by_hash", r.SubjectID, row.hash)
			if err != nil {
				return memory.Revision{}, err
			}
			if len(same) > 0 {
				continue
			}
		}
		changed = append(changed, row)
	}
	if len(changed) == 0 {
		return memory.Revision{}, memory.Errorf(memory.ECONFLICT, op, "the archive holds these texts again already")
	}
	return t.putPassages(r.SubjectID, changed, cause, r.ID)
}

// largeAct returns the revisions of an act that changed more passages than one transaction does, the last first, and those of
// what else followed from it; no parts where the revision is part of no such act.
func (s *Store) largeAct(ctx context.Context, op, revisionID string) (parts []memory.Revision, followed []string, err error) {
	r, err := one(ctx, s, scanRevision, "revision_get", revisionID)
	if err != nil {
		return nil, nil, missingOr(op, "revision", revisionID, err)
	}
	if r.Subject != memory.SubjectPassages || r.UndoneBy != "" {
		return nil, nil, nil
	}
	others, err := all(ctx, s, value[string], "revision_act", revisionID)
	if err != nil {
		return nil, nil, fault(op, err)
	}
	for _, id := range others {
		part, err := one(ctx, s, scanRevision, "revision_get", id)
		if err != nil {
			return nil, nil, fault(op, err)
		}
		if part.Subject == memory.SubjectPassages {
			parts = append(parts, part)
		} else {
			followed = append(followed, id)
		}
	}
	if len(parts) == 0 {
		return nil, nil, nil
	}
	return append(parts, r), followed, nil
}

// undoLarge takes back an act in as many transactions as it was made in, after a look at whether all of it can be; what followed
// goes with the last. One that is interrupted can be undone once more, and is then undone to its end.
func (s *Store) undoLarge(ctx context.Context, op string, parts []memory.Revision, followed []string, cause memory.Cause) (memory.Revision, error) {
	for _, part := range parts {
		if _, err := undoneRows(ctx, s, op, part); err != nil {
			return memory.Revision{}, fault(op, err)
		}
	}
	var first memory.Revision
	var none error // why a part stays as it is: the archive holds all its texts again
	for i, part := range parts {
		err := s.write(ctx, op, kept, func(t *tx) error {
			return t.within(first, func() error {
				rev, err := t.undo(op, part.ID, cause)
				if err != nil {
					return err
				}
				if first.ID == "" {
					first = rev
				}
				if i < len(parts)-1 {
					return nil
				}
				return t.within(first, func() error { return t.undoParts(op, followed, cause) })
			})
		})
		if err != nil && !stays(err) {
			return memory.Revision{}, err
		}
		none = cmp.Or(none, err)
	}
	if first.ID == "" {
		return first, none
	}
	return first, nil
}
