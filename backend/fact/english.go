package fact

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"recollect/backend/memory"
)

// Pieces of the patterns: they stand for themselves between braces.
var enPieces = strings.NewReplacer(
	"{be}", `(?:am|['’]?m|are|['’]re|is|['’]s)`,
	"{have}", `(?:(?:have|['’]ve|has)(?: got)?|['’]s got|got|ve got)`,
	"{been}", `(?:have|['’]ve|has|['’]s) (?:\w+ly |always |just )?been`,
	"{adv}", `(?:(?:now|currently|also|still|actually|really|just|recently|already|finally|both|mostly|usually|originally|officially|definitely|absolutely|truly|simply|quite|very|so|always|only|genuinely|totally|proudly|happily|presently|basically|generally|normally|personally|all|again|lately|nowadays|these days|these days,|particularly|especially|too|much|rather) )*`,
	"{not}", `(?:do not|don['’]?t|does not|doesn['’]?t|can['’]?t|cannot|can not)`,
	"{num}", `(?:`+enNumber+`)`,
	"{people}", `(?:`+enPeople+`)`, "{pets}", `(?:`+enPets+`)`, "{things}", `(?:`+enThings+`)`,
	"{languages}", `(?:`+enLanguages+`)`, "{nations}", `(?:`+enNations+`)`, "{illness}", `(?:`+enIllnesses+`)`,
	"{sports}", `(?:`+enSports+`)`, "{doing}", `(?:`+enDoing+`)`, "{going}", `(?:`+enGoing+`)`, "{subjects}", `(?:`+enSubjects+`)`, "{diets}", `(?:`+enDiets+`)`, "{given}", `(?:`+enGiven+`)`,
	"{attributes}", `(?:`+enAttributes+`)`, "{trades}", `(?:`+enTrades+`)`, "{breeds}", `(?:`+enBreeds+`)`,
	"{products}", `(?:`+enProductNames+`)`,
	"{bills}", `(?:(?:car|home|house|household|contents|health|dental|travel|life|pet|renters?) insurance|mortgage|internet|broadband|electricity|electric|heating|council tax|childcare|daycare|nursery|gym|gym membership|phone (?:contract|plan|bill)|netflix|spotify|salary)`,
	"{end}", `$|[,;:)!(]|\.(?:\s|$)|\s[-–—]`, // what ends a phrase
)

func en(pattern string) *pattern { return compile(`(?i)` + enPieces.Replace(pattern)) }

// enCased is en where capital letters matter.
func enCased(pattern string) *pattern { return compile(enPieces.Replace(pattern)) }

var (
	// What may stand in front of what a clause says.
	enLead = en(`^(?:(?:hi|hello|hey|hi there|hey there|hello there|good (?:morning|evening|afternoon)|ok|okay|well|so|oh|ah|and|but|also|anyway|anyways|actually|by the way|btw|fyi|just so you know|for (?:the|your) (?:record|reference|information)|honestly|to be honest|tbh|in fact|as you (?:may )?know|as i (?:said|mentioned|told you)(?: before| earlier)?|you know|unfortunately|sadly|luckily|fortunately|happily|good news|big news|great news|bad news|small news|news|(?:a )?(?:quick |small |little )?(?:update|correction|reminder|heads[- ]up|note|intro|introduction)|sorry|no|nope|yes|yeah|yep|right|hm+|um+|because|since|as|plus|then|now|right now|currently|at the moment|at present|nowadays|these days|recently|lately|(?:last|this) (?:week|month|year|summer|winter|spring|autumn|fall|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|january|february|march|april|may|june|july|august|september|october|november|december)|yesterday|today|in (?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|(?:in|since|as of|from) (?:january|february|march|april|may|june|july|august|september|october|november|december|next month|next week|\d{4})|(?:as )?of (?:today|now|this \w+|last \w+)|(?:two|three|four|five|six|a few|a couple of|a|\d+) (?:days?|weeks?|months?|years?) ago|personally|myself|as for me|in my case|for me|(?:please |pls )?(?:remember|note|keep in mind|bear in mind|don['’]?t forget|do not forget|make a note|take note|be aware|mind)(?: that| this)?|did i (?:ever )?(?:tell you|mention|say)(?: that)?|(?:i )?(?:should|must|forgot to|wanted to|want to|have to|need to|['’]d like to|would like to|better|can|will|['’]ll|just wanted to|guess i should)(?: also| probably| just)? (?:mention|say|add|tell you|admit|confess|note|point out|let you know|introduce myself|warn you)(?: that)?|did i mention(?: that)?|let me (?:tell you|introduce myself)(?: that)?|it turns out(?: that)?|you should know(?: that)?|(?:the |my )?(?:doctors?|gp|dentist|allergist|test results?|tests?) (?:says?|told me|confirmed|found)(?: out)?(?: that)?|a bit about me|about me|some background|background|context|fun fact|thanks|thank you|great|nice|cool|important|p\.?s\.?|one more thing|another thing|first of all|first|second|finally|in the meantime|meanwhile|again|still|obviously|of course|apart from that|besides|in general|normally|usually|at home|at work|for context|wait|(?:i )?(?:just |recently )?(?:found out|discovered|have learned|realised|realized)(?: recently| today| yesterday| last \w+)?(?: that)?|turns out|the thing is(?: that)?|it so happens(?: that)?|truth is|in all honesty|believe it or not|(?:in|during) my (?:spare|free) time|for (?:fun|a hobby)|on (?:weekends|the side|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|in the (?:mornings?|evenings?)|at (?:weekends|night)|most (?:weekends|evenings|days)|every (?:day|week|weekend|morning|evening|sunday|saturday|monday|tuesday|wednesday|thursday|friday)|for (?:the (?:last|past) )?(?:[\w-]+ ){1,2}(?:years?|months?|weeks?|decades?)(?: now)?|ever since|after (?:[\w-]+ ){1,3}years?(?: (?:in|at|with|of) [^,]{2,30}?)?|since (?:last|this) \w+|since then|out of (?:nowhere|the blue)|after (?:my|the|our|a) [^,]{2,30},)(?:\s*[,!.:–—-]+\s*|\s+))*`)

	enSelf   = en(`^(?:i|we|my (?:wife|husband|partner|girlfriend|boyfriend|family|fianc[ée]e?|spouse|kids|children|brother|sister|mother|mum|mom|dad|father|son|daughter) and (?:i|me)|me and my \w+|both of us|the two of us|us two|the (?:wife|husband|missus|family) and (?:i|me))\b\s*(?:,? (?:both|all|two|too),? )?`)
	enIm     = en(`^(im|ive) `)
	enPerson = en(`^(?:my|our) ((?:(?:older|younger|elder|eldest|oldest|youngest|middle|big|little|twin|second|first|third|other|late|baby|step|half|grown-up|adopted|three-year-old|black|white|grey|gray|ginger|old|new|\w+-year-old) )*(?:{people}|{pets}|parents|grandparents|children|kids|sons|daughters|brothers|sisters|in-laws|dogs|cats))(,? ([\p{L}]+(?: [\p{L}]+)?),?)?(['’]s)? `)

	// Clauses that state nothing, by what they hold.
	enUnreal  = en(`\b(?:if|unless|suppose|supposing|imagine|imagining|pretend|assume|assuming|what if|let['’]?s say|as if|as though|in case|whether|for example|for instance|e\.g|an example|example:|hypothetical\w*|(?:i|we) wish|wish(?:ing|ed)? (?:i|we|that|for|to)|were i|had i|in another life|in a parallel|in (?:a|an|my) (?:perfect|ideal|other|better) (?:world|life|universe)|in \w+ years(?:['’] time)?,? (?:i|we)|someday|in theory|dream(?:t|ed|ing)?|test (?:sentence|message|string|data)|placeholder|sample|(?:not|n['’]t) (?:true|the case)|untrue|a lie|a rumou?r|in (?:the|this|that|my|a) (?:film|movie|show|series|musical|fantasy),? i)\b|\bin (?:an?|the|his|her|my|our|this|that) (?:school |new |christmas )?(?:play|panto|film|movie|series|sitcom|musical|sketch|nativity|exercise|example|simulation)(?:{end}|$)|\b(?:writing|wrote) (?:a|an|my|this) (?:\w+ ){0,2}(?:novel|story|film|movie|play|script|book)(?: in)?$|^say `)
	enMaybe   = en(`\b(?:basically an?|practically an?|(?:basically|practically|virtually|pretty much|all but|kind of|sort of|kinda|sorta) (?:live|lives|living|work|works|own|am)|maybe|perhaps|probably|possibly|apparently|supposedly|allegedly|hopefully|almost|nearly|not sure|unsure|no idea|likely|as a joke|jokingly|next (?:year|month|week|summer|spring|autumn|fall|winter)|in another life|someday)\b`)
	enPlanned = en(`\b(?:would|could|should|might|maybe|perhaps|probably|possibly|apparently|supposedly|allegedly|hope|hopes|hoping|hopefully|thinking (?:of|about)|consider(?:ing|ed)?|planning|plan|plans|planned|going to (?:be|move|live|work|start|study|get|have|buy|try|learn|become|join|switch|quit|adopt|sell|marry|call|name|retire|go|leave|give|stop|propose)|gonna|wants?|wanted|wanna|about to|tried to|trying to (?:live|work|move|become|get)|almost|nearly|thought|think|thinks|guess|believes?|suspect|feel like|feels like|seems?|wonder\w*|not sure|unsure|doubt|not certain|pretend\w*|no idea|tempted|afraid|may be|may have|i may|we may|supposed to|need to|have to|must|likely|as a joke|jokingly|a kind of|next (?:year|month|week|summer|spring|autumn|fall|winter))\b|['’](?:d|ll)\b|\bwill\b`)
	enReports = en(`\b(?:said|says|saying|told|tells|wrote|writes|sang|claims?|claimed|replied|answered|shouted|whispered|screamed|announced|insists|insisted|text(?:ed)? me|swears?|reckons?|thinks?|mentioned|mentions|remembers|assumes?|assumed|noted|implied|suggested|suggests)\b`)
	// … which the sentence before them or the one behind them may be
	enReported = en(`\b(?:texted(?: me)?|messaged(?: me)?|emailed(?: me)?|said|says|saying|told (?:me|us|him|her|them)|tells (?:me|us)|wrote|writes|sang|claims?|claimed|replied|answered|shouted|whispered|screamed|announced|insists|insisted|reads?)[^,:]{0,12}[,:]|, (?:\S+ ){1,4}(?:said|says|told me|claims?|claimed|replied|wrote|insists|insisted)[.!]?$|^(?:\S+ ){0,3}(?:said|says|told me|claims?|claimed|replied|wrote|insists|insisted) `)
	enOthers   = en(`\b(?:written (?:by|in|on|down as)|quotes?|quoted|quoting|lyrics?|song goes|goes like|the line|according to|translate\w*|translation|(?:is|are) pronounced|(?:does|do) (?:\x01+|(?:i|i['’]m|my|we)\b.{1,40}) mean|(?:i|we) (?:put|typed|entered|ticked)(?: down)? (?:that )?(?:i|we)\b.*|by mistake|mistakenly|wrongly|(?:as|like) (?:my|the|our) [\p{L} ]{2,24}? (?:says|said|used to say|always said|would say|puts it)|punchline|one-liner|(?:model|example|sample) sentence|the (?:sentence|phrase|word|words)|slogan|t-shirt|mug|sign reads|poster reads|subtitle reads)\b`)
	enAsking   = en(`^(?:on|in|at|for|to|from) (?:what|which|whose|whom) |^(?:what|how|where|when|why|who|whose|whom|which|can|could|is|are|do|does|did|will|would|should|have (?:i|you|we)|has|am i|was|were|any|may|shall|don['’]?t you|isn['’]?t|aren['’]?t|doesn['’]?t|guess|tell|remind|do you)\b`)
	enIronic   = en(`\b(?:yeah,? right|sure i am|as if|of course i|because i['’]?m obviously|the queen of|the king of|king of|queen of|president of|pope|santa|superman|batman|billionaire|on the moon|on mars|from mars|under a rock|a thousand years old|a million years old|time traveller|time traveler|unicorn)\b|^(?:oh|ah|ugh|wow|well)?,? ?(?:(?:just|how|so) )?(?:great|joy|wonderful|fantastic|brilliant|perfect|lovely|fabulous|marvell?ous|super)[,.!] (?:just what i|i (?:just |really |so |do |absolutely )*(?:love|adore|enjoy)\b)|\bi (?:just|so|do) (?:love|adore|enjoy) (?:it when|how|being (?:\w+ )?(?:stuck|late|ignored|woken|ill|sick|broke|yelled|shouted|rained|told|cold|lost)|(?:sitting|standing|waiting) (?:in|on|for|at)|getting (?:stuck|rained|woken|soaked|yelled|shouted|up at)|paying|losing|working (?:late|overtime|weekends|for free))\b`)

	// What may stand behind a plain statement without making it less plain.
	enIfYou    = en(`,?\s+(?:just )?(?:in case|if) (?:you|it|that|this|anyone) (?:need|want|must|ever|are|were|could|would|ask|asks|wonder|have|care|helps?|matters?|makes|is|['’]s|counts?)\b.*$`)
	enTails    = en(`\s(?:(?:and|but) (?:['’]?m |am )?(?:wants?|hopes?|plans?|would|will|might|need|wish|thinking|looking|trying|planning|can|could)|so|btw|by the way|please|which|if|because|when|whenever)\b.*$`)
	enInvented = en(`\b(?:suppos\w*|imagine[sd]?|imagining|imaginary|pretend\w*|assum\w*|let['’]?s say|for example|for instance|e\.g|an example|example:|hypothetical\w*|placeholder|test (?:sentence|message|string|data)|in another life|dream(?:t|ed|ing|s)?)\b`)
	enIfAsked  = en(`^(?:if|when|in case) (?:the|an?|anyone|anybody|someone|somebody|they) [^,:]{0,30}?\b(?:asks?|calls?|needs?|wonders?|comes?|rings?|insists?|wants?|requires?)\b[^,:]{0,24}[,:] `)
	enISaid    = en(`\b(?:i|we)(?:['’]ve| have)? (?:said|told you|mentioned|wrote|already told you)\b|\b(?:(?:the|my) )?(?:doctors?|gp|dentist|allergist|tests?|results?) (?:says?|told me|confirmed)\b|\btell you\b`)
	enMeant    = en(`\b(?:i|we) meant\b`)
	enWhenever = set("when", "whenever", "once", "until", "before", "after", "if", "unless", "than", "except")
	enTold     = en(`^(?:i|we)(?:['’]ve| have)? (?:said|told you|mentioned|wrote|already told you)\b`)
)

