package app_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ollama "github.com/ollama/ollama/api"

	"recollect/backend/api"
	"recollect/backend/app"
	"recollect/backend/engine/enginetest"
	"recollect/backend/instance"
	"recollect/backend/memory"
)

// A document that is added is summarised by the model in the background, and one that was added while there was no engine
// when there is one.
func TestAddedDocumentsAreSummarised(t *testing.T) {
	w := newWorld(t)
	const summary = "The lease of a workshop in Bremen, for 1,200 euros a month."
	w.engine.OnChat(func(r ollama.ChatRequest) enginetest.Reply {
		if strings.Contains(enginetest.LastUser(r), "Summarise") {
			return enginetest.Reply{Content: summary}
		}
		return enginetest.Echo(r)
	})
	path := filepath.Join(t.TempDir(), "lease.md")
	must(t, os.WriteFile(path, []byte("# The lease\n\n"+strings.Repeat("The lease of the workshop in Bremen costs 1,200 euros a month and runs for years. ", 20)), 0o600))
	add := func(a *app.App, path string) {
		agents, err := a.Store.Agents(t.Context())
		must(t, err)
		var list api.Jobs
		must(t, instance.NewClient(a.Info()).Do(t.Context(), http.MethodPost, "/api/documents", api.DocumentsAdd{AgentID: agents[0].ID, Paths: []string{path}}, &list))
	}
	summarised := func(a *app.App, n int) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
			agents, err := a.Store.Agents(t.Context())
			must(t, err)
			docs, err := a.Store.DocumentsNamed(t.Context(), agents[0].ArchiveID, "", 10)
			must(t, err)
			done := 0
			for _, d := range docs {
				if d.SummaryBy == memory.ActorModel && d.Summary == summary {
					done++
				}
			}
			if done == n {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("%d of %d are summarised: %+v", done, n, docs)
			}
		}
	}
	a := w.start()
	add(a, path)
	summarised(a, 1)

	w.engine.Stop()
	other := filepath.Join(t.TempDir(), "other.md")
	must(t, os.WriteFile(other, []byte("# Another lease\n\n"+strings.Repeat("Another workshop in Bremen costs 1,200 euros a month, with a lease of its own. ", 20)), 0o600))
	add(a, other)
	must(t, w.engine.Restart())
	summarised(a, 2)
}
