package window

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"recollect/backend/memory"
)

// Room says when room is made among the messages, and how. What leaves the window stays in the transcript.
type Room struct {
	Threshold float64             // share of the usable window from which on room is made before a new message is sent; 0 = 0.8
	Target    float64             // share of it that the prompt may have afterwards; 0 = 0.6
	Choose    func(Choice) []bool // which messages stay; nil = those of the newest turns that fit
	Now       bool                // room is made at a rebase whatever the prompt takes
}

// Choice is what is chosen from: the messages of the window, oldest first. The answer says for each before Newest whether it
// stays.
type Choice struct {
	Path   []memory.Message
	Newest int             // the newest user message; it stays with all that follows
	Room   int             // tokens that those before it may take
	Cost   func(i int) int // tokens of a message as it is sent; 0 = it is not
	Turns  int             // user messages of the chat, with those that left the window
}

const (
	defaultThreshold = 0.8
	defaultTarget    = 0.6
	worthwhile       = 0.05 // share of the usable window that has to come free, or it stays as it is while it fits
	markerTokens     = 60   // that the marker may grow by
	safeTurns        = 2    // finished ones whose tool calls stay where they are
)

func share(v, otherwise float64) float64 {
	if v <= 0 {
		return otherwise
	}
	return v
}

func (a *assembly) threshold() int {
	return int(share(a.Room.Threshold, defaultThreshold) * float64(a.usable()))
}

func (a *assembly) target() int {
	return int(share(a.Room.Target, defaultTarget) * float64(a.usable()))
}

// holds reports whether the path has all that a selection has in the window.
func (a *assembly) holds(s memory.Selection) bool {
	if a.index(s.First) < 0 {
		return false
	}
	at := 0
	for _, id := range s.Kept { // in their order
		i := slices.IndexFunc(a.Path[at:], func(m memory.Message) bool { return m.ID == id })
		if i < 0 {
			return false
		}
		at += i + 1
	}
	return true
}

// hold has the window hold what a selection says. It reports whether the path has all of that.
func (a *assembly) hold(s memory.Selection) bool {
	a.first = max(a.index(s.First), 0)
	kept := map[string]bool{}
	for _, id := range s.Kept {
		kept[id] = true
	}
	for i, m := range a.Path {
		a.in[i] = i >= a.first || kept[m.ID]
	}
	return a.holds(s)
}

// marker tells the model what is not in the window; "" when nothing is missing.
func (a *assembly) marker(s memory.Selection) string {
	switch {
	case s.First == "":
		return ""
	case s.Left == 0:
		return a.words.evicted
	}
	text := fmt.Sprintf(a.words.left, s.Left, s.Saved)
	if a.search {
		text += a.words.gap + a.words.search
	}
	if len(s.Kept) > 0 {
		text += a.words.gap + fmt.Sprintf(a.words.kept, len(s.Kept))
	}
	return text
}

// plain returns the tokens of a message without its preamble.
func (a *assembly) plain(i int) int {
	if a.bare[i] == 0 {
		a.bare[i] = -1
		if m, ok := a.render(i, ""); ok {
			a.bare[i] = messageTokens(m, a.Counter, a.Counter.Overhead())
		}
	}
	return max(a.bare[i], 0)
}

// about is plain for a message that may never have been counted, and need not be exactly.
func (a *assembly) about(i int) int {
	if a.bare[i] != 0 {
		return max(a.bare[i], 0)
	}
	return len(a.Path[i].Content)/bytesPerToken + a.Counter.Overhead().Message
}

const bytesPerToken = 4 // of most texts

// full reports whether room has to be made before the request can be sent: it does not fit, or a new message finds the
// window over its threshold and enough would come free. Where the target cannot be reached, because of what is fixed, room would be
// made again with the next message or the one after: then the window is used in full first.
func (a *assembly) full() bool {
	total := a.total()
	switch {
	case total > a.hard():
		return true
	case total > a.usable():
		return slices.Contains(a.in[:a.newest], true)
	case !a.leaf || a.prefix.Held || total <= a.threshold():
		return false
	}
	after := a.fixed() + sum(a.cost[a.newest:])
	keep, _ := a.choose(a.prefix.Selection, after, false)
	for i, in := range a.in[:a.newest] {
		if in && keep[i] {
			after += a.plain(i)
		}
	}
	return after <= a.target() && float64(total-after) >= worthwhile*float64(a.usable())
}

