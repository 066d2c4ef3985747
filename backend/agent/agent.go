// Package agent runs turns: it stores the user's message, recalls, assembles the request, streams the answer, runs the
// tools that the model calls and always ends in an answer, a stop or a problem that names its remedy.
package agent

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/backend/agent/tools"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
	"recollect/backend/wish"
)

// Store is what turns need of the database.
type Store interface {
	tools.Memory
	Maker
	Facts
	Agent(ctx context.Context, id string) (memory.Agent, error)
	Agents(ctx context.Context) ([]memory.Agent, error)
	UpdateAgent(ctx context.Context, id string, change func(*memory.Agent) error) (memory.Agent, error)
	Conversations(ctx context.Context, f store.ConversationFilter) ([]memory.Conversation, string, error)
	DeletePassage(ctx context.Context, id string, cause memory.Cause) (memory.Revision, error)
	Revisions(ctx context.Context, f store.RevisionFilter) ([]memory.Revision, string, error)
	Conversation(ctx context.Context, id string) (memory.Conversation, error)
	UpdateConversation(ctx context.Context, id string, change store.ConversationChange) (memory.Conversation, error)
	SetHead(ctx context.Context, conversationID, messageID string) error
	AddMessage(ctx context.Context, m memory.Message) (memory.Message, error)
	InsertMessage(ctx context.Context, m memory.Message, before string) (memory.Message, error)
	BypassMessage(ctx context.Context, id string) error
	ReopenMessage(ctx context.Context, id string) error
	AppendStream(ctx context.Context, id string, state store.StreamState) error
	FinishMessage(ctx context.Context, m memory.Message) error
	Message(ctx context.Context, id string) (memory.Message, error)
	Children(ctx context.Context, parentID, conversationID string) ([]memory.Message, error)
	Path(ctx context.Context, leafID string, limit int, before string) ([]memory.Message, error)
	MessagesNamed(ctx context.Context, ids []string) ([]memory.Message, error)
	Before(ctx context.Context, messageID string) (messages, turns int, err error)
	Pages(ctx context.Context, conversationID string) ([]memory.PageIn, error)
	SavePage(ctx context.Context, p memory.PageIn) (memory.PageIn, error)
	Passage(ctx context.Context, id string) (memory.Passage, error)
	Fact(ctx context.Context, id string) (memory.Fact, error)
	Receipt(ctx context.Context, userMessageID string) (memory.Receipt, error)
	SaveCompaction(ctx context.Context, c memory.Compaction) (memory.Compaction, error)
	TimeRebase(ctx context.Context, id string, took time.Duration) error
	Compaction(ctx context.Context, id string) (memory.Compaction, error)
	Compactions(ctx context.Context, f store.CompactionFilter) ([]memory.Compaction, string, error)
	ApplyCore(ctx context.Context, c memory.Compaction, passages map[int]memory.Passage, cause memory.Cause) (memory.Compaction, error)
	UndoCore(ctx context.Context, id string, cause memory.Cause, learn store.Learn) (memory.Compaction, error)
	RedoCore(ctx context.Context, id string, cause memory.Cause, learn store.Learn) (memory.Compaction, error)
	RestoreEntry(ctx context.Context, id string, n int, place func(value string, c memory.Compaction, n int) string, cause memory.Cause, learn store.Learn) (memory.Compaction, error)
	PendingCore(ctx context.Context) ([]memory.Compaction, error)
	ForgotSince(ctx context.Context, agentID string, since time.Time) (bool, error)
	Gone(ctx context.Context, ids []string) ([]string, error)
	NewestCore(ctx context.Context, agentID string) (memory.Compaction, error)
	CoreWeights(ctx context.Context, agentID string) (memory.CompactionWeights, error)
	TurnsSince(ctx context.Context, agentID string, since time.Time) (int, error)
	BlockAgents(ctx context.Context, blockID string) ([]string, error)
	Receipts(ctx context.Context, agentID, cursor string, limit int) ([]memory.Receipt, string, error)
	PathSince(ctx context.Context, leafID, first string) ([]memory.Message, error)
	Leaf(ctx context.Context, messageID string) (string, error)
	SetPreamble(ctx context.Context, messageID, preamble string) error
	Prefix(ctx context.Context, conversationID string) (memory.Prefix, error)
	SavePrefix(ctx context.Context, p memory.Prefix, event *memory.Event, compactions ...*memory.Compaction) error
	SaveReceipt(ctx context.Context, r memory.Receipt) error
	SavePlan(ctx context.Context, messageID string, p memory.Plan) error
	Feedback(ctx context.Context, agentID string) ([]memory.Feedback, error)
	SavePrompt(ctx context.Context, messageID string, body []byte) error
	Prompt(ctx context.Context, messageID string) ([]byte, error)
	RecordEvent(ctx context.Context, ev memory.Event) (memory.Event, error)
	Facts(ctx context.Context, f store.FactFilter) ([]memory.Fact, string, error)
	DeleteFact(ctx context.Context, id string, cause memory.Cause) (memory.Revision, error)
	Unread(ctx context.Context, behind int64, limit int) (keys []int64, upTo int64, err error)
	MessageByKey(ctx context.Context, key int64) (memory.Message, error)
	AddUsage(ctx context.Context, c memory.ModelCall) error
	Learned(ctx context.Context, key string) (json.RawMessage, error)
	SetLearned(ctx context.Context, key string, value json.RawMessage) error
}

