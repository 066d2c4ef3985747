package agent_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

func (w *world) passage(text string) memory.Passage {
	w.Helper()
	p, _, err := w.store.CreatePassage(w.ctx(), memory.Passage{ArchiveID: w.agent.ArchiveID, Text: text}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	return p
}

func (w *world) item(id string) *memory.WindowItem {
	w.Helper()
	view, err := w.service.Window(w.ctx(), w.conv.ID)
	w.must(err)
	for i := range view.Items {
		if view.Items[i].ID == id {
			return &view.Items[i]
		}
	}
	return nil
}

// lastSent is the text of the last request.
func (w *world) lastSent() string { return w.sent(len(w.fake.Chats()) - 1) }

// What the user puts into the window stands there with the next message, for its turns, and goes at a rebase after them.
func TestPageInStaysForItsTurns(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["page_turns"] = 3
	w.scripts(say("All right."))
	p := w.passage("The spare key hangs behind the blue shutter.")
	w.send("Hello there")
	_, err := w.service.PageIn(w.ctx(), memory.PageIn{ConversationID: w.conv.ID, Kind: memory.ItemPassage, ID: p.ID})
	w.must(err)
	for turn := range 6 {
		w.send(fmt.Sprintf("Talk number %d.", turn))
		if n := strings.Count(w.lastSent(), "blue shutter"); n != 1 {
			t.Fatalf("turn %d: it stands %d times in the prompt", turn, n)
		}
		it := w.item(p.ID)
		if it == nil || it.Reason != memory.InClicked || it.Expired != (turn >= 3) || !it.Expired && it.Turns != 2-turn {
			t.Errorf("turn %d: %+v", turn, it)
		}
	}
	w.compactNow()
	w.send("And now?")
	if strings.Contains(w.lastSent(), "blue shutter") {
		t.Error("it is there after its turns and a rebase")
	}
}

// compactNow makes room whatever the length of the chat.
func (w *world) compactNow() memory.Compaction {
	w.Helper()
	w.talk(30)
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySliding})
	w.must(err)
	return c
}

// A pin stays through every rebase, whatever else leaves, and the plan says what pins take.
func TestPinsStay(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("All right."))
	p := w.passage("The spare key hangs behind the blue shutter.")
	w.send("My locker has the number 4711.")
	locker := w.path()[0].ID
	before := w.plan(w.answer()).Pins
	for _, page := range []memory.PageIn{{Kind: memory.ItemPassage, ID: p.ID, Pinned: true}, {Kind: memory.ItemMessage, ID: locker, Pinned: true}} {
		page.ConversationID = w.conv.ID
		_, err := w.service.PageIn(w.ctx(), page)
		w.must(err)
	}
	for range 3 {
		w.compactNow()
		m := w.send("And now?")
		contains(t, "prompt", w.lastSent(), "blue shutter", "number 4711", "earlier messages")
		if pins := w.plan(m).Pins; pins <= before {
			t.Errorf("pins take %d tokens, before %d", pins, before)
		}
	}
	w.conserved2(locker)
	_, err := w.service.PageIn(w.ctx(), memory.PageIn{ConversationID: w.conv.ID, Kind: memory.ItemPassage, ID: p.ID, Out: true})
	w.must(err)
	w.compactNow()
	w.send("And then?")
	if s := w.lastSent(); strings.Contains(s, "blue shutter") || !strings.Contains(s, "number 4711") {
		t.Error(s)
	}
	for _, bad := range []memory.PageIn{{Kind: memory.ItemPassage, ID: "passage-gone"}, {Kind: memory.ItemBlock, ID: "x"}, {Kind: memory.ItemFact, ID: "x"}} {
		bad.ConversationID = w.conv.ID
		if _, err := w.service.PageIn(w.ctx(), bad); memory.CodeOf(err) != memory.ENOTFOUND && memory.CodeOf(err) != memory.EINVALID {
			t.Errorf("%+v: %v", bad, err)
		}
	}
}

