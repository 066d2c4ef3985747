-- name: usage_newest
SELECT n, prompt_tokens, output_tokens, prompt_ms, output_ms, first_token_ms FROM usage WHERE message = ? ORDER BY n DESC LIMIT 1;

-- ?1 is the answer's key; the turn is that of its user message.
-- name: usage_put
INSERT INTO usage (message, n, turn, step, agent, model, at, "window", usable, system, tools, core, summary, recalled, messages, reserve,
  margin, estimate, evicted, recalls, prompt_tokens, cached_tokens, output_tokens, prompt_ms, output_ms, first_token_ms, load_ms,
  truncated, turn_tokens)
SELECT m.key, ?2, ifnull(t.key, m.key), (SELECT count(*) + 1 FROM usage u WHERE u.turn = ifnull(t.key, m.key)), a.key, m.model, ?3,
  ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24,
  ?17 + ?19 + (SELECT ifnull(sum(u.prompt_tokens + u.output_tokens), 0) FROM usage u WHERE u.turn = ifnull(t.key, m.key))
FROM message m JOIN agent a ON a.id = m.agent_id LEFT JOIN message t ON t.id = m.turn_id WHERE m.key = ?1;

-- name: usage_beside_put
INSERT INTO usage_beside (kind, agent, conversation_id, model, at, "window", estimate, prompt_tokens, cached_tokens, output_tokens,
  prompt_ms, output_ms, first_token_ms, load_ms, truncated)
SELECT ?2, key, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15 FROM agent WHERE id = ?1;

-- name: usage_select
SELECT u.message, u.n, u.at, 'answer', m.agent_id, m.conversation_id, m.turn_id, m.id, u.step, u.model, u."window", u.usable, u.system, u.tools,
  u.core, u.summary, u.recalled, u.messages, u.reserve, u.margin, u.estimate, u.evicted, u.recalls, u.prompt_tokens, u.cached_tokens,
  u.output_tokens, u.prompt_ms, u.output_ms, u.first_token_ms, u.load_ms, u.truncated
FROM usage u JOIN message m ON m.key = u.message;

-- name: usage_beside_select
-- Where there is no message a call is named by its key, negated: those of one moment come behind the answers.
SELECT -u.key, 0, u.at, u.kind, a.id, u.conversation_id, '', '', 0, u.model, u."window", 0, 0, 0, 0, 0, 0, 0, 0, 0, u.estimate, 0, 0,
  u.prompt_tokens, u.cached_tokens, u.output_tokens, u.prompt_ms, u.output_ms, u.first_token_ms, u.load_ms, u.truncated
FROM usage_beside u JOIN agent a ON a.key = u.agent;

-- name: usage_sums
SELECT b.key, s.model, s.kind, sum(s.calls), sum(s.turns), sum(s.prompt_tokens), sum(s.known_tokens), sum(s.cached_tokens), sum(s.output_tokens),
  sum(s.prompt_ms), sum(s.output_ms), sum(s.first_token_ms), sum(s.first_tokens), max(s.largest), sum(s.crowded), sum(s.truncated),
  sum(s.evicted), sum(s.recalls)
FROM json_each(?) b CROSS JOIN usage_slot s ON s.slot >= b.value ->> 0 AND s.slot < b.value ->> 1;

-- name: usage_sizes
SELECT s.model, group_concat(s.prompts), group_concat(s.totals), group_concat(s.firsts) FROM usage_slot s;
