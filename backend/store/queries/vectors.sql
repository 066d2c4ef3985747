-- name: embedder_get
SELECT key FROM embedder WHERE model = ? AND dim = ?;

-- name: embedder_list
SELECT key, model, dim FROM embedder ORDER BY key;

-- name: embedder_insert
INSERT INTO embedder (model, dim) VALUES (?, ?);

-- name: embedder_delete
DELETE FROM embedder WHERE key = ?;

-- Of a passage (an odd owner) and of a piece only the view by itself: it has no neighbours.
-- name: pending_everything
INSERT INTO embed_pending (embedder, item, views) SELECT ?, i.key, iif(i.owner & 1 OR c.key <> c.whole, 1, 3) FROM item i LEFT JOIN chunk c ON c.key = i.key WHERE i.searchable = 1;

-- name: pending_delete_all
DELETE FROM embed_pending WHERE embedder = ?;

-- name: pending_want
INSERT INTO embed_pending (embedder, item, views) SELECT e.key, ?1, ?2 FROM embedder e WHERE true
ON CONFLICT (embedder, item) DO UPDATE SET views = views | excluded.views, problem = '';

-- name: pending_list
SELECT e.item, e.views, i.owner FROM embed_pending e JOIN item i ON i.key = e.item
WHERE e.embedder = ? AND e.problem = '' AND i.hidden = 0 ORDER BY e.item DESC LIMIT ?;

-- name: pending_count
SELECT ifnull(sum((e.views & 1) + (e.views >> 1)), 0) FROM embed_pending e JOIN item i ON i.key = e.item
WHERE e.embedder = ? AND e.problem = '' AND i.hidden = 0;

-- name: pending_done
UPDATE embed_pending SET views = views & ~?3 WHERE embedder = ?1 AND item = ?2;

-- name: pending_clear
DELETE FROM embed_pending WHERE embedder = ?1 AND item = ?2 AND views = 0;

-- name: pending_problem
UPDATE embed_pending SET problem = ?3 WHERE embedder = ?1 AND item = ?2;

-- name: pending_missing
INSERT INTO embed_pending (embedder, item, views) VALUES (?1, ?2, ?3)
ON CONFLICT (embedder, item) DO UPDATE SET views = views | excluded.views;
