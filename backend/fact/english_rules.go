package fact

import (
	"strings"
)

// Where rules for people apply.
const (
	ofUser = 1 << iota
	ofPeople
	ofPets   // beside ofPeople
	ofAnyone = ofUser | ofPeople
)

// mood says what a verb's form makes of a statement.
type mood int

const (
	state   mood = iota // it is so; was, no longer: it is over
	change              // once it is done, it is so: moved, have joined; not what is being done or will be
	ending              // once it is done, it is over: sold, have left
	taste               // likes; do not: dislikes; no longer: it is over
	settled             // once it is done, and only then
	lapsed              // used to: it is over
	lacking             // do not, no longer: it is over
	denied              // do not, cannot: it is so
	always              // however it is said
)

// enRule reads a predicate: what its verb, one of several, is followed by. Group 1 is the value.
type enRule struct {
	verbs string // by their base forms, with "be " in front in the passive
	rest  *pattern
	key   string
	value func(v string) []string // the values in the group, nil = it is none
	mood  mood
	of    int // 0 = of anyone
	since bool
}

// The order matters: the first rule of a verb that reads a value wins.
var enRules = []enRule{
	// home and origin
	{verbs: "live reside dwell", rest: en(`^(?:at )?(\d+[\p{L}]? [\p{L}'’. -]{3,30}(?:, [\p{L}\d .-]{2,30}){0,3})$`), key: keyAddress, value: enWhole, of: ofUser, since: true},
	{verbs: "live reside dwell", rest: en(`^(.+)$`), key: keyHome, value: enSomewhere, since: true},
	{verbs: "live", rest: enCased(`^(near \p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+){0,2})(?:$|[.,;!]| (?:and|but|so|with|now)\b)`), key: keyHome, value: enWhole, of: ofUser, since: true},
	{verbs: "live", rest: en(`^with (?:an? )?({illness})\b`), key: keyCondition, value: enWhole},
	{verbs: "have rent", rest: en(`^(?:an? |the |our |my )?(?:[\p{Ll}-]+ ){0,3}?(?:flat|apartment|room|studio|bungalow|cottage|condo|loft|bedsit)\b.*? in (.+)$`), key: keyHome, value: enPlace, of: ofUser},
	{verbs: "spend", rest: en(`^(?:my|her|his|our) (?:whole |entire )?childhood in (.+)$`), key: keyHometown, value: enPlace, mood: always},
	{verbs: "grow", rest: en(`^up (?:speaking|with|bilingual in) (.+)$`), key: keySpeaks, value: enTongues, mood: always},
	{verbs: "stay", rest: en(`^put in (.+)$`), key: keyHome, value: enPlace},
	{verbs: "move switch migrate", rest: en(`^(?:over )?from ([\p{L}\d. -]{2,30}?) to `), key: keyUses, value: enProduct, mood: ending, of: ofUser},
	{verbs: "move", rest: en(`^(?:over )?(?:from .+? )?to (.+)$`), key: keyUses, value: enProduct, mood: change, of: ofUser},
	{verbs: "move relocate emigrate immigrate", rest: en(`^(.+)$`), key: keyHome, value: enMovedTo, mood: change, since: true},
	{verbs: "move", rest: en(`^(?:out of|away from) (.+)$`), key: keyHome, value: enPlace, mood: ending},
	{verbs: "settle resettle", rest: en(`^(?:down )?(.+)$`), key: keyHome, value: enSomewhere, mood: change, since: true},
	{verbs: "be base|be settle|be house|base", rest: en(`^(?:out of|in|at|near) (.+)$`), key: keyHome, value: enPlace, since: true},
	{verbs: "end", rest: en(`^up (?:living |settling )?in (.+)$`), key: keyHome, value: enPlace, mood: change},
	{verbs: "call", rest: en(`^(\p{L}+(?: \p{L}+)?) (?:my |our )?home\b`), key: keyHome, value: enPlace, of: ofUser},
	{verbs: "make", rest: en(`^(?:my|our) home in (.+)$`), key: keyHome, value: enPlace, of: ofUser, mood: change},
	{verbs: "rent share", rest: en(`^(?:an? |the |our |my )?(?:[\p{Ll}-]+ ){0,3}?(?:flat|house|apartment|room|place|studio|bungalow|cottage|condo|loft|basement|bedsit|flatshare)\b.*? in (.+)$`), key: keyHome, value: enPlace, of: ofUser},
	{verbs: "leave", rest: en(`^(.+)$`), key: keyHome, value: enLeft, mood: ending},
	{verbs: "be bear", rest: en(`^(?:and (?:raised|bred|grew up) )?(?:on (?:the )?[\p{L}\d, ]+? )?in (\p{Lu}.*|` + `[\p{Ll} ]+)$`), key: keyBirthplace, value: enPlace, mood: always},
	{verbs: "be bear", rest: enCased(`^(?:and raised )?in \p{Lu}[^,]*?,? (?:on|in) (.+)$`), key: keyBirthday, value: enBirthday, mood: always},
	{verbs: "be bear", rest: en(`^(?:on |in )?(.+)$`), key: keyBirthday, value: enBirthday, mood: always},
	{verbs: "come", rest: en(`^into (?:the|this) world (?:on|in) (.+)$`), key: keyBirthday, value: enBirthday, mood: always},
	{verbs: "grow", rest: en(`^up (?:mostly |mainly )?in (.+)$`), key: keyHometown, value: enPlace, mood: always},
	{verbs: "be raise", rest: en(`^in (.+)$`), key: keyHometown, value: enPlace, mood: always},
	{verbs: "come hail", rest: en(`^(?:originally )?from (.+)$`), key: keyHometown, value: enPlace},
	{verbs: "hold have", rest: en(`^(?:an? )?({nations}) (?:passport|citizenship)\b`), key: keyNationality, value: enWhole},

	// names
	{verbs: "be call|be name|be rename|call|name", rest: en(`^(?:to )?(.+)$`), key: keyName, value: enNames},
	{verbs: "be name", rest: en(`^(.+?) after (?:my|our|the|an?|his|her) `), key: keyName, value: enCapital, mood: always},
	{verbs: "be christen|be baptise", rest: en(`^(.+)$`), key: keyName, value: enNames, mood: always},
	{verbs: "go", rest: en(`^by (?:the name (?:of )?|the nickname (?:of )?|my (?:middle|first|second) name,? )?(\p{L}.+)$`), key: keyNickname, value: enCapital, of: ofUser},
	{verbs: "be know", rest: en(`^(?:to everyone |by everyone |to my friends )?as (.+)$`), key: keyNickname, value: enNames, of: ofUser},

	// age and body
	{verbs: "turn hit", rest: en(`^({num})(?:{end}| (?:last|this|yesterday|today|in|on|two|three|a|just|and|earlier|recently|so|now|but)\b)`), key: keyAge, value: enAge, mood: change},
	{verbs: "turn", rest: en(`^\d{1,3} on (.+)$`), key: keyBirthday, value: enBirthday, mood: always},
	{verbs: "celebrate", rest: en(`^(?:my|our|her|his) (\d{1,3})(?:st|nd|rd|th) birthday\b`), key: keyAge, value: enAge, mood: change},
	{verbs: "celebrate have", rest: en(`^(?:my|his|her) birthday on (.+)$`), key: keyBirthday, value: enBirthday, mood: always},
	{verbs: "weigh", rest: en(`^(?:in at )?(?:about |around |roughly |exactly |almost |just under |just over |nearly )?(\d[\d.,]* ?(?:kg|kilos?|kilograms?|pounds|lbs?|stone)(?: \d+)?)`), key: keyWeight, value: enWhole},
	{verbs: "take wear", rest: en(`^(?:an? )?((?:UK|US|EU) (?:size )?\d[\d.]*)(?: in)? (?:shoes?|boots?|trainers?|sneakers?)\b`), key: "shoe size", value: enWhole, of: ofUser},
	{verbs: "take wear", rest: en(`^(?:an? )?(?:size )?(\d[\d.,/]*)(?: in)? shoes?\b`), key: "shoe size", value: enWhole, of: ofUser},

	// marriage
	{verbs: "be marry|be engage|marry", rest: en(`^(?:to )?an? (?:[\p{L}-]+ ){1,3}?(?:called|named) (\p{L}.+)$`), key: "partner/name", value: enSpouse, mood: always, of: ofUser},
	{verbs: "get", rest: en(`^(?:married|engaged) to (?:my (?:husband|wife|partner|girlfriend|boyfriend|fianc[ée]e?),? )?(\p{L}.+)$`), key: "partner/name", value: enSpouse, mood: always, of: ofUser},
	{verbs: "be marry|be engage|marry|date|be date", rest: en(`^(?:to )?(?:my (?:husband|wife|partner|girlfriend|boyfriend|fianc[ée]e?),? )?(\p{L}.+)$`), key: "partner/name", value: enSpouse, mood: always, of: ofUser},
	{verbs: "get", rest: en(`^(married|divorced|engaged|separated)(?:$|[ ,;.].*$)`), key: keyMarital, value: enWhole, mood: change, since: true},
	{verbs: "be marry", rest: en(`^()(?:{end}|(?:now|since|for|again|with|and|but|almost|nearly|over|in|last|this|to (?:my (?:husband|wife|partner|best|high|childhood|college|first)|an? \w))\b)`), key: keyMarital, value: is("married"), since: true},
	{verbs: "be engage", rest: en(`^()(?:{end}|(?:now|since|and|last|to (?:be married|my))\b)`), key: keyMarital, value: is("engaged")},
	{verbs: "be marry|be divorce|be widow", rest: en(`^(?:with|and have) ({num}) (?:small |young |grown(?:-up)? |little )?(?:children)\b`), key: keyNumberOf + "children", value: enMany},
	{verbs: "be marry|be divorce|be widow", rest: en(`^(?:with|and have) ({num}) (?:small |young |grown(?:-up)? |little )?(?:kids)\b`), key: keyNumberOf + "kids", value: enMany},
	{verbs: "be divorce", rest: en(`^()(?:{end}|(?:now|since|for|and|last|with|but|from)\b)`), key: keyMarital, value: is("divorced")},
	{verbs: "be separate", rest: en(`^()(?:{end}|(?:now|since|for|and|from my)\b)`), key: keyMarital, value: is("separated")},
	{verbs: "be widow", rest: en(`^()(?:{end}|(?:now|since|for|and|last|with|but|in)\b)`), key: keyMarital, value: is("widowed")},

	// work and study
	{verbs: "work freelance be employ", rest: en(`^(?:[^,;]{0,40}? )?as (an? .+|the .+|[\p{Ll}].+)$`), key: keyWork, value: enAnyJob, since: true},
	{verbs: "work", rest: en(`^(?:full[- ]time |part[- ]time |mostly |mainly )*in ({trades})(?:{end}| (?:at|for|since|as|and|but|so|now|these|here|too)\b.*$)`), key: keyWork, value: enTrade, since: true},
	{verbs: "work", rest: en(`^for myself\b()`), key: keyWork, value: is("self-employed"), of: ofUser},
	{verbs: "work intern be employ|serve", rest: en(`^(.+)$`), key: keyEmployer, value: enAtFirm, since: true},
	{verbs: "be employ", rest: en(`^(?:full-time |part-time )?by (.+)$`), key: keyEmployer, value: enCompany, since: true},
	{verbs: "be hire|be recruit", rest: en(`^(?:as .+? )?(?:by|at) (.+)$`), key: keyEmployer, value: enCompany, mood: change, since: true},
	{verbs: "be hire|be take|start begin", rest: en(`^(?:on |working |out |my new job |a new job |a job )*as (an? .+|the .+)$`), key: keyWork, value: enAnyJob, mood: change, since: true},
	{verbs: "be promote", rest: en(`^to (?:the )?(.+)$`), key: keyWork, value: enAnyJob, mood: change, since: true},
	{verbs: "become be make", rest: en(`^(.+)$`), key: keyWork, value: enPost, mood: change, since: true},
	{verbs: "start begin", rest: en(`^(?:my |a |the )?(?:new )?(?:work(?:ing)?|job|position|role|post)? ?(?:at|with|for) (.+)$`), key: keyEmployer, value: enStartedAt, mood: change, since: true},
	{verbs: "get find land take accept have", rest: en(`^(?:an?|the|my) (?:new |part-time |full-time |permanent |summer |better )*(?:job|position|role|post|contract|gig) (?:as [^,;]+? )?(?:at|with|for) (.+)$`), key: keyEmployer, value: enCompany, mood: change, since: true},
	{verbs: "have", rest: en(`^an? (?:new |part-time |full-time |permanent |summer |better )*(?:job|position|role|post|contract|gig) (?:as [^,;]+? )?(?:at|with) (.+)$`), key: keyEmployer, value: enCompany, since: true},
	{verbs: "do", rest: en(`^(?:an? |my )(?:\p{L}+ )?(?:internship|placement|traineeship|apprenticeship|residency) (?:at|with) (.+)$`), key: keyEmployer, value: enCompany, since: true},
	{verbs: "get find land take accept have", rest: en(`^(?:an?|the|my) (?:new |part-time |full-time |permanent |summer |better )*(?:job|position|role|post|gig) as (an? .+)$`), key: keyWork, value: enAnyJob, mood: change, since: true},
	{verbs: "switch change move transfer", rest: en(`^(?:(?:jobs?|employers?|companies) )?(?:and .{0,20})?(?:from .+? )?to a (?:new )?(?:job|position|role) (?:at|with) (.+)$`), key: keyEmployer, value: enCompany, mood: change, since: true},
	{verbs: "switch change move", rest: en(`^(?:jobs?|employers?|companies) (?:and .{0,20})?(?:from .+? )?to (.+)$`), key: keyEmployer, value: enCompany, mood: change, since: true},
	{verbs: "transfer", rest: en(`^(?:from .+? )?to (.+)$`), key: keyEmployer, value: enJoined, mood: change, since: true},
	{verbs: "join", rest: en(`^(.+)$`), key: keyEmployer, value: enJoined, mood: change, since: true},
	{verbs: "have", rest: en(`^(?:about |around |roughly |just over )?((?:[€$£¥]|USD |EUR )?\d[\d.,]*k?(?: ?(?:euros?|dollars|pounds|francs|€|\$|£))?) in savings\b`), key: keySavings, value: enWhole, of: ofUser},
	{verbs: "earn make", rest: en(`^(?:about |around |roughly |just over |just under )?((?:[€$£¥]|USD |EUR |CHF )?\d[\d.,]*k?(?: ?(?:euros?|dollars|pounds|francs|€|\$|£))?(?: (?:after tax|before tax|net|gross))? (?:a|per) (?:month|year|week|hour))(?:{end}| (?:after|before|net|gross|and|but|so|at|as)\b.*$)`), key: keySalary, value: enWhole, of: ofUser},
	{verbs: "make earn", rest: en(`^(?:my|a) (?:living|keep|crust|money) as (.+)$`), key: keyWork, value: enAnyJob},
	{verbs: "teach drive fly repair sell run make train do drive build paint write", rest: en(`^(?:an? |the )?(.+?) for a living\b`), key: keyWork, value: enItem, of: ofUser},
	{verbs: "quit leave resign lose", rest: en(`^(?:from )?(?:(?:my|his|her|the) (?:old |day )?(?:job|position|post|role) )?(?:as [^,;]+? )?(?:at|with|from) (.+)$`), key: keyEmployer, value: enCompany, mood: ending},
	{verbs: "quit resign", rest: en(`^(?:from )?(\p{Lu}.+)$`), key: keyEmployer, value: enCompany, mood: ending, of: ofUser},
	{verbs: "be lay|be fire|be sack|get|be make", rest: en(`^(?:laid |fired |sacked |made )?(?:off |redundant )?(?:from|by|at) (?:my (?:job|position) (?:at|with) )?(.+)$`), key: keyEmployer, value: enCompany, mood: ending},
	{verbs: "retire be retire", rest: en(`^()(?:{end}|(?:from|now|since|for|and|last|this|in|two|three|four|five|six|ten|a|after|at|early|at last|years|but|as|\d|on)\b)`), key: keyWork, value: is("retired"), mood: change, since: true},
	{verbs: "teach", rest: en(`^(.+)$`), key: keyEmployer, value: enAtFirm},
	{verbs: "teach nurse farm", rest: en(`^()(?:{end}|(?:last|this|in|two|three|when|after|because|to|for|and)\b)`), key: keyWork, value: nil, mood: lapsed, of: ofUser},
	{verbs: "run manage own", rest: en(`^(?:and run )?(?:an?|my own|our own|the) (.+)$`), key: keyOwns, value: enBusiness, of: ofUser},
	{verbs: "found start open", rest: en(`^(?:an?|my own|our own) (.+)$`), key: keyOwns, value: enBusiness, of: ofUser, mood: change},
	{verbs: "study major read do", rest: en(`^(?:in |an? |my |for |towards? )*(?:(?:phd|ph\.d\.|master['’]?s|bachelor['’]?s|bsc|ba|msc|ma|degree|undergrad(?:uate)?|graduate|apprenticeship)(?: degree)?(?: in)? )?(?:in )?((?:[\p{L}-]+ )?(?:{subjects})(?: and (?:{subjects}))?)(?:{end}| (?:at|in|with|for|since|part|full|and|now|there|but|online|instead|this|over|because|so|again|too|these)\b.*$)`), key: keyStudies, value: enWhole},
	{verbs: "do have study start", rest: en(`^(?:my|an?) (?:phd|ph\.d\.|master['’]?s|bachelor['’]?s|bsc|ba|msc|ma|degree|doctorate|diploma|apprenticeship)(?: degree)? in ([\p{L}-]+(?: [\p{L}-]+)??(?: (?:engineering|science|sciences|studies|history|policy|management|technology|arts?|design|therapy|linguistics|literature|biology|chemistry|physics))?)(?:{end}| (?:at|in|with|from|and|but|through|part|online)\b.*$)`), key: keyStudies, value: enWhole},
	{verbs: "major graduate", rest: en(`^in ((?:[\p{L}-]+ )?(?:{subjects})(?: and (?:{subjects}))?)(?:{end}| (?:at|from|in|with|and|but)\b.*$)`), key: keyStudies, value: enWhole, mood: always},
	{verbs: "graduate", rest: enCased(`^(?:in [\p{Ll} ]+ )?from (?:the )?(\p{Lu}[\p{L}'’-]+(?: (?:of )?\p{Lu}[\p{L}'’-]+)*)`), key: keySchool, value: enWhole, mood: always},
	{verbs: "switch change transfer", rest: en(`^(?:my major |majors |degrees |courses )?(?:from (?:[\p{L}-]+ )?(?:{subjects}) )?to ({subjects})\b`), key: keyStudies, value: enWhole, mood: change},
	{verbs: "give drop", rest: en(`^(?:up|out of) (?:studying )?({subjects})\b`), key: keyStudies, value: enWhole, mood: ending, of: ofUser},
	{verbs: "study read do", rest: enCased(`^(?:my |a |an |for )*(?:[\p{L}'’. -]{2,40}) at (?:the )?(\p{Lu}[\p{L}'’-]+(?: (?:of )?\p{Lu}[\p{L}'’-]+)*)`), key: keySchool, value: enWhole},
	{verbs: "have get", rest: en(`^an? (?:phd|master['’]?s|bachelor['’]?s|degree|diploma)(?: degree)? in ((?:{subjects})(?: and (?:{subjects}))?)(?:{end}| (?:from|and|but)\b)`), key: keyStudies, value: enWhole},
	{verbs: "go", rest: enCased(`^to (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*), (?:first|second|third|final|last|my \w+) year\b`), key: keySchool, value: enWhole},
	{verbs: "study attend go do enrol enroll be enrol|be enroll|start be be graduate|graduate", rest: en(`^(.+)$`), key: keySchool, value: enAtSchool},

	// health and food
	{verbs: "have develop", rest: en(`^(?:an? )?(?:bad |severe |mild |serious |strong |nasty |terrible |life-threatening |deadly )*allerg(?:y|ies) to (.+)$`), key: keyAllergy, value: enAllergens},
	{verbs: "have", rest: en(`^(?:an? )?(?:bad |severe |mild |serious |strong |nasty |terrible |life-threatening |deadly )*([\p{L}-]+(?: [\p{L}-]+)?) allerg(?:y|ies)(?:{end}| (?:and|so|since|too|that|which)\b)`), key: keyAllergy, value: enAllergen},
	{verbs: "have suffer carry", rest: en(`^(?:from )?(?:quite )?(?:an? )?(?:mild |severe |chronic |bad |terrible |serious |early |slight |really bad |from )*({illness})(?:$|[ ,;.)].*$)`), key: keyCondition, value: enWhole},
	{verbs: "be diagnose", rest: en(`^(?:as |with )(?:having |an? )?(?:mild |severe )?(.+)$`), key: keyCondition, value: enItem, mood: always, since: true},
	{verbs: "take inject", rest: en(`^(?:(?:\d[\d.,]* ?(?:mg|mcg|µg|g|ml|units?|IU) |one |two |an? |my |some )?(?:tablets? |pills? )?(?:of )?)([\p{L}][\p{L}\d-]*(?: [\p{L}\d-]+)?)(?: \d+ ?mg)?(?: (?:for my|for the|against|every|daily|twice|once|each|in the morning|at night|before|after|to control|because of my)\b.*)$`), key: keyMedication, value: enDrug},
	{verbs: "come", rest: en(`^off (?:the |my )?([\p{L}-]+)(?:$|[ ,;.)].*$)`), key: keyMedication, value: enPharmacy, mood: ending},
	{verbs: "take use be put|stop|be", rest: en(`^(?:taking )?(?:on )?(?:\d[\d.,]* ?(?:mg|mcg|µg|g|ml|units?|IU) (?:of )?)?(blood thinners|beta blockers|[\p{L}-]+)(?:$|[ ,;.)].*$)`), key: keyMedication, value: enPharmacy},
	{verbs: "go become turn convert", rest: en(`^(?:to )?(?:strict |mostly |fully |completely )*({diets})(?: diet)?(?:$|[ ,;.)].*$)`), key: keyDiet, value: enWhole, mood: change, since: true},
	{verbs: "eat follow keep", rest: en(`^(?:an? |on an? |a strictly |strictly |to )?(?:strict |mostly |fully |lifelong |completely )*({diets})(?: diet)?(?:$|[ ,;.)].*$)`), key: keyDiet, value: enWhole, mood: state, since: true},
	{verbs: "eat drink touch tolerate consume digest stomach handle", rest: en(`^(?:any )?(.+)$`), key: keyAvoids, value: enFood, mood: denied, since: true},
	{verbs: "smoke", rest: en(`^()(?:{end}|(?:at all|any ?more|any longer|cigarettes|since|for|because|so)\b)`), key: keyAvoids, value: is("smoking"), mood: denied, of: ofUser, since: true},
	{verbs: "get be", rest: en(`^paid (?:on|every month on|each month on) (?:the )?(\d{1,2}(?:st|nd|rd|th)|last (?:working )?day|first (?:working )?day)\b`), key: keyPayday, value: enWhole, of: ofUser},
	{verbs: "drink", rest: en(`^()(?:$|at all\b|(?:any ?more|any longer|alcohol)\b)`), key: keyAvoids, value: is("alcohol"), mood: denied, of: ofUser, since: true},
	{verbs: "have do", rest: en(`^(?:any )?(.+)$`), key: keyAvoids, value: enUnable, mood: denied},
	{verbs: "avoid abstain", rest: en(`^(?:from )?(?:eating |drinking )?(.+)$`), key: keyAvoids, value: enGivenUp},
	{verbs: "swear", rest: en(`^off (.+)$`), key: keyAvoids, value: enGivenUp, mood: change},
	{verbs: "stay steer keep", rest: en(`^(?:away from|clear of|off) (?:eating |drinking )?(.+)$`), key: keyAvoids, value: enGivenUp},
	{verbs: "give cut", rest: en(`^(?:up|out) (?:eating |drinking )?(.+)$`), key: keyAvoids, value: enGivenUp, mood: change},
	{verbs: "be", rest: en(`^allowed (?:any )?(.+)$`), key: keyAvoids, value: enFood, mood: denied},

	// skills and pastimes
	{verbs: "speak", rest: en(`^(?:{num}|several|a few|some) languages[:,]? (?:namely )?(.+)$`), key: keySpeaks, value: enTongues},
	{verbs: "speak", rest: en(`^(.+)$`), key: keySpeaks, value: enTongues},
	{verbs: "learn", rest: en(`^(?:how )?(?:the )?(.+)$`), key: keyLearning, value: enLearned},
	{verbs: "study", rest: en(`^(.+)$`), key: keyLearning, value: enTongues},
	{verbs: "teach", rest: en(`^(?:myself|himself|herself|ourselves) (?:how )?(?:the )?(.+)$`), key: keyLearning, value: enLearned},
	{verbs: "take have", rest: en(`^(?:up )?(?:an? )?(?:weekly |private |online |evening )*((?:{languages})|(?:{sports})|(?:{doing})|(?:{going})|singing|driving|drawing|painting|cooking|dance) (?:lessons?|class(?:es)?|courses?)\b`), key: keyLearning, value: enWhole},
	{verbs: "take do have", rest: en(`^(?:an? )?(?:weekly |private |online |evening |night )*(?:lessons?|class(?:es)?|courses?) in ({languages}|{doing}|{subjects}|singing|driving|drawing|painting|cooking|dancing|sewing|woodwork)\b`), key: keyLearning, value: enWhole},
	{verbs: "play", rest: en(`^((?:acoustic |electric |classical |the )?{sports})(?:$|[ ,;.](?:in|at|for|every|on|with|twice|once|regularly|since|a lot|and|competitively|most|as|professionally|each|three|two|weekly|whenever|here|now|there|but|when|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)?\b.*$)`), key: keyHobby, value: enPlayed},
	{verbs: "play", rest: enCased(`^(?:(?:a lot|lots) of )?(\p{Lu}[\p{L}\d:'’-]*(?: (?:of |the |and )*[\p{Lu}\d][\p{L}\d:'’-]*)*)(?:$|[ ,;.](?:every|most|on|with|in the|a lot|regularly|almost|after|and|since|competitively|online|at|all)?\b.*$)`), key: keyHobby, value: enPlayed},
	{verbs: "do practise practice take start get", rest: en(`^(?:up |into )?(?:a (?:bit|little|lot) of |some )?({doing}|{going}|gardening|painting|knitting|photography|crochet|embroidery|woodworking|woodcarving|carpentry|baking|cooking|drawing|sketching|quilting|sewing|origami|theatre|stand-up|improv|cosplay|beekeeping)(?:$|[ ,;.].*$)`), key: keyHobby, value: enPlayed},
	{verbs: "start take get", rest: en(`^(?:up |into |doing |going |with )?({doing}|{going}|gardening|painting|knitting|photography|crochet|embroidery|woodworking|carpentry|baking|sewing|quilting|beekeeping|birdwatching)(?:$|[ ,;.].*$)`), key: keyHobby, value: enPlayed, mood: change},
	{verbs: "run", rest: en(`^()(?:a |about |around )?(?:\d+|half|five|ten|three) ?(?:k|km|kilomet(?:re|er)s|miles?|marathons?)\b.*\b(?:every|each|a (?:day|week)|daily|most|weekly|on \w+days)\b`), key: keyHobby, value: nil, of: ofUser},
	{verbs: "go", rest: en(`^({going})(?:{end}| (?:every|regularly|on|twice|once|three|each|most|a lot|whenever|several|all the time|weekly|in the (?:mornings?|evenings?)|with|and|as often)\b.*$)`), key: keyHobby, value: enWentTo},
	{verbs: "take", rest: en(`^up (?:the )?(\w+ing|{sports}|{doing})(?:$|[ ,;.].*$)`), key: keyHobby, value: enPlayed, mood: change},
	{verbs: "collect", rest: en(`^(.+)$`), key: keyHobby, value: enCollected},
	{verbs: "sing play perform act dance", rest: en(`^(in (?:an?|the|my|our) (?:[\p{L}-]+ ){0,3}?(?:choir|quartet|band|chorus|orchestra|ensemble|troupe|theatre group|trio|big band|brass band|group|musical))\b`), key: keyHobby, value: nil, of: ofUser},
	{verbs: "get wake", rest: en(`^up (?:at )?(\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)?|(?:four|five|six|seven|eight|nine|ten)(?: thirty| fifteen)?|half (?:past )?\w+|quarter (?:past|to) \w+)(?:{end}| (?:on|every|each|most|in|during)\b)`), key: "wake-up time", value: enWhole, of: ofUser},
	{verbs: "go", rest: en(`^to (?:bed|sleep) (?:at |around )(\d{1,2}(?::\d\d)?(?: ?[ap]\.?m\.?)?|nine|ten|eleven|twelve|midnight)(?:{end}| (?:on|every|each|most|during|and)\b)`), key: "bedtime", value: enWhole, of: ofUser},
	{verbs: "fence box ski surf row swim skate climb dance run sail hike", rest: en(`^()$`), key: keyHobby, value: nil, mood: lapsed, of: ofUser},
	{verbs: "run box fence swim cycle hike climb dance knit garden bake paint fish crochet sew quilt embroider sketch juggle skateboard whittle meditate", rest: en(`^()(?:{end}|(?:every (?:day|morning|week|evening|weekend|other|single|night|sunday|saturday|monday|tuesday|wednesday|thursday|friday)|twice|three|four|once|at (?:an?|the|my|our) (?:\p{L}+ )?(?:club|gym|centre|center|studio)|on (?:weekends|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays)|regularly|a lot|for fun|in my (?:free|spare) time|most (?:days|mornings|weekends|evenings)|to relax|in the (?:mornings?|evenings?)|and)\b)`), key: keyHobby, value: nil, of: ofUser},

	// tastes
	{verbs: "stand bear abide", rest: en(`^(.+)$`), key: keyDislikes, value: enTastes, mood: denied},
	{verbs: "get", rest: en(`^enough of (.+)$`), key: keyLikes, value: enTastes, mood: denied},
	{verbs: "hate dislike loathe detest despise", rest: en(`^(.+)$`), key: keyDislikes, value: enTastes},
	{verbs: "go", rest: en(`^off (.+?)(?: completely| entirely)?$`), key: keyLikes, value: enTastes, mood: ending},
	{verbs: "fall", rest: en(`^in love with (.+)$`), key: keyLikes, value: enTastes, mood: change},
	{verbs: "get", rest: en(`^(?:really )?into (\p{L}.+)$`), key: keyLikes, value: enInto, mood: change},
	{verbs: "have", rest: en(`^(?:such )?an? (?:real |huge |big |bit of a |serious )*(?:soft spot|weakness|passion|thing|love|fondness|obsession)(?: for| with) (.+)$`), key: keyLikes, value: enTastes},
	{verbs: "like love enjoy adore favour favor fancy cherish dig", rest: en(`^(.+)$`), key: keyLikes, value: enTastes, mood: taste},
	{verbs: "care", rest: en(`^(?:much )?for (.+)$`), key: keyLikes, value: enTastes, mood: taste},
	{verbs: "support", rest: enCased(`^(\p{Lu}\p{L}+(?: \p{Lu}\p{L}+){0,2})(?:{end}| (?:since|all|for|because|and|as|no matter)\b)`), key: keyLikes, value: enWhole, of: ofUser},
	{verbs: "prefer", rest: en(`^(.+)$`), key: keyLikes, value: enPreferred, mood: taste},

	// possessions
	{verbs: "drive ride own fly sail", rest: en(`^(?:around in )?(?:an?|my|our) (.+)$`), key: keyOwns, value: enOwned, of: ofUser},
	{verbs: "buy purchase acquire get inherit", rest: en(`^(?:myself |ourselves |us )?(?:an?|our first|my first) (.+)$`), key: keyOwns, value: enBought, mood: change, of: ofUser},
	{verbs: "trade swap", rest: en(`^(?:in )?(?:my|our) (?:old )?(.+?) (?:in )?for an? `), key: keyOwns, value: enOwned, mood: ending, of: ofUser},
	{verbs: "trade swap", rest: en(`^(?:in )?(?:my|our|the) .+? (?:in )?for an? (.+)$`), key: keyOwns, value: enBought, mood: change, of: ofUser},
	{verbs: "sell scrap donate give throw", rest: en(`^(?:away |off )?(?:my|our|the|an?) (.+?)(?: away| off)?$`), key: keyOwns, value: enOwned, mood: ending, of: ofUser},
	{verbs: "give", rest: en(`^up (?:my|our|the) (allotment|garden|car|bike|boat|van|motorbike|piano|dog|cat|horse)\b`), key: keyOwns, value: enOwned, mood: ending, of: ofUser},
	{verbs: "get", rest: en(`^rid of (?:my|our|the|an?) (.+)$`), key: keyOwns, value: enOwned, mood: ending, of: ofUser},
	{verbs: "have own keep", rest: en(`^(?:an?|the|our|my|any) ({pets})s?\b`), key: keyPet, value: enWhole, mood: lacking, of: ofUser},
	{verbs: "own", rest: en(`^(.+)$`), key: keyOwns, value: enOwnings, of: ofUser},
	{verbs: "have own drive", rest: en(`^(?:an?|the|my|our) (.+)$`), key: keyOwns, value: enOwned, mood: lacking, of: ofUser},
	{verbs: "have get own", rest: en(`^(?:an? |my own )(?:new |old |second-hand |used |secondhand )*(.+)$`), key: keyOwns, value: enBranded, of: ofUser},
	{verbs: "have get", rest: en(`^my own ((?:[\p{Ll}\d'’-]+ ?){1,3})(?:{end}|(?:now|in|at|with|and|so|for)\b)`), key: keyOwns, value: enItem, of: ofUser},
	{verbs: "upgrade switch", rest: en(`^from (?:an? |my )?(?:old )?(.+?) to `), key: keyOwns, value: enBranded, mood: ending, of: ofUser},
	{verbs: "upgrade switch", rest: en(`^(?:from .+? )?to (?:an? |the )?(?:new )?(.+)$`), key: keyOwns, value: enBranded, mood: change, of: ofUser},
	{verbs: "leave quit delete ditch drop", rest: en(`^(Twitter|Facebook|Instagram|TikTok|Reddit|LinkedIn|WhatsApp|Telegram|Discord|Netflix|Spotify|Mastodon|Bluesky|Snapchat)(?:{end}| (?:last|this|in|two|three|a|because|when|for good|years|months|and)\b)`), key: keyUses, value: enWhole, mood: ending, of: ofUser},
	{verbs: "ditch abandon replace leave drop", rest: en(`^([\p{L}\d. ]+?) (?:for|with|in favou?r of) `), key: keyUses, value: enProduct, mood: ending, of: ofUser},
	{verbs: "upgrade switch", rest: en(`^from (?:an? |my )?(?:old )?(.+?) to `), key: keyOwns, value: enBranded, mood: ending, of: ofUser},
	{verbs: "upgrade switch", rest: en(`^(?:from .+? )?to (?:an? |the )?(?:new )?(.+)$`), key: keyOwns, value: enBranded, mood: change, of: ofUser},
	{verbs: "ditch abandon replace leave drop", rest: en(`^[\p{L}\d. ]+? (?:for|with|in favou?r of) (.+)$`), key: keyUses, value: enProduct, mood: change, of: ofUser},
	{verbs: "move", rest: en(`^(?:all |everything|my |our )[^,]{0,30}? to (.+)$`), key: keyUses, value: enProduct, mood: change, of: ofUser},
	{verbs: "use", rest: en(`^(.+)$`), key: keyUses, value: enTool, of: ofUser},
	{verbs: "switch migrate change convert", rest: en(`^(?:over |across )?(?:from .+? )?to (?:using )?(.+)$`), key: keyUses, value: enTool, mood: change, of: ofUser},
	{verbs: "code program develop write", rest: en(`^(?:mostly |mainly )?in (.+)$`), key: keyUses, value: enTool, of: ofUser},
}

