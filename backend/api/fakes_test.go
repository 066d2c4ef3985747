package api_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"recollect/backend/agent"
	"recollect/backend/api"
	"recollect/backend/bus"
	"recollect/backend/engine"
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/store"
)

func TestMain(m *testing.M) {
	slog.SetDefault(slog.New(slog.DiscardHandler)) // the tests provoke errors that are logged
	os.Exit(m.Run())
}

var noon = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

func clock() time.Time { return noon }

// fakeStore answers only what the tests of the transport ask for.
type fakeStore struct {
	api.Store
	agent    func(id string) (memory.Agent, error)
	settings map[string]json.RawMessage
	health   error
}

func (f *fakeStore) Agent(_ context.Context, id string) (memory.Agent, error) { return f.agent(id) }

func (f *fakeStore) Agents(context.Context) ([]memory.Agent, error) { return nil, nil }

func (f *fakeStore) Conversations(context.Context, store.ConversationFilter) ([]memory.Conversation, string, error) {
	return nil, "", nil
}

func (f *fakeStore) Settings(context.Context) (map[string]json.RawMessage, error) {
	return f.settings, nil
}

func (f *fakeStore) Health() error { return f.health }

func (f *fakeStore) SetSettings(context.Context, map[string]json.RawMessage) error { return nil }

// fakeTurns runs one turn that began five seconds ago.
type fakeTurns struct{ api.Turns }

func (fakeTurns) RunningAll() []agent.Progress {
	return []agent.Progress{{
		ConversationID: "conv-1", MessageID: "msg-1", Phase: "reading", Read: 10, Total: 20, ETA: 2 * time.Second,
		Started: noon.Add(-5 * time.Second),
	}}
}

// noSample has none loaded.
type noSample struct{ api.SampleLife }

func (noSample) Agent(context.Context) (string, error) { return "", nil }

type fakeEngine struct{ api.Engine }

func (fakeEngine) Models(context.Context) ([]engine.Model, error) {
	return nil, memory.Errorf(memory.EENGINE, "models", "there is no engine")
}

func (fakeEngine) Status() engine.Status { return engine.Status{State: engine.StateReady, Since: noon} }

// newFake returns an API without a real part behind it but the bus and the jobs.
func newFake(t testing.TB) (api.Deps, *fakeStore) {
	t.Helper()
	b := bus.New(clock)
	j := jobs.New(clock, memory.NewIDs(clock, rand.Reader), func(ev memory.Event) { b.Publish(ev) })
	t.Cleanup(func() { _ = j.Close(context.Background()) })
	s := &fakeStore{agent: func(id string) (memory.Agent, error) { return memory.Agent{ID: id}, nil }}
	return api.Deps{
		Sample: noSample{}, Store: s, Turns: fakeTurns{}, Engine: fakeEngine{}, Bus: b, Jobs: j, Clock: clock, Version: "0.1.0",
		Home: t.TempDir(), Location: time.UTC,
	}, s
}

// answer is a response with its body read.
type answer struct {
	*http.Response
	body string
}

func (a answer) json(t *testing.T, into any) {
	t.Helper()
	if err := json.Unmarshal([]byte(a.body), into); err != nil {
		t.Fatalf("%v in %s", err, a.body)
	}
}

// call sends a request to a handler; header is a list of names and values.
func call(t *testing.T, h http.Handler, method, url, body string, header ...string) answer {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	r.Host = "127.0.0.1:8090"
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		if header[i] == "Host" {
			r.Host = header[i+1]
			continue
		}
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	res := w.Result()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{res, string(b)}
}

func (fakeTurns) Window(context.Context, string) (memory.ContextWindow, error) {
	return memory.ContextWindow{}, nil
}

func (fakeTurns) Compact(context.Context, string, agent.CompactRequest) (memory.Compaction, error) {
	return memory.Compaction{}, nil
}

func (fakeTurns) UndoCompaction(context.Context, string) (memory.Compaction, error) {
	return memory.Compaction{}, nil
}

func (fakeTurns) RedoCompaction(context.Context, string) (memory.Compaction, error) {
	return memory.Compaction{}, nil
}

func (fakeTurns) ReplayCompaction(context.Context, string, agent.CompactRequest) (memory.Compaction, error) {
	return memory.Compaction{}, nil
}

func (fakeTurns) CompactCore(context.Context, string, agent.CoreRequest) (memory.Compaction, error) {
	return memory.Compaction{State: memory.CompactionPending}, nil
}

func (fakeTurns) RestoreEntry(context.Context, string, int) (memory.Compaction, error) {
	return memory.Compaction{}, nil
}

func (fakeTurns) AdoptCompaction(context.Context, string) (memory.Compaction, error) {
	return memory.Compaction{}, nil
}

func (fakeTurns) PageIn(_ context.Context, p memory.PageIn) (memory.PageIn, error) { return p, nil }
