// Package app puts the parts together: one data folder, one store, one engine, one handler. It is the only package that
// knows all the concrete types.
package app

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/backend/agent"
	"recollect/backend/api"
	"recollect/backend/bus"
	"recollect/backend/datafolder"
	"recollect/backend/doctor"
	"recollect/backend/engine"
	"recollect/backend/fact"
	"recollect/backend/ingest/library"
	"recollect/backend/instance"
	"recollect/backend/jobs"
	"recollect/backend/machine"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/sample"
	"recollect/backend/selftest"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// Why a window ended although nobody closed it: the program must be started once more.
var (
	ErrBlank   = errors.New("the window stayed blank")
	ErrRestart = errors.New("the data folder is to be moved")
)

// shutdownWithin bounds how long open requests may take when the app ends.
const shutdownWithin = 2 * time.Second

// Options configure an App.
type Options struct {
	Home        string              // data folder, or where it was before it was moved
	Version     string              //
	Env         func(string) string // environment; nil = os.Getenv
	Page        fs.FS               // the built page; nil = not built
	Beside      string              // folder of the program: "engine/ollama" and "models/starter.json" lie below it
	Addr        string              // to listen on; "" = a free port of 127.0.0.1
	AllowRemote bool                // Addr may be reachable from other machines
	Token       string              // that requests must carry; "" = a new one
	CanRestart  bool                // whoever starts the app does so anew when Restart says so
	Autostart   api.Autostart       // the start at login; nil = not possible
	Warm        bool                // load the model at the start, before anything is asked
	Log         io.Writer           // nil = the file recollect.log in Home
	Clock       memory.Clock        // nil = time.Now
}

// App is a running Recollect.
type App struct {
	Store  *store.Store
	Bus    *bus.Bus
	Engine *engine.Engine
	Recall *recall.Recall
	Agent  *agent.Service
	Jobs   *jobs.Registry

	options    Options
	home       string // data folder
	moveErr    error  // why the last move of it did not happen
	restart    chan struct{}
	restarted  sync.Once
	log        *slog.Logger
	settings   *settings
	counters   *tokens.Counters
	summaries  *library.Summaries
	api        *api.API
	instance   *instance.Instance
	info       instance.Info
	bound      string // address that is listened on
	remote     bool
	server     *http.Server
	starterDir string
	engineLog  io.Writer
	files      []io.Closer // logs

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	wg     sync.WaitGroup

	mu           sync.Mutex
	desktop      api.Desktop
	engineFailed bool          // and has not been ready since
	engineBefore engine.Status // as it was told last
}

