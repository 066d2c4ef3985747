package fact

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/segment"
	"recollect/backend/wish"
)

// Words of questions, by the key that they ask about. Chinese ones are simplified.
var askedFor = []struct {
	re   *pattern
	keys []string
}{
	{compile(`(?i)\bwhere (?:do|did|am|are|is|was|does|will) .*\b(?:liv(?:e|es|ed|ing)|based|staying|home)\b|\bwhich (?:city|town|country|place) .*\bliv|\bwhere.*\bmoved?\b|\b(?:do|did|does|am|are|is) (?:i|we|my \w+) (?:still |also )?liv(?:e|ing)\b|住.{0,8}[吗么]|\b(?:my|our) (?:home|city|town)\b|住(?:在|的)?(?:哪|什么|何处)|住哪|哪(?:里|儿|个城市|座城市).*住|搬(?:到|去)(?:了)?哪|家在哪|现居`), []string{keyHome, keyAddress}},
	{compile(`(?i)\bwhat(?:['’]s| is| was)? (?:my|our) (?:full |first |last )?name\b|\bwho am i\b|\bwhat am i called\b|\bwhat (?:do|does|is|are|did) .*\b(?:called|named|name)\b|\bname of\b|\bnamed?\b|我(?:是谁|叫什么)|叫(?:什么|啥)|名字`), []string{keyName, keyNickname}},
	{compile(`(?i)\bwhere (?:do|did|does|am|is|are|will) .*\bwork|\b(?:do|did|does|am|are|is) (?:i|we|my \w+) (?:still |also )?work(?:ing)?\b|还.{0,8}(?:工作|上班).{0,4}[吗么]|\b(?:who|which company) .*\bwork(?:s|ing)? (?:for|at)\b|\b(?:my|our) (?:employer|company|job)\b|在哪.*(?:工作|上班)|(?:公司|单位)(?:是|叫)?(?:什么|哪)|哪(?:家|个)公司`), []string{keyEmployer, keyWork}},
	{compile(`(?i)\bwhat (?:do|does|did) .*\b(?:do for (?:a living|work)|work as)\b|\b(?:my|our) (?:job|work|profession|occupation|career)\b|\bwhat(?:['’]s| is) .*\b(?:job|profession|occupation)\b|做什么(?:工作|的)|什么工作|职业|干什么的`), []string{keyWork, keyEmployer}},
	{compile(`(?i)\ballerg|过敏`), []string{keyAllergy, keyCondition, keyAvoids}},
	{compile(`(?i)\b(?:can|should|could|may) (?:i|we) (?:eat|drink|have|cook|order)\b|\b(?:do|did|does|am|are|is|was|were) (?:i|we|my \w+) (?:still |even |really |ever )?(?:eat|drink)(?:ing)?\b|还?[吃喝].{0,8}[吗么]|\bdiet|\bvegetarian|\bvegan|\bfood\b|\brecipe|\bcook\b|\bdinner\b|\bmeal|能吃|不能吃|忌口|饮食|吃什么|做什么菜|菜谱|晚饭|午饭`), []string{keyDiet, keyAllergy, keyAvoids}},
	{compile(`(?i)\bhow old\b|\bage\b|几岁|多大|年龄|岁数`), []string{keyAge, keyBirthday}},
	{compile(`(?i)\bbirthday|\bborn\b|生日|哪年出生|出生`), []string{keyBirthday, keyBirthplace, keyAge}},
	{compile(`(?i)\bwhere .*\b(?:from|grow up|grew up|born)\b|哪里人|老家|来自|家乡|在哪长大`), []string{keyHometown, keyBirthplace, keyNationality}},
	{compile(`(?i)\b(?:phone|mobile|number)\b|电话|手机号`), []string{keyPhone}},
	{compile(`(?i)\be-?mail\b|邮箱`), []string{keyEmail}},
	{compile(`(?i)\baddress\b|地址|住址`), []string{keyAddress, keyHome}},
	{compile(`(?i)\b(?:do|did|does|don['’]?t|what|which|who|whom|things?|stuff|everything|anything) (?:[\w'’]+ ){0,3}?(?:i|we|my \w+) (?:really |also |most |still |usually )?(?:like|love|enjoy|prefer)\b|\b(?:my|our) (?:likes|tastes?|preferences?|favou?rites?)\b|\bfan of\b|喜欢|爱吃|爱好|偏好`), []string{keyLikes, keyHobby, keyDislikes}},
	{compile(`(?i)\b(?:hate|dislike|don['’]?t like|can['’]?t stand)\b|讨厌|不喜欢`), []string{keyDislikes, keyAvoids}},
	{compile(`(?i)\bhobb(?:y|ies)\b|\bfree time\b|\bsports?\b|\binstruments?\b|\b(?:do|does|what|which) (?:[\w'’]+ ){0,3}?(?:i|we) play\b|爱好|运动|乐器|业余`), []string{keyHobby, keyLearning}},
	{compile(`(?i)\blanguages?\b|\bspeak\b|语言|会说`), []string{keySpeaks, keyLearning}},
	{compile(`(?i)\blearn(?:ing)?\b|在学`), []string{keyLearning}},
	{compile(`(?i)\bpets?\b|\banimals?\b|宠物`), []string{keyPet}},
	{compile(`(?i)\b(?:siblings?|family|children|kids|brothers?|sisters?)\b|兄弟|姐妹|家人|孩子`), []string{keyFamily}},
	{compile(`(?i)\b(?:married|single|partner|spouse)\b|结婚|单身|配偶`), []string{keyMarital}},
	{compile(`(?i)\b(?:medication|medicine|pills?|drugs?)\b|吃.{0,2}药|药`), []string{keyMedication}},
	{compile(`(?i)\b(?:illness|condition|disease|health)\b|病|身体`), []string{keyCondition, keyAllergy}},
	{compile(`(?i)\b(?:study|studying|major|degree)\b|专业|学什么`), []string{keyStudies, keySchool}},
	{compile(`(?i)\b(?:school|university|college)\b|学校|大学`), []string{keySchool, keyStudies}},
	{compile(`(?i)\bwhen\b|\bwhat (?:date|day|time)\b|什么时候|几号|几点|哪天|何时`), []string{keyDate}},
	{compile(`(?i)\b(?:nationality|citizen)\b|国籍|哪国人`), []string{keyNationality}},
	{compile(`(?i)\b(?:own|drive|possess)\b|\bwhat (?:car|bike)\b|开什么车`), []string{keyOwns}},
	{compile(`(?i)\b(?:what|which|do) (?:[\w'’]+ ){0,4}?(?:i|we) use\b|用(?:的是)?(?:什么|哪)`), []string{keyUses}},
	{compile(`(?i)\bhow tall\b|\bheight\b|身高|多高`), []string{keyHeight}},
	{compile(`(?i)\bweigh|体重|多重`), []string{keyWeight}},
}

