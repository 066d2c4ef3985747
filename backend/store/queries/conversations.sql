-- name: conversation_insert
INSERT INTO conversation (id, agent_id, title, title_by, head, pinned, created_at, updated_at) VALUES (?, ?, ?, ?, '', ?, ?, ?);

-- name: conversation_get
SELECT id, agent_id, title, title_by, head, pinned, archived_at, deleted_at, created_at, updated_at
FROM conversation WHERE id = ?;

-- name: conversation_update
UPDATE conversation SET title = ?2, title_by = ?3, pinned = ?4, archived_at = ?5, deleted_at = ?6 WHERE id = ?1;

-- name: conversation_head
UPDATE conversation SET head = ?2, updated_at = max(updated_at, ?3) WHERE id = ?1;
