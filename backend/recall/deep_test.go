package recall

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// script is a judge that says what a test wants, in order.
type script struct {
	verdicts []Verdict
	bad      bool  // its last answer is of no use
	err      error // instead of a verdict
	takes    func(ctx context.Context)
	seen     [][]Note
	tried    [][]string
}

func (s *script) Judge(ctx context.Context, _ string, notes []Note, tried []string) (Verdict, bool, error) {
	s.seen, s.tried = append(s.seen, notes), append(s.tried, slices.Clone(tried))
	if s.takes != nil {
		s.takes(ctx)
	}
	if s.err != nil || ctx.Err() != nil {
		return Verdict{}, false, errors.Join(s.err, ctx.Err())
	}
	if len(s.seen) > len(s.verdicts) {
		return Verdict{}, !s.bad, nil
	}
	return s.verdicts[len(s.seen)-1], true, nil
}

func (h *house) askDeeply(r *Recall, text string, d Deep) memory.Receipt {
	h.t.Helper()
	if d.Round == 0 {
		d.Round = time.Second
	}
	if d.Budget == 0 {
		d.Budget = 3 * time.Second
	}
	d.Model = "judge"
	rc, err := r.For(h.t.Context(), Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, Text: text, Cap: 1500, Deep: &d})
	if err != nil {
		h.t.Fatal(err)
	}
	return rc
}

func petHouse(t *testing.T) *house {
	h := newHouse(t)
	h.say("Niangao the ragdoll sheds all over the sofa", "The gate code of the garage is 7391", "We paint the kitchen green in May")
	return h
}

const petQuestion = "Which animal do I share my home with?"

func TestADeepSearchAsksWithOtherWords(t *testing.T) {
	h := petHouse(t)
	r := h.recall()
	if got := takenTexts(h.ask(r, petQuestion)); len(got) > 0 {
		t.Fatalf("plan A has found %q; the test is about what it cannot find", got)
	}
	judge := &script{verdicts: []Verdict{{Search: "cat ragdoll sheds"}, {Enough: true}}}
	rounds := []int{}
	rc := h.askDeeply(r, petQuestion, Deep{Reason: memory.DeepUnsure, Judge: judge, Tell: func(n, _ int) { rounds = append(rounds, n) }})
	if got := takenTexts(rc); len(got) != 1 || !strings.Contains(got[0], "Niangao") {
		t.Errorf("took %q", got)
	}
	d := rc.Deep
	if rc.Plan != memory.PlanModel || d == nil || d.Reason != memory.DeepUnsure || d.End != memory.DeepEnough || d.Model != "judge" ||
		d.BudgetMs != 3000 || d.PredictedMs != 1000 || len(d.Rounds) != 2 {
		t.Fatalf("the receipt says %s %+v", rc.Plan, d)
	}
	if one := d.Rounds[0]; one.Enough || one.Query != "cat ragdoll sheds" || one.Found == 0 {
		t.Errorf("the first round is %+v", one)
	}
	if two := d.Rounds[1]; !two.Enough || two.Query != "" || two.Found != 0 {
		t.Errorf("the second round is %+v", two)
	}
	if c := rc.Candidates[0]; c.Round != 1 {
		t.Errorf("it was found in round %d", c.Round)
	}
	if !slices.Equal(rounds, []int{1, 2}) || !slices.Equal(judge.tried[1], []string{petQuestion, "cat ragdoll sheds"}) {
		t.Errorf("told %v, tried %q", rounds, judge.tried)
	}
	if !slices.ContainsFunc(judge.seen[1], func(n Note) bool { return strings.Contains(n.Text, "Niangao") && !n.Date.IsZero() }) {
		t.Errorf("the judge was not shown what was found: %v", judge.seen[1])
	}
}

