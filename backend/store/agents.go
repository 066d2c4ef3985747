package store

import (
	"context"

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
			a.ArchiveID = s.ids.New("archive")
			if err := t.run("archive_insert", a.ArchiveID, a.Name, millis(t.now)); err != nil {
				return err
			}
		} else if _, err := one(ctx, t, scanArchive, "archive_get", a.ArchiveID); err != nil {
			return missingOr(op, "archive", a.ArchiveID, err)
		}
		a.ID = s.ids.New("agent")
		a.CreatedAt, a.UpdatedAt = t.now, t.now
		if err := t.run("agent_insert", a.ID, a.Name, a.Model, a.Window, a.CoreShare, a.MaxSteps, a.Temperature, a.Thinking,
			a.Language, a.ArchiveID, millis(a.CreatedAt), millis(a.UpdatedAt)); err != nil {
			return err
		}
		return t.emit("agent.changed", a.ID, "", map[string]any{"agent_id": a.ID, "actor": cause.Actor})
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
		a.CreatedAt, a.UpdatedAt = old.CreatedAt, t.now
		if err := t.run("agent_update", a.ID, a.Name, a.Model, a.Window, a.CoreShare, a.MaxSteps, a.Temperature, a.Thinking,
			a.Language, a.ArchiveID, millis(a.UpdatedAt)); err != nil {
			return err
		}
		return t.emit("agent.changed", a.ID, "", map[string]any{"agent_id": a.ID})
	})
	return a, err
}

// DeleteAgent takes the agent out of sight, with its conversations. Its blocks and its archive stay; blocks that it
// shares stay attached to the others.
func (s *Store) DeleteAgent(ctx context.Context, id string, cause memory.Cause) error {
	const op = "delete agent"
	return s.write(ctx, op, kept, func(t *tx) error {
		if _, err := one(ctx, t, scanAgent, "agent_get", id); err != nil {
			return missingOr(op, "agent", id, err)
		}
		blocks, err := all(ctx, t, scanBlock, "block_list_of_agent", id)
		if err != nil {
			return err
		}
		cause.AgentID = id
		for _, b := range blocks {
			if _, err := t.setAttached(b.Block, id, false, cause, ""); err != nil {
				return err
			}
		}
		if err := t.run("agent_detach_all", id); err != nil { // of deleted blocks too
			return err
		}
		if err := t.run("agent_delete", id, millis(t.now)); err != nil {
			return err
		}
		return t.emit("agent.changed", id, "", map[string]any{"agent_id": id, "deleted": true, "actor": cause.Actor})
	})
}

// Archives returns all archives, the oldest first.
func (s *Store) Archives(ctx context.Context) ([]memory.Archive, error) {
	archives, err := all(ctx, s, scanArchive, "archive_list")
	return archives, fault("list archives", err)
}

func scanAgent(r scanner) (a memory.Agent, err error) {
	var created, updated int64
	err = r.Scan(&a.ID, &a.Name, &a.Model, &a.Window, &a.CoreShare, &a.MaxSteps, &a.Temperature, &a.Thinking, &a.Language,
		&a.ArchiveID, &created, &updated)
	a.CreatedAt, a.UpdatedAt = moment(created), moment(updated)
	return a, err
}

func scanArchive(r scanner) (a memory.Archive, err error) {
	var created int64
	err = r.Scan(&a.ID, &a.Name, &created)
	a.CreatedAt = moment(created)
	return a, err
}
