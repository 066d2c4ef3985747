package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/backend/agent/tools"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/window"
)

// The phases of a turn, beside those of the engine.
const (
	phaseQueued    = "queued"
	phaseRecalling = "recalling"
	phaseDeep      = "searching" // a model helps to recall: read of total rounds
	phaseTool      = "tool"
	phaseRetrying  = "retrying"
)

const (
	defaultMaxSteps = 8
	progressEvery   = 200 * time.Millisecond // of one phase
	finishWithin    = 10 * time.Second       // to store how a turn ended, whatever ended it
	bytesPerToken   = 4                      // of most texts; others have fewer
	maxRefusals     = 2                      // the engine finds a prompt too long so often; then the user is told
	maxLimitErrors  = 2                      // a full block is tried so often; then the user is told
)

// turn is one turn being run.
type turn struct {
	s     *Service
	lane  *lane
	job   *job
	ctx   context.Context
	abort context.CancelCauseFunc

	agent   memory.Agent
	set     setup
	prefix  *memory.Prefix
	plan    memory.Plan      // of the request being answered
	asked   []engine.Message // the prompt that the model was asked for words with last
	blocks  []memory.Block   // core memory as the last request had it
	path    []memory.Message // ends in what the next request answers
	receipt memory.Receipt
	wishes  wishes

	msg memory.Message // the answer being written

	toolsOff bool           // a loop guard has tripped: only words from now on
	calls    map[string]int // how often each call was made
	limits   int            // calls that failed because a block is full
	tries    []try          // calls for this answer, as far as something was measured
	edits    []string       // what the tools changed, for the answer of a model that says nothing
	told     struct {
		phase string
		at    time.Time
	}
}

// run runs one job to its end. Every outcome is stored and told.
func (s *Service) run(ctx context.Context, l *lane, j *job) {
	ctx, abort := context.WithCancelCause(ctx)
	defer abort(nil)
	t := &turn{s: s, lane: l, job: j, ctx: ctx, abort: abort, calls: map[string]int{}}
	t.end(t.answer())
	if n := t.notable(); n != nil {
		s.addNote(n)
	}
	if t.set.counter != nil {
		s.considerCore(s.ctx, t.agent, t.set, t.blocks, j.user.ConversationID)
	}
	s.Recall.Wake()
	s.resumed.Do(s.resume)
}

// answer runs the turn. When it returns, t.msg holds the last answer, stored but for its end.
func (t *turn) answer() (err error) {
	s, user := t.s, t.job.user
	if t.agent, err = s.Store.Agent(t.ctx, user.AgentID); err != nil {
		return err
	}
	if t.job.goOn != nil {
		t.msg = *t.job.goOn
	} else if err := t.begin(user.ID); err != nil {
		return err
	}
	if t.job.wishes {
		t.grant() // before all that needs the engine: what is asked to be remembered is remembered
		t.tidyUp()
		t.learn()
	}
	t.tell(string(engine.PhaseLoading), 0, 0, 0, "")
	defer s.Engine.Hold()()
	if err := s.Engine.Ready(t.ctx); err != nil {
		return err
	}
	if t.set, err = s.setup(t.ctx, t.agent); err != nil {
		return err
	}
	if t.wishes.alone && len(t.set.tools) == 0 {
		t.confirm()
		return nil
	}
	t.msg.Model = t.set.Model
	if t.prefix, err = s.prefix(t.ctx, user.ConversationID); err != nil {
		return err
	}
	leaf := user.ID
	if t.job.goOn != nil {
		leaf = t.msg.ID
	}
	if t.path, err = s.path(t.ctx, leaf, user.ID, t.prefix, t.set); err != nil {
		return err
	}
	if t.job.goOn != nil {
		return t.fitting(t.proceed)
	}
	if t.set.counter.Count(user.Content) <= t.set.Window { // else there is no room for anything, as will be said
		t.recall()
	}
	steps := t.agent.MaxSteps
	if steps <= 0 {
		steps = defaultMaxSteps
	}
	for step := 1; ; step++ {
		if step >= steps {
			t.toolsOff = true
		}
		if err := t.step(); err != nil {
			return err
		}
		if len(t.msg.ToolCalls) == 0 {
			return nil
		}
		if err := t.runTools(); err != nil {
			return err
		}
		if err := t.begin(t.path[len(t.path)-1].ID); err != nil {
			return err
		}
	}
}

