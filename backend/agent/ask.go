package agent

import (
	"encoding/json"
	"strings"

	"recollect/backend/agent/tools"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/window"
)

// answer is what came of a model call.
type answer struct {
	content, thinking string
	calls             []memory.ToolCall
	end               memory.EndReason
	usage             memory.Usage
	broken            bool // something that was to be a tool call cannot be read
}

func (a answer) empty() bool { return len(a.calls) == 0 && strings.TrimSpace(a.content) == "" }

const (
	retryTemperature = 0.1
	retrySeed        = 7919
	estimatesErr     = 0.6 // what the engine counts is at least that share of an estimate
)

// ask gets a usable answer: words, or tool calls that can be run. What goes wrong is repaired step by step: read the call
// out of the text; once more, cooler, with an explanation; the call as JSON under a schema, without tools; plain words.
func (t *turn) ask(r window.Request) (answer, error) {
	req := t.request(r)
	if t.toolsOff && len(req.Tools) > 0 {
		return t.wordsOnly(req)
	}
	a, err := t.call(req, true)
	if memory.CodeOf(err) == memory.EINCOMPLETE && a.empty() && a.thinking == "" {
		t.tell(phaseRetrying, 0, 0, 0, "incomplete")
		again := req
		again.Seed = ptr(retrySeed)
		a, err = t.call(again, true)
	}
	switch code := memory.CodeOf(err); {
	case (code == memory.EUNSUPPORTED || code == memory.EINVALID) && len(req.Tools) > 0 && a.empty():
		return t.withoutTools(req, err)
	case err != nil && code != memory.EMALFORMED:
		return a, err
	case err == nil && (len(a.calls) > 0 || !a.broken && !a.empty()):
		return a, nil
	case !a.broken && a.empty() && a.thinking != "":
		return t.withoutThinking(req, a)
	}
	if len(req.Tools) == 0 {
		return t.words(req, a)
	}
	return t.repair(req, a)
}

// withoutTools asks without tools after the engine refused a request with them. Where that works the model counts as one
// without tools until the app ends, and the user is told; else the first refusal stands.
func (t *turn) withoutTools(req engine.ChatRequest, refusal error) (answer, error) {
	a, err := t.words(req, answer{})
	if code := memory.CodeOf(err); code == memory.EUNSUPPORTED || code == memory.EINVALID {
		return a, refusal
	}
	if err == nil {
		t.s.giveUpTools(t.set)
	}
	return a, err
}

// wordsOnly asks for an answer in words when the model has called enough tools. The tools stay in the prompt at first: to
// take them out costs its whole cached beginning, and most models do as they are told.
func (t *turn) wordsOnly(req engine.ChatRequest) (answer, error) {
	req.PromptTokens = 0
	req.Messages = append(req.Messages, t.instruct("Answer the user now in plain words. Do not call a tool.", "现在直接用文字回答用户，不要再调用工具。"))
	a, err := t.call(req, true)
	if err != nil && memory.CodeOf(err) != memory.EMALFORMED || err == nil && len(a.calls) == 0 && !a.broken && !a.empty() {
		return a, err
	}
	return t.words(req, a)
}

// request is a window request as it goes to the engine.
func (t *turn) request(r window.Request) engine.ChatRequest {
	req := engineRequest(t.agent, t.set, r)
	req.Priority, req.Conversation = engine.PriorityChat, t.job.user.ConversationID
	if t.set.profile.ToolsLastUser && len(req.Tools) > 0 {
		req.Messages = t.remind(req.Messages)
	}
	return req
}

// engineRequest is a window request for an agent's model, without priority and conversation.
func engineRequest(a memory.Agent, set setup, r window.Request) engine.ChatRequest {
	req := engine.ChatRequest{
		Model: set.Model, Messages: r.Messages, Tools: r.Tools, NumCtx: set.Window, NumPredict: r.Plan.NumPredict,
		Temperature: a.Temperature, PromptTokens: r.Plan.Prompt, CachedTokens: r.Plan.Cached,
	}
	if set.profile.Thinking {
		req.Think = a.Thinking
	}
	return req
}

// remind puts a short user message after each run of tool results: templates that show the tools beside the last user
// message only would not show them any more. It stands at the same places in every request, so the prefix stays.
func (t *turn) remind(messages []engine.Message) []engine.Message {
	out := make([]engine.Message, 0, len(messages)+2)
	for i, m := range messages {
		out = append(out, m)
		if m.Role == "tool" && (i+1 == len(messages) || messages[i+1].Role != "tool") {
			out = append(out, t.instruct("Use this result to answer, or call another tool.", "请根据这个结果回答，或再调用一个工具。"))
		}
	}
	return out
}

func (t *turn) instruct(en, zh string) engine.Message {
	if t.set.Language == "zh" {
		en = zh
	}
	return instruction(en)
}

// instruction is a message of the app's own inside a chat.
func instruction(text string) engine.Message {
	return engine.Message{Role: "user", Content: "[" + text + "]"}
}

