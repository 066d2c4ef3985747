package segment

import (
	_ "embed"
	"strings"
	"sync"
	"unicode/utf8"
)

// simplifiedPairs are characters of traditional Chinese, each before its simplified form: the table TSCharacters of OpenCC,
// without those that may also stand as they are.
//
//go:embed simplified.txt
var simplifiedPairs string

var simplified = sync.OnceValue(func() map[rune]rune {
	forms := make(map[rune]rune, len(simplifiedPairs)/6)
	var last rune
	for _, r := range simplifiedPairs {
		switch {
		case r == '\n':
		case last == 0:
			last = r
		default:
			forms[last], last = r, 0
		}
	}
	return forms
})

// simplify returns the simplified form of a character of traditional Chinese, and any other as it is: who asks in one finds
// what was written in the other.
func simplify(r rune) rune {
	if r < 0x3400 {
		return r
	}
	if s, ok := simplified()[r]; ok {
		return s
	}
	return r
}

// Simplify returns a text with the characters of traditional Chinese simplified, byte for byte as long.
func Simplify(text string) string {
	if ascii(text) {
		return text
	}
	return strings.Map(func(r rune) rune {
		if s := simplify(r); utf8.RuneLen(s) == utf8.RuneLen(r) {
			return s
		}
		return r
	}, text)
}
