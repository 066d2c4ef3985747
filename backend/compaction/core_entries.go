package compaction

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/backend/wish"
)

// Bounds of an entry.
const (
	longParagraph = 240  // columns of a line of prose from which on its sentences are entries of their own
	longBullet    = 600  // characters of a bullet with what is nested in it from which on the nested ones are entries of their own
	hardWrapped   = 60   // columns that a line has at least which goes on in the next
	maxEntry      = 1000 // characters; a longer sentence, or word, is cut. Well below those of a passage
	maxEntries    = 1000 // of a block; then neighbours belong together
)

// Entry is a piece of a block's value that is judged, kept or moved as one: a paragraph, a bullet with what continues it, a
// line of key and value, a sentence of a long paragraph.
type Entry struct {
	Text      string // with the blanks and line ends behind it; the texts of all entries are the value, byte for byte
	Start     int    // characters from the beginning of the value
	Heading   string // that it stands under, without its marks
	Structure bool   // a heading or blank space: nothing to judge
}

// Bare returns the text without bullet, marks and the blanks around it.
func (e Entry) Bare() string { return bare(e.Text) }

func bare(s string) string {
	s = strings.TrimSpace(s)
	s = strings.TrimLeft(s[bulletLength(s):], " \t")
	for _, box := range []string{"[ ]", "[x]", "[X]"} {
		if rest, ok := strings.CutPrefix(s, box); ok {
			return strings.TrimSpace(rest)
		}
	}
	return s
}

// Split cuts the value of a block into its entries, which joined are the value again, byte for byte.
func Split(value string) []Entry {
	s := splitter{value: value}
	s.lines()
	s.group()
	out := make([]Entry, 0, len(s.pieces))
	heading, runes := "", 0
	for _, p := range s.pieces {
		text := s.text(p)
		e := Entry{Text: text, Start: runes, Heading: heading, Structure: bare(text) == ""}
		if p.kind == lineHeading {
			heading = strings.Trim(strings.TrimSpace(text), "#:：*_ \t")
			e.Heading, e.Structure = "", true
		}
		runes += utf8.RuneCountInString(text)
		out = append(out, e)
	}
	return out
}

type lineKind int

const (
	linePlain lineKind = iota
	lineBlank
	lineHeading
	lineBullet
	lineTable
	lineCode
)

// piece is a stretch of the value on its way to an entry.
type piece struct {
	start, end int // bytes of the value
	kind       lineKind
	indent     int  // columns before the bullet
	last       int  // where its last line begins
	apart      bool // it ends in an empty line
}

type splitter struct {
	value  string
	pieces []piece
}

func (s *splitter) text(p piece) string { return s.value[p.start:p.end] }

// lines puts the lines of a value together to entries, in one pass.
func (s *splitter) lines() {
	fenced, at := false, 0
	for line := range strings.Lines(s.value) {
		p := piece{start: at, end: at + len(line), kind: kindOf(line), indent: indentOf(line), last: at}
		at = p.end
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		var last *piece
		if n := len(s.pieces); n > 0 {
			last = &s.pieces[n-1]
		}
		switch {
		case fenced:
			last.end, last.last = p.end, p.start
			fenced = !fence
			continue
		case fence:
			fenced, p.kind = true, lineCode
		case p.kind == lineBlank && last != nil:
			last.end, last.apart = p.end, true
			continue
		case last == nil || last.apart:
			// a new paragraph
		case p.kind == lineTable && last.kind == lineTable,
			last.kind == lineBullet && p.kind != lineHeading && p.indent > last.indent,
			p.kind == linePlain && last.kind == linePlain && goesOn(s.value[last.last:last.end], line):
			last.end, last.last = p.end, p.start
			continue
		}
		s.pieces = append(s.pieces, p)
	}
	whole := s.pieces
	s.pieces = make([]piece, 0, len(whole))
	for _, p := range whole {
		s.parts(p)
	}
}

// group puts neighbours together where there are too many.
func (s *splitter) group() {
	for len(s.pieces) > maxEntries {
		half := make([]piece, 0, len(s.pieces))
		for i := 0; i < len(s.pieces); i++ {
			p := s.pieces[i]
			if i+1 < len(s.pieces) && s.pieces[i+1].end-p.start <= 4*maxEntry {
				i++
				p.end, p.kind = s.pieces[i].end, linePlain
			}
			half = append(half, p)
		}
		if len(half) == len(s.pieces) {
			return
		}
		s.pieces = half
	}
}

