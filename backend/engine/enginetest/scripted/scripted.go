// Package scripted writes tiny GGUF models (under 5 MB) that a stock Ollama server loads in under a second, so that
// tests run against a real engine with no weights and no network.
//
// A scripted chat model's next token depends on the last token alone (every residual branch is zero), so its answers are
// exact at temperature 0. A user message that ENDS in a trigger is answered with that trigger's reply, however long the
// prompt before it:
//
//	<c:hello>                  "Hello there. How can I help?"
//	<c:empty>                  nothing at all
//	<c:chinese>, <c:emoji>     text that is not ASCII; an emoji whose bytes arrive in two tokens
//	<c:markdown>               about 60 tokens of Markdown, then a normal end
//	<c:count>                  counts for ever, so it ends at num_predict (or by cancelling)
//	<c:loop>                   one token for ever: Ollama stops it after 31 without saying done
//	<c:space>                  white space for ever (the same, with format "json" in the way)
//	<c:think>                  thinking, then an answer; <c:thinkonly> never closes the thinking
//	<c:json>                   a bare JSON object that is no tool call
//	<c:core_memory_append> …   a good call of that tool, one for each of Tools
//	<c:two>                    text, then two calls in one answer
//	<c:thinkcall>              thinking, then a call
//	<c:malformed>              a call whose JSON is broken
//	<c:unknown>                a call of a tool that nobody has
//	<c:truncated>              a call that stops in the middle
//	<c:raw>                    a call as bare JSON, without the tags
//	<c:prose>                  a call inside a sentence
//	<c:badlabel>               a call that must fail (no such block); told so, it appends to human instead
//	<c:steps>                  three calls, one after each tool result, then an answer
//	<c:again>                  the same call after each tool result, for ever
//
// Any other user message is answered with Noted; after a tool result every model answers with Done, except where the
// table says that it goes on (the template sees which call was answered). Under a format (constrained decoding) a
// message without a trigger gets the object of Constrained where the schema allows it, and otherwise a short value of
// that schema, with Noted for its strings. A test that needs another reply passes Scripts of its own.
package scripted

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/ollama/ollama/fs/ggml"
)

// The architectures that Write knows. They differ in what Ollama does with them.
const (
	Llama  = "llama"  // llama.cpp runner; completion and tools
	Qwen3  = "qwen3"  // Ollama's own runner; completion, tools and thinking
	Gemma3 = "gemma3" // Ollama's own runner, sliding window of 512 tokens; completion alone, no tools
	Bert   = "bert"   // embeddings of 64 dimensions, English letters only, context 512
)

// Context is the trained context of the chat models in tokens.
const Context = 32768

const (
	endOfTurn   = "<|im_end|>"
	startOfTurn = "<|im_start|>"
	endOfText   = "<|endoftext|>"
)

// Kinds of token, as GGUF numbers them.
const (
	normalToken  = 1
	controlToken = 3
	userToken    = 4
)

// Write writes the model of the architecture to path. The bytes depend on the architecture and the extra scripts alone.
// An extra script takes the place of a built-in one with the same trigger; with bert there must be none.
func Write(path, arch string, extra ...Script) error {
	var kv ggml.KV
	var tensors []*ggml.Tensor
	var err error
	switch arch {
	case Llama, Qwen3, Gemma3:
		kv, tensors, err = chatModel(arch, withExtra(extra))
	case Bert:
		if len(extra) > 0 {
			return fmt.Errorf("scripted: an embedding model has no scripts")
		}
		kv, tensors = bertModel()
	default:
		return fmt.Errorf("scripted: unknown architecture %q", arch)
	}
	if err != nil {
		return err
	}
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	if err := ggml.WriteGGUF(f, kv, tensors); err != nil {
		_ = f.Close()
		return fmt.Errorf("scripted: write %s: %w", path, err)
	}
	return f.Close()
}

// vocabulary collects the tokens of a chat model. States are what the weights tell apart: all tokens that occur in
// prompts alone share state 0, so the vocabulary may grow without the matrices growing in both directions.
type vocabulary struct {
	tokens []string
	types  []int32
	state  []int // of each token
	index  map[string]int
	merges []string
	states int
}

