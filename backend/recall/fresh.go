package recall

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"recollect/backend/memory"
	"recollect/backend/segment"
	"recollect/backend/store"
	"recollect/backend/when"
)

// Which of two statements about the same thing is current is no matter of ranking. Facts know it (store.ReplacedIn). Where
// no fact does, a later statement of the same person replaces an earlier one when both have a value of the kind that is
// asked for, another one, the words around the two values share much of what is asked for, and the later one says near
// its value that something changed ("has increased to", 「改成」).
const (
	compared      = 40   // best candidates that are compared with each other
	comparedBytes = 3000 // bytes of a memory that are looked through for values …
	valuesMost    = 24   // … of which so many count
	around        = 90   // bytes on both sides of a value that say what it is a value of
	cueBefore     = 70   // bytes before a value in which a change may be said …
	cueAfter      = 25   // … and behind it
	ownWords      = .5   // of what is missing to the highest score: what the user said, unless the assistant's words are asked for

	sharedAsked = .5  // of the asked words around the value with fewer, the other must have …
	sharedLeast = .25 // … and of all asked words
	sharedSure  = .5  // of all asked words, so that the earlier one is marked as replaced …
	sureCounted = .4  // … or this many, where both count what is asked for
	missingSure = .3  // of those that the earlier one has, the later may lack so many then …
	missingVerb = .4  // … or so many, where none of them is a thing of its own
	hintedLeast = .4  // of all asked words, where the change is only hinted at …
	hintedSure  = .8  // … so that the earlier one is marked as replaced
	nearlySame  = .6  // the same without a word about a change
	nearlyBest  = .85 // as good a successor as the best
	unitFits    = .5  // what it adds to a successor that its value counts what is asked for …
	changeFits  = .2  // … and that it says that something changed
	overtaking  = .002
)

// asksBack are ways to ask for what was true once.
var asksBack = regexp.MustCompile(`(?i)\b(previously|used to|originally|at first|initially|formerly|former|back then|in the past|earlier|prior to|` +
	`(did|was|were|had) (i|we|my|our|the|it|you) .*\bbefore \pL|who (was|had|did|taught|\w+ed) .*\bbefore \pL|first (version|plan|value|estimate|planned)|old (\w+ ){0,2}(one|value|number|address|job|plan|date|name|version|phone|car|rate|price|deadline)|` +
	`before (i|we|it|that|this|the)\b.*\b(chang|mov|updat|switch|increas|decreas|rais|extend|reschedul)\w*|` +
	`(before|once)\s*[?.!]*$|before (now|that|this)\b)|以前|之前|原来|原來|原先|起初|最初|曾经|曾經|过去|過去|本来|本來|从前|從前|一开始|一開始|最早|旧的|舊的`)

// backWords are the words of such questions, which no memory need hold.
var backWords = regexp.MustCompile(`(?i)\b(?:previously|originally|initially|formerly|former|earlier|before|once|at first|back then|in the past)\b|` +
	`以前|之前|原来|原來|原先|起初|最初|曾经|曾經|过去|過去|本来|本來|从前|從前|一开始|一開始|旧的|舊的`)

// asksAll asks how something went on, for which the old and the new matter alike.
var asksAll = regexp.MustCompile(`(?i)\b(how (has|have|did) .* (chang|evolv|develop|progress|grow|improv)\w*|over time|history of|from .* to .*\?)|变化|變化|怎么变|历史|歷史`)

// asksEvent asks when something happened, which nothing later changes.
var asksEvent = regexp.MustCompile(`(?i)\bwhen (did|was|were|have|has|had)\b|\b(did|was|were) .{1,80} (happen|occur)`)

// aboutUser asks about the user: in the first person.
var aboutUser = regexp.MustCompile(`(?i)\b(my|mine|i|i'm|i've|we|our|me)\b|我`)

