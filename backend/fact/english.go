package fact

import (
	"regexp"
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
	"{sports}", `(?:`+enSports+`)`, "{doing}", `(?:`+enDoing+`)`, "{going}", `(?:`+enGoing+`)`, "{subjects}", `(?:`+enSubjects+`)`, "{diets}", `(?:`+enDiets+`)`,
	"{attributes}", `(?:`+enAttributes+`)`,
)

func en(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)` + enPieces.Replace(pattern)) }

// Where rules for people apply.
const (
	ofUser = 1 << iota
	ofPeople
	ofAnyone = ofUser | ofPeople
)

// enRule reads the predicate of a clause: what stands behind "I" or "my sister". Its first group is the value.
type enRule struct {
	of    int
	key   string
	re    *regexp.Regexp
	value func(v string) []string // the values in the group, nil = it is none
	over  bool
	dated bool // the clause may say since when
}

// The order matters: the first rule that reads a value wins.
var enRules = []enRule{
	// what is over
	{ofAnyone, keyHome, en(`^(?:used to live (?:in|at)|lived (?:in|at)|{adv}no longer (?:live|lives|living) (?:in|at)|(?:do not|don['’]?t|doesn['’]?t|does not) live (?:in|at)|{be}(?: not|n['’]t) living (?:in|at)|moved (?:out of|away from)) (.+)$`), enPlace, true, false},
	{ofAnyone, keyHome, en(`^(?:have |['’]ve |has )?left (.+)$`), enLeft, true, false},
	{ofAnyone, keyEmployer, en(`^(?:used to work|worked|{adv}no longer works?|(?:do not|don['’]?t|doesn['’]?t|does not) work) (?:at|for|with) (.+)$`), enCompany, true, false},
	{ofAnyone, keyEmployer, en(`^(?:{adv}(?:quit|left|lost|gave up|resigned from)|(?:have|['’]ve|has) (?:just |recently )?(?:quit|left|lost|resigned from)|was laid off|got laid off|was fired|got fired|resigned|was made redundant)(?: (?:my|his|her|the) (?:old )?(?:job|position|post))? (?:at|with|from|by) (.+)$`), enCompany, true, false},
	{ofAnyone, keyWork, en(`^(?:used to (?:work as|be)|{adv}no longer works? as|worked as|{be} no longer|was) (an? .+)$`), enJob, true, false},
	{ofAnyone, keyLikes, en(`^(?:{adv}(?:no longer|stopped) (?:likes?|loves?|enjoys?|liking|enjoying)|used to (?:like|love|enjoy)|(?:have |['’]ve |has |['’]s )?(?:completely |totally )?gone off) (.+?)(?: completely| entirely)?$`), enTastes, true, false},
	{ofAnyone, keyLikes, en(`^(?:{adv}{not} {adv}(?:like|love|enjoy)|{be}(?: not|n['’]t) {adv}(?:into|fond of|a fan of)) (.+?) (?:any ?more|any longer)\b.*$`), enTastes, true, false},
	{ofAnyone, keyDislikes, en(`^(?:{adv}no longer (?:hates?|dislikes?)|used to (?:hate|dislike)|{adv}{not} (?:hate|dislike|mind) (.+?) (?:any ?more|any longer)\b.*$) ?(.*)$`), enTastes, true, false},
	{ofAnyone, keyAllergy, en(`^(?:{be}(?: not|n['’]t| no longer) allergic to|used to be allergic to) (.+)$`), enItems, true, false},
	{ofAnyone, keyHobby, en(`^(?:used to play|{adv}no longer plays?|stopped playing|gave up|quit|{not} play) ({sports}|{doing}|{going})(?:$|\b.*$)`), enItems, true, false},
	{ofUser, keyOwns, en(`^{adv}(?:(?:have|['’]ve|has) (?:just |recently )?)?(?:sold|gave away|given away|got rid of|scrapped|{adv}no longer (?:have|own)|(?:do not|don['’]?t) (?:have|own)) (?:my|our|the|an?) (.+)$`), enOwned, true, false},
	{ofUser, keyOwns, en(`^used to (?:have|own|drive) an? (.+)$`), enOwned, true, false},
	{ofAnyone, keyUses, en(`^(?:{adv}no longer uses?|used to use|stopped using) (.+)$`), enTool, true, false},
	{ofAnyone, keySpeaks, en(`^{adv}no longer speaks? (.+)$`), enTongues, true, false},
	{ofAnyone, keyDiet, en(`^(?:{be}(?: not|n['’]t| no longer)|used to be) (?:an? )?(?:strict )?({diets})(?: (?:any ?more|any longer))?$`), enWhole, true, false},

	// home and origin
	{ofUser, keyAddress, en(`^{adv}(?:live|living|{be} living) at (\d+[\p{L}]? [\p{L}'’. -]{3,30}(?:, [\p{L}\d .-]{2,30}){0,3})$`), enWhole, false, true},
	{ofAnyone, keyHome, en(`^{adv}(?:(?:{be}|{been}) {adv})?(?:lives?|living|lived|resides?|residing|based|settled) {adv}(?:(?:together )?with [^,]{2,30}? )?(?:in|at) (.+)$`), enPlace, false, true},
	{ofAnyone, keyHome, en(`^{adv}(?:(?:have|['’]ve|has) {adv})?(?:moved|relocated) {adv}(?:back |over |out |down |up |house |home |permanently )*(?:here )?(?:from .+? )?to (.+)$`), enPlace, false, true},
	{ofAnyone, keyHome, en(`^{adv}(?:(?:have|['’]ve|has) {adv})?(?:settled|resettled) (?:down )?in (.+)$`), enPlace, false, true},
	{ofAnyone, keyBirthplace, en(`^(?:was|were) born (?:and (?:raised|bred|grew up) )?in (.+)$`), enPlace, false, false},
	{ofAnyone, keyBirthday, en(`^(?:turns?|turned|will turn) \d{1,3} on (.+)$`), enBirthday, false, false},
	{ofAnyone, keyBirthday, en(`^(?:was|were) born (?:on |in )?(.+)$`), enBirthday, false, false},
	{ofAnyone, keyHometown, en(`^{adv}(?:{be} {adv}from|comes? {adv}from|grew up in|(?:was|were) raised in) (.+)$`), enPlace, false, false},
	{ofAnyone, keyNationality, en(`^{be} {adv}(?:an? )?({nations})(?: (?:citizen|national|by (?:birth|nationality|passport)|and proud of it))?$`), enWhole, false, false},

	// names
	{ofAnyone, keyName, en(`^{be} {adv}(?:called|named) (.+)$`), enNames, false, false},
	{ofUser, keyNickname, en(`^{adv}(?:goes?|go) by (.+)$`), enNames, false, false},

	// age, body
	{ofAnyone, keyAge, en(`^{be} {adv}({num})(?: years?[- ]old| years of age| yo| y/o)(?:,? (?:now|today))?$`), enAge, false, false},
	{ofAnyone, keyAge, en(`^{be} {adv}({num})(?: now| today)?$`), enAge, false, false},
	{ofAnyone, keyAge, en(`^(?:{adv}|(?:have|['’]ve|has) {adv})turned ({num})(?: (?:last|this|yesterday|today|in|on|two|three|a) ?.*)?$`), enAge, false, false},
	{ofAnyone, keyHeight, en(`^{be} {adv}(\d[\d.,]* ?(?:m|cm|metres?|meters?|centimet(?:re|er)s|feet|foot|ft)(?: ?\d+(?: ?(?:in|inch|inches|cm))?)?|\d['’]\d{1,2}(?:["”]|'')?)(?: tall)?$`), enWhole, false, false},
	{ofAnyone, keyWeight, en(`^{adv}(?:{be} {adv})?(?:weighs?|weighing) {adv}(?:about |around )?(\d[\d.,]* ?(?:kg|kilos?|kilograms?|pounds|lbs?|stone))\b.*$`), enWhole, false, false},
	{ofAnyone, keyMarital, en(`^{be} {adv}(married|single|divorced|widowed|separated|engaged)(?: (?:now|since|for|again|with|and)\b.*)?$`), enWhole, false, true},
	{ofAnyone, keyMarital, en(`^(?:{adv}|(?:have|['’]ve|has) {adv})(?:got|gotten) (married|divorced|engaged|separated)(?: (?:last|this|in|on|two|three|a|yesterday|today|again|recently|earlier)\b.*)?$`), enWhole, false, true},
	{ofUser, "partner/name", en(`^(?:{be} {adv}(?:married|engaged) to|{be} {adv}dating|{be} (?:in a relationship|going out|living together) with|(?:{adv}|(?:have|['’]ve) {adv})(?:got )?(?:married|engaged) to) (.+)$`), enNames, false, false},
	{ofUser, "husband/name", en(`^{been} married to my husband (.+)$`), enNames, false, false},

	// work and study
	{ofAnyone, keyWork, en(`^{adv}(?:{be} {adv}|{been} {adv})?(?:works?|working|employed|freelances?|freelancing|started working|started|began|(?:got|found|landed) (?:a|my) (?:new )?job) as (an? .+|the .+)$`), enJob, false, true},
	{ofAnyone, keyWork, en(`^(?:{be} {adv}|{been} {adv}|became |recently became )(an? .+)$`), enJob, false, true},
	{ofAnyone, keyWork, en(`^(?:{be} {adv}|{adv}became |got promoted to |was promoted to )(?:the )?((?:deputy |assistant )?(?:head|director|vice president|vp|chair|dean) of .+)$`), enJob, false, true},
	{ofAnyone, keyEmployer, en(`^{be} {adv}with (an? [\p{L} -]{2,40}? called .+)$`), enCompany, false, true},
	{ofAnyone, keyWork, en(`^{be} {adv}(retired|self-employed|unemployed|semi-retired|freelance|on parental leave|on maternity leave|between jobs)(?: (?:now|since|for|from)\b.*)?$`), enWhole, false, true},
	{ofAnyone, keyWork, en(`^{adv}retired (?:last|this|in|two|three|a|from)\b.*$`), func(string) []string { return []string{"retired"} }, false, true},
	{ofAnyone, keyEmployer, en(`^{adv}(?:{be} {adv}|{been} {adv})?(?:works?|working|employed|interning|intern|volunteering) (?:\w+ly |full[- ]time |part[- ]time |remotely |nights |shifts |night shifts |there )*(?:at|for|by|with) (.+)$`), enCompany, false, true},
	{ofAnyone, keyEmployer, en(`^{adv}(?:(?:have|['’]ve|has) {adv})?(?:started (?:work(?:ing)? |my new job |a new job |my job |a job )?(?:at|with|for)|got (?:a|the|my) (?:new )?job (?:at|with)|switched jobs to|moved jobs to|changed jobs(?: and .*?)? to|switched to a job at|been hired by|was hired by|took a job (?:at|with)|transferred to|accepted a job (?:at|with)) (.+)$`), enCompany, false, true},
	{ofAnyone, keyEmployer, en(`^{adv}(?:(?:have|['’]ve|has) {adv})?joined (.+)$`), enJoined, false, true},
	{ofAnyone, keyStudies, en(`^{adv}(?:{be} {adv}|{been} )?(?:study|studies|studying|majoring in|reading|doing a (?:phd|master['’]?s|degree|bachelor['’]?s) in|doing (?:my|a) (?:phd|master['’]?s|degree|bachelor['’]?s) in|major in|majors in|(?:have|has|got) an? (?:phd|master['’]?s|degree|bachelor['’]?s)(?: degree)? in) ((?:{subjects})(?: and (?:{subjects}))?)(?: (?:at|in|with|for|since|part|full|and|now|there)\b.*)?$`), enWhole, false, false},
	{ofAnyone, keySchool, en(`^{adv}(?:{be} {adv}|{been} )?(?:study(?:ing)?|studies|attends?|attending|enrolled|goes?|go|going|an? (?:\w+ ){0,2}student|doing (?:my|a) (?:phd|master['’]?s|degree)) (?:(?:\w+ ){0,3}?at |to )?((?:the )?(?:[\p{Lu}][\p{L}'’.-]* )*(?:University|College|School|Institute|Academy|Polytechnic|Conservatory|ETH|MIT|UCLA|Oxford|Cambridge|Harvard|Stanford|Yale|Gymnasium|High School|Kindergarten)(?: of [\p{Lu}][\p{L}'’-]*(?: [\p{Lu}][\p{L}'’-]*)*| [\p{Lu}][\p{L}'’-]*)*)`), enSchool, false, false},

	// health and food
	{ofAnyone, keyAllergy, en(`^(?:{be} )?{adv}(?:\w+ly )?(?:deathly |badly )?allergic to (.+)$`), enItems, false, false},
	{ofAnyone, keyAllergy, en(`^{have} {adv}(?:an? )?(?:\w+ly )?(?:bad |severe |mild |serious |strong )?allerg(?:y|ies) to (.+)$`), enItems, false, false},
	{ofAnyone, keyAllergy, en(`^{have} (?:an? )?(?:bad |severe |mild |serious |strong )?([\w-]+(?: [\w-]+)?) allergy$`), enItems, false, false},
	{ofAnyone, keyCondition, en(`^{be} {adv}(lactose[- ]intolerant|gluten[- ]intolerant|colou?r[- ]?blind|diabetic|asthmatic|dyslexic|epileptic|deaf in one ear|hard of hearing|short-sighted|near-sighted)$`), enWhole, false, false},
	{ofAnyone, keyCondition, en(`^(?:{have}|{adv}suffers? from|{be} living with|live with) {adv}(?:mild |severe |chronic |bad )?({illness})(?:$|[ ,;.].*$)`), enWhole, false, false},
	{ofAnyone, keyCondition, en(`^(?:(?:was|were|got|{been}|{be}) {adv}(?:\w+ly )?)diagnosed with (.+)$`), enItem, false, true},
	{ofAnyone, keyMedication, en(`^{adv}(?:takes?|taking|{be} (?:now )?(?:taking|on)|{been} (?:taking|on)) (?:(?:\d[\d.,]* ?(?:mg|mcg|µg|g|ml|units?|IU) )?(?:of )?)([\p{L}][\p{L}\d-]*(?: [\p{L}\d-]+)?)(?: \d+ ?mg)?(?: (?:for my|for the|against|every|daily|twice|once|each|in the morning|at night|before|after|to control|because of my)\b.*)$`), enDrug, false, false},
	{ofAnyone, keyDiet, en(`^(?:{be} {adv}|{been} {adv}|{adv}(?:went|became|turned|go|gone) |(?:have|['’]ve) (?:gone|become|turned) |{adv}(?:eats?|follows?|follow|on|keeps?|keep) )(?:an? |a strictly |strictly )?(?:strict |mostly |fully |lifelong )?({diets})(?: diet)?(?: (?:now|since|for|and|because|last|this|in|too|as well|\w+ (?:years?|months?|weeks?|days?) ago)\b.*)?$`), enWhole, false, true},
	{ofAnyone, keyAvoids, en(`^{adv}(?:(?:{not} (?:eat|drink|tolerate|touch|consume)|(?:can['’]?t|cannot|can not|must not) have)|(?:can )?never (?:eats?|drinks?|touch(?:es)?)|avoids?|stopped (?:eating|drinking)|(?:have|['’]ve|has) (?:stopped|given up|quit) (?:eating|drinking)|gave up (?:eating|drinking)|abstains? from) (?:any )?(.+)$`), enFood, false, true},

	// skills
	{ofAnyone, keySpeaks, en(`^{adv}(?:{be} {adv}(?:fluent in|bilingual in)|(?:can |{adv})?speaks?|{be} a native speaker of) {adv}(?:fluent |good |some |basic |a little |a bit of |decent |conversational |passable |excellent )?(.+)$`), enTongues, false, false},
	{ofAnyone, keyLearning, en(`^{adv}(?:{be} {adv}|{been} |(?:have |['’]ve |has )?(?:just |recently )?(?:started|begun|taken up) )(?:learning|teaching (?:myself|himself|herself)|trying to learn) (?:how )?(?:the )?(.+)$`), enLearned, false, false},
	{ofAnyone, keyHobby, en(`^{adv}(?:(?:have|['’]ve|has) {adv})?(?:plays?|playing|played|{be} playing|{been} playing) {adv}({sports})(?:$|[ ,;.](?:in|at|for|every|on|with|twice|once|regularly|since|a lot|and|competitively|every|most|as|professionally|each|three|two|weekly|whenever|here|now|there)?\b.*$)`), enPlayed, false, false},
	{ofAnyone, keyHobby, en(`^{adv}(?:does?|do|practi[sc]es?|{be} doing|{been} doing|{been} practi[sc]ing|took up|taken up|have taken up|['’]ve taken up|started doing) {adv}({doing}|{going}|gardening|painting|knitting|photography)(?:$|[ ,;.].*$)`), enWhole, false, false},
	{ofAnyone, keyHobby, en(`^{adv}(?:goes?|go|have started going|['’]ve started going|{be} going) {adv}({going})(?: (?:every|regularly|on|twice|once|three|each|most|a lot|whenever|several|all the time|weekly|in the (?:mornings?|evenings?))\b.*)$`), func(v string) []string {
		return []string{strings.TrimPrefix(v, "to the ")}
	}, false, false},
	{ofAnyone, keyHobby, en(`^{adv}(?:have |['’]ve )?(?:took|taken) up (\w+ing|{sports}|{doing})(?:$|[ ,;.].*$)`), enWhole, false, false},
	{ofAnyone, keyHobby, en(`^{adv}(?:collects?|{been} collecting|{be} collecting) (.+)$`), func(v string) []string {
		return each(enItem(v), func(s string) string { return "collecting " + s })
	}, false, false},

	// tastes
	{ofAnyone, keyDislikes, en(`^{adv}(?:(?:hates?|dislikes?|loathes?|detests?|despises?|can['’]?t stand|cannot stand|can['’]?t bear|cannot bear)|(?:do not|don['’]?t|does not|doesn['’]?t|never) {adv}(?:like|love|enjoy|care for|liked|enjoyed)(?: at all)?|{be}(?: not|n['’]t) {adv}(?:a (?:big |huge )?fan of|into|fond of|keen on|crazy about)|(?:have|['’]ve) never liked) (.+)$`), enTastes, false, false},
	{ofAnyone, keyLikes, en(`^{adv}(?:likes?|loves?|enjoys?|adores?|{be} {adv}(?:an? )?(?:big |huge |great |massive |real )?(?:fan of|fond of|into|(?:crazy|mad|nuts|wild) about|keen on|addicted to|obsessed with|passionate about|partial to)|(?:have|['’]ve) always (?:liked|loved|enjoyed)|(?:have|['’]ve) (?:come|grown) to (?:like|love)) (.+)$`), enTastes, false, false},
	{ofAnyone, keyLikes, en(`^{adv}prefers? (.+)$`), enPreferred, false, false},

	// possessions
	{ofUser, keyOwns, en(`^{adv}(?:drives?|rides?|owns?|own) (?:an?|my|our) (.+)$`), enOwned, false, false},
	{ofUser, keyOwns, en(`^{adv}(?:(?:have|['’]ve|has) {adv})?(?:bought|purchased|acquired|got(?:ten)? (?:myself|ourselves))(?: (?:myself|ourselves))? an? (.+)$`), enBought, false, false},
	{ofUser, keyUses, en(`^{adv}(?:(?:have|['’]ve) {adv})?(?:uses?|{be} using|{been} using) (.+)$`), enTool, false, false},
	{ofUser, keyUses, en(`^{adv}(?:(?:have|['’]ve) {adv})?(?:switched|migrated|changed|moved over) (?:over )?(?:from .+? )?to (.+)$`), enTool, false, false},
}

var (
	enLead = en(`^(?:(?:hi|hello|hey|hi there|hey there|hello there|good (?:morning|evening|afternoon)|ok|okay|well|so|oh|ah|and|but|also|anyway|anyways|actually|by the way|btw|fyi|just so you know|for (?:the|your) (?:record|reference|information)|honestly|to be honest|tbh|in fact|as you (?:may )?know|as i (?:said|mentioned|told you)(?: before| earlier)?|you know|unfortunately|sadly|luckily|fortunately|happily|good news|big news|great news|bad news|small news|news|(?:a )?(?:quick |small |little )?(?:update|correction|reminder|heads[- ]up|note)|sorry|no|nope|yes|yeah|yep|right|hm+|um+|because|since|as|plus|then|now|right now|currently|at the moment|at present|nowadays|these days|recently|lately|(?:last|this) (?:week|month|year|summer|winter|spring|autumn|fall|weekend|monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|january|february|march|april|may|june|july|august|september|october|november|december)|yesterday|today|in (?:january|february|march|april|may|june|july|august|september|october|november|december)(?: \d{4})?|(?:in|since|as of|from) (?:january|february|march|april|may|june|july|august|september|october|november|december|next month|next week|\d{4})|as of (?:today|now|this \w+|last \w+)|(?:two|three|four|five|six|a few|a couple of|a|\d+) (?:days?|weeks?|months?|years?) ago|personally|myself|as for me|in my case|for me|(?:please |pls )?(?:remember|note|keep in mind|bear in mind|don['’]?t forget|do not forget|make a note|take note)(?: that| this)?|(?:i )?(?:should|must|forgot to|wanted to|want to|have to)(?: also)? (?:mention|say|add|tell you)(?: that)?|did i mention(?: that)?|let me (?:tell you|introduce myself)(?: that)?|it turns out(?: that)?|you should know(?: that)?|a bit about me|about me|some background|background|context|fun fact|thanks|thank you|great|nice|cool|important|p\.?s\.?|one more thing|another thing|first of all|first|second|finally|in the meantime|meanwhile|again|still|obviously|of course|apart from that|besides|in general|normally|usually|at home|at work|for context|wait|turns out)(?:\s*[,:!.–—-]+\s*|\s+))*`)

	// Where a new clause begins; the second group is its first word.
	enCut = en(`(?:([,;:–—(]|\s-)\s*(?:(?:and|but|so|because|since|although|though|while|as|plus|yet|then) )?(?:now |then |today |currently |also |instead |since last \w+ )?|\s(?:and|but|so|because|although|though|while|plus|yet|since) (?:now |then |today |currently |also |instead )?)(i|i['’]m|i['’]ve|i['’]d|i['’]ll|im|ive|we|we['’]re|we['’]ve|we['’]ll|my|our|it|it['’]s|he|he['’]s|she|she['’]s|they|they['’]re|you|there|that|this|everyone|everybody|people|friends|what|who|how|which|please|can|could|would|do|does|is|are|let['’]?s)\s`)
	// The same subject goes on: "I live in Lyon and work at Bosch".
	enGoesOn = en(`(?:,? (?:and|but) |, )((?:{adv})(?:allergic|work|works|working|live|lives|living|based|am|is|have|has|own|study|studies|speak|speaks|hate|hates|love|loves|dislike|dislikes|drive|moved|settled|relocated|bought|sold|adopted|play|plays|prefer|prefers|teach|started|joined)) `)

	enSelf   = en(`^(?:i|we|my (?:wife|husband|partner|girlfriend|boyfriend|family|fianc[ée]e?|spouse) and (?:i|me)|me and my \w+|both of us|the two of us)(['’](?:m|re|ve|d|ll)\b|\b)\s*`)
	enIm     = en(`^(im|ive) `)
	enPerson = en(`^(?:my|our) ((?:(?:older|younger|elder|eldest|oldest|youngest|middle|big|little|twin|second|first|third|other|late|baby|step|half|grown-up|adopted|three-year-old|black|white|grey|gray|ginger|old|new|\w+-year-old) )*(?:{people}|{pets}|parents|grandparents|children|kids|sons|daughters|brothers|sisters|in-laws|dogs|cats))(,? ([\p{L}]+(?: [\p{L}]+)?),?)?(['’]s)? `)

	// Sentences and clauses that state nothing.
	enUnreal  = en(`\b(?:if|unless|suppose|supposing|imagine|imagining|pretend|assume|assuming|what if|let['’]?s say|as if|as though|in case|whether|for example|for instance|e\.g|an example|example:|hypothetical\w*|(?:i|we) wish|wish(?:ing|ed)? (?:i|we|that|for|to)|were i|had i|in another life|in a parallel|someday|in theory|dream(?:t|ed|ing)?|test (?:sentence|message|string|data)|placeholder|sample)\b|^(?:say|when|whenever|once|until|before|after|every time|the day) `)
	enPlanned = en(`\b(?:would|could|should|might|maybe|perhaps|probably|possibly|apparently|supposedly|allegedly|hope|hopes|hoping|hopefully|thinking (?:of|about)|consider(?:ing|ed)?|planning|plan|plans|planned|going to (?:be|move|live|work|start|study|get|have|buy|try|learn|become|join|switch|quit|adopt|sell|marry)|gonna|wants?|wanted|wanna|about to|tried to|trying to (?:live|work|move|become|get)|almost|nearly|thought|think|thinks|guess|believes?|suspect|feel like|feels like|seems?|wonder\w*|not sure|unsure|doubt|not certain|pretend\w*|no idea|tempted|afraid|may be|may have|i may|we may|supposed to|need to|have to|must|likely|as a joke|jokingly|a kind of|next (?:year|month|week|summer|spring|autumn|fall|winter))\b|['’](?:d|ll)\b|\bwill\b`)
	enOthers  = en(`\b(?:said|says|saying|told|tells|asks|asked|wrote|writes|written|sang|sings|quotes?|quoted|quoting|lyrics?|song goes|goes like|the line|according to|claims?|claimed|replied|answered|shouted|whispered|screamed|announced|insists|insisted|text(?:ed)? me|translate\w*|translation|pronounced?|means|meant|the (?:sentence|phrase|word|words)|slogan|t-shirt|mug|sign reads|reads)\b`)
	enAsking  = en(`^(?:what|how|where|when|why|who|whose|whom|which|can|could|is|are|do|does|did|will|would|should|have (?:i|you|we)|has|am i|was|were|any|may|shall|don['’]?t you|isn['’]?t|aren['’]?t|doesn['’]?t|guess|tell|remind|do you)\b`)
	enIronic  = en(`\b(?:yeah,? right|sure i am|as if|totally|of course i|because i['’]?m obviously|obviously|the queen of|the king of|king of|queen of|president of|pope|santa|superman|batman|billionaire|on the moon|on mars|from mars|under a rock|a thousand years old|a million years old|time traveller|time traveler|unicorn)\b`)
)

// english reads a sentence in English.
func (s source) english() {
	text := s.sentence.Masked
	if bare := enIfAsked.ReplaceAllString(text, ""); !enInvented.MatchString(bare) && !enOthers.MatchString(enISaid.ReplaceAllString(bare, "")) && !enIronic.MatchString(bare) {
		defer s.asides(enAsides, text, s.sentence.Question || enUnreal.MatchString(bare))
	}
	if s.sentence.Question {
		cut := strings.LastIndexAny(text, ",;–—")
		if cut < 0 || !enAsking.MatchString(strings.TrimSpace(strings.TrimLeft(text[cut:], ",;–— "))) && !en2Asks(text[cut:]) {
			return
		}
		text = text[:cut] // "I'm vegan, what can I eat?"
	}
	text = enIfYou.ReplaceAllString(text, "")
	if m := enIfAsked.FindString(text); m != "" { // it holds whoever asks
		text = strings.Repeat(" ", len(m)) + text[len(m):]
	}
	lead := len(text) - len(strings.TrimLeft(text, " "))
	lead += len(enLead.FindString(text[lead:]))
	if enUnreal.MatchString(text[lead:]) || enOthers.MatchString(enISaid.ReplaceAllString(text[lead:], "")) && !enMeant.MatchString(text) || enIronic.MatchString(text) || enAsking.MatchString(text[lead:]) || enAsking.MatchString(text) {
		return
	}
	// The clauses: from one beginning to the next.
	starts := []int{lead}
	for at := 0; at < len(text); {
		m := enCut.FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		starts = append(starts, at+m[4])
		at += m[4]
	}
	ends := make([]int, len(starts))
	for i := range starts {
		ends[i] = len(text)
		if i+1 < len(starts) {
			ends[i] = starts[i+1]
		}
	}
	for i, from := range starts {
		if from >= ends[i] {
			continue
		}
		end := ends[i]
		if i+1 < len(starts) { // without the conjunction in front of the next clause
			end = from + len(strings.TrimRight(enJoin.ReplaceAllString(text[from:end], ""), " ,;:–—-("))
		}
		if end > from {
			s.enClause(from, end)
		}
	}
}

var (
	// What may stand behind a plain statement without making it less plain.
	enIfYou    = en(`,?\s+(?:just )?(?:in case you|if you) (?:need|want|must|ever|are|were|could|would|ask|wonder|have|care)\b.*$`)
	enTails    = en(`\s(?:(?:and|but) (?:['’]?m |am )?(?:wants?|hopes?|plans?|would|will|might|need|wish|thinking|looking|trying|planning|can|could)|so|btw|by the way|please|which|if|because)\b.*$`)
	enInvented = en(`\b(?:suppos\w*|imagine[sd]?|imagining|imaginary|pretend\w*|assum\w*|let['’]?s say|for example|for instance|e\.g|an example|example:|hypothetical\w*|placeholder|test (?:sentence|message|string|data)|in another life|dream(?:t|ed|ing|s)?)\b`)
	enIfAsked  = en(`^(?:if|when|in case) (?:the|an?|anyone|anybody|someone|somebody|they) [^,]{0,30}?\b(?:asks?|calls?|needs?|wonders?|comes?|rings?)\b[^,]{0,20}, `)
	enISaid    = en(`\b(?:i|we)(?:['’]ve| have)? (?:said|told you|mentioned|wrote)\b`)
	enJoin     = en(`(?:[,;:–—(]|\s-)?\s*(?:and|but|so|because|since|although|though|while|as|plus|yet|then)?\s*$`)
	enMeant    = en(`\b(?:i|we) meant\b`)
	enAlso     = en(`\b(?:what|how|where|when|which|who|can you|could you|any (?:ideas|tips|suggestions|recommendations)|should i|do you)\b`)
)

func en2Asks(tail string) bool { return enAlso.MatchString(tail) }

// enClause reads one clause, bytes [from, end) of the sentence.
func (s source) enClause(from, end int) {
	clause := s.sentence.Masked[from:end]
	defer s.enMention(clause)
	lead := len(enLead.FindString(clause))
	from, clause = from+lead, clause[lead:]
	if cut := enTails.FindStringIndex(clause); cut != nil && cut[0] > 4 {
		clause = clause[:cut[0]]
	}
	if cut := enUnlike.FindStringIndex(clause); cut != nil && cut[0] > 4 && !enSelf.MatchString(clause) {
		clause = clause[:cut[0]]
	}
	end = from + len(clause)
	if clause == "" || enPlanned.MatchString(clause) || enAsking.MatchString(clause) {
		return
	}
	switch {
	case s.enNow(clause, from, end):
	case s.enCorrection(clause, from, end):
	case s.enItsName(clause, from, end):
	case s.enNamed(clause, from, end):
	case enSelf.MatchString(clause):
		m := enSelf.FindStringSubmatchIndex(clause)
		at := m[1]
		if m[2] >= 0 && m[3] > m[2] { // "'m": the predicate begins with it
			at = m[2]
		}
		if !s.enSubject(user, ofUser, clause, at, from, end) {
			s.enThing(clause, from, end)
		}
		if m := enWith.FindStringSubmatch(clause); m != nil && capitalised(m[2]) && commonName(m[2]) {
			s.add(memory.FactStatement{Subject: strings.ToLower(m[1]), Key: keyName, Value: m[2]}, from, end)
		}
	case enIm.MatchString(clause):
		s.enSubject(user, ofUser, clause, 1, from, end)
	case s.enShe(clause, from, end):
	case enPerson.MatchString(clause) && s.enAbout(clause, from, end):
	case enTelegram.MatchString(clause) && s.enSubject(user, ofUser, clause, 0, from, end):
	default:
		s.enThing(clause, from, end)
	}
}

// enNow reads where somebody works now who said just before where they no longer do: "I left Google, I'm at Stripe now".
func (s source) enNow(clause string, from, end int) bool {
	m := enAtNow.FindStringSubmatchIndex(clause)
	if m == nil || !slices.ContainsFunc(s.reader.found, func(f memory.FactStatement) bool { return f.Key == keyEmployer && f.Over && f.Subject == user }) {
		return false
	}
	for _, v := range enCompany(s.sentence.Text[from+m[2] : from+m[3]]) {
		s.add(memory.FactStatement{Subject: user, Key: keyEmployer, Value: v}, from, end)
	}
	return true
}

var enAtNow = en(`^i(?:['’]m| am) (?:now )?(?:at|with) (.+?)(?: now)?$`)

// enTelegram are beginnings of what people tell of themselves without saying "I": "Moved to Lyon last week."
var enTelegram = en(`^(?:just |finally |recently )*(?:moved|relocated|sold|bought|adopted|joined|switched|retired|turned \d|got rid of|gave up|quit my|resigned|got (?:married|divorced|engaged)) ?`)

// enSubject reads what is said of a subject: the predicate begins at byte at of the clause.
func (s source) enSubject(subject string, of int, clause string, at, from, end int) bool {
	predicate := clause[at:]
	rest := ""
	if m := enGoesOn.FindStringSubmatchIndex(predicate); m != nil && !enLikesTo.MatchString(predicate[:m[0]]) {
		predicate, rest = predicate[:m[0]], predicate[m[2]:]
	}
	found := s.enPredicate(subject, of, clause, predicate, from, from+at+len(predicate))
	if rest != "" {
		start := from + at + strings.LastIndex(clause[at:], rest)
		if s.enSubject(subject, of, s.sentence.Masked[start:end], 0, start, end) {
			found = true
		}
	}
	return found
}

var enLikesTo = en(`^{adv}(?:like|love|enjoy|prefer|hate)s? (?:to |\w+ing\b)`)

func (s source) enPredicate(subject string, of int, clause, predicate string, from, end int) bool {
	if strings.HasPrefix(predicate, "'d") || strings.HasPrefix(predicate, "'ll") || strings.HasPrefix(predicate, "’d") {
		return false
	}
	original := s.original(predicate, end)
	if of&ofUser != 0 && s.enHas(subject, original, from, end) {
		return true
	}
	found := false
	for _, r := range enRules {
		if r.of&of == 0 {
			continue
		}
		m := r.re.FindStringSubmatchIndex(predicate)
		if m == nil {
			continue
		}
		group := ""
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] >= 0 && m[g] < m[g+1] {
				group = original[m[g]:m[g+1]]
				break
			}
		}
		values := r.value(group)
		if len(values) == 0 {
			continue
		}
		f := memory.FactStatement{Subject: subject, Key: r.key, Over: r.over}
		if sub, key, ok := strings.Cut(r.key, "/"); ok {
			f.Subject, f.Key = sub, key
		}
		switch at := s.reader.message.At; {
		case r.over:
			f.ValidFrom, f.EndedAt = lasted(clause, at)
		case r.dated:
			f.ValidFrom = since(clause, at)
		}
		for _, v := range values {
			f.Value = v
			s.add(f, from, end)
		}
		found = true
		if r.key == keyWork && !r.over { // "a nurse at Bosch"
			if m := enWorksAt.FindStringSubmatch(original); m != nil {
				for _, v := range enCompany(m[1]) {
					s.add(memory.FactStatement{Subject: subject, Key: keyEmployer, Value: v}, from, end)
				}
			}
		}
		if r.key == keyEmployer && !r.over { // "at Siemens as a test engineer"
			if m := enAsA.FindStringSubmatch(original); m != nil {
				for _, v := range enJob(m[1]) {
					s.add(memory.FactStatement{Subject: subject, Key: keyWork, Value: v}, from, end)
				}
			}
		}
		if r.key == keyStudies {
			continue // and where
		}
		if m := enSwitched.FindStringSubmatch(original); r.key == keyUses && m != nil {
			for _, v := range enTool(m[1]) {
				s.add(memory.FactStatement{Subject: subject, Key: keyUses, Value: v, Over: true}, from, end)
			}
		}
		return true
	}
	return found
}

