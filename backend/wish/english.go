package wish

import (
	"regexp"
	"strings"
)

var (
	enLead     = regexp.MustCompile(`(?i)^[\s*•\-–—#]*(?:(?:hey|hi|hello|ok|okay|oh|so|also|and|but|now|well|yes|yeah|sure|right|great|perfect|thanks|thank you|by the way|btw|ps|p\.s|one more thing|one thing|just|again|additionally|finally|lastly|first|second|next|then|please|pls|plz|kindly|always)[,:!.]*\s+)*`)
	enVocative = regexp.MustCompile(`^([\p{L}\d_-]+),\s+`)

	enPolite = regexp.MustCompile(`(?i)^(?:(?:can|could|would|will) (?:you|u) (?:please |kindly |also |just |maybe )*|would you mind )`)
	enOrder  = regexp.MustCompile(`(?i)^(?:(?:i['’]?d|i would) like you to |(?:i['’]?d (?:love|appreciate|like) it|it would be (?:great|nice|good|lovely|helpful)) if you (?:could|would|can) |i (?:want|need) you to |you (?:should|must|need to|have to|can|may) |make sure (?:that )?(?:you |to )|be sure to |please |try to |always |also |just )+`)

	enRemember = regexp.MustCompile(`(?i)^(?:(?:do )?remember|memori[sz]e|keep in (?:your )?(?:mind|memory)|bear in mind|never forget|do(?:n['’]?t| not)(?: you)?(?: ever)? forget|(?:take|make)(?: a| yourself a)?(?: mental| quick)? note(?: of the fact| for (?:yourself|me|later))?|(?:note|write|jot) (?:this |it )?down|(?:save|store|add|put|commit|write|record|keep)(?: this| it| that| the following)?(?: in| to| into)(?: your| my| the)?(?: long[- ]term| core)? memory|for (?:your |my )?(?:future )?reference|for the record)\b`)
	enNote     = regexp.MustCompile(`(?i)^(?:note|take notice|record|log|save|store)\b`)

	enThat    = regexp.MustCompile(`(?i)^(?:,? ?the fact)?(?: for (?:me|later|next time|the future|future reference))?,? that[,:]?\s+`)
	enColon   = regexp.MustCompile(`(?i)^(?:,?\s*(?:this|that|the following|these|following)(?: things?| facts?| points?| details?| about me)?(?: for me| for later)?(?: please)?)?(?: about me| for (?:me|later|next time|the future|future reference))?\s*[:：]\s*`)
	enComma   = regexp.MustCompile(`^\s*[,–—]\s*|^\s+-+\s+`)
	enTo      = regexp.MustCompile(`(?i)^ to\s+`)
	enOf      = regexp.MustCompile(`(?i)^ of\s+`)
	enNotThat = regexp.MustCompile(`(?i)^(?:one )?(?:time|day|night|evening|morning|summer|winter|moment|guy|girl|man|woman|movie|film|song|book|trip|party|joke|story|conversation|thing|place|restaurant|scene|episode|feeling|file|for me|for later|far|long|much|well)\b`)

	enNoObject   = regexp.MustCompile(`(?i)^(?:when|how|where|what|who|whom|whose|why|which|whether|if|the time|the day|the night|back|last|those|this|that|it|me|us|him|her|them|to|about|old|any|and|or|for|kids|folks|everyone|everybody|people|guys|children)\b`)
	enLabel      = regexp.MustCompile(`(?i)^(?:my|our) [^:,;]{2,40}:\s*\S`) // "my name: Anna"
	enMine       = regexp.MustCompile(`(?i)^(?:(?:my|our|i|we)\b.*\b(?:am|is|are|was|were|has|have|hate|love|like|prefer|live|work|need|want|called|named)\b|i['’]?(?:m|ve)\b|we['’](?:re|ve)\b)`)
	enAskIn      = regexp.MustCompile(`(?i)\b(?:what|how|where|when|why|who|which|whether|if)\b`)
	enVerb       = regexp.MustCompile(`(?i)\b(?:am|is|are|was|were|be|been|has|have|had|do|does|did|will|would|can|cannot|could|should|must|likes?|loves?|hates?|prefers?|lives?|works?|needs?|wants?|called|named|knows?|uses?|drinks?|eats?|owns?|plays?|speaks?|stud(?:y|ies)|born|moved|goes|turns?|drives?|takes?|starts?|gets?|keeps?|means?|equals?|comes?|sleeps?|wakes?|leaves?|never|always|im|ive|dont|cant|wont|isnt)\b|\b(?:i|we|they|you) [a-z]+|['’](?:m|s|re|ve|ll|d)\b|n['’]?t\b|=`)
	enForgetting = regexp.MustCompile(`(?i)forget`)
	enSelf       = regexp.MustCompile(`(?i)\b(?:i|i['’]?(?:m|ve|d|ll)|my|me|mine|we|our|us)\b`)

	enThis    = regexp.MustCompile(`(?i)^(?:remember|do(?:n['’]?t| not)(?: ever)? forget|never forget|memori[sz]e|note|(?:take|make) (?:a )?note of|keep|bear|write|jot|note|save|store|add|put|commit)(?: (?:this|that|it|these|them|all that|all of (?:this|that)))?(?: fact| information)?(?: down| in mind| (?:in|to|into) (?:your |my )?memory)?(?: please| pls)?(?: for (?:me|later|next time|the future|future reference))?(?: please)?$`)
	enThisBad = regexp.MustCompile(`(?i)^(?:keep|bear|write|jot|save|store|add|put|commit|note)(?: (?:this|that|it|these|them))?(?: please)?$`)

	// what belongs to a task, and is no matter of memory
	enTask     = regexp.MustCompile(`(?i)^(?:(?:please|now|and|then|ok|okay|hey|hi|(?:can|could|would) you),? )*(?:write|draft|compose|summari[sz]e|translate|create|generate|make|build|design|implement|refactor|review|fix|edit|rewrite|explain|describe|list|plan|prepare|solve|calculate|imagine|pretend|act as|play)\b`)
	enTaskVerb = regexp.MustCompile(`(?i)^(?:answer|reply|respond|include|add|mention|explain|check|cite|list|show|write|give|tell)\b`)
	enThenTask = regexp.MustCompile(`(?i),? and (?:then |please |also |now )*(?:(?:tell|give|show|write|make|explain to|help|recommend|suggest|sing|draw|teach) (?:me|us)\b|(?:can|could) you\b|let['’]?s\b)`)

	enForget   = regexp.MustCompile(`(?i)^(?:forget(?: about| the fact| everything about| anything about| all about| what (?:i|you) (?:said|told you|know) about)?|stop remembering|no longer remember|(?:delete|remove|erase|drop|clear|wipe)(?: (?:the|your|any|all|every))?(?: of (?:the|your))? memor(?:y|ies)(?: entr(?:y|ies))? (?:about|of|that|on|regarding))(?: that)?(?: i (?:told you|mentioned|said)(?: that| about)?)?\s+`)
	enFromMem  = regexp.MustCompile(`(?i)^(?:delete|remove|erase|drop|clear|wipe|take|cut)(?: the fact)?(?: that)? (.+?) (?:from|out of) (?:your |the |my )?(?:core |long[- ]term )?memor(?:y|ies)\b`)
	enMemEnd   = regexp.MustCompile(`(?i)^[\s,.!]*(?:please|now|too|as well)?[\s,.!]*$`)
	enClause   = regexp.MustCompile(`(?i),\s*(?:let['’]?s|i|i['’](?:ll|m|ve|d)|we|you|it|it['’]?s|that['’]?s|just|but|so|instead|please|tell|give|show|what|how|can|could|would|and (?:tell|let|give|show|then))\b`)
	enDontRem  = regexp.MustCompile(`(?i)^do(?:n['’]?t| not) (?:remember|keep|store)(?: that)? (.+?),? (?:any ?more|any longer)$`)
	enNoForget = regexp.MustCompile(`(?i)^(?:it|that|this|them|me|you|us|everything|all|all of it|all (?:of )?(?:this|that)|anything|about it|what i (?:just )?(?:said|wrote|told you)|to\b.*|(?:(?:all|the|my|your|any) )*(?:previous|above|earlier|last|prior|whole)\b.*|i (?:said|asked|mentioned)\b.*|the (?:question|message|instructions?)\b.*)$`)

	enHypothetical = regexp.MustCompile(`(?i)^[\s*•-]*(?:(?:and|but|so|well|ok|okay),? )?(?:if|when|whenever|suppose|supposing|imagine|what if|assume|assuming|pretend|let['’]?s (?:say|pretend|assume)|say|in case|unless|for example|for instance|e\.g|example|once)\b`)
	enReported     = regexp.MustCompile(`(?i)\b(?:said|says|saying|told|tells|asked|asks|wrote|writes|sang|sings|taught|teaches|reminded|reminds|screamed|shouted|whispered|used to|translate|means?|phrase|sentence|the words?)\b`)
	enTag          = regexp.MustCompile(`(?i)[,.]?\s*\b(?:please|pls|ok|okay|alright|all right|thanks(?: a lot| so much)?|thank you(?: very much)?|will you|would you|can you|could you|got it|right|yeah|deal|for me please)\s*$`)
	enAsks         = regexp.MustCompile(`(?i)^(?:(?:so|and|now|then|but|also|ok|okay),? )*(?:what|how|where|when|why|who|whose|which|can|could|is|are|do|does|did|will|would|should|have|has|am)\b`)
	enMid          = regexp.MustCompile(`(?i)(?:[,;–—]|\s-)\s+(?:(?:and|but|so|also|please|just|then)\s+)*|\s(?:and|but)\s+(?:please|also)\s+`)
	enMidStrong    = regexp.MustCompile(`(?i)^(?:remember|do(?:n['’]?t| not) forget|never forget|keep in mind|bear in mind|note down|(?:make|take) (?:a )?note)(?: that\b|\s*:)`)
)

