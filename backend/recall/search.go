package recall

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/segment"
	"recollect/backend/store"
)

const (
	pool       = 200  // hits taken from each index
	fusedPool  = 300  // candidates whose texts are loaded
	judged     = 60   // best candidates whose evidence is judged and that a receipt shows
	queryChars = 4000 // characters of a message that are searched with

	shortMessage    = 40   // words of a message up to which its characters are searched for as well
	consideredWords = 200  // different words of a long message …
	searchedWords   = 24   // … of which the most telling are searched for
	typedMatches    = 4000 // texts that are scored while the query is typed
	mostMatches     = 2500 // texts that are scored for their words; beyond, the most common words are left out …
	fewestWords     = 2    // … down to this many
	enoughWords     = 12   // telling words that make the others superfluous
)

// Shares of words and meaning in the score by which candidates are chosen whose texts are read; their final score is a
// matter of weights.go.
const (
	weightLexical = .5
	weightMeaning = .5

	sessionBest = 3             // candidates that speak for a session
	sessionGap  = 6 * time.Hour // a longer silence begins a new session
)

// scope limits a search.
type scope struct {
	agentID, archiveID string
	kinds              []string
	roles              []memory.Role
	tags               []string
	tagMode            string
	after, before      time.Time       // [after, before); zero = open
	without            map[string]bool // ids of messages that are no results
	typed              bool            // by words alone, the last of which may be the beginning of one
}

// wants tells whether the scope has texts of a kind.
func (sc scope) wants(kind string) bool { return len(sc.kinds) == 0 || slices.Contains(sc.kinds, kind) }

// within returns the part of the scope that a model has vectors of.
func (sc scope) within(m *meaning) scope {
	if !m.messages {
		sc.agentID = ""
	}
	if !m.passages {
		sc.archiveID = ""
	}
	return sc
}

// candidate is a text that matched, with its raw and its normalised scores.
type candidate struct {
	store.Item
	bm25, own, ctx    float64 // raw; 0 where not found that way
	context           float64 // ctx without what the contexts of all candidates have in common
	lexRank, semRank  int
	lexical, semantic float64 // 0–1 within the candidates
	features          features
	parts             score   // what score is made of
	score             float64 // their sum
	base              float64 // the same before time, freshness and wishes moved it, which the floor goes by
	blind             bool    // of a place without vectors, while there are some of another one
	question          bool
	told              bool // says what is asked about the user
	after             bool // says that what is asked about ended
	hop               int  // found by looking up identifiers, in so many steps; 0 = not
	stems             map[string]bool
	matched           *bool   // whether it has a telling word of the query; nil = not measured
	from, to          int     // bytes of the text where it was found; 0, 0 = the whole text
	evidence          float64 // 1 = just enough to be injected
	itself            float64 // of it, without the neighbours
	weak              bool    // not strong enough to be injected
	wish              memory.FeedbackUse
	successor         *candidate        // says what is true now instead
	alsoNewer         []*candidate      // say the same as the successor
	replaced          *memory.Successor // the same, for the receipt and the model
	begins, ends      time.Time         // of a fact that is to come, or has a known end
	round             int               // of a deep search that found it
}

// found is the outcome of a search, best first.
type found struct {
	candidates []*candidate
	terms      []term
	total      int      // texts in the index
	told       []string // phrases in which people tell what the text asks about themselves
	meanings   []meaning
	vectors    bool             // there is one
	wordsOnly  memory.WordsOnly // why there is none
	calibrated bool             // it is known how near unrelated texts are
	embed      time.Duration    // the query's vector took
	waited     time.Duration    // for it, after the keywords were searched
	least      float64          // score that a candidate needs; set by markWeak
}