// makeRoom decides what the window holds after a rebase, and writes the system message for it.
func (a *assembly) makeRoom(reason string, old memory.Selection) {
	a.spent = true // the messages come before what was recalled for them
	defer func() { a.spent = false }()
	base := old
	everything := false
	switch {
	case a.Apply != nil && a.holds(*a.Apply):
		base = *a.Apply
	case reason == ReasonStart || reason == ReasonModel || reason == ReasonWindow || reason == ReasonBranch:
		if everything = base.Summary == "" || !a.holds(base) || a.allFits(); everything { // there may be room for more than before
			base = a.all()
		}
	}
	a.hold(base)
	if base.First != "" && base.Left == 0 && a.first > 0 { // of a version that did not count
		messages, turns := a.older()
		base.Left, base.Turns = messages+a.first, turns+a.users(a.Path[:a.first])
	}
	a.snapshot(base)
	held := slices.Clone(a.in)
	for i := range a.in { // what the newest turn takes by itself
		a.in[i] = i >= a.newest
	}
	a.build()
	fixed := a.total()
	copy(a.in, held)
	limit := a.threshold()
	if base.Held || !a.leaf || a.Apply != nil {
		limit = a.usable()
	}
	if making := reason == ReasonFull || a.Room.Now; !making {
		for i := a.newest - 1; i >= 0 && fixed <= limit; i-- {
			if a.in[i] {
				fixed += a.plain(i)
			}
		}
		if fixed <= limit {
			return
		}
		fixed = a.total()
	}
	keep, stubs := a.choose(base, fixed, a.Room.Now || everything)
	a.keep(base, held, keep)
	a.stubsOnly = stubs
}

// all is the selection that has the whole path in the window.
func (a *assembly) all() memory.Selection {
	if !a.later(0) {
		return memory.Selection{}
	}
	messages, turns := a.older()
	return memory.Selection{First: a.Path[0].ID, Left: messages, Turns: turns}
}

func (a *assembly) older() (messages, turns int) {
	if a.Older == nil || a.Path[0].ParentID == "" {
		return 0, 0
	}
	return a.Older()
}

func (a *assembly) users(path []memory.Message) int {
	n := 0
	for _, m := range path {
		if m.Role == memory.RoleUser {
			n++
		}
	}
	return n
}

// allFits reports whether the whole path, back to the first message, stays under the threshold.
func (a *assembly) allFits() bool {
	if a.later(0) {
		return false
	}
	left := a.threshold()
	for i := len(a.Path) - 1; i >= 0 && left >= 0; i-- {
		left -= a.plain(i)
	}
	return left >= a.tools+a.Counter.Count(a.System)
}

// choose returns which messages of the window stay, where all else takes fixed tokens. What only lies about goes first, unless
// messages are to go in any case: the preambles of old messages, which a rebase leaves out, and what is left of tools' results,
// which stubs says.
func (a *assembly) choose(base memory.Selection, fixed int, messages bool) (keep []bool, stubs bool) {
	room := a.target() - fixed - markerTokens
	keep = make([]bool, a.newest)
	at := make([]int, 0, a.newest) // those of the window
	for i, in := range a.in[:a.newest] {
		if in {
			keep[i] = true
			at = append(at, i)
		}
	}
	if !messages {
		left := room
		for _, i := range at {
			left -= a.plain(i)
		}
		if left >= 0 {
			return keep, false
		}
		without := slices.Clone(keep)
		if a.withoutTools(without, -left) {
			return without, true
		}
	}
	c := Choice{Path: a.Path[:a.newest+1], Newest: len(at), Room: room, Turns: base.Turns + a.users(a.Path[a.first:])}
	if len(at) < a.newest {
		c.Path = make([]memory.Message, 0, len(at)+1)
		for _, i := range at {
			c.Path = append(c.Path, a.Path[i])
		}
		c.Path = append(c.Path, a.Path[a.newest])
	}
	c.Cost = func(i int) int { return a.plain(at[i]) }
	choose := a.Room.Choose
	if choose == nil {
		choose = newestThatFit
	}
	for j, stays := range choose(c) {
		keep[at[j]] = stays || a.Pinned[a.Path[at[j]].ID]
	}
	return keep, false
}

