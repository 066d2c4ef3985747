package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/compaction"
	"recollect/backend/memory"
)

// core returns a core compaction of an agent in which the entries leave that leaves says.
func (w *world) core(a memory.Agent, leaves func(memory.CompactionEntry) bool) (memory.Compaction, map[int]memory.Passage) {
	w.t.Helper()
	blocks, err := w.Blocks(w.ctx, a.ID)
	must(w.t, err)
	c := memory.Compaction{Kind: memory.CompactionCore, AgentID: a.ID, Trigger: memory.TriggerUser, Strategy: memory.StrategyScore}
	passages := map[int]memory.Passage{}
	scorer := compaction.Scorer{Now: w.now()}
	for _, b := range blocks {
		for _, e := range compaction.Split(b.Value) {
			s := scorer.Score(b, e, compaction.Known{})
			if !e.Structure && leaves(s) {
				s.Action = memory.EntryArchived
				passages[len(c.Entries)] = compaction.Passage(a.ArchiveID, s)
			}
			c.Entries = append(c.Entries, s)
		}
	}
	c.Values = compaction.Values(c.Entries)
	return c, passages
}

func (w *world) apply(a memory.Agent, leaves func(memory.CompactionEntry) bool) memory.Compaction {
	w.t.Helper()
	c, passages := w.core(a, leaves)
	c, err := w.ApplyCore(w.ctx, c, passages, bySystem)
	must(w.t, err)
	return c
}

var bySystem = memory.Cause{Actor: memory.ActorSystem}

func (w *world) archive(a memory.Agent) []memory.Passage {
	w.t.Helper()
	list, _, err := w.ListPassages(w.ctx, PassageFilter{ArchiveID: a.ArchiveID, Limit: 500})
	must(w.t, err)
	return list
}

func says(words string) func(memory.CompactionEntry) bool {
	return func(e memory.CompactionEntry) bool { return strings.Contains(e.Text, words) }
}

func TestWhatLeavesCoreMemoryIsAPassage(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	const value = "Name: Ada\n- It rained today.\n- Likes tea."
	b := w.block("human", value, a.ID)
	m := w.say(w.conversation(a).ID, memory.RoleUser, "It rained today.")
	c, passages := w.core(a, says("rained"))
	c.Entries[1].Origin, c.Entries[1].Score, c.Entries[1].Reason = m.ID, 2, "is about weather"
	passages[1] = compaction.Passage(a.ArchiveID, c.Entries[1])
	w.seen()
	c, err := w.ApplyCore(w.ctx, c, passages, bySystem)
	must(t, err)
	wantEqual(t, "the block", w.value(b.ID), "Name: Ada\n- Likes tea.")
	list := w.archive(a)
	if len(list) != 1 || list[0].Text != "It rained today." || list[0].Origin != m.ID || !slices.Contains(list[0].Tags, "human") {
		t.Fatalf("the archive has %+v", list)
	}
	if p := list[0].Core; p == nil || p.CompactionID != c.ID || p.Entry != 1 || p.Score != 2 || p.Label != "human" || p.Restored {
		t.Errorf("the passage says %+v of where it came from", p)
	}
	var types []string
	for _, ev := range w.seen() {
		types = append(types, ev.Type)
	}
	if !slices.Equal(types, []string{"passage.changed", "block.changed", "compaction.done"}) {
		t.Errorf("published %v", types)
	}
	hits, err := w.LexicalSearch(w.ctx, LexQuery{ArchiveID: a.ArchiveID, Terms: []string{`"rained"`}, Kinds: []string{"passage"}, Limit: 5})
	if err != nil || len(hits) != 1 {
		t.Errorf("a search finds %v, %v", hits, err)
	}

	undone, err := w.UndoCore(w.ctx, c.ID, byUser, nil)
	must(t, err)
	wantEqual(t, "the block after undo", w.value(b.ID), value)
	wantEqual(t, "passages after undo", len(w.archive(a)), 0)
	wantEqual(t, "state", undone.State, memory.CompactionUndone)
	_, err = w.UndoCore(w.ctx, c.ID, byUser, nil)
	wantCode(t, err, memory.ECONFLICT)

	_, err = w.RedoCore(w.ctx, c.ID, byUser, nil)
	must(t, err)
	wantEqual(t, "the block after redo", w.value(b.ID), "Name: Ada\n- Likes tea.")
	if again := w.archive(a); len(again) != 1 || again[0].ID != list[0].ID {
		t.Errorf("the archive has %+v after redo", again)
	}
	_, err = w.UndoCore(w.ctx, c.ID, byUser, nil)
	must(t, err)
	wantEqual(t, "the block after the second undo", w.value(b.ID), value)
	wantEqual(t, "passages after the second undo", len(w.archive(a)), 0)
}