// english finds the wishes of the present sentence that are made in English.
func english(d *document) []found {
	s := d.current()
	text := d.sentence(s)
	if enHypothetical.MatchString(text) {
		return nil
	}
	if f := enWish(d, s.start, s.end, s.question); f != nil {
		return f
	}
	if f := enBackward(d); f != nil {
		return f
	}
	for _, m := range enMid.FindAllStringIndex(text, -1) {
		if !enMidStrong.MatchString(text[m[1]:]) || enReported.MatchString(text[:m[0]]) {
			continue
		}
		if f := enWish(d, s.start+m[1], s.end, s.question); f != nil {
			return f
		}
	}
	return nil
}

// enLeadIn returns the length of what may stand before a wish: "hey", "by the way", "Recollect,".
func enLeadIn(text string) int {
	n := len(enLead.FindString(text))
	if m := enVocative.FindStringSubmatch(text[n:]); m != nil && !enRemember.MatchString(m[1]) && !enNote.MatchString(m[1]) {
		n += len(m[0])
		n += len(enLead.FindString(text[n:]))
	}
	return n
}

// enWish reads a wish that begins at start.
func enWish(d *document, start, end int, question bool) []found {
	text := d.slice(start, end)
	if tag := enTag.FindStringIndex(text); tag != nil && tag[0] > 0 {
		if question && !enAsks.MatchString(text) {
			question = false // "…, ok?"
		}
		text = text[:tag[0]]
	}
	at := enLeadIn(text)
	polite := enPolite.FindString(text[at:])
	at += len(polite)
	at += len(enOrder.FindString(text[at:]))
	rest := text[at:]
	if polite != "" {
		question = false // "could you remember that …?" asks for it
	}

	if kind, a, b := enForgets(rest, question); kind && (polite == "" || enSelf.MatchString(rest)) {
		return []found{{Forget, start + at + a, start + at + b, "en"}}
	}

	verb := enRemember.FindString(rest)
	needSelf := false
	if verb == "" {
		if verb = enNote.FindString(rest); verb == "" {
			return nil
		}
		needSelf = true
	}
	at += len(verb)
	rest = text[at:]
	var sep string
	switch {
	case enColon.MatchString(rest):
		sep = enColon.FindString(rest)
		if strings.TrimSpace(rest[len(sep):]) == "" {
			return d.list(Remember, "en")
		}
	case enThat.MatchString(rest):
		sep = enThat.FindString(rest)
		if enNotThat.MatchString(rest[len(sep):]) {
			return nil
		}
	case enOf.MatchString(rest) && enLabel.MatchString(rest[len(enOf.FindString(rest)):]): // "make a note of my address: …"
		sep = enOf.FindString(rest)
	case polite != "" && enMine.MatchString(strings.TrimSpace(rest)) && !enAskIn.MatchString(rest):
		sep = rest[:len(rest)-len(strings.TrimLeft(rest, " "))]
	case needSelf || polite != "": // "note my words", "can you remember my name?"
		return nil
	case enTo.MatchString(rest):
		sep = enTo.FindString(rest)
		if body := rest[len(sep):]; enForgetting.MatchString(verb) && (enTaskVerb.MatchString(body) || !enSelf.MatchString(body)) {
			return nil // "don't forget to answer my question"
		}
	default:
		sep = enComma.FindString(rest)
		body := strings.TrimSpace(rest[len(sep):])
		if sep == "" && !strings.HasPrefix(rest, " ") || enNoObject.MatchString(body) || !enVerb.MatchString(body) && !enLabel.MatchString(body) {
			return nil
		}
	}
	at += len(sep)
	body := text[at:]
	if needSelf && !enSelf.MatchString(body) {
		return nil
	}
	if question {
		cut := strings.LastIndexAny(body, ",;")
		if cut < 0 || !enAsks.MatchString(strings.TrimSpace(body[cut+1:])) {
			return nil
		}
		body = body[:cut] // "remember that I'm vegan, so what can I eat?"
	}
	if cut := enThenTask.FindStringIndex(body); cut != nil && cut[0] > 0 {
		body = body[:cut[0]] // "remember that I'm vegan and tell me a joke"
	}
	if !enSelf.MatchString(body) && enTask.MatchString(d.before(start)) {
		return nil // "Write an email to Bob. Remember that the meeting is at five."
	}
	return []found{{Remember, start + at, start + at + len(body), "en"}}
}

