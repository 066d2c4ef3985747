package store

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/memory"
)

func contents(ms []memory.Message) string {
	var out []string
	for _, m := range ms {
		out = append(out, m.Content)
	}
	return strings.Join(out, " ")
}

func TestBranches(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	q1 := w.say(c.ID, memory.RoleUser, "q1")
	a1 := w.say(c.ID, memory.RoleAssistant, "a1")
	q2 := w.say(c.ID, memory.RoleUser, "q2")
	a2 := w.say(c.ID, memory.RoleAssistant, "a2")
	again := w.sayAfter(c.ID, q2.ID, memory.RoleAssistant, "a2'")
	edited := w.sayAfter(c.ID, a1.ID, memory.RoleUser, "q2'")
	c, err := w.Conversation(w.ctx, c.ID)
	must(t, err)
	wantEqual(t, "head", c.Head, edited.ID)
	for leaf, want := range map[string]string{a2.ID: "q1 a1 q2 a2", again.ID: "q1 a1 q2 a2'", edited.ID: "q1 a1 q2'"} {
		path, err := w.Path(w.ctx, leaf, 0, "")
		must(t, err)
		wantEqual(t, "path", contents(path), want)
	}
	path, err := w.Path(w.ctx, again.ID, 2, "")
	must(t, err)
	wantEqual(t, "the last two", contents(path), "q2 a2'")
	path, err = w.Path(w.ctx, again.ID, 2, q2.ID)
	must(t, err)
	wantEqual(t, "the two before", contents(path), "q1 a1")
	path, err = w.Path(w.ctx, again.ID, 2, q1.ID)
	must(t, err)
	wantEqual(t, "before the first", contents(path), "")
	path, err = w.PathSince(w.ctx, again.ID, a1.ID)
	must(t, err)
	wantEqual(t, "since", contents(path), "a1 q2 a2'")
	if !slices.Equal(path[1].Siblings, []string{q2.ID, edited.ID}) || !slices.Equal(path[2].Siblings, []string{a2.ID, again.ID}) {
		t.Errorf("siblings are %v and %v", path[1].Siblings, path[2].Siblings)
	}
	leaf, err := w.Leaf(w.ctx, q2.ID)
	must(t, err)
	wantEqual(t, "newest leaf", leaf, again.ID)
	must(t, w.SetHead(w.ctx, c.ID, a2.ID))
	c, err = w.Conversation(w.ctx, c.ID)
	must(t, err)
	wantEqual(t, "selected", c.Head, a2.ID)
	children, err := w.Children(w.ctx, "", c.ID)
	must(t, err)
	wantEqual(t, "first messages", contents(children), "q1")
	children, err = w.Children(w.ctx, a1.ID, c.ID)
	must(t, err)
	wantEqual(t, "alternatives", contents(children), "q2 q2'")
	other := w.conversation(w.agent())
	wantCode(t, w.SetHead(w.ctx, other.ID, a2.ID), memory.EINVALID)
	_, err = w.AddMessage(w.ctx, memory.Message{ConversationID: other.ID, ParentID: a2.ID, Role: memory.RoleUser, Content: "x"})
	wantCode(t, err, memory.EINVALID)
}

func TestMessageComesBackAsItWasStored(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	temperature := 0.5
	m := memory.Message{
		ConversationID: c.ID, Role: memory.RoleAssistant, Speaker: "Ada", Content: "text", Preamble: "before", Thinking: "hm",
		ToolCalls:  []memory.ToolCall{{ID: "1", Name: "f", Arguments: `{"a":"<&>","b":1.0}`, Repaired: true}},
		ToolCallID: "2", ToolName: "g", Status: memory.StatusFailed, End: memory.EndLength, TurnID: "turn",
		Problem: &memory.Problem{Code: memory.EENGINE, Message: "gone", Remedy: memory.RemedyStartEngine}, Model: "m",
		Usage: &memory.Usage{PromptTokens: 3, CachedTokens: -1}, Tokens: 7, ClientID: "k",
	}
	stored, err := w.AddMessage(w.ctx, m)
	must(t, err)
	got, err := w.Message(w.ctx, stored.ID)
	must(t, err)
	stored.Siblings, stored.RevisionIDs = []string{stored.ID}, []string{}
	wantEqual(t, "message", encode(got), encode(stored))
	wantEqual(t, "agent", got.AgentID, a.ID)
	a.Temperature, a.Thinking, a.Language = &temperature, ptr(false), "zh"
	_, err = w.UpdateAgent(w.ctx, a.ID, func(stored *memory.Agent) error { *stored = a; return nil })
	must(t, err)
	b, err := w.Agent(w.ctx, a.ID)
	must(t, err)
	a.UpdatedAt = b.UpdatedAt
	wantEqual(t, "agent", encode(b), encode(a))
}

