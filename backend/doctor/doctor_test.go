package doctor_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"
	"unicode"

	"recollect/backend/doctor"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/store"
)

type database struct{ err error }

func (d database) QuickCheck(context.Context) error { return d.err }
func (d database) Stats(context.Context) (store.Stats, error) {
	return store.Stats{Schema: 1, Messages: 12}, d.err
}

type engines struct {
	status engine.Status
	models []engine.Model
	err    error
}

func (e engines) Status() engine.Status                          { return e.status }
func (e engines) Models(context.Context) ([]engine.Model, error) { return e.models, e.err }

func find(t *testing.T, checks []doctor.Check, id string) doctor.Check {
	t.Helper()
	for _, c := range checks {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("nothing about %s in %+v", id, checks)
	return doctor.Check{}
}

func TestExamine(t *testing.T) {
	ready := engine.Status{State: engine.StateReady, Version: "0.17.4", Address: "http://127.0.0.1:1", Loopback: true}
	away := ready
	away.Loopback = false
	chat := engine.Model{Name: "chat", Chat: true, Fits: "yes"}
	huge := engine.Model{Name: "huge", Chat: true, Fits: "no", NeedBytes: 99 << 30}
	vectors := engine.Model{Name: "vectors", Embedding: true}
	healthy := func() doctor.Patient {
		return doctor.Patient{
			Home: t.TempDir(), Database: database{}, Engine: engines{status: ready, models: []engine.Model{chat, vectors}},
			Model: "chat", Embedder: "vectors",
		}
	}
	for _, c := range []struct {
		name   string
		spoil  func(*doctor.Patient)
		id     string
		level  doctor.Level
		detail string
	}{
		{"healthy", func(*doctor.Patient) {}, "database", doctor.LevelOK, "12 messages"},
		{"healthy", func(*doctor.Patient) {}, "engine", doctor.LevelOK, "0.17.4"},
		{"healthy", func(*doctor.Patient) {}, "chat_model", doctor.LevelOK, "chat"},
		{"healthy", func(*doctor.Patient) {}, "embedder", doctor.LevelOK, "vectors"},
		{"no folder", func(p *doctor.Patient) { p.Home += "/missing" }, "folder", doctor.LevelOK, "does not exist yet"},
		{"no folder", func(p *doctor.Patient) { p.Home += "/missing" }, "disk", doctor.LevelOK, " free"},
		{"no folder can be made", func(p *doctor.Patient) {
			p.Home += "/missing"
			p.DatabaseErr = memory.Errorf(memory.EREADONLY, "open", "not writable")
		}, "folder", doctor.LevelError, "cannot be made"},
		{"no folder but a file", func(p *doctor.Patient) {
			p.Home += "/file"
			_ = os.WriteFile(p.Home, nil, 0o600)
		}, "folder", doctor.LevelError, "is a file"},
		{"open folder", func(p *doctor.Patient) { _ = os.Chmod(p.Home, 0o755) }, "folder", doctor.LevelWarn, "other users"},
		{"damaged", func(p *doctor.Patient) { p.Database = database{memory.Errorf(memory.ECORRUPT, "check", "damaged")} }, "database", doctor.LevelError, "damaged"},
		{"not opened", func(p *doctor.Patient) {
			p.Database, p.DatabaseErr = nil, memory.Errorf(memory.ENEWER, "open", "written by a newer version")
		}, "database", doctor.LevelError, "newer"},
		{"disk full", func(p *doctor.Patient) { p.DatabaseErr = memory.Errorf(memory.EDISKFULL, "open", "full") }, "database", doctor.LevelError, "full"},
		{"no engine", func(p *doctor.Patient) {
			p.Engine = engines{status: engine.Status{State: engine.StateMissing, Message: "none found"}}
		}, "engine", doctor.LevelError, "none found"},
		{"engine elsewhere", func(p *doctor.Patient) { p.Engine = engines{status: away, models: []engine.Model{chat}} }, "engine", doctor.LevelWarn, ""},
		{"engine in another's place", func(p *doctor.Patient) {
			st := ready
			st.Unanswered = "192.0.2.1:9"
			p.Engine = engines{status: st, models: []engine.Model{chat}}
		}, "engine", doctor.LevelWarn, "nothing answers at 192.0.2.1:9, which OLLAMA_HOST names"},
		{"engine without models", func(p *doctor.Patient) { p.Engine = engines{status: ready} }, "chat_model", doctor.LevelError, "not installed"},
		{"engine that fails", func(p *doctor.Patient) { p.Engine = engines{status: ready, err: errors.New("broken")} }, "engine", doctor.LevelError, "broken"},
		{"model gone", func(p *doctor.Patient) { p.Model = "gone" }, "chat_model", doctor.LevelError, "gone"},
		{"chosen without a tag", func(p *doctor.Patient) {
			p.Embedder, p.Engine = "recollect/vectors", engines{status: ready, models: []engine.Model{chat, {Name: "recollect/vectors:latest", Embedding: true}}}
		}, "embedder", doctor.LevelOK, "recollect/vectors"},
		{"another tag", func(p *doctor.Patient) { p.Model = "chat:8b" }, "chat_model", doctor.LevelError, "not installed"},
		{"none chosen", func(p *doctor.Patient) { p.Model = "" }, "chat_model", doctor.LevelWarn, "1 installed"},
		{"model too large", func(p *doctor.Patient) {
			p.Model, p.Engine = "huge", engines{status: ready, models: []engine.Model{huge, vectors}}
		}, "chat_model", doctor.LevelWarn, "huge"},
		{"no embedder", func(p *doctor.Patient) {
			p.Embedder, p.Engine = "", engines{status: ready, models: []engine.Model{chat}}
		}, "embedder", doctor.LevelWarn, "None installed"},
		{"an archive's own", func(p *doctor.Patient) {
			p.ArchiveEmbedders, p.Engine = []string{"own"}, engines{status: ready, models: []engine.Model{chat, vectors, {Name: "own", Embedding: true}}}
		}, "embedder", doctor.LevelOK, "archive: own,"},
		{"an archive's own is the app's", func(p *doctor.Patient) { p.ArchiveEmbedders = []string{"vectors:latest"} }, "embedder", doctor.LevelOK, "vectors, 0.0 MB"},
		{"an archive's own is gone", func(p *doctor.Patient) { p.ArchiveEmbedders = []string{"gone", "lost"} }, "embedder", doctor.LevelWarn, "archive: lost is not installed"},
	} {
		t.Run(c.name+"/"+c.id, func(t *testing.T) {
			p := healthy()
			c.spoil(&p)
			check := find(t, doctor.Examine(t.Context(), p), c.id)
			if check.Level != c.level || !strings.Contains(check.Detail, c.detail) {
				t.Errorf("%+v", check)
			}
			if (check.Level != doctor.LevelOK) != (check.Remedy != "") {
				t.Errorf("a remedy belongs to what is wrong, and only there: %+v", check)
			}
			p.Language = "zh"
			zh := find(t, doctor.Examine(t.Context(), p), c.id)
			command := strings.HasPrefix(zh.Remedy, "chmod") || strings.HasPrefix(zh.Remedy, "recollect ")
			if han := strings.ContainsFunc(zh.Remedy, func(r rune) bool { return unicode.Is(unicode.Han, r) }); zh.Level != check.Level || zh.Remedy != "" && !han && !command {
				t.Errorf("in Chinese: %+v", zh)
			}
		})
	}
}

// Where the engine is ours, `ollama pull` would fetch a model into another folder, or there is no such command at all.
func TestPullIsAdvisedOnlyWhereItHelps(t *testing.T) {
	for kind, helps := range map[engine.Kind]bool{engine.KindExternal: true, engine.KindFound: false, engine.KindBundled: false} {
		st := engine.Status{State: engine.StateReady, Kind: kind, Version: "0.17.4", Address: "http://127.0.0.1:1", Loopback: true}
		check := find(t, doctor.Examine(t.Context(), doctor.Patient{Home: t.TempDir(), Engine: engines{status: st}}), "chat_model")
		if strings.Contains(check.Remedy, "ollama pull") != helps || !strings.Contains(check.Remedy, "open the window") {
			t.Errorf("%s: %+v", kind, check)
		}
	}
}
