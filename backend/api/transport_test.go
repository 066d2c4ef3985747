package api_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"recollect/backend/api"
	"recollect/backend/bus"
	"recollect/backend/memory"
)

const token = "TOKENTOKENTOKENTOKENTOKEN"

func TestOnlyTheUserGetsIn(t *testing.T) {
	d, _ := newFake(t)
	a := api.New(d)
	bearer := []string{"Authorization", "Bearer " + token}
	for _, c := range []struct {
		name   string
		addr   string
		url    string
		header []string
		want   int
	}{
		{"token", "127.0.0.1:8090", "/api/health", bearer, 200},
		{"no token", "127.0.0.1:8090", "/api/health", nil, 403},
		{"wrong token", "127.0.0.1:8090", "/api/health", []string{"Authorization", "Bearer TOKEN"}, 403},
		{"empty token", "127.0.0.1:8090", "/api/health", []string{"Authorization", "Bearer "}, 403},
		{"token in the address", "127.0.0.1:8090", "/api/health?token=" + token, nil, 403},
		{"cookie", "127.0.0.1:8090", "/api/health", []string{"Cookie", "recollect-8090=" + token}, 200},
		{"cookie of another instance", "127.0.0.1:8090", "/api/health", []string{"Cookie", "recollect-8091=" + token}, 403},
		{"wrong cookie", "127.0.0.1:8090", "/api/health", []string{"Cookie", "recollect-8090=x"}, 403},
		{"localhost", "127.0.0.1:8090", "/api/health", append([]string{"Host", "localhost:8090"}, bearer...), 200},
		{"IPv6", "[::1]:8090", "/api/health", append([]string{"Host", "[::1]:8090"}, bearer...), 200},
		{"a name that points here", "127.0.0.1:8090", "/api/health", append([]string{"Host", "evil.example:8090"}, bearer...), 403},
		{"another port", "127.0.0.1:8090", "/api/health", append([]string{"Host", "127.0.0.1:80"}, bearer...), 403},
		{"no port", "127.0.0.1:8090", "/api/health", append([]string{"Host", "127.0.0.1"}, bearer...), 403},
		{"no host", "127.0.0.1:8090", "/api/health", append([]string{"Host", ""}, bearer...), 403},
		{"a foreign address while bound to loopback", "127.0.0.1:8090", "/api/health", append([]string{"Host", "192.168.1.5:8090"}, bearer...), 403},
		{"an address of ours while bound to all", "0.0.0.0:8090", "/api/health", append([]string{"Host", "192.168.1.5:8090"}, bearer...), 200},
		{"a name while bound to all", "0.0.0.0:8090", "/api/health", append([]string{"Host", "evil.example:8090"}, bearer...), 403},
		{"own page", "127.0.0.1:8090", "/api/health", append([]string{"Origin", "http://127.0.0.1:8090", "Sec-Fetch-Site", "same-origin"}, bearer...), 200},
		{"another page", "127.0.0.1:8090", "/api/health", append([]string{"Origin", "https://evil.example"}, bearer...), 403},
		{"another port's page", "127.0.0.1:8090", "/api/health", append([]string{"Origin", "http://127.0.0.1:3000"}, bearer...), 403},
		{"a page without origin", "127.0.0.1:8090", "/api/health", append([]string{"Origin", "null"}, bearer...), 403},
		{"an image on another page", "127.0.0.1:8090", "/api/health", append([]string{"Sec-Fetch-Site", "cross-site"}, bearer...), 403},
		{"a script on another port", "127.0.0.1:8090", "/api/health", append([]string{"Sec-Fetch-Site", "same-site"}, bearer...), 403},
		{"the page needs no token", "127.0.0.1:8090", "/", nil, 503},
		{"the page from a link elsewhere", "127.0.0.1:8090", "/", []string{"Sec-Fetch-Site", "cross-site"}, 503},
		{"the page under a name that points here", "127.0.0.1:8090", "/", []string{"Host", "evil.example:8090"}, 403},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := a.Handler(api.Options{Token: token, Addr: c.addr})
			got := call(t, h, "GET", c.url, "", c.header...)
			if got.StatusCode != c.want {
				t.Errorf("status %d, want %d: %s", got.StatusCode, c.want, got.body)
			}
			if c.want == 403 && !strings.Contains(got.body, `"code":"EFORBIDDEN"`) {
				t.Errorf("body %s", got.body)
			}
		})
	}
	t.Run("a server without a token lets nobody in", func(t *testing.T) {
		h := a.Handler(api.Options{Addr: "127.0.0.1:8090"})
		if got := call(t, h, "GET", "/api/health", "", "Authorization", "Bearer "); got.StatusCode != 403 {
			t.Errorf("status %d", got.StatusCode)
		}
	})
	t.Run("the app's own window needs no token", func(t *testing.T) {
		h := a.Handler(api.Options{Trusted: true})
		if got := call(t, h, "GET", "/api/health", "", "Host", "wails", "Origin", "wails://wails"); got.StatusCode != 200 {
			t.Errorf("status %d", got.StatusCode)
		}
	})
}

