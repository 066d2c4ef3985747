package store

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"recollect/backend/memory"
)

// embedAll gives every waiting text a vector, and returns how many there were.
func (w *world) embedAll(model string, dim int) int {
	w.t.Helper()
	n := 0
	for {
		items, err := w.PendingEmbeddings(w.ctx, model, dim, true, 16)
		must(w.t, err)
		if len(items) == 0 {
			return n
		}
		var vectors []Embedding
		for _, it := range items {
			n++
			vectors = append(vectors, Embedding{Ref: it.Ref, View: it.View, Vector: vectorOf(uint64(n), dim)})
		}
		must(w.t, w.SaveEmbeddings(w.ctx, model, dim, vectors))
	}
}

// awaitCache waits until the vectors that a search has asked for are in memory.
func (w *world) awaitCache() {
	w.t.Helper()
	w.Store.work.Wait()
}

func (w *world) pending(model string) (done, pending int) {
	w.t.Helper()
	done, pending, err := w.EmbeddingCounts(w.ctx, model)
	must(w.t, err)
	return done, pending
}

func TestNewTextsWaitForTheirVectors(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	w.say(c.ID, memory.RoleUser, "one")
	items, err := w.PendingEmbeddings(w.ctx, "m", 8, true, 10)
	must(t, err)
	wantEqual(t, "waiting", len(items), 2)
	w.embedAll("m", 8)
	// A new message is in both views; the one before it has got a neighbour.
	w.say(c.ID, memory.RoleAssistant, "two")
	items, err = w.PendingEmbeddings(w.ctx, "m", 8, true, 10)
	must(t, err)
	var got []string
	for _, it := range items {
		got = append(got, it.View+" "+strings.ReplaceAll(it.Text, "\n", "/"))
	}
	want := []string{"own assistant: two", "ctx 2026-11-29/one/assistant: two", "ctx 2026-11-29/user: one/two"}
	if !slices.Equal(got, want) {
		t.Errorf("waiting are %q, want %q", got, want)
	}
	w.embedAll("m", 8)
	p := w.passage(a.ArchiveID, "three")
	wantEqual(t, "embedded", p.Embedded, false)
	w.embedAll("m", 8)
	p, err = w.Passage(w.ctx, p.ID)
	must(t, err)
	wantEqual(t, "embedded", p.Embedded, true)
	done, pending := w.pending("m")
	wantEqual(t, "done", done, 5) // two views of each message, one of the passage
	wantEqual(t, "pending", pending, 0)
}

func TestVectorsOutliveARestartAndAChangeOfEmbedder(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	for i := range 5 {
		w.passage(a.ArchiveID, fmt.Sprint("text ", i))
	}
	w.embedAll("old", 8)
	w.reopen()
	search := func(model string, dim int) int {
		hits, err := w.VectorSearch(w.ctx, VecQuery{Model: model, View: ViewOwn, Vector: vectorOf(1, dim), ArchiveID: a.ArchiveID})
		must(t, err)
		return len(hits)
	}
	_, err := w.PendingEmbeddings(w.ctx, "new", 16, true, 1) // another dimension
	must(t, err)
	_, pending := w.pending("new")
	wantEqual(t, "pending for the new model", pending, 5)
	wantEqual(t, "found with the old vectors meanwhile", search("old", 8), 5)
	wantEqual(t, "found with the new ones", search("new", 16), 0)
	w.embedAll("new", 16)
	must(t, w.DropEmbeddings(w.ctx, "old", 8))
	wantEqual(t, "found with the new ones", search("new", 16), 5)
	wantEqual(t, "found with the old ones", search("old", 8), 0)
}

func TestBadVectorsAreRefused(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	p := w.passage(a.ArchiveID, "text")
	_, err := w.PendingEmbeddings(w.ctx, "m", 8, true, 1)
	must(t, err)
	good := Embedding{Ref: Ref{KindPassage, p.ID}, View: ViewOwn, Vector: vectorOf(1, 8)}
	for name, v := range map[string][]float32{
		"short": vectorOf(1, 7), "zero": make([]float32, 8), "not a number": {float32(math.NaN()), 1, 1, 1, 1, 1, 1, 1},
	} {
		err := w.SaveEmbeddings(w.ctx, "m", 8, []Embedding{good, {Ref: good.Ref, View: ViewCtx, Vector: v}})
		if memory.CodeOf(err) != memory.EINVALID {
			t.Errorf("%s: %v", name, err)
		}
	}
	done, pending := w.pending("m")
	wantEqual(t, "done", done, 0)
	wantEqual(t, "pending", pending, 1)
	must(t, w.SaveEmbeddings(w.ctx, "m", 8, []Embedding{good, {Ref: Ref{KindPassage, "passage-gone"}, View: ViewOwn, Vector: good.Vector}}))
}

