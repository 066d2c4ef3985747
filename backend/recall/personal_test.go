package recall

import (
	"slices"
	"testing"
)

// personal are the things that people tell an assistant about themselves, and how they ask for them much later.
var personal = []pair{
	{"my name is Mina", "what's my name"},
	{"Hi, I'm Jonas and I am new here.", "what is my name?"},
	{"I live in Leipzig", "where do I live"},
	{"I was born on 3 April 1987", "when is my birthday?"},
	{"I am 34 years old", "how old am I?"},
	{"I work at a bakery in the old town", "where do I work?"},
	{"I'm a nurse on the night shift", "what's my job?"},
	{"My wife is called Teresa", "what is the name of my wife?"},
	{"My husband Paul snores", "who is my husband?"},
	{"We have two kids, Ada and Linus", "what are my children called?"},
	{"My phone number is 0176 5550 123", "what's my phone number?"},
	{"my email is mina@example.org", "what is my email address?"},
	{"I'm vegetarian", "what can't I eat?"},
	{"I can't stand coriander", "which food do I hate?"},
	{"My favourite colour is teal", "what's my favorite color?"},
	{"I drive a blue Skoda", "what car do I drive?"},
	{"My cat is called Mochi", "what's my cat's name?"},
	{"I grew up in Porto", "where did I grow up?"},
	{"I speak Portuguese and German", "which languages do I speak?"},
	{"My shoe size is 41", "what shoe size do I have?"},
	{"我叫小明", "我叫什么名字"},
	{"我的名字是王芳", "我叫什么？"},
	{"我住在苏州", "我住哪儿？"},
	{"我家在杭州西湖区", "我家在哪里？"},
	{"我今年三十四岁", "我今年多大了？"},
	{"我生日是四月三号", "我的生日是什么时候？"},
	{"我是一名护士", "我的职业是什么？"},
	{"我在一家面包店上班", "我在哪里工作？"},
	{"我老婆叫李娜", "我妻子叫什么名字？"},
	{"我儿子叫乐乐，上小学二年级", "我儿子叫什么？"},
	{"我的手机号是 138 5550 1234", "我的电话号码是多少？"},
	{"我的邮箱是 ming@example.org", "我的电子邮箱是什么？"},
	{"我吃素", "我不能吃什么？"},
	{"我最讨厌香菜", "我讨厌吃什么？"},
	{"我最喜欢的颜色是青色", "我喜欢什么颜色？"},
	{"我开一辆蓝色的大众", "我开什么车？"},
	{"我家的猫叫年糕", "我的猫叫什么名字？"},
	{"我是在哈尔滨长大的", "我在哪里长大？"},
	{"我会说粤语和英语", "我会说哪些语言？"},
	{"我穿四十一码的鞋", "我穿多大的鞋？"},
}

func TestWhatPeopleTellAboutThemselvesIsRecalled(t *testing.T) {
	h := newHouse(t)
	for _, p := range personal {
		h.say(p.said)
	}
	h.say(noise(400)...)
	found := 0
	for _, p := range personal {
		rc := h.ask(h.recall(), p.asked)
		if slices.Contains(takenTexts(rc), p.said) {
			found++
			continue
		}
		t.Logf("%q does not recall %q", p.asked, p.said)
		for _, c := range rc.Candidates[:min(3, len(rc.Candidates))] {
			t.Logf("   %.2f/%.2f %s %q", c.Score, rc.Floor, c.Why, c.Text)
		}
	}
	if t.Logf("%d of %d", found, len(personal)); found < 36 {
		t.Errorf("%d of %d things are recalled", found, len(personal))
	}
}

// A question about oneself may bring what has less in common with it; one that only wants something done or explained may not.
func TestAQuestionAboutOneselfNeedsLess(t *testing.T) {
	for _, c := range []struct{ said, asks, wants string }{
		{"I drink lapsang souchong every afternoon.", "What's my usual hot drink these days?", "How do I make a usual hot drink?"},
		{"下周三下午三点我要去看牙医。", "我约了牙科大夫什么时候？", "给我讲讲牙科大夫"},
	} {
		h := newHouse(t)
		h.say(c.said)
		h.say(noise(200)...)
		if texts := takenTexts(h.ask(h.recall(), c.asks)); !slices.Contains(texts, c.said) {
			t.Errorf("%q recalls %q", c.asks, texts)
		}
		if texts := takenTexts(h.ask(h.recall(), c.wants)); len(texts) > 0 {
			t.Errorf("%q recalls %q", c.wants, texts)
		}
	}
}
