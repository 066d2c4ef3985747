// Package api is the HTTP interface of the app: one handler for the desktop window, the browser and subcommands.
//
//go:generate go run ./typescript
package api

import (
	"time"

	"recollect/backend/agent"
	"recollect/backend/backups"
	"recollect/backend/doctor"
	"recollect/backend/engine"
	"recollect/backend/experiment"
	"recollect/backend/jobs"
	"recollect/backend/licences"
	"recollect/backend/memory"
	"recollect/backend/selftest"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// ProblemDetails is the body of every error, as application/problem+json (RFC 9457). Code is stable; Remedy is the key
// of the next step that the page offers as a button.
type ProblemDetails struct {
	Type   string `json:"type"`   // "about:blank"
	Title  string `json:"title"`  // text of the HTTP status
	Status int    `json:"status"` // HTTP status
	memory.Problem
}

// Health answers whether the app lives and which process it is.
type Health struct {
	OK      bool   `json:"ok"`
	Version string `json:"version"`
	PID     int    `json:"pid"`
}

// SessionCreate exchanges the token of the printed link for a cookie.
type SessionCreate struct {
	Token string `json:"token"`
}

// Snapshot is all that the page needs to show itself, and the number of the event it continues from.
type Snapshot struct {
	Epoch         string                `json:"epoch"` // numbers of another epoch cannot be compared
	Seq           uint64                `json:"seq"`   // read events after this one
	Version       string                `json:"version"`
	Reset         bool                  `json:"reset"`            // events since the asked number are gone: fetch what is shown anew
	Events        []memory.Event        `json:"events"`           // those since the asked number, unless Reset
	Damage        *memory.Problem       `json:"damage,omitempty"` // what a check of the database has found
	Engine        engine.Status         `json:"engine"`
	Settings      Settings              `json:"settings"`
	Agents        []memory.Agent        `json:"agents"`
	Sample        string                `json:"sample"`        // id of the agent that holds the sample life, "" = it is not loaded
	Conversations []memory.Conversation `json:"conversations"` // the newest
	Next          string                `json:"next"`          // cursor for more conversations
	Platform      Platform              `json:"platform"`
	Running       []TurnProgress        `json:"running"` // turns that run now
	Jobs          []jobs.Job            `json:"jobs"`
}

// Platform says where the app runs.
type Platform struct {
	OS      string `json:"os"`      // "linux", "darwin" or "windows"
	Desktop bool   `json:"desktop"` // in the app's own window: events come from it, links open outside
	Home    string `json:"home"`    // data folder
}

// Settings are the known settings; one that is absent has its default. The page may keep what it likes under "ui".
type Settings struct {
	Language       string          `json:"language,omitempty"`        // "en", "zh"; default: the system's
	Theme          string          `json:"theme,omitempty"`           // "light", "dark"; default: the system's
	Model          string          `json:"model,omitempty"`           // chat model of agents that name none
	Embedder       string          `json:"embedder,omitempty"`        // embedding model
	Window         int             `json:"window,omitempty"`          // context window in tokens; default: by memory and model
	CoreShare      float64         `json:"core_share,omitempty"`      // share of the window for core memory; default 0.25
	EngineHost     string          `json:"engine_host,omitempty"`     // address of the engine; default: look for one
	Threads        int             `json:"threads,omitempty"`         // of a chat model; default: the cores of this machine
	DailyBackups   *int            `json:"daily_backups,omitempty"`   // how many are kept, 0 = none are made; default 7
	VectorCacheMB  *int            `json:"vector_cache_mb,omitempty"` // memory for vectors, 0 = none
	SendKey        string          `json:"send_key,omitempty"`        // "enter" or "mod_enter"
	Notes          string          `json:"notes,omitempty"`           // "auto" (default): models without tools note what they are told; "off"
	Facts          string          `json:"facts,omitempty"`           // "on" (default): facts are read by rule in what the user says; "off"
	Summaries      string          `json:"summaries,omitempty"`       // whether a model summarises documents: "auto" (default): where that costs the chat and the machine little; "always", "off"
	DeepRecall     string          `json:"deep_recall,omitempty"`     // whether a model helps to recall: "auto" (default): where rules find too little; "always", "never"
	DeepSeconds    int             `json:"deep_seconds,omitempty"`    // that it may take; default 3
	CompactAt      float64         `json:"compact_at,omitempty"`      // share of the usable window from which on room is made in it; default 0.8
	CompactTo      float64         `json:"compact_to,omitempty"`      // share that a prompt may have afterwards; default 0.6
	Compaction     memory.Strategy `json:"compaction,omitempty"`      // how: "auto" (default), "sliding_window", "priority" or "summary"
	WindowMessages int             `json:"window_messages,omitempty"` // that a sliding window keeps; default 20
	PageTurns      int             `json:"page_turns,omitempty"`      // turns that what was paged in stays; default 6
	TextSize       int             `json:"text_size,omitempty"`       // size of the page's text in percent, 80 to 200; default 100
	Notifications  *bool           `json:"notifications,omitempty"`   // tell when long work ended while the window is not in front; default true
	UI             map[string]any  `json:"ui,omitempty"`              // kept for the page
}

// Agents is a list of agents.
type Agents struct {
	Agents []memory.Agent `json:"agents"`
	Sample string         `json:"sample"` // id of the one that holds the sample life, "" = it is not loaded
}

// AgentCreate makes an agent with the blocks persona and human. Absent fields have the defaults of memory.Agent.
type AgentCreate struct {
	Name        string      `json:"name,omitempty"` // default "Recollect"
	Model       string      `json:"model,omitempty"`
	Window      int         `json:"window,omitempty"`
	CoreShare   float64     `json:"core_share,omitempty"`
	MaxSteps    int         `json:"max_steps,omitempty"`
	Temperature *float64    `json:"temperature,omitempty"`
	Thinking    *bool       `json:"thinking,omitempty"`
	Language    string      `json:"language,omitempty"`
	ToolsOff    []string    `json:"tools_off,omitempty"`
	Room        memory.Room `json:"room,omitzero"`
	Persona     string      `json:"persona,omitempty"`  // text of the block persona; default: the plain assistant's
	Human       string      `json:"human,omitempty"`    // block human of another agent, for both; default: an empty one of its own
	Embedder    string      `json:"embedder,omitempty"` // embedding model of its archive; default: that of the settings
}

// Personas are templates for the block persona, the plain assistant first.
type Personas struct {
	Personas []agent.Persona `json:"personas"`
}

// AgentClone makes another agent with the same settings and an archive of its own. With Shared it has the very blocks
// of the agent, else copies of them.
type AgentClone struct {
	Name   string `json:"name"`
	Shared bool   `json:"shared,omitempty"`
}

// SampleLoad asks for the sample life in a language.
type SampleLoad struct {
	Language string `json:"language"` // "en" or "zh"
}

// SampleState is the sample life that is loaded.
type SampleState struct {
	Sample *store.Sample `json:"sample"` // null = it is not
}

// Tools is a list of the tools that a model can be given.
type Tools struct {
	Tools []Tool `json:"tools"`
}

// Tool is something that a model can do in its turn.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description"` // as the model reads it
}

