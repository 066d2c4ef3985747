package tokens

import (
	"context"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Ruler measures one text in several ways, side by side.
type Ruler struct {
	Characters int     `json:"characters"`
	Words      int     `json:"words"`   // of languages that part words by blanks
	Chinese    int     `json:"chinese"` // Chinese characters
	Lines      int     `json:"lines"`   // that are not empty
	Code       bool    `json:"code"`    // it looks like source code
	Counts     []Count `json:"counts"`  // of the model first, where one was named
	Rule       Rule    `json:"rule"`
}

// CountName says whose tokens are counted.
type CountName string

// Whose tokens they are.
const (
	CountModel  CountName = "model"
	CountCL100K CountName = "cl100k" // of GPT-3.5 and GPT-4
	CountO200K  CountName = "o200k"  // of GPT-4o and later
)

// Count is how many tokens a text has, and which.
type Count struct {
	Name   CountName `json:"name"`
	Tokens int       `json:"tokens"`
	Exact  bool      `json:"exact"`  // else it is an estimate: of a very long text, or for a model whose tokens are not known
	Pieces []Piece   `json:"pieces"` // the tokens from the beginning on; none for a model whose tokens are not known
	Cut    bool      `json:"cut"`    // there are more tokens than Pieces has
}

// Piece is a stretch of text that is one token, or several where they part a character, or none where the model skips it.
type Piece struct {
	Text   string `json:"text"`
	Tokens int    `json:"tokens"`
}

// Rule is the rule of thumb: 1.5 to 2 tokens for a Chinese character, 1.3 for an English word, 5 to 10 for a line of code.
type Rule struct {
	Low  int `json:"low"`
	High int `json:"high"`
}

// Bounds of the pieces of a ruler.
const (
	maxPieces     = 3000
	maxPieceBytes = 24 << 10
)

// The rule of thumb, in tokens.
const (
	ruleChineseLow, ruleChineseHigh = 1.5, 2.0 // a character
	ruleWord                        = 1.3
	ruleLineLow, ruleLineHigh       = 5, 10 // of code
)

// Measure measures a text in the tokens of a model ("" = of none), those of two vocabularies that many people know, and by the
// rule of thumb. Nothing is sent anywhere.
func (c *Counters) Measure(ctx context.Context, model, text string) Ruler {
	text = valid(text)
	r := survey(text)
	if model != "" {
		counter := c.For(ctx, model)
		n := Count{Name: CountModel, Tokens: counter.Count(text), Exact: counter.Exact() && len(text) <= maxExact}
		if e := c.load(ctx, model); e != nil {
			n.Pieces, n.Cut = e.v.pieces(text)
		}
		r.Counts = append(r.Counts, n)
	}
	return r.with(ctx, CountCL100K, cl100k(), text).with(ctx, CountO200K, builtIn(), text)
}

// with adds the count of a built-in vocabulary.
func (r Ruler) with(ctx context.Context, name CountName, e encoding, text string) Ruler {
	n, ok := e.count(ctx, text)
	c := Count{Name: name, Tokens: n, Exact: ok && len(text) <= maxExact}
	if !ok {
		c.Tokens = guess(text)
	}
	c.Pieces, c.Cut = pieces(text, maxPiece, func(s string) []int {
		ids := e.enc.EncodeOrdinary(s)
		out := make([]int, len(ids))
		for i, id := range ids {
			out[i] = len(e.enc.Decode([]int{id}))
		}
		return out
	})
	r.Counts = append(r.Counts, c)
	return r
}

// pieces returns the first tokens of a text, special ones among them, and whether there are more.
func (v *vocabulary) pieces(text string) ([]Piece, bool) {
	var out []Piece
	for text != "" {
		start, length := v.special.next(text)
		some, cut := pieces(text[:start], v.limit, v.lengths)
		if out = append(out, some...); cut || len(out) >= maxPieces {
			return out[:min(len(out), maxPieces)], true
		}
		if length > 0 {
			out = append(out, Piece{Text: text[start : start+length], Tokens: 1})
		}
		text = text[start+length:]
	}
	return out, false
}

// pieces returns the first tokens of a text, whose lengths are told for pieces of at most limit bytes, and whether there are
// more.
func pieces(text string, limit int, lengths func(string) []int) ([]Piece, bool) {
	var out []Piece
	for all := text; text != ""; {
		if len(out) >= maxPieces || len(all)-len(text) >= maxPieceBytes {
			return out[:min(len(out), maxPieces)], true
		}
		end := cut(text, limit/2, limit)
		part := text[:end]
		text = text[end:]
		begin, at, tokens := 0, 0, 0
		list := lengths(part)
		for i, n := range list {
			if at, tokens = min(at+n, len(part)), tokens+1; begin == len(part) { // the tokenizer put something in
				out[len(out)-1].Tokens++
				continue
			}
			if i == len(list)-1 {
				at = len(part)
			}
			if at == len(part) || at > begin && utf8.RuneStart(part[at]) {
				out = append(out, Piece{Text: part[begin:at], Tokens: tokens})
				begin, tokens = at, 0
			}
		}
		if begin < len(part) { // blanks that are no tokens
			out = append(out, Piece{Text: part[begin:]})
		}
	}
	return out, false
}

// survey counts what the rule of thumb goes by.
func survey(text string) Ruler {
	r := Ruler{Characters: utf8.RuneCountInString(text)}
	word := false
	for _, c := range text {
		if unicode.Is(unicode.Han, c) {
			r.Chinese++
			word = false
			continue
		}
		is := unicode.IsLetter(c) || unicode.IsDigit(c) || word && (c == '\'' || c == '’')
		if is && !word {
			r.Words++
		}
		word = is
	}
	code := 0
	for line := range strings.Lines(text) {
		bare := strings.TrimSpace(line)
		if bare == "" {
			continue
		}
		r.Lines++
		if codeLine(line, bare) {
			code++
		}
	}
	r.Code = code*2 > r.Lines && r.Lines > 1
	low := ruleChineseLow*float64(r.Chinese) + ruleWord*float64(r.Words)
	high := ruleChineseHigh*float64(r.Chinese) + ruleWord*float64(r.Words)
	if r.Code {
		low, high = ruleLineLow*float64(r.Lines), ruleLineHigh*float64(r.Lines)
	}
	r.Rule = Rule{Low: int(math.Round(low)), High: int(math.Round(high))}
	return r
}

// codeLine says whether a line looks like one of a program.
func codeLine(line, bare string) bool {
	switch bare[len(bare)-1] {
	case '{', '}', ';', ')', ']', ':', '(', '[':
		return true
	}
	for _, begin := range []string{"\t", "    ", "//", "#", "/*", "*", "import ", "func ", "def ", "return ", "if ", "for ", "var ", "const ", "let "} {
		if strings.HasPrefix(line, begin) && (begin[0] <= ' ' || strings.ContainsAny(bare, "=().{/#*\"'")) {
			return true
		}
	}
	return strings.Contains(bare, " = ") || strings.Contains(bare, " := ")
}
