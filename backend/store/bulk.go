package store

import (
	"context"
	"encoding/json"
	"slices"

	"recollect/backend/memory"
)

// ChangePassages changes many passages of an archive in one transaction with one revision, which one undo takes back. It
// returns how many it changed: those that are gone already, or would stay as they are, are left out. ELIMIT when one
// would get too many tags.
func (s *Store) ChangePassages(ctx context.Context, archiveID string, ids []string, change memory.PassagesChange, cause memory.Cause) (memory.Revision, int, error) {
	const op = "change passages"
	var rev memory.Revision
	n := 0
	err := s.write(ctx, op, kept, func(t *tx) error {
		if _, err := one(ctx, t, value[int64], "archive_key", archiveID); err != nil {
			return missingOr(op, "archive", archiveID, err)
		}
		rows, err := t.bulkRows(archiveID, ids)
		if err != nil {
			return err
		}
		var changed []bulkRow
		for _, row := range rows {
			if row.before.Deleted {
				continue
			}
			if row.after = row.before; change.Delete {
				row.after.Deleted = true
			} else if row.after.Tags, err = change.Apply(row.before.Tags); err != nil {
				return err
			}
			if row.moves() {
				changed = append(changed, row)
			}
		}
		n = len(changed)
		rev, err = t.putPassages(archiveID, changed, cause, "")
		return err
	})
	return rev, n, err
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
func (t *tx) bulkRows(archiveID string, ids []string) ([]bulkRow, error) {
	read, err := all(t.ctx, t, func(r scanner) (row bulkRow, err error) {
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
	return rev, t.emitRevised("passages.changed", agents, rev, map[string]any{
		"archive_id": archiveID, "label": rev.Label, "count": len(rows), "deleted": len(gone) > 0,
	})
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

// undoPassages takes a change of many passages back. A passage whose text the archive holds again stays deleted: what it
// said is there.
func (t *tx) undoPassages(op string, r memory.Revision, cause memory.Cause) (memory.Revision, error) {
	before, after, err := lists[memory.PassageState](r)
	if err != nil {
		return memory.Revision{}, err
	}
	ids, wanted := make([]string, len(before)), make(map[string]memory.PassageState, len(before))
	left := make(map[string]memory.PassageState, len(after))
	for i, state := range before {
		ids[i], wanted[state.ID], left[state.ID] = state.ID, state, after[i]
	}
	rows, err := t.bulkRows(r.SubjectID, ids)
	if err != nil {
		return memory.Revision{}, err
	}
	var changed []bulkRow
	for _, row := range rows {
		id := row.before.ID
		row.after = left[id]
		if row.moves() {
			return memory.Revision{}, movedOn(op, memory.Revision{Label: row.text})
		}
		row.after = wanted[id]
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
