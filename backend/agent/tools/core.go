package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/wish"
)

// errUnchanged ends an edit that has nothing to do; its text is the answer and no refusal.
type errUnchanged string

func (e errUnchanged) Error() string { return string(e) }

// edit changes the value of the block with a label. When the block moved on meanwhile, change is asked once more.
func (c *call) edit(ctx context.Context, label string, change func(b memory.Block) (string, error)) (string, error) {
	for attempt := 0; ; attempt++ {
		b, err := c.block(ctx, label)
		if err != nil {
			return "", err
		}
		if b.ReadOnly {
			return "", refuse(memory.EREADONLY, "the block %q is read-only. Only the user can change it; tell them so.", b.Label)
		}
		value, err := change(b)
		var done errUnchanged
		if errors.As(err, &done) {
			return string(done), nil
		}
		if err != nil {
			return "", err
		}
		if value = strings.TrimRight(value, " \t\n"); value == b.Value {
			return "Nothing changed.\n" + c.Update(b), nil
		}
		after, revision, err := c.Memory.UpdateBlock(ctx, b.ID, memory.BlockChange{Value: &value, IfVersion: b.Version}, c.Cause)
		switch code := memory.CodeOf(err); {
		case code == memory.ECONFLICT && attempt == 0:
			continue
		case code == memory.ELIMIT:
			return "", c.full(ctx, b, value)
		case code == memory.EREADONLY && err != nil:
			return "", refuse(memory.EREADONLY, "the block %q cannot be written now.", b.Label)
		case err != nil:
			return "", err
		}
		c.revisions = append(c.revisions, revision)
		return "Done.\n" + c.Update(after), nil
	}
}

// block returns the agent's block with a label; case, blanks and separators do not matter.
func (c *call) block(ctx context.Context, label string) (memory.Block, error) {
	blocks, err := c.Memory.Blocks(ctx, c.Agent.ID)
	if err != nil {
		return memory.Block{}, err
	}
	for _, b := range blocks {
		if b.Label == label {
			return b, nil
		}
	}
	for _, b := range blocks {
		if plain(b.Label) == plain(label) {
			return b, nil
		}
	}
	names := make([]string, len(blocks))
	near, best := "", .5
	for i, b := range blocks {
		names[i] = b.Label
		if l := likeness(b.Label, label); l > best {
			near, best = b.Label, l
		}
	}
	hint := ""
	if near != "" {
		hint = fmt.Sprintf(" Did you mean %q?", near)
	}
	return memory.Block{}, refuse(memory.ENOTFOUND, "there is no block %q. The blocks are: %s.%s", label, strings.Join(names, ", "), hint)
}

// full says that a value is too long for its block, with the numbers of every block.
func (c *call) full(ctx context.Context, b memory.Block, value string) error {
	blocks, err := c.Memory.Blocks(ctx, c.Agent.ID)
	if err != nil {
		return err
	}
	use := make([]string, len(blocks))
	for i, o := range blocks {
		use[i] = fmt.Sprintf("%s %d of %d", o.Label, utf8.RuneCountInString(o.Value), o.Limit)
	}
	would := utf8.RuneCountInString(value)
	e := memory.Errorf(memory.ELIMIT, "call", "block %q would have %d characters; its limit is %d. Shorten it with memory_rethink, or store the detail "+
		"with archival_memory_insert instead. Characters used: %s.", b.Label, would, b.Limit, strings.Join(use, "; "))
	e.Limit, e.Actual = b.Limit, would
	return e
}

// known returns why a text need not be stored: the user's own wish stored it in this turn, or it was recalled from memory.
// Storing what was recalled is how memories fill with copies of themselves.
func (c *call) known(s string) (string, bool) {
	for _, stored := range c.Stored {
		if wish.Covers(stored, s) >= .75 {
			return fmt.Sprintf("That is stored already, in the user's own words: “%s”. Nothing more to do.", stored), true
		}
	}
	if len(c.Stored) == 0 {
		for _, r := range c.Recalled {
			if r.Taken && wish.Covers(r.Text, s) >= .9 && wish.Covers(s, r.Text) >= .6 {
				return "That was recalled from memory, so it is stored already. Nothing more to do.", true
			}
		}
	}
	return "", false
}
