package agent

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/backend/compaction"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/window"
)

// The user's choices about room in the window; an agent may have its own.
const (
	settingCompactAt      = "compact_at"
	settingCompactTo      = "compact_to"
	settingCompaction     = "compaction"
	settingWindowMessages = "window_messages"
	settingPageTurns      = "page_turns"
)

const pageChars = 1000 // of something that is paged in, as of what is recalled

// roomOf returns when and how room is made in an agent's windows.
func (s *Service) roomOf(a memory.Agent) memory.Room {
	at := first(a.Room.CompactAt, s.Settings.Float(settingCompactAt), compaction.DefaultThreshold)
	return memory.Room{
		CompactAt:      at,
		CompactTo:      below(at, first(a.Room.CompactTo, s.Settings.Float(settingCompactTo), compaction.DefaultTarget)),
		Compaction:     first(a.Room.Compaction, memory.Strategy(s.Settings.String(settingCompaction)), memory.StrategyAuto),
		WindowMessages: first(a.Room.WindowMessages, s.Settings.Int(settingWindowMessages), compaction.DefaultMessages),
		PageTurns:      first(a.Room.PageTurns, s.Settings.Int(settingPageTurns), window.DefaultPageTurns),
	}
}

// below returns how far down room is made that is made from at on: to, or less where that is no less, as when the settings
// were changed for an agent that has a choice of its own about one of them.
func below(at, to float64) float64 {
	if to < at {
		return to
	}
	return at * compaction.DefaultTarget / compaction.DefaultThreshold
}

// decision is how the messages were chosen that stay in a window.
type decision struct {
	room     memory.Room
	asked    memory.Strategy // as the agent and the settings say
	strategy memory.Strategy // that was used; "" = there was nothing to choose
	turns    int             // of the chat
	summed   bool            // a summary takes the place of what leaves: it needs room of its own
	pages    []memory.PageIn
}

// makeRoom fills in what a request's window is made by: when room is made, how, what is paged in, and what waits for the next
// rebase. The decision is there once the request is assembled. Nothing here asks a model.
func (s *Service) makeRoom(ctx context.Context, in *window.Input, a memory.Agent, conversationID string) (*decision, error) {
	d := &decision{room: s.roomOf(a)}
	d.asked = d.room.Compaction
	if in.ForceRebase == "" {
		in.ForceRebase = s.coreRebase(a.ID, in.Prefix)
	}
	if in.ForceRebase == "" {
		in.ForceRebase = s.forgetful(ctx, a.ID, in)
	}
	if conversationID != "" {
		var err error
		if d.pages, err = s.Store.Pages(ctx, conversationID); err != nil {
			return nil, err
		}
	}
	in.PageTurns = d.room.PageTurns
	in.Room.Threshold, in.Room.Target = d.room.CompactAt, d.room.CompactTo
	in.Pinned = map[string]bool{}
	out := map[string]bool{}
	for _, p := range d.pages {
		in.Pinned[p.ID] = p.Pinned
		out[p.ID] = p.Out
	}
	for i := range in.Recalled {
		if c := &in.Recalled[i]; c.Taken && out[c.ID] {
			c.Taken, c.Why = false, memory.WhyNever
		}
	}
	in.Pages = s.pagesOf(ctx, a, d, in.Path)
	in.Room.Choose = func(c window.Choice) []bool {
		d.strategy, d.turns = d.room.Compaction, c.Turns
		if d.strategy == memory.StrategyAuto {
			d.strategy = compaction.Auto(c.Turns, true)
		}
		free := c.Room
		switch {
		case d.summed:
			free -= window.SummaryCap(in.Window)
		case d.strategy == memory.StrategySummary: // which follows in the background
			d.strategy = memory.StrategyPriority
		}
		return compaction.Choose(d.strategy, compaction.Chat{
			Path: c.Path, Newest: c.Newest, Room: free, Cost: c.Cost, Messages: d.room.WindowMessages, Marks: s.marks(ctx, a.ID, in.Pinned),
		})
	}
	if len(in.Path) > 0 {
		oldest := in.Path[0].ID
		in.Older = func() (int, int) {
			messages, turns, err := s.Store.Before(ctx, oldest)
			if err != nil {
				s.Log.Warn("room: messages before the window", "conversation", conversationID, "error", err)
			}
			return messages, turns
		}
	}
	path := in.Path
	in.Carried = func() []memory.Candidate { return s.carried(ctx, path, d.room.PageTurns, out) }
	return d, nil
}

