package eval

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the rival: FTS5 and nothing else

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/segment"
	"recollect/backend/store"
)

// Figure is one measured number beside what it should be.
type Figure struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`
	Bar    float64 `json:"bar"`
	Higher bool    `json:"higher,omitempty"` // the bar is to be reached from below
	OK     *bool   `json:"ok"`               // nil where it could not be measured; Reason says why
	Rival  float64 `json:"rival,omitempty"`  // the rival's p95 in ms, measured in the same run
	Ratio  float64 `json:"ratio,omitempty"`
	Reason string  `json:"reason,omitempty"`
}

// BenchOptions say how large the search benchmark is; zero values mean the published size.
type BenchOptions struct {
	Dir      string // for its databases; "" = a temporary folder
	Messages int    // 0 = 60,000
	Queries  int    // 0 = 200
	Progress func(string)
}

// The embedder that a World plays.
const (
	BenchModel     = "bench"
	BenchDimension = 384
)

const (
	searchBar = 1.5  // times bare FTS5
	indexBar  = 2000 // messages a second, stored and indexed without an embedder
)

// BenchSearch measures hybrid search, receipt and all, over a transcript with both vector views, the query's vector
// given, beside bare FTS5: one column with the same texts, the same words asked, the ten best by BM25. The two take
// turns, query by query.
func BenchSearch(ctx context.Context, o BenchOptions) ([]Figure, error) {
	if o.Messages == 0 {
		o.Messages = 60_000
	}
	if o.Queries == 0 {
		o.Queries = 200
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Dir == "" {
		dir, err := os.MkdirTemp("", "recollect-bench-")
		if err != nil {
			return nil, fmt.Errorf("benchmark search: %w", err)
		}
		defer os.RemoveAll(dir)
		o.Dir = dir
	}
	b, err := newSearchBench(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("benchmark search: %w", err)
	}
	defer b.close()
	ours, bare := make([]float64, 0, o.Queries), make([]float64, 0, o.Queries)
	for i := range o.Queries + 10 {
		query := b.world.Query()
		took, err := b.hybrid(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("benchmark search: %w", err)
		}
		rival, err := b.bare(ctx, query)
		if err != nil {
			return nil, fmt.Errorf("benchmark search: bare FTS5: %w", err)
		}
		if i >= 10 { // the first ones warm the caches
			ours, bare = append(ours, took), append(bare, rival)
		}
	}
	slices.Sort(ours)
	slices.Sort(bare)
	p95, rival := quantile(ours, .95), quantile(bare, .95)
	ratio := p95 / rival
	ok := ratio <= searchBar
	rate := float64(o.Messages) / b.stored.Seconds()
	fast := rate >= indexBar
	return []Figure{{
		Name: "messages stored and indexed a second", Value: rate, Unit: "/s", Bar: indexBar, Higher: true, OK: &fast,
	}, {Name: fmt.Sprintf("hybrid search over %d messages, p95 against bare FTS5 (ours %.1f ms, median %.1f against %.1f ms)", o.Messages, p95,
		quantile(ours, .5), quantile(bare, .5)), Value: ratio, Unit: "×", Bar: searchBar, OK: &ok, Rival: rival, Ratio: ratio}}, nil
}

// searchBench is a filled store and its rival.
type searchBench struct {
	store  *store.Store
	agent  memory.Agent
	recall *recall.Recall
	rival  *sql.DB
	world  *World
	stored time.Duration // storing and indexing the messages took
}

func newSearchBench(ctx context.Context, o BenchOptions) (b *searchBench, err error) {
	b = &searchBench{world: NewWorld()}
	defer func() {
		if err != nil {
			b.close()
		}
	}()
	if b.store, err = store.Open(ctx, filepath.Join(o.Dir, "recollect.db"), store.Options{Version: "bench", VectorCacheBytes: 1 << 30}); err != nil {
		return b, err
	}
	if b.rival, err = sql.Open("sqlite", filepath.Join(o.Dir, "bare.db")); err != nil {
		return b, err
	}
	if _, err = b.rival.ExecContext(ctx, `CREATE VIRTUAL TABLE bare USING fts5(text, tokenize = 'porter unicode61')`); err != nil {
		return b, err
	}
	if b.agent, err = b.store.CreateAgent(ctx, memory.Agent{Name: "bench"}, memory.Cause{Actor: memory.ActorImport}); err != nil {
		return b, err
	}
	const session = 200
	date := time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC)
	for done := 0; done < o.Messages; done += session {
		n := min(session, o.Messages-done)
		if done%10_000 == 0 {
			o.Progress(fmt.Sprintf("storing message %d of %d", done, o.Messages))
		}
		if err = b.session(ctx, n, date); err != nil {
			return b, err
		}
		date = date.Add(9 * time.Hour)
	}
	b.recall = recall.New(recall.Deps{Store: b.store, Embedder: b.world, Model: func() string { return BenchModel }})
	return b, b.embed(ctx, o)
}

// session stores one conversation of n messages in both databases.
func (b *searchBench) session(ctx context.Context, n int, date time.Time) error {
	c, err := b.store.CreateConversation(ctx, memory.Conversation{AgentID: b.agent.ID})
	if err != nil {
		return err
	}
	tx, err := b.rival.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() //nolint:errcheck // after a commit it does nothing
	b.world.Topic()
	ms, parent := make([]memory.Message, n), ""
	for i := range ms {
		ms[i] = memory.Message{
			ID: fmt.Sprintf("msg-%s-%04d", strings.TrimPrefix(c.ID, "conv-"), i), ConversationID: c.ID, AgentID: b.agent.ID,
			ParentID: parent, Role: []memory.Role{memory.RoleUser, memory.RoleAssistant}[i%2], Content: b.world.Sentence(),
			Status: memory.StatusComplete, CreatedAt: date.Add(time.Duration(i) * time.Minute),
		}
		parent = ms[i].ID
		if _, err := tx.ExecContext(ctx, `INSERT INTO bare(text) VALUES (?)`, ms[i].Content); err != nil {
			return err
		}
	}
	start := time.Now()
	if _, err := b.store.AddMessages(ctx, ms); err != nil {
		return err
	}
	b.stored += time.Since(start)
	return tx.Commit()
}

// embed gives every text its two vectors.
func (b *searchBench) embed(ctx context.Context, o BenchOptions) error {
	for done := 0; ; {
		items, err := b.store.PendingEmbeddings(ctx, BenchModel, BenchDimension, true, 2000)
		if err != nil || len(items) == 0 {
			return err
		}
		out := make([]store.Embedding, len(items))
		for i, it := range items {
			out[i] = store.Embedding{Ref: it.Ref, View: it.View, Vector: b.world.Vector(it.Text)}
		}
		if err := b.store.SaveEmbeddings(ctx, BenchModel, BenchDimension, out); err != nil {
			return err
		}
		if done += len(items); done%20_000 == 0 {
			o.Progress(fmt.Sprintf("stored vector %d of %d", done, 2*o.Messages))
		}
	}
}

func (b *searchBench) hybrid(ctx context.Context, query string) (ms float64, err error) {
	start := time.Now()
	rc, err := b.recall.For(ctx, recall.Query{AgentID: b.agent.ID, ArchiveID: b.agent.ArchiveID, Text: query, Cap: capTokens})
	took := time.Since(start)
	if err == nil && !rc.Vectors {
		err = fmt.Errorf("%q was searched without vectors", query)
	}
	return took.Seconds() * 1000, err
}

func (b *searchBench) bare(ctx context.Context, query string) (ms float64, err error) {
	start := time.Now()
	rows, err := b.rival.QueryContext(ctx, `SELECT rowid FROM bare WHERE bare MATCH ? ORDER BY rank LIMIT 10`, strings.Join(segment.Query(query), " OR "))
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return 0, err
		}
	}
	return time.Since(start).Seconds() * 1000, rows.Err()
}

func (b *searchBench) close() {
	if b.rival != nil {
		_ = b.rival.Close() // thrown away
	}
	if b.store != nil {
		_ = b.store.Close()
	}
}

// World makes texts whose words are as unevenly common as in a language, about a topic a session. It is the embedder
// of the benchmark as well: a vector costs no time.
type World struct {
	rnd      *rand.Rand
	zipf     *rand.Zipf
	subjects []uint64 // words of the present topic
	asked    []string // sentences to ask about
}

// NewWorld returns a world that says the same things each time.
func NewWorld() *World {
	rnd := rand.New(rand.NewPCG(1, 2))
	return &World{rnd: rnd, zipf: rand.NewZipf(rnd, 1.07, 8, 40_000)}
}

// word returns the n-th word: letters that no stop list knows.
func word(n uint64) string {
	const consonants, vowels = "bcdfghklmnprstvz", "aeiou"
	var b strings.Builder
	for n += 80; n > 0; n /= 80 {
		b.WriteByte(consonants[n%80/5])
		b.WriteByte(vowels[n%5])
	}
	return b.String() + "n"
}

// Topic changes the subject.
func (w *World) Topic() {
	w.subjects = w.subjects[:0]
	for range 12 {
		w.subjects = append(w.subjects, w.zipf.Uint64())
	}
}

// Sentence says 10 to 34 words.
func (w *World) Sentence() string {
	words := make([]string, 10+w.rnd.IntN(25))
	for i := range words {
		if w.rnd.IntN(4) == 0 {
			words[i] = word(w.subjects[w.rnd.IntN(len(w.subjects))])
		} else {
			words[i] = word(w.zipf.Uint64())
		}
	}
	s := strings.Join(words, " ")
	if w.rnd.IntN(50) == 0 || len(w.asked) == 0 {
		w.asked = append(w.asked, s)
	}
	return s
}

// Query returns six to nine words of something that was said.
func (w *World) Query() string {
	words := strings.Fields(w.asked[w.rnd.IntN(len(w.asked))])
	w.rnd.Shuffle(len(words), func(i, j int) { words[i], words[j] = words[j], words[i] })
	return "what was it about " + strings.Join(words[:min(len(words), 6+w.rnd.IntN(4))], " ")
}

// Vector returns a vector that depends on the words of the text.
func (w *World) Vector(text string) []float32 {
	v := make([]float32, BenchDimension)
	for _, word := range strings.Fields(text) {
		h := uint32(2166136261)
		for i := range len(word) {
			h = (h ^ uint32(word[i])) * 16777619
		}
		for range 8 {
			h = h*1664525 + 1013904223
			v[(h>>8)%BenchDimension] += float32(int32(h)) / math.MaxInt32
		}
	}
	v[0]++
	return v
}

// Embed implements recall.Embedder.
func (w *World) Embed(_ context.Context, r engine.EmbedRequest) ([][]float32, error) {
	vs := make([][]float32, len(r.Texts))
	for i, t := range r.Texts {
		vs[i] = w.Vector(t)
	}
	return vs, nil
}
