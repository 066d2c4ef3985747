package store

import (
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
)

// teller is a user whose words become facts.
type teller struct {
	*world
	agent        memory.Agent
	conversation memory.Conversation
	saved        SavedFacts
}

func newTeller(t *testing.T) *teller {
	w := newWorld(t)
	a := w.agent()
	return &teller{world: w, agent: a, conversation: w.conversation(a)}
}

var byRule = memory.Cause{Actor: memory.ActorSystem, Reason: "fact"}

// says has the user say a fact, "home=Lyon" or "sister.home=Bern", now: "not home=Lyon" that it is over,
// "not at all home=Lyon" that it is not so, "not whatever home=Lyon" that whatever it is, it is over.
func (u *teller) says(what string) memory.Message {
	u.t.Helper()
	m := u.say(u.conversation.ID, memory.RoleUser, what)
	u.reads(m)
	return m
}

// reads stores what a message says.
func (u *teller) reads(m memory.Message) {
	u.t.Helper()
	cause := byRule
	cause.AgentID, cause.ConversationID, cause.MessageID = u.agent.ID, m.ConversationID, m.ID
	var err error
	u.saved, err = u.SaveFacts(u.ctx, u.agent.ID, saidIn(m), cause)
	must(u.t, err)
}

// saidIn reads what says wrote.
func saidIn(m memory.Message) []memory.FactStatement {
	var list []memory.FactStatement
	for _, part := range strings.Split(m.Content, ", ") {
		st := memory.FactStatement{Subject: memory.SubjectUser, SaidAt: m.CreatedAt, Origin: m.ID, End: len(part), Confidence: .9}
		part, st.Over = strings.CutPrefix(part, "not ")
		part, st.Denied = strings.CutPrefix(part, "at all ")
		part, st.Any = strings.CutPrefix(part, "whatever ")
		st.Denied = st.Denied || st.Any
		key, value, ok := strings.Cut(part, "=")
		if !ok {
			continue
		}
		if subject, rest, of := strings.Cut(key, "."); of {
			st.Subject, key = subject, rest
		}
		st.Key, st.Value, st.Many = key, value, memory.ManyValues(st.Subject, key)
		list = append(list, st)
	}
	return list
}

// all returns the facts, "home=Lyon" where one is true and "(home=Lyon)" where it is not any more.
func (u *teller) all() string {
	u.t.Helper()
	facts, _, err := u.Facts(u.ctx, FactFilter{AgentID: u.agent.ID})
	must(u.t, err)
	return u.told(facts)
}

