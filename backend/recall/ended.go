package recall

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// Who says that something ended names it, and need not say again what it was: "Finished Dune, started Hyperion" has no word of "what
// am I reading?". So what answers a question is followed: a later statement of the user that says of one of its rare words that it
// is over comes before it, and where it also says what began, it replaces it.
const (
	followed   = 5   // best candidates whose words are followed …
	followHops = 3   // … and from what is found, so many times
	followWord = 20  // texts that may have a word of theirs
	mostFollow = 12  // such words, the rarest
	followAsks = .35 // of the asked words must stand in what is followed
	followCue  = 40  // bytes between a word and what says that it is over
)

var (
	// what stands before what is over …
	endsBefore = regexp.MustCompile(`(?i)(?:\b(?:finished|done with|sold|quit|cancel+ed|dropped|gave up|given up|stopped|no longer|(?:haven['’]?t|not) touched|swapped|switched from|moved from|migrated|replaced|instead of|rather than|ditched|returned|scrapped|donated|sick of|bored (?:with|of)|fed up with|tired of|through with)\b(?: (?:reading|watching|playing|using|drinking|eating|learning|with|from|of|the|this|that|my|our|his|her|a|an))*[ "“'‘]*$|` +
		`(?:看|读|追|听|学|写|用|吃)(?:完|腻)|不再|没再|别再|不肯再|不想再|戒|退掉?|卖掉?|换掉|取消|辞掉?|放弃|告别)了?[\p{Han}]{0,2}[《「“]?$`)
	// … and behind it
	endsBehind = regexp.MustCompile(`(?i)^([^.!?;,。！？；，]*?)(?:\b(?:left|is (?:gone|over|off|done|finished|history)|(?:was|got|has been|is being) (?:sold|stolen|cancel+ed|discontinued|replaced|scrapped|dropped)|failed|died|broke down|retired|resigned|moved away|closed down|is closing)\b|` +
		`(?:看|读|追|听|学|写|用|吃)(?:完|腻)|卖掉?|退休|退了|退掉|离职|辞职|走了|回老家|戒|换人|换掉|取消|报废|坏了|丢了|拆了|倒闭|关门|太[大小贵远累忙难]了?)`)
	// what stands before either where nothing is over yet
	notYet = regexp.MustCompile(`(?i)(?:n['’]t|\b(?:not|never|almost|nearly|hardly|until|before|when|if|once|to|will|would|may|might|could|should|must|cannot))(?: (?:i|we|he|she|it|have|has|be|been|yet|ever|even|quite|really))*\s*$|(?:[没沒未不快要想会會等若]|如果|还没|打算|准备|之前)[\p{Han}]{0,2}$`)
	// what says that something else began
	begins = regexp.MustCompile(`(?i)\b(?:start(?:ed|ing)?|began|now|instead|so i|these days|signed up|mov(?:ed|ing) (?:on )?to|switched|bought|got|joined|took up|new|next is|on to)\b|现在|現在|开始|開始|改|换|換|这周起|从这|今天|昨晚|如今|定[在成了]|新|报了|買了|买了`)
)

// follow brings in what says that something ended which answers the question.
func (r *Recall) follow(ctx context.Context, all []*candidate, a asked, sc scope) ([]*candidate, error) {
	if !a.own || a.dialogue || a.total == 0 || !sc.wants(store.KindMessage) {
		return all, nil
	}
	var olds []*candidate
	for _, c := range all[:min(len(all), followed)] {
		stems, matched := c.words(), 0.0
		for _, t := range a.terms {
			if t.matched(stems) {
				matched += t.weight
			}
		}
		if c.follows() && matched >= followAsks*a.total {
			olds = append(olds, c)
		}
	}
	byID := make(map[string]*candidate, len(all))
	for _, c := range all {
		byID[c.ID] = c
	}
	for hop := 0; hop < followHops && len(olds) > 0; hop++ {
		words := map[*candidate][]term{}
		var rare []string
		for _, c := range olds {
			terms, _, err := r.terms(ctx, c.Text)
			if err != nil {
				return nil, err
			}
			terms = slices.DeleteFunc(terms, func(t term) bool {
				return !t.telling() || strings.HasSuffix(t.stem, "*") || t.df > followWord || slices.ContainsFunc(a.terms, func(q term) bool { return q.stem == t.stem })
			})
			slices.SortStableFunc(terms, func(a, b term) int { return a.df - b.df })
			words[c] = terms[:min(len(terms), mostFollow)]
			for _, t := range words[c] {
				rare = append(rare, t.text)
			}
		}
		if len(rare) == 0 {
			break
		}
		hits, err := r.deps.Store.LexicalSearch(ctx, store.LexQuery{
			AgentID: sc.agentID, Terms: rare, Kinds: []string{store.KindMessage}, Roles: []memory.Role{memory.RoleUser}, After: sc.after, Before: sc.before, Limit: judged,
		})
		if err != nil {
			return nil, fmt.Errorf("look for what ended: %w", err)
		}
		var refs []store.Ref
		for _, h := range hits {
			if !sc.without[h.ID] {
				refs = append(refs, h.Ref)
			}
		}
		items, err := r.deps.Store.Items(ctx, refs)
		if err != nil {
			return nil, fmt.Errorf("look for what ended: %w", err)
		}
		var next []*candidate
		for _, it := range items {
			for _, old := range olds {
				if old.successor != nil || !it.Date.After(old.Date) || it.ID == old.ID {
					continue
				}
				at := ended(it.Text, words[old])
				if at < 0 {
					continue
				}
				c := byID[it.ID]
				if c == nil {
					c = &candidate{Item: it}
					byID[it.ID] = c
					all = append(all, c)
				}
				c.after = true
				old.successor = c
				if begins.MatchString(it.Text) {
					old.replaced = &memory.Successor{Text: strings.TrimSpace(cut(it.Text, at-around, at+around)), Date: it.Date, ID: it.ID}
				}
				next = append(next, c)
			}
		}
		olds = slices.DeleteFunc(next, func(c *candidate) bool { return c.successor != nil })
	}
	return all, nil
}

// follows reports whether a candidate is what the user told of themselves, which may end.
func (c *candidate) follows() bool {
	return c.Kind == store.KindMessage && c.Role == memory.RoleUser && c.Speaker == "" && !c.onlyAsks() && c.successor == nil
}

// ended returns where a text says of one of the words that it is over, -1 = nowhere.
func ended(text string, words []term) int {
	lower := strings.ToLower(text)
	if len(lower) != len(text) {
		return -1
	}
	for _, t := range words {
		for from := 0; ; {
			at := strings.Index(lower[from:], t.stem)
			if at < 0 {
				break
			}
			at += from
			end := at + len(t.stem)
			if from = end; !t.han && at > 0 && letter(lower[at-1]) {
				continue
			}
			for end < len(lower) && !t.han && letter(lower[end]) {
				end++
			}
			before, behind := cut(lower, at-followCue, at), cut(lower, end, end+followCue)
			if m := endsBefore.FindStringIndex(before); m != nil && !notYet.MatchString(before[:m[0]]) {
				return at
			}
			if m := endsBehind.FindStringSubmatchIndex(behind); m != nil && !notYet.MatchString(behind[:m[3]]) {
				return at
			}
		}
	}
	return -1
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' }
