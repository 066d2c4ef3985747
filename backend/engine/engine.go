// Package engine is the adapter to Ollama, the server that runs the models.
//
// It finds an engine that runs, or starts one as a child that dies with the app ([Engine.Run], [RunGuard]); lists, pulls,
// imports and deletes models; chats and embeds through one queue over all models. Nothing is ever cut silently: each chat
// carries truncate:false, shift:false, a fixed window and a positive limit of output, and succeeds only when the engine said
// that it was done. Long prompts are read in stages, so that a stop takes effect within one stage and progress is known.
package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/memory"
)

// Options configure an Engine.
type Options struct {
	Home     string              // data folder; the models of our own engine lie in Home/models
	Host     string              // address from the settings; "" = look for one
	Env      func(string) string // environment; nil = os.Getenv
	Log      io.Writer           // log of our own child, without prompts; nil = none
	Clock    memory.Clock        // nil = time.Now
	Bundled  []string            // paths where an engine of our own may lie, best first
	Memory   int64               // of this machine in bytes; 0 = look
	Parallel int                 // prompt caches on our own engine; 0 = by memory
	OnState  func(Status)        // called after each change of state; may be nil
	Guard    []string            // command line that runs RunGuard; nil = this executable with GuardCommand
	Default  string              // address tried when nothing is configured; "" = 127.0.0.1:11434, "-" = none
	Threads  int                 // threads of a chat model on this machine; 0 = its cores
	Timeouts Timeouts
}

// Timeouts are the watchdogs; zero values mean the defaults.
type Timeouts struct {
	Load       time.Duration // loading a model (5 min)
	FirstToken time.Duration // first token, on top of the time that reading should take (3 min)
	Stall      time.Duration // between two chunks (3 min)
	Start      time.Duration // our child until it answers (30 s)
	KeepAlive  time.Duration // how long a model stays in memory after its last use (30 min)
	Poll       time.Duration // between two looks for an engine, or at its health (2 s and 5 s)
	Backoff    time.Duration // before the first restart, doubled each time up to 32 times that (1 s)
}

func (t Timeouts) withDefaults() Timeouts {
	set := func(d *time.Duration, v time.Duration) {
		if *d == 0 {
			*d = v
		}
	}
	set(&t.Load, 5*time.Minute)
	set(&t.FirstToken, 3*time.Minute)
	set(&t.Stall, 3*time.Minute)
	set(&t.Start, 30*time.Second)
	set(&t.KeepAlive, 30*time.Minute)
	set(&t.Backoff, time.Second)
	return t
}

// Engine is the Ollama in use. Its methods may be called from any goroutine.
type Engine struct {
	o     Options
	queue queue

	mu      sync.Mutex
	host    string
	threads int
	status  Status
	changed chan struct{} // closed and replaced at each change of status
	again   chan struct{} // closed and replaced to make Run look again
	conn    *conn         // nil while there is no engine
	held    int           // see Hold

	unanswered string // see Status

	profiles map[string]Profile
	digests  map[string]seen // full model name → digest
	speeds   map[string]float64
}

// conn is the connection to one running engine; what is known about its memory ends with it.
type conn struct {
	*client
	log     *slotLog // nil when the engine is not ours
	slots   int
	threads atomic.Int32  // for num_thread; 0 = leave it to the engine
	doubted chan struct{} // has something in it where Run should look at once whether the engine is there

	mu       sync.Mutex
	resident map[string]residence // by full model name
	embedded string               // full name of the embedding model that was used last
	ps       []string             // names that /api/ps gave
	psAt     time.Time
}

// residence is a model that should be in the engine's memory.
type residence struct {
	window int
	serves int // tokens that the engine really serves, as it says; 0 = it does not say
	until  time.Time
	seeded bool      // the second slot holds the side tasks' prefix
	tries  int       // attempts at seeding
	sent   [2]prompt // what the caches should hold: of the chat, and of side tasks where they have their own
}

// prompt is what a request told the model.
type prompt struct {
	tools    string
	messages []api.Message
}

// seen is a digest and when it was looked up.
type seen struct {
	digest string
	at     time.Time
}

