package engine

import "syscall"

// childAttributes: should the guard be killed, the server is asked to end, which ends its runners too.
func childAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
}
