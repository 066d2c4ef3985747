package fact

import (
	"strings"
)

// clause is a piece of a sentence with a subject and a predicate of its own: bytes [from, to) of the sentence.
type clause struct {
	from, to int
	joint    string // the last of the words and marks it is joined with: and, because, who, ","
	goesOn   bool   // it has no subject of its own: the one before goes on
}

var (
	// Words and marks that stand between clauses, and others of what they join.
	enJoints = set(strings.Fields(`, ; : ( ) – — - … ! . and but so because cause cuz coz since although though while whereas plus yet as which who whom whose where if unless when whenever until once after before except then or that`)...)
	// Those that begin a clause whatever follows, …
	enSubordinate = set("because", "cuz", "coz", "although", "though", "whereas", "if", "unless", "whenever", "who", "which", "where")
	// … and those behind which the subject before may go on.
	enCoordinate = set("and", "but", ",", ";", "so", "then", "–", "—", "-", ")", ":", "yet", "plus")

	// Words that a clause with a subject of its own begins with.
	enBeginners = set(strings.Fields(`i we you he she it they there everyone everybody nobody people someone somebody what how which why please let any tell show give help
		ideas tips advice thoughts suggestions recommendations suggest recommend make find write explain remember note thanks both whatever who that's this`)...)
	enDeterminers = set("my", "our", "the", "his", "her", "their", "a", "an")
	// Words of time and place that may stand in front of "I".
	enPhraseWords = set(strings.Fields("of in on at since for after from during last this these two three four five six seven eight nine ten a around about by late early ever each every most nowadays")...)
	// "…, do you know": a question begins with the first, and the second follows.
	enInverts = set("can", "could", "would", "should", "do", "does", "did", "is", "are", "will", "am", "was", "were", "have", "has")
	enAsked   = set("i", "you", "he", "she", "it", "we", "they", "there", "my", "this", "that", "these", "those", "anyone", "any", "the")
	enAsks    = set("who", "whom", "whose", "which", "where", "when")

	// Words with which the subject before goes on; any known verb does as well, but for those that are mostly nouns.
	enFinite = set(strings.Fields(`living working studying am is are was 'm 've have has had do does did can could would should will 'll might ca never used been allergic based originally married hate hates`)...)
	// Verbs that are mostly nouns, and the words of which one must follow where they are verbs.
	enNouns = func() map[string]map[string]bool {
		m := map[string]map[string]bool{}
		for line := range strings.SplitSeq(`work works: at for as in from part full nights days remotely night shifts there|run: a my our the an|lead share: a an the|start: at as|end split break: up|code: in|look: for|
			hope hopes plan plans: to i that on|dream dreams: of about|wish: i|plays: the for in|
			fear help love loves like likes play drink touch put read set cut call name bear manage favour hail collect need want stay mind fly drive found carry suit base`, "|") {
			verbs, next, _ := strings.Cut(line, ":")
			for verb := range strings.FieldsSeq(verbs) {
				m[verb] = set(strings.Fields(next)...)
			}
		}
		return m
	}()
	// … which an object may follow: "and love opera"; no object begins with these.
	enTakesObject = set("love", "loves", "like", "likes", "play", "drive", "manage", "collect", "found")
	enNoObject    = set("of", "for", "to", "")
	// Verbs that are nouns in their base form and the third person, unless nothing else could be meant.
	enPastimes = set(strings.Fields(`fence box ski surf row skate sail crochet sew quilt sketch juggle skateboard act perform support nurse dance swim paint garden fish hike climb cycle knit bake draw train farm
		trade swap rent milk change date age`)...)
	enIsWords = set("is", "are", "was", "were", "will", "would")
)

