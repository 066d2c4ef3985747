package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"recollect/backend/memory"
)

func ptr[T any](v T) *T { return &v }

var byModel = memory.Cause{Actor: memory.ActorModel, Reason: "learnt"}

func (w *world) value(id string) string {
	w.t.Helper()
	b, err := w.Block(w.ctx, id)
	must(w.t, err)
	return b.Value
}

func TestChangeOfABlockLeavesRevisionAndEvent(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	m := w.say(c.ID, memory.RoleUser, "I moved to Rome")
	b := w.block("human", "Lives in Paris", a.ID)
	w.seen()
	cause := memory.Cause{
		Actor: memory.ActorModel, Reason: "moved", AgentID: a.ID, ConversationID: c.ID, MessageID: m.ID, Start: 2, End: 15, ToolCallID: "call-1",
	}
	after, rev, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("Lives in Rome")}, cause)
	must(t, err)
	wantEqual(t, "version", after.Version, 2)
	stored, err := w.Revision(w.ctx, rev.ID)
	must(t, err)
	wantEqual(t, "cause", stored.Cause, cause)
	var before, now memory.Block
	must(t, json.Unmarshal([]byte(stored.Before), &before))
	must(t, json.Unmarshal([]byte(stored.After), &now))
	wantEqual(t, "before", before.Value, "Lives in Paris")
	wantEqual(t, "after", now.Value, "Lives in Rome")
	events := w.seen()
	if len(events) != 1 || events[0].Type != "block.changed" || events[0].Data["revision_id"] != rev.ID || events[0].Data["message_id"] != m.ID {
		t.Fatalf("published %+v", events)
	}
	kept, _, err := w.Events(w.ctx, EventFilter{Types: []string{"block.changed"}, AgentID: a.ID, Limit: 1})
	must(t, err)
	wantEqual(t, "the durable event", kept[0].ID, events[0].ID)
	path, err := w.Path(w.ctx, m.ID, 0, "")
	must(t, err)
	if !slices.Equal(path[0].RevisionIDs, []string{rev.ID}) {
		t.Errorf("the message names revisions %v", path[0].RevisionIDs)
	}
}

func TestNothingIsStoredOrPublishedWhenAChangeFails(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	b := w.block("human", "text", a.ID)
	w.block("notes", "", a.ID)
	w.seen()
	_, _, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("new"), Label: ptr("Notes")}, byUser)
	wantCode(t, err, memory.ECONFLICT)
	wantEqual(t, "value", w.value(b.ID), "text")
	wantEqual(t, "events", len(w.seen()), 0)
	revs, _, err := w.Revisions(w.ctx, RevisionFilter{SubjectID: b.ID})
	must(t, err)
	wantEqual(t, "revisions", len(revs), 1)
}

// Each way to write a block's value.
func TestLimitOfABlockHoldsOnEveryPath(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	long := strings.Repeat("字", 11)
	_, _, err := w.CreateBlock(w.ctx, memory.Block{Label: "new", Value: long, Limit: 10}, nil, byUser)
	wantCode(t, err, memory.ELIMIT)
	b, _, err := w.CreateBlock(w.ctx, memory.Block{Label: "notes", Value: long[3:], Limit: 10}, []string{a.ID}, byUser)
	must(t, err)
	for name, change := range map[string]memory.BlockChange{
		"value": {Value: &long}, "smaller limit": {Limit: ptr(9)}, "both": {Value: ptr(long + "x"), Limit: ptr(11)},
	} {
		for _, actor := range []memory.Actor{memory.ActorUser, memory.ActorModel, memory.ActorSystem, memory.ActorImport} {
			_, _, err := w.UpdateBlock(w.ctx, b.ID, change, memory.Cause{Actor: actor})
			var e *memory.Error
			if !errors.As(err, &e) || e.Code != memory.ELIMIT || e.Actual <= e.Limit {
				t.Errorf("%s by %s: %v", name, actor, err)
			}
		}
	}
	// Undo is a path too: it may not bring back a value over today's limit.
	_, rev, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("short")}, byUser)
	must(t, err)
	_, _, err = w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Limit: ptr(5)}, byUser)
	must(t, err)
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
	wantEqual(t, "value", w.value(b.ID), "short")
}