// search ranks what the scope holds by how well it fits the text. Only a failing database is an error: without a vector
// in time it goes by keywords.
func (r *Recall) search(ctx context.Context, text string, sc scope) (found, error) {
	text = clipQuery(text)
	var f found
	type embedded struct {
		meanings  []meaning
		wordsOnly memory.WordsOnly
		took      time.Duration
	}
	vectors, meant := make(chan embedded, 1), make(chan []near, 1)
	go func() { // meanwhile the keywords are searched
		start := r.deps.Clock()
		meanings, why := r.meanings(ctx, text, sc)
		vectors <- embedded{meanings, why, r.deps.Clock().Sub(start)}
		found := make([]near, len(meanings))
		for i := range meanings {
			found[i] = r.nearest(ctx, &meanings[i], sc)
		}
		meant <- found
	}()

	byRef := map[store.Ref]*candidate{}
	at := func(ref store.Ref) *candidate {
		c := byRef[ref]
		if c == nil {
			c = &candidate{Item: store.Item{Ref: ref}}
			byRef[ref] = c
		}
		return c
	}
	var err error
	if f.terms, f.total, err = r.terms(ctx, text); err != nil {
		return f, err
	}
	f.told = toldAs(text)
	var search []string
	newest := false
	if sc.typed {
		if search, newest, err = r.typedTerms(ctx, f.terms, text); err != nil {
			return f, err
		}
	} else {
		search = worthSearching(f.terms)
		for _, p := range f.told {
			search = append(search, phraseTerm(p))
		}
	}
	if len(search) > 0 {
		hits, err := r.deps.Store.LexicalSearch(ctx, store.LexQuery{
			AgentID: sc.agentID, ArchiveID: sc.archiveID,
			Terms: search, Kinds: sc.kinds, Roles: sc.roles, Tags: sc.tags, TagMode: sc.tagMode,
			After: sc.after, Before: sc.before, Limit: pool, Newest: newest,
		})
		if err != nil {
			return f, fmt.Errorf("search by keywords: %w", err)
		}
		rank := 0
		for _, h := range hits {
			if !sc.without[h.ID] {
				rank++
				c := at(h.Ref)
				c.bm25, c.lexRank = h.Rank, rank
				c.at(h.Start, h.End)
			}
		}
	}

	waiting := r.deps.Clock()
	q := <-vectors
	f.wordsOnly, f.embed, f.waited = q.wordsOnly, q.took, r.deps.Clock().Sub(waiting)
	for i, n := range <-meant {
		m := q.meanings[i]
		if n.err != nil {
			r.deps.Log.Warn("search by meaning failed", "model", m.model, "error", n.err)
			break // the others are on the scale of the first
		}
		for _, h := range n.own {
			c := at(h.Ref)
			c.own = m.of(h.Cosine)
			c.at(h.Start, h.End)
		}
		for _, h := range n.ctx {
			c := at(h.Ref)
			c.ctx = m.of(h.Cosine)
			c.at(h.Start, h.End)
		}
		f.meanings = append(f.meanings, m)
	}
	if f.vectors = len(f.meanings) > 0; !f.vectors {
		f.wordsOnly = cmp.Or(f.wordsOnly, memory.WordsFailed)
	}

	all := make([]*candidate, 0, len(byRef))
	for ref, c := range byRef {
		if !sc.without[ref.ID] {
			all = append(all, c)
		}
	}
	f.normalise(all)
	sortByScore(all)
	all = all[:min(len(all), fusedPool)]
	if all, err = r.load(ctx, all); err != nil {
		return f, err
	}
	f.countOnce(all)
	for i := range f.meanings {
		if err := r.near(ctx, &f.meanings[i], all); err != nil {
			r.deps.Log.Warn("candidates are compared by meaning only as far as they were found by it", "model", f.meanings[i].model, "error", err)
		}
	}
	f.score(all, text)
	setBack(all, text)
	if all, err = r.lookUp(ctx, all, text, sc); err != nil {
		return f, err
	}
	times := timesOf(text, r.deps.Clock())
	if all, err = r.ofTime(ctx, all, times, f.terms, sc); err != nil {
		return f, err
	}
	times.ease(f.terms)
	times.weigh(all)
	if all, err = r.freshen(ctx, all, f.terms, text, times, sc); err != nil {
		return f, err
	}
	sortByScore(all)
	f.candidates = all
	f.judge(r, text)
	return f, nil
}

