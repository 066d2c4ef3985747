package agent

import (
	"context"
	"slices"

	"recollect/backend/compaction"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/window"
)

// paceTurns is over how many of the newest turns the pace is taken.
const paceTurns = 10

// Window returns what a conversation's window holds now, what is not in it, and how long it lasts. Nothing is sent or stored.
func (s *Service) Window(ctx context.Context, conversationID string) (memory.ContextWindow, error) {
	var out memory.ContextWindow
	c, err := s.Store.Conversation(ctx, conversationID)
	if err != nil {
		return out, err
	}
	n, err := s.nextListed(ctx, c, "", true)
	out.Plan, out.Items = n.request.Plan, n.request.Items
	if err != nil {
		return out, err
	}
	if err := s.measure(ctx, c, &n); err != nil {
		return out, err
	}
	brought, err := s.broughtItems(ctx, n)
	if err != nil {
		return out, err
	}
	out.Plan, out.Items = n.request.Plan, append(out.Items, brought...)
	out.Plan.ShareOut(out.Items)
	out.Plan.Pins = 0
	for _, it := range out.Items {
		if it.Pinned {
			out.Plan.Pins += it.Tokens
		}
	}
	sel := n.request.Prefix.Selection
	out.Summary = sel.Summary
	if sel.First != "" && sel.Left > 0 {
		out.Marker = &memory.Marker{Messages: sel.Left, Tokens: sel.Saved, Text: n.request.Marker}
		if slices.ContainsFunc(n.set.tools, func(t engine.Tool) bool { return t.Name == searchTool }) {
			out.Marker.Tool = searchTool
		}
	}
	list, _, err := s.Store.Compactions(ctx, store.CompactionFilter{ConversationID: c.ID, Kind: memory.CompactionTranscript, Limit: paceTurns})
	if err != nil {
		return out, err
	}
	for _, p := range list {
		if p.State == memory.CompactionPending && !p.DryRun {
			out.Pending = p.ID
			break
		}
	}
	out.Forecast = s.forecast(ctx, c, n)
	return out, nil
}

// searchTool finds what is not in the window.
const searchTool = "conversation_search"

// broughtItems lists what recall or the user brought into the window, as it stands there: since then it may have been edited, or
// be gone.
func (s *Service) broughtItems(ctx context.Context, n drafted) ([]memory.WindowItem, error) {
	known := map[string]memory.WindowItem{} // by the line that it is in the prompt
	path := n.path[:len(n.path)-1]
	byID := map[string]memory.PageIn{}
	for _, p := range n.room.pages {
		byID[p.ID] = p
	}
	know := func(c memory.Candidate, reason memory.ItemReason, by string, left int) {
		it := memory.WindowItem{
			Kind: itemKind(c), ID: c.ID, Text: shorten(c.Text, 120), Role: c.Role, Reason: reason, By: by, Date: c.Date, Turns: max(left, 0), Expired: left < 0,
		}
		if c.Document != nil {
			it.Label = c.Document.Title
		}
		if p, ok := byID[c.ID]; ok {
			switch {
			case p.Out:
				it.Turns, it.Expired = 0, true
			case p.Pinned:
				it.Pinned, it.Reason, it.Turns, it.Expired = true, memory.InPinned, 0, false
			default:
				it.Reason, left = memory.InClicked, n.room.room.PageTurns-turnsSince(path, p.Turn)
				it.Turns, it.Expired = max(left, 0), left < 0
			}
		}
		known[n.request.Line(c)] = it
	}
	// What was recalled for a message stands in front of it, or behind the last rebase, which carried it on.
	from, turns := n.request.Prefix.PreamblesFrom, n.room.room.PageTurns
	for i, m := range path {
		before := 0 // turns between it and the rebase
		if m.ID < from {
			before = turnsSince(path[i:], m.ID) - turnsSince(path[i:], from)
		}
		if m.Role != memory.RoleUser || before > turns || m.Preamble == "" {
			continue
		}
		r, err := s.Store.Receipt(ctx, m.ID)
		if memory.CodeOf(err) == memory.ENOTFOUND {
			continue
		}
		if err != nil {
			return nil, err
		}
		left := turns - turnsSince(path[i+1:], m.ID)
		for _, c := range r.Candidates {
			switch {
			case !c.Taken:
			case c.Why == memory.WhyPaged:
				know(c, memory.InClicked, m.ID, -1) // unless it still has turns, as its page says
			default:
				know(c, memory.InRecall, m.ID, left)
			}
		}
	}
	for _, p := range n.room.pages {
		if p.Out || p.Kind == memory.ItemMessage && inPath(path, p.ID) {
			continue
		}
		if c, err := s.page(ctx, n.agent, p.Kind, p.ID); err == nil {
			know(c, memory.InClicked, p.Turn, 0)
		}
	}
	out := make([]memory.WindowItem, 0, len(n.request.Brought))
	for _, b := range n.request.Brought {
		it, ok := known[b.Line]
		if !ok { // its receipt is gone
			it = memory.WindowItem{Kind: memory.ItemPassage, Text: shorten(b.Line, 120), Reason: memory.InRecall, By: b.Message}
		}
		it.Part, it.Tokens = memory.PartRecalled, b.Tokens
		out = append(out, it)
	}
	return out, nil
}