// confirm answers a message that is nothing but wishes, which were granted already: there is nothing that a model without
// tools could add, and a small one would ramble.
func (t *turn) confirm() {
	w := newStream(t.ctx, t.s, t.msg, false, t.abort)
	w.add(engine.Chunk{Content: t.wishes.confirmation})
	w.close(true)
	t.msg.Content, t.msg.End = t.wishes.confirmation, memory.EndRule
	t.msg.Tokens = t.set.counter.Count(t.msg.Content)
}

// begin stores a new, empty answer after a message.
func (t *turn) begin(parent string) error {
	m, err := t.add(memory.Message{
		ConversationID: t.job.user.ConversationID, AgentID: t.agent.ID, ParentID: parent, TurnID: t.job.user.ID,
		Role: memory.RoleAssistant, Status: memory.StatusStreaming, Model: t.set.Model,
	})
	if err == nil {
		t.msg = m
	}
	return err
}

// add puts a message of the turn into the tree: at its end, or in front of a user message that waits already.
func (t *turn) add(m memory.Message) (memory.Message, error) {
	t.lane.tree.Lock()
	defer t.lane.tree.Unlock()
	ctx, cancel := t.storing()
	defer cancel()
	var err error
	if next := t.s.queued(t.lane); next != "" {
		m, err = t.s.Store.InsertMessage(ctx, m, next)
	} else {
		m, err = t.s.Store.AddMessage(ctx, m)
	}
	if err == nil {
		t.s.created(m)
	}
	return m, err
}

// storing returns a context for what must be stored even if the turn was stopped.
func (t *turn) storing() (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(t.ctx), finishWithin)
}

// recall looks for memories. Without it the turn goes on.
func (t *turn) recall() {
	t.tell(phaseRecalling, 0, 0, 0, "")
	s, user := t.s, t.job.user
	sees := inWindow(t.path, t.prefix, t.set.Window)
	beside := t.alternatives()
	for _, id := range beside {
		sees[id] = true
	}
	beside = append(beside, user.ParentID)
	deep := s.deep(t.ctx, t.agent.ID, t.set, user.ConversationID, t.path[:len(t.path)-1], user.Content, t.job.deep)
	if deep != nil {
		deep.Tell = func(round, n int) { t.tell(phaseDeep, round, n, 0, "") }
	}
	r, err := s.Recall.For(t.ctx, recall.Query{
		AgentID: t.agent.ID, ArchiveID: t.agent.ArchiveID, ConversationID: user.ConversationID, MessageID: user.ID, Beside: beside, Text: user.Content,
		InWindow: sees, Cap: window.RecalledCap(t.set.Window), Counter: t.set.counter, Deep: deep,
	})
	if err != nil && t.ctx.Err() == nil {
		s.Log.Warn("recall", "message", user.ID, "error", err)
	}
	// what this very message asked to be stored is told as such, not as a memory
	for i := range r.Candidates {
		if c := &r.Candidates[i]; c.Taken && c.Origin == user.ID {
			c.Taken, c.Why = false, memory.WhyDuplicate
		}
	}
	if slices.ContainsFunc(r.Candidates, isTakenFact) { // seldom: the blocks are read for these alone
		blocks, err := s.Store.Blocks(t.ctx, t.agent.ID)
		t.note("core memory", err)
		inCore(&r, blocks)
	}
	r.MessageID = user.ID
	t.receipt = r
}

