package store

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"recollect/backend/memory"
)

// Revisions returns the revisions that the filter selects, the newest first, and the cursor of the next page, "" at the
// end.
func (s *Store) Revisions(ctx context.Context, f RevisionFilter) ([]memory.Revision, string, error) {
	const op = "list revisions"
	if err := checkCursor(op, "revision", f.Cursor); err != nil {
		return nil, "", err
	}
	var q filter
	q.when(f.Subject != "", "r.subject = ?", string(f.Subject))
	q.when(f.SubjectID != "", "r.subject_id = ?", f.SubjectID)
	q.when(f.MessageID != "", "r.message_id = ?", f.MessageID)
	q.when(f.Cursor != "", "r.id < ?", f.Cursor)
	q.when(f.AgentID != "", `(r.agent_id = ?
		OR r.subject IN ('block', 'attachment') AND EXISTS (SELECT 1 FROM attachment a WHERE a.agent_id = ? AND a.block_id = r.subject_id AND a.detached = 0)
		OR r.subject = 'document' AND EXISTS (SELECT 1 FROM document d JOIN agent g ON g.archive_id = d.archive_id WHERE d.id = r.subject_id AND g.id = ?)
		OR r.subject = 'passages' AND EXISTS (SELECT 1 FROM agent g WHERE g.archive_id = r.subject_id AND g.id = ?)
		OR r.subject = 'passage' AND EXISTS (SELECT 1 FROM passage p JOIN agent g ON g.archive_id = p.archive_id WHERE p.id = r.subject_id AND g.id = ?))`,
		f.AgentID, f.AgentID, f.AgentID, f.AgentID, f.AgentID)
	limit := limitOr(f.Limit)
	sql := `SELECT r.id, r.subject, r.subject_id, r.label, r.actor, r.reason, r.agent_id, r.conversation_id, r.message_id,
		r.range_start, r.range_end, r.tool_call_id, r.undoes, r.created_at, r.before, r.after, ifnull(u.id, '')
		FROM revision r LEFT JOIN revision u ON u.undoes = r.id AND u.undoes <> ''` + q.where() + ` ORDER BY r.id DESC LIMIT ?`
	revs, err := all(ctx, s, scanRevision, sql, append(q.args, limit+1)...)
	next := ""
	if len(revs) > limit {
		revs = revs[:limit]
		next = revs[limit-1].ID
	}
	return revs, next, fault(op, err)
}

// Revision returns the revision with the given id.
func (s *Store) Revision(ctx context.Context, id string) (memory.Revision, error) {
	r, err := one(ctx, s, scanRevision, "revision_get", id)
	return r, missingOr("read revision", "revision", id, err)
}

// Undo makes a new revision that takes the given one back; undoing that one is a redo. What belongs to the same act goes with it,
// as far as it is still as that act left it. It fails with ECONFLICT when the revision has been undone already, or when its
// subject no longer is as that revision left it.
func (s *Store) Undo(ctx context.Context, revisionID string, cause memory.Cause) (memory.Revision, error) {
	const op = "undo"
	parts, followed, err := s.largeAct(ctx, op, revisionID)
	if err != nil {
		return memory.Revision{}, err
	}
	if len(parts) > 0 {
		return s.undoLarge(ctx, op, parts, followed, cause)
	}
	var rev memory.Revision
	err = s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if err := t.askAgain(revisionID); err != nil {
			return err
		}
		if rev, err = t.undo(op, revisionID, cause); err != nil {
			return err
		}
		others, err := all(t.ctx, t, value[string], "revision_act", revisionID)
		if err != nil {
			return err
		}
		return t.within(rev, func() error { return t.undoParts(op, others, cause) })
	})
	return rev, err
}

func (t *tx) undoParts(op string, ids []string, cause memory.Cause) error {
	for _, id := range ids {
		if err := t.undoPart(op, id, cause); err != nil {
			return err
		}
	}
	return nil
}

// undoPart takes back a revision that goes with another one, as far as that can be: of a block that was changed since, the lines.
func (t *tx) undoPart(op, id string, cause memory.Cause) error {
	_, err := t.undo(op, id, cause)
	if err == nil || !stays(err) {
		return err
	}
	r, err := one(t.ctx, t, scanRevision, "revision_get", id)
	if err != nil || r.Subject != memory.SubjectBlock || r.UndoneBy != "" {
		return err
	}
	before, after, err := states[memory.Block](r)
	if err != nil || before == nil || after == nil {
		return err
	}
	b, err := t.liveBlock(op, r.SubjectID)
	var changed memory.Block
	if err == nil {
		value := withLines(b.Value, after.Value, before.Value)
		changed, err = memory.BlockChange{Value: &value}.Apply(b, cause.Actor)
	}
	if err == nil && changed.Value != b.Value {
		_, err = t.putBlock(op, &b, &changed, cause, r.ID)
	}
	if stays(err) { // it is gone or locked, or full
		return nil
	}
	return err
}

