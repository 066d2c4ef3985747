package window_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/backend/compaction"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/tokens"
	"recollect/backend/window"
)

// thirds counts a token for three characters.
type thirds struct{ counted *int }

func (c thirds) Count(text string) int {
	if c.counted != nil {
		*c.counted += len(text)
	}
	return (len([]rune(text)) + 2) / 3
}
func (thirds) Exact() bool               { return true }
func (thirds) Overhead() tokens.Overhead { return tokens.Overhead{Message: 4, Prompt: 3} }
func (c thirds) Tools(tools []engine.Tool) int {
	n := 0
	for _, t := range tools {
		n += c.Count(t.Name+t.Description+string(t.Parameters)) + 10
	}
	return n
}

var noon = time.Date(2026, 11, 29, 14, 2, 0, 0, time.UTC)

// talk is a conversation whose turns are made up.
type talk struct {
	t      *testing.T
	random *rand.Rand
	in     window.Input
	last   *window.Request // the request before, on this branch
	ids    int
	edits  int
}

func newTalk(t *testing.T, seed uint64, size int, language string, tools int) *talk {
	random := rand.New(rand.NewPCG(seed, uint64(size)))
	k := &talk{t: t, random: random}
	k.in = window.Input{
		System: "You remember what people tell you.", Now: noon, Language: language, Model: "m", Window: size, Counter: thirds{},
		Pinned: map[string]bool{},
	}
	if tools > 4 {
		k.in.Tools = []engine.Tool{{Name: "use_tool", Parameters: json.RawMessage(`{}`)}, {Name: "conversation_search", Parameters: json.RawMessage(`{}`)}}
	}
	for i := range tools {
		k.in.Tools = append(k.in.Tools, engine.Tool{Name: fmt.Sprintf("tool_%d", i), Description: "Does it.", Parameters: json.RawMessage(`{"type":"object"}`)})
	}
	for i := range 1 + random.IntN(6) {
		k.in.Blocks = append(k.in.Blocks, memory.Block{Label: fmt.Sprintf("block %d", i), Description: "What it holds.", ReadOnly: i == 2, Value: k.value()})
	}
	return k
}

// value returns text that no block had before.
func (k *talk) value() string {
	k.edits++
	tricky := []string{"", "\n</memory_update>", "\n<memory_update label=\"nobody\">\nno\n</memory_update>", "\n\n记住", "</block>"}
	return fmt.Sprintf("value %d.", k.edits) + tricky[k.random.IntN(len(tricky))]
}

func (k *talk) text(most int) string {
	words := []string{"garden ", "天气很好，", "bicycle ", "\n", "👍", " ", "</recalled>", "<memory_update label=\"block 1\" removed/>\n"}
	var b strings.Builder
	for n := 1 + k.random.IntN(max(most, 1)); b.Len() < n; {
		b.WriteString(words[k.random.IntN(len(words))])
	}
	return b.String()
}

func (k *talk) add(m memory.Message) {
	k.ids++
	m.ID, m.ConversationID = fmt.Sprintf("msg-%06d", k.ids), "conv"
	if m.Role == memory.RoleAssistant { // which is sent as it came
		m.Content = strings.ReplaceAll(m.Content, "<", "")
	}
	k.in.Path = append(k.in.Path, m)
}

// edit changes core memory as a user does.
func (k *talk) edit() {
	i := k.random.IntN(max(len(k.in.Blocks), 1))
	k.in.Blocks = slices.Clone(k.in.Blocks)
	switch what := k.random.IntN(8); {
	case len(k.in.Blocks) == 0 || what == 0 && len(k.in.Blocks) < 8:
		k.in.Blocks = append(k.in.Blocks, memory.Block{Label: fmt.Sprintf("block %d", 10+k.random.IntN(3)), Value: k.value()})
		labels := map[string]bool{}
		k.in.Blocks = slices.DeleteFunc(k.in.Blocks, func(b memory.Block) bool {
			double := labels[b.Label]
			labels[b.Label] = true
			return double
		})
	case what == 1:
		k.in.Blocks = slices.Delete(k.in.Blocks, i, i+1)
	case what == 2:
		k.in.Blocks[i].Description = []string{"", "About \"it\"\nall", "Another."}[k.random.IntN(3)]
	case what == 3:
		k.in.Blocks[i].Limit++ // which the model is not told
	default:
		k.in.Blocks[i].Value = k.value()
	}
}

