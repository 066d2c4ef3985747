//go:build desktop

package main

import (
	"os"
	"os/exec"
)

// replaceProcess runs another program and returns when it has ended: a process cannot be replaced here.
func replaceProcess(path string, args, env []string) error {
	cmd := exec.Command(path, args[1:]...) // our own path and arguments
	cmd.Env = env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	return cmd.Run()
}
