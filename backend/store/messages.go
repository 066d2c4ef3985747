package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

// AddMessage stores a message at the end of the branch of its ParentID ("" = a first message) and makes it the head of its
// conversation. It is on the disk when AddMessage returns, but for the place of an answer that is still to be written: a power
// failure may take that with the words that would have come. Id, agent and time are filled in where they are missing. A
// message whose ClientID the conversation knows already is not stored again: the stored one is returned.
func (s *Store) AddMessage(ctx context.Context, m memory.Message) (memory.Message, error) {
	added, err := s.AddMessages(ctx, []memory.Message{m})
	if err != nil {
		return m, err
	}
	return added[0], nil
}

// AddMessages stores several messages in order, all or none; a ParentID may name an earlier one of them.
func (s *Store) AddMessages(ctx context.Context, ms []memory.Message) ([]memory.Message, error) {
	out := make([]memory.Message, len(ms))
	durable := lazy
	if slices.ContainsFunc(ms, func(m memory.Message) bool { return m.Status != memory.StatusStreaming || m.Content != "" }) {
		durable = kept
	}
	err := s.write(ctx, "add message", durable, func(t *tx) error {
		t.fresh = make([]int64, 0, len(ms))
		for i, m := range ms {
			var err error
			if out[i], err = t.addMessage("add message", m, true); err != nil {
				return err
			}
		}
		return t.indexFresh()
	})
	return out, err
}

// InsertMessage stores a message between the message before and its parent, and leaves the head where it is: a step of a
// running turn goes in front of a user message that waits behind it.
func (s *Store) InsertMessage(ctx context.Context, m memory.Message, before string) (memory.Message, error) {
	const op = "insert message"
	err := s.write(ctx, op, kept, func(t *tx) error {
		child, err := t.place(op, before)
		if err != nil {
			return err
		}
		m.ConversationID, m.ParentID = child.conversation, ""
		if child.parent.Valid {
			if m.ParentID, err = one(t.ctx, t, value[string], "SELECT id FROM message WHERE key = ?", child.parent.Int64); err != nil {
				return err
			}
		}
		if m, err = t.addMessage(op, m, false); err != nil {
			return err
		}
		added, err := t.place(op, m.ID)
		if err != nil {
			return err
		}
		if err := t.run("message_move", child.key, added.key); err != nil {
			return err
		}
		return t.indexAround(child.key)
	})
	return m, err
}

// BypassMessage takes a message that has no answer yet out of the branch it is on: what follows it goes on behind what it
// follows. The message itself stays where it is, as one that an edit replaced does. EINVALID for the first message of a
// conversation.
func (s *Store) BypassMessage(ctx context.Context, id string) error {
	const op = "take out message"
	return s.write(ctx, op, kept, func(t *tx) error {
		m, err := t.place(op, id)
		if err != nil {
			return err
		}
		if !m.parent.Valid {
			return memory.Errorf(memory.EINVALID, op, "it is the first message of its conversation")
		}
		behind, err := all(ctx, t, value[int64], "message_followers", m.key)
		if err != nil {
			return err
		}
		for _, key := range behind {
			if err := t.run("message_move", key, m.parent.Int64); err != nil {
				return err
			}
			if err := t.indexAround(key); err != nil {
				return err
			}
		}
		c, err := one(ctx, t, scanConversation, "conversation_get", m.conversation)
		if err != nil {
			return err
		}
		if c.Head == id {
			if c.Head, err = one(ctx, t, value[string], "SELECT id FROM message WHERE key = ?", m.parent.Int64); err != nil {
				return err
			}
			if err := t.run("conversation_head", c.ID, c.Head, millis(c.UpdatedAt)); err != nil {
				return err
			}
		}
		if err := t.sight(c.ID); err != nil {
			return err
		}
		return t.conversationChanged(c)
	})
}

