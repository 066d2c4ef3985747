package engine_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

func env(kv ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(kv); i += 2 {
			if kv[i] == name {
				return kv[i+1]
			}
		}
		return ""
	}
}

func TestEngineIsFoundInTheRightOrder(t *testing.T) {
	setting, variable, standard := enginetest.New(t, enginetest.Options{}), enginetest.New(t, enginetest.Options{}), enginetest.New(t, enginetest.Options{})
	for name, c := range map[string]struct {
		o    engine.Options
		want *enginetest.Fake
	}{
		"setting":        {engine.Options{Host: setting.URL() + "/v1/", Env: env("OLLAMA_HOST", variable.Addr()), Default: standard.Addr()}, setting},
		"variable":       {engine.Options{Env: env("OLLAMA_HOST", variable.Addr()), Default: standard.Addr()}, variable},
		"default port":   {engine.Options{Default: standard.Addr()}, standard},
		"variable stale": {engine.Options{Env: env("OLLAMA_HOST", "127.0.0.1:1"), Default: standard.Addr()}, standard},
	} {
		e := start(t, c.o)
		ready(t, e)
		if s := e.Status(); s.Address != c.want.URL() || s.Kind != engine.KindExternal || !s.Loopback || s.Version != "0.17.4" || s.Models != 4 ||
			(s.Unanswered == "127.0.0.1:1") != (name == "variable stale") {
			t.Errorf("%s: %+v, want %s", name, s, c.want.URL())
		}
	}
}

func TestAddressOfASettingIsTheOnlyOneTried(t *testing.T) {
	other := enginetest.New(t, enginetest.Options{})
	e := start(t, engine.Options{Host: "127.0.0.1:1", Default: other.Addr()})
	await(t, e, func(s engine.Status) bool { return s.State == engine.StateFailed })
	if s := e.Status(); s.Remedy != memory.RemedyCheckAddress || !strings.Contains(s.Message, "127.0.0.1:1") {
		t.Errorf("status %+v", s)
	}
	wantCode(t, e.Ready(t.Context()), memory.EENGINE, memory.RemedyCheckAddress)
	if s := e.Status(); !strings.Contains(s.Chinese, "127.0.0.1:1") {
		t.Errorf("status %+v", s)
	}
	e.SetHost("")
	ready(t, e)
}

func TestEngineElsewhereIsMarked(t *testing.T) {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range addrs {
		ip, ok := a.(*net.IPNet)
		if !ok || ip.IP.IsLoopback() || ip.IP.To4() == nil {
			continue
		}
		f, err := enginetest.Start(net.JoinHostPort(ip.IP.String(), "0"), enginetest.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer f.Stop()
		e := start(t, engine.Options{Env: env("OLLAMA_HOST", f.Addr())})
		ready(t, e)
		if e.Status().Loopback {
			t.Errorf("no warning for %s", f.Addr())
		}
		if _, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil); err != nil {
			t.Fatal(err)
		}
		if _, ok := f.Chats()[0].Options["num_thread"]; ok {
			t.Error("another machine's threads are not ours to set")
		}
		return
	}
	e := start(t, engine.Options{Host: "192.0.2.1:9"}) // no network here: an address that nobody has
	await(t, e, func(s engine.Status) bool { return s.State == engine.StateFailed })
	if e.Status().Loopback {
		t.Error("no warning")
	}
}

func TestEngineThatStartsLaterIsFoundAndOneThatDiesIsMissed(t *testing.T) {
	f := enginetest.New(t, enginetest.Options{})
	f.Stop()
	var mu sync.Mutex
	var states []engine.State
	e := start(t, engine.Options{Default: f.Addr(), OnState: func(s engine.Status) {
		mu.Lock()
		defer mu.Unlock()
		states = append(states, s.State)
	}})
	await(t, e, func(s engine.Status) bool { return s.State == engine.StateMissing })
	wantCode(t, e.Ready(t.Context()), memory.EENGINE, memory.RemedyInstallEngine)
	_, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil)
	wantCode(t, err, memory.EENGINE, memory.RemedyInstallEngine)
	if _, err := e.Models(t.Context()); memory.CodeOf(err) != memory.EENGINE {
		t.Errorf("models: %v", err)
	}

	if err := f.Restart(); err != nil {
		t.Fatal(err)
	}
	ready(t, e)
	if _, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil); err != nil {
		t.Fatal(err)
	}

	f.Stop()
	await(t, e, func(s engine.Status) bool { return s.State != engine.StateReady })
	if err := f.Restart(); err != nil {
		t.Fatal(err)
	}
	ready(t, e)
	if _, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi again")...), nil); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if !slices.Contains(states, engine.StateFailed) || states[len(states)-1] != engine.StateReady {
		t.Errorf("states %v", states)
	}
}

