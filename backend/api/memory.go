package api

import (
	"cmp"
	"context"
	"net/http"
	"reflect"
	"slices"
	"unicode/utf8"

	"recollect/backend/agent"
	"recollect/backend/agent/tools"
	"recollect/backend/ingest"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/tokens"
	"recollect/backend/window"
)

const (
	defaultPage  = 50
	largestPage  = 500
	passageBatch = 100 // passages of a long text that are stored together
)

// byUser is the cause of what the user changes by hand.
func byUser(agentID string) memory.Cause {
	return memory.Cause{Actor: memory.ActorUser, AgentID: agentID}
}

func (a *API) listAgents(r *http.Request) (result, error) {
	q := parameters(r, "deleted")
	list := a.Store.Agents
	if q.flag("deleted") {
		list = a.Store.DeletedAgents
	}
	if q.err != nil {
		return result{}, q.err
	}
	agents, err := list(r.Context())
	if err != nil {
		return result{}, err
	}
	sample, err := a.Sample.Agent(r.Context())
	return ok(Agents{Agents: agents, Sample: sample}), err
}

// personas lists the templates for the block persona of an agent, with its name in them.
func (a *API) personas(r *http.Request) (result, error) {
	q := parameters(r, "language", "name")
	if q.err != nil {
		return result{}, q.err
	}
	return ok(Personas{Personas: agent.Personas(q.text("language"), q.text("name"))}), nil
}

func (a *API) createAgent(r *http.Request) (result, error) {
	var in AgentCreate
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	made := memory.Agent{
		Name: in.Name, Model: in.Model, Window: in.Window, CoreShare: in.CoreShare, MaxSteps: in.MaxSteps,
		Temperature: in.Temperature, Thinking: in.Thinking, Language: in.Language, ToolsOff: in.ToolsOff, Room: in.Room,
	}
	if err := checkAgent(made); err != nil {
		return result{}, err
	}
	if err := a.checkRoomOrder(r.Context(), made.Room); err != nil {
		return result{}, err
	}
	if made.Model != "" {
		if err := a.checkModel(r.Context(), "model", made.Model); err != nil {
			return result{}, err
		}
	}
	if in.Embedder != "" {
		if err := a.checkModel(r.Context(), "embedder", in.Embedder); err != nil {
			return result{}, err
		}
	}
	if in.Human != "" {
		shared, err := a.Store.Block(r.Context(), in.Human)
		if err != nil {
			return result{}, err
		}
		if !memory.SameLabel(shared.Label, agent.HumanLabel) {
			return result{}, invalid("human must be a block of that label; this one is %q", shared.Label)
		}
	}
	if made.Language == "" { // its blocks are written now, in the language of the page
		raw, err := a.Store.Settings(r.Context())
		if err != nil {
			return result{}, err
		}
		settings, err := settingsOf(raw)
		if err != nil {
			return result{}, err
		}
		made.Language = settings.Language
	}
	made, err := agent.NewAgent(r.Context(), a.Store, made, agent.First{Persona: in.Persona, Human: in.Human})
	if err == nil && in.Embedder != "" {
		_, err = a.setEmbedder(r.Context(), made.ArchiveID, in.Embedder)
	}
	if err != nil {
		if made.ID != "" { // half an agent is no use; why it is half matters more than whether it goes
			_ = a.Store.DeleteAgent(context.WithoutCancel(r.Context()), made.ID, byUser(made.ID))
		}
		return result{}, err
	}
	return created(made), nil
}

