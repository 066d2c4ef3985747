package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ollama/ollama/api"

	"recollect/backend/memory"
)

const chatOp = "chat"

// SidePrefix begins the system message of every background chat but those AfterChat. On our own engine it is what keeps side tasks in the
// second prompt cache: the longest common prefix decides between caches, and this one is not the chat's.
const SidePrefix = "Background task: you do a small piece of housekeeping and your output is read by a program, not by a person.\n\n"

// Chat sends a chat and streams the answer to fn, which may be nil and whose error ends the answer. With an error the
// result still holds what came before it. Codes: EINVALID, ECANCELLED, EINCOMPLETE (the stream ended without done), EMODEL
// (RemedyPullModel, RemedySmallerModel), EOVERFLOW, EBUSY, EENGINE, EUNSUPPORTED, EMALFORMED (a tool call or JSON that
// cannot be used; RemedyRetryNoThink when the model only thought).
func (e *Engine) Chat(ctx context.Context, req ChatRequest, fn func(Chunk) error) (ChatResult, error) {
	defer e.Hold()()
	t, err := e.begin(ctx, req, false)
	if err != nil {
		return ChatResult{Message: Message{Role: "assistant"}, Usage: memory.Usage{CachedTokens: -1}}, err
	}
	err = t.run(fn)
	t.result.Usage.EstimateTokens = req.PromptTokens
	if err != nil {
		err := classify(ctx, chatOp, err)
		if t.conn.log != nil && cutOff(err.Err) {
			err = memory.Errorf(memory.EENGINE, chatOp, "the engine ended in the middle of the answer; it is being started again").With(memory.RemedyRetry, err.Err)
		}
		if err.Code == memory.EOVERFLOW {
			if err.Limit = t.window; t.total > t.window { // else our estimate is wrong, and no use to anybody
				err.Actual = t.total
			}
		}
		e.hung(t.conn, err)
		return t.result, err
	}
	return t.result, nil
}

// Warm loads the request's model and reads its prompt into the engine's cache without an answer, so that the next chat
// which begins the same starts at once. Call it while idle, with PriorityBackground.
func (e *Engine) Warm(ctx context.Context, req ChatRequest) (memory.Usage, error) {
	defer e.Hold()()
	req.NumPredict = 1
	t, err := e.begin(ctx, req, true)
	if err != nil {
		return memory.Usage{}, err
	}
	if err := t.run(nil); err != nil {
		return memory.Usage{}, classify(ctx, "warm up", err)
	}
	return t.result.Usage, nil
}

// PromptSpeed returns how many tokens of a prompt the model reads in a second on this machine; 0 = not measured yet.
func (e *Engine) PromptSpeed(name string) float64 {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.speeds[fullName(name)]
}

// turn is one chat on its way through the engine.
type turn struct {
	*Engine
	ctx     context.Context // lives for one call
	req     ChatRequest
	conn    *conn
	profile Profile
	base    api.ChatRequest // what all requests of this turn have in common
	window  int
	total   int // tokens of the prompt, estimated
	began   time.Time
	warm    bool

	progressMu sync.Mutex
	read       int // tokens of the prompt read so far

	result  ChatResult
	loaded  bool          // this turn loaded the model
	first   one           // the first request, which met the cache as it was before this turn
	last    int           // tokens of the prompt of the request before
	reading time.Duration // what the engine spent on the prompt
}

// begin checks a request and translates it.
func (e *Engine) begin(ctx context.Context, req ChatRequest, warm bool) (*turn, error) {
	invalid := func(format string, args ...any) error { return memory.Errorf(memory.EINVALID, chatOp, format, args...) }
	switch {
	case len(req.Messages) == 0:
		return nil, invalid("there is no message")
	case req.NumCtx <= 0 || req.NumPredict <= 0:
		return nil, invalid("the window and the limit of the answer must be positive, not %d and %d", req.NumCtx, req.NumPredict)
	case len(req.Tools) > 0 && len(req.Format) > 0:
		return nil, invalid("tools and a format exclude each other")
	case req.Priority < PriorityChat || req.Priority > PriorityBackground:
		return nil, invalid("there is no priority %d", req.Priority)
	}
	c, err := e.connection()
	if err != nil {
		return nil, err
	}
	p, err := e.profile(ctx, c, req.Model)
	if err != nil {
		return nil, err
	}
	if err := refuseRemote(chatOp, p); err != nil {
		return nil, err
	}
	if err := tooOld(chatOp, p, e.Status().Version); err != nil {
		return nil, err
	}
	if !p.Chat {
		err := memory.Errorf(memory.EUNSUPPORTED, chatOp, "%s cannot chat", p.Name)
		err.Remedy = memory.RemedyChooseModel
		return nil, err
	}
	t := &turn{Engine: e, ctx: ctx, req: req, conn: c, profile: p, began: time.Now(), warm: warm}
	t.result = ChatResult{Message: Message{Role: "assistant"}, Usage: memory.Usage{CachedTokens: -1}}
	t.window = req.NumCtx
	if p.Context > 0 {
		t.window = min(t.window, p.Context) // the engine would clamp it too, but only after it had counted with ours
	}
	if err := t.translate(); err != nil {
		return nil, err
	}
	if t.total = req.PromptTokens; t.total <= 0 {
		t.total = int(math.Ceil(t.weights().sum))
	}
	return t, nil
}

