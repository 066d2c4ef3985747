package agent_test

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/bus"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/fact"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// settings are the user's choices of a test.
type settings map[string]any

func (s settings) String(key string) string { v, _ := s[key].(string); return v }
func (s settings) Int(key string) int       { v, _ := s[key].(int); return v }
func (s settings) Float(key string) float64 { v, _ := s[key].(float64); return v }

// world is the app without its surface: the real store, engine adapter, recall, counters and turns, against a fake Ollama
// or a real one.
type world struct {
	*testing.T
	fake    *enginetest.Fake
	store   *store.Store
	engine  *engine.Engine
	deps    agent.Deps
	service *agent.Service
	agent   memory.Agent
	conv    memory.Conversation
	set     settings

	patience time.Duration // with what a real model does; 0 = 30 s

	mu        sync.Mutex
	events    []memory.Event
	committed func() // called behind each write of the store that an event tells of; nil = none
}

func newWorld(t *testing.T, model string) *world {
	t.Helper()
	fake := enginetest.New(t, enginetest.Options{})
	w := newWorldAt(t, fake.URL(), model)
	w.fake = fake
	w.must(w.engine.Ready(w.ctx())) // what runs in the background does not wait for it
	return w
}

// record keeps the events that pass.
func (w *world) record(ev memory.Event) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.events = append(w.events, ev)
}

func newWorldAt(t *testing.T, address, model string) *world {
	t.Helper()
	return newWorldOn(t, engine.Options{Host: address}, model)
}

// newStarterWorld is a world with the starter model on an engine of our own; parameters are those of the model beside its one
// thread. The test is left out where that model is not there.
func newStarterWorld(t *testing.T, parameters map[string]any) *world {
	t.Helper()
	folder := os.Getenv("RECOLLECT_TEST_MODELS")
	if folder == "" {
		t.Skip("RECOLLECT_TEST_MODELS does not name the folder of the starter models")
	}
	w := newWorldOn(t, engine.Options{Bundled: []string{enginetest.Binary(t)}, Parallel: 2, Default: "-"}, "starter")
	w.set["window"], w.set["notes"] = 4096, "off"
	w.patience = 9 * time.Minute
	all := map[string]any{"num_thread": 1}
	maps.Copy(all, parameters)
	w.must(w.engine.Ready(w.ctx()))
	w.must(w.engine.Import(w.ctx(), filepath.Join(folder, "smollm2-135m-instruct.gguf"), "starter", engine.ImportOptions{Parameters: all}, nil))
	return w
}

func newWorldOn(t *testing.T, o engine.Options, model string) *world {
	t.Helper()
	w := &world{T: t, set: settings{"model": model, "window": 8192}}
	ctx, cancel := context.WithCancel(context.Background())
	b := bus.New(time.Now)
	publish := func(ev memory.Event) memory.Event { ev = b.Publish(ev); w.record(ev); return ev }
	var err error
	w.store, err = store.Open(ctx, filepath.Join(t.TempDir(), "recollect.db"), store.Options{Lines: fact.Lines{}, Publish: func(evs []memory.Event) {
		w.mu.Lock()
		committed := w.committed
		w.mu.Unlock()
		if committed != nil {
			committed()
		}
		for _, ev := range evs {
			publish(ev)
		}
	}})
	w.must(err)
	o.Home, o.Env = t.TempDir(), func(string) string { return "" }
	o.Timeouts.Poll = 50 * time.Millisecond
	w.engine = engine.New(o)
	var running sync.WaitGroup
	running.Go(func() { _ = w.engine.Run(ctx) })
	w.deps = agent.Deps{
		Store: w.store, Engine: w.engine, Recall: recall.New(recall.Deps{Store: w.store}), Counters: tokens.New(w.engine),
		Bus: busFunc(publish), Settings: w.set,
	}
	w.service = agent.New(w.deps)
	t.Cleanup(func() {
		closing, stop := context.WithTimeout(context.Background(), 10*time.Second)
		defer stop()
		if err := w.service.Close(closing); err != nil {
			t.Errorf("close: %v", err)
		}
		cancel()
		running.Wait()
		if err := w.store.Close(); err != nil {
			t.Errorf("close store: %v", err)
		}
	})
	w.must(w.service.EnsureDefault(ctx, "en"))
	agents, err := w.store.Agents(ctx)
	w.must(err)
	w.agent = agents[0]
	w.conv = w.newConversation()
	return w
}

