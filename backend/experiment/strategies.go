package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"recollect/backend/agent"
	"recollect/backend/eval"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/tokens"
)

// Chat is a talk with questions about it.
type Chat struct {
	Messages  []ChatMessage  `json:"messages"`  // user and assistant in turn
	Questions []ChatQuestion `json:"questions"` // about what was said, in other words
}

// ChatMessage is one message of a talk.
type ChatMessage struct {
	Role    memory.Role `json:"role"`
	Content string      `json:"content"`
}

// ChatQuestion asks for something that was said.
type ChatQuestion struct {
	Ask    string `json:"ask"`
	Answer string `json:"answer"` // a word or a phrase of what was said, which the question does not contain
}

// maxChat is how large a file with a talk may be, in bytes.
const maxChat = 32 << 20

// ReadChat reads a talk from JSON. EINVALID where it cannot be used.
func ReadChat(r io.Reader) (Chat, error) {
	const op = "read the chat"
	var c Chat
	body, err := io.ReadAll(io.LimitReader(r, maxChat+1))
	if err != nil {
		return c, fmt.Errorf("%s: %w", op, err)
	}
	if len(body) > maxChat {
		return c, memory.Errorf(memory.EINVALID, op, "it has more than %d MB", maxChat>>20)
	}
	if err := json.Unmarshal(body, &c); err != nil {
		return c, memory.Errorf(memory.EINVALID, op, `it is not JSON such as {"messages": [{"role": "user", "content": "…"}], "questions": [{"ask": "…", "answer": "…"}]}: %w`, err)
	}
	return c, c.Validate()
}

// Validate fails with EINVALID where a talk cannot be used.
func (c Chat) Validate() error {
	const op = "read the chat"
	for _, q := range c.Questions {
		if strings.TrimSpace(q.Ask) == "" || strings.TrimSpace(q.Answer) == "" {
			return memory.Errorf(memory.EINVALID, op, "a question needs ask and answer")
		}
		if holds(q.Ask, q.Answer) {
			return memory.Errorf(memory.EINVALID, op, "the question %q contains its answer", q.Ask)
		}
	}
	_, err := c.turns()
	return err
}

// turns returns the talk as exchanges.
func (c Chat) turns() ([]exchange, error) {
	var out []exchange
	for i, m := range c.Messages {
		want := []memory.Role{memory.RoleUser, memory.RoleAssistant}[i%2]
		if m.Role != want || strings.TrimSpace(m.Content) == "" {
			return nil, memory.Errorf(memory.EINVALID, "read the chat", "message %d must be one of the %s, with a content", i+1, want)
		}
		if want == memory.RoleUser {
			out = append(out, exchange{user: m.Content})
		} else {
			out[len(out)-1].answer = m.Content
		}
	}
	if len(out) < minTurns || len(c.Messages)%2 != 0 {
		return nil, memory.Errorf(memory.EINVALID, "read the chat", "it needs at least %d turns of two messages", minTurns)
	}
	return out, nil
}

// The built-in chat.
const (
	minTurns      = 4
	builtInTurns  = 100
	builtInTokens = 500 // of a turn
)

// BuiltIn returns the built-in talk: a hundred turns of five hundred tokens, in which forty facts are told at even distances.
func BuiltIn() Chat {
	talk := newSmallTalk(tokens.Estimator(), builtInTokens)
	var c Chat
	told := 0
	for i := range builtInTurns {
		e := exchange{user: "Let me tell you about my day.", answer: pick(talk, replies)}
		if told < len(facts) && told*builtInTurns <= i*len(facts) {
			e.user, told = facts[told].told, told+1
		}
		e = talk.filled(e)
		c.Messages = append(c.Messages, ChatMessage{memory.RoleUser, e.user}, ChatMessage{memory.RoleAssistant, e.answer})
	}
	for _, f := range facts {
		c.Questions = append(c.Questions, ChatQuestion{Ask: f.asked, Answer: f.answer})
	}
	return c
}

