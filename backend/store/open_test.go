package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
)

// folder returns the files beside the database and their contents.
func folder(t *testing.T, path string) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(filepath.Dir(path))
	must(t, err)
	for _, e := range entries {
		if e.Type().IsRegular() {
			b, err := os.ReadFile(filepath.Join(filepath.Dir(path), e.Name()))
			must(t, err)
			files[e.Name()] = string(b)
		}
	}
	return files
}

func wantUntouched(t *testing.T, path string, before map[string]string) {
	t.Helper()
	after := folder(t, path)
	for name, content := range after {
		if before[name] != content {
			t.Errorf("%s was changed or made", name)
		}
	}
	for name := range before {
		if _, ok := after[name]; !ok {
			t.Errorf("%s is gone", name)
		}
	}
}

// raw runs a statement on the closed database, as another program would.
func (w *world) raw(statements ...string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", dsn(w.path, ""))
	must(w.t, err)
	for _, st := range statements {
		_, err = db.Exec(st)
		must(w.t, err)
	}
	must(w.t, db.Close())
}

func TestNewerSchemaIsRefusedUntouched(t *testing.T) {
	for name, prepare := range map[string]func(w *world){
		"closed": func(w *world) { w.raw("PRAGMA user_version = 99") },
		// The newer version crashed: what it changed is still in the log.
		"with a log": func(w *world) {
			copyAfterCrash(w, "PRAGMA user_version = 99")
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.agent()
			w.close()
			prepare(w)
			before := folder(t, w.path)
			_, err := Open(w.ctx, w.path, w.opts)
			wantCode(t, err, memory.ENEWER)
			wantUntouched(t, w.path, before)
		})
	}
}

// copyAfterCrash puts the database into the state of a crash after a statement: committed, but only in the log.
func copyAfterCrash(w *world, statement string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", dsn(w.path, "_pragma=journal_mode(wal)"))
	must(w.t, err)
	defer db.Close()
	_, err = db.Exec(statement)
	must(w.t, err)
	files := folder(w.t, w.path)
	dir := filepath.Join(filepath.Dir(w.path), "crashed")
	must(w.t, os.Mkdir(dir, 0o700))
	for _, suffix := range []string{"", "-wal"} {
		must(w.t, os.WriteFile(filepath.Join(dir, "recollect.db"+suffix), []byte(files["recollect.db"+suffix]), 0o600))
	}
	w.path = filepath.Join(dir, "recollect.db")
}

func TestDamagedFileIsRefusedUntouched(t *testing.T) {
	for name, damage := range map[string]func(w *world, b []byte) []byte{
		"no database":     func(*world, []byte) []byte { return []byte(strings.Repeat("not a database. ", 1000)) },
		"short":           func(_ *world, b []byte) []byte { return b[:50] },
		"another program": func(_ *world, b []byte) []byte { copy(b[68:72], "abcd"); return b },
		"schema": func(_ *world, b []byte) []byte {
			copy(b[100:], bytes.Repeat([]byte{0xaa}, 3000))
			return b
		},
		"pages after a crash": func(w *world, b []byte) []byte {
			i := bytes.Index(b, []byte("clean1"))
			if i < 0 {
				w.t.Fatal("the note of an orderly end is not found")
			}
			b[i+5] = '0'
			for page := 8; page < len(b)/4096; page += 2 {
				copy(b[page*4096:], bytes.Repeat([]byte{0xaa}, 2000))
			}
			return b
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			a := w.agent()
			w.say(w.conversation(a).ID, memory.RoleUser, "text")
			w.close()
			b, err := os.ReadFile(w.path)
			must(t, err)
			must(t, os.WriteFile(w.path, damage(w, b), 0o600))
			before := folder(t, w.path)
			_, err = Open(w.ctx, w.path, w.opts)
			wantCode(t, err, memory.ECORRUPT)
			var e *memory.Error
			if !errors.As(err, &e) || e.Remedy != memory.RemedyRestore {
				t.Errorf("the remedy of %v is not to restore a backup", err)
			}
			wantUntouched(t, w.path, before)
		})
	}
}