func TestBlockInputs(t *testing.T) {
	w := newWorld(t)
	b, _, err := w.CreateBlock(w.ctx, memory.Block{
		Label: " 我的 notes-1_é ", Value: "a\x00b\xff\xed\xa0\x80 שלום 👩‍👩‍👧", Tags: []string{" x ", "x", "", "y"},
	}, nil, byUser)
	must(t, err)
	b, err = w.Block(w.ctx, b.ID)
	must(t, err)
	wantEqual(t, "label", b.Label, "我的 notes-1_é")
	wantEqual(t, "value", b.Value, "ab\uFFFD שלום 👩‍👩‍👧")
	wantEqual(t, "limit", b.Limit, memory.DefaultBlockLimit)
	if !slices.Equal(b.Tags, []string{"x", "y"}) {
		t.Errorf("tags are %q", b.Tags)
	}
	for name, bad := range map[string]memory.Block{
		"no label": {}, "blank label": {Label: " "}, "sign": {Label: "a/b"}, "line": {Label: "a\nb"}, "negative": {Label: "a", Limit: -1},
	} {
		if _, _, err := w.CreateBlock(w.ctx, bad, nil, byUser); memory.CodeOf(err) != memory.EINVALID {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, bad := range map[string]memory.Block{
		"label": {Label: strings.Repeat("x", memory.MaxLabelChars+1)},
		"limit": {Label: "a", Limit: memory.MaxBlockLimit + 1},
		"tags":  {Label: "a", Tags: numbers(memory.MaxTags + 1)},
	} {
		if _, _, err := w.CreateBlock(w.ctx, bad, nil, byUser); memory.CodeOf(err) != memory.ELIMIT {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func numbers(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint(i)
	}
	return out
}

func TestReadOnlyBlockIsClosedToTheModelOnly(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	b := w.block("persona", "kind", a.ID)
	_, rev, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{ReadOnly: ptr(true)}, byUser)
	must(t, err)
	for name, change := range map[string]func() error{
		"update": func() error {
			_, _, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("x")}, byModel)
			return err
		},
		"unlock": func() error {
			_, _, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{ReadOnly: ptr(false)}, byModel)
			return err
		},
		"delete": func() error { _, err := w.DeleteBlock(w.ctx, b.ID, byModel); return err },
		"detach": func() error { _, err := w.DetachBlock(w.ctx, b.ID, a.ID, byModel); return err },
		"undo":   func() error { _, err := w.Undo(w.ctx, rev.ID, byModel); return err },
	} {
		if err := change(); memory.CodeOf(err) != memory.EREADONLY {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, _, err = w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("kinder")}, byUser)
	must(t, err)
}

func TestTheNextBlockAfterTheLastIsRefused(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	for i := range memory.MaxBlocksPerAgent {
		w.block(fmt.Sprint("block ", i), "", a.ID)
	}
	_, _, err := w.CreateBlock(w.ctx, memory.Block{Label: "one more"}, []string{a.ID}, byUser)
	wantCode(t, err, memory.ELIMIT)
	free := w.block("free", "")
	_, err = w.AttachBlock(w.ctx, free.ID, a.ID, byUser)
	wantCode(t, err, memory.ELIMIT)
	blocks, err := w.Blocks(w.ctx, a.ID)
	must(t, err)
	wantEqual(t, "blocks", len(blocks), memory.MaxBlocksPerAgent)
	// Taking back a deletion when its place is taken.
	rev, err := w.DeleteBlock(w.ctx, blocks[3].ID, byUser)
	must(t, err)
	_, err = w.AttachBlock(w.ctx, free.ID, a.ID, byUser)
	must(t, err)
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	wantCode(t, err, memory.ELIMIT)
}

