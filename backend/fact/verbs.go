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
need want! hope! plan*! wish! think/thought/thought! believe! guess! doubt! imagine! suppose! dream/dreamt/dreamt! consider! intend! wonder! suspect! expect! aim! pretend! assume! feel/felt/felt! look! seem! hear/heard/heard! try! ask! say/said/said! tell/told/told! mean/meant/meant! know/knew/known! care hold/held/held die~ pass~ fall/fell/fallen~ open~ repair build/built/built fix drop*~ wake/woke/woken perform act support nurse crochet sew quilt embroider sketch juggle skateboard whittle prescribe fence box ski surf row skate sail remember! forget*/forgot/forgotten! promise! swear/swore/sworn~ ditch~ upgrade~ abandon~ replace~ refuse! fail! decide! apply! offer! see/saw/seen! find/found/found! write/wrote/written! translate! let*/let/let! help! miss! fear!
stop*~ cease~ end~ bring/brought/brought~ put*/put/put~ happen tend manage continue share suit make/made/made call set*/set/set~ cut*/cut/cut~ age identify spend/spent/spent smoke meditate pay/paid/paid delete~`

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
		past := regular(base, "ed", double)
		participle := past
		if len(parts) == 3 {
			past, participle = parts[1], parts[2]
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
		case "shes", "hes":
			out = append(out, word{from, to - 1, w[:len(w)-1]}, word{to - 1, to, "'s"})
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
	not     bool   // do not, never
	never   bool
	over    bool // no longer, not any more, used to, stopped
	past    bool // the simple past
	perfect bool
	ing     bool // is doing
	unreal  bool // would, want to, might
	able    bool // can
}

var (
	enModals = set("would", "could", "should", "might", "may", "will", "'ll", "'d", "shall", "gonna", "wanna", "ought")
	enToBe   = set("am", "is", "are", "'m", "'re", "was", "were", "be", "been", "'s", "being", "ai")
	enToHave = set("have", "has", "'ve", "had")
	// participles that stand behind "has", where 's could be either
	enHasDone = set("been", "got", "moved", "gone", "joined", "started", "had", "become", "taken", "lived", "worked")
	// participles that are no passive behind "be"
	enNoPassive = set("had", "read", "hit", "cut", "put", "set", "quit", "run", "come", "gone", "left")
	// verbs that say only when the verb behind them begins, goes on or ends: "stopped eating meat"
	enOperators = set("start", "begin", "stop", "quit", "cease", "give", "keep", "continue", "happen", "tend", "end")
	enComesTo   = set("grow", "come", "learn")
	enFeels     = set("love", "like", "hate", "enjoy", "dislike", "detest")
	enGotDone   = set("promote", "hire", "fire", "lay", "diagnose", "transfer", "sack", "recruit", "separate", "prescribe")
	enStops     = set("stop", "quit", "cease", "give")
)

// enPredicate reads the predicate that a text begins with. ok is false where its verb is unknown.
func enPredicate(text string) (p predicate, ok bool) {
	v := verbs{text: text, words: wordsOf(text)}
	ok = v.read()
	return v.predicate, ok
}

// verbs reads the words of a predicate, from its auxiliaries to its verb.
type verbs struct {
	predicate
	text  string
	words []word
	i     int // the word that is being read
}

// word returns the nth word from here, "" behind the last.
func (v *verbs) word(n int) string {
	if v.i+n < len(v.words) {
		return v.words[v.i+n].text
	}
	return ""
}

// follows reports whether some words come next.
func (v *verbs) follows(words ...string) bool {
	for n, w := range words {
		if v.word(n) != w {
			return false
		}
	}
	return true
}

// skip passes over adverbs and notes what negations say.
func (v *verbs) skip() {
	for v.i < len(v.words) {
		switch w := v.word(0); {
		case v.follows("no", "longer"):
			v.over = true
			v.i += 2
		case v.follows("these", "days"), v.follows("for", "now"):
			v.i += 2
		case v.follows("at", "the", "moment"):
			v.i += 3
		case w == "not" || w == "n't" || w == "never":
			v.not = true
			v.never = v.never || w == "never"
			v.i++
		case w == "since" && len(verbForms[v.word(1)]) == 0: // "since 2009"; "I have since moved"
			return
		case enAdverbs[w] || w == "," && v.i > 0 && enAdverbs[v.words[v.i-1].text]:
			v.i++
		default:
			return
		}
	}
}

// found ends with a verb; what follows it is the rest.
func (v *verbs) found(verb string) bool {
	v.verb = verb
	v.skip()
	if v.i < len(v.words) {
		v.rest = v.text[v.words[v.i].from:]
	}
	return true
}

// wished ends with what is no statement.
func (v *verbs) wished(verb string) bool {
	v.verb, v.unreal = verb, true
	return true
}

func (v *verbs) read() bool {
	for range 12 { // auxiliaries, at most
		v.skip()
		w := v.word(0)
		switch {
		case w == "":
			return false
		case v.follows("used", "to"):
			v.over = true
			v.i += 2
		case (w == "'d" || w == "would") && v.word(1) == "rather" && (v.word(2) == "have" || v.word(2) == "drink"):
			v.i += 3
			return v.found("prefer")
		case enModals[w], v.follows("had", "to"), v.follows("am", "to"):
			return v.wished("")
		case w == "must" && v.word(1) != "not" && v.word(1) != "avoid":
			return v.wished("")
		case w == "can" || w == "ca" || w == "must":
			v.able = true
			v.i++
		case v.follows("have", "to") || v.follows("need", "to"):
			if v.word(2) != "avoid" {
				return v.wished("")
			}
			v.i += 2
		case enToBe[w]:
			if done, ok := v.be(w); done {
				return ok
			}
		case enToHave[w]:
			if done, ok := v.have(w); done {
				return ok
			}
		case (w == "do" || w == "does" || w == "did") && (len(verbForms[v.word(1)]) > 0 || enAdverbs[v.word(1)] || v.word(1) == "n't" || v.word(1) == "not" || v.word(1) == "have"):
			v.past = v.past || w == "did"
			v.i++
		default:
			return v.main(w)
		}
	}
	return false
}

// be reads a form of "be" and what it makes of the verb behind it; done, where it ends there.
func (v *verbs) be(w string) (done, ok bool) {
	past := w == "was" || w == "were"
	v.i++
	v.skip()
	next := v.word(0)
	switch {
	case w == "'s" && enHasDone[next]: // "she's moved"
		v.perfect = true
		return false, false
	case v.follows("going", "to") && len(verbForms[v.word(2)]) > 0, v.follows("about", "to"):
		return true, v.wished("")
	case v.follows("used", "to"): // accustomed
		return true, false
	case enOperators[strings.TrimSuffix(next, "ing")]:
		v.ing = true
		return false, false
	}
	for _, f := range verbForms[next] {
		if f.ing {
			v.ing, v.past = true, past
			if enOperators[f.base] {
				return false, false
			}
			v.i++
			return true, v.found(f.base)
		}
	}
	v.past = past
	if base, is := participle(next); is && !enNoPassive[next] {
		v.i++
		return true, v.found("be " + base)
	}
	return true, v.found("be")
}

// have reads a form of "have", as be reads one of "be".
func (v *verbs) have(w string) (done, ok bool) {
	v.i++
	v.skip()
	next := v.word(0)
	if w != "had" && next == "got" {
		v.i++
		v.skip()
		if base, is := participle(v.word(0)); is && (base == "marry" || base == "engage" || base == "divorce") {
			v.perfect = true
			return true, v.found("get")
		}
		return true, v.found("have")
	}
	base, is := participle(next)
	switch {
	case next == "been":
		v.perfect, v.unreal = true, w == "had"
		return false, false
	case is && v.comesTo(base):
		return true, v.found(v.words[v.i-1].text)
	case is && next != "read" && (next != "run" || v.word(1) != ""):
		v.perfect = true
		if w == "had" {
			return true, v.wished("")
		}
		if enOperators[base] {
			return false, false
		}
		v.i++
		return true, v.found(base)
	case w == "'ve":
		return true, false
	}
	v.past = w == "had"
	return true, v.found("have")
}

// main reads the verb itself.
func (v *verbs) main(w string) bool {
	f, known := finite(w, v.able)
	if !known {
		return false
	}
	if verbUnreal[f.base] {
		return v.wished(f.base)
	}
	if f.past && (!f.bare || !v.able) {
		v.past = true
	}
	if v.comesTo(f.base) {
		return v.found(v.words[v.i-1].text)
	}
	if base, is := participle(v.word(1)); f.base == "get" && is && enGotDone[base] { // "got promoted"
		v.i += 2
		return v.found("be " + base)
	}
	if base, ok := v.operated(f); ok {
		switch {
		case base == "": // "happen to be"
			return v.read()
		case verbUnreal[base]:
			return v.wished(base)
		}
		return v.found(base)
	}
	v.i++
	return v.found(f.base)
}

// comesTo passes over the beginning of a taste: "have grown to love".
func (v *verbs) comesTo(base string) bool {
	if !enComesTo[base] || v.word(1) != "to" || !enFeels[v.word(2)] {
		return false
	}
	v.i, v.past = v.i+3, false
	return true
}

// operated reads the verb that an operator is about: start, stop, keep … doing; "", where it is an auxiliary.
func (v *verbs) operated(f form) (base string, ok bool) {
	if !enOperators[f.base] || f.base == "give" && v.word(1) != "up" {
		return "", false
	}
	n := 1
	if v.word(n) == "up" {
		n++
	}
	for enAdverbs[v.word(n)] {
		n++
	}
	to := v.word(n) == "to"
	if to {
		n++
	}
	next := verbForms[v.word(n)]
	if to && (v.word(n) == "be" || v.word(n) == "have") {
		v.i += n
		return "", true
	}
	if len(next) == 0 || !to && !next[0].ing || to && f.base == "stop" { // "stopped to eat"
		return "", false
	}
	v.over = v.over || enStops[f.base]
	v.past = false
	v.i += n + 1
	return next[0].base, true
}

// participle returns the verb of which a word is the participle.
func participle(w string) (base string, ok bool) {
	for _, f := range verbForms[w] {
		if f.participle {
			return f.base, true
		}
	}
	return "", false
}

// finite returns which form a word is where a finite verb stands, or, behind "can", an infinitive.
func finite(w string, able bool) (f form, known bool) {
	forms := verbForms[w]
	if len(forms) == 0 {
		return form{}, false
	}
	f = forms[0]
	for _, o := range forms[1:] {
		if o.bare && (able || !f.bare) || o.past && !f.bare {
			f = o
		}
	}
	return f, true
}