func TestDamageMetWhileReadingIsNamed(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	for range 800 { // many more pages than the schema has
		w.say(c.ID, memory.RoleUser, strings.Repeat("some text ", 100))
	}
	w.close()
	b, err := os.ReadFile(w.path)
	must(t, err)
	for page := len(b) / 4096 / 3; page < len(b)/4096*2/3; page++ {
		copy(b[page*4096:], bytes.Repeat([]byte{0xaa}, 4096))
	}
	must(t, os.WriteFile(w.path, b, 0o600))
	s, err := Open(w.ctx, w.path, w.opts)
	must(t, err) // the last run ended in order: nothing is read but the beginning
	defer s.Close()
	wantCode(t, s.QuickCheck(w.ctx), memory.ECORRUPT)
	_, _, err = s.Messages(w.ctx, MessageFilter{AgentID: a.ID})
	wantCode(t, err, memory.ECORRUPT)
}

func TestMigration(t *testing.T) {
	second := migration{"colour", "ALTER TABLE agent ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'; CREATE TABLE extra (a TEXT) STRICT;"}
	broken := migration{"broken", "CREATE TABLE half (a TEXT); INSERT INTO nowhere VALUES (1);"}
	w := newWorld(t, func(o *Options) { o.Version = "0.2.0" })
	a := w.agent()
	w.close()

	_, err := open(w.ctx, w.path, w.opts, append(slices.Clone(migrations), broken))
	wantCode(t, err, memory.EINTERNAL)
	w.open() // the version before still works: the half step is gone
	wantEqual(t, "tables of the half step", w.count("SELECT count(*) FROM sqlite_schema WHERE name = 'half'"), 0)
	w.close()

	w.pass(time.Second)
	s, err := open(w.ctx, w.path, w.opts, append(slices.Clone(migrations), second))
	must(t, err)
	if _, err := s.Agent(w.ctx, a.ID); err != nil {
		t.Errorf("the agent after migrating: %v", err)
	}
	must(t, s.Close())
	backups, err := filepath.Glob(filepath.Join(filepath.Dir(w.path), "backups", fmt.Sprintf("*-schema-%d-before-0.2.0.db", len(migrations))))
	must(t, err)
	wantEqual(t, "backups", len(backups), 2) // one for each attempt
	_, err = Open(w.ctx, w.path, w.opts)
	wantCode(t, err, memory.ENEWER)
	kept, err := Restore(w.ctx, backups[1], w.path, w.now)
	must(t, err)
	if _, err := os.Stat(kept); err != nil {
		t.Errorf("what was replaced: %v", err)
	}
	w.open()
	_, err = w.Agent(w.ctx, a.ID)
	must(t, err)
}

func (w *world) count(query string) int {
	w.t.Helper()
	n, err := one(w.ctx, w, value[int], query)
	must(w.t, err)
	return n
}

// schema returns what defines the database, without what depends on the models in use.
func (w *world) schema() string {
	w.t.Helper()
	parts, err := all(w.ctx, w, value[string], `SELECT type || ' ' || name || ' ' || ifnull(sql, '') FROM sqlite_schema
		WHERE name NOT LIKE 'vec\_%' ESCAPE '\' AND name NOT LIKE 'sqlite\_autoindex\_vec\_%' ESCAPE '\' ORDER BY 1`)
	must(w.t, err)
	return strings.Join(parts, "\n")
}

