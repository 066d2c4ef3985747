package tokens

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/renderers"
	"github.com/ollama/ollama/template"

	"recollect/backend/engine"
)

// toolsHeading is about what templates say once about the use of tools, in tokens.
const toolsHeading = 80

// toolText returns a tool as most templates print it.
func toolText(t engine.Tool) string {
	b, err := json.Marshal(map[string]any{"type": "function", "function": t})
	if err != nil { // the parameters are not JSON; whoever sends them is told so
		return t.Name + t.Description + string(t.Parameters)
	}
	return string(b)
}

// chatTemplate counts what a model's chat template adds to the texts of a prompt, by rendering small chats.
type chatTemplate struct {
	profile  engine.Profile
	v        *vocabulary
	overhead Overhead
	bare     int // tokens of the smallest chat; -1 when the template cannot be rendered here
}

var (
	smallChat = []api.Message{{Role: "system", Content: "Be kind."}, {Role: "user", Content: "Say a word."}}
	exchange  = []api.Message{{Role: "assistant", Content: "Water is one."}, {Role: "user", Content: "Say more."}}
)

func newChatTemplate(p engine.Profile, v *vocabulary) *chatTemplate {
	t := &chatTemplate{profile: p, v: v, overhead: estimatedOverhead, bare: -1}
	ctx := context.Background() // a few lines of text
	count := func(messages []api.Message) (rendered, texts int, err error) {
		text, err := render(p, messages, nil)
		for _, m := range messages {
			texts += v.count(ctx, m.Content)
		}
		return v.count(ctx, text), texts, err
	}
	small, smallTexts, err := count(smallChat)
	if err != nil {
		return t
	}
	large, largeTexts, err := count(append(smallChat[:2:2], exchange...))
	if err != nil {
		return t
	}
	t.bare = small
	t.overhead.Message = max((large-largeTexts-small+smallTexts+1)/2, 0)
	t.overhead.Prompt = small - smallTexts - 2*t.overhead.Message
	if v.bos {
		t.overhead.Prompt++
	}
	return t
}

// tools returns the tokens that tools take, rendered by the template where that works.
func (t *chatTemplate) tools(ctx context.Context, tools []engine.Tool) int {
	if len(tools) == 0 {
		return 0
	}
	texts := make([]string, len(tools))
	for i, tool := range tools {
		texts[i] = toolText(tool)
	}
	list := "[" + strings.Join(texts, ",") + "]"
	var rendered api.Tools
	if t.bare >= 0 && json.Unmarshal([]byte(list), &rendered) == nil {
		if text, err := render(t.profile, smallChat, rendered); err == nil {
			return max(t.v.count(ctx, text)-t.bare, 0)
		}
	}
	return t.v.count(ctx, list) + toolsHeading
}

// render prints a chat as the engine does.
func render(p engine.Profile, messages []api.Message, tools api.Tools) (string, error) {
	messages = append([]api.Message(nil), messages...) // rendering may change them
	if p.Renderer != "" {
		return renderers.RenderWithRenderer(p.Renderer, messages, tools, &api.ThinkValue{Value: false})
	}
	t, err := template.Parse(p.Template)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = t.Execute(&b, template.Values{Messages: messages, Tools: tools})
	return b.String(), err
}
