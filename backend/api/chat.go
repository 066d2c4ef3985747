package api

import (
	"net/http"
	"strconv"

	"recollect/backend/agent"
	"recollect/backend/memory"
	"recollect/backend/store"
)

func (a *API) listConversations(r *http.Request) (result, error) {
	q := parameters(r, "agent_id", "query", "state", "cursor", "limit")
	f := store.ConversationFilter{
		AgentID: q.text("agent_id"), Query: q.text("query"), State: store.ConversationState(q.text("state")),
		Cursor: q.text("cursor"), Limit: q.limit(defaultPage, largestPage),
	}
	if q.err != nil {
		return result{}, q.err
	}
	switch f.State {
	case "", store.ConversationActive, store.ConversationArchived, store.ConversationDeleted, store.ConversationAll:
	default:
		return result{}, invalid("state must be active, archived, deleted or all")
	}
	conversations, matches, next, err := a.Store.SearchConversations(r.Context(), f)
	return ok(Conversations{Conversations: conversations, Matches: matches, Next: next}), err
}

func (a *API) createConversation(r *http.Request) (result, error) {
	var in ConversationCreate
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	agent, err := a.agentOf(r.Context(), in.AgentID)
	if err != nil {
		return result{}, err
	}
	c := memory.Conversation{AgentID: agent.ID, Title: in.Title, TitleBy: memory.ActorSystem}
	if in.Title != "" {
		c.TitleBy = memory.ActorUser
	}
	c, err = a.Store.CreateConversation(r.Context(), c)
	return created(c), err
}

func (a *API) conversation(r *http.Request) (result, error) {
	c, err := a.Store.Conversation(r.Context(), r.PathValue("id"))
	return ok(c), err
}

func (a *API) changeConversation(r *http.Request) (result, error) {
	var in ConversationChange
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	c, err := a.Store.UpdateConversation(r.Context(), r.PathValue("id"), store.ConversationChange{
		Title: in.Title, Pinned: in.Pinned, Archived: in.Archived, Deleted: in.Deleted,
	})
	return ok(c), err
}

// deleteConversation hides a conversation; PATCH {"deleted":false} takes that back.
func (a *API) deleteConversation(r *http.Request) (result, error) {
	id, yes := r.PathValue("id"), true
	a.Turns.Stop(id)
	_, err := a.Store.UpdateConversation(r.Context(), id, store.ConversationChange{Deleted: &yes})
	return nothing(), err
}

