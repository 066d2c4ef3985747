package api_test

import (
	"bytes"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/api"
	"recollect/backend/ingest/ingesttest"
	"recollect/backend/jobs"
	"recollect/backend/memory"
)

// upload sends files as a browser does.
func (a *app) upload(t *testing.T, fields map[string]string, files map[string][]byte) answer {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, value := range fields {
		must(t, form.WriteField(name, value))
	}
	for name, content := range files {
		w, err := form.CreateFormFile("file", name)
		must(t, err)
		_, err = w.Write(content)
		must(t, err)
	}
	must(t, form.Close())
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/api/documents", &body)
	r.Header.Set("Content-Type", form.FormDataContentType())
	w := httptest.NewRecorder()
	a.ServeHTTP(w, r)
	return answer{w.Result(), w.Body.String()}
}

// job returns a job as it is now.
func (a *app) job(t *testing.T, id string) jobs.Job {
	t.Helper()
	list := a.deps.Jobs.List()
	i := slices.IndexFunc(list, func(j jobs.Job) bool { return j.ID == id })
	if i < 0 {
		t.Fatalf("no job %s among %+v", id, list)
	}
	return list[i]
}

// ended waits for a job to end.
func (a *app) ended(t *testing.T, id string) jobs.Job {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		j := a.job(t, id)
		if j.State != jobs.StateRunning {
			return j
		}
		if time.Now().After(end) {
			t.Fatalf("the job did not end: %+v", j)
		}
	}
}

// added uploads one file and waits until it has been read.
func (a *app) added(t *testing.T, name string, content []byte) jobs.Job {
	t.Helper()
	res := a.upload(t, map[string]string{"agent_id": a.ids["{agent}"]}, map[string][]byte{name: content})
	if res.StatusCode != http.StatusAccepted {
		t.Fatalf("%d %s", res.StatusCode, res.body)
	}
	var list api.Jobs
	res.json(t, &list)
	return a.ended(t, list.Jobs[0].ID)
}

func house(t *testing.T, pages int) []byte {
	t.Helper()
	var b bytes.Buffer
	must(t, ingesttest.PDF{Title: "The house", Pages: pages, Page: func(n int) []string {
		return []string{fmt.Sprintf("# Chapter %d", n), fmt.Sprintf("The meter of page %d counts %d units.", n, n*7)}
	}}.Write(&b))
	return b.Bytes()
}

