package enginetest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// Names of the models of a Fake with default options.
const (
	Chat     = "recollect/smollm2-135m:latest"          // completion only, window 8,192
	Tools    = "helper:latest"                          // completion and tools, window 32,768
	Thinker  = "thinker:latest"                         // completion, tools and thinking, window 32,768
	Embedder = "recollect/multilingual-e5-small:latest" // 384 dimensions
)

// Options configure a Fake.
type Options struct {
	Models      []Model       // nil = DefaultModels()
	Version     string        // "" = "0.17.4"
	Slots       int           // prompt caches a model; 0 = 1
	PromptSpeed float64       // tokens of a prompt read in a second; 0 = at once
	ChunkDelay  time.Duration // between the chunks of an answer
	PullDelay   time.Duration // between the steps of a download
}

// Model is a model that the Fake claims to have.
type Model struct {
	Name         string
	Arch         string             // "" = "llama", "bert" where it embeds
	Capabilities []model.Capability // nil = completion
	Context      int                // trained window; 0 = 8,192
	MaxWindow    int                // loading with a larger window fails for want of memory; 0 = never
	Serves       int                // a larger window is not served, without a word; 0 = any is
	Dimension    int                // 0 = 384
	Bytes        int64              // 0 = 1,000,000
	Template     string             // "" = ChatML
	Parameters   string             // as show prints those of the Modelfile: "num_predict 20"
	Parser       string             // builtin parser named in the Modelfile
	RemoteHost   string             // set for a cloud model
	Info         map[string]any     // added to model_info
	Vocabulary   map[string]any     // added to model_info by show with verbose
}

// DefaultModels returns the models Chat, Tools, Thinker and Embedder.
func DefaultModels() []Model {
	return []Model{
		{Name: Chat, Bytes: 98_000_000},
		{Name: Tools, Arch: "qwen2", Context: 32768, Capabilities: []model.Capability{model.CapabilityCompletion, model.CapabilityTools}},
		{Name: Thinker, Arch: "qwen3", Context: 32768, Capabilities: []model.Capability{model.CapabilityCompletion, model.CapabilityTools, model.CapabilityThinking}},
		{Name: Embedder, Arch: "bert", Context: 512, Bytes: 74_000_000, Capabilities: []model.Capability{model.CapabilityEmbedding}},
	}
}

// Request is one request that the Fake received.
type Request struct {
	Path  string
	Body  []byte
	Chat  *api.ChatRequest  // of /api/chat
	Embed *api.EmbedRequest // of /api/embed
	Stage bool              // a chat request that only reads or loads: no messages, or num_predict 1
	At    time.Time
}

// Fake is an Ollama that runs in this process. Its methods may be called from any goroutine.
type Fake struct {
	o    Options
	addr string

	mu       sync.Mutex
	changed  chan struct{} // closed and replaced whenever requests or models change
	srv      *http.Server
	stopped  chan struct{} // closed by Stop
	models   []Model
	loaded   map[string]int // model → num_ctx
	slots    map[string]*slots
	blobs    map[string]int64
	partial  map[string]int64 // model → bytes of an unfinished download
	requests []Request
	onChat   func(api.ChatRequest) Reply
	onEmbed  func(api.EmbedRequest) EmbedReply
	onPull   func(name string) []api.ProgressResponse
	onLoad   func(name string)
}

// New starts a Fake that stops when the test ends.
func New(t testing.TB, o Options) *Fake {
	t.Helper()
	f, err := Start("127.0.0.1:0", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.Stop)
	return f
}

// Start starts a Fake at an address such as "127.0.0.1:11434"; port 0 takes a free one.
func Start(addr string, o Options) (*Fake, error) {
	if o.Models == nil {
		o.Models = DefaultModels()
	}
	if o.Version == "" {
		o.Version = "0.17.4"
	}
	o.Slots = max(o.Slots, 1)
	f := &Fake{
		o: o, addr: addr, models: slices.Clone(o.Models), changed: make(chan struct{}),
		blobs: map[string]int64{}, partial: map[string]int64{}, onChat: Echo,
		onEmbed: func(api.EmbedRequest) EmbedReply { return EmbedReply{} },
	}
	return f, f.Restart()
}

