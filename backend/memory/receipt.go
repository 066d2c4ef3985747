package memory

import "time"

// Layer says where a memory stands.
type Layer string

// The layers that recall brings memories from. Core memory is always in the window; a receipt lists its blocks apart.
const (
	LayerMessage  Layer = "message"  // the transcript
	LayerPassage  Layer = "passage"  // the archive
	LayerDocument Layer = "document" // a passage of a document
	LayerFact     Layer = "fact"
)

// Why says why a candidate was taken or not.
type Why string

// The reasons.
const (
	WhyTaken      Why = "taken"
	WhyBelowFloor Why = "below_floor" // not enough evidence, or far behind the best
	WhyInWindow   Why = "in_window"   // the model sees it anyway
	WhyInCore     Why = "in_core"     // a line of core memory, which the model sees, says the same
	WhyDuplicate  Why = "duplicate"   // another one that was taken says the same
	WhyCap        Why = "cap"         // the tokens were spent
	WhyPaged      Why = "paged"       // it was not found but put into the window by the user
	WhyNever      Why = "never"       // the user does not want it in this conversation
)

// ScoreName names a part of a score.
type ScoreName string

// The parts of a score. All but question and feedback are never negative.
const (
	ScoreWords    ScoreName = "words"    // keywords, normalised within the candidates
	ScoreMeaning  ScoreName = "meaning"  // vectors, normalised within the candidates
	ScoreSession  ScoreName = "session"  // what was said around it fits too
	ScoreSpeaker  ScoreName = "speaker"  // the message names who said it
	ScoreTold     ScoreName = "told"     // it says in the usual words what the message asks about the user
	ScoreExact    ScoreName = "exact"    // it has an identifier of the message: a number, a path, a code word
	ScoreTime     ScoreName = "time"     // it is of the time that the message speaks of
	ScoreFresh    ScoreName = "fresh"    // it is the newer of two statements about the same thing
	ScoreQuestion ScoreName = "question" // it asks rather than tells
	ScoreFeedback ScoreName = "feedback" // what the user said about it
)

// ScorePart is a named part of a score.
type ScorePart struct {
	Name  ScoreName `json:"name"`
	Value float64   `json:"value"`
}

// Successor is what has taken the place of a memory.
type Successor struct {
	Text string    `json:"text"`
	Date time.Time `json:"date"`
	ID   string    `json:"id,omitempty"` // of the message or passage that says it
}

// Candidate is one memory that recall considered.
type Candidate struct {
	Kind     string      `json:"kind"`            // "message", "passage" or "fact"
	Layer    Layer       `json:"layer,omitempty"` // "" in old receipts, where it is the kind
	ID       string      `json:"id"`
	Text     string      `json:"text"` // what would be injected, at most 1,000 characters
	Role     Role        `json:"role,omitempty"`
	ByRule   bool        `json:"by_rule,omitempty"` // the app itself said it; no model was asked
	Origin   string      `json:"origin,omitempty"`  // message it came from: itself, or the passage's origin
	Date     time.Time   `json:"date"`
	Lexical  float64     `json:"lexical"`  // normalised 0–1
	Semantic float64     `json:"semantic"` // normalised 0–1; 0 without vectors
	LexRank  int         `json:"lex_rank"` // 1 = best; 0 = not found that way
	SemRank  int         `json:"sem_rank"`
	Session  float64     `json:"session"`            // boost from its neighbourhood
	Score    float64     `json:"score"`              // the sum of Parts
	Parts    []ScorePart `json:"parts,omitempty"`    // those that are not 0; none in old receipts
	Evidence float64     `json:"evidence,omitempty"` // which does not depend on the other candidates: 1 = just enough to be injected
	Tokens   int         `json:"tokens"`
	Taken    bool        `json:"taken"`
	Why      Why         `json:"why"`

	ConversationID string         `json:"conversation_id,omitempty"` // of a message
	Document       *DocumentPlace `json:"document,omitempty"`        // of a passage of a document

	Feedback FeedbackUse `json:"feedback,omitempty"` // what the user said about it
	Hop      int         `json:"hop,omitempty"`      // found by looking up an identifier: 1 = one of the message, 2 = one of what was found so, …
	Round    int         `json:"round,omitempty"`    // of a deep search: the round whose query found it; 0 = the message itself
	Replaced *Successor  `json:"replaced,omitempty"` // what is true now instead
	Begins   time.Time   `json:"begins,omitzero"`    // of a fact that was to begin later than it was said
	Ends     time.Time   `json:"ends,omitzero"`      // of a fact that is true until then
}

// The plans of recall.
const (
	PlanRules = "rules" // A: no model, in every turn
	PlanModel = "model" // B: the model rewrote the query and judged what it found
)

// WordsOnly says why meaning was not searched.
type WordsOnly string