// What somebody is: what stands behind "am". A sentence may say several.
var enBeing = []enRule{
	{rest: en(`^({num})(?:[ -]years?[- ]old| years of age| yo| y/o)?(?: now| today)?(?:{end}| (?:and|but|so|with|this year)\b.*$)`), key: keyAge, value: enAge},
	{rest: en(`^(\d[\d.,]* ?(?:m|cm|metres?|meters?|centimet(?:re|er)s|feet|foot|ft)(?: ?\d+(?: ?(?:in|inch|inches|cm))?)?|\d['’]\d{1,2}(?:["”]|'')?)(?: tall)?(?:{end}| (?:and|but)\b.*$)`), key: keyHeight, value: enWhole},
	{rest: en(`^(?:an? )?(lactose[- ]intolerant|gluten[- ]intolerant|colou?r[- ]?blind|diabetic|type (?:1|2|one|two) diabetic|asthmatic|dyslexic|epileptic|deaf(?: in (?:one|my (?:left|right)) ear)?|hard of hearing|short-sighted|near-sighted|long-sighted|far-sighted|coeliac|celiac|autistic|anaemic|anemic|visually impaired|hearing impaired|hemophiliac|haemophiliac|lactose and gluten intolerant)(?:{end}| (?:and|but|so|since|too|as|like)\b.*$)`), key: keyCondition, value: enWhole},
	{rest: en(`^(?:\w+ly )?allergic to (.+)$`), key: keyAllergy, value: enAllergens},
	{rest: en(`^(?:an? )?(?:strict |mostly |fully |lifelong |ethical |committed )*({diets})(?:{end}| .*$)`), key: keyDiet, value: enWhole, since: true},
	{rest: en(`^(?:down to|up to|at) (\d[\d.,]* ?(?:kg|kilos?|kilograms?|pounds|lbs?|stone)(?: \d+)?)`), key: keyWeight, value: enWhole},
	{rest: en(`^on an? (?:strict )?({diets}) diet\b`), key: keyDiet, value: enWhole},
	{rest: en(`^(?:an? )?(?:born and bred |native |proud |naturali[sz]ed )*({nations})(?: (?:citizen|national|girl|guy|lad|man|woman|by (?:birth|nationality|passport)|and proud of it))?(?:{end}| (?:and|but|so|living|with)\b.*$)`), key: keyNationality, value: enWhole},
	{rest: en(`^(?:originally )?from (.+)$`), key: keyHometown, value: enPlace},
	{rest: en(`^(?:recently |happily |newly )?(single|divorced|widowed|separated|engaged|married)(?:{end}| (?:now|since|for|again|with|and|but)\b.*$)`), key: keyMarital, value: enWhole, since: true},
	{rest: en(`^an? (widow|widower|divorcee|newlywed)(?:{end}| .*$)`), key: keyMarital, value: enWhole},
	{rest: en(`^(?:in|on) (?:the )?((?:pacific|eastern|central|mountain|atlantic|greenwich|indian|japan|australian eastern) (?:standard |daylight |mean )?time|(?:CET|CEST|GMT|EST|EDT|PST|PDT|BST|IST|JST|UTC ?[+-]?\d*))\b`), key: keyTimezone, value: enWhole, of: ofUser},
	{rest: en(`^in a relationship with (.+)$`), key: "partner/name", value: enSpouse, of: ofUser},
	{rest: en(`^(?:fluent|bilingual|conversational) in (.+)$`), key: keySpeaks, value: enTongues},
	{rest: en(`^an? native (?:speaker of )?(.+?)(?: speaker)?$`), key: keySpeaks, value: enTongues},
	{rest: en(`^(?:an? )?(?:big |huge |great |massive |real |lifelong |die-hard |diehard |total |)*(?:fan of|lover of|fond of|into|(?:crazy|mad|nuts|wild|passionate|enthusiastic) about|keen on|addicted to|obsessed with|hooked on|partial to|a sucker for|sucker for) (.+)$`), key: keyLikes, value: enTastes, mood: taste},
	{rest: en(`^an? (?:big |huge |great |massive |real |lifelong |die-hard |diehard |avid |total )*([\p{L}][\p{L}\d'’& -]{1,40}?) (?:fan|supporter|lover|enthusiast|nut|buff|addict|fanatic|aficionado|fiend|nerd|geek)(?:{end}| (?:and|but|since|so|too|as)\b.*$)`), key: keyLikes, value: enFanOf, mood: taste},
	{rest: en(`^an? (?:first|second|third|fourth|final)[- ]year (?:phd |master['’]?s |undergraduate |medical )?((?:[\p{L}-]+ )?(?:{subjects})) (?:student|undergraduate|undergrad|major)\b`), key: keyStudies, value: enWhole},
	{rest: en(`^an? (?:phd |master['’]?s |undergraduate |graduate )?((?:{subjects})) (?:student|undergraduate|undergrad|major)\b`), key: keyStudies, value: enWhole},
	{rest: en(`^(?:an? )?(retired(?: [\p{Ll}-]+){1,3}?)(?:{end}| (?:from|with|and|who|now|in|at)\b.*$)`), key: keyWork, value: enJob},
	{rest: en(`^in (?:my|the) (?:first|second|third|fourth|fifth|final|last) year of (?:a )?((?:[\p{L}-]+ )?(?:{subjects}))\b`), key: keyStudies, value: enWhole},
	{rest: en(`^an? (?:(?:first|second|third|fourth|fifth|final)[- ]year |phd |master['’]?s |graduate )?student of ((?:[\p{L}-]+ )?(?:{subjects}))\b`), key: keyStudies, value: enWhole},
	{rest: en(`^in ({trades})(?:{end}| (?:at|for|and|but|so|now|too)\b.*$)`), key: keyWork, value: enTrade, since: true},
	{rest: en(`^(?:an? )?(?:practi[sc]ing |devout |non-practising |lapsed |strict )*(Muslim|Catholic|Christian|Buddhist|Hindu|Jewish|Sikh|Protestant|Lutheran|Quaker|Mormon|Baptist|Orthodox Christian|atheist|agnostic)(?:{end}| (?:and|but|so|by)\b.*$)`), key: keyReligion, value: enWhole},
	{rest: en(`^an? (Aries|Taurus|Gemini|Leo|Virgo|Libra|Scorpio|Sagittarius|Capricorn|Aquarius|Pisces)(?:{end}| (?:and|but|so)\b.*$)`), key: "star sign", value: enWhole, of: ofUser},
	{rest: en(`^(left-handed|right-handed|ambidextrous|left handed)(?:{end}| (?:and|but|so|like|since)\b.*$)`), key: keyHandedness, value: enWhole},
	{rest: en(`^an? (?:\p{L}+ )?({breeds})(?:{end}| (?:and|but|so|who|with|from|mix|cross)\b.*$)`), key: keyBreed, value: enWhole, of: ofPets},
	{rest: en(`^()(?:teetotal|a teetotaller|a non-drinker)\b`), key: keyAvoids, value: is("alcohol")},
	{rest: en(`^(retired|self[- ]employed|unemployed|semi-retired|freelance|on parental leave|on maternity leave|on paternity leave|between jobs|out of work|a stay-at-home (?:mum|mom|dad|parent|mother|father))(?:{end}| .*$)`), key: keyWork, value: enWhole, since: true},
	{rest: en(`^(.+)$`), key: keyWork, value: enPost, since: true},
	{rest: enCased(`^in (?:[Yy]ear|[Gg]rade|[Ff]orm|my \w+ year|the \w+ grade) ?\w* at (\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)*)`), key: keySchool, value: enWhole},
	{rest: en(`^(?:with|in) ((?:the|an?) (?:[\p{L}-]+ )?(?:fire brigade|fire department|police|council|post office|railways?|army|navy|air force|coast guard|civil service|ambulance service))\b`), key: keyEmployer, value: enPublic},
	{rest: en(`^(?:halfway |partway )?(?:through|doing|finishing|on|in the middle of) (?:a|my) (?:phd|master['’]?s|bachelor['’]?s|degree|diploma|doctorate)(?: degree)? in ([\p{L}-]+(?: (?:engineering|science|sciences|studies|history|policy|management|technology|arts?|design|biology|chemistry|physics|literature))?)(?:{end}| .*$)`), key: keyStudies, value: enWhole},
	{rest: en(`^((?:A|B|AB|O) ?(?:rh )?(?:negative|positive))\b`), key: keyBlood, value: enWhole},
	{rest: en(`^((?:four|five|six) (?:foot|feet|ft)(?: (?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|\d+)(?: inches)?)?)(?: tall)?(?:{end}| (?:and|but)\b.*$)`), key: keyHeight, value: enWhole},
	{rest: en(`^with (an? [\p{L} -]{2,40}? called .+)$`), key: keyEmployer, value: enCompany, since: true},
	{rest: en(`^(?:an? )?(?:proud |single |new |full-time )*(?:mum|mom|dad|mother|father|parent) (?:of|to) ({num})\b(?:{end}| .*$)`), key: keyNumberOf + "children", value: enMany, of: ofUser},
	{rest: en(`^(?:an? )?(?:proud |new )*(?:grandmother|grandfather|grandma|grandpa|grandparent|granny|grandad|nan|nana) (?:of|to) ({num})\b(?:{end}| .*$)`), key: keyNumberOf + "grandchildren", value: enMany, of: ofUser},
}

