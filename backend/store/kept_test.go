package store

import (
	"fmt"
	"testing"

	"recollect/backend/memory"
)

func TestMessagesBeforeOneAreCounted(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	parent, ids := "", []string{}
	for i := range 6 {
		role := memory.RoleUser
		if i%2 == 1 {
			role = memory.RoleAssistant
		}
		m, err := w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, ParentID: parent, Role: role, Content: fmt.Sprint("message ", i)})
		must(t, err)
		parent, ids = m.ID, append(ids, m.ID)
	}
	for i, want := range []struct{ messages, turns int }{{0, 0}, {1, 1}, {2, 1}, {3, 2}, {4, 2}, {5, 3}} {
		messages, turns, err := w.Before(w.ctx, ids[i])
		must(t, err)
		if messages != want.messages || turns != want.turns {
			t.Errorf("before message %d: %d messages, %d turns", i, messages, turns)
		}
	}
	got, err := w.MessagesNamed(w.ctx, []string{ids[4], "message-gone", ids[1]})
	must(t, err)
	if len(got) != 2 || got[0].ID != ids[1] || got[1].Content != "message 4" {
		t.Errorf("%+v", got)
	}
}

func TestAResultIsFoundByTheEndOfItsID(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c, other := w.conversation(a), w.conversation(a)
	m, err := w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, Role: memory.RoleUser, Content: "hi"})
	must(t, err)
	r, err := w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, ParentID: m.ID, Role: memory.RoleTool, Content: "found", ToolName: "x", ToolCallID: "1"})
	must(t, err)
	end := r.ID[len(r.ID)-8:]
	got, err := w.ToolResult(w.ctx, c.ID, end)
	must(t, err)
	if got.Content != "found" {
		t.Errorf("%+v", got)
	}
	for _, id := range []string{other.ID, c.ID} {
		name := end
		if id == c.ID {
			name = "%"
		}
		if _, err := w.ToolResult(w.ctx, id, name); memory.CodeOf(err) != memory.ENOTFOUND {
			t.Errorf("%s %s: %v", id, name, err)
		}
	}
}

// What the user put into a window goes with its agent, and comes along with a database that is taken in.
func TestPages(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	p := memory.PageIn{ConversationID: c.ID, Kind: memory.ItemPassage, ID: "passage-1", Pinned: true}
	p, err := w.SavePage(w.ctx, p)
	must(t, err)
	p.Pinned = false
	_, err = w.SavePage(w.ctx, p)
	must(t, err)
	pages, err := w.Pages(w.ctx, c.ID)
	must(t, err)
	if len(pages) != 1 || pages[0].Pinned || pages[0].CreatedAt.IsZero() {
		t.Errorf("%+v", pages)
	}
	must(t, w.DeletePage(w.ctx, c.ID, memory.ItemPassage, "passage-1"))
	if pages, err = w.Pages(w.ctx, c.ID); err != nil || len(pages) != 0 {
		t.Errorf("%+v, %v", pages, err)
	}
	if _, err := w.SavePage(w.ctx, memory.PageIn{ConversationID: "conversation-gone", Kind: memory.ItemPassage, ID: "x"}); memory.CodeOf(err) != memory.ENOTFOUND {
		t.Errorf("%v", err)
	}
}

func TestErasingAnAgentErasesWhatItsWindowsHeld(t *testing.T) {
	w := newWorld(t)
	a, b := w.agent(), w.agent()
	c := w.conversation(a)
	_, err := w.SavePage(w.ctx, memory.PageIn{ConversationID: c.ID, Kind: memory.ItemPassage, ID: "passage-1"})
	must(t, err)
	for _, agent := range []memory.Agent{a, b} {
		_, err = w.SaveCompaction(w.ctx, memory.Compaction{Kind: memory.CompactionTranscript, AgentID: agent.ID, State: memory.CompactionDone, Prompt: "what was said"})
		must(t, err)
	}
	must(t, w.erasing(w.ctx, "erase", func(t *tx) error { return t.eraseAgent(a.ID) }))
	if pages, compactions := w.count("SELECT count(*) FROM page_in"), w.count("SELECT count(*) FROM compaction"); pages != 0 || compactions != 1 {
		t.Errorf("%d pages and %d compactions are left", pages, compactions)
	}
}
