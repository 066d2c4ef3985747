// Package experiment shows with numbers what memory is good for: what a model still has in front of it after so many turns, and
// what each way of making room costs and keeps. Everything runs on the path that a real turn takes, in a folder that is thrown
// away; what is said before the question is a script.
package experiment

import (
	"context"
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"recollect/backend/agent"
	"recollect/backend/agent/tools"
	"recollect/backend/bus"
	"recollect/backend/engine"
	"recollect/backend/eval"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// Engine is what an experiment with a model needs; *engine.Engine is one.
type Engine interface {
	agent.Engine
	tokens.Source
}

// began is when every experiment takes place, so that two of them are the same to the letter.
var began = time.Date(2026, 1, 5, 9, 0, 0, 0, time.UTC)

// clock moves only when it is read or set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) read() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(10 * time.Millisecond)
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// counting is randomness that is none: identifiers are the same in each run.
type counting struct {
	mu sync.Mutex
	n  uint64
}

// Read fills p with numbers that count up.
func (c *counting) Read(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range p {
		p[i] = 0
	}
	c.n++
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], c.n)
	copy(p[max(len(p)-8, 0):], b[max(8-len(p), 0):])
	return len(p), nil
}

// choices are the user's settings on a stage.
type choices map[string]any

// String is part of agent.Settings.
func (c choices) String(key string) string { v, _ := c[key].(string); return v }

// Int is part of agent.Settings.
func (c choices) Int(key string) int { v, _ := c[key].(int); return v }

// Float is part of agent.Settings.
func (c choices) Float(key string) float64 { v, _ := c[key].(float64); return v }

// setup says how a stage is built.
type setup struct {
	settings choices
	window   int
	recalls  bool            // what was stored comes back …
	embedder recall.Embedder // … by meaning too; nil = by words
	embeds   string          // name of its model
	core     bool            // there is core memory
	tools    bool            // the model has tools
}

// stage is a whole Recollect of its own.
type stage struct {
	dir          string
	setup        setup
	clock        *clock
	store        *store.Store
	service      *agent.Service
	model        *player
	agent        memory.Agent
	conversation string
}

// build opens a stage in a folder. model has the one that questions are asked of, nil for none.
func build(ctx context.Context, dir string, how setup, model Engine, name string) (s *stage, err error) {
	s = &stage{dir: dir, setup: how, clock: &clock{now: began}, model: newPlayer(model, name)}
	if err := s.open(ctx, filepath.Join(dir, "experiment.db")); err != nil {
		return nil, err
	}
	opened := s
	defer func() {
		if err != nil {
			err = errors.Join(err, opened.close(context.WithoutCancel(ctx)))
		}
	}()
	a := memory.Agent{Name: "Recollect", Model: s.model.name, Window: how.window, Language: "en"}
	if !how.tools {
		a.ToolsOff = tools.Names()
	}
	cause := memory.Cause{Actor: memory.ActorSystem}
	if how.core {
		s.agent, err = agent.NewAgent(ctx, s.store, a, agent.First{})
	} else {
		s.agent, err = s.store.CreateAgent(ctx, a, cause)
	}
	if err != nil {
		return nil, err
	}
	c, err := s.store.CreateConversation(ctx, memory.Conversation{AgentID: s.agent.ID, Title: "Experiment", TitleBy: memory.ActorUser})
	s.conversation = c.ID
	return s, err
}

// open opens the database at path and what works on it.
func (s *stage) open(ctx context.Context, path string) (err error) {
	ids := memory.NewIDs(s.clock.read, &counting{})
	if s.store, err = store.Open(ctx, path, store.Options{Clock: s.clock.read, IDs: ids}); err != nil {
		return err
	}
	d := recall.Deps{Store: s.store, Clock: s.clock.read}
	var search agent.Recall
	switch how := s.setup; {
	case !how.recalls:
		search = forgetful{recall.New(d)}
	case how.embedder != nil:
		d.Embedder, d.Model, d.Patience = how.embedder, func() string { return how.embeds }, time.Minute
		if search, err = eval.EmbedAll(ctx, d, 1, func(string) {}); err != nil {
			return err
		}
	default:
		search = recall.New(d)
	}
	s.service = agent.New(agent.Deps{
		Store: s.store, Engine: s.model, Recall: search, Counters: tokens.New(s.model), Bus: bus.New(s.clock.read),
		Settings: s.setup.settings, Clock: s.clock.read, IDs: ids,
	})
	return nil
}

