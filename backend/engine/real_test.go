package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/memory"
)

// own starts an engine of our own with the scripted models of the architectures, named after them.
func own(t *testing.T, log *syncBuffer, archs ...string) *engine.Engine {
	t.Helper()
	o := engine.Options{Bundled: []string{enginetest.Binary(t)}, Parallel: 2}
	if log != nil {
		o.Log = log
	}
	e := start(t, o)
	ready(t, e)
	for _, arch := range archs {
		path := filepath.Join(t.TempDir(), arch+".gguf")
		if err := scripted.Write(path, arch); err != nil {
			t.Fatal(err)
		}
		opts := engine.ImportOptions{Template: scripted.Template(arch)}
		if arch != scripted.Bert {
			opts.Parameters = map[string]any{"temperature": 0, "num_thread": 1}
		}
		if err := e.Import(t.Context(), path, arch, opts, nil); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func search() []engine.Tool {
	return []engine.Tool{{Name: "archival_memory_search", Description: "Searches.", Parameters: json.RawMessage(
		`{"type":"object","properties":{"query":{"type":"string"}},"required":["query"]}`)}}
}

func TestRealEngineModels(t *testing.T) {
	e := own(t, nil, scripted.Llama, scripted.Qwen3, scripted.Gemma3, scripted.Bert)
	s := e.Status()
	if s.Kind != engine.KindBundled || !s.Loopback || s.Slots != 2 || s.Version == "" || s.Models != 4 {
		t.Errorf("status %+v", s)
	}
	models, err := e.Models(t.Context())
	if err != nil || len(models) != 4 {
		t.Fatalf("got %d models, %v", len(models), err)
	}
	by := map[string]engine.Model{}
	for _, m := range models {
		by[m.Name] = m
	}
	if m := by["llama:latest"]; !m.Chat || !m.Tools || m.Embedding || m.Context != scripted.Context || m.Bytes == 0 || m.Fits != "yes" || m.NeedBytes <= m.Bytes {
		t.Errorf("llama: %+v", m)
	}
	if m := by["bert:latest"]; m.Chat || !m.Embedding || m.Dimension == 0 || m.Context != 512 {
		t.Errorf("bert: %+v", m)
	}
	if m := by["qwen3:latest"]; !m.Thinking {
		t.Errorf("qwen3: %+v", m)
	}
	p, err := e.Profile(t.Context(), "gemma3")
	if err != nil || !p.AppendOnly || p.SlidingWindow != 512 || p.EngineKind != "ollamarunner" {
		t.Errorf("gemma3: %+v, %v", p, err)
	}
	p, err = e.Profile(t.Context(), "llama")
	if err != nil || p.AppendOnly || p.EngineKind != "llamarunner" || p.ModelPath == "" || !p.HoistsSystem {
		t.Errorf("llama: %+v, %v", p, err)
	}
	vocabulary, err := e.Vocabulary(t.Context(), "llama")
	if tokens, _ := vocabulary["tokenizer.ggml.tokens"].([]any); err != nil || len(tokens) < 256 {
		t.Errorf("vocabulary of %d pieces, %v", len(tokens), err)
	}
}

func TestRealEngineChat(t *testing.T) {
	log := &syncBuffer{}
	e := own(t, log, scripted.Llama, scripted.Qwen3)
	t.Run("answer", func(t *testing.T) {
		res, err := e.Chat(t.Context(), request("llama", user("My password is hunter2. <c:hello>")...), nil)
		if err != nil || res.Message.Content != "Hello there. How can I help?" || res.End != memory.EndStop || res.Usage.PromptTokens == 0 {
			t.Fatalf("got %+v, %v", res, err)
		}
		if strings.Contains(log.String(), "hunter2") {
			t.Error("the engine's log holds the prompt")
		}
	})
	t.Run("length", func(t *testing.T) {
		req := request("llama", user("<c:count>")...)
		req.NumPredict = 10
		res, err := e.Chat(t.Context(), req, nil)
		if err != nil || res.End != memory.EndLength || !strings.HasPrefix(res.Message.Content, "one, two, three") {
			t.Fatalf("got %+v, %v", res, err)
		}
	})
	t.Run("emoji in two tokens", func(t *testing.T) {
		res, err := e.Chat(t.Context(), request("llama", user("<c:emoji>")...), nil)
		if err != nil || res.Message.Content != "A cat: 🐈." {
			t.Fatalf("got %q, %v", res.Message.Content, err)
		}
	})
	for _, model := range []string{"llama", "qwen3"} {
		t.Run("tool call "+model, func(t *testing.T) {
			req := request(model, user("<c:archival_memory_search>")...)
			req.Tools = search()
			res, err := e.Chat(t.Context(), req, nil)
			if err != nil || len(res.Message.ToolCalls) != 1 || res.Message.ToolCalls[0].Arguments != `{"query":"bicycle"}` {
				t.Fatalf("got %+v, %v", res, err)
			}
			req.Messages = append(req.Messages, res.Message, engine.Message{Role: "tool", Content: "Comet", ToolName: "archival_memory_search"})
			if res, err = e.Chat(t.Context(), req, nil); err != nil || res.Message.Content != scripted.Done {
				t.Fatalf("after the result: %+v, %v", res, err)
			}
		})
		t.Run("malformed tool call "+model, func(t *testing.T) {
			req := request(model, user("<c:malformed>")...)
			req.Tools = search()
			_, err := e.Chat(t.Context(), req, nil)
			wantCode(t, err, memory.EMALFORMED, memory.RemedyRetry)
		})
	}
	t.Run("equal tokens without end", func(t *testing.T) {
		res, err := e.Chat(t.Context(), request("llama", user("<c:loop>")...), nil)
		wantCode(t, err, memory.EINCOMPLETE, memory.RemedyRetry)
		if !strings.HasPrefix(res.Message.Content, "Start: la la") {
			t.Errorf("kept %q", res.Message.Content)
		}
	})
	t.Run("format", func(t *testing.T) {
		req := request("llama", user("What now?")...)
		req.Format = json.RawMessage(`{"type":"object","properties":{"tool":{"type":"string","enum":["none"],"pattern":"^(?=x).*$"},"args":{"type":"object","properties":{}}},"required":["tool","args"]}`)
		res, err := e.Chat(t.Context(), req, nil)
		var v struct{ Tool string }
		if err != nil || json.Unmarshal([]byte(res.Message.Content), &v) != nil || v.Tool != "none" {
			t.Fatalf("got %q, %v", res.Message.Content, err)
		}
	})
	t.Run("overflow", func(t *testing.T) {
		req := request("llama", user(strings.Repeat("memory ", 9000))...)
		req.PromptTokens, req.CachedTokens = 9010, 9010
		_, err := e.Chat(t.Context(), req, nil)
		wantCode(t, err, memory.EOVERFLOW, memory.RemedyShortenMessage)
	})
	t.Run("stop while writing", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		req := request("llama", user("<c:count>")...)
		req.NumPredict = 5000
		res, err := e.Chat(ctx, req, func(c engine.Chunk) error {
			if strings.Contains(c.Content, "three") {
				cancel()
			}
			return nil
		})
		wantCode(t, err, memory.ECANCELLED, "")
		if !strings.HasPrefix(res.Message.Content, "one, two, three") {
			t.Errorf("kept %q", res.Message.Content)
		}
		if res, err := e.Chat(t.Context(), request("llama", user("<c:hello>")...), nil); err != nil || res.Message.Content == "" {
			t.Errorf("afterwards: %+v, %v", res, err)
		}
	})
}

// conversation grows turn by turn.
func ask(t *testing.T, e *engine.Engine, req engine.ChatRequest) engine.ChatResult {
	t.Helper()
	res, err := e.Chat(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestRealEngineReuseIsExactAndSideTasksDoNotCostIt(t *testing.T) {
	for _, model := range []string{scripted.Llama, scripted.Qwen3} {
		t.Run(model, func(t *testing.T) {
			e := own(t, nil, model)
			chat := request(model, engine.Message{Role: "system", Content: "You are a helper. " + strings.Repeat("The user likes tea and has a cat. ", 60)},
				engine.Message{Role: "user", Content: "<c:hello>"})
			first := ask(t, e, chat)
			if first.Usage.CachedTokens != 0 {
				t.Errorf("first turn: %d of %d cached", first.Usage.CachedTokens, first.Usage.PromptTokens)
			}
			side := request(model, engine.Message{Role: "system", Content: "Name the topic. " + strings.Repeat("Be brief and clear. ", 40)},
				engine.Message{Role: "user", Content: "<c:hello>"})
			side.Priority = engine.PriorityBackground
			ask(t, e, side)

			chat.Messages = append(chat.Messages, first.Message, engine.Message{Role: "user", Content: "And now? <c:hello>"})
			second := ask(t, e, chat)
			if lost := first.Usage.PromptTokens - second.Usage.CachedTokens; lost > first.Usage.PromptTokens/20 {
				t.Errorf("a side task cost the chat %d of %d tokens", lost, first.Usage.PromptTokens)
			}
			side.Messages[1].Content = "Another. <c:hello>"
			if again := ask(t, e, side); again.Usage.CachedTokens < again.Usage.PromptTokens*8/10 {
				t.Errorf("the side task's own instructions: %d of %d cached", again.Usage.CachedTokens, again.Usage.PromptTokens)
			}
			unload(t, e, model)
			third := ask(t, e, chat) // loaded anew: seeded anew
			if third.Usage.CachedTokens != 0 {
				t.Errorf("after a reload %d cached", third.Usage.CachedTokens)
			}
			ask(t, e, side)
			if fourth := ask(t, e, chat); fourth.Usage.CachedTokens < fourth.Usage.PromptTokens*95/100 {
				t.Errorf("after a reload and a side task %d of %d cached", fourth.Usage.CachedTokens, fourth.Usage.PromptTokens)
			}
		})
	}
}

func TestRealEngineStagesReadNothingTwice(t *testing.T) {
	e := own(t, nil, scripted.Llama)
	messages := []engine.Message{{Role: "system", Content: strings.Repeat("You help the user. ", 100)}}
	for i := range 6 {
		messages = append(messages,
			engine.Message{Role: "user", Content: fmt.Sprintf("%d. ", i) + strings.Repeat("I like my cat and my tea. ", 50)},
			engine.Message{Role: "assistant", Content: strings.Repeat("That is good to know. ", 30)})
	}
	messages = append(messages, engine.Message{Role: "user", Content: strings.Repeat("What about the bicycle? ", 60) + "<c:hello>"})
	req := request("llama", messages...)
	req.Tools = search()
	req.PromptTokens = 4000
	var reads []int
	req.Progress = func(p engine.Progress) {
		if p.Phase == engine.PhaseReading {
			reads = append(reads, p.Read)
		}
	}
	staged := ask(t, e, req)
	if staged.Stages < 3 || len(reads) < 3 {
		t.Fatalf("%d stages for %d tokens", staged.Stages, staged.Usage.PromptTokens)
	}
	if staged.Message.Content != "Hello there. How can I help?" {
		t.Errorf("the answer changed: %q", staged.Message.Content)
	}
	again := ask(t, e, req)
	if again.Usage.CachedTokens < again.Usage.PromptTokens-2 {
		t.Errorf("asked again: %d of %d cached", again.Usage.CachedTokens, again.Usage.PromptTokens)
	}
	if n := int(math.Abs(float64(staged.Usage.PromptTokens - again.Usage.PromptTokens))); n != 0 {
		t.Errorf("the prompt has %d tokens more or less than in stages", n)
	}
}

func TestRealEngineEmbeds(t *testing.T) {
	e := own(t, nil, scripted.Bert)
	texts := []string{"the cat", "a dog", "", "the cat", strings.Repeat("x", 5000), strings.Repeat("cat dog ", 600), "<s>[MASK]</s>", "\x00\xff"}
	for range 20 {
		texts = append(texts, "memory of the dog")
	}
	began := time.Now()
	vectors, err := e.Embed(t.Context(), engine.EmbedRequest{Model: "bert", Texts: texts, Priority: engine.PriorityBackground})
	if err != nil {
		t.Fatal(err)
	}
	if len(vectors) != len(texts) {
		t.Fatalf("%d vectors for %d texts", len(vectors), len(texts))
	}
	for i, v := range vectors {
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		if math.Abs(sum-1) > 0.01 {
			t.Errorf("vector %d has length %f", i, math.Sqrt(sum))
		}
	}
	for i := range vectors[0] {
		if math.Abs(float64(vectors[0][i]-vectors[3][i])) > 1e-3 {
			t.Fatal("equal texts have different vectors")
		}
	}
	t.Logf("%d texts in %s", len(texts), time.Since(began))
}

// Embedding between two turns of a chat does not put the chat's model out of memory, nor its prompt out of the cache.
func TestRealEngineEmbedderLeavesTheChatItsMemory(t *testing.T) {
	e := own(t, nil, scripted.Llama, scripted.Bert)
	chat := request(scripted.Llama, engine.Message{Role: "system", Content: "You are a helper. " + strings.Repeat("The user likes tea and has a cat. ", 60)},
		engine.Message{Role: "user", Content: "<c:hello>"})
	for turn := range 3 {
		res := ask(t, e, chat)
		if u := res.Usage; turn > 0 && u.CachedTokens < u.PromptTokens*9/10 {
			t.Errorf("turn %d: %d of %d tokens are left in the cache", turn, u.CachedTokens, u.PromptTokens)
		}
		var texts []string
		for i := range 60 {
			texts = append(texts, fmt.Sprintf("memory %d of turn %d", i, turn))
		}
		if _, err := e.Embed(t.Context(), engine.EmbedRequest{Model: scripted.Bert, Texts: texts, Priority: engine.PriorityBackground}); err != nil {
			t.Fatal(err)
		}
		chat.Messages = append(chat.Messages, res.Message, engine.Message{Role: "user", Content: "And now? <c:hello>"})
	}
	models, err := e.Models(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range models {
		if !m.Loaded {
			t.Errorf("%s is not in memory any more", m.Name)
		}
	}
}

func TestRealEngineDelete(t *testing.T) {
	e := own(t, nil, scripted.Llama)
	ask(t, e, request("llama", user("<c:hello>")...))
	if err := e.Delete(t.Context(), "llama"); err != nil {
		t.Fatal(err)
	}
	if models, err := e.Models(t.Context()); err != nil || len(models) != 0 || e.Status().Models != 0 {
		t.Errorf("left: %+v, %v", models, err)
	}
	_, err := e.Chat(t.Context(), request("llama", user("<c:hello>")...), nil)
	wantCode(t, err, memory.EMODEL, memory.RemedyPullModel)
	wantCode(t, e.Delete(t.Context(), "llama"), memory.EMODEL, "")
}

func TestRealEngineEndsAndFreesItsMemoryWhenUnloaded(t *testing.T) {
	e := own(t, nil, scripted.Llama)
	ask(t, e, request("llama", user("<c:hello>")...))
	models, err := e.Models(t.Context())
	if err != nil || !models[0].Loaded {
		t.Fatalf("not loaded: %+v, %v", models, err)
	}
	unload(t, e, "llama")
}

// unload waits until the engine has let go of the model: it answers before it does, and would go on with what it had read.
func unload(t *testing.T, e *engine.Engine, model string) {
	t.Helper()
	if err := e.Unload(t.Context(), model); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(time.Minute)
	for {
		models, err := e.Models(t.Context())
		loaded := slices.ContainsFunc(models, func(m engine.Model) bool { return m.Loaded && strings.HasPrefix(m.Name, model) })
		if err == nil && !loaded {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("still loaded: %+v, %v", models, err)
		}
		time.Sleep(100 * time.Millisecond)
	}
}
