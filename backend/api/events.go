package api

import (
	"recollect/backend/engine"
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/selftest"
)

// EventData names every type of event on the bus and the form of its data. The page's types are generated from it.
type EventData struct {
	// Durable: each is also a row of the store.
	BlockChanged        BlockChanged        `json:"block.changed"`
	AttachmentChanged   AttachmentChanged   `json:"attachment.changed"`
	OrderChanged        OrderChanged        `json:"order.changed"`
	PassageChanged      PassageChanged      `json:"passage.changed"`
	PassagesChanged     ManyPassagesChanged `json:"passages.changed"`
	FeedbackChanged     FeedbackChanged     `json:"feedback.changed"`
	FactChanged         FactChanged         `json:"fact.changed"`
	FactQuestion        FactAsked           `json:"fact.question"`
	DocumentChanged     DocumentChanged     `json:"document.changed"`
	AgentChanged        AgentChanged        `json:"agent.changed"`
	ArchiveChanged      ArchiveChanged      `json:"archive.changed"`
	ConversationChanged ConversationChanged `json:"conversation.changed"`
	WindowEvicted       WindowEvicted       `json:"window.evicted"`
	WindowRebased       WindowRebased       `json:"window.rebased"`
	WindowPaged         WindowPaged         `json:"window.paged"`
	CompactionPending   CompactionChanged   `json:"compaction.pending"`
	CompactionDone      CompactionChanged   `json:"compaction.done"`
	CompactionUndone    CompactionChanged   `json:"compaction.undone"`
	CompactionFailed    CompactionChanged   `json:"compaction.failed"`
	CompactionTried     CompactionChanged   `json:"compaction.tried"`
	WeightsChanged      WeightsChanged      `json:"weights.changed"`
	RecallDone          RecallDone          `json:"recall.done"`
	TurnFailed          TurnFailed          `json:"turn.failed"`
	SettingsChanged     SettingsChanged     `json:"settings.changed"`
	JobEnded            JobEnded            `json:"job.ended"`
	JobFailed           JobEnded            `json:"job.failed"`
	EmbedDone           EmbedDone           `json:"embed.done"`
	BackupDone          BackupDone          `json:"backup.done"`
	EngineFailed        EngineFailed        `json:"engine.failed"`
	// Transient: gone with the process.
	MessageCreated   MessageCreated   `json:"message.created"`
	MessageDelta     MessageDelta     `json:"message.delta"`
	MessageUpdated   MessageUpdated   `json:"message.updated"`
	TurnProgress     TurnProgress     `json:"turn.progress"`
	TurnDone         TurnDone         `json:"turn.done"`
	UsageNoted       UsageNoted       `json:"usage.noted"`
	EngineState      engine.Status    `json:"engine.state"`
	ModelProgress    ModelProgress    `json:"model.progress"`
	EmbedProgress    EmbedProgress    `json:"embed.progress"`
	EmbedTrouble     EmbedTrouble     `json:"embed.trouble"`
	SelftestProgress SelftestProgress `json:"selftest.progress"`
	Notice           Notice           `json:"notice"`
	Reset            Reset            `json:"reset"`
}

// MemoryChange is what the events of changes to memory have in common.
type MemoryChange struct {
	Label      string       `json:"label"` // of the block, the beginning of the passage, the name of the agent
	RevisionID string       `json:"revision_id"`
	Actor      memory.Actor `json:"actor"`
	MessageID  string       `json:"message_id,omitempty"` // the message that caused it
	Undoes     string       `json:"undoes,omitempty"`     // the revision that it takes back
	Created    bool         `json:"created,omitempty"`
	Deleted    bool         `json:"deleted,omitempty"`
}

// BlockChanged tells of a block that was created, changed or deleted.
type BlockChanged struct {
	MemoryChange
	BlockID  string   `json:"block_id"`
	AgentIDs []string `json:"agent_ids"`
}

// AttachmentChanged tells of a block that was attached or detached.
type AttachmentChanged struct {
	MemoryChange
	BlockID  string   `json:"block_id"`
	AgentIDs []string `json:"agent_ids"` // after the change
}

// OrderChanged tells that the blocks of an agent stand in another order.
type OrderChanged struct {
	MemoryChange
	AgentID string `json:"agent_id"`
}

// PassageChanged tells of a passage that was created, changed or deleted.
type PassageChanged struct {
	MemoryChange
	PassageID string `json:"passage_id"`
	ArchiveID string `json:"archive_id"`
}

// ManyPassagesChanged tells of passages that were changed together.
type ManyPassagesChanged struct {
	MemoryChange
	ArchiveID string `json:"archive_id"`
	Count     int    `json:"count"`
}

// FeedbackChanged tells that the user wants something else with a memory that recall brought.
type FeedbackChanged struct {
	MemoryChange
	AgentID string             `json:"agent_id"`
	Kind    string             `json:"kind"`
	ItemID  string             `json:"item_id"`
	Use     memory.FeedbackUse `json:"use"` // "" = taken back
}