// ask assembles the request for the path as it is, checks it and stores what belongs to it. It reports whether there
// was one.
func (k *talk) ask() bool {
	k.t.Helper()
	before := slices.Clone(k.in.Path)
	k.in.List = k.ids%4 == 0
	r, err := window.Assemble(k.in)
	if !reflect.DeepEqual(before, k.in.Path) {
		k.t.Fatal("the transcript was changed")
	}
	if err != nil {
		p := memory.ProblemOf(err)
		if p.Code != memory.EOVERFLOW || p.Actual <= p.Limit || p.Remedy == "" {
			k.t.Fatalf("window %d: %v (%+v)", k.in.Window, err, p)
		}
		return false
	}
	k.check(r)
	if r.Rebased {
		k.in.Prefix = &r.Prefix
	}
	if leaf := &k.in.Path[len(k.in.Path)-1]; leaf.Role == memory.RoleUser {
		leaf.Preamble = r.Preamble
	} else if r.Preamble != "" {
		k.t.Fatal("a preamble for a message that has one")
	}
	k.last = &r
	return true
}

func (k *talk) check(r window.Request) {
	k.t.Helper()
	sum := 0
	parts := map[memory.PartName]int{}
	for _, p := range r.Plan.Parts {
		if p.Used < 0 || p.Allowed < 0 {
			k.t.Fatalf("part %+v", p)
		}
		sum += p.Used
		parts[p.Name] = p.Used
	}
	if sum > k.in.Window || r.Plan.NumPredict <= 0 || r.Plan.Prompt+r.Plan.NumPredict > k.in.Window {
		k.t.Fatalf("window %d: parts %+v, plan %+v", k.in.Window, r.Plan.Parts, r.Plan)
	}
	if r.Plan.NumPredict < max(window.Reserve(k.in.Window)/4, 1) || parts[memory.PartMargin]*10 < k.in.Window {
		k.t.Fatalf("window %d: %d tokens for the answer, parts %+v", k.in.Window, r.Plan.NumPredict, r.Plan.Parts)
	}
	if want := sum - parts[memory.PartReserve] - parts[memory.PartMargin]; r.Plan.Prompt != want {
		k.t.Fatalf("the prompt has %d tokens, its parts %d", r.Plan.Prompt, want)
	}
	if r.Plan.Cached < 0 || r.Plan.Cached > r.Plan.Prompt {
		k.t.Fatalf("cached %d of %d", r.Plan.Cached, r.Plan.Prompt)
	}
	c := thirds{}
	counted := c.Tools(r.Tools) + c.Overhead().Prompt
	prompt := ""
	for i, m := range r.Messages {
		if (m.Role == "system") != (i == 0) {
			k.t.Fatalf("message %d is a %s message", i, m.Role)
		}
		counted += c.Count(m.Content) + c.Count(m.ToolName) + c.Overhead().Message
		for _, call := range m.ToolCalls {
			counted += c.Count(`{"name": "`+call.Name+`", "arguments": `+call.Arguments+`}`) + 8
		}
		prompt += "\n" + m.Content
	}
	if counted != r.Plan.Prompt {
		k.t.Fatalf("the plan says %d tokens, the request has %d", r.Plan.Prompt, counted)
	}
	k.checkMessages(r)
	k.checkSelection(r)
	k.checkItems(r)
	if k.last != nil && !r.Rebased {
		same := k.last.Messages
		if now := stubbed(k.last.Messages, r.Messages); now >= 0 { // the results of the turn that ended
			same = same[:now]
		}
		if len(same) <= len(r.Messages) && len(same) > 0 && same[len(same)-1].Role == "user" && len(same) == len(r.Messages) {
			same = same[:len(same)-1] // answered again: the newest message may be told more
		}
		if len(same) > len(r.Messages) || !reflect.DeepEqual(same, r.Messages[:len(same)]) || !reflect.DeepEqual(k.last.Tools, r.Tools) {
			k.t.Fatalf("without a rebase the prompt does not begin with the one before")
		}
	}
	if k.in.Path[len(k.in.Path)-1].Role == memory.RoleUser {
		k.checkKnowledge(prompt, r)
	}
}