func TestADocumentIsAddedPagedSearchedAndDeleted(t *testing.T) {
	a := newApp(t)
	job := a.added(t, "house.pdf", house(t, 12))
	if job.State != jobs.StateDone || job.Status != "added" || job.Result == "" || job.Revision == "" {
		t.Fatalf("%+v", job)
	}
	left, err := filepath.Glob(filepath.Join(a.deps.Home, "upload-*"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("copies are left: %v", left)
	}
	h := a.Handler
	var list api.Documents
	call(t, h, "GET", "/api/documents?agent_id="+a.ids["{agent}"], "").json(t, &list)
	if len(list.Documents) != 1 || list.Documents[0].Title != "The house" || list.Documents[0].Pages != 12 || list.Documents[0].SummaryBy != memory.ActorSystem ||
		!strings.Contains(list.Documents[0].Summary, "12 pages") {
		t.Fatalf("%+v", list.Documents)
	}
	at := "/api/documents/" + job.Result
	var page api.DocumentPage
	call(t, h, "GET", at+"/pages?page=7", "").json(t, &page)
	if page.Page != 7 || len(page.Parts) != 1 || !strings.Contains(page.Parts[0].Text, "counts 49 units") || page.Parts[0].Heading != "Chapter 7" {
		t.Errorf("%+v", page.Parts)
	}
	var hits api.DocumentHits
	call(t, h, "GET", at+"/find?query=Counts+49", "").json(t, &hits)
	if len(hits.Hits) != 1 || hits.Hits[0].Page != 7 || hits.More {
		t.Errorf("%+v", hits)
	}
	var same api.DocumentPage
	call(t, h, "GET", at+"/pages?passage_id="+hits.Hits[0].PassageID, "").json(t, &same)
	if same.Page != 7 {
		t.Errorf("the passage stands on page %d", same.Page)
	}
	var found api.Passages
	call(t, h, "GET", "/api/passages?query=counts+49+units&by=words&agent_id="+a.ids["{agent}"], "").json(t, &found)
	if len(found.Passages) == 0 || found.Passages[0].Document == nil || found.Passages[0].Document.Page != 7 || found.Passages[0].Document.Title != "The house" {
		t.Errorf("%+v", found.Passages)
	}
	if again := a.added(t, "copy of house.pdf", house(t, 12)); again.Status != "known" || again.Result != job.Result {
		t.Errorf("the same file again: %+v", again)
	}
	if changed := a.added(t, "house.pdf", house(t, 13)); changed.Status != "updated" || changed.Result != job.Result {
		t.Errorf("the changed file: %+v", changed)
	}
	var gone api.Revised
	call(t, h, "DELETE", at, "").json(t, &gone)
	call(t, h, "GET", "/api/documents?agent_id="+a.ids["{agent}"], "").json(t, &list)
	if len(list.Documents) != 0 {
		t.Errorf("%+v", list.Documents)
	}
	if res := call(t, h, "POST", "/api/revisions/"+gone.Revision.ID+"/undo", ""); res.StatusCode != http.StatusOK {
		t.Errorf("undo: %s", res.body)
	}
	call(t, h, "GET", "/api/documents?query=HOUSE&agent_id="+a.ids["{agent}"], "").json(t, &list)
	if len(list.Documents) != 1 || list.Documents[0].Pages != 13 {
		t.Errorf("%+v", list.Documents)
	}
	for url, status := range map[string]int{
		at + "/pages?page=14": 404, at + "/pages?page=0": 400, at + "/pages?page=x": 400, at + "/find": 400, "/api/documents": 400,
		"/api/documents/document-none": 404, "/api/documents/document-none/pages": 404, at + "/pages?passage_id=passage-none": 404,
	} {
		if res := call(t, h, "GET", url, ""); res.StatusCode != status {
			t.Errorf("%s: %d, want %d", url, res.StatusCode, status)
		}
	}
}

func TestAFileThatCannotBeReadLeavesNothing(t *testing.T) {
	a := newApp(t)
	for name, c := range map[string]struct {
		content []byte
		remedy  memory.Remedy
	}{
		"empty.txt":  {nil, memory.RemedyFillFile},
		"broken.pdf": {house(t, 3)[:700], memory.RemedyCheckFile},
		"a.zip":      {[]byte("PK\x05\x06" + strings.Repeat("\x00", 18)), memory.RemedyOtherFormat},
		"deep.json":  {[]byte(`[{"a":"some text that is stored before the fault"},` + strings.Repeat("[", 9000)), memory.RemedySplitFile},
	} {
		if job := a.added(t, name, c.content); job.State != jobs.StateFailed || job.Problem.Remedy != c.remedy {
			t.Errorf("%s: %+v %+v", name, job, job.Problem)
		}
	}
	var list api.Documents
	call(t, a.Handler, "GET", "/api/documents?agent_id="+a.ids["{agent}"], "").json(t, &list)
	if len(list.Documents) != 0 {
		t.Errorf("%+v", list.Documents)
	}
	if stats, err := a.store.Stats(t.Context()); err != nil || stats.Passages != 1 { // the one that was there
		t.Errorf("%d passages, %v", stats.Passages, err)
	}
}

func TestAReadingThatIsStoppedLeavesNothing(t *testing.T) {
	a := newApp(t)
	var long bytes.Buffer
	for i := range 400_000 {
		fmt.Fprintf(&long, "The ride number %d went to the coast and back again, with the wind.\n\n", i)
	}
	res := a.upload(t, map[string]string{"agent_id": a.ids["{agent}"]}, map[string][]byte{"rides.txt": long.Bytes()})
	var list api.Jobs
	res.json(t, &list)
	id := list.Jobs[0].ID
	for ; a.passagesOfAnyReading(t) < 200; time.Sleep(5 * time.Millisecond) {
		if job := a.job(t, id); job.State != jobs.StateRunning {
			t.Fatalf("it has ended before it was under way: %+v", job)
		}
	}
	if res := call(t, a.Handler, "DELETE", "/api/jobs/"+id, ""); res.StatusCode != http.StatusNoContent {
		t.Fatal(res.body)
	}
	if job := a.ended(t, id); job.State != jobs.StateCancelled {
		t.Errorf("%+v", job)
	}
	if n := a.passagesOfAnyReading(t); n != 0 {
		t.Errorf("%d passages are left", n)
	}
}

// passagesOfAnyReading counts the texts that speak of the coast, also those that are in nobody's sight.
func (a *app) passagesOfAnyReading(t *testing.T) int {
	t.Helper()
	_, df, err := a.store.DocFrequencies(t.Context(), []string{"coast"})
	must(t, err)
	return df[0]
}

func TestFilesOfThisMachineAreReadByTheirPath(t *testing.T) {
	a := newApp(t)
	path := filepath.Join(t.TempDir(), "notes.md")
	must(t, os.WriteFile(path, []byte("# Notes\n\nThe keys are with Ada."), 0o600))
	body := fmt.Sprintf(`{"agent_id":%q,"paths":[%q]}`, a.ids["{agent}"], path)
	var list api.Jobs
	call(t, a.Handler, "POST", "/api/documents", body).json(t, &list)
	job := a.ended(t, list.Jobs[0].ID)
	var d memory.Document
	call(t, a.Handler, "GET", "/api/documents/"+job.Result, "").json(t, &d)
	if d.Path != path || d.Title != "Notes" || d.ChangedAt.IsZero() {
		t.Errorf("%+v", d)
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the user's file: %v", err)
	}
	for body, status := range map[string]int{
		`{"agent_id":"{agent}","paths":[]}`:                                           400,
		`{"agent_id":"{agent}","paths":["notes.md"]}`:                                 400,
		`{"agent_id":"{agent}","paths":["/nowhere/at/all.md"]}`:                       404,
		`{"agent_id":"agent-none","paths":["/nowhere/at/all.md"]}`:                    404,
		`{"agent_id":"{agent}","paths":["/a","/b"],"document_id":"document-unknown"}`: 400,
	} {
		if res := call(t, a.Handler, "POST", "/api/documents", strings.ReplaceAll(body, "{agent}", a.ids["{agent}"])); res.StatusCode != status {
			t.Errorf("%s: %d %s", body, res.StatusCode, res.body)
		}
	}
	if res := a.upload(t, map[string]string{"agent_id": "agent-none"}, map[string][]byte{"a.txt": []byte("text")}); res.StatusCode != http.StatusNotFound {
		t.Errorf("%d %s", res.StatusCode, res.body)
	}
	left, err := filepath.Glob(filepath.Join(a.deps.Home, "upload-*"))
	must(t, err)
	if len(left) > 0 {
		t.Errorf("copies are left: %v", left)
	}
}
