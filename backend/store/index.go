package store

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

const (
	maxIndexChars     = 1 << 19 // of one text go into the search index; who pastes several books keeps them, and finds the first
	maxNeighbourChars = 500     // of the message before and of the one after
)

// addItem makes the row that a message or passage shares with the search index, and returns its key.
func (t *tx) addItem(owner int64, role memory.Role, date time.Time) (int64, error) {
	res, err := t.exec("item_insert", owner, string(role), millis(date))
	if err != nil {
		return 0, err
	}
	return res.LastInsertId()
}

// hide takes items out of every search, or back into it.
func (t *tx) hide(hidden bool, key int64) error {
	if err := t.run("item_hide", hidden, key); err != nil {
		return err
	}
	t.after = append(t.after, func() { t.s.vectors.hide(hidden, key) })
	return nil
}

// indexPassage puts a passage into the search index, in place of what was there of it. What stands around a passage of a
// document is its title and the headings above it.
func (t *tx) indexPassage(key int64) error {
	type row struct {
		id, text, tags string
		at, owner      int64
	}
	p, err := one(t.ctx, t, func(r scanner) (p row, err error) {
		return p, r.Scan(&p.id, &p.text, &p.tags, &p.at, &p.owner)
	}, "item_passage", key)
	if err != nil {
		return err
	}
	var tags []string
	if err := json.Unmarshal([]byte(p.tags), &tags); err != nil {
		return err
	}
	above, err := standsUnder(t.ctx, t, key)
	if err != nil {
		return err
	}
	labels := strings.Join(tags, " ")
	var chunks []chunk
	if above == "" { // a document has been cut when it was read
		if chunks, err = t.cut(key, p.owner, "", moment(p.at), p.text); err != nil {
			return err
		}
	}
	for _, c := range chunks[min(1, len(chunks)):] {
		text := c.of(p.text)
		if err := t.indexText(c.key, p.owner, text, c.under("", text), labels, moment(p.at)); err != nil {
			return err
		}
		if err := t.wantVectors(c.key, viewBit[ViewOwn]); err != nil {
			return err
		}
	}
	if len(chunks) > 0 {
		above, p.text = chunks[0].under("", ""), chunks[0].of(p.text)
	}
	return t.indexText(key, p.owner, p.text, above, labels, moment(p.at))
}

// indexMessage puts a message into the search index, in place of what was there of it: what it says, what was said
// before and after it, who said it and when. The preamble, which holds recalled text, stays out: what recall brought
// must not be found as if it had been said again. Only what the user and the assistant said is indexed.
func (t *tx) indexMessage(key int64) error {
	m, err := t.itemMessage(key, maxIndexChars)
	if err != nil || !m.worded() {
		return err
	}
	if c, is, err := chunkOf(t.ctx, t, key); err != nil {
		return err
	} else if is {
		m.content = c.of(m.content)
	}
	before, err := neighbour(t.ctx, t, "message_before", key, m.conversation, maxNeighbourChars)
	if err != nil {
		return err
	}
	after, err := neighbour(t.ctx, t, "message_after", key, m.conversation, maxNeighbourChars)
	if err != nil {
		return err
	}
	return t.indexText(key, m.owner, m.content, before.content+" \n"+after.content, m.who(), moment(m.at))
}

// indexAround indexes a message that has just got its words, and the ones that it is a neighbour of.
func (t *tx) indexAround(key int64) error {
	m, err := t.itemMessage(key, 1)
	if err != nil || !m.worded() {
		return err
	}
	keys := []int64{key}
	for _, name := range []string{"message_before", "message_after"} {
		n, err := neighbour(t.ctx, t, name, key, m.conversation, 0)
		if err != nil {
			return err
		}
		if n.key != 0 {
			keys = append(keys, n.key)
		}
	}
	if err := t.cutMessage(key); err != nil {
		return err
	}
	for i, k := range keys {
		if err := t.indexMessage(k); err != nil {
			return err
		}
		views := bothViews
		if i > 0 { // of a neighbour only the view with its neighbours has changed
			views = viewBit[ViewCtx]
		}
		if err := t.wantVectors(k, views); err != nil {
			return err
		}
	}
	return nil
}

