package eval

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"text/tabwriter"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// The metrics that are not R@k.
const (
	all10        = "All@10"
	currentFirst = "current_first"
	onlyStale    = "only_stale"
	solved       = "solved"
)

// capped are the k of the R@k that count what a turn takes; lifted those that are measured with the cap lifted.
var (
	capped = []int{1, 5, 10}
	lifted = []int{25, 50}
)

// Scores are metrics by name, each 0–1.
type Scores map[string]float64

// Result is how well recall did on one set.
type Result struct {
	Set        string                `json:"set"`
	Data       string                `json:"data"`     // SHA-256 of the texts and questions that were measured
	Version    string                `json:"version"`  // of the program: it has one configuration
	Embedder   string                `json:"embedder"` // "none" or the model
	Overall    Scores                `json:"overall"`
	Interval   map[string][2]float64 `json:"interval"` // 95 %, by bootstrap over the questions
	Categories map[string]Scores     `json:"categories"`
	N          int                   `json:"n"`              // questions with evidence
	LatencyMs  float64               `json:"latency_ms"`     // of one recall, the query's vector given; median
	LatencyP95 float64               `json:"latency_p95_ms"` //
	Tokens     float64               `json:"tokens"`         // injected a question, on average
	Silent     float64               `json:"silent"`         // share of the questions for which nothing is injected
	Quiet      *float64              `json:"quiet"`          // share of the small talk and nonsense for which nothing is injected; nil = not asked
	Published  map[string]Scores     `json:"published,omitempty"`
	Asked      []Asked               `json:"asked,omitempty"` // with Options.Only
}

// Asked is one question with what recall made of it.
type Asked struct {
	ID       string         `json:"id"`
	Question string         `json:"question"`
	Category string         `json:"category"`
	Evidence []Expected     `json:"evidence"`
	Receipt  memory.Receipt `json:"receipt"`

	names map[string]string // of the set's texts, by candidate
}

// Expected is a text that answers a question.
type Expected struct {
	ID   string `json:"id"`
	Rank int    `json:"rank"` // among all candidates, from 1; 0 = not considered
	Text string `json:"text"`
}

// tally adds up the questions.
type tally struct {
	set      Set
	embedder string
	only     bool
	scores   []Scores // of each question
	category []string
	ranked   []Scores // of the published answers
	took     []float64
	tokens   int
	silent   int
	talks    int
	quiet    int
	asked    []Asked
}

func newTally(set Set, o Options) *tally {
	t := &tally{set: set, embedder: "none", only: o.Only != ""}
	if o.Embedder != nil {
		t.embedder = o.Model
	}
	return t
}

// name returns the set's name of something stored.
func (w *world) name(id string) string {
	if w.ids == nil {
		return id
	}
	return w.ids[id]
}

// taken returns the set's names of what is injected, in the order of rank. A fact stands for the message that states it.
func (w *world) taken(rc memory.Receipt) []string {
	var names []string
	for _, c := range rc.Candidates {
		switch {
		case !c.Taken:
		case c.Kind == store.KindFact:
			names = append(names, w.name(c.Origin))
		default:
			names = append(names, w.name(c.ID))
		}
	}
	return names
}

// found returns how many of the evidence stand among the first k.
func found(evidence, names []string, k int) int {
	n := 0
	for _, id := range evidence {
		if i := slices.Index(names, id); i >= 0 && i < k {
			n++
		}
	}
	return n
}

