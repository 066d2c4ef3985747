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
	System       string             // instructions of the agent, static
	Blocks       []memory.Block     // core memory as it is now, in the order it is shown
	Tools        []engine.Tool      // fixed for the conversation
	Prefix       *memory.Prefix     // of the request before; nil on the first turn
	Path         []memory.Message   // to the leaf, from the root or from Prefix.First on; with the newest user message
	Recalled     []memory.Candidate // best first; only those taken are used
	Notes        []string           // further lines for the preamble of the newest user message
	Now          time.Time          // in the user's time zone
	Language     string             // of what the window adds: "en" or "zh"
	Model        string
	Counter      tokens.Counter
	Window       int     // tokens
	Limit        int     // tokens of a prompt that the engine was seen to read at most; 0 = the window
	CoreShare    float64 // share of core memory; 0 = DefaultCoreShare
	ForceRebase  string  // reason to rebase now; "" = only when needed
	Sees         bool    // the model is sent the images of messages
	KeepCallText bool    // the model's template keeps the text of a message that also calls tools
}

// Request is what is sent, and what is to be stored with it.
type Request struct {
	Messages   []engine.Message
	Tools      []engine.Tool
	Prefix     memory.Prefix // to be stored when Rebased
	Rebased    bool
	Preamble   string // to be stored with the newest user message when that is the leaf of the path; else ""
	Plan       memory.Plan
	EvictedIDs []string // messages that left the window with this request; they stay in the transcript
	Recalled   []string // ids of the candidates that are in Preamble
	Shown      []string // ids of those taken that an older preamble in the window holds already
}

// Reasons of a rebase, for memory.Prefix.Reason; another one is whatever ForceRebase says.
const (
	ReasonStart        = "start"
	ReasonModel        = "model"        // another model
	ReasonWindow       = "window"       // another size of the window
	ReasonInstructions = "instructions" // other instructions, or another language
	ReasonTools        = "tools"        // another set of tools
	ReasonBranch       = "branch"       // a branch that parts from the talk before the window begins
	ReasonFull         = "full"         // the messages outgrew their share
)

// At a rebase messages stay while they take less than highWater of their share; else the oldest turns go until the rest
// takes at most lowWater. The gap makes evictions rare.
const (
	highWater = 0.8
	lowWater  = 0.6
)

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
		leaf: newest == len(in.Path)-1, tools: in.Counter.Tools(in.Tools), cost: make([]int, len(in.Path)),
	}
	old := 0 // where the window began before
	if in.Prefix != nil {
		old = max(a.index(in.Prefix.First), 0)
	}
	reason := a.reason(toolsJSON)
	if reason == "" {
		a.prefix, a.first = *in.Prefix, old
		a.build()
		if over := a.total() > a.usable(); over && (a.first < newest || a.total() > a.hard()) {
			reason = ReasonFull
		}
	}
	if reason != "" {
		a.rebase(reason, toolsJSON, old)
	}
	if a.total() > a.hard() {
		return Request{}, a.overflow()
	}
	r := Request{
		Messages: a.messages, Tools: in.Tools, Prefix: a.prefix, Rebased: reason != "", Preamble: a.preamble,
	}
	for _, c := range a.taken {
		r.Recalled = append(r.Recalled, c.ID)
	}
	r.Shown = a.shown
	if a.first > old {
		for _, m := range in.Path[old:a.first] {
			r.EvictedIDs = append(r.EvictedIDs, m.ID)
		}
	}
	r.Plan = a.plan(reason != "", len(r.EvictedIDs))
	return r, nil
}

