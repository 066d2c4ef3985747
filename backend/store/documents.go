package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

// droppedAtOnce is how many passages of an unfinished reading go in one transaction, so that others can write between two.
const droppedAtOnce = 200

// hiddenAtOnce is how many passages one statement shows or hides: SQLite keeps a list of them in memory.
const hiddenAtOnce = 2000

// Reading is the reading of a file into an archive. Its passages are in nobody's sight until it is published; one that is
// not goes at the next start.
type Reading struct {
	Document string // id
	Updated  bool   // the document was there, in an earlier form of the file
	key, n   int64
	archive  string
	name     string
	path     string
	parts    int64
	title    string
}

// DocumentPart is a passage of a document with its place.
type DocumentPart struct {
	ID      string `json:"id"` // of the passage
	Text    string `json:"text"`
	Heading string `json:"heading,omitempty"` // the headings above it
	Page    int    `json:"page"`
	Deleted bool   `json:"deleted,omitempty"` // by itself: it is in no search
	Lead    int    `json:"-"`                 // characters at its beginning that the one before says also
}

// DocumentFilter selects the documents of an archive, the newest first.
type DocumentFilter struct {
	ArchiveID string
	Query     string // part of the title or of the file's name
	Cursor    string
	Limit     int // 0 = 50
}

// KnownDocument returns the document of an archive that was read from a file with this content, and whether it is there now
// as it was read then. ENOTFOUND where there is none.
func (s *Store) KnownDocument(ctx context.Context, archiveID, hash string) (memory.Document, bool, error) {
	const op = "look for document"
	type known struct {
		id      string
		reading int64
		current bool
	}
	k, err := one(ctx, s, func(r scanner) (k known, err error) { return k, r.Scan(&k.id, &k.reading, &k.current) }, "document_by_hash", archiveID, hash)
	if err != nil {
		return memory.Document{}, false, missingOr(op, "document", hash, err)
	}
	d, err := s.Document(ctx, k.id)
	return d, k.current, err
}

// BeginReading begins to read a file: into the document that is given by its id, else into the one that was read from the
// same place before, else into a new one.
func (s *Store) BeginReading(ctx context.Context, archiveID, name, path, documentID string) (*Reading, error) {
	const op = "begin to read document"
	name, err := memory.ValidateFileName(name)
	if err != nil {
		return nil, err
	}
	rd := &Reading{Document: documentID, archive: archiveID, name: name, path: path}
	err = s.write(ctx, op, lazy, func(t *tx) error {
		if _, err := one(t.ctx, t, value[int64], "archive_key", archiveID); err != nil {
			return missingOr(op, "archive", archiveID, err)
		}
		if rd.Document == "" {
			same, err := all(t.ctx, t, value[string], "document_by_name", archiveID, name, path)
			if err != nil {
				return err
			}
			if len(same) > 0 {
				rd.Document = same[0]
			}
		}
		if rd.Document == "" {
			rd.Document = t.s.ids.New("document")
			if err := t.run("document_insert", rd.Document, archiveID, name, path, millis(t.now), millis(t.now)); err != nil {
				return err
			}
		}
		d, err := t.document(op, rd.Document)
		if err != nil {
			return err
		}
		rd.key, rd.Updated = d.key, d.reading > 0
		last, err := one(t.ctx, t, value[int64], "reading_last", rd.key)
		if err != nil {
			return err
		}
		rd.n = last + 1
		return t.run("reading_insert", rd.key, rd.n)
	})
	return rd, err
}

// documentRow is what switching readings must know of a document.
type documentRow struct{ key, reading int64 }

func (t *tx) document(op, id string) (documentRow, error) {
	d, err := one(t.ctx, t, func(r scanner) (d documentRow, err error) { return d, r.Scan(&d.key, &d.reading) }, "document_key", id)
	return d, missingOr(op, "document", id, err)
}

