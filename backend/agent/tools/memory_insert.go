package tools

import (
	"context"
	"slices"
	"strings"

	"recollect/backend/memory"
)

var memoryInsert = &tool{
	name:   "memory_insert",
	hidden: true,
	params: []param{
		{name: "label", required: true, aliases: []string{"block", "block_label", "name"}},
		{name: "new_string", required: true, aliases: []string{"content", "text", "insert_text", "value"}},
		{name: "insert_line", kind: integer, aliases: []string{"line", "line_number"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		insert := strings.TrimSpace(unnumbered(c.text("new_string")))
		if answer, ok := c.known(insert); ok {
			return answer, nil
		}
		return c.edit(ctx, c.text("label"), func(b memory.Block) (string, error) {
			var have []string
			if b.Value != "" {
				have = strings.Split(b.Value, "\n")
			}
			at := c.number("insert_line", -1)
			if at == -1 {
				at = len(have)
			}
			if at < 0 || at > len(have) {
				return "", refuse(memory.EINVALID, "block %q has %d lines, so insert_line must be from 0 to %d, or -1 for the end.", b.Label, len(have), len(have))
			}
			return strings.Join(slices.Insert(have, at, insert), "\n"), nil
		})
	},
}
