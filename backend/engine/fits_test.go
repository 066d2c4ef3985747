package engine_test

import (
	"testing"

	"recollect/backend/engine"
)

func TestWhatAWindowCostsAndWhetherItFits(t *testing.T) {
	const gb = 1 << 30
	m := engine.Model{BaseBytes: 3 * gb, KVBytesPerToken: 100_000, Context: 40_960}
	if need := m.Need(8192, 2); need != 3*gb+2*8192*100_000 {
		t.Errorf("two caches of 8,192 tokens need %d", need)
	}
	if m.Need(1<<20, 1) != m.Need(40_960, 1) {
		t.Error("the engine gives a model no more than it was trained for")
	}
	for total, want := range map[int64]string{0: "", 10 * gb: "yes", 6 * gb: "tight", 4 * gb: "no"} {
		if got := engine.Fits(m.Need(8192, 1), total); got != want {
			t.Errorf("in %d GB: %q, want %q", total/gb, got, want)
		}
	}
	largest := m.LargestWindow(8*gb, 1)
	if largest%1024 != 0 || engine.Fits(m.Need(largest, 1), 8*gb) != "yes" || engine.Fits(m.Need(largest+1024, 1), 8*gb) == "yes" {
		t.Errorf("the largest window is %d", largest)
	}
	if m.LargestWindow(4*gb, 1) != 0 || m.LargestWindow(0, 1) != 0 || m.LargestWindow(64*gb, 1) != 40_960 {
		t.Error("too little memory, an unknown one, or more than enough")
	}
}
