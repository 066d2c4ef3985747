package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine/enginetest/scripted"
)

func TestSanitiseSchema(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"keeps the order":       {`{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer","minimum":1}},"required":["z"]}`, `{"type":"object","properties":{"z":{"type":"string"},"a":{"type":"integer","minimum":1}},"required":["z"]}`},
		"drops what crashes":    {`{"type":"string","pattern":"^(?=x).*$","format":"date","not":{}}`, `{"type":"string"}`},
		"drops it inside":       {`{"type":"array","items":{"type":"string","pattern":"x"},"maxItems":5}`, `{"type":"array","items":{"type":"string"},"maxItems":5}`},
		"drops it in anyOf":     {`{"anyOf":[{"type":"string","pattern":"x"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		"caps counts":           {`{"type":"string","maxLength":100000,"minLength":-1}`, `{"type":"string","maxLength":2000}`},
		"no references":         {`{"$defs":{"x":{}},"type":"object","properties":{"a":{"$ref":"#/$defs/x"}},"additionalProperties":true}`, `{"type":"object","properties":{"a":{}}}`},
		"property named so":     {`{"type":"object","properties":{"pattern":{"type":"string"}}}`, `{"type":"object","properties":{"pattern":{"type":"string"}}}`},
		"fractions have none":   {`{"type":"number","minimum":0.5,"maximum":1}`, `{"type":"number","maximum":1}`},
		"enumeration and const": {`{"enum":["a",1,null],"const":"a"}`, `{"enum":["a",1,null],"const":"a"}`},
	} {
		got, err := SanitiseSchema(json.RawMessage(c.in))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v", name, got, err)
		}
	}
	for _, bad := range []string{``, `"json"`, `[]`, `{`, `{"properties":[]}`, `{"items":1}`, strings.Repeat(`{"items":`, 40) + `{}` + strings.Repeat(`}`, 40)} {
		if got, err := SanitiseSchema(json.RawMessage(bad)); err == nil {
			t.Errorf("%.40s became %s", bad, got)
		}
	}
}

func TestSlotLogKeepsFiguresAndDropsPrompts(t *testing.T) {
	var out strings.Builder
	l := newSlotLog(&out)
	mark := l.mark()
	text := `time=2026-01-02T03:04:05.000Z level=INFO source=x.go:1 msg="runner started"` + "\n" +
		`time=2026-01-02T03:04:05.000Z level=DEBUG source=routes.go:9 msg="chat request" prompt="my secret"` + "\n" +
		`[GIN] 2026/01/02 - 03:04:05 | 200 | 1s | 127.0.0.1 | POST "/api/chat"` + "\n" +
		`time=2026-01-02T03:04:05.000Z level=DEBUG source=cache.go:104 msg="loading cache slot" id=1 cache=957 prompt=1001 used=955 remaining=46` + "\n" +
		strings.Repeat("x", 100_000) + "\n" + "ggml warning\n"
	for i := 0; i < len(text); i += 7 { // lines arrive in pieces
		fmt.Fprint(l, text[i:min(i+7, len(text))])
	}
	if s, ok := l.find(mark, 1001); !ok || s != (slotLine{1, 957, 1001, 955}) {
		t.Errorf("got %+v %v", s, ok)
	}
	if _, ok := l.find(l.mark(), 1001); ok {
		t.Error("an old line was taken for a new one")
	}
	if got := out.String(); !strings.Contains(got, "runner started") || !strings.Contains(got, "ggml warning") || strings.Contains(got, "secret") ||
		strings.Contains(got, "GIN") || len(got) > 1000 {
		t.Errorf("the log got %q", got)
	}
	var none *slotLog
	if _, ok := none.find(none.mark(), 1); ok {
		t.Error("no log, no line")
	}
	for i := range 200 {
		fmt.Fprintf(l, "msg=\"loading cache slot\" id=0 cache=0 prompt=%d used=0\n", i)
	}
	if s, ok := l.find(mark, 199); !ok || s.Prompt != 199 {
		t.Errorf("after many lines: %+v %v", s, ok)
	}
}

func TestAddresses(t *testing.T) {
	for in, want := range map[string]string{
		"127.0.0.1": "http://127.0.0.1:11434", "0.0.0.0": "http://127.0.0.1:11434", "0.0.0.0:8080": "http://127.0.0.1:8080",
		"localhost:1234": "http://localhost:1234", "http://box": "http://box:80", "https://box/ollama/": "https://box:443/ollama",
		"http://127.0.0.1:11434/v1": "http://127.0.0.1:11434", "[::1]:5": "http://[::1]:5", "::1": "http://[::1]:11434", ":7000": "http://127.0.0.1:7000",
		` "box:9" `: "http://box:9", "[::]": "http://127.0.0.1:11434",
	} {
		if u, err := parseAddress(in); err != nil || u.String() != want {
			t.Errorf("%s: got %v, %v, want %s", in, u, err, want)
		}
	}
	for _, bad := range []string{"ftp://x", "http://a b", "x:y:z w"} {
		if u, err := parseAddress(bad); err == nil {
			t.Errorf("%s became %s", bad, u)
		}
	}
	for in, want := range map[string]bool{"localhost": true, "127.0.0.5": true, "[::1]:3": true, "[::ffff:127.0.0.1]:3": true, "192.168.1.7": false, "example.org": false, "localhost.example.org": false} {
		if u, err := parseAddress(in); err != nil || isLoopback(u) != want {
			t.Errorf("%s: loopback %v, %v", in, !want, err)
		}
	}
}

func TestQueueUnderLoad(t *testing.T) {
	var q queue
	var wg sync.WaitGroup
	inside := 0
	for i := range 200 {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%3 == 0 {
				go cancel()
			}
			if q.acquire(ctx, Priority(i%3)) != nil {
				return
			}
			if inside++; inside != 1 {
				t.Error("two at once")
			}
			inside--
			q.release()
		})
	}
	wg.Wait()
	if !q.idle() {
		t.Error("the turn was lost")
	}
}

func TestCutIsThePromptsBeginning(t *testing.T) {
	turn := &turn{total: 1000, base: api.ChatRequest{Messages: []api.Message{
		{Role: "system", Content: strings.Repeat("规则 and rules. ", 40)},
		{Role: "user", Content: strings.Repeat("你好 🦊 ", 50)},
		{Role: "assistant", Content: "Calls.", ToolCalls: []api.ToolCall{{Function: api.ToolCallFunction{Name: "search"}}}},
		{Role: "tool", Content: strings.Repeat("result ", 60)},
		{Role: "user", Content: strings.Repeat("question ", 80)},
	}}}
	last := -1
	for n := 50; n < 1000; n += 50 {
		messages, ok := turn.cut(n)
		if !ok {
			t.Fatalf("no cut at %d", n)
		}
		length := 0
		for i, m := range messages {
			whole := turn.base.Messages[min(i, 4)]
			if m.Role == whole.Role && strings.HasPrefix(whole.Content, m.Content) {
				length += len(m.Content)
			} else if m.Content != "." {
				t.Errorf("at %d message %d is %q", n, i, m.Content)
			}
			if !strings.HasPrefix(strings.ToValidUTF8(m.Content, "?"), m.Content) {
				t.Errorf("at %d message %d is cut inside a character", n, i)
			}
		}
		if length < last {
			t.Errorf("the cut at %d has %d characters, the one before %d", n, length, last)
		}
		last = length
	}
	if _, ok := turn.cut(2000); ok {
		t.Error("there is nothing to cut behind the end")
	}
}

func TestChildEnvironment(t *testing.T) {
	got := childEnv([]string{"PATH=/bin", "OLLAMA_HOST=0.0.0.0", "OLLAMA_MULTIUSER_CACHE=1", "OLLAMA_MODELS=/elsewhere", "HTTPS_PROXY=http://p", "no_proxy=a.example"},
		"127.0.0.1:5", "/home/models", 2, DefaultWindow)
	all := "\n" + strings.Join(got, "\n") + "\n"
	for _, want := range []string{"PATH=/bin", "OLLAMA_HOST=127.0.0.1:5", "OLLAMA_MODELS=/home/models", "OLLAMA_NUM_PARALLEL=2", "OLLAMA_NO_CLOUD=1", "OLLAMA_NOPRUNE=1", "HTTPS_PROXY=http://p", "NO_PROXY=127.0.0.1,localhost,::1,a.example"} {
		if !strings.Contains(all, "\n"+want+"\n") {
			t.Errorf("%s is missing in %s", want, all)
		}
	}
	for _, bad := range []string{"MULTIUSER", "0.0.0.0", "elsewhere"} {
		if strings.Contains(all, bad) {
			t.Errorf("%s is in %s", bad, all)
		}
	}
}

func FuzzSanitiseSchema(f *testing.F) {
	f.Add([]byte(`{"type":"object","properties":{"a":{"type":"string","pattern":"x"}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		out, err := SanitiseSchema(b)
		if err == nil && !json.Valid(out) {
			t.Errorf("%q became %q", b, out)
		}
	})
}

func FuzzCheckGGUF(f *testing.F) {
	f.Add([]byte("GGUF\x03\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00"))
	path := filepath.Join(f.TempDir(), "seed.gguf")
	if err := scripted.Write(path, scripted.Bert); err != nil {
		f.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole[:4000])
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "x.gguf")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if info, err := checkGGUF(path); err == nil && info.Arch == "" { // and it must not panic or take memory without end
			t.Error("a model without an architecture was accepted")
		}
	})
}

