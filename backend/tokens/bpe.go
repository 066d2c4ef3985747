package tokens

import (
	"math"
	"strings"
	"unicode/utf8"
)

// bytePairs counts the tokens of byte-level BPE vocabularies ("gpt2" in a GGUF). Ollama's own implementation is not
// used here: it repeats text where a pre-tokenizer leaves gaps, and breaks ties between equal merges at random, where
// both runners' results are those of the leftmost merge first.
type bytePairs struct {
	split splitter
	whole bool               // a word that is a token is one, whether merges lead to it or not
	ids   map[string]int32   // token in byte-level spelling → id
	bytes [256]int32         // id of each single byte, -1 where the vocabulary lacks it
	pairs map[[2]int32]merge // ids of two neighbours → their merge
	sizes []uint16           // bytes of each token
}

type merge struct{ rank, id int32 }

func newBytePairs(split splitter, whole bool, tokens, merges []string) *bytePairs {
	b := &bytePairs{split: split, whole: whole, ids: make(map[string]int32, len(tokens)), pairs: make(map[[2]int32]merge, len(merges)), sizes: make([]uint16, len(tokens))}
	for i, t := range tokens {
		b.ids[t] = int32(i)
		b.sizes[i] = uint16(min(utf8.RuneCountInString(t), math.MaxUint16)) // each byte is spelled by one character
	}
	for i := range b.bytes {
		b.bytes[i] = b.id(string(byteRune(byte(i))))
	}
	for rank, m := range merges {
		left, right, ok := strings.Cut(m, " ")
		if l, r, id := b.id(left), b.id(right), b.id(left+right); ok && l >= 0 && r >= 0 && id >= 0 {
			b.pairs[[2]int32{l, r}] = merge{int32(rank), id}
		}
	}
	return b
}

func (b *bytePairs) id(token string) int32 {
	if id, ok := b.ids[token]; ok {
		return id
	}
	return -1
}

// byteRune is the printable character that stands for a byte in byte-level vocabularies.
func byteRune(c byte) rune {
	switch {
	case c == 0xad:
		return 0x143
	case c <= 0x20:
		return rune(c) + 0x100
	case c >= 0x7f && c <= 0xa0:
		return rune(c) + 0xa2
	}
	return rune(c)
}

func (b *bytePairs) count(text string) int {
	n := 0
	for _, w := range b.split.words(text) {
		n += len(b.word(string(w)))
	}
	return n
}

// lengths returns how many bytes of text each of its tokens is.
func (b *bytePairs) lengths(text string) []int {
	var out []int
	for _, w := range b.split.words(text) {
		for _, id := range b.word(string(w)) {
			out = append(out, int(b.sizes[id]))
		}
	}
	return out
}

// word returns the tokens of a word.
func (b *bytePairs) word(word string) []int32 {
	if b.whole {
		if id := b.id(spelled(word)); id >= 0 {
			return []int32{id}
		}
	}
	return b.merged(word)
}

// spelled returns a word as the vocabulary spells it.
func spelled(word string) string {
	var s strings.Builder
	for i := range len(word) {
		s.WriteRune(byteRune(word[i]))
	}
	return s.String()
}

// merged returns the tokens that are left of a word when all merges are done, lowest rank first. Words are short
// (a kilobyte at most), so a plain search for the next merge is faster than a heap.
func (b *bytePairs) merged(word string) []int32 {
	ids := make([]int32, 0, len(word))
	for i := range len(word) {
		if id := b.bytes[word[i]]; id >= 0 {
			ids = append(ids, id)
		}
	}
	if len(ids) < 2 {
		return ids
	}
	next := make([]merge, len(ids)-1) // next[i] merges ids[i] and ids[i+1]
	for i := range next {
		next[i] = b.pair(ids[i], ids[i+1])
	}
	for len(next) > 0 {
		best := 0
		for i := range next {
			if next[i].rank < next[best].rank {
				best = i
			}
		}
		if next[best].rank == math.MaxInt32 {
			break
		}
		ids[best] = next[best].id
		ids = append(ids[:best+1], ids[best+2:]...)
		next = append(next[:best], next[best+1:]...)
		if best > 0 {
			next[best-1] = b.pair(ids[best-1], ids[best])
		}
		if best < len(next) {
			next[best] = b.pair(ids[best], ids[best+1])
		}
	}
	return ids
}

func (b *bytePairs) pair(left, right int32) merge {
	if m, ok := b.pairs[[2]int32{left, right}]; ok {
		return m
	}
	return merge{rank: math.MaxInt32}
}
