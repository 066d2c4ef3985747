package agent

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/window"
)

// The user's choices about plan B of recall.
const (
	settingDeep        = "deep_recall"  // deepAuto (also ""), deepAlways or deepNever
	settingDeepSeconds = "deep_seconds" // that it may take
	deepAlways         = "always"
	deepNever          = "never"
)

const (
	defaultDeepSeconds = 3
	askedFactor        = 10  // whoever asks for a deep search waits for it that many times as long
	deepTokens         = 80  // of a verdict
	thoughtTokens      = 600 // … of a model that cannot help thinking before it
	deepOverhead       = 60  // tokens around the question: template and side prefix
	deepMessageChars   = 500 // of the message that the model is shown
	deepNoteTokens     = 50  // of a memory that it is shown, about; there are up to deepNotes
	deepNotes          = 8
	leastWritten       = 8 // tokens of an answer from which on the speed of writing is known
)

// judge is the chat model as the judge of plan B. Its requests spare the chat's prompt cache as notes do: they use the
// engine's second one, else go on where the chat ended, else are not made.
type judge struct {
	s    *Service
	a    string // the agent
	set  setup
	base engine.ChatRequest
}

// verdictSchema is small and flat, since small models get lost in others.
var verdictSchema = json.RawMessage(`{"type":"object","properties":{"enough":{"type":"boolean"},"search":{"type":"string","maxLength":100}},"required":["enough","search"]}`)

// Judge is part of recall.Judge.
func (j *judge) Judge(ctx context.Context, message string, notes []recall.Note, tried []string) (recall.Verdict, bool, error) {
	f := form{language: j.set.Language, profile: j.set.profile, ids: j.s.IDs, chat: func(req engine.ChatRequest) (string, error) {
		res, err := j.s.beside(ctx, memory.CallRecall, j.a, req, nil)
		return res.Message.Content, err
	}}
	var list strings.Builder
	for i, n := range notes {
		fmt.Fprintf(&list, "%d. [%s] %s\n", i+1, n.Date.In(j.s.Clock().Location()).Format(time.DateOnly), memory.AsData(n.Text, memory.FrameRecalled))
	}
	if len(notes) == 0 {
		list.WriteString(f.pick("(nothing)", "（没有）"))
	}
	question := fmt.Sprintf(prompt("deep", j.set.Language), memory.AsData(shorten(message, deepMessageChars), memory.FrameMessage), strings.TrimSpace(list.String()), strings.Join(tried[1:], " / "))
	var v struct {
		Enough *bool  `json:"enough"`
		Search string `json:"search"`
	}
	ok, err := f.json(j.base, verdictSchema, question, &v)
	if err != nil || !ok || v.Enough == nil {
		return recall.Verdict{}, false, err
	}
	return recall.Verdict{Enough: *v.Enough, Search: v.Search}, true, nil
}

// deep returns what plan B is made with, nil where the user does not want it. path ends before the message.
func (s *Service) deep(ctx context.Context, agentID string, set setup, conversationID string, path []memory.Message, message string, asked bool) *recall.Deep {
	d := &recall.Deep{Reason: memory.DeepUnsure, Model: set.Model}
	switch choice := s.Settings.String(settingDeep); {
	case asked:
		d.Reason = memory.DeepAsked
	case choice == deepNever:
		return nil
	case choice == deepAlways:
		d.Reason = memory.DeepAlways
	}
	d.Budget = time.Duration(first(s.Settings.Int(settingDeepSeconds), defaultDeepSeconds)) * time.Second
	if asked {
		d.Budget *= askedFactor
	}
	if set.Model == "" {
		d.Refused = memory.DeepNoModel
		return d
	}
	j := &judge{s: s, a: agentID, set: set, base: engine.ChatRequest{
		Model: set.Model, NumCtx: set.Window, NumPredict: deepTokens, Priority: engine.PriorityBackground, Conversation: conversationID,
		Temperature: ptr(retryTemperature),
	}}
	if set.profile.Thinking && set.profile.Parser != "" {
		j.base.NumPredict = thoughtTokens
	}
	question := set.counter.Count(prompt("deep", set.Language)) + set.counter.Count(shorten(message, deepMessageChars)) + deepNotes*deepNoteTokens + deepOverhead
	if !s.Engine.SideCache(set.Model) && !s.afterChat(ctx, &j.base, set, path, question) {
		d.Refused = memory.DeepCache
		return d
	}
	d.Judge, d.Round = j, s.roundTime(set.Model, question, j.base.NumPredict)
	return d
}

// afterChat makes a request go on where the conversation's last answer ended, so that the engine has read all but the
// question. It says whether that is possible; at the beginning of a conversation there is nothing to spare.
func (s *Service) afterChat(ctx context.Context, req *engine.ChatRequest, set setup, path []memory.Message, question int) bool {
	for i := len(path) - 1; i >= 0; i-- {
		m := path[i]
		if m.Role != memory.RoleAssistant || m.Usage == nil {
			continue
		}
		u := m.Usage
		if set.profile.AppendOnly || len(set.tools) > 0 || m.Model != set.Model ||
			u.PromptTokens+u.OutputTokens+question+req.NumPredict > set.Window { // tools and a schema exclude each other
			return false
		}
		body, err := s.Store.Prompt(ctx, m.ID)
		if err != nil {
			return false
		}
		var sent struct {
			Messages []engine.Message `json:"messages"`
		}
		if err := json.Unmarshal(body, &sent); err != nil || len(sent.Messages) == 0 {
			return false
		}
		req.Messages = slices.Concat(sent.Messages, []engine.Message{{Role: "assistant", Content: m.Content}})
		req.AfterChat = true
		return true
	}
	return true
}

