package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/backend/api"
	"recollect/backend/engine/enginetest"
)

// TestMoveWhileServed moves the data folder while a browser has the page open: the address and the token stay, and every
// later command finds the data where it is now.
func TestMoveWhileServed(t *testing.T) {
	_, env := fake(t, enginetest.Options{})
	home, to := filepath.Join(t.TempDir(), "home"), filepath.Join(t.TempDir(), "new")
	p := serve(t, home, env)
	p.ask(p.conversation(), "My bicycle is called Comet.")

	if status, body := p.raw("POST", "/api/data/move", `{"path":"`+home+`/inside"}`); status != 400 {
		t.Errorf("into itself: %d %s", status, body)
	}
	p.post("/api/data/move", api.DataMove{Path: to}, &api.JobResult{})
	var d api.DataFolder
	eventually(t, "the data in its new place", func() bool { // the address is not served for a moment
		return p.call("GET", "/api/data", nil, &d) == nil && d.Path == to
	})
	eventually(t, "no old database", func() bool {
		_, err := os.Stat(filepath.Join(home, "recollect.db"))
		return os.IsNotExist(err)
	})
	p.stop()

	out, stderr, exit := run(t, home, []string{env}, "backup", "--json")
	if exit != 0 || !strings.Contains(out, to) {
		t.Errorf("a backup after it: %d %s %s", exit, out, stderr)
	}
	if out, _, exit := run(t, home, nil, "restore"); exit != 0 || !strings.Contains(out, to) {
		t.Errorf("the backups: %d %s", exit, out)
	}
	if err := os.Rename(to, to+".away"); err != nil {
		t.Fatal(err)
	}
	if _, stderr, exit := run(t, home, []string{env}, "chat", "Hello"); exit != 1 || !strings.Contains(stderr, to) {
		t.Errorf("without the disk: %d %s", exit, stderr)
	}
}