// Engine is the model server.
type Engine interface {
	Ready(ctx context.Context) error
	Hold() (release func()) // until then no other engine takes its place
	Models(ctx context.Context) ([]engine.Model, error)
	Profile(ctx context.Context, model string) (engine.Profile, error)
	Chat(ctx context.Context, r engine.ChatRequest, chunk func(engine.Chunk) error) (engine.ChatResult, error)
	Warm(ctx context.Context, r engine.ChatRequest) (memory.Usage, error)
	PromptSpeed(model string) float64 // tokens of a prompt that it reads in a second; 0 = not known yet
	SideCache(model string) bool      // whether background chats of the model leave the chat's prompt cache alone
}

// Recall finds memories.
type Recall interface {
	tools.Search
	For(ctx context.Context, q recall.Query) (memory.Receipt, error)
	Wake() // there is something new to embed
}

// Counters count tokens.
type Counters interface {
	For(ctx context.Context, model string) tokens.Counter
	Calibrate(model string, estimated, measured int)
}

// Settings are the user's choices: "model", "window", "core_share", "language", "notes", "facts", "deep_recall" and "deep_seconds"; zero values mean no choice.
type Settings interface {
	String(key string) string
	Int(key string) int
	Float(key string) float64
}

// Bus takes transient events.
type Bus interface {
	Publish(ev memory.Event) memory.Event
}

// Deps is what a Service works with.
type Deps struct {
	Store       Store
	Engine      Engine
	Recall      Recall
	Counters    Counters
	Bus         Bus
	Settings    Settings
	Clock       memory.Clock // in the user's time zone
	IDs         *memory.IDs  // the store's own maker; nil = another one
	Log         *slog.Logger // nil = none; never gets texts
	MemoryBytes func() int64 // of the machine; nil = unknown
}

// Service runs the turns of all conversations: one at a time in a conversation, further ones queued. While none runs,
// chores do.
type Service struct {
	Deps
	ctx   context.Context
	end   context.CancelCauseFunc
	turns sync.WaitGroup

	mu        sync.Mutex
	lanes     map[string]*lane          // by conversation
	limits    map[reader]int            // tokens of a prompt that an engine reads, where it was seen to read no more
	fits      map[reader]int            // the window that fits into memory, where the wanted one of reader was seen not to
	refused   map[string]bool           // digests of models whose requests with tools the engine refused
	cramped   map[reader]bool           // models, with their window, that has no room for tools
	writes    map[string]float64        // tokens that a model writes in a second, by its name
	profiles  map[string]engine.Profile // as last heard, by model: they hold while the engine is away
	lastModel string                    // of them, the one used last
	began     time.Time                 // of this start of the app
	resumed   sync.Once                 // what was begun before it was taken up
	chores    chores
	cores     map[string]time.Time  // when an agent's core memory was compacted last
	notebook  map[string]noteRecord // what is known about how models take notes, by digest; nil = not read yet
	closed    bool

	lastPath  lastPath
	lastTaken lastTaken
}

