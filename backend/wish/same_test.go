package wish

import "testing"

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		have, text string
		all        bool
	}{
		{"my bicycle is called Comet", "The user's bicycle is called Comet.", true},
		{"my bicycle is called Comet", "Bicycle: Comet", true},
		{"I like tea", "The user likes tea", true},
		{"I like tea", "The user hates tea", false},
		{"my bicycle is called Comet", "The user's bicycle is called Comet and is blue", false},
		{"my bicycle is called Comet", "The user's boat is called Comet", false},
		{"我的猫叫年糕", "用户的猫名叫年糕。", true},
		{"我的猫叫年糕", "用户的猫叫年糕，三岁", false},
		{"我的貓叫年糕", "我的狗叫年糕", false},
		{"anything", "", false},
	} {
		if got := Covers(c.have, c.text) >= 0.8; got != c.all {
			t.Errorf("Covers(%q, %q) = %.2f", c.have, c.text, Covers(c.have, c.text))
		}
	}
}

func TestSame(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"The spare key hangs behind the blue shutter.", "the spare key hangs behind the blue shutter!", true},
		{"My bicycle is called Comet", "The user's bicycle is named Comet", true},
		{"我的猫叫年糕", "用户的猫名叫年糕。", true},
		{"I like tea", "She likes tea", false},
		{"I like tea", "I do not like tea", false},
		{"我喜欢茶", "我不喜欢茶", false},
		{"The code is 7391", "The code is 7392", false},
		{"I like tea", "I like tea and coffee", false},
		{"我喜欢茶", "她喜欢茶", false},
		{"", "", false},
	} {
		if got := Same(c.a, c.b); got != c.same {
			t.Errorf("Same(%q, %q) = %v", c.a, c.b, got)
		}
	}
}