// withLines returns a text with the lines by which is differs from was in the place of those by which was differs from is; as it
// is where it does not have them all.
func withLines(text, was, is string) string {
	lines, old, wanted := strings.Split(text, "\n"), strings.Split(was, "\n"), strings.Split(is, "\n")
	without := func(a, b []string) []string {
		return slices.DeleteFunc(slices.Clone(a), func(l string) bool { return slices.Contains(b, l) })
	}
	gone, come := without(old, wanted), without(wanted, old)
	at := len(lines)
	for i, l := range gone {
		j := slices.Index(lines, l)
		if j < 0 {
			return text
		}
		lines = slices.Delete(lines, j, j+1)
		if i == 0 || j < at {
			at = j
		}
	}
	return strings.Join(slices.Insert(lines, min(at, len(lines)), come...), "\n")
}

// stays reports whether a change is refused since its subject is not as it was left, or must not be changed.
func stays(err error) bool {
	code := memory.CodeOf(err)
	return code == memory.ECONFLICT || code == memory.EREADONLY || code == memory.ELIMIT || code == memory.ENOTFOUND
}

// within makes the revisions that do makes part of the act that rev begins or belongs to.
func (t *tx) within(rev memory.Revision, do func() error) error {
	outer := t.act
	t.act = cmp.Or(outer, rev.ID)
	defer func() { t.act = outer }()
	return do()
}

// then has something follow from the act that rev begins or belongs to, once all its changes are made.
func (t *tx) then(rev memory.Revision, do func() error) {
	act := t.act
	t.follow = append(t.follow, func() error {
		t.act = act
		return t.within(rev, do)
	})
}

// undo takes one revision back.
func (t *tx) undo(op, revisionID string, cause memory.Cause) (memory.Revision, error) {
	r, err := one(t.ctx, t, scanRevision, "revision_get", revisionID)
	if err != nil {
		return r, missingOr(op, "revision", revisionID, err)
	}
	if r.UndoneBy != "" {
		return memory.Revision{}, memory.Errorf(memory.ECONFLICT, op, "it has been undone already")
	}
	switch r.Subject {
	case memory.SubjectBlock:
		return t.undoBlock(op, r, cause)
	case memory.SubjectAttachment:
		return t.undoAttachment(op, r, cause)
	case memory.SubjectPassage:
		return t.undoPassage(op, r, cause)
	case memory.SubjectPassages:
		return t.undoPassages(op, r, cause)
	case memory.SubjectDocument:
		return t.undoDocument(op, r, cause)
	case memory.SubjectOrder:
		return t.undoOrder(op, r, cause)
	case memory.SubjectFeedback:
		return t.undoFeedback(op, r, cause)
	case memory.SubjectFact:
		return t.undoFact(op, r, cause)
	default:
		return memory.Revision{}, memory.Errorf(memory.EUNSUPPORTED, op, "a change of a %s cannot be undone", r.Subject)
	}
}

func movedOn(op string, r memory.Revision) error {
	return memory.Errorf(memory.ECONFLICT, op, "%q has changed since; undo the later changes first", r.Label)
}

func (t *tx) undoBlock(op string, r memory.Revision, cause memory.Cause) (memory.Revision, error) {
	before, after, err := states[memory.Block](r)
	if err != nil {
		return memory.Revision{}, err
	}
	stored, err := one(t.ctx, t, scanBlock, "block_get", r.SubjectID)
	if err != nil {
		return memory.Revision{}, err
	}
	var current *memory.Block
	if stored.DeletedAt.IsZero() {
		current = &stored.Block
	}
	if !sameBlock(current, after) {
		return memory.Revision{}, movedOn(op, r)
	}
	if err := stored.Writable(op, cause.Actor); err != nil {
		return memory.Revision{}, err
	}
	rev, err := t.putBlock(op, current, before, cause, r.ID)
	if err != nil {
		return rev, err
	}
	t.then(rev, func() error { return t.linesGone(op, current, before, rev) })
	return rev, nil
}

func (t *tx) undoAttachment(op string, r memory.Revision, cause memory.Cause) (memory.Revision, error) {
	b, err := t.writableBlock(op, r.SubjectID, cause)
	if err != nil {
		return memory.Revision{}, err
	}
	before, after, err := lists[string](r)
	if err != nil {
		return memory.Revision{}, err
	}
	current, err := all(t.ctx, t, value[string], "block_agents", b.ID)
	if err != nil {
		return memory.Revision{}, err
	}
	wanted := slices.Clone(current)
	var back []string
	for _, id := range after {
		if !slices.Contains(before, id) { // it was attached: detach
			if !slices.Contains(current, id) {
				return memory.Revision{}, movedOn(op, r)
			}
			if err := t.run("attachment_end", id, b.ID); err != nil {
				return memory.Revision{}, err
			}
			wanted = slices.DeleteFunc(wanted, func(w string) bool { return w == id })
		}
	}
	for _, id := range before {
		if !slices.Contains(after, id) { // it was detached: attach
			if slices.Contains(current, id) {
				return memory.Revision{}, movedOn(op, r)
			}
			if _, err := one(t.ctx, t, scanAgent, "agent_get", id); err != nil {
				return memory.Revision{}, missingOr(op, "agent", id, err)
			}
			if err := t.run("attachment_insert", id, b.ID); err != nil {
				return memory.Revision{}, err
			}
			wanted, back = append(wanted, id), append(back, id)
		}
	}
	rev, err := t.reviseAttachment(b, current, wanted, cause, r.ID)
	if err != nil {
		return rev, err
	}
	t.then(rev, func() error { // the block that took its place may go only as another part of the act
		for _, id := range back {
			if err := t.roomFor(op, b, id); err != nil {
				return err
			}
		}
		return nil
	})
	return rev, nil
}