// translate makes the engine's request out of ours.
func (t *turn) translate() error {
	options := map[string]any{"num_ctx": t.window, "num_predict": t.req.NumPredict}
	if n := t.profile.longestAnswer; n > 0 {
		options["num_predict"] = min(n, t.req.NumPredict)
	}
	if n := t.conn.threads.Load(); n > 0 && !t.profile.ownThreads {
		options["num_thread"] = int(n)
	}
	if t.req.Temperature != nil {
		options["temperature"] = *t.req.Temperature
	}
	if t.req.Seed != nil {
		options["seed"] = *t.req.Seed
	}
	if len(t.req.Stop) > 0 {
		options["stop"] = t.req.Stop
	}
	no := false
	t.base = api.ChatRequest{
		Model: t.req.Model, Options: options, Truncate: &no, Shift: &no,
		KeepAlive: &api.Duration{Duration: t.o.Timeouts.KeepAlive},
	}
	if t.profile.Thinking { // unset, the engine would force it on
		t.base.Think = &api.ThinkValue{Value: t.req.Think != nil && *t.req.Think}
	}
	if len(t.req.Format) > 0 {
		schema, err := SanitiseSchema(t.req.Format)
		if err != nil {
			return memory.Errorf(memory.EINVALID, chatOp, "the format: %w", err)
		}
		t.base.Format = schema
	}
	for _, tool := range t.req.Tools {
		f := api.ToolFunction{Name: tool.Name, Description: tool.Description}
		if err := json.Unmarshal(tool.Parameters, &f.Parameters); err != nil {
			return memory.Errorf(memory.EINVALID, chatOp, "the parameters of tool %s: %w", tool.Name, err)
		}
		t.base.Tools = append(t.base.Tools, api.Tool{Type: "function", Function: f})
	}
	for _, m := range t.req.Messages {
		out := api.Message{Role: m.Role, Content: m.Content, Thinking: m.Thinking, ToolName: m.ToolName, ToolCallID: m.ToolCallID}
		if len(m.ToolCalls) > 0 && !t.profile.KeepsCallText {
			out.Content = ""
		}
		for _, image := range m.Images {
			out.Images = append(out.Images, image)
		}
		for i, call := range m.ToolCalls {
			c := api.ToolCall{ID: call.ID, Function: api.ToolCallFunction{Index: i, Name: call.Name}}
			if err := json.Unmarshal([]byte(cmpOr(call.Arguments, "{}")), &c.Function.Arguments); err != nil {
				return memory.Errorf(memory.EINVALID, chatOp, "the arguments of a call of %s: %w", call.Name, err)
			}
			out.ToolCalls = append(out.ToolCalls, c)
		}
		t.base.Messages = append(t.base.Messages, out)
	}
	if t.aside() {
		t.base.Messages = withSidePrefix(t.base.Messages)
	}
	return nil
}

// aside says whether the turn is a side task with a prompt of its own, not one that begins as the chat's does.
func (t *turn) aside() bool {
	return t.req.Priority == PriorityBackground && !t.warm && !t.req.AfterChat
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}

// withSidePrefix puts SidePrefix at the start of the system message, which it makes where there is none.
func withSidePrefix(messages []api.Message) []api.Message {
	if messages[0].Role != "system" {
		return append([]api.Message{{Role: "system", Content: SidePrefix}}, messages...)
	}
	if !strings.HasPrefix(messages[0].Content, SidePrefix) {
		messages[0].Content = SidePrefix + messages[0].Content
	}
	return messages
}

