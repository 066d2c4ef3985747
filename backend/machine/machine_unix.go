//go:build unix

// Package machine tells what this computer has: its memory and the free space of a disk.
package machine

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// FreeDisk returns the bytes that a user may still write on the file system that holds dir.
func FreeDisk(dir string) (int64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("ask for the free space of %s: %w", dir, err)
	}
	return int64(st.Bavail) * int64(st.Bsize), nil //nolint:unconvert // types differ between systems
}
