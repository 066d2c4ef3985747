package api

import (
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"

	"recollect/backend/backups"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// backupDir is where the backups lie that nobody wanted elsewhere.
func (a *API) backupDir() string { return filepath.Join(a.Home, "backups") }

func (a *API) listBackups(r *http.Request) (result, error) {
	if err := parameters(r).err; err != nil {
		return result{}, err
	}
	files, err := backups.List(a.backupDir())
	return ok(Backups{Folder: a.backupDir(), Backups: files}), err
}

func (a *API) backup(r *http.Request) (result, error) {
	var in BackupCreate
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	path := in.Path
	switch {
	case path == "":
		if err := os.MkdirAll(a.backupDir(), 0o700); err != nil {
			return result{}, fileError("write backup", err)
		}
		path = backups.Path(a.backupDir(), backups.KindManual, a.Clock())
	case !filepath.IsAbs(path):
		return result{}, invalid("path must be the whole path of a file on this machine")
	}
	if _, err := os.Lstat(path); err == nil {
		return result{}, memory.Errorf(memory.ECONFLICT, "write backup", "%s is there already", path)
	}
	if err := a.Store.Backup(r.Context(), path); err != nil {
		return result{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return result{}, fmt.Errorf("look at the backup: %w", err)
	}
	done := memory.Event{Type: "backup.done", Data: map[string]any{"path": path, "bytes": info.Size(), "actor": memory.ActorUser}}
	if _, err := a.Store.RecordEvent(r.Context(), done); err != nil {
		slog.Warn("A backup is missing in the activity.", "error", err)
	}
	return created(Backup{Path: path, Bytes: info.Size(), Verified: true}), nil
}

// verifyBackup reads one of the listed backups from beginning to end.
func (a *API) verifyBackup(r *http.Request) (result, error) {
	const op = "verify backup"
	var in BackupVerify
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	files, err := backups.List(a.backupDir())
	if err != nil {
		return result{}, err
	}
	i := slices.IndexFunc(files, func(f backups.File) bool { return f.Name == in.Name })
	if i < 0 {
		return result{}, memory.Errorf(memory.ENOTFOUND, op, "there is no backup %q", in.Name)
	}
	if err := store.Verify(r.Context(), files[i].Path); err != nil {
		return result{}, err
	}
	return ok(Backup{Path: files[i].Path, Bytes: files[i].Bytes, Verified: true}), nil
}
