//go:build linux

package app

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"recollect/backend/api"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// While nothing can be written, whatever is asked ends in an error that says so; what was there stays, reading works, and
// everything works again once there is room.
func TestFullDisk(t *testing.T) {
	home := t.TempDir()
	var fill, free func(p *process)
	if err := unix.Mount("tmpfs", home, "tmpfs", 0, "size=8m,mode=0700"); err == nil {
		t.Cleanup(func() { _ = unix.Unmount(home, unix.MNT_DETACH) })
		ballast := filepath.Join(home, "ballast")
		fill = func(*process) {
			f, err := os.Create(ballast) // of the test
			must(t, err)
			defer func() { _ = f.Close() }()
			for chunk := make([]byte, 4096); err == nil; {
				_, err = f.Write(chunk)
			}
		}
		free = func(*process) { must(t, os.Remove(ballast)) }
	} else { // not root: no file may grow, which the system tells in other words
		limit := func(p *process, bytes uint64) {
			must(t, unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil))
		}
		fill = func(p *process) { limit(p, 4096) }
		free = func(p *process) { limit(p, unix.RLIM_INFINITY) }
	}
	diskFull(t, home, fill, free)
}

// The same where files may not grow (a quota, ulimit -f).
func TestFilesMayNotGrow(t *testing.T) {
	limit := func(p *process, bytes uint64) {
		must(t, unix.Prlimit(p.cmd.Process.Pid, unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: bytes, Max: unix.RLIM_INFINITY}, nil))
	}
	diskFull(t, t.TempDir(), func(p *process) { limit(p, 4096) }, func(p *process) { limit(p, unix.RLIM_INFINITY) })
}

func diskFull(t *testing.T, home string, fill, free func(*process)) {
	t.Helper()
	_, env := fake(t, enginetest.Options{ChunkDelay: 10 * time.Millisecond})
	p := serve(t, home, env)
	c := p.conversation()
	before, _ := p.ask(c, "[[say Before.]]")
	human := p.block("human")
	under := p.send(p.conversation(), "[[long 60]]")
	p.begun(under)

	fill(p)
	big := strings.Repeat("Text that takes room. ", 3000)
	full := func(what string, err error) {
		t.Helper()
		if memory.CodeOf(err) != memory.EDISKFULL {
			t.Errorf("%s on a full disk: %v (%s)", what, err, memory.CodeOf(err))
		}
	}
	full("a message", p.call("POST", "/api/conversations/"+c+"/messages", api.MessageCreate{Content: big}, nil))
	full("a block", p.call("PATCH", "/api/blocks/"+human.ID, map[string]any{"limit": 100_000, "value": big}, nil))
	full("a passage", p.call("POST", "/api/passages", api.PassageCreate{AgentID: p.agent.ID, Text: big}, nil))
	full("a backup", p.call("POST", "/api/backup", nil, nil))
	if m := p.messages(c); len(m) != 2 || m[0].Content != before.Content || m[1].Content != "Before." {
		t.Errorf("reading on a full disk gives %+v", m)
	}
	if b := p.block("human"); b.Version != human.Version {
		t.Errorf("the block is at %d", b.Version)
	}

	free(p)
	if answer := p.answer(under); answer.Content == "" {
		t.Errorf("of the answer under way nothing is left: %+v", answer)
	}
	if _, answer := p.ask(c, "[[say After.]]"); answer.Content != "After." {
		t.Errorf("with room again: %+v %+v", answer, answer.Problem)
	}
	var made api.Backup
	p.post("/api/backup", nil, &made)
	p.stop()
	verifyFile(t, home)
	left, err := filepath.Glob(filepath.Join(home, "backups", "*"))
	must(t, err)
	if len(left) != 1 {
		t.Errorf("the failed backup left something: %v", left)
	}
}

// A data folder that cannot be written is named, with a way out, and nothing in it changes.
func TestReadOnlyFolder(t *testing.T) {
	_, env := fake(t, enginetest.Options{})
	home, err := os.MkdirTemp("", "recollect-e2e-home-*") // another user must be able to reach it
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	p := serve(t, home, env)
	p.ask(p.conversation(), "Hello")
	p.stop()
	must(t, os.Chmod(home, 0o555)) // that is the point
	t.Cleanup(func() { _ = os.Chmod(home, 0o700) })
	for path, commands := range map[string][][]string{
		home:                       {{"serve"}, {"chat", "Hello"}, {"backup"}},
		filepath.Join(home, "new"): {{"serve"}, {"chat", "Hello"}}, // where there is nothing to back up
	} {
		for _, args := range commands {
			out, errs, exit := runAs(t, nobody(), path, []string{env}, args...)
			if exit != 1 || !strings.Contains(errs, "cannot be written") || !strings.Contains(errs, path) || !strings.Contains(errs, "--home") {
				t.Errorf("%v in %s ended with %d: %s%s", args, path, exit, out, errs)
			}
		}
		out, _, exit := runAs(t, nobody(), path, []string{env}, "doctor")
		if exit != 1 || !strings.Contains(out, "cannot be written") || !strings.Contains(out, "chmod") {
			t.Errorf("doctor in %s ended with %d:\n%s", path, exit, out)
		}
	}
	must(t, os.Chmod(home, 0o700)) // a folder
	if _, answer := func() (memory.Message, memory.Message) {
		p := serve(t, home, env)
		return p.ask(p.conversation(), "[[say Back.]]")
	}(); answer.Content != "Back." {
		t.Errorf("writable again: %+v", answer)
	}
}

// nobody is who runs the program where the tests run as root, who may write everywhere.
func nobody() *syscall.SysProcAttr {
	if os.Getuid() != 0 {
		return nil
	}
	const id = 65534
	return &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id}}
}
