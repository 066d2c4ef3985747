//go:build desktop && !windows

package main

import "syscall"

// replaceProcess turns this process into another program, so that signals and whoever waits for us reach it.
func replaceProcess(path string, args, env []string) error {
	return syscall.Exec(path, args, env) // our own path and arguments
}
