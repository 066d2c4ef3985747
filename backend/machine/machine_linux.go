package machine

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Memory returns the size of the main memory in bytes.
func Memory() (int64, error) {
	var info unix.Sysinfo_t
	if err := unix.Sysinfo(&info); err != nil {
		return 0, fmt.Errorf("read the size of the memory: %w", err)
	}
	return int64(info.Totalram) * int64(info.Unit), nil // fits for any machine there is
}
