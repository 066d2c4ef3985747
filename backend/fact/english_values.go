package fact

import (
	"strings"
	"unicode"
)

// What follows a value and is none of it: reasons, times, other clauses.
var enStop = en(`(?:\s+(?:because|since|so that|so|but|which|who|where|when|while|although|though|if|as of|as soon|until|till|after|before|during|from now on|anyway|anymore|any ?more|any longer|instead|thanks|please|too|as well|right now|now|currently|nowadays|these days|at the moment|at present|again|already|at all|by the way|actually|lately|recently|ugh|lol|omg|smh|argh|sigh|yay|haha|unfortunately|though|of course|for (?:the (?:last|past) )?(?:\w+ ){0,2}(?:years?|months?|weeks?|decades?|ages|now|work|life|good)|(?:last|this|next) (?:week|month|quarter|year|summer|spring|autumn|fall|winter|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|morning|evening)|yesterday|today|in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4}|my (?:early |late )?(?:twenties|thirties|forties|free time|spare time))|back in \d{4}|\d+ (?:years?|months?|weeks?|days?) ago|(?:a|an|one|two|three|four|five|six|seven|ten|a few|several|a couple of) (?:years?|months?|weeks?|days?) ago|and (?:i|we|it|my|he|she|they|that|so|have|am|then|not)|to be (?:exact|precise|honest)|in total|or so|in case)\b|[,;:(]\s|\s[-–—]+\s|[–—]|\.\s|[!?(]|\s*\.\s*$).*$`)

const enProper = `\p{Lu}[\p{L}\d'’.&+-]*`

var (
	enPlaceRe = compile(`^(?:the )?(` + enProper + `(?:[ -](?:(?:of|de|la|le|el|del|upon|am|an|auf|der|the|di|do|da|y)[ -]){0,2}` + enProper + `)*(?:, ` + enProper + `(?: ` + enProper + `)*)?)`)
	enNotHere = set(strings.Fields(`a an my our your his her their this that here there it fear hope peace luxury poverty constant terror denial sin harmony misery exile hell heaven public theory practice debt pain shock bed
		january february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday work home town the and or some such what where school hospital prison jail college university`)...)
	// what may follow a place; a noun there makes it something else: "Paris Hilton", "Oxford shoes"
	enAfterPlace = en(`^(?:$|[^\p{L}\p{N}]*$|[^\p{L}\p{N} ]|\s+(?:[^\p{L}\p{N}]|(?:in|on|at|with|for|since|because|cause|cos|and|but|or|so|where|which|who|near|now|originally|hence|these|this|that|those|right|again|from|to|until|till|by|as|while|when|whenever|if|then|than|too|also|though|although|temporarily|permanently|full|part|alone|together|most|mostly|half|during|before|after|actually|currently|today|last|about|around|not|never|any|anymore|no|instead|already|itself|area|region|county|city|province|state|centre|center|proper|via|out|over|up|down|just|only|btw|lol|mate|thanks|please|tbh|my|our|i|we|it|is|was|have|has|had|two|three|four|five|six|seven|eight|nine|ten|\d+|an?|the|all|both|under|through|ever|once|next|back|early|late|yesterday|recently|finally|still|always|born|and|of|without|until|between|via|years?|months?|weeks?|ago|rent|renting|working|studying|teaching|living|doing|being|having|looking|sharing|as)\b))`)
	enNotPlaced  = en(`^(?:i|we|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july|august|september|october|november|december|english|german|french|spanish|chinese|python|java|excel|god|it|hr|mars|narnia|hogwarts|middle-earth|gotham|atlantis|wonderland)$`)
)

// enPlace returns the place that a text begins with.
func enPlace(v string) []string {
	v = strings.TrimSpace(v)
	if m := enPlaceRe.FindStringSubmatch(v); m != nil {
		p := m[1]
		if country, rest, ok := strings.Cut(p, ", "); ok && enNotPlaced.MatchString(rest) {
			m[0] = m[0][:len(m[0])-len(", "+rest)]
			p = country
		}
		tail := v[len(m[0]):]
		if strings.HasSuffix(p, "'s") || strings.HasSuffix(p, "’s") || enNotPlaced.MatchString(p) || enPlaceTail.MatchString(tail) || !enAfterPlace.MatchString(tail) {
			return nil
		}
		p = strings.TrimRight(p, ".'’&+-")
		return []string{p}
	}
	v = tidy(enStop.ReplaceAllString(v, ""))
	if v == "" || wordCount(v) > 3 || strings.ContainsFunc(v, unicode.IsUpper) || strings.ContainsFunc(v, unicode.IsDigit) {
		return nil
	}
	// typed without capitals
	if words := strings.Fields(v); enNotHere[words[0]] || wordCount(v) > 2 || !enKnownPlace[v] {
		return nil
	}
	return []string{v}
}

