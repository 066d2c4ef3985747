package tokens_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/tokens"
)

// models is a Source with model files.
type models map[string]engine.Profile

func (m models) Profile(_ context.Context, model string) (engine.Profile, error) {
	if p, ok := m[model]; ok {
		return p, nil
	}
	return engine.Profile{}, errors.New("no such model")
}

func (m models) Vocabulary(context.Context, string) (map[string]any, error) {
	return nil, errors.New("the engine is away")
}

func scriptedModels(t testing.TB, archs ...string) models {
	t.Helper()
	m := models{}
	for _, arch := range archs {
		path := filepath.Join(t.TempDir(), arch+".gguf")
		if err := scripted.Write(path, arch); err != nil {
			t.Fatal(err)
		}
		p := engine.Profile{ModelPath: path, Template: scripted.Template(arch)}
		p.Digest = "digest of " + arch
		m[arch] = p
	}
	return m
}

// hostile returns texts of a size that make tokenizers slow.
func hostile(size int) map[string]string {
	repeat := func(s string) string { return strings.Repeat(s, size/len(s)) }
	var letters strings.Builder
	for i := uint32(1); letters.Len() < size; i = i*1664525 + 1013904223 {
		letters.WriteByte('a' + byte(i>>24)%26)
	}
	return map[string]string{
		"one letter": repeat("a"), "random letters": letters.String(), "spaces": repeat(" "), "newlines": repeat("\n"),
		"equals signs": repeat("="), "emoji": repeat("👍🏽"), "Chinese without punctuation": repeat("记住我的猫叫年糕"),
		"digits": repeat("0123456789"), "base64": repeat("QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo+/w"),
		"special tokens": repeat("<|im_end|>"), "beginnings of special tokens": repeat("<|im_"), "markup": repeat("<b><i>"),
		"English": repeat("What did we say about the garden last year? "), "invalid": repeat("\xff\xfe\x80"), "zeros": repeat("\x00"),
		"code": repeat("\tif err != nil {\n\t\treturn fmt.Errorf(\"save: %w\", err)\n\t}\n"), "JSON": repeat(`{"id":12345,"v":[1.5,null]},`),
		"combining marks": repeat("e\u0301\u0302"),
	}
}

func counters(t testing.TB) map[string]tokens.Counter {
	t.Helper()
	archs := []string{scripted.Llama, scripted.Qwen3, scripted.Gemma3, scripted.Bert}
	all := map[string]tokens.Counter{"estimator": tokens.Estimator()}
	for arch, p := range scriptedModels(t, archs...) {
		all[arch] = tokens.New(models{arch: p}).For(context.Background(), arch)
	}
	if path := starterFile(); path != "" {
		all["starter"] = tokens.New(models{"starter": {Model: engine.Model{Digest: "starter"}, ModelPath: path}}).For(context.Background(), "starter")
	}
	return all
}

// BenchmarkHostile shows the time of a count of a megabyte.
func BenchmarkHostile(b *testing.B) {
	for name, c := range counters(b) {
		c.Count("warm")
		for kind, text := range hostile(1 << 20) {
			b.Run(name+"/"+kind, func(b *testing.B) {
				for i := range b.N {
					c.Count(text + strings.Repeat("x", i)) // a text that no cache knows
				}
			})
		}
	}
}

// Every kind of text is counted, by every kind of tokenizer.
func TestHostileTextsAreCounted(t *testing.T) {
	texts := hostile(24 << 10)
	for name, c := range counters(t) {
		for kind, text := range texts {
			n := c.Count(text)
			blank := strings.TrimSpace(text) == "" // WordPiece has no tokens for it
			if n <= 0 && !blank || n > 4*len(text) {
				t.Errorf("%s: %s: %d tokens for %d bytes", name, kind, n, len(text))
			}
		}
	}
}

func TestEmptyTextIsFree(t *testing.T) {
	for name, c := range counters(t) {
		if n := c.Count(""); n != 0 {
			t.Errorf("%s: %d tokens", name, n)
		}
		if n := c.Tools(nil); n != 0 {
			t.Errorf("%s: no tools take %d tokens", name, n)
		}
	}
}

