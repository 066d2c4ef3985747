package enginetest

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/ollama/ollama/api"
)

var directive = regexp.MustCompile(`\[\[(\w+)(?: ([^\]]*))?\]\]`)

// Directives is a script that obeys directives inside the last user message; without one it echoes the message.
//
//	[[say TEXT]]       answers TEXT; where JSON is asked for, if it begins with {
//	[[long N]]         answers N numbered lines of Markdown
//	[[think TEXT]]     thinks TEXT first
//	[[tool NAME JSON]] calls a tool; after its result it answers "Done."
//	[[length N]]       ends as if num_predict had been reached, after N bytes, or at the end of the text
//	[[prompt N]]       says that the prompt had N tokens
//	[[slow MS]]        waits MS milliseconds between chunks
//	[[error TEXT]]     breaks off with an error line, as when the runner dies
//	[[eof]] [[reset]] [[stall]] [[die]]  misbehaves so after the text
//	[[status N TEXT]]  answers with an HTTP error
//
// Where the request has a part of that answer already and asks to go on, the rest of it follows.
func Directives(r api.ChatRequest) Reply {
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == "tool" {
		return Reply{Content: "Done."}
	}
	user, begun := LastUser(r), ""
	if n := len(r.Messages); n > 1 && strings.HasPrefix(user, "[Go on") { // the template closes answers
		r.Messages = r.Messages[:n-1]
		user = LastUser(r)
	}
	if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == "assistant" {
		begun = r.Messages[n-1].Content
	}
	if len(r.Format) > 0 && !strings.Contains(user, "[[say {") {
		return Echo(r)
	}
	out := Reply{}
	length := 0
	for _, m := range directive.FindAllStringSubmatch(user, -1) {
		arg := m[2]
		switch m[1] {
		case "say":
			out.Content = arg
		case "long":
			n, _ := strconv.Atoi(arg) //nolint:errcheck // 0 lines then
			var b strings.Builder
			for i := range n {
				fmt.Fprintf(&b, "%d. A line of the *long* answer with `code` in it.\n", i+1)
			}
			out.Content = b.String()
		case "think":
			out.Thinking = arg
		case "tool":
			name, args, _ := strings.Cut(arg, " ")
			out.Calls = append(out.Calls, Call{Name: name, Arguments: args})
		case "length":
			out.End = "length"
			length, _ = strconv.Atoi(arg) //nolint:errcheck // all of the text then
		case "prompt":
			out.PromptTokens, _ = strconv.Atoi(arg) //nolint:errcheck // the truth then
		case "slow":
			ms, _ := strconv.Atoi(arg) //nolint:errcheck // no delay then
			out.Delay = time.Duration(ms) * time.Millisecond
		case "error":
			out.Error = arg
		case "eof":
			out.Fault = EOF
		case "reset":
			out.Fault = Reset
		case "die":
			out.Fault = Die
		case "stall":
			out.Fault = Stall
		case "status":
			code, text, _ := strings.Cut(arg, " ")
			out.Status, _ = strconv.Atoi(code) //nolint:errcheck // an ordinary answer then
			out.Error = text
		}
	}
	if out.Content == "" && len(out.Calls) == 0 {
		out.Content = Echo(r).Content
	}
	if begun != "" {
		return Reply{Content: strings.TrimPrefix(out.Content, begun), Delay: out.Delay}
	}
	if 0 < length && length < len(out.Content) {
		out.Content = out.Content[:length]
	}
	return out
}
