package scripted

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"

	"github.com/ollama/ollama/api"
)

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
