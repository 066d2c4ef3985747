//go:build smoke

package desktop

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// shellWorld is a display with a session bus, and an engine that answers by directives.
type shellWorld struct {
	d      display
	engine *enginetest.Fake
	home   string
	env    []string
	bus    string // address of the session bus
}

func newShellWorld(t *testing.T) *shellWorld {
	t.Helper()
	w := &shellWorld{d: startDisplay(t), engine: enginetest.New(t, enginetest.Options{ChunkDelay: 20 * time.Millisecond})}
	w.engine.OnChat(enginetest.Directives)
	root := t.TempDir()
	w.home = filepath.Join(root, "home")
	w.bus = startBus(t)
	w.env = []string{
		"OLLAMA_HOST=" + w.engine.Addr(), "DBUS_SESSION_BUS_ADDRESS=" + w.bus, "HOME=" + root,
		"XDG_DATA_HOME=" + filepath.Join(root, "data"), "XDG_CONFIG_HOME=" + filepath.Join(root, "config"),
	}
	return w
}

func (s *shellWorld) open(t *testing.T, args ...string) *window {
	t.Helper()
	w := newWindow(t, s.d, s.home, s.env, args...)
	w.untilInteractive()
	return w
}

// startBus starts a session bus of our own and returns its address.
func startBus(t *testing.T) string {
	t.Helper()
	r, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("dbus-daemon", "--session", "--nofork", "--print-address=3")
	cmd.ExtraFiles = []*os.File{out}
	start(t, cmd)
	_ = out.Close()
	buf := make([]byte, 256)
	n, err := r.Read(buf)
	if err != nil {
		t.Fatalf("the session bus told no address: %v", err)
	}
	return strings.TrimSpace(string(buf[:n]))
}

// notifications is a desktop's notification service.
type notifications struct {
	bus   *dbus.Conn
	shown chan [2]string // title, body
}

// Notify is the method of org.freedesktop.Notifications.
func (n *notifications) Notify(_ string, _ uint32, _, title, body string, _ []string, _ map[string]dbus.Variant, _ int32) (uint32, *dbus.Error) {
	n.shown <- [2]string{title, body}
	return 7, nil
}

func (n *notifications) click(t *testing.T) {
	t.Helper()
	if err := n.bus.Emit("/org/freedesktop/Notifications", "org.freedesktop.Notifications.ActionInvoked", uint32(7), "default"); err != nil {
		t.Fatal(err)
	}
}

func (s *shellWorld) notifications(t *testing.T) *notifications {
	t.Helper()
	bus, err := dbus.Connect(s.bus)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = bus.Close() })
	n := &notifications{bus: bus, shown: make(chan [2]string, 4)}
	if err := bus.Export(n, "/org/freedesktop/Notifications", "org.freedesktop.Notifications"); err != nil {
		t.Fatal(err)
	}
	if _, err := bus.RequestName("org.freedesktop.Notifications", dbus.NameFlagDoNotQueue); err != nil {
		t.Fatal(err)
	}
	return n
}

// begin goes through the first page and waits for the chat. On a fast machine the starter models are there before the page asks
// for them; then it goes straight to the chat.
func (w *window) begin() {
	w.t.Helper()
	w.until(patience, "the first page or the chat", func() bool { return w.has(begin) || w.has(composer) })
	if w.has(begin) {
		w.click(begin)
	}
	w.until(patience, "the composer", func() bool { return w.has(composer) })
}

// post runs a request in the page and leaves its answer in window.answer.
func (w *window) post(path string, body map[string]any) {
	w.t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		w.t.Fatal(err)
	}
	var ok bool
	w.js(`window.answer = null; fetch("`+path+`", {method: "POST", headers: {"Content-Type": "application/json"}, body: `+
		strconv.Quote(string(raw))+`}).then(async r => window.answer = {status: r.status, body: await r.text()}); return true`, &ok)
}

func (w *window) answer() (status int, body string) {
	w.t.Helper()
	var a struct {
		Status int
		Body   string
	}
	w.until(patience, "an answer of the shell", func() bool {
		w.js(`return window.answer ?? {}`, &a)
		return a.Status != 0
	})
	return a.Status, a.Body
}

// dialogs returns the visible windows of the app beside its main one: dialogs, menus.
func (w *window) dialogs() []string {
	out, _ := w.d.command("xdotool", "search", "--onlyvisible", "--pid", strconv.Itoa(w.cmd.Process.Pid)).Output()
	return slices.DeleteFunc(strings.Fields(string(out)), func(id string) bool { return id == w.main })
}

