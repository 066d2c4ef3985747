package agent

import (
	"context"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/backend/compaction"
	"recollect/backend/engine"
	"recollect/backend/fact"
	"recollect/backend/memory"
	"recollect/backend/segment"
	"recollect/backend/store"
	"recollect/backend/window"
	"recollect/backend/wish"
)

// Core compaction moves the least important entries of an agent's blocks to its archive. It is decided in the background,
// with a model's judgement where there is one, while no turn runs; then the prompt is written anew, so that no delta tells
// the model of blocks that grew shorter. Where a prompt would not fit before that, signals alone decide at once.

const (
	choreCore     = "core compaction"
	coreOp        = "compact core memory"
	judgeOff      = "off"            // of memory.Room.CoreJudge
	judgeStall    = 90 * time.Second // without a sign of life from the model
	usedReceipts  = 40               // of the last answers, in which it is looked for what the user comes back to
	talkMessages  = 12               // of the present conversation
	usedShare     = .34              // of an entry's words that a message about it has
	revisionsRead = 500              // of a block, in which it is looked for who wrote an entry
	restoredFrom  = 10               // compactions in which it is looked for what the user put back
	archiveLooks  = 3                // passages that are compared with an entry that is to leave
	coreTries     = 3                // when blocks change meanwhile
)

// CoreRequest asks for room in core memory.
type CoreRequest struct {
	BlockID        string         // "" = all blocks
	ConversationID string         // that it is asked for in, "" = none
	DryRun         bool           // only tell what would leave by signals alone; nothing is stored
	Trigger        memory.Trigger // "" = user
}

// coreRoom are an agent's choices about core memory.
type coreRoom struct {
	at, to, keep float64
	judge        bool
}

func coreRoomOf(a memory.Agent) coreRoom {
	at := first(a.Room.CoreAt, compaction.DefaultCoreAt)
	return coreRoom{
		at: at, to: below(at, first(a.Room.CoreTo, compaction.DefaultCoreTo)),
		keep: first(a.Room.CoreKeep, compaction.DefaultCoreKeep), judge: a.Room.CoreJudge != judgeOff,
	}
}

// CompactCore has an agent's core memory, or one block, compacted in the background, and returns the record, which is
// pending until it is done; asked for again meanwhile, it is the same. A dry run returns at once what would leave.
func (s *Service) CompactCore(ctx context.Context, agentID string, req CoreRequest) (memory.Compaction, error) {
	switch req.Trigger {
	case "":
		req.Trigger = memory.TriggerUser
	case memory.TriggerUser, memory.TriggerForecast, memory.TriggerWords, memory.TriggerTool, memory.TriggerThreshold, memory.TriggerBlock:
	default:
		return memory.Compaction{}, memory.Errorf(memory.EINVALID, coreOp, "trigger must be user or forecast")
	}
	a, err := s.Store.Agent(ctx, agentID)
	if err != nil {
		return memory.Compaction{}, err
	}
	c := memory.Compaction{
		Kind: memory.CompactionCore, AgentID: a.ID, ConversationID: req.ConversationID, BlockID: req.BlockID, Trigger: req.Trigger,
		Strategy: memory.StrategyScore, State: memory.CompactionPending,
	}
	if req.BlockID != "" {
		blocks, err := s.Store.Blocks(ctx, a.ID)
		if err != nil {
			return c, err
		}
		if !slices.ContainsFunc(blocks, func(b memory.Block) bool { return b.ID == req.BlockID }) {
			return c, memory.Errorf(memory.ENOTFOUND, coreOp, "the agent has no block %q", req.BlockID)
		}
	}
	if req.DryRun {
		m, err := s.coreMemory(ctx, a, &c)
		if err != nil {
			return c, err
		}
		m.choose()
		c.State = memory.CompactionTried
		return c, nil
	}
	s.resumed.Do(s.resume)
	pending, err := s.Store.PendingCore(ctx)
	if err != nil {
		return c, err
	}
	for _, p := range pending {
		if p.AgentID == c.AgentID && p.BlockID == c.BlockID && !p.DryRun {
			return p, nil
		}
	}
	if c, err = s.Store.SaveCompaction(ctx, c); err != nil {
		return c, err
	}
	s.compactLater(c)
	return c, nil
}

