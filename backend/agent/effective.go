package agent

import (
	"context"

	"recollect/backend/agent/tools"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/tokens"
	"recollect/backend/window"
)

// Effective is what the next turn of an agent uses: the agent's own choice, else that of the settings, else a default.
type Effective struct {
	Model     string  `json:"model"`  // "" when none is chosen and none is installed
	Window    int     `json:"window"` // tokens
	CoreShare float64 `json:"core_share"`
	Language  string  `json:"language"`
}

// smallestWindow is the least that instructions, tools, core memory and a short talk fit into.
const smallestWindow = 2048

// setup is Effective with what a turn needs besides.
type setup struct {
	Effective
	profile engine.Profile // as last heard; zero when the engine never said
	wanted  int            // the window that was asked for; Window is less where that did not fit into memory
	tools   []engine.Tool
	system  string
	counter tokens.Counter
}

// Effective returns what the next turn of an agent uses. It never waits for the engine to start: without one, models and
// windows are defaults.
func (s *Service) Effective(ctx context.Context, agentID string) (Effective, error) {
	a, err := s.Store.Agent(ctx, agentID)
	if err != nil {
		return Effective{}, err
	}
	set, _ := s.setup(ctx, a)
	return set.Effective, nil
}

// setup works out what a turn uses. With an error about the model the setup is still usable for a preview.
func (s *Service) setup(ctx context.Context, a memory.Agent) (setup, error) {
	var set setup
	set.Language = languageOf(a.Language, s.Settings.String("language"))
	set.CoreShare = first(a.CoreShare, s.Settings.Float("core_share"), window.DefaultCoreShare)
	set.Model = first(a.Model, s.Settings.String("model"))
	var err error
	if set.Model == "" {
		if set.Model, err = s.anyModel(ctx); memory.CodeOf(err) == memory.EENGINE {
			set.Model, set.profile = s.heard("")
		}
	}
	if set.Model != "" && err == nil {
		set.profile, err = s.Engine.Profile(ctx, set.Model)
		switch memory.CodeOf(err) {
		case "":
			s.hear(set.Model, set.profile)
			err = usable(set.profile)
		case memory.EENGINE: // it is away; what it said before still holds
			_, set.profile = s.heard(set.Model)
		}
	}
	var ram int64
	if s.MemoryBytes != nil {
		ram = s.MemoryBytes()
	}
	p := set.profile
	set.Window = first(a.Window, s.Settings.Int("window"), window.DefaultWindow(p.MaxContext, p.KVBytesPerToken, max(ram-p.Bytes, 0)))
	if p.MaxContext > 0 {
		set.Window = min(set.Window, p.MaxContext)
	}
	set.wanted = max(set.Window, smallestWindow)
	set.Window = s.fitting(set)
	set.profile.Tools = p.Tools && !s.toolless(set)
	if set.profile.Tools {
		set.tools = tools.Offered(append(s.pointless(ctx, a), a.ToolsOff...))
	}
	set.system = SystemText(set.Language, len(set.tools) > 0)
	if set.Model == "" {
		set.counter = tokens.Estimator()
	} else {
		set.counter = s.Counters.For(ctx, set.Model)
	}
	return set, err
}

// pointless returns the tools that would only take room: without documents there is none to read.
func (s *Service) pointless(ctx context.Context, a memory.Agent) []string {
	if documents, err := s.Store.DocumentsNamed(ctx, a.ArchiveID, "", 1); err == nil && len(documents) == 0 {
		return []string{"read_document"}
	}
	return nil
}

// hear keeps the profile of the model in use.
func (s *Service) hear(model string, p engine.Profile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.profiles[model], s.lastModel = p, model
}

// heard returns the last that was heard about a model, or about the one used last.
func (s *Service) heard(model string) (string, engine.Profile) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if model == "" {
		model = s.lastModel
	}
	return model, s.profiles[model]
}

// fitting returns the window to use: the one that is wanted, or less where that did not fit into memory.
func (s *Service) fitting(set setup) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if fits := s.fits[reader{set.Model, set.wanted}]; fits > 0 {
		return fits
	}
	return set.wanted
}

// toolless says whether a model does without its tools: the engine refused them, or its window has no room for them.
func (s *Service) toolless(set setup) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.refused[set.profile.Digest] || s.cramped[reader{set.Model, set.Window}]
}

// EngineAnew forgets what was seen of the models on an engine, after it was started again or another took its place: what it
// could not do may be possible now.
func (s *Service) EngineAnew() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.fits)
	clear(s.limits)
	clear(s.refused)
	clear(s.cramped)
}