// checkAgent checks the settings that the store does not know the meaning of.
func checkAgent(a memory.Agent) error {
	switch {
	case a.Window < 0 || a.Window > 0 && a.Window < minWindow || a.Window > maxWindow:
		return invalid("window must be 0 or from %d to %d tokens", minWindow, maxWindow)
	case a.CoreShare < 0 || a.CoreShare > maxCoreShare:
		return invalid("core_share must be from 0 to %v", maxCoreShare)
	case a.MaxSteps < 0 || a.MaxSteps > maxSteps:
		return invalid("max_steps must be from 0 to %d", maxSteps)
	case a.Temperature != nil && (*a.Temperature < 0 || *a.Temperature > 2):
		return invalid("temperature must be from 0 to 2")
	case !slices.Contains([]string{"", "en", "zh"}, a.Language):
		return invalid("language must be en, zh or empty")
	}
	if err := checkRoom(a.Room); err != nil {
		return err
	}
	for _, name := range a.ToolsOff {
		if !slices.Contains(tools.Names(), name) {
			return invalid("there is no tool %q", name)
		}
	}
	return nil
}

func (a *API) cloneAgent(r *http.Request) (result, error) {
	var in AgentClone
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	id := r.PathValue("id")
	made, err := a.Store.CloneAgent(r.Context(), id, in.Name, in.Shared, byUser(id))
	return created(made), err
}

// listTools returns what a model can be given.
func (a *API) listTools(r *http.Request) (result, error) {
	if err := parameters(r).err; err != nil {
		return result{}, err
	}
	var list Tools
	for _, t := range tools.All() {
		list.Tools = append(list.Tools, Tool{Name: t.Name, Description: t.Description})
	}
	return ok(list), nil
}

func (a *API) agent(r *http.Request) (result, error) {
	agent, err := a.Store.Agent(r.Context(), r.PathValue("id"))
	return ok(agent), err
}

func (a *API) changeAgent(r *http.Request) (result, error) {
	var in AgentChange
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if in.Deleted != nil {
		if *in.Deleted || !reflect.DeepEqual(in, AgentChange{Deleted: in.Deleted}) {
			return result{}, invalid("deleted may only be false, to take a deletion back, and nothing may be with it")
		}
		id := r.PathValue("id")
		agent, err := a.Store.RestoreAgent(r.Context(), id, byUser(id))
		return ok(agent), err
	}
	if in.Model != nil && *in.Model != "" {
		if err := a.checkModel(r.Context(), "model", *in.Model); err != nil {
			return result{}, err
		}
	}
	if in.Room != nil {
		if err := a.checkRoomOrder(r.Context(), *in.Room); err != nil {
			return result{}, err
		}
	}
	agent, err := a.Store.UpdateAgent(r.Context(), r.PathValue("id"), in.apply)
	return ok(agent), err
}

// apply puts the change into an agent.
func (in AgentChange) apply(agent *memory.Agent) error {
	set(&agent.Name, in.Name)
	set(&agent.Model, in.Model)
	set(&agent.Window, in.Window)
	set(&agent.CoreShare, in.CoreShare)
	set(&agent.MaxSteps, in.MaxSteps)
	set(&agent.Language, in.Language)
	set(&agent.ToolsOff, in.ToolsOff)
	set(&agent.Room, in.Room)
	if in.Temperature != nil {
		agent.Temperature = in.Temperature
	}
	if in.Thinking != nil {
		agent.Thinking = in.Thinking
	}
	for _, field := range in.Default {
		switch field {
		case "temperature":
			agent.Temperature = nil
		case "thinking":
			agent.Thinking = nil
		default:
			return invalid("%q has no default to go back to", field)
		}
	}
	return checkAgent(*agent)
}

// set stores a given value.
func set[T any](field *T, value *T) {
	if value != nil {
		*field = *value
	}
}

// deleteAgent hides an agent and ends its answers; PATCH {"deleted":false} takes that back.
func (a *API) deleteAgent(r *http.Request) (result, error) {
	id := r.PathValue("id")
	if err := a.Store.DeleteAgent(r.Context(), id, byUser(id)); err != nil {
		return result{}, err
	}
	for _, p := range a.Turns.RunningAll() {
		c, err := a.Store.Conversation(r.Context(), p.ConversationID)
		if err != nil {
			return result{}, err
		}
		if c.AgentID == id {
			a.Turns.Stop(c.ID)
		}
	}
	return nothing(), nil
}

// warnShare is the share of the core budget from which the gauge warns.
const warnShare = 0.8