func TestBlocksOfAnAgent(t *testing.T) {
	w := newWorld(t)
	a, other := w.agent(), w.agent()
	zebra, human, persona := w.block("zebra", "", a.ID), w.block("human", "", a.ID), w.block("persona", "", a.ID)
	shared := w.block("shared", "", other.ID)
	_, err := w.AttachBlock(w.ctx, shared.ID, a.ID, byUser)
	must(t, err)
	again, err := w.AttachBlock(w.ctx, shared.ID, a.ID, byUser)
	must(t, err)
	wantEqual(t, "revision of nothing", again.ID, "")
	blocks, err := w.Blocks(w.ctx, a.ID)
	must(t, err)
	var ids []string
	for _, b := range blocks {
		ids = append(ids, b.ID)
	}
	if want := []string{zebra.ID, human.ID, persona.ID, shared.ID}; !slices.Equal(ids, want) {
		t.Errorf("blocks are %v, want %v", ids, want)
	}
	_, _, err = w.CreateBlock(w.ctx, memory.Block{Label: "Human"}, []string{a.ID}, byUser)
	wantCode(t, err, memory.ECONFLICT)
	clash := w.block("SHARED", "")
	_, err = w.AttachBlock(w.ctx, clash.ID, a.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
	// Renaming a shared block must suit all its agents.
	w.block("taken", "", other.ID)
	_, _, err = w.UpdateBlock(w.ctx, shared.ID, memory.BlockChange{Label: ptr("taken")}, byUser)
	wantCode(t, err, memory.ECONFLICT)
}

func TestDeletingAnAgentLeavesWhatItShares(t *testing.T) {
	w := newWorld(t)
	a, b := w.agent(), w.agent()
	shared := w.block("shared", "text", a.ID, b.ID)
	c := w.conversation(a)
	must(t, w.DeleteAgent(w.ctx, a.ID, byUser))
	_, err := w.Agent(w.ctx, a.ID)
	wantCode(t, err, memory.ENOTFOUND)
	blocks, err := w.Blocks(w.ctx, b.ID)
	must(t, err)
	if len(blocks) != 1 || blocks[0].ID != shared.ID || blocks[0].Value != "text" {
		t.Errorf("the other agent has %+v", blocks)
	}
	agents, err := w.BlockAgents(w.ctx, shared.ID)
	must(t, err)
	if !slices.Equal(agents, []string{b.ID}) {
		t.Errorf("the block belongs to %v", agents)
	}
	list, _, err := w.Conversations(w.ctx, ConversationFilter{})
	must(t, err)
	wantEqual(t, "conversations", len(list), 0)
	_, err = w.Conversation(w.ctx, c.ID)
	must(t, err)
	wantCode(t, w.DeleteAgent(w.ctx, b.ID, byUser), memory.ECONFLICT) // the last one stays
}

func TestADeletedAgentComesBackWhole(t *testing.T) {
	w := newWorld(t)
	a, b := w.agent(), w.agent()
	own, shared := w.block("own", "mine", a.ID), w.block("shared", "text", a.ID, b.ID)
	c := w.conversation(a)
	must(t, w.DeleteAgent(w.ctx, a.ID, byUser))
	deleted, err := w.DeletedAgents(w.ctx)
	must(t, err)
	if len(deleted) != 1 || deleted[0].ID != a.ID || deleted[0].DeletedAt.IsZero() {
		t.Errorf("deleted are %+v", deleted)
	}
	// Meanwhile the shared block gets the name of another one of its.
	_, _, err = w.UpdateBlock(w.ctx, shared.ID, memory.BlockChange{Label: ptr("own")}, byUser)
	must(t, err)
	back, err := w.RestoreAgent(w.ctx, a.ID, byUser)
	must(t, err)
	wantEqual(t, "name", back.Name, a.Name)
	wantEqual(t, "deleted", back.DeletedAt.IsZero(), true)
	blocks, err := w.Blocks(w.ctx, a.ID)
	must(t, err)
	if len(blocks) != 1 || blocks[0].ID != own.ID {
		t.Errorf("its blocks are %+v", blocks)
	}
	list, _, err := w.Conversations(w.ctx, ConversationFilter{AgentID: a.ID})
	must(t, err)
	if len(list) != 1 || list[0].ID != c.ID {
		t.Errorf("its conversations are %+v", list)
	}
	_, err = w.RestoreAgent(w.ctx, a.ID, byUser)
	wantCode(t, err, memory.ENOTFOUND)
}

func TestAClonedAgentHasTheBlocksOrCopiesOfThem(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	_, err := w.UpdateAgent(w.ctx, a.ID, func(a *memory.Agent) error {
		a.Model, a.ToolsOff = "small", []string{"memory_rethink"}
		return nil
	})
	must(t, err)
	notes := w.block("notes", "one", a.ID)
	w.conversation(a)
	for _, shared := range []bool{true, false} {
		clone, err := w.CloneAgent(w.ctx, a.ID, "Clone", shared, byUser)
		must(t, err)
		wantEqual(t, "name", clone.Name, "Clone")
		wantEqual(t, "model", clone.Model, "small")
		wantEqual(t, "tools", strings.Join(clone.ToolsOff, ","), "memory_rethink")
		wantEqual(t, "an archive of its own", clone.ArchiveID != a.ArchiveID, true)
		blocks, err := w.Blocks(w.ctx, clone.ID)
		must(t, err)
		if len(blocks) != 1 || blocks[0].Value != "one" || (blocks[0].ID == notes.ID) != shared {
			t.Errorf("shared %v: its blocks are %+v", shared, blocks)
		}
		list, _, err := w.Conversations(w.ctx, ConversationFilter{AgentID: clone.ID})
		must(t, err)
		wantEqual(t, "conversations", len(list), 0)
	}
	_, err = w.CloneAgent(w.ctx, "agent-none", "Clone", true, byUser)
	wantCode(t, err, memory.ENOTFOUND)
	_, err = w.CloneAgent(w.ctx, a.ID, " ", true, byUser)
	wantCode(t, err, memory.EINVALID)
}

func TestUndoAndRedo(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	b := w.block("notes", "1", a.ID)
	var revs []memory.Revision
	for _, v := range []string{"2", "3"} {
		_, rev, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr(v)}, byUser)
		must(t, err)
		revs = append(revs, rev)
	}
	undo := func(rev memory.Revision, want string) memory.Revision {
		t.Helper()
		u, err := w.Undo(w.ctx, rev.ID, byUser)
		must(t, err)
		wantEqual(t, "value", w.value(b.ID), want)
		wantEqual(t, "what it undoes", u.Undoes, rev.ID)
		return u
	}
	_, err := w.Undo(w.ctx, revs[0].ID, byUser)
	wantCode(t, err, memory.ECONFLICT) // 3 came later
	u2 := undo(revs[1], "2")
	u1 := undo(revs[0], "1")
	_, err = w.Undo(w.ctx, revs[0].ID, byUser)
	wantCode(t, err, memory.ECONFLICT) // undone already
	undo(u1, "2")
	undo(u2, "3")
	first, err := w.Revision(w.ctx, revs[0].ID)
	must(t, err)
	wantEqual(t, "undone by", first.UndoneBy, u1.ID)
	got, err := w.Block(w.ctx, b.ID)
	must(t, err)
	wantEqual(t, "version", got.Version, 7)
	_, _, err = w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("x"), IfVersion: 6}, byUser)
	wantCode(t, err, memory.ECONFLICT)
	_, same, err := w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("3")}, byUser)
	must(t, err)
	wantEqual(t, "revision of nothing", same.ID, "")
}

