package fact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// The verbs that rules know, by their base forms. Where they are irregular, the past and the participle follow; a sign
// says more: * the last consonant is doubled (plan, planned), ~ the verb tells of a change, so that its past is how it is
// now (moved, joined), ! what follows is wished, planned, believed or said, and no fact.
const enVerbs = `live reside dwell settle~ move~ relocate~ emigrate~ immigrate~ migrate~ rent stay base grow/grew/grown come/came/come~ hail
work freelance teach/taught/taught run*/ran/run manage lead/led/led drive/drove/driven ride/rode/ridden fly/flew/flown serve train join~ start~ begin/began/begun~ found~
hire~ employ promote~ fire~ lay/laid/laid~ sack~ retire~ quit*/quit/quit~ resign~ leave/left/left~ lose/lost/lost~ switch~ change~ transfer~ swap*~ trade~ volunteer intern earn
own have/had/had get*/got/got~ get*/got/gotten~ buy/bought/bought~ purchase~ acquire~ adopt~ rescue~ foster keep/kept/kept sell/sold/sold~ scrap*~ donate~ give/gave/given~ throw/threw/thrown~ inherit~ pick~
raise breed/bred/bred farm milk
marry~ engage~ divorce~ separate~ date split*/split/split~ break/broke/broken~ widow~
like love enjoy adore hate dislike loathe detest despise prefer favour favor fancy crave bear/bore/borne stand/stood/stood mind appreciate cherish
eat/ate/eaten drink/drank/drunk touch tolerate consume digest stomach avoid abstain steer skip*
take/took/taken inject use code program* develop
speak/spoke/spoken learn learn/learnt/learnt study attend enrol* enroll major graduate~ read/read/read
play practise practice go/went/gone do/did/done collect sing/sang/sung dance swim*/swam/swum run*/ran/run knit* paint bake garden cycle fish hike climb
weigh turn~ hit*/hit/hit~ celebrate bear/bore/born be/was/been become/became/become~ diagnose~ suffer call name christen rename~ spell/spelt/spelt develop~ contract~ carry wear/wore/worn
need want! hope! plan*! wish! think/thought/thought! believe! guess! doubt! imagine! suppose! dream/dreamt/dreamt! consider! intend! wonder! suspect! expect! aim! pretend! assume! feel/felt/felt! look! seem! hear/heard/heard! try! ask! say/said/said! tell/told/told! mean/meant/meant! know/knew/known! care hold/held/held die~ pass~ fall/fell/fallen~ open~ repair build/built/built fix drop*~ wake/woke/woken perform act support nurse crochet sew quilt embroider sketch juggle skateboard whittle prescribe fence box ski surf row skate sail remember! forget*/forgot/forgotten! promise! swear/swore/sworn! refuse! fail! decide! apply! offer! see/saw/seen! find/found/found! write/wrote/written! translate! let*/let/let! help! miss! fear!
stop*~ cease~ end~ bring/brought/brought~ put*/put/put~ happen tend manage continue share suit make/made/made call set*/set/set~ cut*/cut/cut~ age identify`

// form is a form of a verb.
type form struct {
	base       string
	past       bool // the simple past
	participle bool // stands behind "have" or "be"
	ing        bool
	bare       bool // as after "do" and "to"
}

var (
	verbForms   = map[string][]form{}
	verbChanges = map[string]bool{} // by base form
	verbUnreal  = map[string]bool{}
)

func init() {
	for entry := range strings.FieldsSeq(enVerbs) {
		parts := strings.Split(strings.TrimRight(entry, "~!"), "/")
		double := strings.HasSuffix(parts[0], "*")
		base := strings.TrimSuffix(parts[0], "*")
		past, participle := regular(base, "ed", double), ""
		if len(parts) == 3 {
			past, participle = parts[1], parts[2]
		} else {
			participle = past
		}
		verbChanges[base] = verbChanges[base] || strings.HasSuffix(entry, "~")
		verbUnreal[base] = verbUnreal[base] || strings.HasSuffix(entry, "!")
		if base == "be" {
			continue
		}
		add := func(text string, f form) {
			f.base = base
			for _, o := range verbForms[text] {
				if o == f {
					return
				}
			}
			verbForms[text] = append(verbForms[text], f)
		}
		add(base, form{bare: true, past: past == base, participle: participle == base})
		add(third(base), form{})
		add(regular(base, "ing", double), form{ing: true})
		if past != base {
			add(past, form{past: true, participle: participle == past})
		}
		if participle != past && participle != base {
			add(participle, form{participle: true})
		}
	}
}