// asksAssistant asks for what the assistant said.
var asksAssistant = regexp.MustCompile(`(?i)\b((did|have|had) you|you('ve| have| had)? (said|told|suggest|recommend|wrote|written|explain|gave|given|mention|advis|propos|list|show)\w*|` +
	`your (answer|suggestion|recommendation|advice|explanation|proposal|list|reply))\b|你.{0,4}(说|推荐|建议|写|给我|提到|讲|教|介绍|列)|你.{0,4}(說|推薦|建議|寫|給我|講|介紹)`)

// freshen puts the current of two statements before the replaced one, which it marks, or, for a question about the past,
// the other way round.
func (r *Recall) freshen(ctx context.Context, all []*candidate, terms []term, text string, t times, sc scope) ([]*candidate, error) {
	if sc.typed || len(all) == 0 {
		return all, nil
	}
	if !asksAssistant.MatchString(text) && !dialogueOf(text).is() { // a dialogue asks for nothing in particular
		favourOwn(all, terms)
	}
	sortByScore(all)
	all, err := r.freshFacts(ctx, all, sc)
	if err != nil {
		return nil, err
	}
	past := asksBack.MatchString(text)
	if asksEvent.MatchString(text) && !past {
		return all, nil
	}
	a := askedFor(text, terms)
	mark(all, a)
	if all, err = r.follow(ctx, all, a, sc); err != nil {
		return nil, err
	}
	if asksAll.MatchString(text) && !past {
		return all, nil
	}
	byDate := slices.Clone(all)
	slices.SortStableFunc(byDate, func(a, b *candidate) int { return a.Date.Compare(b.Date) })
	back := func(old *candidate) bool { return past || t.between(old, old.successor) }
	for _, c := range byDate { // a chain of successors ends with the newest first
		for _, o := range byDate {
			if o.successor != nil && !back(o) && (o.successor == c || slices.Contains(o.alsoNewer, c)) {
				c.overtake(o)
			}
		}
	}
	for _, c := range slices.Backward(byDate) {
		if c.successor != nil && back(c) {
			c.overtake(c.successor)
		}
	}
	return all, nil
}

// overtake puts c before o.
func (c *candidate) overtake(o *candidate) {
	if c.score > o.score {
		return
	}
	c.parts[byFresh] += o.score + overtaking*(1-o.score) - c.score
	c.score = c.parts.sum()
}

// favourOwn raises what the user said where the question is about the user: an answer of the assistant repeats much and
// knows nothing of itself.
func favourOwn(all []*candidate, terms []term) {
	for _, c := range all {
		if c.Kind == store.KindMessage && (c.Role != memory.RoleUser || c.Speaker != "") || c.onlyAsks() || !c.matches(terms) {
			continue
		}
		c.parts[byQuestion] = 0 // it asks, but it also tells
		c.score = c.parts.sum()
		c.add(bySpeaker, ownWords)
	}
}

// matches tells whether a candidate has a telling word of the query.
func (c *candidate) matches(terms []term) bool {
	if c.matched != nil {
		return *c.matched
	}
	return slices.ContainsFunc(terms, func(t term) bool { return t.telling() && t.matched(c.words()) })
}

// freshFacts marks what states something that is no longer true as a fact, and brings in the message that states what is.
func (r *Recall) freshFacts(ctx context.Context, all []*candidate, sc scope) ([]*candidate, error) {
	top := all[:min(len(all), compared)]
	byID, ids := make(map[string]*candidate, len(all)), make([]string, 0, len(top))
	for _, c := range all {
		byID[c.ID] = c
	}
	for _, c := range top {
		ids = append(ids, c.ID)
	}
	replaced, err := r.deps.Store.ReplacedIn(ctx, sc.agentID, ids)
	if err != nil {
		return nil, fmt.Errorf("look for replaced facts: %w", err)
	}
	var missing []store.Ref
	for _, c := range top {
		for _, rep := range replaced[c.ID] {
			if rep.New.Origin == c.ID { // it says both: "from Paris to Lyon"
				continue
			}
			c.replaced = successorOf(rep)
			if origin := rep.New.Origin; origin != "" && byID[origin] == nil && !sc.without[origin] {
				byID[origin] = &candidate{}
				missing = append(missing, store.Ref{Kind: store.KindMessage, ID: origin})
			}
		}
	}
	if len(missing) > 0 {
		items, err := r.deps.Store.Items(ctx, missing)
		if err != nil {
			return nil, fmt.Errorf("load what replaced a fact: %w", err)
		}
		for _, it := range items {
			byID[it.ID] = &candidate{Item: it, told: true}
			all = append(all, byID[it.ID])
		}
	}
	for _, c := range top {
		for _, rep := range replaced[c.ID] {
			if s := byID[rep.New.Origin]; s != nil && s != c && s.ID != "" {
				c.successor = s
			}
		}
	}
	return all, nil
}

