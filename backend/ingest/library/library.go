// Package library takes documents into archives: it reads files in the background, one after the other, and stores what it
// finds so that a document is there as a whole or not at all.
package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"recollect/backend/ingest"
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// Store is what the library needs of the database.
type Store interface {
	KnownDocument(ctx context.Context, archiveID, hash string) (memory.Document, bool, error)
	RestoreDocument(ctx context.Context, archiveID, hash, name, path string, cause memory.Cause) (memory.Document, memory.Revision, error)
	BeginReading(ctx context.Context, archiveID, name, path, documentID string) (*store.Reading, error)
	AddParts(ctx context.Context, rd *store.Reading, title string, at time.Time, parts []store.DocumentPart) error
	Publish(ctx context.Context, rd *store.Reading, found memory.Document, summary string, cause memory.Cause) (memory.Document, memory.Revision, error)
	DropReading(ctx context.Context, rd *store.Reading) error
}

// Library reads documents into archives. It is safe for concurrent use.
type Library struct {
	store Store
	jobs  *jobs.Registry
	wake  func()
	clock memory.Clock
	turn  chan struct{} // held by the one that reads
}

// New returns a library. wake is called when there is something new to embed.
func New(s Store, j *jobs.Registry, clock memory.Clock, wake func()) *Library {
	return &Library{store: s, jobs: j, wake: wake, clock: clock, turn: make(chan struct{}, 1)}
}

// File is a file to be read.
type File struct {
	ArchiveID  string
	DocumentID string    // it is another form of this document; "" = found by name and path
	Name       string    // as the user knows it
	At         string    // where its content is
	Path       string    // where it can be read again, "" = nowhere
	Remove     bool      // the content is a copy, to be removed when it has been read
	ChangedAt  time.Time // of the file, zero where it is not known
	Cause      memory.Cause
}

// What a job says of a document that was read.
const (
	StatusWaiting = "waiting" // another one is being read
	StatusReading = "reading"
	StatusAdded   = "added"
	StatusUpdated = "updated"
	StatusKnown   = "known" // it was there already
)

// partsAtOnce are stored in one transaction, so that others can write between two.
const partsAtOnce = 64