// alternatives returns the messages on other branches that begin where this turn does: other versions of the question, and
// other answers. They are no memories of it.
func (t *turn) alternatives() []string {
	user := t.path[len(t.path)-1]
	var ids []string
	for _, version := range user.Siblings {
		if version != user.ID {
			ids = append(ids, version)
		}
		answers, err := t.s.Store.Children(t.ctx, version, user.ConversationID)
		t.note("alternatives", err)
		for _, a := range answers {
			leaf, err := t.s.Store.Leaf(t.ctx, a.ID)
			if err != nil {
				continue
			}
			branch, err := t.s.Store.PathSince(t.ctx, leaf, a.ID)
			t.note("alternatives", err)
			for _, m := range branch {
				ids = append(ids, m.ID)
			}
		}
	}
	return ids
}

// saveReceipt stores what recall considered and what the model really gets of it.
func (t *turn) saveReceipt(blocks []memory.Block, pages []memory.Candidate, got window.Request) {
	ctx, cancel := t.storing()
	defer cancel()
	r := &t.receipt
	taken := settle(r, t.set, blocks, pages, got)
	if r.CreatedAt.IsZero() {
		r.CreatedAt = t.s.Clock()
	}
	t.note("receipt", t.s.Store.SaveReceipt(ctx, *r))
	t.s.lastTaken.keep(*r)
	_, err := t.s.Store.RecordEvent(ctx, memory.Event{Type: "recall.done", Data: map[string]any{
		"message_id": r.MessageID, "conversation_id": t.job.user.ConversationID, "taken": taken, "considered": r.Considered, "tokens": r.Tokens,
	}})
	t.note("event", err)
}

// note logs a failure that the turn survives.
func (t *turn) note(what string, err error) {
	if err != nil {
		t.s.Log.Warn("turn: "+what, "conversation", t.job.user.ConversationID, "error", err)
	}
}

// assemble builds the next request and stores what belongs to it. windowShare below 1 packs it tighter than the window
// allows, after the engine found that our count was too low.
func (t *turn) assemble(windowShare float64) (window.Request, error) {
	s := t.s
	blocks, err := s.Store.Blocks(t.ctx, t.agent.ID)
	if err != nil {
		return window.Request{}, err
	}
	t.blocks = blocks
	in := s.input(t.set, blocks, t.prefix, t.path)
	in.Recalled, in.Notes = t.receipt.Candidates, t.wishes.notes
	trigger := memory.TriggerThreshold
	if windowShare < 1 {
		in.Window, in.ForceRebase, in.Room.Now = int(float64(in.Window)*windowShare), "overflow", true
		trigger = memory.TriggerOverflow
	}
	conversation := t.job.user.ConversationID
	room, err := s.makeRoom(t.ctx, &in, t.agent, conversation)
	if err != nil {
		return window.Request{}, err
	}
	began := time.Now()
	r, err := window.Assemble(in)
	if err != nil {
		return r, err
	}
	took := time.Since(began)
	ctx, cancel := t.storing()
	defer cancel()
	last := len(t.path) - 1
	if t.path[last].Role == memory.RoleUser {
		t.path[last].Preamble = r.Preamble
		if err := s.Store.SetPreamble(ctx, t.path[last].ID, r.Preamble); err != nil {
			return r, err
		}
		t.saveReceipt(blocks, in.Pages, r)
	}
	saved := r.Prefix.Saved
	if t.prefix != nil {
		saved -= t.prefix.Saved
	}
	if r.Rebased {
		r.Prefix.ConversationID, r.Prefix.Window = conversation, t.set.Window
		made := room.record(t.agent, t.prefix, r, trigger, t.path[last].ID, took)
		if err := s.rebased(ctx, &r.Prefix, r.Plan.Prompt, made); err != nil {
			return r, err
		}
		t.prefix = &r.Prefix
		if made != nil && room.summarises() {
			s.followUp(t.set, made)
		}
	}
	if n := len(r.EvictedIDs); n > 0 {
		_, err := s.Store.RecordEvent(ctx, memory.Event{Type: "window.evicted", Data: map[string]any{
			"conversation_id": conversation, "count": n, "tokens": max(saved, 0), "first": r.Plan.First,
		}})
		t.note("event", err)
	}
	t.plan = r.Plan
	t.note("plan", s.Store.SavePlan(ctx, t.msg.ID, t.plan))
	return r, nil
}

