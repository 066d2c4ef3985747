package bench

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"recollect/backend/app"
	"recollect/backend/eval"
	"recollect/backend/instance"
	"recollect/backend/memory"
)

// streaming measures what is written to disk while an answer streams, in a short and in a long conversation, and how old
// the copy on the disk gets meanwhile.
func streaming(ctx context.Context, o Options) ([]Result, error) {
	if _, err := written(); err != nil {
		return nil, missing{"an operating system that counts what a process writes (Linux)"}
	}
	messages, length := 10_000, 20*time.Second
	if o.Quick {
		messages, length = 1_000, 5*time.Second
	}
	home := filepath.Join(o.Dir, "streaming")
	st, err := openStore(ctx, home)
	if err != nil {
		return nil, err
	}
	defer func() { _ = st.Close() }()
	a, err := defaultAgent(ctx, st)
	if err != nil {
		return nil, err
	}
	short, err := st.CreateConversation(ctx, memory.Conversation{AgentID: a.ID})
	if err != nil {
		return nil, err
	}
	long, err := talk(ctx, st, a, messages, eval.NewWorld())
	if err != nil {
		return nil, err
	}
	if err := st.Close(); err != nil {
		return nil, err
	}
	run, err := startApp(ctx, o, home)
	if err != nil {
		return nil, err
	}
	defer run.close()
	few, _, err := run.stream(ctx, short.ID, length)
	if err != nil {
		return nil, err
	}
	many, age, err := run.stream(ctx, long.ID, length)
	if err != nil {
		return nil, err
	}
	return []Result{
		lower(fmt.Sprintf("written while streaming, conversation of %d messages, against an empty one", messages), many, "KB/s", 20).against(few),
		lower("age of a partial answer on disk, at most", age.Seconds(), "s", 1),
	}, nil
}

// running is an app in this process whose engine is a player.
type running struct {
	*app.App
	player *player
	client *instance.Client
}

func startApp(ctx context.Context, o Options, home string) (*running, error) {
	p, err := play()
	if err != nil {
		return nil, err
	}
	a, err := app.Start(ctx, app.Options{Home: home, Page: o.Page, Env: func(key string) string {
		return map[string]string{"OLLAMA_HOST": p.address, "LANG": "en_US.UTF-8"}[key]
	}})
	if err != nil {
		p.close()
		return nil, err
	}
	r := &running{a, p, instance.NewClient(a.Info())}
	err = a.Engine.Ready(ctx)
	if err == nil { // the page goes straight to the chat
		err = r.client.Do(ctx, "PATCH", "/api/settings", map[string]any{"model": playerModel, "ui": map[string]bool{"begun": true}}, nil)
	}
	if err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

func (r *running) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = r.Close(ctx) // its folder is thrown away
	r.player.close()
}

// stream lets an answer of that length come and watches the disk. It returns KB a second, and the oldest that text got
// before it was on the disk.
func (r *running) stream(ctx context.Context, conversation string, length time.Duration) (kbs float64, age time.Duration, err error) {
	const speed, settle = 200, 2 * time.Second
	ctx, cancel := context.WithTimeout(ctx, length+2*time.Minute)
	defer cancel()
	events := r.Subscribe(ctx)
	text := prose(int((length + 2*settle).Seconds() * speed * tokenBytes))
	r.player.say(text, speed)
	if err := r.client.Do(ctx, "POST", "/api/conversations/"+conversation+"/messages", map[string]string{"content": "Tell me a long story."}, nil); err != nil {
		return 0, 0, err
	}
	id, err := await(ctx, events, "message.delta", "id")
	if err != nil {
		return 0, 0, err
	}
	time.Sleep(settle) // what came before the first token has been written
	began := time.Now()
	before, err := written()
	if err != nil {
		return 0, 0, err
	}
	for time.Since(began) < length {
		m, err := r.Store.Message(ctx, id)
		if err != nil {
			return 0, 0, err
		}
		if m.Status != memory.StatusStreaming {
			return 0, 0, fmt.Errorf("the answer is %s before it was measured", m.Status)
		}
		if sent, ok := r.player.since(len(m.Content)); ok {
			age = max(age, time.Since(sent))
		}
		time.Sleep(10 * time.Millisecond)
	}
	after, err := written()
	if err != nil {
		return 0, 0, err
	}
	kbs = float64(after-before) / 1024 / time.Since(began).Seconds()
	_, err = await(ctx, events, "turn.done", "message_id")
	return kbs, age, err
}

// await returns a field of the next event of a type.
func await(ctx context.Context, events <-chan memory.Event, kind, field string) (string, error) {
	for {
		select {
		case ev, ok := <-events:
			if !ok {
				return "", fmt.Errorf("the app ended before %s", kind)
			}
			if ev.Type == "turn.failed" {
				return "", fmt.Errorf("the turn failed: %v", ev.Data["problem"])
			}
			if ev.Type == kind {
				v, _ := ev.Data[field].(string)
				return v, nil
			}
		case <-ctx.Done():
			return "", fmt.Errorf("wait for %s: %w", kind, ctx.Err())
		}
	}
}

// written returns how many bytes this process has had written to disk.
func written() (int64, error) {
	raw, err := os.ReadFile("/proc/self/io")
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if v, ok := strings.CutPrefix(line, "write_bytes: "); ok {
			return strconv.ParseInt(strings.TrimSpace(v), 10, 64)
		}
	}
	return 0, fmt.Errorf("/proc/self/io has no write_bytes")
}

// prose returns Markdown of about n bytes, as models write it: paragraphs, lists, some code.
func prose(n int) string {
	var b strings.Builder
	for i := 1; b.Len() < n; i++ {
		switch i % 6 {
		case 0:
			fmt.Fprintf(&b, "```go\nfor i := range %d {\n\tfmt.Println(\"step\", i)\n}\n```\n\n", i)
		case 2:
			fmt.Fprintf(&b, "- the **first** point of part %d, with `code` in it\n- the second one, which is a little longer than the first\n- and a third\n\n", i)
		case 4:
			fmt.Fprintf(&b, "## Part %d\n\n", i)
		default:
			fmt.Fprintf(&b, "This is paragraph %d of a story that goes on for a while. It has *some* emphasis, a [link](https://example.org/%d), "+
				"and sentences of ordinary length, so that it costs what an ordinary answer costs. The river was high that winter and nobody crossed it.\n\n", i, i)
		}
	}
	return b.String()[:n]
}
