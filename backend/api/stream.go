package api

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"time"

	"recollect/backend/memory"
)

// writeWithin is how long a listener may take to accept a piece of the event stream.
const writeWithin = 30 * time.Second

// events streams the bus as server-sent events: "id: EPOCH-NUMBER", "event: bus", and the event as data. It goes on
// behind the Last-Event-ID, or the parameter since, or begins now. A comment is written while nothing happens: in the
// app's own window only a failing write tells that the listener is gone.
func (a *API) events(w http.ResponseWriter, r *http.Request) {
	q := parameters(r, "since")
	last := r.Header.Get("Last-Event-ID")
	if last == "" {
		last = q.text("since")
	}
	if q.err != nil {
		writeProblem(w, r, q.err)
		return
	}
	since := a.Bus.Seq()
	if last != "" {
		var known bool
		if since, known = a.position(last); !known {
			since = math.MaxUint64 // no such event: the bus answers with a reset
		}
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	events := a.Bus.Subscribe(ctx, since).Events()

	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	write := func(format string, args ...any) bool {
		_ = out.SetWriteDeadline(time.Now().Add(writeWithin)) // not every transport has deadlines
		if _, err := fmt.Fprintf(w, format, args...); err != nil {
			return false
		}
		_ = out.Flush() // the window's transport cannot, and need not
		return true
	}
	if !write("retry: 1000\n: hello\n\n") {
		return
	}
	beat := time.NewTicker(a.Heartbeat)
	defer beat.Stop()
	for {
		select {
		case ev, open := <-events:
			if !open || !write("id: %s-%d\nevent: bus\ndata: %s\n\n", a.Bus.Epoch(), ev.Seq, line(ev)) {
				return
			}
		case <-beat.C:
			if !write(": beat\n\n") {
				return
			}
		case <-a.closed:
			return
		}
	}
}

// line returns an event as one line of JSON. The bus has checked that it can be written.
func line(ev memory.Event) []byte {
	b, err := json.Marshal(filled(ev))
	if err != nil {
		panic(err)
	}
	return b
}