func (a *API) core(r *http.Request) (result, error) {
	ctx, id := r.Context(), r.PathValue("id")
	if _, err := a.Store.Agent(ctx, id); err != nil {
		return result{}, err
	}
	blocks, err := a.Store.Blocks(ctx, id)
	if err != nil {
		return result{}, err
	}
	effective, err := a.Turns.Effective(ctx, id)
	if err != nil {
		return result{}, err
	}
	counter := a.Counters.For(ctx, effective.Model)
	used, budget, each := window.CoreUsage(blocks, counter, effective.Window, effective.CoreShare)
	sized, err := a.sized(ctx, blocks, each)
	if err != nil {
		return result{}, err
	}
	return ok(Core{
		Blocks: sized,
		Tokens: used, Budget: budget, Window: effective.Window, Share: effective.CoreShare, Warn: warnShare,
		Exact: counter.Exact(),
	}), nil
}

// sized puts the sizes of blocks, in the same order, to them.
func (a *API) sized(ctx context.Context, blocks []memory.Block, counts []int) ([]CoreBlock, error) {
	sized := make([]CoreBlock, len(blocks))
	for i, b := range blocks {
		agents, err := a.Store.BlockAgents(ctx, b.ID)
		if err != nil {
			return nil, err
		}
		sized[i] = CoreBlock{Block: b, Tokens: counts[i], Chars: utf8.RuneCountInString(b.Value), Agents: agents}
	}
	return sized, nil
}

// countCore counts a block with a value that is still being written.
func (a *API) countCore(r *http.Request) (result, error) {
	var in CoreDraft
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	ctx, id := r.Context(), r.PathValue("id")
	blocks, err := a.Store.Blocks(ctx, id)
	if err != nil {
		return result{}, err
	}
	at := slices.IndexFunc(blocks, func(b memory.Block) bool { return b.ID == in.BlockID })
	if at < 0 { // not attached: counted as if it were
		b, err := a.Store.Block(ctx, in.BlockID)
		if err != nil {
			return result{}, err
		}
		blocks, at = append(blocks, b), len(blocks)
	}
	blocks[at].Value = memory.CleanText(in.Value)
	effective, err := a.Turns.Effective(ctx, id)
	if err != nil {
		return result{}, err
	}
	counter := a.Counters.For(ctx, effective.Model)
	total, budget, each := window.CoreUsage(blocks, counter, effective.Window, effective.CoreShare)
	return ok(CoreCount{Tokens: each[at], Total: total, Budget: budget, Exact: counter.Exact()}), nil
}

func (a *API) orderBlocks(r *http.Request) (result, error) {
	var in BlockOrder
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	id := r.PathValue("id")
	revision, err := a.Store.OrderBlocks(r.Context(), id, in.BlockIDs, byUser(id))
	return ok(Revised{Revision: revision}), err
}

func (a *API) createBlock(r *http.Request) (result, error) {
	var in BlockCreate
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if in.Limit == 0 {
		in.Limit = memory.DefaultBlockLimit
	}
	id := r.PathValue("id")
	block, revision, err := a.Store.CreateBlock(r.Context(), memory.Block{
		Label: in.Label, Value: in.Value, Description: in.Description, Limit: in.Limit, ReadOnly: in.ReadOnly,
		Pinned: in.Pinned, Tags: in.Tags,
	}, []string{id}, byUser(id))
	return created(Changed{Block: block, Revision: revision}), err
}

func (a *API) attachBlock(r *http.Request) (result, error) {
	q := parameters(r, "replace")
	attach := a.Store.AttachBlock
	if q.flag("replace") {
		attach = a.Store.AttachInPlace
	}
	if q.err != nil {
		return result{}, q.err
	}
	id := r.PathValue("id")
	revision, err := attach(r.Context(), r.PathValue("block_id"), id, byUser(id))
	return ok(Revised{Revision: revision}), err
}

func (a *API) detachBlock(r *http.Request) (result, error) {
	id := r.PathValue("id")
	revision, err := a.Store.DetachBlock(r.Context(), r.PathValue("block_id"), id, byUser(id))
	return ok(Revised{Revision: revision}), err
}

