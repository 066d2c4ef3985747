package store

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"recollect/backend/memory"
)

// world is an open store with a clock that the test moves, and the events that the store published.
type world struct {
	*Store
	t    *testing.T
	ctx  context.Context
	path string
	opts Options

	mu     sync.Mutex
	time   time.Time
	events []memory.Event
}

// counter is randomness that is none: identifiers become the same in each run.
type counter struct{ n uint64 }

func (c *counter) Read(p []byte) (int, error) {
	for i := range p {
		c.n++
		p[i] = byte(c.n)
	}
	return len(p), nil
}

func newWorld(t *testing.T, change ...func(*Options)) *world {
	t.Helper()
	w := &world{t: t, ctx: context.Background(), path: filepath.Join(t.TempDir(), "recollect.db")}
	w.time = time.Date(2026, 11, 29, 14, 2, 0, 0, time.UTC)
	w.opts = Options{Clock: w.now, Publish: w.published}
	w.opts.IDs = memory.NewIDs(w.now, io.Reader(&counter{}))
	for _, f := range change {
		f(&w.opts)
	}
	w.open()
	t.Cleanup(func() {
		if w.Store != nil {
			w.close()
		}
	})
	return w
}

func (w *world) open() {
	w.t.Helper()
	s, err := Open(w.ctx, w.path, w.opts)
	if err != nil {
		w.t.Fatalf("open: %v (%v)", err, errors.Unwrap(err))
	}
	w.Store = s
}

func (w *world) close() {
	w.t.Helper()
	if err := w.Store.Close(); err != nil {
		w.t.Errorf("close: %v", err)
	}
	w.Store = nil
}

func (w *world) reopen() {
	w.t.Helper()
	w.close()
	w.open()
}

// rebuildIndexes loses the search index and all vectors, and has the repair make anew what it can.
func (w *world) rebuildIndexes() {
	w.t.Helper()
	must(w.t, w.clearSearch(w.ctx))
	es, err := all(w.ctx, w.Store, scanEmbedder, "embedder_list")
	must(w.t, err)
	for _, e := range es {
		must(w.t, w.write(w.ctx, "lose vectors", kept, func(t *tx) error { return t.run("DROP TABLE " + e.table()) }))
	}
	must(w.t, w.RepairIndexes(w.ctx))
}

func (w *world) now() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.time
}

func (w *world) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.time = w.time.Add(d)
}

func (w *world) published(events []memory.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, events...)
}

// seen returns the events published since the last call.
func (w *world) seen() []memory.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	events := w.events
	w.events = nil
	return events
}

var byUser = memory.Cause{Actor: memory.ActorUser, Reason: "test"}

func (w *world) agent() memory.Agent {
	w.t.Helper()
	a, err := w.CreateAgent(w.ctx, memory.Agent{Name: "Ada"}, byUser)
	must(w.t, err)
	return a
}

func (w *world) conversation(a memory.Agent) memory.Conversation {
	w.t.Helper()
	c, err := w.CreateConversation(w.ctx, memory.Conversation{AgentID: a.ID, Title: "About cats"})
	must(w.t, err)
	return c
}

func (w *world) block(label, value string, agents ...string) memory.Block {
	w.t.Helper()
	b, _, err := w.CreateBlock(w.ctx, memory.Block{Label: label, Value: value}, agents, byUser)
	must(w.t, err)
	return b
}

func (w *world) passage(archive, text string, tags ...string) memory.Passage {
	w.t.Helper()
	p, _, err := w.CreatePassage(w.ctx, memory.Passage{ArchiveID: archive, Text: text, Tags: tags}, byUser)
	must(w.t, err)
	return p
}

// say adds a message to the visible branch.
func (w *world) say(conversation string, role memory.Role, content string) memory.Message {
	w.t.Helper()
	c, err := w.Conversation(w.ctx, conversation)
	must(w.t, err)
	return w.sayAfter(conversation, c.Head, role, content)
}

func (w *world) sayAfter(conversation, parent string, role memory.Role, content string) memory.Message {
	w.t.Helper()
	m, err := w.AddMessage(w.ctx, memory.Message{ConversationID: conversation, ParentID: parent, Role: role, Content: content})
	must(w.t, err)
	return m
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func wantCode(t *testing.T, err error, code memory.Code) {
	t.Helper()
	if got := memory.CodeOf(err); got != code {
		t.Fatalf("error %v has code %q, want %q", err, got, code)
	}
}

func wantEqual[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// vectorOf makes a vector that depends on n only.
func vectorOf(n uint64, dim int) []float32 {
	v := make([]float32, dim)
	state := n*0x9e3779b97f4a7c15 + 1
	for i := range v {
		state ^= state << 13
		state ^= state >> 7
		state ^= state << 17
		var b [8]byte
		binary.LittleEndian.PutUint64(b[:], state)
		v[i] = float32(int8(b[3])) / 128
	}
	return v
}