// lane is one conversation's queue.
type lane struct {
	tree sync.Mutex // held while a message is put into the conversation's tree, so that the queue and the tree agree

	// guarded by Service.mu:
	jobs     []*job // the first one runs
	progress Progress
	stop     context.CancelCauseFunc // of the running turn
	idle     chan struct{}           // closed when nothing runs or waits
}

// job is a turn to run.
type job struct {
	user   memory.Message
	wishes bool            // look for wishes in the user message
	deep   bool            // the user wants a deep search for it
	note   bool            // what it tells of the user may be noted: it is answered for the first time
	goOn   *memory.Message // an answer to go on with
}

// reader is a model with a window.
type reader struct {
	model  string
	window int
}

// Why a running turn ends early.
var (
	errStopped = errors.New("stopped by the user")
	errClosing = errors.New("the app is closing")
)

// New returns a Service. Close it before the store.
func New(d Deps) *Service {
	if d.Clock == nil {
		d.Clock = time.Now
	}
	if d.Log == nil {
		d.Log = slog.New(slog.DiscardHandler)
	}
	if d.IDs == nil {
		d.IDs = memory.NewIDs(d.Clock, rand.Reader)
	}
	s := &Service{Deps: d, began: d.Clock(), lanes: map[string]*lane{}, limits: map[reader]int{}, fits: map[reader]int{}, refused: map[string]bool{}, cramped: map[reader]bool{}, writes: map[string]float64{}, profiles: map[string]engine.Profile{}, cores: map[string]time.Time{}}
	s.ctx, s.end = context.WithCancelCause(context.Background())
	return s
}

// SendRequest is a new user message.
type SendRequest struct {
	ConversationID string
	Content        string
	ClientID       string // made by the client; the same one again stores nothing and starts nothing
	Files          []memory.MessageFile
}

// Send stores a user message at the end of the visible branch and answers it, after the turns that wait already. The
// message is on the disk when Send returns; everything else happens in the background and is told on the bus.
func (s *Service) Send(ctx context.Context, r SendRequest) (memory.Message, error) {
	l, err := s.lane(r.ConversationID)
	if err != nil {
		return memory.Message{}, err
	}
	l.tree.Lock()
	defer l.tree.Unlock()
	c, err := s.Store.Conversation(ctx, r.ConversationID)
	if err != nil {
		return memory.Message{}, err
	}
	id := s.IDs.New("message")
	m, err := s.Store.AddMessage(ctx, memory.Message{
		ID: id, ConversationID: c.ID, AgentID: c.AgentID, ParentID: c.Head, Role: memory.RoleUser, Content: r.Content,
		ClientID: r.ClientID, Files: r.Files, Status: memory.StatusComplete,
	})
	if err != nil {
		return memory.Message{}, err
	}
	if m.ID != id {
		return m, nil // it was sent before
	}
	s.created(m)
	s.title(ctx, c, m)
	return m, s.enqueue(l, &job{user: m, wishes: true, note: true})
}

// Edit stores another version of a user message as a new branch and answers it. A turn that runs is stopped.
func (s *Service) Edit(ctx context.Context, userMessageID, content string) (memory.Message, error) {
	old, err := s.Store.Message(ctx, userMessageID)
	if err != nil {
		return memory.Message{}, err
	}
	if old.Role != memory.RoleUser {
		return memory.Message{}, memory.Errorf(memory.EINVALID, "edit message", "only a message of the user can be edited")
	}
	l, err := s.branch(ctx, old.ConversationID)
	if err != nil {
		return memory.Message{}, err
	}
	defer l.tree.Unlock()
	c, err := s.Store.Conversation(ctx, old.ConversationID)
	if err != nil {
		return memory.Message{}, err
	}
	m, err := s.Store.AddMessage(ctx, memory.Message{
		ConversationID: old.ConversationID, AgentID: old.AgentID, ParentID: old.ParentID, Role: memory.RoleUser, Content: content,
		Files:  old.Files,
		Status: memory.StatusComplete,
	})
	if err != nil {
		return memory.Message{}, err
	}
	s.created(m)
	s.title(ctx, c, m)
	return m, s.enqueue(l, &job{user: m, wishes: true, note: true})
}

