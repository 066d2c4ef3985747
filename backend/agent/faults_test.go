package agent_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/backend/agent"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// usable checks that after a failure the next message is answered.
func (w *world) usable() {
	w.Helper()
	w.scripts(say("Here I am."))
	if m := w.send("are you there?"); m.Content != "Here I am." || m.Status != memory.StatusComplete {
		w.Errorf("afterwards: %+v", m)
	}
}

func TestEngineFailures(t *testing.T) {
	for name, c := range map[string]struct {
		reply  enginetest.Reply
		status memory.Status
		code   memory.Code
	}{
		"killed in mid-answer": {enginetest.Reply{Content: "Once upon a", Fault: enginetest.Reset}, memory.StatusPartial, memory.EENGINE},
		"no done":              {enginetest.Reply{Content: "Once upon a", Fault: enginetest.EOF}, memory.StatusPartial, memory.EINCOMPLETE},
		"no done, no text":     {enginetest.Reply{Fault: enginetest.EOF}, memory.StatusFailed, memory.EINCOMPLETE},
		"runner died":          {enginetest.Reply{Content: "Once upon a", Error: "an error was encountered while running the model: unexpected EOF"}, memory.StatusPartial, memory.EENGINE},
		"busy":                 {enginetest.Reply{Status: 503, Error: "server busy, please try again.  maximum pending requests exceeded"}, memory.StatusFailed, memory.EBUSY},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, enginetest.Chat)
			w.scripts(c.reply)
			m := w.send("tell me a story")
			if m.Status != c.status || m.Content != c.reply.Content {
				t.Errorf("answer %+v", m)
			}
			if m.Problem == nil || m.Problem.Code != c.code || m.Problem.Remedy == "" || m.Problem.Message == "" {
				t.Errorf("problem %+v", m.Problem)
			}
			failed := w.eventsOf("turn.failed")
			if len(failed) != 1 || failed[0].Data["message_id"] != m.ID || failed[0].ID == "" {
				t.Errorf("events %+v", failed)
			}
			w.usable()
		})
	}
}

func TestEngineGone(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("hello"))
	w.send("hello")
	w.fake.Stop()
	m := w.send("are you still there?")
	if m.Status != memory.StatusFailed || m.Problem == nil || m.Problem.Code != memory.EENGINE || m.Problem.Remedy == "" {
		t.Errorf("%+v %+v", m, m.Problem)
	}
	if user := w.path()[2]; user.Content != "are you still there?" {
		t.Errorf("the question is %q", user.Content)
	}
	w.engineReturns()
	w.usable()
}

// An engine of ours that is killed takes one answer with it: those that wait for theirs get them from the one that is started in
// its place, and so does who asks later.
func TestEngineKilledWithMessagesWaiting(t *testing.T) {
	w := newWorldOn(t, engine.Options{
		Bundled: []string{filepath.Join(enginetest.Installed(t), "ollama")}, Default: "-", Timeouts: engine.Timeouts{Backoff: 100 * time.Millisecond},
	}, enginetest.Chat)
	w.set["notes"] = "off"
	for range 2 {
		w.conv = w.newConversation()
		for _, text := range []string{"[[say Once upon a]] [[slow 50]] [[die]]", "First", "Second"} {
			w.post(text)
		}
		if m := w.answer(); m.Status != memory.StatusComplete {
			t.Errorf("the last answer: %+v, %+v", m, m.Problem)
		}
		var answers []memory.Message
		for _, m := range w.path() {
			if m.Role == memory.RoleAssistant {
				answers = append(answers, m)
			}
		}
		if len(answers) != 3 || !strings.HasSuffix(answers[1].Content, "First") || !strings.HasSuffix(answers[2].Content, "Second") {
			t.Fatalf("answers %+v", answers)
		}
		cut := answers[0]
		if cut.Content != "Once upon a" || cut.Status != memory.StatusPartial || cut.Problem == nil || cut.Problem.Remedy != memory.RemedyRetry ||
			cut.Problem.Message != "the engine ended in the middle of the answer; it is being started again" || cut.Problem.Chinese == "" {
			t.Errorf("%+v, %+v", cut, cut.Problem)
		}
	}
	if failed := w.eventsOf("turn.failed"); len(failed) != 2 {
		t.Errorf("%d turns failed", len(failed))
	}
}