func TestADeepSearchIsOnlyMadeWhereItMayHelp(t *testing.T) {
	h := petHouse(t)
	r := h.recall()
	for text, want := range map[string]bool{
		petQuestion:                                  true,
		"What did we say about the roof?":            true,
		"我养的是什么宠物？":                                  true,
		"Hello!":                                     false,
		"What is the capital of France?":             false, // nothing of the user's
		"I live in Hamburg now":                      false, // no question
		"What is my gate code of the garage?":        false, // found well enough
		strings.Repeat("Is this my text? Yes. ", 50): false, // a long one
	} {
		judge := &script{verdicts: []Verdict{{Enough: true}}}
		rc := h.askDeeply(r, text, Deep{Reason: memory.DeepUnsure, Judge: judge})
		if got := len(judge.seen) > 0; got != want || (rc.Deep != nil) != want {
			t.Errorf("%.40q: asked %v, not %v; receipt %+v", text, got, want, rc.Deep)
		}
	}
	// What the model sees anyway, and the question once more, are not what it asks for.
	h.say(petQuestion)
	judge := &script{verdicts: []Verdict{{Enough: true}}}
	if rc := h.askDeeply(r, petQuestion, Deep{Reason: memory.DeepUnsure, Judge: judge}); rc.Deep == nil {
		t.Errorf("the question asked before is taken for its answer: %+v", rc.Candidates)
	}
	for _, reason := range []memory.DeepReason{memory.DeepAsked, memory.DeepAlways} {
		judge := &script{verdicts: []Verdict{{Enough: true}}}
		rc := h.askDeeply(r, "Hello there", Deep{Reason: reason, Judge: judge})
		if len(judge.seen) != 1 || rc.Deep == nil || rc.Deep.Reason != reason || rc.Deep.End != memory.DeepEnough {
			t.Errorf("%s: %+v", reason, rc.Deep)
		}
	}
}

// Whatever goes wrong, the memories are those of plan A, and the receipt says what went wrong.
func TestAFailedDeepSearchIsPlanA(t *testing.T) {
	synctest.Test(t, failedDeepSearchesArePlanA) // its clock goes on only while all wait
}

func failedDeepSearchesArePlanA(t *testing.T) {
	h := petHouse(t)
	r := h.recall()
	const text = "What is my gate code of the garage?"
	want := takenTexts(h.ask(r, text))
	if len(want) == 0 {
		t.Fatal("plan A finds nothing; the test needs something")
	}
	for name, c := range map[string]struct {
		deep Deep
		end  memory.DeepEnd
		made int
	}{
		"nonsense":            {Deep{Judge: &script{bad: true}}, memory.DeepNonsense, 1},
		"nonsense, then":      {Deep{Judge: &script{verdicts: []Verdict{{Search: "ragdoll sofa"}}, bad: true}}, memory.DeepNonsense, 2},
		"an endless query":    {Deep{Judge: &script{verdicts: []Verdict{{Search: strings.Repeat("ragdoll ", 100)}}}}, memory.DeepNonsense, 1},
		"the engine fails":    {Deep{Judge: &script{err: errors.New("gone")}}, memory.DeepFailed, 1},
		"too slow":            {Deep{Judge: &script{}, Round: 4 * time.Second}, memory.DeepTooSlow, 0},
		"speed unknown":       {Deep{Judge: &script{}, Round: -1}, memory.DeepUnknown, 0},
		"the cache would go":  {Deep{Judge: &script{}, Refused: memory.DeepCache}, memory.DeepCache, 0},
		"there is no model":   {Deep{Refused: memory.DeepNoModel}, memory.DeepNoModel, 0},
		"the time is up":      {Deep{Judge: &script{takes: func(ctx context.Context) { <-ctx.Done() }}, Round: time.Millisecond, Budget: 20 * time.Millisecond}, memory.DeepLate, 1},
		"late in round two":   {Deep{Judge: &script{verdicts: []Verdict{{Search: "ragdoll sofa"}}, takes: secondWaits()}, Round: time.Millisecond, Budget: 300 * time.Millisecond}, memory.DeepLate, 2},
		"no idea":             {Deep{Judge: &script{verdicts: []Verdict{{}}}}, memory.DeepNothing, 1},
		"the same once more":  {Deep{Judge: &script{verdicts: []Verdict{{Search: "WHAT is my  gate code of the garage?"}}}}, memory.DeepNothing, 1},
		"enough at first":     {Deep{Judge: &script{verdicts: []Verdict{{Enough: true}}}}, memory.DeepEnough, 1},
		"it finds no more":    {Deep{Judge: &script{verdicts: []Verdict{{Search: "zeppelin"}, {Enough: true}}}}, memory.DeepEnough, 2},
		"it never has enough": {Deep{Judge: &script{verdicts: []Verdict{{Search: "zeppelin"}, {Search: "airship"}, {Search: "blimp"}, {Search: "balloon"}}}}, memory.DeepRounds, 3},
	} {
		c.deep.Reason = memory.DeepAsked
		rc := h.askDeeply(r, text, c.deep)
		if got := takenTexts(rc); !slices.Equal(got, want) {
			t.Errorf("%s: took %q, not %q", name, got, want)
		}
		if rc.Deep == nil || rc.Deep.End != c.end || len(rc.Deep.Rounds) != c.made || (rc.Plan == memory.PlanModel) != c.end.Usable() {
			t.Errorf("%s: plan %s, %+v", name, rc.Plan, rc.Deep)
		}
	}
}

