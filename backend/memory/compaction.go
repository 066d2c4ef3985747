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
	TriggerReplay    Trigger = "replay"    // an earlier one was tried in another way
)

// Strategy says how it was decided what goes.
type Strategy string

// The strategies: the first three are those of the transcript, the others those of core memory.
const (
	StrategySliding  Strategy = "sliding_window" // the newest messages stay
	StrategyPriority Strategy = "priority"       // so do earlier ones that score high, verbatim and in order
	StrategySummary  Strategy = "summary"        // what left is summed up
	StrategyStubs    Strategy = "tool_stubs"     // what was left of tools' results goes, which was enough
	StrategyAuto     Strategy = "auto"           // the length of the chat decides
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
	CompactionTried   CompactionState = "tried"  // what would happen; nothing did, but it can be adopted
)

// Conflict is the error of what cannot be done with a compaction in this state.
func (s CompactionState) Conflict(op string) *Error {
	switch s {
	case CompactionPending:
		return Errorf(ECONFLICT, op, "the compaction has not taken effect yet; wait until it has")
	case CompactionUndone:
		return Errorf(ECONFLICT, op, "the compaction has been undone")
	case CompactionFailed:
		return Errorf(ECONFLICT, op, "the compaction came to nothing")
	case CompactionTried:
		return Errorf(ECONFLICT, op, "the compaction was only tried; adopt it first")
	default:
		return Errorf(ECONFLICT, op, "the compaction has taken effect")
	}
}

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
	Before   *Plan      `json:"before,omitempty"`
	After    *Plan      `json:"after,omitempty"`
	Evicted  []string   `json:"evicted,omitempty"`   // ids of the messages that left the window with it, oldest first
	Was      *Selection `json:"was,omitempty"`       // what the window held before
	Now      *Selection `json:"now,omitempty"`       // … and holds with it
	Leaf     string     `json:"leaf,omitempty"`      // the message that it was made at: branches without it are not concerned
	RebaseMs int64      `json:"rebase_ms,omitempty"` // that the engine took to read the new beginning of the prompt while idle
	DryRun   bool       `json:"dry_run,omitempty"`   // nothing is to happen when it is ready
	Replays  string     `json:"replays,omitempty"`   // id of the compaction that this one tries in another way
	Rolls    string     `json:"rolls,omitempty"`     // id of the compaction whose summary this one took up
	Progress *Selection `json:"progress,omitempty"`  // of a pending summary: what is summed up so far
	Summed   int        `json:"summed,omitempty"`    // stages that the model summed up; for the others the user's own words stand in
	Lost     []string   `json:"lost,omitempty"`      // numbers and names that the summary does not have any more

	// of core memory
	Target    float64           `json:"target,omitempty"`   // of a replay: the share that was tried; 0 = the agent's
	Keep      float64           `json:"keep,omitempty"`     // … the importance below which entries leave; 0 = the agent's
	BlockID   string            `json:"block_id,omitempty"` // the block that was asked for, "" = all
	Entries   []CompactionEntry `json:"entries,omitempty"`
	Values    []BlockValues     `json:"values,omitempty"`    // of the blocks that it changed
	Held      map[string]int    `json:"held,omitempty"`      // tokens that may not go, by EntryProtection; where the target was not reached, this is why
	Revisions []string          `json:"revisions,omitempty"` // that it made, and those of its undo and redo
	AppliedAt time.Time         `json:"applied_at,omitzero"` // when blocks and archive changed last: done, undone, done again or an entry put back

	Model      string    `json:"model,omitempty"`  // that judged or summed up, "" = none
	Prompt     string    `json:"prompt,omitempty"` // what it was asked
	Output     string    `json:"output,omitempty"` // what it said
	Attempts   int       `json:"attempts,omitempty"`
	DurationMs int64     `json:"duration_ms"`
	Problem    *Problem  `json:"problem,omitempty"` // why it failed; of one that is done, why the model did not decide
	CreatedAt  time.Time `json:"created_at"`
	UndoneAt   time.Time `json:"undone_at,omitzero"`
}

// Saved returns the tokens that the compaction freed.
func (c *Compaction) Saved() int { return max(c.TokensBefore-c.TokensAfter, 0) }

