//go:build desktop

package main

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wailsapp/wails/v2"
	"github.com/wailsapp/wails/v2/pkg/options"
	"github.com/wailsapp/wails/v2/pkg/options/assetserver"
	"github.com/wailsapp/wails/v2/pkg/options/linux"
	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"

	"recollect/backend/api"
	"recollect/backend/app"
	"recollect/backend/memory"
	"recollect/backend/notify"
)

const (
	readyWithin = 10 * time.Second      // a page that is not interactive by then is taken for a blank window
	beatWithin  = 20 * time.Second      // the page reports every 5 s; silence this long means a dead web process
	pushEvery   = 33 * time.Millisecond // events go to the page in batches, at most 30 a second
	batchBytes  = 4 << 10               // one event of the web view carries at most this much
	quitWithin  = 5 * time.Second       // the message loop ends by then, unless a dialog is open
	rescueEnv   = "RECOLLECT_RESCUE"    // set on the second try after a blank window
	minWidth    = 360
	minHeight   = 480

	troubleWidth, troubleHeight = 720, 600
)

//go:embed build/appicon.png
var icon []byte

// shell is the desktop window around the page: life cycle, bounds, events, and the rescue of blank or dead views. It is
// what the API calls for things that only a window can do.
type shell struct {
	app      *app.App
	notifier notify.Notifier

	mu      sync.Mutex
	ctx     context.Context // of Wails; nil before start-up
	ended   error           // why the window ends although nobody closed it
	running bool            // events are being pushed
	asking  sync.Mutex      // held while a dialog of the system is open
	seen    app.Bounds      // where the window was at the last heartbeat
	kept    app.Bounds      // and as it is stored

	started  time.Time
	ready    atomic.Bool
	lastBeat atomic.Int64 // unix milliseconds
	ending   atomic.Bool  // the window ends without asking
	done     chan struct{}
}

// canOpenWindow says in words for the user why no window can be opened here.
func canOpenWindow() error {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return memory.Errorf(memory.EUNSUPPORTED, "open the window",
			"there is no display here (DISPLAY and WAYLAND_DISPLAY are empty); use `recollect serve` and open its link in a browser, or `recollect chat` in this terminal")
	}
	return nil
}

var window = openWindow // decided by the build tag

