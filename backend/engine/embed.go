package engine

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"recollect/backend/memory"
)

const (
	embedOp    = "embed"
	embedBatch = 16  // texts a request: larger ones only delay the chat
	longWord   = 200 // characters; the time of WordPiece grows with the cube of a word's length
)

// Embed returns a vector of length one for each text, in batches between which more urgent work goes first. A batch that
// fails is halved until the text that fails alone is found: the error is then an *EmbedError with its index. A text longer
// than the model's window is embedded in parts whose mean it gets.
func (e *Engine) Embed(ctx context.Context, req EmbedRequest) ([][]float32, error) {
	defer e.Hold()()
	if len(req.Texts) == 0 {
		return nil, nil
	}
	c, err := e.connection()
	if err != nil {
		return nil, err
	}
	p, err := e.profile(ctx, c, req.Model)
	if err != nil {
		return nil, err
	}
	if err := refuseRemote(embedOp, p); err != nil {
		return nil, err
	}
	if !p.Embedding { // a chat model would lose its prompt cache
		err := memory.Errorf(memory.EUNSUPPORTED, embedOp, "%s makes no vectors", p.Name)
		err.Remedy = memory.RemedyChooseModel
		return nil, err
	}
	b := embedder{Engine: e, conn: c, req: req}
	out := make([][]float32, 0, len(req.Texts))
	for i := 0; i < len(req.Texts); i += embedBatch {
		var texts []string
		for _, t := range req.Texts[i:min(i+embedBatch, len(req.Texts))] {
			texts = append(texts, embeddable(t))
		}
		vectors, err := b.batch(ctx, texts)
		if err != nil {
			var poison *EmbedError
			if errors.As(err, &poison) {
				poison.Index += i
				return nil, poison
			}
			return nil, err
		}
		out = append(out, vectors...)
	}
	for _, v := range out {
		if len(v) != len(out[0]) {
			return nil, memory.Errorf(memory.EENGINE, embedOp, "the engine returned vectors of %d and of %d dimensions", len(out[0]), len(v))
		}
	}
	return out, nil
}

type embedder struct {
	*Engine
	conn *conn
	req  EmbedRequest
}

// batch embeds the texts in one turn of the queue, or halves of them in more.
func (b embedder) batch(ctx context.Context, texts []string) ([][]float32, error) {
	vectors, err := b.once(ctx, texts)
	if err == nil {
		return vectors, nil
	}
	switch memory.CodeOf(err) {
	case memory.EINVALID, memory.EOVERFLOW, memory.EINCOMPLETE: // something about the texts
	default:
		return nil, err
	}
	if len(texts) > 1 {
		half := len(texts) / 2
		first, err := b.batch(ctx, texts[:half])
		if err != nil {
			return nil, err
		}
		second, err := b.batch(ctx, texts[half:])
		var poison *EmbedError
		if errors.As(err, &poison) {
			poison.Index += half
		}
		if err != nil {
			return nil, err
		}
		return append(first, second...), nil
	}
	var v []float32
	if memory.CodeOf(err) == memory.EOVERFLOW {
		v, err = b.parts(ctx, texts[0], err)
	} else {
		v, err = b.plain(ctx, texts[0], err)
	}
	if err != nil {
		if code := memory.CodeOf(err); code == memory.ECANCELLED || code == memory.EENGINE {
			return nil, err
		}
		return nil, &EmbedError{Err: err}
	}
	return [][]float32{v}, nil
}

// plain tries a text once more without unusual characters: some models answer them with NaN.
func (b embedder) plain(ctx context.Context, text string, cause error) ([]float32, error) {
	plain := strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsPunct(r) {
			return r
		}
		return ' '
	}, text)
	if plain == text || strings.TrimSpace(plain) == "" {
		return nil, cause
	}
	vectors, err := b.once(ctx, []string{plain})
	if err != nil {
		return nil, err
	}
	return vectors[0], nil
}

// parts embeds the halves of a text that is too long and returns their mean.
func (b embedder) parts(ctx context.Context, text string, cause error) ([]float32, error) {
	n := utf8.RuneCountInString(text)
	if n < 16 {
		return nil, cause
	}
	middle := len(string([]rune(text)[:n/2]))
	if i := strings.LastIndexByte(text[:middle], ' '); i > middle/2 {
		middle = i
	}
	first, err := b.batch(ctx, []string{text[:middle]})
	if err != nil {
		return nil, err
	}
	second, err := b.batch(ctx, []string{text[middle:]})
	if err != nil {
		return nil, err
	}
	a, c := first[0], second[0]
	if len(a) != len(c) {
		return nil, cause
	}
	mean := make([]float32, len(a))
	for i := range a {
		mean[i] = a[i] + c[i]
	}
	return normalise(mean), nil
}

