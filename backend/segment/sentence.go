package segment

import (
	"strings"
	"unicode/utf8"
)

// Sentence returns the sentence or line of text that has most of the words of query, at most limit characters of it,
// marked with … where something of that sentence is left out.
func Sentence(text, query string, limit int) string {
	words := strings.Fields(Index(query))
	best, most := "", -1
	for _, s := range sentences(text) {
		if n := matches(s, words); n > most {
			best, most = s, n
		}
	}
	if utf8.RuneCountInString(best) <= limit {
		return best
	}
	// The part of it that has most of them, in steps of half of what is shown.
	runes := []rune(best)
	start, most := 0, -1
	for i := 0; i < len(runes); i += limit / 2 {
		if n := matches(string(runes[i:min(i+limit-2, len(runes))]), words); n > most {
			start, most = i, n
		}
	}
	end := min(start+limit-2, len(runes))
	out := strings.TrimSpace(string(runes[start:end]))
	if start > 0 {
		out = "…" + out
	}
	if end < len(runes) {
		out += "…"
	}
	return out
}

// sentences cuts a text after the ends of sentences and lines; empty ones are left out.
func sentences(text string) []string {
	var found []string
	start := 0
	add := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" {
			found = append(found, s)
		}
		start = end
	}
	for i, r := range text {
		end := i + utf8.RuneLen(r)
		if strings.ContainsRune("\n。！？", r) || strings.ContainsRune(".!?", r) && end < len(text) && text[end] == ' ' {
			add(end)
		}
	}
	add(len(text))
	return found
}

// matches counts the words that text has. A word counts where one of the text begins as it does: it may be inflected
// there, or still typed.
func matches(text string, words []string) int {
	n := 0
	has := strings.Fields(Index(text))
	for _, w := range words {
		stem := []rune(w)
		if len(stem) > 4 {
			stem = stem[:max(4, len(stem)*2/3)]
		}
		for _, h := range has {
			if strings.HasPrefix(h, string(stem)) {
				n++
				break
			}
		}
	}
	return n
}
