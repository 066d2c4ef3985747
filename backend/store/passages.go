package store

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/backend/memory"
)

// storedPassage is a passage as its row has it; DeletedAt is its own field.
type storedPassage struct {
	memory.Passage
	key        int64
	ofDocument bool
}

// CreatePassage stores a new passage. Where the archive holds the same text already, letter case and spacing aside, it
// returns that passage and an empty revision. CreatedAt is kept where it is given.
func (s *Store) CreatePassage(ctx context.Context, p memory.Passage, cause memory.Cause) (memory.Passage, memory.Revision, error) {
	const op = "create passage"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		p, rev, err = t.createPassage(op, p, cause)
		return err
	})
	return p, rev, err
}

// CreatePassages stores several passages, each as CreatePassage does, all or none.
func (s *Store) CreatePassages(ctx context.Context, ps []memory.Passage, cause memory.Cause) ([]memory.Passage, error) {
	const op = "create passages"
	out := make([]memory.Passage, len(ps))
	err := s.write(ctx, op, kept, func(t *tx) error {
		for i, p := range ps {
			var err error
			if out[i], _, err = t.createPassage(op, p, cause); err != nil {
				return err
			}
		}
		return nil
	})
	return out, err
}

func (t *tx) createPassage(op string, p memory.Passage, cause memory.Cause) (memory.Passage, memory.Revision, error) {
	none := memory.Revision{}
	p, err := memory.ValidatePassage(p)
	if err != nil {
		return p, none, err
	}
	archive, err := one(t.ctx, t, value[int64], "archive_key", p.ArchiveID)
	if err != nil {
		return p, none, missingOr(op, "archive", p.ArchiveID, err)
	}
	if same, err := all(t.ctx, t, value[string], "passage_by_hash", p.ArchiveID, textHash(p.Text)); err != nil {
		return p, none, err
	} else if len(same) > 0 {
		there, err := one(t.ctx, t, scanPassage, "passage_get", same[0])
		return there.Passage, none, err
	}
	if p.CreatedAt.IsZero() {
		p.CreatedAt = t.now
	}
	p.CreatedAt = p.CreatedAt.Truncate(time.Millisecond).UTC()
	p.ID, p.Version, p.UpdatedAt, p.DeletedAt, p.Embedded = t.s.ids.New("passage"), 1, t.now, time.Time{}, false
	key, err := t.addItem(archive*2+1, "", p.CreatedAt)
	if err != nil {
		return p, none, err
	}
	if err := t.run("passage_insert", key, p.ID, p.ArchiveID, textHash(p.Text), encode(p.Tags), p.Origin, p.Version,
		millis(p.CreatedAt), millis(p.UpdatedAt), p.Text); err != nil {
		return p, none, err
	}
	if err := t.tagPassage(key, p.Tags); err != nil {
		return p, none, err
	}
	if err := t.indexPassage(key); err != nil {
		return p, none, err
	}
	if err := t.wantVectors(key, viewBit[ViewOwn]); err != nil {
		return p, none, err
	}
	rev, err := t.revisePassage(nil, &p, cause, "")
	return p, rev, err
}

// UpdatePassage changes the given fields of a passage. A change that changes nothing makes no revision.
func (s *Store) UpdatePassage(ctx context.Context, id string, change memory.PassageChange, cause memory.Cause) (memory.Passage, memory.Revision, error) {
	const op = "update passage"
	var after memory.Passage
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		before, err := t.livePassage(op, id)
		if err != nil {
			return err
		}
		after = before.Passage
		if change.IfVersion != 0 && change.IfVersion != before.Version {
			return memory.Errorf(memory.ECONFLICT, op, "the passage is at version %d now, not %d", before.Version, change.IfVersion)
		}
		if change.Text != nil && before.ofDocument {
			if summary, err := t.isSummary(before.key); err != nil || !summary {
				return cmp.Or(err, error(memory.Errorf(memory.EREADONLY, op, "it is a passage of a document; change the file and add it again")))
			}
		}
		if change.Text != nil {
			after.Text = *change.Text
		}
		if change.Tags != nil {
			after.Tags = *change.Tags
		}
		if after, err = memory.ValidatePassage(after); err != nil {
			return err
		}
		if samePassage(&before.Passage, &after) {
			return nil
		}
		if rev, err = t.putPassage(op, before.key, &before.Passage, &after, cause, ""); err != nil {
			return err
		}
		t.then(rev, func() error { return t.passageGone(op, &before.Passage, &after, rev) })
		return nil
	})
	return after, rev, err
}