// once makes one request.
func (b embedder) once(ctx context.Context, texts []string) ([][]float32, error) {
	if err := b.queue.acquire(ctx, b.req.Priority); err != nil {
		return nil, classify(ctx, embedOp, err)
	}
	defer b.queue.release()
	b.makeRoom(ctx)
	no := false
	options := map[string]any{}
	if b.conn.threads.Load() > 0 {
		options["num_thread"] = 1 // it may run beside the rest of a cancelled prompt
	}
	req := api.EmbedRequest{
		Model: b.req.Model, Input: texts, Truncate: &no, KeepAlive: &api.Duration{Duration: b.o.Timeouts.KeepAlive}, Options: options,
	}
	wctx, dog := watch(ctx, PhaseLoading, b.o.Timeouts.Load)
	defer dog.stop()
	var res api.EmbedResponse
	if err := b.conn.call(wctx, http.MethodPost, "/api/embed", req, &res); err != nil {
		err := classify(ctx, embedOp, cause(wctx, err))
		if err.Code == memory.EMODEL || err.Code == memory.EENGINE {
			b.mu.Lock()
			delete(b.digests, fullName(b.req.Model))
			b.mu.Unlock()
			b.hung(b.conn, err)
		}
		return nil, err
	}
	if len(res.Embeddings) != len(texts) {
		return nil, memory.Errorf(memory.EINCOMPLETE, embedOp, "the engine returned %d vectors for %d texts", len(res.Embeddings), len(texts))
	}
	for _, v := range res.Embeddings {
		if len(v) == 0 || math.IsNaN(float64(v[0])) {
			return nil, memory.Errorf(memory.EINCOMPLETE, embedOp, "the engine returned an empty vector")
		}
	}
	return res.Embeddings, nil
}

// makeRoom unloads the embedding models that were used before where memory is too short for another one beside them and the
// chat model: that one would be thrown out instead, with its prompt cache, or all of them become slow. Where there is room
// they stay, so that each message can ask them all at once. The caller has the turn.
func (b embedder) makeRoom(ctx context.Context) {
	full := fullName(b.req.Model)
	b.conn.mu.Lock()
	before := b.conn.embedded
	b.conn.embedded = full
	b.conn.mu.Unlock()
	if before == full || before == "" || !isLoopback(b.conn.base) {
		return
	}
	p, err := b.profile(ctx, b.conn, full)
	var list api.ProcessResponse
	if err != nil || b.conn.call(ctx, http.MethodGet, "/api/ps", nil, &list) != nil {
		return
	}
	need := p.NeedBytes
	for _, m := range list.Models {
		if fullName(m.Name) == full {
			return // it is there already
		}
		need += m.Size
	}
	if Fits(need, b.memory()) != "no" {
		return
	}
	for _, m := range list.Models {
		if other, err := b.profile(ctx, b.conn, m.Name); err == nil && other.Embedding {
			_ = b.unload(ctx, b.conn, m.Name) // then the engine makes room as it can
		}
	}
}

// normalise scales a vector to length one.
func normalise(v []float32) []float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum > 0 {
		f := float32(1 / math.Sqrt(sum))
		for i := range v {
			v[i] *= f
		}
	}
	return v
}

// controlTokens would end the text or mask it where it mentions them.
var controlTokens = strings.NewReplacer("<s>", "< s>", "</s>", "< /s>", "<pad>", "< pad>", "<mask>", "< mask>", "<unk>", "< unk>")

// embeddable breaks up what an embedding model cannot take: control tokens, words without end, bytes that are no text.
func embeddable(text string) string {
	text = controlTokens.Replace(strings.ToValidUTF8(text, "\uFFFD"))
	var b strings.Builder
	run := 0
	for _, r := range text {
		if r == 0 {
			r = ' '
		}
		if unicode.IsSpace(r) {
			run = 0
		} else if run++; run > longWord {
			b.WriteByte(' ')
			run = 1
		}
		b.WriteRune(r)
	}
	return b.String()
}