// parts adds a piece, cut where it is too long to be one entry.
func (s *splitter) parts(p piece) {
	text := s.text(p)
	switch {
	case p.kind == lineBullet && utf8.RuneCountInString(text) > longBullet:
		for line := range strings.Lines(text) { // nested bullets stand for themselves
			s.part(p.start, len(line), kindOf(line) != lineBullet, linePlain)
			p.start += len(line)
		}
	case p.kind == linePlain && columns(text) > longParagraph:
		for line := range strings.Lines(text) {
			for i, sentence := range wish.Sentences(line) {
				s.part(p.start, len(sentence), i > 0 && !letters(sentence), linePlain) // a mark or a bracket is no sentence
				p.start += len(sentence)
			}
		}
	default:
		s.part(p.start, len(text), false, p.kind)
	}
}

// part adds n bytes from start on as an entry of their own, or to the one before. What is still too long is cut: at clauses,
// at blanks, else anywhere between two characters as they are seen.
func (s *splitter) part(start, n int, before bool, kind lineKind) {
	if last := len(s.pieces) - 1; before && last >= 0 && s.pieces[last].end-s.pieces[last].start+n < maxEntry {
		s.pieces[last].end += n
		return
	}
	for end := start + n; start < end; {
		cut := end
		if end-start > maxEntry {
			cut = start + cutAt(s.value[start:end])
		}
		s.pieces = append(s.pieces, piece{start: start, end: cut, kind: kind})
		start = cut
	}
}

// cutAt returns where the first entry of a text ends, in bytes: all of it where it is short enough.
func cutAt(s string) int {
	clause, blank, anywhere, n := 0, 0, 0, 0
	var before rune
	for i, r := range s {
		if n++; n > maxEntry/2 && !joined(before, r) {
			anywhere = i
			switch {
			case unicode.IsSpace(r): // it belongs to what is before it
			case strings.ContainsRune("\n，；、。：", before), unicode.IsSpace(before) && strings.ContainsAny(s[max(i-2, 0):i-1], ",;:"):
				clause = i
			case unicode.IsSpace(before):
				blank = i
			}
		}
		if n > maxEntry {
			switch {
			case clause > 0:
				return clause
			case blank > 0:
				return blank
			case anywhere > 0:
				return anywhere
			}
			return i
		}
		before = r
	}
	return len(s)
}

// joined reports whether two characters are seen as one.
func joined(before, r rune) bool {
	return unicode.In(r, unicode.M, unicode.Variation_Selector) || r == '\u200d' || before == '\u200d'
}

func kindOf(line string) lineKind {
	s := strings.TrimSpace(line)
	switch {
	case s == "":
		return lineBlank
	case heading(s):
		return lineHeading
	case bulletLength(s) > 0:
		return lineBullet
	case strings.HasPrefix(s, "|"):
		return lineTable
	}
	return linePlain
}

// heading reports whether a line only says what those below it are about.
func heading(s string) bool {
	marks := len(s) - len(strings.TrimLeft(s, "#"))
	if marks > 0 && marks <= 6 && marks < len(s) && s[marks] == ' ' {
		return true
	}
	if strings.Trim(s, "-=*_ ") == "" && len(s) >= 3 {
		return true // a line across
	}
	title := strings.Trim(s, "*_")
	return (strings.HasSuffix(title, ":") || strings.HasSuffix(title, "：")) && columns(title) <= 40 && !strings.ContainsAny(title, ".。,，;；")
}

// bulletLength returns the bytes of the mark that a line begins with: a bullet or a number.
func bulletLength(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if strings.ContainsRune("•·●○◦▪‣–—", r) {
		return n
	}
	if strings.ContainsRune("-*+", r) && len(s) > 1 && (s[1] == ' ' || s[1] == '\t') {
		return 1
	}
	digits := 0
	for _, r := range s {
		if !unicode.IsDigit(r) && !strings.ContainsRune("一二三四五六七八九十", r) {
			break
		}
		digits += utf8.RuneLen(r)
	}
	if digits == 0 || digits > 9 {
		return 0
	}
	mark, n := utf8.DecodeRuneInString(s[digits:])
	switch {
	case strings.ContainsRune(".)", mark) && digits+1 < len(s) && s[digits+1] == ' ':
		return digits + 1
	case strings.ContainsRune("、）．", mark):
		return digits + n
	}
	return 0
}

func indentOf(line string) int {
	n := 0
	for _, r := range line {
		switch r {
		case ' ':
			n++
		case '\t':
			n += 4
		case '\u3000':
			n += 2
		default:
			return n
		}
	}
	return n
}

// goesOn reports whether a line of prose goes on in the next one, which was wrapped by hand.
func goesOn(last, next string) bool {
	last = strings.TrimSpace(last)
	r, _ := utf8.DecodeLastRuneInString(last)
	first, _ := utf8.DecodeRuneInString(strings.TrimSpace(next))
	return columns(last) >= hardWrapped && !strings.ContainsRune(".!?:;。！？：；…”\"", r) && unicode.IsLower(first)
}

// columns returns how wide a text is: Chinese characters take two.
func columns(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x2e80 {
			n++
		}
	}
	return n
}

func letters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
