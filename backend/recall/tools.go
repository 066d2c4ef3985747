package recall

import (
	"context"
	"strconv"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
)

const (
	defaultResults = 10
	maxResults     = 100
)

// SearchMessages searches the messages of an agent by what they say, best first; without a query it lists them by
// time, oldest first. No roles means user and assistant. A before without a time of day includes that whole day. It
// returns at most limit results (10 when 0, never more than 100) and the cursor of the next page, "" after the last.
// Filters apply before the limit. A cursor that is not one of ours is EINVALID.
func (r *Recall) SearchMessages(ctx context.Context, agentID, query string, roles []memory.Role, after, before time.Time,
	limit int, cursor string,
) ([]memory.Candidate, string, error) {
	before, limit = endOfDay(before), results(limit)
	if strings.TrimSpace(query) == "" {
		ms, next, err := r.deps.Store.Messages(ctx, store.MessageFilter{
			AgentID: agentID, Roles: roles, After: after,
			Before: before, Cursor: cursor, Limit: limit,
		})
		if err != nil {
			return nil, "", err
		}
		out := make([]memory.Candidate, len(ms))
		for i, m := range ms {
			out[i] = memory.Candidate{
				Kind: store.KindMessage, ID: m.ID, Role: m.Role, Origin: m.ID, Date: m.CreatedAt, ConversationID: m.ConversationID,
				Text: excerpt(m.Content, nil),
			}
		}
		return out, next, nil
	}
	return r.page(ctx, query, scope{
		agentID: agentID, kinds: []string{store.KindMessage}, roles: roles, after: after,
		before: before,
	}, limit, cursor)
}

// SearchPassages does the same for the passages of an archive that have any or all (mode "all") of the tags; without
// a query it lists them, newest first.
func (r *Recall) SearchPassages(ctx context.Context, archiveID, query string, tags []string, mode string, after, before time.Time,
	limit int, cursor string,
) ([]memory.Candidate, string, error) {
	before, limit = endOfDay(before), results(limit)
	if strings.TrimSpace(query) == "" {
		ps, next, err := r.deps.Store.ListPassages(ctx, store.PassageFilter{
			ArchiveID: archiveID, Tags: tags, TagMode: mode,
			After: after, Before: before, Cursor: cursor, Limit: limit,
		})
		if err != nil {
			return nil, "", err
		}
		out := make([]memory.Candidate, len(ps))
		for i, p := range ps {
			out[i] = memory.Candidate{
				Kind: store.KindPassage, ID: p.ID, Origin: p.Origin, Date: p.CreatedAt, Document: p.Document,
				Text: excerpt(p.Text, nil),
			}
		}
		return out, next, nil
	}
	return r.page(ctx, query, scope{
		archiveID: archiveID, kinds: []string{store.KindPassage}, tags: tags, tagMode: mode,
		after: after, before: before,
	}, limit, cursor)
}

// TypePassages is SearchPassages for a query that is still being typed: by words alone, so that it answers at once, and
// with what begins with the last of them.
func (r *Recall) TypePassages(ctx context.Context, archiveID, query string, tags []string, mode string, after, before time.Time,
	limit int, cursor string,
) ([]memory.Candidate, string, error) {
	return r.page(ctx, query, scope{
		archiveID: archiveID, kinds: []string{store.KindPassage}, tags: tags, tagMode: mode,
		after: after, before: endOfDay(before), typed: true,
	}, results(limit), cursor)
}

// page returns one page of a search. Whoever searches on purpose gets weak results too, but none without a word or a
// meaning in common.
func (r *Recall) page(ctx context.Context, query string, sc scope, limit int, cursor string) ([]memory.Candidate, string, error) {
	offset := 0
	if cursor != "" {
		var err error
		if offset, err = strconv.Atoi(cursor); err != nil || offset < 0 {
			return nil, "", memory.Errorf(memory.EINVALID, "search", "%q is no cursor of a search; leave it out to begin anew", cursor)
		}
	}
	f, err := r.search(ctx, query, sc)
	if err != nil {
		return nil, "", err
	}
	all := f.worthShowing()
	from, to := min(offset, len(all)), min(offset+limit, len(all))
	out := make([]memory.Candidate, 0, to-from)
	for _, c := range all[from:to] {
		out = append(out, c.receipt(excerpt(c.Text, f.terms)))
	}
	if to < len(all) {
		return out, strconv.Itoa(to), nil
	}
	return out, "", nil
}

// worthShowing leaves out what was found by vector alone and is no nearer than unrelated texts are.
func (f *found) worthShowing() []*candidate {
	if !f.vectors {
		return f.candidates
	}
	var kept []*candidate
	for i, c := range f.candidates {
		if c.lexRank > 0 || i < judged && c.evidence >= showNear || !f.calibrated && c.semantic > .5 {
			kept = append(kept, c)
		}
	}
	return kept
}

func results(limit int) int {
	if limit <= 0 {
		return defaultResults
	}
	return min(limit, maxResults)
}

// endOfDay makes the moment that begins a day the one that ends it, so that a day named as the end is included.
func endOfDay(t time.Time) time.Time {
	year, month, day := t.Date()
	if t.IsZero() || !t.Equal(memory.DayStart(year, month, day, t.Location())) {
		return t
	}
	return memory.DayStart(year, month, day+1, t.Location())
}