func (t *tx) addMessage(op string, m memory.Message, moveHead bool) (memory.Message, error) {
	m, err := memory.ValidateMessage(m)
	if err != nil {
		return m, err
	}
	c, err := one(t.ctx, t, scanConversation, "conversation_get", m.ConversationID)
	if err == nil && !c.DeletedAt.IsZero() {
		err = sql.ErrNoRows
	}
	if err != nil {
		return m, missingOr(op, "conversation", m.ConversationID, err)
	}
	if m.ClientID != "" {
		same, err := all(t.ctx, t, value[string], "message_by_client", m.ConversationID, m.ClientID)
		if err != nil {
			return m, err
		}
		if len(same) > 0 {
			return t.message(op, same[0])
		}
	}
	var parent any
	if m.ParentID != "" {
		p, err := t.place(op, m.ParentID)
		if err != nil {
			return m, err
		}
		if p.conversation != m.ConversationID {
			return m, memory.Errorf(memory.EINVALID, op, "the parent belongs to another conversation")
		}
		parent = p.key
	}
	agent, err := one(t.ctx, t, value[int64], "SELECT key FROM agent WHERE id = ?", c.AgentID)
	if err != nil {
		return m, err
	}
	m.AgentID = c.AgentID
	if m.ID == "" {
		m.ID = t.s.ids.New("message")
	}
	if m.TurnID == "" && m.Role == memory.RoleUser {
		m.TurnID = m.ID
	}
	if m.Status == "" {
		m.Status = memory.StatusComplete
	}
	if m.CreatedAt.IsZero() {
		m.CreatedAt = t.now
	}
	m.CreatedAt = m.CreatedAt.Truncate(time.Millisecond).UTC()
	key, err := t.addItem(agent*2, m.Role, m.CreatedAt)
	if err != nil {
		return m, err
	}
	if err := t.run("message_insert", key, parent, m.ID, m.ConversationID, m.AgentID, m.TurnID, string(m.Role), m.Speaker,
		string(m.Status), string(m.End), m.Model, m.ToolCallID, m.ToolName, m.ClientID, m.Tokens, millis(m.CreatedAt),
		encodeOrEmpty(m.Usage), encodeOrEmpty(m.Problem), m.Content, m.Preamble, m.Thinking, encodeCalls(m.ToolCalls)); err != nil {
		return m, err
	}
	for n, f := range m.Files {
		if err := t.run("file_insert", key, n, f.Name, f.Type, f.Content); err != nil {
			return m, err
		}
	}
	if err := t.putUsage(key, m); err != nil {
		return m, err
	}
	if moveHead {
		if err := t.run("conversation_head", m.ConversationID, m.ID, millis(m.CreatedAt)); err != nil {
			return m, err
		}
		if m.ParentID != c.Head { // another branch is to be seen
			if err := t.sight(c.ID); err != nil {
				return m, err
			}
		}
	}
	if t.fresh != nil {
		t.fresh = append(t.fresh, key)
		return m, nil
	}
	return m, t.indexAround(key)
}

// AppendStream saves what has come of a streaming message. It writes only what is new since the last call, so that the
// cost does not grow with the message; call it at most once a second. A power failure may take the last call.
func (s *Store) AppendStream(ctx context.Context, id string, state StreamState) error {
	const op = "save stream"
	state = StreamState{Content: memory.CleanText(state.Content), Thinking: memory.CleanText(state.Thinking)}
	return s.write(ctx, op, lazy, func(t *tx) error {
		m, err := t.place(op, id)
		if err != nil {
			return err
		}
		if m.status != memory.StatusStreaming {
			return memory.Errorf(memory.ECONFLICT, op, "the message is finished")
		}
		saved, ok := s.streams[id]
		if !ok {
			if saved, err = t.streamed(m.key); err != nil {
				return err
			}
		}
		if state == saved {
			return nil
		}
		content, grown := strings.CutPrefix(state.Content, saved.Content)
		thinking, thought := strings.CutPrefix(state.Thinking, saved.Thinking)
		if !grown || !thought { // it was corrected: begin anew
			content, thinking = state.Content, state.Thinking
			if err := t.run("tail_delete", m.key); err != nil {
				return err
			}
			if err := t.run("message_clear", m.key); err != nil {
				return err
			}
		}
		t.after = append(t.after, func() { s.streams[id] = state })
		return t.run("tail_append", m.key, content, thinking)
	})
}

// streamed returns what is stored of a streaming message.
func (t *tx) streamed(key int64) (StreamState, error) {
	return one(t.ctx, t, func(r scanner) (st StreamState, err error) {
		return st, r.Scan(&st.Content, &st.Thinking)
	}, "message_text", key)
}

