// Package backups names, lists and thins out the copies of the database that lie beside it.
package backups

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Kind says why a backup was made.
type Kind string

// The kinds of backups. Only daily ones are ever deleted by the app.
const (
	KindManual    Kind = "manual"    // the user asked for it
	KindDaily     Kind = "daily"     // once a day, while nobody waited for an answer
	KindMigration Kind = "migration" // before an update changed the schema
)

// File is one backup.
type File struct {
	Name  string    `json:"name"`
	Path  string    `json:"path"`
	Kind  Kind      `json:"kind"`
	Bytes int64     `json:"bytes"`
	At    time.Time `json:"at"`
}

// prefixes are what the names of the app's own backups begin with; those before a migration begin with their date.
var prefixes = map[Kind]string{KindManual: "recollect-", KindDaily: "daily-"}

// Path returns where a new backup of a kind goes in a folder.
func Path(dir string, kind Kind, now time.Time) string {
	return filepath.Join(dir, prefixes[kind]+now.UTC().Format("20060102T150405.000Z")+".db")
}

// List returns the backups in a folder, the newest first; none where the folder does not exist.
func List(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("list the backups: %w", err)
	}
	files := []File{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || filepath.Ext(e.Name()) != ".db" {
			continue
		}
		files = append(files, File{
			Name: e.Name(), Path: filepath.Join(dir, e.Name()), Kind: kindOf(e.Name()), Bytes: info.Size(), At: info.ModTime(),
		})
	}
	slices.SortFunc(files, func(a, b File) int { return b.At.Compare(a.At) })
	return files, nil
}

func kindOf(name string) Kind {
	switch {
	case strings.HasPrefix(name, prefixes[KindDaily]):
		return KindDaily
	case strings.Contains(name, "-before-"):
		return KindMigration
	}
	return KindManual
}

// Due reports whether a folder has no daily backup of the last day.
func Due(files []File, now time.Time) bool {
	i := slices.IndexFunc(files, func(f File) bool { return f.Kind == KindDaily })
	return i < 0 || now.Sub(files[i].At) >= 24*time.Hour || files[i].At.After(now.Add(24*time.Hour)) // the clock was set back
}

// Thin deletes all daily backups but the newest keep ones.
func Thin(files []File, keep int) error {
	var errs []error
	for _, f := range files {
		if f.Kind != KindDaily {
			continue
		}
		if keep--; keep < 0 {
			errs = append(errs, os.Remove(f.Path))
		}
	}
	return errors.Join(errs...)
}
