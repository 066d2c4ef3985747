package datafolder

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/backend/memory"
)

// data is what the app keeps in a data folder, by path.
var data = map[string]string{
	"recollect.db": "the database", "recollect.db-wal": "what is not written back yet",
	"backups/one.db": "a backup", "models/blobs/sha256-1": strings.Repeat("weights", 9999), "models/manifests/x": "{}",
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		path = filepath.Join(dir, path)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
}

// read returns the files below a folder but the move's own.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if rel != pointerName && rel != planName && rel != markName {
			files[rel] = string(text)
		}
		return err
	}))
	return files
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func plenty(string) (int64, error) { return 1 << 40, nil }

// start does what the app does at a start, and returns the folder that it works in.
func start(t *testing.T, base string, at func(string)) string {
	t.Helper()
	home, err := Locate(base)
	must(t, err)
	m := Mover{Base: base, From: home, Free: plenty, at: at}
	home, err = m.Finish(t.Context())
	must(t, err)
	at("open")
	if text, err := os.ReadFile(filepath.Join(home, database)); err != nil || !strings.HasPrefix(string(text), "the database") {
		t.Fatalf("the data cannot be opened in %s: %q, %v", home, text, err)
	}
	must(t, Opened(base))
	at("opened")
	must(t, Clean(base))
	at("cleaned")
	return home
}

// errEnd stands for the end of the process.
var errEnd = errors.New("the process ends here")

// endingAt runs work and ends it at the n-th step, as a crash would: nothing after it runs. It reports whether work
// was ended, and at which step.
func endingAt(n int, work func(at func(string))) (ended bool, last string) {
	defer func() {
		if r := recover(); r != nil {
			if r != errEnd { //nolint:errorlint // it is that very value
				panic(r)
			}
			ended = true
		}
	}()
	work(func(step string) {
		last = step
		if n--; n < 0 {
			panic(errEnd)
		}
	})
	return false, last
}

func TestAMoveTakesEverythingAlong(t *testing.T) {
	base, to := filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "new", "place")
	write(t, base, data)
	others := map[string]string{"localstorage/view": "of the web view", "notes.txt": "of the user"}
	write(t, base, others)
	write(t, base, map[string]string{"lock": "", "instance.json": "{}", "recollect.log": "old", "upload-1.gguf": "half"})
	m := Mover{Base: base, From: base, Free: plenty}
	var last, total int64
	must(t, m.Stage(t.Context(), to, func(d, of int64) { last, total = d, of }))
	if last == 0 || last != total {
		t.Errorf("progress ended at %d of %d", last, total)
	}
	// The app goes on until it ends.
	write(t, base, map[string]string{"recollect.db": "the database, later", "backups/two.db": "another"})
	must(t, os.Remove(filepath.Join(base, "backups/one.db")))

	if home := start(t, base, func(string) {}); home != to {
		t.Fatalf("the data is in %s", home)
	}
	want := maps.Clone(data)
	want["recollect.db"] = "the database, later"
	want["backups/two.db"] = "another"
	delete(want, "backups/one.db")
	if got := read(t, to); !maps.Equal(got, want) {
		t.Errorf("moved: %v", got)
	}
	if got := read(t, base); !maps.Equal(got, others) {
		t.Errorf("left in the old folder: %v", got)
	}
	if home, err := Locate(base); err != nil || home != to {
		t.Errorf("located %s, %v", home, err)
	}

	// On to a third place, and home again.
	third := filepath.Join(t.TempDir(), "third")
	for _, next := range []string{third, base} {
		home, err := Locate(base)
		must(t, err)
		must(t, (Mover{Base: base, From: home, Free: plenty}).Stage(t.Context(), next, func(int64, int64) {}))
		if got := start(t, base, func(string) {}); got != next {
			t.Fatalf("the data is in %s, want %s", got, next)
		}
		if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there: %v", home, read(t, home))
		}
	}
	if _, err := os.Stat(filepath.Join(base, pointerName)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a pointer stays in the base: %v", err)
	}
}