// secondWaits is a judge's second round that never comes to an end by itself.
func secondWaits() func(context.Context) {
	n := 0
	return func(ctx context.Context) {
		if n++; n == 2 {
			<-ctx.Done()
		}
	}
}

// A round that takes longer than predicted makes the next one be expected to; one that does not fit is not begun.
func TestADeepSearchKeepsToItsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := petHouse(t)
		judge := &script{
			verdicts: []Verdict{{Search: "ragdoll sofa"}, {Search: "kitchen green"}},
			takes:    func(context.Context) { time.Sleep(1600 * time.Millisecond) },
		}
		rc := h.askDeeply(h.recall(), petQuestion, Deep{Reason: memory.DeepAsked, Judge: judge})
		if len(judge.seen) != 1 || rc.Deep.End != memory.DeepTime || rc.Plan != memory.PlanModel || rc.Deep.Rounds[0].Ms != 1600 {
			t.Errorf("made %d rounds: %+v", len(judge.seen), rc.Deep)
		}
		if got := takenTexts(rc); len(got) != 1 || !strings.Contains(got[0], "Niangao") {
			t.Errorf("took %q", got)
		}
	})
}

// Whoever stops the turn stops the deep search.
func TestADeepSearchStopsWithItsTurn(t *testing.T) {
	h := petHouse(t)
	ctx, stop := context.WithCancel(t.Context())
	judge := &script{takes: func(ctx context.Context) { stop(); <-ctx.Done() }}
	rc, _ := h.recall().For(ctx, Query{
		AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, Text: petQuestion, Cap: 1500,
		Deep: &Deep{Reason: memory.DeepAsked, Judge: judge, Round: time.Second, Budget: time.Hour},
	})
	if len(judge.seen) != 1 || rc.Plan != memory.PlanRules || rc.Deep.End != memory.DeepFailed {
		t.Errorf("%d rounds, %+v", len(judge.seen), rc.Deep)
	}
}

func (h *house) wish(kind, id string, use memory.FeedbackUse, conversation string) memory.Revision {
	h.t.Helper()
	_, rev, err := h.SetFeedback(h.t.Context(), memory.Feedback{
		AgentID: h.agent.ID, Kind: kind, ItemID: id, Use: use, ConversationID: conversation,
	}, memory.Cause{Actor: memory.ActorUser})
	if err != nil {
		h.t.Fatal(err)
	}
	return rev
}

