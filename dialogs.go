//go:build desktop

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	wails_runtime "github.com/wailsapp/wails/v2/pkg/runtime"

	"recollect/backend/api"
	"recollect/backend/memory"
)

// words are the shell's texts in the user's language.
func (s *shell) words() shellWords { return words[s.app.Language()] }

// opened returns Wails' context of the open window, EUNSUPPORTED before there is one.
func (s *shell) opened() (context.Context, error) {
	if ctx := s.context(); ctx != nil {
		return ctx, nil
	}
	return nil, memory.Errorf(memory.EUNSUPPORTED, "use the window", "the window is not open yet")
}

// OpenURL opens a web address in the user's browser. Anything but http and https is refused with EINVALID.
func (s *shell) OpenURL(address string) error {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return memory.Errorf(memory.EINVALID, "open a link", "only http and https addresses are opened")
	}
	return s.openOutside(u)
}

// OpenFolder shows a folder in the system's file manager.
func (s *shell) OpenFolder(path string) error {
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") { // a drive letter
		slashed = "/" + slashed
	}
	return s.openOutside(&url.URL{Scheme: "file", Path: slashed})
}

// openOutside hands an address to the system. It does not wait: some systems answer only when the other program ends.
func (s *shell) openOutside(u *url.URL) error {
	ctx, err := s.opened()
	if err != nil {
		return err
	}
	go wails_runtime.BrowserOpenURL(ctx, u.String())
	return nil
}

// ChooseFile opens the system's dialog for a file; "" = the user chose none.
func (s *shell) ChooseFile(kind api.FileKind) (string, error) {
	ctx, err := s.opened()
	if err != nil {
		return "", err
	}
	w := s.words()
	o := wails_runtime.OpenDialogOptions{Title: w.chooseModel, Filters: []wails_runtime.FileFilter{{DisplayName: w.modelFiles, Pattern: "*.gguf"}}}
	if kind == api.FileDatabase {
		o = wails_runtime.OpenDialogOptions{Title: w.chooseDatabase, Filters: []wails_runtime.FileFilter{{DisplayName: w.databaseFiles, Pattern: "*.db"}}}
	}
	return s.dialog(func() (string, error) { return wails_runtime.OpenFileDialog(ctx, o) })
}

// ChooseFolder opens the system's dialog for a folder; "" = the user chose none.
func (s *shell) ChooseFolder() (string, error) {
	ctx, err := s.opened()
	if err != nil {
		return "", err
	}
	o := wails_runtime.OpenDialogOptions{Title: s.words().chooseFolder, CanCreateDirectories: true}
	return s.dialog(func() (string, error) { return wails_runtime.OpenDirectoryDialog(ctx, o) })
}

// ChooseDocuments opens the system's dialog for documents; none = the user chose none.
func (s *shell) ChooseDocuments() ([]string, error) {
	ctx, err := s.opened()
	if err != nil {
		return nil, err
	}
	o := wails_runtime.OpenDialogOptions{Title: s.words().chooseDocuments}
	var paths []string
	_, err = s.dialog(func() (_ string, err error) {
		paths, err = wails_runtime.OpenMultipleFilesDialog(ctx, o)
		return "", err
	})
	return paths, err
}

// SaveFile opens the system's dialog for saving and writes text where the user says; "" = nowhere.
func (s *shell) SaveFile(name, text string) (string, error) {
	ctx, err := s.opened()
	if err != nil {
		return "", err
	}
	o := wails_runtime.SaveDialogOptions{Title: s.words().save, DefaultFilename: name, CanCreateDirectories: true}
	path, err := s.dialog(func() (string, error) { return wails_runtime.SaveFileDialog(ctx, o) })
	if err != nil || path == "" {
		return "", err
	}
	return path, writeFile(path, text)
}

// Dropped returns the paths of the files that were dropped on the window last, once, where the page cannot see them.
func (s *shell) Dropped() []string { return droppedPaths() }

// dialog shows one dialog of the system at a time: two would wait for each other's answer. EBUSY while one is open.
func (s *shell) dialog(show func() (string, error)) (string, error) {
	if !s.asking.TryLock() {
		return "", memory.Errorf(memory.EBUSY, "open a dialog", "another dialog is open")
	}
	defer s.asking.Unlock()
	path, err := show()
	if err != nil {
		return "", fmt.Errorf("open a dialog: %w", err)
	}
	return path, nil
}

// writeFile writes a whole file or leaves what was there.
func writeFile(path, text string) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".recollect-*")
	if err == nil {
		_, err = f.WriteString(text)
		err = errors.Join(err, f.Sync(), f.Chmod(0o644), f.Close())
		if err == nil {
			err = os.Rename(f.Name(), path)
		}
		if err != nil {
			_ = os.Remove(f.Name()) // err says what went wrong
		}
	}
	const op = "save a file"
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC):
		return memory.Errorf(memory.EDISKFULL, op, "the disk is full: %w", err).With(memory.RemedyFreeSpace, err)
	case errors.Is(err, fs.ErrPermission):
		return memory.Errorf(memory.EREADONLY, op, "%s cannot be written; choose another folder", filepath.Dir(path)).With("", err)
	default:
		return memory.Errorf(memory.EINVALID, op, "%s cannot be written: %w", path, err)
	}
}