// conserved2 checks that a message is kept.
func (w *world) conserved2(id string) {
	w.Helper()
	p := w.prefix()
	if it := w.item(id); it == nil || it.Reason != memory.InPinned || !it.Pinned || len(p.Kept) != 1 {
		w.Errorf("%+v, kept %v", it, p.Kept)
	}
}

// What was recalled stays for its turns even when a rebase comes in between.
func TestWhatWasRecalledOutlivesARebase(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Behind the blue shutter."))
	w.passage("The spare key of the cottage hangs behind the blue shutter, says the landlord.")
	w.send("Where does the spare key of the cottage hang?")
	contains(t, "prompt", w.lastSent(), "says the landlord")
	w.compactNow() // thirty turns: long since expired
	w.send("What a day.")
	if strings.Contains(w.lastSent(), "says the landlord") {
		t.Error("it is there after thirty turns")
	}
	w.send("Where does the spare key of the cottage hang?")
	w.talk(2)
	_, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySliding, Target: .1})
	w.must(err)
	w.send("What a day.")
	contains(t, "prompt", w.lastSent(), "says the landlord")
}

// A result is read again by the id that its stub names, slice by slice.
func TestResultIsReadAgain(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	for i := range 40 {
		w.passage(fmt.Sprintf("Note %d on bicycles: %s", i, strings.Repeat("a bicycle has two wheels ", 8)))
	}
	w.scripts(call("archival_memory_search", `{"query":"bicycle","limit":20}`), say("Many."), say("Yes."))
	w.send("What do you know about bicycles?")
	w.send("Thanks.")
	stub := w.lastSent()
	_, id, ok := strings.Cut(stub, "read_result and id ")
	if !ok {
		t.Fatal(stub)
	}
	id, _, _ = strings.Cut(id, " ")
	w.scripts(call("use_tool", `{"name":"read_result","arguments":{"id":"`+id+`","from":500}}`), say("There."))
	w.send("Show me again.")
	contains(t, "prompt", w.lastSent(), "Result of archival_memory_search, characters 500 to", "[It goes on: from=")
	w.agent.ToolsOff = []string{"read_result"}
	_, err := w.store.UpdateAgent(w.ctx(), w.agent.ID, func(a *memory.Agent) error { a.ToolsOff = w.agent.ToolsOff; return nil })
	w.must(err)
	w.scripts(call("use_tool", `{"name":"read_result","arguments":{"id":"`+id+`"}}`), say("No."))
	w.send("And again.")
	contains(t, "prompt", w.lastSent(), "read_result is switched off")
}

// After a long rest the prompt begins anew, with memory as it is and without what has expired; soon after a turn it does not.
func TestPromptBeginsAnewAfterARest(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["page_turns"] = 1
	w.scripts(say("Behind the blue shutter."))
	w.passage("The spare key of the cottage hangs behind the blue shutter, says the landlord.")
	w.send("Where does the spare key of the cottage hang?")
	for range 3 {
		w.send("What a day.")
	}
	value := "Name: Ada"
	w.setBlock("human", memory.BlockChange{Value: &value})
	before := w.prefix()
	if did, err := w.service.Refresh(w.ctx(), w.conv.ID); did || err != nil {
		t.Errorf("at once: %v, %v", did, err)
	}
	w.replace(func(d *agent.Deps) { d.Clock = func() time.Time { return time.Now().Add(time.Hour) } })
	did, err := w.service.Refresh(w.ctx(), w.conv.ID)
	if p := w.prefix(); !did || err != nil || p.Generation != before.Generation+1 || p.Reason != "idle" || !strings.Contains(p.System, value) {
		t.Errorf("%v, %v, %+v", did, err, p)
	}
	if did, err := w.service.Refresh(w.ctx(), w.conv.ID); did || err != nil {
		t.Errorf("twice: %v, %v", did, err)
	}
	w.send("What a day.")
	if s := w.lastSent(); strings.Contains(s, "says the landlord") || strings.Contains(s, "<memory_update label") || !strings.Contains(s, "Where does the spare key") {
		t.Error(s)
	}
}

