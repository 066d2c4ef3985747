package experiment

import (
	"context"
	"hash/fnv"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/tokens"
)

func TestWithEverythingOnNothingIsForgotten(t *testing.T) {
	f, err := Forget(t.Context(), ForgetOptions{Turns: 45})
	if err != nil {
		t.Fatal(err)
	}
	gone := map[Mode]bool{}
	for i, r := range f.Rows {
		if i > 0 && r.Turn < f.Rows[i-1].Turn || r.Mode != Modes[i%len(Modes)] {
			t.Errorf("row %d is out of order: %+v", i, r)
		}
		if r.Available != (r.DigitsKept == 10) || r.PromptTokens == 0 || r.PromptTokens > forgetWindow || r.Said != "" {
			t.Errorf("%+v", r)
		}
		if r.Mode == ModeAll && !r.Available || r.Turn <= 5 && !r.Available {
			t.Errorf("forgotten: %+v", r)
		}
		gone[r.Mode] = !r.Available
	}
	if len(f.Rows) != 4*len(Modes) || f.Model != NoModel {
		t.Errorf("%d rows of %s", len(f.Rows), f.Model)
	}
	if !gone[ModeOff] || !gone[ModeWindow] {
		t.Error("without memory a number of turn 1 is in the window after 45 turns")
	}
}

func TestTheExperimentIsTheSameEachTime(t *testing.T) {
	one, err := Forget(t.Context(), ForgetOptions{Turns: 6})
	if err != nil {
		t.Fatal(err)
	}
	two, err := Forget(t.Context(), ForgetOptions{Turns: 6})
	if err != nil || !reflect.DeepEqual(one, two) {
		t.Errorf("%+v\n%+v %v", one, two, err)
	}
	for _, turns := range []int{0, -1, MaxTurns + 1} {
		if _, err := Forget(t.Context(), ForgetOptions{Turns: turns}); memory.CodeOf(err) != memory.EINVALID {
			t.Errorf("%d turns: %v", turns, err)
		}
	}
}

func TestTheTalkBetweenIsLongAndMisleading(t *testing.T) {
	counter := tokens.Estimator()
	talk := newSmallTalk(counter, tokensPerTurn)
	seen := map[string]bool{}
	ten := regexp.MustCompile(`\b\d{10}\b`)
	for range 1000 {
		e := talk.next()
		n := counter.Count(e.user) + counter.Count(e.answer)
		if n < tokensPerTurn || n > tokensPerTurn+30 {
			t.Fatalf("%d tokens in %+v", n, e)
		}
		text := strings.ToLower(e.user + " " + e.answer)
		if strings.Contains(text, "library") || strings.Contains(text, "card") || kept(number, text) > 0 {
			t.Fatalf("%s gives it away", text)
		}
		for _, d := range ten.FindAllString(text, -1) {
			seen[d] = true
		}
	}
	if len(seen) < 990 {
		t.Errorf("there are %d other numbers of ten digits", len(seen))
	}
	if strings.Contains(numberAsked, number[:3]) || !ten.MatchString(number) {
		t.Error("the question tells the number")
	}
}

