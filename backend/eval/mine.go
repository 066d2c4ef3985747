package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/segment"
	"recollect/backend/store"
)

// mineName is what the set of the user's own questions is called.
const mineName = "mine"

const (
	enoughMine  = 10  // questions below which a comparison says nothing
	mostMine    = 500 // of the newest questions that are used
	wordsToTell = 2   // telling words of a memory that an answer repeats, and the question had not
)

// Mine compares embedders on the user's own questions.
type Mine struct {
	Questions int      `json:"questions"`
	Marked    int      `json:"marked"`   // of them: the user wants a memory used always
	Repeated  int      `json:"repeated"` // of them: the answer repeats what a memory says
	Needed    int      `json:"needed"`   // questions below which nothing is compared
	Results   []Result `json:"results"`  // none when there are too few questions
}

// Candidate is an embedder to compare; none in Embedder stands for keywords alone.
type Candidate struct {
	Model    string
	Embedder recall.Embedder
}

// RunMine builds a set from the receipts, the answers and the feedback in a copy of the user's database, and measures each
// of the embedders on it. The copy is changed: what the user said about memories is forgotten in it, since it would put the
// right ones first, and vectors are made. path is where the copy lies.
func RunMine(ctx context.Context, path string, embedders []Candidate, o Options) (Mine, error) {
	const op = "evaluate mine"
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	began := time.Now()
	s, err := store.Open(ctx, path, store.Options{VectorCacheBytes: 256 << 20, Version: "eval"})
	if err != nil {
		return Mine{}, err
	}
	m, err := runMine(ctx, s, embedders, o, began)
	if err = errors.Join(err, s.Close()); err != nil {
		return Mine{}, fmt.Errorf("%s: %w", op, err)
	}
	return m, nil
}

func runMine(ctx context.Context, s *store.Store, embedders []Candidate, o Options, began time.Time) (Mine, error) {
	m := Mine{Needed: enoughMine, Results: []Result{}}
	agents, err := s.Agents(ctx)
	if err != nil {
		return m, err
	}
	var worlds []*world
	for _, a := range agents {
		w := &world{store: s, agent: a}
		if err := w.gather(ctx, &m); err != nil {
			return m, err
		}
		worlds = append(worlds, w)
	}
	if m.Questions < enoughMine {
		return m, nil
	}
	clock := func() time.Time { return began.Add(time.Since(began)) }
	for _, e := range embedders {
		name := e.Model
		if e.Embedder == nil {
			name = "none"
		}
		o.Progress(fmt.Sprintf("%s: %s, %d questions", mineName, name, m.Questions))
		r, err := EmbedAll(ctx, recall.Deps{
			Store: s, Embedder: e.Embedder, Model: func() string { return e.Model }, Clock: clock, Patience: time.Minute,
		}, 1, o.Progress)
		if err != nil {
			return m, fmt.Errorf("%s: %w", name, err)
		}
		sum := newTally(Set{Name: mineName}, Options{Embedder: e.Embedder, Model: e.Model})
		for _, w := range worlds {
			w.recall = r
			if err := w.measure(ctx, sum, "", false); err != nil {
				return m, err
			}
		}
		m.Results = append(m.Results, sum.result())
	}
	return m, nil
}

// gather makes questions of the receipts of the agent: each message that brought a memory of which is known that it was
// the right one. Then what the user said about memories is forgotten.
func (w *world) gather(ctx context.Context, m *Mine) error {
	said, err := w.store.Feedback(ctx, w.agent.ID)
	if err != nil {
		return err
	}
	wishes := map[string]memory.FeedbackUse{} // by memory
	marked := map[string][]string{}           // by message
	for _, f := range said {
		wishes[f.ItemID] = f.Use
		if f.Use == memory.UseAlways && f.MessageID != "" {
			marked[f.MessageID] = append(marked[f.MessageID], f.ItemID)
		}
		back := f
		back.Use = ""
		if _, _, err := w.store.SetFeedback(ctx, back, memory.Cause{Actor: memory.ActorUser, Reason: "evaluation"}); err != nil {
			return err
		}
	}
	for cursor := ""; m.Questions < mostMine; {
		var receipts []memory.Receipt
		if receipts, cursor, err = w.store.Receipts(ctx, w.agent.ID, cursor, 0); err != nil {
			return err
		}
		for _, rc := range receipts {
			q, err := w.mineQuestion(ctx, rc, marked[rc.MessageID], wishes)
			if err != nil {
				return err
			}
			if len(q.Evidence) == 0 {
				continue
			}
			w.dialogue.Questions = append(w.dialogue.Questions, q)
			m.Questions++
			if q.Category == "marked" {
				m.Marked++
			} else {
				m.Repeated++
			}
		}
		if cursor == "" {
			break
		}
	}
	return nil
}

// mineQuestion makes a question of a receipt; it has no evidence where nothing is known.
func (w *world) mineQuestion(ctx context.Context, rc memory.Receipt, marked []string, wishes map[string]memory.FeedbackUse) (Question, error) {
	q := Question{ID: rc.MessageID, Text: rc.Query, Category: "marked", Evidence: marked}
	asked, err := w.store.Message(ctx, rc.MessageID)
	if err != nil {
		return q, err
	}
	q.conversation, q.before = asked.ConversationID, asked.CreatedAt
	if len(marked) > 0 {
		return q, nil
	}
	q.Category = "repeated"
	answer, err := w.answer(ctx, asked)
	if err != nil || answer == "" {
		return q, err
	}
	had, has := tellingWords(rc.Query), tellingWords(answer)
	for _, c := range rc.Candidates {
		if !c.Taken || wishes[c.ID] == memory.UseLess || wishes[c.ID] == memory.UseNever {
			continue
		}
		n := 0
		for word := range tellingWords(c.Text) {
			if has[word] && !had[word] {
				n++
			}
		}
		if n >= wordsToTell {
			q.Evidence = append(q.Evidence, c.ID)
		}
	}
	return q, nil
}

// answer returns what was answered to a message, "" where nothing was.
func (w *world) answer(ctx context.Context, asked memory.Message) (string, error) {
	after, _, err := w.store.Messages(ctx, store.MessageFilter{AgentID: w.agent.ID, Roles: []memory.Role{memory.RoleAssistant}, After: asked.CreatedAt, Limit: 10})
	for _, m := range after {
		if m.TurnID == asked.ID && m.Content != "" {
			return m.Content, err
		}
	}
	return "", err
}

// tellingWords returns the words of a text that say something about its subject.
func tellingWords(text string) map[string]bool {
	words := map[string]bool{}
	for _, w := range strings.Fields(segment.Index(text)) {
		if !segment.Stop(w) {
			words[w] = true
		}
	}
	return words
}

// later returns the ids of what was said in the conversation from a question on: it was not there when the question was
// asked, and repeats it.
func (w *world) later(ctx context.Context, q Question) (map[string]bool, error) {
	if q.before.IsZero() {
		return nil, nil
	}
	ids := map[string]bool{}
	for cursor := ""; ; {
		var ms []memory.Message
		var err error
		ms, cursor, err = w.store.Messages(ctx, store.MessageFilter{AgentID: w.agent.ID, After: q.before, Cursor: cursor, Limit: 1000})
		if err != nil {
			return nil, err
		}
		for _, m := range ms {
			if !slices.Contains(q.Evidence, m.ID) {
				ids[m.ID] = true
			}
		}
		if cursor == "" {
			return ids, nil
		}
	}
}