// TestACrashAtAnyStep ends the process at each step of a move, then starts again: the data is whole, in one place, and a
// second move to the same folder works.
func TestACrashAtAnyStep(t *testing.T) {
	for _, back := range []bool{false, true} {
		for n := 0; ; n++ {
			base, to := filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "to")
			from := base
			if back { // the way home
				from, to = to, base
				write(t, from, data)
				must(t, os.MkdirAll(base, 0o700))
				must(t, writePointer(base, pointer{Path: from, Opened: true}))
			} else {
				write(t, base, data)
			}
			ended, step := endingAt(n, func(at func(string)) {
				must(t, (Mover{Base: base, From: from, Free: plenty, at: at}).Stage(t.Context(), to, func(int64, int64) {}))
				start(t, base, at)
			})
			t.Run(fmt.Sprintf("back %v, %d %s", back, n, step), func(t *testing.T) {
				home := start(t, base, func(string) {})
				if got := read(t, home); !maps.Equal(got, data) {
					t.Fatalf("in %s: %v", home, got)
				}
				other := map[string]string{from: to, to: from}[home]
				if got := read(t, other); len(got) > 0 && ended {
					t.Errorf("left in %s: %v", other, got)
				}
				if home == from {
					must(t, (Mover{Base: base, From: from, Free: plenty}).Stage(t.Context(), to, func(int64, int64) {}))
					if home := start(t, base, func(string) {}); home != to || !maps.Equal(read(t, to), data) {
						t.Errorf("the second move leads to %s with %v", home, read(t, to))
					}
				}
			})
			if !ended {
				break
			}
		}
	}
}

func TestANewFolderThatCannotBeOpened(t *testing.T) {
	base, to := filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "to")
	write(t, base, data)
	m := Mover{Base: base, From: base, Free: plenty}
	must(t, m.Stage(t.Context(), to, func(int64, int64) {}))
	home, err := m.Finish(t.Context())
	must(t, err)
	if home != to {
		t.Fatalf("moved to %s", home)
	}
	if back, err := Revert(base); !back || err != nil {
		t.Fatalf("reverted: %v, %v", back, err)
	}
	if home := start(t, base, func(string) {}); home != base || !maps.Equal(read(t, base), data) {
		t.Errorf("after the way back: %s, %v", home, read(t, base))
	}
	// The same where the new folder is gone before it was ever opened.
	must(t, m.Stage(t.Context(), to, func(int64, int64) {}))
	_, err = m.Finish(t.Context())
	must(t, err)
	must(t, os.RemoveAll(to))
	if home := start(t, base, func(string) {}); home != base || !maps.Equal(read(t, base), data) {
		t.Errorf("without the new folder: %s, %v", home, read(t, base))
	}
	// Once it was opened well there is no way back: what was written since would be lost.
	must(t, m.Stage(t.Context(), to, func(int64, int64) {}))
	start(t, base, func(string) {})
	if back, err := Revert(base); back || err != nil {
		t.Errorf("reverted after the first day: %v, %v", back, err)
	}
}

func TestAMoveThatFailsLeavesEverythingAsItWas(t *testing.T) {
	base, to := filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "to")
	write(t, base, data)
	m := Mover{Base: base, From: base, Free: plenty}

	ctx, cancel := context.WithCancel(t.Context())
	err := m.Stage(ctx, to, func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	if home := start(t, base, func(string) {}); home != base || len(read(t, to)) != 0 {
		t.Errorf("after a stop: %s, %v", home, read(t, to))
	}

	must(t, m.Stage(t.Context(), to, func(int64, int64) {}))
	must(t, os.RemoveAll(to)) // the disk was taken out before the next start
	home, err := m.Finish(t.Context())
	if home != base || err == nil {
		t.Errorf("without the disk: %s, %v", home, err)
	}
	if home := start(t, base, func(string) {}); home != base || !maps.Equal(read(t, base), data) {
		t.Errorf("after it: %s", home)
	}
}

