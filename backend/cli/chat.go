package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"recollect/backend/api"
	"recollect/backend/engine"
	"recollect/backend/instance"
	"recollect/backend/jobs"
	"recollect/backend/memory"
)

func chatCommand() command {
	return command{
		name: "chat", arguments: true,
		flags: func(set *flag.FlagSet, in *invocation) {
			set.StringVar(&in.conversation, "conversation", "", in.words.flags["conversation"])
			set.StringVar(&in.agent, "agent", "", in.words.flags["agent"])
			set.StringVar(&in.model, "model", "", in.words.flags["model"])
		},
		run: runChat,
	}
}

// talk is one session of the chat command.
type talk struct {
	in           *invocation
	client       *instance.Client
	agent        memory.Agent
	conversation string
}

// exchange is what one question brought, as printed with --json.
type exchange struct {
	ConversationID string            `json:"conversation_id"`
	Question       string            `json:"question"`
	Answer         memory.Message    `json:"answer"`
	Edits          []memory.Revision `json:"edits"`
	Receipt        *memory.Receipt   `json:"receipt"`
}

func runChat(ctx context.Context, in *invocation) error {
	question := strings.Join(in.args, " ")
	if len(in.args) > 0 && memory.Blank(question) {
		return usageError{in.words.noQuestion}
	}
	client, done, err := in.connect(ctx)
	if err != nil {
		return err
	}
	defer done()
	t := &talk{in: in, client: client, conversation: in.conversation}
	if t.agent, err = in.chooseAgent(ctx, client); err != nil {
		return err
	}
	if err := in.prepare(ctx, client); err != nil {
		return err
	}
	if in.model != "" { // the engine is there now, so that a model that it lacks is refused
		if err := client.Do(ctx, "PATCH", "/api/settings", map[string]any{"model": in.model}, nil); err != nil {
			return err
		}
	}
	if len(in.args) > 0 {
		return t.ask(ctx, question)
	}
	return t.interactive(ctx)
}

// chooseAgent finds the agent that --agent names, by default the first.
func (in *invocation) chooseAgent(ctx context.Context, client *instance.Client) (memory.Agent, error) {
	var list api.Agents
	if err := client.Do(ctx, "GET", "/api/agents", nil, &list); err != nil {
		return memory.Agent{}, err
	}
	for _, a := range list.Agents {
		if in.agent == "" || a.ID == in.agent || strings.EqualFold(a.Name, in.agent) {
			return a, nil
		}
	}
	return memory.Agent{}, in.problem(memory.ENOTFOUND, in.words.noAgent, in.agent)
}

// prepare makes sure that there is a chat model: where none is installed, the starter models are, if they came along.
func (in *invocation) prepare(ctx context.Context, client *instance.Client) error {
	var now api.Snapshot
	if err := client.Do(ctx, "GET", "/api/snapshot", nil, &now); err != nil {
		return err
	}
	state := now.Engine
	if state.State == engine.StateSearching || state.State == engine.StateStarting {
		if err := await(ctx, client, since(now), "engine.state", func(data map[string]any) bool {
			s, _ := data["state"].(string)
			return s != string(engine.StateSearching) && s != string(engine.StateStarting)
		}); err != nil {
			return err
		}
	}
	if err := client.Do(ctx, "GET", "/api/engine", nil, &state); err != nil {
		return err
	}
	in.warnOf(state)
	var list api.Models
	if err := client.Do(ctx, "GET", "/api/models", nil, &list); err != nil {
		return err
	}
	for _, m := range list.Models {
		if m.Chat {
			return nil
		}
	}
	var started api.JobResult
	err := client.Do(ctx, "POST", "/api/models/starter", nil, &started)
	if memory.CodeOf(err) == memory.EUNSUPPORTED {
		none := in.problem(memory.EMODEL, "%s", in.words.noModel)
		none.Remedy = memory.RemedyPullModel
		return none
	}
	if err != nil {
		return err
	}
	if !in.json {
		in.printf("%s", in.words.installing)
	}
	job, err := awaitJob(ctx, client, since(now), started.Job, nil)
	if err != nil {
		return err
	}
	if p := job.Problem; p != nil {
		return memory.ErrorOf("install the starter models", *p)
	}
	return nil
}