func TestPoisonousTextIsSetAsideUntilItChanges(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	bad, good := w.passage(a.ArchiveID, "poison"), w.passage(a.ArchiveID, "fine")
	_, err := w.PendingEmbeddings(w.ctx, "m", 8, true, 10)
	must(t, err)
	must(t, w.QuarantineEmbedding(w.ctx, "m", KindPassage, bad.ID, "the engine failed"))
	items, err := w.PendingEmbeddings(w.ctx, "m", 8, true, 10)
	must(t, err)
	for _, it := range items {
		wantEqual(t, "waiting", it.ID, good.ID)
	}
	cured := "cured"
	_, _, err = w.UpdatePassage(w.ctx, bad.ID, memory.PassageChange{Text: &cured}, byUser)
	must(t, err)
	_, pending := w.pending("m")
	wantEqual(t, "pending", pending, 2)
}

// The vectors in memory and those in the file give the same ten, whatever the filter.
func TestMemoryAndFileFindTheSame(t *testing.T) {
	const dim = 48
	w := newWorld(t, func(o *Options) { o.VectorCacheBytes = 8 << 20 })
	a, b := w.agent(), w.agent()
	c := w.conversation(a)
	for i := range 150 {
		w.say(c.ID, []memory.Role{memory.RoleUser, memory.RoleAssistant}[i%2], fmt.Sprint("message ", i))
		w.passage(a.ArchiveID, fmt.Sprint("passage ", i))
		w.passage(b.ArchiveID, fmt.Sprint("of another ", i))
		w.pass(1e9)
	}
	w.embedAll("m", dim)
	middle := w.now().Add(-75e9)
	filters := map[string]func(*VecQuery){
		"all":      func(*VecQuery) {},
		"messages": func(q *VecQuery) { q.Kinds = []string{KindMessage} },
		"passages": func(q *VecQuery) { q.Kinds = []string{KindPassage} },
		"role":     func(q *VecQuery) { q.Roles = []memory.Role{memory.RoleUser} },
		"after":    func(q *VecQuery) { q.After = middle },
		"before":   func(q *VecQuery) { q.Before = middle },
	}
	search := func(seed uint64, view string, f func(*VecQuery)) []VecHit {
		q := VecQuery{Model: "m", View: view, Vector: vectorOf(seed, dim), AgentID: a.ID, ArchiveID: a.ArchiveID, K: 10}
		f(&q)
		hits, err := w.VectorSearch(w.ctx, q)
		must(t, err)
		wantEqual(t, "hits", len(hits), 10)
		return hits
	}
	compare := func(t *testing.T) {
		for name, f := range filters {
			views := []string{ViewOwn, ViewCtx}
			if name == "passages" { // they have no neighbours
				views = views[:1]
			}
			for _, view := range views {
				for seed := range uint64(5) {
					cached := search(seed+5000, view, f)
					w.vectors.limit = 0
					filed := search(seed+5000, view, f)
					w.vectors.limit = 8 << 20
					for i := range cached {
						if cached[i].Ref != filed[i].Ref || math.Abs(cached[i].Cosine-filed[i].Cosine) > 1e-5 {
							t.Fatalf("%s, %s: place %d is %v in memory and %v in the file", name, view, i, cached[i], filed[i])
						}
					}
				}
			}
		}
	}
	for _, view := range []string{ViewOwn, ViewCtx} {
		search(1, view, filters["all"])
	}
	w.awaitCache()
	stats, err := w.Stats(w.ctx)
	must(t, err)
	if stats.VectorBytes == 0 {
		t.Fatal("nothing is in memory")
	}
	t.Run("as loaded", compare)
	// What changes while the vectors are in memory changes there too.
	nearest := search(1, ViewOwn, filters["passages"])[0]
	_, err = w.DeletePassage(w.ctx, nearest.ID, byUser)
	must(t, err)
	for _, h := range search(1, ViewOwn, filters["passages"]) {
		if h.ID == nearest.ID {
			t.Error("a deleted passage is found")
		}
	}
	must(t, w.SaveEmbeddings(w.ctx, "m", dim, []Embedding{{
		Ref: search(2, ViewOwn, filters["all"])[3].Ref, View: ViewOwn, Vector: vectorOf(4, dim),
	}}))
	w.say(c.ID, memory.RoleUser, "one more")
	w.embedAll("m", dim)
	t.Run("after changes", compare)
}

