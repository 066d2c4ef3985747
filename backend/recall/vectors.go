package recall

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/store"
)

const (
	cachedQueries = 256              // query vectors kept
	pauseAfter    = 3                // failures in a row after which queries go without a vector …
	pause         = 20 * time.Second // … for this long
)

// queryVectors makes and keeps the vectors of queries. A turn waits for one only so long, and not at all while the
// embedder keeps failing.
type queryVectors struct {
	embedder Embedder
	now      memory.Clock

	mu       sync.Mutex
	kept     map[queryKey][]float32
	order    []queryKey
	failures int
	resume   time.Time
}

type queryKey struct{ model, text string }

func newQueryVectors(e Embedder, now memory.Clock) *queryVectors {
	return &queryVectors{embedder: e, now: now, kept: map[queryKey][]float32{}}
}

// get returns the vector of a query, of length 1.
func (q *queryVectors) get(ctx context.Context, model, text string) ([]float32, error) {
	key := queryKey{model, text}
	q.mu.Lock()
	v, ok := q.kept[key]
	paused := q.failures >= pauseAfter && q.now().Before(q.resume)
	q.mu.Unlock()
	switch {
	case ok:
		return v, nil
	case paused:
		return nil, memory.Errorf(memory.EBUSY, "embed query", "the embedder failed %d times in a row; trying again later", pauseAfter)
	}
	views := []string{prefixesOf(model).query + ending(text)}
	if late := lately(text); late != "" {
		views = append(views, prefixesOf(model).query+ending(late))
	}
	vs, err := embed(ctx, q.embedder, model, engine.PriorityQuery, views)
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil {
		q.failures++
		q.resume = q.now().Add(pause)
		return nil, err
	}
	q.failures = 0
	v = mean(vs)
	if len(q.order) == cachedQueries {
		delete(q.kept, q.order[0])
		q.order = q.order[1:]
	}
	if _, twice := q.kept[key]; !twice {
		q.order = append(q.order, key)
	}
	q.kept[key] = v
	return v, nil
}

// mean returns the direction of vectors taken together: the cosine with it is the mean of theirs, but for a factor.
func mean(vs [][]float32) []float32 {
	if len(vs) == 1 {
		return vs[0]
	}
	sum := make([]float32, len(vs[0]))
	for _, v := range vs {
		for i, x := range v {
			sum[i] += x
		}
	}
	if u := unit(sum); u != nil {
		return u
	}
	return vs[0]
}

// embed returns one vector of length 1 for each text. It fails when the engine returns another number of vectors, or
// vectors of different dimensions, or one that has no direction.
func embed(ctx context.Context, e Embedder, model string, p engine.Priority, texts []string) ([][]float32, error) {
	vs, err := e.Embed(ctx, engine.EmbedRequest{Model: model, Texts: texts, Priority: p})
	if err != nil {
		return nil, err
	}
	if len(vs) != len(texts) {
		return nil, &badVectors{fmt.Sprintf("the embedder returned %d vectors for %d texts", len(vs), len(texts))}
	}
	for i, v := range vs {
		if len(v) == 0 || len(v) != len(vs[0]) {
			return nil, &badVectors{fmt.Sprintf("the embedder returned vectors of %d and %d dimensions", len(vs[0]), len(v))}
		}
		if vs[i] = unit(v); vs[i] == nil {
			return nil, &badVectors{"the embedder returned a vector of zeros or of no numbers"}
		}
	}
	return vs, nil
}

// badVectors says that the embedder answered, but not with one usable vector a text.
type badVectors struct{ reason string }

func (b *badVectors) Error() string { return b.reason }

// unit returns v at length 1, nil where that is impossible.
func unit(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 || math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil
	}
	scale := 1 / math.Sqrt(sum)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) * scale)
	}
	return out
}

func dot(a, b []float32) float64 {
	var sum float64
	for i, x := range a[:min(len(a), len(b))] {
		sum += float64(x) * float64(b[i])
	}
	return sum
}

