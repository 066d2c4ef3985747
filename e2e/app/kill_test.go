package app

import (
	"database/sql"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	_ "modernc.org/sqlite"
	_ "modernc.org/sqlite/vec"

	"recollect/backend/api"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// acknowledged is what the API said is stored.
type acknowledged struct {
	mu       sync.Mutex
	messages map[string]string // id → text
	passages map[string]string
	version  int // of the block human
	value    string
}

func newAcknowledged() *acknowledged {
	return &acknowledged{messages: map[string]string{}, passages: map[string]string{}}
}

// add takes in what was acknowledged later.
func (a *acknowledged) add(later *acknowledged) {
	maps.Copy(a.messages, later.messages)
	maps.Copy(a.passages, later.passages)
	if later.version > a.version {
		a.version, a.value = later.version, later.value
	}
}

// The app is killed at random points while three clients write. Whatever was acknowledged is there after the next start,
// each answer that was under way is kept as far as it had come, and the database is whole. RECOLLECT_FULL=1 does it two
// hundred times.
func TestKilledAtRandomPoints(t *testing.T) {
	runs := 20
	if os.Getenv("RECOLLECT_FULL") == "1" {
		runs = 200
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0)) // chance, not secrecy
	_, env := fake(t, enginetest.Options{ChunkDelay: 15 * time.Millisecond})
	home := t.TempDir()
	all, last := newAcknowledged(), newAcknowledged()
	for n := range runs {
		p := serve(t, home, env)
		verifyAcknowledged(p, last)
		last = writeUntilKilled(p, n, time.Duration(20+random.IntN(700))*time.Millisecond)
		all.add(last)
		verifyFile(t, home)
		if t.Failed() {
			t.Fatalf("in run %d", n)
		}
	}
	verifyAcknowledged(serve(t, home, env), all)
	if len(all.messages) < runs/2 || len(all.passages) < runs/2 || all.version < runs/2 {
		t.Errorf("too little was written to mean much: %d messages, %d passages, %d changes", len(all.messages), len(all.passages), all.version)
	}
}

func writeUntilKilled(p *process, run int, after time.Duration) *acknowledged {
	p.t.Helper()
	acks := newAcknowledged()
	conversations := []string{p.conversation(), p.conversation()}
	human := p.block("human")
	var wg sync.WaitGroup
	write := func(f func(text string) error) {
		wg.Go(func() {
			for i := 0; ; i++ {
				if f(fmt.Sprintf("run %d, thing %d of many", run, i)) != nil {
					return // killed
				}
			}
		})
	}
	for _, c := range conversations {
		write(func(text string) error {
			var sent api.MessageResult
			text += "\n[[long 60]]"
			if err := p.call("POST", "/api/conversations/"+c+"/messages", api.MessageCreate{Content: text}, &sent); err != nil {
				return err
			}
			acks.mu.Lock()
			acks.messages[sent.Message.ID] = text
			acks.mu.Unlock()
			for range 20 { // a turn waits while one runs; some are stopped
				if err := p.call("GET", "/api/health", nil, nil); err != nil {
					return err
				}
			}
			return p.call("POST", "/api/conversations/"+c+"/stop", nil, nil)
		})
	}
	write(func(text string) error {
		var done api.Changed
		if err := p.call("PATCH", "/api/blocks/"+human.ID, map[string]any{"value": text}, &done); err != nil {
			return err
		}
		acks.mu.Lock()
		acks.version, acks.value = done.Block.Version, text
		acks.mu.Unlock()
		return nil
	})
	write(func(text string) error {
		var done api.Passages
		if err := p.call("POST", "/api/passages", api.PassageCreate{AgentID: p.agent.ID, Text: text}, &done); err != nil {
			return err
		}
		acks.mu.Lock()
		for _, passage := range done.Passages {
			acks.passages[passage.ID] = passage.Text
		}
		acks.mu.Unlock()
		return nil
	})
	time.AfterFunc(after, func() { _ = p.cmd.Process.Kill() })
	<-p.exited
	wg.Wait()
	return acks
}

func verifyAcknowledged(p *process, acks *acknowledged) {
	p.t.Helper()
	for id, text := range acks.messages {
		var m memory.Message
		if err := p.call("GET", "/api/messages/"+id, nil, &m); err != nil || m.Content != text {
			p.t.Errorf("the acknowledged message %q is %q (%v)", text, m.Content, err)
		}
		for _, other := range p.messages(m.ConversationID) {
			if other.Status == memory.StatusStreaming {
				p.t.Errorf("%s is still said to be under way", other.ID)
			}
		}
	}
	for id, text := range acks.passages {
		var passage memory.Passage
		if err := p.call("GET", "/api/passages/"+id, nil, &passage); err != nil || passage.Text != text {
			p.t.Errorf("the acknowledged passage %q is %q (%v)", text, passage.Text, err)
		}
	}
	b := p.block("human")
	if b.Version < acks.version || b.Version == acks.version && acks.version > 0 && b.Value != acks.value {
		p.t.Errorf("the block is %q at version %d; %q at version %d was acknowledged", b.Value, b.Version, acks.value, acks.version)
	}
}

