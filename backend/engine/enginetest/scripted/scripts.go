package scripted

import (
	"fmt"
	"slices"
	"strings"
)

// Script is one exact answer of a scripted chat model.
type Script struct {
	// On is the trigger at the end of the prompt, such as "<c:hello>": text that occurs nowhere else. Or AnyText or
	// Constrained.
	On string
	// After makes this the answer to a tool result: it is given where the newest call's arguments, as compact JSON with
	// sorted keys, are After. On must then be a trigger that no user types, such as "<r:second>".
	After string
	// Reply is what the model says, a token each. Every token must be unique over all scripts, must not be a single
	// byte, and should not be one word alone (Ollama's tokenizer would find it in prompts).
	Reply []string
	// Repeat makes the last so many tokens of Reply go on for ever. 0 ends the answer.
	Repeat int
}

const (
	// AnyText is the trigger of the answer to a user message without a trigger.
	AnyText = ""
	// Constrained is the trigger of what is preferred to AnyText where a format forbids that.
	Constrained = "format"
	// afterTool is the trigger of the answer to a tool result.
	afterTool = "<r:done>"
)

// What the models say when no trigger asks for anything else.
const (
	Noted = "I have noted that, thank you."
	Done  = "That is done now."
)

// Tools names the tools for which there is a trigger "<c:NAME>" with a good call.
var Tools = []string{
	"core_memory_append", "core_memory_replace", "memory_insert", "memory_rethink",
	"archival_memory_insert", "archival_memory_search", "conversation_search",
}

// Call is a tool call as the chat models write it.
func Call(name, arguments string) string {
	return "<tool_call>\n{\"name\": \"" + name + "\", \"arguments\": " + arguments + "}\n</tool_call>"
}

func builtin() []Script {
	const firstStep, secondStep = `{"query":"step one"}`, `{"query":"step two"}`
	const badLabel, again = `{"content":"Likes tea.","label":"nowhere"}`, `{"query":"again"}`
	return []Script{
		{On: AnyText, Reply: []string{"I have", " noted that,", " thank you."}},
		{On: Constrained, Reply: []string{`{"tool": "none", "args": {}}`}},
		{On: afterTool, Reply: []string{"That is", " done now."}},

		{On: "<c:hello>", Reply: []string{"Hello there.", " How can", " I help?"}},
		{On: "<c:empty>"},
		{On: "<c:chinese>", Reply: []string{"你好,", "我记住了。"}},
		{On: "<c:emoji>", Reply: []string{"A cat: ", "\xf0\x9f", "\x90\x88."}},
		{On: "<c:markdown>", Reply: markdown()},
		{On: "<c:count>", Reply: []string{"one, ", "two, ", "three, ", "four, ", "five, ", "six, ", "seven, ", "eight, "}, Repeat: 8},
		{On: "<c:loop>", Reply: []string{"Start: ", "la "}, Repeat: 1},
		{On: "<c:space>", Reply: []string{"{ ", "\n \n"}, Repeat: 1},
		{On: "<c:think>", Reply: []string{"<think>", "The user", " asks something", ".</think>", "\n\nThe answer", " is 42."}},
		{On: "<c:thinkonly>", Reply: []string{"<think>\n", "This goes", " nowhere."}},
		{On: "<c:json>", Reply: []string{`{"name": "Bob"`, `, "age": 3`, "}\n"}},

		{On: "<c:core_memory_append>", Reply: []string{Call("core_memory_append", `{"label": "human", "content": "Likes tea."}`)}},
		{On: "<c:core_memory_replace>", Reply: []string{Call("core_memory_replace", `{"label": "human", "old_content": "Likes tea.", "new_content": "Likes coffee."}`)}},
		{On: "<c:memory_insert>", Reply: []string{Call("memory_insert", `{"label": "human", "new_string": "Lives in Bern.", "insert_line": 0}`)}},
		{On: "<c:memory_rethink>", Reply: []string{Call("memory_rethink", `{"label": "human", "new_memory": "Drinks coffee and lives in Bern."}`)}},
		{On: "<c:archival_memory_insert>", Reply: []string{Call("archival_memory_insert", `{"content": "The bicycle is called Comet.", "tags": ["bicycle"]}`)}},
		{On: "<c:archival_memory_search>", Reply: []string{Call("archival_memory_search", `{"query": "bicycle"}`)}},
		{On: "<c:conversation_search>", Reply: []string{Call("conversation_search", `{"query": "bicycle"}`)}},

		{On: "<c:two>", Reply: []string{
			"Two things.", Call("core_memory_append", `{"label": "human", "content": "Has a cat."}`) + "\n",
			Call("archival_memory_search", `{"query": "cat"}`),
		}},
		{On: "<c:thinkcall>", Reply: []string{"<think>I need", " a tool.</think>\n", Call("archival_memory_search", `{"query": "cats"}`)}},
		{On: "<c:malformed>", Reply: []string{Call("archival_memory_search", `{"query": "broken", `)}},
		{On: "<c:unknown>", Reply: []string{Call("no_such_tool", `{"query": "cats"}`)}},
		{On: "<c:truncated>", Reply: []string{"<tool_call>\n{\"name\": \"archival_memory_search\", \"argum"}},
		{On: "<c:raw>", Reply: []string{`{"name": "archival_memory_search", "parameters": {"query": "raw"}}`}},
		{On: "<c:prose>", Reply: []string{"I will call archival_memory_search with ", `{"query": "prose"}`, " for you."}},

		{On: "<c:badlabel>", Reply: []string{Call("core_memory_append", badLabel)}},
		{On: "<r:goodlabel>", After: badLabel, Reply: []string{Call("core_memory_append", `{"label": "human", "content": "Likes tea, really."}`)}},
		{On: "<c:steps>", Reply: []string{"Looking.", Call("archival_memory_search", firstStep)}},
		{On: "<r:step2>", After: firstStep, Reply: []string{Call("conversation_search", secondStep)}},
		{On: "<r:step3>", After: secondStep, Reply: []string{Call("archival_memory_search", `{"query":"step three"}`)}},
		{On: "<c:again>", Reply: []string{Call("archival_memory_search", again)}},
		{On: "<r:again>", After: again, Reply: []string{Call("archival_memory_search", again) + "\n"}},
	}
}