func (a *API) listMessages(r *http.Request) (result, error) {
	q := parameters(r, "before", "around", "after", "date", "limit")
	limit, around, after, date := q.limit(100, largestPage), q.text("around"), q.text("after"), q.time("date", a.Location, false)
	if q.err != nil {
		return result{}, q.err
	}
	c, err := a.Store.Conversation(r.Context(), r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	if c.Head == "" {
		return ok(Messages{}), nil
	}
	if !date.IsZero() {
		if around, err = a.Store.MessageAt(r.Context(), c.Head, date); err != nil {
			return result{}, err
		}
	}
	switch {
	case after != "":
		page, err := a.Store.PathAround(r.Context(), c.Head, after, 0, limit)
		if err != nil {
			return result{}, err
		}
		return ok(Messages{Messages: page.Messages[1:], More: true, Newer: page.Newer}), nil
	case around != "":
		page, err := a.Store.PathAround(r.Context(), c.Head, around, limit/2, limit-limit/2-1)
		return ok(Messages{Messages: page.Messages, More: page.Older, Newer: page.Newer, Around: around}), err
	}
	before := q.text("before")
	messages, err := a.Store.Path(r.Context(), c.Head, limit+1, before) // one more tells whether there are more
	if err != nil {
		return result{}, err
	}
	page := Messages{Messages: messages, Newer: before != ""}
	if len(messages) > limit {
		page.Messages, page.More = messages[len(messages)-limit:], true
	}
	return ok(page), nil
}

// find looks for words in the visible branch of a conversation.
func (a *API) find(r *http.Request) (result, error) {
	q := parameters(r, "query")
	if q.err != nil {
		return result{}, q.err
	}
	c, err := a.Store.Conversation(r.Context(), r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	ids, err := a.Store.FindInBranch(r.Context(), c.Head, q.text("query"))
	return ok(Found{MessageIDs: ids}), err
}

func (a *API) send(r *http.Request) (result, error) {
	var in MessageCreate
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	files := make([]memory.MessageFile, len(in.Files))
	for i, f := range in.Files {
		files[i] = memory.MessageFile{Name: f.Name, Content: f.Content}
	}
	m, err := a.Turns.Send(r.Context(), agent.SendRequest{
		ConversationID: r.PathValue("id"), Content: in.Content, ClientID: in.ClientID, Files: files,
	})
	return accepted(MessageResult{Message: m}), err
}

func (a *API) stop(r *http.Request) (result, error) {
	c, err := a.Store.Conversation(r.Context(), r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	return ok(Stopped{Stopped: a.Turns.Stop(c.ID)}), nil
}

// preview plans the request that a draft would make: GET for a short draft, POST for a long one.
func (a *API) preview(r *http.Request) (result, error) {
	draft, err := draftOf(r)
	if err != nil {
		return result{}, err
	}
	plan, err := a.Turns.Preview(r.Context(), r.PathValue("id"), draft)
	return ok(plan), err
}

// previewNew does the same for the first message of a conversation that is not there yet.
func (a *API) previewNew(r *http.Request) (result, error) {
	draft, err := draftOf(r)
	if err != nil {
		return result{}, err
	}
	plan, err := a.Turns.PreviewNew(r.Context(), r.PathValue("id"), draft)
	return ok(plan), err
}

// draftOf reads a draft: a short one is a parameter, a long one a body.
func draftOf(r *http.Request) (string, error) {
	var in Draft
	q := parameters(r, "draft")
	in.Draft = q.text("draft")
	if q.err != nil {
		return "", q.err
	}
	if r.Method == http.MethodPost {
		if err := decode(r, &in); err != nil {
			return "", err
		}
	}
	return in.Draft, nil
}

func (a *API) message(r *http.Request) (result, error) {
	m, err := a.Store.Message(r.Context(), r.PathValue("id"))
	return ok(m), err
}

// file returns the content of a file of a message.
func (a *API) file(r *http.Request) (result, error) {
	m, err := a.Store.Message(r.Context(), r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	n, err := strconv.Atoi(r.PathValue("n"))
	if err != nil || n < 0 || n >= len(m.Files) {
		return result{}, memory.Errorf(memory.ENOTFOUND, "read file", "the message has no file %q", r.PathValue("n"))
	}
	return ok(m.Files[n]), nil
}

func (a *API) regenerate(r *http.Request) (result, error) {
	var in Regenerate
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	m, err := a.Turns.Regenerate(r.Context(), r.PathValue("id"), in.Deep)
	return accepted(MessageResult{Message: m}), err
}

func (a *API) continueMessage(r *http.Request) (result, error) {
	m, err := a.Turns.Continue(r.Context(), r.PathValue("id"))
	return accepted(MessageResult{Message: m}), err
}

// withdraw takes back a message that waits for its answer, so that it can be written anew.
func (a *API) withdraw(r *http.Request) (result, error) {
	m, err := a.Turns.Withdraw(r.Context(), r.PathValue("id"))
	return ok(MessageResult{Message: m}), err
}

func (a *API) edit(r *http.Request) (result, error) {
	var in MessageEdit
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	m, err := a.Turns.Edit(r.Context(), r.PathValue("id"), in.Content)
	return accepted(MessageResult{Message: m}), err
}

func (a *API) selectBranch(r *http.Request) (result, error) {
	c, err := a.Turns.Select(r.Context(), r.PathValue("id"))
	return ok(c), err
}

// receipt returns the receipt of the turn that a message belongs to, null where recall did not run: the app answered by
// rule, or the turn failed before.
func (a *API) receipt(r *http.Request) (result, error) {
	m, err := a.Store.Message(r.Context(), r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	if m.TurnID == "" {
		m.TurnID = m.ID
	}
	receipt, err := a.Store.Receipt(r.Context(), m.TurnID)
	if memory.CodeOf(err) == memory.ENOTFOUND {
		return ok((*memory.Receipt)(nil)), nil
	}
	return ok(receipt), err
}

func (a *API) plan(r *http.Request) (result, error) {
	plan, err := a.Store.PlanOf(r.Context(), r.PathValue("id"))
	return ok(plan), err
}

// prompt returns the request that was sent to the engine for an answer, byte for byte.
func (a *API) prompt(r *http.Request) (result, error) {
	body, err := a.Store.Prompt(r.Context(), r.PathValue("id"))
	return ok(verbatim(body)), err
}
