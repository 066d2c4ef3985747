package scripted

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
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

	client := clientFor(address)
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

// Install writes the model of the architecture and creates it under the name in the engine at address (host:port), with
// its template and temperature 0.
func Install(ctx context.Context, address, name, arch string, extra ...Script) error {
	dir, err := os.MkdirTemp("", "scripted")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, arch+".gguf")
	if err := Write(path, arch, extra...); err != nil {
		return err
	}
	file, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	digest := fmt.Sprintf("sha256:%x", sha256.Sum256(file))
	blob, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = blob.Close() }()
	client := clientFor(address)
	if err := client.CreateBlob(ctx, digest, blob); err != nil {
		return fmt.Errorf("scripted: upload %s: %w", arch, err)
	}
	request := &api.CreateRequest{Model: name, Files: map[string]string{arch + ".gguf": digest}, Template: Template(arch, extra...)}
	if arch != Bert { // one thread: threads wait for each other actively, and so small a model gains nothing from two
		request.Parameters = map[string]any{"temperature": 0, "num_thread": 1}
	}
	done := false
	err = client.Create(ctx, request, func(p api.ProgressResponse) error {
		done = p.Status == "success"
		return nil
	})
	if err == nil && !done {
		err = errors.New("the engine stopped half-way")
	}
	if err != nil {
		return fmt.Errorf("scripted: create %s: %w", name, err)
	}
	return nil
}

// clientFor makes a client that no proxy variable can lead astray.
func clientFor(address string) *api.Client {
	return api.NewClient(&url.URL{Scheme: "http", Host: address}, &http.Client{Transport: &http.Transport{}})
}
