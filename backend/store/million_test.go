package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// keptVectors reads the vectors that recollect eval has kept in the file that RECOLLECT_TEST_VECTORS names, and repeats them
// with a little noise until there are n. Without the file they are drawn around a few hundred centres, which lie as near to
// each other as the vectors of small embedders do.
func keptVectors(tb testing.TB, n int) [][]float32 {
	tb.Helper()
	const dim = 384
	rnd := rand.New(rand.NewPCG(5, 6))
	var kept [][]float32
	if path := os.Getenv("RECOLLECT_TEST_VECTORS"); path != "" {
		raw, err := os.ReadFile(path)
		if err != nil {
			tb.Fatal(err)
		}
		r := bytes.NewReader(raw)
		for {
			var head struct {
				Key [sha256.Size]byte
				Dim uint16
			}
			if binary.Read(r, binary.LittleEndian, &head) != nil {
				break
			}
			v := make([]float32, head.Dim)
			if binary.Read(r, binary.LittleEndian, v) != nil {
				break
			}
			kept = append(kept, v)
		}
	}
	if len(kept) == 0 {
		common := make([]float64, dim)
		for i := range common {
			common[i] = 2 * rnd.NormFloat64()
		}
		for range 300 {
			v := make([]float32, dim)
			for i := range v {
				v[i] = float32(common[i] + rnd.NormFloat64())
			}
			kept = append(kept, v)
		}
	}
	out := make([][]float32, n)
	for i := range out {
		from := kept[i%len(kept)]
		v := make([]float32, len(from))
		var most float32
		for _, x := range from {
			most = max(most, x, -x)
		}
		for j, x := range from {
			v[j] = x + most*float32(rnd.NormFloat64())/20
		}
		unit, err := normalise("test", v, len(v))
		if err != nil {
			tb.Fatal(err)
		}
		out[i] = unit
	}
	return out
}

// What is found with the bytes of the vectors is what a plain scan finds, also where vectors crowd as real ones do.
func TestCrowdedVectorsAreFoundExactly(t *testing.T) {
	all := keptVectors(t, 12_000)
	queries, stored := all[:50], all[50:]
	set := newVectorSet(len(all[0]))
	for i, v := range stored {
		set.put(itemMeta{key: int64(i)}, v)
	}
	found, wanted := 0, 0
	for _, q := range queries {
		got, err := set.nearest(t.Context(), q, 10, func(*itemMeta) bool { return true })
		must(t, err)
		var plain topK
		plain.k = 10
		for i, v := range stored {
			var sum float32
			for j := range v {
				sum += q[j] * v[j]
			}
			plain.offer(scored{key: int64(i), cosine: sum})
		}
		for _, s := range plain.list {
			wanted++
			if slices.ContainsFunc(got, func(g scored) bool { return g.key == s.key }) {
				found++
			}
		}
	}
	if recall := float64(found) / float64(wanted); recall < .99 {
		t.Errorf("recall at 10 of the plain scan is %.3f", recall)
	}
}

func BenchmarkVectorSearch1M(b *testing.B) {
	all := keptVectors(b, 1_000_050)
	set := newVectorSet(len(all[0]))
	for i, v := range all[50:] {
		set.put(itemMeta{key: int64(i)}, v)
	}
	b.ResetTimer()
	for i := 0; b.Loop(); i++ {
		if _, err := set.nearest(b.Context(), all[i%50], 200, func(*itemMeta) bool { return true }); err != nil {
			b.Fatal(err)
		}
	}
}
