package app_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/app"
	"recollect/backend/engine/enginetest"
	"recollect/backend/instance"
	"recollect/backend/memory"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// clock is a clock that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(time.Millisecond)
	return c.now
}

func (c *clock) Move(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is a data folder, a fake engine and the options that lead to both.
type world struct {
	t       *testing.T
	engine  *enginetest.Fake
	options app.Options
}

func newWorld(t *testing.T) *world {
	f := enginetest.New(t, enginetest.Options{})
	f.OnChat(enginetest.Directives)
	env := map[string]string{"OLLAMA_HOST": f.Addr()}
	return &world{t: t, engine: f, options: app.Options{
		Home: t.TempDir(), Version: "0.1.0", Beside: t.TempDir(), Env: func(key string) string { return env[key] },
	}}
}

func (w *world) start() *app.App {
	w.t.Helper()
	a, err := app.Start(w.t.Context(), w.options)
	must(w.t, err)
	w.t.Cleanup(func() { _ = a.Close(context.Background()) }) // once more does no harm
	must(w.t, a.Engine.Ready(w.t.Context()))
	return a
}

// ask begins a conversation with the first agent, asks, and returns the prompt that was sent and the messages.
func (w *world) ask(a *app.App, conversation, text string) (string, []memory.Message) {
	w.t.Helper()
	ctx := w.t.Context()
	if conversation == "" {
		agents, err := a.Store.Agents(ctx)
		must(w.t, err)
		c, err := a.Store.CreateConversation(ctx, memory.Conversation{AgentID: agents[0].ID})
		must(w.t, err)
		conversation = c.ID
	}
	_, err := a.Agent.Send(ctx, agent.SendRequest{ConversationID: conversation, Content: text})
	must(w.t, err)
	must(w.t, a.Agent.Wait(ctx, conversation))
	c, err := a.Store.Conversation(ctx, conversation)
	must(w.t, err)
	path, err := a.Store.Path(ctx, c.Head, 0, "")
	must(w.t, err)
	if last := path[len(path)-1]; last.Problem != nil {
		w.t.Fatalf("%s: %+v", text, last.Problem)
	}
	prompt, err := a.Store.Prompt(ctx, c.Head)
	must(w.t, err)
	return string(prompt), path
}

// A clock set back, during a run and between two, neither disturbs the order of a conversation nor that of the list.
func TestClockSetBack(t *testing.T) {
	w := newWorld(t)
	c := &clock{now: time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)}
	w.options.Clock = c.Now
	a := w.start()
	_, path := w.ask(a, "", "[[say One.]]")
	first := path[0].ConversationID
	c.Move(-2 * time.Hour)
	w.ask(a, first, "[[say Two.]]")
	must(t, a.Close(t.Context()))
	c.Move(-48 * time.Hour)
	a = w.start()
	_, path = w.ask(a, first, "[[say Three.]]")
	var said []string
	for i, m := range path {
		if m.Role == memory.RoleAssistant {
			said = append(said, m.Content)
		}
		if i > 0 && m.ID <= path[i-1].ID {
			t.Errorf("%s sorts before %s", m.ID, path[i-1].ID)
		}
	}
	if got := strings.Join(said, " "); got != "One. Two. Three." {
		t.Errorf("the conversation reads %q", got)
	}
	must(t, a.Store.Health())
}

// The date in the prompt is today's, also in a conversation that goes on after days.
func TestDateIsTodays(t *testing.T) {
	w := newWorld(t)
	c := &clock{now: time.Date(2026, 11, 27, 14, 0, 0, 0, time.Local)}
	w.options.Clock = c.Now
	a := w.start()
	prompt, path := w.ask(a, "", "Hello")
	if !strings.Contains(prompt, "2026-11-27") {
		t.Errorf("the date is missing: %s", prompt)
	}
	must(t, a.Close(t.Context()))
	c.Move(48 * time.Hour)
	a = w.start()
	prompt, _ = w.ask(a, path[0].ConversationID, "And today?")
	if last := prompt[strings.LastIndex(prompt, `"role"`):]; !strings.Contains(last, "2026-11-29") {
		t.Errorf("the date of the second day is missing: %s", last)
	}
}

// What was set is there after a restart.
func TestSettingsAreRemembered(t *testing.T) {
	w := newWorld(t)
	a := w.start()
	want := map[string]string{"model": `"helper:latest"`, "window": "4096", "core_share": "0.3"}
	for key, value := range want {
		must(t, a.Store.SetSetting(t.Context(), key, json.RawMessage(value)))
	}
	bounds := app.Bounds{Width: 900, Height: 700, X: 10, Y: 20, Placed: true}
	a.SaveBounds(bounds)
	must(t, a.Close(t.Context()))
	a = w.start()
	have, err := a.Store.Settings(t.Context())
	must(t, err)
	for key, value := range want {
		if string(have[key]) != value {
			t.Errorf("%s is %s after a restart", key, have[key])
		}
	}
	if a.Bounds() != bounds {
		t.Errorf("the window is at %+v", a.Bounds())
	}
	agents, err := a.Store.Agents(t.Context())
	must(t, err)
	use, err := a.Agent.Effective(t.Context(), agents[0].ID)
	must(t, err)
	if use.Model != "helper:latest" || use.Window != 4096 || use.CoreShare != 0.3 {
		t.Errorf("in effect: %+v", use)
	}
}

