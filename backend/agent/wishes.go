package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/backend/fact"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/wish"
)

// wishes is what came of the wishes in a user message.
type wishes struct {
	stored       []string // what is stored now on the user's wish, in their own words
	notes        []string // what the model is told
	confirmation string   // what the answer begins with, for a model without tools
	alone        bool     // the message asks for nothing else
}

const (
	coversEnough = .8 // share of the words of a wish to forget that an entry has to contain
	maxForgotten = 5  // entries that one wish removes at most; more is a misunderstanding
)

// grant fulfils the wishes of the user message. They are the user's own changes, made by rule. It never fails the turn:
// what cannot be done is said.
func (t *turn) grant() {
	user := t.job.user
	found := wish.Find(user.Content)
	if len(found) == 0 {
		return
	}
	ctx, cancel := t.storing()
	defer cancel()
	before, _, err := t.s.Store.Revisions(ctx, store.RevisionFilter{MessageID: user.ID, Limit: 100})
	if err != nil {
		t.note("wishes", err)
		return
	}
	before = slices.DeleteFunc(before, func(r memory.Revision) bool { return r.Cause.Reason == factReason })
	done := map[string]bool{} // when it is answered again, what was done, and perhaps undone, is not done again
	for _, r := range before {
		if r.UndoneBy == "" && r.Undoes == "" {
			done[r.Cause.Reason] = true
		}
	}
	var lines []string
	for i, w := range found {
		reason := fmt.Sprintf("%s, as asked (%d)", w.Kind, i+1)
		say := wordsOf(w.Language)
		var line string
		switch {
		case len(before) > 0 && !done[reason]:
			continue // undone, or it had nothing to do
		case len(before) > 0 && w.Kind == wish.Remember:
			line = say.remembered(w.Text)
			t.wishes.stored = append(t.wishes.stored, w.Text)
		case len(before) > 0:
			line = say.forgotten(w.Text)
		case w.Kind == wish.Remember:
			line = t.remember(ctx, w, t.cause(w, reason))
		default:
			line = t.forget(ctx, w, t.cause(w, reason))
		}
		lines = append(lines, line)
	}
	if len(lines) > 0 {
		t.wishes.confirmation = strings.Join(lines, "\n")
		t.wishes.alone = wish.Alone(user.Content, found)
		t.wishes.notes = append(t.wishes.notes, wordsOf(found[0].Language).note(lines))
	}
}

// tidyUp has core memory tidied where the user message asks for that. It happens in the background, after the answer.
func (t *turn) tidyUp() {
	w, ok := wish.Tidies(t.job.user.Content)
	if !ok || !t.job.note { // when it is answered again, it was done
		return
	}
	ctx, cancel := t.storing()
	defer cancel()
	line, err := t.s.tidy(ctx, t.agent, w.Language, w.Block, t.job.user.ConversationID, memory.TriggerWords)
	if err != nil {
		t.note("tidy", err)
		line = wordsOf(w.Language).untidied(memory.ProblemOf(err).Message)
	}
	if t.wishes.confirmation == "" {
		t.wishes.alone = w.Alone
	} else {
		t.wishes.confirmation += "\n"
	}
	t.wishes.confirmation += line
	t.wishes.notes = append(t.wishes.notes, wordsOf(w.Language).note([]string{line}))
}

func (p phrases) untidied(why string) string {
	return p.pick("My memory is not tidied: %s", "记忆没有整理：%s", why)
}

func (t *turn) cause(w wish.Wish, reason string) memory.Cause {
	return memory.Cause{
		Actor: memory.ActorUser, Reason: reason, AgentID: t.agent.ID, ConversationID: t.job.user.ConversationID,
		MessageID: t.job.user.ID, Start: w.Start, End: w.End,
	}
}

