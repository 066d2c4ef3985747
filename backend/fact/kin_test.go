package fact

import (
	"testing"

	"recollect/backend/memory"
)

func TestWhoGoesBySeveralWordsIsFoundByEach(t *testing.T) {
	facts := []memory.Fact{
		{Subject: user, Key: keyName, Value: "Ada"},
		{Subject: user, Key: keyHome, Value: "Lyon"},
		{Subject: "partner", Key: keyName, Value: "Eva"}, // "I'm married to Eva"
		{Subject: "mum", Key: keyHome, Value: "Bern"},
		{Subject: "爸爸", Key: keyName, Value: "王强"},
		{Subject: "姐姐", Key: keyHome, Value: "杭州"},
		{Subject: "puppy", Key: keyName, Value: "Rex"},
	}
	for question, want := range map[string]string{
		"Who is my wife?":              "Eva",
		"who am I married to?":         "Eva",
		"What is my husband's name?":   "Eva",
		"我老婆叫什么名字？":                    "Eva",
		"我和谁结婚了？":                      "Eva",
		"Where does my mother live?":   "Bern",
		"我妈住在哪里？":                      "Bern",
		"What is my dad called?":       "王强",
		"我父亲叫什么？":                      "王强",
		"Where does my sister live?":   "杭州",
		"How is my dog called?":        "Rex",
		"Who was my first teacher?":    "",
		"Where do I live?":             "Lyon",
		"What should my brother read?": "",
		"妈妈咪呀好看吗？":                     "",
	} {
		got := ""
		if list := Best(About(question, facts)); len(list) > 0 {
			got = list[0].Value
		}
		if got != want {
			t.Errorf("%q brings %q, want %q", question, got, want)
		}
	}
}
