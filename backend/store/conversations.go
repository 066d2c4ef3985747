package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

// CreateConversation stores a new, empty conversation of c.AgentID and fills in its id and times.
func (s *Store) CreateConversation(ctx context.Context, c memory.Conversation) (memory.Conversation, error) {
	const op = "create conversation"
	err := s.write(ctx, op, kept, func(t *tx) error {
		if _, err := one(ctx, t, scanAgent, "agent_get", c.AgentID); err != nil {
			return missingOr(op, "agent", c.AgentID, err)
		}
		c.Title = clip(memory.CleanText(c.Title), 200)
		if c.TitleBy == "" {
			c.TitleBy = memory.ActorSystem
		}
		c.ID, c.Head = s.ids.New("conversation"), ""
		c.CreatedAt, c.UpdatedAt = t.now, t.now
		if err := t.run("conversation_insert", c.ID, c.AgentID, c.Title, string(c.TitleBy), c.Pinned, millis(c.CreatedAt),
			millis(c.UpdatedAt)); err != nil {
			return err
		}
		return t.conversationChanged(c)
	})
	return c, err
}

// Conversation returns the conversation with the given id, also a deleted one: DeletedAt says so.
func (s *Store) Conversation(ctx context.Context, id string) (memory.Conversation, error) {
	c, err := one(ctx, s, scanConversation, "conversation_get", id)
	return c, missingOr("read conversation", "conversation", id, err)
}

// Conversations returns the conversations that the filter selects and the cursor of the next page, "" at the end.
func (s *Store) Conversations(ctx context.Context, f ConversationFilter) ([]memory.Conversation, string, error) {
	const op = "list conversations"
	q := filter{conditions: []string{"c.deleted_at = 0", "g.deleted_at = 0"}}
	q.when(f.AgentID != "", "c.agent_id = ?", f.AgentID)
	q.when(f.Archived, "c.archived_at <> 0")
	q.when(!f.Archived, "c.archived_at = 0")
	if words := strings.TrimSpace(f.Query); words != "" {
		said, err := s.conversationsSaying(ctx, f.AgentID, words)
		if err != nil {
			return nil, "", fault(op, err)
		}
		q.when(true, `(c.title LIKE ? ESCAPE '\' OR c.id IN (SELECT value FROM json_each(?)))`, "%"+escapeLike(words)+"%", encode(said))
	}
	if f.Cursor != "" {
		pinned, rest, _ := strings.Cut(f.Cursor, ".")
		isPinned, err := strconv.ParseBool(pinned)
		if err != nil {
			return nil, "", memory.Errorf(memory.EINVALID, op, "the cursor %q is none of ours", f.Cursor)
		}
		at, id, err := splitCursor(op, rest)
		if err != nil {
			return nil, "", err
		}
		q.when(true, "(c.pinned, c.updated_at, c.id) < (?, ?, ?)", isPinned, at, id)
	}
	limit := limitOr(f.Limit)
	list, err := all(ctx, s, scanConversation, `SELECT c.id, c.agent_id, c.title, c.title_by, c.head, c.pinned, c.archived_at, c.deleted_at,
		c.created_at, c.updated_at FROM conversation c JOIN agent g ON g.id = c.agent_id`+q.where()+
		` ORDER BY c.pinned DESC, c.updated_at DESC, c.id DESC LIMIT ?`, append(q.args, limit+1)...)
	if err != nil {
		return nil, "", fault(op, err)
	}
	next := ""
	if len(list) > limit {
		list = list[:limit]
		last := list[limit-1]
		next = strconv.FormatBool(last.Pinned) + "." + joinCursor(last.UpdatedAt, last.ID)
	}
	return list, next, nil
}

// conversationsSaying returns the ids of the conversations whose messages match words best.
func (s *Store) conversationsSaying(ctx context.Context, agentID, words string) ([]string, error) {
	terms := segment.Query(words)
	if len(terms) == 0 {
		return []string{}, nil
	}
	agents := []string{agentID}
	if agentID == "" {
		list, err := s.Agents(ctx)
		if err != nil {
			return nil, err
		}
		agents = agents[:0]
		for _, a := range list {
			agents = append(agents, a.ID)
		}
	}
	ids := []string{}
	for _, agent := range agents {
		hits, err := s.LexicalSearch(ctx, LexQuery{AgentID: agent, Terms: terms, Limit: 200})
		if err != nil {
			return nil, err
		}
		for _, h := range hits {
			ids = append(ids, h.ConversationID)
		}
	}
	return ids, nil
}

