package store

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"recollect/backend/fact"
	"recollect/backend/memory"
)

// keeper is a teller whose core memory is read.
type keeper struct {
	*teller
	human memory.Block
}

func newKeeper(t *testing.T, lines ...string) *keeper {
	u := newTeller(t)
	u.Store.lines = readingOnce(fact.Lines{})
	k := &keeper{teller: u, human: u.block("human", strings.Join(lines, "\n"), u.agent.ID)}
	u.pass(day)
	return k
}

// tells has the user say something, which the rules read.
func (k *keeper) tells(text string) memory.Message {
	k.t.Helper()
	m := k.say(k.conversation.ID, memory.RoleUser, text)
	k.learns(m)
	return m
}

func (k *keeper) learns(m memory.Message) {
	k.t.Helper()
	cause := byRule
	cause.AgentID, cause.ConversationID, cause.MessageID = k.agent.ID, m.ConversationID, m.ID
	_, err := k.SaveFacts(k.ctx, k.agent.ID, fact.Read(fact.Message{ID: m.ID, Text: m.Content, At: m.CreatedAt}), cause)
	must(k.t, err)
	k.pass(day)
}

// wishes has the user say "Remember that …", which becomes a line and what it states a fact.
func (k *keeper) wishes(what string) (m memory.Message, line memory.Revision) {
	k.t.Helper()
	const remember = "Remember that "
	m = k.say(k.conversation.ID, memory.RoleUser, remember+what)
	cause := byUser
	cause.AgentID, cause.MessageID, cause.Start, cause.End = k.agent.ID, m.ID, len(remember), len(remember)+len(what)
	line = k.writes(strings.TrimSpace(k.lines()+"\n"+what), cause)
	k.learns(m)
	return m, line
}

func (k *keeper) writes(value string, cause memory.Cause) memory.Revision {
	k.t.Helper()
	_, rev, err := k.UpdateBlock(k.ctx, k.human.ID, memory.BlockChange{Value: &value}, cause)
	must(k.t, err)
	return rev
}

func (k *keeper) lines() string {
	k.t.Helper()
	b, err := k.Block(k.ctx, k.human.ID)
	must(k.t, err)
	return b.Value
}

func (k *keeper) want(what, lines, facts string) {
	k.t.Helper()
	wantEqual(k.t, what+": lines", k.lines(), lines)
	wantEqual(k.t, what+": facts", k.all(), facts)
}

func TestALineThatANewerFactMakesUntrueIsRenewed(t *testing.T) {
	for _, c := range []struct{ line, said, want string }{
		{"Lives in Rome", "I moved to Bergen.", "Lives in Bergen"},
		{"- The user lives in Rome.", "I moved to Bergen.", "- The user lives in Bergen."},
		{"用户住在北京", "我搬到上海了。", "用户住在上海"},
		{"Allergic to nuts", "I'm not allergic to nuts any more.", "I'm not allergic to nuts any more"},
		{"Name: Ada", "My name is Eve.", "Name: Eve"},
		{"Works at Bosch", "I no longer work at Bosch.", "I no longer work at Bosch"},
		{"Likes coffee", "I hate coffee.", "I hate coffee"},
		{"Lives in Rome", "I am a nurse.", "Lives in Rome"},
		{"Lives in Rome", "I live in Rome.", "Lives in Rome"},
		{"Answer briefly.", "I moved to Bergen.", "Answer briefly."},
	} {
		k := newKeeper(t, "Likes tea", c.line)
		m := k.tells(c.said)
		wantEqual(t, c.line+", "+c.said, k.lines(), "Likes tea\n"+c.want)
		if c.want == c.line {
			continue
		}
		revs, _, err := k.Revisions(k.ctx, RevisionFilter{MessageID: m.ID})
		must(t, err)
		line := revs[0]
		if line.Subject != memory.SubjectBlock || line.Cause.Actor != memory.ActorSystem || line.Cause.Reason != "fact" {
			t.Errorf("recorded as %+v", line)
		}
		now := k.all()
		undone := k.undo(line.ID)
		wantEqual(t, "undone", k.lines(), "Likes tea\n"+c.line)
		if k.all() == now && !strings.Contains(c.said, "no longer") {
			t.Errorf("%s: the fact stays without its line: %s", c.said, now)
		}
		k.undo(undone.ID)
		k.want("redone", "Likes tea\n"+c.want, now)
		if len(revs) > 1 { // the fact's own undo takes the line back as well
			undone = k.undo(k.revisionOf(revs[len(revs)-1].SubjectID).ID)
			wantEqual(t, "the fact undone", k.lines(), "Likes tea\n"+c.line)
			k.undo(undone.ID)
			k.want("redone", "Likes tea\n"+c.want, now)
		}
	}
}

