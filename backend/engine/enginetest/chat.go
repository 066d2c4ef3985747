package enginetest

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/ollama/ollama/api"
	"github.com/ollama/ollama/types/model"
)

// Reply is the scripted answer to one chat request.
type Reply struct {
	Content  string   // sent in word-sized chunks
	Chunks   []string // sent as they are, instead of Content
	Thinking string
	Calls    []Call
	End      string // done_reason, "" = "stop", or "length" where num_predict cut the answer

	Status int    // an HTTP error instead of an answer
	Error  string // its text; with Status 0 an error line after the chunks

	Fault Fault
	Delay time.Duration   // between the chunks
	Hold  <-chan struct{} // after the chunks the answer waits for this channel to close
	Read  <-chan struct{} // the prompt is read only when this channel closes, even if the client has gone by then

	PromptTokens int // a lie about prompt_eval_count; 0 = the truth, -1 = the field is missing
	OutputTokens int // eval_count; 0 = the truth
	CachedTokens int // prompt_eval_cached_count, which only newer engines tell; 0 = the field is missing
}

// Call is a tool call; Arguments is a JSON object.
type Call struct{ Name, Arguments string }

// Fault is a way to misbehave after the chunks of an answer.
type Fault int

// The faults.
const (
	NoFault    Fault = iota
	Reset            // the connection is reset
	EOF              // the stream ends in good order, without done
	Stall            // nothing more comes until the client gives up
	LongLine         // a line of 9 MB
	Garbage          // a line that is not JSON
	Whitespace       // line breaks without end
	Repeat           // the last chunk 31 times more, then the end without done
	Die              // the process ends at once, as when it is killed
	SplitRunes       // no fault of the stream: each line is sent byte by byte
)

// Echo is the script of a Fake without OnChat: it repeats the last user message. Asked to choose a tool as JSON, it wants
// none.
func Echo(r api.ChatRequest) Reply {
	if strings.Contains(string(r.Format), `"none"`) {
		return Reply{Content: `{"tool": "none"}`}
	}
	return Reply{Content: "You said: " + LastUser(r)}
}

// slots are the prompt caches of one model.
type slots struct {
	sem   chan struct{}
	cache [][]string // tokens
	used  []bool
}

// chat answers /api/chat.
func (f *Fake) chat(w http.ResponseWriter, r *http.Request) {
	var req api.ChatRequest
	body, ok := f.read(w, r, &req)
	if !ok {
		return
	}
	opts := api.Options{Runner: api.Runner{NumCtx: 4096}}
	if err := opts.FromMap(req.Options); err != nil {
		fail(w, 500, err.Error())
		return
	}
	stage := len(req.Messages) == 0 || opts.NumPredict == 1
	f.record(Request{Path: r.URL.Path, Body: body, Chat: &req, Stage: stage})
	m, ok := f.find(req.Model)
	switch {
	case !ok:
		fail(w, 404, fmt.Sprintf("model '%s' not found", req.Model))
		return
	case !m.can(model.CapabilityCompletion):
		fail(w, 400, fmt.Sprintf("%q does not support chat", req.Model))
		return
	case len(req.Tools) > 0 && !m.can(model.CapabilityTools):
		fail(w, 400, fmt.Sprintf("registry.ollama.ai/library/%s does not support tools", fullName(req.Model)))
		return
	case req.Think != nil && req.Think.Bool() && !m.can(model.CapabilityThinking):
		fail(w, 400, fmt.Sprintf("%q does not support thinking", req.Model))
		return
	}
	ctx := min(opts.NumCtx, m.context())
	if m.MaxWindow > 0 && ctx > m.MaxWindow {
		fail(w, 500, "model requires more system memory (9.0 GiB) than is available (4.0 GiB)")
		return
	}
	if m.Serves > 0 {
		ctx = min(ctx, m.Serves)
	}
	load := f.load(req.Model, ctx)
	if len(req.Messages) == 0 {
		reply(w, 200, api.ChatResponse{Model: req.Model, Done: true, DoneReason: "load", Metrics: api.Metrics{LoadDuration: load}})
		return
	}
	prompt := render(req)
	if len(prompt) > ctx {
		if req.Truncate != nil && !*req.Truncate {
			fail(w, 400, "the input length exceeds the context length")
			return
		}
		prompt = prompt[len(prompt)-ctx:]
	}
	script := Reply{Chunks: []string{"."}, End: "length"}
	if !stage {
		f.mu.Lock()
		fn := f.onChat
		f.mu.Unlock()
		script = fn(req)
	}
	if script.Status != 0 {
		fail(w, script.Status, script.Error)
		return
	}

	s := f.slotsOf(req.Model)
	select {
	case s.sem <- struct{}{}:
	case <-r.Context().Done():
		return
	case <-f.stopping():
		return
	}
	slot, fresh := f.takeSlot(s, prompt)
	promptTime := f.readPrompt(fresh, script.Read)
	if r.Context().Err() != nil { // the client went meanwhile; the prompt was read all the same
		f.freeSlot(s, slot, nil)
		return
	}
	answer := f.answer(w, r, req, opts, script, api.Metrics{
		LoadDuration: load, PromptEvalCount: len(prompt), PromptEvalDuration: promptTime,
	})
	f.freeSlot(s, slot, answer)
}