// rebased stores a new prefix with the event that tells of it, and the compactions that belong to it, all or nothing.
func (s *Service) rebased(ctx context.Context, p *memory.Prefix, tokens int, compactions ...*memory.Compaction) error {
	compactions = slices.DeleteFunc(compactions, func(c *memory.Compaction) bool { return c == nil })
	ev := memory.Event{Type: "window.rebased", Data: map[string]any{
		"conversation_id": p.ConversationID, "generation": p.Generation, "reason": p.Reason, "tokens": tokens,
	}}
	return s.Store.SavePrefix(ctx, *p, &ev, compactions...)
}

// fitting makes a request, sends it with ask and puts the answer into t.msg. Where the engine finds it too long, however
// we count, messages leave the window and it is sent again, twice at most; where the model does not fit into memory with the
// window, it is tried once with half of it.
func (t *turn) fitting(ask func(window.Request) (answer, error)) error {
	nothing := "" // the answer when no word has come
	if t.job.goOn != nil {
		nothing = t.job.goOn.Content
	}
	var refused error
	refusals, halved, cored := 0, false, false
	for share := 1.0; ; {
		r, err := t.assemble(share)
		if e := memory.ProblemOf(err); e != nil && e.Code == memory.EOVERFLOW && !cored {
			if cored = true; t.compactCoreNow(e.Actual - e.Limit) {
				continue
			}
		}
		if err != nil && refused != nil && len(t.set.tools) > 0 {
			t.s.leaveOutTools(&t.set) // nothing else is left that can go
			refused, refusals, share = nil, 0, 1
			continue
		}
		if err != nil {
			return cmp.Or(refused, err)
		}
		planned := t.set.Window
		answer, err := ask(r)
		if memory.CodeOf(err) == memory.EOVERFLOW && t.set.Window < planned && answer.content == nothing {
			continue // that much the engine serves, and no more
		}
		if memory.CodeOf(err) == memory.EOVERFLOW && refusals < maxRefusals && answer.content == nothing {
			t.tell(phaseRetrying, 0, 0, 0, "window")
			refusals++
			refused, share = cmp.Or(refused, err), min(.85*share, float64(r.Plan.Prompt)/float64(t.set.Window)) // what we count fills all there is
			continue
		}
		if e := memory.ProblemOf(err); e != nil && e.Remedy == memory.RemedySmallerModel && !halved && t.s.halve(&t.set) {
			t.tell(phaseRetrying, 0, 0, 0, "memory")
			halved, share = true, 1
			continue
		}
		t.take(answer)
		return err
	}
}

// step makes one model call, with all its repairs, and stores the answer in t.msg.
func (t *turn) step() error {
	if err := t.fitting(t.ask); err != nil {
		return err
	}
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	if len(t.msg.ToolCalls) == 0 {
		return nil
	}
	t.msg.Status = memory.StatusComplete
	ctx, cancel := t.storing()
	defer cancel()
	if err := t.s.Store.FinishMessage(ctx, t.msg); err != nil {
		return err
	}
	t.s.updated(t.msg)
	t.path = append(t.path, t.msg)
	return nil
}

// take puts an answer into t.msg.
func (t *turn) take(a answer) {
	t.noteTries(a.usage)
	t.msg.Content, t.msg.Thinking, t.msg.ToolCalls, t.msg.End = a.content, a.thinking, a.calls, a.end
	if a.usage != (memory.Usage{}) {
		u := a.usage
		t.s.learnWriting(t.set.Model, u)
		t.msg.Usage = &u
		t.plan.Measured = u.PromptTokens
		ctx, cancel := t.storing()
		defer cancel()
		t.note("plan", t.s.Store.SavePlan(ctx, t.msg.ID, t.plan))
	}
	if a.content != "" {
		t.msg.Tokens = t.set.counter.Count(a.content)
	}
}