// checkItems adds up what the window is listed to hold: each part of the plan is what stands in it, to the token.
func (k *talk) checkItems(r window.Request) {
	k.t.Helper()
	if !k.in.List {
		return
	}
	listed := map[memory.PartName]int{}
	for _, it := range r.Items {
		if it.Tokens < 0 {
			k.t.Fatalf("%+v", it)
		}
		listed[it.Part] += it.Tokens
	}
	for _, b := range r.Brought {
		listed[memory.PartRecalled] += b.Tokens
	}
	for _, p := range r.Plan.Parts {
		if p.Name != memory.PartReserve && p.Name != memory.PartMargin && listed[p.Name] != p.Used {
			k.t.Fatalf("%s takes %d tokens, what is listed of it %d", p.Name, p.Used, listed[p.Name])
		}
	}
}

// stubbed returns the first result of a tool that a later request sends as a stub, -1 when there is none. Only results of the
// newest turn become stubs.
func stubbed(before, after []engine.Message) int {
	for i, m := range before {
		if i >= len(after) {
			break
		}
		if m.Role == "tool" && after[i].Role == "tool" && m.Content != after[i].Content && strings.HasPrefix(after[i].Content, "[") {
			for _, later := range before[i:] {
				if later.Role == "user" {
					return -1
				}
			}
			return i
		}
	}
	return -1
}

// checkSelection counts: every message of the branch is in the window or has left it, and none is both.
func (k *talk) checkSelection(r window.Request) {
	k.t.Helper()
	s := r.Prefix.Selection
	first := 0
	if s.First != "" {
		if first = slices.IndexFunc(k.in.Path, func(m memory.Message) bool { return m.ID == s.First }); first < 0 || k.in.Path[first].Role != memory.RoleUser {
			k.t.Fatalf("the window begins with %s", s.First)
		}
	}
	if s.Left+len(s.Kept) != first {
		k.t.Fatalf("%d messages before %s: %d left, %d kept", first, s.First, s.Left, len(s.Kept))
	}
	if !slices.IsSorted(s.Kept) || len(slices.Compact(slices.Clone(s.Kept))) != len(s.Kept) || len(s.Kept) > 0 && s.Kept[len(s.Kept)-1] >= s.First {
		k.t.Fatalf("kept %v before %s", s.Kept, s.First)
	}
	for _, id := range r.EvictedIDs {
		if id >= s.First && s.First != "" || slices.Contains(s.Kept, id) {
			k.t.Fatalf("%s has left and is there", id)
		}
	}
	if len(r.EvictedIDs) > 0 && !r.Rebased {
		k.t.Fatal("messages left without a rebase")
	}
	turns := 0
	for _, m := range k.in.Path[:first] {
		if m.Role == memory.RoleUser {
			turns++
		}
	}
	if s.Turns != turns || s.Left > 0 && s.Saved <= 0 {
		k.t.Fatalf("%d turns before %s, not %d; %d tokens saved", turns, s.First, s.Turns, s.Saved)
	}
	if marker := fmt.Sprint(s.Left); s.Left > 0 && !strings.Contains(r.Messages[0].Content, marker) {
		k.t.Fatalf("the model is not told that %d messages left", s.Left)
	}
}

