package engine

import (
	"os"
	"path/filepath"
	"runtime"
)

// Cores returns the cores that the engine's threads may use, which is how many a chat model gets where nobody chose another
// number: no more than this process may, and one a core where
// cores have two threads, since the engine's threads spin and would only stall each other.
func Cores() int {
	allowed := max(runtime.GOMAXPROCS(0), 1)
	if n := coresIn("/sys/devices/system/cpu"); n > 0 {
		return min(n, allowed)
	}
	return allowed
}

// coresIn counts the distinct sets of sibling threads that Linux lists; 0 where it does not.
func coresIn(dir string) int {
	files, _ := filepath.Glob(filepath.Join(dir, "cpu[0-9]*", "topology", "thread_siblings_list")) //nolint:errcheck // a constant pattern
	siblings := map[string]bool{}
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil { // under /sys
			siblings[string(b)] = true
		}
	}
	return len(siblings)
}
