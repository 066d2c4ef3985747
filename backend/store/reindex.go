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
	const op = "index anew"
	for {
		marks, err := all(ctx, s, value[string], "meta_get", indexBelow)
		if err != nil || len(marks) == 0 {
			return fault(op, err)
		}
		below, err := strconv.ParseInt(marks[0], 10, 64)
		if err != nil {
			return fault(op, err)
		}
		type older struct {
			key     int64
			passage bool
		}
		texts, err := all(ctx, s, func(r scanner) (o older, err error) { return o, r.Scan(&o.key, &o.passage) }, "items_to_reindex", below)
		if err != nil {
			return fault(op, err)
		}
		if err := s.write(ctx, op, lazy, func(t *tx) error {
			if len(texts) == 0 {
				return t.run("meta_delete", indexBelow)
			}
			for _, o := range texts {
				if err := t.cutOld(o.key, o.passage); err != nil {
					return err
				}
			}
			return t.run("meta_set", indexBelow, strconv.FormatInt(texts[len(texts)-1].key, 10))
		}); err != nil {
			return err
		}
		if len(texts) == 0 {
			return nil
		}
	}
}