// remember stores a wish as a line of the block human, or as a passage when that is full or missing, and returns what to say.
func (t *turn) remember(ctx context.Context, w wish.Wish, cause memory.Cause) string {
	say, st := wordsOf(w.Language), t.s.Store
	archived := say.archived // says why it is not in the block
	for range 2 {            // once more when the block changes meanwhile
		blocks, err := st.Blocks(ctx, t.agent.ID)
		if err != nil {
			return t.refused(say, w, err)
		}
		b, ok := human(blocks)
		if !ok {
			archived = say.blockless
			break
		}
		if b.ReadOnly {
			archived = say.locked
			break
		}
		for line := range strings.Lines(b.Value) {
			if sameText(line, w.Text) {
				t.wishes.stored = append(t.wishes.stored, w.Text)
				return say.known(w.Text)
			}
		}
		value := strings.TrimRight(b.Value, "\n")
		if value != "" {
			value += "\n"
		}
		value += w.Text
		_, _, err = st.UpdateBlock(ctx, b.ID, memory.BlockChange{Value: &value, IfVersion: b.Version}, cause)
		switch memory.CodeOf(err) {
		case "":
			t.wishes.stored = append(t.wishes.stored, w.Text)
			return say.remembered(w.Text)
		case memory.ECONFLICT:
			continue
		case memory.ELIMIT:
		default:
			return t.refused(say, w, err)
		}
		break
	}
	_, revision, err := st.CreatePassage(ctx, memory.Passage{ArchiveID: t.agent.ArchiveID, Text: w.Text, Origin: t.job.user.ID}, cause)
	if err != nil {
		return t.refused(say, w, err)
	}
	t.wishes.stored = append(t.wishes.stored, w.Text)
	if revision.ID == "" {
		return say.known(w.Text)
	}
	return archived(w.Text)
}

// forget removes the lines and passages that say what is to be forgotten, and returns what to say. Every removal can be
// undone.
func (t *turn) forget(ctx context.Context, w wish.Wish, cause memory.Cause) string {
	say, st := wordsOf(w.Language), t.s.Store
	blocks, err := st.Blocks(ctx, t.agent.ID)
	if err != nil {
		return t.refused(say, w, err)
	}
	type change struct {
		block memory.Block
		value string
	}
	var changes []change
	var gone []string
	for _, b := range blocks {
		if b.ReadOnly || memory.SameLabel(b.Label, personaLabel) {
			continue
		}
		var kept []string
		for _, line := range strings.Split(b.Value, "\n") {
			rest, cut := without(line, w.Text)
			gone = append(gone, cut...)
			if len(cut) == 0 || strings.TrimSpace(rest) != "" {
				kept = append(kept, rest)
			}
		}
		if value := strings.Join(kept, "\n"); value != b.Value {
			changes = append(changes, change{b, value})
		}
	}
	passages, _, err := t.s.Recall.SearchPassages(ctx, t.agent.ArchiveID, w.Text, nil, "any", time.Time{}, time.Time{}, 2*maxForgotten, "")
	t.note("search the archive", err)
	var drop []string
	for _, p := range passages {
		if wish.Covers(p.Text, w.Text) >= coversEnough {
			drop = append(drop, p.ID)
			gone = append(gone, shorten(p.Text, 80))
		}
	}
	facts, err := t.factsThatSay(ctx, w)
	t.note("search the facts", err)
	for _, f := range facts {
		if !slices.ContainsFunc(gone, func(text string) bool { return strings.Contains(text, f.Value) }) { // else it is said already
			gone = append(gone, fact.Line(f))
		}
	}
	switch {
	case len(gone) == 0:
		return say.nothing(w.Text)
	case len(gone) > maxForgotten:
		return say.tooMany(w.Text, len(gone))
	}
	for _, c := range changes {
		if _, _, err := st.UpdateBlock(ctx, c.block.ID, memory.BlockChange{Value: &c.value, IfVersion: c.block.Version}, cause); err != nil {
			return t.refused(say, w, err)
		}
	}
	for _, id := range drop {
		if _, err := st.DeletePassage(ctx, id, cause); err != nil && memory.CodeOf(err) != memory.ENOTFOUND {
			return t.refused(say, w, err)
		}
	}
	for _, f := range facts {
		if _, err := st.DeleteFact(ctx, f.ID, cause); err != nil && memory.CodeOf(err) != memory.ENOTFOUND {
			return t.refused(say, w, err)
		}
	}
	return say.forgotten(strings.Join(gone, "” “"))
}

// factsThatSay returns the facts that say what is to be forgotten: in the words in which the user said them, or as the rules
// read the wish.
func (t *turn) factsThatSay(ctx context.Context, w wish.Wish) ([]memory.Fact, error) {
	known, _, err := t.s.Store.Facts(ctx, store.FactFilter{AgentID: t.agent.ID})
	if err != nil {
		return nil, err
	}
	wanted := fact.Read(fact.Message{Text: w.Text, At: t.s.Clock()})
	return slices.DeleteFunc(known, func(f memory.Fact) bool {
		if wish.Covers(fact.Line(f), w.Text) >= coversEnough || wish.Covers(t.sentenceOf(ctx, f), w.Text) >= coversEnough {
			return false
		}
		return !slices.ContainsFunc(wanted, func(st memory.FactStatement) bool {
			return strings.EqualFold(st.Subject, f.Subject) && strings.EqualFold(st.Key, f.Key) && sameText(st.Value, f.Value)
		})
	}), nil
}

