package api_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"recollect/backend/agent"
	"recollect/backend/api"
	"recollect/backend/bus"
	"recollect/backend/doctor"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/ingest/library"
	"recollect/backend/instance"
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/sample"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// app is an API over real parts: a store in a file, an engine that speaks to a fake Ollama, turns and recall. It knows
// an agent with three blocks, one of them shared with another agent, a conversation of one turn, and a passage.
type app struct {
	http.Handler
	deps   api.Deps
	store  *store.Store
	turns  *agent.Service
	ollama *enginetest.Fake
	window *window
	ids    map[string]string // placeholder → id
}

// window counts what a window was asked for.
type window struct {
	ready, beats, focus atomic.Int32
	opened              atomic.Value
	chosen              string // what the user chooses in a dialog
	saved               api.FileSave
	notified            api.Notification
	dropped             []string
	menu                api.Menu
}

func (w *window) Ready()     { w.ready.Add(1) }
func (w *window) Heartbeat() { w.beats.Add(1) }
func (w *window) Focus()     { w.focus.Add(1) }
func (w *window) OpenURL(address string) error {
	w.opened.Store(address)
	return nil
}
func (w *window) OpenFolder(path string) error { return w.OpenURL(path) }

func (w *window) Dropped() []string { return w.dropped }
func (w *window) SetMenu(m api.Menu) error {
	w.menu = m
	return nil
}

func (w *window) ChooseFile(api.FileKind) (string, error) { return w.chosen, nil }
func (w *window) ChooseFolder() (string, error)           { return w.chosen, nil }
func (w *window) ChooseDocuments() ([]string, error)      { return []string{w.chosen}, nil }
func (w *window) SaveFile(name, text string) (string, error) {
	w.saved = api.FileSave{Name: name, Text: text}
	return w.chosen, nil
}

func (w *window) Notify(n api.Notification) error {
	w.notified = n
	return nil
}

// noSettings leaves every choice to the defaults.
type noSettings struct{}

func (noSettings) String(string) string { return "" }
func (noSettings) Int(string) int       { return 0 }
func (noSettings) Float(string) float64 { return 0 }

