package tokens_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/tokens"
)

func rulerModels(t *testing.T) models {
	m := scriptedModels(t, scripted.Llama, scripted.Qwen3, scripted.Gemma3, scripted.Bert)
	if path := starterFile(); path != "" {
		m["starter"] = engine.Profile{Model: engine.Model{Digest: "starter"}, ModelPath: path}
	}
	return m
}

// The pieces are the text, in order, and are as many as there are tokens.
func TestPiecesOfTheRulerAreTheText(t *testing.T) {
	for model, p := range rulerModels(t) {
		c := tokens.New(models{model: p})
		texts := hostile(2000)
		texts["mixed"] = "Hello, world! 你好，世界。Größe <|im_end|> naïve café\n\tx := 1\n👩‍👩‍👧 e\u0301"
		for kind, text := range texts {
			for _, n := range c.Measure(t.Context(), model, text).Counts {
				var all strings.Builder
				sum := 0
				for _, p := range n.Pieces {
					if p.Text == "" || p.Tokens < 0 {
						t.Errorf("%s, %s in %s: the piece %+v", kind, n.Name, model, p)
					}
					all.WriteString(p.Text)
					sum += p.Tokens
				}
				want := text
				if !utf8.ValidString(want) {
					want = string([]rune(text))
				}
				if n.Cut || all.String() != want {
					t.Errorf("%s, %s in %s: the pieces are not the text", kind, n.Name, model)
				}
				if n.Exact && sum != n.Tokens {
					t.Errorf("%s, %s in %s: %d tokens in the pieces, %d in all", kind, n.Name, model, sum, n.Tokens)
				}
			}
		}
	}
}

func TestRulerCountsAsPeopleKnowIt(t *testing.T) {
	c := tokens.New(models{})
	for text, want := range map[string][2]int{ // cl100k, o200k
		"":                             {0, 0},
		"hello world":                  {2, 2},
		"tiktoken is great!":           {6, 6},
		"antidisestablishmentarianism": {6, 6},
		"2 + 2 = 4":                    {7, 7},
		"お誕生日おめでとう":                    {9, 8},
	} {
		r := c.Measure(t.Context(), "", text)
		if len(r.Counts) != 2 || r.Counts[0].Tokens != want[0] || r.Counts[1].Tokens != want[1] || !r.Counts[0].Exact {
			t.Errorf("%q: %+v, want %v", text, r.Counts, want)
		}
	}
	r := c.Measure(t.Context(), "unknown", "hello world")
	if r.Counts[0].Name != tokens.CountModel || r.Counts[0].Exact || r.Counts[0].Pieces != nil || r.Counts[0].Tokens < 2 {
		t.Errorf("a model whose tokens nobody knows: %+v", r.Counts[0])
	}
}

func TestRuleOfThumb(t *testing.T) {
	c := tokens.New(models{})
	for text, want := range map[string]tokens.Rule{
		"":                                   {},
		"I don't know what it is, my friend": {Low: 10, High: 10}, // eight words
		"我住在巴黎":                              {Low: 8, High: 10},
		"我用 Go 写程序":                          {Low: 9, High: 11},
		"func main() {\n\tprintln(1)\n\n}\n": {Low: 15, High: 30}, // three lines
	} {
		if got := c.Measure(t.Context(), "", text).Rule; got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestRulerOfAMegabyteShowsItsBeginning(t *testing.T) {
	c := tokens.New(scriptedModels(t, scripted.Llama))
	text := strings.Repeat("What did we say about the garden? 我们说了什么？\n", 1<<20/60)
	for _, n := range c.Measure(t.Context(), scripted.Llama, text).Counts {
		if n.Exact || !n.Cut || len(n.Pieces) == 0 || len(n.Pieces) > 3000 || n.Tokens < 100_000 {
			t.Errorf("%s: exact %v, cut %v, %d pieces, %d tokens", n.Name, n.Exact, n.Cut, len(n.Pieces), n.Tokens)
		}
	}
}