// New returns an engine that does nothing until Run.
func New(o Options) *Engine {
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Default == "" {
		o.Default = "127.0.0.1:11434"
	}
	o.Timeouts = o.Timeouts.withDefaults()
	return &Engine{
		o: o, host: o.Host, threads: o.Threads, changed: make(chan struct{}), again: make(chan struct{}),
		status:   Status{State: StateSearching, Loopback: true, Since: o.Clock()},
		profiles: map[string]Profile{}, digests: map[string]seen{}, speeds: map[string]float64{},
	}
}

// Status returns the present state.
func (e *Engine) Status() Status {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.status
}

// Ready waits until the engine is usable, or returns EENGINE with a remedy when it is missing or fails. An engine that has
// just ended is waited for where one is started in its place, until that does not start in time (Timeouts.Start).
func (e *Engine) Ready(ctx context.Context) error {
	for {
		e.mu.Lock()
		s, c, changed := e.status, e.conn, e.changed
		e.mu.Unlock()
		switch s.State {
		case StateReady:
			if c.answers(ctx) {
				return nil
			}
			e.doubt(c)
		case StateMissing, StateStopped:
			return unusable(s)
		case StateFailed:
			if !s.returns {
				return unusable(s)
			}
		case StateSearching, StateStarting:
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// answers says whether the engine is still there; a slow one is.
func (c *conn) answers(ctx context.Context) bool {
	_, err := c.version(ctx, time.Second)
	return err == nil || errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil
}

// doubt has Run look at once whether an engine is there, which did not answer; until then it is not used.
func (e *Engine) doubt(c *conn) {
	e.mu.Lock()
	s, changed := e.status, e.conn == c
	if changed {
		s, _ = e.change(Status{State: StateSearching, Kind: s.Kind, Loopback: s.Loopback}, nil)
	}
	e.mu.Unlock()
	if !changed {
		return
	}
	if e.o.OnState != nil {
		e.o.OnState(s)
	}
	c.doubted <- struct{}{}
}

// SetHost changes the address from the settings ("" = look for one) and looks again.
func (e *Engine) SetHost(host string) {
	e.mu.Lock()
	e.host = host
	e.mu.Unlock()
	e.Restart()
}

// Restart lets go of the present engine, ends it where it is ours, and looks for one anew; it returns at once.
func (e *Engine) Restart() {
	e.mu.Lock()
	defer e.mu.Unlock()
	close(e.again)
	e.again = make(chan struct{})
}

// Hold keeps the engine in use until release is called: Run moves to one that goes before it (see better) only while nobody
// holds it. Each call of the engine does; who makes several that belong together, as a turn, holds it over all of them.
func (e *Engine) Hold() (release func()) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.held++
	return sync.OnceFunc(func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.held--
	})
}

// unusable is the error of every call while there is no engine.
func unusable(s Status) error {
	if s.Message == "" {
		s = s.because(memory.RemedyStartEngine, "the engine is not ready yet")
	}
	return &memory.Error{Code: memory.EENGINE, Op: "engine", Message: s.Message, Chinese: s.Chinese, Remedy: cmp.Or(s.Remedy, memory.RemedyStartEngine)}
}

// connection returns the engine to talk to.
func (e *Engine) connection() (*conn, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.conn == nil {
		return nil, unusable(e.status)
	}
	return e.conn, nil
}

func (e *Engine) setState(s Status, c *conn) {
	e.mu.Lock()
	s, changed := e.change(s, c)
	e.mu.Unlock()
	if changed && e.o.OnState != nil {
		e.o.OnState(s)
	}
}

// change sets the state and says whether it was another; the caller holds e.mu.
func (e *Engine) change(s Status, c *conn) (Status, bool) {
	s.Since, s.Unanswered = e.o.Clock(), e.unanswered
	same := s
	same.Since = e.status.Since
	if same == e.status && c == e.conn {
		return s, false
	}
	if c != e.conn {
		clear(e.digests) // another engine has other models
	}
	e.status, e.conn = s, c
	close(e.changed)
	e.changed = make(chan struct{})
	return s, true
}

// Run finds or starts an engine and keeps it running until ctx ends; then it ends a child of ours and returns ctx's error.
// It may start before or after the engine, which is found when it appears: what takes its place meanwhile is left for it.
func (e *Engine) Run(ctx context.Context) error {
	failures := 0
	var use found // after a move the one that was moved to
	var host string
	var again <-chan struct{}
	for ctx.Err() == nil {
		if use.conn == nil {
			e.mu.Lock()
			host, again = e.host, e.again
			e.mu.Unlock()
			use = e.findRunning(ctx, host, "")
			e.mu.Lock()
			e.unanswered = use.unanswered
			e.mu.Unlock()
		}
		if use.conn != nil {
			failures = 0
			use = e.attend(ctx, use, host, again)
			continue
		}
		if ctx.Err() != nil {
			break
		}
		binary, kind := e.findBinary()
		switch {
		case host != "":
			e.setState(e.describe(host, Status{State: StateFailed, Kind: KindExternal}.because(memory.RemedyCheckAddress, "nothing answers at %s", host)), nil)
		case binary == "":
			e.setState(e.missing(), nil)
		default:
			var lived time.Duration
			var err error
			lived, use, err = e.raise(ctx, binary, kind, again)
			if ctx.Err() != nil || err == nil {
				continue
			}
			if lived > time.Minute {
				failures = 0
			}
			said := memory.ProblemOf(err)
			e.setState(Status{
				State: StateFailed, Kind: kind, Loopback: true, Message: said.Message, Chinese: said.Chinese, Remedy: memory.RemedyStartEngine,
				returns: lived > 0,
			}, nil)
			wait(ctx, again, nil, e.o.Timeouts.Backoff<<min(failures, 5))
			failures++
			continue
		}
		wait(ctx, again, nil, e.poll(2*time.Second))
	}
	e.setState(Status{State: StateStopped, Loopback: true}.because("", "the app is closing"), nil)
	return ctx.Err()
}

func (e *Engine) poll(d time.Duration) time.Duration {
	if e.o.Timeouts.Poll > 0 {
		return e.o.Timeouts.Poll
	}
	return d
}

// wait sleeps until d has passed, something wants Run to look again, or ctx ends; or until the engine is doubted, and says so.
func wait(ctx context.Context, again, doubted <-chan struct{}, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-again:
	case <-ctx.Done():
	case <-doubted:
		return true
	}
	return false
}

