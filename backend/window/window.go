// Package window shares out the context window and assembles what is sent to the model.
//
// Between two rebases a prompt only grows: each request begins with the bytes of the one before, so that the engine
// reads only what is new. The system message holds a snapshot of core memory; what changes afterwards is told once, in a
// tool result or in front of the next user message. A rebase writes a new snapshot and may move the oldest turns out of
// the window. Nothing is ever cut: what does not fit is an EOVERFLOW with the numbers.
package window

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/tokens"
)

// Input is what a request is assembled from.
type Input struct {
	System       string                    // instructions of the agent, static
	Blocks       []memory.Block            // core memory as it is now, in the order it is shown
	Tools        []engine.Tool             // fixed for the conversation
	Prefix       *memory.Prefix            // of the request before; nil on the first turn
	Path         []memory.Message          // to the leaf, with the newest user message: from the root, or what Prefix keeps of earlier times and from the message before Prefix.First on
	Recalled     []memory.Candidate        // best first; used are those taken, and those in the window whose message leaves it now
	Pages        []memory.Candidate        // what the user put into the window, before what is recalled
	Carried      func() []memory.Candidate // what was recalled for earlier turns and has not expired, best first; asked for behind a rebase where the turns leave room. nil = nothing
	Notes        []string                  // further lines for the preamble of the newest user message
	Now          time.Time                 // in the user's time zone
	Language     string                    // of what the window adds: "en" or "zh"
	Model        string
	Counter      tokens.Counter
	Window       int     // tokens
	Wanted       int     // tokens of the window that is set; more than Window where that cannot be had
	Limit        int     // tokens of a prompt that the engine was seen to read at most; 0 = the window
	CoreShare    float64 // share of core memory; 0 = DefaultCoreShare
	ForceRebase  string  // reason to rebase now; "" = only when needed
	Sees         bool    // the model is sent the images of messages
	KeepCallText bool    // the model's template keeps the text of a message that also calls tools

	Room      Room
	Apply     *memory.Selection            // what the window is to hold after a rebase; nil = what it holds, or what fits
	Older     func() (messages, turns int) // how many stand before Path[0]; nil = unknown
	Pinned    map[string]bool              // ids of messages and memories that never leave to make room
	List      bool                         // list what stands in the window
	PageTurns int                          // turns that what was paged in stays; 0 = DefaultPageTurns
}

// Request is what is sent, and what is to be stored with it.
type Request struct {
	Messages   []engine.Message
	Tools      []engine.Tool
	Prefix     memory.Prefix // to be stored when Rebased
	Rebased    bool
	Preamble   string // to be stored with the newest user message when that is the leaf of the path; else ""
	Plan       memory.Plan
	Before     *memory.Plan        // as it was before room was made; nil where none was
	EvictedIDs []string            // messages that left the window with this request; they stay in the transcript
	Stubs      bool                // only what was left of tools' results left it
	Recalled   []string            // ids of the candidates that are in Preamble
	Shown      []string            // ids of those taken that an older preamble in the window holds already
	Items      []memory.WindowItem // where they are asked for
	Marker     string              // what tells the model what is not in the window

	Brought []Brought                       // what was brought in and stands in the prompt, where items are asked for
	Line    func(c memory.Candidate) string // of a memory that is brought in; there where items are asked for
}

// Brought is a memory that stands in front of a user message.
type Brought struct {
	Message string // its id; Draft for the next one
	Line    string // as the model reads it
	Tokens  int
}

// Reasons of a rebase, for memory.Prefix.Reason; another one is whatever ForceRebase says.
const (
	ReasonStart        = "start"
	ReasonModel        = "model"        // another model
	ReasonWindow       = "window"       // another size of the window
	ReasonInstructions = "instructions" // another system prompt, or another language
	ReasonTools        = "tools"        // another set of tools
	ReasonBranch       = "branch"       // a branch that parts from the talk before the window begins
	ReasonFull         = "full"         // the messages outgrew their share
	ReasonCompaction   = "compaction"   // room is made on request
	ReasonForgotten    = "forgotten"    // something was taken out of memory: it is not sent any longer
)

