package segment

import "strings"

// stopWords are English words, and the pieces that contractions leave, that say nothing about the subject of a question.
var stopWords = set(strings.Fields(`
a about above after again against all also am an and any are aren as at be because been before being below between both
but by can cannot could couldn d did didn do does doesn doing don down during each few for from further had hadn has hasn
have haven having he her here hers herself him himself his how i if in into is isn it its itself just ll m me might more
most must my myself no nor not now of off on once only or other our ours ourselves out over own re s same shall she
should shouldn so some such t than that the their theirs them themselves then there these they this those through to too
under until up us ve very was wasn we were weren what when where which while who whom whose why will with won would
wouldn you your yours yourself yourselves please tell know ok okay yes
`))

// functionChars are Chinese characters, and Japanese particles, that mostly carry grammar. A pair of them is left out of
// a query; a pair with one other character is kept.
var functionChars = func() map[rune]bool {
	m := map[rune]bool{}
	for _, r := range "的了是在我你您他她它们们这那哪什么甚麼吗嗎呢吧啊呀哦嗯和与與就都也很有没沒不个個谁誰怎样樣何为為之其把被对對到从從会會能要请請过過着著還还" +
		"のはがをにでともかなだよねへや" {
		m[r] = true
	}
	return m
}()

func set(words []string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}
