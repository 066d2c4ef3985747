-- name: owner_of_agent
SELECT key * 2 FROM agent WHERE id = ?;

-- name: owner_of_archive
SELECT key * 2 + 1 FROM archive WHERE id = ?;

-- name: term_count
SELECT count(*) FROM search WHERE search MATCH ?;

-- name: ref_message
SELECT key FROM message WHERE id = ?;

-- name: ref_passage
SELECT key FROM passage WHERE id = ?;

-- name: message_items
SELECT m.id, m.content, m.role, m.speaker, m.agent_id, m.conversation_id, ifnull(p.id, ''), m.turn_id, m.created_at
FROM message m LEFT JOIN message p ON p.key = m.parent
WHERE m.id IN (SELECT value FROM json_each(?));

-- name: passage_items
SELECT id, text, archive_id, origin, tags, created_at FROM passage WHERE id IN (SELECT value FROM json_each(?));
