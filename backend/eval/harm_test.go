package eval

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/backend/engine"
	"recollect/backend/recall"
	"recollect/backend/segment"
)

// harmless is how much worse a set may be with vectors than without.
const harmless = .01

// compareWith runs a set without and with an embedder.
func compareWith(t *testing.T, set Set, ds []Dialogue, model string, e recall.Embedder) {
	t.Helper()
	alone, err := Run(t.Context(), set, ds, Options{})
	if err != nil {
		t.Fatal(err)
	}
	with, err := Run(t.Context(), set, ds, Options{Embedder: e, Model: model})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, %d questions: %.3f by words, %.3f with %s", set.Name, alone.N, alone.Overall["R@10"], with.Overall["R@10"], model)
	for _, metric := range []string{"R@5", "R@10", "R@25", currentFirst, solved} {
		if with.Overall[metric] < alone.Overall[metric]-harmless {
			t.Errorf("%s: %s falls from %.3f to %.3f with %s", set.Name, metric, alone.Overall[metric], with.Overall[metric], model)
		}
	}
}

// middling is an embedder as small ones are: words that mean the same share a direction, each word has a weak one of its own,
// and so has each text.
type middling struct{}

func (middling) Embed(_ context.Context, r engine.EmbedRequest) ([][]float32, error) {
	vs := make([][]float32, len(r.Texts))
	for i, text := range r.Texts {
		vs[i] = make([]float32, 96)
		add := func(name string, weight float64) {
			h := fnv.New64a()
			_, _ = h.Write([]byte(name))
			rnd := rand.New(rand.NewPCG(h.Sum64(), 7))
			for j := range vs[i] {
				vs[i][j] += float32(weight * rnd.NormFloat64())
			}
		}
		add("", 2)
		add(text, 1.5)
		for w := range strings.FieldsSeq(segment.Index(text)) {
			if segment.Stop(w) {
				continue
			}
			add(w, .3)
			for _, thing := range things {
				for _, name := range thing {
					if w == name {
						add(thing[0], 1)
					}
				}
			}
		}
	}
	return vs, nil
}

// things are what the talk of the test is about, each by the names that it has.
var things = [][]string{
	{"bicycle", "bike", "cycle"},
	{"car", "automobile", "vehicle"},
	{"dog", "puppy", "hound"},
	{"cat", "kitten", "tabby"},
	{"garden", "allotment", "backyard"},
	{"doctor", "physician", "clinic"},
	{"lake", "pond", "reservoir"},
	{"cake", "pastry", "tart"},
	{"sofa", "couch", "settee"},
	{"boss", "manager", "supervisor"},
	{"flat", "apartment", "lodgings"},
	{"guitar", "ukulele", "banjo"},
	{"novel", "paperback", "fiction"},
	{"piano", "keyboard", "spinet"},
	{"holiday", "vacation", "getaway"},
	{"marathon", "race", "running"},
	{"camera", "lens", "photography"},
	{"kitchen", "stove", "oven"},
	{"sister", "sibling", "twin"},
	{"school", "college", "academy"},
}

// talked is a set with a question for each thing, about half of them by another name than it was told by.
func talked() []Dialogue {
	rnd := rand.New(rand.NewPCG(3, 4))
	happened := strings.Fields("broken painted sold borrowed cleaned measured admired forgotten repaired photographed insured described replaced polished lost found")
	where := strings.Fields("Leeds Oslo Ghent Porto Tartu Basel Turin Graz Malmo Vigo")
	d := Dialogue{ID: "talk"}
	date := time.Date(2024, 3, 1, 10, 0, 0, 0, time.UTC)
	for session := 1; session <= 30; session++ {
		for turn := range 20 {
			thing := things[rnd.IntN(len(things))]
			name, did, at := thing[rnd.IntN(3)], happened[rnd.IntN(len(happened))], where[rnd.IntN(len(where))]
			text := fmt.Sprintf("Well, in %s the %s was %s in the end.", at, name, did)
			if turn%3 == 2 {
				text = fmt.Sprintf("Have you ever been to %s? It rained there all week.", at)
			}
			id := fmt.Sprintf("D%d:%d", session, turn+1)
			d.Texts = append(d.Texts, Text{ID: id, Session: session, Speaker: []string{"Ann", "Bob"}[turn%2], Text: text, Date: date.Add(time.Duration(turn) * time.Minute)})
			if turn%3 != 2 && rnd.IntN(3) == 0 {
				d.Questions = append(d.Questions, Question{
					ID: fmt.Sprint(len(d.Questions)), Text: fmt.Sprintf("Which %s was %s in %s?", thing[rnd.IntN(3)], did, at), Evidence: []string{id}, Category: "talk",
				})
			}
		}
		date = date.AddDate(0, 0, 3)
	}
	return []Dialogue{d}
}

func TestVectorsDoNoHarm(t *testing.T) {
	compareWith(t, Set{Name: "talk"}, talked(), "middling", middling{})
}

// keptOnly makes no vector that is not kept.
type keptOnly struct{}

func (keptOnly) Embed(context.Context, engine.EmbedRequest) ([][]float32, error) {
	return nil, errors.New("this vector is not among the kept ones: run the evaluation first, with --vectors")
}

// With the published sets and the vectors that `recollect eval --vectors` keeps: a folder for each embedder, named after it.
func TestVectorsDoNoHarmToThePublishedSets(t *testing.T) {
	data, kept := os.Getenv("RECOLLECT_EVAL_DATA"), os.Getenv("RECOLLECT_EVAL_VECTORS")
	if data == "" || kept == "" {
		t.Skip("RECOLLECT_EVAL_DATA and RECOLLECT_EVAL_VECTORS say where the sets and the kept vectors are")
	}
	files, err := filepath.Glob(filepath.Join(kept, "*", "*.vec"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no vectors in %s, %v", kept, err)
	}
	for _, file := range files {
		model := filepath.Base(filepath.Dir(file))
		v, err := OpenVectors(filepath.Dir(file), strings.TrimSuffix(filepath.Base(file), ".vec"), keptOnly{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = v.Close() })
		for _, name := range []string{"locomo", "madial-zh"} {
			set, err := Find(name)
			if err != nil {
				t.Fatal(err)
			}
			ds, err := set.Load(data, "")
			if err != nil {
				t.Fatal(err)
			}
			t.Run(model+", "+name, func(t *testing.T) { compareWith(t, set, ds, model, v) })
		}
	}
}
