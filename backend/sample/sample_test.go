package sample_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
	"recollect/backend/sample"
	"recollect/backend/store"
)

var now = time.Date(2027, 2, 3, 12, 0, 0, 0, time.UTC)

// world is a database in which the user has memory of their own.
type world struct {
	*testing.T
	store *store.Store
	life  sample.Life
	path  string
	own   memory.Agent
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{T: t, path: filepath.Join(t.TempDir(), "recollect.db")}
	clock := func() time.Time { now = now.Add(time.Millisecond); return now }
	var err error
	w.store, err = store.Open(t.Context(), w.path, store.Options{Clock: clock, VectorCacheBytes: 1 << 20})
	w.must(err)
	t.Cleanup(func() { _ = w.store.Close() })
	w.life = sample.Life{Store: w.store, Dir: filepath.Dir(w.path), Clock: clock, Wake: func() {}}
	by := memory.Cause{Actor: memory.ActorUser}
	w.own, err = w.store.CreateAgent(t.Context(), memory.Agent{Name: "Recollect"}, by)
	w.must(err)
	_, _, err = w.store.CreateBlock(t.Context(), memory.Block{Label: "human", Value: "Likes bicycles."}, []string{w.own.ID}, by)
	w.must(err)
	c, err := w.store.CreateConversation(t.Context(), memory.Conversation{AgentID: w.own.ID})
	w.must(err)
	_, err = w.store.AddMessage(t.Context(), memory.Message{ConversationID: c.ID, Role: memory.RoleUser, Content: "My bicycle is red."})
	w.must(err)
	_, _, err = w.store.CreatePassage(t.Context(), memory.Passage{ArchiveID: w.own.ArchiveID, Text: "A bicycle of my own."}, by)
	w.must(err)
	return w
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// embed makes vectors for everything that waits for one.
func (w *world) embed() {
	w.Helper()
	items, err := w.store.PendingEmbeddings(w.Context(), "embedder", 4, true, 10_000)
	w.must(err)
	var vectors []store.Embedding
	for i, it := range items {
		vectors = append(vectors, store.Embedding{Ref: it.Ref, View: it.View, Vector: []float32{1, float32(i), 2, 3}})
	}
	w.must(w.store.SaveEmbeddings(w.Context(), "embedder", 4, vectors))
}

// dump returns all rows of all tables but those in which FTS5 and sqlite-vec keep theirs: those are compared by what they
// answer.
func (w *world) dump() map[string][]string {
	w.Helper()
	db, err := sql.Open("sqlite", w.path)
	w.must(err)
	defer db.Close() //nolint:errcheck // only read
	query := func(q string) [][]any {
		rows, err := db.QueryContext(w.Context(), q)
		w.must(err)
		defer rows.Close() //nolint:errcheck // only read
		columns, err := rows.Columns()
		w.must(err)
		var out [][]any
		for rows.Next() {
			row, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				to[i] = &row[i]
			}
			w.must(rows.Scan(to...))
			out = append(out, row)
		}
		w.must(rows.Err())
		return out
	}
	tables := map[string][]string{}
	for _, row := range query("SELECT name FROM sqlite_schema WHERE type = 'table'") {
		name := row[0].(string)
		if strings.HasPrefix(name, "search") || strings.HasPrefix(name, "vec_") || strings.HasPrefix(name, "sqlite_") {
			continue
		}
		tables[name] = []string{}
		for _, r := range query("SELECT * FROM " + name) {
			if r[0] == "facts_changed" {
				continue // how often facts were written, not what they say
			}
			tables[name] = append(tables[name], fmt.Sprint(r...))
		}
		slices.Sort(tables[name])
	}
	tables["words"] = []string{fmt.Sprint(query("SELECT count(*) FROM search_docsize"), query("SELECT count(*) FROM vec_1_rowids"))}
	for _, term := range []string{"bicycle", "niangao", "彗星"} {
		tables["words"] = append(tables["words"], fmt.Sprint(term, query("SELECT rowid FROM search WHERE search MATCH '"+term+"'")))
	}
	return tables
}