// verbKeys are the keys that questions have words of for other reasons.
var verbKeys = set(keyLikes, keyDislikes, keyOwns, keyUses, keySpeaks, keyAvoids)

// introducing are the keys whose values are what somebody or something is called, beside those that users name themselves.
var introducing = set(keyName, keyNickname, keyFamily, keyPet, keyEmployer, keySchool)

// known are the keys that there are rules for.
var known = set(Keys()...)

// askedAtMost is how many facts one question brings.
const askedAtMost = 8

// ofMine says that a question is about the one who asks.
var ofMine = compile(`(?i)\b(?:i|i['’]?m|me|my|mine|we|our|us)\b|我|咱`)

// Asked is a fact that a question is about.
type Asked struct {
	Fact  memory.Fact
	Score float64
	Named bool // the question has its value: "am I allergic to penicillin", "who is Eva"
}

// About returns those of the facts that a question or request of the user's is about, the best first: by words for what is
// asked ("where do I live", 我住哪里), by the subject's name, by the attribute's words and by the value. None, where it is about
// nothing of theirs.
func About(question string, facts []memory.Fact) []Asked {
	if len([]rune(question)) > 2000 {
		return nil
	}
	q := newQuestion(question)
	called := q.called(facts)
	var hits []Asked
	other := false // it is about somebody or something of theirs
	for _, f := range facts {
		key := strings.ToLower(f.Key)
		wanted := q.wanted[key]
		all, some := q.names(&f)
		var score float64
		switch {
		case strings.EqualFold(f.Subject, user):
			if q.mine {
				score = wanted
			}
			if s := q.share(f.Key); verbKeys[key] { // "what is the weather like" does not ask for them by their name
			} else if s == 1 && q.mine {
				score = max(score, .95)
			} else if s >= .5 && len(strings.Fields(f.Key)) > 1 && q.mine {
				score = max(score, .6)
			}
			if all && q.mine && (wanted > 0 || hasLetter(f.Value)) {
				score = max(score, .6)
			}
		case called[memory.SameSubject(f.Subject)],
			(q.share(f.Subject) == 1 || q.kin.mean(f.Subject)) && (q.mine || !strings.ContainsRune(f.Subject, ' ')): // "how is my bicycle called"
			other = true
			if score = .6; !q.mine && !called[memory.SameSubject(f.Subject)] {
				score = .3
			}
			if wanted > 0 || q.share(f.Key) == 1 || key == keyName && q.who {
				score += .5
			}
		}
		if q.who && (all || some && key == keyName) && introduces(key) && hasLetter(f.Value) {
			score = max(score, .9)
		}
		named := all || some && key == keyName
		if named && score > 0 {
			score += .4
		}
		if score >= .5 {
			hits = append(hits, Asked{f, score, named})
		}
	}
	for i := range hits {
		if h := &hits[i]; other && !h.Named && strings.EqualFold(h.Fact.Subject, user) {
			h.Score -= .5
		}
	}
	slices.SortStableFunc(hits, func(a, b Asked) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), b.Fact.Heard().Compare(a.Fact.Heard()))
	})
	return hits
}