// FinishMessage stores the final state of a message: status, end, problem, model, tokens, usage, content, thinking and
// tool calls. From then on it is searched for.
func (s *Store) FinishMessage(ctx context.Context, m memory.Message) error {
	const op = "finish message"
	return s.write(ctx, op, kept, func(t *tx) error {
		m, err := memory.ValidateMessage(m)
		if err != nil {
			return err
		}
		p, err := t.place(op, m.ID)
		if err != nil {
			return err
		}
		if err := t.run("message_finish", p.key, string(m.Status), string(m.End), m.Model, m.Tokens, encodeOrEmpty(m.Usage),
			encodeOrEmpty(m.Problem), m.Content, m.Thinking, encodeCalls(m.ToolCalls)); err != nil {
			return err
		}
		if err := t.run("tail_delete", p.key); err != nil {
			return err
		}
		if err := t.putUsage(p.key, m); err != nil {
			return err
		}
		t.after = append(t.after, func() { delete(s.streams, m.ID) })
		return t.indexAround(p.key)
	})
}

// ReopenMessage makes a finished answer a streaming one again, with the text that it has.
func (s *Store) ReopenMessage(ctx context.Context, id string) error {
	const op = "continue message"
	return s.write(ctx, op, kept, func(t *tx) error {
		p, err := t.place(op, id)
		if err != nil {
			return err
		}
		return t.run("message_reopen", p.key)
	})
}

// MarkInterrupted marks the messages that an earlier run left streaming as partial, with all the text that was saved of
// them, and returns how many there were. It is for the start of the app, before anything streams.
func (s *Store) MarkInterrupted(ctx context.Context) (int, error) {
	n := 0
	err := s.write(ctx, "mark interrupted messages", kept, func(t *tx) error {
		type left struct {
			key int64
			id  string
		}
		found, err := all(t.ctx, t, func(r scanner) (l left, err error) { return l, r.Scan(&l.key, &l.id) }, "message_streaming")
		if err != nil {
			return err
		}
		n = len(found)
		for _, l := range found {
			st, err := t.streamed(l.key)
			if err != nil {
				return err
			}
			if err := t.run("message_interrupt", l.key, st.Content, st.Thinking); err != nil {
				return err
			}
			if err := t.run("tail_delete", l.key); err != nil {
				return err
			}
			if err := t.indexAround(l.key); err != nil {
				return err
			}
		}
		return nil
	})
	return n, err
}

// SetPreamble stores what is sent before the content of a user message.
func (s *Store) SetPreamble(ctx context.Context, messageID, preamble string) error {
	return s.write(ctx, "store preamble", lazy, func(t *tx) error {
		return t.run("message_preamble", messageID, memory.CleanText(preamble))
	})
}

// Message returns one message, with what has come of it where it is streaming. Siblings and RevisionIDs are filled in.
func (s *Store) Message(ctx context.Context, id string) (memory.Message, error) {
	rows, err := all(ctx, s, scanMessage, messageSelect+" WHERE m.id = ?", id)
	if err == nil && len(rows) == 0 {
		err = sql.ErrNoRows
	}
	if err != nil {
		return memory.Message{}, missingOr("read message", "message", id, err)
	}
	ms, err := s.complete(ctx, rows)
	if err != nil {
		return memory.Message{}, fault("read message", err)
	}
	return ms[0], nil
}

// Path returns the messages of the branch that ends in leafID, from the root on: the last limit of them (0 = all),
// and, where before is not "", only those in front of that message of the branch. An empty leafID is an empty branch.
func (s *Store) Path(ctx context.Context, leafID string, limit int, before string) ([]memory.Message, error) {
	return s.branch(ctx, leafID, before, "", limit)
}

// PathSince returns the messages of the branch that ends in leafID, from the message first ("" = the root) on. It costs
// nothing for the older ones.
func (s *Store) PathSince(ctx context.Context, leafID, first string) ([]memory.Message, error) {
	return s.branch(ctx, leafID, "", first, 0)
}

func (s *Store) branch(ctx context.Context, leafID, before, first string, limit int) ([]memory.Message, error) {
	const op = "read branch"
	if leafID == "" {
		return []memory.Message{}, nil
	}
	start := "SELECT key, parent, id, 0 FROM message WHERE id = ?1"
	if before != "" {
		leafID = before
		start = "SELECT p.key, p.parent, p.id, 0 FROM message m JOIN message p ON p.key = m.parent WHERE m.id = ?1"
	}
	if limit <= 0 {
		limit = 1 << 30
	}
	rows, err := all(ctx, s, scanMessage, `WITH RECURSIVE branch (key, parent, id, depth) AS (`+start+`
		UNION ALL
		SELECT m.key, m.parent, m.id, b.depth + 1 FROM branch b JOIN message m ON m.key = b.parent
		WHERE b.depth + 1 < ?2 AND b.id <> ?3
	) `+messageSelect+` JOIN branch b ON b.key = m.key ORDER BY b.depth DESC`, leafID, limit, first)
	if err != nil {
		return nil, fault(op, err)
	}
	if len(rows) == 0 && before == "" {
		return nil, missingOr(op, "message", leafID, sql.ErrNoRows)
	}
	ms, err := s.complete(ctx, rows)
	return ms, fault(op, err)
}

