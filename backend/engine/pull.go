package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/memory"
)

const (
	pullTries = 3                // connections for one download; each goes on where the last one broke
	pullQuiet = 10 * time.Minute // without a word: checking the sum of a large model takes long
)

// Pull downloads a model from one of the known registries, or one on this machine. Cancelling ctx stops it; what has come
// stays on disk and the next pull goes on from there.
func (e *Engine) Pull(ctx context.Context, name string, progress func(PullProgress)) error {
	defer e.Hold()()
	const op = "pull the model"
	insecure, err := checkPullName(op, name)
	if err != nil {
		return err
	}
	c, err := e.connection()
	if err != nil {
		return err
	}
	m := newMeter(e.o.Clock, progress)
	for try := 1; ; try++ {
		before := m.done()
		err := c.follow(ctx, "/api/pull", api.PullRequest{Model: strings.TrimSpace(name), Insecure: insecure}, m.line)
		if err == nil {
			break
		}
		failed := classify(ctx, op, err)
		broken := failed.Code == memory.EENGINE || failed.Code == memory.EINCOMPLETE
		if !broken || try >= pullTries && m.done() == before {
			return failed
		}
	}
	e.modelsChanged(ctx, c)
	m.finish()
	return nil
}

// follow makes a request that reports its progress; it succeeds only with the line "success".
func (c *conn) follow(ctx context.Context, path string, req any, line func(api.ProgressResponse)) error {
	ctx, dog := watch(ctx, PhaseLoading, pullQuiet)
	defer dog.stop()
	success := false
	err := c.stream(ctx, path, req, func(b []byte) error {
		dog.feed(PhaseLoading, pullQuiet)
		var p api.ProgressResponse
		if err := json.Unmarshal(b, &p); err != nil {
			return fmt.Errorf("read the progress: %w", err)
		}
		success = success || p.Status == "success"
		line(p)
		return nil
	})
	if err != nil {
		return cause(ctx, err)
	}
	if !success {
		return notDone("follow the progress")
	}
	return nil
}

// meter adds up the progress of several files into one bar that never goes back.
type meter struct {
	clock    memory.Clock
	report   func(PullProgress)
	files    map[string]api.ProgressResponse // by digest
	p        PullProgress
	reported time.Time
	marks    []mark // the last seconds, for the speed
}

type mark struct {
	at   time.Time
	done int64
}

const (
	meterEvery  = 100 * time.Millisecond
	meterWindow = 5 * time.Second
)

func newMeter(clock memory.Clock, report func(PullProgress)) *meter {
	if report == nil {
		report = func(PullProgress) {}
	}
	return &meter{clock: clock, report: report, files: map[string]api.ProgressResponse{}}
}

func (m *meter) done() int64 { return m.p.Completed }

// line takes one line of the engine's progress.
func (m *meter) line(r api.ProgressResponse) {
	status := "downloading"
	switch {
	case r.Digest != "":
		f := m.files[r.Digest]
		f.Total = max(f.Total, r.Total)
		f.Completed = min(max(f.Completed, r.Completed), f.Total) // parts that failed are taken off again; we do not show that
		m.files[r.Digest] = f
		var done, total int64
		for _, f := range m.files {
			done, total = done+f.Completed, total+f.Total
		}
		m.update(status, done, total)
		return
	case strings.HasPrefix(r.Status, "pulling manifest"):
		status = "manifest"
	case strings.HasPrefix(r.Status, "verifying"):
		status = "verifying"
	case r.Status == "success":
		return // the caller has the last word
	default:
		status = "creating"
	}
	m.update(status, m.p.Completed, m.p.Total)
}

// update moves the bar and reports it, at most ten times a second or when the step changes.
func (m *meter) update(status string, done, total int64) {
	now := m.clock()
	changed := status != m.p.Status
	m.p.Status = status
	m.p.Completed, m.p.Total = max(m.p.Completed, done), max(m.p.Total, total)
	m.marks = append(m.marks, mark{now, m.p.Completed})
	for len(m.marks) > 2 && now.Sub(m.marks[0].at) > meterWindow {
		m.marks = m.marks[1:]
	}
	m.p.BytesPerSecond, m.p.ETA = 0, 0
	if d := now.Sub(m.marks[0].at).Seconds(); d > 0 {
		m.p.BytesPerSecond = float64(m.p.Completed-m.marks[0].done) / d
	}
	if m.p.BytesPerSecond > 0 {
		m.p.ETA = time.Duration(float64(m.p.Total-m.p.Completed) / m.p.BytesPerSecond * float64(time.Second))
	}
	if !changed && now.Sub(m.reported) < meterEvery {
		return
	}
	m.reported = now
	m.report(m.p)
}

// finish reports the end.
func (m *meter) finish() {
	m.p.Status, m.p.Completed, m.p.BytesPerSecond, m.p.ETA = "done", m.p.Total, 0, 0
	m.report(m.p)
}

// headBlob says whether the engine has a file of that digest already.
func (c *conn) headBlob(ctx context.Context, digest string) bool {
	return c.call(ctx, http.MethodHead, "/api/blobs/"+digest, nil, nil) == nil
}
