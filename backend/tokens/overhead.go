package tokens

import (
	"encoding/json"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/renderers"
	"github.com/ollama/ollama/template"

	"recollect/backend/engine"
)

// ToolText returns a tool as templates print it, for counting.
func ToolText(t engine.Tool) string {
	b, err := json.Marshal(map[string]any{"type": "function", "function": t})
	if err != nil { // the parameters are not JSON; the engine will say so
		return t.Name + t.Description + string(t.Parameters)
	}
	return string(b)
}

// deriveOverhead renders small chats with the model's template and counts what it adds to their texts.
func deriveOverhead(p engine.Profile, v *vocabulary) Overhead {
	count := func(s string) int {
		n := 0
		for rest := s; rest != ""; {
			start, length := v.special.next(rest)
			n += v.encode(rest[:start])
			if length > 0 {
				n++
			}
			rest = rest[start+length:]
		}
		return n
	}
	short := []api.Message{{Role: "system", Content: "Be kind."}, {Role: "user", Content: "Say a word."}}
	long := append(short[:2:2], api.Message{Role: "assistant", Content: "Water is one."}, api.Message{Role: "user", Content: "Say more."})
	texts := func(messages []api.Message) (n int) {
		for _, m := range messages {
			n += count(m.Content)
		}
		return n
	}
	base, err := render(p, short, nil)
	more, err2 := render(p, long, nil)
	if err != nil || err2 != nil {
		return estimatedOverhead
	}
	added, addedMore := count(base)-texts(short), count(more)-texts(long)
	o := Overhead{Message: max((addedMore-added+1)/2, 0)}
	o.Prompt = added - 2*o.Message
	if v.bos {
		o.Prompt++
	}
	if p.Tools {
		probe := engine.Tool{Name: "probe", Description: "Nothing.", Parameters: json.RawMessage(`{"type":"object","properties":{"x":{"type":"string","description":"x"}},"required":["x"]}`)}
		o.Tools = estimatedOverhead.Tools
		var tool api.Tool
		if json.Unmarshal([]byte(ToolText(probe)), &tool) == nil {
			if with, err := render(p, short, api.Tools{tool}); err == nil {
				o.Tools = max(count(with)-count(base)-count(ToolText(probe)), 0)
			}
		}
	}
	return o
}

// render prints a chat as the engine does.
func render(p engine.Profile, messages []api.Message, tools api.Tools) (string, error) {
	if p.Renderer != "" {
		return renderers.RenderWithRenderer(p.Renderer, messages, tools, &api.ThinkValue{Value: false}) //nolint:wrapcheck // only compared with nil
	}
	t, err := template.Parse(p.Template)
	if err != nil {
		return "", err //nolint:wrapcheck // as above
	}
	var b strings.Builder
	err = t.Execute(&b, template.Values{Messages: append([]api.Message(nil), messages...), Tools: tools})
	return b.String(), err //nolint:wrapcheck // as above
}