// What belongs to another agent cannot be put into the window.
func TestOnlyTheAgentsOwnIsPagedIn(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("All right."))
	mine := w.conv
	other, err := w.store.CreateAgent(w.ctx(), memory.Agent{Name: "Other"}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	w.agent = other
	w.conv = w.newConversation()
	w.send("My locker has the number 4711.")
	f, _, err := w.store.CreateFact(w.ctx(), memory.Fact{AgentID: other.ID, Subject: memory.SubjectUser, Key: "home", Value: "Bern"}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	for _, page := range []memory.PageIn{
		{Kind: memory.ItemMessage, ID: w.path()[0].ID}, {Kind: memory.ItemPassage, ID: w.passage("The key hangs behind the shutter.").ID}, {Kind: memory.ItemFact, ID: f.ID},
	} {
		page.ConversationID = mine.ID
		if _, err := w.service.PageIn(w.ctx(), page); memory.CodeOf(err) != memory.ENOTFOUND {
			t.Errorf("%s of another agent: %v", page.Kind, err)
		}
		page.ConversationID = w.conv.ID
		if _, err := w.service.PageIn(w.ctx(), page); err != nil {
			t.Errorf("%s: %v", page.Kind, err)
		}
	}
}

// The view lists what was brought in where it stands in the prompt, and counts it once.
func TestTheViewListsWhatIsInThePrompt(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"], w.set["page_turns"] = 4096, 20
	w.fake.OnChat(func(api.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Content: "All right.", PromptTokens: -1} // so that our count stays as it is
	})
	for i := range 12 {
		w.passage(fmt.Sprintf("The spare key of cottage number%d hangs behind the blue shutter, says the landlord.", i))
	}
	for i := range 14 {
		w.send(fmt.Sprintf("Where does the spare key of cottage number%d hang?", i%12))
		w.send(strings.Repeat("And so on and so on. ", 40))
		view, err := w.service.Window(w.ctx(), w.conv.ID)
		w.must(err)
		w.send("And so on.")
		w.addsUp(view)
		for _, it := range view.Items {
			if it.By != "" && !strings.Contains(w.lastSent(), strings.TrimSuffix(it.Text, "…")) {
				t.Errorf("turn %d: listed is %q, which is not in the prompt", i, it.Text)
			}
		}
	}
}

// addsUp checks that what stands in the window takes what the plan says, by part and to the token.
func (w *world) addsUp(view memory.ContextWindow) {
	w.Helper()
	listed := map[memory.PartName]int{}
	for _, it := range view.Items {
		listed[it.Part] += it.Tokens
	}
	for _, p := range view.Plan.Parts {
		if p.Name != memory.PartReserve && p.Name != memory.PartMargin && listed[p.Name] != p.Used {
			w.Errorf("%s takes %d tokens, what is listed of it %d", p.Name, p.Used, listed[p.Name])
		}
	}
}

// Window, plan and check-up of a chat say the same, also where the engine has counted otherwise than we do.
func TestEverythingSaysTheSameOfAWindow(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	p := w.passage("The spare key hangs behind the blue shutter.")
	w.passage("The oak cupboard stands in the hall.")
	_, err := w.service.PageIn(w.ctx(), memory.PageIn{ConversationID: w.conv.ID, Kind: memory.ItemPassage, ID: p.ID, Pinned: true})
	w.must(err)
	for i, said := range []string{"Hello there.", "Where does the oak cupboard stand?", "天气很好，我们去公园吧。"} {
		w.scripts(enginetest.Reply{Content: "All right, as you say.", PromptTokens: 1003 + 97*i})
		w.send(said)
		view, err := w.service.Window(w.ctx(), w.conv.ID)
		w.must(err)
		w.addsUp(view)
		plan, err := w.service.Preview(w.ctx(), w.conv.ID, "")
		w.must(err)
		inspected, err := w.service.Inspect(w.ctx(), w.agent.ID, w.conv.ID)
		w.must(err)
		for name, p := range map[string]memory.Plan{"plan": plan, "check-up": inspected.Plan} {
			if p.Prompt != view.Plan.Prompt || p.Measured == 0 || !slices.Equal(p.Parts, view.Plan.Parts) {
				t.Errorf("turn %d: the window has %+v, the %s %+v", i, view.Plan, name, p)
			}
		}
		if pins := view.Plan.Pins; pins == 0 || pins != w.item(p.ID).Tokens {
			t.Errorf("turn %d: pins take %d tokens", i, pins)
		}
	}
}

