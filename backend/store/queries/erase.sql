-- Erasing an agent. ?1 is its id, ?2 its archive's ("" = shared with another agent, and kept), ?3 the ids of its blocks and
-- ?4 the keys of its messages and passages, as JSON.

-- Blocks that no other agent has: attached to this one, or detached from it.
-- name: erase_blocks
SELECT b.id FROM block b
WHERE NOT EXISTS (SELECT 1 FROM attachment a WHERE a.block_id = b.id AND a.agent_id <> ?1)
  AND (EXISTS (SELECT 1 FROM attachment a WHERE a.block_id = b.id)
    OR EXISTS (SELECT 1 FROM revision r WHERE r.subject_id = b.id AND r.before = '' AND r.agent_id = ?1));

-- name: erase_items
SELECT key FROM item WHERE owner = ?1 * 2 OR owner = (SELECT key * 2 + 1 FROM archive WHERE id = ?2);

-- name: erase_pending
DELETE FROM embed_pending WHERE item IN (SELECT value FROM json_each(?4));

-- name: erase_search
DELETE FROM search WHERE rowid IN (SELECT key FROM item WHERE searchable = 1 AND key IN (SELECT value FROM json_each(?4)));

-- name: erase_revisions
DELETE FROM revision WHERE subject_id IN (SELECT value FROM json_each(?3))
  OR subject = 'fact' AND subject_id IN (SELECT id FROM fact WHERE agent_id = ?1)
  OR subject_id IN (SELECT id FROM passage WHERE key IN (SELECT value FROM json_each(?4)))
  OR subject = 'document' AND subject_id IN (SELECT id FROM document WHERE archive_id = ?2)
  OR subject = 'feedback' AND agent_id = ?1;

-- What the agent changed of others' memory stays, without saying in which of its messages.
-- name: erase_revision_causes
UPDATE revision SET agent_id = '', conversation_id = '', message_id = '', range_start = 0, range_end = 0, tool_call_id = ''
WHERE agent_id = ?1 OR conversation_id IN (SELECT id FROM conversation WHERE agent_id = ?1);

-- name: erase_events
DELETE FROM event WHERE agent_id = ?1 OR conversation_id IN (SELECT id FROM conversation WHERE agent_id = ?1)
  OR data ->> '$.agent_id' = ?1 OR data ->> '$.block_id' IN (SELECT value FROM json_each(?3))
  OR data ->> '$.document_id' IN (SELECT id FROM document WHERE archive_id = ?2)
  OR data ->> '$.passage_id' IN (SELECT id FROM passage WHERE key IN (SELECT value FROM json_each(?4)));

-- name: erase_mentions
DELETE FROM fact_mention WHERE fact_id IN (SELECT id FROM fact WHERE agent_id = ?1);

-- name: erase_facts
DELETE FROM fact WHERE agent_id = ?1;

-- name: erase_questions
DELETE FROM fact_question WHERE agent_id = ?1;

-- name: erase_prompts
DELETE FROM prompt WHERE conversation_id IN (SELECT id FROM conversation WHERE agent_id = ?1);

-- name: erase_plans
DELETE FROM plan WHERE message_id IN (SELECT id FROM message WHERE agent_id = ?1);

-- name: erase_usage
DELETE FROM usage WHERE agent = (SELECT key FROM agent WHERE id = ?1);

-- name: erase_usage_beside
DELETE FROM usage_beside WHERE agent = (SELECT key FROM agent WHERE id = ?1);

-- name: erase_usage_slots
DELETE FROM usage_slot WHERE agent = (SELECT key FROM agent WHERE id = ?1);

-- name: erase_receipts
DELETE FROM receipt WHERE message_id IN (SELECT id FROM message WHERE agent_id = ?1);

-- name: erase_feedback
DELETE FROM feedback WHERE agent_id = ?1;

-- name: erase_prefixes
DELETE FROM prefix WHERE conversation_id IN (SELECT id FROM conversation WHERE agent_id = ?1);

-- name: erase_pages
DELETE FROM page_in WHERE conversation_id IN (SELECT id FROM conversation WHERE agent_id = ?1);

-- name: erase_entries
DELETE FROM core_entry WHERE compaction_id IN (SELECT id FROM compaction WHERE agent_id = ?1);

-- name: erase_weights
DELETE FROM core_weights WHERE agent_id = ?1;

-- name: erase_compactions
DELETE FROM compaction WHERE agent_id = ?1;

-- name: erase_files
DELETE FROM message_file WHERE message IN (SELECT key FROM message WHERE agent_id = ?1);

-- name: erase_tails
DELETE FROM message_tail WHERE message IN (SELECT key FROM message WHERE agent_id = ?1);

-- name: erase_tags
DELETE FROM passage_tag WHERE passage IN (SELECT value FROM json_each(?4));

-- name: erase_parts
DELETE FROM document_part WHERE document IN (SELECT key FROM document WHERE archive_id = ?2);

-- name: erase_readings
DELETE FROM document_reading WHERE document IN (SELECT key FROM document WHERE archive_id = ?2);

-- name: erase_documents
DELETE FROM document WHERE archive_id = ?2;

-- name: erase_passages
DELETE FROM passage WHERE key IN (SELECT value FROM json_each(?4));

-- name: erase_messages
DELETE FROM message WHERE agent_id = ?1;

-- name: erase_chunks
DELETE FROM chunk WHERE key IN (SELECT value FROM json_each(?4));

-- name: erase_items_of
DELETE FROM item WHERE key IN (SELECT value FROM json_each(?4));

-- name: erase_conversations
DELETE FROM conversation WHERE agent_id = ?1;

-- name: erase_attachments
DELETE FROM attachment WHERE agent_id = ?1 OR block_id IN (SELECT value FROM json_each(?3));

-- name: erase_block_rows
DELETE FROM block WHERE id IN (SELECT value FROM json_each(?3));

-- name: erase_agent
DELETE FROM agent WHERE id = ?1;

-- name: erase_places
DELETE FROM embedder_place WHERE place = (SELECT key * 2 + 1 FROM archive WHERE id = ?2);

-- name: erase_archive
DELETE FROM archive WHERE id = ?2;
