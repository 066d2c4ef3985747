package api

import (
	"cmp"
	"context"
	"net/http"

	"recollect/backend/agent"
	"recollect/backend/compaction"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// Shares and numbers that room in a window may be made by.
const (
	minCompactAt      = 0.3
	maxCompactAt      = 0.95
	minCompactTo      = 0.1
	maxCompactTo      = 0.9
	minWindowMessages = 4
	maxWindowMessages = 1000
	maxPageTurns      = 100
)

// Compactions is a page of compactions, the newest first.
type Compactions struct {
	Compactions []memory.Compaction `json:"compactions"`
	Next        string              `json:"next"` // cursor for more, "" at the end
}

// PageChange puts something into a conversation's window, or takes it out.
type PageChange struct {
	Kind   memory.ItemKind `json:"kind"` // message, passage, document or fact
	ID     string          `json:"id"`
	Pinned bool            `json:"pinned,omitempty"` // it stays until it is taken out
	Out    bool            `json:"out,omitempty"`    // it goes at the next rebase, and is not recalled in this conversation
}

// contextWindow returns what a conversation's window holds.
func (a *API) contextWindow(r *http.Request) (result, error) {
	w, err := a.Turns.Window(r.Context(), r.PathValue("id"))
	return ok(w), err
}

// compact makes room in a conversation's window, or tells what would happen.
func (a *API) compact(r *http.Request) (result, error) {
	var in agent.CompactRequest
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	return compacted(a.Turns.Compact(r.Context(), r.PathValue("id"), in))
}

// compacted answers with 202 what a model still works at.
func compacted(c memory.Compaction, err error) (result, error) {
	if c.State == memory.CompactionPending {
		return accepted(c), err
	}
	return ok(c), err
}

func (a *API) listCompactions(r *http.Request) (result, error) {
	q := parameters(r, "agent_id", "conversation_id", "kind", "cursor", "limit")
	f := store.CompactionFilter{
		AgentID: q.text("agent_id"), ConversationID: q.text("conversation_id"), Kind: memory.CompactionKind(q.text("kind")),
		Cursor: q.text("cursor"), Limit: q.limit(defaultPage, largestPage),
	}
	switch f.Kind {
	case "", memory.CompactionCore, memory.CompactionTranscript:
	default:
		return result{}, invalid("kind must be core or transcript")
	}
	if q.err != nil {
		return result{}, q.err
	}
	list, next, err := a.Store.Compactions(r.Context(), f)
	return ok(Compactions{Compactions: list, Next: next}), err
}

func (a *API) compaction(r *http.Request) (result, error) {
	c, err := a.Store.Compaction(r.Context(), r.PathValue("id"))
	return ok(c), err
}

func (a *API) undoCompaction(r *http.Request) (result, error) {
	c, err := a.Turns.UndoCompaction(r.Context(), r.PathValue("id"))
	return ok(c), err
}

func (a *API) redoCompaction(r *http.Request) (result, error) {
	c, err := a.Turns.RedoCompaction(r.Context(), r.PathValue("id"))
	return ok(c), err
}

// replayCompaction tries a compaction of messages in another way; nothing happens.
func (a *API) replayCompaction(r *http.Request) (result, error) {
	var in agent.CompactRequest
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	return compacted(a.Turns.ReplayCompaction(r.Context(), r.PathValue("id"), in))
}

func (a *API) adoptCompaction(r *http.Request) (result, error) {
	c, err := a.Turns.AdoptCompaction(r.Context(), r.PathValue("id"))
	return ok(c), err
}

// page puts a memory into a conversation's window, or takes it out.
func (a *API) page(r *http.Request) (result, error) {
	var in PageChange
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if in.ID == "" || in.Pinned && in.Out {
		return result{}, invalid("an id is needed, and what is pinned cannot be out")
	}
	p, err := a.Turns.PageIn(r.Context(), memory.PageIn{ConversationID: r.PathValue("id"), Kind: in.Kind, ID: in.ID, Pinned: in.Pinned, Out: in.Out})
	return ok(p), err
}

// forgetPage takes back what the user said about an item and a conversation's window.
func (a *API) forgetPage(r *http.Request) (result, error) {
	return nothing(), a.Store.DeletePage(r.Context(), r.PathValue("id"), memory.ItemKind(r.PathValue("kind")), r.PathValue("item"))
}

// checkRoom checks an agent's choice about room.
func checkRoom(r memory.Room) error {
	if err := checkCoreRoom(r); err != nil {
		return err
	}
	between := func(v, low, high float64) bool { return v == 0 || v >= low && v <= high }
	switch {
	case !between(r.CompactAt, minCompactAt, maxCompactAt):
		return invalid("compact_at must be 0 or from %v to %v", minCompactAt, maxCompactAt)
	case !between(r.CompactTo, minCompactTo, maxCompactTo):
		return invalid("compact_to must be 0 or from %v to %v", minCompactTo, maxCompactTo)
	case r.WindowMessages != 0 && (r.WindowMessages < minWindowMessages || r.WindowMessages > maxWindowMessages):
		return invalid("window_messages must be 0 or from %d to %d", minWindowMessages, maxWindowMessages)
	case r.PageTurns < 0 || r.PageTurns > maxPageTurns:
		return invalid("page_turns must be from 0 to %d", maxPageTurns)
	}
	switch r.Compaction {
	case "", memory.StrategyAuto, memory.StrategySliding, memory.StrategyPriority, memory.StrategySummary:
		return nil
	}
	return invalid("compaction must be auto, sliding_window, priority or summary")
}

// checkRoomOrder holds the shares of an agent's choice about room to their order, with the settings and the defaults for those
// that it leaves open.
func (a *API) checkRoomOrder(ctx context.Context, r memory.Room) error {
	raw, err := a.Store.Settings(ctx)
	if err != nil {
		return err
	}
	s, err := settingsOf(raw)
	if err != nil {
		return err
	}
	at, to := cmp.Or(r.CompactAt, s.CompactAt, compaction.DefaultThreshold), cmp.Or(r.CompactTo, s.CompactTo, compaction.DefaultTarget)
	if err := inOrder("compact_to", to, "compact_at", at); err != nil {
		return err
	}
	return inOrder("core_to", cmp.Or(r.CoreTo, compaction.DefaultCoreTo), "core_at", cmp.Or(r.CoreAt, compaction.DefaultCoreAt))
}

// inOrder refuses to make room down to as much as from where on it is made: it would be made with each message.
func inOrder(toName string, to float64, atName string, at float64) error {
	if to < at {
		return nil
	}
	return invalid("room is made down to %.0f %% (%s), which has to be less than the %.0f %% from which on it is made (%s)", 100*to, toName, 100*at, atName)
}
