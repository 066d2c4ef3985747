-- name: core_entry_put
INSERT INTO core_entry (compaction_id, n, passage_id, gone, place) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (compaction_id, n) DO UPDATE SET passage_id = excluded.passage_id, gone = excluded.gone, place = excluded.place;

-- The entry that a passage was last.
-- name: core_places
SELECT e.passage_id, e.gone, e.place FROM core_entry e
WHERE e.passage_id IN (SELECT value FROM json_each(?1))
  AND e.compaction_id = (SELECT max(o.compaction_id) FROM core_entry o WHERE o.passage_id = e.passage_id)
ORDER BY e.n;

-- Whether entries of other compactions are in a passage, too.
-- name: core_shared
SELECT EXISTS (SELECT 1 FROM core_entry WHERE passage_id = ?1 AND gone = 1 AND compaction_id <> ?2);

-- name: core_weights_get
SELECT body FROM core_weights WHERE agent_id = ?;

-- name: core_weights_put
INSERT INTO core_weights (agent_id, body) VALUES (?, ?) ON CONFLICT (agent_id) DO UPDATE SET body = excluded.body;

-- name: core_pending
SELECT body FROM compaction WHERE kind = 'core' AND state = 'pending' ORDER BY id;

-- name: core_newest
SELECT body FROM compaction WHERE agent_id = ? AND kind = 'core' AND state NOT IN ('pending', 'tried') ORDER BY id DESC LIMIT 1;

-- name: core_turns_since
SELECT count(*) FROM message WHERE agent_id = ? AND created_at > ? AND role = 'user';