// clipQuery keeps beginning and end of a long message: a question stands in one of them.
func clipQuery(text string) string {
	runes := []rune(strings.ToValidUTF8(text, " "))
	if len(runes) <= queryChars {
		return string(runes)
	}
	return string(runes[:queryChars/2]) + "\n" + string(runes[len(runes)-queryChars/2:])
}

// terms returns the words of the text with what each is worth.
func (r *Recall) terms(ctx context.Context, text string) (terms []term, total int, err error) {
	words := wordsOf(text)
	if len(words) == 0 {
		return nil, 0, nil
	}
	terms = make([]term, len(words))
	texts := make([]string, len(words))
	for i, w := range words {
		bare := strings.ReplaceAll(w, `"`, "")
		t := term{text: w, stem: segment.Stem(bare)}
		if others := same[t.stem]; len(others) > 0 {
			t.text, t.same = `("`+strings.Join(append([]string{bare}, others...), `" OR "`)+`")`, stemAll(others)
		}
		terms[i], texts[i] = t, t.text
	}
	var df []int
	total, df, err = r.deps.Store.DocFrequencies(ctx, texts)
	if err != nil {
		return nil, 0, fmt.Errorf("count words: %w", err)
	}
	for i := range terms {
		t := &terms[i]
		t.han, t.df, t.share = hasHan(t.stem), df[i], float64(df[i])/float64(max(total, 1))
		t.weight = weigh(t.stem, df[i], total)
	}
	telling := 0
	for _, t := range terms {
		if t.df > 0 && t.telling() {
			telling++
		}
	}
	if telling >= enoughWords { // small talk and halves of words around them only mislead
		terms = slices.DeleteFunc(terms, func(t term) bool { return !t.telling() })
	}
	if len(terms) > searchedWords {
		terms = slices.DeleteFunc(terms, func(t term) bool { return t.df == 0 })
		slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(b.weight, a.weight) })
		terms = terms[:min(len(terms), searchedWords)]
	}
	return terms, total, nil
}

// wordsOf returns the words to search for. A long message is cut into sentences, so that all of it is considered.
func wordsOf(text string) []string {
	words := segment.Query(text)
	seen := map[string]bool{}
	for _, w := range words {
		seen[w] = true
	}
	if len(words) < shortMessage {
		return append(words, characters(words, seen)...)
	}
	for _, s := range sentences(text, queryChars) {
		for _, w := range segment.Query(s) {
			if !seen[w] && len(words) < consideredWords {
				seen[w] = true
				words = append(words, w)
			}
		}
	}
	return words
}

// characters returns the telling characters of a short message's pairs as terms of their own: 家猫 finds 我的猫.
func characters(words []string, seen map[string]bool) []string {
	var chars []string
	for _, w := range words {
		bare := strings.Trim(w, `"*`)
		if !hasHan(bare) || weakBigrams[bare] || strings.ContainsAny(bare, weakRunes) {
			continue
		}
		for _, c := range bare {
			if one := `"` + string(c) + `"*`; !seen[one] && len(words)+len(chars) < shortMessage {
				seen[one] = true
				chars = append(chars, one)
			}
		}
	}
	return chars
}

// worthSearching leaves out words that no text has, and the most common ones where the others bring matches enough: each
// match has to be scored, and those of common words tell the least.
func worthSearching(terms []term) []string {
	byRarity := slices.DeleteFunc(slices.Clone(terms), func(t term) bool { return t.df == 0 })
	slices.SortStableFunc(byRarity, func(a, b term) int { return cmp.Compare(a.df, b.df) })
	var search []string
	matches := 0
	for i, t := range byRarity {
		matches += t.df
		if i >= fewestWords && matches > mostMatches || i > 0 && t.df >= 200 && t.share >= .2 {
			break
		}
		search = append(search, t.text)
	}
	return search
}

