package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/memory"
)

// bar checks that a progress bar never goes back and remembers where it was.
type bar struct {
	t    *testing.T
	mu   sync.Mutex
	seen []engine.PullProgress
}

func (b *bar) update(p engine.PullProgress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if n := len(b.seen); n > 0 && (p.Completed < b.seen[n-1].Completed || p.Total < b.seen[n-1].Total) {
		b.t.Errorf("the bar went back from %+v to %+v", b.seen[n-1], p)
	}
	if p.Completed > p.Total || p.ETA < 0 || p.BytesPerSecond < 0 {
		b.t.Errorf("nonsense: %+v", p)
	}
	b.seen = append(b.seen, p)
}

func (b *bar) last() engine.PullProgress { return b.seen[len(b.seen)-1] }

func (b *bar) statuses() []string {
	var out []string
	for _, p := range b.seen {
		out = append(out, p.Status)
	}
	return slices.Compact(out)
}

func TestPullShowsOneBarOverAllFiles(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	a, b := "sha256:aaaaaaaaaaaaaaaa", "sha256:bbbbbbbbbbbbbbbb"
	f.OnPull(func(string) []api.ProgressResponse {
		return []api.ProgressResponse{
			{Status: "pulling manifest"},
			{Status: "pulling aaa", Digest: a, Total: 1000, Completed: 0},
			{Status: "pulling aaa", Digest: a, Total: 1000, Completed: 700},
			{Status: "pulling aaa", Digest: a, Total: 1000, Completed: 300}, // a part failed and is loaded again
			{Status: "pulling aaa", Digest: a, Total: 1000, Completed: 1000},
			{Status: "pulling bbb", Digest: b, Total: 50, Completed: 50},
			{Status: "verifying sha256 digest"},
			{Status: "writing manifest"},
			{Status: "success"},
		}
	})
	progress := &bar{t: t}
	if err := e.Pull(t.Context(), "llama3.2", progress.update); err != nil {
		t.Fatal(err)
	}
	if p := progress.last(); p.Status != "done" || p.Completed != 1050 || p.Total != 1050 {
		t.Errorf("the end: %+v", p)
	}
	if got := progress.statuses(); !slices.Equal(got, []string{"manifest", "downloading", "verifying", "creating", "done"}) {
		t.Errorf("steps: %v", got)
	}
}

func TestPullFaults(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		code memory.Code
	}{
		"no network":    {"error: pull model manifest: Get \"https://registry.ollama.ai/v2/x\": dial tcp: lookup registry.ollama.ai: no such host", memory.EMODEL},
		"no such model": {"error: pull model manifest: file does not exist", memory.EMODEL},
		"disk full":     {"error: write /models/blobs/x: no space left on device", memory.EDISKFULL},
	} {
		f, e := withFake(t, enginetest.Options{}, engine.Options{})
		f.OnPull(func(string) []api.ProgressResponse {
			return []api.ProgressResponse{{Status: "pulling manifest"}, {Status: c.line}}
		})
		if err := e.Pull(t.Context(), "llama3.2", nil); memory.CodeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	f.OnPull(func(string) []api.ProgressResponse { return []api.ProgressResponse{{Status: "pulling manifest"}} })
	wantCode(t, e.Pull(t.Context(), "llama3.2", nil), memory.EINCOMPLETE, "") // never said success
}

