package fact

import (
	"strings"
	"testing"
)

func TestThePredicateOfAClause(t *testing.T) {
	for text, want := range map[string]string{
		"live in Lyon":                          "live: in Lyon",
		"'ve just recently moved to Cardiff":    "move: to Cardiff (perfect)",
		"'m now living in Pune":                 "live: in Pune (ing)",
		"used to live in Turin":                 "live: in Turin (over)",
		"no longer work at Bosch":               "work: at Bosch (over)",
		"don't really like olives":              "like: olives (not)",
		"can't eat nuts":                        "eat: nuts (not able)",
		"stopped eating meat":                   "eat: meat (over)",
		"have started to learn Welsh":           "learn: Welsh (perfect)",
		"was born in 1984":                      "be bear: in 1984 (past)",
		"have been vegan since May":             "be: vegan since May (perfect)",
		"have got two cats":                     "have: two cats",
		"'m going to move to Porto":             "(unreal)",
		"'d love to live in Rome":               "(unreal)",
		"want to move":                          "want (unreal)",
		"had worked there":                      "(perfect unreal)",
		"quit my job":                           "quit: my job (past)",
		"’m a nurse":                            "be: a nurse",
		"happen to be allergic to nuts":         "be: allergic to nuts",
		"flibber the gibbet":                    "unknown",
		"":                                      "unknown",
		"haven't got a car any more":            "have: a car any more (not)",
		"never touch coffee":                    "touch: coffee (not)",
		"am not allergic to cats":               "be: allergic to cats (not)",
		"was promoted to shift supervisor":      "be promote: to shift supervisor (past)",
		"have to avoid gluten":                  "avoid: gluten",
		"would rather have tea":                 "prefer: tea",
		"gave up smoking":                       "smoke (over)",
		"did move to Leeds":                     "move: to Leeds (past)",
		"’ve been living in Porto these days":   "live: in Porto these days (perfect ing)",
		"is about to retire":                    "(unreal)",
		"do yoga":                               "do: yoga",
		"'s moved to Oslo":                      "move: to Oslo (past perfect)",
		"'s a plumber":                          "be: a plumber",
		"learned to code":                       "learn: to code (past)",
		"keep forgetting that I live in a town": "forget (unreal)",
	} {
		p, ok := enPredicate(text)
		got := "unknown"
		if ok {
			got = p.verb
			if p.rest != "" {
				got += ": " + p.rest
			}
			var notes []string
			for note, is := range map[string]bool{"not": p.not, "over": p.over, "past": p.past, "perfect": p.perfect, "ing": p.ing, "able": p.able, "unreal": p.unreal} {
				if is {
					notes = append(notes, note)
				}
			}
			got = strings.TrimSpace(got + " (" + strings.Join(inOrder(notes), " ") + ")")
			got = strings.TrimSuffix(got, " ()")
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// inOrder returns notes in the order of the fields.
func inOrder(notes []string) []string {
	var out []string
	for _, n := range []string{"not", "over", "past", "perfect", "ing", "unreal", "able"} {
		for _, o := range notes {
			if o == n {
				out = append(out, n)
			}
		}
	}
	return out
}

func TestTheClausesOfASentence(t *testing.T) {
	for text, want := range map[string]string{
		"I live in Lyon and work at Bosch":                        "I live in Lyon | +work at Bosch",
		"I live in Lyon, France":                                  "I live in Lyon, France",
		"I'm allergic to nuts, eggs and milk":                     "I'm allergic to nuts, eggs and milk",
		"My daughter, who lives in Perth, is called Nell":         "My daughter | +lives in Perth | +is called Nell",
		"I like dogs but my wife is allergic to them":             "I like dogs | my wife is allergic to them",
		"My wife and I live in Rome":                              "My wife and I live in Rome",
		"Peanuts could kill me, I'm allergic":                     "Peanuts could kill me | I'm allergic",
		"I left Bosch, since last month I'm with Siemens":         "I left Bosch | since last month I'm with Siemens",
		"I love stories and sketches":                             "I love stories and sketches",
		"I'm vegan, what can I eat":                               "I'm vegan | what can I eat",
		"Since I'm allergic to pollen, spring is hard":            "I'm allergic to pollen | spring is hard",
		"I was born and raised in Hull":                           "I was born and raised in Hull",
		"my exam isn't on the 12th after all, it's on the 14th":   "my exam isn't on the 12th after all | it's on the 14th",
		"I've packed up and now live in Uppsala because I had to": "I've packed up | +now live in Uppsala | I had to",
	} {
		var got []string
		for _, c := range enClauses(text, false) {
			piece := strings.TrimRight(text[c.from:c.to], " ,")
			if c.goesOn {
				piece = "+" + piece
			}
			got = append(got, piece)
		}
		if s := strings.Join(got, " | "); s != want {
			t.Errorf("%q: %s", text, s)
		}
	}
}

func TestWhatAChineseClauseSays(t *testing.T) {
	for text, want := range map[string]string{
		"现在住在杭州":      "住在杭州",
		"以前在银行上班":     "在银行上班 past",
		"不吃香菜":        "吃香菜 not",
		"已经不在华为工作了":   "在华为工作 not over done",
		"每天早上打太极":     "打太极 often",
		"在东莞待了八年了":    "在东莞待 done lasted",
		"特别喜欢手冲咖啡":    "喜欢手冲咖啡 highly",
		"明年搬到成都":      "搬到成都 soon",
		"去年和老公搬到了珠海":  "搬到了珠海",
		"再也不喝酒了":      "喝酒 over done",
		"毕业后就留在了南京":   "留在了南京",
		"这几年一直在深圳做外贸": "在深圳做外贸",
	} {
		p := zhSaying(text)
		got := p.text
		for _, n := range []struct {
			name string
			is   bool
		}{{"past", p.past}, {"not", p.not}, {"over", p.over}, {"done", p.done}, {"lasted", p.lasted}, {"often", p.often}, {"highly", p.highly}, {"soon", p.soon}} {
			if n.is {
				got += " " + n.name
			}
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}