// counted counts how often lines are read.
type counted struct {
	fact.Lines
	reads int
}

func (c *counted) Read(line string, at time.Time) []memory.FactStatement {
	c.reads++
	return c.Lines.Read(line, at)
}

func TestCoreMemoryThatStaysIsReadOnce(t *testing.T) {
	k := newKeeper(t, "Lives in Lyon.", "Plays chess on Sundays.")
	c := &counted{}
	k.Store.lines = readingOnce(c)
	k.tells("My cat is called Miso.")
	before := c.reads
	k.tells("I work at Bosch.")
	if before == 0 || c.reads != before {
		t.Errorf("lines were read %d times, then %d", before, c.reads)
	}
	k.tells("I live in Bergen now.")
	if got := k.lines(); !strings.Contains(got, "Bergen") {
		t.Errorf("%q", got)
	}
}

// What the app cannot write in the place of what a line says, it marks: nothing that stood there is lost.
func TestALineThatSaysMoreIsMarked(t *testing.T) {
	k := newKeeper(t, "Moved to Rome in 2020 and works at Bosch", "用户住在北京，喜欢下棋和长跑，还养着两盆仙人掌")
	k.tells("I moved to Bergen.")
	if got := k.lines(); !strings.HasPrefix(got, "Moved to Rome in 2020 and works at Bosch (since ") || !strings.Contains(got, ": Bergen)\n") {
		t.Errorf("lines %q", got)
	}
	k.tells("I moved to Oslo.")
	if got := k.lines(); strings.Count(got, "since") != 1 || !strings.Contains(got, ": Oslo)\n") {
		t.Errorf("lines %q", got)
	}
}

// What begins later leaves the line true until then.
func TestALineIsMarkedForWhatIsToCome(t *testing.T) {
	k := newKeeper(t, "Works at Acme")
	k.tells("I work at Acme.")
	k.plans("employer", "Ferro", k.now().Add(30*day), time.Time{})
	if got, want := k.lines(), "Works at Acme (from "; !strings.HasPrefix(got, want) || !strings.Contains(got, ": Ferro)") {
		t.Errorf("lines %q", got)
	}
}

func TestALineStaysWhereItIsPinnedNewerOrAboutTheAgent(t *testing.T) {
	k := newKeeper(t, "Lives in Rome")
	persona := k.block("persona", "I live in Rome", k.agent.ID)
	k.tells("I live in Rome.")
	m := k.say(k.conversation.ID, memory.RoleUser, "I moved to Bergen.")
	k.pass(day)
	k.writes("Lives in Oslo", byUser)
	k.learns(m) // read later, as from an import
	wantEqual(t, "newer", k.lines(), "Lives in Oslo")
	k.tells("I moved to Turin.")
	wantEqual(t, "older", k.lines(), "Lives in Turin")
	b, err := k.Block(k.ctx, persona.ID)
	must(t, err)
	wantEqual(t, "persona", b.Value, "I live in Rome")
	yes := true
	_, _, err = k.UpdateBlock(k.ctx, k.human.ID, memory.BlockChange{Pinned: &yes}, byUser)
	must(t, err)
	k.tells("I moved to Lyon.")
	wantEqual(t, "pinned", k.lines(), "Lives in Turin")
}

