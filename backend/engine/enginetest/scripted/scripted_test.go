package scripted_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
)

func TestWriteIsDeterministic(t *testing.T) {
	for _, arch := range []string{scripted.Llama, scripted.Qwen3, scripted.Gemma3, scripted.Bert} {
		var files [2][]byte
		for i := range files {
			path := filepath.Join(t.TempDir(), "model.gguf")
			if err := scripted.Write(path, arch); err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[i] = b
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: two runs wrote different files", arch)
		}
		if n := len(files[0]); n > 8<<20 {
			t.Errorf("%s: %d bytes", arch, n)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.gguf")
	for name, err := range map[string]error{
		"unknown architecture": scripted.Write(path, "gpt9"),
		"scripted embedder":    scripted.Write(path, scripted.Bert, scripted.Script{On: "<c:x>"}),
		"token twice":          scripted.Write(path, scripted.Llama, scripted.Script{On: "<c:x>", Reply: []string{"Hello there."}}),
		"single byte":          scripted.Write(path, scripted.Llama, scripted.Script{On: "<c:x>", Reply: []string{"x"}}),
		"repeats too much":     scripted.Write(path, scripted.Llama, scripted.Script{On: "<c:x>", Reply: []string{"x y"}, Repeat: 2}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// answer is what one chat request brought.
type answer struct {
	content, thinking string
	calls             []api.ToolCall
	done              bool
	reason            string
	tokens            int
	prompt            int
}

type engine struct {
	t      *testing.T
	client *api.Client
}

func start(t *testing.T) engine {
	address := enginetest.StartEngine(t)
	for _, arch := range []string{scripted.Llama, scripted.Qwen3, scripted.Gemma3, scripted.Bert} {
		if err := scripted.Install(t.Context(), address, arch, arch); err != nil {
			t.Fatal(err)
		}
	}
	return engine{t, api.NewClient(&url.URL{Scheme: "http", Host: address}, http.DefaultClient)}
}

func (e engine) chat(name string, messages []api.Message, change func(*api.ChatRequest)) answer {
	e.t.Helper()
	refuse := false
	request := &api.ChatRequest{
		Model: name, Messages: messages, Truncate: &refuse, Shift: &refuse,
		Options: map[string]any{"num_ctx": 4096, "num_predict": 100},
	}
	if change != nil {
		change(request)
	}
	var a answer
	err := e.client.Chat(e.t.Context(), request, func(r api.ChatResponse) error {
		a.content += r.Message.Content
		a.thinking += r.Message.Thinking
		a.calls = append(a.calls, r.Message.ToolCalls...)
		if r.Done {
			a.done, a.reason, a.tokens, a.prompt = true, r.DoneReason, r.EvalCount, r.PromptEvalCount
		}
		return nil
	})
	if err != nil {
		e.t.Fatal(err)
	}
	return a
}

func user(text string) []api.Message { return []api.Message{{Role: "user", Content: text}} }

// allTools declares every tool that the scripts call, with any arguments.
func allTools(t *testing.T) func(*api.ChatRequest) {
	var tools api.Tools
	for _, name := range scripted.Tools {
		var tool api.Tool
		declaration := `{"type":"function","function":{"name":"` + name + `","description":"A tool.","parameters":{"type":"object","properties":{"label":{"type":"string"}}}}}`
		if err := json.Unmarshal([]byte(declaration), &tool); err != nil {
			t.Fatal(err)
		}
		tools = append(tools, tool)
	}
	return func(r *api.ChatRequest) { r.Tools = tools }
}

func TestCapabilities(t *testing.T) {
	e := start(t)
	for arch, want := range map[string][]model.Capability{
		scripted.Llama:  {model.CapabilityCompletion, model.CapabilityTools},
		scripted.Qwen3:  {model.CapabilityCompletion, model.CapabilityTools, model.CapabilityThinking},
		scripted.Gemma3: {model.CapabilityCompletion},
		scripted.Bert:   {model.CapabilityEmbedding},
	} {
		show, err := e.client.Show(t.Context(), &api.ShowRequest{Model: arch})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(show.Capabilities, want) {
			t.Errorf("%s: %v, want %v", arch, show.Capabilities, want)
		}
	}
}

func TestTextReplies(t *testing.T) {
	e := start(t)
	for _, arch := range []string{scripted.Llama, scripted.Qwen3, scripted.Gemma3} {
		for prompt, want := range map[string]string{
			"Good morning":                 scripted.Noted,
			"Anything <c:hello> after all": scripted.Noted,
			"Hi <c:hello>":                 "Hello there. How can I help?",
			"<c:empty>":                    "",
			"<c:chinese>":                  "你好,我记住了。",
			"<c:emoji>":                    "A cat: 🐈.",
		} {
			if a := e.chat(arch, user(prompt), nil); a.content != want || !a.done || a.reason != "stop" {
				t.Errorf("%s: %q: %+v, want %q", arch, prompt, a, want)
			}
		}
		if a := e.chat(arch, user("<c:count>"), nil); a.reason != "length" || a.tokens != 100 || !strings.HasPrefix(a.content, "one, two, ") {
			t.Errorf("%s: counting: %+v", arch, a)
		}
		if a := e.chat(arch, user("<c:loop>"), nil); a.done {
			t.Errorf("%s: the loop ended properly: %+v", arch, a)
		}
		if a := e.chat(arch, user("<c:markdown>"), nil); a.tokens < 50 || !strings.HasSuffix(a.content, "That is all.") {
			t.Errorf("%s: Markdown: %+v", arch, a)
		}
	}
}

func TestWordsAreTokens(t *testing.T) {
	e := start(t)
	text := strings.Repeat(" the conversation is about what people like", 20)
	if a := e.chat(scripted.Qwen3, user(text), nil); a.prompt > 180 {
		t.Errorf("%d tokens for 140 words", a.prompt)
	}
}

func TestToolCalls(t *testing.T) {
	e := start(t)
	with := allTools(t)
	for _, arch := range []string{scripted.Llama, scripted.Qwen3} {
		for _, name := range scripted.Tools {
			question := user("<c:" + name + ">")
			a := e.chat(arch, question, with)
			if len(a.calls) != 1 || a.calls[0].Function.Name != name || a.content != "" || !a.done {
				t.Errorf("%s: %s: %+v", arch, name, a)
				continue
			}
			question = append(question,
				api.Message{Role: "assistant", ToolCalls: a.calls},
				api.Message{Role: "tool", ToolName: name, Content: "OK"})
			if a := e.chat(arch, question, with); a.content != scripted.Done || len(a.calls) > 0 {
				t.Errorf("%s: after %s: %+v", arch, name, a)
			}
		}
		if a := e.chat(arch, user("<c:two>"), with); len(a.calls) != 2 || strings.TrimSpace(a.content) != "Two things." {
			t.Errorf("%s: two calls: %+v", arch, a)
		}
		for _, lost := range []string{"<c:malformed>", "<c:unknown>", "<c:truncated>"} {
			if a := e.chat(arch, user(lost), with); len(a.calls) != 0 || a.content != "" || a.tokens < 2 {
				t.Errorf("%s: %s: %+v", arch, lost, a)
			}
		}
		for _, text := range []string{"<c:raw>", "<c:prose>"} {
			if a := e.chat(arch, user(text), with); len(a.calls) != 0 || !strings.Contains(a.content, `"query"`) {
				t.Errorf("%s: %s: %+v", arch, text, a)
			}
		}
	}
}

func TestCallsAfterToolResults(t *testing.T) {
	e := start(t)
	with := allTools(t)
	for trigger, want := range map[string][]string{
		"<c:badlabel>": {"core_memory_append", "core_memory_append", ""},
		"<c:steps>":    {"archival_memory_search", "conversation_search", "archival_memory_search", ""},
		"<c:again>":    {"archival_memory_search", "archival_memory_search", "archival_memory_search", "archival_memory_search"},
	} {
		messages := user(trigger)
		var got []string
		for range want {
			a := e.chat(scripted.Llama, messages, with)
			if len(a.calls) == 0 {
				if a.content != scripted.Done {
					t.Errorf("%s: ended with %q", trigger, a.content)
				}
				got = append(got, "")
				break
			}
			name := a.calls[0].Function.Name
			got = append(got, name)
			messages = append(messages,
				api.Message{Role: "assistant", Content: a.content, ToolCalls: a.calls},
				api.Message{Role: "tool", ToolName: name, Content: "Result."})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", trigger, got, want)
		}
	}
}

func TestThinking(t *testing.T) {
	e := start(t)
	a := e.chat(scripted.Qwen3, user("<c:think>"), nil)
	if a.thinking != "The user asks something." || strings.TrimSpace(a.content) != "The answer is 42." {
		t.Errorf("%+v", a)
	}
	if a := e.chat(scripted.Qwen3, user("<c:thinkonly>"), nil); a.content != "" || !strings.Contains(a.thinking, "nowhere") {
		t.Errorf("%+v", a)
	}
	if a := e.chat(scripted.Qwen3, user("<c:thinkcall>"), allTools(t)); a.thinking == "" || len(a.calls) != 1 {
		t.Errorf("%+v", a)
	}
}

func TestConstrained(t *testing.T) {
	e := start(t)
	for _, arch := range []string{scripted.Llama, scripted.Gemma3} {
		for schema, want := range map[string]string{
			`{"type":"object","properties":{"tool":{"enum":["none","x"]},"args":{"type":"object"}},"required":["tool","args"]}`:                                           `{"tool": "none", "args": {}}`,
			`{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"},"list":{"type":"array","items":{"type":"string"}}},"required":["n","s","list"]}`: `{"n":0,"s":"I have noted that, thank you.","list":["I have noted that, thank you."]}`,
		} {
			a := e.chat(arch, user("Please choose."), func(r *api.ChatRequest) { r.Format = json.RawMessage(schema) })
			var got, expected any
			if err := json.Unmarshal([]byte(a.content), &got); err != nil {
				t.Errorf("%s: %q: %v", arch, a.content, err)
				continue
			}
			if err := json.Unmarshal([]byte(want), &expected); err != nil {
				t.Fatal(err)
			}
			g, _ := json.Marshal(got)
			w, _ := json.Marshal(expected)
			if !bytes.Equal(g, w) {
				t.Errorf("%s: %s, want %s", arch, g, w)
			}
		}
	}
}

func TestEmbeddings(t *testing.T) {
	e := start(t)
	r, err := e.client.Embed(t.Context(), &api.EmbedRequest{Model: scripted.Bert, Input: []string{"the cat is here", "the cat is there", "one two three"}})
	if err != nil {
		t.Fatal(err)
	}
	cosine := func(a, b []float32) (sum float32) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	v := r.Embeddings
	if len(v) != 3 || len(v[0]) != 64 {
		t.Fatalf("%d vectors", len(v))
	}
	if near, far := cosine(v[0], v[1]), cosine(v[0], v[2]); near <= far {
		t.Errorf("texts that share words: %f, others: %f", near, far)
	}
}

func TestOwnScript(t *testing.T) {
	address := enginetest.StartEngine(t)
	own := []scripted.Script{
		{On: scripted.AnyText, Reply: []string{"Own", " default answer."}},
		{On: "<c:own>", Reply: []string{scripted.Call("archival_memory_search", `{"query":"own"}`)}},
		{On: "<r:own>", After: `{"query":"own"}`, Reply: []string{"My own end."}},
	}
	if err := scripted.Install(t.Context(), address, "own", scripted.Llama, own...); err != nil {
		t.Fatal(err)
	}
	e := engine{t, api.NewClient(&url.URL{Scheme: "http", Host: address}, http.DefaultClient)}
	if a := e.chat("own", user("Hi"), nil); a.content != "Own default answer." {
		t.Errorf("%+v", a)
	}
	a := e.chat("own", user("<c:own>"), allTools(t))
	if len(a.calls) != 1 {
		t.Fatalf("%+v", a)
	}
	a = e.chat("own", append(user("<c:own>"), api.Message{Role: "assistant", ToolCalls: a.calls}, api.Message{Role: "tool", Content: "OK"}), allTools(t))
	if a.content != "My own end." {
		t.Errorf("%+v", a)
	}
}
