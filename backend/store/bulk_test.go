package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
)

func (w *world) order(agentID string) []string {
	w.t.Helper()
	blocks, err := w.Blocks(w.ctx, agentID)
	must(w.t, err)
	labels := make([]string, len(blocks))
	for i, b := range blocks {
		labels[i] = b.Label
	}
	return labels
}

func TestBlocksStandInTheOrderOfTheUser(t *testing.T) {
	w := newWorld(t)
	a, other := w.agent(), w.agent()
	one, two, three := w.block("one", "", a.ID), w.block("two", "", a.ID, other.ID), w.block("three", "", a.ID)
	w.seen()
	rev, err := w.OrderBlocks(w.ctx, a.ID, []string{three.ID, one.ID, two.ID}, byUser)
	must(t, err)
	if got := w.order(a.ID); !slices.Equal(got, []string{"three", "one", "two"}) {
		t.Errorf("the order is %v", got)
	}
	events := w.seen()
	if len(events) != 1 || events[0].Type != "order.changed" || events[0].Data["agent_id"] != a.ID || events[0].Data["revision_id"] != rev.ID {
		t.Errorf("published %+v", events)
	}
	again, err := w.OrderBlocks(w.ctx, a.ID, []string{three.ID, one.ID, two.ID}, byUser)
	must(t, err)
	wantEqual(t, "revision of nothing", again.ID, "")
	for name, ids := range map[string][]string{
		"one is missing": {one.ID, two.ID}, "one is there twice": {one.ID, one.ID, two.ID}, "one is another's": {one.ID, two.ID, w.block("four", "", other.ID).ID},
	} {
		if _, err := w.OrderBlocks(w.ctx, a.ID, ids, byUser); memory.CodeOf(err) != memory.ECONFLICT {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err = w.OrderBlocks(w.ctx, "agent-none", nil, byUser)
	wantCode(t, err, memory.ENOTFOUND)

	// A block that is detached comes back to its place, also when the detaching is undone.
	for _, back := range []func(memory.Revision) error{
		func(memory.Revision) error { _, err := w.AttachBlock(w.ctx, three.ID, a.ID, byUser); return err },
		func(detached memory.Revision) error { _, err := w.Undo(w.ctx, detached.ID, byUser); return err },
	} {
		detached, err := w.DetachBlock(w.ctx, three.ID, a.ID, byUser)
		must(t, err)
		if got := w.order(a.ID); !slices.Equal(got, []string{"one", "two"}) {
			t.Errorf("the order is %v", got)
		}
		must(t, back(detached))
		if got := w.order(a.ID); !slices.Equal(got, []string{"three", "one", "two"}) {
			t.Errorf("the order is %v", got)
		}
	}
	undo, err := w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	if got := w.order(a.ID); !slices.Equal(got, []string{"one", "two", "three"}) {
		t.Errorf("after undo the order is %v", got)
	}
	_, err = w.DeleteBlock(w.ctx, two.ID, byUser)
	must(t, err)
	_, err = w.Undo(w.ctx, undo.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
}

func TestADeletedBlockIsListedAndComesBack(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	b := w.block("notes", "Some text", a.ID)
	other := w.block("other", "", a.ID)
	for _, id := range []string{other.ID, b.ID} {
		w.pass(time.Minute)
		_, err := w.DeleteBlock(w.ctx, id, byUser)
		must(t, err)
	}
	deleted, err := w.DeletedBlocks(w.ctx, 0)
	must(t, err)
	if len(deleted) != 2 || deleted[0].ID != b.ID || deleted[0].Value != "Some text" || !deleted[0].DeletedAt.Equal(w.now()) {
		t.Fatalf("deleted blocks are %+v", deleted)
	}
	_, err = w.Undo(w.ctx, deleted[0].RevisionID, byUser)
	must(t, err)
	wantEqual(t, "value", w.value(b.ID), "Some text")
	if deleted, err = w.DeletedBlocks(w.ctx, 0); err != nil || len(deleted) != 1 {
		t.Errorf("deleted blocks are %+v, %v", deleted, err)
	}
}

func TestManyPassagesChangeWithOneUndo(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	var ids []string
	for i := range 5 {
		ids = append(ids, w.passage(a.ArchiveID, fmt.Sprintf("Passage %d about herons", i), "birds", "water").ID)
	}
	foreign := w.passage(w.agent().ArchiveID, "Herons elsewhere")
	w.seen()
	list := func(f PassageFilter) int {
		f.ArchiveID = a.ArchiveID
		found, err := w.PassageIDs(w.ctx, f)
		must(t, err)
		return len(found)
	}

	rev, n, err := w.ChangePassages(w.ctx, a.ArchiveID, append(ids[:3:3], foreign.ID, "passage-none"), memory.PassagesChange{Delete: true}, byUser, "")
	must(t, err)
	wantEqual(t, "deleted", n, 3)
	wantEqual(t, "left", list(PassageFilter{}), 2)
	wantEqual(t, "found by words", len(w.find(a, "herons")), 2)
	events := w.seen()
	if len(events) != 1 || events[0].Type != "passages.changed" || events[0].Data["count"] != 3 || events[0].Data["revision_id"] != rev.ID {
		t.Errorf("published %+v", events)
	}
	_, n, err = w.ChangePassages(w.ctx, a.ArchiveID, ids[:3], memory.PassagesChange{Delete: true}, byUser, "")
	must(t, err)
	wantEqual(t, "deleted a second time", n, 0)

	// What one of them said is in the archive again: it stays deleted, the others come back.
	w.passage(a.ArchiveID, "passage 1  ABOUT herons")
	undo, err := w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	wantEqual(t, "after undo", list(PassageFilter{}), 5)
	wantEqual(t, "found by words after undo", len(w.find(a, "herons")), 5)
	_, err = w.Undo(w.ctx, undo.ID, byUser)
	must(t, err)
	wantEqual(t, "after redo", list(PassageFilter{}), 3)
}

func TestALargeChangeIsSeveralTransactionsAndOneUndo(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	ids := make([]string, 2*bulkPart+10)
	for i := range ids {
		ids[i] = w.passage(a.ArchiveID, fmt.Sprintf("Passage %d about herons", i)).ID
	}
	left := func(f PassageFilter) int {
		f.ArchiveID = a.ArchiveID
		found, err := w.PassageIDs(w.ctx, f)
		must(t, err)
		return len(found)
	}
	w.seen()
	deletion := memory.PassagesChange{Delete: true}
	rev, n, err := w.ChangePassages(w.ctx, a.ArchiveID, ids, deletion, byUser, "")
	must(t, err)
	wantEqual(t, "deleted", n, len(ids))
	var counts []any
	for _, e := range w.seen() {
		counts = append(counts, e.Data["count"])
	}
	if want := []any{bulkPart, bulkPart, 10}; !slices.Equal(counts, want) {
		t.Errorf("transactions of %v passages, want %v", counts, want)
	}
	// In the activity an act is one row, however many transactions it takes.
	rows := func() []memory.Event {
		events, _, err := w.Events(w.ctx, EventFilter{Types: []string{"passages.changed"}})
		must(t, err)
		return events
	}
	listed := rows()
	if len(listed) != 1 || listed[0].Data["count"] != float64(len(ids)) || listed[0].Data["revision_id"] != rev.ID {
		t.Errorf("the activity lists %+v", listed)
	}
	undo, err := w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	wantEqual(t, "after undo", left(PassageFilter{}), len(ids))
	if listed = rows(); len(listed) != 2 || listed[0].Data["count"] != float64(len(ids)) || listed[0].Data["undoes"] == nil {
		t.Errorf("after undo the activity lists %+v", listed)
	}
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
	redo, err := w.Undo(w.ctx, undo.ID, byUser)
	must(t, err)
	wantEqual(t, "after redo", left(PassageFilter{}), 0)
	_, err = w.Undo(w.ctx, redo.ID, byUser)
	must(t, err)
	wantEqual(t, "after undo of the redo", left(PassageFilter{}), len(ids))

	// A change that goes on with another one is taken back with it.
	rev, _, err = w.ChangePassages(w.ctx, a.ArchiveID, ids[:bulkPart], deletion, byUser, "")
	must(t, err)
	same, n, err := w.ChangePassages(w.ctx, a.ArchiveID, ids[bulkPart:], deletion, byUser, rev.ID)
	must(t, err)
	wantEqual(t, "the act", same.ID, rev.ID)
	wantEqual(t, "deleted then", n, bulkPart+10)
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	wantEqual(t, "after undo of both", left(PassageFilter{}), len(ids))
	_, _, err = w.ChangePassages(w.ctx, a.ArchiveID, ids, deletion, byUser, rev.ID)
	wantCode(t, err, memory.ECONFLICT)
	wantEqual(t, "after going on with what is undone", left(PassageFilter{}), len(ids))

	// What cannot be done to one of them is done to none.
	many := make([]string, memory.MaxTags)
	for i := range many {
		many[i] = fmt.Sprint("tag ", i)
	}
	_, _, err = w.UpdatePassage(w.ctx, ids[len(ids)-1], memory.PassageChange{Tags: &[]string{"mine"}}, byUser)
	must(t, err)
	_, _, err = w.ChangePassages(w.ctx, a.ArchiveID, ids, memory.PassagesChange{AddTags: many}, byUser, "")
	wantCode(t, err, memory.ELIMIT)
	wantEqual(t, "tagged", left(PassageFilter{Tags: many[:1]}), 0)

	// Where one has changed since, nothing is undone.
	rev, _, err = w.ChangePassages(w.ctx, a.ArchiveID, ids, memory.PassagesChange{AddTags: []string{"birds"}}, byUser, "")
	must(t, err)
	_, _, err = w.UpdatePassage(w.ctx, ids[bulkPart], memory.PassageChange{Tags: &[]string{"mine"}}, byUser)
	must(t, err)
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
	wantEqual(t, "tagged", left(PassageFilter{Tags: []string{"birds"}}), len(ids)-1)
}

func TestManyPassagesAreTaggedWithOneUndo(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	heron := w.passage(a.ArchiveID, "The heron stands still", "birds", "water")
	comet := w.passage(a.ArchiveID, "Comet is a bicycle", "things")
	both := []string{heron.ID, comet.ID}
	change := memory.PassagesChange{AddTags: []string{"2026", "things"}, RemoveTags: []string{"water"}}
	rev, n, err := w.ChangePassages(w.ctx, a.ArchiveID, both, change, byUser, "")
	must(t, err)
	wantEqual(t, "changed", n, 2)
	tags := func(id string) string {
		p, err := w.Passage(w.ctx, id)
		must(t, err)
		return strings.Join(p.Tags, " ")
	}
	wantEqual(t, "tags", tags(heron.ID), "birds 2026 things")
	wantEqual(t, "tags", tags(comet.ID), "things 2026")
	wantEqual(t, "found by the new tag", len(w.find(a, "2026")), 2)
	counts, err := w.PassageTags(w.ctx, a.ArchiveID)
	must(t, err)
	if want := []TagCount{{"2026", 2}, {"things", 2}, {"birds", 1}}; !slices.Equal(counts, want) {
		t.Errorf("tags are %v, want %v", counts, want)
	}
	undo, err := w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	wantEqual(t, "tags after undo", tags(heron.ID), "birds water")
	_, _, err = w.UpdatePassage(w.ctx, comet.ID, memory.PassageChange{Tags: &[]string{"mine"}}, byUser)
	must(t, err)
	_, err = w.Undo(w.ctx, undo.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
	wantEqual(t, "tags that the user changed since", tags(comet.ID), "mine")

	many := make([]string, memory.MaxTags)
	for i := range many {
		many[i] = fmt.Sprint("tag ", i)
	}
	_, _, err = w.ChangePassages(w.ctx, a.ArchiveID, both, memory.PassagesChange{AddTags: many}, byUser, "")
	wantCode(t, err, memory.ELIMIT)
	wantEqual(t, "tags after a change that failed", tags(heron.ID), "birds water")
}

func TestPassagesAreListedByOrigin(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	m := w.say(c.ID, memory.RoleUser, "My bicycle is called Comet")
	told, _, err := w.CreatePassage(w.ctx, memory.Passage{ArchiveID: a.ArchiveID, Text: "Comet is a bicycle", Origin: m.ID}, byModel)
	must(t, err)
	written := w.passage(a.ArchiveID, "By hand")
	for origin, want := range map[string][]string{OriginMessage: {told.ID}, OriginHand: {written.ID}, "": {written.ID, told.ID}} {
		ids, err := w.PassageIDs(w.ctx, PassageFilter{ArchiveID: a.ArchiveID, Origin: origin})
		must(t, err)
		slices.Sort(ids)
		slices.Sort(want)
		if !slices.Equal(ids, want) {
			t.Errorf("origin %q: %v, want %v", origin, ids, want)
		}
	}
	found, err := w.PassagesByID(w.ctx, []string{written.ID, "passage-none", told.ID, told.ID})
	must(t, err)
	if len(found) != 2 || found[0].ID != written.ID || found[1].ID != told.ID {
		t.Fatalf("found %+v", found)
	}
	wantEqual(t, "conversation of the origin", found[1].OriginConversation, c.ID)
	wantEqual(t, "conversation of no origin", found[0].OriginConversation, "")
}

func TestActivityIsFiltered(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	start := w.now()
	w.pass(time.Hour)
	b := w.block("notes", "", a.ID)
	_, changed, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("The bicycle \"Comet\" & 100% of it")}, byModel)
	must(t, err)
	p := w.passage(a.ArchiveID, "我的猫叫年糕")
	w.pass(time.Hour)
	failed, err := w.RecordEvent(w.ctx, memory.Event{Type: "turn.failed", Data: map[string]any{
		"conversation_id": c.ID, "problem": memory.Problem{Code: memory.EENGINE, Message: "the engine is gone"},
	}})
	must(t, err)
	// One that happened long ago and is recorded now stands where it belongs.
	old, err := w.RecordEvent(w.ctx, memory.Event{Type: "window.evicted", At: start.AddDate(0, 0, -9), Data: map[string]any{"conversation_id": c.ID}})
	must(t, err)

	types := func(f EventFilter) []string {
		t.Helper()
		list := []string{}
		for {
			events, next, err := w.Events(w.ctx, f)
			must(t, err)
			for _, ev := range events {
				list = append(list, ev.Type)
			}
			if f.Cursor = next; next == "" {
				return list
			}
		}
	}
	all := types(EventFilter{Limit: 2})
	if len(all) < 6 || all[0] != failed.Type || all[len(all)-1] != old.Type {
		t.Errorf("all events: %v", all)
	}
	for name, c := range map[string]struct {
		f    EventFilter
		want []string
	}{
		"who: the model":            {EventFilter{Actor: memory.ActorModel}, []string{"block.changed"}},
		"who: the system":           {EventFilter{Actor: memory.ActorSystem}, []string{"turn.failed", "window.evicted"}},
		"a word of the change":      {EventFilter{Query: "comet"}, []string{"block.changed"}},
		"signs that JSON escapes":   {EventFilter{Query: `"Comet" & 100%`}, []string{"block.changed"}},
		"signs of a pattern":        {EventFilter{Query: "100_ of"}, []string{}},
		"a label":                   {EventFilter{Query: "NOTES"}, []string{"block.changed", "block.changed"}},
		"Chinese":                   {EventFilter{Query: "年糕"}, []string{"passage.changed"}},
		"a problem":                 {EventFilter{Query: "engine is"}, []string{"turn.failed"}},
		"a reason":                  {EventFilter{Query: "learnt"}, []string{"block.changed"}},
		"not the names of fields":   {EventFilter{Query: "revision_id"}, []string{}},
		"a time":                    {EventFilter{After: start.Add(30 * time.Minute), Before: start.Add(90 * time.Minute)}, []string{"passage.changed", "block.changed", "block.changed"}},
		"type and actor":            {EventFilter{Types: []string{"block.changed"}, Actor: memory.ActorUser}, []string{"block.changed"}},
		"the agent of the archive":  {EventFilter{AgentID: a.ID, Types: []string{"passage.changed"}}, []string{"passage.changed"}},
		"of a conversation, by day": {EventFilter{ConversationID: c.ID, Before: start}, []string{"window.evicted"}},
	} {
		if got := types(c.f); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	// A search looks at so many at a time, and says where it goes on.
	for range searchedEvents {
		_, err := w.RecordEvent(w.ctx, memory.Event{Type: "window.evicted", Data: map[string]any{"conversation_id": c.ID}})
		must(t, err)
	}
	first, next, err := w.Events(w.ctx, EventFilter{Query: "comet"})
	must(t, err)
	if len(first) > 0 || next == "" {
		t.Errorf("the first look finds %d, and goes on at %q", len(first), next)
	}
	wantEqual(t, "found in the end", len(types(EventFilter{Query: "comet"})), 1)
	_, _, err = w.Events(w.ctx, EventFilter{Cursor: "nonsense"})
	wantCode(t, err, memory.EINVALID)
	events, _, err := w.Events(w.ctx, EventFilter{Actor: memory.ActorModel})
	must(t, err)
	wantEqual(t, "the revision", events[0].Data["revision_id"], any(changed.ID))
	created, _, err := w.Events(w.ctx, EventFilter{Types: []string{"passage.changed"}})
	must(t, err)
	if d := created[0].Data; d["created"] != true || d["label"] != p.Text {
		t.Errorf("the event of a new passage says %v", d)
	}
}
