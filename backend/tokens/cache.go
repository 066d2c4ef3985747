package tokens

import (
	"hash/maphash"
	"sync"
)

// cacheSize is how many counts a generation of the cache holds: more than the messages of a large window.
const cacheSize = 8192

type cacheKey struct {
	hash   uint64
	length int
}

// cache remembers the counts of texts, or of words, by their hash. It has two generations: when the young one is full it becomes the old
// one, so that what is used stays and the size is bounded.
type cache struct {
	seed       maphash.Seed
	mu         sync.Mutex
	young, old map[cacheKey]int
}

func newCache() *cache { return &cache{seed: maphash.MakeSeed(), young: map[cacheKey]int{}} }

func (c *cache) key(text string) cacheKey { return cacheKey{maphash.String(c.seed, text), len(text)} }

func (c *cache) get(k cacheKey) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if n, ok := c.young[k]; ok {
		return n, true
	}
	n, ok := c.old[k]
	if ok {
		c.put(k, n)
	}
	return n, ok
}

func (c *cache) add(k cacheKey, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.put(k, n)
}

// count returns the count of a word by encode, which is asked once where the word is short.
func (c *cache) count(word string, encode func(string) int) int {
	if len(word) > shortWord {
		return encode(word)
	}
	k := c.key(word)
	n, ok := c.get(k)
	if !ok {
		n = encode(word)
		c.add(k, n)
	}
	return n
}

func (c *cache) put(k cacheKey, n int) {
	if len(c.young) >= cacheSize {
		c.young, c.old = map[cacheKey]int{}, c.young
	}
	c.young[k] = n
}