func TestUndoOfCreationDeletionAndAttachment(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	b, created, err := w.CreateBlock(w.ctx, memory.Block{Label: "notes", Value: "v"}, []string{a.ID}, byUser)
	must(t, err)
	has := func(want bool) {
		t.Helper()
		blocks, err := w.Blocks(w.ctx, a.ID)
		must(t, err)
		wantEqual(t, "attached", len(blocks) == 1 && blocks[0].ID == b.ID && blocks[0].Value == "v", want)
	}
	has(true)
	gone, err := w.Undo(w.ctx, created.ID, byUser)
	must(t, err)
	has(false)
	_, err = w.Undo(w.ctx, gone.ID, byUser)
	must(t, err)
	has(true)
	deleted, err := w.DeleteBlock(w.ctx, b.ID, byUser)
	must(t, err)
	has(false)
	_, err = w.Block(w.ctx, b.ID)
	wantCode(t, err, memory.ENOTFOUND)
	_, err = w.Undo(w.ctx, deleted.ID, byUser)
	must(t, err)
	has(true)
	detached, err := w.DetachBlock(w.ctx, b.ID, a.ID, byUser)
	must(t, err)
	has(false)
	attached, err := w.Undo(w.ctx, detached.ID, byUser)
	must(t, err)
	has(true)
	_, err = w.Undo(w.ctx, attached.ID, byUser)
	must(t, err)
	has(false)
}