// enLeft returns a place that somebody has left: one leaves companies, too, so that it must be a known one.
func enLeft(v string) []string {
	if p := enPlace(v); p != nil && enKnownPlace[strings.ToLower(p[0])] {
		return p
	}
	return nil
}

var enPlaceTail = en(`^ (?:department|team|office|division|branch|unit|group|mode|shop|store)\b`)

// places that are recognised without a capital letter
var enKnownPlace = set(strings.Split(`berlin,paris,london,madrid,rome,vienna,lisbon,dublin,amsterdam,brussels,copenhagen,stockholm,oslo,helsinki,warsaw,prague,budapest,athens,zurich,geneva,lyon,munich,hamburg,cologne,barcelona,milan,naples,porto,edinburgh,glasgow,manchester,liverpool,leeds,bristol,oxford,cambridge,new york,boston,chicago,seattle,san francisco,los angeles,austin,denver,portland,toronto,vancouver,montreal,sydney,melbourne,auckland,tokyo,osaka,kyoto,seoul,beijing,shanghai,hong kong,singapore,bangkok,delhi,mumbai,bangalore,cairo,istanbul,moscow,germany,france,spain,italy,england,scotland,ireland,wales,canada,australia,japan,china,india,brazil,mexico,texas,california,florida,ohio,norway,sweden,denmark,finland,poland,austria,switzerland,portugal,greece,turkey`, ",")...)

var (
	enNameRe  = compile(`^(?:["“'‘«„])?(` + enProper + `(?: (?:(?:van|von|de|da|der|den|del|la|le|di|dos|bin|al|el|ter|the|of|and the) ?){0,3}` + enProper + `){0,3})(?:["”'’»“])?`)
	enNotName = en(`^(?:i|me|it|back|later|that|if|when|a|an|the|my|not|mr|mrs|german|french|english|spanish|chinese|american|sir|please|ok|okay|sorry|yes|no|monday|tuesday|wednesday|thursday|friday|saturday|sunday|what|who|crazy|ishmael|nobody|legion|mud|danger|trouble)$`)
	enNameSep = en(`\s*(?:,? and |, | & )\s*`)
)

// enNames returns the names that a text consists of, up to where something else begins.
func enNames(v string) []string {
	v = strings.TrimSpace(v)
	if last, whole, ok := strings.Cut(v, ", "); ok && last != "" && strings.HasSuffix(strings.TrimRight(whole, ".!"), " "+last) { // "Weber, Anna Weber"
		v = whole
	}
	if i := enUnlike.FindStringIndex(v); i != nil {
		v = v[:i[0]]
	}
	var out []string
	for _, part := range enNameSep.Split(v, -1) {
		m := enNameRe.FindStringSubmatch(part)
		if m == nil {
			if len(out) == 0 { // a name in small letters: one word and nothing else
				w := tidy(enStop.ReplaceAllString(part, ""))
				if enSmall.MatchString(w) && !enNotName.MatchString(w) && !enCommon[strings.ToLower(w)] {
					return []string{w}
				}
			}
			break
		}
		name := strings.TrimRight(m[1], ".'’-+&")
		name = strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")
		if enNotName.MatchString(name) {
			break
		}
		out = append(out, name)
		if tail := strings.TrimSpace(part[len(m[0]):]); strings.HasPrefix(tail, "is ") { // "My name is Khan is a great film"
			return nil
		} else if tail != "" {
			break
		}
	}
	return out
}

