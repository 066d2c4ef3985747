package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

// Sizes in tokens, as segment counts them. A piece with what stands above it is read whole by an embedder of 512 tokens.
const (
	wholeTokens   = 420 // up to which a text is one piece
	chunkTokens   = 300 // of a piece of a longer one
	overlapTokens = 40  // of the sentences before that it begins with
	topicChars    = 160 // of what a piece is about
)

// chunk is a piece of a long message or passage.
type chunk struct {
	key, whole  int64
	n           int
	start, stop int // bytes
	heading     string
}

func scanChunk(r scanner) (c chunk, err error) {
	return c, r.Scan(&c.key, &c.whole, &c.n, &c.start, &c.stop, &c.heading)
}

// pieceMark stands between the id of a text and the number of its piece.
const pieceMark = "#"

// name returns the id of a piece, by which its vector is stored.
func (c chunk) name(id string) string {
	if c.n == 0 {
		return id
	}
	return id + pieceMark + strconv.Itoa(c.n)
}

// of returns the piece of its text.
func (c chunk) of(text string) string {
	if c.stop > len(text) || c.start > c.stop {
		return text
	}
	return text[c.start:c.stop]
}

// under returns what a piece is found by besides its words: what it is about, the headings above it, and that it says what
// somebody likes.
func (c chunk) under(about, text string) string {
	parts := []string{}
	for _, p := range []string{clip(strings.Join(strings.Fields(about), " "), topicChars), c.heading} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if preference.MatchString(text) {
		parts = append(parts, "preference 偏好")
	}
	return strings.Join(parts, " › ")
}

// preference is how people say what they like.
var preference = regexp.MustCompile(`(?i)\b(I|we) (really |just |always |usually )?(prefer|like|love|enjoy|hate|dislike|can['’]t stand|don['’]t like)\b|\bmy favou?rite\b|我(很|最|比较|更|不|特别)?(喜欢|讨厌|爱|偏爱)`)

// unlisted returns the strings of a JSON list; none where it is damaged.
func unlisted(list string) (all []string) {
	_ = json.Unmarshal([]byte(list), &all)
	return all
}

// chunkOf returns the piece that an item is, false where it is a whole text.
func chunkOf(ctx context.Context, q querier, key int64) (chunk, bool, error) {
	c, err := one(ctx, q, scanChunk, "chunk_get", key)
	if errors.Is(err, sql.ErrNoRows) {
		return chunk{}, false, nil
	}
	return c, err == nil, err
}

// chunksOf returns which of the keys are pieces.
func chunksOf(ctx context.Context, q querier, keys []int64) (map[int64]chunk, error) {
	list, err := all(ctx, q, scanChunk, "chunks_of", encode(keys))
	found := make(map[int64]chunk, len(list))
	for _, c := range list {
		found[c.key] = c
	}
	return found, err
}

// cut stores the pieces of a text, in place of those that it had; a text that is not long has none.
func (t *tx) cut(key, owner int64, role memory.Role, at time.Time, text string) ([]chunk, error) {
	old, err := all(t.ctx, t, value[int64], "chunk_keys", key)
	if err != nil {
		return nil, err
	}
	if err := t.run("chunk_delete", key); err != nil {
		return nil, err
	}
	if len(old) > 0 {
		if err := t.dropChunks(old); err != nil {
			return nil, err
		}
	}
	if len(text) <= wholeTokens || segment.Tokens(text) <= wholeTokens {
		return nil, nil
	}
	pieces := segment.Chunks(text, chunkTokens, overlapTokens)
	if len(pieces) < 2 {
		return nil, nil
	}
	chunks := make([]chunk, len(pieces))
	for i, p := range pieces {
		c := chunk{key: key, whole: key, n: i, start: p.Start, stop: p.End, heading: clip(p.Heading, topicChars)}
		if i > 0 {
			if c.key, err = t.addItem(owner, role, at); err != nil {
				return nil, err
			}
			if err := t.run("chunk_hide", c.key, key); err != nil {
				return nil, err
			}
		}
		if err := t.run("chunk_insert", c.key, c.whole, c.n, c.start, c.stop, c.heading); err != nil {
			return nil, err
		}
		chunks[i] = c
	}
	return chunks, nil
}

