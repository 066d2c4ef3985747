package store

import (
	"context"
	"slices"
	"time"

	"recollect/backend/memory"
)

// What users say of themselves becomes facts, and each message that says one is a mention of it. What is true now follows
// from the mentions that count: those of messages that are to be seen. A message that was edited, is on another branch or
// in a deleted conversation takes what it alone said with it, and brings it back when it is to be seen again; but not what
// stands in core memory or was written into the archive, which stays true as long as it stands there (tx.written). The user's
// own hand is a mention, too, which is always to be seen.

// byHand is the message of the mention that the user's own hand is.
const byHand = ""

// SavedFacts is what became of the statements of a message.
type SavedFacts struct {
	Facts     []memory.Fact // new, or over now
	Confirmed []memory.Fact // were known
	Questions []memory.FactQuestion
}

// SaveFacts stores what messages state, all or nothing. A newer statement about a single-valued thing replaces the older
// one, by the dates of the messages and not by the order of the calls; the same again only confirms; what is said against
// something pinned becomes a question. A message whose facts were stored before is not read again, and what the user deleted
// is not stored again from something said before that.
func (s *Store) SaveFacts(ctx context.Context, agentID string, statements []memory.FactStatement, cause memory.Cause) (SavedFacts, error) {
	const op = "store facts"
	var saved SavedFacts
	err := s.write(ctx, op, kept, func(t *tx) error {
		known := map[string]bool{} // by message
		for _, st := range statements {
			read, asked := known[st.Origin]
			if !asked {
				var err error
				if read, err = one(t.ctx, t, value[bool], "fact_known", st.Origin); err != nil {
					return err
				}
				known[st.Origin] = read
			}
			if read && st.Origin != "" {
				continue
			}
			if err := t.stateAndRenew(op, agentID, st, cause, &saved); err != nil {
				return err
			}
		}
		return t.sight(cause.ConversationID)
	})
	return saved, err
}

// stateAndRenew stores one statement, and renews the lines of core memory that it makes untrue. Where one has no room to be renewed,
// the user is asked instead.
func (t *tx) stateAndRenew(op, agentID string, st memory.FactStatement, cause memory.Cause, saved *SavedFacts) error {
	questions, facts := len(saved.Questions), len(saved.Facts)
	t.made = memory.Revision{}
	if st.Against == nil {
		var err error
		if st.Against, err = t.noRoom(op, agentID, st, cause); err != nil {
			return err
		}
	}
	if err := t.state(op, agentID, st, cause, saved); err != nil || len(saved.Questions) > questions {
		return err
	}
	if st.Any && len(saved.Facts) > facts {
		st.Value = saved.Facts[facts].Value
	}
	if holds, err := t.factSaid(agentID, st); err != nil || (holds == nil) != st.Over { // something else is true
		return err
	}
	cause.Start, cause.End = st.Start, st.End
	return t.within(t.made, func() error { return t.renewLines(op, agentID, st, cause) })
}

