package machine

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// Memory returns the size of the main memory in bytes.
func Memory() (int64, error) {
	n, err := unix.SysctlUint64("hw.memsize")
	if err != nil {
		return 0, fmt.Errorf("read the size of the memory: %w", err)
	}
	return int64(n), nil // fits for any machine there is
}
