// Package wish finds what a user explicitly asks to be remembered or forgotten ("remember that …", 「记住…」), by rule, in
// English and Chinese. A model without tools can then still remember; a model with tools cannot forget to.
//
// The rules look only at imperatives addressed to the assistant. Questions, negations, hypotheticals, reported speech,
// quotations and code are not wishes: storing something nobody asked for is worse than missing a wish. What is found is a
// span of the message, word for word; nothing is rephrased.
package wish

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Kind says what is wished.
type Kind string

// The kinds of wish.
const (
	Remember Kind = "remember"
	Forget   Kind = "forget"
)

// Wish is one wish: what it is about in the user's own words, and where they stand in the message.
type Wish struct {
	Kind     Kind
	Text     string
	Start    int    // first character (rune) of Text in the message
	End      int    // one past its last character
	Language string // "en" or "zh": the language it was wished in
}

// In a message longer than this, a paste more often than not, only its beginning and end are looked at.
const (
	longMessage = 1500 // characters
	edge        = 400  // characters of a long message's beginning and end
)

// Find returns the wishes of a message in their order.
func Find(message string) []Wish {
	wishes, _ := read(message)
	return wishes
}

// read finds the wishes of a message, and returns the message as it was searched with them.
func read(message string) ([]Wish, *document) {
	d := &document{text: message, masked: mask(message)}
	d.sentences = split(d.masked)
	d.head, d.tail = edges(message)
	var out []Wish
	for i := range d.sentences {
		d.at = i
		s := &d.sentences[i]
		if s.used || s.quoted || !d.searched(s) {
			continue
		}
		found := english(d)
		if found == nil {
			found = chinese(d)
		}
		s.used = s.used || len(found) > 0
		for _, f := range found {
			if w, ok := d.wish(f); ok {
				out = append(out, w)
			}
		}
	}
	return out, d
}

// searched says whether a sentence stands where wishes are looked for.
func (d *document) searched(s *sentence) bool {
	return s.start <= d.head || s.start >= d.tail
}

// edges returns up to where and from where on wishes are looked for, as byte offsets.
func edges(message string) (head, tail int) {
	total := utf8.RuneCountInString(message)
	if total <= longMessage {
		return len(message), 0
	}
	n := 0
	for i := range message {
		switch n {
		case edge:
			head = i
		case total - edge:
			tail = i
		}
		n++
	}
	return head, tail
}

// found is a wish before it is trimmed: byte offsets into the message.
type found struct {
	kind       Kind
	start, end int
	language   string
}

// document is a message being searched, and the sentence being looked at.
type document struct {
	text, masked string
	sentences    []sentence
	at           int
	head, tail   int // sentences that begin between these bytes are not looked at
}

// sentence is one sentence or line, as byte offsets without its end mark.
type sentence struct {
	start, end int
	question   bool
	quoted     bool // introduced by a colon that is not a wish's: somebody else's words, or an example
	line       int
	used       bool // already part of a wish
}

func (d *document) current() sentence           { return d.sentences[d.at] }
func (d *document) slice(start, end int) string { return d.masked[start:end] }
func (d *document) sentence(s sentence) string  { return d.masked[s.start:s.end] }
func (d *document) previous() (*sentence, bool) { return d.neighbour(-1) }

// before returns what stands before byte at: the beginning of the present sentence, else the sentence before.
func (d *document) before(at int) string {
	if s := d.current(); at > s.start {
		return d.slice(s.start, at)
	}
	if p, ok := d.previous(); ok {
		return d.sentence(*p)
	}
	return ""
}

func (d *document) neighbour(n int) (*sentence, bool) {
	i := d.at + n
	if i < 0 || i >= len(d.sentences) {
		return nil, false
	}
	return &d.sentences[i], true
}

// list returns the lines that follow the present one without a gap, each as a wish: "Remember the following:" and items.
func (d *document) list(kind Kind, language string) []found {
	var out []found
	line := d.current().line
	for i := d.at + 1; i < len(d.sentences); i++ {
		s := &d.sentences[i]
		if s.line > line+1 {
			break
		}
		line = s.line
		s.used = true
		if n := len(out); n > 0 && d.sentences[i-1].line == s.line {
			out[n-1].end = s.end
			continue
		}
		out = append(out, found{kind, s.start, s.end, language})
	}
	return out
}

// wish trims a finding and makes it a Wish; false when nothing worth keeping is left.
func (d *document) wish(f found) (Wish, bool) {
	start, end := f.start, f.end
	for start < end {
		r, n := utf8.DecodeRuneInString(d.text[start:end])
		if !unicode.IsSpace(r) && !strings.ContainsRune("-*•·:：,，、;；–—", r) {
			break
		}
		start += n
	}
	for start < end {
		r, n := utf8.DecodeLastRuneInString(d.text[start:end])
		if !unicode.IsSpace(r) && !strings.ContainsRune(".!。！,，;；:：、~～", r) {
			break
		}
		end -= n
	}
	text := d.text[start:end]
	letters, han := 0, 0
	for _, r := range text {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			letters++
		}
	}
	if letters < 3 && han < 2 {
		return Wish{}, false
	}
	at := utf8.RuneCountInString(d.text[:start])
	return Wish{f.kind, text, at, at + utf8.RuneCountInString(text), f.language}, true
}

