package recall

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// shelf is a Store that holds only texts that wait for vectors, the newest last.
type shelf struct {
	Store
	mu          sync.Mutex
	texts       []string
	saved       map[setKey]map[string][]float32 // by model and dimension: text → vector
	quarantined map[string]string               // text → reason
	done        map[setKey]bool
	dropped     []string
	learned     map[string]json.RawMessage
}

func (s *shelf) Learned(_ context.Context, key string) (json.RawMessage, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.learned[key], nil
}

func (s *shelf) SetLearned(_ context.Context, key string, value json.RawMessage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.learned[key] = value
	return nil
}

type setKey struct {
	model string
	dim   int
}

func newShelf(texts ...string) *shelf {
	return &shelf{texts: texts, saved: map[setKey]map[string][]float32{}, quarantined: map[string]string{}, done: map[setKey]bool{}, learned: map[string]json.RawMessage{}}
}

func (s *shelf) pending(k setKey) []store.EmbedItem {
	var items []store.EmbedItem
	for _, t := range slices.Backward(s.texts) {
		if _, aside := s.quarantined[t]; s.saved[k][t] == nil && !aside {
			items = append(items, store.EmbedItem{Ref: store.Ref{Kind: store.KindMessage, ID: t}, View: store.ViewOwn, Text: t})
		}
	}
	return items
}

func (s *shelf) PendingEmbeddings(_ context.Context, model string, dim int, _ bool, limit int) ([]store.EmbedItem, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := setKey{model, dim}
	if s.saved[k] == nil {
		s.saved[k] = map[string][]float32{}
	}
	items := s.pending(k)
	if len(items) == 0 {
		s.done[k] = true
	}
	return items[:min(limit, len(items))], nil
}

func (s *shelf) ArchiveEmbedders(context.Context) ([]string, error) { return nil, nil }

func (s *shelf) PlaceEmbedders(context.Context, string) ([]store.PlaceEmbedder, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []store.PlaceEmbedder
	for k := range s.saved {
		all = append(all, store.PlaceEmbedder{Model: k.model, Done: s.done[k]})
	}
	slices.SortFunc(all, func(a, b store.PlaceEmbedder) int {
		if a.Done != b.Done && a.Done {
			return -1
		}
		return strings.Compare(b.Model, a.Model) // the old one before the new
	})
	return all, nil
}

func (s *shelf) DropReplaced(_ context.Context, model string, dim int) (gone []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := range s.saved {
		if (k != setKey{model, dim}) {
			delete(s.saved, k)
			gone = append(gone, k.model)
		}
	}
	s.dropped = append(s.dropped, gone...)
	return gone, nil
}

func (s *shelf) SaveEmbeddings(_ context.Context, model string, dim int, vectors []store.Embedding) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	k := setKey{model, dim}
	if s.saved[k] == nil {
		s.saved[k] = map[string][]float32{}
	}
	for _, v := range vectors {
		if len(v.Vector) != dim {
			return fmt.Errorf("a vector of %d in a table of %d", len(v.Vector), dim)
		}
		s.saved[k][v.ID] = v.Vector
	}
	return nil
}

func (s *shelf) QuarantineEmbedding(_ context.Context, _, _, id, reason string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.quarantined[id] = reason
	return nil
}

func (s *shelf) EmbeddingSets(context.Context) ([]store.EmbeddingSet, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var sets []store.EmbeddingSet
	for k, v := range s.saved {
		sets = append(sets, store.EmbeddingSet{Model: k.model, Dim: k.dim, Done: len(v), Pending: len(s.pending(k))})
	}
	return sets, nil
}

func (s *shelf) DropEmbeddings(_ context.Context, model string, dim int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.saved, setKey{model, dim})
	delete(s.done, setKey{model, dim})
	s.dropped = append(s.dropped, model)
	return nil
}

// ready tells whether all but the given number of texts have a vector of the model.
func (s *shelf) ready(model string, dim, without int) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.saved[setKey{model, dim}]) >= len(s.texts)-without
}

// embedder is a scripted engine.
type embedder func(r engine.EmbedRequest) ([][]float32, error)

