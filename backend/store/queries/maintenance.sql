-- name: counts
SELECT (SELECT count(*) FROM agent WHERE deleted_at = 0), (SELECT count(*) FROM block WHERE deleted_at = 0),
  (SELECT count(*) FROM conversation WHERE deleted_at = 0), (SELECT count(*) FROM message),
  (SELECT count(*) FROM passage WHERE deleted_at = 0), (SELECT count(*) FROM revision);

-- name: rebuild_unmark
UPDATE item SET searchable = 0;

-- name: search_clear
INSERT INTO search (search) VALUES ('delete-all');

-- name: search_check
INSERT INTO search (search) VALUES ('integrity-check');

-- name: message_keys
SELECT key FROM message ORDER BY key;

-- name: passage_keys
SELECT key FROM passage ORDER BY key;
