-- Where a fact was said, again and again, and where it was said to be over (ended_at, else 0). Dates, order and the end of a
-- fact follow from those mentions that are live: of messages that are to be seen, and the user's own hand (message_id '').
-- A void one was taken back by hand. A fact without a live mention is hidden until one of its messages is to be seen again.
CREATE TABLE fact_mention (
  fact_id         TEXT NOT NULL REFERENCES fact (id),
  message_id      TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  said_at         INTEGER NOT NULL,
  ended_at        INTEGER NOT NULL,
  range_start     INTEGER NOT NULL,
  range_end       INTEGER NOT NULL,
  live            INTEGER NOT NULL DEFAULT 1,
  void            INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (fact_id, message_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX fact_mention_message ON fact_mention (message_id);
CREATE INDEX fact_mention_conversation ON fact_mention (conversation_id) WHERE conversation_id <> '';
ALTER TABLE fact ADD COLUMN hidden INTEGER NOT NULL DEFAULT 0;
ALTER TABLE fact_question ADD COLUMN live INTEGER NOT NULL DEFAULT 1;
INSERT INTO fact_mention (fact_id, message_id, conversation_id, said_at, ended_at, range_start, range_end)
SELECT f.id, f.origin, ifnull((SELECT m.conversation_id FROM message m WHERE m.id = f.origin), ''), f.said_at,
  iif(f.valid_from = 0, f.ended_at, 0), f.range_start, f.range_end
FROM fact f;
