package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/window"
)

// A usage summed up over the steps of a turn does not make room twice: one compaction, and none in the short turn behind it.
func TestUsageOfAllStepsMakesRoomOnce(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.talk(110)
	steps := 0
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if steps++; r.Messages[len(r.Messages)-1].Role == "user" && steps < 4 {
			return enginetest.Reply{Calls: []enginetest.Call{{Name: "archival_memory_search", Arguments: fmt.Sprintf(`{"query":"step %d"}`, steps)}}, PromptTokens: 9000 * steps}
		}
		return enginetest.Reply{Content: "All right.", PromptTokens: 9000 * steps}
	})
	w.set["compaction"] = "priority"
	for !slices.ContainsFunc(w.compactions(), func(c memory.Compaction) bool { return c.Trigger == memory.TriggerThreshold }) {
		w.talk(10)
		w.send("What do you know?")
	}
	n := len(w.compactions())
	for range 3 {
		w.send("ok")
	}
	if got := len(w.compactions()); n != 1 || got != 1 {
		t.Errorf("%d compactions, then %d", n, got)
	}
	w.conserved()
}

// Without a usage of the engine's our own count makes room, before the window overflows.
func TestRoomIsMadeWithoutTheEnginesCount(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 4096
	w.fake.OnChat(func(api.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Content: strings.Repeat("answer ", 30), PromptTokens: -1}
	})
	for range 40 {
		if m := w.send(strings.Repeat("question ", 30)); m.Status != memory.StatusComplete || w.plan(m).Prompt > w.plan(m).Usable {
			t.Fatalf("%+v %+v", m.Problem, w.plan(m))
		}
	}
	list := w.compactions()
	if len(list) == 0 || list[0].Trigger != memory.TriggerThreshold || list[0].TokensBefore > list[0].Before.Window {
		t.Errorf("%+v", list)
	}
}

// Calls and their results are in what the summariser reads, all of one turn.
func TestSummariserReadsWhatToolsSaid(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.set["window"] = 16384
	for i := range 3 {
		w.passage(fmt.Sprintf("Topic number%d has the code word Quitte%d, which is long enough to be worth a stub when its turn is over: %s", i, i, strings.Repeat("so it is ", 30)))
	}
	n := 0
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		switch last := r.Messages[len(r.Messages)-1]; {
		case asksForSummary(r):
			return say(minutes)
		case strings.Contains(last.Content, "Look up all three"), last.Role == "tool" && n < 3:
			n++
			return call("archival_memory_search", fmt.Sprintf(`{"query":"topic number%d code word Quitte%d","limit":1}`, n-1, n-1))
		}
		return say("There they are.")
	})
	w.send("Look up all three")
	w.talk(60)
	w.send("Thanks.")
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
	w.must(err)
	w.must(w.service.Rest(w.ctx()))
	contains(t, "prompt", w.compaction(c.ID).Prompt, "tool result]", "Quitte0", "Quitte1", "Quitte2")
}

// Room in one conversation leaves the windows of the others as they are.
func TestRoomIsOfOneConversation(t *testing.T) {
	w := newLongTalk(t, 40)
	first := w.conv
	w.conv = w.newConversation()
	w.talk(40)
	w.send("And here?")
	other := w.prefix()
	w.conv = first
	_, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySliding})
	w.must(err)
	w.conv.ID = other.ConversationID
	if p := w.prefix(); p.Generation != other.Generation || p.System != other.System {
		t.Errorf("%+v", p.Selection)
	}
	value := "Ada lives in Bern."
	w.setBlock("human", memory.BlockChange{Value: &value})
	w.conv = first
	w.send("What do you know of Ada?")
	contains(t, "prompt", w.lastSent(), "<memory_update label=\"human\">\n"+value)
}

