package recall

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// model is a fake embedder that knows a few meanings. What all its texts have in common makes unrelated ones more or less
// alike, as with real models.
type model struct {
	dim    int
	common float64
	wants  prefixes
}

// meant are words that mean the same.
var meant = [][]string{{"dog", "hound"}, {"sea", "ocean"}, {"car", "automobile"}, {"doctor", "physician"}}

func (m model) vector(text string) []float32 {
	v := make([]float32, m.dim)
	v[0] = float32(m.common)
	for i, same := range meant {
		if slices.ContainsFunc(same, func(w string) bool { return strings.Contains(strings.ToLower(text), w) }) {
			v[1+i] = 1
		}
	}
	h := fnv.New64a()
	h.Write([]byte(text))
	for i, n := 1+len(meant), h.Sum64(); i < m.dim; i, n = i+1, n*6364136223846793005+1442695040888963407 {
		v[i] = float32(int32(n>>32)) / math.MaxInt32 / 8
	}
	return v
}

// shop has the fake models that are installed, and notes who was asked what.
type shop struct {
	t  *testing.T
	mu sync.Mutex
	by map[string]model

	hold    map[string]chan struct{} // by model: its background work waits
	broken  map[string]func([][]float32) [][]float32
	queries []string // "model: text" of the queries
	embeds  map[string]int
}

func newShop(t *testing.T) *shop {
	return &shop{
		t: t, by: map[string]model{"e5-app": {dim: 32, common: 1.2, wants: prefixesOf("e5")}, "nomic-own": {dim: 48, common: .1, wants: prefixesOf("nomic")}},
		hold: map[string]chan struct{}{}, broken: map[string]func([][]float32) [][]float32{}, embeds: map[string]int{},
	}
}

