package recall

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// sameVector is the least cosine of two vectors of one text by one embedder; batches and machines make less difference.
const sameVector = 0.999

// canary compares the vector of a known text with the one that the embedder gave for it when its vectors were first made.
// Another one means another model of that name, or an engine that runs it differently: what is stored and what is asked
// would lie in different spaces without anything failing. Then all texts wait for a vector again.
func (x *indexRun) canary(ctx context.Context, now []float32) error {
	r, key := x.r, "canary."+x.model
	raw, err := r.deps.Store.Learned(ctx, key)
	if err != nil {
		return err
	}
	var before []float32
	if raw != nil {
		if err := json.Unmarshal(raw, &before); err != nil {
			before = nil // unreadable is as if there were none
		}
	}
	if len(before) == len(now) && dot(before, now) >= sameVector {
		return nil
	}
	if before != nil {
		r.deps.Log.Warn("the embedder gives other vectors than before; all texts are embedded anew", "model", x.model)
		if err := r.deps.Store.DropEmbeddings(ctx, x.model, len(before)); err != nil {
			return fmt.Errorf("drop the old vectors of %s: %w", x.model, err)
		}
		r.forget(x.model)
	}
	if raw, err = json.Marshal(now); err != nil {
		return err
	}
	return r.deps.Store.SetLearned(ctx, key, raw)
}

// forget lets go of what is known about an embedder's vectors.
func (r *Recall) forget(model string) {
	r.queries.forget(model)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.probes, model)
}

// forget lets go of a model's vectors of queries.
func (q *queryVectors) forget(model string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	of := func(k queryKey) bool { return k.model == model }
	maps.DeleteFunc(q.kept, func(k queryKey, _ []float32) bool { return of(k) })
	q.order = slices.DeleteFunc(q.order, of)
}

// Recheck has the index look whether the embedders still give the vectors that they gave, as after another engine has
// started.
func (r *Recall) Recheck() {
	r.recheck.Store(true)
	r.Wake()
}