// UpdateConversation changes the given fields of a conversation. Deleting it takes its messages out of every search;
// they stay on disk, and taking the deletion back returns them.
func (s *Store) UpdateConversation(ctx context.Context, id string, change ConversationChange) (memory.Conversation, error) {
	const op = "update conversation"
	var c memory.Conversation
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if c, err = one(ctx, t, scanConversation, "conversation_get", id); err != nil {
			return missingOr(op, "conversation", id, err)
		}
		if change.Title != nil {
			if c.Title, err = memory.ValidateName(*change.Title); err != nil {
				return err
			}
			c.TitleBy = memory.ActorUser
			if change.TitleBy != nil {
				c.TitleBy = *change.TitleBy
			}
		}
		if change.Pinned != nil {
			c.Pinned = *change.Pinned
		}
		if change.Archived != nil && *change.Archived == c.ArchivedAt.IsZero() {
			c.ArchivedAt = t.whenTrue(*change.Archived)
		}
		if change.Deleted != nil && *change.Deleted == c.DeletedAt.IsZero() {
			c.DeletedAt = t.whenTrue(*change.Deleted)
			if err := t.hideConversation(*change.Deleted, id); err != nil {
				return err
			}
		}
		if err := t.run("conversation_update", id, c.Title, string(c.TitleBy), c.Pinned, millis(c.ArchivedAt), millis(c.DeletedAt)); err != nil {
			return err
		}
		return t.conversationChanged(c)
	})
	return c, err
}

// SetHead makes the branch that ends in the message the visible one.
func (s *Store) SetHead(ctx context.Context, conversationID, messageID string) error {
	const op = "select branch"
	return s.write(ctx, op, kept, func(t *tx) error {
		c, err := one(ctx, t, scanConversation, "conversation_get", conversationID)
		if err != nil {
			return missingOr(op, "conversation", conversationID, err)
		}
		m, err := t.place(op, messageID)
		if err != nil {
			return err
		}
		if m.conversation != conversationID {
			return memory.Errorf(memory.EINVALID, op, "the message belongs to another conversation")
		}
		c.Head = messageID
		if err := t.run("conversation_head", conversationID, messageID, millis(c.UpdatedAt)); err != nil {
			return err
		}
		return t.conversationChanged(c)
	})
}

func (t *tx) conversationChanged(c memory.Conversation) error {
	data := map[string]any{"conversation_id": c.ID, "agent_id": c.AgentID}
	if !c.DeletedAt.IsZero() {
		data["deleted"] = true
	}
	return t.emit("conversation.changed", c.AgentID, c.ID, data)
}

func (t *tx) hideConversation(hidden bool, id string) error {
	if err := t.run("item_hide_conversation", hidden, id); err != nil {
		return err
	}
	keys, err := all(t.ctx, t, value[int64], "item_keys_of_conversation", id)
	t.after = append(t.after, func() { t.s.vectors.hide(hidden, keys...) })
	return err
}

// whenTrue returns the present time for true and no time for false.
func (t *tx) whenTrue(v bool) (at time.Time) {
	if v {
		return t.now
	}
	return at
}

// escapeLike returns s as a literal inside a LIKE pattern with the escape character \.
func escapeLike(s string) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(s)
}

func scanConversation(r scanner) (c memory.Conversation, err error) {
	var archived, deleted, created, updated int64
	err = r.Scan(&c.ID, &c.AgentID, &c.Title, &c.TitleBy, &c.Head, &c.Pinned, &archived, &deleted, &created, &updated)
	c.ArchivedAt, c.DeletedAt, c.CreatedAt, c.UpdatedAt = moment(archived), moment(deleted), moment(created), moment(updated)
	return c, err
}
