-- name: archive_key
SELECT key FROM archive WHERE id = ?;

-- name: passage_insert
INSERT INTO passage (key, id, archive_id, hash, tags, origin, version, created_at, updated_at, text)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: passage_update
UPDATE passage SET hash = ?2, tags = ?3, version = ?4, updated_at = ?5, text = ?6, deleted_at = ?7 WHERE key = ?1;

-- name: passage_get
SELECT p.key, p.id, p.archive_id, p.text, p.tags, p.origin, p.version,
  iif(p.deleted_at = 0 AND p.document IS NOT NULL AND (SELECT i.hidden FROM item i WHERE i.key = p.key), p.updated_at, p.deleted_at),
  p.created_at, p.updated_at, p.document IS NOT NULL,
  EXISTS (SELECT 1 FROM item i JOIN embedder_place e ON e.place = i.owner WHERE i.key = p.key) AND NOT EXISTS (
    SELECT 1 FROM item i JOIN embedder_place e ON e.place = i.owner JOIN embed_pending q ON q.embedder = e.embedder AND q.item = i.key WHERE i.key = p.key),
  ifnull((SELECT m.conversation_id FROM message m WHERE m.id = p.origin), '')
FROM passage p WHERE p.id = ?;

-- name: passage_states
SELECT key, id, deleted_at <> 0, tags, iif(document IS NULL, hash, ''), substr(text, 1, 60) FROM passage
WHERE archive_id = ?1 AND id IN (SELECT value FROM json_each(?2));

-- name: passages_delete
UPDATE passage SET deleted_at = ?2, updated_at = ?2, version = version + 1 WHERE key IN (SELECT value FROM json_each(?1));

-- name: passages_restore
UPDATE passage SET deleted_at = 0, updated_at = ?2, version = version + 1 WHERE key IN (SELECT value FROM json_each(?1));

-- name: passage_retag
UPDATE passage SET tags = ?2, updated_at = ?3, version = version + 1 WHERE key = ?1;

-- name: passage_tag_counts
SELECT t.tag, count(*) FROM passage_tag t JOIN passage p ON p.key = t.passage
WHERE p.archive_id = ? AND p.deleted_at = 0 AND (p.document IS NULL OR NOT (SELECT i.hidden FROM item i WHERE i.key = p.key)) GROUP BY t.tag ORDER BY count(*) DESC, t.tag;

-- name: passage_by_hash
SELECT id FROM passage WHERE archive_id = ? AND hash = ? AND deleted_at = 0 AND document IS NULL;

-- name: passage_tags_delete
DELETE FROM passage_tag WHERE passage = ?;

-- name: passage_tag_insert
INSERT INTO passage_tag (passage, tag) VALUES (?, ?);
