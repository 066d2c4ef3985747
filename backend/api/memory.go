package api

import (
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

// personas lists the templates for the block persona.
func (a *API) personas(r *http.Request) (result, error) {
	q := parameters(r, "language")
	if q.err != nil {
		return result{}, q.err
	}
	return ok(Personas{Personas: agent.Personas(q.text("language"))}), nil
}

func (a *API) createAgent(r *http.Request) (result, error) {
	var in AgentCreate
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	made := memory.Agent{
		Name: in.Name, Model: in.Model, Window: in.Window, CoreShare: in.CoreShare, MaxSteps: in.MaxSteps,
		Temperature: in.Temperature, Thinking: in.Thinking, Language: in.Language, ToolsOff: in.ToolsOff,
	}
	if err := checkAgent(made); err != nil {
		return result{}, err
	}
	made, err := agent.NewAgent(r.Context(), a.Store, made, in.Persona)
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
	for _, t := range tools.Schemas() {
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
	core := Core{
		Tokens: used, Budget: budget, Window: effective.Window, Share: effective.CoreShare, Warn: warnShare,
		Exact: counter.Exact(), SystemTokens: effective.SystemTokens,
	}
	for i, b := range blocks {
		agents, err := a.Store.BlockAgents(ctx, b.ID)
		if err != nil {
			return result{}, err
		}
		core.Blocks = append(core.Blocks, CoreBlock{
			Block: b, Tokens: each[i], Chars: utf8.RuneCountInString(b.Value), Agents: agents,
		})
	}
	return ok(core), nil
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
	id := r.PathValue("id")
	revision, err := a.Store.AttachBlock(r.Context(), r.PathValue("block_id"), id, byUser(id))
	return ok(Revised{Revision: revision}), err
}

func (a *API) detachBlock(r *http.Request) (result, error) {
	id := r.PathValue("id")
	revision, err := a.Store.DetachBlock(r.Context(), r.PathValue("block_id"), id, byUser(id))
	return ok(Revised{Revision: revision}), err
}

func (a *API) listBlocks(r *http.Request) (result, error) {
	q := parameters(r, "agent_id")
	if q.err != nil {
		return result{}, q.err
	}
	blocks, err := a.Store.Blocks(r.Context(), q.text("agent_id"))
	return ok(Blocks{Blocks: blocks}), err
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
	case "", memory.SubjectBlock, memory.SubjectAttachment, memory.SubjectPassage:
	default:
		q.fail("subject must be block, attachment or passage")
	}
	if q.err != nil {
		return result{}, q.err
	}
	revisions, next, err := a.Store.Revisions(r.Context(), f)
	return ok(Revisions{Revisions: revisions, Next: next}), err
}

func (a *API) revision(r *http.Request) (result, error) {
	revision, err := a.Store.Revision(r.Context(), r.PathValue("id"))
	return ok(revision), err
}

func (a *API) undo(r *http.Request) (result, error) {
	revision, err := a.Store.Undo(r.Context(), r.PathValue("id"), byUser(""))
	return ok(Revised{Revision: revision}), err
}

func (a *API) listPassages(r *http.Request) (result, error) {
	q := parameters(r, "agent_id", "query", "tags", "tag_mode", "after", "before", "cursor", "limit")
	mode := q.text("tag_mode")
	if !slices.Contains([]string{"", "any", "all"}, mode) {
		q.fail("tag_mode must be any or all")
	}
	f := store.PassageFilter{
		Tags: q.list("tags"), TagMode: mode, Cursor: q.text("cursor"), Limit: q.limit(defaultPage, largestPage),
		After: q.time("after", a.Location, false), Before: q.time("before", a.Location, true),
	}
	if q.err != nil {
		return result{}, q.err
	}
	ctx := r.Context()
	agent, err := a.agentOf(ctx, q.text("agent_id"))
	if err != nil {
		return result{}, err
	}
	f.ArchiveID = agent.ArchiveID
	if text := q.text("query"); text != "" {
		hits, next, err := a.Search.SearchPassages(ctx, f.ArchiveID, text, f.Tags, f.TagMode, f.After, f.Before, f.Limit, f.Cursor)
		if err != nil {
			return result{}, err
		}
		found := Passages{Next: next}
		for _, hit := range hits {
			p, err := a.Store.Passage(ctx, hit.ID)
			if memory.CodeOf(err) == memory.ENOTFOUND {
				continue // deleted since
			}
			if err != nil {
				return result{}, err
			}
			found.Passages = append(found.Passages, p)
		}
		return ok(found), nil
	}
	passages, next, err := a.Store.ListPassages(ctx, f)
	return ok(Passages{Passages: passages, Next: next}), err
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
