package instance_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"recollect/backend/instance"
	"recollect/backend/memory"
)

// server answers as an instance with the given process id does.
func server(t *testing.T, pid int) (addr string) {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("/api/health", func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"ok": true, "pid": pid})
	})
	mux.HandleFunc("POST /api/focus", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"window":true,"url":"http://127.0.0.1:1/#token=t"}`)
	})
	mux.HandleFunc("POST /api/echo", func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
	mux.HandleFunc("/api/problem", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/problem+json")
		w.WriteHeader(http.StatusUnprocessableEntity)
		_, _ = io.WriteString(w, `{"code":"ELIMIT","message":"too long","remedy":"shorten_message","limit":10,"actual":12}`)
	})
	mux.HandleFunc("/api/strange", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/", http.StatusFound) })
	mux.HandleFunc("/api/events", func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, ": hello\n\nid: e-7\nevent: bus\ndata: {\"seq\":7,\"type\":\"notice\",\"data\":{\"text\":\""+r.FormValue("since")+"\"}}\n\n")
	})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t" {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

func acquire(t *testing.T, home string) *instance.Instance {
	t.Helper()
	i, err := instance.Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestOneInstanceOwnsTheFolder(t *testing.T) {
	home := filepath.Join(t.TempDir(), "new", "folder")
	first := acquire(t, home)
	if _, err := instance.Acquire(home); memory.CodeOf(err) != memory.EBUSY {
		t.Errorf("the second start: %v", err)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if err := acquire(t, home).Release(); err != nil {
		t.Error(err)
	}
}

func TestFind(t *testing.T) {
	home := t.TempDir()
	if _, err := instance.Find(t.Context(), filepath.Join(home, "nothing")); memory.CodeOf(err) != memory.ENOTFOUND {
		t.Errorf("without a folder: %v", err)
	}
	if _, err := os.Stat(filepath.Join(home, "nothing")); !errors.Is(err, fs.ErrNotExist) {
		t.Error("looking for an instance must not make its folder")
	}

	i := acquire(t, home)
	info := instance.Info{Addr: server(t, os.Getpid()), Token: "t", PID: os.Getpid(), URL: "http://127.0.0.1:1/#token=t"}
	if err := i.Announce(info); err != nil {
		t.Fatal(err)
	}
	stat, err := os.Stat(filepath.Join(home, "instance.json"))
	if err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS != "windows" && stat.Mode().Perm() != 0o600 {
		t.Errorf("the token can be read by others: %v", stat.Mode())
	}
	c, err := instance.Find(t.Context(), home)
	if err != nil {
		t.Fatal(err)
	}
	if c.Info() != info {
		t.Errorf("found %+v", c.Info())
	}
	window, link, err := c.Focus(t.Context())
	if err != nil || !window || link != info.URL {
		t.Errorf("focus: %v, %q, %v", window, link, err)
	}

	if err := i.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := instance.Find(t.Context(), home); memory.CodeOf(err) != memory.ENOTFOUND {
		t.Errorf("after the end: %v", err)
	}
}

func TestFindSeesThroughWhatDeadInstancesLeft(t *testing.T) {
	for name, body := range map[string]func(t *testing.T) string{
		"nobody answers": func(*testing.T) string { return `{"addr":"127.0.0.1:1","token":"t","pid":1}` },
		"another program has its port": func(t *testing.T) string {
			return `{"addr":"` + server(t, 4711) + `","token":"t","pid":1}`
		},
		"another token": func(t *testing.T) string {
			return `{"addr":"` + server(t, 1) + `","token":"old","pid":1}`
		},
		"half a file": func(*testing.T) string { return `{"addr":"127.0` },
		"empty":       func(*testing.T) string { return "" },
	} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			file := filepath.Join(home, "instance.json")
			for path, content := range map[string]string{file: body(t), filepath.Join(home, "lock"): ""} {
				if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := instance.Find(t.Context(), home); memory.CodeOf(err) != memory.ENOTFOUND {
				t.Errorf("found: %v", err)
			}
			if _, err := os.Stat(file); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("what the dead instance announced is still there: %v", err)
			}
			if err := acquire(t, home).Release(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestFindWaitsForAnInstanceThatIsStarting(t *testing.T) {
	home := t.TempDir()
	i := acquire(t, home)
	defer func() { _ = i.Release() }()
	addr := server(t, os.Getpid())
	type found struct {
		c   *instance.Client
		err error
	}
	result := make(chan found)
	go func() {
		c, err := instance.Find(context.Background(), home)
		result <- found{c, err}
	}()
	if err := i.Announce(instance.Info{Addr: addr, Token: "t", PID: os.Getpid()}); err != nil {
		t.Fatal(err)
	}
	if f := <-result; f.err != nil {
		t.Error(f.err)
	}
}

func TestFindGivesUpOnAnInstanceThatDoesNotAnswer(t *testing.T) {
	home := t.TempDir()
	i := acquire(t, home)
	defer func() { _ = i.Release() }()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := instance.Find(ctx, home); memory.CodeOf(err) != memory.EBUSY {
		t.Errorf("got %v", err)
	}
}

// TestTheLockDiesWithItsProcess runs itself as a process that takes the lock and is killed.
func TestTheLockDiesWithItsProcess(t *testing.T) {
	if home := os.Getenv("INSTANCE_TEST_HOME"); home != "" {
		if _, err := instance.Acquire(home); err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("locked\n")
		_, _ = io.Copy(io.Discard, os.Stdin) // until killed
		return
	}
	home := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestTheLockDiesWithItsProcess$")
	cmd.Env = append(os.Environ(), "INSTANCE_TEST_HOME="+home)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stdin.Close() }()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, len("locked\n"))
	if _, err := io.ReadFull(out, line); err != nil || string(line) != "locked\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if _, err := instance.Acquire(home); memory.CodeOf(err) != memory.EBUSY {
		t.Errorf("while the other lives: %v", err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	if err := acquire(t, home).Release(); err != nil {
		t.Error(err)
	}
}