// call makes one request. show says whether the answer is told as it comes.
func (t *turn) call(req engine.ChatRequest, show bool) (answer, error) {
	t.savePrompt(req)
	mayCall := len(t.set.tools) > 0 && len(req.Format) == 0 && t.job.goOn == nil // also when no tools are offered, a model may write a call
	start := t.msg                                                               // without what an earlier try may have left
	start.Content, start.Thinking = t.lead(), ""
	if t.job.goOn != nil {
		start.Content, start.Thinking = t.job.goOn.Content, t.job.goOn.Thinking
	}
	var w *stream
	if show {
		t.asked = req.Messages
		told := start
		if t.job.goOn == nil {
			told.Content = ""
		}
		w = newStream(t.ctx, t.s, told, mayCall, t.abort)
		if t.job.goOn == nil {
			w.add(engine.Chunk{Content: start.Content})
		}
	}
	req.Progress = func(p engine.Progress) { t.tell(string(p.Phase), p.Read, p.Total, p.ETA, "") }
	res, err := t.s.Engine.Chat(t.ctx, req, func(c engine.Chunk) error {
		if w != nil {
			w.add(c)
		}
		return t.ctx.Err()
	})
	a := answer{
		content: start.Content + res.Message.Content, thinking: start.Thinking + res.Message.Thinking, end: res.End, usage: res.Usage,
	}
	t.s.serves(&t.set, res.Serves)
	raw := a.content
	if mayCall {
		a.calls, a.content, a.broken = t.readCalls(res.Message, a.content)
		if len(req.Tools) == 0 {
			a.calls, a.broken = nil, false
		}
	}
	if w != nil {
		w.close(a.content == raw)
	}
	if u := &a.usage; req.PromptTokens > 0 && u.PromptTokens > 0 {
		if !t.plan.Exact && float64(u.PromptTokens) > estimatesErr*float64(req.PromptTokens) {
			u.Truncated = false // our estimate may be that much too high
		}
		t.s.learnLimit(t.set, *u)
		if !u.Truncated {
			t.s.Counters.Calibrate(t.set.Model, req.PromptTokens, u.PromptTokens)
		}
	}
	if a.usage.PromptTokens > 0 {
		t.tries = append(t.tries, try{req, a.usage})
	}
	if a.content == t.lead() && len(a.calls) == 0 {
		a.content = ""
	}
	return a, err
}

// try is a call that was made for an answer.
type try struct {
	req   engine.ChatRequest
	usage memory.Usage
}

// noteTries notes what the calls took that did not become the answer.
func (t *turn) noteTries(taken memory.Usage) {
	for _, one := range t.tries {
		if one.usage == taken {
			taken = memory.Usage{}
			continue
		}
		t.s.used(t.ctx, memory.CallRetry, t.agent.ID, one.req, one.usage)
	}
	t.tries = nil
}

// lead is what stands before the words of the model: that a wish was granted, where the model itself cannot know how to
// say so reliably.
func (t *turn) lead() string {
	if len(t.set.tools) > 0 || t.wishes.confirmation == "" {
		return ""
	}
	return t.wishes.confirmation + "\n\n"
}

// readCalls returns the calls of a message, made or written into its text.
func (t *turn) readCalls(m engine.Message, content string) (calls []memory.ToolCall, rest string, broken bool) {
	for _, c := range m.ToolCalls {
		if name := tools.Name(c.Name); name != "" {
			c.Name = name
		}
		if c.ID == "" {
			c.ID = t.s.IDs.New("call")
		}
		if args, ok := canonical(c.Arguments); ok {
			c.Arguments = args
		}
		calls = append(calls, c)
	}
	if len(calls) > 0 {
		return calls, content, false
	}
	found, rest, broken := fromContent(content, func(name string) bool { return tools.Name(name) != "" })
	for _, f := range found {
		calls = append(calls, memory.ToolCall{ID: t.s.IDs.New("call"), Name: tools.Name(f.name), Arguments: f.args, Repaired: true})
	}
	return calls, rest, broken
}

// withoutThinking asks again when the model only thought.
func (t *turn) withoutThinking(req engine.ChatRequest, before answer) (answer, error) {
	t.tell(phaseRetrying, 0, 0, 0, "thinking")
	off := false
	req.Think = &off
	a, err := t.call(req, true)
	if a.thinking == "" {
		a.thinking = before.thinking
	}
	if err == nil && a.empty() {
		err = emptyAnswer(memory.EMALFORMED)
	}
	return a, err
}

// repair handles a tool call that cannot be read.
func (t *turn) repair(req engine.ChatRequest, before answer) (answer, error) {
	t.tell(phaseRetrying, 0, 0, 0, "tool_call")
	again := req
	again.Temperature, again.Seed = ptr(retryTemperature), ptr(retrySeed)
	again.PromptTokens = 0 // our count is of the request without the explanation
	again.Messages = append(again.Messages[:len(again.Messages):len(again.Messages)], t.instruct(
		"Error: the last tool call could not be read. Call the tool again with complete, valid JSON arguments, or answer in plain words.",
		"错误：上一次工具调用无法读取。请用完整、有效的 JSON 参数重新调用，或直接用文字回答。"))
	a, err := t.call(again, before.content == "")
	switch code := memory.CodeOf(err); {
	case err != nil && code != memory.EMALFORMED && code != memory.EINCOMPLETE:
		return a, err
	case err == nil && (len(a.calls) > 0 || !a.broken && !a.empty()):
		return a, nil
	}
	if call, err := t.constrained(req); err != nil {
		return answer{content: before.content}, err
	} else if call != nil {
		return answer{content: before.content, calls: []memory.ToolCall{*call}, usage: a.usage}, nil
	}
	return t.words(req, before)
}