func markdown() []string {
	reply := []string{"# A longer answer\n\n"}
	for i := range 16 {
		reply = append(reply, fmt.Sprintf("- point %d", i+1), fmt.Sprintf(" has **weight %d**", i), fmt.Sprintf(" and `code_%d`\n", i))
	}
	return append(reply, "\n```go\n", "fmt.Println(1)\n", "```\n\n", "| a | b |\n", "|---|---|\n", "| 1 | 2 |\n", "\nThat is all.")
}

// withExtra puts the extra scripts in the place of built-in ones with the same trigger.
func withExtra(extra []Script) []Script {
	scripts := slices.DeleteFunc(builtin(), func(s Script) bool {
		return slices.ContainsFunc(extra, func(e Script) bool { return e.On == s.On })
	})
	return append(scripts, extra...)
}

// Template is the chat template that makes the scripts work, with the extra scripts that were given to Write: the prompt
// ends in the newest message, so that its last token is the trigger. Llama and qwen3 mention tools, so Ollama reports
// that capability; qwen3 also has thinking. Bert has no template.
func Template(arch string, extra ...Script) string {
	if arch == Bert {
		return ""
	}
	var tools, calls, thinking string
	header := ".System"
	if arch != Gemma3 {
		header = "or .System .Tools"
		tools = "{{ if .Tools }}\n\n# Tools\n{{ range .Tools }}{{ . }}\n{{ end }}{{ end }}"
		calls = "{{ if .ToolCalls }}<tool_call>{{ range .ToolCalls }}\n{\"name\": \"{{ .Function.Name }}\", \"arguments\": {{ .Function.Arguments }}}" +
			"{{ $call = printf \"%s\" .Function.Arguments }}{{ end }}\n</tool_call>{{ end }}"
	}
	if arch == Qwen3 {
		thinking = "{{ if .Thinking }}<think>{{ .Thinking }}</think>{{ end }}"
	}
	var next strings.Builder
	for _, s := range withExtra(extra) {
		if s.After != "" {
			fmt.Fprintf(&next, "{{ else if eq $call %q }}%s", s.After, s.On)
		}
	}
	const end = endOfTurn + "\n"
	return "{{ if " + header + " }}" + startOfTurn + "system\n{{ .System }}" + tools + end + "{{ end }}" +
		"{{ $call := \"\" }}{{ range $i, $_ := .Messages }}{{ $last := eq (len (slice $.Messages $i)) 1 }}" +
		"{{ if eq .Role \"user\" }}" + startOfTurn + "user\n{{ .Content }}{{ if not $last }}" + end + "{{ end }}" +
		"{{ else if eq .Role \"assistant\" }}" + startOfTurn + "assistant\n" + thinking + "{{ .Content }}" + calls + "{{ if not $last }}" + end + "{{ end }}" +
		"{{ else if eq .Role \"tool\" }}" + startOfTurn + "tool\n{{ .Content }}{{ if not $last }}" + end + next.String() + "{{ else }}" + afterTool + "{{ end }}" +
		"{{ end }}{{ end }}"
}

// frequentWords get a token each. They are what our own instructions, tools and tests mostly consist of.
const frequentWords = `
a about above across act add after again against all also always am among an and another answer any anything are
argument arguments around as ask asked assistant at away back be because been before being below best better between
bicycle big block blocks both brief but by call called can cat change changed characters clear coffee come content
context conversation core could current date day delete description did different do does dog done down each earlier
edit eight else empty end enough even ever every exact example false few find first five for found four from full
function general get give given go good great had has have he help her here him his home house how human i if important
in insert instead into is it item its itself just keep kept know label language last later least less let letter like
likes limit line list little live lives local long look made make man many matter may me mean memory message messages
might model more most much must my name need never new next nine no none not note nothing now number of off offset old
on once one only or order other our out over own page part passage passages past people persona personal place plain
please point possible prefer put query question quite rather read real recall reason recent related remember remove
replace reply result results right role roles said same say search second see sentence set seven she short should show
six small so some something soon start starts still stop store stored string such system tag tags take tea tell ten text
than thank that the their them then there these they thing things think this those three through time title to today
tomorrow tool tools topic true turn two type unique until up update us use used useful user value very want was way we
week well were what when where which while who why will with without word words work would write year yes yesterday yet
you your yours`
