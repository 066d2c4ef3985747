package app

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	ollama "github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"

	"recollect/backend/api"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// These are failures that users of similar programs have reported, each tried on the running app.

// The name of a model and the window are used as they were set, also after a crash.
func TestModelAndWindowAreUsedAsSet(t *testing.T) {
	t.Parallel()
	const name = "hf.co/someone/large-model:Q4_K_M"
	f, env := fake(t, enginetest.Options{Models: []enginetest.Model{{Name: enginetest.Chat}, {Name: name, Context: 200_000}}})
	home := t.TempDir()
	p := serve(t, home, env)
	must(t, p.call("PATCH", "/api/settings", map[string]any{"model": name, "window": 200_000}, nil))
	for _, after := range []string{"setting them", "a crash"} {
		p.engineState(engine.StateReady)
		var list api.Models
		p.get("/api/models", &list)
		if !slices.ContainsFunc(list.Models, func(m engine.Model) bool { return engine.SameModel(m.Name, name) && m.Context == 200_000 }) {
			t.Errorf("after %s the list is %+v", after, list.Models)
		}
		if _, answer := p.ask(p.conversation(), "Hello"); answer.Status != memory.StatusComplete || answer.Model != name {
			t.Errorf("after %s: %+v", after, answer)
		}
		sent := f.Chats()[len(f.Chats())-1]
		if sent.Model != name || sent.Options["num_ctx"] != 200_000.0 {
			t.Errorf("after %s the engine was asked for %s with a window of %v", after, sent.Model, sent.Options["num_ctx"])
		}
		var core api.Core
		p.get("/api/agents/"+p.agent.ID+"/core", &core)
		if core.Window != 200_000 {
			t.Errorf("after %s a window of %d is shown", after, core.Window)
		}
		p.kill()
		p = serve(t, home, env)
	}
}

// An engine that does not report how long prompts were leaves it to our own count: old turns leave the window, never the
// transcript.
func TestEngineThatReportsNoUsage(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{})
	f.OnChat(func(ollama.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Content: strings.Repeat("So it goes. ", 30), PromptTokens: -1}
	})
	p := serve(t, t.TempDir(), env)
	must(t, p.call("PATCH", "/api/settings", map[string]any{"window": 2048}, nil))
	c := p.conversation()
	for i := range 15 {
		text := fmt.Sprintf("Chapter %d. ", i) + strings.Repeat("And then something else happened. ", 20)
		if _, answer := p.ask(c, text); answer.Status != memory.StatusComplete {
			t.Fatalf("chapter %d: %+v %+v", i, answer, answer.Problem)
		}
	}
	if sent := f.Chats()[len(f.Chats())-1].Messages; strings.Contains(sent[1].Content, "Chapter 0.") || !strings.Contains(sent[len(sent)-1].Content, "Chapter 14.") {
		t.Errorf("the last prompt begins with %q", sent[1].Content)
	}
	if all := p.messages(c); len(all) != 30 || !strings.HasPrefix(all[0].Content, "Chapter 0.") {
		t.Errorf("the transcript has %d messages", len(all))
	}
}

// A conversation costs one call of the model for each question: no title, tag or summary is made behind the user's back.
func TestNoCallThatNobodyAskedFor(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{})
	p := serve(t, t.TempDir(), env)
	c := p.conversation()
	for i := range 3 {
		p.ask(c, fmt.Sprintf("Question %d about bicycles", i))
	}
	var made memory.Conversation
	p.get("/api/conversations/"+c, &made)
	if made.Title == "" {
		t.Error("the conversation has no title")
	}
	asked := f.Chats()
	for i, chat := range asked {
		if !strings.Contains(enginetest.LastUser(chat), fmt.Sprintf("Question %d", i)) {
			t.Errorf("call %d is about %q", i, enginetest.LastUser(chat))
		}
	}
	if len(asked) != 3 {
		t.Errorf("%d calls for 3 questions", len(asked))
	}
}

// While a model is loaded the user is told so and for how long; a stop takes effect, and the next question is answered.
func TestStopWhileTheModelIsLoaded(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{})
	loading, loaded := make(chan struct{}), make(chan struct{})
	f.OnLoad(func(string) { close(loading); <-loaded })
	p := serve(t, t.TempDir(), env)
	c := p.conversation()
	user := p.send(c, "Hello")
	<-loading
	eventually(t, "being told of the loading", func() bool {
		var s api.Snapshot
		p.get("/api/snapshot", &s)
		return slices.ContainsFunc(s.Running, func(r api.TurnProgress) bool { return r.Phase == api.PhaseLoading && r.ElapsedMs > 0 })
	})
	p.post("/api/conversations/"+c+"/stop", nil, nil)
	if answer := p.answer(user); answer.Status != memory.StatusStopped {
		t.Errorf("stopped while loading: %+v", answer)
	}
	f.OnLoad(nil)
	close(loaded)
	if _, answer := p.ask(c, "[[say There you are.]]"); answer.Content != "There you are." {
		t.Errorf("the next question: %+v", answer)
	}
}