// holds reports whether a text contains a phrase, letter case aside.
func holds(text, phrase string) bool {
	return strings.Contains(strings.ToLower(text), strings.ToLower(strings.TrimSpace(phrase)))
}

// Range is a figure of the reference, in percent.
type Range struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// StrategyRow is what one strategy costs and keeps.
type StrategyRow struct {
	Strategy memory.Strategy `json:"strategy"`
	Used     memory.Strategy `json:"used"` // in the end: a summary that no model could make leaves another one in its place

	PromptTokens  int     `json:"prompt_tokens"` // of the next request
	Saved         float64 `json:"saved"`         // percent of the tokens that the whole talk takes; 0 where it takes less than instructions and tools
	ReferenceSave Range   `json:"reference_saved"`

	DelayMs      float64 `json:"delay_ms"`      // that making room added before a message was sent, the longest
	BackgroundMs float64 `json:"background_ms"` // that models worked for it, in the background
	ModelCalls   int     `json:"model_calls"`
	ModelTokens  int     `json:"model_tokens"` // read and written by these
	ModelCost    float64 `json:"model_cost"`   // dollars that they would cost at ReferencePrice

	Retained       float64 `json:"retained"`           // percent of the questions whose answer is in the window, without recall
	ReferenceKeep  float64 `json:"reference_retained"` // percent
	RetainedRecall float64 `json:"retained_recall"`    // percent, in the window or found by recall

	Missed []string `json:"missed"` // the questions whose answer is in neither

	ResponseMs float64 `json:"response_ms"` // of an answer, at the speeds of the comparison, nothing being cached
	Faster     float64 `json:"faster"`      // percent less than with the whole talk; 0 as above
}

// Compared is the outcome of a comparison of strategies over one talk.
type Compared struct {
	Model       string        `json:"model"`
	Embedder    string        `json:"embedder,omitempty"` // that recall found with; "" = by words
	Turns       int           `json:"turns"`
	Questions   int           `json:"questions"`
	Window      int           `json:"window"`
	Target      int           `json:"target"`       // tokens that a prompt may have after room was made
	WholeTokens int           `json:"whole_tokens"` // of a prompt with the whole talk
	Speeds      Speeds        `json:"speeds"`
	WholeMs     float64       `json:"whole_ms"` // of an answer with the whole talk, at these speeds
	Rows        []StrategyRow `json:"rows"`
}

// Speeds are those at which response times are worked out.
type Speeds struct {
	Read   float64 `json:"read"`   // tokens of a prompt a second, nothing being cached
	Write  float64 `json:"write"`  // tokens of an answer a second
	Answer int     `json:"answer"` // tokens of the answer
}

// DefaultSpeeds are about those of a model with eight billion weights on a good computer without a graphics card.
func DefaultSpeeds() Speeds { return Speeds{Read: 250, Write: 10, Answer: 200} }

// ms is how long an answer takes after a prompt.
func (s Speeds) ms(prompt int) float64 {
	return math.Round(float64(prompt)/s.Read*1000 + float64(s.Answer)/s.Write*1000)
}

// The reference's figures, and what a summary by a model elsewhere would cost for a thousand tokens.
var (
	referenceSaved    = map[memory.Strategy]Range{memory.StrategySliding: {50, 70}, memory.StrategyPriority: {60, 80}, memory.StrategySummary: {70, 90}}
	referenceRetained = map[memory.Strategy]float64{memory.StrategySliding: 70, memory.StrategyPriority: 80, memory.StrategySummary: 90}
)

// ReferencePrice is that of GPT-4-turbo, in dollars for a thousand tokens read and written.
var ReferencePrice = struct{ Read, Written float64 }{.01, .03}

// CompareOptions say how strategies are compared.
type CompareOptions struct {
	Chat     Chat
	Model    string          // "" or NoModel = none: a summary is then given up
	Engine   Engine          // needed for a model
	Embedder recall.Embedder // that recall finds with; nil = it finds by words
	Embeds   string          // name of the embedder's model
	Speeds   Speeds          // zero = DefaultSpeeds
	Progress func(strategy memory.Strategy, turn, turns int)
}