// DefaultPageTurns is how many turns something paged in stays where nothing else is set.
const DefaultPageTurns = 6

// Draft is the id of a message that is not stored yet; it sorts behind all that are.
const Draft = "~"

// Assemble builds the next request. Errors: EINVALID without a user message, a counter or a window; EOVERFLOW with Limit
// and Actual in tokens, and the remedy "store_in_archive" when the newest message does not fit by itself or
// "raise_window" when what is fixed leaves it no room.
func Assemble(in Input) (Request, error) {
	newest := lastUser(in.Path)
	if newest < 0 || in.Counter == nil || in.Window <= 0 {
		return Request{}, memory.Errorf(memory.EINVALID, "assemble the prompt", "a user message, a counter and a window are needed")
	}
	toolsJSON, err := toolsText(in.Tools)
	if err != nil {
		return Request{}, err
	}
	a := &assembly{
		Input: in, words: languageFor(in.Language), newest: newest,
		leaf: newest == len(in.Path)-1, tools: in.Counter.Tools(in.Tools),
		in: make([]bool, len(in.Path)), cost: make([]int, len(in.Path)), bare: make([]int, len(in.Path)), brought: make([]int, len(in.Path)),
	}
	a.search = slices.ContainsFunc(in.Tools, func(t engine.Tool) bool { return t.Name == searchTool })
	a.reads = slices.ContainsFunc(in.Tools, func(t engine.Tool) bool { return t.Name == useTool })
	var was []bool // what the window held
	if in.Prefix == nil || !a.hold(in.Prefix.Selection) {
		a.hold(memory.Selection{})
	}
	was = slices.Clone(a.in)
	var r Request
	reason := a.reason(toolsJSON)
	if reason == "" {
		a.prefix = *in.Prefix
		a.build()
		if a.full() {
			reason = ReasonFull
		}
		if before := a.plan(false, 0); reason != "" {
			r.Before = &before
		}
	} else if in.Room.Now && in.Prefix != nil {
		a.prefix = *in.Prefix
		a.build()
		before := a.plan(false, 0)
		r.Before = &before
	}
	if reason != "" {
		a.rebase(reason, toolsJSON)
	}
	if a.total() > a.hard() {
		return Request{}, a.overflow()
	}
	r.Messages, r.Tools, r.Prefix, r.Rebased, r.Preamble, r.Stubs = a.messages, in.Tools, a.prefix, reason != "", a.preamble, a.stubsOnly
	for _, c := range a.taken {
		r.Recalled = append(r.Recalled, c.ID)
	}
	r.Shown = a.shown
	for i, m := range in.Path[:newest] {
		if was[i] && !a.in[i] {
			r.EvictedIDs = append(r.EvictedIDs, m.ID)
		}
	}
	r.Plan = a.plan(reason != "", len(r.EvictedIDs))
	r.Marker = a.marker(a.prefix.Selection)
	if in.List {
		r.Items, r.Brought, r.Line = a.items(), a.broughtIn(), a.line
	}
	return r, nil
}

// assembly is a request in the making.
type assembly struct {
	Input
	words  language
	newest int // index of the newest user message in Path
	leaf   bool
	tools  int  // tokens
	search bool // the model can search what is not in the window
	reads  bool // … and read results again
	prefix memory.Prefix
	first  int    // index from which on all messages are in the window
	in     []bool // whether a message of Path is in the window
	bare   []int  // tokens of a message without its preamble, as far as they were asked for

	// what build makes of these:
	system    int // tokens of the system message and of what the template adds once
	messages  []engine.Message
	cost      []int // tokens of the messages of Path in the window; 0 for those that are not sent
	brought   []int // of these, tokens of what was brought in
	preamble  string
	preambles string // older ones that are sent once more
	taken     []memory.Candidate
	shown     []string // ids of candidates that stand in an older preamble
	stubsOnly bool

	late  []memory.Candidate // what Carried returned
	spent bool               // it gives way
}

func (a *assembly) usable() int {
	usable := a.Window - Reserve(a.Window) - margin(a.Window)
	if a.Limit > 0 {
		usable = min(usable, a.Limit-margin(a.Limit))
	}
	return usable
}