// english reads a sentence in English.
func (s source) english() {
	if strings.ToLower(s.reader.message.Text) == s.reader.message.Text {
		s.sentence.Text, s.sentence.Masked = lettered(s.sentence.Text), lettered(s.sentence.Masked)
	}
	text := s.sentence.Masked
	if !enAboutSelf.MatchString(text) && s.reader.about == "" && len(s.reader.found) == 0 {
		return
	}
	bare := enIfAsked.ReplaceAllString(text, "")
	if theirs := enISaid.ReplaceAllString(bare, ""); !enInvented.MatchString(bare) && !enOthers.MatchString(theirs) && !enIronic.MatchString(bare) {
		defer s.asides(enAsides, text, s.sentence.Question || enReports.MatchString(theirs) || enUnreal.MatchString(enIfYou.ReplaceAllString(bare, "")))
	}
	if enWinks.MatchString(text) {
		return
	}
	text = enIfYou.ReplaceAllString(text, "")
	if m := enIfAsked.FindString(text); m != "" { // it holds whoever asks
		text = strings.Repeat(" ", len(m)) + text[len(m):]
	}
	if theirs := enISaid.ReplaceAllString(text, ""); (enOthers.MatchString(theirs) || enReported.MatchString(theirs)) && !enMeant.MatchString(text) || enIronic.MatchString(text) || strings.HasPrefix(strings.ToLower(text), "say ") {
		return
	}
	question := s.sentence.Question
	if m := enTrailing.FindStringIndex(text); question && m != nil { // "… is my favourite colour, but in a nursery?"
		text, question = text[:m[0]], false
	}
	text = enEmoji.ReplaceAllStringFunc(text, func(m string) string { return "," + strings.Repeat(" ", len(m)-1) })
	clauses := enClauses(text, question)
	if question { // "I'm vegan, what can I eat?"
		asks := -1
		for i, c := range clauses {
			if piece := text[c.from:c.to]; !(c.goesOn && c.joint == "and") && enAsking.MatchString(piece[len(enLead.FindString(piece)):]) || i > 0 && enAlso.MatchString(piece) {
				asks = i
				break
			}
		}
		if asks <= 0 {
			return
		}
		clauses = clauses[:asks]
	}
	r := speech{source: s, text: text}
	for i, c := range clauses {
		c.to = c.from + len(strings.TrimRight(text[c.from:c.to], " ,;:–—-(.!…"))
		if c.to > c.from && !r.clause(c, i) {
			break
		}
	}
}

// lettered returns a text that is typed without capitals with one at the names of places and firms, as far as their position
// tells them: "i live in hexham", "im from gdansk originally".
func lettered(text string) string {
	out := []byte(text)
	for _, m := range enProperAt.FindAllStringSubmatchIndex(text, -1) {
		from, word := m[2], text[m[2]:m[3]]
		if enNotHere[word] || enCommon[word] || enBarely[word] || out[from] < 'a' || out[from] > 'z' || strings.HasSuffix(word, "s") && enPlaceAt.MatchString(text[m[0]:from]) {
			continue
		}
		out[from] -= 'a' - 'A'
	}
	return string(out)
}

var (
	enProperAt = en(`\b(?:(?:live|lives|living|lived|based|born|raised|grew up|settled|flat|apartment) in|(?:moved|relocated|moving|emigrated)(?: back| over)? to|(?:(?:i['’]?m|i am|is|['’]s|s?hes|originally|come|comes|came|family is) )(?:originally )?from|(?:work|works|working|worked|job|study|studies|studying|studied|student|started|employed|biology|law|medicine|engineering|history|physics|maths|psychology)(?: now)? (?:at|for)|is dr) (\p{Ll}[\p{Ll}'’-]{2,})\b`)
	enPlaceAt  = en(`(?:in|to|from) $`) // where names in -s are rare, and clothes and the like are not
	// words that stand there and are no names
	enBarely = set(strings.Fields(`night nights nine noon midday midnight dawn dusk sea speed height heights scratch experience least most times present first last once all both many some other others work working
		dorms dorm halls flats apartments houses house cave caves trees tree suburbs suburbia villages cities city downtown uptown accommodation housing care comfort style isolation silence chaos squalor darkness limbo
		student students shared temporary rented social council sheltered foster nature tents vans cars car van tent poverty shame secret private silicon heat pain bliss
		smoking drinking eating working doing playing studying going school early late home behind everything everyone nothing something someone somewhere anywhere nowhere abroad overseas outside inside
		myself himself herself yourself each two three four five six seven eight nine ten half another friends family people clients customers customer startups startup companies money fun free life living
		sales marketing retail weekends weekdays christmas easter pjs fantasy dreamland quarantine lockdown rehab barracks basement attic suburb countryside wilderness woods forest desert north south east west midlands
		dread terror awe wonder confusion doubt anger agony gratitude ignorance captivity memory anticipation finance tech hospitality healthcare construction insurance banking education it hr remote remotely`)...)
)

var (
	enTrailing = en(`, (?:always has been, |always have, )?(?:but|and|so) (?:in|at|for|on|with|to) [^,?]{2,40}\??$`)
	// marks that end a clause as a full stop would
	enEmoji = compile(`[\x{2600}-\x{27BF}\x{1F1E6}-\x{1F1FF}\x{1F300}-\x{1F601}\x{1F603}-\x{1F608}\x{1F60A}-\x{1F61B}\x{1F61E}-\x{1F642}\x{1F644}-\x{1F922}\x{1F924}-\x{1FAFF}]+`)
)

// enAboutSelf are words without which a sentence says nothing of its speaker.
var enAboutSelf = en(`^was \w+ed\b|^name(?:['’]s| is) |\b(?:i|im|ive|my|we|our|me|us|mine|here|speaking)\b|^(?:just |finally |recently |not |been |newly )*(?:moved|relocated|sold|bought|adopted|joined|switched|retired|turned|got|gave|quit|resigned|born|based|allergic|vegan|vegetarian|living|working|been|not|went|started|left|home|dad|mum|mom|\p{L}+ (?:here|stings?|is|are)|married|divorced|single|\p{L}+[.?!])\b|\d`)

// speech is a sentence being read, a clause at a time.
type speech struct {
	source
	text    string
	subject string // of the clause before
	wished  bool   // it said what is wished or planned: "I want to move and work abroad"
	topic   string // "my exam", which the clause before said something not to be
	told    bool   // the clause before tells what somebody else says
	of      int
	be      bool // it said what somebody is
}

// clause reads one clause, false where what follows it states nothing either.
func (r *speech) clause(c clause, i int) bool {
	s := r.source
	text := r.text[c.from:c.to]
	defer s.enMention(text)
	lead := len(enLead.FindString(text))
	from, text := c.from+lead, text[lead:]
	if text == "" {
		return true
	}
	if enUnreal.MatchString(text) || c.joint == "if" || c.joint == "unless" {
		return false
	}
	if enWhenever[c.joint] || enWhile.MatchString(r.text[c.from:c.to]) {
		return true
	}
	if m := enTold.FindStringIndex(text); m != nil {
		return true // what was said before; it is corrected now
	}
	if cut := enTails.FindStringIndex(text); cut != nil && cut[0] > 4 {
		text = text[:cut[0]]
	}
	if cut := enUnlike.FindStringIndex(text); cut != nil && cut[0] > 4 && !enSelf.MatchString(text) {
		text = text[:cut[0]]
	}
	text = strings.TrimRight(text, " ,;:–—-(")
	end := from + len(text)
	if text == "" || enAsking.MatchString(text) && !c.goesOn && (i > 0 || s.sentence.Question || !enWasDone.MatchString(text)) {
		return true
	}
	if enLaughs.MatchString(text) {
		return true
	}
	if r.gaveUp(text) || s.enNow(text, from, end) || s.enCorrection(text, from, end) || s.enItsName(text, from, end) {
		return true
	}
	if enMaybe.MatchString(text) {
		return true
	}
	reports := enReports.MatchString(enISaid.ReplaceAllString(text, ""))
	if c.joint == "that" && (r.told || len(enLead.FindString(r.text)) < c.from && !enOfSelf.MatchString(r.text[:c.from])) { // "you mentioned that I prefer …"
		return true
	}
	if r.told = reports; reports {
		return true
	}
	if r.corrects(text, from, end) || r.isNow(text, from, end) {
		return true
	}
	planned := enPlanned.MatchString(text)
	if !planned && s.enNamed(text, from, end) {
		r.subject, r.of = user, ofUser
		return true
	}
	switch self := enSelf.FindString(text); {
	case self != "" || enIm.MatchString(text):
		if self == "" {
			self = "i"
		}
		r.subject, r.of = user, ofUser
		at := len(self)
		if m := enParen.FindStringIndex(text[at:]); m != nil { // "I, by the way, am …"
			at += m[1]
		}
		if strings.EqualFold(strings.TrimSpace(self), "i") && enPlural.MatchString(text[at:]) {
			return true // somebody and I
		}
		said := text
		if m := enIm.FindStringSubmatch(text); m != nil { // "im studying", behind which the offsets stay
			said, at = enBeOrHave[strings.ToLower(m[1])]+text[len(m[0]):], 0
		}
		if !r.predicate(said, at, from, end) && !planned && !r.pastime(r.text[c.from:c.to], text[at:], from, end) {
			s.enThing(text, from, end)
		}
		if m := enWith.FindStringSubmatchIndex(text); m != nil && !planned && !enGives.MatchString(text[:m[0]]) {
			if name := text[m[4]:m[5]]; capitalised(name) && commonName(name) {
				s.add(memory.FactStatement{Subject: strings.ToLower(text[m[2]:m[3]]), Key: keyName, Value: name}, from, end)
			}
		}
	case c.joint == "who" && c.goesOn && enAsOne.MatchString(r.text[:c.from]): // "as someone who works nights"
		r.subject, r.of = user, ofUser
		r.predicate(text, 0, from, end)
	case c.joint == "who" && c.goesOn:
		about := s.reader.about
		if n := len(s.reader.found); n > 0 && about == "" { // "I have a sister who …"
			switch f := s.reader.found[n-1]; {
			case f.Subject != user:
				about = f.Subject
			case f.Key == keyFamily || f.Key == keyPet:
				about = f.Value
			}
		}
		if about == "" {
			return true
		}
		main, of := r.subject, r.of
		r.subject, r.of = about, ofPeople
		r.predicate(text, 0, from, end)
		if main != "" {
			r.subject, r.of = main, of
		}
	case c.goesOn && c.joint != "which":
		switch {
		case r.subject == "" || r.wished && enBare(text):
		case r.be && enParticiple(text) && r.predicate("am "+text, 0, from, end): // "I was born in Hue and raised in Houston"
		default:
			r.predicate(text, 0, from, end)
		}
	case s.enShe(r, text, from, end):
	case !planned && enPerson.MatchString(text+" ") && s.enAbout(r, text, from, end):
	case i == 0 && enTelegram.MatchString(text):
		r.subject, r.of = user, ofUser
		switch m := enBeingIt.FindStringIndex(text); {
		case m != nil:
			r.predicate("am "+text[m[1]:], 0, from, end)
		case enHereIs.MatchString(text):
			end -= len(text) - enHereIs.FindStringIndex(text)[0]
			r.predicate("am "+text[:enHereIs.FindStringIndex(text)[0]], 0, from, end)
		case enElliptic.MatchString(text):
			r.predicate("am "+text, 0, from, end)
		default:
			r.predicate(text, 0, from, end)
		}
	default:
		if at := enLater(text); at > 0 && !planned {
			r.subject, r.of = user, ofUser
			r.predicate(text[at:], len(enSelf.FindString(text[at:])), from+at, end)
			return true
		}
		if m := enMyOwn.FindStringSubmatchIndex(text); m != nil && m[0] == 0 && m[1] == len(text) {
			r.subject, r.of = strings.ToLower(text[m[2]:m[3]]), ofPeople // "My daughter, who …, is called Nell"
			return true
		}
		r.subject, r.of = "", 0
		if !planned {
			s.enThing(text, from, end)
		}
	}
	return true
}

