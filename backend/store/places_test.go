package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"recollect/backend/memory"
)

// embedBy gives every text that waits for a model a vector, and returns the texts; own says that it is the app's.
func (w *world) embedBy(model string, dim int, own bool) (texts []string) {
	w.t.Helper()
	for {
		items, err := w.PendingEmbeddings(w.ctx, model, dim, own, 16)
		must(w.t, err)
		if len(items) == 0 {
			slices.Sort(texts)
			return texts
		}
		var vectors []Embedding
		for _, it := range items {
			texts = append(texts, it.Text)
			vectors = append(vectors, Embedding{Ref: it.Ref, View: it.View, Vector: vectorOf(uint64(len(texts)), dim)})
		}
		must(w.t, w.SaveEmbeddings(w.ctx, model, dim, vectors))
	}
}

// foundBy returns how many passages of an archive a model's vectors find.
func (w *world) foundBy(model string, dim int, archive string) int {
	w.t.Helper()
	hits, err := w.VectorSearch(w.ctx, VecQuery{Model: model, View: ViewOwn, Vector: vectorOf(1, dim), ArchiveID: archive})
	must(w.t, err)
	return len(hits)
}

// embeddersOf returns the models that have vectors of an archive, a star behind those that have all.
func (w *world) embeddersOf(archive string) (models []string) {
	w.t.Helper()
	found, err := w.PlaceEmbedders(w.ctx, archive)
	must(w.t, err)
	for _, f := range found {
		if f.Done {
			f.Model += "*"
		}
		models = append(models, f.Model)
	}
	return models
}

func (w *world) setEmbedder(archive, model string) {
	w.t.Helper()
	a, err := w.SetArchiveEmbedder(w.ctx, archive, model)
	must(w.t, err)
	wantEqual(w.t, "embedder of the archive", a.Embedder, model)
}

// dropReplaced returns whose vectors went.
func (w *world) dropReplaced(model string, dim int) []string {
	w.t.Helper()
	gone, err := w.DropReplaced(w.ctx, model, dim)
	must(w.t, err)
	return gone
}

func TestArchivesAreEmbeddedByTheirOwnModels(t *testing.T) {
	w := newWorld(t)
	plain, own := w.agent(), w.agent()
	w.setEmbedder(own.ArchiveID, "own")
	w.say(w.conversation(own).ID, memory.RoleUser, "said")
	w.passage(plain.ArchiveID, "plain")
	w.passage(own.ArchiveID, "its own")
	wantEqual(t, "by the app's", fmt.Sprint(w.embedBy("app", 8, true)), "[2026-11-29\nuser: said plain user: said]")
	wantEqual(t, "by its own", fmt.Sprint(w.embedBy("own", 16, false)), "[its own]")
	later := w.passage(own.ArchiveID, "later")
	wantEqual(t, "embedded", later.Embedded, false)
	wantEqual(t, "by the app's, later", len(w.embedBy("app", 8, true)), 0)
	wantEqual(t, "by its own, later", fmt.Sprint(w.embedBy("own", 16, false)), "[later]")
	later, err := w.Passage(w.ctx, later.ID)
	must(t, err)
	wantEqual(t, "embedded", later.Embedded, true)
	wantEqual(t, "dropped", len(w.dropReplaced("app", 8))+len(w.dropReplaced("own", 16)), 0)
	wantEqual(t, "found in its archive by its own model", w.foundBy("own", 16, own.ArchiveID), 2)
	wantEqual(t, "found by the other's", w.foundBy("app", 8, own.ArchiveID), 0)
	models, err := w.ArchiveEmbedders(w.ctx)
	must(t, err)
	wantEqual(t, "named models", fmt.Sprint(models), "[own]")

	w.reopen()
	w.rebuildIndexes()
	wantEqual(t, "anew by the app's", len(w.embedBy("app", 8, true)), 3)
	wantEqual(t, "anew by its own", fmt.Sprint(w.embedBy("own", 16, false)), "[its own later]")
}