// The share of the whole talk that is usable, and that may be left: a prompt then is 76 % smaller, as in the reference.
const (
	usableShare = .4
	targetShare = .6 // of what is usable
)

// Compare plays a talk with each strategy, makes room at its end, and asks the questions: once without recall and once with it.
func Compare(ctx context.Context, o CompareOptions) (Compared, error) {
	turns, err := o.Chat.turns()
	if err != nil {
		return Compared{}, err
	}
	if o.Engine == nil {
		o.Model = NoModel
	}
	if o.Speeds == (Speeds{}) {
		o.Speeds = DefaultSpeeds()
	}
	c := Compared{Model: o.Model, Embedder: o.Embeds, Turns: len(turns), Questions: len(o.Chat.Questions), Speeds: o.Speeds}
	counter := tokens.Estimator()
	if o.Engine != nil {
		counter = tokens.New(o.Engine).For(ctx, o.Model)
	}
	for _, e := range turns {
		c.WholeTokens += counter.Count(e.user) + counter.Count(e.answer) + 2*counter.Overhead().Message
	}
	c.Window = windowFor(int(usableShare * float64(c.WholeTokens)))
	c.WholeMs = o.Speeds.ms(c.WholeTokens)
	dir, err := os.MkdirTemp("", "recollect-experiment-")
	if err != nil {
		return c, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if o.Embedder != nil { // each strategy leaves the same texts to be found
		vectors, err := eval.OpenVectors(dir, "vectors", o.Embedder)
		if err != nil {
			return c, err
		}
		defer func() { _ = vectors.Close() }()
		o.Embedder = vectors
	}
	for _, strategy := range []memory.Strategy{memory.StrategySliding, memory.StrategyPriority, memory.StrategySummary} {
		row, target, err := compare(ctx, filepath.Join(dir, string(strategy)), strategy, turns, c, o)
		if err != nil {
			return c, fmt.Errorf("%s: %w", strategy, err)
		}
		c.Target = target
		c.Rows = append(c.Rows, row)
	}
	return c, nil
}

// windowFor returns the window of which so many tokens are usable.
func windowFor(usable int) int {
	const least = 4096
	size := max(least, usable*10/9+4096*10/9) // a tenth is margin, 4,096 are kept for the answer
	if size < 4*4096 {
		size = max(least, usable*20/13) // a quarter is kept for the answer
	}
	return (size + 127) / 128 * 128
}

// compare plays the talk with one strategy in a folder of its own.
func compare(ctx context.Context, dir string, strategy memory.Strategy, turns []exchange, c Compared, o CompareOptions) (row StrategyRow, target int, err error) {
	if err := os.Mkdir(dir, 0o700); err != nil {
		return row, 0, fmt.Errorf("make a folder: %w", err)
	}
	how := setup{settings: choices{"compaction": string(strategy), "notes": "off"}, window: c.Window, core: true, tools: true, embedder: o.Embedder, embeds: o.Embeds}
	s, err := build(ctx, dir, how, o.Engine, o.Model)
	if err != nil {
		return row, 0, err
	}
	defer func() {
		if bad := s.close(context.WithoutCancel(ctx)); err == nil {
			err = bad
		}
	}()
	for i, e := range turns {
		if err := s.say(ctx, e); err != nil {
			return row, 0, fmt.Errorf("turn %d: %w", i+1, err)
		}
		if o.Progress != nil {
			o.Progress(strategy, i+1, len(turns))
		}
	}
	if err := s.makeRoom(ctx, strategy); err != nil {
		return row, 0, err
	}
	row = StrategyRow{Strategy: strategy, Used: strategy, ReferenceSave: referenceSaved[strategy], ReferenceKeep: referenceRetained[strategy]}
	if err := s.account(ctx, &row); err != nil {
		return row, 0, err
	}
	plan, err := s.service.Preview(ctx, s.conversation, "")
	if err != nil {
		return row, 0, err
	}
	row.PromptTokens = plan.Prompt
	row.Saved = percent(max(1-float64(plan.Prompt)/float64(c.WholeTokens), 0))
	row.ResponseMs = o.Speeds.ms(plan.Prompt)
	row.Faster = percent(max(1-row.ResponseMs/c.WholeMs, 0))
	questions := o.Chat.Questions
	missed, err := s.missed(ctx, false, questions)
	if err != nil {
		return row, 0, err
	}
	if row.Missed, err = s.missed(ctx, true, questions); err != nil {
		return row, 0, err
	}
	row.Retained, row.RetainedRecall = answered(questions, missed), answered(questions, row.Missed)
	return row, int(targetShare * float64(plan.Usable)), nil
}

// makeRoom makes room in the conversation now. Where no model can sum up, what goes is chosen by priority.
func (s *stage) makeRoom(ctx context.Context, strategy memory.Strategy) error {
	made, err := s.service.Compact(ctx, s.conversation, agent.CompactRequest{Strategy: strategy, Target: targetShare})
	if memory.CodeOf(err) == memory.ECONFLICT { // there is room enough
		return nil
	}
	if err != nil {
		return err
	}
	if err := s.service.Rest(ctx); err != nil {
		return err
	}
	if made, err = s.store.Compaction(ctx, made.ID); err == nil && made.State == memory.CompactionFailed && strategy == memory.StrategySummary {
		return s.makeRoom(ctx, memory.StrategyPriority)
	}
	return err
}

// account adds up what the compactions of a stage took.
func (s *stage) account(ctx context.Context, row *StrategyRow) error {
	list, err := s.compactions(ctx)
	if err != nil {
		return err
	}
	for i, c := range list { // the newest first
		if i == 0 {
			row.Used = c.Strategy
		}
		if c.Model == "" {
			row.DelayMs = max(row.DelayMs, float64(c.DurationMs))
		} else {
			row.BackgroundMs += float64(c.DurationMs)
		}
	}
	read, written, calls := s.model.spent()
	row.ModelCalls, row.ModelTokens = calls, read+written
	row.ModelCost = math.Round((float64(read)*ReferencePrice.Read+float64(written)*ReferencePrice.Written)/1000*1e6) / 1e6
	return nil
}

// missed asks questions of a copy of the stage and returns those whose answer the model does not have before it.
func (s *stage) missed(ctx context.Context, recalls bool, questions []ChatQuestion) (missed []string, err error) {
	missed = []string{}
	if len(questions) == 0 {
		return missed, nil
	}
	dir := filepath.Join(s.dir, fmt.Sprintf("asked-%t", recalls))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make a folder: %w", err)
	}
	without := *s
	without.setup.recalls = recalls
	copied, err := without.copied(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer func() {
		if bad := copied.close(context.WithoutCancel(ctx)); err == nil {
			err = bad
		}
		_ = os.RemoveAll(dir)
	}()
	copied.model.real = nil // what the model has before it counts, not what it makes of it
	before, err := copied.store.Conversation(ctx, s.conversation)
	if err != nil {
		return nil, err
	}
	for _, q := range questions {
		a, err := copied.ask(ctx, q.Ask)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.Ask, err)
		}
		if !holds(a.prompt, q.Answer) {
			missed = append(missed, q.Ask)
		}
		if err := copied.store.SetHead(ctx, s.conversation, before.Head); err != nil {
			return nil, err
		}
	}
	return missed, nil
}

// answered returns the share of the questions that are not missed, in percent; 0 where there are none.
func answered(questions []ChatQuestion, missed []string) float64 {
	return percent(float64(len(questions)-len(missed)) / float64(max(len(questions), 1)))
}

// percent returns a share in percent, with one digit behind the point.
func percent(share float64) float64 { return math.Round(share*1000) / 10 }