func TestUndoAfterALaterEditOverwritesNothing(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	b := w.block("human", "It rained today.\nLikes tea.", a.ID)
	c := w.apply(a, says("rained"))
	_, edit, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("Likes coffee.")}, byUser)
	must(t, err)
	_, err = w.UndoCore(w.ctx, c.ID, byUser, nil)
	wantCode(t, err, memory.ECONFLICT)
	wantEqual(t, "the block", w.value(b.ID), "Likes coffee.")
	wantEqual(t, "passages", len(w.archive(a)), 1)
	_, err = w.Undo(w.ctx, edit.ID, byUser)
	must(t, err)

	p := w.archive(a)[0]
	_, _, err = w.UpdatePassage(w.ctx, p.ID, memory.PassageChange{Text: ptr("It rained on Monday.")}, byUser)
	must(t, err)
	_, err = w.UndoCore(w.ctx, c.ID, byUser, nil)
	wantCode(t, err, memory.ECONFLICT)
	wantEqual(t, "the block", w.value(b.ID), "Likes tea.")
	wantEqual(t, "the passage", w.archive(a)[0].Text, "It rained on Monday.")
}

// What fails half-way leaves all as it was.
func TestACompactionIsMadeAsAWholeOrNotAtAll(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	one := w.block("human", "It rained today.\nLikes tea.", a.ID)
	two := w.block("notes", "It snowed today.\nLikes snow.", a.ID)
	c, passages := w.core(a, says("today"))
	_, _, err := w.UpdateBlock(w.ctx, two.ID, memory.BlockChange{Value: ptr("Something else.")}, byUser)
	must(t, err)
	w.seen()
	_, err = w.ApplyCore(w.ctx, c, passages, bySystem)
	wantCode(t, err, memory.ECONFLICT)
	wantEqual(t, "the first block", w.value(one.ID), "It rained today.\nLikes tea.")
	wantEqual(t, "passages", len(w.archive(a)), 0)
	wantEqual(t, "events", len(w.seen()), 0)
	if list, _, err := w.Compactions(w.ctx, CompactionFilter{AgentID: a.ID}); err != nil || len(list) != 0 {
		t.Errorf("%d records, %v", len(list), err)
	}
}

func TestTheArchiveKeepsWhatItHad(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	w.block("human", "Likes tea.\nName: Ada", a.ID)
	had := w.passage(a.ArchiveID, "likes  TEA.")
	c := w.apply(a, says("tea"))
	if c.Entries[0].Action != memory.EntryLinked || c.Entries[0].PassageID != had.ID {
		t.Errorf("%+v", c.Entries[0])
	}
	wantEqual(t, "passages", len(w.archive(a)), 1)
	_, err := w.UndoCore(w.ctx, c.ID, byUser, nil)
	must(t, err)
	wantEqual(t, "passages after undo", len(w.archive(a)), 1)
}

