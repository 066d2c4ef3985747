package recall

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"recollect/backend/segment"
	"recollect/backend/store"
)

// What is known of a candidate for a question, each 0 to 1 within the candidates. Products say that two kinds of evidence
// meet: a turn that words and meaning like, in a conversation that both like.
const (
	fWords      = iota // the index's rank of own words, neighbours, speaker and date
	fOwn               // words of the question in the text itself
	fNear              // … in what was said before and after it
	fCovered           // share of what the words of the question weigh that the text has
	fAround            // … that it and its neighbours have
	fBefore            // fOwn of the one before, where it is a candidate
	fAfter             // … of the one after
	fSession           // the best of its session
	fSpeaker           // the only speaker whom the question names
	fNamed             // the text names who speaks in a dialogue that is asked with
	fQuestion          // asks rather than tells
	fAnswers           // comes after a question
	fLong              // its length
	fTime              // names a time, for a question about when
	fBeforeThat        // fOwn of the one before the one before
	fDetail            // has what is asked for: a number, a name, a title, a reason
	fClose             // words that stand together in the question do so in the text
	fFirst             // 1/(10 + rank) by fWords
	fOwnRank           // … by fOwn

	fWordsOwn
	fWordsSpeaker
	fOwnSpeaker
	fOwnLong
	fCovered2
	fAround2
	fAnswered // the one before asks with the words of the question
	fSession2
	fSessionSpeaker

	fMeaning       // nearness of the text's vector
	fContext       // … of the vector of the text with its neighbours, without what all have in common
	fMeaningBefore // fMeaning of the one before
	fMeaningAfter  // … of the one after
	fSessionMeaning
	fOwnMeaning
	fWordsContext
	fSpeakerMeaning
	fSpeakerContext
	fSessionContext
	fMeaningContext
	fCoveredContext
	fAnsweredMeaning
	fQuestionMeaning
	fMeaning2
	fContext2
	fMeaningRank // 1/(10 + rank) by fMeaning
	fContextRank // … by fContext

	featureCount
)

type features [featureCount]float64

// sameCounts is what a word counts that stands for the one that is asked for.
const sameCounts = .8

// sought finds the terms of a query in texts, each in one pass.
type sought struct {
	terms  int
	byStem map[string][]sense
	chars  map[string][]int // terms that any word fulfils which begins so
}

// sense is what a stem is to a term: it, or one that stands for it.
type sense struct {
	term int
	same bool
}

func seek(terms []term) sought {
	s := sought{terms: len(terms), byStem: map[string][]sense{}, chars: map[string][]int{}}
	for i, t := range terms {
		if prefix, ok := strings.CutSuffix(t.stem, "*"); ok {
			s.chars[prefix] = append(s.chars[prefix], i)
			continue
		}
		s.byStem[t.stem] = append(s.byStem[t.stem], sense{i, false})
		for _, other := range t.same {
			s.byStem[other] = append(s.byStem[other], sense{i, true})
		}
	}
	return s
}

// bag says how often a text has the terms of a query.
type bag struct {
	times []float64 // one that stands for a term counts a little less
	at    [][]int   // where the terms themselves stand, in words
	n     int       // words
}

func (s sought) in(text string) bag {
	b := bag{times: make([]float64, s.terms), at: make([][]int, s.terms)}
	var same []float64
	for w := range strings.FieldsSeq(segment.Index(text)) {
		for _, is := range s.byStem[segment.Stem(w)] {
			if !is.same {
				b.times[is.term]++
				b.at[is.term] = append(b.at[is.term], b.n)
				continue
			}
			if same == nil {
				same = make([]float64, s.terms)
			}
			same[is.term] += sameCounts
		}
		if len(s.chars) > 0 && w[0] >= utf8.RuneSelf {
			_, first := utf8.DecodeRuneInString(w)
			for _, i := range s.chars[w[:first]] {
				b.times[i] = 1
			}
		}
		b.n++
	}
	for i, n := range same {
		b.times[i] = max(b.times[i], n)
	}
	return b
}

const (
	saturation  = 1.2 // BM25: how soon repetition says nothing more …
	lengthShare = .5  // … and how much longer texts are held to
	closeWords  = 3   // words apart that still stand together
)

