package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// asksForSummary tells a summariser's request from the chat's.
func asksForSummary(r api.ChatRequest) bool {
	return strings.Contains(r.Messages[len(r.Messages)-1].Content, "minutes of a chat")
}

// minutes is a summary that fits what talk says.
const minutes = `{"goals":[],"decisions":[],"facts":["We went to the market with Ada and paid euros for apples"],"open":[],"preferences":[]}`

// longTalk is a chat of which several stages are to be summed up.
func longTalk(t *testing.T) *world {
	w := newWorld(t, enginetest.Tools)
	w.long()
	return w
}

func (w *world) long() {
	w.Helper()
	w.set["window"] = 32768
	w.scripts(say("All right."))
	w.talk(2)
	w.send("And now?")
	for range 4 {
		w.talk(100)
	}
}

// summaries counts the requests for a summary of what has these words.
func (w *world) summaries(words string) (calls int) {
	for _, r := range w.fake.Chats() {
		if asksForSummary(r) && strings.Contains(r.Messages[len(r.Messages)-1].Content, words) {
			calls++
		}
	}
	return calls
}

// oldest is what the first stage of longTalk has, and no other.
const oldest = "And now?"

// A message that is sent while a summary is made is answered at once; the summary goes on afterwards from the stage it was at.
func TestAChatDoesNotWaitForASummary(t *testing.T) {
	w := longTalk(t)
	hold := make(chan struct{})
	var mu sync.Mutex
	asked := 0
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if !asksForSummary(r) {
			return say("All right.")
		}
		mu.Lock()
		defer mu.Unlock()
		if asked++; asked == 2 {
			return enginetest.Reply{Content: minutes, Hold: hold}
		}
		return say(minutes)
	})
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
	w.must(err)
	w.await("the second stage", func() bool { mu.Lock(); defer mu.Unlock(); return asked == 2 })
	if m := w.send("Are you there?"); m.Content != "All right." || m.Status != memory.StatusComplete {
		t.Fatalf("%+v", m)
	}
	if got := w.compaction(c.ID); got.State != memory.CompactionPending || got.Progress == nil {
		t.Errorf("%+v", got)
	}
	close(hold)
	w.must(w.service.Rest(w.ctx()))
	if got := w.compaction(c.ID); got.State != memory.CompactionDone || got.Summed < 2 {
		t.Errorf("%+v %+v", got, got.Problem)
	}
	if n := w.called(memory.CallSummary); n < 2 {
		t.Errorf("%d calls are noted", n)
	}
	if calls := w.summaries(oldest); calls != 1 {
		t.Errorf("the first stage was asked for %d times, and it was not interrupted", calls)
	}
	w.conserved()
	w.send("And now?")
	contains(t, "prompt", w.lastSent(), "<summary>", "Are you there?")
}

// Ended at any step, a summary goes on from there with the next start; what the model read before is not read again.
func TestSummaryGoesOnAfterACrash(t *testing.T) {
	for stop := 1; stop <= 3; stop++ {
		w := longTalk(t)
		hold := make(chan struct{})
		var mu sync.Mutex
		asked := 0
		w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
			if !asksForSummary(r) {
				return say("All right.")
			}
			mu.Lock()
			defer mu.Unlock()
			if asked++; asked == stop {
				return enginetest.Reply{Content: minutes, Hold: hold}
			}
			return say(minutes)
		})
		c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
		w.must(err)
		w.await("the stage", func() bool { mu.Lock(); defer mu.Unlock(); return asked == stop })
		before := w.prefix()
		w.replace(func(*agent.Deps) {}) // the app ends, and begins anew
		close(hold)
		if p := w.prefix(); p.Generation != before.Generation || w.compaction(c.ID).State != memory.CompactionPending {
			t.Fatalf("%+v", p.Selection)
		}
		w.conserved()
		w.send("Hello again.")
		w.must(w.service.Rest(w.ctx()))
		if got := w.compaction(c.ID); got.State != memory.CompactionDone {
			t.Fatalf("%+v %+v", got, got.Problem)
		}
		if calls := w.summaries(oldest); calls > 1 && stop > 1 {
			t.Errorf("the first stage was asked for %d times, and the %d. was interrupted", calls, stop)
		}
		w.conserved()
	}
}

