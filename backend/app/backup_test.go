package app

import (
	"context"
	"database/sql"
	"slices"
	"testing"
	"time"

	"recollect/backend/backups"
	"recollect/backend/memory"
)

func TestABackupADayIsMadeAndOldOnesGo(t *testing.T) {
	start := time.Now()
	now := start
	a, err := Start(t.Context(), Options{
		Home: t.TempDir(), Beside: t.TempDir(), Clock: func() time.Time { return start },
		Env: func(key string) string { return map[string]string{"OLLAMA_HOST": "127.0.0.1:1"}[key] },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	daily := func() int {
		t.Helper()
		if err := a.backUp(t.Context(), now); err != nil {
			t.Fatal(err)
		}
		files, err := backups.List(BackupDir(a.home))
		if err != nil {
			t.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(f backups.File) bool { return f.Kind != backups.KindDaily })
		return len(files)
	}
	if err := a.settings.Set(t.Context(), settingBackups, 0); err != nil {
		t.Fatal(err)
	}
	if n := daily(); n != 0 {
		t.Errorf("%d backups were made although there should be none", n)
	}
	if err := a.settings.Set(t.Context(), settingBackups, 2); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int{1, 1, 2, 2} {
		if n := daily(); n != want {
			t.Errorf("time %d: %d backups, want %d", i, n, want)
		}
		if i > 0 {
			now = now.Add(25 * time.Hour)
		}
	}
}

// Once a week the whole database is checked while nobody waits, and an index that does not agree with it is made anew.
func TestTheDatabaseIsCheckedOnceAWeek(t *testing.T) {
	start := time.Now()
	a, err := Start(t.Context(), Options{
		Home: t.TempDir(), Beside: t.TempDir(), Clock: func() time.Time { return start },
		Env: func(key string) string { return map[string]string{"OLLAMA_HOST": "127.0.0.1:1"}[key] },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = a.Close(context.Background()) })
	agents, err := a.Store.Agents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := a.Store.CreatePassage(t.Context(), memory.Passage{ArchiveID: agents[0].ArchiveID, Text: "The spare key hangs in the shed."}, memory.Cause{Actor: memory.ActorUser}); err != nil {
		t.Fatal(err)
	}
	beside, err := sql.Open("sqlite", DatabasePath(a.home))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = beside.Close() })
	indexed := func() (n int) {
		t.Helper()
		if err := beside.QueryRowContext(t.Context(), "SELECT count(*) FROM search_docsize").Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	want := indexed()
	for _, c := range []struct {
		after time.Duration
		want  int
	}{{0, want}, {6 * 24 * time.Hour, 0}, {8 * 24 * time.Hour, want}} {
		if _, err := beside.ExecContext(t.Context(), "INSERT INTO search (search) VALUES ('delete-all')"); err != nil {
			t.Fatal(err)
		}
		if err := a.checkUp(t.Context(), start.Add(c.after)); err != nil {
			t.Fatal(err)
		}
		if n := indexed(); n != c.want || want == 0 {
			t.Errorf("after %s: %d texts are indexed, want %d of %d", c.after, n, c.want, want)
		}
	}
}
