-- Long texts are searched for in pieces. The first piece shares the key of the message or passage, the others have items of
-- their own, so that each has its row in the search index and its vector.
CREATE TABLE chunk (
  key     INTEGER PRIMARY KEY REFERENCES item (key),
  whole   INTEGER NOT NULL REFERENCES item (key),
  n       INTEGER NOT NULL,
  start   INTEGER NOT NULL,           -- bytes of the text
  stop    INTEGER NOT NULL,
  heading TEXT NOT NULL               -- the headings above it
) STRICT;
CREATE UNIQUE INDEX chunk_whole ON chunk (whole, n);

-- Texts below this key were stored before there were chunks and are still to be cut.
INSERT INTO meta (key, value) SELECT 'chunk_below', CAST(ifnull(max(key), 0) + 1 AS TEXT) FROM item;
