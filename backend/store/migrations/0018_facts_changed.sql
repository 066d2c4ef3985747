-- How often facts were written: those that were read once are kept in memory until then.
INSERT INTO meta (key, value) VALUES ('facts_changed', '0');
CREATE TRIGGER fact_added AFTER INSERT ON fact BEGIN
  UPDATE meta SET value = value + 1 WHERE key = 'facts_changed';
END;
CREATE TRIGGER fact_changed AFTER UPDATE ON fact BEGIN
  UPDATE meta SET value = value + 1 WHERE key = 'facts_changed';
END;
CREATE TRIGGER fact_gone AFTER DELETE ON fact BEGIN
  UPDATE meta SET value = value + 1 WHERE key = 'facts_changed';
END;
