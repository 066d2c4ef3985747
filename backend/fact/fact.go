// Package fact finds plain facts in what a user says of themselves, by rule, in English and Chinese: where they live, what
// they like, how their people, pets and things are called, and what of it is over or has changed.
//
// What is stored must be right, and a fact that was missed can be told again: so the rules look only for plain statements in
// the first person. Questions, hypotheticals, plans, quotations, jokes, role play, code, texts to work on, other people's
// facts and passing states are left alone. A value is a piece of the message, word for word, but for dates, which become
// absolute by the day of the message.
//
// What of a message is its writer's own talk is found first (frame.go). A sentence of it is cut into clauses (clauses.go),
// each with a subject, which may be that of the clause before, and a predicate: in English a verb in its base form and what
// follows it (verbs.go), in Chinese what is left without adverbs, times and negation (saying). Tables read predicates
// (english_rules.go, chinese_rules.go); attributes ("my rent is …") and what stands beside a clause or in another order
// (asides) are read by patterns of their own. The words are in vocabulary.go.
package fact

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/wish"
)

// Message is a message of the user's, and what it may refer to.
type Message struct {
	ID   string
	Text string
	At   time.Time // when it was said, in the zone of the user
	// Before are facts stated shortly before in the conversation, the last of them last: "actually it is 10 %" is about that one.
	Before []memory.Fact
}

const (
	plain     = .95  // confidence in a plain statement
	corrected = .85  // in a correction of what was said before
	maxFacts  = 32   // of one message; more is a list of something else
	longest   = 2000 // bytes of a sentence; a longer one is no plain statement
)

// Rules is the number of these rules. Where it has changed, the transcript is read anew.
const Rules = 3

// Read returns what a message states, in its order. Most messages state nothing.
func Read(m Message) []memory.FactStatement {
	r := reader{message: m}
	if n := len(m.Before); n > 0 {
		last := m.Before[n-1]
		r.last = &memory.FactStatement{Subject: last.Subject, Key: last.Key, Value: last.Value, Many: last.Many}
	}
	for _, s := range ownTalk(m.Text) {
		if len(r.found) >= maxFacts {
			break
		}
		r.sentence(s)
	}
	return r.found
}

// reader reads one message.
type reader struct {
	message Message
	found   []memory.FactStatement
	last    *memory.FactStatement // what was stated last, here or before: "it" in a correction
	before  string                // the sentence before
	topic   string                // an attribute of which the clause before said that it is another now
	about   string                // whom or what of the user's was spoken of last: "she"
	spoken  int                   // in which sentence
	surname string                // that the clause before says, in Chinese

	prior     wish.Spoken // the sentence before
	priorFrom int         // how many facts there were before it

	sentences int
	greeted   bool // the sentence before is a greeting and nothing else: "Hi! I'm Ada."
}

// source is a sentence being read.
type source struct {
	reader   *reader
	sentence wish.Spoken
}

func (r *reader) sentence(s wish.Spoken) {
	r.sentences++
	if len(s.Masked) > longest {
		return
	}
	n := len(r.found)
	whole := s
	s, from, to, last := ahead(s, r.message.At)
	defer func() {
		r.dated(n, from, to, last)
		r.said(n, whole, s)
	}()
	src := source{r, s}
	if r.about != "" && r.sentences > r.spoken+1 {
		r.about = ""
	}
	if inChinese(s.Masked) {
		src.chinese()
	} else {
		src.english()
	}
	r.slipped(s, n)
	r.before = strings.TrimSpace(s.Masked)
	if s.Question && !strings.HasSuffix(r.before, "?") {
		r.before += "?"
	}
	r.greeted = greeting.MatchString(strings.TrimSpace(s.Masked))
}

var greeting = compile(`(?i)^(?:hi|hello|hey|hiya|hi there|hey there|hello there|good (?:morning|evening|afternoon|day)|nice to meet you|你好|您好|大家好|嗨|嘿|哈喽)[!！.。,，~～ ]*$`)

