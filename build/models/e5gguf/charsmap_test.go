package e5gguf

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// replace reads a packed map the way llama.cpp does: the longest match at the start of s.
func replace(blob []byte, s string) (to string, length int) {
	n := binary.LittleEndian.Uint32(blob)
	trie, pool := blob[4:4+n], blob[4+n:]
	unit := func(i uint32) uint32 { return binary.LittleEndian.Uint32(trie[4*i:]) }
	base := func(i uint32) uint32 { u := unit(i); return u >> 10 << (u & (1 << 9) >> 6) }

	node := base(0)
	for i := range len(s) {
		c := uint32(s[i])
		node ^= c
		if unit(node)&(1<<31|0xff) != c {
			break
		}
		leaf := unit(node)>>8&1 == 1
		node ^= base(node)
		if leaf {
			v := pool[unit(node)&^(1<<31):]
			to, length = string(v[:bytes.IndexByte(v, 0)]), i+1
		}
	}
	return to, length
}

func TestCharsMap(t *testing.T) {
	single := map[rune][]rune{
		'\t': {' '}, 0x7f: {}, '１': {'1'}, '㎏': {'k', 'g'},
		'ｶ': {'カ'}, 'ﾞ': {0x3099}, 'ㄱ': {0x1100}, 'ㅏ': {0x1161},
	}
	m := normalisation(single)
	packed, err := charsMap(m)
	if err != nil {
		t.Fatal(err)
	}
	var blob []byte
	for _, v := range packed {
		blob = binary.LittleEndian.AppendUint32(blob, uint32(v))
	}
	for from, want := range m {
		if got, n := replace(blob, from+"x"); got != want || n != len(from) {
			t.Errorf("%q: got %q after %d bytes, want %q after %d", from, got, n, want, len(from))
		}
	}
	for from, want := range map[string]string{
		"\t": " ", "\x7f": "", "１": "1", "㎏": "kg", "ｶ": "カ", // from the map
		"ｶﾞ": "ガ", "か\u3099": "が", "u\u0308": "ü", "ㄱㅏ": "가", "\u1112\u1161\u11ab": "한", // composed
	} {
		if got, n := replace(blob, from); got != want || n != len(from) {
			t.Errorf("%q: got %q after %d bytes, want %q", from, got, n, want)
		}
	}
	for _, s := range []string{"a", "1", "猫", "ガ", "\u3099", "é"} {
		if got, n := replace(blob, s); n != 0 {
			t.Errorf("%q: replaced by %q", s, got)
		}
	}
}
