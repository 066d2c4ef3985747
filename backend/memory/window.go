package memory

import "time"

// Selection says which messages of a branch are in the window and what stands for the others. It changes at a rebase only.
type Selection struct {
	First   string   `json:"first"`             // id of the message from which on all are in the window, "" = from the start
	Kept    []string `json:"kept,omitempty"`    // ids of messages before it that are in the window too, oldest first
	Summary string   `json:"summary,omitempty"` // of those before it, as the model reads it
	Summed  string   `json:"summed,omitempty"`  // id of the last message that it covers
	Left    int      `json:"left,omitempty"`    // messages before it that are not in the window
	Turns   int      `json:"turns,omitempty"`   // user messages before it
	Saved   int      `json:"saved,omitempty"`   // tokens that those not in the window took
	Held    bool     `json:"held,omitempty"`    // after an undo: nothing leaves before the window is really full
}

// Room says when and how room is made in a window; what is zero is as the settings say, or else as it stands here.
type Room struct {
	CompactAt      float64  `json:"compact_at,omitempty"`      // share of the usable window from which on there is too little; 0.8
	CompactTo      float64  `json:"compact_to,omitempty"`      // share that a prompt may have afterwards; 0.6
	Compaction     Strategy `json:"compaction,omitempty"`      // auto
	WindowMessages int      `json:"window_messages,omitempty"` // that a sliding window keeps; 20
	PageTurns      int      `json:"page_turns,omitempty"`      // that something paged in stays at least; 6
	CoreAt         float64  `json:"core_at,omitempty"`         // share of its budget, or of a block's limit, from which on core memory is compacted; 0.8
	CoreTo         float64  `json:"core_to,omitempty"`         // share that it may have afterwards; 0.6
	CoreKeep       float64  `json:"core_keep,omitempty"`       // importance below which entries go first; 4
	CoreJudge      string   `json:"core_judge,omitempty"`      // "off" = signals alone score the entries, no model
}

// ItemKind says what stands in the window.
type ItemKind string

// The kinds of items.
const (
	ItemSystem   ItemKind = "instructions"
	ItemTools    ItemKind = "tools" // their schemas
	ItemBlock    ItemKind = "block"
	ItemSummary  ItemKind = "summary"
	ItemMessage  ItemKind = "message"
	ItemResult   ItemKind = "tool_result" // in full: of the newest turn, or paged in
	ItemStub     ItemKind = "stub"        // what is left of a tool's result after its turn
	ItemPassage  ItemKind = "passage"
	ItemDocument ItemKind = "document" // a passage of a document
	ItemFact     ItemKind = "fact"
	ItemNext     ItemKind = "next" // what stands in front of the next message: the date, changes of memory
)

// ItemReason says why something is in the window.
type ItemReason string

// The reasons.
const (
	InCore    ItemReason = "core"     // core memory always is
	InRecent  ItemReason = "recent"   // it is of the newest turns
	InKept    ItemReason = "kept"     // a compaction kept it verbatim
	InSummed  ItemReason = "summed"   // it stands for messages that left
	InRecall  ItemReason = "recall"   // recall brought it for a message
	InLoaded  ItemReason = "loaded"   // the model called load_memory
	InClicked ItemReason = "clicked"  // the user put it there
	InPinned  ItemReason = "pinned"   // the user wants it there for good
	InTurn    ItemReason = "new_turn" // a tool's result of the newest turn
	InFixed   ItemReason = "fixed"    // each request begins with it
	InNext    ItemReason = "next"     // it comes with the next message
)

// WindowItem is one thing that stands in the window.
type WindowItem struct {
	Kind    ItemKind   `json:"kind"`
	Part    PartName   `json:"part"` // of the plan, whose tokens are those of its items
	ID      string     `json:"id"`   // of the block, message, passage or fact; "" for all else
	Text    string     `json:"text"` // its beginning
	Role    Role       `json:"role,omitempty"`
	Label   string     `json:"label,omitempty"` // of a block; name of a tool; title of a document
	Tokens  int        `json:"tokens"`
	Reason  ItemReason `json:"reason"`
	By      string     `json:"by,omitempty"`      // the message that brought it: the one it was recalled for, or whose turn loaded it
	Pinned  bool       `json:"pinned,omitempty"`  // it never leaves
	Turns   int        `json:"turns,omitempty"`   // of a paged-in item: turns until it expires
	Expired bool       `json:"expired,omitempty"` // it goes at the next rebase
	Stale   bool       `json:"stale,omitempty"`   // of a block: the prompt begins with an older text, and the change is told behind it, until the next rebase
	Date    time.Time  `json:"date,omitzero"`
}

// Marker tells what is not in the window, and how the model is told to find it.
type Marker struct {
	Messages int    `json:"messages"` // that left; all are in the transcript
	Tokens   int    `json:"tokens"`   // that they took
	Tool     string `json:"tool"`     // the tool that finds them, "" where the model has none
	Text     string `json:"text"`     // as the model reads it
}

// Forecast tells how long the window lasts at the present pace. No model is asked for it.
type Forecast struct {
	TokensPerTurn int      `json:"tokens_per_turn"` // over the last turns; 0 = there are none yet
	Turns         int      `json:"turns"`           // until room has to be made; -1 = cannot be told
	Limit         int      `json:"limit"`           // tokens of a prompt at which that is
	Strategy      Strategy `json:"strategy"`        // that would then be used
	Leaves        []string `json:"leaves"`          // ids of the messages that it would take out now, oldest first
	Frees         int      `json:"frees"`           // tokens that that would free
}

// ContextWindow is what a conversation's window holds, and what will become of it.
type ContextWindow struct {
	Plan     Plan         `json:"plan"` // of the next request, without a message
	Items    []WindowItem `json:"items"`
	Marker   *Marker      `json:"marker"` // null = nothing has left
	Summary  string       `json:"summary"`
	Forecast Forecast     `json:"forecast"`
	Pending  string       `json:"pending"` // id of a compaction that takes effect at the next rebase, "" = none
}

// PageIn is something that the user put into a conversation's window by hand.
type PageIn struct {
	ConversationID string    `json:"conversation_id"`
	Kind           ItemKind  `json:"kind"` // message, passage, document or fact
	ID             string    `json:"id"`
	Pinned         bool      `json:"pinned"`         // it stays until it is taken out
	Turn           string    `json:"turn,omitempty"` // the user message after which its turns count, "" = before the first
	Out            bool      `json:"out,omitempty"`  // the user took it out: recall's copy of it goes at the next rebase too
	CreatedAt      time.Time `json:"created_at"`
}