// A summary is of its branch: one that parts before the window begins does not have it, and loses nothing.
func TestSummaryIsOfItsBranch(t *testing.T) {
	w := longTalk(t)
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if asksForSummary(r) {
			return say(minutes)
		}
		return say("All right.")
	})
	_, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
	w.must(err)
	w.must(w.service.Rest(w.ctx()))
	w.send("And now?")
	contains(t, "prompt", w.lastSent(), "<summary>")
	long := w.path()
	_, err = w.service.Edit(w.ctx(), long[4].ID, "Another story.")
	w.must(err)
	w.answer()
	if s := w.lastSent(); strings.Contains(s, "<summary>") || !strings.Contains(s, long[0].Content) || strings.Contains(s, "earlier messages") {
		t.Error(s)
	}
	_, err = w.service.Select(w.ctx(), long[4].ID)
	w.must(err)
	w.send("Back again.")
	contains(t, "prompt", w.lastSent(), "Back again.", long[len(long)-2].Content)
	w.conserved()
}

// A second summary takes up the first, and both stay.
func TestSummariesTakeUpTheOneBefore(t *testing.T) {
	w := longTalk(t)
	n := 0
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if !asksForSummary(r) {
			return say("All right.")
		}
		n++
		if n == 1 {
			return say(`{"goals":["Go to the market with Ada"],"facts":["We paid 101 euros for apples"]}`)
		}
		return say(`{"decisions":["Ada went to the market for apples, on a fine day"]}`)
	})
	var ids []string
	for range 2 {
		c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
		w.must(err)
		w.must(w.service.Rest(w.ctx()))
		if c = w.compaction(c.ID); c.State != memory.CompactionDone {
			t.Fatalf("%+v %+v", c, c.Problem)
		}
		ids = append(ids, c.ID)
		w.talk(100)
		w.send("And now?")
	}
	first, second := w.compaction(ids[0]), w.compaction(ids[1])
	if second.Rolls != first.ID || !strings.Contains(second.Prompt, "Go to the market with Ada") || first.Now.Summed >= second.Now.Summed {
		t.Errorf("%+v", second)
	}
	contains(t, "summary", second.Now.Summary, "Go to the market with Ada", "101 euros", "on a fine day")
	contains(t, "prompt", w.lastSent(), second.Now.Summary)
	w.conserved()
}

// Another model can sum up; one that is not there says so, and the window stays as it is.
func TestAnotherModelSumsUp(t *testing.T) {
	w := longTalk(t)
	w.fake.AddModel(enginetest.Model{Name: "scribe", Context: 32768})
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if asksForSummary(r) {
			return say(minutes)
		}
		return say("All right.")
	})
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary, Model: "scribe", DryRun: true})
	w.must(err)
	w.must(w.service.Rest(w.ctx()))
	if c = w.compaction(c.ID); c.State != memory.CompactionTried || c.Model != "scribe" || w.prefix().First != "" {
		t.Errorf("%+v %+v", c, c.Problem)
	}
	for _, r := range w.fake.Chats() {
		if asksForSummary(r) != strings.HasPrefix(r.Model, "scribe") {
			t.Errorf("%s was asked for a summary: %v", r.Model, asksForSummary(r))
		}
	}
	adopted, err := w.service.AdoptCompaction(w.ctx(), c.ID)
	w.must(err)
	w.send("And now?")
	contains(t, "prompt", w.lastSent(), adopted.Now.Summary, "<summary>")
	w.talk(100)
	gone, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary, Model: "nobody"})
	w.must(err)
	before := w.prefix()
	w.must(w.service.Rest(w.ctx()))
	if gone = w.compaction(gone.ID); gone.State != memory.CompactionFailed || gone.Problem.Code != memory.EMODEL || w.prefix().Generation != before.Generation {
		t.Errorf("%+v %+v", gone, gone.Problem)
	}
	w.conserved()
}

// Two at once: one happens, the other finds nothing to do or waits its turn.
func TestTwoCompactionsAtOnce(t *testing.T) {
	w := newLongTalk(t, 60)
	var running sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		running.Go(func() {
			_, errs[i] = w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySliding})
		})
	}
	running.Wait()
	done := 0
	for _, err := range errs {
		switch memory.CodeOf(err) {
		case "":
			done++
		case memory.ECONFLICT, memory.EBUSY:
		default:
			t.Error(err)
		}
	}
	if done != 1 || len(w.compactions()) != 1 {
		t.Errorf("%d were done: %v", done, errs)
	}
	w.conserved()
}

// A window made smaller than the chat holds what fits; nothing is lost, and it comes back with a larger one.
func TestWindowSmallerThanTheChat(t *testing.T) {
	w := newLongTalk(t, 60)
	w.set["window"] = 2048
	m := w.send("And in a small window?")
	if m.Status != memory.StatusComplete || w.plan(m).Window != 2048 || w.plan(m).Prompt > 2048 || len(w.compactions()) == 0 {
		t.Errorf("%+v", w.plan(m))
	}
	w.conserved()
	w.set["window"] = 32768
	w.send("And in a large one?")
	if p := w.prefix(); p.First != "" || p.Left != 0 {
		t.Errorf("%+v", p.Selection)
	}
	contains(t, "prompt", w.lastSent(), "On day 0 ", "And in a small window?")
}