func TestAnEntryIsPutBack(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	const value = "Name: Ada\n- It rained today.\n- Likes tea.\n- Had soup."
	b := w.block("human", value, a.ID)
	c := w.apply(a, func(e memory.CompactionEntry) bool { return e.Start > 0 && !strings.Contains(e.Text, "tea") })
	wantEqual(t, "the block", w.value(b.ID), "Name: Ada\n- Likes tea.")
	teach := func(w memory.CompactionWeights, c memory.Compaction) memory.CompactionWeights {
		return compaction.Teach(w, c, "restore", 1, c.AppliedAt)
	}
	got, err := w.RestoreEntry(w.ctx, c.ID, 1, compaction.Place, byUser, teach)
	must(t, err)
	wantEqual(t, "the block", w.value(b.ID), "Name: Ada\n- It rained today.\n- Likes tea.")
	wantEqual(t, "passages", len(w.archive(a)), 1)
	wantEqual(t, "action", got.Entries[1].Action, memory.EntryRestored)
	weights, err := w.CoreWeights(w.ctx, a.ID)
	must(t, err)
	if weights.Kinds["weather"] <= 0 || len(weights.Lessons) != 1 || weights.Lessons[0].Text != "It rained today." {
		t.Errorf("learned %+v", weights)
	}
	_, err = w.RestoreEntry(w.ctx, c.ID, 1, compaction.Place, byUser, nil)
	wantCode(t, err, memory.ECONFLICT)
	_, err = w.RestoreEntry(w.ctx, c.ID, 99, compaction.Place, byUser, nil)
	wantCode(t, err, memory.ENOTFOUND)

	// The rest can still be undone, and a block that was edited keeps what was written.
	_, err = w.UndoCore(w.ctx, c.ID, byUser, nil)
	must(t, err)
	wantEqual(t, "the block after undo", w.value(b.ID), value)
	_, err = w.RedoCore(w.ctx, c.ID, byUser, nil)
	must(t, err)
	wantEqual(t, "the block after redo", w.value(b.ID), "Name: Ada\n- It rained today.\n- Likes tea.")
	edited := "Name: Ada Lovelace\n- Likes tea.\nPlays chess."
	_, _, err = w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: &edited}, byUser)
	must(t, err)
	_, err = w.RestoreEntry(w.ctx, c.ID, 3, compaction.Place, byUser, nil)
	must(t, err)
	wantEqual(t, "the edited block", w.value(b.ID), "Name: Ada Lovelace\n- Likes tea.\n- Had soup.\nPlays chess.")
}

