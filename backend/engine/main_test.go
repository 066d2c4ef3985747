package engine_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// appCommand makes this test binary the app that is killed.
const appCommand = "kill-me"

// TestMain lets this test binary be the guard, an engine, and the app that is killed, of the tests that need them.
func TestMain(m *testing.M) {
	enginetest.ServeInstalled()
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case engine.GuardCommand:
			os.Exit(engine.RunGuard(os.Args[2:]))
		case appCommand:
			runApp(os.Args[2], os.Args[3])
			return
		}
	}
	os.Exit(m.Run())
}

// start runs an engine with the options until the test ends.
func start(t *testing.T, o engine.Options) *engine.Engine {
	t.Helper()
	if o.Home == "" {
		o.Home = t.TempDir()
	}
	if o.Default == "" {
		o.Default = "-"
	}
	if o.Env == nil {
		o.Env = func(string) string { return "" }
	}
	if o.Timeouts.Poll == 0 {
		o.Timeouts.Poll = 20 * time.Millisecond
	}
	e := engine.New(o)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = e.Run(ctx)
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
	return e
}

// withFake runs an engine against a fake, ready to use.
func withFake(t *testing.T, o enginetest.Options, eo engine.Options) (*enginetest.Fake, *engine.Engine) {
	t.Helper()
	f := enginetest.New(t, o)
	eo.Host = f.URL()
	e := start(t, eo)
	ready(t, e)
	return f, e
}

func ready(t *testing.T, e *engine.Engine) {
	t.Helper()
	await(t, e, func(s engine.Status) bool { return s.State == engine.StateReady })
}

// await waits until the engine's status is as wanted.
func await(t *testing.T, e *engine.Engine, ok func(engine.Status) bool) {
	t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !ok(e.Status()) {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain; the engine's status is %+v", e.Status())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func user(text string) []engine.Message { return []engine.Message{{Role: "user", Content: text}} }

func request(model string, messages ...engine.Message) engine.ChatRequest {
	return engine.ChatRequest{Model: model, Messages: messages, NumCtx: 8192, NumPredict: 256}
}

func wantCode(t *testing.T, err error, code memory.Code, remedy memory.Remedy) {
	t.Helper()
	if memory.CodeOf(err) != code {
		t.Fatalf("got error %v (%s), want %s", err, memory.CodeOf(err), code)
	}
	var e *memory.Error
	if remedy != "" && (!asError(err, &e) || e.Remedy != remedy) {
		t.Errorf("the remedy of %v is %q, want %q", err, e.Remedy, remedy)
	}
}

// syncBuffer may be written and read at the same time.
type syncBuffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

var _ io.Writer = (*syncBuffer)(nil)

// write puts a file into a temporary folder.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
