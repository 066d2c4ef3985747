// Package memory is the domain: agents, blocks, passages, conversations, messages, revisions, receipts, the plan of a
// request, their limits and their errors. It does no I/O and imports nothing else of this module.
package memory

import (
	"slices"
	"strings"
	"time"
)

// Limits of the domain.
const (
	MaxBlocksPerAgent = 64        // blocks attached to one agent
	MaxLabelChars     = 64        // characters of a block's label
	DefaultBlockLimit = 2000      // characters of a block's value, where none is given
	MaxBlockLimit     = 100_000   // the largest limit a block may have, in characters
	MaxMessageChars   = 1_000_000 // characters of one user message; more is offered to the archive
	MaxPassageChars   = 8000      // characters of one passage; longer texts are cut by whoever stores them
	MaxTags           = 32        // tags of one block or passage
	MaxFiles          = 16        // files of one message
	MaxImageBytes     = 8 << 20   // of all images of one message
)

// Actor says who made a change.
type Actor string

// The actors.
const (
	ActorUser   Actor = "user"
	ActorModel  Actor = "model"
	ActorSystem Actor = "system" // compaction, reflection, sync
	ActorImport Actor = "import"
)

// Agent is a persona with its own model settings, blocks, conversations and archive.
type Agent struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Model       string    `json:"model"`               // chat model; "" = the default of the settings
	Window      int       `json:"window"`              // context window in tokens; 0 = chosen from memory and model
	CoreShare   float64   `json:"core_share"`          // share of the window for core memory; 0 = 0.25
	MaxSteps    int       `json:"max_steps"`           // model calls a turn; 0 = 8
	Temperature *float64  `json:"temperature"`         // nil = the model's own
	Thinking    *bool     `json:"thinking"`            // nil = off where the model can choose
	Language    string    `json:"language"`            // "en", "zh" or "" = the language of the interface
	ToolsOff    []string  `json:"tools_off"`           // names of the tools that its model is not given
	Room        Room      `json:"room"`                // when and how room is made in its windows
	ArchiveID   string    `json:"archive_id"`          // where its passages go
	DeletedAt   time.Time `json:"deleted_at,omitzero"` // deleted with undo; kept on disk
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// Block is a labelled piece of core memory that is always in the window of the agents it is attached to.
type Block struct {
	ID          string    `json:"id"`
	Label       string    `json:"label"` // unique among the blocks of an agent
	Value       string    `json:"value"`
	Description string    `json:"description"`
	Limit       int       `json:"limit"` // characters (runes) of Value
	ReadOnly    bool      `json:"read_only"`
	Pinned      bool      `json:"pinned"`
	Tags        []string  `json:"tags"`
	Version     int       `json:"version"` // 1 for a new block, one more with each revision; for conflict checks
	CreatedAt   time.Time `json:"created_at"`
	UpdatedAt   time.Time `json:"updated_at"`
}

// BlockChange is a partial update of a block: nil fields stay. IfVersion, where not 0, must equal the block's version,
// else the change fails with ECONFLICT.
type BlockChange struct {
	Label       *string   `json:"label,omitempty"`
	Value       *string   `json:"value,omitempty"`
	Description *string   `json:"description,omitempty"`
	Limit       *int      `json:"limit,omitempty"`
	ReadOnly    *bool     `json:"read_only,omitempty"`
	Pinned      *bool     `json:"pinned,omitempty"`
	Tags        *[]string `json:"tags,omitempty"`
	IfVersion   int       `json:"if_version,omitempty"`
}

// Conversation is a tree of messages; Head is the leaf of the visible branch.
type Conversation struct {
	ID         string    `json:"id"`
	AgentID    string    `json:"agent_id"`
	Title      string    `json:"title"`
	TitleBy    Actor     `json:"title_by"` // system while the title follows the first message by rule
	Head       string    `json:"head"`     // id of the last message of the visible branch, "" when empty
	Pinned     bool      `json:"pinned"`
	ArchivedAt time.Time `json:"archived_at,omitzero"`
	DeletedAt  time.Time `json:"deleted_at,omitzero"` // deleted with undo; kept on disk
	CreatedAt  time.Time `json:"created_at"`
	UpdatedAt  time.Time `json:"updated_at"` // time of the last message
}

// ConversationMatch is where a conversation says what was searched for.
type ConversationMatch struct {
	ConversationID string `json:"conversation_id"`
	MessageID      string `json:"message_id"`
	Text           string `json:"text"` // the sentence, shortened where it is long
}

// Role says whose message it is.
type Role string

