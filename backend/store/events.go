package store

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"recollect/backend/memory"
)

// Settings returns all settings that are set.
func (s *Store) Settings(ctx context.Context) (map[string]json.RawMessage, error) {
	settings := map[string]json.RawMessage{}
	err := pairs(ctx, s, func(key, value string) { settings[key] = json.RawMessage(value) }, "setting_list")
	return settings, fault("read settings", err)
}

// SetSetting stores a setting; null takes it away.
func (s *Store) SetSetting(ctx context.Context, key string, value json.RawMessage) error {
	return s.SetSettings(ctx, map[string]json.RawMessage{key: value})
}

// SetSettings stores several settings, all or none.
func (s *Store) SetSettings(ctx context.Context, values map[string]json.RawMessage) error {
	const op = "store setting"
	return s.write(ctx, op, kept, func(t *tx) error {
		for _, key := range slices.Sorted(maps.Keys(values)) {
			value := bytes.TrimSpace(values[key])
			if key == "" || !json.Valid(value) {
				return memory.Errorf(memory.EINVALID, op, "the setting %q needs a value", key)
			}
			var err error
			if string(value) == "null" {
				err = t.run("setting_delete", key)
			} else {
				err = t.run("setting_put", key, string(value))
			}
			if err != nil {
				return err
			}
			if err := t.emit("settings.changed", "", "", map[string]any{"key": key}); err != nil {
				return err
			}
		}
		return nil
	})
}

// RecordEvent stores a durable event that reports no change of memory, and publishes it. Data may name an agent_id and a
// conversation_id.
func (s *Store) RecordEvent(ctx context.Context, ev memory.Event) (memory.Event, error) {
	err := s.write(ctx, "record event", lazy, func(t *tx) error { return t.recordFor(&ev, "") })
	return ev, err
}

// recordFor records an event of the agent and conversation that its data name.
func (t *tx) recordFor(ev *memory.Event, conversationID string) error {
	if id, ok := ev.Data["conversation_id"].(string); ok && id != "" {
		conversationID = id
	}
	agentID, _ := ev.Data["agent_id"].(string)
	if agentID == "" && conversationID != "" {
		c, err := all(t.ctx, t, scanConversation, "conversation_get", conversationID)
		if err != nil {
			return err
		}
		if len(c) > 0 {
			agentID = c[0].AgentID
		}
	}
	return t.record(ev, agentID, conversationID)
}

// Events returns the durable events that the filter selects, the newest first, and the cursor of the next page, "" at
// the end. Those of shared memory belong to each agent that has it.
func (s *Store) Events(ctx context.Context, f EventFilter) ([]memory.Event, string, error) {
	const op = "list events"
	if err := checkCursor(op, "event", f.Cursor); err != nil {
		return nil, "", err
	}
	var q filter
	q.when(len(f.Types) > 0, "e.type IN (SELECT value FROM json_each(?))", encode(f.Types))
	q.when(f.AgentID != "", "(e.agent_id = ? OR EXISTS (SELECT 1 FROM json_each(e.data, '$.agent_ids') a WHERE a.value = ?))", f.AgentID, f.AgentID)
	q.when(f.ConversationID != "", "e.conversation_id = ?", f.ConversationID)
	q.when(f.Cursor != "", "e.id < ?", f.Cursor)
	limit := limitOr(f.Limit)
	events, err := all(ctx, s, scanEvent, "SELECT e.id, e.type, e.at, e.data FROM event e"+q.where()+" ORDER BY e.id DESC LIMIT ?",
		append(q.args, limit+1)...)
	next := ""
	if len(events) > limit {
		events = events[:limit]
		next = events[limit-1].ID
	}
	return events, next, fault(op, err)
}

func scanEvent(r scanner) (ev memory.Event, err error) {
	var at int64
	var data string
	if err := r.Scan(&ev.ID, &ev.Type, &at, &data); err != nil {
		return ev, err
	}
	ev.At = moment(at)
	return ev, json.Unmarshal([]byte(data), &ev.Data)
}