// AgentChange is a partial update of an agent: absent fields stay. Default names fields to set back to their default.
type AgentChange struct {
	Name        *string      `json:"name,omitempty"`
	Model       *string      `json:"model,omitempty"`
	Window      *int         `json:"window,omitempty"`
	CoreShare   *float64     `json:"core_share,omitempty"`
	MaxSteps    *int         `json:"max_steps,omitempty"`
	Temperature *float64     `json:"temperature,omitempty"`
	Thinking    *bool        `json:"thinking,omitempty"`
	Language    *string      `json:"language,omitempty"`
	ToolsOff    *[]string    `json:"tools_off,omitempty"` // replaces the list; [] turns all tools on
	Room        *memory.Room `json:"room,omitempty"`      // replaces all of it
	Deleted     *bool        `json:"deleted,omitempty"`   // false takes a deletion back, and goes alone
	Default     []string     `json:"default,omitempty"`   // of "temperature", "thinking"
}

// Core is an agent's core memory and how full it is. Budget is the one denominator of gauge, warning and compaction.
type Core struct {
	Blocks []CoreBlock `json:"blocks"` // in the order they are shown
	Tokens int         `json:"tokens"` // of all blocks as they stand in the prompt
	Budget int         `json:"budget"` // tokens that core memory may take
	Window int         `json:"window"` // tokens
	Share  float64     `json:"share"`  // Budget as a share of Window
	Warn   float64     `json:"warn"`   // share of Budget from which the gauge warns
	Exact  bool        `json:"exact"`  // counted with the model's own vocabulary
}

