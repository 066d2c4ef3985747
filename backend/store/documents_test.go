package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

var byImport = memory.Cause{Actor: memory.ActorImport}

// document reads a document with the given passages, each on a page of its own.
func (w *world) document(archive, name, hash string, texts ...string) (memory.Document, memory.Revision) {
	w.t.Helper()
	rd := w.staged(archive, name, texts...)
	d, rev, err := w.Publish(w.ctx, rd, memory.Document{
		Title: "About " + name, Format: memory.FormatPDF, Hash: hash, Bytes: 10, Pages: len(texts), Paged: true, Language: "en",
		WrittenAt: time.Date(2024, 1, 31, 12, 0, 0, 0, time.UTC),
	}, "Summary of "+strings.Join(texts, " "), byImport)
	must(w.t, err)
	return d, rev
}

// staged reads one and does not end it.
func (w *world) staged(archive, name string, texts ...string) *Reading {
	w.t.Helper()
	rd, err := w.BeginReading(w.ctx, archive, name, "", "")
	must(w.t, err)
	var parts []DocumentPart
	for i, text := range texts {
		parts = append(parts, DocumentPart{Text: text, Page: i + 1, Heading: fmt.Sprintf("Chapter %d", i+1)})
	}
	must(w.t, w.AddParts(w.ctx, rd, "About "+name, time.Date(2024, 1, 31, 12, 0, 0, 0, time.UTC), parts))
	return rd
}

// listed are the texts of an archive's passages that are in sight, in alphabetical order, without summaries.
func (w *world) listed(archive string) []string {
	w.t.Helper()
	ps, _, err := w.ListPassages(w.ctx, PassageFilter{ArchiveID: archive, Limit: 100})
	must(w.t, err)
	texts := []string{}
	for _, p := range ps {
		if p.Document == nil || p.Document.Page > 0 {
			texts = append(texts, p.Text)
		}
	}
	slices.Sort(texts)
	return texts
}

// finds says whether a search for a word finds passages.
func (w *world) finds(archive, word string) int {
	w.t.Helper()
	hits, err := w.LexicalSearch(w.ctx, LexQuery{ArchiveID: archive, Terms: segment.Query(word)})
	must(w.t, err)
	return len(hits)
}

func TestADocumentIsInSightOnlyWhenItIsWhole(t *testing.T) {
	w := newWorld(t)
	archive := w.agent().ArchiveID
	rd := w.staged(archive, "house.pdf", "The keys are with Ada", "The rent is due on the third")
	if got := w.listed(archive); len(got) > 0 {
		t.Errorf("half a document is listed: %q", got)
	}
	wantEqual(t, "found", w.finds(archive, "keys"), 0)
	w.seen()
	d, rev, err := w.Publish(w.ctx, rd, memory.Document{Title: "House", Format: memory.FormatPDF, Hash: "h", Pages: 2, Paged: true}, "It is about keys.", byImport)
	must(t, err)
	if got := w.listed(archive); !slices.Equal(got, []string{"The keys are with Ada", "The rent is due on the third"}) {
		t.Errorf("listed are %q", got)
	}
	wantEqual(t, "found", w.finds(archive, "keys"), 2) // and the summary
	wantEqual(t, "found by its title", w.finds(archive, "house"), 3)
	wantEqual(t, "found by a heading", w.finds(archive, "chapter"), 2)
	wantEqual(t, "summary", d.Summary, "It is about keys.")
	wantEqual(t, "summary by", d.SummaryBy, memory.ActorSystem)
	events := w.seen()
	if len(events) != 1 || events[0].Type != "document.changed" || events[0].Data["document_id"] != d.ID || events[0].Data["revision_id"] != rev.ID {
		t.Errorf("published %+v", events)
	}
	page, err := w.DocumentPage(w.ctx, d.ID, 2)
	must(t, err)
	if len(page) != 1 || page[0].Text != "The rent is due on the third" || page[0].Heading != "Chapter 2" {
		t.Errorf("page 2 is %+v", page)
	}
	p, err := w.Passage(w.ctx, page[0].ID)
	must(t, err)
	wantEqual(t, "place", *p.Document, memory.DocumentPlace{ID: d.ID, Title: "House", Page: 2, Paged: true, Heading: "Chapter 2"})
	items, err := w.Items(w.ctx, []Ref{{KindPassage, p.ID}})
	must(t, err)
	wantEqual(t, "place of the item", *items[0].Document, *p.Document)
	hits, err := w.FindInDocument(w.ctx, d.ID, "RENT", 0)
	must(t, err)
	if len(hits) != 1 || hits[0].Page != 2 {
		t.Errorf("found in it: %+v", hits)
	}
	// Neither written by hand nor taken from a message.
	for origin, n := range map[string]int{OriginHand: 0, OriginMessage: 0, OriginDocument: 3} {
		ids, err := w.PassageIDs(w.ctx, PassageFilter{ArchiveID: archive, Origin: origin})
		must(t, err)
		wantEqual(t, "of "+origin, len(ids), n)
	}
	_, _, err = w.UpdatePassage(w.ctx, p.ID, memory.PassageChange{Text: ptr("something else")}, byUser)
	wantCode(t, err, memory.EREADONLY)
}

