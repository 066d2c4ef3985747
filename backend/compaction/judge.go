package compaction

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"recollect/backend/memory"
)

// How much a model judges.
const (
	TokensACall   = 2000 // of core memory; a model is called at most once for each
	batchEntries  = 20   // that one call is about
	batchChars    = 240  // of an entry that the model is shown
	talkChars     = 600  // of what the user said lately
	reasonChars   = 100  // of a reason
	mostMoved     = 3.0  // that a model moves the score of the signals
	wordTokens    = 64   // of a verdict on one entry, which some models spread over five lines
	thoughtTokens = 1500 // of a model that cannot help thinking before it
	judgeFrame    = 640  // of the question without its entries, but with the controls
	entryFrame    = 12   // of what stands around an entry
	apartAtLeast  = 3.0  // that a model scores the control that matters above the other
	sameVerdict   = 3    // entries from which on the same extreme for all of them says nothing
)

//go:embed prompts/judge.*.md
var judgePrompts embed.FS

// Question is what a model is asked.
type Question struct {
	Text      string
	Schema    json.RawMessage // of the answer
	MaxTokens int             // of the answer
}

// Ask has a model answer a question; what came is returned with an error too. alive is called whenever there is a sign of
// life.
type Ask func(ctx context.Context, q Question, alive func()) (string, error)

// Judge scores entries with a model. What it says only moves the score of the signals; where it fails, they stand.
type Judge struct {
	Ask      Ask
	Language string        // of the agent: "zh", else English
	Thinks   bool          // the model thinks before it answers
	Stall    time.Duration // without a sign of life, after which a call is given up; 0 = never
	Room     int           // tokens that question and answer may have together; 0 = any number
	Count    func(text string) int

	known map[string]verdict // what it judged before it was interrupted
}

// Judgement is what came of judging.
type Judgement struct {
	Entries int    // that the model judged
	Calls   int    //
	Prompt  string // the first question
	Output  string // what the model said, call by call
	Err     error  // why it judged not all that it was asked about; nil where it did
}

var (
	errUnusable error = memory.Errorf(memory.EMALFORMED, "judge", "the model's judgement could not be used, so signals alone decided")
	errStalled  error = memory.Errorf(memory.EENGINE, "judge", "the model gave no sign of life, so signals alone decided")
)

// controls are entries whose worth is known, in every question: one to keep for ever and one of a moment. A model that does
// not tell them apart is not believed about the others.
var controls = map[string][2]string{
	"en": {"The person is allergic to penicillin.", "It drizzled a little this morning."},
	"zh": {"用户对青霉素过敏。", "今早下了点毛毛雨。"},
}

type verdict struct {
	score  float64
	reason string
}

