package agent_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/compaction"
	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// Entries of the block human in these tests: what matters, and what does not.
var (
	mattering = []string{"Name: Ada Lovelace", "- Allergic to walnuts.", "- Always answer in short sentences.", "- Her daughter Anna is seven years old."}
	trifling  = []string{
		"- It rained this morning.", "- Had a cheese sandwich for lunch.", "- Was waiting for the bus for ten minutes.", "- Said hello and thanked me for the joke.",
		"- Watched two episodes of a show last night.",
	}
)

// filled gives the block human entries that matter and many that do not.
func (w *world) filled(times int) string {
	w.Helper()
	lines := slices.Clone(mattering)
	for i := range times {
		for _, l := range trifling {
			lines = append(lines, fmt.Sprintf("%s (%d)", l, i))
		}
	}
	value, limit := strings.Join(lines, "\n"), 50_000
	w.setBlock("human", memory.BlockChange{Value: &value, Limit: &limit})
	return value
}

// cores returns the core compactions of the agent, the newest first.
func (w *world) cores() []memory.Compaction {
	w.Helper()
	list, _, err := w.store.Compactions(w.ctx(), store.CompactionFilter{AgentID: w.agent.ID, Kind: memory.CompactionCore})
	w.must(err)
	return list
}

// compacted asks for a core compaction and waits until it is over.
func (w *world) compacted(req agent.CoreRequest) memory.Compaction {
	w.Helper()
	c, err := w.service.CompactCore(w.ctx(), w.agent.ID, req)
	w.must(err)
	w.must(w.service.Rest(w.ctx()))
	return w.compaction(c.ID)
}

// judged answers the judge with one score for all entries whose text has a word, and another for the rest.
func (w *world) judged(score func(entry string) int) {
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if len(r.Format) == 0 {
			return say("I see.")
		}
		var parts []string
		text := r.Messages[len(r.Messages)-1].Content
		for i := 1; ; i++ {
			_, rest, ok := strings.Cut(text, fmt.Sprintf("<entry n=\"%d\">", i))
			if !ok {
				return say("{" + strings.Join(parts, ",") + "}")
			}
			entry, _, _ := strings.Cut(rest, "</entry>")
			n := score(entry)
			switch {
			case strings.Contains(entry, "penicillin"): // what the judge itself is judged by
				n = 10
			case strings.Contains(entry, "drizzled"):
				n = 0
			}
			parts = append(parts, fmt.Sprintf(`"%d":{"reason":"the model says so","score":%d}`, i, n))
		}
	})
}

