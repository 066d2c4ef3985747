//go:build !windows

package autostart

import (
	"os"
	"path/filepath"
	"testing"
)

func TestStartAtLogin(t *testing.T) {
	home := t.TempDir()
	e := Entry{Command: command, Env: func(key string) string { return map[string]string{"HOME": home}[key] }}
	expect := func(want bool) {
		t.Helper()
		if got, err := e.Enabled(); got != want || err != nil {
			t.Errorf("enabled: %v, %v; want %v", got, err, want)
		}
	}
	expect(false)
	if err := e.Set(false); err != nil {
		t.Errorf("off, where it is off: %v", err)
	}
	for range 2 {
		if err := e.Set(true); err != nil {
			t.Fatal(err)
		}
		expect(true)
	}
	if err := e.Set(false); err != nil {
		t.Fatal(err)
	}
	expect(false)
	left, err := filepath.Glob(filepath.Join(home, "*", "*", "*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
	// Where the place cannot be written, it says so.
	file := filepath.Join(home, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	e.Env = func(string) string { return file }
	if err := e.Set(true); err == nil {
		t.Error("no error below a file")
	}
}
