-- name: begin
BEGIN IMMEDIATE;

-- name: commit
COMMIT;

-- name: rollback
ROLLBACK;

-- name: meta_get
SELECT value FROM meta WHERE key = ?;

-- name: meta_set
INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value;

-- The largest identifiers of each kind: all later ones must be larger.
-- name: newest_ids
SELECT max(id) FROM agent
UNION ALL SELECT max(id) FROM archive
UNION ALL SELECT max(id) FROM block
UNION ALL SELECT max(id) FROM conversation
UNION ALL SELECT * FROM (SELECT id FROM message ORDER BY key DESC LIMIT 1)
UNION ALL SELECT * FROM (SELECT id FROM passage ORDER BY key DESC LIMIT 1)
UNION ALL SELECT max(id) FROM revision
UNION ALL SELECT max(id) FROM fact
UNION ALL SELECT max(id) FROM fact_question
UNION ALL SELECT max(id) FROM event;
