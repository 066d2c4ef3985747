package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

func asError(err error, target **memory.Error) bool { return errors.As(err, target) }

func TestChatStreamsAnswerAndAsksForNoTruncation(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: "Hello Ann, how are you?"} })
	var streamed strings.Builder
	req := request(enginetest.Chat, user("I am Ann.")...)
	req.PromptTokens = 12
	res, err := e.Chat(t.Context(), req, func(c engine.Chunk) error {
		streamed.WriteString(c.Content)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if res.Message.Content != "Hello Ann, how are you?" || streamed.String() != res.Message.Content || res.End != memory.EndStop {
		t.Errorf("got %+v, streamed %q", res, streamed.String())
	}
	if res.Usage.PromptTokens == 0 || res.Usage.OutputTokens == 0 || res.Usage.EstimateTokens != 12 || res.Usage.Truncated {
		t.Errorf("usage %+v", res.Usage)
	}
	sent := f.Chats()[0]
	if sent.Truncate == nil || *sent.Truncate || sent.Shift == nil || *sent.Shift || sent.KeepAlive == nil {
		t.Errorf("truncate, shift or keep_alive are missing: %+v", sent)
	}
	if sent.Options["num_ctx"] != 8192.0 || sent.Options["num_predict"] != 256.0 || sent.Options["num_thread"] == nil {
		t.Errorf("options %v", sent.Options)
	}
	for _, r := range f.Requests() {
		if r.Chat != nil && (r.Chat.Options["num_ctx"] != 8192.0 || r.Chat.Options["num_thread"] != sent.Options["num_thread"]) {
			t.Errorf("options of the model differ between requests, which loads it anew: %v", r.Chat.Options)
		}
	}
}

func TestChatReportsLength(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: strings.Repeat("word ", 100)} })
	req := request(enginetest.Chat, user("talk")...)
	req.NumPredict = 20
	res, err := e.Chat(t.Context(), req, nil)
	if err != nil || res.End != memory.EndLength {
		t.Fatalf("got end %q, error %v", res.End, err)
	}
}

func TestWindowIsNeverLargerThanTheModelWasTrainedFor(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	req := request(enginetest.Chat, user("hi")...)
	req.NumCtx = 20000
	if _, err := e.Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	if got := f.Chats()[0].Options["num_ctx"]; got != 8192.0 {
		t.Errorf("num_ctx %v, want 8192", got)
	}
}

func TestToolCalls(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if last := r.Messages[len(r.Messages)-1]; last.Role == "tool" {
			return enginetest.Reply{Content: "The result was " + last.Content}
		}
		return enginetest.Reply{Content: "Let me look.", Calls: []enginetest.Call{
			{Name: "search", Arguments: `{"query": "b a", "page": 1}`}, {Name: "search", Arguments: `{}`},
		}}
	})
	req := request(enginetest.Tools, user("find a")...)
	req.Tools = []engine.Tool{{Name: "search", Description: "Finds.", Parameters: json.RawMessage(
		`{"type":"object","properties":{"query":{"type":"string"},"page":{"type":"integer"}},"required":["query"]}`)}}
	res, err := e.Chat(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	calls := res.Message.ToolCalls
	if len(calls) != 2 || calls[0].Name != "search" || calls[0].Arguments != `{"page":1,"query":"b a"}` || calls[1].Arguments != "{}" {
		t.Fatalf("calls %+v", calls)
	}
	if !strings.Contains(string(f.Requests()[len(f.Requests())-1].Body), `"properties":{"query":{"type":"string"},"page":{"type":"integer"}}`) {
		t.Error("the schema's order of properties changed on the way")
	}
	req.Messages = append(req.Messages, res.Message, engine.Message{Role: "tool", Content: "42", ToolName: "search", ToolCallID: calls[0].ID})
	res, err = e.Chat(t.Context(), req, nil)
	if err != nil || res.Message.Content != "The result was 42" {
		t.Fatalf("got %q, %v", res.Message.Content, err)
	}
	if sent := f.Chats()[1].Messages; sent[1].ToolCalls[0].Function.Arguments.String() != `{"page":1,"query":"b a"}` || sent[2].ToolName != "search" {
		t.Errorf("sent back %+v", sent)
	}
}

