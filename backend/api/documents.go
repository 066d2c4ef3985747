package api

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"recollect/backend/ingest/library"
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/store"
)

const (
	hitChars     = 240 // of a place that is found in a document
	mostHits     = 100
	mostFiles    = 200 // of one request
	maxFormField = 1 << 10
)

func (a *API) listDocuments(r *http.Request) (result, error) {
	q := parameters(r, "agent_id", "query", "cursor", "limit")
	f := store.DocumentFilter{Query: q.text("query"), Cursor: q.text("cursor"), Limit: q.limit(defaultPage, largestPage)}
	if q.err != nil {
		return result{}, q.err
	}
	agent, err := a.agentOf(r.Context(), q.text("agent_id"))
	if err != nil {
		return result{}, err
	}
	f.ArchiveID = agent.ArchiveID
	documents, next, err := a.Store.Documents(r.Context(), f)
	return ok(Documents{Documents: documents, Next: next}), err
}

func (a *API) document(r *http.Request) (result, error) {
	document, err := a.Store.Document(r.Context(), r.PathValue("id"))
	return ok(document), err
}

func (a *API) deleteDocument(r *http.Request) (result, error) {
	revision, err := a.Store.DeleteDocument(r.Context(), r.PathValue("id"), byUser(""))
	return ok(Revised{Revision: revision}), err
}

// documentPage returns a page of a document, or the one that a passage stands on.
func (a *API) documentPage(r *http.Request) (result, error) {
	q := parameters(r, "page", "passage_id")
	ctx, id, page := r.Context(), r.PathValue("id"), 1
	if s := q.text("page"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			q.fail("page must be a number from 1 on")
		}
		page = n
	}
	if q.err != nil {
		return result{}, q.err
	}
	if passage := q.text("passage_id"); passage != "" {
		p, err := a.Store.Passage(ctx, passage)
		if err != nil {
			return result{}, err
		}
		if p.Document == nil || p.Document.ID != id {
			return result{}, memory.Errorf(memory.ENOTFOUND, "read page", "the passage is of another document")
		}
		page = max(1, p.Document.Page)
	}
	document, err := a.Store.Document(ctx, id)
	if err != nil {
		return result{}, err
	}
	parts, err := a.Store.DocumentPage(ctx, id, page)
	if err != nil {
		return result{}, err
	}
	if len(parts) == 0 && page > document.Pages {
		return result{}, memory.Errorf(memory.ENOTFOUND, "read page", "there are %d pages", document.Pages)
	}
	return ok(DocumentPage{Document: document, Page: page, Parts: parts}), nil
}

func (a *API) findInDocument(r *http.Request) (result, error) {
	q := parameters(r, "query")
	words := strings.TrimSpace(q.text("query"))
	if words == "" {
		q.fail("query is missing")
	}
	if q.err != nil {
		return result{}, q.err
	}
	parts, err := a.Store.FindInDocument(r.Context(), r.PathValue("id"), words, mostHits+1)
	var hits DocumentHits
	if hits.More = len(parts) > mostHits; hits.More {
		parts = parts[:mostHits]
	}
	for _, p := range parts {
		hits.Hits = append(hits.Hits, DocumentHit{PassageID: p.ID, Page: p.Page, Text: around(p.Text, words)})
	}
	return ok(hits), err
}

// around returns the place of a text at which words stand, on one line.
func around(text, words string) string {
	r, w := []rune(strings.Join(strings.Fields(text), " ")), []rune(strings.Join(strings.Fields(words), " "))
	at := 0
	for i := 0; i+len(w) <= len(r); i++ {
		if strings.EqualFold(string(r[i:i+len(w)]), string(w)) {
			at = i
			break
		}
	}
	start := max(0, at-hitChars/3)
	for start > 0 && start < at && !unicode.IsSpace(r[start-1]) && r[start] < 0x2E80 {
		start++
	}
	end := min(len(r), start+hitChars)
	out := string(r[start:end])
	if start > 0 {
		out = "…" + out
	}
	if end < len(r) {
		out += "…"
	}
	return out
}

