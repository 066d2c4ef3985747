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
	"recollect/backend/jobs"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// Store is what the API needs of the database.
type Store interface {
	CreateAgent(ctx context.Context, a memory.Agent, c memory.Cause) (memory.Agent, error)
	Agent(ctx context.Context, id string) (memory.Agent, error)
	Agents(ctx context.Context) ([]memory.Agent, error)
	UpdateAgent(ctx context.Context, a memory.Agent) (memory.Agent, error)
	DeleteAgent(ctx context.Context, id string, c memory.Cause) error

	CreateBlock(ctx context.Context, b memory.Block, agentIDs []string, c memory.Cause) (memory.Block, memory.Revision, error)
	UpdateBlock(ctx context.Context, id string, change memory.BlockChange, c memory.Cause) (memory.Block, memory.Revision, error)
	DeleteBlock(ctx context.Context, id string, c memory.Cause) (memory.Revision, error)
	AttachBlock(ctx context.Context, blockID, agentID string, c memory.Cause) (memory.Revision, error)
	DetachBlock(ctx context.Context, blockID, agentID string, c memory.Cause) (memory.Revision, error)
	Block(ctx context.Context, id string) (memory.Block, error)
	Blocks(ctx context.Context, agentID string) ([]memory.Block, error)
	BlockAgents(ctx context.Context, blockID string) ([]string, error)

	CreatePassage(ctx context.Context, p memory.Passage, c memory.Cause) (memory.Passage, memory.Revision, error)
	UpdatePassage(ctx context.Context, id string, change memory.PassageChange, c memory.Cause) (memory.Passage, memory.Revision, error)
	DeletePassage(ctx context.Context, id string, c memory.Cause) (memory.Revision, error)
	Passage(ctx context.Context, id string) (memory.Passage, error)
	ListPassages(ctx context.Context, f store.PassageFilter) ([]memory.Passage, string, error)

	Revisions(ctx context.Context, f store.RevisionFilter) ([]memory.Revision, string, error)
	Revision(ctx context.Context, id string) (memory.Revision, error)
	Undo(ctx context.Context, revisionID string, c memory.Cause) (memory.Revision, error)

	CreateConversation(ctx context.Context, c memory.Conversation) (memory.Conversation, error)
	Conversation(ctx context.Context, id string) (memory.Conversation, error)
	Conversations(ctx context.Context, f store.ConversationFilter) ([]memory.Conversation, string, error)
	UpdateConversation(ctx context.Context, id string, change store.ConversationChange) (memory.Conversation, error)
	Message(ctx context.Context, id string) (memory.Message, error)
	Path(ctx context.Context, leafID string, limit int, before string) ([]memory.Message, error)
	Receipt(ctx context.Context, userMessageID string) (memory.Receipt, error)
	PlanOf(ctx context.Context, messageID string) (memory.Plan, error)
	Prompt(ctx context.Context, messageID string) ([]byte, error)

	Settings(ctx context.Context) (map[string]json.RawMessage, error)
	SetSetting(ctx context.Context, key string, value json.RawMessage) error
	Events(ctx context.Context, f store.EventFilter) ([]memory.Event, string, error)
	Backup(ctx context.Context, dst string) error
}

// Turns is what the API needs of the agent service.
type Turns interface {
	Send(ctx context.Context, r agent.SendRequest) (memory.Message, error)
	Stop(conversationID string) bool
	Regenerate(ctx context.Context, messageID string) (memory.Message, error)
	Edit(ctx context.Context, messageID, content string) (memory.Message, error)
	Continue(ctx context.Context, messageID string) (memory.Message, error)
	Select(ctx context.Context, messageID string) (memory.Conversation, error)
	Preview(ctx context.Context, conversationID, draft string) (memory.Plan, error)
	RunningAll() []agent.Progress
	Effective(ctx context.Context, agentID string) (agent.Effective, error)
}

// Search is what the API needs of recall.
type Search interface {
	SearchMessages(ctx context.Context, agentID, query string, roles []memory.Role, after, before time.Time, limit int, cursor string) ([]memory.Candidate, string, error)
	SearchPassages(ctx context.Context, archiveID, query string, tags []string, tagMode string, after, before time.Time, limit int, cursor string) ([]memory.Candidate, string, error)
}

// Engine is what the API needs of the engine.
type Engine interface {
	Status() engine.Status
	Restart(ctx context.Context) error
	Models(ctx context.Context) ([]engine.Model, error)
	Pull(ctx context.Context, name string, progress func(engine.PullProgress)) error
	Import(ctx context.Context, path, name string, o engine.ImportOptions, progress func(engine.PullProgress)) error
	Delete(ctx context.Context, name string) error
}

// Counters gives the token counter of a model.
type Counters interface {
	For(ctx context.Context, model string) tokens.Counter
}

// Desktop is what only the app's own window can do.
type Desktop interface {
	Ready()     // the page is interactive
	Heartbeat() // the page is alive
	Focus()     // bring the window to the front
	OpenURL(address string) error
}

