-- name: embedder_get
SELECT key FROM embedder WHERE model = ? AND dim = ?;

-- name: embedder_list
SELECT key, model, dim FROM embedder ORDER BY key;

-- name: embedder_insert
INSERT INTO embedder (model, dim) VALUES (?, ?);

-- name: embedder_delete
DELETE FROM embedder WHERE key = ?;

-- name: places_missing
SELECT place FROM embedder_wanted WHERE embedder = ?1 EXCEPT SELECT place FROM embedder_place WHERE embedder = ?1;

-- name: place_insert
INSERT INTO embedder_place (place, embedder, done) VALUES (?, ?, 0);

-- A new archive holds nothing that would be missing.
-- name: places_of_archive
INSERT INTO embedder_place (place, embedder, done) SELECT place, embedder, 1 FROM embedder_wanted WHERE place = ?;

-- name: places_unfinished
SELECT count(*) FROM embedder_place WHERE embedder = ?1 AND done = 0 AND place IN (SELECT place FROM embedder_wanted WHERE embedder = ?1);

-- name: places_finish
UPDATE embedder_place SET done = 1 WHERE embedder = ?1 AND place IN (SELECT place FROM embedder_wanted WHERE embedder = ?1);

-- name: places_begin
UPDATE embedder_place SET done = 0 WHERE embedder = ?;

-- name: places_delete
DELETE FROM embedder_place WHERE embedder = ?;

-- name: place_delete
DELETE FROM embedder_place WHERE place = ? AND embedder = ?;

-- The one that had everything first, then the one that has been here longest.
-- name: place_embedders
SELECT e.model, p.done FROM embedder_place p JOIN embedder e ON e.key = p.embedder WHERE p.place = ? ORDER BY p.done DESC, e.key;

-- What others still have of what an embedder has taken over.
-- name: places_replaced
SELECT old.place, e.key, e.model, e.dim FROM embedder_place own
JOIN embedder_place old ON old.place = own.place AND old.embedder <> own.embedder JOIN embedder e ON e.key = old.embedder
WHERE own.embedder = ?1 AND own.done = 1 AND own.place IN (SELECT place FROM embedder_wanted WHERE embedder = ?1)
ORDER BY e.key, old.place;

-- name: places_of
SELECT place FROM embedder_place WHERE embedder = ?;

-- name: places_count
SELECT count(*) FROM embedder_place WHERE embedder = ?;

-- Of a passage (an odd owner) and of a piece only the view by itself: it has no neighbours.
-- name: pending_everything
INSERT INTO embed_pending (embedder, item, views) SELECT ?1, i.key, iif(i.owner & 1 OR c.key <> c.whole, 1, 3) FROM item i LEFT JOIN chunk c ON c.key = i.key
WHERE i.searchable = 1 AND iif(i.owner & 1, i.owner, 0) IN (SELECT value FROM json_each(?2));

-- name: pending_delete_all
DELETE FROM embed_pending WHERE embedder = ?;

-- name: pending_delete_place
DELETE FROM embed_pending WHERE embedder = ?2 AND item IN (SELECT i.key FROM item i WHERE iif(i.owner & 1, i.owner, 0) = ?1);

-- name: pending_want
INSERT INTO embed_pending (embedder, item, views) SELECT p.embedder, i.key, ?2 FROM item i JOIN embedder_place p ON p.place = iif(i.owner & 1, i.owner, 0) WHERE i.key = ?1
ON CONFLICT (embedder, item) DO UPDATE SET views = views | excluded.views, problem = '';

-- name: pending_list
SELECT e.item, e.views, i.owner FROM embed_pending e JOIN item i ON i.key = e.item
WHERE e.embedder = ?1 AND e.problem = '' AND i.hidden = 0 AND iif(i.owner & 1, i.owner, 0) IN (SELECT place FROM embedder_wanted WHERE embedder = ?1)
ORDER BY e.item DESC LIMIT ?2;

-- name: pending_count
SELECT ifnull(sum((e.views & 1) + (e.views >> 1)), 0) FROM embed_pending e JOIN item i ON i.key = e.item
WHERE e.embedder = ?1 AND e.problem = '' AND i.hidden = 0 AND iif(i.owner & 1, i.owner, 0) IN (SELECT place FROM embedder_wanted WHERE embedder = ?1);

-- name: pending_done
UPDATE embed_pending SET views = views & ~?3 WHERE embedder = ?1 AND item = ?2;

-- name: pending_clear
DELETE FROM embed_pending WHERE embedder = ?1 AND item = ?2 AND views = 0;

-- name: pending_problem
UPDATE embed_pending SET problem = ?3 WHERE embedder = ?1 AND item = ?2;

-- name: pending_missing
INSERT INTO embed_pending (embedder, item, views) VALUES (?1, ?2, ?3)
ON CONFLICT (embedder, item) DO UPDATE SET views = views | excluded.views;

-- How many texts an archive has, and how many of them wait for a vector of a model: all, where it has not begun with them.
-- name: archive_indexed
SELECT count(*), ifnull(sum(
  NOT EXISTS (SELECT 1 FROM embedder_place p JOIN embedder e ON e.key = p.embedder WHERE p.place = ?1 AND e.model = ?2)
  OR EXISTS (SELECT 1 FROM embedder e JOIN embed_pending q ON q.embedder = e.key WHERE e.model = ?2 AND q.item = i.key AND q.problem = '')
), 0)
FROM item i WHERE i.owner = ?1 AND i.owner & 1 AND i.searchable = 1 AND i.hidden = 0;
