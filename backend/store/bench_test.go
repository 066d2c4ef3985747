package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

// words are of a frequency as in speech: the n-th is n times as rare as the first.
type words struct {
	rand *rand.Rand
	zipf *rand.Zipf
}

func newWords(seed uint64) *words {
	r := rand.New(rand.NewPCG(seed, 1))
	return &words{rand: r, zipf: rand.NewZipf(r, 1.07, 4, 30_000)}
}

func (w *words) word() string {
	n := w.zipf.Uint64()
	const syllables = "ba ce di fo gu ka le mi no pu ra se ti vo zu"
	s := strings.Fields(syllables)
	out := s[n%15] + s[n/15%15]
	for n /= 225; n > 0; n /= 15 {
		out += s[n%15]
	}
	return out
}

func (w *words) sentence(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = w.word()
	}
	return strings.Join(out, " ")
}

// bulk is a store with a conversation of n messages.
func bulk(b *testing.B, n int, o Options) (s *Store, a memory.Agent, c memory.Conversation) {
	b.Helper()
	ctx := context.Background()
	s, err := Open(ctx, filepath.Join(b.TempDir(), "recollect.db"), o)
	mustB(b, err)
	b.Cleanup(func() { _ = s.Close() })
	a, err = s.CreateAgent(ctx, memory.Agent{Name: "Ada"}, byUser)
	mustB(b, err)
	c, err = s.CreateConversation(ctx, memory.Conversation{AgentID: a.ID})
	mustB(b, err)
	fill(b, s, c.ID, "", n)
	return s, a, c
}

// fill adds n messages of some 25 words, as one transaction.
func fill(b *testing.B, s *Store, conversation, parent string, n int) {
	b.Helper()
	w := newWords(7)
	ms := make([]memory.Message, n)
	for i := range ms {
		role := memory.RoleUser
		if i%2 == 1 {
			role = memory.RoleAssistant
		}
		ms[i] = memory.Message{
			ID: s.ids.New("message"), ConversationID: conversation, ParentID: parent, Role: role,
			Content: w.sentence(10 + w.rand.IntN(30)),
		}
		parent = ms[i].ID
	}
	_, err := s.AddMessages(context.Background(), ms)
	mustB(b, err)
}

func mustB(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkLexicalSearch60k compares a search with the bare FTS5 query for the same words.
func BenchmarkLexicalSearch60k(b *testing.B) {
	s, a, _ := bulk(b, 60_000, Options{})
	ctx := context.Background()
	w := newWords(11)
	queries := make([][]string, 50)
	for i := range queries {
		queries[i] = segment.Query(w.sentence(6))
	}
	b.Run("store", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			hits, err := s.LexicalSearch(ctx, LexQuery{AgentID: a.ID, ArchiveID: a.ArchiveID, Terms: queries[i%len(queries)], Limit: 100})
			mustB(b, err)
			if len(hits) == 0 {
				b.Fatal("nothing found")
			}
		}
	})
	b.Run("frequencies", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			_, _, err := s.DocFrequencies(ctx, queries[i%len(queries)])
			mustB(b, err)
		}
	})
	b.Run("bare", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			rows, err := s.query(ctx, "SELECT rowid, rank FROM search WHERE search MATCH ? ORDER BY rank LIMIT 100", strings.Join(queries[i%len(queries)], " OR "))
			mustB(b, err)
			for rows.Next() {
			}
			mustB(b, rows.Err())
			mustB(b, rows.Close())
		}
	})
}

// BenchmarkVectorSearch100k searches 100,000 vectors of 384 dimensions in memory and in the file.
func BenchmarkVectorSearch100k(b *testing.B) {
	const n, dim = 100_000, 384
	s, a, _ := bulk(b, 10, Options{VectorCacheBytes: 1 << 30})
	ctx := context.Background()
	e := fillVectors(b, s, a, n, dim, 1)
	q := VecQuery{Model: e.model, View: ViewOwn, Vector: vectorOf(99, dim), AgentID: a.ID, ArchiveID: a.ArchiveID, K: 100}
	b.Run("file", func(b *testing.B) {
		s.vectors.limit = 0
		for b.Loop() {
			_, err := s.VectorSearch(ctx, q)
			mustB(b, err)
		}
	})
	s.vectors.limit = 1 << 30
	s.vectors.load(s, e, ViewOwn)
	b.Run("memory", func(b *testing.B) {
		for b.Loop() {
			_, err := s.VectorSearch(ctx, q)
			mustB(b, err)
		}
	})
	b.Run("load", func(b *testing.B) {
		for b.Loop() {
			s.vectors.drop(e)
			s.vectors.load(s, e, ViewOwn)
		}
	})
}