// typedTerms returns what to search for while a text is typed: its words and what its last word may become, but no more of
// the common ones than can be ranked between two keys. Where all are common the rarest is left, and newest says that its
// matches are not to be ranked.
func (r *Recall) typedTerms(ctx context.Context, words []term, text string) (search []string, newest bool, err error) {
	terms := slices.DeleteFunc(slices.Clone(words), func(t term) bool { return t.df == 0 })
	for _, b := range beginnings(text) {
		_, df, err := r.deps.Store.DocFrequencies(ctx, []string{b})
		if err != nil {
			return nil, false, fmt.Errorf("count words: %w", err)
		}
		if df[0] > 0 {
			terms = append(terms, term{text: b, df: df[0]})
		}
	}
	slices.SortStableFunc(terms, func(a, b term) int { return cmp.Compare(a.df, b.df) })
	matches := 0
	for i, t := range terms {
		if matches += t.df; matches > typedMatches && i > 0 {
			break
		}
		search = append(search, t.text)
	}
	return search, len(terms) > 0 && terms[0].df > typedMatches, nil
}

// shortestBeginning is how many letters of a word must be there before it is searched for: fewer match too much.
const shortestBeginning = 3

// beginnings returns the term that finds what begins with the last word of a text that is still being typed. A script
// without spaces needs none: its pairs of characters are found as they are.
func beginnings(text string) []string {
	words := strings.FieldsFunc(text, func(r rune) bool { return !unicode.In(r, unicode.L, unicode.M, unicode.N) })
	if len(words) == 0 || !strings.HasSuffix(text, words[len(words)-1]) {
		return nil
	}
	last := strings.TrimSuffix(strings.ToLower(words[len(words)-1]), "y") // the stemmer makes an i of it
	if utf8.RuneCountInString(last) < shortestBeginning || hasHan(last) {
		return nil
	}
	return []string{`"` + last + `"*`}
}

// near is what is nearest to a vector, in both views.
type near struct {
	own, ctx []store.VecHit
	err      error
}

// nearest searches both views of what a model has vectors of.
func (r *Recall) nearest(ctx context.Context, m *meaning, sc scope) (n near) {
	sc = sc.within(m)
	search := func(view string) []store.VecHit {
		if n.err != nil {
			return nil
		}
		var hits []store.VecHit
		hits, n.err = r.deps.Store.VectorSearch(ctx, store.VecQuery{
			Model: m.model, View: view, Vector: m.vector,
			AgentID: sc.agentID, ArchiveID: sc.archiveID, Kinds: sc.kinds, Roles: sc.roles, Tags: sc.tags,
			TagMode: sc.tagMode, After: sc.after, Before: sc.before, K: pool,
		})
		return hits
	}
	n.own, n.ctx = search(store.ViewOwn), search(store.ViewCtx)
	return n
}

// normalise brings the raw scores to 0–1 within the candidates and sets the base score.
func (f *found) normalise(all []*candidate) {
	var best float64
	for _, c := range all {
		best = max(best, c.bm25)
	}
	own, ctx := span(all, func(c *candidate) float64 { return c.own }), span(all, func(c *candidate) float64 { return c.ctx })
	var near float64
	for _, c := range all {
		if best > 0 {
			c.lexical = c.bm25 / best
		}
		c.semantic = (own(c.own) + ctx(c.ctx)) / 2
		if c.Kind == store.KindPassage { // it has no neighbours
			c.semantic = own(c.own)
		}
		near = max(near, c.semantic)
	}
	for _, c := range all {
		if near > 0 {
			c.semantic /= near
		}
		c.score = c.lexical
		c.blind = f.vectors && !slices.ContainsFunc(f.meanings, func(m meaning) bool { return m.covers(c.Kind) })
		if f.vectors && !c.blind {
			c.score = weightLexical*c.lexical + weightMeaning*c.semantic
		}
	}
	if !f.vectors {
		return
	}
	bySemantic := slices.Clone(all)
	slices.SortFunc(bySemantic, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.semantic, a.semantic), cmp.Compare(a.ID, b.ID))
	})
	for i, c := range bySemantic {
		if c.semantic > 0 {
			c.semRank = i + 1
		}
	}
}

// span returns the function that maps the smallest value found to 0, the largest to 1, and "not found" to 0.
func span(all []*candidate, value func(*candidate) float64) func(float64) float64 {
	lo, hi := 0.0, 0.0
	for _, c := range all {
		v := value(c)
		if v == 0 {
			continue
		}
		if lo == 0 || v < lo {
			lo = v
		}
		if hi == 0 || v > hi {
			hi = v
		}
	}
	return func(v float64) float64 {
		switch {
		case v == 0:
			return 0
		case hi == lo:
			return 1
		}
		return (v - lo) / (hi - lo)
	}
}

