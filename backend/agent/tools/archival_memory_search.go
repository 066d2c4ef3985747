package tools

import (
	"context"
	"fmt"
	"strings"
	"time"

	"recollect/backend/memory"
)

const (
	defaultResults = 5
	maxResults     = 10
	resultChars    = 300 // of each result
)

var archivalMemorySearch = &tool{
	name: "archival_memory_search",
	params: []param{
		{name: "query", required: true, mayBeEmpty: true, aliases: []string{"text", "search", "keywords", "q"}},
		{name: "tags", kind: list, aliases: []string{"tag"}},
		{name: "limit", kind: integer, aliases: []string{"top_k", "count", "k", "n"}},
		{name: "start_date", kind: date, aliases: []string{"start_datetime", "from", "after"}},
		{name: "end_date", kind: date, aliases: []string{"end_datetime", "to", "before", "until"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		after, before, err := c.period()
		if err != nil {
			return "", err
		}
		hits, _, err := c.Search.SearchPassages(ctx, c.Agent.ArchiveID, c.text("query"), c.list("tags"), "any", after, before, c.limit(), "")
		if err != nil {
			return "", err
		}
		return c.results(hits, "Nothing in the archive matches. Try other words, or conversation_search."), nil
	},
}

func (c *call) limit() int { return max(1, min(c.number("limit", defaultResults), maxResults)) }

// period returns the time between the two dates of a search in the user's time zone. An end without a time of day is
// midnight, by which the search means the whole of that day.
func (c *call) period() (after, before time.Time, err error) {
	at := func(name string) (time.Time, bool) {
		s, ok := c.args[name].(stamp)
		if !ok {
			return time.Time{}, false
		}
		if _, offset := s.time.Zone(); offset != 0 {
			return s.time, false
		}
		t := s.time
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, c.Now.Location()), s.wholeDay
	}
	after, _ = at("start_date")
	before, wholeDay := at("end_date")
	end := before
	if wholeDay {
		end = before.AddDate(0, 0, 1)
	}
	if !after.IsZero() && !before.IsZero() && !end.After(after) {
		return after, before, refuse(memory.EINVALID, "end_date is before start_date.")
	}
	return after, before, nil
}

// results lists what was found, short and always in the same form.
func (c *call) results(hits []memory.Candidate, none string) string {
	if len(hits) == 0 {
		return none
	}
	var b strings.Builder
	for i, h := range hits {
		if i > 0 {
			b.WriteByte('\n')
		}
		who := ""
		if h.Role != "" {
			who = ", " + string(h.Role)
		}
		fmt.Fprintf(&b, "%d. [%s%s] %s", i+1, h.Date.In(c.Now.Location()).Format(time.DateOnly), who, shorten(strings.Join(strings.Fields(h.Text), " "), resultChars))
	}
	return b.String()
}
