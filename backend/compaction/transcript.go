package compaction

import (
	"cmp"
	"slices"

	"recollect/backend/memory"
)

// The length of a chat decides which strategy makes room in it.
const (
	FewTurns  = 20  // below, nothing happens unless the window is over its threshold
	ManyTurns = 100 // above, the newest messages alone would leave too much out
)

// Defaults of the choices below.
const (
	DefaultThreshold = 0.8 // share of the usable window over which room is made
	DefaultTarget    = 0.6 // share of it that a prompt may have afterwards
	DefaultMessages  = 20  // that the sliding window keeps
)

// keptTurns is how many of the newest finished turns always stay verbatim.
const keptTurns = 2

// Auto returns the strategy for a chat of so many turns that is over its threshold or not; "" means that there is nothing
// to do. Above ManyTurns the priority strategy runs at once, and a summary follows in the background.
func Auto(turns int, over bool) memory.Strategy {
	switch {
	case !over:
		return ""
	case turns > ManyTurns:
		return memory.StrategyPriority
	}
	return memory.StrategySliding
}

// Summarises reports whether a summary follows where the strategy is chosen by the length of the chat.
func Summarises(turns int) bool { return turns > ManyTurns }

// Chat is what a strategy chooses from: the messages that are in the window, oldest first.
type Chat struct {
	Path     []memory.Message
	Newest   int               // index of the newest user message, which stays with all that follows
	Room     int               // tokens that the messages before it may take
	Cost     func(i int) int   // tokens of message i as it is sent, 0 = it is not; only asked where it matters
	Messages int               // that the sliding window keeps, the newest among them; 0 = DefaultMessages
	Marks    map[string]Signal // what is known about messages besides their text, by id
}

// Signal is what is known about a message besides its text.
type Signal struct {
	Pinned   bool // the user wants it in the window
	Fact     bool // something that is true now was learned from it
	Replaced bool // what was learned from it is no longer true
}

// Choose returns for each message before Newest whether it stays in the window. It takes no model, and time in line with
// the length of the path. Tool calls stay with their results. The last turns stay whatever the room; so do pins. A summary
// chooses as the sliding window does: what leaves is in its text.
func Choose(s memory.Strategy, c Chat) []bool {
	p := newPlan(c)
	if s == memory.StrategyPriority {
		p.priority()
	} else {
		p.sliding()
	}
	return p.keep
}

// unit is what stays or goes as a whole: a user message, the reply to it, or a turn in which tools were called.
type unit struct {
	first, end int // messages [first, end)
	turn       int // counted from the newest finished one, which is 0
	value      float64
	tells      bool // a preference or a fact of the user
}

// plan is a choice in the making.
type plan struct {
	Chat
	units []unit // oldest first
	keep  []bool
	room  int
}

func newPlan(c Chat) *plan {
	if c.Messages <= 0 {
		c.Messages = DefaultMessages
	}
	p := &plan{Chat: c, keep: make([]bool, c.Newest), room: c.Room}
	for i := 0; i < c.Newest; {
		end := i + 1
		for end < c.Newest && c.Path[end].Role != memory.RoleUser {
			end++
		}
		tools := slices.ContainsFunc(c.Path[i:end], func(m memory.Message) bool { return len(m.ToolCalls) > 0 || m.Role == memory.RoleTool })
		if c.Path[i].Role == memory.RoleUser && end > i+1 && !tools {
			p.units = append(p.units, unit{first: i, end: i + 1}, unit{first: i + 1, end: end})
		} else {
			p.units = append(p.units, unit{first: i, end: end})
		}
		i = end
	}
	turn := -1
	for i := len(p.units) - 1; i >= 0; i-- { // a reply comes before the message that began its turn
		if i == len(p.units)-1 || p.units[i+1].first != p.units[i].end || c.Path[p.units[i+1].first].Role == memory.RoleUser {
			turn++
		}
		p.units[i].turn = turn
	}
	for _, u := range p.units { // whatever the room
		if u.turn < keptTurns || p.pinned(u) {
			p.take(u)
		}
	}
	return p
}

func (p *plan) pinned(u unit) bool {
	for i := u.first; i < u.end; i++ {
		if p.Marks[p.Path[i].ID].Pinned {
			return true
		}
	}
	return false
}

// take keeps a unit.
func (p *plan) take(u unit) {
	if p.keep[u.first] {
		return
	}
	for i := u.first; i < u.end; i++ {
		p.keep[i] = true
	}
	p.room -= p.cost(u)
}

func (p *plan) cost(u unit) int {
	n := 0
	for i := u.first; i < u.end; i++ {
		n += p.Cost(i)
	}
	return n
}

// recent keeps whole turns from the newest back while they fit and hold at most so many messages, and returns how many
// tokens they took of the room.
func (p *plan) recent(messages, room int) {
	left := messages - (len(p.Path) - p.Newest)
	for i := len(p.units) - 1; i >= 0; {
		begin := i
		for begin > 0 && p.units[begin-1].turn == p.units[i].turn {
			begin--
		}
		turn := p.units[begin : i+1]
		i = begin - 1
		size, tokens := 0, 0
		for _, u := range turn {
			size += u.end - u.first
			if !p.keep[u.first] {
				tokens += p.cost(u)
			}
		}
		left -= size
		if turn[0].turn >= keptTurns && (left < 0 || tokens > room || tokens > p.room) {
			return
		}
		for _, u := range turn {
			p.take(u)
		}
		room -= tokens
	}
}

// sliding keeps the newest turns.
func (p *plan) sliding() { p.recent(p.Messages, p.room) }

// The share of the room that preferences and facts may take before the recent messages have theirs, and how many that do
// not fit any more end the search for others that do.
const (
	factsShare = 0.4
	misses     = 64
)

// priority keeps, after pins and the last turns: what tells preferences and facts, the newest first; the recent turns; then
// the rest by value. What stays is verbatim and in its order.
func (p *plan) priority() {
	for i := range p.units {
		p.rate(&p.units[i])
	}
	before := p.room
	facts := int(factsShare * float64(p.room))
	for i := len(p.units) - 1; i >= 0; i-- {
		u := p.units[i]
		if u.tells && !p.keep[u.first] && p.cost(u) <= facts-(before-p.room) {
			p.take(u)
		}
	}
	p.recent(p.Messages, p.room)
	rest := make([]unit, 0, len(p.units))
	for _, u := range p.units {
		if !p.keep[u.first] {
			rest = append(rest, u)
		}
	}
	slices.SortFunc(rest, func(a, b unit) int { return cmp.Or(cmp.Compare(b.value, a.value), cmp.Compare(b.first, a.first)) })
	missed := 0
	for _, u := range rest {
		if missed == misses || p.room <= 0 {
			break
		}
		if p.cost(u) > p.room {
			missed++
			continue
		}
		p.take(u)
	}
}

// rate says what a unit is worth, and whether it tells something of the user.
func (p *plan) rate(u *unit) {
	m := &p.Path[u.first]
	mark := p.Marks[m.ID]
	text := read(m.Content)
	age := float64(u.turn) / float64(u.turn+50) // 0 = new, towards 1
	u.value = text.value() - age
	switch {
	case m.Role != memory.RoleUser: // a reply: mostly as good as it is short
		u.value -= 1.5
	case u.end-u.first > 1: // with the calls and results of tools
		u.value--
	}
	switch {
	case mark.Replaced:
		u.value -= 2
	case mark.Fact || m.Role == memory.RoleUser && text.tells():
		u.tells = true
		u.value += 2
	}
}