func share(evidence, names []string, k int) float64 {
	return float64(found(evidence, names, k)) / float64(max(len(evidence), 1))
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// best returns the rank from 0 of the best of the ids among the first ten, 10 where none is there.
func best(ids, names []string) int {
	first := 10
	for _, id := range ids {
		if i := slices.Index(names, id); i >= 0 {
			first = min(first, i)
		}
	}
	return first
}

// question notes what one question recalled, under the cap and without it.
func (t *tally) question(q Question, rc, whole memory.Receipt, w *world) {
	names, more := w.taken(rc), w.taken(whole)
	s := Scores{}
	for _, k := range capped {
		s[at(k)] = share(q.Evidence, names, k)
	}
	for _, k := range lifted {
		s[at(k)] = share(q.Evidence, more, k)
	}
	s[all10] = truth(found(q.Evidence, names, 10) == len(q.Evidence))
	if q.Updated != nil {
		now, before := best(q.Updated, names), best(q.Original, names)
		one := slices.Equal(q.Updated, q.Original)
		s[currentFirst] = truth(now < 10 && (now < before || one))
		s[onlyStale] = truth(now == 10 && before < 10)
	}
	if q.Answer != "" {
		s[solved] = truth(answers(rc, q.Answer))
	}
	t.scores, t.category = append(t.scores, s), append(t.category, q.Category)
	if q.Published != nil {
		p := Scores{}
		for _, k := range capped {
			p[at(k)] = share(q.Evidence, q.Published, k)
		}
		p[all10] = truth(found(q.Evidence, q.Published, 10) == len(q.Evidence))
		t.ranked = append(t.ranked, p)
	}
	t.took = append(t.took, float64(rc.Micros)/1000)
	t.tokens += rc.Tokens
	if rc.Tokens == 0 {
		t.silent++
	}
	if t.only {
		a := Asked{ID: q.ID, Question: q.Text, Category: q.Category, Receipt: rc, names: w.ids}
		for _, id := range q.Evidence {
			rank := slices.IndexFunc(whole.Candidates, func(c memory.Candidate) bool { return w.ids[c.ID] == id }) + 1
			a.Evidence = append(a.Evidence, Expected{ID: id, Rank: rank, Text: w.texts[id]})
		}
		t.asked = append(t.asked, a)
	}
}

func (t *tally) smallTalk(rc memory.Receipt) {
	t.talks++
	if rc.Tokens == 0 {
		t.quiet++
	}
}

func at(k int) string { return fmt.Sprintf("R@%d", k) }

// result takes the means.
func (t *tally) result() Result {
	n := float64(max(len(t.scores), 1))
	r := Result{
		Set: t.set.Name, Embedder: t.embedder, N: len(t.scores), Overall: mean(t.scores), Interval: bootstrap(t.scores),
		Categories: map[string]Scores{}, Tokens: float64(t.tokens) / n, Silent: float64(t.silent) / n, Asked: t.asked,
	}
	byCategory := map[string][]Scores{}
	for i, c := range t.category {
		byCategory[c] = append(byCategory[c], t.scores[i])
	}
	for c, scores := range byCategory {
		r.Categories[c] = mean(scores)
		r.Categories[c]["n"] = float64(len(scores))
	}
	if t.talks > 0 {
		quiet := float64(t.quiet) / float64(t.talks)
		r.Quiet = &quiet
	}
	if len(t.ranked) > 0 {
		r.Published = map[string]Scores{t.set.published: mean(t.ranked)}
	}
	slices.Sort(t.took)
	r.LatencyMs, r.LatencyP95 = quantile(t.took, .5), quantile(t.took, .95)
	return r
}

func mean(scores []Scores) Scores {
	m := Scores{}
	for _, s := range scores {
		for name, v := range s {
			m[name] += v
		}
	}
	for name := range m { // divided last, so that all of them right is 1
		m[name] /= float64(len(scores))
	}
	return m
}

// resamples is how often the questions are drawn anew for an interval.
const resamples = 1000

// bootstrap returns the 2.5 and 97.5 % quantiles of each mean over questions drawn with replacement, always the same.
func bootstrap(scores []Scores) map[string][2]float64 {
	interval := map[string][2]float64{}
	if len(scores) == 0 {
		return interval
	}
	for name := range scores[0] {
		rnd := rand.New(rand.NewPCG(20, 26)) // to be the same each time
		means := make([]float64, resamples)
		for i := range means {
			for range scores {
				means[i] += scores[rnd.IntN(len(scores))][name]
			}
			means[i] /= float64(len(scores))
		}
		slices.Sort(means)
		interval[name] = [2]float64{quantile(means, .025), quantile(means, .975)}
	}
	return interval
}

// quantile returns the q-quantile of sorted values, 0 for none.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// names returns the metrics in the order in which they are printed.
func (s Scores) names() []string {
	var present []string
	for _, name := range []string{at(1), at(5), at(10), all10, at(25), at(50), currentFirst, onlyStale, solved} {
		if _, ok := s[name]; ok {
			present = append(present, name)
		}
	}
	return present
}

// Print writes the results for people: a table of the sets, then each by category.
func Print(w io.Writer, results ...Result) error {
	for i, r := range results {
		if i > 0 {
			_, _ = fmt.Fprintln(w)
		}
		if err := r.print(w); err != nil {
			return err
		}
	}
	return nil
}

func (r Result) print(w io.Writer) error {
	_, _ = fmt.Fprintf(w, "%s, embedder %s: %d questions\n", r.Set, r.Embedder, r.N)
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	metrics := r.Overall.names()
	_, _ = fmt.Fprintf(tw, "\tn\t%s\n", strings.Join(metrics, "\t"))
	row := func(name, n string, s Scores) {
		_, _ = fmt.Fprintf(tw, "%s\t%s", name, n)
		for _, m := range metrics {
			if v, ok := s[m]; ok {
				_, _ = fmt.Fprintf(tw, "\t%.3f", v)
			} else {
				_, _ = fmt.Fprint(tw, "\t–")
			}
		}
		_, _ = fmt.Fprintln(tw)
	}
	row("all", fmt.Sprint(r.N), r.Overall)
	low, high := Scores{}, Scores{}
	for name, ends := range r.Interval {
		low[name], high[name] = ends[0], ends[1]
	}
	row("95 % from", "", low)
	row("95 % to", "", high)
	categories := make([]string, 0, len(r.Categories))
	for c := range r.Categories {
		categories = append(categories, c)
	}
	slices.Sort(categories)
	if len(categories) > 1 {
		for _, c := range categories {
			row(c, fmt.Sprint(r.Categories[c]["n"]), r.Categories[c])
		}
	}
	for name, s := range r.Published {
		row(name+" (published)", "", s)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(w, "injected %.0f tokens a question, nothing for %.1f %%; %.1f ms a recall (median), %.1f ms (p95)", r.Tokens, 100*r.Silent, r.LatencyMs, r.LatencyP95)
	if r.Quiet != nil {
		_, _ = fmt.Fprintf(w, "; small talk and nonsense bring nothing in %.1f %%", 100**r.Quiet)
	}
	_, err := fmt.Fprintln(w)
	return err
}

// Explain writes a question with its candidates.
func (a Asked) Explain(w io.Writer) error {
	_, _ = fmt.Fprintf(w, "%s (%s): %s\n\n", a.ID, a.Category, a.Question)
	wanted := map[string]bool{}
	for _, e := range a.Evidence {
		wanted[e.ID] = true
		place := "not among the candidates"
		if e.Rank > 0 {
			place = fmt.Sprintf("rank %d", e.Rank)
		}
		_, _ = fmt.Fprintf(w, "wanted %s, %s: %s\n", e.ID, place, brief(e.Text, 160))
	}
	_, _ = fmt.Fprintf(w, "\nfloor %.3f, %d of %d tokens, %d considered, vectors %t\n", a.Receipt.Floor, a.Receipt.Tokens, a.Receipt.Cap, a.Receipt.Considered, a.Receipt.Vectors)
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(tw, "\trank\twhy\tscore\tlexical\tsemantic\tsession\ttokens\tid\ttext")
	for i, c := range a.Receipt.Candidates {
		mark, name := "", a.names[c.ID]
		if wanted[name] {
			mark = "*"
		}
		_, _ = fmt.Fprintf(tw, "%s\t%d\t%s\t%.3f\t%.3f\t%.3f\t%.3f\t%d\t%s\t%s\n", mark, i+1, c.Why, c.Score, c.Lexical, c.Semantic, c.Session, c.Tokens, name, brief(c.Text, 90))
	}
	return tw.Flush()
}

// brief returns a text in one line of at most n characters.
func brief(text string, n int) string {
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) <= n {
		return string(runes)
	}
	return string(runes[:n-1]) + "…"
}

// answers tells whether the value is what following keys ended at.
func answers(rc memory.Receipt, value string) bool {
	var last memory.Candidate
	for _, c := range rc.Candidates {
		if c.Taken && c.Hop > last.Hop {
			last = c
		}
	}
	return strings.Contains(last.Text, value)
}
