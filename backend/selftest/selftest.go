// Package selftest tries each task that needs a model on a model of the user's, with the code that real turns use, in a
// scratch database of its own.
package selftest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"recollect/backend/agent"
	"recollect/backend/bus"
	"recollect/backend/engine"
	"recollect/backend/memory"
	"recollect/backend/recall"
	"recollect/backend/store"
)

// Outcome says how a model did a task.
type Outcome string

// The outcomes.
const (
	Works     Outcome = "works"
	Repaired  Outcome = "repaired"   // the model needed help: a retry, or its call was read out of its text
	FallsBack Outcome = "falls_back" // the model cannot; a rule of the app does it, or does without
	Failed    Outcome = "failed"     // not even that: Detail says why
)

// TaskNote is the task of a model without tools to note, under a schema, what it is told.
const TaskNote = "note"

// Result is how one task went. Detail is in the language of Deps; what the model wrote is as it wrote it.
type Result struct {
	Task    string  `json:"task"` // answer, chinese, remember, note, recall, summary, judge, json, embedding
	Outcome Outcome `json:"outcome"`
	Detail  string  `json:"detail"`
	Millis  int64   `json:"ms"`
}

// Engine is what the tasks need of the engine.
type Engine interface {
	agent.Engine
	recall.Embedder
}

// Deps are the parts that the tasks run on.
type Deps struct {
	Engine      Engine
	Counters    agent.Counters
	Embedder    string // name of the embedding model, "" = none
	Language    string
	MemoryBytes func() int64

	Progress func(Progress) // nil = nobody listens
}

// Progress tells where a run is.
type Progress struct {
	Task    string        // that begins, "" = all are done
	Limit   time.Duration // that it has
	Total   int           // number of tasks
	Results []Result      // of those that are done
}

// task is one of what a model is tried on.
type task struct {
	name  string
	limit time.Duration // then it is given up: whoever chats would not wait longer either
	run   func(*bench, context.Context) (Outcome, string, error)
}

// tasks are all of them, in order. The longest that a run takes is half an hour.
var tasks = []task{
	{taskAnswer, 3 * time.Minute, (*bench).answer}, // the first has to load the model
	{"chinese", 3 * time.Minute, (*bench).chinese},
	{"remember", 3 * time.Minute, (*bench).remember},
	{TaskNote, 6 * time.Minute, (*bench).note}, // eight turns and as many notes
	{"recall", 3 * time.Minute, (*bench).recall},
	{"summary", 5 * time.Minute, (*bench).summary},
	{"judge", 5 * time.Minute, (*bench).judge},
	{"json", time.Minute, (*bench).json},
	{"embedding", time.Minute, (*bench).embedding},
}

// taskAnswer is the only task in whose place nothing stands.
const taskAnswer = "answer"

// errSlow ends a task whose limit is reached.
var errSlow = errors.New("the task took too long")

// bench is one task: an agent of its own in a database of its own.
type bench struct {
	Deps
	model   string
	store   *store.Store
	turns   *agent.Service
	agent   memory.Agent
	profile engine.Profile
}

// choices are the settings of the scratch agent.
type choices struct{ model, language string }

func (c choices) String(key string) string {
	return map[string]string{"model": c.model, "language": c.language}[key]
}
func (choices) Int(string) int       { return 0 }
func (choices) Float(string) float64 { return 0 }

