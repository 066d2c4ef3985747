package fact

import (
	"slices"
	"strings"

	"recollect/backend/memory"
)

// aside is a fact that a sentence states beside its main clause, or in another order than subject and predicate: a name in
// apposition ("my son Ruben can't …"), a number to call ("reach me at …"), what is spoken of first ("香菜我受不了"). Its
// group v is the value; s, where there is one, whose it is, k of what kind.
type aside struct {
	re      *pattern
	subject string // where there is no group s
	key     string
	value   func(v string) []string
	over    bool
	many    bool // group s names several, the values one each
	asked   bool // a question or a condition states it as well: "can my son Ruben eat this?"
}

// enGives stands before whom a name is given to, or may be.
var enGives = en(`\b(?:call|calling|called|name|naming|named|rename)\s*$`)

// asides reads a sentence that is neither invented nor somebody else's; open, where it asks or sets a condition.
func (s source) asides(list []aside, text string, open bool) {
	for _, a := range list {
		if open && !a.asked {
			continue
		}
		for _, m := range a.re.FindAllStringSubmatchIndex(text, -1) {
			group := func(name string) (from, end int) {
				if i := a.re.SubexpIndex(name); i > 0 && m[2*i] >= 0 {
					return m[2*i], m[2*i+1]
				}
				return -1, -1
			}
			from, end := group("v")
			if from < 0 || a.key == keyName && enGives.MatchString(text[:m[0]]) { // "I might call my cat Pixel"
				continue
			}
			subject := a.subject
			if sf, se := group("s"); sf >= 0 {
				if subject = s.sentence.Text[sf:se]; subject != strings.ToLower(subject) && a.subject == "" {
					continue // a heading: "My Dog Training Plan"
				}
			}
			over := a.over
			if gone, _ := group("gone"); gone >= 0 {
				over = true
			}
			for _, v := range a.value(s.sentence.Text[from:end]) {
				key := a.key
				if kf, ke := group("k"); kf >= 0 {
					key += spelt(strings.ToLower(text[kf:ke]))
				}
				if a.many {
					subject = singular(subject)
				}
				f := memory.FactStatement{Subject: noun(subject), Key: key, Value: v, Over: over}
				if !s.reader.states(f) {
					s.add(f, m[0], m[1])
				}
			}
		}
	}
}

// states reports whether what a fact says was read already, or that it is over.
func (r *reader) states(f memory.FactStatement) bool {
	return slices.ContainsFunc(r.found, func(o memory.FactStatement) bool {
		return strings.EqualFold(o.Subject, f.Subject) && o.Key == f.Key && strings.EqualFold(o.Value, tidy(f.Value))
	})
}

// noun returns a person, pet or thing without words that tell nothing of which one.
func noun(s string) string {
	for again := true; again; {
		again = false
		for _, w := range []string{"old ", "new ", "late ", "dear ", "poor ", "lovely "} {
			if rest, ok := strings.CutPrefix(s, w); ok {
				s, again = rest, true
			}
		}
	}
	return s
}

const (
	enPhoneNumber = `\+?\d[\d ()./-]{5,20}\d`
	enMailAddress = `[\w.+-]+@[\w-]+(?:\.[\w-]+)+`
	enSomebody    = `(?:(?:older|younger|elder|eldest|oldest|youngest|big|little|twin|second|first|old|new|late) )*(?:{people}|{pets}|eldest|youngest|oldest|landlord|landlady|stepbrother|stepsister|godmother|godfather)`
)