// Restart starts the server again at the same address after Stop, with nothing loaded.
func (f *Fake) Restart() error {
	l, err := net.Listen("tcp", f.addr)
	if err != nil {
		return fmt.Errorf("start fake engine: %w", err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.addr = l.Addr().String()
	f.stopped = make(chan struct{})
	f.loaded, f.slots = map[string]int{}, map[string]*slots{}
	f.srv = &http.Server{Handler: f.handler(), ReadHeaderTimeout: time.Minute}
	go f.srv.Serve(l) //nolint:errcheck // ends with Stop
	return nil
}

// Stop ends the server and breaks every connection, as a killed engine does. The address stays the Fake's for Restart.
func (f *Fake) Stop() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.srv == nil {
		return
	}
	close(f.stopped)
	f.srv.Close() //nolint:errcheck // nothing to do about it
	f.srv = nil
}

// URL returns the base URL, e.g. "http://127.0.0.1:40123".
func (f *Fake) URL() string { return "http://" + f.Addr() }

// Addr returns host and port.
func (f *Fake) Addr() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.addr
}

// OnChat sets the script: fn is called for each chat request that asks for an answer, not for stages and loads.
func (f *Fake) OnChat(fn func(api.ChatRequest) Reply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onChat = fn
}

// OnEmbed sets the faults of embedding requests.
func (f *Fake) OnEmbed(fn func(api.EmbedRequest) EmbedReply) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onEmbed = fn
}

// OnLoad sets what is called while a chat model is brought into memory; the request waits until it returns.
func (f *Fake) OnLoad(fn func(name string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onLoad = fn
}

// OnPull sets the lines that a download of the named model sends; nil lines mean the ordinary download.
func (f *Fake) OnPull(fn func(name string) []api.ProgressResponse) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.onPull = fn
}

// Requests returns all requests so far, those of the health check left out.
func (f *Fake) Requests() []Request {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.requests)
}

// Chats returns the chat requests that asked for an answer.
func (f *Fake) Chats() []api.ChatRequest {
	var out []api.ChatRequest
	for _, r := range f.Requests() {
		if r.Chat != nil && !r.Stage {
			out = append(out, *r.Chat)
		}
	}
	return out
}

// Stages returns the chat requests that only read a part of a prompt.
func (f *Fake) Stages() []api.ChatRequest {
	var out []api.ChatRequest
	for _, r := range f.Requests() {
		if r.Chat != nil && r.Stage && len(r.Chat.Messages) > 0 {
			out = append(out, *r.Chat)
		}
	}
	return out
}

// Await waits until the requests so far satisfy ok, and fails the test after a minute.
func (f *Fake) Await(t testing.TB, what string, ok func([]Request) bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	for {
		f.mu.Lock()
		changed, done := f.changed, ok(f.requests)
		f.mu.Unlock()
		if done {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			t.Fatalf("the fake engine waited in vain for %s", what)
		}
	}
}

// AwaitChats waits until n chat requests that ask for an answer have arrived.
func (f *Fake) AwaitChats(t testing.TB, n int) {
	t.Helper()
	f.Await(t, fmt.Sprintf("%d chat requests", n), func(rs []Request) bool {
		k := 0
		for _, r := range rs {
			if r.Chat != nil && !r.Stage {
				k++
			}
		}
		return k >= n
	})
}

// AddModel installs a model, or replaces the one of that name.
func (f *Fake) AddModel(m Model) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.models = append(slices.DeleteFunc(f.models, func(x Model) bool { return fullName(x.Name) == fullName(m.Name) }), m)
}

// RemoveModel deletes a model behind the app's back.
func (f *Fake) RemoveModel(name string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.models = slices.DeleteFunc(f.models, func(x Model) bool { return fullName(x.Name) == fullName(name) })
	delete(f.loaded, fullName(name))
}

