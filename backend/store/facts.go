package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

// FactFilter selects facts of an agent: by subject and key in their order, of each the current ones first, then the newest.
type FactFilter struct {
	AgentID string
	Subject string // "" = all
	Key     string // "" = all
	Origin  string // id of the message that they came from; "" = all
	Query   string // part of subject, key or value
	Current bool   // only what is true now
	Limit   int    // 0 = all
}

// SavedFacts is what became of the statements of a message.
type SavedFacts struct {
	Facts     []memory.Fact // new, or over now
	Confirmed []memory.Fact // were known
	Questions []memory.FactQuestion
}

// SaveFacts stores what a message states, all or nothing. A newer statement about a single-valued thing replaces the older
// one, by the dates of the messages and not by the order of the calls; the same again only confirms; what is said against
// something pinned becomes a question. What the user deleted is not stored again from something said before.
func (s *Store) SaveFacts(ctx context.Context, agentID string, statements []memory.FactStatement, cause memory.Cause) (SavedFacts, error) {
	const op = "store facts"
	var saved SavedFacts
	err := s.write(ctx, op, kept, func(t *tx) error {
		for _, st := range statements {
			if err := t.state(op, agentID, st, cause, &saved); err != nil {
				return err
			}
		}
		return nil
	})
	return saved, err
}

// CreateFact stores a fact that the user writes by hand. It takes its place in the chain as if it had been said now.
func (s *Store) CreateFact(ctx context.Context, f memory.Fact, cause memory.Cause) (memory.Fact, memory.Revision, error) {
	const op = "create fact"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if f, err = memory.ValidateFact(f); err != nil {
			return err
		}
		f.SaidAt, f.Confidence = t.now, 1
		if f.ValidFrom.IsZero() {
			f.ValidFrom = t.now
		}
		f, rev, err = t.insertFact(op, f, cause)
		return err
	})
	return f, rev, err
}

// UpdateFact corrects the given parts of a fact. A change that changes nothing makes no revision.
func (s *Store) UpdateFact(ctx context.Context, id string, change memory.FactChange, cause memory.Cause) (memory.Fact, memory.Revision, error) {
	const op = "update fact"
	var after memory.Fact
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		before, err := t.liveFact(op, id)
		if err != nil {
			return err
		}
		if change.IfVersion != 0 && change.IfVersion != before.Version {
			return memory.Errorf(memory.ECONFLICT, op, "the fact is at version %d now, not %d", before.Version, change.IfVersion)
		}
		after = change.Apply(before, t.now)
		if after, err = memory.ValidateFact(after); err != nil {
			return err
		}
		if sameFact(&before, &after) {
			return nil
		}
		rev, err = t.putFact(&before, &after, cause, "")
		if err == nil {
			after, err = t.liveFact(op, id)
		}
		return err
	})
	return after, rev, err
}

// DeleteFact takes a fact away; the one that it had replaced is true again. Undo brings it back.
func (s *Store) DeleteFact(ctx context.Context, id string, cause memory.Cause) (memory.Revision, error) {
	const op = "delete fact"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		before, err := t.liveFact(op, id)
		if err != nil {
			return err
		}
		rev, err = t.putFact(&before, nil, cause, "")
		return err
	})
	return rev, err
}

// RetractFacts deletes the facts that came from a message but for those of the given statements: the message was edited, and
// its new text does not say them any more.
func (s *Store) RetractFacts(ctx context.Context, messageID string, except []memory.FactStatement, cause memory.Cause) error {
	const op = "take facts back"
	return s.write(ctx, op, kept, func(t *tx) error {
		facts, err := all(t.ctx, t, scanFact, factSelect()+" WHERE f.origin = ? AND f.deleted_at = 0", messageID)
		if err != nil {
			return err
		}
		for _, f := range facts {
			said := slices.ContainsFunc(except, func(st memory.FactStatement) bool {
				return !st.Over && factSlot(&f) == factSlot(factOf(st)) && sameValue(f.Value, st.Value)
			})
			if said || !f.ConfirmedAt.IsZero() || f.Pinned {
				continue
			}
			if _, err := t.putFact(&f, nil, cause, ""); err != nil {
				return err
			}
		}
		return nil
	})
}

