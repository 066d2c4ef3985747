package enginetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"
)

// Registry is a model registry on loopback, as Ollama pulls from: manifests, and blobs that may be had in ranges. Models
// are named after its address: "127.0.0.1:PORT/library/tiny:latest".
type Registry struct {
	srv *httptest.Server

	mu        sync.Mutex
	blobs     map[string][]byte
	manifests map[string][]byte // "library/tiny/latest" → JSON
	requests  []string          // "GET path range"
	delay     time.Duration     // before each 64 KB
	broken    int               // so many requests for a range still break off half-way
}

// NewRegistry starts a registry that ends with the test.
func NewRegistry(t testing.TB) *Registry {
	t.Helper()
	r := &Registry{blobs: map[string][]byte{}, manifests: map[string][]byte{}}
	r.srv = httptest.NewServer(r)
	t.Cleanup(r.srv.Close)
	return r
}

// Add publishes the GGUF file under a name such as "library/tiny" and returns the whole name for a pull. template may be "".
func (r *Registry) Add(t testing.TB, name, gguf, template string) string {
	t.Helper()
	data, err := os.ReadFile(gguf) // a file of the test
	if err != nil {
		t.Fatal(err)
	}
	type layer struct {
		MediaType string `json:"mediaType"`
		Digest    string `json:"digest"`
		Size      int    `json:"size"`
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	blob := func(kind string, b []byte) layer {
		digest := fmt.Sprintf("sha256:%x", sha256.Sum256(b))
		r.blobs[digest] = b
		return layer{kind, digest, len(b)}
	}
	config, err := json.Marshal(map[string]any{"model_format": "gguf", "model_family": "llama", "model_families": []string{"llama"}, "model_type": "1M", "file_type": "F32"})
	if err != nil {
		t.Fatal(err)
	}
	layers := []layer{blob("application/vnd.ollama.image.model", data)}
	if template != "" {
		layers = append(layers, blob("application/vnd.ollama.image.template", []byte(template)))
	}
	manifest, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": "application/vnd.docker.distribution.manifest.v2+json",
		"config": blob("application/vnd.docker.container.image.v1+json", config), "layers": layers,
	})
	if err != nil {
		t.Fatal(err)
	}
	r.manifests[name+"/latest"] = manifest
	return strings.TrimPrefix(r.srv.URL, "http://") + "/" + name + ":latest"
}

// Slow makes every 64 KB of a download wait that long.
func (r *Registry) Slow(d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.delay = d
}

// Break makes the next n downloads of a range break off half-way.
func (r *Registry) Break(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = n
}

// Requests returns what was asked for, as "METHOD PATH RANGE".
func (r *Registry) Requests() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]string(nil), r.requests...)
}

// ServeHTTP answers Ollama.
func (r *Registry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.requests = append(r.requests, req.Method+" "+req.URL.Path+" "+req.Header.Get("Range"))
	delay := r.delay
	breaks := req.Header.Get("Range") != "" && r.broken > 0
	if breaks {
		r.broken--
	}
	r.mu.Unlock()
	path := strings.TrimPrefix(req.URL.Path, "/v2/")
	if name, tag, ok := strings.Cut(path, "/manifests/"); ok {
		r.mu.Lock()
		m, ok := r.manifests[name+"/"+tag]
		r.mu.Unlock()
		if !ok {
			http.NotFound(w, req)
			return
		}
		w.Header().Set("Content-Type", "application/vnd.docker.distribution.manifest.v2+json")
		w.Write(m) //nolint:errcheck // the client is gone
		return
	}
	digest := path[strings.LastIndexByte(path, '/')+1:]
	r.mu.Lock()
	data, ok := r.blobs[digest]
	r.mu.Unlock()
	if !ok {
		http.NotFound(w, req)
		return
	}
	if req.Method == http.MethodGet && req.Header.Get("Range") == "" {
		// As the public registries do: the file itself lies on another host, which Ollama insists on.
		_, port, err := net.SplitHostPort(req.Host)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		http.Redirect(w, req, "http://localhost:"+port+"/files/"+digest, http.StatusTemporaryRedirect)
		return
	}
	body := &slowReader{ReadSeeker: bytes.NewReader(data), delay: delay, stop: req.Context().Done()}
	if breaks {
		body.breakAt = len(data) / 2
	}
	http.ServeContent(w, req, "", time.Time{}, body)
}

// slowReader reads in small pieces with pauses, and may break.
type slowReader struct {
	io.ReadSeeker
	delay   time.Duration
	stop    <-chan struct{}
	breakAt int
	read    int
}

func (s *slowReader) Read(b []byte) (int, error) {
	if s.delay > 0 {
		select {
		case <-time.After(s.delay):
		case <-s.stop:
			return 0, io.ErrClosedPipe
		}
	}
	if s.breakAt > 0 && s.read >= s.breakAt {
		return 0, io.ErrUnexpectedEOF
	}
	n, err := s.ReadSeeker.Read(b[:min(len(b), 64<<10)])
	s.read += n
	return n, err
}
