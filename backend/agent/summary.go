package agent

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"recollect/backend/compaction"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/window"
)

// A summary of what left the window is made by a model in the background, a stage of the transcript at a time. What a stage
// brought is stored at once, so that neither a turn that begins nor a crash costs more than the stage that was being read. When
// all are done the window is written anew and the engine reads it, all of it while no turn runs.

const (
	choreSummary   = "summary"
	choreWarm      = "warm"
	summaryTokens  = 700 // of one answer
	summaryTries   = 2   // of one stage that is large enough, or the only one; then the user's own words stand in
	summaryStages  = 16  // of one summary; what is older is only in the transcript
	summaryLeast   = 600 // tokens that a prompt must have room for, or no model is asked
	resumedPending = 50  // compactions among which those are looked for that were begun before this start
)

// followUp has what a compaction moved out of the window summed up, where that costs the chat nothing.
func (s *Service) followUp(set setup, made *memory.Compaction) {
	if s.summing(made.ConversationID) {
		return // the next one takes in what leaves now
	}
	if !s.Engine.SideCache(set.Model) && (set.profile.AppendOnly || roomBeside(set, made.After.Prompt) < summaryLeast) {
		return // what the engine has read of the chat would be lost
	}
	c := *made
	now := *made.Now
	c.ID, c.Strategy, c.State, c.Was, c.Now, c.After, c.Evicted = "", memory.StrategySummary, memory.CompactionPending, &now, nil, nil, nil
	c.Before, c.TokensBefore, c.TokensAfter, c.Required, c.DurationMs, c.CreatedAt = made.After, made.TokensAfter, made.TokensAfter, 0, 0, time.Time{}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), finishWithin)
	defer cancel()
	stored, err := s.Store.SaveCompaction(ctx, c)
	if err != nil {
		s.Log.Warn("summary", "conversation", c.ConversationID, "error", err)
		return
	}
	s.sumUp(stored)
}

// sumUp has the summary of a pending compaction made when no turn runs.
func (s *Service) sumUp(c memory.Compaction) {
	id := c.ID
	s.chore(&chore{name: choreSummary, conversation: c.ConversationID, run: func(ctx context.Context) error { return s.summarise(ctx, id) }})
}

// roomBeside returns how many tokens a question may have that goes on where a prompt of so many ends.
func roomBeside(set setup, prompt int) int {
	return set.Window*9/10 - answerRoom(set) - prompt
}

// answerRoom is how many tokens a summary of a stage takes at most.
func answerRoom(set setup) int { return min(summaryTokens, set.Window/4) }

// summing reports whether a summary of a conversation is in the making.
func (s *Service) summing(conversationID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.chores.waiting, func(c *chore) bool { return c.name == choreSummary && c.conversation == conversationID })
}

// resume takes up the summaries that were begun before this start of the app.
func (s *Service) resume() {
	list, _, err := s.Store.Compactions(s.ctx, store.CompactionFilter{Kind: memory.CompactionTranscript, Limit: resumedPending})
	if err != nil {
		s.Log.Warn("summaries that were begun", "error", err)
	}
	for _, c := range list { // the newest first
		if c.State != memory.CompactionPending || c.Strategy != memory.StrategySummary || !c.CreatedAt.Before(s.began) {
			continue
		}
		if !s.summing(c.ConversationID) {
			s.sumUp(c)
			continue
		}
		m := &summary{s: s, c: c}
		if err := m.fail(s.ctx, memory.Errorf(memory.ECONFLICT, compactOp, "a later summary takes its place")); err != nil {
			s.Log.Warn("summaries that were begun", "error", err)
		}
	}
	s.resumeCore()
}

// summary is a summary in the making.
type summary struct {
	s        *Service
	c        memory.Compaction
	d        *draft
	language string
	known    compaction.Summary
	covered  string // id of the last message that known covers
	model    setup  // that sums up
}

