package tools

import (
	"context"

	"recollect/backend/memory"
)

var compactMemory = &tool{
	name:   "compact_memory",
	hidden: true,
	params: []param{
		{name: "label", aliases: []string{"block", "block_label", "name"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		if c.Compact == nil {
			return "", refuse(memory.EINVALID, "core memory cannot be compacted here.")
		}
		return c.Compact(ctx, c.text("label"))
	},
}
