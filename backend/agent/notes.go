package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"recollect/backend/agent/tools"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/window"
	"recollect/backend/wish"
)

// A model without tools keeps its memory by notes: when an answer is finished and the user's message told something of
// themselves (wish.Statements, a rule that costs nothing), the model is asked in the background to fill in a memory tool
// as a form. What is stored are the user's own words; the model decides only whether, where and which. So it can be wrong,
// but cannot make anything up: what it writes and the user did not say is refused.
//
// A note is a chore. It spares the chat's prompt cache: it uses the engine's second one, else it goes on where the chat ended, else it is not taken.

const (
	maxNotes       = 16 // that wait; older ones are dropped
	noteFailures   = 2  // useless results in a row after which a model takes no notes any more
	notedModels    = 64 // models whose record is kept
	choreNote      = "note"
	noteReason     = "note"
	noteChars      = 1500 // of the user's message that the model is shown
	learnedNotes   = "notes"
	settingNotes   = "notes"
	replaceOverlap = .3 // share of a line's words that its replacement has: it is about the same thing
)

// The tools that a note can be written with.
const (
	appendTool  = "core_memory_append"
	replaceTool = "core_memory_replace"
	archiveTool = "archival_memory_insert"
)

// note is something to be noted.
type note struct {
	user       memory.Message
	agent      memory.Agent
	set        setup
	chat       []engine.Message // the prompt of the answer, and the answer
	statements []wish.Statement
}

// noteRecord is the evidence on whether a model takes usable notes.
type noteRecord struct {
	Failures int  `json:"failures,omitempty"` // in a row
	Off      bool `json:"off,omitempty"`
}

// notable returns the note of a finished turn, nil when there is nothing to note or the model has tools of its own.
func (t *turn) notable() *note {
	if !t.job.note || t.set.profile.Tools || t.msg.Status != memory.StatusComplete || len(t.asked) == 0 || !t.s.takesNotes(t.set) {
		return nil
	}
	statements := wish.Statements(t.job.user.Content)
	if len(statements) == 0 {
		return nil
	}
	chat := slices.Concat(t.asked, []engine.Message{{Role: "assistant", Content: t.msg.Content}})
	return &note{user: t.job.user, agent: t.agent, set: t.set, chat: chat, statements: statements}
}

// takesNotes says whether notes are taken with a model.
func (s *Service) takesNotes(set setup) bool {
	return s.Settings.String(settingNotes) != "off" && !s.noteRecord(set.profile.Digest).Off
}

// noteRecord returns the record of a model.
func (s *Service) noteRecord(digest string) noteRecord {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.noteRecords()[digest]
}

// noteRecords returns the records of all models; s.mu is held.
func (s *Service) noteRecords() map[string]noteRecord {
	if s.notebook == nil {
		s.notebook = map[string]noteRecord{}
		raw, err := s.Store.Learned(s.ctx, learnedNotes)
		if err == nil && raw != nil {
			err = json.Unmarshal(raw, &s.notebook)
		}
		if err != nil {
			s.Log.Warn("notes: what is known about models", "error", err)
		}
	}
	return s.notebook
}

// TrustNotes says whether the model of a digest takes usable notes, as a test of it found.
func (s *Service) TrustNotes(digest string, usable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recordNotes(digest, noteRecord{Off: !usable})
}

// recordNotes changes the record of a model; s.mu is held.
func (s *Service) recordNotes(digest string, r noteRecord) {
	records := s.noteRecords()
	if digest == "" || records[digest] == r {
		return
	}
	for other := range records {
		if len(records) < notedModels {
			break
		}
		delete(records, other)
	}
	if records[digest] = r; r == (noteRecord{}) {
		delete(records, digest)
	}
	raw, err := json.Marshal(records)
	if err == nil {
		err = s.Store.SetLearned(s.ctx, learnedNotes, raw)
	}
	if err != nil {
		s.Log.Warn("notes: what is known about models", "error", err)
	}
}

// addNote puts a note on the list.
func (s *Service) addNote(n *note) {
	s.chore(&chore{name: choreNote, conversation: n.user.ConversationID, most: maxNotes, run: func(ctx context.Context) error { return s.takeNote(ctx, n) }})
}

// Noting says whether a note waits or is being taken.
func (s *Service) Noting() bool { return s.choring(choreNote) }