// FactChanged tells of a fact that was created, changed or deleted. Without a fact, others are to be seen now: a branch was
// chosen, or a conversation deleted or brought back. Such an event is transient.
type FactChanged struct {
	MemoryChange
	FactID         string `json:"fact_id,omitempty"`
	AgentID        string `json:"agent_id"`
	ConversationID string `json:"conversation_id,omitempty"` // whose branch it is; without a fact only
}

// FactAsked tells of a question about a fact that came up, or was answered.
type FactAsked struct {
	QuestionID     string            `json:"question_id"`
	AgentID        string            `json:"agent_id"`
	ConversationID string            `json:"conversation_id"`
	MessageID      string            `json:"message_id"` // the user message under which it is asked
	Actor          memory.Actor      `json:"actor"`
	Answer         memory.FactAnswer `json:"answer"` // "" = it is open
}

// DocumentChanged tells of a document that was read, read anew or deleted.
type DocumentChanged struct {
	MemoryChange
	DocumentID string `json:"document_id"`
	ArchiveID  string `json:"archive_id"`
	Added      int    `json:"added"`   // passages that came
	Removed    int    `json:"removed"` // passages that went
}

// AgentChanged tells of an agent that was created, changed or deleted.
type AgentChanged struct {
	AgentID  string       `json:"agent_id"`
	Actor    memory.Actor `json:"actor,omitempty"`
	Created  bool         `json:"created,omitempty"`
	Deleted  bool         `json:"deleted,omitempty"`
	Label    string       `json:"label,omitempty"`    // name of one that was deleted; "" in old events
	Restored bool         `json:"restored,omitempty"` // it was brought back
}

// ArchiveChanged tells that an archive has another embedder.
type ArchiveChanged struct {
	ArchiveID string `json:"archive_id"`
	AgentID   string `json:"agent_id"` // whose archive it is
	Embedder  string `json:"embedder"` // "" = the app's
}

// ConversationChanged tells of a conversation that was created or changed.
type ConversationChanged struct {
	ConversationID string `json:"conversation_id"`
	AgentID        string `json:"agent_id"`
	Deleted        bool   `json:"deleted,omitempty"`
}

// WindowEvicted tells that messages left the window; they stay in the transcript.
type WindowEvicted struct {
	ConversationID string `json:"conversation_id"`
	Count          int    `json:"count"`
	Tokens         int    `json:"tokens"`
	First          string `json:"first"` // id of the oldest message that is still in
}

// WindowRebased tells that the static prefix of the prompt was written anew.
type WindowRebased struct {
	ConversationID string `json:"conversation_id"`
	Generation     int    `json:"generation"`
	Reason         string `json:"reason"`
	Tokens         int    `json:"tokens"`
}

// WindowPaged tells of something that the user put into a conversation's window, or took out of it.
type WindowPaged struct {
	ConversationID string          `json:"conversation_id"`
	Kind           memory.ItemKind `json:"kind"`
	ID             string          `json:"id"`
	Pinned         bool            `json:"pinned"`
	Out            bool            `json:"out"`
}

// CompactionChanged tells of a compaction that is in another state now: the last part of the event's type.
type CompactionChanged struct {
	CompactionID   string                `json:"compaction_id"`
	Kind           memory.CompactionKind `json:"kind"`
	AgentID        string                `json:"agent_id"`
	ConversationID string                `json:"conversation_id"` // of core: the conversation it was asked for in, "" for none
	Trigger        memory.Trigger        `json:"trigger"`
	Strategy       memory.Strategy       `json:"strategy"`
	Saved          int                   `json:"saved"`   // tokens
	Evicted        int                   `json:"evicted"` // messages that left the window
}

// WeightsChanged tells that an agent's scores learned something, or forgot it.
type WeightsChanged struct {
	AgentID string `json:"agent_id"`
}

// RecallDone tells that recall has searched for a message.
type RecallDone struct {
	MessageID      string `json:"message_id"`
	ConversationID string `json:"conversation_id"`
	Taken          int    `json:"taken"`
	Considered     int    `json:"considered"`
	Tokens         int    `json:"tokens"`
}

// UsageNoted tells that a model was called for something that is no answer.
type UsageNoted struct {
	AgentID        string          `json:"agent_id"`
	ConversationID string          `json:"conversation_id"` // "" = none
	Kind           memory.CallKind `json:"kind"`
}

// TurnFailed tells why a turn ended without an answer.
type TurnFailed struct {
	ConversationID string         `json:"conversation_id"`
	MessageID      string         `json:"message_id"`
	Problem        memory.Problem `json:"problem"`
}

// SettingsChanged names the setting that changed.
type SettingsChanged struct {
	Key string `json:"key"`
}

// JobEnded tells how a long piece of work ended: a pull, an import, the starter models.
type JobEnded struct {
	Job     string          `json:"job"` // its id
	Kind    jobs.Kind       `json:"kind"`
	Model   string          `json:"model"`
	State   jobs.State      `json:"state"`
	Problem *memory.Problem `json:"problem,omitempty"`
}

// EmbedDone tells that many memories got a vector.
type EmbedDone struct {
	Model string `json:"model"`
	Count int    `json:"count"`
}

