-- name: fact_insert
INSERT INTO fact (id, agent_id, slot, subject, key, value, many, valid_from, ended_at, said_at, confirmed_at, origin, range_start,
  range_end, actor, confidence, pinned, version, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: fact_update
UPDATE fact SET slot = ?2, subject = ?3, key = ?4, value = ?5, many = ?6, valid_from = ?7, ended_at = ?8, said_at = ?9,
  confirmed_at = ?10, pinned = ?11, version = ?12, updated_at = ?13, deleted_at = ?14 WHERE id = ?1;

-- name: fact_confirm
UPDATE fact SET confirmed_at = max(confirmed_at, ?2) WHERE id = ?1;

-- name: fact_link
UPDATE fact SET valid_to = ?2, replaced_by = ?3 WHERE id = ?1;

-- name: fact_get
SELECT f.id, f.agent_id, f.subject, f.key, f.value, f.many, f.valid_from, f.valid_to, f.replaced_by, f.ended_at, f.said_at,
  f.confirmed_at, f.origin, f.range_start, f.range_end, f.actor, f.confidence, f.pinned, f.version, f.deleted_at, f.created_at,
  f.updated_at, ifnull((SELECT m.conversation_id FROM message m WHERE m.id = f.origin), '')
FROM fact f WHERE f.id = ?;

-- name: fact_slot
SELECT slot FROM fact WHERE id = ?;

-- name: question_insert
INSERT INTO fact_question (id, agent_id, message_id, created_at, body) VALUES (?, ?, ?, ?, ?);

-- name: question_answer
UPDATE fact_question SET answer = ?2, answered_at = ?3 WHERE id = ?1;

-- name: question_get
SELECT answer, answered_at, body FROM fact_question WHERE id = ?;

-- Messages that the user wrote and that are on the visible branch of a conversation, behind a message, the oldest first.
-- name: fact_unread
WITH RECURSIVE visible (key, parent) AS (
  SELECT m.key, m.parent FROM conversation c JOIN message m ON m.id = c.head JOIN agent a ON a.id = c.agent_id
  WHERE c.deleted_at = 0 AND a.deleted_at = 0
  UNION ALL
  SELECT m.key, m.parent FROM visible v JOIN message m ON m.key = v.parent
)
SELECT m.key FROM visible v JOIN message m ON m.key = v.key
WHERE m.role = 'user' AND m.key > ?1 ORDER BY m.created_at, m.key;

-- name: fact_message
SELECT id FROM message WHERE key = ?;

-- Facts that were said in the messages, or in those that the passages come from, and that are not true any more, each with
-- the id by which it was asked for.
-- name: fact_replaced
SELECT wanted.value, f.id FROM json_each(?2) wanted JOIN fact f ON f.origin = wanted.value
WHERE f.agent_id = ?1 AND f.deleted_at = 0 AND f.valid_to <> 0
UNION ALL
SELECT wanted.value, f.id FROM json_each(?2) wanted JOIN passage p ON p.id = wanted.value JOIN fact f ON f.origin = p.origin
WHERE f.agent_id = ?1 AND f.deleted_at = 0 AND f.valid_to <> 0 AND p.origin <> '';
