package wish_test

import (
	"slices"
	"strings"
	"testing"

	"recollect/backend/wish"
)

func TestStatementsAreWhatTheUserTellsOfThemselves(t *testing.T) {
	for message, want := range map[string][]string{
		"I live in Bern and work as a baker.":                     {"I live in Bern and work as a baker"},
		"Hello! My bicycle is called Comet. Nice, isn't it?":      {"My bicycle is called Comet"},
		"I'm allergic to nuts, what can I eat tonight?":           {"I'm allergic to nuts"},
		"My sister is called Ada. What rhymes with Ada?":          {"My sister is called Ada"},
		"我养了一只猫，叫年糕。":                                             {"我养了一只猫，叫年糕"},
		"我不吃辣，晚饭吃什么？":                                             {"我不吃辣"},
		"我住在成都。帮我写一首诗。":                                           {"我住在成都"},
		"Remember that my bicycle is called Comet":                nil, // a wish: done by rule
		"What is my bicycle called?":                              nil,
		"我的猫叫什么？":                                                 nil,
		"Tell me a joke about my job":                             nil,
		"I have a question about bread":                           nil,
		"I think that is right":                                   nil,
		"If I were rich, I would live in Rome":                    nil,
		"He said my house is ugly":                                nil,
		"Translate this: “I live in Bern.”":                       nil,
		"```\nmy $name is \"Bob\"\n```":                           nil,
		"> I am from Mars":                                        nil,
		"I want you to write a poem":                              nil,
		"我想问一下天气":                                                 nil,
		"如果我有钱，我就去旅行":                                             nil,
		"The capital of France is Paris.":                         nil,
		"Can you help me? I'm trying to fix my code":              nil,
		"Could you summarise my notes, they are about the garden": nil,
	} {
		var got []string
		for _, s := range wish.Statements(message) {
			if text := string([]rune(message)[s.Start:s.End]); text != s.Text {
				t.Errorf("%q: the range of %q is %q", message, s.Text, text)
			}
			got = append(got, s.Text)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", message, got, want)
		}
	}
}

func TestSaidInAcceptsTheUsersWordsAlone(t *testing.T) {
	statements := wish.Statements("My bicycle is called Comet. I moved to Bern in May. 我的猫叫年糕。")
	if len(statements) != 3 {
		t.Fatalf("statements %+v", statements)
	}
	for text, want := range map[string]string{
		"The user's bicycle is called Comet.": "My bicycle is called Comet",
		"bicycle: Comet":                      "My bicycle is called Comet",
		"Moved to Bern in May":                "I moved to Bern in May",
		"用户的猫叫年糕":                             "我的猫叫年糕",
		"The user likes tea.":                 "",
		"The bicycle is a fast racing bike":   "",
		"the fact as one short sentence":      "",
		"My":                                  "",
		"":                                    "",
		"human":                               "",
	} {
		s, ok := wish.SaidIn(statements, text)
		if s.Text != want || ok != (want != "") {
			t.Errorf("%q: got %q, %v", text, s.Text, ok)
		}
	}
}

func TestAWishAlone(t *testing.T) {
	for message, want := range map[string]bool{
		"Remember that my bicycle is called Comet":                               true,
		"Hi! Please remember that my bicycle is called Comet. Thank you!":        true,
		"Could you please remember that I'm vegan?":                              true,
		"My bicycle is called Comet. Please remember that.":                      true,
		"Remember the following:\n- I like tea\n- I live in Bern":                true,
		"Forget that my bicycle is called Comet, please":                         true,
		"记住我的猫叫年糕":                                                               true,
		"请帮我记住：我不吃辣，谢谢！":                                                         true,
		"把我住在成都记下来，好吗？":                                                          true,
		"忘掉我的猫叫年糕这件事":                                                            true,
		"Remember that I'm vegan, so what can I eat?":                            false,
		"Remember that I'm vegan and tell me a joke":                             false,
		"Remember that my bicycle is called Comet. What is the capital of Peru?": false,
		"I bought a bicycle today! Remember that it is called Comet.":            false,
		"记住我吃素，那晚饭吃什么？":                                                          false,
		"记住我的猫叫年糕。今天天气怎么样？":                                                      false,
		"我今天很累。记住我的猫叫年糕。":                                                        false,
		"hello": false,
	} {
		if got := wish.Alone(message, wish.Find(message)); got != want {
			t.Errorf("%q: %v, want %v (%+v)", message, got, want, wish.Find(message))
		}
	}
}

// In a paste, wishes and statements are looked for at its beginning and end alone.
func TestTheMiddleOfAPasteIsNotLookedAt(t *testing.T) {
	filler := strings.Repeat("Prose about nothing in particular. 一些无关的文字。", 200)
	message := "I live in Bern. " + filler + " Remember that my cat is called Mo. I own a boat. " + filler + " Remember that my bicycle is called Comet. I work as a baker."
	wishes, statements := wish.Find(message), wish.Statements(message)
	if len(wishes) != 1 || wishes[0].Text != "my bicycle is called Comet" {
		t.Errorf("wishes %+v", wishes)
	}
	if len(statements) != 2 || statements[0].Text != "I live in Bern" || statements[1].Text != "I work as a baker" {
		t.Errorf("statements %+v", statements)
	}
}

func BenchmarkFindInAMegabyte(b *testing.B) {
	text := strings.Repeat("All work and no play makes Jack a dull boy. 我的猫叫年糕。", 16000)
	for b.Loop() {
		wish.Find(text)
	}
}
