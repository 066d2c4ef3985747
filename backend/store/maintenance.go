package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"

	"recollect/backend/memory"
)

// Backup writes a verified, compact copy of the database to dst, which must not exist. The app may go on writing.
// ENOTFOUND where there is no folder for it.
func (s *Store) Backup(ctx context.Context, dst string) error {
	if info, err := os.Stat(filepath.Dir(dst)); errors.Is(err, os.ErrNotExist) || err == nil && !info.IsDir() {
		return memory.Errorf(memory.ENOTFOUND, "write backup", "there is no folder %s", filepath.Dir(dst))
	}
	err := copyDatabase(ctx, s.path, dst)
	if memory.CodeOf(err) == memory.EREADONLY { // which need not be the data folder
		return memory.Errorf(memory.EREADONLY, "write backup", "%s cannot be written: %w", dst, errors.Unwrap(err))
	}
	return err
}

// SetVectorCache changes how many bytes of vectors may be held in memory; 0 = none.
func (s *Store) SetVectorCache(bytes int64) { s.vectors.setLimit(bytes) }

// Restore puts the backup src in the place of the database dst, which nobody may have open. The backup is verified first;
// what was at dst is kept beside it, and its new name returned ("" where there was nothing).
func Restore(ctx context.Context, src, dst string, now memory.Clock) (kept string, err error) {
	const op = "restore"
	if err := checkBackup(ctx, op, src); err != nil {
		return "", err
	}
	if info, err := os.Stat(src + "-wal"); err == nil && info.Size() > 0 {
		return "", memory.Errorf(memory.EBUSY, op, "%s is in use, or was left by a crash; it is no backup", src)
	}
	part := dst + ".part"
	defer os.Remove(part) // gone after success
	if err := copyFile(src, part); err != nil {
		return "", fault(op, err)
	}
	// From here on the copy is whole, and its name says so: a crash between the renames below is mended by Open.
	if err := os.Rename(part, dst+restored); err != nil {
		return "", fault(op, err)
	}
	if _, err := os.Stat(dst); err == nil {
		kept = dst + now().UTC().Format(".20060102-150405.000.replaced")
		// The log belongs to the file: it must go along, and must not stay for the new one.
		for _, suffix := range []string{"-wal", "-shm", ""} {
			if err := os.Rename(dst+suffix, kept+suffix); err != nil && !errors.Is(err, os.ErrNotExist) {
				return "", fault(op, err)
			}
		}
	}
	if err := os.Rename(dst+restored, dst); err != nil {
		return kept, fault(op, err)
	}
	_ = syncFile(filepath.Dir(dst)) // not every system can
	return kept, nil
}

// Verify reads all of a backup; ECORRUPT when it is damaged or no database of ours, ENEWER when a newer version wrote it.
func Verify(ctx context.Context, path string) error { return checkBackup(ctx, "verify backup", path) }

// checkBackup reads all of a backup and says what is wrong with it.
func checkBackup(ctx context.Context, op, path string) error {
	useless := func(format string, args ...any) error {
		e := memory.Errorf(memory.ECORRUPT, op, format, args...)
		e.Message += "; the present database was left as it is, try another backup"
		if e.Chinese != "" {
			e.Chinese += "；现在的数据库没有动，请试试另一份备份"
		}
		e.Remedy = memory.RemedyRestore
		return e
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return memory.Errorf(memory.ENOTFOUND, op, "there is no file %s", path)
	case err != nil:
		return memory.Errorf(memory.EREADONLY, op, "the file cannot be read: %w", err)
	case info.IsDir():
		return memory.Errorf(memory.EINVALID, op, "%s is a folder; name a file in it", path)
	case info.Size() == 0:
		return useless("%s is empty, so it is no backup", path)
	}
	state, err := inspect(ctx, path, len(migrations))
	if errors.Is(err, errNotOurs) {
		return useless("%s is no backup of Recollect, but a file of another kind", path)
	}
	if err == nil && state == missing {
		return useless("%s is a database with nothing in it", path)
	}
	if err == nil {
		err = verifyFile(ctx, path)
	}
	err = fault(op, err)
	switch memory.CodeOf(err) {
	case memory.ECORRUPT:
		return useless("%s is damaged: %w", path, errors.Unwrap(err))
	case memory.EREADONLY:
		return memory.Errorf(memory.EREADONLY, op, "%s cannot be read: %w", path, errors.Unwrap(err))
	}
	return err
}

