-- name: sample_added
SELECT
  (SELECT count(*) FROM message WHERE agent_id = ?1 AND role = 'user' AND created_at >= ?2),
  (SELECT count(*) FROM attachment a JOIN block b ON b.id = a.block_id WHERE a.agent_id = ?1 AND b.deleted_at = 0 AND b.created_at >= ?2),
  (SELECT count(*) FROM passage p WHERE p.archive_id = (SELECT archive_id FROM agent WHERE id = ?1) AND p.deleted_at = 0 AND p.updated_at >= ?2 AND p.version = 1),
  (SELECT count(*) FROM revision r WHERE r.created_at >= ?2 AND r.before <> '' AND r.actor = 'user' AND r.agent_id = ?1);
