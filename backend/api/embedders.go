package api

import (
	"slices"
	"strings"

	"recollect/backend/engine"
)

// embedders are models that search by meaning well here, small ones first. What they find was measured by recollect eval
// as docs/evaluation.md says; nil = not measured.
var embedders = []EmbedderOffer{
	{Name: "all-minilm", Bytes: 46 * mb, Languages: []string{"en"}, English: found(.849)},
	{Name: engine.StarterEmbedder, Bytes: 74 * mb, Languages: []string{"en", "zh"}, English: found(.861), Chinese: found(.721)},
	{Name: "nomic-embed-text", Bytes: 274 * mb, Languages: []string{"en"}},
	{Name: "embeddinggemma", Bytes: 622 * mb, Languages: []string{"en", "zh"}},
	{Name: "bge-m3", Bytes: 1200 * mb, Languages: []string{"en", "zh"}},
}

func found(share float64) *float64 { return &share }

// offeredEmbedders returns the embedders with which of them are installed, under whatever name.
func offeredEmbedders(installed []engine.Model) []EmbedderOffer {
	list := slices.Clone(embedders)
	for i := range list {
		o := &list[i]
		o.Library = o.Name != engine.StarterEmbedder
		o.Installed = slices.ContainsFunc(installed, func(m engine.Model) bool {
			return m.Embedding && strings.HasPrefix(bareName(m.Name), bareName(o.Name))
		})
	}
	return list
}

// bareName returns the name of a model without its publisher and its tag.
func bareName(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	return strings.ToLower(name)
}