func TestFaultsEndInTypedErrorsAndKeepWhatCame(t *testing.T) {
	tool := []engine.Tool{{Name: "search", Parameters: json.RawMessage(`{"type":"object","properties":{}}`)}}
	for name, c := range map[string]struct {
		reply  enginetest.Reply
		tools  bool
		format string
		code   memory.Code
		remedy memory.Remedy
		kept   string
	}{
		"connection reset":         {reply: enginetest.Reply{Chunks: []string{"Half", " an"}, Fault: enginetest.Reset}, code: memory.EENGINE, kept: "Half an"},
		"end without done":         {reply: enginetest.Reply{Chunks: []string{"Half"}, Fault: enginetest.EOF}, code: memory.EINCOMPLETE, remedy: memory.RemedyRetry, kept: "Half"},
		"31 equal chunks":          {reply: enginetest.Reply{Chunks: []string{"Start ", "la "}, Fault: enginetest.Repeat}, code: memory.EINCOMPLETE, kept: "Start la la"},
		"line of 9 MB":             {reply: enginetest.Reply{Chunks: []string{"Half"}, Fault: enginetest.LongLine}, code: memory.EINCOMPLETE, kept: "Half"},
		"a line that is not JSON":  {reply: enginetest.Reply{Chunks: []string{"Half"}, Fault: enginetest.Garbage}, code: memory.EENGINE, kept: "Half"},
		"runner died":              {reply: enginetest.Reply{Chunks: []string{"Half"}, Error: "an error was encountered while running the model: unexpected EOF"}, code: memory.EENGINE, remedy: memory.RemedyRetry, kept: "Half"},
		"runner gone":              {reply: enginetest.Reply{Status: 500, Error: `Post "http://127.0.0.1:40123/completion": dial tcp 127.0.0.1:40123: connect: connection refused`}, code: memory.EENGINE, remedy: memory.RemedyRetry},
		"stall":                    {reply: enginetest.Reply{Chunks: []string{"Half"}, Fault: enginetest.Stall}, code: memory.EENGINE, kept: "Half"},
		"white space without end":  {reply: enginetest.Reply{Chunks: []string{"{"}, Fault: enginetest.Whitespace}, format: `{"type":"object"}`, code: memory.EMALFORMED, kept: "{"},
		"tool call not JSON":       {reply: enginetest.Reply{Status: 500, Error: "failed to parse JSON: unexpected end"}, tools: true, code: memory.EMALFORMED},
		"tool call error in mid":   {reply: enginetest.Reply{Chunks: []string{"Let me"}, Error: "error parsing tool call: raw='{'"}, tools: true, code: memory.EMALFORMED, kept: "Let me"},
		"tool call swallowed":      {reply: enginetest.Reply{OutputTokens: 30}, tools: true, code: memory.EMALFORMED, remedy: memory.RemedyRetry},
		"nothing but thinking":     {reply: enginetest.Reply{Thinking: "I wonder"}, tools: true, code: memory.EMALFORMED, remedy: memory.RemedyRetryNoThink},
		"model gone":               {reply: enginetest.Reply{Status: 404, Error: "model 'x' not found"}, code: memory.EMODEL, remedy: memory.RemedyPullModel},
		"prompt too long":          {reply: enginetest.Reply{Status: 400, Error: "the input length exceeds the context length"}, code: memory.EOVERFLOW, remedy: memory.RemedyShortenMessage},
		"busy":                     {reply: enginetest.Reply{Status: 503, Error: "server busy, please try again.  maximum pending requests exceeded"}, code: memory.EBUSY},
		"no tools":                 {reply: enginetest.Reply{Status: 400, Error: "registry.ollama.ai/library/x:latest does not support tools"}, code: memory.EUNSUPPORTED},
		"too large for the memory": {reply: enginetest.Reply{Status: 500, Error: "model requires more system memory (12.1 GiB) than is available (3.2 GiB)"}, code: memory.EMODEL, remedy: memory.RemedySmallerModel},
		"killed while it loads":    {reply: enginetest.Reply{Status: 500, Error: "llama runner process has terminated: signal: killed"}, code: memory.EMODEL, remedy: memory.RemedySmallerModel},
		"of an unknown kind":       {reply: enginetest.Reply{Status: 500, Error: "llama runner process has terminated: error loading model: unknown model architecture: 'x'"}, code: memory.EMODEL, remedy: memory.RemedyChooseModel},
		"broken schema":            {reply: enginetest.Reply{Status: 500, Error: "invalid JSON schema in format"}, code: memory.EINVALID},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := engine.Options{Timeouts: engine.Timeouts{Poll: time.Second}}
			if c.reply.Fault == enginetest.Stall {
				o.Timeouts.Stall = time.Second
			}
			f, e := withFake(t, enginetest.Options{}, o)
			f.OnChat(func(api.ChatRequest) enginetest.Reply { return c.reply })
			req := request(enginetest.Thinker, user("go")...)
			if c.tools {
				req.Tools = tool
			}
			req.Format = json.RawMessage(c.format)
			res, err := e.Chat(t.Context(), req, nil)
			wantCode(t, err, c.code, c.remedy)
			if p := memory.ProblemOf(err); p.Chinese == "" || strings.Contains(p.Message+p.Chinese, "EOF") || strings.Contains(p.Message+p.Chinese, "127.0.0.1") {
				t.Errorf("it says %q, %q", p.Message, p.Chinese)
			}
			if said := strings.Contains(err.Error(), "repeated itself"); said != (c.reply.Fault == enginetest.Repeat) {
				t.Errorf("it says %v", err)
			}
			if !strings.HasPrefix(res.Message.Content, c.kept) {
				t.Errorf("kept %.40q, want %q", res.Message.Content, c.kept)
			}
			if c.reply.Thinking != res.Message.Thinking {
				t.Errorf("kept thinking %q", res.Message.Thinking)
			}
			f.OnChat(enginetest.Echo) // the next one works
			if res, err := e.Chat(t.Context(), request(enginetest.Thinker, user("again")...), nil); err != nil || res.Message.Content != "You said: again" {
				t.Errorf("afterwards: %q, %v", res.Message.Content, err)
			}
		})
	}
}