func TestWhereDataCannotBeMoved(t *testing.T) {
	base := filepath.Join(t.TempDir(), "base")
	write(t, base, data)
	full := t.TempDir()
	write(t, full, map[string]string{"something": "of the user"})
	file := filepath.Join(full, "something")
	link := filepath.Join(t.TempDir(), "link")
	must(t, os.Symlink(base, link))
	tight := func(string) (int64, error) { return 100, nil }
	for name, c := range map[string]struct {
		to   string
		free func(string) (int64, error)
		want memory.Code
	}{
		"the same folder":             {base, plenty, memory.EINVALID},
		"inside itself":               {filepath.Join(base, "models", "x"), plenty, memory.EINVALID},
		"inside itself by a link":     {filepath.Join(link, "x"), plenty, memory.EINVALID},
		"around it":                   {filepath.Dir(base), plenty, memory.EINVALID},
		"not empty":                   {full, plenty, memory.EINVALID},
		"a file":                      {file, plenty, memory.EINVALID},
		"below a file":                {filepath.Join(file, "x"), plenty, memory.EINVALID},
		"too little space":            {filepath.Join(t.TempDir(), "x"), tight, memory.EDISKFULL},
		"a new folder":                {filepath.Join(t.TempDir(), "a", "b"), plenty, ""},
		"an empty folder":             {t.TempDir(), plenty, ""},
		"a folder beside, like it":    {base + "2", plenty, ""},
		"where nobody knows how full": {t.TempDir(), func(string) (int64, error) { return 0, errors.New("unknown") }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := (Mover{Base: base, From: base, Free: c.free}).Check(c.to)
			if got := memory.CodeOf(err); got != c.want {
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
	if os.Getuid() != 0 { // root may write anywhere
		closed := t.TempDir()
		must(t, os.Chmod(closed, 0o500))
		if err := (Mover{Base: base, From: base, Free: plenty}).Check(filepath.Join(closed, "x")); memory.CodeOf(err) != memory.EREADONLY {
			t.Errorf("a folder that cannot be written: %v", err)
		}
	}
}

func TestDataThatIsNotThereNow(t *testing.T) {
	base, to := filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "to")
	write(t, base, data)
	must(t, (Mover{Base: base, From: base, Free: plenty}).Stage(t.Context(), to, func(int64, int64) {}))
	start(t, base, func(string) {})
	must(t, os.Rename(to, to+".away"))
	if _, err := Locate(base); memory.CodeOf(err) != memory.EINVALID || !strings.Contains(err.Error(), to) {
		t.Errorf("a disk that is not connected: %v", err)
	}
	must(t, os.Rename(to+".away", to))
	if home, err := Locate(base); home != to || err != nil {
		t.Errorf("connected again: %s, %v", home, err)
	}
	must(t, os.WriteFile(filepath.Join(base, pointerName), []byte("{"), 0o600))
	if _, err := Locate(base); memory.CodeOf(err) != memory.ECORRUPT {
		t.Errorf("a damaged pointer: %v", err)
	}
	if home, err := Locate(filepath.Join(base, "nothing here")); err != nil || home != filepath.Join(base, "nothing here") {
		t.Errorf("a base without data: %s, %v", home, err)
	}
}

func TestSize(t *testing.T) {
	base := t.TempDir()
	write(t, base, data)
	write(t, base, map[string]string{"notes.txt": "of the user"})
	var want int64
	for _, text := range data {
		want += int64(len(text))
	}
	if got, err := Size(base); got != want || err != nil {
		t.Errorf("%d bytes, want %d; %v", got, want, err)
	}
	if got, err := Size(filepath.Join(base, "nothing")); got != 0 || err != nil {
		t.Errorf("nothing: %d, %v", got, err)
	}
}

// TestALinkedFolder moves models that lie on another disk, behind a symbolic link: the link moves, the models stay.
func TestALinkedFolder(t *testing.T) {
	base, to, disk := filepath.Join(t.TempDir(), "base"), filepath.Join(t.TempDir(), "to"), t.TempDir()
	write(t, base, map[string]string{"recollect.db": "the database"})
	write(t, disk, map[string]string{"blob": "weights"})
	must(t, os.Symlink(disk, filepath.Join(base, "models")))
	must(t, (Mover{Base: base, From: base, Free: plenty}).Stage(t.Context(), to, func(int64, int64) {}))
	start(t, base, func(string) {})
	if target, err := os.Readlink(filepath.Join(to, "models")); err != nil || target != disk {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	if got := read(t, disk); got["blob"] != "weights" {
		t.Errorf("the other disk: %v", got)
	}
}