// enByVerb are the rules by the verbs that they read.
var enByVerb = func() map[string][]enRule {
	m := map[string][]enRule{}
	for _, r := range enRules {
		for _, list := range strings.Split(r.verbs, "|") { // of what ends in "be " two words are one verb
			fields := strings.Fields(list)
			for i := 0; i < len(fields); i++ {
				verb := fields[i]
				if verb == "be" && i+2 == len(fields) {
					verb, i = "be "+fields[i+1], i+1
				}
				m[verb] = append(m[verb], r)
			}
		}
	}
	return m
}()

// is returns a value that the rule itself says.
func is(value string) func(string) []string { return func(string) []string { return []string{value} } }

// holds reports whether a predicate states what a rule of this mood reads, and whether as over.
func (m mood) holds(p predicate) (over, ok bool) {
	if p.unreal {
		return false, false
	}
	switch m {
	case change:
		return false, (p.past || p.perfect || strings.HasPrefix(p.verb, "be ")) && !p.not && !p.over && !p.ing
	case ending:
		return true, (p.past || p.perfect || strings.HasPrefix(p.verb, "be ")) && !p.not && !p.over && !p.ing
	case lapsed:
		return true, p.over
	case lacking:
		return true, (p.not && !p.perfect || p.over) && !p.past
	case denied:
		return false, (p.not || p.over) && !p.past
	case taste:
		return p.over, !p.past || p.over || p.never
	case always:
		return false, !p.not && !p.over
	}
	return p.over || p.not || p.past && !p.perfect, true
}