// run takes the turn through queue, load, stages and answer.
func (t *turn) run(fn func(Chunk) error) error {
	t.progress(PhaseQueued, 0)
	if err := t.queue.acquire(t.ctx, t.req.Priority); err != nil {
		return err
	}
	held := true
	defer func() {
		if held {
			t.queue.release()
		}
	}()
	fresh, err := t.load()
	if err != nil {
		return err
	}
	sent := time.Now()
	if held, err = t.stages(fresh); err != nil {
		return err
	}
	t.seed()
	return t.answer(sent, fn)
}

// progress reports where the turn is; read never goes back.
func (t *turn) progress(phase Phase, read int) {
	t.progressMu.Lock()
	defer t.progressMu.Unlock()
	t.read = max(t.read, min(read, t.total))
	if t.req.Progress == nil {
		return
	}
	p := Progress{Phase: phase, Read: t.read, Total: t.total, Elapsed: time.Since(t.began)}
	if speed := t.PromptSpeed(t.req.Model); phase == PhaseReading && speed > 0 {
		p.ETA = time.Duration(float64(t.total-t.read) / speed * float64(time.Second))
	}
	t.req.Progress(p)
}

// load brings the model into memory, apart from the prompt so that each has its own watchdog, and says whether its caches
// must be taken for empty.
func (t *turn) load() (fresh bool, err error) {
	name := fullName(t.req.Model)
	now := t.o.Clock()
	t.conn.mu.Lock()
	r, ok := t.conn.resident[name]
	t.conn.mu.Unlock()
	if ok && r.window == t.window && now.Before(r.until) {
		t.result.Serves = r.serves
		return false, nil
	}
	t.progress(PhaseLoading, 0)
	req := t.base
	req.Messages, req.Tools, req.Format, req.Think = []api.Message{}, nil, nil, nil
	stream := false
	req.Stream = &stream
	ctx, dog := watch(t.ctx, PhaseLoading, t.o.Timeouts.Load)
	defer dog.stop()
	began := time.Now()
	var res api.ChatResponse
	if err := t.conn.call(ctx, http.MethodPost, "/api/chat", req, &res); err != nil {
		return false, cause(ctx, err)
	}
	if !res.Done {
		return false, notDone("load the model")
	}
	t.loaded = true
	t.result.Usage.LoadMs = time.Since(began).Milliseconds()
	t.result.Serves = t.conn.serves(ctx, name)
	t.stay(residence{window: t.window, serves: t.result.Serves})
	return true, nil
}

// stay notes that the model is in memory, from now for a little less than its keep-alive.
func (t *turn) stay(r residence) {
	r.until = t.o.Clock().Add(t.o.Timeouts.KeepAlive * 9 / 10)
	t.conn.mu.Lock()
	defer t.conn.mu.Unlock()
	t.conn.resident[fullName(t.req.Model)] = r
}

// cause prefers what a watchdog found over the cancelled context that it left.
func cause(ctx context.Context, err error) error {
	var slow errSlow
	if errors.As(context.Cause(ctx), &slow) {
		return slow
	}
	return err
}

// one is the outcome of one request to the engine.
type one struct {
	api.Metrics
	reason string
	done   bool
	cached *int // tokens of the prompt that were in the cache, where the engine says so
	slot   slotLine
	known  bool // slot was found in our engine's log
}

// chatLine is a line of an answer. Newer engines than the API client say what was in the cache.
type chatLine struct {
	api.ChatResponse
	Cached *int `json:"prompt_eval_cached_count"`
}

// reused returns how many tokens of the prompt were in the cache, where that is told and not concluded.
func (o one) reused() (int, bool) {
	switch {
	case o.known:
		return o.slot.Used, true
	case o.cached != nil && *o.cached >= 0:
		return *o.cached, true
	}
	return 0, false
}

// repeatsLikely is how many equal pieces at the end of an answer without an end say that the model repeated itself: the
// engine gives up after 31 of its own, of which we may get fewer, since it holds some back.
const repeatsLikely = 20

