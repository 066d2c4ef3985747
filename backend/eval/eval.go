package eval

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/backend/agent"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
	"recollect/backend/tokens"
)

// Options say how to evaluate.
type Options struct {
	Dir      string          // for the stores of the evaluation; "" = a temporary folder, removed at the end
	Embedder recall.Embedder // nil = keywords only
	Model    string          // name of the embedder
	Version  string          // of the program, for the result
	Only     string          // id of the one question to ask; "" = all
	Limit    int             // of the stores; 0 = all
	Progress func(string)    // told what is being done; may be nil
}

const (
	capTokens   = 1500    // injected at most, as in a window of 10,000 tokens and more
	noCap       = 1 << 30 // for R@25 and R@50
	quietStores = 10      // so many stores of a set are asked the small talk
)

// Run measures a set: each of its stores is filled, embedded and asked its questions, as a turn of the app asks.
func Run(ctx context.Context, set Set, ds []Dialogue, o Options) (Result, error) {
	if o.Dir == "" {
		dir, err := os.MkdirTemp("", "recollect-eval-")
		if err != nil {
			return Result{}, fmt.Errorf("evaluate: %w", err)
		}
		defer func() { _ = os.RemoveAll(dir) }()
		o.Dir = dir
	}
	if o.Progress == nil {
		o.Progress = func(string) {}
	}
	if o.Limit > 0 {
		ds = ds[:min(o.Limit, len(ds))]
	}
	sum := newTally(set, o)
	for i, d := range ds {
		if o.Only != "" && !slices.ContainsFunc(d.Questions, func(q Question) bool { return q.ID == o.Only }) {
			continue
		}
		o.Progress(fmt.Sprintf("%s: %s (%d of %d), %d texts, %d questions", set.Name, d.ID, i+1, len(ds), len(d.Texts), len(d.Questions)))
		w, err := build(ctx, d, filepath.Join(o.Dir, fmt.Sprintf("%s-%d.db", set.Name, i)), o)
		if err == nil {
			err = w.measure(ctx, sum, o.Only, i < quietStores)
			err = errors.Join(err, w.close())
		}
		if err != nil {
			return Result{}, fmt.Errorf("evaluate %s, %s: %w", set.Name, d.ID, err)
		}
	}
	if o.Only != "" && len(sum.asked) == 0 {
		return Result{}, memory.Errorf(memory.ENOTFOUND, "evaluate", "%s has no question %q; they are named like %s", set.Name, o.Only, anyQuestion(ds))
	}
	r := sum.result()
	r.Version = o.Version
	data, err := digest(ds)
	if err != nil {
		return Result{}, fmt.Errorf("evaluate %s: %w", set.Name, err)
	}
	r.Data = data
	return r, nil
}

// digest tells one set of texts and questions from another, so that a number can be measured again on the same.
func digest(ds []Dialogue) (string, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(ds); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func anyQuestion(ds []Dialogue) string {
	for _, d := range ds {
		if len(d.Questions) > 0 {
			return d.Questions[len(d.Questions)/2].ID
		}
	}
	return "(it has none)"
}

// world is one filled store.
type world struct {
	dialogue Dialogue
	path     string
	store    *store.Store
	recall   *recall.Recall
	agent    memory.Agent
	ids      map[string]string // of the set, by those of the store; nil = the store's are the set's
	texts    map[string]string // by the set's ids
}

// build fills and embeds a store. Its clock runs on from the day after the last text: what a question calls "last week" is
// seen from there.
func build(ctx context.Context, d Dialogue, path string, o Options) (w *world, err error) {
	began := time.Now()
	asked := lastDate(d).AddDate(0, 0, 1)
	clock := func() time.Time { return asked.Add(time.Since(began)) }
	s, err := store.Open(ctx, path, store.Options{Clock: clock, VectorCacheBytes: 256 << 20, Version: "eval"})
	if err != nil {
		return nil, err
	}
	w = &world{dialogue: d, path: path, store: s, ids: map[string]string{}, texts: map[string]string{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.close())
		}
	}()
	if err := w.fill(ctx, clock); err != nil {
		return nil, err
	}
	w.recall, err = EmbedAll(ctx, recall.Deps{
		Store: s, Embedder: o.Embedder, Model: func() string { return o.Model }, Clock: clock, Patience: time.Minute,
	}, len(d.Texts), o.Progress)
	return w, err
}

func (w *world) close() error {
	err := w.store.Close()
	for _, ending := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(w.path + ending) // in a temporary folder
	}
	return err
}

func lastDate(d Dialogue) time.Time {
	last := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for i, t := range d.Texts {
		if i == 0 || t.Date.After(last) {
			last = t.Date
		}
	}
	return last
}

