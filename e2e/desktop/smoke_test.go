//go:build smoke

package desktop

import (
	"database/sql"
	"errors"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite"

	"recollect/backend/memory"
)

// Where things are in the page, as expressions that yield an element: by what a person sees or a screen reader says.
const (
	begin     = `[...document.querySelectorAll("button")].find(b => b.innerText.trim() === "Begin" && !b.disabled && document.body.innerText.includes("will answer"))`
	composer  = `document.querySelector("textarea#composer")`
	humanOpen = `[...document.querySelectorAll("details:not([open]) > summary")].find(s => s.innerText.trim().startsWith("human"))`
	humanEdit = `document.querySelector("button[aria-label='Edit human']")`
	humanText = `document.querySelector("textarea[aria-label='Edit human']")`
	humanSave = `[...document.querySelectorAll("button")].find(b => b.innerText.trim() === "Save" && !b.disabled)`
)

// TestWindow walks through a day with the real window: first start with the starter models, a message typed on the
// keyboard and answered, a block edited by hand, the window closed; after a new start both are shown.
func TestWindow(t *testing.T) {
	d := startDisplay(t)
	home := t.TempDir()
	w := openWindow(t, d, home)
	w.until(answerWithin, "a chat model", func() bool {
		var models struct {
			Models []struct {
				Chat bool `json:"chat"`
			} `json:"models"`
		}
		if w.get("/api/models", &models) != nil {
			return false
		}
		for _, m := range models.Models {
			if m.Chat {
				return true
			}
		}
		return false
	})

	w.begin()
	w.write(composer, "Please remember that my bicycle is called Comet.")
	w.key("Return")
	w.until(answerWithin, "an answer", func() bool {
		m := w.conversation()
		last := len(m) - 1
		return last > 0 && m[last].Role == memory.RoleAssistant && m[last].Status == memory.StatusComplete && m[last].Content != ""
	})
	if got := w.human().Value; !strings.Contains(got, "Comet") {
		t.Errorf("the human block is %q; it should hold the bicycle's name", got)
	}
	w.until(patience, "the answer on the page", func() bool { return w.shows("Comet") })
	d.screenshot(t, "window-answer.png")

	if w.has(humanOpen) {
		w.click(humanOpen)
	}
	w.click(humanEdit)
	w.focus(humanText)
	w.key("ctrl+End")
	w.key("Return")
	w.typeText("Prefers tea.")
	w.until(patience, "the line in the block", func() bool { return w.holds(humanText + `.value.endsWith("\nPrefers tea.")`) })
	w.click(humanSave)
	w.until(patience, "the edited block", func() bool { return strings.Contains(w.human().Value, "Prefers tea.") })
	d.screenshot(t, "window-edited.png")

	block := w.human()
	w.patch("/api/blocks/"+block.ID, map[string]any{"value": block.Value + "\nPlays the cello."})
	w.until(patience, "a change made elsewhere, on the page", func() bool { return w.shows("Plays the cello.") })

	w.close()
	w.waitExit(patience)
	if left := children(home); len(left) > 0 {
		t.Errorf("processes outlive the window: %v", left)
	}

	w = openWindow(t, d, home)
	w.until(patience, "the old conversation", func() bool { return w.shows("my bicycle is called Comet") })
	if w.has(humanOpen) {
		w.click(humanOpen)
	}
	w.until(patience, "the edited block on the page", func() bool { return w.shows("Prefers tea.") })
	d.screenshot(t, "window-restarted.png")
}