// enPhrase is how far a phrase of place or company may stand from the verb.
const enPhrase = 60

// after returns what stands behind each of some words in a text, as far as a mark or another clause, in order.
func after(text string, prepositions map[string]bool, f func(rest string) []string) []string {
	for _, w := range wordsOf(text) {
		if w.from > enPhrase || enBreaks[w.text] {
			return nil
		}
		if prepositions[w.text] {
			if v := f(strings.TrimSpace(text[w.to:])); v != nil {
				return v
			}
		}
	}
	return nil
}

var (
	enBreaks  = set(", ; : ( ) . ! that who which where because so but if when while until like")
	enInWhere = set("in", "at", "called", "named")
	enToWhere = set("to", "in", "into", "called", "named")
	enAtWhom  = set("at", "for", "called", "named")
)

// enSomewhere returns the place in "with my parents in Tampere", "in a village called Aldbourne".
func enSomewhere(v string) []string {
	if m := enOnIsland.FindStringSubmatch(v); m != nil && !enStreet.MatchString(m[1]) {
		return enPlace(m[1])
	}
	return after(v, enInWhere, func(rest string) []string {
		if enUnsettled.MatchString(rest) {
			return nil
		}
		return enPlace(rest)
	})
}

var (
	enOnIsland = enCased(`^on (?:the )?(\p{Lu}.*)$`) // "on Skye"
	enStreet   = en(`^[\p{L}’' ]*\b(?:street|road|avenue|lane|drive|way|close|square|st|rd|ave|floor|row|terrace|place|hill|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)\b`)
)