// state stores one statement.
func (t *tx) state(op, agentID string, st memory.FactStatement, cause memory.Cause, saved *SavedFacts) error {
	f, err := memory.ValidateFact(*factOf(st))
	if err != nil {
		return err
	}
	f.AgentID, f.Actor = agentID, cause.Actor
	cause.Start, cause.End = st.Start, st.End
	var beside []memory.Fact
	if !f.Many {
		if beside, err = t.beside(&f); err != nil {
			return err
		}
	}
	same := func(o *memory.Fact) bool { return folded(o.Key) == folded(f.Key) && sameValue(o.Value, f.Value) }
	if !f.Many { // it may stand beside another of its kind, as the user decided
		f.Many = slices.ContainsFunc(beside, func(o memory.Fact) bool { return o.Many && same(&o) })
	}
	slot, at := factSlot(&f), f.SaidAt
	if gone, err := t.deletedSince(agentID, slot, f.Value, at); err != nil || gone {
		return err
	}
	chain, err := t.chain(agentID, slot)
	if err != nil {
		return err
	}
	if pinned := contradicted(beside, chain, &f, st.Over, t.now); pinned != nil && !at.Before(pinned.SaidAt) || st.Against != nil {
		return t.ask(f, st, pinned, cause, saved)
	}
	// The newest that was said up to then, and the first that was said later, or is to come.
	var last, next *memory.Fact
	for i := range chain {
		switch o := &chain[i]; {
		case !o.Effect().After(at):
			last = o
		case next == nil:
			next = o
		}
	}
	switch {
	case st.Over, last != nil && same(last) && f.EndedAt.After(at): // it is over, or will be
		for i := len(chain) - 1; i >= 0; i-- {
			o := chain[i]
			if !same(&o) && (!st.Any || o.Coming(at)) || o.SaidAt.After(at) || f.EndedAt.Before(o.ValidFrom) && !o.Coming(at) {
				continue // the last: another time before this one
			}
			if !o.ValidTo.IsZero() && !o.ValidTo.After(at) || o.Heard().After(at) {
				return nil // it is over already, or was true again later
			}
			if st.EndedAt = f.EndedAt; o.ValidFrom.After(f.EndedAt) {
				st.EndedAt = o.ValidFrom // it does not come true
			}
			if o.EndedAt.Equal(st.EndedAt) {
				return t.confirm(o.ID, st, cause, saved)
			}
			after := o
			after.EndedAt = st.EndedAt
			if err := t.mention(o.ID, st, cause.ConversationID); err != nil {
				return err
			}
			if _, err := t.putFact(&o, &after, cause, ""); err != nil {
				return err
			}
			return t.saved(&saved.Facts, o.ID)
		}
		if st.Denied || next != nil && same(next) {
			return nil // nothing is known that it would end; or it was over once, and is true again
		}
	case last != nil && same(last) && (last.EndedAt.IsZero() || last.EndedAt.After(at)):
		return t.confirm(last.ID, st, cause, saved)
	case f.Coming(at):
		planned := func(o memory.Fact) bool { return same(&o) && o.Coming(at) }
		if i := slices.IndexFunc(chain, planned); i >= 0 {
			return t.postpone(chain[i], &f, st, cause, saved)
		}
	case next != nil && same(next) && next.EndedAt.IsZero() && !next.Coming(at): // it was known from a later message: it is older than that
		return t.confirm(next.ID, st, cause, saved)
	}
	if f, _, err = t.insertFact(op, f, cause); err == nil {
		saved.Facts = append(saved.Facts, f)
	}
	return err
}

// postpone moves the beginning of a fact that is to come to where it was said now.
func (t *tx) postpone(before memory.Fact, f *memory.Fact, st memory.FactStatement, cause memory.Cause, saved *SavedFacts) error {
	if whole(f.ValidFrom).Equal(before.ValidFrom) {
		return t.confirm(before.ID, st, cause, saved)
	}
	if err := t.mention(before.ID, st, cause.ConversationID); err != nil {
		return err
	}
	after := before
	after.ValidFrom = f.ValidFrom
	if _, err := t.putFact(&before, &after, cause, ""); err != nil {
		return err
	}
	return t.saved(&saved.Facts, before.ID)
}

// confirm notes that a fact was said once more.
func (t *tx) confirm(id string, st memory.FactStatement, cause memory.Cause, saved *SavedFacts) error {
	if err := t.mention(id, st, cause.ConversationID); err != nil {
		return err
	}
	if err := t.refresh(id); err != nil {
		return err
	}
	return t.saved(&saved.Confirmed, id)
}

// saved appends the fact as it is now.
func (t *tx) saved(list *[]memory.Fact, id string) error {
	f, err := one(t.ctx, t, scanFact, "fact_get", id)
	if err == nil {
		*list = append(*list, f)
	}
	return err
}

// beside returns what is known of the same subject under the same key.
func (t *tx) beside(f *memory.Fact) ([]memory.Fact, error) {
	thing := *f
	thing.Many = false
	slot := factSlot(&thing) // those of single values begin with it, and go on with \x1f
	of, err := all(t.ctx, t, scanFact, factSelect()+" WHERE f.agent_id = ? AND f.slot >= ? AND f.slot < ? AND "+liveFacts, f.AgentID, slot, slot+"\x20")
	return slices.DeleteFunc(of, func(o memory.Fact) bool { return folded(o.Key) != folded(f.Key) }), err
}