var (
	asksWhen   = regexp.MustCompile(`(?i)^\s*when\b|\b(what (date|year|month|day|time)|how long)\b|什么时候|什麼時候|何时|何時|哪年|哪天|几月|多久`)
	asksAmount = regexp.MustCompile(`(?i)\bhow (many|much|long|old|often|far)\b|多少|几(个|次|只|岁|天|年)`)
	asksWho    = regexp.MustCompile(`(?i)\bwhom?\b|谁|誰`)
	asksTitle  = regexp.MustCompile(`(?i)\b(book|movie|film|song|game|band|name|named|called|title)s?\b|叫什么|叫啥|名字|书名`)
	asksWhere  = regexp.MustCompile(`(?i)\b(where|city|country|place|state|town)\b|哪里|哪儿|哪裡|什么地方|城市|国家`)
	asksWhy    = regexp.MustCompile(`(?i)\b(why|reason|motivat\w+|inspir\w+)\b|为什么|為什麼|为何|原因`)
	asksPhoto  = regexp.MustCompile(`(?i)\b(photo|picture|image|poster|painting|show(ed|n)?|shar(e|ed|ing))\b|照片|图片|画`)

	namesTime   = regexp.MustCompile(`(?i)\b(yesterday|today|tomorrow|tonight|last|next|ago|weeks?|weekend|months?|years?|since|recently|just|(mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|night|morning|\d{4})\b|昨|明天|今天|上个|下个|去年|今年|前天|\d+[年月日号]`)
	namesAmount = regexp.MustCompile(`(?i)\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|couple|several|once|twice|dozen|few)\b|[一二两三四五六七八九十百千]`)
	namesName   = regexp.MustCompile(`[a-z,] [A-Z][a-z]+|《`)
	namesTitle  = regexp.MustCompile(`"[^"]{2,60}"|“[^”]{2,60}”|《`)
	namesReason = regexp.MustCompile(`(?i)\b(because|since|so that|reason|inspired|motivated|cause|to make)\b|因为|因為|所以|由于`)
	hasCaption  = regexp.MustCompile(`\[[^\]]+\]\s*$`)
)

// details are the kinds of things that questions ask for, and how a text that has them looks.
var details = []struct{ asks, names *regexp.Regexp }{
	{asksAmount, namesAmount},
	{asksTitle, namesTitle},
	{asksWho, namesName},
	{asksWhere, namesName},
	{asksWhy, namesReason},
	{asksPhoto, hasCaption},
}

// detailsOf returns how texts look that have what a question asks for.
func detailsOf(question string) []*regexp.Regexp {
	var names []*regexp.Regexp
	for _, k := range details {
		if k.asks.MatchString(question) && !slices.Contains(names, k.names) {
			names = append(names, k.names)
		}
	}
	return names
}

