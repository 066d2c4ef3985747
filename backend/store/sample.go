package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"recollect/backend/memory"
)

// Sample says which agent is the sample that the user has loaded, and what they have added to it.
type Sample struct {
	AgentID  string      `json:"agent_id"`
	Language string      `json:"language"`
	LoadedAt time.Time   `json:"loaded_at"`
	Added    SampleAdded `json:"added"` // by the user since: it goes with the sample
}

// SampleAdded counts what has come to an agent since a moment.
type SampleAdded struct {
	Messages int `json:"messages"` // of the user
	Blocks   int `json:"blocks"`
	Passages int `json:"passages"`
	Edits    int `json:"edits"` // changes to blocks and passages that were there
}

// sampleKey is where the file says that it holds a sample: no setting, since those leave events.
const sampleKey = "sample"

// Sample returns the sample that is loaded, nil where there is none.
func (s *Store) Sample(ctx context.Context) (*Sample, error) {
	const op = "read sample"
	sm, err := readSample(ctx, s)
	if err != nil || sm == nil {
		return nil, fault(op, err)
	}
	since := millis(sm.LoadedAt)
	sm.Added, err = one(ctx, s, func(r scanner) (a SampleAdded, err error) {
		return a, r.Scan(&a.Messages, &a.Blocks, &a.Passages, &a.Edits)
	}, "sample_added", sm.AgentID, since)
	return sm, fault(op, err)
}

// SampleAgent returns the id of the sample's agent, "" where no sample is loaded.
func (s *Store) SampleAgent(ctx context.Context) (string, error) {
	sm, err := readSample(ctx, s)
	if err != nil || sm == nil {
		return "", fault("read sample", err)
	}
	return sm.AgentID, nil
}

func readSample(ctx context.Context, q querier) (*Sample, error) {
	text, err := one(ctx, q, value[string], "meta_get", sampleKey)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	sm := &Sample{}
	return sm, json.Unmarshal([]byte(text), sm)
}

// LoadSample takes in another database, which holds one agent, as the sample. The agent gets an identifier of today, so
// that it comes after the user's own. ECONFLICT where a sample is loaded already.
func (s *Store) LoadSample(ctx context.Context, from *Store, language string) (Sample, error) {
	const op = "load sample"
	sm := Sample{Language: language}
	agents, err := from.Agents(ctx)
	if err != nil || len(agents) != 1 {
		return sm, fault(op, errors.Join(err, memory.Errorf(memory.EINVALID, op, "a sample has one agent, not %d", len(agents))))
	}
	err = s.write(ctx, op, kept, func(t *tx) error {
		if there, err := readSample(t.ctx, t); err != nil || there != nil {
			return errors.Join(err, memory.Errorf(memory.ECONFLICT, op, "the sample is loaded already"))
		}
		sm.AgentID, sm.LoadedAt = s.ids.New("agent"), t.now
		if err := t.adopt(from, strings.NewReplacer(agents[0].ID, sm.AgentID)); err != nil {
			return err
		}
		if err := t.run("UPDATE agent SET created_at = ?2, updated_at = ?2 WHERE id = ?1", sm.AgentID, millis(t.now)); err != nil {
			return err
		}
		return t.run("meta_set", sampleKey, encode(sm))
	})
	if err != nil {
		return sm, err
	}
	events, err := sampleEvents(ctx, s, sm.AgentID)
	if err == nil && s.publish != nil {
		s.publish(events)
	}
	return sm, fault(op, err)
}

// RemoveSample erases the sample: its rows, its words in the index, its vectors, its history and its events. Where none is
// loaded nothing happens.
func (s *Store) RemoveSample(ctx context.Context) error {
	if sm, err := readSample(ctx, s); err != nil || sm == nil {
		return fault("remove sample", err)
	}
	var events []memory.Event
	err := s.erasing(ctx, "remove sample", func(t *tx) error {
		sm, err := readSample(t.ctx, t)
		if err != nil || sm == nil {
			return err
		}
		if events, err = sampleEvents(t.ctx, t, sm.AgentID); err != nil {
			return err
		}
		if err := t.eraseAgent(sm.AgentID); err != nil {
			return err
		}
		return t.run("DELETE FROM meta WHERE key = ?", sampleKey)
	})
	if err == nil && s.publish != nil {
		s.publish(events)
	}
	return err
}

// sampleEvents are what the page is told: agents and conversations are others now. They are not stored, since what is
// removed leaves no event behind.
func sampleEvents(ctx context.Context, q querier, agentID string) ([]memory.Event, error) {
	conversations, err := all(ctx, q, value[string], "SELECT id FROM conversation WHERE agent_id = ?", agentID)
	if err != nil {
		return nil, err
	}
	events := []memory.Event{{Type: "agent.changed", Data: map[string]any{"agent_id": agentID}}}
	for _, id := range conversations {
		events = append(events, memory.Event{Type: "conversation.changed", Data: map[string]any{"conversation_id": id, "agent_id": agentID}})
	}
	return events, nil
}
