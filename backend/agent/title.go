package agent

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A title has at most this many characters; Chinese, Japanese and Korean ones are twice as wide and say as much in half.
const (
	titleChars    = 40
	titleCharsHan = 20
	titleBytes    = 8 << 10 // of a message that are looked at
)

var (
	titleFence   = regexp.MustCompile("(?s)```.*?(?:```|$)")
	titleMarkup  = regexp.MustCompile("(?m)^[ \t]*(?:[#>*+-]+[ \t]+|[0-9]+[.)][ \t]+)|[*_`~]{1,3}")
	titleLink    = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	titleOpening = regexp.MustCompile(`(?i)^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)|dear)(?: there| recollect)?|please|(?:can|could|would|will) you(?: please)?|(?:i(?:'d| would) like (?:you )?to|i want (?:you )?to|help me(?: to)?)|你好|您好|嗨|哈喽|早上好|下午好|晚上好|请问|请|麻烦你?|帮我|能不能帮我|能否|可以帮我)(?:[\s,.!，。！、:：—-]+|$)`)
	titleZhLead  = regexp.MustCompile(`^(?:请问|请你|请|麻烦你|帮我|能不能|可不可以)`)
)

// Title returns the title of a conversation that begins with message: its first words that say something, without
// greeting and markup. It needs no model.
func Title(message string) string {
	message = beginning(message)
	text := titleFence.ReplaceAllString(message, " ")
	if strings.TrimSpace(text) == "" {
		text = strings.ReplaceAll(message, "```", " ") // nothing but code
	}
	text = titleLink.ReplaceAllString(text, "$1")
	text = titleMarkup.ReplaceAllString(text, "")
	line := ""
	for l := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(l), " "); hasLetter(line) {
			break
		}
	}
	if !hasLetter(line) {
		line = strings.Join(strings.Fields(message), " ")
	}
	for rest := line; ; {
		cut := titleOpening.FindString(rest)
		if cut == "" {
			cut = titleZhLead.FindString(rest)
		}
		if cut == "" || !hasLetter(rest[len(cut):]) {
			line = rest
			break
		}
		rest = strings.TrimLeft(rest[len(cut):], " ,.!，。！、:：—-")
	}
	if i := strings.IndexAny(line, "。！？!?；"); i > 0 && utf8.RuneCountInString(line[:i]) >= 4 {
		line = line[:i+len(firstRune(line[i:]))]
	} else if i := strings.Index(line, ". "); i > 0 && utf8.RuneCountInString(line[:i]) >= 8 {
		line = line[:i]
	}
	line = strings.TrimRight(line, " .,。，、;；:：!！")
	limit := titleChars
	if han := strings.IndexFunc(line, isWide); han >= 0 && wideShare(line) > .5 {
		limit = titleCharsHan
	}
	line = shorten(line, limit)
	if r, n := utf8.DecodeRuneInString(line); n > 0 && r < utf8.RuneSelf {
		line = string(unicode.ToUpper(r)) + line[n:]
	}
	return line
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.So, r) })
}

func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func wideShare(s string) float64 {
	wide, all := 0, 0
	for _, r := range s {
		if unicode.IsLetter(r) {
			all++
			if isWide(r) {
				wide++
			}
		}
	}
	return float64(wide) / float64(max(all, 1))
}

// beginning returns the part of a message in which a title is looked for.
func beginning(s string) string {
	if len(s) <= titleBytes {
		return s
	}
	n := titleBytes
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// shorten cuts s to at most n characters, between words where there are any, and marks the cut.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	cut := n - 1
	for i := cut; i > n/2; i-- {
		if r[i] == ' ' {
			cut = i
			break
		}
	}
	return strings.TrimRight(string(r[:cut]), " ,.，。、;:") + "…"
}
