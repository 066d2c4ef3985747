package store

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"recollect/backend/memory"
)

// LexicalSearch returns the texts that contain any of the terms, best first, or the newest first. FTS5 ranks all matches; what it cannot know
// (dates, tags, what is hidden) is checked on its sorted results, and only until the limit is reached.
func (s *Store) LexicalSearch(ctx context.Context, q LexQuery) ([]LexHit, error) {
	const op = "search words"
	owners, err := s.owners(ctx, q.AgentID, q.ArchiveID, q.Kinds, len(q.Tags) > 0)
	if err != nil {
		return nil, fault(op, err)
	}
	if len(q.Terms) == 0 || len(owners) == 0 {
		return []LexHit{}, nil
	}
	// The list of an owner's texts in the index is as long as they are many, and FTS5 walks through it twice. It is worth
	// that where it keeps most matches from being ranked; else the matches of others are left out afterwards.
	total, mine, err := s.countTexts(ctx, owners)
	if err != nil {
		return nil, fault(op, err)
	}
	f := filter{conditions: []string{"search MATCH ?", "i.hidden = 0"}}
	if mine*scopedBelow < total {
		f.args = []any{matchAny(q.Terms) + " AND " + matchOwners(owners)}
	} else {
		f.args = []any{matchAny(q.Terms)}
		f.when(true, "i.owner IN (SELECT value FROM json_each(?))", encode(owners))
	}
	f.items(q.Roles, q.Tags, q.TagMode, millis(q.After), millis(q.Before))
	order, again := "search.rank", "b.score, b.key"
	if q.Newest {
		order, again = "search.rowid DESC", "b.key DESC"
	}
	reader, done := s.warm()
	defer done()
	// CROSS JOIN keeps FTS5 outside, in the order of its rank; the names are looked up for the few that are left.
	hits, err := all(ctx, reader, func(r scanner) (h LexHit, err error) {
		var date int64
		err = r.Scan(&h.Rank, &h.Kind, &h.ID, &h.ConversationID, &h.Role, &date, &h.Start, &h.End)
		h.Rank, h.Date = -h.Rank, moment(date)
		return h, err
	}, `WITH best AS MATERIALIZED (
			SELECT search.rank AS score, i.key, i.owner, i.role, i.date
			FROM search CROSS JOIN item i ON i.key = search.rowid`+f.where()+`
			ORDER BY `+order+` LIMIT ? OFFSET ?
		)
		SELECT b.score, iif(b.owner & 1, 'passage', 'message'), coalesce(m.id, p.id), ifnull(m.conversation_id, ''), b.role, b.date,
			ifnull(c.start, 0), ifnull(c.stop, 0)
		FROM best b LEFT JOIN chunk c ON c.key = b.key
			LEFT JOIN message m ON NOT b.owner & 1 AND m.key = ifnull(c.whole, b.key)
			LEFT JOIN passage p ON b.owner & 1 AND p.key = ifnull(c.whole, b.key)
		ORDER BY `+again, append(f.args, limitOr(q.Limit), q.Offset)...)
	return bestPieces(hits, func(h LexHit) Ref { return h.Ref }), fault(op, err)
}

// bestPieces keeps the first hit in each text: the best of its pieces.
func bestPieces[T any](hits []T, ref func(T) Ref) []T {
	seen := make(map[Ref]bool, len(hits))
	return slices.DeleteFunc(hits, func(h T) bool {
		twice := seen[ref(h)]
		seen[ref(h)] = true
		return twice
	})
}

// DocFrequencies returns how many texts the search index holds, and how many of them contain each of the terms. The
// count of a common term may be a little old.
func (s *Store) DocFrequencies(ctx context.Context, terms []string) (total int, df []int, err error) {
	const op = "count words"
	if total, _, err = s.countTexts(ctx, nil); err != nil {
		return 0, nil, fault(op, err)
	}
	df = make([]int, len(terms))
	for i, term := range terms {
		if df[i], err = s.countWord(ctx, term, total); err != nil {
			return 0, nil, fault(op, err)
		}
	}
	return total, df, nil
}

// columns are those that hold words.
const columns = "{own neighbours speaker date}"

// matchAny is the FTS5 query for any of the terms.
func matchAny(terms []string) string { return columns + ": (" + strings.Join(terms, " OR ") + ")" }