func TestTheLinkIsExchangedForACookie(t *testing.T) {
	d, _ := newFake(t)
	h := api.New(d).Handler(api.Options{Token: token, Addr: "127.0.0.1:8090"})
	for body, want := range map[string]int{
		`{"token":"wrong"}`: 403, `{}`: 403, `{"token":1}`: 400, `{"tokens":"x"}`: 400,
	} {
		if got := call(t, h, "POST", "/api/session", body); got.StatusCode != want || len(got.Cookies()) > 0 {
			t.Errorf("%s: status %d, cookies %v", body, got.StatusCode, got.Cookies())
		}
	}
	if got := call(t, h, "POST", "/api/session", `{"token":"`+token+`"}`, "Origin", "http://evil.example"); got.StatusCode != 403 {
		t.Errorf("another page got a session: %d", got.StatusCode)
	}
	got := call(t, h, "POST", "/api/session", `{"token":"`+token+`"}`, "Origin", "http://127.0.0.1:8090")
	if got.StatusCode != 204 || len(got.Cookies()) != 1 {
		t.Fatalf("status %d, cookies %v", got.StatusCode, got.Cookies())
	}
	c := got.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" || c.Domain != "" {
		t.Errorf("cookie %+v", c)
	}
	if got := call(t, h, "GET", "/api/health", "", "Cookie", c.Name+"="+c.Value); got.StatusCode != 200 {
		t.Errorf("the cookie does not open the API: %d", got.StatusCode)
	}
}

func TestEveryAnswerIsProtected(t *testing.T) {
	d, _ := newFake(t)
	a := api.New(d)
	for _, h := range []http.Handler{a.Handler(api.Options{Trusted: true}), a.Handler(api.Options{Token: token, Addr: "127.0.0.1:8090"})} {
		for _, url := range []string{"/", "/api/health", "/api/nothing", "/missing.js"} {
			got := call(t, h, "GET", url, "")
			for name, want := range map[string]string{
				"Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
				"X-Content-Type-Options":  "nosniff",
				"Referrer-Policy":         "no-referrer",
				"Cache-Control":           "no-store",
			} {
				if got.Header.Get(name) != want {
					t.Errorf("%s: %s is %q", url, name, got.Header.Get(name))
				}
			}
			if got.Header.Get("Access-Control-Allow-Origin") != "" {
				t.Errorf("%s is open to other pages", url)
			}
		}
	}
}