// copied returns a stage of its own with all that this one holds, in another folder: what happens there is not known here.
func (s *stage) copied(ctx context.Context, dir string) (*stage, error) {
	path := filepath.Join(dir, "experiment.db")
	if err := s.store.Backup(ctx, path); err != nil {
		return nil, err
	}
	other := *s
	other.dir, other.clock = dir, &clock{now: s.clock.read()}
	other.model = newPlayer(s.model.real, s.model.name)
	return &other, other.open(ctx, path)
}

func (s *stage) close(ctx context.Context) error {
	var err error
	if s.service != nil {
		err = s.service.Close(ctx)
	}
	return errors.Join(err, s.store.Close())
}

// say plays one turn: what the user says, and what is answered.
func (s *stage) say(ctx context.Context, e exchange) error {
	s.model.expect(e.answer)
	if _, err := s.send(ctx, e.user); err != nil {
		return err
	}
	s.clock.pass(2 * time.Minute)
	return s.service.Rest(ctx)
}

// ask sends a question and returns the answer, with what the model had before it.
func (s *stage) ask(ctx context.Context, question string) (asked, error) {
	s.model.expect("")
	m, err := s.send(ctx, question)
	if err != nil {
		return asked{}, err
	}
	a := asked{prompt: s.model.prompt(question)}
	if s.model.real != nil {
		a.said = strings.TrimSpace(m.Content)
	}
	if m.Usage != nil {
		a.tokens = m.Usage.PromptTokens
	}
	if p, err := s.store.PlanOf(ctx, m.ID); err == nil {
		a.plan = p
		if a.tokens <= 0 {
			a.tokens = p.Prompt
		}
	}
	return a, nil
}

// compactions returns what made room in the conversation, the newest first.
func (s *stage) compactions(ctx context.Context) (all []memory.Compaction, err error) {
	f := store.CompactionFilter{ConversationID: s.conversation, Kind: memory.CompactionTranscript, Limit: 500}
	for {
		page, next, err := s.store.Compactions(ctx, f)
		if err != nil {
			return nil, err
		}
		for _, c := range page {
			if c.State == memory.CompactionDone {
				all = append(all, c)
			}
		}
		if f.Cursor = next; next == "" {
			return all, nil
		}
	}
}

// asked is a question and what came of it.
type asked struct {
	prompt string // all that the model had before it, but the question
	said   string // "" without a model
	tokens int    // of the prompt, measured where there is a model
	plan   memory.Plan
}

// send sends a message and returns the answer.
func (s *stage) send(ctx context.Context, text string) (memory.Message, error) {
	if _, err := s.service.Send(ctx, agent.SendRequest{ConversationID: s.conversation, Content: text}); err != nil {
		return memory.Message{}, err
	}
	if err := s.service.Wait(ctx, s.conversation); err != nil {
		return memory.Message{}, err
	}
	c, err := s.store.Conversation(ctx, s.conversation)
	if err != nil {
		return memory.Message{}, err
	}
	m, err := s.store.Message(ctx, c.Head)
	if err == nil && m.Problem != nil {
		err = memory.ErrorOf("answer", *m.Problem)
	}
	return m, err
}

// forgetful is recall that brings nothing.
type forgetful struct{ agent.Recall }

// For is part of agent.Recall.
func (forgetful) For(_ context.Context, q recall.Query) (memory.Receipt, error) {
	return memory.Receipt{MessageID: q.MessageID, Query: q.Text, Plan: memory.PlanRules, Candidates: []memory.Candidate{}}, nil
}

// NoModel is the name of the model that answers nothing.
const NoModel = "none"

