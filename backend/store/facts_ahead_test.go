package store

import (
	"testing"
	"time"

	"recollect/backend/fact"
	"recollect/backend/memory"
)

// plans has the user say a fact that begins, or ends, at another time than now.
func (u *teller) plans(key, value string, from, to time.Time) {
	u.t.Helper()
	m := u.say(u.conversation.ID, memory.RoleUser, key+" = "+value)
	st := memory.FactStatement{
		Subject: memory.SubjectUser, Key: key, Value: value, ValidFrom: from, EndedAt: to, SaidAt: m.CreatedAt, Origin: m.ID, End: 1, Confidence: .9,
	}
	cause := byRule
	cause.ConversationID = m.ConversationID
	var err error
	u.saved, err = u.SaveFacts(u.ctx, u.agent.ID, []memory.FactStatement{st}, cause)
	must(u.t, err)
}

// current returns what is true, with what is to come in brackets.
func (u *teller) current() string {
	u.t.Helper()
	facts, _, err := u.Facts(u.ctx, FactFilter{AgentID: u.agent.ID, Current: true})
	must(u.t, err)
	return u.told(facts)
}

func TestAFactThatBeginsLaterIsTrueOnItsDay(t *testing.T) {
	u := newTeller(t)
	u.says("employer=Acme")
	u.pass(day)
	start := u.now().Add(30 * day)
	u.plans("employer", "Ferro", start, time.Time{})
	wantEqual(t, "before", u.current(), "employer=Acme (employer=Ferro)")
	wantEqual(t, "until", u.known("Acme").ValidTo.Equal(start), true)
	wantEqual(t, "is to come", u.known("Ferro").Coming(u.now()), true)
	groups, err := u.FactGroups(u.ctx, u.agent.ID)
	must(t, err)
	wantEqual(t, "groups", groups[0].Current, 2)
	replaced, err := u.ReplacedIn(u.ctx, u.agent.ID, []string{u.known("Acme").Origin, u.known("Ferro").Origin})
	must(t, err)
	wantEqual(t, "replaced", len(replaced), 0)

	u.pass(day)
	u.says("employer=Acme") // which is true still
	wantEqual(t, "confirmed", u.current(), "employer=Acme (employer=Ferro)")
	u.pass(day)
	u.says("employer=Zenith") // and then something else, until that day
	wantEqual(t, "meanwhile", u.current(), "employer=Zenith (employer=Ferro)")
	u.pass(30 * day)
	wantEqual(t, "on its day", u.all(), "employer=Ferro (employer=Zenith) (employer=Acme)")
	replaced, err = u.ReplacedIn(u.ctx, u.agent.ID, []string{u.known("Acme").Origin})
	must(t, err)
	wantEqual(t, "took its place", replaced[u.known("Acme").Origin][0].New.Value, "Ferro")
	u.says("employer=Gamma")
	wantEqual(t, "afterwards", u.current(), "employer=Gamma")
}

func TestAPlanIsReplacedByAnother(t *testing.T) {
	u := newTeller(t)
	u.says("home=Lyon")
	u.pass(day)
	start := u.now().Add(30 * day)
	u.plans("home", "Bern", start, time.Time{})
	u.pass(day)
	u.plans("home", "Rome", start, time.Time{})
	wantEqual(t, "planned", u.current(), "home=Lyon (home=Rome)")
	later := start.Add(10 * day)
	u.plans("home", "Rome", later, time.Time{})
	wantEqual(t, "postponed", u.current(), "home=Lyon (home=Rome)")
	wantEqual(t, "until", u.known("Lyon").ValidTo.Equal(start), false)
	wantEqual(t, "from", u.known("Rome").ValidFrom.Equal(later), true)
	u.pass(day)
	u.says("not home=Rome") // after all
	wantEqual(t, "called off", u.current(), "home=Lyon")
	u.pass(60 * day)
	wantEqual(t, "true", u.current(), "")
}

