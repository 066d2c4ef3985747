package bench

import (
	"context"
	"fmt"
	"path/filepath"

	"recollect/backend/agent"
	"recollect/backend/app"
	"recollect/backend/engine"
	"recollect/backend/eval"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// house is a data folder in which somebody has lived for years. It is built once in a run, when the first measure needs it.
type house struct {
	home     string
	world    *eval.World
	passages int
	grown    bool
}

// counts are what a house holds.
type counts struct{ messages, passages, tools int }

func (o Options) counts() counts {
	if o.Quick {
		return counts{messages: 1_000, passages: 10_000, tools: 2_000}
	}
	return counts{messages: 10_000, passages: 100_000, tools: 36_000}
}

const (
	houseCache = 512 << 20 // holds all vectors of a house
	batch      = 1_000     // rows in a transaction
)

// open opens the store of the house, which it builds first.
func (h *house) open(ctx context.Context, o Options) (*store.Store, error) {
	if h.home == "" {
		o.note("building a house of %d messages and %d passages", o.counts().messages, o.counts().passages)
		home := filepath.Join(o.Dir, "house")
		if err := h.build(ctx, home, o.counts()); err != nil {
			return nil, fmt.Errorf("build the house: %w", err)
		}
		h.home = home
	}
	return store.Open(ctx, app.DatabasePath(h.home), store.Options{VectorCacheBytes: houseCache})
}

func (h *house) build(ctx context.Context, home string, n counts) error {
	h.world, h.passages = eval.NewWorld(), n.passages
	st, err := openStore(ctx, home)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	a, err := defaultAgent(ctx, st)
	if err != nil {
		return err
	}
	cause := memory.Cause{Actor: memory.ActorImport}
	for i := range memory.MaxBlocksPerAgent - 2 { // persona and human are there
		h.world.Topic()
		b := memory.Block{Label: fmt.Sprintf("topic %d", i+1), Value: h.world.Sentence()}
		if _, _, err := st.CreateBlock(ctx, b, []string{a.ID}, cause); err != nil {
			return err
		}
	}
	if _, err := st.PendingEmbeddings(ctx, eval.BenchModel, eval.BenchDimension, true, 1); err != nil { // makes the embedder known
		return err
	}
	if _, err := talk(ctx, st, a, n.messages, h.world); err != nil {
		return err
	}
	for done := 0; done < n.passages; done += batch {
		h.world.Topic()
		ps := make([]memory.Passage, batch)
		for i := range ps {
			ps[i] = memory.Passage{ArchiveID: a.ArchiveID, Text: fmt.Sprintf("%s %d", h.world.Sentence(), done+i)}
		}
		if ps, err = st.CreatePassages(ctx, ps, cause); err != nil {
			return err
		}
		if err := embed(ctx, st, h.world, store.KindPassage, len(ps), func(i int) (string, string) { return ps[i].ID, ps[i].Text }); err != nil {
			return err
		}
	}
	return nil
}

// grow makes the database about 1 GB large, with what tools returned over the years.
func (h *house) grow(ctx context.Context, o Options) error {
	if h.grown {
		return nil
	}
	st, err := h.open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	o.note("letting it grow to 1 GB")
	agents, err := st.Agents(ctx)
	if err != nil {
		return err
	}
	for done := 0; done < o.counts().tools; done += batch {
		c, err := st.CreateConversation(ctx, memory.Conversation{AgentID: agents[0].ID})
		if err != nil {
			return err
		}
		ms := make([]memory.Message, batch)
		parent := ""
		for i := range ms {
			id := fmt.Sprintf("message-tool-%026d", done+i)
			ms[i] = memory.Message{ID: id, ConversationID: c.ID, ParentID: parent, Role: memory.RoleTool, ToolName: "archival_memory_search"}
			for len(ms[i].Content) < 16<<10 {
				ms[i].Content += h.world.Sentence() + "\n"
			}
			parent = id
		}
		if _, err := st.AddMessages(ctx, ms); err != nil {
			return err
		}
	}
	h.grown = true
	return nil
}

func openStore(ctx context.Context, home string) (*store.Store, error) {
	if err := makeDir(home); err != nil {
		return nil, err
	}
	return store.Open(ctx, app.DatabasePath(home), store.Options{VectorCacheBytes: houseCache})
}

// defaultAgent makes the agent that a new data folder begins with, and returns it.
func defaultAgent(ctx context.Context, st *store.Store) (memory.Agent, error) {
	s := agent.New(agent.Deps{Store: st})
	if err := s.EnsureDefault(ctx, "en"); err != nil {
		return memory.Agent{}, err
	}
	agents, err := st.Agents(ctx)
	if err != nil {
		return memory.Agent{}, err
	}
	return agents[0], s.Close(ctx)
}

// talk stores a conversation of n messages with their vectors.
func talk(ctx context.Context, st *store.Store, a memory.Agent, n int, w *eval.World) (memory.Conversation, error) {
	c, err := st.CreateConversation(ctx, memory.Conversation{AgentID: a.ID, Title: "Years of talk"})
	if err != nil {
		return c, err
	}
	parent := ""
	for done := 0; done < n; done += batch {
		w.Topic()
		ms := make([]memory.Message, min(batch, n-done))
		for i := range ms {
			role := memory.RoleUser
			if i%2 == 1 {
				role = memory.RoleAssistant
			}
			id := fmt.Sprintf("message-%s-%08d", c.ID[len(c.ID)-17:], done+i)
			ms[i] = memory.Message{ID: id, ConversationID: c.ID, ParentID: parent, Role: role, Content: w.Sentence()}
			parent = id
		}
		if _, err := st.AddMessages(ctx, ms); err != nil {
			return c, err
		}
		if err := embed(ctx, st, w, store.KindMessage, len(ms), func(i int) (string, string) { return ms[i].ID, ms[i].Content }); err != nil {
			return c, err
		}
	}
	return c, nil
}

// embed gives n texts their vectors.
func embed(ctx context.Context, st *store.Store, w *eval.World, kind string, n int, text func(int) (id, text string)) error {
	vectors := make([]store.Embedding, 0, 2*n)
	for i := range n {
		id, text := text(i)
		v := w.Vector(text)
		views := []string{store.ViewOwn}
		if kind == store.KindMessage {
			views = append(views, store.ViewCtx)
		}
		for _, view := range views {
			vectors = append(vectors, store.Embedding{Ref: store.Ref{Kind: kind, ID: id}, View: view, Vector: v})
		}
	}
	return st.SaveEmbeddings(ctx, eval.BenchModel, eval.BenchDimension, vectors)
}

// settings are those of a service in a measure.
type settings map[string]any

func (s settings) String(key string) string { v, _ := s[key].(string); return v }
func (s settings) Int(key string) int       { v, _ := s[key].(int); return v }
func (s settings) Float(key string) float64 { v, _ := s[key].(float64); return v }

// deaf is a bus that nobody listens to.
type deaf struct{}

func (deaf) Publish(ev memory.Event) memory.Event { return ev }

// instant is an engine that answers at once, so that what a turn takes is our own time.
type instant struct{ tools bool }

func (instant) Ready(context.Context) error                    { return nil }
func (instant) Hold() func()                                   { return func() {} }
func (instant) Models(context.Context) ([]engine.Model, error) { return nil, nil }
func (instant) Warm(context.Context, engine.ChatRequest) (memory.Usage, error) {
	return memory.Usage{}, nil
}
func (instant) SideCache(string) bool      { return false }
func (instant) PromptSpeed(string) float64 { return 0 }

func (i instant) Profile(context.Context, string) (engine.Profile, error) {
	return engine.Profile{Model: engine.Model{Name: "instant", Chat: true, Tools: i.tools}, MaxContext: 32768}, nil
}

func (instant) Vocabulary(context.Context, string) (map[string]any, error) {
	return nil, memory.Errorf(memory.EUNSUPPORTED, "vocabulary", "there is none")
}

func (instant) Chat(_ context.Context, r engine.ChatRequest, chunk func(engine.Chunk) error) (engine.ChatResult, error) {
	m := engine.Message{Role: "assistant", Content: "That is an answer of some words."}
	result := engine.ChatResult{Message: m, End: memory.EndStop, Usage: memory.Usage{PromptTokens: r.PromptTokens}}
	if chunk == nil { // nobody waits for the words, as with a summary
		return result, nil
	}
	return result, chunk(engine.Chunk{Content: m.Content})
}

// ownTime measures whole turns over a full memory with an engine that needs no time.
func (h *house) ownTime(ctx context.Context, o Options) ([]Result, error) {
	st, err := h.open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer func() { _ = st.Close() }()
	s := agent.New(agent.Deps{
		Store: st, Engine: instant{tools: true}, Counters: tokens.New(instant{}), Bus: deaf{},
		Settings: settings{"model": "instant", "window": 32768}, // 64 blocks are within their share of that
		Recall:   recall.New(recall.Deps{Store: st, Embedder: h.world, Model: func() string { return eval.BenchModel }}),
	})
	defer func() { _ = s.Close(ctx) }()
	conversations, _, err := st.Conversations(ctx, store.ConversationFilter{Query: "Years of talk", Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(conversations) == 0 {
		return nil, fmt.Errorf("the house has no conversation")
	}
	conversation := conversations[0].ID
	turns := 300
	if o.Quick {
		turns = 30
	}
	var took []float64
	for i := range turns + 5 {
		question := h.world.Query()
		elapsed, err := timed(func() error {
			if _, err := s.Send(ctx, agent.SendRequest{ConversationID: conversation, Content: question}); err != nil {
				return err
			}
			return s.Wait(ctx, conversation)
		})
		if err != nil {
			return nil, err
		}
		if i >= 5 { // the first ones fill the caches, as the first ones after a start do
			took = append(took, elapsed)
		}
	}
	n := o.counts()
	o.note("median %.1f ms", percentile(took, 50))
	return []Result{lower(fmt.Sprintf("own time of a turn, p95, at %d messages, %d blocks, %d passages", n.messages, memory.MaxBlocksPerAgent, n.passages),
		percentile(took, 95), "ms", 50)}, nil
}
