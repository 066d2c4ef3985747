-- name: revision_insert
INSERT INTO revision (id, subject, subject_id, label, actor, reason, agent_id, conversation_id, message_id, range_start,
  range_end, tool_call_id, undoes, created_at, before, after)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: revision_get
SELECT r.id, r.subject, r.subject_id, r.label, r.actor, r.reason, r.agent_id, r.conversation_id, r.message_id, r.range_start,
  r.range_end, r.tool_call_id, r.undoes, r.created_at, r.before, r.after, ifnull(u.id, '')
FROM revision r LEFT JOIN revision u ON u.undoes = r.id AND u.undoes <> ''
WHERE r.id = ?;