func newApp(t *testing.T) *app {
	t.Helper()
	ctx, home := t.Context(), t.TempDir()
	var ticks atomic.Int64
	clock := func() time.Time { return noon.Add(time.Duration(ticks.Add(1)) * time.Millisecond) }
	ids := memory.NewIDs(clock, rand.Reader)
	b := bus.New(clock)
	s, err := store.Open(ctx, filepath.Join(home, "recollect.db"), store.Options{
		Clock: clock, IDs: ids, Version: "0.1.0", Publish: func(events []memory.Event) {
			for _, ev := range events {
				b.Publish(ev)
			}
		},
	})
	must(t, err)
	ollama := enginetest.New(t, enginetest.Options{})
	e := engine.New(engine.Options{Home: home, Host: ollama.URL(), Env: func(string) string { return "" }})
	running, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { _ = e.Run(running); close(ended) }()
	must(t, e.Ready(ctx))
	counters := tokens.New(e)
	r := recall.New(recall.Deps{Store: s, Embedder: e, Clock: clock})
	turns := agent.New(agent.Deps{
		Store: s, Engine: e, Recall: r, Counters: counters, Bus: b, Settings: noSettings{}, Clock: clock, IDs: ids,
	})
	j := jobs.New(clock, ids, func(ev memory.Event) { b.Publish(ev) })
	t.Cleanup(func() {
		ctx := context.Background()
		must(t, turns.Close(ctx))
		must(t, j.Close(ctx))
		stop()
		<-ended
		must(t, s.Close())
	})
	a := &app{store: s, turns: turns, ollama: ollama, window: &window{}}
	a.deps = api.Deps{
		Store: s, Turns: turns, Search: r, Engine: e, Counters: counters, Jobs: j, Bus: b, Clock: clock, Version: "0.1.0",
		Library: library.New(s, j, clock, func() {}),
		Sample:  &sample.Life{Store: s, Dir: home, Clock: clock, Wake: func() {}},
		Home:    home, Location: time.UTC, MemoryBytes: func() int64 { return 8 << 30 },
		Doctor: func(context.Context, string) []doctor.Check {
			return []doctor.Check{{ID: "disk", Level: doctor.LevelOK}}
		},
		Desktop: func() api.Desktop { return a.window },
		Link:    func() string { return "http://127.0.0.1:8090/#token=t" },
	}
	a.Handler = api.New(a.deps).Handler(api.Options{Trusted: true})
	a.seed(t)
	return a
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (a *app) seed(t *testing.T) {
	t.Helper()
	ctx, s, by := t.Context(), a.store, memory.Cause{Actor: memory.ActorUser}
	one, err := s.CreateAgent(ctx, memory.Agent{Name: "Ada", Model: enginetest.Tools, Window: 4096}, by)
	must(t, err)
	two, err := s.CreateAgent(ctx, memory.Agent{Name: "Bob"}, by)
	must(t, err)
	a.ids = map[string]string{"{agent}": one.ID, "{other}": two.ID, "{archive}": one.ArchiveID}
	for _, b := range []struct {
		block  memory.Block
		agents []string
	}{
		{memory.Block{Label: "persona", Value: "I am Ada."}, []string{one.ID}},
		{memory.Block{Label: "human", Value: "Likes coffee."}, []string{one.ID}},
		{memory.Block{Label: "project", Value: "The garden."}, []string{one.ID, two.ID}},
		{memory.Block{Label: "rules", Value: "Be kind.", ReadOnly: true}, []string{two.ID}},
	} {
		b.block.Limit = 100
		block, _, err := s.CreateBlock(ctx, b.block, b.agents, by)
		must(t, err)
		a.ids["{"+b.block.Label+"}"] = block.ID
	}
	tea := "Likes tea."
	_, revision, err := s.UpdateBlock(ctx, a.ids["{human}"], memory.BlockChange{Value: &tea}, by)
	must(t, err)
	a.ids["{revision}"] = revision.ID
	c, err := s.CreateConversation(ctx, memory.Conversation{AgentID: one.ID, Title: "Bicycles"})
	must(t, err)
	empty, err := s.CreateConversation(ctx, memory.Conversation{AgentID: two.ID})
	must(t, err)
	user, err := s.AddMessage(ctx, memory.Message{ConversationID: c.ID, AgentID: one.ID, Role: memory.RoleUser, Content: "My bicycle is called Comet.", Status: memory.StatusComplete})
	must(t, err)
	answer, err := s.AddMessage(ctx, memory.Message{ConversationID: c.ID, AgentID: one.ID, ParentID: user.ID, TurnID: user.ID, Role: memory.RoleAssistant, Content: "A fine name.", Status: memory.StatusComplete, Model: enginetest.Tools})
	must(t, err)
	must(t, s.SaveReceipt(ctx, memory.Receipt{MessageID: user.ID, Query: user.Content, Considered: 3}))
	must(t, s.SavePlan(ctx, answer.ID, memory.Plan{Window: 4096, Prompt: 321}))
	must(t, s.SavePrompt(ctx, answer.ID, []byte(`{"model":"helper:latest","messages":[ {"role":"user","content":"<My bicycle>"} ]}`)))
	p, _, err := s.CreatePassage(ctx, memory.Passage{ArchiveID: one.ArchiveID, Text: "Comet is a blue bicycle.", Tags: []string{"bike"}, CreatedAt: noon.AddDate(0, 0, -3)}, by)
	must(t, err)
	said := memory.FactStatement{Subject: "bicycle", Key: "name", Value: "Comet", SaidAt: user.CreatedAt, Origin: user.ID, Start: 0, End: 26, Confidence: .9}
	by.ConversationID, by.MessageID = c.ID, user.ID
	saved, err := s.SaveFacts(ctx, one.ID, []memory.FactStatement{said}, by)
	must(t, err)
	pinned := true
	known, _, err := s.UpdateFact(ctx, saved.Facts[0].ID, memory.FactChange{Pinned: &pinned}, by)
	must(t, err)
	said.Value, said.Origin = "Bolt", answer.ID // another message
	saved, err = s.SaveFacts(ctx, one.ID, []memory.FactStatement{said}, by)
	must(t, err)
	a.ids["{fact}"], a.ids["{question}"] = known.ID, saved.Questions[0].ID
	for name, id := range map[string]string{"{conversation}": c.ID, "{empty}": empty.ID, "{user}": user.ID, "{answer}": answer.ID, "{passage}": p.ID} {
		a.ids[name] = id
	}
}

var placeholder = regexp.MustCompile(`\{[a-z]+\}`)

// fill puts ids in the place of placeholders.
func (a *app) fill(s string) string {
	return placeholder.ReplaceAllStringFunc(s, func(name string) string {
		if id, ok := a.ids[name]; ok {
			return id
		}
		return name
	})
}

// eventsSince returns the types of the events after number n, without those that tell how far something is.
func (a *app) eventsSince(t *testing.T, n uint64) []string {
	t.Helper()
	events, ok := a.deps.Bus.Since(n)
	if !ok {
		t.Fatal("events were lost")
	}
	var types []string
	for _, ev := range events {
		switch ev.Type {
		case "message.delta", "turn.progress", "model.progress", "engine.state", "embed.progress", "selftest.progress":
		default:
			types = append(types, ev.Type)
		}
		checkData(t, ev)
	}
	return types
}

// scenario is one request and what must come of it. Placeholders such as {agent} stand for ids of the seed.
type scenario struct {
	Name        string
	Method, URL string
	Body        string
	WantStatus  int
	WantContent []string // parts of the answer; one that begins with ! must not be in it
	WantEvents  []string // types, in order
}

func (c scenario) run(t *testing.T, a *app) answer {
	t.Helper()
	before := a.deps.Bus.Seq()
	got := call(t, a, c.Method, a.fill(c.URL), a.fill(c.Body))
	if got.StatusCode != c.WantStatus {
		t.Errorf("status %d, want %d: %.500s", got.StatusCode, c.WantStatus, got.body)
	}
	for _, want := range c.WantContent {
		want = a.fill(want)
		unwanted, not := strings.CutPrefix(want, "!")
		if not && strings.Contains(got.body, unwanted) || !not && !strings.Contains(got.body, want) {
			t.Errorf("content: want %s in %.1000s", want, got.body)
		}
	}
	if wantType := "application/problem+json"; c.WantStatus >= 400 && got.Header.Get("Content-Type") != wantType {
		t.Errorf("an error as %s", got.Header.Get("Content-Type"))
	}
	for _, conversation := range []string{"{conversation}", "{empty}"} {
		must(t, a.turns.Wait(t.Context(), a.ids[conversation]))
	}
	if events := a.eventsSince(t, before); !slices.Equal(events, c.WantEvents) {
		t.Errorf("events %q, want %q", events, c.WantEvents)
	}
	return got
}

// runAll gives each scenario an app of its own, but all those that only read the same one.
func runAll(t *testing.T, scenarios []scenario) {
	t.Helper()
	reading := newApp(t)
	for _, c := range scenarios {
		name := c.Name
		if name == "" {
			name = c.Method + " " + c.URL
		}
		t.Run(name, func(t *testing.T) {
			a := reading
			if c.Method != "GET" {
				a = newApp(t)
			}
			c.run(t, a)
		})
	}
}

func TestANewAgentSpeaksTheLanguageOfThePage(t *testing.T) {
	a := newApp(t)
	scenario{Method: "PATCH", URL: "/api/settings", Body: `{"language":"zh"}`, WantStatus: 200, WantEvents: []string{"settings.changed"}}.run(t, a)
	created := []string{"agent.changed", "block.changed", "block.changed"}
	scenario{Method: "POST", URL: "/api/agents", WantStatus: 201, WantContent: []string{`"language":"zh"`}, WantEvents: created}.run(t, a)
	scenario{Method: "GET", URL: "/api/blocks", WantStatus: 200, WantContent: []string{"我对对方的了解"}}.run(t, a)
	scenario{Method: "POST", URL: "/api/agents", Body: `{"language":"en"}`, WantStatus: 201, WantContent: []string{`"language":"en"`}, WantEvents: created}.run(t, a)
}

func TestABlockTakesThePlaceOfOneWhenThatIsAsked(t *testing.T) {
	a := newApp(t)
	place := "/api/agents/{agent}/blocks/{rules}"
	scenario{Method: "PATCH", URL: "/api/blocks/{rules}", Body: `{"label":"Human"}`, WantStatus: 200, WantEvents: []string{"block.changed"}}.run(t, a)
	scenario{Method: "PUT", URL: place, WantStatus: 409, WantContent: []string{"ECONFLICT"}}.run(t, a)
	scenario{
		Method: "PUT", URL: place + "?replace=true", WantStatus: 200, WantContent: []string{`"subject":"attachment"`, `"label":"Human"`},
		WantEvents: []string{"attachment.changed", "attachment.changed"},
	}.run(t, a)
	scenario{Method: "GET", URL: "/api/blocks?agent_id={agent}", WantStatus: 200, WantContent: []string{"Be kind.", "!Likes tea."}}.run(t, a)
	scenario{Method: "GET", URL: "/api/blocks/{human}", WantStatus: 200, WantContent: []string{"Likes tea."}}.run(t, a)
}

func TestAgentsAndCoreMemory(t *testing.T) {
	changed := []string{"block.changed"}
	runAll(t, []scenario{
		{Method: "GET", URL: "/api/agents", WantStatus: 200, WantContent: []string{`"name":"Ada"`, `"name":"Bob"`}},
		{Method: "GET", URL: "/api/agents/{agent}", WantStatus: 200, WantContent: []string{`"id":"{agent}"`, `"temperature":null`}},
		{Method: "GET", URL: "/api/agents/agent-none", WantStatus: 404, WantContent: []string{"ENOTFOUND"}},
		{
			Name: "a new agent has persona and human", Method: "POST", URL: "/api/agents", Body: `{"name":"Cleo","temperature":0.5}`,
			WantStatus: 201, WantContent: []string{`"name":"Cleo"`, `"temperature":0.5`}, WantEvents: []string{"agent.changed", "block.changed", "block.changed"},
		},
		{
			Name: "an agent with a persona", Method: "POST", URL: "/api/agents", Body: `{"persona":"I am Cleo, a queen."}`, WantStatus: 201,
			WantEvents: []string{"agent.changed", "block.changed", "block.changed"},
		},
		{Method: "GET", URL: "/api/personas?language=zh&name=Wren", WantStatus: 200, WantContent: []string{`"id":"tutor"`, `我是 Wren，`, `"name":"老师"`, `!"name":"Tutor"`}},
		{
			Name: "an agent that knows what another one knows of the user", Method: "POST", URL: "/api/agents", Body: `{"name":"Cleo","human":"{human}"}`,
			WantStatus: 201, WantEvents: []string{"agent.changed", "block.changed", "attachment.changed"},
		},
		{Name: "by a block that is none", Method: "POST", URL: "/api/agents", Body: `{"human":"block-none"}`, WantStatus: 404},
		{Name: "by another block", Method: "POST", URL: "/api/agents", Body: `{"human":"{rules}"}`, WantStatus: 400, WantContent: []string{"EINVALID", "rules"}},
		{Name: "an agent without a name", Method: "POST", URL: "/api/agents", WantStatus: 201, WantContent: []string{`"name":"Recollect"`}, WantEvents: []string{"agent.changed", "block.changed", "block.changed"}},
		{Name: "a name that is too long", Method: "POST", URL: "/api/agents", Body: `{"name":"` + strings.Repeat("x", 1000) + `"}`, WantStatus: 422, WantContent: []string{"ELIMIT"}},
		{Name: "a window that is too small", Method: "POST", URL: "/api/agents", Body: `{"name":"Cleo","window":10}`, WantStatus: 400, WantContent: []string{"window must be"}},
		{
			Name: "change an agent", Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"name":"Eve","thinking":true}`, WantStatus: 200,
			WantContent: []string{`"name":"Eve"`, `"thinking":true`, `"window":4096`}, WantEvents: []string{"agent.changed"},
		},
		{Name: "a change without a body", Method: "PATCH", URL: "/api/agents/{agent}", WantStatus: 200, WantContent: []string{`"name":"Ada"`}, WantEvents: []string{"agent.changed"}},
		{
			Name: "back to the default", Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"temperature":1,"default":["temperature"]}`, WantStatus: 200,
			WantContent: []string{`"temperature":null`}, WantEvents: []string{"agent.changed"},
		},
		{Name: "no such default", Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"default":["name"]}`, WantStatus: 400},
		{Name: "blocks outlive their agent", Method: "DELETE", URL: "/api/agents/{other}", WantStatus: 204, WantEvents: []string{"agent.changed"}},
		{Name: "tools that are off", Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"tools_off":["memory_rethink"]}`, WantStatus: 200, WantContent: []string{`"tools_off":["memory_rethink"]`}, WantEvents: []string{"agent.changed"}},
		{Name: "no such tool", Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"tools_off":["shell"]}`, WantStatus: 400, WantContent: []string{"EINVALID"}},
		{Method: "GET", URL: "/api/tools", WantStatus: 200, WantContent: []string{`"name":"core_memory_append"`, `"description":"`}},
		{
			Name: "a clone has copies", Method: "POST", URL: "/api/agents/{other}/clone", Body: `{"name":"Bea"}`, WantStatus: 201, WantContent: []string{`"name":"Bea"`},
			WantEvents: []string{"agent.changed", "block.changed", "block.changed"},
		},
		{
			Name: "or the same blocks", Method: "POST", URL: "/api/agents/{other}/clone", Body: `{"name":"Bea","shared":true}`, WantStatus: 201,
			WantEvents: []string{"agent.changed", "attachment.changed", "attachment.changed"},
		},
		{Name: "a clone without a name", Method: "POST", URL: "/api/agents/{other}/clone", WantStatus: 400},
		{Method: "GET", URL: "/api/agents?deleted=true", WantStatus: 200, WantContent: []string{`"agents":[]`}},
		{Name: "an agent that is not deleted", Method: "PATCH", URL: "/api/agents/{other}", Body: `{"deleted":false}`, WantStatus: 404},
		{Name: "deleting by a change", Method: "PATCH", URL: "/api/agents/{other}", Body: `{"deleted":true}`, WantStatus: 400},
		{Name: "taking back and changing at once", Method: "PATCH", URL: "/api/agents/{other}", Body: `{"deleted":false,"name":"Bo"}`, WantStatus: 400},
		{Method: "DELETE", URL: "/api/agents/agent-none", WantStatus: 404},

		{Method: "GET", URL: "/api/agents/{agent}/core", WantStatus: 200, WantContent: []string{
			`"label":"persona"`, `"label":"human"`, `"label":"project"`, `"window":4096`, `"budget":1024`, `"share":0.25`, `"warn":0.8`,
			`"chars":10`, `"agents":["{agent}","{other}"]`,
		}},
		{Method: "GET", URL: "/api/agents/agent-none/core", WantStatus: 404},
		{Name: "a draft is counted and not stored", Method: "POST", URL: "/api/agents/{agent}/core", Body: `{"block_id":"{human}","value":"Likes tea and much else."}`, WantStatus: 200, WantContent: []string{`"budget":1024`, `"tokens":`, `"total":`}},
		{Name: "a draft of a block of another agent is counted as if it were attached", Method: "POST", URL: "/api/agents/{agent}/core", Body: `{"block_id":"{rules}","value":"Be brief."}`, WantStatus: 200, WantContent: []string{`"tokens":`}},
		{Name: "a draft of no block", Method: "POST", URL: "/api/agents/{agent}/core", Body: `{"block_id":"block-none"}`, WantStatus: 404},
		{Method: "GET", URL: "/api/agents/{agent}/plan?draft=Hello", WantStatus: 200, WantContent: []string{`"window":4096`, `"name":"reserve","allowed":1024`, `"name":"margin","allowed":410`, `"messages":1`}},
		{Name: "the plan of a long draft", Method: "POST", URL: "/api/agents/{agent}/plan", Body: `{"draft":"Hello"}`, WantStatus: 200, WantContent: []string{`"window":4096`}},
		{Name: "a draft that does not fit", Method: "POST", URL: "/api/agents/{agent}/plan", Body: `{"draft":"` + strings.Repeat("word ", 9000) + `"}`, WantStatus: 413, WantContent: []string{"EOVERFLOW", "store_in_archive"}},
		{Method: "GET", URL: "/api/agents/agent-none/plan", WantStatus: 404},
		{
			Name: "order the blocks", Method: "PUT", URL: "/api/agents/{agent}/blocks", Body: `{"block_ids":["{project}","{human}","{persona}"]}`, WantStatus: 200,
			WantContent: []string{`"subject":"order"`, `"subject_id":"{agent}"`}, WantEvents: []string{"order.changed"},
		},
		{Name: "an order of other blocks", Method: "PUT", URL: "/api/agents/{agent}/blocks", Body: `{"block_ids":["{human}"]}`, WantStatus: 409, WantContent: []string{"ECONFLICT"}},
		{Method: "GET", URL: "/api/blocks", WantStatus: 200, WantContent: []string{`"label":"persona"`, `"label":"rules"`, `"agents":["{agent}","{other}"]`, `"chars":9`}},
		{Method: "GET", URL: "/api/blocks?count_for=agent-none", WantStatus: 404},
		{Method: "GET", URL: "/api/blocks/deleted", WantStatus: 200, WantContent: []string{`"blocks":[]`}},
		{Method: "GET", URL: "/api/blocks?agent_id={other}", WantStatus: 200, WantContent: []string{`"label":"project"`, `"label":"rules"`, `!"label":"persona"`}},
		{Method: "GET", URL: "/api/blocks/{human}", WantStatus: 200, WantContent: []string{`"value":"Likes tea."`, `"version":2`, `"tags":[]`}},
		{
			Name: "create a block", Method: "POST", URL: "/api/agents/{agent}/blocks", Body: `{"label":"pets","value":"A cat called 年糕.","tags":["home"]}`, WantStatus: 201,
			WantContent: []string{`"label":"pets"`, `年糕`, `"limit":2000`, `"tags":["home"]`, `"actor":"user"`}, WantEvents: changed,
		},
		{Name: "a label that is taken", Method: "POST", URL: "/api/agents/{agent}/blocks", Body: `{"label":"human"}`, WantStatus: 409, WantContent: []string{"ECONFLICT"}},
		{Name: "a label that is none", Method: "POST", URL: "/api/agents/{agent}/blocks", Body: `{"label":"<b>"}`, WantStatus: 400},
		{Name: "a block of no agent", Method: "POST", URL: "/api/agents/agent-none/blocks", Body: `{"label":"pets"}`, WantStatus: 404},
		{
			Name: "change a block", Method: "PATCH", URL: "/api/blocks/{human}", Body: `{"value":"Likes cocoa.","if_version":2}`, WantStatus: 200,
			WantContent: []string{`"value":"Likes cocoa."`, `"version":3`, `"subject":"block"`}, WantEvents: changed,
		},
		{Name: "exactly the limit, in characters", Method: "PATCH", URL: "/api/blocks/{human}", Body: `{"value":"` + strings.Repeat("年", 100) + `"}`, WantStatus: 200, WantEvents: changed},
		{
			Name: "over the limit", Method: "PATCH", URL: "/api/blocks/{human}", Body: `{"value":"` + strings.Repeat("年", 101) + `"}`, WantStatus: 422,
			WantContent: []string{"ELIMIT", `"limit":100`, `"actual":101`},
		},
		{Name: "changed meanwhile", Method: "PATCH", URL: "/api/blocks/{human}", Body: `{"value":"x","if_version":1}`, WantStatus: 409, WantContent: []string{"ECONFLICT"}},
		{Name: "the user may change what is read-only for the model", Method: "PATCH", URL: "/api/blocks/{rules}", Body: `{"value":"Be brief."}`, WantStatus: 200, WantEvents: changed},
		{Name: "a block that is gone", Method: "PATCH", URL: "/api/blocks/block-none", Body: `{"value":"x"}`, WantStatus: 404},
		{Method: "DELETE", URL: "/api/blocks/{human}", WantStatus: 200, WantContent: []string{`"subject_id":"{human}"`, `"after":""`}, WantEvents: changed},
		{Method: "DELETE", URL: "/api/blocks/block-none", WantStatus: 404},
		{Method: "PUT", URL: "/api/agents/{other}/blocks/{human}", WantStatus: 200, WantContent: []string{`"subject":"attachment"`}, WantEvents: []string{"attachment.changed"}},
		{Method: "PUT", URL: "/api/agents/{other}/blocks/block-none", WantStatus: 404},
		{Method: "PUT", URL: "/api/agents/{agent}/blocks/{rules}?replace=perhaps", WantStatus: 400, WantContent: []string{"EINVALID"}},
		{Method: "DELETE", URL: "/api/agents/{other}/blocks/{project}", WantStatus: 200, WantEvents: []string{"attachment.changed"}},

		{Method: "GET", URL: "/api/revisions?subject=block&subject_id={human}", WantStatus: 200, WantContent: []string{`"id":"{revision}"`, `Likes coffee.`, `"next":""`}},
		{Method: "GET", URL: "/api/revisions?agent_id={agent}&limit=1", WantStatus: 200, WantContent: []string{`!"next":""`}},
		{Method: "GET", URL: "/api/revisions?cursor=nonsense", WantStatus: 400, WantContent: []string{"EINVALID"}},
		{Method: "GET", URL: "/api/revisions/{revision}", WantStatus: 200, WantContent: []string{`"label":"human"`}},
		{Method: "GET", URL: "/api/revisions/rev-none", WantStatus: 404},
		{Method: "POST", URL: "/api/revisions/{revision}/undo", WantStatus: 200, WantContent: []string{`"undoes":"{revision}"`, `Likes coffee.`}, WantEvents: changed},
		{Method: "POST", URL: "/api/revisions/rev-none/undo", WantStatus: 404},
	})
}