// The prompt is the branch that is seen, whichever was chosen last.
func TestPromptIsTheVisibleBranch(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	p := serve(t, t.TempDir(), env)
	c := p.conversation()
	first, old := p.ask(c, "[[say The old answer.]]")
	var edited api.MessageResult
	p.post("/api/messages/"+first.ID+"/edit", api.MessageEdit{Content: "[[say The new answer.]]"}, &edited)
	fresh := p.answer(edited.Message)
	for _, seen := range []struct{ chosen, other memory.Message }{{old, fresh}, {fresh, old}} {
		p.post("/api/messages/"+seen.chosen.ID+"/select", nil, nil)
		_, answer := p.ask(c, "And then?")
		prompt := p.prompt(answer.ID)
		if !strings.Contains(prompt, seen.chosen.Content) || strings.Contains(prompt, seen.other.Content) {
			t.Errorf("with %q in view the prompt is %s", seen.chosen.Content, prompt)
		}
		for _, m := range p.messages(c) {
			if m.Content != "" && !strings.Contains(prompt, m.Content) && m.ID != answer.ID {
				t.Errorf("%q is seen and not in the prompt", m.Content)
			}
		}
	}
}

// Each of several wishes is kept and in the prompts of a later conversation.
func TestEveryWishIsKept(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	p := serve(t, home, env)
	wishes := []string{"my bicycle is called Comet", "I live in Leipzig", "my sister Ada plays the cello", "I cannot eat peanuts", "my desk is by the window"}
	c := p.conversation()
	for _, w := range wishes {
		p.ask(c, "Please remember that "+w+".")
	}
	p.kill()
	p = serve(t, home, env)
	_, answer := p.ask(p.conversation(), "What do you know?")
	prompt := p.prompt(answer.ID)
	for _, w := range wishes {
		if n := strings.Count(prompt, w); n != 1 {
			t.Errorf("%q is in the prompt %d times", w, n)
		}
	}
}

// All calls of a turn and their results are in the transcript, in their order.
func TestEveryToolCallIsInTheTranscript(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{Models: []enginetest.Model{{Name: enginetest.Tools, Context: 32768, Capabilities: []model.Capability{model.CapabilityCompletion, model.CapabilityTools}}}})
	facts := []string{"Likes green tea.", "Has a cat.", "Works at night."}
	f.OnChat(func(r ollama.ChatRequest) enginetest.Reply {
		if r.Messages[len(r.Messages)-1].Role == "tool" {
			return enginetest.Reply{Content: "Noted, all three."}
		}
		var calls []enginetest.Call
		for _, fact := range facts {
			calls = append(calls, enginetest.Call{Name: "core_memory_append", Arguments: fmt.Sprintf(`{"label":"human","content":%q}`, fact)})
		}
		return enginetest.Reply{Calls: calls}
	})
	p := serve(t, t.TempDir(), env)
	user, answer := p.ask(p.conversation(), "Three things about me: tea, a cat, the night.")
	if answer.Content != "Noted, all three." {
		t.Fatalf("%+v", answer)
	}
	var called, told []string
	for _, m := range p.messages(user.ConversationID) {
		for _, call := range m.ToolCalls {
			called = append(called, call.Arguments)
		}
		if m.Role == memory.RoleTool {
			told = append(told, m.Content)
		}
	}
	if len(called) != 3 || len(told) != 3 {
		t.Fatalf("calls %q, results %q", called, told)
	}
	for i, fact := range facts {
		if !strings.Contains(called[i], fact) || !strings.Contains(told[i], fact) {
			t.Errorf("call %d is %s and its result %s", i, called[i], told[i])
		}
	}
}

// Settings that make no sense and data with more in it than this version knows do not keep the app from starting, nor from
// answering.
func TestOddDataDoesNotKeepTheAppFromStarting(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	p := serve(t, home, env)
	user, answer := p.ask(p.conversation(), "[[say Hello.]]")
	p.stop()
	db, err := sql.Open("sqlite", filepath.Join(home, "recollect.db"))
	must(t, err)
	for _, statement := range []string{
		`INSERT OR REPLACE INTO setting (key, value) VALUES ('window', '"many"'), ('theme', '[1]'), ('core_share', '{"a":1}'), ('ui', '7'), ('of_tomorrow', '"pink"')`,
		`UPDATE plan SET body = json_set(body, '$.of_tomorrow', json('{"a":[1]}'))`,
		`UPDATE receipt SET body = json_set(body, '$.of_tomorrow', 1)`,
		`UPDATE prefix SET body = json_set(body, '$.of_tomorrow', 1)`,
	} {
		_, err := db.Exec(statement)
		must(t, err)
	}
	must(t, db.Close())

	p = serve(t, home, env)
	for _, path := range []string{"/api/snapshot", "/api/settings", "/api/messages/" + answer.ID + "/plan", "/api/agents/" + p.agent.ID + "/core"} {
		if status, body := p.raw("GET", path, ""); status != 200 {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if _, next := p.ask(user.ConversationID, "[[say Still here.]]"); next.Content != "Still here." {
		t.Errorf("the next question: %+v %+v", next, next.Problem)
	}
	must(t, p.call("PATCH", "/api/settings", map[string]any{"window": 4096, "theme": "dark"}, nil))
	var s api.Snapshot
	p.get("/api/snapshot", &s)
	if s.Settings.Window != 4096 || s.Settings.Theme != "dark" {
		t.Errorf("the settings after they were mended: %+v", s.Settings)
	}
}
