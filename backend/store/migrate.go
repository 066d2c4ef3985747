package store

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"recollect/backend/memory"
)

//go:embed migrations/*.sql
var migrationFiles embed.FS

// migration is one step of the schema; the number of a step is its place in the list, counted from 1.
type migration struct {
	name string
	sql  string
}

// migrations are all steps. The list is not changed after initialisation.
var migrations = loadMigrations(migrationFiles)

func loadMigrations(files fs.FS) []migration {
	paths, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		panic(err)
	}
	sort.Strings(paths)
	var steps []migration
	for i, path := range paths {
		name := strings.TrimSuffix(filepath.Base(path), ".sql")
		if !strings.HasPrefix(name, fmt.Sprintf("%04d_", i+1)) {
			panic("migration " + name + " is out of order")
		}
		body, err := fs.ReadFile(files, path)
		if err != nil {
			panic(err)
		}
		steps = append(steps, migration{name: name, sql: string(body)})
	}
	return steps
}

// migrate brings the schema up to date. Each step is one transaction, so that one that fails leaves the file as it was
// before it.
func (s *Store) migrate(ctx context.Context, steps []migration, version string) error {
	var have int
	if err := s.conn.QueryRowContext(ctx, "PRAGMA user_version").Scan(&have); err != nil {
		return err
	}
	for i := have; i < len(steps); i++ {
		if have > 0 { // a new file is not worth a backup
			if err := s.backupBefore(ctx, i, version); err != nil {
				return err
			}
		}
		if err := s.step(ctx, i+1, steps[i]); err != nil {
			return fmt.Errorf("migration %s: %w", steps[i].name, err)
		}
	}
	if have < len(steps) {
		// The header of the file must tell an older version what it is, without the log.
		if _, err := s.conn.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)"); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) step(ctx context.Context, number int, m migration) (err error) {
	if _, err := s.conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = s.conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	script := m.sql + fmt.Sprintf("\n;PRAGMA user_version = %d; PRAGMA application_id = %d;", number, applicationID)
	if _, err := s.conn.ExecContext(ctx, script); err != nil {
		return err
	}
	_, err = s.conn.ExecContext(ctx, "COMMIT")
	return err
}

// backupBefore writes a verified copy of the file as it is at the given schema.
func (s *Store) backupBefore(ctx context.Context, schema int, version string) error {
	dir := filepath.Join(filepath.Dir(s.path), "backups")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	name := fmt.Sprintf("%s-schema-%d-before-%s.db", s.now().Format("20060102-150405.000"), schema, fallback(version, "update"))
	return copyDatabase(ctx, s.path, filepath.Join(dir, name))
}

func fallback(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// copyDatabase writes a compact copy of the open database src to dst, which must not exist, and checks it. Other
// connections may go on reading and writing.
func copyDatabase(ctx context.Context, src, dst string) (err error) {
	const op = "back up"
	if _, err := os.Lstat(dst); err == nil {
		return memory.Errorf(memory.ECONFLICT, op, "%s exists already", dst)
	}
	part := dst + ".part"
	if err := os.Remove(part); err != nil && !os.IsNotExist(err) {
		return fault(op, err)
	}
	defer func() {
		if err != nil {
			_ = os.Remove(part)
		}
	}()
	db, err := sql.Open("sqlite", dsn(src, "_pragma=busy_timeout(5000)"))
	if err != nil {
		return fault(op, err)
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", part); err != nil {
		return fault(op, err)
	}
	if err := verifyFile(ctx, part); err != nil {
		return fault(op, err)
	}
	if err := os.Chmod(part, 0o600); err != nil { // it holds all that the user has said, wherever it goes
		return fault(op, err)
	}
	if err := syncFile(part); err != nil {
		return fault(op, err)
	}
	if err := os.Rename(part, dst); err != nil {
		return fault(op, err)
	}
	_ = syncFile(filepath.Dir(dst)) // not every system can
	return nil
}

// verifyFile reads all of a database that nobody uses and fails with ECORRUPT when it is damaged.
func verifyFile(ctx context.Context, path string) error {
	db, err := sql.Open("sqlite", dsn(path, "immutable=1"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = check(ctx, db, "PRAGMA integrity_check(100)")
	return err
}

// quickCheck fails with ECORRUPT when the structure of the database is damaged; indexed says whether the search index
// agrees with itself.
func quickCheck(ctx context.Context, db *sql.DB) (indexed bool, err error) {
	return check(ctx, db, "PRAGMA quick_check(100)")
}

// check runs a pragma that reports damage. Damage of the search index alone is none: it can be made anew.
func check(ctx context.Context, db *sql.DB, pragma string) (indexed bool, err error) {
	rows, err := db.QueryContext(ctx, pragma)
	if err != nil {
		return false, err
	}
	defer rows.Close()
	indexed = true
	for rows.Next() {
		var result string
		if err := rows.Scan(&result); err != nil {
			return false, err
		}
		switch {
		case strings.Contains(strings.ToLower(result), "fts5"):
			indexed = false
		case result != "ok":
			return false, corrupt("check database", errors.New(result))
		}
	}
	return indexed, rows.Err()
}

// syncFile makes a file or folder last.
func syncFile(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