var enAsides = []aside{
	// names
	{re: en(`\b(?:my|our) (?P<s>` + enSomebody + `),? (?P<v>(?:(?:mr|mrs|ms|dr|prof)\.? )?[\p{L}'’-]+(?: [\p{L}'’-]+)?)(?P<gone>,? (?:(?:has |just )?(?:died|passed away)|was put down|is no longer with us)\b)?`), key: keyName, value: enApposed, asked: true},
	{re: en(`\b(?:my|our) (?:\w+ )?(?P<s>twins|kids|children|boys|girls|sons|daughters|dogs|cats|brothers|sisters),? (?:called |named )?(?P<v>\p{L}+(?:, \p{L}+)*,? and \p{L}+)`), key: keyName, value: enNamesSure, many: true, asked: true},
	{re: en(`(?:^|\b(?:had|have|with|and|to|for|by|called|is|from) )(?P<v>[\p{L}'’-]+(?: [\p{L}'’-]+)?), (?:my|our) (?P<s>` + enSomebody + `)(?:,|$)`), key: keyName, value: enApposed, asked: true},
	{re: en(`^(?P<s>dad|daddy|mum|mom|mummy|mommy|grandma|grandpa|granny)(?:['’]s (?:first )?name is| is called|['’]s called) (?P<v>.+)$`), subject: "?", key: keyName, value: enNames},
	{re: en(`\b(?:my|our) (?P<s>` + enSomebody + `)['’]s name (?:isn['’]t|is not|was never) .+?[,;] (?:it['’]s|it is|but) (?P<v>.+)$`), key: keyName, value: enNames},
	{re: en(`\b(?:my|our) (?P<s>` + enSomebody + `)\b[^,;]{0,40}? (?:goes|went) by (?P<v>\p{L}+)`), key: keyName, value: enApposed},
	{re: enCased(`\b(?:address|refer to|call) me as (?P<v>(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? |Professor |Doctor )?\p{Lu}\p{L}+)`), subject: user, key: keyNickname, value: enWhole},
	{re: en(`\bmy (?:full |legal |real )?name: (?P<v>.+)$`), subject: user, key: keyName, value: enNames},
	{re: en(`^(?P<v>\p{L}[\p{L}'’-]+) and (?:i|me)(?: are|['’]re| have been|['’]ve been| got) (?:now |happily |still )?(?:(?:married|engaged|dating|a couple)\b|together(?:$|[.,!]))`), subject: "partner", key: keyName, value: enApposed},
	{re: en(`^(?P<v>\p{L}[\p{L}'’-]+) and (?:i|me)(?: have|['’]ve| are)? (?:just |recently |finally )?(?:split up|broke up|broken up|separated|got divorced|divorced|no longer together)\b`), subject: "partner", key: keyName, value: enApposed, over: true},
	{re: en(`\b(?:i|we)(?: have|['’]ve)? (?:just |recently |finally )?(?:broke up|broken up|split up|separated) with (?:my (?:boyfriend|girlfriend|partner|husband|wife|fianc[ée]e?),? )?(?P<v>\p{L}+)`), subject: "partner", key: keyName, value: enApposed, over: true},
	{re: en(`^(?:(?:hi|hey|hello|hiya|so|well|yo)[,!]? )?i['’]?m (?P<v>{given})(?:$|[,.!]| (?:btw|by the way|here)\b| and (?:i|im|my)\b)`), subject: user, key: keyName, value: enWhole},
	{re: en(`^(?:i['’]m|i am) (?P<v>[\p{L}'’-]+), an? `), subject: user, key: keyName, value: enApposed},
	{re: en(`^(?:i['’]m|i am) [\p{L}'’-]+, (?P<v>an? .+)$`), subject: user, key: keyWork, value: enJob},

	{re: en(`^nothing beats (?:an? (?:good |nice |proper )*)?(?P<v>.+?)(?: for me| in my book)?$`), subject: user, key: keyLikes, value: enTastes},
	{re: en(`\bas (?:someone|somebody|a person|one) (?:who(?:['’]s| is) |who )?(?:living|lives|based) in (?P<v>.+)$`), subject: user, key: keyHome, value: enPlace},
	{re: en(`^(?P<v>[\p{L}][\p{L} -]{2,24}?) (?:always |usually |really )?gives? me (?:hives|a rash|rashes|an allergic reaction|anaphylaxis)\b`), subject: user, key: keyAllergy, value: enTastes},
	{re: en(`^i (?:always |usually )?(?:get|break out in|come out in|come up in) (?:hives|a rash|rashes) (?:from|when i (?:eat|touch|have|drink)) (?P<v>.+)$`), subject: user, key: keyAllergy, value: enItem},
	{re: en(`\bi(?:['’]ve| have)? (?:finally |just |recently )*(?:quit|stopped|given up|gave up) (?P<v>smoking)\b`), subject: user, key: keyAvoids, value: enWhole},
	{re: en(`\b(?:had to |have )?put down (?:our|my) (?:old |poor |dear )*(?P<v>{pets})\b`), subject: user, key: keyPet, value: enWhole, over: true},
	{re: en(`\b(?:had to |have )?put (?:our|my) (?:old |poor |dear )*(?P<v>{pets}) (?:down|to sleep)\b`), subject: user, key: keyPet, value: enWhole, over: true},
	{re: en(`\b(?:my|our) (?:old |new )*(?P<v>(?:\p{L}+ )?{things}) (?:got|was|has been|['’]s been|just got) (?:stolen|totalled|totaled|written off|scrapped|wrecked|repossessed)\b`), subject: user, key: keyOwns, value: enOwned, over: true},
	{re: en(`\b(?:doctor|gp|psychiatrist|neurologist|cardiologist|specialist|they|consultant)(?:['’]ve| has| have| just)* (?:put|started) me on (?P<v>[\p{L}-]+)`), subject: user, key: keyMedication, value: enPharmacy},
	{re: en(`\b(?:prescribed me|i(?:['’]ve| have)? (?:been|was|got) prescribed) (?P<v>[\p{L}-]+)`), subject: user, key: keyMedication, value: enPharmacy},
	{re: enCased(`(?P<v>\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+){0,2}),? (?:which is )?where (?:I|i|we|We)(?:['’]ve| have|['’]m| am|['’]re| are)? (?:now |currently |been |always )*(?:live|lived|living|based)\b`), subject: user, key: keyHome, value: enPlace},

	{re: enCased(`(?:^|[,.!] )(?P<v>\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?) here(?:$|[,.!])`), subject: user, key: keyName, value: enHere},
	{re: en(`\b(?:i|we)(?:['’]ve| have)? (?:finally |just )?tied the knot with (?:my (?:boyfriend|girlfriend|partner) )?(?P<v>\p{L}+)`), subject: "partner", key: keyName, value: enApposed},
	{re: en(`^(?:they|work|my (?:boss|company|manager)|the (?:company|boss|board))(?:['’]ve| have| has)? (?:just |finally )?(?:made|promoted) me (?:to )?(?:the )?(?P<v>.+)$`), subject: user, key: keyWork, value: enPost},
	{re: en(`^(?P<v>[\p{L}][\p{L} '’-]{1,30}?) (?:is|are|['’]s|isn['’]t|aren['’]t) (?:really |just |so )?(?:(?:not(?: really)? )?(?:my thing|for me|my cup of tea|my jam)|my (?:idea of hell|pet hate|pet peeve))\b`), subject: user, key: keyDislikes, value: enTastes},
	{re: en(`^(?P<v>[\p{L}][\p{L} '’-]{1,30}?) (?:is|are|['’]s) (?:totally |really |just |so )?my (?:thing|jam|passion|cup of tea|guilty pleasure|happy place|weakness)\b`), subject: user, key: keyLikes, value: enTastes},
	{re: en(`\bmy (?:[\p{L}-]+ )?(?:inbox|mailbox|e-?mail|mail)(?: address)? is (?:now )?(?P<v>` + enMailAddress + `)`), subject: user, key: keyEmail, value: enWhole},

	{re: enCased(`\b[Ii]t(?:['’]s| is) my (?:all-time )?favou?rite (?P<k>film|movie|book|novel|song|album|game|band|show|series|city|food|dish|drink|colou?r|author|poet|painter|sport|team|season), (?P<v>\p{Lu}[\p{L}'’-]+(?: (?:of |the |and )*\p{Lu}[\p{L}'’-]+)*)`), subject: user, key: keyFavourite, value: enWhole},
	{re: en(`(?P<v>\d+[\p{L}]? [\p{L}'’. -]{3,30}(?:, [\p{L}\d .-]{2,30}){1,3}?), (?:that|which)(?:['’]s| is) (?:my|our) (?:new |home )?address\b`), subject: user, key: keyAddress, value: enWhole},
	{re: en(`^(?P<v>` + enMailAddress + `) is my (?:new |work |private )*(?:e-?mail|mail|address)\b`), subject: user, key: keyEmail, value: enWhole},

	// how to reach the user
	{re: en(`\b(?:reach|call|text|ring|phone|contact|message) me (?:at|on|under) (?P<v>` + enPhoneNumber + `)`), subject: user, key: keyPhone, value: enWhole},
	{re: en(`\bmy (?:new |mobile |phone |cell )*number(?: is|['’]s|:) (?:now )?(?P<v>` + enPhoneNumber + `)`), subject: user, key: keyPhone, value: enWhole},
	{re: en(`(?P<v>` + enPhoneNumber + `)[,;]? (?:that|this|it)(?:['’]s| is) (?:my (?:new )?(?:number|phone|mobile|landline)|mine)\b`), subject: user, key: keyPhone, value: enWhole},
	{re: en(`\b(?:write|e-?mail|mail|reach|contact)(?: to)? me (?:at|on|under) (?P<v>` + enMailAddress + `)`), subject: user, key: keyEmail, value: enWhole},
	{re: en(`\bmy (?:new )?(?:e-?mail|mail)(?: address)?(?: is|['’]s|:) (?:now )?(?P<v>` + enMailAddress + `)`), subject: user, key: keyEmail, value: enWhole},
	{re: en(`(?P<v>` + enMailAddress + `)[,;]? (?:(?:that|this|it)(?:['’]s| is)|which is) (?:my|mine)\b`), subject: user, key: keyEmail, value: enWhole},

	// home and work
	{re: enCased(`(?P<v>\p{Lu}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)*) is where (?:[Ii]|[Ww]e)(?:['’]m| am| are|['’]re)? (?:now |currently )?(?:live|living|based)\b`), subject: user, key: keyHome, value: enPlace},
	{re: en(`\b(?:my|our) (?P<v>girlfriend|boyfriend|partner|husband|wife|fianc[ée]e?) and (?:i|me)(?: have|['’]ve| are| just| recently| finally)* (?:split up|broke up|broken up|separated|got divorced|divorced|no longer together|getting divorced)\b`), subject: user, key: keyFamily, value: enWhole, over: true},
	{re: en(`^home (?:for (?:me|us) )?is (?:now |currently )?(?:in )?(?P<v>.+)$`), subject: user, key: keyHome, value: enPlace},
	{re: en(`\b(?:my|our) (?:new )?(?:flat|apartment|house|place|home|condo) is (?:now )?in (?P<v>.+)$`), subject: user, key: keyHome, value: enPlace},
	{re: en(`\b(?:i|we)(?:['’]ve| have)? (?:just |finally )?(?:gave up|given up|sold|moved out of) (?:the|our|my) (?:house|flat|apartment|place|home) in (?P<v>.+)$`), subject: user, key: keyHome, value: enPlace, over: true},
	{re: en(`^(?P<v>[\p{L}\d&'’. -]{2,40}?) (?:has |have )?(?:just )?(?:laid me off|made me redundant|(?:fired|sacked) me(?:$|[.,!]| (?:last|in|yesterday|today|this|because|for|after)\b))`), subject: user, key: keyEmployer, value: enFormer, over: true},
	{re: en(`\bat the (?P<v>[\p{Ll} -]{3,30}?) where i work\b`), subject: user, key: keyEmployer, value: enWhole},
	{re: en(`^as an? (?P<v>[\p{L} -]{3,40}?),? i(?:['’]m|['’]ve|\s)`), subject: user, key: keyWork, value: enJob, asked: true},
	{re: en(`\bmy apprenticeship as an? (?P<v>[\p{Ll}-]+)`), subject: user, key: keyWork, value: func(v string) []string { return each(enJob(v), func(s string) string { return "apprentice " + s }) }},
	{re: en(`\bmy apprenticeship (?:as an? [\p{Ll} -]{3,30}? )?at (?P<v>.+)$`), subject: user, key: keyEmployer, value: enCompany},
	{re: en(`^(?:my|our) (?:project|app|team|company|website|site) (?:now |currently )?uses (?P<v>.+?)(?: instead of .+)?$`), subject: user, key: keyUses, value: enTool},
	{re: en(`^(?:my|our) (?:project|app|team|company|website|site) (?:now |currently )?uses .+? instead of (?P<v>.+)$`), subject: user, key: keyUses, value: enTool, over: true},

	// food, body and tastes
	{re: en(`\bput me down as (?:an? )?(?P<v>{diets})\b`), subject: user, key: keyDiet, value: enWhole},
	{re: en(`\beverything i eat (?:has to|must|needs to) be (?P<v>{diets})\b`), subject: user, key: keyDiet, value: enWhole},
	{re: en(`\bi (?:can )?only eat (?P<v>{diets})\b`), subject: user, key: keyDiet, value: enWhole},
	{re: en(`\b(?:doctor|gp|allergist|tests?|results?)\b.{0,20}\b(?:confirmed|showed|found)\b.{0,30}?\b(?:i have an? )?(?P<v>[\p{L}-]+) allergy(?:$|,? (?:for|in) me\b)`), subject: user, key: keyAllergy, value: enItem},
	{re: en(`^at (?P<v>\d{2}),? i(?:['’]m| am| still| now)\b`), subject: user, key: keyAge, value: enAge},
	{re: en(`^(?P<v>[\p{L}][\p{L} '’-]{1,30}?) (?:is|are) something i(?: really| absolutely| truly)? (?:hate|dislike|loathe|can['’]?t stand|cannot stand|detest)\b`), subject: user, key: keyDislikes, value: enTastes},
	{re: en(`^(?P<v>[\p{L}][\p{L} '’-]{1,30}?) (?:is|are) something i(?: really| absolutely| truly)? (?:love|like|enjoy|adore)\b`), subject: user, key: keyLikes, value: enTastes},
	{re: en(`(?:^|[,;] )(?P<v>[\p{Ll}][\p{Ll} -]{2,30}?) (?:is|are) my (?:new |all-time |absolute )?favou?rites?(?: now| these days)?$`), subject: user, key: keyLikes, value: enTastes},
	{re: en(`^(?:ever since|since) .{2,40}?,? i(?:['’]ve| have) (?:always )?(?:loved|liked|enjoyed|adored) (?P<v>.+)$`), subject: user, key: keyLikes, value: enTastes},
}