func (v *vocabulary) add(text string, kind int32, ownState bool) (int, error) {
	if _, ok := v.index[text]; ok {
		return 0, fmt.Errorf("scripted: %q is in the vocabulary twice", text)
	}
	state := 0
	if ownState {
		v.states++
		state = v.states
	}
	id := len(v.tokens)
	v.index[text] = id
	v.tokens = append(v.tokens, text)
	v.types = append(v.types, kind)
	v.state = append(v.state, state)
	return id, nil
}

// addWords gives frequent English words a token each, so that prompts have a natural number of tokens. Every merge
// extends a prefix that begins with a space; nothing else merges, so the order of the merges does not matter.
func (v *vocabulary) addWords(words []string) error {
	for _, word := range words {
		prefix := spell(" ")
		for _, letter := range word {
			longer := prefix + string(letter)
			if _, ok := v.index[longer]; !ok {
				if _, err := v.add(longer, normalToken, false); err != nil {
					return err
				}
				v.merges = append(v.merges, prefix+" "+string(letter))
			}
			prefix = longer
		}
	}
	return nil
}

// preference is a token that a state wants next; the weight decides under constrained decoding.
type preference struct {
	state, token int
	weight       float32
}

// The weights: a script's next token beats all else; then the object for constrained decoding; then whatever ends a JSON
// value soonest; then any character that is not white space.
const (
	scriptWeight      = 3
	constrainedWeight = 2
	endWeight         = 1
	visibleWeight     = 0.1
)

// endsJSON is what ends a string, an object, a list or a number, the best first.
const endsJSON = "\"}]0"