// Whatever goes wrong, there is a count, and it is said not to be exact.
func TestEstimatesWithoutVocabulary(t *testing.T) {
	dir := t.TempDir()
	damaged := filepath.Join(dir, "damaged.gguf")
	if err := os.WriteFile(damaged, []byte("GGUF\x03\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x7f"), 0o600); err != nil {
		t.Fatal(err)
	}
	src := models{
		"damaged": {Model: engine.Model{Digest: "a"}, ModelPath: damaged},
		"empty":   {Model: engine.Model{Digest: "b"}, ModelPath: os.DevNull},
		"away":    {Model: engine.Model{Digest: "c"}, ModelPath: filepath.Join(dir, "gone.gguf")},
		"nowhere": {},
	}
	c := tokens.New(src)
	want := tokens.Estimator().Count("What did we say about the garden?")
	for _, model := range []string{"", "unknown", "damaged", "empty", "away", "nowhere"} {
		for range 2 {
			counter := c.For(t.Context(), model)
			if n := counter.Count("What did we say about the garden?"); n != want || counter.Exact() {
				t.Errorf("%q: %d tokens, exact %v, want %d, estimated", model, n, counter.Exact(), want)
			}
		}
	}
}

// An engine that is away for a while does not make counts worse for a model that is known, and one that comes back
// makes them exact.
func TestEngineComesAndGoes(t *testing.T) {
	known := scriptedModels(t, scripted.Llama)
	src := models{}
	c := tokens.New(src)
	if c.For(t.Context(), scripted.Llama).Exact() {
		t.Fatal("exact without an engine")
	}
	src[scripted.Llama] = known[scripted.Llama]
	if !c.For(t.Context(), scripted.Llama).Exact() {
		t.Fatal("not exact once the engine is there")
	}
	delete(src, scripted.Llama)
	if !c.For(t.Context(), scripted.Llama).Exact() {
		t.Error("the vocabulary was forgotten when the engine went away")
	}
}

// A model that was pulled again is another model.
func TestNewDigestIsReadAnew(t *testing.T) {
	src := scriptedModels(t, scripted.Llama)
	c := tokens.New(src)
	const text = "What did we say about the garden?"
	before := c.For(t.Context(), scripted.Llama).Count(text)
	src[scripted.Llama] = engine.Profile{Model: engine.Model{Digest: "another"}, ModelPath: os.DevNull}
	after := c.For(t.Context(), scripted.Llama)
	if after.Exact() || after.Count(text) == before {
		t.Error("the old vocabulary serves the new model")
	}
}

func TestCancelledCountEndsAtOnce(t *testing.T) {
	src := scriptedModels(t, scripted.Llama)
	c := tokens.New(src)
	ctx, cancel := context.WithCancel(t.Context())
	counter := c.For(ctx, scripted.Llama)
	cancel()
	text := hostile(64 << 10)["English"]
	if guessed := counter.Count(text); guessed <= 0 || guessed > len(text) {
		t.Errorf("guessed %d", guessed)
	}
	fresh := tokens.New(scriptedModels(t, scripted.Llama)).For(t.Context(), scripted.Llama)
	if got, want := c.For(t.Context(), scripted.Llama).Count(text), fresh.Count(text); got != want {
		t.Errorf("after a cancelled count %d, want %d: the guess was remembered", got, want)
	}
	if c := tokens.New(src).For(ctx, scripted.Llama); c.Exact() {
		t.Error("a vocabulary was read for nobody")
	}
}

func TestCalibrationOfAnEstimate(t *testing.T) {
	c := tokens.New(models{})
	text := hostile(4 << 10)["English"]
	first := c.For(t.Context(), "m").Count(text)
	truth := first * 8 / 10 // the estimate is a quarter too high
	for range 30 {
		c.Calibrate("m", c.For(t.Context(), "m").Count(text), truth)
	}
	if n := c.For(t.Context(), "m").Count(text); n < truth || n > truth+truth/50 {
		t.Errorf("after calibration %d, the engine counts %d", n, truth)
	}
	if n := c.For(t.Context(), "other").Count(text); n != first {
		t.Errorf("another model's counts changed from %d to %d", first, n)
	}
	settled := c.For(t.Context(), "m").Count(text)
	c.Calibrate("m", 160_689, 16_387) // an engine that cut the prompt
	c.Calibrate("m", 1000, 0)         // one that counts nothing
	c.Calibrate("m", 0, 1000)
	if n := c.For(t.Context(), "m").Count(text); n != settled {
		t.Errorf("nonsense moved the counts from %d to %d", settled, n)
	}
	for range 100 {
		c.Calibrate("m", 1000, 1900)
	}
	if n := c.For(t.Context(), "m").Count(text); n > 2*first+1 {
		t.Errorf("%d: no bound, the first estimate was %d", n, first)
	}
}