// dialog waits for a dialog of the system that has the keyboard.
func (w *window) dialog(what string) {
	w.t.Helper()
	w.until(patience, what, func() bool { return slices.Contains(w.dialogs(), w.active()) })
}

// active is the X window that has the keyboard, "" where none has.
func (w *window) active() string {
	out, _ := w.d.command("xdotool", "getactivewindow").Output()
	return strings.TrimSpace(string(out))
}

// minimised says whether the window manager has put the window away.
func (w *window) minimised() bool {
	out, _ := w.d.command("xprop", "-id", w.main, "WM_STATE").Output()
	return strings.Contains(string(out), "Iconic")
}

// inFront says whether the window is there and has the keyboard.
func (w *window) inFront() bool { return w.active() == w.main && !w.minimised() }

// geometry is where the window's content is: x, y, width, height.
func (w *window) geometry() map[string]int {
	w.t.Helper()
	g := map[string]int{}
	for line := range strings.Lines(w.d.xdotool(w.t, "getwindowgeometry", "--shell", w.main)) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			g[key], _ = strconv.Atoi(value)
		}
	}
	return map[string]int{"x": g["X"], "y": g["Y"], "width": g["WIDTH"], "height": g["HEIGHT"]}
}

// TestShell is a day with the window itself: what belongs to the desktop rather than to the page.
func TestShell(t *testing.T) {
	s := newShellWorld(t)
	desk := s.notifications(t)
	w := s.open(t)
	w.begin()

	// Larger and smaller text by the keys; the setting is the same that the page shows.
	w.focus(composer)
	textSize := func() int {
		var settings struct {
			TextSize int `json:"text_size"`
		}
		if err := w.get("/api/settings", &settings); err != nil {
			t.Fatal(err)
		}
		return settings.TextSize
	}
	w.key("ctrl+plus")
	w.until(patience, "larger text", func() bool { return textSize() == 110 })
	w.key("ctrl+plus")
	w.until(patience, "still larger text", func() bool { return textSize() == 125 && w.zoom() == 125 })
	s.d.screenshot(t, "shell-zoomed.png")
	w.key("ctrl+minus")
	w.until(patience, "smaller text", func() bool { return textSize() == 110 })
	w.key("ctrl+0")
	w.until(patience, "text of the usual size", func() bool { return textSize() == 0 && w.zoom() == 100 })

	// The menu of a right click edits, and does not lead away from the page.
	w.write(composer, "A draft with a mistaek in it")
	var word struct{ X, Y float64 }
	w.js(`const r = `+composer+`.getBoundingClientRect(); return {x: r.x + 115, y: r.y + 12}`, &word)
	w.d.xdotool(t, "mousemove", "--window", w.main, strconv.Itoa(int(word.X)), strconv.Itoa(int(word.Y)), "click", "3")
	w.until(patience, "a menu", func() bool { return len(w.dialogs()) > 0 })
	s.d.screenshot(t, "shell-menu.png")
	w.until(patience, "no menu", func() bool {
		w.key("Escape") // a menu that has just opened may not have the keyboard yet
		return len(w.dialogs()) == 0
	})
	var at struct{ X, Y float64 }
	w.js(`const r = document.querySelector("footer").getBoundingClientRect(); return {x: r.right - 3, y: r.bottom - 3}`, &at)
	w.d.xdotool(t, "mousemove", "--window", w.main, strconv.Itoa(int(at.X)), strconv.Itoa(int(at.Y)), "click", "3")
	w.d.xdotool(t, "sleep", "0.5") // a menu would need this long to open
	if len(w.dialogs()) > 0 {
		s.d.screenshot(t, "shell-menu-background.png")
		t.Error("a right click on nothing opens a menu")
		w.key("Escape")
	}

	// A link that is followed in the page itself leads nowhere.
	var href string
	w.js(`location.href = "https://example.com/"; await new Promise(r => setTimeout(r, 300)); return location.href`, &href)
	if !strings.HasPrefix(href, "wails://") {
		t.Errorf("the page went to %s", href)
	}

	// The draft survives the death of the page's process.
	var draft string
	w.until(patience, "a kept draft", func() bool {
		var kept bool
		w.js(`return `+composer+`.value`, &draft)
		w.js(`return Object.values(localStorage).includes(`+strconv.Quote(draft)+`)`, &kept)
		return kept && draft != ""
	})
	for _, p := range webProcesses(w.cmd.Process.Pid) {
		_ = syscall.Kill(p, syscall.SIGKILL)
	}
	w.until(patience, "the draft in a new page", func() bool {
		back := false
		err := w.tryJS(`return (`+composer+`)?.value === `+strconv.Quote(draft), &back)
		return err == nil && back
	})

	// Saving: the name is proposed, the folder typed.
	saved := filepath.Join(s.home, "chat 茶.md")
	w.post("/api/save", map[string]any{"name": "chat 茶.md", "text": "# Tea 茶\n"})
	w.dialog("a dialog")
	s.d.screenshot(t, "shell-save.png")
	w.key("ctrl+a")
	w.typeText(saved)
	w.key("Return")
	if status, body := w.answer(); status != http.StatusOK || !strings.Contains(body, "chat") {
		t.Errorf("saving: %d %s", status, body)
	}
	if text, err := os.ReadFile(saved); err != nil || string(text) != "# Tea 茶\n" {
		t.Errorf("saved %q, %v", text, err)
	}
	w.post("/api/choose", map[string]any{"kind": "folder"})
	w.dialog("a dialog")
	w.key("Escape")
	if status, body := w.answer(); status != http.StatusOK || !strings.Contains(body, `"path":""`) {
		t.Errorf("nothing was chosen: %d %s", status, body)
	}

	// A notification brings the window back, at its route.
	w.d.xdotool(t, "windowminimize", w.main)
	w.until(patience, "a minimised window", w.minimised)
	var front bool
	w.js(`return document.hasFocus()`, &front)
	if front {
		t.Error("a minimised window takes itself for the one in front")
	}
	w.post("/api/notify", map[string]any{"title": "Answer complete", "body": "Tea", "route": "#/settings"})
	if got := <-desk.shown; got != [2]string{"Answer complete", "Tea"} {
		t.Errorf("notified %v", got)
	}
	desk.click(t)
	w.until(patience, "the window in front after a click", w.inFront)
	w.until(patience, "the settings", func() bool {
		w.js(`return location.hash`, &href)
		return href == "#/settings"
	})

	// So does a second start.
	w.d.xdotool(t, "windowminimize", w.main)
	w.until(patience, "a minimised window", w.minimised)
	second := s.d.command(binary(t), "--home", s.home)
	second.Env = append(second.Env, s.env...)
	if out, err := second.CombinedOutput(); err != nil {
		t.Errorf("a second start: %v\n%s", err, out)
	}
	w.until(patience, "the window in front after a second start", w.inFront)

	// Closing asks while an answer is being written.
	w.js(`location.hash = "#/new"; return true`, &front)
	w.write(composer, "[[long 3000]] please")
	w.key("Return")
	w.until(patience, "an answer under way", func() bool {
		m := w.conversation()
		return len(m) == 2 && m[1].Status == memory.StatusStreaming
	})
	w.close()
	w.dialog("a question")
	s.d.screenshot(t, "shell-close.png")
	w.key("Escape")
	w.until(patience, "no question", func() bool { return len(w.dialogs()) == 0 })
	if m := w.conversation(); len(m) != 2 || m[1].Status != memory.StatusStreaming {
		t.Errorf("the answer that was waited for: %+v", m)
	}

	// The window opens again where it was, in its size.
	w.d.xdotool(t, "windowsize", w.main, "1000", "700")
	w.d.xdotool(t, "windowmove", w.main, "180", "120")
	w.until(patience, "a smaller window", func() bool { return w.geometry()["width"] == 1000 })
	before := w.geometry()
	w.close()
	w.dialog("a question")
	w.key("alt+y")
	w.waitExit(patience)
	w = s.open(t)
	w.until(patience, "the window where it was", func() bool {
		after := w.geometry()
		return abs(after["x"]-before["x"]) <= 2 && abs(after["y"]-before["y"]) <= 2 && after["width"] == 1000 && after["height"] == 700
	})
	if m := w.conversation(); len(m) != 2 || m[1].Status != memory.StatusPartial || m[1].Content == "" {
		t.Errorf("the answer that was interrupted: %+v", m)
	}

	// A file is dragged in from another program.
	note := filepath.Join(filepath.Dir(s.home), "note 茶.txt")
	if err := os.WriteFile(note, []byte("Oolong."), 0o600); err != nil {
		t.Fatal(err)
	}
	w.js(`window.got = null; for (const kind of ["dragenter", "dragover"]) addEventListener(kind, e => e.preventDefault(), true);
		addEventListener("drop", async e => { e.preventDefault(); e.stopPropagation();
			window.got = (await (await fetch("/api/dropped", {method: "POST"})).json()).files[0] }, true); return true`, &front)
	source := s.d.command(binary(t))
	source.Env = append(source.Env, "RECOLLECT_SMOKE_DRAG="+note)
	start(t, source)
	var dropped struct{ Name, Data string }
	w.until(patience, "a dropped file", func() bool {
		if ids, err := s.d.command("xdotool", "search", "--onlyvisible", "--name", "dragsource").Output(); err != nil || len(ids) == 0 {
			return false
		}
		s.d.drag(t, [2]int{60, 70}, [2]int{700, 400})
		w.js(`return window.got ?? {}`, &dropped)
		return dropped.Name != ""
	})
	if dropped.Name != "note 茶.txt" || dropped.Data != "T29sb25nLg==" {
		t.Errorf("dropped: %+v", dropped)
	}

	// The data folder moves, and the window comes back by itself.
	moved := filepath.Join(filepath.Dir(s.home), "moved")
	if err := w.request(http.MethodPost, "/api/data/move", strings.NewReader(`{"path":"`+moved+`"}`), &struct{}{}); err != nil {
		t.Fatal(err)
	}
	w.home = moved
	w.untilInteractive()
	if m := w.conversation(); len(m) != 2 {
		t.Errorf("after the move there are %d messages", len(m))
	}
	w.until(patience, "no old files", func() bool {
		_, err := os.Stat(filepath.Join(s.home, "recollect.db"))
		return os.IsNotExist(err)
	})
	s.d.screenshot(t, "shell-moved.png")
	w.close()
	w.waitExit(patience)
}

