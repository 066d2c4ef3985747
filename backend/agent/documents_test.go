package agent_test

import (
	"slices"
	"testing"
	"time"

	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// A tool takes room in every prompt: the one that reads documents comes with the first document.
func TestTheToolThatReadsDocumentsComesWithThem(t *testing.T) {
	w := newWorld(t, enginetest.Tools)
	offered := func() bool {
		t.Helper()
		w.send("Good morning")
		w.answer()
		chats := w.fake.Chats()
		var names []string
		for _, tool := range chats[len(chats)-1].Tools {
			names = append(names, tool.Function.Name)
		}
		if !slices.Contains(names, "archival_memory_search") {
			t.Fatalf("tools %v", names)
		}
		return slices.Contains(names, "read_document")
	}
	if offered() {
		t.Error("it is offered without a document")
	}
	reading, err := w.store.BeginReading(w.ctx(), w.agent.ArchiveID, "lease.txt", "", "")
	w.must(err)
	w.must(w.store.AddParts(w.ctx(), reading, "Lease", time.Time{}, []store.DocumentPart{{Text: "The rent is 900 euros.", Page: 1}}))
	_, _, err = w.store.Publish(w.ctx(), reading, memory.Document{Title: "Lease", Pages: 1}, "A lease.", memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	if !offered() {
		t.Error("it is not offered with a document")
	}
}