// regular returns a verb with an ending.
func regular(base, ending string, double bool) string {
	last, _ := utf8.DecodeLastRuneInString(base)
	switch {
	case double:
		return base + string(last) + ending
	case strings.HasSuffix(base, "ee") || strings.HasSuffix(base, "ye"):
		return base + strings.TrimPrefix(ending, "e")
	case last == 'e':
		return base[:len(base)-1] + ending
	case last == 'y' && ending == "ed" && !strings.ContainsRune("aeo", rune(base[len(base)-2])):
		return base[:len(base)-1] + "ied"
	}
	return base + ending
}

func third(base string) string {
	switch {
	case base == "have":
		return "has"
	case strings.HasSuffix(base, "s"), strings.HasSuffix(base, "sh"), strings.HasSuffix(base, "ch"), strings.HasSuffix(base, "x"), strings.HasSuffix(base, "o"):
		return base + "es"
	case strings.HasSuffix(base, "y") && !strings.ContainsRune("aeo", rune(base[len(base)-2])):
		return base[:len(base)-1] + "ies"
	}
	return base + "s"
}

// word is a word or a mark of a text: as bytes of it, and in small letters with straight apostrophes.
type word struct {
	from, to int
	text     string
}

// wordsOf cuts a text into words and marks. What is contracted is cut as it is spoken: I 'm, do n't, sister 's.
func wordsOf(text string) []word {
	var out []word
	add := func(from, to int) {
		w := strings.ReplaceAll(strings.ToLower(text[from:to]), "’", "'")
		if len(w) == to-from || !strings.Contains(text[from:to], "’") {
			for _, end := range contracted {
				if n := len(w) - len(end); n > 0 && strings.HasSuffix(w, end) {
					out = append(out, word{from, from + n, w[:n]}, word{from + n, to, end})
					return
				}
			}
		} else if i := strings.Index(text[from:to], "’"); i > 0 { // a typographic apostrophe is three bytes
			cut := from + i
			if strings.HasSuffix(w, "n't") && len(w) > 3 {
				cut--
			}
			out = append(out, word{from, cut, strings.ToLower(text[from:cut])}, word{cut, to, strings.ReplaceAll(strings.ToLower(text[cut:to]), "’", "'")})
			return
		}
		switch w {
		case "im", "ive":
			out = append(out, word{from, from + 1, "i"}, word{from + 1, to, "'" + w[1:]})
		case "dont", "doesnt", "cant", "didnt", "isnt":
			out = append(out, word{from, to - 2, strings.TrimSuffix(w, "nt")}, word{to - 2, to, "n't"})
		case "cannot":
			out = append(out, word{from, from + 3, "can"}, word{from + 3, to, "not"})
		default:
			out = append(out, word{from, to, w})
		}
	}
	start := -1
	for i, r := range text {
		if i == 0 && strings.HasPrefix(strings.ReplaceAll(text, "’", "'"), "'") { // "'m a nurse", behind its subject
			start = 0
			continue
		}
		inside := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '\x01' || start >= 0 && strings.ContainsRune("'’-@_+#%°", r) || strings.ContainsRune("€$£", r) ||
			(r == '.' || r == ',' || r == ':' || r == '/' || r == '&') && start >= 0 && joins(text, i)
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			add(start, i)
			start = -1
		}
		if !inside && !unicode.IsSpace(r) {
			out = append(out, word{i, i + utf8.RuneLen(r), string(r)})
		}
	}
	if start >= 0 {
		add(start, len(text))
	}
	return out
}

var contracted = []string{"n't", "'m", "'re", "'ve", "'s", "'d", "'ll"}

