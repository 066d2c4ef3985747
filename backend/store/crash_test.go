package store

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/compaction"
	"recollect/backend/memory"
)

// This test binary is also the program that the tests below start and kill.
const (
	childEnv  = "RECOLLECT_TEST_CHILD" // what the child does
	pathEnv   = "RECOLLECT_TEST_PATH"  // with which file
	childOpen = "open"
	childWork = "work"
	childCut  = "cut"
)

func TestMain(m *testing.M) {
	switch os.Getenv(childEnv) {
	case childOpen:
		s, err := Open(context.Background(), os.Getenv(pathEnv), Options{})
		if err == nil {
			err = s.Close()
		}
		fmt.Print(memory.CodeOf(err))
	case childCut: // what an earlier version indexed is cut and indexed anew when a file is opened
		s, err := Open(context.Background(), os.Getenv(pathEnv), Options{})
		if err == nil {
			s.work.Wait()
			err = s.Close()
		}
		fmt.Print(memory.CodeOf(err))
	case childWork:
		if err := work(os.Getenv(pathEnv)); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
	default:
		os.Exit(m.Run())
	}
}

// ack is one acknowledged write, a line of the child's output.
type ack struct {
	Kind    string // "message", "block", "passage", "receipt", "feedback", "stream", "finish"
	ID      string
	Text    string
	Version int
}

// work writes until it is killed, and acknowledges each write when the store has returned.
func work(path string) error {
	ctx := context.Background()
	s, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	if _, err := s.MarkInterrupted(ctx); err != nil {
		return err
	}
	agents, err := s.Agents(ctx)
	if err != nil {
		return err
	}
	if len(agents) == 0 {
		a, err := s.CreateAgent(ctx, memory.Agent{Name: "Ada"}, byUser)
		if err != nil {
			return err
		}
		if _, _, err := s.CreateBlock(ctx, memory.Block{Label: "notes"}, []string{a.ID}, byUser); err != nil {
			return err
		}
		agents = append(agents, a)
	}
	agent := agents[0]
	blocks, err := s.Blocks(ctx, agent.ID)
	if err != nil {
		return err
	}
	if len(blocks) < 2 { // it was killed before the second one was made
		b, _, err := s.CreateBlock(ctx, memory.Block{Label: "core", Limit: 10_000}, []string{agent.ID}, byUser)
		if err != nil {
			return err
		}
		blocks = append(blocks, b)
	}
	c, err := s.CreateConversation(ctx, memory.Conversation{AgentID: agent.ID})
	if err != nil {
		return err
	}
	out := json.NewEncoder(os.Stdout)
	head := ""
	for i := 0; ; i++ {
		text := fmt.Sprintf("run %d, write %d of many", os.Getpid(), i)
		user, err := s.AddMessage(ctx, memory.Message{ConversationID: c.ID, ParentID: head, Role: memory.RoleUser, Content: text})
		if err != nil {
			return err
		}
		if err := out.Encode(ack{Kind: "message", ID: user.ID, Text: text}); err != nil {
			return err
		}
		cause := memory.Cause{Actor: memory.ActorModel, MessageID: user.ID, AgentID: agent.ID}
		b, _, err := s.UpdateBlock(ctx, blocks[0].ID, memory.BlockChange{Value: &text}, cause)
		if err != nil {
			return err
		}
		if err := out.Encode(ack{Kind: "block", ID: b.ID, Text: text, Version: b.Version}); err != nil {
			return err
		}
		p, _, err := s.CreatePassage(ctx, memory.Passage{ArchiveID: agent.ArchiveID, Text: text}, cause)
		if err != nil {
			return err
		}
		if err := out.Encode(ack{Kind: "passage", ID: p.ID, Text: text}); err != nil {
			return err
		}
		if err := compactInTurns(ctx, s, agent, blocks[1].ID, text, out); err != nil {
			return err
		}
		receipt := memory.Receipt{MessageID: user.ID, Query: text, Candidates: []memory.Candidate{}}
		for range 40 { // as many as a receipt has
			receipt.Candidates = append(receipt.Candidates, memory.Candidate{Kind: KindPassage, ID: p.ID, Text: strings.Repeat(text+" ", 30), Why: memory.WhyBelowFloor})
		}
		if err := s.SaveReceipt(ctx, receipt); err != nil {
			return err
		}
		if err := out.Encode(ack{Kind: "receipt", ID: user.ID, Text: text}); err != nil {
			return err
		}
		if _, _, err := s.SetFeedback(ctx, memory.Feedback{AgentID: agent.ID, Kind: KindPassage, ItemID: p.ID, Use: memory.UseLess}, byUser); err != nil {
			return err
		}
		if err := out.Encode(ack{Kind: "feedback", ID: p.ID}); err != nil {
			return err
		}
		answer, err := s.AddMessage(ctx, memory.Message{
			ConversationID: c.ID, ParentID: user.ID, Role: memory.RoleAssistant, Status: memory.StatusStreaming,
		})
		if err != nil {
			return err
		}
		for n := range 4 {
			answer.Content += fmt.Sprintf("piece %d of the answer. ", n)
			if err := s.AppendStream(ctx, answer.ID, StreamState{Content: answer.Content}); err != nil {
				return err
			}
			if err := out.Encode(ack{Kind: "stream", ID: answer.ID, Text: answer.Content}); err != nil {
				return err
			}
		}
		answer.Status = memory.StatusComplete
		if err := s.FinishMessage(ctx, answer); err != nil {
			return err
		}
		if err := out.Encode(ack{Kind: "finish", ID: answer.ID, Text: answer.Content}); err != nil {
			return err
		}
		head = answer.ID
	}
}

