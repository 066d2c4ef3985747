package fact

import (
	"strings"
)

// clause is a piece of a sentence with a subject and a predicate of its own: bytes [from, to) of the sentence.
type clause struct {
	from, to int
	joint    string // the word it is joined with: and, because, who; "," for a mark
	goesOn   bool   // it has no subject of its own: the one before goes on
}

var (
	// Words and marks between clauses.
	enJoints = set(strings.Fields(`, ; : ( ) – — - … ! . and but so because cause cuz coz since although though while whereas plus yet as which who whom whose where if unless when whenever until once after before except then or that`)...)
	// Joints that begin a clause whatever follows.
	enSubordinate = set("because", "cuz", "coz", "although", "though", "whereas", "if", "unless", "whenever", "who", "which", "where")
	// Words that a clause of its own begins with.
	enBeginners = set(strings.Fields(`i we you he she it they there everyone everybody nobody people someone somebody what how which why please let any tell show give help
		suggest recommend make find write explain remember note thanks both whatever who that's that this`)...)
	enInverts = set("can", "could", "would", "should", "do", "does", "did", "is", "are", "will", "am", "was", "were", "have", "has")
	enAsked   = set("i", "you", "he", "she", "it", "we", "they", "there", "my", "this", "that", "these", "those", "anyone", "any", "the")
	enAsks    = set("who", "whom", "whose", "which", "where", "when")
	// verbs whose base and third person are mostly nouns
	enPastimes = set(strings.Fields("fence box ski surf row skate sail crochet sew quilt sketch juggle skateboard act perform support nurse dance swim paint garden fish hike climb cycle knit bake draw train farm trade swap use study rent milk end change date age")...)
	enIsWords  = set("is", "are", "was", "were", "will", "would")
	// Finite verbs that may go on with the subject before, though they could be nouns, and words of which one must follow.
	enNouns = map[string]map[string]bool{
		"work": set("at", "for", "as", "in", "from", "part", "full", "nights", "days", "remotely", "night", "shifts", "there"), "works": set("at", "for", "as", "in", "from", "part", "full"),
		"study": set(), "farm": set("sheep", "cattle", "in", "near"), "paint": set(), "garden": set(), "fish": set(), "dance": set(), "run": set("a", "my", "our", "the", "an"), "cycle": set("to"), "climb": set(), "hike": set(), "rent": set("a", "an", "in"),
		"fear": set(), "hope": set("to", "i", "that"), "dream": set("of", "about"), "plan": set("to", "on"), "wish": set("i"), "help": set(), "use": set(), "date": set(), "age": set(), "milk": set(), "swim": set(), "lead": set("a", "the"), "train": set("at", "for"), "base": set(), "change": set(), "like": set(),
		"love": set(), "play": set(), "drink": set(), "share": set("a", "an"), "touch": set(), "code": set("in"), "end": set("up"), "start": set("at", "as"), "put": set(), "read": set(), "read's": set(), "set": set(), "cut": set(), "look": set("for"), "call": set(), "name": set(), "trade": set(), "swap": set(), "split": set("up"),
		"break": set("up"), "bear": set(), "manage": set(), "favour": set(), "hail": set(), "collect": set(), "need": set(), "want": set(), "stay": set(), "mind": set(), "fly": set(), "drive": set(), "study's": set(), "found": set(), "carry": set(), "suit": set(), "farms": set(), "plays": set("the", "for", "in"), "loves": set(), "likes": set(), "dreams": set("of"), "hopes": set("to"), "plans": set("to"), "uses": set(),
	}
	enPhraseWords = set(strings.Fields("in on at since for after from during last this these two three four five six seven eight nine ten a around about by late early ever each every most nowadays")...)
	enFinite      = set("living", "working", "studying", "working", "am", "is", "are", "was", "'m", "'ve", "have", "has", "had", "do", "does", "did", "can", "could", "would", "should", "will", "'ll", "might", "ca", "never", "used", "been", "allergic", "based", "originally", "married", "hate", "hates")
)

