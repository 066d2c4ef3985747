-- The revision that led to this one: what belongs to one act is undone together.
ALTER TABLE revision ADD COLUMN act TEXT NOT NULL DEFAULT '';
CREATE INDEX revision_act ON revision (act) WHERE act <> '';
