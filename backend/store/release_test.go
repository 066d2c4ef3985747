package store

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"recollect/backend/memory"
)

// Each release leaves a database in testdata, with what is in it as JSON, and each later version must read it. They are
// made once, with "go test ./backend/store -run TestReleases -update", before the release whose number is release, and
// never changed afterwards.
const release = "0.2.0"

var update = flag.Bool("update", false, "make the database of this release in testdata")

func TestReleases(t *testing.T) {
	if *update {
		freeze(t)
	}
	fresh := newWorld(t)
	fresh.embedAll("m", 8)
	schema := fresh.schema()
	frozen, err := filepath.Glob("testdata/release-*.db")
	must(t, err)
	if len(frozen) == 0 {
		t.Fatal("there is no database of a release in testdata")
	}
	for _, file := range frozen {
		t.Run(filepath.Base(file), func(t *testing.T) {
			w := &world{t: t, ctx: t.Context(), path: filepath.Join(t.TempDir(), "recollect.db"), time: time.Date(2027, 1, 2, 3, 4, 5, 0, time.UTC)}
			w.opts = Options{Clock: w.now}
			must(t, copyFile(file, w.path))
			w.open()
			defer w.close()
			<-w.Verified()
			must(t, w.Health())
			must(t, w.QuickCheck(w.ctx))
			wantEqual(t, "schema", w.schema(), schema)
			var want map[string]any
			b, err := os.ReadFile(file[:len(file)-len(".db")] + ".json")
			must(t, err)
			must(t, json.Unmarshal(b, &want))
			contains(t, "", w.dump(), want)
			// It can be worked with.
			agents, err := w.Agents(w.ctx)
			must(t, err)
			w.say(w.conversation(agents[0]).ID, memory.RoleUser, "still writable")
			must(t, w.RebuildIndexes(w.ctx))
		})
	}
}

// contains checks that got has all that want has; later versions may know more.
func contains(t *testing.T, at string, got, want any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		m, ok := got.(map[string]any)
		if !ok {
			t.Errorf("%s is %v, want %v", at, got, want)
			return
		}
		for k, v := range want {
			contains(t, at+"/"+k, m[k], v)
		}
	case []any:
		l, ok := got.([]any)
		if !ok || len(l) != len(want) {
			t.Errorf("%s is %v, want %v", at, got, want)
			return
		}
		for i, v := range want {
			contains(t, fmt.Sprint(at, "/", i), l[i], v)
		}
	default:
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s is %v, want %v", at, got, want)
		}
	}
}

// freeze makes the database of this release.
func freeze(t *testing.T) {
	w := newWorld(t)
	a, other := w.agent(), w.agent()
	persona := w.block("persona", "You are kind.", a.ID, other.ID)
	human := w.block("human", "Lives in Paris", a.ID)
	_, _, err := w.UpdateBlock(w.ctx, persona.ID, memory.BlockChange{ReadOnly: ptr(true), Pinned: ptr(true), Tags: &[]string{"core", "核心"}}, byUser)
	must(t, err)
	c := w.conversation(a)
	q := w.say(c.ID, memory.RoleUser, "I moved to Rome. 记住我的猫叫年糕")
	must(t, w.SetPreamble(w.ctx, q.ID, "[2026-11-29 14:02 Sunday]"))
	must(t, w.SetTokens(w.ctx, map[string]int{q.ID: 12}))
	call, err := w.AddMessage(w.ctx, memory.Message{
		ConversationID: c.ID, ParentID: q.ID, TurnID: q.ID, Role: memory.RoleAssistant, Thinking: "They moved.", Model: "model",
		ToolCalls: []memory.ToolCall{{ID: "call-1", Name: "core_memory_replace", Arguments: `{"label":"human","new":"Lives in Rome"}`}},
		Usage:     &memory.Usage{PromptTokens: 100, CachedTokens: 90, OutputTokens: 10},
	})
	must(t, err)
	cause := memory.Cause{
		Actor: memory.ActorModel, Reason: "moved", AgentID: a.ID, ConversationID: c.ID, MessageID: q.ID, Start: 2, End: 15, ToolCallID: "call-1",
	}
	_, rev, err := w.UpdateBlock(w.ctx, human.ID, memory.BlockChange{Value: ptr("Lives in Rome")}, cause)
	must(t, err)
	w.sayAfter(c.ID, call.ID, memory.RoleTool, "done")
	w.say(c.ID, memory.RoleAssistant, "Noted.")
	undo, err := w.Undo(w.ctx, rev.ID, byUser)
	must(t, err)
	_, err = w.Undo(w.ctx, undo.ID, byUser)
	must(t, err)
	w.sayAfter(c.ID, "", memory.RoleUser, "Another beginning")
	failed, err := w.AddMessage(w.ctx, memory.Message{
		ConversationID: c.ID, ParentID: q.ID, Role: memory.RoleAssistant, Status: memory.StatusFailed, End: memory.EndLength,
		Problem: &memory.Problem{Code: memory.EENGINE, Message: "gone", Remedy: memory.RemedyStartEngine}, Content: "Part",
	})
	must(t, err)
	streaming, err := w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, ParentID: q.ID, Role: memory.RoleAssistant, Status: memory.StatusStreaming})
	must(t, err)
	must(t, w.AppendStream(w.ctx, streaming.ID, StreamState{Content: "one "}))
	must(t, w.AppendStream(w.ctx, streaming.ID, StreamState{Content: "one two"}))
	_, err = w.UpdateConversation(w.ctx, c.ID, ConversationChange{Title: ptr("Rome"), Pinned: ptr(true)})
	must(t, err)
	hidden := w.conversation(other)
	_, err = w.UpdateConversation(w.ctx, hidden.ID, ConversationChange{Archived: ptr(true)})
	must(t, err)
	w.passage(a.ArchiveID, "The cat is called 年糕", "pets")
	gone := w.passage(a.ArchiveID, "A mistake")
	_, err = w.DeletePassage(w.ctx, gone.ID, byUser)
	must(t, err)
	w.embedAll("m", 8)
	must(t, w.SavePrefix(w.ctx, memory.Prefix{ConversationID: c.ID, Generation: 1, System: "system", Blocks: []memory.Block{human}},
		&memory.Event{Type: "window.rebased", Data: map[string]any{"conversation_id": c.ID, "generation": 1}}))
	must(t, w.SaveReceipt(w.ctx, memory.Receipt{MessageID: q.ID, Query: "cat", Candidates: []memory.Candidate{{Kind: KindPassage, ID: gone.ID}}}))
	must(t, w.SavePlan(w.ctx, failed.ID, memory.Plan{Window: 8192, Parts: []memory.Part{{Name: memory.PartCore, Allowed: 2048, Used: 20}}}))
	must(t, w.SavePrompt(w.ctx, call.ID, []byte(`{"model":"model","messages":[]}`)))
	must(t, w.SavePrompt(w.ctx, failed.ID, []byte(`{"model":"model","messages":[{"role":"user"}]}`)))
	must(t, w.SetSetting(w.ctx, "language", json.RawMessage(`"zh"`)))
	_, err = w.AddMessage(w.ctx, memory.Message{
		ConversationID: w.conversation(a).ID, Role: memory.RoleUser, Content: "Read this",
		Files: []memory.MessageFile{{Name: "notes.txt", Type: "text/plain", Content: []byte("Comet is a bicycle. 年糕是猫。")}},
	})
	must(t, err)
	_, err = w.UpdateAgent(w.ctx, other.ID, func(a *memory.Agent) error {
		a.ToolsOff = []string{"memory_rethink"}
		return nil
	})
	must(t, err)
	_, err = w.DetachBlock(w.ctx, persona.ID, other.ID, byUser)
	must(t, err)
	dump := w.dump()
	w.close()
	b, err := json.MarshalIndent(dump, "", " ")
	must(t, err)
	must(t, os.MkdirAll("testdata", 0o755))
	must(t, os.WriteFile("testdata/release-"+release+".json", append(b, '\n'), 0o644))
	must(t, copyFile(w.path, "testdata/release-"+release+".db"))
}