// DeletePassage takes a passage out of the archive and of every search. Undo brings it back.
func (s *Store) DeletePassage(ctx context.Context, id string, cause memory.Cause) (memory.Revision, error) {
	const op = "delete passage"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		before, err := t.livePassage(op, id)
		if err != nil {
			return err
		}
		if rev, err = t.putPassage(op, before.key, &before.Passage, nil, cause, ""); err != nil {
			return err
		}
		t.then(rev, func() error { return t.passageGone(op, &before.Passage, nil, rev) })
		return nil
	})
	return rev, err
}

// Passage returns the passage with the given id, also a deleted one: receipts and revisions may name it.
func (s *Store) Passage(ctx context.Context, id string) (memory.Passage, error) {
	const op = "read passage"
	p, err := one(ctx, s, scanPassage, "passage_get", id)
	if err != nil {
		return p.Passage, missingOr(op, "passage", id, err)
	}
	placed, err := s.placed(ctx, []storedPassage{p})
	if err != nil {
		return p.Passage, fault(op, err)
	}
	return placed[0], nil
}

// placed returns passages with their places in documents, and in core memory where they come from there.
func (s *Store) placed(ctx context.Context, stored []storedPassage) ([]memory.Passage, error) {
	passages := make([]memory.Passage, len(stored))
	var of, own []string
	for i, p := range stored {
		if passages[i] = p.Passage; p.ofDocument {
			of = append(of, p.ID)
		} else {
			own = append(own, p.ID)
		}
	}
	if len(own) > 0 {
		entries, err := s.entryPlaces(ctx, own)
		if err != nil {
			return nil, err
		}
		for i, p := range stored {
			if place, ok := entries[p.ID]; ok {
				passages[i].Core = &place
			}
		}
	}
	if len(of) == 0 {
		return passages, nil
	}
	places, err := s.places(ctx, of)
	for i, p := range stored {
		if place, ok := places[p.ID]; ok {
			passages[i].Document = &place
		}
	}
	return passages, err
}

// ListPassages returns the passages that the filter selects and the cursor of the next page, "" at the end.
func (s *Store) ListPassages(ctx context.Context, f PassageFilter) ([]memory.Passage, string, error) {
	const op = "list passages"
	q := f.conditions()
	if f.Cursor != "" {
		at, id, err := splitCursor(op, f.Cursor)
		if err != nil {
			return nil, "", err
		}
		q.when(true, "(p.created_at, p.id) < (?, ?)", at, id)
	}
	limit := limitOr(f.Limit)
	stored, err := all(ctx, s, scanPassage, passageColumns()+q.where()+" ORDER BY p.created_at DESC, p.id DESC LIMIT ?", append(q.args, limit+1)...)
	if err != nil {
		return nil, "", fault(op, err)
	}
	next := ""
	if len(stored) > limit {
		stored = stored[:limit]
		last := stored[limit-1]
		next = joinCursor(last.CreatedAt, last.ID)
	}
	passages, err := s.placed(ctx, stored)
	return passages, next, fault(op, err)
}

// conditions are what a passage must meet.
func (f *PassageFilter) conditions() filter {
	q := filter{conditions: []string{"p.archive_id = ?", "p.deleted_at = 0"}, args: []any{f.ArchiveID}}
	q.when(!f.After.IsZero(), "p.created_at >= ?", millis(f.After))
	q.when(!f.Before.IsZero(), "p.created_at < ?", millis(f.Before))
	q.when(f.Origin == OriginMessage, "p.origin <> ''")
	q.when(f.Origin == OriginHand, "p.origin = '' AND p.document IS NULL")
	q.when(f.Origin == OriginDocument, "p.document IS NOT NULL")
	q.when(true, "(p.document IS NULL OR NOT (SELECT i.hidden FROM item i WHERE i.key = p.key))")
	q.tags("p.key", f.Tags, f.TagMode)
	return q
}

