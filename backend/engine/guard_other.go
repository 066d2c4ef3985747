//go:build !linux

package engine

import "syscall"

// childAttributes are the ordinary ones: only Linux tells a child of its parent's death.
func childAttributes() *syscall.SysProcAttr { return nil }
