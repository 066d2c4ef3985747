-- The order of an agent's blocks is the user's. Persona and human begin first, as people read core memory. A block that
-- is detached keeps its place, so that it comes back to it.
ALTER TABLE attachment ADD COLUMN detached INTEGER NOT NULL DEFAULT 0;
UPDATE attachment SET position = (
  SELECT placed.position FROM (
    SELECT a.agent_id, a.block_id, row_number() OVER (
      PARTITION BY a.agent_id
      ORDER BY CASE lower(b.label) WHEN 'persona' THEN 0 WHEN 'human' THEN 1 ELSE 2 END, a.position, a.block_id) AS position
    FROM attachment a JOIN block b ON b.id = a.block_id
  ) placed WHERE placed.agent_id = attachment.agent_id AND placed.block_id = attachment.block_id);

-- The activity is read by time, and by who did it.
ALTER TABLE event ADD COLUMN actor TEXT NOT NULL DEFAULT 'system';
UPDATE event SET actor = coalesce(json_extract(data, '$.actor'),
  CASE WHEN type IN ('agent.changed', 'conversation.changed', 'settings.changed') THEN 'user' ELSE 'system' END);
CREATE INDEX event_time ON event (at, id, type, actor);