// addDocuments begins to read files: those that the request carries, or those that it names on this machine.
func (a *API) addDocuments(r *http.Request) (result, error) {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return a.uploadDocuments(r)
	}
	var in DocumentsAdd
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	agent, err := a.agentOf(r.Context(), in.AgentID)
	if err != nil {
		return result{}, err
	}
	if len(in.Paths) == 0 || len(in.Paths) > mostFiles || in.DocumentID != "" && len(in.Paths) > 1 {
		return result{}, invalid("paths must name 1 to %d files, and one where it is another form of a document", mostFiles)
	}
	var files []library.File
	for _, path := range in.Paths {
		if !filepath.IsAbs(path) {
			return result{}, invalid("paths must be whole paths of files on this machine")
		}
		switch info, err := os.Stat(path); {
		case errors.Is(err, os.ErrNotExist):
			return result{}, memory.Errorf(memory.ENOTFOUND, "", "there is no file %s", path)
		case err != nil:
			return result{}, memory.Errorf(memory.EREADONLY, "", "%s cannot be read: %w", path, err)
		case info.IsDir():
			return result{}, memory.Errorf(memory.EINVALID, "", "%s is a folder; name a file in it", path)
		case !info.Mode().IsRegular():
			return result{}, memory.Errorf(memory.EINVALID, "", "%s is no file", path)
		}
		files = append(files, library.File{Name: filepath.Base(path), At: path, Path: path})
	}
	return a.readDocuments(agent, in.DocumentID, files)
}

// uploadDocuments takes files out of the request itself, piece by piece: the fields come before the files.
func (a *API) uploadDocuments(r *http.Request) (_ result, err error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return result{}, invalid("the form cannot be read: %w", err)
	}
	fields := map[string]string{}
	var files []library.File
	defer func() {
		if err != nil { // none of them is read
			for _, f := range files {
				_ = os.Remove(f.At)
			}
		}
	}()
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return result{}, invalid("the form broke off: %w", err)
		}
		switch part.FormName() {
		case "agent_id", "document_id", "changed_at":
			b, err := io.ReadAll(io.LimitReader(part, maxFormField))
			if err != nil {
				return result{}, invalid("the form broke off: %w", err)
			}
			fields[part.FormName()] = string(b)
		case "file":
			if len(files) == mostFiles {
				return result{}, invalid("at most %d files at once", mostFiles)
			}
			path, err := library.Keep(a.Home, part)
			if err != nil {
				var known *memory.Error
				if errors.As(err, &known) {
					return result{}, err
				}
				return result{}, fileError("keep document", err)
			}
			f := library.File{Name: library.FileName(part.FileName()), At: path, Remove: true}
			if ms, err := strconv.ParseInt(fields["changed_at"], 10, 64); err == nil {
				f.ChangedAt = time.UnixMilli(ms).UTC()
			}
			delete(fields, "changed_at")
			files = append(files, f)
		default:
			return result{}, invalid("there is no field %q", part.FormName())
		}
	}
	if len(files) == 0 {
		return result{}, invalid("the form has no field \"file\"")
	}
	agent, err := a.agentOf(r.Context(), fields["agent_id"])
	if err != nil {
		return result{}, err
	}
	if fields["document_id"] != "" && len(files) > 1 {
		return result{}, invalid("one file can be another form of a document")
	}
	return a.readDocuments(agent, fields["document_id"], files)
}

func (a *API) readDocuments(agent memory.Agent, documentID string, files []library.File) (result, error) {
	list := Jobs{Jobs: []jobs.Job{}}
	for _, f := range files {
		f.ArchiveID, f.DocumentID = agent.ArchiveID, documentID
		f.Cause = memory.Cause{Actor: memory.ActorImport, AgentID: agent.ID}
		job, err := a.Library.Add(f)
		if err != nil {
			return result{}, fmt.Errorf("add documents: %w", err)
		}
		list.Jobs = append(list.Jobs, job)
	}
	return accepted(list), nil
}