// However the pieces fall, thoughts at the start of an answer are parted from its words.
func TestThoughtsArePartedFromWords(t *testing.T) {
	for text, want := range map[string][2]string{
		"Hello <think>not</think> there":            {"Hello <think>not</think> there", ""},
		"<think>\nHm, 2 < 3.\n</think>\n\nYes.":     {"Yes.", "\nHm, 2 < 3.\n"},
		" \n<think></think>\n\nNo <think> about it": {"No <think> about it", ""},
		"<think>without end </thi":                  {"", "without end </thi"},
		"<thin":                                     {"<thin", ""},
		"<thinking> is a tag":                       {"<thinking> is a tag", ""},
		"<think>想一想</think>好的 </think>":             {"好的 </think>", "想一想"},
		"": {"", ""},
		"\n  indented code stays as it was written\n": {"\n  indented code stays as it was written\n", ""},
	} {
		for size := 1; size <= len(text)+1; size++ {
			var s thinkSplitter
			var content, thinking string
			take := func(c, t string) { content, thinking = content+c, thinking+t }
			for i := 0; i < len(text); i += size {
				take(s.add(text[i:min(i+size, len(text))]))
			}
			take(s.end())
			if content != want[0] || thinking != want[1] {
				t.Errorf("%q in pieces of %d: words %q, thoughts %q", text, size, content, thinking)
			}
		}
	}
}

func TestProfileKnowsWhetherAnAnswerCanBeGoneOnWith(t *testing.T) {
	const open = `{{- range $i, $_ := .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}{{ if or (ne .Role "assistant") (ne (len (slice $.Messages $i)) 1) }}<|im_end|>
{{ end }}{{ end }}`
	const shut = `{{- range .Messages }}<|im_start|>{{ .Role }}
{{ .Content }}<|im_end|>
{{ end }}<|im_start|>assistant
`
	for template, want := range map[string]bool{open: true, shut: false, "{{ .Prompt": false} {
		p := Profile{Template: template}
		p.probe()
		if p.Prefills != want {
			t.Errorf("%v for %s", p.Prefills, template)
		}
	}
	p := Profile{Renderer: "qwen3-coder"}
	if p.probe(); !p.Prefills {
		t.Error("Ollama's own renderer closes the answer")
	}
}