func TestModelGone(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("hello"))
	w.send("hello")
	w.fake.RemoveModel(enginetest.Chat)
	m := w.send("and now?")
	if m.Status != memory.StatusFailed || m.Problem == nil || m.Problem.Code != memory.EMODEL || m.Problem.Remedy != memory.RemedyPullModel {
		t.Errorf("%+v %+v", m, m.Problem)
	}
	w.fake.AddModel(enginetest.Model{Name: enginetest.Chat})
	w.usable()
}

func TestNoModelAtAll(t *testing.T) {
	w := newWorld(t, "")
	for _, m := range enginetest.DefaultModels() {
		if m.Name != enginetest.Embedder {
			w.fake.RemoveModel(m.Name)
		}
	}
	m := w.send("hello")
	if m.Problem == nil || m.Problem.Code != memory.EMODEL || m.Problem.Remedy != memory.RemedyPullModel {
		t.Errorf("%+v", m.Problem)
	}
	w.fake.AddModel(enginetest.Model{Name: "another:latest"})
	w.usable()
}

func TestEngineFindsThePromptTooLong(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	for range 6 {
		w.scripts(say(strings.Repeat("word ", 300)))
		w.send(strings.Repeat("talk ", 300))
	}
	w.scripts(enginetest.Reply{Status: 400, Error: "the input length exceeds the context length"}, say("Now it fits."))
	m := w.send("go on")
	if m.Content != "Now it fits." || m.Status != memory.StatusComplete {
		t.Errorf("%+v %+v", m, m.Problem)
	}
	w.scripts(enginetest.Reply{Status: 400, Error: "the input length exceeds the context length"})
	m = w.send("go on")
	if m.Status != memory.StatusFailed || m.Problem.Code != memory.EOVERFLOW || m.Problem.Remedy == "" {
		t.Errorf("%+v %+v", m, m.Problem)
	}
	w.usable()
}

// However wrong our count is, the second try is shorter than the first.
func TestEngineFindsAPromptTooLongThatWeThinkShort(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("All right, noted."))
	for range 6 {
		w.send(strings.Repeat("talk ", 100))
	}
	w.scripts(enginetest.Reply{Status: 400, Error: "the input length exceeds the context length"}, say("Now it fits."))
	if m := w.send("go on"); m.Content != "Now it fits." {
		t.Fatalf("%+v %+v", m, m.Problem)
	}
	n := len(w.fake.Chats())
	if before, after := w.sent(n-2), w.sent(n-1); len(after) > len(before)*2/3 {
		t.Errorf("%d bytes were too many, so %d were sent", len(before), len(after))
	}
	if len(w.eventsOf("window.evicted")) != 1 {
		t.Errorf("events %+v", w.eventsOf("window.evicted"))
	}
}

func TestEngineFindsTheRestOfAnAnswerTooLong(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("All right, noted."))
	for range 6 {
		w.send(strings.Repeat("talk ", 100))
	}
	tooLong := enginetest.Reply{Status: 400, Error: "the input length exceeds the context length"}
	w.scripts(enginetest.Reply{Content: "one two", End: "length"}, tooLong, say(" three"))
	m := w.send("count")
	_, err := w.service.Continue(w.ctx(), m.ID)
	w.must(err)
	if m = w.answer(); m.Content != "one two three" || m.Status != memory.StatusComplete {
		t.Errorf("%+v %+v", m, m.Problem)
	}
	w.scripts(enginetest.Reply{Content: "one two", End: "length"}, tooLong)
	m = w.send("count again")
	_, err = w.service.Continue(w.ctx(), m.ID)
	w.must(err)
	if m = w.answer(); m.Content != "one two" || m.Status != memory.StatusPartial || m.Problem == nil || m.Problem.Code != memory.EOVERFLOW {
		t.Errorf("%+v %+v", m, m.Problem)
	}
}

// An engine that reads only a part and does not say so: the turn is marked, and from then on we send what it reads.
func TestEngineThatCutsPromptsIsFoundOut(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("All right, noted."))
	for range 10 {
		w.send(strings.Repeat("talk ", 100))
	}
	w.scripts(enginetest.Reply{Content: "Which garden?", PromptTokens: 600})
	if m := w.send("what about the garden?"); m.Usage == nil || !m.Usage.Truncated || m.Status != memory.StatusComplete {
		t.Fatalf("usage %+v", m.Usage)
	}
	w.scripts(say("I see."))
	m := w.send("go on")
	if plan := w.plan(m); m.Usage.Truncated || plan.Prompt > 600 || plan.Usable >= 600 {
		t.Errorf("usage %+v, plan %+v", m.Usage, plan)
	}
}

