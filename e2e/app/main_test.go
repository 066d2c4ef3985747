package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"recollect/backend/api"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/instance"
	"recollect/backend/memory"
)

// patience bounds every wait for another process.
const patience = 60 * time.Second

// program is the binary under test, built once; nothing lies beside it.
var program string // set by TestMain

func TestMain(m *testing.M) {
	enginetest.ServeInstalled()
	os.Exit(build(m))
}

func build(m *testing.M) int {
	dir, err := os.MkdirTemp("", "recollect-e2e-*")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program = filepath.Join(dir, "recollect")
	cmd := exec.Command("go", "build", "-o", program, "recollect") // fixed words
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	if err := os.Chmod(dir, 0o755); err != nil { // a test runs it as another user
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantCode fails the test unless err has the code, and a remedy where one is given.
func wantCode(t testing.TB, err error, code memory.Code, remedy memory.Remedy) *memory.Error {
	t.Helper()
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != code || remedy != "" && e.Remedy != remedy {
		t.Fatalf("got %#v (%v); want %s with the remedy %q", e, err, code, remedy)
	}
	if e.Message == "" {
		t.Errorf("%s says nothing to people", code)
	}
	return e
}

// eventually polls until ok returns true.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}

// environment is what the program under test gets to see, and nothing else of ours.
func environment(t testing.TB, extra []string) []string {
	return append([]string{"PATH=" + t.TempDir(), "HOME=" + t.TempDir(), "LANG=en_US.UTF-8"}, extra...)
}

// run runs a subcommand to its end.
func run(t testing.TB, home string, env []string, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	return runAs(t, nil, home, env, args...)
}

// runAs runs it as another user.
func runAs(t testing.TB, who *syscall.SysProcAttr, home string, env []string, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if home != "" {
		at := 0
		if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
			at = 1
		}
		args = slices.Insert(slices.Clone(args), at, "--home", home)
	}
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.SysProcAttr = environment(t, env), who
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) || ctx.Err() != nil {
		t.Fatalf("recollect %v: %v\n%s", args, err, errs.String())
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// process is a running `recollect serve`.
type process struct {
	*instance.Client
	t      testing.TB
	home   string
	cmd    *exec.Cmd
	exited chan struct{}
	stderr *output
	agent  memory.Agent
}

// serve starts the program over a data folder and returns when it answers. It ends with the test.
func serve(t testing.TB, home string, env ...string) *process {
	t.Helper()
	return serveArgs(t, home, env)
}

func serveArgs(t testing.TB, home string, env []string, args ...string) *process {
	t.Helper()
	return serveProgram(t, program, home, env, args...)
}

func serveProgram(t testing.TB, program, home string, env []string, args ...string) *process {
	t.Helper()
	p := &process{t: t, home: home, exited: make(chan struct{}), stderr: new(output)}
	p.cmd = exec.Command(program, append([]string{"serve", "--json", "--home", home}, args...)...) // built by us
	p.cmd.Env = environment(t, env)
	p.cmd.Stderr = p.stderr
	p.start()
	return p
}

// output collects what a process prints while a test reads it.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

func (p *process) start() {
	p.t.Helper()
	must(p.t, p.cmd.Start())
	go func() {
		_ = p.cmd.Wait()
		close(p.exited)
	}()
	p.t.Cleanup(func() {
		p.kill()
		for _, log := range []string{"recollect.log", "engine.log"} {
			if raw, err := os.ReadFile(filepath.Join(p.home, log)); err == nil && p.t.Failed() {
				p.t.Logf("%s, its end:\n%s", log, raw[max(0, len(raw)-3000):])
			}
		}
	})
	eventually(p.t, "the start", func() bool {
		select {
		case <-p.exited:
			p.t.Fatalf("it ended at once (%v): %s", p.cmd.ProcessState, p.stderr)
		default:
		}
		raw, err := os.ReadFile(filepath.Join(p.home, "instance.json"))
		if err != nil {
			return false
		}
		var info instance.Info
		if err := json.Unmarshal(raw, &info); err != nil || info.PID != p.cmd.Process.Pid {
			return false // of the one before
		}
		p.Client = instance.NewClient(info)
		return p.Do(p.t.Context(), "GET", "/api/health", nil, nil) == nil
	})
	var list api.Agents
	p.get("/api/agents", &list)
	p.agent = list.Agents[0]
}

// kill ends it as a crash does.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.exited
}

// stop ends it as Ctrl+C does.
func (p *process) stop() {
	p.t.Helper()
	must(p.t, p.cmd.Process.Signal(syscall.SIGINT))
	select {
	case <-p.exited:
	case <-time.After(patience):
		p.t.Fatal("it does not end")
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		p.t.Errorf("it ended with %d: %s", code, p.stderr)
	}
}

func (p *process) call(method, path string, in, out any) error {
	return p.Do(p.t.Context(), method, path, in, out)
}

func (p *process) get(path string, out any) {
	p.t.Helper()
	must(p.t, p.call("GET", path, nil, out))
}

func (p *process) post(path string, in, out any) {
	p.t.Helper()
	must(p.t, p.call("POST", path, in, out))
}

// raw sends a body as it is and returns the status and the answer.
func (p *process) raw(method, path, body string) (int, string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, "http://"+p.Info().Addr+path, strings.NewReader(body))
	must(p.t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+p.Info().Token)
	resp, err := (&http.Client{Transport: &http.Transport{}}).Do(req)
	must(p.t, err)
	defer func() { _ = resp.Body.Close() }()
	var b bytes.Buffer
	_, err = b.ReadFrom(resp.Body)
	must(p.t, err)
	return resp.StatusCode, b.String()
}

