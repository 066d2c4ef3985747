package engine

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/ollama/ollama/api"

	"recollect/backend/memory"
)

// Import installs a GGUF file under a name. The file is checked first and refused with EINVALID when it is not a whole
// GGUF; a file that the engine already has is not sent again.
func (e *Engine) Import(ctx context.Context, path, name string, o ImportOptions, progress func(PullProgress)) error {
	defer e.Hold()()
	const op = "import the model"
	if _, err := checkName(op, name); err != nil {
		return err
	}
	c, err := e.connection()
	if err != nil {
		return err
	}
	info, err := checkGGUF(path)
	switch {
	case errors.Is(err, errNotGGUF):
		return memory.Errorf(memory.EINVALID, op, "the file %s cannot be used: %w", path, err)
	case errors.Is(err, os.ErrNotExist):
		return memory.Errorf(memory.ENOTFOUND, op, "there is no file %s", path)
	case err != nil:
		return memory.Errorf(memory.EINVALID, op, "the file cannot be read: %w", err)
	}
	m := newMeter(e.o.Clock, progress)
	f, err := os.Open(path) // the user chose it
	if err != nil {
		return memory.Errorf(memory.EINVALID, op, "the file cannot be read: %w", err)
	}
	defer f.Close() //nolint:errcheck // only read

	sum := sha256.New()
	total := 2 * info.Size // read twice: for the sum and for the engine
	if _, err := io.Copy(sum, &metered{ctx, f, m, "checking", 0, total}); err != nil {
		return classify(ctx, op, err)
	}
	digest := fmt.Sprintf("sha256:%x", sum.Sum(nil))
	if !c.headBlob(ctx, digest) {
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return memory.Errorf(memory.EINVALID, op, "the file cannot be read: %w", err)
		}
		if err := c.call(ctx, http.MethodPost, "/api/blobs/"+digest, &metered{ctx, f, m, "uploading", info.Size, total}, nil); err != nil {
			return classify(ctx, op, err)
		}
	}
	m.update("creating", total, total)
	req := api.CreateRequest{
		Model: strings.TrimSpace(name), Files: map[string]string{"model.gguf": digest},
		Template: o.Template, Renderer: o.Renderer, Parser: o.Parser, System: o.System, Parameters: o.Parameters,
	}
	if o.License != "" {
		req.License = o.License
	}
	if err := c.follow(ctx, "/api/create", req, func(api.ProgressResponse) {}); err != nil {
		return classify(ctx, op, err)
	}
	c.forget(name)
	e.modelsChanged(ctx, c)
	m.finish()
	return nil
}

// metered reports how much of a file has been read, and stops with ctx.
type metered struct {
	ctx    context.Context // lives for one call
	r      io.Reader
	m      *meter
	status string
	done   int64
	total  int64
}

func (p *metered) Read(b []byte) (int, error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := p.r.Read(b)
	p.done += int64(n)
	p.m.update(p.status, p.done, p.total)
	return n, err
}