// enInfinitive is what somebody does something for: "to reduce costs".
var enInfinitive = enCased(`\bto (?:[a-z]+)\b`)

// enBare reports whether a text begins with the base form of a verb, which may go on with a wish.
func enBare(text string) bool {
	for _, w := range wordsOf(text) {
		if !enAdverbs[w.text] {
			return slices.ContainsFunc(verbForms[w.text], func(f form) bool { return f.bare })
		}
	}
	return false
}

// enParticiple reports whether a text begins with a participle or an adjective, as what somebody is may.
func enParticiple(text string) bool {
	words := wordsOf(text)
	for i := range words {
		if enAdverbs[words[i].text] {
			continue
		}
		forms := verbForms[words[i].text]
		return len(forms) == 0 && !enFinite[words[i].text] || slices.ContainsFunc(forms, func(f form) bool { return f.participle || f.ing }) || words[i].text == "allergic" || words[i].text == "based" || words[i].text == "married"
	}
	return false
}

// enOfSelf is what a clause needs to be the user's own: "I'm glad that I moved".
var enOfSelf = en(`\b(?:i|im|ive|my|me|we|our)\b`)

var enBeOrHave = map[string]string{"im": "am ", "ive": "have "}

var (
	enWasDone  = en(`^was (?:\w+ )?\w+ed\b`) // "Was diagnosed with …"
	enPlural   = en(`^(?:are|were|['’]re)\b`)
	enBeingIt  = en(`^being (?:an? )?`)
	enHereIs   = en(` here$`)
	enElliptic = en(`^(?:{adv})(?:born|raised|based|allergic|married|divorced|diagnosed|hired|from|fluent|{diets})\b`)
	enAsOne    = en(`^(?:{adv})as (?:someone|somebody|a person|one|an? \w+) who $`)
	enParen    = en(`^\s*,[^,]{2,30}, `)
	enAlso     = en(`^(?:and |so |but )?(?:what|how|where|when|which|who|can you|could you|(?:any )?(?:ideas|tips|suggestions|recommendations|advice|thoughts)|any good|should i|do you)\b`)
	enWhile    = en(`^(?:when|whenever|once|until|before|after|every time|the day|back when|by the time) (?:i|we|my|he|she|it|they)\b|^(?:when|whenever|once|until|before|every time|the day|back when|by the time) the\b`)
	enAside    = en(`^(?:my|our|of|in|on|at|since|for|after|from|during|last|this|these|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|\d+|a|the|around|about|by|with|as|early|late|back|ever|each|every|most|over|thanks|because|due|owing|half|some)\b`)
)

// corrects reads "my exam isn't on the 12th, it's on the 14th", a clause after the other.
func (r *speech) corrects(text string, from, end int) bool {
	if m := enIsNot.FindStringSubmatch(text); m != nil {
		r.topic = m[1]
		return false
	}
	if m := enGotWrong.FindStringSubmatch(text); m != nil { // "I got my weight wrong, it is 62 kg"
		r.topic = m[1]
		return false
	}
	topic := r.topic
	r.topic = ""
	m := enButIs.FindStringSubmatchIndex(text)
	if topic == "" || m == nil {
		return false
	}
	subject, key, ok := enAttribute(topic)
	if !ok {
		return false
	}
	k, v, ok := r.enValue(key, r.sentence.Text[from+m[2]:from+m[3]])
	if !ok {
		return false
	}
	if k == keyDate && subject == user {
		subject = key
	}
	r.add(memory.FactStatement{Subject: subject, Key: k, Value: v}, from, end)
	return true
}

// isNow reads "it's Braga now" after "we don't live in Porto any more".
func (r *speech) isNow(text string, from, end int) bool {
	m := enItIsNow.FindStringSubmatchIndex(text)
	n := len(r.reader.found)
	if m == nil || n == 0 {
		return false
	}
	last := r.reader.found[n-1]
	if !last.Over || last.Many {
		return false
	}
	raw := r.sentence.Text[from+m[2] : from+m[3]]
	var v []string
	switch last.Key {
	case keyHome:
		v = enPlace(raw)
	case keyEmployer:
		v = enCompany(raw)
	case keyWork:
		v = enAnyJob(raw)
	}
	if len(v) == 0 {
		return false
	}
	r.add(memory.FactStatement{Subject: last.Subject, Key: last.Key, Value: v[0]}, from, end)
	return true
}

var (
	enIsNot    = en(`^((?:my|our) [\p{L} '’-]{2,40}?) (?:isn['’]t|is not|aren['’]t|are not|wasn['’]t|was not|is no longer)\b`)
	enGotWrong = en(`^(?:i|you|we)(?:['’]ve| have)? (?:got|had|gave you|told you|entered) ((?:my|our) (?:\p{L}+ )?(?:{attributes})) wrong$`)
	enButIs    = en(`^(?:actually |in fact |really )?(?:it|that|they)(?:['’]s| is|['’]re| are| was)(?: now| actually)? (?:on |at |in )?(.+)$`)
	enItIsNow  = en(`^(?:it|that)(?:['’]s| is) (?:now )?(.+?)(?: now| these days)$`)
	enWinks    = compile(`[;:]-?[)P]|<3 jk`)
	enLaughs   = en(`\b(?:lol|lmao|rofl|haha+|hehe+)\b|😂|🤣|😜|😝|😉|🙃`)
)

// enLater returns where "I" stands in a clause that begins with a phrase of time or place: "After ten years abroad I …".
func enLater(text string) int {
	if !enAside.MatchString(text) {
		return 0
	}
	m := enLaterI.FindStringIndex(text)
	if m == nil || m[0] > enPhrase || enReports.MatchString(text[:m[0]]) || enMaybe.MatchString(text[:m[0]]) || strings.Contains(text[:m[0]], "?") {
		return 0
	}
	return m[1] - len(strings.TrimLeft(text[m[0]:m[1]], " ,"))
}

var enLaterI = en(`[ ,]+(?:i|we)\b`)

// enNow reads where somebody works now who said just before where they no longer do: "I left Google, I'm at Stripe now".
func (s source) enNow(clause string, from, end int) bool {
	m := enAtNow.FindStringSubmatchIndex(clause)
	if m == nil {
		return false
	}
	over := func(key string) bool {
		return slices.ContainsFunc(s.reader.found, func(f memory.FactStatement) bool { return f.Key == key && f.Over && f.Subject == user })
	}
	switch raw := s.sentence.Text[from+m[2] : from+m[3]]; {
	case over(keyEmployer):
		for _, v := range enCompany(raw) {
			s.add(memory.FactStatement{Subject: user, Key: keyEmployer, Value: v}, from, end)
		}
	case over(keyHome):
		for _, v := range enPlace(raw) {
			s.add(memory.FactStatement{Subject: user, Key: keyHome, Value: v}, from, end)
		}
	default:
		return false
	}
	return true
}

var enAtNow = en(`^i(?:['’]m| am) (?:now )?(?:at|with|in) (.+?)(?: now)?$`)

// enTelegram are beginnings of what people tell of themselves without saying "I": "Moved to Lyon last week."
var enTelegram = en(`^(?:just |finally |recently |newly |originally |not |no longer |been |also |still |currently |severely |very )*(?:moved|relocated|sold|bought|adopted|joined|switched|retired|turned \d|got rid of|gave up|given up|quit|resigned|got (?:married|divorced|engaged|fired|a job|promoted)|left my|left \p{Lu}[\p{L}’'&-]*|was (?:just |recently |finally )*(?:diagnosed|promoted|hired|laid off|fired|born)|stopped|born|raised|based in|allergic|living in|living with|working (?:as|at|for)|been (?:\w+ing|vegan|vegetarian|married|a)|left \p{Lu}|was (?:just |recently |finally )*(?:diagnosed|promoted|hired|laid off|fired|born)|studying|married|divorced|started|diagnosed|hired|grew up|used to|from \p{L}+|fluent|being (?:an? )?(?:{diets}|allergic|diabetic|coeliac|celiac))\b|^(?:an? |just a )?[\p{L}][\p{L}\d -]{2,30} here$|^(?:currently |severely |strictly )?{diets}(?:$| (?:since (?:\d{4}|last|january|february|march|april|may|june|july|august|september|october|november|december)\b|for (?:about |over |almost |nearly )?{num} (?:years|months)\b))`)

// enEndsByPast are the keys of what is over where it is told in the past.
var enEndsByPast = set(keyHome, keyEmployer, keyWork, keyDiet)

// enBeside are keys that the same words may tell as well.
var enBeside = map[string]string{keyWork: keyEmployer, keyEmployer: keyWork, keyStudies: keySchool, keySchool: keyStudies, keyBirthday: keyBirthplace, keyBirthplace: keyBirthday, keyMarital: keyNumberOf + "children", keyNumberOf + "children": keyMarital, keyNumberOf + "kids": keyMarital}

// predicate reads what a clause says of its subject, from byte at on; the clause is bytes [from, end) of the sentence.
func (r *speech) predicate(clause string, at, from, end int) bool {
	s := r.source
	text := clause[at:]
	if m := enLiving.FindStringSubmatchIndex(text); m != nil && r.of&ofUser != 0 { // "fix boilers for a living"
		if p, ok := enPredicate(text); (!ok || !p.unreal && !p.not && !p.over) && wordCount(text[:m[0]]) <= 6 && !enNotItem.MatchString(text[:m[0]]) && !enPointed.MatchString(text[:m[0]]) {
			s.add(memory.FactStatement{Subject: r.subject, Key: keyWork, Value: tidy(strings.TrimSpace(text[:m[0]]))}, from, end)
			return true
		}
	}
	p, ok := enPredicate(text)
	r.wished = p.unreal || enInfinitive.MatchString(text)
	if !ok {
		p.verb = ""
		if r.be && r.subject != "" { // "I'm 34, allergic to nuts"
			p.verb, p.rest = "be", text
		}
	}
	if p.unreal || p.verb == "" {
		return false
	}
	if p.verb == "be" && strings.HasPrefix(strings.ToLower(text), "been") {
		p.perfect = true
	}
	raw := s.sentence.Text[end-len(p.rest) : end]
	if m := enAnyMore.FindStringIndex(raw); p.not && m != nil {
		p.over = true
		raw = raw[:m[0]]
	}
	r.be = strings.HasPrefix(p.verb, "be") && (len(p.verb) == 2 || p.verb[2] == ' ')
	if m := enButRather.FindStringSubmatchIndex(raw); m != nil && p.not && !p.over { // "not in Oslo but in Bergen"
		is := p
		is.not = false
		if r.says(is, clause, raw[m[2]:m[3]], from, end) {
			return true
		}
	}
	return r.says(p, clause, raw, from, end)
}

// says reads a predicate by the rules of its verb; raw is what stands behind the verb.
func (r *speech) says(p predicate, clause, raw string, from, end int) bool {
	s := r.source
	if p.verb == "be" && r.being(p, clause, raw, from, end) {
		return true
	}
	if enHolds[p.verb] && !p.not && !p.unreal && !p.over && (!p.past || verbChanges[p.verb]) && r.of&ofUser != 0 && s.enHas(r.subject, raw, from, end) {
		return true
	}
	if r.left(p, raw, from, end) {
		return true
	}
	done, ended := "", false // "swapped my Golf for a Kona" ends the one and tells of the other
	for _, rule := range enByVerb[p.verb] {
		if done != "" && enBeside[done] != rule.key && !(done == rule.key && ended && rule.mood == change) {
			continue
		}
		if found := r.apply(rule, p, clause, raw, from, end); found {
			done, ended = rule.key, rule.mood == ending
		}
	}
	if done != "" {
		r.works(done, raw, from, end)
	}
	return done != ""
}

// gaveUp reads that what was just told is over: "I've been vegan since 2018, but I quit last year".
func (r *speech) gaveUp(text string) bool {
	found := r.reader.found
	n := len(found) - 1
	if n < 0 || found[n].Over || found[n].Start < r.sentence.Rune || !enGaveUp.MatchString(text) || found[n].Subject != user {
		return false
	}
	found[n].Over = true
	return true
}

var enGaveUp = en(`^(?:i |we |i['’]ve |we['’]ve |have |['’]ve )*(?:since |just |recently |finally |eventually |then |had to )*(?:quit|stopped|gave (?:it |that |them )?up|given (?:it |that |them )?up|dropped (?:it|out)|ended (?:it|that)|sold (?:it|them)|moved (?:out|away)|lost interest|(?:do|am|have|did|['’]m)(?:n['’]t| not) any ?more|not any ?more)(?: (?:last|this|in|when|because|two|three|a|recently|now|since|after|again|yesterday|at|\d+)\b.*)?$`)

var enButRather = en(`,? but (?:rather |actually |now )?((?:in|at|for|from|as|to|by|an?|the|with|on)\b.+)$`)

var (
	enPointed = en(`\b(?:this|that|it|what|something|nothing|anything)$`)
	enAnyMore = en(`(?:^|,?\s+)(?:any ?more|any longer)\b.*$`)
	enLiving  = en(`\s+(?:for a living|as a (?:day )?job|for my job)\b`)
	enHolds   = set("have", "own", "adopt", "rescue", "foster", "keep", "get", "buy", "raise", "breed")
)