// Fact returns the fact with the given id, also a deleted one: revisions and questions may name it.
func (s *Store) Fact(ctx context.Context, id string) (memory.Fact, error) {
	f, err := one(ctx, s, scanFact, "fact_get", id)
	return f, missingOr("read fact", "fact", id, err)
}

// Facts returns the facts that the filter selects.
func (s *Store) Facts(ctx context.Context, f FactFilter) ([]memory.Fact, error) {
	q := filter{conditions: []string{"f.deleted_at = 0"}}
	q.when(f.AgentID != "", "f.agent_id = ?", f.AgentID)
	q.when(f.Subject != "", "f.subject = ? COLLATE NOCASE", f.Subject)
	q.when(f.Key != "", "f.key = ? COLLATE NOCASE", f.Key)
	q.when(f.Origin != "", "f.origin = ?", f.Origin)
	q.when(f.Current, "f.valid_to = 0")
	if words := strings.TrimSpace(f.Query); words != "" {
		like := "%" + escapeLike(words) + "%"
		q.when(true, `(f.subject LIKE ? ESCAPE '\' OR f.key LIKE ? ESCAPE '\' OR f.value LIKE ? ESCAPE '\')`, like, like, like)
	}
	limit := f.Limit
	if limit <= 0 {
		limit = -1
	}
	facts, err := all(ctx, s, scanFact, factSelect()+q.where()+` ORDER BY f.subject <> 'user', f.subject, f.key, f.valid_to <> 0,
		max(f.said_at, f.confirmed_at) DESC, f.id DESC LIMIT ?`, append(q.args, limit)...)
	return facts, fault("list facts", err)
}

// FactHistory returns all facts about the same thing as the given one, the newest first.
func (s *Store) FactHistory(ctx context.Context, id string) ([]memory.Fact, error) {
	facts, err := all(ctx, s, scanFact, factSelect()+` JOIN fact g ON g.agent_id = f.agent_id AND g.slot = f.slot
		WHERE g.id = ? AND f.deleted_at = 0 ORDER BY max(f.said_at, f.confirmed_at) DESC, f.id DESC`, id)
	return facts, fault("read history of fact", err)
}

// ReplacedIn returns, for those of the messages and passages that state something that is no longer true, what took its
// place: by the id of the message or passage. A passage stands for the message that it came from.
func (s *Store) ReplacedIn(ctx context.Context, agentID string, ids []string) (map[string][]memory.Replacement, error) {
	const op = "find what was replaced"
	out := map[string][]memory.Replacement{}
	type hit struct{ of, fact string }
	hits, err := all(ctx, s, func(r scanner) (h hit, err error) { return h, r.Scan(&h.of, &h.fact) }, "fact_replaced", agentID, encode(ids))
	if err != nil || len(hits) == 0 {
		return out, fault(op, err)
	}
	facts, err := all(ctx, s, scanFact, factSelect()+` WHERE f.deleted_at = 0 AND f.agent_id = ?1 AND f.slot IN (
		SELECT slot FROM fact WHERE id IN (SELECT value FROM json_each(?2)))`, agentID, encode(func() (list []string) {
		for _, h := range hits {
			list = append(list, h.fact)
		}
		return list
	}()))
	if err != nil {
		return nil, fault(op, err)
	}
	byID := map[string]memory.Fact{}
	for _, f := range facts {
		byID[f.ID] = f
	}
	for _, h := range hits {
		old := byID[h.fact]
		now := old
		for range facts { // along the chain, which has no loops
			next, ok := byID[now.ReplacedBy]
			if !ok {
				break
			}
			now = next
		}
		r := memory.Replacement{Old: old}
		switch {
		case now.ID != old.ID && sameValue(now.Value, old.Value) && now.Key == old.Key && now.Current():
			continue // it is true again
		case now.ID != old.ID:
			r.New = now
		}
		out[h.of] = append(out[h.of], r)
	}
	return out, nil
}

