-- What the user wants with memories that recall brings: in all conversations of an agent (conversation_id = '') or in one.
CREATE TABLE feedback (
  id              TEXT NOT NULL,
  agent_id        TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  kind            TEXT NOT NULL,
  item_id         TEXT NOT NULL,
  use             TEXT NOT NULL, -- less, never, always
  text            TEXT NOT NULL, -- the beginning of the memory
  message_id      TEXT NOT NULL, -- the user message whose receipt it was given on, '' for none
  created_at      INTEGER NOT NULL,
  PRIMARY KEY (agent_id, kind, item_id, conversation_id)
) STRICT;
