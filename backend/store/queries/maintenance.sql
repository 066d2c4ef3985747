-- name: counts
SELECT (SELECT count(*) FROM agent WHERE deleted_at = 0), (SELECT count(*) FROM block WHERE deleted_at = 0),
  (SELECT count(*) FROM conversation WHERE deleted_at = 0), (SELECT count(*) FROM message),
  (SELECT count(*) FROM passage p JOIN item i ON i.key = p.key WHERE p.deleted_at = 0 AND i.hidden = 0), (SELECT count(*) FROM revision);

-- name: item_unmark
UPDATE item SET searchable = 0 WHERE searchable = 1;

-- name: search_clear
INSERT INTO search (search) VALUES ('delete-all');

-- What should be in the search index and is not, as its key and whether it is a passage.
-- name: items_missing
SELECT i.key, p.key IS NOT NULL
FROM item i LEFT JOIN message m ON m.key = i.key LEFT JOIN passage p ON p.key = i.key
WHERE i.key < ? AND i.searchable = 0 AND (p.key IS NOT NULL OR m.role IN ('user', 'assistant') AND m.status <> 'streaming' AND m.content <> '')
ORDER BY i.key DESC LIMIT 200;