func (u *teller) told(facts []memory.Fact) string {
	var list []string
	for _, f := range facts {
		s := f.Key + "=" + f.Value
		if f.Subject != memory.SubjectUser {
			s = f.Subject + "." + s
		}
		if !f.Current(u.now()) {
			s = "(" + s + ")"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

// known returns the newest fact of a value.
func (u *teller) known(value string) *memory.Fact {
	u.t.Helper()
	facts, _, err := u.Facts(u.ctx, FactFilter{AgentID: u.agent.ID, Query: value})
	must(u.t, err)
	if len(facts) == 0 {
		u.t.Fatalf("nothing is known of %q among %s", value, u.all())
	}
	return &facts[0]
}

// revisionOf returns the newest change of a fact.
func (u *teller) revisionOf(id string) memory.Revision {
	u.t.Helper()
	revs, _, err := u.Revisions(u.ctx, RevisionFilter{Subject: memory.SubjectFact, SubjectID: id})
	must(u.t, err)
	if len(revs) == 0 {
		u.t.Fatalf("no change of %s", id)
	}
	return revs[0]
}

func (u *teller) undo(revision string) memory.Revision {
	u.t.Helper()
	rev, err := u.Undo(u.ctx, revision, byUser)
	must(u.t, err)
	return rev
}

func (u *teller) pin(value string) memory.Fact {
	u.t.Helper()
	yes := true
	f, _, err := u.UpdateFact(u.ctx, u.known(value).ID, memory.FactChange{Pinned: &yes}, byUser)
	must(u.t, err)
	return f
}

func (u *teller) asked() []memory.FactQuestion {
	u.t.Helper()
	list, err := u.FactQuestions(u.ctx, u.agent.ID, "", true)
	must(u.t, err)
	return list
}

const day = 24 * time.Hour

func TestANewerStatementReplacesTheOlder(t *testing.T) {
	u := newTeller(t)
	first := u.says("home=Leipzig, likes=tea")
	u.seen()
	u.pass(30 * day)
	second := u.says("home=Lyon, likes=jazz")
	wantEqual(t, "facts", u.all(), "home=Lyon (home=Leipzig) likes=jazz likes=tea")

	old, now := u.known("Leipzig"), u.known("Lyon")
	wantEqual(t, "replaced by", old.ReplacedBy, now.ID)
	for what, pair := range map[string][2]time.Time{
		"true since": {old.ValidFrom, first.CreatedAt}, "until": {old.ValidTo, second.CreatedAt}, "now since": {now.ValidFrom, second.CreatedAt}, "without end": {now.ValidTo, {}},
	} {
		if !pair[0].Equal(pair[1]) {
			t.Errorf("%s %v, want %v", what, pair[0], pair[1])
		}
	}
	wantEqual(t, "origin", now.Origin, second.ID)
	wantEqual(t, "conversation of the origin", now.OriginConversation, u.conversation.ID)
	wantEqual(t, "end of the range", now.End, len("home=Lyon"))
	history, err := u.FactHistory(u.ctx, old.ID)
	must(t, err)
	wantEqual(t, "history", u.told(history), "home=Lyon (home=Leipzig)")

	rev := u.revisionOf(now.ID)
	if rev.Cause.MessageID != second.ID || rev.Cause.Actor != memory.ActorSystem || rev.Label != "home = Lyon" {
		t.Errorf("recorded as %+v", rev)
	}
	found := false
	for _, ev := range u.seen() {
		found = found || ev.Type == "fact.changed" && ev.Data["fact_id"] == now.ID && ev.Data["revision_id"] == rev.ID && ev.Data["message_id"] == second.ID
	}
	if !found {
		t.Error("no event tells of the new fact")
	}
	u.reopen()
	wantEqual(t, "facts after a new start", u.all(), "home=Lyon (home=Leipzig) likes=jazz likes=tea")
}

func TestFactsStandInTheOrderInWhichTheyWereSaid(t *testing.T) {
	// Whatever order messages are read in, the last that was said is true.
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 2, 0}, {2, 0, 1}} {
		u := newTeller(t)
		var said []memory.Message
		for _, what := range []string{"home=Leipzig", "home=Lyon", "home=Bern"} {
			said = append(said, u.say(u.conversation.ID, memory.RoleUser, what))
			u.pass(30 * day)
		}
		for _, i := range order {
			u.reads(said[i])
		}
		wantEqual(t, "facts", u.all(), "home=Bern (home=Lyon) (home=Leipzig)")
		if !u.known("Leipzig").ValidTo.Equal(said[1].CreatedAt) {
			t.Errorf("Leipzig until %v", u.known("Leipzig").ValidTo)
		}
	}
}

func TestTheSameAgainConfirms(t *testing.T) {
	u := newTeller(t)
	older := u.say(u.conversation.ID, memory.RoleUser, "home=LYON")
	u.pass(10 * day)
	first := u.says("home=Lyon")
	u.pass(10 * day)
	last := u.says("home=Lyon.")
	wantEqual(t, "confirmed", u.told(u.saved.Confirmed), "home=Lyon")
	f := u.known("Lyon")
	if !f.ConfirmedAt.Equal(last.CreatedAt) || !f.SaidAt.Equal(first.CreatedAt) || f.Version != 1 {
		t.Errorf("%+v", f)
	}
	u.reads(older) // as an import brings it
	wantEqual(t, "facts", u.all(), "home=Lyon")
	f = u.known("Lyon")
	if !f.SaidAt.Equal(older.CreatedAt) || !f.ValidFrom.Equal(older.CreatedAt) || !f.ConfirmedAt.Equal(last.CreatedAt) || f.Origin != older.ID {
		t.Errorf("%+v", f)
	}
	u.undo(u.revisionOf(f.ID).ID) // saying it again is no change that stands in the way
	wantEqual(t, "facts after undo", u.all(), "")
}

func TestAFactCanBeTrueAgain(t *testing.T) {
	u := newTeller(t)
	for _, what := range []string{"home=Lyon", "home=Bern", "home=Lyon"} {
		u.says(what)
		u.pass(day)
	}
	wantEqual(t, "facts", u.all(), "home=Lyon (home=Bern) (home=Lyon)")
	replaced, err := u.ReplacedIn(u.ctx, u.agent.ID, []string{u.known("Bern").Origin})
	must(t, err)
	wantEqual(t, "what took the place of Bern", replaced[u.known("Bern").Origin][0].New.Value, "Lyon")
}

func TestWhatIsOverHasTheDatesThatWereSaid(t *testing.T) {
	u := newTeller(t)
	u.says("home=Lyon, employer=Bosch")
	u.pass(day)
	m := u.say(u.conversation.ID, memory.RoleUser, "I lived in Turin from 2001 to 2005, and in Lyon before that")
	cause := byRule
	cause.ConversationID, cause.MessageID = m.ConversationID, m.ID
	over := memory.FactStatement{Subject: memory.SubjectUser, Key: "home", Over: true, SaidAt: m.CreatedAt, Origin: m.ID, End: 10, Confidence: .9}
	turin, lyon := over, over
	turin.Value, turin.ValidFrom, turin.EndedAt = "Turin", date(2001), date(2005)
	lyon.Value, lyon.EndedAt = "Lyon", date(2000)
	_, err := u.SaveFacts(u.ctx, u.agent.ID, []memory.FactStatement{turin, lyon}, cause)
	must(t, err)
	wantEqual(t, "facts", u.all(), "employer=Bosch home=Lyon (home=Turin) (home=Lyon)")
	if f := u.known("Turin"); !f.ValidFrom.Equal(date(2001)) || !f.ValidTo.Equal(date(2005)) {
		t.Errorf("%+v", f)
	}
}

func TestADenialOnlyEndsWhatIsKnown(t *testing.T) {
	u := newTeller(t)
	u.says("not at all home=Munich, not at all allergy=cats")
	wantEqual(t, "facts", u.all(), "")
	u.pass(day)
	u.says("home=Lyon, allergy=nuts")
	u.pass(day)
	u.says("not at all home=Munich, not at all allergy=nuts")
	wantEqual(t, "facts", u.all(), "(allergy=nuts) home=Lyon")
}

// "I quit my job": whatever it was.
func TestWhateverItWasIsOver(t *testing.T) {
	u := newTeller(t)
	u.says("not whatever employer=job")
	wantEqual(t, "facts", u.all(), "")
	u.says("employer=Bosch")
	u.pass(day)
	u.says("not whatever employer=job")
	wantEqual(t, "facts", u.all(), "(employer=Bosch)")
	u.pass(day)
	u.says("employer=Siemens")
	wantEqual(t, "facts", u.all(), "employer=Siemens (employer=Bosch)")
}

func TestWhatIsOverStaysReadable(t *testing.T) {
	u := newTeller(t)
	said := u.says("employer=Bosch, likes=tea")
	u.pass(day)
	over := u.says("not employer=Bosch, not likes=tea")
	wantEqual(t, "facts", u.all(), "(employer=Bosch) (likes=tea)")
	if f := u.known("Bosch"); !f.EndedAt.Equal(over.CreatedAt) || !f.ValidTo.Equal(over.CreatedAt) || f.ReplacedBy != "" {
		t.Errorf("%+v", f)
	}
	replaced, err := u.ReplacedIn(u.ctx, u.agent.ID, []string{said.ID, over.ID})
	must(t, err)
	if r := replaced[said.ID]; len(r) != 2 || r[0].New.ID != "" {
		t.Errorf("in the place of what is over: %+v", r)
	}
	if len(replaced[over.ID]) > 0 {
		t.Error("what says that something is over is taken for replaced")
	}
	u.pass(day)
	u.says("likes=tea")
	wantEqual(t, "facts", u.all(), "(employer=Bosch) likes=tea (likes=tea)")

	// What was over before it was ever said replaces nothing, and what is true now took its place.
	u.pass(day)
	u.says("home=Lyon")
	u.pass(day)
	u.says("not home=Paris")
	wantEqual(t, "what is true", u.known("Lyon").Current(u.now()), true)
	wantEqual(t, "what followed Paris", u.known("Paris").ReplacedBy, u.known("Lyon").ID)
	// Something that was over and then said again in between is not over.
	again := u.say(u.conversation.ID, memory.RoleUser, "not home=Lyon")
	u.pass(day)
	u.says("home=Lyon")
	u.reads(again)
	wantEqual(t, "what is true", u.known("Lyon").Current(u.now()), true)
}

func TestWhatFollowedAndIsOverIsNotTheTruth(t *testing.T) {
	u := newTeller(t)
	first := u.says("employer=Bosch")
	for _, what := range []string{"employer=Siemens", "not employer=Siemens"} {
		u.pass(day)
		u.says(what)
	}
	replaced, err := u.ReplacedIn(u.ctx, u.agent.ID, []string{first.ID})
	must(t, err)
	if r := replaced[first.ID]; len(r) != 1 || r[0].New.ID != "" {
		t.Errorf("in the place of Bosch: %+v", r)
	}
}

func TestLikingAndDislikingReplaceEachOther(t *testing.T) {
	u := newTeller(t)
	u.says("likes=Chinese food")
	u.pass(day)
	u.says("dislikes=the Chinese food")
	wantEqual(t, "facts", u.all(), "dislikes=the Chinese food (likes=Chinese food)")
}

func TestTwoTrueFactsAboutSimilarThingsStayTwo(t *testing.T) {
	u := newTeller(t)
	u.says("sister.home=Bern, home=Lyon, brother.name=Tom, work laptop.colour=red, laptop.colour=blue")
	u.pass(day)
	u.says("brother.name=Ben")
	wantEqual(t, "facts", u.all(), "home=Lyon brother.name=Ben brother.name=Tom laptop.colour=blue sister.home=Bern work laptop.colour=red")
}

func TestEachChangeOfAFactIsUndoneAndRedone(t *testing.T) {
	u := newTeller(t)
	u.says("home=Leipzig")
	u.pass(day)
	u.says("home=Lyon")
	u.pass(day)
	created := u.revisionOf(u.known("Lyon").ID)
	undone := u.undo(created.ID)
	wantEqual(t, "after the undo of the creation", u.all(), "home=Leipzig")
	u.undo(undone.ID)
	wantEqual(t, "after the redo", u.all(), "home=Lyon (home=Leipzig)")

	lille := "Lille"
	f, rev, err := u.UpdateFact(u.ctx, u.known("Lyon").ID, memory.FactChange{Value: &lille, IfVersion: u.known("Lyon").Version}, byUser)
	must(t, err)
	wantEqual(t, "value", f.Value, "Lille")
	_, _, err = u.UpdateFact(u.ctx, f.ID, memory.FactChange{Value: &lille, IfVersion: 1}, byUser)
	wantCode(t, err, memory.ECONFLICT)
	if _, again, err := u.UpdateFact(u.ctx, f.ID, memory.FactChange{Value: &lille}, byUser); err != nil || again.ID != "" {
		t.Errorf("a change that changes nothing: %+v, %v", again, err)
	}
	undone = u.undo(rev.ID)
	wantEqual(t, "after the undo of the change", u.all(), "home=Lyon (home=Leipzig)")
	u.undo(undone.ID)

	key := "birthplace"
	_, rev, err = u.UpdateFact(u.ctx, f.ID, memory.FactChange{Key: &key}, byUser)
	must(t, err)
	wantEqual(t, "another key leaves the chain", u.all(), "birthplace=Lille home=Leipzig")
	u.undo(rev.ID)
	wantEqual(t, "back in the chain", u.all(), "home=Lille (home=Leipzig)")

	yes := true
	_, rev, err = u.UpdateFact(u.ctx, f.ID, memory.FactChange{Ended: &yes}, byUser)
	must(t, err)
	wantEqual(t, "ended", u.all(), "(home=Lille) (home=Leipzig)")
	u.undo(rev.ID)
	wantEqual(t, "true again", u.all(), "home=Lille (home=Leipzig)")

	deleted, err := u.DeleteFact(u.ctx, f.ID, byUser)
	must(t, err)
	wantEqual(t, "deleted", u.all(), "home=Leipzig")
	_, _, err = u.UpdateFact(u.ctx, f.ID, memory.FactChange{Value: &lille}, byUser)
	wantCode(t, err, memory.ENOTFOUND)
	u.undo(deleted.ID)
	wantEqual(t, "brought back", u.all(), "home=Lille (home=Leipzig)")

	u.pass(day)
	u.says("not home=Lille")
	over := u.revisionOf(f.ID)
	undone = u.undo(over.ID)
	wantEqual(t, "not over", u.all(), "home=Lille (home=Leipzig)")
	c := u.conversation.ID
	u.sayAfter(c, "", memory.RoleUser, "hello") // another branch, and back: what the user took back stays taken back
	conversation, err := u.Conversation(u.ctx, c)
	must(t, err)
	hello := conversation.Head
	must(t, u.SetHead(u.ctx, c, over.Cause.MessageID))
	wantEqual(t, "not over", u.all(), "home=Lille (home=Leipzig)")
	u.undo(undone.ID)
	wantEqual(t, "over again", u.all(), "(home=Lille) (home=Leipzig)")
	must(t, u.SetHead(u.ctx, c, hello))

	// Another change in between is said, not lost.
	now, _, err := u.CreateFact(u.ctx, memory.Fact{AgentID: u.agent.ID, Subject: "user", Key: "home", Value: "Rome"}, byUser)
	must(t, err)
	made := u.revisionOf(now.ID)
	bern := "Bern"
	_, _, err = u.UpdateFact(u.ctx, now.ID, memory.FactChange{Value: &bern}, byUser)
	must(t, err)
	_, err = u.Undo(u.ctx, made.ID, byUser)
	wantCode(t, err, memory.ECONFLICT)
}

func TestWhatTheUserTookBackIsNotReadAgain(t *testing.T) {
	u := newTeller(t)
	said := u.says("home=Lyon, likes=tea")
	u.pass(day)
	u.undo(u.revisionOf(u.known("Lyon").ID).ID)
	milk := "milk"
	_, _, err := u.UpdateFact(u.ctx, u.known("tea").ID, memory.FactChange{Value: &milk}, byUser)
	must(t, err)
	u.reads(said)
	wantEqual(t, "facts", u.all(), "likes=milk")
	earlier := said
	earlier.ID, earlier.CreatedAt = "message-of-an-import", said.CreatedAt.Add(-day)
	u.reads(earlier)
	wantEqual(t, "facts", u.all(), "likes=milk likes=tea")
	u.pass(day)
	u.says("home=Lyon") // but may be said anew
	wantEqual(t, "facts", u.all(), "home=Lyon likes=milk likes=tea")
}

func TestFactsOfAMessageThatIsNotToBeSeen(t *testing.T) {
	u := newTeller(t)
	c := u.conversation.ID
	before := u.says("home=Leipzig, likes=tea")
	u.pass(day)
	edited := u.sayAfter(c, before.ID, memory.RoleUser, "home=Lyon, likes=tea, not employer=Bosch, owns=boat")
	u.reads(edited)
	u.pin("boat")
	u.pass(day)
	u.seen()
	wantEqual(t, "facts", u.all(), "(employer=Bosch) home=Lyon (home=Leipzig) likes=tea owns=boat")

	// Edited: what it alone said is no longer true, but for what the user made their own.
	other := u.sayAfter(c, before.ID, memory.RoleUser, "home=Bern")
	wantEqual(t, "facts", u.all(), "home=Leipzig likes=tea owns=boat")
	if f := u.known("tea"); !f.ConfirmedAt.IsZero() {
		t.Errorf("confirmed at %v by what is not to be seen", f.ConfirmedAt)
	}
	told := false
	for _, ev := range u.seen() {
		told = told || ev.Type == "fact.changed" && ev.Data["agent_id"] == u.agent.ID
	}
	if !told {
		t.Error("no event tells that facts are others now")
	}
	u.reads(other)
	wantEqual(t, "facts", u.all(), "home=Bern (home=Leipzig) likes=tea owns=boat")
	if got, _ := u.ReplacedIn(u.ctx, u.agent.ID, []string{edited.ID}); len(got) > 0 {
		t.Errorf("what is hidden is replaced: %+v", got)
	}

	// The other branch again.
	must(t, u.SetHead(u.ctx, c, edited.ID))
	wantEqual(t, "facts", u.all(), "(employer=Bosch) home=Lyon (home=Leipzig) likes=tea owns=boat")
	// What is said on a branch that is not to be seen is not true there either.
	aside := memory.Message{ConversationID: c, ParentID: before.ID, Role: memory.RoleUser, Content: "home=Rome"}
	aside, err := u.AddMessage(u.ctx, aside)
	must(t, err)
	must(t, u.SetHead(u.ctx, c, edited.ID))
	u.reads(aside)
	wantEqual(t, "facts", u.all(), "(employer=Bosch) home=Lyon (home=Leipzig) likes=tea owns=boat")

	// A deleted conversation takes its facts with it, and brings them back.
	yes, no := true, false
	_, err = u.UpdateConversation(u.ctx, c, ConversationChange{Deleted: &yes})
	must(t, err)
	wantEqual(t, "facts", u.all(), "owns=boat")
	_, err = u.UpdateConversation(u.ctx, c, ConversationChange{Deleted: &no})
	must(t, err)
	wantEqual(t, "facts", u.all(), "(employer=Bosch) home=Lyon (home=Leipzig) likes=tea owns=boat")
}

func TestAFactIsKeptByWhateverElseSaysIt(t *testing.T) {
	u := newTeller(t)
	u.says("home=Lyon")
	u.pass(day)
	elsewhere := u.say(u.conversation2(), memory.RoleUser, "home=Lyon")
	u.reads(elsewhere)
	u.pass(day)
	first := u.known("Lyon").Origin
	u.sayAfter(u.conversation.ID, "", memory.RoleUser, "hello")
	f := u.known("Lyon")
	if first == elsewhere.ID || f.Origin != elsewhere.ID || !f.SaidAt.Equal(elsewhere.CreatedAt) || !f.ValidFrom.Equal(elsewhere.CreatedAt) {
		t.Errorf("said by %+v", f)
	}
	must(t, u.SetHead(u.ctx, u.conversation.ID, first))
	wantEqual(t, "origin", u.known("Lyon").Origin, first)

	// What is over because of a message is not when the message is edited.
	over := u.says("not home=Lyon")
	wantEqual(t, "facts", u.all(), "(home=Lyon)")
	u.sayAfter(u.conversation.ID, over.ParentID, memory.RoleUser, "hello")
	wantEqual(t, "facts", u.all(), "home=Lyon")
}

func (u *teller) conversation2() string { return u.world.conversation(u.agent).ID }

func TestAPinnedFactIsAskedAbout(t *testing.T) {
	u := newTeller(t)
	u.says("home=Leipzig")
	pinned := u.pin("Leipzig")
	u.pass(day)
	u.seen()
	said := u.says("home=Lyon")
	wantEqual(t, "facts", u.all(), "home=Leipzig")
	if events := u.seen(); events[len(events)-1].Type != "fact.question" || events[len(events)-1].Data["message_id"] != said.ID {
		t.Errorf("published %+v", events)
	}
	u.reads(said) // the answer is written again
	open := u.asked()
	if len(open) != 1 || len(u.saved.Questions) != 0 || open[0].FactID != pinned.ID || open[0].Old != "Leipzig" || open[0].New.Value != "Lyon" || open[0].MessageID != said.ID {
		t.Fatalf("asked %+v", open)
	}
	u.reopen()
	u.pass(day)
	u.says("home=Leipzig") // confirmed since, and the answer is the last word all the same
	u.pass(day)
	_, _, err := u.AnswerFact(u.ctx, open[0].ID, "perhaps", byUser)
	wantCode(t, err, memory.EINVALID)
	q, revs, err := u.AnswerFact(u.ctx, open[0].ID, memory.AnswerNew, byUser)
	must(t, err)
	wantEqual(t, "answer", q.Answer, memory.AnswerNew)
	wantEqual(t, "facts", u.all(), "home=Lyon (home=Leipzig)")
	wantEqual(t, "pin", u.known("Lyon").Pinned && !u.known("Leipzig").Pinned, true)
	wantEqual(t, "open questions", len(u.asked()), 0)
	_, _, err = u.AnswerFact(u.ctx, q.ID, memory.AnswerOld, byUser)
	wantCode(t, err, memory.ECONFLICT)
	u.undo(revs[0].ID) // the answer is one act
	wantEqual(t, "facts after undo", u.all(), "home=Leipzig")
	wantEqual(t, "pin after undo", u.known("Leipzig").Pinned, true)
	wantEqual(t, "asked again", len(u.asked()), 1)
}

func TestAnswers(t *testing.T) {
	for _, c := range []struct {
		name, says string
		answer     memory.FactAnswer
		code       memory.Code
		facts      string
	}{
		{"the old stays", "home=Lyon", memory.AnswerOld, "", "home=Leipzig"},
		{"both are true", "home=Lyon", memory.AnswerBoth, "", "home=Lyon home=Leipzig"},
		{"over and kept", "not home=Leipzig", memory.AnswerOld, "", "home=Leipzig"},
		{"over", "not home=Leipzig", memory.AnswerNew, "", "(home=Leipzig)"},
		{"over and true", "not home=Leipzig", memory.AnswerBoth, memory.EINVALID, "home=Leipzig"},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := newTeller(t)
			u.says("home=Leipzig")
			u.pin("Leipzig")
			u.pass(day)
			u.says(c.says)
			_, _, err := u.AnswerFact(u.ctx, u.asked()[0].ID, c.answer, byUser)
			wantCode(t, err, c.code)
			wantEqual(t, "facts", u.all(), c.facts)
		})
	}
}

