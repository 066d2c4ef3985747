package tools

import (
	"context"
	"strings"

	"recollect/backend/memory"
)

var storeMemory = &tool{
	name:   "store_memory",
	hidden: true,
	params: []param{
		{name: "content", required: true, aliases: []string{"text", "memory", "value"}},
		{name: "label", aliases: []string{"block", "from_block", "block_label"}},
		{name: "tags", kind: list, aliases: []string{"tag", "keywords"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		label := strings.TrimSpace(c.text("label"))
		if label == "" {
			return archivalMemoryInsert.run(ctx, c)
		}
		content := unnumbered(c.text("content"))
		b, err := c.block(ctx, label)
		if err != nil {
			return "", err
		}
		if b.ReadOnly {
			return "", refuse(memory.EREADONLY, "the block %q is read-only. Only the user can change it; tell them so.", b.Label)
		}
		start, end, err := locate(b, content, "")
		if err != nil {
			return "", err
		}
		start, end = toLine(b.Value, start, end)
		c.args["content"] = strings.TrimLeft(b.Value[start:end], bullets) // the block's own words
		c.Stored, c.Recalled = nil, nil                                   // that it is known already is why it can go
		stored, err := archivalMemoryInsert.run(ctx, c)
		if err != nil {
			return "", err
		}
		moved, err := c.edit(ctx, b.Label, func(b memory.Block) (string, error) {
			start, end, err := locate(b, content, "")
			if err != nil {
				return "", err
			}
			start, end = toLine(b.Value, start, end)
			return spliced(b.Value, start, end, ""), nil
		})
		if err != nil {
			return "", err
		}
		return stored + " " + moved, nil
	},
}

// Signs that begin an entry of a block, and that end one.
const (
	bullets = " \t-*•"
	stops   = " \t.,;!。，；！"
)

// toLine takes to a place in a text what else is on its lines, where that is only signs.
func toLine(value string, start, end int) (int, int) {
	if before := value[strings.LastIndexByte(value[:start], '\n')+1 : start]; strings.Trim(before, bullets) == "" {
		start -= len(before)
	}
	after := value[end:]
	if i := strings.IndexByte(after, '\n'); i >= 0 {
		after = after[:i]
	}
	if strings.Trim(after, stops) == "" {
		end += len(after)
	}
	return start, end
}