func TestAnUnfinishedDocumentLeavesNothing(t *testing.T) {
	w := newWorld(t)
	archive := w.agent().ArchiveID
	kept, _ := w.document(archive, "house.pdf", "1", "The keys are with Ada", "The rent is due")
	before := w.rows()
	texts := []string{"The keys are with Ada"} // it is taken again, and must stay
	for i := range droppedAtOnce + 20 {
		texts = append(texts, fmt.Sprintf("Page %d of something new", i))
	}
	w.staged(archive, "house.pdf", texts...)
	w.staged(archive, "other.pdf", texts...)
	n, err := w.DropUnfinished(w.ctx)
	must(t, err)
	wantEqual(t, "unfinished", n, 2)
	if after := w.rows(); after != before {
		t.Errorf("rows before: %s, after: %s", before, after)
	}
	wantEqual(t, "found", w.finds(archive, "something"), 0)
	docs, _, err := w.Documents(w.ctx, DocumentFilter{ArchiveID: archive})
	must(t, err)
	if len(docs) != 1 || docs[0].ID != kept.ID {
		t.Errorf("documents: %+v", docs)
	}
	if got := w.listed(archive); len(got) != 2 {
		t.Errorf("listed are %q", got)
	}
}

// rows counts the rows of the tables that a document touches.
func (w *world) rows() string {
	w.t.Helper()
	var counts []string
	for _, table := range []string{"document", "document_reading", "document_part", "passage", "item", "search_docsize", "embed_pending"} {
		n, err := one(w.ctx, w.Store, value[int], "SELECT count(*) FROM "+table)
		must(w.t, err)
		counts = append(counts, fmt.Sprintf("%s %d", table, n))
	}
	return strings.Join(counts, ", ")
}

func TestAChangedDocumentReplacesOnlyWhatChanged(t *testing.T) {
	w := newWorld(t)
	archive := w.agent().ArchiveID
	w.passage(archive, "Written by hand")
	first, _ := w.document(archive, "house.pdf", "1", "The keys are with Ada", "The rent is due on the third", "The same")
	ids := map[string]string{}
	ps, _, err := w.ListPassages(w.ctx, PassageFilter{ArchiveID: archive})
	must(t, err)
	for _, p := range ps {
		ids[p.Text] = p.ID
	}
	second, rev := w.document(archive, "house.pdf", "2", "The keys are with Ben", "The same", "The rent is due on the third")
	wantEqual(t, "document", second.ID, first.ID)
	for _, text := range []string{"The same", "The rent is due on the third"} {
		p, err := w.Passage(w.ctx, ids[text])
		must(t, err)
		if !p.DeletedAt.IsZero() {
			t.Errorf("%q was replaced", text)
		}
	}
	p, err := w.Passage(w.ctx, ids["The rent is due on the third"])
	must(t, err)
	if p.Document.Page != 3 || p.Document.Heading != "Chapter 3" {
		t.Errorf("it moved to %+v", p.Document)
	}
	want := []string{"The keys are with Ben", "The rent is due on the third", "The same", "Written by hand"}
	if got := w.listed(archive); !slices.Equal(got, want) {
		t.Errorf("listed are %q", got)
	}
	wantEqual(t, "found old", w.finds(archive, "Ada"), 0)

	undone, err := w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	if got := w.listed(archive); !slices.Contains(got, "The keys are with Ada") || slices.Contains(got, "The keys are with Ben") {
		t.Errorf("after undo: %q", got)
	}
	_, err = w.Undo(w.ctx, undone.ID, byUser)
	must(t, err)
	if got := w.listed(archive); !slices.Equal(got, want) {
		t.Errorf("after redo: %q", got)
	}
	// An earlier form of the file that comes again needs no reading.
	known, current, err := w.KnownDocument(w.ctx, archive, "1")
	must(t, err)
	if known.ID != first.ID || current {
		t.Errorf("known: %+v, current %v", known, current)
	}
	_, _, err = w.RestoreDocument(w.ctx, archive, "1", "house.pdf", "", byImport)
	must(t, err)
	if got := w.listed(archive); !slices.Contains(got, "The keys are with Ada") {
		t.Errorf("restored: %q", got)
	}
}

