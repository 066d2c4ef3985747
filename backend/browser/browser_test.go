//go:build linux

package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
)

// system puts a script in the place of the system's program that opens addresses.
func system(t *testing.T, script string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	t.Setenv("DISPLAY", ":7")
}

func TestOpenHandsTheAddressToTheSystem(t *testing.T) {
	opened := filepath.Join(t.TempDir(), "opened")
	system(t, `printf %s "$1" >'`+opened+`'; exec sleep 3`) // as long as the browser runs
	if err := Open("http://127.0.0.1:1/#token=t"); err != nil {
		t.Fatal(err)
	}
	for end := time.Now().Add(time.Minute); ; time.Sleep(10 * time.Millisecond) {
		if got, _ := os.ReadFile(opened); string(got) == "http://127.0.0.1:1/#token=t" {
			break
		} else if time.Now().After(end) {
			t.Fatalf("opened %q", got)
		}
	}
}

func TestOpenSaysWhenItCannot(t *testing.T) {
	system(t, "exit 3")
	if err := Open("http://127.0.0.1:1/"); memory.CodeOf(err) != memory.EUNSUPPORTED || !strings.Contains(err.Error(), "xdg-open") {
		t.Errorf("a system without a browser: %v", err)
	}
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	if err := Open("http://127.0.0.1:1/"); memory.CodeOf(err) != memory.EUNSUPPORTED {
		t.Errorf("without a display: %v", err)
	}
	t.Setenv("DISPLAY", ":7")
	t.Setenv("PATH", t.TempDir())
	if err := Open("http://127.0.0.1:1/"); memory.CodeOf(err) != memory.EUNSUPPORTED {
		t.Errorf("without the program: %v", err)
	}
}