func inPath(path []memory.Message, id string) bool {
	return slices.ContainsFunc(path, func(m memory.Message) bool { return m.ID == id })
}

func itemKind(c memory.Candidate) memory.ItemKind {
	switch {
	case c.Kind == "message":
		return memory.ItemMessage
	case c.Kind == "fact":
		return memory.ItemFact
	case c.Document != nil:
		return memory.ItemDocument
	}
	return memory.ItemPassage
}

// forecast tells when room has to be made at the present pace, and what would leave.
func (s *Service) forecast(ctx context.Context, c memory.Conversation, n drafted) memory.Forecast {
	f := memory.Forecast{Turns: -1, Limit: int(n.room.room.CompactAt * float64(n.request.Plan.Usable)), Strategy: n.room.asked}
	if n.prefix != nil && n.prefix.Held || n.request.Plan.Standing() > int(n.room.room.CompactTo*float64(n.request.Plan.Usable)) {
		f.Limit = n.request.Plan.Usable // what is fixed takes more than the target: the window is used in full
	}
	if c.Head == "" || n.prefix == nil {
		return f
	}
	o := n.set.counter.Overhead().Message
	turns, tokens := 0, 0
	for i := len(n.path) - 2; i >= 0 && turns < paceTurns; i-- {
		m := n.path[i]
		if m.Role == memory.RoleTool {
			continue // a stub of it stays
		}
		tokens += n.set.counter.Count(m.Preamble+m.Content) + o
		if m.Role == memory.RoleUser {
			turns++
		}
	}
	if turns > 0 {
		f.TokensPerTurn = tokens / turns
	}
	if f.TokensPerTurn > 0 {
		f.Turns = max(f.Limit-n.request.Plan.Prompt, 0) / f.TokensPerTurn
	}
	length := n.prefix.Turns + turnsSince(n.path, "") - 1
	if f.Strategy == memory.StrategyAuto {
		f.Strategy = compaction.Auto(length+max(f.Turns, 0), true)
	}
	d, err := s.windowAt(ctx, c, c.Head, nil)
	if err != nil {
		return f
	}
	d.in.ForceRebase, d.in.Room.Now = window.ReasonCompaction, true
	then, err := window.Assemble(d.in)
	if err != nil {
		return f
	}
	f.Leaves = then.EvictedIDs
	f.Frees = then.Prefix.Saved - d.prefix.Saved
	return f
}

// PageIn puts a memory into a conversation's window: from the next message on it stands before what is recalled, for some turns
// or, pinned, until it is taken out. A message that is in the window already stays in it while it is pinned.
func (s *Service) PageIn(ctx context.Context, p memory.PageIn) (memory.PageIn, error) {
	c, err := s.Store.Conversation(ctx, p.ConversationID)
	if err != nil {
		return p, err
	}
	if !p.Out {
		a, err := s.Store.Agent(ctx, c.AgentID)
		if err != nil {
			return p, err
		}
		if _, err := s.page(ctx, a, p.Kind, p.ID); err != nil {
			return p, err
		}
	}
	if c.Head != "" {
		end, err := s.Store.Path(ctx, c.Head, newMessages, "")
		if err != nil {
			return p, err
		}
		for _, m := range end {
			if m.Role == memory.RoleUser {
				p.Turn = m.ID
			}
		}
	}
	return s.Store.SavePage(ctx, p)
}