// undoOrder puts the blocks of an agent back into the order they had.
func (t *tx) undoOrder(op string, r memory.Revision, cause memory.Cause) (memory.Revision, error) {
	before, after, err := lists[string](r)
	if err != nil {
		return memory.Revision{}, err
	}
	current, err := t.order(r.SubjectID)
	if err != nil {
		return memory.Revision{}, err
	}
	if !slices.Equal(current, after) {
		return memory.Revision{}, movedOn(op, r)
	}
	return t.setOrder(op, r.SubjectID, current, before, cause, r.ID)
}

func (t *tx) undoPassage(op string, r memory.Revision, cause memory.Cause) (memory.Revision, error) {
	before, after, err := states[memory.Passage](r)
	if err != nil {
		return memory.Revision{}, err
	}
	stored, err := one(t.ctx, t, scanPassage, "passage_get", r.SubjectID)
	if err != nil {
		return memory.Revision{}, err
	}
	current := &stored.Passage
	if !stored.DeletedAt.IsZero() {
		current = nil
	}
	if !samePassage(current, after) {
		return memory.Revision{}, movedOn(op, r)
	}
	rev, err := t.putPassage(op, stored.key, current, before, cause, r.ID)
	if err != nil {
		return rev, err
	}
	t.then(rev, func() error { return t.passageGone(op, current, before, rev) })
	return rev, nil
}

// states returns what a revision recorded.
func states[T any](r memory.Revision) (before, after *T, err error) {
	if before, err = decodeOrNil[T](r.Before); err != nil {
		return nil, nil, err
	}
	after, err = decodeOrNil[T](r.After)
	return before, after, err
}

// lists returns what a revision recorded of a subject that is a list.
func lists[T any](r memory.Revision) (before, after []T, err error) {
	if err := json.Unmarshal([]byte(r.Before), &before); err != nil {
		return nil, nil, err
	}
	return before, after, json.Unmarshal([]byte(r.After), &after)
}

// revise stores a revision and fills in its id and time.
func (t *tx) revise(r memory.Revision) (memory.Revision, error) {
	if r.Cause.Actor == "" {
		r.Cause.Actor = memory.ActorSystem
	}
	r.Cause.Reason = memory.CleanText(r.Cause.Reason)
	r.ID, r.CreatedAt = t.s.ids.New("revision"), t.now
	c := r.Cause
	t.made = r
	return r, t.run("revision_insert", r.ID, string(r.Subject), r.SubjectID, r.Label, string(c.Actor), c.Reason, c.AgentID,
		c.ConversationID, c.MessageID, c.Start, c.End, c.ToolCallID, r.Undoes, millis(r.CreatedAt), r.Before, r.After, t.act)
}

// emitRevised records the event of a change to memory; agents are those whose memory it is.
func (t *tx) emitRevised(typ string, agents []string, rev memory.Revision, data map[string]any) error {
	agent := rev.Cause.AgentID
	if agent == "" && len(agents) > 0 {
		agent = agents[0]
	}
	return t.emit(typ, agent, rev.Cause.ConversationID, revised(rev, data))
}

// revised adds to the data of an event what the revision knows of the change.
func revised(rev memory.Revision, data map[string]any) map[string]any {
	data["revision_id"], data["actor"] = rev.ID, rev.Cause.Actor
	if rev.Cause.MessageID != "" {
		data["message_id"] = rev.Cause.MessageID
	}
	if rev.Before == "" {
		data["created"] = true
	}
	if rev.After == "" {
		data["deleted"] = true
	}
	if rev.Undoes != "" {
		data["undoes"] = rev.Undoes
	}
	return data
}

func scanRevision(r scanner) (v memory.Revision, err error) {
	var created int64
	c := &v.Cause
	err = r.Scan(&v.ID, &v.Subject, &v.SubjectID, &v.Label, &c.Actor, &c.Reason, &c.AgentID, &c.ConversationID, &c.MessageID,
		&c.Start, &c.End, &c.ToolCallID, &v.Undoes, &created, &v.Before, &v.After, &v.UndoneBy)
	v.CreatedAt = moment(created)
	return v, err
}

// filter builds the conditions of a query.
type filter struct {
	conditions []string
	args       []any
}

// when adds a condition with its arguments, if it is to hold.
func (f *filter) when(apply bool, condition string, args ...any) {
	if apply {
		f.conditions = append(f.conditions, condition)
		f.args = append(f.args, args...)
	}
}

// where returns the conditions as a WHERE clause, "" where there are none.
func (f *filter) where() string {
	if len(f.conditions) == 0 {
		return ""
	}
	return " WHERE " + strings.Join(f.conditions, " AND ")
}
