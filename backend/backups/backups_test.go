package backups_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"recollect/backend/backups"
)

var now = time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)

// add writes an empty backup of the given age.
func add(t *testing.T, path string, age time.Duration) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	at := now.Add(-age)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func names(files []backups.File) []backups.Kind {
	var kinds []backups.Kind
	for _, f := range files {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

func TestDailyBackupsAreThinnedOutAndOthersStay(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "backups")
	if files, err := backups.List(dir); err != nil || len(files) != 0 || !backups.Due(files, now) {
		t.Errorf("of no folder: %v %v", files, err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	day := 24 * time.Hour
	add(t, backups.Path(dir, backups.KindManual, now.Add(-100*day)), 100*day)
	add(t, filepath.Join(dir, "20260101-120000.000-schema-1-before-0.2.0.db"), 90*day)
	add(t, filepath.Join(dir, "note.txt"), 0)
	for i := range 5 {
		add(t, backups.Path(dir, backups.KindDaily, now.Add(-time.Duration(i)*day)), time.Duration(i)*day+time.Hour)
	}
	files, err := backups.List(dir)
	if err != nil || len(files) != 7 {
		t.Fatalf("%v %v", files, err)
	}
	if backups.Due(files, now) || !backups.Due(files, now.Add(day)) {
		t.Error("a backup is due a day after the newest daily one")
	}
	if err := backups.Thin(files, 2); err != nil {
		t.Fatal(err)
	}
	files, err = backups.List(dir)
	want := []backups.Kind{backups.KindDaily, backups.KindDaily, backups.KindMigration, backups.KindManual}
	if got := names(files); err != nil || !slices.Equal(got, want) {
		t.Errorf("left are %v %v", got, err)
	}
}
