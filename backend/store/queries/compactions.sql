-- name: compaction_put
INSERT INTO compaction (id, kind, agent_id, conversation_id, state, created_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET state = excluded.state, body = excluded.body;

-- name: compaction_get
SELECT body FROM compaction WHERE id = ?;

-- name: compaction_list
SELECT body FROM compaction
WHERE (?1 = '' OR agent_id = ?1) AND (?2 = '' OR conversation_id = ?2) AND (?3 = '' OR kind = ?3) AND (?4 = '' OR id < ?4)
ORDER BY id DESC LIMIT ?5;
