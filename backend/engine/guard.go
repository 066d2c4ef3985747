package engine

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"syscall"
	"time"
)

// GuardCommand is the hidden subcommand that runs RunGuard.
const GuardCommand = "engine-guard"

// stopGrace is how long an engine may take to end after it was asked to.
const stopGrace = 5 * time.Second

// RunGuard is the hidden subcommand GuardCommand: it runs the command in args and ends it, with all that it started, as
// soon as its own standard input closes. The app holds the other end of that pipe, so the engine and its runners end with
// the app however the app dies. It returns the exit code.
//
// Why a process of its own: the kernel tells only a direct child of its parent's death, and Ollama's runners are
// grandchildren that outlive a killed server. The guard leads a process group (on Windows: a job) which holds them all.
func RunGuard(args []string) int {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, "usage: "+GuardCommand+" COMMAND [ARG...]")
		return 2
	}
	runtime.LockOSThread() // the parent-death signal of the child is tied to the thread that starts it
	group, err := newGroup()
	if err != nil {
		fmt.Fprintln(os.Stderr, "engine guard:", err)
		return 1
	}
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)

	cmd := exec.Command(args[0], args[1:]...) // the app chose it
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = childAttributes()
	if err := cmd.Start(); err != nil {
		fmt.Fprintln(os.Stderr, "engine guard:", err)
		return 1
	}
	exited := make(chan int, 1)
	go func() {
		_ = cmd.Wait() // the exit code says it all
		exited <- cmd.ProcessState.ExitCode()
	}()
	orphaned := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // ends when the app closes the pipe or dies
		close(orphaned)
	}()

	var code int
	select {
	case code = <-exited:
	case <-stop:
		code = endChild(cmd, exited)
	case <-orphaned:
		code = endChild(cmd, exited)
	}
	group.kill() // runners that outlived the server; where the guard itself is in the group, nothing below runs
	return code
}

// endChild asks the child to end and insists after a while.
func endChild(cmd *exec.Cmd, exited <-chan int) int {
	terminate(cmd.Process)
	select {
	case code := <-exited:
		return code
	case <-time.After(stopGrace):
		_ = cmd.Process.Kill()
		return <-exited
	}
}
