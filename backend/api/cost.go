package api

import (
	"context"
	"encoding/json"
	"net/http"

	"recollect/backend/monitor"
	"recollect/backend/store"
)

// settingCosts is under what the user's own table of prices is kept. It is changed by its own route only.
const settingCosts = "costs"

// costTable returns the table of prices, and whether the user has changed it. One that cannot be read is as if it were absent.
func (a *API) costTable(ctx context.Context) (monitor.CostTable, bool, error) {
	settings, err := a.Store.Settings(ctx)
	if err != nil {
		return monitor.CostTable{}, false, err
	}
	var t monitor.CostTable
	if raw, there := settings[settingCosts]; there && json.Unmarshal(raw, &t) == nil && t.Validate() == nil {
		return t, true, nil
	}
	return monitor.DefaultCosts(), false, nil
}

// cost reports what a habit costs, here and elsewhere, and what the last days would have cost.
func (a *API) cost(r *http.Request) (result, error) {
	q := parameters(r, "daily", "tokens", "input", "output")
	h := monitor.DefaultHabit()
	h.Daily, h.Tokens = q.whole("daily", h.Daily), q.whole("tokens", h.Tokens)
	h.Input, h.Output = q.number("input", h.Input), q.number("output", h.Output)
	if q.err != nil {
		return result{}, q.err
	}
	if err := h.Validate(); err != nil {
		return result{}, err
	}
	table, edited, err := a.costTable(r.Context())
	if err != nil {
		return result{}, err
	}
	spent, err := monitor.SpentSince(r.Context(), a.Store, store.UsageFilter{}, a.Clock(), lastDays)
	if err != nil {
		return result{}, err
	}
	report, err := monitor.Costs(table, edited, h, spent)
	return ok(report), err
}

func (a *API) setCost(r *http.Request) (result, error) {
	var in monitor.CostTable
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if err := in.Validate(); err != nil {
		return result{}, err
	}
	return ok(in), a.storeCosts(r.Context(), in)
}

func (a *API) resetCost(r *http.Request) (result, error) {
	return nothing(), a.storeCosts(r.Context(), nil)
}

func (a *API) storeCosts(ctx context.Context, table any) error {
	raw, err := json.Marshal(table)
	if err != nil {
		return err
	}
	return a.Store.SetSettings(ctx, map[string]json.RawMessage{settingCosts: raw})
}

// measureText measures a text in tokens. Those of a model are counted where the engine has it, or cannot say.
func (a *API) measureText(r *http.Request) (result, error) {
	var in TokenMeasure
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if _, known, err := a.lookup(r.Context(), in.Model); err == nil && !known {
		in.Model = ""
	}
	return ok(TokensMeasured{Model: in.Model, Ruler: a.Counters.Measure(r.Context(), in.Model, in.Text)}), nil
}