func TestFacts(t *testing.T) {
	changed := []string{"fact.changed"}
	settled := []string{"fact.question", "fact.changed"} // what is asked about it is no question any more
	runAll(t, []scenario{
		{Method: "GET", URL: "/api/agents/{agent}/facts", WantStatus: 200, WantContent: []string{`"id":"{fact}"`, `"value":"Comet"`, `"origin":"{user}"`, `"origin_conversation":"{conversation}"`, `"groups":[{"subject":"bicycle","key":"name","count":1,"current":1}]`, `"next":""`}},
		{Method: "GET", URL: "/api/agents/{agent}/facts?subject=Bicycle&key=name&current=true&query=com&origin={user}&limit=1", WantStatus: 200, WantContent: []string{`"id":"{fact}"`}},
		{Method: "GET", URL: "/api/agents/{agent}/facts?query=Bolt", WantStatus: 200, WantContent: []string{`"facts":[]`}},
		{Method: "GET", URL: "/api/agents/{agent}/facts?cursor=nonsense", WantStatus: 400},
		{Method: "GET", URL: "/api/agents/{agent}/facts?colour=red", WantStatus: 400},
		{Method: "GET", URL: "/api/agents/{other}/facts", WantStatus: 200, WantContent: []string{`"facts":[]`, `"groups":[]`}},
		{Method: "GET", URL: "/api/agents/agent-none/facts", WantStatus: 404},
		{Method: "GET", URL: "/api/facts/keys", WantStatus: 200, WantContent: []string{`{"key":"home","many":false}`, `{"key":"likes","many":true}`}},
		{Method: "GET", URL: "/api/facts/{fact}", WantStatus: 200, WantContent: []string{`"fact":{"id":"{fact}"`, `"history":[{"id":"{fact}"`}},
		{Method: "GET", URL: "/api/facts/fact-none", WantStatus: 404},
		{Method: "POST", URL: "/api/agents/{agent}/facts", Body: `{"key":"likes","value":"tea"}`, WantStatus: 201, WantContent: []string{`"subject":"user"`, `"many":true`, `"actor":"user"`, `"subject":"fact"`}, WantEvents: changed},
		{Method: "POST", URL: "/api/agents/{agent}/facts", Body: `{"subject":"bicycle","key":"name","value":"Rust","valid_from":"2010-01-01T00:00:00Z","ended_at":"2015-01-01T00:00:00Z"}`, WantStatus: 201, WantContent: []string{`"valid_to":"2015-01-01T00:00:00Z"`, `"replaced_by":"{fact}"`}, WantEvents: changed},
		{Method: "POST", URL: "/api/agents/{agent}/facts", Body: `{"subject":"bicycle","key":"name","value":"Comet"}`, WantStatus: 201, WantContent: []string{`"id":"{fact}"`, `"revision":{"id":""`}},
		{Method: "POST", URL: "/api/agents/{agent}/facts", Body: `{"key":"home"}`, WantStatus: 400, WantContent: []string{"the value of the fact is empty"}},
		{Method: "POST", URL: "/api/agents/agent-none/facts", Body: `{"key":"home","value":"Lyon"}`, WantStatus: 404},
		{Method: "PATCH", URL: "/api/facts/{fact}", Body: `{"value":"Comet II","if_version":2}`, WantStatus: 200, WantContent: []string{`"value":"Comet II"`, `"version":3`}, WantEvents: changed},
		{Method: "PATCH", URL: "/api/facts/{fact}", Body: `{"value":"Comet II","if_version":1}`, WantStatus: 409},
		{Method: "PATCH", URL: "/api/facts/{fact}", Body: `{"ended":true}`, WantStatus: 200, WantContent: []string{`"ended_at":"2026-11-29T12:00:00.`, `"valid_to":"2026-11-29T12:00:00.`}, WantEvents: settled},
		{Method: "DELETE", URL: "/api/facts/{fact}", WantStatus: 200, WantContent: []string{`"after":""`}, WantEvents: settled},
		{Method: "DELETE", URL: "/api/facts/fact-none", WantStatus: 404},
		{Method: "GET", URL: "/api/revisions?subject=fact&subject_id={fact}", WantStatus: 200, WantContent: []string{`"label":"bicycle · name = Comet"`, `"message_id":"{user}"`, `"end":26`}},
		{Method: "GET", URL: "/api/agents/{agent}/questions?open=true&message_id={answer}", WantStatus: 200, WantContent: []string{`"id":"{question}"`, `"fact_id":"{fact}"`, `"old":"Comet"`, `"value":"Bolt"`, `"answer":""`}},
		{Method: "GET", URL: "/api/agents/{agent}/questions?message_id={user}", WantStatus: 200, WantContent: []string{`"questions":[]`}},
		{Method: "GET", URL: "/api/agents/agent-none/questions", WantStatus: 404},
		{Method: "POST", URL: "/api/questions/{question}", Body: `{"answer":"new"}`, WantStatus: 200, WantContent: []string{`"answer":"new"`, `"revisions":[{`}, WantEvents: []string{"fact.changed", "fact.changed", "fact.question"}},
		{Method: "POST", URL: "/api/questions/{question}", Body: `{"answer":"old"}`, WantStatus: 200, WantContent: []string{`"answer":"old"`, `"revisions":[]`}, WantEvents: []string{"fact.question"}},
		{Method: "POST", URL: "/api/questions/{question}", Body: `{"answer":"perhaps"}`, WantStatus: 400},
		{Method: "POST", URL: "/api/questions/question-none", Body: `{"answer":"old"}`, WantStatus: 404},
	})
}

