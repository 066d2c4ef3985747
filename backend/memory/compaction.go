package memory

import "time"

// CompactionKind says what a compaction makes room in.
type CompactionKind string

// The kinds.
const (
	CompactionCore       CompactionKind = "core"       // entries move from blocks to the archive
	CompactionTranscript CompactionKind = "transcript" // messages leave the window; they stay in the transcript
)

// Trigger says what began a compaction.
type Trigger string

// The triggers.
const (
	TriggerThreshold Trigger = "threshold" // the plan or core memory is over its share
	TriggerBlock     Trigger = "block"     // a block is over its share of its limit
	TriggerOverflow  Trigger = "overflow"  // the engine found the prompt too long
	TriggerUser      Trigger = "user"      // a button
	TriggerWords     Trigger = "words"     // the user said so in a message
	TriggerTool      Trigger = "tool"      // the model called compact_memory
	TriggerForecast  Trigger = "forecast"  // proposed ahead of time, and accepted
)

// Strategy says how it was decided what goes.
type Strategy string

// The strategies: the first three are those of the transcript, the others those of core memory.
const (
	StrategySliding  Strategy = "sliding_window" // the newest messages stay
	StrategyPriority Strategy = "priority"       // so do earlier ones that score high, verbatim and in order
	StrategySummary  Strategy = "summary"        // what left is summed up
	StrategyJudge    Strategy = "judge"          // a model scored the entries
	StrategyScore    Strategy = "score"          // signals alone did, without a model
)

// CompactionState says what became of a compaction.
type CompactionState string

// The states.
const (
	CompactionPending CompactionState = "pending" // ready; takes effect at the next rebase
	CompactionDone    CompactionState = "done"
	CompactionUndone  CompactionState = "undone"
	CompactionFailed  CompactionState = "failed" // it changed nothing; Problem says why
)

// Compaction is the record of one compaction: what it decided, from what, and what it brought. What left stays in the
// transcript or the archive.
type Compaction struct {
	ID             string          `json:"id"`
	Kind           CompactionKind  `json:"kind"`
	AgentID        string          `json:"agent_id"`
	ConversationID string          `json:"conversation_id"` // of core: the conversation it was asked for in, "" for none
	Trigger        Trigger         `json:"trigger"`
	Strategy       Strategy        `json:"strategy"`
	State          CompactionState `json:"state"`
	TokensBefore   int             `json:"tokens_before"` // of what it makes room in, as measured where the engine has counted it
	TokensAfter    int             `json:"tokens_after"`
	Required       int             `json:"required"` // tokens that had to be freed to reach the target

	// of the transcript
	Before  *Plan    `json:"before,omitempty"`
	After   *Plan    `json:"after,omitempty"`
	Evicted []string `json:"evicted,omitempty"` // ids of the messages that left the window with it, oldest first
	Kept    []string `json:"kept,omitempty"`    // ids of those before the window's beginning that stay verbatim
	Summary string   `json:"summary,omitempty"`
	Rolls   string   `json:"rolls,omitempty"` // id of the compaction whose summary this one took up
	Lost    []string `json:"lost,omitempty"`  // numbers and names that the summary does not have any more

	// of core memory
	Entries   []CompactionEntry `json:"entries,omitempty"`
	Revisions []string          `json:"revisions,omitempty"`

	Model      string    `json:"model,omitempty"`  // that judged or summed up, "" = none
	Prompt     string    `json:"prompt,omitempty"` // what it was asked
	Output     string    `json:"output,omitempty"` // what it said
	Attempts   int       `json:"attempts,omitempty"`
	DurationMs int64     `json:"duration_ms"`
	Problem    *Problem  `json:"problem,omitempty"`
	CreatedAt  time.Time `json:"created_at"`
	UndoneAt   time.Time `json:"undone_at,omitzero"`
}

// Saved returns the tokens that the compaction freed.
func (c *Compaction) Saved() int { return max(c.TokensBefore-c.TokensAfter, 0) }

// EntryAction says what was done with an entry of a block.
type EntryAction string

// The actions.
const (
	EntryStays    EntryAction = "stays"
	EntryArchived EntryAction = "archived" // it is a new passage
	EntryLinked   EntryAction = "linked"   // the archive had it already
)

// CompactionEntry is one entry of core memory and how it was judged.
type CompactionEntry struct {
	BlockID   string      `json:"block_id"`
	Label     string      `json:"label"` // of the block
	Text      string      `json:"text"`
	Start     int         `json:"start"`     // characters from the beginning of the block's value
	Tokens    int         `json:"tokens"`    //
	Score     float64     `json:"score"`     // importance, 0 to 10
	Reason    string      `json:"reason"`    // one line
	ByModel   bool        `json:"by_model"`  // else signals alone decided
	Protected string      `json:"protected"` // why it may not go: "identity", "pinned", "read_only", "remember"; "" = it may
	Action    EntryAction `json:"action"`
	PassageID string      `json:"passage_id,omitempty"` // where it is now
}