func TestVectorsThatDoNotFitAreSearchedInTheFile(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.VectorCacheBytes = 1000 })
	a := w.agent()
	for i := range 20 {
		w.passage(a.ArchiveID, fmt.Sprint("text ", i))
	}
	w.embedAll("m", 32)
	for range 2 {
		hits, err := w.VectorSearch(w.ctx, VecQuery{Model: "m", View: ViewOwn, Vector: vectorOf(1, 32), ArchiveID: a.ArchiveID})
		must(t, err)
		wantEqual(t, "found", len(hits), 20)
		w.awaitCache()
	}
	stats, err := w.Stats(w.ctx)
	must(t, err)
	if stats.VectorBytes > 1000 {
		t.Errorf("%d bytes in memory", stats.VectorBytes)
	}
}

func TestVectorCacheCanBeResized(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	for i := range 20 {
		w.passage(a.ArchiveID, fmt.Sprint("text ", i))
	}
	w.embedAll("m", 32)
	inMemory := func() int64 {
		_, err := w.VectorSearch(w.ctx, VecQuery{Model: "m", View: ViewOwn, Vector: vectorOf(1, 32), ArchiveID: a.ArchiveID})
		must(t, err)
		w.awaitCache()
		stats, err := w.Stats(w.ctx)
		must(t, err)
		return stats.VectorBytes
	}
	wantEqual(t, "without a cache", inMemory(), 0)
	w.SetVectorCache(1000)
	wantEqual(t, "in one that is too small", inMemory(), 0)
	w.SetVectorCache(1 << 20)
	if inMemory() == 0 {
		t.Error("nothing is in the larger cache")
	}
	w.SetVectorCache(0)
	wantEqual(t, "when it is switched off", inMemory(), 0)
}

// What recall compares is the same from memory and from the file: of a long text the vectors of all its pieces.
func TestVectorsOfItems(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.VectorCacheBytes = 8 << 20 })
	a := w.agent()
	c := w.conversation(a)
	short := w.say(c.ID, memory.RoleUser, "short")
	long := w.say(c.ID, memory.RoleAssistant, strings.Repeat("A sentence of seven words, no more. ", 200))
	passage := w.passage(a.ArchiveID, "a passage")
	w.embedAll("m", 8)
	items, err := w.Items(w.ctx, []Ref{{KindMessage, short.ID}, {KindMessage, long.ID}, {KindPassage, passage.ID}})
	must(t, err)
	read := func(view string) [][][]float32 {
		vectors, err := w.ItemVectors(w.ctx, "m", view, 8, items)
		must(t, err)
		return vectors
	}
	counts := func(view string) (n []int) {
		for _, v := range read(view) {
			n = append(n, len(v))
		}
		return n
	}
	ofFile := [][][][]float32{read(ViewOwn), read(ViewCtx)}
	if own, ctx := counts(ViewOwn), counts(ViewCtx); own[0] != 1 || own[1] < 3 || own[2] != 1 || ctx[0] != 1 || ctx[1] != 1 || ctx[2] != 0 {
		t.Errorf("vectors of themselves: %d, of their contexts: %d", own, ctx)
	}
	for _, view := range []string{ViewOwn, ViewCtx} {
		_, err := w.VectorSearch(w.ctx, VecQuery{Model: "m", View: view, Vector: vectorOf(1, 8), AgentID: a.ID})
		must(t, err)
	}
	w.awaitCache()
	if w.Store.vectors.bytes() == 0 {
		t.Fatal("the vectors are not in memory")
	}
	for i, view := range []string{ViewOwn, ViewCtx} {
		for n, vectors := range read(view) {
			for _, v := range vectors {
				if !slices.ContainsFunc(ofFile[i][n], func(o []float32) bool { return slices.Equal(o, v) }) {
					t.Errorf("%s of item %d: %v is not in the file", view, n, v)
				}
			}
			wantEqual(t, "vectors", len(vectors), len(ofFile[i][n]))
		}
	}
	none, err := w.ItemVectors(w.ctx, "another", ViewOwn, 8, items)
	must(t, err)
	wantEqual(t, "items without vectors", len(none), len(items))
}
