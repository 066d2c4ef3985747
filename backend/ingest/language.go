package ingest

import (
	"strings"
	"unicode"
)

// common are words that tell languages of the Latin script apart.
var common = map[string][]string{
	"en": {"the", "and", "of", "to", "is", "that", "with", "for", "was", "are", "this", "you"},
	"de": {"der", "die", "und", "das", "nicht", "ist", "mit", "den", "von", "ein", "eine", "auf"},
	"fr": {"le", "les", "des", "et", "est", "une", "dans", "que", "pour", "pas", "avec", "sur"},
	"es": {"el", "los", "las", "que", "una", "por", "con", "para", "del", "como", "pero", "muy"},
	"it": {"il", "che", "di", "della", "una", "per", "con", "non", "sono", "gli", "nel", "più"},
	"pt": {"os", "não", "uma", "que", "para", "com", "dos", "como", "mais", "foi", "pela", "são"},
	"nl": {"het", "een", "van", "niet", "dat", "zijn", "voor", "met", "wordt", "ook", "naar", "maar"},
}

// guess guesses the language of a text by its script and its commonest words; "" where that tells nothing.
func guess(text string) string {
	var han, kana, hangul, cyrillic, latin int
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.In(r, unicode.Hiragana, unicode.Katakana):
			kana++
		case unicode.Is(unicode.Hangul, r):
			hangul++
		case unicode.Is(unicode.Cyrillic, r):
			cyrillic++
		case unicode.Is(unicode.Latin, r):
			latin++
		}
	}
	// A character of these scripts is as much as some letters of others.
	switch {
	case kana*8 > latin && kana*10 > han && kana > 5:
		return "ja"
	case hangul*4 > latin && hangul > han:
		return "ko"
	case han*4 > latin && han > 0:
		return "zh"
	case cyrillic > latin:
		return "ru"
	}
	seen := map[string]int{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		seen[strings.Trim(w, ".,;:!?\"'()")]++
	}
	best, most := "", 2
	for code, words := range common {
		n := 0
		for _, w := range words {
			n += seen[w]
		}
		if n > most || n == most && best != "" && code < best {
			best, most = code, n
		}
	}
	return best
}