type busFunc func(memory.Event) memory.Event

func (f busFunc) Publish(ev memory.Event) memory.Event { return f(ev) }

// replace puts another service in the place of the present one.
func (w *world) replace(change func(*agent.Deps)) {
	w.must(w.service.Close(w.ctx()))
	change(&w.deps)
	w.service = agent.New(w.deps)
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *world) ctx() context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(w.patience, 30*time.Second))
	w.Cleanup(cancel)
	return ctx
}

func (w *world) newConversation() memory.Conversation {
	w.Helper()
	c, err := w.store.CreateConversation(w.ctx(), memory.Conversation{AgentID: w.agent.ID})
	w.must(err)
	return c
}

// send sends a message and waits for its answer, the last message of the visible branch.
func (w *world) send(text string) memory.Message {
	w.Helper()
	w.post(text)
	return w.answer()
}

// post sends a message.
func (w *world) post(text string) memory.Message {
	w.Helper()
	m, err := w.service.Send(w.ctx(), agent.SendRequest{ConversationID: w.conv.ID, Content: text})
	w.must(err)
	return m
}

// answer waits until all turns are over and returns the last message.
func (w *world) answer() memory.Message {
	w.Helper()
	w.must(w.service.Wait(w.ctx(), w.conv.ID))
	path := w.path()
	if len(path) == 0 {
		w.Fatal("the conversation is empty")
	}
	return path[len(path)-1]
}

// path returns the visible branch.
func (w *world) path() []memory.Message {
	w.Helper()
	c, err := w.store.Conversation(w.ctx(), w.conv.ID)
	w.must(err)
	path, err := w.store.Path(w.ctx(), c.Head, 0, "")
	w.must(err)
	return path
}

// script lists the messages of the visible branch as "role: content".
func (w *world) script() string {
	w.Helper()
	var lines []string
	for _, m := range w.path() {
		lines = append(lines, string(m.Role)+": "+m.Content)
	}
	return strings.Join(lines, "\n")
}

func (w *world) block(label string) memory.Block {
	w.Helper()
	blocks, err := w.store.Blocks(w.ctx(), w.agent.ID)
	w.must(err)
	for _, b := range blocks {
		if b.Label == label {
			return b
		}
	}
	w.Fatalf("there is no block %q", label)
	return memory.Block{}
}

