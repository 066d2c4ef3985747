-- name: block_insert
INSERT INTO block (id, label, value, description, char_limit, read_only, pinned, tags, version, created_at, updated_at)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: block_update
UPDATE block SET label = ?2, value = ?3, description = ?4, char_limit = ?5, read_only = ?6, pinned = ?7, tags = ?8,
  version = ?9, updated_at = ?10, deleted_at = ?11
WHERE id = ?1;

-- name: block_get
SELECT id, label, value, description, char_limit, read_only, pinned, tags, version, created_at, updated_at, deleted_at
FROM block WHERE id = ?;

-- name: block_list
SELECT id, label, value, description, char_limit, read_only, pinned, tags, version, created_at, updated_at, deleted_at
FROM block WHERE deleted_at = 0 ORDER BY id;

-- name: block_list_deleted
SELECT id, label, value, description, char_limit, read_only, pinned, tags, version, created_at, updated_at, deleted_at,
  (SELECT max(r.id) FROM revision r WHERE r.subject_id = b.id AND r.subject = 'block')
FROM block b WHERE deleted_at <> 0 ORDER BY deleted_at DESC, id DESC LIMIT ?;

-- name: block_list_of_agent
SELECT b.id, b.label, b.value, b.description, b.char_limit, b.read_only, b.pinned, b.tags, b.version, b.created_at,
  b.updated_at, b.deleted_at
FROM attachment a JOIN block b ON b.id = a.block_id
WHERE a.agent_id = ? AND a.detached = 0 AND b.deleted_at = 0
ORDER BY a.position, b.id;

-- name: block_agents
SELECT a.agent_id FROM attachment a JOIN agent g ON g.id = a.agent_id
WHERE a.block_id = ? AND a.detached = 0 AND g.deleted_at = 0 ORDER BY a.agent_id;

-- name: attachment_insert
INSERT INTO attachment (agent_id, block_id, position)
VALUES (?1, ?2, (SELECT ifnull(max(position), 0) + 1 FROM attachment WHERE agent_id = ?1))
ON CONFLICT (agent_id, block_id) DO UPDATE SET detached = 0;

-- name: attachment_end
UPDATE attachment SET detached = 1 WHERE agent_id = ? AND block_id = ?;

-- name: attachment_place
UPDATE attachment SET position = ?3 WHERE agent_id = ?1 AND block_id = ?2;

-- Puts a block of an agent where another one of it is, or was.
-- name: attachment_take_place
UPDATE attachment SET position = (SELECT o.position FROM attachment o WHERE o.agent_id = ?1 AND o.block_id = ?3)
WHERE agent_id = ?1 AND block_id = ?2;