// CoreBlock is a block with its size.
type CoreBlock struct {
	memory.Block
	Tokens int      `json:"tokens"` // as it stands in the prompt
	Chars  int      `json:"chars"`  // characters of the value, to compare with Limit
	Agents []string `json:"agents"` // ids of the agents that it is attached to
}

// CoreDraft is a block as it would be with another value.
type CoreDraft struct {
	BlockID string `json:"block_id"`
	Value   string `json:"value"`
}

// CoreCount is how large a block, and core memory with it, would be.
type CoreCount struct {
	Tokens int  `json:"tokens"` // of the block as it stands in the prompt
	Total  int  `json:"total"`  // of all blocks of the agent
	Budget int  `json:"budget"` // tokens that core memory may take
	Exact  bool `json:"exact"`  // counted with the model's own vocabulary
}

// Blocks is a list of blocks. Their tokens are counted for the agent that was asked for, else for the first.
type Blocks struct {
	Blocks []CoreBlock `json:"blocks"`
	Exact  bool        `json:"exact"` // counted with the model's own vocabulary
}

// BlockOrder lists all blocks of an agent in the order in which they are shown and stand in the prompt.
type BlockOrder struct {
	BlockIDs []string `json:"block_ids"`
}

// DeletedBlocks are blocks that can be brought back by an undo of the revision that each names, the last deleted first.
type DeletedBlocks struct {
	Blocks []DeletedBlock `json:"blocks"`
}

// DeletedBlock is a block that was deleted.
type DeletedBlock struct {
	memory.Block
	DeletedAt  time.Time `json:"deleted_at"`
	RevisionID string    `json:"revision_id"` // its undo brings the block back
}

// BlockCreate makes a block and attaches it.
type BlockCreate struct {
	Label       string   `json:"label"`
	Value       string   `json:"value,omitempty"`
	Description string   `json:"description,omitempty"`
	Limit       int      `json:"limit,omitempty"` // characters; 0 = memory.DefaultBlockLimit
	ReadOnly    bool     `json:"read_only,omitempty"`
	Pinned      bool     `json:"pinned,omitempty"`
	Tags        []string `json:"tags,omitempty"`
}

// Changed is a block after a change, with the revision that records it.
type Changed struct {
	Block    memory.Block    `json:"block"`
	Revision memory.Revision `json:"revision"`
}

// Revised holds the revision that records a change.
type Revised struct {
	Revision memory.Revision `json:"revision"`
}

// Revisions is a page of revisions, newest first.
type Revisions struct {
	Revisions []memory.Revision `json:"revisions"`
	Next      string            `json:"next"` // cursor of the next page, "" = this is the last
}

// Conversations is a page of conversations, the last used first, pinned ones before the others. Matches are where those
// that were searched for say it, but for those whose title alone does.
type Conversations struct {
	Conversations []memory.Conversation      `json:"conversations"`
	Matches       []memory.ConversationMatch `json:"matches"`
	Next          string                     `json:"next"`
}

// ConversationCreate begins a conversation. Without a title it gets one from its first message.
type ConversationCreate struct {
	AgentID string `json:"agent_id"`
	Title   string `json:"title,omitempty"`
}

// ConversationChange is a partial update of a conversation: absent fields stay.
type ConversationChange struct {
	Title    *string `json:"title,omitempty"`
	Pinned   *bool   `json:"pinned,omitempty"`
	Archived *bool   `json:"archived,omitempty"`
	Deleted  *bool   `json:"deleted,omitempty"` // false takes a deletion back
}

// Messages is a stretch of the visible branch, oldest first.
type Messages struct {
	Messages []memory.Message `json:"messages"`
	More     bool             `json:"more"`   // there are older ones
	Newer    bool             `json:"newer"`  // there are newer ones
	Around   string           `json:"around"` // the message that the stretch was asked for around, "" = none
}