var enUnsettled = en(`^\S+(?: \S+)?(?: for (?:the|a|two|three|a few) (?:weekend|week|weeks|days?|night|moment|summer|holidays?)|, visiting)\b`)

// enMovedTo returns the place in "over from Austin to Denver".
func enMovedTo(v string) []string {
	if enMovedThing.MatchString(v) {
		return nil
	}
	return after(v, enToWhere, enPlace)
}

var enMovedThing = en(`^(?:it|this|that|these|those|them|my|our|the|all|everything|some)\b`)

// enAtFirm returns the employer in "nights on a ward at St Mary's".
func enAtFirm(v string) []string {
	if enYearsAt.MatchString(v) {
		return nil // "30 years at the post office": then, perhaps
	}
	if m := enInKind.FindStringSubmatch(v); m != nil && enKindOfPlace.MatchString(m[1]) { // "in a bakery"
		return enCompany(m[1])
	}
	if enOnWhat.MatchString(v) {
		return nil // "on a project for …"
	}
	return after(v, enAtWhom, enCompany)
}

var enYearsAt = en(`\b(?:years?|months|decades?) (?:at|with|for)\b`)

// enStartedAt returns where somebody has started to work.
func enStartedAt(v string) []string {
	if enNoStart.MatchString(v) {
		return nil
	}
	return enCompany(v)
}