// successorOf returns what took the place of a fact; its text is empty where nothing did.
func successorOf(rep memory.Replacement) *memory.Successor {
	if rep.New.ID == "" {
		return &memory.Successor{Date: rep.Old.ValidTo}
	}
	s := &memory.Successor{Text: rep.New.Text(), Date: rep.New.ValidFrom, ID: rep.New.Origin}
	if s.Date.IsZero() {
		s.Date = rep.New.SaidAt
	}
	return s
}

// valueKind is what a value is.
type valueKind int

const (
	counted valueKind = iota // a number
	percent
	money
	date
	worded // no number: what changed is said in words
	said   // what a change in words may change
)

// value is a number, a date or a change in a memory.
type value struct {
	kind    valueKind
	text    string
	unit    string          // stem of the word behind a number, "" = none
	stems   map[string]bool // around it
	around  string
	hinted  bool   // the change is only hinted at
	before  string // what may say that it changed …
	after   string // … and what may, behind it
	changed *bool  // whether they do; nil = not read yet
}

// asked is what a question asks for.
type asked struct {
	terms   []term
	total   float64     // weight of the terms
	subject bool        // it asks what the user does or is: "do I weigh"
	kinds   []valueKind // of the answer
	unit    string      // stem of what is counted, "" = nothing
	numbers []string    // that it names
	own     bool        // it is about the user

	dialogue bool // it asks for nothing in particular: a hint that something changed is none about it
}

var (
	countedThings = regexp.MustCompile(`(?i)\bhow (?:many|much) (?:\w+ing |total |more |different |hours? of |of )?(\w+)`)
	userActs      = regexp.MustCompile(`(?i)\b(do|did|am|have|can|will|should) (i|we)\b`)
	firstPerson   = regexp.MustCompile(`(?i)\b(i|my|we|our|me|mine|us)\b|我|咱`)
	asksPercent   = regexp.MustCompile(`(?i)\b(percent|percentage|rate|ratio|share|accuracy|coverage|score)\b|百分|率|比例`)
	asksMoney     = regexp.MustCompile(`(?i)\b(how much|cost|price|salary|rent|budget|pay|fee|spend|income|loan)\b|多少钱|多少錢|价格|价钱|預算|预算|工资|薪|房租|费`)
	asksDate      = regexp.MustCompile(`(?i)\b(when|what (day|date|time)|which (day|date)|deadline|scheduled|due|appointment|date)\b|什么时候|什麼時候|何时|几号|幾號|哪天|哪一天|日期|几点|幾點|截止`)
	asksHowMuch   = regexp.MustCompile(`多少`)
	asksCount     = regexp.MustCompile(`(?i)\b(how (many|much|long|far|old|big|tall|often)|number of|total|average|size|amount|count|length|limit|quota|time|speed)\b|多少|几|幾|数量|數量|多大|多长|多久`)
)

