package tokens

import (
	"fmt"

	"github.com/dlclark/regexp2"
)

// The expressions that cut a text into words before byte pairs are merged. They are those of the runners.
const (
	preLlama3 = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	preQwen2  = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	preGPT2   = `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)`
	preTekken = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	preO200k  = `[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	preWords  = `[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_` + "`" + `{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`
	preSeed   = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+`
	preBloom  = ` ?[^(\s|.,!?…。，、।۔،)]+`
)

// preByName has the expressions for each tokenizer.ggml.pre that we know, applied one after the other.
var preByName = map[string][]string{
	"llama3": {preLlama3}, "llama-v3": {preLlama3}, "llama-bpe": {preLlama3}, "falcon3": {preLlama3},
	"falcon-h1": {preLlama3}, "pixtral": {preLlama3}, "midm-2.0": {preLlama3}, "lfm2": {preLlama3},
	"dbrx": {preLlama3}, "smaug-bpe": {preLlama3}, "glm4": {preLlama3}, "chatglm-bpe": {preLlama3},
	"qwen2": {preQwen2}, "deepseek-r1-qwen": {preQwen2}, "kormo": {preQwen2}, "megrez": {preQwen2},
	"stablelm2": {preQwen2}, "hunyuan": {preQwen2}, "grok-2": {preQwen2},
	"smollm": {`\p{N}`, preGPT2}, "starcoder": {`\p{N}`, preGPT2}, "refact": {`\p{N}`, preGPT2},
	"command-r": {`\p{N}`, preGPT2}, "codeshell": {`\p{N}`, preGPT2}, "exaone": {`\p{N}`, preGPT2},
	"minerva-7b": {`\p{N}`, preGPT2},
	"gpt-2":      {preGPT2}, "phi-2": {preGPT2}, "gigachat": {preGPT2}, "mellum": {preGPT2}, "a.x-4.0": {preGPT2},
	"mpt": {preGPT2}, "olmo": {preGPT2}, "jais": {preGPT2}, "trillion": {preGPT2}, "exaone4": {preGPT2},
	"granite-docling": {preGPT2},
	"tekken":          {preTekken},
	"gpt-4o":          {preO200k}, "llama4": {preO200k}, "minimax-m2": {preO200k},
	"deepseek-v3": {`\p{N}{1,3}`, `[一-龥぀-ゟ゠-ヿ]+`, preWords}, "hunyuan-dense": {`\p{N}{1,3}`, `[一-龥぀-ゟ゠-ヿ]+`, preWords},
	"deepseek-coder": {`[\r\n]`, `\s?\p{L}+`, `\s?\p{P}+`, `[一-龥ࠀ-一가-퟿]+`, `\p{N}`},
	"falcon":         {`[\p{P}\$\+<=>\^~\|` + "`" + `]+`, preGPT2, `[0-9][0-9][0-9]`},
	"seed-coder":     {preSeed},
	"poro-chat":      {preBloom}, "bloom": {preBloom}, "gpt3-finnish": {preBloom}, "viking": {preBloom, `\p{N}`},
	"default": {`[\p{P}\$\+<=>\^~\|]+`, preGPT2, `\p{N}+`, `[0-9][0-9][0-9]`},
}

// preByArch has the expressions of the architectures that Ollama's own runner serves whatever the file says.
var preByArch = map[string][]string{
	"qwen3": {preQwen2}, "qwen3moe": {preQwen2}, "qwen35": {preQwen2}, "qwen35moe": {preQwen2},
	"qwen3next": {preQwen2}, "qwen3vl": {preQwen2}, "qwen3vlmoe": {preQwen2}, "qwen25vl": {preQwen2},
	"nemotron_h": {preQwen2}, "nemotron_h_moe": {preQwen2},
	"mistral3": {preTekken},
	"gptoss":   {preO200k}, "gpt-oss": {preO200k}, "llama4": {preO200k},
	"olmo3": {preLlama3}, "glm4moelite": {preLlama3}, "glmocr": {preLlama3}, "mllama": {preLlama3},
	"lfm2": {preLlama3}, "lfm2moe": {preLlama3},
	"gemma3": {preGPT2},
}

// preFor returns the expressions for a model, and whether they are known to be its own.
func preFor(arch, name string) (expressions []string, known bool) {
	if e, ok := preByArch[arch]; ok {
		return e, true
	}
	if name == "" {
		name = "default"
	}
	if e, ok := preByName[name]; ok {
		return e, true
	}
	return []string{preLlama3}, false
}

// splitter cuts a text into the words within which byte pairs are merged.
type splitter []*regexp2.Regexp

func newSplitter(expressions []string) (splitter, error) {
	var s splitter
	for _, e := range expressions {
		re, err := regexp2.Compile(e, regexp2.RE2)
		if err != nil {
			return nil, fmt.Errorf("compile a pre-tokenizer: %w", err)
		}
		s = append(s, re)
	}
	return s, nil
}

// words returns the words of text. What an expression leaves out between two matches is a word as well.
func (s splitter) words(text string) [][]rune {
	words := [][]rune{[]rune(text)}
	for _, re := range s {
		var next [][]rune
		for _, w := range words {
			end := 0
			for m, err := re.FindRunesMatch(w); m != nil && err == nil; m, err = re.FindNextMatch(m) {
				if m.Index > end {
					next = append(next, w[end:m.Index])
				}
				next = append(next, w[m.Index:m.Index+m.Length])
				end = m.Index + m.Length
			}
			if end < len(w) {
				next = append(next, w[end:])
			}
		}
		words = next
	}
	return words
}