// FactQuestions returns the questions of an agent ("" = of all) or of a message ("" = of all), the newest first; open ones
// only, or all.
func (s *Store) FactQuestions(ctx context.Context, agentID, messageID string, open bool) ([]memory.FactQuestion, error) {
	var q filter
	q.when(agentID != "", "agent_id = ?", agentID)
	q.when(messageID != "", "message_id = ?", messageID)
	q.when(open, "answer = ''")
	list, err := all(ctx, s, scanQuestion, "SELECT answer, answered_at, body FROM fact_question"+q.where()+" ORDER BY id DESC LIMIT 500", q.args...)
	return list, fault("list questions", err)
}

// AnswerFact answers a question. It fails with ECONFLICT when it was answered already.
func (s *Store) AnswerFact(ctx context.Context, id string, answer memory.FactAnswer, cause memory.Cause) (memory.FactQuestion, error) {
	const op = "answer question"
	var q memory.FactQuestion
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if q, err = one(t.ctx, t, scanQuestion, "question_get", id); err != nil {
			return missingOr(op, "question", id, err)
		}
		if q.Answer != "" {
			return memory.Errorf(memory.ECONFLICT, op, "the question has been answered already")
		}
		cause.AgentID, cause.ConversationID, cause.MessageID = q.AgentID, q.ConversationID, q.MessageID
		cause.Start, cause.End = q.New.Start, q.New.End
		switch answer {
		case memory.AnswerOld:
		case memory.AnswerNew, memory.AnswerBoth:
			if err := t.settle(op, q, answer, cause); err != nil {
				return err
			}
		default:
			return memory.Errorf(memory.EINVALID, op, "the answer must be old, new or both, not %q", answer)
		}
		q.Answer, q.AnsweredAt = answer, t.now
		if err := t.run("question_answer", q.ID, string(q.Answer), millis(q.AnsweredAt)); err != nil {
			return err
		}
		return t.emitQuestion(q, memory.ActorUser)
	})
	return q, err
}