func TestCoreMemoryIsTidiedByTheUser(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	before := w.filled(2)
	w.judged(func(e string) int {
		if strings.Contains(e, "bus") {
			return 1
		}
		return 3
	})
	w.send("Hello")
	dry, err := w.service.CompactCore(w.ctx(), w.agent.ID, agent.CoreRequest{DryRun: true})
	w.must(err)
	if dry.State != memory.CompactionTried || len(w.cores()) != 0 || w.block("human").Value != before {
		t.Fatalf("the dry run did something: %+v", dry)
	}
	c := w.compacted(agent.CoreRequest{ConversationID: w.conv.ID})
	if c.State != memory.CompactionDone || c.Strategy != memory.StrategyJudge || c.Trigger != memory.TriggerUser || c.Saved() <= 0 || c.Attempts != 1 || c.Output == "" {
		t.Fatalf("%+v", c)
	}
	if n := w.called(memory.CallJudge); n != 1 {
		t.Errorf("%d calls are noted", n)
	}
	after := w.block("human").Value
	for _, line := range mattering {
		if !strings.Contains(after, line) {
			t.Errorf("%q has left", line)
		}
	}
	if strings.Contains(after, "bus") || strings.Contains(after, "rained") {
		t.Errorf("the block is\n%s", after)
	}
	if n := len(w.passages()); n != 10 {
		t.Errorf("%d passages", n)
	}
	rc, err := w.service.TryRecall(w.ctx(), w.agent.ID, "", "How long was I waiting for the bus?", false)
	w.must(err)
	if !slices.ContainsFunc(rc.Candidates, func(c memory.Candidate) bool { return strings.Contains(c.Text, "bus") }) {
		t.Error("recall does not find what has left")
	}
	// The prompt was written anew, and holds the shorter block.
	if p := w.prefix(); p.Reason != "compaction" || strings.Contains(p.System, "rained") {
		t.Errorf("the prefix is of %q: %s", p.Reason, p.System)
	}

	undone, err := w.service.UndoCompaction(w.ctx(), c.ID)
	w.must(err)
	if undone.State != memory.CompactionUndone || w.block("human").Value != before || len(w.passages()) != 0 {
		t.Errorf("after undo: %q", w.block("human").Value)
	}
	if p := w.prefix(); !strings.Contains(p.System, "rained") {
		t.Error("the prompt does not hold what came back")
	}
	weights, err := w.store.CoreWeights(w.ctx(), w.agent.ID)
	w.must(err)
	if weights.Kinds["weather"] <= 0 {
		t.Errorf("undoing taught nothing: %+v", weights)
	}
	_, err = w.service.RedoCompaction(w.ctx(), c.ID)
	w.must(err)
	if w.block("human").Value != after {
		t.Errorf("after redo: %q", w.block("human").Value)
	}
	n := slices.IndexFunc(c.Entries, func(e memory.CompactionEntry) bool { return strings.Contains(e.Text, "sandwich") })
	_, err = w.service.RestoreEntry(w.ctx(), c.ID, n)
	w.must(err)
	if got := w.block("human").Value; !strings.Contains(got, "sandwich") {
		t.Errorf("after putting back: %q", got)
	}
	// What the user put back does not leave again at once.
	again := w.compacted(agent.CoreRequest{})
	if strings.Count(w.block("human").Value, "sandwich") != 1 {
		t.Errorf("it has left again: %+v", again)
	}
}

// A core compaction is tried in another way from what core memory held then; adopted, it takes the place of the first, and
// either is undone byte for byte.
func TestCoreCompactionIsTriedInAnotherWay(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	before := w.filled(3)
	w.judged(func(string) int { return 8 })
	w.send("Hello")
	_, err := w.store.UpdateAgent(w.ctx(), w.agent.ID, func(a *memory.Agent) error { a.Room.CoreJudge = "off"; return nil })
	w.must(err)
	first := w.compacted(agent.CoreRequest{})
	after := w.block("human").Value
	for _, bad := range []agent.CompactRequest{{Strategy: memory.StrategySliding}, {Keep: 11}, {Target: 2}, {Threshold: .5}} {
		if _, err := w.service.ReplayCompaction(w.ctx(), first.ID, bad); memory.CodeOf(err) != memory.EINVALID {
			t.Errorf("%+v: %v", bad, err)
		}
	}

	// A lower threshold keeps more, a lower target less; nothing happens but the record.
	keeps, err := w.service.ReplayCompaction(w.ctx(), first.ID, agent.CompactRequest{Keep: .1})
	w.must(err)
	tried, err := w.service.ReplayCompaction(w.ctx(), first.ID, agent.CompactRequest{Target: .01})
	w.must(err)
	left := func(c memory.Compaction) (n int) {
		for _, e := range c.Entries {
			if e.Action.Left() {
				n++
			}
		}
		return n
	}
	if left(keeps) >= left(first) || left(tried) <= left(first) || tried.State != memory.CompactionTried || tried.Replays != first.ID || tried.TokensBefore != first.TokensBefore ||
		tried.TokensAfter >= first.TokensAfter || w.block("human").Value != after || tried.Target != .01 {
		t.Fatalf("%d left, then %d and %d: %+v", left(first), left(keeps), left(tried), tried)
	}

	// The judge is asked in the background.
	judged, err := w.service.ReplayCompaction(w.ctx(), first.ID, agent.CompactRequest{Strategy: memory.StrategyJudge})
	w.must(err)
	if judged.State != memory.CompactionPending {
		t.Errorf("%+v", judged)
	}
	w.must(w.service.Rest(w.ctx()))
	judged = w.compaction(judged.ID)
	if judged.State != memory.CompactionTried || judged.Strategy != memory.StrategyJudge || left(judged) >= left(first) || w.block("human").Value != after {
		t.Errorf("%d left: %+v", left(judged), judged)
	}
	again, err := w.service.ReplayCompaction(w.ctx(), judged.ID, agent.CompactRequest{}) // by what it said then
	w.must(err)
	if again.State != memory.CompactionTried || again.Strategy != memory.StrategyJudge || left(again) != left(judged) || w.called(memory.CallJudge) != 1 {
		t.Errorf("%+v", again)
	}

	adopted, err := w.service.AdoptCompaction(w.ctx(), tried.ID)
	w.must(err)
	if v := w.block("human").Value; adopted.State != memory.CompactionDone || len(v) >= len(after) || w.compaction(first.ID).State != memory.CompactionUndone || len(w.passages()) != left(tried) {
		t.Errorf("%d passages, %q", len(w.passages()), v)
	}
	if _, err := w.service.AdoptCompaction(w.ctx(), judged.ID); memory.CodeOf(err) != memory.ECONFLICT {
		t.Errorf("beside another that took its place: %v", err)
	}
	if weights, err := w.store.CoreWeights(w.ctx(), w.agent.ID); err != nil || len(weights.Lessons) > 0 {
		t.Errorf("adopting taught %+v, %v", weights, err)
	}
	_, err = w.service.UndoCompaction(w.ctx(), tried.ID)
	w.must(err)
	if w.block("human").Value != before || len(w.passages()) != 0 {
		t.Errorf("%q", w.block("human").Value)
	}
	_, err = w.service.RedoCompaction(w.ctx(), first.ID)
	w.must(err)
	if w.block("human").Value != after {
		t.Errorf("%q", w.block("human").Value)
	}
}

