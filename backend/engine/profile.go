package engine

import (
	"slices"
	"strconv"
	"strings"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/model/renderers"
	"github.com/ollama/ollama/template"
	"github.com/ollama/ollama/types/model"

	"recollect/backend/memory"
)

// Architectures by how the engine treats them.
var (
	// ownEngine run on Ollama's own engine, the others on llama.cpp.
	ownEngine = []string{
		"bert", "deepseek2", "deepseekocr", "gemma3", "gemma3n", "gptoss", "gpt-oss", "llama4", "mistral3", "mllama", "nemotron_h",
		"nemotron_h_moe", "nomic-bert", "olmo3", "qwen25vl", "qwen3", "qwen3moe", "qwen35", "qwen35moe", "qwen3next", "qwen3vl",
		"qwen3vlmoe", "glm4moelite", "glmocr", "lfm2", "lfm2moe",
	}
	// slidingWindow keep only the window before the present place, so a prompt longer than that can only be appended to.
	slidingWindow = []string{"gemma2", "gemma3", "gemma3n", "olmo3"}
	// recurrent keep a state instead of a cache, with checkpoints far apart.
	recurrent = []string{"qwen3next", "qwen35", "qwen35moe", "lfm2", "lfm2moe", "nemotron_h", "nemotron_h_moe"}
	// oneSlot are served with one prompt cache whatever was asked for.
	oneSlot = append([]string{"mllama", "qwen3vl", "qwen3vlmoe"}, recurrent...)
)

// neededVersions are the oldest engines that handle an architecture rightly: older ones load it and then misread its tool
// calls.
var neededVersions = map[string]string{"qwen35": "0.17.5", "qwen35moe": "0.17.5"}

// tooOld returns the error for a model that the engine of that version does not handle, nil for one that it does. A version
// that says nothing, such as that of an engine somebody built, is taken for new enough.
func tooOld(op string, p Profile, version string) error {
	needed, ok := neededVersions[p.Arch]
	if !ok || !olderVersion(version, needed) {
		return nil
	}
	err := memory.Errorf(memory.EMODEL, op, "%s needs Ollama %s or newer; the engine in use is %s", p.Name, needed, version)
	err.Remedy = memory.RemedyUpdateEngine
	return err
}

// olderVersion compares two versions such as 0.17.4; what cannot be read, and 0.0.0, is not older.
func olderVersion(a, b string) bool {
	parse := func(s string) (v [3]int, ok bool) {
		s, _, _ = strings.Cut(strings.TrimPrefix(s, "v"), "-")
		parts := strings.Split(s, ".")
		for i := range min(len(parts), len(v)) {
			n, err := strconv.Atoi(parts[i])
			if err != nil {
				return v, false
			}
			v[i] = n
		}
		return v, v != [3]int{}
	}
	x, okX := parse(a)
	y, okY := parse(b)
	return okX && okY && slices.Compare(x[:], y[:]) < 0
}

// newProfile reads a model's profile out of what the engine shows.
func newProfile(m api.ListModelResponse, show api.ShowResponse) Profile {
	p := Profile{Model: modelOf(m), Template: show.Template}
	for _, c := range show.Capabilities {
		p.Capabilities = append(p.Capabilities, string(c))
	}
	p.Remote = p.Remote || show.RemoteHost != ""
	p.Chat = slices.Contains(show.Capabilities, model.CapabilityCompletion)
	p.Embedding = slices.Contains(show.Capabilities, model.CapabilityEmbedding)
	p.Tools = slices.Contains(show.Capabilities, model.CapabilityTools)
	p.Thinking = slices.Contains(show.Capabilities, model.CapabilityThinking)
	p.Vision = slices.Contains(show.Capabilities, model.CapabilityVision)

	p.Arch, _ = show.ModelInfo["general.architecture"].(string)
	if p.Arch == "" {
		p.Arch = m.Details.Family
	}
	key := func(name string) int { return number(show.ModelInfo[p.Arch+"."+name]) }
	p.Context = key("context_length")
	p.MaxContext = p.Context
	p.Dimension = key("embedding_length")
	p.SlidingWindow = key("attention.sliding_window")
	p.KVBytesPerToken = kvBytes(p.Arch, show.ModelInfo)
	p.BaseBytes = p.Bytes + 300<<20
	p.NeedBytes = p.Need(min(p.Context, DefaultWindow), 1)
	p.EngineKind = "llamarunner"
	if slices.Contains(ownEngine, p.Arch) && !strings.HasPrefix(tokenizerKind(show.ModelInfo), "t5") {
		p.EngineKind = "ollamarunner"
	}
	p.AppendOnly = slices.Contains(slidingWindow, p.Arch) || slices.Contains(recurrent, p.Arch)

	for line := range strings.Lines(show.Modelfile) { // the fields for these are never filled
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "FROM":
			if p.ModelPath == "" && strings.Contains(rest, "blobs") {
				p.ModelPath = rest
			}
		case "RENDERER":
			p.Renderer = rest
		case "PARSER":
			p.Parser = rest
		}
	}
	for line := range strings.Lines(show.Parameters) {
		switch f := strings.Fields(line); {
		case len(f) != 2:
		case f[0] == "num_thread":
			p.ownThreads = true
		case f[0] == "num_predict":
			p.longestAnswer, _ = strconv.Atoi(f[1]) //nolint:errcheck // 0: no limit of its own
		}
	}
	if p.Chat {
		p.probe()
	}
	return p
}