// Start opens the data folder, starts the parts and listens. EBUSY while another instance owns the folder; ENEWER,
// ECORRUPT, EREADONLY, EDISKFULL as the store says; EINVALID for an address that is not allowed. ctx bounds only the
// start; Close ends the app.
func Start(ctx context.Context, o Options) (*App, error) {
	if o.Env == nil {
		o.Env = os.Getenv
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.Addr == "" {
		o.Addr = "127.0.0.1:0"
	}
	base, err := filepath.Abs(o.Home)
	if err != nil {
		return nil, memory.Errorf(memory.EINVALID, "open the data folder", "%s cannot be used as data folder: %w", o.Home, err)
	}
	o.Home = base
	a, err := startOnce(ctx, o, nil)
	if err == nil || ctx.Err() != nil || memory.CodeOf(err) == memory.EBUSY {
		return a, err
	}
	// A folder that the data has just been moved to, and that cannot be opened, is no reason not to start.
	back, revertErr := datafolder.Revert(base)
	if !back {
		return nil, errors.Join(err, revertErr)
	}
	return startOnce(ctx, o, err)
}

// startOnce starts the app; moveErr is why the data folder was not moved, if that was to be.
func startOnce(ctx context.Context, o Options, moveErr error) (*App, error) {
	a := &App{options: o, moveErr: moveErr, restart: make(chan struct{}), log: slog.New(slog.DiscardHandler)}
	if err := a.start(ctx); err != nil {
		return nil, errors.Join(err, a.Close(ctx))
	}
	return a, nil
}

func (a *App) start(ctx context.Context) error {
	o := a.options
	a.ctx, a.cancel = context.WithCancel(context.WithoutCancel(ctx))
	listener, err := a.listen()
	if err != nil {
		return err
	}
	if err := a.takeHome(ctx); err != nil {
		_ = listener.Close()
		return err
	}
	a.openLogs()
	if a.moveErr != nil {
		a.log.Error("The data folder was not moved.", "error", a.moveErr)
	}
	ids := memory.NewIDs(o.Clock, rand.Reader)
	a.Bus = bus.New(o.Clock)
	a.Store, err = store.Open(ctx, DatabasePath(a.home), store.Options{
		Clock: o.Clock, IDs: ids, Publish: a.publish, Version: o.Version, Lines: fact.Lines{},
	})
	if err != nil {
		_ = listener.Close()
		return err
	}
	if n, err := a.Store.MarkInterrupted(ctx); err != nil {
		_ = listener.Close()
		return err
	} else if n > 0 {
		a.log.Info("Answers that were under way when the app ended are kept as partial.", "answers", n)
	}
	if n, err := a.Store.DropUnfinished(ctx); err != nil {
		_ = listener.Close()
		return err
	} else if n > 0 {
		a.log.Info("Documents that were being read when the app ended are not kept in part.", "documents", n)
	}
	a.settings = &settings{store: a.Store}
	a.Store.SetVectorCache(a.vectorCache())
	a.makeEngine()
	a.counters = tokens.New(a.Engine)
	a.keepCalibrations(ctx)
	a.Jobs = jobs.New(o.Clock, ids, a.jobEvent)
	a.Recall = recall.New(recall.Deps{
		Store: a.Store, Embedder: a.Engine, Model: func() string { return a.settings.String(SettingEmbedder) },
		Publish: func(ev memory.Event) { a.Bus.Publish(ev) }, Done: a.embedded, Clock: o.Clock, Log: a.log,
	})
	a.Agent = agent.New(agent.Deps{
		Store: a.Store, Engine: a.Engine, Recall: a.Recall, Counters: a.counters, Bus: a.Bus, Clock: o.Clock, Log: a.log,
		Settings: a.settings, IDs: ids, MemoryBytes: memoryBytes,
	})
	if err := a.Agent.EnsureDefault(ctx, a.Language()); err != nil {
		_ = listener.Close()
		return err
	}
	a.summaries = library.NewSummaries(a.Store, a.Agent, func() string { return a.settings.String(settingSummaries) }, a.Recall.Wake, a.log)
	a.api = api.New(api.Deps{
		Store: a.Store, Turns: a.Agent, Search: a.Recall, Engine: a.Engine, Counters: a.counters, Jobs: a.Jobs, Bus: a.Bus,
		Library: library.New(a.Store, a.Jobs, o.Clock, func() { a.Recall.Wake(); a.summaries.Wake() }),
		Sample:  &sample.Life{Store: a.Store, Dir: a.home, Clock: o.Clock, Wake: a.Recall.Wake},
		Clock:   o.Clock, Version: o.Version, Home: a.home, MemoryBytes: memoryBytes, Doctor: a.examine, Selftest: a.selftest, Experiments: a.Engine, Starter: a.starterRoute(),
		Desktop: a.openWindow, Link: func() string { return a.info.URL },
		Autostart: o.Autostart, Data: mover{a},
	})
	if err := datafolder.Opened(o.Home); err != nil {
		_ = listener.Close()
		return err
	}
	a.serve(listener)
	if err := a.instance.Announce(a.info); err != nil {
		return err
	}
	a.background()
	return nil
}

// CheckAddr says whether other machines can reach an address to listen on, which they may only where allowRemote; EINVALID
// where they may not, and where it is no address.
func CheckAddr(addr string, allowRemote bool) (remote bool, err error) {
	const op = "listen"
	host, port, err := net.SplitHostPort(addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return false, memory.Errorf(memory.EINVALID, op, "--addr must be HOST:PORT, for example 127.0.0.1:8080: %w", err)
	}
	ip := net.ParseIP(host)
	remote = host != "localhost" && (ip == nil || !ip.IsLoopback())
	if remote && !allowRemote {
		return true, memory.Errorf(memory.EINVALID, op, "%s can be reached from other machines; add --allow-remote if that is what you want, or use 127.0.0.1", addr)
	}
	return remote, nil
}

// listen takes the address before anything else is touched, so that a wrong one has no effect.
func (a *App) listen() (net.Listener, error) {
	var err error
	if a.remote, err = CheckAddr(a.options.Addr, a.options.AllowRemote); err != nil {
		return nil, err
	}
	l, err := net.Listen("tcp", a.options.Addr)
	if err != nil {
		return nil, memory.Errorf(memory.EINVALID, "listen", "%s cannot be listened on; port 0 takes a free one: %w", a.options.Addr, err)
	}
	return l, nil
}

// reachable returns an address that leads to what is bound to addr. A listener on all addresses has none of its own: it is
// reached by the first of the machine's that others can use, or by loopback.
func reachable(addr string, machine []net.Addr) string {
	bound, err := netip.ParseAddrPort(addr)
	if err != nil || !bound.Addr().IsUnspecified() {
		return addr
	}
	ip := netip.AddrFrom4([4]byte{127, 0, 0, 1})
	for _, m := range machine {
		prefix, err := netip.ParsePrefix(m.String())
		if err == nil && prefix.Addr().Is4() && prefix.Addr().IsGlobalUnicast() {
			ip = prefix.Addr()
			break
		}
	}
	return netip.AddrPortFrom(ip, bound.Port()).String()
}

func (a *App) serve(listener net.Listener) {
	addr := listener.Addr().String()
	a.bound = addr
	token := cmp.Or(a.options.Token, instance.NewToken())
	machine, _ := net.InterfaceAddrs() // unknown: the link leads to this machine only
	a.info = instance.Info{Addr: reachable(addr, nil), Token: token, PID: os.Getpid(), URL: "http://" + reachable(addr, machine) + "/#token=" + token}
	a.server = &http.Server{
		Handler:           a.api.Handler(api.Options{Token: token, Addr: addr, Page: a.options.Page}),
		ReadHeaderTimeout: 10 * time.Second,
		ErrorLog:          slog.NewLogLogger(a.log.Handler(), slog.LevelWarn),
	}
	a.wg.Go(func() {
		if err := a.server.Serve(listener); err != nil && !errors.Is(err, http.ErrServerClosed) {
			a.log.Error("The server ended.", "error", err)
		}
	})
}

// openLogs begins the logs of this run in the data folder. Without them the app works as well.
func (a *App) openLogs() {
	open := func(name string) io.Writer {
		l, err := openLog(filepath.Join(a.home, name))
		if err != nil {
			return io.Discard
		}
		a.files = append(a.files, l)
		return l
	}
	a.engineLog = open("engine.log")
	out := a.options.Log
	if out == nil {
		out = open("recollect.log")
	}
	a.log = slog.New(slog.NewTextHandler(out, nil))
}

// learnedTokens is where what was learned about how models count is kept.
const learnedTokens = "tokens"

// keepCalibrations lets the counters go on with what they learned in earlier runs.
func (a *App) keepCalibrations(ctx context.Context) {
	learned := map[string]tokens.Calibration{}
	raw, err := a.Store.Learned(ctx, learnedTokens)
	if err == nil && raw != nil {
		err = json.Unmarshal(raw, &learned)
	}
	if err != nil {
		a.log.Warn("What was learned about how models count is lost.", "error", err)
	}
	a.counters.Keep(learned, func(learned map[string]tokens.Calibration) {
		raw, err := json.Marshal(learned)
		if err == nil {
			err = a.Store.SetLearned(a.ctx, learnedTokens, raw)
		}
		if err != nil {
			a.log.Warn("What was learned about how models count is not kept.", "error", err)
		}
	})
}

func (a *App) makeEngine() {
	o := a.options
	a.starterDir = filepath.Join(o.Beside, "models")
	a.Engine = engine.New(engine.Options{
		Home: a.home, Host: a.settings.String(SettingEngineHost), Env: o.Env, Log: a.engineLog, Clock: o.Clock,
		Threads: a.settings.Int(settingThreads),
		Bundled: []string{filepath.Join(o.Beside, "engine", engineBinary)},
		OnState: a.engineState,
	})
}

// background starts what runs beside the requests.
func (a *App) background() {
	run := func(what string, f func(context.Context) error) {
		a.wg.Go(func() {
			if err := f(a.ctx); err != nil && !errors.Is(err, context.Canceled) {
				a.log.Error(what, "error", err)
			}
		})
	}
	run("The files of the data folder before are not all removed.", func(context.Context) error { return datafolder.Clean(a.options.Home) })
	run("The engine is no longer watched.", a.Engine.Run)
	run("New texts are no longer embedded.", a.Recall.Index)
	run("The check of the database did not end.", a.tellHealth)
	run("The database is no longer looked after.", a.maintain)
	run("Changed settings are no longer applied.", a.applySettings)
	run("What was said before is no longer read for facts.", a.readTranscript)
	if a.options.Warm {
		run("The model was not loaded in advance.", a.warm)
	}
	run("The starter models were not installed.", func(ctx context.Context) error { a.installStartersOnce(ctx); return nil })
}

// warm has the engine load the model of the newest conversation and read what its next prompt begins with, so that the
// first answer does not wait for that; written anew, since nothing of it is read yet.
func (a *App) warm(ctx context.Context) error {
	if err := a.Engine.Ready(ctx); err != nil {
		return nil //nolint:nilerr // the engine's state says why
	}
	list, _, err := a.Store.Conversations(ctx, store.ConversationFilter{})
	if err != nil || len(list) == 0 {
		return err
	}
	newest := slices.MaxFunc(list, func(x, y memory.Conversation) int { return x.UpdatedAt.Compare(y.UpdatedAt) })
	if _, err := a.Agent.Refresh(ctx, newest.ID); err != nil {
		return err
	}
	return a.Agent.Warm(ctx, newest.ID)
}

// Close ends the app: turns stop and keep what came, the engine that we started ends, the folder is free again.
func (a *App) Close(ctx context.Context) error {
	var errs []error
	if a.api != nil {
		a.api.Close()
	}
	if a.server != nil {
		wait, stop := context.WithTimeout(ctx, shutdownWithin)
		if err := a.server.Shutdown(wait); err != nil {
			errs = append(errs, a.server.Close())
		}
		stop()
	}
	if a.Agent != nil {
		errs = append(errs, a.Agent.Close(ctx))
	}
	if a.Jobs != nil {
		errs = append(errs, a.Jobs.Close(ctx))
	}
	a.cancel()
	a.wg.Wait()
	if a.Store != nil {
		errs = append(errs, a.Store.Close())
	}
	for _, f := range a.files {
		errs = append(errs, f.Close())
	}
	if a.instance != nil {
		errs = append(errs, a.instance.Release())
	}
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("end the app: %w", err)
	}
	return nil
}

