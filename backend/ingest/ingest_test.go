package ingest_test

import (
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"recollect/backend/ingest"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		name  string
		text  string
		limit int
		want  []string
	}{
		{"short", "My bicycle is called Comet.", 100, []string{"My bicycle is called Comet."}},
		{"empty", "", 100, nil},
		{"white space", " \n\t\n ", 100, nil},
		{"paragraphs", "one one one\n\ntwo two two\n\nthree three", 28, []string{"one one one\n\ntwo two two", "three three"}},
		{"Windows lines", "one one\r\n\r\ntwo two", 10, []string{"one one", "two two"}},
		{"lines", "first line\nsecond line", 14, []string{"first line", "second line"}},
		{"sentences", "It rained. We stayed in. Then it stopped.", 28, []string{"It rained. We stayed in.", "Then it stopped."}},
		{"Chinese", "我的猫叫年糕。它喜欢睡觉。它不喜欢水。", 14, []string{"我的猫叫年糕。它喜欢睡觉。", "它不喜欢水。"}},
		{"words", "alpha beta gamma delta", 12, []string{"alpha beta", "gamma delta"}},
		{"one long word", "abcdefghij", 4, []string{"abcd", "efgh", "ij"}},
		{"a heading stays with its text", "A\n\nbbbb bbbb bbbb bbbb", 14, []string{"A\n\nbbbb bbbb", "bbbb bbbb"}},
		{"joined emoji stay whole", "xxxx👩‍👩‍👧yy", 7, []string{"xxxx", "👩‍👩‍👧yy"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ingest.Cut(c.text, c.limit)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func solid(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func FuzzCut(f *testing.F) {
	f.Add("one two\n\nthree. 四五六。", uint8(5))
	f.Add(strings.Repeat("é́ ", 50), uint8(1))
	f.Fuzz(func(t *testing.T, text string, limit uint8) {
		if limit == 0 || !utf8.ValidString(text) {
			return
		}
		pieces := ingest.Cut(text, int(limit))
		for _, p := range pieces {
			if n := utf8.RuneCountInString(p); n == 0 || n > int(limit) || strings.TrimSpace(p) != p {
				t.Errorf("a piece of %d characters: %q", n, p)
			}
		}
		if got := solid(strings.Join(pieces, "")); got != solid(text) {
			t.Errorf("lost text: %q became %q", text, got)
		}
	})
}

func TestCutIsLinear(t *testing.T) {
	text := strings.Repeat("A sentence about nothing in particular. ", 250_000) // 10 MB
	pieces := ingest.Cut(text, ingest.PassageChars)
	if n := len(pieces); n < 5000 || n > 5200 {
		t.Errorf("%d pieces", n)
	}
}
