package fact

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// pattern is a regular expression that is tried only on texts that have one of the words without which it matches nothing.
// Most have none, and to look for them costs a hundredth of an attempt to match.
type pattern struct {
	*regexp.Regexp
	words  []string  // in small letters; without any, every text is tried
	begins [4]uint64 // the bytes that they begin with
}

// compile returns the pattern of an expression, which must be one.
func compile(expr string) *pattern {
	p := &pattern{Regexp: regexp.MustCompile(expr)}
	tree, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		panic(err) // regexp took it
	}
	p.words = needed(tree.Simplify())
	for _, w := range p.words {
		p.begin(w[0])
		if w[0] >= 'a' && w[0] <= 'z' {
			p.begin(w[0] - 'a' + 'A')
		}
	}
	return p
}

func (p *pattern) begin(b byte) { p.begins[b>>6] |= 1 << (b & 63) }

// may reports whether a text has one of the words.
func (p *pattern) may(s string) bool {
	if p.words == nil {
		return true
	}
	for i := range len(s) {
		if b := s[i]; p.begins[b>>6]&(1<<(b&63)) == 0 {
			continue
		}
		for _, w := range p.words {
			if len(w) <= len(s)-i && sameLetters(s[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}

// sameLetters reports whether a text is a word in small letters, in letters of either size.
func sameLetters(s, word string) bool {
	for i := range len(word) {
		b := s[i]
		if b >= 'A' && b <= 'Z' {
			b += 'a' - 'A'
		}
		if b != word[i] {
			return false
		}
	}
	return true
}

const mostWords = 48 // to look for more is slower than to match

// needed returns words of which every text has one that an expression matches; nil, where there are none, or too many.
func needed(re *syntax.Regexp) []string {
	if all := texts(re); tells(all) {
		return all
	}
	switch re.Op {
	case syntax.OpCapture, syntax.OpPlus:
		return needed(re.Sub[0])
	case syntax.OpConcat:
		var best []string
		consider := func(words []string) {
			if tells(words) && (best == nil || rarer(words, best)) {
				best = words
			}
		}
		var run []string // what parts that follow each other may be
		for _, sub := range re.Sub {
			next := crossed(run, texts(sub))
			if next == nil {
				consider(run)
				next = texts(sub)
			}
			run = next
			if run == nil { // else it is considered with what follows
				consider(needed(sub))
			}
		}
		consider(run)
		return best
	case syntax.OpAlternate:
		var all []string
		for _, sub := range re.Sub {
			w := needed(sub)
			if w == nil || len(all)+len(w) > mostWords {
				return nil
			}
			all = append(all, w...)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	return nil
}

// texts returns all texts that an expression matches, in small letters, where they are few; nil, where they are not.
func texts(re *syntax.Regexp) []string {
	switch re.Op {
	case syntax.OpLiteral:
		if w := strings.ToLower(string(re.Rune)); plainest(re.Rune) == w {
			return []string{w}
		}
	case syntax.OpEmptyMatch, syntax.OpWordBoundary, syntax.OpBeginText, syntax.OpEndText, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpNoWordBoundary:
		return []string{""}
	case syntax.OpCharClass:
		var out []string
		for i := 0; i < len(re.Rune); i += 2 {
			for r := re.Rune[i]; r <= re.Rune[i+1]; r++ {
				if len(out) == 8 {
					return nil
				}
				w := strings.ToLower(string(r))
				if plainest([]rune{r}) != w {
					return nil
				}
				out = append(out, w)
			}
		}
		return out
	case syntax.OpCapture:
		return texts(re.Sub[0])
	case syntax.OpQuest:
		if w := texts(re.Sub[0]); w != nil {
			return append([]string{""}, w...)
		}
	case syntax.OpConcat:
		out := []string{""}
		for _, sub := range re.Sub {
			if out = crossed(out, texts(sub)); out == nil {
				return nil
			}
		}
		return out
	case syntax.OpAlternate:
		var out []string
		for _, sub := range re.Sub {
			w := texts(sub)
			if w == nil || len(out)+len(w) > mostWords {
				return nil
			}
			out = append(out, w...)
		}
		return out
	}
	return nil
}

// crossed returns each of some texts followed by each of others; nil, where there are none or too many.
func crossed(a, b []string) []string {
	if a == nil || b == nil || len(a)*len(b) > mostWords {
		return nil
	}
	var out []string
	for _, x := range a {
		for _, y := range b {
			out = append(out, x+y)
		}
	}
	return out
}

// tells reports whether words are such that a text without them is worth knowing: none is empty or a single letter.
func tells(words []string) bool {
	return words != nil && !slices.ContainsFunc(words, func(w string) bool {
		return w == "" || len(w) == 1 && (w[0] >= 'a' && w[0] <= 'z' || w[0] == ' ')
	})
}

// rarer reports whether some words are likely to be in fewer texts than others: those whose shortest is longer.
func rarer(a, b []string) bool {
	shortest := func(words []string) int {
		n := len(words[0])
		for _, w := range words {
			n = min(n, len(w))
		}
		return n
	}
	if x, y := shortest(a), shortest(b); x != y {
		return x > y
	}
	return len(a) < len(b)
}

// plainest returns the longest part of a literal whose letters are large or small in ASCII alone, in small letters.
func plainest(literal []rune) string {
	best := ""
	for _, part := range strings.FieldsFunc(string(literal), func(r rune) bool {
		return r >= utf8.RuneSelf && (unicode.IsUpper(r) || unicode.IsLower(r))
	}) {
		if len(part) > len(best) {
			best = part
		}
	}
	return strings.ToLower(best)
}

// The methods of a regular expression that the rules use.

// MatchString reports whether a text has a match.
func (p *pattern) MatchString(s string) bool { return p.may(s) && p.Regexp.MatchString(s) }

// FindString returns the first match.
func (p *pattern) FindString(s string) string {
	if !p.may(s) {
		return ""
	}
	return p.Regexp.FindString(s)
}

// FindStringIndex returns where the first match is.
func (p *pattern) FindStringIndex(s string) []int {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindStringIndex(s)
}

// FindStringSubmatch returns the groups of the first match.
func (p *pattern) FindStringSubmatch(s string) []string {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatch(s)
}

// FindStringSubmatchIndex returns where they are.
func (p *pattern) FindStringSubmatchIndex(s string) []int {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindStringSubmatchIndex(s)
}

// FindAllStringSubmatchIndex returns where the groups of all matches are, at most n.
func (p *pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !p.may(s) {
		return nil
	}
	return p.Regexp.FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString returns a text with its matches replaced.
func (p *pattern) ReplaceAllString(s, by string) string {
	if !p.may(s) {
		return s
	}
	return p.Regexp.ReplaceAllString(s, by)
}
