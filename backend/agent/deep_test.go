package agent_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// paced is an engine whose speed and caches are as the test wants.
type paced struct {
	*engine.Engine
	reads float64
	side  bool
}

func (p paced) PromptSpeed(string) float64 { return p.reads }
func (p paced) SideCache(string) bool      { return p.side }

const (
	told     = "Niangao the ragdoll sheds all over the sofa"
	petAsked = "Which animal do I share my home with?"
)

// newDeepWorld is a world that knows of a cat, whose model has written before and judges as the verdicts say, one after the
// other. It talks in a conversation of its own.
func newDeepWorld(t *testing.T, model string, p paced, verdicts ...string) *world {
	w := newWorld(t, model)
	p.Engine = w.engine
	w.replace(func(d *agent.Deps) { d.Engine = p })
	w.set["notes"] = "off"
	n := 0
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if len(r.Format) == 0 {
			return say("Well, that is one thing that one can say about it.")
		}
		n++
		return say(verdicts[min(n, len(verdicts))-1])
	})
	w.send(told)
	w.conv = w.newConversation()
	return w
}

func (w *world) receipt() memory.Receipt {
	w.Helper()
	path := w.path()
	r, err := w.store.Receipt(w.ctx(), path[len(path)-1].TurnID)
	w.must(err)
	return r
}

func recalled(r memory.Receipt, text string) bool {
	return slices.ContainsFunc(r.Candidates, func(c memory.Candidate) bool { return c.Taken && strings.Contains(c.Text, text) })
}

const (
	enough   = `{"enough": true, "search": ""}`
	searches = `{"enough": false, "search": "cat ragdoll sofa"}`
)

func TestADeepSearchFindsWhatRulesDoNot(t *testing.T) {
	w := newDeepWorld(t, enginetest.Chat, paced{reads: 1000, side: true}, searches, enough)
	w.send(petAsked)
	r := w.receipt()
	if r.Plan != memory.PlanModel || r.Deep == nil || r.Deep.Reason != memory.DeepUnsure || r.Deep.End != memory.DeepEnough ||
		len(r.Deep.Rounds) != 2 || r.Deep.Model != enginetest.Chat || r.Deep.PredictedMs == 0 || !recalled(r, "Niangao") {
		t.Fatalf("plan %s, %+v, %+v", r.Plan, r.Deep, r.Candidates)
	}
	if n := w.called(memory.CallRecall); n != 2 {
		t.Errorf("%d calls are noted", n)
	}
	last := w.fake.Chats()[len(w.fake.Chats())-1]
	if !strings.Contains(last.Messages[len(last.Messages)-1].Content, told) {
		t.Errorf("the model was not shown what was found: %+v", last.Messages)
	}
	forms := w.forms()
	for _, f := range forms {
		if f.Messages[0].Role != "system" || f.Messages[0].Content != engine.SidePrefix || len(f.Tools) > 0 {
			t.Errorf("the request does not go to the side cache: %+v", f.Messages)
		}
	}
	if q := forms[1].Messages[1].Content; !strings.Contains(q, told) || !strings.Contains(q, "cat ragdoll sofa") || !strings.Contains(q, petAsked) {
		t.Errorf("the second question is %q", q)
	}
	if !slices.ContainsFunc(w.eventsOf("turn.progress"), func(ev memory.Event) bool {
		return ev.Data["phase"] == "searching" && ev.Data["read"] == 1 && ev.Data["total"] == 3
	}) {
		t.Error("nobody was told of the search")
	}
	// Small talk is answered at once.
	asked := len(forms)
	w.send("Good morning!")
	if r := w.receipt(); r.Deep != nil || len(w.forms()) != asked {
		t.Errorf("small talk made a deep search: %+v", r.Deep)
	}
}

// Without a second cache the question goes on where the chat ended, so that the chat's next prompt finds its own.
func TestADeepSearchSparesTheChatsCache(t *testing.T) {
	w := newDeepWorld(t, enginetest.Chat, paced{reads: 1000}, searches, enough)
	w.send("Good morning!")
	first := w.fake.Chats()[len(w.fake.Chats())-1]
	w.send(petAsked)
	if r := w.receipt(); r.Plan != memory.PlanModel || !recalled(r, "Niangao") {
		t.Fatalf("plan %s, %+v", r.Plan, r.Deep)
	}
	for _, f := range w.forms() {
		if len(f.Messages) != len(first.Messages)+2 {
			t.Fatalf("%d messages after %d", len(f.Messages), len(first.Messages))
		}
		for i, m := range first.Messages {
			if f.Messages[i].Role != m.Role || f.Messages[i].Content != m.Content {
				t.Errorf("message %d is %+v, not %+v", i, f.Messages[i], m)
			}
		}
	}
	// A model with tools is not asked: its prompt begins with them, and a schema excludes them.
	w = newDeepWorld(t, enginetest.Tools, paced{reads: 1000}, searches)
	w.send("Good morning!")
	w.send(petAsked)
	if r := w.receipt(); r.Plan != memory.PlanRules || r.Deep == nil || r.Deep.End != memory.DeepCache || len(w.forms()) > 0 {
		t.Errorf("plan %s, %+v, %d forms", r.Plan, r.Deep, len(w.forms()))
	}
}