func TestAFolderThatCannotBeMade(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := instance.Acquire(filepath.Join(file, "home")); memory.CodeOf(err) != memory.EREADONLY {
		t.Errorf("got %v", err)
	}
}

func TestClient(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1") // a proxy must not come between
	c := instance.NewClient(instance.Info{Addr: server(t, 1), Token: "t"})
	var echo map[string]string
	if err := c.Do(t.Context(), "POST", "/api/echo", map[string]string{"a": "b"}, &echo); err != nil || echo["a"] != "b" {
		t.Errorf("%v, %v", echo, err)
	}
	err := c.Do(t.Context(), "GET", "/api/problem", nil, nil)
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.ELIMIT || e.Limit != 10 || e.Actual != 12 || e.Remedy != memory.RemedyShortenMessage || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a problem came back as %+v", err)
	}
	if err := c.Do(t.Context(), "GET", "/api/strange", nil, nil); memory.CodeOf(err) != memory.EINTERNAL {
		t.Errorf("an answer that is no problem: %v", err)
	}
	gone := instance.NewClient(instance.Info{Addr: "127.0.0.1:1"})
	if err := gone.Do(t.Context(), "GET", "/api/health", nil, nil); memory.CodeOf(err) != memory.EBUSY {
		t.Errorf("nobody there: %v", err)
	}
	var events []memory.Event
	var last error
	for ev, err := range c.Events(t.Context(), "e-6") {
		if err != nil {
			last = err
			break
		}
		events = append(events, ev)
	}
	if len(events) != 1 || events[0].Seq != 7 || events[0].Data["text"] != "e-6" {
		t.Errorf("events: %+v", events)
	}
	if !errors.Is(last, io.ErrUnexpectedEOF) {
		t.Errorf("the end of the stream: %v", last)
	}
}
