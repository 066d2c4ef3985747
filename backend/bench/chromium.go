package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"time"
)

// browser is a Chromium that is driven over its DevTools protocol, through a pair of pipes: messages are JSON that ends in
// a zero byte.
type browser struct {
	command *exec.Cmd
	in      *os.File
	session string // of the page

	mu      sync.Mutex
	next    int
	waiting map[int]chan reply
	ended   chan struct{} // closed when the browser has gone
}

type reply struct {
	ID     int             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// browse starts a Chromium with one empty page.
func browse(ctx context.Context, o Options) (*browser, error) {
	if o.Chromium == "" {
		return nil, missing{"a browser: Chromium in PATH"}
	}
	profile, err := os.MkdirTemp(o.Dir, "chromium-*")
	if err != nil {
		return nil, fmt.Errorf("make a folder for the browser: %w", err)
	}
	theirs, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	args := []string{
		"--headless", "--remote-debugging-pipe", "--user-data-dir=" + profile, "--no-first-run", "--disable-gpu",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1280,820",
	}
	if os.Getuid() == 0 {
		args = append(args, "--no-sandbox") // Chromium refuses to start as root with it
	}
	c := exec.CommandContext(ctx, o.Chromium, args...)
	c.ExtraFiles = []*os.File{theirs, theirOut} // 3 and 4
	err = c.Start()
	_, _ = theirs.Close(), theirOut.Close()
	if err != nil {
		_, _ = in.Close(), out.Close()
		return nil, missing{"a browser; Chromium does not start: " + err.Error()}
	}
	b := &browser{command: c, in: in, waiting: map[int]chan reply{}, ended: make(chan struct{})}
	go b.read(out)
	if err := b.open(ctx); err != nil {
		b.close()
		return nil, fmt.Errorf("open a page in Chromium: %w", err)
	}
	return b, nil
}

func (b *browser) open(ctx context.Context) error {
	var target struct{ TargetID, SessionID string }
	if err := b.call(ctx, "Target.createTarget", map[string]any{"url": "about:blank"}, &target); err != nil {
		return err
	}
	attach := map[string]any{"targetId": target.TargetID, "flatten": true}
	if err := b.call(ctx, "Target.attachToTarget", attach, &target); err != nil {
		return err
	}
	b.session = target.SessionID
	for _, domain := range []string{"Page", "Runtime"} {
		if err := b.call(ctx, domain+".enable", nil, nil); err != nil {
			return err
		}
	}
	return b.call(ctx, "Performance.enable", map[string]any{"timeDomain": "threadTicks"}, nil) // CPU time, not what others take
}

func (b *browser) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	b.session = ""
	if b.call(ctx, "Browser.close", nil, nil) != nil {
		_ = b.command.Process.Kill()
	}
	_ = b.in.Close()
	_ = b.command.Wait()
}

func (b *browser) read(out *os.File) {
	defer close(b.ended)
	defer func() { _ = out.Close() }()
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadBytes(0)
		if err != nil {
			return
		}
		var r reply
		if json.Unmarshal(bytes.TrimSuffix(line, []byte{0}), &r) != nil || r.ID == 0 {
			continue // an event
		}
		b.mu.Lock()
		if to, ok := b.waiting[r.ID]; ok {
			to <- r
			delete(b.waiting, r.ID)
		}
		b.mu.Unlock()
	}
}

// call calls a method of the protocol and decodes its result into out, which may be nil.
func (b *browser) call(ctx context.Context, method string, params, out any) error {
	message := map[string]any{"method": method}
	if params != nil {
		message["params"] = params
	}
	if b.session != "" {
		message["sessionId"] = b.session
	}
	answer := make(chan reply, 1)
	b.mu.Lock()
	b.next++
	id := b.next
	message["id"] = id
	b.waiting[id] = answer
	raw, err := json.Marshal(message)
	if err == nil {
		_, err = b.in.Write(append(raw, 0))
	}
	b.mu.Unlock()
	if err != nil {
		return fmt.Errorf("%s: %w", method, err)
	}
	select {
	case r := <-answer:
		if r.Error != nil {
			return fmt.Errorf("%s: %s", method, r.Error.Message)
		}
		if out == nil {
			return nil
		}
		return json.Unmarshal(r.Result, out)
	case <-b.ended:
		return fmt.Errorf("%s: the browser has ended", method)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// until waits until an expression is true in the page.
func (b *browser) until(ctx context.Context, expression string) error {
	for {
		var r struct{ Result struct{ Value bool } }
		if err := b.call(ctx, "Runtime.evaluate", map[string]any{"expression": "!!(" + expression + ")", "returnByValue": true}, &r); err != nil {
			return err
		}
		if r.Result.Value {
			return nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("wait in the page for %s: %w", expression, ctx.Err())
		}
	}
}

// metrics returns what the page's main thread has done so far, by the names of the protocol, in seconds of CPU time.
func (b *browser) metrics(ctx context.Context) (map[string]float64, error) {
	var r struct {
		Metrics []struct {
			Name  string
			Value float64
		}
	}
	if err := b.call(ctx, "Performance.getMetrics", nil, &r); err != nil {
		return nil, err
	}
	m := map[string]float64{}
	for _, x := range r.Metrics {
		m[x.Name] = x.Value
	}
	if len(m) == 0 {
		return nil, errors.New("the browser measures nothing")
	}
	return m, nil
}