// Restart is closed when the app must be closed and started anew: its data folder has been moved.
func (a *App) Restart() <-chan struct{} { return a.restart }

// Info tells address, token and link of the running app.
func (a *App) Info() instance.Info { return a.info }

// Bound is the address that the app listens on.
func (a *App) Bound() string { return a.bound }

// Remote says whether other machines can reach the app.
func (a *App) Remote() bool { return a.remote }

// Log is the app's own log. Texts of the user never go there.
func (a *App) Log() *slog.Logger { return a.log }

// WindowHandler returns the handler for the app's own window, which needs no token.
func (a *App) WindowHandler() http.Handler {
	return a.api.Handler(api.Options{Trusted: true, Page: a.options.Page})
}

// SetDesktop tells who shows the window; nil = nobody.
func (a *App) SetDesktop(d api.Desktop) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.desktop = d
}

func (a *App) openWindow() api.Desktop {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.desktop
}

// Subscribe returns the events from now on, until ctx ends.
func (a *App) Subscribe(ctx context.Context) <-chan memory.Event {
	return a.Bus.Subscribe(ctx, a.Bus.Seq()).Events()
}

// publish puts events on the bus that the store has committed.
func (a *App) publish(events []memory.Event) {
	for _, ev := range events {
		a.Bus.Publish(ev)
	}
}

