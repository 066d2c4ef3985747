package segment

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestIndex(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"words", "My bicycle is called Comet!", "my bicycle is called comet"},
		{"pairs", "我的猫叫年糕", "我的 的猫 猫叫 叫年 年糕 糕"},
		{"one character", "猫。", "猫"},
		{"mixed scripts", "用Go写API3次", "用 go 写 api3 次"},
		{"full width", "ＡＢＣ１２３", "abc123"},
		{"half-width kana", "ｶﾞｯﾂ", "ガッ ッツ ツ"},
		{"traditional", "我的貓叫年糕，住在臺北", "我的 的猫 猫叫 叫年 年糕 糕 住在 在台 台北 北"},
		{"long vowel", "コーヒー", "コー ーヒ ヒー ー"},
		{"korean", "김치찌개", "김치 치찌 찌개 개"},
		{"marks stay in their word", "हिन्दी", "हिन्दी"},
		{"decomposed", "cafe\u0301", "café"},
		{"emoji", "🚲 ride 🏳️‍🌈", "ride"},
		{"invalid bytes", "a\xff\xed\xa0\x80b\x00c", "a b c"},
		{"nothing", " \n…!", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Index(c.text); got != c.want {
				t.Errorf("Index(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestIndexCutsWhatIsNoWord(t *testing.T) {
	for w := range strings.FieldsSeq(Index(strings.Repeat("x", 100_000))) {
		if n := utf8.RuneCountInString(w); n > maxWord {
			t.Fatalf("word of %d characters", n)
		}
	}
}

func TestQuery(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"stop words go", "What is the name of my bicycle?", []string{`"name"`, `"bicycle"`}},
		{"only stop words stay", "Who is it?", []string{`"who"`, `"is"`, `"it"`}},
		{"contractions", "don't you know what's Comet's", []string{`"comet"`}},
		{"syntax is quoted", `NEAR("a b") AND own:x* -y ^z`, []string{`"near"`, `"b"`, `"x"`, `"y"`, `"z"`}},
		{"one character", "猫", []string{`"猫"*`}},
		{"one function character", "的", []string{`"的"*`}},
		{"function characters go", "什么", []string{`"什么"`}},
		{"content between function characters", "我的猫是", []string{`"的猫"`, `"猫是"`, `"猫"*`}},
		{"mixed", "Comet 年糕", []string{`"comet"`, `"年糕"`}},
		{"each once", "cat Cat CAT", []string{`"cat"`}},
		{"nothing", "?!", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Query(c.text); !slices.Equal(got, c.want) {
				t.Errorf("Query(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestQueryOfALongTextIsBounded(t *testing.T) {
	var b strings.Builder
	for i := range 20_000 {
		b.WriteString("词")
		b.WriteRune(rune(0x4e00 + i))
	}
	if n := len(Query(b.String())); n != maxTerms {
		t.Errorf("%d terms, want %d", n, maxTerms)
	}
}

// Each pair that Query asks for is a word that Index makes of the same text, and each prefix begins one.
func FuzzQueryFindsItsOwnText(f *testing.F) {
	for _, s := range []string{"My bicycle is called Comet", "我的猫叫年糕", "ｶﾞｯﾂ コーヒー", "a\xff\u0301b", "ไทย ก็ดี"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		words := strings.Fields(Index(s))
		for _, term := range Query(s) {
			bare, prefix := strings.CutSuffix(term, "*")
			if len(bare) < 3 || bare[0] != '"' || bare[len(bare)-1] != '"' || strings.Count(bare, `"`) != 2 {
				t.Fatalf("term %q is not one quoted string", term)
			}
			bare = bare[1 : len(bare)-1]
			if !slices.ContainsFunc(words, func(w string) bool { return w == bare || prefix && strings.HasPrefix(w, bare) }) {
				t.Fatalf("term %q of %q is not among its words %q", term, s, words)
			}
		}
	})
}
