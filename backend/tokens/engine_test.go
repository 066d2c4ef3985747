package tokens_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/tokens"
)

// show is a Source that asks a real engine, as the adapter does.
type show struct {
	client  *api.Client
	address string
	hide    bool // the file of the model cannot be read from here
}

func connect(t *testing.T) show {
	address := enginetest.StartEngine(t)
	return show{address: address, client: api.NewClient(&url.URL{Scheme: "http", Host: address}, &http.Client{})}
}

var fromLine = regexp.MustCompile(`(?m)^FROM (/.*)$`)

func (s show) Profile(ctx context.Context, name string) (engine.Profile, error) {
	r, err := s.client.Show(ctx, &api.ShowRequest{Model: name})
	if err != nil {
		return engine.Profile{}, err
	}
	p := engine.Profile{Template: r.Template}
	p.Tools = slices.Contains(r.Capabilities, model.CapabilityTools)
	if m := fromLine.FindStringSubmatch(r.Modelfile); m != nil && !s.hide {
		p.ModelPath = m[1]
	}
	p.Digest = name
	return p, nil
}

func (s show) Vocabulary(ctx context.Context, name string) (map[string]any, error) {
	r, err := s.client.Show(ctx, &api.ShowRequest{Model: name, Verbose: true})
	if err != nil {
		return nil, err
	}
	return r.ModelInfo, nil
}

// prompt returns what the engine counts for a text that no template touches.
func (s show) prompt(t *testing.T, name, text string) int {
	t.Helper()
	no, n := false, 0
	err := s.client.Generate(t.Context(), &api.GenerateRequest{
		Model: name, Prompt: text, Raw: true, Truncate: &no, Shift: &no,
		Options: map[string]any{"num_ctx": 2048, "num_predict": 1, "num_thread": 1},
	}, func(r api.GenerateResponse) error { n = max(n, r.PromptEvalCount); return nil })
	if err != nil {
		t.Fatalf("%s, %.40q: %v", name, text, err)
	}
	return n
}

// starterFile returns where the starter chat model lies; "make test" says where, elsewhere it may be missing.
func starterFile() string {
	path := filepath.Join(os.Getenv("RECOLLECT_TEST_MODELS"), "smollm2-135m-instruct.gguf")
	if _, err := os.Stat(path); err != nil {
		return ""
	}
	return path
}