func TestOfTwoHomesThatAreTrue(t *testing.T) {
	u := newTeller(t)
	u.says("home=Leipzig")
	u.pin("Leipzig")
	u.pass(day)
	u.says("home=Lyon")
	_, _, err := u.AnswerFact(u.ctx, u.asked()[0].ID, memory.AnswerBoth, byUser)
	must(t, err)
	u.pass(day)
	u.says("home=Lyon")
	wantEqual(t, "facts", u.all(), "home=Lyon home=Leipzig")
	u.pass(day)
	u.says("home=Rome")
	if open := u.asked(); len(open) != 1 || open[0].Old != "Leipzig" || open[0].New.Value != "Rome" {
		t.Errorf("asked %+v", open)
	}
}

func TestAQuestionGoesWithItsPin(t *testing.T) {
	no, bern := false, "Bern"
	for name, changes := range map[string]func(*teller, memory.Fact) (memory.Revision, error){
		"unpinned": func(u *teller, f memory.Fact) (memory.Revision, error) {
			_, rev, err := u.UpdateFact(u.ctx, f.ID, memory.FactChange{Pinned: &no}, byUser)
			return rev, err
		},
		"replaced by hand": func(u *teller, f memory.Fact) (memory.Revision, error) {
			_, rev, err := u.CreateFact(u.ctx, memory.Fact{AgentID: u.agent.ID, Subject: "user", Key: "home", Value: bern}, byUser)
			return rev, err
		},
		"deleted": func(u *teller, f memory.Fact) (memory.Revision, error) { return u.DeleteFact(u.ctx, f.ID, byUser) },
	} {
		t.Run(name, func(t *testing.T) {
			u := newTeller(t)
			u.says("home=Leipzig")
			pinned := u.pin("Leipzig")
			u.pass(day)
			u.says("home=Lyon")
			q := u.asked()[0]
			u.pass(day)
			rev, err := changes(u, pinned)
			must(t, err)
			now := u.all()
			wantEqual(t, "open questions", len(u.asked()), 0)
			_, _, err = u.AnswerFact(u.ctx, q.ID, memory.AnswerNew, byUser)
			wantCode(t, err, memory.ECONFLICT)
			wantEqual(t, "facts", u.all(), now)
			u.undo(rev.ID)
			wantEqual(t, "open questions after undo", len(u.asked()), 1)
		})
	}
}

