// Package window shares out the context window and assembles what is sent to the model.
package window

import (
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/tokens"
)

// Input is what a request is assembled from.
type Input struct {
	System       string             // instructions of the agent, static
	Blocks       []memory.Block     // core memory as it is now, in the order it is shown
	Tools        []engine.Tool      // fixed for the conversation
	Prefix       *memory.Prefix     // of the request before; nil on the first turn
	Path         []memory.Message   // from the root to the leaf, the newest user message among them
	Recalled     []memory.Candidate // best first; only those taken are used
	Notes        []string           // further lines for the preamble of the newest user message
	Now          time.Time
	Language     string // "en" or "zh"
	Model        string
	Counter      tokens.Counter
	Window       int     // tokens
	CoreShare    float64 // share of core memory; 0 = DefaultCoreShare
	ForceRebase  string  // reason to rebase now; "" = only when needed
	KeepCallText bool    // the model's template keeps the text of a message that also calls tools
}

// Request is what is sent, and what is to be stored with it.
type Request struct {
	Messages   []engine.Message
	Tools      []engine.Tool
	Prefix     memory.Prefix // to be stored when Rebased
	Rebased    bool
	Preamble   string // to be stored with the newest user message when that is the leaf; else ""
	Plan       memory.Plan
	EvictedIDs []string // messages that left the window with this request
	Recalled   []string // ids of the candidates that are in Preamble
}

// DefaultCoreShare is the share of the window for core memory where no other is set.
const DefaultCoreShare = 0.25

// Assemble builds the next request.
func Assemble(Input) (Request, error) { return Request{}, nil }

// Update returns the text that tells the model the present state of a block.
func Update(b memory.Block) string { return b.Value }

// RecalledCap returns how many tokens of recalled memory a request takes at most.
func RecalledCap(window int) int { return min(1500, window*15/100) }

// Reserve returns the tokens kept for the answer.
func Reserve(window int) int { return min(4096, window/4) }

// CoreUsage returns the tokens that blocks take in the window, the tokens they may take, and those of each block.
func CoreUsage([]memory.Block, tokens.Counter, int, float64) (used, budget int, perBlock []int) {
	return 0, 0, nil
}

// DefaultWindow returns the window to start with.
func DefaultWindow(int, int64, int64) int { return 4096 }
