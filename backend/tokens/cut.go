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
	maxPiece  = 1024 // from half of it on a natural end of the piece is looked for
	wordPiece = 64   // the WordPiece tokenizer takes cubic time in the length of a word
	shortWord = 48   // up to which the count of a word is remembered
)

// countLong counts text with count, or, when it is too long for that, evenly spread samples of it, and scales up: a text
// of this size fits few windows, so what matters is to say at once, and about right, by how much it is too long. It
// returns false when count did.
func countLong(text string, count func(string) (int, bool)) (int, bool) {
	if len(text) <= maxExact {
		return count(text)
	}
	step, size := len(text)/samples, maxExact/samples
	n, read := 0, 0
	for i := range samples {
		start := runeStart(text, i*step)
		end := runeStart(text, start+size)
		m, ok := count(text[start:end])
		if !ok {
			return 0, false
		}
		n += m
		read += end - start
	}
	return scale(n, float64(len(text))/float64(read)*1.01), true
}

// countPieces counts text piece by piece with encode, pieces being at most limit bytes long, and within a piece word by
// word: people use few words and each of them often, so that most are in known. It returns false when ctx ended before
// that was done.
func countPieces(ctx context.Context, text string, limit int, known *cache, encode func(string) int) (int, bool) {
	n := 0
	for len(text) > 0 {
		if ctx.Err() != nil {
			return 0, false
		}
		end := cut(text, limit/2, limit)
		for piece := text[:end]; piece != ""; {
			word := piece[:wordEnd(piece)]
			n += known.count(word, encode)
			piece = piece[len(word):]
		}
		text = text[end:]
	}
	return n, true
}

// wordEnd returns where the first word of s ends: at a blank between something else and a letter, where every pre-tokenizer
// begins a word.
func wordEnd(s string) int {
	for i := 1; i < len(s); i++ {
		if before := s[i-1]; s[i] != ' ' || before <= ' ' || before >= utf8.RuneSelf {
			continue
		}
		if next, _ := utf8.DecodeRuneInString(s[i+1:]); unicode.IsLetter(next) {
			return i
		}
	}
	return len(s)
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

// runeStart returns the greatest index of at most i at which a rune of s begins, or its end.
func runeStart(s string, i int) int {
	for i < len(s) && i > 0 && !utf8.RuneStart(s[i]) {
		i--
	}
	return min(i, len(s))
}

// valid returns text as it is when it goes to the engine in JSON.
func valid(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return string([]rune(text))
}