func TestPage(t *testing.T) {
	d, _ := newFake(t)
	a := api.New(d)
	files := fstest.MapFS{
		"index.html":        {Data: []byte("<!doctype html>page")},
		"assets/app-1a2.js": {Data: []byte("run()")},
		"assets/app.css":    {Data: []byte("body{}")},
		"assets/logo.svg":   {Data: []byte("<svg/>")},
	}
	h := a.Handler(api.Options{Trusted: true, Page: files})
	for _, c := range []struct {
		method, url string
		status      int
		contentType string
		content     string
	}{
		{"GET", "/", 200, "text/html; charset=utf-8", "<!doctype html>page"},
		{"GET", "/index.html", 200, "text/html; charset=utf-8", "<!doctype html>page"},
		{"GET", "/memory/blocks", 200, "text/html; charset=utf-8", "<!doctype html>page"},
		{"GET", "/memory/blocks/", 200, "text/html; charset=utf-8", "<!doctype html>page"},
		{"GET", "/assets", 200, "text/html; charset=utf-8", "<!doctype html>page"},
		{"GET", "//memory", 200, "text/html; charset=utf-8", "<!doctype html>page"},
		{"GET", "/assets/app-1a2.js", 200, "text/javascript; charset=utf-8", "run()"},
		{"GET", "/assets/app.css", 200, "text/css; charset=utf-8", "body{}"},
		{"GET", "/assets/logo.svg", 200, "image/svg+xml", "<svg/>"},
		{"GET", "/assets/gone.js", 404, "application/problem+json", "ENOTFOUND"},
		{"GET", "/../../../etc/passwd.txt", 404, "application/problem+json", "ENOTFOUND"},
		{"HEAD", "/", 200, "text/html; charset=utf-8", ""},
		{"POST", "/", 405, "application/problem+json", "EINVALID"},
		{"GET", "/apidocs", 200, "text/html; charset=utf-8", "<!doctype html>page"},
		{"GET", "/api", 404, "application/problem+json", "ENOTFOUND"},
		{"GET", "/api/", 404, "application/problem+json", "ENOTFOUND"},
		{"GET", "/api/agents/", 404, "application/problem+json", "ENOTFOUND"},
		{"GET", "/api//agents", 404, "application/problem+json", "ENOTFOUND"},
		{"GET", "/api/x/../agents", 404, "application/problem+json", "ENOTFOUND"},
		{"PUT", "/api/agents", 405, "application/problem+json", "only GET, POST"},
		{"POST", "/api/health", 405, "application/problem+json", "only GET"},
	} {
		t.Run(c.method+" "+c.url, func(t *testing.T) {
			got := call(t, h, c.method, "http://127.0.0.1:8090"+c.url, "")
			if got.StatusCode != c.status || got.Header.Get("Content-Type") != c.contentType || !strings.Contains(got.body, c.content) {
				t.Errorf("%d %s %q", got.StatusCode, got.Header.Get("Content-Type"), got.body)
			}
			if got.Header.Get("Location") != "" {
				t.Error("web views do not follow redirects")
			}
		})
	}
	t.Run("not built", func(t *testing.T) {
		got := call(t, a.Handler(api.Options{Trusted: true}), "GET", "/", "")
		if got.StatusCode != 503 || !strings.Contains(got.body, "npm run build") {
			t.Errorf("%d %s", got.StatusCode, got.body)
		}
	})
}

// nobody returns nil in a way that no compiler sees through.
func nobody() (a *memory.Agent) {
	for range time.Now().Second() / 60 {
		a = new(memory.Agent)
	}
	return a
}

func TestAFaultEndsOneRequestOnly(t *testing.T) {
	d, s := newFake(t)
	s.agent = func(id string) (memory.Agent, error) {
		if id == "nil" {
			return *nobody(), nil
		}
		panic("out of order")
	}
	h := api.New(d).Handler(api.Options{Trusted: true})
	for _, id := range []string{"panic", "nil"} {
		got := call(t, h, "GET", "/api/agents/"+id, "")
		if got.StatusCode != 500 || got.Header.Get("Content-Type") != "application/problem+json" || !strings.Contains(got.body, `"code":"EINTERNAL"`) {
			t.Errorf("%s: %d %s", id, got.StatusCode, got.body)
		}
	}
	if got := call(t, h, "GET", "/api/health", ""); got.StatusCode != 200 {
		t.Errorf("afterwards: %d", got.StatusCode)
	}
}