// send makes one streamed request, under the watchdogs. expect is how long reading its prompt should take.
func (t *turn) send(ctx context.Context, req api.ChatRequest, expect time.Duration, on func(api.ChatResponse) error) (one, error) {
	var out one
	last, same := "", 0 // the last piece, but for white space, and how often it came in a row
	mark := t.conn.log.mark()
	watched, dog := watch(ctx, PhaseReading, t.o.Timeouts.FirstToken+expect)
	defer dog.stop()
	err := t.conn.stream(watched, "/api/chat", req, func(line []byte) error {
		var r chatLine
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("read the answer: %w", err)
		}
		dog.feed(PhaseWriting, t.o.Timeouts.Stall)
		if piece := strings.TrimSpace(r.Message.Content + r.Message.Thinking); piece == last {
			same++
		} else {
			last, same = piece, 1
		}
		if r.Done {
			out.done, out.reason, out.Metrics, out.cached = true, r.DoneReason, r.Metrics, r.Cached
		}
		if on != nil {
			return on(r.ChatResponse)
		}
		return nil
	})
	if err != nil {
		err = cause(watched, err)
		if code := memory.CodeOf(classify(ctx, chatOp, err)); code == memory.EENGINE || code == memory.EMODEL {
			t.conn.forget(t.req.Model) // the runner died, or the model is gone
			t.mu.Lock()
			delete(t.digests, fullName(t.req.Model))
			t.mu.Unlock()
		}
		return out, err
	}
	if !out.done {
		if same >= repeatsLikely {
			return out, memory.Errorf(memory.EINCOMPLETE, chatOp, "the model repeated itself, so the engine ended the answer").With(memory.RemedyRetry, nil)
		}
		return out, notDone(chatOp)
	}
	out.slot, out.known = t.conn.log.find(mark, out.PromptEvalCount)
	return out, nil
}

// expect is how long the engine should need to read so many tokens.
func (t *turn) expect(tokens int) time.Duration {
	speed := t.PromptSpeed(t.req.Model)
	if speed <= 0 {
		speed = 10 // a slow machine
	}
	return time.Duration(float64(tokens) / speed * 1.5 * float64(time.Second))
}

// answer sends the whole prompt and streams the answer; the first request of the turn was sent at sent.
func (t *turn) answer(sent time.Time, fn func(Chunk) error) error {
	t.progressMu.Lock()
	at := t.read
	t.progressMu.Unlock()
	t.progress(PhaseReading, at)
	a := accumulator{turn: t, fn: fn}
	stop := t.tick(at)
	o, err := t.send(t.ctx, t.base, t.expect(t.total-at), func(r api.ChatResponse) error {
		stop()
		if a.chunks == 0 {
			t.result.Usage.FirstTokenMs = time.Since(sent).Milliseconds()
			t.progress(PhaseWriting, t.total)
		}
		a.chunks++
		return a.add(r.Message)
	})
	stop()
	a.close()
	t.result.Stages++
	if err != nil {
		return err
	}
	t.measure(o)
	t.remember(append(t.base.Messages[:len(t.base.Messages):len(t.base.Messages)], api.Message{Role: "assistant", Content: t.result.Message.Content}))
	return a.verdict(o)
}

