package api

import (
	"context"
	"net/http"

	"recollect/backend/engine"
	"recollect/backend/memory"
)

// listArchives returns all archives, with how far each can be searched by meaning.
func (a *API) listArchives(r *http.Request) (result, error) {
	if err := parameters(r).err; err != nil {
		return result{}, err
	}
	archives, err := a.Store.Archives(r.Context())
	if err != nil {
		return result{}, err
	}
	states, err := a.archiveStates(r.Context(), archives...)
	return ok(Archives{Archives: states}), err
}

func (a *API) archive(r *http.Request) (result, error) {
	archive, err := a.Store.Archive(r.Context(), r.PathValue("id"))
	if err != nil {
		return result{}, err
	}
	return a.archiveResult(r.Context(), archive)
}

func (a *API) archiveResult(ctx context.Context, archive memory.Archive) (result, error) {
	states, err := a.archiveStates(ctx, archive)
	if err != nil {
		return result{}, err
	}
	return ok(states[0]), nil
}

// changeArchive gives an archive another embedder. Its vectors are made anew in the background.
func (a *API) changeArchive(r *http.Request) (result, error) {
	var in ArchiveChange
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if in.Embedder == nil {
		return a.archive(r)
	}
	archive, err := a.setEmbedder(r.Context(), r.PathValue("id"), *in.Embedder)
	if err != nil {
		return result{}, err
	}
	return a.archiveResult(r.Context(), archive)
}

// setEmbedder has an archive embedded by a model, "" = the app's, under the name by which the settings or the engine have it.
func (a *API) setEmbedder(ctx context.Context, id, model string) (memory.Archive, error) {
	if model != "" {
		if err := a.checkModel(ctx, "embedder", model); err != nil {
			return memory.Archive{}, err
		}
		raw, err := a.Store.Settings(ctx)
		if err != nil {
			return memory.Archive{}, err
		}
		settings, err := settingsOf(raw)
		if err != nil {
			return memory.Archive{}, err
		}
		if m, known, err := a.lookup(ctx, model); err == nil && known {
			model = m.Name
		}
		if engine.SameModel(model, settings.Embedder) {
			model = settings.Embedder
		}
	}
	archive, err := a.Store.SetArchiveEmbedder(ctx, id, model)
	if err == nil {
		a.Search.Wake()
	}
	return archive, err
}

// archiveStates returns archives with whose they are and how far they can be searched by meaning.
func (a *API) archiveStates(ctx context.Context, archives ...memory.Archive) ([]ArchiveState, error) {
	agents, err := a.Store.Agents(ctx)
	if err != nil {
		return nil, err
	}
	states := make([]ArchiveState, len(archives))
	for i, archive := range archives {
		n, err := a.Search.Indexed(ctx, archive.ID)
		if err != nil {
			return nil, err
		}
		states[i] = ArchiveState{
			Archive: archive, Agents: []string{},
			Index: ArchiveIndex{Model: n.Model, Serving: n.Serving, Total: n.Total, Pending: n.Pending, Problem: memory.ProblemOf(n.Problem)},
		}
		for _, g := range agents {
			if g.ArchiveID == archive.ID {
				states[i].Agents = append(states[i].Agents, g.ID)
			}
		}
	}
	return states, nil
}
