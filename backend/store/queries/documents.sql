-- name: document_key
SELECT key, reading FROM document WHERE id = ?;

-- name: document_insert
INSERT INTO document (id, archive_id, name, path, reading, created_at, updated_at) VALUES (?, ?, ?, ?, 0, ?, ?);

-- It was made when its first reading was ready.
-- name: document_set
UPDATE document SET reading = ?2, name = ?3, path = ?4, updated_at = ?5, created_at = iif(reading = 0 AND ?2 = 1, ?5, created_at)
WHERE key = ?1;

-- name: document_delete
DELETE FROM document WHERE key = ?1 AND NOT EXISTS (SELECT 1 FROM document_reading r WHERE r.document = ?1);

-- A document with the newest of its readings, where it is deleted.
-- name: document_get
SELECT d.key, d.reading, d.id, d.archive_id, d.name, d.path, r.title, r.author, r.format, r.bytes, r.hash, r.language, r.pages,
  r.paged, r.parts, ifnull(p.text, ''), ifnull(p.hash, '') = r.summary_hash,
  ifnull((SELECT v.actor FROM revision v WHERE v.subject_id = p.id ORDER BY v.id DESC LIMIT 1), 'system'),
  r.written_at, r.changed_at, d.created_at, d.updated_at
FROM document d
JOIN document_reading r ON r.document = d.key AND r.n = iif(d.reading > 0, d.reading,
  (SELECT max(n) FROM document_reading l WHERE l.document = d.key AND l.ready = 1))
LEFT JOIN document_part s ON s.document = d.key AND s.reading = r.n AND s.n = 0
LEFT JOIN passage p ON p.key = s.passage
WHERE d.id = ?;

-- Documents of an archive that have been read from a file with this content, the ones that are there first.
-- name: document_by_hash
SELECT d.id, r.n, d.reading = r.n FROM document_reading r JOIN document d ON d.key = r.document
WHERE r.hash = ?2 AND r.ready = 1 AND d.archive_id = ?1
ORDER BY d.reading = r.n DESC, d.reading > 0 DESC, r.n DESC LIMIT 1;

-- name: document_by_name
SELECT id FROM document
WHERE archive_id = ?1 AND reading > 0 AND (path = ?3 AND ?3 <> '' OR name = ?2 AND (path = '' OR ?3 = ''))
ORDER BY path = ?3 AND ?3 <> '' DESC, updated_at DESC LIMIT 1;

-- name: reading_last
SELECT ifnull(max(n), 0) FROM document_reading WHERE document = ?;

-- name: reading_insert
INSERT INTO document_reading (document, n, ready, title, author, format, bytes, hash, language, pages, paged, parts, summary_hash, written_at, changed_at)
VALUES (?, ?, 0, '', '', '', 0, '', '', 0, 0, 0, '', 0, 0);

-- name: reading_title
UPDATE document_reading SET title = ?3 WHERE document = ?1 AND n = ?2;

-- name: reading_finish
UPDATE document_reading SET ready = 1, title = ?3, author = ?4, format = ?5, bytes = ?6, hash = ?7, language = ?8, pages = ?9,
  paged = ?10, parts = ?11, summary_hash = ?12, written_at = ?13, changed_at = ?14
WHERE document = ?1 AND n = ?2;

-- name: reading_delete
DELETE FROM document_reading WHERE document = ?1 AND n = ?2;

-- name: readings_unfinished
SELECT document, n FROM document_reading WHERE ready = 0;

-- name: part_insert
INSERT INTO document_part (document, reading, n, passage, page, lead, heading) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: parts_delete
DELETE FROM document_part WHERE document = ?1 AND reading = ?2 AND passage IN (SELECT value FROM json_each(?3));

-- name: parts_of
SELECT passage FROM document_part WHERE document = ?1 AND reading = ?2 LIMIT ?3;

-- Those of some passages that no other reading has.
-- name: parts_alone
SELECT value FROM json_each(?3) WHERE NOT EXISTS (
  SELECT 1 FROM document_part o WHERE o.passage = value AND (o.document <> ?1 OR o.reading <> ?2));

-- A passage of a document that says a text and is not in a reading yet.
-- name: part_known
SELECT p.key FROM passage p WHERE p.document = ?1 AND p.hash = ?3 AND p.text = ?4
  AND NOT EXISTS (SELECT 1 FROM document_part o WHERE o.passage = p.key AND o.document = ?1 AND o.reading = ?2)
ORDER BY p.key LIMIT 1;

-- Passages of one reading that another one has not; those deleted by themselves stay so.
-- name: parts_only
SELECT a.passage FROM document_part a JOIN passage p ON p.key = a.passage
WHERE a.document = ?1 AND a.reading = ?2 AND p.deleted_at = 0
  AND NOT EXISTS (SELECT 1 FROM document_part b WHERE b.passage = a.passage AND b.document = ?1 AND b.reading = ?3);

-- Passages that two readings have under other headings, or all where the title has changed.
-- name: parts_renamed
SELECT a.passage FROM document_part a JOIN document_part b ON b.passage = a.passage AND b.document = ?1 AND b.reading = ?3
WHERE a.document = ?1 AND a.reading = ?2 AND (a.heading <> b.heading
  OR (SELECT title FROM document_reading WHERE document = ?1 AND n = ?2) <> (SELECT title FROM document_reading WHERE document = ?1 AND n = ?3));

-- name: passage_document
UPDATE passage SET document = ?2 WHERE key = ?1;

-- name: document_page
SELECT p.id, substr(p.text, a.lead + 1), a.heading, a.page, p.deleted_at <> 0
FROM document_part a JOIN passage p ON p.key = a.passage
WHERE a.document = ?1 AND a.reading = ?2 AND a.n > 0 AND a.page = ?3 ORDER BY a.n;

-- name: document_find
SELECT p.id, p.text, a.page FROM document_part a JOIN passage p ON p.key = a.passage
WHERE a.document = ?1 AND a.reading = ?2 AND a.n > 0 AND p.deleted_at = 0 AND instr(lower(p.text), ?3) > 0
ORDER BY a.n LIMIT ?4;

-- name: document_empty_summaries
SELECT d.id FROM document d
JOIN document_reading r ON r.document = d.key AND r.n = d.reading
JOIN document_part s ON s.document = d.key AND s.reading = r.n AND s.n = 0
JOIN passage p ON p.key = s.passage
WHERE p.hash = r.summary_hash AND p.deleted_at = 0 AND p.version = 1 ORDER BY d.key DESC LIMIT ?;

-- Where passages stand in their documents: in the reading that is there, else in the last one that had them.
-- name: passage_places
SELECT p.id, d.id, r.title, a.page, r.paged, a.heading
FROM passage p JOIN document d ON d.key = p.document
JOIN document_part a ON a.passage = p.key AND a.document = d.key
JOIN document_reading r ON r.document = d.key AND r.n = a.reading
WHERE p.id IN (SELECT value FROM json_each(?)) ORDER BY a.reading = d.reading DESC, a.reading DESC;

-- The same of one passage, for its index.
-- name: passage_place
SELECT r.title, a.heading, a.page
FROM passage p JOIN document d ON d.key = p.document
JOIN document_part a ON a.passage = p.key AND a.document = d.key
JOIN document_reading r ON r.document = d.key AND r.n = a.reading
WHERE p.key = ? ORDER BY a.reading = d.reading DESC, a.reading DESC LIMIT 1;
