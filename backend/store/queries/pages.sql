-- name: page_put
INSERT INTO page_in (conversation_id, kind, item_id, body) VALUES (?, ?, ?, ?)
ON CONFLICT (conversation_id, kind, item_id) DO UPDATE SET body = excluded.body;

-- name: page_delete
DELETE FROM page_in WHERE conversation_id = ? AND kind = ? AND item_id = ?;

-- name: page_list
SELECT body FROM page_in WHERE conversation_id = ? ORDER BY body ->> '$.created_at', item_id;