// AddParts stores the next passages of a reading. A passage of the document that says the same is taken again.
func (s *Store) AddParts(ctx context.Context, rd *Reading, title string, at time.Time, parts []DocumentPart) error {
	const op = "store passages of document"
	return s.write(ctx, op, lazy, func(t *tx) error {
		if rd.title != title {
			rd.title = title
			if err := t.run("reading_title", rd.key, rd.n, title); err != nil {
				return err
			}
		}
		for _, p := range parts {
			rd.parts++
			if err := t.addPart(rd, rd.parts, p, at); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tx) addPart(rd *Reading, n int64, part DocumentPart, at time.Time) error {
	p, err := memory.ValidatePassage(memory.Passage{ArchiveID: rd.archive, Text: part.Text})
	if err != nil {
		return err
	}
	known, err := all(t.ctx, t, value[int64], "part_known", rd.key, rd.n, textHash(p.Text), p.Text)
	if err != nil {
		return err
	}
	var key int64
	if len(known) > 0 {
		key = known[0]
	} else if key, err = t.addHidden(rd, p, at); err != nil {
		return err
	}
	if err := t.run("part_insert", rd.key, rd.n, n, key, part.Page, part.Lead, memory.CleanText(part.Heading)); err != nil {
		return err
	}
	if len(known) > 0 {
		return nil
	}
	// Its title and its headings are among the words that it is found by.
	if err := t.indexPassage(key); err != nil {
		return err
	}
	return t.wantVectors(key, viewBit[ViewOwn])
}

// addHidden makes a passage of a document that nobody sees yet.
func (t *tx) addHidden(rd *Reading, p memory.Passage, at time.Time) (int64, error) {
	archive, err := one(t.ctx, t, value[int64], "archive_key", rd.archive)
	if err != nil {
		return 0, err
	}
	if at.IsZero() {
		at = t.now
	}
	at = at.Truncate(time.Millisecond).UTC()
	key, err := t.addItem(archive*2+1, "", at)
	if err != nil {
		return 0, err
	}
	if err := t.run("item_hide", true, key); err != nil {
		return 0, err
	}
	if err := t.run("passage_insert", key, t.s.ids.New("passage"), rd.archive, textHash(p.Text), encode([]string{}), "", 1,
		millis(at), millis(t.now), p.Text); err != nil {
		return 0, err
	}
	return key, t.run("passage_document", key, rd.key)
}

// Publish ends a reading: what it found takes the place of what was there of the document, as one revision.
func (s *Store) Publish(ctx context.Context, rd *Reading, found memory.Document, summary string, cause memory.Cause) (memory.Document, memory.Revision, error) {
	const op = "store document"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		at := found.WrittenAt
		if err := t.addPart(rd, 0, DocumentPart{Text: summary}, at); err != nil {
			return err
		}
		if err := t.run("reading_finish", rd.key, rd.n, found.Title, found.Author, string(found.Format), found.Bytes, found.Hash, found.Language,
			found.Pages, found.Paged, rd.parts, textHash(summary), millis(found.WrittenAt), millis(found.ChangedAt)); err != nil {
			return err
		}
		var err error
		rev, err = t.switchReading(op, rd.Document, rd.n, rd.name, rd.path, cause, "")
		return err
	})
	if err != nil {
		return memory.Document{}, rev, err
	}
	d, err := s.Document(ctx, rd.Document)
	return d, rev, err
}

// switchReading makes another reading the one that is in the archive; 0 deletes the document.
func (t *tx) switchReading(op, id string, to int64, name, path string, cause memory.Cause, undoes string) (memory.Revision, error) {
	none := memory.Revision{}
	d, err := t.document(op, id)
	if err != nil {
		return none, err
	}
	before, err := one(t.ctx, t, scanDocument, "document_get", id)
	if err != nil {
		return none, err
	}
	if name == "" {
		name, path = before.Name, before.Path
	}
	gone, err := all(t.ctx, t, value[int64], "parts_only", d.key, d.reading, to)
	if err != nil {
		return none, err
	}
	back, err := all(t.ctx, t, value[int64], "parts_only", d.key, to, d.reading)
	if err != nil {
		return none, err
	}
	if err := t.run("document_set", d.key, to, name, path, millis(t.now)); err != nil {
		return none, err
	}
	for _, set := range []struct {
		keys   []int64
		hidden bool
	}{{gone, true}, {back, false}} {
		if len(set.keys) == 0 {
			continue
		}
		for keys := range slices.Chunk(set.keys, hiddenAtOnce) { // the lists that SQLite makes of them stay small
			if err := t.run("items_hide", set.hidden, encode(keys)); err != nil {
				return none, err
			}
		}
		t.after = append(t.after, func() { t.s.vectors.hide(set.hidden, set.keys...) })
	}
	renamed, err := all(t.ctx, t, value[int64], "parts_renamed", d.key, d.reading, to)
	if err != nil {
		return none, err
	}
	for _, key := range renamed {
		if err := t.indexPassage(key); err != nil {
			return none, err
		}
		if err := t.wantVectors(key, viewBit[ViewOwn]); err != nil {
			return none, err
		}
	}
	state := func(reading int64, name string) string {
		if reading == 0 {
			return ""
		}
		return encode(memory.DocumentState{Name: name, Reading: int(reading)})
	}
	after, err := one(t.ctx, t, scanDocument, "document_get", id)
	if err != nil {
		return none, err
	}
	rev, err := t.revise(memory.Revision{
		Subject: memory.SubjectDocument, SubjectID: id, Label: clip(after.Title, 60), Before: state(d.reading, before.Name),
		After: state(to, name), Cause: cause, Undoes: undoes,
	})
	if err != nil {
		return rev, err
	}
	agents, err := all(t.ctx, t, value[string], "archive_agents", after.ArchiveID)
	if err != nil {
		return rev, err
	}
	return rev, t.emitRevised("document.changed", agents, rev, map[string]any{
		"document_id": id, "archive_id": after.ArchiveID, "label": rev.Label, "added": len(back), "removed": len(gone),
	})
}

// DropReading takes back a reading that was not published, with all that it stored.
func (s *Store) DropReading(ctx context.Context, rd *Reading) error {
	return s.dropReading(ctx, rd.key, rd.n)
}

func (s *Store) dropReading(ctx context.Context, document, n int64) error {
	const op = "drop unfinished document"
	for more := true; more; {
		err := s.write(ctx, op, lazy, func(t *tx) error {
			keys, err := all(t.ctx, t, value[int64], "parts_of", document, n, droppedAtOnce)
			if err != nil {
				return err
			}
			more = len(keys) == droppedAtOnce
			alone, err := all(t.ctx, t, value[int64], "parts_alone", document, n, encode(keys))
			if err != nil {
				return err
			}
			if err := t.run("parts_delete", document, n, encode(keys)); err != nil {
				return err
			}
			if err := t.eraseVectors(alone); err != nil {
				return err
			}
			for _, name := range []string{"erase_pending", "erase_search", "erase_tags", "erase_passages", "erase_items_of"} {
				if err := t.run(name, "", "", "[]", encode(alone)); err != nil {
					return err
				}
			}
			t.after = append(t.after, t.s.counts.unknown)
			if more {
				return nil
			}
			if err := t.run("reading_delete", document, n); err != nil {
				return err
			}
			return t.run("document_delete", document)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// DropUnfinished takes back the readings that were under way when the app last ended, and returns how many there were.
func (s *Store) DropUnfinished(ctx context.Context) (int, error) {
	unfinished, err := all(ctx, s, func(r scanner) (d documentRow, err error) { return d, r.Scan(&d.key, &d.reading) }, "readings_unfinished")
	if err != nil {
		return 0, fault("look for unfinished documents", err)
	}
	for _, d := range unfinished {
		if err := s.dropReading(ctx, d.key, d.reading); err != nil {
			return 0, err
		}
	}
	return len(unfinished), nil
}

// RestoreDocument puts back what a file with this content was read as before, where the document is deleted or holds
// another form of the file.
func (s *Store) RestoreDocument(ctx context.Context, archiveID, hash, name, path string, cause memory.Cause) (memory.Document, memory.Revision, error) {
	const op = "restore document"
	var rev memory.Revision
	id := ""
	err := s.write(ctx, op, kept, func(t *tx) error {
		var n int64
		var current bool
		_, err := one(t.ctx, t, func(r scanner) (struct{}, error) { return struct{}{}, r.Scan(&id, &n, &current) }, "document_by_hash", archiveID, hash)
		if err != nil {
			return missingOr(op, "document", hash, err)
		}
		if current {
			return nil
		}
		rev, err = t.switchReading(op, id, n, name, path, cause, "")
		return err
	})
	if err != nil {
		return memory.Document{}, rev, err
	}
	d, err := s.Document(ctx, id)
	return d, rev, err
}

// DeleteDocument takes a document with all its passages out of the archive. Undo brings it back.
func (s *Store) DeleteDocument(ctx context.Context, id string, cause memory.Cause) (memory.Revision, error) {
	const op = "delete document"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		d, err := t.document(op, id)
		if err != nil {
			return err
		}
		if d.reading == 0 {
			return memory.Errorf(memory.ENOTFOUND, op, "the document was deleted")
		}
		rev, err = t.switchReading(op, id, 0, "", "", cause, "")
		return err
	})
	return rev, err
}

// undoDocument goes back to the reading that a revision left.
func (t *tx) undoDocument(op string, r memory.Revision, cause memory.Cause) (memory.Revision, error) {
	before, after, err := states[memory.DocumentState](r)
	if err != nil {
		return memory.Revision{}, err
	}
	reading := func(s *memory.DocumentState) int64 {
		if s == nil {
			return 0
		}
		return int64(s.Reading)
	}
	d, err := t.document(op, r.SubjectID)
	if err != nil {
		return memory.Revision{}, err
	}
	if d.reading != reading(after) {
		return memory.Revision{}, movedOn(op, r)
	}
	return t.switchReading(op, r.SubjectID, reading(before), "", "", cause, r.ID)
}

// Document returns a document, also a deleted one: receipts may name it.
func (s *Store) Document(ctx context.Context, id string) (memory.Document, error) {
	d, err := one(ctx, s, scanDocument, "document_get", id)
	return d, missingOr("read document", "document", id, err)
}

// Documents returns the documents that the filter selects and the cursor of the next page, "" at the end.
func (s *Store) Documents(ctx context.Context, f DocumentFilter) ([]memory.Document, string, error) {
	const op = "list documents"
	q := filter{conditions: []string{"d.archive_id = ?", "d.reading > 0"}, args: []any{f.ArchiveID}}
	if words := strings.ToLower(strings.TrimSpace(f.Query)); words != "" {
		q.when(true, "(instr(lower(r.title), ?) > 0 OR instr(lower(d.name), ?) > 0)", words, words)
	}
	if f.Cursor != "" {
		at, id, err := splitCursor(op, f.Cursor)
		if err != nil {
			return nil, "", err
		}
		q.when(true, "(d.created_at, d.id) < (?, ?)", at, id)
	}
	limit := limitOr(f.Limit)
	head, _, _ := strings.Cut(text("document_get"), "WHERE d.id = ?")
	docs, err := all(ctx, s, scanDocument, head+q.where()+" ORDER BY d.created_at DESC, d.id DESC LIMIT ?", append(q.args, limit+1)...)
	if err != nil {
		return nil, "", fault(op, err)
	}
	next := ""
	if len(docs) > limit {
		docs = docs[:limit]
		next = joinCursor(docs[limit-1].CreatedAt, docs[limit-1].ID)
	}
	return docs, next, nil
}

// DocumentPage returns what stands on a page of a document, each word once. Of a deleted document it is what was there last.
func (s *Store) DocumentPage(ctx context.Context, id string, page int) ([]DocumentPart, error) {
	const op = "read page of document"
	key, reading, err := s.reading(ctx, op, id)
	if err != nil {
		return nil, err
	}
	parts, err := all(ctx, s, func(r scanner) (p DocumentPart, err error) {
		return p, r.Scan(&p.ID, &p.Text, &p.Heading, &p.Page, &p.Deleted)
	}, "document_page", key, reading, page)
	return parts, fault(op, err)
}

// DocumentText returns the text of a page of a document.
func (s *Store) DocumentText(ctx context.Context, id string, page int) (string, error) {
	parts, err := s.DocumentPage(ctx, id, page)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, p := range parts {
		if !p.Deleted {
			texts = append(texts, strings.TrimSpace(p.Text))
		}
	}
	return strings.Join(texts, "\n\n"), nil
}

// DocumentsNamed returns the documents of an archive that a name means: the one that has it as id, title or file name, else
// those whose title or file name contains it; all for "".
func (s *Store) DocumentsNamed(ctx context.Context, archiveID, name string, limit int) ([]memory.Document, error) {
	if strings.HasPrefix(name, "document-") {
		if d, err := s.Document(ctx, name); err == nil && d.ArchiveID == archiveID && d.DeletedAt.IsZero() {
			return []memory.Document{d}, nil
		}
	}
	found, _, err := s.Documents(ctx, DocumentFilter{ArchiveID: archiveID, Query: name, Limit: limit})
	if name != "" {
		for _, d := range found {
			if strings.EqualFold(d.Title, name) || strings.EqualFold(d.Name, name) {
				return []memory.Document{d}, nil
			}
		}
	}
	return found, err
}

// FindInDocument returns the passages of a document that contain a text, in order.
func (s *Store) FindInDocument(ctx context.Context, id, query string, limit int) ([]DocumentPart, error) {
	const op = "search in document"
	key, reading, err := s.reading(ctx, op, id)
	if err != nil {
		return nil, err
	}
	parts, err := all(ctx, s, func(r scanner) (p DocumentPart, err error) {
		return p, r.Scan(&p.ID, &p.Text, &p.Page)
	}, "document_find", key, reading, strings.ToLower(query), limitOr(limit))
	return parts, fault(op, err)
}

// reading returns the key of a document and its reading that is there, or was there last.
func (s *Store) reading(ctx context.Context, op, id string) (key, n int64, err error) {
	d, err := one(ctx, s, func(r scanner) (d documentRow, err error) { return d, r.Scan(&d.key, &d.reading) }, "document_key", id)
	if err != nil {
		return 0, 0, missingOr(op, "document", id, err)
	}
	if d.reading > 0 {
		return d.key, d.reading, nil
	}
	n, err = one(ctx, s, value[int64], "reading_last", d.key)
	return d.key, n, fault(op, err)
}

// PlainSummaries returns the documents whose summary is the one that the rule made, the newest first.
func (s *Store) PlainSummaries(ctx context.Context, limit int) ([]string, error) {
	ids, err := all(ctx, s, value[string], "document_empty_summaries", limitOr(limit))
	return ids, fault("list documents", err)
}

// SetSummary puts another text in place of the summary of a document.
func (s *Store) SetSummary(ctx context.Context, id, summary string, cause memory.Cause) (memory.Revision, error) {
	const op = "summarise document"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		found, err := all(t.ctx, t, value[string], `SELECT p.id FROM document d JOIN document_part a ON a.document = d.key AND a.reading = d.reading AND a.n = 0
			JOIN passage p ON p.key = a.passage WHERE d.id = ? AND p.deleted_at = 0`, id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return memory.Errorf(memory.ENOTFOUND, op, "the document was deleted")
		}
		before, err := t.livePassage(op, found[0])
		if err != nil {
			return err
		}
		after := before.Passage
		after.Text = summary
		if after, err = memory.ValidatePassage(after); err != nil || samePassage(&before.Passage, &after) {
			return err
		}
		rev, err = t.putPassage(op, before.key, &before.Passage, &after, cause, "")
		return err
	})
	return rev, err
}

func scanDocument(r scanner) (d memory.Document, err error) {
	var key, reading, written, changed, created, updated int64
	var plain bool
	var by memory.Actor
	err = r.Scan(&key, &reading, &d.ID, &d.ArchiveID, &d.Name, &d.Path, &d.Title, &d.Author, &d.Format, &d.Bytes, &d.Hash, &d.Language,
		&d.Pages, &d.Paged, &d.Passages, &d.Summary, &plain, &by, &written, &changed, &created, &updated)
	d.WrittenAt, d.ChangedAt, d.CreatedAt, d.UpdatedAt = moment(written), moment(changed), moment(created), moment(updated)
	if reading == 0 {
		d.DeletedAt = d.UpdatedAt
	}
	if d.SummaryBy = by; plain {
		d.SummaryBy = memory.ActorSystem
	}
	return d, err
}

// isSummary says whether a passage is the summary of a document.
func (t *tx) isSummary(key int64) (bool, error) {
	return one(t.ctx, t, value[bool], "SELECT EXISTS (SELECT 1 FROM document_part WHERE passage = ? AND n = 0)", key)
}

// standsUnder returns title and headings that a passage stands under, "" where it is of no document.
func standsUnder(ctx context.Context, q querier, key int64) (string, error) {
	found, err := all(ctx, q, func(r scanner) (s string, err error) {
		var title, heading string
		var page int
		if err := r.Scan(&title, &heading, &page); err != nil {
			return "", err
		}
		return strings.TrimSpace(title + "\n" + heading), nil
	}, "passage_place", key)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// places returns where passages stand in their documents.
func (s *Store) places(ctx context.Context, ids []string) (map[string]memory.DocumentPlace, error) {
	type placed struct {
		id    string
		place memory.DocumentPlace
	}
	found, err := all(ctx, s, func(r scanner) (p placed, err error) {
		return p, r.Scan(&p.id, &p.place.ID, &p.place.Title, &p.place.Page, &p.place.Paged, &p.place.Heading)
	}, "passage_places", encode(slices.Compact(slices.Sorted(slices.Values(ids)))))
	if err != nil {
		return nil, err
	}
	places := make(map[string]memory.DocumentPlace, len(found))
	for _, p := range found {
		if _, known := places[p.id]; !known {
			places[p.id] = p.place
		}
	}
	return places, nil
}