// starter installs the starter chat model where its file lies, "" elsewhere.
func (s show) starter(t *testing.T) string {
	t.Helper()
	path := starterFile()
	if path == "" {
		return ""
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		t.Fatal(err)
	}
	digest := fmt.Sprintf("sha256:%x", h.Sum(nil))
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if err := s.client.CreateBlob(t.Context(), digest, f); err != nil {
		t.Fatal(err)
	}
	err = s.client.Create(t.Context(), &api.CreateRequest{Model: "starter", Files: map[string]string{"m.gguf": digest}},
		func(api.ProgressResponse) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return "starter"
}

var texts = map[string]string{
	"english":     "The quick brown fox doesn't jump over 13 lazy dogs; they've moved (again) to No. 42, 7th Street.",
	"paragraphs":  "First line.\n\nSecond paragraph, after a blank line.\n\n\n  Indented, with trailing spaces   \nand a tab\there.\n",
	"chinese":     "记住我的猫叫年糕，它今年3岁了。昨天（星期日）我们去了公园；天气很好！",
	"code":        "func main() {\n\tfor i := 0; i < 10; i++ {\n\t\tfmt.Printf(\"%d: %s\\n\", i, names[i])\n\t}\n}\n",
	"json":        `{"id": 1234567890, "values": [3.14159, -2e10, 0.001], "nested": {"a": null, "b": [true, false]}}`,
	"emoji":       "Great 👍🏽 thanks 🎉🎉 — see you at the 🏖️!",
	"right":       "مرحبا بالعالم، كيف حالك؟ שלום עולם",
	"special":     "What does <|im_end|> mean, and <|im_start|>user?",
	"markdown":    "# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n----------------------------------------\n\n* item\n",
	"contraction": "IT'S HERE'S don't we'll I'd they'Re",
	"run":         strings.Repeat("a", 700) + " " + strings.Repeat("=", 300) + strings.Repeat(" ", 200) + "x",
	"long":        strings.Repeat("Every conversation that we had last year about the garden was kept, and so was the weather. ", 8),
	"long code":   strings.Repeat("\tif err := store.Save(ctx, item); err != nil {\n\t\treturn fmt.Errorf(\"save %s: %w\", item.ID, err)\n\t}\n\n", 5),
	"long zh":     strings.Repeat("我们去年关于花园的每一次谈话都保存了下来，天气也是如此。今天下雨，", 8),
}

func TestCountsEqualTheEngines(t *testing.T) {
	s := connect(t)
	names := []string{scripted.Llama, scripted.Qwen3, scripted.Gemma3}
	for _, name := range names {
		if err := scripted.Install(t.Context(), s.address, name, name); err != nil {
			t.Fatal(err)
		}
	}
	if name := s.starter(t); name != "" {
		names = append(names, name)
	}
	for _, name := range names {
		counter := tokens.New(s).For(t.Context(), name)
		if !counter.Exact() {
			t.Errorf("%s: the vocabulary was not read", name)
			continue
		}
		hidden := s
		hidden.hide = true
		sent := tokens.New(hidden).For(t.Context(), name)
		bos := s.prompt(t, name, "the") - counter.Count("the")
		if bos < 0 || bos > 1 {
			t.Errorf("%s: a word takes %d tokens more in the engine", name, bos)
		}
		for kind, text := range texts {
			want := s.prompt(t, name, text) - bos
			if got := counter.Count(text); got != want {
				t.Errorf("%s, %s: %d tokens, the engine counts %d", name, kind, got, want)
			}
			if got := sent.Count(text); got != want {
				t.Errorf("%s, %s: with a vocabulary that was sent %d tokens, the engine counts %d", name, kind, got, want)
			}
		}
	}
}

// What a whole chat takes is the sum of its texts and of what the template adds.
func TestOverheadEqualsTheTemplates(t *testing.T) {
	s := connect(t)
	for _, name := range []string{scripted.Llama, scripted.Qwen3} {
		if err := scripted.Install(t.Context(), s.address, name, name); err != nil {
			t.Fatal(err)
		}
		counter := tokens.New(s).For(t.Context(), name)
		tool := engine.Tool{
			Name: "core_memory_append", Description: "Add to memory.",
			Parameters: json.RawMessage(`{"type":"object","properties":{"label":{"type":"string","description":"the block"},"text":{"type":"string","description":"what"}},"required":["label","text"]}`),
		}
		for _, withTool := range []bool{false, true} {
			for _, turns := range []int{1, 2, 8} {
				want, estimate := s.chat(t, name, turns, withTool, tool, counter)
				if diff := estimate - want; diff < 0 || diff > 2+turns { // half a token a message, rounded up
					t.Errorf("%s, %d turns, tool %v: estimated %d, the engine counts %d", name, turns, withTool, estimate, want)
				}
			}
		}
	}
}

func (s show) chat(t *testing.T, name string, turns int, withTool bool, tool engine.Tool, c tokens.Counter) (measured, estimated int) {
	t.Helper()
	messages := []api.Message{{Role: "system", Content: "You are kind, and you remember what people tell you."}}
	for range turns {
		messages = append(messages, api.Message{Role: "user", Content: "What did we say about the garden?"},
			api.Message{Role: "assistant", Content: "That it needs water, most of all."})
	}
	messages = messages[:len(messages)-1]
	o := c.Overhead()
	estimated = o.Prompt
	for _, m := range messages {
		estimated += c.Count(m.Content) + o.Message
	}
	no := false
	r := &api.ChatRequest{Model: name, Messages: messages, Truncate: &no, Shift: &no, Options: map[string]any{"num_ctx": 2048, "num_predict": 1, "num_thread": 1}}
	if withTool {
		sent := fmt.Sprintf(`[{"type":"function","function":{"name":%q,"description":%q,"parameters":%s}}]`, tool.Name, tool.Description, tool.Parameters)
		if err := json.Unmarshal([]byte(sent), &r.Tools); err != nil {
			t.Fatal(err)
		}
		estimated += c.Tools([]engine.Tool{tool})
	}
	if err := s.client.Chat(t.Context(), r, func(r api.ChatResponse) error { measured = max(measured, r.PromptEvalCount); return nil }); err != nil {
		t.Fatal(err)
	}
	if measured == 0 {
		t.Fatal(errors.New("the engine counted nothing"))
	}
	return measured, estimated
}
