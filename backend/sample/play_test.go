package sample

import (
	"testing"
	"time"
)

// As where the disk is full.
func TestALifeThatBreaksOffIsAnError(t *testing.T) {
	at := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	s, err := play(t.Context(), t.TempDir(), "en", []talk{{title: "Empty", turns: []turn{{at: at}}}})
	if err == nil || s != nil {
		t.Errorf("an empty message was played: %v, %v", s, err)
	}
}