func (w *world) setBlock(label string, change memory.BlockChange) {
	w.Helper()
	_, _, err := w.store.UpdateBlock(w.ctx(), w.block(label).ID, change, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
}

func (w *world) passages() []memory.Passage {
	w.Helper()
	ps, _, err := w.store.ListPassages(w.ctx(), store.PassageFilter{ArchiveID: w.agent.ArchiveID})
	w.must(err)
	return ps
}

func (w *world) message(id string) memory.Message {
	w.Helper()
	m, err := w.store.Message(w.ctx(), id)
	w.must(err)
	return m
}

// eventsOf returns the events of a type so far.
func (w *world) eventsOf(eventType string) []memory.Event {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []memory.Event
	for _, ev := range w.events {
		if ev.Type == eventType {
			out = append(out, ev)
		}
	}
	return out
}

// engineReturns starts the engine that was stopped, and waits until it is found.
func (w *world) engineReturns() {
	w.Helper()
	w.must(w.fake.Restart())
	w.await("the engine", func() bool { return w.engine.Ready(w.ctx()) == nil })
}

// await polls for what no event tells of, such as a row of the store.
func (w *world) await(what string, ok func() bool) {
	w.Helper()
	deadline := time.Now().Add(time.Minute)
	for !ok() {
		if time.Now().After(deadline) {
			w.Fatalf("waited in vain for %s", what)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// scripts answers the n-th chat request with the n-th reply, later ones with the last.
func (w *world) scripts(replies ...enginetest.Reply) {
	var mu sync.Mutex
	n := 0
	w.fake.OnChat(func(api.ChatRequest) enginetest.Reply {
		mu.Lock()
		defer mu.Unlock()
		r := replies[min(n, len(replies)-1)]
		n++
		return r
	})
}

func say(text string) enginetest.Reply { return enginetest.Reply{Content: text} }

func call(name, args string) enginetest.Reply {
	return enginetest.Reply{Calls: []enginetest.Call{{Name: name, Arguments: args}}}
}

// sent returns all text of the n-th chat request that asked for an answer.
func (w *world) sent(n int) string {
	w.Helper()
	chats := w.fake.Chats()
	if n >= len(chats) {
		w.Fatalf("only %d chat requests", len(chats))
	}
	var b strings.Builder
	for _, m := range chats[n].Messages {
		b.WriteString(m.Role + ": " + m.Content + "\n")
	}
	return b.String()
}

func contains(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%s lacks %q:\n%s", what, p, text)
		}
	}
}

func TestTurnStreamsAndStores(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("It is **blue**, 我记得。"))
	m := w.send("What colour is the sky?")
	if m.Role != memory.RoleAssistant || m.Status != memory.StatusComplete || m.Content != "It is **blue**, 我记得。" {
		t.Fatalf("answer %+v", m)
	}
	if m.Usage == nil || m.Usage.PromptTokens == 0 || m.End != memory.EndStop || m.Model != enginetest.Chat {
		t.Errorf("usage %+v, end %q, model %q", m.Usage, m.End, m.Model)
	}
	// what the bus told is the answer
	got := []rune{}
	for _, ev := range w.eventsOf("message.delta") {
		got = append(got[:ev.Data["offset"].(int)], []rune(ev.Data["text"].(string))...)
	}
	if string(got) != m.Content {
		t.Errorf("the bus told %q", string(got))
	}
	done := w.eventsOf("turn.done")
	if len(done) != 1 || done[0].Data["status"] != "complete" || done[0].Data["message_id"] != m.ID {
		t.Errorf("turn.done %+v", done)
	}
	// the prompt that was sent is kept, with what keeps Ollama from cutting it
	body, err := w.store.Prompt(w.ctx(), m.ID)
	w.must(err)
	var sent struct {
		Messages []engine.Message
		Truncate *bool
		Options  map[string]any
	}
	w.must(json.Unmarshal(body, &sent))
	if n := len(sent.Messages); n != 2 || !strings.HasSuffix(sent.Messages[1].Content, "What colour is the sky?") || sent.Truncate == nil || *sent.Truncate {
		t.Errorf("prompt %s", body)
	}
	plan, err := w.store.PlanOf(w.ctx(), m.ID)
	w.must(err)
	if plan.Measured == 0 || plan.Window != 8192 {
		t.Errorf("plan %+v", plan)
	}
	receipt, err := w.store.Receipt(w.ctx(), m.TurnID)
	w.must(err)
	if len(receipt.Blocks) != 2 || receipt.Blocks[0].Label != "persona" {
		t.Errorf("receipt %+v", receipt)
	}
	c, err := w.store.Conversation(w.ctx(), w.conv.ID)
	w.must(err)
	if c.Title != "What colour is the sky?" || c.TitleBy != memory.ActorSystem {
		t.Errorf("title %q by %q", c.Title, c.TitleBy)
	}
	if n := len(w.fake.Chats()); n != 1 {
		t.Errorf("%d model calls; only the answer needs one", n)
	}
}

func TestSendAgainStoresNothingTwice(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	r := agent.SendRequest{ConversationID: w.conv.ID, Content: "hello", ClientID: "c1"}
	first, err := w.service.Send(w.ctx(), r)
	w.must(err)
	again, err := w.service.Send(w.ctx(), r)
	w.must(err)
	w.answer()
	if again.ID != first.ID || len(w.path()) != 2 || len(w.fake.Chats()) != 1 {
		t.Errorf("ids %s %s, %d messages, %d calls", first.ID, again.ID, len(w.path()), len(w.fake.Chats()))
	}
}

func TestBadInputIsRefusedBeforeAnythingHappens(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	for text, code := range map[string]memory.Code{
		"": memory.EINVALID, "\n\t": memory.EINVALID, "\x00\x00": memory.EINVALID,
		strings.Repeat("x", memory.MaxMessageChars+1): memory.ELIMIT,
	} {
		_, err := w.service.Send(w.ctx(), agent.SendRequest{ConversationID: w.conv.ID, Content: text})
		if memory.CodeOf(err) != code {
			t.Errorf("%.10q: %v, want %s", text, err, code)
		}
	}
	if _, err := w.service.Send(w.ctx(), agent.SendRequest{ConversationID: "conversation-none", Content: "hi"}); memory.CodeOf(err) != memory.ENOTFOUND {
		t.Errorf("unknown conversation: %v", err)
	}
	if m := w.send("a\x00b \xff\xfe \xed\xa0\x80 עברית 👩‍👩‍👧"); !strings.Contains(m.Content, "ab") || !strings.Contains(m.Content, "👩‍👩‍👧") {
		t.Errorf("odd text came back as %q", m.Content)
	}
}

func TestTurnsOfAConversationQueue(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	hold := make(chan struct{})
	w.scripts(
		enginetest.Reply{Calls: []enginetest.Call{{Name: "archival_memory_search", Arguments: `{"query":"x"}`}}, Hold: hold},
		say("first answer"), say("second answer"), say("third answer"),
	)
	w.post("first")
	w.fake.AwaitChats(t, 1)
	second, third := w.post("second"), w.post("third")
	p := w.service.Running(w.conv.ID)
	if p == nil || strings.Join(p.Queued, " ") != second.ID+" "+third.ID {
		t.Errorf("running %+v", p)
	}
	close(hold)
	w.answer()
	want := "user: first\nassistant: \ntool: Nothing in the archive matches. Try other words, or conversation_search.\nassistant: first answer\n" +
		"user: second\nassistant: second answer\nuser: third\nassistant: third answer"
	if got := w.script(); got != want {
		t.Errorf("the branch is\n%s", got)
	}
	if last := w.sent(3); strings.Contains(last, "third") == false || strings.Count(last, "user: ") != 3 {
		t.Errorf("the last prompt:\n%s", last)
	}
	if strings.Contains(w.sent(2), "third") {
		t.Error("the second turn saw a message that came after it")
	}
}

// Messages that wait are told, survive a stop of the answer before them, and each can be taken back with its text.
func TestAWaitingMessageCanBeTakenBack(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	hold := make(chan struct{})
	w.scripts(enginetest.Reply{Content: "Once upon", Hold: hold}, say("two"), say("four"), say("again"))
	first := w.post("one")
	w.await("its words", func() bool {
		told := w.eventsOf("message.delta")
		return len(told) > 0 && strings.HasSuffix(told[len(told)-1].Data["text"].(string), "upon")
	})
	second, third, fourth := w.post("second"), w.post("third"), w.post("fourth")
	queued := func() []string {
		told := w.eventsOf("turn.progress")
		return told[len(told)-1].Data["queued"].([]string)
	}
	if got := queued(); !slices.Equal(got, []string{second.ID, third.ID, fourth.ID}) {
		t.Errorf("told that %v wait", got)
	}
	if _, err := w.service.Withdraw(w.ctx(), first.ID); memory.CodeOf(err) != memory.ECONFLICT || !strings.Contains(err.Error(), "does not wait") {
		t.Errorf("%v", err)
	}
	m, err := w.service.Withdraw(w.ctx(), third.ID)
	w.must(err)
	if got := queued(); m.Content != "third" || !slices.Equal(got, []string{second.ID, fourth.ID}) {
		t.Errorf("%q came back, %v wait", m.Content, got)
	}
	fifth := w.post("fifth")
	_, err = w.service.Withdraw(w.ctx(), fifth.ID)
	w.must(err)
	if got := queued(); !slices.Equal(got, []string{second.ID, fourth.ID}) {
		t.Errorf("%v wait after the newest was taken back", got)
	}
	w.service.Stop(w.conv.ID)
	close(hold)
	w.answer()
	if got := w.script(); got != "user: one\nassistant: Once upon\nuser: second\nassistant: two\nuser: fourth\nassistant: four" {
		t.Errorf("the branch is\n%s", got)
	}
	if m := w.message(third.ID); m.Content != "third" { // nothing is lost
		t.Errorf("%+v", m)
	}
	// what is sent next goes on behind the last answer
	w.send("third, better")
	if got := w.script(); !strings.HasSuffix(got, "assistant: four\nuser: third, better\nassistant: again") {
		t.Errorf("the branch is\n%s", got)
	}
	if _, err := w.service.Withdraw(w.ctx(), second.ID); memory.CodeOf(err) != memory.ECONFLICT {
		t.Errorf("taken back after its answer: %v", err)
	}
}

func TestStopKeepsWhatCame(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	hold := make(chan struct{})
	defer close(hold)
	w.scripts(enginetest.Reply{Content: "Once upon a time", Hold: hold}, say("Here I am."))
	w.post("tell me a story")
	w.await("the beginning on disk", func() bool {
		path := w.path()
		return len(path) == 2 && path[1].Content == "Once upon a time" && path[1].Status == memory.StatusStreaming
	})
	if !w.service.Stop(w.conv.ID) {
		t.Error("nothing ran")
	}
	m := w.answer()
	if m.Status != memory.StatusStopped || m.Content != "Once upon a time" || m.Problem != nil {
		t.Errorf("stopped: %+v", m)
	}
	if w.service.Stop(w.conv.ID) {
		t.Error("something still ran")
	}
	if m := w.send("are you there?"); m.Content != "Here I am." {
		t.Errorf("after a stop: %+v", m)
	}
}

func TestCloseWhileStreamingKeepsAPartialAnswer(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	hold := make(chan struct{})
	defer close(hold)
	w.scripts(enginetest.Reply{Content: "Once upon", Hold: hold})
	w.post("tell me a story")
	w.fake.AwaitChats(t, 1)
	w.await("some text", func() bool { return len(w.eventsOf("message.delta")) > 0 })
	w.must(w.service.Close(w.ctx()))
	path := w.path()
	if m := path[1]; m.Status != memory.StatusPartial || m.Content != "Once upon" {
		t.Errorf("%+v", m)
	}
	if _, err := w.service.Send(w.ctx(), agent.SendRequest{ConversationID: w.conv.ID, Content: "more"}); memory.CodeOf(err) != memory.EBUSY {
		t.Errorf("sending to a closed service: %v", err)
	}
}

func TestRegenerateAndEditMakeBranches(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("alpha"), say("beta"), say("three"))
	first := w.send("question")
	_, err := w.service.Regenerate(w.ctx(), first.ID, false)
	w.must(err)
	second := w.answer()
	if second.Content != "beta" || len(second.Siblings) != 2 || second.ParentID != first.ParentID {
		t.Errorf("regenerated %+v", second)
	}
	if strings.Contains(w.sent(1), "alpha") {
		t.Errorf("the other answer is in the prompt:\n%s", w.sent(1))
	}
	_, err = w.service.Edit(w.ctx(), first.ParentID, "another question")
	w.must(err)
	if got := w.script(); w.answer().Content != "three" || w.script() != "user: another question\nassistant: three" {
		t.Errorf("edited: %s", got)
	}
	if strings.Contains(w.sent(2), "assistant: ") {
		t.Errorf("the edited branch begins anew, but its prompt was\n%s", w.sent(2))
	}
	c, err := w.service.Select(w.ctx(), first.ID)
	w.must(err)
	if c.Head != first.ID || w.script() != "user: question\nassistant: alpha" {
		t.Errorf("selected: %s", w.script())
	}
}

