package app

import (
	"context"
	"slices"
	"testing"
	"time"

	"recollect/backend/backups"
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