func TestAFactThatEndsLaterIsTrueUntilThen(t *testing.T) {
	for name, begin := range map[string]func(*teller){"known": func(u *teller) { u.says("employer=Acme"); u.pass(day) }, "new": func(*teller) {}} {
		t.Run(name, func(t *testing.T) {
			u := newTeller(t)
			begin(u)
			end := u.now().Add(30 * day)
			u.plans("employer", "Acme", time.Time{}, end)
			wantEqual(t, "before", u.current(), "employer=Acme")
			wantEqual(t, "until", u.known("Acme").ValidTo.Equal(end), true)
			u.pass(day)
			u.says("employer=Acme")
			wantEqual(t, "said again", u.known("Acme").ValidTo.Equal(end), true)
			wantEqual(t, "one fact", u.all(), "employer=Acme")
			u.pass(30 * day)
			wantEqual(t, "after", u.all(), "(employer=Acme)")
		})
	}
}

func TestSinceWhenSomethingIsOverMayBeUnknown(t *testing.T) {
	u := newTeller(t)
	u.says("not home=Paris") // "I used to live in Paris"
	wantEqual(t, "said", u.known("Paris").EndSaid, true)
	u.says("employer=Acme")
	u.pass(day)
	u.says("not employer=Acme")
	wantEqual(t, "said later", u.known("Acme").EndSaid, true)
	u.says("pet=cat")
	wantEqual(t, "not over", u.known("cat").EndSaid, false)
}

func TestAQuestionIsClosedByAChangeOfTheBlock(t *testing.T) {
	u := newTeller(t)
	b := u.block("human", "Likes cats\nLives in Leipzig", u.agent.ID)
	m := u.say(u.conversation.ID, memory.RoleUser, "I live in Lyon now")
	u.Store.lines = fact.Lines{}
	st := memory.FactStatement{Subject: "user", Key: "home", Value: "Lyon", SaidAt: m.CreatedAt, Origin: m.ID, Start: 0, End: 14, Against: &memory.BlockLine{BlockID: b.ID, Label: b.Label, Line: "Lives in Leipzig"}}
	cause := byRule
	cause.ConversationID = m.ConversationID
	_, err := u.SaveFacts(u.ctx, u.agent.ID, []memory.FactStatement{st}, cause)
	must(t, err)
	yes, no := true, false
	change := func(value string, pinned *bool) memory.Revision {
		_, rev, err := u.UpdateBlock(u.ctx, b.ID, memory.BlockChange{Value: &value, Pinned: pinned}, byUser)
		must(t, err)
		return rev
	}
	change("Likes cats\nLives in Leipzig", &yes)
	wantEqual(t, "open", len(u.asked()), 1)

	u.seen()
	change("Likes cats\nHome: Leipzig", nil)
	if open := u.asked(); len(open) != 1 || open[0].Old != "Home: Leipzig" || open[0].Against.Line != "Home: Leipzig" {
		t.Fatalf("about the line as it is now: %+v", open)
	}
	gone := change("Likes cats\nHome: Lyon", nil)
	wantEqual(t, "open after the change", len(u.asked()), 0)
	all, err := u.FactQuestions(u.ctx, u.agent.ID, "", false)
	must(t, err)
	if len(all) != 1 || all[0].Answer != memory.AnswerGone || all[0].AnsweredAt.IsZero() {
		t.Errorf("its record: %+v", all)
	}
	_, _, err = u.AnswerFact(u.ctx, all[0].ID, memory.AnswerNew, byUser)
	wantCode(t, err, memory.ECONFLICT)
	u.undo(gone.ID)
	wantEqual(t, "open after undo", len(u.asked()), 1)
	change("Likes cats\nHome: Leipzig", &no)
	wantEqual(t, "open of a block that is not pinned", len(u.asked()), 0)
}

func TestAQuestionIsClosedByAChangeOfTheFact(t *testing.T) {
	u := newTeller(t)
	u.says("home=Leipzig")
	pinned := u.pin("Leipzig")
	u.pass(day)
	u.says("home=Lyon")
	lyon := "Lyon"
	_, rev, err := u.UpdateFact(u.ctx, pinned.ID, memory.FactChange{Value: &lyon}, byUser)
	must(t, err)
	all, err := u.FactQuestions(u.ctx, u.agent.ID, "", false)
	must(t, err)
	wantEqual(t, "record", all[0].Answer, memory.AnswerGone)
	wantEqual(t, "open", len(u.asked()), 0)
	u.undo(rev.ID)
	wantEqual(t, "open after undo", len(u.asked()), 1)
}
