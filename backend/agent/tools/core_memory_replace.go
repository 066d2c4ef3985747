package tools

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"recollect/backend/memory"
)

var coreMemoryReplace = &tool{
	name: "core_memory_replace",
	params: []param{
		{name: "label", required: true, aliases: []string{"block", "block_label", "name", "section"}},
		{name: "old_content", required: true, mayBeEmpty: true, aliases: []string{"old_string", "old", "old_text", "old_value"}},
		{name: "new_content", required: true, mayBeEmpty: true, aliases: []string{"new_string", "new", "new_text", "content", "new_value"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		old, with := unnumbered(c.text("old_content")), unnumbered(c.text("new_content"))
		if strings.TrimSpace(old) == "" {
			return "", refuse(memory.EINVALID, "old_content is empty. Copy the text to replace from the block, or add a line with core_memory_append.")
		}
		return c.edit(ctx, c.text("label"), func(b memory.Block) (string, error) {
			start, end, err := locate(b, old, with)
			if err != nil {
				return "", err
			}
			return spliced(b.Value, start, end, with), nil
		})
	},
}

var lineNumber = regexp.MustCompile(`(?m)^[ \t]*\d+(?:→|\t|[:.)|] ?)[ \t]*`)

// unnumbered takes the line numbers away that some models copy or invent, if every line has one.
func unnumbered(s string) string {
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" && !lineNumber.MatchString(line) {
			return s
		}
	}
	if !strings.Contains(s, "→") && !strings.Contains(s, "\n") {
		return s // "1. May is my birthday"
	}
	return lineNumber.ReplaceAllString(s, "")
}

// locate finds the one place in a block that old means, as bytes: exactly, else without regard to case, blanks,
// punctuation and the width of characters. An error names the places or the lines that come near.
func locate(b memory.Block, old, with string) (start, end int, err error) {
	switch n := strings.Count(b.Value, old); {
	case n == 1:
		i := strings.Index(b.Value, old)
		return i, i + len(old), nil
	case n > 1:
		return 0, 0, refuse(memory.EINVALID, "old_content is in block %q %d times. Copy more of the line around the one that you mean.", b.Label, n)
	}
	places := loose(b.Value, old)
	switch {
	case len(places) == 1:
		return places[0][0], places[0][1], nil
	case len(places) > 1:
		return 0, 0, refuse(memory.EINVALID, "old_content fits block %q in %d places. Copy the line exactly: %s", b.Label, len(places), lines(b.Value, places))
	}
	if with = strings.TrimSpace(with); with != "" && (strings.Contains(b.Value, with) || len(loose(b.Value, with)) > 0) {
		return 0, 0, errUnchanged(fmt.Sprintf("The block %q says that already. Nothing changed.", b.Label))
	}
	near := nearLines(b.Value, old)
	if len(near) == 0 {
		if strings.TrimSpace(b.Value) == "" {
			return 0, 0, refuse(memory.ENOTFOUND, "block %q is empty. Use core_memory_append.", b.Label)
		}
		return 0, 0, refuse(memory.ENOTFOUND, "block %q has no such text. Copy old_content from the block, or add a line with core_memory_append. The block says: %s",
			b.Label, shorten(b.Value, 400))
	}
	return 0, 0, refuse(memory.ENOTFOUND, "block %q has no such text. Near it come: %s. Copy one of them exactly as old_content.", b.Label, strings.Join(near, " / "))
}

// loose finds the places in value that equal text but for case, blanks, punctuation and width, as byte ranges.
func loose(value, text string) [][2]int {
	have, at := folded(value)
	want, _ := folded(text)
	if len(want) == 0 {
		return nil
	}
	var out [][2]int
	for i := 0; i+len(want) <= len(have); i++ {
		if !slices.Equal(have[i:i+len(want)], want) {
			continue
		}
		first, last := at[i], at[i+len(want)-1]
		if i > 0 && glued(have[i-1], have[i]) && at[i-1][1] == first[0] || i+len(want) < len(have) && glued(have[i+len(want)-1], have[i+len(want)]) && at[i+len(want)][0] == last[1] {
			continue // inside a word
		}
		start, end := first[0], last[1]
		if r := []rune(strings.TrimSpace(text)); unicode.IsPunct(r[len(r)-1]) { // the end mark belongs to what is replaced
			for _, p := range value[end:] {
				if !unicode.IsPunct(p) {
					break
				}
				end += len(string(p))
			}
		}
		out = append(out, [2]int{start, end})
		i += len(want) - 1
	}
	return out
}

// folded returns the letters and digits of s in one case and width, and where each stands.
func folded(s string) (letters []rune, at [][2]int) {
	for i, r := range s {
		size := len(string(r))
		for _, f := range width.Fold.String(string(r)) {
			if unicode.IsLetter(f) || unicode.IsDigit(f) || unicode.IsMark(f) || unicode.IsSymbol(f) {
				letters = append(letters, unicode.ToLower(f))
				at = append(at, [2]int{i, i + size})
			}
		}
	}
	return letters, at
}

// glued reports whether two neighbouring characters belong to one word.
func glued(a, b rune) bool {
	word := func(r rune) bool {
		return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	}
	return word(a) && word(b)
}

// nearLines returns the up to three lines of value that are most like text, quoted.
func nearLines(value, text string) []string {
	type scored struct {
		line  string
		score float64
	}
	var found []scored
	for line := range strings.Lines(value) {
		line = strings.TrimSpace(line)
		if s := likeness(line, text); s >= .35 {
			found = append(found, scored{line, s})
		}
	}
	slices.SortStableFunc(found, func(a, b scored) int { return cmp.Compare(b.score, a.score) })
	out := []string{}
	for _, f := range found[:min(3, len(found))] {
		out = append(out, "“"+shorten(f.line, 200)+"”")
	}
	return out
}

// lines quotes the lines in which places begin.
func lines(value string, places [][2]int) string {
	out := []string{}
	for _, p := range places[:min(3, len(places))] {
		start := strings.LastIndexByte(value[:p[0]], '\n') + 1
		line, _, _ := strings.Cut(value[start:], "\n")
		out = append(out, "“"+shorten(line, 200)+"”")
	}
	return strings.Join(out, " / ")
}

// spliced replaces a range of value; a line that becomes empty goes.
func spliced(value string, start, end int, with string) string {
	if with == "" {
		first := start == 0 || value[start-1] == '\n'
		if first && end < len(value) && value[end] == '\n' {
			end++
		} else if first && end == len(value) && start > 0 {
			start--
		}
	}
	return value[:start] + with + value[end:]
}

// shorten cuts s to at most n characters.
func shorten(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
