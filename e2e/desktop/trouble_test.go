//go:build smoke

package desktop

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"recollect/backend/api"
)

// Where the database is damaged the window says so, and a backup is put back with the mouse; the app goes on with it.
func TestDamagedData(t *testing.T) {
	d := startDisplay(t)
	home := t.TempDir()
	w := openWindow(t, d, home)
	var made api.Backup
	if err := w.request(http.MethodPost, "/api/backup", strings.NewReader("{}"), &made); err != nil {
		t.Fatal(err)
	}
	if err := w.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	w.waitExit(patience)
	if err := os.WriteFile(filepath.Join(home, "recollect.db"), []byte(strings.Repeat("damaged ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(home, "instance.json")); err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}

	w = newWindow(t, d, home, nil)
	shows := func(text string) {
		t.Helper()
		w.until(startWithin, text, func() bool {
			found := false
			err := w.tryJS(`return document.body.innerText.includes(`+"`"+text+"`"+`)`, &found)
			return err == nil && found
		})
	}
	shows("Recollect cannot open its data")
	w.until(startWithin, "a window", func() bool { w.main = w.managed(); return w.main != "" })
	shows(filepath.Base(made.Path))
	d.screenshot(t, "window-damaged.png")
	put := `document.querySelector('[data-file="` + filepath.Base(made.Path) + `"]')`
	w.click(put)
	shows("Press again to put it back")
	w.click(put)
	shows("The backup is back")
	d.screenshot(t, "window-restored.png")
	w.click(`document.querySelector('[data-do=again]')`)
	w.untilInteractive()
	d.screenshot(t, "window-after-restore.png")
}