// passageColumns is the beginning of each statement that scanPassage reads.
func passageColumns() string {
	head, _, _ := strings.Cut(text("passage_get"), "FROM passage p WHERE")
	return head + "FROM passage p"
}

// PassageIDs returns the ids of all passages that the filter selects, newest first; cursor and limit do not count.
func (s *Store) PassageIDs(ctx context.Context, f PassageFilter) ([]string, error) {
	q := f.conditions()
	ids, err := all(ctx, s, value[string], "SELECT p.id FROM passage p"+q.where()+" ORDER BY p.created_at DESC, p.id DESC", q.args...)
	return ids, fault("list passages", err)
}

// PassagesByID returns those of the passages that are there and not deleted, in the order of the ids.
func (s *Store) PassagesByID(ctx context.Context, ids []string) ([]memory.Passage, error) {
	stored, err := all(ctx, s, scanPassage, passageColumns()+" WHERE p.deleted_at = 0 AND p.id IN (SELECT value FROM json_each(?))", encode(ids))
	if err != nil {
		return nil, fault("read passages", err)
	}
	found, err := s.placed(ctx, stored)
	if err != nil {
		return nil, fault("read passages", err)
	}
	byID := make(map[string]memory.Passage, len(stored))
	for _, p := range found {
		if p.DeletedAt.IsZero() { // its document may be
			byID[p.ID] = p
		}
	}
	passages := make([]memory.Passage, 0, len(stored))
	for _, id := range ids {
		if p, ok := byID[id]; ok {
			passages = append(passages, p)
			delete(byID, id)
		}
	}
	return passages, nil
}

// PassageTags returns the tags of an archive's passages, the most used first.
func (s *Store) PassageTags(ctx context.Context, archiveID string) ([]TagCount, error) {
	tags, err := all(ctx, s, func(r scanner) (c TagCount, err error) { return c, r.Scan(&c.Tag, &c.Count) }, "passage_tag_counts", archiveID)
	return tags, fault("list tags", err)
}

// tags restricts column, the key of a passage, to passages with any or all of the tags.
func (f *filter) tags(column string, tags []string, mode string) {
	if len(tags) == 0 {
		return
	}
	tags = slices.Compact(slices.Sorted(slices.Values(tags)))
	sub := column + " IN (SELECT passage FROM passage_tag WHERE tag IN (SELECT value FROM json_each(?))"
	args := []any{encode(tags)}
	if mode == "all" {
		sub += " GROUP BY passage HAVING count(*) = ?"
		args = append(args, len(tags))
	}
	f.when(true, sub+")", args...)
}

func (t *tx) livePassage(op, id string) (storedPassage, error) {
	p, err := one(t.ctx, t, scanPassage, "passage_get", id)
	if err == nil && !p.DeletedAt.IsZero() {
		return p, memory.Errorf(memory.ENOTFOUND, op, "the passage was deleted")
	}
	return p, missingOr(op, "passage", id, err)
}

// putPassage stores what a passage becomes, with its index: before is what it is now, nil while it is deleted; after
// nil deletes it.
func (t *tx) putPassage(op string, key int64, before, after *memory.Passage, cause memory.Cause, undoes string) (memory.Revision, error) {
	none := memory.Revision{}
	row, deleted := after, time.Time{}
	if row == nil {
		c := *before
		row, deleted = &c, t.now
	}
	stored, err := one(t.ctx, t, scanPassage, "passage_get", row.ID)
	if err != nil {
		return none, err
	}
	row.Version, row.UpdatedAt, row.DeletedAt = stored.Version+1, t.now, time.Time{}
	if after != nil && !stored.ofDocument {
		same, err := all(t.ctx, t, value[string], "passage_by_hash", row.ArchiveID, textHash(row.Text))
		if err != nil {
			return none, err
		}
		if len(same) > 0 && same[0] != row.ID {
			return none, memory.Errorf(memory.ECONFLICT, op, "the archive holds this text already")
		}
	}
	if err := t.run("passage_update", key, textHash(row.Text), encode(row.Tags), row.Version, millis(row.UpdatedAt), row.Text,
		millis(deleted)); err != nil {
		return none, err
	}
	if after != nil {
		if err := t.tagPassage(key, row.Tags); err != nil {
			return none, err
		}
		if err := t.indexPassage(key); err != nil {
			return none, err
		}
		if row.Text != stored.Text {
			if err := t.wantVectors(key, viewBit[ViewOwn]); err != nil {
				return none, err
			}
			row.Embedded = false
		}
	}
	if err := t.hide(after == nil, key); err != nil {
		return none, err
	}
	return t.revisePassage(before, after, cause, undoes)
}

