package agent

import (
	"cmp"
	"context"
	"slices"
	"time"

	"recollect/backend/compaction"
	"recollect/backend/memory"
	"recollect/backend/window"
)

// CompactRequest asks for room in a conversation's window. Zero fields are as the agent and the settings say.
type CompactRequest struct {
	Strategy  memory.Strategy `json:"strategy,omitempty"`  // sliding_window, priority, summary or auto; of core memory: score or judge
	DryRun    bool            `json:"dry_run,omitempty"`   // only tell what would happen; it can be adopted later
	Model     string          `json:"model,omitempty"`     // that sums up or judges; "" = the agent's
	Threshold float64         `json:"threshold,omitempty"` // nothing happens below this share of the usable window; 0 = room is made in any case
	Target    float64         `json:"target,omitempty"`    // share of it that the prompt may have afterwards; of its budget, core memory
	Keep      float64         `json:"keep,omitempty"`      // of core memory: the importance, 0 to 10, below which entries leave; 0 = the agent's
	Trigger   memory.Trigger  `json:"trigger,omitempty"`   // user (default) or forecast
}

const compactOp = "make room"

// draft is a window being changed outside of a turn.
type draft struct {
	drafted
	conversation memory.Conversation
	in           window.Input
	lane         *lane
}

// idleWindow returns the window of a conversation as its last answer left it, for a change of it. While it is open no turn
// of the conversation can begin; EBUSY when one runs. end must be called.
func (s *Service) idleWindow(ctx context.Context, conversationID string) (d *draft, end func(), err error) {
	l, err := s.lane(conversationID)
	if err != nil {
		return nil, nil, err
	}
	l.tree.Lock()
	defer func() {
		if err != nil {
			l.tree.Unlock()
		}
	}()
	if s.Running(conversationID) != nil {
		return nil, nil, busy("room can be made when the answer is finished or stopped")
	}
	c, err := s.Store.Conversation(ctx, conversationID)
	if err != nil {
		return nil, nil, err
	}
	if d, err = s.windowAt(ctx, c, c.Head, nil); err != nil {
		return nil, nil, err
	}
	d.lane = l
	return d, l.tree.Unlock, nil
}

// windowAt returns what the window of a conversation is made of where a branch ends in leaf. With a selection the window is
// taken to hold that, else what the stored prefix says.
func (s *Service) windowAt(ctx context.Context, c memory.Conversation, leaf string, holds *memory.Selection) (*draft, error) {
	d := &draft{conversation: c}
	var err error
	if d.agent, err = s.Store.Agent(ctx, c.AgentID); err != nil {
		return nil, err
	}
	d.set, _ = s.setup(ctx, d.agent)
	if d.blocks, err = s.Store.Blocks(ctx, d.agent.ID); err != nil {
		return nil, err
	}
	if d.prefix, err = s.prefix(ctx, c.ID); err != nil {
		return nil, err
	}
	if leaf == "" || d.prefix == nil {
		return nil, memory.Errorf(memory.ECONFLICT, compactOp, "nothing has been said in this conversation that could leave its window")
	}
	if holds != nil {
		p := *d.prefix
		p.Selection, p.Model, p.Window = *holds, d.set.Model, d.set.Window
		d.prefix = &p
	}
	if d.path, err = s.path(ctx, leaf, "", d.prefix, d.set); err != nil {
		return nil, err
	}
	d.in = s.input(d.set, d.blocks, d.prefix, d.path)
	d.room, err = s.makeRoom(ctx, &d.in, d.agent, c.ID)
	return d, err
}

// reads has the path of a draft reach back to what another selection holds.
func (s *Service) reads(ctx context.Context, d *draft, sel memory.Selection) error {
	p := *d.prefix
	p.Selection, p.Model, p.Window = sel, d.set.Model, d.set.Window
	path, err := s.path(ctx, d.path[len(d.path)-1].ID, "", &p, d.set)
	if err != nil {
		return err
	}
	if sel.First != "" && !slices.ContainsFunc(path, func(m memory.Message) bool { return m.ID == sel.First }) {
		return memory.Errorf(memory.ECONFLICT, compactOp, "that was made on another branch of the conversation; choose that branch first")
	}
	// what the present window holds must be known too, so that what leaves it is told
	at := 0
	if p := d.prefix; p.First != "" {
		at = slices.IndexFunc(path, func(m memory.Message) bool { return m.ID == p.First })
	}
	if at >= 0 {
		if path, err = s.withKept(ctx, path, d.prefix); err != nil {
			return err
		}
		slices.SortStableFunc(path, func(a, b memory.Message) int { return cmp.Compare(a.ID, b.ID) })
	}
	d.path, d.in.Path = path, path
	d.room, err = s.makeRoom(ctx, &d.in, d.agent, d.conversation.ID)
	return err
}