// withoutTools takes the oldest calls and their results out of keep until so many tokens are free, but those of the last turns.
// It reports whether that is enough.
func (a *assembly) withoutTools(keep []bool, missing int) bool {
	turns := 0
	end := a.newest
	for end > 0 && turns < safeTurns {
		if end--; a.Path[end].Role == memory.RoleUser {
			turns++
		}
	}
	for i := range end {
		if !keep[i] || a.Pinned[a.Path[i].ID] || len(a.Path[i].ToolCalls) == 0 && a.Path[i].Role != memory.RoleTool {
			continue
		}
		keep[i] = false
		missing -= a.plain(i)
		if missing <= 0 && (i+1 >= end || a.Path[i+1].Role != memory.RoleTool) {
			break
		}
	}
	return missing <= 0
}

// newestThatFit keeps whole turns from the newest back.
func newestThatFit(c Choice) []bool {
	keep := make([]bool, c.Newest)
	start, taken := c.Newest, 0
	for i := c.Newest - 1; i >= 0; i-- {
		if taken += c.Cost(i); taken > c.Room {
			break
		}
		if c.Path[i].Role == memory.RoleUser || i == 0 {
			start = i
		}
	}
	for i := start; i < c.Newest; i++ {
		keep[i] = true
	}
	return keep
}

// keep has the window hold those of the held messages that stay. What leaves is counted on top of base.
func (a *assembly) keep(base memory.Selection, held, keep []bool) {
	s := memory.Selection{Summary: base.Summary, Summed: base.Summed, Left: base.Left, Turns: base.Turns, Saved: base.Saved}
	from := max(a.index(base.First), 0)
	for i := range a.in[:a.newest] {
		a.in[i] = held[i] && keep[i]
		if held[i] && !keep[i] {
			s.Left++
			s.Saved += a.about(i)
		}
	}
	first := a.newest
	for first > 0 && a.in[first-1] {
		first--
	}
	for first < a.newest && first > 0 && a.Path[first].Role != memory.RoleUser {
		first++
	}
	for i, m := range a.Path[:first] {
		if a.in[i] {
			s.Kept = append(s.Kept, m.ID)
		}
		if i >= from && m.Role == memory.RoleUser {
			s.Turns++
		}
	}
	if a.first = first; a.later(first) {
		s.First = a.Path[first].ID
	}
	a.snapshot(s)
}

// squeeze makes a request fit that does not, even with what was chosen: recalled memory gives way, the least valuable first,
// then what is left of tools' results, then the oldest turns, but never what is pinned.
func (a *assembly) squeeze() {
	base, held := a.prefix.Selection, slices.Clone(a.in)
	for a.total() > a.usable() {
		keep := slices.Clone(a.in[:a.newest])
		missing := a.total() - a.usable()
		last := -1
		for i, c := range a.taken {
			if !a.Pinned[c.ID] {
				last = i
			}
		}
		switch {
		case last >= 0:
			a.Pages, a.Recalled, a.spent = nil, slices.Delete(slices.Clone(a.taken), last, last+1), true
		default:
			if !a.withoutTools(keep, missing) {
				a.dropOldest(keep, missing)
			}
			if slices.Equal(keep, a.in[:a.newest]) {
				return
			}
			a.keep(base, held, keep)
		}
		a.build()
	}
}

