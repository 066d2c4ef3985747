//go:build !linux

package engine_test

// runApp is used on Linux only, where processes can be listed.
func runApp(string, string) {}