func TestEngineKilledInMidAnswer(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.OnChat(func(r api.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Chunks: []string{"Half an ans"}, Fault: enginetest.Stall}
	})
	res, err := e.Chat(t.Context(), request(enginetest.Chat, user("go")...), func(c engine.Chunk) error {
		if c.Content != "" {
			f.Stop()
		}
		return nil
	})
	wantCode(t, err, memory.EENGINE, memory.RemedyRetry)
	if res.Message.Content != "Half an ans" {
		t.Errorf("kept %q", res.Message.Content)
	}
}

// What the network says of an engine that went away is the cause of an error, and nothing that people are told.
func TestWhatTheNetworkSaysIsNotTold(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{Timeouts: engine.Timeouts{Poll: time.Minute}})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Fault: enginetest.Reset} })
	_, err := e.Chat(t.Context(), request(enginetest.Chat, user("go")...), nil)
	wantCode(t, err, memory.EENGINE, memory.RemedyRetry)
	if p := memory.ProblemOf(err); p.Message != "the engine ended in the middle of the answer" || p.Chinese != "回答到一半时引擎退出了" || errors.Unwrap(err) == nil {
		t.Errorf("%+v, because of %v", p, errors.Unwrap(err))
	}
}

// Who waits for the engine learns at once that it has gone, however long it is until the next look at it.
func TestReadyLooksWhetherTheEngineIsThere(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{Timeouts: engine.Timeouts{Poll: time.Minute}})
	f.Stop()
	if s := e.Status(); s.State != engine.StateReady {
		t.Fatalf("%+v", s)
	}
	wantCode(t, e.Ready(t.Context()), memory.EENGINE, "")

	_, e = withFake(t, enginetest.Options{}, engine.Options{})
	for range 3 {
		if err := e.Ready(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// An engine in whose place none can be started is given up when that does not start.
func TestReadyGivesUpWithTheStart(t *testing.T) {
	dir := enginetest.Installed(t)
	e := start(t, engine.Options{Env: env("PATH", dir), Timeouts: engine.Timeouts{Backoff: time.Millisecond}})
	ready(t, e)
	if err := os.Remove(filepath.Join(dir, "ollama")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ollama"), []byte("#!/bin/sh\nexit 1\n"), 0o700); err != nil { // must be executable
		t.Fatal(err)
	}
	_, err := e.Chat(t.Context(), request(enginetest.Chat, user("[[die]]")...), nil)
	wantCode(t, err, memory.EENGINE, memory.RemedyRetry)
	wantCode(t, e.Ready(t.Context()), memory.EENGINE, memory.RemedyStartEngine)
}

func TestModelDeletedWhileInUse(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	req := request(enginetest.Chat, user("hi")...)
	if _, err := e.Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	f.RemoveModel(enginetest.Chat)
	_, err := e.Chat(t.Context(), req, nil)
	wantCode(t, err, memory.EMODEL, memory.RemedyPullModel)
}

func TestProxyVariablesDoNotReachLoopback(t *testing.T) {
	proxied := make(chan string, 10)
	proxy := &http.Server{Handler: http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { proxied <- r.URL.String() }), ReadHeaderTimeout: time.Second}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go proxy.Serve(l)   //nolint:errcheck // ends with Close
	defer proxy.Close() //nolint:errcheck // end of the test
	t.Setenv("HTTP_PROXY", "http://"+l.Addr().String())
	t.Setenv("http_proxy", "http://"+l.Addr().String())
	t.Setenv("NO_PROXY", "")
	_, port, err := net.SplitHostPort(enginetest.New(t, enginetest.Options{}).Addr())
	if err != nil {
		t.Fatal(err)
	}
	e := start(t, engine.Options{Host: "http://localhost:" + port}) // ::1 refuses, 127.0.0.1 answers
	ready(t, e)
	if _, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil); err != nil {
		t.Fatal(err)
	}
	select {
	case u := <-proxied:
		t.Errorf("the proxy was asked for %s", u)
	default:
	}
}