var (
	enSmall = compile(`^[\p{Ll}][\p{Ll}'’-]{1,15}$`)
	// words that are no name though they stand where one could
	enCommon = set(strings.Fields(`a an the not too very so good bad great old new big small tired happy sad angry sick ill here there coming going late early fine ok okay ready done nice mean cute funny lazy crazy
		broken gone dead sleeping hungry back later tomorrow today now asleep busy bored home long short hard easy important unusual common rare boring weird strange difficult spelled spelt pronounced written in on at for with about and or but it this that what anyway whatever maybe anytime names something someone soon up out old-fashioned naive stupid paranoid silly picky fussy cynical sceptical skeptical maybe misspelled misspelt missing wrong everywhere listed registered mud taken already`)...)
)

// commonName reports whether a capitalised word behind "my sister" can be her name.
func commonName(w string) bool {
	return !enNotName.MatchString(w) && !enCommon[strings.ToLower(w)]
}

var enCompanyTail = en(`^ (?:department|headquarters)`)

// enCompany returns the employer that a text begins with: a proper name, or a kind of place.
func enCompany(v string) []string {
	v = strings.TrimSpace(v)
	if m := enFirmCalled.FindStringSubmatch(v); m != nil {
		v = m[1]
	}
	if m := enCompanyRe.FindStringSubmatch(v); m != nil {
		name := strings.TrimRight(m[1], ".'’-+&")
		if !enNotPlaced.MatchString(name) && !enCompanyTail.MatchString(v[len(m[0]):]) && !enWeekday.MatchString(name) {
			return []string{name}
		}
		return nil
	}
	if m := enKindOfPlace.FindString(strings.ToLower(v)); m != "" && !enAnyFirm.MatchString(m) {
		return []string{tidy(enArticle.ReplaceAllString(enStop.ReplaceAllString(v[:len(m)], ""), ""))}
	}
	return nil
}

var (
	enCompanyRe   = compile(`^(?:the )?(` + enProper + `(?:[ -](?:(?:of|and|&|for|de|la|the) ){0,2}` + enProper + `)*)`)
	enKindOfPlace = en(`^(?:an?|the|our) (?:[\p{L}-]+ ){0,3}(?:bank|hospital|school|bakery|university|hotel|restaurant|café|cafe|bookshop|bookstore|library|museum|clinic|law firm|startup|start-up|company|agency|factory|pharmacy|supermarket|garage|ngo|non-profit|nonprofit|charity|newspaper|publisher|publishing house|shop|store|farm|kindergarten|nursery|post office|city council|town hall|airport|airline|insurance company|consultancy|studio|lab|laboratory|government|ministry|railway|brewery|zoo|theatre|gym|salon|firm|foundation|police|fire brigade|council|dental practice|practice|florist|florist['’]s|hairdresser['’]?s?|garden centre|garden center|nursing home|care home|call centre|call center|warehouse|cinema|bar|pub|petrol station|gas station|hospice|orphanage|prison|courthouse|embassy|consulate|seminary|monastery|cannery|dairy|mill|mine|quarry|shipyard|power plant|nursery school|primary school|secondary school|butcher['’]?s|baker['’]s|delicatessen|deli|boutique|tailor['’]s|print shop|recording studio|radio station|tv station|theme park|ski resort|campsite|hostel|spa|lab|bureau|authority|union|cooperative|co-op)\b`)
	enAnyFirm     = en(`^(?:an?|the|our) (?:new |small |big |large |different |local )*(?:company|firm|startup|start-up|shop|store|place)$`)
	enFirmCalled  = compile(`^(?:an?|the|this) [\p{Ll} -]{2,40}? (?:called|named) (\p{Lu}.*)$`)
	enWeekday     = en(`^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|christmas|easter)s?$`)
)

// enJoined returns an employer that somebody has joined; one joins gyms and clubs, too.
func enJoined(v string) []string {
	if enNoEmployer.MatchString(v) {
		return nil
	}
	return enCompany(v)
}

var enNoEmployer = en(`\b(?:gym|library|club|church|choir|band|team|group|class|course|studio|theatre|orchestra|party|forum|discord|facebook|instagram|reddit|twitter|tiktok|linkedin|whatsapp|telegram|zoom|netflix|spotify|community|association|society|union|league|academy|school|university|college|army|navy)\b`)

var enJobStop = en(`\s+(?:at|for|in|with|from|by|on|and|who|now|since|but|specialising|specializing|working|based|here|there|again|part[- ]time|full[- ]time|these days|near|to|these|currently|yet|by trade|by training|by profession|myself|last|this|two|three|a few)\b.*$|[,;:(–—.!].*$`)