// enForgets reads a wish to forget; it returns the range of what is to be forgotten.
func enForgets(rest string, question bool) (ok bool, start, end int) {
	if question {
		return false, 0, 0
	}
	if m := enFromMem.FindStringSubmatchIndex(rest); m != nil {
		start, end = m[2], m[3]
		if yours := strings.Contains(strings.ToLower(rest[end:m[1]]), "your"); !yours && (!enSelf.MatchString(rest[start:end]) || !enMemEnd.MatchString(rest[m[1]:])) {
			return false, 0, 0 // a computer's memory
		}
	} else if m := enDontRem.FindStringSubmatchIndex(rest); m != nil {
		start, end = m[2], m[3]
	} else if m := enForget.FindString(rest); m != "" {
		start, end = len(m), len(rest)
	} else {
		return false, 0, 0
	}
	if cut := enClause.FindStringIndex(rest[start:end]); cut != nil {
		if end = start + cut[0]; !enSelf.MatchString(rest[start:end]) {
			return false, 0, 0 // "forget the milk, I'll buy it tomorrow": never mind
		}
	}
	first, _, _ := strings.Cut(rest[start:end], ",")
	if enNoForget.MatchString(strings.Trim(rest[start:end], " ,.")) || enNoForget.MatchString(strings.TrimSpace(first)) {
		return false, 0, 0
	}
	return true, start, end
}

