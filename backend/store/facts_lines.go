package store

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"recollect/backend/memory"
)

// Core memory and facts tell of the same things. A line that a newer fact makes untrue is renewed, in the act that brought the
// fact; a line or a passage that was written on a wish goes together with the fact that the wish states: whoever deletes, edits
// or takes back the one, means the other.

// Lines reads what lines of core memory say of the user.
type Lines interface {
	// Read returns what a line states that was written at a time.
	Read(line string, at time.Time) []memory.FactStatement
	// Contradict reports whether two statements cannot both be true.
	Contradict(a, b memory.FactStatement) bool
	// Renew returns a line, written at a time, as it is to be where a statement is true that contradicts it. words are those that
	// state it, "" where nobody said it.
	Renew(line string, at time.Time, st memory.FactStatement, words string) string
}

// unread is for a store that nobody gave rules for lines.
type unread struct{}

func (unread) Read(string, time.Time) []memory.FactStatement { return nil }

func (unread) Contradict(memory.FactStatement, memory.FactStatement) bool { return false }

func (unread) Renew(line string, _ time.Time, _ memory.FactStatement, _ string) string { return line }

// readOnce keeps what lines were read to say: core memory is read for each fact that is stated beside it, and seldom changes.
type readOnce struct {
	Lines
	mu   sync.Mutex
	kept map[lineAt][]memory.FactStatement
}

type lineAt struct {
	line string
	at   time.Time
}

// mostLines is how many readings are kept: those of a full core memory, several times over.
const mostLines = 4096

func readingOnce(l Lines) *readOnce {
	return &readOnce{Lines: l, kept: map[lineAt][]memory.FactStatement{}}
}

func (r *readOnce) Read(line string, at time.Time) []memory.FactStatement {
	key := lineAt{line, at}
	r.mu.Lock()
	said, known := r.kept[key]
	r.mu.Unlock()
	if known {
		return said
	}
	said = r.Lines.Read(line, at)
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.kept) >= mostLines {
		clear(r.kept)
	}
	r.kept[key] = said
	return said
}

const personaLabel = "persona" // the block about the agent itself

// contradicted reports whether a line says otherwise than a statement.
func (t *tx) contradicted(line string, at time.Time, st memory.FactStatement) bool {
	return slices.ContainsFunc(t.s.lines.Read(line, at), func(o memory.FactStatement) bool { return t.s.lines.Contradict(st, o) })
}

// statementOf returns a fact as if it were said now.
func statementOf(f *memory.Fact) memory.FactStatement {
	return memory.FactStatement{
		Subject: f.Subject, Key: f.Key, Value: f.Value, Many: f.Many, ValidFrom: f.ValidFrom, EndedAt: f.EndedAt, SaidAt: f.UpdatedAt,
		Over: overBefore(f) || !f.EndedAt.IsZero() && !f.EndedAt.After(f.UpdatedAt),
	}
}

// renewLines renews the lines of an agent's core memory that say otherwise than a statement which is true now, or will be. Blocks
// that are pinned or read-only are asked about instead, and what was written there after the statement is newer. A line that has
// no room to be renewed stays: what somebody said was asked about.
func (t *tx) renewLines(op, agentID string, st memory.FactStatement, cause memory.Cause) error {
	err := t.renewAllLines(op, agentID, st, cause)
	if stays(err) {
		return nil
	}
	return err
}

// renewAllLines does the same, and fails in the end where a block has no room for what takes the place of its lines.
func (t *tx) renewAllLines(op, agentID string, st memory.FactStatement, cause memory.Cause) error {
	var full error
	blocks, err := t.followingBlocks(agentID)
	if err != nil {
		return err
	}
	words := t.wordsOf(op, st)
	for _, b := range blocks {
		line, text, err := t.renewed(&b, st, words)
		if err != nil {
			return err
		}
		if text == b.Value {
			continue
		}
		after, err := memory.BlockChange{Value: &text}.Apply(b, cause.Actor)
		if stays(err) {
			full = cmp.Or(full, error(memory.Errorf(memory.ELIMIT, op, "%q in the block %q would be untrue, and there is no room for what takes its place; make room there or change that line, then try again", line, b.Label)))
			continue
		}
		if err != nil {
			return err
		}
		if _, err := t.putBlock(op, &b, &after, cause, ""); err != nil {
			return err
		}
	}
	return full
}

