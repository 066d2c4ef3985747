-- name: feedback_get
SELECT id, agent_id, conversation_id, kind, item_id, use, text, message_id, created_at FROM feedback
WHERE agent_id = ?1 AND kind = ?2 AND item_id = ?3 AND conversation_id = ?4;

-- name: feedback_list
SELECT id, agent_id, conversation_id, kind, item_id, use, text, message_id, created_at FROM feedback
WHERE agent_id = ? ORDER BY created_at DESC, id DESC;

-- name: feedback_put
INSERT INTO feedback (id, agent_id, conversation_id, kind, item_id, use, text, message_id, created_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (agent_id, kind, item_id, conversation_id) DO UPDATE SET
  use = excluded.use, text = excluded.text, message_id = excluded.message_id, created_at = excluded.created_at;

-- name: feedback_delete
DELETE FROM feedback WHERE agent_id = ?1 AND kind = ?2 AND item_id = ?3 AND conversation_id = ?4;

-- name: receipt_list
SELECT r.message_id, r.body FROM receipt r JOIN message m ON m.id = r.message_id
WHERE m.agent_id = ?1 AND (?2 = '' OR r.message_id < ?2) ORDER BY r.message_id DESC LIMIT ?3;