// Deps are the parts that the API works with. All are required but those that say otherwise.
type Deps struct {
	Store    Store
	Turns    Turns
	Search   Search
	Engine   Engine
	Counters Counters
	Jobs     *jobs.Registry
	Bus      *bus.Bus
	Clock    memory.Clock
	Version  string
	Home     string // data folder

	MemoryBytes func() int64                                           // of this machine; nil = unknown
	Doctor      func(context.Context) []doctor.Check                   // nil = no findings
	Starter     func(context.Context, func(engine.PullProgress)) error // installs the starter models; nil = there are none
	Desktop     func() Desktop                                         // the open window, nil while there is none; may be nil itself
	Link        func() string                                          // the page's address for a browser, "" = none; may be nil
	Location    *time.Location                                         // of dates without a time; nil = local
	Heartbeat   time.Duration                                          // between signs of life on a silent event stream; 0 = 15 s
}

// API answers requests. Its handlers may be used at the same time.
type API struct {
	Deps
	mux    *http.ServeMux
	closed chan struct{}
	close  sync.Once
}

// New returns an API over the given parts.
func New(d Deps) *API {
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
	a.routes()
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
	return recoverer(headers(h))
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

// routes registers every route.
func (a *API) routes() {
	for pattern, h := range map[string]handler{
		"GET /api/health":        a.health,
		"GET /api/snapshot":      a.snapshot,
		"GET /api/settings":      a.settings,
		"PATCH /api/settings":    a.changeSettings,
		"GET /api/activity":      a.activity,
		"POST /api/backup":       a.backup,
		"GET /api/doctor":        a.doctor,
		"POST /api/ui/ready":     a.uiReady,
		"POST /api/ui/heartbeat": a.uiHeartbeat,
		"POST /api/focus":        a.focus,
		"POST /api/open":         a.open,

		"GET /api/agents":                           a.listAgents,
		"POST /api/agents":                          a.createAgent,
		"GET /api/agents/{id}":                      a.agent,
		"PATCH /api/agents/{id}":                    a.changeAgent,
		"DELETE /api/agents/{id}":                   a.deleteAgent,
		"GET /api/agents/{id}/core":                 a.core,
		"POST /api/agents/{id}/blocks":              a.createBlock,
		"PUT /api/agents/{id}/blocks/{block_id}":    a.attachBlock,
		"DELETE /api/agents/{id}/blocks/{block_id}": a.detachBlock,
		"GET /api/blocks":                           a.listBlocks,
		"GET /api/blocks/{id}":                      a.block,
		"PATCH /api/blocks/{id}":                    a.changeBlock,
		"DELETE /api/blocks/{id}":                   a.deleteBlock,
		"GET /api/revisions":                        a.listRevisions,
		"GET /api/revisions/{id}":                   a.revision,
		"POST /api/revisions/{id}/undo":             a.undo,
		"GET /api/passages":                         a.listPassages,
		"POST /api/passages":                        a.createPassages,
		"GET /api/passages/{id}":                    a.passage,
		"PATCH /api/passages/{id}":                  a.changePassage,
		"DELETE /api/passages/{id}":                 a.deletePassage,
		"GET /api/search":                           a.search,

		"GET /api/conversations":                a.listConversations,
		"POST /api/conversations":               a.createConversation,
		"GET /api/conversations/{id}":           a.conversation,
		"PATCH /api/conversations/{id}":         a.changeConversation,
		"DELETE /api/conversations/{id}":        a.deleteConversation,
		"GET /api/conversations/{id}/messages":  a.listMessages,
		"POST /api/conversations/{id}/messages": a.send,
		"POST /api/conversations/{id}/stop":     a.stop,
		"GET /api/conversations/{id}/plan":      a.preview,
		"POST /api/conversations/{id}/plan":     a.preview,
		"GET /api/messages/{id}":                a.message,
		"POST /api/messages/{id}/regenerate":    a.regenerate,
		"POST /api/messages/{id}/continue":      a.continueMessage,
		"POST /api/messages/{id}/edit":          a.edit,
		"POST /api/messages/{id}/select":        a.selectBranch,
		"GET /api/messages/{id}/receipt":        a.receipt,
		"GET /api/messages/{id}/plan":           a.plan,
		"GET /api/messages/{id}/prompt":         a.prompt,

		"GET /api/engine":              a.engineStatus,
		"POST /api/engine/restart":     a.restartEngine,
		"GET /api/models":              a.listModels,
		"POST /api/models/pull":        a.pullModel,
		"POST /api/models/import":      a.importModel,
		"POST /api/models/starter":     a.installStarter,
		"DELETE /api/models/{name...}": a.deleteModel,
		"GET /api/jobs":                a.listJobs,
		"DELETE /api/jobs/{id}":        a.cancelJob,
	} {
		a.mux.Handle(pattern, h)
	}
	a.mux.HandleFunc("GET /api/events", a.events)
	// The session is made by the guard of a transport that has a token; here there is nothing to do.
	a.mux.Handle("POST /api/session", handler(func(*http.Request) (result, error) { return nothing(), nil }))
}
