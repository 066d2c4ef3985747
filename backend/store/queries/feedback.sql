-- name: feedback_get
SELECT id, agent_id, conversation_id, kind, item_id, use, text, message_id, created_at, '' FROM feedback
WHERE agent_id = ?1 AND kind = ?2 AND item_id = ?3 AND conversation_id = ?4;

-- name: feedback_list
SELECT f.id, f.agent_id, f.conversation_id, f.kind, f.item_id, f.use, f.text, f.message_id, f.created_at,
  ifnull((SELECT m.conversation_id FROM message m WHERE f.kind = 'message' AND m.id = f.item_id), '')
FROM feedback f
WHERE f.agent_id = ?
  AND NOT EXISTS (SELECT 1 FROM message m JOIN item i ON i.key = m.key WHERE f.kind = 'message' AND m.id = f.item_id AND i.hidden)
  AND NOT EXISTS (SELECT 1 FROM passage p JOIN item i ON i.key = p.key WHERE f.kind = 'passage' AND p.id = f.item_id AND i.hidden)
ORDER BY f.created_at DESC, f.id DESC;

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