func (a *API) listBlocks(r *http.Request) (result, error) {
	q := parameters(r, "agent_id", "count_for")
	if q.err != nil {
		return result{}, q.err
	}
	ctx := r.Context()
	blocks, err := a.Store.Blocks(ctx, q.text("agent_id"))
	if err != nil {
		return result{}, err
	}
	counter, err := a.counterFor(ctx, cmp.Or(q.text("count_for"), q.text("agent_id")))
	if err != nil {
		return result{}, err
	}
	_, _, each := window.CoreUsage(blocks, counter, 0, 0)
	sized, err := a.sized(ctx, blocks, each)
	return ok(Blocks{Blocks: sized, Exact: counter.Exact()}), err
}

// counterFor returns the counter of an agent's model; "" = of the first agent's.
func (a *API) counterFor(ctx context.Context, agentID string) (tokens.Counter, error) {
	if agentID == "" {
		agents, err := a.Store.Agents(ctx)
		if err != nil {
			return nil, err
		}
		if len(agents) == 0 {
			return tokens.Estimator(), nil
		}
		agentID = agents[0].ID
	}
	effective, err := a.Turns.Effective(ctx, agentID)
	if err != nil {
		return nil, err
	}
	return a.Counters.For(ctx, effective.Model), nil
}

func (a *API) deletedBlocks(r *http.Request) (result, error) {
	if err := parameters(r).err; err != nil {
		return result{}, err
	}
	deleted, err := a.Store.DeletedBlocks(r.Context(), largestPage)
	list := make([]DeletedBlock, len(deleted))
	for i, d := range deleted {
		list[i] = DeletedBlock(d)
	}
	return ok(DeletedBlocks{Blocks: list}), err
}

func (a *API) block(r *http.Request) (result, error) {
	block, err := a.Store.Block(r.Context(), r.PathValue("id"))
	return ok(block), err
}

func (a *API) changeBlock(r *http.Request) (result, error) {
	var in memory.BlockChange
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	block, revision, err := a.Store.UpdateBlock(r.Context(), r.PathValue("id"), in, byUser(""))
	return ok(Changed{Block: block, Revision: revision}), err
}

func (a *API) deleteBlock(r *http.Request) (result, error) {
	revision, err := a.Store.DeleteBlock(r.Context(), r.PathValue("id"), byUser(""))
	return ok(Revised{Revision: revision}), err
}

func (a *API) listRevisions(r *http.Request) (result, error) {
	q := parameters(r, "subject", "subject_id", "agent_id", "message_id", "cursor", "limit")
	f := store.RevisionFilter{
		Subject: memory.Subject(q.text("subject")), SubjectID: q.text("subject_id"), AgentID: q.text("agent_id"),
		MessageID: q.text("message_id"), Cursor: q.after("revision"), Limit: q.limit(defaultPage, largestPage),
	}
	switch f.Subject {
	case "", memory.SubjectBlock, memory.SubjectAttachment, memory.SubjectPassage, memory.SubjectPassages, memory.SubjectDocument, memory.SubjectOrder, memory.SubjectFeedback, memory.SubjectFact:
	default:
		q.fail("subject must be block, attachment, order, passage, passages, document, fact or feedback")
	}
	if q.err != nil {
		return result{}, q.err
	}
	revisions, next, err := a.Store.Revisions(r.Context(), f)
	for i := range revisions {
		revisions[i] = brief(revisions[i])
	}
	return ok(Revisions{Revisions: revisions, Next: next}), err
}

func (a *API) revision(r *http.Request) (result, error) {
	revision, err := a.Store.Revision(r.Context(), r.PathValue("id"))
	return ok(brief(revision)), err
}

// longList is the size from which the list of passages that changed together is left out of a revision, in bytes.
const longList = 64 << 10

// brief returns a revision without its lists where they are too long to be shown.
func brief(r memory.Revision) memory.Revision {
	if r.Subject == memory.SubjectPassages && len(r.Before)+len(r.After) > longList {
		r.Before, r.After = "", ""
	}
	return r
}