// noRoom returns the line that a statement makes untrue and that cannot be renewed, since its block would exceed its limit; nil
// where there is none.
func (t *tx) noRoom(op, agentID string, st memory.FactStatement, cause memory.Cause) (*memory.BlockLine, error) {
	blocks, err := t.followingBlocks(agentID)
	if err != nil {
		return nil, err
	}
	words := t.wordsOf(op, st)
	for _, b := range blocks {
		lines := strings.Count(b.Value, "\n") + 1
		if utf8.RuneCountInString(b.Value)+lines*(len(words)+len(st.Value)+markAtMost) <= b.Limit {
			continue // whatever takes the place of all lines has room: nothing need be read
		}
		line, text, err := t.renewed(&b, st, words)
		if err != nil {
			return nil, err
		}
		if _, err := (memory.BlockChange{Value: &text}).Apply(b, cause.Actor); memory.CodeOf(err) == memory.ELIMIT {
			return &memory.BlockLine{BlockID: b.ID, Label: b.Label, Line: line, Full: true}, nil
		}
	}
	return nil, nil
}

// markAtMost is how many characters a mark on a line has at most, beside the value in it.
const markAtMost = 40

// followingBlocks returns the blocks of an agent whose lines follow the facts.
func (t *tx) followingBlocks(agentID string) ([]memory.Block, error) {
	stored, err := all(t.ctx, t, scanBlock, "block_list_of_agent", agentID)
	var blocks []memory.Block
	for _, b := range stored {
		if !b.Pinned && !b.ReadOnly && !memory.SameLabel(b.Label, personaLabel) && b.Value != "" {
			blocks = append(blocks, b.Block)
		}
	}
	return blocks, err
}

// renewed returns what a block is to hold where a statement is true, and the first line that it makes untrue; words are those
// that make the statement.
func (t *tx) renewed(b *memory.Block, st memory.FactStatement, words string) (first, text string, err error) {
	then, err := t.valueAt(b, st.SaidAt)
	if err != nil {
		return "", "", err
	}
	lines := strings.Split(b.Value, "\n")
	says := func(l string) bool {
		return slices.ContainsFunc(t.s.lines.Read(l, b.UpdatedAt), func(o memory.FactStatement) bool { return sameStatement(o, st) })
	}
	var value []string
	for _, line := range lines {
		if !slices.Contains(then, line) || !t.contradicted(line, b.UpdatedAt, st) {
			value = append(value, line)
			continue
		}
		first = cmp.Or(first, line)
		renewed := t.s.lines.Renew(line, b.UpdatedAt, st, words)
		repeats := renewed != line && len(t.s.lines.Read(renewed, b.UpdatedAt)) == 1 && says(renewed)
		if !repeats || !slices.ContainsFunc(lines, says) { // another line says it already
			value = append(value, renewed)
		}
	}
	return first, strings.Join(value, "\n"), nil
}

// valueAt returns the lines that a block had at a time.
func (t *tx) valueAt(b *memory.Block, at time.Time) ([]string, error) {
	before, err := all(t.ctx, t, value[string], "block_before", b.ID, millis(at))
	if err != nil || len(before) == 0 {
		return strings.Split(b.Value, "\n"), err
	}
	then, err := decodeOrNil[memory.Block](before[0])
	if err != nil || then == nil {
		return nil, err
	}
	return strings.Split(then.Value, "\n"), nil
}

