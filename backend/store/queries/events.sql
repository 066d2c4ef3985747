-- name: event_insert
INSERT INTO event (id, type, at, agent_id, conversation_id, actor, data) VALUES (?, ?, ?, ?, ?, ?, ?);

-- Counts more passages to the row of the act that they change in; none where it has no such row.
-- name: event_count_on
UPDATE event SET data = json_set(data, '$.count', data ->> '$.count' + ?3)
WHERE type = 'passages.changed' AND at = (SELECT created_at FROM revision WHERE id = ?1) AND data ->> '$.revision_id' = ?1
  AND data ->> '$.archive_id' = ?2 AND data ->> '$.deleted' = ?4
RETURNING id;

-- name: setting_list
SELECT key, value FROM setting;

-- name: setting_put
INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: setting_delete
DELETE FROM setting WHERE key = ?;
