package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"time"

	"recollect/backend/memory"
)

// CreateAgent stores a new agent, with an archive of its own where ArchiveID is "", and fills in its id and times.
func (s *Store) CreateAgent(ctx context.Context, a memory.Agent, cause memory.Cause) (memory.Agent, error) {
	const op = "create agent"
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if a.Name, err = memory.ValidateName(a.Name); err != nil {
			return err
		}
		if a.ArchiveID == "" {
			if a.ArchiveID, err = t.insertArchive(a.Name, ""); err != nil {
				return err
			}
		} else if _, err := one(ctx, t, scanArchive, "archive_get", a.ArchiveID); err != nil {
			return missingOr(op, "archive", a.ArchiveID, err)
		}
		return t.insertAgent(&a, cause)
	})
	return a, err
}

// insertAgent stores a new agent and fills in its id and times.
func (t *tx) insertAgent(a *memory.Agent, cause memory.Cause) error {
	a.ID = t.s.ids.New("agent")
	a.CreatedAt, a.UpdatedAt, a.DeletedAt = t.now, t.now, time.Time{}
	if a.ToolsOff == nil {
		a.ToolsOff = []string{}
	}
	if err := t.run("agent_insert", a.ID, a.Name, a.Model, a.Window, a.CoreShare, a.MaxSteps, a.Temperature, a.Thinking,
		a.Language, encode(a.ToolsOff), a.ArchiveID, millis(a.CreatedAt), millis(a.UpdatedAt), encode(a.Room)); err != nil {
		return err
	}
	return t.emit("agent.changed", a.ID, "", map[string]any{"agent_id": a.ID, "actor": cause.Actor, "created": true})
}

// insertArchive makes an archive whose passages an embedding model embeds, and returns its id.
func (t *tx) insertArchive(name, embedder string) (string, error) {
	id := t.s.ids.New("archive")
	if err := t.run("archive_insert", id, name, embedder, millis(t.now)); err != nil {
		return "", err
	}
	key, err := one(t.ctx, t, value[int64], "archive_key", id)
	if err != nil {
		return "", err
	}
	return id, t.run("places_of_archive", placeOf(key))
}

// CloneAgent stores another agent with the settings of the agent id and an archive of its own, with the same embedder. Its blocks are those of
// the agent where shared, so that what one learns the other knows; else copies of them. Conversations and passages stay
// with the agent.
func (s *Store) CloneAgent(ctx context.Context, id, name string, shared bool, cause memory.Cause) (memory.Agent, error) {
	const op = "clone agent"
	var a memory.Agent
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if a, err = one(ctx, t, scanAgent, "agent_get", id); err != nil {
			return missingOr(op, "agent", id, err)
		}
		if a.Name, err = memory.ValidateName(name); err != nil {
			return err
		}
		blocks, err := all(ctx, t, scanBlock, "block_list_of_agent", id)
		if err != nil {
			return err
		}
		archive, err := one(ctx, t, scanArchive, "archive_get", a.ArchiveID)
		if err != nil {
			return missingOr(op, "archive", a.ArchiveID, err)
		}
		if a.ArchiveID, err = t.insertArchive(a.Name, archive.Embedder); err != nil {
			return err
		}
		if err := t.insertAgent(&a, cause); err != nil {
			return err
		}
		cause.AgentID = a.ID
		for _, b := range blocks {
			if shared {
				_, err = t.setAttached(b.Block, a.ID, true, cause)
			} else {
				copied := b.Block
				_, err = t.insertBlock(op, &copied, []string{a.ID}, cause)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return a, err
}

// Agent returns the agent with the given id.
func (s *Store) Agent(ctx context.Context, id string) (memory.Agent, error) {
	a, err := one(ctx, s, scanAgent, "agent_get", id)
	return a, missingOr("read agent", "agent", id, err)
}

// Agents returns all agents, the oldest first.
func (s *Store) Agents(ctx context.Context) ([]memory.Agent, error) {
	agents, err := all(ctx, s, scanAgent, "agent_list")
	return agents, fault("list agents", err)
}

// UpdateAgent changes an agent, but not its id and times. Nobody else changes it between what change sees and what is
// stored; an error of change is returned as it is, and nothing is stored.
func (s *Store) UpdateAgent(ctx context.Context, id string, change func(*memory.Agent) error) (memory.Agent, error) {
	const op = "update agent"
	var a memory.Agent
	err := s.write(ctx, op, kept, func(t *tx) error {
		old, err := one(ctx, t, scanAgent, "agent_get", id)
		if err != nil {
			return missingOr(op, "agent", id, err)
		}
		a = old
		if err := change(&a); err != nil {
			return err
		}
		a.ID = id
		if a.Name, err = memory.ValidateName(a.Name); err != nil {
			return err
		}
		if a.ArchiveID == "" {
			a.ArchiveID = old.ArchiveID
		} else if _, err := one(ctx, t, scanArchive, "archive_get", a.ArchiveID); err != nil {
			return missingOr(op, "archive", a.ArchiveID, err)
		}
		a.CreatedAt, a.UpdatedAt, a.DeletedAt = old.CreatedAt, t.now, old.DeletedAt
		if a.ToolsOff == nil {
			a.ToolsOff = []string{}
		}
		if err := t.run("agent_update", a.ID, a.Name, a.Model, a.Window, a.CoreShare, a.MaxSteps, a.Temperature, a.Thinking,
			a.Language, encode(a.ToolsOff), a.ArchiveID, millis(a.UpdatedAt), encode(a.Room)); err != nil {
			return err
		}
		return t.emit("agent.changed", a.ID, "", map[string]any{"agent_id": a.ID})
	})
	return a, err
}

// DeletedAgents returns the agents that were deleted, the last deleted first.
func (s *Store) DeletedAgents(ctx context.Context) ([]memory.Agent, error) {
	agents, err := all(ctx, s, scanAgent, "agent_list_deleted")
	return agents, fault("list deleted agents", err)
}

// DeleteAgent takes the agent out of sight, with its conversations; nothing of it is lost, and RestoreAgent brings it
// back. Blocks that it shares stay with the others. The last agent cannot be deleted (ECONFLICT).
func (s *Store) DeleteAgent(ctx context.Context, id string, cause memory.Cause) error {
	const op = "delete agent"
	return s.write(ctx, op, kept, func(t *tx) error {
		agents, err := all(ctx, t, scanAgent, "agent_list")
		if err != nil {
			return err
		}
		i := slices.IndexFunc(agents, func(a memory.Agent) bool { return a.ID == id })
		if i < 0 {
			return missingOr(op, "agent", id, sql.ErrNoRows)
		}
		if len(agents) == 1 {
			return memory.Errorf(memory.ECONFLICT, op, "this is the only agent; make another one first")
		}
		if err := t.run("agent_delete", id, millis(t.now), millis(t.now)); err != nil {
			return err
		}
		return t.emit("agent.changed", id, "", map[string]any{"agent_id": id, "label": agents[i].Name, "deleted": true, "actor": cause.Actor})
	})
}

// RestoreAgent takes the deletion of an agent back. A shared block that was renamed meanwhile, to the name of another
// block of the agent, is detached from it.
func (s *Store) RestoreAgent(ctx context.Context, id string, cause memory.Cause) (memory.Agent, error) {
	const op = "restore agent"
	var a memory.Agent
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if a, err = one(ctx, t, scanAgent, "agent_get_deleted", id); err != nil {
			return missingOr(op, "deleted agent", id, err)
		}
		a.DeletedAt, a.UpdatedAt = time.Time{}, t.now
		if err := t.run("agent_delete", id, 0, millis(t.now)); err != nil {
			return err
		}
		blocks, err := all(ctx, t, scanBlock, "block_list_of_agent", id)
		if err != nil {
			return err
		}
		cause.AgentID = id
		for i, b := range blocks {
			if slices.ContainsFunc(blocks[:i], func(o storedBlock) bool { return memory.SameLabel(o.Label, b.Label) }) {
				if _, err := t.setAttached(b.Block, id, false, cause); err != nil {
					return err
				}
			}
		}
		return t.emit("agent.changed", id, "", map[string]any{"agent_id": id, "restored": true, "actor": cause.Actor})
	})
	return a, err
}