// Regenerate answers a user message again, as a new branch, and returns it; messageID is that message or one of its
// answer. deeply has a model help to recall for it. A turn that runs is stopped.
func (s *Service) Regenerate(ctx context.Context, messageID string, deeply bool) (memory.Message, error) {
	m, err := s.Store.Message(ctx, messageID)
	if err != nil {
		return memory.Message{}, err
	}
	if m.Role != memory.RoleUser {
		if m, err = s.Store.Message(ctx, m.TurnID); err != nil {
			return memory.Message{}, err
		}
	}
	l, err := s.branch(ctx, m.ConversationID)
	if err != nil {
		return memory.Message{}, err
	}
	defer l.tree.Unlock()
	return m, s.enqueue(l, &job{user: m, wishes: true, deep: deeply})
}

// Continue goes on with the last answer of the visible branch when it hit its length, was stopped or was interrupted. The
// new text is added to it. A turn that runs is stopped.
func (s *Service) Continue(ctx context.Context, assistantMessageID string) (memory.Message, error) {
	const op = "continue message"
	m, err := s.Store.Message(ctx, assistantMessageID)
	if err != nil {
		return memory.Message{}, err
	}
	l, err := s.branch(ctx, m.ConversationID)
	if err != nil {
		return memory.Message{}, err
	}
	defer l.tree.Unlock()
	if m, err = s.Store.Message(ctx, assistantMessageID); err != nil {
		return memory.Message{}, err
	}
	c, err := s.Store.Conversation(ctx, m.ConversationID)
	if err != nil {
		return memory.Message{}, err
	}
	switch {
	case m.Role != memory.RoleAssistant || len(m.ToolCalls) > 0:
		return m, memory.Errorf(memory.EINVALID, op, "only an answer can be continued")
	case c.Head != m.ID:
		return m, memory.Errorf(memory.ECONFLICT, op, "the conversation has gone on since")
	case m.Status == memory.StatusComplete && m.End != memory.EndLength:
		return m, memory.Errorf(memory.EINVALID, op, "the answer is complete")
	case strings.TrimSpace(m.Content) == "":
		return m, memory.Errorf(memory.EINVALID, op, "there is nothing to go on from; answer again instead")
	}
	user, err := s.Store.Message(ctx, m.TurnID)
	if err != nil {
		return m, err
	}
	if err := s.Store.ReopenMessage(ctx, m.ID); err != nil {
		return m, err
	}
	m.Status, m.Problem = memory.StatusStreaming, nil
	s.updated(m)
	if m.Tokens == 0 && len(wish.Find(user.Content)) > 0 { // only the confirmation of a wish: the words follow below it
		m.Content = strings.TrimRight(m.Content, "\n") + "\n\n"
	}
	return m, s.enqueue(l, &job{user: user, goOn: &m})
}

// Select makes the branch through a message the visible one, down to its newest leaf, and returns the conversation. It
// fails with EBUSY while a turn runs.
func (s *Service) Select(ctx context.Context, messageID string) (memory.Conversation, error) {
	m, err := s.Store.Message(ctx, messageID)
	if err != nil {
		return memory.Conversation{}, err
	}
	l, err := s.lane(m.ConversationID)
	if err != nil {
		return memory.Conversation{}, err
	}
	l.tree.Lock()
	defer l.tree.Unlock()
	if s.Running(m.ConversationID) != nil {
		return memory.Conversation{}, busy("another branch can be chosen when the answer is finished or stopped")
	}
	leaf, err := s.Store.Leaf(ctx, messageID)
	if err != nil {
		return memory.Conversation{}, err
	}
	if err := s.Store.SetHead(ctx, m.ConversationID, leaf); err != nil {
		return memory.Conversation{}, err
	}
	return s.Store.Conversation(ctx, m.ConversationID)
}

