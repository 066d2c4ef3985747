// Package recall brings stored memory back: it searches the transcript and the archive before a turn and for the
// tools, decides what is strong enough to be injected, writes the receipt, and embeds new texts in the background.
//
// Ranking is by scores normalised within the candidate set, not by fused ranks; a floor decides on evidence that does
// not depend on the other candidates, so that a question about nothing brings nothing. Everything works without an
// embedder.
package recall

import (
	"context"
	"encoding/json"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// Store is what recall needs of the database.
type Store interface {
	LexicalSearch(ctx context.Context, q store.LexQuery) ([]store.LexHit, error)
	VectorSearch(ctx context.Context, q store.VecQuery) ([]store.VecHit, error)
	ItemVectors(ctx context.Context, model, view string, dim int, items []store.Item) ([][][]float32, error)
	Feedback(ctx context.Context, agentID string) ([]memory.Feedback, error)
	DocFrequencies(ctx context.Context, terms []string) (total int, df []int, err error)
	Items(ctx context.Context, refs []store.Ref) ([]store.Item, error)
	Messages(ctx context.Context, f store.MessageFilter) ([]memory.Message, string, error)
	ListPassages(ctx context.Context, f store.PassageFilter) ([]memory.Passage, string, error)
	KnownFacts(ctx context.Context, agentID string) ([]memory.Fact, error)
	FactsOf(ctx context.Context, ids []string) ([]memory.Fact, error)
	ReplacedIn(ctx context.Context, agentID string, ids []string) (map[string][]memory.Replacement, error)
	Vectors
}

// Vectors is what the background index needs of the database. A set of vectors is named by model and dimension. What is
// embedded by one model is a place: what was said (""), or the passages of an archive (its id).
type Vectors interface {
	Archive(ctx context.Context, id string) (memory.Archive, error)
	ArchiveEmbedders(ctx context.Context) ([]string, error)
	ArchiveIndexed(ctx context.Context, id, model string) (total, pending int, err error)
	PlaceEmbedders(ctx context.Context, place string) ([]store.PlaceEmbedder, error)
	PendingEmbeddings(ctx context.Context, model string, dim int, own bool, limit int) ([]store.EmbedItem, error)
	SaveEmbeddings(ctx context.Context, model string, dim int, vectors []store.Embedding) error
	QuarantineEmbedding(ctx context.Context, model, kind, id, reason string) error
	EmbeddingSets(ctx context.Context) ([]store.EmbeddingSet, error)
	DropEmbeddings(ctx context.Context, model string, dim int) error
	DropReplaced(ctx context.Context, model string, dim int) ([]string, error)
	Learned(ctx context.Context, key string) (json.RawMessage, error)
	SetLearned(ctx context.Context, key string, value json.RawMessage) error
}

// Embedder makes vectors; the engine is one.
type Embedder interface {
	Embed(ctx context.Context, r engine.EmbedRequest) ([][]float32, error)
}

// Counter counts tokens of the chat model.
type Counter interface{ Count(text string) int }

// Deps are the parts that recall works with.
type Deps struct {
	Store    Store
	Embedder Embedder           // nil = keywords only
	Model    func() string      // name of the app's embedder, "" = none; asked each time. An archive may name another one
	Publish  func(memory.Event) // progress of the index; may be nil
	Done     func(string, int)  // called when every text has its vector, with the embedder and how many it made; may be nil
	Clock    memory.Clock       // nil = time.Now
	Log      *slog.Logger       // nil = none; never gets texts
	Patience time.Duration      // how long a turn waits for the vector of its query; 0 = 800 ms
}

// Recall searches memory. It is safe for concurrent use.
type Recall struct {
	deps    Deps
	queries *queryVectors
	wake    chan struct{}
	recheck atomic.Bool                     // whether the embedders are to be tried again
	retry   func(attempt int) time.Duration // waiting time after failures of the index

	mu       sync.Mutex
	serving  map[string]served // by place; none = not known yet
	probes   map[string]*probe // by model
	problems map[string]error  // by model: why the index cannot go on
}

// served is whose vectors answer the queries of a place.
type served struct {
	model string
	of    string // the model that the place was to have when that was found out
}

// New returns a Recall. Nothing runs until it is asked, or until Index is called.
func New(d Deps) *Recall {
	if d.Clock == nil {
		d.Clock = time.Now
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.Model == nil {
		d.Model = func() string { return "" }
	}
	if d.Publish == nil {
		d.Publish = func(memory.Event) {}
	}
	if d.Done == nil {
		d.Done = func(string, int) {}
	}
	if d.Patience == 0 {
		d.Patience = 800 * time.Millisecond
	}
	r := &Recall{deps: d, wake: make(chan struct{}, 1), retry: backoff, serving: map[string]served{}, probes: map[string]*probe{}, problems: map[string]error{}}
	r.queries = newQueryVectors(d.Embedder, d.Clock)
	return r
}

// Query asks for the memories that belong to a message.
type Query struct {
	AgentID        string          // whose transcript is searched
	ArchiveID      string          // which archive is searched
	ConversationID string          //
	MessageID      string          // the message itself, already stored: it is no memory yet
	Beside         []string        // messages next to it: the index has its words with them, so they would seem to fit it best
	Text           string          // what the message says
	InWindow       map[string]bool // ids of the messages that the model sees anyway
	Cap            int             // tokens to spend; see window.RecalledCap
	Counter        Counter         // nil = four characters a token
	Deep           *Deep           // plan B, for when plan A finds too little or the user wants it; nil = plan A alone
}

// scope is what is searched for the message: all memory but itself and what stands beside it.
func (q Query) scope() scope {
	without := map[string]bool{q.MessageID: true}
	for _, id := range q.Beside {
		without[id] = true
	}
	return scope{agentID: q.AgentID, archiveID: q.ArchiveID, without: without}
}
