package app_test

import (
	"context"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/backend/api"
	"recollect/backend/app"
	"recollect/backend/datafolder"
	"recollect/backend/instance"
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// move asks the running app to move its data folder.
func move(t *testing.T, a *app.App, to string) error {
	t.Helper()
	var started api.JobResult
	return instance.NewClient(a.Info()).Do(t.Context(), http.MethodPost, "/api/data/move", api.DataMove{Path: to}, &started)
}

func dataFolder(t *testing.T, a *app.App) api.DataFolder {
	t.Helper()
	var d api.DataFolder
	must(t, instance.NewClient(a.Info()).Do(t.Context(), http.MethodGet, "/api/data", nil, &d))
	return d
}

func TestTheDataFolderMoves(t *testing.T) {
	w := newWorld(t)
	w.options.CanRestart = true
	base, to := w.options.Home, filepath.Join(t.TempDir(), "new")
	a := w.start()
	_, before := w.ask(a, "", "My bicycle is called Comet.")
	conversation := before[0].ConversationID
	model := filepath.Join(base, "models", "blobs", "sha256-1")
	must(t, os.MkdirAll(filepath.Dir(model), 0o755))
	must(t, os.WriteFile(model, []byte("weights"), 0o600))
	if d := dataFolder(t, a); d.Path != base || d.Bytes < 1000 || !d.Movable || d.Problem != nil {
		t.Errorf("before: %+v", d)
	}

	must(t, move(t, a, to))
	<-a.Restart()
	must(t, a.Close(t.Context()))
	a = w.start()

	if d := dataFolder(t, a); d.Path != to {
		t.Errorf("after: %+v", d)
	}
	if after, err := a.Store.Path(t.Context(), before[len(before)-1].ID, 0, ""); err != nil || len(after) != len(before) {
		t.Errorf("after the move there are %d messages of %d, %v", len(after), len(before), err)
	}
	if text, err := os.ReadFile(filepath.Join(to, "models", "blobs", "sha256-1")); err != nil || string(text) != "weights" {
		t.Errorf("the model: %q, %v", text, err)
	}
	w.ask(a, conversation, "And my cat is called Miso.")
	must(t, a.Close(t.Context())) // which waits until the old files are removed
	if _, err := os.Stat(app.DatabasePath(base)); !os.IsNotExist(err) {
		t.Errorf("the old database is still there: %v", err)
	}
	if home, err := datafolder.Locate(base); err != nil || home != to {
		t.Errorf("located %s, %v", home, err)
	}
}

func TestEverythingIsErasedButTheModels(t *testing.T) {
	w := newWorld(t)
	home := w.options.Home
	a := w.start()
	erase := func(name string) error {
		return instance.NewClient(a.Info()).Do(t.Context(), http.MethodPost, "/api/data/erase", api.DataErase{Name: name}, nil)
	}
	if err := erase("Recollect"); memory.CodeOf(err) != memory.EUNSUPPORTED {
		t.Errorf("where nothing can start the app anew: %v", err)
	}
	must(t, a.Close(t.Context()))
	w.options.CanRestart = true
	a = w.start()
	w.ask(a, "", "My bicycle is called Comet.")
	model := filepath.Join(home, "models", "blobs", "sha256-1")
	must(t, os.MkdirAll(filepath.Dir(model), 0o755))
	must(t, os.WriteFile(model, []byte("weights"), 0o600))
	must(t, instance.NewClient(a.Info()).Do(t.Context(), http.MethodPost, "/api/backup", api.BackupCreate{}, nil))
	if err := erase("recollect"); memory.CodeOf(err) != memory.EINVALID {
		t.Errorf("without its name: %v", err)
	}
	must(t, erase("Recollect"))
	<-a.Restart()
	must(t, a.Close(t.Context()))
	a = w.start()
	conversations, _, err := a.Store.Conversations(t.Context(), store.ConversationFilter{})
	if err != nil || len(conversations) > 0 {
		t.Errorf("there still are %v, %v", conversations, err)
	}
	left := []string{}
	must(t, filepath.WalkDir(home, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			text, _ := os.ReadFile(path)
			if strings.Contains(string(text), "Comet") {
				left = append(left, path)
			}
		}
		return err
	}))
	if _, err := os.Stat(model); err != nil || len(left) > 0 {
		t.Errorf("the model: %v; its words are still in %v", err, left)
	}
}

func TestTheDataFolderStaysWhereItIs(t *testing.T) {
	w := newWorld(t)
	a := w.start()
	if err := move(t, a, filepath.Join(t.TempDir(), "new")); memory.CodeOf(err) != memory.EUNSUPPORTED {
		t.Errorf("where nothing starts the app anew: %v", err)
	}
	must(t, a.Close(t.Context()))

	w.options.CanRestart = true
	a = w.start()
	release := make(chan struct{})
	_, err := a.Jobs.Start(jobs.KindPull, "qwen3:4b", func(ctx context.Context, _ func(jobs.Progress)) error {
		select {
		case <-release:
		case <-ctx.Done():
		}
		return nil
	})
	must(t, err)
	if w := a.Work(); w.Models != 1 {
		t.Errorf("work: %+v", w)
	}
	to := filepath.Join(t.TempDir(), "new")
	if err := move(t, a, to); memory.CodeOf(err) != memory.EBUSY {
		t.Errorf("while a model is fetched: %v", err)
	}
	close(release)
	if err := move(t, a, filepath.Join(w.options.Home, "inside")); memory.CodeOf(err) == "" {
		t.Error("moved into itself")
	}
	must(t, a.Close(t.Context()))
}

// TestAMovedFolderThatCannotBeOpened damages what was moved before it is opened: the app starts where the data was.
func TestAMovedFolderThatCannotBeOpened(t *testing.T) {
	w := newWorld(t)
	w.options.CanRestart = true
	base, to := w.options.Home, filepath.Join(t.TempDir(), "new")
	a := w.start()
	_, before := w.ask(a, "", "My bicycle is called Comet.")
	must(t, a.Close(t.Context()))

	m := datafolder.Mover{Base: base, From: base, Free: func(string) (int64, error) { return 1 << 40, nil }}
	must(t, m.Stage(t.Context(), to, func(int64, int64) {}))
	home, err := m.Finish(t.Context())
	if err != nil || home != to {
		t.Fatalf("%s, %v", home, err)
	}
	must(t, os.WriteFile(app.DatabasePath(to), []byte("no database at all, but long enough to be read as one"), 0o600))
	a = w.start()
	d := dataFolder(t, a)
	if d.Path != base || d.Problem == nil {
		t.Errorf("%+v", d)
	}
	if after, err := a.Store.Path(t.Context(), before[len(before)-1].ID, 0, ""); err != nil || len(after) != len(before) {
		t.Errorf("there are %d messages of %d, %v", len(after), len(before), err)
	}
}
