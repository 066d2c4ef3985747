//go:build unix

package engine

import (
	"os"
	"syscall"
)

// group is the process group that the guard leads.
type group struct{}

// newGroup makes the guard the leader of its group, unless the app has done so already.
func newGroup() (group, error) {
	if syscall.Getpgrp() == os.Getpid() {
		return group{}, nil
	}
	return group{}, syscall.Setpgid(0, 0)
}

// kill ends every process of the group, the guard itself among them.
func (group) kill() { _ = syscall.Kill(0, syscall.SIGKILL) }

// guardAttributes put the guard into a session of its own: keys typed at the app's terminal do not reach it.
func guardAttributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// terminate asks a process to end.
func terminate(p *os.Process) { _ = p.Signal(syscall.SIGTERM) }

// killGuarded ends a guard's whole group, also when the guard itself has been killed: the number of a group is not given
// out again while the group has members.
func killGuarded(guard *os.Process) { _ = syscall.Kill(-guard.Pid, syscall.SIGKILL) }