// Unread returns the keys of the user's messages behind a key that are on the visible branch of a conversation, the oldest
// first: what a pass over the transcript has still to read.
func (s *Store) Unread(ctx context.Context, behind int64) ([]int64, error) {
	keys, err := all(ctx, s, value[int64], "fact_unread", behind)
	return keys, fault("list messages", err)
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

// state stores one statement.
func (t *tx) state(op, agentID string, st memory.FactStatement, cause memory.Cause, saved *SavedFacts) error {
	f, err := memory.ValidateFact(*factOf(st))
	if err != nil {
		return err
	}
	f.AgentID, f.Actor = agentID, cause.Actor
	cause.Start, cause.End = st.Start, st.End
	chain, err := t.chain(agentID, factSlot(&f))
	if err != nil {
		return err
	}
	same := func(o *memory.Fact) bool { return o.Key == f.Key && sameValue(o.Value, f.Value) }
	at := f.SaidAt
	// The newest that was said up to then, and the first that was said later.
	var last, next *memory.Fact
	for i := range chain {
		switch o := &chain[i]; {
		case !o.Heard().After(at):
			last = o
		case next == nil:
			next = o
		}
	}
	if gone, err := one(t.ctx, t, value[bool], `SELECT EXISTS (SELECT 1 FROM fact WHERE agent_id = ?1 AND slot = ?2 AND deleted_at > ?3 AND value = ?4 COLLATE NOCASE)`,
		agentID, factSlot(&f), millis(at), f.Value); err != nil || gone {
		return err
	}
	if pinned := pinnedIn(chain); (pinned != nil && pinned.Current() && (!same(pinned) || st.Over) && !at.Before(pinned.SaidAt)) || st.Against != nil {
		return t.ask(f, st, pinned, cause, saved)
	}
	if st.Over {
		for i := len(chain) - 1; i >= 0; i-- {
			o := chain[i]
			if !same(&o) || o.SaidAt.After(at) {
				continue
			}
			if !o.EndedAt.IsZero() || o.ReplacedBy != "" {
				return nil // it is over already
			}
			after := o
			after.EndedAt = f.EndedAt
			if _, err := t.putFact(&o, &after, cause, ""); err != nil {
				return err
			}
			return t.saved(&saved.Facts, o.ID)
		}
		if next != nil && same(next) {
			return nil // it was over once, and is true again
		}
		f, _, err = t.insertFact(op, f, cause)
		if err != nil {
			return err
		}
		saved.Facts = append(saved.Facts, f)
		return nil
	}
	if last != nil && same(last) && last.EndedAt.IsZero() {
		if err := t.run("fact_confirm", last.ID, millis(at)); err != nil {
			return err
		}
		return t.saved(&saved.Confirmed, last.ID)
	}
	if next != nil && same(next) && next.EndedAt.IsZero() { // it was known from a later message: it is older than that
		after := *next
		after.ConfirmedAt, after.SaidAt = next.Heard(), at
		if after.ValidFrom.After(f.ValidFrom) {
			after.ValidFrom = f.ValidFrom
		}
		if _, err := t.putFact(next, &after, cause, ""); err != nil {
			return err
		}
		return t.saved(&saved.Confirmed, next.ID)
	}
	if f, _, err = t.insertFact(op, f, cause); err != nil {
		return err
	}
	saved.Facts = append(saved.Facts, f)
	return nil
}

// saved appends the fact as it is now.
func (t *tx) saved(list *[]memory.Fact, id string) error {
	f, err := one(t.ctx, t, scanFact, "fact_get", id)
	if err == nil {
		*list = append(*list, f)
	}
	return err
}

// ask stores a question; the same is not asked twice.
func (t *tx) ask(f memory.Fact, st memory.FactStatement, pinned *memory.Fact, cause memory.Cause, saved *SavedFacts) error {
	st.Subject, st.Key, st.Value = f.Subject, f.Key, f.Value
	q := memory.FactQuestion{AgentID: f.AgentID, ConversationID: cause.ConversationID, MessageID: st.Origin, Against: st.Against, New: st, CreatedAt: t.now}
	switch {
	case pinned != nil:
		q.FactID, q.Old, q.Against = pinned.ID, pinned.Value, nil
	default:
		q.Old = st.Against.Line
	}
	asked, err := all(t.ctx, t, scanQuestion, "SELECT answer, answered_at, body FROM fact_question WHERE agent_id = ?", f.AgentID)
	if err != nil {
		return err
	}
	for _, o := range asked {
		if o.Old == q.Old && o.New.Over == st.Over && sameValue(o.New.Value, st.Value) && (o.Answer == "" || o.MessageID == q.MessageID) {
			return nil
		}
	}
	q.ID = t.s.ids.New("question")
	if err := t.run("question_insert", q.ID, q.AgentID, q.MessageID, millis(q.CreatedAt), encode(q)); err != nil {
		return err
	}
	saved.Questions = append(saved.Questions, q)
	return t.emitQuestion(q, cause.Actor)
}

func (t *tx) emitQuestion(q memory.FactQuestion, actor memory.Actor) error {
	return t.emit("fact.question", q.AgentID, q.ConversationID, map[string]any{
		"question_id": q.ID, "agent_id": q.AgentID, "conversation_id": q.ConversationID, "message_id": q.MessageID, "actor": actor,
		"answer": q.Answer,
	})
}

// settle stores what the user decided.
func (t *tx) settle(op string, q memory.FactQuestion, answer memory.FactAnswer, cause memory.Cause) error {
	f := *factOf(q.New)
	f.AgentID, f.Actor = q.AgentID, memory.ActorUser
	if q.FactID != "" {
		old, err := t.liveFact(op, q.FactID)
		switch {
		case memory.CodeOf(err) == memory.ENOTFOUND: // it was deleted meanwhile
		case err != nil:
			return err
		case answer == memory.AnswerBoth:
			after := old
			after.Many, f.Many = true, true
			if _, err := t.putFact(&old, &after, cause, ""); err != nil {
				return err
			}
		case q.New.Over:
			after := old
			after.EndedAt, after.Pinned = f.EndedAt, false
			_, err := t.putFact(&old, &after, cause, "")
			return err
		default: // the pin goes over to what takes its place
			after := old
			after.Pinned, f.Pinned = false, true
			if _, err := t.putFact(&old, &after, cause, ""); err != nil {
				return err
			}
		}
	}
	if q.Against != nil && answer == memory.AnswerNew {
		if err := t.replaceLine(op, q, cause); err != nil {
			return err
		}
	}
	if q.New.Over && q.FactID == "" && answer == memory.AnswerBoth {
		return nil
	}
	_, _, err := t.insertFact(op, f, cause)
	return err
}

// replaceLine puts what the user said, in their own words, in the place of a line of a pinned block.
func (t *tx) replaceLine(op string, q memory.FactQuestion, cause memory.Cause) error {
	b, err := t.liveBlock(op, q.Against.BlockID)
	if memory.CodeOf(err) == memory.ENOTFOUND {
		return nil
	}
	if err != nil {
		return err
	}
	said := q.New.Value
	if m, err := t.message(op, q.MessageID); err == nil {
		if r := []rune(m.Content); q.New.Start < q.New.End && q.New.End <= len(r) {
			said = strings.Join(strings.Fields(string(r[q.New.Start:q.New.End])), " ")
		}
	}
	lines := strings.Split(b.Value, "\n")
	at := slices.Index(lines, q.Against.Line)
	if at < 0 {
		return nil // it was changed meanwhile
	}
	lines[at] = said
	value := strings.Join(lines, "\n")
	after, err := memory.BlockChange{Value: &value}.Apply(b, memory.ActorUser)
	if err != nil {
		return err
	}
	_, err = t.putBlock(op, &b, &after, cause, "")
	return err
}

// insertFact stores a new, valid fact and fills in what the store knows.
func (t *tx) insertFact(op string, f memory.Fact, cause memory.Cause) (memory.Fact, memory.Revision, error) {
	none := memory.Revision{}
	if _, err := one(t.ctx, t, scanAgent, "agent_get", f.AgentID); err != nil {
		return f, none, missingOr(op, "agent", f.AgentID, err)
	}
	if f.Actor == "" {
		f.Actor = cause.Actor
	}
	f.ID, f.Version, f.CreatedAt, f.UpdatedAt, f.DeletedAt = t.s.ids.New("fact"), 1, t.now, t.now, time.Time{}
	f.SaidAt, f.ValidFrom, f.EndedAt = whole(f.SaidAt), whole(f.ValidFrom), whole(f.EndedAt)
	slot := factSlot(&f)
	if err := t.run("fact_insert", f.ID, f.AgentID, slot, f.Subject, f.Key, f.Value, f.Many, millis(f.ValidFrom), millis(f.EndedAt),
		millis(f.SaidAt), millis(f.ConfirmedAt), f.Origin, f.Start, f.End, string(f.Actor), f.Confidence, f.Pinned, f.Version,
		millis(f.CreatedAt), millis(f.UpdatedAt)); err != nil {
		return f, none, err
	}
	if err := t.relink(f.AgentID, slot); err != nil {
		return f, none, err
	}
	f, err := one(t.ctx, t, scanFact, "fact_get", f.ID)
	if err != nil {
		return f, none, err
	}
	rev, err := t.reviseFact(nil, &f, cause, "")
	return f, rev, err
}

// putFact stores what a fact becomes: before is what it is now, nil while it is deleted; after nil deletes it.
func (t *tx) putFact(before, after *memory.Fact, cause memory.Cause, undoes string) (memory.Revision, error) {
	none := memory.Revision{}
	row, deleted := after, time.Time{}
	if row == nil {
		c := *before
		row, deleted = &c, t.now
	}
	stored, err := one(t.ctx, t, scanFact, "fact_get", row.ID)
	if err != nil {
		return none, err
	}
	old, err := one(t.ctx, t, value[string], "fact_slot", row.ID)
	if err != nil {
		return none, err
	}
	row.Version, row.UpdatedAt = stored.Version+1, t.now
	row.ConfirmedAt = later(row.ConfirmedAt, stored.ConfirmedAt) // no part of a change
	row.DeletedAt = time.Time{}
	row.SaidAt, row.ValidFrom, row.EndedAt = whole(row.SaidAt), whole(row.ValidFrom), whole(row.EndedAt)
	slot := factSlot(row)
	if err := t.run("fact_update", row.ID, slot, row.Subject, row.Key, row.Value, row.Many, millis(row.ValidFrom), millis(row.EndedAt),
		millis(row.SaidAt), millis(row.ConfirmedAt), row.Pinned, row.Version, millis(row.UpdatedAt), millis(deleted)); err != nil {
		return none, err
	}
	for _, s := range slices.Compact([]string{old, slot}) {
		if err := t.relink(row.AgentID, s); err != nil {
			return none, err
		}
	}
	return t.reviseFact(before, after, cause, undoes)
}

func (t *tx) reviseFact(before, after *memory.Fact, cause memory.Cause, undoes string) (memory.Revision, error) {
	f := after
	if f == nil {
		f = before
	}
	if cause.AgentID == "" {
		cause.AgentID = f.AgentID
	}
	rev, err := t.revise(memory.Revision{
		Subject: memory.SubjectFact, SubjectID: f.ID, Label: factLabel(f), Before: encodeOrEmpty(before), After: encodeOrEmpty(after),
		Cause: cause, Undoes: undoes,
	})
	if err != nil {
		return rev, err
	}
	return rev, t.emitRevised("fact.changed", []string{f.AgentID}, rev, map[string]any{
		"fact_id": f.ID, "agent_id": f.AgentID, "label": rev.Label,
	})
}

// factLabel names a fact in lists of changes.
func factLabel(f *memory.Fact) string {
	key := f.Key
	if f.Subject != memory.SubjectUser {
		key = f.Subject + " · " + f.Key
	}
	return clip(key+" = "+f.Value, 60)
}

func (t *tx) undoFact(op string, r memory.Revision, cause memory.Cause) (memory.Revision, error) {
	before, after, err := states[memory.Fact](r)
	if err != nil {
		return memory.Revision{}, err
	}
	stored, err := one(t.ctx, t, scanFact, "fact_get", r.SubjectID)
	if err != nil {
		return memory.Revision{}, err
	}
	current := &stored
	if !stored.DeletedAt.IsZero() {
		current = nil
	}
	if !sameFact(current, after) {
		return memory.Revision{}, movedOn(op, r)
	}
	return t.putFact(current, before, cause, r.ID)
}

// chain returns the facts of a slot in the order in which they were said last.
func (t *tx) chain(agentID, slot string) ([]memory.Fact, error) {
	chain, err := all(t.ctx, t, scanFact, factSelect()+" WHERE f.agent_id = ? AND f.slot = ? AND f.deleted_at = 0", agentID, slot)
	slices.SortFunc(chain, func(a, b memory.Fact) int { return cmp.Or(a.Heard().Compare(b.Heard()), cmp.Compare(a.ID, b.ID)) })
	return chain, err
}

// relink writes until when each fact of a slot is true and what replaces it: the one that was said next. What was over
// already when it was first said ("I used to …") replaces nothing.
func (t *tx) relink(agentID, slot string) error {
	chain, err := t.chain(agentID, slot)
	if err != nil {
		return err
	}
	for i, f := range chain {
		to, by := f.EndedAt, ""
		for _, next := range chain[i+1:] {
			if next.ValidFrom.IsZero() && !next.EndedAt.IsZero() {
				continue
			}
			by = next.ID
			if to.IsZero() {
				if to = next.ValidFrom; to.IsZero() || to.Before(f.ValidFrom) {
					to = next.Heard()
				}
			}
			break
		}
		if !to.Equal(f.ValidTo) || by != f.ReplacedBy {
			if err := t.run("fact_link", f.ID, millis(to), by); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *tx) liveFact(op, id string) (memory.Fact, error) {
	f, err := one(t.ctx, t, scanFact, "fact_get", id)
	if err == nil && !f.DeletedAt.IsZero() {
		return f, memory.Errorf(memory.ENOTFOUND, op, "the fact was deleted")
	}
	return f, missingOr(op, "fact", id, err)
}

func pinnedIn(chain []memory.Fact) *memory.Fact {
	for i := range chain {
		if chain[i].Pinned {
			return &chain[i]
		}
	}
	return nil
}

// factOf returns the fact that a statement makes.
func factOf(st memory.FactStatement) *memory.Fact {
	f := &memory.Fact{
		Subject: st.Subject, Key: st.Key, Value: st.Value, Many: st.Many, ValidFrom: st.ValidFrom, SaidAt: st.SaidAt, Origin: st.Origin,
		Start: st.Start, End: st.End, Confidence: st.Confidence,
	}
	switch {
	case st.Over: // since when it was true is not known
		f.ValidFrom, f.EndedAt = time.Time{}, cmp.Or(st.ValidFrom, st.SaidAt)
	case f.ValidFrom.IsZero():
		f.ValidFrom = st.SaidAt
	}
	return f
}

// factSlot names the chain that a fact belongs to. Liking and disliking the same thing replace each other.
func factSlot(f *memory.Fact) string {
	key, many := folded(f.Key), f.Many
	if key == "likes" || key == "dislikes" {
		key = "taste"
	}
	slot := folded(f.Subject) + "\x1f" + key
	if many {
		slot += "\x1f" + bareValue(f.Value)
	}
	return slot
}

// bareValue returns a value without what makes no difference: case, width, articles and punctuation at its ends.
func bareValue(s string) string {
	s = strings.Trim(folded(s), " .,;:!。，；：！\"'“”‘’「」")
	for _, article := range []string{"the ", "a ", "an ", "my "} {
		if rest, ok := strings.CutPrefix(s, article); ok && rest != "" {
			return rest
		}
	}
	return s
}

func sameValue(a, b string) bool { return bareValue(a) == bareValue(b) }

// sameFact reports whether two states of a fact hold the same; nil is a deleted one. What follows from the chain and when it
// was confirmed are no part of it.
func sameFact(a, b *memory.Fact) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Subject == b.Subject && a.Key == b.Key && a.Value == b.Value && a.Many == b.Many && a.ValidFrom.Equal(b.ValidFrom) &&
		a.SaidAt.Equal(b.SaidAt) && a.EndedAt.Equal(b.EndedAt) && a.Pinned == b.Pinned
}

// whole returns t as it is stored.
func whole(t time.Time) time.Time { return moment(millis(t)) }

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}

// factSelect is the beginning of each statement that scanFact reads.
func factSelect() string {
	head, _, _ := strings.Cut(text("fact_get"), "FROM fact f WHERE")
	return head + "FROM fact f"
}

func scanFact(r scanner) (f memory.Fact, err error) {
	var from, to, ended, said, confirmed, deleted, created, updated int64
	err = r.Scan(&f.ID, &f.AgentID, &f.Subject, &f.Key, &f.Value, &f.Many, &from, &to, &f.ReplacedBy, &ended, &said, &confirmed, &f.Origin,
		&f.Start, &f.End, &f.Actor, &f.Confidence, &f.Pinned, &f.Version, &deleted, &created, &updated, &f.OriginConversation)
	f.ValidFrom, f.ValidTo, f.EndedAt, f.SaidAt, f.ConfirmedAt = moment(from), moment(to), moment(ended), moment(said), moment(confirmed)
	f.DeletedAt, f.CreatedAt, f.UpdatedAt = moment(deleted), moment(created), moment(updated)
	return f, err
}

func scanQuestion(r scanner) (q memory.FactQuestion, err error) {
	var answer, body string
	var answered int64
	if err := r.Scan(&answer, &answered, &body); err != nil {
		return q, err
	}
	err = json.Unmarshal([]byte(body), &q)
	q.Answer, q.AnsweredAt = memory.FactAnswer(answer), moment(answered)
	return q, err
}
