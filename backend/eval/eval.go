package eval

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
)

// Options say how to evaluate.
type Options struct {
	Dir      string          // for the stores of the evaluation; "" = a temporary folder, removed at the end
	Embedder recall.Embedder // nil = keywords only
	Model    string          // name of the embedder
	Progress func(string)    // told what is being done; may be nil
}

// Depths are the k of the R@k that are reported.
var Depths = []int{1, 5, 10, 25}

// Result is how well recall did on one data set.
type Result struct {
	Name       string             `json:"name"`
	Embedder   string             `json:"embedder"` // "none" or the model
	N          int                `json:"n"`        // questions with evidence
	Recall     map[int]float64    `json:"recall"`   // mean share of the evidence among the first k
	All10      float64            `json:"all_10"`   // share of questions with all evidence among the first 10
	Taken      float64            `json:"taken"`    // mean share of the evidence that would be injected, with floor and cap
	Silent     float64            `json:"silent"`   // share of questions for which nothing would be injected
	Tokens     float64            `json:"tokens"`   // injected, on average
	Categories map[string]float64 `json:"categories"`
	P50Ms      float64            `json:"p50_ms"` // of one recall without embedding the query
	P95Ms      float64            `json:"p95_ms"`
	Quiet      float64            `json:"quiet"` // share of the small talk and nonsense for which nothing is injected
}

// capTokens is what is injected at most: the cap of a window of 10,000 tokens and more.
const capTokens = 1500

// LoCoMo measures on the conversations of LoCoMo found in the folder data, one store a conversation.
func LoCoMo(ctx context.Context, data string, o Options) (Result, error) {
	ds, err := LoadLoCoMo(data)
	if err != nil {
		return Result{}, err
	}
	return Run(ctx, "locomo", ds, o)
}

// MADial measures on the Chinese dialogues of MADial-Bench found in the folder data.
func MADial(ctx context.Context, data string, o Options) (Result, error) {
	ds, err := LoadMADial(data)
	if err != nil {
		return Result{}, err
	}
	return Run(ctx, "madial-zh", ds, o)
}

// Run measures on any dialogues.
func Run(ctx context.Context, name string, ds []Dialogue, o Options) (Result, error) {
	if o.Dir == "" {
		dir, err := os.MkdirTemp("", "recollect-eval-")
		if err != nil {
			return Result{}, fmt.Errorf("evaluate: %w", err)
		}
		defer os.RemoveAll(dir)
		o.Dir = dir
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	sum := tally{
		result:      Result{Name: name, Embedder: "none", Recall: map[int]float64{}, Categories: map[string]float64{}},
		perCategory: map[string]int{},
	}
	if o.Embedder != nil {
		sum.result.Embedder = o.Model
	}
	for i, d := range ds {
		o.Progress(fmt.Sprintf("%s: %s (%d of %d), %d texts, %d questions", name, d.ID, i+1, len(ds), len(d.Texts), len(d.Questions)))
		if err := one(ctx, d, filepath.Join(o.Dir, fmt.Sprintf("%s-%d.db", name, i)), o, &sum); err != nil {
			return Result{}, fmt.Errorf("evaluate %s, %s: %w", name, d.ID, err)
		}
	}
	return sum.mean(), nil
}

// one measures on one dialogue.
func one(ctx context.Context, d Dialogue, path string, o Options, sum *tally) error {
	s, err := store.Open(ctx, path, store.Options{VectorCacheBytes: 256 << 20, Version: "eval"})
	if err != nil {
		return err
	}
	defer s.Close()
	agent, ids, err := fill(ctx, s, d)
	if err != nil {
		return err
	}
	r := recall.New(recall.Deps{Store: s, Embedder: o.Embedder, Model: func() string { return o.Model }, Patience: time.Minute})
	if o.Embedder != nil {
		if err := indexAll(ctx, r, s, o.Model, o.Progress); err != nil {
			return err
		}
	}
	ask := func(text string) (memory.Receipt, error) {
		return r.For(ctx, recall.Query{AgentID: agent.ID, ArchiveID: agent.ArchiveID, Text: text, Cap: capTokens})
	}
	for _, q := range d.Questions {
		rc, err := ask(q.Text)
		if err != nil {
			return err
		}
		sum.question(q, rc, ids)
	}
	for _, text := range SmallTalk {
		rc, err := ask(text)
		if err != nil {
			return err
		}
		sum.smallTalk(rc)
	}
	return nil
}

// fill stores a dialogue and returns its agent and the data set's name of each stored thing.
func fill(ctx context.Context, s *store.Store, d Dialogue) (memory.Agent, map[string]string, error) {
	cause := memory.Cause{Actor: memory.ActorImport, Reason: "evaluation"}
	agent, err := s.CreateAgent(ctx, memory.Agent{Name: d.ID}, cause)
	if err != nil {
		return agent, nil, err
	}
	ids := map[string]string{}
	var batch []memory.Message
	var batchIDs []string
	flush := func() error {
		stored, err := s.AddMessages(ctx, batch)
		if err != nil {
			return err
		}
		for i, m := range stored {
			ids[m.ID] = batchIDs[i]
		}
		batch, batchIDs = nil, nil
		return nil
	}
	made := memory.NewIDs(time.Now, strings.NewReader(strings.Repeat("recollect evaluation", 1<<16)))
	var conversation memory.Conversation
	session, parent := 0, ""
	for _, t := range d.Texts {
		if t.Session == 0 {
			p, _, err := s.CreatePassage(ctx, memory.Passage{ArchiveID: agent.ArchiveID, Text: t.Text, CreatedAt: t.Date}, cause)
			if err != nil {
				return agent, nil, err
			}
			ids[p.ID] = t.ID
			continue
		}
		if t.Session != session {
			if conversation, err = s.CreateConversation(ctx, memory.Conversation{AgentID: agent.ID}); err != nil {
				return agent, nil, err
			}
			session, parent = t.Session, ""
		}
		m := memory.Message{
			ID: made.New("msg"), ConversationID: conversation.ID, AgentID: agent.ID, ParentID: parent,
			Role: role(t.Speaker, d.Texts[0].Speaker), Speaker: t.Speaker, Content: t.Text,
			Status: memory.StatusComplete, CreatedAt: t.Date,
		}
		parent = m.ID
		batch, batchIDs = append(batch, m), append(batchIDs, t.ID)
	}
	return agent, ids, flush()
}

// indexAll embeds everything.
func indexAll(ctx context.Context, r *recall.Recall, s *store.Store, model string, progress func(string)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- r.Index(ctx) }()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for last := -1; ; {
		select {
		case err := <-done:
			return err
		case <-tick.C:
		}
		sets, err := s.EmbeddingSets(ctx)
		if err != nil {
			return err
		}
		for _, set := range sets {
			if set.Model != model {
				continue
			}
			if set.Pending == 0 {
				cancel()
				if err := <-done; !errors.Is(err, context.Canceled) {
					return err
				}
				return nil
			}
			if part := set.Done * 10 / (set.Done + set.Pending); part != last {
				last = part
				progress(fmt.Sprintf("embedded %d of %d", set.Done, set.Done+set.Pending))
			}
		}
	}
}

