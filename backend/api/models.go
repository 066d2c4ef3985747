package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"recollect/backend/engine"
	"recollect/backend/ingest/library"
	"recollect/backend/jobs"
	"recollect/backend/memory"
)

func (a *API) engineStatus(*http.Request) (result, error) {
	return ok(a.Engine.Status()), nil
}

func (a *API) restartEngine(*http.Request) (result, error) {
	a.Engine.Restart()
	return accepted(a.Engine.Status()), nil
}

func (a *API) listModels(r *http.Request) (result, error) {
	models, err := a.Engine.Models(r.Context())
	if err != nil {
		return result{}, err
	}
	var bytes int64
	if a.MemoryBytes != nil {
		bytes = a.MemoryBytes()
	}
	return ok(Models{Models: models, MemoryBytes: bytes, Cores: engine.Cores(), Suggestions: suggestions(models, bytes), Embedders: offeredEmbedders(models)}), nil
}

// windowCost says what a window costs in memory with a model, and what would fit.
func (a *API) windowCost(r *http.Request) (result, error) {
	q := parameters(r, "model", "window")
	name := q.text("model")
	window, err := strconv.Atoi(q.text("window"))
	if err != nil || window < 1 || window > maxWindow {
		q.fail("window must be a number of tokens from 1 to %d", maxWindow)
	}
	if q.err != nil {
		return result{}, q.err
	}
	models, err := a.Engine.Models(r.Context())
	if err != nil {
		return result{}, err
	}
	i := slices.IndexFunc(models, func(m engine.Model) bool { return engine.SameModel(m.Name, name) })
	if i < 0 {
		return result{}, memory.Errorf(memory.EMODEL, "window", "there is no model %q", name)
	}
	m, status := models[i], a.Engine.Status()
	var total int64
	if a.MemoryBytes != nil && status.Loopback {
		total = a.MemoryBytes()
	}
	caches := max(status.Slots, 1)
	need := m.Need(window, caches)
	return ok(WindowCost{
		Bytes: need - m.BaseBytes, NeedBytes: need, TokenBytes: m.KVBytesPerToken, Caches: caches, Fits: engine.Fits(need, total),
		Trained: m.Context, Largest: m.LargestWindow(total, caches),
	}), nil
}

func (a *API) pullModel(r *http.Request) (result, error) {
	var in ModelPull
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	name := strings.TrimSpace(in.Name)
	if name == "" {
		return result{}, invalid("name is missing")
	}
	return a.start(jobs.KindPull, name, func(ctx context.Context, progress func(engine.PullProgress)) error {
		if err := a.Engine.Pull(ctx, name, progress); err != nil {
			return err
		}
		return a.use(ctx, name, in.Use)
	})
}

// use makes a model that has just been installed the one that answers, or that embeds, where that is wanted.
func (a *API) use(ctx context.Context, name string, wanted bool) error {
	if !wanted {
		return nil
	}
	models, err := a.Engine.Models(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(models, func(m engine.Model) bool { return engine.SameModel(m.Name, name) })
	if i < 0 {
		return memory.Errorf(memory.EMODEL, "use the model", "the engine does not list %s", name)
	}
	key := "model"
	if models[i].Embedding && !models[i].Chat {
		key = "embedder"
	}
	value, err := json.Marshal(models[i].Name)
	if err != nil {
		return fmt.Errorf("use the model: %w", err)
	}
	return a.Store.SetSettings(ctx, map[string]json.RawMessage{key: value})
}

// engineLogBytes is how much of the engine's log is shown.
const engineLogBytes = 64 << 10

func (a *API) engineLog(*http.Request) (result, error) {
	const op = "read the engine's log"
	f, err := os.Open(filepath.Join(a.Home, "engine.log"))
	if errors.Is(err, os.ErrNotExist) {
		return ok(EngineLog{}), nil
	}
	if err != nil {
		return result{}, fmt.Errorf("%s: %w", op, err)
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.Size() > engineLogBytes {
		if _, err := f.Seek(-engineLogBytes, io.SeekEnd); err != nil {
			return result{}, fmt.Errorf("%s: %w", op, err)
		}
	}
	b, err := io.ReadAll(f)
	if err != nil {
		return result{}, fmt.Errorf("%s: %w", op, err)
	}
	return ok(EngineLog{Text: memory.CleanText(string(b))}), nil
}

func (a *API) installStarter(*http.Request) (result, error) {
	if a.Starter == nil {
		return result{}, memory.Errorf(memory.EUNSUPPORTED, "install starter models", "this installation came without the starter models; pull a model instead")
	}
	return a.start(jobs.KindStarter, "", a.Starter)
}

func (a *API) start(kind jobs.Kind, model string, work func(context.Context, func(engine.PullProgress)) error) (result, error) {
	job, err := a.Jobs.Start(kind, model, func(ctx context.Context, report func(jobs.Progress)) error {
		return work(ctx, func(p engine.PullProgress) {
			report(jobs.Progress{
				Status: p.Status, Completed: p.Completed, Total: p.Total, BytesPerSecond: p.BytesPerSecond, ETA: p.ETA,
			})
		})
	})
	return accepted(JobResult{Job: job}), err
}

func (a *API) importModel(r *http.Request) (result, error) {
	if strings.HasPrefix(r.Header.Get("Content-Type"), "multipart/form-data") {
		return a.importUpload(r)
	}
	var in ModelImport
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if !filepath.IsAbs(in.Path) {
		return result{}, invalid("path must be the whole path of a file on this machine")
	}
	f, err := os.Open(in.Path)
	if err != nil {
		return result{}, memory.Errorf(memory.ENOTFOUND, "import model", "%s cannot be read: %w", in.Path, err)
	}
	defer func() { _ = f.Close() }()
	if err := checkModelFile(f); err != nil {
		return result{}, err
	}
	name, err := modelName(in.Name, in.Path)
	if err != nil {
		return result{}, err
	}
	return a.start(jobs.KindImport, name, func(ctx context.Context, progress func(engine.PullProgress)) error {
		if err := a.Engine.Import(ctx, in.Path, name, engine.ImportOptions{}, progress); err != nil {
			return err
		}
		return a.use(ctx, name, in.Use)
	})
}

// importUpload takes a model file out of the request itself, without holding it in memory.
func (a *API) importUpload(r *http.Request) (result, error) {
	parts, err := r.MultipartReader()
	if err != nil {
		return result{}, invalid("the form cannot be read: %w", err)
	}
	var name string
	var use bool
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return result{}, invalid("the form has no field \"file\"")
		}
		if err != nil {
			return result{}, invalid("the form broke off: %w", err)
		}
		switch part.FormName() {
		case "name", "use":
			b, err := io.ReadAll(io.LimitReader(part, 1<<10))
			if err != nil {
				return result{}, invalid("the form broke off: %w", err)
			}
			if part.FormName() == "use" {
				use = string(b) == "true"
			} else {
				name = string(b)
			}
		case "file":
			if name, err = modelName(name, part.FileName()); err != nil {
				return result{}, err
			}
			path, err := a.keep(part)
			if err != nil {
				return result{}, err
			}
			res, err := a.start(jobs.KindImport, name, func(ctx context.Context, progress func(engine.PullProgress)) error {
				defer func() { _ = os.Remove(path) }()
				if err := a.Engine.Import(ctx, path, name, engine.ImportOptions{}, progress); err != nil {
					return err
				}
				return a.use(ctx, name, use)
			})
			if err != nil {
				_ = os.Remove(path) // the error of the job is what matters
			}
			return res, err
		default:
			return result{}, invalid("there is no field %q", part.FormName())
		}
	}
}

