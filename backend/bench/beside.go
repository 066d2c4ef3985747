package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"recollect/backend/agent"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/tokens"
)

// listener notes when the first words of answers come.
type listener struct {
	mu    sync.Mutex
	first time.Time
}

// Publish is part of agent.Bus.
func (l *listener) Publish(ev memory.Event) memory.Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	if ev.Type == "message.delta" && l.first.IsZero() {
		l.first = time.Now()
	}
	return ev
}

const (
	besideTurns = 40
	besideStart = 3 * time.Second // after which a summary is being read
)

// beside measures how much later the first word of an answer comes when a summary of the chat is being made: the starter model
// on our own engine, with a cache for side tasks.
func beside(ctx context.Context, o Options) ([]Result, error) {
	e, end, err := starter(ctx, o)
	if err != nil {
		return nil, err
	}
	defer end()
	st, err := openStore(ctx, filepath.Join(o.Dir, "beside"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = st.Close() }()
	a, err := defaultAgent(ctx, st)
	if err != nil {
		return nil, err
	}
	l := &listener{}
	s := agent.New(agent.Deps{
		Store: st, Engine: e, Counters: tokens.New(e), Bus: l, Settings: settings{"model": engine.StarterChat, "window": starterWindow, "notes": "off"},
		Recall: quiet{recall.New(recall.Deps{Store: st})},
	})
	defer func() { _ = s.Close(ctx) }()
	c, err := st.CreateConversation(ctx, memory.Conversation{AgentID: a.ID})
	if err != nil {
		return nil, err
	}
	turns, parent := besideTurns, ""
	if o.Quick {
		turns /= 2
	}
	for i := range 2 * turns {
		m := memory.Message{ConversationID: c.ID, ParentID: parent, Role: memory.RoleUser, Content: said(i, false)}
		if i%2 == 1 {
			m.Role, m.Content = memory.RoleAssistant, "That sounds like a fine day."
		}
		if m, err = st.AddMessage(ctx, m); err != nil {
			return nil, err
		}
		parent = m.ID
	}
	// ask returns how long the first word took, in seconds.
	ask := func(text string) (float64, error) {
		l.mu.Lock()
		l.first = time.Time{}
		l.mu.Unlock()
		began := time.Now()
		if _, err := s.Send(ctx, agent.SendRequest{ConversationID: c.ID, Content: text}); err != nil {
			return 0, err
		}
		if err := s.Wait(ctx, c.ID); err != nil {
			return 0, err
		}
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.first.IsZero() {
			return 0, errors.New("there was no answer")
		}
		return l.first.Sub(began).Seconds(), nil
	}
	for _, text := range []string{"Hello.", "And how are you?"} { // the model is loaded, the chat read, the side cache there
		if _, err := ask(text); err != nil {
			return nil, err
		}
	}
	without, err := ask("What did we talk about?")
	if err != nil {
		return nil, err
	}
	made, err := s.Compact(ctx, c.ID, agent.CompactRequest{Strategy: memory.StrategySummary, DryRun: true})
	if err != nil {
		return nil, err
	}
	select {
	case <-time.After(besideStart):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if now, err := st.Compaction(ctx, made.ID); err != nil || now.State != memory.CompactionPending {
		return nil, cmp.Or(err, fmt.Errorf("the summary is %s before the question, which measures nothing", now.State))
	}
	with, err := ask("And what else did we do?")
	if err != nil {
		return nil, err
	}
	o.note("first word after %.2f s, and after %.2f s while a summary was being made (side cache: %v)", without, with, e.SideCache(engine.StarterChat))
	if err := s.Rest(ctx); err != nil {
		return nil, err
	}
	if made, err = st.Compaction(ctx, made.ID); err != nil {
		return nil, err
	}
	o.note("the summary: %s, %d of %d attempts of use", made.State, made.Summed, made.Attempts)
	return []Result{lower(fmt.Sprintf("first word while a chat of %d turns is summed up, later than else", turns), max(with-without, 0), "s", 2)}, nil
}
