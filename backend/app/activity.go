package app

import (
	"context"
	"encoding/json"
	"fmt"

	"recollect/backend/api"
	"recollect/backend/engine"
	"recollect/backend/jobs"
	"recollect/backend/memory"
)

// fewVectors is what a turn of chat leaves to embed; only more than that is work worth telling of.
const fewVectors = 16

// record keeps what happened in the background among the activity. Where that fails the work itself is no worse for it.
func (a *App) record(kind string, v any) {
	if _, err := a.Store.RecordEvent(context.WithoutCancel(a.ctx), event(kind, v)); err != nil {
		a.log.Warn("An event is missing in the activity.", "type", kind, "error", err)
	}
}

// jobEvent tells how far a job is, and keeps how it ended.
func (a *App) jobEvent(ev memory.Event) {
	a.Bus.Publish(ev)
	var p api.ModelProgress
	raw, err := json.Marshal(ev.Data)
	if err != nil || json.Unmarshal(raw, &p) != nil || p.State == jobs.StateRunning {
		return
	}
	if p.Kind == jobs.KindDocument && p.State == jobs.StateDone {
		return // the change of the document is kept
	}
	kind := "job.ended"
	if p.State == jobs.StateFailed {
		kind = "job.failed"
	}
	a.record(kind, api.JobEnded{Job: p.Job, Kind: p.Kind, Model: p.Model, State: p.State, Problem: p.Problem})
}

// embedded keeps that many memories got a vector.
func (a *App) embedded(model string, count int) {
	if count > fewVectors {
		a.record("embed.done", api.EmbedDone{Model: model, Count: count})
	}
}

// engineState tells the page how the engine is, and recall that texts can be embedded again; it keeps when the engine
// failed, once for each failure however often it is tried again.
func (a *App) engineState(s engine.Status) {
	a.Bus.Publish(event("engine.state", s))
	a.mu.Lock()
	failed, before := a.engineFailed, a.engineBefore
	a.engineBefore = s
	switch s.State {
	case engine.StateFailed:
		a.engineFailed = true
	case engine.StateReady:
		a.engineFailed = false
	}
	a.mu.Unlock()
	switch s.State {
	case engine.StateReady:
		anew := before.State != engine.StateReady || before.Address != s.Address
		if anew {
			a.Agent.EngineAnew()
		}
		if anew && before.State == engine.StateReady {
			a.engineMoved(s)
		}
		if anew && s.Unanswered != "" {
			a.log.Warn("Nothing answers at the address that OLLAMA_HOST names; another engine is used.", "named", s.Unanswered, "used", s.Address)
		}
		a.Recall.Recheck() // it may be another engine, or another version
		a.summaries.Wake()
	case engine.StateFailed:
		if !failed {
			a.record("engine.failed", api.EngineFailed{Problem: memory.Problem{Code: memory.EENGINE, Message: s.Message, Chinese: s.Chinese, Remedy: s.Remedy}})
		}
	}
}

// engineMoved tells the user that another engine, which was started meanwhile, took the place of the one in use.
func (a *App) engineMoved(s engine.Status) {
	a.log.Info("An engine that was started meanwhile takes the place of the one in use.", "used", s.Address)
	text := "The Ollama at %s answers now. It is used from here on, with its own models."
	if a.Language() == "zh" {
		text = "%s 的 Ollama 有响应了，从现在起使用它和它自己的模型。"
	}
	a.Bus.Publish(event("notice", api.Notice{Level: api.NoticeWarn, Code: "engine_moved", Text: fmt.Sprintf(text, s.Address)}))
}
