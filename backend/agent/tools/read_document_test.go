package tools

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"recollect/backend/memory"
)

// house is a document of three pages, the second of which is long.
var house = memory.Document{ID: "document-1", Title: "The house", Name: "house.pdf", Pages: 3, Paged: true}

func (w *world) DocumentsNamed(_ context.Context, _, name string, _ int) ([]memory.Document, error) {
	all := []memory.Document{house, {ID: "document-2", Title: "Notes on the house", Name: "notes.md", Pages: 1}}
	var found []memory.Document
	for _, d := range all {
		if strings.EqualFold(d.Title, name) {
			return []memory.Document{d}, nil
		}
		if strings.Contains(strings.ToLower(d.Title), strings.ToLower(name)) {
			found = append(found, d)
		}
	}
	return found, nil
}

func (w *world) DocumentText(_ context.Context, _ string, page int) (string, error) {
	if page == 2 {
		return strings.Repeat("long ", 1000), nil
	}
	return fmt.Sprintf("What page %d says.", page), nil
}

func TestADocumentIsReadPageByPage(t *testing.T) {
	for args, want := range map[string]string{
		`{}`:                                    "1. “The house” (house.pdf, 3 pages",
		`{"document":"house"}`:                  "2. “Notes on the house” (notes.md, 1 part",
		`{"document":"The house"}`:              "“The house”, page 1 of 3:\nWhat page 1 says.\n[It goes on: page=2]",
		`{"title":"《the house》","page":"3"}`:    "“The house”, page 3 of 3:\nWhat page 3 says.",
		`{"document":"the house","page":2}`:     "[It goes on: from=3000]",
		`{"document":"The house","page":9}`:     "page must be from 1 to 3.",
		`{"document":"The house","page":0}`:     "page must be from 1 to 3.",
		`{"document":"The house","from":99999}`: "from must be less than",
		`{"document":"boat"}`:                   `there is no document "boat"`,
		`{"document":"Notes on the house"}`:     "“Notes on the house”, part 1 of 1:",
	} {
		if r := (&world{}).run(t, "read_document", args); !strings.Contains(r.Text, want) {
			t.Errorf("%s: %s", args, r.Text)
		}
	}
	r := (&world{}).run(t, "read_document", `{"document":"The house","page":2,"from":3000}`)
	if !strings.Contains(r.Text, "long") || !strings.HasSuffix(r.Text, "[It goes on: page=3]") {
		t.Error(r.Text)
	}
}

func TestAResultNamesTheDocumentItIsFrom(t *testing.T) {
	w := &world{hits: []memory.Candidate{{Kind: "passage", Text: "The keys are with Ada.", Document: &memory.DocumentPlace{Title: "The house", Page: 7, Paged: true}}}}
	if r := w.run(t, "archival_memory_search", `{"query":"keys"}`); !strings.Contains(r.Text, "“The house” page 7] The keys") {
		t.Error(r.Text)
	}
}