// askedFor reads a question.
func askedFor(text string, terms []term) asked {
	a := asked{own: aboutUser.MatchString(text), dialogue: dialogueOf(text).is()}
	for _, t := range terms {
		if t.telling() && !strings.HasSuffix(t.stem, "*") {
			a.terms = append(a.terms, t)
			a.total += t.weight
		}
	}
	for _, w := range strings.Fields(segment.Index(text)) {
		if strings.ContainsFunc(w, unicode.IsDigit) {
			a.numbers = append(a.numbers, w)
		}
	}
	a.subject = userActs.MatchString(text)
	if m := countedThings.FindStringSubmatch(text); m != nil {
		a.unit = segment.Stem(strings.ToLower(m[1]))
	}
	for _, k := range []struct {
		asks  *regexp.Regexp
		kinds []valueKind
	}{
		{asksDate, []valueKind{date}},
		{asksPercent, []valueKind{percent, money}}, // a rate may be in money …
		{asksMoney, []valueKind{money, percent}},   // … and a fee in percent
		{asksCount, []valueKind{counted}},
		{asksHowMuch, []valueKind{counted, percent, money}},
	} {
		if k.asks.MatchString(text) {
			a.kinds = append(a.kinds, k.kinds...)
		}
	}
	if len(a.kinds) == 0 {
		a.kinds = []valueKind{counted, percent, money}
	}
	a.kinds = append(a.kinds, worded, said)
	return a
}

// named tells whether the later value is the one beside a number of the question, and the earlier one is not: "after 15
// problems".
func (a asked) named(old, later value) bool {
	return slices.ContainsFunc(a.numbers, func(n string) bool { return later.stems[n] && !old.stems[n] && later.text != n })
}

// mark finds the statements that a newer one replaces.
func mark(all []*candidate, a asked) {
	if len(a.terms) == 0 {
		return
	}
	var told []*candidate
	values := map[*candidate][]value{}
	for _, c := range all[:min(len(all), compared)] {
		if c.Kind == store.KindMessage && (c.Role == memory.RoleAssistant && c.Speaker == "" || c.onlyAsks()) {
			continue
		}
		if v := a.valuesOf(c); len(v) > 0 {
			told, values[c] = append(told, c), v
		}
	}
	slices.SortStableFunc(told, func(a, b *candidate) int { return cmp.Or(a.Date.Compare(b.Date), strings.Compare(a.ID, b.ID)) })
	for i, old := range told {
		if old.successor != nil {
			continue
		}
		var best likeness
		var all []likeness
		for _, c := range told[i+1:] {
			if !c.Date.After(old.Date) || c.Speaker != old.Speaker {
				continue
			}
			l := a.compare(values[old], values[c])
			if l.fit == 0 || !l.sure && old.Speaker != "" { // among people who talk, similar things are often of different days
				continue
			}
			l.successor = c
			all = append(all, l)
			if l.fit >= nearlyBest*best.fit { // of equals the newest
				l.fit = max(l.fit, best.fit)
				best = l
			}
		}
		if best.successor == nil {
			continue
		}
		for _, l := range all { // who says the same as the successor
			if l.value.kind == best.value.kind && l.value.text == best.value.text && l.successor != best.successor {
				old.alsoNewer = append(old.alsoNewer, l.successor)
			}
		}
		old.successor = best.successor
		if best.sure {
			old.replaced = &memory.Successor{Text: best.value.around, Date: best.successor.Date, ID: best.successor.ID}
		}
	}
}

// likeness says how well a later statement fits as the successor of an earlier one.
type likeness struct {
	successor *candidate
	fit       float64 // 0 = not at all
	sure      bool    // it surely replaces it
	value     value
}

