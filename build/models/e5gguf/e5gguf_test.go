package e5gguf

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/ollama/ollama/fs/ggml"
)

// tinyModel is an E5S1 file of one layer: 32 dimensions, a vocabulary of six pieces, positions for eight tokens.
func tinyModel() []byte {
	const hidden, ff, positions = 32, 64, 8
	var b bytes.Buffer
	u32 := func(vs ...uint32) {
		for _, v := range vs {
			_ = binary.Write(&b, binary.LittleEndian, v)
		}
	}
	pieces := []string{"<s>", "<pad>", "</s>", "<unk>", "\u2581a", "<mask>"}
	b.WriteString("E5S1")
	u32(1, hidden, 1, 1, ff, uint32(len(pieces)), positions, 2, math.Float32bits(1e-12), 32)
	u32(uint32(len(pieces)), 0, 2, 1, 3) // bos, eos, pad, unk
	var blob []byte
	offsets := []uint32{0}
	for _, p := range pieces {
		blob = append(blob, p...)
		offsets = append(offsets, uint32(len(blob)))
	}
	_ = binary.Write(&b, binary.LittleEndian, uint64(len(blob)))
	u32(offsets...)
	for i := range pieces {
		u32(math.Float32bits(-float32(i)))
	}
	b.Write(blob)
	u32(1, 9, '\t') // one entry of the normalisation, nine bytes: a tab becomes a space
	b.WriteByte(1)
	u32(' ')

	type entry struct {
		name  string
		elems int
		quant bool
	}
	entries := []entry{
		{"emb.word", hidden * len(pieces), true},
		{"emb.pos", hidden * positions, false},
		{"emb.type", hidden * 2, false},
		{"emb.ln.w", hidden, false},
		{"emb.ln.b", hidden, false},
	}
	for _, m := range []struct {
		name    string
		in, out int
	}{{"q", hidden, hidden}, {"k", hidden, hidden}, {"v", hidden, hidden}, {"ao", hidden, hidden}, {"fi", hidden, ff}, {"fo", ff, hidden}} {
		entries = append(entries, entry{"l0." + m.name + ".w", m.in * m.out, true}, entry{"l0." + m.name + ".b", m.out, false})
	}
	for _, n := range []string{"aln", "oln"} {
		entries = append(entries, entry{"l0." + n + ".w", hidden, false}, entry{"l0." + n + ".b", hidden, false})
	}
	u32(uint32(len(entries)))
	directory := 0
	for _, e := range entries {
		directory += 2 + len(e.name) + 1 + 4 + 8 + 8
	}
	offset := b.Len() + directory
	for _, e := range entries {
		size := e.elems * 4
		if e.quant {
			size = e.elems / 32 * 18
		}
		_ = binary.Write(&b, binary.LittleEndian, uint16(len(e.name)))
		b.WriteString(e.name)
		if e.quant {
			b.WriteByte(1)
		} else {
			b.WriteByte(0)
		}
		u32(uint32(e.elems))
		_ = binary.Write(&b, binary.LittleEndian, []uint64{uint64(offset), uint64(size)})
		offset += size
	}
	return append(b.Bytes(), make([]byte, offset-b.Len())...)
}

func TestWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "model.gguf")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := Write(f, tinyModel(), "tiny"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	g, err := ggml.Decode(f, -1)
	if err != nil {
		t.Fatal(err)
	}
	kv := g.KV()
	if kv.Architecture() != "bert" || kv.EmbeddingLength() != 32 || kv.ContextLength() != 8 || kv.String("general.name") != "tiny" {
		t.Errorf("%s, %d dimensions, context %d", kv.Architecture(), kv.EmbeddingLength(), kv.ContextLength())
	}
	if tokens := kv.Strings("tokenizer.ggml.tokens"); len(tokens) != 6 || tokens[4] != "\u2581a" {
		t.Errorf("tokens %q", tokens)
	}
	if types := kv.Ints("tokenizer.ggml.token_type"); types[0] != tokControl || types[3] != tokUnknown || types[4] != tokNormal || types[5] != tokControl {
		t.Errorf("types %v", types)
	}
	if n := len(g.Tensors().Items()); n != 21 {
		t.Errorf("%d tensors", n)
	}
}

// Whatever is cut off or overwritten, the answer is an error, never a panic.
func TestWriteRefusesDamage(t *testing.T) {
	whole := tinyModel()
	f, err := os.Create(filepath.Join(t.TempDir(), "model.gguf"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	header := len(whole) - 32*8*4 // somewhere inside the tensors
	for n := 0; n < header; n += 7 {
		if err := Write(f, whole[:n], "cut"); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, len(whole))
		}
	}
	for _, at := range []int{0, 4, 40} {
		damaged := bytes.Clone(whole)
		damaged[at] ^= 0xff
		if err := Write(f, damaged, "damaged"); err == nil {
			t.Errorf("accepted with byte %d changed", at)
		}
	}
}