// left reads that somebody has left their job, or a company; one leaves places, too.
func (r *speech) left(p predicate, raw string, from, end int) bool {
	if !enLeaves[p.verb] || !p.past && !p.perfect && !strings.HasPrefix(p.verb, "be ") || p.not || p.over || p.ing {
		return false
	}
	if m := enTheJob.FindStringSubmatch(raw); m != nil && !enWhereJob.MatchString(raw) {
		f := memory.FactStatement{Subject: r.subject, Key: keyEmployer, Value: m[1], Over: true, Any: true}
		r.add(f, from, end)
		f.Key = keyWork
		r.add(f, from, end)
		return true
	}
	if p.verb == "leave" && enLeft(raw) == nil && enAtWork.MatchString(r.text) {
		if v := enCompany(raw); v != nil && (capitalised(strings.TrimPrefix(raw, "the ")) || enForGood.MatchString(raw)) {
			r.add(memory.FactStatement{Subject: r.subject, Key: keyEmployer, Value: v[0], Over: true}, from, end)
			return true
		}
	}
	return false
}

var (
	enLeaves   = set("quit", "leave", "lose", "resign", "give")
	enTheJob   = en(`^(?:from |up )?(?:my|the) (?:old |day |full-time |last |office |corporate )*(job)(?:{end}| (?:last|in|on|because|when|today|yesterday|and|this|after|due|to|but|since|two|three|a|so|right|just|over|during|for)\b)`)
	enWhereJob = en(`^(?:from |up )?(?:my|the) (?:old |day |full-time |last |office |corporate )*job (?:at|with|as|in|of) `)
	enForGood  = en(`\bfor good\b`)
	enAtWork   = en(`\b(?:for good|join\w*|jobs?|work\w*|startup|start-up|company|role|career|employer|position|years? (?:there|at))\b`)
)

// pastime reads what somebody does "in my spare time".
func (r *speech) pastime(whole, text string, from, end int) bool {
	m := enSpare.FindStringIndex(whole)
	if m == nil {
		return false
	}
	text = strings.TrimSpace(enSpare.ReplaceAllString(text, ""))
	if p, ok := enPredicate(text); ok && (p.past || p.unreal || p.not) {
		return false
	}
	text = enBeAdverbs.ReplaceAllString(text, "")
	if text == "" || wordCount(text) > 6 || wordCount(text) < 2 || enNotSpare.MatchString(text) || enPastForm.MatchString(text) {
		return false
	}
	r.add(memory.FactStatement{Subject: r.subject, Key: keyHobby, Value: tidy(enBeAdverbs.ReplaceAllString(text, ""))}, from, end)
	return true
}

var (
	enSpare    = en(`(?:in|during) (?:my|what) (?:spare|free|little spare|little free) time\b,?|\b(?:for fun|as a hobby|to relax|to unwind|to switch off)\b`)
	enPastForm = en(`^\w+ed\b`)
	enNotSpare = en(`^['’]|^(?:am|was|have|had|do not|don['’]?t|never|used|will|would|could|can|did|rarely|hardly|wish|want|like|love|need|just)\b|\b(?:nothing|it|this|that|you|much)\b`)
)

// apply reads a predicate by a rule.
func (r *speech) apply(rule enRule, p predicate, clause, raw string, from, end int) bool {
	of := r.of
	if of&ofPeople != 0 && enIsPet.MatchString(lastWord(r.subject)) {
		of |= ofPets
	}
	if rule.of != 0 && rule.of&of == 0 {
		return false
	}
	over, ok := rule.mood.holds(p)
	if over && rule.key == keyDiet && p.past && enMomentary.MatchString(clause) { // "I ate vegan yesterday"
		return false
	}
	if !ok || over && rule.mood == state && !p.over && !p.not && !enEndsByPast[rule.key] {
		return false
	}
	m := rule.rest.FindStringSubmatchIndex(raw)
	if m == nil || m[2] < 0 {
		return false
	}
	key := rule.key
	if rule.mood == taste && p.not && !p.over {
		key = keyDislikes
	}
	if (rule.key == keyLikes || rule.key == keyDislikes || rule.key == keyCondition && !rule.since) && enMomentary.MatchString(raw) {
		return false
	}
	var values []string
	said := raw[m[2]:m[3]]
	if (key == keyLikes || key == keyDislikes) && enItThem.MatchString(said) { // "Mushrooms? I can't stand them."
		if said = r.antecedent(from); said == "" {
			return false
		}
	}
	if rule.value == nil { // the verb itself is the value: "I run twice a week"
		if over && rule.mood != lapsed {
			return false
		}
		values = []string{gerund(p.verb)}
		if m[2] < m[3] { // "I sing in a choir"
			values = []string{p.verb + " " + raw[m[2]:m[3]]}
		}
	} else {
		values = rule.value(said)
	}
	if len(values) == 0 {
		return false
	}
	if key == keyOwns && enIsPet.MatchString(values[0]) { // "we gave our parrot away"
		key = keyPet
	}
	f := memory.FactStatement{Subject: r.subject, Key: key, Over: over}
	if sub, k, is := strings.Cut(key, "/"); is {
		f.Subject, f.Key = sub, k
	}
	switch at := r.reader.message.At; {
	case f.Over:
		f.ValidFrom, f.EndedAt = lasted(clause, at)
	case rule.since:
		f.ValidFrom = since(clause, at)
	}
	for _, v := range values {
		f.Value = v
		r.add(f, from, end)
	}
	if key == keyUses && rule.mood == change {
		r.switched(values[0], from, end)
	}
	if key == keyUses && !f.Over {
		if m := enSwitched.FindStringSubmatch(raw); m != nil {
			for _, v := range enTool(m[1]) {
				r.add(memory.FactStatement{Subject: r.subject, Key: keyUses, Value: v, Over: true}, from, end)
			}
		}
	}
	return true
}

// antecedent returns what "it" or "them" is at byte from: what the clause before is about, or the sentence before asks about.
func (r *speech) antecedent(from int) string {
	before := strings.TrimRight(r.text[:min(from, len(r.text))], " ,;:–—-")
	if m := enSubjectOf.FindStringSubmatch(before); m != nil && !enNotItem.MatchString(m[1]) {
		return m[1]
	}
	if m := enOneNoun.FindStringSubmatch(r.reader.before); m != nil && before == "" {
		return lowerFirst(m[1])
	}
	return ""
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }

var (
	enItThem    = en(`^(?:it|them|those)(?:{end}| (?:all|so much|at all|anyway|a lot|to bits|with a passion)\b)`)
	enSubjectOf = compile(`^((?:\p{L}[\p{Ll}-]* )?\p{L}[\p{Ll}-]*) (?:is|are|tastes?|smells?|makes?|gives?|looks?|feels?|sounds?) `)
	enOneNoun   = compile(`^([A-Za-z-]+(?: [a-z-]+)?)\?$`)
)

// enMomentary says that something is liked or not at this moment.
var enMomentary = en(`\b(?:right now|at the moment|today|tonight|this (?:morning|afternoon|evening|week)|so far|yesterday|last night)\b`)

var enSwitched = en(`^(?:over |across )?from (.+?) to `)

// works reads the employer in "a nurse at Bosch" and the work in "at Siemens as a test engineer".
func (r *speech) works(key, raw string, from, end int) {
	found := r.reader.found
	if len(found) == 0 || found[len(found)-1].Over {
		return
	}
	has := func(key string) bool {
		return slices.ContainsFunc(found, func(f memory.FactStatement) bool { return f.Key == key && f.Subject == r.subject && !f.Over })
	}
	switch {
	case key == keyWork && !has(keyEmployer):
		if m := enWorksAt.FindStringSubmatch(raw); m != nil && !enStudent.MatchString(raw) && !enYearsAt.MatchString(raw) {
			for _, v := range enCompany(m[1]) {
				r.add(memory.FactStatement{Subject: r.subject, Key: keyEmployer, Value: v}, from, end)
			}
		}
	case key == keyEmployer && !has(keyWork):
		if m := enAsA.FindStringSubmatch(raw); m != nil {
			for _, v := range enJob(m[1]) {
				r.add(memory.FactStatement{Subject: r.subject, Key: keyWork, Value: v}, from, end)
			}
		}
	}
}

var (
	enWorksAt = en(`\b(?:at|for) ((?:the )?\p{Lu}.*|(?:an?|the|our) .+)$`)
	enAsA     = en(`\bas (an? .+|the .+)$`)
	enStudent = en(`\bstudent\b`)
)

// being reads what somebody is, which may be several things: "34, a nurse and allergic to nuts".
func (r *speech) being(p predicate, clause, raw string, from, end int) bool {
	found := false
	pieces := enComplements(raw)
	if len(pieces) > 1 && r.of&ofUser == 0 && !slices.ContainsFunc(pieces, func(s string) bool { return enNumbers[s] == 0 && number(s) == 0 }) {
		return false // "my kids are 4, 6 and 9": which of them?
	}
	if m := enSpelt.FindStringSubmatch(raw); m != nil && r.of&ofUser != 0 && commonName(m[1]) { // "I'm Catherine with a C"
		r.add(memory.FactStatement{Subject: user, Key: keyName, Value: m[1]}, from, end)
		return true
	}
	if len(pieces) > 1 && r.of&ofUser != 0 && !p.not && !p.past && enSelfNamed.MatchString(pieces[0]) && commonName(pieces[0]) && !enNation.MatchString(pieces[0]) { // "I'm Hannah Okoye, 29, …"
		r.add(memory.FactStatement{Subject: user, Key: keyName, Value: pieces[0]}, from, end)
		pieces, found = pieces[1:], true
		if m := enJobFrom.FindStringSubmatch(raw); m != nil {
			for _, v := range enPlace(m[1]) {
				r.add(memory.FactStatement{Subject: user, Key: keyHometown, Value: v}, from, end)
			}
		}
	}
	if m := enNameAndJob.FindStringSubmatch(raw); m != nil && r.of&ofUser != 0 && !p.not && !p.past && !found && commonName(m[1]) { // "I'm Ada Reyes, operations manager at …"
		if job := enJob("a " + m[2]); job != nil {
			r.add(memory.FactStatement{Subject: user, Key: keyName, Value: m[1]}, from, end)
			r.add(memory.FactStatement{Subject: user, Key: keyWork, Value: job[0]}, from, end)
			r.works(keyWork, m[2], from, end)
			return true
		}
	}
	if r.elsewhere(p, clause, raw, from, end) || r.named(p, raw, from, end) || r.allergic(raw, from, end) {
		return true
	}
	for _, piece := range pieces {
		q := p
		q.verb = "be"
		piece = strings.TrimLeft(enBeAdverbs.ReplaceAllString(piece, ""), " ")
		done := ""
		if inner, ok := enPredicate("am " + piece); ok && inner.verb != "be" && inner.verb != "" && !inner.ing {
			q.verb = inner.verb
			for _, rule := range enByVerb[q.verb] {
				if done == "" && r.apply(rule, q, clause, inner.rest, from, end) {
					done = rule.key
				}
			}
		}
		for _, rule := range enBeing {
			if done != "" && !(done == keyStudies && rule.key == keySchool) {
				continue
			}
			if r.apply(rule, q, clause, piece, from, end) {
				done = rule.key
			}
		}
		if done == keyStudies || done == "" || done == keyWork && enStudent.MatchString(piece) {
			for _, rule := range enByVerb["be"] {
				if rule.key == keySchool && r.apply(rule, q, clause, piece, from, end) {
					done = keySchool
				}
			}
		}
		if done == "" {
			for _, rule := range enByVerb["be"] {
				if done == "" && r.apply(rule, q, clause, piece, from, end) {
					done = rule.key
				}
			}
		}
		if done == "" {
			break
		}
		found = true
		r.works(done, piece, from, end)
	}
	return found
}

// elsewhere reads "I've been in Dublin since 2011" and "I'm no longer in Bath".
func (r *speech) elsewhere(p predicate, clause, raw string, from, end int) bool {
	if at := enStillAt.FindStringSubmatch(raw); p.over && at != nil {
		key := keyEmployer
		v := enCompany(at[1])
		if enStudies.MatchString(r.reader.message.Text) || enSchoolRe.MatchString(at[1]) {
			key = keySchool
		}
		if v == nil {
			return false
		}
		r.add(memory.FactStatement{Subject: r.subject, Key: key, Value: v[0], Over: true}, from, end)
		return true
	}
	rest, ok := strings.CutPrefix(raw, "in ")
	if !ok || !p.over && !(p.perfect && !p.not && enLasting.MatchString(rest)) {
		return false
	}
	v := enPlace(rest)
	if v == nil || enAcronym.MatchString(v[0]) {
		return false
	}
	r.add(memory.FactStatement{Subject: r.subject, Key: keyHome, Value: v[0], Over: p.over, ValidFrom: since(clause, r.reader.message.At)}, from, end)
	return true
}

// named reads whom a person or pet of the user's is: "my son is Ben".
func (r *speech) named(p predicate, raw string, from, end int) bool {
	if r.of&ofUser != 0 || p.not || p.past || p.over || !enNamesOnly.MatchString(raw) {
		return false
	}
	names := enNames(raw)
	for _, n := range names {
		if !commonName(n) || enNation.MatchString(n) {
			return false
		}
	}
	for _, n := range names {
		r.add(memory.FactStatement{Subject: singular(r.subject), Key: keyName, Value: n}, from, end)
	}
	return names != nil
}

