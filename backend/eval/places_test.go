package eval

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
)

// several are embedders by name.
type several map[string]recall.Embedder

func (s several) Embed(ctx context.Context, r engine.EmbedRequest) ([][]float32, error) {
	e := s[r.Model]
	if e == nil {
		return nil, memory.Errorf(memory.EMODEL, "embed", "model %q is not installed", r.Model)
	}
	return e.Embed(ctx, r)
}

// shifted is middling, on another scale: its vectors have much more in common with each other.
type shifted struct{ middling }

func (s shifted) Embed(ctx context.Context, r engine.EmbedRequest) ([][]float32, error) {
	vs, err := s.middling.Embed(ctx, r)
	for _, v := range vs {
		for i := range v {
			v[i] += 2.5
		}
	}
	return vs, err
}

// halved puts every second session of dialogues into the archive.
func halved(ds []Dialogue) []Dialogue {
	halves := make([]Dialogue, len(ds))
	for i, d := range ds {
		d.Texts = append([]Text(nil), d.Texts...)
		for j := range d.Texts {
			if t := &d.Texts[j]; t.Session%2 == 0 {
				t.Session, t.Text = 0, t.Speaker+": "+t.Text
			}
		}
		halves[i] = d
	}
	return halves
}

// askHalves returns the R@10 of dialogues with one embedder for what was said and one for the archive, "" = none, and which
// share of the first ten are passages.
func askHalves(t *testing.T, ds []Dialogue, e several, said, noted string) (recalled, passages float64) {
	t.Helper()
	var n, taken float64
	for _, d := range ds {
		asked := lastDate(d).AddDate(0, 0, 1)
		clock := func() time.Time { return asked }
		s, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "recollect.db"), store.Options{Clock: clock, VectorCacheBytes: 256 << 20, Version: "eval"})
		if err != nil {
			t.Fatal(err)
		}
		w := &world{dialogue: d, store: s, ids: map[string]string{}, texts: map[string]string{}}
		if err := w.fill(t.Context(), clock); err != nil {
			t.Fatal(err)
		}
		if noted != "" {
			if _, err := s.SetArchiveEmbedder(t.Context(), w.agent.ArchiveID, noted); err != nil {
				t.Fatal(err)
			}
		}
		w.recall = indexHalves(t, recall.Deps{Store: s, Embedder: e, Model: func() string { return said }, Clock: clock, Patience: time.Minute}, said, noted)
		of := map[string]int{}
		for _, text := range d.Texts {
			of[text.ID] = text.Session
		}
		for _, q := range d.Questions {
			if len(q.Evidence) == 0 {
				continue
			}
			rc, err := w.ask(t.Context(), q, nil, noCap)
			if err != nil {
				t.Fatal(err)
			}
			names := w.taken(rc)
			recalled += share(q.Evidence, names, 10)
			n++
			for _, name := range names[:min(10, len(names))] {
				taken++
				if of[name] == 0 {
					passages++
				}
			}
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	return recalled / n, passages / max(taken, 1)
}

// indexHalves returns a Recall whose models have embedded everything.
func indexHalves(t *testing.T, d recall.Deps, said, noted string) *recall.Recall {
	t.Helper()
	busy := map[string]bool{}
	for _, model := range []string{said, noted} {
		if model != "" {
			busy[model] = true
		}
	}
	done := make(chan string, 1000)
	d.Publish = func(ev memory.Event) {
		if ev.Type == "embed.trouble" || ev.Data["pending"] == 0 {
			done <- fmt.Sprint(ev.Data["model"])
		}
	}
	r := recall.New(d)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = r.Index(ctx) // ends with ctx
	}()
	for len(busy) > 0 {
		delete(busy, <-done)
	}
	stop()
	<-ended
	return r
}

// compareSideBySide compares embedders side by side with one for everything and with none: two find what the worse of them does at
// least, and a place without vectors takes nothing from the other.
func compareSideBySide(t *testing.T, ds []Dialogue, e several, one, other string) {
	t.Helper()
	ds = halved(ds)
	found := func(said, noted string) float64 {
		recalled, passages := askHalves(t, ds, e, said, noted)
		t.Logf("said by %q, noted by %q: R@10 %.3f, %.0f %% passages", said, noted, recalled, 100*passages)
		return recalled
	}
	words, ones, others := found("", ""), found(one, ""), found(other, "")
	for _, c := range []struct {
		said, noted string
		least       float64
	}{
		{one, other, min(ones, others) - .02},
		{other, one, min(ones, others) - .02},
		{"", one, min(words, ones) - harmless},
		{"", other, min(words, others) - harmless},
		{one, "missing", min(words, ones) - harmless},
	} {
		if recalled := found(c.said, c.noted); recalled < c.least {
			t.Errorf("with %q and %q R@10 is %.3f, want at least %.3f", c.said, c.noted, recalled, c.least)
		}
	}
}

func TestEmbeddersSideBySide(t *testing.T) {
	t.Run("talk", func(t *testing.T) {
		compareSideBySide(t, talked(), several{"middling": middling{}, "shifted": shifted{}}, "middling", "shifted")
	})
	data, kept := os.Getenv("RECOLLECT_EVAL_DATA"), os.Getenv("RECOLLECT_EVAL_VECTORS")
	if data == "" || kept == "" {
		return // as in TestVectorsDoNoHarmToThePublishedSets
	}
	files, err := filepath.Glob(filepath.Join(kept, "*", "*.vec"))
	if err != nil || len(files) < 2 {
		t.Fatalf("no vectors of two models in %s, %v", kept, err)
	}
	set, err := Find("locomo")
	if err != nil {
		t.Fatal(err)
	}
	ds, err := set.Load(data, "")
	if err != nil {
		t.Fatal(err)
	}
	e, names := several{}, []string{}
	for _, file := range files[:2] {
		name := filepath.Base(filepath.Dir(file))
		v, err := OpenVectors(filepath.Dir(file), filepath.Base(file)[:len(filepath.Base(file))-len(".vec")], keptOnly{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = v.Close() })
		e[name], names = v, append(names, name)
	}
	t.Run("locomo", func(t *testing.T) { compareSideBySide(t, ds[:2], e, names[0], names[1]) })
}