// mask replaces code, quoted lines and quotations by bytes that no rule matches; offsets stay the same.
func mask(s string) string {
	b := []byte(s)
	blank := func(i, j int) {
		for ; i < j; i++ {
			if b[i] != '\n' {
				b[i] = 1
			}
		}
	}
	for i := 0; ; { // fenced code; a fence without an end covers the rest
		j := strings.Index(s[i:], "```")
		if j < 0 {
			break
		}
		j += i
		k := strings.Index(s[j+3:], "```")
		if k < 0 {
			blank(j, len(s))
			break
		}
		i = j + 3 + k + 3
		blank(j, i)
	}
	for i := 0; i < len(s); {
		j := strings.IndexByte(s[i:], '\n')
		if j < 0 {
			j = len(s) - i
		}
		line := s[i : i+j]
		if strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
			blank(i, i+j)
		} else {
			for _, q := range quotes {
				maskPairs(string(b[i:i+j]), q[0], q[1], func(x, y int) { blank(i+x, i+y) })
			}
		}
		i += j + 1
	}
	return string(b)
}

var quotes = [][2]string{{"`", "`"}, {`"`, `"`}, {"“", "”"}, {"‘", "’"}, {"「", "」"}, {"『", "』"}, {"«", "»"}, {"„", "“"}}

func maskPairs(line, open, shut string, blank func(i, j int)) {
	for i := 0; ; {
		j := strings.Index(line[i:], open)
		if j < 0 {
			return
		}
		j += i
		k := strings.Index(line[j+len(open):], shut)
		if k < 0 {
			return
		}
		i = j + len(open) + k + len(shut)
		blank(j, i)
	}
}

// split cuts masked text into sentences at line ends and end marks.
func split(s string) []sentence {
	var out []sentence
	line, start := 0, 0
	colon := false // the sentence before ended in a colon
	add := func(end int, question bool) {
		for start < end && isSpaceByte(s[start]) {
			start++
		}
		for end > start && isSpaceByte(s[end-1]) {
			end--
		}
		if start < end {
			out = append(out, sentence{start: start, end: end, question: question, quoted: colon, line: line})
			colon = strings.HasSuffix(s[start:end], ":") || strings.HasSuffix(s[start:end], "：")
		}
	}
	for i, r := range s {
		if i < start {
			continue
		}
		n := utf8.RuneLen(r)
		if r == utf8.RuneError {
			n = 1
		}
		switch r {
		case '\n':
			if strings.TrimSpace(s[start:i]) == "" && (i == 0 || s[i-1] == '\n') {
				colon = false // an empty line ends what a colon introduced
			}
			add(i, false)
			line++
			start = i + 1
		case '。', '！', '；', '!', ';':
			add(i, false)
			start = i + n
		case '？', '?':
			add(i, true)
			start = i + n
		case '.':
			if endsSentence(s, start, i) {
				add(i, false)
				start = i + 1
			}
		}
	}
	add(len(s), false)
	return out
}

// Sentences cuts a line into its sentences, each with its end mark and the blanks behind it.
func Sentences(line string) []string {
	var out []string
	from := 0
	for i, s := range split(line) {
		if i > 0 {
			out = append(out, line[from:s.start])
			from = s.start
		}
	}
	if from < len(line) {
		out = append(out, line[from:])
	}
	return out
}

func isSpaceByte(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '.' }

var abbreviations = map[string]bool{
	"mr": true, "mrs": true, "ms": true, "dr": true, "st": true, "prof": true, "e.g": true, "i.e": true, "etc": true,
	"vs": true, "jr": true, "sr": true, "no": true, "approx": true,
}

// endsSentence reports whether the full stop at i ends a sentence rather than an abbreviation, a number or a name.
func endsSentence(s string, start, i int) bool {
	if i+1 < len(s) && s[i+1] != ' ' && s[i+1] != '\n' && s[i+1] != '\r' && s[i+1] < utf8.RuneSelf {
		return false
	}
	word := s[start:i]
	if j := strings.LastIndexAny(word, " \t("); j >= 0 {
		word = word[j+1:]
	}
	lower := strings.ToLower(word)
	if abbreviations[lower] || len(word) == 1 && unicode.IsUpper(rune(word[0])) {
		return false
	}
	if lower == "a.m" || lower == "p.m" {
		rest := strings.TrimLeft(s[i+1:], " ")
		r, _ := utf8.DecodeRuneInString(rest)
		return rest == "" || !unicode.IsLower(r)
	}
	return true
}
