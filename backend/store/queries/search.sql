-- name: owner_of_agent
SELECT key * 2 FROM agent WHERE id = ?;

-- name: owner_of_archive
SELECT key * 2 + 1 FROM archive WHERE id = ?;

-- The message of each conversation that matches best. A bare column beside min() is of the row that has the minimum.
-- name: conversations_saying
WITH best AS MATERIALIZED (
  SELECT search.rank AS score, i.key
  FROM search CROSS JOIN item i ON i.key = search.rowid
  WHERE search MATCH ? AND i.role IN ('user', 'assistant')
  ORDER BY search.rank LIMIT ?
)
SELECT m.conversation_id, m.id, min(b.score) FROM best b LEFT JOIN chunk c ON c.key = b.key JOIN message m ON m.key = ifnull(c.whole, b.key)
GROUP BY m.conversation_id;

-- name: term_count
SELECT count(*) FROM search WHERE search MATCH ?;

-- name: ref_message
SELECT key FROM message WHERE id = ?;

-- name: ref_passage
SELECT key FROM passage WHERE id = ?;

-- name: message_items
SELECT m.key, m.id, m.content, m.role, m.end_reason, m.speaker, m.agent_id, m.conversation_id, ifnull(p.id, ''), m.turn_id, m.created_at,
  iif(p.role IN ('user', 'assistant'), substr(p.content, 1, ?2), ''), ifnull(n.id, ''),
  iif(n.role IN ('user', 'assistant'), substr(n.content, 1, ?2), '')
FROM message m LEFT JOIN message p ON p.key = m.parent LEFT JOIN message n ON n.key =
  (SELECT max(c.key) FROM message c WHERE c.conversation_id = m.conversation_id AND c.parent = m.key)
WHERE m.id IN (SELECT value FROM json_each(?1));

-- name: passage_items
SELECT key, id, text, archive_id, origin, tags, created_at FROM passage WHERE id IN (SELECT value FROM json_each(?));

-- The next texts whose words are to be cut anew, newest first; their pieces come with them.
-- name: items_to_reindex
SELECT i.key, i.owner & 1 FROM item i LEFT JOIN message m ON m.key = i.key LEFT JOIN passage p ON p.key = i.key
WHERE i.key < ? AND i.searchable = 1 AND (m.key IS NOT NULL OR p.key IS NOT NULL) ORDER BY i.key DESC LIMIT 100;
