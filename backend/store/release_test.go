package store

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"testing"
	"time"

	"recollect/backend/compaction"
	"recollect/backend/memory"
	"recollect/backend/segment"
)

// Each release leaves a database in testdata, with what is in it as JSON, and each later version must read it. They are
// made once, with "go test ./backend/store -run TestReleases -update", before the release whose number is release, and
// never changed afterwards.
const release = "0.4.0"

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
			w.rebuildIndexes()
			w.undoAll()
		})
	}
}

// undoAll takes back the last change of each document and each core compaction that is done: what they kept for that is there.
func (w *world) undoAll() {
	w.t.Helper()
	revisions, _, err := w.Revisions(w.ctx, RevisionFilter{Subject: memory.SubjectDocument, Limit: 1000})
	must(w.t, err)
	seen := map[string]bool{}
	for _, r := range revisions { // the newest first
		if !seen[r.SubjectID] {
			_, err := w.Undo(w.ctx, r.ID, byUser)
			must(w.t, err)
		}
		seen[r.SubjectID] = true
	}
	agents, err := w.Agents(w.ctx)
	must(w.t, err)
	for _, a := range agents {
		compactions, _, err := w.Compactions(w.ctx, CompactionFilter{AgentID: a.ID, Kind: memory.CompactionCore})
		must(w.t, err)
		for _, c := range compactions {
			if c.State == memory.CompactionDone {
				_, err := w.UndoCore(w.ctx, c.ID, byUser, nil)
				must(w.t, err)
			}
		}
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
	w.live(w.agent())
	own := w.agent()
	_, err = w.SetArchiveEmbedder(w.ctx, own.ArchiveID, "n")
	must(t, err)
	w.passage(own.ArchiveID, "The boiler is serviced in May")
	w.embedAll("m", 8)
	w.embedAll("n", 4)
	version, err := one(w.ctx, w.Store, value[string], "meta_get", indexVersion)
	must(t, err)
	wantEqual(t, "index_version", version, strconv.Itoa(segment.Version))
	dump := w.dump()
	w.close()
	b, err := json.MarshalIndent(dump, "", " ")
	must(t, err)
	must(t, os.MkdirAll("testdata", 0o755))
	must(t, os.WriteFile("testdata/release-"+release+".json", append(b, '\n'), 0o644))
	must(t, copyFile(w.path, "testdata/release-"+release+".db"))
}

// live gives an agent what there is since 0.3.0: feedback, facts, documents, a text in pieces, compactions, pages and usage;
// since 0.4.0 a fact that begins later.
func (w *world) live(a memory.Agent) {
	w.t.Helper()
	a, err := w.UpdateAgent(w.ctx, a.ID, func(a *memory.Agent) error {
		a.Room = memory.Room{CompactAt: .7, Compaction: memory.StrategyPriority, CoreJudge: "off"}
		return nil
	})
	must(w.t, err)
	u := &teller{world: w, agent: a, conversation: w.conversation(a)}
	c := u.conversation

	// Facts: a chain, one that is said twice, one that is over, a question that is answered and one that is open.
	first := u.says("home=Leipzig, likes=tea, employer=Bosch, sister.home=Bern")
	w.pass(30 * day)
	u.says("home=Lyon, likes=tea, not employer=Bosch")
	u.pin("Lyon")
	w.pass(day)
	u.says("home=Rome")
	_, _, err = w.AnswerFact(w.ctx, u.asked()[0].ID, memory.AnswerNew, byUser)
	must(w.t, err)
	w.pass(day)
	last := u.says("home=Oslo")
	wantEqual(w.t, "open questions", len(u.asked()), 1)
	_, _, err = w.CreateFact(w.ctx, memory.Fact{AgentID: a.ID, Subject: memory.SubjectUser, Key: "birthday", Value: "3 March"}, byUser)
	must(w.t, err)
	u.plans("school", "Aalto", w.now().Add(60*day), time.Time{})

	// A document that was read twice, and one that is deleted.
	house, _ := w.document(a.ArchiveID, "house.pdf", "house-1", "The keys are with Ada", "The rent is due on the third")
	w.pass(time.Hour)
	w.document(a.ArchiveID, "house.pdf", "house-2", "The keys are with Ben", "The rent is due on the third")
	_, err = w.SetSummary(w.ctx, house.ID, "Of keys and rent.", memory.Cause{Actor: memory.ActorModel})
	must(w.t, err)
	car, _ := w.document(a.ArchiveID, "car.pdf", "car-1", "The car has a dent")
	_, err = w.DeleteDocument(w.ctx, car.ID, byUser)
	must(w.t, err)

	// A text in pieces.
	w.say(c.ID, memory.RoleAssistant, longText("kettle", "lantern", "anvil", "trumpet"))

	// Model calls: a turn with two, and one of which the engine did not tell what was cached.
	q := w.say(c.ID, memory.RoleUser, "Where is the trumpet?")
	w.answered(c.ID, planOf(990, 6000), memory.Usage{PromptTokens: 1000, CachedTokens: 900, OutputTokens: 40, PromptMs: 20, OutputMs: 800, FirstTokenMs: 70, LoadMs: 5}, q.ID)
	w.pass(time.Minute)
	w.answered(c.ID, planOf(1200, 6000), memory.Usage{PromptTokens: 1210, CachedTokens: 1000, OutputTokens: 60, OutputMs: 900, FirstTokenMs: 30}, q.ID)
	w.pass(time.Hour)
	q = w.say(c.ID, memory.RoleUser, "And the anvil?")
	answer := w.answered(c.ID, planOf(5100, 6000), memory.Usage{PromptTokens: 5000, CachedTokens: -1, OutputTokens: 20, Truncated: true}, q.ID)

	// The transcript made room, and more room, which was undone.
	was, now := memory.Selection{}, memory.Selection{
		First: q.ID, Kept: []string{first.ID}, Summary: "They moved from Leipzig to Lyon.", Summed: last.ID, Left: 7, Turns: 4, Saved: 900,
	}
	plan := planOf(5100, 6000)
	compact := memory.Compaction{
		Kind: memory.CompactionTranscript, AgentID: a.ID, ConversationID: c.ID, Trigger: memory.TriggerThreshold, Strategy: memory.StrategySummary,
		State: memory.CompactionPending, TokensBefore: 5100, TokensAfter: 3600, Required: 1400, Before: &plan, Evicted: []string{last.ID},
		Was: &was, Now: &now, Leaf: answer.ID, Model: "small", Prompt: "Sum up.", Output: now.Summary, Attempts: 1, Summed: 1, Lost: []string{"7391"}, DurationMs: 1500,
	}
	compact, err = w.SaveCompaction(w.ctx, compact)
	must(w.t, err)
	rebase := func(generation int, sel memory.Selection, c *memory.Compaction) {
		w.t.Helper()
		must(w.t, w.SavePrefix(w.ctx, memory.Prefix{
			ConversationID: u.conversation.ID, Generation: generation, System: "system", Selection: sel, PreamblesFrom: q.ID, PagesFrom: q.ID,
		}, &memory.Event{Type: "window.rebased", Data: map[string]any{"conversation_id": u.conversation.ID, "generation": generation}}, c))
	}
	compact.State = memory.CompactionDone
	rebase(1, now, &compact)
	must(w.t, w.TimeRebase(w.ctx, compact.ID, 2*time.Second))
	more := memory.Selection{First: answer.ID, Left: 10, Turns: 6, Saved: 2000}
	undone, err := w.SaveCompaction(w.ctx, memory.Compaction{
		Kind: memory.CompactionTranscript, AgentID: a.ID, ConversationID: c.ID, Trigger: memory.TriggerUser, Strategy: memory.StrategySliding,
		State: memory.CompactionDone, TokensBefore: 3600, TokensAfter: 2500, Was: &now, Now: &more, Leaf: answer.ID,
	})
	must(w.t, err)
	now.Held = true
	undone.State, undone.UndoneAt = memory.CompactionUndone, w.now()
	rebase(2, now, &undone)

	// So did core memory: an entry was put back, which taught the scores. Another time was undone.
	w.block("human", "Name: Ada\n- It rained today.\n- Likes tea.\n- Had soup.", a.ID)
	core := w.apply(a, func(e memory.CompactionEntry) bool { return says("rained")(e) || says("soup")(e) })
	teach := func(w memory.CompactionWeights, c memory.Compaction) memory.CompactionWeights {
		return compaction.Teach(w, c, "restore", 1, c.AppliedAt)
	}
	_, err = w.RestoreEntry(w.ctx, core.ID, 1, compaction.Place, byUser, teach)
	must(w.t, err)
	w.pass(time.Minute)
	_, err = w.UndoCore(w.ctx, w.apply(a, says("tea")).ID, byUser, nil)
	must(w.t, err)

	// What the user wants with memories, and with the window.
	wanted := w.passage(a.ArchiveID, "The gate code is 7391")
	for _, f := range []memory.Feedback{
		{Kind: KindPassage, ItemID: wanted.ID, Use: memory.UseAlways, MessageID: q.ID},
		{Kind: KindMessage, ItemID: first.ID, Use: memory.UseNever, ConversationID: c.ID, MessageID: q.ID},
	} {
		w.pass(time.Second)
		f.AgentID = a.ID
		_, _, err = w.SetFeedback(w.ctx, f, byUser)
		must(w.t, err)
	}
	for _, p := range []memory.PageIn{
		{Kind: memory.ItemPassage, ID: wanted.ID, Pinned: true},
		{Kind: memory.ItemMessage, ID: first.ID, Turn: q.ID},
		{Kind: memory.ItemFact, ID: u.known("Bern").ID, Out: true},
	} {
		w.pass(time.Second)
		p.ConversationID = c.ID
		_, err = w.SavePage(w.ctx, p)
		must(w.t, err)
	}
}

// dump reads everything in the database in the way the app does.
func (w *world) dump() map[string]any {
	w.t.Helper()
	agents, err := w.Agents(w.ctx)
	must(w.t, err)
	blocks := map[string]any{}
	found := map[string]any{}
	passages := map[string]any{}
	since := map[string]any{} // what earlier releases do not know of
	note := func(key string, v any, err error) {
		w.t.Helper()
		must(w.t, err)
		if reflect.ValueOf(v).Len() > 0 {
			since[key] = v
		}
	}
	for _, a := range agents {
		blocks[a.ID], err = w.Blocks(w.ctx, a.ID)
		must(w.t, err)
		passages[a.ID], _, err = w.ListPassages(w.ctx, PassageFilter{ArchiveID: a.ArchiveID})
		must(w.t, err)
		for _, words := range []string{"rome", "年糕", "mistake", "rent", "ada", "dent", "kettle", "trumpet", "soup"} {
			found[a.ID+" "+words] = w.find(a, words)
		}
		w.dumpAgent(a, note)
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
		pages, err := w.Pages(w.ctx, c.ID)
		note("pages "+c.ID, pages, err)
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
	for _, r := range revisions {
		if r.Subject == memory.SubjectDocument {
			w.dumpDocument(r.SubjectID, note)
		}
	}
	events, _, err := w.Events(w.ctx, EventFilter{Limit: 1000})
	must(w.t, err)
	settings, err := w.Settings(w.ctx)
	must(w.t, err)
	archives, err := w.Archives(w.ctx)
	note("archives", archives, err)
	b, err := json.Marshal(map[string]any{
		"agents": agents, "blocks": blocks, "conversations": append(conversations, archived...), "messages": messages,
		"passages": passages, "revisions": revisions, "events": events, "settings": settings, "turns": turns, "found": found, "since": since,
	})
	must(w.t, err)
	var dump map[string]any
	must(w.t, json.Unmarshal(b, &dump))
	return dump
}

// dumpAgent notes what there is of an agent since 0.3.0.
func (w *world) dumpAgent(a memory.Agent, note func(key string, v any, err error)) {
	w.t.Helper()
	feedback, err := w.Feedback(w.ctx, a.ID)
	note("feedback "+a.ID, feedback, err)
	facts, _, err := w.Facts(w.ctx, FactFilter{AgentID: a.ID})
	note("facts "+a.ID, facts, err)
	for _, f := range facts {
		history, err := w.FactHistory(w.ctx, f.ID)
		note("history "+f.ID, history, err)
	}
	for name, open := range map[string]bool{"questions ": false, "open questions ": true} {
		questions, err := w.FactQuestions(w.ctx, a.ID, "", open)
		note(name+a.ID, questions, err)
	}
	documents, _, err := w.Documents(w.ctx, DocumentFilter{ArchiveID: a.ArchiveID})
	note("documents "+a.ID, documents, err)
	compactions, _, err := w.Compactions(w.ctx, CompactionFilter{AgentID: a.ID})
	note("compactions "+a.ID, compactions, err)
	weights, err := w.CoreWeights(w.ctx, a.ID)
	note("learned kinds "+a.ID, weights.Kinds, err)
	note("lessons "+a.ID, weights.Lessons, err)

	of := UsageFilter{AgentID: a.ID}
	calls, _, err := w.ModelCalls(w.ctx, of)
	note("calls "+a.ID, calls, err)
	from, to, err := w.UsageSpan(w.ctx, of)
	must(w.t, err)
	sums, err := w.UsageSums(w.ctx, of, []time.Time{from, to})
	note("usage "+a.ID, sums, err)
	sizes, err := w.UsageSizes(w.ctx, of)
	note("sizes "+a.ID, sizes, err)
	conversations, err := w.UsageConversations(w.ctx, of)
	note("used by conversation "+a.ID, conversations, err)
	times, err := w.CompactionTimes(w.ctx, of)
	note("compacted "+a.ID, times, err)
}

// dumpDocument notes a document, which may be deleted, with its pages.
func (w *world) dumpDocument(id string, note func(key string, v any, err error)) {
	w.t.Helper()
	d, err := w.Document(w.ctx, id)
	note("document "+id, []memory.Document{d}, err)
	for page := range d.Pages + 1 {
		parts, err := w.DocumentPage(w.ctx, id, page)
		note(fmt.Sprint("page ", page, " of ", id), parts, err)
	}
}