// hard is what a prompt may take at most: when the newest turn needs it, the answer does with a quarter of its reserve.
func (a *assembly) hard() int {
	hard := a.Window - max(Reserve(a.Window)/4, 1) - margin(a.Window)
	if a.Limit > 0 {
		hard = min(hard, a.Limit-margin(a.Limit))
	}
	return hard
}

func (a *assembly) fixed() int { return a.system + a.tools }

func (a *assembly) total() int { return a.fixed() + sum(a.cost) }

// reason returns why the prefix has to be written anew, "" when it need not.
func (a *assembly) reason(toolsJSON string) string {
	p := a.Prefix
	switch {
	case p == nil:
		return ReasonStart
	case a.ForceRebase != "":
		return a.ForceRebase
	case p.Model != a.Model:
		return ReasonModel
	case p.Window != a.Window:
		return ReasonWindow
	case p.Tools != toolsJSON:
		return ReasonTools
	case !a.holds(p.Selection) || a.before(a.newest, p.PreamblesFrom):
		return ReasonBranch
	case p.System != systemText(a.words, a.System, p.Blocks, p.Summary, a.marker(p.Selection)):
		return ReasonInstructions
	}
	return ""
}

// index returns the place of a message in the path, 0 for "" and -1 when it is not there.
func (a *assembly) index(id string) int {
	if id == "" {
		return 0
	}
	return slices.IndexFunc(a.Path, func(m memory.Message) bool { return m.ID == id })
}

// later reports whether the conversation has messages before message i of the path.
func (a *assembly) later(i int) bool { return i > 0 || a.Path[0].ParentID != "" }

// before reports whether message i is older than the one with the id; ids sort by time.
func (a *assembly) before(i int, id string) bool { return a.Path[i].ID < id }

// rebase writes a new prefix with the present memory, and makes room where there is too little.
func (a *assembly) rebase(reason, toolsJSON string) {
	generation, old := 1, memory.Selection{}
	if a.Prefix != nil {
		generation, old = a.Prefix.Generation+1, a.Prefix.Selection
	}
	a.prefix = memory.Prefix{
		ConversationID: a.Path[0].ConversationID, Generation: generation, Tools: toolsJSON,
		Blocks: slices.Clone(a.Blocks), PreamblesFrom: a.Path[a.newest].ID, PagesFrom: a.pagesFrom(), Model: a.Model, Window: a.Window,
		Reason: reason, CreatedAt: a.Now,
	}
	if reason == ReasonForgotten { // it may have been loaded
		a.prefix.PagesFrom = a.Path[a.newest].ID
	}
	a.makeRoom(reason, old)
	a.build()
	a.squeeze()
}

func (a *assembly) pageTurns() int {
	if a.PageTurns <= 0 {
		return DefaultPageTurns
	}
	return a.PageTurns
}

// pagesFrom returns the user message from which on what tools loaded is still sent in full.
func (a *assembly) pagesFrom() string {
	turns := a.pageTurns()
	for i := a.newest; i >= 0; i-- {
		if a.Path[i].Role == memory.RoleUser {
			if turns--; turns < 0 {
				return a.Path[i].ID
			}
		}
	}
	return ""
}

// snapshot writes the system message for the window as it is.
func (a *assembly) snapshot(s memory.Selection) {
	a.prefix.Selection = s
	a.prefix.System = systemText(a.words, a.System, a.prefix.Blocks, s.Summary, a.marker(s))
}

// build renders the messages of the window, and counts them.
func (a *assembly) build() {
	o := a.Counter.Overhead()
	a.system = a.Counter.Count(a.prefix.System) + o.Message + o.Prompt
	a.messages = append(a.messages[:0:0], engine.Message{Role: "system", Content: a.prefix.System})
	clear(a.cost)
	clear(a.brought)
	told := snapshotKnowledge(a.prefix.Blocks)
	var older strings.Builder
	for i := range a.Path {
		if !a.in[i] {
			continue
		}
		if i == a.newest {
			a.preambles = older.String()
			if a.leaf {
				a.writePreamble(told.deltas(a.Blocks))
			}
		}
		preamble := a.sent(i)
		if i < a.newest {
			older.WriteString(preamble)
		}
		m, ok := a.render(i, preamble)
		if !ok {
			continue
		}
		a.messages = append(a.messages, m)
		a.cost[i] = messageTokens(m, a.Counter, o)
		if section := recalledSection(preamble); section != "" {
			a.brought[i] = min(a.Counter.Count(section), a.cost[i])
		}
		if m.Role == "tool" {
			told.read(m.Content, a.Blocks)
		} else {
			told.read(preamble, a.Blocks)
		}
	}
}

