package tokens

import (
	"context"
	"os"
	"strings"
	"testing"

	"recollect/backend/engine"
)

// Whatever a pre-tokenizer does, its words make up the text.
func TestWordsAreTheText(t *testing.T) {
	all := map[string][]string{}
	for name, e := range preByName {
		all[name] = e
	}
	for arch, e := range preByArch {
		all["architecture "+arch] = e
	}
	for name, e := range all {
		s, err := newSplitter(e)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for kind, text := range texts {
			text += "'s \t\r\n  x\u00a0 ` [link](#a) #tag 12345,678 ÄÖ ab#cd|ef (g) \n"
			var joined strings.Builder
			for _, w := range s.words(text) {
				if len(w) == 0 {
					t.Errorf("%s: an empty word", name)
				}
				joined.WriteString(string(w))
			}
			if joined.String() != text {
				t.Errorf("%s changes %s", name, kind)
			}
		}
	}
}

func TestMergesGoByRankThenFromTheLeft(t *testing.T) {
	split, err := newSplitter([]string{preGPT2})
	if err != nil {
		t.Fatal(err)
	}
	b := newBytePairs(split, false, []string{"a", "b", "c", "ab", "bc", "aa", "aaa", "abc"}, []string{"b c", "a b", "a a", "aa a"})
	for word, want := range map[string]int{
		"abc":   2, // a+bc, since bc merges first; nothing leads to abc
		"ab":    1,
		"aaaaa": 2, // aa, aa, a from the left, then aa and aaa
		"aaa":   1,
		"xa":    1, // the vocabulary has no x
	} {
		if got := b.count(word); got != want {
			t.Errorf("%s: %d tokens, want %d", word, got, want)
		}
	}
	b.whole = true
	if got := b.count("abc"); got != 1 {
		t.Errorf("abc as a whole: %d tokens", got)
	}
}

func TestSpecialTokens(t *testing.T) {
	list := []string{"x", "\n", "\n\n", "<a>", "<a>b", "<normal>"}
	types := []int32{1, 4, 4, 3, 4, 1}
	for _, c := range []struct {
		byOrder bool
		text    string
		start   int
		length  int
	}{
		{false, "x\n\ny", 1, 2}, // llama.cpp takes the longest
		{true, "x\n\ny", 1, 1},  // Ollama's runner the first of the vocabulary
		{false, "y<a>bc", 1, 4},
		{true, "y<a>bc", 1, 3},
		{false, "no <normal> <a", 14, 0},
		{false, "", 0, 0},
	} {
		start, length := newSpecials(list, types, c.byOrder).next(c.text)
		if start != c.start || length != c.length {
			t.Errorf("%q, by order %v: %d+%d, want %d+%d", c.text, c.byOrder, start, length, c.start, c.length)
		}
	}
}

func TestSentencePiece(t *testing.T) {
	list := []string{"<unk>", "<s>", "</s>", "▁", "a", "b", "▁a", "▁ab", "ab", "<0xE4>", "<0xBD>", "<0xA0>"}
	m := metadata{
		model: "llama", tokens: list, scores: make([]float32, len(list)),
		types: []int32{2, 3, 3, 1, 1, 1, 1, 1, 1, 6, 6, 6},
	}
	for i := range m.scores {
		m.scores[i] = float32(i)
	}
	v, err := build(m)
	if err != nil {
		t.Fatal(err)
	}
	if !v.bos || !v.exact {
		t.Errorf("begin-of-text %v, exact %v", v.bos, v.exact)
	}
	for text, want := range map[string]int{"ab": 1, "\x20ab\x20ab": 2, "你": 3, "ab</s>a": 3} {
		if got := v.count(context.Background(), text); got != want {
			t.Errorf("%q: %d tokens, want %d", text, got, want)
		}
	}
}

func TestUnusableVocabularies(t *testing.T) {
	types := []int32{1, 1}
	for name, m := range map[string]metadata{
		"nothing":                     {},
		"types missing":               {model: "gpt2", tokens: []string{"a", "b"}},
		"scores missing":              {model: "llama", tokens: []string{"a", "b"}, types: types},
		"unigram, which has no code":  {model: "t5", tokens: []string{"a", "b"}, types: types},
		"a kind that nobody has seen": {model: "future", tokens: []string{"a", "b"}, types: types},
	} {
		if _, err := build(m); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	v, err := build(metadata{model: "gpt2", pre: "not known", tokens: []string{"a", "b"}, types: types})
	if err != nil || v.exact {
		t.Errorf("an unknown pre-tokenizer: %v, claimed to be exact", err)
	}
}

type nothing struct{}

func (nothing) Profile(_ context.Context, model string) (engine.Profile, error) {
	return engine.Profile{Model: engine.Model{Digest: model}, ModelPath: os.DevNull}, nil
}

func (nothing) Vocabulary(context.Context, string) (map[string]any, error) { return nil, nil }

// Only the vocabularies in use stay in memory.
func TestVocabulariesAreBounded(t *testing.T) {
	c := New(nothing{})
	for _, model := range []string{"a", "b", "c", "b"} {
		c.For(t.Context(), model)
	}
	if len(c.recent) != keepVocabularies || c.recent[0].digest != "b" || c.recent[1].digest != "c" {
		t.Errorf("%d vocabularies are kept", len(c.recent))
	}
}
