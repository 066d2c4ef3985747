-- Every compaction of core memory and of the transcript. body is the whole record; the columns are what lists go by.
CREATE TABLE compaction (
  id              TEXT PRIMARY KEY,
  kind            TEXT NOT NULL,
  agent_id        TEXT NOT NULL REFERENCES agent (id),
  conversation_id TEXT NOT NULL,
  state           TEXT NOT NULL,
  created_at      INTEGER NOT NULL,
  body            TEXT NOT NULL
) STRICT;
CREATE INDEX compaction_agent ON compaction (agent_id, kind, id);
CREATE INDEX compaction_conversation ON compaction (conversation_id, id) WHERE conversation_id <> '';