// A fact is taken back with its line also where the block was changed since.
func TestOneLineIsTakenBackAmongOthers(t *testing.T) {
	k := newKeeper(t, "Lives in Rome", "Works at Acme")
	k.tells("I live in Rome.")
	k.tells("I moved to Bergen.")
	k.tells("I work at Ferro now.")
	k.writes(k.lines()+"\nLikes tea", byUser)
	k.want("changed", "Lives in Bergen\nWorks at Ferro\nLikes tea", "employer=Ferro home=Bergen (home=Rome)")
	undone := k.undo(k.revisionOf(k.known("Bergen").ID).ID)
	k.want("undone", "Lives in Rome\nWorks at Ferro\nLikes tea", "employer=Ferro home=Rome")
	k.undo(undone.ID)
	k.want("redone", "Lives in Bergen\nWorks at Ferro\nLikes tea", "employer=Ferro home=Bergen (home=Rome)")
}

// A message that is not to be seen any more takes back what it had renewed.
func TestARenewedLineGoesByWhatIsToBeSeen(t *testing.T) {
	k := newKeeper(t, "Lives in Rome")
	k.tells("I live in Rome.")
	m := k.tells("I moved to Bergen.")
	k.want("said", "Lives in Bergen", "home=Bergen (home=Rome)")
	yes, no := true, false
	_, err := k.UpdateConversation(k.ctx, m.ConversationID, ConversationChange{Deleted: &yes})
	must(t, err)
	k.want("deleted", "Lives in Rome", "home=Rome") // which the line says, whoever wrote it there
	_, err = k.UpdateConversation(k.ctx, m.ConversationID, ConversationChange{Deleted: &no})
	must(t, err)
	k.want("brought back", "Lives in Bergen", "home=Bergen (home=Rome)")
}

// deletes deletes a conversation, or brings it back.
func (k *keeper) deletes(conversation string, deleted bool) {
	k.t.Helper()
	_, err := k.UpdateConversation(k.ctx, conversation, ConversationChange{Deleted: &deleted})
	must(k.t, err)
}

// What was to be remembered stays when the conversation is deleted in which that was said, the line and its fact alike.
func TestWhatWasToBeRememberedOutlivesItsConversation(t *testing.T) {
	const line, fact = "I live in Leipzig", "home=Leipzig"
	t.Run("deleted and brought back", func(t *testing.T) {
		k := newKeeper(t)
		m, _ := k.wishes(line)
		k.tells("My name is Ottoline.")
		k.deletes(m.ConversationID, true)
		k.want("deleted", line, fact)
		if f := k.known("Leipzig"); f.Origin != m.ID || f.OriginConversation != m.ConversationID {
			t.Errorf("it comes from %q in %q", f.Origin, f.OriginConversation)
		}
		k.deletes(m.ConversationID, false)
		k.want("brought back", line, "home=Leipzig name=Ottoline")
	})
	t.Run("the line is deleted then", func(t *testing.T) {
		k := newKeeper(t)
		m, _ := k.wishes(line)
		k.deletes(m.ConversationID, true)
		rev := k.writes("", byUser)
		k.want("line deleted", "", "")
		undone := k.undo(rev.ID)
		k.want("undone", line, fact)
		k.undo(undone.ID)
		k.want("redone", "", "")
		k.deletes(m.ConversationID, false)
		k.want("brought back", "", "")
	})
	t.Run("the wish is undone then", func(t *testing.T) {
		k := newKeeper(t)
		m, rev := k.wishes(line)
		k.deletes(m.ConversationID, true)
		undone := k.undo(rev.ID)
		k.want("undone", "", "")
		k.undo(undone.ID)
		k.want("redone", line, fact)
	})
	t.Run("the line came back after the conversation was deleted", func(t *testing.T) {
		k := newKeeper(t)
		m, _ := k.wishes(line)
		rev := k.writes("", memory.Cause{Actor: memory.ActorModel})
		k.deletes(m.ConversationID, true)
		k.want("deleted", "", "")
		k.undo(rev.ID)
		k.want("undone", line, fact)
	})
	t.Run("what it made untrue", func(t *testing.T) {
		k := newKeeper(t, "Lives in Rome", "Works at Acme")
		k.tells("I live in Rome.")
		m, _ := k.wishes("I moved to Bergen")
		k.tells("I work at Ferro now.")
		k.want("wished", "Works at Ferro\nI moved to Bergen", "employer=Ferro home=Bergen (home=Rome)")
		k.deletes(m.ConversationID, true)
		k.want("deleted", "Works at Acme\nI moved to Bergen", "home=Bergen")
		k.deletes(m.ConversationID, false)
		k.want("brought back", "Works at Ferro\nI moved to Bergen", "employer=Ferro home=Bergen (home=Rome)")
	})
	t.Run("what is over", func(t *testing.T) {
		k := newKeeper(t)
		k.tells("I work at Bosch.")
		c, err := k.CreateConversation(k.ctx, memory.Conversation{AgentID: k.agent.ID})
		must(t, err)
		first := k.conversation.ID
		k.conversation = c
		k.wishes("I no longer work at Bosch")
		k.want("wished", "I no longer work at Bosch", "(employer=Bosch)")
		k.deletes(c.ID, true)
		k.want("deleted", "I no longer work at Bosch", "(employer=Bosch)")
		k.deletes(first, true)
		k.want("both deleted", "I no longer work at Bosch", "(employer=Bosch)")
	})
	t.Run("in the archive", func(t *testing.T) {
		k := newKeeper(t)
		p := k.keeps(line)
		k.deletes(k.conversation.ID, true)
		k.want("deleted", "", fact)
		_, err := k.DeletePassage(k.ctx, p, byUser)
		must(t, err)
		k.want("passage deleted", "", "")
	})
	t.Run("a line of a model", func(t *testing.T) {
		k := newKeeper(t)
		m := k.tells(line + ".")
		k.writes("- The user lives in Leipzig.", memory.Cause{Actor: memory.ActorModel, MessageID: m.ID})
		k.deletes(m.ConversationID, true)
		k.want("deleted", "- The user lives in Leipzig.", fact)
		rev := k.writes("", byUser)
		k.want("line deleted", "", "")
		k.undo(rev.ID)
		k.want("undone", "- The user lives in Leipzig.", fact)
	})
	t.Run("another wording", func(t *testing.T) {
		k := newKeeper(t)
		m, _ := k.wishes("I live in Leipzg")
		k.sayAfter(k.conversation.ID, m.ParentID, memory.RoleUser, "Hello")
		k.want("another branch", "I live in Leipzg", "home=Leipzg")
		k.wishes("I live in Leipzig")
		k.want("wished anew", line, fact)
	})
}