func (s *shop) Embed(ctx context.Context, r engine.EmbedRequest) ([][]float32, error) {
	s.mu.Lock()
	m, there := s.by[r.Model]
	hold, broken := s.hold[r.Model], s.broken[r.Model]
	s.mu.Unlock()
	if !there {
		return nil, memory.Errorf(memory.EMODEL, "embed", "model %q is not installed", r.Model)
	}
	want := m.wants.query
	if r.Priority == engine.PriorityBackground {
		want = m.wants.passage
	}
	out := make([][]float32, len(r.Texts))
	for i, text := range r.Texts {
		bare := strings.TrimPrefix(strings.TrimPrefix(text, m.wants.query), m.wants.passage)
		probe := slices.Contains(probeTexts, bare)
		if bare != text && !probe && !strings.HasPrefix(text, want) || bare == text {
			s.t.Errorf("%s was asked %q, want it to begin with %q", r.Model, text, want)
		}
		s.mu.Lock()
		if r.Priority == engine.PriorityQuery {
			s.queries = append(s.queries, r.Model+": "+bare)
		} else if !probe {
			s.embeds[r.Model]++
		}
		s.mu.Unlock()
		if hold != nil && r.Priority == engine.PriorityBackground && !probe {
			select {
			case <-hold:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		out[i] = m.vector(bare)
	}
	if broken != nil {
		out = broken(out)
	}
	return out, nil
}

// lock runs f while nobody is asked.
func (s *shop) lock(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
}

func (s *shop) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := s.queries
	s.queries = nil
	slices.Sort(all)
	return all
}

func (s *shop) made(model string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.embeds[model]
}

// deps are recall's with the shop's models and e5-app for what names no other.
func (h *house) deps(s *shop) Deps {
	return Deps{Store: h.Store, Embedder: s, Model: named("e5-app"), Patience: time.Minute}
}

func (h *house) name(embedder string) {
	h.t.Helper()
	if _, err := h.SetArchiveEmbedder(h.t.Context(), h.agent.ArchiveID, embedder); err != nil {
		h.t.Fatal(err)
	}
}

func (h *house) indexed(r *Recall) Indexed {
	h.t.Helper()
	n, err := r.Indexed(h.t.Context(), h.agent.ArchiveID)
	if err != nil {
		h.t.Fatal(err)
	}
	return n
}

// ready tells whether the archive is found by a model that has all of it.
func (h *house) ready(r *Recall, model string) bool {
	n := h.indexed(r)
	return n.Serving == model && n.Model == model && n.Pending == 0 && n.Total > 0 && r.probeOf(model) != nil && h.embedded(model)
}

const (
	saidOfDog  = "My hound sleeps on the sofa all day long"
	notedOfDog = "The hound was vaccinated against rabies in May"
)

// sideBySide fills a house whose archive has another embedder than what is said in it.
func sideBySide(t *testing.T) (*house, *shop) {
	h, s := newHouse(t), newShop(t)
	h.name("nomic-own")
	h.say(append(noise(20), saidOfDog)...)
	for i, text := range append(noise(20), notedOfDog) {
		h.note(fmt.Sprintf("%s Note %d.", text, i))
	}
	return h, s
}

// takenByMeaning returns the kinds of the memories that were found by their meaning and taken.
func takenByMeaning(rc memory.Receipt) (kinds []string) {
	for _, c := range rc.Candidates {
		if c.Taken && c.SemRank > 0 && c.LexRank == 0 {
			kinds = append(kinds, c.Kind)
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds) // what stands beside it is found with it
}

func TestTwoEmbeddersAreSearchedAsOne(t *testing.T) {
	h, s := sideBySide(t)
	var r *Recall
	indexUntil(t, h.deps(s), func(x *Recall) bool { r = x; return h.embedded("e5-app") && h.ready(x, "nomic-own") })
	s.asked()
	rc := h.ask(r, "Tell me about my dog")
	if got := takenByMeaning(rc); !slices.Equal(got, []string{store.KindMessage, store.KindPassage}) || !rc.Vectors {
		t.Errorf("found by meaning in %q, want what was said and what was noted", got)
	}
	if got := s.asked(); !slices.Equal(got, []string{"e5-app: Tell me about my dog", "nomic-own: Tell me about my dog"}) {
		t.Errorf("asked %q, want each model once", got)
	}
	h.ask(r, "Tell me about my dog")
	if got := s.asked(); len(got) > 0 {
		t.Errorf("asked %q again", got)
	}
	// Who searches one place asks its model alone.
	if _, _, err := r.SearchPassages(t.Context(), h.agent.ArchiveID, "dogs and oceans", nil, "", time.Time{}, time.Time{}, 5, ""); err != nil {
		t.Fatal(err)
	}
	if _, _, err := r.SearchMessages(t.Context(), h.agent.ID, "cars and seas", nil, time.Time{}, time.Time{}, 5, ""); err != nil {
		t.Fatal(err)
	}
	if got := s.asked(); !slices.Equal(got, []string{"e5-app: cars and seas", "nomic-own: dogs and oceans"}) {
		t.Errorf("asked %q", got)
	}
}

// The same text is as near by one model as by the other, although their cosines are far apart.
func TestNoEmbedderIsPreferred(t *testing.T) {
	h, s := sideBySide(t)
	var r *Recall
	indexUntil(t, h.deps(s), func(x *Recall) bool { r = x; return h.embedded("e5-app") && h.ready(x, "nomic-own") })
	f, err := r.search(t.Context(), "Tell me about my dog", scope{agentID: h.agent.ID, archiveID: h.agent.ArchiveID})
	if err != nil {
		t.Fatal(err)
	}
	of := func(kind string, like func(c *candidate) bool) (most float64) {
		for _, c := range f.candidates {
			if c.Kind == kind && like(c) {
				most = max(most, c.features[fMeaning])
			}
		}
		return most
	}
	dog := func(c *candidate) bool { return strings.Contains(c.Text, "hound") }
	other := func(c *candidate) bool { return !dog(c) }
	for _, of := range []func(string) float64{
		func(kind string) float64 { return of(kind, dog) }, func(kind string) float64 { return of(kind, other) },
	} {
		if said, noted := of(store.KindMessage), of(store.KindPassage); math.Abs(said-noted) > .25 {
			t.Errorf("the meaning of what was said counts %.2f, of what was noted %.2f", said, noted)
		}
	}
	if near, far := of(store.KindPassage, dog), of(store.KindMessage, other); near < far+.4 {
		t.Errorf("a passage about it counts %.2f, a message about something else %.2f", near, far)
	}
}

func TestAnEmbedderThatFailsTakesOnlyItsArchiveWithIt(t *testing.T) {
	for name, fail := range map[string]func(*shop){
		"deleted": func(s *shop) { delete(s.by, "nomic-own") },
		"zeros": func(s *shop) {
			s.broken["nomic-own"] = func(vs [][]float32) [][]float32 {
				for _, v := range vs {
					clear(v)
				}
				return vs
			}
		},
		"fewer": func(s *shop) { s.broken["nomic-own"] = func(vs [][]float32) [][]float32 { return vs[:len(vs)-1] } },
		"not a number": func(s *shop) {
			s.broken["nomic-own"] = func(vs [][]float32) [][]float32 {
				for _, v := range vs {
					v[1] = float32(math.NaN())
				}
				return vs
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			h, s := sideBySide(t)
			indexUntil(t, h.deps(s), func(x *Recall) bool { return h.embedded("e5-app") && h.ready(x, "nomic-own") })
			s.lock(func() { fail(s) })
			h.say("The ocean was wild today")
			late := h.note("The automobile needs new tyres.")
			var r *Recall
			indexUntil(t, h.deps(s), func(x *Recall) bool { r = x; return h.embedded("e5-app") && h.indexed(x).Problem != nil })
			if got := takenByMeaning(h.ask(r, "Tell me about my dog")); !slices.Equal(got, []string{store.KindMessage}) {
				t.Errorf("found by meaning in %q, want only what was said", got)
			}
			if rc := h.ask(r, "Who was vaccinated against rabies?"); !slices.ContainsFunc(takenTexts(rc), func(x string) bool { return strings.HasPrefix(x, notedOfDog) }) {
				t.Errorf("by its words the passage is not found: %q", takenTexts(rc))
			}
			if got := takenByMeaning(h.ask(r, "Tell me about the sea")); !slices.Equal(got, []string{store.KindMessage}) {
				t.Errorf("what was said later is found by meaning in %q", got)
			}
			if n := h.indexed(r); n.Model != "nomic-own" || n.Pending != 1 {
				t.Errorf("%+v, want one passage to wait", n)
			}
			// It works again: what has waited is embedded, and nothing else.
			before := s.made("nomic-own")
			s.lock(func() {
				s.by["nomic-own"] = model{dim: 48, common: .1, wants: prefixesOf("nomic")}
				delete(s.broken, "nomic-own")
			})
			indexUntil(t, h.deps(s), func(x *Recall) bool { r = x; return h.ready(x, "nomic-own") })
			if n := s.made("nomic-own") - before; n != 1 {
				t.Errorf("%d texts were embedded, want one", n)
			}
			found, _, err := r.SearchPassages(t.Context(), h.agent.ArchiveID, "my car", nil, "", time.Time{}, time.Time{}, 1, "")
			if err != nil || len(found) == 0 || found[0].ID != late {
				t.Errorf("found %v, %v; want the passage about the automobile", found, err)
			}
		})
	}
}

func TestAnArchiveWhoseEmbedderChangesItsDimension(t *testing.T) {
	h, s := sideBySide(t)
	indexUntil(t, h.deps(s), func(x *Recall) bool { return h.embedded("e5-app") && h.ready(x, "nomic-own") })
	of := s.made("e5-app")
	s.lock(func() { s.by["nomic-own"] = model{dim: 64, common: .3, wants: prefixesOf("nomic")} })
	var r *Recall
	indexUntil(t, h.deps(s), func(x *Recall) bool {
		r = x
		sets, err := h.EmbeddingSets(t.Context())
		return err == nil && len(sets) == 2 && sets[1].Dim == 64 && h.ready(x, "nomic-own")
	})
	if got := takenByMeaning(h.ask(r, "Tell me about my dog")); !slices.Equal(got, []string{store.KindMessage, store.KindPassage}) {
		t.Errorf("found by meaning in %q", got)
	}
	if n := s.made("e5-app") - of; n > 0 {
		t.Errorf("%d texts were embedded anew by the other model", n)
	}
}

func TestTheOldVectorsServeWhileAnArchiveChangesItsEmbedder(t *testing.T) {
	h, s := newHouse(t), newShop(t)
	h.say(append(noise(4), saidOfDog)...)
	for i, text := range append(noise(60), notedOfDog) {
		h.note(fmt.Sprintf("%s Note %d.", text, i))
	}
	indexUntil(t, h.deps(s), func(x *Recall) bool { return h.ready(x, "e5-app") })
	of := s.made("e5-app")
	h.name("nomic-own")
	hold := make(chan struct{})
	s.lock(func() { s.hold["nomic-own"] = hold })
	for range 20 { // a batch, and then the app is ended
		go func() {
			select {
			case hold <- struct{}{}:
			case <-t.Context().Done():
			}
		}()
	}
	var r *Recall
	indexUntil(t, h.deps(s), func(x *Recall) bool { r = x; n := h.indexed(x); return n.Pending < n.Total })
	n := h.indexed(r)
	if n.Model != "nomic-own" || n.Serving != "e5-app" || n.Pending == 0 {
		t.Fatalf("%+v, want it half done", n)
	}
	if got := takenByMeaning(h.ask(r, "Tell me about my dog")); !slices.Equal(got, []string{store.KindMessage, store.KindPassage}) {
		t.Errorf("found by meaning in %q while the other model takes over", got)
	}
	begun := s.made("nomic-own")
	s.lock(func() { delete(s.hold, "nomic-own") })
	indexUntil(t, h.deps(s), func(x *Recall) bool {
		r = x
		embedders, err := h.PlaceEmbedders(t.Context(), h.agent.ArchiveID)
		return err == nil && len(embedders) == 1 && h.ready(x, "nomic-own")
	})
	s.asked()
	if got := takenByMeaning(h.ask(r, "Tell me about my dog")); !slices.Equal(got, []string{store.KindMessage, store.KindPassage}) {
		t.Errorf("found by meaning in %q afterwards", got)
	}
	if got := s.asked(); len(got) != 2 {
		t.Errorf("asked %q, want both models", got)
	}
	if made := s.made("nomic-own"); made > n.Total+maxBatch || begun == 0 {
		t.Errorf("%d texts embedded for %d, %d of them before the end", made, n.Total, begun)
	}
	if s.made("e5-app") != of {
		t.Error("the app's embedder did its work again")
	}
}

// An archive may have an embedder where the app has none.
func TestOnlyAnArchiveHasAnEmbedder(t *testing.T) {
	h, s := sideBySide(t)
	d := h.deps(s)
	d.Model = named("")
	var r *Recall
	indexUntil(t, d, func(x *Recall) bool { r = x; return h.ready(x, "nomic-own") })
	if got := takenByMeaning(h.ask(r, "Tell me about my dog")); !slices.Equal(got, []string{store.KindPassage}) {
		t.Errorf("found by meaning in %q, want what was noted", got)
	}
	rc := h.ask(r, "Who sleeps on the sofa?")
	if taken := takenTexts(rc); !slices.Contains(taken, saidOfDog) {
		t.Errorf("taken %q, want what was said by its words", taken)
	}
	if got := s.asked(); slices.ContainsFunc(got, func(q string) bool { return strings.HasPrefix(q, "e5-app") }) {
		t.Errorf("asked %q", got)
	}
}