// contradicted returns the pinned fact that a statement speaks against, nil where there is none.
func contradicted(beside, chain []memory.Fact, f *memory.Fact, over bool, now time.Time) *memory.Fact {
	facts := chain
	if !f.Many {
		facts = slices.Concat(chain, beside)
	}
	for i := range facts {
		if o := &facts[i]; o.Pinned && (o.Current(now) || o.Coming(now)) {
			same := folded(o.Key) == folded(f.Key) && sameValue(o.Value, f.Value)
			if over == same { // another one is true, or this one is no longer
				return o
			}
		}
	}
	return nil
}

// deletedSince reports whether the user deleted what a statement of that time says.
func (t *tx) deletedSince(agentID, slot, said string, at time.Time) (bool, error) {
	values, err := all(t.ctx, t, value[string], "fact_deleted", agentID, slot, millis(at))
	return slices.ContainsFunc(values, func(v string) bool { return sameValue(v, said) }), err
}

// mention notes that a message says a fact, or says that it is over or when it will be.
func (t *tx) mention(id string, st memory.FactStatement, conversationID string) error {
	ended := int64(0)
	if st.Over || !st.EndedAt.IsZero() {
		ended = millis(factOf(st).EndedAt)
	}
	return t.run("mention_put", id, st.Origin, conversationID, millis(st.SaidAt), ended, st.Start, st.End)
}

// own notes that the user's own hand says a fact, at a time that gives it its place among the others.
func (t *tx) own(id string, at time.Time) error {
	return t.run("mention_own", id, millis(at))
}

// mentioned is a mention of a fact.
type mentioned struct {
	message     string
	said, ended time.Time
	start, end  int
	live        bool
}

func scanMentioned(r scanner) (m mentioned, err error) {
	var said, ended int64
	err = r.Scan(&m.message, &said, &ended, &m.start, &m.end, &m.live)
	m.said, m.ended = moment(said), moment(ended)
	return m, err
}

// refresh writes what follows from the mentions of a fact, the oldest of which is its origin, and from its place.
func (t *tx) refresh(id string) error {
	f, err := one(t.ctx, t, scanFact, "fact_get", id)
	if err != nil {
		return err
	}
	mentions, err := all(t.ctx, t, scanMentioned, "mentions_of", id) // the oldest first
	if err != nil {
		return err
	}
	var first, last, origin, end *mentioned // first and last said to be true, by which message, and last to be over
	ended := f.EndedAt                      // by hand, unless a mention says so
	for i := range mentions {
		m := &mentions[i]
		if !m.ended.IsZero() && m.ended.Equal(f.EndedAt) {
			ended = time.Time{}
		}
		switch {
		case !m.live:
			continue
		case !m.ended.IsZero():
			end = m
			continue
		case first == nil:
			first = m
		}
		last = m
		if origin == nil && m.message != byHand {
			origin = m
		}
	}
	hidden := last == nil && end == nil
	if !hidden {
		if last == nil {
			first, last, origin = end, end, end
		}
		if f.ValidFrom.Equal(f.SaidAt) { // since when it is true was not said
			f.ValidFrom = first.said
		}
		f.SaidAt, f.ConfirmedAt = first.said, time.Time{}
		if last.said.After(first.said) {
			f.ConfirmedAt = last.said
		}
		if ended.IsZero() && end != nil && (!end.said.Before(last.said) || end.ended.After(last.said)) {
			ended = end.ended
		}
		f.EndedAt = ended
		if origin != nil {
			f.Origin, f.Start, f.End = origin.message, origin.start, origin.end
		}
	}
	if err := t.run("fact_refresh", id, millis(f.SaidAt), millis(f.ConfirmedAt), millis(f.ValidFrom), millis(f.EndedAt), f.Origin, f.Start, f.End, hidden); err != nil {
		return err
	}
	return t.relink(f.AgentID, factSlot(&f))
}

