package store

import (
	"context"

	"recollect/backend/memory"
)

// MessagesNamed returns those of the messages that are there, the oldest first.
func (s *Store) MessagesNamed(ctx context.Context, ids []string) ([]memory.Message, error) {
	const op = "read messages"
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := all(ctx, s, scanMessage, messageSelect+" WHERE m.id IN (SELECT value FROM json_each(?)) ORDER BY m.id", encode(ids))
	if err != nil || len(rows) == 0 {
		return nil, fault(op, err)
	}
	ms, err := s.complete(ctx, rows)
	return ms, fault(op, err)
}

// Before returns how many messages stand before one on its branch, and how many of them are the user's.
func (s *Store) Before(ctx context.Context, messageID string) (messages, turns int, err error) {
	type count struct{ messages, turns int }
	n, err := one(ctx, s, func(r scanner) (c count, err error) {
		return c, r.Scan(&c.messages, &c.turns)
	}, "messages_before", messageID)
	return n.messages, n.turns, fault("count messages", err)
}

// ToolResult returns the result of a tool in a conversation by the end of its message's id; ENOTFOUND when there is none.
func (s *Store) ToolResult(ctx context.Context, conversationID, idEnd string) (memory.Message, error) {
	const op = "read result"
	id, err := one(ctx, s, value[string], "tool_result", conversationID, "%"+escapeLike(idEnd))
	if err != nil {
		return memory.Message{}, missingOr(op, "result", idEnd, err)
	}
	return s.Message(ctx, id)
}