// Best returns the first few of what a question is about, as far as they are nearly as good as the first. Of several values of
// one thing those that the question names are enough.
func Best(asked []Asked) []memory.Fact {
	type thing struct{ subject, key string }
	named := map[thing]bool{}
	of := func(f memory.Fact) thing { return thing{f.Subject, f.Key} }
	for _, a := range asked {
		if a.Named && a.Fact.Many {
			named[of(a.Fact)] = true
		}
	}
	var out []memory.Fact
	for _, a := range asked {
		if len(out) == askedAtMost || a.Score < .4 || a.Score < asked[0].Score-.45 {
			break
		}
		if a.Named || !named[of(a.Fact)] {
			out = append(out, a.Fact)
		}
	}
	return out
}

// question is a question being compared with facts.
type question struct {
	mine   bool               // it is about the one who asks
	who    bool               // it asks who or what something is
	wanted map[string]float64 // the keys that it asks for, and how clearly
	words  map[string]bool
	text   string // simplified
	kin    kin
	shares map[string]float64 // many facts have the same key

	singular map[string]bool // the words, none in the plural
}

func newQuestion(text string) *question {
	text = spelt(text)
	q := &question{
		mine: ofMine.MatchString(text), who: asksWho.MatchString(text) || asksWhat.MatchString(text), wanted: map[string]float64{},
		words: set(strings.Fields(segment.Index(text))...), text: strings.ToLower(wish.Simplified(text)), shares: map[string]float64{},
	}
	q.singular = make(map[string]bool, len(q.words))
	for w := range q.words {
		q.singular[onlyOne(w)] = true
	}
	q.kin = kinIn(q.words, q.text)
	for _, a := range askedFor {
		if a.re.MatchString(text) {
			for i, key := range a.keys {
				q.wanted[key] = max(q.wanted[key], 1-float64(i)*.2)
			}
		}
	}
	return q
}

// share returns how much of the words of a key or a subject the question has.
func (q *question) share(s string) float64 {
	v, ok := q.shares[s]
	if !ok {
		v = shareIn(spelt(s), q.words, q.text)
		q.shares[s] = v
	}
	return v
}

// names reports whether the question has all, or some telling ones, of the words of a fact's value.
func (q *question) names(f *memory.Fact) (all, some bool) {
	if hasHan(f.Value) {
		value := strings.ToLower(wish.Simplified(f.Value))
		if strings.Contains(q.text, value) && (utf8.RuneCountInString(value) > 1 || strings.EqualFold(f.Subject, user)) {
			return true, true
		}
		if r := []rune(value); f.Key == keyName && len(r) == 3 { // 小雨 of 陈小雨
			return false, strings.Contains(q.text, string(r[1:]))
		}
		return false, false
	}
	if !q.hasWordOf(f.Value) { // of thousands of facts nearly all
		return false, false
	}
	n, said := 0, 0
	for w := range strings.FieldsSeq(segment.Index(f.Value)) {
		n++
		if q.has(w) {
			said++
			some = some || len(w) > 1 && !segment.Stop(w) && !titles[w]
		}
	}
	return n > 0 && said == n && some, some
}

// has reports whether the question has a word of a value, one or several of it.
func (q *question) has(word string) bool { return q.singular[onlyOne(word)] }

// hasWordOf reports whether it may have any word of a text.
func (q *question) hasWordOf(s string) bool {
	var word [32]byte
	n := 0
	for i := range len(s) + 1 {
		if i < len(s) && (unicode.IsLetter(rune(s[i])) || unicode.IsDigit(rune(s[i]))) {
			if n < len(word) {
				word[n] = s[i] | 0x20 // lower case; digits have that bit
				n++
			}
			continue
		}
		if n > 3 && word[n-1] == 's' {
			n--
		}
		if q.singular[string(word[:n])] {
			return true
		}
		n = 0
	}
	return false
}

