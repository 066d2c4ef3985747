-- A document is a file that was read into an archive. Each time its file has changed there is another reading of it; the
-- one that is in the archive is named here, 0 where it is deleted or was not read to its end.
CREATE TABLE document (
  key        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  archive_id TEXT NOT NULL REFERENCES archive (id),
  name       TEXT NOT NULL,
  path       TEXT NOT NULL,           -- on this machine, '' where the file was uploaded
  reading    INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX document_archive ON document (archive_id, created_at, id);

-- What one reading found in the file. One that was not finished is ready = 0, and goes at the next start.
CREATE TABLE document_reading (
  document     INTEGER NOT NULL REFERENCES document (key),
  n            INTEGER NOT NULL,
  ready        INTEGER NOT NULL,
  title        TEXT NOT NULL,
  author       TEXT NOT NULL,
  format       TEXT NOT NULL,
  bytes        INTEGER NOT NULL,
  hash         TEXT NOT NULL,         -- of the file
  language     TEXT NOT NULL,
  pages        INTEGER NOT NULL,
  paged        INTEGER NOT NULL,
  parts        INTEGER NOT NULL,
  summary_hash TEXT NOT NULL,         -- of the summary that the rule makes
  written_at   INTEGER NOT NULL,
  changed_at   INTEGER NOT NULL,
  PRIMARY KEY (document, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_reading_hash ON document_reading (hash);

-- The passages of a reading in their order; n = 0 is the summary. Readings share the passages that did not change.
CREATE TABLE document_part (
  document INTEGER NOT NULL REFERENCES document (key),
  reading  INTEGER NOT NULL,
  n        INTEGER NOT NULL,
  passage  INTEGER NOT NULL REFERENCES passage (key),
  page     INTEGER NOT NULL,
  lead     INTEGER NOT NULL,          -- characters at its beginning that the passage before says also
  heading  TEXT NOT NULL,             -- the headings above it
  PRIMARY KEY (document, reading, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_part_passage ON document_part (passage);

-- A passage of a document is hidden (item) while its reading is not the one in the archive. Two documents may say the same.
ALTER TABLE passage ADD COLUMN document INTEGER REFERENCES document (key);
CREATE INDEX passage_document ON passage (document, hash) WHERE document IS NOT NULL;
DROP INDEX passage_text;
CREATE UNIQUE INDEX passage_text ON passage (archive_id, hash) WHERE deleted_at = 0 AND document IS NULL;
