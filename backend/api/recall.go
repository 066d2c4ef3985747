package api

import (
	"net/http"
	"strings"

	"recollect/backend/memory"
)

// tryRecall returns the receipt that a text would have as a message. Nothing is stored.
func (a *API) tryRecall(r *http.Request) (result, error) {
	var in RecallTry
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if strings.TrimSpace(in.Text) == "" {
		return result{}, invalid("text is empty: write what a message would say")
	}
	receipt, err := a.Turns.TryRecall(r.Context(), r.PathValue("id"), in.ConversationID, in.Text, in.Deep)
	return ok(receipt), err
}

func (a *API) listFeedback(r *http.Request) (result, error) {
	if err := parameters(r).err; err != nil {
		return result{}, err
	}
	agent, err := a.Store.Agent(r.Context(), r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	list, err := a.Store.Feedback(r.Context(), agent.ID)
	return ok(FeedbackList{Feedback: list}), err
}

func (a *API) setFeedback(r *http.Request) (result, error) {
	var in FeedbackSet
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	cause := byUser(r.PathValue("id"))
	cause.ConversationID, cause.MessageID = in.ConversationID, in.MessageID
	feedback, revision, err := a.Store.SetFeedback(r.Context(), memory.Feedback{
		AgentID: r.PathValue("id"), ConversationID: in.ConversationID, Kind: in.Kind, ItemID: in.ItemID, Use: in.Use, MessageID: in.MessageID,
	}, cause)
	return ok(FeedbackResult{Feedback: feedback, Revision: revision}), err
}