// openWindow shows a and returns when the window was closed: app.ErrBlank where the view stayed blank, app.ErrRestart
// where the data folder is to be moved.
func openWindow(ctx context.Context, a *app.App, minimised bool) error {
	if err := prepareView(); err != nil {
		return err
	}
	s := &shell{app: a, started: time.Now(), done: make(chan struct{})}
	a.SetDesktop(s)
	defer a.SetDesktop(nil)
	stop := context.AfterFunc(ctx, s.end)
	defer stop()
	defer s.notifier.Close()

	b := a.Bounds()
	s.kept = b
	err := wails.Run(&options.App{
		Title: "Recollect", Width: b.Width, Height: b.Height, MinWidth: minWidth, MinHeight: minHeight,
		WindowStartState:         startState(b, minimised),
		AssetServer:              &assetserver.Options{Handler: api.Recover(smokeRoutes(a.WindowHandler()))},
		Menu:                     menuBar(api.Menu{}, func(string) {}), // the page adds what it can do
		EnableDefaultContextMenu: true,                                 // webview_linux.go takes out what leads away from the page
		BackgroundColour:         background(a.Theme()),
		Linux:                    &linux.Options{ProgramName: "recollect", WebviewGpuPolicy: gpuPolicy(), Icon: icon},
		OnStartup:                s.onStartup,
		OnDomReady:               s.onDomReady,
		OnBeforeClose:            s.onBeforeClose,
		OnShutdown:               func(context.Context) { close(s.done) },
	})
	if err != nil {
		return fmt.Errorf("open the window: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// prepareView sets what the view reads from the environment.
func prepareView() error {
	// The DMA-BUF renderer leaves the window blank on many drivers (wailsapp/wails#2977); the user's own value wins.
	for key, value := range map[string]string{"WEBKIT_DISABLE_DMABUF_RENDERER": "1", "LANG": "en_US.UTF-8"} {
		if key == "LANG" && runtime.GOOS != "darwin" {
			continue
		}
		if os.Getenv(key) == "" {
			if err := os.Setenv(key, value); err != nil {
				return fmt.Errorf("prepare the window: %w", err)
			}
		}
	}
	return nil
}

var troubleWindow = openTrouble // decided by the build tag

// openTrouble shows a page that needs no app behind it, until the window or done is closed.
func openTrouble(ctx context.Context, page http.Handler, done <-chan struct{}) error {
	if err := prepareView(); err != nil {
		return err
	}
	closed := make(chan struct{})
	err := wails.Run(&options.App{
		Title: "Recollect", Width: troubleWidth, Height: troubleHeight, MinWidth: minWidth, MinHeight: minHeight,
		AssetServer: &assetserver.Options{Handler: api.Recover(smokeRoutes(page))},
		Linux:       &linux.Options{ProgramName: "recollect", WebviewGpuPolicy: gpuPolicy(), Icon: icon},
		OnStartup: func(view context.Context) {
			smokeListen(view, closed)
			go func() {
				select {
				case <-done:
				case <-ctx.Done():
				case <-closed:
					return
				}
				wails_runtime.Quit(view)
			}()
		},
		OnDomReady: func(context.Context) { guardView() },
		OnShutdown: func(context.Context) { close(closed) },
	})
	if err != nil {
		return fmt.Errorf("open the window: %w", err)
	}
	return nil
}

// background is the page's own ground in a theme, so that the window does not flash while the page loads.
func background(theme string) *options.RGBA {
	if theme == "dark" {
		return options.NewRGB(20, 24, 26)
	}
	return options.NewRGB(251, 253, 254)
}

func startState(b app.Bounds, minimised bool) options.WindowStartState {
	switch {
	case minimised:
		return options.Minimised
	case b.Maximised:
		return options.Maximised
	default:
		return options.Normal
	}
}

// gpuPolicy is Never unless the user asks for more: hardware acceleration is the most frequent cause of blank windows.
func gpuPolicy() linux.WebviewGpuPolicy {
	switch os.Getenv("RECOLLECT_GPU") {
	case "always":
		return linux.WebviewGpuPolicyAlways
	case "ondemand":
		return linux.WebviewGpuPolicyOnDemand
	default:
		return linux.WebviewGpuPolicyNever
	}
}

func (s *shell) onStartup(ctx context.Context) {
	s.mu.Lock()
	s.ctx = ctx
	s.mu.Unlock()
	if b := s.app.Bounds().On(screens(ctx)); b.Placed {
		moveWindow(ctx, b.X, b.Y)
	}
	zoomView(s.app.TextSize())
	go s.watch(ctx)
	smokeListen(ctx, s.done)
}

// onDomReady runs inside the message loop of the view: nothing here may block.
func (s *shell) onDomReady(ctx context.Context) {
	guardView()
	go keepSignalsOnStack(ctx)
	s.lastBeat.Store(time.Now().UnixMilli())
	s.mu.Lock()
	first := !s.running
	s.running = true
	s.mu.Unlock()
	if first {
		go s.push(ctx)
	}
}

// onBeforeClose keeps the window open (true) where work still runs and the user wants to wait for it.
func (s *shell) onBeforeClose(ctx context.Context) bool {
	if !s.ending.Load() && !s.mayClose(ctx) {
		return true
	}
	s.app.SaveBounds(s.bounds(ctx))
	return false
}

// bounds returns where the window is. Those of a maximised one stay as they were before it was.
func (s *shell) bounds(ctx context.Context) app.Bounds {
	b := s.app.Bounds()
	b.Maximised = wails_runtime.WindowIsMaximised(ctx)
	if wails_runtime.WindowIsNormal(ctx) {
		b.Width, b.Height = wails_runtime.WindowGetSize(ctx)
		b.X, b.Y = wails_runtime.WindowGetPosition(ctx)
		b.Placed = true
	}
	return b
}

// keepBounds stores where the window is when it rests there, so that a crash does not forget it.
func (s *shell) keepBounds(ctx context.Context) {
	now := s.bounds(ctx)
	s.mu.Lock()
	rests := now == s.seen && now != s.kept
	s.seen = now
	if rests {
		s.kept = now
	}
	s.mu.Unlock()
	if rests {
		s.app.SaveBounds(now)
	}
}

// mayClose asks once whether to close while work runs, and tells what becomes of it. A second wish to close while the
// question is open changes nothing.
func (s *shell) mayClose(ctx context.Context) bool {
	if !s.asking.TryLock() {
		return false
	}
	defer s.asking.Unlock()
	text := s.words().running(s.app.Work())
	if text == "" {
		return true
	}
	answer, err := wails_runtime.MessageDialog(ctx, wails_runtime.MessageDialogOptions{
		Type: wails_runtime.QuestionDialog, Title: "Recollect", Message: text, Buttons: []string{"Yes", "No"}, DefaultButton: "Yes",
	})
	return err != nil || answer == "Yes"
}

// push sends the bus to the page until the window closes.
func (s *shell) push(ctx context.Context) {
	bus, stop := context.WithCancel(ctx)
	defer stop()
	events := s.app.Subscribe(bus)
	tick := time.NewTicker(pushEvery)
	defer tick.Stop()
	var batch []memory.Event
	for {
		select {
		case <-s.done:
			return
		case ev, ok := <-events:
			if !ok {
				return
			}
			if ev.Type == "settings.changed" && ev.Data["key"] == app.SettingTextSize {
				zoomView(s.app.TextSize())
			}
			batch = append(batch, ev)
		case <-tick.C:
			for _, part := range app.Batches(batch, batchBytes) {
				wails_runtime.EventsEmit(ctx, "bus", part)
			}
			batch = nil
		}
	}
}

// watch rescues a window that stays blank and a view whose process has died, and ends the window for a restart.
func (s *shell) watch(ctx context.Context) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-s.done:
			return
		case <-s.app.Restart():
			s.endFor(ctx, app.ErrRestart)
			return
		case now := <-tick.C:
			switch {
			case !s.ready.Load() && now.Sub(s.started) > readyWithin:
				s.rescueBlank(ctx)
				return
			case s.ready.Load() && now.UnixMilli()-s.lastBeat.Load() > beatWithin.Milliseconds():
				s.lastBeat.Store(now.UnixMilli())
				if wails_runtime.WindowIsMinimised(ctx) {
					continue // the timers of a page that nobody sees are slowed down
				}
				s.app.Log().Warn("The page went silent; loading it again.")
				reloadView(ctx)
			}
		}
	}
}