// compactLater has a pending compaction made when no turn runs.
func (s *Service) compactLater(c memory.Compaction) {
	id, judge := c.ID, &compaction.Judge{Stall: judgeStall}
	s.chore(&chore{name: choreCore, conversation: c.ConversationID, run: func(ctx context.Context) error { return s.compactCore(ctx, id, judge) }})
}

// resumeCore takes up what was asked for before the app ended.
func (s *Service) resumeCore() {
	list, err := s.Store.PendingCore(s.ctx)
	if err != nil {
		s.Log.Warn("core compactions that were asked for", "error", err)
	}
	for _, c := range list {
		s.compactLater(c)
	}
}

// compactCore makes a pending compaction. The context ends when a turn begins; then nothing has happened, and it is called
// again.
func (s *Service) compactCore(ctx context.Context, id string, judge *compaction.Judge) error {
	c, err := s.Store.Compaction(ctx, id)
	if err != nil || c.State != memory.CompactionPending {
		return err
	}
	if c.DryRun {
		if _, err := s.tryCore(ctx, c, judge); err != nil {
			return s.coreFailed(ctx, c, err)
		}
		return nil
	}
	began := time.Now()
	a, err := s.Store.Agent(ctx, c.AgentID)
	if err != nil {
		return s.coreFailed(ctx, c, err)
	}
	for try := 1; ; try++ {
		m, err := s.coreMemory(ctx, a, &c)
		if err != nil {
			return s.coreFailed(ctx, c, err)
		}
		if m.room.judge && m.worthJudging() {
			if m.mute != nil {
				c.Problem = memory.ProblemOf(m.mute) // the record says why signals decided
			} else if err := m.judge(ctx, judge); err != nil {
				return err
			}
		}
		m.choose()
		if c.DurationMs = time.Since(began).Milliseconds(); ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c, err = m.apply(ctx)
		if memory.CodeOf(err) == memory.ECONFLICT && m.changed() && try < coreTries {
			if c, err = s.Store.Compaction(ctx, id); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			return s.coreFailed(ctx, c, err)
		}
		s.rebaseCore(ctx, c)
		return nil
	}
}

// coreFailed stores that a compaction came to nothing. Blocks and archive are as they were.
func (s *Service) coreFailed(ctx context.Context, c memory.Compaction, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.State, c.Problem, c.Values, c.Revisions = memory.CompactionFailed, memory.ProblemOf(err), nil, nil
	for i := range c.Entries {
		c.Entries[i].Action, c.Entries[i].PassageID = memory.EntryStays, ""
	}
	c.TokensAfter, c.AppliedAt = c.TokensBefore, s.Clock()
	_, storing := s.Store.SaveCompaction(ctx, c)
	return storing
}

// coreMemory is an agent's core memory while it is compacted.
type coreMemory struct {
	s      *Service
	agent  memory.Agent
	set    setup
	mute   error // why no model can judge, nil where one can
	room   coreRoom
	c      *memory.Compaction
	blocks []memory.Block // all of the agent
	talk   string         // what the user said lately in the conversation
}