// indexFresh indexes messages that were appended together, each once, and what they were appended to.
func (t *tx) indexFresh() error {
	views := make(map[int64]int, len(t.fresh))
	keys := t.fresh
	for _, key := range t.fresh {
		views[key] = bothViews
	}
	for _, key := range t.fresh {
		m, err := t.itemMessage(key, 1)
		if err != nil {
			return err
		}
		if !m.worded() {
			views[key] = 0
			continue
		}
		before, err := neighbour(t.ctx, t, "message_before", key, m.conversation, 0)
		if err != nil {
			return err
		}
		if before.key != 0 && views[before.key] == 0 {
			keys, views[before.key] = append(keys, before.key), viewBit[ViewCtx]
		}
		if err := t.cutMessage(key); err != nil {
			return err
		}
	}
	for _, key := range keys {
		if views[key] == 0 {
			continue
		}
		if err := t.indexMessage(key); err != nil {
			return err
		}
		if err := t.wantVectors(key, views[key]); err != nil {
			return err
		}
	}
	return nil
}

func (t *tx) indexText(key, owner int64, own, neighbours, speaker string, at time.Time) error {
	date := dateWords(at.In(t.s.clock().Location()))
	if err := t.run("search_put", key, segment.Index(own), segment.Index(neighbours), segment.Index(speaker),
		segment.Index(date), scope(owner)); err != nil {
		return err
	}
	res, err := t.exec("item_searchable", key)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err == nil && n > 0 {
		t.after = append(t.after, func() { t.s.counts.added(owner) })
	}
	return nil
}

// itemMessage is what indexing needs of a message.
type itemMessage struct {
	key, at, owner                 int64
	id, conversation               string
	role, speaker, status, content string
}

// worded reports whether the message is one that is searched for.
func (m itemMessage) worded() bool {
	return (m.role == string(memory.RoleUser) || m.role == string(memory.RoleAssistant)) &&
		m.status != string(memory.StatusStreaming) && m.content != ""
}

// who returns the name of the speaker, or what it was.
func (m itemMessage) who() string { return fallback(m.speaker, m.role) }

func (t *tx) itemMessage(key int64, chars int) (itemMessage, error) {
	return readItemMessage(t.ctx, t, key, chars)
}

func readItemMessage(ctx context.Context, q querier, key int64, chars int) (itemMessage, error) {
	return one(ctx, q, func(r scanner) (m itemMessage, err error) {
		err = r.Scan(&m.key, &m.id, &m.conversation, &m.role, &m.speaker, &m.status, &m.content, &m.at, &m.owner)
		if m.role == string(memory.RoleAssistant) {
			m.content = memory.WithoutRecalled(m.content)
		}
		return m, err
	}, "item_message", key, chars)
}

// neighbour returns key, id and beginning of the nearest worded message before or after one ("message_before",
// "message_after"), zero where there is none.
func neighbour(ctx context.Context, q querier, name string, key int64, conversation string, chars int) (itemMessage, error) {
	args := []any{key, chars}
	if name == "message_after" {
		args = append(args, conversation)
	}
	found, err := all(ctx, q, func(r scanner) (n itemMessage, err error) {
		err = r.Scan(&n.key, &n.id, &n.content)
		n.content = memory.WithoutRecalled(n.content)
		return n, err
	}, name, args...)
	if err != nil || len(found) == 0 {
		return itemMessage{}, err
	}
	return found[0], nil
}

// dateWords returns a date in the forms in which people ask for one.
func dateWords(at time.Time) string {
	weekdays := [...]string{"星期日", "星期一", "星期二", "星期三", "星期四", "星期五", "星期六"}
	return at.Format("2 January 2006 Monday 2006年1月2日 ") + weekdays[at.Weekday()]
}