// compare finds the two values of an earlier and a later statement that belong together best.
func (a asked) compare(old, later []value) (best likeness) {
	for i := range later {
		n := &later[i]
		if slices.ContainsFunc(old, func(o value) bool { return o.kind == n.kind && o.text == n.text }) {
			continue
		}
		for _, o := range old {
			if (n.kind == worded) != (o.kind == said) || n.kind != worded && o.kind != n.kind || n.kind == said {
				continue
			}
			if o.kind == counted && o.unit != n.unit && o.unit != "" && n.unit != "" && n.unit != a.unit {
				continue
			}
			var both, hasOld, hasLater, missing float64
			for _, t := range a.terms {
				x, y := t.matched(o.stems), t.matched(n.stems)
				if x && !y && t.stem != a.unit {
					missing += t.weight
				}
				if x {
					hasOld += t.weight
				}
				if y {
					hasLater += t.weight
				}
				if x && y {
					both += t.weight
				}
			}
			if both < sharedAsked*min(hasOld, hasLater) || both < sharedLeast*a.total {
				continue
			}
			if n.hinted && (both < hintedLeast*a.total || missing > missingVerb*hasOld) {
				continue
			}
			changed := n.saysChanging()
			if !changed && !a.named(o, *n) && !(a.own && both >= nearlySame*a.total) {
				continue
			}
			fit := both / a.total
			counts := n.unit != "" && n.unit == a.unit
			if counts {
				fit += unitFits
			}
			if changed {
				fit += changeFits
			}
			if fit <= best.fit {
				continue
			}
			best = likeness{fit: fit, value: *n}
			if changed && (missing <= missingSure*hasOld || missing <= missingVerb*hasOld && !a.lacks(o, *n)) && (o.unit == n.unit || n.unit == "" || counts) && (!a.subject || firstPerson.MatchString(n.around) || a.definite(n.around)) {
				best.sure = both >= sharedSure*a.total || counts && o.unit == n.unit && both >= sureCounted*a.total
				if n.hinted {
					best.sure = both >= hintedSure*a.total && len(a.terms) > 1
				}
			}
		}
	}
	return best
}

// definites are things that are spoken of as known.
var definites = regexp.MustCompile(`(?i)\b(?:the|this|that) (\pL+)`)

// definite tells whether a text speaks of an asked thing as of one that is known: "the commission was increased".
func (a asked) definite(text string) bool {
	return a.things(text, definites, func(term) bool { return true })
}

// owned are things, also of somebody.
var owned = regexp.MustCompile(`(?i)\b(?:the|this|that|my|our|his|her|their) (\pL+)`)

// lacks tells whether a later statement lacks an asked thing of the earlier one: it is of the bathroom, not of the kitchen. In
// Chinese nothing tells things from what is said of them.
func (a asked) lacks(old, later value) bool {
	return hasHan(old.around) || a.things(old.around, owned, func(t term) bool { return !t.matched(later.stems) })
}

func (a asked) things(text string, are *regexp.Regexp, such func(term) bool) bool {
	return slices.ContainsFunc(are.FindAllStringSubmatch(text, -1), func(m []string) bool {
		stems := stemsOf(m[1])
		return slices.ContainsFunc(a.terms, func(t term) bool { return t.matched(stems) && such(t) })
	})
}