// A start that fails says why and leaves the folder free for the next.
func TestFailedStartLeavesTheFolderFree(t *testing.T) {
	w := newWorld(t)
	path := app.DatabasePath(w.options.Home)
	must(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must(t, os.WriteFile(path, []byte(strings.Repeat("no database ", 1000)), 0o600))
	if _, err := app.Start(t.Context(), w.options); memory.CodeOf(err) != memory.ECORRUPT {
		t.Fatalf("a damaged database: %v", err)
	}
	lock, err := instance.Acquire(w.options.Home)
	must(t, err)
	if _, err := app.Start(t.Context(), w.options); memory.CodeOf(err) != memory.EBUSY {
		t.Errorf("a folder in use: %v", err)
	}
	must(t, lock.Release())
	must(t, os.Remove(path))
	w.ask(w.start(), "", "Hello")
}

// Installing the starter models where none lie beside the program says how to get some.
func TestNoStarterModels(t *testing.T) {
	w := newWorld(t)
	a := w.start()
	err := a.InstallStarters(t.Context(), nil)
	if p := memory.ProblemOf(err); p == nil || p.Code != memory.EMODEL || p.Remedy != memory.RemedyPullModel {
		t.Errorf("%v", err)
	}
	must(t, os.Mkdir(filepath.Join(w.options.Beside, "models"), 0o700))
	must(t, os.WriteFile(filepath.Join(w.options.Beside, "models", "starter.json"), []byte("not JSON"), 0o600))
	if err := a.InstallStarters(t.Context(), nil); err == nil {
		t.Error("a damaged list is accepted")
	}
}

func TestBatches(t *testing.T) {
	t.Parallel()
	event := func(n int) memory.Event {
		return memory.Event{Type: "x", Data: map[string]any{"text": strings.Repeat("a", n)}}
	}
	all := []memory.Event{event(10), event(10), event(5000), event(10)}
	count := 0
	for i, batch := range app.Batches(all, 400) {
		raw, err := json.Marshal(batch)
		must(t, err)
		count += len(batch)
		if len(raw) > 400 && len(batch) > 1 {
			t.Errorf("batch %d has %d bytes", i, len(raw))
		}
	}
	if count != len(all) {
		t.Errorf("%d events came out of %d", count, len(all))
	}
	if got := app.Batches(nil, 400); len(got) != 0 {
		t.Errorf("batches of nothing: %v", got)
	}
}

// The first start speaks the system's language.
func TestLanguageOfTheSystem(t *testing.T) {
	for lang, want := range map[string]string{"zh_CN.UTF-8": "zh", "de_DE.UTF-8": "en", "": "en"} {
		w := newWorld(t)
		env := w.options.Env
		w.options.Env = func(key string) string {
			if key == "LANG" {
				return lang
			}
			return env(key)
		}
		a := w.start()
		agents, err := a.Store.Agents(t.Context())
		must(t, err)
		blocks, err := a.Store.Blocks(t.Context(), agents[0].ID)
		must(t, err)
		chinese := strings.ContainsRune(blocks[0].Value, '我')
		if chinese != (want == "zh") {
			t.Errorf("with LANG=%s the persona is %q", lang, blocks[0].Value)
		}
	}
}

// How a model counts is learned once, not in every run.
func TestWhatIsLearnedAboutCountingOutlivesTheApp(t *testing.T) {
	w := newWorld(t)
	var prompts []int // as planned for the same question in a new conversation, before and after
	for run := range 2 {
		a := w.start()
		agents, err := a.Store.Agents(t.Context())
		must(t, err)
		for i := range 3 {
			c, err := a.Store.CreateConversation(t.Context(), memory.Conversation{AgentID: agents[0].ID})
			must(t, err)
			plan, err := a.Agent.Preview(t.Context(), c.ID, "hello")
			must(t, err)
			if i == 0 {
				prompts = append(prompts, plan.Prompt)
			}
			w.engine.OnChat(func(api.ChatRequest) enginetest.Reply {
				return enginetest.Reply{Content: "hm", PromptTokens: plan.Prompt * 14 / 10}
			})
			_, err = a.Agent.Send(t.Context(), agent.SendRequest{ConversationID: c.ID, Content: "hello"})
			must(t, err)
			must(t, a.Agent.Wait(t.Context(), c.ID))
		}
		must(t, a.Close(t.Context()))
		if run == 1 && prompts[1] < prompts[0]*11/10 {
			t.Errorf("planned %d tokens, then, after a restart, %d", prompts[0], prompts[1])
		}
	}
}