func (s *shell) rescueBlank(ctx context.Context) {
	if os.Getenv(rescueEnv) == "" {
		s.app.Log().Warn("The window stayed blank; starting once more without compositing.")
		s.endFor(ctx, app.ErrBlank)
		return
	}
	answer, err := wails_runtime.MessageDialog(ctx, wails_runtime.MessageDialogOptions{
		Type: wails_runtime.QuestionDialog, Title: "Recollect",
		Message: s.words().blank, Buttons: []string{"Yes", "No"}, DefaultButton: "Yes",
	})
	if err == nil && answer == "Yes" {
		wails_runtime.BrowserOpenURL(ctx, s.app.Info().URL)
	}
}

// endFor ends the window, without asking, for the reason that openWindow returns.
func (s *shell) endFor(ctx context.Context, reason error) {
	s.mu.Lock()
	s.ended = reason
	s.mu.Unlock()
	s.ending.Store(true)
	wails_runtime.Quit(ctx)
}

// end closes the window when the process is asked to end. An open dialog holds the message loop for as long as nobody
// answers it; then the app is closed in order and the process ends without the loop.
func (s *shell) end() {
	s.ending.Store(true)
	if ctx := s.context(); ctx != nil {
		wails_runtime.Quit(ctx)
	}
	select {
	case <-s.done:
	case <-time.After(quitWithin):
		ctx, cancel := context.WithTimeout(context.Background(), quitWithin)
		err := s.app.Close(ctx)
		cancel()
		if err != nil {
			s.app.Log().Error("The app did not end in order.", "error", err)
		}
		os.Exit(0)
	}
}

func (s *shell) context() context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx
}

// Ready notes that the page is interactive.
func (s *shell) Ready() {
	s.lastBeat.Store(time.Now().UnixMilli())
	if !s.ready.Swap(true) {
		s.app.Log().Info("The window is interactive.", "ms", time.Since(s.started).Milliseconds())
	}
}

// Heartbeat notes that the page is alive, which is also the time to look where the window is.
func (s *shell) Heartbeat() {
	s.lastBeat.Store(time.Now().UnixMilli())
	if ctx := s.context(); ctx != nil && !s.ending.Load() {
		go s.keepBounds(ctx)
	}
}

// Focus brings the window to the front.
func (s *shell) Focus() {
	if ctx := s.context(); ctx != nil {
		wails_runtime.WindowUnminimise(ctx)
		wails_runtime.WindowShow(ctx)
	}
}

// Notify shows a notification of the system. A click brings the window to the front and the page to its route.
func (s *shell) Notify(n api.Notification) error {
	return s.notifier.Show(n.Title, n.Body, func() {
		s.Focus()
		if ctx := s.context(); ctx != nil {
			wails_runtime.EventsEmit(ctx, "go", n.Route)
		}
	})
}

// relaunch starts this program once more, with compositing off for a window that stayed blank. It returns only when that
// fails, or, where a process cannot be replaced, when the other one has ended.
func relaunch(rescue bool) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	env := os.Environ()
	if rescue {
		env = append(env, rescueEnv+"=1", "WEBKIT_DISABLE_COMPOSITING_MODE=1")
	}
	if err := replaceProcess(self, os.Args, env); err != nil {
		return fmt.Errorf("start once more: %w", err)
	}
	return nil
}
