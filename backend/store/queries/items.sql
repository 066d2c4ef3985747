-- name: item_insert
INSERT INTO item (owner, role, date, hidden, searchable) VALUES (?, ?, ?, 0, 0);

-- name: item_searchable
UPDATE item SET searchable = 1 WHERE key = ? AND searchable = 0;

-- name: item_hide
UPDATE item SET hidden = ?1 WHERE key = ?2 OR key IN (SELECT key FROM chunk WHERE whole = ?2);

-- name: items_hide
UPDATE item SET hidden = ?1 WHERE key IN (SELECT value FROM json_each(?2))
  OR key IN (SELECT key FROM chunk WHERE whole IN (SELECT value FROM json_each(?2)));

-- name: item_hide_conversation
UPDATE item SET hidden = ?1 WHERE key IN (SELECT key FROM message WHERE conversation_id = ?2)
  OR key IN (SELECT c.key FROM message m JOIN chunk c ON c.whole = m.key WHERE m.conversation_id = ?2);

-- name: item_keys_of_conversation
SELECT key FROM message WHERE conversation_id = ?;

-- name: item_count_searchable
SELECT count(*) FROM item WHERE searchable = 1;

-- name: item_count_by_owner
SELECT owner, count(*) FROM item WHERE searchable = 1 GROUP BY owner;

-- name: search_put
INSERT OR REPLACE INTO search (rowid, own, neighbours, speaker, date, scope) VALUES (?, ?, ?, ?, ?, ?);

-- name: search_count
SELECT count(*) FROM search_docsize;

-- The nearest message above that has words of its own.
-- name: message_before
WITH RECURSIVE up (key, parent, found, n) AS (
  SELECT key, parent, 0, 0 FROM message WHERE key = ?1
  UNION ALL
  SELECT m.key, m.parent, m.role IN ('user', 'assistant') AND m.status <> 'streaming' AND m.content <> '', n + 1
  FROM up JOIN message m ON m.key = up.parent WHERE NOT found AND n < 32
)
SELECT m.key, m.id, substr(m.content, 1, ?2) FROM up JOIN message m ON m.key = up.key WHERE up.found;

-- The nearest message below that has words of its own, on the newest branch.
-- name: message_after
WITH RECURSIVE down (key, found, n) AS (
  SELECT ?1, 0, 0
  UNION ALL
  SELECT m.key, m.role IN ('user', 'assistant') AND m.status <> 'streaming' AND m.content <> '', n + 1
  FROM down JOIN message m ON m.key = (SELECT max(c.key) FROM message c WHERE c.conversation_id = ?3 AND c.parent = down.key)
  WHERE NOT found AND n < 32
)
SELECT m.key, m.id, substr(m.content, 1, ?2) FROM down JOIN message m ON m.key = down.key WHERE down.found;

-- name: item_message
SELECT m.key, m.id, m.conversation_id, m.role, m.speaker, m.status, substr(m.content, 1, ?2), m.created_at, i.owner
FROM message m JOIN item i ON i.key = m.key WHERE m.key = ?1;

-- name: item_passage
SELECT p.id, p.text, p.tags, p.created_at, i.owner FROM passage p JOIN item i ON i.key = p.key WHERE p.key = ?1;