func TestPassageIsStoredOnce(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	p := w.passage(a.ArchiveID, "The cat likes fish", "pets")
	for _, same := range []string{"The cat likes fish", "  the CAT\nlikes   fish "} {
		again, rev, err := w.CreatePassage(w.ctx, memory.Passage{ArchiveID: a.ArchiveID, Text: same}, byModel)
		must(t, err)
		wantEqual(t, "the same passage", again.ID, p.ID)
		wantEqual(t, "revision", rev.ID, "")
	}
	list, _, err := w.ListPassages(w.ctx, PassageFilter{ArchiveID: a.ArchiveID})
	must(t, err)
	wantEqual(t, "passages", len(list), 1)
	other := w.passage(a.ArchiveID, "The dog likes bones")
	_, _, err = w.UpdatePassage(w.ctx, other.ID, memory.PassageChange{Text: ptr("the cat likes fish")}, byUser)
	wantCode(t, err, memory.ECONFLICT)
	// A deleted text may be written again; then the deletion cannot be taken back beside it.
	rev, err := w.DeletePassage(w.ctx, p.ID, byUser)
	must(t, err)
	wantEqual(t, "found", len(w.find(a, "fish")), 0)
	w.passage(a.ArchiveID, "the cat likes fish")
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
}

func TestSeveralPassagesAreStoredAllOrNone(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	old := w.passage(a.ArchiveID, "known")
	w.seen()
	ps := []memory.Passage{{ArchiveID: a.ArchiveID, Text: "one"}, {ArchiveID: a.ArchiveID, Text: "Known"}, {ArchiveID: a.ArchiveID, Text: "one"}}
	got, err := w.CreatePassages(w.ctx, ps, byUser)
	must(t, err)
	wantEqual(t, "the known one", got[1].ID, old.ID)
	wantEqual(t, "the second same one", got[2].ID, got[0].ID)
	wantEqual(t, "events", len(w.seen()), 1)
	_, err = w.CreatePassages(w.ctx, []memory.Passage{{ArchiveID: a.ArchiveID, Text: "two"}, {ArchiveID: a.ArchiveID}}, byUser)
	wantCode(t, err, memory.EINVALID)
	list, _, err := w.ListPassages(w.ctx, PassageFilter{ArchiveID: a.ArchiveID})
	must(t, err)
	wantEqual(t, "passages", len(list), 2)
	wantEqual(t, "found", len(w.find(a, "two")), 0)
}

