-- What of an archive is searched, to count it without a look at each message: an odd owner is an archive.
CREATE INDEX item_of_archive ON item (owner, searchable, hidden) WHERE owner & 1;