// coreMemory reads the blocks that a compaction is about and scores their entries by signals.
func (s *Service) coreMemory(ctx context.Context, a memory.Agent, c *memory.Compaction) (*coreMemory, error) {
	m := &coreMemory{s: s, agent: a, room: coreRoomOf(a), c: c}
	m.settle(ctx, a)
	var err error
	if m.blocks, err = s.Store.Blocks(ctx, a.ID); err != nil {
		return nil, err
	}
	weights, err := s.Store.CoreWeights(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	known, err := m.known(ctx)
	if err != nil {
		return nil, err
	}
	scorer := compaction.Scorer{Now: s.Clock(), Weights: weights.Kinds}
	c.Entries, c.Values, c.Held, c.Strategy, c.Model, c.Prompt, c.Output, c.Attempts, c.Problem = nil, nil, nil, memory.StrategyScore, "", "", "", 0, nil
	for _, b := range m.scope() {
		for i, e := range compaction.Split(b.Value) {
			scored := scorer.Score(b, e, known[b.ID][i])
			scored.Tokens = m.set.counter.Count(e.Text)
			c.Entries = append(c.Entries, scored)
		}
	}
	c.TokensBefore, c.Required = m.size(m.blocks)
	c.TokensAfter = c.TokensBefore
	return m, nil
}

// scope returns the blocks that the compaction is about.
func (m *coreMemory) scope() []memory.Block {
	if m.c.BlockID == "" {
		return m.blocks
	}
	i := slices.IndexFunc(m.blocks, func(b memory.Block) bool { return b.ID == m.c.BlockID })
	if i < 0 {
		return nil
	}
	return m.blocks[i : i+1]
}

// size returns the tokens of what the compaction is about, and how many of them are too many.
func (m *coreMemory) size(blocks []memory.Block) (tokens, tooMany int) {
	used, budget, each := window.CoreUsage(blocks, m.set.counter, m.set.Window, m.set.CoreShare)
	if m.c.BlockID == "" {
		return used, max(0, used-int(m.room.to*float64(budget)))
	}
	for i, b := range blocks {
		if b.ID != m.c.BlockID {
			continue
		}
		chars, wanted := utf8.RuneCountInString(b.Value), m.room.to*float64(b.Limit)
		if chars == 0 || float64(chars) <= wanted {
			return each[i], 0
		}
		return each[i], int(float64(m.set.counter.Count(b.Value)) * (1 - wanted/float64(chars)))
	}
	return 0, 0
}

// settle looks up what the agent's model and window are.
func (m *coreMemory) settle(ctx context.Context, a memory.Agent) {
	if m.set, m.mute = m.s.setup(ctx, a); m.mute == nil && m.set.Model == "" {
		m.mute = memory.Errorf(memory.EMODEL, coreOp, "no model is chosen")
	}
}

// worthJudging reports whether something would leave: a model is asked only where there is something to decide.
func (m *coreMemory) worthJudging() bool {
	return m.c.Required > 0 || slices.ContainsFunc(m.c.Entries, func(e memory.CompactionEntry) bool {
		return e.Protected == "" && e.Score < m.room.keep
	})
}

// judge lets the model score the entries. It fails only when ctx ends.
func (m *coreMemory) judge(ctx context.Context, j *compaction.Judge) error {
	profile := m.set.profile
	j.Language, j.Thinks = m.set.Language, profile.Thinking && profile.Parser != ""
	j.Room, j.Count = m.set.Window*9/10, m.set.counter.Count
	j.Ask = func(ctx context.Context, q compaction.Question, alive func()) (string, error) {
		req := engine.ChatRequest{
			Model: m.set.Model, NumCtx: m.set.Window, NumPredict: q.MaxTokens, Priority: engine.PriorityBackground, Conversation: m.c.ConversationID,
			Temperature: ptr(retryTemperature), Format: q.Schema, Messages: []engine.Message{{Role: "user", Content: q.Text}},
			Progress: func(engine.Progress) { alive() },
		}
		if j.Thinks {
			req.Think = ptr(true) // with a built-in parser the engine drops the schema otherwise
		}
		res, err := m.s.beside(ctx, memory.CallJudge, m.agent.ID, req, func(engine.Chunk) error { alive(); return nil })
		return res.Message.Content, err
	}
	got, err := j.Score(ctx, m.c.Entries, m.room.keep, m.talk)
	if err != nil {
		return err
	}
	m.c.Model, m.c.Attempts, m.c.Prompt, m.c.Output = m.set.Model, got.Calls, got.Prompt, got.Output
	if got.Entries > 0 {
		m.c.Strategy = memory.StrategyJudge
	}
	if got.Err != nil { // the record says why signals decided
		m.c.Problem = memory.ProblemOf(got.Err)
	}
	return nil
}

// choose decides what leaves.
func (m *coreMemory) choose() {
	c := m.c
	required := c.Required
	for range coreTries { // tokens of a whole are not the sum of its parts
		var freed int
		freed, c.Held = compaction.ChooseCore(c.Entries, required, m.room.keep)
		c.Values = compaction.Values(c.Entries)
		var still int
		if c.TokensAfter, still = m.size(m.after()); still == 0 || freed < required {
			break
		}
		required += still
	}
	if frame := c.TokensBefore - total(c.Entries); frame > 0 {
		c.Held[string(memory.ProtectStructure)] += frame
	}
}

func total(entries []memory.CompactionEntry) (n int) {
	for _, e := range entries {
		n += e.Tokens
	}
	return n
}

// after returns the agent's blocks as they would be.
func (m *coreMemory) after() []memory.Block {
	blocks := slices.Clone(m.blocks)
	for _, v := range m.c.Values {
		for i := range blocks {
			if blocks[i].ID == v.BlockID {
				blocks[i].Value = v.After
			}
		}
	}
	return blocks
}

// apply carries the decision out. ECONFLICT when there is nothing to do, or a block has changed meanwhile.
func (m *coreMemory) apply(ctx context.Context) (memory.Compaction, error) {
	c := m.c
	if len(c.Values) == 0 {
		if c.Required > 0 {
			return *c, memory.Errorf(memory.ELIMIT, coreOp, "%d tokens would have to go, but all that is there is who you both are, pinned, read-only or shared; unpin or shorten something", c.Required)
		}
		return *c, memory.Errorf(memory.ECONFLICT, coreOp, "nothing in core memory is unimportant enough to leave it")
	}
	passages := map[int]memory.Passage{}
	var texts []string
	for i, e := range c.Entries {
		if !e.Action.Left() {
			continue
		}
		p := compaction.Passage(m.agent.ArchiveID, e)
		if same := slices.IndexFunc(texts, func(t string) bool { return wish.Same(t, p.Text) }); same >= 0 {
			p.Text = texts[same] // one passage for both
		} else {
			p.ID = m.s.inArchive(ctx, p)
			texts = append(texts, p.Text)
		}
		passages[i] = p
	}
	done, err := m.s.Store.ApplyCore(ctx, *c, passages, memory.Cause{Actor: memory.ActorSystem, AgentID: c.AgentID, ConversationID: c.ConversationID})
	if err != nil {
		return *c, err
	}
	m.s.coreChanged(done)
	return done, nil
}

// changed reports whether a block is not as the compaction has it any more.
func (m *coreMemory) changed() bool {
	blocks, err := m.s.Store.Blocks(m.s.ctx, m.agent.ID)
	return err == nil && slices.ContainsFunc(m.c.Values, func(v memory.BlockValues) bool {
		return !slices.ContainsFunc(blocks, func(b memory.Block) bool { return b.ID == v.BlockID && b.Value == v.Before })
	})
}

// inArchive returns the id of a passage that says the same, "" where there is none.
func (s *Service) inArchive(ctx context.Context, p memory.Passage) string {
	found, _, err := s.Recall.SearchPassages(ctx, p.ArchiveID, p.Text, nil, "any", time.Time{}, time.Time{}, archiveLooks, "")
	if err != nil {
		s.Log.Warn("core compaction: search the archive", "error", err)
	}
	for _, f := range found {
		if f.Document == nil && wish.Same(f.Text, p.Text) {
			return f.ID
		}
	}
	return ""
}

// coreChanged notes that an agent's blocks were changed by a compaction: prompts are written anew.
func (s *Service) coreChanged(c memory.Compaction) {
	s.mu.Lock()
	s.cores[c.AgentID] = c.AppliedAt
	s.mu.Unlock()
	s.Recall.Wake()
}

// coreRebase returns the reason to write a prefix anew where core memory was compacted since, "" where it was not.
func (s *Service) coreRebase(agentID string, p *memory.Prefix) string {
	s.mu.Lock()
	at, ok := s.cores[agentID]
	s.mu.Unlock()
	if !ok {
		c, err := s.Store.NewestCore(s.ctx, agentID)
		if err != nil && memory.CodeOf(err) != memory.ENOTFOUND {
			return ""
		}
		at = c.AppliedAt
		s.mu.Lock()
		s.cores[agentID] = at
		s.mu.Unlock()
	}
	if p == nil || !p.CreatedAt.Before(at) {
		return ""
	}
	return window.ReasonCompaction
}

// rebaseCore writes the prompt of the conversation anew, or of the agent's newest, and has the engine read it, so that the
// next answer does not wait for that.
func (s *Service) rebaseCore(ctx context.Context, c memory.Compaction) {
	id := c.ConversationID
	if id == "" {
		list, _, err := s.Store.Conversations(ctx, store.ConversationFilter{AgentID: c.AgentID})
		if err != nil || len(list) == 0 {
			return
		}
		id = slices.MaxFunc(list, func(x, y memory.Conversation) int { return x.UpdatedAt.Compare(y.UpdatedAt) }).ID
	}
	d, end, err := s.idleWindow(ctx, id)
	if err != nil {
		return // a turn runs, or nothing was said yet: the next request does it
	}
	defer end()
	began := time.Now()
	d.in.ForceRebase = window.ReasonCompaction
	if d.request, err = window.Assemble(d.in); err != nil {
		s.Log.Warn("core compaction: prompt", "conversation", id, "error", err)
		return
	}
	p := d.request.Prefix
	p.ConversationID, p.Window = id, d.set.Window
	made := d.room.record(d.agent, d.prefix, d.request, memory.TriggerThreshold, d.path[len(d.path)-1].ID, time.Since(began))
	if err := s.rebased(ctx, &p, d.request.Plan.Prompt, made); err != nil {
		s.Log.Warn("core compaction: prompt", "conversation", id, "error", err)
		return
	}
	s.warmLater(id, c.ID)
}

// undoCore takes a core compaction back, or does it again.
func (s *Service) undoCore(ctx context.Context, id string, redo bool) (memory.Compaction, error) {
	turn, cause := s.Store.UndoCore, "undo"
	if redo {
		turn, cause = s.Store.RedoCore, "redo"
	}
	c, err := turn(ctx, id, memory.Cause{Actor: memory.ActorUser}, s.teach(cause, 0))
	if err != nil {
		return c, err
	}
	s.coreChanged(c)
	s.rebaseCore(ctx, c)
	return c, nil
}

// RestoreEntry puts an entry that left core memory back into its old place. ECONFLICT when it is there.
func (s *Service) RestoreEntry(ctx context.Context, compactionID string, n int) (memory.Compaction, error) {
	c, err := s.Store.RestoreEntry(ctx, compactionID, n, compaction.Place, memory.Cause{Actor: memory.ActorUser}, s.teach("restore", n))
	if err != nil {
		return c, err
	}
	s.coreChanged(c)
	s.rebaseCore(ctx, c)
	return c, nil
}

func (s *Service) teach(cause string, n int) store.Learn {
	return func(w memory.CompactionWeights, c memory.Compaction) memory.CompactionWeights {
		return compaction.Teach(w, c, cause, n, s.Clock())
	}
}

// considerCore compacts core memory after a turn where it has grown too large: the whole of it, or a block. blocks are core
// memory as the turn's last request had it, nil where it made none.
func (s *Service) considerCore(ctx context.Context, a memory.Agent, set setup, blocks []memory.Block, conversationID string) {
	if blocks == nil {
		var err error
		if blocks, err = s.Store.Blocks(ctx, a.ID); err != nil {
			s.Log.Warn("core compaction", "agent", a.ID, "error", err)
			return
		}
	}
	room := coreRoomOf(a)
	used, budget, each := window.CoreUsage(blocks, set.counter, set.Window, set.CoreShare)
	if float64(used) > room.at*float64(budget) && s.rested(ctx, a.ID, "", used, budget) {
		s.compactOver(ctx, a.ID, CoreRequest{ConversationID: conversationID, Trigger: memory.TriggerThreshold})
		return
	}
	for i, b := range blocks {
		full := float64(utf8.RuneCountInString(b.Value)) > room.at*float64(b.Limit)
		if full && !b.ReadOnly && !b.Pinned && s.rested(ctx, a.ID, b.ID, each[i], each[i]) {
			s.compactOver(ctx, a.ID, CoreRequest{BlockID: b.ID, ConversationID: conversationID, Trigger: memory.TriggerBlock})
		}
	}
}

func (s *Service) compactOver(ctx context.Context, agentID string, req CoreRequest) {
	if _, err := s.CompactCore(ctx, agentID, req); err != nil {
		s.Log.Warn("core compaction", "agent", agentID, "error", err)
	}
}

// rested reports whether the last compaction is long enough ago, or enough was added since.
func (s *Service) rested(ctx context.Context, agentID, blockID string, used, budget int) bool {
	list, _, err := s.Store.Compactions(ctx, store.CompactionFilter{AgentID: agentID, Kind: memory.CompactionCore, Limit: restoredFrom})
	if err != nil {
		return false
	}
	for _, c := range list {
		if c.BlockID != blockID || c.DryRun {
			continue
		}
		if c.State == memory.CompactionPending {
			return false
		}
		left := c.TokensAfter // that it left core memory with, with what the user put back since
		for _, e := range c.Entries {
			if e.Action == memory.EntryRestored {
				left += e.Tokens
			}
		}
		if c.State == memory.CompactionUndone {
			left = c.TokensBefore
		}
		turns, err := s.Store.TurnsSince(ctx, agentID, c.AppliedAt)
		return err == nil && (turns >= compaction.RestTurns || float64(used-left) >= compaction.RestShare*float64(budget))
	}
	return true
}

// compactCoreNow compacts core memory by signals alone, at once, where a request does not fit and core memory takes more
// than its share; tokens is how many are too many. It reports whether something left: nothing does where that would not help.
func (t *turn) compactCoreNow(tokens int) bool {
	ctx, cancel := t.storing()
	defer cancel()
	c := memory.Compaction{
		Kind: memory.CompactionCore, AgentID: t.agent.ID, ConversationID: t.job.user.ConversationID, Trigger: memory.TriggerOverflow, State: memory.CompactionPending,
	}
	pending, err := t.s.Store.PendingCore(ctx)
	if err == nil {
		for _, p := range pending {
			if p.AgentID == c.AgentID && p.BlockID == "" && !p.DryRun { // it was to be judged; now there is no time
				c = p
			}
		}
	}
	began := time.Now()
	m, err := t.s.coreMemory(ctx, t.agent, &c)
	if err != nil {
		t.note("core memory", err)
		return false
	}
	used, budget, _ := window.CoreUsage(m.blocks, m.set.counter, m.set.Window, m.set.CoreShare)
	if float64(used) <= m.room.at*float64(budget) {
		return false
	}
	m.choose()
	if c.TokensBefore-c.TokensAfter < tokens {
		return false
	}
	c.DurationMs = time.Since(began).Milliseconds()
	if c, err = m.apply(ctx); err != nil {
		t.note("core memory", err)
		return false
	}
	return true
}

// known returns what is known about the entries of the blocks, by block, in the order of its entries.
func (m *coreMemory) known(ctx context.Context) (map[string][]compaction.Known, error) {
	s := m.s
	facts, _, err := s.Store.Facts(ctx, store.FactFilter{AgentID: m.agent.ID})
	if err != nil {
		return nil, err
	}
	said, err := m.said(ctx)
	if err != nil {
		return nil, err
	}
	restored, err := m.restored(ctx)
	if err != nil {
		return nil, err
	}
	seen := map[string]string{} // words of an entry → the first that has them
	known := map[string][]compaction.Known{}
	scope := map[string]bool{}
	for _, b := range m.scope() {
		scope[b.ID] = true
	}
	for _, b := range m.blocks {
		entries := compaction.Split(b.Value)
		ks := make([]compaction.Known, len(entries))
		shared := false
		if scope[b.ID] {
			agents, err := s.Store.BlockAgents(ctx, b.ID)
			if err != nil {
				return nil, err
			}
			shared = slices.ContainsFunc(agents, func(id string) bool { return id != m.agent.ID })
			if err := m.written(ctx, b, entries, ks); err != nil {
				return nil, err
			}
		}
		for i, e := range entries {
			if e.Structure {
				continue
			}
			k, text := &ks[i], e.Bare()
			words := telling(text)
			key := strings.Join(slices.Sorted(maps.Keys(words)), " ")
			if first, ok := seen[key]; ok && key != "" {
				k.Twice = wish.Same(first, text)
			} else {
				seen[key] = text
			}
			if !scope[b.ID] {
				continue
			}
			k.Shared = shared
			k.Restored = restored[b.ID+"\n"+strings.TrimSpace(e.Text)]
			for _, words2 := range said.messages {
				if about(words, words2) {
					k.Used++
				}
			}
			k.InTalk = about(words, said.talk)
			m.true(facts, e, k)
		}
		known[b.ID] = ks
	}
	return known, nil
}

// written finds the revisions that wrote the entries of a block, the newest that had them not before.
func (m *coreMemory) written(ctx context.Context, b memory.Block, entries []compaction.Entry, ks []compaction.Known) error {
	open := map[int]string{}
	for i, e := range entries {
		if !e.Structure {
			open[i] = strings.TrimSpace(e.Text)
		}
	}
	cursor := ""
	for read := 0; len(open) > 0 && read < revisionsRead; {
		revisions, next, err := m.s.Store.Revisions(ctx, store.RevisionFilter{Subject: memory.SubjectBlock, SubjectID: b.ID, Cursor: cursor, Limit: 100})
		if err != nil {
			return err
		}
		for _, r := range revisions {
			before, _ := r.Texts()
			for i, text := range open {
				if strings.Contains(before, text) {
					continue
				}
				k := &ks[i]
				k.Revision, k.Since, k.Origin = r.ID, r.CreatedAt, r.Cause.MessageID
				k.Remember = r.Cause.Actor == memory.ActorUser && strings.HasPrefix(r.Cause.Reason, string(wish.Remember))
				delete(open, i)
			}
		}
		if read, cursor = read+len(revisions), next; cursor == "" {
			break
		}
	}
	return nil
}

// true notes whether an entry states a fact that is true now, or one that is no longer.
func (m *coreMemory) true(facts []memory.Fact, e compaction.Entry, k *compaction.Known) {
	if len(facts) == 0 {
		return
	}
	text := e.Bare()
	now := m.s.Clock()
	statements := fact.OfLine(text, now)
	var holds, before bool
	for i := range facts {
		f := &facts[i]
		says := slices.ContainsFunc(statements, func(st memory.FactStatement) bool {
			return strings.EqualFold(st.Subject, f.Subject) && strings.EqualFold(st.Key, f.Key) && strings.EqualFold(st.Value, f.Value)
		}) || f.Origin != "" && f.Origin == k.Origin && strings.Contains(strings.ToLower(text), strings.ToLower(f.Value))
		if !says {
			continue
		}
		if f.Current(now) || f.Coming(now) {
			holds = true
			k.Pinned = k.Pinned || f.Pinned
		} else {
			before = true
		}
	}
	k.True, k.Replaced = holds, before && !holds
}

// said is what the user said lately: the words of each message, and those of the present conversation.
type said struct {
	messages []map[string]bool
	talk     map[string]bool
}

func (m *coreMemory) said(ctx context.Context) (said, error) {
	var out said
	receipts, _, err := m.s.Store.Receipts(ctx, m.agent.ID, "", usedReceipts)
	if err != nil {
		return out, err
	}
	for _, r := range receipts {
		out.messages = append(out.messages, telling(r.Query))
	}
	if m.c.ConversationID == "" {
		return out, nil
	}
	c, err := m.s.Store.Conversation(ctx, m.c.ConversationID)
	if memory.CodeOf(err) == memory.ENOTFOUND || err == nil && c.Head == "" {
		return out, nil
	}
	if err != nil {
		return out, err
	}
	path, err := m.s.Store.Path(ctx, c.Head, talkMessages, "")
	if err != nil {
		return out, err
	}
	var lines []string
	for _, msg := range path {
		if msg.Role == memory.RoleUser {
			lines = append(lines, shorten(msg.Content, 200))
		}
	}
	m.talk = strings.Join(lines, " / ")
	out.talk = telling(m.talk)
	return out, nil
}

// restored returns what the user put back after earlier compactions, by block and text.
func (m *coreMemory) restored(ctx context.Context) (map[string]bool, error) {
	list, _, err := m.s.Store.Compactions(ctx, store.CompactionFilter{AgentID: m.agent.ID, Kind: memory.CompactionCore, Limit: restoredFrom})
	out := map[string]bool{}
	for _, c := range list {
		for _, e := range c.Entries {
			if e.Action == memory.EntryRestored || c.State == memory.CompactionUndone && e.Action.Left() {
				out[e.BlockID+"\n"+strings.TrimSpace(e.Text)] = true
			}
		}
	}
	return out, err
}

// telling returns the words of a text that say what it is about.
func telling(text string) map[string]bool {
	out := map[string]bool{}
	for _, term := range segment.Query(shorten(text, 400)) {
		out[strings.TrimSuffix(strings.Trim(term, `"*`), "s")] = true
	}
	return out
}

// about reports whether a message with these words is about an entry with those.
func about(entry, message map[string]bool) bool {
	if len(entry) == 0 || len(message) == 0 {
		return false
	}
	n := 0
	for w := range entry {
		if message[w] {
			n++
		}
	}
	return float64(n) >= usedShare*float64(len(entry))
}

// tidied is what the user is told where core memory is to be compacted on their wish.
func (p phrases) tidied(c memory.Compaction, leaves int) string {
	if leaves == 0 {
		return p.pick("I will look through my core memory as soon as I am idle; nothing seems to have to leave it.", "我会在空闲时整理核心记忆；看起来没有需要移走的内容。")
	}
	return p.pick("I will tidy my core memory as soon as I am idle: about %d entries of %d go to the archive, where I find them again. You can undo it.",
		"我会在空闲时整理核心记忆：大约 %d 条（共 %d 条）会移到归档里，之后仍然找得到，也可以撤销。", leaves, len(c.Entries))
}

// coreLeaves returns how many entries of a compaction leave.
func coreLeaves(c memory.Compaction) (n int) {
	for _, e := range c.Entries {
		if e.Action.Left() {
			n++
		}
	}
	return n
}

// tidy has core memory compacted on the user's wish, or the model's, and returns what to say of it. label names a block, ""
// = all.
func (s *Service) tidy(ctx context.Context, a memory.Agent, language, label, conversationID string, trigger memory.Trigger) (string, error) {
	req := CoreRequest{ConversationID: conversationID, Trigger: trigger}
	if label != "" {
		blocks, err := s.Store.Blocks(ctx, a.ID)
		if err != nil {
			return "", err
		}
		i := slices.IndexFunc(blocks, func(b memory.Block) bool { return memory.SameLabel(b.Label, label) })
		if i < 0 {
			names := make([]string, len(blocks))
			for k, b := range blocks {
				names[k] = b.Label
			}
			return "", memory.Errorf(memory.ENOTFOUND, coreOp, "there is no block %q. The blocks are: %s.", label, strings.Join(names, ", "))
		}
		req.BlockID = blocks[i].ID
	}
	dry := req
	dry.DryRun = true
	would, err := s.CompactCore(ctx, a.ID, dry)
	if err != nil {
		return "", err
	}
	if _, err := s.CompactCore(ctx, a.ID, req); err != nil {
		return "", err
	}
	return phrases{language}.tidied(would, coreLeaves(would)), nil
}