func TestAnArchiveChangesItsEmbedder(t *testing.T) {
	w := newWorld(t, func(o *Options) { o.VectorCacheBytes = 1 << 20 })
	a, b := w.agent(), w.agent()
	for i := range vectorsAtOnce + 20 { // more than go in one step
		w.passage(a.ArchiveID, fmt.Sprint("text ", i))
	}
	w.passage(b.ArchiveID, "of another")
	all := vectorsAtOnce + 20
	w.embedBy("app", 8, true)
	w.foundBy("app", 8, a.ArchiveID)
	w.awaitCache()

	w.setEmbedder(a.ArchiveID, "new")
	items, err := w.PendingEmbeddings(w.ctx, "new", 16, false, 3)
	must(t, err)
	must(t, w.SaveEmbeddings(w.ctx, "new", 16, []Embedding{{Ref: items[0].Ref, View: items[0].View, Vector: vectorOf(1, 16)}}))
	total, pending, err := w.ArchiveIndexed(w.ctx, a.ArchiveID, "new")
	must(t, err)
	wantEqual(t, "in the archive", total, all)
	wantEqual(t, "waiting", pending, all-1)
	wantEqual(t, "who has vectors of it", fmt.Sprint(w.embeddersOf(a.ArchiveID)), "[app* new]")
	wantEqual(t, "dropped before the end", len(w.dropReplaced("new", 16)), 0)
	wantEqual(t, "found meanwhile with the old ones", w.foundBy("app", 8, a.ArchiveID), 50)

	// What comes meanwhile waits for both, but only the one that is wanted embeds it.
	w.passage(a.ArchiveID, "meanwhile")
	wantEqual(t, "for the old one", len(w.embedBy("app", 8, true)), 0)
	w.reopen()
	w.embedBy("new", 16, false)
	wantEqual(t, "who has vectors of it", fmt.Sprint(w.embeddersOf(a.ArchiveID)), "[app* new*]")
	wantEqual(t, "whose vectors went", fmt.Sprint(w.dropReplaced("new", 16)), "[app]")
	wantEqual(t, "who has vectors of it", fmt.Sprint(w.embeddersOf(a.ArchiveID)), "[new*]")
	for _, cached := range []string{"file", "memory"} {
		wantEqual(t, "found with the new ones in "+cached, w.foundBy("new", 16, a.ArchiveID), 50)
		wantEqual(t, "found with the old ones in "+cached, w.foundBy("app", 8, a.ArchiveID), 0)
		wantEqual(t, "the other archive in "+cached, w.foundBy("app", 8, b.ArchiveID), 1)
		w.awaitCache()
	}

	// Back to the app's: the model that nobody names any more goes with all it has.
	w.setEmbedder(a.ArchiveID, "")
	wantEqual(t, "waiting for the app's again", len(w.embedBy("app", 8, true)), all+1)
	wantEqual(t, "whose vectors went", fmt.Sprint(w.dropReplaced("app", 8)), "[new]")
	sets, err := w.EmbeddingSets(w.ctx)
	must(t, err)
	wantEqual(t, "sets", fmt.Sprint(sets), fmt.Sprintf("[{app 8 %d 0}]", all+2))
}

// Whoever changes his mind before the other model is done has lost nothing.
func TestAnArchiveChangesItsEmbedderBack(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	w.passage(a.ArchiveID, "one")
	w.embedBy("app", 8, true)
	w.setEmbedder(a.ArchiveID, "new")
	_, err := w.PendingEmbeddings(w.ctx, "new", 16, false, 1)
	must(t, err)
	w.passage(a.ArchiveID, "two")
	w.setEmbedder(a.ArchiveID, "")
	wantEqual(t, "waiting", fmt.Sprint(w.embedBy("app", 8, true)), "[two]")
	wantEqual(t, "whose vectors went", fmt.Sprint(w.dropReplaced("app", 8)), "[new]")
}

func TestAnArchiveKeepsItsEmbedder(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	w.setEmbedder(a.ArchiveID, "own")
	clone, err := w.CloneAgent(w.ctx, a.ID, "Clone", false, byUser)
	must(t, err)
	archive, err := w.Archive(w.ctx, clone.ArchiveID)
	must(t, err)
	wantEqual(t, "embedder of the clone's archive", archive.Embedder, "own")
	_, err = w.SetArchiveEmbedder(w.ctx, "archive-gone", "m")
	wantCode(t, err, memory.ENOTFOUND)
	backup := t.TempDir() + "/copy.db"
	must(t, w.Backup(w.ctx, backup))
	w.setEmbedder(a.ArchiveID, "")
	w.close()
	_, err = Restore(w.ctx, backup, w.path, w.now)
	must(t, err)
	w.open()
	archive, err = w.Archive(w.ctx, a.ArchiveID)
	must(t, err)
	wantEqual(t, "embedder after a restore", archive.Embedder, "own")
}

// An archive is counted at each step of embedding while the page shows it: among a million messages too.
func TestAnArchiveIsCountedWithoutAScan(t *testing.T) {
	w := newWorld(t)
	plan, err := all(w.ctx, w.Store, func(r scanner) (s string, err error) { var n int; return s, r.Scan(&n, &n, &n, &s) }, "EXPLAIN QUERY PLAN "+text("archive_indexed"), 3, "m")
	must(t, err)
	if got := strings.Join(plan, "\n"); strings.Contains(got, "SCAN") || !strings.Contains(got, "COVERING INDEX item_of_archive") {
		t.Errorf("counted with:\n%s", got)
	}
}
