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
	coded := func(code memory.Code, remedy memory.Remedy, message string) error {
		return &memory.Error{Code: code, Op: op, Message: message, Remedy: remedy, Err: err}
	}
	switch {
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return coded(memory.ECANCELLED, "", "stopped")
	case errors.Is(err, sql.ErrNoRows):
		return coded(memory.ENOTFOUND, "", "it does not exist")
	case errors.Is(err, os.ErrPermission):
		return readOnly(op, err)
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return memory.Errorf(memory.EINTERNAL, op, "%w", err)
	}
	if e.Code() == sqlite3.SQLITE_IOERR_WRITE { // a quota or a limit of file sizes; SQLite calls only ENOSPC full
		return coded(memory.EDISKFULL, memory.RemedyFreeSpace, "the disk takes no more: a quota is used up, or it fails")
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return coded(memory.EDISKFULL, memory.RemedyFreeSpace, "the disk is full")
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH:
		return readOnly(op, err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return corrupt(op, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return coded(memory.EBUSY, "", "another program is using the database")
	case sqlite3.SQLITE_INTERRUPT:
		return coded(memory.ECANCELLED, "", "stopped")
	}
	return memory.Errorf(memory.EINTERNAL, op, "%w", err)
}

func corrupt(op string, err error) error {
	return &memory.Error{
		Code: memory.ECORRUPT, Op: op, Remedy: memory.RemedyRestore, Err: err,
		Message: "the database is damaged; it was left as it is, restore a backup",
	}
}

func readOnly(op string, err error) error {
	return &memory.Error{
		Code: memory.EREADONLY, Op: op, Remedy: memory.RemedyChooseFolder, Err: err,
		Message: "the data folder cannot be written",
	}
}