// queryVector returns the vector of the text by the model whose vectors serve now, nil when there is none in time.
func (r *Recall) queryVector(ctx context.Context, text string) (model string, v []float32) {
	if r.deps.Embedder == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(ctx, r.deps.Patience)
	defer cancel()
	model = r.servingModel(ctx)
	if model == "" {
		return "", nil
	}
	v, err := r.queries.get(ctx, model, text)
	if memory.CodeOf(err) == memory.EMODEL && model != r.deps.Model() { // the old embedder has been deleted
		r.serve(r.deps.Model())
		model = r.deps.Model()
		if model == "" {
			return "", nil
		}
		v, err = r.queries.get(ctx, model, text)
	}
	if err != nil {
		r.deps.Log.Info("searching without vectors", "model", model, "error", err)
		return model, nil
	}
	return model, v
}

// commonFrom is how many contexts it takes to know what they have in common.
const commonFrom = 20

// near sets the cosines of all candidates, however they were found. The contexts of a long conversation resemble each other:
// what is nearer than most shows better once their mean is taken away.
func (r *Recall) near(ctx context.Context, model string, query []float32, all []*candidate) error {
	items := make([]store.Item, len(all))
	for i, c := range all {
		items[i] = c.Item
	}
	own, err := r.deps.Store.ItemVectors(ctx, model, store.ViewOwn, len(query), items)
	if err != nil {
		return fmt.Errorf("vectors of the candidates: %w", err)
	}
	around, err := r.deps.Store.ItemVectors(ctx, model, store.ViewCtx, len(query), items)
	if err != nil {
		return fmt.Errorf("vectors of the candidates' contexts: %w", err)
	}
	var known [][]float32
	for i, c := range all {
		for _, v := range own[i] {
			c.own = max(c.own, dot(query, v))
		}
		for _, v := range around[i] {
			c.ctx = max(c.ctx, dot(query, v))
			known = append(known, v)
		}
		c.context = c.ctx
	}
	if len(known) < commonFrom {
		return nil
	}
	common := average(known)
	apart := less(query, common)
	for i, c := range all {
		for _, v := range around[i] {
			if u := unit(less(v, common)); u != nil {
				c.context = dot(apart, u)
			}
		}
	}
	return nil
}

// average returns the mean of vectors.
func average(vs [][]float32) []float32 {
	sum := make([]float32, len(vs[0]))
	for _, v := range vs {
		for i, x := range v {
			sum[i] += x
		}
	}
	for i := range sum {
		sum[i] /= float32(len(vs))
	}
	return sum
}

// less returns a − b.
func less(a, b []float32) []float32 {
	d := make([]float32, len(a))
	for i, x := range a {
		d[i] = x - b[i]
	}
	return d
}

// servingModel returns the model whose vectors answer queries: the configured one, or the one before it as long as
// the configured one has not embedded everything.
func (r *Recall) servingModel(ctx context.Context) string {
	configured := r.deps.Model()
	if configured == "" {
		return ""
	}
	r.mu.Lock()
	serving, of := r.serving, r.servingOf
	r.mu.Unlock()
	if serving != "" && of == configured {
		return serving
	}
	return r.chooseServing(ctx, configured)
}

// chooseServing looks up which vectors are there.
func (r *Recall) chooseServing(ctx context.Context, configured string) string {
	sets, err := r.deps.Store.EmbeddingSets(ctx)
	if err != nil {
		return configured
	}
	serving, most := configured, 0
	for _, s := range sets {
		if s.Model == configured && s.Pending == 0 && s.Done > 0 {
			serving = configured
			break
		}
		if s.Model != configured && s.Done > most {
			serving, most = s.Model, s.Done
		}
	}
	r.serve(serving)
	return serving
}

func (r *Recall) serve(model string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serving, r.servingOf = model, r.deps.Model()
}