func TestRegenerateStopsWhatRuns(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	hold := make(chan struct{})
	defer close(hold)
	w.scripts(enginetest.Reply{Content: "slow", Hold: hold}, say("quick"))
	user := w.post("question")
	w.fake.AwaitChats(t, 1)
	_, err := w.service.Regenerate(w.ctx(), user.ID, false)
	w.must(err)
	m := w.answer()
	if m.Content != "quick" || len(m.Siblings) != 2 {
		t.Errorf("%+v", m)
	}
	if other := w.message(m.Siblings[0]); other.Status != memory.StatusStopped {
		t.Errorf("the answer that ran is %q", other.Status)
	}
}

func TestContinueAfterLength(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(enginetest.Reply{Content: "one two", End: "length"}, say(" three"))
	m := w.send("count")
	if m.Status != memory.StatusComplete || m.End != memory.EndLength {
		t.Fatalf("%+v", m)
	}
	_, err := w.service.Continue(w.ctx(), m.ID)
	w.must(err)
	after := w.answer()
	if after.ID != m.ID || after.Content != "one two three" || after.End != memory.EndStop || after.Status != memory.StatusComplete {
		t.Errorf("%+v", after)
	}
	contains(t, "prompt", w.sent(1), "assistant: one two")
	if _, err := w.service.Continue(w.ctx(), m.ID); memory.CodeOf(err) != memory.EINVALID {
		t.Errorf("a complete answer was continued: %v", err)
	}
}

