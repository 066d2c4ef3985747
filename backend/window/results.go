package window

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/backend/memory"
)

// The tools that the window knows of. What it says about them depends on whether the model has them.
const (
	searchTool = "conversation_search"
	useTool    = "use_tool"    // calls the tools that have no schema of their own
	loadTool   = "load_memory" // its result is a page: it stays for some turns
)

// editTools change a block. What their results end in, the block as it is then, is the app's word; all else that tools say is
// data.
var editTools = []string{"core_memory_append", "core_memory_replace", "memory_insert", "memory_rethink", "store_memory"}

// resultIDChars is how much of the end of a message's id names a result to the model.
const resultIDChars = 8

// ResultID returns how a model names the result of a tool that a message holds.
func ResultID(messageID string) string { return messageID[max(len(messageID)-resultIDChars, 0):] }

// result returns the result of a tool as it is sent. In its own turn a large one is cut; afterwards a stub stands for it.
// Which of these depends on the path alone, so that the prompt stays the same.
func (a *assembly) result(i int) string {
	m := a.Path[i]
	if i < a.newest {
		if stub := a.stub(i); stub != "" {
			return stub
		}
	}
	told := a.tells(i)
	if told < 0 {
		told = len(m.Content)
	}
	m.Content = memory.AsData(m.Content[:told], memory.FrameMessage) + m.Content[told:]
	shown := cutTo(m.Content, ResultCap(a.Window))
	if len(shown) == len(m.Content) {
		return m.Content
	}
	return shown + "\n" + fmt.Sprintf(a.words.cut, utf8.RuneCountInString(shown), utf8.RuneCountInString(m.Content), a.how(m.ID))
}

// Fit returns as much of the beginning of a text as the result of one tool may hold in a window, with room for what stands
// around it.
func Fit(text string, window int) string { return cutTo(text, ResultCap(window)*9/10-framing) }

const framing = 40 // tokens around a slice of a result

// how says how a result is read again, where the model can.
func (a *assembly) how(id string) string {
	if !a.reads {
		return ""
	}
	return a.words.gap + fmt.Sprintf(a.words.again, ResultID(id))
}

// stub returns what stands for a result after its turn; "" where the result itself does: it is no longer than that, tells what
// a block says now, or was paged in.
func (a *assembly) stub(i int) string {
	m := a.Path[i]
	if a.tells(i) >= 0 {
		return ""
	}
	name := a.tool(i)
	if name == loadTool && !a.before(i, a.prefix.PagesFrom) {
		return ""
	}
	stub := fmt.Sprintf(a.words.stub, name, utf8.RuneCountInString(m.Content), a.how(m.ID))
	if len(m.Content) <= 2*len(stub) {
		return ""
	}
	return stub
}

// tool returns the name of the tool whose result message i is.
func (a *assembly) tool(i int) string {
	if call := a.call(i); call != nil {
		return calledTool(*call)
	}
	return a.Path[i].ToolName
}

// tells returns where in a result it is told what a block says now, -1 where it is not.
func (a *assembly) tells(i int) int {
	text := a.Path[i].Content
	if !strings.HasSuffix(text, updateClose) || !slices.Contains(editTools, a.tool(i)) {
		return -1
	}
	return strings.LastIndex(text, updateOpen)
}

// call returns the call that message i is the result of, nil when there is none.
func (a *assembly) call(i int) *memory.ToolCall {
	at := i - 1
	for at >= 0 && a.Path[at].Role == memory.RoleTool {
		at--
	}
	if at < 0 {
		return nil
	}
	calls := a.Path[at].ToolCalls
	if j := slices.IndexFunc(calls, func(c memory.ToolCall) bool { return c.ID == a.Path[i].ToolCallID }); j >= 0 {
		return &calls[j]
	}
	return nil
}

// calledTool returns the name of the tool that a call means.
func calledTool(c memory.ToolCall) string {
	if c.Name != useTool {
		return c.Name
	}
	var args struct {
		Name string `json:"name"`
	}
	if err := json.Unmarshal([]byte(c.Arguments), &args); err != nil || args.Name == "" {
		return c.Name
	}
	return args.Name
}

// Tokens that a character takes at most, for a cut that is the same whatever the model and what calibration has learned.
const (
	letterTokens = 0.4
	otherTokens  = 1.0 // digits and signs
	wideTokens   = 1.5 // Chinese and the like
)

// cutTo returns as much of the beginning of a text as certainly takes no more than so many tokens.
func cutTo(text string, tokens int) string {
	left := float64(tokens)
	if float64(len(text))*wideTokens <= left {
		return text
	}
	for i, r := range text {
		switch {
		case r >= utf8.RuneSelf:
			left -= wideTokens
		case r == ' ' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
			left -= letterTokens
		default:
			left -= otherTokens
		}
		if left < 0 {
			return text[:i]
		}
	}
	return text
}