func (e embedder) Embed(_ context.Context, r engine.EmbedRequest) ([][]float32, error) { return e(r) }

// letters is a model of dim dimensions whose vectors count letters.
func letters(dim int) embedder {
	return func(r engine.EmbedRequest) ([][]float32, error) {
		out := make([][]float32, len(r.Texts))
		for i, t := range r.Texts {
			out[i] = make([]float32, dim)
			out[i][0] = .1
			for _, c := range t {
				out[i][int(c)%dim]++
			}
		}
		return out, nil
	}
}

// indexUntil runs the index until done says so; it fails the test after a minute.
func indexUntil(t *testing.T, d Deps, done func(r *Recall) bool) {
	t.Helper()
	r := New(d)
	r.retry = func(int) time.Duration { return time.Millisecond }
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	finished := make(chan error, 1)
	go func() { finished <- r.Index(ctx) }()
	for !done(r) {
		select {
		case err := <-finished:
			t.Fatalf("the index ended: %v", err)
		case <-time.After(time.Millisecond):
		}
	}
	cancel()
	if err := <-finished; !errors.Is(err, context.Canceled) {
		t.Fatalf("Index returned %v, want context.Canceled", err)
	}
}

func named(model string) func() string { return func() string { return model } }

func TestIndexEmbedsNewestFirstInSmallBatches(t *testing.T) {
	var texts []string
	for i := range 50 {
		texts = append(texts, fmt.Sprintf("text %02d", i))
	}
	s := newShelf(texts...)
	var order []string
	largest := 0
	e := embedder(func(r engine.EmbedRequest) ([][]float32, error) {
		largest = max(largest, len(r.Texts))
		if r.Priority != engine.PriorityBackground {
			t.Errorf("priority %v, want background", r.Priority)
		}
		for _, x := range r.Texts {
			if text, ok := strings.CutPrefix(x, "passage: text "); ok {
				order = append(order, text)
			}
		}
		return letters(8)(r)
	})
	var events []memory.Event
	indexUntil(t, Deps{Store: s, Embedder: e, Model: named("e5-small"), Publish: func(ev memory.Event) { events = append(events, ev) }},
		func(r *Recall) bool { return s.ready("e5-small", 8, 0) && serves(r) == "e5-small" })
	if largest > 16 {
		t.Errorf("a batch of %d texts, want at most 16", largest)
	}
	if len(order) != 50 || order[0] != "49" || order[49] != "00" {
		t.Errorf("embedded %v, want 49 down to 00", order)
	}
	last := events[len(events)-1]
	if last.Type != "embed.progress" || last.Data["pending"] != 0 || last.Data["total"] != 50 || last.Data["model"] != "e5-small" {
		t.Errorf("last event %+v, want embed.progress with nothing pending of 50", last)
	}
}

// serves returns whose vectors answer what was said.
func serves(r *Recall) string { return r.servingModel(context.Background(), "") }

// queryVector returns a query as the model understands it whose vectors answer what was said.
func queryVector(r *Recall, text string) (model string, v []float32) {
	found, _ := r.meanings(context.Background(), text, scope{agentID: "agent"})
	for _, m := range found {
		return m.model, m.vector
	}
	return "", nil
}

func TestIndexOutageLeavesNothingWithoutVector(t *testing.T) {
	s := newShelf("a", "b", "c", "d", "e")
	calls := 0
	e := embedder(func(r engine.EmbedRequest) ([][]float32, error) {
		if calls++; calls <= 6 {
			return nil, memory.Errorf(memory.EENGINE, "embed", "connection refused")
		}
		return letters(8)(r)
	})
	indexUntil(t, Deps{Store: s, Embedder: e, Model: named("m")}, func(*Recall) bool { return s.ready("m", 8, 0) })
	if len(s.quarantined) > 0 {
		t.Errorf("put aside during an outage: %v", s.quarantined)
	}
}

