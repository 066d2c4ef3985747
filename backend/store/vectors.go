package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"recollect/backend/memory"
)

// viewBit is the view as a set of one, and its row within a vec0 table is item.key*2 + viewBit − 1.
var viewBit = map[string]int{ViewOwn: 1, ViewCtx: 2}

const (
	bothViews   = 3
	maxOwnChars = 2000 // of a text as it is embedded by itself
	maxCtxChars = 600  // of a text that is embedded with its neighbours
	maxCtxSide  = 280  // of the text before, and of the one after
)

// viewsOf returns the views that are embedded of what an owner holds: an agent its messages, an archive its passages.
func viewsOf(owner int64) int {
	if owner&1 == 1 {
		return viewBit[ViewOwn]
	}
	return bothViews
}

// embedder names a model whose vectors are stored.
type embedder struct {
	key   int64
	model string
	dim   int
}

func (e embedder) table() string { return fmt.Sprintf("vec_%d", e.key) }

// transcripts is the place of what all agents have said, see embedder_place; an archive's is the owner of its passages.
const transcripts = 0

// placeOf returns the place of an archive.
func placeOf(archive int64) int64 { return archive*2 + 1 }

// PendingEmbeddings returns texts that wait to be embedded by the model, the newest first: those of the archives that name
// it and, where it is the app's own, what was said and the archives that name none. What has come to it waits from now on as
// a whole; the vectors of the model before stay and serve until DropReplaced. Nothing is returned once all have a vector.
func (s *Store) PendingEmbeddings(ctx context.Context, model string, dim int, own bool, limit int) ([]EmbedItem, error) {
	const op = "list texts to embed"
	e, err := s.embedder(ctx, op, model, dim)
	if err != nil {
		return nil, err
	}
	if err := s.assign(ctx, op, e, own); err != nil {
		return nil, err
	}
	type pending struct {
		key, owner int64
		views      int
	}
	waiting, err := all(ctx, s, func(r scanner) (p pending, err error) {
		return p, r.Scan(&p.key, &p.views, &p.owner)
	}, "pending_list", e.key, limitOr(limit))
	if err != nil {
		return nil, fault(op, err)
	}
	if len(waiting) == 0 {
		return []EmbedItem{}, s.finish(ctx, op, e)
	}
	items := []EmbedItem{}
	for _, p := range waiting {
		ref, own, ctxText, err := s.embedText(ctx, p.key, p.owner)
		if err != nil {
			return nil, fault(op, err)
		}
		for _, v := range []struct{ view, text string }{{ViewOwn, own}, {ViewCtx, ctxText}} {
			if p.views&viewBit[v.view] != 0 && len(items) < limitOr(limit) {
				items = append(items, EmbedItem{Ref: ref, View: v.view, Text: v.text})
			}
		}
	}
	return items, nil
}

// embedText returns the views of a text as they are embedded; of a passage only its own.
func (s *Store) embedText(ctx context.Context, key, owner int64) (ref Ref, own, around string, err error) {
	local := s.clock().Location()
	c, piece, err := chunkOf(ctx, s, key)
	if err != nil {
		return ref, "", "", err
	}
	if piece {
		key = c.whole
	}
	if owner&1 == 1 {
		var tags string
		var at int64
		ref.Kind = KindPassage
		_, err = one(ctx, s, func(r scanner) (struct{}, error) {
			return struct{}{}, r.Scan(&ref.ID, &own, &tags, &at, &owner)
		}, "item_passage", key)
		if err != nil {
			return ref, "", "", err
		}
		above, err := standsUnder(ctx, s, key)
		if above != "" {
			own = above + "\n" + own
		}
		if piece {
			ref.ID = c.name(ref.ID)
			own = c.of(own)
			own = strings.TrimSpace(c.under(strings.Join(unlisted(tags), " "), own) + "\n" + own)
		}
		return ref, clip(own, maxOwnChars), "", err
	}
	chars := maxOwnChars
	if piece {
		chars = maxIndexChars
	}
	m, err := readItemMessage(ctx, s, key, chars)
	if err != nil {
		return ref, "", "", err
	}
	if piece && c.n > 0 {
		about, err := topicOf(ctx, s, m)
		own = c.of(m.content)
		return Ref{Kind: KindMessage, ID: c.name(m.id)}, m.who() + ": " + c.under(about, own) + "\n" + own, "", err
	}
	if piece {
		m.content = c.of(m.content)
	}
	before, err := neighbour(ctx, s, "message_before", key, m.conversation, maxOwnChars)
	if err != nil {
		return ref, "", "", err
	}
	after, err := neighbour(ctx, s, "message_after", key, m.conversation, maxCtxSide)
	if err != nil {
		return ref, "", "", err
	}
	own = m.who() + ": " + m.content
	parts := []string{
		moment(m.at).In(local).Format("2006-01-02"), clipEnd(before.content, maxCtxSide), clip(own, maxCtxChars), after.content,
	}
	parts = slices.DeleteFunc(parts, func(p string) bool { return p == "" })
	return Ref{Kind: KindMessage, ID: m.id}, own, strings.Join(parts, "\n"), nil
}