func TestSendingTwiceStoresOnce(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	send := func() memory.Message {
		m, err := w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, Role: memory.RoleUser, Content: "hello", ClientID: "1"})
		must(t, err)
		return m
	}
	first := send()
	answer := w.say(c.ID, memory.RoleAssistant, "hi")
	w.reopen()
	wantEqual(t, "the second", send().ID, first.ID)
	got, err := w.Conversation(w.ctx, c.ID)
	must(t, err)
	wantEqual(t, "head", got.Head, answer.ID)
	children, err := w.Children(w.ctx, "", c.ID)
	must(t, err)
	wantEqual(t, "first messages", contents(children), "hello")
}

func TestStepOfATurnGoesInFrontOfAWaitingMessage(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	w.say(c.ID, memory.RoleUser, "q1")
	w.say(c.ID, memory.RoleAssistant, "")
	waiting := w.say(c.ID, memory.RoleUser, "q2")
	for _, text := range []string{"tool", "wisteria"} {
		_, err := w.InsertMessage(w.ctx, memory.Message{Role: memory.RoleAssistant, Content: text}, waiting.ID)
		must(t, err)
	}
	got, err := w.Conversation(w.ctx, c.ID)
	must(t, err)
	wantEqual(t, "head", got.Head, waiting.ID)
	path, err := w.Path(w.ctx, waiting.ID, 0, "")
	must(t, err)
	wantEqual(t, "path", contents(path), "q1  tool wisteria q2")
	if ids := w.find(a, "wisteria"); !slices.Contains(ids, waiting.ID) {
		t.Error("the waiting message has not learnt its new neighbour")
	}
}

func TestMessageIsTakenOutFromBetweenOthers(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	first := w.say(c.ID, memory.RoleUser, "q1")
	w.say(c.ID, memory.RoleAssistant, "wisteria")
	out := w.say(c.ID, memory.RoleUser, "gladiolus")
	waiting := w.say(c.ID, memory.RoleUser, "q3")
	branch := func(want string) {
		t.Helper()
		got, err := w.Conversation(w.ctx, c.ID)
		must(t, err)
		path, err := w.Path(w.ctx, got.Head, 0, "")
		must(t, err)
		wantEqual(t, "branch", contents(path), want)
	}
	must(t, w.BypassMessage(w.ctx, out.ID))
	branch("q1 wisteria q3")
	if ids := w.find(a, "wisteria"); !slices.Contains(ids, waiting.ID) {
		t.Error("the message behind it has not learnt its new neighbour")
	}
	must(t, w.BypassMessage(w.ctx, waiting.ID))
	branch("q1 wisteria")
	kept, err := w.Message(w.ctx, out.ID)
	must(t, err)
	wantEqual(t, "what was taken out", kept.Content, "gladiolus")
	if err := w.BypassMessage(w.ctx, first.ID); memory.CodeOf(err) != memory.EINVALID {
		t.Errorf("the first message: %v", err)
	}
}