// The roles.
const (
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Status is the state of a message.
type Status string

// The states of a message. Partial, Stopped and Failed messages keep the text that came.
const (
	StatusStreaming Status = "streaming" // being written now
	StatusComplete  Status = "complete"
	StatusPartial   Status = "partial" // the app or the engine died while it was written
	StatusStopped   Status = "stopped" // stopped by the user
	StatusFailed    Status = "failed"  // Problem says why
)

// EndReason says how the engine ended an answer.
type EndReason string

// The ends of an answer.
const (
	EndStop   EndReason = "stop"
	EndLength EndReason = "length" // num_predict reached, or the window is full: "continue" is offered
	EndRule   EndReason = "rule"   // the app itself answered, by rule; no model was asked
)

// ToolCall is one call that the model made. Arguments is canonical JSON (sorted keys, compact) and is never marshalled
// anew, so that the prompt stays byte-stable.
type ToolCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
	Repaired  bool   `json:"repaired,omitempty"` // parsed out of text or made by constrained JSON
}

// Problem is an error as the user sees it: stored with a failed message, returned by the API.
type Problem struct {
	Code    Code     `json:"code"`
	Message string   `json:"message"`           // English
	Chinese string   `json:"chinese,omitempty"` // the same in Chinese, where it is known; the code has a sentence anyway
	Remedy  Remedy   `json:"remedy,omitempty"`  // the next step
	Others  []Remedy `json:"others,omitempty"`  // other ways out
	Limit   int      `json:"limit,omitempty"`
	Actual  int      `json:"actual,omitempty"`
}

// Usage is what an answer cost, measured by the engine where it says so.
type Usage struct {
	PromptTokens   int   `json:"prompt_tokens"`         // all tokens of the prompt, cached or not
	CachedTokens   int   `json:"cached_tokens"`         // of these, served from the engine's prefix cache; -1 = unknown
	OutputTokens   int   `json:"output_tokens"`         //
	PromptMs       int64 `json:"prompt_ms"`             // work on the prompt
	OutputMs       int64 `json:"output_ms"`             //
	LoadMs         int64 `json:"load_ms"`               // loading the model
	FirstTokenMs   int64 `json:"first_token_ms"`        // from sending to the first token
	ThinkingMs     int64 `json:"thinking_ms,omitempty"` // from the first thought to the first word or call behind it; 0 = it did not think
	EstimateTokens int   `json:"estimate_tokens"`       // our own count of the prompt before sending
	Truncated      bool  `json:"truncated"`             // the engine read fewer tokens than we sent
}

// MessageFile is a file that a user message carries: a text for this message only, or an image for a model that sees.
type MessageFile struct {
	Name    string `json:"name"`
	Type    string `json:"type"` // text/plain, image/png, image/jpeg or image/webp
	Bytes   int    `json:"bytes"`
	Content []byte `json:"-"`
}

// IsImage reports whether the file is an image rather than a text.
func (f MessageFile) IsImage() bool { return strings.HasPrefix(f.Type, "image/") }

// Message is one message of a conversation's tree. Nothing is removed from it once it is complete.
type Message struct {
	ID             string        `json:"id"`
	ConversationID string        `json:"conversation_id"`
	AgentID        string        `json:"agent_id"`
	ParentID       string        `json:"parent_id"` // "" for a first message
	TurnID         string        `json:"turn_id"`   // id of the user message that began the turn
	Role           Role          `json:"role"`
	Speaker        string        `json:"speaker,omitempty"` // name of who spoke, where it is known from an import; "" = the role
	Content        string        `json:"content"`
	Preamble       string        `json:"preamble,omitempty"` // user only: date, deltas, recalled text, as sent before Content
	Thinking       string        `json:"thinking,omitempty"`
	ToolCalls      []ToolCall    `json:"tool_calls,omitempty"`
	ToolCallID     string        `json:"tool_call_id,omitempty"` // tool only: the call it answers
	ToolName       string        `json:"tool_name,omitempty"`
	Status         Status        `json:"status"`
	End            EndReason     `json:"end,omitempty"`
	Problem        *Problem      `json:"problem,omitempty"`
	Model          string        `json:"model,omitempty"`
	Usage          *Usage        `json:"usage,omitempty"`
	Tokens         int           `json:"tokens"`              // tokens of Content as counted for Model; 0 = not counted yet
	Siblings       []string      `json:"siblings"`            // ids of the alternatives at this place, itself among them; filled on reading a path
	RevisionIDs    []string      `json:"revision_ids"`        // changes to memory that this message caused; filled on reading a path
	Files          []MessageFile `json:"files,omitempty"`     // user only
	ClientID       string        `json:"client_id,omitempty"` // given by whoever sends a user message: sent again, it is not stored again
	CreatedAt      time.Time     `json:"created_at"`
}