func chatModel(arch string, scripts []Script) (ggml.KV, []*ggml.Tensor, error) {
	v := &vocabulary{index: map[string]int{}}
	for b := range 256 {
		if _, err := v.add(spell(string([]byte{byte(b)})), normalToken, false); err != nil {
			return nil, nil, err
		}
	}
	for _, special := range []string{endOfTurn, startOfTurn, endOfText} {
		if _, err := v.add(special, controlToken, false); err != nil {
			return nil, nil, err
		}
	}
	eos := v.index[endOfTurn]

	var wants []preference
	for _, s := range scripts {
		state, weight := 0, float32(scriptWeight)
		switch s.On {
		case AnyText:
		case Constrained:
			weight = constrainedWeight
		default:
			id, err := v.add(s.On, userToken, true)
			if err != nil {
				return nil, nil, err
			}
			state = v.state[id]
		}
		first := -1
		for _, chunk := range s.Reply {
			id, err := v.add(spell(chunk), normalToken, true)
			if err != nil {
				return nil, nil, err
			}
			if first < 0 {
				first = id
			}
			wants = append(wants, preference{state, id, weight})
			state, weight = v.state[id], scriptWeight
		}
		switch {
		case s.Repeat > len(s.Reply):
			return nil, nil, fmt.Errorf("scripted: %s repeats more than it has", s.On)
		case s.Repeat > 0:
			wants = append(wants, preference{state, v.index[spell(s.Reply[len(s.Reply)-s.Repeat])], weight})
		default:
			wants = append(wants, preference{state, eos, weight})
		}
	}
	if err := v.addWords(strings.Fields(frequentWords)); err != nil {
		return nil, nil, err
	}

	const layers, headDim, heads, kvHeads, feedForward = 2, 32, 2, 1, 64
	dim := (v.states + 1 + 63) / 64 * 64
	n := len(v.tokens)
	embedding := make([]float32, dim*n) // one-hot by state
	for id, state := range v.state {
		embedding[id*dim+state] = 1
	}
	output := make([]float32, dim*n)
	for c := '!'; c <= '~'; c++ {
		weight := float32(visibleWeight)
		if i := strings.IndexRune(endsJSON, c); i >= 0 {
			weight = endWeight - float32(i)/10
		}
		for state := range v.states + 1 {
			output[v.index[string(c)]*dim+state] = weight
		}
	}
	for _, w := range wants {
		output[w.token*dim+w.state] = w.weight
	}

	r := rand.New(rand.NewPCG(1, 2))
	tensors := []*ggml.Tensor{
		tensor("token_embd.weight", embedding, dim, n),
		tensor("output_norm.weight", ones(dim), dim),
		tensor("output.weight", output, dim, n),
	}
	for i := range layers {
		name := func(s string) string { return fmt.Sprintf("blk.%d.%s.weight", i, s) }
		tensors = append(tensors,
			tensor(name("attn_norm"), ones(dim), dim),
			tensor(name("attn_q"), noise(r, dim*heads*headDim, 0.02), dim, heads*headDim),
			tensor(name("attn_k"), noise(r, dim*kvHeads*headDim, 0.02), dim, kvHeads*headDim),
			tensor(name("attn_v"), noise(r, dim*kvHeads*headDim, 0.02), dim, kvHeads*headDim),
			tensor(name("attn_output"), make([]float32, heads*headDim*dim), heads*headDim, dim),
			tensor(name("ffn_norm"), ones(dim), dim),
			tensor(name("ffn_gate"), noise(r, dim*feedForward, 0.02), dim, feedForward),
			tensor(name("ffn_up"), noise(r, dim*feedForward, 0.02), dim, feedForward),
			tensor(name("ffn_down"), make([]float32, feedForward*dim), feedForward, dim),
		)
		if arch == Qwen3 || arch == Gemma3 {
			tensors = append(tensors, tensor(name("attn_q_norm"), ones(headDim), headDim), tensor(name("attn_k_norm"), ones(headDim), headDim))
		}
		if arch == Gemma3 {
			tensors = append(tensors, tensor(name("post_attention_norm"), ones(dim), dim), tensor(name("post_ffw_norm"), ones(dim), dim))
		}
	}
	kv := ggml.KV{
		"general.architecture":             arch,
		"general.name":                     "scripted-" + arch,
		"general.file_type":                uint32(0),
		"context_length":                   uint32(Context),
		"embedding_length":                 uint32(dim),
		"block_count":                      uint32(layers),
		"feed_forward_length":              uint32(feedForward),
		"attention.head_count":             uint32(heads),
		"attention.head_count_kv":          uint32(kvHeads),
		"attention.key_length":             uint32(headDim),
		"attention.value_length":           uint32(headDim),
		"attention.layer_norm_rms_epsilon": float32(1e-6),
		"rope.freq_base":                   float32(10000),
		"rope.dimension_count":             uint32(headDim),
		"vocab_size":                       uint32(n),
		"tokenizer.ggml.model":             "gpt2",
		"tokenizer.ggml.pre":               "qwen2",
		"tokenizer.ggml.tokens":            v.tokens,
		"tokenizer.ggml.token_type":        v.types,
		"tokenizer.ggml.scores":            make([]float32, n),
		"tokenizer.ggml.merges":            v.merges,
		"tokenizer.ggml.bos_token_id":      uint32(v.index[endOfText]),
		"tokenizer.ggml.eos_token_id":      uint32(eos),
		"tokenizer.ggml.padding_token_id":  uint32(v.index[endOfText]),
		"tokenizer.ggml.add_bos_token":     false,
	}
	if arch == Gemma3 {
		kv["attention.sliding_window"] = uint32(512)
	}
	return kv, tensors, nil
}

