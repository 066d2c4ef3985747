package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"recollect/backend/memory"
)

// DefaultHome returns the folder for the app's own data where none is named: $XDG_DATA_HOME/recollect or
// ~/.local/share/recollect, ~/Library/Application Support/Recollect, %LocalAppData%\Recollect.
func DefaultHome(env func(string) string) (string, error) {
	switch runtime.GOOS {
	case "windows":
		if dir := env("LocalAppData"); dir != "" {
			return filepath.Join(dir, "Recollect"), nil
		}
	case "darwin":
		if home := env("HOME"); home != "" {
			return filepath.Join(home, "Library", "Application Support", "Recollect"), nil
		}
	default:
		if dir := env("XDG_DATA_HOME"); filepath.IsAbs(dir) {
			return filepath.Join(dir, "recollect"), nil
		}
		if home := env("HOME"); home != "" {
			return filepath.Join(home, ".local", "share", "recollect"), nil
		}
	}
	return "", memory.Errorf(memory.EINVALID, "find the data folder", "this user has no home folder; name one with --home")
}

// DatabasePath returns where the database of a data folder lies.
func DatabasePath(home string) string { return filepath.Join(home, "recollect.db") }

// BackupDir returns where the backups of a data folder lie.
func BackupDir(home string) string { return filepath.Join(home, "backups") }

// makeHome makes the data folder, for its user alone. EREADONLY, EDISKFULL or EINVALID where that cannot be.
func makeHome(home string) error {
	const op = "make the data folder"
	err := os.MkdirAll(home, 0o700)
	if err == nil {
		var f *os.File
		if f, err = os.CreateTemp(home, ".write-*"); err == nil {
			_ = f.Close()
			err = os.Remove(f.Name())
		}
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC):
		return memory.Errorf(memory.EDISKFULL, op, "the disk that holds %s is full: %w", home, err).With(memory.RemedyFreeSpace, err)
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return memory.Errorf(memory.EREADONLY, op, "the data folder %s cannot be written: %w", home, err).With(memory.RemedyChooseFolder, err)
	default:
		return memory.Errorf(memory.EINVALID, op, "%s cannot be used as data folder: %w", home, err).With(memory.RemedyChooseFolder, err)
	}
}
