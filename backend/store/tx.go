package store

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"sync"
	"time"

	"recollect/backend/memory"
)

//go:embed queries/*.sql
var queryFiles embed.FS

// queries are the statements of queries/*.sql by name. It is not changed after initialisation.
var queries = parseQueries(queryFiles)

// parseQueries reads files in which each statement follows a line "-- name: NAME".
func parseQueries(files fs.FS) map[string]string {
	named := map[string]string{}
	paths, err := fs.Glob(files, "queries/*.sql")
	if err != nil {
		panic(err)
	}
	for _, path := range paths {
		text, err := fs.ReadFile(files, path)
		if err != nil {
			panic(err)
		}
		for _, part := range strings.Split(string(text), "-- name: ")[1:] {
			name, body, _ := strings.Cut(part, "\n")
			name = strings.TrimSpace(name)
			if _, twice := named[name]; twice {
				panic("two queries are named " + name)
			}
			named[name] = strings.TrimRight(strings.TrimSpace(body), ";")
		}
	}
	return named
}

// text returns the statement that name names, or name itself where it is a statement.
func text(name string) string {
	if q, ok := queries[name]; ok {
		return q
	}
	if !strings.ContainsRune(name, ' ') {
		panic("no query is named " + name)
	}
	return name
}

// statements prepares each statement once.
type statements struct {
	prepare func(ctx context.Context, query string) (*sql.Stmt, error)
	mu      sync.Mutex
	byText  map[string]*sql.Stmt
}

func newStatements(prepare func(context.Context, string) (*sql.Stmt, error)) *statements {
	return &statements{prepare: prepare, byText: map[string]*sql.Stmt{}}
}

func (p *statements) get(name string) (*sql.Stmt, error) {
	query := text(name)
	p.mu.Lock()
	defer p.mu.Unlock()
	if st, ok := p.byText[query]; ok {
		return st, nil
	}
	st, err := p.prepare(context.Background(), query)
	if err != nil {
		return nil, fmt.Errorf("prepare %s: %w", name, err)
	}
	p.byText[query] = st
	return st, nil
}

// close finalises all statements.
func (p *statements) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, st := range p.byText {
		_ = st.Close() // nothing can be lost by it
	}
	p.byText = map[string]*sql.Stmt{}
}

// querier reads: the pool of readers outside of a transaction, the writer inside.
type querier interface {
	query(ctx context.Context, name string, args ...any) (*sql.Rows, error)
}