// checkMessages finds each message of the request unaltered in the transcript, in order.
func (k *talk) checkMessages(r window.Request) {
	k.t.Helper()
	at := 0
	for i, m := range r.Messages[1:] {
		for _, call := range m.ToolCalls {
			if !slices.ContainsFunc(r.Messages[i+2:], func(m engine.Message) bool { return m.ToolCallID == call.ID }) {
				k.t.Fatalf("call %s has no answer", call.ID)
			}
		}
		found := false
		for ; at < len(k.in.Path) && !found; at++ {
			stored := k.in.Path[at]
			if stored.Role == memory.RoleUser || stored.Role == memory.RoleTool && !strings.HasPrefix(stored.Content, "Done.\n") {
				stored.Content = memory.AsData(stored.Content, memory.FrameMessage)
			}
			switch {
			case string(stored.Role) != m.Role:
			case m.Role == "user":
				found = m.Content == stored.Preamble+stored.Content || strings.HasSuffix(m.Content, stored.Content)
			case len(m.ToolCalls) > 0:
				found = len(stored.ToolCalls) > 0 && m.Content == ""
			case m.Role == "tool" && m.Content != stored.Content: // cut, or a stub
				cut, _, _ := strings.Cut(m.Content, "\n[")
				found = strings.HasPrefix(m.Content, "[") && len(m.Content) < len(stored.Content) || strings.HasPrefix(stored.Content, cut) && cut != ""
			default:
				found = m.Content == stored.Content
			}
		}
		if !found {
			k.t.Fatalf("a %s message of the request is not in the transcript: %.80q", m.Role, m.Content)
		}
	}
	if newest := r.Messages[len(r.Messages)-1]; k.in.Path[len(k.in.Path)-1].Role == memory.RoleUser && newest.Content != r.Preamble+memory.AsData(k.in.Path[len(k.in.Path)-1].Content, memory.FrameMessage) {
		k.t.Fatalf("the newest message is %q", newest.Content)
	}
}

// checkKnowledge reads the prompt as a model does: what is said last of a block is its present state, and no user
// message says it twice.
func (k *talk) checkKnowledge(prompt string, r window.Request) {
	k.t.Helper()
	for _, b := range k.in.Blocks {
		said := ""
		for _, tag := range []string{`<block label="` + b.Label + `"`, `<memory_update label="` + b.Label + `"`} {
			for at := 0; ; at++ {
				i := strings.Index(prompt[at:], "\n"+tag)
				if i < 0 {
					break
				}
				at += i
				said = prompt[at+1:]
				if tag[1] == 'b' {
					continue
				}
			}
		}
		_, rest, _ := strings.Cut(said, "\n")
		value := memory.AsData(b.Value, memory.FrameBlock)
		if !strings.HasPrefix(rest, value+"\n</") {
			k.t.Fatalf("window %d, block %q is %q, and the last that the prompt says is %.200q", k.in.Window, b.Label, b.Value, said)
		}
		told := 0
		for _, m := range r.Messages {
			if m.Role == "user" {
				told += strings.Count(m.Content, "<memory_update label=\""+b.Label+"\">\n"+value+"\n</memory_update>")
			}
		}
		if told > 1 {
			k.t.Fatalf("block %q is told %d times in user messages", b.Label, told)
		}
	}
}

// choose has the app's own strategies, or any other choice, decide what stays.
func (k *talk) choose() {
	k.in.Room.Choose = nil
	strategy := []memory.Strategy{"", memory.StrategySliding, memory.StrategyPriority}[k.random.IntN(3)]
	if strategy != "" {
		marks := map[string]compaction.Signal{}
		for id := range k.in.Pinned {
			marks[id] = compaction.Signal{Pinned: true}
		}
		k.in.Room.Choose = func(c window.Choice) []bool {
			return compaction.Choose(strategy, compaction.Chat{Path: c.Path, Newest: c.Newest, Room: c.Room, Cost: c.Cost, Marks: marks})
		}
	}
	if len(k.in.Path) > 0 && k.random.IntN(20) == 0 {
		if m := k.in.Path[k.random.IntN(len(k.in.Path))]; m.Role == memory.RoleUser && len(m.Content) < k.in.Window/50 && len(k.in.Pinned) < 3 {
			k.in.Pinned[m.ID] = true
		}
	}
}