func TestADeletedDocumentGoesWithItsPassagesAndComesBack(t *testing.T) {
	w := newWorld(t)
	archive := w.agent().ArchiveID
	d, _ := w.document(archive, "house.pdf", "1", "The keys are with Ada", "The rent is due")
	w.document(archive, "other.pdf", "2", "The keys are with Ada") // two documents may say the same
	gone, err := w.DocumentPage(w.ctx, d.ID, 2)
	must(t, err)
	_, err = w.DeletePassage(w.ctx, gone[0].ID, byUser)
	must(t, err)
	rev, err := w.DeleteDocument(w.ctx, d.ID, byUser)
	must(t, err)
	if got := w.listed(archive); len(got) != 1 {
		t.Errorf("listed are %q", got)
	}
	_, err = w.DeleteDocument(w.ctx, d.ID, byUser)
	wantCode(t, err, memory.ENOTFOUND)
	there, err := w.Document(w.ctx, d.ID)
	must(t, err)
	if there.DeletedAt.IsZero() {
		t.Error("it does not say that it is deleted")
	}
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	if got := w.listed(archive); !slices.Equal(got, []string{"The keys are with Ada", "The keys are with Ada"}) { // what was deleted by itself stays so
		t.Errorf("listed are %q", got)
	}
	revs, _, err := w.Revisions(w.ctx, RevisionFilter{Subject: memory.SubjectDocument, SubjectID: d.ID})
	must(t, err)
	wantEqual(t, "revisions", len(revs), 3)
}

// A document of more passages than one statement shows or hides is in sight as a whole, or not at all.
func TestALargeDocumentGoesAndComesWhole(t *testing.T) {
	w := newWorld(t)
	archive := w.agent().ArchiveID
	texts := make([]string, hiddenAtOnce+3)
	for i := range texts {
		texts[i] = fmt.Sprintf("Ride %d went to the coast", i)
	}
	d, _, err := w.Publish(w.ctx, w.staged(archive, "rides.txt", texts...), memory.Document{Title: "Rides", Format: memory.FormatText, Hash: "1"}, "All rides", byImport)
	must(t, err)
	seen := func(want int) {
		t.Helper()
		got, err := one(w.ctx, w.Store, value[int], "SELECT count(*) FROM item WHERE owner & 1 AND hidden = 0")
		must(t, err)
		wantEqual(t, "passages in sight", got, want)
	}
	seen(len(texts) + 1) // and the summary
	rev, err := w.DeleteDocument(w.ctx, d.ID, byUser)
	must(t, err)
	seen(0)
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	seen(len(texts) + 1)
}

func TestASummaryKnowsWhoWroteIt(t *testing.T) {
	w := newWorld(t)
	archive := w.agent().ArchiveID
	d, _ := w.document(archive, "house.pdf", "1", "The keys are with Ada")
	plain, err := w.PlainSummaries(w.ctx, 5)
	must(t, err)
	if !slices.Equal(plain, []string{d.ID}) {
		t.Errorf("plain: %v", plain)
	}
	rev, err := w.SetSummary(w.ctx, d.ID, "A house and its keys.", byModel)
	must(t, err)
	got, err := w.Document(w.ctx, d.ID)
	must(t, err)
	wantEqual(t, "summary", got.Summary, "A house and its keys.")
	wantEqual(t, "by", got.SummaryBy, memory.ActorModel)
	plain, err = w.PlainSummaries(w.ctx, 5)
	must(t, err)
	wantEqual(t, "plain", len(plain), 0)
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	got, err = w.Document(w.ctx, d.ID)
	must(t, err)
	wantEqual(t, "by", got.SummaryBy, memory.ActorSystem)
}

func TestErasingAnAgentErasesItsDocuments(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	d, _ := w.document(a.ArchiveID, "house.pdf", "1", "The keys are with Ada")
	must(t, w.erasing(context.Background(), "erase", func(t *tx) error { return t.eraseAgent(a.ID) }))
	_, err := w.Document(w.ctx, d.ID)
	wantCode(t, err, memory.ENOTFOUND)
	for _, table := range []string{"document", "document_reading", "document_part", "passage"} {
		n, err := one(w.ctx, w.Store, value[int], "SELECT count(*) FROM "+table)
		must(t, err)
		wantEqual(t, table, n, 0)
	}
}
