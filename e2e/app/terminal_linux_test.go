package app

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"recollect/backend/engine/enginetest"
)

// How far a slow step is, is drawn on a terminal; a file or a pipe gets the answer alone.
func TestProgressIsForATerminal(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{PromptSpeed: 400})
	question := strings.Repeat("a long question of many words ", 200) + "[[say Done.]]"
	chat := func(stderr *os.File) (string, string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), program, "chat", "--home", t.TempDir(), question) // built by us
		cmd.Env = environment(t, []string{env})
		var out, errs bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &errs
		if stderr != nil {
			cmd.Stderr = stderr
		}
		must(t, cmd.Run())
		return out.String(), errs.String()
	}
	out, errs := chat(nil)
	if !strings.Contains(out, "Done.") || strings.ContainsAny(out+errs, "\r\033") {
		t.Errorf("to pipes it wrote %q and %q", out, errs)
	}

	screen, terminal := openTerminal(t)
	var shown bytes.Buffer
	read := make(chan struct{})
	go func() {
		_, _ = io.Copy(&shown, screen) // ends with an error where the terminal is closed
		close(read)
	}()
	out, _ = chat(terminal)
	must(t, terminal.Close())
	<-read
	if !strings.Contains(shown.String(), "\r\033[Kread ") || strings.ContainsAny(out, "\r\033") {
		t.Errorf("the terminal showed %q and the answer is %q", &shown, out)
	}
}

// openTerminal returns the two ends of a terminal: what shows it and what a program writes to.
func openTerminal(t *testing.T) (screen, terminal *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	t.Cleanup(func() { _ = screen.Close() })
	must(t, unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0))
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	must(t, err)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	must(t, err)
	t.Cleanup(func() { _ = terminal.Close() })
	return screen, terminal
}