// Archives returns all archives, the oldest first.
func (s *Store) Archives(ctx context.Context) ([]memory.Archive, error) {
	archives, err := all(ctx, s, scanArchive, "archive_list")
	return archives, fault("list archives", err)
}

// Archive returns the archive with the given id.
func (s *Store) Archive(ctx context.Context, id string) (memory.Archive, error) {
	a, err := one(ctx, s, scanArchive, "archive_get", id)
	return a, missingOr("read archive", "archive", id, err)
}

// SetArchiveEmbedder has a model embed the passages of an archive; "" = the app's. The vectors of the model before serve
// until the other one has embedded everything.
func (s *Store) SetArchiveEmbedder(ctx context.Context, id, model string) (memory.Archive, error) {
	const op = "change archive"
	var a memory.Archive
	err := s.write(ctx, op, kept, func(t *tx) error {
		var err error
		if a, err = one(ctx, t, scanArchive, "archive_get", id); err != nil {
			return missingOr(op, "archive", id, err)
		}
		if a.Embedder == model {
			return nil
		}
		a.Embedder = model
		if err := t.run("archive_update", id, model); err != nil {
			return err
		}
		agents, err := all(ctx, t, value[string], "archive_agents", id)
		if err != nil {
			return err
		}
		agent := "" // an archive without one is in nobody's sight
		if len(agents) > 0 {
			agent = agents[0]
		}
		return t.emit("archive.changed", agent, "", map[string]any{"archive_id": id, "agent_id": agent, "embedder": model})
	})
	return a, err
}

func scanAgent(r scanner) (a memory.Agent, err error) {
	var off, room string
	var deleted, created, updated int64
	if err := r.Scan(&a.ID, &a.Name, &a.Model, &a.Window, &a.CoreShare, &a.MaxSteps, &a.Temperature, &a.Thinking, &a.Language,
		&off, &a.ArchiveID, &deleted, &created, &updated, &room); err != nil {
		return a, err
	}
	a.DeletedAt, a.CreatedAt, a.UpdatedAt = moment(deleted), moment(created), moment(updated)
	if err := json.Unmarshal([]byte(room), &a.Room); err != nil {
		return a, err
	}
	return a, json.Unmarshal([]byte(off), &a.ToolsOff)
}

func scanArchive(r scanner) (a memory.Archive, err error) {
	var created int64
	err = r.Scan(&a.ID, &a.Name, &a.Embedder, &created)
	a.CreatedAt = moment(created)
	return a, err
}