// wordsOf returns the user's words that make a statement, "" where nobody said it.
func (t *tx) wordsOf(op string, st memory.FactStatement) string {
	if st.Origin == "" {
		return ""
	}
	m, err := t.message(op, st.Origin)
	r := []rune(m.Content)
	if err != nil || st.Start < 0 || st.Start >= st.End || st.End > len(r) {
		return ""
	}
	return strings.Join(strings.Fields(string(r[st.Start:st.End])), " ")
}

func sameStatement(a, b memory.FactStatement) bool {
	return a.Over == b.Over && folded(a.Key) == folded(b.Key) && sameValue(a.Value, b.Value) &&
		memory.SameSubject(a.Subject) == memory.SameSubject(b.Subject)
}

// written reports whether what a message says stands in the agent's core memory, other than as a line that the app renewed because
// of it, or in a passage that was written from it: then it is remembered, whatever becomes of the message.
func (t *tx) written(agentID string, v seen) (bool, error) {
	f, err := one(t.ctx, t, scanFact, "fact_get", v.fact)
	if err != nil {
		return false, err
	}
	st := statementOf(&f)
	st.Over = !v.ended.IsZero() && !v.ended.After(v.said)
	states := func(text string, at time.Time) bool {
		return slices.ContainsFunc(t.s.lines.Read(text, at), func(o memory.FactStatement) bool { return sameStatement(o, st) })
	}
	blocks, err := all(t.ctx, t, scanBlock, "block_list_of_agent", agentID)
	if err != nil {
		return false, err
	}
	var renewed map[string]bool
	for _, b := range blocks {
		if memory.SameLabel(b.Label, personaLabel) {
			continue
		}
		for line := range strings.SplitSeq(b.Value, "\n") {
			if !states(line, b.UpdatedAt) {
				continue
			}
			if renewed == nil {
				if renewed, err = t.linesOf(v.message); err != nil {
					return false, err
				}
			}
			if !renewed[line] {
				return true, nil
			}
		}
	}
	type passage struct {
		text string
		at   time.Time
	}
	passages, err := all(t.ctx, t, func(r scanner) (p passage, err error) {
		var at int64
		err = r.Scan(&p.text, &at)
		p.at = moment(at)
		return p, err
	}, "passages_written", v.message)
	return slices.ContainsFunc(passages, func(p passage) bool { return states(p.text, p.at) }), err
}

// linesOf returns the lines as which the app renewed others because of a message.
func (t *tx) linesOf(messageID string) (map[string]bool, error) {
	lines := map[string]bool{}
	renewed, err := all(t.ctx, t, value[string], "lines_renewed", messageID)
	for _, id := range renewed {
		r, err := one(t.ctx, t, scanRevision, "revision_get", id)
		if err != nil {
			return nil, err
		}
		before, after, err := states[memory.Block](r)
		if err != nil {
			return nil, err
		}
		if before == nil || after == nil {
			continue
		}
		was := strings.Split(before.Value, "\n")
		for line := range strings.SplitSeq(after.Value, "\n") {
			if !slices.Contains(was, line) {
				lines[line] = true
			}
		}
	}
	return lines, err
}

// resight looks anew at the conversations that are not to be seen whose messages say what texts state, which came into memory, or
// left it.
func (t *tx) resight(agents, texts []string, at time.Time) error {
	for _, text := range texts {
		for _, st := range t.s.lines.Read(text, at) {
			for _, agent := range agents {
				for _, many := range []bool{st.Many, !st.Many} {
					st.Many = many
					apart, err := all(t.ctx, t, value[string], "mentions_apart", agent, factSlot(factOf(st)))
					if err != nil {
						return err
					}
					for _, id := range apart {
						if err := t.sight(id); err != nil {
							return err
						}
					}
				}
			}
		}
	}
	return nil
}

