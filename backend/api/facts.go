package api

import (
	"net/http"

	"recollect/backend/fact"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// listFacts lists what is known about the user, and by which keys.
func (a *API) listFacts(r *http.Request) (result, error) {
	q := parameters(r, "subject", "key", "current", "query", "origin", "cursor", "limit")
	f := store.FactFilter{
		Subject: q.text("subject"), Key: q.text("key"), Current: q.flag("current"), Query: q.text("query"), Origin: q.text("origin"),
		Cursor: q.after("fact"), Limit: q.limit(defaultPage, largestPage),
	}
	if q.err != nil {
		return result{}, q.err
	}
	ctx := r.Context()
	agent, err := a.Store.Agent(ctx, r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	f.AgentID = agent.ID
	facts, next, err := a.Store.Facts(ctx, f)
	if err != nil {
		return result{}, err
	}
	groups, err := a.Store.FactGroups(ctx, agent.ID)
	return ok(Facts{Facts: facts, Groups: groups, Next: next}), err
}

// factKeys lists the keys that the rules know, for a form to choose from.
func (a *API) factKeys(r *http.Request) (result, error) {
	if err := parameters(r).err; err != nil {
		return result{}, err
	}
	var list []FactKey
	for _, key := range fact.Keys() {
		list = append(list, FactKey{Key: key, Many: memory.ManyValues(memory.SubjectUser, key)})
	}
	return ok(FactKeys{Keys: list}), nil
}

func (a *API) createFact(r *http.Request) (result, error) {
	var in FactCreate
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	f := memory.Fact{
		AgentID: r.PathValue("id"), Subject: in.Subject, Key: in.Key, Value: in.Value, Many: in.Many, Pinned: in.Pinned,
	}
	if f.Subject == "" {
		f.Subject = memory.SubjectUser
	}
	if in.ValidFrom != nil {
		f.ValidFrom = *in.ValidFrom
	}
	if in.EndedAt != nil {
		f.EndedAt = *in.EndedAt
	}
	f, revision, err := a.Store.CreateFact(r.Context(), f, byUser(f.AgentID))
	return created(FactResult{Fact: f, Revision: revision}), err
}

// fact returns a fact and everything that is known of the same thing.
func (a *API) fact(r *http.Request) (result, error) {
	ctx := r.Context()
	f, err := a.Store.Fact(ctx, r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	history, err := a.Store.FactHistory(ctx, f.ID)
	return ok(FactDetail{Fact: f, History: history}), err
}

func (a *API) changeFact(r *http.Request) (result, error) {
	var in memory.FactChange
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	f, revision, err := a.Store.UpdateFact(r.Context(), r.PathValue("id"), in, byUser(""))
	return ok(FactResult{Fact: f, Revision: revision}), err
}

func (a *API) deleteFact(r *http.Request) (result, error) {
	revision, err := a.Store.DeleteFact(r.Context(), r.PathValue("id"), byUser(""))
	return ok(Revised{Revision: revision}), err
}

func (a *API) listQuestions(r *http.Request) (result, error) {
	q := parameters(r, "open", "message_id")
	open := q.flag("open")
	if q.err != nil {
		return result{}, q.err
	}
	agent, err := a.Store.Agent(r.Context(), r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	list, err := a.Store.FactQuestions(r.Context(), agent.ID, q.text("message_id"), open)
	return ok(Questions{Questions: list}), err
}

func (a *API) answerQuestion(r *http.Request) (result, error) {
	var in QuestionAnswer
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	question, revisions, err := a.Store.AnswerFact(r.Context(), r.PathValue("id"), in.Answer, byUser(""))
	if revisions == nil {
		revisions = []memory.Revision{}
	}
	return ok(QuestionResult{Question: question, Revisions: revisions}), err
}
