package window_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/tokens"
	"recollect/backend/window"
)

// file is a source of one model's vocabulary.
type file engine.Profile

func (f file) Profile(context.Context, string) (engine.Profile, error) {
	return engine.Profile(f), nil
}
func (f file) Vocabulary(context.Context, string) (map[string]any, error) { return nil, nil }

// The prompt of a plan is what a real engine counts, tools and their calls included.
func TestPlansEqualTheEnginesCount(t *testing.T) {
	address := enginetest.StartEngine(t)
	client := api.NewClient(&url.URL{Scheme: "http", Host: address}, &http.Client{})
	for _, arch := range []string{scripted.Llama, scripted.Qwen3} {
		if err := scripted.Install(t.Context(), address, arch, arch); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "model.gguf")
		if err := scripted.Write(path, arch); err != nil {
			t.Fatal(err)
		}
		source := file{Model: engine.Model{Digest: arch}, ModelPath: path, Template: scripted.Template(arch)}
		c := newChat(t, 4096)
		c.in.Model, c.in.Counter = arch, tokens.New(source).For(t.Context(), arch)
		for _, name := range []string{"core_memory_append", "archival_memory_search"} {
			c.in.Tools = append(c.in.Tools, engine.Tool{
				Name: name, Description: "What it does, in a sentence.",
				Parameters: json.RawMessage(`{"type":"object","properties":{"label":{"type":"string","description":"the block"},"content":{"type":"string"}},"required":["label"]}`),
			})
		}
		for i := range 12 {
			r := c.user(fmt.Sprintf("What did we say about garden %d, and 花园？", i))
			if i%3 == 2 {
				c.call(fmt.Sprint("call-", i), "")
				c.set("human", fmt.Sprintf("Gardens: %d", i))
				c.result(fmt.Sprint("call-", i), "Done.\n"+window.Update(c.in.Blocks[1]))
				r = c.send()
			}
			measured := count(t, client, arch, r)
			if diff := r.Plan.Prompt - measured; diff < 0 || float64(diff) > 0.03*float64(measured)+8 {
				t.Errorf("%s, turn %d: planned %d, the engine counts %d", arch, i, r.Plan.Prompt, measured)
			}
			c.answer("That it needs water.")
		}
	}
}

// count sends a request and returns how many tokens the engine read.
func count(t *testing.T, client *api.Client, model string, r window.Request) int {
	t.Helper()
	no, measured := false, 0
	request := &api.ChatRequest{Model: model, Truncate: &no, Shift: &no, Options: map[string]any{"num_ctx": r.Plan.Window, "num_predict": 1}, Think: &api.ThinkValue{Value: false}}
	for _, m := range r.Messages {
		out := api.Message{Role: m.Role, Content: m.Content, ToolName: m.ToolName, ToolCallID: m.ToolCallID}
		for _, c := range m.ToolCalls {
			var call api.ToolCall
			if err := json.Unmarshal([]byte(`{"function":{"name":"`+c.Name+`","arguments":`+c.Arguments+`}}`), &call); err != nil {
				t.Fatal(err)
			}
			out.ToolCalls = append(out.ToolCalls, call)
		}
		request.Messages = append(request.Messages, out)
	}
	for _, tool := range r.Tools {
		var out api.Tool
		sent := fmt.Sprintf(`{"type":"function","function":{"name":%q,"description":%q,"parameters":%s}}`, tool.Name, tool.Description, tool.Parameters)
		if err := json.Unmarshal([]byte(sent), &out); err != nil {
			t.Fatal(err)
		}
		request.Tools = append(request.Tools, out)
	}
	err := client.Chat(t.Context(), request, func(r api.ChatResponse) error {
		measured = max(measured, r.PromptEvalCount)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return measured
}
