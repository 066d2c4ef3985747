package api

import (
	"cmp"
	"net/http"
	"strings"

	"recollect/backend/experiment"
	"recollect/backend/memory"
	"recollect/backend/recall"
)

// usualTurns is how long the forgetting experiment is where nothing else is asked for.
const usualTurns = 100

var errNoExperiments error = memory.Errorf(memory.EUNSUPPORTED, "experiment", "this installation has no engine for it")

// ExperimentEngine is what experiments with models need; *engine.Engine is one.
type ExperimentEngine interface {
	experiment.Engine
	recall.Embedder
}

// experimentModel returns the engine that has the model of an experiment, nil for none.
func (a *API) experimentModel(r *http.Request, model string) (experiment.Engine, error) {
	if model == "" || model == experiment.NoModel {
		return nil, nil
	}
	if a.Experiments == nil {
		return nil, errNoExperiments
	}
	_, err := a.Experiments.Profile(r.Context(), model)
	return a.Experiments, err
}

// forget runs the forgetting experiment. It ends when the request does.
func (a *API) forget(r *http.Request) (result, error) {
	var in ForgetRun
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	model := strings.TrimSpace(in.Model)
	with, err := a.experimentModel(r, model)
	if err != nil {
		return result{}, err
	}
	f, err := experiment.Forget(r.Context(), experiment.ForgetOptions{Turns: cmp.Or(in.Turns, usualTurns), Model: model, Engine: with})
	return ok(f), err
}

// compareStrategies compares the ways of making room. It ends when the request does.
func (a *API) compareStrategies(r *http.Request) (result, error) {
	var in CompareRun
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	model := strings.TrimSpace(in.Model)
	with, err := a.experimentModel(r, model)
	if err != nil {
		return result{}, err
	}
	chat := experiment.BuiltIn()
	if in.Chat != nil {
		chat = *in.Chat
		if err := chat.Validate(); err != nil {
			return result{}, err
		}
	}
	o := experiment.CompareOptions{Chat: chat, Model: model, Engine: with}
	if name := strings.TrimSpace(in.Embedder); name != "" {
		if a.Experiments == nil {
			return result{}, errNoExperiments
		}
		if err := a.checkModel(r.Context(), "embedder", name); err != nil {
			return result{}, err
		}
		o.Embeds, o.Embedder = name, a.Experiments
	}
	c, err := experiment.Compare(r.Context(), o)
	return ok(c), err
}
