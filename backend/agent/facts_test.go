package agent_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// facts returns what is known, "home=Lyon" where it is true and "(home=Lyon)" where it is not any more.
func (w *world) facts() string {
	w.Helper()
	facts, _, err := w.store.Facts(w.ctx(), store.FactFilter{AgentID: w.agent.ID})
	w.must(err)
	var list []string
	for _, f := range facts {
		s := f.Key + "=" + f.Value
		if f.Subject != memory.SubjectUser {
			s = f.Subject + "." + s
		}
		if !f.Current(time.Now()) {
			s = "(" + s + ")"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

func (w *world) wantFacts(want string) {
	w.Helper()
	if got := w.facts(); got != want {
		w.Errorf("facts %q, want %q", got, want)
	}
}

func (w *world) questions() []memory.FactQuestion {
	w.Helper()
	list, err := w.store.FactQuestions(w.ctx(), w.agent.ID, "", true)
	w.must(err)
	return list
}

func TestATurnKeepsWhatTheUserStates(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Noted."))
	w.send("Hi! I live in Leipzig. What is the weather like?")
	w.wantFacts("home=Leipzig")
	user := w.path()[0]
	facts, _, err := w.store.Facts(w.ctx(), store.FactFilter{AgentID: w.agent.ID})
	w.must(err)
	f := facts[0]
	if said := string([]rune(user.Content)[f.Start:f.End]); f.Origin != user.ID || f.OriginConversation != w.conv.ID || !strings.Contains(said, "live in Leipzig") {
		t.Errorf("%+v from %q", f, said)
	}
	r, err := w.store.Revision(w.ctx(), user.RevisionIDs[0])
	w.must(err)
	if len(user.RevisionIDs) != 1 || r.Subject != memory.SubjectFact || r.Cause.Actor != memory.ActorSystem || r.Cause.MessageID != user.ID || r.Cause.End != f.End {
		t.Errorf("recorded as %+v", r)
	}
	w.send("我搬到杭州了。")
	w.wantFacts("home=杭州 (home=Leipzig)")
	w.send("Would I like it if I lived in Rome?")
	w.wantFacts("home=杭州 (home=Leipzig)")

	// Answered again, it is not stored again; taken back, it stays away.
	_, err = w.service.Regenerate(w.ctx(), user.ID, false)
	w.must(err)
	w.answer()
	_, err = w.store.Undo(w.ctx(), user.RevisionIDs[0], memory.Cause{Actor: memory.ActorUser})
	w.must(err)
	_, err = w.service.Regenerate(w.ctx(), user.ID, false)
	w.must(err)
	w.answer()
	w.wantFacts("")
}

func TestFactsAreKeptWithoutAnEngine(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.fake.Stop()
	w.send("My bicycle is called Comet")
	w.wantFacts("bicycle.name=Comet")
}

// Of two statements the later is true, and the earlier is kept: in English and Chinese.
func TestTheLaterStatementIsTrue(t *testing.T) {
	for _, c := range []struct{ first, second, facts string }{
		{"I love Chinese food", "I hate Chinese food", "dislikes=Chinese food (likes=Chinese food)"},
		{"我们项目的数据库是PostgreSQL。", "数据库换成MySQL了。", "数据库=MySQL (数据库=PostgreSQL)"},
		{"My pension contribution is 8 %.", "I've increased my pension contribution to 10 %.", "pension contribution=10 % (pension contribution=8 %)"},
	} {
		w := newWorld(t, enginetest.Chat)
		w.scripts(say("Fine."))
		w.send(c.first)
		w.send(c.second)
		w.wantFacts(c.facts)
	}
}

// An edited message takes back what only its old text said.
func TestAnEditedMessageStatesWhatItsNewTextSays(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Fine."))
	w.send("I live in Leipzig")
	w.send("I moved to Lyon and I love jazz")
	w.wantFacts("home=Lyon (home=Leipzig) likes=jazz")
	old := w.path()[2]
	_, err := w.service.Edit(w.ctx(), old.ID, "I moved to Lille and I love jazz")
	w.must(err)
	w.answer()
	w.wantFacts("home=Lille (home=Leipzig) likes=jazz")
	_, err = w.service.Select(w.ctx(), old.ID)
	w.must(err)
	w.wantFacts("home=Lyon (home=Leipzig) likes=jazz")
}

func TestAWishStatesAFactThatAPromptHasOnce(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Fine."))
	wished := w.send("Remember that I live in Leipzig")
	w.wantFacts("home=Leipzig")
	facts, _, err := w.store.Facts(w.ctx(), store.FactFilter{AgentID: w.agent.ID})
	w.must(err)
	if f := facts[0]; f.Origin != wished.ParentID || f.Start != 14 {
		t.Errorf("origin %+v", f)
	}
	w.conv = w.newConversation()
	receipt, err := w.store.Receipt(w.ctx(), w.send("Where do I live?").TurnID)
	w.must(err)
	isFact := func(c memory.Candidate) bool { return c.Layer == memory.LayerFact }
	if i := slices.IndexFunc(receipt.Candidates, isFact); i < 0 || receipt.Candidates[i].Why != memory.WhyInCore {
		t.Errorf("beside core memory, which says it: %+v", receipt.Candidates)
	}
	for _, c := range receipt.Candidates {
		if said := c.Role == memory.RoleAssistant; strings.Contains(c.Text, "I live in Leipzig") && (c.Taken == said || c.ByRule != said) {
			t.Errorf("the wish is taken, and not once more what the app said: %+v", c)
		}
	}
	w.send("My bicycle is called Comet")
	w.send("Remember that my bicycle is called Bolt")
	w.wantFacts("home=Leipzig bicycle.name=Bolt (bicycle.name=Comet)")
	if m := w.send("Forget that my bicycle is called Bolt"); strings.Count(m.Content, "Bolt") != 1 {
		t.Errorf("said to be forgotten: %q", m.Content)
	}
	w.wantFacts("home=Leipzig bicycle.name=Comet")
	contains(t, "block", w.block("human").Value, "I live in Leipzig")
}

func TestWhatContradictsAPinnedBlockIsAsked(t *testing.T) {
	for _, change := range []memory.BlockChange{{Pinned: new(true)}, {ReadOnly: new(true)}} {
		w := newWorld(t, enginetest.Chat)
		w.scripts(say("Fine."))
		value := "Likes cats\nLives in Leipzig"
		change.Value = &value
		w.setBlock("human", change)
		w.send("I live in Lyon now")
		w.wantFacts("")
		q := w.questions()
		user := w.path()[0]
		if len(q) != 1 || q[0].MessageID != user.ID || q[0].ConversationID != w.conv.ID || q[0].Old != "Lives in Leipzig" || q[0].New.Value != "Lyon" {
			t.Fatalf("asked %+v", q)
		}
		w.send("I have a dog") // which nothing speaks against
		w.wantFacts("pet=dog")
		if ev := w.eventsOf("fact.question"); len(ev) != 1 || ev[0].Data["message_id"] != user.ID {
			t.Errorf("told %+v", ev)
		}
		_, _, err := w.store.AnswerFact(w.ctx(), q[0].ID, memory.AnswerNew, memory.Cause{Actor: memory.ActorUser})
		w.must(err)
		w.wantFacts("home=Lyon pet=dog")
		if v := w.block("human").Value; v != "Likes cats\nI live in Lyon" && v != "Likes cats\nI live in Lyon now" {
			t.Errorf("block %q", v)
		}
	}
}

func TestACorrectionIsAboutWhatWasSaidBefore(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.scripts(say("Fine."))
	w.send("The interest rate of my loan is 8 %.")
	w.send("Actually it is 10 %.")
	if got := w.facts(); !strings.Contains(got, "=10 %") || !strings.Contains(got, "=8 %)") {
		t.Errorf("facts %q", got)
	}
}

// A question about a fact brings it into the prompt, unless core memory says the same there.
func TestTheModelIsToldWhatIsKnown(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["notes"] = "off"
	w.scripts(say("Fine."))
	w.send("We moved to Lyon, all four of us")
	w.conv = w.newConversation()
	m := w.send("Where do I live?")
	contains(t, "prompt", w.sent(1), "known fact: home = Lyon")
	receipt, err := w.store.Receipt(w.ctx(), m.TurnID)
	w.must(err)
	if c := receipt.Candidates[0]; c.Layer != memory.LayerFact || !c.Taken {
		t.Errorf("receipt %+v", c)
	}
	w.setBlock("human", memory.BlockChange{Value: new("Lives in Lyon")})
	w.conv = w.newConversation()
	m = w.send("Where do I live?")
	receipt, err = w.store.Receipt(w.ctx(), m.TurnID)
	w.must(err)
	if c := receipt.Candidates[0]; c.Layer != memory.LayerFact || c.Taken || c.Why != memory.WhyInCore || strings.Contains(w.sent(2), "known fact: home = Lyon") {
		t.Errorf("receipt %+v", c)
	}
}

func TestFactsCanBeSwitchedOff(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["facts"] = "off"
	w.scripts(say("Fine."))
	w.send("I live in Leipzig")
	w.wantFacts("")
}

// noFacts is a store that cannot keep facts.
type noFacts struct{ *store.Store }

func (noFacts) SaveFacts(context.Context, string, []memory.FactStatement, memory.Cause) (store.SavedFacts, error) {
	return store.SavedFacts{}, memory.Errorf(memory.EDISKFULL, "store facts", "the disk is full")
}

func TestFactsFailAndTheChatGoesOn(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.replace(func(d *agent.Deps) { d.Store = noFacts{w.store} })
	w.scripts(say("Fine."))
	if m := w.send("I live in Leipzig"); m.Content != "Fine." || m.Status != memory.StatusComplete {
		t.Errorf("%+v", m)
	}
}

// interrupted is a store whose use ends after some messages were read, as by a crash.
type interrupted struct {
	*store.Store
	left atomic.Int64
}

func (i *interrupted) MessageByKey(ctx context.Context, key int64) (memory.Message, error) {
	if i.left.Add(-1) < 0 {
		return memory.Message{}, memory.Errorf(memory.EINTERNAL, "read message", "the power is gone")
	}
	return i.Store.MessageByKey(ctx, key)
}

func TestTheTranscriptIsReadWhileIdle(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	said := []string{"I live in Leipzig", "Nice weather", "My dog is called Rex", "I moved to Lyon", "我对花生过敏", "If I lived in Rome, would I own a Vespa?"}
	parent := ""
	var ids []string
	for _, text := range said { // as an import brings them
		m, err := w.store.AddMessage(w.ctx(), memory.Message{ConversationID: w.conv.ID, ParentID: parent, Role: memory.RoleUser, Content: text})
		w.must(err)
		parent = m.ID
		ids = append(ids, m.ID)
	}
	disk := &interrupted{Store: w.store}
	disk.left.Store(3)
	w.replace(func(d *agent.Deps) { d.Store = disk })

	ctx, stop := context.WithCancel(w.ctx())
	wake, ended := make(chan struct{}), make(chan error, 1)
	go func() { ended <- w.service.ReadTranscript(ctx, wake) }()
	w.await("the first messages", func() bool { return disk.left.Load() < 0 })
	wake <- struct{}{} // it has come to rest
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	w.wantFacts("home=Leipzig dog.name=Rex")

	// The next run goes on, and does what is new when it is woken.
	disk.left.Store(1 << 20)
	ctx, stop = context.WithCancel(w.ctx())
	defer stop()
	go func() { ended <- w.service.ReadTranscript(ctx, wake) }()
	wake <- struct{}{}
	w.wantFacts("allergy=花生 home=Lyon (home=Leipzig) dog.name=Rex")
	if r := w.message(ids[3]).RevisionIDs; len(r) != 1 {
		t.Errorf("changes by %q: %v", said[3], r)
	}
	_, err := w.store.AddMessage(w.ctx(), memory.Message{ConversationID: w.conv.ID, ParentID: parent, Role: memory.RoleUser, Content: "I am a nurse", Speaker: "Bob"})
	w.must(err)
	m, err := w.store.AddMessage(w.ctx(), memory.Message{ConversationID: w.conv.ID, ParentID: parent, Role: memory.RoleUser, Content: "I am a baker"})
	w.must(err)
	wake <- struct{}{}
	wake <- struct{}{}
	if got := w.facts(); !strings.Contains(got, "work=baker") || strings.Contains(got, "nurse") {
		t.Errorf("facts %q after %q", got, m.Content)
	}
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTheTranscriptIsNotReadWhileATurnRuns(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	other := w.newConversation()
	hold := make(chan struct{})
	w.scripts(enginetest.Reply{Content: "Once", Hold: hold})
	w.post("tell me a story")
	w.await("the answer", func() bool {
		return slices.ContainsFunc(w.eventsOf("message.delta"), func(memory.Event) bool { return true })
	})
	_, err := w.store.AddMessage(w.ctx(), memory.Message{ConversationID: other.ID, Role: memory.RoleUser, Content: "I live in Leipzig"})
	w.must(err)
	ctx, stop := context.WithCancel(w.ctx())
	defer stop()
	wake, ended := make(chan struct{}, 1), make(chan error, 1)
	go func() { ended <- w.service.ReadTranscript(ctx, wake) }()
	wake <- struct{}{}
	w.wantFacts("")
	close(hold)
	w.answer()
	w.await("the facts", func() bool { return w.facts() == "home=Leipzig" })
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
