package app_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"recollect/backend/app"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// until runs f and returns the next event of the type.
func until(t *testing.T, a *app.App, kind string, f func()) memory.Event {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	events := a.Subscribe(ctx)
	f()
	for ev := range events {
		if ev.Type == kind {
			return ev
		}
	}
	t.Fatalf("no event %s came", kind)
	return memory.Event{}
}

// What works in the background is among the activity once it has ended, also after a restart.
func TestBackgroundWorkIsAmongTheActivity(t *testing.T) {
	w := newWorld(t)
	a := w.start()
	ctx := t.Context()
	pull := func(err error) func() {
		return func() {
			_, started := a.Jobs.Start(jobs.KindPull, "qwen3:4b", func(context.Context, func(jobs.Progress)) error { return err })
			must(t, started)
		}
	}
	done := until(t, a, "job.ended", pull(nil))
	if done.Data["state"] != "done" || done.Data["model"] != "qwen3:4b" || done.ID == "" {
		t.Errorf("%+v", done)
	}
	failed := until(t, a, "job.failed", pull(memory.Errorf(memory.EDISKFULL, "pull", "the disk is full")))
	if p, ok := failed.Data["problem"].(map[string]any); !ok || p["code"] != "EDISKFULL" {
		t.Errorf("%+v", failed)
	}

	agents, err := a.Store.Agents(ctx)
	must(t, err)
	embedded := until(t, a, "embed.done", func() {
		many := make([]memory.Passage, 40)
		for i := range many {
			many[i] = memory.Passage{ArchiveID: agents[0].ArchiveID, Text: fmt.Sprintf("Passage %d", i)}
		}
		_, err := a.Store.CreatePassages(ctx, many, memory.Cause{Actor: memory.ActorUser})
		must(t, err)
		must(t, a.Store.SetSetting(ctx, app.SettingEmbedder, json.RawMessage(`"`+enginetest.Embedder+`"`)))
		a.Recall.Wake()
	})
	if embedded.Data["count"] != float64(40) {
		t.Errorf("%+v", embedded)
	}

	gone := until(t, a, "engine.failed", w.engine.Stop)
	if p, ok := gone.Data["problem"].(map[string]any); !ok || p["remedy"] == "" || a.Engine.Status().State == engine.StateReady {
		t.Errorf("%+v", gone)
	}
	must(t, a.Close(ctx))

	s, err := store.Open(ctx, app.DatabasePath(w.options.Home), store.Options{})
	must(t, err)
	defer func() { must(t, s.Close()) }()
	kept, _, err := s.Events(ctx, store.EventFilter{Types: []string{"job.ended", "job.failed", "embed.done", "engine.failed"}})
	must(t, err)
	if len(kept) != 4 {
		t.Errorf("kept are %+v", kept)
	}
}

// The window that is set is tried again when the engine is started again: what did not fit may fit now.
func TestTheWholeWindowIsTriedAgainOnAnEngineAnew(t *testing.T) {
	w := newWorld(t)
	w.engine.AddModel(enginetest.Model{Name: enginetest.Chat, MaxWindow: 4096})
	a := w.start()
	ctx := t.Context()
	must(t, a.Store.SetSetting(ctx, "model", json.RawMessage(`"`+enginetest.Chat+`"`)))
	must(t, a.Store.SetSetting(ctx, "window", json.RawMessage("8192")))
	plan := func(conversation string) (memory.Plan, string) {
		_, path := w.ask(a, conversation, "[[say Here.]]")
		last := path[len(path)-1]
		p, err := a.Store.PlanOf(ctx, last.ID)
		must(t, err)
		return p, last.ConversationID
	}
	p, conversation := plan("")
	if p.Window != 4096 || p.Wanted != 8192 {
		t.Errorf("what fits: %+v", p)
	}
	if p, _ = plan(conversation); p.Window != 4096 {
		t.Errorf("as long as the engine runs: %+v", p)
	}
	w.engine.AddModel(enginetest.Model{Name: enginetest.Chat})
	events := a.Subscribe(ctx)
	a.Engine.Restart()
	for ev := range events {
		if ev.Type == "engine.state" && ev.Data["state"] == string(engine.StateReady) {
			break
		}
	}
	if p, _ = plan(conversation); p.Window != 8192 || p.Wanted != 0 {
		t.Errorf("on an engine anew: %+v", p)
	}
}
