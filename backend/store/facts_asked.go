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

// FactQuestions returns the questions of an agent ("" = of all) or of a message ("" = of all), the newest first; all, or
// those that are open.
func (s *Store) FactQuestions(ctx context.Context, agentID, messageID string, open bool) ([]memory.FactQuestion, error) {
	var q filter
	q.when(agentID != "", "q.agent_id = ?", agentID)
	q.when(messageID != "", "q.message_id = ?", messageID)
	q.when(open, openQuestion, millis(s.now()))
	list, err := all(ctx, s, scanQuestion, questionSelect+q.where()+" ORDER BY q.id DESC LIMIT 500", q.args...)
	return list, fault("list questions", err)
}

// AnswerFact answers a question, and returns the changes to memory that the answer makes. It fails with ECONFLICT when it
// is not open any more, and with EINVALID when both cannot be: what is true and that it is over.
func (s *Store) AnswerFact(ctx context.Context, id string, answer memory.FactAnswer, cause memory.Cause) (memory.FactQuestion, []memory.Revision, error) {
	const op = "answer question"
	var q memory.FactQuestion
	var revs []memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if q, err = one(t.ctx, t, scanQuestion, "question_get", id); err != nil {
			return missingOr(op, "question", id, err)
		}
		if q.Answer != "" && q.Answer != memory.AnswerGone {
			return memory.Errorf(memory.ECONFLICT, op, "the question has been answered already")
		}
		if open, err := all(t.ctx, t, scanQuestion, questionSelect+" WHERE q.id = ? AND "+openQuestion, id, millis(t.now)); err != nil {
			return err
		} else if len(open) == 0 {
			return memory.Errorf(memory.ECONFLICT, op, "the question is no longer open: what it asks about has changed, or something newer was said")
		}
		cause.AgentID, cause.ConversationID, cause.MessageID = q.AgentID, q.ConversationID, q.MessageID
		cause.Start, cause.End = q.New.Start, q.New.End
		q.Answer, q.AnsweredAt = answer, t.now
		if err := t.run("question_answer", q.ID, string(q.Answer), millis(q.AnsweredAt)); err != nil {
			return err
		}
		switch {
		case answer == memory.AnswerOld:
		case answer == memory.AnswerBoth && q.New.Over:
			return memory.Errorf(memory.EINVALID, op, "it cannot be true and over: answer old or new")
		case answer == memory.AnswerNew, answer == memory.AnswerBoth:
			if revs, err = t.settle(op, q, answer, cause); err != nil {
				return err
			}
		default:
			return memory.Errorf(memory.EINVALID, op, "the answer must be old, new or both, not %q", answer)
		}
		return t.emitQuestion(q, memory.ActorUser)
	})
	return q, revs, err
}

// askAgain opens the question again whose answer made a revision, which is being undone.
func (t *tx) askAgain(revisionID string) error {
	answered, err := all(t.ctx, t, scanQuestion, questionSelect+` JOIN revision r ON r.message_id = q.message_id AND r.created_at = q.answered_at
		WHERE r.id = ? AND r.message_id <> '' AND r.undoes = '' AND q.answer IN ('new', 'both')`, revisionID)
	if err != nil {
		return err
	}
	for _, q := range answered {
		q.Answer, q.AnsweredAt = "", time.Time{}
		if err := t.run("question_answer", q.ID, "", 0); err != nil {
			return err
		}
		if err := t.emitQuestion(q, memory.ActorSystem); err != nil {
			return err
		}
	}
	return nil
}

