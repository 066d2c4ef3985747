package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/json"
	"io"

	"recollect/backend/memory"
)

// Prefix returns the prefix that a conversation's prompts begin with now; ENOTFOUND before the first turn.
func (s *Store) Prefix(ctx context.Context, conversationID string) (memory.Prefix, error) {
	return readBody[memory.Prefix](ctx, s, "read prefix", "prefix_get", conversationID)
}

// SavePrefix stores a prefix, with the event that reports it where there is one, and at the same time the compactions that it
// carries out or takes back. Earlier generations stay.
func (s *Store) SavePrefix(ctx context.Context, p memory.Prefix, ev *memory.Event, compactions ...*memory.Compaction) error {
	durable := lazy
	if len(compactions) > 0 {
		durable = kept
	}
	return s.write(ctx, "store prefix", durable, func(t *tx) error {
		if err := t.run("prefix_put", p.ConversationID, p.Generation, encode(p)); err != nil {
			return err
		}
		for _, c := range compactions {
			if err := t.putCompaction(c); err != nil {
				return err
			}
		}
		if ev == nil {
			return nil
		}
		return t.recordFor(ev, p.ConversationID)
	})
}

// SaveReceipt stores what recall did for a user message, in place of an earlier receipt for it.
func (s *Store) SaveReceipt(ctx context.Context, r memory.Receipt) error {
	return s.write(ctx, "store receipt", lazy, func(t *tx) error { return t.run("receipt_put", r.MessageID, encode(r)) })
}

// Receipt returns the receipt of a user message; ENOTFOUND where recall did not run.
func (s *Store) Receipt(ctx context.Context, userMessageID string) (memory.Receipt, error) {
	return readBody[memory.Receipt](ctx, s, "read receipt", "receipt_get", userMessageID)
}

// SavePlan stores the budget of the request that an assistant message answers.
func (s *Store) SavePlan(ctx context.Context, messageID string, p memory.Plan) error {
	return s.write(ctx, "store plan", lazy, func(t *tx) error { return t.run("plan_put", messageID, encode(p)) })
}

// PlanOf returns the budget of the request that an assistant message answers.
func (s *Store) PlanOf(ctx context.Context, messageID string) (memory.Plan, error) {
	return readBody[memory.Plan](ctx, s, "read plan", "plan_get", messageID)
}

func readBody[T any](ctx context.Context, s *Store, op, query, id string) (T, error) {
	var v T
	body, err := one(ctx, s, value[string], query, id)
	if err != nil {
		return v, fault(op, err)
	}
	return v, fault(op, json.Unmarshal([]byte(body), &v))
}

const (
	keptPrompts = 200 // of a conversation; a few more stay where they are needed to read these
	maxDepth    = 20  // prompts to read until a whole one is reached
)

// prompt is the request that a message answers.
type prompt struct {
	messageID string
	body      []byte
}

// SavePrompt stores the exact request that an assistant message answers. Prompts of a conversation begin alike, so only
// what differs from the prompt before is written. body must not be changed afterwards.
func (s *Store) SavePrompt(ctx context.Context, messageID string, body []byte) error {
	const op = "store prompt"
	return s.write(ctx, op, lazy, func(t *tx) error {
		m, err := t.place(op, messageID)
		if err != nil {
			return err
		}
		var base any
		depth, keep := 0, 0
		if err := t.detachPrompts(messageID); err != nil {
			return err
		}
		type last struct {
			key   int64
			id    string
			depth int
		}
		newest, err := all(t.ctx, t, func(r scanner) (l last, err error) {
			return l, r.Scan(&l.key, &l.id, &l.depth)
		}, "prompt_newest", m.conversation, messageID)
		if err != nil {
			return err
		}
		if len(newest) > 0 && newest[0].depth < maxDepth {
			before := s.lastPrompt.body
			if newest[0].id != s.lastPrompt.messageID {
				if before, err = readPrompt(t.ctx, t, "prompt_get", newest[0].id); err != nil {
					return err
				}
			}
			if n := commonPrefix(before, body); n > len(body)/4 {
				base, depth, keep = newest[0].key, newest[0].depth+1, n
			}
		}
		packed, err := t.compress(body[keep:])
		if err != nil {
			return err
		}
		t.after = append(t.after, func() { s.lastPrompt = prompt{messageID, body} })
		res, err := t.exec("prompt_replace", messageID, base, depth, keep, packed)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err == nil && n > 0 {
			return nil
		}
		if err := t.run("prompt_insert", messageID, m.conversation, base, depth, keep, packed); err != nil {
			return err
		}
		return t.run("prompt_prune", m.conversation, keptPrompts)
	})
}

// detachPrompts makes the prompts whole that begin with the one of a message: that one is about to change, because the
// answer is continued.
func (t *tx) detachPrompts(messageID string) error {
	keys, err := all(t.ctx, t, value[int64], "prompt_based_on", messageID)
	if err != nil {
		return err
	}
	for _, key := range keys {
		body, err := readPrompt(t.ctx, t, "prompt_get_by_key", key)
		if err != nil {
			return err
		}
		packed, err := t.compress(body)
		if err != nil {
			return err
		}
		if err := t.run("prompt_whole", key, packed); err != nil {
			return err
		}
	}
	return nil
}

// Prompt returns the exact request that an assistant message answers, byte for byte; ENOTFOUND where it is too long ago.
func (s *Store) Prompt(ctx context.Context, messageID string) ([]byte, error) {
	body, err := readPrompt(ctx, s, "prompt_get", messageID)
	return body, fault("read prompt", err)
}

func readPrompt(ctx context.Context, q querier, query string, of any) ([]byte, error) {
	type row struct {
		key  int64
		base sql.NullInt64
		keep int
		body []byte
	}
	r, err := one(ctx, q, func(sc scanner) (r row, err error) {
		return r, sc.Scan(&r.key, &r.base, &r.keep, &r.body)
	}, query, of)
	if err != nil {
		return nil, err
	}
	tail, err := expand(r.body)
	if err != nil || !r.base.Valid {
		return tail, err
	}
	before, err := readPrompt(ctx, q, "prompt_get_by_key", r.base.Int64)
	if err != nil {
		return nil, err
	}
	return append(before[:r.keep:r.keep], tail...), nil
}

// commonPrefix returns how many bytes a and b begin with alike.
func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// compress packs b. Making a packer takes longer than packing what one turn adds to a prompt, so there is one for all.
func (t *tx) compress(b []byte) ([]byte, error) {
	var out bytes.Buffer
	w := t.s.packer
	w.Reset(&out)
	if _, err := w.Write(b); err != nil {
		return nil, err
	}
	err := w.Close()
	return out.Bytes(), err
}

func expand(b []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}