// giveUpTools lets a model count as one without tools until the engine is started again, since the engine refuses them, and says so.
func (s *Service) giveUpTools(set setup) {
	s.mu.Lock()
	s.refused[set.profile.Digest] = true
	s.mu.Unlock()
	s.publish("notice", map[string]any{"level": "warn", "code": "tools_refused", "text": phrases{set.Language}.toolsRefused(set.Model)})
}

// leaveOutTools takes the tools out of a turn, and out of later ones with this window, after the engine found a prompt too
// long of which nothing else can go, and says so.
func (s *Service) leaveOutTools(set *setup) {
	s.mu.Lock()
	s.cramped[reader{set.Model, set.Window}] = true
	s.mu.Unlock()
	set.profile.Tools, set.tools, set.system = false, nil, SystemText(set.Language, false)
	s.publish("notice", map[string]any{"level": "warn", "code": "no_room_for_tools", "text": phrases{set.Language}.noRoomForTools(set.Model, set.Window)})
}

func (p phrases) toolsRefused(model string) string {
	return p.pick("The engine refuses tools for %s, so it answers without them. “Remember …” works as before.",
		"引擎拒绝让 %s 使用工具，因此它回答时不再使用。说“记住……”照常有效。", model)
}

func (p phrases) noRoomForTools(model string, window int) string {
	return p.pick("A window of %[2]d tokens has no room for the tools of %[1]s, so it answers without them. “Remember …” works as before; a larger window can be chosen in the settings.",
		"%[2]d token 的窗口放不下 %[1]s 的工具，因此它回答时不用工具。说“记住……”照常有效；可以在设置里选更大的窗口。", model, window)
}

// halve halves the window after the engine could not load the model with it, and says so. It reports whether there is a
// smaller window to try. It holds until the engine is started again or another window is chosen.
func (s *Service) halve(set *setup) bool {
	half := set.Window / 2
	if half < smallestWindow {
		return false
	}
	s.mu.Lock()
	s.fits[reader{set.Model, set.wanted}] = half
	s.mu.Unlock()
	s.publish("notice", map[string]any{
		"level": "warn", "code": "window_halved", "text": phrases{set.Language}.windowHalved(set.Model, set.Window, half),
	})
	set.Window = half
	return true
}

// serves notes that an engine serves less of a window than was asked for, whatever it was told, and says so. It holds until the
// engine is started again or another window is chosen.
func (s *Service) serves(set *setup, tokens int) {
	if tokens < smallestWindow || tokens >= set.Window {
		return
	}
	s.mu.Lock()
	s.fits[reader{set.Model, set.wanted}] = tokens
	s.mu.Unlock()
	s.publish("notice", map[string]any{
		"level": "warn", "code": "window_served", "text": phrases{set.Language}.windowServed(set.Model, set.Window, tokens),
	})
	set.Window = tokens
}

// anyModel returns the first installed chat model that fits the machine, for an app in which none was chosen yet.
func (s *Service) anyModel(ctx context.Context) (string, error) {
	models, err := s.Engine.Models(ctx)
	if err != nil {
		return "", err
	}
	found := ""
	for _, m := range models {
		if m.Chat && !m.Remote && !m.Embedding {
			if m.Fits != "no" && !m.Starter {
				return m.Name, nil
			}
			if found == "" || m.Starter {
				found = m.Name
			}
		}
	}
	if found == "" {
		e := memory.Errorf(memory.EMODEL, "choose model", "No chat model is installed. Pull one, or install the starter model.")
		e.Remedy = memory.RemedyPullModel
		return "", e
	}
	return found, nil
}

func usable(p engine.Profile) error {
	if p.Remote {
		e := memory.Errorf(memory.EMODEL, "choose model", "The model %s runs on other machines. Recollect uses only models that run on this one.", p.Name)
		e.Remedy = memory.RemedyChooseModel
		return e
	}
	return nil
}

// first returns the first value that is not zero.
func first[T comparable](values ...T) T {
	var zero T
	for _, v := range values {
		if v != zero {
			return v
		}
	}
	return zero
}

// Preview returns the plan of the request that a draft in a conversation would make, without recall and without changing
// anything. What the engine has counted of it already stands in place of our estimate.
func (s *Service) Preview(ctx context.Context, conversationID, draft string) (memory.Plan, error) {
	c, err := s.Store.Conversation(ctx, conversationID)
	if err != nil {
		return memory.Plan{}, err
	}
	n, err := s.next(ctx, c, draft) // without an engine the plan is an estimate
	if err == nil {
		err = s.measure(ctx, c, &n)
	}
	return n.request.Plan, err
}

