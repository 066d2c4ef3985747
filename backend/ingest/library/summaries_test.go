package library_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/backend/agent"
	"recollect/backend/ingest/library"
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/segment"
	"recollect/backend/store"
)

// desk is a library over a real store, with a writer that writes what the test says. Nothing runs by itself: what waits for
// a quiet moment is done by idle.
type desk struct {
	*testing.T
	store     *store.Store
	library   *library.Library
	jobs      *jobs.Registry
	agent     memory.Agent
	summaries *library.Summaries
	choice    string
	answer    func(question string) (string, error)
	asked     []string
	waiting   []func(context.Context) error
	woken     int
}

const digest = "sha256:writer"

func (d *desk) Idly(_ string, run func(context.Context) error) { d.waiting = append(d.waiting, run) }

func (d *desk) Ask(_ context.Context, a agent.Aside) (string, string, error) {
	if !a.Usable(digest) {
		return "", "", memory.Errorf(memory.EUNSUPPORTED, "ask", "no use")
	}
	q := a.Text("en")
	d.asked = append(d.asked, q)
	text, err := d.answer(q)
	return text, digest, err
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	d := &desk{T: t}
	var err error
	d.store, err = store.Open(t.Context(), filepath.Join(t.TempDir(), "recollect.db"), store.Options{})
	d.must(err)
	t.Cleanup(func() { d.must(d.store.Close()) })
	d.agent, err = d.store.CreateAgent(t.Context(), memory.Agent{Name: "Ada"}, memory.Cause{Actor: memory.ActorUser})
	d.must(err)
	d.jobs = jobs.New(time.Now, memory.NewIDs(time.Now, rand.Reader), func(memory.Event) {})
	t.Cleanup(func() { _ = d.jobs.Close(context.Background()) })
	d.library = library.New(d.store, d.jobs, time.Now, func() { d.woken++ })
	d.restart()
	return d
}

// restart forgets what is only known in memory.
func (d *desk) restart() {
	d.summaries = library.NewSummaries(d.store, d, func() string { return d.choice }, func() { d.woken++ }, slog.New(slog.DiscardHandler))
}

func (d *desk) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// idle wakes the summaries and does what waits.
func (d *desk) idle() {
	d.Helper()
	d.summaries.Wake()
	for len(d.waiting) > 0 {
		run := d.waiting[0]
		d.waiting = d.waiting[1:]
		d.must(run(d.Context()))
	}
}

// read reads a text and returns its document.
func (d *desk) read(name, content string) string {
	d.Helper()
	path := filepath.Join(d.TempDir(), name)
	d.must(os.WriteFile(path, []byte(content), 0o600))
	return d.readAt(path)
}

// readAt reads a file, for the first time or anew, and returns its document.
func (d *desk) readAt(path string) string {
	d.Helper()
	job, err := d.library.Add(library.File{ArchiveID: d.agent.ArchiveID, Name: filepath.Base(path), At: path, Path: path, Cause: memory.Cause{Actor: memory.ActorImport}})
	d.must(err)
	for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
		for _, j := range d.jobs.List() {
			if j.ID == job.ID && j.State == jobs.StateDone {
				return j.Result
			}
			if j.ID == job.ID && j.State != jobs.StateRunning || time.Now().After(end) {
				d.Fatalf("%+v %+v", j, j.Problem)
			}
		}
	}
}

func (d *desk) document(id string) memory.Document {
	d.Helper()
	doc, err := d.store.Document(d.Context(), id)
	d.must(err)
	return doc
}

// lease is a text about a house of that name.
func lease(house string) string {
	return fmt.Sprintf("# The lease of %[1]s\n\nThe lease of the workshop in %[1]s runs until 31 May 2028. ", house) +
		strings.Repeat(fmt.Sprintf("The rent of %s is 1,200 euros a month, and Ada Winter keeps the keys. The boiler is serviced each October. ", house), 6)
}

func good(house string) string {
	return fmt.Sprintf("The lease of a workshop in %s until 31 May 2028, for 1,200 euros a month. Ada Winter keeps the keys.", house)
}

