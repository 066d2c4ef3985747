package experiment

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/tokens"
)

// What docs/context.md says of the forgetting experiment is what comes out, but for its last turn, which takes minutes.
func TestWithEverythingOnNothingIsForgotten(t *testing.T) {
	f, err := Forget(t.Context(), ForgetOptions{Turns: 100})
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, row := range tableOf(t, "| after turn |") {
		for turn := range strings.SplitSeq(row[0], " and ") {
			for i, m := range Modes {
				said[string(m)+turn] = row[i+1]
			}
		}
	}
	for i, r := range f.Rows {
		if i > 0 && r.Turn < f.Rows[i-1].Turn || r.Mode != Modes[i%len(Modes)] {
			t.Errorf("row %d is out of order: %+v", i, r)
		}
		if r.Available != (r.DigitsKept == 10) || r.PromptTokens == 0 || r.PromptTokens > forgetWindow || r.Said != "" {
			t.Errorf("%+v", r)
		}
		is := map[bool]string{true: "available", false: "gone"}[r.Available]
		if says := said[string(r.Mode)+strconv.Itoa(r.Turn)]; says != is || r.Mode == ModeAll && !r.Available {
			t.Errorf("%s after turn %d: %s, and the page says %q", r.Mode, r.Turn, is, says)
		}
	}
	if len(f.Rows) != 5*len(Modes) || f.Model != NoModel {
		t.Errorf("%d rows of %s", len(f.Rows), f.Model)
	}
}

// tableOf returns the cells of the table of docs/context.md that begins so, without its head.
func tableOf(t *testing.T, head string) (rows [][]string) {
	t.Helper()
	_, table, ok := strings.Cut(contextPage(t), "\n"+head)
	if !ok {
		t.Fatalf("docs/context.md has no table %s", head)
	}
	table, _, _ = strings.Cut(table, "\n\n")
	for _, line := range strings.Split(table, "\n")[2:] {
		rows = append(rows, strings.Split(strings.Trim(line, "| "), " | "))
	}
	return rows
}

func contextPage(t *testing.T) string {
	t.Helper()
	page, err := os.ReadFile("../../docs/context.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(page)
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
		in := answeredIn(c, q)
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

// The built-in chat through all three strategies: each saves what the reference says, recall brings back what left, and
// docs/context.md says the same.
func TestStrategiesAreCompared(t *testing.T) {
	got, err := Compare(t.Context(), CompareOptions{Chat: BuiltIn()})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != 3 || got.Turns != builtInTurns || got.Questions != len(facts) {
		t.Fatalf("%+v", got)
	}
	said := tableOf(t, "| strategy |")
	for i, r := range got.Rows {
		if r.Saved < r.ReferenceSave.Low || r.PromptTokens > got.Target || r.ModelCalls != 0 || r.ModelCost != 0 {
			t.Errorf("%s: %+v, target %d", r.Strategy, r, got.Target)
		}
		if r.RetainedRecall < 95 || r.RetainedRecall < r.Retained || (len(r.Missed) == 0) != (r.RetainedRecall == 100) {
			t.Errorf("%s keeps %v %%, with recall %v %%; missed: %q", r.Strategy, r.Retained, r.RetainedRecall, r.Missed)
		}
		is := []string{
			[]string{"sliding window", "priority", "summary, without a model"}[i],
			fmt.Sprintf("%.0f %%", r.Saved), fmt.Sprintf("%.0f–%.0f %%", r.ReferenceSave.Low, r.ReferenceSave.High),
			fmt.Sprintf("%.0f %%", r.Retained), fmt.Sprintf("%.0f %%", r.ReferenceKeep), fmt.Sprintf("%.0f %%", r.RetainedRecall),
		}
		if !slices.Equal(said[i], is) {
			t.Errorf("the page says\n%q, and it is\n%q", said[i], is)
		}
	}
	if got.Rows[2].Used != memory.StrategyPriority {
		t.Errorf("without a model a summary became %s", got.Rows[2].Used)
	}
	last := got.Rows[2]
	sentence := fmt.Sprintf("At turn %d the prompt has %s tokens instead of %s. At %.0f tokens read and %.0f written a second, nothing cached, an answer of "+
		"%d tokens comes after %.0f s instead of %.0f s, %.0f %% sooner.",
		got.Turns, thousands(last.PromptTokens), thousands(got.WholeTokens), got.Speeds.Read, got.Speeds.Write, got.Speeds.Answer,
		last.ResponseMs/1000, got.WholeMs/1000, last.Faster)
	if !strings.Contains(strings.Join(strings.Fields(contextPage(t)), " "), sentence) {
		t.Errorf("the page does not say: %s", sentence)
	}
}

// The everyday chats that docs/context.md tells of: each fact is told once, at even distances, and asked for in words that do
// not tell it.
func TestEverydayChats(t *testing.T) {
	for _, name := range []string{"everyday.en.json", "everyday.zh.json"} {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		c, err := ReadChat(f)
		if err = errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		last := -1
		for i, q := range c.Questions {
			in := answeredIn(c, q)
			if len(in) != 1 || in[0] <= last || in[0]*len(c.Questions)/len(c.Messages) != i {
				t.Fatalf("%s: %q is answered in the messages %v", name, q.Ask, in)
			}
			last = in[0]
		}
		if len(c.Messages) != 240 || len(c.Questions) < 20 {
			t.Errorf("%s: %d messages, %d questions", name, len(c.Messages), len(c.Questions))
		}
	}
}

// answeredIn returns the messages that hold the answer to a question.
func answeredIn(c Chat, q ChatQuestion) (in []int) {
	for n, m := range c.Messages {
		if holds(m.Content, q.Answer) {
			in = append(in, n)
		}
	}
	return in
}

func thousands(n int) string { return fmt.Sprintf("%d,%03d", n/1000, n%1000) }

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
