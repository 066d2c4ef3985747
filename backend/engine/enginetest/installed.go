package enginetest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// Installed returns a folder for the PATH in which the test binary is an installed Ollama: started as `ollama serve` it is a
// Fake at OLLAMA_HOST. TestMain must begin with ServeInstalled.
func Installed(t testing.TB) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(self, filepath.Join(dir, "ollama")); err != nil {
		t.Skip("no links here:", err)
	}
	return dir
}

// ServeInstalled is the Ollama of Installed, until it is ended, where the process was started as that; else it does nothing.
func ServeInstalled() {
	if len(os.Args) != 2 || os.Args[1] != "serve" {
		return
	}
	f, err := Start(os.Getenv("OLLAMA_HOST"), Options{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	f.OnChat(Directives)
	select {}
}