func TestOnlyTheNewestIsAskedAbout(t *testing.T) {
	u := newTeller(t)
	u.says("home=Leipzig")
	u.pin("Leipzig")
	u.pass(day)
	u.says("home=Lyon")
	older := u.asked()[0]
	u.pass(day)
	u.says("home=Rome")
	open := u.asked()
	if len(open) != 1 || open[0].New.Value != "Rome" {
		t.Fatalf("asked %+v", open)
	}
	_, _, err := u.AnswerFact(u.ctx, older.ID, memory.AnswerNew, byUser)
	wantCode(t, err, memory.ECONFLICT)
	_, _, err = u.AnswerFact(u.ctx, open[0].ID, memory.AnswerNew, byUser)
	must(t, err)
	wantEqual(t, "facts", u.all(), "home=Rome (home=Leipzig)")
	wantEqual(t, "open questions", len(u.asked()), 0)
}

func TestAQuestionGoesWithItsMessage(t *testing.T) {
	u := newTeller(t)
	start := u.says("home=Leipzig")
	u.pin("Leipzig")
	u.pass(day)
	first := u.says("home=Lyon")
	edited := u.sayAfter(u.conversation.ID, start.ID, memory.RoleUser, "home=Lyon")
	wantEqual(t, "open questions", len(u.asked()), 0)
	u.reads(edited)
	if open := u.asked(); len(open) != 1 || open[0].MessageID != edited.ID {
		t.Fatalf("asked %+v", open)
	}
	must(t, u.SetHead(u.ctx, u.conversation.ID, first.ID))
	if open := u.asked(); len(open) != 1 || open[0].MessageID != first.ID {
		t.Fatalf("asked %+v", open)
	}
}

