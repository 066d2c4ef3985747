package app

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// A log neither fills the disk nor loses what the run before wrote.
func TestLogStaysSmallAndKeepsTheRunBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.log")
	first, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	line := bytes.Repeat([]byte("x"), 1<<20)
	for range 9 {
		if _, err := first.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > maxLogBytes || info.Size() == 0 {
		t.Errorf("after 9 MB the log has %d bytes (%v), want at most %d", info.Size(), err, maxLogBytes)
	}
	second, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if kept, err := os.ReadFile(path + ".1"); err != nil || int64(len(kept)) != info.Size() {
		t.Errorf("the log of the run before has %d bytes (%v), want %d", len(kept), err, info.Size())
	}
}