func TestDocumentsAreSummarisedByAModel(t *testing.T) {
	d := newDesk(t)
	bremen, lyon := d.read("bremen.md", lease("Bremen")), d.read("lyon.md", lease("Lyon"))
	short := d.read("note.md", "The keys are with Ada.")
	d.answer = func(q string) (string, error) {
		if strings.Contains(q, "Bremen") {
			return "Summary: " + good("Bremen"), nil
		}
		return good("Lyon"), nil
	}
	d.idle()
	for id, house := range map[string]string{bremen: "Bremen", lyon: "Lyon"} {
		if doc := d.document(id); doc.Summary != good(house) || doc.SummaryBy != memory.ActorModel {
			t.Errorf("%q by %s", doc.Summary, doc.SummaryBy)
		}
	}
	if doc := d.document(short); doc.SummaryBy != memory.ActorSystem {
		t.Errorf("what is shorter than a summary: %q by %s", doc.Summary, doc.SummaryBy)
	}
	if len(d.asked) != 2 || !strings.Contains(d.asked[0], "in English") || d.woken < 5 {
		t.Errorf("asked %d times, woken %d times: %q", len(d.asked), d.woken, d.asked)
	}
	d.idle()
	d.restart()
	d.idle()
	if len(d.asked) != 2 {
		t.Errorf("asked again: %d times", len(d.asked))
	}
	// What the user takes back stays so; a changed document is summarised anew.
	revisions, _, err := d.store.Revisions(t.Context(), store.RevisionFilter{Limit: 1})
	d.must(err)
	_, err = d.store.Undo(t.Context(), revisions[0].ID, memory.Cause{Actor: memory.ActorUser})
	d.must(err)
	d.idle()
	if len(d.asked) != 2 {
		t.Error("asked again for what was taken back")
	}
	path := d.document(lyon).Path
	d.must(os.WriteFile(path, []byte(lease("Lyon")+"\n\nThe garden belongs to it."), 0o600))
	d.readAt(path)
	d.idle()
	if len(d.asked) != 3 || !strings.Contains(d.asked[2], "The garden belongs to it") || d.document(lyon).SummaryBy != memory.ActorModel {
		t.Errorf("after a change: asked %d times, %+v", len(d.asked), d.document(lyon))
	}
}

// What is no summary is not stored; a model that fails twice is left in peace, and a document is not tried again.
func TestUselessSummariesAreRefused(t *testing.T) {
	d := newDesk(t)
	var ids []string
	for _, house := range []string{"Bremen", "Lyon", "Porto"} {
		ids = append(ids, d.read(house+".md", lease(house)))
	}
	d.answer = func(string) (string, error) { return "Hello! What would you like to know?", nil }
	d.idle()
	d.restart()
	d.idle()
	if len(d.asked) != 2 {
		t.Errorf("asked %d times", len(d.asked))
	}
	for _, id := range ids {
		if doc := d.document(id); doc.SummaryBy != memory.ActorSystem || !strings.Contains(doc.Summary, "The lease of") {
			t.Errorf("%q by %s", doc.Summary, doc.SummaryBy)
		}
	}
	d.choice = "always"
	d.answer = func(q string) (string, error) {
		for _, house := range []string{"Bremen", "Lyon", "Porto"} {
			if strings.Contains(q, house) {
				return good(house), nil
			}
		}
		return "", nil
	}
	d.idle()
	if len(d.asked) != 3 { // the one that was not tried
		t.Errorf("asked %d times", len(d.asked))
	}
	// Having done one well, it is trusted again.
	d.choice = ""
	next := d.read("again.md", lease("Bremen")+" Again.")
	d.idle()
	if doc := d.document(next); doc.SummaryBy != memory.ActorModel {
		t.Errorf("%q by %s", doc.Summary, doc.SummaryBy)
	}
}

func TestSummariesWaitForABetterMoment(t *testing.T) {
	for _, code := range []memory.Code{memory.EBUSY, memory.EENGINE, memory.EMODEL, memory.ECANCELLED} {
		d := newDesk(t)
		id := d.read("bremen.md", lease("Bremen"))
		d.choice = "off"
		d.idle()
		if len(d.asked) > 0 {
			t.Error("asked though it is switched off")
		}
		d.choice = "auto"
		d.answer = func(string) (string, error) { return "The lease", memory.Errorf(code, "ask", "not now") }
		d.idle()
		if doc := d.document(id); doc.SummaryBy != memory.ActorSystem || len(d.asked) != 1 {
			t.Errorf("%s: asked %d times, %q by %s", code, len(d.asked), doc.Summary, doc.SummaryBy)
		}
		d.answer = func(string) (string, error) { return good("Bremen"), nil }
		d.idle()
		if doc := d.document(id); doc.SummaryBy != memory.ActorModel {
			t.Errorf("%s: later %q by %s", code, doc.Summary, doc.SummaryBy)
		}
	}
}

// Of a long document the model is shown its beginning and places further on, no more than a small window holds.
func TestALongDocumentIsShownInParts(t *testing.T) {
	d := newDesk(t)
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "# Chapter %d\n\n%s\n\n", i+1, strings.Repeat(fmt.Sprintf("In chapter %d the ship sails on. ", i+1), 30))
	}
	d.read("voyage.md", b.String())
	d.answer = func(string) (string, error) { return "The ship sails on, chapter by chapter.", nil }
	d.idle()
	if len(d.asked) != 1 {
		t.Fatalf("asked %d times", len(d.asked))
	}
	if n := segment.Tokens(d.asked[0]); n > 1300 {
		t.Errorf("the question has %d tokens", n)
	}
	later := false
	for i := 150; i <= 300; i++ {
		later = later || strings.Contains(d.asked[0], fmt.Sprintf("In chapter %d the ship", i))
	}
	if !strings.Contains(d.asked[0], "In chapter 1 the ship") || !later {
		t.Errorf("the question is %s", d.asked[0])
	}
}