// sent returns the preamble of message i as it is sent.
func (a *assembly) sent(i int) string {
	switch {
	case i == a.newest && a.leaf:
		return a.preamble
	case i < a.newest && a.before(i, a.prefix.PreamblesFrom):
		return ""
	}
	return a.Path[i].Preamble
}

// writePreamble makes the preamble of the newest message, with as much recalled memory as its share allows. What an older
// preamble says is not repeated.
func (a *assembly) writePreamble(deltas []string) {
	frame := a.Counter.Count("\n" + recalledOpen + a.words.recalled + recalledClose)
	left := RecalledCap(a.Window) - frame
	a.taken, a.shown = nil, nil
	there := map[string]bool{}
	take := func(list []memory.Candidate) {
		for _, c := range list {
			if left < 0 {
				return
			}
			if there[c.ID] || !c.Taken && !a.leaves(c) {
				continue
			}
			there[c.ID] = true
			line := a.line(c)
			if strings.Contains(a.preambles, "\n"+line+"\n") {
				a.shown = append(a.shown, c.ID)
				continue
			}
			if left -= a.Counter.Count("\n" + line); left >= 0 {
				a.taken = append(a.taken, c)
			}
		}
	}
	take(a.Pages)
	take(a.Recalled)
	a.preamble = preambleText(a.words, a.Now, deltas, a.Notes, a.taken)
	if left < 0 || a.Carried == nil || a.spent {
		return
	}
	// What was recalled for earlier turns has the room that the turns leave, so that it goes before any of them does.
	spare := a.target() - a.fixed() - sum(a.cost[:a.newest]) - a.plain(a.newest) - a.Counter.Count(a.preamble)
	if len(a.taken) == 0 {
		spare -= frame
	}
	if left = min(left, spare); left > 0 {
		take(a.carried())
		a.preamble = preambleText(a.words, a.Now, deltas, a.Notes, a.taken)
	}
}

// carried returns what was recalled for the last turns where a rebase has left their preambles out.
func (a *assembly) carried() []memory.Candidate {
	turns := a.pageTurns()
	for i := a.newest - 1; i >= 0 && turns > 0; i-- {
		if a.Path[i].Role != memory.RoleUser {
			continue
		}
		if turns--; a.before(i, a.prefix.PreamblesFrom) {
			if a.late == nil {
				a.late = append([]memory.Candidate{}, a.Carried()...)
			}
			return a.late
		}
	}
	return nil
}

// broughtIn lists the memories that stand in front of messages, each with its share of what they take there.
func (a *assembly) broughtIn() []Brought {
	var out []Brought
	for i, tokens := range a.brought {
		weight, from := 0, len(out)
		for _, line := range recalledLines(a.sent(i)) {
			b := Brought{a.Path[i].ID, line, a.Counter.Count(line)}
			weight += b.Tokens
			out = append(out, b)
		}
		for k := from; k < len(out); k++ {
			own := out[k].Tokens
			out[k].Tokens = tokens * own / max(weight, 1)
			tokens, weight = tokens-out[k].Tokens, weight-own
		}
	}
	return out
}

// line renders a memory that is brought in.
func (a *assembly) line(c memory.Candidate) string { return recalledLine(a.words, c, a.Now.Location()) }

// leaves reports whether recall left a memory out because its message was in the window, and it no longer is.
func (a *assembly) leaves(c memory.Candidate) bool {
	if c.Why != memory.WhyInWindow || c.Evidence < 1 {
		return false
	}
	i := slices.IndexFunc(a.Path, func(m memory.Message) bool { return m.ID == c.ID })
	return i >= 0 && !a.in[i]
}