func TestSignalsDecideWithoutAJudge(t *testing.T) {
	for name, c := range map[string]struct {
		reply enginetest.Reply
		off   bool
	}{
		"prose":        {reply: say("I would keep all of it.")},
		"everything 0": {reply: say(`{"1":{"reason":"x","score":0},"2":{"reason":"x","score":0},"3":{"reason":"x","score":0},"4":{"reason":"x","score":0},"5":{"reason":"x","score":0}}`)},
		"it crashes":   {reply: enginetest.Reply{Status: 500, Error: "the runner has crashed"}},
		"switched off": {off: true},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, enginetest.Chat)
			w.filled(1)
			w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
				if len(r.Format) > 0 {
					return c.reply
				}
				return say("I see.")
			})
			if c.off {
				_, err := w.store.UpdateAgent(w.ctx(), w.agent.ID, func(a *memory.Agent) error { a.Room.CoreJudge = "off"; return nil })
				w.must(err)
			}
			got := w.compacted(agent.CoreRequest{})
			if got.State != memory.CompactionDone || got.Strategy != memory.StrategyScore {
				t.Fatalf("%+v", got)
			}
			if c.off != (got.Problem == nil) || c.off != (len(w.forms()) == 0) {
				t.Errorf("the record says %+v after %d questions", got.Problem, len(w.forms()))
			}
			for _, e := range got.Entries {
				if e.ByModel {
					t.Errorf("%+v", e)
				}
			}
			if v := w.block("human").Value; strings.Contains(v, "rained") || !strings.Contains(v, "walnuts") {
				t.Errorf("the block is %q", v)
			}
		})
	}
}

func TestTheRecordSaysWhyNoModelJudged(t *testing.T) {
	w := newWorldAt(t, "127.0.0.1:1", enginetest.Chat) // nothing answers there
	w.filled(1)
	got := w.compacted(agent.CoreRequest{})
	if got.State != memory.CompactionDone || got.Strategy != memory.StrategyScore || got.Problem == nil {
		t.Errorf("%+v", got)
	}
}

