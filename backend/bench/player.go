package bench

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// player is an engine that reads no prompt and says a given text at a given pace, so that what is measured is the app.
type player struct {
	address string
	server  *http.Server

	mu    sync.Mutex
	text  string
	every time.Duration // between two tokens
	sent  []mark        // of the newest answer
}

// mark says when an answer had how many bytes.
type mark struct {
	at    time.Time
	bytes int
}

const (
	playerModel = "player:latest"
	tokenBytes  = 4 // of a token in English
)

// play starts a player on a free loopback port.
func play() (*player, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("start the player: %w", err)
	}
	p := &player{address: listener.Addr().String(), text: "That is an answer of some words."}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/version", func(w http.ResponseWriter, _ *http.Request) { answer(w, map[string]string{"version": "0.17.4"}) })
	mux.HandleFunc("GET /api/tags", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, api.ListResponse{Models: []api.ListModelResponse{{
			Name: playerModel, Model: playerModel, Digest: strings.Repeat("0", 64), Size: 1 << 20,
			Details: api.ModelDetails{Family: "llama", ParameterSize: "1M", QuantizationLevel: "F32"},
		}}})
	})
	mux.HandleFunc("GET /api/ps", func(w http.ResponseWriter, _ *http.Request) { answer(w, api.ProcessResponse{}) })
	mux.HandleFunc("POST /api/show", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, api.ShowResponse{
			Capabilities: []model.Capability{model.CapabilityCompletion},
			ModelInfo:    map[string]any{"general.architecture": "llama", "llama.context_length": 32768},
			Template:     "{{ range .Messages }}{{ .Role }}: {{ .Content }}\n{{ end }}",
		})
	})
	mux.HandleFunc("POST /api/chat", p.chat)
	p.server = &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	go p.server.Serve(listener) //nolint:errcheck // ends with close
	return p, nil
}

func (p *player) close() { _ = p.server.Close() }

// say sets what the next answers are, and how many tokens a second they have; 0 = all at once.
func (p *player) say(text string, tokensPerSecond int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text, p.every, p.sent = text, 0, nil
	if tokensPerSecond > 0 {
		p.every = time.Second / time.Duration(tokensPerSecond)
	}
}

// since returns when the byte at the given place of the newest answer was sent; false when it has not been sent.
func (p *player) since(bytes int) (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.sent {
		if m.bytes > bytes {
			return m.at, true
		}
	}
	return time.Time{}, false
}

func (p *player) chat(w http.ResponseWriter, r *http.Request) {
	var req api.ChatRequest
	if err := json.NewDecoder(r.Body).Decode(&req); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	p.mu.Lock()
	text, every := p.text, p.every
	p.mu.Unlock()
	done := api.ChatResponse{Model: req.Model, CreatedAt: time.Now(), Done: true, DoneReason: "stop"}
	if len(req.Messages) == 0 {
		done.DoneReason = "load"
		answer(w, done)
		return
	}
	out := json.NewEncoder(w)
	flush := http.NewResponseController(w)
	next := time.NewTimer(0)
	defer next.Stop()
	due := time.Now()
	for at := 0; at < len(text); {
		n := tokenBytes
		if every == 0 {
			n = len(text)
		}
		piece := text[at:min(at+n, len(text))]
		if at += len(piece); every > 0 {
			due = due.Add(every)
			next.Reset(time.Until(due))
			select {
			case <-next.C:
			case <-r.Context().Done():
				return
			}
		}
		p.mu.Lock()
		p.sent = append(p.sent, mark{time.Now(), at})
		p.mu.Unlock()
		line := api.ChatResponse{Model: req.Model, CreatedAt: time.Now(), Message: api.Message{Role: "assistant", Content: piece}}
		if out.Encode(line) != nil || flush.Flush() != nil {
			return // the app has gone
		}
	}
	prompt := 0
	for _, m := range req.Messages {
		prompt += len(m.Role) + len(m.Content)
	}
	done.Metrics = api.Metrics{
		PromptEvalCount: prompt / tokenBytes, PromptEvalDuration: time.Millisecond, EvalCount: len(text) / tokenBytes, EvalDuration: time.Second,
	}
	_ = out.Encode(done)
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the app notices
}