func TestDigitsKept(t *testing.T) {
	for text, want := range map[string]int{
		"": 0, "It is " + number + ".": 10, "It starts with 3847": 4, "13847": 0, "38 or so": 0, "384, then 38472": 5, "9" + number + " " + number[:6]: 6,
	} {
		if got := kept(number, text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}

func TestTheBuiltInChatTellsEachFactOnce(t *testing.T) {
	c := BuiltIn()
	if _, err := c.turns(); err != nil {
		t.Fatal(err)
	}
	if len(c.Messages) != 200 || len(c.Questions) != 40 {
		t.Errorf("%d messages, %d questions", len(c.Messages), len(c.Questions))
	}
	all := 0
	counter := tokens.Estimator()
	for _, m := range c.Messages {
		all += counter.Count(m.Content)
	}
	if all < 50_000 || all > 53_000 {
		t.Errorf("%d tokens", all)
	}
	last := -1
	for i, q := range c.Questions {
		var in []int
		for n, m := range c.Messages {
			if holds(m.Content, q.Answer) {
				in = append(in, n)
			}
		}
		if len(in) != 1 || in[0] <= last || !strings.Contains(c.Messages[in[0]].Content, facts[i].told) || holds(q.Ask, q.Answer) {
			t.Errorf("%q is answered in the messages %v", q.Ask, in)
		}
		if len(in) > 0 {
			last = in[0]
		}
		if holds(facts[i].told, q.Ask) || strings.Contains(q.Ask, facts[i].told) {
			t.Errorf("%q is asked in the words in which it was told", q.Ask)
		}
	}
}

// A short chat through all three strategies: each saves what the reference says, and recall brings back what left.
func TestStrategiesAreCompared(t *testing.T) {
	whole := BuiltIn()
	c := Chat{Messages: whole.Messages[:72], Questions: whole.Questions[:14]}
	got, err := Compare(t.Context(), CompareOptions{Chat: c})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 3 || got.Turns != 36 || got.Questions != 14 || got.WholeTokens < 18_000 {
		t.Fatalf("%+v", got)
	}
	for _, r := range got.Rows {
		if r.Saved < r.ReferenceSave.Low || r.PromptTokens > got.Target || r.ModelCalls != 0 || r.ModelCost != 0 || r.Faster < 50 {
			t.Errorf("%s: %+v, target %d", r.Strategy, r, got.Target)
		}
		if r.RetainedRecall < 95 || r.RetainedRecall < r.Retained {
			t.Errorf("%s keeps %v %%, with recall %v %%", r.Strategy, r.Retained, r.RetainedRecall)
		}
	}
	if got.Rows[2].Used != memory.StrategyPriority {
		t.Errorf("without a model a summary became %s", got.Rows[2].Used)
	}
}

// An embedder finds what is asked for in other words, as it does in the app; one that fails is told.
func TestStrategiesAreComparedWithAnEmbedder(t *testing.T) {
	whole := BuiltIn()
	c := Chat{Messages: whole.Messages[:44], Questions: []ChatQuestion{{Ask: "Zwetschgenknödel?", Answer: whole.Questions[0].Answer}}}
	for name, e := range map[string]knowing{"knows": {whole.Questions[0].Answer, nil}, "fails": {"", memory.Errorf(memory.EMODEL, "embed", "no model is chosen")}} {
		got, err := Compare(t.Context(), CompareOptions{Chat: c, Embedder: e, Embeds: "knowing"})
		if memory.CodeOf(err) != memory.CodeOf(e.err) {
			t.Fatalf("%s: %v", name, err)
		}
		if e.err != nil {
			continue
		}
		for _, r := range got.Rows {
			if r.Retained != 0 && r.Strategy == memory.StrategySliding || r.RetainedRecall != 100 || got.Embedder != "knowing" {
				t.Errorf("%s: %+v", r.Strategy, r)
			}
		}
	}
	words, err := Compare(t.Context(), CompareOptions{Chat: c})
	if err != nil || words.Rows[0].RetainedRecall != 0 {
		t.Errorf("by words: %+v, %v", words.Rows, err)
	}
}

// knowing is an embedder for which a question and the text with its answer mean the same, and nothing else does.
type knowing struct {
	answer string
	err    error
}

func (k knowing) Embed(_ context.Context, r engine.EmbedRequest) ([][]float32, error) {
	out := make([][]float32, len(r.Texts))
	for i, text := range r.Texts {
		v := make([]float32, 64)
		if holds(text, k.answer) || strings.Contains(text, "Zwetschgen") {
			v[0] = 1
		} else {
			h := fnv.New32a()
			_, _ = h.Write([]byte(text))
			v[1+h.Sum32()%63] = 1
		}
		out[i] = v
	}
	return out, k.err
}

// A talk that is shorter than the instructions leaves nothing to save, which is not less than nothing.
func TestAShortTalkSavesNothing(t *testing.T) {
	c := Chat{Messages: slices.Repeat([]ChatMessage{{memory.RoleUser, "Hi"}, {memory.RoleAssistant, "Hello"}}, 5)}
	got, err := Compare(t.Context(), CompareOptions{Chat: c})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range got.Rows {
		if r.Saved != 0 || r.Faster != 0 || r.PromptTokens == 0 {
			t.Errorf("%+v", r)
		}
	}
}

func TestChatsThatCannotBeUsed(t *testing.T) {
	const talk = `{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello"},`
	four := strings.TrimSuffix(strings.Repeat(talk, 4), ",")
	if _, err := ReadChat(strings.NewReader(`{"messages":[` + four + `],"questions":[{"ask":"Who?","answer":"Ada"}]}`)); err != nil {
		t.Error(err)
	}
	for name, text := range map[string]string{
		"not JSON": "Hello", "empty": "", "nothing in it": "{}", "too short": `{"messages":[` + strings.TrimSuffix(talk, ",") + `]}`,
		"out of turn":      `{"messages":[{"role":"assistant","content":"Hi"},` + four + `]}`,
		"another role":     `{"messages":[{"role":"tool","content":"Hi"}]}`,
		"no content":       `{"messages":[{"role":"user","content":" "}]}`,
		"no answer":        `{"messages":[` + four + `],"questions":[{"ask":"Who?"}]}`,
		"it gives it away": `{"messages":[` + four + `],"questions":[{"ask":"Is it Ada?","answer":"ada"}]}`,
	} {
		if _, err := ReadChat(strings.NewReader(text)); memory.CodeOf(err) != memory.EINVALID {
			t.Errorf("%s: %v", name, err)
		}
	}
}
