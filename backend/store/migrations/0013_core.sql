-- Which passage an entry of core memory became: entry n of a compaction. place is the memory.EntryPlace; gone says that the
-- entry is out of core memory now.
CREATE TABLE core_entry (
  compaction_id TEXT NOT NULL REFERENCES compaction (id),
  n             INTEGER NOT NULL,
  passage_id    TEXT NOT NULL,
  gone          INTEGER NOT NULL,
  place         TEXT NOT NULL,
  PRIMARY KEY (compaction_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX core_entry_passage ON core_entry (passage_id);

-- What an agent's scores learned from undoing and putting back: a memory.CompactionWeights.
CREATE TABLE core_weights (
  agent_id TEXT PRIMARY KEY REFERENCES agent (id),
  body     TEXT NOT NULL
) STRICT, WITHOUT ROWID;
