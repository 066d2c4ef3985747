package fact

import (
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// pattern is a regular expression that is tried only on texts that have one of the words without which it matches nothing.
// Most have none, and to look for them costs a hundredth of an attempt to match. It is compiled when it is tried first: there are
// a thousand of them, of which a start of the program needs none and a talk not all.
type pattern struct {
	expr     string
	prepared sync.Once
	words    []string    // in small letters and in order; without any, every text is tried
	upTo     [257]uint16 // those that begin with byte b are words[upTo[b]:upTo[b+1]]
	compiled sync.Once
	re       *regexp.Regexp
}

// patterns are all of them.
var patterns []*pattern

// compile returns the pattern of an expression, which must be one.
func compile(expr string) *pattern {
	p := &pattern{expr: expr}
	patterns = append(patterns, p)
	return p
}

// prepare finds the words.
func (p *pattern) prepare() {
	tree, err := syntax.Parse(p.expr, syntax.Perl)
	if err != nil {
		panic(err) // a test compiles them all
	}
	p.words = needed(tree.Simplify())
	slices.Sort(p.words)
	p.words = slices.Compact(p.words)
	for b, n := 0, 0; b < 256; b++ {
		for n < len(p.words) && int(p.words[n][0]) == b {
			n++
		}
		p.upTo[b+1] = uint16(n)
	}
}

// regexp returns the expression, compiled.
func (p *pattern) regexp() *regexp.Regexp {
	p.compiled.Do(func() { p.re = regexp.MustCompile(p.expr) })
	return p.re
}

// may reports whether a text has one of the words.
func (p *pattern) may(s string) bool {
	p.prepared.Do(p.prepare)
	if p.words == nil {
		return true
	}
	for i := range len(s) {
		b := int(small(s[i]))
		for _, w := range p.words[p.upTo[b]:p.upTo[b+1]] {
			if len(w) <= len(s)-i && sameLetters(s[i:i+len(w)], w) {
				return true
			}
		}
	}
	return false
}

func small(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// sameLetters reports whether a text that begins as a word does is that word, in letters of either size.
func sameLetters(s, word string) bool {
	for i := 1; i < len(word); i++ {
		if small(s[i]) != word[i] {
			return false
		}
	}
	return true
}

const mostWords = 400 // more are in most texts

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
		return all
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
func (p *pattern) MatchString(s string) bool { return p.may(s) && p.regexp().MatchString(s) }

// FindString returns the first match.
func (p *pattern) FindString(s string) string {
	if !p.may(s) {
		return ""
	}
	return p.regexp().FindString(s)
}

// FindStringIndex returns where the first match is.
func (p *pattern) FindStringIndex(s string) []int {
	if !p.may(s) {
		return nil
	}
	return p.regexp().FindStringIndex(s)
}

// FindStringSubmatch returns the groups of the first match.
func (p *pattern) FindStringSubmatch(s string) []string {
	if !p.may(s) {
		return nil
	}
	return p.regexp().FindStringSubmatch(s)
}

// FindStringSubmatchIndex returns where they are.
func (p *pattern) FindStringSubmatchIndex(s string) []int {
	if !p.may(s) {
		return nil
	}
	return p.regexp().FindStringSubmatchIndex(s)
}

// FindAllStringSubmatchIndex returns where the groups of all matches are, at most n.
func (p *pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	if !p.may(s) {
		return nil
	}
	return p.regexp().FindAllStringSubmatchIndex(s, n)
}

// FindAllStringSubmatch returns the groups of all matches, at most n.
func (p *pattern) FindAllStringSubmatch(s string, n int) [][]string {
	if !p.may(s) {
		return nil
	}
	return p.regexp().FindAllStringSubmatch(s, n)
}

// FindAllStringIndex returns where all matches are, at most n.
func (p *pattern) FindAllStringIndex(s string, n int) [][]int {
	if !p.may(s) {
		return nil
	}
	return p.regexp().FindAllStringIndex(s, n)
}

// Split cuts a text at the matches, into n pieces at most.
func (p *pattern) Split(s string, n int) []string {
	if !p.may(s) {
		return []string{s}
	}
	return p.regexp().Split(s, n)
}

// SubexpIndex returns which group has a name, -1 where none has.
func (p *pattern) SubexpIndex(name string) int { return p.regexp().SubexpIndex(name) }

// ReplaceAllStringFunc returns a text with its matches replaced by what by makes of them.
func (p *pattern) ReplaceAllStringFunc(s string, by func(string) string) string {
	if !p.may(s) {
		return s
	}
	return p.regexp().ReplaceAllStringFunc(s, by)
}

// ReplaceAllString returns a text with its matches replaced.
func (p *pattern) ReplaceAllString(s, by string) string {
	if !p.may(s) {
		return s
	}
	return p.regexp().ReplaceAllString(s, by)
}
