// Package datafolder finds the data folder and moves it, so that a crash at any moment leaves one whole data folder that
// the next start finds.
//
// A folder that has been moved leaves a pointer in its first place, the base. A move has these steps:
//
//  1. Stage, while the app goes on: a plan is left in the old folder, and what does not change (models, backups) is
//     copied and verified.
//  2. Finish, at the next start, before anything is opened: what has changed and the database are copied and verified;
//     then the pointer is switched, which is the one moment at which the new folder counts.
//  3. Opened, once the new folder was opened well, and Clean: only now the old files are removed. Revert, where it could
//     not be opened: the pointer goes back to the old folder, which is as it was.
package datafolder

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"recollect/backend/memory"
)

const (
	database    = "recollect.db"
	pointerName = "location.json" // in the base
	planName    = "move.json"     // in the old folder
	markName    = "incoming.json" // in the new folder, until the switch
	op          = "move the data folder"
)

// own are the patterns of what belongs to the app in a data folder. Others may keep files beside it: the web view, on
// Linux, keeps its own in the folder of the same name.
var own = []string{ // a constant
	database + "*", "backups", "models", "engine.log*", "recollect.log*", "lock", "instance.json*", "upload-*.gguf", "sample-*", planName, markName,
}

// left are the patterns of what stays behind: it is made anew, or copied in Finish.
var left = []string{ // a constant
	database, database + "-*", "engine.log*", "recollect.log*", "lock", "instance.json*", "upload-*.gguf", "sample-*", planName, markName,
}

// pointer says where the data of a base is.
type pointer struct {
	Path     string `json:"path"`
	Previous string `json:"previous,omitempty"` // the folder before, until its files are removed
	Opened   bool   `json:"opened,omitempty"`   // Path was opened well: Previous is no way back any more
}

// plan is a move that has begun.
type plan struct {
	To     string `json:"to"`
	Staged bool   `json:"staged"` // Finish may begin
}

// Locate returns the folder that holds the data of base: base itself, or where it was moved to. EINVALID when it was
// moved and is not there now, on a disk that is not connected, say: a new beginning beside it would look like a loss. A
// move whose new folder was never opened and is not there is taken back.
func Locate(base string) (string, error) {
	p, err := readPointer(base)
	if err != nil || p.Path == base {
		return base, err
	}
	_, missing := os.Stat(filepath.Join(p.Path, database))
	if missing == nil {
		return p.Path, nil
	}
	if back, err := Revert(base); back || err != nil {
		return p.Previous, err
	}
	return "", memory.Errorf(memory.EINVALID, "find the data folder",
		"the data was moved to %s, which cannot be read now; connect the disk that it is on, or name another folder with --home", p.Path).With("", missing)
}

func readPointer(base string) (pointer, error) {
	path := filepath.Join(base, pointerName)
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) { // a file in its place is told where it is used
		return pointer{Path: base, Opened: true}, nil
	}
	var p pointer
	if errors.Is(err, fs.ErrPermission) {
		e := memory.Errorf(memory.EREADONLY, "find the data folder", "the data folder %s cannot be read: %w", base, err)
		e.Remedy = memory.RemedyChooseFolder
		return p, e
	}
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	if err == nil && !filepath.IsAbs(p.Path) {
		err = errors.New("it names no folder")
	}
	if err != nil {
		return p, memory.Errorf(memory.ECORRUPT, "find the data folder", "%s, which tells where the data is, cannot be read; put its path there again as {\"path\":\"…\",\"opened\":true}: %w", path, err)
	}
	return p, nil
}

// writePointer says where the data of base is from now on.
func writePointer(base string, p pointer) error {
	if p.Path == base && p.Previous == "" {
		if err := os.Remove(filepath.Join(base, pointerName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the pointer to the data folder: %w", err)
		}
		return syncDir(base)
	}
	return writeJSON(filepath.Join(base, pointerName), p)
}

// writeJSON writes a whole file, durably, or leaves what was there.
func writeJSON(path string, v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	_, err = f.Write(raw)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // err says what went wrong
		return fmt.Errorf("write %s: %w", path, err)
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the names in a folder durable. Windows has no such thing.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	return nil
}

func matches(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, _ := filepath.Match(p, name) // the patterns are right
		return ok
	})
}

// Size returns the bytes of the app's own files in a data folder.
func Size(home string) (int64, error) {
	files, err := list(home, nil)
	var n int64
	for _, f := range files {
		n += f.size
	}
	return n, err
}

// file is one of the app's own files in a data folder.
type file struct {
	path string // relative to the folder
	mode fs.FileMode
	size int64
	info fs.FileInfo
}

// list returns the app's own files and folders in a data folder, but those whose top name matches except.
func list(home string, except []string) ([]file, error) {
	entries, err := os.ReadDir(home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", home, err)
	}
	var files []file
	for _, e := range entries {
		if !matches(own, e.Name()) || matches(except, e.Name()) {
			continue
		}
		err := filepath.WalkDir(filepath.Join(home, e.Name()), func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil // removed meanwhile
			}
			if err != nil {
				return err
			}
			info, err := d.Info()
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(home, path)
			if err != nil {
				return err
			}
			f := file{path: rel, mode: info.Mode(), info: info}
			if info.Mode().IsRegular() {
				f.size = info.Size()
			}
			files = append(files, f)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", home, err)
		}
	}
	return files, nil
}

// removeOwn removes the app's own files from a folder, the mark of a move last.
func removeOwn(home string) error {
	entries, err := os.ReadDir(home)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", home, err)
	}
	for _, e := range entries {
		if matches(own, e.Name()) && e.Name() != markName {
			err = errors.Join(err, os.RemoveAll(filepath.Join(home, e.Name())))
		}
	}
	if err == nil {
		err = os.RemoveAll(filepath.Join(home, markName))
	}
	if err != nil {
		return fmt.Errorf("remove old files: %w", err)
	}
	return nil
}

// inside says whether path is dir or below it, symbolic links resolved.
func inside(dir, path string) bool {
	rel, err := filepath.Rel(resolved(dir), resolved(path))
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// resolved returns path without symbolic links, as far as it exists.
func resolved(path string) string {
	if r, err := filepath.EvalSymlinks(path); err == nil {
		return r
	}
	parent := filepath.Dir(path)
	if parent == path {
		return path
	}
	return filepath.Join(resolved(parent), filepath.Base(path))
}