func (a *API) undo(r *http.Request) (result, error) {
	revision, err := a.Store.Undo(r.Context(), r.PathValue("id"), byUser(""))
	return ok(Revised{Revision: brief(revision)}), err
}

// passageFilter are the parameters that select passages.
var passageFilter = []string{"agent_id", "tags", "tag_mode", "origin", "after", "before"}

// passages reads the parameters that select passages, of the archive of an agent.
func (a *API) passages(ctx context.Context, q *query) (store.PassageFilter, error) {
	f := store.PassageFilter{
		Tags: q.list("tags"), TagMode: q.text("tag_mode"), Origin: q.text("origin"),
		After: q.time("after", a.Location, false), Before: q.time("before", a.Location, true),
	}
	if !slices.Contains([]string{"", "any", "all"}, f.TagMode) {
		q.fail("tag_mode must be any or all")
	}
	if !slices.Contains([]string{"", store.OriginMessage, store.OriginHand, store.OriginDocument}, f.Origin) {
		q.fail("origin must be message, document or hand")
	}
	if q.err != nil {
		return f, q.err
	}
	agent, err := a.agentOf(ctx, q.text("agent_id"))
	f.ArchiveID = agent.ArchiveID
	return f, err
}

func (a *API) listPassages(r *http.Request) (result, error) {
	q := parameters(r, slices.Concat(passageFilter, []string{"query", "by", "ids", "cursor", "limit"})...)
	by := q.text("by")
	if !slices.Contains([]string{"", "words"}, by) {
		q.fail("by must be words, or nothing for words and meaning")
	}
	ids := q.list("ids")
	if len(ids) > largestPage {
		q.fail("at most %d ids at once", largestPage)
	}
	limit := q.limit(defaultPage, largestPage)
	ctx := r.Context()
	if len(ids) > 0 && q.err == nil {
		found, err := a.Store.PassagesByID(ctx, ids)
		return ok(Passages{Passages: found}), err
	}
	f, err := a.passages(ctx, q)
	if err != nil {
		return result{}, err
	}
	f.Cursor, f.Limit = q.text("cursor"), limit
	if text := q.text("query"); text != "" {
		search := a.Search.SearchPassages
		if by == "words" {
			search = a.Search.TypePassages
		}
		hits, next, err := search(ctx, f.ArchiveID, text, f.Tags, f.TagMode, f.After, f.Before, f.Limit, f.Cursor)
		if err != nil {
			return result{}, err
		}
		ids := make([]string, len(hits))
		for i, hit := range hits {
			ids[i] = hit.ID
		}
		found, err := a.Store.PassagesByID(ctx, ids)
		if f.Origin != "" { // no index knows it
			found = slices.DeleteFunc(found, func(p memory.Passage) bool { return originOf(p) != f.Origin })
		}
		return ok(Passages{Passages: found, Next: next}), err
	}
	passages, next, err := a.Store.ListPassages(ctx, f)
	return ok(Passages{Passages: passages, Next: next}), err
}

// originOf says where a passage comes from.
func originOf(p memory.Passage) string {
	switch {
	case p.Document != nil:
		return store.OriginDocument
	case p.Origin != "":
		return store.OriginMessage
	}
	return store.OriginHand
}

func (a *API) passageIDs(r *http.Request) (result, error) {
	f, err := a.passages(r.Context(), parameters(r, passageFilter...))
	if err != nil {
		return result{}, err
	}
	ids, err := a.Store.PassageIDs(r.Context(), f)
	return ok(PassageIDs{IDs: ids}), err
}

func (a *API) changePassages(r *http.Request) (result, error) {
	var in BulkChange
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	agent, err := a.agentOf(r.Context(), in.AgentID)
	if err != nil {
		return result{}, err
	}
	if in.Delete == (len(in.AddTags)+len(in.RemoveTags) > 0) {
		return result{}, invalid("the passages are either deleted, or get and lose tags")
	}
	revision, n, err := a.Store.ChangePassages(r.Context(), agent.ArchiveID, in.IDs, in.PassagesChange, byUser(agent.ID), in.Act)
	return ok(PassagesChanged{Revision: brief(revision), Count: n}), err
}