// restored is added to the name of a whole copy that is about to become the database.
const restored = ".restored"

// finishRestore ends a restore that a crash interrupted after the old database was put aside.
func finishRestore(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := os.Rename(path+restored, path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

func copyFile(src, dst string) error {
	in, err := os.Open(src)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(dst, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Sync(), out.Close())
}

// QuickCheck reads the structure of the whole file and fails with ECORRUPT, remedy "restore", when it is damaged. It is
// for idle hours: it takes seconds for each gigabyte.
func (s *Store) QuickCheck(ctx context.Context) error {
	_, err := quickCheck(ctx, s.pool)
	return fault("check database", err)
}

// Verified returns a channel that is closed when the check after an unclean exit is over; at once after a clean one.
func (s *Store) Verified() <-chan struct{} { return s.verified }

// Health returns what the checks have found: nil, or an ECORRUPT error with RemedyRestore.
func (s *Store) Health() error {
	if e := s.health.Load(); e != nil {
		return e
	}
	return nil
}

// verify checks the file after an unclean exit, and repairs the indexes where they do not agree with it.
func (s *Store) verify(ctx context.Context) {
	defer close(s.verified)
	s.checked = s.RepairIndexes(ctx) == nil
}

// RepairIndexes checks the file as QuickCheck does, compares the indexes with what they index, and makes anew what does
// not agree. Nobody has to wait for it. Health tells of damage that it finds.
func (s *Store) RepairIndexes(ctx context.Context) (err error) {
	const op = "check indexes"
	defer func() {
		var e *memory.Error
		if errors.As(err, &e) && e.Code == memory.ECORRUPT {
			s.health.Store(e)
		}
	}()
	sound, err := quickCheck(ctx, s.pool)
	if err != nil {
		return fault(op, err)
	}
	if sound {
		want, err := one(ctx, s, value[int], "item_count_searchable")
		if err != nil {
			return fault(op, err)
		}
		have, err := one(ctx, s, value[int], "search_count")
		sound = err == nil && want == have
	}
	if !sound {
		if err := s.clearSearch(ctx); err != nil {
			return err
		}
	}
	if err := s.indexMissing(ctx); err != nil {
		return err
	}
	return s.repairVectors(ctx)
}

// clearSearch empties the search index and notes that nothing is in it.
func (s *Store) clearSearch(ctx context.Context) error {
	return s.write(ctx, "clear search index", lazy, func(t *tx) error {
		if err := t.forgetChunks(); err != nil {
			return err
		}
		if err := t.run("search_clear"); err != nil {
			return err
		}
		t.after = append(t.after, s.counts.emptied)
		return t.run("item_unmark")
	})
}

// indexMissing indexes what should be in the search index and is not, the newest first, in steps between which others
// may write. What an interruption leaves, the next check finds.
func (s *Store) indexMissing(ctx context.Context) error {
	const op = "rebuild search index"
	below := int64(math.MaxInt64)
	for {
		type missing struct {
			key     int64
			passage bool
		}
		keys, err := all(ctx, s, func(r scanner) (m missing, err error) { return m, r.Scan(&m.key, &m.passage) }, "items_missing", below)
		if err != nil || len(keys) == 0 {
			return fault(op, err)
		}
		if err := s.write(ctx, op, lazy, func(t *tx) error {
			for _, m := range keys {
				if err := t.index(m.key, m.passage); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			return err
		}
		below = keys[len(keys)-1].key
	}
}

// repairVectors brings each embedder's vectors and queue together: what has no vector waits for one, what has no item has
// no vector. A table that cannot be read, or each one when anew is set, is made anew and everything waits.
func (s *Store) repairVectors(ctx context.Context) error {
	const op = "repair vectors"
	es, err := all(ctx, s, scanEmbedder, "embedder_list")
	if err != nil {
		return fault(op, err)
	}
	for _, e := range es {
		rows, err := all(ctx, s, value[int64], "SELECT rowid FROM "+e.table())
		if err != nil {
			err = s.write(ctx, op, kept, func(t *tx) error { return t.remakeVectors(e) })
		} else {
			err = s.reconcile(ctx, e, rows)
		}
		if err != nil {
			return fault(op, err)
		}
	}
	return nil
}

// remakeVectors empties the table of an embedder.
func (t *tx) remakeVectors(e embedder) error {
	if err := t.run("DROP TABLE IF EXISTS " + e.table()); err != nil {
		return err
	}
	if err := t.makeVectorTable(e); err != nil {
		return err
	}
	for _, name := range []string{"pending_delete_all", "places_begin"} {
		if err := t.run(name, e.key); err != nil {
			return err
		}
	}
	places, err := all(t.ctx, t, value[int64], "places_of", e.key)
	if err != nil {
		return err
	}
	if err := t.run("pending_everything", e.key, encode(places)); err != nil {
		return err
	}
	t.after = append(t.after, func() { t.s.vectors.drop(e) })
	return nil
}

// reconcile compares the rows of an embedder's table with the items, and corrects what differs.
func (s *Store) reconcile(ctx context.Context, e embedder, rows []int64) error {
	const op = "repair vectors"
	has := make(map[int64]int, len(rows)) // views by item
	for _, row := range rows {
		has[row>>1] |= 1 << (row & 1)
	}
	type wanted struct {
		key   int64
		views int
	}
	items, err := all(ctx, s, func(r scanner) (w wanted, err error) {
		var owner int64
		err = r.Scan(&w.key, &owner)
		w.views = viewsOf(owner)
		return w, err
	}, "SELECT i.key, iif(c.key <> c.whole, 1, i.owner) FROM item i LEFT JOIN chunk c ON c.key = i.key WHERE i.searchable = 1 "+
		"AND iif(i.owner & 1, i.owner, 0) IN (SELECT place FROM embedder_place WHERE embedder = ?)", e.key)
	if err != nil {
		return err
	}
	missing := map[int64]int{} // views by item
	for _, w := range items {
		if views := w.views &^ has[w.key]; views != 0 {
			missing[w.key] = views
		}
		delete(has, w.key)
	}
	if len(missing) == 0 && len(has) == 0 {
		return nil
	}
	return s.write(ctx, op, kept, func(t *tx) error {
		for key, views := range missing {
			if err := t.run("pending_missing", e.key, key, views); err != nil {
				return err
			}
		}
		for key := range has { // vectors of nothing
			if err := t.run("DELETE FROM "+e.table()+" WHERE rowid IN (?, ?)", key*2, key*2+1); err != nil {
				return err
			}
		}
		return nil
	})
}

// Stats counts what is stored.
func (s *Store) Stats(ctx context.Context) (Stats, error) {
	const op = "read statistics"
	st, err := one(ctx, s, func(r scanner) (st Stats, err error) {
		return st, r.Scan(&st.Agents, &st.Blocks, &st.Conversations, &st.Messages, &st.Passages, &st.Revisions)
	}, "counts")
	if err != nil {
		return st, fault(op, err)
	}
	if st.Schema, err = one(ctx, s, value[int], "PRAGMA user_version"); err != nil {
		return st, fault(op, err)
	}
	st.Path, st.VectorBytes = s.path, s.vectors.bytes()
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(s.path + suffix); err == nil {
			st.Bytes += info.Size()
		} else if suffix == "" {
			return st, fault(op, fmt.Errorf("size of the database: %w", err))
		}
	}
	return st, nil
}