// probeTexts are unrelated to each other and to most of what people ask. They show how near unrelated texts are for
// a model: 0.75 for one, 0.05 for another.
var probeTexts = []string{
	"The train to the coast leaves at half past nine from platform four.",
	"My sister bakes bread every Sunday and gives a loaf to the neighbours.",
	"The committee postponed the vote on the new budget until spring.",
	"Restart the router and wait until the light turns green.",
	"He scored twice in the second half and the crowd went wild.",
	"I finally finished reading that long novel about the whaling ship.",
	"The recipe needs two eggs, a cup of flour and a pinch of salt.",
	"Our landlord wants to raise the rent by fifty euros in January.",
	"The doctor told her to rest her knee for three weeks.",
	"Whales communicate over hundreds of kilometres with low sounds.",
	"Thanks, that was very kind of you, see you tomorrow!",
	"The function returns an error when the file does not exist.",
	"We painted the bedroom blue and bought new curtains.",
	"She is learning to play the cello and practises every evening.",
	"The bank closes at four, so bring the documents before lunch.",
	"Heavy snow blocked the mountain road for two days.",
	"我们周末去爬山，山顶的风景特别美。",
	"请在星期五之前把报告发给经理。",
	"他小时候住在海边，每天放学都去游泳。",
	"这家餐厅的牛肉面很好吃，就是有点辣。",
	"手机没电了，我晚一点再给你打电话。",
	"妈妈昨天在市场买了新鲜的蔬菜和水果。",
	"电脑突然黑屏了，可能是显卡出了问题。",
	"会议改到下周三下午三点，在二楼会议室。",
}

// probe knows how near unrelated texts are for a model.
type probe struct {
	stored    [][]float32 // the probe texts as stored texts
	deviation float64     // of the cosines of unrelated pairs, a query at a time
}

// against returns how near unrelated texts are to a query, and by how much that varies.
func (p *probe) against(query []float32) (mean, deviation float64, ok bool) {
	if p == nil || query == nil || len(p.stored[0]) != len(query) {
		return 0, 0, false
	}
	for _, v := range p.stored {
		mean += dot(query, v)
	}
	return mean / float64(len(p.stored)), p.deviation, p.deviation > 0
}

// newProbe embeds the probe texts, in the background's turn.
func newProbe(ctx context.Context, e Embedder, model string) (*probe, error) {
	side := func(prefix string) ([][]float32, error) {
		var all [][]float32
		for start := 0; start < len(probeTexts); start += maxBatch {
			var texts []string
			for _, t := range probeTexts[start:min(start+maxBatch, len(probeTexts))] {
				texts = append(texts, prefix+t)
			}
			vs, err := embed(ctx, e, model, engine.PriorityBackground, texts)
			if err != nil {
				return nil, err
			}
			all = append(all, vs...)
		}
		return all, nil
	}
	stored, err := side(prefixesOf(model).passage)
	if err != nil {
		return nil, err
	}
	asked, err := side(prefixesOf(model).query)
	if err != nil {
		return nil, err
	}
	var variance float64
	for i, q := range asked {
		var sum, squares float64
		for j, s := range stored {
			if i != j {
				d := dot(q, s)
				sum += d
				squares += d * d
			}
		}
		n := float64(len(stored) - 1)
		variance += squares/n - (sum/n)*(sum/n)
	}
	return &probe{stored: stored, deviation: math.Sqrt(max(variance, 0) / float64(len(asked)))}, nil
}

// probeOf returns the probe of a model, nil as long as there is none.
func (r *Recall) probeOf(model string) *probe {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.probes[model]
}

// Calibrate makes the probe of a model unless there is one. Until then nearness alone injects nothing.
func (r *Recall) Calibrate(ctx context.Context, model string) error {
	if r.deps.Embedder == nil || model == "" || r.probeOf(model) != nil {
		return nil
	}
	p, err := newProbe(ctx, r.deps.Embedder, model)
	if err != nil {
		return fmt.Errorf("calibrate the embedder %s: %w", model, err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.probes[model] = p
	return nil
}
