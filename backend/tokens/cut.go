package tokens

import (
	"context"
	"unicode"
	"unicode/utf8"
)

// Sizes, in bytes.
const (
	maxExact  = 256 << 10 // longer texts are sampled: 64 samples of 4 KB
	samples   = 64
	minPiece  = 512 // from here on a natural end of the piece is looked for
	maxPiece  = 1024
	wordPiece = 128 // the WordPiece tokenizer takes cubic time in the length of a word
)

// countCut returns the tokens of text, counted piece by piece with encode, and false when ctx ended before that. Pieces
// are at most limit bytes long.
func countCut(ctx context.Context, text string, limit int, encode func(string) int) (int, bool) {
	if len(text) > maxExact {
		return countSample(ctx, text, limit, encode)
	}
	n := 0
	for len(text) > 0 {
		if ctx.Err() != nil {
			return 0, false
		}
		end := cut(text, min(minPiece, limit/2), limit)
		n += encode(text[:end])
		text = text[end:]
	}
	return n, true
}

// countSample counts evenly spread samples and scales up. A message of this size fits few windows, so what matters is
// to say at once, and about right, by how much it is too long.
func countSample(ctx context.Context, text string, limit int, encode func(string) int) (int, bool) {
	step, size := len(text)/samples, maxExact/samples
	n, read := 0, 0
	for i := range samples {
		start := runeStart(text, i*step)
		end := runeStart(text, min(start+size, len(text)))
		m, ok := countCut(ctx, text[start:end], limit, encode)
		if !ok {
			return 0, false
		}
		n += m
		read += end - start
	}
	return scale(n, float64(len(text))/float64(max(read, 1))*1.01), true
}

// cut returns where the first piece of s ends: at the first place from lo on that no token crosses, else before hi.
func cut(s string, lo, hi int) int {
	if len(s) <= hi {
		return len(s)
	}
	var before, last rune // the two runes in front of i
	for i := runeStart(s, lo); i < hi; {
		r, size := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		switch {
		case r == ' ' && last != 0 && !unicode.IsSpace(last):
			return i // every pre-tokenizer begins a word here
		case r >= 0x2000 && unicode.IsPunct(r) && unicode.IsLetter(last) && unicode.IsLetter(next):
			return i // 词|，词
		case last == '\n' && before != 0 && !unicode.IsSpace(before) && unicode.IsLetter(r):
			return i
		}
		before, last = last, r
		i += size
	}
	return max(runeStart(s, hi), 1)
}

// runeStart returns the greatest index of at most i at which a rune of s begins.
func runeStart(s string, i int) int {
	for n := 0; i > 0 && i < len(s) && n < utf8.UTFMax && !utf8.RuneStart(s[i]); n++ {
		i--
	}
	return i
}