// constrained lets the model make its call as JSON under a schema. nil means that it wants none.
func (t *turn) constrained(req engine.ChatRequest) (*memory.ToolCall, error) {
	t.tell(phaseRetrying, 0, 0, 0, "schema")
	f := form{language: t.set.Language, profile: t.set.profile, ids: t.s.IDs, chat: func(req engine.ChatRequest) (string, error) {
		a, err := t.call(req, false)
		return a.content, err
	}}
	base := req
	base.Tools, base.PromptTokens, base.CachedTokens = nil, 0, 0
	call, _, err := f.fill(base, req.Tools, f.pick("Which of these tools do you want to use now?", "现在要使用哪个工具？"))
	return call, err
}

// words asks for an answer in words, without tools; what the model cannot do then, we say ourselves.
func (t *turn) words(req engine.ChatRequest, before answer) (answer, error) {
	t.tell(phaseRetrying, 0, 0, 0, "words")
	if len(req.Tools) > 0 {
		req.Tools, req.PromptTokens, req.CachedTokens = nil, 0, 0
	}
	req.Seed = ptr(retrySeed)
	a, err := t.call(req, before.content == "")
	if err != nil && memory.CodeOf(err) != memory.EMALFORMED {
		return a, err
	}
	if !a.empty() {
		return a, nil
	}
	if strings.TrimSpace(before.content) != "" {
		a.content = before.content
		return a, nil
	}
	if t.lead() != "" {
		a.content, a.end = t.wishes.confirmation, memory.EndStop
		return a, nil
	}
	if len(t.edits) > 0 {
		a.content, a.end = t.sayEdits(), memory.EndStop
		return a, nil
	}
	return a, emptyAnswer(memory.EMALFORMED)
}

func emptyAnswer(code memory.Code) error {
	e := memory.Errorf(code, "answer", "The model gave no answer in words, also when asked again. Answer again, or choose another model.")
	e.Remedy = memory.RemedyRetry
	return e
}

// sayEdits is the answer of a model that changed its memory and then had nothing to say.
func (t *turn) sayEdits() string {
	seen := map[string]bool{}
	labels := []string{}
	for _, l := range t.edits {
		if !seen[l] {
			labels = append(labels, l)
		}
		seen[l] = true
	}
	if t.set.Language == "zh" {
		return "我更新了记忆：" + strings.Join(labels, "、") + "。"
	}
	return "I have updated my memory: " + strings.Join(labels, ", ") + "."
}

// proceed goes on with an answer, and adds to it. The model finds it open at the end of its prompt where its template can
// do that: then it writes the very next word, and everything before is in the engine's cache. Else it is asked to go on.
func (t *turn) proceed(r window.Request) (answer, error) {
	req := t.request(r)
	req.PromptTokens = 0 // our count is of a prompt that goes on behind the answer
	if !t.set.profile.Prefills {
		req.Messages = append(req.Messages, t.instruct("Go on exactly where you stopped. Repeat nothing.", "从停下的地方接着写，不要重复。"))
	}
	a, err := t.call(req, true)
	if memory.CodeOf(err) == memory.EMALFORMED && a.content == t.job.goOn.Content {
		err = nil // it had nothing to add
	}
	return a, err
}

// savePrompt stores the exact request for the inspector.
func (t *turn) savePrompt(req engine.ChatRequest) {
	type options struct {
		NumCtx      int      `json:"num_ctx"`
		NumPredict  int      `json:"num_predict"`
		Temperature *float64 `json:"temperature,omitempty"`
		Seed        *int     `json:"seed,omitempty"`
	}
	body, err := json.Marshal(struct {
		Model    string           `json:"model"`
		Tools    []engine.Tool    `json:"tools,omitempty"`
		Messages []engine.Message `json:"messages"` // behind what stays the same: the store keeps what differs
		Format   json.RawMessage  `json:"format,omitempty"`
		Think    *bool            `json:"think,omitempty"`
		Options  options          `json:"options"`
		Truncate bool             `json:"truncate"`
		Shift    bool             `json:"shift"`
	}{req.Model, req.Tools, req.Messages, req.Format, req.Think, options{req.NumCtx, req.NumPredict, req.Temperature, req.Seed}, false, false})
	if err == nil {
		ctx, cancel := t.storing()
		defer cancel()
		err = t.s.Store.SavePrompt(ctx, t.msg.ID, body)
	}
	t.note("prompt", err)
}

func ptr[T any](v T) *T { return &v }
