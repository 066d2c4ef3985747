package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"recollect/backend/app"
	"recollect/backend/instance"
	"recollect/backend/memory"
)

// process is `serve` as a process of its own.
type process struct {
	command *exec.Cmd
	client  *instance.Client
}

// serve starts `serve` over a data folder and returns when it has said where it listens.
func serve(ctx context.Context, o Options, home, engine string) (*process, error) {
	c := exec.CommandContext(ctx, o.Binary, "serve", "--json", "--home", home)
	c.Env = append(os.Environ(), "OLLAMA_HOST="+engine)
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 20 * time.Second
	c.Stderr = o.Log
	out, err := c.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.Start(); err != nil {
		return nil, fmt.Errorf("start serve: %w", err)
	}
	p := &process{command: c}
	var said struct {
		URL string `json:"url"`
	}
	if err := json.NewDecoder(out).Decode(&said); err != nil {
		return nil, errors.Join(fmt.Errorf("start serve: it said nothing: %w", err), p.end())
	}
	link, err := url.Parse(said.URL)
	if err != nil {
		return nil, errors.Join(err, p.end())
	}
	token := strings.TrimPrefix(link.Fragment, "token=")
	p.client = instance.NewClient(instance.Info{Addr: link.Host, Token: token})
	return p, nil
}

// end asks the process to end and waits for it.
func (p *process) end() error {
	if err := p.command.Process.Signal(os.Interrupt); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	_ = p.command.Wait() // how it ended is of no interest
	return nil
}

// resident returns the memory that a process occupies, in MB.
func resident(pid int) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(raw)) {
		if fields := strings.Fields(line); len(fields) == 3 && fields[0] == "VmRSS:" {
			kb, err := strconv.ParseFloat(fields[1], 64)
			return kb / 1024, err
		}
	}
	return 0, fmt.Errorf("process %d has no VmRSS", pid)
}

// ticks returns the CPU time that a process has used, in hundredths of a second.
func ticks(pid int) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(raw), ") ") // the name may hold spaces
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0, fmt.Errorf("/proc/%d/stat is not understood", pid)
	}
	user, err := strconv.ParseFloat(fields[11], 64)
	if err != nil {
		return 0, err
	}
	system, err := strconv.ParseFloat(fields[12], 64)
	return user + system, err
}

// serving measures `serve` over a database of 1 GB: its start, its memory, and what it costs while nothing happens.
func (h *house) serving(ctx context.Context, o Options) ([]Result, error) {
	if err := h.grow(ctx, o); err != nil {
		return nil, err
	}
	if err := h.withoutCache(ctx, o); err != nil {
		return nil, err
	}
	info, err := os.Stat(app.DatabasePath(h.home))
	if err != nil {
		return nil, err
	}
	engine, err := play()
	if err != nil {
		return nil, err
	}
	defer engine.close()
	size := fmt.Sprintf("with a database of %.1f GB", float64(info.Size())/(1<<30))
	starts, idleFor := 9, 30*time.Second
	if o.Quick {
		starts, idleFor = 3, 5*time.Second
	}
	var took []float64
	for range starts {
		began := time.Now()
		p, err := serve(ctx, o, h.home, engine.address)
		if err != nil {
			return nil, err
		}
		err = p.client.Do(ctx, "GET", "/api/snapshot", nil, nil)
		took = append(took, milliseconds(time.Since(began)))
		if err := errors.Join(err, p.end()); err != nil {
			return nil, err
		}
	}
	results := []Result{lower("serve "+size+": start to first answer, median", percentile(took, 50), "ms", 150)}

	p, err := serve(ctx, o, h.home, engine.address)
	if err != nil {
		return results, err
	}
	defer func() { _ = p.end() }()
	if _, err := resident(p.command.Process.Pid); err != nil {
		return append(results, Result{Name: "memory and CPU of serve", Reason: "an operating system with /proc (Linux)"}), nil
	}
	if err := h.use(ctx, p.client); err != nil {
		return results, err
	}
	mb, err := resident(p.command.Process.Pid)
	if err != nil {
		return results, err
	}
	results = append(results, lower("serve "+size+": memory after a turn, without the vector cache", mb, "MB", 120))
	select {
	case <-time.After(5 * time.Second):
	case <-ctx.Done():
		return results, ctx.Err()
	}
	before, err := ticks(p.command.Process.Pid)
	if err != nil {
		return results, err
	}
	began := time.Now()
	select {
	case <-time.After(idleFor):
	case <-ctx.Done():
		return results, ctx.Err()
	}
	after, err := ticks(p.command.Process.Pid)
	if err != nil {
		return results, err
	}
	return append(results, lower("serve "+size+": CPU while idle", (after-before)/time.Since(began).Seconds(), "% of a core", 0.3)), nil
}

// withoutCache sets the size of the vector cache to nothing.
func (h *house) withoutCache(ctx context.Context, o Options) error {
	st, err := h.open(ctx, o)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	if err := st.SetSetting(ctx, "window", json.RawMessage("32768")); err != nil { // the core memory of the house is within its share of that
		return err
	}
	return st.SetSetting(ctx, "vector_cache_mb", json.RawMessage("0"))
}