func TestCalibrationOfAnExactCounter(t *testing.T) {
	c := tokens.New(scriptedModels(t, scripted.Llama))
	counter := c.For(t.Context(), scripted.Llama)
	text, prompt := counter.Count("What did we say?"), counter.Overhead().Prompt
	for range 40 { // the engine counts 12 tokens more than we know of
		missing := c.For(t.Context(), scripted.Llama).Overhead().Prompt - prompt
		c.Calibrate(scripted.Llama, 1000+missing, 1012)
	}
	counter = c.For(t.Context(), scripted.Llama)
	if n := counter.Overhead().Prompt - prompt; n < 12 || n > 13 {
		t.Errorf("learned %d tokens a prompt, want 12", n)
	}
	if n := counter.Count("What did we say?"); n != text {
		t.Errorf("an exact count changed from %d to %d", text, n)
	}
	c.Calibrate(scripted.Llama, 8000, 4096) // an engine that cut the prompt
	if n := c.For(t.Context(), scripted.Llama).Overhead().Prompt - prompt; n < 12 || n > 13 {
		t.Errorf("a cut prompt changed what was learned to %d", n)
	}
}

// What was learned outlives the run, by the model's digest; a handful of answers is not written a handful of times.
func TestCalibrationIsKept(t *testing.T) {
	src := scriptedModels(t, scripted.Llama)
	var saved map[string]tokens.Calibration
	saves := 0
	keep := func(l map[string]tokens.Calibration) { saved, saves = l, saves+1 }
	c := tokens.New(src)
	c.Keep(nil, keep)
	before := c.For(t.Context(), scripted.Llama).Overhead().Prompt
	for range 40 {
		missing := c.For(t.Context(), scripted.Llama).Overhead().Prompt - before
		c.Calibrate(scripted.Llama, 1000+missing, 1012)
	}
	if len(saved) != 1 || saves > 10 {
		t.Fatalf("saved %+v in %d times", saved, saves)
	}
	again := tokens.New(src)
	saved["damaged"] = tokens.Calibration{Factor: 0, Offset: 1e9}
	again.Keep(saved, keep)
	if n := again.For(t.Context(), scripted.Llama).Overhead().Prompt - before; n < 9 || n > 13 {
		t.Errorf("after a restart %d tokens a prompt are known, want about 12", n)
	}
}

func TestEstimatesErrHigh(t *testing.T) {
	e := tokens.Estimator()
	if n := e.Count(strings.Repeat("1234567890 ", 100)); n < 500 {
		t.Errorf("digits: %d tokens for 1,000 digits, some models need one each", n)
	}
	if n := e.Count("The quick brown fox jumps over the lazy dog."); n < 10 || n > 12 {
		t.Errorf("ten English tokens are estimated as %d", n)
	}
}

// What a tool takes is what the template prints of it, so a model whose template has no tools pays nothing.
func TestToolsAreCountedAsPrinted(t *testing.T) {
	src := scriptedModels(t, scripted.Llama, scripted.Gemma3)
	tools := []engine.Tool{{Name: "core_memory_append", Description: "Add to memory.", Parameters: json.RawMessage(`{"type":"object","properties":{"label":{"type":"string"}}}`)}}
	c := tokens.New(src)
	if n := c.For(t.Context(), scripted.Llama).Tools(tools); n < 20 {
		t.Errorf("a tool takes %d tokens", n)
	}
	if n := c.For(t.Context(), scripted.Gemma3).Tools(tools); n != 0 {
		t.Errorf("a tool that is not printed takes %d tokens", n)
	}
	if n := tokens.Estimator().Tools(tools); n < 50 {
		t.Errorf("estimated at %d tokens", n)
	}
}

// asked counts how often the vocabulary is sent.
type asked struct {
	models
	info  map[string]any
	times atomic.Int32
}

func (a *asked) Vocabulary(context.Context, string) (map[string]any, error) {
	a.times.Add(1)
	return a.info, nil
}

// Turns, gauge and recall count at the same time; the vocabulary is read once.
func TestManyCountAtOnce(t *testing.T) {
	words := []any{"g", "a", "r", "d", "e", "n", " ", "Ġ"}
	types := make([]any, len(words))
	for i := range types {
		types[i] = 1.0
	}
	src := &asked{models: models{"m": {Model: engine.Model{Digest: "d"}}}, info: map[string]any{
		"tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "gpt-2", "tokenizer.ggml.tokens": words, "tokenizer.ggml.token_type": types,
	}}
	c := tokens.New(src)
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			counter := c.For(t.Context(), "m")
			for range 50 {
				if n := counter.Count(strings.Repeat("garden ", i+1)); n != 7*(i+1) {
					t.Errorf("%d tokens", n)
				}
			}
			c.Calibrate("m", 100, 101)
		})
	}
	group.Wait()
	if n := src.times.Load(); n != 1 {
		t.Errorf("the vocabulary was read %d times", n)
	}
}
