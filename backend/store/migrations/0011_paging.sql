-- What the user put into a conversation's window by hand, or took out of it. body is the whole record.
CREATE TABLE page_in (
  conversation_id TEXT NOT NULL REFERENCES conversation (id),
  kind            TEXT NOT NULL,
  item_id         TEXT NOT NULL,
  body            TEXT NOT NULL,
  PRIMARY KEY (conversation_id, kind, item_id)
) STRICT, WITHOUT ROWID;

-- When and how room is made in the window of an agent's conversations; {} = as the settings say.
ALTER TABLE agent ADD COLUMN room TEXT NOT NULL DEFAULT '{}';