// enAtLeisure says that somebody is something, but not for a living.
var enAtLeisure = en(`\b(?:by training|in my (?:spare|free) time|on weekends|at weekends|at heart|as a hobby|for fun)\b`)

// enJob returns the occupation in "a nurse at …".
func enJob(v string) []string {
	if enAtLeisure.MatchString(v) {
		return nil
	}
	v = tidy(enJobStop.ReplaceAllString(enArticle.ReplaceAllString(strings.TrimSpace(v), ""), ""))
	words := strings.Fields(v)
	if enHeadOf.MatchString(v) && len(words) <= 6 {
		return []string{v}
	}
	if len(words) == 0 || len(words) > 4 || enNoJob.MatchString(v) {
		return nil
	}
	last := strings.ToLower(words[len(words)-1])
	if !enJobs[last] && !(len(words) > 1 && enJobs[strings.ToLower(strings.Join(words[len(words)-2:], "-"))]) {
		return nil
	}
	return []string{v}
}

var enHeadOf = en(`^(?:deputy |assistant )?(?:head|director|vice president|vp|chief|chair|dean) of [\p{L}]`)

var enNoJob = en(`^(?:good|bad|great|terrible|huge|big|better|lousy|decent|fast|slow|quick|visual|heavy|light|total|natural|keen|amateur|poor|horrible|happy|proud|regular|lucky|fellow|lonely|nervous|careful|little|real|pretty|complete|hobby|back-seat|the)\b|^keeper$|morning|night person`)

// enWhole takes a group as it stands.
func enWhole(v string) []string {
	if v = tidy(v); v == "" {
		return nil
	}
	return []string{enArticle.ReplaceAllString(v, "")}
}

func enAge(v string) []string {
	d := digits(v)
	if n := number(d); n < 1 || n > 120 || strings.HasPrefix(d, "0") { // "I'm 007"
		return nil
	}
	return []string{d}
}

func enBirthday(v string) []string {
	if b := birthday(tidy(enBornStop.ReplaceAllString(v, ""))); b != "" {
		return []string{b}
	}
	return nil
}

var enBornStop = en(`\s+(?:in [\p{Lu}].*|at .*|to .*|so .*|and .*)$`)

func enSchool(v string) []string {
	v = tidy(v)
	if v == "" || !capitalised(strings.TrimPrefix(v, "the ")) {
		return nil
	}
	return []string{enArticle.ReplaceAllString(v, "")}
}

var (
	enNotItem = en(`^(?:it|this|that|these|those|them|him|her|me|you|us|everything|anything|nothing|something|people|everyone|someone|anyone|what|how|when|where|who|why|whatever|your|his|their|its|my|our|rest|the rest|here|there|one|some|any|many|much|most|all|both|each|such|more|a lot|lots|a few|option|version|variant|up|out|down|off|straight|still|around|the (?:idea|way|fact|first|second|third|last|one|other|new|latest|previous|next|answer|response|suggestion|colou?r|title|look|sound of it|version|design|plan|result|picture|photo|text|style|draft|option|approach|concept|tone|thought|part|ending|joke|recipe|song|poem|story|list|format|layout|name|word|sentence|second option)|to (?:know|hear|see (?:you|it|that)|ask|say|think|believe|admit|be (?:able|honest)|tell|see|disturb|bother|interrupt|break)|being able|talking (?:to|with) you|chatting with you|you|having you|not|no|been|doing|having|especially|working with you|asking|saying|bothering|when|that|if|as)\b`)
	enPairs   = en(`\b(?:fish and chips|mac and cheese|macaroni and cheese|salt and vinegar|rock and roll|rock ['’]?n['’]? roll|bed and breakfasts?|black and white|drum and bass|dungeons and dragons|bacon and eggs|peanut butter and jelly|arts and crafts|gin and tonic|rhythm and blues|cookies and cream|bread and butter|crime and punishment|pride and prejudice|simon and garfunkel|rice and beans|biscuits and gravy|science fiction and fantasy|sci-fi and fantasy|cheese and wine|trial and error|true crime)\b`)
	enSplit   = en(`\s*(?:,? and (?:also |especially |most of all )?|,? or |, (?:but )?(?:also |especially )?|,? as well as | & )\s*`)
	enLong    = 7 // words of an item
)

