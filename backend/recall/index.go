package recall

import (
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/store"
)

const (
	maxBatch      = 16              // texts a request
	idleCheck     = 5 * time.Minute // the index looks by itself whether something is pending
	progressPause = 500 * time.Millisecond
)

// backoff returns how long the index waits after its n-th failure in a row.
func backoff(n int) time.Duration {
	return min(time.Second<<min(n-1, 10), 5*time.Minute)
}

// Wake tells the index that there may be something to embed, or another embedder.
func (r *Recall) Wake() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// Index embeds what has no vector yet, newest first, until ctx ends; it returns ctx's error. Failures leave texts
// pending and are tried again later, also after a restart; only a text that the embedder refuses while it takes others
// is put aside. While another embedder takes over, its predecessor's vectors serve and are dropped in the end.
func (r *Recall) Index(ctx context.Context) error {
	run := indexRun{r: r}
	for failures := 0; ; {
		more, err := run.step(ctx)
		wait := idleCheck
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			failures++
			wait = r.retry(failures)
			r.deps.Log.Warn("embedding has to wait", "error", err, "retry_in", wait)
		default:
			failures = 0
			if more {
				continue
			}
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-r.wake:
			timer.Stop()
		case <-timer.C:
		}
	}
}

// indexRun is what Index knows between its steps.
type indexRun struct {
	r        *Recall
	model    string
	dim      int // of the model's vectors; 0 = not asked yet
	busy     bool
	made     int       // vectors since there was nothing to do
	progress time.Time // last event
}

// step embeds one batch and tells whether there may be more.
func (x *indexRun) step(ctx context.Context) (more bool, err error) {
	r := x.r
	model := r.deps.Model()
	if model == "" || r.deps.Embedder == nil {
		return false, nil
	}
	if r.recheck.Swap(false) || model != x.model {
		x.model, x.dim = model, 0
	}
	if x.dim == 0 {
		v, err := x.try(ctx)
		if err != nil {
			return false, err
		}
		if err := x.canary(ctx, v); err != nil {
			return false, err
		}
		x.dim = len(v)
		r.chooseServing(ctx, model)
	}
	if err := r.Calibrate(ctx, model); err != nil {
		return false, err
	}
	items, err := r.deps.Store.PendingEmbeddings(ctx, model, x.dim, true, maxBatch)
	if err != nil {
		return false, fmt.Errorf("list what is to be embedded: %w", err)
	}
	if len(items) == 0 {
		return false, x.finish(ctx)
	}
	x.busy = true
	if err := x.embed(ctx, items); err != nil {
		return false, err
	}
	x.made += len(items)
	return true, x.report(ctx, false)
}

// try asks the model for the vector of a known text, which tells its dimension and that it works.
func (x *indexRun) try(ctx context.Context) ([]float32, error) {
	vs, err := embed(ctx, x.r.deps.Embedder, x.model, engine.PriorityBackground, []string{prefixesOf(x.model).passage + probeTexts[0]})
	if err != nil {
		return nil, err
	}
	return vs[0], nil
}

// embed makes and saves the vectors of the items. A batch that fails because of its texts is cut, where the engine
// says or in the middle, until the text at fault stands alone.
func (x *indexRun) embed(ctx context.Context, items []store.EmbedItem) error {
	texts := make([]string, len(items))
	for i, it := range items {
		texts[i] = prefixesOf(x.model).passage + beginning(it.Text)
	}
	vs, err := embed(ctx, x.r.deps.Embedder, x.model, engine.PriorityBackground, texts)
	if err == nil && len(vs[0]) != x.dim {
		x.dim = 0 // the model has been replaced by another of the same name
		return memory.Errorf(memory.EMODEL, "embed", "the vectors of %s have changed their dimension to %d", x.model, len(vs[0]))
	}
	if err == nil {
		out := make([]store.Embedding, len(items))
		for i, it := range items {
			out[i] = store.Embedding{Ref: it.Ref, View: it.View, Vector: vs[i]}
		}
		if err := x.r.deps.Store.SaveEmbeddings(ctx, x.model, x.dim, out); err != nil {
			return fmt.Errorf("save vectors: %w", err)
		}
		return nil
	}
	if !textsAtFault(err) || ctx.Err() != nil {
		return err
	}
	if len(items) > 1 {
		cuts := []int{0, len(items) / 2, len(items)}
		var poison *engine.EmbedError
		if errors.As(err, &poison) && poison.Index >= 0 && poison.Index < len(items) {
			cuts = []int{0, poison.Index, poison.Index + 1, len(items)}
		}
		for i, to := range cuts[1:] {
			if part := items[cuts[i]:to]; len(part) > 0 {
				if err := x.embed(ctx, part); err != nil {
					return err
				}
			}
		}
		return nil
	}
	// Is it this text, or does the embedder fail with every text? Then nothing may be put aside.
	if _, broken := x.try(ctx); broken != nil {
		return err
	}
	x.r.deps.Log.Warn("a text cannot be embedded and is put aside", "model", x.model, "kind", items[0].Kind, "id", items[0].ID, "error", err)
	if err := x.r.deps.Store.QuarantineEmbedding(ctx, x.model, items[0].Kind, items[0].ID, err.Error()); err != nil {
		return fmt.Errorf("put a text aside: %w", err)
	}
	return nil
}

// textsAtFault tells whether an error may be due to one of the texts, rather than to engine, model or database.
func textsAtFault(err error) bool {
	var poison *engine.EmbedError
	var bad *badVectors
	if errors.As(err, &poison) || errors.As(err, &bad) {
		return true
	}
	switch memory.CodeOf(err) {
	case memory.EINVALID, memory.EOVERFLOW, memory.EMALFORMED:
		return true
	}
	return false
}

// finish reports the end of the work and lets the vectors of earlier embedders go.
func (x *indexRun) finish(ctx context.Context) error {
	if !x.busy && x.settled() {
		return nil
	}
	if err := x.report(ctx, true); err != nil {
		return err
	}
	x.busy = false
	if x.made > 0 {
		x.r.deps.Done(x.model, x.made)
	}
	x.made = 0
	sets, err := x.r.deps.Store.EmbeddingSets(ctx)
	if err != nil {
		return fmt.Errorf("list vectors: %w", err)
	}
	x.r.serve(x.model)
	for _, s := range sets {
		if s.Model == x.model && s.Dim == x.dim {
			continue
		}
		if err := x.r.deps.Store.DropEmbeddings(ctx, s.Model, s.Dim); err != nil {
			return fmt.Errorf("drop the vectors of %s: %w", s.Model, err)
		}
	}
	return nil
}

// settled tells whether the model's own vectors serve already.
func (x *indexRun) settled() bool {
	x.r.mu.Lock()
	defer x.r.mu.Unlock()
	return x.r.serving == x.model && x.r.servingOf == x.model
}

// report publishes how far the index is, twice a second at most.
func (x *indexRun) report(ctx context.Context, now bool) error {
	if t := x.r.deps.Clock(); now || t.Sub(x.progress) >= progressPause {
		sets, err := x.r.deps.Store.EmbeddingSets(ctx)
		if err != nil {
			return fmt.Errorf("count vectors: %w", err)
		}
		for _, s := range sets {
			if s.Model == x.model && s.Dim == x.dim {
				x.r.deps.Publish(memory.Event{
					Type: "embed.progress",
					Data: map[string]any{"model": x.model, "pending": s.Pending, "total": s.Pending + s.Done},
				})
			}
		}
		x.progress = t
	}
	return nil
}
