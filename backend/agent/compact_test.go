package agent_test

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// talk leads a chat of so many short turns, without a model.
func (w *world) talk(turns int) {
	w.Helper()
	c, err := w.store.Conversation(w.ctx(), w.conv.ID)
	w.must(err)
	parent, ids := c.Head, memory.NewIDs(time.Now, rand.Reader)
	var ms []memory.Message
	for i := range turns {
		id := ids.New("message")
		ms = append(ms, memory.Message{
			ID: id, ConversationID: w.conv.ID, ParentID: parent, Role: memory.RoleUser,
			Content: fmt.Sprintf("On day %d we went to the market with Ada and paid %d euros for apples.", i, 100+i),
		})
		parent = ids.New("message")
		ms = append(ms, memory.Message{ID: parent, ConversationID: w.conv.ID, ParentID: id, TurnID: id, Role: memory.RoleAssistant, Content: fmt.Sprintf("Day %d sounds like a fine day.", i)})
	}
	_, err = w.store.AddMessages(w.ctx(), ms)
	w.must(err)
}

// newLongTalk is a world with a chat of so many turns and its first answer by the model.
func newLongTalk(t *testing.T, turns int) *world {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("All right."))
	w.talk(turns)
	w.send("And now?")
	return w
}

func (w *world) compactions() []memory.Compaction {
	w.Helper()
	list, _, err := w.store.Compactions(w.ctx(), store.CompactionFilter{ConversationID: w.conv.ID, Kind: memory.CompactionTranscript})
	w.must(err)
	return list
}

func (w *world) compaction(id string) memory.Compaction {
	w.Helper()
	c, err := w.store.Compaction(w.ctx(), id)
	w.must(err)
	return c
}

func (w *world) prefix() memory.Prefix {
	w.Helper()
	p, err := w.store.Prefix(w.ctx(), w.conv.ID)
	w.must(err)
	return p
}

// conserved checks that each message of the branch is in the window or has left it, and can be found.
func (w *world) conserved() {
	w.Helper()
	p, path := w.prefix(), w.path()
	first := 0
	if p.First != "" {
		first = slices.IndexFunc(path, func(m memory.Message) bool { return m.ID == p.First })
	}
	if first < 0 || p.Left+len(p.Kept) != first {
		w.Fatalf("%d of %d messages before %q left, %d are kept", p.Left, first, p.First, len(p.Kept))
	}
	if hits, _, err := w.deps.Recall.SearchMessages(w.ctx(), w.agent.ID, "day 0 apples", nil, noTime, noTime, 5, ""); err != nil || len(hits) == 0 {
		w.Fatalf("the transcript is not searched: %v", err)
	}
}

func TestRoomOnRequest(t *testing.T) {
	w := newLongTalk(t, 40)
	before := len(w.path())
	if _, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Threshold: .9}); memory.CodeOf(err) != memory.ECONFLICT {
		t.Errorf("below the threshold: %v", err)
	}
	tried, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{DryRun: true})
	w.must(err)
	if tried.State != memory.CompactionTried || tried.Strategy != memory.StrategySliding || len(tried.Evicted) < 60 || w.prefix().First != "" {
		t.Errorf("%+v", tried)
	}
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{})
	w.must(err)
	if c.State != memory.CompactionDone || c.Trigger != memory.TriggerUser || c.Saved() < 500 || len(c.Evicted) != len(tried.Evicted) || c.Before == nil || c.After == nil {
		t.Errorf("%+v", c)
	}
	w.conserved()
	m := w.send("And what did we say?")
	sent := w.sent(len(w.fake.Chats()) - 1)
	contains(t, "prompt", sent, fmt.Sprintf("%d earlier messages", len(c.Evicted)), "day 39")
	if strings.Contains(sent, "On day 3 ") || m.Status != memory.StatusComplete || len(w.path()) != before+2 {
		t.Error(sent)
	}
	if _, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: "all"}); memory.CodeOf(err) != memory.EINVALID {
		t.Errorf("%v", err)
	}
}

// A chat of a few turns is left alone, as is one that has not begun.
func TestNothingToMakeRoomFor(t *testing.T) {
	w := newLongTalk(t, 3)
	for range 2 {
		_, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{})
		if p := memory.ProblemOf(err); p == nil || p.Code != memory.ECONFLICT || p.Message == "" {
			t.Errorf("%+v", p)
		}
		w.conv = w.newConversation()
	}
}

