package agent_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"recollect/backend/agent"
	"recollect/backend/engine"
	"recollect/backend/eval"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// instant is an engine that answers at once, so that what a turn takes is our own time.
type instant struct{}

func (instant) Ready(context.Context) error                    { return nil }
func (instant) Hold() func()                                   { return func() {} }
func (instant) Models(context.Context) ([]engine.Model, error) { return nil, nil }
func (instant) Warm(context.Context, engine.ChatRequest) (memory.Usage, error) {
	return memory.Usage{}, nil
}
func (instant) SideCache(string) bool      { return false }
func (instant) PromptSpeed(string) float64 { return 0 }
func (instant) Profile(context.Context, string) (engine.Profile, error) {
	return engine.Profile{Model: engine.Model{Name: "m", Chat: true, Tools: true}, MaxContext: 8192}, nil
}

func (instant) Vocabulary(context.Context, string) (map[string]any, error) {
	return nil, memory.Errorf(memory.EUNSUPPORTED, "vocabulary", "there is none")
}

func (instant) Chat(_ context.Context, r engine.ChatRequest, chunk func(engine.Chunk) error) (engine.ChatResult, error) {
	m := engine.Message{Role: "assistant", Content: "That is an answer of some words."}
	return engine.ChatResult{Message: m, End: memory.EndStop, Usage: memory.Usage{PromptTokens: r.PromptTokens}}, chunk(engine.Chunk{Content: m.Content})
}

// BenchmarkTurn measures our own time of a turn over a full memory, without model and query embedding: 64 blocks, 10,000
// messages and 100,000 passages with vectors, the vectors cached.
func BenchmarkTurn(b *testing.B) {
	const messages, passages, batch = 10_000, 100_000, 1_000
	ctx := b.Context()
	world := eval.NewWorld()
	st, err := store.Open(ctx, filepath.Join(b.TempDir(), "recollect.db"), store.Options{VectorCacheBytes: 512 << 20})
	check(b, err)
	defer func() { _ = st.Close() }()
	s := agent.New(agent.Deps{
		Store: st, Engine: instant{}, Counters: tokens.New(instant{}),
		Recall: recall.New(recall.Deps{Store: st, Embedder: world, Model: func() string { return eval.BenchModel }}),
		Bus:    busFunc(func(ev memory.Event) memory.Event { return ev }), Settings: settings{"model": "m", "window": 8192},
	})
	check(b, s.EnsureDefault(ctx, "en"))
	agents, err := st.Agents(ctx)
	check(b, err)
	a := agents[0]
	cause := memory.Cause{Actor: memory.ActorImport}
	for i := range memory.MaxBlocksPerAgent - 2 {
		_, _, err := st.CreateBlock(ctx, memory.Block{Label: fmt.Sprint("block ", i), Value: fmt.Sprintf("Fact number %d about the garden and the sea.", i)}, []string{a.ID}, cause)
		check(b, err)
	}
	c, err := st.CreateConversation(ctx, memory.Conversation{AgentID: a.ID})
	check(b, err)
	parent := ""
	for i := 0; i < messages; i += batch {
		world.Topic()
		ms := make([]memory.Message, batch)
		for j := range ms {
			role := memory.RoleUser
			if j%2 == 1 {
				role = memory.RoleAssistant
			}
			id := fmt.Sprintf("message-%026d", i+j)
			ms[j] = memory.Message{ID: id, ConversationID: c.ID, ParentID: parent, Role: role, Content: world.Sentence()}
			parent = id
		}
		_, err := st.AddMessages(ctx, ms)
		check(b, err)
	}
	for i := 0; i < passages; i += batch {
		world.Topic()
		ps := make([]memory.Passage, batch)
		for j := range ps {
			ps[j] = memory.Passage{ArchiveID: a.ArchiveID, Text: fmt.Sprintf("%s %d", world.Sentence(), i+j)}
		}
		_, err := st.CreatePassages(ctx, ps, cause)
		check(b, err)
	}
	for {
		items, err := st.PendingEmbeddings(ctx, eval.BenchModel, eval.BenchDimension, true, 2*batch)
		check(b, err)
		if len(items) == 0 {
			break
		}
		vectors := make([]store.Embedding, len(items))
		for i, it := range items {
			vectors[i] = store.Embedding{Ref: it.Ref, View: it.View, Vector: world.Vector(it.Text)}
		}
		check(b, st.SaveEmbeddings(ctx, eval.BenchModel, eval.BenchDimension, vectors))
	}
	turn := func() time.Duration {
		question := world.Query()
		began := time.Now()
		_, err := s.Send(ctx, agent.SendRequest{ConversationID: c.ID, Content: question})
		check(b, err)
		check(b, s.Wait(ctx, c.ID))
		return time.Since(began)
	}
	for range 5 { // the first ones read the whole branch and fill the caches
		turn()
	}
	took := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for range b.N {
		took = append(took, turn())
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms-p95")
}

func check(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
