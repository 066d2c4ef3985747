package compaction

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"recollect/backend/memory"
	"recollect/backend/when"
	"recollect/backend/wish"
)

// The importance of an entry that no rule knows, and how far signals move it.
const (
	plainEntry    = 5.0
	personaEntry  = .5  // more, for the block that says how the agent is
	secondKind    = .5  // more, where two lasting kinds come together
	mostPassing   = 5.0 // that the passing kinds take away together
	overByDate    = 2.5 // what has a date that is past
	overEvent     = 4.0 // … and is an event
	toCome        = 2.5 // what has a date that is to come
	asked         = 2.0 // the user said "remember"
	isTrue        = 1.0 // it states a fact that is true now
	wasReplaced   = 5.0 // it states one that is no longer
	onceMore      = 3.0 // another entry says the same
	putBack       = 4.0 // the user put it back
	fresh         = 1.0 // it was written in the last week, fading in two months
	usedOnce      = .6  // the user came back to it, for each time
	mostUsed      = 2.0
	inTalk        = 1.5 // the present conversation is about it
	longAgo       = .5  // less, for a liking that nobody spoke of for a year
	maxImportance = 10.0
)

// Names of the signals that are no kinds of content.
const (
	SignalPlain    = "plain"    // what an entry without any other is worth
	SignalOver     = "over"     // its date is past
	SignalComing   = "date"     // its date is to come
	SignalRemember = "remember" // the user asked for it
	SignalTrue     = "true"     // it states a fact that is true now
	SignalReplaced = "replaced" // it states one that is no longer true
	SignalTwice    = "twice"    // another entry says the same
	SignalRestored = "restored" // the user put it back
	SignalRecent   = "recent"   // it was written lately
	SignalUsed     = "used"     // the user comes back to it
	SignalTalk     = "in_talk"  // the present conversation is about it
	SignalOld      = "old"      // written long ago
	SignalLearned  = "learned"  // what undoing and putting back taught
)

// Known is what is known about an entry besides its text.
type Known struct {
	Origin   string // the message that it came from
	Revision string // that wrote it
	Since    time.Time
	Remember bool // the user asked for it in so many words
	Used     int  // messages of the user's, lately, that are about it
	InTalk   bool // the present conversation is
	True     bool // it states a fact that is true now
	Pinned   bool // … that is pinned
	Replaced bool // it states one that is no longer true
	Twice    bool // an earlier entry, or the archive, says the same
	Restored bool // the user put it back from the archive
	Shared   bool // other agents have its block
}

// Scorer scores entries without a model.
type Scorer struct {
	Now     time.Time          // in the zone of the user
	Weights map[string]float64 // what the agent learned: added to each kind
}

// Score returns how important an entry of a block is, by signals alone, and whether it may leave.
func (s Scorer) Score(b memory.Block, e Entry, k Known) memory.CompactionEntry {
	out := memory.CompactionEntry{
		BlockID: b.ID, Label: b.Label, Text: e.Text, Start: e.Start, Heading: e.Heading, Origin: k.Origin, Revision: k.Revision, Since: k.Since,
		Action: memory.EntryStays,
	}
	text := e.Bare()
	persona := memory.SameLabel(b.Label, "persona")
	c := s.content(text, k, persona)
	switch {
	case e.Structure:
		out.Protected = memory.ProtectStructure
	case b.ReadOnly:
		out.Protected = memory.ProtectReadOnly
	case b.Pinned, k.Pinned, pinMark.MatchString(text):
		out.Protected = memory.ProtectPinned
	case k.Shared:
		out.Protected = memory.ProtectShared
	case identityLine.MatchString(text) && !c.fleeting, persona && e.Start == 0:
		out.Protected = memory.ProtectIdentity
	}
	if e.Structure {
		out.Kind, out.Score, out.Basis = string(memory.ProtectStructure), plainEntry, plainEntry
		return out
	}
	reason := c.kind
	add := func(name string, value float64) {
		if value != 0 {
			out.Signals = append(out.Signals, memory.EntrySignal{Name: name, Value: math.Round(value*100) / 100})
		}
	}
	for _, sig := range c.signals {
		add(sig.Name, sig.Value)
	}
	out.Kind = c.kind
	switch {
	case k.Replaced:
		add(SignalReplaced, -wasReplaced)
		reason, out.Kind = SignalReplaced, SignalReplaced
	case k.True:
		add(SignalTrue, isTrue)
	}
	if k.Twice {
		add(SignalTwice, -onceMore)
		reason = SignalTwice
	}
	if k.Remember {
		add(SignalRemember, asked)
		if !k.Replaced {
			reason = SignalRemember
		}
	}
	if k.Restored {
		add(SignalRestored, putBack)
		reason = SignalRestored
	}
	if !k.Since.IsZero() {
		age := s.Now.Sub(k.Since)
		switch {
		case c.passing && age > 48*time.Hour:
			add(SignalOld, -longAgo)
		case !c.passing && age < 60*24*time.Hour:
			add(SignalRecent, fresh*(1-max(0, age.Hours()/24-7)/53))
		case c.weak && age > 365*24*time.Hour:
			add(SignalOld, -longAgo)
		}
	}
	add(SignalUsed, min(mostUsed, usedOnce*float64(k.Used)))
	if k.InTalk {
		add(SignalTalk, inTalk)
	}
	add(SignalLearned, s.Weights[out.Kind])
	for _, sig := range out.Signals {
		out.Basis += sig.Value
	}
	out.Basis = clampScore(out.Basis)
	out.Score, out.Reason = out.Basis, reason
	return out
}