// An estimate is no proof that something was cut.
func TestRoughEstimateIsNoAlarm(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("hm"))
	m := w.send("hello")
	w.scripts(enginetest.Reply{Content: "hm", PromptTokens: w.plan(m).Prompt * 7 / 10})
	if m = w.send("hello again"); m.Usage.Truncated {
		t.Errorf("usage %+v", m.Usage)
	}
}

func (w *world) plan(m memory.Message) memory.Plan {
	w.Helper()
	p, err := w.store.PlanOf(w.ctx(), m.ID)
	w.must(err)
	return p
}

func TestMessageLargerThanTheWindow(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	text := strings.Repeat("All work and no play makes Jack a dull boy. ", 2000)
	m := w.send(text)
	if m.Status != memory.StatusFailed || m.Problem == nil || m.Problem.Code != memory.EOVERFLOW || m.Problem.Remedy != memory.RemedyStoreInArchive {
		t.Fatalf("%+v", m.Problem)
	}
	if m.Problem.Actual <= m.Problem.Limit || m.Problem.Limit <= 0 {
		t.Errorf("numbers %+v", m.Problem)
	}
	if user := w.path()[0]; user.Content != text {
		t.Error("the message was not kept as it is")
	}
	if len(w.fake.Chats()) != 0 {
		t.Error("it was sent all the same")
	}
	w.usable()
}

func TestOldTurnsLeaveTheWindowNotTheTranscript(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 2048
	w.scripts(say(strings.Repeat("answer ", 25)))
	for range 30 {
		if m := w.send(strings.Repeat("question ", 25)); m.Status != memory.StatusComplete {
			t.Fatalf("%+v %+v", m, m.Problem)
		}
	}
	evicted, rebased := w.eventsOf("window.evicted"), w.eventsOf("window.rebased")
	if len(evicted) == 0 || len(rebased) < 2 || evicted[0].Data["count"].(int) == 0 || evicted[0].ID == "" {
		t.Errorf("evicted %+v, rebased %+v", evicted, rebased)
	}
	if len(evicted) > 6 {
		t.Errorf("%d evictions in 30 turns: they should be rare", len(evicted))
	}
	if n := len(w.path()); n != 60 {
		t.Errorf("%d messages are left", n)
	}
	chats := w.fake.Chats()
	for i := range chats {
		last := chats[i]
		if last.Truncate == nil || *last.Truncate || last.Shift == nil || *last.Shift || last.Options["num_ctx"].(float64) != 2048 {
			t.Fatalf("request %d may be cut: %+v", i, last.Options)
		}
	}
}

func TestPreview(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("hello"))
	w.send("hello")
	before := len(w.path())
	short, err := w.service.Preview(w.ctx(), w.conv.ID, "")
	w.must(err)
	long, err := w.service.Preview(w.ctx(), w.conv.ID, strings.Repeat("word ", 500))
	w.must(err)
	if long.Prompt < short.Prompt+400 || long.Window != 8192 || len(w.path()) != before || len(w.fake.Chats()) != 1 {
		t.Errorf("short %+v, long %+v", short, long)
	}
	if _, err := w.service.Preview(w.ctx(), w.conv.ID, strings.Repeat("word ", 20000)); memory.CodeOf(err) != memory.EOVERFLOW {
		t.Errorf("too long a draft: %v", err)
	}
	fresh, err := w.service.PreviewNew(w.ctx(), w.agent.ID, "hello")
	w.must(err)
	if fresh.Window != 8192 || fresh.Messages != 1 || fresh.Prompt >= short.Prompt || fresh.Measured != 0 {
		t.Errorf("a conversation that is not there yet: %+v", fresh)
	}
	e, err := w.service.Effective(w.ctx(), w.agent.ID)
	w.must(err)
	if e.Model != enginetest.Chat || e.Window != 8192 || e.CoreShare != .25 {
		t.Errorf("%+v", e)
	}
}

func TestWhatLeftALongConversationIsRecalled(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 2048
	parent := ""
	for i := range 200 { // as after an import: there is no prefix yet
		text := strings.Repeat("small talk about the weather ", 20)
		if i == 10 {
			text = "The spare key of the cottage hangs behind the blue shutter."
		}
		m, err := w.store.AddMessage(w.ctx(), memory.Message{ConversationID: w.conv.ID, ParentID: parent, Role: memory.RoleUser, Content: text})
		w.must(err)
		parent = m.ID
	}
	w.scripts(say("Behind the blue shutter."))
	w.send("Where does the spare key of the cottage hang?")
	contains(t, "prompt", w.sent(0), "behind the blue shutter")
}