func (s *Store) query(ctx context.Context, name string, args ...any) (*sql.Rows, error) {
	st, err := s.readers.get(name)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

// warm returns what to read with that walks over many pages in the middle of a turn: the connection that writes, as long as
// nobody else does. A commit makes all other connections forget the pages that they have read. done must be called when
// all rows are read.
func (s *Store) warm() (q querier, done func()) {
	select {
	case s.turn <- struct{}{}:
	default:
		return s, func() {}
	}
	if s.conn == nil { // closed
		<-s.turn
		return s, func() {}
	}
	return warm{s.writer}, func() { <-s.turn }
}

// warm reads on the connection that writes.
type warm struct{ writer *statements }

func (w warm) query(ctx context.Context, name string, args ...any) (*sql.Rows, error) {
	st, err := w.writer.get(name)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

// tx is one write transaction.
type tx struct {
	s      *Store
	ctx    context.Context
	now    time.Time // whole milliseconds, as stored
	events []memory.Event
	follow []func() error  // what else the changes lead to: run when all of them are made
	after  []func()        // run when it is committed
	act    string          // the revision that leads to those which are made now; "" = none
	made   memory.Revision // the last revision
	fresh  []int64         // messages that are indexed when all are there; nil = each at once
}

func (t *tx) query(_ context.Context, name string, args ...any) (*sql.Rows, error) {
	st, err := t.s.writer.get(name)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(t.ctx, args...)
}

func (t *tx) exec(name string, args ...any) (sql.Result, error) {
	st, err := t.s.writer.get(name)
	if err != nil {
		return nil, err
	}
	res, err := st.ExecContext(t.ctx, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return res, nil
}

// run executes statements in order until one fails.
func (t *tx) run(name string, args ...any) error {
	_, err := t.exec(name, args...)
	return err
}

// emit records a durable event, to be published when the transaction is committed.
func (t *tx) emit(typ, agentID, conversationID string, data map[string]any) error {
	return t.record(&memory.Event{Type: typ, Data: data}, agentID, conversationID)
}

func (t *tx) record(ev *memory.Event, agentID, conversationID string) error {
	ev.ID = t.s.ids.New("event")
	if ev.At.IsZero() {
		ev.At = t.now
	}
	body, err := json.Marshal(ev.Data)
	if err != nil {
		return err
	}
	if err := t.run("event_insert", ev.ID, ev.Type, millis(ev.At), agentID, conversationID, string(actorOf(ev)), string(body)); err != nil {
		return err
	}
	t.events = append(t.events, *ev)
	return nil
}

// How much a power failure may take of what a transaction wrote. A crash of the app takes nothing either way.
type durability int

const (
	lazy durability = iota // it may be lost: it can be made again, or more of it follows within a second
	kept                   // it is on the disk before write returns
)

// write runs f in a transaction on the one connection that writes. What f wrote is kept as a whole or not at all;
// events go out after the commit, in the order of the commits. A context that ends stops the wait for the connection,
// never a transaction half-way.
func (s *Store) write(ctx context.Context, op string, d durability, f func(t *tx) error) (err error) {
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return fault(op, ctx.Err())
	}
	defer func() { <-s.turn }()
	if err := ctx.Err(); err != nil {
		return fault(op, err)
	}
	if s.conn == nil {
		return memory.Errorf(memory.EINTERNAL, op, "the store is closed")
	}
	t := &tx{s: s, ctx: context.WithoutCancel(ctx), now: s.now()}
	if err := s.setDurability(t.ctx, d); err != nil {
		return fault(op, err)
	}
	if err := t.run("begin"); err != nil {
		return fault(op, err)
	}
	done := false
	defer func() {
		if !done { // an error or a panic
			_ = t.run("rollback") // fails where SQLite has rolled back by itself
		}
	}()
	if err := f(t); err != nil {
		return fault(op, err)
	}
	for len(t.follow) > 0 {
		next := t.follow[0]
		t.follow = t.follow[1:]
		if err := next(); err != nil {
			return fault(op, err)
		}
	}
	if err := t.run("commit"); err != nil {
		return fault(op, err)
	}
	done = true
	for _, f := range t.after {
		f()
	}
	if s.publish != nil && len(t.events) > 0 {
		s.publish(t.events)
	}
	return nil
}

// setDurability is not a prepared statement because SQLite obeys this pragma while it compiles it.
func (s *Store) setDurability(ctx context.Context, d durability) error {
	if s.durability == d {
		return nil
	}
	mode := "PRAGMA synchronous = NORMAL"
	if d == kept {
		mode = "PRAGMA synchronous = FULL"
	}
	if _, err := s.conn.ExecContext(ctx, mode); err != nil {
		return err
	}
	s.durability = d
	return nil
}

// scanner is a row.
type scanner interface{ Scan(dest ...any) error }

// all reads every row of a query.
func all[T any](ctx context.Context, q querier, scan func(scanner) (T, error), name string, args ...any) ([]T, error) {
	rows, err := q.query(ctx, name, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// one reads the first row of a query; sql.ErrNoRows where there is none.
func one[T any](ctx context.Context, q querier, scan func(scanner) (T, error), name string, args ...any) (T, error) {
	var none T
	rows, err := q.query(ctx, name, args...)
	if err != nil {
		return none, err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return none, err
		}
		return none, sql.ErrNoRows
	}
	v, err := scan(rows)
	if err != nil {
		return none, err
	}
	return v, rows.Err()
}

// value scans a row of one column.
func value[T any](r scanner) (v T, err error) {
	err = r.Scan(&v)
	return v, err
}

// millis returns t as it is stored.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// moment returns a stored time.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// encode returns v as JSON text. The types of the domain always have one.
func encode(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("encode %T: %v", v, err))
	}
	return string(b)
}

// limitOr returns n where it is positive, else the usual size of a page.
func limitOr(n int) int {
	if n <= 0 {
		return 50
	}
	return n
}