// allergic reads what somebody is allergic to who said it just before: "Peanuts could kill me, I'm allergic."
func (r *speech) allergic(raw string, from, end int) bool {
	if !enThatAllergic.MatchString(raw) || r.of&ofUser == 0 {
		return false
	}
	before := strings.TrimRight(r.text[:from], " ,;:–—-")
	m := enCauses.FindStringSubmatch(before[len(enLead.FindString(before)):])
	if m == nil {
		m = enMentions.FindStringSubmatch(before)
	}
	if m == nil || enNotItem.MatchString(m[1]) {
		return false
	}
	r.add(memory.FactStatement{Subject: r.subject, Key: keyAllergy, Value: m[1]}, from, end)
	return true
}

var (
	enStillAt      = en(`^(?:at|with) (.+)$`)
	enStudies      = en(`\b(?:student|students|university|uni|campus|semester|degree|course|lecture|professor|thesis|module|college|ISIC|undergrad\w*|phd|master['’]?s|class|classes|exam|exams|school|term)\b`)
	enLasting      = en(`\b(?:since|for (?:\w+ ){1,3}(?:years?|months|decades?|ages)|all my life)\b`)
	enAcronym      = compile(`^\p{Lu}{2,4}$`)
	enNamesOnly    = compile(`^\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?(?:(?:, | and |, and )\p{Lu}\p{Ll}+)*$`)
	enThatAllergic = en(`^(?:{adv}|that |deathly |seriously |\w+ly )*allergic(?: to (?:it|them|those|that|these|the stuff)\b.*)?$`)
	enMentions     = en(`\b(?:no|any|without|contains?|put down|give me|eat|have|with|of|skip|avoid|hold the|leave out(?: the)?|include|serve|add) ((?:[\p{L}-]+ )?[\p{L}-]+?)(?: please| thanks| thank you| either| at all| in (?:it|there|anything)| for me)?$`)
	enCauses       = en(`^((?:[\p{L}-]+ )??[\p{L}-]+) (?:could|can|will|would|make|makes|give|gives|send|sends|kill|kills|cause|causes|do not agree|don['’]t agree|are out|is out|are a no-go|is a no-go|are off|is off)\b`)
)

// singular returns one of several people or pets: "kids" is "kid".
func singular(s string) string {
	if strings.HasSuffix(s, "ss") {
		return s
	}
	if strings.HasSuffix(s, "children") {
		return strings.TrimSuffix(s, "ren")
	}
	return strings.TrimSuffix(s, "s")
}

var (
	enSpelt      = compile(`^(\p{Lu}\p{Ll}+),? with (?:an?|one|two|no) ["'“‘]?\p{L}["'”’]?(?:$|[ ,.])`)
	enNameAndJob = compile(`^(\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+){1,2}), (\p{Ll}[\p{L} -]+(?: (?:at|for|with) .+)?)$`)
	enSelfNamed  = compile(`^\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2}$`)
	enJobFrom    = en(`\ban? [\p{Ll} -]+ from (\p{Lu}.*)$`)
	enBeAdverbs  = en(`^{adv}`)
	enComplement = en(`(?:,? (?:and|but|plus) |, (?:and |but )?)((?:also |now |currently |originally |very |still )*(?:(?:an? |the )[\p{L}-]|{num}\b|allergic|severely allergic|from \p{L}|based|married|single|divorced|widowed|engaged|into |fond of|fluent|{diets}|{nations}\b|retired|lactose|left-handed|mad about|crazy about|diabetic|asthmatic|living|working|studying)[^,]*)`)
)

// enComplements cuts what somebody is into the several things that it is.
func enComplements(raw string) []string {
	var out []string
	at := 0
	for at < len(raw) {
		m := enComplement.FindStringSubmatchIndex(raw[at:])
		if m == nil {
			break
		}
		out = append(out, strings.TrimSpace(raw[at:at+m[0]]))
		at += m[2]
	}
	return append(out, strings.TrimSpace(raw[at:]))
}

// gerund returns the name of what somebody does: "run" is "running".
func gerund(verb string) string {
	for text, forms := range verbForms {
		for _, f := range forms {
			if f.ing && f.base == verb {
				return text
			}
		}
	}
	return verb
}

// enAbout reads a clause about a person or pet of the user's.
func (s source) enAbout(r *speech, clause string, from, end int) bool {
	m := enPerson.FindStringSubmatchIndex(clause + " ")
	subject := strings.TrimPrefix(strings.TrimPrefix(clause[m[2]:m[3]], "new "), "old ")
	at := min(m[1], len(clause))
	found := false
	if m[6] >= 0 { // my sister Clara
		name := clause[m[6]:m[7]]
		words := strings.Fields(name)
		switch {
		case !capitalised(words[0]) || !commonName(words[0]):
			at = m[3] // it belongs to the predicate
			if m[8] >= 0 && m[8] == m[3] {
				at = m[8]
			}
		case len(words) > 1 && !capitalised(words[1]):
			name = words[0]
			at = m[6] + strings.Index(clause[m[6]:], words[0]) + len(words[0])
			fallthrough
		default:
			if m[8] >= 0 { // "my daughter Freya's birthday"
				at = m[8]
			}
			s.add(memory.FactStatement{Subject: subject, Key: keyName, Value: name, Over: enGone.MatchString(clause)}, from, end)
			found = true
		}
	} else if m[8] >= 0 {
		at = m[8] // "my sister's …"
	}
	rest := strings.TrimLeft(clause[at:], " ,")
	at = len(clause) - len(rest)
	a := enOwnAttr.FindStringSubmatchIndex(rest)
	if a == nil {
		a = enWasCalled.FindStringSubmatchIndex(rest)
	}
	if a != nil {
		key, raw := rest[a[2]:a[3]], s.sentence.Text[end-len(rest)+a[4]:end]
		if strings.EqualFold(key, "name") || strings.EqualFold(key, "names") {
			for _, v := range enNames(raw) {
				s.add(memory.FactStatement{Subject: singularOf(subject, key), Key: keyName, Value: v}, from, end)
				found = true
			}
			return found
		}
		if k, v, ok := s.enValue(key, raw); ok {
			whose := subject
			if k == keyDate { // "my mum's surgery is on Friday"
				whose += "'s " + key
			}
			s.add(memory.FactStatement{Subject: whose, Key: k, Value: v}, from, end)
			return true
		}
		return found
	}
	r.subject, r.of = subject, ofPeople
	if !found && enGone.MatchString(rest) {
		key := keyFamily
		if enIsPet.MatchString(lastWord(subject)) {
			key = keyPet
		}
		s.add(memory.FactStatement{Subject: user, Key: key, Value: subject, Over: true}, from, end)
		return true
	}
	return r.predicate(clause, at, from, end) || found
}

// enGone says that somebody is no more.
var enGone = en(`\b(?:(?:has |just )?(?:died|passed away)|was put down|is no longer with us)\b`)

// singularOf returns whose name it is, where several are named: "my kids' names are …".
func singularOf(subject, key string) string {
	if strings.HasSuffix(key, "s") {
		return singular(subject)
	}
	return subject
}

func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

var enOwnAttr = en(`^['’]s (?:new |current )?([\p{L}][\p{L} -]{1,30}?) (?:is|are|was changed to|has changed to) (?:now |currently |actually )?(.+)$`)

// enWasCalled is the name of somebody who may be dead.
var enWasCalled = en(`^['’]s (?:first |maiden |full )?(name) was (.+)$`)

// enNamed reads names that are given in other words.
func (s source) enNamed(clause string, from, end int) bool {
	if m := enIAm.FindStringSubmatchIndex(clause); m != nil && (s.reader.greeted || enHi.MatchString(s.sentence.Masked)) && !enNation.MatchString(clause[m[2]:m[3]]) && commonName(clause[m[2]:m[3]]) {
		s.add(memory.FactStatement{Subject: user, Key: keyName, Value: clause[m[2]:m[3]]}, from, end)
		return true
	}
	if m := enForShort.FindStringSubmatch(clause); m != nil {
		s.add(memory.FactStatement{Subject: user, Key: keyName, Value: m[1]}, from, end)
		s.add(memory.FactStatement{Subject: user, Key: keyNickname, Value: m[2]}, from, end)
		return true
	}
	if m := enNotFan.FindStringSubmatchIndex(clause); m != nil && from == 0 {
		for _, v := range enTastes(clause[m[2]:m[3]]) {
			s.add(memory.FactStatement{Subject: user, Key: keyDislikes, Value: v}, from, end)
		}
		return true
	}
	if m := enLabel.FindStringSubmatchIndex(clause); m != nil {
		_, key, ok := enAttribute(strings.ToLower(clause[m[2]:m[3]]))
		if k, v, valued := s.enValue(key, s.sentence.Text[from+m[4]:from+m[5]]); ok && valued {
			s.add(memory.FactStatement{Subject: user, Key: k, Value: v}, from, end)
		}
		return true
	}
	if m := enJobAt.FindStringSubmatchIndex(clause); m != nil {
		for _, v := range enCompany(s.sentence.Text[from+m[2] : from+m[3]]) {
			s.add(memory.FactStatement{Subject: user, Key: keyEmployer, Value: v}, from, end)
		}
		return true
	}
	if m := enIsModel.FindStringSubmatch(clause); m != nil && !enIsA.MatchString(clause) && !enIsPerson.MatchString(m[1]) && !enIsPet.MatchString(m[1]) { // "my lathe is a Myford ML8"
		s.add(memory.FactStatement{Subject: user, Key: model(strings.ToLower(m[1])), Value: m[2]}, from, end)
		return true
	}
	if m := enIsA.FindStringSubmatchIndex(clause); m != nil {
		v := tidy(enIsAStop.ReplaceAllString(s.sentence.Text[from+m[4]:from+m[5]], ""))
		if strings.ContainsFunc(v, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) && wordCount(v) <= 5 && !enIsPerson.MatchString(clause[m[2]:m[3]]) {
			s.add(memory.FactStatement{Subject: user, Key: model(strings.ToLower(clause[m[2]:m[3]])), Value: v}, from, end)
			return true
		}
	}
	for _, r := range enNaming {
		m := r.re.FindStringSubmatchIndex(clause)
		if m == nil {
			continue
		}
		subject := user
		group := m[2:4]
		if len(m) >= 6 && m[4] >= 0 {
			subject, group = clause[m[2]:m[3]], m[4:6]
		}
		names := enNames(s.sentence.Text[from+group[0] : from+group[1]])
		if enNoThing.MatchString(subject) || enOnce.MatchString(subject) {
			return true
		}
		if subject != user && len(names) > 1 && singular(subject) != subject { // "my kids are called Ann, Ben and Cleo"
			subject = singular(subject)
		} else {
			names = names[:min(1, len(names))]
		}
		for _, v := range names {
			s.add(memory.FactStatement{Subject: thing(subject), Key: r.key, Value: v}, from, end)
		}
		if len(names) > 0 {
			return true
		}
	}
	return false
}

// model returns the key for which of a kind of thing somebody has: a "phone" is a number.
func model(thing string) string {
	if thing == keyPhone {
		return "phone model"
	}
	return thing
}

// enMention notes of whom or what of the user's a clause speaks: "he" and "she" may go on with it.
func (s source) enMention(clause string) {
	if m := enMyOwn.FindStringSubmatch(clause); m != nil {
		s.reader.about, s.reader.spoken = strings.ToLower(m[1]), s.reader.sentences
	}
}

// enShe reads what is said of somebody who was spoken of just before: "My mum's name is Edith, she is 81."
func (s source) enShe(r *speech, clause string, from, end int) bool {
	m := enPronoun.FindStringSubmatchIndex(clause)
	about := s.reader.about
	if n := len(s.reader.found); about == "" && n > 0 && s.reader.found[n-1].Key == keyName && s.reader.found[n-1].Subject != user {
		about = s.reader.found[n-1].Subject // "we've got a dog called Biscuit, she's a beagle"
	}
	if m == nil || about == "" {
		return false
	}
	he, his := clause[m[2]:m[3]], strings.EqualFold(clause[m[2]:m[3]], "he") || strings.EqualFold(clause[m[2]:m[3]], "his")
	if his && enFemale.MatchString(about) || !his && enMale.MatchString(about) {
		return false
	}
	if strings.EqualFold(he, "his") || strings.EqualFold(he, "her") {
		if a := enOwnAttr.FindStringSubmatchIndex("'s " + strings.TrimLeft(clause[m[3]:], " ")); a != nil {
			rest := "'s " + strings.TrimLeft(clause[m[3]:], " ")
			if k, v, ok := s.enValue(strings.ToLower(rest[a[2]:a[3]]), s.sentence.Text[end-len(rest)+a[4]:end]); ok {
				s.add(memory.FactStatement{Subject: about, Key: k, Value: v}, from, end)
				return true
			}
		}
		return false
	}
	at := m[3]
	if at < len(clause) && clause[at] == ' ' {
		at++
	}
	r.subject, r.of = about, ofPeople
	return r.predicate(clause, at, from, end)
}