// compactInTurns moves a line from a block to the archive, brings it back, and moves it again.
func compactInTurns(ctx context.Context, s *Store, agent memory.Agent, blockID, line string, out *json.Encoder) error {
	before := "stays\n" + line
	if _, _, err := s.UpdateBlock(ctx, blockID, memory.BlockChange{Value: &before}, byUser); err != nil {
		return err
	}
	goes := memory.CompactionEntry{BlockID: blockID, Label: "core", Text: line, Start: 6, Action: memory.EntryArchived}
	c, err := s.ApplyCore(ctx, memory.Compaction{
		Kind: memory.CompactionCore, AgentID: agent.ID, Trigger: memory.TriggerUser, Strategy: memory.StrategyScore,
		Entries: []memory.CompactionEntry{{BlockID: blockID, Label: "core", Text: "stays\n", Action: memory.EntryStays}, goes},
		Values:  []memory.BlockValues{{BlockID: blockID, Before: before, After: "stays"}},
	}, map[int]memory.Passage{1: {ArchiveID: agent.ArchiveID, Text: "left: " + line}}, byUser)
	if err != nil {
		return err
	}
	if err := out.Encode(ack{Kind: "core", ID: c.ID}); err != nil {
		return err
	}
	if _, err := s.UndoCore(ctx, c.ID, byUser, nil); err != nil {
		return err
	}
	_, err = s.RedoCore(ctx, c.ID, byUser, nil)
	return err
}

// verifyCore checks that what left core memory last is in the archive, or in the block again, and not in both.
func verifyCore(t *testing.T, s *Store) {
	t.Helper()
	list, _, err := s.Compactions(t.Context(), CompactionFilter{Kind: memory.CompactionCore, Limit: 1})
	must(t, err)
	if len(list) == 0 {
		return
	}
	c := list[0]
	b, err := s.Block(t.Context(), c.Values[0].BlockID)
	must(t, err)
	p, err := s.Passage(t.Context(), c.Entries[1].PassageID)
	must(t, err)
	left := c.State == memory.CompactionDone
	if inBlock := strings.Contains(b.Value, c.Entries[1].Text); inBlock == left || p.DeletedAt.IsZero() != left {
		if b.Value == c.Values[0].Before || b.Value == c.Values[0].After { // else the next one has begun
			t.Errorf("%s, but the block is %q and the passage deleted %v", c.State, b.Value, p.DeletedAt)
		}
	}
}