// Small models wrap their JSON into words, fences and thoughts.
func TestAVerdictIsReadOutOfWhatIsAroundIt(t *testing.T) {
	for name, verdict := range map[string]string{
		"words":       "Here is the verdict: " + searches + " Hope it helps!",
		"fence":       "```json\n" + searches + "\n```",
		"thoughts":    "<think>They ask for {an animal}.</think>\n" + searches,
		"no end":      strings.TrimSuffix(searches, "}"),
		"more fields": `{"reason": "no animal yet", "enough": false, "search": "cat ragdoll sofa", "confidence": 0.4}`,
	} {
		t.Run(name, func(t *testing.T) {
			w := newDeepWorld(t, enginetest.Chat, paced{reads: 1000, side: true}, verdict, enough)
			w.send(petAsked)
			if r := w.receipt(); r.Plan != memory.PlanModel || r.Deep == nil || !recalled(r, "Niangao") {
				t.Errorf("plan %s, %+v", r.Plan, r.Deep)
			}
		})
	}
}

func TestADeepSearchThatFailsIsSaid(t *testing.T) {
	for name, c := range map[string]struct {
		p        paced
		verdicts []string
		end      memory.DeepEnd
	}{
		"no JSON":            {paced{reads: 1000, side: true}, []string{"I would look for the cat."}, memory.DeepNonsense},
		"the schema itself":  {paced{reads: 1000, side: true}, []string{`{"type":"object","properties":{"enough":{"type":"boolean"},"search":{"type":"string"}}}`}, memory.DeepNonsense},
		"other names":        {paced{reads: 1000, side: true}, []string{`{"is_enough": false, "query": "cat"}`}, memory.DeepNonsense},
		"a list":             {paced{reads: 1000, side: true}, []string{`["cat", "ragdoll"]`}, memory.DeepNonsense},
		"empty":              {paced{reads: 1000, side: true}, []string{""}, memory.DeepNonsense},
		"another JSON":       {paced{reads: 1000, side: true}, []string{`{"answer": "a cat"}`}, memory.DeepNonsense},
		"nonsense at second": {paced{reads: 1000, side: true}, []string{searches, "[]"}, memory.DeepNonsense},
		"nothing to say":     {paced{reads: 1000, side: true}, []string{`{"enough": false, "search": ""}`}, memory.DeepNothing},
		"slow":               {paced{reads: 20, side: true}, nil, memory.DeepTooSlow},
		"unknown":            {paced{side: true}, nil, memory.DeepUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			w := newDeepWorld(t, enginetest.Chat, c.p, append(c.verdicts, searches)...)
			m := w.send(petAsked)
			r := w.receipt()
			if m.Status != memory.StatusComplete || r.Deep == nil || r.Deep.End != c.end || recalled(r, "Niangao") {
				t.Errorf("answer %s, %+v", m.Status, r.Deep)
			}
			if (c.verdicts == nil) != (len(w.forms()) == 0) {
				t.Errorf("asked %d times", len(w.forms()))
			}
		})
	}
}

func TestADeepSearchIsTheUsersChoice(t *testing.T) {
	w := newDeepWorld(t, enginetest.Chat, paced{reads: 1000, side: true}, searches, enough)
	w.set["deep_recall"] = "never"
	w.send(petAsked)
	if r := w.receipt(); r.Deep != nil || len(w.forms()) > 0 {
		t.Fatalf("never: %+v", r.Deep)
	}
	// Asked for, it is made all the same, and may take longer.
	_, err := w.service.Regenerate(w.ctx(), w.answer().ID, true)
	w.must(err)
	w.answer()
	if r := w.receipt(); r.Deep == nil || r.Deep.Reason != memory.DeepAsked || r.Deep.BudgetMs != 30_000 || !recalled(r, "Niangao") {
		t.Errorf("asked: %+v", r.Deep)
	}
	w.set["deep_recall"], w.set["deep_seconds"] = "always", 5
	w.send("Good morning!")
	if r := w.receipt(); r.Deep == nil || r.Deep.Reason != memory.DeepAlways || r.Deep.BudgetMs != 5000 {
		t.Errorf("always: %+v", r.Deep)
	}
}

