package engine

import (
	"encoding/json"
	"time"

	"recollect/backend/memory"
)

// State is what the engine is doing now.
type State string

// The states of the engine.
const (
	StateSearching State = "searching" // looking for a running or installed engine
	StateStarting  State = "starting"  // our own child is starting
	StateReady     State = "ready"     // it answers
	StateMissing   State = "missing"   // none runs and none is installed
	StateFailed    State = "failed"    // it ran and stopped, or does not start; tried again with back-off
	StateStopped   State = "stopped"   // Run has ended
)

// Kind says whose engine it is.
type Kind string

// The kinds of engine.
const (
	KindExternal Kind = "external" // was running already; not ours to stop
	KindFound    Kind = "found"    // installed on this machine, started by us
	KindBundled  Kind = "bundled"  // came with the app, started by us
)

// Status is the state of the engine as people see it.
type Status struct {
	State    State         `json:"state"`
	Kind     Kind          `json:"kind,omitempty"`
	Address  string        `json:"address,omitempty"` // base URL
	Version  string        `json:"version,omitempty"`
	Loopback bool          `json:"loopback"` // false: prompts leave this machine, which the page warns about
	Message  string        `json:"message,omitempty"`
	Chinese  string        `json:"chinese,omitempty"` // the message in Chinese, where it is known
	Remedy   memory.Remedy `json:"remedy,omitempty"`  // the next step: install_engine, start_engine or check_address
	Models   int           `json:"models"`
	Slots    int           `json:"slots,omitempty"` // prompt caches for one model on our own engine; 0 = unknown
	Since    time.Time     `json:"since"`

	// Unanswered is the address that OLLAMA_HOST names, where nothing answers there and this engine takes its place.
	Unanswered string `json:"unanswered,omitempty"`

	returns bool // of StateFailed: it answered until now, and one of ours is started in its place
}

// because returns the status with what people are told of its cause, and the next step.
func (s Status) because(remedy memory.Remedy, format string, args ...any) Status {
	err := memory.Errorf(memory.EENGINE, "engine", format, args...)
	s.Message, s.Chinese, s.Remedy = err.Message, err.Chinese, remedy
	return s
}

// Model is one installed model.
type Model struct {
	Name            string   `json:"name"`
	Digest          string   `json:"digest"`
	Family          string   `json:"family"`
	Parameters      string   `json:"parameters"` // e.g. "8.0B"
	Quantization    string   `json:"quantization"`
	Bytes           int64    `json:"bytes"` // on disk
	Capabilities    []string `json:"capabilities"`
	Context         int      `json:"context"` // trained context in tokens
	Embedding       bool     `json:"embedding"`
	Chat            bool     `json:"chat"`
	Tools           bool     `json:"tools"`
	Thinking        bool     `json:"thinking"`
	Vision          bool     `json:"vision"`
	Dimension       int      `json:"dimension"`          // of its vectors (embedding models) or its hidden state
	NeedBytes       int64    `json:"need_bytes"`         // estimated memory at the default window
	BaseBytes       int64    `json:"base_bytes"`         // of these, without the window
	KVBytesPerToken int64    `json:"kv_bytes_per_token"` // memory for each token of the window
	Fits            string   `json:"fits"`               // "yes", "tight" or "no"; "" for an engine on another machine
	Remote          bool     `json:"remote"`             // runs in a cloud: never used
	Loaded          bool     `json:"loaded"`
	Starter         bool     `json:"starter"`     // one of the small models that come with the app
	AppendOnly      bool     `json:"append_only"` // its prompt cache survives only what is added at the end: to answer again or edit reads all anew
}

// Profile is all that is known about a model, cached by its digest.
type Profile struct {
	Model
	Arch            string `json:"arch"`
	Template        string `json:"template"`
	Renderer        string `json:"renderer"`    // Ollama's built-in renderer, "" = Go template
	Parser          string `json:"parser"`      // Ollama's built-in parser, "" = generic
	ModelPath       string `json:"model_path"`  // GGUF as the engine sees it; perhaps not readable by us
	EngineKind      string `json:"engine_kind"` // "llamarunner" or "ollamarunner"
	SlidingWindow   int    `json:"sliding_window"`
	DropsLateSystem bool   `json:"drops_late_system"` // a system message after the first is not rendered
	HoistsSystem    bool   `json:"hoists_system"`     // it is moved to the front
	ToolsLastUser   bool   `json:"tools_last_user"`   // tools are rendered beside the last user message only
	KeepsCallText   bool   `json:"keeps_call_text"`   // the template shows a message's text beside its tool calls
	Prefills        bool   `json:"prefills"`          // a chat that ends in an answer lets the model go on with it
	MaxContext      int    `json:"max_context"`       // largest useful num_ctx

	ownThreads    bool // its Modelfile sets num_thread, which we leave alone
	longestAnswer int  // num_predict of its Modelfile, which no answer exceeds; 0 = none
}