func TestCoreMemoryOverItsShareIsCompacted(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 4096
	w.judged(func(string) int { return 2 })
	w.filled(16)
	w.send("Hello")
	w.must(w.service.Rest(w.ctx()))
	list := w.cores()
	if len(list) != 1 || list[0].Trigger != memory.TriggerThreshold || list[0].State != memory.CompactionDone {
		t.Fatalf("%+v", list)
	}
	c := list[0]
	if c.TokensAfter > c.TokensBefore-c.Required || c.Required == 0 {
		t.Errorf("%d → %d tokens, %d had to go", c.TokensBefore, c.TokensAfter, c.Required)
	}
	// Not again so soon, though what must stay takes more than the target.
	w.send("And now?")
	w.must(w.service.Rest(w.ctx()))
	if n := len(w.cores()); n != 1 {
		t.Errorf("%d compactions", n)
	}
	// Unless enough was added.
	w.filled(16)
	w.send("And now?")
	w.must(w.service.Rest(w.ctx()))
	if n := len(w.cores()); n != 2 {
		t.Errorf("%d compactions", n)
	}
}

func TestUndoIsNotUndoneByTheTrigger(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 4096
	w.judged(func(string) int { return 2 })
	value := w.filled(16)
	w.send("Hello")
	w.must(w.service.Rest(w.ctx()))
	_, err := w.service.UndoCompaction(w.ctx(), w.cores()[0].ID)
	w.must(err)
	w.send("And now?")
	w.must(w.service.Rest(w.ctx()))
	if len(w.cores()) != 1 || w.block("human").Value != value {
		t.Errorf("%d compactions", len(w.cores()))
	}
}

func TestABlockNearItsLimitIsCompacted(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.judged(func(string) int { return 2 })
	value := w.filled(1)
	limit := len(value) + 20
	w.setBlock("human", memory.BlockChange{Limit: &limit})
	w.send("Hello")
	w.must(w.service.Rest(w.ctx()))
	list := w.cores()
	if len(list) != 1 || list[0].Trigger != memory.TriggerBlock || list[0].BlockID != w.block("human").ID || len(w.block("human").Value) > limit*6/10 {
		t.Errorf("%+v", list)
	}
}

func TestWhatMayNotLeaveIsSaid(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 2048
	value, limit, pinned := strings.Repeat("It rained this morning. ", 200), 50_000, true
	w.setBlock("human", memory.BlockChange{Value: &value, Limit: &limit, Pinned: &pinned})
	value = "You are a calm helper."
	w.setBlock("persona", memory.BlockChange{Value: &value})
	c := w.compacted(agent.CoreRequest{})
	if c.State != memory.CompactionFailed || c.Problem == nil || c.Problem.Code != memory.ELIMIT || c.Held["pinned"] == 0 || c.Held["identity"] == 0 || c.Problem.Chinese == "" {
		t.Errorf("%+v %+v", c.Problem, c.Held)
	}
	if w.block("persona").Value != value || len(w.passages()) != 0 {
		t.Error("something has left")
	}
	idle := newWorld(t, enginetest.Chat)
	value = strings.Join(mattering, "\n")
	idle.setBlock("human", memory.BlockChange{Value: &value})
	if c := idle.compacted(agent.CoreRequest{}); c.State != memory.CompactionFailed || c.Problem.Code != memory.ECONFLICT || c.Problem.Chinese == "" || idle.block("human").Value != value {
		t.Errorf("%+v", c)
	}
}

func TestMemoryIsTidiedInWords(t *testing.T) {
	for message, want := range map[string]string{"Please tidy up your memory.": "tidy my core memory", "请整理一下记忆": "整理核心记忆"} {
		w := newWorld(t, enginetest.Chat)
		w.filled(1)
		w.judged(func(string) int { return 2 })
		m := w.send(message)
		if !strings.Contains(m.Content, want) {
			t.Errorf("%s: %q", message, m.Content)
		}
		w.must(w.service.Rest(w.ctx()))
		if list := w.cores(); len(list) != 1 || list[0].Trigger != memory.TriggerWords || list[0].State != memory.CompactionDone || list[0].ConversationID != w.conv.ID {
			t.Errorf("%s: %+v", message, list)
		}
	}
}

func TestTheModelCompactsItsMemory(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	w.filled(1)
	w.scripts(
		call("use_tool", `{"name": "compact_memory", "arguments": {"label": "nowhere"}}`),
		call("use_tool", `{"name": "compact_memory", "arguments": {"label": "human"}}`),
		say("Done."),
		say("nonsense"),
	)
	w.send("Make some room.")
	w.must(w.service.Rest(w.ctx()))
	script := w.script()
	contains(t, "talk", script, `there is no block "nowhere"`, "tidy my core memory")
	if list := w.cores(); len(list) != 1 || list[0].Trigger != memory.TriggerTool || list[0].BlockID != w.block("human").ID || list[0].State != memory.CompactionDone {
		t.Errorf("%+v", list)
	}
}

