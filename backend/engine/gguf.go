package engine

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/ollama/ollama/fs/ggml"
)

// ggufInfo is what a check of a GGUF found.
type ggufInfo struct {
	Arch string
	Size int64
}

// errNotGGUF is wrapped by every fault that checkGGUF finds.
var errNotGGUF = errors.New("not a usable GGUF file")

// checkGGUF reads a model file's structure. The engine reads it too, but in C++ whose assertions end the whole server, so what
// is known to do that is found here: sizes that reach past the end of the file, and vocabularies with a piece twice.
func checkGGUF(path string) (info ggufInfo, err error) {
	f, err := os.Open(path) // the user chose it
	if err != nil {
		return info, err
	}
	defer f.Close() //nolint:errcheck // only read
	st, err := f.Stat()
	if err != nil {
		return info, err
	}
	if !st.Mode().IsRegular() {
		return info, fmt.Errorf("%w: it is no ordinary file", errNotGGUF)
	}
	info.Size = st.Size()
	if info.Size == 0 {
		return info, fmt.Errorf("%w: it is empty", errNotGGUF)
	}
	r := &ggufReader{r: bufio.NewReaderSize(f, 1<<20), left: info.Size}
	if err := r.check(&info); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			err = errors.New("it is cut off")
		}
		return info, fmt.Errorf("%w: %w", errNotGGUF, err)
	}
	return info, nil
}

// ggufReader reads numbers and texts and never more than the file holds.
type ggufReader struct {
	r    *bufio.Reader
	left int64
}

func (g *ggufReader) take(n uint64) ([]byte, error) {
	if n > uint64(g.left) { // left is never negative
		return nil, io.ErrUnexpectedEOF
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(g.r, b); err != nil {
		return nil, err
	}
	g.left -= int64(n) // not more than left
	return b, nil
}

func (g *ggufReader) u32() (uint32, error) {
	b, err := g.take(4)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint32(b), nil
}

func (g *ggufReader) u64() (uint64, error) {
	b, err := g.take(8)
	if err != nil {
		return 0, err
	}
	return binary.LittleEndian.Uint64(b), nil
}

func (g *ggufReader) text() (string, error) {
	n, err := g.u64()
	if err != nil {
		return "", err
	}
	b, err := g.take(n)
	return string(b), err
}

// Types of values.
const (
	ggufString = 8
	ggufArray  = 9
)

// ggufWidths are the bytes of the types of a fixed size, by type number.
var ggufWidths = map[uint32]uint64{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

func (g *ggufReader) check(info *ggufInfo) error {
	magic, err := g.take(4)
	if err != nil || string(magic) != "GGUF" {
		return errors.New(`it does not begin with "GGUF"`)
	}
	version, err := g.u32()
	if err != nil {
		return err
	}
	if version < 2 || version > 3 {
		return fmt.Errorf("version %d is not known", version)
	}
	tensors, err := g.u64()
	if err != nil {
		return err
	}
	pairs, err := g.u64()
	if err != nil {
		return err
	}
	if tensors == 0 || tensors > 1<<20 || pairs > 1<<20 {
		return fmt.Errorf("%d tensors and %d settings make no model", tensors, pairs)
	}
	alignment := uint64(32)
	for range pairs {
		key, err := g.text()
		if err != nil {
			return err
		}
		v, err := g.value(key)
		if err != nil {
			return fmt.Errorf("%.60q: %w", key, err)
		}
		switch key {
		case "general.architecture":
			info.Arch = string(v)
		case "general.alignment":
			if len(v) == 4 {
				alignment = uint64(binary.LittleEndian.Uint32(v))
			}
		}
	}
	if info.Arch == "" {
		return errors.New("it names no architecture")
	}
	if alignment == 0 || alignment > 1<<20 {
		return fmt.Errorf("an alignment of %d bytes makes no sense", alignment)
	}
	return g.tensors(tensors, alignment, info.Size)
}

// value reads one value and returns the bytes of a simple one.
func (g *ggufReader) value(key string) ([]byte, error) {
	kind, err := g.u32()
	if err != nil {
		return nil, err
	}
	switch {
	case kind == ggufString:
		s, err := g.text()
		return []byte(s), err
	case kind != ggufArray:
		width, ok := ggufWidths[kind]
		if !ok {
			return nil, fmt.Errorf("there is no type %d", kind)
		}
		return g.take(width)
	}
	if kind, err = g.u32(); err != nil {
		return nil, err
	}
	n, err := g.u64()
	if err != nil {
		return nil, err
	}
	if width, ok := ggufWidths[kind]; ok {
		if n > math.MaxInt64/8 {
			return nil, io.ErrUnexpectedEOF
		}
		skip := n * width
		if skip > uint64(g.left) { // left is never negative
			return nil, io.ErrUnexpectedEOF
		}
		g.left -= int64(skip)                            // not more than left
		_, err := io.CopyN(io.Discard, g.r, int64(skip)) // as above
		return nil, err
	}
	if kind != ggufString {
		return nil, fmt.Errorf("there is no list of type %d", kind)
	}
	var pieces map[string]struct{}
	if key == "tokenizer.ggml.tokens" {
		pieces = map[string]struct{}{}
	}
	for range n {
		s, err := g.text()
		if err != nil {
			return nil, err
		}
		if pieces == nil {
			continue
		}
		if _, twice := pieces[s]; twice {
			return nil, fmt.Errorf("the vocabulary has %.40q twice", s)
		}
		pieces[s] = struct{}{}
	}
	return nil, nil
}

// tensors checks that each tensor lies inside the file.
func (g *ggufReader) tensors(n, alignment uint64, size int64) error {
	var end uint64
	for range n {
		name, err := g.text()
		if err != nil {
			return err
		}
		dims, err := g.u32()
		if err != nil {
			return err
		}
		if dims > 8 {
			return fmt.Errorf("tensor %.60q has %d dimensions", name, dims)
		}
		t := ggml.Tensor{Name: name}
		elements := uint64(1)
		for range dims {
			d, err := g.u64()
			if err != nil {
				return err
			}
			if d == 0 || elements > math.MaxInt64/512/d {
				return fmt.Errorf("tensor %.60q has an impossible shape", name)
			}
			elements *= d
			t.Shape = append(t.Shape, d)
		}
		if t.Kind, err = g.u32(); err != nil {
			return err
		}
		if t.Offset, err = g.u64(); err != nil {
			return err
		}
		if t.Offset > uint64(size) || t.Size() > uint64(size) { // a file's size is not negative
			return fmt.Errorf("tensor %.60q reaches past the end of the file", name)
		}
		end = max(end, t.Offset+t.Size())
	}
	header := uint64(size - g.left) // what has been read
	data := (header + alignment - 1) / alignment * alignment
	if data+end > uint64(size) { // a file's size is not negative
		return fmt.Errorf("it is cut off: %d bytes are missing", data+end-uint64(size)) // as above
	}
	return nil
}
