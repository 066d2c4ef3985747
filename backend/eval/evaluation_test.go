//go:build eval

package eval

import (
	"os"
	"testing"
)

// TestEvaluation measures recall by keywords on the sets in the folder that RECOLLECT_EVAL_DATA names, and holds the
// figures that were reached: a change that costs more than noise is seen.
func TestEvaluation(t *testing.T) {
	data := os.Getenv("RECOLLECT_EVAL_DATA")
	if data == "" {
		t.Fatal("RECOLLECT_EVAL_DATA must name the folder with the evaluation sets")
	}
	locomo, err := LoCoMo(t.Context(), data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	madial, err := MADial(t.Context(), data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := Print(os.Stdout, locomo, madial); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		r             Result
		recall, quiet float64
	}{{locomo, .79, .98}, {madial, .51, .96}} {
		if c.r.Recall[10] < c.recall || c.r.Quiet < c.quiet {
			t.Errorf("%s: %.3f at 10 and quiet %.3f, want %.2f and %.2f", c.r.Name, c.r.Recall[10], c.r.Quiet, c.recall, c.quiet)
		}
	}
}