// decide assembles the window of a draft with room made in it, and returns the record of it.
func (s *Service) decide(d *draft, req CompactRequest) (*memory.Compaction, error) {
	began := time.Now()
	if req.Target > 0 {
		d.in.Room.Target, d.room.room.CompactTo = req.Target, req.Target
	}
	before, err := asItIs(d.in)
	if err != nil {
		return nil, err
	}
	full := float64(before.Prompt) / float64(max(before.Usable, 1))
	strategy := cmp.Or(req.Strategy, d.room.room.Compaction)
	turns := d.prefix.Turns + turnsSince(d.path, "")
	if strategy == memory.StrategyAuto {
		if strategy = compaction.Auto(turns, full > cmp.Or(req.Threshold, d.room.room.CompactAt)); strategy == "" && turns >= compaction.FewTurns {
			strategy = compaction.Auto(turns, true)
		}
		if strategy == "" {
			return nil, memory.Errorf(memory.ECONFLICT, compactOp, "the conversation has only %d turns and takes %d %% of the usable window; there is no need for room", turns, int(100*full))
		}
	}
	if req.Threshold > 0 && full <= req.Threshold {
		return nil, memory.Errorf(memory.ECONFLICT, compactOp, "the conversation takes %d %% of the usable window, which is below %d %%", int(100*full), int(100*req.Threshold))
	}
	d.room.room.Compaction, d.room.summed = strategy, strategy == memory.StrategySummary
	d.in.ForceRebase, d.in.Room.Now, d.in.Apply = window.ReasonCompaction, true, nil
	d.request, err = window.Assemble(d.in)
	if err != nil {
		return nil, err
	}
	d.request.Before = &before
	d.request.Prefix.ConversationID, d.request.Prefix.Window = d.conversation.ID, d.set.Window
	made := d.room.record(d.agent, d.prefix, d.request, cmp.Or(req.Trigger, memory.TriggerUser), d.path[len(d.path)-1].ID, time.Since(began))
	if made == nil {
		return nil, memory.Errorf(memory.ECONFLICT, compactOp, "nothing can leave the window: the last turns stay, and so does what is pinned")
	}
	return made, nil
}

// Compact makes room in the window of a conversation while no turn of it runs, and returns the record. A summary is made in
// the background: the record is pending until it has taken effect. With DryRun nothing happens but the record, which can be
// adopted. ECONFLICT when there is nothing to do, EBUSY while a turn runs.
func (s *Service) Compact(ctx context.Context, conversationID string, req CompactRequest) (memory.Compaction, error) {
	if err := req.check(); err != nil {
		return memory.Compaction{}, err
	}
	if s.summing(conversationID) {
		return memory.Compaction{}, busy("a summary of this conversation is being made; wait until it is done")
	}
	d, end, err := s.idleWindow(ctx, conversationID)
	if err != nil {
		return memory.Compaction{}, err
	}
	defer end()
	made, err := s.decide(d, req)
	if err != nil {
		return memory.Compaction{}, err
	}
	return s.carryOut(ctx, d, made, req)
}

// carryOut does what was decided, or stores what would be done.
func (s *Service) carryOut(ctx context.Context, d *draft, made *memory.Compaction, req CompactRequest) (memory.Compaction, error) {
	switch {
	case made.Strategy == memory.StrategySummary:
		made.State, made.Model, made.DryRun = memory.CompactionPending, cmp.Or(req.Model, d.set.Model), req.DryRun
		c, err := s.Store.SaveCompaction(ctx, *made)
		if err == nil {
			s.sumUp(c)
		}
		return c, err
	case req.DryRun:
		made.State = memory.CompactionTried
		return s.Store.SaveCompaction(ctx, *made)
	}
	if err := s.rebased(ctx, &d.request.Prefix, d.request.Plan.Prompt, made); err != nil {
		return *made, err
	}
	s.warmLater(d.conversation.ID, made.ID)
	if req.Strategy == memory.StrategyAuto && compaction.Summarises(d.room.turns) {
		s.followUp(d.set, made)
	}
	return *made, nil
}

func (r CompactRequest) check() error {
	switch r.Strategy {
	case "", memory.StrategyAuto, memory.StrategySliding, memory.StrategyPriority, memory.StrategySummary:
	default:
		return memory.Errorf(memory.EINVALID, compactOp, "strategy must be auto, sliding_window, priority or summary")
	}
	for _, share := range []float64{r.Threshold, r.Target} {
		if share < 0 || share > 1 {
			return memory.Errorf(memory.EINVALID, compactOp, "threshold and target are shares of the usable window, from 0 to 1")
		}
	}
	switch r.Trigger {
	case "", memory.TriggerUser, memory.TriggerForecast:
	default:
		return memory.Errorf(memory.EINVALID, compactOp, "trigger must be user or forecast")
	}
	if r.Keep != 0 {
		return memory.Errorf(memory.EINVALID, compactOp, "keep is of compactions of core memory")
	}
	return nil
}