// describe fills in what an address says about the engine.
func (e *Engine) describe(address string, s Status) Status {
	s.Address = address
	if u, err := parseAddress(address); err == nil {
		s.Address, s.Loopback = u.String(), isLoopback(u)
	}
	return s
}

// found is an engine that answers.
type found struct {
	conn       *conn // nil where none does
	status     Status
	named      bool   // by OLLAMA_HOST
	unanswered string // see Status
}

// findRunning looks for an engine that answers: the one of the settings and no other, else OLLAMA_HOST, else the default;
// of these only what goes before the one at inUse, where that is one of them.
// An OLLAMA_HOST where nothing answers is kept for Status.Unanswered: people expect the models that they have there.
func (e *Engine) findRunning(ctx context.Context, host, inUse string) (f found) {
	named := ""
	candidates := []string{host}
	if host == "" {
		named = strings.TrimSpace(e.o.Env("OLLAMA_HOST"))
		candidates = []string{named, e.o.Default}
	}
	for _, address := range candidates {
		if address == "" || address == "-" {
			continue
		}
		if e.describe(address, Status{}).Address == inUse {
			break
		}
		if f.conn, f.status = e.probe(ctx, address); f.conn != nil {
			f.named = address == named
			break
		}
		if address == named {
			f.unanswered = named
		}
	}
	return f
}

// better looks for an engine that goes before the one in use, since it was started later, and moves there where nobody is at
// work with that one. What OLLAMA_HOST names was asked for; one that merely runs must have the models that were used here.
func (e *Engine) better(ctx context.Context, c *conn, host string, again <-chan struct{}) found {
	f := e.findRunning(ctx, host, c.base.String())
	if f.conn == nil {
		return found{}
	}
	if (f.named || f.conn.has(ctx, c.used())) && e.move(f, again) {
		return f
	}
	f.conn.close()
	return found{}
}

