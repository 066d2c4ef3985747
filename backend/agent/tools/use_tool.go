package tools

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"recollect/backend/memory"
)

// useToolName calls the tools that have no schema of their own: small models take few schemas, and each costs room in every
// prompt.
const useToolName = "use_tool"

var useTool = &tool{
	name: useToolName,
	params: []param{
		{name: "name", required: true, aliases: []string{"tool", "tool_name", "function"}},
		{name: "arguments", kind: dict, aliases: []string{"args", "parameters", "params", "input"}},
	},
}

// about returns what use_tool says of itself where some tools are off: what the others do and with which arguments, "" when
// there are none.
func (t *tool) about(off []string) string {
	if t.name != useToolName {
		return t.description
	}
	var b strings.Builder
	for _, o := range all {
		if !o.hidden || slices.Contains(off, o.name) {
			continue
		}
		b.WriteString(" " + o.name + "(")
		for i, p := range o.params {
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(p.name)
			if !p.required {
				b.WriteString("?")
			}
		}
		b.WriteString("): " + o.description)
	}
	if b.Len() == 0 {
		return ""
	}
	return t.description + b.String()
}

// Resolve returns the call that a call of use_tool means, and any other call as it is. Arguments may be an object, JSON in a
// text, or stand beside the name.
func Resolve(tc memory.ToolCall) memory.ToolCall {
	if Name(tc.Name) != useToolName {
		return tc
	}
	d := json.NewDecoder(strings.NewReader(tc.Arguments))
	d.UseNumber()
	given := map[string]any{}
	if d.Decode(&given) != nil {
		return tc
	}
	name, _ := lookup(given, useTool.params[0])
	inner, _ := name.(string)
	t := find(inner)
	if t == nil || t.name == useToolName {
		return tc
	}
	args := map[string]any{}
	switch v, _ := lookup(given, useTool.params[1]); v := v.(type) {
	case map[string]any:
		args = v
	case string:
		inner := json.NewDecoder(strings.NewReader(v))
		inner.UseNumber()
		if inner.Decode(&args) != nil && len(t.params) > 0 { // its one text
			args = map[string]any{t.params[0].name: v}
		}
	case nil:
		for k, v := range given {
			if plain(k) != plain("name") && plain(k) != plain("tool") {
				args[k] = v
			}
		}
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b) // keys are sorted
	e.SetEscapeHTML(false)
	if e.Encode(args) != nil {
		return tc
	}
	return memory.ToolCall{ID: tc.ID, Name: t.name, Arguments: strings.TrimSpace(b.String()), Repaired: tc.Repaired}
}