// summarise makes the summary of a pending compaction, stage by stage, and has it take effect. The context ends when a turn
// begins.
func (s *Service) summarise(ctx context.Context, id string) error {
	c, err := s.Store.Compaction(ctx, id)
	if err != nil || c.State != memory.CompactionPending {
		return err
	}
	conversation, err := s.Store.Conversation(ctx, c.ConversationID)
	if err != nil {
		return err
	}
	m := &summary{s: s, c: c, known: compaction.ParseSummary(c.Was.Summary), covered: c.Was.Summed}
	if m.d, err = s.windowAt(ctx, conversation, c.Leaf, c.Was); err != nil {
		return m.fail(ctx, err)
	}
	m.model = m.d.set
	if c.Model != "" && c.Model != m.d.set.Model {
		a := m.d.agent
		a.Model = c.Model
		if m.model, err = s.setup(ctx, a); err != nil {
			return m.fail(ctx, err)
		}
	}
	if m.model.Model == "" {
		return m.fail(ctx, memory.Errorf(memory.EMODEL, "sum up", "no model is chosen"))
	}
	if c.Progress != nil { // what was summed up before a turn began, or the app died
		m.known, m.covered = compaction.ParseSummary(c.Progress.Summary), c.Progress.Summed
	}
	left, stages, err := m.stages(ctx)
	if err != nil {
		return m.fail(ctx, err)
	}
	for _, st := range stages {
		last := st.Messages[len(st.Messages)-1].ID
		tries := summaryTries
		if len(stages) > 1 || c.Progress != nil {
			tries = min(tries, max(1, st.Tokens/compaction.CallTokens))
		}
		if err := m.stage(ctx, st, tries); err != nil {
			if ctx.Err() != nil {
				return err
			}
			return m.fail(ctx, err)
		}
		m.covered = last
		m.c.Progress = &memory.Selection{Summary: m.known.Text(m.language), Summed: m.covered}
		if m.c, err = s.Store.SaveCompaction(ctx, m.c); err != nil {
			return err
		}
	}
	return m.finish(ctx, left)
}

// stages returns what is summed up: what left the window, or leaves it now, since the last summary; and the stages of it that
// are still to be made. Counts of tokens change, so that those made before may have been cut in other places.
func (m *summary) stages(ctx context.Context) ([]memory.Message, []compaction.Stage, error) {
	first := m.c.Was.First
	if m.c.Now != nil {
		first = m.c.Now.First
	}
	left, err := m.left(ctx, first)
	if err != nil {
		return nil, nil, err
	}
	if len(left) == 0 {
		return nil, nil, memory.Errorf(memory.ECONFLICT, compactOp, "there is nothing that has not been summed up")
	}
	m.language = compaction.Language(left)
	overhead := m.d.set.counter.Overhead().Message
	rest := left
	for len(rest) > 0 && rest[0].ID <= m.covered {
		rest = rest[1:]
	}
	stages := compaction.Stages(rest, func(msg memory.Message) int {
		return cmp.Or(msg.Tokens, m.d.set.counter.Count(msg.Content)) + overhead
	})
	return left, stages[max(len(stages)-summaryStages, 0):], nil
}

// left returns the messages before the beginning of the window that no summary covers yet, the newest of them where there are
// very many.
func (m *summary) left(ctx context.Context, first string) ([]memory.Message, error) {
	var pages [][]memory.Message
	room := summaryStages * compaction.StageTokens * bytesPerToken * 2
	for before := first; room > 0 && before != ""; {
		page, err := m.s.Store.Path(ctx, m.c.Leaf, pathPage, before)
		if err != nil || len(page) == 0 {
			return slices.Concat(pages...), err
		}
		before = page[0].ID
		if page[0].ParentID == "" {
			before = ""
		}
		if i := slices.IndexFunc(page, func(msg memory.Message) bool { return msg.ID == m.c.Was.Summed }); i >= 0 {
			page, before = page[i+1:], ""
		}
		page = slices.DeleteFunc(page, func(msg memory.Message) bool { return msg.Content == "" })
		for _, msg := range page {
			room -= len(msg.Content) + messageRoom
		}
		pages = slices.Insert(pages, 0, page)
	}
	return slices.Concat(pages...), nil
}