// Found is where words stand in a conversation.
type Found struct {
	MessageIDs []string `json:"message_ids"` // oldest first
}

// MessageCreate is a message of the user. ClientID makes sending it again after a lost answer harmless.
type MessageCreate struct {
	Content  string       `json:"content"`
	ClientID string       `json:"client_id,omitempty"`
	Files    []FileCreate `json:"files,omitempty"`
}

// FileCreate is a file for one message: a text in UTF-8, or an image in PNG, JPEG or WebP.
type FileCreate struct {
	Name    string `json:"name"`
	Content []byte `json:"content"` // base64
}

// MessageEdit is the new text of a user message; it begins a branch.
type MessageEdit struct {
	Content string `json:"content"`
}

// Regenerate says how a message is answered again.
type Regenerate struct {
	Deep bool `json:"deep,omitempty"` // a model helps to recall for it
}

// RecallTry asks what recall would bring for a text.
type RecallTry struct {
	Text           string `json:"text"`
	ConversationID string `json:"conversation_id,omitempty"` // "" = a new one
	Deep           bool   `json:"deep,omitempty"`            // a model helps
}

// FeedbackSet says what the user wants with a memory.
type FeedbackSet struct {
	Kind           string             `json:"kind"`
	ItemID         string             `json:"item_id"`
	Use            memory.FeedbackUse `json:"use"`                       // "" takes the wish back
	ConversationID string             `json:"conversation_id,omitempty"` // of never
	MessageID      string             `json:"message_id,omitempty"`      // whose receipt it was given on
}

// FeedbackResult is the wish as it is stored. Where nothing was changed, the revision is empty.
type FeedbackResult struct {
	Feedback memory.Feedback `json:"feedback"`
	Revision memory.Revision `json:"revision"`
}

// FeedbackList are the wishes about the memories of an agent, the newest first.
type FeedbackList struct {
	Feedback []memory.Feedback `json:"feedback"`
}

// Facts is a page of what is known: by subject, the user first, and key; of each what is true now first.
type Facts struct {
	Facts  []memory.Fact     `json:"facts"`
	Groups []store.FactGroup `json:"groups"` // of all facts of the agent
	Next   string            `json:"next"`
}

// FactKeys are the keys that the rules know.
type FactKeys struct {
	Keys []FactKey `json:"keys"`
}

// FactKey is a key of facts.
type FactKey struct {
	Key  string `json:"key"`
	Many bool   `json:"many"` // it holds several values at once
}

// FactCreate is a fact written by hand.
type FactCreate struct {
	Subject   string     `json:"subject,omitempty"` // default "user"
	Key       string     `json:"key"`
	Value     string     `json:"value"`
	Many      bool       `json:"many,omitempty"`       // true beside what is known under the key, where that holds one value
	ValidFrom *time.Time `json:"valid_from,omitempty"` // default: now, where it has no end
	EndedAt   *time.Time `json:"ended_at,omitempty"`   // it is over since then: it replaces nothing
	Pinned    bool       `json:"pinned,omitempty"`
}

// FactResult is a fact as it is stored. Where nothing was changed, the revision is empty.
type FactResult struct {
	Fact     memory.Fact     `json:"fact"`
	Revision memory.Revision `json:"revision"`
}

// FactDetail is a fact, and everything that is known of the same thing: what is true now, then what was true last.
type FactDetail struct {
	Fact    memory.Fact   `json:"fact"`
	History []memory.Fact `json:"history"`
}

// Questions are what the user is asked about facts, the newest first.
type Questions struct {
	Questions []memory.FactQuestion `json:"questions"`
}

// QuestionAnswer is the user's answer.
type QuestionAnswer struct {
	Answer memory.FactAnswer `json:"answer"`
}

// QuestionResult is the answered question, and the changes to memory that the answer made.
type QuestionResult struct {
	Question  memory.FactQuestion `json:"question"`
	Revisions []memory.Revision   `json:"revisions"`
}

// MessageResult is the message that a request made.
type MessageResult struct {
	Message memory.Message `json:"message"`
}

// Stopped says whether there was a turn to stop.
type Stopped struct {
	Stopped bool `json:"stopped"`
}

