-- name: fact_insert
INSERT INTO fact (id, agent_id, slot, subject, key, value, many, valid_from, ended_at, said_at, confirmed_at, origin, range_start,
  range_end, actor, confidence, pinned, version, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: fact_update
UPDATE fact SET slot = ?2, subject = ?3, key = ?4, value = ?5, many = ?6, valid_from = ?7, ended_at = ?8, pinned = ?9,
  version = ?10, updated_at = ?11, deleted_at = ?12 WHERE id = ?1;

-- name: fact_refresh
UPDATE fact SET said_at = ?2, confirmed_at = ?3, valid_from = ?4, ended_at = ?5, origin = ?6, range_start = ?7, range_end = ?8,
  hidden = ?9 WHERE id = ?1;

-- Whether facts were read from a message already, kept or not.
-- name: fact_known
SELECT EXISTS (SELECT 1 FROM fact_mention WHERE message_id = ?1) OR EXISTS (SELECT 1 FROM fact_question WHERE message_id = ?1);

-- What was deleted of a slot after a time.
-- name: fact_deleted
SELECT value FROM fact WHERE agent_id = ? AND slot = ? AND deleted_at > ?;

-- name: facts_known
SELECT id, subject, key, value, many, valid_from, valid_to, replaced_by, said_at, confirmed_at FROM fact
WHERE agent_id = ? AND deleted_at = 0 AND hidden = 0;

-- name: fact_groups
SELECT f.subject, f.key, count(*), count(*) FILTER (WHERE f.valid_to = 0 OR f.valid_to > max(f.valid_from, ?2)) FROM fact f
WHERE f.agent_id = ?1 AND f.deleted_at = 0 AND f.hidden = 0 GROUP BY f.subject, f.key ORDER BY f.subject <> 'user', f.subject, f.key;

-- name: mention_put
INSERT INTO fact_mention (fact_id, message_id, conversation_id, said_at, ended_at, range_start, range_end) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (fact_id, message_id) DO UPDATE SET said_at = excluded.said_at, ended_at = excluded.ended_at,
  range_start = excluded.range_start, range_end = excluded.range_end, void = 0;

-- name: mention_own
INSERT INTO fact_mention (fact_id, message_id, conversation_id, said_at, ended_at, range_start, range_end) VALUES (?1, '', '', ?2, 0, 0, 0)
ON CONFLICT (fact_id, message_id) DO UPDATE SET said_at = max(said_at, excluded.said_at);

-- name: mentions_of
SELECT message_id, said_at, ended_at, range_start, range_end, live FROM fact_mention WHERE fact_id = ? AND void = 0
ORDER BY said_at, message_id;

-- name: mentions_void
UPDATE fact_mention SET void = 1 WHERE fact_id = ? AND ended_at <> 0;

-- name: mention_live
UPDATE fact_mention SET live = ?3 WHERE fact_id = ?1 AND message_id = ?2;

-- Whether a conversation said facts, or asks about one.
-- name: facts_said_in
SELECT EXISTS (SELECT 1 FROM fact_mention WHERE conversation_id = ?1 AND conversation_id <> '')
  OR EXISTS (SELECT 1 FROM fact_question q CROSS JOIN message m ON m.id = q.message_id WHERE m.conversation_id = ?1);

-- Mentions of a conversation that have come to be seen, or are not to be seen.
-- name: mentions_seen
WITH RECURSIVE visible (key, parent) AS (
  SELECT m.key, m.parent FROM conversation c JOIN message m ON m.id = c.head WHERE c.id = ?1 AND c.deleted_at = 0
  UNION ALL
  SELECT m.key, m.parent FROM visible v JOIN message m ON m.key = v.parent
), said (fact, message, start, "end", said, ended, live, seen) AS (
  SELECT f.fact_id, f.message_id, f.range_start, f.range_end, f.said_at, f.ended_at, f.live, m.key IN (SELECT key FROM visible)
  FROM fact_mention f JOIN message m ON m.id = f.message_id WHERE f.conversation_id = ?1 AND f.conversation_id <> ''
)
SELECT fact, message, start, "end", said, ended, live, seen FROM said WHERE live <> seen OR NOT seen;

-- Conversations that say a fact of a slot and are deleted, or in which that is not to be seen.
-- name: mentions_apart
SELECT DISTINCT m.conversation_id FROM fact f JOIN fact_mention m ON m.fact_id = f.id JOIN conversation c ON c.id = m.conversation_id
WHERE f.agent_id = ? AND f.slot = ? AND f.deleted_at = 0 AND (c.deleted_at <> 0 OR m.live = 0);

-- name: questions_seen
WITH RECURSIVE visible (key, parent) AS (
  SELECT m.key, m.parent FROM conversation c JOIN message m ON m.id = c.head WHERE c.id = ?1 AND c.deleted_at = 0
  UNION ALL
  SELECT m.key, m.parent FROM visible v JOIN message m ON m.key = v.parent
)
UPDATE fact_question SET live = (SELECT m.key IN (SELECT key FROM visible) FROM message m WHERE m.id = message_id)
WHERE (SELECT m.conversation_id FROM message m WHERE m.id = message_id) = ?1;

-- name: fact_link
UPDATE fact SET valid_to = ?2, replaced_by = ?3 WHERE id = ?1;

-- name: fact_get
SELECT f.id, f.agent_id, f.subject, f.key, f.value, f.many, f.valid_from, f.valid_to, f.replaced_by, f.ended_at, f.said_at,
  f.confirmed_at, f.origin, f.range_start, f.range_end, f.actor, f.confidence, f.pinned, f.version, f.deleted_at, f.created_at,
  f.updated_at, ifnull((SELECT m.conversation_id FROM message m WHERE m.id = f.origin), ''),
  f.ended_at <> 0 AND EXISTS (SELECT 1 FROM fact_mention e WHERE e.fact_id = f.id AND e.ended_at = f.ended_at AND e.said_at = f.ended_at
    AND e.live = 1 AND e.void = 0)
FROM fact f WHERE f.id = ?;

-- name: fact_slot
SELECT slot FROM fact WHERE id = ?;

-- name: question_insert
INSERT INTO fact_question (id, agent_id, message_id, created_at, body) VALUES (?, ?, ?, ?, ?);

-- name: question_answer
UPDATE fact_question SET answer = ?2, answered_at = ?3 WHERE id = ?1;

-- name: question_body
UPDATE fact_question SET body = ?2 WHERE id = ?1;

-- name: question_get
SELECT answer, answered_at, body FROM fact_question WHERE id = ?;

-- How far so many messages of users go, behind a message.
-- name: fact_unread_to
SELECT ifnull((SELECT max(key) FROM (SELECT key FROM message WHERE key > ?1 AND role = 'user' ORDER BY key LIMIT ?2)),
  min(?1, ifnull((SELECT max(key) FROM message), 0)));

-- Messages between two that users wrote and that are on the visible branch of a conversation. A user's message never has
-- one with a higher key before it, so that each branch is followed only to the first that lies before all that are wanted.
-- name: fact_unread
WITH RECURSIVE visible (key, parent) AS (
  SELECT m.key, m.parent FROM conversation c JOIN message m ON m.id = c.head JOIN agent a ON a.id = c.agent_id
  WHERE c.deleted_at = 0 AND a.deleted_at = 0
    AND c.id IN (SELECT conversation_id FROM message WHERE key > ?1 AND key <= ?2 AND role = 'user')
  UNION ALL
  SELECT m.key, m.parent FROM visible v JOIN message m ON m.key = v.parent WHERE v.key > ?1
)
SELECT m.key FROM visible v JOIN message m ON m.key = v.key
WHERE m.role = 'user' AND m.key > ?1 AND m.key <= ?2 ORDER BY m.key;

-- name: fact_message
SELECT id FROM message WHERE key = ?;

-- Facts that were said in the messages, or in those that the passages come from, and that are over at a time, each with
-- the id by which it was asked for. A message that says that something is over is not replaced by it.
-- name: fact_replaced
SELECT wanted.value, f.id FROM json_each(?2) wanted JOIN fact_mention m ON m.message_id = wanted.value JOIN fact f ON f.id = m.fact_id
WHERE f.agent_id = ?1 AND f.deleted_at = 0 AND f.hidden = 0 AND f.valid_to BETWEEN 1 AND ?3 AND m.ended_at = 0 AND m.message_id <> ''
UNION ALL
SELECT wanted.value, f.id FROM json_each(?2) wanted JOIN passage p ON p.id = wanted.value JOIN fact_mention m ON m.message_id = p.origin
JOIN fact f ON f.id = m.fact_id
WHERE f.agent_id = ?1 AND f.deleted_at = 0 AND f.hidden = 0 AND f.valid_to BETWEEN 1 AND ?3 AND m.ended_at = 0 AND p.origin <> '';