// Run tries all tasks on the model, one after the other, each with nothing known of those before. EMODEL where the model is
// not installed, EENGINE without an engine. A task that fails or takes too long is a result, not an error.
func Run(ctx context.Context, d Deps, model string) ([]Result, error) {
	defer d.Engine.Hold()()
	if err := d.Engine.Ready(ctx); err != nil {
		return nil, err
	}
	profile, err := d.Engine.Profile(ctx, model)
	if err != nil {
		return nil, err
	}
	results := []Result{}
	tell := func(t task) {
		if d.Progress != nil {
			d.Progress(Progress{Task: t.name, Limit: t.limit, Total: len(tasks), Results: slices.Clone(results)})
		}
	}
	defer func() { tell(task{}) }()
	for _, t := range tasks {
		tell(t)
		began := time.Now()
		b := &bench{Deps: d, model: model, profile: profile}
		outcome, detail, err := b.try(ctx, t)
		if ctx.Err() != nil {
			return results, ctx.Err()
		}
		if err != nil {
			outcome, detail = Failed, err.Error()
		}
		results = append(results, Result{t.name, outcome, detail, time.Since(began).Milliseconds()})
	}
	return results, nil
}

// try makes one task, within its limit. What still runs then is stopped.
func (b *bench) try(ctx context.Context, t task) (outcome Outcome, detail string, err error) {
	end, err := b.open(ctx)
	if err != nil {
		return "", "", err
	}
	defer end()
	limited, stop := context.WithTimeoutCause(ctx, t.limit, errSlow)
	defer stop()
	if outcome, detail, err = t.run(b, limited); !errors.Is(context.Cause(limited), errSlow) {
		return outcome, detail, err
	}
	outcome = FallsBack
	if t.name == taskAnswer {
		outcome = Failed
	}
	return outcome, fmt.Sprintf(b.say("took longer than %.0f s", "超过了 %.0f 秒"), t.limit.Seconds()), nil
}

// open makes the database and the agent of a task; end stops what runs there and removes them.
func (b *bench) open(ctx context.Context) (end func(), err error) {
	dir, err := os.MkdirTemp("", "recollect-selftest-*")
	if err != nil {
		return nil, fmt.Errorf("make a scratch folder: %w", err)
	}
	end = func() {
		if b.turns != nil {
			_ = b.turns.Close(context.WithoutCancel(ctx))
		}
		if b.store != nil {
			_ = b.store.Close()
		}
		_ = os.RemoveAll(dir)
	}
	defer func() {
		if err != nil {
			end()
		}
	}()
	events := bus.New(time.Now)
	if b.store, err = store.Open(ctx, filepath.Join(dir, "scratch.db"), store.Options{Publish: func(list []memory.Event) {
		for _, ev := range list {
			events.Publish(ev)
		}
	}}); err != nil {
		return nil, err
	}
	log := slog.New(slog.DiscardHandler)
	b.turns = agent.New(agent.Deps{
		Store: b.store, Engine: b.Engine, Counters: b.Counters, Bus: events, Clock: time.Now, Log: log,
		Recall:   recall.New(recall.Deps{Store: b.store, Clock: time.Now, Log: log}),
		Settings: choices{b.model, b.Language}, MemoryBytes: b.MemoryBytes,
	})
	b.agent, err = agent.NewAgent(ctx, b.store, memory.Agent{Name: "Selftest", Language: b.Language}, agent.First{})
	return end, err
}

// turn asks one question in a new conversation and returns the messages of the turn.
func (b *bench) turn(ctx context.Context, question string) ([]memory.Message, error) {
	c, err := b.store.CreateConversation(ctx, memory.Conversation{AgentID: b.agent.ID})
	if err != nil {
		return nil, err
	}
	if _, err := b.turns.Send(ctx, agent.SendRequest{ConversationID: c.ID, Content: question}); err != nil {
		return nil, err
	}
	if err := b.turns.Wait(ctx, c.ID); err != nil {
		return nil, err
	}
	if c, err = b.store.Conversation(ctx, c.ID); err != nil {
		return nil, err
	}
	path, err := b.store.Path(ctx, c.Head, 0, "")
	if err != nil {
		return nil, err
	}
	if p := path[len(path)-1].Problem; p != nil {
		return nil, memory.ErrorOf("", *p)
	}
	return path, nil
}