func (t *tx) tagPassage(key int64, tags []string) error {
	if err := t.run("passage_tags_delete", key); err != nil {
		return err
	}
	for _, tag := range tags {
		if err := t.run("passage_tag_insert", key, tag); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) revisePassage(before, after *memory.Passage, cause memory.Cause, undoes string) (memory.Revision, error) {
	p := after
	if p == nil {
		p = before
	}
	rev, err := t.revise(memory.Revision{
		Subject: memory.SubjectPassage, SubjectID: p.ID, Label: clip(p.Text, 60),
		Before: encodeOrEmpty(before), After: encodeOrEmpty(after), Cause: cause, Undoes: undoes,
	})
	if err != nil {
		return rev, err
	}
	agents, err := all(t.ctx, t, value[string], "archive_agents", p.ArchiveID)
	if err != nil {
		return rev, err
	}
	return rev, t.emitRevised("passage.changed", agents, rev, map[string]any{
		"passage_id": p.ID, "archive_id": p.ArchiveID, "label": rev.Label,
	})
}

// samePassage reports whether two states of a passage hold the same; nil is a deleted one.
func samePassage(a, b *memory.Passage) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Text == b.Text && slices.Equal(a.Tags, b.Tags)
}

// textHash identifies a text, letter case and spacing aside.
func textHash(s string) string {
	sum := sha256.Sum256([]byte(strings.Join(strings.Fields(strings.ToLower(s)), " ")))
	return hex.EncodeToString(sum[:16])
}

// clip returns the first n characters of s.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// clipEnd returns the last n characters of s.
func clipEnd(s string, n int) string {
	if len(s) <= n {
		return s
	}
	i := len(s)
	for ; n > 0 && i > 0; n-- {
		_, size := utf8.DecodeLastRuneInString(s[:i])
		i -= size
	}
	return s[i:]
}

func joinCursor(at time.Time, id string) string { return fmt.Sprintf("%d.%s", millis(at), id) }

// checkCursor fails unless cursor is "" or an identifier of the kind.
func checkCursor(op, kind, cursor string) error {
	if cursor != "" && !strings.HasPrefix(cursor, kind+"-") {
		return memory.Errorf(memory.EINVALID, op, "the cursor %q is none of ours", cursor)
	}
	return nil
}

func splitCursor(op, cursor string) (int64, string, error) {
	at, id, ok := strings.Cut(cursor, ".")
	ms, err := strconv.ParseInt(at, 10, 64)
	if !ok || err != nil {
		return 0, "", memory.Errorf(memory.EINVALID, op, "the cursor %q is none of ours", cursor)
	}
	return ms, id, nil
}

func scanPassage(r scanner) (p storedPassage, err error) {
	var tags string
	var deleted, created, updated int64
	if err := r.Scan(&p.key, &p.ID, &p.ArchiveID, &p.Text, &tags, &p.Origin, &p.Version, &deleted, &created, &updated,
		&p.ofDocument, &p.Embedded, &p.OriginConversation); err != nil {
		return p, err
	}
	p.DeletedAt, p.CreatedAt, p.UpdatedAt = moment(deleted), moment(created), moment(updated)
	return p, json.Unmarshal([]byte(tags), &p.Tags)
}