// enHere returns the name in "Wanjiru here"; a vegetarian or a nurse may be here as well.
func enHere(v string) []string {
	if enNotHereRe.MatchString(v) || enDietRe.MatchString(v) || enJobs[strings.ToLower(lastWord(v))] {
		return nil
	}
	return enApposed(v)
}

var enNotHereRe = en(`^(?:same|looky?|right|over|up|down|out|again|still|new|good|almost|nearly|back|everything|nothing|spring|summer|autumn|winter|dad|mum|mom|long-time|first-time|newbie|noob|beginner|all|me|we|not|sun|snow|rain|morning|evening|night)\b`)

var enDietRe = en(`^{diets}$`)

// enNamesSure returns several names, each written as one.
func enNamesSure(v string) []string {
	names := enNames(v)
	for _, n := range names {
		if !capitalised(n) || !commonName(n) || enNation.MatchString(n) {
			return nil
		}
	}
	if len(names) < 2 {
		return nil
	}
	return names
}

// enApposed returns the name that stands beside a noun: capitalised, with a title before it.
func enApposed(v string) []string {
	words := strings.Fields(v)
	if len(words) == 0 {
		return nil
	}
	name := words[0]
	rest := words[1:]
	if enHonorific.MatchString(name) {
		if len(rest) == 0 || !capitalised(rest[0]) {
			return nil
		}
		name, rest = name+" "+rest[0], rest[1:]
	} else if !capitalised(name) || !commonName(name) || enNation.MatchString(name) || len(name) < 2 || strings.ToUpper(name) == name {
		return nil
	}
	if len(rest) > 0 && capitalised(rest[0]) && commonName(rest[0]) && strings.ToUpper(rest[0]) != rest[0] {
		name += " " + rest[0]
	}
	return []string{strings.TrimSuffix(strings.TrimSuffix(name, "'s"), "’s")}
}

var (
	enHonorific = compile(`^(?:Mr|Mrs|Ms|Dr|Prof)\.?$`)
	enNoFirm    = en(`^(?:they|he|she|it|you|we|who|which|that|this|management|(?:my|the|our) (?:boss|manager|company|employer|client|customer|parents?|wife|husband|dog|cat)|.*\b(?:said|says|because|when|if|and then)\b.*)$`)
)

// enFormer returns who employed somebody: a name, or what kind of place it is.
func enFormer(v string) []string {
	for _, article := range []string{"The ", "My ", "Our "} {
		if rest, ok := strings.CutPrefix(v, article); ok {
			v = strings.ToLower(article) + rest
		}
	}
	if enNoFirm.MatchString(v) || wordCount(v) > 4 {
		return nil
	}
	if c := enCompany(v); c != nil {
		return c
	}
	if rest, ok := strings.CutPrefix(strings.ToLower(v), "the "); ok {
		return []string{rest}
	}
	return nil
}