// joins reports whether a mark stands within a word or number: 9.500, e.g., they/them, but no full stop.
func joins(text string, i int) bool {
	r, _ := utf8.DecodeRuneInString(text[i+1:])
	return unicode.IsDigit(r) || text[i] == ':' && unicode.IsUpper(r) || (text[i] == '/' || text[i] == '.' || text[i] == '&') && unicode.IsLetter(r)
}

// adverbs that tell neither who nor what, wherever they stand.
var enAdverbs = set(strings.Fields(`now currently also still actually really just recently already finally both mostly usually originally officially definitely absolutely truly simply quite very so
	always only genuinely totally proudly happily presently basically generally normally personally again lately nowadays particularly especially too rather  since then
	once instead today typically regularly often sometimes occasionally mainly primarily permanently temporarily unfortunately sadly luckily fortunately thankfully honestly obviously
	certainly clearly completely entirely fully pretty deeply madly utterly severely badly mildly highly extremely incredibly super dead technically legally eventually
	soon-not newly freshly even ever here there back kindly gladly secretly literally kinda seriously strictly practically
	professionally competitively casually quietly slowly successfully suddenly happily`)...)

// predicate is what a clause says of its subject: a verb and what follows it.
type predicate struct {
	verb    string // the base form; with "be " in front in the passive: "be born"
	rest    string // what follows, without adverbs in front
	at      int    // where it begins, as a byte of the text
	not     bool   // do not, never
	over    bool   // no longer, not any more, used to, stopped
	past    bool   // the simple past
	perfect bool
	ing     bool // is doing
	unreal  bool // would, want to, might
	able    bool // can
}