var enOrRather = en(`,? (?:or rather|or should i say|or,? i mean|no,? sorry,?|i mean) `)

// enItems returns the things that a text lists: "nuts, eggs and milk".
func enItems(v string) []string {
	v = strings.TrimSpace(v)
	if m := enOrRather.FindStringIndex(v); m != nil { // "nuts, or rather peanuts"
		v = v[m[1]:]
	}
	if i := enUnlike.FindStringIndex(v); i != nil {
		v = v[:i[0]]
	}
	v = enListStop.ReplaceAllString(v, "")
	parts := []string{v}
	if !enPairs.MatchString(v) {
		parts = enSplit.Split(v, -1)
	}
	var out []string
	for _, p := range parts {
		item := enItem(p)
		if item == nil {
			if len(out) == 0 {
				return nil
			}
			break
		}
		out = append(out, item...)
	}
	return out
}

// As enStop, but commas go on.
var enListStop = en(`(?:\s+(?:(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|\d+|several|a few|many) (?:years?|months?|weeks?|days?) ago|because|since|so that|so|but|which|who|where|when|while|although|though|if|as of|as soon|until|till|after|before|during|from now on|anyway|anymore|any ?more|any longer|instead|thanks|please|too|as well$|right now|now|currently|nowadays|these days|at the moment|at present|again|already|at all|by the way|actually|lately|recently|unfortunately|of course|very much|a lot|the most|most of all|more than (?:anything|ever)|so much|every (?:morning|evening|day|night|weekend)|on (?:weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)|at \d+|in general|best|better|for (?:the (?:last|past) )?(?:\w+ ){0,2}(?:years?|months?|weeks?|decades?|ages|now|breakfast|lunch|dinner)|(?:last|this) (?:week|month|quarter|year|summer|spring|autumn|fall|winter)|and (?:i|we|it|my|he|she|they|that|so|have|am|then|not)|in (?:january|february|march|april|may|june|july|august|september|october|november|december|\d{4})|even)\b|[;:(]|\s[-–—]+\s|[–—]|\.\s|[!?]|\s*\.\s*$).*$`)

// enItem returns the one thing that a text names.
func enItem(v string) []string {
	v = tidy(enListStop.ReplaceAllString(strings.TrimSpace(v), ""))
	if enNotItem.MatchString(v) || enFiniteVerb.MatchString(v) || enQuality.MatchString(v) {
		return nil
	}
	v = enArticle.ReplaceAllString(v, "")
	if v == "" || wordCount(v) > enLong || strings.ContainsRune(v, '\x01') {
		return nil
	}
	return []string{v}
}

// enQuality is what somebody is: "into birdwatching and hopeless with apps"
var enQuality = en(`^(?:very |quite |totally )?(?:hopeless|bad|good|terrible|rubbish|great|keen|new|afraid|tired|busy|happy|proud|able|ready|open|allergic|scared|stuck|lost|curious|useless|fond) (?:with|at|in|to|of|about|on)\b`)

var enFiniteVerb = en(`\s(?:is|are|was|were|has|will|would|should|isn['’]t|aren['’]t|can['’]?t|won['’]t)\b`)