// BackupDone tells of a backup, which was verified.
type BackupDone struct {
	Path  string       `json:"path"`
	Bytes int64        `json:"bytes"`
	Actor memory.Actor `json:"actor"`
}

// EngineFailed tells that the engine could not be used.
type EngineFailed struct {
	Problem memory.Problem `json:"problem"`
}

// MessageCreated tells of a new message; its text is fetched or follows as deltas.
type MessageCreated struct {
	ID             string      `json:"id"`
	ConversationID string      `json:"conversation_id"`
	Role           memory.Role `json:"role"`
	ParentID       string      `json:"parent_id"`
}

// DeltaKind says which text of a message grows.
type DeltaKind string

// The texts of a message that grow while it is written.
const (
	DeltaContent  DeltaKind = "content"
	DeltaThinking DeltaKind = "thinking"
)

// MessageDelta is the next piece of a message that is being written.
type MessageDelta struct {
	ID             string    `json:"id"`
	ConversationID string    `json:"conversation_id"`
	Kind           DeltaKind `json:"kind"`
	Offset         int       `json:"offset"` // Unicode code points of this text before the piece
	Text           string    `json:"text"`
}

// MessageUpdated tells that a message reached another state; fetch it.
type MessageUpdated struct {
	ID             string        `json:"id"`
	ConversationID string        `json:"conversation_id"`
	Status         memory.Status `json:"status"`
}

// Phase is a step of a turn.
type Phase string

// The phases of a turn.
const (
	PhaseQueued    Phase = "queued"    // another request comes first
	PhaseLoading   Phase = "loading"   // the model is being loaded
	PhaseRecalling Phase = "recalling" // memories are searched
	PhaseSearching Phase = "searching" // a model helps with that: Read is the round, Total how many there may be
	PhaseReading   Phase = "reading"   // the model reads the prompt
	PhaseWriting   Phase = "writing"
	PhaseTool      Phase = "tool"     // a tool runs; Detail is its name
	PhaseRetrying  Phase = "retrying" // the engine failed and is asked again
)

// TurnProgress tells where a turn is.
type TurnProgress struct {
	ConversationID string   `json:"conversation_id"`
	MessageID      string   `json:"message_id"` // the answer being written, "" before it exists
	Phase          Phase    `json:"phase"`
	Read           int      `json:"read"`       // tokens of the prompt read so far
	Total          int      `json:"total"`      // tokens of the prompt
	ETAMs          int64    `json:"eta_ms"`     // until the prompt is read, 0 = unknown
	ElapsedMs      int64    `json:"elapsed_ms"` //
	Detail         string   `json:"detail"`
	Queued         []string `json:"queued"` // messages of the user that wait behind this turn
}

// TurnDone tells that a turn has ended.
type TurnDone struct {
	ConversationID string        `json:"conversation_id"`
	MessageID      string        `json:"message_id"`
	Status         memory.Status `json:"status"`
}

// ModelProgress tells how far a job is.
type ModelProgress struct {
	Job            string          `json:"job"` // its id
	Kind           jobs.Kind       `json:"kind"`
	Model          string          `json:"model"`
	ArchiveID      string          `json:"archive_id,omitempty"`
	State          jobs.State      `json:"state"`
	Status         string          `json:"status"`
	Completed      int64           `json:"completed"`
	Total          int64           `json:"total"`
	BytesPerSecond float64         `json:"bytes_per_s"`
	ETASeconds     float64         `json:"eta_s"`
	Result         string          `json:"result,omitempty"`
	Revision       string          `json:"revision,omitempty"`
	Problem        *memory.Problem `json:"problem,omitempty"`
}

// EmbedProgress tells how many memories still wait for a vector.
type EmbedProgress struct {
	Pending int    `json:"pending"`
	Total   int    `json:"total"`
	Model   string `json:"model"`
}

// EmbedTrouble tells that an embedding model has begun to make no vectors, and why, or makes them again.
type EmbedTrouble struct {
	Model   string          `json:"model"`
	Problem *memory.Problem `json:"problem,omitempty"`
}

// SelftestProgress tells which task a model is tried on now.
type SelftestProgress struct {
	Model   string            `json:"model"`
	Task    string            `json:"task"`    // "" when all are done
	LimitS  int               `json:"limit_s"` // seconds after which the task is given up
	Done    int               `json:"done"`
	Total   int               `json:"total"`
	Results []selftest.Result `json:"results"` // of the tasks that are done
}

// NoticeLevel says how much a notice matters.
type NoticeLevel string

// The levels of notices.
const (
	NoticeInfo  NoticeLevel = "info"
	NoticeWarn  NoticeLevel = "warn"
	NoticeError NoticeLevel = "error"
)

// Notice is something to tell the user that belongs to no answer.
type Notice struct {
	Level NoticeLevel `json:"level"`
	Code  string      `json:"code"`
	Text  string      `json:"text"` // English; the page translates by Code
}

// Reset takes the place of events that are no longer there: fetch a snapshot.
type Reset struct{}