// plan accounts for the request.
func (a *assembly) plan(rebased bool, evicted int) memory.Plan {
	core, coreBudget, perBlock := CoreUsage(a.prefix.Blocks, a.Counter, a.Window, a.CoreShare)
	core = min(core, a.system)
	summary := min(a.Counter.Count(summaryText(a.words, a.prefix.Summary, a.marker(a.prefix.Selection))), a.system-core)
	messages := sum(a.cost)
	recalled := sum(a.brought)
	total := a.total()
	numPredict := min(Reserve(a.Window), a.Window-margin(a.Window)-total)
	system := a.system - core - summary
	p := memory.Plan{
		Window: a.Window, Usable: a.usable(), Prompt: total, Exact: a.Counter.Exact(), NumPredict: numPredict,
		Messages: len(a.messages) - 1, First: a.Path[a.first].ID, Evicted: evicted, Recalled: len(a.taken), CreatedAt: a.Now,
		Parts: []memory.Part{
			{Name: memory.PartSystem, Allowed: system, Used: system},
			{Name: memory.PartTools, Allowed: a.tools, Used: a.tools},
			{Name: memory.PartCore, Allowed: coreBudget, Used: core},
			{Name: memory.PartSummary, Allowed: max(SummaryCap(a.Window), summary), Used: summary},
			{Name: memory.PartRecalled, Allowed: RecalledCap(a.Window) + sum(a.brought[:a.newest]), Used: recalled},
			{Name: memory.PartMessages, Allowed: max(a.usable()-a.fixed()-recalled, messages-recalled), Used: messages - recalled},
			{Name: memory.PartReserve, Allowed: numPredict, Used: numPredict},
			{Name: memory.PartMargin, Allowed: margin(a.Window), Used: margin(a.Window)},
		},
	}
	if a.Wanted > a.Window {
		p.Wanted = a.Wanted
	}
	for i, b := range a.prefix.Blocks {
		if b.Pinned {
			p.Pins += perBlock[i]
		}
	}
	for i, n := range a.cost {
		if a.Pinned[a.Path[i].ID] {
			p.Pins += n
		}
	}
	for _, c := range a.Pages {
		there := slices.Contains(a.shown, c.ID) || slices.ContainsFunc(a.taken, func(t memory.Candidate) bool { return t.ID == c.ID })
		if a.Pinned[c.ID] && there {
			p.Pins += a.Counter.Count(a.line(c))
		}
	}
	switch {
	case !rebased: // all but what came after the last answer, and what has become of the results before it
		p.Cached = total
		for i := len(a.Path) - 1; i >= a.unchanged(); i-- {
			p.Cached -= a.cost[i]
		}
	case a.Prefix != nil && a.Prefix.Model == a.Model && a.Prefix.Window == a.Window &&
		a.Prefix.System == a.prefix.System && a.Prefix.Tools == a.prefix.Tools:
		p.Cached = a.fixed()
	}
	return p
}

// unchanged returns the first message of the path that the request before did not send as it is sent now.
func (a *assembly) unchanged() int {
	end := len(a.Path)
	for end > a.first && a.Path[end-1].Role != memory.RoleAssistant {
		end--
	}
	if a.leaf { // the results of the turn that has ended become stubs
		for i := a.newest - 1; i >= a.first && a.Path[i].Role != memory.RoleUser; i-- {
			if a.Path[i].Role == memory.RoleTool && a.stub(i) != "" {
				end = min(end, i)
			}
		}
	}
	return end
}

