-- What each call of a model for an answer took, in plain numbers. n counts the calls of one message: an answer that is
-- continued has another.
CREATE TABLE usage (
  message        INTEGER NOT NULL REFERENCES message (key),
  n              INTEGER NOT NULL,
  turn           INTEGER NOT NULL,   -- key of the user message
  step           INTEGER NOT NULL,   -- 1 for the first call of the turn
  agent          INTEGER NOT NULL,   -- its key
  model          TEXT NOT NULL,
  at             INTEGER NOT NULL,
  "window"       INTEGER NOT NULL,
  usable         INTEGER NOT NULL,
  system         INTEGER NOT NULL,
  tools          INTEGER NOT NULL,
  core           INTEGER NOT NULL,
  summary        INTEGER NOT NULL,
  recalled       INTEGER NOT NULL,
  messages       INTEGER NOT NULL,
  reserve        INTEGER NOT NULL,
  margin         INTEGER NOT NULL,
  estimate       INTEGER NOT NULL,
  evicted        INTEGER NOT NULL,
  recalls        INTEGER NOT NULL,
  prompt_tokens  INTEGER NOT NULL,
  cached_tokens  INTEGER NOT NULL,   -- -1 = unknown
  output_tokens  INTEGER NOT NULL,
  prompt_ms      INTEGER NOT NULL,
  output_ms      INTEGER NOT NULL,
  first_token_ms INTEGER NOT NULL,
  load_ms        INTEGER NOT NULL,
  truncated      INTEGER NOT NULL,
  turn_tokens    INTEGER NOT NULL,   -- prompts and outputs of the turn up to here
  PRIMARY KEY (message, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_time ON usage (at);
CREATE INDEX usage_turn ON usage (turn);

-- The same by half hours, from which those of any longer time follow: sums, and for percentiles lists of the single values,
-- since to read a hundred thousand rows takes too long. Triggers keep it.
CREATE TABLE usage_slot (
  slot            INTEGER NOT NULL,  -- at / 1800000
  conversation_id TEXT NOT NULL,
  model           TEXT NOT NULL,
  agent           INTEGER NOT NULL,
  calls           INTEGER NOT NULL,
  turns           INTEGER NOT NULL,  -- that began
  prompt_tokens   INTEGER NOT NULL,
  known_tokens    INTEGER NOT NULL,  -- prompts of which is known what was cached
  cached_tokens   INTEGER NOT NULL,
  output_tokens   INTEGER NOT NULL,
  prompt_ms       INTEGER NOT NULL,
  output_ms       INTEGER NOT NULL,
  first_token_ms  INTEGER NOT NULL,
  first_tokens    INTEGER NOT NULL,  -- calls of which the first token was timed
  largest         INTEGER NOT NULL,  -- prompt
  crowded         INTEGER NOT NULL,  -- calls over four fifths of the usable window
  truncated       INTEGER NOT NULL,
  evicted         INTEGER NOT NULL,
  recalls         INTEGER NOT NULL,
  prompts         TEXT NOT NULL,     -- tokens of each prompt
  totals          TEXT NOT NULL,     -- turn_tokens of each call, and where the turn had calls before, its total until then, negated
  firsts          TEXT NOT NULL,     -- first_token_ms of each call
  PRIMARY KEY (slot, conversation_id, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_slot_conversation ON usage_slot (conversation_id, slot, agent, model, prompt_tokens, output_tokens, largest);

CREATE TRIGGER usage_added AFTER INSERT ON usage BEGIN
  INSERT INTO usage_slot (slot, conversation_id, model, agent, calls, turns, prompt_tokens, known_tokens, cached_tokens, output_tokens,
    prompt_ms, output_ms, first_token_ms, first_tokens, largest, crowded, truncated, evicted, recalls, prompts, totals, firsts)
  VALUES (new.at / 1800000, (SELECT conversation_id FROM message WHERE key = new.message), new.model, new.agent, 1, new.step = 1,
    new.prompt_tokens, iif(new.cached_tokens < 0, 0, new.prompt_tokens), max(new.cached_tokens, 0), new.output_tokens,
    new.prompt_ms, new.output_ms, new.first_token_ms, new.first_token_ms > 0, new.prompt_tokens,
    new.usable > 0 AND new.prompt_tokens * 5 > new.usable * 4, new.truncated, new.evicted, new.recalls,
    new.prompt_tokens, new.turn_tokens || iif(new.step > 1, ',-' || (new.turn_tokens - new.prompt_tokens - new.output_tokens), ''),
    new.first_token_ms)
  ON CONFLICT (slot, conversation_id, model) DO UPDATE SET
    calls = calls + 1, turns = turns + excluded.turns, prompt_tokens = prompt_tokens + excluded.prompt_tokens,
    known_tokens = known_tokens + excluded.known_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
    output_tokens = output_tokens + excluded.output_tokens, prompt_ms = prompt_ms + excluded.prompt_ms,
    output_ms = output_ms + excluded.output_ms, first_token_ms = first_token_ms + excluded.first_token_ms,
    first_tokens = first_tokens + excluded.first_tokens, largest = max(largest, excluded.largest), crowded = crowded + excluded.crowded,
    truncated = truncated + excluded.truncated, evicted = evicted + excluded.evicted, recalls = recalls + excluded.recalls,
    prompts = prompts || ',' || excluded.prompts, totals = totals || ',' || excluded.totals, firsts = firsts || ',' || excluded.firsts;
END;

-- What was measured so far.
WITH
  taken AS MATERIALIZED (
    SELECT data ->> '$.message_id' AS id, max(data ->> '$.taken') AS n FROM event WHERE type = 'recall.done' GROUP BY 1
  ),
  parts AS MATERIALIZED (
    SELECT p.message_id AS id, p.body ->> '$.window' AS size, p.body ->> '$.usable' AS usable, p.body ->> '$.prompt' AS prompt,
      p.body ->> '$.evicted' AS evicted,
      max(iif(j.value ->> 'name' = 'system', j.value ->> 'used', 0)) AS system,
      max(iif(j.value ->> 'name' = 'tools', j.value ->> 'used', 0)) AS tools,
      max(iif(j.value ->> 'name' = 'core', j.value ->> 'used', 0)) AS core,
      max(iif(j.value ->> 'name' = 'summary', j.value ->> 'used', 0)) AS summary,
      max(iif(j.value ->> 'name' = 'recalled', j.value ->> 'used', 0)) AS recalled,
      max(iif(j.value ->> 'name' = 'messages', j.value ->> 'used', 0)) AS messages,
      max(iif(j.value ->> 'name' = 'reserve', j.value ->> 'used', 0)) AS reserve,
      max(iif(j.value ->> 'name' = 'margin', j.value ->> 'used', 0)) AS margin
    FROM plan p, json_each(p.body, '$.parts') j GROUP BY p.message_id
  ),
  measured AS (
    SELECT m.key AS message, m.id, m.turn_id, ifnull(t.key, m.key) AS turn, a.key AS agent, m.model, m.created_at AS at,
      m.usage ->> '$.estimate_tokens' AS estimate, m.usage ->> '$.prompt_tokens' AS prompt_tokens,
      m.usage ->> '$.cached_tokens' AS cached_tokens, m.usage ->> '$.output_tokens' AS output_tokens,
      m.usage ->> '$.prompt_ms' AS prompt_ms, m.usage ->> '$.output_ms' AS output_ms, m.usage ->> '$.first_token_ms' AS first_token_ms,
      m.usage ->> '$.load_ms' AS load_ms, m.usage ->> '$.truncated' AS truncated
    FROM message m JOIN agent a ON a.id = m.agent_id LEFT JOIN message t ON t.id = m.turn_id
    WHERE m.usage <> '' AND m.usage ->> '$.prompt_tokens' > 0
  ),
  placed AS (
    SELECT *, row_number() OVER so_far AS step, sum(prompt_tokens + ifnull(output_tokens, 0)) OVER so_far AS total
    FROM measured WINDOW so_far AS (PARTITION BY turn ORDER BY message)
  )
INSERT INTO usage (message, n, turn, step, agent, model, at, "window", usable, system, tools, core, summary, recalled, messages, reserve,
  margin, estimate, evicted, recalls, prompt_tokens, cached_tokens, output_tokens, prompt_ms, output_ms, first_token_ms, load_ms,
  truncated, turn_tokens)
SELECT u.message, 0, u.turn, u.step, u.agent, u.model, u.at, ifnull(p.size, 0), ifnull(p.usable, 0), ifnull(p.system, 0),
  ifnull(p.tools, 0), ifnull(p.core, 0), ifnull(p.summary, 0), ifnull(p.recalled, 0), ifnull(p.messages, 0), ifnull(p.reserve, 0),
  ifnull(p.margin, 0), ifnull(p.prompt, ifnull(u.estimate, 0)), ifnull(p.evicted, 0), iif(u.step = 1, ifnull(taken.n, 0), 0),
  u.prompt_tokens, ifnull(u.cached_tokens, -1), ifnull(u.output_tokens, 0), ifnull(u.prompt_ms, 0), ifnull(u.output_ms, 0),
  ifnull(u.first_token_ms, 0), ifnull(u.load_ms, 0), ifnull(u.truncated, 0), u.total
FROM placed u LEFT JOIN parts p ON p.id = u.id LEFT JOIN taken ON taken.id = u.turn_id
ORDER BY u.message;