// runTools runs the calls of t.msg and stores their results.
func (t *turn) runTools() error {
	if err := t.ctx.Err(); err != nil {
		return context.Cause(t.ctx)
	}
	for _, call := range t.msg.ToolCalls {
		t.tell(phaseTool, 0, 0, 0, call.Name)
		text, err := t.runTool(call)
		if err != nil {
			return err
		}
		m, err := t.add(memory.Message{
			ConversationID: t.msg.ConversationID, AgentID: t.agent.ID, ParentID: t.path[len(t.path)-1].ID, TurnID: t.job.user.ID,
			Role: memory.RoleTool, Content: text, ToolCallID: call.ID, ToolName: call.Name, Status: memory.StatusComplete,
		})
		if err != nil {
			return err
		}
		t.path = append(t.path, m)
	}
	return nil
}

// runTool runs one call and returns what the model is told. Only the end of the turn is an error.
func (t *turn) runTool(call memory.ToolCall) (string, error) {
	call = tools.Resolve(call)
	if slices.Contains(t.agent.ToolsOff, tools.Name(call.Name)) { // a model may remember it from before
		return "Error: " + call.Name + " is switched off. Answer without it.", nil
	}
	key := call.Name + call.Arguments
	t.calls[key]++
	if t.calls[key] > 1 {
		t.toolsOff = true
		return "Error: " + call.Name + " was called with these arguments before in this turn, with the same result. Do not call it again; answer the user in words.", nil
	}
	never, err := t.never()
	if err != nil {
		t.note("feedback", err)
	}
	res, err := tools.Run(t.ctx, tools.Env{
		Memory: t.s.Store, Search: t.s.Recall, Agent: t.agent, Origin: t.job.user.ID, Stored: t.wishes.stored, Recalled: t.receipt.Candidates, Never: never,
		Now: t.s.Clock(), Update: window.Update, PageTurns: t.s.roomOf(t.agent).PageTurns,
		Fit: func(text string) string { return window.Fit(text, t.set.Window) },
		Compact: func(ctx context.Context, label string) (string, error) {
			return t.s.tidy(ctx, t.agent, t.set.Language, label, t.msg.ConversationID, memory.TriggerTool)
		},
		Cause: memory.Cause{
			Actor: memory.ActorModel, Reason: call.Name, AgentID: t.agent.ID, ConversationID: t.msg.ConversationID, MessageID: t.msg.ID,
		},
	}, call)
	switch {
	case t.ctx.Err() != nil:
		return "", context.Cause(t.ctx)
	case err != nil: // memory fails, the chat goes on
		t.note("tool "+call.Name, err)
		t.s.publish("notice", map[string]any{"level": "error", "code": string(memory.CodeOf(err)), "text": memory.ProblemOf(err).Message})
		return "Error: memory cannot be used now. Tell the user so and answer without it.", nil
	case res.Code == memory.ELIMIT:
		if t.limits++; t.limits >= maxLimitErrors {
			t.toolsOff = true
			return res.Text + " Do not try again in this turn: tell the user that the block is full and ask what may go.", nil
		}
	}
	for _, r := range res.Revisions {
		t.edits = append(t.edits, r.Label)
	}
	return res.Text, nil
}

// never returns the ids of the memories that the user never wants in this conversation.
func (t *turn) never() (map[string]bool, error) {
	list, err := t.s.Store.Feedback(t.ctx, t.agent.ID)
	if err != nil {
		return nil, err
	}
	ids := map[string]bool{}
	for _, f := range list {
		if f.Use == memory.UseNever && f.ConversationID == t.job.user.ConversationID {
			ids[f.ItemID] = true
		}
	}
	return ids, nil
}