// roundTime predicts how long a model takes to read and to write so many tokens; 0 where its speed is not known yet.
func (s *Service) roundTime(model string, read, write int) time.Duration {
	s.mu.Lock()
	writing := s.writes[model]
	s.mu.Unlock()
	reading := s.Engine.PromptSpeed(model)
	if reading <= 0 || writing <= 0 {
		return 0
	}
	return time.Duration((float64(read)/reading + float64(write)/writing) * float64(time.Second))
}

// learnWriting notes how fast a model writes.
func (s *Service) learnWriting(model string, u memory.Usage) {
	if u.OutputTokens < leastWritten || u.OutputMs <= 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writes[model] = float64(u.OutputTokens) / (float64(u.OutputMs) / 1000)
}

// inWindow returns the messages of a path that a model with this window sees anyway; the newest always is one.
func inWindow(path []memory.Message, prefix *memory.Prefix, tokens int) map[string]bool {
	in := map[string]bool{}
	if prefix != nil {
		for _, id := range prefix.Kept {
			in[id] = true
		}
	}
	room := bytesPerToken * tokens // what is farther back than this is not in the window, whatever the prefix says
	for i := len(path) - 1; i >= 0; i-- {
		m := path[i]
		if room -= len(m.Content); room < 0 && i < len(path)-1 {
			break
		}
		in[m.ID] = true
		if prefix != nil && m.ID == prefix.First {
			break
		}
	}
	return in
}

// TryRecall returns the receipt that a message would have in a conversation, "" for a new one. Nothing is sent or stored.
func (s *Service) TryRecall(ctx context.Context, agentID, conversationID, text string, deeply bool) (memory.Receipt, error) {
	a, err := s.Store.Agent(ctx, agentID)
	if err != nil {
		return memory.Receipt{}, err
	}
	c := memory.Conversation{AgentID: a.ID}
	if conversationID != "" {
		if c, err = s.Store.Conversation(ctx, conversationID); err != nil {
			return memory.Receipt{}, err
		}
		if c.AgentID != a.ID {
			return memory.Receipt{}, memory.Errorf(memory.EINVALID, "try recall", "the conversation is another agent's")
		}
	}
	n, err := s.next(ctx, c, text)
	if err != nil {
		return memory.Receipt{}, err
	}
	before := n.path[:len(n.path)-1]
	rc, err := s.Recall.For(ctx, recall.Query{
		AgentID: a.ID, ArchiveID: a.ArchiveID, ConversationID: c.ID, Beside: []string{c.Head}, Text: text, InWindow: inWindow(before, n.prefix, n.set.Window),
		Cap: window.RecalledCap(n.set.Window), Counter: n.set.counter, Deep: s.deep(ctx, a.ID, n.set, c.ID, before, text, deeply),
	})
	if err != nil {
		return rc, err
	}
	inCore(&rc, n.blocks)
	in := s.input(n.set, n.blocks, n.prefix, n.path)
	in.Recalled = rc.Candidates
	r, err := window.Assemble(in)
	if err != nil {
		return rc, err
	}
	settle(&rc, n.set, n.blocks, nil, r)
	return rc, nil
}

// settle brings a receipt in line with what the model really gets, also of what the user put into the window, and returns how
// many memories that are.
func settle(rc *memory.Receipt, set setup, blocks []memory.Block, pages []memory.Candidate, r window.Request) (taken int) {
	for _, c := range pages {
		found := slices.ContainsFunc(rc.Candidates, func(o memory.Candidate) bool { return o.ID == c.ID })
		if !found && slices.Contains(r.Recalled, c.ID) {
			c.Tokens = set.counter.Count(c.Text)
			rc.Considered++
			rc.Candidates = append(rc.Candidates, c)
		}
	}
	why := map[string]memory.Why{}
	for _, id := range r.Recalled {
		why[id] = memory.WhyTaken
	}
	for _, id := range r.Shown {
		why[id] = memory.WhyInWindow
	}
	rc.Tokens = 0
	for i := range rc.Candidates {
		c := &rc.Candidates[i]
		if !c.Taken && why[c.ID] != memory.WhyTaken {
			continue
		}
		paged := c.Why == memory.WhyPaged
		c.Why = first(why[c.ID], memory.WhyCap)
		if c.Taken = c.Why == memory.WhyTaken; c.Taken {
			taken++
			rc.Tokens += c.Tokens
			if paged {
				c.Why = memory.WhyPaged
			}
		}
	}
	_, _, perBlock := window.CoreUsage(blocks, set.counter, set.Window, set.CoreShare)
	rc.Blocks = make([]memory.ReceiptBlock, len(blocks))
	for i, b := range blocks {
		rc.Blocks[i] = memory.ReceiptBlock{ID: b.ID, Label: b.Label, Version: b.Version, Tokens: perBlock[i]}
	}
	return taken
}
