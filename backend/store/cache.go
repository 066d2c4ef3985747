package store

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"slices"
	"sync"

	"gonum.org/v1/gonum/blas/gonum"

	"recollect/backend/memory"
)

// vectorCache holds vectors in memory, one set for each view of an embedder that fits. A set is loaded in the background
// when it is first searched; until then, and where it does not fit, the file is searched.
type vectorCache struct {
	mu     sync.RWMutex
	limit  int64 // bytes of all sets
	sets   map[setKey]*vectorSet
	closed bool
}

type setKey struct {
	embedder int64
	view     string
}

// itemMeta is what a filter asks of an item, and what names it.
type itemMeta struct {
	key, owner, date int64
	whole            int64  // key of the message or passage that it is a piece of: its own, where it is one
	id               string // of that
	role             memory.Role
	hidden           bool
}

func scanItemMeta(r scanner) (m itemMeta, err error) {
	return m, r.Scan(&m.key, &m.owner, &m.role, &m.date, &m.hidden, &m.whole, &m.id)
}

const itemMetas = `SELECT i.key, i.owner, i.role, i.date, i.hidden, ifnull(c.whole, i.key), coalesce(m.id, p.id, '')
	FROM item i LEFT JOIN chunk c ON c.key = i.key
		LEFT JOIN message m ON NOT i.owner & 1 AND m.key = ifnull(c.whole, i.key)
		LEFT JOIN passage p ON i.owner & 1 AND p.key = ifnull(c.whole, i.key)`

func (m *itemMeta) ref() Ref {
	if m.owner&1 == 1 {
		return Ref{Kind: KindPassage, ID: m.id}
	}
	return Ref{Kind: KindMessage, ID: m.id}
}

// blockLen is how many vectors lie one after another; a set grows by blocks, so that nothing is ever moved.
const blockLen = 2048

// vectorSet is the vectors of one view.
type vectorSet struct {
	dim    int
	ready  bool // loaded
	full   bool // does not fit
	blocks [][]float32
	coarse coarse // the same in bytes; unused where its dimension is 0
	items  []itemMeta
	at     map[int64]int   // place of an item
	pieces map[int64][]int // places of the pieces of a long text but the first
}

func newVectorSet(dim int) *vectorSet {
	return &vectorSet{dim: dim, coarse: coarse{dim: coarseDim(dim)}, at: map[int64]int{}, pieces: map[int64][]int{}}
}

func (v *vectorSet) put(item itemMeta, unit []float32) {
	i, known := v.at[item.key]
	if !known {
		i = len(v.items)
		v.at[item.key] = i
		v.items = append(v.items, item)
		if item.whole != item.key {
			v.pieces[item.whole] = append(v.pieces[item.whole], i)
		}
		if i%blockLen == 0 {
			v.blocks = append(v.blocks, make([]float32, blockLen*v.dim))
		}
	}
	v.items[i] = item
	copy(v.blocks[i/blockLen][i%blockLen*v.dim:], unit)
	if v.coarse.dim > 0 {
		v.coarse.put(i, unit)
	}
}

// bytesFor is the memory that n vectors take, with what belongs to them.
func bytesFor(n, dim int) int64 { return int64(n) * int64(4*dim+coarseDim(dim)+176) }

// bytes is the memory in use.
func (c *vectorCache) bytes() int64 {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.used()
}

func (c *vectorCache) used() int64 {
	var n int64
	for _, set := range c.sets {
		n += bytesFor(len(set.items), set.dim)
	}
	return n
}

// put notes a vector that was stored.
func (c *vectorCache) put(e embedder, view string, item itemMeta, unit []float32) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if set := c.sets[setKey{e.key, view}]; set != nil {
		c.add(set, item, unit)
	}
}

// add puts a vector into a set, or gives the set up when there is no room for it.
func (c *vectorCache) add(set *vectorSet, item itemMeta, unit []float32) {
	if set.full {
		return
	}
	if _, known := set.at[item.key]; !known && c.used()+bytesFor(1, set.dim) > c.limit {
		*set = vectorSet{dim: set.dim, full: true}
		return
	}
	set.put(item, unit)
}

