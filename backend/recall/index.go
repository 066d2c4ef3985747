package recall

import (
	"context"
	"errors"
	"fmt"
	"slices"
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

// Index embeds what has no vector yet, newest first, until ctx ends; it returns ctx's error. What the app's embedder has to
// do comes before what archives' own ones have, and one is done before the next begins, so that no two take each other's
// place in memory. Failures leave texts pending and are tried again later, also after a restart; only a text that the embedder
// refuses while it takes others is put aside. One embedder that fails keeps no other from its work. While another embedder
// takes over, its predecessor's vectors serve and are dropped in the end.
func (r *Recall) Index(ctx context.Context) error {
	x := index{r: r}
	for {
		more, wait := x.round(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case more:
			continue
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-r.wake:
			timer.Stop()
			for _, run := range x.runs {
				run.resume = time.Time{}
			}
		case <-timer.C:
		}
	}
}

// index is what Index knows between its steps.
type index struct {
	r        *Recall
	runs     []*indexRun
	failures int // in a row, of finding out which models there are
}

// round lets the first model embed a batch that has something to do, and tells whether there may be more, else how long to
// wait.
func (x *index) round(ctx context.Context) (more bool, wait time.Duration) {
	if err := x.follow(ctx); err != nil {
		x.failures++
		wait = x.r.retry(x.failures)
		x.r.deps.Log.Warn("embedding has to wait", "error", err, "retry_in", wait)
		return false, wait
	}
	x.failures = 0
	wait = idleCheck
	for _, run := range x.runs {
		if left := time.Until(run.resume); left > 0 {
			wait = min(wait, left)
			continue
		}
		more, err := run.step(ctx)
		if ctx.Err() != nil {
			return false, 0
		}
		x.r.trouble(run.model, err)
		if err != nil {
			run.failures++
			pause := x.r.retry(run.failures)
			run.resume, wait = time.Now().Add(pause), min(wait, pause)
			x.r.deps.Log.Warn("embedding has to wait", "model", run.model, "error", err, "retry_in", pause)
			continue
		}
		run.failures = 0
		if more {
			return true, 0
		}
	}
	return false, wait
}

// follow keeps a run for each model that is to embed something, the app's first.
func (x *index) follow(ctx context.Context) error {
	if x.r.recheck.Swap(false) {
		x.runs = nil
	}
	models, err := x.r.Models(ctx)
	if err != nil {
		return fmt.Errorf("read the archives' embedders: %w", err)
	}
	runs := make([]*indexRun, len(models))
	for i, model := range models {
		at := slices.IndexFunc(x.runs, func(run *indexRun) bool { return run.model == model })
		if at < 0 {
			runs[i] = &indexRun{r: x.r, model: model}
		} else {
			runs[i] = x.runs[at]
		}
	}
	x.runs = runs
	return nil
}

// Models returns the models that are to embed something, the app's first, then those that archives name.
func (r *Recall) Models(ctx context.Context) ([]string, error) {
	if r.deps.Embedder == nil {
		return nil, nil
	}
	models, err := r.deps.Store.ArchiveEmbedders(ctx)
	if app := r.deps.Model(); app != "" {
		models = append([]string{app}, slices.DeleteFunc(models, func(m string) bool { return m == app })...)
	}
	return models, err
}

// trouble notes why a model makes no vectors, nil where it does, and says so when that changes.
func (r *Recall) trouble(model string, err error) {
	r.mu.Lock()
	before := r.problems[model]
	r.problems[model] = err
	r.mu.Unlock()
	if (before == nil) == (err == nil) {
		return
	}
	data := map[string]any{"model": model}
	if err != nil {
		data["problem"] = memory.ProblemOf(err)
	}
	r.deps.Publish(memory.Event{Type: "embed.trouble", Data: data})
}

// indexRun is what is known of one model between its steps.
type indexRun struct {
	r        *Recall
	model    string
	dim      int // of the model's vectors; 0 = not asked yet
	failures int // in a row
	resume   time.Time
	busy     bool
	settled  bool      // has been reported
	made     int       // vectors since there was nothing to do
	progress time.Time // last event
}

// step embeds one batch and tells whether there may be more.
func (x *indexRun) step(ctx context.Context) (more bool, err error) {
	r := x.r
	if x.dim == 0 {
		v, err := x.try(ctx)
		if err != nil {
			return false, err
		}
		if err := x.canary(ctx, v); err != nil {
			return false, err
		}
		x.dim, x.settled = len(v), false
	}
	if err := r.Calibrate(ctx, x.model); err != nil {
		return false, err
	}
	items, err := r.deps.Store.PendingEmbeddings(ctx, x.model, x.dim, x.model == r.deps.Model(), maxBatch)
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

// finish reports the end of the work and lets the vectors go that other models have of the same.
func (x *indexRun) finish(ctx context.Context) error {
	if x.busy || !x.settled {
		if err := x.report(ctx, true); err != nil {
			return err
		}
	}
	x.busy, x.settled = false, true
	if x.made > 0 {
		x.r.deps.Done(x.model, x.made)
	}
	x.made = 0
	x.r.ask()
	if _, err := x.r.deps.Store.DropReplaced(ctx, x.model, x.dim); err != nil {
		return fmt.Errorf("drop the vectors that those of %s replace: %w", x.model, err)
	}
	return nil
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