// Withdraw takes back a message that waits for its answer, and returns it: its text can be written anew. It leaves the
// visible branch, as an edited message does, but not the transcript; those that wait behind it stay. ECONFLICT when its
// answer has begun.
func (s *Service) Withdraw(ctx context.Context, userMessageID string) (memory.Message, error) {
	const op = "take the message back"
	m, err := s.Store.Message(ctx, userMessageID)
	if err != nil {
		return memory.Message{}, err
	}
	l, err := s.lane(m.ConversationID)
	if err != nil {
		return memory.Message{}, err
	}
	l.tree.Lock()
	defer l.tree.Unlock()
	s.mu.Lock()
	waits := slices.IndexFunc(l.jobs, func(j *job) bool { return j.user.ID == m.ID })
	if waits > 0 {
		l.jobs = slices.Delete(l.jobs, waits, waits+1)
	}
	s.mu.Unlock()
	if waits <= 0 {
		return memory.Message{}, memory.Errorf(memory.ECONFLICT, op, "the message does not wait any more; its answer can be stopped")
	}
	if err := s.Store.BypassMessage(ctx, m.ID); err != nil {
		return memory.Message{}, err
	}
	s.tellQueue(l)
	return s.Store.Message(ctx, m.ID)
}

// tellQueue tells that other messages wait behind the running turn than before.
func (s *Service) tellQueue(l *lane) {
	s.mu.Lock()
	p := s.running(l)
	s.mu.Unlock()
	if p != nil {
		s.publish("turn.progress", p.data(s.Clock()))
	}
}

// Stop ends the running turn of a conversation; what came of the answer is kept, and turns that wait run next. It reports
// whether one ran.
func (s *Service) Stop(conversationID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	l := s.lanes[conversationID]
	if l == nil || l.stop == nil {
		return false
	}
	l.stop(errStopped)
	return true
}

// Wait returns when no turn of the conversation runs or waits, or ctx ends.
func (s *Service) Wait(ctx context.Context, conversationID string) error {
	s.mu.Lock()
	var idle chan struct{}
	if l := s.lanes[conversationID]; l != nil {
		idle = l.idle
	}
	s.mu.Unlock()
	if idle == nil {
		return nil
	}
	select {
	case <-idle:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Progress tells where the running turn of a conversation is.
type Progress struct {
	ConversationID string        `json:"conversation_id"`
	MessageID      string        `json:"message_id"` // the assistant message being written, "" at first
	Phase          string        `json:"phase"`      // queued, recalling, loading, reading, writing, tool, retrying
	Read           int           `json:"read"`       // tokens of the prompt read so far
	Total          int           `json:"total"`
	ETA            time.Duration `json:"-"`                // until the prompt is read; 0 = unknown
	Started        time.Time     `json:"started"`          // of the turn
	Detail         string        `json:"detail,omitempty"` // name of the tool, or why it is tried again
	Queued         []string      `json:"queued,omitempty"` // user messages that wait behind this turn
}

// data is p as an event tells it.
func (p Progress) data(now time.Time) map[string]any {
	queued := p.Queued
	if queued == nil {
		queued = []string{}
	}
	return map[string]any{
		"conversation_id": p.ConversationID, "message_id": p.MessageID, "phase": p.Phase, "read": p.Read, "total": p.Total,
		"eta_ms": p.ETA.Milliseconds(), "elapsed_ms": now.Sub(p.Started).Milliseconds(), "detail": p.Detail, "queued": queued,
	}
}

// Running returns the running turn of a conversation, nil when none runs.
func (s *Service) Running(conversationID string) *Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running(s.lanes[conversationID])
}

// RunningAll returns the running turns of all conversations, the oldest first.
func (s *Service) RunningAll() []Progress {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := []Progress{}
	for _, l := range s.lanes {
		if p := s.running(l); p != nil {
			out = append(out, *p)
		}
	}
	slices.SortFunc(out, func(a, b Progress) int { return a.Started.Compare(b.Started) })
	return out
}

func (s *Service) running(l *lane) *Progress {
	if l == nil || len(l.jobs) == 0 {
		return nil
	}
	p := l.progress
	p.ConversationID = l.jobs[0].user.ConversationID
	for _, j := range l.jobs[1:] {
		p.Queued = append(p.Queued, j.user.ID)
	}
	return &p
}

// Close stops all turns and chores, keeps what came of them, and waits for them until ctx ends. Messages that waited stay
// stored, without an answer.
func (s *Service) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	for _, l := range s.lanes {
		if len(l.jobs) > 1 {
			l.jobs = l.jobs[:1]
		}
	}
	s.mu.Unlock()
	s.end(errClosing)
	done := make(chan struct{})
	go func() {
		s.turns.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// lane returns the lane of a conversation.
func (s *Service) lane(conversationID string) (*lane, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, busy("the app is closing")
	}
	l := s.lanes[conversationID]
	if l == nil {
		l = &lane{}
		s.lanes[conversationID] = l
	}
	return l, nil
}

// branch stops the running turn of a conversation, so that the visible branch can change, and returns the lane with its
// tree locked. Messages that wait would end up on the wrong branch: then it fails with EBUSY.
func (s *Service) branch(ctx context.Context, conversationID string) (*lane, error) {
	l, err := s.lane(conversationID)
	if err != nil {
		return nil, err
	}
	for {
		l.tree.Lock()
		p := s.Running(conversationID)
		if p == nil {
			return l, nil
		}
		l.tree.Unlock()
		if len(p.Queued) > 0 {
			return nil, busy("messages of this conversation wait for their answers")
		}
		s.Stop(conversationID)
		if err := s.Wait(ctx, conversationID); err != nil {
			return nil, err
		}
	}
}

func busy(format string, args ...any) error { //nolint:unparam // as fmt.Errorf: its messages are found in Chinese by their format
	e := memory.Errorf(memory.EBUSY, "turn", format, args...)
	e.Remedy = memory.RemedyStop
	return e
}

// enqueue adds a job; the caller holds l.tree.
func (s *Service) enqueue(l *lane, j *job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return busy("the app is closing")
	}
	l.jobs = append(l.jobs, j)
	s.pauseChores()
	if len(l.jobs) > 1 {
		s.publish("turn.progress", s.running(l).data(s.Clock()))
		return nil
	}
	l.idle = make(chan struct{})
	l.progress = Progress{Phase: phaseQueued, Started: s.Clock()}
	s.turns.Add(1)
	go s.work(l)
	return nil
}