func TestTheLifeLeavesNoTrace(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		t.Run(language, func(t *testing.T) {
			w := newWorld(t)
			w.embed()
			before := w.dump()
			began := time.Now()
			loaded, err := w.life.Load(t.Context(), language)
			w.must(err)
			t.Logf("loaded in %v", time.Since(began))
			again, err := w.life.Load(t.Context(), language)
			if w.must(err); again.AgentID != loaded.AgentID {
				t.Error("it was loaded twice")
			}
			w.embed()
			w.addTo(loaded.AgentID)
			here, err := w.store.Sample(t.Context())
			w.must(err)
			if want := (store.SampleAdded{Messages: 1, Blocks: 1, Passages: 1, Edits: 1}); here.Added != want {
				t.Errorf("the user added %+v, told are %+v", want, here.Added)
			}
			w.must(w.life.Remove(t.Context()))
			after := w.dump()
			for _, table := range slices.Sorted(maps.Keys(after)) {
				if !slices.Equal(before[table], after[table]) {
					t.Errorf("%s was\n%s\nand is\n%s", table, strings.Join(before[table], "\n"), strings.Join(after[table], "\n"))
				}
			}
			w.must(w.store.Close())
			file, err := os.ReadFile(w.path)
			w.must(err)
			for _, word := range []string{"Niangao", "niangao", "年糕", "彗星", loaded.AgentID} {
				if bytes.Contains(file, []byte(word)) {
					t.Errorf("the file still holds %q", word)
				}
			}
			left, err := filepath.Glob(filepath.Join(filepath.Dir(w.path), "sample-*"))
			if err != nil || len(left) > 0 {
				t.Errorf("left behind: %v %v", left, err)
			}
		})
	}
}

// addTo does what a user may do in the sample.
func (w *world) addTo(agentID string) {
	w.Helper()
	ctx := w.Context()
	by := memory.Cause{Actor: memory.ActorUser, AgentID: agentID}
	a, err := w.store.Agent(ctx, agentID)
	w.must(err)
	talks, _, err := w.store.Conversations(ctx, store.ConversationFilter{AgentID: agentID})
	w.must(err)
	_, err = w.store.AddMessage(ctx, memory.Message{ConversationID: talks[0].ID, ParentID: talks[0].Head, Role: memory.RoleUser, Content: "Niangao again."})
	w.must(err)
	_, _, err = w.store.CreateBlock(ctx, memory.Block{Label: "mine", Value: "Niangao"}, []string{agentID}, by)
	w.must(err)
	_, _, err = w.store.CreatePassage(ctx, memory.Passage{ArchiveID: a.ArchiveID, Text: "Niangao sleeps."}, by)
	w.must(err)
	blocks, err := w.store.Blocks(ctx, agentID)
	w.must(err)
	value := blocks[1].Value + "\nNiangao"
	_, _, err = w.store.UpdateBlock(ctx, blocks[1].ID, memory.BlockChange{Value: &value}, by)
	w.must(err)
}