// Loaded returns the names of the models in memory, with their windows.
func (f *Fake) Loaded() map[string]int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.loaded)
}

// LastUser returns the content of the last user message.
func LastUser(r api.ChatRequest) string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == "user" {
			return m.Content
		}
	}
	return ""
}

func (f *Fake) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "Ollama is running") }) //nolint:errcheck
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { reply(w, 200, map[string]string{"version": f.o.Version}) })
	mux.HandleFunc("GET /api/tags", f.tags)
	mux.HandleFunc("GET /api/ps", f.ps)
	mux.HandleFunc("POST /api/show", f.show)
	mux.HandleFunc("POST /api/chat", f.chat)
	mux.HandleFunc("POST /api/generate", f.generate)
	mux.HandleFunc("POST /api/embed", f.embed)
	mux.HandleFunc("POST /api/pull", f.pull)
	mux.HandleFunc("POST /api/create", f.create)
	mux.HandleFunc("POST /api/blobs/{digest}", f.putBlob)
	mux.HandleFunc("HEAD /api/blobs/{digest}", f.headBlob)
	mux.HandleFunc("DELETE /api/delete", f.deleteModel)
	return mux
}

// record notes a request and wakes Await.
func (f *Fake) record(r Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r.At = time.Now()
	f.requests = append(f.requests, r)
	close(f.changed)
	f.changed = make(chan struct{})
}

// read decodes a request's body into v and records it.
func (f *Fake) read(w http.ResponseWriter, r *http.Request, v any) ([]byte, bool) {
	body, err := io.ReadAll(r.Body)
	if err == nil {
		err = json.Unmarshal(body, v)
	}
	if err != nil {
		fail(w, 400, err.Error())
		return nil, false
	}
	return body, true
}

func (f *Fake) find(name string) (Model, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.models {
		if fullName(m.Name) == fullName(name) {
			return m, true
		}
	}
	return Model{}, false
}

// fullName adds the tag that Ollama takes for granted.
func fullName(s string) string {
	s = strings.ToLower(s)
	if !strings.Contains(s[strings.LastIndexByte(s, '/')+1:], ":") {
		s += ":latest"
	}
	return s
}

func (m Model) arch() string {
	switch {
	case m.Arch != "":
		return m.Arch
	case m.can(model.CapabilityEmbedding):
		return "bert"
	}
	return "llama"
}

func (m Model) can(c model.Capability) bool { return slices.Contains(m.capabilities(), c) }

func (m Model) capabilities() []model.Capability {
	if m.Capabilities == nil {
		return []model.Capability{model.CapabilityCompletion}
	}
	return m.Capabilities
}

func (m Model) context() int {
	if m.Context == 0 {
		return 8192
	}
	return m.Context
}

func (m Model) dimension() int {
	if m.Dimension == 0 {
		return 384
	}
	return m.Dimension
}

func (m Model) digest() string {
	h := sha256.Sum256(fmt.Appendf(nil, "%v", m))
	return hex.EncodeToString(h[:])
}

func (m Model) bytes() int64 {
	if m.Bytes == 0 {
		return 1_000_000
	}
	return m.Bytes
}

func (m Model) details() api.ModelDetails {
	return api.ModelDetails{Format: "gguf", Family: m.arch(), Families: []string{m.arch()}, ParameterSize: "135M", QuantizationLevel: "Q4_0"}
}

func (f *Fake) tags(w http.ResponseWriter, _ *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := api.ListResponse{Models: []api.ListModelResponse{}}
	for _, m := range f.models {
		list.Models = append(list.Models, api.ListModelResponse{
			Name: fullName(m.Name), Model: fullName(m.Name), RemoteHost: m.RemoteHost, Size: m.bytes(), Digest: m.digest(), Details: m.details(),
		})
	}
	reply(w, 200, list)
}

