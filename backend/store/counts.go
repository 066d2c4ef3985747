package store

import (
	"context"
	"sync"
)

const (
	scopedBelow  = 4    // a search names its owners in the index where their texts are less than this part of all
	commonWord   = 500  // texts from which on the count of a word is remembered
	staleAfter   = 8    // it is counted anew when the index has grown by this part of the count: it is never wrong by more
	mostCommon   = 4096 // words remembered
	unknownTotal = -1
)

// indexCounts is what is known of the search index without walking through it: how many texts it holds of each owner,
// and how many of them contain the common words.
type indexCounts struct {
	mu      sync.Mutex
	total   int // texts of all owners; unknownTotal = not counted yet
	byOwner map[int64]int
	words   map[string]wordCount
}

// wordCount says in how many texts a word was when the index held that many.
type wordCount struct{ texts, of int }

func newIndexCounts() *indexCounts { return &indexCounts{total: unknownTotal} }

// added notes one more text of an owner.
func (c *indexCounts) added(owner int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.total != unknownTotal {
		c.total++
		c.byOwner[owner]++
	}
}

// emptied notes that the index holds nothing any more.
func (c *indexCounts) emptied() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total, c.byOwner, c.words = 0, map[int64]int{}, nil
}

// unknown notes that texts have gone, of which nobody says how many: all is counted anew when it is asked for.
func (c *indexCounts) unknown() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.total, c.byOwner, c.words = unknownTotal, nil, nil
}

// countTexts returns how many texts the index holds, and how many of them are those of some owners. They are counted once and
// kept up to date.
func (s *Store) countTexts(ctx context.Context, owners []int64) (total, mine int, err error) {
	c := s.counts
	c.mu.Lock()
	known := c.total != unknownTotal
	c.mu.Unlock()
	counted, all := map[int64]int{}, 0
	if !known {
		if err := pairs(ctx, s, func(owner int64, n int) { counted[owner], all = n, all+n }, "item_count_by_owner"); err != nil {
			return 0, 0, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.total == unknownTotal {
		c.total, c.byOwner = all, counted
	}
	for _, o := range owners {
		mine += c.byOwner[o]
	}
	return c.total, mine, nil
}

// countWord returns in how many of total texts a term is. Counting walks through all of them, so the common ones, which
// every question has, are remembered; a rare one is always counted, for the first text that has it must be found at once.
func (s *Store) countWord(ctx context.Context, term string, total int) (int, error) {
	c := s.counts
	c.mu.Lock()
	w, ok := c.words[term]
	c.mu.Unlock()
	if ok && total >= w.of && (total-w.of)*staleAfter <= w.texts {
		return w.texts, nil
	}
	n, err := one(ctx, s, value[int], "term_count", columns+": "+term)
	if err != nil || n < commonWord {
		return n, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.words == nil || len(c.words) >= mostCommon {
		c.words = map[string]wordCount{}
	}
	c.words[term] = wordCount{texts: n, of: total}
	return n, nil
}
