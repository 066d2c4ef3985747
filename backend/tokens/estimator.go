package tokens

import (
	"context"
	"fmt"
	"sync"
	"unicode"

	"github.com/pkoukk/tiktoken-go"
	tiktokenloader "github.com/pkoukk/tiktoken-go-loader"

	"recollect/backend/engine"
)

// Factors by which o200k counts fewer tokens than the vocabularies of local models at worst.
const (
	plainFactor = 1.10
	digitFactor = 1.45 // where more than a fifth of the text is digits: many models take each digit alone
	digitShare  = 0.20
)

// estimatedOverhead is what common templates add.
var estimatedOverhead = Overhead{Message: 6, Prompt: 8}

// Estimator returns a counter that needs no model. It counts with a vocabulary that is built in, on the high side.
func Estimator() Counter { return estimator{ctx: context.Background(), factor: 1} }

type estimator struct {
	ctx    context.Context // a counter is made for one request
	factor float64         // learned
}

// Count counts with the built-in vocabulary, times the factors.
func (e estimator) Count(text string) int {
	if text == "" {
		return 0
	}
	o := builtIn()
	key := o.texts.key(text)
	n, ok := o.texts.get(key)
	if !ok {
		if n, ok = o.count(e.ctx, valid(text)); !ok {
			return guess(text)
		}
		factor := plainFactor
		if share(text) > digitShare {
			factor = digitFactor
		}
		n = scale(n, factor)
		o.texts.add(key, n)
	}
	return scale(n, e.factor)
}

// Exact is false.
func (estimator) Exact() bool { return false }

// Overhead returns what common templates add.
func (estimator) Overhead() Overhead { return estimatedOverhead }

// Tools counts the tools as most templates print them.
func (e estimator) Tools(tools []engine.Tool) int {
	if len(tools) == 0 {
		return 0
	}
	n := toolsHeading
	for _, t := range tools {
		n += e.Count(toolText(t))
	}
	return n
}

// guess is an upper bound for ordinary text that costs nothing.
func guess(text string) int { return len(text)/2 + 1 }

// share returns the share of digits among the runes of text.
func share(text string) float64 {
	digits, all := 0, 0
	for _, r := range text {
		all++
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return float64(digits) / float64(max(all, 1))
}

type encoding struct {
	enc          *tiktoken.Tiktoken
	texts, words *cache // counts, those of texts with the factors
}

// count counts without factors. It returns false when ctx ended before that was done.
func (o encoding) count(ctx context.Context, text string) (int, bool) {
	return countLong(text, func(s string) (int, bool) {
		return countPieces(ctx, s, maxPiece, o.words, func(w string) int { return len(o.enc.EncodeOrdinary(w)) })
	})
}

// builtIn returns the o200k vocabulary, which is compiled in; unpacking it takes some tenths of a second, once.
var builtIn = sync.OnceValue(func() encoding { return unpack("o200k_base.tiktoken", preO200k) })

// cl100k returns an older vocabulary, which many people know, and which is compiled in as well.
var cl100k = sync.OnceValue(func() encoding { return unpack("cl100k_base.tiktoken", preLlama3) })

func unpack(file, words string) encoding {
	ranks, err := tiktokenloader.NewOfflineLoader().LoadTiktokenBpe(file)
	if err != nil {
		panic(fmt.Errorf("unpack the built-in vocabulary: %w", err)) // a broken build
	}
	core, err := tiktoken.NewCoreBPE(ranks, nil, words)
	if err != nil {
		panic(fmt.Errorf("build the built-in vocabulary: %w", err))
	}
	return encoding{enc: tiktoken.NewTiktoken(core, nil, nil), texts: newCache(), words: newCache()}
}