// end stores and tells how the turn ended.
func (t *turn) end(err error) {
	s, m := t.s, &t.msg
	ctx, cancel := t.storing()
	defer cancel()
	if cause := context.Cause(t.ctx); err != nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause // whatever failed, failed because of this
	}
	if (errors.Is(err, errStopped) || errors.Is(err, errClosing)) && t.job.goOn == nil && m.Content == "" && len(m.ToolCalls) == 0 {
		m.Content = t.wishes.confirmation // what was done is said, though the model had no time to say anything
	}
	var problem *memory.Problem
	switch {
	case err == nil:
		m.Status = memory.StatusComplete
	case errors.Is(err, errStopped):
		m.Status = memory.StatusStopped
	case errors.Is(err, errClosing):
		m.Status = memory.StatusPartial
	default:
		problem = t.problem(err)
		m.Status = memory.StatusFailed
		if strings.TrimSpace(m.Content) != "" {
			m.Status = memory.StatusPartial
		}
		s.Log.Warn("turn failed", "conversation", t.job.user.ConversationID, "code", string(problem.Code), "error", err, "cause", errors.Unwrap(err))
	}
	m.Problem = problem
	if m.ID == "" { // not even its place could be stored
		m.ConversationID = t.job.user.ConversationID
	} else if err := s.Store.FinishMessage(ctx, *m); err != nil {
		t.note("store the answer", err)
		m.Status = memory.StatusFailed
		if problem == nil {
			problem = t.problem(err)
		}
	}
	if problem != nil {
		data := map[string]any{"conversation_id": m.ConversationID, "message_id": m.ID, "problem": problemData(problem)}
		if _, err := s.Store.RecordEvent(ctx, memory.Event{Type: "turn.failed", Data: data}); err != nil {
			s.publish("turn.failed", data) // the disk is the problem
		}
	}
	if m.ID != "" {
		s.updated(*m)
	}
	s.publish("turn.done", map[string]any{"conversation_id": m.ConversationID, "message_id": m.ID, "status": string(m.Status)})
}

// problem is an error as the user sees it, with a next step.
func (t *turn) problem(err error) *memory.Problem {
	p := memory.ProblemOf(err)
	if p.Remedy == "" {
		p.Remedy = remedies[p.Code]
	}
	if p.Remedy == "" {
		p.Remedy = memory.RemedyRetry
	}
	return p
}

// remedies are the next steps for errors that name none.
var remedies = map[memory.Code]memory.Remedy{
	memory.EENGINE: memory.RemedyStartEngine, memory.EMODEL: memory.RemedyPullModel, memory.EOVERFLOW: memory.RemedyRaiseWindow, memory.EDISKFULL: memory.RemedyFreeSpace,
	memory.EREADONLY: memory.RemedyChooseFolder, memory.ECORRUPT: memory.RemedyRestore,
}

func problemData(p *memory.Problem) map[string]any {
	var m map[string]any
	b, err := json.Marshal(p)
	if err == nil {
		err = json.Unmarshal(b, &m)
	}
	if err != nil {
		panic(fmt.Sprintf("a problem that is no JSON: %v", err))
	}
	return m
}

// tell says where the turn is, at most every 200 ms within a phase.
func (t *turn) tell(phase string, read, total int, eta time.Duration, detail string) {
	s := t.s
	now := s.Clock()
	s.mu.Lock()
	p := &t.lane.progress
	p.MessageID, p.Phase, p.Read, p.Total, p.ETA, p.Detail = t.msg.ID, phase, read, total, eta, detail
	running := s.running(t.lane)
	s.mu.Unlock()
	if phase == t.told.phase && now.Sub(t.told.at) < progressEvery && phase != phaseTool {
		return
	}
	t.told.phase, t.told.at = phase, now
	s.publish("turn.progress", running.data(now))
}
