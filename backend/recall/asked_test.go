package recall

import (
	"slices"
	"strings"
	"testing"
)

// Questions that were asked before, without an answer, and what answers them, said at another time.
var askedBefore = []struct {
	questions []string
	said      string
	noted     bool // in the archive
	asked     string
}{
	{[]string{"Do you know where my passport is?", "Where did I put my passport again?"}, "The passport lies in the blue drawer of the study.", false, "Where is my passport?"},
	{[]string{"Where did I put the spare key of the garage?", "The spare key of the garage, where is it?"}, "Spare key: under the third flowerpot, for the garage.", true, "where is the spare key of the garage"},
	{[]string{"When does Linus have his swimming lesson?", "What day is Linus's swimming lesson?"}, "Linus swims on Thursdays at five now.", false, "When is the swimming lesson of Linus?"},
	{[]string{"How much did I pay for the kayak?", "Hey, what was the price of the kayak?"}, "We got the kayak for 640 euros.", false, "How much was the kayak?"},
	{[]string{"我的护照放在哪里了？", "你知道我的护照在哪儿吗？"}, "护照放在书房的蓝色抽屉里。", false, "我的护照在哪里？"},
	{[]string{"车库的备用钥匙在哪里？", "备用钥匙我放哪儿了？"}, "备用钥匙：第三个花盆下面（车库的）。", true, "车库的备用钥匙放在哪儿？"},
}

func TestAFormerQuestionTakesNoPlaceOfWhatAnswersIt(t *testing.T) {
	h := newHouse(t)
	for _, a := range askedBefore {
		if a.noted {
			h.note(a.said)
		} else {
			h.say(a.said)
		}
	}
	h.say(noise(200)...)
	for _, a := range askedBefore {
		for _, q := range a.questions {
			h.say(q)
		}
	}
	for _, a := range askedBefore {
		rc := h.ask(h.recall(), a.asked)
		taken := takenTexts(rc)
		if len(taken) == 0 || !strings.Contains(taken[0], a.said) {
			t.Errorf("%q recalls %q, want first %q", a.asked, taken, a.said)
		}
		if slices.ContainsFunc(taken, func(s string) bool { return slices.Contains(a.questions, s) }) {
			t.Errorf("%q recalls a question: %q", a.asked, taken)
		}
	}
}

func TestWhatOnlyAsks(t *testing.T) {
	for text, want := range map[string]bool{
		"Where is my passport?":                                       true,
		"Do you know where my passport is?":                           true,
		"By the way, what do I have to bring?":                        true,
		"Can you remember whether my passport is still valid?":        true,
		"My passport is in the drawer.":                               false,
		"I've got 45 sources, how can I sort them?":                   false,
		"How can I sort them, as I have 45 sources?":                  false,
		"My passport is in the drawer. Is that safe?":                 false,
		"我的护照在哪里？":                                                    true,
		"你好，你知道我的护照在哪儿吗？":                                             true,
		"我上周搬到了杭州，附近有什么好吃的？":                                          false,
		"What should I cook tonight? Eva is allergic to nuts, right?": false,
	} {
		if got := onlyAsks(text); got != want {
			t.Errorf("onlyAsks(%q) = %v", text, got)
		}
	}
}

func TestWhoAsksWhatTheyAskedFindsIt(t *testing.T) {
	h := newHouse(t)
	h.say(noise(60)...)
	h.say("Which boots suit wide feet on alpine trails?")
	if taken := takenTexts(h.ask(h.recall(), "What did I ask you about boots for wide feet?")); len(taken) == 0 || taken[0] != "Which boots suit wide feet on alpine trails?" {
		t.Errorf("recalls %q", taken)
	}
}
