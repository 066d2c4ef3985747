package store

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestDotBytes(t *testing.T) {
	if !hasDotBytes {
		t.Log("not used on this processor")
		return
	}
	rnd := rand.New(rand.NewPCG(1, 2))
	for n := coarseStep; n <= 8192; n *= 2 {
		for _, largest := range []bool{false, true} {
			a, b := make([]int16, n), make([]int8, n)
			var want int32
			for i := range a {
				a[i], b[i] = int16(rnd.IntN(2*queryMost+1)-queryMost), int8(rnd.IntN(2*byteMost+1)-byteMost)
				if largest {
					a[i], b[i] = queryMost, -byteMost
				}
				want += int32(a[i]) * int32(b[i])
			}
			if got := dotBytes(a, b); got != want {
				t.Errorf("of %d numbers the product is %d, want %d", n, got, want)
			}
		}
	}
}

// With the bytes of the vectors a search finds what it finds without, to the last bit: whether they lie far apart or are
// nearly the same, as those of many embedders.
func TestCoarseVectorsHideNothing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for _, dim := range []int{1, 7, 48, 384} {
		for _, spread := range []float64{10, 1, .1, .001, 0} {
			t.Run(fmt.Sprintf("%d dimensions, spread %g", dim, spread), func(t *testing.T) {
				centre := make([]float64, dim)
				for i := range centre {
					centre[i] = rnd.NormFloat64()
				}
				vector := func() []float32 {
					v := make([]float32, dim)
					for i := range v {
						v[i] = float32(centre[i] + spread*rnd.NormFloat64())
					}
					unit, err := normalise("test", v, dim)
					must(t, err)
					return unit
				}
				fine, both := newVectorSet(dim), newVectorSet(dim)
				fine.coarse.dim = 0
				for key := range int64(blockLen + 500) {
					v := vector()
					for _, set := range []*vectorSet{fine, both} {
						set.put(itemMeta{key: key}, v)
					}
				}
				for key := range int64(100) { // some of them change
					v := vector()
					for _, set := range []*vectorSet{fine, both} {
						set.put(itemMeta{key: 25 * key}, v)
					}
				}
				everyThird := func(m *itemMeta) bool { return m.key%3 == 0 }
				for range 20 {
					q := vector()
					want, err := fine.nearest(t.Context(), q, 40, everyThird)
					must(t, err)
					got, err := both.nearest(t.Context(), q, 40, everyThird)
					must(t, err)
					if !slices.Equal(got, want) {
						t.Fatalf("found %v, want %v", got, want)
					}
				}
			})
		}
	}
}