// TokenMeasure is a text to measure in tokens.
type TokenMeasure struct {
	Text  string `json:"text"`
	Model string `json:"model"` // whose tokens are counted beside those that many people know; "" = of none
}

// TokensMeasured is a text measured in several ways.
type TokensMeasured struct {
	Model string `json:"model"`
	tokens.Ruler
}

// ForgetRun says how the forgetting experiment is made.
type ForgetRun struct {
	Turns int    `json:"turns"` // how many there are; 0 = 100
	Model string `json:"model"` // that is asked; "" = none: only what it would be sent is looked at
}

// CompareRun says how strategies are compared.
type CompareRun struct {
	Model    string           `json:"model"`    // that sums up; "" = none
	Embedder string           `json:"embedder"` // that recall finds with, as the app does; "" = none: it finds by words
	Chat     *experiment.Chat `json:"chat"`     // null = the built-in one
}

// ModelCalls is a page of model calls, the newest first.
type ModelCalls struct {
	Calls []memory.ModelCall `json:"calls"`
	Next  string             `json:"next"`
}

// Draft is text in the composer.
type Draft struct {
	Draft string `json:"draft"`
}

// Passages is a page of passages, newest first; or the passages that a text was stored as, in its order.
type Passages struct {
	Passages []memory.Passage `json:"passages"`
	Next     string           `json:"next"`
}

// Archives are all archives, the oldest first.
type Archives struct {
	Archives []ArchiveState `json:"archives"`
}

// ArchiveState is an archive with whose it is and how far it can be searched by meaning.
type ArchiveState struct {
	memory.Archive
	Agents []string     `json:"agents"` // ids of the agents whose archive it is
	Index  ArchiveIndex `json:"index"`
}

// ArchiveIndex says how far an archive can be searched by meaning.
type ArchiveIndex struct {
	Model   string          `json:"model"`             // that embeds it: its own, else that of the settings; "" = none
	Serving string          `json:"serving"`           // whose vectors are searched: another one as long as Model has not embedded everything
	Total   int             `json:"total"`             // texts, or pieces of long ones
	Pending int             `json:"pending"`           // of these, those that have no vector by Model yet
	Problem *memory.Problem `json:"problem,omitempty"` // why Model makes none
}

// ArchiveChange is a partial update of an archive: absent fields stay.
type ArchiveChange struct {
	Embedder *string `json:"embedder,omitempty"` // an embedding model; "" = that of the settings
}

// PassageCreate stores a text in an agent's archive; a long one becomes several passages.
type PassageCreate struct {
	AgentID   string     `json:"agent_id"`
	Text      string     `json:"text"`
	Tags      []string   `json:"tags,omitempty"`
	Origin    string     `json:"origin,omitempty"` // id of the message it is taken from
	CreatedAt *time.Time `json:"created_at,omitempty"`
}

// PassageIDs are all passages of a list, in its order, without their texts.
type PassageIDs struct {
	IDs []string `json:"ids"`
}

// BulkChange does the same to many passages of an agent's archive, with one undo for all.
type BulkChange struct {
	AgentID string   `json:"agent_id"`
	IDs     []string `json:"ids"`
	Act     string   `json:"act,omitempty"` // the revision of the change that this one goes on with: one undo takes back both
	memory.PassagesChange
}

// PassagesChanged tells how many passages were changed. Where there were none, the revision is empty.
type PassagesChanged struct {
	Revision memory.Revision `json:"revision"`
	Count    int             `json:"count"`
}

// Tags are the tags of an archive's passages, the most used first.
type Tags struct {
	Tags []Tag `json:"tags"`
}

// Tag says how many passages have a tag.
type Tag struct {
	Tag   string `json:"tag"`
	Count int    `json:"count"`
}

// Hits is a page of search results, best first.
type Hits struct {
	Hits []memory.Candidate `json:"hits"`
	Next string             `json:"next"`
}

// Models are the installed models and some that could be fetched.
type Models struct {
	Models      []engine.Model  `json:"models"`
	MemoryBytes int64           `json:"memory_bytes"` // of this machine, 0 = unknown
	Cores       int             `json:"cores"`        // of this machine, as far as a model's threads may use them
	Suggestions []Suggestion    `json:"suggestions"`
	Embedders   []EmbedderOffer `json:"embedders"`
}