// Whatever leaves: each entry is in core memory or in the archive afterwards, none is lost and none doubled; undo brings the
// blocks back byte for byte, and so does putting the entries back one by one.
func TestNothingIsLostOrDoubled(t *testing.T) {
	lines := []string{
		"Name: Ada\n", "- Likes tea.\n", "- Boats:\n  - Marigold\n  - Comet\n", "It rained today.\n", "# Work\n", "住在成都。\n", "姓名：小明\n\n", "- 今天下雨。\n",
		"1. First of all.\n", "  indented line\n", strings.Repeat("She mends boats at the harbour in Bern. ", 8) + "\n", "她在港口上班，修理小船。", "\n\n", "Key: value\r\n",
		strings.Repeat("x", 1500) + "\n", "```\ncode\n\nmore\n```\n", "last without end", "- Likes tea.\n",
	}
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 7))
		w := newWorld(t)
		a := w.agent()
		values := map[string]string{}
		for i := range 1 + random.IntN(3) {
			var v strings.Builder
			for range 1 + random.IntN(9) {
				v.WriteString(lines[random.IntN(len(lines))])
			}
			value := strings.TrimRight(v.String(), "\n")
			if value == "" {
				continue
			}
			b, _, err := w.CreateBlock(w.ctx, memory.Block{Label: fmt.Sprintf("b%d", i), Value: value, Limit: 20_000}, []string{a.ID}, byUser)
			must(t, err)
			values[b.ID] = b.Value
		}
		if random.IntN(2) == 0 {
			w.passage(a.ArchiveID, "Likes tea.")
		}
		had := len(w.archive(a))
		c := w.apply(a, func(memory.CompactionEntry) bool { return random.IntN(2) == 0 })
		check := func(when string) {
			t.Helper()
			archived := map[string]int{}
			for _, p := range w.archive(a) {
				archived[p.Text]++
			}
			for text, n := range archived {
				if n > 1 {
					t.Fatalf("seed %d, %s: %q is in the archive %d times", seed, when, text, n)
				}
			}
			left := map[string]string{} // block → what must not be there, nor be missing
			for _, e := range c.Entries {
				text := compaction.Passage(a.ArchiveID, e).Text
				switch {
				case e.Action.Left() && archived[text] == 0:
					// the archive has it in other letters or spaces
					p, err := w.Passage(w.ctx, e.PassageID)
					if err != nil || !p.DeletedAt.IsZero() || textHash(p.Text) != textHash(text) {
						t.Fatalf("seed %d, %s: %q is lost", seed, when, text)
					}
				case !e.Action.Left():
					left[e.BlockID] += e.Text
				}
			}
			for id := range values {
				if strings.TrimSpace(w.value(id)) != strings.TrimSpace(left[id]) {
					t.Fatalf("seed %d, %s: the block is %q, not %q", seed, when, w.value(id), left[id])
				}
			}
		}
		check("compacted")
		undone, err := w.UndoCore(w.ctx, c.ID, byUser, nil)
		must(t, err)
		for id, value := range values {
			if w.value(id) != value {
				t.Fatalf("seed %d: after undo the block is %q, not %q", seed, w.value(id), value)
			}
		}
		wantEqual(t, "passages after undo", len(w.archive(a)), had)
		c, err = w.RedoCore(w.ctx, undone.ID, byUser, nil)
		must(t, err)
		check("redone")
		for _, n := range random.Perm(len(c.Entries)) {
			if !c.Entries[n].Action.Left() {
				continue
			}
			c, err = w.RestoreEntry(w.ctx, c.ID, n, compaction.Place, byUser, nil)
			must(t, err)
			check(fmt.Sprintf("with entry %d put back", n))
		}
		for id, value := range values {
			if w.value(id) != value {
				t.Fatalf("seed %d: with all put back the block is\n%q, not\n%q", seed, w.value(id), value)
			}
		}
		wantEqual(t, "passages with all put back", len(w.archive(a)), had)
		w.close()
	}
}

func TestWhatACompactionKnowsOfAnAgent(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	_, err := w.NewestCore(w.ctx, a.ID)
	wantCode(t, err, memory.ENOTFOUND)
	w.block("human", "It rained today.\nLikes tea.", a.ID)
	pending, err := w.SaveCompaction(w.ctx, memory.Compaction{Kind: memory.CompactionCore, AgentID: a.ID, State: memory.CompactionPending})
	must(t, err)
	if list, err := w.PendingCore(w.ctx); err != nil || len(list) != 1 || list[0].ID != pending.ID {
		t.Errorf("pending: %v, %v", list, err)
	}
	c, passages := w.core(a, says("rained"))
	c.ID, c.CreatedAt = pending.ID, pending.CreatedAt
	c, err = w.ApplyCore(w.ctx, c, passages, bySystem)
	must(t, err)
	newest, err := w.NewestCore(w.ctx, a.ID)
	must(t, err)
	wantEqual(t, "newest", newest.ID, c.ID)
	if list, err := w.PendingCore(w.ctx); err != nil || len(list) != 0 {
		t.Errorf("pending: %v, %v", list, err)
	}
	w.pass(time.Minute)
	conv := w.conversation(a)
	w.say(conv.ID, memory.RoleUser, "one")
	w.say(conv.ID, memory.RoleUser, "two")
	n, err := w.TurnsSince(w.ctx, a.ID, newest.AppliedAt)
	must(t, err)
	wantEqual(t, "turns", n, 2)
	must(t, w.ChangeCoreWeights(w.ctx, a.ID, func(v memory.CompactionWeights) memory.CompactionWeights {
		return compaction.Weigh(v, "weather", 99, "user", "", w.now())
	}))
	weights, err := w.CoreWeights(w.ctx, a.ID)
	must(t, err)
	wantEqual(t, "weight", weights.Kinds["weather"], memory.MaxLearned)
}
