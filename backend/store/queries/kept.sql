-- name: messages_before
WITH RECURSIVE up (key, role, depth) AS (
  SELECT m.parent, '', 0 FROM message m WHERE m.id = ?
  UNION ALL
  SELECT m.parent, m.role, up.depth + 1 FROM up JOIN message m ON m.key = up.key
)
SELECT ifnull(max(depth), 0), ifnull(sum(role = 'user'), 0) FROM up;

-- name: tool_result
SELECT id FROM message WHERE conversation_id = ? AND role = 'tool' AND id LIKE ? ESCAPE '\' ORDER BY key DESC LIMIT 1;
