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