func clampScore(v float64) float64 { return math.Round(max(0, min(maxImportance, v))*10) / 10 }

// content is what the text alone says.
type content struct {
	kind     string
	signals  []memory.EntrySignal
	passing  bool // of the moment
	fleeting bool // at least a word of it is
	weak     bool // nothing that lasts for sure
}

func (s Scorer) content(text string, k Known, persona bool) content {
	plain := wish.Simplified(strings.NewReplacer("’", "'", "‘", "'").Replace(text))
	c := content{kind: SignalPlain, signals: []memory.EntrySignal{{Name: SignalPlain, Value: plainEntry}}}
	if persona {
		c.signals[0].Value += personaEntry
	}
	var found []kind
	for _, l := range lasting {
		if l.re.MatchString(plain) && (l.but == nil || !l.but.MatchString(plain)) {
			found = append(found, l)
		}
	}
	var fleeting []kind
	for _, p := range passing {
		if p.re.MatchString(plain) && (p.but == nil || !p.but.MatchString(plain)) {
			fleeting = append(fleeting, p)
		}
	}
	c.fleeting = len(fleeting) > 0
	future, past, sure := s.dates(plain, k.Since)
	if !sure && slices.ContainsFunc(fleeting, func(p kind) bool { return p.name != "moment" }) {
		future = false // "jammed on Tuesday" is no plan
	}
	coming := func(l kind) bool { return l.name == SignalComing }
	switch {
	case past && !future:
		found = slices.DeleteFunc(found, coming)
	case future && !slices.ContainsFunc(found, coming):
		found = append(found, kind{name: SignalComing, weight: toCome})
	}
	slices.SortStableFunc(found, func(a, b kind) int {
		switch {
		case a.weight > b.weight:
			return -1
		case a.weight < b.weight:
			return 1
		}
		return 0
	})
	best := 0.0
	if len(found) > 0 {
		best = found[0].weight
		c.kind = found[0].name
		c.signals = append(c.signals, memory.EntrySignal{Name: found[0].name, Value: best})
		if len(found) > 1 {
			c.signals = append(c.signals, memory.EntrySignal{Name: found[1].name, Value: secondKind})
		}
	}
	c.weak = best < 2
	left := mostPassing
	var worst kind
	take := func(p kind) {
		v := min(p.weight, left)
		if left -= v; v > 0 {
			c.signals = append(c.signals, memory.EntrySignal{Name: p.name, Value: -v})
		}
		if p.weight > worst.weight {
			worst = p
		}
	}
	for _, p := range fleeting {
		take(p)
	}
	if best < 4 && doing.re.MatchString(plain) && !doing.but.MatchString(plain) {
		take(doing)
	}
	if past && !future {
		over := kind{name: SignalOver, weight: overByDate}
		if happens.MatchString(plain) {
			over.weight = overEvent
		}
		take(over)
	}
	if mostPassing-left > best {
		c.kind, c.passing = worst.name, true
	}
	return c
}

// sinceWords are dates that something began with, and so does not end with.
var sinceWords = regexp.MustCompile(`(?i)\b(?:since|born|founded|started|moved|joined|married|graduated|from|until|in use|bought|adopted)\b|自|从|生于|出生|成立|入职|结婚|毕业|搬|开始`)

// dates tells whether a text names a day that is to come or one that is past, as it was meant when it was written, and
// whether what is to come is so for sure: "on Tuesday" may be either.
func (s Scorer) dates(text string, since time.Time) (future, past, sure bool) {
	at := since
	if at.IsZero() {
		at = s.Now
	}
	at = at.In(s.Now.Location())
	ahead := when.Parse(text, at, when.Ahead)
	if len(ahead) == 0 {
		return false, false, false
	}
	before := when.Parse(text, at, when.Past)
	for _, span := range ahead {
		same := slices.Contains(before, span)
		if since.IsZero() && (!same || !strings.ContainsFunc(text[span.Start:span.End], unicode.IsDigit)) {
			continue // "in May" and "tomorrow" of a line of unknown age say nothing
		}
		if !span.Window() || span.From.IsZero() || span.To.IsZero() || span.Precision >= when.Year {
			continue
		}
		switch {
		case span.From.After(s.Now):
			future, sure = true, sure || same
		case span.To.Before(s.Now) && !sinceWords.MatchString(text):
			past = true
		}
	}
	return future, past, sure
}