func TestPullRefusesOtherHostsAndBadNames(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	for name, code := range map[string]memory.Code{
		"evil.example/x/y":              memory.EFORBIDDEN,
		"http://registry.ollama.ai/x/y": memory.EFORBIDDEN,
		"10.0.0.7:5000/x/y":             memory.EFORBIDDEN,
		"":                              memory.EINVALID,
		"a b":                           memory.EINVALID,
		"../../etc/passwd":              memory.EINVALID,
		"x\nFROM y":                     memory.EINVALID,
		strings.Repeat("x", 400):        memory.EINVALID,
	} {
		if err := e.Pull(t.Context(), name, nil); memory.CodeOf(err) != code {
			t.Errorf("%.40q: %v", name, err)
		}
	}
	if len(f.Requests()) != 0 {
		t.Errorf("the engine was asked: %v", f.Requests())
	}
	for _, name := range []string{"llama3.2", "qwen3:4b", "hf.co/x/y:Q4_K_M", "someone/their-model"} {
		if err := e.Pull(t.Context(), name, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !slices.ContainsFunc(f.Requests(), func(r enginetest.Request) bool { return strings.Contains(string(r.Body), `"hf.co/x/y:Q4_K_M"`) }) {
		t.Error("a name with host, slash and tag must be sent as it is")
	}
	models, err := e.Models(t.Context())
	if err != nil || !slices.ContainsFunc(models, func(m engine.Model) bool { return m.Name == "hf.co/x/y:q4_k_m" }) {
		t.Errorf("%+v, %v", models, err)
	}
}

func TestCancelledPullGoesOnWhereItStopped(t *testing.T) {
	f, e := withFake(t, enginetest.Options{PullDelay: 2 * time.Millisecond}, engine.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	err := e.Pull(ctx, "llama3.2", func(p engine.PullProgress) {
		if p.Completed >= 0 && p.Status == "downloading" {
			cancel()
		}
	})
	wantCode(t, err, memory.ECANCELLED, "")
	progress := &bar{t: t}
	if err := e.Pull(t.Context(), "llama3.2", progress.update); err != nil {
		t.Fatal(err)
	}
	if p := progress.last(); p.Completed != p.Total || p.Total == 0 {
		t.Errorf("the end: %+v", p)
	}
	_ = f
}

func TestRealEnginePullsFromARegistry(t *testing.T) {
	e := own(t, nil)
	r := enginetest.NewRegistry(t)
	file := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := scripted.Write(file, scripted.Llama); err != nil {
		t.Fatal(err)
	}
	name := r.Add(t, "library/tiny", file, scripted.Template(scripted.Llama))

	wantCode(t, e.Pull(t.Context(), strings.Replace(name, "tiny", "nothing", 1), nil), memory.EMODEL, memory.RemedyCheckModelName)

	r.Slow(50 * time.Millisecond)
	ctx, cancel := context.WithCancel(t.Context())
	first := &bar{t: t}
	err := e.Pull(ctx, name, func(p engine.PullProgress) {
		first.update(p)
		if p.Completed > 500_000 {
			cancel()
		}
	})
	wantCode(t, err, memory.ECANCELLED, "")

	r.Slow(0)
	r.Break(1)
	second := &bar{t: t}
	if err := e.Pull(t.Context(), name, second.update); err != nil {
		t.Fatal(err)
	}
	if p := second.last(); p.Status != "done" || p.Completed != p.Total || p.Total == 0 {
		t.Errorf("the end: %+v", p)
	}
	resumed := slices.ContainsFunc(r.Requests(), func(s string) bool {
		_, from, ok := strings.Cut(s, "bytes=")
		return ok && !strings.HasPrefix(from, "0-")
	})
	if !resumed {
		t.Errorf("the second pull began anew: %v", r.Requests())
	}
	if res, err := e.Chat(t.Context(), request(name, user("<c:hello>")...), nil); err != nil || res.Message.Content != "Hello there. How can I help?" {
		t.Errorf("the pulled model answers %q, %v", res.Message.Content, err)
	}
}

func TestImportRefusesWhatIsNoGGUF(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	whole := filepath.Join(t.TempDir(), "m.gguf")
	if err := scripted.Write(whole, scripted.Llama); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	twice := strings.Replace(string(data), "<|im_start|>", "<|im_end|>\x00\x00", 1)
	for name, content := range map[string]string{
		"empty":         "",
		"text":          "Hello, I am a text file.",
		"binary":        "\x7fELF\x02\x01\x01\x00" + strings.Repeat("\x00\xff", 500),
		"only magic":    "GGUF",
		"huge counts":   "GGUF\x03\x00\x00\x00" + strings.Repeat("\xff", 16),
		"huge text":     "GGUF\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00" + strings.Repeat("\xfe", 8),
		"half a file":   string(data[:len(data)/2]),
		"a byte less":   string(data[:len(data)-1]),
		"header only":   string(data[:2000]),
		"safetensors":   "\x08\x00\x00\x00\x00\x00\x00\x00{\"a\":1}",
		"damaged piece": twice[:len(twice)-10],
	} {
		path := write(t, "x.gguf", content)
		err := e.Import(t.Context(), path, "x", engine.ImportOptions{}, nil)
		wantCode(t, err, memory.EINVALID, "")
		if !strings.Contains(err.Error(), "GGUF") {
			t.Errorf("%s: the error does not say what is wrong: %v", name, err)
		}
	}
	wantCode(t, e.Import(t.Context(), t.TempDir(), "x", engine.ImportOptions{}, nil), memory.EINVALID, "")
	wantCode(t, e.Import(t.Context(), whole+".not", "x", engine.ImportOptions{}, nil), memory.ENOTFOUND, "")
	wantCode(t, e.Import(t.Context(), whole, "no name!", engine.ImportOptions{}, nil), memory.EINVALID, memory.RemedyCheckModelName)
	if len(f.Requests()) != 0 {
		t.Errorf("something was sent: %d requests", len(f.Requests()))
	}

	progress := &bar{t: t}
	if err := e.Import(t.Context(), whole, "mine", engine.ImportOptions{}, progress.update); err != nil {
		t.Fatal(err)
	}
	if got := progress.statuses(); !slices.Equal(got, []string{"checking", "uploading", "creating", "done"}) {
		t.Errorf("steps %v", got)
	}
	uploads := func() (n int) {
		for _, r := range f.Requests() {
			if strings.HasPrefix(r.Path, "/api/blobs/") {
				n++
			}
		}
		return n
	}
	if err := e.Import(t.Context(), whole, "mine-too", engine.ImportOptions{}, nil); err != nil || uploads() != 1 {
		t.Errorf("the same file was sent %d times, %v", uploads(), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.Import(ctx, whole, "mine", engine.ImportOptions{}, nil); memory.CodeOf(err) != memory.ECANCELLED {
		t.Errorf("cancelled: %v", err)
	}
}

func TestEmbedFaults(t *testing.T) {
	f, e := withFake(t, enginetest.Options{}, engine.Options{})
	texts := make([]string, 40)
	for i := range texts {
		texts[i] = "passage: number " + strings.Repeat("x", i)
	}
	embed := func(texts ...string) ([][]float32, error) {
		return e.Embed(t.Context(), engine.EmbedRequest{Model: enginetest.Embedder, Texts: texts, Priority: engine.PriorityBackground})
	}
	t.Run("batches", func(t *testing.T) {
		vectors, err := embed(texts...)
		if err != nil || len(vectors) != 40 || len(vectors[0]) != 384 {
			t.Fatalf("%d vectors, %v", len(vectors), err)
		}
		for _, r := range f.Requests() {
			if r.Embed != nil && len(enginetest.Texts(*r.Embed)) > 16 {
				t.Errorf("a batch of %d", len(enginetest.Texts(*r.Embed)))
			}
			if r.Embed != nil && r.Embed.Options["num_thread"] != 1.0 {
				t.Errorf("options %v", r.Embed.Options)
			}
		}
	})
	t.Run("one poisonous text is found", func(t *testing.T) {
		f.OnEmbed(func(r api.EmbedRequest) enginetest.EmbedReply {
			if slices.ContainsFunc(enginetest.Texts(r), func(s string) bool { return strings.Contains(s, "poison") }) {
				return enginetest.EmbedReply{Status: 400, Error: "embedding contains NaN or Inf values"}
			}
			return enginetest.EmbedReply{}
		})
		bad := slices.Clone(texts)
		bad[21] = "poison"
		_, err := embed(bad...)
		var poison *engine.EmbedError
		if !errors.As(err, &poison) || poison.Index != 21 {
			t.Fatalf("got %v", err)
		}
		bad[21] = "po\u200bison \u2028 x"
		if _, err := embed(bad...); err != nil {
			t.Errorf("without its odd characters it can be embedded: %v", err)
		}
	})
	t.Run("a vector too few", func(t *testing.T) {
		f.OnEmbed(func(r api.EmbedRequest) enginetest.EmbedReply {
			if len(enginetest.Texts(r)) > 4 {
				return enginetest.EmbedReply{Drop: 1}
			}
			return enginetest.EmbedReply{}
		})
		vectors, err := embed(texts...)
		if err != nil || len(vectors) != 40 {
			t.Fatalf("%d vectors, %v", len(vectors), err)
		}
		if !slices.Equal(vectors[17], enginetest.Vector(texts[17], 384)) {
			t.Error("vectors got into disorder")
		}
	})
	f.OnEmbed(func(api.EmbedRequest) enginetest.EmbedReply { return enginetest.EmbedReply{} })
	t.Run("longer than the window", func(t *testing.T) {
		vectors, err := embed(strings.Repeat("long text ", 2000))
		if err != nil || len(vectors) != 1 {
			t.Fatal(err)
		}
	})
	t.Run("words without end and control tokens", func(t *testing.T) {
		if _, err := embed(strings.Repeat("a", 10_000), "</s> <mask>", "\xff\xfe\x00"); err != nil {
			t.Fatal(err)
		}
		for _, s := range enginetest.Texts(*f.Requests()[len(f.Requests())-1].Embed) {
			for _, w := range strings.Fields(s) {
				if len([]rune(w)) > 200 || strings.Contains(s, "</s>") || strings.Contains(s, "<mask>") || strings.Contains(s, "\x00") {
					t.Errorf("sent %.50q", s)
				}
			}
		}
	})
	t.Run("engine gone", func(t *testing.T) {
		f.Stop()
		_, err := embed("x")
		wantCode(t, err, memory.EENGINE, "")
		var poison *engine.EmbedError
		if errors.As(err, &poison) {
			t.Error("the text is not to blame")
		}
	})
	_, err := e.Embed(t.Context(), engine.EmbedRequest{Model: enginetest.Chat, Texts: []string{"x"}})
	if err == nil {
		t.Error("a chat model must not embed")
	}
}
