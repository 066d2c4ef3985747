-- name: archive_insert
INSERT INTO archive (id, name, embedder, created_at) VALUES (?, ?, ?, ?);

-- name: archive_get
SELECT id, name, embedder, created_at FROM archive WHERE id = ?;

-- name: archive_list
SELECT id, name, embedder, created_at FROM archive ORDER BY key;

-- name: archive_update
UPDATE archive SET embedder = ?2 WHERE id = ?1;

-- Each model that an archive names, the one named first before the others.
-- name: archive_embedders
SELECT embedder FROM archive WHERE embedder <> '' GROUP BY embedder ORDER BY min(key);

-- name: archive_agents
SELECT id FROM agent WHERE archive_id = ? AND deleted_at = 0 ORDER BY key;

-- name: agent_insert
INSERT INTO agent (id, name, model, "window", core_share, max_steps, temperature, thinking, language, tools_off, archive_id, created_at, updated_at, room)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: agent_update
UPDATE agent SET name = ?2, model = ?3, "window" = ?4, core_share = ?5, max_steps = ?6, temperature = ?7, thinking = ?8,
  language = ?9, tools_off = ?10, archive_id = ?11, updated_at = ?12, room = ?13
WHERE id = ?1;

-- name: agent_get
SELECT id, name, model, "window", core_share, max_steps, temperature, thinking, language, tools_off, archive_id, deleted_at,
  created_at, updated_at, room
FROM agent WHERE id = ? AND deleted_at = 0;

-- name: agent_get_deleted
SELECT id, name, model, "window", core_share, max_steps, temperature, thinking, language, tools_off, archive_id, deleted_at,
  created_at, updated_at, room
FROM agent WHERE id = ? AND deleted_at <> 0;

-- name: agent_list
SELECT id, name, model, "window", core_share, max_steps, temperature, thinking, language, tools_off, archive_id, deleted_at,
  created_at, updated_at, room
FROM agent WHERE deleted_at = 0 ORDER BY key;

-- name: agent_list_deleted
SELECT id, name, model, "window", core_share, max_steps, temperature, thinking, language, tools_off, archive_id, deleted_at,
  created_at, updated_at, room
FROM agent WHERE deleted_at <> 0 ORDER BY deleted_at DESC, key DESC;

-- name: agent_delete
UPDATE agent SET deleted_at = ?2, updated_at = ?3 WHERE id = ?1;
