package tokens

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/ollama/ollama/fs/ggml"
	"github.com/ollama/ollama/tokenizer"

	"recollect/backend/engine"
)

// errUnusable says that a model's tokenizer is damaged or of a kind that we cannot run: trying again is of no use.
var errUnusable = errors.New("the model's tokenizer cannot be used")

// vocabulary counts with the tokenizer of one model.
type vocabulary struct {
	special *specials
	encode  func(string) int   // tokens of a word, or of more than that, without special tokens
	lengths func(string) []int // bytes of each token of a piece; they may not add up where the tokenizer changes texts
	limit   int                // bytes of a piece
	exact   bool
	bos     bool // a prompt gets a begin-of-text token

	texts, words *cache // counts
}

// count returns the tokens of text; a guess when ctx ended before they were counted.
func (v *vocabulary) count(ctx context.Context, text string) int {
	if text == "" {
		return 0
	}
	key := v.texts.key(text)
	if n, ok := v.texts.get(key); ok {
		return n
	}
	n, ok := countLong(valid(text), func(s string) (int, bool) { return v.countBetween(ctx, s) })
	if !ok {
		return guess(text)
	}
	v.texts.add(key, n)
	return n
}

// countBetween counts the special tokens in text and what is between them.
func (v *vocabulary) countBetween(ctx context.Context, text string) (int, bool) {
	n := 0
	for text != "" {
		start, length := v.special.next(text)
		m, ok := countPieces(ctx, text[:start], v.limit, v.words, v.encode)
		if !ok {
			return 0, false
		}
		n += m
		if length > 0 {
			n++
		}
		text = text[start+length:]
	}
	return n, true
}

// metadata is what a GGUF says about its tokenizer.
type metadata struct {
	arch, model, pre string
	tokens, merges   []string
	types            []int32
	scores           []float32
	addBOS           bool
	hasAddBOS        bool
	byOrder          bool // served by Ollama's own runner
}

// readVocabulary reads a model's vocabulary from its file, or has it sent by the engine when the file is not ours to
// read.
func readVocabulary(ctx context.Context, src Source, model string, profile engine.Profile) (*vocabulary, error) {
	m, err := readFile(ctx, profile.ModelPath)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		var info map[string]any
		if info, err = src.Vocabulary(ctx, model); err == nil {
			m = fromInfo(info)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read the vocabulary of %s: %w", model, err)
	}
	if profile.EngineKind != "" {
		m.byOrder = profile.EngineKind == "ollamarunner"
	}
	return build(m)
}

func readFile(ctx context.Context, path string) (m metadata, err error) {
	if path == "" {
		return metadata{}, fs.ErrNotExist
	}
	f, err := os.Open(path)
	if err != nil {
		return metadata{}, err
	}
	defer f.Close()
	defer func() {
		if r := recover(); r != nil { // the decoder trusts the lengths that a file states
			err = fmt.Errorf("%w: %v", errUnusable, r)
		}
	}()
	g, err := ggml.Decode(cancelledReader{ctx, f}, -1)
	if err != nil {
		if ctx.Err() != nil {
			return metadata{}, ctx.Err()
		}
		return metadata{}, fmt.Errorf("%w: %w", errUnusable, err)
	}
	kv := g.KV()
	_, hasAddBOS := kv["tokenizer.ggml.add_bos_token"]
	return metadata{
		arch: kv.Architecture(), model: kv.String("tokenizer.ggml.model"), pre: kv.String("tokenizer.ggml.pre"),
		tokens: kv.Strings("tokenizer.ggml.tokens"), merges: kv.Strings("tokenizer.ggml.merges"),
		types: kv.Ints("tokenizer.ggml.token_type"), scores: kv.Floats("tokenizer.ggml.scores"),
		addBOS: kv.Bool("tokenizer.ggml.add_bos_token"), hasAddBOS: hasAddBOS, byOrder: kv.OllamaEngineRequired(),
	}, nil
}

// fromInfo reads the metadata out of the answer of /api/show.
func fromInfo(info map[string]any) metadata {
	text := func(key string) string { s, _ := info[key].(string); return s }
	addBOS, hasAddBOS := info["tokenizer.ggml.add_bos_token"].(bool)
	m := metadata{
		arch: text("general.architecture"), model: text("tokenizer.ggml.model"), pre: text("tokenizer.ggml.pre"),
		tokens: list[string](info["tokenizer.ggml.tokens"]), merges: list[string](info["tokenizer.ggml.merges"]),
		addBOS: addBOS, hasAddBOS: hasAddBOS,
	}
	for _, t := range list[float64](info["tokenizer.ggml.token_type"]) {
		m.types = append(m.types, int32(t))
	}
	for _, s := range list[float64](info["tokenizer.ggml.scores"]) {
		m.scores = append(m.scores, float32(s))
	}
	m.byOrder = ggml.KV{"general.architecture": m.arch}.OllamaEngineRequired()
	return m
}