// forgetful returns the reason to write a prefix anew where something was taken out of memory since, "" where nothing was. A turn
// goes on with the prompt that it began with: in front of its message may stand what is to be forgotten.
func (s *Service) forgetful(ctx context.Context, agentID string, in *window.Input) string {
	if n := len(in.Path); in.Prefix == nil || n == 0 || in.Path[n-1].Role != memory.RoleUser {
		return ""
	}
	forgot, err := s.Store.ForgotSince(ctx, agentID, in.Prefix.CreatedAt)
	if err != nil {
		s.Log.Warn("room: what was forgotten", "agent", agentID, "error", err)
	}
	if !forgot {
		return ""
	}
	return window.ReasonForgotten
}

// marks are what is known about messages besides their text: what the user pinned, and what facts were learned from.
func (s *Service) marks(ctx context.Context, agentID string, pinned map[string]bool) map[string]compaction.Signal {
	marks := map[string]compaction.Signal{}
	facts, _, err := s.Store.Facts(ctx, store.FactFilter{AgentID: agentID})
	if err != nil {
		s.Log.Warn("room: facts", "agent", agentID, "error", err)
	}
	now := s.Clock()
	for i := range facts {
		f := &facts[i]
		m := marks[f.Origin]
		holds := f.Current(now) || f.Coming(now)
		m.Fact, m.Replaced = m.Fact || holds, m.Replaced || !holds
		marks[f.Origin] = m
	}
	for id, m := range marks { // it says something that is still true as well
		if m.Replaced = m.Replaced && !m.Fact; !m.Replaced {
			marks[id] = m
		}
	}
	for id, is := range pinned {
		if m := marks[id]; is {
			m.Pinned = true
			marks[id] = m
		}
	}
	return marks
}

// turnsSince counts the user messages of a path after one, which may be older than the path.
func turnsSince(path []memory.Message, id string) int {
	n := 0
	for _, m := range path {
		if m.Role == memory.RoleUser && m.ID > id {
			n++
		}
	}
	return n
}

// pagesOf returns what the user has put into the window and what has not expired.
func (s *Service) pagesOf(ctx context.Context, a memory.Agent, d *decision, path []memory.Message) []memory.Candidate {
	var out []memory.Candidate
	ids := make([]string, len(d.pages))
	for i, p := range d.pages {
		ids[i] = p.ID
	}
	gone := s.gone(ctx, ids)
	for _, p := range d.pages {
		if slices.Contains(gone, p.ID) || p.Out || !p.Pinned && turnsSince(path, p.Turn) > d.room.PageTurns {
			continue
		}
		if p.Kind == memory.ItemMessage && slices.ContainsFunc(path, func(m memory.Message) bool { return m.ID == p.ID }) {
			continue // it is there, or may be
		}
		c, err := s.page(ctx, a, p.Kind, p.ID)
		if err != nil {
			s.Log.Warn("room: page", "kind", string(p.Kind), "id", p.ID, "error", err)
			continue
		}
		out = append(out, c)
	}
	return out
}

// page returns a memory of an agent as recall would bring it. It fails with ENOTFOUND when it is gone or another agent's, and
// with EINVALID for a kind that cannot be paged in.
func (s *Service) page(ctx context.Context, a memory.Agent, kind memory.ItemKind, id string) (memory.Candidate, error) {
	c := memory.Candidate{ID: id, Taken: true, Why: memory.WhyPaged}
	var own bool
	switch kind {
	case memory.ItemMessage:
		m, err := s.Store.Message(ctx, id)
		if err != nil {
			return c, err
		}
		own = m.AgentID == a.ID
		c.Kind, c.Layer, c.Text, c.Role, c.Date, c.Origin, c.ConversationID = "message", memory.LayerMessage, m.Content, m.Role, m.CreatedAt, m.ID, m.ConversationID
	case memory.ItemPassage, memory.ItemDocument:
		p, err := s.Store.Passage(ctx, id)
		if err != nil {
			return c, err
		}
		own = p.ArchiveID == a.ArchiveID
		c.Kind, c.Layer, c.Text, c.Date, c.Origin, c.Document = "passage", memory.LayerPassage, p.Text, p.CreatedAt, p.Origin, p.Document
		if p.Document != nil {
			c.Layer = memory.LayerDocument
		}
	case memory.ItemFact:
		f, err := s.Store.Fact(ctx, id)
		if err != nil {
			return c, err
		}
		own = f.AgentID == a.ID
		c.Kind, c.Layer, c.Text, c.Date, c.Origin = "fact", memory.LayerFact, f.Text(), f.SaidAt, f.Origin
	default:
		return c, memory.Errorf(memory.EINVALID, "page in", "a %s cannot be paged in", kind)
	}
	if !own {
		return c, memory.Errorf(memory.ENOTFOUND, "page in", "the agent has no %s %q", kind, id)
	}
	c.Text = shorten(strings.TrimSpace(c.Text), pageChars)
	return c, nil
}

