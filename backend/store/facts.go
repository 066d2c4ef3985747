package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

// FactFilter selects facts of an agent: by subject and key in their order, of each the current ones first, then the newest.
// Facts that nothing says any more that is to be seen are not among them.
type FactFilter struct {
	AgentID string
	Subject string // "" = all
	Key     string // "" = all
	Origin  string // id of the message that they came from; "" = all
	Query   string // part of subject, key or value
	Current bool   // only what is true now, or is to come
	Cursor  string // of the page before
	Limit   int    // 0 = all
}

// FactGroup counts what is known of a subject under a key.
type FactGroup struct {
	Subject string `json:"subject"`
	Key     string `json:"key"`
	Count   int    `json:"count"`
	Current int    `json:"current"` // of these, how many are true now, or are to come
}

// CreateFact stores a fact that the user writes by hand. It takes its place in the chain as if it had been said now; with
// an end it is something that was true once, and replaces nothing. What is true already is returned as it is, with an empty
// revision.
func (s *Store) CreateFact(ctx context.Context, f memory.Fact, cause memory.Cause) (memory.Fact, memory.Revision, error) {
	const op = "create fact"
	var rev memory.Revision
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if f, err = memory.ValidateFact(f); err != nil {
			return err
		}
		f.SaidAt, f.Confidence = t.now, 1
		f.Many = f.Many || memory.ManyValues(f.Subject, f.Key)
		beside, err := t.beside(&f)
		if err != nil {
			return err
		}
		for _, o := range beside {
			if o.Current(t.now) && f.EndedAt.IsZero() && !f.Pinned && folded(o.Key) == folded(f.Key) && sameValue(o.Value, f.Value) {
				if err := t.own(o.ID, t.now); err != nil {
					return err
				}
				if err := t.refresh(o.ID); err != nil {
					return err
				}
				f, err = t.liveFact(op, o.ID)
				return err
			}
		}
		if f.ValidFrom.IsZero() && f.EndedAt.IsZero() {
			f.ValidFrom = t.now
		}
		if f, rev, err = t.insertFact(op, f, cause); err != nil {
			return err
		}
		t.then(rev, func() error { return t.renewAllLines(op, f.AgentID, statementOf(&f), cause) })
		return nil
	})
	return f, rev, err
}

// UpdateFact corrects the given parts of a fact, which is the user's own from then on: it stays, whatever becomes of the
// message that it came from. A change that changes nothing makes no revision. It fails with ELIMIT where a line of core memory that
// it makes untrue has no room to be renewed, and changes nothing then.
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
		if folded(after.Key) != folded(before.Key) || folded(after.Subject) != folded(before.Subject) {
			after.Many = memory.ManyValues(after.Subject, after.Key)
		}
		if after, err = memory.ValidateFact(after); err != nil {
			return err
		}
		if sameFact(&before, &after) {
			return nil
		}
		if err := t.own(id, before.Heard()); err != nil {
			return err
		}
		if rev, err = t.putFact(&before, &after, cause, ""); err != nil {
			return err
		}
		if after, err = t.liveFact(op, id); err != nil {
			return err
		}
		renew := t.renewAllLines
		if before.Pinned = after.Pinned; sameFact(&before, &after) {
			renew = t.renewLines
		}
		t.then(rev, func() error { return renew(op, after.AgentID, statementOf(&after), cause) })
		return nil
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
		if rev, err = t.putFact(&before, nil, cause, ""); err != nil {
			return err
		}
		t.then(rev, func() error { return t.unwish(op, &before, cause) })
		return nil
	})
	return rev, err
}

// Fact returns the fact with the given id, also a deleted one: revisions and questions may name it.
func (s *Store) Fact(ctx context.Context, id string) (memory.Fact, error) {
	f, err := one(ctx, s, scanFact, "fact_get", id)
	return f, missingOr("read fact", "fact", id, err)
}