func TestAPinnedBlockIsAskedAbout(t *testing.T) {
	u := newTeller(t)
	b := u.block("human", "Likes cats\nLives in Leipzig", u.agent.ID)
	m := u.say(u.conversation.ID, memory.RoleUser, "I live in Lyon now")
	st := memory.FactStatement{Subject: "user", Key: "home", Value: "Lyon", SaidAt: m.CreatedAt, Origin: m.ID, Start: 0, End: 14, Against: &memory.BlockLine{BlockID: b.ID, Label: b.Label, Line: "Lives in Leipzig"}}
	cause := byRule
	cause.ConversationID = m.ConversationID
	_, err := u.SaveFacts(u.ctx, u.agent.ID, []memory.FactStatement{st}, cause)
	must(t, err)
	open := u.asked()
	if len(open) != 1 || open[0].Old != "Lives in Leipzig" || open[0].Against == nil || open[0].Against.BlockID != b.ID {
		t.Fatalf("asked %+v", open)
	}
	_, revs, err := u.AnswerFact(u.ctx, open[0].ID, memory.AnswerNew, byUser)
	must(t, err)
	b, err = u.Block(u.ctx, b.ID)
	must(t, err)
	wantEqual(t, "block", b.Value, "Likes cats\nI live in Lyon")
	wantEqual(t, "facts", u.all(), "home=Lyon")
	wantEqual(t, "changes", len(revs), 2)
}

