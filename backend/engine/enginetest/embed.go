package enginetest

import (
	"fmt"
	"hash/fnv"
	"math"
	"net/http"
	"strings"
	"time"
	"unicode"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// EmbedReply is a fault of one embedding request; the zero value answers with the vectors of the texts.
type EmbedReply struct {
	Status int             // an HTTP error, e.g. 400 "embedding contains NaN or Inf values"
	Error  string          //
	Drop   int             // vectors that are missing from the end of the answer
	Hold   <-chan struct{} // the answer waits for this channel to close
}

func (f *Fake) embed(w http.ResponseWriter, r *http.Request) {
	var req api.EmbedRequest
	body, ok := f.read(w, r, &req)
	if !ok {
		return
	}
	f.record(Request{Path: r.URL.Path, Body: body, Embed: &req})
	m, ok := f.find(req.Model)
	switch {
	case !ok:
		fail(w, 404, fmt.Sprintf("model %q not found, try pulling it first", req.Model))
		return
	case !m.can(model.CapabilityEmbedding):
		fail(w, 501, "this model does not support embeddings")
		return
	}
	texts := Texts(req)
	load := f.load(req.Model, m.context())
	f.mu.Lock()
	fn := f.onEmbed
	f.mu.Unlock()
	script := fn(req)
	if script.Hold != nil {
		select {
		case <-script.Hold:
		case <-r.Context().Done():
			return
		case <-f.stopping():
			return
		}
	}
	if script.Status != 0 {
		fail(w, script.Status, script.Error)
		return
	}
	res := api.EmbedResponse{Model: req.Model, Embeddings: [][]float32{}, LoadDuration: load, TotalDuration: load + time.Millisecond}
	for _, t := range texts {
		n := CountTokens(t)
		if n > m.context() && req.Truncate != nil && !*req.Truncate {
			fail(w, 400, "the input length exceeds the context length")
			return
		}
		res.PromptEvalCount += n
		res.Embeddings = append(res.Embeddings, Vector(t, m.dimension()))
	}
	res.Embeddings = res.Embeddings[:max(len(res.Embeddings)-script.Drop, 0)]
	reply(w, 200, res)
}

// Texts returns the texts of an embedding request.
func Texts(req api.EmbedRequest) []string {
	switch v := req.Input.(type) {
	case string:
		if v != "" {
			return []string{v}
		}
	case []any:
		var out []string
		for _, t := range v {
			out = append(out, fmt.Sprint(t))
		}
		return out
	case []string:
		return v
	}
	return nil
}

// Vector returns the Fake's vector for a text: of length one, and the nearer to another the more words (CJK: bigrams) the
// two texts share. The prefixes "query: " and "passage: " do not count.
func Vector(text string, dimension int) []float32 {
	v := make([]float32, dimension)
	text = strings.TrimPrefix(strings.TrimPrefix(text, "query: "), "passage: ")
	add := func(term string) {
		h := fnv.New64a()
		h.Write([]byte(term)) //nolint:errcheck // never fails
		sum := h.Sum64()
		v[sum%uint64(dimension)]++
	}
	var word, previous []rune
	flush := func() {
		if len(word) > 0 {
			add(strings.TrimSuffix(string(word), "s"))
		}
		word = nil
	}
	for _, r := range strings.ToLower(text) {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
			flush()
			if len(previous) > 0 {
				add(string(append(previous, r)))
			}
			previous = []rune{r}
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			word = append(word, r)
		default:
			flush()
		}
		previous = nil
	}
	flush()
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if sum == 0 {
		v[0], sum = 1, 1
	}
	for i := range v {
		v[i] = float32(float64(v[i]) / math.Sqrt(sum))
	}
	return v
}