var (
	enMyOwn   = en(`\b(?:my|our) (?:new )?((?:(?:older|younger|elder|eldest|oldest|youngest|big|little|second|first) )?(?:{people}|{pets}))\b`)
	enPronoun = en(`^(he|she|his|her)(?:['’]?s)?\b`)
	enFemale  = en(`(?:wife|girlfriend|fianc[ée]e|mother|mom|mum|mommy|sister|daughter|aunt|grandmother|grandma|granny|granddaughter|niece|mother-in-law|sister-in-law|goddaughter|stepmother)$`)
	enMale    = en(`(?:husband|boyfriend|father|dad|daddy|brother|son|uncle|grandfather|grandpa|grandson|nephew|father-in-law|brother-in-law|godson|stepfather)$`)
	enHi      = en(`^(?:hi|hello|hey|hi there|hey there|hello there|good (?:morning|evening|afternoon))\b`)
	enIAm     = compile(`^(?:[Ii]['’]m|[Ii] am|[Ii]m|[Tt]his is) (\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?)(?:,? (?:btw|by the way|here))?[.!]?$`)
	enNation  = en(`^(?:{nations}|{languages}|catholic|muslim|jewish|christian|buddhist|hindu|european|asian|african|ok|okay|sorry|team)$`)
	enWith    = en(`\b(?:my|our) ({people}|{pets}),? ([\p{L}]+)\b`)
)

// enItsName reads the name of what was just said to be there: "I have a dog. Her name is Rex."
func (s source) enItsName(clause string, from, end int) bool {
	m := enItsName.FindStringSubmatchIndex(clause)
	if m == nil {
		return false
	}
	g := 2
	if m[g] < 0 {
		g = 4
	}
	names := enNames(s.sentence.Text[from+m[g] : from+m[g+1]])
	if len(names) != 1 {
		return false
	}
	if !s.name(names[0], from, end) && s.reader.about != "" {
		s.add(memory.FactStatement{Subject: s.reader.about, Key: keyName, Value: names[0]}, from, end)
	}
	return true
}

var enItsName = en(`^(?:his|her|its) name(?:['’]s| is) (.+)$|^(?:he|she|it)(?:['’]s| is) (?:called|named) (.+)$`)

var (
	enForShort = compile(`^(?:[Ii]['’]?m|[Ii] am|[Mm]y name(?:['’]s| is))(?: called| named)? (\p{Lu}[\p{L}'’-]+),? (?:but |or )?(\p{Lu}[\p{L}'’-]+) for short$`)

	enNotFan  = en(`^not (?:a (?:big |huge )?fan of|into|fond of|keen on) (.+)$`)
	enLabel   = en(`^(?:my |my new |new |our new )(address|phone|phone number|mobile|number|email|e-mail|email address|name)\s*[:：]\s*(.+)$`)
	enJobAt   = en(`^my (?:new |current )?job is {adv}(?:at|with) (.+)$`)
	enIsA     = en(`^(?:my|our) ((?:work |new |old )?{things})(?:['’]s| is) (?:now )?an? (.+)$`)
	enIsModel = enCased(`^(?:[Mm]y|[Oo]ur) ([\p{Ll} -]{3,30}?)(?:['’]s| is) (?:now )?an? ((?:\p{Lu}[\p{L}-]+ )+\p{Lu}*\d[\p{L}\d-]*)(?:$|[,.;])`)
	enIsAStop = en(`(?:\s(?:running|with|from|bought|that|which|and|i|but|in|on|for)\b|[,;(–—]).*$`)
)

var enNaming = []struct {
	key string
	re  *pattern
}{
	{keyName, en(`^(?:my|our) (?:full |real |legal |official )?name(?:['’]s| is| was changed to|, by the way, is) {adv}(.+)$`)},
	{keyNickname, en(`^(?:(?:please |just |you can |you may |feel free to )+|)call me (.+)$`)},
	{keyName, en(`^(?:the )?name(?:['’]s| is) {adv}(.+)$`)},
	{keyNickname, en(`^(?:people|everyone|everybody|most people|my (?:friends|mates|family|colleagues|students)|folks|they) (?:all |mostly )?knows? me as (.+)$`)},
	{keyName, en(`^my (?:first |full )?name is (?:spelled|spelt|written) (.+)$`)},
	{keyName, en(`^(?:it|this)(?:['’]s| is) (\p{Lu}\p{L}+(?: \p{Lu}\p{L}+)?) (?:here|speaking|writing|calling)(?:,.*)?$`)},
	{keyNickname, en(`^(?:everyone|everybody|people|most (?:people|folks|everyone)|(?:all )?(?:of )?my (?:friends|mates|family|colleagues|co-?workers|students|kids|wife|husband|team|grandkids|patients|teammates)|friends|folks|they|the (?:lads|guys|kids|girls|boys|nurses|neighbours|neighbors|regulars|others|team|crew|grandchildren|locals))(?: (?:at|in|from|on|around) [\p{L}’' ]{2,20}?)? (?:just |usually |always |all |mostly |only |normally )*calls? me (.+)$`)},
	{keyNickname, en(`^i (?:like|prefer) (?:to be called|being called) (.+)$`)},
	{keyName, en(`^the name of (?:my|our) (.+?) is (?:now )?(.+)$`)},
	{keyName, en(`^(?:my|our) ([\p{L}\d][\p{L}\d -]{1,40}?)(?:['’]s| is| are| was| has been|['’]s been) (?:now |currently |actually )?(?:called|named|renamed(?: to)?|christened) (.+)$`)},
	{keyName, en(`^(?:my|our) ([\p{L}\d][\p{L}\d -]{1,40}?)['’]s (?:new )?name is (?:now )?(.+)$`)},
	{keyName, en(`^(?:we|i)(?:['’]ve| have)? (?:just |recently )?(?:named|called|call|renamed|christened) (?:my|our|the) (?:new )?([\p{L}][\p{L} -]{1,30}?) (?:to )?(\p{Lu}.*)$`)},
}

// enOnce is what was, will be or is wished for.
var enOnce = en(`^(?:ideal|dream|desired|old|previous|former|first|last|next|future|childhood|late|would-be|hypothetical|imaginary|toy|stuffed|pretend|virtual|fictional|cuddly) `)

// enNoThing is what has a name that says nothing of its owner.
var enNoThing = en(`^(?:file|folder|variable|branch|function|script|column|table|class|character|server)s?$`)

// thing returns a noun phrase as a subject or key: without "new" and what tells nothing.
func thing(s string) string {
	for _, w := range []string{"new ", "current ", "present ", "brand-new "} {
		s = strings.TrimPrefix(s, w)
	}
	return s
}

// enHas reads what somebody has: people, pets and things, by number or by name.
func (s source) enHas(subject, predicate string, from, end int) bool {
	rest := enNewly.ReplaceAllString(predicate, "")
	if c := enCounted.FindStringSubmatch(rest); c != nil { // "two guinea pigs, Salt and Vinegar"
		if names := enNames(c[3]); len(names) > 1 && (strconv.Itoa(len(names)) == digits(c[1])) {
			s.add(memory.FactStatement{Subject: subject, Key: keyNumberOf + c[2] + "s", Value: digits(c[1])}, from, end)
			for _, n := range names {
				s.add(memory.FactStatement{Subject: c[2], Key: keyName, Value: n}, from, end)
			}
			return true
		}
	}
	found := false
	for _, item := range enItemsOf.Split(rest, -1) {
		h := enHeld.FindStringSubmatch(item)
		if h == nil {
			if m := enLoneName.FindStringSubmatch(item); found && m != nil && commonName(m[1]) && !enNation.MatchString(m[1]) { // "a kitten, Luna"
				s.name(m[1], from, end)
			}
			break
		}
		count, adjectives, noun, plural, tail := h[1], strings.TrimSpace(h[2]), h[3], h[4], strings.TrimSpace(h[5])
		if len(strings.Fields(adjectives)) > 3 || enBetween.MatchString(adjectives) || enNotHeld.MatchString(adjectives) {
			break
		}
		names := []string(nil)
		if c := enCalled.FindStringSubmatch(tail); c != nil {
			if names = enNames(c[1]); names == nil {
				break
			}
		} else if tail != "" && !enTail.MatchString(tail) || enServed.MatchString(tail) {
			break
		}
		whole := strings.TrimSpace(strings.TrimPrefix(adjectives+" ", "new ") + " " + noun)
		whole = strings.Join(strings.Fields(whole), " ")
		lower := strings.ToLower(noun)
		key := keyOwns
		if m := enDwelling.FindStringSubmatch(noun + " " + tail); m != nil { // "a small flat in Turku"
			for _, v := range enPlace(m[1]) {
				s.add(memory.FactStatement{Subject: subject, Key: keyHome, Value: v}, from, end)
				return true
			}
		}
		switch {
		case enIsPerson.MatchString(lower):
			key = keyFamily
		case enIsPet.MatchString(lower):
			key = keyPet
		}
		number := enNumbers[strings.ToLower(count)]
		if number == 0 {
			number = hanNumber(count)
		}
		switch {
		case names != nil:
			for _, n := range names {
				s.add(memory.FactStatement{Subject: whole, Key: keyName, Value: n}, from, end)
			}
		case number > 1 && (plural != "" || strings.HasSuffix(lower, "children")):
			s.add(memory.FactStatement{Subject: subject, Key: keyNumberOf + whole + plural, Value: digits(count)}, from, end)
		case number > 1:
			continue
		case enCountable.MatchString(lower):
			continue
		case key == keyFamily && !enRelative.MatchString(lower):
			continue // "I have a boss"
		default:
			s.add(memory.FactStatement{Subject: subject, Key: key, Value: whole}, from, end)
		}
		found = true
	}
	return found
}

var (
	enBetween   = en(`\b(?:for|of|in|about|with|to|on|from|at|by|love|picture|photo|video|toy|stuffed)\b`)
	enCountable = en(`^(?:tattoo|bedroom|beehive|hive|acre|piercing|cow|pig|ewe|lamb|tenant|student|pupil|patient)$`) // of which only the number tells something
	enNewly     = en(`^{adv}(?:new )?`)
	enCounted   = en(`^({num}) (?:[\p{L}-]+ )?({people}|{pets})s?(?:,|:| called| named| —| -) (?:called |named )?(.+)$`)
	enItemsOf   = en(`,? and |, `)
	enHeld      = en(`^(?:also )?(an?|one|{num}) ((?:[\p{L}\d'’-]+ ){0,3}?)({people}|{pets}|{things}|tattoo|bedroom|beehive|hive|acre|piercing|cow|pig|ewe|lamb|tenant|student|pupil|patient|children|grandchildren|stepchildren|godchildren)(s|es|ies)?\b(?: and )?(.*)$`)
	enLoneName  = compile(`^(\p{Lu}\p{Ll}+)(?:$|, (?:who|and|she|he|which|so|but)\b)`)
	enCalled    = en(`^,? ?(?:(?:last|this) \p{L}+ |yesterday |today |in \p{L}+ |from (?:the|a) (?:\p{L}+ )?shelter |(?:two|three|a few|\d+) \p{L}+ ago )?(?:(?:which|who|whom|that) (?:is|are|we|i) )?(?:called|named|by the name of|whose names? (?:is|are)) (.+)$`)
	enTail      = en(`^(?:[,.;:(–—-]|who|which|that|with|at home|in|from|now|since|yesterday|today|last|this|when|too|as well|as pets?|and|but|so|because|living|together|of my own|\d|aged|under|over|these|already|for)`)
	enDwelling  = enCased(`^(?:flat|apartment|studio) in (\p{Lu}.*)$`)
	enServed    = en(`^(?:in (?:this|that|the) (?:fight|race|hunt)|in (?:my|our|the|this) (?:class|course|group|care|clinic|ward|team|lab|office)\b|for (?:dinner|lunch|breakfast|tea|supper|the (?:grill|bbq|weekend)|christmas|tonight|tomorrow)|in (?:the|my) (?:oven|fridge|freezer|pan|pot|slow cooker|game)|on (?:the|my) (?:grill|table|screen|phone|t-shirt|shelf|mind|head|back))\b`)
	enNotHeld   = en(`\b(?:class|lab|office|bad|good|great|flat|broken|meeting|question|problem|dream|imaginary|invisible|hired|rental|rented|lot|few|friend['’]s|new favourite|hot)\b`)
	enIsPerson  = en(`^{people}$`)
	enIsPet     = en(`^{pets}$`)
	enRelative  = en(`^(?:brother|sister|sibling|son|daughter|child|kid|baby|toddler|twin|cousin|aunt|uncle|grandmother|grandfather|grandma|grandpa|grandson|granddaughter|grandchild|niece|nephew|wife|husband|partner|girlfriend|boyfriend|stepson|stepdaughter|fianc[ée]e?|twin brother|twin sister|roommate|flatmate|housemate)$`)
)