// BlockValues is what a compaction made of a block.
type BlockValues struct {
	BlockID string `json:"block_id"`
	Before  string `json:"before"`
	After   string `json:"after"` // with what was put back since
}

// EntryAction says what was done with an entry of a block.
type EntryAction string

// The actions.
const (
	EntryStays    EntryAction = "stays"
	EntryArchived EntryAction = "archived" // it is a new passage
	EntryLinked   EntryAction = "linked"   // the archive had it already
	EntryRestored EntryAction = "restored" // it left and was put back
)

// Left reports whether the entry is out of core memory.
func (a EntryAction) Left() bool { return a == EntryArchived || a == EntryLinked }

// EntryProtection says why an entry may not leave core memory, whatever its score.
type EntryProtection string

// The protections.
const (
	ProtectIdentity  EntryProtection = "identity" // it says who the agent or the user is
	ProtectPinned    EntryProtection = "pinned"   // it, its block or the fact that it states
	ProtectReadOnly  EntryProtection = "read_only"
	ProtectShared    EntryProtection = "shared"    // other agents have the block too, and would not find it in this one's archive
	ProtectStructure EntryProtection = "structure" // a heading, or what stands around the value of a block
)

// EntryPlace tells of a passage which entry of core memory it was.
type EntryPlace struct {
	CompactionID string  `json:"compaction_id"`
	Entry        int     `json:"entry"` // its number in the compaction
	BlockID      string  `json:"block_id"`
	Label        string  `json:"label"`
	Score        float64 `json:"score"`
	Reason       string  `json:"reason"`
	Revision     string  `json:"revision,omitempty"`
	Restored     bool    `json:"restored,omitempty"` // it is in core memory again
}

// CompactionWeights is what undoing and putting back taught an agent's scores, by kind of content.
type CompactionWeights struct {
	Kinds   map[string]float64 `json:"kinds"`   // added to the score of each entry of the kind; from -MaxLearned to MaxLearned
	Lessons []Lesson           `json:"lessons"` // the newest first
}

// MaxLearned is how far learning moves the score of a kind.
const MaxLearned = 3.0

// Lesson is one thing that the user did and what it changed.
type Lesson struct {
	Kind   string    `json:"kind"`
	Change float64   `json:"change"`
	Cause  string    `json:"cause"` // "undo", "redo", "restore" or "user"
	Text   string    `json:"text"`  // the beginning of the entry
	At     time.Time `json:"at"`
}

// EntrySignal is a part of an entry's score.
type EntrySignal struct {
	Name  string  `json:"name"` // of a kind of content, or "recent", "used", "talk", "remember", "restored", "replaced", "twice", "learned"
	Value float64 `json:"value"`
}

// CompactionEntry is one entry of core memory and how it was judged. The texts of a block's entries, one after the other,
// are its value.
type CompactionEntry struct {
	BlockID   string          `json:"block_id"`
	Label     string          `json:"label"` // of the block
	Text      string          `json:"text"`  // with the blanks and line ends behind it
	Start     int             `json:"start"` // characters from the beginning of the block's value
	Tokens    int             `json:"tokens"`
	Kind      string          `json:"kind"`               // of content, as the rules see it: "health", "weather" …
	Score     float64         `json:"score"`              // importance, 0 to 10
	Basis     float64         `json:"basis"`              // the same by signals alone
	Judged    *float64        `json:"judged,omitempty"`   // what the model said; it moves Basis by a bounded amount
	Reason    string          `json:"reason"`             // what the model said, in one line; else the kind or the signal that tells most
	Signals   []EntrySignal   `json:"signals,omitempty"`  // what Basis is made of
	ByModel   bool            `json:"by_model"`           // else signals alone decided
	Protected EntryProtection `json:"protected"`          // why it may not go, "" = it may
	Heading   string          `json:"heading,omitempty"`  // that it stands under
	Origin    string          `json:"origin,omitempty"`   // the message that it came from
	Revision  string          `json:"revision,omitempty"` // of the block, that wrote it; "" = unknown
	Since     time.Time       `json:"since,omitzero"`     // when that was
	Action    EntryAction     `json:"action"`
	PassageID string          `json:"passage_id,omitempty"` // where it is, once it has left
}