// Core memory that leaves a message no room gives way at once, without a model.
func TestAPromptThatDoesNotFitMakesRoomAtOnce(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 2048
	w.filled(40)
	w.scripts(say("I see."))
	m := w.send("Hello, how are you?")
	if m.Status != memory.StatusComplete || m.Content != "I see." {
		t.Fatalf("%+v %+v", m, m.Problem)
	}
	c := w.cores()[len(w.cores())-1]
	if c.Trigger != memory.TriggerOverflow || c.Strategy != memory.StrategyScore || c.State != memory.CompactionDone {
		t.Errorf("%+v", c)
	}
	if v := w.block("human").Value; !strings.Contains(v, "walnuts") {
		t.Errorf("the block is %q", v)
	}
}

// Core memory stays where it is not what leaves a message no room.
func TestCoreMemoryStaysWhereItCannotHelp(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 2048
	w.filled(6)
	m := w.send(strings.Repeat("How are you? ", 800))
	if m.Status != memory.StatusFailed || m.Problem == nil || m.Problem.Code != memory.EOVERFLOW {
		t.Errorf("%s %+v", m.Status, m.Problem)
	}
	for _, c := range w.cores() {
		if c.Trigger == memory.TriggerOverflow {
			t.Errorf("%d of %d tokens left core memory", c.TokensBefore-c.TokensAfter, c.TokensBefore)
		}
	}
	for _, line := range mattering {
		contains(t, "core memory", w.block("human").Value, line)
	}
}

// A turn that begins while the judge is at work comes first.
func TestAJudgeGivesWayToATurn(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.filled(1)
	hold, asked := make(chan struct{}), make(chan struct{}, 8)
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if len(r.Format) == 0 {
			return say("I see.")
		}
		asked <- struct{}{}
		return enginetest.Reply{Hold: hold, Content: "nonsense"}
	})
	c, err := w.service.CompactCore(w.ctx(), w.agent.ID, agent.CoreRequest{})
	w.must(err)
	<-asked
	if m := w.send("Hello"); m.Content != "I see." {
		t.Errorf("%+v", m)
	}
	if got := w.compaction(c.ID); got.State != memory.CompactionPending {
		t.Errorf("%+v", got)
	}
	close(hold)
	w.must(w.service.Rest(w.ctx()))
	if got := w.compaction(c.ID); got.State != memory.CompactionDone {
		t.Errorf("%+v", got)
	}
}

// What was asked for before the app ended is taken up afterwards, and asked for twice it is made once.
func TestACompactionOutlivesTheApp(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.filled(1)
	w.judged(func(string) int { return 2 })
	old, err := w.store.SaveCompaction(w.ctx(), memory.Compaction{Kind: memory.CompactionCore, AgentID: w.agent.ID, Trigger: memory.TriggerUser, State: memory.CompactionPending})
	w.must(err)
	c := w.compacted(agent.CoreRequest{})
	if c.ID != old.ID || c.State != memory.CompactionDone || len(w.cores()) != 1 {
		t.Errorf("%+v of %d", c, len(w.cores()))
	}
}

// What an entry is known by: who wrote it and when, facts, what the user said of it.
func TestSignalsOfAnEntry(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Noted."))
	w.send("Remember that the spare lamp is green.")
	w.send("Is the spare lamp really green?")
	c, err := w.service.CompactCore(w.ctx(), w.agent.ID, agent.CoreRequest{DryRun: true, ConversationID: w.conv.ID})
	w.must(err)
	i := slices.IndexFunc(c.Entries, func(e memory.CompactionEntry) bool { return strings.Contains(e.Text, "lamp") })
	if i < 0 {
		t.Fatalf("%+v", c.Entries)
	}
	e := c.Entries[i]
	names := map[string]bool{}
	for _, s := range e.Signals {
		names[s.Name] = true
	}
	if !names["remember"] || !names["used"] || !names["recent"] || !names["in_talk"] || e.Origin != w.path()[0].ID || e.Revision == "" || e.Since.IsZero() {
		t.Errorf("%+v", e)
	}
}