// overflow says what does not fit, by how much, and what to do.
func (a *assembly) overflow() error {
	room := a.hard() - a.fixed()
	if room < a.Window/10 {
		core, _, _ := CoreUsage(a.prefix.Blocks, a.Counter, a.Window, a.CoreShare)
		err := memory.Errorf(memory.EOVERFLOW, "assemble the prompt",
			"The system prompt takes %d tokens, tools %d and core memory %d: together %d, and a window of %d tokens has room for %d of them. Choose a larger window, shorten or compact core memory, or switch tools off.",
			max(a.system-core, 0), a.tools, core, a.fixed(), a.Window, a.hard()-a.Window/10)
		err.Remedy, err.Limit, err.Actual = memory.RemedyRaiseWindow, a.hard()-a.Window/10, a.fixed()
		err.Others = []memory.Remedy{memory.RemedyShortenCore}
		if a.tools > 0 {
			err.Others = append(err.Others, memory.RemedyFewerTools)
		}
		return err
	}
	if message := a.cost[a.newest]; message > room {
		err := memory.Errorf(memory.EOVERFLOW, "assemble the prompt",
			"The message takes %d tokens, and the window of %d tokens has room for %d. Shorten it, or store it in the archive as passages.",
			message, a.Window, room)
		err.Remedy, err.Limit, err.Actual = memory.RemedyStoreInArchive, room, message
		return err
	}
	turn := sum(a.cost[a.newest:])
	err := memory.Errorf(memory.EOVERFLOW, "assemble the prompt",
		"This turn with the results of its tools takes %d tokens, and the window of %d tokens has room for %d. Choose a larger window.",
		turn, a.Window, room)
	err.Remedy, err.Limit, err.Actual = memory.RemedyRaiseWindow, room, turn
	return err
}

// render returns message i of the path as it is sent, and false when there is nothing of it to send: an answer that
// failed before its first word, a tool call that was never answered, a result without its call.
func (a *assembly) render(i int, preamble string) (engine.Message, bool) {
	path, m := a.Path, a.Path[i]
	switch m.Role {
	case memory.RoleUser:
		out := engine.Message{Role: "user", Content: preamble + memory.AsData(m.Content, memory.FrameMessage)}
		for _, f := range m.Files {
			out.Content += fileText(f, a.Sees)
			if f.IsImage() && a.Sees {
				out.Images = append(out.Images, f.Content)
			}
		}
		return out, out.Content != ""
	case memory.RoleAssistant:
		out := engine.Message{Role: "assistant", Content: m.Content}
		for _, c := range m.ToolCalls {
			if answered(path, i, c.ID) {
				out.ToolCalls = append(out.ToolCalls, c)
			}
		}
		if len(out.ToolCalls) > 0 && !a.KeepCallText {
			out.Content = "" // most templates lose the call beside a text
		}
		return out, out.Content != "" || len(out.ToolCalls) > 0
	case memory.RoleTool:
		return engine.Message{Role: "tool", Content: a.result(i), ToolName: m.ToolName, ToolCallID: m.ToolCallID}, a.call(i) != nil
	}
	return engine.Message{}, false
}

// answered reports whether one of the results that follow message i answers the call.
func answered(path []memory.Message, i int, callID string) bool {
	for _, m := range path[i+1:] {
		if m.Role != memory.RoleTool {
			return false
		}
		if m.ToolCallID == callID {
			return true
		}
	}
	return false
}

// messageTokens counts a message with what the template adds.
func messageTokens(m engine.Message, c tokens.Counter, o tokens.Overhead) int {
	n := c.Count(m.Content) + o.Message + len(m.Images)*imageTokens
	for _, call := range m.ToolCalls {
		n += c.Count(`{"name": "`+call.Name+`", "arguments": `+call.Arguments+`}`) + callOverhead
	}
	if m.ToolName != "" {
		n += c.Count(m.ToolName)
	}
	return n
}

// imageTokens is an estimate of what an image takes; models differ, and the engine's own count replaces it.
const imageTokens = 768

// callOverhead is what templates put around a tool call, in tokens.
const callOverhead = 8

// toolsText returns the JSON of the tools, "" when there are none.
func toolsText(tools []engine.Tool) (string, error) {
	if len(tools) == 0 {
		return "", nil
	}
	b, err := json.Marshal(tools)
	if err != nil {
		return "", memory.Errorf(memory.EINVALID, "assemble the prompt", "a tool's parameters are not JSON: %w", err)
	}
	return string(b), nil
}

func lastUser(path []memory.Message) int {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].Role == memory.RoleUser {
			return i
		}
	}
	return -1
}

func sum(n []int) int {
	total := 0
	for _, v := range n {
		total += v
	}
	return total
}