func TestProblems(t *testing.T) {
	d, s := newFake(t)
	s.agent = func(id string) (memory.Agent, error) {
		switch id {
		case "cancelled":
			return memory.Agent{}, fmt.Errorf("read: %w", context.Canceled)
		case "foreign":
			return memory.Agent{}, errors.New("something broke")
		}
		return memory.Agent{}, fmt.Errorf("wrapped: %w", &memory.Error{
			Code: memory.Code(id), Op: "do it", Message: "it did not work", Remedy: memory.RemedyRetry, Limit: 10, Actual: 12,
		})
	}
	h := api.New(d).Handler(api.Options{Trusted: true})
	want := map[string]int{
		"EINVALID": 400, "EFORBIDDEN": 403, "ENOTFOUND": 404, "ECONFLICT": 409, "ENEWER": 409, "EOVERFLOW": 413,
		"ELIMIT": 422, "EREADONLY": 423, "EMODEL": 424, "EBUSY": 429, "ECANCELLED": 499, "EINTERNAL": 500, "ECORRUPT": 500,
		"EUNSUPPORTED": 501, "EMALFORMED": 502, "EINCOMPLETE": 502, "EENGINE": 503, "EDISKFULL": 507,
	}
	source, err := os.ReadFile("../memory/errors.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range regexp.MustCompile(`Code = "(E\w+)"`).FindAllStringSubmatch(string(source), -1) {
		if want[code[1]] == 0 {
			t.Errorf("no status is expected for %s", code[1])
		}
	}
	for code, status := range want {
		t.Run(code, func(t *testing.T) {
			got := call(t, h, "GET", "/api/agents/"+code, "")
			var p api.ProblemDetails
			got.json(t, &p)
			if got.StatusCode != status || got.Header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%d %s", got.StatusCode, got.Header.Get("Content-Type"))
			}
			title := p.Title
			p.Title = ""
			if title == "" || !reflect.DeepEqual(p, api.ProblemDetails{Type: "about:blank", Status: status, Problem: memory.Problem{
				Code: memory.Code(code), Message: "it did not work", Remedy: memory.RemedyRetry, Limit: 10, Actual: 12,
			}}) {
				t.Errorf("%s", got.body)
			}
		})
	}
	if got := call(t, h, "GET", "/api/agents/cancelled", ""); got.StatusCode != 499 {
		t.Errorf("a cancelled request: %d", got.StatusCode)
	}
	if got := call(t, h, "GET", "/api/agents/foreign", ""); got.StatusCode != 500 || !strings.Contains(got.body, "something broke") {
		t.Errorf("an error without a code: %d %s", got.StatusCode, got.body)
	}
}

