package tokens

import (
	"slices"

	"github.com/ollama/ollama/tokenizer"
)

// specials finds the tokens that are recognised in a text before it is tokenized, such as <|im_end|>, in one pass.
// (Ollama's tokenizers splice a list for each of them, which takes quadratic time.)
type specials struct {
	ids     map[string]int
	first   [256][]int // lengths of the tokens that begin with a byte, longest first
	byOrder bool       // of several that match the first of the vocabulary is taken, as Ollama's runner does; else the longest
}

func newSpecials(tokens []string, types []int32, byOrder bool) *specials {
	s := &specials{ids: map[string]int{}, byOrder: byOrder}
	for i, t := range tokens {
		if t == "" || i >= len(types) || types[i] != tokenizer.TOKEN_TYPE_CONTROL && types[i] != tokenizer.TOKEN_TYPE_USER_DEFINED {
			continue
		}
		s.ids[t] = i
		if !slices.Contains(s.first[t[0]], len(t)) {
			s.first[t[0]] = append(s.first[t[0]], len(t))
		}
	}
	for i := range s.first {
		slices.SortFunc(s.first[i], func(a, b int) int { return b - a })
	}
	return s
}

// next returns where the first special token of text begins and how long it is; length 0 means there is none.
func (s *specials) next(text string) (start, length int) {
	for i := range len(text) {
		if n := s.at(text[i:]); n > 0 {
			return i, n
		}
	}
	return len(text), 0
}

// at returns the length of the special token that text begins with, 0 for none.
func (s *specials) at(text string) int {
	found, order := 0, 0
	for _, n := range s.first[text[0]] {
		if n > len(text) {
			continue
		}
		id, ok := s.ids[text[:n]]
		if ok && (found == 0 || s.byOrder && id < order) {
			found, order = n, id
			if !s.byOrder {
				break
			}
		}
	}
	return found
}

// normal returns types with all special tokens made normal ones, for tokenizers that are only given the text between.
func normal(types []int32) []int32 {
	types = slices.Clone(types)
	for i, t := range types {
		if t == tokenizer.TOKEN_TYPE_CONTROL || t == tokenizer.TOKEN_TYPE_USER_DEFINED {
			types[i] = tokenizer.TOKEN_TYPE_NORMAL
		}
	}
	return types
}
