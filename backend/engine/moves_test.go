package engine_test

import (
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
)

// late is an engine that is started when a test wants it, and tells how often it was looked for.
type late struct {
	*enginetest.Fake
	address string
	looked  chan struct{} // at each request for the version
}

func newLate(t *testing.T, o enginetest.Options) *late {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // only the number was wanted
	return &late{enginetest.New(t, o), l.Addr().String(), make(chan struct{})}
}

func (l *late) url() string { return "http://" + l.address }

// open starts the engine.
func (l *late) open(t *testing.T) {
	t.Helper()
	listener, err := net.Listen("tcp", l.address)
	if err != nil {
		t.Fatal(err)
	}
	target, err := url.Parse(l.URL())
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(target)
	s := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/api/version" {
			select {
			case l.looked <- struct{}{}:
			default:
			}
		}
		proxy.ServeHTTP(w, r)
	})}
	go s.Serve(listener)            //nolint:errcheck // ends with Close
	t.Cleanup(func() { s.Close() }) //nolint:errcheck // end of the test
}

// awaitLooks waits until it was looked for twice, so that one look was over without moving there.
func (l *late) awaitLooks(t *testing.T) {
	t.Helper()
	for range 2 {
		select {
		case <-l.looked:
		case <-time.After(30 * time.Second):
			t.Fatal("nobody looks for the engine")
		}
	}
}

func chat(t *testing.T, e *engine.Engine) {
	t.Helper()
	if _, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil); err != nil {
		t.Fatal(err)
	}
}

// An engine that OLLAMA_HOST names and that starts after the app is moved to by itself, between two answers, and the app is
// never without one.
func TestNamedEngineIsMovedToWhenItAnswers(t *testing.T) {
	standard, named := enginetest.New(t, enginetest.Options{}), newLate(t, enginetest.Options{})
	var mu sync.Mutex
	var states []engine.Status
	e := start(t, engine.Options{Default: standard.Addr(), Env: env("OLLAMA_HOST", named.address), OnState: func(s engine.Status) {
		mu.Lock()
		defer mu.Unlock()
		states = append(states, s)
	}})
	ready(t, e)
	if s := e.Status(); s.Address != standard.URL() || s.Unanswered != named.address {
		t.Fatalf("status %+v", s)
	}
	end := make(chan struct{})
	standard.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: "Here.", Hold: end} })
	answered := make(chan error, 1)
	go func() {
		_, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil)
		answered <- err
	}()
	standard.AwaitChats(t, 1)
	named.open(t)
	named.awaitLooks(t)
	if s := e.Status(); s.Address != standard.URL() {
		t.Errorf("moved in the middle of an answer: %+v", s)
	}
	release := e.Hold() // a turn of which this is the first call
	close(end)
	if err := <-answered; err != nil {
		t.Error(err)
	}
	named.awaitLooks(t)
	if s := e.Status(); s.Address != standard.URL() {
		t.Errorf("moved in the middle of a turn: %+v", s)
	}
	release()
	await(t, e, func(s engine.Status) bool { return s.Address == named.url() })
	if s := e.Status(); s.State != engine.StateReady || s.Unanswered != "" || s.Models != 4 || s.Kind != engine.KindExternal {
		t.Errorf("status %+v", s)
	}
	chat(t, e)
	if len(named.Chats()) != 1 || len(standard.Chats()) != 1 {
		t.Errorf("%d answers there, %d where it was before", len(named.Chats()), len(standard.Chats()))
	}
	mu.Lock()
	defer mu.Unlock()
	for _, s := range states {
		if s.State != engine.StateReady {
			t.Errorf("without an engine meanwhile: %+v", states)
		}
	}
}

// What is known of the models is known of one engine.
func TestModelsOfTheEngineBeforeAreForgotten(t *testing.T) {
	standard, named := enginetest.New(t, enginetest.Options{}), newLate(t, enginetest.Options{Models: []enginetest.Model{{Name: "another"}}})
	e := start(t, engine.Options{Default: standard.Addr(), Env: env("OLLAMA_HOST", named.address)})
	ready(t, e)
	chat(t, e)
	named.open(t)
	await(t, e, func(s engine.Status) bool { return s.Address == named.url() })
	_, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil)
	wantCode(t, err, "EMODEL", "pull_model")
}

// Our own engine ends when one that was asked for takes its place.
func TestOurEngineEndsWhenTheNamedOneAnswers(t *testing.T) {
	named := newLate(t, enginetest.Options{})
	e := start(t, engine.Options{Env: env("OLLAMA_HOST", named.address, "PATH", enginetest.Installed(t))})
	ready(t, e)
	ours := e.Status()
	if ours.Kind != engine.KindFound || ours.Unanswered != named.address {
		t.Fatalf("status %+v", ours)
	}
	chat(t, e)
	named.open(t)
	await(t, e, func(s engine.Status) bool { return s.Address == named.url() })
	chat(t, e)
	u, err := url.Parse(ours.Address)
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(30 * time.Second); ; {
		c, err := net.Dial("tcp", u.Host)
		if err != nil {
			break
		}
		_ = c.Close()
		if time.Now().After(deadline) {
			t.Fatal("our engine still runs")
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// One that merely runs, named by nobody, takes the place of ours only where nothing that was used here is missing there.
func TestEngineOnTheDefaultPortMustHaveTheModels(t *testing.T) {
	standard := newLate(t, enginetest.Options{Models: []enginetest.Model{{Name: "another"}}})
	e := start(t, engine.Options{Default: standard.address, Env: env("PATH", enginetest.Installed(t))})
	ready(t, e)
	chat(t, e)
	ours := e.Status()
	standard.open(t)
	standard.awaitLooks(t)
	if s := e.Status(); s.Address != ours.Address {
		t.Errorf("the model in use is gone: %+v", s)
	}
	standard.AddModel(enginetest.Model{Name: enginetest.Chat})
	await(t, e, func(s engine.Status) bool { return s.Address == standard.url() })

	unused := newLate(t, enginetest.Options{Models: []enginetest.Model{{Name: "another"}}})
	e = start(t, engine.Options{Default: unused.address, Env: env("PATH", enginetest.Installed(t))})
	ready(t, e)
	unused.open(t)
	await(t, e, func(s engine.Status) bool { return s.Address == unused.url() })
}