// dropChunks deletes the items of pieces, with their rows in the search index and their vectors.
func (t *tx) dropChunks(keys []int64) error {
	es, err := all(t.ctx, t, scanEmbedder, "embedder_list")
	if err != nil {
		return err
	}
	list := encode(keys)
	for _, e := range es {
		if err := t.run("DELETE FROM "+e.table()+" WHERE rowid IN (SELECT value * 2 FROM json_each(?))", list); err != nil {
			return err
		}
	}
	for _, name := range []string{"chunk_unsearch", "chunk_unqueue", "chunk_items_delete"} {
		if err := t.run(name, list); err != nil {
			return err
		}
	}
	t.after = append(t.after, func() {
		t.s.counts.unknown()
		t.s.vectors.hide(true, keys...)
	})
	return nil
}

// forgetChunks deletes all pieces; indexing makes them anew.
func (t *tx) forgetChunks() error {
	keys, err := all(t.ctx, t, value[int64], "chunks_all")
	if err != nil {
		return err
	}
	if err := t.run("chunks_forget"); err != nil {
		return err
	}
	return t.dropChunks(keys)
}

// cutMessage stores the pieces of a message and indexes all but the first, which indexMessage does.
func (t *tx) cutMessage(key int64) error {
	m, err := t.itemMessage(key, maxIndexChars)
	if err != nil || !m.worded() {
		return err
	}
	chunks, err := t.cut(key, m.owner, memory.Role(m.role), moment(m.at), m.content)
	if err != nil || len(chunks) == 0 {
		return err
	}
	about, err := topicOf(t.ctx, t, m)
	if err != nil {
		return err
	}
	for _, c := range chunks[1:] {
		text := c.of(m.content)
		if err := t.indexText(c.key, m.owner, text, c.under(about, text), m.who(), moment(m.at)); err != nil {
			return err
		}
		if err := t.wantVectors(c.key, viewBit[ViewOwn]); err != nil {
			return err
		}
	}
	return nil
}

// index puts a message or a passage into the search index, with its pieces.
func (t *tx) index(key int64, passage bool) error {
	if passage {
		return t.indexPassage(key)
	}
	if err := t.cutMessage(key); err != nil {
		return err
	}
	return t.indexMessage(key)
}

// topicOf returns what a long message is about: what an answer answers, or else how the message begins.
func topicOf(ctx context.Context, q querier, m itemMessage) (string, error) {
	if m.role == string(memory.RoleAssistant) {
		before, err := neighbour(ctx, q, "message_before", m.key, m.conversation, topicChars)
		if err != nil || before.content != "" {
			return before.content, err
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(m.content), "\n")
	return first, nil
}

// cutOlder cuts the texts that were stored before there were chunks, in steps between which others may write. What an
// interruption leaves is done at the next start.
func (s *Store) cutOlder(ctx context.Context) error {
	return s.cutBelow(ctx, "cut long texts", chunkBelow, "chunk_older", wholeTokens)
}

// cutBelow cuts and indexes the texts below a key that a mark remembers, the newest first; a query names the next ones, and
// has args besides the mark.
func (s *Store) cutBelow(ctx context.Context, op, mark, query string, args ...any) error {
	type older struct {
		key     int64
		passage bool
	}
	for {
		marks, err := all(ctx, s, value[string], "meta_get", mark)
		if err != nil || len(marks) == 0 {
			return fault(op, err)
		}
		below, err := strconv.ParseInt(marks[0], 10, 64)
		if err != nil {
			return fault(op, err)
		}
		texts, err := all(ctx, s, func(r scanner) (o older, err error) { return o, r.Scan(&o.key, &o.passage) }, query, append([]any{below}, args...)...)
		if err != nil {
			return fault(op, err)
		}
		if err := s.write(ctx, op, lazy, func(t *tx) error {
			for _, o := range texts {
				if err := t.cutOld(o.key, o.passage); err != nil {
					return err
				}
				below = o.key
			}
			if len(texts) == 0 {
				return t.run("meta_delete", mark)
			}
			return t.run("meta_set", mark, strconv.FormatInt(below, 10))
		}); err != nil {
			return err
		}
		if len(texts) == 0 {
			return nil
		}
	}
}

// chunkBelow is where the store remembers how far cutOlder is.
const chunkBelow = "chunk_below"

// cutOld cuts a text that was one piece; its first piece then has other words.
func (t *tx) cutOld(key int64, passage bool) error {
	if err := t.index(key, passage); err != nil {
		return err
	}
	if _, is, err := chunkOf(t.ctx, t, key); err != nil || !is {
		return err
	}
	return t.wantVectors(key, viewBit[ViewOwn])
}