// fill stores the texts.
func (w *world) fill(ctx context.Context, clock memory.Clock) error {
	cause := memory.Cause{Actor: memory.ActorImport, Reason: "evaluation"}
	var err error
	if w.agent, err = w.store.CreateAgent(ctx, memory.Agent{Name: w.dialogue.ID}, cause); err != nil {
		return err
	}
	var passages []memory.Passage
	var messages []memory.Message
	var passageIDs, messageIDs []string
	made := memory.NewIDs(clock, strings.NewReader(strings.Repeat("recollect evaluation", 1<<16)))
	var conversation memory.Conversation
	session, parent := 0, ""
	for _, t := range w.dialogue.Texts {
		w.texts[t.ID] = t.Text
		if t.Session == 0 {
			passages = append(passages, memory.Passage{ArchiveID: w.agent.ArchiveID, Text: t.Text, CreatedAt: t.Date})
			passageIDs = append(passageIDs, t.ID)
			continue
		}
		if t.Session != session {
			if conversation, err = w.store.CreateConversation(ctx, memory.Conversation{AgentID: w.agent.ID}); err != nil {
				return err
			}
			session, parent = t.Session, ""
		}
		m := memory.Message{
			ID: made.New("msg"), ConversationID: conversation.ID, AgentID: w.agent.ID, ParentID: parent,
			Role: role(t, w.dialogue.Texts[0].Speaker), Speaker: t.Speaker, Content: t.Text, Status: memory.StatusComplete, CreatedAt: t.Date,
		}
		parent = m.ID
		messages, messageIDs = append(messages, m), append(messageIDs, t.ID)
	}
	stored, err := w.store.AddMessages(ctx, messages)
	if err != nil {
		return err
	}
	for i, m := range stored {
		w.ids[m.ID] = messageIDs[i]
		if err := agent.KeepFacts(ctx, w.store, m, time.UTC); err != nil {
			return err
		}
	}
	kept, err := w.store.CreatePassages(ctx, passages, cause)
	if err != nil {
		return err
	}
	for i, p := range kept {
		w.ids[p.ID] = passageIDs[i]
	}
	return nil
}

// role gives the first speaker of a dialogue the user's part and everyone else the assistant's, where the set does not tell.
func role(t Text, first string) memory.Role {
	switch {
	case t.Role != "":
		return t.Role
	case t.Speaker == first:
		return memory.RoleUser
	}
	return memory.RoleAssistant
}

// EmbedAll returns a Recall all of whose texts have their vectors. It fails where the embedder does. texts is how many there are,
// 0 = none.
func EmbedAll(ctx context.Context, d recall.Deps, texts int, progress func(string)) (*recall.Recall, error) {
	if d.Embedder == nil || texts == 0 {
		return recall.New(d), nil
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	d.Embedder = &persistent{Embedder: d.Embedder, fail: stop}
	done := make(chan struct{})
	all := sync.OnceFunc(func() { close(done) })
	d.Publish = func(ev memory.Event) {
		if ev.Type != "embed.progress" {
			return
		}
		pending, _ := ev.Data["pending"].(int)
		total, _ := ev.Data["total"].(int)
		progress(fmt.Sprintf("embedded %d of %d", total-pending, total))
		if pending == 0 {
			all()
		}
	}
	r := recall.New(d)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = r.Index(ctx) // ends with ctx
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
	err := context.Cause(ctx)
	stop(nil)
	<-ended
	return r, err
}

// ask returns what a message with the text recalls.
func (w *world) ask(ctx context.Context, q Question, later map[string]bool, limit int) (memory.Receipt, error) {
	return w.recall.For(ctx, recall.Query{
		AgentID: w.agent.ID, ArchiveID: w.agent.ArchiveID, ConversationID: q.conversation, Text: q.Text, InWindow: later, Cap: limit,
		Counter: tokens.Estimator(),
	})
}

// measure asks the questions, or the one that is named.
func (w *world) measure(ctx context.Context, sum *tally, only string, quiet bool) error {
	for _, q := range w.dialogue.Questions {
		if len(q.Evidence) == 0 && q.ID != only || only != "" && q.ID != only {
			continue
		}
		later, err := w.later(ctx, q)
		if err != nil {
			return err
		}
		capped, err := w.ask(ctx, q, later, capTokens)
		if err != nil {
			return err
		}
		whole, err := w.ask(ctx, q, later, noCap)
		if err != nil {
			return err
		}
		sum.question(q, capped, whole, w)
	}
	if !quiet || only != "" {
		return nil
	}
	for _, text := range SmallTalk {
		rc, err := w.ask(ctx, Question{Text: text}, nil, capTokens)
		if err != nil {
			return err
		}
		sum.smallTalk(rc)
	}
	return nil
}
