// Package jobs keeps the long work that a user starts and may stop: pulling a model, importing one. Each job runs in
// the background, reports its progress as events, and stays listed for a while after its end.
package jobs

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"recollect/backend/memory"
)

// State is the state of a job.
type State string

// The states of a job.
const (
	StateRunning   State = "running"
	StateDone      State = "done"
	StateFailed    State = "failed"    // Problem says why
	StateCancelled State = "cancelled" // stopped by the user
)

// Kind says what a job does.
type Kind string

// The kinds of jobs.
const (
	KindPull     Kind = "pull"     // fetch a model from a registry
	KindImport   Kind = "import"   // take in a model file
	KindStarter  Kind = "starter"  // install the starter models
	KindMove     Kind = "move"     // move the data folder
	KindDocument Kind = "document" // read a document into an archive
)

// Job is one piece of long work.
type Job struct {
	ID             string          `json:"id"`
	Kind           Kind            `json:"kind"`
	Model          string          `json:"model"`                // or the name of the document
	ArchiveID      string          `json:"archive_id,omitempty"` // that the document is read into
	State          State           `json:"state"`
	Status         string          `json:"status"`             // what it is doing, in the words of the engine
	Result         string          `json:"result,omitempty"`   // id of the document that was read
	Revision       string          `json:"revision,omitempty"` // id of the revision that it made
	Completed      int64           `json:"completed"`          // bytes; never goes back
	Total          int64           `json:"total"`              // bytes, 0 = not known yet
	BytesPerSecond float64         `json:"bytes_per_s"`
	ETASeconds     float64         `json:"eta_s"` // 0 = not known
	Problem        *memory.Problem `json:"problem,omitempty"`
	CreatedAt      time.Time       `json:"created_at"`
	EndedAt        time.Time       `json:"ended_at,omitzero"`
}

// Progress is how far a job is.
type Progress struct {
	Status         string
	Completed      int64 // bytes
	Total          int64 // bytes
	BytesPerSecond float64
	ETA            time.Duration
	Result         string
	Revision       string
}

const (
	kept  = 20                     // ended jobs that stay listed
	pause = 200 * time.Millisecond // between two events of one job while only its numbers change
)

// Registry runs jobs. Its methods may be called from many goroutines.
type Registry struct {
	clock   memory.Clock
	ids     *memory.IDs
	publish func(memory.Event)

	wg   sync.WaitGroup
	mu   sync.Mutex
	jobs []*entry // oldest first
	done bool
}

type entry struct {
	job       Job
	cancel    context.CancelFunc
	published time.Time
}

// New returns an empty registry that reports by events of type "model.progress".
func New(clock memory.Clock, ids *memory.IDs, publish func(memory.Event)) *Registry {
	return &Registry{clock: clock, ids: ids, publish: publish}
}

// Start runs work in the background and returns its job at once. The context of work ends when the job is cancelled or
// the registry closes. A job of the same kind that already runs for the model is returned instead of a second one. It
// returns EBUSY once the registry is closed.
func (r *Registry) Start(kind Kind, model string, work func(context.Context, func(Progress)) error) (Job, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.jobs {
		if !r.done && e.job.State == StateRunning && e.job.Kind == kind && e.job.Model == model {
			return e.job, nil
		}
	}
	return r.begin(Job{Kind: kind, Model: model}, work)
}

// AddDocument does the same for a document to be read into an archive, of which there may be several of one name.
func (r *Registry) AddDocument(archiveID, name string, work func(context.Context, func(Progress)) error) (Job, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.begin(Job{Kind: KindDocument, Model: name, ArchiveID: archiveID}, work)
}