func (p *process) conversation() string {
	p.t.Helper()
	var c memory.Conversation
	p.post("/api/conversations", api.ConversationCreate{AgentID: p.agent.ID}, &c)
	return c.ID
}

// send sends a message and returns it as it was stored.
func (p *process) send(conversation, text string) memory.Message {
	p.t.Helper()
	var sent api.MessageResult
	p.post("/api/conversations/"+conversation+"/messages", api.MessageCreate{Content: text}, &sent)
	return sent.Message
}

func (p *process) messages(conversation string) []memory.Message {
	p.t.Helper()
	var page api.Messages
	p.get("/api/conversations/"+conversation+"/messages?limit=200", &page)
	return page.Messages
}

// answer returns the last answer of a turn, once the turn is over.
func (p *process) answer(user memory.Message) memory.Message {
	p.t.Helper()
	var answer memory.Message
	eventually(p.t, "the end of the turn", func() bool {
		answer = memory.Message{}
		for _, m := range p.messages(user.ConversationID) {
			if m.TurnID == user.ID && m.Role == memory.RoleAssistant {
				answer = m
			}
		}
		return answer.ID != "" && answer.Status != memory.StatusStreaming && !p.running(user.ConversationID)
	})
	return answer
}

func (p *process) running(conversation string) bool {
	p.t.Helper()
	var s api.Snapshot
	p.get("/api/snapshot", &s)
	return slices.ContainsFunc(s.Running, func(r api.TurnProgress) bool { return r.ConversationID == conversation })
}

// ask sends a message and waits for its answer.
func (p *process) ask(conversation, text string) (user, answer memory.Message) {
	p.t.Helper()
	user = p.send(conversation, text)
	return user, p.answer(user)
}

// begun waits until some text of the answer to user has been stored.
func (p *process) begun(user memory.Message) memory.Message {
	p.t.Helper()
	var answer memory.Message
	eventually(p.t, "the beginning of the answer", func() bool {
		for _, m := range p.messages(user.ConversationID) {
			if m.TurnID == user.ID && m.Role == memory.RoleAssistant {
				answer = m
			}
		}
		return answer.Content != ""
	})
	return answer
}

func (p *process) engineState(want ...engine.State) engine.Status {
	p.t.Helper()
	var s engine.Status
	eventually(p.t, fmt.Sprint("the engine being ", want), func() bool {
		p.get("/api/engine", &s)
		return slices.Contains(want, s.State)
	})
	return s
}

func (p *process) block(label string) memory.Block {
	p.t.Helper()
	var core api.Core
	p.get("/api/agents/"+p.agent.ID+"/core", &core)
	for _, b := range core.Blocks {
		if b.Label == label {
			return b.Block
		}
	}
	p.t.Fatalf("there is no block %s", label)
	return memory.Block{}
}

// prompt returns the request that was sent to the engine for an answer.
func (p *process) prompt(answer string) string {
	p.t.Helper()
	status, body := p.raw("GET", "/api/messages/"+answer+"/prompt", "")
	if status != http.StatusOK {
		p.t.Fatalf("the prompt of %s: %d %s", answer, status, body)
	}
	return body
}

// fake starts a fake engine that obeys directives, and returns it with the environment that leads to it.
func fake(t testing.TB, o enginetest.Options) (*enginetest.Fake, string) {
	t.Helper()
	f := enginetest.New(t, o)
	f.OnChat(enginetest.Directives)
	return f, "OLLAMA_HOST=" + f.Addr()
}

// freeAddress is an address of this machine at which nobody listens.
func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}