// warnOf says what people would not expect of the engine in use.
func (in *invocation) warnOf(s engine.Status) {
	if s.State != engine.StateReady {
		return
	}
	if s.Unanswered != "" {
		_, _ = fmt.Fprintf(in.Stderr, in.words.unanswered, s.Unanswered, s.Address)
	}
	if !s.Loopback {
		_, _ = fmt.Fprintf(in.Stderr, in.words.leaves, s.Address)
	}
}

// since names the moment of a snapshot, so that the events after it can be asked for.
func since(now api.Snapshot) string { return fmt.Sprintf("%s-%d", now.Epoch, now.Seq) }

// await returns when an event of the given type satisfies done.
func await(ctx context.Context, client *instance.Client, since, kind string, done func(map[string]any) bool) error {
	watch, stop := context.WithCancel(ctx)
	defer stop()
	for ev, err := range client.Events(watch, since) {
		if err != nil {
			return err
		}
		if ev.Type == kind && done(ev.Data) {
			return nil
		}
	}
	return ctx.Err()
}

// awaitJob returns a job that was begun after since, once it has ended. progress may be nil.
func awaitJob(ctx context.Context, client *instance.Client, since string, job jobs.Job, progress func(jobs.Job)) (jobs.Job, error) {
	for job.State == jobs.StateRunning {
		if err := await(ctx, client, since, "model.progress", func(data map[string]any) bool {
			if data["job"] != job.ID {
				return false
			}
			if progress != nil {
				completed, _ := data["completed"].(float64)
				total, _ := data["total"].(float64)
				progress(jobs.Job{ID: job.ID, Completed: int64(completed), Total: int64(total)})
			}
			return data["state"] != string(jobs.StateRunning)
		}); err != nil {
			return job, err
		}
		var all api.Jobs
		if err := client.Do(ctx, "GET", "/api/jobs", nil, &all); err != nil {
			return job, err
		}
		for _, j := range all.Jobs {
			if j.ID == job.ID {
				job = j
			}
		}
	}
	return job, nil
}

// interactive reads questions until the input ends or /quit. Where the last of them found no whole answer, the exit code
// says so; the words were told already.
func (t *talk) interactive(ctx context.Context) error {
	var last error
	lines := make(chan string)
	failed := make(chan error, 1)
	go func() {
		scan := bufio.NewScanner(t.in.Stdin)
		scan.Buffer(nil, 4*memory.MaxMessageChars)
		for scan.Scan() {
			lines <- scan.Text()
		}
		failed <- scan.Err()
	}()
	for {
		if !t.in.json {
			t.in.printf("\n%s> ", t.in.words.you)
		}
		select {
		case <-ctx.Done():
			return nil
		case err := <-failed:
			if !t.in.json {
				t.in.printf("\n")
			}
			return cmp.Or(err, last)
		case line := <-lines:
			switch line = strings.TrimSpace(line); line {
			case "":
			case "/quit":
				return last
			case "/new":
				t.conversation = ""
			default:
				last = nil
				if err := t.ask(ctx, line); err != nil {
					last = saidError{report(t.in, err)} // the next line may do better
				}
			}
		}
	}
}

// ask sends one question and prints the answer while it comes.
func (t *talk) ask(ctx context.Context, question string) error {
	begun := t.conversation == ""
	if begun {
		var made memory.Conversation
		if err := t.client.Do(ctx, "POST", "/api/conversations", api.ConversationCreate{AgentID: t.agent.ID}, &made); err != nil {
			return err
		}
		t.conversation = made.ID
	}
	var now api.Snapshot
	if err := t.client.Do(ctx, "GET", "/api/snapshot", nil, &now); err != nil {
		return err
	}
	watch, stop := context.WithCancel(ctx)
	defer stop()
	path := "/api/conversations/" + t.conversation
	if err := t.client.Do(ctx, "POST", path+"/messages", api.MessageCreate{Content: question}, nil); err != nil {
		if begun { // nothing was said in it
			_ = t.client.Do(context.WithoutCancel(ctx), "DELETE", path, nil, nil)
			t.conversation = ""
		}
		return err
	}
	id, err := t.follow(watch, since(now))
	if err != nil {
		if ctx.Err() != nil { // interrupted: what came is kept
			_ = t.client.Do(context.WithoutCancel(ctx), "POST", path+"/stop", nil, nil)
		}
		return err
	}
	return t.finish(ctx, question, id)
}

