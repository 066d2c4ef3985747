package agent

import (
	"context"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
)

// Aside is a question to an agent's model that belongs to no conversation.
type Aside struct {
	Kind    memory.CallKind
	AgentID string
	Text    func(language string) string // the question, for an agent that speaks this language
	Tokens  int                          // of the answer at most
	// Costly asks also where the chat would have to read its prompt again afterwards, and however slow the model is.
	Costly bool
	Usable func(digest string) bool // whether a model is any use for it; nil = each
}

const (
	asideTime        = time.Minute     // that an aside is expected to take at most, unless it may be costly
	asidePatience    = 4 * time.Minute // after which one is given up
	asideTemperature = .2
)

// Idly runs work in the background when no turn runs; see chores. Of a name only one waits.
func (s *Service) Idly(name string, run func(ctx context.Context) error) {
	s.chore(&chore{name: name, most: 1, run: run})
}

// Ask answers an aside, and names the model by its digest. It fails with EBUSY where that would cost the chat or the machine
// too much now, with EUNSUPPORTED where the
// model is no use for it, with EMODEL and EENGINE where there is none, and with EOVERFLOW where the question is too long for its
// window. Call it idly.
func (s *Service) Ask(ctx context.Context, a Aside) (text, digest string, err error) {
	const op = "ask aside"
	of, err := s.Store.Agent(ctx, a.AgentID)
	if err != nil {
		return "", "", err
	}
	set, err := s.setup(ctx, of)
	if err != nil {
		return "", "", err
	}
	if a.Usable != nil && !a.Usable(set.profile.Digest) {
		return "", "", memory.Errorf(memory.EUNSUPPORTED, op, "%s is no use for it", set.Model)
	}
	question := a.Text(set.Language)
	tokens := set.counter.Count(question) + set.counter.Count(engine.SidePrefix)
	if tokens+a.Tokens > set.Window {
		return "", "", memory.Errorf(memory.EOVERFLOW, op, "the question has about %d tokens, which the window of %d does not hold", tokens, set.Window)
	}
	if took := s.roundTime(set.Model, tokens, a.Tokens); !a.Costly && (took > asideTime || s.spoken(set.Model) && !s.Engine.SideCache(set.Model)) {
		return "", "", memory.Errorf(memory.EBUSY, op, "it would take %s, or cost the chat what the engine has read of it", took)
	}
	ctx, cancel := context.WithTimeout(ctx, asidePatience)
	defer cancel()
	res, err := s.beside(ctx, a.Kind, of.ID, engine.ChatRequest{
		Model: set.Model, NumCtx: set.Window, NumPredict: a.Tokens, Priority: engine.PriorityBackground, Temperature: ptr(asideTemperature),
		PromptTokens: tokens, Messages: []engine.Message{{Role: "user", Content: question}},
	}, nil)
	return res.Message.Content, set.profile.Digest, err
}

// spoken says whether a model has answered somebody since the app was started, so that the engine holds what it read.
func (s *Service) spoken(model string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.writes[model] > 0
}