func TestSharedBlocksStay(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.filled(1)
	other, err := w.store.CreateAgent(w.ctx(), memory.Agent{Name: "Other"}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	_, err = w.store.AttachBlock(w.ctx(), w.block("human").ID, other.ID, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	before := w.block("human").Value
	c := w.compacted(agent.CoreRequest{BlockID: w.block("human").ID})
	if w.block("human").Value != before || c.Held["shared"] == 0 {
		t.Errorf("%+v", c.Held)
	}
}

// A block of one line, or one word, as long as a block can be, is cut to entries that fit into passages.
func TestABlockOfOneEndlessLineIsCompacted(t *testing.T) {
	for name, value := range map[string]string{
		"a line": strings.Repeat("It rained all day and nothing else of note was seen or heard by anybody here. ", 1282),
		"a word": strings.Repeat("x", 100_000),
		"汉字":     strings.Repeat("今天下雨，什么也没有发生。", 1_000),
	} {
		w := newWorld(t, enginetest.Chat)
		limit := 100_000
		w.setBlock("human", memory.BlockChange{Value: &value, Limit: &limit})
		w.scripts(say("nonsense"))
		c := w.compacted(agent.CoreRequest{})
		if c.State != memory.CompactionDone || c.TokensAfter > c.TokensBefore-c.Required {
			t.Errorf("%s: %s, %d → %d tokens, %+v", name, c.State, c.TokensBefore, c.TokensAfter, c.Problem)
		}
		_, err := w.service.UndoCompaction(w.ctx(), c.ID)
		w.must(err)
		if w.block("human").Value != value {
			t.Errorf("%s: undo brought something else back", name)
		}
	}
}

// What the archive says already, or another entry, is linked and not copied.
func TestTheArchiveIsSearchedFirst(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	value := "Name: Ada\n- It rained on the way home this morning.\n- On the way home this morning it rained!\n- Had cheese soup for lunch."
	w.setBlock("human", memory.BlockChange{Value: &value})
	_, _, err := w.store.CreatePassage(w.ctx(), memory.Passage{ArchiveID: w.agent.ArchiveID, Text: "I had a cheese soup for lunch"}, memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	w.scripts(say("nonsense"))
	c := w.compacted(agent.CoreRequest{BlockID: w.block("human").ID})
	var actions []memory.EntryAction
	for _, e := range c.Entries {
		actions = append(actions, e.Action)
	}
	if want := []memory.EntryAction{memory.EntryStays, memory.EntryArchived, memory.EntryLinked, memory.EntryLinked}; !slices.Equal(actions, want) || len(w.passages()) != 2 {
		t.Errorf("%v with %d passages", actions, len(w.passages()))
	}
	_, err = w.service.UndoCompaction(w.ctx(), c.ID)
	w.must(err)
	if w.block("human").Value != value || len(w.passages()) != 1 {
		t.Errorf("after undo: %q, %d passages", w.block("human").Value, len(w.passages()))
	}
}

// A real engine: whatever the model says under the schema, key entries stay and the record says who decided.
func TestRealEngineJudges(t *testing.T) {
	verdict := func(score int) string {
		var parts []string
		for i, v := range []int{1, 0, 10 - score, 0, 1, 1, 0} { // five entries, with the controls in the middle and at the end
			parts = append(parts, fmt.Sprintf(`"%d": {"reason": "as it seems", "score": %d}`, i+1, score+v))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	for name, c := range map[string]struct {
		extra []scripted.Script
		model bool
	}{
		"scores":        {extra: []scripted.Script{{On: scripted.Constrained, Reply: []string{verdict(2)}}}, model: true},
		"no script":     {},
		"everything 10": {extra: []scripted.Script{{On: scripted.Constrained, Reply: []string{verdict(9)}}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newScripted(t, scripted.Gemma3, c.extra...)
			value := strings.Join(slices.Concat(mattering[:1], trifling), "\n")
			w.setBlock("human", memory.BlockChange{Value: &value})
			persona := "You are a calm helper."
			w.setBlock("persona", memory.BlockChange{Value: &persona})
			got := w.compacted(agent.CoreRequest{})
			t.Logf("%s: %s %+v", name, got.Output, got.Problem)
			if got.State != memory.CompactionDone || (got.Strategy == memory.StrategyJudge) != c.model {
				t.Errorf("%s by %s, %+v: %s", got.State, got.Strategy, got.Problem, got.Output)
			}
			if v := w.block("human").Value; strings.TrimSpace(v) != mattering[0] {
				t.Errorf("the block is %q", v)
			}
		})
	}
}

// The starter model end to end: whatever it makes of the question, what matters stays and the rest is found in the archive.
func TestStarterModelJudges(t *testing.T) {
	w := newStarterWorld(t, nil)
	w.filled(1)
	c := w.compacted(agent.CoreRequest{})
	if c.State != memory.CompactionDone {
		t.Fatalf("%+v", c)
	}
	t.Logf("by %s, %d tokens freed in %d ms, %+v: %s", c.Strategy, c.Saved(), c.DurationMs, c.Problem, c.Output)
	v := w.block("human").Value
	for _, line := range mattering {
		if !strings.Contains(v, line) {
			t.Errorf("%q has left", line)
		}
	}
	for _, e := range c.Entries {
		if e.Action.Left() && !slices.ContainsFunc(w.passages(), func(p memory.Passage) bool { return p.ID == e.PassageID }) {
			t.Errorf("%q is not in the archive", e.Text)
		}
	}
	_, err := w.service.UndoCompaction(w.ctx(), c.ID)
	w.must(err)
}

// workedCore is the block human that docs/context.md works through.
const workedCore = `Name: Mira Castellanos
Allergic to shellfish; carries an EpiPen.
Plans to move to Porto in the summer of 2027.
Likes jazz and long train rides.
Dentist appointment on 3 March 2026 at 10.
Thanked me for the joke about the owl.
Had lentil soup for lunch.
It rained all afternoon yesterday.
Has two tortoises, Fig and Olive.
Works as a hydrologist at the river authority.
Does not want calls before noon.
Watched a film about bees last night.
Bought new batteries for the torch today.
Speaks Portuguese and a little Hungarian.
Was tired this morning.
Her sister Inés lives in Bilbao.
Asked what the capital of Peru is.
Prefers short answers without lists.
The bus was late today.
Gets migraines from bright light.
Keeps her father's letters in the blue tin on the second shelf of the study.
Volunteers every other Saturday at the swimming club of the old harbour.
Is learning the viola da gamba with Rosalind, on Tuesdays after work.
Wants the readings of the river gauges in one table, the date first.
Looked for the charger of the tablet for half an hour this morning.`

// What docs/context.md says of the whole is what happens there; its entries are checked by TestTheWorkedEntries.
func TestTheWorkedCoreCompaction(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 2048
	value, limit := workedCore, 5000
	w.setBlock("human", memory.BlockChange{Value: &value, Limit: &limit})
	c, err := w.service.CompactCore(w.ctx(), w.agent.ID, agent.CoreRequest{DryRun: true})
	w.must(err)
	unimportant, left := 0, 0
	for _, e := range c.Entries {
		if e.Score < compaction.DefaultCoreKeep {
			unimportant++
		}
		if e.Action.Left() {
			left++
		}
	}
	budget := c.TokensBefore - c.Required // what it should take
	want := []int{2048, 512, budget, c.TokensBefore, c.Required, len(c.Entries), unimportant, int(compaction.DefaultCoreKeep), c.Saved(), c.TokensAfter}
	doc, err := os.ReadFile(filepath.Join("..", "..", "docs", "context.md"))
	w.must(err)
	_, text, _ := strings.Cut(string(doc), "### A core compaction, worked through")
	text, _, _ = strings.Cut(text, "\n## ")
	text = regexp.MustCompile(`(?m)^\|.*$`).ReplaceAllString(text, "")
	if says := numbers(t, text); !slices.Equal(says, want) {
		t.Errorf("it says\n%v, and it is\n%v", says, want)
	}
	if c.TokensAfter > budget || left != unimportant {
		t.Errorf("%+v", c)
	}
}
