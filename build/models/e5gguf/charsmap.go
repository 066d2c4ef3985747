package e5gguf

import (
	"encoding/binary"
	"errors"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// normalisation returns what the tokenizer replaces before it splits: the per code
// point map of the weights file, plus the sequences that NFKC composes (a kana or jamo
// or letter followed by its mark), which that map cannot hold.
func normalisation(single map[rune][]rune) map[string]string {
	out := map[string]string{}
	variants := map[rune][]rune{} // code points that normalise to this one alone
	for cp, to := range single {
		if cp == 0 {
			continue
		}
		out[string(cp)] = string(to)
		if len(to) == 1 {
			variants[to[0]] = append(variants[to[0]], cp)
		}
	}
	// expand calls f with every spelling of the code points d.
	var expand func(prefix string, d []rune, f func(string))
	expand = func(prefix string, d []rune, f func(string)) {
		if len(d) == 0 {
			f(prefix)
			return
		}
		expand(prefix+string(d[0]), d[1:], f)
		for _, v := range variants[d[0]] {
			expand(prefix+string(v), d[1:], f)
		}
	}
	for cp := rune(0x80); cp <= 0x10ffff; cp++ {
		s := string(cp)
		if _, mapped := single[cp]; mapped || 0xd800 <= cp && cp < 0xe000 ||
			norm.NFD.IsNormalString(s) || norm.NFC.String(s) != s {
			continue
		}
		expand("", []rune(norm.NFD.String(s)), func(v string) { out[v] = s })
	}
	return out
}

type trieNode struct {
	kids  map[byte]*trieNode
	value int // offset of the replacement, -1 for none
	base  uint32
	done  bool
}

// charsMap packs a replacement map as SentencePiece's precompiled_charsmap: the byte
// length of a double-array trie (Darts-clone layout), the trie, and the replacements,
// each ended by a zero byte. It returns the bytes as little-endian int32, the array type
// that Ollama's GGUF writer has; Ollama's llama.cpp reads the bytes whatever the type.
func charsMap(m map[string]string) ([]int32, error) {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)

	var pool []byte
	at := map[string]int{}
	root := &trieNode{kids: map[byte]*trieNode{}, value: -1}
	for _, k := range keys {
		v := m[k]
		if k == "" || strings.ContainsRune(k+v, 0) {
			return nil, errors.New("zero byte in the normalisation map")
		}
		if _, ok := at[v]; !ok {
			at[v] = len(pool)
			pool = append(append(pool, v...), 0)
		}
		n := root
		for i := range len(k) {
			if n.kids[k[i]] == nil {
				n.kids[k[i]] = &trieNode{kids: map[byte]*trieNode{}, value: -1}
			}
			n = n.kids[k[i]]
		}
		n.value = at[v]
	}

	// Equal subtries are kept once: the many spellings of a Hangul syllable share theirs.
	ids := map[string]uint32{}
	unique := map[uint32]*trieNode{}
	var share func(n *trieNode) uint32
	share = func(n *trieNode) uint32 {
		sig := binary.LittleEndian.AppendUint32(nil, uint32(n.value))
		for _, c := range labels(n) {
			id := share(n.kids[c])
			n.kids[c] = unique[id]
			sig = binary.LittleEndian.AppendUint32(append(sig, c), id)
		}
		id, ok := ids[string(sig)]
		if !ok {
			id = uint32(len(ids))
			ids[string(sig)], unique[id] = id, n
		}
		return id
	}
	root = unique[share(root)]

	a := &array{}
	a.grow(256)
	a.used[0] = true
	a.place(root)
	a.units[0] = 0
	if err := a.link(0, root); err != nil {
		return nil, err
	}
	if err := a.fill(root); err != nil {
		return nil, err
	}

	blob := binary.LittleEndian.AppendUint32(nil, uint32(4*len(a.units)))
	for _, u := range a.units {
		blob = binary.LittleEndian.AppendUint32(blob, u)
	}
	blob = append(blob, pool...)
	for len(blob)%4 != 0 {
		blob = append(blob, 0)
	}
	out := make([]int32, len(blob)/4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(blob[4*i:]))
	}
	return out, nil
}

func labels(n *trieNode) []byte {
	l := make([]byte, 0, len(n.kids))
	for c := range n.kids {
		l = append(l, c)
	}
	slices.Sort(l)
	return l
}

// array is the double array. The children of a node lie at base^label; a node's own
// unit holds its label, whether a value lies at base^0, and index^base.
type array struct {
	units  []uint32
	used   []bool
	isBase []bool
}

const emptyUnit = 1 << 31 // has the value bit, so it equals no label

func (a *array) grow(n int) {
	for len(a.units) < n {
		a.units = append(a.units, emptyUnit)
		a.used = append(a.used, false)
		a.isBase = append(a.isBase, false)
	}
}

// place finds bases for n and everything below it. No two nodes share a base, because a
// reader tells a child from a stranger by its label alone.
func (a *array) place(n *trieNode) {
	if n.done {
		return
	}
	n.done = true
	ls := labels(n)
	if n.value >= 0 {
		ls = append([]byte{0}, ls...)
	}
	if len(ls) == 0 {
		return
	}
	n.base = a.find(ls)
	a.isBase[n.base] = true
	for _, c := range ls {
		a.used[n.base^uint32(c)] = true
	}
	for _, c := range labels(n) {
		a.place(n.kids[c])
	}
}

func (a *array) find(ls []byte) uint32 {
	const window = 64 // blocks of 256 to look back into
	first := max(0, len(a.units)/256-window)
	for blk := first; ; blk++ {
		a.grow(256 * (blk + 1))
	next:
		for i := range uint32(256) {
			b := uint32(256*blk) | i
			if a.isBase[b] {
				continue
			}
			for _, c := range ls {
				if a.used[b^uint32(c)] {
					continue next
				}
			}
			return b
		}
	}
}

// link makes the unit at index point to n's children; its label is set already.
func (a *array) link(index uint32, n *trieNode) error {
	off := index ^ n.base
	switch {
	case off < 1<<21:
		a.units[index] |= off << 10
	case off < 1<<29 && off&0xff == 0:
		a.units[index] |= off<<2 | 1<<9
	default:
		return errors.New("the normalisation map is too large")
	}
	if n.value >= 0 {
		a.units[index] |= 1 << 8
	}
	return nil
}

func (a *array) fill(n *trieNode) error {
	if !n.done {
		return nil
	}
	n.done = false
	if n.value >= 0 {
		a.units[n.base] = 1<<31 | uint32(n.value)
	}
	for _, c := range labels(n) {
		i := n.base ^ uint32(c)
		a.units[i] = uint32(c)
		if err := a.link(i, n.kids[c]); err != nil {
			return err
		}
		if err := a.fill(n.kids[c]); err != nil {
			return err
		}
	}
	return nil
}
