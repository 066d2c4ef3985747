// Package store keeps everything in one SQLite file: agents, blocks, conversations, messages, passages, their search
// indexes, revisions, receipts, events and settings.
//
// One connection writes, a few read. Every change to memory is one transaction with its revision and its event, and
// events are published after the commit. Methods return errors of package memory: ENOTFOUND for what does not exist,
// EDISKFULL, EREADONLY and ECORRUPT for what the disk says, the codes of the domain's rules for what they forbid.
package store

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	_ "modernc.org/sqlite"     // the driver
	_ "modernc.org/sqlite/vec" // vec0 tables on every connection

	"recollect/backend/memory"
)

// Options configure Open. The zero value is usable.
type Options struct {
	Clock            memory.Clock         // nil = time.Now
	IDs              *memory.IDs          // nil = a maker of its own, with crypto/rand
	Publish          func([]memory.Event) // receives durable events after their commit, in order; must not block
	VectorCacheBytes int64                // memory for vectors; 0 = none, vectors are then searched in the file
	Version          string               // of the app, named in the file names of backups
	Lines            Lines                // nil = no line of core memory says anything
}

const (
	readerCount   = 4
	checkNowBytes = 32 << 20 // a file up to this size is checked before it is opened, a larger one in the background
)

// Store is an open database. Its methods are safe for concurrent use.
type Store struct {
	path    string
	clock   memory.Clock
	ids     *memory.IDs
	publish func([]memory.Event)

	lines Lines

	pool    *sql.DB // reads
	readers *statements

	turn       chan struct{} // held by the one who writes
	db         *sql.DB       // writes
	conn       *sql.Conn     // the only connection of db; nil once closed
	writer     *statements
	durability durability
	streams    map[string]StreamState // what is saved of each message being written; guarded by turn
	lastPrompt prompt                 // as it was stored last: the next one mostly goes on from it; guarded by turn
	packer     *gzip.Writer           // of prompts; guarded by turn

	vectors    vectorCache
	counts     *indexCounts
	known      atomic.Pointer[knownFacts] // of the agent that was asked last
	work       sync.WaitGroup             // in the background: the check, loading vectors
	background context.Context            // of that work; ends with Close
	stop       context.CancelFunc
	verified   chan struct{} // closed when the check after an unclean exit is over
	checked    bool          // it found no damage, or was not needed; read when the work is done
	health     atomic.Pointer[memory.Error]
}

// Open opens the database at path, making it where it is missing. An older schema is migrated, each step after a
// verified backup into the folder "backups" beside it. Open fails with ENEWER for a file of a newer version and with
// ECORRUPT, remedy "restore", for a damaged one, and leaves such a file as it is; with EREADONLY where the folder cannot
// be written. After an unclean exit the file is checked: see Verified.
func Open(ctx context.Context, path string, o Options) (*Store, error) {
	return open(ctx, path, o, migrations)
}

func open(ctx context.Context, path string, o Options, steps []migration) (*Store, error) {
	const op = "open database"
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.IDs == nil {
		o.IDs = memory.NewIDs(o.Clock, rand.Reader)
	}
	if err := finishRestore(path); err != nil {
		return nil, fault(op, err)
	}
	state, err := inspect(ctx, path, len(steps))
	if err != nil {
		return nil, fault(op, err)
	}
	if o.Lines == nil {
		o.Lines = unread{}
	}
	s := &Store{
		path: path, clock: o.Clock, ids: o.IDs, publish: o.Publish, lines: readingOnce(o.Lines),
		turn: make(chan struct{}, 1), durability: -1, streams: map[string]StreamState{}, verified: make(chan struct{}),
		counts: newIndexCounts(), packer: gzip.NewWriter(io.Discard),
	}
	s.vectors.setLimit(o.VectorCacheBytes)
	if state == missing {
		if err := create(path); err != nil {
			return nil, fault(op, err)
		}
	}
	if err := s.connect(ctx); err != nil {
		s.abandon()
		return nil, fault(op, err)
	}
	err = s.migrate(ctx, steps, o.Version)
	if err == nil {
		err = s.begin(ctx)
	}
	if err != nil {
		s.abandon()
		return nil, fault(op, err)
	}
	s.background, s.stop = context.WithCancel(context.WithoutCancel(ctx))
	if state == unclean {
		s.work.Go(func() { s.verify(s.background) })
	} else {
		s.checked = true
		close(s.verified)
	}
	s.work.Go(func() { // what is left is done after the next start
		_ = s.cutOlder(s.background)
		_ = s.reindexOlder(s.background)
	})
	return s, nil
}

// create makes the empty file, which nobody else may read: it will hold all that the user says. The log beside it gets
// the same mode from SQLite.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// fileState is what a look at a file, without changing it, tells of its last run.
type fileState int

const (
	missing fileState = iota
	clean
	unclean // the last run did not end in order; the file may need repair
)

const (
	applicationID = 0x52434c54 // "RCLT"
	headerBytes   = 100
)

