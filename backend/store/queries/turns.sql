-- name: prefix_get
SELECT body FROM prefix WHERE conversation_id = ? ORDER BY generation DESC LIMIT 1;

-- name: prefix_put
INSERT INTO prefix (conversation_id, generation, body) VALUES (?, ?, ?)
ON CONFLICT (conversation_id, generation) DO UPDATE SET body = excluded.body;

-- name: receipt_put
INSERT INTO receipt (message_id, body) VALUES (?, ?) ON CONFLICT (message_id) DO UPDATE SET body = excluded.body;

-- name: receipt_get
SELECT body FROM receipt WHERE message_id = ?;

-- name: plan_put
INSERT INTO plan (message_id, body) VALUES (?, ?) ON CONFLICT (message_id) DO UPDATE SET body = excluded.body;

-- name: plan_get
SELECT body FROM plan WHERE message_id = ?;

-- name: prompt_newest
SELECT key, message_id, depth FROM prompt WHERE conversation_id = ? AND message_id <> ? ORDER BY key DESC LIMIT 1;

-- name: prompt_get
SELECT key, base, keep, body FROM prompt WHERE message_id = ?;

-- name: prompt_get_by_key
SELECT key, base, keep, body FROM prompt WHERE key = ?;

-- name: prompt_based_on
SELECT p.key FROM prompt p JOIN prompt b ON p.base = b.key WHERE b.message_id = ?;

-- name: prompt_insert
INSERT INTO prompt (message_id, conversation_id, base, depth, keep, body) VALUES (?, ?, ?, ?, ?, ?);

-- name: prompt_whole
UPDATE prompt SET base = NULL, depth = 0, keep = 0, body = ?2 WHERE key = ?1;

-- name: prompt_replace
UPDATE prompt SET base = ?2, depth = ?3, keep = ?4, body = ?5 WHERE message_id = ?1;

-- Prompts older than the newest ?2 and not needed to read one of those: the newest whole prompt that is old enough
-- begins what stays.
-- name: prompt_prune
DELETE FROM prompt WHERE conversation_id = ?1 AND key < (
  SELECT max(w.key) FROM prompt w WHERE w.conversation_id = ?1 AND w.base IS NULL AND w.key <= (
    SELECT n.key FROM prompt n WHERE n.conversation_id = ?1 ORDER BY n.key DESC LIMIT 1 OFFSET ?2 - 1));