func TestBackupAndRestore(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	b := w.block("human", "before", a.ID)
	dst := filepath.Join(t.TempDir(), "copy.db")
	must(t, w.Backup(w.ctx, dst))
	wantCode(t, w.Backup(w.ctx, dst), memory.ECONFLICT)
	info, err := os.Stat(dst)
	must(t, err)
	wantEqual(t, "who may read the backup", info.Mode().Perm()&0o077, 0)
	_, _, err = w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("after")}, byUser)
	must(t, err)
	w.close()
	kept, err := Restore(w.ctx, dst, w.path, w.now)
	must(t, err)
	w.open()
	<-w.Verified()
	wantEqual(t, "value", w.value(b.ID), "before")
	w.close()
	w.path = kept
	w.open()
	wantEqual(t, "value in the file that was replaced", w.value(b.ID), "after")
	w.close()

	whole, err := os.ReadFile(dst)
	must(t, err)
	cut := slices.Clone(whole[:len(whole)/2])
	other := filepath.Join(t.TempDir(), "other.db")
	db, err := sql.Open("sqlite", other)
	must(t, err)
	_, err = db.Exec("CREATE TABLE t (x); PRAGMA user_version = 1")
	must(t, errors.Join(err, db.Close()))
	foreign, err := os.ReadFile(other)
	must(t, err)
	before := folder(t, w.path)
	for _, c := range []struct {
		what    string
		content []byte
		says    string
	}{
		{"an empty file", nil, "is empty"},
		{"a text", []byte("garbage"), "a file of another kind"},
		{"a picture", append([]byte("\x89PNG\r\n"), make([]byte, 4096)...), "a file of another kind"},
		{"a database of another program", foreign, "a file of another kind"},
		{"half a backup", cut, "is damaged"},
	} {
		must(t, os.WriteFile(dst, c.content, 0o600))
		_, err = Restore(w.ctx, dst, w.path, w.now)
		wantCode(t, err, memory.ECORRUPT)
		if p := memory.ProblemOf(err); !strings.Contains(p.Message, dst+" ") || !strings.Contains(p.Message, c.says) || !strings.Contains(p.Message, "present database was left as it is") {
			t.Errorf("%s: it says %q", c.what, p.Message)
		}
		wantUntouched(t, w.path, before)
	}
	_, err = Restore(w.ctx, dst+".missing", w.path, w.now)
	wantCode(t, err, memory.ENOTFOUND)
	_, err = Restore(w.ctx, filepath.Dir(dst), w.path, w.now)
	wantCode(t, err, memory.EINVALID)
}

// A crash between putting the old database aside and putting the backup in its place must not end in an empty one.
func TestRestoreIsFinishedAfterACrash(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	b := w.block("human", "before", a.ID)
	must(t, w.Backup(w.ctx, w.path+restored))
	w.close()
	must(t, os.Rename(w.path, w.path+".replaced"))
	w.open()
	<-w.Verified()
	wantEqual(t, "value", w.value(b.ID), "before")
	w.close()
}

func TestIndexesAreRepairedAfterAnUncleanExit(t *testing.T) {
	for name, damage := range map[string][]string{
		"empty":   {"INSERT INTO search (search) VALUES ('delete-all')"},
		"missing": {"DELETE FROM search WHERE rowid = 1"},
		"broken":  {"UPDATE search_data SET block = zeroblob(10) WHERE id > 10"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			a := w.agent()
			c := w.conversation(a)
			m := w.say(c.ID, memory.RoleUser, "the lighthouse")
			w.say(c.ID, memory.RoleAssistant, "the harbour")
			w.embedAll("m", 8)
			w.close()
			w.raw(append(damage, "DELETE FROM vec_1 WHERE rowid = 2", "UPDATE meta SET value = '0' WHERE key = 'clean'")...)
			w.open()
			<-w.Verified()
			must(t, w.Health())
			if ids := w.find(a, "lighthouse"); len(ids) == 0 || ids[0] != m.ID {
				t.Errorf("found %v", ids)
			}
			done, pending := w.pending("m")
			wantEqual(t, "vectors", done, 3)
			wantEqual(t, "waiting", pending, 1)
		})
	}
}

func TestDamageIsFoundInTheBackgroundWhenTheFileIsLarge(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	w.say(w.conversation(a).ID, memory.RoleUser, "text")
	// Something that inspect does not see because it checks small files only.
	err := w.write(w.ctx, "test", lazy, func(t *tx) error {
		return t.run("CREATE TABLE ballast AS SELECT zeroblob(34000000) AS filler")
	})
	must(t, err)
	w.close()
	w.raw("UPDATE meta SET value = '0' WHERE key = 'clean'",
		"PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 5 WHERE name = 'ballast'; PRAGMA writable_schema = 0")
	w.open()
	<-w.Verified()
	wantCode(t, w.Health(), memory.ECORRUPT)
	_, err = w.Agent(w.ctx, a.ID) // what can be read is
	must(t, err)
}

