package api

import (
	"context"
	"net/http"
	"path/filepath"
	"strings"

	"recollect/backend/engine"
	"recollect/backend/jobs"
	"recollect/backend/memory"
)

// DataMover moves the data folder.
type DataMover interface {
	// Size returns the bytes of the app's own files in the data folder.
	Size(ctx context.Context) (int64, error)
	// Free returns the bytes that the disk of the data folder still takes, 0 where that is not known.
	Free() int64
	// Problem says why the last move did not happen, nil where there is nothing to say.
	Problem() error
	// Check says why the data folder cannot be moved to a path: EBUSY while answers or jobs run, EINVALID, EREADONLY,
	// EDISKFULL about the path, EUNSUPPORTED where nothing can start the app anew.
	Check(ctx context.Context, path string) error
	// Move copies what is large while the app goes on, then has the app start anew, which does the rest.
	Move(ctx context.Context, path string, progress func(engine.PullProgress)) error
	// Erase deletes everything but the models; the app starts anew for it. EUNSUPPORTED where nothing can start it.
	Erase() error
}

// eraseName is what the user types to erase everything.
const eraseName = "Recollect"

func (a *API) eraseData(r *http.Request) (result, error) {
	var in DataErase
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if in.Name != eraseName {
		return result{}, invalid("name must be %q: nothing brings the data back", eraseName)
	}
	if a.Data == nil {
		return result{}, memory.Errorf(memory.EUNSUPPORTED, "erase everything", "quit the app and delete the folder %s", a.Home)
	}
	return nothing(), a.Data.Erase()
}

func (a *API) data(r *http.Request) (result, error) {
	d := DataFolder{Path: a.Home}
	if a.Data == nil {
		return ok(d), nil
	}
	var err error
	d.Bytes, err = a.Data.Size(r.Context())
	d.Free, d.Movable, d.Problem = a.Data.Free(), true, memory.ProblemOf(a.Data.Problem())
	return ok(d), err
}

func (a *API) moveData(r *http.Request) (result, error) {
	var in DataMove
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if a.Data == nil {
		return result{}, memory.Errorf(memory.EUNSUPPORTED, "move the data folder", "the data folder cannot be moved here")
	}
	path := strings.TrimSpace(in.Path)
	if !filepath.IsAbs(path) {
		return result{}, invalid("path must be the whole path of a folder on this machine")
	}
	path = filepath.Clean(path)
	if err := a.Data.Check(r.Context(), path); err != nil {
		return result{}, err
	}
	return a.start(jobs.KindMove, "", func(ctx context.Context, progress func(engine.PullProgress)) error {
		return a.Data.Move(ctx, path, progress)
	})
}

// openData shows the data folder in the system's file manager.
func (a *API) openData(r *http.Request) (result, error) {
	d, err := a.window(r, "open the data folder")
	if err != nil {
		return result{}, err
	}
	return nothing(), d.OpenFolder(a.Home)
}