// carried returns what was recalled for the last turns and has not expired.
func (s *Service) carried(ctx context.Context, path []memory.Message, turns int, out map[string]bool) []memory.Candidate {
	var list []memory.Candidate
	newest := true
	for i := len(path) - 1; i >= 0 && turns > 0; i-- {
		if path[i].Role != memory.RoleUser {
			continue
		}
		if newest {
			newest = false
			continue
		}
		turns--
		for _, c := range s.takenFor(ctx, path[i].ID) {
			if !out[c.ID] {
				list = append(list, c)
			}
		}
	}
	ids := make([]string, len(list))
	for i, c := range list {
		ids[i] = c.ID
	}
	gone := s.gone(ctx, ids)
	return slices.DeleteFunc(list, func(c memory.Candidate) bool { return slices.Contains(gone, c.ID) })
}

// gone returns those of some memories that were deleted.
func (s *Service) gone(ctx context.Context, ids []string) []string {
	gone, err := s.Store.Gone(ctx, ids)
	if err != nil {
		s.Log.Warn("room: deleted memories", "error", err)
	}
	return gone
}

// takenFor returns what was taken of what a user message recalled.
func (s *Service) takenFor(ctx context.Context, messageID string) []memory.Candidate {
	if list, known := s.lastTaken.of(messageID); known {
		return list
	}
	r, err := s.Store.Receipt(ctx, messageID)
	if err != nil {
		return nil // recall did not run
	}
	return s.lastTaken.keep(r)
}

// lastTaken holds what the last user messages took of what they recalled: the turns that follow carry it on, and a receipt
// tells much else.
type lastTaken struct {
	mu       sync.Mutex
	messages []string // whose it is, the newest at the end
	taken    map[string][]memory.Candidate
}

const takenKept = 64 // user messages

// keep notes what a receipt says and returns what it says recall has brought.
func (l *lastTaken) keep(r memory.Receipt) []memory.Candidate {
	var list []memory.Candidate
	for _, c := range r.Candidates {
		if c.Taken && c.Why != memory.WhyPaged { // which has turns of its own
			list = append(list, c)
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.taken == nil {
		l.taken = map[string][]memory.Candidate{}
	}
	if _, known := l.taken[r.MessageID]; !known {
		l.messages = append(l.messages, r.MessageID)
	}
	l.taken[r.MessageID] = list
	if len(l.messages) > takenKept {
		delete(l.taken, l.messages[0])
		l.messages = l.messages[1:]
	}
	return list
}

func (l *lastTaken) of(messageID string) (list []memory.Candidate, known bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list, known = l.taken[messageID]
	return list, known
}

// record makes the record of the messages that a request moved out of the window, nil when it moved none.
func (d *decision) record(a memory.Agent, was *memory.Prefix, r window.Request, trigger memory.Trigger, leaf string, took time.Duration) *memory.Compaction {
	if !r.Rebased || len(r.EvictedIDs) == 0 {
		return nil
	}
	made := &memory.Compaction{
		Kind: memory.CompactionTranscript, AgentID: a.ID, ConversationID: r.Prefix.ConversationID, Trigger: trigger, Strategy: d.strategy,
		State: memory.CompactionDone, After: &r.Plan, Before: r.Before, Evicted: r.EvictedIDs, Now: &r.Prefix.Selection, Leaf: leaf,
		TokensAfter: r.Plan.Prompt, DurationMs: took.Milliseconds(),
	}
	before := memory.Selection{}
	if was != nil {
		before = was.Selection
	}
	made.Was = &before
	switch {
	case r.Stubs:
		made.Strategy = memory.StrategyStubs
	case made.Strategy == "":
		made.Strategy = memory.StrategySliding // what does not fit goes, the oldest first
	}
	made.TokensBefore = made.TokensAfter + r.Prefix.Saved - before.Saved
	if r.Before != nil {
		made.TokensBefore = r.Before.Prompt
	}
	made.Required = max(made.TokensBefore-int(d.room.CompactTo*float64(r.Plan.Usable)), 0)
	return made
}

// summarises reports whether a summary follows in the background.
func (d *decision) summarises() bool {
	return d.asked == memory.StrategySummary || d.asked == memory.StrategyAuto && compaction.Summarises(d.turns)
}