func TestTextSplitInsideCharactersArrivesWhole(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	const text = "日本語とemoji 🦊 und Umlaute äöü"
	f.OnChat(func(api.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Content: text, Fault: enginetest.SplitRunes}
	})
	res, err := e.Chat(t.Context(), request(enginetest.Chat, user("go")...), nil)
	if err != nil || res.Message.Content != text || res.Usage.ThinkingMs != 0 {
		t.Fatalf("got %q, %+v, %v", res.Message.Content, res.Usage, err)
	}
}

func TestSilentTruncationIsNoticed(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: "Sure.", PromptTokens: 300} })
	req := request(enginetest.Chat, user(strings.Repeat("word ", 500))...)
	req.PromptTokens, req.CachedTokens = 505, 505
	res, err := e.Chat(t.Context(), req, nil)
	if err != nil || !res.Usage.Truncated {
		t.Fatalf("usage %+v, %v", res.Usage, err)
	}
}

func TestOverflowTellsTheNumbers(t *testing.T) {
	_, e := withFake(t, enginetest.Options{}, engine.Options{})
	req := request(enginetest.Chat, user(strings.Repeat("word ", 9000))...)
	req.PromptTokens, req.CachedTokens = 9005, 9005
	_, err := e.Chat(t.Context(), req, nil)
	var me *memory.Error
	if !errors.As(err, &me) || me.Code != memory.EOVERFLOW || me.Limit != 8192 || me.Actual != 9005 {
		t.Fatalf("got %+v", err)
	}
	req.PromptTokens, req.CachedTokens = 5000, 5000 // an estimate that the engine has just proved wrong
	if _, err = e.Chat(t.Context(), req, nil); !errors.As(err, &me) || me.Code != memory.EOVERFLOW || me.Actual != 0 {
		t.Fatalf("got %+v", err)
	}
}

