package api

import (
	"slices"

	"recollect/backend/engine"
)

const mb = 1_000_000

// suggested are models of the public library that work well here, small ones first. Bytes are those of its default
// quantization; NeedBytes adds the cache of 8,192 tokens and a tenth.
var suggested = []Suggestion{
	{Name: "qwen3:0.6b", Bytes: 523 * mb, NeedBytes: 1600 * mb, Languages: []string{"en", "zh"}, NoteKey: "small", License: "Apache-2.0"},
	{Name: "qwen3:1.7b", Bytes: 1400 * mb, NeedBytes: 2600 * mb, Languages: []string{"en", "zh"}, NoteKey: "light", License: "Apache-2.0"},
	{Name: "llama3.2:3b", Bytes: 2000 * mb, NeedBytes: 3200 * mb, Languages: []string{"en"}, NoteKey: "light", License: "Llama 3.2"},
	{Name: "qwen3:4b", Bytes: 2500 * mb, NeedBytes: 4100 * mb, Languages: []string{"en", "zh"}, NoteKey: "balanced", License: "Apache-2.0"},
	{Name: "qwen3:8b", Bytes: 5200 * mb, NeedBytes: 7100 * mb, Languages: []string{"en", "zh"}, NoteKey: "good", License: "Apache-2.0"},
	{Name: "qwen3:14b", Bytes: 9300 * mb, NeedBytes: 11800 * mb, Languages: []string{"en", "zh"}, NoteKey: "best", License: "Apache-2.0"},
	{Name: "bge-m3", Bytes: 1200 * mb, NeedBytes: 1400 * mb, Languages: []string{"en", "zh"}, Embedding: true, NoteKey: "embedder", License: "MIT"},
}

// suggestions returns the suggested models, with what this machine says about them.
func suggestions(installed []engine.Model, memoryBytes int64) []Suggestion {
	list := slices.Clone(suggested)
	for i := range list {
		s := &list[i]
		s.Installed = slices.ContainsFunc(installed, func(m engine.Model) bool {
			return engine.SameModel(m.Name, s.Name)
		})
		s.Fits = engine.Fits(s.NeedBytes, memoryBytes)
	}
	return list
}