// uploads names the files in the data folder that hold a model while it is taken in.
const uploads = "upload-*.gguf"

func removeUploads(home string) {
	left, _ := filepath.Glob(filepath.Join(home, uploads)) // the patterns are right
	documents, _ := filepath.Glob(filepath.Join(home, library.Uploads))
	for _, path := range slices.Concat(left, documents) {
		if err := os.Remove(path); err != nil {
			slog.Warn("A left upload cannot be removed.", "path", path, "err", err)
		}
	}
}

// keep writes an uploaded model file into the data folder and returns its path.
func (a *API) keep(part *multipart.Part) (path string, err error) {
	f, err := os.CreateTemp(a.Home, uploads)
	if err != nil {
		return "", fileError("keep model file", err)
	}
	defer func() {
		err = errors.Join(err, f.Close())
		if err != nil {
			path = ""
			_ = os.Remove(f.Name()) // err says why it is not wanted
		}
	}()
	if _, err := io.Copy(f, part); err != nil {
		return "", fileError("keep model file", err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return "", fileError("keep model file", err)
	}
	return f.Name(), checkModelFile(f)
}

func fileError(op string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		e := memory.Errorf(memory.EDISKFULL, op, "the disk is full: %w", err)
		e.Remedy = memory.RemedyFreeSpace
		return e
	case errors.Is(err, os.ErrPermission), errors.Is(err, syscall.EROFS):
		return memory.Errorf(memory.EREADONLY, op, "the folder cannot be written: %w", err)
	}
	return memory.Errorf(memory.EINVALID, op, "the file could not be taken in: %w", err)
}

// checkModelFile refuses at once what is no GGUF, before gigabytes of it are copied.
func checkModelFile(f io.Reader) error {
	var magic [4]byte
	if _, err := io.ReadFull(f, magic[:]); err != nil || string(magic[:]) != "GGUF" {
		return invalid("the file is no GGUF model")
	}
	return nil
}

// notInName is what the name of a model cannot have and that of a file can.
var notInName = regexp.MustCompile(`[^a-z0-9._-]+`)

// modelName returns the given name, or one made of the file's.
func modelName(name, file string) (string, error) {
	name = strings.TrimSpace(name)
	if name == "" {
		base := filepath.Base(strings.ReplaceAll(file, `\`, "/"))
		name = strings.Trim(notInName.ReplaceAllString(strings.ToLower(strings.TrimSuffix(base, filepath.Ext(base))), "-"), "-.")
	}
	if name == "" || name == "." {
		return "", invalid("name is missing")
	}
	return name, nil
}

func (a *API) deleteModel(r *http.Request) (result, error) {
	return nothing(), a.Engine.Delete(r.Context(), r.PathValue("name"))
}

func (a *API) listJobs(*http.Request) (result, error) {
	return ok(Jobs{Jobs: a.Jobs.List()}), nil
}

func (a *API) cancelJob(r *http.Request) (result, error) {
	if err := a.Jobs.Cancel(r.PathValue("id")); err != nil {
		return result{}, err
	}
	return nothing(), nil
}
