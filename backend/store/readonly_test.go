//go:build unix

package store

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"recollect/backend/memory"
)

// Nobody else may read what the user says, whatever the mask of new files allows.
func TestDatabaseIsTheUsersAlone(t *testing.T) {
	before := syscall.Umask(0)
	defer syscall.Umask(before)
	w := newWorld(t)
	w.agent()
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(w.path + suffix)
		must(t, err)
		wantEqual(t, "mode of the file"+suffix, info.Mode().Perm(), 0o600)
	}
}

// A folder that the user may read but not write. Whoever runs the tests as root may write everywhere, so the store is
// opened by a program of nobody's.
func TestReadOnlyFolder(t *testing.T) {
	w := newWorld(t)
	w.agent()
	w.close()
	dir := filepath.Dir(w.path)
	binary := filepath.Join(t.TempDir(), "child")
	must(t, copyFile(os.Args[0], binary))
	for path, mode := range map[string]os.FileMode{
		binary: 0o755, filepath.Dir(binary): 0o755, filepath.Dir(filepath.Dir(binary)): 0o755, w.path: 0o644, dir: 0o555,
	} {
		must(t, os.Chmod(path, mode))
	}
	t.Cleanup(func() { must(t, os.Chmod(dir, 0o755)) })
	before := folder(t, w.path)
	for _, path := range []string{w.path, filepath.Join(dir, "new.db")} {
		cmd := child(t, binary, childOpen, path)
		if os.Getuid() == 0 {
			const nobody = 65534
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
		out, err := cmd.Output()
		must(t, err)
		wantEqual(t, "code for "+filepath.Base(path), memory.Code(out), memory.EREADONLY)
	}
	wantUntouched(t, w.path, before)
}
