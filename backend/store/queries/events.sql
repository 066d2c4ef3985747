-- name: event_insert
INSERT INTO event (id, type, at, agent_id, conversation_id, actor, data) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: setting_list
SELECT key, value FROM setting;

-- name: setting_put
INSERT INTO setting (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- name: setting_delete
DELETE FROM setting WHERE key = ?;
