-- Times are milliseconds since 1970 in UTC, 0 where there is none. Lists and records nobody searches are JSON.

-- What the file says about itself. clean: '1' when the last run ended in order.
CREATE TABLE meta (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE setting (
  key   TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE archive (
  key        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  name       TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE agent (
  key         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  name        TEXT NOT NULL,
  model       TEXT NOT NULL,
  "window"    INTEGER NOT NULL,
  core_share  REAL NOT NULL,
  max_steps   INTEGER NOT NULL,
  temperature REAL,
  thinking    INTEGER,
  language    TEXT NOT NULL,
  archive_id  TEXT NOT NULL REFERENCES archive (id),
  deleted_at  INTEGER NOT NULL DEFAULT 0,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;

-- A deleted block keeps its row and its attachments, so that the deletion can be undone.
CREATE TABLE block (
  id          TEXT PRIMARY KEY,
  label       TEXT NOT NULL,
  value       TEXT NOT NULL,
  description TEXT NOT NULL,
  char_limit  INTEGER NOT NULL,
  read_only   INTEGER NOT NULL,
  pinned      INTEGER NOT NULL,
  tags        TEXT NOT NULL,
  version     INTEGER NOT NULL,
  deleted_at  INTEGER NOT NULL DEFAULT 0,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL,
  CHECK (length(value) <= char_limit)
) STRICT;

CREATE TABLE attachment (
  agent_id TEXT NOT NULL REFERENCES agent (id),
  block_id TEXT NOT NULL REFERENCES block (id),
  position INTEGER NOT NULL,
  PRIMARY KEY (agent_id, block_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX attachment_block ON attachment (block_id);

CREATE TABLE conversation (
  id          TEXT PRIMARY KEY,
  agent_id    TEXT NOT NULL REFERENCES agent (id),
  title       TEXT NOT NULL,
  title_by    TEXT NOT NULL,
  head        TEXT NOT NULL,
  pinned      INTEGER NOT NULL,
  archived_at INTEGER NOT NULL DEFAULT 0,
  deleted_at  INTEGER NOT NULL DEFAULT 0,
  created_at  INTEGER NOT NULL,
  updated_at  INTEGER NOT NULL
) STRICT;
CREATE INDEX conversation_recent ON conversation (pinned, updated_at, id);
CREATE INDEX conversation_agent ON conversation (agent_id, pinned, updated_at, id);

-- One row for each message and passage: what a search must know of a candidate, and nothing else, so that filtering
-- thousands of candidates touches few pages. Its key is the key of the message or passage and the row of the search
-- index. owner is agent.key * 2 of a message and archive.key * 2 + 1 of a passage.
CREATE TABLE item (
  key        INTEGER PRIMARY KEY,
  owner      INTEGER NOT NULL,
  role       TEXT NOT NULL,           -- of a message; '' for a passage
  date       INTEGER NOT NULL,
  hidden     INTEGER NOT NULL,        -- deleted, itself or with its conversation
  searchable INTEGER NOT NULL         -- has a row in the search index
) STRICT;

-- The small columns come first: a walk up a branch then reads no page of text.
CREATE TABLE message (
  key             INTEGER PRIMARY KEY REFERENCES item (key),
  parent          INTEGER REFERENCES message (key),
  id              TEXT NOT NULL UNIQUE,
  conversation_id TEXT NOT NULL REFERENCES conversation (id),
  agent_id        TEXT NOT NULL REFERENCES agent (id),
  turn_id         TEXT NOT NULL,
  role            TEXT NOT NULL,
  speaker         TEXT NOT NULL,
  status          TEXT NOT NULL,
  end_reason      TEXT NOT NULL,
  model           TEXT NOT NULL,
  tool_call_id    TEXT NOT NULL,
  tool_name       TEXT NOT NULL,
  client_id       TEXT NOT NULL,
  tokens          INTEGER NOT NULL,
  created_at      INTEGER NOT NULL,
  usage           TEXT NOT NULL,
  problem         TEXT NOT NULL,
  content         TEXT NOT NULL,
  preamble        TEXT NOT NULL,
  thinking        TEXT NOT NULL,
  tool_calls      TEXT NOT NULL
) STRICT;
CREATE INDEX message_place ON message (conversation_id, parent);
CREATE INDEX message_time ON message (agent_id, created_at);
CREATE UNIQUE INDEX message_client ON message (conversation_id, client_id) WHERE client_id <> '';
CREATE INDEX message_streaming ON message (key) WHERE status = 'streaming';

-- What has come of a message that is still being written, piece by piece; folded into the message at its end.
CREATE TABLE message_tail (
  message  INTEGER NOT NULL REFERENCES message (key),
  n        INTEGER NOT NULL,
  content  TEXT NOT NULL,
  thinking TEXT NOT NULL,
  PRIMARY KEY (message, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE passage (
  key        INTEGER PRIMARY KEY REFERENCES item (key),
  id         TEXT NOT NULL UNIQUE,
  archive_id TEXT NOT NULL REFERENCES archive (id),
  hash       TEXT NOT NULL,           -- of the text, letter case and spacing aside
  tags       TEXT NOT NULL,
  origin     TEXT NOT NULL,
  version    INTEGER NOT NULL,
  deleted_at INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  text       TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX passage_text ON passage (archive_id, hash) WHERE deleted_at = 0;
CREATE INDEX passage_time ON passage (archive_id, created_at, id) WHERE deleted_at = 0;

CREATE TABLE passage_tag (
  passage INTEGER NOT NULL REFERENCES passage (key),
  tag     TEXT NOT NULL,
  PRIMARY KEY (passage, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX passage_tag_name ON passage_tag (tag);

CREATE TABLE revision (
  id              TEXT PRIMARY KEY,
  subject         TEXT NOT NULL,
  subject_id      TEXT NOT NULL,
  label           TEXT NOT NULL,
  actor           TEXT NOT NULL,
  reason          TEXT NOT NULL,
  agent_id        TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  message_id      TEXT NOT NULL,
  range_start     INTEGER NOT NULL,
  range_end       INTEGER NOT NULL,
  tool_call_id    TEXT NOT NULL,
  undoes          TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  before          TEXT NOT NULL,
  after           TEXT NOT NULL
) STRICT;
CREATE INDEX revision_subject ON revision (subject_id, id);
CREATE INDEX revision_message ON revision (message_id) WHERE message_id <> '';
CREATE UNIQUE INDEX revision_undoes ON revision (undoes) WHERE undoes <> '';

CREATE TABLE event (
  id              TEXT PRIMARY KEY,
  type            TEXT NOT NULL,
  at              INTEGER NOT NULL,
  agent_id        TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  data            TEXT NOT NULL
) STRICT;
CREATE INDEX event_conversation ON event (conversation_id, id) WHERE conversation_id <> '';

-- All generations of a conversation's prefix; the largest is in use.
CREATE TABLE prefix (
  conversation_id TEXT NOT NULL REFERENCES conversation (id),
  generation      INTEGER NOT NULL,
  body            TEXT NOT NULL,
  PRIMARY KEY (conversation_id, generation)
) STRICT;

CREATE TABLE receipt (
  message_id TEXT PRIMARY KEY REFERENCES message (id),
  body       TEXT NOT NULL
) STRICT;

CREATE TABLE plan (
  message_id TEXT PRIMARY KEY REFERENCES message (id),
  body       TEXT NOT NULL
) STRICT;

-- The requests that were sent: the first keep bytes of the prompt base, then body (gzip). base is NULL for a whole one.
CREATE TABLE prompt (
  key             INTEGER PRIMARY KEY,
  message_id      TEXT NOT NULL UNIQUE REFERENCES message (id),
  conversation_id TEXT NOT NULL,
  base            INTEGER REFERENCES prompt (key),
  depth           INTEGER NOT NULL,   -- prompts between this and a whole one
  keep            INTEGER NOT NULL,
  body            BLOB NOT NULL
) STRICT;
CREATE INDEX prompt_conversation ON prompt (conversation_id, key);
CREATE INDEX prompt_base ON prompt (base);

-- Words of messages and passages as package segment makes them. scope holds the owner, so that a search in one agent's
-- memory does not walk through the others'. No text is stored twice.
CREATE VIRTUAL TABLE search USING fts5 (
  own, neighbours, speaker, date, scope,
  content = '', contentless_delete = 1,
  tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'"
);
INSERT INTO search (search, rank) VALUES ('rank', 'bm25(3.0, 1.0, 1.0, 0.5, 0.0)');

-- One row for each embedder seen; its vectors are in the vec0 table vec_<key>, made when it is first used, in rows
-- item.key * 2 for the view own and item.key * 2 + 1 for the view ctx.
CREATE TABLE embedder (
  key   INTEGER PRIMARY KEY,
  model TEXT NOT NULL,
  dim   INTEGER NOT NULL,
  UNIQUE (model, dim)
) STRICT;

-- What is still to be embedded: 1 = own, 2 = ctx, 3 = both. A problem takes the row out of the queue.
CREATE TABLE embed_pending (
  embedder INTEGER NOT NULL REFERENCES embedder (key),
  item     INTEGER NOT NULL REFERENCES item (key),
  views    INTEGER NOT NULL,
  problem  TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (embedder, item)
) STRICT, WITHOUT ROWID;

INSERT INTO meta (key, value) VALUES ('clean', '0');