// tokenizerKind returns the tokenizer's kind: a bert with a unigram vocabulary runs on llama.cpp.
func tokenizerKind(info map[string]any) string {
	s, _ := info["tokenizer.ggml.model"].(string)
	return s
}

// number reads a number out of JSON, or the sum of a list of numbers; 0 when it is neither.
func number(v any) int {
	switch v := v.(type) {
	case float64:
		return int(v)
	case int:
		return v
	case []any:
		sum := 0
		for _, x := range v {
			sum += number(x)
		}
		return sum
	}
	return 0
}

// kvBytes is what one token of the window costs in memory: keys and values of all layers at two bytes a number.
func kvBytes(arch string, info map[string]any) int64 {
	key := func(name string) int { return number(info[arch+"."+name]) }
	layers, heads, dim := key("block_count"), key("attention.head_count"), key("embedding_length")
	kv := key("attention.head_count_kv")
	if _, list := info[arch+".attention.head_count_kv"].([]any); !list {
		kv *= layers // else the list has been summed over the layers
	}
	if kv == 0 {
		kv = heads * layers
	}
	k, v := key("attention.key_length"), key("attention.value_length")
	if heads > 0 && k == 0 {
		k = dim / heads
	}
	if v == 0 {
		v = k
	}
	return int64(kv) * int64(k+v) * 2
}

// probe renders a little chat with the model's template to learn where it puts tools and late system messages, and
// whether it leaves an answer at the end open.
func (p *Profile) probe() {
	const late, tool = "LATESYSTEM", "probetool"
	messages := []api.Message{
		{Role: "system", Content: "FIRSTSYSTEM"},
		{Role: "user", Content: "FIRSTUSER"},
		{Role: "assistant", Content: "ANSWER"},
		{Role: "system", Content: late},
		{Role: "user", Content: "SECONDUSER"},
	}
	out, ok := p.render(messages, nil)
	if ok {
		at, user := strings.Index(out, late), strings.Index(out, "FIRSTUSER")
		p.DropsLateSystem = at < 0
		p.HoistsSystem = at >= 0 && user >= 0 && at < user
	}
	if out, ok := p.render(messages[:3:3], nil); ok {
		p.Prefills = strings.HasSuffix(out, "ANSWER")
	}
	if !p.Tools {
		return
	}
	tools := api.Tools{{Type: "function", Function: api.ToolFunction{
		Name: tool, Description: tool, Parameters: api.ToolFunctionParameters{Type: "object", Properties: api.NewToolPropertiesMap()},
	}}}
	messages = slices.Delete(messages, 3, 4)
	if out, ok := p.render(messages, tools); ok {
		p.ToolsLastUser = strings.Index(out, tool) > strings.Index(out, "FIRSTUSER")
	}
	messages[2].ToolCalls = []api.ToolCall{{Function: api.ToolCallFunction{Name: "probecall"}}}
	if out, ok := p.render(messages, nil); ok {
		p.KeepsCallText = strings.Contains(out, "probecall") && strings.Contains(out, "ANSWER")
	}
}

// render renders a chat as the engine would.
func (p *Profile) render(messages []api.Message, tools api.Tools) (out string, ok bool) {
	defer func() {
		if recover() != nil { // templates come with models, from anywhere
			ok = false
		}
	}()
	if p.Renderer != "" {
		out, err := renderers.RenderWithRenderer(p.Renderer, messages, tools, nil)
		return out, err == nil
	}
	t, err := template.Parse(p.Template)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	err = t.Execute(&b, template.Values{Messages: messages, Tools: tools})
	return b.String(), err == nil
}

// slots returns how many prompt caches the model has on our own engine with so many.
func (p *Profile) slots(n int) int {
	if p.Embedding || slices.Contains(oneSlot, p.Arch) {
		return 1
	}
	return n
}

// stages says whether reading the prompt in growing pieces keeps what was read: where a cache survives only a pure append,
// each piece would be read anew.
func (p *Profile) stages(promptTokens int) bool {
	if !p.AppendOnly {
		return true
	}
	return slices.Contains(slidingWindow, p.Arch) && promptTokens < p.SlidingWindow
}