// load notes a model as loaded and returns how long that took.
func (f *Fake) load(name string, ctx int) time.Duration {
	name = fullName(name)
	f.mu.Lock()
	there, fn := f.loaded[name] == ctx, f.onLoad
	f.mu.Unlock()
	if there {
		return 10 * time.Millisecond
	}
	if fn != nil {
		fn(name)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.loaded[name] = ctx
	delete(f.slots, name) // another window: the runner starts anew
	return 500 * time.Millisecond
}

func (f *Fake) slotsOf(name string) *slots {
	f.mu.Lock()
	defer f.mu.Unlock()
	name = fullName(name)
	if f.slots[name] == nil {
		f.slots[name] = &slots{sem: make(chan struct{}, f.o.Slots), cache: make([][]string, f.o.Slots), used: make([]bool, f.o.Slots)}
	}
	return f.slots[name]
}

// takeSlot picks the free slot with the longest common prefix, the first of equals, and returns how many tokens are new.
func (f *Fake) takeSlot(s *slots, prompt []string) (slot, fresh int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	best := -1
	for i, c := range s.cache {
		if s.used[i] {
			continue
		}
		n := 0
		for n < len(c) && n < len(prompt) && c[n] == prompt[n] {
			n++
		}
		if n > best {
			best, slot = n, i
		}
	}
	s.used[slot], s.cache[slot] = true, prompt
	return slot, max(len(prompt)-best, 1)
}

func (f *Fake) freeSlot(s *slots, slot int, answer []string) {
	f.mu.Lock()
	s.used[slot] = false
	s.cache[slot] = append(slices.Clip(s.cache[slot]), answer...)
	f.mu.Unlock()
	<-s.sem
}

// readPrompt takes the time that the new tokens of a prompt need; nobody can cancel it, as in Ollama.
func (f *Fake) readPrompt(fresh int, hold <-chan struct{}) time.Duration {
	if hold != nil {
		select {
		case <-hold:
		case <-f.stopping():
		}
	}
	speed := f.o.PromptSpeed
	if speed <= 0 {
		return time.Duration(fresh) * time.Millisecond // claimed, not spent
	}
	d := time.Duration(float64(fresh) / speed * float64(time.Second))
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-f.stopping():
	}
	return d
}

