package recall

import (
	"slices"
	"testing"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/when"
)

// on stores what the user said on a day.
func (h *house) on(day string, texts ...string) {
	h.t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		h.t.Fatal(err)
	}
	h.now = at.Add(9 * time.Hour)
	h.say(texts...)
}

// asked returns what is taken for a question that is asked on a day.
func (h *house) takenOn(day, text string) []string {
	h.t.Helper()
	at, err := time.Parse(time.DateOnly, day)
	if err != nil {
		h.t.Fatal(err)
	}
	return takenTexts(h.ask(New(Deps{Store: h.Store, Clock: func() time.Time { return at.Add(12 * time.Hour) }}), text))
}

// Of things that are alike the one of the time that the question speaks of comes first, and the others stay.
func TestTheTimeOfAQuestionWeighs(t *testing.T) {
	h := newHouse(t)
	h.on("2025-05-12", "We went hiking in the Harz with Olga")
	h.on("2025-08-20", "We went hiking in the Tatra with Ben")
	h.on("2025-12-03", "We went hiking in the Alps with Carla")
	h.on("2026-03-10", "We went hiking near the lake with Dora")
	h.on("2025-06-01", "去爬山了，和小李去了黄山")
	h.on("2026-01-15", "去爬山了，和小王去了泰山")
	h.on("2026-02-20", "The trip to Norway with the hiking club is on 12 June")
	h.on("2026-03-11", noise(60)...)
	for _, e := range []struct{ ask, want string }{
		{"with whom did we go hiking in May?", "We went hiking in the Harz with Olga"},
		{"with whom did we go hiking last summer?", "We went hiking in the Tatra with Ben"},
		{"with whom did we go hiking in December 2025?", "We went hiking in the Alps with Carla"},
		{"with whom did we go hiking last week?", "We went hiking near the lake with Dora"},
		{"with whom did we go hiking between July and September?", "We went hiking in the Tatra with Ben"},
		{"which hiking trip is in June?", "The trip to Norway with the hiking club is on 12 June"},
		{"the first time we went hiking, with whom?", "We went hiking in the Harz with Olga"},
		{"our most recent hiking, with whom?", "We went hiking near the lake with Dora"},
		{"去年六月去爬山，是和谁？", "去爬山了，和小李去了黄山"},
		{"今年一月去爬山，是和谁？", "去爬山了，和小王去了泰山"},
		{"第一次去爬山是和谁？", "去爬山了，和小李去了黄山"},
		{"最近一次去爬山是和谁？", "去爬山了，和小王去了泰山"},
	} {
		texts := h.takenOn("2026-03-18", e.ask)
		if len(texts) == 0 || texts[0] != e.want {
			t.Errorf("%q: %q", e.ask, texts)
		}
		if len(texts) < 2 {
			t.Errorf("%q leaves out what is not of its time: %q", e.ask, texts)
		}
	}
}

// A question that says nothing but a time is answered by what was said then.
func TestWhatWasSaidAtATimeIsFoundByTheTimeAlone(t *testing.T) {
	h := newHouse(t)
	h.on("2026-03-16", "The gutter leaks")
	h.on("2026-03-17", "I sold the piano", "Olga calls on Friday")
	h.on("2026-02-10", "阳台的花都冻死了")
	for _, e := range []struct {
		ask  string
		want []string
	}{
		{"what did we talk about yesterday?", []string{"I sold the piano", "Olga calls on Friday"}},
		{"我们上个月聊了什么？", []string{"阳台的花都冻死了"}},
	} {
		texts := h.takenOn("2026-03-18", e.ask)
		slices.Sort(texts)
		if !slices.Equal(texts, e.want) {
			t.Errorf("%q: %q", e.ask, texts)
		}
	}
	for _, talk := range []string{"how are you today?", "good night, see you tomorrow", "今天天气怎么样？", "what a day yesterday!"} {
		if texts := h.takenOn("2026-03-18", talk); len(texts) > 0 {
			t.Errorf("%q: %q", talk, texts)
		}
	}
}

// What was true at the time of a question comes before what replaced it later.
func TestAQuestionAboutATimeFindsWhatWasTrueThen(t *testing.T) {
	h := newHouse(t)
	h.on("2025-05-12", "My rent is 900 euros a month")
	h.on("2026-02-01", "My rent has increased, it is 980 euros a month now")
	h.on("2026-03-11", noise(60)...)
	for ask, want := range map[string]string{
		"how much is my rent?":                        "My rent has increased, it is 980 euros a month now",
		"how much was my rent in the summer of 2025?": "My rent is 900 euros a month",
	} {
		if texts := h.takenOn("2026-03-18", ask); len(texts) < 2 || texts[0] != want {
			t.Errorf("%q: %q", ask, texts)
		}
	}
}

func TestTimesOfAQuestion(t *testing.T) {
	now := time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)
	q := timesOf("the first time in May", now)
	if len(q.windows) != 2 || q.order != when.First { // last May and the next
		t.Errorf("%+v", q)
	}
	c := &candidate{Item: store.Item{Date: now, Text: "The fair was on 7 May", Role: memory.RoleUser}}
	if n := q.near(c, true); n != 1 {
		t.Errorf("a day of May is %v near May", n)
	}
	if n := q.near(c, false); n > .5 {
		t.Errorf("a day in March is %v near May", n)
	}
	year := &candidate{Item: store.Item{Date: now, Text: "It was in 2025", Role: memory.RoleUser}}
	if n := q.near(year, true); n == 0 || n > .2 {
		t.Errorf("a year is %v near a month of it", n)
	}
}