// linesCame has the facts follow that lines state which came into a block: what a message says that is not to be seen is true again.
func (t *tx) linesCame(agents []string, before, after *memory.Block) error {
	if after == nil {
		return nil
	}
	come := strings.Split(after.Value, "\n")
	if before != nil {
		was := strings.Split(before.Value, "\n")
		come = slices.DeleteFunc(come, func(l string) bool { return slices.Contains(was, l) })
	}
	return t.resight(agents, come, after.UpdatedAt)
}

// linesGone has the facts follow that the lines stated which the user took out of a block, or wrote otherwise.
func (t *tx) linesGone(op string, before, after *memory.Block, rev memory.Revision) error {
	if before == nil || rev.Cause.Actor != memory.ActorUser {
		return nil
	}
	was, is := strings.Split(before.Value, "\n"), []string(nil)
	if after != nil {
		is = strings.Split(after.Value, "\n")
	}
	agents, err := all(t.ctx, t, value[string], "block_agents", before.ID)
	if err != nil {
		return err
	}
	return t.textsGone(op, agents, before.ID, before.UpdatedAt, was, is, rev)
}

// passageGone does the same for a passage.
func (t *tx) passageGone(op string, before, after *memory.Passage, rev memory.Revision) error {
	if before == nil || rev.Cause.Actor != memory.ActorUser {
		return nil
	}
	var is []string
	if after != nil {
		is = []string{after.Text}
	}
	agents, err := all(t.ctx, t, value[string], "archive_agents", before.ArchiveID)
	if err != nil {
		return err
	}
	return t.textsGone(op, agents, before.ID, before.UpdatedAt, []string{before.Text}, is, rev)
}

func (t *tx) textsGone(op string, agents []string, id string, at time.Time, was, is []string, rev memory.Revision) error {
	read := func(texts, but []string) (list []memory.FactStatement) {
		for _, text := range texts {
			if !slices.Contains(but, text) {
				list = append(list, t.s.lines.Read(text, at)...)
			}
		}
		return list
	}
	gone := read(was, is)
	if len(gone) == 0 {
		return nil
	}
	stands := read(is, nil)
	for _, agent := range agents {
		for _, st := range gone {
			if st.Over || slices.ContainsFunc(stands, func(o memory.FactStatement) bool { return sameStatement(o, st) }) {
				continue
			}
			if err := t.followText(op, agent, id, st, stands, rev.Cause); err != nil && !stays(err) {
				return err
			}
		}
	}
	return t.resight(agents, slices.DeleteFunc(was, func(text string) bool { return slices.Contains(is, text) }), at)
}

// followText takes back the fact that a text stated on a wish, or changes it to what stands in its place.
func (t *tx) followText(op, agent, id string, st memory.FactStatement, stands []memory.FactStatement, cause memory.Cause) error {
	f, err := t.factSaid(agent, st)
	if err != nil || f == nil {
		return err
	}
	if only, err := one(t.ctx, t, value[bool], "fact_only_wished", f.ID, id); err != nil || !only {
		return err
	}
	cause.AgentID = agent
	instead := slices.IndexFunc(stands, func(o memory.FactStatement) bool {
		return !o.Over && folded(o.Key) == folded(st.Key) && memory.SameSubject(o.Subject) == memory.SameSubject(st.Subject)
	})
	if instead >= 0 {
		after := *f
		after.Value = stands[instead].Value
		_, err := t.putFact(f, &after, cause, "")
		return err
	}
	return t.takeBackFact(op, f, cause)
}

// factSaid returns the fact that is true, or to come, and says what a statement says.
func (t *tx) factSaid(agent string, st memory.FactStatement) (*memory.Fact, error) {
	for _, many := range []bool{st.Many, !st.Many} { // it may stand beside another of its kind
		st.Many = many
		chain, err := t.chain(agent, factSlot(factOf(st)))
		if err != nil {
			return nil, err
		}
		for _, f := range slices.Backward(chain) {
			if (f.Current(t.now) || f.Coming(t.now)) && folded(f.Key) == folded(st.Key) && sameValue(f.Value, st.Value) {
				return &f, nil
			}
		}
	}
	return nil, nil
}

