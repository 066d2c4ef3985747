package agent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"recollect/backend/fact"
	"recollect/backend/memory"
	"recollect/backend/store"
	"recollect/backend/wish"
)

// What users say of themselves is read by rule and kept as facts: of a new message in its turn, before anything that needs
// the engine; of messages that came otherwise, by import or before there were facts, while nobody waits for an answer.

const (
	settingFacts = "facts"
	factReason   = "fact"           // of a change that was read in what the user said
	learnedFacts = "facts"          // how far the transcript was read
	factBatch    = 500              // messages looked up together
	factStep     = 100              // messages after which it is noted how far it was read
	factContext  = 30 * time.Minute // "actually it is …" is about what was said no longer ago
)

// learn keeps what the user message states. Without it the turn goes on.
func (t *turn) learn() {
	ctx, cancel := t.storing()
	defer cancel()
	t.note("facts", t.s.readFacts(ctx, t.job.user))
}

// readFacts keeps the facts that a message of the user's states, unless they do not want that.
func (s *Service) readFacts(ctx context.Context, m memory.Message) error {
	if s.Settings.String(settingFacts) == "off" {
		return nil
	}
	return KeepFacts(ctx, s.Store, m, s.Clock().Location())
}

// inCore takes facts out of what is recalled that a line of core memory says in the window anyway.
func inCore(r *memory.Receipt, blocks []memory.Block) {
	says := map[string]bool{}
	for _, b := range blocks {
		for line := range strings.SplitSeq(b.Value, "\n") {
			for _, st := range fact.OfLine(line, b.UpdatedAt) {
				f := memory.Fact{Subject: st.Subject, Key: st.Key, Value: st.Value}
				says[strings.ToLower(f.Text())] = !st.Over
			}
		}
	}
	for i := range r.Candidates {
		if c := &r.Candidates[i]; isTakenFact(*c) && c.Replaced == nil && says[strings.ToLower(c.Text)] {
			c.Taken, c.Why = false, memory.WhyInCore
		}
	}
}

// isTakenFact tells whether a candidate is a fact that is recalled.
func isTakenFact(c memory.Candidate) bool { return c.Taken && c.Layer == memory.LayerFact }

// Facts is what keeping facts needs of the database.
type Facts interface {
	Blocks(ctx context.Context, agentID string) ([]memory.Block, error)
	FactsSaid(ctx context.Context, conversationID string, after, before time.Time) ([]memory.Fact, error)
	SaveFacts(ctx context.Context, agentID string, statements []memory.FactStatement, cause memory.Cause) (store.SavedFacts, error)
}

// KeepFacts keeps the facts that a message of a user in a time zone states, also in what is to be remembered: a prompt that has it
// from core memory is not told it twice (inCore).
func KeepFacts(ctx context.Context, st Facts, m memory.Message, zone *time.Location) error {
	if m.Role != memory.RoleUser || m.Speaker != "" { // somebody with a name of their own is not the user
		return nil
	}
	before, err := st.FactsSaid(ctx, m.ConversationID, m.CreatedAt.Add(-factContext), m.CreatedAt)
	if err != nil {
		return err
	}
	at := m.CreatedAt.In(zone)
	statements := fact.Read(fact.Message{ID: m.ID, Text: m.Content, At: at, Before: before})
	if len(statements) == 0 {
		return nil
	}
	wishes := wish.Find(m.Content)
	statements = slices.DeleteFunc(statements, func(st memory.FactStatement) bool {
		return slices.ContainsFunc(wishes, func(w wish.Wish) bool { return w.Kind == wish.Forget && st.Start < w.End && w.Start < st.End })
	})
	if statements, err = against(ctx, st, m, statements); err != nil || len(statements) == 0 {
		return err
	}
	_, err = st.SaveFacts(ctx, m.AgentID, statements, memory.Cause{
		Actor: memory.ActorSystem, Reason: factReason, AgentID: m.AgentID, ConversationID: m.ConversationID, MessageID: m.ID,
	})
	return err
}

// against finds the line of a pinned or read-only block that each statement contradicts. What was written there after the
// message is newer: a statement against it is left out.
func against(ctx context.Context, st Facts, m memory.Message, statements []memory.FactStatement) ([]memory.FactStatement, error) {
	blocks, err := st.Blocks(ctx, m.AgentID)
	if err != nil {
		return nil, err
	}
	for _, b := range blocks {
		if !b.Pinned && !b.ReadOnly || memory.SameLabel(b.Label, personaLabel) {
			continue
		}
		for line := range strings.SplitSeq(b.Value, "\n") {
			said := fact.OfLine(line, b.UpdatedAt)
			if len(said) == 0 {
				continue
			}
			contradicts := func(st memory.FactStatement) bool {
				return slices.ContainsFunc(said, func(o memory.FactStatement) bool { return fact.Contradicts(st, o) })
			}
			if b.UpdatedAt.After(m.CreatedAt) {
				statements = slices.DeleteFunc(statements, contradicts)
				continue
			}
			for i := range statements {
				if statements[i].Against == nil && contradicts(statements[i]) {
					statements[i].Against = &memory.BlockLine{BlockID: b.ID, Label: b.Label, Line: line}
				}
			}
		}
	}
	return statements, nil
}

// factsRead is how far the transcript was read, and by which rules: new rules read it anew. What was kept, or taken back by
// the user, is not touched by that.
type factsRead struct {
	Behind int64 `json:"behind"`
	Rules  int   `json:"rules"`
}

// ReadTranscript reads the facts in the messages that were not read yet, whenever it is woken, until ctx ends. It goes on
// where it ended, also after a crash, and rests while a turn runs.
func (s *Service) ReadTranscript(ctx context.Context, wake <-chan struct{}) error {
	var read factsRead
	raw, err := s.Store.Learned(ctx, learnedFacts)
	if err == nil && raw != nil {
		err = json.Unmarshal(raw, &read)
	}
	if err != nil || read.Rules != fact.Rules {
		read = factsRead{Rules: fact.Rules}
	}
	for {
		if err := s.readOn(ctx, &read); err != nil && ctx.Err() == nil {
			s.Log.Warn("facts", "error", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-wake:
		}
	}
}

// readOn reads from where read stands to the end.
func (s *Service) readOn(ctx context.Context, read *factsRead) error {
	for s.Settings.String(settingFacts) != "off" {
		keys, upTo, err := s.Store.Unread(ctx, read.Behind, factBatch)
		if err != nil || upTo == read.Behind {
			return err
		}
		for i, key := range keys {
			if err := s.rest(ctx); err != nil {
				return err
			}
			m, err := s.Store.MessageByKey(ctx, key)
			if err == nil {
				err = s.readFacts(ctx, m)
			}
			if err != nil {
				return err
			}
			if read.Behind = key; i%factStep == factStep-1 {
				if err := s.noteRead(ctx, *read); err != nil {
					return err
				}
			}
		}
		read.Behind = upTo
		if err := s.noteRead(ctx, *read); err != nil {
			return err
		}
	}
	return nil
}

func (s *Service) noteRead(ctx context.Context, read factsRead) error {
	raw, err := json.Marshal(read)
	if err != nil {
		return err
	}
	return s.Store.SetLearned(ctx, learnedFacts, raw)
}

// rest returns when no turn runs.
func (s *Service) rest(ctx context.Context) error {
	for {
		var idle chan struct{}
		s.mu.Lock()
		for _, l := range s.lanes {
			if len(l.jobs) > 0 {
				idle = l.idle
				break
			}
		}
		s.mu.Unlock()
		if idle == nil {
			return ctx.Err()
		}
		select {
		case <-idle:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
