package library

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	"recollect/backend/agent"
	"recollect/backend/ingest"
	"recollect/backend/memory"
	"recollect/backend/segment"
)

// A document begins with a summary by rule. In the background a model writes a better one: one call a document, while nobody
// waits for an answer. What it writes is stored only where it can be told to be a summary (ingest.CheckSummary); else the
// one by rule stays, and that model is not asked for that document again.

// Shelf is what summaries need of the database.
type Shelf interface {
	PlainSummaries(ctx context.Context, limit int) ([]string, error)
	Document(ctx context.Context, id string) (memory.Document, error)
	DocumentText(ctx context.Context, id string, page int) (string, error)
	SetSummary(ctx context.Context, id, summary string, cause memory.Cause) (memory.Revision, error)
	Agents(ctx context.Context) ([]memory.Agent, error)
	Learned(ctx context.Context, key string) (json.RawMessage, error)
	SetLearned(ctx context.Context, key string, value json.RawMessage) error
}

// Writer has a model write. agent.Service is one.
type Writer interface {
	Idly(name string, run func(ctx context.Context) error)
	Ask(ctx context.Context, a agent.Aside) (text, digest string, err error)
}

// Summaries has a model summarise documents. It is safe for concurrent use.
type Summaries struct {
	shelf  Shelf
	writer Writer
	choice func() string // of the user: auto (also ""), always or off
	wake   func()        // there is something new to embed
	log    *slog.Logger
}

// NewSummaries returns the summaries of the documents on a shelf. choice tells what the user wants: "auto" or "" for where it
// costs neither the chat nor the machine much, "always", or "off". wake is called when there is something new to embed.
func NewSummaries(s Shelf, w Writer, choice func() string, wake func(), log *slog.Logger) *Summaries {
	return &Summaries{shelf: s, writer: w, choice: choice, wake: wake, log: log}
}

const (
	choreSummary  = "summary"
	learned       = "summaries"
	looked        = 64   // documents without a model's summary that are looked at
	shown         = 1000 // tokens of a document that the model is shown
	beginning     = 600  // of these, from its beginning; the rest is from places further on
	places        = 6    // further on
	shortest      = 120  // tokens of a document from which on a summary says less than it
	summaryTokens = 220  // that a model may write
	failures      = 2    // in a row after which a model is not asked any more
	remembered    = 512  // documents for which a model failed
)

// record is what is known of how models summarise.
type record struct {
	Failed map[string]string `json:"failed,omitempty"` // digest of the model that failed, by document
	Row    map[string]int    `json:"row,omitempty"`    // failures in a row, by digest
}

// Wake has documents summarised that have a summary by rule, as soon as nobody waits for an answer.
func (s *Summaries) Wake() {
	if s.choice() != "off" {
		s.writer.Idly(choreSummary, s.next)
	}
}

// next summarises one document, and has another follow.
func (s *Summaries) next(ctx context.Context) error {
	if s.choice() == "off" {
		return nil
	}
	ids, err := s.shelf.PlainSummaries(ctx, looked)
	if err != nil || len(ids) == 0 {
		return err
	}
	r := s.record(ctx)
	for _, id := range ids {
		if _, failed := r.Failed[id]; failed {
			continue
		}
		d, err := s.shelf.Document(ctx, id)
		if err != nil {
			return err
		}
		more, err := s.summarise(ctx, d, &r)
		if err != nil || !more {
			return err
		}
		s.Wake()
		return nil
	}
	return nil
}