// takeBackFact undoes the revision that made a fact, so that it is known to be undone, or deletes it where it was changed since.
func (t *tx) takeBackFact(op string, f *memory.Fact, cause memory.Cause) error {
	made, err := all(t.ctx, t, value[string], "revision_maker", f.ID)
	if err != nil {
		return err
	}
	if len(made) > 0 {
		if _, err := t.undo(op, made[0], cause); err == nil || !stays(err) {
			return err
		}
	}
	_, err = t.putFact(f, nil, cause, "")
	return err
}

// unwish takes away what stands in core memory and in the archive on the wish that stated a fact, which is gone.
func (t *tx) unwish(op string, f *memory.Fact, cause memory.Cause) error {
	if cause.Actor != memory.ActorUser {
		return nil
	}
	st := statementOf(f)
	states := func(text string, at time.Time) bool {
		return slices.ContainsFunc(t.s.lines.Read(text, at), func(o memory.FactStatement) bool { return sameStatement(o, st) })
	}
	wished, err := all(t.ctx, t, value[string], "revisions_wished", f.ID, string(memory.SubjectBlock))
	if err != nil {
		return err
	}
	for _, id := range wished {
		r, err := one(t.ctx, t, scanRevision, "revision_get", id)
		if err != nil {
			return err
		}
		b, err := t.liveBlock(op, r.SubjectID)
		if err != nil || b.Writable(op, cause.Actor) != nil {
			continue
		}
		lines := strings.Split(b.Value, "\n")
		kept := slices.DeleteFunc(slices.Clone(lines), func(l string) bool { return states(l, b.UpdatedAt) })
		if len(kept) == len(lines) {
			continue
		}
		if r.UndoneBy == "" {
			if _, err := t.undo(op, r.ID, cause); err == nil || !stays(err) {
				if err != nil {
					return err
				}
				continue
			}
		}
		text := strings.Join(kept, "\n")
		after, err := memory.BlockChange{Value: &text}.Apply(b, cause.Actor)
		if err != nil {
			return err
		}
		if _, err := t.putBlock(op, &b, &after, cause, ""); err != nil {
			return err
		}
	}
	passages, err := all(t.ctx, t, value[string], "revisions_wished", f.ID, string(memory.SubjectPassage))
	if err != nil {
		return err
	}
	for _, id := range passages {
		if _, err := t.undo(op, id, cause); err != nil && !stays(err) {
			return err
		}
	}
	return nil
}

// seeLines puts the lines that a message had renewed back as they were, since it is not to be seen any more, or renews them again;
// those that what is kept of it made untrue stay.
func (t *tx) seeLines(messageID string, visible bool, kept []seen) error {
	const op = "renew lines"
	renewed, err := all(t.ctx, t, value[string], "lines_renewed", messageID)
	if err != nil {
		return err
	}
	for _, id := range renewed {
		r, err := one(t.ctx, t, scanRevision, "revision_get", id)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(kept, func(k seen) bool { return k.message == messageID && k.start <= r.Cause.Start && r.Cause.End <= k.end }) {
			continue
		}
		stands := true
		for r.UndoneBy != "" { // to the last that was done about it
			if r, err = one(t.ctx, t, scanRevision, "revision_get", r.UndoneBy); err != nil {
				return err
			}
			stands = !stands
		}
		if stands == visible || !stands && r.Cause.Actor != memory.ActorSystem { // it is so already, or the user took it back
			continue
		}
		cause := memory.Cause{Actor: memory.ActorSystem, Reason: r.Cause.Reason, AgentID: r.Cause.AgentID}
		if err := t.undoPart(op, r.ID, cause); err != nil {
			return err
		}
	}
	return nil
}
