//go:build smoke

package desktop

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image/png"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/backend/memory"
)

const (
	startWithin  = 60 * time.Second // start to interactive, on a busy machine
	patience     = 60 * time.Second // whatever the page or another program does then
	answerWithin = 10 * time.Minute // the starter model, which can ramble to its limit, on a busy machine
)

// display is an X server of our own with a window manager, so that keys and focus behave as on a desktop.
type display struct{ name string }

func startDisplay(t *testing.T) display {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// -r: a key is not repeated, however late a busy machine lets it go.
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1440x900x24", "-nolisten", "tcp", "-r")
	x.ExtraFiles = []*os.File{w}
	start(t, x)
	_ = w.Close()
	buf := make([]byte, 16)
	n, err := r.Read(buf)
	if err != nil {
		t.Fatalf("Xvfb told no display: %v", err)
	}
	d := display{":" + strings.TrimSpace(string(buf[:n]))}
	start(t, d.command("openbox"))
	return d
}

func (d display) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(name, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+d.name)
	return cmd
}

// xdotool runs xdotool and returns what it prints.
func (d display) xdotool(t *testing.T, args ...string) string {
	t.Helper()
	out, err := d.command("xdotool", args...).CombinedOutput()
	if err != nil {
		t.Fatalf("xdotool %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// screenshot writes the whole screen to e2e/out and fails where it is one flat colour.
func (d display) screenshot(t *testing.T, name string) {
	t.Helper()
	dir := filepath.Join("..", "out")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if out, err := d.command("import", "-window", "root", path).CombinedOutput(); err != nil {
		t.Fatalf("screenshot: %v\n%s", err, out)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	colours := map[[3]uint32]bool{}
	b := img.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y += 3 {
		for x := b.Min.X; x < b.Max.X; x += 3 {
			r, g, bl, _ := img.At(x, y).RGBA()
			colours[[3]uint32{r, g, bl}] = true
		}
	}
	if len(colours) < 8 {
		t.Fatalf("the window is blank: %d colours in %s", len(colours), path)
	}
}

func start(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatalf("start %s: %v", cmd.Path, err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
}

// window is the running desktop app.
type window struct {
	t       *testing.T
	d       display
	cmd     *exec.Cmd
	home    string
	eval    string // address of the smoke listener
	printed *lockedBuffer
	main    string // the X window
	url     string
	tok     string
	exit    chan error
}

func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("RECOLLECT_BINARY")
	if path == "" {
		t.Fatal("RECOLLECT_BINARY names no binary; run `make test-desktop`")
	}
	return path
}

// openWindow starts the app and returns when its page is interactive.
func openWindow(t *testing.T, d display, home string) *window {
	t.Helper()
	w := newWindow(t, d, home, nil)
	w.untilInteractive()
	return w
}

// untilInteractive waits until the page of an app that was just started is interactive.
func (w *window) untilInteractive() {
	w.t.Helper()
	w.until(startWithin, "instance.json", func() bool {
		raw, err := os.ReadFile(filepath.Join(w.home, "instance.json"))
		var inst struct{ Addr, Token, URL string }
		if err != nil || json.Unmarshal(raw, &inst) != nil || inst.Addr == "" {
			return false
		}
		w.url, w.tok = "http://"+inst.Addr, inst.Token
		return true
	})
	w.until(startWithin, "an interactive page", func() bool { return strings.Contains(w.logText(), "interactive") })
	w.until(startWithin, "a window", func() bool {
		w.main = w.managed()
		return w.main != ""
	})
}

// managed returns the window of the app that the window manager knows, minimised or not; "" where there is none yet.
func (w *window) managed() string {
	out, _ := w.d.command("xdotool", "search", "--pid", strconv.Itoa(w.cmd.Process.Pid), "--name", "Recollect").Output()
	for _, id := range strings.Fields(string(out)) {
		if state, _ := w.d.command("xprop", "-id", id, "WM_STATE").Output(); strings.Contains(string(state), "window state") {
			return id
		}
	}
	return ""
}

// newWindow starts the app with additions to its environment and arguments.
func newWindow(t *testing.T, d display, home string, env []string, args ...string) *window {
	t.Helper()
	w := &window{t: t, d: d, home: home, eval: freeAddress(t), printed: &lockedBuffer{}, exit: make(chan error, 1)}
	w.cmd = d.command(binary(t), append([]string{"--home", home}, args...)...)
	w.cmd.Env = append(w.cmd.Env, "RECOLLECT_SMOKE="+w.eval, "LANG=en_US.UTF-8")
	w.cmd.Env = append(w.cmd.Env, env...)
	w.cmd.Stdout, w.cmd.Stderr = w.printed, w.printed
	if err := w.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { w.exit <- w.cmd.Wait() }()
	t.Cleanup(func() {
		_ = w.cmd.Process.Kill()
		if t.Failed() {
			t.Logf("log of the app:\n%s", w.logText())
		}
	})
	return w
}

// until polls a condition of another process, which sends us no event.
func (w *window) until(limit time.Duration, what string, ok func() bool) {
	w.t.Helper()
	end := time.Now().Add(limit)
	for !ok() {
		if time.Now().After(end) {
			w.d.screenshot(w.t, "failed.png")
			w.t.Fatalf("no %s within %v; %s", what, limit, w.state())
		}
		select {
		case err := <-w.exit:
			w.exit <- err
			w.t.Fatalf("the app ended (%v) while waiting for %s", err, what)
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// state describes the page and its newest conversation, for whoever reads why a test failed.
func (w *window) state() string {
	var page map[string]any
	err := w.tryJS(`const cut = (text) => text.slice(0, 200), at = document.activeElement, field = `+composer+`;
		return {address: location.href, focus: document.hasFocus(), visible: document.visibilityState,
			active: at && cut(at.outerHTML), composer: field && field.value, text: document.body.innerText.slice(0, 2000)}`, &page)
	said, _ := json.Marshal(w.conversation())
	active, _ := w.d.command("xdotool", "getactivewindow", "getwindowname").CombinedOutput()
	return fmt.Sprintf("the page is %q (%v), the window in front %q, the newest conversation %.2000s", page, err, active, said)
}

// js runs the body of an async function in the page and decodes what it returns.
func (w *window) js(body string, out any) {
	w.t.Helper()
	if err := w.evaluate(patience, body, out); err != nil {
		w.t.Fatal(err)
	}
}

// tryJS is js for a page that may not be there, and then does not answer.
func (w *window) tryJS(body string, out any) error { return w.evaluate(5*time.Second, body, out) }

func (w *window) evaluate(limit time.Duration, body string, out any) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+w.eval+"/eval", strings.NewReader(body))
	if err != nil {
		return err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return fmt.Errorf("evaluate in the page: %w", err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return fmt.Errorf("evaluate in the page: %w", err)
	}
	if err := json.Unmarshal(raw, out); err != nil {
		return fmt.Errorf("evaluate in the page: %w in %q", err, raw)
	}
	return nil
}

// click clicks with the real mouse on an element, given as an expression of the page.
func (w *window) click(element string) {
	w.t.Helper()
	var at struct{ X, Y, Width float64 }
	w.until(patience, element+" at rest", func() bool {
		before := at
		w.js(`const e = `+element+`; if (!e) return {width: 0};
			e.scrollIntoView({block: "nearest"}); const r = e.getBoundingClientRect();
			return {x: r.x + r.width / 2, y: r.y + r.height / 2, width: r.width}`, &at)
		return at.Width > 0 && at == before // what is still being fetched moves what stands below it
	})
	w.d.xdotool(w.t, "mousemove", "--window", w.main, strconv.Itoa(int(at.X)), strconv.Itoa(int(at.Y)), "click", "1")
}

// focus clicks on a field until it has the keyboard. Once may not be enough: the window manager takes the keyboard away
// from a window that is clicked on in the very moment in which it comes to the front.
func (w *window) focus(field string) {
	w.t.Helper()
	w.until(patience, "keyboard in "+field, func() bool {
		w.click(field)
		for range 10 {
			if w.holds(`document.hasFocus() && document.activeElement === ` + field) {
				return true
			}
			time.Sleep(100 * time.Millisecond) // the page tells us nothing by itself
		}
		return false
	})
}

// close closes the window as people do.
func (w *window) close() {
	w.t.Helper()
	w.until(patience, "the window in front", w.inFront)
	w.key("alt+F4")
}

// write types a text into a field, in the place of what is in it, and returns when the field has it.
func (w *window) write(field, text string) {
	w.t.Helper()
	w.focus(field)
	w.key("ctrl+a")
	w.typeText(text)
	w.until(patience, "text in "+field, func() bool { return w.holds(`(` + field + `)?.value === ` + strconv.Quote(text)) })
}

// holds says whether a condition of the page is true.
func (w *window) holds(condition string) bool {
	w.t.Helper()
	var yes bool
	w.js(`return !!(`+condition+`)`, &yes)
	return yes
}

func (w *window) typeText(text string) {
	w.t.Helper()
	w.d.xdotool(w.t, "type", "--delay", "40", text)
}

func (w *window) key(keys ...string) {
	w.t.Helper()
	w.d.xdotool(w.t, append([]string{"key"}, keys...)...)
}

// patch changes something from outside, as a subcommand would.
func (w *window) patch(path string, change map[string]any) {
	w.t.Helper()
	body, err := json.Marshal(change)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.request(http.MethodPatch, path, bytes.NewReader(body), &struct{}{}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *window) get(path string, out any) error { return w.request(http.MethodGet, path, nil, out) }

func (w *window) request(method, path string, body io.Reader, out any) error {
	req, err := http.NewRequest(method, w.url+path, body)
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "Bearer "+w.tok)
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return fmt.Errorf("%s: %s", path, res.Status)
	}
	return json.NewDecoder(res.Body).Decode(out)
}

// conversation returns the messages of the newest conversation.
func (w *window) conversation() []memory.Message {
	var list struct {
		Conversations []memory.Conversation `json:"conversations"`
	}
	if w.get("/api/conversations", &list) != nil || len(list.Conversations) == 0 {
		return nil
	}
	var page struct {
		Messages []memory.Message `json:"messages"`
	}
	if w.get("/api/conversations/"+list.Conversations[0].ID+"/messages", &page) != nil {
		return nil
	}
	return page.Messages
}

func (w *window) human() memory.Block {
	w.t.Helper()
	var list struct {
		Blocks []memory.Block `json:"blocks"`
	}
	if err := w.get("/api/blocks", &list); err != nil {
		w.t.Fatal(err)
	}
	for _, b := range list.Blocks {
		if b.Label == "human" {
			return b
		}
	}
	w.t.Fatal("there is no human block")
	return memory.Block{}
}

// logText is what the app logged and printed.
func (w *window) logText() string {
	logged, _ := os.ReadFile(filepath.Join(w.home, "recollect.log"))
	return string(logged) + w.printed.String()
}

func (w *window) waitExit(limit time.Duration) {
	w.t.Helper()
	select {
	case err := <-w.exit:
		if err != nil {
			w.t.Fatalf("the app ended with %v", err)
		}
	case <-time.After(limit):
		w.t.Fatal("the app did not end")
	}
}

// lockedBuffer collects the output of a process.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// children returns the processes whose environment contains text (the data folder, say), "pid command".
func children(text string) []string {
	var found []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		env, err := os.ReadFile(filepath.Join(d, "environ"))
		if err != nil || !bytes.Contains(env, []byte(text)) {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(d, "cmdline"))
		found = append(found, filepath.Base(d)+" "+string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	}
	return found
}

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
