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
		{name: "cursor", aliases: []string{"page", "next", "offset"}},
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
		return c.search(func(cursor string) ([]memory.Candidate, string, error) {
			return c.Search.SearchMessages(ctx, c.Agent.ID, c.text("query"), roles, after, before, c.limit(), cursor)
		}, "Nothing was said that matches. Try other words or dates.")
	},
}