func TestPassageChangesAndUndo(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	p := w.passage(a.ArchiveID, "Grandmother lives in Oslo", "family")
	q, rev, err := w.UpdatePassage(w.ctx, p.ID, memory.PassageChange{Text: ptr("Grandmother lives in Bergen"), Tags: &[]string{"moved"}}, byUser)
	must(t, err)
	wantEqual(t, "version", q.Version, 2)
	wantEqual(t, "created", q.CreatedAt, p.CreatedAt)
	wantEqual(t, "old words found", len(w.find(a, "oslo")), 0)
	wantEqual(t, "new words found", len(w.find(a, "bergen")), 1)
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	wantEqual(t, "old words found", len(w.find(a, "oslo")), 1)
	list, _, err := w.ListPassages(w.ctx, PassageFilter{ArchiveID: a.ArchiveID, Tags: []string{"family"}})
	must(t, err)
	wantEqual(t, "with the old tag", len(list), 1)
	for text, code := range map[string]memory.Code{
		"": memory.EINVALID, " \x00 ": memory.EINVALID, strings.Repeat("x", memory.MaxPassageChars+1): memory.ELIMIT,
	} {
		_, _, err := w.CreatePassage(w.ctx, memory.Passage{ArchiveID: a.ArchiveID, Text: text}, byUser)
		wantCode(t, err, code)
		_, _, err = w.UpdatePassage(w.ctx, p.ID, memory.PassageChange{Text: &text}, byUser)
		wantCode(t, err, code)
	}
}