func (b *bench) answer(ctx context.Context) (Outcome, string, error) {
	path, err := b.turn(ctx, "What is the capital of France? One word is enough.")
	if err != nil {
		return "", "", err
	}
	return Works, quote(path[len(path)-1].Content), nil
}

func (b *bench) chinese(ctx context.Context) (Outcome, string, error) {
	path, err := b.turn(ctx, "请用中文介绍一下月亮，一句话就够。")
	if memory.CodeOf(err) == memory.EINCOMPLETE { // it stutters: the engine is sound, the language is not the model's
		return FallsBack, b.say("it cannot answer Chinese; choose another model for it", "它不能用中文回答，请换一个模型"), nil
	}
	if err != nil {
		return "", "", err
	}
	text := path[len(path)-1].Content
	if strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
		return Works, quote(text), nil
	}
	return FallsBack, b.say("it answers Chinese in another language: ", "它用别的语言回答中文：") + quote(text), nil
}

// remember asks for a change of memory in words that no rule of ours takes for a wish, so that only the model can do it.
func (b *bench) remember(ctx context.Context) (Outcome, string, error) {
	if !b.profile.Tools {
		return FallsBack, b.say("no tools: “remember …” and 「记住…」 work by rule", "不支持工具：“remember …”和“记住……”由规则完成"), nil
	}
	path, err := b.turn(ctx, "From today on I drink oolong instead of coffee. Update the block human with your tools.")
	if err != nil {
		return "", "", err
	}
	repaired, changed := false, false
	for _, m := range path {
		changed = changed || len(m.RevisionIDs) > 0
		for _, c := range m.ToolCalls {
			repaired = repaired || c.Repaired
		}
	}
	switch {
	case !changed:
		return FallsBack, b.say("it does not use its tools here: “remember …” and 「记住…」 work by rule", "它在这里不用工具：“remember …”和“记住……”由规则完成"), nil
	case repaired:
		return Repaired, b.say("its tool call was mended", "它的工具调用经过了修正"), nil
	default:
		return Works, b.say("it edits memory with tools", "它会用工具修改记忆"), nil
	}
}

// What the task of notes tells: facts that are worth a note, and what is not worth one.
var (
	noteworthy = []string{
		"My neighbour Quentin plays the cello.", "I was born in Lisbon.", "My sister Ada is a nurse in Porto.",
		"I am allergic to walnuts.", "We moved to Leipzig in March.", "My boat is called Marigold.",
	}
	idle = []string{"I am a little tired this morning.", "I have just had a cup of tea."}
)

// note tells what is no wish; a model without tools is then asked to fill in a memory tool as a form. It counts how much
// of what is worth a note is noted, and how much of what is not.
func (b *bench) note(ctx context.Context) (Outcome, string, error) {
	if b.profile.Tools {
		return Works, b.say("it needs no notes: it has tools", "它不需要做笔记：它支持工具"), nil
	}
	noted, err := b.noted(ctx, noteworthy)
	if err != nil {
		return "", "", err
	}
	needless, err := b.noted(ctx, idle)
	if err != nil {
		return "", "", err
	}
	detail := fmt.Sprintf(b.say("it noted %d of %d facts in the user's own words, and %d of %d remarks that are worth no note", "它用用户的原话记下了 %d / %d 件事，另外记下了 %d / %d 句不值得记的话"),
		noted, len(noteworthy), needless, len(idle))
	if noted*2 >= len(noteworthy) {
		return Works, detail, nil
	}
	return FallsBack, detail + b.say(": only what “remember …” and 「记住…」 ask for is kept", "：只保留用“remember …”和“记住……”要求记住的内容"), nil
}