// patience is how long the doctor waits for an engine that is starting.
const patience = 15 * time.Second

// examine looks for what is not in order; language is that of the findings, "" = the app's.
func (a *App) examine(ctx context.Context, language string) []doctor.Check {
	wait, stop := context.WithTimeout(ctx, patience)
	defer stop()
	_ = a.Engine.Ready(wait)                // its state says what is wrong
	own, _ := a.Store.ArchiveEmbedders(ctx) // the check of the database says why they cannot be read
	return doctor.Examine(ctx, doctor.Patient{
		Home: a.home, Database: a.Store, Engine: a.Engine, Model: a.settings.String(SettingModel),
		Embedder: a.settings.String(SettingEmbedder), ArchiveEmbedders: own, Language: cmp.Or(language, a.Language()),
	})
}

// selftest tries a chat model; "" = the one in use.
func (a *App) selftest(ctx context.Context, model string) (api.Selftest, error) {
	if model == "" {
		agents, err := a.Store.Agents(ctx)
		if err != nil {
			return api.Selftest{}, err
		}
		if err := a.Engine.Ready(ctx); err != nil {
			return api.Selftest{}, err
		}
		use, err := a.Agent.Effective(ctx, agents[0].ID)
		if err != nil {
			return api.Selftest{}, err
		}
		model = use.Model
	}
	results, err := selftest.Run(ctx, selftest.Deps{
		Engine: a.Engine, Counters: a.counters, Embedder: a.settings.String(SettingEmbedder), Language: a.Language(), MemoryBytes: memoryBytes,
		Progress: func(p selftest.Progress) {
			a.Bus.Publish(event("selftest.progress", api.SelftestProgress{
				Model: model, Task: p.Task, LimitS: int(p.Limit.Seconds()), Done: len(p.Results), Total: p.Total, Results: p.Results,
			}))
		},
	}, model)
	a.learnFromSelftest(ctx, model, results)
	return api.Selftest{Model: model, Results: results}, err
}

