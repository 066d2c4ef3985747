package jobs_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"recollect/backend/jobs"
	"recollect/backend/memory"
)

// watch is a clock that stands still and the events of a registry.
type watch struct {
	mu     sync.Mutex
	now    time.Time
	events chan memory.Event
}

func newRegistry(t *testing.T) (*jobs.Registry, *watch) {
	t.Helper()
	w := &watch{now: time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC), events: make(chan memory.Event, 1000)}
	r := jobs.New(w.clock, memory.NewIDs(w.clock, rand.Reader), func(ev memory.Event) { w.events <- ev })
	t.Cleanup(func() {
		if err := r.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return r, w
}

func (w *watch) clock() time.Time {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *watch) pass(d time.Duration) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(d)
}

// until waits for an event of the given state.
func (w *watch) until(t *testing.T, state jobs.State) memory.Event {
	t.Helper()
	for {
		select {
		case ev := <-w.events:
			if ev.Type != "model.progress" {
				t.Fatalf("event of type %s", ev.Type)
			}
			if ev.Data["state"] == state {
				return ev
			}
		case <-time.After(time.Minute):
			t.Fatalf("no event says %s", state)
		}
	}
}

func TestAJobReportsItsProgressAndEnds(t *testing.T) {
	r, w := newRegistry(t)
	job, err := r.Start(jobs.KindPull, "qwen3:4b", func(_ context.Context, report func(jobs.Progress)) error {
		report(jobs.Progress{Status: "downloading", Completed: 10, Total: 100, BytesPerSecond: 5, ETA: 18 * time.Second})
		report(jobs.Progress{Status: "downloading", Completed: 20, Total: 100}) // too soon for another event
		w.pass(time.Second)
		report(jobs.Progress{Status: "downloading", Completed: 15, Total: 100}) // a layer began anew
		return nil
	})
	if err != nil || job.State != jobs.StateRunning || job.Model != "qwen3:4b" {
		t.Fatalf("%+v, %v", job, err)
	}
	w.until(t, jobs.StateDone)
	if got := r.List(); len(got) != 1 || got[0].State != jobs.StateDone || got[0].Completed != 100 || got[0].EndedAt.IsZero() {
		t.Errorf("%+v", got)
	}
}

func TestProgressNeverGoesBackAndIsNotToldTooOften(t *testing.T) {
	r, w := newRegistry(t)
	_, err := r.Start(jobs.KindPull, "m", func(_ context.Context, report func(jobs.Progress)) error {
		for _, n := range []int64{10, 20, 30} {
			report(jobs.Progress{Status: "downloading", Completed: n, Total: 100})
		}
		w.pass(time.Second)
		report(jobs.Progress{Status: "downloading", Completed: 25, Total: 100})
		return errors.New("cut off")
	})
	if err != nil {
		t.Fatal(err)
	}
	w.pass(0)
	var completed []int64
	for {
		ev := <-w.events
		completed = append(completed, ev.Data["completed"].(int64))
		if ev.Data["state"] != jobs.StateRunning {
			break
		}
	}
	if fmt.Sprint(completed) != "[0 10 30 30]" {
		t.Errorf("told %v", completed)
	}
}

func TestTheSameJobIsNotStartedTwice(t *testing.T) {
	r, _ := newRegistry(t)
	wait := func(ctx context.Context, _ func(jobs.Progress)) error { <-ctx.Done(); return ctx.Err() }
	first, _ := r.Start(jobs.KindPull, "m", wait)
	again, _ := r.Start(jobs.KindPull, "m", wait)
	other, _ := r.Start(jobs.KindPull, "n", wait)
	if first.ID != again.ID || first.ID == other.ID || len(r.List()) != 2 {
		t.Errorf("%s, %s, %s: %d jobs", first.ID, again.ID, other.ID, len(r.List()))
	}
	if r.List()[0].ID != other.ID {
		t.Error("the newest job must come first")
	}
}

func TestCancel(t *testing.T) {
	r, w := newRegistry(t)
	job, _ := r.Start(jobs.KindPull, "m", func(ctx context.Context, _ func(jobs.Progress)) error {
		<-ctx.Done()
		return memory.Errorf(memory.ECANCELLED, "pull", "stopped: %w", ctx.Err())
	})
	if err := r.Cancel(job.ID); err != nil {
		t.Fatal(err)
	}
	if ev := w.until(t, jobs.StateCancelled); ev.Data["problem"] != nil {
		t.Error("a job that the user stopped has no problem")
	}
	if err := r.Cancel(job.ID); err != nil {
		t.Errorf("cancelling an ended job: %v", err)
	}
	if err := r.Cancel("job-none"); memory.CodeOf(err) != memory.ENOTFOUND {
		t.Errorf("cancelling no job: %v", err)
	}
}

func TestAFailureSaysWhyAndAPanicIsOne(t *testing.T) {
	for name, c := range map[string]struct {
		work func() error
		want memory.Code
	}{
		"error": {func() error { return memory.Errorf(memory.EDISKFULL, "pull", "the disk is full") }, memory.EDISKFULL},
		"panic": {func() error { panic("out of range") }, memory.EINTERNAL},
	} {
		t.Run(name, func(t *testing.T) {
			r, w := newRegistry(t)
			if _, err := r.Start(jobs.KindImport, "m", func(context.Context, func(jobs.Progress)) error { return c.work() }); err != nil {
				t.Fatal(err)
			}
			if p := w.until(t, jobs.StateFailed).Data["problem"].(*memory.Problem); p.Code != c.want || p.Message == "" {
				t.Errorf("%+v", p)
			}
		})
	}
}

func TestCloseStopsAllAndTakesNoMore(t *testing.T) {
	r, w := newRegistry(t)
	_, _ = r.Start(jobs.KindPull, "m", func(ctx context.Context, _ func(jobs.Progress)) error { <-ctx.Done(); return ctx.Err() })
	if err := r.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.until(t, jobs.StateCancelled)
	if _, err := r.Start(jobs.KindPull, "m", nil); memory.CodeOf(err) != memory.EBUSY {
		t.Errorf("after closing: %v", err)
	}
}

func TestOldJobsAreForgotten(t *testing.T) {
	r, w := newRegistry(t)
	for i := range 30 {
		if _, err := r.Start(jobs.KindPull, fmt.Sprint(i), func(context.Context, func(jobs.Progress)) error { return nil }); err != nil {
			t.Fatal(err)
		}
		w.until(t, jobs.StateDone)
	}
	if n := len(r.List()); n != 21 { // the last is added after the others were counted
		t.Errorf("%d jobs are listed", n)
	}
}