// enTastes returns what somebody likes; of two things the one that is preferred.
func enTastes(v string) []string {
	v = enNothingMore.ReplaceAllString(strings.TrimSpace(v), "")
	if enLoneWord.MatchString(v) && strings.Contains(v, " over ") { // "Liz over Elizabeth"
		return nil
	}
	if m := enRather.FindStringIndex(v); m != nil && m[0] > 0 {
		v = v[:m[0]]
	}
	if m := enSuchAs.FindStringIndex(v); m != nil && m[0] > 0 {
		if wordCount(v[:m[0]]) == 1 { // "bands like …"
			v = v[m[1]:]
		} else {
			v = v[:m[0]]
		}
	}
	if m := enOneHead.FindStringSubmatch(v); m != nil && !strings.HasSuffix(m[1], "s") && !strings.HasSuffix(m[1], "ing") {
		return []string{tidy(m[0])}
	}
	if enNotTaste.MatchString(v) || hanNumber(v) > 0 { // "I love you 3000"
		return nil
	}
	if first, more, listed := strings.Cut(v, ", "); listed && !enAnd.MatchString(v) { // "clear, measurable goals", no list
		if n := wordCount(first); (n == 1 && !enGerund.MatchString(first) || n == 2 && enGerund.MatchString(first)) && !enMore.MatchString(more) {
			return nil
		}
		v = first
	}
	var kept []string
	parts := enParts(v)
	for i, p := range parts {
		if m := enDefinite.FindString(p); m != "" && !enGenerally.MatchString(p) && !capitalised(p[len(m):]) {
			break // of something that is spoken of
		}
		item := enItem(p)
		if item == nil || enNotTaste.MatchString(item[0]) || enVague.MatchString(item[0]) {
			break
		}
		// "improving education and infrastructure": one thing with two objects, or two things?
		if i > 0 && !enGerund.MatchString(p) && (enGerund.MatchString(parts[0]) && wordCount(parts[0]) > 1 || wordCount(p) == 1 && enAbout.MatchString(parts[0])) {
			break
		}
		kept = append(kept, item...)
	}
	return kept
}

// enParts cuts a text into what it lists.
func enParts(v string) []string {
	if i := enUnlike.FindStringIndex(v); i != nil {
		v = v[:i[0]]
	}
	v = enListStop.ReplaceAllString(v, "")
	if enPairs.MatchString(v) {
		return []string{v}
	}
	return enSplit.Split(v, -1)
}

// enPreferred returns the one of two things that is preferred: "tea to coffee".
func enPreferred(v string) []string {
	if m := enPrefers.FindStringIndex(v); m != nil && m[0] > 0 {
		v = v[:m[0]]
	}
	return enTastes(v)
}

var (
	enAnd      = en(`\b(?:and|or|but)\b|&`)
	enPrefers  = en(`\sto\s`)
	enSuchAs   = en(`,? (?:such as|like|including|for example|e\.g\.) `)
	enAbout    = en(`\s(?:about|of|in|with|for|from|on|at) `)
	enOneHead  = en(`^([\p{L}-]+) and [\p{L}-]+ (?:movies|films|music|cuisine|food|weather|novels|books|games|songs|series|literature|art|dishes|stories)\b`)
	enDefinite = en(`^(?:the|its|their) `)
	enVague    = en(`^(?:in|on|at|with|when|for|by|from|during|after|before|because)\b|\b(?:it|them|they|him|her|he|she|you|this|that|these|those|there|here|what|which|who|how|is|are|was|were|be|myself|['’]?cause|something|everything|things|stuff|i|we)\b|^to$|^to (?:\w+$|be |get |have |see |help |let )|^(?:escaping|talking|making|having|getting|being|seeing|doing|going|taking|knowing|feeling|hearing|thinking|looking|waiting|coming|listening|creating|finding|trying|using|working|sharing|giving|helping|keeping|discussing)$|^(?:having|getting|knowing|feeling|hearing|seeing|talking|thinking|looking|waiting|coming|discussing|making (?:an?|sure|people|the)|creating an?|being (?:in|a|an|the|part|able|with|around|on))\b`)
	enMore     = en(`^(?:been|have|it|they|so|too|especially|mostly|mainly|though|even|always|preferably|thanks|please|just)\b`)
	enGerund   = compile(`^\w+ing\b`)
	// "the" of what is there for everybody
	enGenerally   = en(`^the (?:ocean|sea|seaside|beach|mountains?|outdoors|countryside|city|theatre|theater|opera|cinema|movies|gym|woods|forest|rain|snow|sun|cold|heat|piano|guitar|violin|cello|drums|night|summer|winter|spring|autumn|fall|smell of [\p{L} ]+)\b`)
	enNothingMore = en(`^nothing (?:more|better) than `)
	enLoneWord    = compile(`^\p{Lu}\p{Ll}+ (?:over|to) \p{Lu}\p{Ll}+$`)
	enRather      = en(`\s(?:over|rather than|instead of|more than|better than|than)\s`)
	enNotTaste    = en(`^(?:often|then|also|sometimes|what|how|the (?:idea|way|fact|thought|answer)|it\b|you\b|to be (?:right|clear|fair)|my |our |your |his |her |their |this|that|these|those|being (?:right|wrong|here)|mondays?$|him|them|to go (?:there|now)|to (?:thank|point|mention|add|remind|suggest|start|discuss|talk about|apologi[sz]e|keep it|have (?:it|a|an|the|some|my|your)|get (?:it|a|an|the|some|my|your)|use (?:it|the|this|a)|do (?:it|this|that)|try))`)
)

