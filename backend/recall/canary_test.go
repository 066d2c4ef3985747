package recall

import (
	"sync/atomic"
	"testing"

	"recollect/backend/engine"
)

// turned is letters with its axes in another order: an embedder whose vectors have nothing to do with those before.
func turned(dim int) embedder {
	return func(r engine.EmbedRequest) ([][]float32, error) {
		vs, err := letters(dim)(r)
		for _, v := range vs {
			for i := range len(v) / 2 {
				v[i], v[len(v)-1-i] = v[len(v)-1-i], v[i]
			}
		}
		return vs, err
	}
}

// drops returns how often vectors were dropped.
func (s *shelf) drops() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.dropped)
}

func TestEmbedderThatChangesItsVectorsIsFoundOut(t *testing.T) {
	s := newShelf("a memory of the garden", "another of the sea")
	deps := func(e embedder) Deps { return Deps{Store: s, Embedder: e, Model: named("m")} }
	done := func(r *Recall) bool { return s.ready("m", 8, 0) && serves(r) == "m" }
	indexUntil(t, deps(letters(8)), done)
	before := s.saved[setKey{"m", 8}]["a memory of the garden"]

	// the same embedder again: nothing is embedded anew
	indexUntil(t, deps(letters(8)), done)
	if len(s.dropped) != 0 {
		t.Fatalf("dropped %v", s.dropped)
	}
	// another one under the same name, of the same dimension
	indexUntil(t, deps(turned(8)), func(r *Recall) bool { return s.drops() == 1 && done(r) })
	if after := s.saved[setKey{"m", 8}]["a memory of the garden"]; dot(before, after) > sameVector {
		t.Errorf("the vector is still %v", after)
	}
	indexUntil(t, deps(turned(8)), done)
	if len(s.dropped) != 1 {
		t.Errorf("dropped %v", s.dropped)
	}
}

// A new engine is looked at while the app runs.
func TestEmbedderIsCheckedAgainWhenAskedTo(t *testing.T) {
	s := newShelf("a memory of the garden")
	var other atomic.Bool
	deps := Deps{Store: s, Model: named("m"), Embedder: embedder(func(r engine.EmbedRequest) ([][]float32, error) {
		if other.Load() {
			return turned(8)(r)
		}
		return letters(8)(r)
	})}
	first := true
	indexUntil(t, deps, func(r *Recall) bool {
		if first && s.ready("m", 8, 0) && serves(r) == "m" {
			first = false
			other.Store(true)
			r.Recheck()
		}
		return s.drops() == 1 && s.ready("m", 8, 0)
	})
}