// follow prints the deltas of the running turn, and notices that come meanwhile, and returns the id of its last message when the turn is done.
func (t *talk) follow(ctx context.Context, since string) (string, error) {
	waiting := false
	for ev, err := range t.client.Events(ctx, since) {
		if err != nil {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				return "", t.in.problem(memory.EBUSY, "%s", t.in.words.wentAway)
			}
			return "", err
		}
		if ev.Type == "notice" && ev.Data["level"] != string(api.NoticeInfo) && !t.in.json { // of no conversation
			t.in.draw("")
			text, _ := ev.Data["text"].(string)
			_, _ = fmt.Fprintln(t.in.Stderr, text)
		}
		if ev.Data["conversation_id"] != t.conversation {
			continue
		}
		switch ev.Type {
		case "turn.progress":
			if phase, _ := ev.Data["phase"].(string); !t.in.json && (phase == "loading" || phase == "reading") {
				waiting = true
				t.progress(phase, ev.Data)
			}
		case "message.delta":
			if ev.Data["kind"] != "content" || t.in.json {
				continue
			}
			if waiting {
				t.in.draw("")
				waiting = false
			}
			text, _ := ev.Data["text"].(string)
			t.in.printf("%s", text)
		case "turn.done":
			if waiting {
				t.in.draw("")
			}
			id, _ := ev.Data["message_id"].(string)
			return id, nil
		}
	}
	return "", ctx.Err()
}

func (t *talk) progress(phase string, data map[string]any) {
	number := func(key string) int { n, _ := data[key].(float64); return int(n) }
	if phase == "loading" {
		t.in.draw(fmt.Sprintf(t.in.words.loading, number("elapsed_ms")/1000))
		return
	}
	if total := number("total"); total > 0 {
		line := fmt.Sprintf(t.in.words.reading, number("read"), total)
		if queued, _ := data["queued"].([]any); len(queued) > 0 {
			line += fmt.Sprintf(t.in.words.waiting, len(queued))
		}
		t.in.draw(line)
	}
}

// finish prints what the answer changed and drew on.
func (t *talk) finish(ctx context.Context, question, id string) error {
	out := exchange{ConversationID: t.conversation, Question: question}
	var err error
	if out.Answer, out.Edits, err = t.turn(ctx, id); err != nil {
		return err
	}
	if err := t.client.Do(ctx, "GET", "/api/messages/"+id+"/receipt", nil, &out.Receipt); err != nil {
		return err
	}
	problem := out.Answer.Problem
	if t.in.json {
		if err := t.in.printJSON(out); err != nil || problem == nil {
			return err
		}
		return saidError{exitOf(problem.Code)}
	}
	t.in.printf("\n")
	for _, r := range out.Edits {
		t.in.printf(t.in.words.changed, r.Label, cmp.Or(t.in.words.summaries[r.Summary()], r.Summary()))
	}
	if receipt := out.Receipt; receipt != nil {
		t.in.printf(t.in.words.recalled, taken(receipt.Candidates), receipt.Considered, receipt.Tokens)
		for _, c := range receipt.Candidates {
			if c.Taken {
				t.in.printf("    %s  %s\n", c.Date.Format("2006-01-02"), oneLine(c.Text, 100))
			}
		}
	}
	if p := problem; p != nil {
		return memory.ErrorOf("answer", *p)
	}
	return nil
}

// turn returns the answer with the given id, and the changes to memory that its turn made, in their order.
func (t *talk) turn(ctx context.Context, id string) (memory.Message, []memory.Revision, error) {
	var page api.Messages
	if err := t.client.Do(ctx, "GET", "/api/conversations/"+t.conversation+"/messages", nil, &page); err != nil {
		return memory.Message{}, nil, err
	}
	i := slices.IndexFunc(page.Messages, func(m memory.Message) bool { return m.ID == id })
	if i < 0 {
		return memory.Message{}, nil, t.in.problem(memory.ENOTFOUND, "%s", t.in.words.answerGone)
	}
	answer, edits := page.Messages[i], []memory.Revision{}
	for _, m := range page.Messages {
		if m.TurnID != answer.TurnID {
			continue
		}
		for _, id := range m.RevisionIDs {
			var r memory.Revision
			if err := t.client.Do(ctx, "GET", "/api/revisions/"+id, nil, &r); err != nil {
				return memory.Message{}, nil, err
			}
			edits = append(edits, r)
		}
	}
	return answer, edits, nil
}

func taken(candidates []memory.Candidate) int {
	n := 0
	for _, c := range candidates {
		if c.Taken {
			n++
		}
	}
	return n
}

// oneLine returns text without line breaks, cut at n characters.
func oneLine(text string, n int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return string(r)
}
