-- Files that a user message carries: texts that belong to this message only, and images. Longer-lived texts are passages.
CREATE TABLE message_file (
  message INTEGER NOT NULL REFERENCES message (key),
  n       INTEGER NOT NULL,
  name    TEXT NOT NULL,
  type    TEXT NOT NULL,
  content BLOB NOT NULL,
  PRIMARY KEY (message, n)
) STRICT;