// summarise has one document summarised; more says whether it is any use to go on with others.
func (s *Summaries) summarise(ctx context.Context, d memory.Document, r *record) (more bool, err error) {
	of, err := s.agentOf(ctx, d)
	if err != nil {
		return false, err
	}
	source, whole, err := s.source(ctx, d)
	if err != nil {
		return false, err
	}
	if whole && segment.Tokens(source) < shortest {
		return true, s.failed(ctx, r, d.ID, "") // it is shorter than a summary would be
	}
	text, digest, err := s.writer.Ask(ctx, agent.Aside{
		Kind: memory.CallDocument, AgentID: of.ID, Tokens: summaryTokens, Costly: s.choice() == "always",
		Usable: func(digest string) bool { return s.choice() == "always" || r.Row[digest] < failures },
		Text:   func(string) string { return ingest.SummaryQuestion(d.Title, d.Language, source) },
	})
	switch memory.CodeOf(err) {
	case "", memory.EINCOMPLETE: // what came may do
	case memory.EMALFORMED:
		text = ""
	case memory.EOVERFLOW:
		return true, s.failed(ctx, r, d.ID, "")
	case memory.EBUSY, memory.EENGINE, memory.EMODEL, memory.EUNSUPPORTED, memory.ECANCELLED:
		return false, nil // another time
	default:
		return false, err
	}
	summary, ok := ingest.CheckSummary(text, source, d.Language)
	if !ok {
		s.log.Info("A model's summary was of no use, the one by rule stays.", "document", d.ID)
		return true, s.failed(ctx, r, d.ID, digest)
	}
	_, err = s.shelf.SetSummary(ctx, d.ID, summary, memory.Cause{Actor: memory.ActorModel, Reason: choreSummary, AgentID: of.ID})
	if memory.CodeOf(err) == memory.ENOTFOUND {
		return true, nil // it was deleted meanwhile
	}
	if err != nil {
		return false, err
	}
	s.wake()
	if r.Row[digest] > 0 {
		delete(r.Row, digest)
		return true, s.keep(ctx, *r)
	}
	return true, nil
}

// agentOf returns the agent whose archive a document is in.
func (s *Summaries) agentOf(ctx context.Context, d memory.Document) (memory.Agent, error) {
	agents, err := s.shelf.Agents(ctx)
	if err != nil {
		return memory.Agent{}, err
	}
	for _, a := range agents {
		if a.ArchiveID == d.ArchiveID {
			return a, nil
		}
	}
	return memory.Agent{}, memory.Errorf(memory.ENOTFOUND, "summarise document", "no agent has the archive of %s", d.ID)
}

// source returns what the model is shown of a document: its beginning, and how places further on begin. whole says whether
// that is all of it.
func (s *Summaries) source(ctx context.Context, d memory.Document) (text string, whole bool, err error) {
	var b strings.Builder
	left, page := beginning, 1
	whole = true
	for ; page <= d.Pages && left > 0; page++ {
		t, err := s.shelf.DocumentText(ctx, d.ID, page)
		if err != nil {
			return "", false, err
		}
		cut := ingest.Begin(t, left)
		whole = whole && len(cut) == len(t)
		left -= segment.Tokens(cut)
		b.WriteString(cut + "\n\n")
	}
	if page > d.Pages {
		return strings.TrimSpace(b.String()), whole, nil
	}
	step := max(1, (d.Pages-page+1)/places)
	for i := 0; i < places && page <= d.Pages; i, page = i+1, page+step {
		t, err := s.shelf.DocumentText(ctx, d.ID, page)
		if err != nil {
			return "", false, err
		}
		b.WriteString("[…]\n" + ingest.Begin(t, (shown-beginning)/places) + "\n\n")
	}
	return strings.TrimSpace(b.String()), false, nil
}

// record reads what is known of models.
func (s *Summaries) record(ctx context.Context) record {
	r := record{Failed: map[string]string{}, Row: map[string]int{}}
	raw, err := s.shelf.Learned(ctx, learned)
	if err == nil && raw != nil {
		err = json.Unmarshal(raw, &r)
	}
	if err != nil {
		s.log.Warn("What is known of how models summarise is lost.", "error", err)
	}
	return r
}

// failed notes that a document keeps the summary that it has.
func (s *Summaries) failed(ctx context.Context, r *record, id, digest string) error {
	for other := range r.Failed {
		if len(r.Failed) < remembered {
			break
		}
		delete(r.Failed, other)
	}
	r.Failed[id] = digest
	if digest != "" {
		r.Row[digest]++
	}
	return s.keep(ctx, *r)
}

func (s *Summaries) keep(ctx context.Context, r record) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("keep what is known of how models summarise: %w", err)
	}
	return s.shelf.SetLearned(ctx, learned, raw)
}