func TestArchivesHaveTheirOwnEmbedders(t *testing.T) {
	e5 := `"embedder":"` + enginetest.Embedder + `"`
	runAll(t, []scenario{
		{Method: "GET", URL: "/api/archives", WantStatus: 200, WantContent: []string{`"id":"{archive}"`, `"embedder":""`, `"agents":["{agent}"]`, `"model":""`, `"total":1,"pending":1`}},
		{Method: "GET", URL: "/api/archives/archive-none", WantStatus: 404},
		{Method: "PATCH", URL: "/api/archives/{archive}", Body: `{}`, WantStatus: 200, WantContent: []string{`"embedder":""`}},
		{
			Name: "under another name of the model", Method: "PATCH", URL: "/api/archives/{archive}", Body: `{"embedder":"recollect/multilingual-e5-small"}`,
			WantStatus: 200, WantContent: []string{e5, `"model":"` + enginetest.Embedder + `"`, `"total":1,"pending":1`}, WantEvents: []string{"archive.changed"},
		},
		{Name: "none of its own", Method: "PATCH", URL: "/api/archives/{archive}", Body: `{"embedder":""}`, WantStatus: 200, WantContent: []string{`"embedder":""`}},
		{Name: "an embedder that is not there", Method: "PATCH", URL: "/api/archives/{archive}", Body: `{"embedder":"zzz"}`, WantStatus: 424, WantContent: []string{"pull_model"}},
		{Name: "a chat model", Method: "PATCH", URL: "/api/archives/{archive}", Body: `{"embedder":"helper"}`, WantStatus: 424, WantContent: []string{"choose_model"}},
		{Method: "PATCH", URL: "/api/archives/archive-none", Body: `{"embedder":""}`, WantStatus: 404},
		{Method: "PATCH", URL: "/api/archives/{archive}", Body: `{"name":"x"}`, WantStatus: 400},
		{Name: "a new agent", Method: "POST", URL: "/api/agents", Body: `{"name":"Eve",` + e5 + `}`, WantStatus: 201, WantEvents: []string{"agent.changed", "block.changed", "block.changed", "archive.changed"}},
		{Name: "a new agent with no such model", Method: "POST", URL: "/api/agents", Body: `{"name":"Eve","embedder":"zzz"}`, WantStatus: 424},
		{Method: "GET", URL: "/api/search?agent_id={agent}&query=bicycle", WantStatus: 200},
	})
}

// withoutEmbedders is a store that takes no embedder of an archive.
type withoutEmbedders struct{ api.Store }

func (withoutEmbedders) SetArchiveEmbedder(context.Context, string, string) (memory.Archive, error) {
	return memory.Archive{}, memory.Errorf(memory.EDISKFULL, "change archive", "the disk is full")
}

func TestNoAgentStaysWhoseEmbedderCannotBeSet(t *testing.T) {
	a := newApp(t)
	a.deps.Store = withoutEmbedders{a.store}
	a.Handler = api.New(a.deps).Handler(api.Options{Trusted: true})
	before, err := a.store.Agents(t.Context())
	must(t, err)
	got := call(t, a, "POST", "/api/agents", `{"name":"Eve","embedder":"`+enginetest.Embedder+`"}`)
	if got.StatusCode < 500 {
		t.Errorf("status %d: %s", got.StatusCode, got.body)
	}
	after, err := a.store.Agents(t.Context())
	must(t, err)
	if len(after) != len(before) {
		t.Errorf("%d agents, want the %d of before", len(after), len(before))
	}
}

