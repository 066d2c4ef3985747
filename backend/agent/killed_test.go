package agent_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest"
	"recollect/backend/fact"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
)

// killedIn does something, and returns copies of the database as an app leaves it that is killed behind one of the writes of that.
func (w *world) killedIn(do func()) (copies []string) {
	w.Helper()
	stats, err := w.store.Stats(w.ctx())
	w.must(err)
	behind := func(f func()) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.committed = f
	}
	behind(func() {
		path := filepath.Join(w.TempDir(), "recollect.db")
		for _, end := range []string{"", "-wal"} {
			b, err := os.ReadFile(stats.Path + end)
			if err == nil {
				err = os.WriteFile(path+end, b, 0o600)
			}
			if err != nil {
				w.Error(err)
			}
		}
		copies = append(copies, path)
	})
	do()
	behind(nil)
	return copies
}

// restarted is the world as the app finds it that is started with the database at path.
func (w *world) restarted(path string) *world {
	w.Helper()
	k := &world{T: w.T, fake: w.fake, engine: w.engine, deps: w.deps, agent: w.agent, conv: w.conv, set: w.set}
	var err error
	k.store, err = store.Open(w.ctx(), path, store.Options{Lines: fact.Lines{}})
	w.must(err)
	k.deps.Store, k.deps.Recall = k.store, recall.New(recall.Deps{Store: k.store})
	k.service = agent.New(k.deps)
	return k
}

// end ends a restarted app.
func (w *world) end() {
	w.Helper()
	w.must(w.service.Close(w.ctx()))
	w.must(w.store.Close())
}

// Killed behind any step of a core compaction, of its undo, redo, replay and of putting back, the app finds each entry once at its next
// start, in core memory or in the archive; what had been asked for is done then.
func TestKilledInACoreCompaction(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	lines := strings.Split(w.filled(2), "\n")
	w.judged(func(e string) int {
		if strings.Contains(e, "bus") {
			return 1
		}
		return 3
	})
	w.send("Hello")
	copies := w.killedIn(func() {
		c := w.compacted(agent.CoreRequest{ConversationID: w.conv.ID})
		_, err := w.service.UndoCompaction(w.ctx(), c.ID)
		w.must(err)
		_, err = w.service.RedoCompaction(w.ctx(), c.ID)
		w.must(err)
		other, err := w.service.ReplayCompaction(w.ctx(), c.ID, agent.CompactRequest{Strategy: memory.StrategyScore})
		w.must(err)
		other, err = w.service.AdoptCompaction(w.ctx(), other.ID)
		w.must(err)
		n := slices.IndexFunc(other.Entries, func(e memory.CompactionEntry) bool { return e.Action.Left() })
		_, err = w.service.RestoreEntry(w.ctx(), other.ID, n)
		w.must(err)
		w.must(w.service.Rest(w.ctx()))
	})
	pending, left := 0, 0
	for i, path := range copies {
		k := w.restarted(path)
		once := func(when string) {
			t.Helper()
			block, archive := "\n"+k.block("human").Value+"\n", k.passages()
			for _, l := range lines {
				n := strings.Count(block, "\n"+l+"\n")
				for _, p := range archive {
					if p.Text == strings.TrimPrefix(l, "- ") {
						n++
					}
				}
				if n != 1 {
					t.Errorf("killed behind write %d, %s: %q is there %d times", i, when, l, n)
				}
			}
			left += len(archive)
		}
		once("at the start")
		for _, c := range k.cores() {
			if c.State == memory.CompactionPending {
				pending++
			}
		}
		k.send("Hello again")
		k.must(k.service.Rest(k.ctx()))
		once("after a message")
		for _, c := range k.cores() {
			if c.State == memory.CompactionPending || c.State == memory.CompactionFailed {
				t.Errorf("killed behind write %d, it is %s: %+v", i, c.State, c.Problem)
			}
		}
		k.end()
	}
	if pending == 0 || left == 0 || len(copies) < 6 {
		t.Errorf("%d writes, %d before it was done, %d passages", len(copies), pending, left)
	}
}

// Killed behind any step of room that is made, and of the summary that follows, the app finds each message in the window or as one
// that left it; a summary that was begun is finished.
func TestKilledInATranscriptCompaction(t *testing.T) {
	w := longTalk(t)
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if asksForSummary(r) {
			return say(minutes)
		}
		return say("All right.")
	})
	var said int
	copies := w.killedIn(func() {
		first, err := w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategyPriority})
		w.must(err)
		_, err = w.service.UndoCompaction(w.ctx(), first.ID)
		w.must(err)
		_, err = w.service.RedoCompaction(w.ctx(), first.ID)
		w.must(err)
		_, err = w.service.Compact(w.ctx(), w.conv.ID, agent.CompactRequest{Strategy: memory.StrategySummary})
		w.must(err)
		w.must(w.service.Rest(w.ctx()))
		said = len(w.path())
	})
	states := map[memory.CompactionState]int{}
	begun := 0
	for i, path := range copies {
		k := w.restarted(path)
		k.conserved()
		if n := len(k.path()); n != said {
			t.Errorf("killed behind write %d, %d of %d messages are there", i, n, said)
		}
		newest := k.compactions()[0]
		if states[newest.State]++; newest.Progress != nil {
			begun++
		}
		k.send("Hello again")
		k.must(k.service.Rest(k.ctx()))
		k.conserved()
		for _, c := range k.compactions() {
			if c.State == memory.CompactionPending || c.State == memory.CompactionFailed {
				t.Errorf("killed behind write %d, it is %s: %+v", i, c.State, c.Problem)
			}
		}
		k.end()
	}
	if states[memory.CompactionPending] == 0 || states[memory.CompactionDone] == 0 || states[memory.CompactionUndone] == 0 || begun == 0 {
		t.Errorf("%d writes left it %v; a summary was begun in %d", len(copies), states, begun)
	}
}