// tally adds up the questions.
type tally struct {
	result      Result
	perCategory map[string]int
	took        []float64 // ms
	talks       int
}

func (t *tally) question(q Question, rc memory.Receipt, ids map[string]string) {
	rank := map[string]int{} // of each text, from 0
	taken := 0
	for i, c := range rc.Candidates {
		id := ids[c.ID]
		rank[id] = i
		if c.Taken && slices.Contains(q.Evidence, id) {
			taken++
		}
	}
	r := &t.result
	r.N++
	within := func(k int) int {
		n := 0
		for _, id := range q.Evidence {
			if i, ok := rank[id]; ok && i < k {
				n++
			}
		}
		return n
	}
	share := func(n int) float64 { return float64(n) / float64(len(q.Evidence)) }
	for _, k := range Depths {
		r.Recall[k] += share(within(k))
	}
	r.Categories[q.Category] += share(within(10))
	t.perCategory[q.Category]++
	if within(10) == len(q.Evidence) {
		r.All10++
	}
	r.Taken += share(taken)
	r.Tokens += float64(rc.Tokens)
	if rc.Tokens == 0 {
		r.Silent++
	}
	t.took = append(t.took, float64(rc.Micros)/1000)
}

func (t *tally) smallTalk(rc memory.Receipt) {
	t.talks++
	if rc.Tokens == 0 {
		t.result.Quiet++
	}
}

func (t *tally) mean() Result {
	r := t.result
	n := float64(max(r.N, 1))
	for k := range r.Recall {
		r.Recall[k] /= n
	}
	for c := range r.Categories {
		r.Categories[c] /= float64(t.perCategory[c])
	}
	r.All10, r.Taken, r.Silent, r.Tokens = r.All10/n, r.Taken/n, r.Silent/n, r.Tokens/n
	r.Quiet /= float64(max(t.talks, 1))
	slices.Sort(t.took)
	r.P50Ms, r.P95Ms = quantile(t.took, .5), quantile(t.took, .95)
	return r
}

// quantile returns the q-quantile of sorted values, 0 for none.
func quantile(sorted []float64, q float64) float64 {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}

// Print writes the results as a table.
func Print(w io.Writer, results ...Result) error {
	tw := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(tw, "set\tembedder\tn\tR@1\tR@5\tR@10\tR@25\tAll@10\tinjected\tsilent\tquiet\ttokens\tp50 ms\tp95 ms")
	for _, r := range results {
		fmt.Fprintf(tw, "%s\t%s\t%d", r.Name, r.Embedder, r.N)
		for _, k := range Depths {
			fmt.Fprintf(tw, "\t%.3f", r.Recall[k])
		}
		fmt.Fprintf(tw, "\t%.3f\t%.3f\t%.3f\t%.3f\t%.0f\t%.1f\t%.1f\n", r.All10, r.Taken, r.Silent, r.Quiet, r.Tokens, r.P50Ms, r.P95Ms)
	}
	return tw.Flush()
}