func TestIdentifiersSortAlthoughTheClockWasSetBack(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	first := w.say(c.ID, memory.RoleUser, "first")
	updated, err := w.Conversation(w.ctx, c.ID)
	must(t, err)
	w.close()
	w.pass(-48 * time.Hour)
	w.opts.IDs = memory.NewIDs(w.now, &counter{}) // a new process
	w.open()
	second := w.say(c.ID, memory.RoleUser, "second")
	if second.ID <= first.ID {
		t.Errorf("%s, stored later, sorts before %s", second.ID, first.ID)
	}
	after, err := w.Conversation(w.ctx, c.ID)
	must(t, err)
	if after.UpdatedAt.Before(updated.UpdatedAt) {
		t.Error("the conversation has become older")
	}
	_, rev, err := w.CreateBlock(w.ctx, memory.Block{Label: "x"}, nil, byUser)
	must(t, err)
	revs, _, err := w.Revisions(w.ctx, RevisionFilter{})
	must(t, err)
	wantEqual(t, "newest revision", revs[0].ID, rev.ID)
}

func TestFullDisk(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	kept := w.say(c.ID, memory.RoleUser, "stored while there was room")
	b := w.block("human", "text", a.ID)
	_, err := w.conn.ExecContext(w.ctx, fmt.Sprintf("PRAGMA max_page_count = %d", w.count("PRAGMA page_count")+4))
	must(t, err)
	w.seen()
	big := strings.Repeat("a long text ", 20_000)
	_, err = w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, ParentID: kept.ID, Role: memory.RoleUser, Content: big})
	wantCode(t, err, memory.EDISKFULL)
	wantEqual(t, "events", len(w.seen()), 0)
	got, err := w.Conversation(w.ctx, c.ID)
	must(t, err)
	wantEqual(t, "head", got.Head, kept.ID)
	wantEqual(t, "found", len(w.find(a, "long")), 0)
	// There is room again, without a restart.
	_, err = w.conn.ExecContext(w.ctx, "PRAGMA max_page_count = 1000000")
	must(t, err)
	w.say(c.ID, memory.RoleUser, big)
	_, _, err = w.UpdateBlock(w.ctx, b.ID, memory.BlockChange{Value: ptr("new")}, byUser)
	must(t, err)
}

func TestAnEndedContextStopsTheWaitButNotTheWrite(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	ctx, cancel := context.WithCancel(w.ctx)
	err := w.write(ctx, "test", kept, func(t *tx) error {
		cancel()
		return t.run("meta_set", "test", "1")
	})
	must(t, err)
	_, err = w.CreateConversation(ctx, memory.Conversation{AgentID: a.ID})
	wantCode(t, err, memory.ECANCELLED)
	list, _, err := w.Conversations(w.ctx, ConversationFilter{})
	must(t, err)
	wantEqual(t, "conversations", len(list), 0)
}

func TestPathsWithOddNames(t *testing.T) {
	for _, name := range []string{"a b", "100%25?x=1&y#z", "数据", "it's"} {
		dir := filepath.Join(t.TempDir(), name)
		must(t, os.Mkdir(dir, 0o700))
		path := filepath.Join(dir, "recollect.db")
		s, err := Open(context.Background(), path, Options{})
		must(t, err)
		must(t, s.Backup(context.Background(), filepath.Join(dir, "copy.db")))
		must(t, s.Close())
		for _, p := range []string{path, filepath.Join(dir, "copy.db")} {
			if _, err := os.Stat(p); err != nil {
				t.Errorf("%q: %v", name, err)
			}
		}
	}
}

func TestUseAfterClose(t *testing.T) {
	w := newWorld(t)
	s := w.Store
	w.close()
	if _, err := s.CreateAgent(w.ctx, memory.Agent{Name: "x"}, byUser); err == nil {
		t.Error("a closed store took a new agent")
	}
	entries := folder(t, w.path)
	wantEqual(t, "files after closing", len(entries), 1)
}
