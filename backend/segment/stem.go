package segment

import "slices"

// Stem returns the stem of an English word in small letters, as the search index has it, and any other token as it is. It is
// Porter's algorithm, with his later changes.
func Stem(word string) string {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return word
		}
	}
	if len(word) < 3 {
		return word
	}
	var room [32]byte // on the stack: a text has many words
	s := append(room[:0], word...)
	s = past(plural(s))
	if n := len(s) - 1; n > 0 && s[n] == 'y' && hasVowel(s[:n]) {
		s[n] = 'i'
	}
	s = derived.cut(s, 1)
	s = adjectives.cut(s, 1)
	s = endings.cut(s, 2)
	s = final(s)
	if n := len(s); string(s) == word[:n] {
		return word[:n]
	}
	return string(s)
}

func plural(s []byte) []byte {
	switch {
	case endsIn(s, "sses"), endsIn(s, "ies"):
		return s[:len(s)-2]
	case endsIn(s, "s") && !endsIn(s, "ss"):
		return s[:len(s)-1]
	}
	return s
}

// past takes off -ed and -ing.
func past(s []byte) []byte {
	var stem []byte
	switch {
	case endsIn(s, "eed"):
		if measure(s[:len(s)-3]) > 0 {
			return s[:len(s)-1]
		}
		return s
	case endsIn(s, "ed"):
		stem = s[:len(s)-2]
	case endsIn(s, "ing"):
		stem = s[:len(s)-3]
	}
	if !hasVowel(stem) {
		return s
	}
	n := len(stem)
	last := stem[n-1]
	switch {
	case endsIn(stem, "at"), endsIn(stem, "bl"), endsIn(stem, "iz"):
		return append(stem, 'e')
	case n > 1 && last == stem[n-2] && !vowel(stem, n-1) && last != 'l' && last != 's' && last != 'z':
		return stem[:n-1]
	case measure(stem) == 1 && short(stem):
		return append(stem, 'e')
	}
	return stem
}

// final takes off a silent e, and one l of two.
func final(s []byte) []byte {
	if n := len(s) - 1; s[n] == 'e' {
		if m := measure(s[:n]); m > 1 || m == 1 && !short(s[:n]) {
			s = s[:n]
		}
	}
	if n := len(s) - 1; n > 1 && s[n] == 'l' && s[n-1] == 'l' && measure(s[:n]) > 1 {
		s = s[:n]
	}
	return s
}

// suffixes are what words end in and what comes in its place, by the last letter.
type suffixes [26][][2]string

func suffixesOf(pairs ...string) *suffixes {
	var x suffixes
	for p := range slices.Chunk(pairs, 2) {
		last := p[0][len(p[0])-1] - 'a'
		x[last] = append(x[last], [2]string{p[0], p[1]})
	}
	return &x
}

var (
	derived = suffixesOf("ational", "ate", "tional", "tion", "enci", "ence", "anci", "ance", "izer", "ize", "bli", "ble", "alli", "al", "entli", "ent",
		"eli", "e", "ousli", "ous", "ization", "ize", "ation", "ate", "ator", "ate", "alism", "al", "iveness", "ive", "fulness", "ful", "ousness", "ous",
		"aliti", "al", "iviti", "ive", "biliti", "ble", "logi", "log")
	adjectives = suffixesOf("icate", "ic", "ative", "", "alize", "al", "iciti", "ic", "ical", "ic", "ful", "", "ness", "")
	endings    = suffixesOf("al", "", "ance", "", "ence", "", "er", "", "ic", "", "able", "", "ible", "", "ant", "", "ement", "", "ment", "", "ent", "",
		"ion", "", "ou", "", "ism", "", "ate", "", "iti", "", "ous", "", "ive", "", "ize", "")
)

// cut puts something else in place of what a word ends in, where the rest of it has that measure. Of what fits the first decides.
func (x *suffixes) cut(s []byte, least int) []byte {
	for _, p := range x[s[len(s)-1]-'a'] {
		if !endsIn(s, p[0]) {
			continue
		}
		stem := s[:len(s)-len(p[0])]
		if last := stem[len(stem)-1]; measure(stem) < least || p[0] == "ion" && last != 's' && last != 't' {
			return s
		}
		return append(stem, p[1]...)
	}
	return s
}

// endsIn tells whether a word ends in a suffix before which it has another letter.
func endsIn(s []byte, suffix string) bool {
	n := len(s) - len(suffix)
	return n > 0 && string(s[n:]) == suffix
}

// vowel tells whether letter i of a word is a vowel: y is one behind a consonant.
func vowel(s []byte, i int) bool {
	switch s[i] {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	case 'y':
		return i > 0 && !vowel(s, i-1)
	}
	return false
}

func hasVowel(s []byte) bool {
	for i := range s {
		if vowel(s, i) {
			return true
		}
	}
	return false
}

// measure returns how often a consonant follows a vowel.
func measure(s []byte) int {
	n, before := 0, false
	for i := range s {
		is := vowel(s, i)
		if before && !is {
			n++
		}
		before = is
	}
	return n
}

// short tells whether a word ends in consonant, vowel, consonant, the last of which is sounded: -hop.
func short(s []byte) bool {
	n := len(s)
	return n > 2 && !vowel(s, n-3) && vowel(s, n-2) && !vowel(s, n-1) && s[n-1] != 'w' && s[n-1] != 'x' && s[n-1] != 'y'
}