func TestInputIsStrict(t *testing.T) {
	d, s := newFake(t)
	s.agent = func(string) (memory.Agent, error) {
		return memory.Agent{}, memory.Errorf(memory.ENOTFOUND, "find", "none")
	}
	h := api.New(d).Handler(api.Options{Trusted: true})
	const url = "/api/passages" // it asks for the agent as soon as the body is right: 404 means that it was taken
	for _, c := range []struct {
		name    string
		body    string
		header  []string
		status  int
		content string
	}{
		{"right", `{"agent_id":"a","text":"t"}`, nil, 404, "ENOTFOUND"},
		{"with a charset", `{"agent_id":"a"}`, []string{"Content-Type", "application/json; charset=utf-8"}, 404, ""},
		{"white space around", " \n{\"agent_id\":\"a\"}\n ", nil, 404, ""},
		{"a lone surrogate", `{"agent_id":"a","text":"\ud800"}`, nil, 404, ""},
		{"NUL", `{"agent_id":"a","text":"a\u0000b"}`, nil, 404, ""},
		{"right to left and emoji", `{"agent_id":"a","text":"שלום 👩‍👩‍👧"}`, nil, 404, ""},
		{"10 MB", `{"agent_id":"a","text":"` + strings.Repeat("x", 10<<20) + `"}`, nil, 404, ""},
		{"nothing", "", nil, 400, "agent_id is missing"},
		{"an empty object", "{}", nil, 400, "agent_id is missing"},
		{"unknown field", `{"agent_id":"a","txet":"t"}`, nil, 400, "txet"},
		{"wrong type", `{"agent_id":5}`, nil, 400, "agent_id cannot be a number"},
		{"an object for a text", `{"agent_id":"a","text":{"value":"t"}}`, nil, 400, "text cannot be a object"},
		{"an array", `[{"agent_id":"a"}]`, nil, 400, "must be a JSON object"},
		{"null", `null`, nil, 400, "must be a JSON object"},
		{"broken", `{"agent_id":`, nil, 400, "EINVALID"},
		{"no JSON at all", `agent_id=a`, nil, 400, "must be a JSON object"},
		{"garbage behind", `{"agent_id":"a"}{"agent_id":"b"}`, nil, 400, "more than one"},
		{"a letter behind", `{"agent_id":"a"}x`, nil, 400, "more than one"},
		{"a raw NUL", "{\"agent_id\":\"a\x00\"}", nil, 400, "EINVALID"},
		{"invalid UTF-8", "{\"agent_id\":\"\xff\"}", nil, 400, "not valid UTF-8"},
		{"binary", "\x7fELF\x02\x01\x01", nil, 400, "EINVALID"},
		{"deep", strings.Repeat(`{"a":`, 100_000), nil, 400, "EINVALID"},
		{"an impossible date", `{"agent_id":"a","created_at":"2026-02-31T00:00:00Z"}`, nil, 400, "EINVALID"},
		{"13 MB", `{"agent_id":"` + strings.Repeat("x", 13<<20) + `"}`, nil, 413, `"limit":12582912`},
		{"a form", "agent_id=a", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "application/json"},
		{"text", `{"agent_id":"a"}`, []string{"Content-Type", "text/plain"}, 415, "application/json"},
		{"no type", `{"agent_id":"a"}`, []string{"Content-Type", ""}, 415, "application/json"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := call(t, h, "POST", url, c.body, c.header...)
			if got.StatusCode != c.status || !strings.Contains(got.body, c.content) {
				t.Errorf("%d %.200s", got.StatusCode, got.body)
			}
		})
	}
	for _, c := range []struct{ url, content string }{
		{"/api/revisions?limit=many", "limit must be a whole number"},
		{"/api/revisions?limits=5", "no parameter"},
		{"/api/revisions?limit=5&limit=6", "more than once"},
		{"/api/revisions?cursor=%ff", "not valid UTF-8"},
		{"/api/revisions?cursor=%zz", "cannot be read"},
		{"/api/revisions?subject=agent", "subject must be"},
		{"/api/passages?agent_id=a&after=yesterday", "after must be a date"},
		{"/api/passages?agent_id=a&tag_mode=none", "tag_mode must be"},
		{"/api/conversations?state=perhaps", "state must be"},
		{"/api/search?agent_id=a&roles=user,system", "no role"},
		{"/api/agents?x=1", "no parameter"},
	} {
		t.Run(c.url, func(t *testing.T) {
			if got := call(t, h, "GET", c.url, ""); got.StatusCode != 400 || !strings.Contains(got.body, c.content) {
				t.Errorf("%d %s", got.StatusCode, got.body)
			}
		})
	}
}

func TestSnapshot(t *testing.T) {
	d, s := newFake(t)
	s.settings = map[string]json.RawMessage{"theme": json.RawMessage(`"dark"`), "vector_cache_mb": json.RawMessage(`0`)}
	a := api.New(d)
	h := a.Handler(api.Options{Trusted: true})
	for range 3 {
		d.Bus.Publish(memory.Event{Type: "notice", Data: map[string]any{"text": "hello"}})
	}
	var got api.Snapshot
	answer := call(t, h, "GET", "/api/snapshot", "")
	answer.json(t, &got)
	if got.Epoch != d.Bus.Epoch() || got.Seq != 3 || got.Reset || len(got.Events) != 0 || got.Version != "0.1.0" {
		t.Errorf("%s", answer.body)
	}
	if got.Engine.State != "ready" || got.Settings.Theme != "dark" || *got.Settings.VectorCacheMB != 0 || !got.Platform.Desktop || got.Platform.Home != d.Home {
		t.Errorf("%s", answer.body)
	}
	if len(got.Running) != 1 || !reflect.DeepEqual(got.Running[0], api.TurnProgress{ConversationID: "conv-1", MessageID: "msg-1", Phase: "reading", Read: 10, Total: 20, ETAMs: 2000, ElapsedMs: 5000, Queued: []string{}}) {
		t.Errorf("running: %+v", got.Running)
	}
	if strings.Contains(answer.body, "null") {
		t.Errorf("lists must not be null: %s", answer.body)
	}
	if got.Damage != nil {
		t.Errorf("a sound database is told to be damaged: %+v", got.Damage)
	}
	s.health = &memory.Error{Code: memory.ECORRUPT, Message: "page 7 is damaged", Remedy: memory.RemedyRestore}
	var damaged api.Snapshot // also for a page that is opened long after the check
	call(t, h, "GET", "/api/snapshot", "").json(t, &damaged)
	if d := damaged.Damage; d == nil || d.Code != memory.ECORRUPT || d.Remedy != memory.RemedyRestore {
		t.Errorf("the damage is told as %+v", d)
	}
	s.health = nil
	for since, want := range map[string]struct {
		events int
		reset  bool
	}{
		"1": {2, false}, d.Bus.Epoch() + "-1": {2, false}, "3": {0, false}, "4": {0, true}, "old-1": {0, true}, "x": {0, true},
	} {
		var got api.Snapshot
		call(t, h, "GET", "/api/snapshot?since="+since, "").json(t, &got)
		if len(got.Events) != want.events || got.Reset != want.reset || got.Seq != 3 {
			t.Errorf("since %s: %d events, reset %v, seq %d", since, len(got.Events), got.Reset, got.Seq)
		}
	}
	if got := call(t, a.Handler(api.Options{Token: token, Addr: "127.0.0.1:8090"}), "GET", "/api/snapshot", "", "Authorization", "Bearer "+token); !strings.Contains(got.body, `"desktop":false`) {
		t.Errorf("a browser is not the window: %s", got.body)
	}
}