// enPredicate reads the predicate that a text begins with. ok is false where its verb is unknown.
func enPredicate(text string) (p predicate, ok bool) {
	words := wordsOf(text)
	i := 0
	at := func(n int) string {
		if i+n < len(words) {
			return words[i+n].text
		}
		return ""
	}
	// what follows from word i on, behind adverbs
	skip := func() {
		for i < len(words) {
			switch {
			case at(0) == "no" && at(1) == "longer":
				p.over = true
				i += 2
			case at(0) == "these" && at(1) == "days", at(0) == "for" && at(1) == "now":
				i += 2
			case at(0) == "at" && (at(1) == "the" && at(2) == "moment"):
				i += 3
			case at(0) == "not" || at(0) == "n't":
				p.not = true
				i++
			case at(0) == "never":
				p.not = true
				i++
			case enAdverbs[at(0)] && !(at(0) == "well" && at(1) == "-"):
				i++
			case at(0) == "," && i > 0 && enAdverbs[words[i-1].text]:
				i++
			default:
				return
			}
		}
	}
	done := func(verb string) (predicate, bool) {
		p.verb = verb
		skip()
		p.at = len(text)
		if i < len(words) {
			p.at = words[i].from
		}
		p.rest = text[p.at:]
		return p, true
	}
	participle := func(w string) (string, bool) {
		for _, f := range verbForms[w] {
			if f.participle {
				return f.base, true
			}
		}
		return "", false
	}
	operator := false // stands behind "started" and its like: "started to learn"
	for range 12 {
		skip()
		w := at(0)
		switch {
		case w == "":
			return p, false
		case w == "used" && at(1) == "to":
			p.over = true
			i += 2
			continue
		case w == "would" || w == "could" || w == "should" || w == "might" || w == "may" || w == "will" || w == "'ll" || w == "'d" || w == "shall" || w == "must" && at(1) != "not" && at(1) != "avoid" || w == "gonna" || w == "wanna" || w == "ought":
			if (w == "'d" || w == "would") && at(1) == "rather" && (at(2) == "have" || at(2) == "drink") {
				i += 2
				p.verb = "prefer"
				i++
				return done("prefer")
			}
			p.unreal = true
			return p, true
		case w == "can" || w == "ca" || w == "must":
			p.able = true
			i++
			continue
		case w == "had" && at(1) == "to", w == "am" && at(1) == "to":
			p.unreal = true
			return p, true
		case (w == "have" || w == "need") && at(1) == "to":
			if at(2) != "avoid" {
				p.unreal = true
				return p, true
			}
			i += 2
			continue
		case w == "am" || w == "is" || w == "are" || w == "'m" || w == "'re" || w == "was" || w == "were" || w == "be" || w == "been" || w == "'s" || w == "being" || w == "ai":
			past := w == "was" || w == "were"
			i++
			skip()
			n := at(0)
			if w == "'s" { // "she's moved": has
				if n == "been" || n == "got" || n == "moved" || n == "gone" || n == "joined" || n == "started" || n == "had" || n == "become" || n == "taken" || n == "lived" || n == "worked" {
					p.perfect = true
					continue
				}
			}
			if n == "going" && at(1) == "to" && len(verbForms[at(2)]) > 0 {
				p.unreal = true
				return p, true
			}
			if n == "used" && at(1) == "to" {
				return p, false // accustomed
			}
			if n == "about" && at(1) == "to" {
				p.unreal = true
				return p, true
			}
			for _, f := range verbForms[n] {
				if f.ing {
					p.ing, p.past = true, past
					if enOperators[f.base] {
						break
					}
					i++
					return done(f.base)
				}
			}
			if enOperators[strings.TrimSuffix(n, "ing")] {
				p.ing = true
				continue
			}
			if base, is := participle(n); is && n != "had" && n != "read" && n != "hit" && n != "cut" && n != "put" && n != "set" && n != "quit" && n != "run" && n != "come" && n != "gone" && n != "left" {
				i++
				p.past = past
				return done("be " + base)
			}
			p.past = past
			return done("be")
		case w == "have" || w == "has" || w == "'ve" || w == "had":
			i++
			skip()
			n := at(0)
			if w != "had" && n == "got" {
				i++
				skip()
				if base, is := participle(at(0)); is && (base == "marry" || base == "engage" || base == "divorce") {
					p.perfect = true
					return done("get")
				}
				return done("have")
			}
			if n == "been" {
				p.perfect = true
				if w == "had" {
					p.unreal = true
				}
				continue
			}
			if base, is := participle(n); is && !(n == "read" || n == "run" && at(1) == "") {
				p.perfect = true
				if w == "had" {
					p.unreal = true
					return p, true
				}
				if !enOperators[base] {
					i++
					return done(base)
				}
				continue
			}
			if w == "'ve" {
				return p, false
			}
			p.past = w == "had"
			return done("have")
		case (w == "do" || w == "does" || w == "did") && (len(verbForms[at(1)]) > 0 || enAdverbs[at(1)] || at(1) == "n't" || at(1) == "not" || at(1) == "have"):
			p.past = p.past || w == "did"
			i++
			continue
		}
		var f form
		for k, o := range verbForms[w] {
			if k == 0 || o.bare && (p.able || operator) || o.past && !f.bare {
				f = o
			}
			if o.bare {
				f = o
				break
			}
		}
		if f.base == "" {
			return p, false
		}
		if verbUnreal[f.base] && !(f.base == "want" && false) {
			p.unreal = true
			p.verb = f.base
			return p, true
		}
		if f.past && (!f.bare || !p.able && !operator) {
			p.past = true
		}
		if enOperators[f.base] { // start, stop, keep … doing
			n := 1
			if at(n) == "up" {
				n++
			}
			for enAdverbs[at(n)] {
				n++
			}
			to := at(n) == "to"
			if to {
				n++
			}
			next := verbForms[at(n)]
			if len(next) > 0 && (to || next[0].ing) && (f.base != "give" || at(1) == "up") {
				if f.base == "stop" || f.base == "quit" || f.base == "cease" || f.base == "give" {
					if to && f.base == "stop" {
						return p, false // "stopped to eat"
					}
					p.over = true
				}
				p.past = false
				i += n
				operator = true
				p.verb = next[0].base
				i++
				return done(next[0].base)
			}
		}
		i++
		return done(f.base)
	}
	return p, false
}

// enOperators are verbs that say only when the verb behind them begins, goes on or ends: "stopped eating meat".
var enOperators = set("start", "begin", "stop", "quit", "cease", "give", "keep", "continue", "happen", "tend", "end")