// Children returns the messages that follow parentID ("" = the first messages) in a conversation, the oldest first.
func (s *Store) Children(ctx context.Context, parentID, conversationID string) ([]memory.Message, error) {
	const op = "read alternatives"
	where, args := " WHERE m.conversation_id = ? AND m.parent IS NULL", []any{conversationID}
	if parentID != "" {
		where, args = where[:len(where)-len("IS NULL")]+"= (SELECT key FROM message WHERE id = ?)", append(args, parentID)
	}
	rows, err := all(ctx, s, scanMessage, messageSelect+where+" ORDER BY m.key", args...)
	if err != nil {
		return nil, fault(op, err)
	}
	ms, err := s.complete(ctx, rows)
	return ms, fault(op, err)
}

// Leaf returns the end of the newest branch through a message, which may be the message itself.
func (s *Store) Leaf(ctx context.Context, messageID string) (string, error) {
	const op = "find leaf"
	m, err := one(ctx, s, scanPlace, "message_place", messageID)
	if err != nil {
		return "", missingOr(op, "message", messageID, err)
	}
	leaf, err := one(ctx, s, value[string], "message_leaf", messageID, m.conversation)
	return leaf, fault(op, err)
}

// Messages returns what an agent and its user said, in all conversations that are not deleted, and the cursor of the
// next page, "" at the end.
func (s *Store) Messages(ctx context.Context, f MessageFilter) ([]memory.Message, string, error) {
	const op = "list messages"
	roles := f.Roles
	if len(roles) == 0 {
		roles = []memory.Role{memory.RoleUser, memory.RoleAssistant}
	}
	q := filter{
		conditions: []string{"m.agent_id = ?", "i.hidden = 0", "m.content <> ''", "m.status <> 'streaming'", "m.role IN (SELECT value FROM json_each(?))"},
		args:       []any{f.AgentID, encode(roles)},
	}
	q.when(!f.After.IsZero(), "m.created_at >= ?", millis(f.After))
	q.when(!f.Before.IsZero(), "m.created_at < ?", millis(f.Before))
	than, order := ">", "m.created_at, m.id"
	if f.Newest {
		than, order = "<", "m.created_at DESC, m.id DESC"
	}
	if f.Cursor != "" {
		at, id, err := splitCursor(op, f.Cursor)
		if err != nil {
			return nil, "", err
		}
		q.when(true, "(m.created_at, m.id) "+than+" (?, ?)", at, id)
	}
	limit := limitOr(f.Limit)
	rows, err := all(ctx, s, scanMessage, messageSelect+" JOIN item i ON i.key = m.key"+q.where()+" ORDER BY "+order+" LIMIT ?",
		append(q.args, limit+1)...)
	if err != nil {
		return nil, "", fault(op, err)
	}
	next := ""
	if len(rows) > limit {
		rows = rows[:limit]
		last := rows[limit-1]
		next = joinCursor(last.CreatedAt, last.ID)
	}
	ms, err := s.complete(ctx, rows)
	return ms, next, fault(op, err)
}

// place is where a message stands.
type place struct {
	key          int64
	parent       sql.NullInt64
	conversation string
	status       memory.Status
	head         string
}

func (t *tx) place(op, id string) (place, error) {
	p, err := one(t.ctx, t, scanPlace, "message_place", id)
	return p, missingOr(op, "message", id, err)
}

func scanPlace(r scanner) (p place, err error) {
	var deleted int64
	return p, r.Scan(&p.key, &p.parent, &p.conversation, &p.status, &p.head, &deleted)
}

func (t *tx) message(op, id string) (memory.Message, error) {
	row, err := one(t.ctx, t, scanMessage, messageSelect+" WHERE m.id = ?", id)
	return row.Message, missingOr(op, "message", id, err)
}

const messageSelect = `SELECT m.key, m.parent, ifnull(parent.id, ''), m.id, m.conversation_id, m.agent_id, m.turn_id, m.role, m.speaker,
	m.status, m.end_reason, m.model, m.tool_call_id, m.tool_name, m.client_id, m.tokens, m.created_at, m.usage, m.problem,
	m.content, m.preamble, m.thinking, m.tool_calls
	FROM message m LEFT JOIN message parent ON parent.key = m.parent`