func TestIndexPutsOnlyThePoisonAside(t *testing.T) {
	for name, fail := range map[string]func(r engine.EmbedRequest, at int) ([][]float32, error){
		"named by the engine": func(_ engine.EmbedRequest, at int) ([][]float32, error) {
			return nil, &engine.EmbedError{Index: at, Err: errors.New("NaN")}
		},
		"refused": func(engine.EmbedRequest, int) ([][]float32, error) {
			return nil, memory.Errorf(memory.EINVALID, "embed", "input is too long")
		},
		"one vector less": func(r engine.EmbedRequest, at int) ([][]float32, error) {
			vs, err := letters(8)(r)
			return slices.Delete(vs, at, at+1), err
		},
		"NaN": func(r engine.EmbedRequest, at int) ([][]float32, error) {
			vs, err := letters(8)(r)
			vs[at][3] = float32(math.NaN())
			return vs, err
		},
		"zeros": func(r engine.EmbedRequest, at int) ([][]float32, error) {
			vs, err := letters(8)(r)
			clear(vs[at])
			return vs, err
		},
		"another dimension": func(r engine.EmbedRequest, at int) ([][]float32, error) {
			vs, err := letters(8)(r)
			if len(vs) > 1 {
				vs[at] = vs[at][:5]
				return vs, err
			}
			return nil, memory.Errorf(memory.EMALFORMED, "embed", "bad vector")
		},
	} {
		t.Run(name, func(t *testing.T) {
			texts := []string{"poison"}
			for i := range 40 {
				texts = append(texts, fmt.Sprint("text ", i))
			}
			slices.Reverse(texts[:20])
			s := newShelf(texts...)
			e := embedder(func(r engine.EmbedRequest) ([][]float32, error) {
				if at := slices.IndexFunc(r.Texts, func(x string) bool { return strings.Contains(x, "poison") }); at >= 0 {
					return fail(r, at)
				}
				return letters(8)(r)
			})
			indexUntil(t, Deps{Store: s, Embedder: e, Model: named("m")}, func(*Recall) bool { return s.ready("m", 8, 1) })
			if len(s.quarantined) != 1 || s.quarantined["poison"] == "" {
				t.Errorf("put aside: %v, want only the poison, with a reason", s.quarantined)
			}
		})
	}
}

func TestIndexPutsNothingAsideWhileTheEmbedderIsBroken(t *testing.T) {
	s := newShelf("a", "b", "c")
	var mu sync.Mutex
	broken, failures := false, 0
	e := embedder(func(r engine.EmbedRequest) ([][]float32, error) {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasSuffix(r.Texts[len(r.Texts)-1], "a") {
			broken = true
		}
		if broken && failures < 30 {
			failures++
			return [][]float32{}, nil // for every text, the probe too
		}
		return letters(8)(r)
	})
	indexUntil(t, Deps{Store: s, Embedder: e, Model: named("m")}, func(*Recall) bool { return s.ready("m", 8, 0) })
	if len(s.quarantined) > 0 {
		t.Errorf("put aside: %v, want nothing", s.quarantined)
	}
}

func TestIndexFollowsAModelThatChangesItsDimension(t *testing.T) {
	s := newShelf("a", "b", "c", "d")
	dim := 8
	var mu sync.Mutex
	e := embedder(func(r engine.EmbedRequest) ([][]float32, error) {
		mu.Lock()
		defer mu.Unlock()
		if strings.HasSuffix(r.Texts[0], "d") { // pulled anew just before the texts are embedded
			dim = 12
		}
		return letters(dim)(r)
	})
	indexUntil(t, Deps{Store: s, Embedder: e, Model: named("m")}, func(*Recall) bool { return s.ready("m", 12, 0) })
}