// load fills in the texts and leaves out what has been deleted meanwhile.
func (r *Recall) load(ctx context.Context, all []*candidate) ([]*candidate, error) {
	refs := make([]store.Ref, len(all))
	for i, c := range all {
		refs[i] = c.Ref
	}
	items, err := r.deps.Store.Items(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("load candidates: %w", err)
	}
	byRef := make(map[store.Ref]store.Item, len(items))
	for _, it := range items {
		byRef[it.Ref] = it
	}
	loaded := all[:0]
	for _, c := range all {
		if it, ok := byRef[c.Ref]; ok {
			c.Item = it
			c.Text = piece(it.Text, c.from, c.to)
			loaded = append(loaded, c)
		}
	}
	return loaded, nil
}

// at notes in which piece of its text a candidate was found. Words point to it more surely than vectors, which are searched
// after them.
func (c *candidate) at(from, to int) {
	if c.to == 0 {
		c.from, c.to = from, to
	}
}

// piece returns the bytes of a text from one place to another, marked where something is left out; the whole text for 0, 0,
// and where it has changed meanwhile.
func piece(text string, from, to int) string {
	if to == 0 || to > len(text) || from > to {
		return text
	}
	cut := strings.TrimSpace(strings.ToValidUTF8(text[from:to], ""))
	if from > 0 {
		cut = "…" + cut
	}
	if to < len(text) {
		cut += "…"
	}
	return cut
}

// sessions returns for each candidate how much its session speaks for it, 0–1: the mean of the session's best scores.
// A passage has no session; its own score stands for it.
func sessions(all []*candidate, value func(*candidate) float64) []float64 {
	order := make([]int, 0, len(all))
	result := make([]float64, len(all))
	for i, c := range all {
		if c.ConversationID == "" {
			result[i] = value(c)
			continue
		}
		order = append(order, i)
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(strings.Compare(all[a].ConversationID, all[b].ConversationID), all[a].Date.Compare(all[b].Date))
	})
	var best float64
	for start := 0; start < len(order); {
		end := start + 1
		for end < len(order) && sameSession(all[order[end-1]], all[order[end]]) {
			end++
		}
		values := make([]float64, 0, end-start)
		for _, i := range order[start:end] {
			values = append(values, value(all[i]))
		}
		slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
		var sum float64
		for _, v := range values[:min(len(values), sessionBest)] {
			sum += v
		}
		for _, i := range order[start:end] {
			result[i] = sum / sessionBest
		}
		best = max(best, sum/sessionBest)
		start = end
	}
	if best > 0 {
		for _, i := range order {
			result[i] /= best
		}
	}
	return result
}

func sameSession(a, b *candidate) bool {
	return a.ConversationID == b.ConversationID && b.Date.Sub(a.Date) < sessionGap
}

// namedSpeaker returns the one speaker whom the text names, "" when it names none or several.
func namedSpeaker(all []*candidate, text string) string {
	if named := namedSpeakers(all, text); len(named) == 1 {
		return named[0]
	}
	return ""
}

// namedSpeakers returns the speakers whom the text names.
func namedSpeakers(all []*candidate, text string) []string {
	lower := strings.ToLower(text)
	var named []string
	seen := map[string]bool{}
	for _, c := range all {
		if c.Speaker == "" || seen[c.Speaker] {
			continue
		}
		seen[c.Speaker] = true
		if strings.Contains(lower, strings.ToLower(c.Speaker)) {
			named = append(named, c.Speaker)
		}
	}
	return named
}

// isQuestion tells whether a text asks rather than tells.
func isQuestion(text string) bool {
	text = strings.TrimRight(text, " \n\t\"'”’)）」』")
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？") ||
		strings.HasSuffix(text, "吗") || strings.HasSuffix(text, "呢")
}

func sortByScore(all []*candidate) {
	slices.SortFunc(all, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), b.Date.Compare(a.Date), strings.Compare(b.ID, a.ID))
	})
}