func onlyOne(word string) string {
	if len(word) > 3 {
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// titles stand before names and are none.
var titles = set("mr", "mrs", "ms", "miss", "dr", "prof", "saint", "st", "sir")

// called returns the subjects that the question calls by their names.
func (q *question) called(facts []memory.Fact) map[string]bool {
	called := map[string]bool{}
	for i := range facts {
		f := &facts[i]
		if key := strings.ToLower(f.Key); key != keyName && key != keyNickname || strings.EqualFold(f.Subject, user) {
			continue
		}
		if _, some := q.names(f); some {
			called[memory.SameSubject(f.Subject)] = true
		}
	}
	return called
}

// introduces reports whether a value under a key says who or what something is. Of the keys that there are rules for only some
// do; of others the user gave the name: "my dentist is Dr Weber".
func introduces(key string) bool { return introducing[key] || !known[key] }

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// kin are the words for people and pets in a question.
type kin []string

// spouse is whom a question after a marriage is about.
const spouse = "spouse"

var (
	// asksWho asks for the name of somebody.
	asksWho = compile(`(?i)\bwho(?:['’]s| is| are| was|m)\b|是谁|谁是|married|结婚`)
	// asksWhat asks what a name is the name of.
	asksWhat = compile(`(?i)^\W*(?:and |so )?what(?:['’]s| is| was)\b|\btell me (?:more )?about\b|是(?:什么|啥)|什么是|说说|讲讲|介绍一下`)
)

var wedded = compile(`(?i)\bmarried\b|结婚`)

// kinIn finds them in a question, which is given by its words and simplified.
func kinIn(words map[string]bool, question string) kin {
	var found kin
	for _, group := range memory.Kin() {
		for _, w := range group {
			switch {
			case !hasHan(w):
				if words[w] || words[w+"s"] {
					found = append(found, w)
				}
			case strings.Contains(question, w) && (utf8.RuneCountInString(w) > 1 || strings.Contains(question, "我"+w)):
				found = append(found, w)
			}
		}
	}
	if wedded.MatchString(question) {
		found = append(found, spouse)
	}
	return found
}

// mean reports whether one of the words may mean a subject.
func (k kin) mean(subject string) bool {
	return slices.ContainsFunc(k, func(w string) bool { return memory.Means(w, subject) })
}

// shareIn returns how much of the words of a text a question has, which is given by its words and simplified.
func shareIn(s string, words map[string]bool, question string) float64 {
	if hasHan(s) {
		if strings.Contains(question, wish.Simplified(s)) {
			return 1
		}
		return 0
	}
	own := strings.Fields(segment.Index(s))
	n := 0
	for _, w := range own {
		if has(words, w) {
			n++
		}
	}
	if len(own) == 0 {
		return 0
	}
	return float64(n) / float64(len(own))
}

// has reports whether words hold w, or a word that begins as it does where it is long enough to be inflected.
func has(words map[string]bool, w string) bool {
	if words[w] {
		return true
	}
	r := []rune(w)
	if len(r) < 4 || unicode.Is(unicode.Han, r[0]) {
		return false
	}
	stem := string(r[:max(4, len(r)-2)])
	for o := range words {
		if strings.HasPrefix(o, stem) && len(o) <= len(w)+2 {
			return true
		}
	}
	return false
}

// Line returns a fact as the model reads it: "home = Lyon (since 2026-03-18)".
func Line(f memory.Fact) string {
	var b strings.Builder
	b.WriteString(f.Text())
	from, to := f.ValidFrom, f.ValidTo
	switch {
	case f.EndSaid && !to.IsZero():
		b.WriteString(" (no longer, as said on " + to.Format("2006-01-02") + ")")
	case !to.IsZero() && !from.IsZero():
		b.WriteString(" (" + from.Format("2006-01-02") + " to " + to.Format("2006-01-02") + ")")
	case !to.IsZero():
		b.WriteString(" (until " + to.Format("2006-01-02") + ")")
	case from.After(f.SaidAt) && !f.SaidAt.IsZero():
		b.WriteString(" (from " + from.Format("2006-01-02") + " on)")
	case !from.IsZero():
		b.WriteString(" (since " + from.Format("2006-01-02") + ")")
	}
	return b.String()
}