// begin starts a job. The caller holds the lock.
func (r *Registry) begin(job Job, work func(context.Context, func(Progress)) error) (Job, error) {
	if r.done {
		return Job{}, memory.Errorf(memory.EBUSY, "start job", "the app is about to quit")
	}
	ctx, cancel := context.WithCancel(context.Background())
	job.ID, job.State, job.CreatedAt = r.ids.New("job"), StateRunning, r.clock()
	e := &entry{cancel: cancel, job: job}
	r.jobs = append(r.jobs, e)
	r.forget()
	r.report(e)
	r.wg.Go(func() {
		defer cancel()
		err := safely(func() error { return work(ctx, func(p Progress) { r.progress(e, p) }) })
		r.end(e, err, ctx.Err() != nil)
	})
	return e.job, nil
}

// safely turns a panic into an error: a fault in one job must not end the app.
func safely(work func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			slog.Error("A job panicked.", "fault", fault, "stack", string(debug.Stack()))
			err = memory.Errorf(memory.EINTERNAL, "run job", "a fault of the app: %v", fault)
		}
	}()
	return work()
}

// List returns the jobs, newest first.
func (r *Registry) List() []Job {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := make([]Job, 0, len(r.jobs))
	for _, e := range slices.Backward(r.jobs) {
		list = append(list, e.job)
	}
	return list
}

// Cancel asks a job to stop; an event tells when it has. It returns ENOTFOUND for an unknown job and does nothing to
// one that has ended.
func (r *Registry) Cancel(id string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.jobs {
		if e.job.ID == id {
			e.cancel()
			return nil
		}
	}
	return memory.Errorf(memory.ENOTFOUND, "cancel job", "there is no job %s", id)
}

// Close cancels all jobs and waits until they have ended or ctx ends.
func (r *Registry) Close(ctx context.Context) error {
	r.mu.Lock()
	r.done = true
	for _, e := range r.jobs {
		e.cancel()
	}
	r.mu.Unlock()
	ended := make(chan struct{})
	go func() { r.wg.Wait(); close(ended) }()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *Registry) progress(e *entry, p Progress) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := &e.job
	news := p.Status != j.Status || (j.Total == 0) != (p.Total == 0)
	j.Status, j.BytesPerSecond, j.ETASeconds = p.Status, p.BytesPerSecond, p.ETA.Seconds()
	j.Result, j.Revision = p.Result, p.Revision
	j.Completed, j.Total = max(j.Completed, p.Completed), max(j.Total, p.Total)
	if news || r.clock().Sub(e.published) >= pause {
		r.report(e)
	}
}

func (r *Registry) end(e *entry, err error, cancelled bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j := &e.job
	j.EndedAt, j.BytesPerSecond, j.ETASeconds = r.clock(), 0, 0
	switch {
	case err == nil:
		j.State, j.Completed = StateDone, j.Total
	case cancelled && (errors.Is(err, context.Canceled) || memory.CodeOf(err) == memory.ECANCELLED):
		j.State = StateCancelled
	default:
		j.State, j.Problem = StateFailed, memory.ProblemOf(err)
	}
	r.report(e)
}

// forget drops the oldest ended jobs beyond those that stay listed. The caller holds the lock.
func (r *Registry) forget() {
	ended := 0
	for i := len(r.jobs) - 1; i >= 0; i-- {
		if r.jobs[i].job.State == StateRunning {
			continue
		}
		if ended++; ended > kept {
			r.jobs = slices.Delete(r.jobs, i, i+1)
		}
	}
}

// report publishes the state of a job. The caller holds the lock, so that events come in the order of the changes.
func (r *Registry) report(e *entry) {
	e.published = r.clock()
	j := e.job
	data := map[string]any{
		"job": j.ID, "kind": j.Kind, "model": j.Model, "state": j.State, "status": j.Status,
		"completed": j.Completed, "total": j.Total, "bytes_per_s": j.BytesPerSecond, "eta_s": j.ETASeconds,
	}
	if j.ArchiveID != "" {
		data["archive_id"] = j.ArchiveID
	}
	if j.Problem != nil {
		data["problem"] = j.Problem
	}
	if j.Result != "" {
		data["result"], data["revision"] = j.Result, j.Revision
	}
	r.publish(memory.Event{Type: "model.progress", Data: data})
}