// A chat that calls tools all the time stays small: what a tool said goes with its turn.
func TestToolHeavyChatStaysSmall(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.set["window"] = 32768
	for i := range 60 {
		w.passage(fmt.Sprintf("Note %d on bicycles: %s", i, strings.Repeat("a bicycle has two wheels ", 10)))
	}
	naive, most := 0, 0
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if last := r.Messages[len(r.Messages)-1]; last.Role == "tool" {
			return say("There is much to say about bicycles.")
		}
		return call("archival_memory_search", fmt.Sprintf(`{"query":"bicycle wheels note","limit":%d}`, 18+len(r.Messages)%3))
	})
	fixed := 0
	for turn := range 30 {
		m := w.send(fmt.Sprintf("What do my notes say, the %d. time?", turn))
		p := w.plan(m)
		if turn == 0 {
			fixed = p.Prompt
		}
		most = max(most, p.Prompt)
		for _, msg := range w.path() {
			if msg.Role == memory.RoleTool && msg.TurnID == m.TurnID {
				naive += w.deps.Counters.For(w.ctx(), enginetest.Tools).Count(msg.Content)
			}
		}
	}
	if grown := most - fixed; grown > naive/5 || naive < 20_000 {
		t.Errorf("grown by %d tokens where results alone are %d", grown, naive)
	}
}

// Without a cache for side tasks a summary goes on where the chat's prompt ends, with its tools, so that what the engine has read
// of the chat stays read.
func TestSummaryGoesOnWhereTheChatEnds(t *testing.T) {
	for _, model := range []string{enginetest.Chat, enginetest.Tools} {
		w := newWorld(t, model)
		w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
			if asksForSummary(r) {
				return say("Here is the summary:\n" + minutes)
			}
			return say("All right.")
		})
		w.talk(260)
		w.send("What now?")
		w.must(w.service.Rest(w.ctx()))
		list := w.compactions()
		if len(list) < 2 || list[0].State != memory.CompactionDone || list[0].Strategy != memory.StrategySummary {
			t.Fatalf("%s: %d compactions, %+v", model, len(list), list[0].Problem)
		}
		chats := w.fake.Chats()
		chat := chats[0]
		for _, r := range chats {
			if !asksForSummary(r) {
				continue
			}
			if len(r.Tools) != len(chat.Tools) || len(r.Tools) > 0 && len(r.Format) > 0 || len(r.Tools) == 0 && len(r.Format) == 0 {
				t.Errorf("%s: %d tools, format %s", model, len(r.Tools), r.Format)
			}
			for i, m := range chat.Messages {
				if r.Messages[i].Content != m.Content {
					t.Fatalf("%s: message %d of the summary's prompt is not the chat's", model, i)
				}
			}
		}
	}
}

// A message that is sent while the prompt of a summary is being read is the next thing that the engine is asked, but for the
// stage that it is at: a prompt that is being read cannot be taken back.
func TestAMessageWaitsForOneStageOfASummaryAtMost(t *testing.T) {
	fake := enginetest.New(t, enginetest.Options{PromptSpeed: 800})
	w := newWorldAt(t, fake.URL(), enginetest.Tools)
	w.fake = fake
	w.set["window"] = 32768
	fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if asksForSummary(r) {
			return say(minutes)
		}
		return say("All right.")
	})
	w.talk(2)
	w.send("And now?")
	w.talk(150)
	of := func(r enginetest.Request, words string) bool {
		return r.Chat != nil && slices.ContainsFunc(r.Chat.Messages, func(m api.Message) bool { return strings.Contains(m.Content, words) })
	}
	_, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
	w.must(err)
	fake.Await(t, "a stage of a summary", func(all []enginetest.Request) bool {
		return slices.ContainsFunc(all, func(r enginetest.Request) bool { return r.Stage && of(r, "minutes of a chat") })
	})
	w.post("Are you there?")
	sent := len(fake.Requests())
	w.answer()
	between := 0
	for _, r := range fake.Requests()[sent:] {
		if of(r, "Are you there?") {
			break
		}
		if of(r, "minutes of a chat") {
			between++
		}
	}
	if between > 1 {
		t.Errorf("%d requests for the summary came before the message", between)
	}
}