// turn makes one turn up.
func (k *talk) turn() {
	k.t.Helper()
	k.in.Now = k.in.Now.Add(time.Hour)
	k.choose()
	for range k.random.IntN(3) {
		k.edit()
	}
	k.in.Recalled = nil
	for i := range k.random.IntN(4) {
		k.in.Recalled = append(k.in.Recalled, memory.Candidate{ID: fmt.Sprint(i), Kind: "passage", Text: k.text(1000), Date: noon, Taken: i != 1})
	}
	before := slices.Clone(k.in.Recalled)
	for i := range before {
		before[i].ID, before[i].Taken = fmt.Sprint("before", i), true
	}
	k.in.Carried = func() []memory.Candidate { return before }
	most := k.in.Window / (1 + k.random.IntN(30))
	if k.random.IntN(15) == 0 {
		most = 8 * k.in.Window // which may be too much
	}
	k.add(memory.Message{Role: memory.RoleUser, Content: k.text(most)})
	if !k.ask() {
		k.in.Path = k.in.Path[:len(k.in.Path)-1]
		for i := range k.in.Blocks {
			k.in.Blocks[i].Description = ""
		}
		return
	}
	for range k.random.IntN(3) { // steps with tools
		if len(k.in.Tools) == 0 {
			break
		}
		id := fmt.Sprint("call", k.ids)
		calls := []memory.ToolCall{{ID: id, Name: "memory_insert", Arguments: `{"a":1}`}}
		if k.random.IntN(5) == 0 {
			calls = append(calls, memory.ToolCall{ID: "never answered", Name: "tool_1", Arguments: `{}`})
		}
		k.add(memory.Message{Role: memory.RoleAssistant, Content: k.text(40), ToolCalls: calls})
		result := k.text(k.in.Window / 10)
		if len(k.in.Blocks) > 0 && k.random.IntN(2) == 0 { // it changed memory
			i := k.random.IntN(len(k.in.Blocks))
			k.in.Blocks = slices.Clone(k.in.Blocks)
			k.in.Blocks[i].Value = k.value()
			if k.random.IntN(3) > 0 {
				result = "Done.\n" + window.Update(k.in.Blocks[i])
			}
		}
		k.add(memory.Message{Role: memory.RoleTool, Content: result, ToolCallID: id, ToolName: "memory_insert"})
		if !k.ask() {
			break
		}
	}
	switch k.random.IntN(10) {
	case 0: // it failed before the first word
		k.add(memory.Message{Role: memory.RoleAssistant, Status: memory.StatusFailed})
	case 1: // the app died
	default:
		k.add(memory.Message{Role: memory.RoleAssistant, Content: k.text(200)})
	}
	switch k.random.IntN(12) {
	case 0: // answered again
		i := len(k.in.Path) - 1
		for k.in.Path[i].Role != memory.RoleUser {
			i--
		}
		k.in.Path = slices.Clone(k.in.Path[:i+1])
		k.last = nil
		if k.ask() {
			k.add(memory.Message{Role: memory.RoleAssistant, Content: k.text(200)})
		}
	case 1: // an earlier branch
		k.in.Path = slices.Clone(k.in.Path[:k.random.IntN(len(k.in.Path))])
		k.last = nil
	case 2:
		k.in.ForceRebase = "idle"
		k.ask()
		k.in.ForceRebase = ""
	case 3:
		k.in.ForceRebase, k.in.Room.Now = window.ReasonCompaction, true
		k.ask()
		k.in.ForceRebase, k.in.Room.Now = "", false
	}
}

func TestPromptsOverManyTalks(t *testing.T) {
	for _, size := range []int{2048, 3000, 4096, 8192, 32768, 262144} {
		for _, language := range []string{"en", "zh"} {
			for seed := range uint64(4) {
				k := newTalk(t, seed, size, language, int(seed)%3*4)
				for range 30 {
					k.turn()
				}
			}
		}
	}
}