// The reasons.
const (
	WordsNoEmbedder WordsOnly = "no_embedder" // there is none
	WordsLate       WordsOnly = "late"        // the embedder did not answer in time
	WordsFailed     WordsOnly = "failed"      // it failed, or has kept failing, so that it was not asked
)

// Receipt records what recall considered for one answer, and which core blocks the answer could see.
type Receipt struct {
	MessageID  string         `json:"message_id"` // the user message it was made for
	Query      string         `json:"query"`
	Plan       string         `json:"plan"`           // PlanRules or PlanModel: by which the candidates were found
	Deep       *DeepSearch    `json:"deep,omitempty"` // plan B, also where it came to nothing; nil = there was no reason for it
	Considered int            `json:"considered"`
	Floor      float64        `json:"floor"`
	Cap        int            `json:"cap"` // tokens
	Tokens     int            `json:"tokens"`
	Vectors    bool           `json:"vectors"`              // whether meaning was searched
	WordsOnly  WordsOnly      `json:"words_only,omitempty"` // why it was not; "" also in old receipts
	Candidates []Candidate    `json:"candidates"`
	Blocks     []ReceiptBlock `json:"blocks"` // core memory in the window
	Micros     int64          `json:"micros"` // time it took, without embedding the query and without plan B
	EmbedMs    int64          `json:"embed_ms"`
	CreatedAt  time.Time      `json:"created_at"`
}

// DeepReason says why a deep search was to be made.
type DeepReason string

// The reasons.
const (
	DeepAsked  DeepReason = "asked"  // by the user, for this answer
	DeepAlways DeepReason = "always" // by the user, for all
	DeepUnsure DeepReason = "unsure" // the message asks about the past, and plan A found too little
)

// DeepEnd says how a deep search ended.
type DeepEnd string

// The ends.
const (
	DeepEnough   DeepEnd = "enough"   // the model found that what was found suffices
	DeepRounds   DeepEnd = "rounds"   // all rounds were made
	DeepNothing  DeepEnd = "nothing"  // the model knew nothing else to search for
	DeepTime     DeepEnd = "time"     // a further round did not fit into the time
	DeepTooSlow  DeepEnd = "too_slow" // not even one did, so that none was begun
	DeepUnknown  DeepEnd = "unknown"  // how fast the model is is not known yet, so that none was begun
	DeepCache    DeepEnd = "cache"    // it would have cost what the model has read of the conversation
	DeepNonsense DeepEnd = "nonsense" // the model's answer could not be used
	DeepLate     DeepEnd = "late"     // it took longer than predicted
	DeepFailed   DeepEnd = "failed"   // the engine failed
	DeepNoModel  DeepEnd = "no_model" // none is there
)

// Usable says whether what the deep search found counts: after any other end the receipt is plan A's.
func (e DeepEnd) Usable() bool {
	switch e {
	case DeepEnough, DeepRounds, DeepNothing, DeepTime:
		return true
	}
	return false
}

// DeepSearch records plan B: the model judges what was found and asks anew.
type DeepSearch struct {
	Reason      DeepReason  `json:"reason"`
	End         DeepEnd     `json:"end"`
	Model       string      `json:"model"`
	BudgetMs    int64       `json:"budget_ms"`
	PredictedMs int64       `json:"predicted_ms"` // of one round; 0 = unknown
	Ms          int64       `json:"ms"`           // it took
	Rounds      []DeepRound `json:"rounds"`
}

// DeepRound is one question to the model, and the search that it asked for.
type DeepRound struct {
	Enough bool   `json:"enough"` // what had been found so far suffices
	Query  string `json:"query"`  // what it searched for then; "" = nothing
	Found  int    `json:"found"`  // candidates that were new
	Ms     int64  `json:"ms"`
}

// FeedbackUse is what the user wants with a memory.
type FeedbackUse string

// The wishes. Never is for one conversation and beats the others, which are for all of the agent.
const (
	UseAsUsual FeedbackUse = "" // none: it takes another one back
	UseLess    FeedbackUse = "less"
	UseNever   FeedbackUse = "never"
	UseAlways  FeedbackUse = "always"
)

// Feedback is what the user said about a memory that recall brought.
type Feedback struct {
	ID             string      `json:"id"`
	AgentID        string      `json:"agent_id"`
	ConversationID string      `json:"conversation_id,omitempty"` // of UseNever; "" for the others
	Kind           string      `json:"kind"`
	ItemID         string      `json:"item_id"`
	Use            FeedbackUse `json:"use"`
	Text           string      `json:"text"`                 // the beginning of what it is about
	MessageID      string      `json:"message_id,omitempty"` // the user message whose receipt it was given on
	CreatedAt      time.Time   `json:"created_at"`

	OriginConversation string `json:"origin_conversation,omitempty"` // of a message that it is about; filled on reading
}

// ReceiptBlock names a core block that was in the window.
type ReceiptBlock struct {
	ID      string `json:"id"`
	Label   string `json:"label"`
	Version int    `json:"version"`
	Tokens  int    `json:"tokens"`
}