// work runs the jobs of a lane until none is left.
func (s *Service) work(l *lane) {
	defer s.turns.Done()
	for {
		s.mu.Lock()
		j := l.jobs[0]
		ctx, cancel := context.WithCancelCause(s.ctx)
		l.stop = cancel
		l.progress = Progress{Phase: phaseQueued, Started: s.Clock()}
		s.mu.Unlock()

		s.run(ctx, l, j)
		cancel(nil)

		s.mu.Lock()
		l.stop = nil
		l.jobs = l.jobs[1:]
		if len(l.jobs) == 0 || s.closed {
			l.jobs = nil
			close(l.idle)
			s.startChores()
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
	}
}

// queued returns the first user message that waits behind the running turn, "" when none does.
func (s *Service) queued(l *lane) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(l.jobs) < 2 {
		return ""
	}
	return l.jobs[1].user.ID
}

// limit returns how many tokens of a prompt the engine reads, 0 when nothing is known to stop it before the window.
func (s *Service) limit(set setup) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limits[reader{set.Model, set.Window}]
}

// learnLimit notes how much of a prompt the engine read: some cut prompts without a word long before the window is full.
func (s *Service) learnLimit(set setup, u memory.Usage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := reader{set.Model, set.Window}
	switch {
	case u.Truncated:
		s.limits[r] = u.PromptTokens
	case u.PromptTokens > s.limits[r]:
		delete(s.limits, r)
	}
}

// title gives a conversation the title of its first message, unless the user gave it one.
func (s *Service) title(ctx context.Context, c memory.Conversation, m memory.Message) {
	if m.ParentID != "" || c.Title != "" && c.TitleBy != memory.ActorSystem {
		return
	}
	title, by := Title(m.Content), memory.ActorSystem
	if title == "" || title == c.Title {
		return
	}
	if _, err := s.Store.UpdateConversation(ctx, c.ID, store.ConversationChange{Title: &title, TitleBy: &by}); err != nil {
		s.Log.Warn("title", "conversation", c.ID, "error", err)
	}
}

func (s *Service) publish(eventType string, data map[string]any) {
	s.Bus.Publish(memory.Event{Type: eventType, At: s.Clock(), Data: data})
}

func (s *Service) created(m memory.Message) {
	s.publish("message.created", map[string]any{
		"id": m.ID, "conversation_id": m.ConversationID, "role": string(m.Role), "parent_id": m.ParentID,
	})
}

func (s *Service) updated(m memory.Message) {
	s.publish("message.updated", map[string]any{"id": m.ID, "conversation_id": m.ConversationID, "status": string(m.Status)})
}
