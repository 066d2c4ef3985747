package sample

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/backend/agent"
	"recollect/backend/bus"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// window is the sample agent's, in tokens: so small that the longest conversation does not fit.
const window = 4096

// stage is a whole Recollect of its own, in a folder that is thrown away, in which a script is played: with the real
// turn, tools, recall and store, so that all that they leave behind is there; only what the model says is given.
type stage struct {
	past    *past
	store   *store.Store
	service *agent.Service
	model   *model
	agent   memory.Agent
}

// past is a clock that moves only when it is read or set.
type past struct {
	mu  sync.Mutex
	now time.Time
}

// tick is how far the clock moves each time it is read: what a turn does takes some seconds.
const tick = 150 * time.Millisecond

func (p *past) read() time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.now = p.now.Add(tick)
	return p.now
}

func (p *past) set(t time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if t.After(p.now) {
		p.now = t
	}
}

// play plays talks in the folder dir and returns the stage, which the caller closes.
func play(ctx context.Context, dir, language string, talks []talk) (s *stage, err error) {
	s = &stage{past: &past{now: talks[0].turns[0].at.Add(-time.Hour)}, model: &model{}}
	ids := memory.NewIDs(s.past.read, rand.Reader)
	s.store, err = store.Open(ctx, filepath.Join(dir, "sample.db"), store.Options{Clock: s.past.read, IDs: ids})
	if err != nil {
		return nil, err
	}
	opened := s // a return with an error makes s nil
	defer func() {
		if err != nil {
			err = errors.Join(err, opened.close(context.WithoutCancel(ctx)))
		}
	}()
	s.service = agent.New(agent.Deps{
		Store: s.store, Engine: s.model, Recall: recall.New(recall.Deps{Store: s.store, Clock: s.past.read}),
		Counters: tokens.New(s.model), Bus: bus.New(s.past.read), Settings: noSettings{}, Clock: s.past.read, IDs: ids,
	})
	s.agent, err = agent.NewAgent(ctx, s.store, memory.Agent{
		Name: names[language], Model: modelName, Window: window, Language: language,
		Room: memory.Room{CoreJudge: "off"}, // a script has no judgement
	}, agent.First{})
	if err != nil {
		return nil, err
	}
	for _, t := range talks {
		if err := s.talk(ctx, t); err != nil {
			return nil, fmt.Errorf("play %q: %w", t.title, err)
		}
	}
	_, err = s.store.UpdateAgent(ctx, s.agent.ID, func(a *memory.Agent) error {
		a.Model, a.Room = "", memory.Room{} // from now on the user's own answers, and judges
		return nil
	})
	return s, err
}

func (s *stage) close(ctx context.Context) error {
	var errs []error
	if s.service != nil {
		errs = append(errs, s.service.Close(ctx))
	}
	return errors.Join(append(errs, s.store.Close())...)
}

func (s *stage) talk(ctx context.Context, t talk) error {
	s.past.set(t.turns[0].at)
	c, err := s.store.CreateConversation(ctx, memory.Conversation{AgentID: s.agent.ID, Title: t.title, TitleBy: memory.ActorUser})
	if err != nil {
		return err
	}
	for _, turn := range t.turns {
		if err := s.turn(ctx, c.ID, turn); err != nil {
			return fmt.Errorf("%s: %w", turn.at.Format(timeFormat), err)
		}
	}
	return nil
}

func (s *stage) turn(ctx context.Context, conversationID string, t turn) error {
	s.past.set(t.at)
	if err := s.model.expect(t); err != nil {
		return err
	}
	if _, err := s.service.Send(ctx, agent.SendRequest{ConversationID: conversationID, Content: t.user}); err != nil {
		return err
	}
	if err := s.service.Wait(ctx, conversationID); err != nil {
		return err
	}
	if err := s.model.done(); err != nil {
		return err
	}
	for _, a := range t.acts {
		if err := s.byUser(ctx, conversationID, a); err != nil {
			return err
		}
	}
	return nil
}

// block returns a block of the agent by its label.
func (s *stage) block(ctx context.Context, label string) (memory.Block, error) {
	blocks, err := s.store.Blocks(ctx, s.agent.ID)
	if err != nil {
		return memory.Block{}, err
	}
	i := slices.IndexFunc(blocks, func(b memory.Block) bool { return b.Label == label })
	if i < 0 {
		return memory.Block{}, fmt.Errorf("there is no block %q", label)
	}
	return blocks[i], nil
}

