package wish

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/width"
)

// Covers returns the share (0 to 1) of what text says that have says already: of its words that carry meaning, and for
// Chinese, Japanese and Korean of its pairs of characters. "The user's bicycle is called Comet" is wholly covered by "my
// bicycle is called Comet".
func Covers(have, text string) float64 {
	want := content(text)
	if len(want) == 0 {
		return 0
	}
	had := content(have)
	n := 0
	for w := range want {
		if had[w] {
			n++
		}
	}
	return float64(n) / float64(len(want))
}

// Same tells whether two texts say the same of the same: neither has a word that carries meaning, nor a person, that the
// other lacks.
func Same(a, b string) bool {
	return Covers(a, b) == 1 && Covers(b, a) == 1 && others.MatchString(a) == others.MatchString(b)
}

// others are the words for people who are not the user; to Covers they are empty.
var others = regexp.MustCompile(`(?i)\b(he|him|his|she|hers?|they|them|theirs?)\b|[他她]`)

// empty words say who is spoken of or that something is so, not what.
var empty = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an the this that these those i me my mine we us our you your he him his she her they them their it its
		user users person is are was were be been am m s re ve d ll has have had do does did to of in on at as for and or by with
		name named called call currently also likes like fact`) {
		m[w] = true
	}
	for _, w := range strings.Fields("likes like loves love hates hate") { // these do say what
		delete(m, w)
	}
	return m
}()

var emptyHan = strings.NewReplacer("用户", " ", "使用者", " ", "我们", " ", "我", " ", "你", " ", "您", " ", "他", " ", "她", " ", "的", "", "了", "",
	"名字", "", "叫做", "叫", "名叫", "叫", "是", "")

// content returns the words of a text that carry meaning.
func content(s string) map[string]bool {
	s = emptyHan.Replace(simplify.Replace(strings.ToLower(width.Fold.String(norm.NFKC.String(s)))))
	out := map[string]bool{}
	var word, han []rune
	flush := func() {
		if w := strings.TrimSuffix(string(word), "s"); w != "" && !empty[string(word)] {
			out[w] = true
		}
		switch {
		case len(han) == 1:
			out[string(han)] = true
		default:
			for i := 0; i+1 < len(han); i++ {
				out[string(han[i:i+2])] = true
			}
		}
		word, han = word[:0], han[:0]
	}
	for _, r := range s {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			if len(word) > 0 {
				flush()
			}
			han = append(han, r)
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			if len(han) > 0 {
				flush()
			}
			word = append(word, r)
		default:
			flush()
		}
	}
	flush()
	return out
}
