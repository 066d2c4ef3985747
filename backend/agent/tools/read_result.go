package tools

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"recollect/backend/memory"
)

const sliceChars = 3000 // of a result that is read again, at most

var readResult = &tool{
	name:   "read_result",
	hidden: true,
	params: []param{
		{name: "id", required: true, aliases: []string{"result", "result_id", "message_id"}},
		{name: "from", kind: integer, aliases: []string{"offset", "start"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		id := strings.Trim(strings.TrimSpace(c.text("id")), `"'.`)
		m, err := c.Memory.ToolResult(ctx, c.Cause.ConversationID, id)
		if memory.CodeOf(err) == memory.ENOTFOUND {
			return "", refuse(memory.ENOTFOUND, "there is no result %q in this conversation. Copy the id from where the result stood.", id)
		}
		if err != nil {
			return "", err
		}
		r := []rune(m.Content)
		from := max(0, c.number("from", 0))
		if from > 0 && from >= len(r) {
			return "", refuse(memory.EINVALID, "from must be less than %d.", len(r))
		}
		text := c.fit(string(r[from:min(len(r), from+sliceChars)]))
		end := from + utf8.RuneCountInString(text)
		head := fmt.Sprintf("Result of %s, characters %d to %d of %d:\n", m.ToolName, from, end, len(r))
		if end < len(r) {
			text += fmt.Sprintf("\n[It goes on: from=%d]", end)
		}
		return head + text, nil
	},
}

// fit returns as much of the beginning of a text as one result may hold, with room for what stands around it.
func (c *call) fit(text string) string {
	if c.Fit == nil {
		return text
	}
	return c.Fit(text)
}