func TestArchiveAndSearch(t *testing.T) {
	changed := []string{"passage.changed"}
	long := strings.Repeat("A sentence about the garden and its trees. ", 40) + `\n\n` + strings.Repeat("Another one, about the pond and its fish. ", 40)
	runAll(t, []scenario{
		{Method: "GET", URL: "/api/agents/{agent}/feedback", WantStatus: 200, WantContent: []string{`"feedback":[]`}},
		{Method: "GET", URL: "/api/agents/agent-none/feedback", WantStatus: 404},
		{Method: "PUT", URL: "/api/agents/{agent}/feedback", Body: `{"kind":"passage","item_id":"{passage}","use":"less","message_id":"{user}"}`, WantStatus: 200, WantContent: []string{`"use":"less"`, `"subject":"feedback"`, `"message_id":"{user}"`}, WantEvents: []string{"feedback.changed"}},
		{Method: "PUT", URL: "/api/agents/{agent}/feedback", Body: `{"kind":"passage","item_id":"{passage}","use":"never"}`, WantStatus: 400, WantContent: []string{"needs the conversation"}},
		{Method: "PUT", URL: "/api/agents/{agent}/feedback", Body: `{"kind":"passage","item_id":"{passage}","use":"never","conversation_id":"{conversation}"}`, WantStatus: 200, WantContent: []string{`"conversation_id":"{conversation}"`}, WantEvents: []string{"feedback.changed"}},
		{Method: "PUT", URL: "/api/agents/{agent}/feedback", Body: `{"kind":"passage","item_id":"{passage}","use":"more"}`, WantStatus: 400, WantContent: []string{"less, never or always"}},
		{Method: "PUT", URL: "/api/agents/{agent}/feedback", Body: `{"kind":"passage","item_id":"passage-none","use":"less"}`, WantStatus: 404},
		{Method: "PUT", URL: "/api/agents/{other}/feedback", Body: `{"kind":"passage","item_id":"{passage}","use":"less"}`, WantStatus: 404},
		{Method: "GET", URL: "/api/revisions?subject=feedback&agent_id={agent}", WantStatus: 200, WantContent: []string{`"revisions":[]`}},
		{Method: "POST", URL: "/api/agents/{agent}/recall", Body: `{"text":" "}`, WantStatus: 400, WantContent: []string{"write what a message would say"}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}", WantStatus: 200, WantContent: []string{`"id":"{passage}"`, `"next":""`}},
		{Method: "GET", URL: "/api/passages?agent_id={other}", WantStatus: 200, WantContent: []string{`"passages":[]`}},
		{Method: "GET", URL: "/api/passages", WantStatus: 400, WantContent: []string{"agent_id is missing"}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&tags=bike,car", WantStatus: 200, WantContent: []string{`"id":"{passage}"`}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&tags=bike,car&tag_mode=all", WantStatus: 200, WantContent: []string{`"passages":[]`}},
		{Name: "the last day counts whole", Method: "GET", URL: "/api/passages?agent_id={agent}&after=2026-11-26&before=2026-11-26", WantStatus: 200, WantContent: []string{`"id":"{passage}"`}},
		{Name: "the day before", Method: "GET", URL: "/api/passages?agent_id={agent}&before=2026-11-25", WantStatus: 200, WantContent: []string{`"passages":[]`}},
		{Name: "a time in another zone", Method: "GET", URL: "/api/passages?agent_id={agent}&after=2026-11-26T19:59:59%2B08:00&before=2026-11-26T20:00:01%2B08:00", WantStatus: 200, WantContent: []string{`"id":"{passage}"`}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&query=bicycle", WantStatus: 200, WantContent: []string{`"id":"{passage}"`}},
		{Name: "a word that is being typed", Method: "GET", URL: "/api/passages?agent_id={agent}&query=blue+bicy&by=words", WantStatus: 200, WantContent: []string{`"id":"{passage}"`}},
		{Name: "the beginning of a word alone", Method: "GET", URL: "/api/passages?agent_id={agent}&query=BICY&by=words", WantStatus: 200, WantContent: []string{`"id":"{passage}"`}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&by=magic", WantStatus: 400},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&origin=hand", WantStatus: 200, WantContent: []string{`"id":"{passage}"`}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&origin=message", WantStatus: 200, WantContent: []string{`"passages":[]`}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&query=bicycle&origin=message", WantStatus: 200, WantContent: []string{`"passages":[]`}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&origin=space", WantStatus: 400},
		{Method: "GET", URL: "/api/passages?ids=passage-none,{passage}", WantStatus: 200, WantContent: []string{`"id":"{passage}"`}},
		{Method: "GET", URL: "/api/passages/ids?agent_id={agent}&tags=bike", WantStatus: 200, WantContent: []string{`"ids":["{passage}"]`}},
		{Method: "GET", URL: "/api/passages/ids?agent_id={agent}&before=2026-11-25", WantStatus: 200, WantContent: []string{`"ids":[]`}},
		{Method: "GET", URL: "/api/passages/ids", WantStatus: 400},
		{Method: "GET", URL: "/api/tags?agent_id={agent}", WantStatus: 200, WantContent: []string{`"tags":[{"tag":"bike","count":1}]`}},
		{Method: "GET", URL: "/api/tags?agent_id={other}", WantStatus: 200, WantContent: []string{`"tags":[]`}},
		{
			Name: "tag many", Method: "POST", URL: "/api/passages/change", Body: `{"agent_id":"{agent}","ids":["{passage}","passage-none"],"add_tags":["blue"],"remove_tags":["bike"]}`, WantStatus: 200,
			WantContent: []string{`"count":1`, `"subject":"passages"`}, WantEvents: []string{"passages.changed"},
		},
		{Name: "delete many", Method: "POST", URL: "/api/passages/change", Body: `{"agent_id":"{agent}","ids":["{passage}"],"delete":true}`, WantStatus: 200, WantContent: []string{`"count":1`}, WantEvents: []string{"passages.changed"}},
		{Name: "change none of them", Method: "POST", URL: "/api/passages/change", Body: `{"agent_id":"{agent}","ids":[],"delete":true}`, WantStatus: 200, WantContent: []string{`"count":0`}},
		{Name: "a change that is none", Method: "POST", URL: "/api/passages/change", Body: `{"agent_id":"{agent}","ids":["{passage}"]}`, WantStatus: 400},
		{Name: "tag what is deleted", Method: "POST", URL: "/api/passages/change", Body: `{"agent_id":"{agent}","ids":["{passage}"],"delete":true,"add_tags":["x"]}`, WantStatus: 400},
		{Name: "search the last day", Method: "GET", URL: "/api/passages?agent_id={agent}&query=bicycle&before=2026-11-26", WantStatus: 200, WantContent: []string{`"id":"{passage}"`}},
		{Name: "search the day before", Method: "GET", URL: "/api/passages?agent_id={agent}&query=bicycle&before=2026-11-25", WantStatus: 200, WantContent: []string{`"passages":[]`}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&query=submarine", WantStatus: 200, WantContent: []string{`"passages":[]`}},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&cursor=nonsense", WantStatus: 400},
		{Method: "GET", URL: "/api/passages?agent_id={agent}&query=bicycle&cursor=nonsense", WantStatus: 400},
		{
			Name: "store a text", Method: "POST", URL: "/api/passages", Body: `{"agent_id":"{agent}","text":" 我的猫叫年糕。 ","tags":["cat"],"origin":"{user}","created_at":"2024-02-29T08:00:00+08:00"}`, WantStatus: 201,
			WantContent: []string{`"text":"我的猫叫年糕。"`, `"tags":["cat"]`, `"origin":"{user}"`, `"created_at":"2024-02-29T00:00:00Z"`}, WantEvents: changed,
		},
		{
			Name: "a long text becomes several passages", Method: "POST", URL: "/api/passages", Body: `{"agent_id":"{agent}","text":"` + long + `"}`, WantStatus: 201,
			WantContent: []string{`"text":"A sentence`, `"text":"Another one`}, WantEvents: []string{"passage.changed", "passage.changed"},
		},
		{Name: "a text that is there already", Method: "POST", URL: "/api/passages", Body: `{"agent_id":"{agent}","text":"Comet is a blue bicycle."}`, WantStatus: 201, WantContent: []string{`"id":"{passage}"`}},
		{Name: "white space", Method: "POST", URL: "/api/passages", Body: `{"agent_id":"{agent}","text":" \n\t\u0000 "}`, WantStatus: 400, WantContent: []string{"text is empty"}},
		{Name: "an origin that is none", Method: "POST", URL: "/api/passages", Body: `{"agent_id":"{agent}","text":"x","origin":"msg-none"}`, WantStatus: 404},
		{Method: "GET", URL: "/api/passages/{passage}", WantStatus: 200, WantContent: []string{`"version":1`, `"tags":["bike"]`}},
		{Method: "GET", URL: "/api/passages/passage-none", WantStatus: 404},
		{Name: "change a passage", Method: "PATCH", URL: "/api/passages/{passage}", Body: `{"text":"Comet is red now."}`, WantStatus: 200, WantContent: []string{`Comet is red now.`, `"version":2`}, WantEvents: changed},
		{Name: "a passage that was changed meanwhile", Method: "PATCH", URL: "/api/passages/{passage}", Body: `{"text":"x","if_version":7}`, WantStatus: 409},
		{Name: "a passage over the limit", Method: "PATCH", URL: "/api/passages/{passage}", Body: `{"text":"` + strings.Repeat("x", 8001) + `"}`, WantStatus: 422, WantContent: []string{`"limit":8000`, `"actual":8001`}},
		{Method: "DELETE", URL: "/api/passages/{passage}", WantStatus: 200, WantContent: []string{`"subject":"passage"`}, WantEvents: changed},

		{Method: "GET", URL: "/api/search?agent_id={agent}&query=comet", WantStatus: 200, WantContent: []string{`"id":"{user}"`, `"kind":"message"`}},
		{Method: "GET", URL: "/api/search?agent_id={agent}&query=comet&roles=assistant", WantStatus: 200, WantContent: []string{`!"id":"{user}"`}},
		{Method: "GET", URL: "/api/search?agent_id={other}&query=comet", WantStatus: 200, WantContent: []string{`"hits":[]`}},
		{Name: "browse by date without a query", Method: "GET", URL: "/api/search?agent_id={agent}&after=2026-11-29&before=2026-11-29&limit=1", WantStatus: 200, WantContent: []string{`"id":"{user}"`, `!"next":""`}},
		{Name: "search syntax is just text", Method: "GET", URL: `/api/search?agent_id={agent}&query=%22%27%29%20OR%20NEAR%28%20%2A%20--%20%00`, WantStatus: 200, WantContent: []string{`"hits":[`}},
		{Method: "GET", URL: "/api/search?query=comet", WantStatus: 400},
	})
}

func TestConversations(t *testing.T) {
	runAll(t, []scenario{
		{Method: "GET", URL: "/api/conversations", WantStatus: 200, WantContent: []string{`"id":"{conversation}"`, `"id":"{empty}"`}},
		{Method: "GET", URL: "/api/conversations?agent_id={agent}", WantStatus: 200, WantContent: []string{`"id":"{conversation}"`, `!"id":"{empty}"`}},
		{Method: "GET", URL: "/api/conversations?query=bicyc", WantStatus: 200, WantContent: []string{`"id":"{conversation}"`, `!"id":"{empty}"`, `"matches":[{"conversation_id":"{conversation}"`}},
		{Method: "GET", URL: "/api/conversations?state=archived", WantStatus: 200, WantContent: []string{`"conversations":[]`, `"matches":[]`}},
		{Method: "GET", URL: "/api/conversations?state=deleted", WantStatus: 200, WantContent: []string{`"conversations":[]`}},
		{Method: "GET", URL: "/api/conversations?state=all", WantStatus: 200, WantContent: []string{`"id":"{conversation}"`}},
		{Method: "GET", URL: "/api/conversations?state=lost", WantStatus: 400},
		{Method: "GET", URL: "/api/conversations?limit=1", WantStatus: 200, WantContent: []string{`!"next":""`}},
		{Method: "GET", URL: "/api/conversations?limit=0", WantStatus: 200, WantContent: []string{`!"next":""`}},
		{Method: "GET", URL: "/api/conversations?limit=99999999999999999999", WantStatus: 200, WantContent: []string{`"next":""`}},
		{Method: "GET", URL: "/api/conversations?cursor=%00", WantStatus: 400},
		{Name: "begin a conversation", Method: "POST", URL: "/api/conversations", Body: `{"agent_id":"{agent}"}`, WantStatus: 201, WantContent: []string{`"title_by":"system"`, `"head":""`}, WantEvents: []string{"conversation.changed"}},
		{Name: "begin one with a title", Method: "POST", URL: "/api/conversations", Body: `{"agent_id":"{agent}","title":"Trees"}`, WantStatus: 201, WantContent: []string{`"title":"Trees"`, `"title_by":"user"`}, WantEvents: []string{"conversation.changed"}},
		{Name: "a conversation with nobody", Method: "POST", URL: "/api/conversations", Body: `{}`, WantStatus: 400},
		{Method: "GET", URL: "/api/conversations/{conversation}", WantStatus: 200, WantContent: []string{`"head":"{answer}"`}},
		{Method: "GET", URL: "/api/conversations/conv-none", WantStatus: 404},
		{Name: "rename", Method: "PATCH", URL: "/api/conversations/{conversation}", Body: `{"title":"Wheels","pinned":true}`, WantStatus: 200, WantContent: []string{`"title":"Wheels"`, `"title_by":"user"`, `"pinned":true`}, WantEvents: []string{"conversation.changed"}},
		{Method: "DELETE", URL: "/api/conversations/{conversation}", WantStatus: 204, WantEvents: []string{"fact.changed", "conversation.changed"}},
		{Method: "DELETE", URL: "/api/conversations/conv-none", WantStatus: 404},

		{Method: "GET", URL: "/api/conversations/{conversation}/messages", WantStatus: 200, WantContent: []string{`"id":"{user}"`, `"id":"{answer}"`, `"more":false`}},
		{Method: "GET", URL: "/api/conversations/{conversation}/messages?limit=1", WantStatus: 200, WantContent: []string{`!"id":"{user}"`, `"id":"{answer}"`, `"more":true`}},
		{Method: "GET", URL: "/api/conversations/{conversation}/messages?before={answer}", WantStatus: 200, WantContent: []string{`"id":"{user}"`, `!"id":"{answer}"`, `"more":false`}},
		{Method: "GET", URL: "/api/conversations/{empty}/messages", WantStatus: 200, WantContent: []string{`"messages":[]`, `"more":false`}},
		{Method: "GET", URL: "/api/conversations/conv-none/messages", WantStatus: 404},
		{Name: "around a message", Method: "GET", URL: "/api/conversations/{conversation}/messages?around={answer}&limit=1", WantStatus: 200, WantContent: []string{`"id":"{answer}"`, `"more":true`, `"newer":false`, `"around":"{answer}"`}},
		{Name: "around a message that is not there", Method: "GET", URL: "/api/conversations/{conversation}/messages?around=message-none", WantStatus: 404},
		{Name: "behind a message", Method: "GET", URL: "/api/conversations/{conversation}/messages?after={user}", WantStatus: 200, WantContent: []string{`"id":"{answer}"`, `"more":true`, `"newer":false`}},
		{Name: "of a day", Method: "GET", URL: "/api/conversations/{conversation}/messages?date=2020-01-01", WantStatus: 200, WantContent: []string{`"around":"{user}"`}},
		{Name: "words in a conversation", Method: "GET", URL: "/api/conversations/{conversation}/find?query=BICYCLE", WantStatus: 200, WantContent: []string{`"message_ids":["{user}"`}},
		{Method: "GET", URL: "/api/conversations/{empty}/find?query=bicycle", WantStatus: 200, WantContent: []string{`"message_ids":[]`}},
		{Method: "GET", URL: "/api/conversations/conv-none/find?query=bicycle", WantStatus: 404},
		{Method: "GET", URL: "/api/messages/{user}", WantStatus: 200, WantContent: []string{`My bicycle is called Comet.`, `"siblings":["{user}"]`}},
		{Method: "GET", URL: "/api/messages/msg-none", WantStatus: 404},
		{Method: "GET", URL: "/api/messages/{user}/receipt", WantStatus: 200, WantContent: []string{`"considered":3`, `"candidates":[]`}},
		{Name: "the receipt of an answer is that of its turn", Method: "GET", URL: "/api/messages/{answer}/receipt", WantStatus: 200, WantContent: []string{`"message_id":"{user}"`}},
		{Method: "GET", URL: "/api/messages/msg-none/receipt", WantStatus: 404},
		{Method: "GET", URL: "/api/messages/{answer}/plan", WantStatus: 200, WantContent: []string{`"prompt":321`, `"parts":[]`}},
		{Method: "GET", URL: "/api/messages/{user}/plan", WantStatus: 404},
		{Name: "the prompt comes byte for byte", Method: "GET", URL: "/api/messages/{answer}/prompt", WantStatus: 200, WantContent: []string{`{"model":"helper:latest","messages":[ {"role":"user","content":"<My bicycle>"} ]}`}},
		{Method: "GET", URL: "/api/messages/{user}/prompt", WantStatus: 404},

		{Method: "GET", URL: "/api/conversations/{conversation}/plan?draft=hello", WantStatus: 200, WantContent: []string{`"window":4096`, `"name":"core"`, `"name":"messages"`}},
		{Name: "plan a long draft", Method: "POST", URL: "/api/conversations/{conversation}/plan", Body: `{"draft":"` + strings.Repeat("word ", 500) + `"}`, WantStatus: 200, WantContent: []string{`"window":4096`}},
		{Name: "plan a draft that does not fit", Method: "POST", URL: "/api/conversations/{conversation}/plan", Body: `{"draft":"` + strings.Repeat("word ", 50_000) + `"}`, WantStatus: 413, WantContent: []string{"EOVERFLOW", `"remedy":"store_in_archive"`}},
		{Method: "GET", URL: "/api/conversations/conv-none/plan", WantStatus: 404},
		{Method: "POST", URL: "/api/conversations/{conversation}/stop", WantStatus: 200, WantContent: []string{`"stopped":false`}},
		{Method: "POST", URL: "/api/conversations/conv-none/stop", WantStatus: 404},

		{Name: "an empty message", Method: "POST", URL: "/api/conversations/{conversation}/messages", Body: `{"content":" \n"}`, WantStatus: 400},
		{Name: "a message that shows nothing", Method: "POST", URL: "/api/conversations/{conversation}/messages", Body: `{"content":"\u202e\u200b"}`, WantStatus: 400, WantContent: []string{"EINVALID", "the message is empty"}},
		{Name: "a file that is no text", Method: "POST", URL: "/api/conversations/{conversation}/messages", Body: `{"content":"see","files":[{"name":"a.bin","content":"AAEC"}]}`, WantStatus: 400, WantContent: []string{"a.bin is neither a text"}},
		{Method: "GET", URL: "/api/messages/{user}/files/0", WantStatus: 404},
		{Name: "a message to nowhere", Method: "POST", URL: "/api/conversations/conv-none/messages", Body: `{"content":"hello"}`, WantStatus: 404},
		{
			Name: "a message of more than a million characters", Method: "POST", URL: "/api/conversations/{conversation}/messages", Body: `{"content":"` + strings.Repeat("x", 1_000_001) + `"}`, WantStatus: 422,
			WantContent: []string{"ELIMIT", `"remedy":"store_in_archive"`, `"limit":1000000`, `"actual":1000001`},
		},
		{Name: "edit what is no message", Method: "POST", URL: "/api/messages/msg-none/edit", Body: `{"content":"x"}`, WantStatus: 404},
		{Name: "regenerate what is no message", Method: "POST", URL: "/api/messages/msg-none/regenerate", WantStatus: 404},
		{Name: "continue what is no message", Method: "POST", URL: "/api/messages/msg-none/continue", WantStatus: 404},
		{Method: "POST", URL: "/api/messages/{answer}/select", WantStatus: 200, WantContent: []string{`"head":"{answer}"`}, WantEvents: []string{"conversation.changed"}},
		{Method: "POST", URL: "/api/messages/msg-none/select", WantStatus: 404},
	})
}

func TestSystem(t *testing.T) {
	runAll(t, []scenario{
		{Method: "GET", URL: "/api/health", WantStatus: 200, WantContent: []string{`"ok":true`, `"version":"0.1.0"`}},
		{Method: "GET", URL: "/api/snapshot", WantStatus: 200, WantContent: []string{`"id":"{agent}"`, `"id":"{conversation}"`, `"running":[]`, `"state":"ready"`}},
		{Method: "GET", URL: "/api/settings", WantStatus: 200, WantContent: []string{`{}`}},
		{Name: "settings", Method: "PATCH", URL: "/api/settings", Body: `{"theme":"dark","ui":{"panel":360}}`, WantStatus: 200, WantContent: []string{`"theme":"dark"`, `"ui":{"panel":360}`}, WantEvents: []string{"settings.changed", "settings.changed"}},
		{Name: "a setting back to its default", Method: "PATCH", URL: "/api/settings", Body: `{"theme":null}`, WantStatus: 200, WantContent: []string{`!theme`}, WantEvents: []string{"settings.changed"}},
		{Name: "all settings or none", Method: "PATCH", URL: "/api/settings", Body: `{"language":"zh","theme":"pink"}`, WantStatus: 400, WantContent: []string{"theme must be light or dark"}},
		{Name: "a model that is not there", Method: "PATCH", URL: "/api/settings", Body: `{"model":"zzz"}`, WantStatus: 424, WantContent: []string{"zzz", "pull_model"}},
		{Name: "an embedder that is not there", Method: "PATCH", URL: "/api/settings", Body: `{"theme":"dark","embedder":"zzz"}`, WantStatus: 424},
		{Name: "a chat model as the embedder", Method: "PATCH", URL: "/api/settings", Body: `{"embedder":"helper"}`, WantStatus: 424, WantContent: []string{"choose_model"}},
		{Name: "refused models change nothing", Method: "GET", URL: "/api/settings", WantStatus: 200, WantContent: []string{`!zzz`, `!helper`, `!theme`}},
		{Name: "a model that is there", Method: "PATCH", URL: "/api/settings", Body: `{"model":"helper"}`, WantStatus: 200, WantContent: []string{`"model":"helper"`}, WantEvents: []string{"settings.changed"}},
		{Name: "an agent's model that is not there", Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"model":"zzz"}`, WantStatus: 424},
		{Name: "a new agent's model that is not there", Method: "POST", URL: "/api/agents", Body: `{"name":"Cy","model":"zzz"}`, WantStatus: 424},
		{Name: "room down to more than from where on it is made", Method: "PATCH", URL: "/api/settings", Body: `{"compact_at":0.5,"compact_to":0.9}`, WantStatus: 400, WantContent: []string{"down to 90 % (compact_to)", "less than the 50 %"}},
		{Name: "the same with the default", Method: "PATCH", URL: "/api/settings", Body: `{"compact_at":0.5}`, WantStatus: 400, WantContent: []string{"down to 60 %"}},
		{Name: "the same of an agent", Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"room":{"compact_at":0.5,"compact_to":0.9}}`, WantStatus: 400},
		{Name: "of an agent that leaves the other open", Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"room":{"compact_at":0.5}}`, WantStatus: 400, WantContent: []string{"down to 60 %", "(compact_at)"}},
		{Name: "of an agent's core memory", Method: "PATCH", URL: "/api/agents/{agent}", Body: `{"room":{"core_to":0.8}}`, WantStatus: 400, WantContent: []string{"down to 80 % (core_to)"}},
		{Name: "of a new agent", Method: "POST", URL: "/api/agents", Body: `{"name":"Cy","room":{"compact_to":0.85}}`, WantStatus: 400},
		{Name: "in their order", Method: "PATCH", URL: "/api/settings", Body: `{"compact_at":0.7,"compact_to":0.5}`, WantStatus: 200, WantEvents: []string{"settings.changed", "settings.changed"}},
		{Name: "an unknown setting", Method: "PATCH", URL: "/api/settings", Body: `{"colour":"pink"}`, WantStatus: 400, WantContent: []string{"colour"}},
		{Method: "GET", URL: "/api/activity?types=block.changed&limit=1", WantStatus: 200, WantContent: []string{`"type":"block.changed"`, `"revision_id":"{revision}"`, `!"next":""`}},
		{Method: "GET", URL: "/api/activity?cursor=nonsense", WantStatus: 400},
		{Method: "GET", URL: "/api/activity?actor=user&query=tea&after=2026-11-29&before=2026-11-29", WantStatus: 200, WantContent: []string{`"revision_id":"{revision}"`, `!passage.changed`}},
		{Method: "GET", URL: "/api/activity?actor=model", WantStatus: 200, WantContent: []string{`"events":[]`}},
		{Method: "GET", URL: "/api/activity?actor=nobody", WantStatus: 400},
		{Method: "GET", URL: "/api/activity?query=" + strings.Repeat("x", 1001), WantStatus: 400},
		{Method: "GET", URL: "/api/doctor", WantStatus: 200, WantContent: []string{`"id":"disk"`}},
		{Name: "a backup into the data folder", Method: "POST", URL: "/api/backup", WantStatus: 201, WantContent: []string{"backups/recollect-20261129T"}, WantEvents: []string{"backup.done"}},
		{Name: "a backup to a relative path", Method: "POST", URL: "/api/backup", Body: `{"path":"x.db"}`, WantStatus: 400},
		{Name: "a backup over a file", Method: "POST", URL: "/api/backup", Body: `{"path":"/etc/hostname"}`, WantStatus: 409},
		{Method: "POST", URL: "/api/session", Body: `{"token":"x"}`, WantStatus: 204},
		{Method: "GET", URL: "/api/jobs", WantStatus: 200, WantContent: []string{`"jobs":[]`}},
		{Method: "DELETE", URL: "/api/jobs/job-none", WantStatus: 404},

		{Method: "GET", URL: "/api/engine", WantStatus: 200, WantContent: []string{`"state":"ready"`, `"kind":"external"`, `"loopback":true`}},
		{Method: "POST", URL: "/api/engine/restart", WantStatus: 202},
		{Method: "GET", URL: "/api/models", WantStatus: 200, WantContent: []string{`"name":"helper:latest"`, `"tools":true`, `"memory_bytes":8589934592`, `"fits":"no"`, `"languages":["en","zh"]`}},
		{Method: "GET", URL: "/api/window?model=helper&window=8192", WantStatus: 200, WantContent: []string{`"fits":"`, `"caches":1`, `"trained":`}},
		{Method: "GET", URL: "/api/window?model=helper&window=many", WantStatus: 400},
		{Method: "GET", URL: "/api/window?model=none&window=8192", WantStatus: 424},
		{Name: "pull nothing", Method: "POST", URL: "/api/models/pull", Body: `{"name":" "}`, WantStatus: 400},
		{Name: "starter models that did not come along", Method: "POST", URL: "/api/models/starter", WantStatus: 501, WantContent: []string{"EUNSUPPORTED"}},
		{Name: "import a file that is not there", Method: "POST", URL: "/api/models/import", Body: `{"path":"/nothing.gguf"}`, WantStatus: 404},
		{Name: "import a file that is no model", Method: "POST", URL: "/api/models/import", Body: `{"path":"/etc/hostname"}`, WantStatus: 400, WantContent: []string{"no GGUF"}},
		{Name: "import from a relative path", Method: "POST", URL: "/api/models/import", Body: `{"path":"../x.gguf"}`, WantStatus: 400},
		{Method: "GET", URL: "/api/engine/log", WantStatus: 200, WantContent: []string{`{"text":""}`}},
		{Method: "DELETE", URL: "/api/models/helper:latest", WantStatus: 204},
		{Method: "DELETE", URL: "/api/models/hf.co/x/y:Q4", WantStatus: 424, WantContent: []string{"EMODEL"}},
	})
}

func TestTheWindow(t *testing.T) {
	a := newApp(t)
	for url, count := range map[string]*atomic.Int32{"/api/ui/ready": &a.window.ready, "/api/ui/heartbeat": &a.window.beats, "/api/focus": &a.window.focus} {
		if got := call(t, a, "POST", url, ""); got.StatusCode >= 300 || count.Load() != 1 {
			t.Errorf("%s: %d, counted %d", url, got.StatusCode, count.Load())
		}
	}
	if got := call(t, a, "POST", "/api/focus", ""); !strings.Contains(got.body, `"window":true`) || !strings.Contains(got.body, `"url":"http://127.0.0.1:8090/#token=t"`) {
		t.Errorf("focus: %s", got.body)
	}
	for address, want := range map[string]int{
		"https://example.com/x?y#z": 204, "http://127.0.0.1:1": 204, "file:///etc/passwd": 400, "javascript:alert(1)": 400,
		"": 400, "example.com": 400, "http://": 400, "\u0000": 400,
	} {
		a.window.opened.Store("")
		body, err := json.Marshal(map[string]string{"url": address})
		must(t, err)
		got := call(t, a, "POST", "/api/open", string(body))
		if got.StatusCode != want || (a.window.opened.Load() != "") != (want == 204) {
			t.Errorf("%q: %d, opened %q", address, got.StatusCode, a.window.opened.Load())
		}
	}
	// A browser beside the window must not be taken for it, or a dead window would never be noticed.
	browser := api.New(a.deps).Handler(api.Options{Token: token, Addr: "127.0.0.1:8090"})
	call(t, browser, "POST", "/api/ui/heartbeat", "", "Authorization", "Bearer "+token)
	if a.window.beats.Load() != 1 {
		t.Error("a browser's sign of life was taken for the window's")
	}
	// Nor does it open dialogs in the window, or have it write files.
	for url, body := range map[string]string{
		"/api/choose": `{"kind":"model"}`, "/api/save": `{"name":"a.md","text":"b"}`, "/api/data/open": "",
		"/api/notify": `{"title":"Done","route":"#/"}`, "/api/dropped": "",
	} {
		if got := call(t, browser, "POST", url, body, "Authorization", "Bearer "+token); got.StatusCode != 501 {
			t.Errorf("a browser asks for %s: %d", url, got.StatusCode)
		}
	}
	a.deps.Desktop = func() api.Desktop { return nil }
	alone := api.New(a.deps).Handler(api.Options{Trusted: true})
	if got := call(t, alone, "POST", "/api/open", `{"url":"https://example.com"}`); got.StatusCode != 501 {
		t.Errorf("without a window: %d", got.StatusCode)
	}
	if got := call(t, alone, "POST", "/api/focus", ""); got.StatusCode != 200 || !strings.Contains(got.body, `"window":false`) {
		t.Errorf("without a window: %d %s", got.StatusCode, got.body)
	}
}

// runAll runs scenarios on this app, one after the other.
func (a *app) runAll(t *testing.T, scenarios []scenario) {
	t.Helper()
	for _, c := range scenarios {
		c.run(t, a)
	}
}

func TestDialogs(t *testing.T) {
	a := newApp(t)
	a.window.chosen = "/files/model.gguf"
	note := filepath.Join(t.TempDir(), "note.txt")
	must(t, os.WriteFile(note, []byte("tea 茶"), 0o600))
	a.window.dropped = []string{note, filepath.Dir(note), note + ".gone"}
	a.runAll(t, []scenario{
		{Method: "POST", URL: "/api/choose", Body: `{"kind":"model"}`, WantStatus: 200, WantContent: []string{`{"path":"/files/model.gguf"}`}},
		{Method: "POST", URL: "/api/choose", Body: `{"kind":"folder"}`, WantStatus: 200, WantContent: []string{`model.gguf`}},
		{Method: "POST", URL: "/api/choose", Body: `{"kind":"anything"}`, WantStatus: 400},
		{Method: "POST", URL: "/api/save", Body: `{"name":"chat.md","text":"# Tea 茶"}`, WantStatus: 200, WantContent: []string{`model.gguf`}},
		{Name: "save above the folder", Method: "POST", URL: "/api/save", Body: `{"name":"../chat.md","text":""}`, WantStatus: 400},
		{Method: "POST", URL: "/api/save", Body: `{"name":" ","text":""}`, WantStatus: 400},
		{Method: "POST", URL: "/api/notify", Body: `{"title":"Done","body":"An answer","route":"#/c/1"}`, WantStatus: 204},
		{Method: "POST", URL: "/api/notify", Body: `{"title":" ","route":"#/"}`, WantStatus: 400},
		{Name: "a click leads out of the page", Method: "POST", URL: "/api/notify", Body: `{"title":"x","route":"https://example.com"}`, WantStatus: 400},
		{Method: "POST", URL: "/api/data/open", WantStatus: 204},
		{Method: "POST", URL: "/api/menu", Body: `{"groups":[{"title":"View","items":[{"id":"theme","label":"Theme","keys":""}]}]}`, WantStatus: 204},
		{Method: "POST", URL: "/api/dropped", WantStatus: 200, WantContent: []string{`"name":"note.txt"`, `"data":"dGVhIOiMtg=="`, "!gone"}},
	})
	if a.window.saved.Text != "# Tea 茶" || a.window.saved.Name != "chat.md" {
		t.Errorf("saved %+v", a.window.saved)
	}
	if want := (api.Notification{Title: "Done", Body: "An answer", Route: "#/c/1"}); a.window.notified != want {
		t.Errorf("notified %+v", a.window.notified)
	}
	if g := a.window.menu.Groups; len(g) != 1 || g[0].Items[0].ID != "theme" {
		t.Errorf("menu %+v", a.window.menu)
	}
	if a.window.opened.Load() != a.deps.Home {
		t.Errorf("opened %v, want the data folder", a.window.opened.Load())
	}
}

// login is the start at login, without a system.
type login struct{ on bool }

func (l *login) Enabled() (bool, error) { return l.on, nil }
func (l *login) Set(on bool) error      { l.on = on; return nil }

func TestStartAtLogin(t *testing.T) {
	a := newApp(t)
	a.runAll(t, []scenario{
		{Method: "GET", URL: "/api/login-start", WantStatus: 200, WantContent: []string{`{"enabled":false,"possible":false}`}},
		{Method: "PUT", URL: "/api/login-start", Body: `{"enabled":true}`, WantStatus: 501},
	})
	a.deps.Autostart = &login{}
	a.Handler = api.New(a.deps).Handler(api.Options{Trusted: true})
	a.runAll(t, []scenario{
		{Method: "GET", URL: "/api/login-start", WantStatus: 200, WantContent: []string{`{"enabled":false,"possible":true}`}},
		{Method: "PUT", URL: "/api/login-start", Body: `{"enabled":true}`, WantStatus: 200, WantContent: []string{`{"enabled":true,"possible":true}`}},
	})
}

// mover is a data folder that can be moved anywhere but to /full.
type mover struct{ to atomic.Value }

func (m *mover) Size(context.Context) (int64, error) { return 42, nil }
func (m *mover) Free() int64                         { return 1000 }
func (m *mover) Problem() error {
	return memory.Errorf(memory.EDISKFULL, "move the data folder", "the disk is full")
}

func (m *mover) Check(_ context.Context, path string) error {
	if path == "/full" {
		return memory.Errorf(memory.EDISKFULL, "move the data folder", "there is too little space")
	}
	return nil
}

func (m *mover) Move(_ context.Context, path string, _ func(engine.PullProgress)) error {
	m.to.Store(path)
	return nil
}

func (m *mover) Erase() error {
	m.to.Store("nowhere")
	return nil
}

func TestTheDataFolder(t *testing.T) {
	a := newApp(t)
	a.runAll(t, []scenario{
		{Method: "GET", URL: "/api/data", WantStatus: 200, WantContent: []string{`"movable":false`}},
		{Method: "POST", URL: "/api/data/move", Body: `{"path":"/new"}`, WantStatus: 501},
	})
	m := &mover{}
	a.deps.Data = m
	a.Handler = api.New(a.deps).Handler(api.Options{Trusted: true})
	a.runAll(t, []scenario{
		{Method: "GET", URL: "/api/data", WantStatus: 200, WantContent: []string{`"bytes":42`, `"free":1000`, `"movable":true`, `"code":"EDISKFULL"`}},
		{Method: "POST", URL: "/api/data/move", Body: `{"path":"new"}`, WantStatus: 400},
		{Method: "POST", URL: "/api/data/move", Body: `{"path":"/full"}`, WantStatus: 507},
		{Method: "POST", URL: "/api/data/move", Body: `{"path":"/new/place/"}`, WantStatus: 202, WantContent: []string{`"kind":"move"`}},
	})
	must(t, a.deps.Jobs.Close(t.Context()))
	if m.to.Load() != "/new/place" {
		t.Errorf("moved to %v", m.to.Load())
	}
	a.runAll(t, []scenario{
		{Method: "POST", URL: "/api/data/erase", Body: `{"name":"all"}`, WantStatus: 400},
		{Method: "POST", URL: "/api/data/erase", Body: `{"name":"Recollect"}`, WantStatus: 204},
	})
	if m.to.Load() != "nowhere" {
		t.Errorf("erased %v", m.to.Load())
	}
}

func TestATurn(t *testing.T) {
	a := newApp(t)
	send := scenario{
		Method: "POST", URL: "/api/conversations/{conversation}/messages", Body: `{"content":"Hello","client_id":"c-1"}`,
		WantStatus: 202, WantContent: []string{`"role":"user"`, `"parent_id":"{answer}"`},
		WantEvents: []string{"message.created", "message.created", "recall.done", "window.rebased", "message.updated", "turn.done"},
	}
	var sent api.MessageResult
	send.run(t, a).json(t, &sent)
	a.ids["{sent}"] = sent.Message.ID

	var page api.Messages
	call(t, a, "GET", a.fill("/api/conversations/{conversation}/messages"), "").json(t, &page)
	if n := len(page.Messages); n != 4 || page.Messages[3].Role != memory.RoleAssistant || page.Messages[3].Status != memory.StatusComplete || page.Messages[3].Content == "" {
		t.Fatalf("%+v", page.Messages)
	}
	a.ids["{reply}"] = page.Messages[3].ID

	// The same message again, as after a lost answer: nothing is stored, nothing runs.
	send.WantEvents, send.WantContent = nil, []string{`"id":"{sent}"`}
	send.run(t, a)

	for _, c := range []scenario{
		{Method: "GET", URL: "/api/messages/{reply}/receipt", WantStatus: 200, WantContent: []string{`"message_id":"{sent}"`, `"label":"human"`}},
		{Method: "GET", URL: "/api/messages/{reply}/plan", WantStatus: 200, WantContent: []string{`"window":4096`}},
		{Method: "GET", URL: "/api/messages/{reply}/prompt", WantStatus: 200, WantContent: []string{`Likes tea.`, `Hello`, `"truncate":false`}},
		{Method: "GET", URL: "/api/snapshot", WantStatus: 200, WantContent: []string{`"running":[]`}},
	} {
		c.run(t, a)
	}

	regenerate := scenario{Method: "POST", URL: "/api/messages/{reply}/regenerate", WantStatus: 202}
	before := a.deps.Bus.Seq()
	if got := call(t, a, regenerate.Method, a.fill(regenerate.URL), ""); got.StatusCode != 202 {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	must(t, a.turns.Wait(t.Context(), a.ids["{conversation}"]))
	if events := a.eventsSince(t, before); !slices.Contains(events, "turn.done") {
		t.Errorf("events %q", events)
	}
	var again memory.Message
	call(t, a, "GET", a.fill("/api/messages/{reply}"), "").json(t, &again)
	if len(again.Siblings) != 2 {
		t.Errorf("siblings %v", again.Siblings)
	}
	var c memory.Conversation
	call(t, a, "POST", a.fill("/api/messages/{reply}/select"), "").json(t, &c)
	if c.Head != a.ids["{reply}"] {
		t.Errorf("head %s", c.Head)
	}
}

func TestATurnWithoutAnEngineKeepsTheMessage(t *testing.T) {
	a := newApp(t)
	a.ollama.Stop()
	got := call(t, a, "POST", a.fill("/api/conversations/{conversation}/messages"), `{"content":"Hello"}`)
	if got.StatusCode != 202 {
		t.Fatalf("%d %s", got.StatusCode, got.body)
	}
	must(t, a.turns.Wait(t.Context(), a.ids["{conversation}"]))
	var page api.Messages
	call(t, a, "GET", a.fill("/api/conversations/{conversation}/messages"), "").json(t, &page)
	last := page.Messages[len(page.Messages)-1]
	if page.Messages[2].Content != "Hello" || last.Status != memory.StatusFailed || last.Problem == nil || last.Problem.Code != memory.EENGINE || last.Problem.Remedy == "" {
		t.Errorf("%+v, problem %+v", last, last.Problem)
	}
}

func TestPullAndImport(t *testing.T) {
	a := newApp(t)
	ended := func(url, contentType, body string) jobs.Job {
		t.Helper()
		events := a.deps.Bus.Subscribe(t.Context(), a.deps.Bus.Seq()).Events()
		var started api.JobResult
		got := call(t, a, "POST", url, body, "Content-Type", contentType)
		if got.StatusCode != 202 {
			t.Fatalf("%d %s", got.StatusCode, got.body)
		}
		got.json(t, &started)
		for ev := range events {
			if ev.Type == "model.progress" && ev.Data["job"] == started.Job.ID && ev.Data["state"] != jobs.StateRunning {
				break
			}
		}
		var list api.Jobs
		call(t, a, "GET", "/api/jobs", "").json(t, &list)
		return list.Jobs[0]
	}
	if job := ended("/api/models/pull", "application/json", `{"name":"qwen3:0.6b","use":true}`); job.State != jobs.StateDone || job.Kind != jobs.KindPull || job.Completed != job.Total || job.Total == 0 {
		t.Errorf("pull: %+v, problem %+v", job, job.Problem)
	}
	if got := call(t, a, "GET", "/api/models", ""); !strings.Contains(got.body, `"installed":true`) {
		t.Errorf("the pulled model is not listed: %s", got.body)
	}
	if got := call(t, a, "GET", "/api/settings", ""); !strings.Contains(got.body, `"model":"qwen3:0.6b"`) {
		t.Errorf("the pulled model is not used: %s", got.body)
	}

	model := append([]byte("GGUF"), bytes.Repeat([]byte{0}, 1000)...)
	file := filepath.Join(t.TempDir(), "My Model.gguf")
	must(t, os.WriteFile(file, model, 0o600))
	body, err := json.Marshal(api.ModelImport{Path: file, Name: "mine"})
	must(t, err)
	if job := ended("/api/models/import", "application/json", string(body)); job.Kind != jobs.KindImport || job.Model != "mine" {
		t.Errorf("import: %+v, problem %+v", job, job.Problem)
	}

	upload := func(name string, content []byte) (contentType, body string) {
		var form bytes.Buffer
		w := multipart.NewWriter(&form)
		if name != "" {
			must(t, w.WriteField("name", name))
		}
		f, err := w.CreateFormFile("file", `C:\Models\Tiny (1).GGUF`)
		must(t, err)
		_, err = f.Write(content)
		must(t, err)
		must(t, w.Close())
		return w.FormDataContentType(), form.String()
	}
	contentType, form := upload("", model)
	if job := ended("/api/models/import", contentType, form); job.Model != "tiny-1" {
		t.Errorf("upload: %+v", job)
	}
	contentType, form = upload("x", []byte("not a model"))
	if got := call(t, a, "POST", "/api/models/import", form, "Content-Type", contentType); got.StatusCode != 400 || !strings.Contains(got.body, "no GGUF") {
		t.Errorf("%d %s", got.StatusCode, got.body)
	}
	if got := call(t, a, "POST", "/api/models/import", form[:len(form)/2], "Content-Type", contentType); got.StatusCode != 400 {
		t.Errorf("half a form: %d %s", got.StatusCode, got.body)
	}
	leftBehind := func() []string {
		left, err := filepath.Glob(filepath.Join(a.deps.Home, "upload-*"))
		must(t, err)
		return left
	}
	if left := leftBehind(); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	must(t, os.WriteFile(filepath.Join(a.deps.Home, "upload-123.gguf"), model, 0o600)) // a crash
	api.New(a.deps)
	if left := leftBehind(); len(left) > 0 {
		t.Errorf("left behind by a crash: %v", left)
	}
}

// checkData fails when the data of an event is not of the form that the page's types promise.
func checkData(t *testing.T, ev memory.Event) {
	t.Helper()
	raw, err := json.Marshal(map[string]any{ev.Type: ev.Data})
	must(t, err)
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	if err := dec.Decode(new(api.EventData)); err != nil {
		t.Errorf("event %s: %v in %s", ev.Type, err, raw)
	}
}

func TestSubcommandsReachTheAPI(t *testing.T) {
	a := newApp(t)
	home := a.deps.Home
	owner, err := instance.Acquire(home)
	must(t, err)
	handler := api.New(a.deps)
	server := httptest.NewUnstartedServer(nil)
	info := instance.Info{Addr: server.Listener.Addr().String(), Token: instance.NewToken(), PID: os.Getpid()}
	server.Config.Handler = handler.Handler(api.Options{Token: info.Token, Addr: info.Addr})
	server.Start()
	defer server.Close()
	defer handler.Close()
	must(t, owner.Announce(info))
	defer func() { must(t, owner.Release()) }()

	client, err := instance.Find(t.Context(), home)
	must(t, err)
	var agents api.Agents
	must(t, client.Do(t.Context(), "GET", "/api/agents", nil, &agents))
	if len(agents.Agents) != 2 {
		t.Errorf("%+v", agents)
	}
	var from api.Snapshot
	must(t, client.Do(t.Context(), "GET", "/api/snapshot", nil, &from))
	var sent api.MessageResult
	must(t, client.Do(t.Context(), "POST", a.fill("/api/conversations/{conversation}/messages"), api.MessageCreate{Content: "Hello"}, &sent))
	var text strings.Builder
	for ev, err := range client.Events(t.Context(), fmt.Sprintf("%s-%d", from.Epoch, from.Seq)) {
		must(t, err)
		if ev.Type == "message.delta" && ev.Data["kind"] == "content" {
			text.WriteString(ev.Data["text"].(string))
		}
		if ev.Type == "turn.done" {
			break
		}
	}
	var page api.Messages
	must(t, client.Do(t.Context(), "GET", a.fill("/api/conversations/{conversation}/messages?limit=1"), nil, &page))
	if got := text.String(); got == "" || got != page.Messages[0].Content {
		t.Errorf("streamed %q, stored %q", got, page.Messages[0].Content)
	}
	window, _, err := client.Focus(t.Context())
	if err != nil || !window || a.window.focus.Load() != 1 {
		t.Errorf("focus: %v, %v", window, err)
	}
	if err := client.Do(t.Context(), "GET", "/api/agents/agent-none", nil, nil); memory.CodeOf(err) != memory.ENOTFOUND {
		t.Errorf("a problem came back as %v", err)
	}
}