// checkCore checks a request for a replay of a core compaction.
func (r CompactRequest) checkCore() error {
	switch {
	case r.Strategy != "" && r.Strategy != memory.StrategyScore && r.Strategy != memory.StrategyJudge:
		return memory.Errorf(memory.EINVALID, coreOp, "strategy must be score or judge")
	case r.Target < 0 || r.Target > 1:
		return memory.Errorf(memory.EINVALID, coreOp, "target is a share of the budget, from 0 to 1")
	case r.Keep < 0 || r.Keep > 10:
		return memory.Errorf(memory.EINVALID, coreOp, "keep is an importance from 0 to 10")
	case r.Threshold != 0:
		return memory.Errorf(memory.EINVALID, coreOp, "threshold is of compactions of messages")
	}
	return nil
}

// transcript returns the record of a compaction of messages in one of the states.
func (s *Service) transcript(ctx context.Context, id string, states ...memory.CompactionState) (memory.Compaction, error) {
	c, err := s.Store.Compaction(ctx, id)
	switch {
	case err != nil:
		return c, err
	case c.Kind != memory.CompactionTranscript || c.Now == nil || c.Was == nil:
		return c, memory.Errorf(memory.EINVALID, compactOp, "that is no compaction of messages")
	case !slices.Contains(states, c.State):
		return c, c.State.Conflict(compactOp)
	}
	return c, nil
}

// UndoCompaction brings the messages that a compaction moved out of the window back into it, as far as they fit. Nothing
// leaves then before the window is really full. ECONFLICT when the window has been changed since, EBUSY while a turn runs.
func (s *Service) UndoCompaction(ctx context.Context, id string) (memory.Compaction, error) {
	if c, err := s.Store.Compaction(ctx, id); err == nil && c.Kind == memory.CompactionCore {
		return s.undoCore(ctx, id, false)
	}
	return s.swing(ctx, id, memory.CompactionDone, memory.CompactionUndone)
}

// RedoCompaction has a compaction that was undone take effect again.
func (s *Service) RedoCompaction(ctx context.Context, id string) (memory.Compaction, error) {
	if c, err := s.Store.Compaction(ctx, id); err == nil && c.Kind == memory.CompactionCore {
		return s.undoCore(ctx, id, true)
	}
	return s.swing(ctx, id, memory.CompactionUndone, memory.CompactionDone)
}

// AdoptCompaction has what was only tried take effect.
func (s *Service) AdoptCompaction(ctx context.Context, id string) (memory.Compaction, error) {
	if c, err := s.Store.Compaction(ctx, id); err == nil && c.Kind == memory.CompactionCore {
		return s.adoptCore(ctx, id)
	}
	return s.swing(ctx, id, memory.CompactionTried, memory.CompactionDone)
}

// swing takes a compaction from one state to another, and the window with it.
func (s *Service) swing(ctx context.Context, id string, from, to memory.CompactionState) (memory.Compaction, error) {
	c, err := s.transcript(ctx, id, from)
	if err != nil {
		return c, err
	}
	d, end, err := s.idleWindow(ctx, c.ConversationID)
	if err != nil {
		return c, err
	}
	defer end()
	if c, err = s.transcript(ctx, id, from); err != nil { // somebody else may have been faster
		return c, err
	}
	apply, reason := *c.Now, window.ReasonCompaction
	switch from {
	case memory.CompactionDone:
		apply, reason = *c.Was, "undo"
		apply.Held = true
		if d.prefix.First != c.Now.First || d.prefix.Summary != c.Now.Summary || d.prefix.Left != c.Now.Left {
			return c, memory.Errorf(memory.ECONFLICT, compactOp, "room has been made again since; undo the later compactions first")
		}
	case memory.CompactionUndone:
		if d.prefix.First > c.Now.First && c.Now.First != "" {
			return c, memory.Errorf(memory.ECONFLICT, compactOp, "room has been made again since; undo the later compactions first")
		}
	}
	// What leaves is told from what stands in the window now; what is to be applied may reach less far back.
	before, err := asItIs(d.in)
	if err != nil {
		return c, err
	}
	held := d.path
	if err := s.reads(ctx, d, apply); err != nil {
		return c, err
	}
	d.in.ForceRebase, d.in.Apply = reason, &apply
	d.in.Room.Choose, d.in.Room.Target = nil, 1 // as many as there is room for, if not for all
	if d.request, err = window.Assemble(d.in); err != nil {
		return c, err
	}
	p := d.request.Prefix
	p.ConversationID, p.Window = d.conversation.ID, d.set.Window
	if from == memory.CompactionTried {
		was := d.prefix.Selection
		c.Was, c.Before, c.After = &was, &before, &d.request.Plan
		c.TokensBefore, c.TokensAfter, c.Evicted = before.Prompt, d.request.Plan.Prompt, leaving(held, was, d.request.Prefix.Selection)
	}
	c.State = to
	if c.UndoneAt = (time.Time{}); to == memory.CompactionUndone {
		c.UndoneAt = s.Clock()
	}
	if to == memory.CompactionDone {
		now := p.Selection
		c.Now = &now
	}
	if err := s.rebased(ctx, &p, d.request.Plan.Prompt, &c); err != nil {
		return c, err
	}
	s.warmLater(d.conversation.ID, c.ID)
	return c, nil
}