// stream is an open event stream.
type stream struct {
	t     *testing.T
	lines *bufio.Scanner
	close func()
}

func listen(t *testing.T, url string, header ...string) *stream {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if res.StatusCode != 200 || res.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %s", res.StatusCode, res.Header.Get("Content-Type"))
	}
	s := &stream{t: t, lines: bufio.NewScanner(res.Body), close: func() { cancel(); _ = res.Body.Close() }}
	t.Cleanup(s.close)
	return s
}

// next returns the next event with its id.
func (s *stream) next() (id string, ev memory.Event) {
	s.t.Helper()
	for s.lines.Scan() {
		line := s.lines.Text()
		if v, ok := strings.CutPrefix(line, "id: "); ok {
			id = v
		}
		if v, ok := strings.CutPrefix(line, "event: "); ok && v != "bus" {
			s.t.Errorf("event: %s", v)
		}
		if v, ok := strings.CutPrefix(line, "data: "); ok {
			if err := json.Unmarshal([]byte(v), &ev); err != nil {
				s.t.Fatal(err)
			}
			return id, ev
		}
	}
	s.t.Fatal("the stream ended")
	return "", ev
}

func TestEventStream(t *testing.T) {
	d, _ := newFake(t)
	a := api.New(d)
	server := httptest.NewServer(a.Handler(api.Options{Trusted: true}))
	defer server.Close()
	defer a.Close()
	url, epoch := server.URL+"/api/events", d.Bus.Epoch()
	for i := range 5 {
		d.Bus.Publish(memory.Event{Type: "notice", Data: map[string]any{"text": fmt.Sprintf("line\n%d", i+1)}})
	}
	t.Run("from now on", func(t *testing.T) {
		s := listen(t, url)
		ev := d.Bus.Publish(memory.Event{Type: "turn.done", Data: map[string]any{"conversation_id": "conv-1"}})
		id, got := s.next()
		if got.Seq != ev.Seq || got.Type != "turn.done" || got.Data["conversation_id"] != "conv-1" || id != fmt.Sprintf("%s-%d", epoch, ev.Seq) {
			t.Errorf("%s %+v", id, got)
		}
	})
	t.Run("after a gap", func(t *testing.T) {
		for _, s := range []*stream{listen(t, url, "Last-Event-ID", epoch+"-2"), listen(t, url+"?since="+epoch+"-2"), listen(t, url+"?since=2")} {
			for _, want := range []uint64{3, 4, 5} {
				if _, got := s.next(); got.Seq != want || got.Data["text"] != fmt.Sprintf("line\n%d", want) {
					t.Errorf("got %+v, want %d", got, want)
				}
			}
		}
	})
	t.Run("the past is gone", func(t *testing.T) {
		for _, last := range []string{"other-2", "nonsense", epoch + "-999"} {
			s := listen(t, url, "Last-Event-ID", last)
			id, got := s.next()
			if got.Type != bus.TypeReset || id != fmt.Sprintf("%s-%d", epoch, d.Bus.Seq()) {
				t.Errorf("%s: %s %+v", last, id, got)
			}
			ev := d.Bus.Publish(memory.Event{Type: "notice"})
			if _, got := s.next(); got.Seq != ev.Seq {
				t.Errorf("after the reset: %+v", got)
			}
		}
	})
	t.Run("a listener that does not read holds nobody up", func(t *testing.T) {
		s := listen(t, url)
		for range 2 * bus.Capacity {
			d.Bus.Publish(memory.Event{Type: "notice", Data: map[string]any{"text": strings.Repeat("x", 1000)}})
		}
		for { // it reads again: after what was on its way it is told to start afresh
			if _, got := s.next(); got.Type == bus.TypeReset {
				break
			}
		}
	})
	t.Run("it ends when the app does", func(t *testing.T) {
		s := listen(t, url)
		a.Close()
		for s.lines.Scan() {
		}
	})
}