// ask stores a question; the same is not asked twice.
func (t *tx) ask(f memory.Fact, st memory.FactStatement, pinned *memory.Fact, cause memory.Cause, saved *SavedFacts) error {
	st.Subject, st.Key, st.Value, st.Many = f.Subject, f.Key, f.Value, f.Many
	q := memory.FactQuestion{AgentID: f.AgentID, ConversationID: cause.ConversationID, MessageID: st.Origin, Against: st.Against, New: st, CreatedAt: t.now}
	switch {
	case pinned != nil:
		q.FactID, q.Old = pinned.ID, pinned.Value
	default:
		q.Old = st.Against.Line
	}
	open, err := all(t.ctx, t, scanQuestion, questionSelect+" WHERE q.agent_id = ? AND ("+openQuestion+" OR q.message_id = ?)", f.AgentID, millis(t.now), q.MessageID)
	if err != nil {
		return err
	}
	for _, o := range open {
		if o.Old == q.Old && o.New.Over == st.Over && sameValue(o.New.Value, st.Value) && factSlot(factOf(o.New)) == factSlot(&f) {
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

// settle stores what the user decided. They decide now, so that it is the last word on the matter, whatever was said since
// the question came up. ELIMIT where a block has no room for what takes the place of a line.
func (t *tx) settle(op string, q memory.FactQuestion, answer memory.FactAnswer, cause memory.Cause) ([]memory.Revision, error) {
	var revs []memory.Revision
	f := *factOf(q.New)
	f.AgentID, f.Actor = q.AgentID, memory.ActorUser
	f.Many = f.Many || answer == memory.AnswerBoth
	renew := func() error { return t.renewAllLines(op, f.AgentID, q.New, cause) }
	if q.Against != nil && answer == memory.AnswerNew {
		rev, err := t.replaceLine(op, q, cause)
		if err != nil {
			return nil, err
		}
		if rev.ID != "" {
			revs = append(revs, rev)
			t.act = rev.ID
		}
	}
	if q.FactID != "" {
		old, err := t.liveFact(op, q.FactID)
		if err != nil {
			return nil, err
		}
		after := old
		switch {
		case answer == memory.AnswerBoth:
			after.Many = true
		case q.New.Over:
			after.EndedAt, after.Pinned = f.EndedAt, false
		default: // the pin goes over to what takes its place
			after.Pinned, f.Pinned = false, true
		}
		if !sameFact(&old, &after) {
			rev, err := t.putFact(&old, &after, cause, "")
			if err != nil {
				return nil, err
			}
			revs = append(revs, rev)
			t.act = cmp.Or(t.act, rev.ID)
		}
		if q.New.Over {
			t.then(memory.Revision{}, renew)
			return revs, nil
		}
	}
	f, rev, err := t.insertFact(op, f, cause)
	if err != nil {
		return nil, err
	}
	if !q.New.Over {
		if err := t.own(f.ID, t.now); err != nil {
			return nil, err
		}
		err = t.refresh(f.ID)
	}
	if err != nil {
		return nil, err
	}
	if answer != memory.AnswerBoth { // else no line is untrue
		t.then(rev, renew)
	}
	return append(revs, rev), nil
}

// resettleFacts closes the open questions about the facts of a slot that nothing contradicts any more, since they were changed,
// unpinned, replaced or deleted, and asks again where that was undone.
func (t *tx) resettleFacts(agentID, slot string) error {
	asked, err := all(t.ctx, t, scanQuestion, questionSelect+` JOIN fact f ON f.id = q.body ->> '$.fact_id'
		WHERE q.agent_id = ? AND q.answer IN ('', 'gone') AND f.slot = ?`, agentID, slot)
	if err != nil {
		return err
	}
	for _, q := range asked {
		of, err := all(t.ctx, t, scanFact, factSelect()+" WHERE f.id = ? AND "+liveFacts, q.FactID)
		if err != nil {
			return err
		}
		if err := t.resettle(q, len(of) == 1 && speaksAgainst(q.New, &of[0], t.now)); err != nil {
			return err
		}
	}
	return nil
}

// speaksAgainst reports whether a statement contradicts a fact that is pinned.
func speaksAgainst(st memory.FactStatement, f *memory.Fact, now time.Time) bool {
	said := factOf(st)
	said.Many = f.Many
	pinned := []memory.Fact{*f}
	return factSlot(said) == factSlot(f) && contradicted(pinned, pinned, said, st.Over, now) != nil
}

// resettleBlock does the same for the questions about a block, nil for a deleted one. Where another line of it says what the
// old one said, the question is about that.
func (t *tx) resettleBlock(id string, b *memory.Block) error {
	asked, err := all(t.ctx, t, scanQuestion, questionSelect+" WHERE q.answer IN ('', 'gone') AND q.body ->> '$.against.block_id' = ?", id)
	if err != nil {
		return err
	}
	for _, q := range asked {
		line, found := "", false
		if b != nil && (b.Pinned || b.ReadOnly || q.Against.Full) {
			lines := strings.Split(b.Value, "\n")
			if found = slices.Contains(lines, q.Against.Line); found {
				line = q.Against.Line
			} else if at := slices.IndexFunc(lines, func(l string) bool { return t.contradicted(l, t.now, q.New) }); at >= 0 {
				line, found = lines[at], true
			}
		}
		if found && line != q.Against.Line {
			q.Old, q.Against.Line = line, line
			if err := t.run("question_body", q.ID, encode(q)); err != nil {
				return err
			}
		}
		if err := t.resettle(q, found); err != nil {
			return err
		}
	}
	return nil
}

// resettle notes whether there is still something to ask.
func (t *tx) resettle(q memory.FactQuestion, open bool) error {
	answer, at := memory.AnswerGone, t.now
	if open {
		answer, at = "", time.Time{}
	}
	if answer == q.Answer {
		return nil
	}
	q.Answer, q.AnsweredAt = answer, at
	if err := t.run("question_answer", q.ID, string(q.Answer), millis(q.AnsweredAt)); err != nil {
		return err
	}
	return t.emitQuestion(q, memory.ActorSystem)
}

// replaceLine puts what the user said, in their own words, in the place of a line of a pinned block; a line that had no room to be
// renewed is renewed now. Nothing happens where that line is no longer there.
func (t *tx) replaceLine(op string, q memory.FactQuestion, cause memory.Cause) (memory.Revision, error) {
	none := memory.Revision{}
	b, err := t.liveBlock(op, q.Against.BlockID)
	if memory.CodeOf(err) == memory.ENOTFOUND {
		return none, nil
	}
	if err != nil {
		return none, err
	}
	said := cmp.Or(t.wordsOf(op, q.New), q.New.Value)
	lines := strings.Split(b.Value, "\n")
	at := slices.Index(lines, q.Against.Line)
	if at < 0 {
		return none, nil
	}
	if q.Against.Full {
		said = t.s.lines.Renew(q.Against.Line, b.UpdatedAt, q.New, said)
	}
	lines[at] = said
	value := strings.Join(lines, "\n")
	after, err := memory.BlockChange{Value: &value}.Apply(b, memory.ActorUser)
	if err != nil {
		return none, err
	}
	return t.putBlock(op, &b, &after, cause, "")
}

const questionSelect = "SELECT q.answer, q.answered_at, q.body FROM fact_question q"

// openQuestion is the condition on questions that wait for an answer: under a message that is to be seen, about a fact that
// is still pinned and true, against which nothing newer was said.
const openQuestion = `q.answer = '' AND q.live = 1 AND (q.body ->> '$.fact_id' = '' OR EXISTS (
	SELECT 1 FROM fact f WHERE f.id = q.body ->> '$.fact_id' AND f.pinned = 1 AND ` + notOver + ` AND ` + liveFacts + `
) AND NOT EXISTS (
	SELECT 1 FROM fact_question n WHERE n.agent_id = q.agent_id AND n.live = 1 AND n.body ->> '$.fact_id' = q.body ->> '$.fact_id'
	AND julianday(n.body ->> '$.new.said_at') > julianday(q.body ->> '$.new.said_at')
))`

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
