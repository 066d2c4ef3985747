package store

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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
	list, _, next, err := s.conversations(ctx, f)
	return list, next, err
}

// SearchConversations returns a page of conversations as Conversations does, and where those say what was asked for that
// say it in a message.
func (s *Store) SearchConversations(ctx context.Context, f ConversationFilter) ([]memory.Conversation, []memory.ConversationMatch, string, error) {
	list, said, next, err := s.conversations(ctx, f)
	matches := []memory.ConversationMatch{}
	for _, c := range list {
		message, ok := said[c.ID]
		if !ok || err != nil {
			continue
		}
		var content string
		if content, err = one(ctx, s, value[string], "message_content", message); err == nil {
			matches = append(matches, memory.ConversationMatch{ConversationID: c.ID, MessageID: message, Text: segment.Sentence(content, f.Query, matchChars)})
		}
	}
	return list, matches, next, fault("search conversations", err)
}

// conversations also returns the message of each conversation that says best what was asked for.
func (s *Store) conversations(ctx context.Context, f ConversationFilter) ([]memory.Conversation, map[string]string, string, error) {
	const op = "list conversations"
	q := filter{conditions: []string{"g.deleted_at = 0"}}
	q.when(f.State == ConversationDeleted, "c.deleted_at <> 0")
	q.when(f.State != ConversationDeleted, "c.deleted_at = 0")
	q.when(f.State == ConversationArchived, "c.archived_at <> 0")
	q.when(f.State == ConversationActive || f.State == "", "c.archived_at = 0")
	q.when(f.AgentID != "", "c.agent_id = ?", f.AgentID)
	var said map[string]string
	if words := strings.TrimSpace(f.Query); words != "" {
		var err error
		if said, err = s.conversationsSaying(ctx, f.AgentID, words); err != nil {
			return nil, nil, "", fault(op, err)
		}
		q.when(true, `(c.title LIKE ? ESCAPE '\' OR c.id IN (SELECT value FROM json_each(?)))`, "%"+escapeLike(words)+"%",
			encode(slices.Collect(maps.Keys(said))))
	}
	if f.Cursor != "" {
		pinned, rest, _ := strings.Cut(f.Cursor, ".")
		isPinned, err := strconv.ParseBool(pinned)
		if err != nil {
			return nil, nil, "", memory.Errorf(memory.EINVALID, op, "the cursor %q is none of ours", f.Cursor)
		}
		at, id, err := splitCursor(op, rest)
		if err != nil {
			return nil, nil, "", err
		}
		q.when(true, "(c.pinned, c.updated_at, c.id) < (?, ?, ?)", isPinned, at, id)
	}
	limit := limitOr(f.Limit)
	list, err := all(ctx, s, scanConversation, `SELECT c.id, c.agent_id, c.title, c.title_by, c.head, c.pinned, c.archived_at, c.deleted_at,
		c.created_at, c.updated_at FROM conversation c JOIN agent g ON g.id = c.agent_id`+q.where()+
		` ORDER BY c.pinned DESC, c.updated_at DESC, c.id DESC LIMIT ?`, append(q.args, limit+1)...)
	if err != nil {
		return nil, nil, "", fault(op, err)
	}
	next := ""
	if len(list) > limit {
		list = list[:limit]
		last := list[limit-1]
		next = strconv.FormatBool(last.Pinned) + "." + joinCursor(last.UpdatedAt, last.ID)
	}
	return list, said, next, nil
}

const (
	matchedMessages = 1000 // of all that say what was searched for in the conversations; the best of each is shown
	matchChars      = 160
)

// conversationsSaying returns, for each conversation with a message that has all of the words, the one that matches best.
// The last word may be the beginning of one: searches come while the user types.
func (s *Store) conversationsSaying(ctx context.Context, agentID, words string) (map[string]string, error) {
	said := map[string]string{}
	terms := segment.Query(words)
	if len(terms) == 0 {
		return said, nil
	}
	if last, _ := utf8.DecodeLastRuneInString(words); unicode.IsLetter(last) || unicode.IsNumber(last) {
		terms[len(terms)-1] = strings.TrimSuffix(terms[len(terms)-1], "*") + "*"
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
	var owners []int64
	for _, id := range agents {
		keys, err := s.owners(ctx, id, "", []string{KindMessage}, false)
		if err != nil {
			return nil, err
		}
		owners = append(owners, keys...)
	}
	if len(owners) == 0 {
		return said, nil
	}
	hits, err := all(ctx, s, func(r scanner) (h [2]string, err error) {
		var rank float64
		return h, r.Scan(&h[0], &h[1], &rank)
	}, "conversations_saying", matchAll(terms, owners), matchedMessages)
	for _, h := range hits {
		said[h[0]] = h[1]
	}
	return said, err
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
		if change.Deleted != nil {
			if err := t.sight(id); err != nil {
				return err
			}
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
		if err := t.sight(conversationID); err != nil {
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