// valuesOf returns the values of a memory that a question of this kind may ask for.
func (a asked) valuesOf(c *candidate) []value {
	text := withoutCode(c.Text)
	for len(text) > comparedBytes {
		text = strings.ToValidUTF8(text[:comparedBytes], "")
	}
	var values []value
	add := func(v value, from, to int) {
		if len(values) == valuesMost || !slices.Contains(a.kinds, v.kind) {
			return
		}
		v.around = cut(text, from-around, to+around)
		v.stems = stemsOf(v.around)
		if !slices.ContainsFunc(a.terms, func(t term) bool { return t.matched(v.stems) }) {
			return
		}
		v.before, v.after = cut(text, from-cueBefore, from), cut(text, to, to+cueAfter)
		v.around = strings.TrimSpace(v.around)
		values = append(values, v)
	}
	add(value{kind: said}, a.place(text), a.place(text))
	if slices.Contains(a.kinds, date) {
		for _, at := range clocks.FindAllStringIndex(text, mostClocks) {
			add(value{kind: date, text: text[at[0]:at[1]]}, at[0], at[1])
		}
		for _, s := range when.Parse(text, c.Date, when.Nearest) {
			if s.Kind == when.Point && s.Precision <= when.Day {
				add(value{kind: date, text: s.From.Format(time.DateTime)}, s.Start, s.End)
			}
		}
	}
	if lower := strings.ReplaceAll(strings.ToLower(text), "’", "'"); len(lower) == len(text) { // so that places are the same
		for _, phrase := range changes {
			if at := indexWord(lower, phrase); at >= 0 {
				add(value{kind: worded, text: cut(text, at-around, at+around)}, at, at+len(phrase))
			}
		}
	}
	if at := hints.FindStringIndex(text); at != nil && !a.dialogue {
		add(value{kind: worded, hinted: true, text: cut(text, at[0]-around, at[1]+around)}, at[0], at[1])
	}
	if !strings.ContainsAny(text, numerals) && !slices.ContainsFunc(numberWords, func(w string) bool { return strings.Contains(text, w) }) {
		return values
	}
	for _, at := range numbers.FindAllStringSubmatchIndex(text, -1) {
		group := func(i int) string {
			if at[2*i] < 0 {
				return ""
			}
			return text[at[2*i]:at[2*i+1]]
		}
		v := value{text: strings.ReplaceAll(strings.ToLower(group(2)), ",", "")}
		switch {
		case group(3) == "%" || group(3) == "％" || strings.EqualFold(group(3), "percent"):
			v.kind = percent
		case group(1) != "" || group(3) != "":
			v.kind = money
		default:
			v.unit = segment.Stem(strings.ToLower(group(4)))
			if segment.Stop(v.unit) || hasHan(v.unit) {
				v.unit = ""
			}
		}
		if inFormula(text, at[4], at[5]) || inDate(text, at[4], v.unit) {
			continue
		}
		add(v, at[4], at[5])
	}
	return values
}

var clocks = regexp.MustCompile(`\b\d{1,2}:\d\d\b`)

const mostClocks = 8

// place returns where in a text the asked words stand: where the first of the most telling ones does.
func (a asked) place(text string) int {
	lower := strings.ToLower(text)
	best, weight := 0, 0.0
	for _, t := range a.terms {
		if at := strings.Index(lower, strings.Trim(t.text, `"*`)); at >= 0 && t.weight > weight {
			best, weight = at, t.weight
		}
	}
	return min(best, len(text))
}

// indexWord returns where a phrase stands in a text in whole words, -1 = nowhere.
func indexWord(text, phrase string) int {
	letter := func(i int) bool { return i >= 0 && i < len(text) && (text[i] >= 'a' && text[i] <= 'z') }
	for from := 0; ; {
		at := strings.Index(text[from:], phrase)
		if at < 0 {
			return -1
		}
		at += from
		end := at + len(phrase)
		if !(letter(at-1) && letter(at)) && !(letter(end-1) && letter(end)) {
			return at
		}
		from = end
	}
}

// cut returns a part of a text in whole characters.
func cut(text string, from, to int) string {
	return strings.ToValidUTF8(text[max(0, min(from, len(text))):max(0, min(to, len(text)))], "")
}

var fences = regexp.MustCompile("(?s)```.*?(```|$)")

// withoutCode leaves out blocks of code, whose numbers say nothing about the user.
func withoutCode(text string) string {
	if !strings.Contains(text, "```") {
		return text
	}
	return fences.ReplaceAllString(text, "\n")
}

const numerals = "0123456789零一二两三四五六七八九十百千万"

var numberWords = strings.Fields("two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty hundred")

// numbers finds numbers, in digits or words, with what stands around them.
var numbers = regexp.MustCompile(`(?i)([$€£¥￥]\s?)?(\d[\d,.]*\d|\d|[零一二两三四五六七八九十百千万]+|\b(?:` + strings.Join(numberWords, "|") + `)\b)` +
	`\s?(%|％|percent\b|美元|欧元|块|元|dollars?\b|euros?\b)?[\s-]*(\pL+)?`)

