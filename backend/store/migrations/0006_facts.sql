-- Facts of a chain have the same agent and slot. valid_to and replaced_by follow from the other columns of the chain and
-- are written with them.
CREATE TABLE fact (
  id           TEXT PRIMARY KEY,
  agent_id     TEXT NOT NULL REFERENCES agent (id),
  slot         TEXT NOT NULL,
  subject      TEXT NOT NULL,
  key          TEXT NOT NULL,
  value        TEXT NOT NULL,
  many         INTEGER NOT NULL,
  valid_from   INTEGER NOT NULL,
  valid_to     INTEGER NOT NULL DEFAULT 0,
  replaced_by  TEXT NOT NULL DEFAULT '',
  ended_at     INTEGER NOT NULL,
  said_at      INTEGER NOT NULL,
  confirmed_at INTEGER NOT NULL,
  origin       TEXT NOT NULL,
  range_start  INTEGER NOT NULL,
  range_end    INTEGER NOT NULL,
  actor        TEXT NOT NULL,
  confidence   REAL NOT NULL,
  pinned       INTEGER NOT NULL,
  version      INTEGER NOT NULL,
  deleted_at   INTEGER NOT NULL DEFAULT 0,
  created_at   INTEGER NOT NULL,
  updated_at   INTEGER NOT NULL
) STRICT;
CREATE INDEX fact_slot ON fact (agent_id, slot);
CREATE INDEX fact_origin ON fact (origin) WHERE origin <> '';

-- What the user said against something pinned: it waits for their answer. body is the rest of the question.
CREATE TABLE fact_question (
  id          TEXT PRIMARY KEY,
  agent_id    TEXT NOT NULL REFERENCES agent (id),
  message_id  TEXT NOT NULL,
  answer      TEXT NOT NULL DEFAULT '',
  answered_at INTEGER NOT NULL DEFAULT 0,
  created_at  INTEGER NOT NULL,
  body        TEXT NOT NULL
) STRICT;
CREATE INDEX fact_question_agent ON fact_question (agent_id, answer, id);
CREATE INDEX fact_question_message ON fact_question (message_id);
