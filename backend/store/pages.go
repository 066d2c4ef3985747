package store

import (
	"context"
	"encoding/json"

	"recollect/backend/memory"
)

// SavePage stores what the user put into a conversation's window, or took out of it, in place of what was known of the item.
func (s *Store) SavePage(ctx context.Context, p memory.PageIn) (memory.PageIn, error) {
	const op = "page in"
	err := s.write(ctx, op, kept, func(t *tx) error {
		if _, err := one(ctx, t, scanConversation, "conversation_get", p.ConversationID); err != nil {
			return missingOr(op, "conversation", p.ConversationID, err)
		}
		if p.CreatedAt.IsZero() {
			p.CreatedAt = t.now
		}
		if err := t.run("page_put", p.ConversationID, string(p.Kind), p.ID, encode(p)); err != nil {
			return err
		}
		return t.pageChanged(p)
	})
	return p, err
}

// DeletePage forgets what the user said about an item and a conversation's window.
func (s *Store) DeletePage(ctx context.Context, conversationID string, kind memory.ItemKind, id string) error {
	return s.write(ctx, "page out", kept, func(t *tx) error {
		if err := t.run("page_delete", conversationID, string(kind), id); err != nil {
			return err
		}
		return t.pageChanged(memory.PageIn{ConversationID: conversationID, Kind: kind, ID: id, Out: true})
	})
}

func (t *tx) pageChanged(p memory.PageIn) error {
	return t.emit("window.paged", "", p.ConversationID, map[string]any{
		"conversation_id": p.ConversationID, "kind": string(p.Kind), "id": p.ID, "pinned": p.Pinned, "out": p.Out,
	})
}

// Pages returns what the user put into a conversation's window or took out of it, the oldest first.
func (s *Store) Pages(ctx context.Context, conversationID string) ([]memory.PageIn, error) {
	list, err := all(ctx, s, func(r scanner) (p memory.PageIn, err error) {
		body, err := value[string](r)
		if err != nil {
			return p, err
		}
		return p, json.Unmarshal([]byte(body), &p)
	}, "page_list", conversationID)
	return list, fault("list pages", err)
}
