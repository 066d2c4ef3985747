package datafolder

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"recollect/backend/memory"
)

// spare is what must stay free on the disk beside a moved data folder, in bytes.
const spare = 64 << 20

// Mover moves the data of a base. The zero value of its functions is the real world; tests put faults there.
type Mover struct {
	Base string // where the app looks for its data first
	From string // where the data is

	// Free returns the bytes that a user may still write on the file system that holds a folder.
	Free func(dir string) (int64, error)
	// at is called before each step, with its name; tests end the process there.
	at func(step string)
}

func (m Mover) step(name string) {
	if m.at != nil {
		m.at(name)
	}
}

// Check says why the data cannot be moved to a folder: EINVALID when it is the same one, inside it, around it, or not
// empty; EREADONLY, EDISKFULL.
func (m Mover) Check(to string) error {
	if p, err := readPointer(m.Base); err == nil && p.Previous != "" {
		return memory.Errorf(memory.EBUSY, op, "the files of the last move are still being removed from %s; try again shortly", p.Previous)
	}
	if inside(m.From, to) {
		return memory.Errorf(memory.EINVALID, op, "%s is the data folder or inside it; choose a folder outside of %s", to, m.From)
	}
	entries, err := os.ReadDir(to)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return memory.Errorf(memory.EINVALID, op, "%s cannot be used as a folder: %w", to, err)
	}
	if !m.leftover(to) {
		for _, e := range entries {
			// Beside the pointer in the base, the web view may have files of its own.
			if to != m.Base || matches(own, e.Name()) {
				return memory.Errorf(memory.EINVALID, op, "%s is not empty; choose a new folder or an empty one", to)
			}
		}
	}
	parent := to
	for {
		if _, err := os.Stat(parent); err == nil {
			break
		}
		parent = filepath.Dir(parent)
	}
	probe, err := os.CreateTemp(parent, ".recollect-*")
	if err != nil {
		return fault(fmt.Errorf("%s cannot be written: %w", parent, err))
	}
	if err := errors.Join(probe.Close(), os.Remove(probe.Name())); err != nil {
		return fault(err)
	}
	size, err := Size(m.From)
	if err != nil {
		return fault(err)
	}
	if free, err := m.Free(parent); err == nil && free < size+spare {
		return memory.Errorf(memory.EDISKFULL, op, "there is too little space at %s: %d MB are free, %d MB are needed", to, free>>20, (size+spare)>>20).With(memory.RemedyFreeSpace, nil)
	}
	return nil
}

// leftover says whether a folder holds what an earlier move of this data left when it was interrupted.
func (m Mover) leftover(to string) bool {
	raw, err := os.ReadFile(filepath.Join(to, markName))
	from := ""
	return err == nil && json.Unmarshal(raw, &from) == nil && from == m.From
}

// fault gives an error of a move its code.
func fault(err error) error {
	e := &memory.Error{Code: memory.EINVALID, Op: op, Message: err.Error(), Err: err, Remedy: memory.RemedyChooseFolder}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		e.Code, e.Remedy = memory.EDISKFULL, memory.RemedyFreeSpace
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		e.Code = memory.EREADONLY
	}
	return e
}

// Stage copies what does not change while the app runs, and verifies it. progress is told the bytes done of all. When it
// returns nil, the next start moves the data; when it fails or ctx ends, everything is as before.
func (m Mover) Stage(ctx context.Context, to string, progress func(done, total int64)) error {
	if err := m.Check(to); err != nil {
		return err
	}
	m.step("plan")
	if err := writeJSON(filepath.Join(m.From, planName), plan{To: to}); err != nil {
		return fault(err)
	}
	err := m.stage(ctx, to, progress)
	if err != nil {
		return fault(errors.Join(err, m.abandon(to)))
	}
	return nil
}