// A model whose template leaves the last answer open goes on with the very next word.
func TestContinueWithAnOpenAnswer(t *testing.T) {
	w := newWorld(t, "own")
	w.fake.AddModel(enginetest.Model{Name: "own", Template: `{{- range $i, $_ := .Messages }}{{ $last := eq (len (slice $.Messages $i)) 1 }}<|im_start|>{{ .Role }}
{{ .Content }}{{ if not (and $last (eq .Role "assistant")) }}<|im_end|>
{{ if $last }}<|im_start|>assistant
{{ end }}{{ end }}{{ end }}`})
	w.scripts(enginetest.Reply{Content: "one two", End: "length"}, say(" three"), say(""))
	m := w.send("count")
	_, err := w.service.Continue(w.ctx(), m.ID)
	w.must(err)
	if m = w.answer(); m.Content != "one two three" {
		t.Errorf("%+v", m)
	}
	if sent := w.sent(1); !strings.HasSuffix(sent, "assistant: one two\n") {
		t.Errorf("sent:\n%s", sent)
	}
}

// A message whose turn never began, because the app died or closed while it waited, can be answered later.
func TestMessageWithoutAnAnswerIsAnsweredLater(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	hold := make(chan struct{})
	w.scripts(enginetest.Reply{Content: "One", Hold: hold})
	w.post("first")
	w.await("an answer", func() bool { return len(w.eventsOf("message.delta")) > 0 })
	waiting := w.post("Remember that I like tea. What goes with it?")
	w.replace(func(*agent.Deps) { close(hold) })
	if path := w.path(); len(path) != 3 || path[2].ID != waiting.ID || path[1].Status != memory.StatusPartial {
		t.Fatalf("%s", w.script())
	}
	w.scripts(say("Fine."))
	m, err := w.service.Regenerate(w.ctx(), waiting.ID, false)
	w.must(err)
	if m.ID != waiting.ID {
		t.Errorf("answers %q", m.ID)
	}
	if a := w.answer(); a.ParentID != waiting.ID || a.Content != "Remembered: “I like tea”.\n\nFine." || w.block("human").Value != "I like tea" {
		t.Errorf("%+v\n%s", a, w.script())
	}
}