// Undoing brings back what left, twice as often as room was made; what is undone can be done again.
func TestUndoAndRedo(t *testing.T) {
	w := newLongTalk(t, 60)
	first, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategyPriority, Target: .3})
	w.must(err)
	w.talk(30)
	w.send("And then?")
	second, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySliding})
	w.must(err)
	if _, err := w.service.UndoCompaction(w.ctx(), first.ID); memory.CodeOf(err) != memory.ECONFLICT {
		t.Errorf("an earlier one first: %v", err)
	}
	between := second.Was
	undone, err := w.service.UndoCompaction(w.ctx(), second.ID)
	w.must(err)
	if p := w.prefix(); undone.State != memory.CompactionUndone || p.First != between.First || p.Left != between.Left || !slices.Equal(p.Kept, between.Kept) || !p.Held {
		t.Errorf("%+v is not %+v", p.Selection, between)
	}
	w.conserved()
	_, err = w.service.UndoCompaction(w.ctx(), first.ID)
	w.must(err)
	if p := w.prefix(); p.First != "" || p.Left != 0 {
		t.Errorf("%+v", p.Selection)
	}
	w.send("Is it all there?")
	contains(t, "prompt", w.sent(len(w.fake.Chats())-1), "On day 0 ", "On day 59")
	redone, err := w.service.RedoCompaction(w.ctx(), first.ID)
	w.must(err)
	if p := w.prefix(); redone.State != memory.CompactionDone || p.First != first.Now.First || p.Left != first.Now.Left {
		t.Errorf("%+v is not %+v", p.Selection, first.Now)
	}
	w.conserved()
	if _, err := w.service.RedoCompaction(w.ctx(), first.ID); memory.CodeOf(err) != memory.ECONFLICT {
		t.Errorf("done twice: %v", err)
	}
}

// A compaction can be tried in another way, from what the window held then; what was tried can be adopted.
func TestReplayAndAdopt(t *testing.T) {
	w := newLongTalk(t, 60)
	c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{})
	w.must(err)
	before := w.prefix()
	other, err := w.service.ReplayCompaction(w.ctx(), c.ID, agent.CompactRequest{Strategy: memory.StrategyPriority, Target: .4})
	w.must(err)
	if other.TokensBefore != c.TokensBefore {
		t.Errorf("replayed from %d tokens, not %d", other.TokensBefore, c.TokensBefore)
	}
	if other.State != memory.CompactionTried || other.Replays != c.ID || len(other.Evicted) >= len(c.Evicted) || w.prefix().Generation != before.Generation {
		t.Errorf("%+v", other)
	}
	w.send("Go on.")
	adopted, err := w.service.AdoptCompaction(w.ctx(), other.ID)
	w.must(err)
	if p := w.prefix(); adopted.State != memory.CompactionDone || p.First != other.Now.First || p.Left != other.Now.Left {
		t.Errorf("%+v is not %+v", p.Selection, other.Now)
	}
	w.conserved()
	w.send("And?")
	contains(t, "prompt", w.sent(len(w.fake.Chats())-1), "Go on.", "And?")
}

// A dry run that is adopted does what it told.
func TestAdoptDoesWhatWasTried(t *testing.T) {
	w := newLongTalk(t, 60)
	tried, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySliding, DryRun: true})
	w.must(err)
	if tried.State != memory.CompactionTried || len(tried.Evicted) == 0 {
		t.Fatalf("%+v", tried)
	}
	done, err := w.service.AdoptCompaction(w.ctx(), tried.ID)
	w.must(err)
	if !slices.Equal(done.Evicted, tried.Evicted) || done.TokensBefore != tried.TokensBefore {
		t.Errorf("tried: %d messages of %d tokens, adopted: %d of %d", len(tried.Evicted), tried.TokensBefore, len(done.Evicted), done.TokensBefore)
	}
	w.conserved()
}