func verifyFile(t *testing.T, home string) {
	t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(home, "recollect.db"))
	must(t, err)
	defer func() { must(t, db.Close()) }()
	var result string
	must(t, db.QueryRow("PRAGMA integrity_check").Scan(&result))
	if result != "ok" {
		t.Errorf("the database after the kill: %s", result)
	}
	rows, err := db.Query("PRAGMA foreign_key_check")
	must(t, err)
	defer func() { _ = rows.Close() }()
	if rows.Next() {
		t.Error("a row refers to one that is not there")
	}
	must(t, rows.Err())
}

// Of an answer under way, all but the last second is there after a kill, marked as partial; it can be gone on with.
func TestKilledWhileStreaming(t *testing.T) {
	_, env := fake(t, enginetest.Options{ChunkDelay: 10 * time.Millisecond})
	home := t.TempDir()
	p := serve(t, home, env)
	user := p.send(p.conversation(), "[[long 400]]")
	type seen struct {
		at    time.Time
		runes int
	}
	var shown []seen
	for ev, err := range p.Events(t.Context(), "") {
		must(t, err)
		if ev.Type != "message.delta" || ev.Data["kind"] != "content" {
			continue
		}
		offset, _ := ev.Data["offset"].(float64)
		text, _ := ev.Data["text"].(string)
		shown = append(shown, seen{time.Now(), int(offset) + len([]rune(text))})
		if time.Since(shown[0].at) > 3*time.Second {
			break
		}
	}
	p.kill()
	killed := time.Now()
	old := 0
	for _, s := range shown {
		if killed.Sub(s.at) > 1500*time.Millisecond { // half a second for a busy machine
			old = s.runes
		}
	}

	p = serve(t, home, env)
	answer := p.answer(user)
	if answer.Status != memory.StatusPartial || len([]rune(answer.Content)) < old || old == 0 {
		t.Errorf("after the kill the answer is %s with %d characters; %d were shown long before", answer.Status, len([]rune(answer.Content)), old)
	}
	var full strings.Builder
	for i := range 400 {
		fmt.Fprintf(&full, "%d. A line of the *long* answer with `code` in it.\n", i+1)
	}
	if !strings.HasPrefix(full.String(), answer.Content) {
		t.Errorf("what is kept is not how the answer began: %.200q", answer.Content)
	}
	if _, next := p.ask(user.ConversationID, "[[say Still here.]]"); next.Content != "Still here." {
		t.Errorf("the next question: %+v", next)
	}
}

// Every setting that was acknowledged is there after a kill in the very next moment, and so is its being set back.
func TestEverySettingSurvivesAKill(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	values := map[string]any{
		"language": "zh", "theme": "dark", "model": enginetest.Tools, "embedder": enginetest.Embedder, "window": 4096, "core_share": 0.5,
		"engine_host": "http://127.0.0.1:9", "threads": 2, "daily_backups": 0, "vector_cache_mb": 0, "send_key": "mod_enter",
		"notes": "off", "facts": "off", "compact_at": 0.7, "compact_to": 0.5, "compaction": "priority", "window_messages": 12, "page_turns": 3,
		"summaries": "off", "deep_recall": "never", "deep_seconds": 7, "text_size": 125, "notifications": false,
		"ui": map[string]any{"begun": true, "name": "年糕"},
	}
	home := t.TempDir()
	settings := reflect.TypeFor[api.Settings]()
	for i := range settings.NumField() {
		key, _, _ := strings.Cut(settings.Field(i).Tag.Get("json"), ",")
		value, ok := values[key]
		if !ok {
			t.Fatalf("this test does not know the setting %s", key)
		}
		p := serve(t, home, env)
		must(t, p.call("PATCH", "/api/settings", map[string]any{key: value}, nil))
		p.kill()
	}
	stored := func() map[string]any {
		t.Helper()
		p := serve(t, home, env)
		defer p.kill()
		var all map[string]any
		p.get("/api/settings", &all)
		return all
	}
	all := stored()
	for key, value := range values {
		if got, want := fmt.Sprint(all[key]), fmt.Sprint(value); got != want {
			t.Errorf("%s is %s after the kill, want %s", key, got, want)
		}
	}
	p := serve(t, home, env)
	for key := range values {
		must(t, p.call("PATCH", "/api/settings", map[string]any{key: nil}, nil))
	}
	p.kill()
	for key := range stored() {
		if _, ours := values[key]; ours {
			t.Errorf("%s was set back and is there again after the kill", key)
		}
	}
}
