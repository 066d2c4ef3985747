package store

import (
	"context"
	"strconv"

	"recollect/backend/segment"
)

// The search index holds words as segment cut them. Where that has changed, what is there is indexed anew in the background;
// until then it is found by words that are cut as before.
const (
	indexVersion = "index_version" // of the words in the index
	indexBelow   = "index_below"   // how far reindexOlder is
)

// noteIndexVersion begins to index anew what an earlier version has indexed.
func (t *tx) noteIndexVersion() error {
	current := strconv.Itoa(segment.Version)
	versions, err := all(t.ctx, t, value[string], "meta_get", indexVersion)
	if err != nil || len(versions) > 0 && versions[0] == current {
		return err
	}
	next, err := one(t.ctx, t, value[int64], "SELECT ifnull(max(key), 0) + 1 FROM item") // what comes later is cut as now
	if err != nil {
		return err
	}
	if err := t.run("meta_set", indexBelow, strconv.FormatInt(next, 10)); err != nil {
		return err
	}
	return t.run("meta_set", indexVersion, current)
}

// reindexOlder goes on with indexing anew, in steps between which others may write. What an interruption leaves is done at
// the next start.
func (s *Store) reindexOlder(ctx context.Context) error {
	return s.cutBelow(ctx, "index anew", indexBelow, "items_to_reindex")
}