func (f *Fake) ps(w http.ResponseWriter, r *http.Request) {
	f.record(Request{Path: r.URL.Path})
	f.mu.Lock()
	defer f.mu.Unlock()
	list := api.ProcessResponse{Models: []api.ProcessModelResponse{}}
	sizes := map[string]int64{}
	for _, m := range f.models {
		sizes[fullName(m.Name)] = m.bytes()
	}
	for _, name := range slices.Sorted(maps.Keys(f.loaded)) {
		list.Models = append(list.Models, api.ProcessModelResponse{
			Name: name, Model: name, Size: sizes[name], ContextLength: f.loaded[name], ExpiresAt: time.Now().Add(time.Hour),
		})
	}
	reply(w, 200, list)
}

const chatML = "{{ range .Messages }}<|im_start|>{{ .Role }}\n{{ .Content }}<|im_end|>\n{{ end }}<|im_start|>assistant\n"

func (f *Fake) show(w http.ResponseWriter, r *http.Request) {
	var req api.ShowRequest
	body, ok := f.read(w, r, &req)
	if !ok {
		return
	}
	f.record(Request{Path: r.URL.Path, Body: body})
	m, ok := f.find(req.Model)
	if !ok {
		fail(w, 404, fmt.Sprintf("model '%s' not found", req.Model))
		return
	}
	a := m.arch()
	info := map[string]any{
		"general.architecture": a, a + ".context_length": m.context(), a + ".embedding_length": m.dimension(), a + ".block_count": 30,
		a + ".attention.head_count": 9, a + ".attention.head_count_kv": 3, a + ".attention.key_length": 64, a + ".attention.value_length": 64,
	}
	maps.Copy(info, m.Info)
	if req.Verbose {
		maps.Copy(info, m.Vocabulary)
	}
	tmpl := m.Template
	if tmpl == "" {
		tmpl = chatML
	}
	file := "FROM /nowhere/blobs/sha256-" + m.digest() + "\n"
	if m.Parser != "" {
		file += "PARSER " + m.Parser + "\nRENDERER " + m.Parser + "\n"
	}
	reply(w, 200, api.ShowResponse{
		Modelfile: file, Template: tmpl, Parameters: m.Parameters, Details: m.details(), RemoteHost: m.RemoteHost, ModelInfo: info, Capabilities: m.capabilities(),
	})
}

func (f *Fake) generate(w http.ResponseWriter, r *http.Request) {
	var req api.GenerateRequest
	body, ok := f.read(w, r, &req)
	if !ok {
		return
	}
	f.record(Request{Path: r.URL.Path, Body: body})
	if _, ok := f.find(req.Model); !ok {
		fail(w, 404, fmt.Sprintf("model '%s' not found", req.Model))
		return
	}
	reason := "load"
	f.mu.Lock()
	if req.KeepAlive != nil && req.KeepAlive.Duration == 0 {
		reason = "unload"
		delete(f.loaded, fullName(req.Model))
		delete(f.slots, fullName(req.Model))
	}
	f.mu.Unlock()
	reply(w, 200, api.GenerateResponse{Model: req.Model, Done: true, DoneReason: reason})
}

func (f *Fake) deleteModel(w http.ResponseWriter, r *http.Request) {
	var req api.DeleteRequest
	body, ok := f.read(w, r, &req)
	if !ok {
		return
	}
	f.record(Request{Path: r.URL.Path, Body: body})
	if _, ok := f.find(req.Model); !ok {
		fail(w, 404, fmt.Sprintf("model '%s' not found", req.Model))
		return
	}
	f.mu.Lock() // the runner stays loaded, as in Ollama
	f.models = slices.DeleteFunc(f.models, func(x Model) bool { return fullName(x.Name) == fullName(req.Model) })
	f.mu.Unlock()
}

func (f *Fake) headBlob(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, ok := f.blobs[r.PathValue("digest")]; !ok {
		w.WriteHeader(404)
	}
}

