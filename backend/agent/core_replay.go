package agent

import (
	"cmp"
	"context"
	"slices"
	"time"

	"recollect/backend/compaction"
	"recollect/backend/memory"
)

// A core compaction is tried again in another way from its record: the entries as they were and what was found out about them
// then. Only a judge that was not asked then is asked now, in the background.

// replayCore tries a core compaction again with another target, threshold or judge. Nothing happens but the record.
func (s *Service) replayCore(ctx context.Context, old memory.Compaction, req CompactRequest) (memory.Compaction, error) {
	switch {
	case old.State == memory.CompactionPending:
		return old, old.State.Conflict(coreOp)
	case len(old.Entries) == 0:
		return old, memory.Errorf(memory.ECONFLICT, coreOp, "the compaction looked at nothing that could be chosen in another way")
	}
	c := memory.Compaction{
		Kind: memory.CompactionCore, AgentID: old.AgentID, ConversationID: old.ConversationID, BlockID: old.BlockID, Trigger: memory.TriggerReplay,
		Strategy: cmp.Or(req.Strategy, old.Strategy), State: memory.CompactionPending, DryRun: true, Replays: old.ID, Target: req.Target, Keep: req.Keep,
		Model: req.Model, Entries: slices.Clone(old.Entries),
	}
	judged := slices.ContainsFunc(old.Entries, func(e memory.CompactionEntry) bool { return e.ByModel })
	ask := c.Strategy == memory.StrategyJudge && (!judged || req.Model != "" && req.Model != old.Model)
	for i := range c.Entries {
		e := &c.Entries[i]
		e.Action, e.PassageID = memory.EntryStays, ""
		if e.ByModel && (ask || c.Strategy == memory.StrategyScore) {
			e.Score, e.Judged, e.ByModel, e.Reason = e.Basis, nil, false, e.Kind
		}
	}
	if ask {
		c, err := s.Store.SaveCompaction(ctx, c)
		if err == nil {
			s.compactLater(c)
		}
		return c, err
	}
	if c.Strategy == memory.StrategyJudge {
		c.Model, c.Prompt, c.Output = old.Model, old.Prompt, old.Output
	}
	return s.tryCore(ctx, c, nil)
}

// tryCore decides a replay, with a judge where there is one, and stores what would happen.
func (s *Service) tryCore(ctx context.Context, c memory.Compaction, judge *compaction.Judge) (memory.Compaction, error) {
	began := time.Now()
	m, err := s.coreOf(ctx, &c)
	if err != nil {
		return c, err
	}
	if judge != nil {
		c.Strategy = memory.StrategyScore // until the model has decided
		own := m.set
		if c.Model != "" {
			judges := m.agent
			judges.Model = c.Model
			m.settle(ctx, judges)
		}
		if m.mute != nil {
			return c, m.mute
		}
		if err := m.judge(ctx, judge); err != nil {
			return c, err
		}
		m.set = own
	}
	m.choose()
	c.State, c.DurationMs = memory.CompactionTried, time.Since(began).Milliseconds()
	return s.Store.SaveCompaction(ctx, c)
}

// coreOf returns the core memory that a record is about, as it was then; what it was not about is as it is now.
func (s *Service) coreOf(ctx context.Context, c *memory.Compaction) (*coreMemory, error) {
	a, err := s.Store.Agent(ctx, c.AgentID)
	if err != nil {
		return nil, err
	}
	m := &coreMemory{s: s, agent: a, room: coreRoomOf(a), c: c}
	m.room.to, m.room.keep = first(c.Target, m.room.to), first(c.Keep, m.room.keep)
	m.settle(ctx, a)
	if m.blocks, err = s.Store.Blocks(ctx, a.ID); err != nil {
		return nil, err
	}
	for _, v := range compaction.Whole(c.Entries) {
		i := slices.IndexFunc(m.blocks, func(b memory.Block) bool { return b.ID == v.BlockID })
		if i < 0 {
			return nil, memory.Errorf(memory.ECONFLICT, coreOp, "a block that it was about is gone")
		}
		m.blocks[i].Value = v.Before
	}
	c.TokensBefore, c.Required = m.size(m.blocks)
	c.TokensAfter = c.TokensBefore
	return m, nil
}

// adoptCore has a replay of a core compaction take effect in place of the one that it replays.
func (s *Service) adoptCore(ctx context.Context, id string) (memory.Compaction, error) {
	c, err := s.Store.Compaction(ctx, id)
	if err != nil {
		return c, err
	}
	if c.State != memory.CompactionTried {
		return c, c.State.Conflict(coreOp)
	}
	m, err := s.coreOf(ctx, &c)
	if err != nil {
		return c, err
	}
	c.TokensAfter, _ = m.size(m.after())
	c.DryRun = false
	if c, err = m.apply(ctx); err != nil {
		return c, err
	}
	s.rebaseCore(ctx, c)
	return c, nil
}