func TestBadRequestsAreRefusedBeforeTheyAreSent(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	for name, change := range map[string]func(*engine.ChatRequest){
		"no messages":      func(r *engine.ChatRequest) { r.Messages = nil },
		"no window":        func(r *engine.ChatRequest) { r.NumCtx = 0 },
		"unlimited answer": func(r *engine.ChatRequest) { r.NumPredict = -1 },
		"tools and format": func(r *engine.ChatRequest) {
			r.Tools = []engine.Tool{{Name: "x", Parameters: json.RawMessage(`{"type":"object"}`)}}
			r.Format = json.RawMessage(`{"type":"object"}`)
		},
		"format no object": func(r *engine.ChatRequest) { r.Format = json.RawMessage(`"json"`) },
		"arguments":        func(r *engine.ChatRequest) { r.Messages[0].ToolCalls = []memory.ToolCall{{Name: "x", Arguments: "["}} },
	} {
		req := request(enginetest.Tools, user("hi")...)
		change(&req)
		_, err := e.Chat(t.Context(), req, nil)
		if memory.CodeOf(err) != memory.EINVALID {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := len(f.Chats()); n != 0 {
		t.Errorf("%d requests reached the engine", n)
	}
}

func TestRemoteModelsAreRefused(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.AddModel(enginetest.Model{Name: "gpt-oss:120b-cloud", RemoteHost: "https://ollama.com:443"})
	_, err := e.Chat(t.Context(), request("gpt-oss:120b-cloud", user("secret")...), nil)
	wantCode(t, err, memory.EMODEL, memory.RemedyChooseModel)
	if len(f.Chats()) != 0 {
		t.Error("the prompt was sent")
	}
	models, err := e.Models(t.Context())
	if err != nil || !slices.ContainsFunc(models, func(m engine.Model) bool { return m.Name == "gpt-oss:120b-cloud" && m.Remote }) {
		t.Errorf("the list should mark it as remote: %+v, %v", models, err)
	}
}

func TestMissingModel(t *testing.T) {
	_, e := withFake(t, enginetest.Options{}, engine.Options{})
	_, err := e.Chat(t.Context(), request("nobody/has-it", user("hi")...), nil)
	wantCode(t, err, memory.EMODEL, memory.RemedyPullModel)
	_, err = e.Chat(t.Context(), request(enginetest.Embedder, user("hi")...), nil)
	wantCode(t, err, memory.EUNSUPPORTED, "")
}

func TestThinkingIsOffUnlessAskedFor(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	yes := true
	for _, think := range []*bool{nil, &yes} {
		req := request(enginetest.Thinker, user("hi")...)
		req.Think = think
		if _, err := e.Chat(t.Context(), req, nil); err != nil {
			t.Fatal(err)
		}
	}
	req := request(enginetest.Chat, user("hi")...)
	req.Think = &yes // the model cannot: not an error
	if _, err := e.Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	got := f.Chats()
	if got[0].Think == nil || got[0].Think.Bool() || got[1].Think == nil || !got[1].Think.Bool() || got[2].Think != nil {
		t.Errorf("think: %v %v %v", got[0].Think, got[1].Think, got[2].Think)
	}
}

// Many models think whether they are asked to or not, and where their template does not say so the engine passes it on as
// words.
func TestThoughtsInTheAnswerAreNoWords(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Content: "<think>\nLet me see.\n</think>\n\nIt is Comet."}
	})
	var told string
	res, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), func(c engine.Chunk) error { told += c.Content; return nil })
	if err != nil || res.Message.Content != "It is Comet." || told != "It is Comet." || res.Message.Thinking != "\nLet me see.\n" {
		t.Errorf("%+v %q %v", res.Message, told, err)
	}
	if res.Usage.ThinkingMs == 0 {
		t.Error("it is not told how long it thought")
	}
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: "<think>\nLet me see."} })
	res, err = e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil)
	if memory.CodeOf(err) != memory.EMALFORMED || res.Message.Content != "" || res.Message.Thinking != "\nLet me see." {
		t.Errorf("%+v %v", res.Message, err)
	}
}

func TestStopWhileWriting(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	never := make(chan struct{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: "The beginning", Hold: never} })
	ctx, cancel := context.WithCancel(t.Context())
	res, err := e.Chat(ctx, request(enginetest.Chat, user("go")...), func(c engine.Chunk) error {
		if strings.Contains(c.Content, "beginning") {
			cancel()
		}
		return nil
	})
	wantCode(t, err, memory.ECANCELLED, "")
	if res.Message.Content != "The beginning" {
		t.Errorf("kept %q", res.Message.Content)
	}
}

func TestErrorOfTheListenerEndsTheAnswer(t *testing.T) {
	_, e := withFake(t, enginetest.Options{}, engine.Options{})
	full := memory.Errorf(memory.EDISKFULL, "store", "no room")
	_, err := e.Chat(t.Context(), request(enginetest.Chat, user("go")...), func(engine.Chunk) error { return full })
	if !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

func TestChatGoesBeforeBackgroundWork(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	running, hold := make(chan struct{}), make(chan struct{})
	f.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if enginetest.LastUser(r) == "first" {
			close(running)
			return enginetest.Reply{Content: "x", Hold: hold}
		}
		return enginetest.Reply{Content: "x"}
	})
	ask := func(text string, p engine.Priority) chan error {
		queued, done := make(chan struct{}), make(chan error, 1)
		req := request(enginetest.Chat, user(text)...)
		req.Priority = p
		req.Progress = func(p engine.Progress) {
			if p.Phase == engine.PhaseQueued {
				close(queued)
			}
		}
		go func() {
			_, err := e.Chat(t.Context(), req, nil)
			done <- err
		}()
		<-queued
		return done
	}
	all := []chan error{ask("first", engine.PriorityChat)}
	<-running
	all = append(all, ask("background", engine.PriorityBackground), ask("chat", engine.PriorityChat))
	await(t, e, func(engine.Status) bool { return e.Waiting() == 2 })
	close(hold)
	for _, done := range all {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	var order []string
	for _, r := range f.Chats() {
		order = append(order, enginetest.LastUser(r))
	}
	if !slices.Equal(order, []string{"first", "chat", "background"}) {
		t.Errorf("order %v", order)
	}
	if sys := f.Chats()[2].Messages[0]; sys.Role != "system" || !strings.HasPrefix(sys.Content, engine.SidePrefix) {
		t.Errorf("a background prompt begins with %q", sys.Content)
	}
}

