package enginetest

import (
	"context"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
)

// EngineVariable names the environment variable with the path of an ollama binary. "make test" sets it; where it is
// empty, tests that need a real engine are skipped.
const EngineVariable = "RECOLLECT_TEST_ENGINE"

// Binary returns the path of a real ollama: the one that the environment names (EngineVariable),
// else the one built into bin/engine of this repository, else the one in PATH. The test is skipped where there is none;
// "make test" provides one.
func Binary(t testing.TB) string {
	t.Helper()
	if path := os.Getenv(EngineVariable); path != "" {
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

// StartEngine starts a real Ollama with an empty model folder on a free loopback port and stops it when the test ends.
// It returns the address as host:port. The test is skipped where EngineVariable is not set.
func StartEngine(tb testing.TB, env ...string) string {
	tb.Helper()
	binary := os.Getenv(EngineVariable)
	if binary == "" {
		tb.Skip("needs a real engine: set " + EngineVariable + " to an ollama binary, or run make test")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	address := listener.Addr().String()
	if err := listener.Close(); err != nil {
		tb.Fatal(err)
	}
	dir := tb.TempDir()
	log, err := os.Create(filepath.Join(dir, "engine.log"))
	if err != nil {
		tb.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	server := exec.CommandContext(ctx, binary, "serve")
	server.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "OLLAMA_HOST=" + address, "OLLAMA_MODELS=" + filepath.Join(dir, "models"),
		"OLLAMA_NO_CLOUD=1", "OLLAMA_NOPRUNE=1",
	}, env...)
	server.Stdout, server.Stderr = log, log
	server.Cancel = func() error { return server.Process.Signal(os.Interrupt) }
	server.WaitDelay = 10 * time.Second
	if err := server.Start(); err != nil {
		stop()
		tb.Fatal(err)
	}
	exited := make(chan struct{})
	go func() {
		_ = server.Wait()
		close(exited)
	}()
	tb.Cleanup(func() {
		stop()
		<-exited
		_ = log.Close()
		if tb.Failed() {
			if b, err := os.ReadFile(log.Name()); err == nil {
				tb.Logf("engine log, last part:\n%s", b[max(0, len(b)-4000):])
			}
		}
	})

	client := api.NewClient(&url.URL{Scheme: "http", Host: address}, &http.Client{Transport: &http.Transport{}})
	deadline := time.After(30 * time.Second)
	for client.Heartbeat(ctx) != nil {
		select {
		case <-exited:
			tb.Fatal("the engine ended at once")
		case <-deadline:
			tb.Fatal("the engine does not answer")
		case <-time.After(20 * time.Millisecond):
		}
	}
	return address
}
