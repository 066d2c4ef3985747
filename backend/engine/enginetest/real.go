package enginetest

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"recollect/backend/engine/enginetest/scripted"
)

// Binary returns the path of a real ollama: the one that the environment names (scripted.EngineVariable),
// else the one built into bin/engine of this repository, else the one in PATH. The test is skipped where there is none;
// "make test" provides one.
func Binary(t testing.TB) string {
	t.Helper()
	if path := os.Getenv(scripted.EngineVariable); path != "" {
		return path
	}
	if dir, err := os.Getwd(); err == nil {
		for parent := filepath.Dir(dir); parent != dir; dir, parent = parent, filepath.Dir(parent) {
			path := filepath.Join(dir, "bin", "engine", "ollama")
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
				return path
			}
		}
	}
	if path, err := exec.LookPath("ollama"); err == nil {
		return path
	}
	t.Skip("needs a real engine; make test provides one")
	return ""
}

// Real starts a real Ollama with the scripted models llama, qwen3, gemma3 and bert, and returns its address as host:port.
// It ends with the test, which is skipped where there is no engine.
func Real(t testing.TB, env ...string) string {
	t.Helper()
	t.Setenv(scripted.EngineVariable, Binary(t))
	address := scripted.StartEngine(t, env...)
	for _, arch := range []string{scripted.Llama, scripted.Qwen3, scripted.Gemma3, scripted.Bert} {
		if err := scripted.Install(t.Context(), address, arch, arch); err != nil {
			t.Fatal(err)
		}
	}
	return address
}