func TestAWishAndItsFactGoTogether(t *testing.T) {
	const line, fact = "I live in Leipzig", "home=Leipzig"
	t.Run("undo of the line", func(t *testing.T) {
		k := newKeeper(t)
		_, rev := k.wishes(line)
		k.want("wished", line, fact)
		undone := k.undo(rev.ID)
		k.want("undone", "", "")
		if r := k.revisionOf(k.factEver("Leipzig")); r.Undoes == "" {
			t.Errorf("the fact's revision is not undone: %+v", r)
		}
		k.undo(undone.ID)
		k.want("redone", line, fact)
	})
	t.Run("undo of the fact", func(t *testing.T) {
		k := newKeeper(t)
		_, rev := k.wishes(line)
		undone := k.undo(k.revisionOf(k.known("Leipzig").ID).ID)
		k.want("undone", "", "")
		r, err := k.Revision(k.ctx, rev.ID)
		must(t, err)
		if r.UndoneBy == "" {
			t.Error("the line's revision is not undone")
		}
		k.undo(undone.ID)
		k.want("redone", line, fact)
	})
	t.Run("deleted by hand", func(t *testing.T) {
		k := newKeeper(t, "Likes tea")
		k.wishes(line)
		rev := k.writes("Likes tea", byUser)
		k.want("deleted", "Likes tea", "")
		k.undo(rev.ID)
		k.want("undone", "Likes tea\n"+line, fact)
		gone, err := k.DeleteFact(k.ctx, k.known("Leipzig").ID, byUser)
		must(t, err)
		k.want("deleted as a fact", "Likes tea", "")
		k.undo(gone.ID)
		k.want("undone", "Likes tea\n"+line, fact)
	})
	t.Run("edited", func(t *testing.T) {
		k := newKeeper(t)
		k.wishes(line)
		rev := k.writes("I live in Ghent", byUser)
		k.want("edited", "I live in Ghent", "home=Ghent")
		second := k.writes("", byUser)
		k.want("deleted", "", "")
		k.undo(second.ID)
		k.undo(rev.ID)
		k.want("undone", line, fact)
		k.writes("- I live in Leipzig.", byUser)
		wantEqual(t, "the same in other words", k.all(), fact)
	})
	t.Run("said elsewhere as well", func(t *testing.T) {
		k := newKeeper(t)
		_, rev := k.wishes(line)
		k.tells("I live in Leipzig.")
		k.undo(rev.ID)
		k.want("undone", "", fact)
	})
	t.Run("other lines came since", func(t *testing.T) {
		k := newKeeper(t)
		k.wishes(line)
		k.writes(line+"\nLikes tea", byUser)
		k.undo(k.revisionOf(k.known("Leipzig").ID).ID)
		k.want("undone", "Likes tea", "")
	})
	t.Run("a change by a model or the app", func(t *testing.T) {
		k := newKeeper(t)
		k.wishes(line)
		k.writes("", memory.Cause{Actor: memory.ActorModel})
		k.want("moved to the archive", "", fact)
	})
	t.Run("a newer wish", func(t *testing.T) {
		k := newKeeper(t)
		k.wishes("My bicycle is called Comet")
		k.wishes("My bicycle is called Bolt")
		k.want("wished", "My bicycle is called Bolt", "bicycle.name=Bolt (bicycle.name=Comet)")
		k.undo(k.revisionOf(k.known("Bolt").ID).ID)
		k.want("undone", "My bicycle is called Comet", "bicycle.name=Comet")
	})
}