// A language chosen before the first message is the language of the first agent; what was edited stays, and so does an
// agent that has been talked with.
func TestTheFirstAgentFollowsTheLanguage(t *testing.T) {
	w := newWorld(t, "helper")
	deleted := true
	_, err := w.store.UpdateConversation(w.ctx(), w.conv.ID, store.ConversationChange{Deleted: &deleted})
	w.must(err)
	edited := "I am Rosa."
	w.setBlock("persona", memory.BlockChange{Value: &edited})
	w.must(w.service.SpeakLanguage(w.ctx(), "zh"))
	if p := w.block("persona"); p.Value != edited || !strings.ContainsRune(p.Description, '我') {
		t.Errorf("the persona is %q, %q", p.Value, p.Description)
	}
	if h := w.block("human"); h.Value != "" || !strings.ContainsRune(h.Description, '我') {
		t.Errorf("the block human is %q, %q", h.Value, h.Description)
	}
	if a, err := w.store.Agent(w.ctx(), w.agent.ID); err != nil || a.Language != "zh" {
		t.Errorf("the agent speaks %q, %v", a.Language, err)
	}
	w.must(w.service.SpeakLanguage(w.ctx(), "en"))
	if h := w.block("human"); !strings.HasPrefix(h.Description, "What I know") {
		t.Errorf("and back: %q", h.Description)
	}
	w.conv = w.newConversation()
	w.must(w.service.SpeakLanguage(w.ctx(), "zh"))
	if h := w.block("human"); !strings.HasPrefix(h.Description, "What I know") {
		t.Errorf("after a conversation began: %q", h.Description)
	}
}