// Archive holds passages.
type Archive struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Embedder  string    `json:"embedder"` // embedding model of its passages; "" = that of the settings
	CreatedAt time.Time `json:"created_at"`
}

// Passage is one unit of archival memory.
type Passage struct {
	ID        string    `json:"id"`
	ArchiveID string    `json:"archive_id"`
	Text      string    `json:"text"`
	Tags      []string  `json:"tags"`
	Origin    string    `json:"origin"` // id of the message it came from, "" when written by hand
	Version   int       `json:"version"`
	Embedded  bool      `json:"embedded"`            // has a vector for the present embedder
	DeletedAt time.Time `json:"deleted_at,omitzero"` // deleted with undo
	CreatedAt time.Time `json:"created_at"`          // the date the memory is about or was made; settable on import
	UpdatedAt time.Time `json:"updated_at"`

	OriginConversation string         `json:"origin_conversation,omitempty"` // the conversation of Origin; filled on reading
	Document           *DocumentPlace `json:"document,omitempty"`            // where it stands in its document; filled on reading
	Core               *EntryPlace    `json:"core,omitempty"`                // which entry of core memory it was; filled on reading
}

// PassageChange is a partial update of a passage, as BlockChange is of a block.
type PassageChange struct {
	Text      *string   `json:"text,omitempty"`
	Tags      *[]string `json:"tags,omitempty"`
	IfVersion int       `json:"if_version,omitempty"`
}

// PassagesChange is what is done to many passages at once: they are deleted, or tags are added and removed.
type PassagesChange struct {
	Delete     bool     `json:"delete,omitempty"`
	AddTags    []string `json:"add_tags,omitempty"`
	RemoveTags []string `json:"remove_tags,omitempty"`
}

// Apply returns the tags of a passage after the change, in their order. It fails with ELIMIT as ValidateTags does.
func (c PassagesChange) Apply(tags []string) ([]string, error) {
	kept := slices.DeleteFunc(slices.Clone(tags), func(tag string) bool { return slices.Contains(c.RemoveTags, tag) })
	return ValidateTags(append(kept, c.AddTags...))
}

// PassageState is what a change of many passages records of each: the part that it may change.
type PassageState struct {
	ID      string   `json:"id"`
	Deleted bool     `json:"deleted,omitempty"`
	Tags    []string `json:"tags"`
}

// Cause says who changes memory, why, and from where.
type Cause struct {
	Actor          Actor  `json:"actor"`
	Reason         string `json:"reason,omitempty"`
	AgentID        string `json:"agent_id,omitempty"`
	ConversationID string `json:"conversation_id,omitempty"`
	MessageID      string `json:"message_id,omitempty"` // the message it came from
	Start          int    `json:"start,omitempty"`      // range of characters in that message, [Start, End)
	End            int    `json:"end,omitempty"`
	ToolCallID     string `json:"tool_call_id,omitempty"`
}

// Subject says what a revision is about.
type Subject string

// The subjects of revisions.
const (
	SubjectBlock      Subject = "block"
	SubjectAttachment Subject = "attachment" // SubjectID is the block, Before/After list its agents
	SubjectPassage    Subject = "passage"
	SubjectPassages   Subject = "passages" // many at once: SubjectID is the archive, Before/After list a PassageState each
	SubjectDocument   Subject = "document" // Before/After are DocumentStates
	SubjectOrder      Subject = "order"    // SubjectID is the agent, Before/After list its blocks
	SubjectFact       Subject = "fact"
	SubjectFeedback   Subject = "feedback" // what the user wants with a memory that recall brought
)

// Revision is the immutable record of one change. Before and After are the JSON of the whole Block or Passage (or of
// the list that the subject names); "" before a creation and after a deletion.
type Revision struct {
	ID        string    `json:"id"`
	Subject   Subject   `json:"subject"`
	SubjectID string    `json:"subject_id"`
	Label     string    `json:"label"` // the block's label, or the beginning of the passage
	Before    string    `json:"before"`
	After     string    `json:"after"`
	Cause     Cause     `json:"cause"`
	Undoes    string    `json:"undoes,omitempty"`    // the revision that this one takes back
	UndoneBy  string    `json:"undone_by,omitempty"` // filled on reading
	CreatedAt time.Time `json:"created_at"`
}

// Prefix is the part of a conversation's prompt that stays byte for byte the same until the next rebase.
type Prefix struct {
	ConversationID string  `json:"conversation_id"`
	Generation     int     `json:"generation"` // one more with each rebase
	System         string  `json:"system"`     // the static system message with the core-memory snapshot
	Tools          string  `json:"tools"`      // JSON of the tool schemas, "" when the model has no tools
	Blocks         []Block `json:"blocks"`     // the snapshot; deltas are told against it
	Selection
	PreamblesFrom string    `json:"preambles_from"`       // preambles of messages before this id are no longer sent
	PagesFrom     string    `json:"pages_from,omitempty"` // what tools loaded before this id is no longer sent in full
	Model         string    `json:"model"`
	Window        int       `json:"window"` // tokens
	Reason        string    `json:"reason"` // why the rebase happened
	CreatedAt     time.Time `json:"created_at"`
}

