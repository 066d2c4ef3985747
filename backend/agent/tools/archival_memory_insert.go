package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/wish"
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
		same, err := c.archived(ctx, content)
		if err != nil {
			return "", err
		}
		if same != "" {
			return fmt.Sprintf("The archive has that already: “%s”. Nothing changed.", shorten(same, nearChars)), nil
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

// archived returns the passage of the archive that says the same in other words, "" when there is none.
func (c *call) archived(ctx context.Context, text string) (string, error) {
	near, _, err := c.Search.SearchPassages(ctx, c.Agent.ArchiveID, text, nil, "", time.Time{}, time.Time{}, nearPassages, "")
	if err != nil {
		return "", err
	}
	for _, p := range near {
		if wish.Same(p.Text, text) {
			return p.Text, nil
		}
	}
	return "", nil
}

const (
	nearPassages = 5   // that are looked at for one that says the same
	nearChars    = 200 // of it that the model is shown
)
