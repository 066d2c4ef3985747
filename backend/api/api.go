package api

import (
	"context"
	"encoding/json"
	"io/fs"
	"net/http"
	"sync"
	"time"

	"recollect/backend/agent"
	"recollect/backend/bus"
	"recollect/backend/doctor"
	"recollect/backend/engine"
	"recollect/backend/ingest/library"
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/monitor"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// Store is what the API needs of the database.
type Store interface {
	agent.Maker
	Agent(ctx context.Context, id string) (memory.Agent, error)
	Agents(ctx context.Context) ([]memory.Agent, error)
	UpdateAgent(ctx context.Context, id string, change func(*memory.Agent) error) (memory.Agent, error)
	CloneAgent(ctx context.Context, id, name string, shared bool, c memory.Cause) (memory.Agent, error)
	DeleteAgent(ctx context.Context, id string, c memory.Cause) error
	RestoreAgent(ctx context.Context, id string, c memory.Cause) (memory.Agent, error)
	DeletedAgents(ctx context.Context) ([]memory.Agent, error)

	Archives(ctx context.Context) ([]memory.Archive, error)
	Archive(ctx context.Context, id string) (memory.Archive, error)
	SetArchiveEmbedder(ctx context.Context, id, model string) (memory.Archive, error)

	UpdateBlock(ctx context.Context, id string, change memory.BlockChange, c memory.Cause) (memory.Block, memory.Revision, error)
	DeleteBlock(ctx context.Context, id string, c memory.Cause) (memory.Revision, error)
	AttachBlock(ctx context.Context, blockID, agentID string, c memory.Cause) (memory.Revision, error)
	AttachInPlace(ctx context.Context, blockID, agentID string, c memory.Cause) (memory.Revision, error)
	DetachBlock(ctx context.Context, blockID, agentID string, c memory.Cause) (memory.Revision, error)
	Block(ctx context.Context, id string) (memory.Block, error)
	Blocks(ctx context.Context, agentID string) ([]memory.Block, error)
	BlockAgents(ctx context.Context, blockID string) ([]string, error)
	OrderBlocks(ctx context.Context, agentID string, blockIDs []string, c memory.Cause) (memory.Revision, error)
	DeletedBlocks(ctx context.Context, limit int) ([]store.DeletedBlock, error)

	CreatePassages(ctx context.Context, passages []memory.Passage, c memory.Cause) ([]memory.Passage, error)
	UpdatePassage(ctx context.Context, id string, change memory.PassageChange, c memory.Cause) (memory.Passage, memory.Revision, error)
	DeletePassage(ctx context.Context, id string, c memory.Cause) (memory.Revision, error)
	Passage(ctx context.Context, id string) (memory.Passage, error)
	ListPassages(ctx context.Context, f store.PassageFilter) ([]memory.Passage, string, error)
	PassageIDs(ctx context.Context, f store.PassageFilter) ([]string, error)
	PassagesByID(ctx context.Context, ids []string) ([]memory.Passage, error)
	PassageTags(ctx context.Context, archiveID string) ([]store.TagCount, error)
	ChangePassages(ctx context.Context, archiveID string, ids []string, change memory.PassagesChange, c memory.Cause, act string) (memory.Revision, int, error)

	Document(ctx context.Context, id string) (memory.Document, error)
	Documents(ctx context.Context, f store.DocumentFilter) ([]memory.Document, string, error)
	DocumentPage(ctx context.Context, id string, page int) ([]store.DocumentPart, error)
	FindInDocument(ctx context.Context, id, query string, limit int) ([]store.DocumentPart, error)
	DeleteDocument(ctx context.Context, id string, c memory.Cause) (memory.Revision, error)

	Revisions(ctx context.Context, f store.RevisionFilter) ([]memory.Revision, string, error)
	Revision(ctx context.Context, id string) (memory.Revision, error)
	Undo(ctx context.Context, revisionID string, c memory.Cause) (memory.Revision, error)

	CreateConversation(ctx context.Context, c memory.Conversation) (memory.Conversation, error)
	Conversation(ctx context.Context, id string) (memory.Conversation, error)
	Conversations(ctx context.Context, f store.ConversationFilter) ([]memory.Conversation, string, error)
	SearchConversations(ctx context.Context, f store.ConversationFilter) ([]memory.Conversation, []memory.ConversationMatch, string, error)
	UpdateConversation(ctx context.Context, id string, change store.ConversationChange) (memory.Conversation, error)
	Message(ctx context.Context, id string) (memory.Message, error)
	Path(ctx context.Context, leafID string, limit int, before string) ([]memory.Message, error)
	PathAround(ctx context.Context, leafID, messageID string, before, after int) (store.Stretch, error)
	MessageAt(ctx context.Context, leafID string, at time.Time) (string, error)
	FindInBranch(ctx context.Context, leafID, query string) ([]string, error)
	Receipt(ctx context.Context, userMessageID string) (memory.Receipt, error)
	CreateFact(ctx context.Context, f memory.Fact, c memory.Cause) (memory.Fact, memory.Revision, error)
	UpdateFact(ctx context.Context, id string, change memory.FactChange, c memory.Cause) (memory.Fact, memory.Revision, error)
	DeleteFact(ctx context.Context, id string, c memory.Cause) (memory.Revision, error)
	Fact(ctx context.Context, id string) (memory.Fact, error)
	Facts(ctx context.Context, f store.FactFilter) ([]memory.Fact, string, error)
	FactGroups(ctx context.Context, agentID string) ([]store.FactGroup, error)
	FactHistory(ctx context.Context, id string) ([]memory.Fact, error)
	FactQuestions(ctx context.Context, agentID, messageID string, open bool) ([]memory.FactQuestion, error)
	AnswerFact(ctx context.Context, id string, answer memory.FactAnswer, c memory.Cause) (memory.FactQuestion, []memory.Revision, error)
	SetFeedback(ctx context.Context, f memory.Feedback, c memory.Cause) (memory.Feedback, memory.Revision, error)
	Feedback(ctx context.Context, agentID string) ([]memory.Feedback, error)
	PlanOf(ctx context.Context, messageID string) (memory.Plan, error)
	Compaction(ctx context.Context, id string) (memory.Compaction, error)
	Compactions(ctx context.Context, f store.CompactionFilter) ([]memory.Compaction, string, error)
	CoreWeights(ctx context.Context, agentID string) (memory.CompactionWeights, error)
	ChangeCoreWeights(ctx context.Context, agentID string, change func(memory.CompactionWeights) memory.CompactionWeights) error
	DeletePage(ctx context.Context, conversationID string, kind memory.ItemKind, id string) error
	Prompt(ctx context.Context, messageID string) ([]byte, error)

	monitor.Store

	Settings(ctx context.Context) (map[string]json.RawMessage, error)
	SetSettings(ctx context.Context, values map[string]json.RawMessage) error
	Events(ctx context.Context, f store.EventFilter) ([]memory.Event, string, error)
	RecordEvent(ctx context.Context, ev memory.Event) (memory.Event, error)
	Backup(ctx context.Context, dst string) error
	Health() error
}

// Turns is what the API needs of the agent service.
type Turns interface {
	Send(ctx context.Context, r agent.SendRequest) (memory.Message, error)
	Stop(conversationID string) bool
	Regenerate(ctx context.Context, messageID string, deeply bool) (memory.Message, error)
	Edit(ctx context.Context, messageID, content string) (memory.Message, error)
	Continue(ctx context.Context, messageID string) (memory.Message, error)
	Withdraw(ctx context.Context, messageID string) (memory.Message, error)
	Select(ctx context.Context, messageID string) (memory.Conversation, error)
	Preview(ctx context.Context, conversationID, draft string) (memory.Plan, error)
	TryRecall(ctx context.Context, agentID, conversationID, text string, deeply bool) (memory.Receipt, error)
	PreviewNew(ctx context.Context, agentID, draft string) (memory.Plan, error)
	RunningAll() []agent.Progress
	Wait(ctx context.Context, conversationID string) error // until no turn runs there
	Effective(ctx context.Context, agentID string) (agent.Effective, error)
	Window(ctx context.Context, conversationID string) (memory.ContextWindow, error)
	Compact(ctx context.Context, conversationID string, r agent.CompactRequest) (memory.Compaction, error)
	UndoCompaction(ctx context.Context, id string) (memory.Compaction, error)
	RedoCompaction(ctx context.Context, id string) (memory.Compaction, error)
	ReplayCompaction(ctx context.Context, id string, r agent.CompactRequest) (memory.Compaction, error)
	AdoptCompaction(ctx context.Context, id string) (memory.Compaction, error)
	CompactCore(ctx context.Context, agentID string, r agent.CoreRequest) (memory.Compaction, error)
	RestoreEntry(ctx context.Context, compactionID string, n int) (memory.Compaction, error)
	PageIn(ctx context.Context, p memory.PageIn) (memory.PageIn, error)
	Inspect(ctx context.Context, agentID, conversationID string) (agent.Inspection, error)
}

// Search is what the API needs of recall.
type Search interface {
	SearchMessages(ctx context.Context, agentID, query string, roles []memory.Role, after, before time.Time, limit int, cursor string) ([]memory.Candidate, string, error)
	SearchPassages(ctx context.Context, archiveID, query string, tags []string, tagMode string, after, before time.Time, limit int, cursor string) ([]memory.Candidate, string, error)
	TypePassages(ctx context.Context, archiveID, query string, tags []string, tagMode string, after, before time.Time, limit int, cursor string) ([]memory.Candidate, string, error)
	Indexed(ctx context.Context, archiveID string) (recall.Indexed, error)
	Wake() // there may be something to embed, or another embedder
}

// Engine is what the API needs of the engine.
type Engine interface {
	Status() engine.Status
	Restart() // end ours, look for one anew; returns at once
	Models(ctx context.Context) ([]engine.Model, error)
	Pull(ctx context.Context, name string, progress func(engine.PullProgress)) error
	Import(ctx context.Context, path, name string, o engine.ImportOptions, progress func(engine.PullProgress)) error
	Delete(ctx context.Context, name string) error
}

// Counters gives the token counter of a model, and measures texts.
type Counters interface {
	For(ctx context.Context, model string) tokens.Counter
	Measure(ctx context.Context, model, text string) tokens.Ruler
}

// Deps are the parts that the API works with. All are required but those that say otherwise.
type Deps struct {
	Store    Store
	Turns    Turns
	Search   Search
	Engine   Engine
	Counters Counters
	Jobs     *jobs.Registry
	Library  *library.Library
	Bus      *bus.Bus
	Clock    memory.Clock
	Version  string
	Home     string // data folder

	MemoryBytes func() int64                                              // of this machine; nil = unknown
	Doctor      func(ctx context.Context, language string) []doctor.Check // "" = in the app's language; nil = no findings
	Experiments ExperimentEngine                                          // of experiments with a model; nil = only those without
	Selftest    func(context.Context, string) (Selftest, error)           // tries a model, "" = the one in use; nil = not possible
	Starter     func(context.Context, func(engine.PullProgress)) error    // installs the starter models; nil = there are none
	Desktop     func() Desktop                                            // the open window, nil while there is none; may be nil itself
	Sample      SampleLife                                                // the sample life
	Autostart   Autostart                                                 // nil = not possible here
	Data        DataMover                                                 // nil = the data folder stays where it is
	Link        func() string                                             // the page's address for a browser, "" = none; may be nil
	Location    *time.Location                                            // of dates without a time; nil = local
	Heartbeat   time.Duration                                             // between signs of life on a silent event stream; 0 = 15 s
}

// API answers requests. Its handlers may be used at the same time.
type API struct {
	Deps
	mux    *http.ServeMux
	closed chan struct{}
	close  sync.Once
}

// New returns an API over the given parts. It removes model files that were being uploaded when the app last ended.
func New(d Deps) *API {
	removeUploads(d.Home)
	if d.Location == nil {
		d.Location = time.Local
	}
	if d.Heartbeat == 0 {
		d.Heartbeat = 15 * time.Second
	}
	if d.Desktop == nil {
		d.Desktop = func() Desktop { return nil }
	}
	a := &API{Deps: d, mux: http.NewServeMux(), closed: make(chan struct{})}
	for pattern, h := range a.routes() {
		a.mux.Handle(pattern, h)
	}
	return a
}

// Close ends all event streams, so that a server can shut down.
func (a *API) Close() { a.close.Do(func() { close(a.closed) }) }

// Options configure one transport.
type Options struct {
	// Trusted is for the app's own window, which nobody else can reach: no token, host or origin is asked for.
	Trusted bool
	// Token is what a request must carry, as "Authorization: Bearer" or in the cookie that POST /api/session sets.
	Token string
	// Addr is the address the server is bound to. A request must name it: an IP address or localhost, with its port.
	Addr string
	// Page is the built front end; nil = it was not built.
	Page fs.FS
}

// Handler returns the handler of one transport: the API below /api, the page for everything else.
func (a *API) Handler(o Options) http.Handler {
	var h http.Handler = &router{api: a, page: page{files: o.Page}, desktop: o.Trusted}
	if !o.Trusted {
		h = &guard{options: o, next: h}
	}
	return Recover(headers(h))
}

type router struct {
	api     *API
	page    page
	desktop bool
}

type desktopKey struct{}

func (rt *router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !isAPI(r) {
		rt.page.ServeHTTP(w, r)
		return
	}
	if rt.desktop {
		r = r.WithContext(context.WithValue(r.Context(), desktopKey{}, true))
	}
	rt.api.serve(w, r)
}

// inWindow says whether a request comes from the app's own window.
func inWindow(r *http.Request) bool { return r.Context().Value(desktopKey{}) != nil }

// routes returns every route; docs/api.md describes them.
func (a *API) routes() map[string]http.Handler {
	return map[string]http.Handler{
		"GET /api/health":          handler(a.health),
		"GET /api/snapshot":        handler(a.snapshot),
		"GET /api/settings":        handler(a.settings),
		"PATCH /api/settings":      handler(a.changeSettings),
		"GET /api/activity":        handler(a.activity),
		"POST /api/backup":         handler(a.backup),
		"GET /api/licences":        handler(a.licences),
		"GET /api/backups":         handler(a.listBackups),
		"POST /api/backups/verify": handler(a.verifyBackup),
		"GET /api/doctor":          handler(a.doctor),
		"POST /api/selftest":       handler(a.selftest),
		"POST /api/ui/ready":       handler(a.uiReady),
		"POST /api/ui/heartbeat":   handler(a.uiHeartbeat),
		"POST /api/focus":          handler(a.focus),
		"POST /api/open":           handler(a.open),
		"POST /api/choose":         handler(a.choosePath),
		"POST /api/save":           handler(a.saveFile),
		"POST /api/dropped":        handler(a.dropped),
		"POST /api/menu":           handler(a.setMenu),
		"POST /api/notify":         handler(a.notify),
		"GET /api/login-start":     handler(a.loginStart),
		"PUT /api/login-start":     handler(a.setLoginStart),
		"GET /api/data":            handler(a.data),
		"POST /api/data/erase":     handler(a.eraseData),
		"POST /api/data/move":      handler(a.moveData),
		"POST /api/data/open":      handler(a.openData),

		"GET /api/agents":                           handler(a.listAgents),
		"POST /api/agents":                          handler(a.createAgent),
		"GET /api/agents/{id}":                      handler(a.agent),
		"GET /api/sample":                           handler(a.sample),
		"POST /api/sample":                          handler(a.loadSample),
		"DELETE /api/sample":                        handler(a.removeSample),
		"GET /api/personas":                         handler(a.personas),
		"PATCH /api/agents/{id}":                    handler(a.changeAgent),
		"DELETE /api/agents/{id}":                   handler(a.deleteAgent),
		"POST /api/agents/{id}/clone":               handler(a.cloneAgent),
		"GET /api/tools":                            handler(a.listTools),
		"GET /api/agents/{id}/core":                 handler(a.core),
		"POST /api/agents/{id}/core":                handler(a.countCore),
		"GET /api/agents/{id}/plan":                 handler(a.previewNew),
		"POST /api/agents/{id}/plan":                handler(a.previewNew),
		"POST /api/agents/{id}/recall":              handler(a.tryRecall),
		"GET /api/agents/{id}/feedback":             handler(a.listFeedback),
		"PUT /api/agents/{id}/feedback":             handler(a.setFeedback),
		"GET /api/agents/{id}/facts":                handler(a.listFacts),
		"POST /api/agents/{id}/facts":               handler(a.createFact),
		"GET /api/facts/keys":                       handler(a.factKeys),
		"GET /api/facts/{id}":                       handler(a.fact),
		"PATCH /api/facts/{id}":                     handler(a.changeFact),
		"DELETE /api/facts/{id}":                    handler(a.deleteFact),
		"GET /api/agents/{id}/questions":            handler(a.listQuestions),
		"POST /api/questions/{id}":                  handler(a.answerQuestion),
		"POST /api/agents/{id}/core/compact":        handler(a.compactCore),
		"GET /api/agents/{id}/core/weights":         handler(a.coreWeights),
		"PUT /api/agents/{id}/core/weights":         handler(a.setCoreWeight),
		"DELETE /api/agents/{id}/core/weights":      handler(a.resetCoreWeights),
		"PUT /api/agents/{id}/blocks":               handler(a.orderBlocks),
		"POST /api/agents/{id}/blocks":              handler(a.createBlock),
		"PUT /api/agents/{id}/blocks/{block_id}":    handler(a.attachBlock),
		"DELETE /api/agents/{id}/blocks/{block_id}": handler(a.detachBlock),
		"GET /api/blocks":                           handler(a.listBlocks),
		"GET /api/blocks/deleted":                   handler(a.deletedBlocks),
		"GET /api/blocks/{id}":                      handler(a.block),
		"PATCH /api/blocks/{id}":                    handler(a.changeBlock),
		"DELETE /api/blocks/{id}":                   handler(a.deleteBlock),
		"GET /api/revisions":                        handler(a.listRevisions),
		"GET /api/revisions/{id}":                   handler(a.revision),
		"POST /api/revisions/{id}/undo":             handler(a.undo),
		"GET /api/archives":                         handler(a.listArchives),
		"GET /api/archives/{id}":                    handler(a.archive),
		"PATCH /api/archives/{id}":                  handler(a.changeArchive),
		"GET /api/passages":                         handler(a.listPassages),
		"POST /api/passages":                        handler(a.createPassages),
		"GET /api/passages/ids":                     handler(a.passageIDs),
		"POST /api/passages/change":                 handler(a.changePassages),
		"GET /api/passages/{id}":                    handler(a.passage),
		"PATCH /api/passages/{id}":                  handler(a.changePassage),
		"DELETE /api/passages/{id}":                 handler(a.deletePassage),
		"GET /api/documents":                        handler(a.listDocuments),
		"POST /api/documents":                       handler(a.addDocuments),
		"GET /api/documents/{id}":                   handler(a.document),
		"DELETE /api/documents/{id}":                handler(a.deleteDocument),
		"GET /api/documents/{id}/pages":             handler(a.documentPage),
		"GET /api/documents/{id}/find":              handler(a.findInDocument),
		"GET /api/search":                           handler(a.search),
		"GET /api/tags":                             handler(a.listTags),

		"GET /api/conversations":                             handler(a.listConversations),
		"POST /api/conversations":                            handler(a.createConversation),
		"GET /api/conversations/{id}":                        handler(a.conversation),
		"PATCH /api/conversations/{id}":                      handler(a.changeConversation),
		"DELETE /api/conversations/{id}":                     handler(a.deleteConversation),
		"GET /api/conversations/{id}/messages":               handler(a.listMessages),
		"POST /api/conversations/{id}/messages":              handler(a.send),
		"GET /api/conversations/{id}/find":                   handler(a.find),
		"POST /api/conversations/{id}/stop":                  handler(a.stop),
		"GET /api/conversations/{id}/plan":                   handler(a.preview),
		"GET /api/conversations/{id}/window":                 handler(a.contextWindow),
		"POST /api/conversations/{id}/compact":               handler(a.compact),
		"POST /api/conversations/{id}/pages":                 handler(a.page),
		"DELETE /api/conversations/{id}/pages/{kind}/{item}": handler(a.forgetPage),
		"GET /api/compactions":                               handler(a.listCompactions),
		"GET /api/compactions/{id}":                          handler(a.compaction),
		"POST /api/compactions/{id}/entries/{n}/restore":     handler(a.restoreEntry),
		"POST /api/compactions/{id}/undo":                    handler(a.undoCompaction),
		"POST /api/compactions/{id}/redo":                    handler(a.redoCompaction),
		"POST /api/compactions/{id}/replay":                  handler(a.replayCompaction),
		"POST /api/compactions/{id}/adopt":                   handler(a.adoptCompaction),
		"POST /api/conversations/{id}/plan":                  handler(a.preview),
		"GET /api/messages/{id}":                             handler(a.message),
		"POST /api/messages/{id}/regenerate":                 handler(a.regenerate),
		"POST /api/messages/{id}/continue":                   handler(a.continueMessage),
		"GET /api/messages/{id}/files/{n}":                   handler(a.file),
		"POST /api/messages/{id}/withdraw":                   handler(a.withdraw),
		"POST /api/messages/{id}/edit":                       handler(a.edit),
		"POST /api/messages/{id}/select":                     handler(a.selectBranch),
		"GET /api/messages/{id}/receipt":                     handler(a.receipt),
		"GET /api/messages/{id}/plan":                        handler(a.plan),
		"GET /api/messages/{id}/prompt":                      handler(a.prompt),

		"GET /api/usage":                   handler(a.usage),
		"GET /api/usage/turns":             handler(a.modelCalls),
		"GET /api/usage/export":            http.HandlerFunc(a.exportUsage),
		"GET /api/agents/{id}/checkup":     handler(a.checkup),
		"GET /api/cost":                    handler(a.cost),
		"PUT /api/cost":                    handler(a.setCost),
		"DELETE /api/cost":                 handler(a.resetCost),
		"POST /api/tokens":                 handler(a.measureText),
		"POST /api/experiments/forget":     handler(a.forget),
		"POST /api/experiments/strategies": handler(a.compareStrategies),

		"GET /api/engine":              handler(a.engineStatus),
		"POST /api/engine/restart":     handler(a.restartEngine),
		"GET /api/engine/log":          handler(a.engineLog),
		"GET /api/models":              handler(a.listModels),
		"GET /api/window":              handler(a.windowCost),
		"POST /api/models/pull":        handler(a.pullModel),
		"POST /api/models/import":      handler(a.importModel),
		"POST /api/models/starter":     handler(a.installStarter),
		"DELETE /api/models/{name...}": handler(a.deleteModel),
		"GET /api/jobs":                handler(a.listJobs),
		"DELETE /api/jobs/{id}":        handler(a.cancelJob),

		"GET /api/events": http.HandlerFunc(a.events),
		// The guard of a transport with a token makes the session; where this is reached there is nothing to do.
		"POST /api/session": handler(func(*http.Request) (result, error) { return nothing(), nil }),
	}
}