// hide notes that items were deleted, or brought back.
func (c *vectorCache) hide(hidden bool, keys ...int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, set := range c.sets {
		for _, key := range keys {
			if i, ok := set.at[key]; ok {
				set.items[i].hidden = hidden
			}
			for _, i := range set.pieces[key] {
				set.items[i].hidden = hidden
			}
		}
	}
}

// drop forgets the vectors of an embedder.
func (c *vectorCache) drop(e embedder) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, view := range []string{ViewOwn, ViewCtx} {
		delete(c.sets, setKey{e.key, view})
	}
}

// setLimit changes the room. All sets are dropped: those that fit are loaded again when they are next searched.
func (c *vectorCache) setLimit(bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if bytes != c.limit {
		c.limit, c.sets = bytes, nil
	}
}

// close forgets all and loads nothing any more.
func (c *vectorCache) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sets, c.closed = nil, true
}

// search returns the nearest items and, by key, what they are pieces of; nil where the set is not in memory, and then loading
// begins.
func (c *vectorCache) search(ctx context.Context, s *Store, e embedder, q VecQuery, owners []int64, unit []float32) ([]scored, map[int64]Ref, error) {
	if len(q.Tags) > 0 { // tags are known to the file only
		return nil, nil, nil
	}
	c.mu.RLock()
	defer c.mu.RUnlock()
	set := c.sets[setKey{e.key, q.View}]
	if set == nil || !set.ready {
		if set == nil && !c.closed && c.limit > 0 {
			s.work.Go(func() { c.load(s, e, q.View) })
		}
		return nil, nil, nil
	}
	accepts := func(m *itemMeta) bool {
		return !m.hidden && slices.Contains(owners, m.owner) &&
			(len(q.Roles) == 0 || m.owner&1 == 1 || slices.Contains(q.Roles, m.role)) &&
			(q.After.IsZero() || m.date >= millis(q.After)) && (q.Before.IsZero() || m.date < millis(q.Before))
	}
	near, err := set.nearest(ctx, unit, limitOr(q.K), accepts)
	refs := make(map[int64]Ref, len(near))
	for _, n := range near {
		item := &set.items[set.at[n.key]]
		refs[item.whole] = item.ref()
	}
	return near, refs, err
}

// of returns copies of the vectors of items, by item, or false where the set is not in memory.
func (c *vectorCache) of(e embedder, view string, items []Item) ([][][]float32, bool) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	set := c.sets[setKey{e.key, view}]
	if set == nil || !set.ready {
		return nil, false
	}
	vectors := make([][][]float32, len(items))
	for n, it := range items {
		at := set.pieces[it.key]
		if i, ok := set.at[it.key]; ok {
			at = append([]int{i}, at...)
		}
		for _, i := range at {
			from := i % blockLen * set.dim
			vectors[n] = append(vectors[n], slices.Clone(set.blocks[i/blockLen][from:from+set.dim]))
		}
	}
	return vectors, true
}

// nearest goes through all vectors, on all processors. What their bytes show to be farther than the k nearest so far is
// not looked at more closely.
func (v *vectorSet) nearest(ctx context.Context, unit []float32, k int, accepts func(*itemMeta) bool) ([]scored, error) {
	var float gonum.Implementation // its inner product uses the processor's vector instructions
	workers := min(runtime.GOMAXPROCS(0), max(1, len(v.items)/1024))
	best := make([]topK, workers)
	var rough coarseQuery
	if v.coarse.dim > 0 {
		rough = v.coarse.query(unit)
	}
	var wg sync.WaitGroup
	for w := range workers {
		best[w].k = k
		wg.Go(func() {
			from, to := len(v.items)*w/workers, len(v.items)*(w+1)/workers
			for i := from; i < to; i++ {
				if i%blockLen == 0 && ctx.Err() != nil {
					return
				}
				item := &v.items[i]
				if !accepts(item) || rough.numbers != nil && best[w].excludes(v.coarse.bound(&rough, i)) {
					continue
				}
				at := i % blockLen * v.dim
				best[w].offer(scored{key: item.key, cosine: float.Sdot(v.dim, unit, 1, v.blocks[i/blockLen][at:at+v.dim], 1)})
			}
		})
	}
	wg.Wait()
	all := best[0]
	for _, b := range best[1:] {
		for _, s := range b.list {
			all.offer(s)
		}
	}
	return all.list, ctx.Err()
}