func (f *Fake) putBlob(w http.ResponseWriter, r *http.Request) {
	h := sha256.New()
	n, err := io.Copy(h, r.Body)
	f.record(Request{Path: r.URL.Path})
	want := r.PathValue("digest")
	if got := "sha256:" + hex.EncodeToString(h.Sum(nil)); err != nil || got != want {
		fail(w, 400, fmt.Sprintf("digest mismatch, expected %q, got %q", want, got))
		return
	}
	f.mu.Lock()
	f.blobs[want] = n
	f.mu.Unlock()
	w.WriteHeader(201)
}

func (f *Fake) create(w http.ResponseWriter, r *http.Request) {
	var req api.CreateRequest
	body, ok := f.read(w, r, &req)
	if !ok {
		return
	}
	f.record(Request{Path: r.URL.Path, Body: body})
	var size int64
	f.mu.Lock()
	for _, digest := range req.Files {
		n, known := f.blobs[digest]
		ok = ok && known
		size += n
	}
	f.mu.Unlock()
	if !ok || len(req.Files) == 0 {
		fail(w, 400, "neither 'from' or 'files' was specified")
		return
	}
	f.AddModel(Model{Name: req.Model, Bytes: size, Template: req.Template, Parser: req.Parser})
	s := newStream(w)
	for _, status := range []string{"parsing GGUF", "writing manifest", "success"} {
		s.send(api.ProgressResponse{Status: status})
	}
}

// pull downloads 1,000,000 bytes in 10 steps; after a cancel the next one goes on from there, as Ollama does.
func (f *Fake) pull(w http.ResponseWriter, r *http.Request) {
	var req api.PullRequest
	body, ok := f.read(w, r, &req)
	if !ok {
		return
	}
	f.record(Request{Path: r.URL.Path, Body: body})
	s := newStream(w)
	f.mu.Lock()
	script := f.onPull
	f.mu.Unlock()
	if script != nil {
		if lines := script(req.Model); lines != nil {
			for _, line := range lines {
				if msg, isErr := strings.CutPrefix(line.Status, "error: "); isErr {
					s.send(map[string]string{"error": msg})
					return
				}
				s.send(line)
			}
			return
		}
	}
	const total, step = 1_000_000, 100_000
	digest := "sha256:" + Model{Name: req.Model}.digest()
	s.send(api.ProgressResponse{Status: "pulling manifest"})
	for {
		f.mu.Lock()
		n := f.partial[req.Model]
		f.partial[req.Model] = min(n+step, total)
		f.mu.Unlock()
		if !s.send(api.ProgressResponse{Status: "pulling " + digest[7:19], Digest: digest, Total: total, Completed: n}) || !f.pause(r, f.o.PullDelay) {
			return
		}
		if n >= total {
			break
		}
	}
	for _, status := range []string{"verifying sha256 digest", "writing manifest", "success"} {
		s.send(api.ProgressResponse{Status: status})
	}
	f.AddModel(Model{Name: req.Model, Bytes: total})
}

// pause waits, and says whether the client and the server are still there.
func (f *Fake) pause(r *http.Request, d time.Duration) bool {
	if d <= 0 {
		return r.Context().Err() == nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
	case <-f.stopping():
	}
	return false
}

func (f *Fake) stopping() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.stopped
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(v) //nolint:errcheck // the client is gone
}

func fail(w http.ResponseWriter, status int, msg string) {
	reply(w, status, map[string]string{"error": msg})
}

// stream writes NDJSON.
type stream struct {
	w   http.ResponseWriter
	c   *http.ResponseController
	err error
}

func newStream(w http.ResponseWriter) *stream {
	w.Header().Set("Content-Type", "application/x-ndjson")
	return &stream{w: w, c: http.NewResponseController(w)}
}

// send writes one line and says whether the client still listens.
func (s *stream) send(v any) bool {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return s.write(append(b, '\n'))
}

func (s *stream) write(b []byte) bool {
	_, err := io.Copy(s.w, bytes.NewReader(b))
	s.err = errors.Join(s.err, err, s.c.Flush())
	return s.err == nil
}