var enNoFood = en(`^(?:and|or|breakfast|lunch|dinner|much|a lot|out|alone|enough|properly|well|here|there|at|in|on|with|after|before|until|later|too|the same|time|money|any|idea|a clue|anything|something|one|access|children|kids|pets|questions?|plans|it)\b`)

func enFood(v string) []string {
	if enAtTimes.MatchString(v) {
		return nil
	}
	v = strings.TrimSpace(enStop.ReplaceAllString(v, ""))
	if m := enAnyWith.FindStringIndex(v); m != nil { // "anything with sesame"
		v = v[m[1]:]
	}
	if enNoFood.MatchString(v) {
		return nil
	}
	return enItems(v)
}

var enAnyWith = en(`^(?:anything|things|foods?|dishes|stuff) (?:with|containing|that contains?|that has|made (?:with|from)|involving) `)

// enAtTimes says that something is avoided only then.
var enAtTimes = en(`\b(?:after|before|at night|in the (?:morning|evening)|on (?:weekdays|sundays|an empty)|during|late at|when|while|between|without|unless|on its own|that|alone)\b`)

var enTongueRe = en(`\b({languages})\b`)

// enTongues returns the languages that a text names, as long as it names nothing else first.
func enTongues(v string) []string {
	var out []string
	for _, part := range enSplit.Split(strings.TrimSpace(v), -1) {
		part = enHowWell.ReplaceAllString(part, "")
		m := enTongueRe.FindStringIndex(part)
		if m == nil || m[0] > 0 {
			break
		}
		out = append(out, part[m[0]:m[1]])
	}
	return out
}

var enHowWell = en(`^(?:some|fluent|good|basic|a little|a bit of|decent|conversational|both|also|native|rusty|broken|passable|only|excellent|perfect|near-native) `)

func enLearned(v string) []string {
	v = strings.TrimSpace(enHowLearned.ReplaceAllString(v, ""))
	if enNotItem.MatchString(v) || enNoLesson.MatchString(v) || strings.HasPrefix(v, "about ") || strings.HasPrefix(v, "a lot") || strings.HasPrefix(v, "from ") || strings.HasPrefix(v, "new ") {
		return nil
	}
	if t := enTongues(v); t != nil {
		return t
	}
	return enItems(strings.TrimPrefix(v, "to "))
}

var enHowLearned = en(`\s(?:on (?:my|an?|the)|with (?:my|an?|the|duolingo)|at (?:school|work|home|uni|the|a|night)|from (?:my|an?|youtube|scratch)|through|via|for (?:my|work|fun|a|the)|every|since|by|in (?:my|the|an?))\b.*$`)

var enNoLesson = en(`^(?:to )?(?:let go|cope|live with|accept|relax|trust|say no|love|be|deal|enjoy|appreciate|listen|wait)\b|^(?:fast|quickly|slowly|best|well|better|more)\b|^(?:with|at|by|in|on|as|and|so) |^(?:an? )?(?:new|ton|lot|bit|bunch|few)\b|\b(?:my|myself|our|it|this|that|these|things?|stuff|more|lessons?|why|what)\b`)

func enPlayed(v string) []string {
	v = tidy(v)
	if strings.EqualFold(v, "go") || v == "" {
		return nil
	}
	return []string{enArticle.ReplaceAllString(v, "")}
}

var enNoDrug = en(`^(?:the|a|an|my|it|this|that|care|notes?|pictures?|photos?|place|part|time|turns|public|baths?|showers?|breaks?|walks?|naps?|buses|trains|lessons|classes|orders|offence|it easy|everything|two|three|one|half|at|about|for|off|over|up|advantage|pride|vacation|holidays?|medication|medicine|pills|tablets|something|nothing|pleasure|issue)$|^(?:the|a|an|my|care|notes?|pictures?|place|part|holiday|vacation|leave|duty|call|board|fire|time|top|parental|maternity|sick)\b`)

