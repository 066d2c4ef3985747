package agent

import (
	"context"
	"slices"

	"recollect/backend/memory"
	"recollect/backend/window"
)

// Inspection is what the next request of a chat is made of.
type Inspection struct {
	Effective
	Plan      memory.Plan // without a message, measured where the engine has counted it
	Turns     int         // user messages of the chat
	Answered  bool        // by a model, as far as the chat is read; what is asked of memory by rule needs none
	Results   int         // tokens of the results of earlier turns that the request has in full
	Threshold float64     // share of the usable window from which on room is made
	Due       bool        // room is made with the next message
}

// stubTokens is what the stub of a tool's result takes at most.
const stubTokens = 120

// Inspect looks at the next request of a conversation, or at the first one of a conversation that the agent does not have
// yet. Nothing is changed.
func (s *Service) Inspect(ctx context.Context, agentID, conversationID string) (Inspection, error) {
	c := memory.Conversation{AgentID: agentID}
	if conversationID != "" {
		var err error
		if c, err = s.Store.Conversation(ctx, conversationID); err != nil {
			return Inspection{}, err
		}
		if c.AgentID != agentID {
			return Inspection{}, memory.Errorf(memory.EINVALID, "inspect the window", "the conversation belongs to another agent")
		}
	}
	n, err := s.next(ctx, c, "")
	if err == nil {
		err = s.measure(ctx, c, &n)
	}
	in := Inspection{Effective: n.set.Effective, Plan: n.request.Plan, Threshold: s.roomOf(n.agent).CompactAt}
	if err != nil {
		return in, err
	}
	in.Due = n.request.Rebased && n.request.Prefix.Reason == window.ReasonFull
	if c.Head != "" {
		if _, in.Turns, err = s.Store.Before(ctx, c.Head); err != nil {
			return in, err
		}
		if head := n.path[len(n.path)-2]; head.Role == memory.RoleUser { // behind it comes the draft
			in.Turns++
		}
	}
	in.Answered = slices.ContainsFunc(n.path, func(m memory.Message) bool {
		return m.Role == memory.RoleAssistant && m.Status == memory.StatusComplete && m.End != memory.EndRule
	})
	for _, m := range n.request.Messages {
		if t := n.set.counter.Count(m.Content); m.Role == "tool" && t > stubTokens {
			in.Results += t
		}
	}
	return in, nil
}
