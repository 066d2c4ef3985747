-- name: archive_key
SELECT key FROM archive WHERE id = ?;

-- name: passage_insert
INSERT INTO passage (key, id, archive_id, hash, tags, origin, version, created_at, updated_at, text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: passage_update
UPDATE passage SET hash = ?2, tags = ?3, version = ?4, updated_at = ?5, text = ?6, deleted_at = ?7 WHERE key = ?1;

-- name: passage_get
SELECT p.key, p.id, p.archive_id, p.text, p.tags, p.origin, p.version, p.deleted_at, p.created_at, p.updated_at,
  EXISTS (SELECT 1 FROM meta WHERE meta.key = 'embedder') AND NOT EXISTS (
    SELECT 1 FROM embed_pending e
    WHERE e.embedder = (SELECT CAST(value AS INTEGER) FROM meta WHERE meta.key = 'embedder') AND e.item = p.key)
FROM passage p WHERE p.id = ?;

-- name: passage_by_hash
SELECT id FROM passage WHERE archive_id = ? AND hash = ? AND deleted_at = 0;

-- name: passage_tags_delete
DELETE FROM passage_tag WHERE passage = ?;

-- name: passage_tag_insert
INSERT INTO passage_tag (passage, tag) VALUES (?, ?);