// leaving returns the ids of the messages of a path that stand in a window and not in another one, oldest first.
func leaving(path []memory.Message, was, now memory.Selection) []string {
	inside := func(sel memory.Selection, id string) bool {
		return sel.First == "" || id >= sel.First || slices.Contains(sel.Kept, id)
	}
	var ids []string
	for _, m := range path {
		if inside(was, m.ID) && !inside(now, m.ID) {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// plain is an input without what changes the window.
func plain(in window.Input) window.Input {
	in.ForceRebase, in.Apply, in.Room.Now = "", nil, false
	return in
}

// asItIs returns the plan of a window as it stands, also where the next message would find it too full.
func asItIs(in window.Input) (memory.Plan, error) {
	r, err := window.Assemble(plain(in))
	if r.Before != nil {
		return *r.Before, err
	}
	return r.Plan, err
}

// ReplayCompaction tries a compaction again from what the window held then, in another way. Nothing happens but the record.
func (s *Service) ReplayCompaction(ctx context.Context, id string, req CompactRequest) (memory.Compaction, error) {
	if c, err := s.Store.Compaction(ctx, id); err == nil && c.Kind == memory.CompactionCore {
		if err := req.checkCore(); err != nil {
			return memory.Compaction{}, err
		}
		return s.replayCore(ctx, c, req)
	}
	if err := req.check(); err != nil {
		return memory.Compaction{}, err
	}
	old, err := s.transcript(ctx, id, memory.CompactionDone, memory.CompactionUndone, memory.CompactionTried, memory.CompactionPending, memory.CompactionFailed)
	if err != nil {
		return old, err
	}
	c, err := s.Store.Conversation(ctx, old.ConversationID)
	if err != nil {
		return old, err
	}
	d, err := s.windowAt(ctx, c, old.Leaf, old.Was)
	if err != nil {
		return old, err
	}
	req.Strategy, req.DryRun = cmp.Or(req.Strategy, old.Strategy), true
	if req.Strategy == memory.StrategyStubs {
		req.Strategy = memory.StrategySliding
	}
	made, err := s.decide(d, req)
	if err != nil {
		return memory.Compaction{}, err
	}
	made.Trigger, made.Replays = memory.TriggerReplay, old.ID
	return s.carryOut(ctx, d, made, req)
}

// coldAfter is how long after the last message an engine certainly holds nothing of a chat any more.
const coldAfter = 45 * time.Minute

// Refresh writes the beginning of a conversation's prompt anew where the engine holds nothing of it any more, so that it costs
// nothing: with core memory as it is now, without what was paged in and has expired. It reports whether it did. Call it while
// nothing is asked of the engine, before Warm.
func (s *Service) Refresh(ctx context.Context, conversationID string) (bool, error) {
	c, err := s.Store.Conversation(ctx, conversationID)
	if err != nil || c.Head == "" || s.Clock().Sub(c.UpdatedAt) < coldAfter {
		return false, err
	}
	d, end, err := s.idleWindow(ctx, conversationID)
	if code := memory.CodeOf(err); code == memory.EBUSY || code == memory.ECONFLICT {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer end()
	before, err := asItIs(d.in)
	if err != nil {
		return false, err
	}
	d.in.ForceRebase = "idle"
	if d.request, err = window.Assemble(d.in); err != nil {
		return false, err
	}
	p := &d.request.Prefix
	if d.request.Plan.Prompt >= before.Prompt && p.System == d.prefix.System {
		return false, nil
	}
	p.ConversationID, p.Window = d.conversation.ID, d.set.Window
	return true, s.rebased(ctx, p, d.request.Plan.Prompt, d.room.record(d.agent, d.prefix, d.request, memory.TriggerThreshold, d.path[len(d.path)-1].ID, 0))
}