func TestPassagesComeInPagesNewestFirst(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	var want []string
	for i := range 7 {
		if i%2 == 0 { // some at the same moment
			w.pass(1e9)
		}
		want = append([]string{w.passage(a.ArchiveID, fmt.Sprint("text ", i)).ID}, want...)
	}
	var got []string
	cursor := ""
	for {
		page, next, err := w.ListPassages(w.ctx, PassageFilter{ArchiveID: a.ArchiveID, Limit: 2, Cursor: cursor})
		must(t, err)
		for _, p := range page {
			got = append(got, p.ID)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("pages hold %v, want %v", got, want)
	}
	_, _, err := w.ListPassages(w.ctx, PassageFilter{ArchiveID: a.ArchiveID, Cursor: "nonsense"})
	wantCode(t, err, memory.EINVALID)
}

func TestRevisionsOfAnAgent(t *testing.T) {
	w := newWorld(t)
	a, other := w.agent(), w.agent()
	b := w.block("human", "", a.ID)
	w.block("human", "", other.ID)
	p := w.passage(a.ArchiveID, "text")
	events, _, err := w.Events(w.ctx, EventFilter{AgentID: a.ID, Types: []string{"passage.changed"}})
	must(t, err)
	wantEqual(t, "events of the archive", len(events), 1)
	revs, next, err := w.Revisions(w.ctx, RevisionFilter{AgentID: a.ID, Limit: 1})
	must(t, err)
	wantEqual(t, "newest", revs[0].SubjectID, p.ID)
	revs, next, err = w.Revisions(w.ctx, RevisionFilter{AgentID: a.ID, Limit: 1, Cursor: next})
	must(t, err)
	wantEqual(t, "oldest", revs[0].SubjectID, b.ID)
	wantEqual(t, "end", next, "")
	_, _, err = w.Revisions(w.ctx, RevisionFilter{Cursor: "nonsense"})
	wantCode(t, err, memory.EINVALID)
	_, _, err = w.Events(w.ctx, EventFilter{Cursor: "nonsense"})
	wantCode(t, err, memory.EINVALID)
}

func TestSettings(t *testing.T) {
	w := newWorld(t)
	must(t, w.SetSetting(w.ctx, "language", json.RawMessage(`"zh"`)))
	must(t, w.SetSetting(w.ctx, "window", json.RawMessage(`8192`)))
	must(t, w.SetSetting(w.ctx, "window", json.RawMessage(`null`)))
	wantCode(t, w.SetSetting(w.ctx, "theme", json.RawMessage(`{`)), memory.EINVALID)
	w.reopen()
	got, err := w.Settings(w.ctx)
	must(t, err)
	if len(got) != 1 || string(got["language"]) != `"zh"` {
		t.Errorf("settings are %s", got)
	}
}

func TestChangesOfOneAgentAtTheSameTimeAllStay(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			_, err := w.UpdateAgent(w.ctx, a.ID, func(a *memory.Agent) error { a.MaxSteps++; return nil })
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got, err := w.Agent(w.ctx, a.ID)
	must(t, err)
	wantEqual(t, "changes", got.MaxSteps, a.MaxSteps+20)
	refused := errors.New("no")
	if _, err := w.UpdateAgent(w.ctx, a.ID, func(a *memory.Agent) error { a.MaxSteps = 1; return refused }); !errors.Is(err, refused) {
		t.Errorf("the error of a refused change is %v", err)
	}
	got, err = w.Agent(w.ctx, a.ID)
	must(t, err)
	wantEqual(t, "changes after a refused one", got.MaxSteps, a.MaxSteps+20)
}

func TestSettingsAreStoredAllOrNone(t *testing.T) {
	w := newWorld(t)
	must(t, w.SetSettings(w.ctx, map[string]json.RawMessage{"a": json.RawMessage("1"), "b": json.RawMessage("2")}))
	wantCode(t, w.SetSettings(w.ctx, map[string]json.RawMessage{"a": json.RawMessage("9"), "c": json.RawMessage("{")}), memory.EINVALID)
	must(t, w.SetSettings(w.ctx, map[string]json.RawMessage{"b": json.RawMessage(" null ")}))
	got, err := w.Settings(w.ctx)
	must(t, err)
	wantEqual(t, "settings", encode(got), `{"a":1}`)
}

func TestABlockTakesThePlaceOfTheOneOfItsLabel(t *testing.T) {
	w := newWorld(t)
	a, other := w.agent(), w.agent()
	own, last, shared := w.block("human", "Own.", a.ID), w.block("last", "", a.ID), w.block("Human", "Called Mei.", other.ID)
	has := func(what string, want ...string) {
		t.Helper()
		blocks, err := w.Blocks(w.ctx, a.ID)
		must(t, err)
		var ids []string
		for _, b := range blocks {
			ids = append(ids, b.ID)
		}
		if !slices.Equal(ids, want) {
			t.Errorf("%s: the agent has %v, want %v", what, ids, want)
		}
	}
	rev, err := w.AttachInPlace(w.ctx, shared.ID, a.ID, byUser)
	must(t, err)
	wantEqual(t, "what was attached", rev.SubjectID, shared.ID)
	has("in its place", shared.ID, last.ID)
	kept, err := w.Block(w.ctx, own.ID)
	must(t, err)
	wantEqual(t, "the one detached", kept.Value, "Own.")
	again, err := w.AttachInPlace(w.ctx, shared.ID, a.ID, byUser)
	must(t, err)
	wantEqual(t, "revision of nothing", again.ID, "")

	// Whichever part of it is taken back, all of it is; and so again and again.
	back, err := w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	has("undone", own.ID, last.ID)
	back, err = w.Undo(w.ctx, back.ID, byUser)
	must(t, err)
	has("done again", shared.ID, last.ID)
	_, err = w.Undo(w.ctx, back.ID, byUser)
	must(t, err)
	has("undone again", own.ID, last.ID)
	_, err = w.AttachInPlace(w.ctx, shared.ID, a.ID, byUser)
	must(t, err)
	revs, _, err := w.Revisions(w.ctx, RevisionFilter{SubjectID: own.ID, Limit: 1})
	must(t, err)
	_, err = w.Undo(w.ctx, revs[0].ID, byUser)
	must(t, err)
	has("undone by its other part", own.ID, last.ID)

	// A detachment is not taken back while another block has the label.
	rev, err = w.DetachBlock(w.ctx, own.ID, a.ID, byUser)
	must(t, err)
	_, err = w.AttachInPlace(w.ctx, shared.ID, a.ID, byUser)
	must(t, err)
	has("where it was", shared.ID, last.ID)
	_, err = w.Undo(w.ctx, rev.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
	has("as it was", shared.ID, last.ID)
	_, err = w.AttachInPlace(w.ctx, "block-none", a.ID, byUser)
	wantCode(t, err, memory.ENOTFOUND)
	_, err = w.AttachInPlace(w.ctx, shared.ID, "agent-none", byUser)
	wantCode(t, err, memory.ENOTFOUND)
}
