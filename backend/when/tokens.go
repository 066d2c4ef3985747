package when

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

type tokenKind int

const (
	word tokenKind = iota + 1
	number
	han  // one character
	sign // one other character that is no blank
)

// token is a word, a number or a character, folded: lower case, full-width forms as usual ones, the traditional characters
// of times as simplified ones.
type token struct {
	kind       tokenKind
	text       string
	value      int // of a number; -1 = larger than any number in a date
	digits     int // of a number, as written
	start, end int // bytes
	ordinal    bool
	capital    bool
	spaced     bool // a blank stands before it
}

// simplified are the traditional characters that stand in expressions of time.
var simplified = map[rune]rune{
	'個': '个', '週': '周', '禮': '礼', '號': '号', '後': '后', '這': '这', '兩': '两', '幾': '几', '點': '点', '時': '时', '間': '间',
	'從': '从', '過': '过', '剛': '刚', '節': '节', '慶': '庆', '聖': '圣', '誕': '诞', '國': '国', '勞': '劳', '動': '动', '農': '农',
	'曆': '历', '陽': '阳', '頭': '头', '開': '开', '鐘': '钟', '來': '来', '現': '现', '當': '当', '內': '内', '陣': '阵', '歲': '岁',
	'師': '师', '兒': '儿', '親': '亲', '雙': '双', '學': '学', '婦': '妇', '舊': '旧', '總': '总',
}

// fold returns the character that a rune is read as.
func fold(r rune) rune {
	if r < utf8.RuneSelf {
		return unicode.ToLower(r)
	}
	switch {
	case r >= '！' && r <= '～':
		return unicode.ToLower(r - '！' + '!')
	case r == '　':
		return ' '
	case r == '’':
		return '\''
	case r == '〇', r == '○':
		return '零'
	}
	if s, ok := simplified[r]; ok {
		return s
	}
	return unicode.ToLower(r)
}

// longestWord is how many bytes of a word are compared; no word of a time is longer.
const longestWord = 24

// tokenise cuts a text into tokens.
func tokenise(text string) []token {
	tokens := make([]token, 0, len(text)/4+1)
	spaced := true
	for i := 0; i < len(text); {
		raw, size := utf8.DecodeRuneInString(text[i:])
		r := fold(raw)
		if unicode.IsSpace(r) {
			spaced = true
			i += size
			continue
		}
		t := token{start: i, end: i + size, spaced: spaced, kind: sign, text: string(r)}
		spaced = false
		switch {
		case r >= '0' && r <= '9':
			t.kind = number
			t.readDigits(text)
		case unicode.Is(unicode.Han, r):
			t.kind = han
		case unicode.IsLetter(r):
			t.kind, t.capital = word, unicode.IsUpper(raw)
			t.readLetters(text)
		}
		i = t.end
		if last := len(tokens) - 1; t.kind == word && !t.spaced && last >= 0 && tokens[last].kind == number && ordinalEnding[t.text] {
			tokens[last].ordinal, tokens[last].end = true, t.end
			continue
		}
		tokens = append(tokens, t)
	}
	return tokens
}

var ordinalEnding = map[string]bool{"st": true, "nd": true, "rd": true, "th": true}

// readDigits reads the number that begins at t.start.
func (t *token) readDigits(text string) {
	i := t.start
	for i < len(text) {
		raw, size := utf8.DecodeRuneInString(text[i:])
		r := fold(raw)
		if r < '0' || r > '9' {
			break
		}
		if t.digits++; t.digits <= 9 {
			t.value = t.value*10 + int(r-'0')
		} else {
			t.value = -1
		}
		i += size
	}
	t.end, t.text = i, ""
}

// readLetters reads the word that begins at t.start.
func (t *token) readLetters(text string) {
	var b []byte
	i := t.start
	for i < len(text) {
		raw, size := utf8.DecodeRuneInString(text[i:])
		r := fold(raw)
		if unicode.Is(unicode.Han, r) || !unicode.IsLetter(r) && !unicode.Is(unicode.M, r) {
			break
		}
		if len(b) < longestWord {
			b = utf8.AppendRune(b, r)
		}
		i += size
	}
	t.end, t.text = i, string(b)
}

// at returns the token at i; there are empty ones on both sides of the text.
func (p *parser) at(i int) token {
	if i < 0 || i >= len(p.tokens) {
		return token{}
	}
	return p.tokens[i]
}

// word returns the word or sign at i.
func (p *parser) word(i int) string {
	t := p.at(i)
	if t.kind == han {
		return ""
	}
	return t.text
}

// says returns the number of tokens that a phrase has when it stands at i, else 0. The phrase is written as tokens are:
// lower case, simplified.
func (p *parser) says(i int, phrase string) int {
	n := 0
	for rest := phrase; rest != ""; n++ {
		r, size := utf8.DecodeRuneInString(rest)
		if r >= 'a' && r <= 'z' {
			for size < len(rest) && rest[size] >= 'a' && rest[size] <= 'z' {
				size++
			}
		}
		if p.at(i+n).text != rest[:size] {
			return 0
		}
		for rest = rest[size:]; rest != "" && rest[0] == ' '; {
			rest = rest[1:]
		}
	}
	return n
}

// signOf tells whether one of the signs stands at i.
func (p *parser) signOf(i int, signs string) bool {
	t := p.at(i)
	return t.kind == sign && strings.Contains(signs, t.text)
}

// anyOf tells whether the word at i is one of a list.
func (p *parser) anyOf(i int, words string) bool {
	w := p.word(i)
	for w != "" && words != "" {
		var next string
		next, words, _ = strings.Cut(words, " ")
		if next == w {
			return true
		}
	}
	return false
}