// Facts returns the facts that the filter selects, and the cursor of the next page, "" at the end.
func (s *Store) Facts(ctx context.Context, f FactFilter) ([]memory.Fact, string, error) {
	const op = "list facts"
	if err := checkCursor(op, "fact", f.Cursor); err != nil {
		return nil, "", err
	}
	now := s.now()
	q := filter{conditions: []string{liveFacts}}
	q.when(f.AgentID != "", "f.agent_id = ?", f.AgentID)
	q.when(f.Subject != "", "f.subject = ? COLLATE NOCASE", f.Subject)
	q.when(f.Key != "", "f.key = ? COLLATE NOCASE", f.Key)
	q.when(f.Origin != "", "EXISTS (SELECT 1 FROM fact_mention m WHERE m.fact_id = f.id AND m.message_id = ? AND m.void = 0)", f.Origin)
	q.when(f.Current, notOver, millis(now))
	if words := strings.TrimSpace(f.Query); words != "" {
		like := "%" + escapeLike(words) + "%"
		q.when(true, `(f.subject LIKE ? ESCAPE '\' OR f.key LIKE ? ESCAPE '\' OR f.value LIKE ? ESCAPE '\')`, like, like, like)
	}
	order := fmt.Sprintf("f.subject <> 'user', f.subject, f.key, f.valid_to BETWEEN 1 AND %[1]d, f.valid_from > %[1]d, -max(f.said_at, f.confirmed_at), f.id", millis(now))
	q.when(f.Cursor != "", "("+order+") > (SELECT "+order+" FROM fact f WHERE f.id = ?)", f.Cursor)
	limit := f.Limit
	if limit <= 0 {
		limit = -2 // with the one more, all
	}
	facts, err := all(ctx, s, scanFact, factSelect()+q.where()+" ORDER BY "+order+" LIMIT ?", append(q.args, limit+1)...)
	next := ""
	if limit > 0 && len(facts) > limit {
		facts = facts[:limit]
		next = facts[limit-1].ID
	}
	return facts, next, fault(op, err)
}

// FactsOf returns those of the facts with the given ids that there are, in their order.
func (s *Store) FactsOf(ctx context.Context, ids []string) ([]memory.Fact, error) {
	facts, err := all(ctx, s, scanFact, factSelect()+" WHERE f.id IN (SELECT value FROM json_each(?)) AND "+liveFacts, encode(ids))
	slices.SortFunc(facts, func(a, b memory.Fact) int { return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID)) })
	return facts, fault("read facts", err)
}

// knownFacts is what KnownFacts read last.
type knownFacts struct {
	agentID string
	changed string // how often facts had been written by then
	facts   []memory.Fact
}

// KnownFacts returns all facts of an agent without where they were said: little enough to look through them in each turn. They
// are read anew only after facts were written, and shared: nobody changes the list.
func (s *Store) KnownFacts(ctx context.Context, agentID string) ([]memory.Fact, error) {
	const op = "list what is known"
	// Asked before the facts are read, so that what is written in between is read the next time.
	changed, err := one(ctx, s, value[string], "meta_get", "facts_changed")
	if err != nil {
		return nil, fault(op, err)
	}
	if k := s.known.Load(); k != nil && k.agentID == agentID && k.changed == changed {
		return k.facts, nil
	}
	facts, err := all(ctx, s, func(r scanner) (f memory.Fact, err error) {
		var from, to, said, confirmed int64
		err = r.Scan(&f.ID, &f.Subject, &f.Key, &f.Value, &f.Many, &from, &to, &f.ReplacedBy, &said, &confirmed)
		f.ValidFrom, f.ValidTo, f.SaidAt, f.ConfirmedAt = moment(from), moment(to), moment(said), moment(confirmed)
		return f, err
	}, "facts_known", agentID)
	if err != nil {
		return nil, fault(op, err)
	}
	s.known.Store(&knownFacts{agentID, changed, facts})
	return facts, nil
}

// FactGroups counts the facts of an agent by subject and key.
func (s *Store) FactGroups(ctx context.Context, agentID string) ([]FactGroup, error) {
	groups, err := all(ctx, s, func(r scanner) (g FactGroup, err error) {
		return g, r.Scan(&g.Subject, &g.Key, &g.Count, &g.Current)
	}, "fact_groups", agentID, millis(s.now()))
	return groups, fault("count facts", err)
}

// FactHistory returns all facts about the same thing as the given one: what is to come, what is true now, then what was true last.
func (s *Store) FactHistory(ctx context.Context, id string) ([]memory.Fact, error) {
	facts, err := all(ctx, s, scanFact, factSelect()+` JOIN fact g ON g.agent_id = f.agent_id AND g.slot = f.slot
		WHERE g.id = ? AND `+liveFacts+` ORDER BY f.valid_to <> 0, f.valid_to DESC, max(f.said_at, f.confirmed_at) DESC, f.id DESC`, id)
	return facts, fault("read history of fact", err)
}