// TestFaults provokes what kills a window of this kind: a nil dereference in a handler, a dead web process, a second
// start, a polite and an impolite end.
func TestFaults(t *testing.T) {
	d := startDisplay(t)
	home := t.TempDir()
	w := openWindow(t, d, home)

	var status int
	w.js(`return (await fetch("/smoke/nil")).status`, &status)
	if status != 500 {
		t.Errorf("a handler that dereferences nil answers %d, want 500", status)
	}

	second := d.command(binary(t), "--home", home)
	if out, err := second.CombinedOutput(); err != nil {
		t.Errorf("a second start ends with %v, want exit code 0\n%s", err, out)
	}

	var marked bool
	w.js(`window.beforeTheKill = true; return true`, &marked)
	web := webProcesses(w.cmd.Process.Pid)
	if len(web) == 0 {
		t.Fatal("there is no web process to kill")
	}
	for _, p := range web {
		_ = syscall.Kill(p, syscall.SIGKILL)
	}
	w.until(patience, "a reloaded page", func() bool {
		fresh := false
		err := w.tryJS(`return !window.beforeTheKill && !!document.querySelector("[data-part=composer], main")`, &fresh)
		return err == nil && fresh
	})
	d.screenshot(t, "window-reloaded.png")

	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.waitExit(patience)

	w = openWindow(t, d, home)
	w.until(patience, "an engine", func() bool { return len(children(home)) > 0 })
	d.xdotool(t, "windowsize", w.main, "1010", "690")
	w.until(patience, "a kept size", func() bool { return strings.Contains(w.keptBounds(), `"width":1010,"height":690`) })
	_ = w.cmd.Process.Kill()
	<-w.exit
	w.exit <- nil
	end := time.Now().Add(patience)
	for len(children(home)) > 0 && time.Now().Before(end) {
		time.Sleep(100 * time.Millisecond) // another process tells us nothing
	}
	if left := children(home); len(left) > 0 {
		t.Errorf("processes outlive a killed app: %v", left)
	}
	w = openWindow(t, d, home)
	w.until(patience, "the window in the size that it had when the app was killed", func() bool { return w.geometry()["width"] == 1010 })
}

// keptBounds is where the window is, as the app has stored it.
func (w *window) keptBounds() string {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.home, "recollect.db")+"?mode=ro")
	if err != nil {
		w.t.Fatal(err)
	}
	defer db.Close()
	var kept string
	if err := db.QueryRow(`SELECT value FROM setting WHERE key = 'window_bounds'`).Scan(&kept); err != nil && !errors.Is(err, sql.ErrNoRows) {
		w.t.Fatal(err)
	}
	return kept
}

// TestBlankWindow shows a view that never becomes interactive: the app starts once more without compositing, then offers
// the browser.
func TestBlankWindow(t *testing.T) {
	d := startDisplay(t)
	home := t.TempDir()
	w := newWindow(t, d, home, []string{"RECOLLECT_SMOKE_BLANK=1"})
	w.until(patience, "a second try without compositing", func() bool { return len(children("RECOLLECT_RESCUE=1")) > 0 })
	w.until(patience, "the offer to use the browser", func() bool {
		out, err := d.command("xdotool", "search", "--onlyvisible", "--class", "recollect").Output()
		return err == nil && len(strings.Fields(string(out))) >= 2 // the window and its dialog
	})
	d.screenshot(t, "window-blank.png")
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.waitExit(30 * time.Second)
}

// TestNoDisplay starts the desktop binary where there is none.
func TestNoDisplay(t *testing.T) {
	cmd := exec.Command(binary(t), "--home", t.TempDir())
	cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=/usr/bin:/bin"}
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "recollect serve") {
		t.Errorf("without a display: %v, %q; it should fail and name `recollect serve`", err, out)
	}
	if strings.Contains(string(out), "panic") {
		t.Errorf("without a display it panics:\n%s", out)
	}
}

// shows says whether the page's visible text contains text.
func (w *window) shows(text string) bool {
	var yes bool
	w.js(`return document.body.innerText.includes(`+strconv.Quote(text)+`) ||
		[...document.querySelectorAll("textarea")].some(e => e.value.includes(`+strconv.Quote(text)+`))`, &yes)
	return yes
}

// has says whether the page has the element.
func (w *window) has(element string) bool {
	w.t.Helper()
	return w.holds(element)
}

// webProcesses returns the web processes that descend from pid.
func webProcesses(pid int) []int {
	out, _ := exec.Command("pgrep", "-P", strconv.Itoa(pid), "-f", "WebKitWebProcess").Output()
	var pids []int
	for _, f := range strings.Fields(string(out)) {
		if n, err := strconv.Atoi(f); err == nil {
			pids = append(pids, n)
		}
	}
	return pids
}