// inFormula tells whether a number is part of a calculation, a fraction, a name: 4/52, P(4), x2.
func inFormula(text string, from, to int) bool {
	const signs = "/=*^()+<>_[]{}|#"
	return from > 0 && (strings.IndexByte(signs, text[from-1]) >= 0 || text[from-1] < 0x80 && unicode.IsLetter(rune(text[from-1]))) ||
		to < len(text) && strings.IndexByte(signs, text[to]) >= 0
}

var monthBefore = regexp.MustCompile(`(?i)\b(jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.? (\d{1,2}(st|nd|rd|th)?,? )?$`)

// inDate tells whether a number is part of a date.
func inDate(text string, from int, unit string) bool {
	return monthBefore.MatchString(cut(text, from-20, from)) || slices.Contains([]string{"januari", "februari", "march", "april", "mai", "june", "juli", "august", "septemb", "octob", "novemb", "decemb", "am", "pm"}, unit)
}

var (
	// changes say by themselves that something is no longer as it was.
	changes = list(`no longer / anymore / any more / instead of / switched to / switched from / switched over / changed to / changed from / changed my / changed it /
		moved to / moved from / moved it / moved the / moving it / moving the / replaced / rescheduled / postponed / renamed / i now / now i / is now / are now /
		i'm now / we're now / it's now / gave up / given up / stopped / quit / corrected / correction / actually it /
		改成 / 改为 / 改為 / 改到 / 改用 / 换成 / 換成 / 换到 / 換到 / 换了 / 換了 / 不再 / 搬到 / 搬去 / 变成 / 變成 / 推迟 / 推遲 / 提前到 / 现在是 / 現在是 / 现在用 / 现在住 /
		現在住 / 转到 / 轉到 / 取消 / 调到 / 調到 / 调整到 / 調整到 / 挪到 / 移到 / 换人 / 換人 / 卖掉 / 賣掉 / 改收 / sold / discontinued / swapped / got pushed / upgraded / from now on`)
	// newOnes are new things of somebody's in Chinese; 新 is a part of many other words: 新闻, 重新, 新年, 新加坡.
	newOnes = `(?:^|[^重全最创更清崭翻革刷])新(?:的|号码?|地址|密码|电话|手机|邮箱|工作|公司|单位|房东|老板|领导|经理|同事|室友|邻居|医生|老师|教练|保姆|阿姨|司机|车|家|房子?|办公室|座位|班|学校|男友|女友|男朋友|女朋友|合同|价格?|规定)`
	// hints may say so, where all else is as it was.
	hints = regexp.MustCompile(`(?i)\b(?:now|nowadays|these days|instead|as of|since (?:this|last) \w+|(?:my|our|a|the) new)\b|现在|現在|如今|从这|從這|` + newOnes)
	// changing say so of the value that stands near.
	changing = regexp.MustCompile(`(?i)\b(now|recent(ly)?|since (this|last) \w+|new|updat\w*|currently|latest|total|chang\w*|increas\w*|decreas\w*|grow[ns]?|grew|growing|ris(en|ing)|rose|rais\w*|drop\w*|` +
		`fell|reduc\w*|exten\w*|expan\w*|improv\w*|boost\w*|moved|moving|reschedul\w*|postpon\w*|push\w*|bump\w*|upgrad\w*|added|reach\w*|up (to|from)|down (to|from))\b|` +
		`现在|現在|最近|新|涨价|漲價|降价|降價|调到|調到|调高|調高|调低|調低|上调|上調|下调|下調|提到|涨到|漲到|增加|提高|降到|降低|减少|減少|延长|延長|缩短|縮短|升到|达到|達到|更新|调整|調整|改|换|換|变|變`)
	// after a value only these say that it changed.
	changingAfter = regexp.MustCompile(`(?i)^\W*(\w+ ){0,5}(now|instead|any ?more)\b|^.{0,3}了`)
)

// saysChanging tells whether it is said of a value, before or behind it, that something changed.
func (v *value) saysChanging() bool {
	if v.changed == nil {
		does := v.kind == worded || changing.MatchString(v.before) || changingAfter.MatchString(v.after)
		v.changed = &does
	}
	return *v.changed
}
