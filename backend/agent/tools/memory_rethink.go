package tools

import (
	"context"

	"recollect/backend/memory"
)

var memoryRethink = &tool{
	name: "memory_rethink",
	params: []param{
		{name: "label", required: true, aliases: []string{"block", "block_label", "target_block_label", "name"}},
		{name: "new_memory", required: true, aliases: []string{"content", "value", "text", "new_content"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		return c.edit(ctx, c.text("label"), func(memory.Block) (string, error) {
			return unnumbered(c.text("new_memory")), nil
		})
	},
}