// enClauses cuts a text into its clauses.
func enClauses(text string, question bool) []clause {
	words := wordsOf(text)
	var out []clause
	begin, joint := 0, ""
	goesOn := false
	end := func(at int) {
		if at > begin {
			out = append(out, clause{begin, at, joint, goesOn})
		}
	}
	for i := 0; i < len(words); i++ {
		if !enJoints[words[i].text] || words[i].text == "." && i == len(words)-1 {
			continue
		}
		first := words[i].text
		last := first // the word that says how they are joined
		j := i + 1
		for j < len(words) && (enJoints[words[j].text] || enAdverbs[words[j].text] && !(j+1 < len(words) && words[j+1].text == "'s")) {
			if !enAdverbs[words[j].text] {
				last = words[j].text
			}
			j++
		}
		if j >= len(words) {
			continue
		}
		if last == "and" && (words[j].text == "i" || words[j].text == "me") && !enVerbal(words, begin, words[i].from) {
			continue // "my wife and I"
		}
		if i > 0 && words[i-1].text == "born" {
			continue
		}
		begins, without := enBegins(words, j, last)
		if !begins {
			continue
		}
		if without && i == 0 {
			continue
		}
		if last == "that" || last == "or" {
			if without || last == "or" {
				continue
			}
		}
		end(words[i].from)
		begin, joint, goesOn = words[j].from, last, without
		if question && j-1 > i && enAsks[last] { // "…, which jacket should I buy?"
			begin, joint, goesOn = words[j-1].from, ",", false
		}
		for k := j - 1; k > i && enAdverbs[words[k].text]; k-- { // adverbs belong to the clause
			begin = words[k].from
		}
		i = j - 1
	}
	end(len(text))
	return out
}

// enVerbal reports whether there is a verb between two bytes.
func enVerbal(words []word, from, to int) bool {
	for _, w := range words {
		if w.from >= from && w.from < to && (w.text == "i" || w.text == "we" || len(verbForms[w.text]) > 0 && enNouns[w.text] == nil || enFinite[w.text] || w.text == "'s" && !strings.HasPrefix(w.text, "s")) {
			return true
		}
	}
	return false
}

// enBegins reports whether a clause begins with word i, behind a joint; goesOn, whether it is one without a subject.
func enBegins(words []word, i int, joint string) (begins, goesOn bool) {
	w := words[i].text
	next := ""
	if i+1 < len(words) {
		next = words[i+1].text
	}
	switch {
	case w == "no" && next == "longer":
		return true, true
	case joint == "because" && w == "of":
		return false, false
	case enPhraseWords[w] && joint != "that" && joint != "which" && joint != "who": // "since last month I'm with …"
		for n := i + 1; n < len(words) && n < i+8 && !enJoints[words[n].text]; n++ {
			if words[n].text == "i" || words[n].text == "we" {
				return true, false
			}
		}
		return false, false
	case enInverts[w] && enAsked[next]: // "…, do you know"
		return true, false
	case enBeginners[w]:
		return true, false
	case w == "my" || w == "our" || w == "the" || w == "his" || w == "her" || w == "their" || w == "a" || w == "an":
		for n := i + 1; n < len(words) && n < i+8; n++ {
			t := words[n].text
			if n > i+1 && (t == "is" || t == "are" || t == "was" || t == "has" || t == "have" || t == "can" || t == "will" || t == "does" || t == "do" || t == "'s" && n+1 < len(words) && (enAdverbs[words[n+1].text] || words[n+1].text == "a" || words[n+1].text == "called" || words[n+1].text == "from" || words[n+1].text == "name")) {
				return true, false
			}
			if enJoints[t] {
				break
			}
			if n > i+1 {
				for _, f := range verbForms[t] {
					if !f.ing && !f.bare && enNouns[t] == nil {
						return true, false
					}
				}
			}
		}
		return enSubordinate[joint], false
	case i+2 < len(words) && joint != "or" && (enIsWords[next] || enIsWords[words[i+2].text] && !enJoints[next] && len(verbForms[w]) == 0 && !enFinite[w]): // "spring is hard"
		return true, false
	case joint == "who" || joint == "which":
		return true, true
	case enSubordinate[joint]:
		return true, false
	case joint == "and" || joint == "but" || joint == "," || joint == ";" || joint == "so" || joint == "then" || joint == "–" || joint == "—" || joint == "-" || joint == ")" || joint == ":" || joint == "yet" || joint == "plus":
		if enFinite[w] {
			return true, true
		}
		if forms := verbForms[w]; len(forms) > 0 && enPastimes[forms[0].base] && !forms[0].past && !forms[0].ing {
			return false, false
		}
		follows, noun := enNouns[w]
		if noun {
			if len(follows) == 0 {
				return (w == "love" || w == "loves" || w == "like" || w == "likes" || w == "play" || w == "study" || w == "use" || w == "drive" || w == "manage" || w == "uses" || w == "collect" || w == "want" || w == "need" || w == "found") && joint != "," && next != "" && !enJoints[next] && next != "of" && next != "for" && next != "to" || w == "want" || w == "need", true
			}
			return follows[next], true
		}
		for _, f := range verbForms[w] {
			if !f.ing {
				return true, true
			}
		}
	}
	return false, false
}
