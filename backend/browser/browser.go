// Package browser opens addresses in the user's browser.
package browser

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"

	"recollect/backend/memory"
)

// failsWithin is how soon a program that cannot open an address says so. One that can may run as long as the browser.
const failsWithin = 2 * time.Second

// Open opens an address in the user's browser. EUNSUPPORTED where there is none, or no display to show it on.
func Open(address string) error {
	const op = "open the browser"
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		return memory.Errorf(memory.EUNSUPPORTED, op, "there is no display here")
	}
	cmd := command(address)
	if err := cmd.Start(); err != nil {
		return memory.Errorf(memory.EUNSUPPORTED, op, "no browser can be opened: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return memory.Errorf(memory.EUNSUPPORTED, op, "no browser can be opened: %w", fmt.Errorf("%s: %w", cmd.Args[0], err))
		}
	case <-time.After(failsWithin):
	}
	return nil
}

// command is the system's way to open an address.
func command(address string) *exec.Cmd {
	switch runtime.GOOS {
	case "darwin":
		return exec.Command("open", address)
	case "windows":
		return exec.Command("rundll32", "url.dll,FileProtocolHandler", address)
	}
	return exec.Command("xdg-open", address)
}