// measure fills in the features of all candidates. total is the number of texts in the index.
func measure(all []*candidate, text string, terms []term, total int) {
	if len(all) == 0 {
		return
	}
	d := dialogueOf(text)
	named := namedSpeaker(all, text)
	var asked []term // names of speakers are no subject
	for _, t := range terms {
		if !slices.ContainsFunc(all, func(c *candidate) bool { return strings.EqualFold(c.Speaker, strings.Trim(t.text, `"`)) }) {
			asked = append(asked, t)
		}
	}
	if len(asked) == 0 {
		asked = terms
	}
	idf := make([]float64, len(asked))
	var sum float64
	for i, t := range asked {
		idf[i] = math.Log(1+(float64(total-t.df)+.5)/(float64(t.df)+.5)) * d.share(t)
		if strings.HasSuffix(t.stem, "*") {
			idf[i] *= charFactor
		}
		sum += idf[i]
	}
	sum = max(sum, 1e-9)

	byID := make(map[string]*candidate, len(all))
	own, around := make([]bag, len(all)), make([]bag, len(all))
	var ownLength, nearLength float64
	words := seek(asked)
	for i, c := range all {
		byID[c.ID] = c
		own[i], around[i] = words.in(c.Text), words.in(c.Before+" \n"+c.After)
		ownLength += float64(own[i].n)
		nearLength += float64(around[i].n)
	}
	ownLength, nearLength = max(ownLength/float64(len(all)), 1), max(nearLength/float64(len(all)), 1)

	when, names := asksWhen.MatchString(text), detailsOf(text)
	for i, c := range all {
		x := &c.features
		*x = features{fWords: c.bm25}
		var ownScore, nearScore, covered, coveredAround, beside, pairs float64
		var last float64
		matched := false
		for j := range asked {
			n, m := own[i].times[j], around[i].times[j]
			if n > 0 {
				ownScore += idf[j] * n * (1 + saturation) / (n + saturation*(1-lengthShare+lengthShare*float64(own[i].n)/ownLength))
				covered += idf[j]
				matched = matched || asked[j].telling()
			}
			if m > 0 {
				nearScore += idf[j] * m * (1 + saturation) / (m + saturation*(1-lengthShare+lengthShare*float64(around[i].n)/nearLength))
			}
			if n > 0 || m > 0 {
				coveredAround += idf[j]
			}
			if j > 0 {
				pairs += idf[j-1] + idf[j]
				if last > 0 && n > 0 && together(own[i].at[j-1], own[i].at[j]) {
					beside += idf[j-1] + idf[j]
				}
			}
			last = n
		}
		c.matched = &matched
		x[fOwn], x[fNear], x[fCovered], x[fAround] = ownScore, nearScore, covered/sum, coveredAround/sum
		if pairs > 0 {
			x[fClose] = beside / pairs
		}
		if named != "" && c.Speaker == named {
			x[fSpeaker] = 1
		}
		if d.names(c.Text) {
			x[fNamed] = 1
		}
		c.question = isQuestion(c.Text)
		x[fQuestion] = truth(c.question)
		x[fAnswers] = truth(strings.ContainsAny(c.Before, "?？"))
		x[fLong] = math.Log1p(float64(min(utf8.RuneCountInString(c.Text), 2000))) / 8
		x[fTime] = truth(when && namesTime.MatchString(c.Text))
		x[fDetail] = truth(slices.ContainsFunc(names, func(r *regexp.Regexp) bool { return r.MatchString(c.Text) }))
		x[fMeaning], x[fContext] = c.own, c.context
	}

	share(all, fWords)
	share(all, fOwn)
	share(all, fNear)
	stretch(all, fMeaning)
	stretch(all, fContext)
	for _, c := range all {
		if c.Kind == store.KindPassage { // it has no neighbours: its own words and vector stand for theirs
			x := &c.features
			x[fNear], x[fAround], x[fContext] = x[fOwn], x[fCovered], x[fMeaning]
		}
	}
	rank(all, fWords, fFirst)
	rank(all, fOwn, fOwnRank)
	rank(all, fMeaning, fMeaningRank)
	rank(all, fContext, fContextRank)
	for i, v := range sessions(all, func(c *candidate) float64 { return c.features[fWords] }) {
		all[i].features[fSession] = v
	}
	for i, v := range sessions(all, func(c *candidate) float64 { return c.features[fMeaning] + c.features[fContext] }) {
		all[i].features[fSessionMeaning] = v
	}
	stretch(all, fSessionMeaning)
	for _, c := range all {
		x := &c.features
		if before := byID[c.ParentID]; before != nil {
			x[fBefore], x[fMeaningBefore] = before.features[fOwn], before.features[fMeaning]
			if earlier := byID[before.ParentID]; earlier != nil {
				x[fBeforeThat] = earlier.features[fOwn]
			}
		}
		if after := byID[c.AfterID]; after != nil {
			x[fAfter], x[fMeaningAfter] = after.features[fOwn], after.features[fMeaning]
		}
		for _, p := range products {
			x[p.of] = x[p.a] * x[p.b]
		}
	}
}