// tick reports, while the last piece is read, how far it should be by the measured speed. The function it returns ends that.
func (t *turn) tick(from int) func() {
	speed := t.PromptSpeed(t.req.Model)
	if t.req.Progress == nil || speed <= 0 {
		return func() {}
	}
	ctx, cancel := context.WithCancel(t.ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		began := time.Now()
		ticker := time.NewTicker(500 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				t.progress(PhaseReading, min(from+int(time.Since(began).Seconds()*speed), t.total-1))
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// measure takes the figures of the answer into the usage.
func (t *turn) measure(o one) {
	u := &t.result.Usage
	u.PromptTokens, u.OutputTokens = o.PromptEvalCount, o.EvalCount
	u.OutputMs = o.EvalDuration.Milliseconds()
	t.account(o)
	u.PromptMs = t.reading.Milliseconds()
	// The figures lie when the engine read fewer tokens than we sent. Estimates of short prompts are too rough to tell.
	if n := t.req.PromptTokens; o.PromptEvalCount > 0 && n-o.PromptEvalCount > 64 && float64(o.PromptEvalCount) < 0.8*float64(n) {
		u.Truncated = true
	}
	u.CachedTokens = t.cached(o)
	t.conn.mu.Lock()
	r, ok := t.conn.resident[fullName(t.req.Model)]
	t.conn.mu.Unlock()
	if ok {
		if t.first.known && t.first.slot.Cache == 0 && !t.loaded {
			r.seeded, r.tries = false, 0 // a fresh runner: it was loaded anew behind our back
		}
		t.stay(r)
	}
	switch o.reason {
	case "length":
		t.result.End = memory.EndLength
	default:
		t.result.End = memory.EndStop
	}
}

// accumulator collects an answer and watches it.
type accumulator struct {
	*turn
	fn     func(Chunk) error
	chunks int
	space  int // white space in a row, where JSON was asked for
	split  thinkSplitter
	text   strings.Builder
	think  strings.Builder
	began  time.Time // when the first thought came; zero once there is something behind it
}

var errWhitespace = memory.Errorf(memory.EMALFORMED, chatOp, "the model wrote white space without end instead of JSON")

func (a *accumulator) add(m api.Message) error {
	content, thinking := a.split.add(m.Content)
	c := Chunk{Content: content, Thinking: m.Thinking + thinking}
	a.time(c.Thinking != "", strings.TrimSpace(c.Content) != "" || len(m.ToolCalls) > 0)
	a.text.WriteString(c.Content)
	a.think.WriteString(c.Thinking)
	for _, call := range m.ToolCalls {
		args, err := canonical(call.Function.Arguments)
		if err != nil {
			return memory.Errorf(memory.EMALFORMED, chatOp, "the arguments of a call of %s: %w", call.Function.Name, err)
		}
		c.ToolCalls = append(c.ToolCalls, memory.ToolCall{ID: call.ID, Name: call.Function.Name, Arguments: args})
	}
	a.result.Message.ToolCalls = append(a.result.Message.ToolCalls, c.ToolCalls...)
	if len(a.base.Format) > 0 {
		for _, r := range m.Content {
			if !unicode.IsSpace(r) {
				a.space = 0
			} else if a.space++; a.space >= 64 {
				return errWhitespace
			}
		}
	}
	if a.fn == nil || c.Content == "" && c.Thinking == "" && len(c.ToolCalls) == 0 {
		return nil
	}
	return a.fn(c)
}

// time measures how long the model thinks, given what has come: thoughts, or something else.
func (a *accumulator) time(thoughts, other bool) {
	if thoughts && a.think.Len() == 0 {
		a.began = time.Now()
	}
	if a.began.IsZero() {
		return
	}
	a.result.Usage.ThinkingMs = max(1, time.Since(a.began).Milliseconds())
	if other {
		a.began = time.Time{}
	}
}

// close puts the text where it stays, also after an error.
func (a *accumulator) close() {
	content, thinking := a.split.end()
	a.text.WriteString(content)
	a.think.WriteString(thinking)
	a.result.Message.Content, a.result.Message.Thinking = a.text.String(), a.think.String()
}

// verdict says whether an answer that ended in good order is one.
func (a *accumulator) verdict(o one) error {
	if a.warm || strings.TrimSpace(a.text.String()) != "" || len(a.result.Message.ToolCalls) > 0 {
		return nil
	}
	switch {
	case strings.TrimSpace(a.think.String()) != "":
		err := memory.Errorf(memory.EMALFORMED, chatOp, "the model only thought and gave no answer")
		err.Remedy = memory.RemedyRetryNoThink
		return err
	case len(a.req.Tools) > 0 && o.EvalCount > 1:
		err := memory.Errorf(memory.EMALFORMED, chatOp, "the model's tool call could not be read")
		err.Remedy = memory.RemedyRetry
		return err
	}
	return nil
}

// canonical writes arguments with sorted keys and no white space: parsers hand them over in random order.
func canonical(args api.ToolCallFunctionArguments) (string, error) {
	m := args.ToMap()
	if m == nil {
		return "{}", nil
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(m); err != nil {
		return "", err
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// weights says how a request's tokens are spread over its messages.
type weights struct {
	messages []float64 // of each message, tool calls and the template's part included
	sum      float64
}

const messageWeight = 5 // tokens that a template spends on a message

// weight estimates the tokens of a text, well enough to say where to cut it.
func weight(s string) float64 {
	ascii := 0
	for i := range len(s) {
		if s[i] < utf8.RuneSelf {
			ascii++
		}
	}
	return float64(ascii)/4 + float64(utf8.RuneCountInString(s)-ascii)*0.8
}

func (t *turn) weights() weights {
	var w weights
	for i, m := range t.base.Messages {
		n := messageWeight + weight(m.Content)
		for _, c := range m.ToolCalls {
			n += messageWeight + weight(c.Function.Name) + weight(c.Function.Arguments.String())
		}
		if i == 0 && len(t.base.Tools) > 0 {
			n += weight(t.base.Tools.String())
		}
		w.messages = append(w.messages, n)
		w.sum += n
	}
	return w
}