// A program that writes is killed at random points; whatever it had acknowledged is there, and what it was doing is
// there as a whole or not at all. RECOLLECT_FULL=1 does it two hundred times.
func TestKilledWhileWriting(t *testing.T) {
	runs := 20
	if os.Getenv("RECOLLECT_FULL") == "1" {
		runs = 200
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	path := filepath.Join(t.TempDir(), "recollect.db")
	var acks []ack
	for run := range runs {
		acks = append(acks, killDuring(t, path, 1+random.IntN(60), time.Duration(random.IntN(4000))*time.Microsecond)...)
		verifyAcks(t, path, acks)
		if t.Failed() {
			t.Fatalf("after run %d", run)
		}
	}
	if len(acks) < runs {
		t.Errorf("only %d writes were acknowledged", len(acks))
	}
}

// A program that is killed while it cuts and indexes anew what is there goes on with it at the next start, and loses nothing.
func TestKilledWhileIndexing(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	texts := map[string]string{} // by what they are found by
	say := func(word, text string) { texts[word] = w.say(c.ID, memory.RoleUser, text).ID }
	for i := range 400 {
		say(fmt.Sprint("entry", i), fmt.Sprintf("This is entry%d of the log", i))
	}
	for i := range 10 {
		word := fmt.Sprint("anvil", i)
		say(word, longText("kettle", "lantern", word))
	}
	must(t, w.write(w.ctx, "test", kept, func(t *tx) error { // as an earlier version left it
		if err := t.forgetChunks(); err != nil {
			return err
		}
		if err := t.run("meta_set", chunkBelow, "1000000"); err != nil {
			return err
		}
		return t.run("meta_delete", indexVersion)
	}))
	w.close()
	for _, ms := range []int{40, 60, 80, 120, 160, 240} {
		cmd := child(t, os.Args[0], childCut, w.path)
		must(t, cmd.Start())
		time.AfterFunc(time.Duration(ms)*time.Millisecond, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // killed, or done before
	}
	w.open()
	<-w.Verified()
	w.work.Wait()
	must(t, w.Health())
	for word, id := range texts {
		if got := w.find(a, word); len(got) == 0 || got[0] != id { // its neighbours have it too
			t.Errorf("%s finds %q, want %q first", word, got, id)
		}
	}
	for _, mark := range []string{chunkBelow, indexBelow} {
		if left, err := all(w.ctx, w.Store, value[string], "meta_get", mark); err != nil || len(left) != 0 {
			t.Errorf("it is not over: %s %v, %v", mark, left, err)
		}
	}
}

// killDuring starts the program, kills it a while after it has acknowledged so many writes, and returns what it did.
func killDuring(t *testing.T, path string, after int, wait time.Duration) []ack {
	t.Helper()
	cmd := child(t, os.Args[0], childWork, path)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	var acks []ack
	lines := bufio.NewReader(out)
	for n := 0; ; n++ {
		line, err := lines.ReadString('\n')
		if err == io.EOF {
			break // an unfinished line was not acknowledged
		}
		must(t, err)
		var a ack
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("the program says %q", line)
		}
		acks = append(acks, a)
		if n == after {
			time.AfterFunc(wait, func() { _ = cmd.Process.Kill() })
		}
	}
	_ = cmd.Wait() // killed
	return acks
}

func child(t *testing.T, binary, what, path string) *exec.Cmd {
	cmd := exec.CommandContext(t.Context(), binary)
	cmd.Env = append(os.Environ(), childEnv+"="+what, pathEnv+"="+path)
	cmd.Stderr = os.Stderr
	return cmd
}

func verifyAcks(t *testing.T, path string, acks []ack) {
	t.Helper()
	ctx := t.Context()
	s, err := Open(ctx, path, Options{})
	must(t, err)
	defer func() { must(t, s.Close()) }()
	<-s.Verified()
	must(t, s.Health())
	version := 0
	finished := map[string]bool{}
	agents, err := s.Agents(ctx)
	must(t, err)
	wishes := map[string]bool{}
	for _, a := range agents {
		said, err := s.Feedback(ctx, a.ID)
		must(t, err)
		for _, f := range said {
			wishes[f.ItemID] = f.Use == memory.UseLess && f.Text != ""
		}
	}
	for _, a := range acks {
		switch a.Kind {
		case "receipt":
			r, err := s.Receipt(ctx, a.ID)
			if err != nil || r.Query != a.Text || len(r.Candidates) != 40 {
				t.Errorf("acknowledged receipt of %s has %d candidates, %v", a.ID, len(r.Candidates), err)
			}
		case "feedback":
			if !wishes[a.ID] {
				t.Errorf("acknowledged feedback on %s is gone", a.ID)
			}
		case "core":
			if _, err := s.Compaction(ctx, a.ID); err != nil {
				t.Errorf("acknowledged compaction: %v", err)
			}
		case "message", "finish":
			m, err := s.Message(ctx, a.ID)
			if err != nil || m.Content != a.Text {
				t.Errorf("acknowledged message %s is %q, %v; want %q", a.ID, m.Content, err, a.Text)
			}
			finished[a.ID] = true
		case "passage":
			p, err := s.Passage(ctx, a.ID)
			if err != nil || p.Text != a.Text {
				t.Errorf("acknowledged passage %s is %q, %v", a.ID, p.Text, err)
			}
		case "block":
			b, err := s.Block(ctx, a.ID)
			if err != nil || b.Version < a.Version {
				t.Errorf("acknowledged version %d of the block; it is at %d, %v", a.Version, b.Version, err)
			}
			version = b.Version
		case "stream":
			m, err := s.Message(ctx, a.ID)
			if err != nil || !strings.HasPrefix(m.Content, a.Text) {
				t.Errorf("acknowledged text of %s is %q, %v; want %q", a.ID, m.Content, err, a.Text)
			}
		}
	}
	// Each change is whole: as many revisions as versions, an event for each, the text of the newest in the block.
	blocks, err := s.Blocks(ctx, "")
	must(t, err)
	if len(blocks) == 0 {
		return
	}
	revs, _, err := s.Revisions(ctx, RevisionFilter{SubjectID: blocks[0].ID, Limit: 1 << 20})
	must(t, err)
	wantEqual(t, "revisions of the block", len(revs), max(version, blocks[0].Version))
	var last memory.Block
	must(t, json.Unmarshal([]byte(revs[0].After), &last))
	wantEqual(t, "newest revision", last.Value, blocks[0].Value)
	events, _, err := s.Events(ctx, EventFilter{Types: []string{"block.changed"}, Limit: 1 << 20})
	must(t, err)
	events = slices.DeleteFunc(events, func(ev memory.Event) bool { return ev.Data["block_id"] != blocks[0].ID })
	wantEqual(t, "events of the block", len(events), len(revs))
	verifyCore(t, s)
	sound, err := one(ctx, s, value[bool], "SELECT (SELECT count(*) FROM item WHERE searchable) = (SELECT count(*) FROM search_docsize)")
	must(t, err)
	wantEqual(t, "index is whole", sound, true)
}

// killedIn does something, and returns copies of the database as a program leaves it that is killed before one of the
// statements of that, and behind the last.
func (w *world) killedIn(do func()) (copies []string) {
	w.t.Helper()
	leave := func() {
		path := filepath.Join(w.t.TempDir(), "recollect.db")
		for _, end := range []string{"", "-wal"} {
			b, err := os.ReadFile(w.path + end)
			must(w.t, err)
			must(w.t, os.WriteFile(path+end, b, 0o600))
		}
		copies = append(copies, path)
	}
	prepare := w.writer.prepare
	w.writer.prepare = func(ctx context.Context, query string) (*sql.Stmt, error) {
		leave()
		clear(w.writer.byText) // so that each is prepared again, but for one that is run twice in a row
		return prepare(ctx, query)
	}
	defer func() { w.writer.prepare = prepare }()
	clear(w.writer.byText)
	do()
	leave()
	return copies
}

// remembered returns all that a compaction may change.
func (s *Store) remembered(t *testing.T, a memory.Agent, conversation string) string {
	t.Helper()
	ctx := t.Context()
	blocks, err := s.Blocks(ctx, a.ID)
	must(t, err)
	passages, _, err := s.ListPassages(ctx, PassageFilter{ArchiveID: a.ArchiveID, Limit: 500})
	must(t, err)
	records, _, err := s.Compactions(ctx, CompactionFilter{AgentID: a.ID})
	must(t, err)
	revisions, _, err := s.Revisions(ctx, RevisionFilter{AgentID: a.ID, Limit: 500})
	must(t, err)
	weights, err := s.CoreWeights(ctx, a.ID)
	must(t, err)
	prefix, err := s.Prefix(ctx, conversation)
	must(t, err)
	events, _, err := s.Events(ctx, EventFilter{Limit: 500})
	must(t, err)
	found, err := s.LexicalSearch(ctx, LexQuery{ArchiveID: a.ArchiveID, Terms: []string{`"rained"`}, Kinds: []string{KindPassage}, Limit: 9})
	must(t, err)
	return encode([]any{blocks, passages, records, revisions, weights, prefix, events, len(found)})
}

// Killed before any statement of a compaction, or while it is being written to the disk, a program finds all of it at its next
// start, or nothing of it.
func TestKilledInACompaction(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	w.block("human", "Name: Ada\n- It rained today.\n- Likes tea.\n- Had soup.", a.ID)
	w.block("notes", "Drizzle in Bern.\nIt rained yesterday.", a.ID)
	talk := w.conversation(a).ID
	must(t, w.SavePrefix(w.ctx, memory.Prefix{ConversationID: talk, Generation: 1}, nil))
	first, passages := w.core(a, func(e memory.CompactionEntry) bool {
		return strings.Contains(e.Text, "rained") || strings.Contains(e.Text, "soup")
	})
	other, fewer := w.core(a, says("rained"))
	room := memory.Compaction{Kind: memory.CompactionTranscript, AgentID: a.ID, ConversationID: talk, Strategy: memory.StrategySliding, State: memory.CompactionDone}
	teach := func(w memory.CompactionWeights, c memory.Compaction) memory.CompactionWeights {
		return compaction.Teach(w, c, "undo", 0, c.AppliedAt)
	}
	for _, step := range []struct {
		name string
		do   func() error
	}{
		{"apply", func() (err error) { first, err = w.ApplyCore(w.ctx, first, passages, bySystem); return err }},
		{"undo", func() error { _, err := w.UndoCore(w.ctx, first.ID, byUser, teach); return err }},
		{"redo", func() error { _, err := w.RedoCore(w.ctx, first.ID, byUser, teach); return err }},
		{"adopt", func() (err error) {
			other.Replays = first.ID
			other, err = w.ApplyCore(w.ctx, other, fewer, bySystem)
			return err
		}},
		{"put back", func() error {
			_, err := w.RestoreEntry(w.ctx, other.ID, 1, compaction.Place, byUser, teach)
			return err
		}},
		{"messages", func() error {
			told := memory.Event{Type: "window.rebased", Data: map[string]any{"conversation_id": talk}}
			return w.SavePrefix(w.ctx, memory.Prefix{ConversationID: talk, Generation: 2, Reason: "compaction"}, &told, &room)
		}},
	} {
		before := w.remembered(t, a, talk)
		began, err := os.Stat(w.path + "-wal")
		must(t, err)
		copies := w.killedIn(func() { must(t, step.do()) })
		after := w.remembered(t, a, talk)
		if before == after || len(copies) < 4 {
			t.Fatalf("%s: %d statements; it changed something: %v", step.name, len(copies), before != after)
		}
		last := copies[len(copies)-1]
		log, err := os.ReadFile(last + "-wal")
		must(t, err)
		for n := int(began.Size()) + 1; n < len(log); n += 4096 { // the commit, written in part
			path := filepath.Join(t.TempDir(), "recollect.db")
			file, err := os.ReadFile(last)
			must(t, err)
			must(t, os.WriteFile(path, file, 0o600))
			must(t, os.WriteFile(path+"-wal", log[:n], 0o600))
			copies = append(copies, path)
		}
		seen, whole := map[string]bool{}, 0
		for _, path := range copies {
			files := ""
			for _, end := range []string{"", "-wal"} {
				b, err := os.ReadFile(path + end)
				must(t, err)
				files += string(b)
			}
			if seen[files] {
				continue
			}
			seen[files] = true
			s, err := Open(w.ctx, path, Options{Clock: w.now})
			must(t, err)
			<-s.Verified()
			must(t, s.Health())
			switch s.remembered(t, a, talk) {
			case before:
			case after:
				whole++
			default:
				t.Errorf("%s: killed in the middle it is half done", step.name)
			}
			must(t, s.Close())
		}
		if whole == 0 || whole == len(seen) {
			t.Errorf("%s: %d of %d starts find it done", step.name, whole, len(seen))
		}
	}
}
