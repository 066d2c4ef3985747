package app

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"recollect/backend/engine"
	"recollect/backend/jobs"
	"recollect/backend/machine"
	"recollect/backend/memory"
)

// starter is one of the small models that come with the app, as build/models describes them in models/starter.json.
type starter struct {
	Name   string `json:"name"`
	File   string `json:"file"`
	Kind   string `json:"kind"` // "chat" or "embedding"
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// starters returns the starter models that lie in dir, none where there is no manifest.
func starters(dir string) ([]starter, error) {
	raw, err := os.ReadFile(filepath.Join(dir, "starter.json"))
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of starter models: %w", err)
	}
	var list []starter
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, fmt.Errorf("read the list of starter models: %w", err)
	}
	return list, nil
}

// InstallStarters imports the starter models that the engine lacks and makes them the default where none is chosen.
// EMODEL, where no starter models lie beside the program.
func (a *App) InstallStarters(ctx context.Context, progress func(engine.PullProgress)) error {
	const op = "install the starter models"
	list, err := starters(a.starterDir)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return memory.Errorf(memory.EMODEL, op, "the starter models are not beside the program; `make models` fetches them, or pull another model").With(memory.RemedyPullModel, nil)
	}
	if err := a.Engine.Ready(ctx); err != nil {
		return err
	}
	models, err := a.Engine.Models(ctx)
	if err != nil {
		return err
	}
	installed := func(s starter) bool {
		return slices.ContainsFunc(models, func(m engine.Model) bool { return engine.SameModel(m.Name, s.Name) })
	}
	var total, missing, before int64
	for _, s := range list {
		total += s.Bytes
		if !installed(s) {
			missing += s.Bytes
		}
	}
	if err := a.roomFor(op, missing); err != nil {
		return err
	}
	for _, s := range list {
		if !installed(s) {
			each := func(p engine.PullProgress) {
				p.Completed, p.Total = before+min(p.Completed, s.Bytes), total
				progress(p)
			}
			if err := a.Engine.Import(ctx, filepath.Join(a.starterDir, s.File), s.Name, starterOptions(s), each); err != nil {
				return err
			}
		}
		before += s.Bytes
		if err := a.choose(ctx, s); err != nil {
			return err
		}
	}
	a.Recall.Wake()
	return a.Store.SetLearned(ctx, learnedStarters, []byte("true"))
}

// learnedStarters says that the starter models have been installed in this data folder. Whoever deletes them afterwards
// does not want them, and gets them back only by asking.
const learnedStarters = "starters"

// roomFor fails with EDISKFULL where our own engine has no room for so many bytes of models, before anything is copied.
func (a *App) roomFor(op string, bytes int64) error {
	if a.Engine.Status().Kind == engine.KindExternal {
		return nil // it says so itself; its models may be anywhere
	}
	free, err := machine.FreeDisk(a.home)
	if err != nil || free >= bytes {
		return nil //nolint:nilerr // unknown: the copying will tell
	}
	e := memory.Errorf(memory.EDISKFULL, op, "the models need %d MB of the disk, and %d MB are free", (bytes+1<<20-1)>>20, free>>20)
	e.Remedy = memory.RemedyFreeSpace
	return e
}

// starterOptions keeps the small chat model from drifting: it writes best with little randomness and a penalty on saying
// the same again, does not end where it should, and copies the marks of its prompt.
func starterOptions(s starter) engine.ImportOptions {
	if s.Kind != "chat" {
		return engine.ImportOptions{}
	}
	return engine.ImportOptions{Template: starterTemplate, Parameters: map[string]any{
		"temperature": 0.2, "repeat_penalty": 1.1, "repeat_last_n": 256, "num_predict": 256,
		"stop": []string{"<|im_start|>", "<|im_end|>", "<block", "</block", "<memory_update", "<recalled", "</recalled", "\n[20"},
	}}
}

// starterTemplate is ChatML, as the engine finds it in the model's file, but for an answer at the end, which stays open so
// that the model can go on with it.
const starterTemplate = `{{- range $i, $_ := .Messages }}{{ $last := eq (len (slice $.Messages $i)) 1 }}<|im_start|>{{ .Role }}
{{ .Content }}{{ if not (and $last (eq .Role "assistant")) }}<|im_end|>
{{ if $last }}<|im_start|>assistant
{{ end }}{{ end }}{{ end }}`

// choose makes a starter model the default of its kind, where there is none.
func (a *App) choose(ctx context.Context, s starter) error {
	key := SettingModel
	if s.Kind == "embedding" {
		key = SettingEmbedder
	}
	if a.settings.String(key) != "" {
		return nil
	}
	return a.settings.Set(ctx, key, s.Name)
}

// installStartersOnce runs after each start: an engine of our own without any chat model gets the starters, so that the
// first start needs no click. It ends with the first time that they were installed: who deletes them keeps them deleted.
// An engine of the user's own is left as it is; there the page offers them.
func (a *App) installStartersOnce(ctx context.Context) {
	if done, err := a.Store.Learned(ctx, learnedStarters); err != nil || done != nil {
		return
	}
	if err := a.Engine.Ready(ctx); err != nil {
		return // the engine's state says why
	}
	if a.Engine.Status().Kind == engine.KindExternal {
		return
	}
	models, err := a.Engine.Models(ctx)
	if err != nil {
		a.log.Warn("The models could not be listed.", "error", err)
		return
	}
	for _, m := range models {
		if m.Chat {
			return
		}
	}
	if list, err := starters(a.starterDir); err != nil || len(list) == 0 {
		return
	}
	a.startStarterJob()
}

// starterRoute is what the API runs for "install the starter models", nil where there are none.
func (a *App) starterRoute() func(context.Context, func(engine.PullProgress)) error {
	if list, err := starters(a.starterDir); err != nil || len(list) == 0 {
		return nil
	}
	return a.InstallStarters
}

// startStarterJob installs the starters as a job that the page shows and can stop.
func (a *App) startStarterJob() {
	_, err := a.Jobs.Start(jobs.KindStarter, "", func(ctx context.Context, progress func(jobs.Progress)) error {
		return a.InstallStarters(ctx, func(p engine.PullProgress) {
			progress(jobs.Progress{Status: p.Status, Completed: p.Completed, Total: p.Total, BytesPerSecond: p.BytesPerSecond, ETA: p.ETA})
		})
	})
	if err != nil {
		a.log.Warn("The starter models were not installed.", "error", err)
	}
}
