// Package doctor looks at what Recollect needs (folders, disk, database, CPU, memory, engine, models) and names a remedy
// for each thing that is not as it should be.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"golang.org/x/sys/cpu"

	"recollect/backend/engine"
	"recollect/backend/machine"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// Level says how much a finding matters.
type Level string

// The levels.
const (
	LevelOK    Level = "ok"
	LevelWarn  Level = "warn"  // works, but worse than it could
	LevelError Level = "error" // something the user wants does not work
)

// Check is one finding. Detail and Remedy are English sentences; the page translates by ID.
type Check struct {
	ID     string `json:"id"` // folder, disk, database, cpu, memory, engine, chat_model, embedder
	Level  Level  `json:"level"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

// Patient is what is looked at. Database or Engine is nil where it could not be opened; the error says why.
type Patient struct {
	Home        string
	Database    Database
	DatabaseErr error
	Engine      Engine
	Model       string // chat model in use, "" = none chosen
	Embedder    string
}

// Database is what the doctor asks of the store.
type Database interface {
	QuickCheck(ctx context.Context) error
	Stats(ctx context.Context) (store.Stats, error)
}

// Engine is what the doctor asks of the engine.
type Engine interface {
	Status() engine.Status
	Models(ctx context.Context) ([]engine.Model, error)
}

// minFreeBytes is the free space under which a warning is given: room for a backup of a grown database and a small model.
const minFreeBytes = 2 << 30

// Examine looks at everything and returns one Check for each thing, in a fixed order. It never fails.
func Examine(ctx context.Context, p Patient) []Check {
	checks := []Check{folder(p.Home, p.DatabaseErr), disk(p.Home), database(ctx, p), processor(), ram()}
	if p.Engine == nil {
		return append(checks, unseen([]string{"engine", "chat_model", "embedder"}, "Mend what is above first, then look again.")...)
	}
	return append(checks, engines(ctx, p)...)
}

// unseen returns a check for each thing that could not be looked at.
func unseen(ids []string, remedy string) []Check {
	var checks []Check
	for _, id := range ids {
		checks = append(checks, Check{ID: id, Level: LevelWarn, Detail: "Not looked at.", Remedy: remedy})
	}
	return checks
}

func folder(home string, opening error) Check {
	c := Check{ID: "folder", Level: LevelOK, Detail: home}
	if absent(home) {
		c.Detail = home + " does not exist yet; the first start makes it."
		if opening != nil {
			c.Level, c.Detail = LevelError, home+" does not exist and cannot be made."
			c.Remedy = "Give yourself the right to write into the folder above it (chmod u+w), or name another folder with --home."
		}
		return c
	}
	f, err := os.CreateTemp(home, ".doctor-*")
	if err != nil {
		c.Level, c.Detail = LevelError, fmt.Sprintf("%s cannot be written: %v", home, err)
		c.Remedy = "Give yourself the right to write there (chmod u+w), or name another folder with --home."
		return c
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	info, err := os.Stat(home)
	if err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		c.Level, c.Detail = LevelWarn, fmt.Sprintf("%s can be read by other users of this machine.", home)
		c.Remedy = fmt.Sprintf("chmod 700 %q", home)
	}
	return c
}

// absent reports whether there is nothing of that name, in a folder that can be looked into.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func disk(home string) Check {
	for absent(home) && filepath.Dir(home) != home {
		home = filepath.Dir(home) // where it will be made
	}
	free, err := machine.FreeDisk(home)
	if err != nil {
		return Check{
			ID: "disk", Level: LevelWarn, Detail: "The free space is unknown: " + err.Error(),
			Remedy: "See to it yourself that there are 2 GB free: backups and models need room.",
		}
	}
	c := Check{ID: "disk", Level: LevelOK, Detail: gigabytes(free) + " free"}
	if free < minFreeBytes {
		c.Level, c.Remedy = LevelWarn, "Free some space: backups and models need room."
	}
	return c
}

func database(ctx context.Context, p Patient) Check {
	c := Check{ID: "database", Level: LevelOK}
	switch {
	case p.DatabaseErr != nil:
		c.Level, c.Detail = LevelError, p.DatabaseErr.Error()
		c.Remedy = databaseRemedy(p.DatabaseErr)
		return c
	case p.Database == nil:
		c.Detail = "Not made yet: " + filepath.Join(p.Home, "recollect.db")
		return c
	}
	if err := p.Database.QuickCheck(ctx); err != nil {
		c.Level, c.Detail, c.Remedy = LevelError, err.Error(), databaseRemedy(err)
		return c
	}
	s, err := p.Database.Stats(ctx)
	if err != nil {
		c.Level, c.Detail, c.Remedy = LevelError, err.Error(), databaseRemedy(err)
		return c
	}
	c.Detail = fmt.Sprintf("Sound. Schema %d, %s, %d messages, %d passages, %d blocks.", s.Schema, gigabytes(s.Bytes), s.Messages, s.Passages, s.Blocks)
	return c
}

func databaseRemedy(err error) string {
	switch memory.CodeOf(err) {
	case memory.ENEWER:
		return "Install the newer Recollect that wrote it, or restore a backup of this version's."
	case memory.ECORRUPT:
		return "recollect restore"
	case memory.EDISKFULL:
		return "Free some space on the disk."
	default:
		return "See the error; `recollect restore` puts a backup back and keeps the present file beside it."
	}
}

func processor() Check {
	c := Check{ID: "cpu", Level: LevelOK, Detail: fmt.Sprintf("%d cores", runtime.NumCPU())}
	if runtime.GOARCH != "amd64" {
		return c
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		c.Detail += ", AVX2 and FMA"
		return c
	}
	c.Level = LevelWarn
	c.Detail += ", without AVX2: a model runs about ten times slower"
	c.Remedy = "Choose the smallest model that serves you, or point Recollect to an Ollama on a faster machine of yours."
	return c
}

func ram() Check {
	total, err := machine.Memory()
	if err != nil {
		return Check{
			ID: "memory", Level: LevelWarn, Detail: "The size of the memory is unknown: " + err.Error(),
			Remedy: "Choose a model that is at most half as large as this machine's memory.",
		}
	}
	c := Check{ID: "memory", Level: LevelOK, Detail: gigabytes(total)}
	if total < 4<<30 {
		c.Level = LevelWarn
		c.Remedy = "Use a model of at most 1 GB and a small window."
	}
	return c
}

func engines(ctx context.Context, p Patient) []Check {
	st := p.Engine.Status()
	c := Check{ID: "engine", Level: LevelOK, Detail: fmt.Sprintf("Ollama %s, %s, at %s", st.Version, st.Kind, st.Address)}
	if st.State != engine.StateReady {
		c.Level, c.Detail = LevelError, fmt.Sprintf("%s: %s", st.State, st.Message)
		switch st.Remedy {
		case memory.RemedyCheckAddress:
			c.Remedy = "Start Ollama there, or empty the engine address in the settings."
		case memory.RemedyStartEngine:
			c.Remedy = "Start the engine again; engine.log in the data folder tells why it ended."
		default:
			c.Remedy = "Install Ollama, or run `make engine`, then start Recollect again."
		}
		return append([]Check{c}, modelsUnseen()...)
	}
	if !st.Loopback {
		c.Level, c.Remedy = LevelWarn, "What you write leaves this machine for "+st.Address+". Empty the engine address in the settings to stay local."
	}
	models, err := p.Engine.Models(ctx)
	if err != nil {
		c.Level, c.Detail, c.Remedy = LevelError, err.Error(), "Start the engine again."
		return append([]Check{c}, modelsUnseen()...)
	}
	return []Check{
		c,
		model("chat_model", p.Model, models, func(m engine.Model) bool { return m.Chat }, LevelError,
			"Use the starter model or pull a better one: open the window, or `ollama pull NAME`."),
		model("embedder", p.Embedder, models, func(m engine.Model) bool { return m.Embedding }, LevelWarn,
			"Recall works by words alone until an embedding model is there: use the starter one."),
	}
}

// modelsUnseen are the checks of the models where the engine cannot be asked.
func modelsUnseen() []Check {
	return unseen([]string{"chat_model", "embedder"}, "The engine has to run first: see above.")
}

func model(id, chosen string, models []engine.Model, fits func(engine.Model) bool, missing Level, remedy string) Check {
	some := 0
	for _, m := range models {
		if fits(m) {
			some++
		}
		if chosen != "" && engine.SameModel(m.Name, chosen) {
			c := Check{ID: id, Level: LevelOK, Detail: fmt.Sprintf("%s, %s", m.Name, gigabytes(m.Bytes))}
			if m.Fits == "no" {
				c.Level, c.Remedy = LevelWarn, "It needs about "+gigabytes(m.NeedBytes)+" of memory: choose a smaller one."
			}
			return c
		}
	}
	if chosen != "" {
		return Check{ID: id, Level: missing, Detail: chosen + " is not installed (any more).", Remedy: remedy}
	}
	if some > 0 {
		return Check{ID: id, Level: LevelWarn, Detail: fmt.Sprintf("None chosen, %d installed.", some), Remedy: "Choose one in the settings."}
	}
	return Check{ID: id, Level: missing, Detail: "None installed.", Remedy: remedy}
}

func gigabytes(n int64) string {
	switch {
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	default:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	}
}
