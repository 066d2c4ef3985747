package recall

import (
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// state has the user say something, and keeps the facts in it: "home=Lyon", "sister.home=Bern", or "not home=Lyon".
func (h *house) state(text string, facts ...string) string {
	h.t.Helper()
	id := h.say(text)[0]
	var list []memory.FactStatement
	for _, f := range facts {
		st := memory.FactStatement{Subject: memory.SubjectUser, SaidAt: h.now.Add(-time.Minute), Origin: id, Confidence: 1}
		f, st.Over = strings.CutPrefix(f, "not ")
		st.Key, st.Value, _ = strings.Cut(f, "=")
		if subject, key, ok := strings.Cut(st.Key, "."); ok {
			st.Subject, st.Key = subject, key
		}
		st.Many = memory.ManyValues(st.Subject, st.Key)
		list = append(list, st)
	}
	if _, err := h.SaveFacts(h.t.Context(), h.agent.ID, list, memory.Cause{Actor: memory.ActorSystem, MessageID: id}); err != nil {
		h.t.Fatal(err)
	}
	return id
}

// first returns the texts of the facts that a receipt begins with.
func first(rc memory.Receipt) string {
	var texts []string
	for _, c := range rc.Candidates {
		if c.Kind != store.KindFact || !c.Taken {
			break
		}
		s := c.Text
		if c.Replaced != nil {
			s += " → " + c.Replaced.Text
		}
		texts = append(texts, s)
	}
	return strings.Join(texts, "; ")
}

func TestAFactComesFirstWhereItIsAskedFor(t *testing.T) {
	h := newHouse(t)
	h.say(noise(60)...)
	leipzig := h.now
	h.state("Leipzig has us now, the four of us", "home=Leipzig")
	h.state("Nothing with peanuts, thanks", "allergy=peanuts", "likes=tea")
	h.say(noise(60)...)
	h.now = h.now.AddDate(1, 0, 0)
	lyon := h.state("Boxes everywhere, Lyon has us since Monday", "home=Lyon", "sister.home=Bern", "猫.name=年糕")
	h.now = h.now.AddDate(1, 0, 0)
	r := New(Deps{Store: h.Store, Clock: func() time.Time { return h.now }})
	for text, want := range map[string]string{
		"Where do I live?":                 "home = Lyon",
		"我现在住在哪里？":                         "home = Lyon",
		"Where does my sister live?":       "sister: home = Bern",
		"我的猫叫什么？":                          "猫: name = 年糕",
		"What should I cook for us?":       "allergy = peanuts",
		"Where did I live before?":         "home = Leipzig → home = Lyon; home = Lyon",
		"我以前住在哪里？":                         "home = Leipzig → home = Lyon; home = Lyon",
		"Where did I live in spring 2026?": "home = Leipzig → home = Lyon; home = Lyon",
		"Where did I live last month?":     "home = Lyon",
		"What is the capital of France?":   "",
		"thanks, good night":               "",
		"I love jazz, and I live for it":   "",
		"What do I like?":                  "likes = tea",
	} {
		if got := first(h.ask(r, text)); got != want {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
	rc := h.ask(r, "Where do I live?")
	c := rc.Candidates[0]
	if c.Layer != memory.LayerFact || c.Origin != lyon || c.Why != memory.WhyTaken || c.Evidence < 1 || c.Tokens == 0 || len(c.Parts) != 1 || c.Parts[0].Name != memory.ScoreTold ||
		c.Date.Sub(leipzig) < 300*24*time.Hour {
		t.Errorf("shown as %+v", c)
	}

	// What the window shows is not told again, and a fact of this very message is none yet.
	for _, q := range []Query{{InWindow: map[string]bool{lyon: true}}, {MessageID: lyon}} {
		q.AgentID, q.ArchiveID, q.Text, q.Cap = h.agent.ID, h.agent.ArchiveID, "Where do I live?", 1500
		rc, err := r.For(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if got := first(rc); got != "" {
			t.Errorf("told again: %q", got)
		}
	}
}

func TestWhatIsToComeIsNotTrueYet(t *testing.T) {
	h := newHouse(t)
	h.say(noise(60)...)
	h.state("Acme pays my rent", "employer=Acme")
	id := h.say("A new desk waits at Ferro from May on")[0]
	may := time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC)
	st := memory.FactStatement{
		Subject: memory.SubjectUser, Key: "employer", Value: "Ferro", SaidAt: h.now.Add(-time.Minute), ValidFrom: may, Origin: id, Confidence: 1,
	}
	if _, err := h.SaveFacts(t.Context(), h.agent.ID, []memory.FactStatement{st}, memory.Cause{Actor: memory.ActorSystem, MessageID: id}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at         time.Time
		text, want string
	}{
		{may.AddDate(0, 0, -9), "Where do I work?", "employer = Acme; employer = Ferro"},
		{may.AddDate(0, 0, -9), "Where will I work?", "employer = Ferro; employer = Acme"},
		{may.AddDate(0, 0, -9), "我以后在哪里工作？", "employer = Ferro; employer = Acme"},
		{may.AddDate(0, 0, 9), "Where do I work?", "employer = Ferro"},
		{may.AddDate(0, 0, 9), "Where did I work before?", "employer = Acme → employer = Ferro; employer = Ferro"},
	} {
		h.now = c.at
		rc := h.ask(New(Deps{Store: h.Store, Clock: func() time.Time { return h.now }}), c.text)
		if got := first(rc); got != c.want {
			t.Errorf("on %s, %q begins with %q, want %q", c.at.Format(time.DateOnly), c.text, got, c.want)
		}
		for _, f := range rc.Candidates {
			if ends := f.Text == "employer = Acme" && c.at.Before(may); ends != f.Ends.Equal(may) {
				t.Errorf("%s ends %s", f.Text, f.Ends)
			}
			if begins := f.Text == "employer = Ferro"; begins != f.Begins.Equal(may) {
				t.Errorf("%s begins %s", f.Text, f.Begins)
			}
		}
	}
}

func TestWhatTheUserSaysAboutAFactIsHeeded(t *testing.T) {
	h := newHouse(t)
	h.state("Leipzig has us now", "home=Leipzig")
	r := h.recall()
	c := h.ask(r, "Where do I live?").Candidates[0]
	wish := memory.Feedback{AgentID: h.agent.ID, ConversationID: "conversation-here", Kind: c.Kind, ItemID: c.ID, Use: memory.UseNever}
	if f, _, err := h.SetFeedback(t.Context(), wish, memory.Cause{Actor: memory.ActorUser}); err != nil || f.Text != "home = Leipzig" {
		t.Fatalf("%+v, %v", f, err)
	}
	rc, err := r.For(t.Context(), Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, ConversationID: "conversation-here", Text: "Where do I live?", Cap: 1500})
	if err != nil {
		t.Fatal(err)
	}
	if i := slices.IndexFunc(rc.Candidates, func(o memory.Candidate) bool { return o.ID == c.ID }); i < 0 || rc.Candidates[i].Why != memory.WhyNever {
		t.Errorf("%+v", rc.Candidates)
	}
	wish.Use = memory.UseAlways
	if _, _, err := h.SetFeedback(t.Context(), wish, memory.Cause{Actor: memory.ActorUser}); err != nil {
		t.Fatal(err)
	}
	if got := first(h.ask(r, "Tell me a joke")); got != "home = Leipzig" {
		t.Errorf("what is always wanted: %q", got)
	}
}

// What is over, or was replaced, answers who asks whether it is so; and the last that was so where nothing is.
func TestWhatIsOverAnswersWhetherItIsSo(t *testing.T) {
	h := newHouse(t)
	h.say(noise(60)...)
	h.state("a", "allergy=penicillin", "allergy=花生", "diet=吃素", "diet=vegetarian", "avoids=meat", "employer=Bosch", "home=Rome", "pet=dog", "hobby=tennis", "likes=jazz", "likes=tea", "dog.name=Rex")
	h.now = h.now.AddDate(1, 0, 0)
	h.state("b", "not allergy=penicillin", "not allergy=花生", "not diet=吃素", "not diet=vegetarian", "not avoids=meat", "not employer=Bosch", "home=Lyon", "not pet=dog", "not hobby=tennis", "not likes=jazz")
	h.now = h.now.AddDate(0, 1, 0)
	r := New(Deps{Store: h.Store, Clock: func() time.Time { return h.now }})
	for text, want := range map[string]string{
		"am I allergic to penicillin?":    "allergy = penicillin → ",
		"Am I still allergic to peanuts?": "",
		"我对花生过敏吗？":                        "allergy = 花生 → ",
		"我还吃素吗":                           "diet = 吃素 → ",
		"do I still eat meat?":            "avoids = meat → ",
		"Do I still work at Bosch?":       "employer = Bosch → ",
		"Where do I work?":                "employer = Bosch → ",
		"Do I still live in Rome?":        "home = Lyon; home = Rome → home = Lyon",
		"Where do I live?":                "home = Lyon",
		"Do I still have a dog?":          "dog: name = Rex; pet = dog → ",
		"Do I still play tennis?":         "hobby = tennis → ",
		"Do I like jazz?":                 "likes = jazz → ",
		"What do I like?":                 "likes = tea",
		"Do I like tea?":                  "likes = tea",
	} {
		rc := h.ask(r, text)
		got := first(rc)
		if want == "" && strings.Contains(got, "penicillin") { // another one
			continue
		}
		if got != want && !strings.HasPrefix(got, want+"; ") {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
	rc := h.ask(r, "am I allergic to penicillin?")
	if c := rc.Candidates[0]; c.Replaced.Date.Sub(c.Date) < 300*24*time.Hour || !c.Ends.IsZero() {
		t.Errorf("told as %+v until %v", c, c.Replaced.Date)
	}
}

// A fact is found by its value: whoever is asked about by their name, whole or in part, is who they are to the user.
func TestSomebodyIsFoundByTheirName(t *testing.T) {
	h := newHouse(t)
	h.say(noise(60)...)
	h.state("a", "partner.name=Eva Müller", "partner.age=41", "猫.name=年糕", "bicycle.name=Comet", "女儿.name=陈小雨", "dentist=Dr Weber", "employer=Siemens", "likes=jazz", "home=Lyon", "shoe size=42")
	r := New(Deps{Store: h.Store, Clock: func() time.Time { return h.now }})
	for text, want := range map[string]string{
		"Who is Eva?":                       "partner: name = Eva Müller",
		"who's eva müller?":                 "partner: name = Eva Müller",
		"Tell me about Eva":                 "partner: name = Eva Müller",
		"How old is Eva?":                   "partner: age = 41",
		"年糕是谁":                              "猫: name = 年糕",
		"谁是年糕？":                             "猫: name = 年糕",
		"小雨是谁？":                             "女儿: name = 陈小雨",
		"what is Comet?":                    "bicycle: name = Comet",
		"Who is Weber?":                     "",
		"Who is Dr Weber?":                  "dentist = Dr Weber",
		"What is Siemens?":                  "employer = Siemens",
		"What is jazz?":                     "",
		"What is Lyon known for?":           "",
		"What is 42?":                       "",
		"Who is Dr House?":                  "",
		"What is evaporation?":              "",
		"Is a comet made of ice?":           "bicycle: name = Comet",
		"The comets are bright, arent they": "",
	} {
		got := first(h.ask(r, text))
		if want == "" && got != "" || want != "" && got != want && !strings.HasPrefix(got, want+"; ") {
			t.Errorf("%q begins with %q, want %q", text, got, want)
		}
	}
}