// messageRow is a message with its place in the tree.
type messageRow struct {
	memory.Message
	key    int64
	parent sql.NullInt64
}

func scanMessage(r scanner) (m messageRow, err error) {
	var created int64
	var usage, problem, calls string
	if err := r.Scan(&m.key, &m.parent, &m.ParentID, &m.ID, &m.ConversationID, &m.AgentID, &m.TurnID, &m.Role, &m.Speaker,
		&m.Status, &m.End, &m.Model, &m.ToolCallID, &m.ToolName, &m.ClientID, &m.Tokens, &created, &usage, &problem,
		&m.Content, &m.Preamble, &m.Thinking, &calls); err != nil {
		return m, err
	}
	m.CreatedAt = moment(created)
	if m.Usage, err = decodeOrNil[memory.Usage](usage); err != nil {
		return m, err
	}
	if m.Problem, err = decodeOrNil[memory.Problem](problem); err != nil {
		return m, err
	}
	if calls != "" {
		err = json.Unmarshal([]byte(calls), &m.ToolCalls)
	}
	return m, err
}

func encodeCalls(calls []memory.ToolCall) string {
	if len(calls) == 0 {
		return ""
	}
	return encode(calls)
}

// complete fills in what is not in the row of a message: its siblings, its revisions, and the text that is coming.
func (s *Store) complete(ctx context.Context, rows []messageRow) ([]memory.Message, error) {
	if len(rows) == 0 {
		return []memory.Message{}, nil
	}
	parents := map[string][]int64{} // by conversation
	ids := make([]string, len(rows))
	siblings := map[int64][]string{} // by parent
	first := map[string][]string{}   // by conversation
	for i, r := range rows {
		ids[i] = r.ID
		if r.parent.Valid {
			parents[r.ConversationID] = append(parents[r.ConversationID], r.parent.Int64)
		} else if _, ok := first[r.ConversationID]; !ok {
			roots, err := all(ctx, s, value[string], "first_messages", r.ConversationID)
			if err != nil {
				return nil, err
			}
			first[r.ConversationID] = roots
		}
	}
	for conversation, keys := range parents {
		if err := pairs(ctx, s, func(parent int64, id string) {
			siblings[parent] = append(siblings[parent], id)
		}, "siblings_of", conversation, encode(keys)); err != nil {
			return nil, err
		}
	}
	revisions := map[string][]string{}
	if err := pairs(ctx, s, func(message, id string) {
		revisions[message] = append(revisions[message], id)
	}, "revisions_of_messages", encode(ids)); err != nil {
		return nil, err
	}
	files, err := s.files(ctx, rows)
	if err != nil {
		return nil, err
	}
	ms := make([]memory.Message, len(rows))
	for i, r := range rows {
		m := r.Message
		m.Files = files[m.ID]
		m.Siblings = first[r.ConversationID]
		if r.parent.Valid {
			m.Siblings = siblings[r.parent.Int64]
		}
		m.RevisionIDs = revisions[m.ID]
		if m.RevisionIDs == nil {
			m.RevisionIDs = []string{}
		}
		if m.Status == memory.StatusStreaming {
			err := pairs(ctx, s, func(content, thinking string) { m.Content, m.Thinking = content, thinking }, "message_text", r.key)
			if err != nil {
				return nil, err
			}
		}
		ms[i] = m
	}
	return ms, nil
}

// files returns the files of messages, by the id of the message.
func (s *Store) files(ctx context.Context, rows []messageRow) (map[string][]memory.MessageFile, error) {
	var keys []int64
	for _, r := range rows {
		if r.Role == memory.RoleUser {
			keys = append(keys, r.key)
		}
	}
	files := map[string][]memory.MessageFile{}
	_, err := all(ctx, s, func(r scanner) (none struct{}, err error) {
		var id string
		var f memory.MessageFile
		if err := r.Scan(&id, &f.Name, &f.Type, &f.Content); err != nil {
			return none, err
		}
		f.Bytes = len(f.Content)
		files[id] = append(files[id], f)
		return none, nil
	}, "files_of", encode(keys))
	return files, err
}

// pairs calls f with each row of a query of two columns.
func pairs[A, B any](ctx context.Context, q querier, f func(A, B), name string, args ...any) error {
	rows, err := q.query(ctx, name, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var a A
		var b B
		if err := rows.Scan(&a, &b); err != nil {
			return err
		}
		f(a, b)
	}
	return rows.Err()
}
