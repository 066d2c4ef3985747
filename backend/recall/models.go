package recall

import "strings"

// prefixes are the instructions that a family of embedding models was trained with. Leaving them out costs several
// points of recall.
type prefixes struct{ query, passage string }

// families maps a part of a model's name to its prefixes; the first match counts.
var families = []struct {
	part string
	prefixes
}{
	{"qwen3-embedding", prefixes{query: "Instruct: Given a message, retrieve memories that help to answer it\nQuery: "}},
	{"nomic", prefixes{query: "search_query: ", passage: "search_document: "}},
	{"mxbai", prefixes{query: "Represent this sentence for searching relevant passages: "}},
	{"snowflake-arctic-embed2", prefixes{query: "query: "}},
	{"arctic-embed-l-v2", prefixes{query: "query: "}},
	{"arctic-embed-m-v2", prefixes{query: "query: "}},
	{"arctic-embed", prefixes{query: "Represent this sentence for searching relevant passages: "}},
	{"bge-m3", prefixes{}},
	{"bge", prefixes{query: "Represent this sentence for searching relevant passages: "}},
	{"embeddinggemma", prefixes{query: "task: search result | query: ", passage: "title: none | text: "}},
	{"e5", prefixes{query: "query: ", passage: "passage: "}},
}

// prefixesOf returns what the embedder wants before a query and before a stored text.
func prefixesOf(model string) prefixes {
	name := strings.ToLower(model)
	for _, f := range families {
		if strings.Contains(name, f.part) {
			return f.prefixes
		}
	}
	return prefixes{}
}

// maxEmbedTokens keeps texts inside the 512 tokens that small embedders read.
const maxEmbedTokens = 440

// beginning returns the beginning of a text that an embedder of 512 tokens surely reads: about three letters or one
// other character a token.
func beginning(text string) string {
	thirds := 0
	for i, c := range text {
		if thirds += thirdsOf(c); thirds > 3*maxEmbedTokens {
			return text[:i]
		}
	}
	return text
}

// ending does the same from the end, where a long message says what it wants.
func ending(text string) string {
	runes := []rune(text)
	thirds := 0
	for i := len(runes) - 1; i >= 0; i-- {
		if thirds += thirdsOf(runes[i]); thirds > 3*maxEmbedTokens {
			return string(runes[i+1:])
		}
	}
	return text
}

func thirdsOf(c rune) int {
	if c < 0x80 {
		return 1
	}
	return 3
}
