package recall

import (
	"context"
	"fmt"
	"math"
	"slices"
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

// queryVectors makes and keeps the vectors of queries. A turn waits for one only so long, and not at all for a model that
// keeps failing.
type queryVectors struct {
	embedder Embedder
	now      memory.Clock

	mu      sync.Mutex
	kept    map[queryKey][]float32
	order   []queryKey
	failing map[string]failing // by model
}

type queryKey struct{ model, text string }

// failing is how often a model has failed in a row, and when it is asked again.
type failing struct {
	times  int
	resume time.Time
}

func newQueryVectors(e Embedder, now memory.Clock) *queryVectors {
	return &queryVectors{embedder: e, now: now, kept: map[queryKey][]float32{}, failing: map[string]failing{}}
}

// get returns the vector of a query, of length 1.
func (q *queryVectors) get(ctx context.Context, model, text string) ([]float32, error) {
	key := queryKey{model, text}
	q.mu.Lock()
	v, ok := q.kept[key]
	paused := q.failing[model].times >= pauseAfter && q.now().Before(q.failing[model].resume)
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
		q.failing[model] = failing{q.failing[model].times + 1, q.now().Add(pause)}
		return nil, err
	}
	delete(q.failing, model)
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

// meaning is what one model makes of a query, for the places that it has vectors of.
type meaning struct {
	model              string
	messages, passages bool
	vector             []float32             // nil = none in time
	scale              func(float64) float64 // brings its cosines to the scale of the first meaning; nil = they are of that scale
}

// covers tells whether the model has vectors of a kind of text.
func (m *meaning) covers(kind string) bool {
	return kind == store.KindMessage && m.messages || kind == store.KindPassage && m.passages
}

// of returns a cosine on the scale that all are compared on.
func (m *meaning) of(cosine float64) float64 {
	if m.scale == nil {
		return cosine
	}
	return m.scale(cosine)
}

// meanings returns the query as the models understand it whose vectors serve in a scope, and of those only the ones that
// could be asked in time and can be compared: first that of what was said. The models are asked at the same time, and wait
// for each other in the engine's queue. Where there is none it says why.
func (r *Recall) meanings(ctx context.Context, text string, sc scope) ([]meaning, memory.WordsOnly) {
	if r.deps.Embedder == nil || sc.typed {
		return nil, memory.WordsNoEmbedder
	}
	ctx, cancel := context.WithTimeout(ctx, r.deps.Patience)
	defer cancel()
	asked, again := r.askMeanings(ctx, text, sc)
	if again {
		asked, _ = r.askMeanings(ctx, text, sc)
	}
	none := memory.WordsFailed
	switch {
	case len(asked) == 0:
		none = memory.WordsNoEmbedder
	case ctx.Err() != nil:
		none = memory.WordsLate
	}
	if asked = r.comparable(slices.DeleteFunc(asked, func(m meaning) bool { return m.vector == nil })); len(asked) > 0 {
		none = ""
	}
	return asked, none
}

// askMeanings asks each model once. again says that a model has been deleted that served while another one takes over,
// which serves from now on.
func (r *Recall) askMeanings(ctx context.Context, text string, sc scope) (asked []meaning, again bool) {
	var places []string
	if sc.agentID != "" && sc.wants(store.KindMessage) {
		places = append(places, "")
	}
	if sc.archiveID != "" && sc.wants(store.KindPassage) {
		places = append(places, sc.archiveID)
	}
	for _, place := range places {
		model := r.servingModel(ctx, place)
		if model == "" {
			continue
		}
		at := slices.IndexFunc(asked, func(m meaning) bool { return m.model == model })
		if at < 0 {
			at = len(asked)
			asked = append(asked, meaning{model: model})
		}
		asked[at].messages = asked[at].messages || place == ""
		asked[at].passages = asked[at].passages || place != ""
	}
	errs := make([]error, len(asked))
	var wg sync.WaitGroup
	for i := range asked {
		wg.Go(func() { asked[i].vector, errs[i] = r.queries.get(ctx, asked[i].model, text) })
	}
	wg.Wait()
	for i, err := range errs {
		if err == nil {
			continue
		}
		r.deps.Log.Info("searching without vectors", "model", asked[i].model, "error", err)
		if memory.CodeOf(err) != memory.EMODEL {
			continue
		}
		for _, place := range places {
			if to := r.modelOf(ctx, place); to != asked[i].model && r.servingModel(ctx, place) == asked[i].model {
				r.serve(place, to, to)
				again = true
			}
		}
	}
	return asked, again
}

// comparable returns the meanings whose cosines can be told against each other's. Each model has its own scale: unrelated
// texts are at 0.75 for one and at 0.05 for another. What all have in common is how many standard deviations nearer than
// those a text is. Of models of which that is not known yet, the first is taken alone.
func (r *Recall) comparable(all []meaning) []meaning {
	if len(all) < 2 {
		return all
	}
	type scale struct{ unrelated, deviation float64 }
	var kept []meaning
	var scales []scale
	for _, m := range all {
		if unrelated, deviation, ok := r.probeOf(m.model).against(m.vector); ok {
			kept, scales = append(kept, m), append(scales, scale{unrelated, deviation})
		}
	}
	if len(kept) == 0 {
		return all[:1]
	}
	for i := range kept[1:] {
		from, to := scales[i+1], scales[0]
		kept[i+1].scale = func(cosine float64) float64 {
			return to.unrelated + to.deviation*(cosine-from.unrelated)/from.deviation
		}
	}
	return kept
}

// commonFrom is how many contexts it takes to know what they have in common.
const commonFrom = 20

// near sets the cosines of all candidates that a model has vectors of, however they were found. The contexts of a long
// conversation resemble each other: what is nearer than most shows better once their mean is taken away.
func (r *Recall) near(ctx context.Context, m *meaning, all []*candidate) error {
	query := m.vector
	all = slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return !m.covers(c.Kind) })
	items := make([]store.Item, len(all))
	for i, c := range all {
		items[i] = c.Item
	}
	own, err := r.deps.Store.ItemVectors(ctx, m.model, store.ViewOwn, len(query), items)
	if err != nil {
		return fmt.Errorf("vectors of the candidates: %w", err)
	}
	around, err := r.deps.Store.ItemVectors(ctx, m.model, store.ViewCtx, len(query), items)
	if err != nil {
		return fmt.Errorf("vectors of the candidates' contexts: %w", err)
	}
	var known [][]float32
	for i, c := range all {
		for _, v := range own[i] {
			c.own = max(c.own, m.of(dot(query, v)))
		}
		for _, v := range around[i] {
			c.ctx = max(c.ctx, m.of(dot(query, v)))
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

// modelOf returns the model that a place is to have: the archive's own, else the app's; "" where there is none.
func (r *Recall) modelOf(ctx context.Context, place string) string {
	if place != "" {
		if a, err := r.deps.Store.Archive(ctx, place); err == nil && a.Embedder != "" {
			return a.Embedder
		}
	}
	return r.deps.Model()
}

// servingModel returns the model whose vectors answer the queries of a place: the one that it is to have, or the one before
// as long as that has not embedded everything.
func (r *Recall) servingModel(ctx context.Context, place string) string {
	configured := r.modelOf(ctx, place)
	if configured == "" {
		return ""
	}
	r.mu.Lock()
	now, known := r.serving[place]
	r.mu.Unlock()
	if known && now.of == configured {
		return now.model
	}
	embedders, err := r.deps.Store.PlaceEmbedders(ctx, place)
	if err != nil || len(embedders) == 0 {
		return configured
	}
	serving := embedders[0].Model
	if slices.Contains(embedders, store.PlaceEmbedder{Model: configured, Done: true}) {
		serving = configured
	}
	r.serve(place, serving, configured)
	return serving
}

func (r *Recall) serve(place, model, of string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serving[place] = served{model, of}
}

// ask has what serves looked up again.
func (r *Recall) ask() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.serving)
}

// Indexed says how far an archive can be searched by meaning.
type Indexed struct {
	Model   string // that is to embed it; "" = none
	Serving string // whose vectors are searched now: another one as long as Model has not embedded everything
	Total   int    // texts, or pieces of long ones
	Pending int    // of these, those that have no vector by Model yet
	Problem error  // why Model makes none, nil where it does or has not been tried
}

// Indexed returns how far an archive can be searched by meaning.
func (r *Recall) Indexed(ctx context.Context, archiveID string) (Indexed, error) {
	n := Indexed{Model: r.modelOf(ctx, archiveID), Serving: r.servingModel(ctx, archiveID)}
	r.mu.Lock()
	n.Problem = r.problems[n.Model]
	r.mu.Unlock()
	var err error
	n.Total, n.Pending, err = r.deps.Store.ArchiveIndexed(ctx, archiveID, n.Model)
	return n, err
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