func TestChangingTheEmbedderKeepsTheOldVectorsUntilTheNewAreThere(t *testing.T) {
	s := newShelf("a", "b", "c")
	var mu sync.Mutex
	model := "old"
	hold := make(chan struct{})
	e := embedder(func(r engine.EmbedRequest) ([][]float32, error) {
		if r.Model == "new" && r.Priority == engine.PriorityBackground && strings.HasSuffix(r.Texts[0], "c") {
			<-hold
		}
		return letters(map[string]int{"old": 8, "new": 16}[r.Model])(r)
	})
	d := Deps{Store: s, Embedder: e, Patience: time.Minute, Model: func() string { mu.Lock(); defer mu.Unlock(); return model }}
	stage := 0
	indexUntil(t, d, func(r *Recall) bool {
		switch stage {
		case 0:
			if s.ready("old", 8, 0) && serves(r) == "old" {
				mu.Lock()
				model = "new"
				mu.Unlock()
				r.Wake()
				stage = 1
			}
		case 1: // the new one is at work
			got, v := queryVector(r, "question")
			if got != "old" || len(v) != 8 {
				t.Errorf("a query while re-embedding used %s (%d dimensions), want the old vectors", got, len(v))
			}
			close(hold)
			stage = 2
		case 2:
			got, v := queryVector(r, "question")
			return got == "new" && len(v) == 16 && len(s.droppedSets()) == 1
		}
		return false
	})
	if got := s.droppedSets(); !slices.Equal(got, []string{"old"}) {
		t.Errorf("dropped %v, want the old vectors", got)
	}
}

func (s *shelf) droppedSets() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.dropped)
}

func TestOldEmbedderDeletedNewOneServes(t *testing.T) {
	s := newShelf("a")
	s.saved[setKey{"old", 8}] = map[string][]float32{"a": make([]float32, 8)}
	e := embedder(func(r engine.EmbedRequest) ([][]float32, error) {
		if r.Model == "old" {
			return nil, memory.Errorf(memory.EMODEL, "embed", "model old not found")
		}
		return letters(16)(r)
	})
	r := New(Deps{Store: s, Embedder: e, Model: named("new"), Patience: time.Minute})
	if got, v := queryVector(r, "question"); got != "new" || len(v) != 16 {
		t.Errorf("query by %s (%d dimensions), want the new embedder", got, len(v))
	}
}

func TestAQueryWaitsOnlySoLongForItsVector(t *testing.T) {
	s := newShelf()
	release := make(chan struct{})
	defer close(release)
	calls := 0
	r := New(Deps{Store: s, Model: named("m"), Patience: time.Millisecond, Embedder: slow{release, &calls}})
	for i := range 5 {
		if _, v := queryVector(r, fmt.Sprint("question ", i)); v != nil {
			t.Fatal("got a vector from an embedder that does not answer")
		}
	}
	if calls != pauseAfter {
		t.Errorf("the embedder was asked %d times, want no more after %d failures", calls, pauseAfter)
	}
}

type slow struct {
	release chan struct{}
	calls   *int
}

func (s slow) Embed(ctx context.Context, _ engine.EmbedRequest) ([][]float32, error) {
	*s.calls++
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-s.release:
		return nil, errors.New("released")
	}
}

func TestPrefixes(t *testing.T) {
	for model, want := range map[string]prefixes{
		"multilingual-e5-small:latest": {"query: ", "passage: "},
		"nomic-embed-text":             {"search_query: ", "search_document: "},
		"bge-m3":                       {},
		"all-minilm:22m":               {},
		"mxbai-embed-large":            {query: "Represent this sentence for searching relevant passages: "},
		"snowflake-arctic-embed2":      {query: "query: "},
	} {
		if got := prefixesOf(model); got != want {
			t.Errorf("prefixesOf(%q) = %+v, want %+v", model, got, want)
		}
	}
	if got := prefixesOf("qwen3-embedding:0.6b"); !strings.HasPrefix(got.query, "Instruct: ") || got.passage != "" {
		t.Errorf("prefixes of qwen3-embedding = %+v", got)
	}
}

func TestTextsAreCutForSmallEmbedders(t *testing.T) {
	english, chinese := strings.Repeat("word ", 1000)+"end", strings.Repeat("字", 2000)+"末"
	if n := len(beginning(english)); n < 1000 || n > 1400 {
		t.Errorf("%d letters of English, want about 1,300", n)
	}
	if n := len([]rune(beginning(chinese))); n < 400 || n > 450 {
		t.Errorf("%d characters of Chinese, want about 440", n)
	}
	if !strings.HasSuffix(ending(english), "end") || !strings.HasSuffix(ending(chinese), "末") {
		t.Error("a long query loses its end")
	}
	if beginning("short") != "short" || ending("short") != "short" {
		t.Error("a short text is changed")
	}
}