// WindowCost is the memory that a context window takes with a model, estimated.
type WindowCost struct {
	Bytes      int64  `json:"bytes"`       // of the window alone, in all its caches
	NeedBytes  int64  `json:"need_bytes"`  // with the model
	TokenBytes int64  `json:"token_bytes"` // for each token in each cache; 0 = unknown
	Caches     int    `json:"caches"`      // prompt caches that the engine keeps, each as large as the window
	Fits       string `json:"fits"`        // "yes", "tight", "no", "" = unknown
	Trained    int    `json:"trained"`     // tokens that the model was trained for, 0 = unknown
	Largest    int    `json:"largest"`     // the largest window that fits well, 0 = unknown or none
}

// Suggestion is a model worth fetching.
type Suggestion struct {
	Name      string   `json:"name"`
	Bytes     int64    `json:"bytes"`      // to download
	NeedBytes int64    `json:"need_bytes"` // memory, estimated at the default window
	Fits      string   `json:"fits"`       // "yes", "tight", "no", "" = unknown
	Languages []string `json:"languages"`  // what it writes well: "en", "zh"
	Embedding bool     `json:"embedding"`
	NoteKey   string   `json:"note_key"` // key of a text in the page
	License   string   `json:"license"`
	Installed bool     `json:"installed"`
}

// EmbedderOffer is an embedding model to choose, and how well it finds memories here.
type EmbedderOffer struct {
	Name      string   `json:"name"`
	Bytes     int64    `json:"bytes"`     // to download
	Languages []string `json:"languages"` // in which it searches
	English   *float64 `json:"english"`   // share of the right memories among the ten first, LoCoMo; null = not measured
	Chinese   *float64 `json:"chinese"`   // the same of MADial-Bench
	Library   bool     `json:"library"`   // can be fetched from the public library; the other comes with the app
	Installed bool     `json:"installed"`
}

// ModelPull names the model to fetch.
type ModelPull struct {
	Name string `json:"name"`
	Use  bool   `json:"use,omitempty"` // once it is there it becomes the chat model of the settings, or the embedder if it is one
}

// ModelImport takes in a model file (GGUF) of this machine. A file can also be sent as multipart/form-data with the
// fields "name", "use" ("true") and then "file".
type ModelImport struct {
	Path string `json:"path"`
	Name string `json:"name"`
	Use  bool   `json:"use,omitempty"` // as of ModelPull
}

// JobResult is the job that a request started.
type JobResult struct {
	Job jobs.Job `json:"job"`
}

// Jobs is a list of jobs, newest first.
type Jobs struct {
	Jobs []jobs.Job `json:"jobs"`
}

// Documents is a page of the documents of an archive, newest first.
type Documents struct {
	Documents []memory.Document `json:"documents"`
	Next      string            `json:"next"`
}

// DocumentsAdd names files on this machine that are to be read into the archive of an agent.
type DocumentsAdd struct {
	AgentID    string   `json:"agent_id"`
	Paths      []string `json:"paths"`                 // whole paths
	DocumentID string   `json:"document_id,omitempty"` // the one file is another form of this document
}

// DocumentPage is what stands on a page of a document.
type DocumentPage struct {
	Document memory.Document      `json:"document"`
	Page     int                  `json:"page"`
	Parts    []store.DocumentPart `json:"parts"` // its passages, each word once
}

// DocumentHits are the passages of a document that contain a text, in order.
type DocumentHits struct {
	Hits []DocumentHit `json:"hits"`
	More bool          `json:"more"` // there are more than are listed
}

// DocumentHit is a passage of a document that contains a text.
type DocumentHit struct {
	PassageID string `json:"passage_id"`
	Page      int    `json:"page"`
	Text      string `json:"text"` // around the place
}

// Activity is a page of durable events, newest first.
type Activity struct {
	Events []memory.Event `json:"events"`
	Next   string         `json:"next"`
}

// BackupCreate says where a backup goes; without a path it goes into the data folder.
type BackupCreate struct {
	Path string `json:"path,omitempty"`
}