// enThing reads a clause about something of the user's, or an attribute of theirs.
func (s source) enThing(clause string, from, end int) {
	if m := enThereAre.FindStringSubmatchIndex(clause); m != nil {
		s.add(memory.FactStatement{Subject: thing(clause[m[6]:m[7]]), Key: keyNumberOf + clause[m[4]:m[5]], Value: digits(clause[m[2]:m[3]])}, from, end)
		return
	}
	if m := enPays.FindStringSubmatch(clause); m != nil {
		if key := enPayFor.FindString(clause[len(m[0])-len(m[2]):]); key != "" {
			s.add(memory.FactStatement{Subject: user, Key: strings.ToLower(key), Value: m[1]}, from, end)
		}
		return
	}
	if m := enMembers.FindStringSubmatchIndex(clause); m != nil && (!enIsCount.MatchString(clause[m[3]:m[4]]) || enMember.MatchString(clause[m[6]:m[7]])) {
		noun := clause[m[6]:m[7]]
		s.add(memory.FactStatement{Subject: thing(clause[m[2]:m[3]]), Key: keyNumberOf + noun, Value: digits(clause[m[4]:m[5]])}, from, end)
		return
	}
	at, text := s.reader.message.At, s.sentence.Masked
	for _, r := range enChanges {
		m := r.FindStringSubmatchIndex(clause)
		if m == nil {
			continue
		}
		if bill := clause[m[2]:m[3]]; enBill.MatchString(bill) && (from > 0 || !s.ownSubject() || !enBilled.MatchString(bill+" "+strings.Join(strings.Fields(strings.TrimRight(clause[m[4]:], " .!")), " ")) || enNotBilled.MatchString(text)) {
			return // it need not be theirs
		}
		subject, key, ok := enAttribute(clause[m[2]:m[3]])
		if !ok {
			return
		}
		raw := s.sentence.Text[from+m[4] : from+m[5]]
		if key == keyHobby && subject == user {
			for _, v := range enTastes(raw) {
				s.add(memory.FactStatement{Subject: user, Key: keyHobby, Value: v}, from, end)
			}
			return
		}
		if enDue.MatchString(clause[m[3]:m[4]]) && !enEvent.MatchString(key) {
			return // "my rent is due on the first"
		}
		if k, v, ok := s.enValue(key, raw); ok {
			if k == keyDate && subject == user {
				subject = key
			}
			s.add(memory.FactStatement{Subject: subject, Key: k, Value: v, ValidFrom: pastOnly(since(clause[:m[4]], at), k)}, from, end)
		}
		return
	}
	// "Blue is my favourite colour."
	if m := enBackwards.FindStringSubmatchIndex(clause); m != nil {
		if subject, key, ok := enAttribute(clause[m[4]:m[5]]); ok && strings.HasPrefix(key, keyFavourite) && !enTimeWord.MatchString(key) {
			if v := tidy(s.sentence.Text[from+m[2] : from+m[3]]); wordCount(v) <= 5 && !enPointing.MatchString(v) {
				s.add(memory.FactStatement{Subject: subject, Key: key, Value: v}, from, end)
			}
		}
		return
	}
	if m := enWithValue.FindStringSubmatchIndex(clause); m != nil {
		if k, v, ok := s.enValue(clause[m[4]:m[5]], s.sentence.Text[from+m[6]:from+m[7]]); ok {
			s.add(memory.FactStatement{Subject: thing(clause[m[2]:m[3]]), Key: k, Value: v}, from, end)
		}
	}
}

// ownSubject reports whether what stands before a sentence leaves what it does not say the owner of to the user.
func (s source) ownSubject() bool {
	before := s.reader.message.Text[:s.sentence.Byte]
	return s.reader.about == "" && (wordCount(before) <= 1 || enOfSelf.MatchString(before) && !enThirdOnes.MatchString(before))
}

var enThirdOnes = en(`\b(?:he|she|they|his|her|hers|their|theirs|him|them|friends?|colleagues?|neighbou?rs?|boss|mates?|{people})\b`)

func pastOnly(t time.Time, key string) time.Time {
	if key == keyDate {
		return time.Time{}
	}
	return t
}

const (
	enNoun  = `((?:my|our) [\p{L}\d'’ -]{2,60}?|rent|(?:{bills})|the (?:\p{Ll}+ )?budget|the (?:wedding|honeymoon|christening|surgery|interview|exam|appointment|rent|party|trial|hearing)|the [\p{L} -]{2,40}? (?:of|on|for|in) (?:my|our) [\p{L} -]{2,40}?)`
	enMoved = `(?:increased|raised|lowered|reduced|decreased|changed|moved|postponed|pushed(?: back)?|extended|rescheduled|shifted|cut|upped|bumped(?: up)?|adjusted|updated|upgraded|dropped|fallen|fell|risen|rose|grown|grew|shrunk|doubled|brought forward|delayed|set|switched|renewed|put)`
)

// A sum of money as people say what they pay or get.
const (
	enSum     = `(?:about |around |roughly |just |only |now )*(?:[€$£¥]|USD |EUR |CHF )?\d[\d.,]*k?(?: ?(?:euros?|dollars|pounds|francs|kroner|kronor|bucks|quid|€|\$|£))?`
	enAPeriod = `(?:(?:a|per|each|every) (?:month|week|year)|monthly|yearly|weekly|pcm)`
	enFrom    = `(?: (?:ugh|argh|sigh|yay|lol|omg|again|already|sadly|unfortunately))?(?: (?:from|in|as of|since|starting|starting in|by) (?:(?:next|this|last) )?[\p{L}\d ]{3,20})?`
	enBillSum = enSum + `(?: ` + enAPeriod + `)?(?: now| now that .*)?` + enFrom + `$`
)

// enChanges read an attribute (first group) and the value that it has now (second group).
var enChanges = []*pattern{
	en(`^` + enNoun + ` (?:has |have |['’]s |was |were |is |are |got |just |recently |now |been |again |finally |have been |has been )*` + enMoved + ` (?:again )?(?:(?:from|by) .+? )?(?:up |down |back |over )?to (?:now )?(.+)$`),
	en(`^` + enNoun + ` (?:has |have |just |recently )*(?:went|gone|goes|go) (?:up |down )?(?:from .+? )?to (.+)$`),
	en(`^(?:i|we|they|he|she|it|the [\p{L} ]{2,30}?|my [\p{L} ]{2,20}?)(?:['’]ve|['’]s)? (?:have |has |had |just |recently |finally |now |also |legally |officially )*(?:have |has )?` + enMoved + ` (?:back )?((?:my|our) [\p{L}\d'’ -]{2,60}?|the (?:rent|price|fee|salary|budget|rate|deposit|premium|interest rate|limit|dose|dosage)) (?:(?:from|by) .+? )?(?:up |down |back )?to (.+)$`),
	en(`^(?:i|we)(?:['’]ve| have)? (?:just |had to )?(?:moved|postponed|pushed|rescheduled|shifted|changed|delayed|brought forward) (the (?:wedding|party|trip|appointment|exam|interview|meeting|surgery|holiday|flight|move|reception|engagement party|christening|viewing)) (?:back |forward )?(?:from .+? )?to (.+)$`),
	en(`^` + enNoun + ` (?:is|are|['’]s|has to be|would have to be|will always be|has always been) (?:scheduled |set |due |planned |booked |coming up |happening |taking place )*(?:for |on |at |in |by )?(?:now |currently |still |actually |always |exactly |only |just )*(.+)$`),
	en(`^` + enNoun + `['’]s (?:now )?(?:on|at|in) (.+)$`),
	en(`^((?:my|our) (?:[\p{L}-]+ )?(?:{attributes}|hobby|sign))['’]s (?:now |actually )?(.+)$`),
	en(`^` + enNoun + ` (?:starts?|begins?|leaves?|departs?|takes place|happens|ends?|expires|runs out|closes|costs?(?: me| us)?|comes to|amounts to|is due|are due|falls|comes up|comes around|is celebrated) (?:on |at |in )?(.+)$`),
	en(`^we (?:were|got) (married) on (.+)$`),
	en(`^(?:i['’]?m|we['’]re|i am|we are) getting (married) (?:on|in) (.+)$`),
	en(`^(?:i|we)(?:['’]ve| have| have got|['’]ve got)? (?:an?|my|our) ([\p{L} -]{0,40}?(?:appointment|exam|interview|check-?up|surgery|operation|flight|test|meeting|deadline|concert|recital|race|marathon|presentation|audition|reservation|viewing|hearing|scan|lesson|rehearsal|wedding))(?: (?:at|with|for|in) [\p{L}\d' &.-]{2,30}?)? (?:scheduled |booked |set )?((?:on|at|for|in|tomorrow|next|this|today|tonight)\b.*)$`),
}

var (
	enBackwards = en(`^(.{2,60}?) (?:is|are) (?:still |now )?((?:my|our) (?:all-time |absolute )?favou?rite [\p{L} -]{2,30}?)(?: now| these days| at the moment)?$`)
	enDue       = en(`\bdue\b`)
	enPays      = en(`^(?:i|we) (?:now |currently |only |still )?pay ((?:[€$£¥]|USD |EUR |CHF )?\d[\d.,]*k?(?: ?(?:euros?|dollars|pounds|francs|kroner|kronor|bucks|quid|€|\$|£))?(?: (?:a|per|each|every) (?:month|week|year))?) ((?:in |for |of |as )?(?:my |our |the )?(?:rent|mortgage|child support|maintenance|council tax|childcare)(?: (?:a|per|each|every) (?:month|week|year))?)$`)
	enPayFor    = en(`\b(?:rent|mortgage|child support|maintenance|council tax|childcare)\b`)
	enIsCount   = en(`^ (?:is|are) `)
	enMember    = en(`^(?:people|members|children|players|employees|students|kids|heads)$`)
	enThereAre  = en(`^there are (?:now |currently )?({num}) ([\p{L}]{3,20}s|people|children) (?:in|on) (?:my|our) ([\p{L} -]{3,30})$`)
	enTimeWord  = en(` (?:now|these days|lately|again|too)$`)
	enMembers   = en(`^(?:my|our) ([\p{L} -]{2,30}?) (?:now |currently )?(?:went from {num} to|grew from {num} to|shrank from {num} to|has|have|consists of|counts|grew to|is|are) (?:now |currently |grown to |up to |down to )*({num}) ([\p{L}]{3,20}s|people|children|members)(?: (?:now|currently|in total|at the moment))?$`)
	enWithValue = en(`^(?:my|our) ([\p{L}\d -]{2,30}?) (?:now )?has an? (?:new )?([\p{L} -]{2,30}?) of (.+)$`)
	enPointing  = en(`^(?:this|that|these|those|it|he|she|they|what|which|here|there|you)\b`)
	enMine      = en(`^(?:my|our|the) `)
	enPerNamed  = compile(`^(?:\p{Ll}+ )+\p{Lu}\p{Ll}+$`)
	enWished    = en(`^(?:ideal|dream|desired|previous|former|future) `)
	enSeveral   = en(`^(?:kids|children|sons|daughters|twins|boys|girls|cats|dogs|parents|grandparents|brothers|sisters|grandchildren)$`)
	enOfMine    = en(`^the ([\p{L} -]{2,40}?) (?:of|on|for|in) (?:my|our) ([\p{L} -]{2,40})$`)
	enPossess   = en(`^(?:my|our) ([\p{L}\d][\p{L}\d -]*?)['’]s? ([\p{L}][\p{L} -]*)$`)
	// What people speak of as theirs without saying so: "Rent goes up to 900 in January".
	enBill      = en(`^(?:rent|{bills})$`)
	enBilled    = en(`^(?:rent|mortgage|salary) ` + enBillSum + `|^.* (?:` + enSum + ` ` + enAPeriod + `|(?:[€$£¥]|USD |EUR )\d[\d.,]*k?)(?: now)?` + enFrom + `$`)
	enNotBilled = en(`\b(?:if|unless|there|here|average|usually|typically|normally|would|could|should|in (?:this|that|the|my|most|some|a)|for (?:a|an|most|people)|they|he|she)\b`)
	enPossessed = en(`^(?:my|our) ((?:(?:older|younger|elder|oldest|youngest|big|little|twin|late|old|new) )*(?:{people}|{pets}))s ((?:(?:first|last|middle|full|maiden|new) )?(?:{attributes}|name))$`)
	enFavourite = en(`^(?:all-time |absolute )?fav(?:e|ou?rite)? ([\p{L} -]+)$`)
	enOfThis    = en(`^favourite (?:part|bit|thing|line|moment|scene|feature|one|version|idea|option|word)s?\b`) // of something spoken of
	enNoAttr    = en(`\b(?:may|might|could|would|should|will|can|i|you|he|she|we|they|who|which|that|what|is|are|was|were|and|or|point|question|problem|issue|idea|opinion|guess|source code|program|script|function|understanding|fault|bad|turn|advice|concern|worry|plan|wish|dream|life|day|mood|feeling|thing|message|last message|previous message|answer|response|apologies|pleasure|god|gosh|goodness|biggest|main)\b`)
	enEvent     = en(`(?:thesis|dissertation|slides|essay|paper|report|assignment|homework|coursework|manuscript|proposal|tax return|library books?|exam|flight|appointment|interview|wedding|surgery|operation|trip|meeting|presentation|concert|marathon|race|test|check-?up|party|move|defen[cs]e|graduation|holiday|holidays|vacation|train|delivery|final|finals|recital|conference|visit|class|course|audition|procedure|scan|vaccination|booster|lesson|reservation|shift|performance|hearing|viewing|ceremony|workshop|webinar|call|dinner|anniversary dinner|launch|release|thesis defen[cs]e|start date|last day|first day|retirement|reunion|tournament|match|game|contract|lease|visa|passport|subscription|membership|warranty|term|semester|annual leave|leave|sabbatical|internship|probation|notice period|rental|licen[cs]e|insurance|show|rehearsal)$`)
	enMeasured  = en(`^(?:about |around |roughly |exactly |almost |nearly |under |over |just )?((?:[€$£¥~]|USD |EUR |CHF )?\d[\d.,:/-]*(?:[kKmM]\b)?(?: ?(?:%|°C?|percent|per cent|€|\$|£|kr))?(?: (?:a|an|per) [\p{L}]+| ?[\p{L}/²³%]+(?: (?:a|an|per|of|and) [\p{L}\d]+| [\p{L}]+)?)?)$`)
	enNotValue  = en(`\b(?:late|early|away|behind|ago|off|short|left|already|not|lines? long|too|enough)\b`)
	enMoody     = en(`^(?:too|so|very|really|not|never|broken|dead|wrong|late|high|low|good|great|bad|terrible|nice|fine|ok|okay|gone|expensive|cheap|empty|full|ready|done|due|coming|going|getting|being|to|about|that|what|because|quite|pretty|killing|driving|still|always|hard|easy|unclear|unknown|up|down|out|over|in|on|at|for|with|here|there|the same|the best|the worst|just|only|one of|more|less|better|worse|as|like|similar|different|missing|lost|important|secret|private|none|nothing|something|everything|a secret|a mess|a joke|a problem|a mystery|an issue|your|this|these|those|it|annoying|amazing|awesome|awful|horrible|boring|interesting|complicated|simple|clear|fun|funny|great|crazy|long|tight|strict|slow|fast|changing|growing|rising|falling|sick|ill|tired|happy|sad|angry|busy|strong|weak|stable|ok|correct|incorrect|right|fixed|flexible|negotiable|ridiculous|insane|fantastic|excellent|perfect|bothering|a bit|a little|how|when|where|why|whether|if|by|from|also|again|now|actually)\b`)
)

