package fact

import (
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
)

func TestAQuestionBringsTheFactsItIsAbout(t *testing.T) {
	facts := []memory.Fact{
		{Subject: user, Key: keyHome, Value: "Lyon"},
		{Subject: user, Key: keyName, Value: "Ada"},
		{Subject: user, Key: keyAllergy, Value: "peanuts", Many: true},
		{Subject: user, Key: keyLikes, Value: "tea", Many: true},
		{Subject: user, Key: "shoe size", Value: "42"},
		{Subject: "bicycle", Key: keyName, Value: "Comet"},
		{Subject: "sister", Key: keyHome, Value: "Berlin"},
		{Subject: "猫", Key: keyName, Value: "年糕"},
		{Subject: "loan", Key: "interest rate", Value: "10 %"},
		{Subject: "exam", Key: keyDate, Value: "2026-05-03"},
	}
	for question, want := range map[string]string{
		"Where do I live?":                         "Lyon",
		"我住哪里？":                                    "Lyon",
		"我现在住在哪个城市？":                               "Lyon",
		"What's my name?":                          "Ada",
		"我叫什么名字？":                                  "Ada",
		"Am I allergic to anything?":               "peanuts",
		"what's my shoe size":                      "42",
		"How is my bicycle called?":                "Comet",
		"Where does my sister live?":               "Berlin",
		"我的猫叫什么？":                                  "年糕",
		"What is the interest rate on my loan now": "10 %",
		"When is my exam?":                         "2026-05-03",
		"What should I cook for dinner?":           "peanuts",
		"What is the capital of France?":           "",
		"What do I like to drink?":                 "tea",
		"What music do I enjoy?":                   "tea",
		"我喜欢喝什么？":                                  "tea",
		"I wonder what the weather is like":        "",
		"hello":                                    "",
		"写一首关于春天的诗":                                "",
		strings.Repeat("我住哪里 ", 30_000):            "",
	} {
		got := ""
		if list := Best(About(question, facts)); len(list) > 0 {
			got = list[0].Value
		}
		if got != want {
			t.Errorf("%.40q brings %q, want %q", question, got, want)
		}
	}
}

func TestALineOfCoreMemoryIsReadAsTheUserWouldHaveSaidIt(t *testing.T) {
	for line, want := range map[string]string{
		"Lives in Lyon":                   "user|home|Lyon",
		"- The user lives in Lyon.":       "user|home|Lyon",
		"User's name is Ada":              "user|name|Ada",
		"Name: Ada":                       "user|name|Ada",
		"I live in Lyon":                  "user|home|Lyon",
		"用户住在杭州":                          "user|home|杭州",
		"姓名：陈小雨":                          "user|name|陈小雨",
		"My bicycle is called Comet":      "bicycle|name|Comet",
		"Answer in short sentences.":      "",
		strings.Repeat("Lives in x ", 99): "",
	} {
		got := ""
		for _, f := range OfLine(line, said) {
			got += shown(f)
		}
		if got != want {
			t.Errorf("%.40q says %q, want %q", line, got, want)
		}
	}
}

func TestHostileTextsAreRead(t *testing.T) {
	for _, text := range []string{
		"", "\x00\xff\xfe", strings.Repeat("I live in Lyon. ", 7000), strings.Repeat("我住在", 40_000), strings.Repeat("my ", 40_000),
		strings.Repeat("I have a dog and ", 6000), strings.Repeat("“", 5000), strings.Repeat("a,", 50_000), "I live in " + strings.Repeat("X", 100_000),
		"我叫" + strings.Repeat("的", 30_000), "I’m ‘’’’ from", "My 's is ", "the  of my  is ", "\u202eI live in Lyon", "I live in <script>alert(1)</script>",
		"My name is '; DROP TABLE fact; --", "我的是", "把改成", "my dog", "My sister ", "it's ", "I'm", "I",
	} {
		list := Read(Message{Text: text, At: said})
		if len(list) > maxFacts {
			t.Errorf("%.20q: %d facts", text, len(list))
		}
		n := len([]rune(text))
		for _, f := range list {
			if f.Start < 0 || f.End > n || f.Start >= f.End || f.Value == "" {
				t.Errorf("%.20q: %+v", text, f)
			}
		}
	}
}

func TestWhatASentenceDoesNotSayIsTakenFromBefore(t *testing.T) {
	rate := memory.Fact{Subject: "loan", Key: "interest rate", Value: "8 %"}
	list := Read(Message{Text: "It has been increased to 10 %.", At: said, Before: []memory.Fact{rate}})
	if len(list) != 1 || shown(list[0]) != "loan|interest rate|10 %" {
		t.Errorf("got %+v", list)
	}
	list = Read(Message{Text: "不对，其实是10%。", At: said, Before: []memory.Fact{{Subject: "贷款", Key: "利率", Value: "8%"}}})
	if len(list) != 1 || shown(list[0]) != "贷款|利率|10%" {
		t.Errorf("got %+v", list)
	}
	if list := Read(Message{Text: "Actually it is a nice day.", At: said, Before: []memory.Fact{rate}}); len(list) != 0 {
		t.Errorf("got %+v", list)
	}
}

func TestSinceWhenIsReckonedFromTheMessage(t *testing.T) {
	list := Read(Message{Text: "I moved to Ghent last May.", At: said})
	if len(list) != 1 || !list[0].ValidFrom.Equal(time.Date(2025, 5, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("got %+v", list)
	}
	if s := Line(memory.Fact{Subject: user, Key: keyHome, Value: "Ghent", ValidFrom: list[0].ValidFrom}); s != "home = Ghent (since 2025-05-01)" {
		t.Error(s)
	}
}

func FuzzRead(f *testing.F) {
	f.Add("I live in Lyon. My dog is called Rex, he's 7.")
	f.Add("我叫小明，今年28岁，住在成都，养了一只猫，叫年糕。")
	f.Fuzz(func(t *testing.T, text string) {
		n := len([]rune(text))
		for _, s := range Read(Message{Text: text, At: said}) {
			if s.Start < 0 || s.End > n || s.Start > s.End {
				t.Fatalf("%+v is not in the message", s)
			}
		}
	})
}
