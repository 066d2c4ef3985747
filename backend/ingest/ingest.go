// Package ingest takes text in from outside.
package ingest

import (
	"strings"
	"unicode"
)

// PassageChars is the size up to which Cut fills a passage, in characters: small enough that a search result says
// what it is about, large enough to keep an argument together.
const PassageChars = 2000

// Cut divides text into pieces of at most limit characters, in order. It cuts between paragraphs where it can, else
// after a line, a sentence or a word, and inside a word only when that alone is longer than limit. Nothing but white
// space at the cuts is left out; a text of white space gives no piece.
func Cut(text string, limit int) []string {
	rest := []rune(strings.ReplaceAll(text, "\r\n", "\n"))
	var pieces []string
	for {
		rest = trimLeft(rest)
		if len(rest) == 0 {
			return pieces
		}
		end := cut(rest, limit)
		pieces = append(pieces, strings.TrimRightFunc(string(rest[:end]), unicode.IsSpace))
		rest = rest[end:]
	}
}

func trimLeft(r []rune) []rune {
	for len(r) > 0 && unicode.IsSpace(r[0]) {
		r = r[1:]
	}
	return r
}

// cut returns the length of the next piece: the last of the best kind of boundary. A boundary in the first quarter is
// passed over for a lesser one further on, so that a heading does not become a piece of its own.
func cut(r []rune, limit int) int {
	if len(r) <= limit {
		return len(r)
	}
	for _, boundary := range []func([]rune, int) bool{paragraph, line, sentence, word, whole} {
		for i := limit; i > limit/4; i-- {
			if boundary(r, i) {
				return i
			}
		}
	}
	return limit
}

// Each of these says whether r may be cut before r[i]; 0 < i < len(r).

func paragraph(r []rune, i int) bool { return r[i-1] == '\n' && r[i] == '\n' }

func line(r []rune, i int) bool { return r[i] == '\n' }

func sentence(r []rune, i int) bool {
	if strings.ContainsRune("。！？；…", r[i-1]) {
		return !strings.ContainsRune("。！？；…”’」』）", r[i])
	}
	return strings.ContainsRune(".!?;\"')”’", r[i-1]) && unicode.IsSpace(r[i])
}

func word(r []rune, i int) bool { return unicode.IsSpace(r[i]) }

// whole keeps what is seen as one character together: combining marks, variation selectors, joined emoji.
func whole(r []rune, i int) bool {
	const joiner = '\u200d'
	return !unicode.Is(unicode.M, r[i]) && r[i] != joiner && r[i-1] != joiner && (r[i] < 0x1F3FB || r[i] > 0x1F3FF)
}