func list[T any](v any) []T {
	values, _ := v.([]any)
	out := make([]T, 0, len(values))
	for _, v := range values {
		if t, ok := v.(T); ok {
			out = append(out, t)
		}
	}
	return out
}

// build makes the tokenizer that the metadata describes.
func build(m metadata) (*vocabulary, error) {
	if len(m.tokens) == 0 || len(m.types) != len(m.tokens) {
		return nil, fmt.Errorf("%w: %d tokens, %d types", errUnusable, len(m.tokens), len(m.types))
	}
	v := &vocabulary{
		special: newSpecials(m.tokens, m.types, m.byOrder), limit: maxPiece, exact: true, bos: m.addBOS,
		texts: newCache(), words: newCache(),
	}
	between := func() *tokenizer.Vocabulary { // without special tokens: those are taken out before
		return &tokenizer.Vocabulary{Values: m.tokens, Types: normal(m.types), Scores: m.scores}
	}
	switch m.model {
	case "gpt2":
		expressions, known := preFor(m.arch, m.pre)
		split, err := newSplitter(expressions)
		if err != nil {
			return nil, err
		}
		v.exact = known
		modern := expressions[0] == preLlama3 || expressions[0] == preTekken // llama.cpp ignores merges for these
		pairs := newBytePairs(split, modern || m.byOrder, m.tokens, m.merges)
		v.encode, v.lengths = pairs.count, pairs.lengths
		v.bos = v.bos || modern && !m.hasAddBOS
	case "llama":
		if len(m.scores) != len(m.tokens) || len(m.tokens) < 5 { // Ollama's tokenizer looks at the first five
			return nil, fmt.Errorf("%w: %d tokens, %d scores", errUnusable, len(m.tokens), len(m.scores))
		}
		pieces := tokenizer.NewSentencePiece(between())
		v.encode, v.lengths = counting(pieces), measuring(pieces)
		v.bos = v.bos || !m.hasAddBOS
	case "bert":
		words := tokenizer.NewWordPiece(between(), true)
		v.encode, v.lengths = counting(words), measuring(words)
		v.limit = wordPiece
		v.bos = v.bos || !m.hasAddBOS
	default: // unigram and others: no tokenizer in Go
		return nil, fmt.Errorf("%w: kind %q", errUnusable, m.model)
	}
	return v, nil
}

func counting(t tokenizer.Tokenizer) func(string) int {
	return func(text string) int {
		ids, err := t.Encode(text, false)
		if err != nil {
			return guess(text)
		}
		return len(ids)
	}
}

// measuring tells the bytes of each token by finding its text again.
func measuring(t tokenizer.Tokenizer) func(string) []int {
	return func(text string) []int {
		ids, err := t.Encode(text, false)
		if err != nil {
			return nil
		}
		out := make([]int, len(ids))
		for i, id := range ids {
			said, err := t.Decode([]int32{id})
			if err != nil {
				return nil
			}
			out[i] = found(text, said)
			text = text[out[i]:]
		}
		return out
	}
}

// found returns how many bytes at the beginning of text a token is that says so: with the blanks before it, whatever its
// letter case. Of a token that says something else, such as a byte, it is one byte.
func found(text, said string) int {
	blanks := len(text) - len(strings.TrimLeft(text, " \t\r\n"))
	said = strings.TrimPrefix(strings.TrimLeft(said, " "), "##")
	for _, start := range []int{0, blanks} {
		if end := start + len(said); said != "" && end <= len(text) && strings.EqualFold(text[start:end], said) {
			return end
		}
	}
	return min(max(blanks, 1), len(text))
}

// cancelledReader ends a long read when its context does.
type cancelledReader struct {
	ctx context.Context
	f   *os.File
}

// Read reads from the file until the context ends.
func (r cancelledReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.f.Read(p)
}

// Seek moves in the file.
func (r cancelledReader) Seek(offset int64, whence int) (int64, error) {
	return r.f.Seek(offset, whence)
}

var _ io.ReadSeeker = cancelledReader{}