func TestTheLifeHasAllThereIsToLookAt(t *testing.T) {
	for language, name := range map[string]string{"en": "Sample", "zh": "示例"} {
		t.Run(language, func(t *testing.T) {
			w := newWorld(t)
			ctx := context.Background()
			loaded, err := w.life.Load(ctx, language)
			w.must(err)
			agents, err := w.store.Agents(ctx)
			w.must(err)
			if len(agents) != 2 || agents[0].ID != w.own.ID || agents[1].Name != name || agents[1].Model != "" {
				t.Errorf("agents %+v", agents)
			}
			a := agents[1]
			talks, _, err := w.store.Conversations(ctx, store.ConversationFilter{AgentID: a.ID})
			w.must(err)
			turns, partial, months := 0, 0, map[string]bool{}
			receipts, taken := 0, 0
			var last time.Time
			for _, talk := range talks {
				path, err := w.store.Path(ctx, talk.Head, 0, "")
				w.must(err)
				for _, m := range path {
					if m.Status != memory.StatusComplete {
						partial++
					}
					if m.CreatedAt.After(last) {
						last = m.CreatedAt
					}
					if m.Role != memory.RoleUser {
						continue
					}
					turns++
					months[m.CreatedAt.Format("2006-01")] = true
					r, err := w.store.Receipt(ctx, m.ID)
					if err != nil {
						continue
					}
					receipts++
					for _, c := range r.Candidates {
						if c.Taken {
							taken++
						}
					}
				}
			}
			if turns != 60 || partial > 0 || len(months) < 4 || len(talks) < 8 {
				t.Errorf("%d turns in %d conversations, %d not complete, over %d months", turns, len(talks), partial, len(months))
			}
			if age := now.Sub(last); age < 24*time.Hour || age > 8*24*time.Hour {
				t.Errorf("the last turn is %v old", age)
			}
			if receipts != 60 || taken < 10 {
				t.Errorf("%d receipts took %d memories", receipts, taken)
			}
			revisions, _, err := w.store.Revisions(ctx, store.RevisionFilter{AgentID: a.ID, Limit: 1000})
			w.must(err)
			by := map[memory.Actor]int{}
			for _, r := range revisions {
				by[r.Cause.Actor]++
				if r.CreatedAt.After(loaded.LoadedAt) {
					t.Errorf("a change of today: %+v", r)
				}
			}
			if by[memory.ActorModel] < 30 || by[memory.ActorUser] < 3 {
				t.Errorf("changes by %v", by)
			}
			passages, _, err := w.store.ListPassages(ctx, store.PassageFilter{ArchiveID: a.ArchiveID, Limit: 100})
			w.must(err)
			for _, p := range passages {
				if len(p.Tags) == 0 || p.Origin == "" {
					t.Errorf("a passage without tags or origin: %+v", p)
				}
			}
			events, _, err := w.store.Events(ctx, store.EventFilter{AgentID: a.ID, Limit: 1000})
			w.must(err)
			kinds := map[string]int{}
			for _, ev := range events {
				kinds[ev.Type]++
			}
			if len(passages) < 8 || kinds["window.evicted"] == 0 || kinds["recall.done"] != 60 || kinds["turn.failed"] > 0 {
				t.Errorf("%d passages, events %v", len(passages), kinds)
			}
			compactions, _, err := w.store.Compactions(ctx, store.CompactionFilter{AgentID: a.ID})
			w.must(err)
			if !slices.ContainsFunc(compactions, func(c memory.Compaction) bool {
				return c.State == memory.CompactionDone && len(c.Evicted) > 0 && c.CreatedAt.Before(loaded.LoadedAt)
			}) {
				t.Error("no compaction to be looked at")
			}
			core := slices.IndexFunc(compactions, func(c memory.Compaction) bool { return c.Kind == memory.CompactionCore })
			if core < 0 || compactions[core].State != memory.CompactionDone || compactions[core].Saved() <= 0 || compactions[core].AppliedAt.After(loaded.LoadedAt) {
				t.Error("core memory was never tidied")
			}
			facts, _, err := w.store.Facts(ctx, store.FactFilter{AgentID: a.ID})
			w.must(err)
			over := 0
			for _, f := range facts {
				if f.ReplacedBy != "" {
					over++
				}
			}
			if over < 2 {
				t.Errorf("%d of %d facts were replaced", over, len(facts))
			}
			blocks, err := w.store.Blocks(ctx, a.ID)
			w.must(err)
			t.Log(blocks[1].Value)
			if _, _, err := w.store.Revisions(ctx, store.RevisionFilter{AgentID: w.own.ID, Limit: 100}); err != nil {
				t.Error(err)
			}
			own, err := w.store.Blocks(ctx, w.own.ID)
			if w.must(err); len(own) != 1 || own[0].Value != "Likes bicycles." {
				t.Errorf("the user's own memory: %+v", own)
			}
		})
	}
}