func TestWaitingForTheTurnCanBeCancelled(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	hold := make(chan struct{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: "x", Hold: hold} })
	done := make(chan error, 1)
	go func() {
		_, err := e.Chat(t.Context(), request(enginetest.Chat, user("first")...), nil)
		done <- err
	}()
	f.AwaitChats(t, 1)
	ctx, cancel := context.WithCancel(t.Context())
	req := request(enginetest.Chat, user("second")...)
	req.Progress = func(p engine.Progress) {
		if p.Phase == engine.PhaseQueued {
			time.AfterFunc(10*time.Millisecond, cancel)
		}
	}
	_, err := e.Chat(ctx, req, nil)
	wantCode(t, err, memory.ECANCELLED, "")
	close(hold)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := e.Chat(t.Context(), request(enginetest.Chat, user("third")...), nil); err != nil {
		t.Errorf("the queue is stuck: %v", err)
	}
}

func TestWatchdogOfTheFirstToken(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{Timeouts: engine.Timeouts{FirstToken: 50 * time.Millisecond, Poll: time.Second}})
	never := make(chan struct{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: "x", Read: never} })
	req := request(enginetest.Chat, user("x")...)
	req.PromptTokens = 1
	_, err := e.Chat(t.Context(), req, nil)
	wantCode(t, err, memory.EENGINE, memory.RemedyRetry)
	if !strings.Contains(err.Error(), "hangs") {
		t.Errorf("the error does not say what is wrong: %v", err)
	}
	close(never)
}

// Some models need a newer engine than the one in use: the error names the version. What does not tell its version is tried.
func TestModelThatNeedsANewerEngine(t *testing.T) {
	for version, ok := range map[string]bool{"0.17.4": false, "0.9.12": false, "0.17.5": true, "0.18.0-rc1": true, "1.0": true, "0.0.0": true, "mine": true} {
		f, e := withFake(t, enginetest.Options{Version: version, Models: []enginetest.Model{{Name: "qwen3.5:4b", Arch: "qwen35"}, {Name: "old", Arch: "qwen2"}}}, engine.Options{})
		_, err := e.Chat(t.Context(), request("qwen3.5:4b", user("hi")...), nil)
		if ok {
			if err != nil {
				t.Errorf("%s: %v", version, err)
			}
			continue
		}
		wantCode(t, err, memory.EMODEL, memory.RemedyUpdateEngine)
		if !strings.Contains(err.Error(), "0.17.5") || !strings.Contains(err.Error(), version) || len(f.Chats()) != 0 {
			t.Errorf("%s: %v", version, err)
		}
		if _, err := e.Chat(t.Context(), request("old", user("hi")...), nil); err != nil {
			t.Errorf("%s: %v", version, err)
		}
	}
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Status: 412, Error: "The model you are attempting to use requires a newer version of Ollama"}
	})
	_, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil)
	wantCode(t, err, memory.EMODEL, memory.RemedyUpdateEngine)
}

// An engine that tells how much of a prompt was in its cache is believed.
func TestEngineThatTellsWhatWasCached(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: "hm", CachedTokens: 7} })
	res, err := e.Chat(t.Context(), request(enginetest.Chat, user("what do you know of the garden?")...), nil)
	if err != nil || res.Usage.CachedTokens != 7 {
		t.Errorf("%+v, %v", res.Usage, err)
	}
}

