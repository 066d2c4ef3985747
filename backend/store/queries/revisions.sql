-- name: revision_insert
INSERT INTO revision (id, subject, subject_id, label, actor, reason, agent_id, conversation_id, message_id, range_start,
  range_end, tool_call_id, undoes, created_at, before, after, act)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: revision_get
SELECT r.id, r.subject, r.subject_id, r.label, r.actor, r.reason, r.agent_id, r.conversation_id, r.message_id, r.range_start,
  r.range_end, r.tool_call_id, r.undoes, r.created_at, r.before, r.after, ifnull(u.id, '')
FROM revision r LEFT JOIN revision u ON u.undoes = r.id AND u.undoes <> ''
WHERE r.id = ?;

-- The others of the act of a revision that were not undone, the last first.
-- name: revision_act
SELECT r.id FROM revision r JOIN revision o ON o.id = ?1
WHERE (r.act = iif(o.act = '', o.id, o.act) AND r.act <> '' OR r.id = o.act) AND r.id <> o.id
  AND NOT EXISTS (SELECT 1 FROM revision u WHERE u.undoes = r.id AND u.undoes <> '')
ORDER BY r.id DESC;

-- The revision that made a fact, unless it was undone.
-- name: revision_maker
SELECT r.id FROM revision r WHERE r.subject = 'fact' AND r.subject_id = ? AND r.before = ''
  AND NOT EXISTS (SELECT 1 FROM revision u WHERE u.undoes = r.id AND u.undoes <> '')
ORDER BY r.id DESC LIMIT 1;

-- What was written, on a wish in one of the messages that say a fact, into a block or passage.
-- name: revisions_wished
SELECT DISTINCT r.id FROM fact_mention m JOIN revision r ON r.message_id = m.message_id
WHERE m.fact_id = ?1 AND r.message_id <> '' AND m.void = 0 AND r.subject = ?2 AND r.actor = 'user' AND r.undoes = ''
  AND r.range_start <= m.range_start AND r.range_end >= m.range_end
ORDER BY r.id DESC;

-- The passages that were written from what a message says.
-- name: passages_written
SELECT DISTINCT p.text, p.created_at FROM revision r JOIN passage p ON p.id = r.subject_id
WHERE r.message_id = ? AND r.message_id <> '' AND r.subject = 'passage' AND r.undoes = '' AND p.deleted_at = 0;

-- Which passages were written on a wish.
-- name: passages_wished
SELECT DISTINCT r.subject_id FROM revision r WHERE r.subject_id IN (SELECT value FROM json_each(?)) AND r.message_id <> '' AND r.actor = 'user' AND r.undoes = '';

-- Whether all that says a fact are wishes that were written into a block or passage.
-- name: fact_only_wished
SELECT count(*) > 0 AND NOT EXISTS (SELECT 1 FROM fact_mention m WHERE m.fact_id = ?1 AND m.live = 1 AND m.void = 0 AND NOT EXISTS (
  SELECT 1 FROM revision r WHERE r.message_id = m.message_id AND r.message_id <> '' AND r.subject_id = ?2 AND r.actor = 'user' AND r.undoes = ''
  AND r.range_start <= m.range_start AND r.range_end >= m.range_end))
FROM fact_mention WHERE fact_id = ?1 AND live = 1 AND void = 0;

-- What a block held at a time, "" where nothing was changed since.
-- name: block_before
SELECT r.before FROM revision r WHERE r.subject = 'block' AND r.subject_id = ?1 AND r.created_at > ?2 ORDER BY r.id LIMIT 1;

-- What may have taken words out of an agent's memory since a time; ids sort by it.
-- name: revisions_taking
SELECT r.subject, r.before, r.after FROM revision r JOIN agent g ON g.id = ?1
WHERE r.id > ?2 AND r.created_at > ?3 AND r.actor <> 'system' AND CASE r.subject
  WHEN 'block' THEN r.before <> '' AND EXISTS (SELECT 1 FROM attachment a WHERE a.agent_id = g.id AND a.block_id = r.subject_id)
  WHEN 'attachment' THEN instr(r.before, '"' || g.id || '"') > 0 AND instr(r.after, '"' || g.id || '"') = 0
  WHEN 'passage' THEN r.after = '' AND EXISTS (SELECT 1 FROM passage p WHERE p.id = r.subject_id AND p.archive_id = g.archive_id)
  WHEN 'passages' THEN r.subject_id = g.archive_id AND instr(r.after, '"deleted":true') > 0
  WHEN 'document' THEN r.after = '' AND EXISTS (SELECT 1 FROM document d WHERE d.id = r.subject_id AND d.archive_id = g.archive_id)
  WHEN 'fact' THEN r.after = '' AND EXISTS (SELECT 1 FROM fact f WHERE f.id = r.subject_id AND f.agent_id = g.id)
END;

-- Which passages and facts were deleted, themselves or with their document.
-- name: memories_gone
SELECT p.id FROM passage p JOIN item i ON i.key = p.key WHERE p.id IN (SELECT value FROM json_each(?1)) AND i.hidden
UNION ALL SELECT f.id FROM fact f WHERE f.id IN (SELECT value FROM json_each(?1)) AND f.deleted_at <> 0;

-- How lines of blocks were renewed by what a message says, the first first: undone or not.
-- name: lines_renewed
SELECT r.id FROM revision r WHERE r.message_id = ? AND r.message_id <> '' AND r.subject = 'block' AND r.actor = 'system' AND r.reason = 'fact' AND r.undoes = '' ORDER BY r.id;
