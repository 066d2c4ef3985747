package store

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

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

// actorOf returns who did what an event reports: whom its data name, else the one who can.
func actorOf(ev *memory.Event) memory.Actor {
	switch actor := ev.Data["actor"].(type) {
	case memory.Actor:
		if actor != "" {
			return actor
		}
	case string:
		if actor != "" {
			return memory.Actor(actor)
		}
	}
	switch ev.Type {
	case "agent.changed", "archive.changed", "conversation.changed", "settings.changed", "window.paged":
		return memory.ActorUser
	}
	return memory.ActorSystem
}

// searchedEvents is how many events are looked at for a text at a time.
const searchedEvents = 8000

// Events returns the durable events that the filter selects, the newest first, and the cursor of the next page, "" at
// the end. Those of shared memory belong to each agent that has it. A search for a text looks at some thousand events and
// then answers with what it has found, which may be nothing; the cursor goes on from there.
func (s *Store) Events(ctx context.Context, f EventFilter) ([]memory.Event, string, error) {
	const op = "list events"
	var q filter
	q.when(len(f.Types) > 0, "e.type IN (SELECT value FROM json_each(?))", encode(f.Types))
	q.when(f.Actor != "", "e.actor = ?", string(f.Actor))
	q.when(f.AgentID != "", "(e.agent_id = ? OR EXISTS (SELECT 1 FROM json_each(e.data, '$.agent_ids') a WHERE a.value = ?))", f.AgentID, f.AgentID)
	q.when(f.ConversationID != "", "e.conversation_id = ?", f.ConversationID)
	q.when(!f.After.IsZero(), "e.at >= ?", millis(f.After))
	q.when(!f.Before.IsZero(), "e.at < ?", millis(f.Before))
	if f.Cursor != "" {
		at, id, err := splitCursor(op, f.Cursor)
		if err != nil {
			return nil, "", err
		}
		q.when(true, "(e.at, e.id) < (?, ?)", at, id)
	}
	looked := ""
	if strings.TrimSpace(f.Query) != "" {
		last, err := all(ctx, s, func(r scanner) (end eventPlace, err error) { return end, r.Scan(&end.at, &end.id) },
			"SELECT e.at, e.id FROM event e"+q.where()+" ORDER BY e.at DESC, e.id DESC LIMIT 1 OFFSET ?", append(q.args, searchedEvents-1)...)
		if err != nil {
			return nil, "", fault(op, err)
		}
		if len(last) > 0 {
			q.when(true, "(e.at, e.id) >= (?, ?)", last[0].at, last[0].id)
			looked = joinCursor(moment(last[0].at), last[0].id)
		}
		q.text(f.Query)
	}
	limit := limitOr(f.Limit)
	events, err := all(ctx, s, scanEvent, "SELECT e.id, e.type, e.at, e.data FROM event e"+q.where()+" ORDER BY e.at DESC, e.id DESC LIMIT ?",
		append(q.args, limit+1)...)
	next := looked
	if len(events) > limit {
		events = events[:limit]
		last := events[limit-1]
		next = joinCursor(last.At, last.ID)
	}
	return events, next, fault(op, err)
}

// text restricts events to those whose label, model or problem, or whose change of memory, has the words in it. The
// pattern is looked for in the whole record first, which is quick, and then where it counts.
func (f *filter) text(words string) {
	words = strings.TrimSpace(words)
	if words == "" {
		return
	}
	like, quick := "%"+escapeLike(words)+"%", "%"+escapeLike(strings.Trim(encode(words), `"`))+"%" // as it stands in JSON
	const hit = ` LIKE ? ESCAPE '\'`
	f.when(true, `(e.data`+hit+` AND (json_extract(e.data, '$.label')`+hit+` OR json_extract(e.data, '$.model')`+hit+`
			OR json_extract(e.data, '$.problem.message')`+hit+`)
		OR EXISTS (SELECT 1 FROM revision r WHERE r.id = json_extract(e.data, '$.revision_id') AND (
			r.after`+hit+` AND (json_extract(nullif(r.after, ''), '$.value')`+hit+` OR json_extract(nullif(r.after, ''), '$.text')`+hit+`)
			OR r.before`+hit+` AND (json_extract(nullif(r.before, ''), '$.value')`+hit+` OR json_extract(nullif(r.before, ''), '$.text')`+hit+`)
			OR r.reason`+hit+`)))`,
		quick, like, like, like, quick, like, like, quick, like, like, like)
}

// eventPlace is where an event stands in time.
type eventPlace struct {
	at int64
	id string
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