// learnFromSelftest lets a model without tools take notes, or not, as it did in the test.
func (a *App) learnFromSelftest(ctx context.Context, model string, results []selftest.Result) {
	p, err := a.Engine.Profile(ctx, model)
	if err != nil || p.Tools {
		return
	}
	for _, r := range results {
		usable := r.Outcome == selftest.Works
		if asked := usable || !p.AppendOnly || a.Engine.SideCache(model); r.Task == selftest.TaskNote && asked {
			a.Agent.TrustNotes(p.Digest, usable)
		}
	}
}

// Language is "zh" or "en": the one that the user chose, else the system's.
func (a *App) Language() string {
	if l := a.settings.String(settingLanguage); l != "" {
		return l
	}
	for _, key := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if v := a.options.Env(key); v != "" {
			if len(v) >= 2 && v[:2] == "zh" {
				return "zh"
			}
			return "en"
		}
	}
	return "en"
}

// memoryBytes is the size of this machine's memory, 0 where it is unknown.
func memoryBytes() int64 {
	n, err := machine.Memory()
	if err != nil {
		return 0
	}
	return n
}

// event makes a bus event whose data is v as JSON.
func event(kind string, v any) memory.Event {
	data := map[string]any{}
	if raw, err := json.Marshal(v); err == nil {
		_ = json.Unmarshal(raw, &data) // v is a struct of ours
	}
	return memory.Event{Type: kind, Data: data}
}