// byUser does what the user does by hand.
func (s *stage) byUser(ctx context.Context, conversationID string, a act) error {
	cause := memory.Cause{Actor: memory.ActorUser, AgentID: s.agent.ID}
	switch a.kind {
	case makes:
		_, _, err := s.store.CreateBlock(ctx, memory.Block{Label: a.label, Value: a.new, Pinned: true}, []string{s.agent.ID}, cause)
		return err
	case edits:
		block, err := s.block(ctx, a.label)
		if err != nil {
			return err
		}
		value, err := replaced(block.Value, a.old, a.new)
		if err != nil {
			return err
		}
		_, _, err = s.store.UpdateBlock(ctx, block.ID, memory.BlockChange{Value: &value}, cause)
		return err
	case tidies:
		block, err := s.block(ctx, a.label)
		if err != nil {
			return err
		}
		if _, err := s.service.CompactCore(ctx, s.agent.ID, agent.CoreRequest{BlockID: block.ID, ConversationID: conversationID}); err != nil {
			return err
		}
		return s.service.Rest(ctx)
	}
	return nil
}

// noSettings leaves every choice to the agent.
type noSettings struct{}

func (noSettings) String(string) string { return "" }
func (noSettings) Int(string) int       { return 0 }
func (noSettings) Float(string) float64 { return 0 }

const modelName = "sample"

// model is an engine whose only model says what the script says.
type model struct {
	mu   sync.Mutex
	next []engine.Message
}

// expect prepares the answers of a turn: the calls of tools where there are any, then the words.
func (m *model) expect(t turn) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var calls []memory.ToolCall
	for _, a := range t.acts {
		name, args := toolOf(a)
		if name == "" {
			continue
		}
		raw, err := json.Marshal(args)
		if err != nil {
			return err
		}
		calls = append(calls, memory.ToolCall{ID: fmt.Sprintf("call-%d", len(calls)+1), Name: name, Arguments: string(raw)})
	}
	m.next = nil
	if len(calls) > 0 {
		m.next = append(m.next, engine.Message{Role: "assistant", ToolCalls: calls})
	}
	m.next = append(m.next, engine.Message{Role: "assistant", Content: t.answer})
	return nil
}

// done fails when the turn did not come to its words.
func (m *model) done() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.next) > 0 {
		return fmt.Errorf("%d answers were not asked for", len(m.next))
	}
	return nil
}

// toolOf returns the call that does what an act of the model says, "" for an act of the user.
func toolOf(a act) (name string, args map[string]any) {
	switch a.kind {
	case adds:
		return "core_memory_append", map[string]any{"label": a.label, "content": a.new}
	case replaces:
		return "core_memory_replace", map[string]any{"label": a.label, "old_content": a.old, "new_content": a.new}
	case stores:
		return "archival_memory_insert", map[string]any{"content": a.text, "tags": a.tags}
	case searches:
		return "archival_memory_search", map[string]any{"query": a.text}
	}
	return "", nil
}

func (m *model) profile() engine.Profile {
	return engine.Profile{Model: engine.Model{Name: modelName, Chat: true, Tools: true}}
}

// Ready is part of agent.Engine.
func (m *model) Ready(context.Context) error { return nil }

// Hold is part of agent.Engine.
func (m *model) Hold() func() { return func() {} }

// Models is part of agent.Engine.
func (m *model) Models(context.Context) ([]engine.Model, error) {
	return []engine.Model{m.profile().Model}, nil
}

// Profile is part of agent.Engine.
func (m *model) Profile(context.Context, string) (engine.Profile, error) { return m.profile(), nil }

// Vocabulary is part of tokens.Source: tokens are estimated.
func (m *model) Vocabulary(context.Context, string) (map[string]any, error) {
	return nil, memory.Errorf(memory.EUNSUPPORTED, "read the vocabulary", "a script has none")
}

// Warm is part of agent.Engine.
func (m *model) Warm(context.Context, engine.ChatRequest) (memory.Usage, error) {
	return memory.Usage{}, nil
}

// PromptSpeed is part of agent.Engine.
func (m *model) PromptSpeed(string) float64 { return 0 }

// SideCache is part of agent.Engine.
func (m *model) SideCache(string) bool { return false }

// Chat is part of agent.Engine: it says what comes next in the script. Side tasks get no answer.
func (m *model) Chat(_ context.Context, r engine.ChatRequest, chunk func(engine.Chunk) error) (engine.ChatResult, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.next) == 0 || r.Format != nil || r.Priority != engine.PriorityChat {
		return engine.ChatResult{}, memory.Errorf(memory.EUNSUPPORTED, "chat", "the script says nothing here")
	}
	said := m.next[0]
	m.next = m.next[1:]
	err := chunk(engine.Chunk{Content: said.Content, ToolCalls: said.ToolCalls})
	return engine.ChatResult{Message: said, End: memory.EndStop, Usage: memory.Usage{CachedTokens: -1}, Stages: 1}, err
}