func (a *API) listTags(r *http.Request) (result, error) {
	q := parameters(r, "agent_id")
	if q.err != nil {
		return result{}, q.err
	}
	agent, err := a.agentOf(r.Context(), q.text("agent_id"))
	if err != nil {
		return result{}, err
	}
	counts, err := a.Store.PassageTags(r.Context(), agent.ArchiveID)
	tags := make([]Tag, len(counts))
	for i, c := range counts {
		tags[i] = Tag(c)
	}
	return ok(Tags{Tags: tags}), err
}

// agentOf returns the agent that a request must name.
func (a *API) agentOf(ctx context.Context, id string) (memory.Agent, error) {
	if id == "" {
		return memory.Agent{}, invalid("agent_id is missing")
	}
	return a.Store.Agent(ctx, id)
}

func (a *API) createPassages(r *http.Request) (result, error) {
	var in PassageCreate
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	ctx := r.Context()
	agent, err := a.agentOf(ctx, in.AgentID)
	if err != nil {
		return result{}, err
	}
	pieces := ingest.Cut(memory.CleanText(in.Text), ingest.PassageChars)
	if len(pieces) == 0 {
		return result{}, invalid("text is empty")
	}
	cause := byUser(agent.ID)
	if in.Origin != "" {
		m, err := a.Store.Message(ctx, in.Origin)
		if err != nil {
			return result{}, err
		}
		cause.MessageID, cause.ConversationID = m.ID, m.ConversationID
	}
	var stored Passages
	// Each batch is stored whole, and others can write between two. Sending the text again after a failure is harmless:
	// the store keeps one passage for one text.
	for batch := range slices.Chunk(pieces, passageBatch) {
		passages := make([]memory.Passage, len(batch))
		for i, text := range batch {
			passages[i] = memory.Passage{ArchiveID: agent.ArchiveID, Text: text, Tags: in.Tags, Origin: in.Origin}
			if in.CreatedAt != nil {
				passages[i].CreatedAt = *in.CreatedAt
			}
		}
		if passages, err = a.Store.CreatePassages(ctx, passages, cause); err != nil {
			return result{}, err
		}
		stored.Passages = append(stored.Passages, passages...)
	}
	return created(stored), nil
}

func (a *API) passage(r *http.Request) (result, error) {
	passage, err := a.Store.Passage(r.Context(), r.PathValue("id"))
	return ok(passage), err
}

func (a *API) changePassage(r *http.Request) (result, error) {
	var in memory.PassageChange
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	passage, _, err := a.Store.UpdatePassage(r.Context(), r.PathValue("id"), in, byUser(""))
	return ok(passage), err
}

func (a *API) deletePassage(r *http.Request) (result, error) {
	revision, err := a.Store.DeletePassage(r.Context(), r.PathValue("id"), byUser(""))
	return ok(Revised{Revision: revision}), err
}

func (a *API) search(r *http.Request) (result, error) {
	q := parameters(r, "agent_id", "query", "roles", "after", "before", "cursor", "limit")
	var roles []memory.Role
	for _, role := range q.list("roles") {
		switch role := memory.Role(role); role {
		case memory.RoleUser, memory.RoleAssistant, memory.RoleTool:
			roles = append(roles, role)
		default:
			q.fail("there is no role %q", role)
		}
	}
	limit := q.limit(20, 100)
	after, before := q.time("after", a.Location, false), q.time("before", a.Location, true)
	if q.err != nil {
		return result{}, q.err
	}
	agent, err := a.agentOf(r.Context(), q.text("agent_id"))
	if err != nil {
		return result{}, err
	}
	hits, next, err := a.Search.SearchMessages(r.Context(), agent.ID, q.text("query"), roles, after, before, limit, q.text("cursor"))
	return ok(Hits{Hits: hits, Next: next}), err
}