// add takes a fact up. from and to are bytes of the sentence: what is said, as the fact's origin.
func (s source) add(f memory.FactStatement, from, to int) {
	f.Value = tidy(f.Value)
	f.Subject, f.Key = tidy(f.Subject), tidy(f.Key)
	if f.Value == "" || f.Key == "" || f.Subject == "" || utf8.RuneCountInString(f.Value) > 120 || secrets.MatchString(f.Key) || secrets.MatchString(f.Subject) {
		return
	}
	if strings.ContainsAny(f.Value+f.Subject+f.Key, "{}<>=\\|\x01") || strings.Contains(f.Value, "://") && f.Key != keyEmail {
		return
	}
	if (f.Key == keyWork || f.Key == keyEmployer) && (enIsPet.MatchString(f.Subject) || zhIsPet.MatchString(f.Subject)) { // "my dog is a doctor"
		return
	}
	if f.Key == keyOwns && !f.Over && (enReturned.MatchString(s.sentence.Masked[from:]) || enTheirOwn.MatchString(f.Value) || enForThem.MatchString(s.sentence.Masked[from:])) {
		return
	}
	if f.Key != keyName && f.Subject != user && others[strings.ToLower(f.Subject)] {
		return
	}
	f.Many = memory.ManyValues(f.Subject, f.Key)
	f.SaidAt, f.Origin = s.reader.message.At, s.reader.message.ID
	f.Start = s.sentence.Rune + utf8.RuneCountInString(s.sentence.Text[:from])
	f.End = f.Start + utf8.RuneCountInString(s.sentence.Text[from:to])
	said := s.sentence.Text[from:to]
	f.Denied = f.Denied || f.Over && (f.Any || denies.MatchString(said) && !ends.MatchString(said))
	if f.Confidence == 0 {
		f.Confidence = plain
	}
	for i := range s.reader.found {
		if o := &s.reader.found[i]; f.Any && o.Subject == f.Subject && o.Key == f.Key && !o.Over { // "three years at Bosch, then I quit"
			o.Over = true
			return
		}
		if o := &s.reader.found[i]; o.Subject == f.Subject && o.Key == f.Key && f.Key == keyHome && !o.Over && !f.Over && !strings.EqualFold(o.Value, f.Value) {
			o.Over = true // "seven years in Leeds, and now I live in York"
		}
		if o := &s.reader.found[i]; o.Subject == f.Subject && o.Key == f.Key && o.Over == f.Over {
			if strings.EqualFold(o.Value, f.Value) {
				return
			}
		}
	}
	s.reader.found = append(s.reader.found, f)
	if !f.Over {
		c := f
		s.reader.last = &c
	}
}

// What was bought and is no longer there, what is another's, and what was bought for others.
var (
	enReturned = en(`\b(?:(?:returned|sold|lost|broke|crashed|sent|gave|took|brought|scrapped) (?:it|them)|it (?:got|was) (?:stolen|scrapped|totalled))\b|退货|退掉|(?:但是?|可|又|后来|不过|结果)(?:已经|又|给|被)*(?:退|卖|丢|弄丢|送人|偷|坏)了?`)
	enTheirOwn = en(`\b(?:{people}|friend|neighbou?r|boss|company|work|landlord|client)['’]s\b`)
	enForThem  = en(`^[^,;]* (?:bought|got|purchased|ordered) .{2,40} for (?:my|our|the|his|her) (?:\p{L}+ )?(?:{people}|{pets}|company|office|team|school|church|club|neighbou?rs?|friends?|clients?|kids|children|parents)\b`)
)

// switched ends what else of a kind the user used, where it is known: "we've switched to MySQL" after "we use PostgreSQL".
func (s source) switched(to string, from, end int) {
	same := func(w string) bool { return strings.EqualFold(w, to) }
	for _, kind := range kinds {
		if !slices.ContainsFunc(kind, same) {
			continue
		}
		s.reader.found = slices.DeleteFunc(s.reader.found, func(f memory.FactStatement) bool { // 我一直用安卓，现在换成iPhone了
			return f.Key == keyUses && !f.Over && !same(f.Value) && slices.ContainsFunc(kind, func(w string) bool { return strings.EqualFold(w, f.Value) })
		})
		for _, other := range kind {
			if !same(other) {
				s.add(memory.FactStatement{Subject: user, Key: keyUses, Value: other, Over: true, Denied: true}, from, end)
			}
		}
	}
}

// What is said not to be true need not have been true before, unless it is said to be so no longer.
var (
	denies = compile(`(?i)\b(?:not|never|dont|doesnt|isnt|arent)\b|n['’]t\b|[不没]`)
	ends   = compile(`(?i)\bhave(?:n['’]?t| not)\b.*\bsince\b|\b(?:any ?more|any longer|no longer|used to)\b|不再|再也|了|以前|从前|曾|过去|原来|之前|原先`)
)

// name gives a name to what was last said to be there, a pet, a relative or a thing, in its place.
// It returns false where there is nothing of the kind.
func (s source) name(name string, from, end int) bool {
	n := len(s.reader.found)
	if n == 0 {
		return false
	}
	last := s.reader.found[n-1]
	if last.Over || last.Key != keyPet && last.Key != keyFamily && last.Key != keyOwns {
		return false
	}
	s.reader.found = s.reader.found[:n-1]
	s.add(memory.FactStatement{Subject: last.Value, Key: keyName, Value: name}, from, end)
	return true
}

// tidy returns a piece of text on one line, without quotation marks and what stands around it.
func tidy(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".,;:!?\"“”„«»「」『』‘’'`*_()（）[]【】。，；：！？、~～…–—-", r)
	})
}

// inChinese reports whether a sentence is in Chinese, which may have English words in it, as English may have a name.
func inChinese(s string) bool {
	return hasHan(s) && (strings.ContainsAny(s, "我咱俺您你他她它的了是在") || !enSpeaks.MatchString(s))
}

var enSpeaks = compile(`(?i)\b(?:i|my|i['’]m|i['’]ve|we|our)\b`)

func hasHan(s string) bool {
	for _, r := range s {
		if unicode.Is(unicode.Han, r) {
			return true
		}
	}
	return false
}
