-- name: chunk_get
SELECT key, whole, n, start, stop, heading FROM chunk WHERE key = ?;

-- name: chunk_keys
SELECT key FROM chunk WHERE whole = ?1 AND key <> ?1;

-- name: chunk_key
SELECT key FROM chunk WHERE whole = ? AND n = ?;

-- name: chunks_of
SELECT key, whole, n, start, stop, heading FROM chunk WHERE key IN (SELECT value FROM json_each(?));

-- name: chunk_insert
INSERT INTO chunk (key, whole, n, start, stop, heading) VALUES (?, ?, ?, ?, ?, ?);

-- name: chunk_delete
DELETE FROM chunk WHERE whole = ?;

-- name: chunk_hide
UPDATE item SET hidden = (SELECT w.hidden FROM item w WHERE w.key = ?2) WHERE key = ?1;

-- name: chunk_unsearch
DELETE FROM search WHERE rowid IN (SELECT key FROM item WHERE searchable = 1 AND key IN (SELECT value FROM json_each(?)));

-- name: chunk_unqueue
DELETE FROM embed_pending WHERE item IN (SELECT value FROM json_each(?));

-- name: chunk_items_delete
DELETE FROM item WHERE key IN (SELECT value FROM json_each(?));

-- name: chunks_forget
DELETE FROM chunk;

-- name: chunks_all
SELECT key FROM chunk WHERE key <> whole;

-- The next texts that were stored before there were chunks and may be long, newest first.
-- name: chunk_older
SELECT i.key, i.owner & 1 FROM item i LEFT JOIN message m ON m.key = i.key LEFT JOIN passage p ON p.key = i.key
WHERE i.key < ?1 AND i.searchable = 1 AND octet_length(coalesce(m.content, p.text, '')) > ?2 ORDER BY i.key DESC LIMIT 50;

-- name: meta_delete
DELETE FROM meta WHERE key = ?;