// matchAll is the FTS5 query for texts of the owners that have all of the terms in their own words.
func matchAll(terms []string, owners []int64) string {
	return "own: (" + strings.Join(terms, " AND ") + ") AND " + matchOwners(owners)
}

// matchOwners is the FTS5 query for what the owners have.
func matchOwners(owners []int64) string {
	scopes := make([]string, len(owners))
	for i, o := range owners {
		scopes[i] = `"` + scope(o) + `"`
	}
	return "scope: (" + strings.Join(scopes, " OR ") + ")"
}

// scope is the word that stands for an owner in the search index. It ends in a digit, which no stemmer changes.
func scope(owner int64) string { return "owner" + strconv.FormatInt(owner, 10) }

// items adds the conditions on the row i of item that all searches share.
func (f *filter) items(roles []memory.Role, tags []string, mode string, after, before int64) {
	f.when(len(roles) > 0, "(i.owner & 1 OR i.role IN (SELECT value FROM json_each(?)))", encode(roles))
	f.when(after != 0, "i.date >= ?", after)
	f.when(before != 0, "i.date < ?", before)
	f.tags("ifnull((SELECT whole FROM chunk WHERE key = i.key), i.key)", tags, mode)
}

// owners returns the owners whose items a query may find.
func (s *Store) owners(ctx context.Context, agentID, archiveID string, kinds []string, tagged bool) ([]int64, error) {
	wants := func(kind string) bool { return len(kinds) == 0 || slices.Contains(kinds, kind) }
	var found []int64
	if agentID != "" && wants(KindMessage) && !tagged {
		keys, err := all(ctx, s, value[int64], "owner_of_agent", agentID)
		if err != nil {
			return nil, err
		}
		found = append(found, keys...)
	}
	if archiveID != "" && wants(KindPassage) {
		keys, err := all(ctx, s, value[int64], "owner_of_archive", archiveID)
		if err != nil {
			return nil, err
		}
		found = append(found, keys...)
	}
	return found, nil
}

// Items returns the things that the references name, in their order; what does not exist is left out.
func (s *Store) Items(ctx context.Context, refs []Ref) ([]Item, error) {
	const op = "read items"
	ids := map[string][]string{}
	for _, r := range refs {
		ids[r.Kind] = append(ids[r.Kind], r.ID)
	}
	found := map[Ref]Item{}
	reader, done := s.warm()
	defer done()
	if len(ids[KindMessage]) > 0 {
		items, err := all(ctx, reader, func(r scanner) (it Item, err error) {
			var at int64
			it.Kind = KindMessage
			err = r.Scan(&it.key, &it.ID, &it.Text, &it.Role, &it.End, &it.Speaker, &it.AgentID, &it.ConversationID, &it.ParentID, &it.TurnID, &at,
				&it.Before, &it.AfterID, &it.After)
			it.Origin, it.Date = it.ID, moment(at)
			return it, err
		}, "message_items", encode(ids[KindMessage]), maxNeighbourChars)
		if err != nil {
			return nil, fault(op, err)
		}
		for _, it := range items {
			found[it.Ref] = it
		}
	}
	if len(ids[KindPassage]) > 0 {
		items, err := all(ctx, reader, func(r scanner) (it Item, err error) {
			var at int64
			var tags string
			it.Kind = KindPassage
			if err := r.Scan(&it.key, &it.ID, &it.Text, &it.ArchiveID, &it.Origin, &tags, &at); err != nil {
				return it, err
			}
			it.Date = moment(at)
			return it, json.Unmarshal([]byte(tags), &it.Tags)
		}, "passage_items", encode(ids[KindPassage]))
		if err != nil {
			return nil, fault(op, err)
		}
		places, err := s.places(ctx, ids[KindPassage])
		if err != nil {
			return nil, fault(op, err)
		}
		for _, it := range items {
			if place, ok := places[it.ID]; ok {
				it.Document = &place
			}
			found[it.Ref] = it
		}
	}
	if len(ids[KindFact]) > 0 {
		facts, err := all(ctx, s, scanFact, factSelect()+" WHERE f.id IN (SELECT value FROM json_each(?)) AND "+liveFacts, encode(ids[KindFact]))
		if err != nil {
			return nil, fault(op, err)
		}
		for _, f := range facts {
			found[Ref{KindFact, f.ID}] = FactItem(f)
		}
	}
	items := make([]Item, 0, len(refs))
	for _, r := range refs {
		if it, ok := found[r]; ok {
			items = append(items, it)
		}
	}
	return items, nil
}