// Message is one message of a request or an answer.
type Message struct {
	Role       string            `json:"role"` // system, user, assistant, tool
	Content    string            `json:"content"`
	Thinking   string            `json:"thinking,omitempty"`
	ToolCalls  []memory.ToolCall `json:"tool_calls,omitempty"`
	ToolName   string            `json:"tool_name,omitempty"`
	ToolCallID string            `json:"tool_call_id,omitempty"`
	Images     [][]byte          `json:"images,omitempty"` // for models that see
}

// Tool is a function offered to the model.
type Tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"` // flat JSON schema; its order of properties is kept
}

// Priority orders waiting requests; a smaller value goes first.
type Priority int

// The priorities.
const (
	PriorityChat       Priority = iota // someone waits for the answer
	PriorityQuery                      // embedding of a query: a turn or a search waits for it
	PriorityBackground                 // gives way between stages and batches
)

// Progress tells where a request is.
type Progress struct {
	Phase   Phase         `json:"phase"`
	Read    int           `json:"read"`  // tokens of the prompt read so far, cached ones included
	Total   int           `json:"total"` // tokens of the prompt, estimated until the engine has counted
	Elapsed time.Duration `json:"elapsed"`
	ETA     time.Duration `json:"eta"` // until the prompt is read; 0 = unknown
}

// Phase is a step of a request.
type Phase string

// The phases of a request, in their order.
const (
	PhaseQueued  Phase = "queued"
	PhaseLoading Phase = "loading"
	PhaseReading Phase = "reading"
	PhaseWriting Phase = "writing"
)

// ChatRequest asks a model to continue a chat. Tools and Format exclude each other (EINVALID).
type ChatRequest struct {
	Model        string
	Messages     []Message
	Tools        []Tool
	Format       json.RawMessage // JSON schema; sanitised to what the engine can take without crashing
	Think        *bool           // nil = off where the model can think
	NumCtx       int             // window in tokens; positive, the same for each request to a model or it is loaded anew
	NumPredict   int             // tokens of the answer at most; positive
	Temperature  *float64
	Seed         *int
	Stop         []string
	Priority     Priority
	Conversation string         // for the log of reuse; may be ""
	PromptTokens int            // our estimate of the whole prompt; 0 = guessed from its length
	CachedTokens int            // of these, expected in the engine's cache; the rest is read in stages
	NoStages     bool           // send the prompt in one piece (used to measure what staging costs)
	AfterChat    bool           // of a background request: its prompt goes on where a chat's ends, and shares the chat's cache
	Progress     func(Progress) // may be nil; called from one goroutine at a time
}

// Chunk is a piece of an answer.
type Chunk struct {
	Content   string
	Thinking  string
	ToolCalls []memory.ToolCall
}

// ChatResult is the answer; with an error it holds what came before it.
type ChatResult struct {
	Message Message
	End     memory.EndReason
	Usage   memory.Usage
	Serves  int // tokens of the window that the engine really serves, as it says; 0 = it does not say
	Stages  int // requests that the prompt was read in, 1 = one piece
}

// EmbedRequest asks for one vector a text. Texts are sent in batches; prefixes such as "query: " are the caller's.
type EmbedRequest struct {
	Model    string
	Texts    []string
	Priority Priority
}

// PullProgress tells how far a download or an import is. Completed and Total never go backwards.
type PullProgress struct {
	Status         string        `json:"status"` // "manifest", "downloading", "verifying", "checking", "uploading", "creating", "done"
	Completed      int64         `json:"completed"`
	Total          int64         `json:"total"`
	BytesPerSecond float64       `json:"bytes_per_s"`
	ETA            time.Duration `json:"eta"` // 0 = unknown
}

// ImportOptions are settings for a GGUF that is imported. All may be empty: the engine looks for a template in the file.
type ImportOptions struct {
	Template   string
	Renderer   string
	Parser     string
	System     string
	License    string
	Parameters map[string]any // e.g. {"temperature": 0.2, "stop": ["<|im_end|>"]}
}
