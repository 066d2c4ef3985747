package app

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"
)

// maxLogBytes is the size at which a log begins anew; the run before is kept in a second file of at most this size.
const maxLogBytes = 4 << 20

// logFile is a log that cannot fill the disk.
type logFile struct {
	mu      sync.Mutex
	file    *os.File
	written int
}

// openLog begins the log at path and keeps that of the run before as path + ".1".
func openLog(path string) (*logFile, error) {
	if err := os.Rename(path, path+".1"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("keep the log of the run before: %w", err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("begin the log: %w", err)
	}
	return &logFile{file: f}, nil
}

// Write appends p, or begins the file anew where it would grow too large.
func (l *logFile) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.written > 0 && l.written+len(p) > maxLogBytes {
		if err := l.file.Truncate(0); err != nil {
			return 0, fmt.Errorf("begin the log anew: %w", err)
		}
		if _, err := l.file.Seek(0, 0); err != nil {
			return 0, fmt.Errorf("begin the log anew: %w", err)
		}
		l.written = 0
	}
	n, err := l.file.Write(p)
	l.written += n
	return n, err
}

// Close closes the file.
func (l *logFile) Close() error { return l.file.Close() }
