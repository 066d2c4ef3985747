package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

const (
	defaultResults = 5
	maxResults     = 20
	resultChars    = 300 // of each result
)

var archivalMemorySearch = &tool{
	name: "archival_memory_search",
	params: []param{
		{name: "query", required: true, mayBeEmpty: true, aliases: []string{"text", "search", "keywords", "q"}},
		{name: "tags", kind: list, aliases: []string{"tag"}},
		{name: "tag_mode", aliases: []string{"match", "tags_match", "tag_match_mode"}},
		{name: "limit", kind: integer, aliases: []string{"top_k", "count", "k", "n"}},
		{name: "start_date", kind: date, aliases: []string{"start_datetime", "from", "after"}},
		{name: "end_date", kind: date, aliases: []string{"end_datetime", "to", "before", "until"}},
		{name: "cursor", aliases: []string{"page", "next", "offset"}},
	},
	run: func(ctx context.Context, c *call) (string, error) {
		after, before, err := c.period()
		if err != nil {
			return "", err
		}
		mode := strings.ToLower(strings.TrimSpace(c.text("tag_mode")))
		switch mode {
		case "", "any", "all":
		default:
			return "", refuse(memory.EINVALID, "there is no tag_mode %q. It is any (one of the tags is enough) or all.", mode)
		}
		return c.search(func(cursor string) ([]memory.Candidate, string, error) {
			return c.Search.SearchPassages(ctx, c.Agent.ArchiveID, c.text("query"), c.list("tags"), mode, after, before, c.limit(), cursor)
		}, "Nothing in the archive matches. Try other words, or conversation_search.")
	},
}

// search makes a page of results out of those of find: without the question itself, which is no answer to it, and without what
// the user never wants here. Where that leaves nothing, it goes on to the next page.
func (c *call) search(find func(cursor string) ([]memory.Candidate, string, error), none string) (string, error) {
	for cursor := strings.TrimSpace(c.text("cursor")); ; {
		hits, next, err := find(cursor)
		if memory.CodeOf(err) == memory.EINVALID && cursor != "" {
			return "", refuse(memory.EINVALID, "the cursor %q is none that a search gave. Leave it out to begin anew, or copy it from the end of the results.", cursor)
		}
		if err != nil {
			return "", err
		}
		hits = slices.DeleteFunc(slices.Clone(hits), func(h memory.Candidate) bool { return h.ID == c.Origin || c.Never[h.ID] })
		if len(hits) == 0 && next != "" {
			cursor = next
			continue
		}
		text := c.results(hits, none)
		if next != "" {
			text += fmt.Sprintf("\nThere are more: call again with the same arguments and cursor %q.", next)
		}
		return text, nil
	}
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
		if s.wholeDay {
			return memory.DayStart(t.Year(), t.Month(), t.Day(), c.Now.Location()), true
		}
		return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, c.Now.Location()), false
	}
	after, _ = at("start_date")
	before, wholeDay := at("end_date")
	end := before
	if wholeDay {
		end = memory.DayStart(before.Year(), before.Month(), before.Day()+1, before.Location())
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
		if d := h.Document; d != nil {
			if who = ", “" + d.Title + "”"; d.Page > 0 {
				who += fmt.Sprintf(" %s %d", unit(d.Paged), d.Page)
			}
		}
		fmt.Fprintf(&b, "%d. [%s%s] %s", i+1, h.Date.In(c.Now.Location()).Format(time.DateOnly), who, shorten(strings.Join(strings.Fields(h.Text), " "), resultChars))
	}
	return b.String()
}