var enNoStart = en(`\b(?:gym|club|church|choir|band|class|course|school|university|college|academy|uni|theatre|orchestra|nursery|kindergarten)\b|^the (?:beginning|end|top|bottom|age)\b`)

var enInKind = en(`^(?:nights |days |part[- ]time |full[- ]time |mornings |shifts )*in ((?:an?|the) .+)$`)

var enOnWhat = en(`^(?:on|with|through|towards?|around|hard|out|up|well|fine|perfectly|great|best|better|together|like|against) `)

var (
	enSchoolRe  = compile(`((?:[Tt]he )?(?:[\p{Lu}][\p{L}'’.-]* )*(?:University|College|School|Institute|Academy|Primary|Elementary|Comprehensive|Montessori|Polytechnic|Conservatory|TU|LSE|UCL|KTH|EPFL|NYU|RWTH|Caltech|ETH|MIT|UCLA|Oxford|Cambridge|Harvard|Stanford|Yale|Purdue|Princeton|Berkeley|Gymnasium|Kindergarten|High|Uni)(?: (?:of|for)(?: [\p{Lu}][\p{L}'’-]*)+| [\p{Lu}][\p{L}'’-]*)*)`)
	enSchoolish = en(`\b(?:student|school|university|college|uni|degree|study|studying|freshman|sophomore|junior|senior|phd|master|bachelor|undergrad\w*|graduate|year|enrol\w*|to|at)\b`)
)