func TestFeedbackChangesWhatIsTaken(t *testing.T) {
	h := newHouse(t)
	ids := h.say("The gate code of the garage is 7391", "The gate code of the garden is 5512", "My bicycle is called Comet")
	r := h.recall()
	const text = "What is the gate code of the garden?"
	by := func(rc memory.Receipt, id string) memory.Candidate {
		for _, c := range rc.Candidates {
			if c.ID == id {
				return c
			}
		}
		t.Fatalf("%s was not considered", id)
		return memory.Candidate{}
	}
	sums := func(rc memory.Receipt) {
		t.Helper()
		for i, c := range rc.Candidates {
			sum := 0.0
			for _, p := range c.Parts {
				sum += p.Value
			}
			if d := sum - c.Score; d > 1e-9 || d < -1e-9 {
				t.Errorf("the parts of %q sum to %f, its score is %f", c.Text, sum, c.Score)
			}
			if i > 0 && c.Score > rc.Candidates[i-1].Score {
				t.Errorf("candidate %d is out of order", i)
			}
		}
	}
	before := h.ask(r, text)
	sums(before)
	if before.Candidates[0].ID != ids[1] || !by(before, ids[0]).Taken {
		t.Fatalf("before: %+v", before.Candidates)
	}

	// Less: it falls behind and is no longer taken; undo brings it back to where it was.
	rev := h.wish(store.KindMessage, ids[0], memory.UseLess, "")
	after := h.ask(r, text)
	sums(after)
	c := by(after, ids[0])
	if c.Taken || c.Why != memory.WhyBelowFloor || c.Feedback != memory.UseLess || c.Score > .51*by(before, ids[0]).Score {
		t.Errorf("less: %+v", c)
	}
	if !slices.ContainsFunc(c.Parts, func(p memory.ScorePart) bool { return p.Name == memory.ScoreFeedback && p.Value < 0 }) {
		t.Errorf("the receipt does not say it: %+v", c.Parts)
	}
	if _, err := h.Undo(t.Context(), rev.ID, memory.Cause{Actor: memory.ActorUser}); err != nil {
		t.Fatal(err)
	}
	if c := by(h.ask(r, text), ids[0]); !c.Taken || c.Feedback != "" || c.Score != by(before, ids[0]).Score {
		t.Errorf("after undo: %+v", c)
	}

	// Always: it comes with every message, also with one that nothing is recalled for, and shows it.
	h.wish(store.KindMessage, ids[2], memory.UseAlways, "")
	after = h.ask(r, text)
	sums(after)
	if c := after.Candidates[0]; c.ID != ids[2] || !c.Taken || c.Feedback != memory.UseAlways || c.Score >= 1 {
		t.Errorf("always: %+v", c)
	}
	if got := takenTexts(h.ask(r, "qwertz")); !slices.Equal(got, []string{"My bicycle is called Comet"}) {
		t.Errorf("always, with nonsense: %q", got)
	}
	// … but not beyond the cap, and not beside the window.
	rc, err := r.For(t.Context(), Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, Text: text, Cap: 10})
	if err != nil || by(rc, ids[2]).Why != memory.WhyCap {
		t.Errorf("beyond the cap: %+v, %v", by(rc, ids[2]), err)
	}
	rc, err = r.For(t.Context(), Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, Text: text, Cap: 1500, InWindow: map[string]bool{ids[2]: true}})
	if err != nil || by(rc, ids[2]).Why != memory.WhyInWindow {
		t.Errorf("in the window: %+v, %v", by(rc, ids[2]), err)
	}

	// Never here: beats it in this conversation, and only in this one.
	h.wish(store.KindMessage, ids[2], memory.UseNever, "conversation-here")
	for conversation, want := range map[string]memory.Why{"conversation-here": memory.WhyNever, "conversation-there": memory.WhyTaken} {
		rc, err := r.For(t.Context(), Query{AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, ConversationID: conversation, Text: "What is my bicycle called?", Cap: 1500})
		if err != nil {
			t.Fatal(err)
		}
		if c := by(rc, ids[2]); c.Why != want {
			t.Errorf("%s: %+v", conversation, c)
		}
	}
	// A deep search brings it back no more than plan A does, and its model does not see it.
	judge := &script{verdicts: []Verdict{{Search: "bicycle Comet"}, {Enough: true}}}
	rc, err = r.For(t.Context(), Query{
		AgentID: h.agent.ID, ArchiveID: h.agent.ArchiveID, ConversationID: "conversation-here", Text: "What is it called?", Cap: 1500,
		Deep: &Deep{Reason: memory.DeepAsked, Judge: judge, Round: time.Second, Budget: 3 * time.Second},
	})
	if err != nil || slices.Contains(takenTexts(rc), "My bicycle is called Comet") || len(judge.seen) != 2 {
		t.Errorf("deep: %q, %v", takenTexts(rc), err)
	}
	for _, notes := range judge.seen {
		if slices.ContainsFunc(notes, func(n Note) bool { return strings.Contains(n.Text, "Comet") }) {
			t.Errorf("the model saw %v", notes)
		}
	}
}

// What is deleted is not brought back by a wish.
func TestADeletedPassageIsNotUsedAlways(t *testing.T) {
	h := newHouse(t)
	id := h.note("Niangao eats no chicken")
	h.wish(store.KindPassage, id, memory.UseAlways, "")
	r := h.recall()
	if got := takenTexts(h.ask(r, "hello")); len(got) != 1 {
		t.Fatalf("took %q", got)
	}
	if _, err := h.DeletePassage(t.Context(), id, memory.Cause{Actor: memory.ActorUser}); err != nil {
		t.Fatal(err)
	}
	if got := takenTexts(h.ask(r, "hello")); len(got) != 0 {
		t.Errorf("took %q", got)
	}
}
