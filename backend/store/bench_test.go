package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

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
	b.Cleanup(func() { mustB(b, s.Close()) })
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
			mustB(b, rows.Close())
		}
	})
}

// BenchmarkVectorSearch100k searches 100,000 vectors of 384 dimensions in memory and in the file.
func BenchmarkVectorSearch100k(b *testing.B) {
	const n, dim = 100_000, 384
	s, a, _ := bulk(b, 10, Options{VectorCacheBytes: 1 << 30})
	ctx := context.Background()
	e := fillVectors(b, s, a, n, dim)
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

// fillVectors makes n passages with vectors of one view, quickly.
func fillVectors(b *testing.B, s *Store, a memory.Agent, n, dim int) embedder {
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
			if err := t.run("INSERT INTO "+e.table()+" (rowid, view, vector) VALUES (?, 1, ?)", key*2, floatBytes(unit)); err != nil {
				return err
			}
		}
		return nil
	}))
	return e
}