// move makes an engine that was found the one in use, unless the present one is held or Run should look again.
func (e *Engine) move(f found, again <-chan struct{}) bool {
	e.mu.Lock()
	if e.held > 0 || e.again != again {
		e.mu.Unlock()
		return false
	}
	e.unanswered = f.unanswered
	s, _ := e.change(f.status, f.conn)
	e.mu.Unlock()
	if e.o.OnState != nil {
		e.o.OnState(s)
	}
	return true
}

// probe returns a connection to the engine at an address; nil where none answers.
func (e *Engine) probe(ctx context.Context, address string) (*conn, Status) {
	u, err := parseAddress(address)
	if err != nil {
		return nil, Status{}
	}
	cl := newClient(u)
	version, err := cl.version(ctx, 3*time.Second)
	if err != nil {
		cl.close()
		return nil, Status{}
	}
	c := e.newConn(cl, nil, 0)
	return c, e.describe(u.String(), Status{State: StateReady, Kind: KindExternal, Version: version, Models: c.countModels(ctx)})
}

// missing is the status where no engine runs and none can be started.
func (e *Engine) missing() Status {
	s := Status{State: StateMissing, Loopback: true}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.unanswered != "" {
		return s.because(memory.RemedyInstallEngine, "nothing answers at %s, which OLLAMA_HOST names, no other engine runs and none is installed", e.unanswered)
	}
	return s.because(memory.RemedyInstallEngine, "no engine runs and none is installed")
}

// findBinary looks for an installed engine, then for the bundled one.
func (e *Engine) findBinary() (string, Kind) {
	for _, dir := range filepath.SplitList(e.o.Env("PATH")) {
		if path, err := exec.LookPath(filepath.Join(dir, "ollama")); err == nil && filepath.IsAbs(path) {
			return path, KindFound
		}
	}
	for _, path := range e.o.Bundled {
		if path, err := exec.LookPath(path); err == nil {
			if abs, err := filepath.Abs(path); err == nil {
				return abs, KindBundled
			}
		}
	}
	return "", ""
}

func (e *Engine) newConn(cl *client, log *slotLog, slots int) *conn {
	c := &conn{client: cl, log: log, slots: slots, resident: map[string]residence{}, doubted: make(chan struct{}, 1)}
	e.mu.Lock()
	threads := e.threads
	e.mu.Unlock()
	c.setThreads(threads)
	return c
}

// setThreads sets the threads of chat models, 0 = one a core. An engine on another machine knows better.
func (c *conn) setThreads(n int) {
	if !isLoopback(c.base) {
		return
	}
	if n <= 0 {
		n = Cores()
	}
	c.threads.Store(int32(n)) // the number of a machine's cores, or a checked setting
}

// SetThreads changes the threads of chat models, 0 = one a core. The engine loads a model anew for it, at its next answer.
func (e *Engine) SetThreads(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.threads = n
	if e.conn != nil {
		e.conn.setThreads(n)
	}
}

// attend watches an engine that is not ours until it stops answering or Run should look again. It returns the one that was
// moved to, if any.
func (e *Engine) attend(ctx context.Context, f found, host string, again <-chan struct{}) found {
	c, s := f.conn, f.status
	defer c.close()
	e.setState(s, c)
	for misses := 0; misses < 3; {
		doubted := wait(ctx, again, c.doubted, e.poll(5*time.Second))
		select {
		case <-again:
			e.setState(Status{State: StateSearching, Loopback: true}, nil)
			return found{}
		case <-ctx.Done():
			return found{}
		default:
		}
		if next := e.better(ctx, c, host, again); next.conn != nil {
			return next
		}
		_, err := c.version(ctx, 5*time.Second)
		switch {
		case err == nil:
			misses = 0
			if doubted {
				e.setState(s, c)
			}
		case errors.Is(err, syscall.ECONNREFUSED):
			misses = 3 // nobody listens there any more
		case doubted:
			misses = 3 // it broke off twice
		default:
			misses++ // perhaps it is only busy
		}
	}
	binary, _ := e.findBinary()
	s.State, s.Models, s.returns = StateFailed, 0, host == "" && binary != ""
	e.setState(s.because(memory.RemedyStartEngine, "the engine at %s does not answer any more", s.Address), nil)
	return found{}
}

