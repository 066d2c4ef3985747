package engine_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ollama/ollama/types/model"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// longChat is a chat whose prompt has about n tokens.
func longChat(n int) []engine.Message {
	messages := []engine.Message{{Role: "system", Content: "You are a helper. " + strings.Repeat("rule ", n/4)}}
	for i := range 4 {
		role := "user"
		if i%2 == 1 {
			role = "assistant"
		}
		messages = append(messages, engine.Message{Role: role, Content: fmt.Sprintf("%d ", i) + strings.Repeat("text ", n/8)})
	}
	return append(messages, engine.Message{Role: "user", Content: "A question. " + strings.Repeat("long ", n/4)})
}

func longRequest(n int) engine.ChatRequest {
	req := request(enginetest.Tools, longChat(n)...)
	req.NumCtx = 32768
	req.PromptTokens = n
	return req
}

func TestLongPromptIsReadInGrowingStages(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	req := longRequest(6000)
	var mu sync.Mutex
	var reads []engine.Progress
	req.Progress = func(p engine.Progress) {
		mu.Lock()
		defer mu.Unlock()
		reads = append(reads, p)
	}
	res, err := e.Chat(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	stages := f.Stages()
	if len(stages) < 2 || res.Stages != len(stages)+1 {
		t.Fatalf("%d stages were sent, the result says %d", len(stages), res.Stages)
	}
	whole := f.Chats()[0].Messages
	length := 0
	for i, s := range stages {
		n := 0
		for j, m := range s.Messages { // all but the cut message and the fillers behind it are as in the whole prompt
			if j < len(whole) && strings.HasPrefix(whole[j].Content, m.Content) && m.Role == whole[j].Role {
				n += len(m.Content)
				continue
			}
			if m.Content != "." {
				t.Errorf("stage %d: message %d is not the beginning of the whole prompt's: %.40q", i, j, m.Content)
			}
		}
		if n <= length {
			t.Errorf("stage %d has %d characters of the prompt, the one before %d", i, n, length)
		}
		length = n
	}
	last := 0
	sawReading, sawWriting := false, false
	for _, p := range reads {
		if p.Read < last || p.Read > p.Total {
			t.Errorf("progress went from %d to %d of %d", last, p.Read, p.Total)
		}
		last = p.Read
		sawReading = sawReading || p.Phase == engine.PhaseReading && p.Read > 0 && p.Read < p.Total
		sawWriting = sawWriting || p.Phase == engine.PhaseWriting
	}
	if !sawReading || !sawWriting {
		t.Errorf("progress never told how far the reading was, or that it ended: %+v", reads)
	}
}

func TestShortOrCachedPromptIsSentInOnePiece(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	if _, err := e.Chat(t.Context(), longRequest(400), nil); err != nil {
		t.Fatal(err)
	}
	if n := len(f.Stages()); n != 0 {
		t.Errorf("a short prompt took %d stages", n)
	}
	req := longRequest(4000)
	req.CachedTokens = 3900
	if res, err := e.Chat(t.Context(), req, nil); err != nil || res.Stages != 1 {
		t.Errorf("a cached prompt took %d stages, %v", res.Stages, err)
	}
}

func TestSlidingWindowModelsAreNotStaged(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.AddModel(enginetest.Model{Name: "gemma", Arch: "gemma3", Context: 32768, Info: map[string]any{"gemma3.attention.sliding_window": 512}})
	req := longRequest(4000)
	req.Model = "gemma"
	if res, err := e.Chat(t.Context(), req, nil); err != nil || res.Stages != 1 {
		t.Errorf("took %d stages, each of which reads all anew; %v", res.Stages, err)
	}
}

func TestReuseIsMeasured(t *testing.T) {
	_, e := withFake(t, enginetest.Options{}, engine.Options{})
	req := longRequest(400)
	res, err := e.Chat(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := res.Usage.CachedTokens; c > res.Usage.PromptTokens/10 {
		t.Errorf("first prompt: %d of %d tokens cached", c, res.Usage.PromptTokens)
	}
	req.Messages = append(req.Messages, res.Message, engine.Message{Role: "user", Content: "And now?"})
	res, err = e.Chat(t.Context(), req, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := res.Usage.CachedTokens; c < res.Usage.PromptTokens*9/10 {
		t.Errorf("second prompt: %d of %d tokens cached", c, res.Usage.PromptTokens)
	}
}

func TestReuseIsUnknownBeforeTheSpeedIs(t *testing.T) {
	_, e := withFake(t, enginetest.Options{}, engine.Options{})
	res, err := e.Chat(t.Context(), request(enginetest.Chat, user("hi")...), nil) // too short to tell
	if err != nil || res.Usage.CachedTokens != -1 {
		t.Errorf("cached %d, %v", res.Usage.CachedTokens, err)
	}
}

func TestStopTakesEffectWithinOneStage(t *testing.T) {
	f, e := withFake(t, enginetest.Options{PromptSpeed: 1000}, engine.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	req := longRequest(8000) // eight seconds to read, were it one piece
	req.Progress = func(p engine.Progress) {
		if p.Phase == engine.PhaseReading && p.Read >= 500 {
			cancel()
		}
	}
	_, err := e.Chat(ctx, req, nil)
	wantCode(t, err, memory.ECANCELLED, "")
	before := len(f.Requests())
	if _, err := e.Chat(t.Context(), request(enginetest.Tools, user("short")...), nil); err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, s := range f.Stages() {
		read = max(read, len(s.Messages))
	}
	if len(f.Requests()) == before || read > 3 {
		t.Errorf("reading went on after the stop: %d messages of 6", read)
	}
}

func TestBackgroundReadingGivesWayBetweenStages(t *testing.T) {
	f, e := withFake(t, enginetest.Options{PromptSpeed: 2000}, engine.Options{})
	req := longRequest(4000)
	req.Priority = engine.PriorityBackground
	var once sync.Once
	chat := make(chan error, 1)
	req.Progress = func(p engine.Progress) {
		if p.Phase == engine.PhaseReading && p.Read > 0 {
			once.Do(func() {
				queued := make(chan struct{})
				go func() {
					r := request(enginetest.Tools, user("urgent")...)
					r.NumCtx = 32768
					r.Progress = func(p engine.Progress) {
						if p.Phase == engine.PhaseQueued {
							close(queued)
						}
					}
					_, err := e.Chat(t.Context(), r, nil)
					chat <- err
				}()
				<-queued
			})
		}
	}
	if _, err := e.Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	if err := <-chat; err != nil {
		t.Fatal(err)
	}
	if order := f.Chats(); enginetest.LastUser(order[0]) != "urgent" {
		t.Errorf("the urgent question was answered after the background work")
	}
}

func TestToolsOfTemplatesThatPutThemLastDoNotBreakThePrefix(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	const tmpl = `{{ range $i, $_ := .Messages }}{{ $last := eq (len (slice $.Messages $i)) 1 }}{{ if and (eq .Role "user") $last }}{{ range $.Tools }}{{ . }}{{ end }}{{ end }}[{{ .Role }}]{{ .Content }}{{ end }}`
	f.AddModel(enginetest.Model{Name: "last", Arch: "llama", Context: 32768, Template: tmpl, Capabilities: []model.Capability{"completion", "tools"}})
	p, err := e.Profile(t.Context(), "last")
	if err != nil || !p.ToolsLastUser {
		t.Fatalf("profile %+v, %v", p, err)
	}
	req := longRequest(2400)
	req.Model = "last"
	req.Tools = []engine.Tool{{Name: "search", Parameters: []byte(`{"type":"object","properties":{}}`)}}
	if _, err := e.Chat(t.Context(), req, nil); err != nil {
		t.Fatal(err)
	}
	for i, s := range f.Stages() {
		lastUser := -1
		for j, m := range s.Messages {
			if m.Role == "user" {
				lastUser = j
			}
		}
		if lastUser < len(req.Messages)-1 && s.Messages[lastUser].Content != "." {
			t.Errorf("stage %d: tools would stand beside message %d, inside the prompt", i, lastUser)
		}
	}
}

func TestWarmReadsThePromptWithoutAnAnswer(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	req := longRequest(2400)
	if u, err := e.Warm(t.Context(), req); err != nil || u.PromptTokens == 0 {
		t.Fatal(err)
	}
	if len(f.Chats()) != 0 {
		t.Error("warming up asked for an answer")
	}
	began := len(f.Requests())
	req.CachedTokens = req.PromptTokens
	res, err := e.Chat(t.Context(), req, nil)
	if err != nil || res.Stages != 1 || res.Usage.CachedTokens < res.Usage.PromptTokens*9/10 {
		t.Errorf("after warming up: %+v, %v", res, err)
	}
	if n := len(f.Requests()) - began; n != 1 {
		t.Errorf("%d requests, want 1", n)
	}
}