// While an answer is written nothing is embedded; then what a question needs comes before what the background does.
func TestEmbeddingPausesWhileTheUserChats(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	running, hold := make(chan struct{}), make(chan struct{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply {
		close(running)
		return enginetest.Reply{Content: "x", Hold: hold}
	})
	embedded := make(chan string, 2)
	f.OnEmbed(func(r api.EmbedRequest) enginetest.EmbedReply {
		text, _ := r.Input.(string)
		if list, ok := r.Input.([]any); ok {
			text, _ = list[0].(string)
		}
		embedded <- text
		return enginetest.EmbedReply{}
	})
	chatted := make(chan error, 1)
	go func() {
		_, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil)
		chatted <- err
	}()
	<-running
	embed := func(text string, p engine.Priority) chan error {
		done := make(chan error, 1)
		go func() {
			_, err := e.Embed(t.Context(), engine.EmbedRequest{Model: enginetest.Embedder, Texts: []string{text}, Priority: p})
			done <- err
		}()
		return done
	}
	all := []chan error{chatted, embed("old", engine.PriorityBackground), embed("question", engine.PriorityQuery)}
	await(t, e, func(engine.Status) bool { return e.Waiting() == 2 })
	if len(embedded) > 0 {
		t.Errorf("%q was embedded while the answer was written", <-embedded)
	}
	close(hold)
	for _, done := range all {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	if first, then := <-embedded, <-embedded; first != "question" || then != "old" {
		t.Errorf("embedded %q, then %q", first, then)
	}
}

// Whatever is embedded, the options are the same and keep the model in memory: other options would load it anew.
func TestEmbeddingsNeverReloadTheirModel(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	for _, texts := range [][]string{{"a"}, {strings.Repeat("long ", 300)}, {"b", "c"}} {
		for _, p := range []engine.Priority{engine.PriorityQuery, engine.PriorityBackground} {
			if _, err := e.Embed(t.Context(), engine.EmbedRequest{Model: enginetest.Embedder, Texts: texts, Priority: p}); err != nil {
				t.Fatal(err)
			}
		}
	}
	var first *api.EmbedRequest
	for _, r := range f.Requests() {
		if r.Embed == nil {
			continue
		}
		if first == nil {
			first = r.Embed
		}
		if _, sized := r.Embed.Options["num_ctx"]; sized || !reflect.DeepEqual(r.Embed.Options, first.Options) || r.Embed.KeepAlive == nil || r.Embed.KeepAlive.Duration <= 0 {
			t.Errorf("options %v, keep alive %v", r.Embed.Options, r.Embed.KeepAlive)
		}
	}
}

// Two embedding models stay in memory beside each other where there is room, else one takes the place of the other.
func TestEmbeddersMakeRoomForEachOther(t *testing.T) {
	const other = "bge-m3:latest"
	for _, c := range []struct {
		memory int64
		loaded int
	}{{64 << 30, 2}, {1 << 30, 1}} {
		f, e := withFake(t, enginetest.Options{}, engine.Options{Memory: c.memory})
		f.AddModel(enginetest.Model{Name: other, Arch: "bert", Context: 8192, Bytes: 1_200_000_000, Capabilities: []model.Capability{model.CapabilityEmbedding}})
		for range 2 {
			for _, name := range []string{enginetest.Embedder, other} {
				if _, err := e.Embed(t.Context(), engine.EmbedRequest{Model: name, Texts: []string{"a"}}); err != nil {
					t.Fatal(err)
				}
			}
		}
		models, err := e.Models(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		loaded := 0
		for _, m := range models {
			if m.Loaded {
				loaded++
			}
		}
		if loaded != c.loaded {
			t.Errorf("with %d GB of memory %d embedding models are loaded, want %d", c.memory>>30, loaded, c.loaded)
		}
	}
}

// Which models are loaded is asked rarely, and not while one may be loading: that has crashed engines.
func TestLoadedModelsAreAskedForRarely(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	asked := func() int {
		n := 0
		for _, r := range f.Requests() {
			if r.Path == "/api/ps" {
				n++
			}
		}
		return n
	}
	if _, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil); err != nil { // what a model is served with is asked once it is loaded
		t.Fatal(err)
	}
	before := asked()
	hold := make(chan struct{})
	f.OnChat(func(api.ChatRequest) enginetest.Reply { return enginetest.Reply{Content: "x", Hold: hold} })
	done := make(chan error, 1)
	go func() {
		_, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil)
		done <- err
	}()
	f.AwaitChats(t, 2)
	for range 5 {
		if _, err := e.Models(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := asked() - before; n != 0 {
		t.Errorf("asked %d times while the engine was at work", n)
	}
	close(hold)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	for range 5 {
		if _, err := e.Models(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if n := asked() - before; n != 1 || before != 1 {
		t.Errorf("asked %d times in a moment, %d times at first", n, before)
	}
}