var (
	enWorksAt  = en(`\b(?:at|for) ((?:the )?\p{Lu}.*|an? .+)$`)
	enAsA      = en(`\bas (an? .+|the .+)$`)
	enSwitched = en(`(?:switched|migrated|changed|moved over) (?:over )?from (.+?) to `)
)

// original returns the bytes of the sentence, unmasked, that end at end and are as long as masked.
func (s source) original(masked string, end int) string {
	return s.sentence.Text[end-len(masked) : end]
}

// enAbout reads a clause about a person or pet of the user's.
func (s source) enAbout(clause string, from, end int) bool {
	m := enPerson.FindStringSubmatchIndex(clause)
	subject := strings.TrimPrefix(strings.TrimPrefix(clause[m[2]:m[3]], "new "), "old ")
	at := m[1]
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
			s.add(memory.FactStatement{Subject: subject, Key: keyName, Value: name, Over: enGone.MatchString(clause)}, from, end)
			found = true
		}
	} else if m[8] >= 0 {
		at = m[8] // "my sister's …"
	}
	rest := strings.TrimLeft(clause[at:], " ,")
	at = len(clause) - len(rest)
	if a := enOwnAttr.FindStringSubmatchIndex(rest); a != nil {
		key, raw := rest[a[2]:a[3]], s.original(rest[a[4]:], end)
		if strings.EqualFold(key, "name") {
			for _, v := range enNames(raw) {
				s.add(memory.FactStatement{Subject: subject, Key: keyName, Value: v}, from, end)
				found = true
			}
			return found
		}
		if k, v, ok := s.enValue(key, raw); ok {
			s.add(memory.FactStatement{Subject: subject, Key: k, Value: v}, from, end)
			return true
		}
		return found
	}
	return s.enSubject(subject, ofPeople, clause, at, from, end) || found
}