// raise starts a child and attends it until it ends, ctx ends, Run should look again or has moved to another engine (nil
// error). It returns how long the child lived, and the one that was moved to, if any.
func (e *Engine) raise(ctx context.Context, binary string, kind Kind, again <-chan struct{}) (time.Duration, found, error) {
	slots := e.o.Parallel
	if slots == 0 {
		slots = 1
		if e.memory() >= 12<<30 {
			slots = 2
		}
	}
	e.setState(Status{State: StateStarting, Kind: kind, Loopback: true, Slots: slots}, nil)
	guard := e.o.Guard
	if guard == nil {
		self, err := os.Executable()
		if err != nil {
			return 0, found{}, fmt.Errorf("find our own executable: %w", err)
		}
		guard = []string{self, GuardCommand}
	}
	log := newSlotLog(e.o.Log)
	began := time.Now()
	ch, version, err := startChild(ctx, guard, binary, filepath.Join(e.o.Home, "models"), slots, e.o.Timeouts.KeepAlive, e.o.Timeouts.Start, log)
	if err != nil {
		return 0, found{}, err
	}
	defer ch.stop()
	c := e.newConn(newClient(ch.base), log, slots)
	defer c.close()
	s := Status{State: StateReady, Kind: kind, Address: ch.base.String(), Version: version, Loopback: true, Slots: slots}
	s.Models = c.countModels(ctx)
	e.setState(s, c)
	look := time.NewTicker(e.poll(5 * time.Second))
	defer look.Stop()
	for {
		select {
		case <-ch.exited:
			return time.Since(began), found{}, memory.Errorf(memory.EENGINE, "engine", "the engine has ended; it is started again")
		case <-again:
			e.setState(Status{State: StateSearching, Loopback: true}, nil)
			return time.Since(began), found{}, nil
		case <-ctx.Done():
			return time.Since(began), found{}, nil
		case <-c.doubted:
			if _, err := c.version(ctx, 5*time.Second); err != nil {
				return time.Since(began), found{}, memory.Errorf(memory.EENGINE, "engine", "the engine has ended; it is started again")
			}
			e.setState(s, c)
		case <-look.C:
			if next := e.better(ctx, c, "", again); next.conn != nil {
				return time.Since(began), next, nil
			}
		}
	}
}

// used returns the models that this engine has worked with.
func (c *conn) used() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	names := slices.Collect(maps.Keys(c.resident))
	if c.embedded != "" {
		names = append(names, c.embedded)
	}
	return names
}

// has says whether the engine has all of the models.
func (c *conn) has(ctx context.Context, models []string) bool {
	var list api.ListResponse
	if len(models) > 0 && c.call(ctx, http.MethodGet, "/api/tags", nil, &list) != nil {
		return false
	}
	return !slices.ContainsFunc(models, func(name string) bool {
		return !slices.ContainsFunc(list.Models, func(m api.ListModelResponse) bool { return SameModel(m.Name, name) })
	})
}

func (c *conn) countModels(ctx context.Context) int {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var list api.ListResponse
	if c.call(ctx, http.MethodGet, "/api/tags", nil, &list) != nil {
		return 0
	}
	return len(list.Models)
}

// modelsChanged counts the models again, after one came or went, and forgets what names meant.
func (e *Engine) modelsChanged(ctx context.Context, c *conn) {
	n := c.countModels(context.WithoutCancel(ctx))
	e.mu.Lock()
	clear(e.digests)
	s := e.status
	same := e.conn == c
	e.mu.Unlock()
	if s.Models = n; same {
		e.setState(s, c)
	}
}

// hung deals with an engine that a watchdog caught: ours is restarted, another's is left alone.
func (e *Engine) hung(c *conn, err error) {
	var slow errSlow
	if errors.As(err, &slow) && c.log != nil {
		e.Restart()
	}
}