func (m Mover) stage(ctx context.Context, to string, progress func(done, total int64)) error {
	m.step("make")
	if err := os.MkdirAll(to, 0o700); err != nil {
		return fmt.Errorf("make the folder: %w", err)
	}
	if m.leftover(to) {
		if err := removeOwn(to); err != nil {
			return err
		}
	}
	m.step("mark")
	if err := writeJSON(filepath.Join(to, markName), m.From); err != nil {
		return err
	}
	if err := m.copyStatic(ctx, to, progress); err != nil {
		return err
	}
	m.step("staged")
	return writeJSON(filepath.Join(m.From, planName), plan{To: to, Staged: true})
}

// copyStatic copies what is not there yet, with time and size, and removes what is there no longer.
func (m Mover) copyStatic(ctx context.Context, to string, progress func(done, total int64)) error {
	files, err := list(m.From, left)
	if err != nil {
		return err
	}
	var done, total int64
	wanted := map[string]bool{}
	for _, f := range files {
		total += f.size
		wanted[f.path] = true
	}
	there, err := list(to, left)
	if err != nil {
		return err
	}
	for _, f := range there {
		if !wanted[f.path] {
			if err := os.RemoveAll(filepath.Join(to, f.path)); err != nil {
				return fmt.Errorf("remove what is not needed any more: %w", err)
			}
		}
	}
	for _, f := range files {
		m.step("copy " + f.path)
		if err := m.copy(ctx, f, to); err != nil {
			return err
		}
		done += f.size
		progress(done, total)
	}
	return nil
}

// copy copies one file, folder or symbolic link, durably, and reads it again. A copy of the same size and time is taken
// for done: it was verified when it was made.
func (m Mover) copy(ctx context.Context, f file, to string) error {
	src, dst := filepath.Join(m.From, f.path), filepath.Join(to, f.path)
	switch {
	case f.mode.IsDir():
		if err := os.MkdirAll(dst, f.mode.Perm()|0o700); err != nil {
			return fmt.Errorf("make a folder: %w", err)
		}
		return syncDir(filepath.Dir(dst))
	case f.mode&fs.ModeSymlink != 0:
		target, err := os.Readlink(src)
		if err != nil {
			return fmt.Errorf("read a link: %w", err)
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(src), target)
		}
		if err := os.Remove(dst); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("replace a link: %w", err)
		}
		if err := os.Symlink(target, dst); err != nil {
			return fmt.Errorf("make a link: %w", err)
		}
		return nil
	case !f.mode.IsRegular():
		return nil // sockets and the like hold nothing
	}
	if info, err := os.Lstat(dst); err == nil && info.Size() == f.size && info.ModTime().Equal(f.info.ModTime()) {
		return nil
	}
	return copyFile(ctx, src, dst, f.info)
}

func copyFile(ctx context.Context, src, dst string, info fs.FileInfo) error {
	in, err := os.Open(src)
	if err != nil {
		return fmt.Errorf("read %s: %w", src, err)
	}
	defer func() { _ = in.Close() }() // only read
	out, err := os.OpenFile(dst, os.O_CREATE|os.O_RDWR|os.O_TRUNC, info.Mode().Perm()|0o600)
	if err != nil {
		return fmt.Errorf("write %s: %w", dst, err)
	}
	want := sha256.New()
	_, err = io.Copy(io.MultiWriter(out, want), reader{ctx, in})
	if err == nil {
		err = out.Sync()
	}
	if err == nil {
		_, err = out.Seek(0, io.SeekStart)
	}
	got := sha256.New()
	if err == nil {
		_, err = io.Copy(got, reader{ctx, out})
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return fmt.Errorf("write %s: %w", dst, err)
	}
	if !bytes.Equal(want.Sum(nil), got.Sum(nil)) {
		return fmt.Errorf("write %s: what was read again differs from what was written", dst)
	}
	if err := os.Chtimes(dst, info.ModTime(), info.ModTime()); err != nil {
		return fmt.Errorf("write %s: %w", dst, err)
	}
	return syncDir(filepath.Dir(dst))
}