func (k *keeper) factEver(value string) string {
	k.t.Helper()
	revs, _, err := k.Revisions(k.ctx, RevisionFilter{Subject: memory.SubjectFact})
	must(k.t, err)
	for _, r := range revs {
		if strings.Contains(r.Label, value) {
			return r.SubjectID
		}
	}
	k.t.Fatalf("no change of %q", value)
	return ""
}

// Where a block has no room for what takes a line's place, the user is asked, and nothing is said that is not so.
func TestALineWithoutRoomIsAskedAbout(t *testing.T) {
	full := func(t *testing.T) (k *keeper, q memory.FactQuestion) {
		k = newKeeper(t, "Lives in Rome")
		k.tells("I live in Rome.")
		limit := len("Lives in Rome")
		_, _, err := k.UpdateBlock(k.ctx, k.human.ID, memory.BlockChange{Limit: &limit}, byUser)
		must(t, err)
		k.pass(day)
		k.tells("I moved to Bergen.")
		k.want("asked", "Lives in Rome", "home=Rome")
		asked := k.asked()
		if len(asked) != 1 || asked[0].Old != "Lives in Rome" || asked[0].New.Value != "Bergen" || !asked[0].Against.Full {
			t.Fatalf("questions %+v", asked)
		}
		return k, asked[0]
	}
	t.Run("new", func(t *testing.T) {
		k, q := full(t)
		_, _, err := k.AnswerFact(k.ctx, q.ID, memory.AnswerNew, byUser)
		wantCode(t, err, memory.ELIMIT)
		wantEqual(t, "asked still", len(k.asked()), 1)
		room := 100
		_, _, err = k.UpdateBlock(k.ctx, k.human.ID, memory.BlockChange{Limit: &room}, byUser)
		must(t, err)
		wantEqual(t, "asked still", len(k.asked()), 1)
		_, revs, err := k.AnswerFact(k.ctx, q.ID, memory.AnswerNew, byUser)
		must(t, err)
		k.want("answered", "Lives in Bergen", "home=Bergen (home=Rome)")
		k.undo(revs[0].ID)
		k.want("undone", "Lives in Rome", "home=Rome")
	})
	t.Run("old", func(t *testing.T) {
		k, q := full(t)
		_, _, err := k.AnswerFact(k.ctx, q.ID, memory.AnswerOld, byUser)
		must(t, err)
		k.want("answered", "Lives in Rome", "home=Rome")
	})
	t.Run("both", func(t *testing.T) {
		k, q := full(t)
		room := 100
		_, _, err := k.UpdateBlock(k.ctx, k.human.ID, memory.BlockChange{Limit: &room}, byUser)
		must(t, err)
		_, _, err = k.AnswerFact(k.ctx, q.ID, memory.AnswerBoth, byUser)
		must(t, err)
		k.want("answered", "Lives in Rome", "home=Bergen home=Rome")
	})
	t.Run("the line is changed", func(t *testing.T) {
		k, _ := full(t)
		k.writes("In Bergen now", byUser)
		wantEqual(t, "asked", len(k.asked()), 0)
	})
	t.Run("shorter", func(t *testing.T) {
		k, q := full(t)
		_, _, err := k.AnswerFact(k.ctx, q.ID, memory.AnswerOld, byUser)
		must(t, err)
		k.tells("I moved to Oslo.")
		k.want("renewed", "Lives in Oslo", "home=Oslo (home=Rome)")
	})
}

