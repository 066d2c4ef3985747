package agent

import (
	"context"

	"recollect/backend/engine"
	"recollect/backend/memory"
)

// beside makes a call of a model that is no answer, and notes what it took.
func (s *Service) beside(ctx context.Context, kind memory.CallKind, agentID string, req engine.ChatRequest, chunk func(engine.Chunk) error) (engine.ChatResult, error) {
	res, err := s.Engine.Chat(ctx, req, chunk)
	s.used(ctx, kind, agentID, req, res.Usage)
	return res, err
}

// used notes what a call of a model took that is no answer.
func (s *Service) used(ctx context.Context, kind memory.CallKind, agentID string, req engine.ChatRequest, u memory.Usage) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishWithin)
	defer cancel()
	err := s.Store.AddUsage(ctx, memory.ModelCall{
		At: s.Clock(), Kind: kind, AgentID: agentID, ConversationID: req.Conversation, Model: req.Model, Window: req.NumCtx, Estimate: req.PromptTokens,
		PromptTokens: u.PromptTokens, CachedTokens: u.CachedTokens, OutputTokens: u.OutputTokens, PromptMs: u.PromptMs, OutputMs: u.OutputMs,
		FirstTokenMs: u.FirstTokenMs, LoadMs: u.LoadMs, Truncated: u.Truncated,
	})
	if err != nil {
		s.Log.Warn("usage", "what", string(kind), "error", err)
		return
	}
	if u.PromptTokens > 0 {
		s.publish("usage.noted", map[string]any{"agent_id": agentID, "conversation_id": req.Conversation, "kind": string(kind)})
	}
}