// measure puts what the engine has counted of a request already in place of our estimate.
func (s *Service) measure(ctx context.Context, c memory.Conversation, n *drafted) error {
	if c.Head == "" || n.request.Rebased {
		return nil
	}
	last, err := s.Store.Message(ctx, c.Head)
	if err != nil {
		return err
	}
	// Of an answer that was stopped or broke off the engine has counted nothing.
	if u := last.Usage; u != nil && u.PromptTokens > 0 && last.Model == n.set.Model && !u.Truncated {
		n.request.Plan = n.request.Plan.WithMeasured(u.PromptTokens + last.Tokens)
	}
	return nil
}

// PreviewNew is Preview for the first message of a conversation that an agent does not have yet.
func (s *Service) PreviewNew(ctx context.Context, agentID, draft string) (memory.Plan, error) {
	n, err := s.next(ctx, memory.Conversation{AgentID: agentID}, draft)
	return n.request.Plan, err
}

// drafted is a request that is not sent, and what it is made of.
type drafted struct {
	agent   memory.Agent
	set     setup
	blocks  []memory.Block
	prefix  *memory.Prefix
	path    []memory.Message // the draft is its last message
	request window.Request
	room    *decision
}

// next assembles the request that a draft would make; a conversation without an id has nothing in it yet. The setup's own
// error is not one here: it is usable without.
func (s *Service) next(ctx context.Context, c memory.Conversation, draft string) (drafted, error) {
	return s.nextListed(ctx, c, draft, false)
}

// nextListed is next, with a list of what stands in the window where that is asked for.
func (s *Service) nextListed(ctx context.Context, c memory.Conversation, draft string, list bool) (n drafted, err error) {
	if n.agent, err = s.Store.Agent(ctx, c.AgentID); err != nil {
		return n, err
	}
	n.set, _ = s.setup(ctx, n.agent)
	if n.blocks, err = s.Store.Blocks(ctx, n.agent.ID); err != nil {
		return n, err
	}
	if c.ID != "" {
		if n.prefix, err = s.prefix(ctx, c.ID); err != nil {
			return n, err
		}
	}
	if n.path, err = s.path(ctx, c.Head, "", n.prefix, n.set); err != nil {
		return n, err
	}
	n.path = append(n.path, memory.Message{
		ID: window.Draft, ConversationID: c.ID, AgentID: n.agent.ID, ParentID: c.Head, Role: memory.RoleUser, Content: memory.CleanText(draft),
	})
	in := s.input(n.set, n.blocks, n.prefix, n.path)
	if n.room, err = s.makeRoom(ctx, &in, n.agent, c.ID); err != nil {
		return n, err
	}
	in.List = list
	n.request, err = window.Assemble(in)
	return n, err
}

// Warm loads the model of a conversation and has it read what the next prompt begins with, so that the next answer starts
// at once. It gives way to every turn and does nothing while one runs. Call it when nothing is asked of the engine.
func (s *Service) Warm(ctx context.Context, conversationID string) error {
	if len(s.RunningAll()) > 0 {
		return nil
	}
	c, err := s.Store.Conversation(ctx, conversationID)
	if err != nil {
		return err
	}
	n, err := s.next(ctx, c, "")
	if err != nil || n.set.Model == "" {
		return err
	}
	req := engineRequest(n.agent, n.set, n.request)
	req.Priority, req.Conversation = engine.PriorityBackground, conversationID
	u, err := s.Engine.Warm(ctx, req)
	s.used(ctx, memory.CallWarm, n.agent.ID, req, u)
	return err
}

// input is what every request of an agent is assembled from.
func (s *Service) input(set setup, blocks []memory.Block, prefix *memory.Prefix, path []memory.Message) window.Input {
	return window.Input{
		System: set.system, Blocks: blocks, Tools: set.tools, Prefix: prefix, Path: path, Now: s.Clock(), Language: set.Language,
		Model: set.Model, Counter: set.counter, Window: set.Window, Wanted: set.wanted, CoreShare: set.CoreShare,
		KeepCallText: set.profile.KeepsCallText, Sees: set.profile.Vision, Limit: s.limit(set),
	}
}

// prefix returns the stored prefix of a conversation, nil when it has none yet.
func (s *Service) prefix(ctx context.Context, conversationID string) (*memory.Prefix, error) {
	p, err := s.Store.Prefix(ctx, conversationID)
	if memory.CodeOf(err) == memory.ENOTFOUND {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &p, nil
}