// fillVectors makes n passages with vectors of one or two views, quickly.
func fillVectors(b *testing.B, s *Store, a memory.Agent, n, dim, views int) embedder {
	b.Helper()
	ctx := context.Background()
	e, err := s.embedder(ctx, "fill", "model", dim)
	mustB(b, err)
	owner, err := one(ctx, s, value[int64], "owner_of_archive", a.ArchiveID)
	mustB(b, err)
	mustB(b, s.write(ctx, "fill", lazy, func(t *tx) error {
		for i := range n {
			key, err := t.addItem(owner, "", t.now)
			if err != nil {
				return err
			}
			if err := t.run("passage_insert", key, s.ids.New("passage"), a.ArchiveID, fmt.Sprint(i), "[]", "", 1, 1, 1, fmt.Sprint("text ", i)); err != nil {
				return err
			}
			unit, err := normalise("fill", vectorOf(uint64(i), dim), dim)
			if err != nil {
				return err
			}
			for view := range int64(views) {
				if err := t.run("INSERT INTO "+e.table()+" (rowid, view, vector) VALUES (?, ?, ?)", key*2+view, view+1, floatBytes(unit)); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	return e
}

// BenchmarkTurn is what the store does for one turn, at 10,000 messages, 64 blocks and 100,000 passages with vectors: the
// user message, the branch, the blocks, both searches in both views, receipt, plan, prompt, and the answer.
func BenchmarkTurn(b *testing.B) {
	const dim = 384
	s, a, c := bulk(b, 10_000, Options{VectorCacheBytes: 1 << 30})
	ctx := context.Background()
	for i := range memory.MaxBlocksPerAgent {
		_, _, err := s.CreateBlock(ctx, memory.Block{Label: fmt.Sprint("block ", i), Value: strings.Repeat("word ", 50)}, []string{a.ID}, byUser)
		mustB(b, err)
	}
	e := fillVectors(b, s, a, 100_000, dim, 2)
	s.vectors.load(s, e, ViewOwn)
	s.vectors.load(s, e, ViewCtx)
	w := newWords(13)
	prompt := []byte(w.sentence(4000))
	c, err := s.Conversation(ctx, c.ID)
	mustB(b, err)
	head := c.Head
	for i := 0; b.Loop(); i++ {
		text := w.sentence(8)
		user, err := s.AddMessage(ctx, memory.Message{ConversationID: c.ID, ParentID: head, Role: memory.RoleUser, Content: text})
		mustB(b, err)
		_, err = s.Path(ctx, user.ID, 60, "")
		mustB(b, err)
		_, err = s.Blocks(ctx, a.ID)
		mustB(b, err)
		terms := segment.Query(text)
		_, _, err = s.DocFrequencies(ctx, terms)
		mustB(b, err)
		hits, err := s.LexicalSearch(ctx, LexQuery{AgentID: a.ID, ArchiveID: a.ArchiveID, Terms: terms, Limit: 100})
		mustB(b, err)
		var refs []Ref
		for _, h := range hits {
			refs = append(refs, h.Ref)
		}
		for _, view := range []string{ViewOwn, ViewCtx} {
			_, err = s.VectorSearch(ctx, VecQuery{Model: e.model, View: view, Vector: vectorOf(uint64(i), dim), AgentID: a.ID, ArchiveID: a.ArchiveID, K: 100})
			mustB(b, err)
		}
		_, err = s.Items(ctx, refs)
		mustB(b, err)
		mustB(b, s.SaveReceipt(ctx, memory.Receipt{MessageID: user.ID}))
		answer, err := s.AddMessage(ctx, memory.Message{ConversationID: c.ID, ParentID: user.ID, Role: memory.RoleAssistant, Status: memory.StatusStreaming})
		mustB(b, err)
		mustB(b, s.SavePlan(ctx, answer.ID, memory.Plan{}))
		prompt = append(prompt, text...)
		mustB(b, s.SavePrompt(ctx, answer.ID, prompt))
		answer.Content, answer.Status = w.sentence(30), memory.StatusComplete
		mustB(b, s.FinishMessage(ctx, answer))
		head = answer.ID
	}
}

// BenchmarkStreaming saves a streamed answer once "a second", 10 tokens at a time, and reports what the kernel was asked
// to write for each save, in a conversation of 5,000 messages.
func BenchmarkStreaming(b *testing.B) {
	s, _, c := bulk(b, 5000, Options{})
	ctx := context.Background()
	c, err := s.Conversation(ctx, c.ID)
	mustB(b, err)
	m, err := s.AddMessage(ctx, memory.Message{ConversationID: c.ID, ParentID: c.Head, Role: memory.RoleAssistant, Status: memory.StatusStreaming})
	mustB(b, err)
	w := newWords(17)
	before := written(b)
	n := 0
	for b.Loop() {
		m.Content += w.sentence(10) + " "
		mustB(b, s.AppendStream(ctx, m.ID, StreamState{Content: m.Content}))
		n++
	}
	b.ReportMetric(float64(written(b)-before)/float64(n), "written-B/op")
	m.Status = memory.StatusComplete
	before = written(b)
	mustB(b, s.FinishMessage(ctx, m))
	b.ReportMetric(float64(written(b)-before), "written-B/finish")
}

// written is what this process has written, in bytes, as far as the system tells.
func written(b *testing.B) int64 {
	b.Helper()
	io, err := os.ReadFile("/proc/self/io")
	if err != nil {
		b.Skip("the system does not count what a process writes")
	}
	var n int64
	for line := range strings.Lines(string(io)) {
		if _, err := fmt.Sscanf(line, "wchar: %d", &n); err == nil {
			return n
		}
	}
	b.Fatal("no wchar in /proc/self/io")
	return 0
}

// BenchmarkOpen1GB opens a database of 1 GB and reads what the first page shows.
func BenchmarkOpen1GB(b *testing.B) {
	s, a, c := bulk(b, 1000, Options{})
	ctx := context.Background()
	text := strings.Repeat("0123456789abcdef", 1<<10)
	mustB(b, s.write(ctx, "fill", lazy, func(t *tx) error {
		for range 60_000 {
			key, err := t.addItem(2, memory.RoleTool, t.now)
			if err != nil {
				return err
			}
			if err := t.run("message_insert", key, nil, s.ids.New("message"), c.ID, a.ID, "", "tool", "", "complete", "", "", "", "", "", 0,
				millis(t.now), "", "", text, "", "", ""); err != nil {
				return err
			}
		}
		return nil
	}))
	path := s.path
	mustB(b, s.Close())
	for b.Loop() {
		s, err := Open(ctx, path, Options{})
		mustB(b, err)
		_, err = s.Agents(ctx)
		mustB(b, err)
		list, _, err := s.Conversations(ctx, ConversationFilter{})
		mustB(b, err)
		_, err = s.Path(ctx, list[0].Head, 100, "")
		mustB(b, err)
		b.StopTimer()
		mustB(b, s.Close())
		b.StartTimer()
	}
}

// BenchmarkConversations lists 10,000 conversations at once.
func BenchmarkConversations(b *testing.B) {
	s, a, _ := bulk(b, 10, Options{})
	ctx := context.Background()
	mustB(b, s.write(ctx, "fill", lazy, func(t *tx) error {
		for i := range 10_000 {
			if err := t.run("conversation_insert", s.ids.New("conversation"), a.ID, fmt.Sprint("Conversation ", i), "user", i%100 == 0, i, i); err != nil {
				return err
			}
		}
		return nil
	}))
	for b.Loop() {
		list, _, err := s.Conversations(ctx, ConversationFilter{AgentID: a.ID, Limit: 10_001})
		mustB(b, err)
		if len(list) != 10_001 {
			b.Fatal(len(list))
		}
	}
}

func BenchmarkUsage(b *testing.B) {
	s, agent := benchUsage(b)
	f := UsageFilter{}
	from, to, err := s.UsageSpan(b.Context(), f)
	if err != nil {
		b.Fatal(err)
	}
	var days []time.Time
	for t := from; t.Before(to.Add(24 * time.Hour)); t = t.Add(24 * time.Hour) {
		days = append(days, t)
	}
	for name, run := range map[string]func() error{
		"span":          func() error { _, _, err := s.UsageSpan(b.Context(), f); return err },
		"sums":          func() error { _, err := s.UsageSums(b.Context(), f, []time.Time{from, to}); return err },
		"days":          func() error { _, err := s.UsageSums(b.Context(), f, days); return err },
		"sizes":         func() error { _, err := s.UsageSizes(b.Context(), f); return err },
		"sizes agent":   func() error { _, err := s.UsageSizes(b.Context(), UsageFilter{AgentID: agent}); return err },
		"conversations": func() error { _, err := s.UsageConversations(b.Context(), f); return err },
		"page":          func() error { _, _, err := s.ModelCalls(b.Context(), f); return err },
		"page agent":    func() error { _, _, err := s.ModelCalls(b.Context(), UsageFilter{AgentID: agent}); return err },
		"one chat":      func() error { _, err := s.UsageSizes(b.Context(), UsageFilter{ConversationID: "c-5000"}); return err },
		"one chat page": func() error {
			_, _, err := s.ModelCalls(b.Context(), UsageFilter{ConversationID: "c-5000"})
			return err
		},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if err := run(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// benchUsage returns a store with a hundred thousand model calls of one agent.
func benchUsage(b *testing.B) (*Store, string) {
	s, err := Open(b.Context(), b.TempDir()+"/recollect.db", Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = s.Close() })
	a, err := s.CreateAgent(b.Context(), memory.Agent{Name: "Ada"}, memory.Cause{Actor: memory.ActorUser})
	if err != nil {
		b.Fatal(err)
	}
	manyCalls(b, s, a.ID, "c", 100_000)
	return s, a.ID
}