func TestFactsByHand(t *testing.T) {
	u := newTeller(t)
	u.says("home=Lyon")
	u.pass(day)
	create := func(f memory.Fact) (memory.Fact, memory.Revision) {
		t.Helper()
		f.AgentID, f.Subject = u.agent.ID, memory.SubjectUser
		f, rev, err := u.CreateFact(u.ctx, f, byUser)
		must(t, err)
		return f, rev
	}
	// A key that holds several values does so, whoever writes it.
	create(memory.Fact{Key: "Likes", Value: "tea"})
	create(memory.Fact{Key: "likes", Value: "jazz"})
	wantEqual(t, "facts", u.all(), "Likes=tea home=Lyon likes=jazz")
	// History is written with an end, and changes nothing of what is true.
	create(memory.Fact{Key: "home", Value: "Paris", ValidFrom: date(2010), EndedAt: date(2015)})
	create(memory.Fact{Key: "home", Value: "Rome", ValidFrom: date(2015), EndedAt: date(2019)})
	history, err := u.FactHistory(u.ctx, u.known("Lyon").ID)
	must(t, err)
	wantEqual(t, "history", u.told(history), "home=Lyon (home=Rome) (home=Paris)")
	// What is known is not written twice.
	f, rev := create(memory.Fact{Key: "home", Value: "lyon"})
	if rev.ID != "" || f.ID != u.known("Lyon").ID {
		t.Errorf("written twice: %+v", f)
	}
	create(memory.Fact{Key: "home", Value: "Bern"})
	wantEqual(t, "what is true", u.known("Bern").Current(u.now()) && !u.known("Lyon").Current(u.now()), true)

	for name, bad := range map[string]struct {
		f    memory.Fact
		code memory.Code
	}{
		"no value":               {memory.Fact{Key: "home"}, memory.EINVALID},
		"over before it began":   {memory.Fact{Key: "home", Value: "Rome", ValidFrom: date(2015), EndedAt: date(2010)}, memory.EINVALID},
		"a value of 501 letters": {memory.Fact{Key: "home", Value: strings.Repeat("x", 501)}, memory.ELIMIT},
	} {
		bad.f.AgentID, bad.f.Subject = u.agent.ID, memory.SubjectUser
		if _, _, err := u.CreateFact(u.ctx, bad.f, byUser); memory.CodeOf(err) != bad.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, _, err = u.CreateFact(u.ctx, memory.Fact{AgentID: "agent-none", Subject: "user", Key: "home", Value: "Rome"}, byUser)
	wantCode(t, err, memory.ENOTFOUND)
}

func date(year int) time.Time { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC) }