// Add begins to read a file in the background, and returns the job.
func (l *Library) Add(f File) (jobs.Job, error) {
	job, err := l.jobs.AddDocument(f.ArchiveID, f.Name, func(ctx context.Context, report func(jobs.Progress)) error {
		if f.Remove {
			defer func() { _ = os.Remove(f.At) }() // at the next start, where that fails
		}
		report(jobs.Progress{Status: StatusWaiting})
		select {
		case l.turn <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		defer func() { <-l.turn }()
		defer debug.FreeOSMemory() // a large file leaves much behind
		return l.read(ctx, f, report)
	})
	if err != nil && f.Remove {
		_ = os.Remove(f.At) // why it is not read matters more
	}
	return job, err
}

// read reads one file, as a whole or not at all.
func (l *Library) read(ctx context.Context, f File, report func(jobs.Progress)) error {
	const op = "read document"
	file, err := os.Open(f.At)
	if err != nil {
		return fileError(op, f.Name, err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return fileError(op, f.Name, err)
	}
	if !info.Mode().IsRegular() {
		return memory.Errorf(memory.EINVALID, op, "%s is no file", f.Name)
	}
	if f.ChangedAt.IsZero() && f.Path != "" {
		f.ChangedAt = info.ModTime()
	}
	size := info.Size()
	tell := func(done int64, status, document, revision string) {
		report(jobs.Progress{Status: status, Completed: done, Total: size, Result: document, Revision: revision})
	}
	tell(0, StatusReading, "", "")
	hash, err := hashOf(ctx, file)
	if err != nil {
		return fileError(op, f.Name, err)
	}
	if f.DocumentID == "" {
		known, current, err := l.store.KnownDocument(ctx, f.ArchiveID, hash)
		switch {
		case memory.CodeOf(err) == memory.ENOTFOUND:
		case err != nil:
			return err
		case current:
			tell(size, StatusKnown, known.ID, "")
			return nil
		default:
			d, rev, err := l.store.RestoreDocument(ctx, f.ArchiveID, hash, f.Name, f.Path, f.Cause)
			if err != nil {
				return err
			}
			l.wake()
			tell(size, StatusAdded, d.ID, rev.ID)
			return nil
		}
	}
	rd, err := l.store.BeginReading(ctx, f.ArchiveID, f.Name, f.Path, f.DocumentID)
	if err != nil {
		return err
	}
	d, rev, err := l.stage(ctx, f, file, size, hash, rd, func(done int64) { tell(done, StatusReading, "", "") })
	if err != nil {
		// What was stored of it goes, also when the job was stopped.
		return errors.Join(err, l.store.DropReading(context.WithoutCancel(ctx), rd))
	}
	l.wake()
	status := StatusAdded
	if rd.Updated {
		status = StatusUpdated
	}
	tell(size, status, d.ID, rev.ID)
	return nil
}

// stage stores what a file says out of sight, and publishes it at the end.
func (l *Library) stage(ctx context.Context, f File, file io.ReaderAt, size int64, hash string, rd *store.Reading, progress func(int64)) (memory.Document, memory.Revision, error) {
	var parts []store.DocumentPart
	var title string
	var at time.Time
	store64 := func() error {
		err := l.store.AddParts(ctx, rd, title, at, parts)
		parts = parts[:0]
		return err
	}
	meta, err := ingest.Read(ctx, ingest.Source{Name: f.Name, File: file, Bytes: size, Progress: progress}, func(m *ingest.Meta, c ingest.Chunk) error {
		if title == "" {
			title, at = m.Title, l.date(m, f)
		}
		parts = append(parts, store.DocumentPart{Text: c.Text, Page: c.Page, Heading: c.Heading, Lead: c.Lead})
		if len(parts) < partsAtOnce {
			return nil
		}
		return store64()
	})
	if err == nil && len(parts) > 0 {
		err = store64()
	}
	if err != nil {
		return memory.Document{}, memory.Revision{}, err
	}
	found := memory.Document{
		Title: meta.Title, Author: meta.Author, Format: meta.Format, Bytes: size, Hash: hash, Language: meta.Language, Pages: meta.Pages,
		Paged: meta.Paged, WrittenAt: meta.Created, ChangedAt: meta.Modified,
	}
	if found.ChangedAt.IsZero() {
		found.ChangedAt = f.ChangedAt
	}
	return l.store.Publish(ctx, rd, found, ingest.Summary(meta), f.Cause)
}

// date is what a passage of a document counts as dated: when it was written, else changed, else now.
func (l *Library) date(m *ingest.Meta, f File) time.Time {
	now := l.clock()
	for _, at := range []time.Time{m.Created, m.Modified, f.ChangedAt} {
		if !at.IsZero() && at.Before(now) {
			return at
		}
	}
	return now
}

func hashOf(ctx context.Context, f io.ReadSeeker) (string, error) {
	h := sha256.New()
	if _, err := io.Copy(h, stoppable{ctx, f}); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// stoppable is a reader that ends with a context.
type stoppable struct {
	ctx  context.Context
	from io.Reader
}

// Read reads unless the context has ended.
func (s stoppable) Read(p []byte) (int, error) {
	if err := s.ctx.Err(); err != nil {
		return 0, err
	}
	return s.from.Read(p)
}

func fileError(op, name string, err error) error {
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	case errors.Is(err, os.ErrNotExist):
		return memory.Errorf(memory.ENOTFOUND, op, "%s is not there any more", name)
	case errors.Is(err, os.ErrPermission):
		return memory.Errorf(memory.EFORBIDDEN, op, "%s may not be read", name)
	}
	return memory.Errorf(memory.EINVALID, op, "%s cannot be read: %w", name, err)
}

// Uploads names the files in the data folder that hold a document while it is read.
const Uploads = "upload-*.document"

// Keep copies an uploaded file into a folder, piece by piece, and returns where it is. A file that is too large for any
// format fails with ELIMIT.
func Keep(dir string, from io.Reader) (path string, err error) {
	f, err := os.CreateTemp(dir, Uploads)
	if err != nil {
		return "", fmt.Errorf("keep document: %w", err)
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			path = ""
			_ = os.Remove(f.Name()) // err says why it is not wanted
		}
	}()
	n, err := io.Copy(f, io.LimitReader(from, ingest.MaxTextBytes+1))
	if err != nil {
		return "", fmt.Errorf("keep document: %w", err)
	}
	if n > ingest.MaxTextBytes {
		e := memory.Errorf(memory.ELIMIT, "keep document", "the file has more than %d bytes", ingest.MaxTextBytes)
		e.Remedy = memory.RemedySplitFile
		return "", e
	}
	return f.Name(), nil
}

// FileName returns the name of a file without the folder that some browsers and archives put before it.
func FileName(name string) string {
	return strings.TrimSpace(filepath.Base(strings.ReplaceAll(name, `\`, "/")))
}