// seen is a mention in a conversation.
type seen struct {
	mentioned
	fact    string
	visible bool // its message is to be seen
}

func scanSeen(r scanner) (v seen, err error) {
	var said, ended int64
	err = r.Scan(&v.fact, &v.message, &v.start, &v.end, &said, &ended, &v.live, &v.visible)
	v.said, v.ended = moment(said), moment(ended)
	return v, err
}

// sight goes by what is to be seen of a conversation: what its messages said is true as long as they are, or as it stands in memory.
func (t *tx) sight(conversationID string) error {
	if conversationID == "" {
		return nil
	}
	if said, err := one(t.ctx, t, value[bool], "facts_said_in", conversationID); err != nil || !said {
		return err
	}
	apart, err := all(t.ctx, t, scanSeen, "mentions_seen", conversationID)
	if err != nil {
		return err
	}
	agent, err := one(t.ctx, t, value[string], "SELECT agent_id FROM conversation WHERE id = ?", conversationID)
	if err != nil {
		return err
	}
	var changed, kept []seen
	facts := map[string]bool{}
	for _, v := range apart {
		live := v.visible
		if !live {
			if live, err = t.written(agent, v); err != nil {
				return err
			}
			if live {
				kept = append(kept, v)
			}
		}
		if live == v.live {
			continue
		}
		v.live = live
		if err := t.run("mention_live", v.fact, v.message, live); err != nil {
			return err
		}
		changed = append(changed, v)
		facts[v.fact] = true
	}
	for _, v := range changed {
		if facts[v.fact] {
			if err := t.refresh(v.fact); err != nil {
				return err
			}
			delete(facts, v.fact)
		}
	}
	if err := t.run("questions_seen", conversationID); err != nil {
		return err
	}
	if len(changed) == 0 {
		return nil
	}
	messages := map[string]bool{}
	for _, v := range changed {
		if !messages[v.message] {
			messages[v.message] = true
			if err := t.seeLines(v.message, v.visible, kept); err != nil {
				return err
			}
		}
	}
	// Nobody changed a fact, so that there is nothing to record; what shows facts reads them anew.
	t.events = append(t.events, memory.Event{Type: "fact.changed", At: t.now, Data: map[string]any{"agent_id": agent, "conversation_id": conversationID}})
	return nil
}

// FactsSaid returns the facts that were said in a conversation between two times, the last said last, as far as they are the
// last few.
func (s *Store) FactsSaid(ctx context.Context, conversationID string, after, before time.Time) ([]memory.Fact, error) {
	facts, err := all(ctx, s, scanFact, factSelect()+` JOIN fact_mention m ON m.fact_id = f.id WHERE m.conversation_id = ? AND m.conversation_id <> ''
		AND m.live = 1 AND m.void = 0 AND m.said_at >= ? AND m.said_at < ? AND `+liveFacts+` ORDER BY m.said_at DESC, m.range_start DESC LIMIT 4`,
		conversationID, millis(after), millis(before))
	slices.Reverse(facts)
	return facts, fault("read what was said", err)
}

// Unread returns the keys of the user's messages behind a key that are to be seen, the lowest first, and up to which key it
// has looked: what a pass over the transcript has still to read. At the end that is the key that it was given, or a lower one
// where messages were erased: their keys are given out again.
func (s *Store) Unread(ctx context.Context, behind int64, limit int) (keys []int64, upTo int64, err error) {
	const op = "list messages"
	if upTo, err = one(ctx, s, value[int64], "fact_unread_to", behind, limit); err != nil || upTo <= behind {
		return nil, upTo, fault(op, err)
	}
	keys, err = all(ctx, s, value[int64], "fact_unread", behind, upTo)
	return keys, upTo, fault(op, err)
}

// MessageByKey returns the message with the given key of Unread.
func (s *Store) MessageByKey(ctx context.Context, key int64) (memory.Message, error) {
	const op = "read message"
	id, err := one(ctx, s, value[string], "fact_message", key)
	if err != nil {
		return memory.Message{}, missingOr(op, "message", "", err)
	}
	return s.Message(ctx, id)
}