// stage sums up one stage. What the model says is checked; of no use twice, the user's own words stand in.
func (m *summary) stage(ctx context.Context, st compaction.Stage, tries int) error {
	base, room, err := m.request(ctx)
	if err != nil {
		return err
	}
	counter := m.model.counter
	prompt := st.Prompt(m.language, m.known.Fit(m.language, room/4, counter.Count), m.s.Clock().Location(), room, counter.Count)
	m.c.Model, m.c.Prompt = m.model.Model, prompt
	for try := range tries {
		req := base
		if try > 0 {
			req.Temperature, req.Seed = ptr(retryTemperature), ptr(retrySeed)
		}
		began := time.Now()
		answer, err := m.ask(ctx, req, prompt)
		m.c.Attempts++
		m.c.DurationMs += time.Since(began).Milliseconds()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if code := memory.CodeOf(err); err != nil && code != memory.EMALFORMED && code != memory.EINCOMPLETE {
			return err
		}
		m.c.Output = answer
		said, err := st.ReadSummary(answer, m.language, counter.Count)
		if err == nil {
			m.known = m.known.Merge(said)
			m.c.Summed++
			return nil
		}
		var refusal compaction.Refusal
		if !errors.As(err, &refusal) {
			return err
		}
		m.s.Log.Info("summary refused", "conversation", m.c.ConversationID, "model", m.model.Model, "why", string(refusal))
	}
	m.known = m.known.Merge(st.Extract())
	return nil
}

// ask makes one request for a summary.
func (m *summary) ask(ctx context.Context, req engine.ChatRequest, prompt string) (string, error) {
	if len(req.Tools) == 0 {
		req.Format = compaction.SummarySchema
	}
	if m.model.profile.Thinking && m.model.profile.Parser != "" {
		req.Think = ptr(true) // with a built-in parser the engine drops the schema otherwise
	}
	req.Messages = append(slices.Clip(req.Messages), engine.Message{Role: "user", Content: prompt})
	res, err := m.s.beside(ctx, memory.CallSummary, m.d.agent.ID, req, nil)
	return res.Message.Content, err
}

// request is what every question is asked with, and how many tokens of it there is room for. As other work in the background
// it spares what the engine has cached of the chat: it uses the engine's second cache, else it goes on where the window ends.
// Where neither is possible nothing is asked, unless the user did.
func (m *summary) request(ctx context.Context) (engine.ChatRequest, int, error) {
	set := m.model
	req := engine.ChatRequest{
		Model: set.Model, NumCtx: set.Window, NumPredict: answerRoom(set), Priority: engine.PriorityBackground, Conversation: m.c.ConversationID,
	}
	room := roomBeside(set, 0)
	asked := m.c.Trigger != memory.TriggerThreshold && m.c.Trigger != memory.TriggerOverflow
	if set.Model == m.d.set.Model && !m.s.Engine.SideCache(set.Model) && !asked {
		n, err := m.s.present(ctx, m.c.ConversationID)
		if err != nil {
			return req, 0, err
		}
		base := engineRequest(m.d.agent, set, n.request)
		req.Messages, req.Tools, req.AfterChat = base.Messages, base.Tools, true
		room = roomBeside(set, n.request.Plan.Prompt)
		if set.profile.AppendOnly {
			room = 0 // to go back to where the chat ended would cost all that was read
		}
	}
	if room < summaryLeast {
		return req, 0, memory.Errorf(memory.EBUSY, "sum up", "the model has no room to sum up beside the chat without losing what it has read of it")
	}
	return req, room, nil
}

// present assembles the window of a conversation as its last answer left it: what the engine has in its cache.
func (s *Service) present(ctx context.Context, conversationID string) (*draft, error) {
	c, err := s.Store.Conversation(ctx, conversationID)
	if err != nil {
		return nil, err
	}
	d, err := s.windowAt(ctx, c, c.Head, nil)
	if err != nil {
		return nil, err
	}
	d.request, err = window.Assemble(d.in)
	return d, err
}

