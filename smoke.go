//go:build desktop && smoke

package main

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"

	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"
)

// This file is only in the binary that the desktop smoke test drives. It lets the test look into the page (where is that
// button, what does it say) and provoke faults in a handler of the window; typing and clicking stay real.

var smokeResults = struct { // test build only
	sync.Mutex
	next    int
	waiting map[int]chan json.RawMessage
}{waiting: map[int]chan json.RawMessage{}}

type smokeTarget struct{ n int }

// smokeRoutes adds /smoke/nil, a handler that dereferences nil, and /smoke/result, where the page answers an evaluation.
func smokeRoutes(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if os.Getenv("RECOLLECT_SMOKE_BLANK") != "" { // a view that stays blank
			w.WriteHeader(http.StatusOK)
			return
		}
		switch r.URL.Path {
		case "/smoke/result":
			id, _ := strconv.Atoi(r.URL.Query().Get("id"))
			body, _ := io.ReadAll(r.Body)
			smokeResults.Lock()
			ch := smokeResults.waiting[id]
			delete(smokeResults.waiting, id)
			smokeResults.Unlock()
			if ch != nil {
				ch <- body
			}
			w.WriteHeader(http.StatusNoContent)
		case "/smoke/nil":
			var p *smokeTarget
			p.n++
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// smokeListen serves POST /eval on the address in RECOLLECT_SMOKE: the body is the body of an async function, the answer
// what it returns as JSON.
func smokeListen(ctx context.Context, done <-chan struct{}) {
	l, err := net.Listen("tcp", os.Getenv("RECOLLECT_SMOKE"))
	if err != nil {
		panic(err)
	}
	go func() { <-done; _ = l.Close() }()
	go func() {
		_ = http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { // test build only
			js, _ := io.ReadAll(r.Body)
			ch := make(chan json.RawMessage, 1)
			smokeResults.Lock()
			smokeResults.next++
			id := smokeResults.next
			smokeResults.waiting[id] = ch
			smokeResults.Unlock()
			wails_runtime.WindowExecJS(ctx, `(async () => { let out; try { out = await (async () => {`+string(js)+
				`})() } catch (e) { out = {error: String(e)} } await fetch("/smoke/result?id=`+strconv.Itoa(id)+
				`", {method: "POST", body: JSON.stringify(out ?? null)}) })()`)
			select {
			case out := <-ch:
				_, _ = w.Write(out)
			case <-r.Context().Done():
			}
		}))
	}()
}