// enAtSchool returns the school in "a freshman at Purdue", "to Lincoln High".
func enAtSchool(v string) []string {
	m := enSchoolRe.FindStringIndex(v)
	if m == nil || m[0] > enPhrase || !enSchoolish.MatchString(v[:m[0]]) && m[0] > 0 || strings.ContainsAny(v[:m[0]], ",;(") || enStaff.MatchString(v[:m[0]]) {
		return nil
	}
	return enSchool(strings.TrimSpace(v[m[0]:m[1]]))
}

// enStaff are people who are at a school to work.
var enStaff = en(`\b(?:internship|intern|placement|apprenticeship|professor|lecturer|teacher|librarian|researcher|postdoc|nurse|cleaner|cook|caretaker|janitor|secretary|coach|tutor|work|working|job|assistant|director|dean|head|technician|play|match|game|party|event|meeting|dinner)\b`)

// enAnyJob returns what somebody works as, known as an occupation or not.
func enAnyJob(v string) []string {
	v = tidy(enJobStop.ReplaceAllString(strings.TrimSpace(v), ""))
	for _, article := range []string{"an ", "a ", "the "} {
		v = strings.TrimPrefix(v, article)
	}
	if v == "" || wordCount(v) > 4 || enNoJob.MatchString(v) || enNoWork.MatchString(v) {
		return nil
	}
	return []string{v}
}

var enNoWork = en(`^(?:normal|usual|expected|intended|before|well|much|hard|fast|many|soon|long|far|possible|one|part|team|result|reward|rule|kid|child|teen(?:ager)?|boy|girl|youngster|favou?r|gift|joke|test|substitute|replacement|whole|punishment|student|(?:my|your|his|her|our|their|its|this|that|it|i|we|he|she|they|you)\b.*)$`)

// enBranded returns a possession whose maker is well known: "a PlayStation 5".
func enBranded(v string) []string {
	if enForAWhile.MatchString(v) {
		return nil
	}
	if m := enBrand.FindStringSubmatch(v); m != nil {
		return []string{m[1]}
	}
	return nil
}

var enForAWhile = en(`\bfor (?:the|a|two|three) (?:weekend|day|week|days|test drive|month|trip|moment)\b`)

var enBrand = enCased(`^((?:\d{4} )?(?:PlayStation|PS[345]|Xbox|Nintendo|Switch|Steam Deck|Kindle|Kobo|iPad|iPhone|iMac|MacBook|Mac mini|ThinkPad|Chromebook|Surface|Pixel|Galaxy|Raspberry Pi|Roomba|Peloton|GoPro|Fitbit|Garmin|Apple Watch|Fairphone|Toyota|Honda|Ford|Tesla|Volkswagen|VW|Golf|Audi|BMW|Mercedes|Skoda|Škoda|Seat|Renault|Peugeot|Citro[eë]n|Fiat|Volvo|Subaru|Mazda|Nissan|Hyundai|Kia|Suzuki|Jeep|Land Rover|Mini|Dacia|Opel|Vauxhall|Lexus|Chevrolet|Chevy|Dodge|Harley|Vespa|Yamaha|Kawasaki|Ducati|Brompton|Canon|Nikon|Fujifilm|Leica|Sony|Bosch|Thermomix|KitchenAid|Fender|Gibson|Stratocaster|Telecaster|Steinway|Bechstein|John Deere|Massey Ferguson|DJI|Bambu|Prusa)\b(?: [\p{Lu}\d][\p{L}\d-]*)*)(?:$|[.,;!)]| (?:and|with|from|for|that|which|at|in|now|too|but|so|since)\b)`)

// enOwnings returns what somebody says to own: whatever has an article, one or several.
func enOwnings(v string) []string {
	var out []string
	for _, part := range enItemsOf.Split(enStop.ReplaceAllString(v, ""), -1) {
		m := enOwning.FindStringSubmatch(part)
		if m == nil && len(out) == 0 && enSome.MatchString(part) { // "three planes and a saw"
			continue
		}
		if m == nil || enNotOwned.MatchString(m[1]) || enFiniteVerb.MatchString(part) {
			break
		}
		out = append(out, thing(m[1]))
	}
	return out
}