// answer streams the scripted answer and returns its tokens.
func (f *Fake) answer(w http.ResponseWriter, r *http.Request, req api.ChatRequest, opts api.Options, script Reply, m api.Metrics) (tokens []string) {
	s := newStream(w)
	line := func(msg api.Message) bool {
		msg.Role = "assistant"
		v := api.ChatResponse{Model: req.Model, CreatedAt: time.Now().UTC(), Message: msg}
		if script.Fault != SplitRunes {
			return s.send(v)
		}
		b, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		for _, c := range append(b, '\n') {
			if !s.write([]byte{c}) {
				return false
			}
		}
		return true
	}
	end := script.End
	if end == "" {
		end = "stop"
	}
	room := opts.NumPredict
	if room <= 0 {
		room = 1 << 20
	}
	put := func(text string, thinking bool) bool {
		if !f.pause(r, max(script.Delay, f.o.ChunkDelay)) {
			return false
		}
		tokens = append(tokens, tokenise(text)...)
		if thinking {
			return line(api.Message{Thinking: text})
		}
		return line(api.Message{Content: text})
	}
	for _, c := range chunks(script.Thinking) {
		if len(tokens) >= room {
			end = "length"
			break
		}
		if !put(c, true) {
			return tokens
		}
	}
	content := script.Chunks
	if content == nil {
		content = chunks(script.Content)
	}
	for _, c := range content {
		if len(tokens) >= room {
			end = "length"
			break
		}
		if !put(c, false) {
			return tokens
		}
	}
	for i, c := range script.Calls {
		var args api.ToolCallFunctionArguments
		if err := json.Unmarshal([]byte(c.Arguments), &args); err != nil {
			panic(fmt.Sprintf("arguments of the scripted call %q: %v", c.Name, err))
		}
		tokens = append(tokens, tokenise(c.Name+c.Arguments)...)
		call := api.ToolCall{ID: fmt.Sprintf("call_%d", i), Function: api.ToolCallFunction{Index: i, Name: c.Name, Arguments: args}}
		if !line(api.Message{ToolCalls: []api.ToolCall{call}}) {
			return tokens
		}
	}
	if script.Hold != nil {
		select {
		case <-script.Hold:
		case <-r.Context().Done():
			return tokens
		case <-f.stopping():
			return tokens
		}
	}
	if !f.misbehave(s, w, r, script, line) {
		return tokens
	}
	m.EvalCount = len(tokens) + 1
	m.EvalDuration = time.Duration(m.EvalCount) * 20 * time.Millisecond
	m.TotalDuration = m.LoadDuration + m.PromptEvalDuration + m.EvalDuration
	if script.OutputTokens != 0 {
		m.EvalCount = script.OutputTokens
	}
	if script.PromptTokens != 0 {
		m.PromptEvalCount = max(script.PromptTokens, 0)
	}
	last := struct {
		api.ChatResponse
		Cached int `json:"prompt_eval_cached_count,omitempty"`
	}{api.ChatResponse{
		Model: req.Model, CreatedAt: time.Now().UTC(), Message: api.Message{Role: "assistant"}, Done: true, DoneReason: end, Metrics: m,
	}, script.CachedTokens}
	s.send(last)
	return tokens
}

// misbehave commits the script's fault, and says whether the answer still ends in good order.
func (f *Fake) misbehave(s *stream, w http.ResponseWriter, r *http.Request, script Reply, line func(api.Message) bool) bool {
	if script.Error != "" {
		s.send(map[string]string{"error": script.Error})
		return false
	}
	switch script.Fault {
	case NoFault, SplitRunes:
		return true
	case Reset:
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			if tcp, ok := c.(*net.TCPConn); ok {
				tcp.SetLinger(0) //nolint:errcheck // best effort
			}
			c.Close() //nolint:errcheck // best effort
		}
	case EOF:
	case Die:
		os.Exit(1)
	case Stall:
		f.pause(r, time.Hour)
	case LongLine:
		line(api.Message{Content: strings.Repeat("x", 9<<20)})
	case Garbage:
		s.write([]byte("<html>bad gateway</html>\n"))
	case Whitespace:
		for line(api.Message{Content: "\n \n"}) && f.pause(r, time.Millisecond) {
		}
	case Repeat:
		last := "la "
		if n := len(script.Chunks); n > 0 {
			last = script.Chunks[n-1]
		}
		for range 31 {
			line(api.Message{Content: last})
		}
	}
	return false
}

// chunks cuts a text into words with the space before them.
func chunks(s string) []string {
	var out []string
	start := 0
	for i, r := range s {
		if i > start && (unicode.IsSpace(r) || r > 0x2e80 || i-start >= 24) {
			out = append(out, s[start:i])
			start = i
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// CountTokens returns the tokens of a text as the Fake counts them: about one for a word, one for a CJK character.
func CountTokens(s string) int { return len(tokenise(s)) }

func tokenise(s string) []string {
	var out []string
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		word := func(r rune) bool { return r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
		if r == ' ' || word(r) {
			for k := 1; n < len(s) && k < 9; k++ {
				r, w := utf8.DecodeRuneInString(s[n:])
				if !word(r) {
					break
				}
				n += w
			}
		}
		out = append(out, s[:n])
		s = s[n:]
	}
	return out
}

// render turns a request into the tokens of its prompt, system messages first as most templates do.
func render(req api.ChatRequest) []string {
	var out []string
	put := func(role string, parts ...string) {
		out = append(out, "<|im_start|>", role, "\n")
		for _, p := range parts {
			out = append(out, tokenise(p)...)
		}
		out = append(out, "<|im_end|>", "\n")
	}
	if len(req.Tools) > 0 {
		put("tools", req.Tools.String())
	}
	for _, system := range []bool{true, false} {
		for _, m := range req.Messages {
			if (m.Role == "system") != system {
				continue
			}
			parts := []string{m.Content}
			for _, c := range m.ToolCalls {
				parts = append(parts, c.Function.Name, c.Function.Arguments.String())
			}
			put(m.Role, parts...)
		}
	}
	return append(out, "<|im_start|>", "assistant", "\n")
}