// Above a hundred turns what matters stays verbatim at once, and a summary follows when nothing runs.
func TestSummaryFollows(t *testing.T) {
	w := newLongTalk(t, 5)
	w.set["window"] = 4096
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if last := r.Messages[len(r.Messages)-1].Content; strings.Contains(last, "minutes of a chat") {
			return say(`{"goals":[],"decisions":[],"facts":["We went to the market with Ada and paid 105 euros"],"open":[],"preferences":[]}`)
		}
		return say("All right.")
	})
	w.talk(160)
	w.send("What now?")
	w.must(w.service.Rest(w.ctx()))
	list := w.compactions()
	if len(list) != 2 || list[1].Strategy != memory.StrategyPriority || list[1].Trigger != memory.TriggerThreshold {
		t.Fatalf("%d: %+v", len(list), list)
	}
	c := list[0]
	if c.State != memory.CompactionDone || c.Strategy != memory.StrategySummary || c.Model != enginetest.Chat || c.Prompt == "" || c.Output == "" || len(c.Lost) == 0 {
		t.Fatalf("%+v %+v", c, c.Problem)
	}
	calls := 0
	for _, chat := range w.fake.Chats() {
		if strings.Contains(chat.Messages[len(chat.Messages)-1].Content, "minutes of a chat") {
			calls++
		}
	}
	if most := (list[1].Was.Saved+list[1].Now.Saved)/2000 + 1; calls > most {
		t.Errorf("%d calls for %d tokens", calls, list[1].Now.Saved)
	}
	w.conserved()
	w.send("What did we pay?")
	contains(t, "prompt", w.sent(len(w.fake.Chats())-1), "<summary>\nFacts:\n- We went to the market with Ada and paid 105 euros\n</summary>", "earlier messages of this conversation")
	view, err := w.service.Window(w.ctx(), w.conv.ID)
	w.must(err)
	if view.Summary == "" || view.Marker == nil || view.Marker.Messages != w.prefix().Left || view.Forecast.TokensPerTurn == 0 || view.Forecast.Turns < 1 {
		t.Errorf("%+v", view)
	}
	if _, err := w.service.UndoCompaction(w.ctx(), c.ID); err != nil {
		t.Error(err)
	}
	if p := w.prefix(); p.Summary != "" || p.Left != list[1].Now.Left {
		t.Errorf("%+v", p.Selection)
	}
}

// A model that goes on with the chat, or says nothing, is asked once more; then what was chosen without it stays.
func TestSummariserOfNoUse(t *testing.T) {
	for _, answer := range []string{"", "Sure! And what did you buy on day 17?", `{"facts":[]}`} {
		w := newLongTalk(t, 40)
		asked := 0
		w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
			if strings.Contains(r.Messages[len(r.Messages)-1].Content, "minutes of a chat") {
				asked++
				return say(answer)
			}
			return say("All right.")
		})
		before := w.prefix()
		c, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
		w.must(err)
		if c.State != memory.CompactionPending {
			t.Errorf("%+v", c)
		}
		w.must(w.service.Rest(w.ctx()))
		if c = w.compaction(c.ID); c.State != memory.CompactionFailed || c.Problem == nil || asked != 2 || w.prefix().Generation != before.Generation {
			t.Errorf("asked %d times: %+v %+v", asked, c, c.Problem)
		}
		w.conserved()
	}
}

var noTime time.Time

// The compaction that docs/context.md works through is this one.
func TestTheWorkedCompaction(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.set["notes"] = "off"
	w.scripts(say("All right."))
	w.send("I'm allergic to walnuts.")
	w.talk(120)
	w.send("And now?")
	w.must(w.service.Rest(w.ctx()))
	list := w.compactions()
	c := list[len(list)-1]
	other, err := w.service.ReplayCompaction(w.ctx(), c.ID, agent.CompactRequest{Strategy: memory.StrategySliding})
	w.must(err)
	if c.Trigger != memory.TriggerThreshold || c.Strategy != memory.StrategyPriority || w.message(c.Now.Kept[0]).Content != "I'm allergic to walnuts." {
		t.Fatalf("%s %s", c.Trigger, c.Strategy)
	}
	part := map[memory.PartName]int{}
	for _, p := range c.After.Parts {
		part[p.Name] = p.Used
	}
	usable, target := float64(c.Before.Usable), int(.6*float64(c.Before.Usable))
	system, tools, core, marker := part[memory.PartSystem], part[memory.PartTools], part[memory.PartCore], part[memory.PartSummary]
	left, kept := len(c.Evicted), len(c.Now.Kept)
	want := []int{
		len(w.path()) / 2, c.Before.Window, c.Before.Usable, c.TokensBefore,
		1, 80, int(.8 * usable), 60, target, c.TokensBefore - target, 100,
		2, system, tools, core, marker, target - system - tools - core - marker,
		3, 1, c.After.Messages - kept, kept - 1, left,
		4, left, c.Now.Saved, kept, c.After.Prompt,
		5, left,
		6, len(other.Evicted), other.TokensAfter,
	}
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "context.md"))
	w.must(err)
	_, text, _ := strings.Cut(string(doc), "## A compaction, worked through")
	text, _, _ = strings.Cut(text, "\n## ")
	says := numbers(t, text)
	if len(says) != len(want) {
		t.Fatalf("it has %d numbers, not %d", len(says), len(want))
	}
	for i, n := range says {
		if off := n - want[i]; max(off, -off) > (want[i]+30)/50 { // the names of days and months differ in length
			t.Errorf("it says %d for %d", n, want[i])
		}
	}
}

// numbers returns the whole numbers of a text, written with digits.
func numbers(t *testing.T, text string) (all []int) {
	t.Helper()
	for _, s := range regexp.MustCompile(`\d[\d,]*\d|\d`).FindAllString(text, -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(s, ",", ""))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, n)
	}
	return all
}