// ReplacedIn returns, for those of the messages and passages that state something that is no longer true, what took its
// place: by the id of the message or passage. A passage stands for the message that it came from.
func (s *Store) ReplacedIn(ctx context.Context, agentID string, ids []string) (map[string][]memory.Replacement, error) {
	const op = "find what was replaced"
	out := map[string][]memory.Replacement{}
	type hit struct{ of, fact string }
	moment := s.now()
	hits, err := all(ctx, s, func(r scanner) (h hit, err error) { return h, r.Scan(&h.of, &h.fact) }, "fact_replaced", agentID, encode(ids), millis(moment))
	if err != nil || len(hits) == 0 {
		return out, fault(op, err)
	}
	facts, err := all(ctx, s, scanFact, factSelect()+` WHERE `+liveFacts+` AND f.agent_id = ?1 AND f.slot IN (
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
			if !ok || next.Coming(moment) {
				break
			}
			now = next
		}
		r := memory.Replacement{Old: old}
		switch {
		case now.ID != old.ID && sameValue(now.Value, old.Value) && now.Key == old.Key && now.Current(moment):
			continue // it is true again
		case now.ID != old.ID && now.Current(moment): // else what followed is over, too
			r.New = now
		}
		out[h.of] = append(out[h.of], r)
	}
	return out, nil
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
	st := memory.FactStatement{Origin: f.Origin, SaidAt: f.SaidAt, Start: f.Start, End: f.End}
	if f.Origin != byHand && overBefore(&f) {
		st.Over, st.EndedAt = true, f.EndedAt
	}
	if err := t.mention(f.ID, st, cause.ConversationID); err != nil {
		return f, none, err
	}
	if err := t.refresh(f.ID); err != nil {
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
	row.Version, row.UpdatedAt, row.DeletedAt = stored.Version+1, t.now, time.Time{}
	if row.ValidFrom.Equal(row.SaidAt) { // what follows from the mentions is no part of a change
		row.ValidFrom = stored.SaidAt
	}
	row.SaidAt, row.ConfirmedAt = stored.SaidAt, stored.ConfirmedAt
	row.ValidFrom, row.EndedAt = whole(row.ValidFrom), whole(row.EndedAt)
	if !stored.EndedAt.IsZero() && row.EndedAt.IsZero() { // it is not over, whatever was said
		if err := t.run("mentions_void", row.ID); err != nil {
			return none, err
		}
	}
	slot := factSlot(row)
	if err := t.run("fact_update", row.ID, slot, row.Subject, row.Key, row.Value, row.Many, millis(row.ValidFrom), millis(row.EndedAt),
		row.Pinned, row.Version, millis(row.UpdatedAt), millis(deleted)); err != nil {
		return none, err
	}
	if err := t.relink(row.AgentID, old); err != nil {
		return none, err
	}
	if err := t.refresh(row.ID); err != nil {
		return none, err
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
	rev, err := t.putFact(current, before, cause, r.ID)
	if err != nil || before != nil {
		return rev, err
	}
	t.then(rev, func() error { return t.unwish(op, current, cause) })
	return rev, nil
}

// chain returns the facts of a slot in the order in which they were said last, or take effect where that is later.
func (t *tx) chain(agentID, slot string) ([]memory.Fact, error) {
	chain, err := all(t.ctx, t, scanFact, factSelect()+" WHERE f.agent_id = ? AND f.slot = ? AND "+liveFacts, agentID, slot)
	slices.SortFunc(chain, func(a, b memory.Fact) int {
		return cmp.Or(a.Effect().Compare(b.Effect()), a.Heard().Compare(b.Heard()), cmp.Compare(a.ID, b.ID))
	})
	return chain, err
}

// relink writes until when each fact of a slot is true and what replaces it: the one that was said next. One that begins
// later takes its place then, and what is said until then stands before it; where another plan was made before it began, it
// never does. What was over already when it was first said ("I used to …") replaces nothing; what followed it is the first
// that was said after its end, else the last of those that are not over.
func (t *tx) relink(agentID, slot string) error {
	chain, err := t.chain(agentID, slot)
	if err != nil {
		return err
	}
	line := slices.DeleteFunc(slices.Clone(chain), func(f memory.Fact) bool { return overBefore(&f) || replan(&f, chain) != nil })
	for _, f := range chain {
		next := replan(&f, chain)
		if next != nil {
			if !f.ValidTo.Equal(f.ValidFrom) || f.ReplacedBy != next.ID {
				if err := t.run("fact_link", f.ID, millis(f.ValidFrom), next.ID); err != nil {
					return err
				}
			}
			continue
		}
		past := overBefore(&f)
		for i := range line {
			if o := &line[i]; !past && o.ID == f.ID {
				if i+1 < len(line) {
					next = &line[i+1]
				}
				break
			} else if past {
				next = o
				if !o.Heard().Before(f.EndedAt) {
					break
				}
			}
		}
		to, by := f.EndedAt, ""
		if next != nil {
			by = next.ID
			if to.IsZero() || to.After(next.Effect()) && !past { // it was to last longer
				if to = next.ValidFrom; to.IsZero() || to.Before(f.ValidFrom) {
					to = next.Effect()
				}
			}
		}
		if !to.Equal(f.ValidTo) || by != f.ReplacedBy {
			if err := t.run("fact_link", f.ID, millis(to), by); err != nil {
				return err
			}
		}
	}
	return t.resettleFacts(agentID, slot)
}

// replan returns the newest plan that was made in the place of a fact before it began, nil where there is none.
func replan(f *memory.Fact, chain []memory.Fact) (plan *memory.Fact) {
	for i := range chain {
		o := &chain[i]
		if f.ValidFrom.After(f.SaidAt) && f.ValidFrom.After(o.SaidAt) && o.ValidFrom.After(o.SaidAt) && o.Heard().After(f.Heard()) && (plan == nil || o.Heard().After(plan.Heard())) {
			plan = o
		}
	}
	return plan
}

// overBefore reports whether a fact was over already when it was first said.
func overBefore(f *memory.Fact) bool { return !f.EndedAt.IsZero() && !f.EndedAt.After(f.SaidAt) }

func (t *tx) liveFact(op, id string) (memory.Fact, error) {
	f, err := one(t.ctx, t, scanFact, "fact_get", id)
	if err == nil && !f.DeletedAt.IsZero() {
		return f, memory.Errorf(memory.ENOTFOUND, op, "the fact was deleted")
	}
	return f, missingOr(op, "fact", id, err)
}

// factOf returns the fact that a statement makes.
func factOf(st memory.FactStatement) *memory.Fact {
	f := &memory.Fact{
		Subject: st.Subject, Key: st.Key, Value: st.Value, Many: st.Many, ValidFrom: st.ValidFrom, SaidAt: st.SaidAt, Origin: st.Origin,
		Start: st.Start, End: st.End, Confidence: st.Confidence,
	}
	f.EndedAt = st.EndedAt
	if st.Over {
		f.EndedAt = cmp.Or(st.EndedAt, st.SaidAt)
	}
	if f.ValidFrom.IsZero() && !overBefore(f) { // since when it was true is known only where it was said
		f.ValidFrom = st.SaidAt
	}
	return f
}

// factSlot names the chain that a fact belongs to, however its subject is called. Liking and disliking the same thing replace
// each other.
func factSlot(f *memory.Fact) string {
	key, many := folded(f.Key), f.Many
	if key == "likes" || key == "dislikes" {
		key = "taste"
	}
	slot := folded(memory.SameSubject(f.Subject)) + "\x1f" + key
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

// sameFact reports whether two states of a fact hold the same; nil is a deleted one. What follows from the chain and from
// when it was said is no part of it.
func sameFact(a, b *memory.Fact) bool {
	if a == nil || b == nil {
		return a == b
	}
	since := func(f *memory.Fact) time.Time {
		if f.ValidFrom.Equal(f.SaidAt) {
			return time.Time{}
		}
		return f.ValidFrom
	}
	return a.Subject == b.Subject && a.Key == b.Key && a.Value == b.Value && a.Many == b.Many && since(a).Equal(since(b)) &&
		a.EndedAt.Equal(b.EndedAt) && a.Pinned == b.Pinned
}

// whole returns t as it is stored.
func whole(t time.Time) time.Time { return moment(millis(t)) }

// FactItem returns a fact as a text to be recalled. Its date is that since which it is true, where that is known.
func FactItem(f memory.Fact) Item {
	return Item{
		Ref: Ref{Kind: KindFact, ID: f.ID}, Text: f.Text(), AgentID: f.AgentID, ConversationID: f.OriginConversation, Origin: f.Origin,
		Date: cmp.Or(f.ValidFrom, f.SaidAt),
	}
}

// liveFacts is the condition on facts that there are: not deleted, and said by something that is to be seen.
const liveFacts = "f.deleted_at = 0 AND f.hidden = 0"

// notOver is the condition on facts that are true at a time or are to come. One that was replaced before it began is neither.
const notOver = "(f.valid_to = 0 OR f.valid_to > max(f.valid_from, ?))"

// factSelect is the beginning of each statement that scanFact reads.
func factSelect() string {
	head, _, _ := strings.Cut(text("fact_get"), "FROM fact f WHERE")
	return head + "FROM fact f"
}

func scanFact(r scanner) (f memory.Fact, err error) {
	var from, to, ended, said, confirmed, deleted, created, updated int64
	err = r.Scan(&f.ID, &f.AgentID, &f.Subject, &f.Key, &f.Value, &f.Many, &from, &to, &f.ReplacedBy, &ended, &said, &confirmed, &f.Origin,
		&f.Start, &f.End, &f.Actor, &f.Confidence, &f.Pinned, &f.Version, &deleted, &created, &updated, &f.OriginConversation, &f.EndSaid)
	f.ValidFrom, f.ValidTo, f.EndedAt, f.SaidAt, f.ConfirmedAt = moment(from), moment(to), moment(ended), moment(said), moment(confirmed)
	f.DeletedAt, f.CreatedAt, f.UpdatedAt = moment(deleted), moment(created), moment(updated)
	return f, err
}
