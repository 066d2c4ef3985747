// Package segment turns text into the words that the search index knows. Scripts written without spaces become
// overlapping pairs of characters, because the tokenizer of FTS5 would take a whole sentence for one word.
package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	maxWord  = 64 // characters of one word; what is longer is no word but data, and is cut
	maxTerms = 48 // terms of one query; each costs a walk through its matches
)

// Version changes with what Index returns: an index that an earlier one made has to be made again.
const Version = 2

// Index returns text as words separated by blanks: lower case, compatibility forms folded (full-width letters, ligatures),
// traditional Chinese as simplified,
// runs of Chinese, Japanese, Korean and other unspaced scripts as pairs of characters. The last character of a run
// also stands alone, so that each character of it begins some word.
func Index(text string) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/2)
	word := func(w []rune) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		for _, r := range w {
			b.WriteRune(r)
		}
	}
	runs(text, func(run []rune, paired bool) bool {
		if !paired {
			word(run)
			return true
		}
		for i := 0; i+1 < len(run); i++ {
			word(run[i : i+2])
		}
		word(run[len(run)-1:])
		return true
	})
	return b.String()
}

// Query returns the terms to search for text, each a quoted FTS5 string that is safe to join with OR; a term of a
// single unspaced character ends in * and matches every word that begins with it. Words that say nothing about the
// subject are left out, unless there are no others. It returns nil when text contains no word at all.
func Query(text string) []string {
	var all, telling []string
	seen := map[string]bool{}
	add := func(term string, tells bool) {
		if seen[term] {
			return
		}
		seen[term] = true
		if len(all) < maxTerms {
			all = append(all, term)
		}
		if tells {
			telling = append(telling, term)
		}
	}
	runs(text, func(run []rune, paired bool) bool {
		if !paired {
			w := string(run)
			add(`"`+w+`"`, !stopWords[w])
			return len(telling) < maxTerms
		}
		for i, r := range run {
			content := !functionChars[r]
			before, after := i > 0, i+1 < len(run)
			if after {
				add(`"`+string(run[i:i+2])+`"`, content || !functionChars[run[i+1]])
			}
			// A character that carries meaning between others that do not is a word of its own: 我的猫是.
			alone := (!before || functionChars[run[i-1]]) && (!after || functionChars[run[i+1]])
			if alone && (content || len(run) == 1) {
				add(`"`+string(r)+`"*`, content)
			}
		}
		return len(telling) < maxTerms
	})
	if len(telling) == 0 {
		return all
	}
	return telling[:min(len(telling), maxTerms)]
}

// runs calls yield with each run of word characters of text, folded; paired says that the run is of an unspaced script.
// It stops when yield returns false. The slice is valid only during the call.
func runs(text string, yield func(run []rune, paired bool) bool) {
	var run []rune
	var paired bool
	flush := func() bool {
		ok := true
		if len(run) > 0 {
			ok = yield(run, paired)
		}
		run = run[:0]
		return ok
	}
	add := func(r rune, p bool) bool {
		if p != paired || !p && len(run) >= maxWord {
			if !flush() {
				return false
			}
			paired = p
		}
		run = append(run, r)
		return true
	}
	letter := func(r rune) bool {
		switch { // most of what people write needs no tables
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return add(r, false)
		case 'A' <= r && r <= 'Z':
			return add(r+'a'-'A', false)
		case r < utf8.RuneSelf:
			return flush()
		}
		r = simplify(unicode.ToLower(r))
		switch {
		case unicode.Is(unicode.M, r) && len(run) > 0, r == 'ー' && paired && len(run) > 0:
			run = append(run, r)
			return true
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			return add(r, unspaced(r))
		}
		return flush()
	}
	if ascii(text) { // nothing to fold
		for i := range len(text) {
			if !letter(rune(text[i])) {
				return
			}
		}
		flush()
		return
	}
	var it norm.Iter
	it.InitString(norm.NFKC, strings.ToValidUTF8(text, " "))
	for !it.Done() {
		for _, r := range string(it.Next()) {
			if !letter(r) {
				return
			}
		}
	}
	flush()
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// unspaced reports whether r belongs to a script whose words are not separated.
func unspaced(r rune) bool {
	return r >= 0x0E00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// Stop reports whether a word, as Index returns it, says nothing about the subject of a text.
func Stop(word string) bool { return stopWords[word] }