// bertModel has random weights: equal texts get equal vectors, texts that share words similar ones.
func bertModel() (ggml.KV, []*ggml.Tensor) {
	const context, dim, heads, feedForward, layers = 512, 64, 2, 128, 2
	const wordStart = "\u2581"
	tokens := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
	types := []int32{controlToken, controlToken, controlToken, controlToken, controlToken}
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789" {
		tokens = append(tokens, wordStart+string(c), string(c))
		types = append(types, normalToken, normalToken)
	}
	for _, w := range append(strings.Fields(frequentWords), ".", ",", "!", "?") {
		if !slices.Contains(tokens, wordStart+w) {
			tokens = append(tokens, wordStart+w)
			types = append(types, normalToken)
		}
	}
	n := len(tokens)
	r := rand.New(rand.NewPCG(3, 4))
	tensors := []*ggml.Tensor{
		tensor("token_embd.weight", noise(r, dim*n, 0.5), dim, n),
		tensor("token_types.weight", noise(r, dim*2, 0.02), dim, 2),
		tensor("position_embd.weight", noise(r, dim*context, 0.02), dim, context),
		tensor("token_embd_norm.weight", ones(dim), dim),
		tensor("token_embd_norm.bias", make([]float32, dim), dim),
	}
	for i := range layers {
		name := func(s string) string { return fmt.Sprintf("blk.%d.%s", i, s) }
		for _, m := range []struct {
			name    string
			in, out int
		}{
			{"attn_q", dim, dim},
			{"attn_k", dim, dim},
			{"attn_v", dim, dim},
			{"attn_output", dim, dim},
			{"ffn_up", dim, feedForward},
			{"ffn_down", feedForward, dim},
		} {
			tensors = append(tensors,
				tensor(name(m.name+".weight"), noise(r, m.in*m.out, 0.1), m.in, m.out),
				tensor(name(m.name+".bias"), make([]float32, m.out), m.out))
		}
		for _, norm := range []string{"attn_output_norm", "layer_output_norm"} {
			tensors = append(tensors,
				tensor(name(norm+".weight"), ones(dim), dim),
				tensor(name(norm+".bias"), make([]float32, dim), dim))
		}
	}
	return ggml.KV{
		"general.architecture":              Bert,
		"general.name":                      "scripted-bert",
		"general.file_type":                 uint32(0),
		"context_length":                    uint32(context),
		"embedding_length":                  uint32(dim),
		"block_count":                       uint32(layers),
		"feed_forward_length":               uint32(feedForward),
		"attention.head_count":              uint32(heads),
		"attention.layer_norm_epsilon":      float32(1e-12),
		"attention.causal":                  false,
		"pooling_type":                      uint32(1), // mean
		"normalize_embeddings":              true,
		"tokenizer.ggml.model":              "bert",
		"tokenizer.ggml.pre":                "jina-v2-en",
		"tokenizer.ggml.tokens":             tokens,
		"tokenizer.ggml.token_type":         types,
		"tokenizer.ggml.scores":             make([]float32, n),
		"tokenizer.ggml.token_type_count":   uint32(2),
		"tokenizer.ggml.cls_token_id":       uint32(2),
		"tokenizer.ggml.bos_token_id":       uint32(2),
		"tokenizer.ggml.eos_token_id":       uint32(3),
		"tokenizer.ggml.seperator_token_id": uint32(3), // llama.cpp's spelling
		"tokenizer.ggml.separator_token_id": uint32(3),
		"tokenizer.ggml.unknown_token_id":   uint32(1),
		"tokenizer.ggml.padding_token_id":   uint32(0),
	}, tensors
}

// spell gives the byte-level BPE spelling of a text: one printable rune a byte.
func spell(text string) string {
	var out strings.Builder
	for i := range len(text) {
		r := rune(text[i])
		switch {
		case r == 0x00ad:
			r = 0x0143
		case r <= 0x0020:
			r += 0x0100
		case r >= 0x007f && r <= 0x00a0:
			r += 0x00a2
		}
		out.WriteRune(r)
	}
	return out.String()
}

type floats []float32

// WriteTo writes the numbers as GGUF stores them.
func (f floats) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, []float32(f)); err != nil {
		return 0, err
	}
	return b.WriteTo(w)
}

func tensor(name string, data []float32, shape ...int) *ggml.Tensor {
	t := &ggml.Tensor{Name: name, WriterTo: floats(data)}
	for _, n := range shape {
		t.Shape = append(t.Shape, uint64(n))
	}
	return t
}

func ones(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

func noise(r *rand.Rand, n int, scale float64) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(r.NormFloat64() * scale)
	}
	return v
}
