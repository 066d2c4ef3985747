package api

import (
	"context"
	"net/http"
	"slices"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// SampleLife loads and removes the sample life.
type SampleLife interface {
	Agent(ctx context.Context) (id string, err error) // "" = it is not loaded
	State(ctx context.Context) (*store.Sample, error) // nil = it is not loaded
	Load(ctx context.Context, language string) (store.Sample, error)
	Remove(ctx context.Context) error
}

func (a *API) sample(r *http.Request) (result, error) {
	there, err := a.Sample.State(r.Context())
	return ok(SampleState{Sample: there}), err
}

func (a *API) loadSample(r *http.Request) (result, error) {
	var in SampleLoad
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if !slices.Contains([]string{"en", "zh"}, in.Language) {
		return result{}, invalid("language must be en or zh")
	}
	loaded, err := a.Sample.Load(r.Context(), in.Language)
	return created(SampleState{Sample: &loaded}), err
}

// removeSample erases the sample. A turn of its agent that runs is stopped first: it has nothing left to write to.
func (a *API) removeSample(r *http.Request) (result, error) {
	ctx := r.Context()
	agent, err := a.Sample.Agent(ctx)
	if err != nil || agent == "" {
		return nothing(), err
	}
	for _, p := range a.Turns.RunningAll() {
		c, err := a.Store.Conversation(ctx, p.ConversationID)
		if err != nil && memory.CodeOf(err) != memory.ENOTFOUND {
			return result{}, err
		}
		if c.AgentID == agent {
			a.Turns.Stop(p.ConversationID)
			if err := a.Turns.Wait(ctx, p.ConversationID); err != nil {
				return result{}, err
			}
		}
	}
	return nothing(), a.Sample.Remove(ctx)
}