// topK keeps the k nearest in order.
type topK struct {
	k    int
	list []scored
}

// excludes reports whether a cosine of at most bound is not among them.
func (t *topK) excludes(bound float32) bool {
	return len(t.list) == t.k && bound < t.list[t.k-1].cosine
}

func (t *topK) offer(s scored) {
	if len(t.list) == t.k {
		if nearest(s, t.list[t.k-1]) >= 0 {
			return
		}
		t.list = t.list[:t.k-1]
	}
	i, _ := slices.BinarySearchFunc(t.list, s, nearest)
	t.list = slices.Insert(t.list, i, s)
}

// load reads a set from the file, unless that has begun already.
func (c *vectorCache) load(s *Store, e embedder, view string) {
	key := setKey{e.key, view}
	c.mu.Lock()
	if c.closed || c.limit <= 0 || c.sets[key] != nil {
		c.mu.Unlock()
		return
	}
	if c.sets == nil {
		c.sets = map[setKey]*vectorSet{}
	}
	set := newVectorSet(e.dim)
	c.sets[key] = set
	c.mu.Unlock()

	err := s.readVectors(e, view, func(item itemMeta, vector []float32) bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		if _, newer := set.at[item.key]; !newer { // stored meanwhile
			c.add(set, item, vector)
		}
		return !set.full && c.sets[key] == set // it may be dropped, or not be wanted any more
	})
	// What was deleted or brought back meanwhile is only certain while nobody writes.
	s.turn <- struct{}{}
	defer func() { <-s.turn }()
	var hidden []int64
	if err == nil {
		hidden, err = all(s.background, s, value[int64], "SELECT key FROM item WHERE hidden = 1")
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil { // the next search tries again
		if c.sets[key] == set {
			delete(c.sets, key)
		}
		return
	}
	for i := range set.items {
		set.items[i].hidden = false
	}
	for _, k := range hidden {
		if i, ok := set.at[k]; ok {
			set.items[i].hidden = true
		}
	}
	set.ready = !set.full
}

// readVectors calls f with all vectors of a view until it returns false. It reads the chunks in which vec0 keeps them,
// which takes a tenth of the time that vec0 takes to give them one by one. f must not keep the vector.
func (s *Store) readVectors(e embedder, view string, f func(item itemMeta, vector []float32) bool) error {
	type chunk struct{ validity, rowids, vectors []byte }
	ids, err := all(s.background, s, value[int64], "SELECT chunk_id FROM "+e.table()+"_chunks WHERE partition00 = ?", viewBit[view])
	if err != nil {
		return err
	}
	vector := make([]float32, e.dim)
	for _, id := range ids {
		c, err := one(s.background, s, func(r scanner) (c chunk, err error) {
			return c, r.Scan(&c.validity, &c.rowids, &c.vectors)
		}, "SELECT c.validity, c.rowids, v.vectors FROM "+e.table()+"_chunks c JOIN "+e.table()+
			"_vector_chunks00 v ON v.rowid = c.chunk_id WHERE c.chunk_id = ?", id)
		if errors.Is(err, sql.ErrNoRows) { // emptied meanwhile
			continue
		}
		if err != nil {
			return err
		}
		slots := map[int64]int{} // by item
		keys := []int64{}
		for i := range len(c.rowids) / 8 {
			if c.validity[i/8]&(1<<(i%8)) != 0 {
				key := int64(binary.LittleEndian.Uint64(c.rowids[8*i:])) >> 1
				slots[key] = i
				keys = append(keys, key)
			}
		}
		items, err := all(s.background, s, scanItemMeta,
			itemMetas+" WHERE i.key IN (SELECT value FROM json_each(?))", encode(keys))
		if err != nil {
			return err
		}
		for _, item := range items {
			raw := c.vectors[slots[item.key]*4*e.dim:]
			for i := range vector {
				vector[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
			}
			if !f(item, vector) {
				return nil
			}
		}
	}
	return nil
}