var enSome = en(`^(?:{num}|some|several|many|a few|lots of) `)

var enOwning = en(`^(?:also )?an? ((?:[\p{L}\d'’-]+ ?){1,5})$`)

// enProduct returns a program or service that is known: one moves to those as to places.
func enProduct(v string) []string {
	if m := enProducts.FindStringSubmatch(v); m != nil {
		return []string{m[1]}
	}
	return nil
}

var enProducts = enCased(`^({products})(?:{end}| |$)`)

// enInto returns what somebody has got into: a pastime, no trouble.
func enInto(v string) []string {
	if enNotInto.MatchString(v) {
		return nil
	}
	return enTastes(v)
}

var enNotInto = en(`^(?:an?|the|my|our|his|her|their|this|that|some|it|bed|debt|trouble|shape|college|university|uni|school|med|law|work|arguments?|fights?|contact|touch|details?|position|place|line|\p{Lu}[\p{L}]*(?: \p{Lu}[\p{L}]*)*$)\b`)

// enPublic returns a public service without its article.
func enPublic(v string) []string {
	return []string{strings.TrimSpace(enArticle.ReplaceAllString(v, ""))}
}

// enPost returns an occupation with or without an article: "the head nurse on my ward", "shift supervisor".
func enPost(v string) []string {
	rest, article := strings.CutPrefix(v, "the ")
	if !article {
		if m := enArticle.FindString(v); m == "" && !enHeadOf.MatchString(v) && !enRanked.MatchString(v) {
			return nil
		}
		rest = v
	} else if !enHeadOf.MatchString(rest) && !enRanked.MatchString(rest) {
		return nil
	}
	return enJob(rest)
}

var enRanked = en(`^(?:deputy |assistant |senior |junior |lead |head |chief |shift |team |project |store |branch |regional |associate |vice )+[\p{Ll}]+|^(?:ceo|cto|cfo)\b`)

// enSpouse returns the name of whom somebody is married to.
func enSpouse(v string) []string {
	if n := enNames(v); len(n) == 1 && capitalised(n[0]) && !enNation.MatchString(n[0]) {
		return n
	}
	return nil
}

// enTrade returns a line of work; "it" is none in small letters.
func enTrade(v string) []string {
	if v == "it" || v == "hr" || v == "pr" || v == "tv" {
		return nil
	}
	return enWhole(v)
}

// enBusiness returns a business that somebody runs.
func enBusiness(v string) []string {
	m := enBusinessRe.FindStringSubmatch(v)
	if m == nil {
		return nil
	}
	return []string{thing(m[1])}
}

var enBusinessRe = en(`^(?:small |little |tiny |family |local |online |successful |own )*((?:[\p{L}-]+ )?(?:bakery|business|restaurant|café|cafe|coffee shop|shop|bookshop|store|farm|company|bar|pub|hotel|b&b|guesthouse|hostel|salon|studio|gym|garage|brewery|winery|vineyard|agency|consultancy|practice|clinic|startup|start-up|nursery|food truck|stall|smallholding|dairy|orchard))\b`)

// enAllergen returns what an allergy is to.
func enAllergen(v string) []string {
	if enNoAllergen.MatchString(v) {
		return nil
	}
	return enItem(v)
}

var enNoAllergen = en(`^(?:no|any|an?|the|my|many|some|few|several|lots of|all|food|seasonal|really|question about)$|\b(?:about|on|for|no)\b`)

// enAllergens returns what somebody is allergic to, if it is none of what one says in jest.
func enAllergens(v string) []string {
	if enJests.MatchString(v) {
		return nil
	}
	return enItems(v)
}

var enJests = en(`^(?:the )?(?:mondays?|mornings?|bullshit|bs|nonsense|work|working|exercise|fun|drama|responsibilit(?:y|ies)|people|stupidity|stupid|idiots?|maths?|meetings|commitment|effort|cleaning|cooking|chores|small talk|being|getting|your|my ex|getting up|early|losing|rules|deadlines|capitalism|adulting|bureaucracy|\p{Ll}+(?:ness|ity|ism|ship)|\p{Ll}+ing(?:$| (?:in|at|to|up|with|for|my|the|on|out|off|down|around|late|early))|paperwork|homework|housework|failure|success|tax(?:es)?|bills|bad|boring|stupid|ugly|lazy|rude|fake|the gym|gyms?|comic|e-?mails?|spam|politics|politicians?|sports?|gossip|love|hugs?|feelings|emotions|relationships?|silence|noise|crowds|queues|traffic|luck|money|change|advice|criticism|the truth|reality|adults?|children|kids|men|women|in-laws|weddings?|parties|jazz|music)\b`)

// enCapital returns a name that is written as one.
func enCapital(v string) []string {
	if n := enNames(v); len(n) == 1 && capitalised(n[0]) {
		return n
	}
	return nil
}

// enPharmacy returns a medicine, as its name tells or as it is well known.
func enPharmacy(v string) []string {
	if enMedicine.MatchString(v) {
		return []string{v}
	}
	return nil
}

var enMedicine = en(`^(?:insulin|warfarin|aspirin|ibuprofen|paracetamol|levothyroxine|ritalin|adderall|concerta|prozac|zoloft|xanax|lithium|antidepressants|beta[- ]blockers|statins|blood thinners|antihistamines|the pill|ozempic|ventolin|morphine|methadone|tamoxifen|prednisone|vitamin d|[\p{L}]{3,}(?:formin|statin|pril|sartan|olol|azole|cillin|mycin|oxetine|traline|pram|epam|olam|idine|afil|gliptin|tidine|parin|xaban|profen|triptan|gabalin|pentin|lukast|sone|solone|terol|amide|mab|nib|caine|codone|zepine|apine|idone|phenidate|tadine|rizine|thyroxine|glutide|barbital|vastatin|dipine|zosin|thiazide|semide|lactone))$`)

// enUnable returns what somebody "cannot have"; what they merely do not have is a possession.
func enUnable(v string) []string {
	if m := enFoodish.FindStringSubmatch(v); m != nil {
		return enFood(v)
	}
	return nil
}

var enFoodish = en(`\b(?:food|foods|dairy|gluten|lactose|milk|cheese|eggs?|nuts?|peanuts?|shellfish|seafood|fish|meat|pork|beef|sugar|salt|caffeine|coffee|alcohol|wine|beer|soya?|wheat|bread|chocolate|spicy food|sesame|grapefruit|onions?|garlic|tomatoes|citrus|aspirin|penicillin|ibuprofen)\b`)

// enGivenUp returns food or drink that somebody has given up.
func enGivenUp(v string) []string {
	if !enFoodish.MatchString(v) && !enDrinks.MatchString(v) {
		return nil
	}
	return enFood(v)
}

var enDrinks = en(`\b(?:sweets|soda|coke|carbs|crisps|chips|red meat|chicken|tea|booze|spirits|fast food|junk food|processed food|energy drinks)\b`)

// enFanOf returns what somebody is a fan of: "a huge K-pop fan".
func enFanOf(v string) []string {
	v = strings.TrimSpace(v)
	if enNotFanOf.MatchString(v) {
		return nil
	}
	return enItem(v)
}

var enNotFanOf = en(`^(?:an? |the |your |not |no |bit of a |long-time |longtime |keen |true |number one )?(?:big|huge|great|massive|real|lifelong|avid|total|true|keen|)?$|\b(?:ceiling|desk|your|computer|tech|of)\b`)

var enAndDoing = en(` and \w+ing\b`)

func enMany(v string) []string { return []string{digits(v)} }

// enWentTo returns a pastime that one goes to.
func enWentTo(v string) []string { return []string{strings.TrimPrefix(v, "to the ")} }

func enCollected(v string) []string {
	if m := enAndDoing.FindStringIndex(v); m != nil {
		v = v[:m[0]]
	}
	return each(enItem(v), func(s string) string { return "collecting " + s })
}