// finish has a summary take effect, or stores what would be.
func (m *summary) finish(ctx context.Context, left []memory.Message) error {
	s, set := m.s, m.d.set
	if m.c.Summed == 0 { // not one stage: what stays verbatim is better then
		return m.fail(ctx, memory.Errorf(memory.EMALFORMED, "sum up", "the model gave no usable summary, also when asked again; what the window holds stays as it was chosen without one"))
	}
	text := m.known.Fit(m.language, window.SummaryCap(set.Window), set.counter.Count).Text(m.language)
	m.c.Lost = compaction.Lost(left, text)
	m.c.Rolls = m.rolled(ctx)
	if m.c.DryRun {
		return m.settle(ctx, m.d, text, func(d *draft) error {
			m.c.State = memory.CompactionTried
			_, err := s.Store.SaveCompaction(ctx, m.c)
			return err
		})
	}
	d, end, err := s.idleWindow(ctx, m.c.ConversationID)
	if err != nil {
		if ctx.Err() == nil && memory.CodeOf(err) != memory.EBUSY {
			return m.fail(ctx, err)
		}
		return err
	}
	defer end()
	since, err := s.Store.PathSince(ctx, d.conversation.Head, m.c.Leaf)
	if err != nil {
		return err
	}
	if len(since) == 0 || since[0].ID != m.c.Leaf || d.prefix.Summed > m.c.Was.Summed {
		return m.fail(ctx, memory.Errorf(memory.ECONFLICT, compactOp, "the conversation has gone another way meanwhile"))
	}
	return m.settle(ctx, d, text, func(d *draft) error {
		m.c.State = memory.CompactionDone
		p := d.request.Prefix
		if err := s.rebased(ctx, &p, d.request.Plan.Prompt, &m.c); err != nil {
			return err
		}
		s.warmLater(m.c.ConversationID, m.c.ID)
		return nil
	})
}

// rolled returns the compaction whose summary this one takes up, "" when there is none.
func (m *summary) rolled(ctx context.Context) string {
	if m.c.Was.Summed == "" {
		return ""
	}
	list, _, err := m.s.Store.Compactions(ctx, store.CompactionFilter{ConversationID: m.c.ConversationID, Kind: memory.CompactionTranscript, Limit: resumedPending})
	if err != nil {
		return ""
	}
	for _, c := range list {
		if c.State == memory.CompactionDone && c.Strategy == memory.StrategySummary && c.Now != nil && c.Now.Summed == m.c.Was.Summed {
			return c.ID
		}
	}
	return ""
}

// settle chooses what the window holds beside the summary, and fills in the record.
func (m *summary) settle(ctx context.Context, d *draft, text string, done func(*draft) error) error {
	was := d.prefix.Selection
	made, err := m.s.decide(d, CompactRequest{Strategy: memory.StrategySummary})
	if memory.CodeOf(err) == memory.ECONFLICT { // nothing more leaves; the summary stands for what left before
		made, err = nil, nil
	}
	if err != nil {
		return m.fail(ctx, err)
	}
	now := was
	if made != nil {
		now = *made.Now
		m.c.Evicted = made.Evicted
	}
	now.Summary, now.Summed = text, m.covered
	if i := slices.IndexFunc(d.path, func(msg memory.Message) bool { return msg.ID == now.First }); i < 0 || now.Summed >= now.First {
		return m.fail(ctx, memory.Errorf(memory.ECONFLICT, compactOp, "the conversation has gone another way meanwhile"))
	}
	in := plain(d.in)
	in.ForceRebase, in.Apply = window.ReasonCompaction, &now
	before, err := asItIs(d.in)
	if err != nil {
		return m.fail(ctx, err)
	}
	if d.request, err = window.Assemble(in); err != nil {
		return m.fail(ctx, err)
	}
	p := &d.request.Prefix
	p.ConversationID, p.Window = d.conversation.ID, d.set.Window
	selection := p.Selection
	m.c.Now, m.c.After, m.c.Progress, m.c.Problem = &selection, &d.request.Plan, nil, nil
	m.c.Was = &was
	if m.c.Before == nil {
		m.c.Before = &before
	}
	m.c.TokensBefore, m.c.TokensAfter = before.Prompt, d.request.Plan.Prompt
	return done(d)
}

// fail stores that a summary came to nothing. The window stays as it was.
func (m *summary) fail(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	m.c.State, m.c.Problem, m.c.Progress = memory.CompactionFailed, memory.ProblemOf(err), nil
	_, storing := m.s.Store.SaveCompaction(ctx, m.c)
	return storing
}

// warmLater has the engine read the beginning of a conversation's next prompt while no turn runs, and notes on the compaction
// how long that took.
func (s *Service) warmLater(conversationID, compactionID string) {
	s.chore(&chore{name: choreWarm, conversation: conversationID, run: func(ctx context.Context) error {
		began := time.Now()
		if err := s.Warm(ctx, conversationID); err != nil {
			return err
		}
		return s.Store.TimeRebase(ctx, compactionID, time.Since(began))
	}})
}