// use does what a user does: looks, searches, asks and gets an answer.
func (h *house) use(ctx context.Context, c *instance.Client) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	var list struct {
		Conversations []memory.Conversation `json:"conversations"`
	}
	if err := c.Do(ctx, "GET", "/api/conversations?query=Years", nil, &list); err != nil {
		return err
	}
	if len(list.Conversations) == 0 {
		return errors.New("the house has no conversation")
	}
	conversation := list.Conversations[0]
	for _, path := range []string{
		"/api/conversations/" + conversation.ID + "/messages",
		"/api/search?agent_id=" + conversation.AgentID + "&query=" + url.QueryEscape(h.world.Query()),
		"/api/agents/" + conversation.AgentID + "/core",
	} {
		if err := c.Do(ctx, "GET", path, nil, nil); err != nil {
			return err
		}
	}
	events := make(chan memory.Event, 64)
	listen, stop := context.WithCancel(ctx)
	defer stop()
	var snapshot struct {
		Epoch string `json:"epoch"`
		Seq   uint64 `json:"seq"`
	}
	if err := c.Do(ctx, "GET", "/api/snapshot", nil, &snapshot); err != nil {
		return err
	}
	go func() {
		defer close(events)
		for ev, err := range c.Events(listen, fmt.Sprintf("%s-%d", snapshot.Epoch, snapshot.Seq)) {
			if err != nil {
				return
			}
			select {
			case events <- ev:
			case <-listen.Done():
				return
			}
		}
	}()
	question := map[string]string{"content": h.world.Query()}
	if err := c.Do(ctx, "POST", "/api/conversations/"+conversation.ID+"/messages", question, nil); err != nil {
		return err
	}
	_, err := await(ctx, events, "turn.done", "message_id")
	return err
}

// window measures how long the window needs until its page takes input, over the same database.
func (h *house) window(ctx context.Context, o Options) ([]Result, error) {
	if o.Window == "" {
		return nil, missing{"the desktop app beside this program (make build)"}
	}
	display, stop, err := screen(ctx, o)
	if err != nil {
		return nil, err
	}
	defer stop()
	if err := h.grow(ctx, o); err != nil {
		return nil, err
	}
	engine, err := play()
	if err != nil {
		return nil, err
	}
	defer engine.close()
	rounds := 5
	if o.Quick {
		rounds = 1
	}
	var took []float64
	for range rounds {
		s, err := interactive(ctx, o, h.home, append(os.Environ(), "OLLAMA_HOST="+engine.address, "DISPLAY="+display))
		if err != nil {
			return nil, err
		}
		took = append(took, s)
	}
	return []Result{lower("window: start of the program until its page is interactive, median", percentile(took, 50), "s", 1.5)}, nil
}

// screen returns a display: the user's own, else one in memory.
func screen(ctx context.Context, o Options) (display string, stop func(), err error) {
	if d := o.Env("DISPLAY"); d != "" {
		return d, func() {}, nil
	}
	path, err := exec.LookPath("Xvfb")
	if err != nil {
		return "", nil, missing{"a display, or Xvfb"}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = r.Close() }()
	c := exec.CommandContext(ctx, path, "-displayfd", "3", "-screen", "0", "1400x900x24", "-nolisten", "tcp")
	c.ExtraFiles = []*os.File{w}
	err = c.Start()
	_ = w.Close()
	if err != nil {
		return "", nil, missing{"a display; Xvfb does not start: " + err.Error()}
	}
	stop = func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait()
	}
	line := make([]byte, 16)
	n, err := r.Read(line)
	if err != nil {
		stop()
		return "", nil, missing{"a display; Xvfb ended at once"}
	}
	return ":" + strings.TrimSpace(string(line[:n])), stop, nil
}

// interactive starts the window and returns the seconds until its log says that the page takes input.
func interactive(ctx context.Context, o Options, home string, env []string) (seconds float64, err error) {
	log := filepath.Join(home, "recollect.log")
	if err := os.Remove(log); err != nil && !errors.Is(err, os.ErrNotExist) {
		return 0, err
	}
	ctx, cancel := context.WithTimeout(ctx, 9*time.Second) // after 10 s the app takes its window for blank and starts anew
	defer cancel()
	c := exec.CommandContext(ctx, o.Window, "--home", home)
	c.Env, c.Stderr = env, o.Log
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 20 * time.Second
	began := time.Now()
	if err := c.Start(); err != nil {
		return 0, fmt.Errorf("open the window: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = c.Wait()
		close(ended)
	}()
	defer func() {
		cancel()
		<-ended
	}()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if raw, err := os.ReadFile(log); err == nil && strings.Contains(string(raw), "The window is interactive.") {
				return time.Since(began).Seconds(), nil
			}
		case <-ended:
			return 0, errors.New("the window closed before its page was interactive")
		case <-ctx.Done():
			return 0, fmt.Errorf("wait for the window: %w", ctx.Err())
		}
	}
}
