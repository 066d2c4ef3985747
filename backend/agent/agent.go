// Package agent runs turns: it stores the user's message, recalls, assembles the request, streams the answer, runs the
// tools that the model calls and always ends in an answer, a stop or a problem that names its remedy.
package agent

import (
	"context"
	"time"

	"recollect/backend/memory"
)

// SendRequest is a new user message.
type SendRequest struct {
	ConversationID string
	Content        string
	ClientID       string // made by the client; the same one again stores nothing and starts nothing
}

// Progress tells where the running turn of a conversation is.
type Progress struct {
	ConversationID string        `json:"conversation_id"`
	MessageID      string        `json:"message_id"` // the assistant message being written
	Phase          string        `json:"phase"`      // queued, recalling, loading, reading, writing, tool, retrying
	Read           int           `json:"read"`       // tokens of the prompt read so far
	Total          int           `json:"total"`
	ETA            time.Duration `json:"-"`
	Started        time.Time     `json:"started"`
	Detail         string        `json:"detail,omitempty"` // name of the tool, or why it is tried again
	Queued         []string      `json:"queued,omitempty"` // user messages that wait behind this turn
}

// Deps is what a Service works with.
type Deps struct{}

// Service runs the turns of all conversations: one at a time in a conversation, further ones queued.
type Service struct{}

// New returns a Service.
func New(Deps) *Service { return &Service{} }

var errNot = memory.Errorf(memory.EINTERNAL, "turn", "not running")

// Send stores a user message and queues its turn.
func (s *Service) Send(context.Context, SendRequest) (memory.Message, error) {
	return memory.Message{}, errNot
}

// Stop ends the running turn of a conversation; what came is kept. It reports whether one ran.
func (s *Service) Stop(string) bool { return false }

// Regenerate answers the user message again, as a new branch; it returns the user message.
func (s *Service) Regenerate(context.Context, string) (memory.Message, error) {
	return memory.Message{}, errNot
}

// Edit stores another version of a user message as a new branch and answers it.
func (s *Service) Edit(context.Context, string, string) (memory.Message, error) {
	return memory.Message{}, errNot
}

// Continue goes on with an answer that hit its length or was stopped.
func (s *Service) Continue(context.Context, string) (memory.Message, error) {
	return memory.Message{}, errNot
}

// Select makes the branch through a message the visible one.
func (s *Service) Select(context.Context, string) (memory.Conversation, error) {
	return memory.Conversation{}, errNot
}

// Preview returns the plan of the request that a draft would make.
func (s *Service) Preview(context.Context, string, string) (memory.Plan, error) {
	return memory.Plan{}, errNot
}

// Wait returns when no turn of the conversation runs or waits.
func (s *Service) Wait(context.Context, string) error { return errNot }

// Running returns the running turn of a conversation, nil when none runs.
func (s *Service) Running(string) *Progress { return nil }

// RunningAll returns the running turns of all conversations.
func (s *Service) RunningAll() []Progress { return nil }

// Close stops all turns, keeps what came, and waits for them.
func (s *Service) Close(context.Context) error { return nil }
