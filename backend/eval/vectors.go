package eval

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"recollect/backend/engine"
	"recollect/backend/recall"
)

// mostFailures in a row end an evaluation: the engine does not come back.
const mostFailures = 3

// persistent gives up when the embedder fails again and again; the index of the app would wait for ever.
type persistent struct {
	recall.Embedder
	fail func(error)

	mu       sync.Mutex
	failures int
}

// Embed implements recall.Embedder.
func (p *persistent) Embed(ctx context.Context, r engine.EmbedRequest) ([][]float32, error) {
	vs, err := p.Embedder.Embed(ctx, r)
	var poison *engine.EmbedError
	p.mu.Lock()
	defer p.mu.Unlock()
	if err == nil || errors.As(err, &poison) {
		p.failures = 0
		return vs, err
	}
	if p.failures++; p.failures == mostFailures {
		p.fail(fmt.Errorf("the embedder failed %d times in a row: %w", mostFailures, err))
	}
	return vs, err
}

// Vectors keeps the vectors of an embedder in a file, so that the next evaluation need not make them again. The file is a
// row of records: SHA-256 of the text, dimension, values. It is named by the model's digest: another model of the same
// name has another file.
type Vectors struct {
	embedder recall.Embedder

	mu   sync.Mutex
	kept map[[sha256.Size]byte][]float32
	file *os.File
}

// OpenVectors opens the file of the model with the digest in a folder, which is made where it is missing.
func OpenVectors(dir, digest string, e recall.Embedder) (*Vectors, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("keep vectors: %w", err)
	}
	name := strings.TrimPrefix(digest, "sha256:")
	f, err := os.OpenFile(filepath.Join(dir, name[:min(len(name), 16)]+".vec"), os.O_RDWR|os.O_CREATE, 0o600) // the user named the folder
	if err != nil {
		return nil, fmt.Errorf("keep vectors: %w", err)
	}
	v := &Vectors{embedder: e, kept: map[[sha256.Size]byte][]float32{}, file: f}
	if err := v.read(); err != nil {
		return nil, errors.Join(fmt.Errorf("read the kept vectors: %w", err), f.Close())
	}
	return v, nil
}

// read takes in the whole records; half a one at the end, of a run that was ended, is written over.
func (v *Vectors) read() error {
	r := bufio.NewReaderSize(v.file, 1<<20)
	var whole int64
	for {
		var key [sha256.Size]byte
		var dim uint16
		_, err := io.ReadFull(r, key[:])
		if err == nil {
			err = binary.Read(r, binary.LittleEndian, &dim)
		}
		vector := make([]float32, dim)
		if err == nil {
			err = binary.Read(r, binary.LittleEndian, vector)
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			break
		}
		if err != nil {
			return err
		}
		v.kept[key] = vector
		whole += int64(len(key)) + 2 + 4*int64(dim)
	}
	if err := v.file.Truncate(whole); err != nil {
		return err
	}
	_, err := v.file.Seek(whole, io.SeekStart)
	return err
}

// Embed implements recall.Embedder: what is kept is not asked for.
func (v *Vectors) Embed(ctx context.Context, r engine.EmbedRequest) ([][]float32, error) {
	out := make([][]float32, len(r.Texts))
	keys := make([][sha256.Size]byte, len(r.Texts))
	var missing []int
	ask := r
	ask.Texts = nil
	v.mu.Lock()
	for i, t := range r.Texts {
		keys[i] = sha256.Sum256([]byte(t))
		if out[i] = v.kept[keys[i]]; out[i] == nil {
			missing = append(missing, i)
			ask.Texts = append(ask.Texts, t)
		}
	}
	v.mu.Unlock()
	if len(missing) == 0 {
		return out, nil
	}
	made, err := v.embedder.Embed(ctx, ask)
	if err != nil {
		var poison *engine.EmbedError
		if errors.As(err, &poison) && poison.Index >= 0 && poison.Index < len(missing) {
			return nil, &engine.EmbedError{Index: missing[poison.Index], Err: poison.Err}
		}
		return nil, err
	}
	if len(made) != len(missing) {
		return made, nil // the caller refuses a wrong number
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	var b []byte
	for i, at := range missing {
		out[at], v.kept[keys[at]] = made[i], made[i]
		b = append(b, keys[at][:]...)
		b = binary.LittleEndian.AppendUint16(b, uint16(len(made[i]))) // the store takes 8192 dimensions at most
		for _, x := range made[i] {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	}
	if _, err := v.file.Write(b); err != nil {
		return nil, fmt.Errorf("keep vectors: %w", err)
	}
	return out, nil
}

// Close closes the file.
func (v *Vectors) Close() error { return v.file.Close() }
