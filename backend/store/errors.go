package store

import (
	"context"
	"database/sql"
	"errors"
	"os"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"recollect/backend/memory"
)

// fault turns an error of the driver into one that says what the user can do. Errors of the domain pass unchanged.
func fault(op string, err error) error {
	if err == nil {
		return nil
	}
	var known *memory.Error
	if errors.As(err, &known) {
		return err
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return memory.Errorf(memory.ECANCELLED, op, "stopped").With("", err)
	case errors.Is(err, sql.ErrNoRows):
		return memory.Errorf(memory.ENOTFOUND, op, "it does not exist").With("", err)
	case errors.Is(err, os.ErrPermission):
		return readOnly(op, err)
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return memory.Errorf(memory.EINTERNAL, op, "%w", err)
	}
	if e.Code() == sqlite3.SQLITE_IOERR_WRITE { // a quota or a limit of file sizes; SQLite calls only ENOSPC full
		return memory.Errorf(memory.EDISKFULL, op, "the disk takes no more: a quota is used up, or it fails").With(memory.RemedyFreeSpace, err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return memory.Errorf(memory.EDISKFULL, op, "the disk is full").With(memory.RemedyFreeSpace, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return readOnly(op, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return corrupt(op, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return memory.Errorf(memory.EBUSY, op, "another program is using the database").With("", err)
	case sqlite3.SQLITE_INTERRUPT:
		return memory.Errorf(memory.ECANCELLED, op, "stopped").With("", err)
	}
	return memory.Errorf(memory.EINTERNAL, op, "%w", err)
}

func corrupt(op string, err error) error {
	return memory.Errorf(memory.ECORRUPT, op, "the database is damaged; it was left as it is, restore a backup").With(memory.RemedyRestore, err)
}

func readOnly(op string, err error) error {
	return memory.Errorf(memory.EREADONLY, op, "the data folder cannot be written").With(memory.RemedyChooseFolder, err)
}