// enClauses cuts a text into its clauses.
func enClauses(text string, question bool) []clause {
	words := wordsOf(text)
	var out []clause
	next := clause{}
	end := func(at int) {
		if at > next.from {
			next.to = at
			out = append(out, next)
		}
	}
	for i := 0; i < len(words); i++ {
		if !enJoints[words[i].text] || words[i].text == "." && i == len(words)-1 {
			continue
		}
		joint, j := words[i].text, i+1
		for j < len(words) && (enJoints[words[j].text] || enAdverbs[words[j].text] && !(j+1 < len(words) && words[j+1].text == "'s")) {
			if !enAdverbs[words[j].text] {
				joint = words[j].text
			}
			j++
		}
		if j >= len(words) || i > 0 && words[i-1].text == "born" { // "born and bred"
			continue
		}
		if joint == "and" && (words[j].text == "i" || words[j].text == "me") && !enVerbal(words, next.from, words[i].from) {
			continue // "my wife and I"
		}
		begins, goesOn := enBegins(words, j, joint)
		if !begins || goesOn && (i == 0 || joint == "that") || joint == "or" {
			continue
		}
		end(words[i].from)
		next = clause{from: words[j].from, joint: joint, goesOn: goesOn}
		if question && j-1 > i && enAsks[joint] { // "…, which jacket should I buy?"
			next = clause{from: words[j-1].from, joint: ","}
		}
		for k := j - 1; k > i && enAdverbs[words[k].text]; k-- { // adverbs belong to the clause
			next.from = words[k].from
		}
		i = j - 1
	}
	end(len(text))
	return out
}

// enVerbal reports whether there is a verb between two bytes.
func enVerbal(words []word, from, to int) bool {
	for _, w := range words {
		if w.from >= from && w.from < to && (w.text == "i" || w.text == "we" || w.text == "'s" || enFinite[w.text] || len(verbForms[w.text]) > 0 && enNouns[w.text] == nil) {
			return true
		}
	}
	return false
}

// enBegins reports whether a clause begins with word i, behind a joint; goesOn, whether it is one without a subject.
func enBegins(words []word, i int, joint string) (begins, goesOn bool) {
	w, next, third := words[i].text, "", ""
	if i+1 < len(words) {
		next = words[i+1].text
	}
	if i+2 < len(words) {
		third = words[i+2].text
	}
	switch {
	case w == "no" && next == "longer":
		return true, true
	case joint == "because" && w == "of":
		return false, false
	case enPhraseWords[w] && joint != "that" && joint != "which" && joint != "who": // "since last month I'm with …"
		for n := i + 1; n < min(i+8, len(words)) && !enJoints[words[n].text]; n++ {
			if words[n].text == "i" || words[n].text == "we" || (w == "of" || w == "since") && words[n].text == "my" {
				return true, false
			}
		}
		return false, false
	case enInverts[w] && enAsked[next], enBeginners[w]:
		return true, false
	case enDeterminers[w]:
		return enSubordinate[joint] || enSubject(words[i+1:min(i+8, len(words))]), false
	case third != "" && joint != "or" && (enIsWords[next] || enIsWords[third] && !enJoints[next] && len(verbForms[w]) == 0 && !enFinite[w]): // "spring is hard"
		return true, false
	case joint == "who" || joint == "which":
		return true, true
	case enSubordinate[joint]:
		return true, false
	case enCoordinate[joint]:
		goes := enGoesOn(w, next, joint)
		return goes, goes
	}
	return false, false
}

// enSubject reports whether the words behind a determiner are a subject: a noun and then a verb.
func enSubject(words []word) bool {
	for n := 1; n < len(words); n++ {
		w, next := words[n].text, ""
		if n+1 < len(words) {
			next = words[n+1].text
		}
		switch {
		case enJoints[w] || w == "i" || w == "we":
			return false
		case enInverts[w]:
			return true
		case w == "'s":
			if enAdverbs[next] || next == "a" || next == "called" || next == "from" || next == "name" {
				return true
			}
		}
		for _, f := range verbForms[w] {
			if !f.ing && !f.bare && enNouns[w] == nil {
				return true
			}
		}
	}
	return false
}

// enGoesOn reports whether a word behind a joint goes on with the subject before.
func enGoesOn(w, next, joint string) bool {
	forms := verbForms[w]
	follows, noun := enNouns[w]
	switch {
	case enFinite[w]:
		return true
	case w == "want" || w == "need":
		return true
	case w == "use" || w == "uses" || w == "study":
		return joint != "," && !enNoObject[next] && !enJoints[next]
	case len(forms) > 0 && enPastimes[forms[0].base] && !forms[0].past && !forms[0].ing:
		return false
	case noun && enTakesObject[w]:
		return joint != "," && !enNoObject[next] && !enJoints[next]
	case noun:
		return follows[next]
	}
	for _, f := range forms {
		if !f.ing {
			return true
		}
	}
	return false
}