// dump reads everything in the database in the way the app does.
func (w *world) dump() map[string]any {
	w.t.Helper()
	agents, err := w.Agents(w.ctx)
	must(w.t, err)
	blocks := map[string]any{}
	found := map[string]any{}
	passages := map[string]any{}
	for _, a := range agents {
		blocks[a.ID], err = w.Blocks(w.ctx, a.ID)
		must(w.t, err)
		passages[a.ID], _, err = w.ListPassages(w.ctx, PassageFilter{ArchiveID: a.ArchiveID})
		must(w.t, err)
		for _, words := range []string{"rome", "年糕", "mistake"} {
			found[a.ID+" "+words] = w.find(a, words)
		}
		near, err := w.VectorSearch(w.ctx, VecQuery{Model: "m", View: ViewCtx, Vector: vectorOf(1, 8), AgentID: a.ID, ArchiveID: a.ArchiveID})
		must(w.t, err)
		ids := []string{}
		for _, h := range near {
			ids = append(ids, h.ID)
		}
		found[a.ID+" vectors"] = ids
	}
	conversations, _, err := w.Conversations(w.ctx, ConversationFilter{})
	must(w.t, err)
	archived, _, err := w.Conversations(w.ctx, ConversationFilter{State: ConversationArchived})
	must(w.t, err)
	messages := []memory.Message{}
	var walk func(conversation, parent string)
	walk = func(conversation, parent string) {
		children, err := w.Children(w.ctx, parent, conversation)
		must(w.t, err)
		for _, m := range children {
			messages = append(messages, m)
			walk(conversation, m.ID)
		}
	}
	turns := map[string]any{}
	for _, c := range append(conversations, archived...) {
		walk(c.ID, "")
		if p, err := w.Prefix(w.ctx, c.ID); err == nil {
			turns["prefix "+c.ID] = p
		}
	}
	for _, m := range messages {
		if r, err := w.Receipt(w.ctx, m.ID); err == nil {
			turns["receipt "+m.ID] = r
		}
		if p, err := w.PlanOf(w.ctx, m.ID); err == nil {
			turns["plan "+m.ID] = p
		}
		if p, err := w.Prompt(w.ctx, m.ID); err == nil {
			turns["prompt "+m.ID] = string(p)
		}
	}
	revisions, _, err := w.Revisions(w.ctx, RevisionFilter{Limit: 1000})
	must(w.t, err)
	events, _, err := w.Events(w.ctx, EventFilter{Limit: 1000})
	must(w.t, err)
	settings, err := w.Settings(w.ctx)
	must(w.t, err)
	b, err := json.Marshal(map[string]any{
		"agents": agents, "blocks": blocks, "conversations": append(conversations, archived...), "messages": messages,
		"passages": passages, "revisions": revisions, "events": events, "settings": settings, "turns": turns, "found": found,
	})
	must(w.t, err)
	var dump map[string]any
	must(w.t, json.Unmarshal(b, &dump))
	return dump
}
