package bench

import (
	"context"
	"fmt"

	"recollect/backend/eval"
	"recollect/backend/store"
)

// hybrid measures hybrid search against bare FTS5.
func hybrid(ctx context.Context, o Options) ([]Result, error) {
	b := eval.BenchOptions{Dir: o.Dir, Progress: func(s string) { o.note("%s", s) }}
	if o.Quick {
		b.Messages, b.Queries = 6_000, 50
	}
	figures, err := eval.BenchSearch(ctx, b)
	results := make([]Result, 0, len(figures))
	for _, f := range figures {
		r := Result{Name: f.Name, Value: &f.Value, Unit: f.Unit, Bar: &f.Bar, Better: Lower, OK: f.OK, Reason: f.Reason}
		if f.Higher {
			r.Better = Higher
		}
		if f.OK != nil && f.Rival > 0 {
			r.Rival, r.Ratio = &f.Rival, &f.Ratio
		}
		results = append(results, r)
	}
	return results, err
}

// vectors measures exact vector search over the passages of the house: in the cache, beside a plain scan in memory, and
// without it in vec0. All three must find the same.
func (h *house) vectors(ctx context.Context, o Options) ([]Result, error) {
	st, err := h.open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { _ = st.Close() }()
	agents, err := st.Agents(ctx)
	if err != nil {
		return nil, err
	}
	const k = 10
	rounds := 40
	if o.Quick {
		rounds = 8
	}
	flat := newScan(h.passages, eval.BenchDimension)
	search := func(v []float32) ([]store.VecHit, error) {
		return st.VectorSearch(ctx, store.VecQuery{Model: eval.BenchModel, View: store.ViewOwn, Vector: v, ArchiveID: agents[0].ArchiveID, K: k})
	}
	var cached, plain, file []float64
	for i := range rounds + 2 {
		v := h.world.Vector(h.world.Query())
		ours, err := timed(func() error { _, err := search(v); return err })
		if err != nil {
			return nil, err
		}
		scan, err := timed(func() error { flat.nearest(v, k); return nil })
		if err != nil {
			return nil, err
		}
		if i >= 2 { // the first one loads the cache
			cached, plain = append(cached, ours), append(plain, scan)
		}
	}
	v := h.world.Vector(h.world.Query())
	inCache, err := search(v)
	if err != nil {
		return nil, err
	}
	st.SetVectorCache(0)
	for range rounds/4 + 1 {
		ms, err := timed(func() error { _, err := search(h.world.Vector(h.world.Query())); return err })
		if err != nil {
			return nil, err
		}
		file = append(file, ms)
	}
	inFile, err := search(v)
	if err != nil {
		return nil, err
	}
	if err := same(inCache, inFile); err != nil {
		return nil, err
	}
	name := fmt.Sprintf("exact vector search, %d × %d, cached", h.passages, eval.BenchDimension)
	ours := percentile(cached, 50)
	return []Result{
		lower(name+", against a plain scan in memory", ours, "ms", 15).against(percentile(plain, 50)),
		lower(name+", against vec0", ours, "ms", 15).against(percentile(file, 50)),
	}, nil
}

// same says whether two searches found the same; texts that are equally near may change places.
func same(a, b []store.VecHit) error {
	if len(a) != len(b) {
		return fmt.Errorf("the cache found %d texts and vec0 %d", len(a), len(b))
	}
	for i := range a {
		if d := a[i].Cosine - b[i].Cosine; d > 1e-4 || d < -1e-4 {
			return fmt.Errorf("at place %d the cache found %.5f and vec0 %.5f", i+1, a[i].Cosine, b[i].Cosine)
		}
	}
	return nil
}

// scan is the rival: all vectors in one slice, read from its start to its end.
type scan struct {
	vectors []float32
	dim     int
}

func newScan(n, dim int) scan {
	s := scan{vectors: make([]float32, n*dim), dim: dim}
	state := uint32(1)
	for i := range s.vectors {
		state = state*1664525 + 1013904223
		s.vectors[i] = float32(int32(state)) / (1 << 31)
	}
	return s
}

// near is a vector and its product with the query.
type near struct {
	row     int
	product float32
}

func (s scan) nearest(query []float32, k int) []near {
	best := make([]near, 0, k+1)
	for row := range len(s.vectors) / s.dim {
		v := s.vectors[row*s.dim:][:s.dim]
		var sum [4]float32
		for i := 0; i+4 <= len(v) && i+4 <= len(query); i += 4 {
			sum[0] += v[i] * query[i]
			sum[1] += v[i+1] * query[i+1]
			sum[2] += v[i+2] * query[i+2]
			sum[3] += v[i+3] * query[i+3]
		}
		n := near{row, sum[0] + sum[1] + sum[2] + sum[3]}
		if len(best) == k && n.product <= best[k-1].product {
			continue
		}
		at := len(best)
		for at > 0 && best[at-1].product < n.product {
			at--
		}
		best = append(best[:at], append([]near{n}, best[at:]...)...)
		best = best[:min(len(best), k)]
	}
	return best
}