func TestStreamedTextIsKept(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c := w.conversation(a)
	m, err := w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, Role: memory.RoleAssistant, Status: memory.StatusStreaming})
	must(t, err)
	reads := func(content, thinking string, status memory.Status) {
		t.Helper()
		got, err := w.Message(w.ctx, m.ID)
		must(t, err)
		wantEqual(t, "content", got.Content, content)
		wantEqual(t, "thinking", got.Thinking, thinking)
		wantEqual(t, "status", got.Status, status)
	}
	must(t, w.AppendStream(w.ctx, m.ID, StreamState{Thinking: "so"}))
	must(t, w.AppendStream(w.ctx, m.ID, StreamState{Thinking: "so", Content: "one "}))
	must(t, w.AppendStream(w.ctx, m.ID, StreamState{Thinking: "so", Content: "one two"}))
	reads("one two", "so", memory.StatusStreaming)
	must(t, w.AppendStream(w.ctx, m.ID, StreamState{Thinking: "so", Content: "One"})) // a correction
	reads("One", "so", memory.StatusStreaming)
	wantEqual(t, "found while streaming", len(w.find(a, "one")), 0)
	w.reopen()
	n, err := w.MarkInterrupted(w.ctx)
	must(t, err)
	wantEqual(t, "interrupted", n, 1)
	reads("One", "so", memory.StatusPartial)
	wantEqual(t, "found", len(w.find(a, "one")), 1)
	wantCode(t, w.AppendStream(w.ctx, m.ID, StreamState{Content: "One more"}), memory.ECONFLICT)
	must(t, w.ReopenMessage(w.ctx, m.ID)) // continue
	must(t, w.AppendStream(w.ctx, m.ID, StreamState{Thinking: "so", Content: "One more"}))
	reads("One more", "so", memory.StatusStreaming)
	m.Content, m.Status, m.End = "One more time", memory.StatusComplete, memory.EndStop
	must(t, w.FinishMessage(w.ctx, m))
	reads("One more time", "", memory.StatusComplete)
	n, err = w.MarkInterrupted(w.ctx)
	must(t, err)
	wantEqual(t, "interrupted", n, 0)
}

func TestMessagesByTime(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	c, d := w.conversation(a), w.conversation(a)
	start := w.now()
	for i := range 4 {
		w.say([]string{c.ID, d.ID}[i%2], memory.RoleUser, fmt.Sprint("m", i))
		w.say(c.ID, memory.RoleTool, "result")
		w.pass(time.Hour)
	}
	for name, tc := range map[string]struct {
		f    MessageFilter
		want string
	}{
		"all":    {MessageFilter{}, "m0 m1 m2 m3"},
		"newest": {MessageFilter{Newest: true}, "m3 m2 m1 m0"},
		"range":  {MessageFilter{After: start.Add(time.Hour), Before: start.Add(3 * time.Hour)}, "m1 m2"},
		"role":   {MessageFilter{Roles: []memory.Role{memory.RoleAssistant}}, ""},
	} {
		tc.f.AgentID, tc.f.Limit = a.ID, 1
		var got []memory.Message
		for {
			page, next, err := w.Messages(w.ctx, tc.f)
			must(t, err)
			got = append(got, page...)
			if tc.f.Cursor = next; next == "" {
				break
			}
		}
		wantEqual(t, name, contents(got), tc.want)
	}
}

func TestHostileTextIsStoredOrRefusedButNeverBreaks(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	for name, tc := range map[string]struct{ in, want string }{
		"nul":       {"a\x00b", "ab"},
		"invalid":   {"a\xffb", "a\uFFFDb"},
		"surrogate": {"a\xed\xa0\x80b", "a\uFFFDb"},
		"emoji":     {"👩‍👩‍👧‍👦🏳️‍🌈", "👩‍👩‍👧‍👦🏳️‍🌈"},
		"rtl":       {"שלום \u202eabc", "שלום \u202eabc"},
		"one word":  {strings.Repeat("x", 100_000), strings.Repeat("x", 100_000)},
		"sql":       {"'; DROP TABLE message; --", "'; DROP TABLE message; --"},
		"longest":   {strings.Repeat("字", memory.MaxMessageChars), strings.Repeat("字", memory.MaxMessageChars)},
	} {
		t.Run(name, func(t *testing.T) {
			m := w.say(c.ID, memory.RoleUser, tc.in)
			got, err := w.Message(w.ctx, m.ID)
			must(t, err)
			if got.Content != tc.want {
				t.Errorf("it came back as %.60q", got.Content)
			}
		})
	}
	for in, code := range map[string]memory.Code{
		"": memory.EINVALID, " \n": memory.EINVALID, "\x00": memory.EINVALID, strings.Repeat("x", 10<<20): memory.ELIMIT,
	} {
		_, err := w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, Role: memory.RoleUser, Content: in})
		wantCode(t, err, code)
	}
}

