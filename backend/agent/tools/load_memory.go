package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

const loadedAtMost = 4 // memories that one call loads

var loadMemory = &tool{
	name:   "load_memory",
	hidden: true,
	params: []param{
		{name: "query", required: true, aliases: []string{"text", "search", "about", "q", "id"}},
		{name: "limit", kind: integer, aliases: []string{"count", "n", "k"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		query, limit := strings.TrimSpace(c.text("query")), max(1, min(c.number("limit", 2), loadedAtMost))
		none := time.Time{}
		passages, _, err := c.Search.SearchPassages(ctx, c.Agent.ArchiveID, query, nil, "", none, none, limit, "")
		if err != nil {
			return "", err
		}
		said, _, err := c.Search.SearchMessages(ctx, c.Agent.ID, query, nil, none, none, limit+1, "")
		if err != nil {
			return "", err
		}
		found := slices.DeleteFunc(slices.Concat(passages, said), func(h memory.Candidate) bool { return h.ID == c.Origin || c.Never[h.ID] })
		if len(found) == 0 {
			return "Nothing in the archive or the transcript matches. Try other words.", nil
		}
		slices.SortStableFunc(found, func(a, b memory.Candidate) int { // either search has its own scale: their best first
			return a.LexRank + a.SemRank - b.LexRank - b.SemRank
		})
		var b strings.Builder
		fmt.Fprintf(&b, "Loaded; it stays in view for %d turns:", c.PageTurns)
		for i, h := range found {
			if i == limit {
				break
			}
			who := "memory"
			if h.Role != "" {
				who = string(h.Role)
			}
			fmt.Fprintf(&b, "\n[%s, %s] %s", h.Date.In(c.Now.Location()).Format(time.DateOnly), who, strings.TrimSpace(h.Text))
		}
		return c.fit(b.String()), nil
	},
}