// Who changes a fact by hand is told where a line of core memory would say otherwise, and nothing changes.
func TestAFactByHandWhoseLineHasNoRoomIsRefused(t *testing.T) {
	k := newKeeper(t, "Lives in Rome")
	k.tells("I live in Rome.")
	limit := len("Lives in Rome")
	_, _, err := k.UpdateBlock(k.ctx, k.human.ID, memory.BlockChange{Limit: &limit}, byUser)
	must(t, err)
	k.pass(day)
	where, yes := "Bergen", true
	_, _, err = k.UpdateFact(k.ctx, k.known("Rome").ID, memory.FactChange{Value: &where}, byUser)
	wantCode(t, err, memory.ELIMIT)
	if text := memory.ProblemOf(err).Message; !strings.Contains(text, "Lives in Rome") || !strings.Contains(text, "human") {
		t.Errorf("%q does not say which line", text)
	}
	_, _, err = k.CreateFact(k.ctx, memory.Fact{AgentID: k.agent.ID, Subject: memory.SubjectUser, Key: "home", Value: where}, byUser)
	wantCode(t, err, memory.ELIMIT)
	k.want("refused", "Lives in Rome", "home=Rome")
	_, _, err = k.UpdateFact(k.ctx, k.known("Rome").ID, memory.FactChange{Pinned: &yes}, byUser)
	must(t, err)
	limit = 100
	_, _, err = k.UpdateBlock(k.ctx, k.human.ID, memory.BlockChange{Limit: &limit}, byUser)
	must(t, err)
	_, _, err = k.UpdateFact(k.ctx, k.known("Rome").ID, memory.FactChange{Value: &where}, byUser)
	must(t, err)
	k.want("with room", "Lives in Bergen", "home=Bergen")
}

// Lines that would have room one at a time may have none together.
func TestLinesWithoutRoomTogetherAreAskedAbout(t *testing.T) {
	lines := strings.Join([]string{"Lives in Rome", "- The user lives in Rome.", "- I live in Rome.", "Home: Rome"}, "\n")
	k := newKeeper(t, lines)
	k.tells("I live in Rome.")
	where := "Llanfairpwllgwyngyll" + strings.Repeat("gogerychwyrndrobwll", 4)
	limit := len(lines) + 3*len(where)
	_, _, err := k.UpdateBlock(k.ctx, k.human.ID, memory.BlockChange{Limit: &limit}, byUser)
	must(t, err)
	k.pass(day)
	k.tells("I moved to " + where + ".")
	k.want("asked", lines, "home=Rome")
	if asked := k.asked(); len(asked) != 1 || !asked[0].Against.Full {
		t.Fatalf("questions %+v", asked)
	}
}