func TestFactsAreListedInPages(t *testing.T) {
	u := newTeller(t)
	for _, what := range []string{"likes=tea, likes=jazz, home=Lyon, sister.home=Bern, 猫.name=年糕", "home=Rome, likes=50 % milk"} {
		u.says(what)
		u.pass(day)
	}
	want := u.all()
	var pages []memory.Fact
	for cursor := ""; ; {
		page, next, err := u.Facts(u.ctx, FactFilter{AgentID: u.agent.ID, Cursor: cursor, Limit: 2})
		must(t, err)
		pages = append(pages, page...)
		if cursor = next; next == "" {
			break
		}
	}
	wantEqual(t, "all pages", u.told(pages), want)
	for f, want := range map[FactFilter]string{
		{Current: true, Key: "HOME"}:       "home=Rome sister.home=Bern",
		{Subject: "sister"}:                "sister.home=Bern",
		{Query: "50 %"}:                    "likes=50 % milk",
		{Query: "年糕"}:                      "猫.name=年糕",
		{Origin: u.known("Rome").Origin}:   "home=Rome likes=50 % milk",
		{Query: "nothing of this kind"}:    "",
		{Current: true, Subject: "nobody"}: "",
	} {
		f.AgentID = u.agent.ID
		facts, _, err := u.Facts(u.ctx, f)
		must(t, err)
		wantEqual(t, "facts", u.told(facts), want)
	}
	_, _, err := u.Facts(u.ctx, FactFilter{AgentID: u.agent.ID, Cursor: "nonsense"})
	wantCode(t, err, memory.EINVALID)
	groups, err := u.FactGroups(u.ctx, u.agent.ID)
	must(t, err)
	if len(groups) != 4 || groups[0] != (FactGroup{Subject: "user", Key: "home", Count: 2, Current: 1}) {
		t.Errorf("groups %+v", groups)
	}
	other := u.world.agent()
	facts, _, err := u.Facts(u.ctx, FactFilter{AgentID: other.ID})
	must(t, err)
	wantEqual(t, "of another agent", len(facts), 0)
}