// inspect looks at the file without changing anything. Where it fails, nothing is left beside the file either.
func inspect(ctx context.Context, path string, schema int) (state fileState, err error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return missing, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if info.Size() == 0 {
		return missing, nil
	}
	header := make([]byte, headerBytes)
	if n, err := f.ReadAt(header, 0); n < headerBytes || string(header[:16]) != "SQLite format 3\x00" {
		return 0, corrupt("open database", errors.Join(errNotOurs, err))
	}
	if err := checkVersion(bigEndian(header[68:]), bigEndian(header[60:]), schema); err != nil {
		return 0, err
	}
	// A log beside the file holds changes that the header does not show yet; reading it needs a lock file. Without one
	// the file is complete, and reading it as immutable touches nothing.
	mode := "immutable=1"
	if log, bad := os.Stat(path + "-wal"); bad == nil && log.Size() > 0 {
		mode = "mode=ro"
		if _, before := os.Lstat(path + "-shm"); errors.Is(before, fs.ErrNotExist) {
			defer func() {
				if err != nil { // the file is left as it was found
					_ = os.Remove(path + "-shm")
				}
			}()
		}
	}
	db, err := sql.Open("sqlite", dsn(path, mode))
	if err != nil {
		return 0, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	var app, version int
	if err := db.QueryRowContext(ctx, "SELECT application_id, user_version FROM pragma_application_id, pragma_user_version").Scan(&app, &version); err != nil {
		return 0, err
	}
	if err := checkVersion(app, version, schema); err != nil {
		return 0, err
	}
	if version == 0 {
		return missing, nil // made, but never migrated
	}
	var ended string
	if err := db.QueryRowContext(ctx, text("meta_get"), "clean").Scan(&ended); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return 0, err
	}
	if ended == "1" {
		return clean, nil
	}
	if info.Size() <= checkNowBytes {
		if _, err := quickCheck(ctx, db); err != nil {
			return 0, err
		}
	}
	return unclean, nil
}

// errNotOurs is the cause of an error about a file that is no database of Recollect's.
var errNotOurs = errors.New("no database of Recollect")

// checkVersion fails for a file that is not ours or newer than schema.
func checkVersion(app, version, schema int) error {
	const op = "open database"
	if app != applicationID && (app != 0 || version != 0) {
		return corrupt(op, fmt.Errorf("%w: its application id is %#x", errNotOurs, app))
	}
	if version > schema {
		err := memory.Errorf(memory.ENEWER, op, "the data was written by a newer version of Recollect (schema %d, this one knows %d); it was left as it is", version, schema)
		err.Remedy, err.Limit, err.Actual = memory.RemedyUpdateApp, schema, version
		return err
	}
	return nil
}

func bigEndian(b []byte) int {
	return int(b[0])<<24 | int(b[1])<<16 | int(b[2])<<8 | int(b[3])
}

// dsn names the file for the driver, with options in the form of a query.
func dsn(path, options string) string {
	p := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" && !strings.HasPrefix(p, "/") {
		p = "/" + p // file:///C:/…
	}
	return "file:" + (&url.URL{Path: p}).EscapedPath() + "?" + options
}

// The log is moved into the file when it holds 16 MB, once in some fifty turns: whose turn it is waits for that. Pages
// that change again and again, as those of the search index do, are moved only once.
const (
	readPragmas  = "_pragma=busy_timeout(5000)&_pragma=query_only(1)&_pragma=cache_size(-4096)&_pragma=temp_store(memory)&_pragma=trusted_schema(0)"
	writePragmas = "_pragma=busy_timeout(5000)&_pragma=foreign_keys(1)&_pragma=journal_mode(wal)&_pragma=journal_size_limit(16777216)&_pragma=wal_autocheckpoint(4096)&_pragma=cache_size(-8192)&_pragma=temp_store(memory)&_pragma=trusted_schema(0)"
)

func (s *Store) connect(ctx context.Context) error {
	var err error
	if s.db, err = sql.Open("sqlite", dsn(s.path, writePragmas)); err != nil {
		return err
	}
	s.db.SetMaxOpenConns(1)
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return err
	}
	s.writer = newStatements(s.conn.PrepareContext)
	if s.pool, err = sql.Open("sqlite", dsn(s.path, readPragmas)); err != nil {
		return err
	}
	s.pool.SetMaxOpenConns(readerCount)
	s.pool.SetMaxIdleConns(readerCount)
	s.readers = newStatements(s.pool.PrepareContext)
	return nil
}

// begin continues the identifiers of the file and marks it as in use.
func (s *Store) begin(ctx context.Context) error {
	newest, err := all(ctx, s, value[sql.NullString], "newest_ids")
	if err != nil {
		return err
	}
	for _, id := range newest {
		s.ids.Seed(id.String)
	}
	err = s.write(ctx, "open database", lazy, func(t *tx) error {
		if err := t.noteIndexVersion(); err != nil {
			return err
		}
		return t.run("meta_set", "clean", "0")
	})
	if memory.CodeOf(err) == memory.EDISKFULL { // that must not keep the user from reading
		return nil
	}
	return err
}

// Close waits for what is being written, notes that the run ended in order, and closes the file. A check that it
// interrupts, or that has found damage, is left to the next run.
func (s *Store) Close() error {
	s.stop()
	s.vectors.close()
	s.work.Wait()
	var err error
	if s.checked {
		err = s.write(context.Background(), "close database", lazy, func(t *tx) error { return t.run("meta_set", "clean", "1") })
	}
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	s.abandon()
	return err
}

// abandon closes the connections; the last of them moves the log into the file.
func (s *Store) abandon() {
	if s.readers != nil {
		s.readers.close()
	}
	if s.pool != nil {
		_ = s.pool.Close()
	}
	if s.writer != nil {
		s.writer.close()
	}
	if s.conn != nil {
		_ = s.conn.Close()
		s.conn = nil
	}
	if s.db != nil {
		_ = s.db.Close()
	}
}

// now is the present time as it is stored.
func (s *Store) now() time.Time { return s.clock().Truncate(time.Millisecond).UTC() }