// Also where each first try is of no use, a model is asked once at most for every 2,000 tokens that left the window.
func TestASummaryAsksSeldom(t *testing.T) {
	w := longTalk(t)
	var mu sync.Mutex
	tries := map[string]int{}
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if !asksForSummary(r) {
			return say("All right.")
		}
		mu.Lock()
		defer mu.Unlock()
		stage := r.Messages[len(r.Messages)-1].Content
		if tries[stage]++; tries[stage] == 1 {
			return say("Sure! What shall we talk about?")
		}
		return say(minutes)
	})
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
	w.must(err)
	w.must(w.service.Rest(w.ctx()))
	c = w.compaction(c.ID)
	counter, left := w.deps.Counters.For(w.ctx(), enginetest.Tools), 0
	for _, m := range w.path() {
		if m.ID < c.Now.First {
			left += counter.Count(m.Content) + counter.Overhead().Message
		}
	}
	if calls := w.summaries(""); c.State != memory.CompactionDone || calls <= c.Summed || calls*2000 > left {
		t.Errorf("%d calls about %d stages of %d tokens; %s %+v", calls, c.Summed, left, c.State, c.Problem)
	}
}

// A summariser that stalls, repeats itself, breaks down or is deleted half-way changes nothing: the window stays, the record says
// why, the chat goes on, and another summary can be made.
func TestASummariserFailsHalfWay(t *testing.T) {
	for name, c := range map[string]struct {
		reply  enginetest.Reply
		delete bool
		state  memory.CompactionState
	}{
		"stalls":      {reply: enginetest.Reply{Chunks: []string{`{"goals": ["`}, Fault: enginetest.Stall}, state: memory.CompactionFailed},
		"breaks down": {reply: enginetest.Reply{Status: 500, Error: "the runner has crashed"}, state: memory.CompactionFailed},
		"is deleted":  {delete: true, state: memory.CompactionFailed},
		// The user's own words stand for that stage.
		"repeats itself":   {reply: enginetest.Reply{Chunks: []string{`{"goals": ["`, "la "}, Fault: enginetest.Repeat}, state: memory.CompactionDone},
		"comes to no end":  {reply: enginetest.Reply{Content: `{"goals": ["` + strings.Repeat("apples ", 2000)}, state: memory.CompactionDone},
		"ends in the line": {reply: enginetest.Reply{Chunks: []string{`{"goals": ["We went`}, Fault: enginetest.EOF}, state: memory.CompactionDone},
	} {
		t.Run(name, func(t *testing.T) {
			fake := enginetest.New(t, enginetest.Options{})
			w := newWorldOn(t, engine.Options{Host: fake.URL(), Timeouts: engine.Timeouts{Stall: time.Second}}, enginetest.Tools)
			w.fake = fake
			fake.AddModel(enginetest.Model{Name: "scribe", Context: 32768})
			w.long()
			stages, fails := map[string]bool{}, true
			fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
				if !asksForSummary(r) {
					return say("All right.")
				}
				stages[r.Messages[len(r.Messages)-1].Content] = true
				switch {
				case fails && len(stages) == 1 && c.delete:
					fake.RemoveModel("scribe") // after this answer
				case fails && len(stages) == 2 && !c.delete:
					return c.reply
				}
				return say(minutes)
			})
			before := w.prefix()
			ask := agent.CompactRequest{Strategy: memory.StrategySummary, Model: "scribe"}
			made, err := w.service.Compact(w.ctx(), w.conv.ID, ask)
			w.must(err)
			w.must(w.service.Rest(w.ctx()))
			got := w.compaction(made.ID)
			if got.State != c.state || len(stages) < 2 && !c.delete {
				t.Fatalf("%s after %d stages: %+v", got.State, len(stages), got.Problem)
			}
			w.conserved()
			if m := w.send("Are you there?"); m.Content != "All right." {
				t.Errorf("%+v", m)
			}
			if c.state == memory.CompactionDone {
				contains(t, "prompt", w.lastSent(), "<summary>")
				return
			}
			if got.Problem == nil || got.Problem.Chinese == "" || w.prefix().First != before.First || w.prefix().Summary != "" {
				t.Errorf("%+v; the window is %+v", got.Problem, w.prefix().Selection)
			}
			if fails = false; c.delete {
				fake.AddModel(enginetest.Model{Name: "scribe", Context: 32768})
			}
			made, err = w.service.Compact(w.ctx(), w.conv.ID, ask)
			w.must(err)
			w.must(w.service.Rest(w.ctx()))
			if got = w.compaction(made.ID); got.State != memory.CompactionDone {
				t.Errorf("%+v", got.Problem)
			}
			w.conserved()
		})
	}
}