// assembly is a request in the making.
type assembly struct {
	Input
	words  language
	newest int // index of the newest user message in Path
	leaf   bool
	tools  int // tokens
	prefix memory.Prefix
	first  int // index of the oldest message inside the window

	// what build makes of these:
	system   int // tokens of the system message and of what the template adds once
	messages []engine.Message
	cost     []int // tokens of the messages of Path from first on; 0 for those that are not sent
	preamble string
	taken    []memory.Candidate
	shown    []string // ids of candidates that stand in an older preamble
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

func (a *assembly) total() int { return a.fixed() + sum(a.cost[a.first:]) }

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
	case a.index(p.First) < 0 || a.before(a.newest, p.PreamblesFrom):
		return ReasonBranch
	case p.System != systemText(a.words, a.System, p.Blocks, a.later(a.index(p.First))):
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

// before reports whether message i is older than the one with the id; ids sort by time. A draft has no id yet.
func (a *assembly) before(i int, id string) bool { return a.Path[i].ID != "" && a.Path[i].ID < id }

// rebase writes a new prefix with the present memory, and moves the oldest turns out of a window that is full.
func (a *assembly) rebase(reason, toolsJSON string, old int) {
	generation := 1
	if a.Prefix != nil {
		generation = a.Prefix.Generation + 1
	}
	a.prefix = memory.Prefix{
		ConversationID: a.Path[0].ConversationID, Generation: generation, Tools: toolsJSON,
		Blocks: slices.Clone(a.Blocks), PreamblesFrom: a.Path[a.newest].ID, Model: a.Model, Window: a.Window,
		Reason: reason, CreatedAt: a.Now,
	}
	a.first = old
	switch reason {
	case ReasonStart, ReasonModel, ReasonWindow, ReasonBranch:
		a.first = 0 // there may be room for more than before
	}
	a.first = a.horizon()
	a.snapshot()
	a.build()
	if share := a.usable() - a.fixed(); float64(a.total()-a.fixed()) > highWater*float64(share) && a.first < a.newest {
		cost := slices.Clone(a.cost)
		kept := sum(cost[a.newest:])
		start := a.newest
		for i := a.newest - 1; i >= a.first; i-- {
			kept += cost[i]
			if float64(kept) > lowWater*float64(share) {
				break
			}
			if a.Path[i].Role == memory.RoleUser || i == 0 {
				start = i
			}
		}
		a.first = start
		a.snapshot()
		a.build()
	}
	for len(a.taken) > 0 && a.total() > a.usable() { // recalled memory gives way to the message itself
		a.Recalled = a.taken[:len(a.taken)-1]
		a.build()
	}
}

// horizon returns the oldest message, from first on, that can matter: all before it are certainly too many. It keeps a
// rebase from counting a transcript of any length.
func (a *assembly) horizon() int {
	o, seen := a.Counter.Overhead(), 0
	for i := a.newest - 1; i >= a.first; i-- {
		if m, ok := render(a.Path, i, "", a.KeepCallText, a.Sees); ok {
			seen += messageTokens(m, a.Counter, o)
		}
		if seen > a.usable() {
			return i
		}
	}
	return a.first
}

// snapshot writes the system message for the window that begins at first.
func (a *assembly) snapshot() {
	a.prefix.System = systemText(a.words, a.System, a.prefix.Blocks, a.later(a.first))
	a.prefix.First = ""
	if a.later(a.first) {
		a.prefix.First = a.Path[a.first].ID
	}
}

// build renders the messages from first on, and counts them.
func (a *assembly) build() {
	o := a.Counter.Overhead()
	a.system = a.Counter.Count(a.prefix.System) + o.Message + o.Prompt
	a.messages = append(a.messages[:0:0], engine.Message{Role: "system", Content: a.prefix.System})
	clear(a.cost)
	told := snapshotKnowledge(a.prefix.Blocks)
	older := "" // preambles that are sent once more
	for i := a.first; i < len(a.Path); i++ {
		preamble := ""
		if i >= a.newest || !a.before(i, a.prefix.PreamblesFrom) {
			preamble = a.Path[i].Preamble
		}
		if i == a.newest && a.leaf {
			a.writePreamble(told.deltas(a.Blocks), older)
			preamble = a.preamble
		}
		if i < a.newest {
			older += preamble
		}
		m, ok := render(a.Path, i, preamble, a.KeepCallText, a.Sees)
		if !ok {
			continue
		}
		a.messages = append(a.messages, m)
		a.cost[i] = messageTokens(m, a.Counter, o)
		if m.Role == "tool" {
			told.read(m.Content, a.Blocks)
		} else {
			told.read(preamble, a.Blocks)
		}
	}
}

// writePreamble makes the preamble of the newest message, with as much recalled memory as its share allows. What an older
// preamble says is not repeated.
func (a *assembly) writePreamble(deltas []string, older string) {
	left := RecalledCap(a.Window) - a.Counter.Count("\n"+recalledOpen+a.words.recalled+recalledClose)
	a.taken, a.shown = nil, nil
	for _, c := range a.Recalled {
		if !c.Taken {
			continue
		}
		line := recalledLine(a.words, c, a.Now.Location())
		if strings.Contains(older, "\n"+line+"\n") {
			a.shown = append(a.shown, c.ID)
			continue
		}
		left -= a.Counter.Count("\n" + line)
		if left < 0 {
			break
		}
		a.taken = append(a.taken, c)
	}
	a.preamble = preambleText(a.words, a.Now, deltas, a.Notes, a.taken)
}

// plan accounts for the request.
func (a *assembly) plan(rebased bool, evicted int) memory.Plan {
	core, coreBudget, _ := CoreUsage(a.prefix.Blocks, a.Counter, a.Window, a.CoreShare)
	core = min(core, a.system)
	messages := sum(a.cost[a.first:])
	newestPreamble := a.preamble
	if !a.leaf {
		newestPreamble = a.Path[a.newest].Preamble
	}
	recalled := min(a.Counter.Count(recalledSection(newestPreamble)), messages)
	total := a.total()
	numPredict := min(Reserve(a.Window), a.Window-margin(a.Window)-total)
	system := a.system - core
	p := memory.Plan{
		Window: a.Window, Usable: a.usable(), Prompt: total, Exact: a.Counter.Exact(), NumPredict: numPredict,
		Messages: len(a.messages) - 1, First: a.Path[a.first].ID, Evicted: evicted, CreatedAt: a.Now,
		Parts: []memory.Part{
			{Name: memory.PartSystem, Allowed: system, Used: system},
			{Name: memory.PartTools, Allowed: a.tools, Used: a.tools},
			{Name: memory.PartCore, Allowed: coreBudget, Used: core},
			{Name: memory.PartSummary},
			{Name: memory.PartRecalled, Allowed: RecalledCap(a.Window), Used: recalled},
			{Name: memory.PartMessages, Allowed: max(a.usable()-a.fixed()-recalled, messages-recalled), Used: messages - recalled},
			{Name: memory.PartReserve, Allowed: numPredict, Used: numPredict},
			{Name: memory.PartMargin, Allowed: margin(a.Window), Used: margin(a.Window)},
		},
	}
	switch {
	case !rebased: // all but what came after the last answer
		p.Cached = total
		for i := len(a.Path) - 1; i >= a.first && a.Path[i].Role != memory.RoleAssistant; i-- {
			p.Cached -= a.cost[i]
		}
	case a.Prefix != nil && a.Prefix.Model == a.Model && a.Prefix.Window == a.Window &&
		a.Prefix.System == a.prefix.System && a.Prefix.Tools == a.prefix.Tools:
		p.Cached = a.fixed()
	}
	return p
}

// overflow says what does not fit, by how much, and what to do.
func (a *assembly) overflow() error {
	room := a.hard() - a.fixed()
	if room < a.Window/10 {
		err := memory.Errorf(memory.EOVERFLOW, "assemble the prompt",
			"Instructions, tools and core memory take %d tokens, and a window of %d tokens leaves them %d. Choose a larger window, or shorten core memory.",
			a.fixed(), a.Window, a.hard()-a.Window/10)
		err.Remedy, err.Limit, err.Actual = memory.RemedyRaiseWindow, a.hard()-a.Window/10, a.fixed()
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

// render returns message i of a path as it is sent, and false when there is nothing of it to send: an answer that
// failed before its first word, a tool call that was never answered, a result without its call.
func render(path []memory.Message, i int, preamble string, keepCallText, sees bool) (engine.Message, bool) {
	m := path[i]
	switch m.Role {
	case memory.RoleUser:
		out := engine.Message{Role: "user", Content: preamble + m.Content}
		for _, f := range m.Files {
			out.Content += fileText(f, sees)
			if f.IsImage() && sees {
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
		if len(out.ToolCalls) > 0 && !keepCallText {
			out.Content = "" // most templates lose the call beside a text
		}
		return out, out.Content != "" || len(out.ToolCalls) > 0
	case memory.RoleTool:
		call := i - 1
		for call >= 0 && path[call].Role == memory.RoleTool {
			call--
		}
		asked := call >= 0 && slices.ContainsFunc(path[call].ToolCalls, func(c memory.ToolCall) bool { return c.ID == m.ToolCallID })
		return engine.Message{Role: "tool", Content: m.Content, ToolName: m.ToolName, ToolCallID: m.ToolCallID}, asked
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