// A hundred messages of which fifteen leave: the others are there word for word and in their order, and all are found.
func TestWhatLeavesIsWhatWasAskedFor(t *testing.T) {
	for _, text := range []string{"Short talk number %d.", "第%d天，天气很好。"} {
		w := newWorld(t, enginetest.Chat)
		w.set["window_messages"] = 86
		w.scripts(say("好的。"))
		for i := range 50 {
			w.send(fmt.Sprintf(text, i))
		}
		path := w.path()
		c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySliding, Target: .95})
		w.must(err)
		if len(path) != 100 || len(c.Evicted) < 13 || len(c.Evicted) > 15 {
			t.Fatalf("%d of %d messages left", len(c.Evicted), len(path))
		}
		w.send("现在呢？")
		chats := w.fake.Chats()
		sent := chats[len(chats)-1].Messages
		at := 1
		for _, m := range path[len(c.Evicted):] {
			if at >= len(sent) || !strings.HasSuffix(sent[at].Content, m.Content) {
				t.Fatalf("message %q is not the %d. of the prompt", m.Content, at)
			}
			at++
		}
		for i, id := range c.Evicted {
			hits, _, err := w.deps.Recall.SearchMessages(w.ctx(), w.agent.ID, w.message(id).Content, nil, noTime, noTime, 20, "")
			if err != nil || i%2 == 0 && !slices.ContainsFunc(hits, func(h memory.Candidate) bool { return h.ID == id }) {
				t.Errorf("%q is not found: %v", w.message(id).Content, err)
			}
		}
	}
}

// An agent may have its own say on room; the settings are for the others.
func TestRoomOfAnAgent(t *testing.T) {
	w := newLongTalk(t, 60)
	w.set["compaction"], w.set["window_messages"] = "priority", 40
	_, err := w.store.UpdateAgent(w.ctx(), w.agent.ID, func(a *memory.Agent) error {
		a.Room = memory.Room{Compaction: memory.StrategySliding, WindowMessages: 10}
		return nil
	})
	w.must(err)
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{})
	w.must(err)
	if c.Strategy != memory.StrategySliding || len(w.path())-len(c.Evicted) > 11 {
		t.Errorf("%s, %d of %d left", c.Strategy, len(c.Evicted), len(w.path()))
	}
	list, _, err := w.store.Compactions(w.ctx(), store.CompactionFilter{AgentID: w.agent.ID})
	if err != nil || len(list) != 1 {
		t.Errorf("%d, %v", len(list), err)
	}
}

// The plan of a draft is that of the request which sends it, also where that one makes room: the same messages and the same
// marker, as long as nothing is recalled for it.
func TestThePlanOfADraftIsThatOfItsRequest(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 4096
	w.fake.OnChat(func(api.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Content: "All right.", PromptTokens: -1} // so that our count stays as it is
	})
	for i := range 12 {
		w.passage(fmt.Sprintf("The spare key of cottage %d hangs behind the blue shutter, says the landlord of the cottage.", i))
	}
	made := 0
	for i := range 36 {
		w.set["page_turns"] = 1 + i%4*3 // with and without what was recalled before
		w.send(fmt.Sprintf("Where does the spare key of cottage %d hang, and who says so?", i%12))
		text := strings.Repeat("And so on and so on. ", 40)
		view, err := w.service.Window(w.ctx(), w.conv.ID)
		w.must(err)
		planned, err := w.service.Preview(w.ctx(), w.conv.ID, text)
		w.must(err)
		was := w.prefix().Generation
		sent := w.plan(w.send(text))
		if planned.First == window.Draft {
			planned.First = sent.First
		}
		if planned.First != sent.First || planned.Messages != sent.Messages || planned.Evicted != sent.Evicted || planned.Recalled != sent.Recalled || !slices.Equal(planned.Parts, sent.Parts) {
			t.Errorf("turn %d: planned\n%+v\nsent\n%+v", i, planned, sent)
		}
		if p := w.prefix(); p.Generation > was {
			made++
			if planned.Evicted == 0 {
				t.Errorf("turn %d: room was made, and none was planned", i)
			}
		}
		if p := w.prefix(); p.Generation == was && p.Left > 0 && (view.Marker == nil || view.Marker.Messages != p.Left) {
			t.Errorf("turn %d: %d messages have left the window, it shows %+v", i, p.Left, view.Marker)
		}
	}
	if made < 3 {
		t.Errorf("room was made %d times", made)
	}
}

// Room is made when more than four fifths of the usable window are taken, and not before.
func TestRoomIsMadeFromFourFifthsOn(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 8192
	w.scripts(say("All right."))
	for turn := 0; len(w.compactions()) == 0; turn++ {
		if turn == 60 {
			t.Fatal("no room was made")
		}
		w.talk(3)
		w.send("And now?")
	}
	c := w.compactions()[len(w.compactions())-1]
	if share := float64(c.TokensBefore) / float64(c.Before.Usable); share <= .8 || share > .86 || c.Trigger != memory.TriggerThreshold {
		t.Errorf("by %s at %.2f", c.Trigger, share)
	}
}
