package tools

import (
	"context"
	"strings"

	"recollect/backend/memory"
)

var conversationSearch = &tool{
	name: "conversation_search",
	params: []param{
		{name: "query", aliases: []string{"text", "search", "keywords", "q"}},
		{name: "roles", kind: list, aliases: []string{"role"}},
		{name: "limit", kind: integer, aliases: []string{"top_k", "count", "k", "n"}},
		{name: "start_date", kind: date, aliases: []string{"start_datetime", "from", "after"}},
		{name: "end_date", kind: date, aliases: []string{"end_datetime", "to", "before", "until"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		var roles []memory.Role
		for _, r := range c.list("roles") {
			switch strings.ToLower(r) {
			case "user", "human":
				roles = append(roles, memory.RoleUser)
			case "assistant", "model", "ai":
				roles = append(roles, memory.RoleAssistant)
			default:
				return "", refuse(memory.EINVALID, "there is no role %q. The roles are: user, assistant.", r)
			}
		}
		after, before, err := c.period()
		if err != nil {
			return "", err
		}
		limit := c.limit()
		hits, _, err := c.Search.SearchMessages(ctx, c.Agent.ID, c.text("query"), roles, after, before, limit+1, "")
		if err != nil {
			return "", err
		}
		kept := hits[:0:0]
		for _, h := range hits {
			if h.ID != c.Origin && len(kept) < limit { // the question itself is no answer to it
				kept = append(kept, h)
			}
		}
		return c.results(kept, "Nothing was said that matches. Try other words or dates."), nil
	},
}