// dropOldest takes the oldest turns out of keep until so many tokens are free.
func (a *assembly) dropOldest(keep []bool, missing int) {
	for i := 0; i < a.newest && missing > 0; {
		end := i + 1
		for end < a.newest && a.Path[end].Role != memory.RoleUser {
			end++
		}
		for ; i < end; i++ {
			if keep[i] && !a.Pinned[a.Path[i].ID] {
				keep[i] = false
				missing -= a.plain(i)
			}
		}
	}
}

// itemChars is how much of a text an item shows.
const itemChars = 120

// items lists what stands in the window, but for what was brought in: what is fixed, core memory, the summary, the messages.
func (a *assembly) items() []memory.WindowItem {
	plan := map[memory.PartName]int{}
	for _, p := range a.plan(false, 0).Parts {
		plan[p.Name] = p.Used
	}
	out := []memory.WindowItem{{Kind: memory.ItemSystem, Part: memory.PartSystem, Text: beginning(a.System), Tokens: plan[memory.PartSystem], Reason: memory.InFixed}}
	if len(a.Tools) > 0 {
		names := make([]string, len(a.Tools))
		for i, t := range a.Tools {
			names[i] = t.Name
		}
		out = append(out, memory.WindowItem{Kind: memory.ItemTools, Part: memory.PartTools, Text: strings.Join(names, ", "), Tokens: a.tools, Reason: memory.InFixed})
	}
	_, _, perBlock := CoreUsage(a.prefix.Blocks, a.Counter, a.Window, a.CoreShare)
	for i, sent := range a.prefix.Blocks {
		b := sent
		if now := slices.IndexFunc(a.Blocks, func(b memory.Block) bool { return b.ID == sent.ID }); now >= 0 {
			b = a.Blocks[now]
		}
		out = append(out, memory.WindowItem{
			Kind: memory.ItemBlock, Part: memory.PartCore, ID: b.ID, Label: b.Label, Text: beginning(b.Value), Tokens: perBlock[i], Reason: memory.InCore, Pinned: b.Pinned, Date: b.UpdatedAt,
			Stale: b.Value != sent.Value,
		})
	}
	if text := cmp.Or(a.prefix.Summary, a.marker(a.prefix.Selection)); text != "" {
		out = append(out, memory.WindowItem{Kind: memory.ItemSummary, Part: memory.PartSummary, Text: beginning(text), Tokens: plan[memory.PartSummary], Reason: memory.InSummed})
	}
	for i, m := range a.Path {
		if a.cost[i] == 0 {
			continue
		}
		item := memory.WindowItem{
			Kind: memory.ItemMessage, Part: memory.PartMessages, ID: m.ID, Role: m.Role, Text: beginning(m.Content), Tokens: a.cost[i] - a.brought[i], Reason: memory.InRecent,
			Pinned: a.Pinned[m.ID], Date: m.CreatedAt,
		}
		if item.Text == "" {
			called := make([]string, len(m.ToolCalls))
			for i := range m.ToolCalls {
				called[i] = calledTool(m.ToolCalls[i])
			}
			item.Label = strings.Join(called, ", ")
		}
		if i < a.first {
			item.Reason = memory.InKept
		}
		if item.Pinned {
			item.Reason = memory.InPinned
		}
		switch {
		case m.ID == Draft:
			said, _, _ := strings.Cut(a.sent(i), "\n"+recalledOpen)
			item.Kind, item.ID, item.Text, item.Reason = memory.ItemNext, "", beginning(said), memory.InNext
		case m.Role == memory.RoleTool:
			item.Kind, item.Label, item.Reason = memory.ItemResult, a.tool(i), memory.InTurn
			switch {
			case i < a.newest && a.stub(i) != "":
				item.Kind, item.Reason = memory.ItemStub, memory.InRecent
			case item.Label == loadTool:
				item.Reason = memory.InLoaded
			}
		}
		out = append(out, item)
	}
	return out
}

// beginning returns the first characters of a text, on one line.
func beginning(text string) string {
	text = text[:min(len(text), 4*itemChars)]
	r := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(text, "")), " "))
	if len(r) > itemChars {
		return string(r[:itemChars]) + "…"
	}
	return string(r)
}