// TestStartAtLogin has the desktop's entry start the app, minimised, and waits longer than a page in front may be silent.
func TestStartAtLogin(t *testing.T) {
	s := newShellWorld(t)
	w := s.open(t)
	var set struct{ Enabled, Possible bool }
	if err := w.get("/api/login-start", &set); err != nil || set.Enabled || !set.Possible {
		t.Errorf("at first: %+v, %v", set, err)
	}
	if err := w.request(http.MethodPut, "/api/login-start", strings.NewReader(`{"enabled":true}`), &set); err != nil || !set.Enabled {
		t.Errorf("switched on: %+v, %v", set, err)
	}
	w.close()
	w.waitExit(patience)
	entry, err := os.ReadFile(filepath.Join(filepath.Dir(s.home), "config", "autostart", "recollect.desktop"))
	if err != nil || !strings.Contains(string(entry), `"--minimised" "--home" "`+s.home+`"`) {
		t.Fatalf("the entry: %v\n%s", err, entry)
	}
	w = s.open(t, "--minimised")
	if !w.minimised() {
		t.Error("the window is not minimised")
	}
	second := s.d.command(binary(t), "--home", s.home, "--minimised")
	second.Env = append(second.Env, s.env...)
	if out, err := second.CombinedOutput(); err != nil {
		t.Errorf("another start at login: %v\n%s", err, out)
	}
	if !w.minimised() {
		t.Error("another start at login brought the window to the front")
	}
	_ = w.cmd.Process.Signal(syscall.SIGTERM)
	w.waitExit(patience)
}

// drag drags with the mouse from one point of the screen to another, as slowly as a hand.
func (d display) drag(t *testing.T, from, to [2]int) {
	t.Helper()
	args := []string{"mousemove", strconv.Itoa(from[0]), strconv.Itoa(from[1]), "mousedown", "1"}
	const steps = 12
	for i := 1; i <= steps; i++ {
		args = append(args, "sleep", "0.08", "mousemove",
			strconv.Itoa(from[0]+(to[0]-from[0])*i/steps), strconv.Itoa(from[1]+(to[1]-from[1])*i/steps))
	}
	d.xdotool(t, append(args, "sleep", "0.2", "mouseup", "1", "sleep", "0.5")...)
}

func abs(n int) int { return max(n, -n) }

// zoom is how large the page is, in percent: so much smaller is the window in pixels of the page.
func (w *window) zoom() int {
	w.t.Helper()
	var width float64
	w.js(`return innerWidth`, &width)
	return int(float64(w.geometry()["width"])/width*100 + 0.5)
}
