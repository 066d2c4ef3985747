-- What calls of a model took that are no answers: notes, summaries, what judges core memory, …; and tries of an answer that
-- could not be used.
CREATE TABLE usage_beside (
  key             INTEGER PRIMARY KEY,
  kind            TEXT NOT NULL,
  agent           INTEGER NOT NULL,  -- its key
  conversation_id TEXT NOT NULL,     -- '' = none
  model           TEXT NOT NULL,
  at              INTEGER NOT NULL,
  "window"        INTEGER NOT NULL,
  estimate        INTEGER NOT NULL,
  prompt_tokens   INTEGER NOT NULL,
  cached_tokens   INTEGER NOT NULL,  -- -1 = unknown
  output_tokens   INTEGER NOT NULL,
  prompt_ms       INTEGER NOT NULL,
  output_ms       INTEGER NOT NULL,
  first_token_ms  INTEGER NOT NULL,
  load_ms         INTEGER NOT NULL,
  truncated       INTEGER NOT NULL
) STRICT;
CREATE INDEX usage_beside_time ON usage_beside (at);

-- The sums by half hours, now by kind as well.
DROP TRIGGER usage_added;
DROP INDEX usage_slot_conversation;
ALTER TABLE usage_slot RENAME TO usage_slot_before;
CREATE TABLE usage_slot (
  slot            INTEGER NOT NULL,  -- at / 1800000
  conversation_id TEXT NOT NULL,
  model           TEXT NOT NULL,
  kind            TEXT NOT NULL,     -- answer, or that of usage_beside
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
  PRIMARY KEY (slot, conversation_id, model, kind, agent)
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_slot_conversation ON usage_slot (conversation_id, slot, agent, model, kind, prompt_tokens, output_tokens, largest);
INSERT INTO usage_slot (kind, slot, conversation_id, model, agent, calls, turns, prompt_tokens, known_tokens, cached_tokens, output_tokens, prompt_ms, output_ms,
  first_token_ms, first_tokens, largest, crowded, truncated, evicted, recalls, prompts, totals, firsts)
SELECT 'answer', slot, conversation_id, model, agent, calls, turns, prompt_tokens, known_tokens, cached_tokens, output_tokens, prompt_ms, output_ms,
  first_token_ms, first_tokens, largest, crowded, truncated, evicted, recalls, prompts, totals, firsts
FROM usage_slot_before;
DROP TABLE usage_slot_before;

CREATE TRIGGER usage_added AFTER INSERT ON usage BEGIN
  INSERT INTO usage_slot (slot, conversation_id, model, kind, agent, calls, turns, prompt_tokens, known_tokens, cached_tokens, output_tokens,
    prompt_ms, output_ms, first_token_ms, first_tokens, largest, crowded, truncated, evicted, recalls, prompts, totals, firsts)
  VALUES (new.at / 1800000, (SELECT conversation_id FROM message WHERE key = new.message), new.model, 'answer', new.agent, 1, new.step = 1,
    new.prompt_tokens, iif(new.cached_tokens < 0, 0, new.prompt_tokens), max(new.cached_tokens, 0), new.output_tokens,
    new.prompt_ms, new.output_ms, new.first_token_ms, new.first_token_ms > 0, new.prompt_tokens,
    new.usable > 0 AND new.prompt_tokens * 5 > new.usable * 4, new.truncated, new.evicted, new.recalls,
    new.prompt_tokens, new.turn_tokens || iif(new.step > 1, ',-' || (new.turn_tokens - new.prompt_tokens - new.output_tokens), ''),
    new.first_token_ms)
  ON CONFLICT (slot, conversation_id, model, kind, agent) DO UPDATE SET
    calls = calls + 1, turns = turns + excluded.turns, prompt_tokens = prompt_tokens + excluded.prompt_tokens,
    known_tokens = known_tokens + excluded.known_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
    output_tokens = output_tokens + excluded.output_tokens, prompt_ms = prompt_ms + excluded.prompt_ms,
    output_ms = output_ms + excluded.output_ms, first_token_ms = first_token_ms + excluded.first_token_ms,
    first_tokens = first_tokens + excluded.first_tokens, largest = max(largest, excluded.largest), crowded = crowded + excluded.crowded,
    truncated = truncated + excluded.truncated, evicted = evicted + excluded.evicted, recalls = recalls + excluded.recalls,
    prompts = prompts || ',' || excluded.prompts, totals = totals || ',' || excluded.totals, firsts = firsts || ',' || excluded.firsts;
END;


CREATE TRIGGER usage_beside_added AFTER INSERT ON usage_beside BEGIN
  INSERT INTO usage_slot (slot, conversation_id, model, kind, agent, calls, turns, prompt_tokens, known_tokens, cached_tokens, output_tokens,
    prompt_ms, output_ms, first_token_ms, first_tokens, largest, crowded, truncated, evicted, recalls, prompts, totals, firsts)
  VALUES (new.at / 1800000, new.conversation_id, new.model, new.kind, new.agent, 1, 0,
    new.prompt_tokens, iif(new.cached_tokens < 0, 0, new.prompt_tokens), max(new.cached_tokens, 0), new.output_tokens,
    new.prompt_ms, new.output_ms, new.first_token_ms, new.first_token_ms > 0, new.prompt_tokens, 0, new.truncated, 0, 0, '', '', '')
  ON CONFLICT (slot, conversation_id, model, kind, agent) DO UPDATE SET
    calls = calls + 1, turns = turns + excluded.turns, prompt_tokens = prompt_tokens + excluded.prompt_tokens,
    known_tokens = known_tokens + excluded.known_tokens, cached_tokens = cached_tokens + excluded.cached_tokens,
    output_tokens = output_tokens + excluded.output_tokens, prompt_ms = prompt_ms + excluded.prompt_ms,
    output_ms = output_ms + excluded.output_ms, first_token_ms = first_token_ms + excluded.first_token_ms,
    first_tokens = first_tokens + excluded.first_tokens, largest = max(largest, excluded.largest),
    truncated = truncated + excluded.truncated;
END;