// Score has the model score those entries whose fate it may change, those near the threshold keep first, with at most one
// call for each TokensACall of all of them. talk is what the user said lately. It fails only when ctx ends; called again it
// goes on where it was.
func (j *Judge) Score(ctx context.Context, entries []memory.CompactionEntry, keep float64, talk string) (Judgement, error) {
	var out Judgement
	total, open := 0, []int{}
	for i, e := range entries {
		total += e.Tokens
		if e.Protected == "" && e.Kind != SignalReplaced {
			open = append(open, i)
		}
	}
	slices.SortStableFunc(open, func(a, b int) int {
		x, y := math.Abs(entries[a].Basis-keep), math.Abs(entries[b].Basis-keep)
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	if j.known == nil {
		j.known = map[string]verdict{}
	}
	calls := (total + TokensACall - 1) / TokensACall
	for len(open) > 0 && out.Calls < calls {
		n := min(batchEntries, len(open))
		for n > 1 && !j.fits(entries, open[:n]) {
			n /= 2
		}
		batch := slices.Clone(open[:n])
		open = open[n:]
		slices.Sort(batch) // as they stand in memory
		fresh := slices.DeleteFunc(slices.Clone(batch), func(i int) bool { _, ok := j.known[entries[i].Text]; return ok })
		out.Calls++
		if len(fresh) > 0 {
			verdicts, text, prompt, err := j.batch(ctx, entries, fresh, talk)
			if ctx.Err() != nil {
				return out, context.Cause(ctx)
			}
			out.Output += text + "\n"
			if out.Prompt == "" {
				out.Prompt = prompt
			}
			if err != nil {
				out.Err = err
				break // it would not do better with the next
			}
			for k, i := range fresh {
				j.known[entries[i].Text] = verdicts[k]
			}
		}
		for _, i := range batch {
			e := &entries[i]
			v := j.known[e.Text]
			score := v.score
			e.Judged, e.ByModel = &score, true
			e.Score = clampScore(e.Basis + max(-mostMoved, min(mostMoved, v.score-e.Basis)))
			if v.reason != "" {
				e.Reason = v.reason
			}
			out.Entries++
		}
	}
	out.Output = strings.TrimSpace(out.Output)
	return out, nil
}

// fits reports whether a question about entries, and the answer, have room.
func (j *Judge) fits(entries []memory.CompactionEntry, batch []int) bool {
	if j.Room == 0 || j.Count == nil {
		return true
	}
	tokens := judgeFrame + wordTokens*(len(batch)+2)
	if j.Thinks {
		tokens += thoughtTokens
	}
	for _, i := range batch {
		tokens += j.Count(asData(bare(entries[i].Text), batchChars)) + entryFrame
	}
	return tokens <= j.Room
}

// batch asks about some of the entries.
func (j *Judge) batch(ctx context.Context, entries []memory.CompactionEntry, batch []int, talk string) (verdicts []verdict, text, prompt string, err error) {
	language := "en"
	if j.Language == "zh" {
		language = "zh"
	}
	raw, err := judgePrompts.ReadFile("prompts/judge." + language + ".md")
	if err != nil {
		return nil, "", "", err
	}
	shown := make([]string, len(batch), len(batch)+len(controls[language]))
	for k, i := range batch {
		shown[k] = asData(bare(entries[i].Text), batchChars)
	}
	key := len(batch) / 2 // among the others, and the other control behind them
	shown = append(slices.Insert(shown, key, controls[language][0]), controls[language][1])
	var list strings.Builder
	han := language == "zh"
	for k, text := range shown {
		han = han || strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
		fmt.Fprintf(&list, "<entry n=\"%d\">%s</entry>\n", k+1, text)
	}
	if talk = asData(talk, talkChars); talk == "" {
		talk = "-"
	}
	q := Question{Text: fmt.Sprintf(strings.TrimSpace(string(raw)), talk, strings.TrimSpace(list.String())), Schema: judgeSchema(len(shown)), MaxTokens: wordTokens*len(shown) + 20}
	if j.Thinks {
		q.MaxTokens += thoughtTokens
	}
	call, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := func() {}
	if j.Stall > 0 {
		timer := time.AfterFunc(j.Stall, func() { cancel(errStalled) })
		defer timer.Stop()
		alive = func() { timer.Reset(j.Stall) }
	}
	text, err = j.Ask(call, q, alive)
	if cause := context.Cause(call); ctx.Err() == nil && errors.Is(cause, errStalled) {
		err = errStalled
	}
	if code := memory.CodeOf(err); err != nil && code != memory.EMALFORMED && code != memory.EINCOMPLETE {
		return nil, text, q.Text, err
	}
	verdicts, err = readVerdicts(text, len(shown), language, han)
	if err != nil {
		return nil, text, q.Text, err
	}
	if last := len(shown) - 1; verdicts[key].score < verdicts[last].score+apartAtLeast || parroted(verdicts, shown) {
		return nil, text, q.Text, errUnusable
	}
	if verdicts = slices.Delete(verdicts[:len(shown)-1], key, key+1); sameExtreme(verdicts) {
		return nil, text, q.Text, errUnusable
	}
	return verdicts, text, q.Text, nil
}

// judgeSchema has a key for each entry, so that a model that keeps to it cannot lose count.
func judgeSchema(n int) json.RawMessage {
	var properties, required strings.Builder
	for i := 1; i <= n; i++ {
		if i > 1 {
			properties.WriteByte(',')
			required.WriteByte(',')
		}
		fmt.Fprintf(&properties, `"%d":{"type":"object","properties":{"reason":{"type":"string","maxLength":%d},"score":{"type":"integer","minimum":0,"maximum":10}},"required":["reason","score"]}`, i, reasonChars)
		fmt.Fprintf(&required, `"%d"`, i)
	}
	return json.RawMessage(`{"type":"object","properties":{` + properties.String() + `},"required":[` + required.String() + `]}`)
}

// readVerdicts reads the answer about n entries. It must have a score from 0 to 10 for each and for no other, and reasons in
// a language that was used.
func readVerdicts(text string, n int, language string, han bool) ([]verdict, error) {
	i := strings.IndexByte(text, '{')
	if i < 0 {
		return nil, errUnusable
	}
	var answer map[string]struct {
		Score  *float64 `json:"score"`
		Reason string   `json:"reason"`
	}
	if err := json.NewDecoder(strings.NewReader(text[i:])).Decode(&answer); err != nil || len(answer) != n {
		return nil, errUnusable
	}
	out := make([]verdict, n)
	strange := 0
	for k := range n {
		v, ok := answer[strconv.Itoa(k+1)]
		if !ok || v.Score == nil || *v.Score < 0 || *v.Score > 10 {
			return nil, errUnusable
		}
		reason := firstRunes(strings.Join(strings.Fields(memory.CleanText(v.Reason)), " "), reasonChars)
		if foreign(reason, language, han) {
			strange++
			reason = ""
		}
		out[k] = verdict{score: *v.Score, reason: reason}
	}
	if strange*2 > n {
		return nil, errUnusable
	}
	return out, nil
}

// parroted reports whether most reasons only say again what an entry says.
func parroted(verdicts []verdict, shown []string) bool {
	bare := func(s string) string { return strings.ToLower(strings.TrimRight(s, ".。!！… ")) }
	n := 0
	for _, v := range verdicts {
		if v.reason != "" && slices.ContainsFunc(shown, func(s string) bool { return bare(s) == bare(v.reason) }) {
			n++
		}
	}
	return 2*n > len(verdicts)
}

// sameExtreme reports whether all entries are judged of no or of the greatest importance, which is no judgement.
func sameExtreme(verdicts []verdict) bool {
	lowest, highest := maxImportance, 0.0
	for _, v := range verdicts {
		lowest, highest = min(lowest, v.score), max(highest, v.score)
	}
	return len(verdicts) >= sameVerdict && (highest <= 1 || lowest >= maxImportance-1)
}

// foreign reports whether a reason is written in none of the languages at hand: Chinese, where the agent or an entry is
// Chinese; else letters of the Latin alphabet.
func foreign(reason, language string, han bool) bool {
	var chinese, latin, other int
	for _, r := range reason {
		switch {
		case unicode.Is(unicode.Han, r):
			chinese++
		case unicode.Is(unicode.Latin, r):
			latin++
		case unicode.IsLetter(r):
			other++
		}
	}
	switch {
	case other > chinese+latin:
		return true
	case chinese > 0 && !han:
		return true
	}
	return language == "zh" && chinese == 0 && latin > 0
}

// asData returns a text on one line in which nothing ends the entry that it stands in.
func asData(s string, chars int) string {
	s = strings.Join(strings.Fields(s), " ")
	s = memory.AsData(s, memory.FrameEntry)
	if r := []rune(s); len(r) > chars {
		s = string(r[:chars]) + "…"
	}
	return s
}
