-- An archive may name the embedding model of its passages; '' = the app's.
ALTER TABLE archive ADD COLUMN embedder TEXT NOT NULL DEFAULT '';

-- What an embedder has vectors of, or is to get: the transcripts of all agents (0), or the passages of an archive (their
-- owner, see item). Where several have the same, one is taking over from the others. done: it had all of them once.
CREATE TABLE embedder_place (
  place    INTEGER NOT NULL,
  embedder INTEGER NOT NULL REFERENCES embedder (key),
  done     INTEGER NOT NULL,
  PRIMARY KEY (place, embedder)
) STRICT, WITHOUT ROWID;
INSERT INTO embedder_place (place, embedder, done)
SELECT p.place, e.key, NOT EXISTS (SELECT 1 FROM embed_pending q WHERE q.embedder = e.key AND q.problem = '')
FROM embedder e, (SELECT 0 AS place UNION ALL SELECT key * 2 + 1 FROM archive) p;

-- What an embedder is wanted for. The app's own embedder, in meta, has what names no other one.
CREATE VIEW embedder_wanted AS
SELECT e.key AS embedder, a.key * 2 + 1 AS place FROM archive a JOIN embedder e ON e.model = a.embedder
UNION
SELECT CAST(m.value AS INTEGER), a.key * 2 + 1 FROM archive a, meta m WHERE a.embedder = '' AND m.key = 'embedder'
UNION
SELECT CAST(m.value AS INTEGER), 0 FROM meta m WHERE m.key = 'embedder';