func enDrug(v string) []string {
	if v = tidy(v); v == "" || enNoDrug.MatchString(v) {
		return nil
	}
	for _, w := range []string{" for", " every", " daily", " twice", " once", " each", " against", " in", " at", " before", " after", " to", " because"} {
		v = strings.TrimSuffix(v, w)
	}
	return []string{v}
}

var (
	enThingRe  = en(`\b(?:{things}|{pets})s?$`)
	enCalledSo = en(` (?:called|named) `)
)

// enOwned returns a possession: a thing that is known, or one with a proper name.
func enOwned(v string) []string {
	v = tidy(enStop.ReplaceAllString(strings.TrimSpace(v), ""))
	v = noun(thing(enArticle.ReplaceAllString(v, "")))
	v = enOwnedWhere.ReplaceAllString(v, "")
	if v == "" || wordCount(v) > 5 || enNotOwned.MatchString(v) || enCalledSo.MatchString(v) {
		return nil
	}
	if !enThingRe.MatchString(v) && !strings.ContainsFunc(v, unicode.IsUpper) && !enOwnable.MatchString(v) {
		return nil
	}
	return []string{v}
}

var enOwnedWhere = en(`\s(?:for|about|back|in|at|from|near|by|on|with|to|off)(?:\s.*)?$`)

func enBought(v string) []string {
	if enForAWhile.MatchString(v) {
		return nil
	}
	if p := enOwned(v); p != nil && (enThingRe.MatchString(p[0]) || strings.ContainsFunc(p[0], unicode.IsUpper) || enOwnable.MatchString(p[0])) {
		return p
	}
	return nil
}

var (
	enNotOwned = en(`\b(?:bite|haircut|deal|discount|hard bargain|coffee|ticket|tickets|lot|few|point|problem|question|copy|present|gift|bottle|sandwich|beer|pizza|meeting|friend|time|idea|chance|feeling|walker|insurance|keys?)\b|^(?:\w+ )?(?:bus|train|taxi|uber)$`)
	enOwnable  = en(`\b(?:saw|drill|lawnmower|mower|chainsaw|sofa|couch|mattress|fridge|freezer|dryer|oven|microwave|tv|television|monitor|headphones|router|projector|stove|treadmill|rowing machine|exercise bike|pram|stroller|wheelchair|lathe|welder|generator|heat pump|hot tub|trailer|excavator|shed|wood burner|food processor|stand mixer|bakery|company|business|restaurant|café|cafe|shop|store|vineyard|bookshop|record player|turntable|tent|watch|horse|land|dishwasher|washing machine|air fryer|typewriter|instant pot|games? console|console|pool|sauna|allotment|tractor|motorhome|caravan|convertible|suv|pickup|hatchback|minivan|moped|electric car|hybrid|microscope|grill|loom|kiln|synthesizer|keyboard|trumpet|saxophone|flute|ukulele|banjo|harp|accordion)\b`)
)

// enTool returns a product, a program or a language that somebody uses: one with a proper name.
func enTool(v string) []string {
	v = strings.TrimSpace(v)
	m := enToolRe.FindStringSubmatch(v)
	if m == nil {
		return nil
	}
	if !enToolTail.MatchString(v[len(m[0]):]) { // "a CSS preprocessor" is none called CSS
		return nil
	}
	name := strings.TrimRight(m[1], ".'’-&")
	if enNotPlaced.MatchString(name) && name != "Python" && name != "Java" && name != "Excel" || enNotName.MatchString(name) {
		return nil
	}
	return []string{name}
}

var enToolTail = en(`^(?:$|[^\p{L}\d ]|\s+(?:for|as|with|to|in|on|and|or|at|from|since|because|but|so|every|daily|when|while|now|instead|last|this|yesterday|today|recently|earlier|ages|years|months|weeks|two|three|these|right|currently|if|mostly|mainly|via|through|by|over|rather|too|also|here|there|again|any ?more|any longer|myself|personally|app|a lot|all)\b)`)

var enToolRe = compile(`^(?:the |an? )?(` + enProper + `#?(?: (?:` + enProper + `|v?\d[\w.]*))*|vim|emacs|git|zsh|bash|fish|tmux|i3|macOS|iOS|iPhone|iPad)`)
