package store

import (
	"time"

	"recollect/backend/memory"
)

// The kinds of things that can be searched.
const (
	KindMessage = "message"
	KindPassage = "passage"
	KindFact    = "fact" // found by key, by no index
)

// The two views of a text that are embedded: by itself, and with its date and its neighbours. A passage has no neighbours
// and only the first.
const (
	ViewOwn = "own"
	ViewCtx = "ctx"
)

// Ref names one searchable thing.
type Ref struct {
	Kind string `json:"kind"` // KindMessage or KindPassage
	ID   string `json:"id"`
}

// ConversationFilter selects conversations, pinned ones first, then the most recently used first.
type ConversationFilter struct {
	AgentID string            // "" = of all agents
	Query   string            // part of the title, or words of a message, the last of which may still be typed
	State   ConversationState // "" = the active ones
	Cursor  string            // "" or the cursor that the page before returned
	Limit   int               // 0 = 50
}

// ConversationState says in which of the lists a conversation stands.
type ConversationState string

// The states of conversations. All is every one that is not deleted.
const (
	ConversationActive   ConversationState = "active"
	ConversationArchived ConversationState = "archived"
	ConversationDeleted  ConversationState = "deleted"
	ConversationAll      ConversationState = "all"
)

// ConversationChange is a partial update of a conversation: nil fields stay.
type ConversationChange struct {
	Title    *string
	TitleBy  *memory.Actor // who gives the title; nil = the user
	Pinned   *bool
	Archived *bool
	Deleted  *bool // false takes a deletion back
}

// MessageFilter selects the messages of an agent, in all its conversations, by time and role, oldest first.
type MessageFilter struct {
	AgentID       string
	Roles         []memory.Role // empty = user and assistant
	After, Before time.Time     // [After, Before); zero = open
	Newest        bool          // newest first
	Cursor        string
	Limit         int // 0 = 50
}

// PassageFilter selects the passages of an archive, newest first.
type PassageFilter struct {
	ArchiveID     string
	Tags          []string
	TagMode       string    // "any" (also "") or "all"
	Origin        string    // OriginMessage, OriginHand or OriginDocument; "" = all
	After, Before time.Time // [After, Before); zero = open
	Cursor        string
	Limit         int // 0 = 50
}

// Where passages come from.
const (
	OriginMessage  = "message"  // taken from a message
	OriginHand     = "hand"     // written by the user
	OriginDocument = "document" // of a document
)

// TagCount says how many passages have a tag.
type TagCount struct {
	Tag   string `json:"tag"`
	Count int    `json:"count"`
}

// DeletedBlock is a block that was deleted, with the revision whose undo brings it back.
type DeletedBlock struct {
	memory.Block
	DeletedAt  time.Time `json:"deleted_at"`
	RevisionID string    `json:"revision_id"`
}

// RevisionFilter selects revisions, newest first. Empty fields do not restrict.
type RevisionFilter struct {
	Subject   memory.Subject
	SubjectID string
	AgentID   string // changes to blocks attached to the agent and to its archive, and changes that it made
	MessageID string
	Cursor    string
	Limit     int // 0 = 50
}

// EventFilter selects durable events, newest first. Empty fields do not restrict.
type EventFilter struct {
	Types          []string
	Actor          memory.Actor // who did it
	AgentID        string
	ConversationID string
	Query          string    // part of a label, of the text that was changed, of a model's name or of a problem
	After, Before  time.Time // [After, Before); zero = open
	Cursor         string
	Limit          int // 0 = 50
}

// StreamState is what has been received of a message so far: the whole of it, not the last piece.
type StreamState struct {
	Content  string
	Thinking string
}

// LexQuery asks for the texts that contain any of the terms, best first.
type LexQuery struct {
	AgentID   string        // messages of this agent; "" = no messages
	ArchiveID string        // passages of this archive; "" = no passages
	Terms     []string      // from segment.Query
	Kinds     []string      // empty = both
	Roles     []memory.Role // of messages; empty = all
	Tags      []string      // of passages; given, messages are left out
	TagMode   string        // "any" (also "") or "all"
	After     time.Time     // [After, Before); zero = open
	Before    time.Time
	Newest    bool // newest first: where nearly all texts have the terms, ranking them costs much and tells little
	Offset    int
	Limit     int // 0 = 50
}

// LexHit is a result of LexicalSearch.
type LexHit struct {
	Ref
	Rank           float64     // BM25 over the four columns; larger is better
	Start, End     int         // bytes of the text where the hit is; 0, 0 = the whole text
	ConversationID string      // of a message
	Role           memory.Role // of a message
	Date           time.Time
}

// VecQuery asks for the nearest neighbours of a vector.
type VecQuery struct {
	Model         string
	View          string // ViewOwn or ViewCtx
	Vector        []float32
	AgentID       string        // messages of this agent; "" = no messages
	ArchiveID     string        // passages of this archive; "" = no passages
	Kinds         []string      // empty = both
	Roles         []memory.Role // of messages; empty = all
	Tags          []string      // of passages; given, messages are left out
	TagMode       string        // "any" (also "") or "all"
	After, Before time.Time     // [After, Before); zero = open
	K             int           // 0 = 50
}

// VecHit is a result of VectorSearch.
type VecHit struct {
	Ref
	Cosine     float64 // −1 to 1; larger is nearer
	Start, End int     // bytes of the text where the hit is; 0, 0 = the whole text
}

// EmbedItem is a text that waits for its vector. The id of a piece of a long one ends in "#" and its number.
type EmbedItem struct {
	Ref
	View string // ViewOwn or ViewCtx
	Text string // what to embed, without the model's own prefix
}

// Embedding is the vector of one view of one thing. It need not be normalised.
type Embedding struct {
	Ref
	View   string
	Vector []float32
}

// EmbeddingSet says how far the embedding by one model has come. A thing counts once for each of its two views.
type EmbeddingSet struct {
	Model   string `json:"model"`
	Dim     int    `json:"dim"`
	Done    int    `json:"done"`
	Pending int    `json:"pending"`
}

// Item is a searchable thing with what recall needs to rank and show it.
type Item struct {
	Ref
	Text           string
	Role           memory.Role      // of a message
	End            memory.EndReason // of a message
	Speaker        string           // of a message, where it is known
	AgentID        string           // of a message or fact
	ConversationID string           // of a message
	ParentID       string           // of a message
	AfterID        string           // of a message: the newest that answers it
	Before, After  string           // of a message: beginnings of what was said before and after it
	TurnID         string           // of a message
	ArchiveID      string           // of a passage
	Origin         string           // of a passage or fact: the message it came from; of a message: itself
	Tags           []string         // of a passage
	Date           time.Time
	Document       *memory.DocumentPlace // of a passage of a document

	key int64
}

// Stats describes the database file.
type Stats struct {
	Path          string `json:"path"`
	Bytes         int64  `json:"bytes"` // of the file and its log
	Schema        int    `json:"schema"`
	Agents        int    `json:"agents"`
	Blocks        int    `json:"blocks"`
	Conversations int    `json:"conversations"`
	Messages      int    `json:"messages"`
	Passages      int    `json:"passages"`
	Revisions     int    `json:"revisions"`
	VectorBytes   int64  `json:"vector_bytes"` // held in memory by the vector cache
}