// enAttribute returns whose attribute a noun phrase is, and which.
func enAttribute(np string) (subject, key string, ok bool) {
	np = strings.Join(strings.Fields(np), " ")
	subject = user
	switch {
	case enPossess.MatchString(np):
		m := enPossess.FindStringSubmatch(np)
		if subject, key = thing(m[1]), m[2]; enEvent.MatchString(key) { // "my doctor's appointment" is mine
			subject, key = user, enMine.ReplaceAllString(np, "")
		}
	case enPossessed.MatchString(np): // "my wifes birthday"
		m := enPossessed.FindStringSubmatch(np)
		subject, key = thing(m[1]), m[2]
	case enOfMine.MatchString(np):
		m := enOfMine.FindStringSubmatch(np)
		if subject, key = thing(m[2]), m[1]; enEvent.MatchString(key) { // "the lease on my flat"
			subject = user
		}
	default:
		key = np
		if m := enMine.FindString(np); m != "" {
			key = np[len(m):]
		}
	}
	key = strings.TrimSuffix(strings.TrimSuffix(thing(key), "'s"), "’s") // "my salary's been cut"
	if key == "married" {                                                // "we're getting married on …"
		key = "wedding"
	}
	if enTechRe.MatchString(key) && enProject.MatchString(subject) {
		subject = user
	}
	if enPerNamed.MatchString(key) && !enAttrs.MatchString(key) && !enEvent.MatchString(enWhereTo.ReplaceAllString(key, "")) { // "my neighbour Greta"
		return "", "", false
	}
	if wordCount(key) > 5 || enNoAttr.MatchString(key) || subject != user && enNoAttr.MatchString(subject) {
		return "", "", false
	}
	if to := enWhereTo.FindString(key); to == "" || !enEvent.MatchString(strings.TrimSuffix(key, to)) {
		key = strings.ToLower(key)
	}
	if key == "code" || enSeveral.MatchString(key) || enOnce.MatchString(key) && !enAttrs.MatchString(key) || enWished.MatchString(key) {
		return "", "", false
	}
	if m := enFavourite.FindStringSubmatch(key); m != nil {
		key = keyFavourite + m[1]
	}
	if key = spelt(key); enOfThis.MatchString(key) {
		return "", "", false
	}
	switch key {
	case "full name", "legal name", "full legal name", "real name", "given name", "official name", "actual name", "birth name":
		key = keyName
	case "phone number", "mobile number", "cell number", "mobile", "cell", "cell phone number", "phone", "telephone number", "mobile phone number", "number":
		key = keyPhone
	case "email address", "mail", "e-mail", "e-mail address", "mail address", "email":
		key = keyEmail
	case "home address", "postal address", "address":
		key = keyAddress
	case "job", "profession", "occupation":
		key = keyWork
	case "employer", "company":
		key = keyEmployer
	case "birthday", "date of birth", "birth date", "bday", "b-day":
		key = keyBirthday
	case "home town", "hometown", "native city":
		key = keyHometown
	case "blood group", "blood type":
		key = keyBlood
	case "time zone", "timezone":
		key = keyTimezone
	case "major":
		key = keyStudies
	case "hobby", "hobbies", "main hobby":
		key = keyHobby
	case "school", "university", "college", "uni":
		key = keySchool
	case "second language", "third language", "native language", "mother tongue", "first language", "native tongue":
		key = keySpeaks
	}
	return subject, key, true
}

// enValue returns the value of an attribute, and the key that it has for it: a day makes an event's key "date". ok is false
// where the text is no value that could be kept: a mood, a state, a complaint.
func (s source) enValue(key, raw string) (k, v string, ok bool) {
	raw = enTitle.ReplaceAllString(strings.TrimSpace(raw), "$1\u2024") // a full stop that ends nothing
	if i := enUnlike.FindStringIndex(raw); i != nil {                  // "10 %, not 8 %"
		raw = raw[:i[0]]
	}
	v = strings.ReplaceAll(tidy(enStop.ReplaceAllString(raw, "")), "\u2024", ".")
	if m := enWithComma.FindString(raw); m != "" && strings.HasPrefix(key, keyFavourite) { // "Paris, Texas"
		v = m
	}
	at := s.reader.message.At
	switch key {
	case keyBirthday:
		b := birthday(strings.TrimPrefix(v, "the "))
		if d, ok := day(tidy(raw), at); b == "" && ok && len(d) >= len("2006-01-02") { // "next Tuesday"
			b = d[len("2006-"):len("2006-01-02")]
		}
		return key, b, b != ""
	case keyPhone:
		return key, v, enPhone.MatchString(v)
	case keyEmail:
		return key, v, strings.Contains(v, "@") && !strings.Contains(v, " ")
	case keyAddress:
		v = tidy(raw)
		return key, v, strings.ContainsAny(v, "0123456789") && wordCount(v) <= 12
	case keyHometown, keyHome:
		p := enPlace(v)
		return key, first(p), p != nil
	case keyWork:
		p := enJob(v)
		return key, first(p), p != nil
	case keyEmployer:
		p := enCompany(v)
		return key, first(p), p != nil
	case keySpeaks:
		p := enTongues(v)
		return key, first(p), p != nil
	case keySchool:
		return key, strings.TrimSpace(enArticle.ReplaceAllString(v, "")), capitalised(strings.TrimPrefix(v, "the ")) && wordCount(v) <= 5
	case keyStudies:
		return key, v, wordCount(v) <= 4 && !enMoody.MatchString(v)
	case keyHobby:
		p := enItem(v)
		return key, first(p), p != nil && !enMoody.MatchString(v)
	case keyName:
		p := enNames(raw)
		return key, first(p), p != nil
	}
	if strings.HasSuffix(key, "anniversary") || strings.HasSuffix(key, "birthday") || strings.HasSuffix(key, "name day") {
		if b := birthday(strings.TrimPrefix(strings.TrimPrefix(v, "on "), "the ")); b != "" {
			return key, b, true
		}
	}
	if strings.HasSuffix(key, " name") { // June is one
		p := enNames(raw)
		return key, first(p), p != nil
	}
	dated := tidy(raw)
	d, ok := day(dated, at)
	if !ok {
		d, ok = day(v, at)
	}
	if !ok {
		d, ok = day(tidy(enAfterDay.ReplaceAllString(dated, "")), at)
	}
	if ok {
		if enEvent.MatchString(enWhereTo.ReplaceAllString(key, "")) {
			return keyDate, d, true
		}
		if enAttrs.MatchString(key) || strings.Contains(key, "date") {
			return key, d, true
		}
		return "", "", false
	}
	favourite := strings.HasPrefix(key, keyFavourite) // a favourite game is no event
	if !favourite && enEvent.MatchString(enWhereTo.ReplaceAllString(key, "")) || v == "" || enNotValue.MatchString(v) {
		return "", "", false
	}
	if i := strings.Index(v, " and "); i > 0 && enMeasured.MatchString(v[:i]) { // "7.9 % and the bank sent …"
		v = v[:i]
	}
	if m := enMeasured.FindStringSubmatch(v); m != nil {
		if who := strings.ToLower(lastWord(key)); enJobs[who] || others[who] || enIsPerson.MatchString(who) || enIsPet.MatchString(who) { // "my favourite author is 60"
			return "", "", false
		}
		if strings.HasPrefix(raw, "-") && m[0] == v {
			m[1] = "-" + m[1]
		}
		return key, m[1], true
	}
	named := capitalised(strings.TrimPrefix(v, "the "))
	attr := enAttrs.MatchString(key) || strings.HasPrefix(key, keyFavourite) || strings.HasPrefix(key, "least favourite ")
	if enAmount.MatchString(key) && !enCountsUp.MatchString(v) { // "my rent went up to the roof"
		return "", "", false
	}
	if attr && wordCount(v) <= 6 && (named || !enMoody.MatchString(v)) && !strings.ContainsRune(v, '\x01') {
		return key, strings.TrimSpace(enArticle.ReplaceAllString(v, "")), true
	}
	return "", "", false
}

var (
	enWithComma = compile(`^\p{Lu}[\p{L}'’-]*(?: [\p{Lu}\d][\p{L}'’-]*)*, \p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)*$|^\p{Lu}\p{Ll}+, \p{Lu}\p{Ll}+`)
	enAmount    = en(`\b(?:rent|salary|income|budget|mortgage|pension|premium|deposit|allowance|weight|height)$`)
	enCountsUp  = en(`\d|\b(?:{num}|hundred|thousand|million|grand|k|figures)\b`)
	enTechRe    = en(`^(?:` + enTech + `)$`)
	enProject   = en(`^(?:\w+ )?(?:project|app|application|team|company|website|site|service|product|startup)$`)
	enAfterDay  = en(`\s*[,;:(–—].*$`)
	enWhereTo   = en(` (?:to|in|with|at|for) .*$`)
	enTitle     = en(`\b(Dr|Mr|Mrs|Ms|St|Prof)\.`)
	enAttrs     = en(`(?:^|\s){attributes}s?$`)
	enPhone     = compile(`^\+?[\d][\d ()./-]{4,20}$`)
	enArticle   = en(`^(?:an?|the) `)
	enUnlike    = en(`,? (?:and )?(?:not|instead of|rather than|no longer) `)
)

// enCorrection reads a correction of what was stated last: "actually it's 10 %", "I meant Tuesday".
func (s source) enCorrection(clause string, from, end int) bool {
	last := s.reader.last
	if last == nil || last.Many {
		return false
	}
	text := s.sentence.Masked[:end]
	cue := enCue.MatchString(text)
	m := enItIs.FindStringSubmatchIndex(clause)
	if m != nil && !cue && !enItChanged.MatchString(clause) {
		m = nil
	}
	if m == nil {
		if m = enIMeant.FindStringSubmatchIndex(clause); m == nil {
			return false
		}
	}
	raw := s.sentence.Text[from+m[2] : from+m[3]]
	k, v, ok := s.enValue(last.Key, raw)
	if !ok || k != last.Key && k != keyDate || !sameUnit(v, last.Value) || kindOf(v) != kindOf(last.Value) || strings.EqualFold(v, last.Value) {
		return false
	}
	s.add(memory.FactStatement{Subject: last.Subject, Key: last.Key, Value: v, Confidence: corrected}, from, end)
	return true
}

var (
	enCue       = en(`\b(?:actually|correction|sorry|no|wait|i meant|my mistake|oops|update|i was wrong|make that|now)\b`)
	enItIs      = en(`^(?:it|that|this)(?:['’]s| is| was| has| has been|['’]s been)(?: now| actually| been| just| recently)* (?:` + enMoved + ` (?:(?:from|by) .+? )?(?:up |down )?to )?(.+)$`)
	enItChanged = en(`^(?:it|that|this)(?:['’]s| is| was| has| has been|['’]s been)(?: now| actually| been| just| recently)* (?:` + enMoved + `|now)\b`)
	enIMeant    = en(`^(?:i|we) (?:actually )?meant (?:to say )?(.+)$`)
)

// kind of a value, roughly: a correction is of the same kind as what it corrects.
func kindOf(v string) int {
	switch {
	case isoDay.MatchString(strings.Fields(v + " ")[0]):
		return 1
	case strings.IndexFunc(v, unicode.IsDigit) >= 0:
		return 2
	case capitalised(v):
		return 3
	}
	return 4
}

// sameUnit reports whether two values may measure the same thing: 90 % and 60° do not.
func sameUnit(a, b string) bool {
	a, b = strings.ToLower(unitOf.ReplaceAllString(a, "")), strings.ToLower(unitOf.ReplaceAllString(b, ""))
	return a == "" || b == "" || strings.IndexFunc(a+b, unicode.IsLetter) >= 0 || a == b
}

var unitOf = compile(`[\d.,:\s]+`)

func first(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return list[0]
}

func each(list []string, f func(string) string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f(s)
	}
	return out
}

func wordCount(s string) int { return len(strings.Fields(s)) }

func capitalised(s string) bool {
	for _, r := range s {
		return unicode.IsUpper(r) || r == '"' || r == '“'
	}
	return false
}