// Something that the user put in stands in the window as it was then, and is listed as that, though it was written otherwise since. When
// something is deleted the prompt begins anew.
func TestWhatWasPutInIsListedAsItStands(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["page_turns"] = 2
	w.scripts(say("All right."))
	p, gone := w.passage("The spare key hangs behind the blue shutter."), w.passage("The ladder is in the shed.")
	w.send("Hello there")
	for _, id := range []string{p.ID, gone.ID} {
		_, err := w.service.PageIn(w.ctx(), memory.PageIn{ConversationID: w.conv.ID, Kind: memory.ItemPassage, ID: id})
		w.must(err)
	}
	user := w.post("What a day.")
	w.answer()
	r, err := w.store.Receipt(w.ctx(), user.ID)
	w.must(err)
	if !slices.ContainsFunc(r.Candidates, func(c memory.Candidate) bool {
		return c.ID == p.ID && c.Taken && c.Why == memory.WhyPaged && c.Tokens > 0
	}) {
		t.Errorf("the receipt does not say that the user put it in: %+v", r.Candidates)
	}
	for range 4 {
		w.send("And so on.")
	}
	text := "The spare key is lost."
	_, _, err = w.store.UpdatePassage(w.ctx(), p.ID, memory.PassageChange{Text: &text}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	for _, id := range []string{p.ID, gone.ID} {
		if it := w.item(id); it == nil || it.Reason != memory.InClicked || !it.Expired || it.Text == text || it.Tokens == 0 {
			t.Errorf("%+v", it)
		}
	}
	contains(t, "prompt", w.lastSent(), "blue shutter", "in the shed")
	_, err = w.store.DeletePassage(w.ctx(), gone.ID, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	for _, id := range []string{p.ID, gone.ID} {
		if it := w.item(id); it != nil {
			t.Errorf("after a rebase: %+v", it)
		}
	}
}

// Behind a rebase the view lists of what was recalled only what was carried on.
func TestTheViewListsWhatARebaseCarriedOn(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"], w.set["page_turns"] = 4096, 20
	w.fake.OnChat(func(api.ChatRequest) enginetest.Reply {
		return enginetest.Reply{Content: "All right.", PromptTokens: -1}
	})
	for i := range 12 {
		w.passage(fmt.Sprintf("The spare key of cottage number%d hangs behind shutter %d, %s.", i, i, strings.Repeat("says the landlord ", 30)))
	}
	for i := range 12 {
		w.send(fmt.Sprintf("Where does the spare key of cottage number%d hang?", i))
	}
	_, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySliding, Target: .3})
	w.must(err)
	for range 3 {
		view, err := w.service.Window(w.ctx(), w.conv.ID)
		w.must(err)
		w.send("And so on.")
		listed := 0
		for _, it := range view.Items {
			if it.By == "" {
				continue
			}
			if listed++; !strings.Contains(w.lastSent(), strings.TrimSuffix(it.Text, "…")) {
				t.Errorf("listed is %q, which is not in the prompt", it.Text)
			}
		}
		if there := strings.Count(w.lastSent(), "] memory: The spare key"); listed == 0 || listed != there {
			t.Errorf("%d are listed, %d stand in the prompt", listed, there)
		}
	}
}