// Backup is a finished backup. Verified: it was read again as a whole and is sound; one that is not is never kept.
type Backup struct {
	Path     string `json:"path"`
	Bytes    int64  `json:"bytes"`
	Verified bool   `json:"verified"`
}

// Backups are the copies of the database that lie beside it, the newest first.
type Backups struct {
	Folder  string         `json:"folder"`
	Backups []backups.File `json:"backups"`
}

// BackupVerify names a backup of the list.
type BackupVerify struct {
	Name string `json:"name"`
}

// Licences are those of the software of others that is in the program.
type Licences struct {
	Parts []licences.Part `json:"parts"`
}

// EngineLog is the end of what our own engine has logged; there is nothing of an engine that runs without us.
type EngineLog struct {
	Text string `json:"text"`
}

// SelftestRun names the chat model to try; "" = the one in use.
type SelftestRun struct {
	Model string `json:"model,omitempty"`
}

// Selftest is how a model did each task that needs one.
type Selftest struct {
	Model   string            `json:"model"`
	Results []selftest.Result `json:"results"`
}

// Doctor is what the doctor found.
type Doctor struct {
	Checks []doctor.Check `json:"checks"`
}

// OpenURL asks the desktop to open a link outside.
type OpenURL struct {
	URL string `json:"url"`
}

// Focused says whether there was a window to bring to the front.
type Focused struct {
	Window bool   `json:"window"`
	URL    string `json:"url"` // link for a browser, "" = none
}

// FileKind says what a dialog is for.
type FileKind string

// The kinds of dialogs.
const (
	FileModel    FileKind = "model"    // a GGUF file
	FileDatabase FileKind = "database" // a backup
	FileFolder   FileKind = "folder"
	FileDocument FileKind = "document" // documents, several at once
)

// PathChoose asks the window for the system's dialog.
type PathChoose struct {
	Kind FileKind `json:"kind"`
}

// FileSave asks the window for the system's dialog for saving text.
type FileSave struct {
	Name string `json:"name"` // proposed, without a folder
	Text string `json:"text"`
}

// Chosen is what the user chose in a dialog.
type Chosen struct {
	Path  string   `json:"path"`            // "" = nothing
	Paths []string `json:"paths,omitempty"` // of documents
}

// Dropped are files that were dropped on the window.
type Dropped struct {
	Files []DroppedFile `json:"files"`
}

// DroppedFile is one of them.
type DroppedFile struct {
	Name  string `json:"name"`
	Path  string `json:"path"`
	Bytes int64  `json:"bytes"`
	Data  string `json:"data"` // base64; empty for a file of more than 32 MB
}

// Menu is what the page can do, for the menu bar of the system.
type Menu struct {
	Groups []MenuGroup `json:"groups"`
}

// MenuGroup is one menu of the bar.
type MenuGroup struct {
	Title string     `json:"title"`
	Items []MenuItem `json:"items"`
}

// MenuItem is an action of the page.
type MenuItem struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Keys  string `json:"keys"` // shortcut such as "cmdorctrl+shift+o"; "" = none
}

// Notification is shown by the system while the window is not in front.
type Notification struct {
	Title string `json:"title"`
	Body  string `json:"body"`
	Route string `json:"route"` // of the page that a click leads to, such as "#/c/ID"
}

// LoginStart is whether the app starts when the user logs in.
type LoginStart struct {
	Enabled  bool `json:"enabled"`
	Possible bool `json:"possible"`
}

// LoginStartSet switches the start at login.
type LoginStartSet struct {
	Enabled bool `json:"enabled"`
}

// DataFolder is where the data is and how much there is.
type DataFolder struct {
	Path    string          `json:"path"`
	Bytes   int64           `json:"bytes"`             // of the app's own files in it
	Free    int64           `json:"free"`              // bytes that its disk still takes; 0 = not known
	Movable bool            `json:"movable"`           // it can be moved from here
	Problem *memory.Problem `json:"problem,omitempty"` // why the last move did not happen; nothing was lost
}

// DataErase asks for the erasure of everything but the models.
type DataErase struct {
	Name string `json:"name"` // "Recollect", typed by the user
}

// DataMove moves the data folder to an empty or new folder. The app starts anew at the end.
type DataMove struct {
	Path string `json:"path"`
}