// An engine that serves less than it was asked for is believed: what it serves is what the plan is made for.
func TestWindowThatTheEngineDoesNotServe(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.fake.RemoveModel(enginetest.Chat)
	w.fake.AddModel(enginetest.Model{Name: enginetest.Chat, Context: 32768, Serves: 4096})
	w.set["window"] = 32768
	w.scripts(say("Here I am."))
	w.talk(120)
	m := w.send("hello")
	if m.Content != "Here I am." || m.Status != memory.StatusComplete || w.plan(m).Window != 4096 {
		t.Fatalf("%+v %+v, plan %+v", m, m.Problem, w.plan(m))
	}
	notices := w.eventsOf("notice")
	if len(notices) != 1 || notices[0].Data["code"] != "window_served" || !strings.Contains(notices[0].Data["text"].(string), "4096") {
		t.Fatalf("notices %+v", notices)
	}
	if m = w.send("still there?"); w.plan(m).Window != 4096 || m.Status != memory.StatusComplete {
		t.Errorf("%+v", w.plan(m))
	}
	if n := len(w.eventsOf("notice")); n != 1 {
		t.Errorf("told %d times", n)
	}
}

// A model that does not fit into memory with its window is tried once with half of it, and the user is told which is used.
func TestWindowThatDoesNotFitIntoMemoryIsHalved(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.fake.RemoveModel(enginetest.Chat)
	w.fake.AddModel(enginetest.Model{Name: enginetest.Chat, MaxWindow: 4096})
	w.scripts(say("Here I am."))
	m := w.send("hello")
	if m.Content != "Here I am." || m.Status != memory.StatusComplete || w.plan(m).Window != 4096 || w.plan(m).Wanted != 8192 {
		t.Fatalf("%+v %+v, plan %+v", m, m.Problem, w.plan(m))
	}
	notices := w.eventsOf("notice")
	if len(notices) != 1 || notices[0].Data["code"] != "window_halved" {
		t.Fatalf("notices %+v", notices)
	}
	contains(t, "notice", notices[0].Data["text"].(string), "8192", "4096", "settings")
	// it stays so, until another window is chosen
	if m = w.send("and now?"); w.plan(m).Window != 4096 || len(w.eventsOf("notice")) != 1 {
		t.Errorf("plan %+v", w.plan(m))
	}
	if use, err := w.service.Effective(w.ctx(), w.agent.ID); err != nil || use.Window != 4096 {
		t.Errorf("%+v, %v", use, err)
	}
	w.set["window"] = 3000
	if m = w.send("and now?"); w.plan(m).Window != 3000 || w.plan(m).Wanted != 0 {
		t.Errorf("plan %+v", w.plan(m))
	}
}

func TestModelThatDoesNotFitAtAll(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.fake.RemoveModel(enginetest.Chat)
	w.fake.AddModel(enginetest.Model{Name: enginetest.Chat, MaxWindow: 1})
	m := w.send("hello")
	if m.Status != memory.StatusFailed || m.Problem == nil || m.Problem.Code != memory.EMODEL || m.Problem.Remedy != memory.RemedySmallerModel {
		t.Errorf("%+v %+v", m, m.Problem)
	}
	w.fake.AddModel(enginetest.Model{Name: enginetest.Chat})
	w.usable()
}

// While the engine is away, what the model can hold stays what it was.
func TestWindowStaysWhileTheEngineIsAway(t *testing.T) {
	for _, model := range []string{enginetest.Chat, ""} {
		w := newWorld(t, model)
		delete(w.set, "window")
		w.replace(func(d *agent.Deps) { d.MemoryBytes = func() int64 { return 64 << 30 } })
		w.must(w.engine.Ready(w.ctx()))
		before, err := w.service.Effective(w.ctx(), w.agent.ID)
		w.must(err)
		w.fake.Stop()
		w.await("the engine to be missed", func() bool { return w.engine.Status().State == engine.StateFailed })
		after, err := w.service.Effective(w.ctx(), w.agent.ID)
		if err != nil || after != before || after.Window <= 4096 {
			t.Errorf("before %+v, after %+v, %v", before, after, err)
		}
	}
}