// noted tells each sentence in a conversation of its own, and counts those that the model noted.
func (b *bench) noted(ctx context.Context, sentences []string) (n int, err error) {
	last := ""
	for _, s := range sentences {
		b.turns.TrustNotes(b.profile.Digest, true) // each counts, whatever became of those before
		if _, err := b.turn(ctx, s); err != nil {
			return n, err
		}
		if err := b.turns.Rest(ctx); err != nil {
			return n, err
		}
		revisions, _, err := b.store.Revisions(ctx, store.RevisionFilter{AgentID: b.agent.ID, Limit: 1})
		if err != nil {
			return n, err
		}
		if len(revisions) > 0 && revisions[0].ID != last && revisions[0].Cause.Actor == memory.ActorModel {
			last = revisions[0].ID
			n++
		}
	}
	return n, nil
}

// say returns the text of the user's language.
func (b *bench) say(en, zh string) string {
	if b.Language == "zh" {
		return zh
	}
	return en
}

func (b *bench) recall(ctx context.Context) (Outcome, string, error) {
	cause := memory.Cause{Actor: memory.ActorSystem, AgentID: b.agent.ID, Reason: "selftest"}
	if _, _, err := b.store.CreatePassage(ctx, memory.Passage{ArchiveID: b.agent.ArchiveID, Text: "The code of the garden gate is 7431."}, cause); err != nil {
		return "", "", err
	}
	path, err := b.turn(ctx, "What is the code of the garden gate?")
	if err != nil {
		return "", "", err
	}
	text := path[len(path)-1].Content
	if strings.Contains(text, "7431") {
		return Works, b.say("it uses what was recalled: ", "它会使用召回的内容：") + quote(text), nil
	}
	return FallsBack, b.say("the memory was recalled and shown, but it answers without it: ", "记忆已召回并给了它，但它回答时没有用到：") + quote(text), nil
}

func (b *bench) json(ctx context.Context) (Outcome, string, error) {
	const schema = `{"type":"object","properties":{"score":{"type":"integer","minimum":0,"maximum":10},"reason":{"type":"string","maxLength":120}},"required":["score","reason"]}`
	window := min(2048, max(b.profile.MaxContext, 512))
	result, err := b.Engine.Chat(ctx, engine.ChatRequest{
		Model: b.model, Format: json.RawMessage(schema), NumCtx: window, NumPredict: 120, Priority: engine.PriorityBackground,
		Messages: []engine.Message{{Role: "user", Content: `How important is it to remember this, from 0 to 10: "I am allergic to nuts."? Answer as JSON with score and reason.`}},
	}, func(engine.Chunk) error { return nil })
	if err != nil {
		return FallsBack, fmt.Sprintf(b.say("no usable JSON (%v): scores by rule are used instead", "没有可用的 JSON（%v）：改用规则打分"), err), nil //nolint:nilerr // the outcome of this task
	}
	var got struct {
		Score  *int   `json:"score"`
		Reason string `json:"reason"`
	}
	err = json.Unmarshal([]byte(result.Message.Content), &got)
	if usable := err == nil && got.Score != nil; !usable {
		return FallsBack, b.say("no usable JSON: ", "没有可用的 JSON：") + quote(result.Message.Content), nil
	}
	return Works, fmt.Sprintf(b.say("score %d, %s", "分数 %d，%s"), *got.Score, quote(got.Reason)), nil
}

func (b *bench) embedding(ctx context.Context) (Outcome, string, error) {
	if b.Embedder == "" {
		return FallsBack, b.say("no embedding model is chosen: recall works by words alone", "没有选择嵌入模型：只能按字词召回"), nil
	}
	vectors, err := b.Engine.Embed(ctx, engine.EmbedRequest{Model: b.Embedder, Texts: []string{"query: the cat", "query: 猫"}, Priority: engine.PriorityQuery})
	if err != nil {
		return "", "", err
	}
	return Works, fmt.Sprintf(b.say("%s, %d dimensions", "%s，%d 维"), b.Embedder, len(vectors[0])), nil
}

// quote shortens a text for a line of output.
func quote(text string) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > 80 {
		r = append(r[:79], '…')
	}
	return "“" + string(r) + "”"
}