// reader reads until ctx ends.
type reader struct {
	ctx context.Context // of one copy
	io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// Finish ends a move that was staged, and cleans up after one that was not. Nothing may be open in From, whose lock the
// caller holds. It returns the folder that holds the data now, which is From where there was nothing to do, or where the
// move failed; then the error says why, and From is as it was.
func (m Mover) Finish(ctx context.Context) (home string, err error) {
	raw, err := os.ReadFile(filepath.Join(m.From, planName))
	if errors.Is(err, fs.ErrNotExist) {
		return m.From, nil
	}
	var p plan
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	if err != nil {
		return m.From, fault(errors.Join(fmt.Errorf("read the plan of the move: %w", err), os.Remove(filepath.Join(m.From, planName))))
	}
	if !p.Staged {
		return m.From, m.abandon(p.To)
	}
	if err := m.finish(ctx, p.To); err != nil {
		return m.From, fault(errors.Join(err, m.abandon(p.To)))
	}
	return p.To, nil
}

func (m Mover) finish(ctx context.Context, to string) error {
	if !m.leftover(to) {
		return fmt.Errorf("%s is not there any more, or was changed", to)
	}
	if err := m.copyStatic(ctx, to, func(int64, int64) {}); err != nil {
		return err
	}
	// The database and what its last process had not written back yet belong together.
	for _, name := range []string{database, database + "-wal"} {
		m.step("copy " + name)
		info, err := os.Stat(filepath.Join(m.From, name))
		if errors.Is(err, fs.ErrNotExist) && name != database {
			continue
		}
		if err != nil {
			return fmt.Errorf("read the database: %w", err)
		}
		if err := copyFile(ctx, filepath.Join(m.From, name), filepath.Join(to, name), info); err != nil {
			return err
		}
	}
	m.step("switch")
	err := writePointer(m.Base, pointer{Path: to, Previous: m.From})
	m.step("switched")
	if err != nil {
		if p, e := readPointer(m.Base); e == nil && p.Path == to {
			return nil // it counts, though it may not be durable yet; Opened sees to that before anything is removed
		}
		return err
	}
	return nil
}

// Cancel takes back a move that was staged.
func (m Mover) Cancel() error {
	raw, err := os.ReadFile(filepath.Join(m.From, planName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var p plan
	if err == nil {
		err = json.Unmarshal(raw, &p)
	}
	if err != nil {
		return fault(err)
	}
	return m.abandon(p.To)
}

// abandon takes back a move that has not been switched.
func (m Mover) abandon(to string) error {
	m.step("abandon")
	var err error
	if m.leftover(to) {
		err = removeOwn(to)
	}
	m.step("forget")
	if e := os.Remove(filepath.Join(m.From, planName)); e != nil && !errors.Is(e, fs.ErrNotExist) {
		err = errors.Join(err, e)
	}
	return err
}

// Opened notes that the data was opened well where it is now: from here on a move cannot be reverted. Nothing may have
// been told to anybody before.
func Opened(base string) error {
	p, err := readPointer(base)
	if err != nil || p.Opened {
		return err
	}
	p.Opened = true
	return writePointer(base, p)
}

// Clean removes the files of the folder before, once the new one was opened well.
func Clean(base string) error {
	p, err := readPointer(base)
	if err != nil || p.Previous == "" || !p.Opened {
		return err
	}
	if err := os.Remove(filepath.Join(p.Path, markName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("end the move: %w", err)
	}
	if err := removeOwn(p.Previous); err != nil {
		return err
	}
	if p.Previous != base {
		_ = os.Remove(p.Previous) // what is not the app's stays, and its folder with it
	}
	p.Previous = ""
	return writePointer(base, p)
}

// Revert goes back to the folder before a move whose new folder could not be opened. It reports whether there was one.
func Revert(base string) (bool, error) {
	p, err := readPointer(base)
	if err != nil || p.Previous == "" || p.Opened {
		return false, err
	}
	if err := os.Remove(filepath.Join(p.Previous, planName)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, fmt.Errorf("take the move back: %w", err)
	}
	if err := writePointer(base, pointer{Path: p.Previous, Opened: true}); err != nil {
		return false, err
	}
	m := Mover{Base: base, From: p.Previous}
	if m.leftover(p.Path) {
		_ = removeOwn(p.Path) // a copy that is of no use; what stays is taken for a leftover by the next move
	}
	return true, nil
}