var products = []struct{ of, a, b int }{
	{fWordsOwn, fWords, fOwn},
	{fWordsSpeaker, fWords, fSpeaker},
	{fOwnSpeaker, fOwn, fSpeaker},
	{fOwnLong, fOwn, fLong},
	{fCovered2, fCovered, fCovered},
	{fAround2, fAround, fAround},
	{fAnswered, fAnswers, fBefore},
	{fSession2, fSession, fSession},
	{fSessionSpeaker, fSession, fSpeaker},
	{fOwnMeaning, fOwn, fMeaning},
	{fWordsContext, fWords, fContext},
	{fSpeakerMeaning, fSpeaker, fMeaning},
	{fSpeakerContext, fSpeaker, fContext},
	{fSessionContext, fSession, fContext},
	{fMeaningContext, fMeaning, fContext},
	{fCoveredContext, fCovered, fContext},
	{fAnsweredMeaning, fAnswers, fMeaningBefore},
	{fQuestionMeaning, fQuestion, fMeaning},
	{fMeaning2, fMeaning, fMeaning},
	{fContext2, fContext, fContext},
}

// together tells whether two words stand near each other, in either order, by where each of them stands.
func together(a, b []int) bool {
	for len(a) > 0 && len(b) > 0 {
		if max(a[0]-b[0], b[0]-a[0]) <= closeWords {
			return true
		}
		if a[0] < b[0] {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return false
}

// share divides a feature by its largest value.
func share(all []*candidate, f int) {
	var most float64
	for _, c := range all {
		most = max(most, c.features[f])
	}
	if most > 0 {
		for _, c := range all {
			c.features[f] /= most
		}
	}
}

// stretch brings a feature to 0–1, what was not found (0) to 0.
func stretch(all []*candidate, f int) {
	to := span(all, func(c *candidate) float64 { return c.features[f] })
	for _, c := range all {
		c.features[f] = to(c.features[f])
	}
}

// rank sets a feature to the inverse rank by another.
func rank(all []*candidate, by, to int) {
	order := slices.Clone(all)
	slices.SortStableFunc(order, func(a, b *candidate) int { return cmp.Compare(b.features[by], a.features[by]) })
	for i, c := range order {
		if c.features[by] > 0 {
			c.features[to] = 10 / float64(10+i)
		}
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// dialogue is a message that is itself a conversation: lines that begin with who says them. The latest lines say most of
// what it is about.
type dialogue struct {
	speakers []string // lower case, without the assistant
	latest   map[string]bool
}

// spoken finds lines that begin with who says them: “Ann: …”, “<Ann>: …”, “**Ann**: …”.
var spoken = regexp.MustCompile(`(?m)^\s*[<\[【*]{0,2}(\p{L}[\p{L}\p{N} ._-]{0,30})[>\]】*]{0,2}\s*[:：]\s*\S`)

const (
	fewestSpoken = 3  // lines that make a dialogue
	latestSpoken = 3  // of which the last so many …
	earlier      = .6 // … count more than the others
)

func dialogueOf(text string) dialogue {
	lines := spoken.FindAllStringSubmatchIndex(text, -1)
	if len(lines) < fewestSpoken {
		return dialogue{}
	}
	d := dialogue{latest: stemsOf(text[lines[max(0, len(lines)-latestSpoken)][0]:])}
	for _, l := range lines {
		name := strings.ToLower(strings.TrimSpace(text[l[2]:l[3]]))
		if name != "assistant" && name != "助手" && name != "ai" && !slices.Contains(d.speakers, name) {
			d.speakers = append(d.speakers, name)
		}
	}
	return d
}

// is tells whether the message is a dialogue.
func (d dialogue) is() bool { return d.latest != nil }

// share returns what a term of the dialogue counts.
func (d dialogue) share(t term) float64 {
	if !d.is() || t.matched(d.latest) {
		return 1
	}
	return earlier
}

// names tells whether a text names one of those who speak.
func (d dialogue) names(text string) bool {
	return slices.ContainsFunc(d.speakers, func(s string) bool { return strings.Contains(strings.ToLower(text), s) })
}

// lately returns the last lines of a dialogue, "" for any other message.
func lately(text string) string {
	lines := spoken.FindAllStringSubmatchIndex(text, -1)
	if len(lines) < fewestSpoken {
		return ""
	}
	return text[lines[max(0, len(lines)-latestSpoken)][0]:]
}