// enBackward reads "…, please remember that" and "… Remember this.": the wish is what stands before.
func enBackward(d *document) []found {
	s := d.current()
	text := d.sentence(s)
	points := func(clause string) bool {
		clause = clause[enLeadIn(clause):]
		polite := enPolite.FindString(clause)
		clause = clause[len(polite):]
		clause = clause[len(enOrder.FindString(clause)):]
		if s.question && polite == "" {
			return false
		}
		return enThis.MatchString(clause) && !enThisBad.MatchString(clause)
	}
	statement := func(x string) bool {
		return enVerb.MatchString(x) && !enHypothetical.MatchString(x) && !enReported.MatchString(x) && !enAsks.MatchString(x) &&
			len(strings.Fields(x)) >= 2
	}
	if cut := strings.LastIndexAny(text, ",–—"); cut > 0 && points(strings.TrimLeft(text[cut:], ",–— ")) {
		x := strings.TrimRight(text[:cut], " ,–—")
		if statement(x) {
			return []found{{Remember, s.start, s.start + len(x), "en"}}
		}
		return nil
	}
	if !points(text) {
		return nil
	}
	p, ok := d.previous()
	if !ok || p.question || p.used || p.quoted || !statement(d.sentence(*p)) {
		return nil
	}
	p.used = true
	return []found{{Remember, p.start, p.end, "en"}}
}