func TestConversationsInOrder(t *testing.T) {
	w := newWorld(t)
	a := w.agent()
	var cs []memory.Conversation
	for range 4 {
		cs = append(cs, w.conversation(a))
		w.pass(time.Minute)
	}
	w.say(cs[1].ID, memory.RoleUser, "newest")
	_, err := w.UpdateConversation(w.ctx, cs[0].ID, ConversationChange{Pinned: ptr(true)})
	must(t, err)
	_, err = w.UpdateConversation(w.ctx, cs[2].ID, ConversationChange{Archived: ptr(true)})
	must(t, err)
	want := []string{cs[0].ID, cs[1].ID, cs[3].ID}
	var got []string
	cursor := ""
	for {
		page, next, err := w.Conversations(w.ctx, ConversationFilter{AgentID: a.ID, Limit: 1, Cursor: cursor})
		must(t, err)
		for _, c := range page {
			got = append(got, c.ID)
		}
		if cursor = next; cursor == "" {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("order is %v, want %v", got, want)
	}
	archived, _, err := w.Conversations(w.ctx, ConversationFilter{State: ConversationArchived})
	must(t, err)
	if len(archived) != 1 || archived[0].ID != cs[2].ID {
		t.Errorf("archived are %v", archived)
	}
	c, err := w.UpdateConversation(w.ctx, cs[3].ID, ConversationChange{Title: ptr("By rule"), TitleBy: ptr(memory.ActorSystem)})
	must(t, err)
	wantEqual(t, "title by", c.TitleBy, memory.ActorSystem)
	c, err = w.UpdateConversation(w.ctx, cs[3].ID, ConversationChange{Title: ptr(" By\nhand ")})
	must(t, err)
	wantEqual(t, "title", c.Title, "By hand")
	wantEqual(t, "title by", c.TitleBy, memory.ActorUser)
}

func TestConversationsAreFoundByWhatWasSaid(t *testing.T) {
	w := newWorld(t)
	a, b := w.agent(), w.agent()
	bike, cat, other := w.conversation(a), w.conversation(a), w.conversation(b)
	m := w.say(bike.ID, memory.RoleUser, "I moved to Altona. My bicycle is called Comet. It rains.")
	w.say(bike.ID, memory.RoleAssistant, "A comet is a body of ice.")
	w.say(cat.ID, memory.RoleUser, "年糕换了新粮。它很喜欢。")
	w.say(other.ID, memory.RoleUser, "The bicycle shop is closed.")
	find := func(f ConversationFilter) (ids []string, said map[string]string) {
		t.Helper()
		list, matches, _, err := w.SearchConversations(w.ctx, f)
		must(t, err)
		for _, c := range list {
			ids = append(ids, c.ID)
		}
		said = map[string]string{}
		for _, m := range matches {
			said[m.ConversationID] = m.Text
		}
		return ids, said
	}
	// All of the words, the last one still typed.
	ids, said := find(ConversationFilter{Query: "comet bicyc"})
	wantEqual(t, "found", strings.Join(ids, " "), bike.ID)
	wantEqual(t, "sentence", said[bike.ID], "My bicycle is called Comet.")
	_, matches, _, err := w.SearchConversations(w.ctx, ConversationFilter{Query: "comet bicyc"})
	must(t, err)
	wantEqual(t, "message", matches[0].MessageID, m.ID)
	_, said = find(ConversationFilter{Query: "新粮"})
	wantEqual(t, "sentence", said[cat.ID], "年糕换了新粮。")
	ids, _ = find(ConversationFilter{Query: "bicycle", AgentID: a.ID})
	wantEqual(t, "of one agent", strings.Join(ids, " "), bike.ID)
	// A title is found by any part of it, and needs no message.
	_, err = w.UpdateConversation(w.ctx, cat.ID, ConversationChange{Title: ptr("Packing 50% done")})
	must(t, err)
	ids, said = find(ConversationFilter{Query: "acking 50%"})
	wantEqual(t, "by title", strings.Join(ids, " "), cat.ID)
	wantEqual(t, "sentences", len(said), 0)
	// Archived ones are among all, deleted ones only among the deleted.
	_, err = w.UpdateConversation(w.ctx, bike.ID, ConversationChange{Archived: ptr(true)})
	must(t, err)
	ids, _ = find(ConversationFilter{Query: "comet"})
	wantEqual(t, "active", len(ids), 0)
	ids, _ = find(ConversationFilter{Query: "comet", State: ConversationAll})
	wantEqual(t, "all", strings.Join(ids, " "), bike.ID)
	_, err = w.UpdateConversation(w.ctx, bike.ID, ConversationChange{Deleted: ptr(true)})
	must(t, err)
	ids, _ = find(ConversationFilter{State: ConversationAll, AgentID: a.ID})
	wantEqual(t, "all but the deleted", strings.Join(ids, " "), cat.ID)
	ids, _ = find(ConversationFilter{State: ConversationDeleted})
	wantEqual(t, "deleted", strings.Join(ids, " "), bike.ID)
}

func TestPromptsComeBackByteForByte(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	words := newWords(5)
	var ids []string
	var bodies [][]byte
	prompt := []byte(words.sentence(2000))
	for i := range keptPrompts + 3*maxDepth {
		if i%30 == 29 { // a rebase
			prompt = []byte(words.sentence(2000))
		}
		prompt = append(prompt[:len(prompt):len(prompt)], words.sentence(5)...)
		m, err := w.AddMessage(w.ctx, memory.Message{ConversationID: c.ID, Role: memory.RoleAssistant})
		must(t, err)
		must(t, w.SavePrompt(w.ctx, m.ID, prompt))
		ids, bodies = append(ids, m.ID), append(bodies, prompt)
	}
	lost := 0
	for i, id := range ids {
		body, err := w.Prompt(w.ctx, id)
		switch {
		case memory.CodeOf(err) == memory.ENOTFOUND && i < len(ids)-keptPrompts:
			lost++
		case err != nil:
			t.Fatalf("prompt %d of %d: %v", i, len(ids), err)
		case !bytes.Equal(body, bodies[i]):
			t.Fatalf("prompt %d differs", i)
		}
	}
	if lost < 2*maxDepth {
		t.Errorf("only %d old prompts are gone", lost)
	}
	var size int
	must(t, pairs(w.ctx, w, func(n, _ int) { size = n }, "SELECT sum(length(body)), 0 FROM prompt"))
	if plain := len(bodies[0]) * (len(ids) - lost); size > plain/20 {
		t.Errorf("%d bytes are stored for %d", size, plain)
	}
}

func TestPromptOfAContinuedAnswerIsReplaced(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	first, second := w.say(c.ID, memory.RoleAssistant, "1"), w.say(c.ID, memory.RoleAssistant, "2")
	must(t, w.SavePrompt(w.ctx, first.ID, []byte("a prompt that both begin with; one")))
	must(t, w.SavePrompt(w.ctx, second.ID, []byte("a prompt that both begin with; one and two")))
	must(t, w.SavePrompt(w.ctx, first.ID, []byte("a prompt that both begin with; continued")))
	for id, want := range map[string]string{
		first.ID: "a prompt that both begin with; continued", second.ID: "a prompt that both begin with; one and two",
	} {
		body, err := w.Prompt(w.ctx, id)
		must(t, err)
		wantEqual(t, "prompt", string(body), want)
	}
}

func TestPrefixReceiptAndPlan(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	m := w.say(c.ID, memory.RoleUser, "q")
	_, err := w.Prefix(w.ctx, c.ID)
	wantCode(t, err, memory.ENOTFOUND)
	_, err = w.Receipt(w.ctx, m.ID)
	wantCode(t, err, memory.ENOTFOUND)
	w.seen()
	for g := range 2 {
		must(t, w.SavePrefix(w.ctx, memory.Prefix{ConversationID: c.ID, Generation: g + 1, System: "s"},
			&memory.Event{Type: "window.rebased", Data: map[string]any{"conversation_id": c.ID, "generation": g + 1}}))
	}
	p, err := w.Prefix(w.ctx, c.ID)
	must(t, err)
	wantEqual(t, "generation", p.Generation, 2)
	wantEqual(t, "events", len(w.seen()), 2)
	events, _, err := w.Events(w.ctx, EventFilter{ConversationID: c.ID, Types: []string{"window.rebased"}})
	must(t, err)
	wantEqual(t, "durable events", len(events), 2)
	must(t, w.SaveReceipt(w.ctx, memory.Receipt{MessageID: m.ID, Query: "q", Candidates: []memory.Candidate{{ID: "x", Taken: true}}}))
	r, err := w.Receipt(w.ctx, m.ID)
	must(t, err)
	wantEqual(t, "candidate", r.Candidates[0].ID, "x")
	must(t, w.SavePlan(w.ctx, m.ID, memory.Plan{Window: 4096}))
	plan, err := w.PlanOf(w.ctx, m.ID)
	must(t, err)
	wantEqual(t, "window", plan.Window, 4096)
}