func TestWhatIsLeftToRead(t *testing.T) {
	u := newTeller(t)
	c := u.conversation.ID
	first := u.say(c, memory.RoleUser, "home=Lyon")
	u.say(c, memory.RoleAssistant, "nice")
	edited := u.say(c, memory.RoleUser, "hello")
	last := u.sayAfter(c, edited.ParentID, memory.RoleUser, "likes=tea")
	var got []string
	for behind := int64(0); ; {
		keys, upTo, err := u.Unread(u.ctx, behind, 1)
		must(t, err)
		if upTo == behind {
			break
		}
		behind = upTo
		for _, key := range keys {
			m, err := u.MessageByKey(u.ctx, key)
			must(t, err)
			got = append(got, m.ID)
		}
	}
	wantEqual(t, "messages", strings.Join(got, " "), first.ID+" "+last.ID)
	place, err := one(u.ctx, u.Store, scanPlace, "message_place", last.ID)
	must(t, err)
	_, upTo, err := u.Unread(u.ctx, place.key+1000, 10) // messages behind it were erased
	must(t, err)
	wantEqual(t, "read up to", upTo, place.key)
}

func TestFactsAreErasedWithTheirAgent(t *testing.T) {
	u := newTeller(t)
	u.says("home=Leipzig")
	u.pin("Leipzig")
	u.says("home=Lyon, likes=tea")
	must(t, u.erasing(u.ctx, "erase", func(t *tx) error { return t.eraseAgent(u.agent.ID) }))
	for _, table := range []string{"fact", "fact_mention", "fact_question"} {
		n, err := one(u.ctx, u.Store, value[int], "SELECT count(*) FROM "+table)
		must(t, err)
		wantEqual(t, "rows of "+table, n, 0)
	}
}

// What is looked through in each turn is what the facts are then, whatever wrote them.
func TestWhatIsKnownFollowsEveryChange(t *testing.T) {
	u := newTeller(t)
	is := func(after, want string) {
		t.Helper()
		for range 2 { // read, and kept
			facts, err := u.KnownFacts(u.ctx, u.agent.ID)
			must(t, err)
			slices.SortFunc(facts, func(a, b memory.Fact) int { return strings.Compare(a.ID, b.ID) })
			var list []string
			for _, f := range facts {
				s := f.Value
				if f.ReplacedBy != "" {
					s += "*"
				}
				list = append(list, s)
			}
			wantEqual(t, after, strings.Join(list, " "), want)
		}
	}
	is("at first", "")
	u.says("home=Rome")
	is("said", "Rome")
	u.pass(day)
	m := u.says("home=Bergen")
	is("said anew", "Rome* Bergen")
	oslo := "Oslo"
	_, rev, err := u.UpdateFact(u.ctx, u.known("Bergen").ID, memory.FactChange{Value: &oslo}, byUser)
	must(t, err)
	is("changed", "Rome* Oslo")
	u.undo(rev.ID)
	is("undone", "Rome* Bergen")
	_, err = u.DeleteFact(u.ctx, u.known("Rome").ID, byUser)
	must(t, err)
	is("deleted", "Bergen")
	u.says("allergy=nuts")
	is("said besides", "Bergen nuts")
	yes := true
	_, err = u.UpdateConversation(u.ctx, m.ConversationID, ConversationChange{Deleted: &yes})
	must(t, err)
	is("not to be seen", "Bergen") // which is the user's own now
	other, err := u.KnownFacts(u.ctx, u.world.agent().ID)
	must(t, err)
	wantEqual(t, "of another agent", len(other), 0)
}