// Agents whose words nobody has changed follow the language at any time; others keep theirs.
func TestUntouchedAgentsFollowTheLanguage(t *testing.T) {
	w := newWorld(t, "helper")
	w.scripts(say("Hello."))
	w.send("Hello")
	other, err := agent.NewAgent(w.ctx(), w.store, memory.Agent{Name: "Rosa", Language: "en"}, agent.First{})
	w.must(err)
	blocks, err := w.store.Blocks(w.ctx(), other.ID)
	w.must(err)
	own := "I am Rosa."
	_, _, err = w.store.UpdateBlock(w.ctx(), blocks[0].ID, memory.BlockChange{Value: &own}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	known := "likes tea"
	w.setBlock("human", memory.BlockChange{Value: &known})

	w.must(w.service.SpeakLanguage(w.ctx(), "zh"))
	if p, h := w.block("persona"), w.block("human"); p.Value != agent.Personas("zh", w.agent.Name)[0].Text || h.Value != known || !strings.ContainsRune(h.Description, '我') {
		t.Errorf("persona %q, human %q, %q", p.Value, h.Value, h.Description)
	}
	if a, err := w.store.Agent(w.ctx(), w.agent.ID); err != nil || a.Language != "zh" {
		t.Errorf("the agent speaks %q, %v", a.Language, err)
	}
	kept, err := w.store.Blocks(w.ctx(), other.ID)
	w.must(err)
	if a, err := w.store.Agent(w.ctx(), other.ID); err != nil || a.Language != "en" || kept[0].Value != own || kept[1].Description != blocks[1].Description {
		t.Errorf("the other agent speaks %q, its blocks are %+v", a.Language, kept)
	}
	// the next prompt is in the new language
	w.send("And now?")
	contains(t, "prompt", w.sent(1), agent.Personas("zh", w.agent.Name)[0].Text)
}
