package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"recollect/backend/datafolder"
	"recollect/backend/engine"
	"recollect/backend/instance"
	"recollect/backend/jobs"
	"recollect/backend/machine"
	"recollect/backend/memory"
)

// takeHome finds the data folder, takes its lock, and ends a move of it that the last run has prepared.
func (a *App) takeHome(ctx context.Context) error {
	base := a.options.Home
	for {
		home, err := datafolder.Locate(base)
		if err != nil {
			return err
		}
		if err := makeHome(home); err != nil {
			return err
		}
		own, err := instance.Acquire(home)
		if err != nil {
			return err
		}
		a.instance, a.home = own, home
		now, err := datafolder.Locate(base)
		if err != nil {
			return err
		}
		if now == home {
			break
		}
		// It was moved by another process before its lock was ours.
		a.instance = nil
		if err := own.Release(); err != nil {
			return err
		}
	}
	home, err := a.folder().Finish(ctx)
	if err != nil {
		a.moveErr = err
	}
	if home == a.home {
		return eraseAsked(a.home)
	}
	own, err := instance.Acquire(home)
	if err != nil {
		return err
	}
	old := a.instance
	a.instance, a.home = own, home
	return old.Release()
}

func (a *App) folder() datafolder.Mover {
	return datafolder.Mover{Base: a.options.Home, From: a.home, Free: machine.FreeDisk}
}

// mover moves the data folder for the API.
type mover struct{ app *App }

// Size returns the bytes of the app's own files in the data folder.
func (m mover) Size(context.Context) (int64, error) { return datafolder.Size(m.app.home) }

// Free returns the bytes that the disk of the data folder still takes, 0 where that is not known.
func (m mover) Free() int64 {
	n, err := machine.FreeDisk(m.app.home)
	if err != nil {
		return 0
	}
	return n
}

// Problem says why the last move did not happen.
func (m mover) Problem() error { return m.app.moveErr }

// Check says why the data folder cannot be moved to a path.
func (m mover) Check(_ context.Context, path string) error {
	const op = "move the data folder"
	if !m.app.options.CanRestart {
		return memory.Errorf(memory.EUNSUPPORTED, op, "the app would have to start anew, which it cannot do here; open its window, or use `recollect serve`")
	}
	if w := m.app.Work(); w.Answers > 0 || w.Models > 0 || w.Moving {
		return memory.Errorf(memory.EBUSY, op, "an answer is being written, or a model is being fetched or imported; wait until that is done, or stop it").With(memory.RemedyStop, nil)
	}
	return m.app.folder().Check(path)
}

// Move copies what is large, waits until no answer is being written, and has the app start anew, which does the rest.
func (m mover) Move(ctx context.Context, path string, progress func(engine.PullProgress)) error {
	a, began := m.app, time.Now()
	folder := a.folder()
	err := folder.Stage(ctx, path, func(done, total int64) {
		p := engine.PullProgress{Status: "copying", Completed: done, Total: total}
		if spent := time.Since(began).Seconds(); spent > 1 && done > 0 {
			p.BytesPerSecond = float64(done) / spent
			p.ETA = time.Duration(float64(total-done) / p.BytesPerSecond * float64(time.Second))
		}
		progress(p)
	})
	if err != nil {
		return err
	}
	for running := a.Agent.RunningAll(); len(running) > 0; running = a.Agent.RunningAll() { // asked for while files were copied
		if err := a.Agent.Wait(ctx, running[0].ConversationID); err != nil {
			return errors.Join(err, folder.Cancel())
		}
	}
	a.restarted.Do(func() { close(a.restart) })
	return nil
}

// Erase deletes everything but the models: it notes the wish in the data folder and has the app start anew, which does it
// before anything is opened. So it is done also where the app is killed on the way.
func (m mover) Erase() error {
	const op = "erase everything"
	if !m.app.options.CanRestart {
		return memory.Errorf(memory.EUNSUPPORTED, op, "the app would have to start anew, which it cannot do here; quit it and delete the folder %s", m.app.home)
	}
	if err := os.WriteFile(filepath.Join(m.app.home, eraseMark), nil, 0o600); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	m.app.restarted.Do(func() { close(m.app.restart) })
	return nil
}

// eraseMark is the file in the data folder by which the last run asked for its erasure.
const eraseMark = ".erase"

// eraseAsked empties a data folder whose erasure was asked for. The models stay, and the lock, which is held; the mark
// goes last.
func eraseAsked(home string) error {
	const op = "erase everything"
	if _, err := os.Stat(filepath.Join(home, eraseMark)); err != nil {
		return nil //nolint:nilerr // there is none
	}
	entries, err := os.ReadDir(home)
	if err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	for _, e := range entries {
		if slices.Contains([]string{"models", instance.LockName, eraseMark}, e.Name()) {
			continue
		}
		if err := os.RemoveAll(filepath.Join(home, e.Name())); err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
	}
	if err := os.Remove(filepath.Join(home, eraseMark)); err != nil {
		return fmt.Errorf("%s: %w", op, err)
	}
	return nil
}

// Work is what still runs: closing the app would interrupt it.
type Work struct {
	Answers   int  // that are being written
	Models    int  // that are being fetched or imported
	Moving    bool // the data folder is
	Embedding int  // texts that wait to be indexed for search by meaning, where they are many
}

// manyTexts are more than come in while one talks: another embedder takes over, or an archive was taken in.
const manyTexts = 500

// Work tells what still runs.
func (a *App) Work() Work {
	w := Work{Answers: len(a.Agent.RunningAll())}
	for _, job := range a.Jobs.List() {
		switch {
		case job.State != jobs.StateRunning:
		case job.Kind == jobs.KindMove:
			w.Moving = true
		default:
			w.Models++
		}
	}
	ctx, cancel := context.WithTimeout(a.ctx, time.Second)
	defer cancel()
	models, err := a.Recall.Models(ctx)
	if err != nil {
		return w
	}
	pending := 0
	for _, model := range models {
		if _, n, err := a.Store.EmbeddingCounts(ctx, model); err == nil {
			pending += n
		}
	}
	if pending > manyTexts {
		w.Embedding = pending
	}
	return w
}
