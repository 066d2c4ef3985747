package segment

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Chunk is a piece of a text: the bytes from Start to End, under the headings that stand above it.
type Chunk struct {
	Start, End int
	Heading    string
}

// Chunks cuts a text into pieces of at most size tokens, as Tokens counts them, each of which begins with the sentences
// that the one before ends with, up to overlap tokens more. It cuts at headings and between paragraphs, keeps code blocks and
// tables whole where they fit, and cuts longer ones between lines or sentences, else between words, else anywhere.
func Chunks(text string, size, overlap int) []Chunk {
	var out []Chunk
	c := Chunk{}
	tokens := 0
	var last unit
	end := func() {
		if tokens > 0 {
			out = append(out, c)
		}
		tokens = 0
	}
	for _, u := range units(text, size) {
		if tokens > 0 && (tokens+u.tokens > size || u.heading != c.Heading) {
			end()
		}
		if tokens == 0 {
			c = Chunk{Start: u.start, Heading: u.heading}
			if len(out) > 0 && u.kind == prose && last.kind == prose && u.heading == last.heading {
				c.Start = lead(text, out[len(out)-1].Start, u.start, overlap)
			}
			for c.Start < u.end && strings.IndexByte(" \n\r\t", text[c.Start]) >= 0 {
				c.Start++
			}
		}
		c.End = u.end
		tokens += u.tokens
		last = u
	}
	end()
	return out
}

// kind says how a part of a text may be cut.
type kind int

const (
	prose kind = iota // between sentences
	lined             // code and tables: between lines
)

// unit is what a chunk takes as a whole.
type unit struct {
	start, end, tokens int
	kind               kind
	heading            string
}

// units returns the paragraphs, code blocks and tables of a text; what is larger than size in parts. A heading belongs to
// what follows.
func units(text string, size int) []unit {
	var out []unit
	var path []string
	add := func(start, end int, k kind) {
		if strings.TrimSpace(text[start:end]) == "" {
			return
		}
		for _, part := range parts(text, start, end, size, k) {
			out = append(out, unit{part[0], part[1], Tokens(text[part[0]:part[1]]), k, strings.Join(path, " › ")})
		}
	}
	start, fence, table := 0, "", false
	titled := false // from start on there is only a heading so far
	for at := 0; at < len(text); {
		end := len(text)
		if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := strings.TrimSpace(text[at:end])
		level := headingLevel(line)
		alone := titled && line == ""
		titled = alone
		switch {
		case fence != "":
			if strings.HasPrefix(line, fence) {
				add(start, end, lined)
				start, fence = end, ""
			}
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			add(start, at, unitKind(table))
			start, fence, table = at, line[:3], false
		case strings.HasPrefix(line, "|") != table:
			add(start, at, unitKind(table))
			start, table = at, !table
		case level > 0:
			add(start, at, prose)
			start = at
			for len(path) < level {
				path = append(path, "")
			}
			path = append(path[:level-1], strings.TrimSpace(strings.TrimLeft(line, "#")))
			titled = true
		case line == "" && !alone:
			add(start, end, prose)
			start = end
		}
		at = end
	}
	k := unitKind(table)
	if fence != "" {
		k = lined
	}
	add(start, len(text), k)
	return out
}

func unitKind(table bool) kind {
	if table {
		return lined
	}
	return prose
}

// headingLevel returns the level of a Markdown heading that a line is, 0 where it is none.
func headingLevel(line string) int {
	n := len(line) - len(strings.TrimLeft(line, "#"))
	if n == 0 || n > 6 || n == len(line) || line[n] != ' ' {
		return 0
	}
	return n
}

// parts cuts the bytes from start to end into parts of at most size tokens.
func parts(text string, start, end, size int, k kind) [][2]int {
	var out [][2]int
	for start < end {
		stop, sentence, word := end, 0, 0
		var count TokenCounter
		for i, r := range text[start:end] {
			if count.Add(r) > size {
				stop = start + i
				break
			}
			next := start + i + utf8.RuneLen(r)
			switch {
			case r == '\n', k == prose && ends(text, next, r):
				sentence = next
			case unicode.IsSpace(r):
				word = next
			}
		}
		if stop < end {
			switch third := start + (stop-start)/3; {
			case sentence > third:
				stop = sentence
			case word > third:
				stop = word
			}
		}
		if stop == start { // a single character is more than size
			stop = end
		}
		out = append(out, [2]int{start, stop})
		start = stop
	}
	return out
}

// ends tells whether a sentence ends with r, behind which next is.
func ends(text string, next int, r rune) bool {
	return strings.ContainsRune("。！？；", r) || strings.ContainsRune(".!?", r) && next < len(text) && text[next] == ' '
}

// lead returns where the last sentences before a place begin that have at most limit tokens; the place itself where the last
// one is longer.
func lead(text string, from, to, limit int) int {
	best := to
	var count TokenCounter
	for at := to; at > from; {
		r, n := utf8.DecodeLastRuneInString(text[from:at])
		if at < to && (r == '\n' || ends(text, at, r)) && strings.TrimSpace(text[at:best]) != "" {
			best = at
		}
		if count.Add(r) > limit {
			break
		}
		at -= n
	}
	return best
}

// Tokens estimates how many tokens a text has, on the high side, without a model: an embedder or a chat model takes a
// character of Chinese, Japanese or Korean for about one, a word of other scripts for one in each four letters or so.
func Tokens(text string) int {
	var c TokenCounter
	for _, r := range text {
		c.Add(r)
	}
	return c.n
}

// TokenCounter counts tokens as Tokens does, letter by letter, so that a text can be cut where it has enough of them.
type TokenCounter struct {
	n       int
	letters int // of the word so far that have not become a token yet
}

// Add takes the next letter and returns how many tokens there are so far.
func (c *TokenCounter) Add(r rune) int {
	switch {
	case r >= 0x2E80 && (unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF):
		c.n++
		c.letters = 0
	case unicode.IsSpace(r):
		c.letters = 0
	case unicode.IsLetter(r), unicode.Is(unicode.M, r):
		if c.letters%4 == 0 {
			c.n++
		}
		c.letters++
	case unicode.IsDigit(r):
		if c.letters%2 == 0 {
			c.n++
		}
		c.letters++
	default:
		c.n++
		c.letters = 0
	}
	return c.n
}