// takeNote asks the model what to note, and stores it. The error is no fault of the model.
func (s *Service) takeNote(ctx context.Context, n *note) error {
	if !s.takesNotes(n.set) {
		return nil
	}
	blocks, err := s.Store.Blocks(ctx, n.agent.ID)
	if err != nil {
		return err
	}
	req := engine.ChatRequest{
		Model: n.set.Model, NumCtx: n.set.Window, NumPredict: formTokens, Priority: engine.PriorityBackground, Conversation: n.user.ConversationID,
	}
	if !s.Engine.SideCache(n.set.Model) {
		if n.set.profile.AppendOnly { // to go back to where the chat ended would cost all that was read
			return nil
		}
		req.Messages, req.AfterChat = n.chat, true
	}
	f := form{language: n.set.Language, profile: n.set.profile, ids: s.IDs, chat: func(req engine.ChatRequest) (string, error) {
		res, err := s.beside(ctx, memory.CallNote, n.agent.ID, req, nil)
		return res.Message.Content, err
	}}
	known, core := human(blocks)
	about := f.pick("(nothing)", "（空）")
	if known.Value != "" {
		about = known.Value
	}
	menu := slices.DeleteFunc(tools.Offered(n.agent.ToolsOff), func(tool engine.Tool) bool {
		switch tool.Name {
		case archiveTool:
			return false
		case appendTool:
			return !core
		case replaceTool:
			return known.Value == ""
		}
		return true
	})
	if len(menu) == 0 {
		return nil // the user has switched them off
	}
	question := fmt.Sprintf(prompt("notes", n.set.Language), memory.AsData(shorten(n.user.Content, noteChars), memory.FrameMessage), memory.AsData(about, memory.FrameBlock))
	call, usable, err := f.fill(req, menu, question)
	if err != nil {
		return err
	}
	if call != nil {
		usable, err = s.writeNote(ctx, n, blocks, *call)
	}
	if err == nil && ctx.Err() == nil {
		s.judge(n, usable)
	}
	return err
}

// writeNote carries out a call of a note in the user's own words; usable is false when the call is of no use.
func (s *Service) writeNote(ctx context.Context, n *note, blocks []memory.Block, call memory.ToolCall) (usable bool, err error) {
	var args map[string]any
	if err := json.Unmarshal([]byte(call.Arguments), &args); err != nil {
		return false, nil //nolint:nilerr // it is the model's fault
	}
	text := func(name string) string { v, _ := args[name].(string); return v }
	said := text("content")
	if call.Name == replaceTool {
		said = text("new_content")
	}
	statement, ok := wish.SaidIn(n.statements, said)
	if !ok {
		return false, nil
	}
	own := map[string]any{"content": statement.Text}
	switch call.Name {
	case appendTool:
		own["label"] = labelFor(blocks, text("label"))
	case replaceTool:
		old := text("old_content")
		if wish.Covers(statement.Text, old) < replaceOverlap {
			return false, nil // it would take away something else
		}
		own = map[string]any{"label": labelFor(blocks, text("label")), "old_content": old, "new_content": statement.Text}
	}
	env := tools.Env{
		Memory: s.Store, Search: s.Recall, Agent: n.agent, Origin: n.user.ID, Now: s.Clock(), Update: window.Update,
		Cause: memory.Cause{
			Actor: memory.ActorModel, Reason: noteReason, AgentID: n.agent.ID, ConversationID: n.user.ConversationID,
			MessageID: n.user.ID, Start: statement.Start, End: statement.End,
		},
	}
	call.Arguments, _ = canonical(own)
	res, err := tools.Run(ctx, env, call)
	if res.Code == memory.ELIMIT || res.Code == memory.EREADONLY { // as with a wish, the archive takes what the block cannot
		call.Name = archiveTool
		call.Arguments, _ = canonical(map[string]any{"content": statement.Text})
		res, err = tools.Run(ctx, env, call)
	}
	if len(res.Revisions) > 0 {
		s.Recall.Wake()
	}
	return !res.Failed(), err
}

// labelFor returns the label of the block that a model means: never persona, human when there is no such block.
func labelFor(blocks []memory.Block, label string) string {
	for _, b := range blocks {
		if memory.SameLabel(b.Label, label) && !memory.SameLabel(b.Label, "persona") {
			return b.Label
		}
	}
	return HumanLabel
}

// judge notes how a model did. One that is of no use several times in a row is not asked again.
func (s *Service) judge(n *note, usable bool) {
	s.mu.Lock()
	r := s.noteRecords()[n.set.profile.Digest]
	if r.Failures++; usable {
		r.Failures = 0
	}
	off := !usable && r.Failures >= noteFailures
	r.Off = off
	s.recordNotes(n.set.profile.Digest, r)
	s.mu.Unlock()
	if off {
		s.publish("notice", map[string]any{"level": "info", "code": "notes_off", "text": phrases{n.set.Language}.notesOff(n.set.Model)})
	}
}

func (p phrases) notesOff(model string) string {
	return p.pick("%s cannot take notes reliably, so it is not asked to any more. “Remember …” works as before.",
		"%s 无法可靠地做笔记，以后不再让它做。说“记住……”照常有效。", model)
}
