// Package engine is the adapter to Ollama.
package engine

import (
	"context"
	"io"
	"time"

	"recollect/backend/memory"
)

// Options configure an Engine.
type Options struct {
	Home     string              // data folder; models of our own engine lie in Home/models
	Host     string              // address from the settings; "" = look for one
	Env      func(string) string // environment; nil = os.Getenv
	Log      io.Writer           // log of our own child, without prompts; nil = none
	Clock    memory.Clock        // nil = time.Now
	Bundled  []string            // paths where an engine of our own may lie, best first
	Parallel int                 // prompt caches on our own engine; 0 = by memory
	OnState  func(Status)        // called after each change of state; may be nil
	Guard    []string            // command that runs RunGuard; nil = this executable with "engine-guard"
	Timeouts Timeouts
}

// Timeouts are the watchdogs; zero values mean the defaults.
type Timeouts struct {
	Load       time.Duration // loading a model (5 min)
	FirstToken time.Duration // first token after the prompt was sent, on top of the expected reading time (3 min)
	Stall      time.Duration // between two chunks (3 min)
	Start      time.Duration // our child until it answers (30 s)
	KeepAlive  time.Duration // how long a model stays in memory after its last use (30 min)
}

// Engine is the Ollama in use.
type Engine struct{ o Options }

// New returns an engine that does nothing until Run.
func New(o Options) *Engine { return &Engine{o: o} }

var errNot = memory.Errorf(memory.EENGINE, "engine", "not running")

// Run supervises the engine until ctx ends.
func (e *Engine) Run(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

// Ready waits until the engine is usable.
func (e *Engine) Ready(context.Context) error { return errNot }

// Status returns the present state.
func (e *Engine) Status() Status { return Status{} }

// Models lists the installed models.
func (e *Engine) Models(context.Context) ([]Model, error) { return nil, errNot }

// Profile returns what is known about a model.
func (e *Engine) Profile(context.Context, string) (Profile, error) { return Profile{}, errNot }

// Chat sends a chat.
func (e *Engine) Chat(context.Context, ChatRequest, func(Chunk) error) (ChatResult, error) {
	return ChatResult{}, errNot
}

// Embed returns a vector for each text.
func (e *Engine) Embed(context.Context, EmbedRequest) ([][]float32, error) { return nil, errNot }

// Pull downloads a model.
func (e *Engine) Pull(context.Context, string, func(PullProgress)) error { return errNot }

// Import installs a GGUF.
func (e *Engine) Import(context.Context, string, string, ImportOptions, func(PullProgress)) error {
	return errNot
}

// Delete removes a model.
func (e *Engine) Delete(context.Context, string) error { return errNot }

// Unload frees a model's memory.
func (e *Engine) Unload(context.Context, string) error { return errNot }

// RunGuard is the hidden subcommand engine-guard.
func RunGuard([]string) int { return 1 }
