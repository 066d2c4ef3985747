package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"recollect/backend/memory"
)

const feedbackChars = 200 // of the memory that a feedback is about

// SetFeedback stores what the user wants with a memory of an agent, in place of what they wanted before; an empty Use takes
// it back. UseNever is for one conversation, the others are for all; to take one back, ConversationID says which. ID, Text and
// CreatedAt are filled in. A change that changes nothing makes no revision. ENOTFOUND when the agent has no such memory.
func (s *Store) SetFeedback(ctx context.Context, f memory.Feedback, cause memory.Cause) (memory.Feedback, memory.Revision, error) {
	const op = "store feedback"
	var rev memory.Revision
	switch f.Use {
	case memory.UseLess, memory.UseAlways:
		f.ConversationID = ""
	case memory.UseNever:
		if f.ConversationID == "" {
			return f, rev, memory.Errorf(memory.EINVALID, op, "“never here” needs the conversation that it is for")
		}
	case memory.UseAsUsual:
	default:
		return f, rev, memory.Errorf(memory.EINVALID, op, "a memory can be used less, never or always, not %q", f.Use)
	}
	text, err := s.textOf(ctx, op, f)
	if err != nil {
		return f, rev, err
	}
	err = s.write(ctx, op, kept, func(t *tx) error {
		before, err := t.feedback(f)
		if err != nil {
			return err
		}
		var after *memory.Feedback
		switch {
		case f.Use != "":
			after = &f
			after.Text, after.CreatedAt = clip(text, feedbackChars), t.now
			if after.ID = t.s.ids.New("feedback"); before != nil {
				after.ID = before.ID
			}
		case before != nil:
			f = *before
			f.Use = memory.UseAsUsual
		}
		if sameFeedback(before, after) {
			if before != nil {
				f = *before
			}
			return nil
		}
		rev, err = t.putFeedback(before, after, cause, "")
		return err
	})
	return f, rev, err
}

// textOf returns the text of the memory that a feedback is about.
func (s *Store) textOf(ctx context.Context, op string, f memory.Feedback) (string, error) {
	a, err := s.Agent(ctx, f.AgentID)
	if err != nil {
		return "", err
	}
	items, err := s.Items(ctx, []Ref{{Kind: f.Kind, ID: f.ItemID}})
	if err != nil {
		return "", err
	}
	if len(items) == 0 || items[0].AgentID != "" && items[0].AgentID != a.ID || items[0].ArchiveID != "" && items[0].ArchiveID != a.ArchiveID {
		return "", memory.Errorf(memory.ENOTFOUND, op, "%s has no %s %q", a.Name, f.Kind, f.ItemID)
	}
	return items[0].Text, nil
}

// Feedback returns what the user wants with memories of an agent, the newest wish first. What is deleted is left out as long
// as it is.
func (s *Store) Feedback(ctx context.Context, agentID string) ([]memory.Feedback, error) {
	list, err := all(ctx, s, scanFeedback, "feedback_list", agentID)
	return list, fault("list feedback", err)
}

// Receipts returns the receipts of an agent's answers, the newest first, and the cursor of the next page, "" at the end.
func (s *Store) Receipts(ctx context.Context, agentID, cursor string, limit int) ([]memory.Receipt, string, error) {
	const op = "list receipts"
	if err := checkCursor(op, "message", cursor); err != nil {
		return nil, "", err
	}
	limit = limitOr(limit)
	list, err := all(ctx, s, func(r scanner) (v memory.Receipt, err error) {
		var id, body string
		if err := r.Scan(&id, &body); err != nil {
			return v, err
		}
		return v, json.Unmarshal([]byte(body), &v)
	}, "receipt_list", agentID, cursor, limit+1)
	next := ""
	if len(list) > limit {
		list = list[:limit]
		next = list[limit-1].MessageID
	}
	return list, next, fault(op, err)
}

// feedback returns what is stored about the memory of f, for all conversations or for that of f; nil when nothing is.
func (t *tx) feedback(f memory.Feedback) (*memory.Feedback, error) {
	v, err := one(t.ctx, t, scanFeedback, "feedback_get", f.AgentID, f.Kind, f.ItemID, f.ConversationID)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return &v, nil
}

func (t *tx) putFeedback(before, after *memory.Feedback, cause memory.Cause, undoes string) (memory.Revision, error) {
	f := after
	var err error
	if f != nil {
		err = t.run("feedback_put", f.ID, f.AgentID, f.ConversationID, f.Kind, f.ItemID, string(f.Use), f.Text, f.MessageID, millis(f.CreatedAt))
	} else {
		f = before
		err = t.run("feedback_delete", f.AgentID, f.Kind, f.ItemID, f.ConversationID)
	}
	if err != nil {
		return memory.Revision{}, err
	}
	cause.AgentID = f.AgentID
	rev, err := t.revise(memory.Revision{
		Subject: memory.SubjectFeedback, SubjectID: f.ID, Label: clip(f.Text, 60),
		Before: encodeOrEmpty(before), After: encodeOrEmpty(after), Cause: cause, Undoes: undoes,
	})
	if err != nil {
		return rev, err
	}
	use := memory.UseAsUsual
	if after != nil {
		use = after.Use
	}
	return rev, t.emitRevised("feedback.changed", []string{f.AgentID}, rev, map[string]any{
		"agent_id": f.AgentID, "kind": f.Kind, "item_id": f.ItemID, "use": use, "label": rev.Label,
	})
}

func (t *tx) undoFeedback(op string, r memory.Revision, cause memory.Cause) (memory.Revision, error) {
	before, after, err := states[memory.Feedback](r)
	if err != nil {
		return memory.Revision{}, err
	}
	of := after
	if of == nil {
		of = before
	}
	current, err := t.feedback(*of)
	if err != nil {
		return memory.Revision{}, err
	}
	if !sameFeedback(current, after) {
		return memory.Revision{}, movedOn(op, r)
	}
	return t.putFeedback(current, before, cause, r.ID)
}

// sameFeedback reports whether two wishes about the same memory are the same; nil is none.
func sameFeedback(a, b *memory.Feedback) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Use == b.Use
}

func scanFeedback(r scanner) (f memory.Feedback, err error) {
	var at int64
	err = r.Scan(&f.ID, &f.AgentID, &f.ConversationID, &f.Kind, &f.ItemID, &f.Use, &f.Text, &f.MessageID, &at, &f.OriginConversation)
	f.CreatedAt = moment(at)
	return f, err
}
