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
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// instant is an engine that answers at once, so that what a turn takes is our own time.
type instant struct{}

func (instant) Ready(context.Context) error                    { return nil }
func (instant) Models(context.Context) ([]engine.Model, error) { return nil, nil }
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

// BenchmarkTurn measures our own time of a turn over a full memory: 64 blocks, 10,000 messages, 2,000 passages.
func BenchmarkTurn(b *testing.B) {
	ctx := b.Context()
	st, err := store.Open(ctx, filepath.Join(b.TempDir(), "recollect.db"), store.Options{})
	check(b, err)
	defer func() { _ = st.Close() }()
	s := agent.New(agent.Deps{
		Store: st, Engine: instant{}, Recall: recall.New(recall.Deps{Store: st}), Counters: tokens.New(instant{}),
		Bus: busFunc(func(ev memory.Event) memory.Event { return ev }), Settings: settings{"model": "m", "window": 8192},
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
	words := []string{"garden", "bicycle", "sea", "tea", "winter", "letter", "river", "music", "lamp", "train", "bread", "cloud", "mirror"}
	text := func(i int) string {
		return fmt.Sprintf("The %s and the %s are near the %s, number %d.", words[i%13], words[i*7%13], words[i*5%13], i)
	}
	parent := ""
	for i := 0; i < 10_000; i += 500 {
		batch := make([]memory.Message, 500)
		for j := range batch {
			role := memory.RoleUser
			if j%2 == 1 {
				role = memory.RoleAssistant
			}
			id := fmt.Sprintf("message-%026d", i+j)
			batch[j] = memory.Message{ID: id, ConversationID: c.ID, ParentID: parent, Role: role, Content: text(i + j)}
			parent = id
		}
		_, err := st.AddMessages(ctx, batch)
		check(b, err)
	}
	for i := range 2_000 {
		_, _, err := st.CreatePassage(ctx, memory.Passage{ArchiveID: a.ArchiveID, Text: text(i + 20_000)}, cause)
		check(b, err)
	}
	_, err = s.Send(ctx, agent.SendRequest{ConversationID: c.ID, Content: "hello"}) // the first turn reads the whole branch
	check(b, err)
	check(b, s.Wait(ctx, c.ID))
	var took []time.Duration
	b.ResetTimer()
	for i := range b.N {
		began := time.Now()
		_, err := s.Send(ctx, agent.SendRequest{ConversationID: c.ID, Content: "Where are the garden and the lamp of number " + fmt.Sprint(i) + "?"})
		check(b, err)
		check(b, s.Wait(ctx, c.ID))
		took = append(took, time.Since(began))
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