// PartName names a part of the context window.
type PartName string

// The parts, in the order they are shown.
const (
	PartSystem   PartName = "system"
	PartTools    PartName = "tools"
	PartCore     PartName = "core"
	PartSummary  PartName = "summary"
	PartRecalled PartName = "recalled"
	PartMessages PartName = "messages"
	PartReserve  PartName = "reserve" // kept for the answer
	PartMargin   PartName = "margin"  // safety
)

// Part is one share of the window, in tokens. For reserve and margin Used equals Allowed.
type Part struct {
	Name    PartName `json:"name"`
	Allowed int      `json:"allowed"`
	Used    int      `json:"used"`
}

// Plan is the budget of one request. The sum of Used never exceeds Window.
type Plan struct {
	Window     int       `json:"window"`           // tokens
	Wanted     int       `json:"wanted,omitempty"` // tokens of the window that is set, where that did not fit into memory or the engine serves less
	Usable     int       `json:"usable"`           // Window − reserve − margin
	Parts      []Part    `json:"parts"`            //
	Prompt     int       `json:"prompt"`           // tokens of the whole prompt, estimated by us (all parts but reserve and margin)
	Cached     int       `json:"cached"`           // of these, expected in the engine's prefix cache
	Measured   int       `json:"measured"`         // what the engine counted of the prompt; 0 = nothing of it yet
	Exact      bool      `json:"exact"`            // counted with the model's own vocabulary
	NumPredict int       `json:"num_predict"`
	Messages   int       `json:"messages"` // messages inside the window
	First      string    `json:"first"`    // the oldest of them
	Evicted    int       `json:"evicted"`  // messages that this request moved out of the window
	Pins       int       `json:"pins"`     // tokens of what is pinned: blocks, messages, pages. They never leave to make room
	Recalled   int       `json:"recalled"` // memories that this request brings
	CreatedAt  time.Time `json:"created_at"`
}

// Standing returns the tokens that are there whatever is said: system prompt, tools, core memory and summary.
func (p Plan) Standing() (tokens int) {
	for _, part := range p.Parts {
		switch part.Name {
		case PartSystem, PartTools, PartCore, PartSummary:
			tokens += part.Used
		}
	}
	return tokens
}

// WithMeasured returns the plan of a request of which the engine has counted the beginning, that is Cached, with the last
// request and its answer. Our estimate of that beginning gives way, shared out over its parts as we had it.
func (p Plan) WithMeasured(n int) Plan {
	fresh := p.Prompt - p.Cached
	if n <= 0 || p.Cached <= 0 || n+fresh > p.Window {
		return p
	}
	p.Measured, p.Prompt, p.Parts = n, n+fresh, slices.Clone(p.Parts)
	rest, estimate := n-p.Cached, p.Cached
	for i := range p.Parts {
		part := &p.Parts[i]
		if part.Name == PartReserve || part.Name == PartMargin || estimate <= 0 {
			continue
		}
		known := part.Used
		if part.Name == PartMessages { // what is fresh is among them
			known -= min(fresh, known)
		}
		share := rest * known / estimate
		if part.Allowed == part.Used { // it is as large as it is
			part.Allowed += share
		}
		part.Used, rest, estimate = part.Used+share, rest-share, estimate-known
	}
	p.Cached = n
	return p
}

// ShareOut gives each item its share of what its part takes, so that items and plan say the same: Tokens are weights before.
func (p Plan) ShareOut(items []WindowItem) {
	for _, part := range p.Parts {
		left, weight := part.Used, 0
		for _, it := range items {
			if it.Part == part.Name {
				weight += it.Tokens
			}
		}
		for i := range items {
			it := &items[i]
			if it.Part != part.Name || weight == 0 {
				continue
			}
			own := it.Tokens
			it.Tokens = (left*own + weight/2) / weight
			left, weight = left-it.Tokens, weight-own
		}
	}
}

// Event is one numbered happening. Durable ones are also rows of the store, written in the transaction they report.
type Event struct {
	ID   string         `json:"id,omitempty"` // of the durable row, sorts by time
	Seq  uint64         `json:"seq"`          // number on the bus; 0 until published
	Type string         `json:"type"`
	At   time.Time      `json:"at"`
	Data map[string]any `json:"data"` // at most 4 KB as JSON; bodies are fetched
}
