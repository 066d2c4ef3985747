package eval

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// life stores n exchanges in which the user asks what was told before: for even ones the answer repeats the memory, for
// the others the user said that the memory is to be used always.
func life(t *testing.T, n int) string {
	t.Helper()
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "copy.db")
	now := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	s, err := store.Open(ctx, path, store.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close() //nolint:errcheck // opened again below
	cause := memory.Cause{Actor: memory.ActorUser}
	a, err := s.CreateAgent(ctx, memory.Agent{Name: "A"}, cause)
	if err != nil {
		t.Fatal(err)
	}
	c, err := s.CreateConversation(ctx, memory.Conversation{AgentID: a.ID})
	if err != nil {
		t.Fatal(err)
	}
	things := []string{"bicycle", "kettle", "guitar", "tortoise", "umbrella", "telescope", "violin", "canoe", "ladder", "teapot", "anchor", "lantern"}
	names := []string{"Comet", "Boris", "Estelle", "Zeno", "Hubert", "Galileo", "Amadea", "Poseidon", "Jacob", "Darjeel", "Nelson", "Diogenes"}
	parent := ""
	say := func(role memory.Role, turn, text string) string {
		now = now.Add(time.Minute)
		m := memory.Message{
			ID: fmt.Sprintf("msg-01hzz%021d", now.Unix()), ConversationID: c.ID, AgentID: a.ID, ParentID: parent, TurnID: turn, Role: role,
			Content: text, Status: memory.StatusComplete, CreatedAt: now,
		}
		if _, err := s.AddMessages(ctx, []memory.Message{m}); err != nil {
			t.Fatal(err)
		}
		parent = m.ID
		return m.ID
	}
	for i := range n {
		told := say(memory.RoleUser, "", fmt.Sprintf("By the way, the old %s in the barn is named %s and came from Lisbon.", things[i], names[i]))
		say(memory.RoleAssistant, told, "Noted.")
		question := fmt.Sprintf("What is the name of my %s?", things[i])
		asked := say(memory.RoleUser, "", question)
		answer := "I am not sure."
		if i%2 == 0 {
			answer = fmt.Sprintf("It is named %s and came from Lisbon.", names[i])
		}
		say(memory.RoleAssistant, asked, answer)
		rc := memory.Receipt{MessageID: asked, Query: question, Candidates: []memory.Candidate{{
			Kind: "message", ID: told, Text: fmt.Sprintf("By the way, the old %s in the barn is named %s and came from Lisbon.", things[i], names[i]), Taken: true,
		}}}
		if err := s.SaveReceipt(ctx, rc); err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 {
			f := memory.Feedback{AgentID: a.ID, ConversationID: c.ID, Kind: "message", ItemID: told, Use: memory.UseAlways, MessageID: asked}
			if _, _, err := s.SetFeedback(ctx, f, cause); err != nil {
				t.Fatal(err)
			}
		}
	}
	return path
}

func TestMineIsBuiltFromReceiptsAnswersAndFeedback(t *testing.T) {
	m, err := RunMine(t.Context(), life(t, 12), []Candidate{{}, {Model: "world", Embedder: NewWorld()}}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m.Questions != 12 || m.Marked != 6 || m.Repeated != 6 || len(m.Results) != 2 {
		t.Fatalf("%+v", m)
	}
	for _, r := range m.Results {
		if r.N != 12 || r.Overall["R@10"] < .9 {
			t.Errorf("%s: %d questions, %v", r.Embedder, r.N, r.Overall)
		}
	}
	if m.Results[0].Embedder != "none" || m.Results[1].Embedder != "world" {
		t.Errorf("embedders %s, %s", m.Results[0].Embedder, m.Results[1].Embedder)
	}
}

func TestTooLittleOfMineComparesNothing(t *testing.T) {
	m, err := RunMine(t.Context(), life(t, 4), []Candidate{{}}, Options{})
	if err != nil || m.Questions != 4 || m.Needed != enoughMine || len(m.Results) != 0 {
		t.Errorf("%+v, %v", m, err)
	}
}
