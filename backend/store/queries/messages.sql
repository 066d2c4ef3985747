-- name: message_insert
INSERT INTO message (key, parent, id, conversation_id, agent_id, turn_id, role, speaker, status, end_reason, model,
  tool_call_id, tool_name, client_id, tokens, created_at, usage, problem, content, preamble, thinking, tool_calls)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: file_insert
INSERT INTO message_file (message, n, name, type, content) VALUES (?, ?, ?, ?, ?);

-- name: files_of
SELECT m.id, f.name, f.type, f.content FROM message_file f JOIN message m ON m.key = f.message
WHERE f.message IN (SELECT value FROM json_each(?)) ORDER BY f.message, f.n;

-- name: message_place
SELECT m.key, m.parent, m.conversation_id, m.status, c.head, c.deleted_at
FROM message m JOIN conversation c ON c.id = m.conversation_id WHERE m.id = ?;

-- name: message_content
SELECT content FROM message WHERE id = ?;

-- name: message_by_client
SELECT id FROM message WHERE conversation_id = ? AND client_id = ? AND client_id <> '';

-- name: message_finish
UPDATE message SET status = ?2, end_reason = ?3, model = ?4, tokens = ?5, usage = ?6, problem = ?7, content = ?8,
  thinking = ?9, tool_calls = ?10
WHERE key = ?1;

-- name: message_reopen
UPDATE message SET status = 'streaming', end_reason = '', problem = '' WHERE key = ?;

-- name: message_interrupt
UPDATE message SET status = 'partial', content = ?2, thinking = ?3 WHERE key = ?1;

-- name: message_move
UPDATE message SET parent = ?2 WHERE key = ?1;

-- name: message_followers
SELECT key FROM message WHERE parent = ? ORDER BY key;

-- name: message_preamble
UPDATE message SET preamble = ?2 WHERE id = ?1;

-- name: message_streaming
SELECT key, id FROM message WHERE status = 'streaming' ORDER BY key;

-- name: tail_append
INSERT INTO message_tail (message, n, content, thinking)
VALUES (?1, (SELECT ifnull(max(n), 0) + 1 FROM message_tail WHERE message = ?1), ?2, ?3);

-- name: tail_delete
DELETE FROM message_tail WHERE message = ?;

-- name: message_text
SELECT m.content || ifnull((SELECT group_concat(t.content, '' ORDER BY t.n) FROM message_tail t WHERE t.message = m.key), ''),
  m.thinking || ifnull((SELECT group_concat(t.thinking, '' ORDER BY t.n) FROM message_tail t WHERE t.message = m.key), '')
FROM message m WHERE m.key = ?;

-- Empties the text of a message whose pieces no longer continue it.
-- name: message_clear
UPDATE message SET content = '', thinking = '' WHERE key = ?;

-- name: message_leaf
WITH RECURSIVE down (key, depth) AS (
  SELECT key, 0 FROM message WHERE id = ?1
  UNION ALL
  SELECT (SELECT max(c.key) FROM message c WHERE c.conversation_id = ?2 AND c.parent = down.key), depth + 1
  FROM down WHERE down.key IS NOT NULL
)
SELECT m.id FROM down JOIN message m ON m.key = down.key ORDER BY down.depth DESC LIMIT 1;

-- name: siblings_of
SELECT parent, id FROM message WHERE conversation_id = ?1 AND parent IN (SELECT value FROM json_each(?2)) ORDER BY key;

-- name: first_messages
SELECT id FROM message WHERE conversation_id = ? AND parent IS NULL ORDER BY key;

-- name: revisions_of_messages
SELECT message_id, id FROM revision WHERE message_id <> '' AND message_id IN (SELECT value FROM json_each(?)) ORDER BY id;
