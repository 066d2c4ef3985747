package recall

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"recollect/backend/segment"
	"recollect/backend/store"
)

// Limits of looking up identifiers. What many texts have is a word rather than an identifier, and a text full of
// identifiers (a log, a program) leads everywhere.
const (
	mostNamed   = 4  // identifiers of a message that are looked up
	mostHolders = 8  // texts that an identifier of the message may stand in
	mostLinked  = 3  // texts that an identifier found on the way may stand in
	mostKeys    = 4  // identifiers of a text that is followed
	mostHops    = 8  // steps from the message
	mostFound   = 24 // texts brought in this way

	exactScore = .97 // of what has an identifier of the message: above everything that is only similar …
	hopCost    = .01 // … and below the step before
)

// lookUp puts the texts that hold the identifiers of the message among the candidates, and those that hold the identifiers
// that these lead to, until there are no more: the value of a key that is itself a key is looked up again.
func (r *Recall) lookUp(ctx context.Context, all []*candidate, text string, sc scope) ([]*candidate, error) {
	if sc.typed {
		return all, nil
	}
	ask := identifiers(text)
	if len(ask) == 0 {
		return all, nil
	}
	byRef := make(map[store.Ref]*candidate, len(all))
	for _, c := range all {
		byRef[c.Ref] = c
	}
	seen := map[string]bool{}
	found, limit := 0, mostHolders
	ask = ask[:min(len(ask), mostNamed)]
	for hop := 1; hop <= mostHops && len(ask) > 0 && found < mostFound; hop++ {
		var next []string
		for _, key := range ask {
			if seen[key] {
				continue
			}
			seen[key] = true
			holders, err := r.holders(ctx, key, sc, limit)
			if err != nil {
				return nil, err
			}
			for _, it := range holders {
				c := byRef[it.Ref]
				if c == nil {
					c = &candidate{Item: it}
					byRef[it.Ref] = c
					all = append(all, c)
				}
				if c.hop == 0 {
					found++
					c.hop = hop
					c.parts[byExact] = exactScore - hopCost*float64(hop) - c.parts.sum()
					c.score = c.parts.sum()
					c.base = c.score
				}
				if keys := identifiers(it.Text); len(keys) <= mostKeys {
					next = append(next, keys[slices.Index(keys, key)+1:]...) // what stands before leads back
				}
			}
		}
		ask, limit = next, mostLinked
	}
	return all, nil
}

// holders returns the texts that have a key whole, none where more than limit do.
func (r *Recall) holders(ctx context.Context, key string, sc scope, limit int) ([]store.Item, error) {
	hits, err := r.deps.Store.LexicalSearch(ctx, store.LexQuery{
		AgentID: sc.agentID, ArchiveID: sc.archiveID, Terms: []string{`"` + segment.Index(key) + `"`},
		Kinds: sc.kinds, Roles: sc.roles, Tags: sc.tags, TagMode: sc.tagMode, After: sc.after, Before: sc.before,
		Limit: 4 * limit, // some have it only in a neighbour, or in other letters
	})
	if err != nil {
		return nil, fmt.Errorf("look up an identifier: %w", err)
	}
	refs := make([]store.Ref, 0, len(hits))
	for _, h := range hits {
		if !sc.without[h.ID] {
			refs = append(refs, h.Ref)
		}
	}
	items, err := r.deps.Store.Items(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("look up an identifier: %w", err)
	}
	for i, it := range items {
		at := slices.IndexFunc(hits, func(h store.LexHit) bool { return h.Ref == it.Ref })
		items[i].Text = piece(it.Text, hits[at].Start, hits[at].End)
	}
	items = slices.DeleteFunc(items, func(it store.Item) bool { return !slices.Contains(identifiers(it.Text), key) })
	if len(items) > limit {
		return nil, nil
	}
	return items, nil
}

var (
	aUUID     = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)
	aQuantity = regexp.MustCompile(`^[0-9.,:/–-]*[0-9](st|nd|rd|th|s|[a-z]{1,3}|%)?$`) // 250ms, 10:30, 1990s, 2024-03-15
	aNumber   = regexp.MustCompile(`^[0-9][0-9-]*[0-9]$`)
	aDate     = regexp.MustCompile(`^(19|20)[0-9]{2}-?[0-9]{1,2}(-?[0-9]{1,2})?$`)
)

const (
	shortestCode   = 4 // characters of a word of letters and digits
	shortestNumber = 5 // digits of a number that is a name rather than an amount
)

// identifiers returns what names one thing in a text, each once, in lower case: UUIDs, numbers of five digits and more,
// paths, addresses, and words of letters and digits or with an underscore.
func identifiers(text string) []string {
	var found []string
	for _, word := range strings.FieldsFunc(text, apart) {
		word = strings.ToLower(strings.Trim(word, ".:;!?-'’…"))
		if identifying(word) && !slices.Contains(found, word) {
			found = append(found, word)
		}
	}
	return found
}

// apart tells whether a character stands between identifiers rather than in one.
func apart(c rune) bool {
	return c >= 0x2e80 || unicode.IsSpace(c) || strings.ContainsRune("\"“”‘‹›«»`()[]{}<>,;|*=", c)
}

func identifying(word string) bool {
	if len(word) < shortestCode || len(word) > 200 {
		return false
	}
	if aUUID.MatchString(word) {
		return true
	}
	if strings.HasPrefix(word, "/") || strings.HasPrefix(word, "~/") || strings.Contains(word, `:\`) || strings.Count(word, "/") >= 2 {
		return strings.ContainsFunc(word, unicode.IsLetter)
	}
	if aNumber.MatchString(word) && !aDate.MatchString(word) {
		return len(word)-strings.Count(word, "-") >= shortestNumber
	}
	if aQuantity.MatchString(word) || !strings.ContainsFunc(word, unicode.IsLetter) {
		return false
	}
	return strings.ContainsFunc(word, unicode.IsDigit) || strings.ContainsAny(strings.Trim(word, "_@"), "_@")
}