// sentenceOf returns what the user said a fact in, "" where that is not known.
func (t *turn) sentenceOf(ctx context.Context, f memory.Fact) string {
	if f.Origin == "" {
		return ""
	}
	m, err := t.s.Store.Message(ctx, f.Origin)
	said := []rune(m.Content)
	if err != nil || f.Start < 0 || f.End > len(said) || f.Start > f.End {
		return ""
	}
	return string(said[f.Start:f.End])
}

// without returns a line without the sentences that say text, and those; all of it where only several together say it.
func without(line, text string) (rest string, gone []string) {
	if wish.Covers(line, text) < coversEnough {
		return line, nil
	}
	for _, s := range wish.Sentences(line) {
		if wish.Covers(s, text) >= coversEnough {
			gone = append(gone, strings.TrimSpace(s))
		} else {
			rest += s
		}
	}
	if len(gone) == 0 {
		return "", []string{strings.TrimSpace(line)}
	}
	return strings.TrimRight(rest, " "), gone
}

func (t *turn) refused(say phrases, w wish.Wish, err error) string {
	t.note("wish", err)
	return say.refused(w.Text, memory.ProblemOf(err).Message)
}

// human returns the block that holds what is known about the person.
func human(blocks []memory.Block) (memory.Block, bool) {
	for _, b := range blocks {
		if memory.SameLabel(b.Label, HumanLabel) {
			return b, true
		}
	}
	return memory.Block{}, false
}

// sameText reports whether two lines say the same but for case, bullets and punctuation.
func sameText(a, b string) bool {
	bare := func(s string) string { return strings.ToLower(strings.Trim(s, " \t\r\n-*•.。!！")) }
	return bare(a) == bare(b)
}

// phrases are the texts about wishes, in the language of the wish.
type phrases struct{ language string }

func wordsOf(language string) phrases { return phrases{language} }

func (p phrases) pick(en, zh string, args ...any) string {
	if p.language == "zh" {
		return fmt.Sprintf(zh, args...)
	}
	return fmt.Sprintf(en, args...)
}

func (p phrases) remembered(s string) string {
	return p.pick("Remembered: “%s”.", "已记住：“%s”。", s)
}

func (p phrases) archived(s string) string {
	return p.pick("Remembered, in the archive since the block human is full: “%s”.", "已记住（记忆块 human 已满，存入归档）：“%s”。", s)
}

func (p phrases) blockless(s string) string {
	return p.pick("Remembered, in the archive since there is no block human: “%s”.", "已记住（没有记忆块 human，存入归档）：“%s”。", s)
}

func (p phrases) locked(s string) string {
	return p.pick("Remembered, in the archive since the block human is read-only: “%s”.", "已记住（记忆块 human 为只读，存入归档）：“%s”。", s)
}

func (p phrases) known(s string) string {
	return p.pick("Already in memory: “%s”.", "记忆里已经有了：“%s”。", s)
}

func (p phrases) forgotten(s string) string {
	return p.pick("Forgotten: “%s”.", "已忘掉：“%s”。", s)
}

func (p phrases) nothing(s string) string {
	return p.pick("Nothing in memory matches “%s”.", "记忆里没有与“%s”相符的内容。", s)
}

func (p phrases) tooMany(s string, n int) string {
	return p.pick("“%s” fits %d entries; nothing was removed. Say more exactly which.", "“%s”与 %d 条记忆相符，没有删除任何内容。请说得更具体些。", s, n)
}

func (p phrases) refused(s, why string) string {
	return p.pick("Not stored: “%s” (%s).", "未能完成：“%s”（%s）。", s, why)
}

func (p phrases) windowHalved(model string, wanted, used int) string {
	return p.pick("%s did not fit into memory with a window of %d tokens. %d are used now. Choose another window or a smaller model in the settings.",
		"%s 使用 %d token 的窗口时内存不足，现在改用 %d token。可在设置里另选窗口大小，或换一个更小的模型。", model, wanted, used)
}

func (p phrases) windowServed(model string, wanted, served int) string {
	return p.pick("The engine serves %s with a window of %[3]d tokens, though %[2]d were asked for. %[3]d are used now.",
		"引擎只为 %s 提供 %[3]d token 的窗口，而请求的是 %[2]d token。现在使用 %[3]d token。", model, wanted, served)
}

func (p phrases) note(lines []string) string {
	return p.pick("[Done by the app as the user asks below; confirm it in your answer, do not store it again: %s]",
		"[应用已按用户下面的要求完成，请在回答中确认，不要再存：%s]", strings.Join(lines, " "))
}