func TestAnEventStreamShowsThatItLives(t *testing.T) {
	d, _ := newFake(t)
	d.Heartbeat = time.Millisecond
	a := api.New(d)
	server := httptest.NewServer(a.Handler(api.Options{Trusted: true}))
	defer server.Close()
	defer a.Close()
	s := listen(t, server.URL+"/api/events")
	for s.lines.Scan() {
		if s.lines.Text() == ": beat" {
			return
		}
	}
	t.Error("no sign of life")
}

// brokenPipe is the writer of a web view that has gone: no flusher, no context, only writes that fail.
type brokenPipe struct{ header http.Header }

func (b brokenPipe) Header() http.Header       { return b.header }
func (b brokenPipe) WriteHeader(int)           {}
func (b brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// lateBrokenPipe breaks after its first write.
type lateBrokenPipe struct {
	brokenPipe
	writes int
}

func (b *lateBrokenPipe) Write(p []byte) (int, error) {
	if b.writes++; b.writes > 1 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestAnEventStreamEndsWhenAWriteFails(t *testing.T) {
	d, _ := newFake(t)
	d.Heartbeat = time.Millisecond
	h := api.New(d).Handler(api.Options{Trusted: true})
	for _, w := range []http.ResponseWriter{brokenPipe{http.Header{}}, &lateBrokenPipe{brokenPipe: brokenPipe{http.Header{}}}} {
		r := httptest.NewRequestWithContext(context.Background(), "GET", "/api/events", nil)
		h.ServeHTTP(w, r) // returns
	}
}

// FuzzPage asks for any path: there is always an answer, and never one that a web view cannot follow.
func FuzzPage(f *testing.F) {
	d, _ := newFake(f)
	h := api.New(d).Handler(api.Options{Trusted: true, Page: fstest.MapFS{"index.html": {Data: []byte("page")}, "a/b.js": {Data: []byte("x")}}})
	for _, path := range []string{"/", "/a/../b.js", "//", "/apis", "/../api", "/%2e%2e/%00", "\\.js"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		u, err := url.Parse(path)
		if err != nil || strings.HasPrefix(u.Path, "/api") {
			return
		}
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/", nil)
		r.URL = u
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != 200 && w.Code != 404 || w.Header().Get("Location") != "" {
			t.Errorf("%q: %d %s", path, w.Code, w.Body)
		}
	})
}

// FuzzBody sends any body: it is taken, or refused with a problem that says why.
func FuzzBody(f *testing.F) {
	d, _ := newFake(f)
	h := api.New(d).Handler(api.Options{Trusted: true})
	for _, body := range []string{"", "{}", `{"theme":"dark"}`, `{"ui":{"a":[1,2,{"b":null}]}}`, `{"window":1e400}`, "{\"theme\":\"\xff\"}", "[]", "null", `{"a":`} {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body string) {
		got := call(t, h, "PATCH", "/api/settings", body, "Content-Type", "application/json")
		var p api.ProblemDetails
		got.json(t, &p)
		if got.StatusCode != 200 && (got.StatusCode != 400 || p.Code != memory.EINVALID || p.Message == "") {
			t.Errorf("%q: %d %s", body, got.StatusCode, got.body)
		}
	})
}