func TestADeepSearchIsStopped(t *testing.T) {
	w := newDeepWorld(t, enginetest.Chat, paced{reads: 1000, side: true}, enough)
	hold := make(chan struct{})
	defer close(hold)
	w.fake.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if len(r.Format) > 0 {
			return enginetest.Reply{Hold: hold}
		}
		return say("Too late.")
	})
	w.post(petAsked)
	w.fake.Await(w, "the question", func(rs []enginetest.Request) bool {
		return slices.ContainsFunc(rs, func(r enginetest.Request) bool { return r.Chat != nil && len(r.Chat.Format) > 0 })
	})
	w.service.Stop(w.conv.ID)
	if m := w.answer(); m.Status != memory.StatusStopped || m.Content != "" {
		t.Errorf("%+v", m)
	}
}

// What is tried on the recall page is what a turn would do.
func TestTryingRecallIsLikeATurn(t *testing.T) {
	w := newDeepWorld(t, enginetest.Chat, paced{reads: 1000, side: true}, enough)
	const first, second = "Where does Niangao the ragdoll sleep?", "And which sofa does Niangao the ragdoll like?"
	tried, err := w.service.TryRecall(w.ctx(), w.agent.ID, w.conv.ID, first, false)
	w.must(err)
	if len(w.path()) > 0 {
		t.Error("something was stored")
	}
	w.send(first)
	made := w.receipt()
	if tried.Plan != made.Plan || tried.Cap != made.Cap || len(tried.Blocks) != len(made.Blocks) || !recalled(tried, "Niangao") || !recalled(made, "Niangao") {
		t.Errorf("tried %+v\nin a turn %+v", tried, made)
	}
	// Where the window shows it already, both say so.
	tried, err = w.service.TryRecall(w.ctx(), w.agent.ID, w.conv.ID, second, false)
	w.must(err)
	w.send(second)
	why := func(r memory.Receipt) memory.Why {
		for _, c := range r.Candidates {
			if strings.HasPrefix(c.Text, "Niangao") {
				return c.Why
			}
		}
		return ""
	}
	if r := w.receipt(); why(r) != memory.WhyInWindow || why(tried) != memory.WhyInWindow {
		t.Errorf("in a turn %q, tried %q", why(r), why(tried))
	}
	if p := w.path(); strings.Contains(p[len(p)-2].Preamble, "Niangao") {
		t.Errorf("recalled twice: %q", p[len(p)-2].Preamble)
	}
	_, err = w.service.TryRecall(w.ctx(), w.agent.ID, "conv-none", "hello", false)
	if memory.CodeOf(err) != memory.ENOTFOUND {
		t.Errorf("another conversation: %v", err)
	}
}

// With the starter model on our own engine, whatever it says of the memories: the turn ends in order, the receipt tells what
// became of the search, and the chat finds its prompt in its cache as it was.
func TestTheStarterModelSearchesDeeply(t *testing.T) {
	w := newStarterWorld(t, map[string]any{"num_predict": 40}) // a busy machine has less to do
	ctx, cancel := context.WithTimeout(t.Context(), w.patience)
	defer cancel()
	send := func(text string) memory.Message {
		t.Helper()
		_, err := w.service.Send(ctx, agent.SendRequest{ConversationID: w.conv.ID, Content: text})
		w.must(err)
		w.must(w.service.Wait(ctx, w.conv.ID))
		path := w.path()
		m := path[len(path)-1]
		t.Logf("%q: %s, %d tokens of %d cached, %d written in %d ms", text, m.Status, m.Usage.CachedTokens, m.Usage.PromptTokens, m.Usage.OutputTokens, m.Usage.OutputMs)
		if m.Status != memory.StatusComplete {
			t.Fatalf("%+v", m.Problem)
		}
		return m
	}
	send(told)
	w.conv = w.newConversation()
	send("Good morning! Tell me something about tea.")
	for _, seconds := range []int{3, 60} {
		w.set["deep_seconds"] = seconds
		send(petAsked)
		r := w.receipt()
		if r.Deep == nil {
			t.Fatalf("no deep search: %+v", r)
		}
		t.Logf("within %d s: plan %s, end %s, predicted %d ms, took %d ms, found %v", seconds, r.Plan, r.Deep.End, r.Deep.PredictedMs, r.Deep.Ms, recalled(r, "Niangao"))
		for _, round := range r.Deep.Rounds {
			t.Logf("  round: %+v", round)
		}
	}
	if m := send("Thank you."); m.Usage.CachedTokens < m.Usage.PromptTokens*7/10 {
		t.Errorf("the searches cost the chat its cache: %+v", m.Usage)
	}
}
