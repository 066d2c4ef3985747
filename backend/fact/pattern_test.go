package fact

import (
	"regexp"
	"slices"
	"testing"
)

// A pattern matches what its regular expression does: the words that it looks for first take nothing away.
func TestAPatternMatchesWhatItsExpressionDoes(t *testing.T) {
	exprs := []string{
		`(?i)\b(?:live|living|lived) in (.+)$`, `(?i)my (?:dog|cat)s?\b`, `(?i)^(?:i|we)['’]?(?:m|re) `, `(?i)(?:jk|j/k|just kidding)|/s$`, `(?i)fianc[ée]e?`,
		`我(?:们)?(?:住在?|在)([\p{Han}]{2,8})`, `过敏|不吃`, `[：:]\s*我`, `(?i)(?:straße|ÉCOLE|school)`, `(?:)`, `x*`, `(?:a|bc)+d?`, `(?i)k`, `\bI\b`, `^$`,
		`(?i)(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)[- ](?:year|month|week|day)s?(?: old)?`, `了{2,}|哈{1,3}`, `(?i)\x{212A}|K`,
	}
	texts := []string{"", "Straße", "école", "ÉCOLE", "MY DOGS", "I’m here", "ten years old", "Fiancée", "/s", "k", "bcd", "住在"}
	all := make([]*pattern, 0, len(exprs)+len(patterns))
	for _, expr := range exprs {
		all = append(all, &pattern{expr: expr})
	}
	texts = texts[:12:12]
	for i, set := range sets { // a few of each
		for j, s := range sentences(t, set.file) {
			if j%40 == i {
				texts = append(texts, s.text)
			}
		}
	}
	for _, p := range append(all, patterns...) {
		plain := regexp.MustCompile(p.expr)
		expr := p.expr
		for _, s := range texts {
			if got, want := p.FindStringSubmatchIndex(s), plain.FindStringSubmatchIndex(s); !slices.Equal(got, want) {
				t.Errorf("%s in %q: %v, want %v (words %q)", expr, s, got, want, p.words)
			}
			if p.MatchString(s) != plain.MatchString(s) || p.FindString(s) != plain.FindString(s) || p.ReplaceAllString(s, "") != plain.ReplaceAllString(s, "") {
				t.Errorf("%s in %q", expr, s)
			}
		}
	}
	for expr, words := range map[string][]string{
		`(?i)\b(?:live|living) in (.+)$`: {"live in ", "living in "}, `x*`: nil, `(?i)my (?:dog|cat)s?\b`: {"my cat", "my cats", "my dog", "my dogs"}, `过敏|不吃`: {"不吃", "过敏"},
	} {
		if got := wordsOfExpr(expr); !slices.Equal(got, words) {
			t.Errorf("%s needs %q, want %q", expr, got, words)
		}
	}
}

func wordsOfExpr(expr string) []string {
	p := &pattern{expr: expr}
	p.prepare()
	return p.words
}
