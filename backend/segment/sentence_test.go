package segment

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTheSentenceThatSaysIt(t *testing.T) {
	for _, tc := range []struct{ name, text, query, want string }{
		{"the one with the word", "I moved. The bicycle is called Comet. It is blue.", "comet", "The bicycle is called Comet."},
		{"the one with most words", "A comet passed.\nMy bicycle is Comet!", "bicycle comet", "My bicycle is Comet!"},
		{"a word that is still typed", "I moved. The bicycle is called Comet.", "bicyc", "The bicycle is called Comet."},
		{"an inflected word", "I moved. She was running late.", "run", "She was running late."},
		{"Chinese", "我搬家了。年糕换了新粮。它很喜欢。", "新粮", "年糕换了新粮。"},
		{"none of the words", "First. Second.", "third", "First."},
		{"nothing", " \n ", "word", ""},
		{"a figure with a point is no end", "It is 3.5 km away. Go.", "km", "It is 3.5 km away."},
	} {
		if got := Sentence(tc.text, tc.query, 160); got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

func TestALongSentenceIsCutAroundTheWords(t *testing.T) {
	text := strings.Repeat("word ", 200) + "Niangao " + strings.Repeat("more ", 200)
	got := Sentence(text, "niangao", 60)
	if !strings.Contains(got, "Niangao") || utf8.RuneCountInString(got) > 60 {
		t.Errorf("%q", got)
	}
	if !strings.HasPrefix(got, "…") || !strings.HasSuffix(got, "…") {
		t.Errorf("%q does not say that it is cut on both sides", got)
	}
}
