package memory

import "time"

// ModelCall is what one call of a model for an answer took: how the window was shared out, what the engine measured. A
// turn with tools has several, and so has an answer that was continued.
type ModelCall struct {
	At             time.Time `json:"at"`
	Kind           CallKind  `json:"kind"` // of all but answers only the model, its window and what was measured is known
	AgentID        string    `json:"agent_id"`
	ConversationID string    `json:"conversation_id"`
	TurnID         string    `json:"turn_id"`    // the user message
	MessageID      string    `json:"message_id"` // the answer
	Step           int       `json:"step"`       // 1 for the first call of its turn
	Model          string    `json:"model"`

	// as planned, in tokens
	Window   int `json:"window"` // 0 where no plan is known
	Usable   int `json:"usable"`
	System   int `json:"system"`
	Tools    int `json:"tools"`
	Core     int `json:"core"`
	Summary  int `json:"summary"`
	Recalled int `json:"recalled"`
	Messages int `json:"messages"`
	Reserve  int `json:"reserve"`
	Margin   int `json:"margin"`
	Estimate int `json:"estimate"` // of the whole prompt
	Evicted  int `json:"evicted"`  // messages that left the window with it
	Recalls  int `json:"recalls"`  // memories that it brought

	// as measured by the engine
	PromptTokens int   `json:"prompt_tokens"`
	CachedTokens int   `json:"cached_tokens"` // of these, not read anew; -1 = unknown
	OutputTokens int   `json:"output_tokens"`
	PromptMs     int64 `json:"prompt_ms"`
	OutputMs     int64 `json:"output_ms"`
	FirstTokenMs int64 `json:"first_token_ms"`
	LoadMs       int64 `json:"load_ms"`
	Truncated    bool  `json:"truncated"` // the engine read less than was sent
}

// CallKind says what a model was called for.
type CallKind string

// The kinds.
const (
	CallAnswer   CallKind = "answer"
	CallRetry    CallKind = "retry"    // of an answer that could not be used, or a tool call that had to be repaired
	CallNote     CallKind = "note"     // what to remember of a message, for a model without tools
	CallRecall   CallKind = "recall"   // whether what was found answers, and what else to search for
	CallSummary  CallKind = "summary"  // of what left the window
	CallJudge    CallKind = "judge"    // of what may leave core memory
	CallDocument CallKind = "document" // its summary
	CallWarm     CallKind = "warm"     // the next prompt's beginning, read in advance; what it wrote is thrown away
)

// CallKinds are all kinds, in the order in which they are shown.
func CallKinds() []CallKind {
	return []CallKind{CallAnswer, CallRetry, CallRecall, CallNote, CallSummary, CallJudge, CallDocument, CallWarm}
}

// WarningShare is the share of the usable window from which on the user is warned that it is nearly full.
const WarningShare = 0.8