func TestInstalledEngineThatDoesNotStartIsTriedAgain(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "starts")
	script := "#!/bin/sh\necho x >> " + log + "\nexit 1\n"
	if err := os.WriteFile(filepath.Join(dir, "ollama"), []byte(script), 0o700); err != nil { // must be executable
		t.Fatal(err)
	}
	e := start(t, engine.Options{Env: env("PATH", dir), Timeouts: engine.Timeouts{Backoff: 5 * time.Millisecond}})
	await(t, e, func(s engine.Status) bool { return s.State == engine.StateFailed && s.Kind == engine.KindFound })
	if s := e.Status(); s.Remedy == "" || s.Message == "" {
		t.Errorf("status %+v", s)
	}
	deadline := time.Now().Add(time.Minute)
	for {
		b, err := os.ReadFile(log)
		if err == nil && strings.Count(string(b), "x") >= 3 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("started %d times, %v", strings.Count(string(b), "x"), err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	e := engine.New(engine.Options{Home: t.TempDir(), Default: "-", Env: env()})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	await(t, e, func(s engine.Status) bool { return s.State == engine.StateMissing })
	cancel()
	if err := <-done; err != context.Canceled { //nolint:errorlint // the very one
		t.Errorf("got %v", err)
	}
	if s := e.Status(); s.State != engine.StateStopped {
		t.Errorf("status %+v", s)
	}
}

func TestModelsAreListedWithWhatTheyCan(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	models, err := e.Models(t.Context())
	if err != nil || len(models) != 4 {
		t.Fatalf("%+v, %v", models, err)
	}
	by := map[string]engine.Model{}
	for _, m := range models {
		by[m.Name] = m
	}
	if m := by[enginetest.Chat]; !m.Chat || m.Tools || !m.Starter || m.Context != 8192 || m.Fits == "" || m.NeedBytes != 98_000_000+8192*30*3*128*2+300<<20 {
		t.Errorf("%+v", m)
	}
	if m := by[enginetest.Embedder]; m.Chat || !m.Embedding || !m.Starter || m.Dimension != 384 {
		t.Errorf("%+v", m)
	}
	if m := by[enginetest.Thinker]; !m.Tools || !m.Thinking || m.Starter {
		t.Errorf("%+v", m)
	}
	shows := func() (n int) {
		for _, r := range f.Requests() {
			if r.Path == "/api/show" {
				n++
			}
		}
		return n
	}
	before := shows()
	if _, err := e.Models(t.Context()); err != nil || shows() != before {
		t.Errorf("profiles are read again: %d then %d, %v", before, shows(), err)
	}
	f.AddModel(enginetest.Model{Name: enginetest.Chat, Context: 2048}) // the same name, another digest
	models, err = e.Models(t.Context())
	if err != nil || !slices.ContainsFunc(models, func(m engine.Model) bool { return m.Name == enginetest.Chat && m.Context == 2048 }) {
		t.Errorf("a changed model keeps its old profile: %+v, %v", models, err)
	}
}

func TestDeleteFreesMemoryFirst(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	if _, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil); err != nil {
		t.Fatal(err)
	}
	if err := e.Delete(t.Context(), enginetest.Chat); err != nil {
		t.Fatal(err)
	}
	if len(f.Loaded()) != 0 {
		t.Errorf("still loaded: %v", f.Loaded())
	}
	if e.Status().Models != 3 {
		t.Errorf("status %+v", e.Status())
	}
}

// A model is not deleted under an answer: who wants to is told why not, soon, and can once the answer has ended.
func TestDeleteDoesNotWaitForAnAnswer(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	begun, end := make(chan struct{}), make(chan struct{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply {
		close(begun)
		<-end
		return enginetest.Reply{Content: "Done."}
	})
	answered := make(chan error, 1)
	go func() {
		_, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil)
		answered <- err
	}()
	<-begun
	err := e.Delete(t.Context(), enginetest.Chat)
	wantCode(t, err, memory.EBUSY, memory.RemedyStop)
	if _, err := e.Profile(t.Context(), enginetest.Chat); err != nil {
		t.Error("it was deleted all the same:", err)
	}
	close(end)
	if err := <-answered; err != nil {
		t.Error(err)
	}
	if err := e.Delete(t.Context(), enginetest.Chat); err != nil {
		t.Error(err)
	}
}
