package tokens

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// texts are of the kinds that people write; cutting must not change their counts.
var texts = map[string]string{
	"English": strings.Repeat("Every conversation that we had last year was kept (all 1,204 of them), and so was the weather.\n\n", 60),
	"Chinese": strings.Repeat("我们去年关于花园的每一次谈话都保存了下来，天气也是如此。“今天下雨”，她说：好！", 60),
	"code":    strings.Repeat("\tif err := store.Save(ctx, item); err != nil {\n\t\treturn fmt.Errorf(\"save %s: %w\", item.ID, err)\n\t}\n\n", 60),
	"mixed":   strings.Repeat("记住 my bicycle 叫 Comet — it's red! 3.14  \n", 100),
}

func TestCuttingKeepsTheCount(t *testing.T) {
	encode := func(s string) int { return len(builtIn().enc.EncodeOrdinary(s)) }
	for kind, text := range texts {
		got, _ := countPieces(context.Background(), text, maxPiece, newCache(), encode)
		if want := encode(text); got != want {
			t.Errorf("%s: %d tokens in pieces, %d as a whole", kind, got, want)
		}
	}
}

// No pre-tokenizer has a word across a place where a piece is cut into words.
func TestWordsEndWhereThoseOfEveryPreTokenizerDo(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	parts := []string{
		" ", "  ", "\n", "\r\n", "\t", "\u00a0", "\u3000", "a", "The", "house's", "don't", "'s", "I'M", "McDonald", "x_y", "1", "123", "4567",
		".", ",", "!?", "(", "<b>", "://", "—", "é", "e\u0301", "记住", "，", "👍🏽", " the", " cat", " 年", " 7", " (",
	}
	for name, expressions := range preByName {
		split, err := newSplitter(expressions)
		if err != nil {
			t.Fatal(err)
		}
		words := func(s string) int { return len(split.words(s)) }
		for range 200 {
			var b strings.Builder
			for range 1 + random.IntN(30) {
				b.WriteString(parts[random.IntN(len(parts))])
			}
			if got, _ := countPieces(context.Background(), b.String(), maxPiece, newCache(), words); got != words(b.String()) {
				t.Fatalf("%s: %d words in %q, %d as a whole", name, got, b.String(), words(b.String()))
			}
		}
	}
}

// Pieces are bounded, so that the time of a count is linear whatever the text.
func TestPiecesAreBounded(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	alphabet := []rune("ab  \n\t.,，。记住👍🏽\u0301\u200d0123\uFFFD")
	for range 300 {
		var b strings.Builder
		for range random.IntN(200) {
			r := alphabet[random.IntN(len(alphabet))]
			b.WriteString(strings.Repeat(string(r), 1+random.IntN(50)*random.IntN(50)))
		}
		text := b.String()
		text = text[:min(len(text), 50_000)]
		for _, limit := range []int{maxPiece, wordPiece} {
			bytes, _ := countPieces(context.Background(), text, limit, newCache(), func(s string) int {
				if s == "" || len(s) > limit {
					t.Fatalf("a piece of %d bytes", len(s))
				}
				return len(s)
			})
			if bytes != len(text) {
				t.Fatalf("the pieces of %d bytes have %d", len(text), bytes)
			}
		}
	}
}

func TestLongTextsAreSampled(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 1<<20; i++ {
		for kind := range []int{0, 1, 2, 3} {
			fmt.Fprintf(&b, "%d %s", i, []string{texts["English"][:200], texts["Chinese"][:300], texts["code"][:150], "\n"}[kind])
		}
	}
	text := strings.ToValidUTF8(b.String(), "")
	seen := 0
	encode := func(s string) int { seen += len(s); return utf8.RuneCountInString(s) }
	count := func(s string) (int, bool) { return countPieces(context.Background(), s, maxPiece, newCache(), encode) }
	got, _ := countLong(text, count)
	if want := utf8.RuneCountInString(text); got < want || float64(got) > 1.03*float64(want) {
		t.Errorf("estimated %d, counted %d", got, want)
	}
	if seen > maxExact+samples*utf8.UTFMax {
		t.Errorf("%d bytes were counted", seen)
	}
}

func TestCacheIsBounded(t *testing.T) {
	c := newCache()
	used := c.key("used")
	c.add(used, 7)
	for i := range 5 * cacheSize {
		c.add(c.key(fmt.Sprint(i)), i)
		if n, ok := c.get(used); !ok || n != 7 {
			t.Fatalf("what is used was forgotten after %d others", i)
		}
	}
	if n := len(c.young) + len(c.old); n > 2*cacheSize {
		t.Errorf("%d counts are kept", n)
	}
	if _, ok := c.get(c.key("0")); ok {
		t.Error("nothing is ever forgotten")
	}
}
