package tools

import (
	"context"
	"fmt"
	"strings"

	"recollect/backend/memory"
)

var coreMemoryAppend = &tool{
	name: "core_memory_append",
	params: []param{
		{name: "label", required: true, aliases: []string{"block", "block_label", "name", "section"}},
		{name: "content", required: true, aliases: []string{"text", "value", "new_content", "fact", "memory", "new_string"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		content := strings.TrimSpace(c.text("content"))
		if answer, ok := c.known(content); ok {
			return answer, nil
		}
		return c.edit(ctx, c.text("label"), func(b memory.Block) (string, error) {
			for line := range strings.Lines(b.Value) {
				if plain(line) == plain(content) {
					return "", errUnchanged(fmt.Sprintf("The block %q says that already. Nothing changed.", b.Label))
				}
			}
			return appendLine(b.Value, content), nil
		})
	},
}

// appendLine adds text to value on a line of its own.
func appendLine(value, text string) string {
	if value = strings.TrimRight(value, "\n"); value == "" {
		return text
	}
	return value + "\n" + text
}