// notSaid is what the model that answers nothing answers.
const notSaid = "I hear you."

// player is an engine that says what it is told to say. A question goes to the real model where there is one.
type player struct {
	real Engine
	name string

	mu    sync.Mutex
	next  string // "" = it is a question
	asked []engine.Message
	calls int // of the real model, but for answers

	read, written int // tokens of these calls
}

// spent returns what the real model was asked for besides answers: tokens read and written, and how often.
func (p *player) spent() (read, written, calls int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.read, p.written, p.calls
}

func newPlayer(model Engine, name string) *player {
	if model == nil {
		name = NoModel
	}
	return &player{real: model, name: name}
}

func (p *player) expect(answer string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.next = answer
}

// prompt returns all that the last request held but its question.
func (p *player) prompt(question string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var all strings.Builder
	for i, m := range p.asked {
		text := m.Content
		if i == len(p.asked)-1 || m.Role == "user" && strings.HasSuffix(text, question) {
			text = strings.TrimSuffix(text, question)
		}
		all.WriteString(text + "\n")
	}
	return all.String()
}

// Chat is part of agent.Engine.
func (p *player) Chat(ctx context.Context, r engine.ChatRequest, chunk func(engine.Chunk) error) (engine.ChatResult, error) {
	chat := r.Priority == engine.PriorityChat && r.Format == nil
	p.mu.Lock()
	said := p.next
	if chat {
		p.asked = r.Messages
	}
	p.mu.Unlock()
	if p.real != nil && (!chat || said == "") {
		res, err := p.real.Chat(ctx, r, chunk)
		if !chat {
			p.mu.Lock()
			p.calls, p.read, p.written = p.calls+1, p.read+res.Usage.PromptTokens, p.written+res.Usage.OutputTokens
			p.mu.Unlock()
		}
		return res, err
	}
	if !chat {
		return engine.ChatResult{}, memory.Errorf(memory.EUNSUPPORTED, "chat", "there is no model")
	}
	if said == "" {
		said = notSaid
	}
	err := chunk(engine.Chunk{Content: said})
	return engine.ChatResult{Message: engine.Message{Role: "assistant", Content: said}, End: memory.EndStop, Usage: memory.Usage{CachedTokens: -1}, Stages: 1}, err
}

// Ready is part of agent.Engine.
func (p *player) Ready(ctx context.Context) error {
	if p.real != nil {
		return p.real.Ready(ctx)
	}
	return nil
}

// Hold is part of agent.Engine.
func (p *player) Hold() func() {
	if p.real != nil {
		return p.real.Hold()
	}
	return func() {}
}

// Models is part of agent.Engine.
func (p *player) Models(ctx context.Context) ([]engine.Model, error) {
	if p.real != nil {
		return p.real.Models(ctx)
	}
	return []engine.Model{{Name: NoModel, Chat: true, Tools: true}}, nil
}

// Profile is part of agent.Engine.
func (p *player) Profile(ctx context.Context, model string) (engine.Profile, error) {
	if p.real != nil {
		return p.real.Profile(ctx, model)
	}
	return engine.Profile{Model: engine.Model{Name: NoModel, Chat: true, Tools: true}}, nil
}

// Vocabulary is part of tokens.Source: without a model tokens are estimated.
func (p *player) Vocabulary(ctx context.Context, model string) (map[string]any, error) {
	if p.real != nil {
		return p.real.Vocabulary(ctx, model)
	}
	return nil, memory.Errorf(memory.EUNSUPPORTED, "read the vocabulary", "there is no model")
}

// Warm is part of agent.Engine.
func (p *player) Warm(context.Context, engine.ChatRequest) (memory.Usage, error) {
	return memory.Usage{}, nil
}

// PromptSpeed is part of agent.Engine.
func (p *player) PromptSpeed(model string) float64 {
	if p.real != nil {
		return p.real.PromptSpeed(model)
	}
	return 0
}

// SideCache is part of agent.Engine.
func (p *player) SideCache(string) bool { return false }