// The answer to a question is done as a whole: where a line that it makes untrue has no room, it says so and nothing changes.
func TestAnAnswerRenewsEveryLineOrNone(t *testing.T) {
	k := newKeeper(t, "Likes tea")
	k.tells("I live in Rome.")
	k.pin("Rome")
	notes := k.block("notes", "Lives in Rome", k.agent.ID)
	k.pass(day)
	k.tells("I moved to Bergen.")
	limit := len(notes.Value)
	_, _, err := k.UpdateBlock(k.ctx, notes.ID, memory.BlockChange{Limit: &limit}, byUser)
	must(t, err)
	_, _, err = k.AnswerFact(k.ctx, k.asked()[0].ID, memory.AnswerNew, byUser)
	wantCode(t, err, memory.ELIMIT)
	wantEqual(t, "facts", k.all(), "home=Rome")
	wantEqual(t, "asked still", len(k.asked()), 1)
	limit = 100
	_, _, err = k.UpdateBlock(k.ctx, notes.ID, memory.BlockChange{Limit: &limit}, byUser)
	must(t, err)
	_, _, err = k.AnswerFact(k.ctx, k.asked()[0].ID, memory.AnswerNew, byUser)
	must(t, err)
	notes, err = k.Block(k.ctx, notes.ID)
	must(t, err)
	wantEqual(t, "line", notes.Value, "Lives in Bergen")
	wantEqual(t, "facts", k.all(), "home=Bergen (home=Rome)")
}

// What the user says is over, after they were asked, is over in core memory, too.
func TestAnAnswerThatSomethingIsOverMarksItsLine(t *testing.T) {
	k := newKeeper(t, "Works at Bosch")
	k.tells("I work at Bosch.")
	k.pin("Bosch")
	k.tells("I no longer work at Bosch.")
	wantEqual(t, "asked", k.lines(), "Works at Bosch")
	_, revs, err := k.AnswerFact(k.ctx, k.asked()[0].ID, memory.AnswerNew, byUser)
	must(t, err)
	k.want("answered", "I no longer work at Bosch", "(employer=Bosch)")
	k.undo(revs[0].ID)
	k.want("undone", "Works at Bosch", "employer=Bosch")
}

// keeps has the user say "Remember that …", which becomes a passage and what it states a fact.
func (k *keeper) keeps(what string) (passage string) {
	k.t.Helper()
	const remember = "Remember that "
	m := k.say(k.conversation.ID, memory.RoleUser, remember+what)
	cause := byUser
	cause.AgentID, cause.MessageID, cause.Start, cause.End = k.agent.ID, m.ID, len(remember), len(remember)+len(what)
	p, _, err := k.CreatePassage(k.ctx, memory.Passage{ArchiveID: k.agent.ArchiveID, Text: what}, cause)
	must(k.t, err)
	k.learns(m)
	return p.ID
}

// A wish in the archive takes its fact with it, also where it is deleted among many.
func TestManyDeletedPassagesTakeTheirFactsWithThem(t *testing.T) {
	for name, others := range map[string]int{"few": 2, "more than one transaction": bulkPart} {
		t.Run(name, func(t *testing.T) {
			k := newKeeper(t)
			ids := []string{k.keeps("I live in Leipzig")}
			for i := range others {
				ids = append(ids, k.passage(k.agent.ArchiveID, fmt.Sprint("Passage about herons ", i)).ID)
			}
			ids = append(ids, k.keeps("My bicycle is called Comet"))
			k.pass(day)
			const facts = "home=Leipzig bicycle.name=Comet"
			wantEqual(t, "wished", k.all(), facts)
			_, _, err := k.ChangePassages(k.ctx, k.agent.ArchiveID, ids, memory.PassagesChange{AddTags: []string{"mine"}}, byUser, "")
			must(t, err)
			wantEqual(t, "tagged", k.all(), facts)
			rev, n, err := k.ChangePassages(k.ctx, k.agent.ArchiveID, ids, memory.PassagesChange{Delete: true}, byUser, "")
			must(t, err)
			wantEqual(t, "deleted", n, len(ids))
			wantEqual(t, "facts of what is deleted", k.all(), "")
			undone := k.undo(rev.ID)
			wantEqual(t, "undone", k.all(), facts)
			redone := k.undo(undone.ID)
			wantEqual(t, "redone", k.all(), "")
			k.undo(redone.ID)
			wantEqual(t, "undone again", k.all(), facts)
			left, err := k.PassageIDs(k.ctx, PassageFilter{ArchiveID: k.agent.ArchiveID})
			must(t, err)
			wantEqual(t, "passages", len(left), len(ids))
		})
	}
}