// enGone says that somebody is no more.
var enGone = en(`\b(?:(?:has |just )?(?:died|passed away)|was put down|is no longer with us)\b`)

var enOwnAttr = en(`^['’]s (?:new |current )?([\p{L}][\p{L} -]{1,30}?) (?:is|are|was changed to|has changed to) (?:now |currently |actually )?(.+)$`)

// enNamed reads names that are given in other words.
func (s source) enNamed(clause string, from, end int) bool {
	if m := enIAm.FindStringSubmatchIndex(clause); m != nil && (s.reader.greeted || enHi.MatchString(s.sentence.Masked)) && !enNation.MatchString(clause[m[2]:m[3]]) && commonName(clause[m[2]:m[3]]) {
		s.add(memory.FactStatement{Subject: user, Key: keyName, Value: clause[m[2]:m[3]]}, from, end)
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
	if m := enIsA.FindStringSubmatchIndex(clause); m != nil {
		v := tidy(enIsAStop.ReplaceAllString(s.sentence.Text[from+m[4]:from+m[5]], ""))
		if strings.ContainsFunc(v, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) && wordCount(v) <= 5 {
			s.add(memory.FactStatement{Subject: user, Key: strings.ToLower(clause[m[2]:m[3]]), Value: v}, from, end)
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
		raw := s.sentence.Text[from+group[0] : from+group[1]]
		for _, v := range enNames(raw) {
			s.add(memory.FactStatement{Subject: thing(subject), Key: r.key, Value: v}, from, end)
			return true
		}
	}
	return false
}

// enMention notes of whom or what of the user's a clause speaks: "he" and "she" may go on with it.
func (s source) enMention(clause string) {
	if m := enMyOwn.FindStringSubmatch(clause); m != nil {
		s.reader.about, s.reader.spoken = strings.ToLower(m[1]), s.reader.sentences
	}
}

// enShe reads what is said of somebody who was spoken of just before: "My mum's name is Edith, she is 81."
func (s source) enShe(clause string, from, end int) bool {
	m := enPronoun.FindStringSubmatchIndex(clause)
	about := s.reader.about
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
			if k, v, ok := s.enValue(strings.ToLower(rest[a[2]:a[3]]), s.original(rest[a[4]:], end)); ok {
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
	return s.enSubject(about, ofPeople, clause, at, from, end)
}

var (
	enMyOwn   = en(`\b(?:my|our) (?:new )?((?:(?:older|younger|elder|eldest|oldest|youngest|big|little|second|first) )?(?:{people}|{pets}))\b`)
	enPronoun = en(`^(he|she|his|her)(?:['’]s)?\b`)
	enFemale  = en(`(?:wife|girlfriend|fianc[ée]e|mother|mom|mum|mommy|sister|daughter|aunt|grandmother|grandma|granny|granddaughter|niece|mother-in-law|sister-in-law|goddaughter|stepmother)$`)
	enMale    = en(`(?:husband|boyfriend|father|dad|daddy|brother|son|uncle|grandfather|grandpa|grandson|nephew|father-in-law|brother-in-law|godson|stepfather)$`)
	enHi      = en(`^(?:hi|hello|hey|hi there|hey there|hello there|good (?:morning|evening|afternoon))\b`)
	enIAm     = regexp.MustCompile(`^(?:[Ii]['’]m|[Ii] am|[Ii]m|[Tt]his is) (\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?)(?:,? (?:btw|by the way|here))?[.!]?$`)
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
	s.name(names[0], from, end)
	return true
}

var enItsName = en(`^(?:his|her|its) name(?:['’]s| is) (.+)$|^(?:he|she|it)(?:['’]s| is) (?:called|named) (.+)$`)

var (
	enNotFan  = en(`^not (?:a (?:big |huge )?fan of|into|fond of|keen on) (.+)$`)
	enLabel   = en(`^(?:my |my new |new |our new )(address|phone|phone number|mobile|number|email|e-mail|email address|name)\s*[:：]\s*(.+)$`)
	enJobAt   = en(`^my (?:new |current )?job is {adv}(?:at|with) (.+)$`)
	enIsA     = en(`^(?:my|our) ((?:work |new |old )?{things})(?:['’]s| is) (?:now )?an? (.+)$`)
	enIsAStop = en(`(?:\s(?:running|with|from|bought|that|which|and|i|but|in|on|for)\b|[,;(–—]).*$`)
)

var enNaming = []struct {
	key string
	re  *regexp.Regexp
}{
	{keyName, en(`^(?:my|our) (?:full |real |legal |official )?name(?:['’]s| is| was changed to|, by the way, is) {adv}(.+)$`)},
	{keyNickname, en(`^(?:(?:please |just |you can |you may |feel free to )+|)call me (.+)$`)},
	{keyNickname, en(`^(?:everyone|everybody|people|my friends|friends|most people|my family) (?:just |usually |always )?calls? me (.+)$`)},
	{keyName, en(`^the name of (?:my|our) (.+?) is (?:now )?(.+)$`)},
	{keyName, en(`^(?:my|our) ([\p{L}\d][\p{L}\d -]{1,40}?)(?:['’]s| is| are| was| has been|['’]s been) (?:now |currently |actually )?(?:called|named|renamed(?: to)?|christened) (.+)$`)},
	{keyName, en(`^(?:my|our) ([\p{L}\d][\p{L}\d -]{1,40}?)['’]s (?:new )?name is (?:now )?(.+)$`)},
	{keyName, en(`^(?:we|i)(?:['’]ve| have)? (?:just |recently )?(?:named|called|renamed|christened) (?:my|our|the) (?:new )?([\p{L}][\p{L} -]{1,30}?) (\p{Lu}.*)$`)},
}

// thing returns a noun phrase as a subject or key: without "new" and what tells nothing.
func thing(s string) string {
	for _, w := range []string{"new ", "current ", "present ", "brand-new "} {
		s = strings.TrimPrefix(s, w)
	}
	return s
}

// enHas reads what somebody has: people, pets and things, by number or by name.
func (s source) enHas(subject, predicate string, from, end int) bool {
	m := enHaving.FindStringSubmatchIndex(predicate)
	if m == nil {
		return false
	}
	rest := predicate[m[1]:]
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
			break
		}
		count, adjectives, noun, plural, tail := h[1], strings.TrimSpace(h[2]), h[3], h[4], strings.TrimSpace(h[5])
		if len(strings.Fields(adjectives)) > 3 || enNotHeld.MatchString(adjectives) {
			break
		}
		names := []string(nil)
		if c := enCalled.FindStringSubmatch(tail); c != nil {
			if names = enNames(c[1]); names == nil {
				break
			}
		} else if tail != "" && !enTail.MatchString(tail) {
			break
		}
		whole := strings.TrimSpace(strings.TrimPrefix(adjectives+" ", "new ") + " " + noun)
		whole = strings.Join(strings.Fields(whole), " ")
		lower := strings.ToLower(noun)
		key := keyOwns
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
		case number > 1 && (plural != "" || lower == "children"):
			s.add(memory.FactStatement{Subject: subject, Key: keyNumberOf + whole + plural, Value: digits(count)}, from, end)
		case number > 1:
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
	enHaving   = en(`^{adv}(?:{have} {adv}|{adv}(?:(?:have|['’]ve) {adv})?(?:adopted|own|owns|keep) {adv})(?:new )?`)
	enCounted  = en(`^({num}) (?:[\p{L}-]+ )?({people}|{pets})s?(?:,|:| called| named| —| -) (?:called |named )?(.+)$`)
	enItemsOf  = en(`,? and |, `)
	enHeld     = en(`^(?:also )?(an?|one|{num}) ((?:[\p{L}\d'’-]+ ){0,3}?)({people}|{pets}|{things}|children)(s|es|ies)?\b(?: and )?(.*)$`)
	enCalled   = en(`^,? ?(?:(?:which|who|whom|that) (?:is|are|we|i) )?(?:called|named|by the name of|whose names? (?:is|are)) (.+)$`)
	enTail     = en(`^(?:[,.;:(–—-]|who|which|that|with|at home|in|from|now|since|yesterday|today|last|this|when|too|as well|as pets?|and|but|so|because|living|together|of my own|\d|aged|under|over|these|already|for)`)
	enNotHeld  = en(`\b(?:bad|good|great|flat|broken|meeting|question|problem|dream|imaginary|invisible|hired|rental|rented|lot|few|friend['’]s|new favourite|hot)\b`)
	enIsPerson = en(`^{people}$`)
	enIsPet    = en(`^{pets}$`)
	enRelative = en(`^(?:brother|sister|sibling|son|daughter|child|kid|baby|toddler|twin|cousin|aunt|uncle|grandmother|grandfather|grandma|grandpa|grandson|granddaughter|grandchild|niece|nephew|wife|husband|partner|girlfriend|boyfriend|stepson|stepdaughter|fianc[ée]e?|twin brother|twin sister|roommate|flatmate|housemate)$`)
)

// enThing reads a clause about something of the user's, or an attribute of theirs.
func (s source) enThing(clause string, from, end int) {
	at := s.reader.message.At
	for _, r := range enChanges {
		m := r.FindStringSubmatchIndex(clause)
		if m == nil {
			continue
		}
		subject, key, ok := enAttribute(clause[m[2]:m[3]])
		if !ok {
			return
		}
		raw := s.sentence.Text[from+m[4] : from+m[5]]
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
		if subject, key, ok := enAttribute(clause[m[4]:m[5]]); ok && strings.HasPrefix(key, keyFavourite) {
			if v := tidy(s.sentence.Text[from+m[2] : from+m[3]]); wordCount(v) <= 5 && !enPointing.MatchString(v) {
				s.add(memory.FactStatement{Subject: subject, Key: key, Value: v}, from, end)
			}
		}
		return
	}
	if m := enMembers.FindStringSubmatchIndex(clause); m != nil {
		noun := clause[m[6]:m[7]]
		s.add(memory.FactStatement{Subject: thing(clause[m[2]:m[3]]), Key: keyNumberOf + noun, Value: digits(clause[m[4]:m[5]])}, from, end)
		return
	}
	if m := enWithValue.FindStringSubmatchIndex(clause); m != nil {
		if k, v, ok := s.enValue(clause[m[4]:m[5]], s.sentence.Text[from+m[6]:from+m[7]]); ok {
			s.add(memory.FactStatement{Subject: thing(clause[m[2]:m[3]]), Key: k, Value: v}, from, end)
		}
	}
}

func pastOnly(t time.Time, key string) time.Time {
	if key == keyDate {
		return time.Time{}
	}
	return t
}

const (
	enNoun  = `((?:my|our) [\p{L}\d'’ -]{2,60}?|the [\p{L} -]{2,40}? (?:of|on|for|in) (?:my|our) [\p{L} -]{2,40}?)`
	enMoved = `(?:increased|raised|lowered|reduced|decreased|changed|moved|postponed|pushed(?: back)?|extended|rescheduled|shifted|cut|upped|bumped(?: up)?|adjusted|updated|upgraded|dropped|fallen|fell|risen|rose|grown|grew|shrunk|doubled|brought forward|delayed|set|switched|renewed)`
)

// enChanges read an attribute (first group) and the value that it has now (second group).
var enChanges = []*regexp.Regexp{
	en(`^` + enNoun + ` (?:has |have |['’]s |was |were |is |are |got |just |recently |now |been |again |finally |have been |has been )*` + enMoved + ` (?:again )?(?:(?:from|by) .+? )?(?:up |down |back |over )?to (?:now )?(.+)$`),
	en(`^` + enNoun + ` (?:has |have |just |recently )*(?:went|gone|goes|go) (?:up |down )?(?:from .+? )?to (.+)$`),
	en(`^(?:i|we|they|he|she|it|the [\p{L} ]{2,30}?|my [\p{L} ]{2,20}?)(?:['’]ve|['’]s)? (?:have |has |had |just |recently |finally |now |also )*(?:have |has )?` + enMoved + ` (?:back )?` + enNoun + ` (?:(?:from|by) .+? )?(?:up |down |back )?to (.+)$`),
	en(`^` + enNoun + ` (?:is|are|['’]s) (?:scheduled |set |due |planned |booked |coming up |happening |taking place )*(?:for |on |at |in |by )?(?:now |currently |still |actually |always |exactly |only |just )*(.+)$`),
	en(`^` + enNoun + `['’]s (?:now )?(?:on|at|in) (.+)$`),
	en(`^` + enNoun + ` (?:starts?|begins?|leaves?|departs?|takes place|happens|ends?|expires|runs out|closes|is due|are due) (?:on |at |in )?(.+)$`),
	en(`^(?:i|we)(?:['’]ve| have| have got|['’]ve got)? (?:an?|my|our) ([\p{L} -]{2,40}?(?:appointment|exam|interview|check-?up|surgery|operation|flight|test|meeting|deadline|concert|recital|race|marathon|presentation|audition|reservation|viewing|hearing|scan|lesson|rehearsal|wedding)) (?:scheduled |booked |set )?((?:on|at|for|in|tomorrow|next|this|today|tonight)\b.*)$`),
}

var (
	enBackwards = en(`^(.{2,60}?) (?:is|are) (?:still |now )?((?:my|our) (?:all-time |absolute )?favou?rite [\p{L} -]{2,30})$`)
	enMembers   = en(`^(?:my|our) ([\p{L} -]{2,30}?) (?:now |currently )?(?:has|have|consists of|counts) (?:now |currently |grown to )?({num}) ([\p{L}]{3,20}s|people|children|members)(?: (?:now|currently|in total|at the moment))?$`)
	enWithValue = en(`^(?:my|our) ([\p{L}\d -]{2,30}?) (?:now )?has an? (?:new )?([\p{L} -]{2,30}?) of (.+)$`)
	enPointing  = en(`^(?:this|that|these|those|it|he|she|they|what|which|here|there|you)\b`)
	enMine      = en(`^(?:my|our) `)
	enOfMine    = en(`^the ([\p{L} -]{2,40}?) (?:of|on|for|in) (?:my|our) ([\p{L} -]{2,40})$`)
	enPossess   = en(`^(?:my|our) ([\p{L}\d][\p{L}\d -]*?)['’]s? ([\p{L}][\p{L} -]*)$`)
	enFavourite = en(`^(?:all-time |absolute )?favou?rite ([\p{L} -]+)$`)
	enNoAttr    = en(`\b(?:i|you|he|she|we|they|who|which|that|what|is|are|was|were|and|or|point|question|problem|issue|idea|opinion|guess|source code|program|script|function|understanding|fault|bad|turn|advice|concern|worry|plan|wish|dream|life|day|mood|feeling|thing|message|last message|previous message|answer|response|apologies|pleasure|god|gosh|goodness|biggest|main)\b`)
	enEvent     = en(`(?:exam|flight|appointment|interview|wedding|surgery|operation|trip|meeting|presentation|concert|marathon|race|test|check-?up|party|move|defen[cs]e|graduation|holiday|holidays|vacation|train|delivery|final|finals|recital|conference|visit|class|course|audition|procedure|scan|vaccination|booster|lesson|reservation|shift|performance|hearing|viewing|ceremony|workshop|webinar|call|dinner|anniversary dinner|due date|launch|release|thesis defen[cs]e|start date|last day|first day|retirement|reunion|tournament|match|game|contract|lease|visa|passport|subscription|membership|warranty|licen[cs]e|insurance|show|rehearsal)$`)
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
	case enOfMine.MatchString(np):
		m := enOfMine.FindStringSubmatch(np)
		subject, key = thing(m[2]), m[1]
	default:
		key = np
		if m := enMine.FindString(np); m != "" {
			key = np[len(m):]
		}
	}
	key = thing(key)
	if enTechRe.MatchString(key) && enProject.MatchString(subject) {
		subject = user
	}
	if wordCount(key) > 5 || enNoAttr.MatchString(key) || subject != user && enNoAttr.MatchString(subject) {
		return "", "", false
	}
	if to := enWhereTo.FindString(key); to == "" || !enEvent.MatchString(strings.TrimSuffix(key, to)) {
		key = strings.ToLower(key)
	}
	if key == "code" {
		return "", "", false
	}
	if m := enFavourite.FindStringSubmatch(key); m != nil {
		key = keyFavourite + m[1]
	}
	key = spelt(key)
	switch key {
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
	case "birthday", "date of birth", "birth date":
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
	case "native language", "mother tongue", "first language", "native tongue":
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
	at := s.reader.message.At
	switch key {
	case keyBirthday:
		b := birthday(strings.TrimPrefix(v, "the "))
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
	dated := tidy(raw)
	d, ok := day(dated, at)
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
	if enEvent.MatchString(enWhereTo.ReplaceAllString(key, "")) || v == "" || enNotValue.MatchString(v) {
		return "", "", false
	}
	if m := enMeasured.FindStringSubmatch(v); m != nil {
		return key, m[1], true
	}
	named := capitalised(strings.TrimPrefix(v, "the "))
	attr := enAttrs.MatchString(key) || strings.HasPrefix(key, keyFavourite)
	if attr && wordCount(v) <= 6 && (named || !enMoody.MatchString(v)) && !strings.ContainsRune(v, '\x01') {
		return key, strings.TrimSpace(enArticle.ReplaceAllString(v, "")), true
	}
	return "", "", false
}

var (
	enTechRe   = en(`^(?:` + enTech + `)$`)
	enProject  = en(`^(?:\w+ )?(?:project|app|application|team|company|website|site|service|product|startup)$`)
	enAfterDay = en(`\s*[,;:(–—].*$`)
	enWhereTo  = en(` (?:to|in|with|at|for) .*$`)
	enTitle    = en(`\b(Dr|Mr|Mrs|Ms|St|Prof)\.`)
	enAttrs    = en(`(?:^|\s){attributes}s?$`)
	enPhone    = regexp.MustCompile(`^\+?[\d][\d ()./-]{4,20}$`)
	enArticle  = en(`^(?:an?|the) `)
	enUnlike   = en(`,? (?:and )?(?:not|instead of|rather than|no longer) `)
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

var unitOf = regexp.MustCompile(`[\d.,:\s]+`)

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
