package memory

import "testing"

func TestPeopleGoBySeveralWords(t *testing.T) {
	for _, c := range []struct {
		word, subject string
		means         bool
	}{
		{"mother", "mum", true},
		{"Mum", "妈妈", true},
		{"母亲", "妈妈", true},
		{"wife", "partner", true},
		{"partner", "老婆", true},
		{"wife", "husband", false},
		{"grandmother", "外婆", true},
		{"奶奶", "外婆", false},
		{"brother", "弟弟", true},
		{"哥哥", "弟弟", false},
		{"兄弟", "弟弟", true},
		{"姐妹", "姐姐", true},
		{"姐妹", "弟弟", false},
		{"mother", "father", false},
		{"bicycle", "bicycle", false},
	} {
		if Means(c.word, c.subject) != c.means || Means(c.subject, c.word) != c.means {
			t.Errorf("%q means %q: %v", c.word, c.subject, !c.means)
		}
	}
	for a, b := range map[string]string{"Mom": "妈妈", "wife": "partner", "老公": "husband", "grandma": "grandmother", "小猫": "kitten"} {
		if SameSubject(a) != SameSubject(b) {
			t.Errorf("%q and %q are %q and %q", a, b, SameSubject(a), SameSubject(b))
		}
	}
	for a, b := range map[string]string{"哥哥": "弟弟", "son": "daughter", "work laptop": "laptop", "奶奶": "外婆"} {
		if SameSubject(a) == SameSubject(b) {
			t.Errorf("%q and %q are one", a, b)
		}
	}
}