// SaveEmbeddings stores vectors and takes their texts off the queue. Vectors of things that no longer exist are dropped;
// one of another length than dim, or without direction, fails with EINVALID and nothing is stored.
func (s *Store) SaveEmbeddings(ctx context.Context, model string, dim int, vectors []Embedding) error {
	const op = "store vectors"
	e, err := s.embedder(ctx, op, model, dim)
	if err != nil {
		return err
	}
	return s.write(ctx, op, lazy, func(t *tx) error {
		for _, v := range vectors {
			bit, ok := viewBit[v.View]
			if !ok {
				return memory.Errorf(memory.EINVALID, op, "there is no view %q", v.View)
			}
			unit, err := normalise(op, v.Vector, dim)
			if err != nil {
				return err
			}
			key, err := t.key(v.Ref)
			if errors.Is(err, sql.ErrNoRows) {
				continue
			}
			if err != nil {
				return err
			}
			row := key*2 + int64(bit) - 1
			// vec0 knows no REPLACE.
			if err := t.run("DELETE FROM "+e.table()+" WHERE rowid = ?", row); err != nil {
				return err
			}
			if err := t.run("INSERT INTO "+e.table()+" (rowid, view, vector) VALUES (?, ?, ?)", row, bit, floatBytes(unit)); err != nil {
				return err
			}
			if err := t.run("pending_done", e.key, key, bit); err != nil {
				return err
			}
			if err := t.run("pending_clear", e.key, key); err != nil {
				return err
			}
			item, err := one(t.ctx, t, scanItemMeta, itemMetas+" WHERE i.key = ?", key)
			if err != nil {
				return err
			}
			t.after = append(t.after, func() { s.vectors.put(e, v.View, item, unit) })
		}
		return nil
	})
}

