package tools

import (
	"context"
	"strings"

	"recollect/backend/memory"
)

var archivalMemoryInsert = &tool{
	name: "archival_memory_insert",
	params: []param{
		{name: "content", required: true, aliases: []string{"text", "memory", "passage", "value"}},
		{name: "tags", kind: list, aliases: []string{"tag", "keywords"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		content := strings.TrimSpace(c.text("content"))
		if answer, ok := c.known(content); ok {
			return answer, nil
		}
		p := memory.Passage{ArchiveID: c.Agent.ArchiveID, Text: content, Tags: c.list("tags"), Origin: c.Origin}
		_, revision, err := c.Memory.CreatePassage(ctx, p, c.Cause)
		if memory.CodeOf(err) == memory.ELIMIT {
			return "", refuse(memory.ELIMIT, "a passage has at most %d characters and %d tags. Store it in shorter pieces.", memory.MaxPassageChars, memory.MaxTags)
		}
		if err != nil {
			return "", err
		}
		if revision.ID == "" {
			return "The archive has that already. Nothing changed.", nil
		}
		c.revisions = append(c.revisions, revision)
		return "Stored in the archive.", nil
	},
}