// QuarantineEmbedding takes a text off the queue that the model cannot embed; it comes back when the text changes.
func (s *Store) QuarantineEmbedding(ctx context.Context, model, kind, id, reason string) error {
	const op = "set text aside"
	return s.write(ctx, op, lazy, func(t *tx) error {
		key, err := t.key(Ref{Kind: kind, ID: id})
		if err != nil {
			return missingOr(op, kind, id, err)
		}
		es, err := all(t.ctx, t, scanEmbedder, "embedder_list")
		if err != nil {
			return err
		}
		for _, e := range es {
			if e.model == model {
				if err := t.run("pending_problem", e.key, key, fallback(memory.CleanText(reason), "failed")); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// EmbeddingSets says for each model that has vectors here how far it has come with what it is wanted for.
func (s *Store) EmbeddingSets(ctx context.Context) ([]EmbeddingSet, error) {
	const op = "count vectors"
	es, err := all(ctx, s, scanEmbedder, "embedder_list")
	if err != nil {
		return nil, fault(op, err)
	}
	sets := make([]EmbeddingSet, len(es))
	for i, e := range es {
		sets[i] = EmbeddingSet{Model: e.model, Dim: e.dim}
		if sets[i].Done, err = one(ctx, s, value[int], "SELECT count(*) FROM "+e.table()+"_rowids"); err != nil {
			return nil, fault(op, err)
		}
		if sets[i].Pending, err = one(ctx, s, value[int], "pending_count", e.key); err != nil {
			return nil, fault(op, err)
		}
	}
	return sets, nil
}

// EmbeddingCounts returns how many vectors of a model are stored, and how many are still to be made.
func (s *Store) EmbeddingCounts(ctx context.Context, model string) (done, pending int, err error) {
	sets, err := s.EmbeddingSets(ctx)
	for _, set := range sets {
		if set.Model == model {
			done, pending = done+set.Done, pending+set.Pending
		}
	}
	return done, pending, err
}

// PlaceEmbedder is a model that has vectors of a place.
type PlaceEmbedder struct {
	Model string
	Done  bool // of everything there, but for what has come since
}

// PlaceEmbedders returns the models that have, or are making, vectors of an archive's passages, or of what was said where the
// id is "": those that had everything first, then the one that has been there longest.
func (s *Store) PlaceEmbedders(ctx context.Context, archiveID string) ([]PlaceEmbedder, error) {
	const op = "read embedders"
	place := int64(transcripts)
	if archiveID != "" {
		key, err := one(ctx, s, value[int64], "archive_key", archiveID)
		if err != nil {
			return nil, missingOr(op, "archive", archiveID, err)
		}
		place = placeOf(key)
	}
	found, err := all(ctx, s, func(r scanner) (p PlaceEmbedder, err error) { return p, r.Scan(&p.Model, &p.Done) }, "place_embedders", place)
	return found, fault(op, err)
}

// ArchiveEmbedders returns the models that archives name, each once.
func (s *Store) ArchiveEmbedders(ctx context.Context) ([]string, error) {
	models, err := all(ctx, s, value[string], "archive_embedders")
	return models, fault("list embedders", err)
}

// ArchiveIndexed returns how many texts, or pieces of long ones, an archive has, and how many of them still wait for their
// vector by a model.
func (s *Store) ArchiveIndexed(ctx context.Context, id, model string) (total, pending int, err error) {
	const op = "count vectors"
	key, err := one(ctx, s, value[int64], "archive_key", id)
	if err != nil {
		return 0, 0, missingOr(op, "archive", id, err)
	}
	_, err = one(ctx, s, func(r scanner) (struct{}, error) { return struct{}{}, r.Scan(&total, &pending) }, "archive_indexed", placeOf(key), model)
	return total, pending, fault(op, err)
}

// DropEmbeddings deletes all vectors of a model.
func (s *Store) DropEmbeddings(ctx context.Context, model string, dim int) error {
	const op = "drop vectors"
	return s.write(ctx, op, kept, func(t *tx) error {
		found, err := all(t.ctx, t, value[int64], "embedder_get", model, dim)
		if err != nil || len(found) == 0 {
			return err
		}
		return t.dropEmbedder(embedder{key: found[0], model: model, dim: dim})
	})
}

func (t *tx) dropEmbedder(e embedder) error {
	if err := t.run("DROP TABLE " + e.table()); err != nil {
		return err
	}
	for _, name := range []string{"pending_delete_all", "places_delete", "embedder_delete"} {
		if err := t.run(name, e.key); err != nil {
			return err
		}
	}
	t.after = append(t.after, func() { t.s.vectors.drop(e) })
	return nil
}

// DropReplaced deletes the vectors that other models have of what this one has embedded all of. It returns the models that
// have lost some.
func (s *Store) DropReplaced(ctx context.Context, model string, dim int) ([]string, error) {
	const op = "drop vectors"
	found, err := all(ctx, s, value[int64], "embedder_get", model, dim)
	if err != nil || len(found) == 0 {
		return nil, fault(op, err)
	}
	type replaced struct {
		embedder
		place int64
	}
	old, err := all(ctx, s, func(r scanner) (o replaced, err error) {
		return o, r.Scan(&o.place, &o.key, &o.model, &o.dim)
	}, "places_replaced", found[0])
	if err != nil {
		return nil, fault(op, err)
	}
	var models []string
	for _, o := range old {
		if err := s.dropPlace(ctx, op, o.embedder, o.place); err != nil {
			return models, err
		}
		if !slices.Contains(models, o.model) {
			models = append(models, o.model)
		}
	}
	return models, nil
}

// vectorsAtOnce is how many vectors are deleted one by one while others wait to write.
const vectorsAtOnce = 500

// dropPlace deletes what an embedder has of a place, and the embedder where it has nothing else. An interruption leaves the
// place to the next call.
func (s *Store) dropPlace(ctx context.Context, op string, e embedder, place int64) error {
	last := int64(-1)
	for more := true; more; {
		err := s.write(ctx, op, kept, func(t *tx) error {
			places, err := one(t.ctx, t, value[int], "places_count", e.key)
			if err != nil {
				return err
			}
			if places == 1 {
				more = false
				return t.dropEmbedder(e)
			}
			rows, err := all(t.ctx, t, value[int64], "SELECT r.rowid FROM "+e.table()+"_rowids r JOIN item i ON i.key = r.rowid >> 1 "+
				"WHERE r.rowid > ? AND iif(i.owner & 1, i.owner, 0) = ? ORDER BY r.rowid LIMIT ?", last, place, vectorsAtOnce)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if err := t.run("DELETE FROM "+e.table()+" WHERE rowid = ?", row); err != nil {
					return err
				}
				last = row
			}
			if more = len(rows) == vectorsAtOnce; more {
				return nil
			}
			t.after = append(t.after, func() { s.vectors.drop(e) })
			if err := t.run("pending_delete_place", place, e.key); err != nil {
				return err
			}
			return t.run("place_delete", place, e.key)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// embedder returns the model's entry, making it and its table where they are missing.
func (s *Store) embedder(ctx context.Context, op, model string, dim int) (embedder, error) {
	e := embedder{model: model, dim: dim}
	if model == "" || dim < 1 || dim > 8192 {
		return e, memory.Errorf(memory.EINVALID, op, "a model with %d dimensions cannot be", dim)
	}
	found, err := all(ctx, s, value[int64], "embedder_get", model, dim)
	if err != nil {
		return e, fault(op, err)
	}
	if len(found) > 0 {
		e.key = found[0]
		return e, nil
	}
	err = s.write(ctx, op, lazy, func(t *tx) error {
		res, err := t.exec("embedder_insert", model, dim)
		if err != nil {
			return err
		}
		if e.key, err = res.LastInsertId(); err != nil {
			return err
		}
		return t.makeVectorTable(e)
	})
	return e, err
}

// assign has everything of the places that an embedder is newly wanted for wait for it; own says that it is the app's own.
func (s *Store) assign(ctx context.Context, op string, e embedder, own bool) error {
	known, err := all(ctx, s, value[string], "meta_get", "embedder")
	if err != nil {
		return fault(op, err)
	}
	if own = own && !slices.Equal(known, []string{fmt.Sprint(e.key)}); !own {
		missing, err := all(ctx, s, value[int64], "places_missing", e.key)
		if err != nil || len(missing) == 0 {
			return fault(op, err)
		}
	}
	return s.write(ctx, op, lazy, func(t *tx) error {
		if own {
			if err := t.run("meta_set", "embedder", fmt.Sprint(e.key)); err != nil {
				return err
			}
		}
		missing, err := all(t.ctx, t, value[int64], "places_missing", e.key)
		if err != nil {
			return err
		}
		for _, place := range missing {
			if err := t.run("place_insert", place, e.key); err != nil {
				return err
			}
		}
		return t.run("pending_everything", e.key, encode(missing))
	})
}

// finish notes that an embedder has vectors of everything that it is wanted for.
func (s *Store) finish(ctx context.Context, op string, e embedder) error {
	n, err := one(ctx, s, value[int], "places_unfinished", e.key)
	if err != nil || n == 0 {
		return fault(op, err)
	}
	return s.write(ctx, op, lazy, func(t *tx) error {
		if waiting, err := all(t.ctx, t, value[int64], "pending_list", e.key, 1); err != nil || len(waiting) > 0 {
			return err
		}
		return t.run("places_finish", e.key)
	})
}

// makeVectorTable makes the vec0 table of an embedder. The view is a partition, so that a search reads only its own
// vectors. Chunks are small because vec0 writes a whole one to begin it.
func (t *tx) makeVectorTable(e embedder) error {
	return t.run(fmt.Sprintf("CREATE VIRTUAL TABLE %s USING vec0 (view integer partition key, vector float[%d] distance_metric=cosine, chunk_size=256)",
		e.table(), e.dim))
}

// wantVectors puts views of a thing into the queue of the embedders of its place.
func (t *tx) wantVectors(key int64, views int) error { return t.run("pending_want", key, views) }

// key returns the key of what a reference names.
func (t *tx) key(r Ref) (int64, error) {
	id, piece, is := strings.Cut(r.ID, pieceMark)
	name := "ref_message"
	if r.Kind == KindPassage {
		name = "ref_passage"
	}
	key, err := one(t.ctx, t, value[int64], name, id)
	if err != nil || !is {
		return key, err
	}
	n, err := strconv.Atoi(piece)
	if err != nil {
		return 0, sql.ErrNoRows
	}
	return one(t.ctx, t, value[int64], "chunk_key", key, n)
}

// VectorSearch returns the nearest neighbours of a vector by cosine, nearest first. It is exact: over the vectors in
// memory where the cache holds them, else in the file. A model that has no vectors finds nothing.
func (s *Store) VectorSearch(ctx context.Context, q VecQuery) ([]VecHit, error) {
	const op = "search vectors"
	bit, ok := viewBit[q.View]
	if !ok {
		return nil, memory.Errorf(memory.EINVALID, op, "there is no view %q", q.View)
	}
	owners, err := s.owners(ctx, q.AgentID, q.ArchiveID, q.Kinds, len(q.Tags) > 0)
	if err != nil {
		return nil, fault(op, err)
	}
	found, err := all(ctx, s, value[int64], "embedder_get", q.Model, len(q.Vector))
	if err != nil {
		return nil, fault(op, err)
	}
	if len(owners) == 0 || len(found) == 0 {
		return []VecHit{}, nil
	}
	unit, err := normalise(op, q.Vector, len(q.Vector))
	if err != nil {
		return nil, err
	}
	e := embedder{key: found[0], model: q.Model, dim: len(q.Vector)}
	near, refs, err := s.vectors.search(ctx, s, e, q, owners, unit)
	if err == nil && refs == nil {
		near, err = s.searchFile(ctx, e, q, bit, owners, unit)
	}
	if err != nil {
		return nil, fault(op, err)
	}
	hits, err := s.name(ctx, near, refs)
	return hits, fault(op, err)
}

// scored is an item with its cosine.
type scored struct {
	key    int64
	cosine float32
}

// nearest orders by cosine; equal ones the newest first, so that every way of searching gives the same.
func nearest(a, b scored) int {
	return cmp.Or(cmp.Compare(b.cosine, a.cosine), cmp.Compare(b.key, a.key))
}

// searchFile searches in the vec0 table.
func (s *Store) searchFile(ctx context.Context, e embedder, q VecQuery, bit int, owners []int64, unit []float32) ([]scored, error) {
	f := filter{
		conditions: []string{"i.hidden = 0", "i.owner IN (SELECT value FROM json_each(?))"},
		args:       []any{bit - 1, encode(owners)},
	}
	f.items(q.Roles, q.Tags, q.TagMode, millis(q.After), millis(q.Before))
	args := append([]any{floatBytes(unit), limitOr(q.K), bit}, f.args...)
	return all(ctx, s, func(r scanner) (sc scored, err error) {
		var row int64
		var distance float64
		err = r.Scan(&row, &distance)
		return scored{key: row >> 1, cosine: float32(1 - distance)}, err
	}, `SELECT rowid, distance FROM `+e.table()+` WHERE vector MATCH ? AND k = ? AND view = ?
		AND rowid IN (SELECT i.key * 2 + ? FROM item i`+f.where()+`) ORDER BY distance`, args...)
}

// ItemVectors returns the vectors of one view of items that Items has returned: of each all of its pieces, none where there
// are none yet.
func (s *Store) ItemVectors(ctx context.Context, model, view string, dim int, items []Item) ([][][]float32, error) {
	const op = "read vectors"
	bit, ok := viewBit[view]
	if !ok {
		return nil, memory.Errorf(memory.EINVALID, op, "there is no view %q", view)
	}
	found, err := all(ctx, s, value[int64], "embedder_get", model, dim)
	if err != nil {
		return nil, fault(op, err)
	}
	if len(found) == 0 {
		return make([][][]float32, len(items)), nil
	}
	e := embedder{key: found[0], model: model, dim: dim}
	if vectors, cached := s.vectors.of(e, view, items); cached {
		return vectors, nil
	}
	vectors, err := s.vectorsInFile(ctx, e, bit, items)
	return vectors, fault(op, err)
}

// vectorsInFile reads the vectors of items from the vec0 table.
func (s *Store) vectorsInFile(ctx context.Context, e embedder, bit int, items []Item) ([][][]float32, error) {
	keys, place := make([]int64, len(items)), make(map[int64]int, len(items))
	for i, it := range items {
		keys[i], place[it.key] = it.key, i
	}
	vectors := make([][][]float32, len(items))
	err := pairs(ctx, s, func(row int64, raw []byte) {
		v := make([]float32, e.dim)
		for j := range v {
			v[j] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*j:]))
		}
		i := place[row]
		vectors[i] = append(vectors[i], v)
	}, `SELECT wanted.whole, v.vector FROM (
			SELECT value AS key, value AS whole FROM json_each(?1) UNION SELECT key, whole FROM chunk WHERE whole IN (SELECT value FROM json_each(?1))
		) wanted CROSS JOIN `+e.table()+` v ON v.rowid = wanted.key * 2 + ?2`, encode(keys), bit-1)
	return vectors, err
}

// name turns keys into references, which are read where they are not known.
func (s *Store) name(ctx context.Context, near []scored, refs map[int64]Ref) ([]VecHit, error) {
	keys := make([]int64, len(near))
	for i, n := range near {
		keys[i] = n.key
	}
	pieces, err := chunksOf(ctx, s, keys)
	if err != nil {
		return nil, err
	}
	whole := func(key int64) int64 {
		if c, is := pieces[key]; is {
			return c.whole
		}
		return key
	}
	if refs == nil {
		refs = make(map[int64]Ref, len(near))
		for i, key := range keys {
			keys[i] = whole(key)
		}
		for _, kind := range []string{KindMessage, KindPassage} {
			err := pairs(ctx, s, func(key int64, id string) { refs[key] = Ref{Kind: kind, ID: id} },
				"SELECT key, id FROM "+kind+" WHERE key IN (SELECT value FROM json_each(?))", encode(keys))
			if err != nil {
				return nil, err
			}
		}
	}
	hits := make([]VecHit, 0, len(near))
	for _, n := range near {
		if ref, ok := refs[whole(n.key)]; ok {
			c := pieces[n.key]
			hits = append(hits, VecHit{Ref: ref, Cosine: float64(n.cosine), Start: c.start, End: c.stop})
		}
	}
	return bestPieces(hits, func(h VecHit) Ref { return h.Ref }), nil
}

// normalise returns a copy of v with length 1.
func normalise(op string, v []float32, dim int) ([]float32, error) {
	if len(v) != dim {
		return nil, memory.Errorf(memory.EINVALID, op, "a vector has %d dimensions instead of %d", len(v), dim)
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	length := math.Sqrt(sum)
	if length == 0 || math.IsNaN(length) || math.IsInf(length, 0) {
		return nil, memory.Errorf(memory.EINVALID, op, "a vector has no direction")
	}
	unit := make([]float32, dim)
	for i, x := range v {
		unit[i] = float32(float64(x) / length)
	}
	return unit, nil
}

// floatBytes returns v as vec0 stores it.
func floatBytes(v []float32) []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
	}
	return b
}

func scanEmbedder(r scanner) (e embedder, err error) {
	return e, r.Scan(&e.key, &e.model, &e.dim)
}
