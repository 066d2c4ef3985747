package engine

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"recollect/backend/memory"
)

// child is an engine of our own, under a guard.
type child struct {
	base   *url.URL
	cmd    *exec.Cmd
	hold   io.Closer // the guard lives as long as this is open
	exited chan struct{}
}

// childEnv is the environment of our own engine: ours, without what would lead it elsewhere, and with its settings.
func childEnv(environ []string, address, models string, slots int, keepAlive time.Duration) []string {
	var env []string
	direct := "127.0.0.1,localhost,::1"
	for _, kv := range environ {
		name, value, _ := strings.Cut(kv, "=")
		switch upper := strings.ToUpper(name); {
		case strings.HasPrefix(upper, "OLLAMA_") && upper != "OLLAMA_FLASH_ATTENTION" && upper != "OLLAMA_KV_CACHE_TYPE":
		case upper == "NO_PROXY":
			direct += "," + value
		default:
			env = append(env, kv) // proxies too, for downloads; the server reaches its runners without, see NO_PROXY
		}
	}
	return append(env,
		"OLLAMA_HOST="+address,
		"OLLAMA_MODELS="+models,
		"OLLAMA_NUM_PARALLEL="+strconv.Itoa(slots), // never OLLAMA_MULTIUSER_CACHE: it kills the runner
		"OLLAMA_KEEP_ALIVE="+keepAlive.String(),
		"OLLAMA_NO_CLOUD=1",
		"OLLAMA_NOPRUNE=1", // unfinished downloads survive a restart
		"OLLAMA_DEBUG=1",   // for the lines about prompt caches; see slotLog
		"GIN_MODE=release",
		"NO_PROXY="+direct,
	)
}

// startChild starts an engine on a free loopback port and waits until it answers.
func startChild(ctx context.Context, guard []string, binary, models string, slots int, keepAlive, wait time.Duration, log io.Writer) (*child, string, error) {
	if err := os.MkdirAll(models, 0o700); err != nil {
		return nil, "", fmt.Errorf("make the model folder: %w", err)
	}
	address, err := freeAddress()
	if err != nil {
		return nil, "", err
	}
	c := &child{base: &url.URL{Scheme: "http", Host: address}, exited: make(chan struct{})}
	c.cmd = exec.Command(guard[0], append(guard[1:len(guard):len(guard)], binary, "serve")...) // our own executable
	c.cmd.Env = childEnv(os.Environ(), address, models, slots, keepAlive)
	c.cmd.Dir = filepath.Dir(models)
	c.cmd.SysProcAttr = guardAttributes()
	c.cmd.Stdout, c.cmd.Stderr = log, log
	c.cmd.WaitDelay = time.Second // a runner in its last second may hold the log open
	if c.hold, err = c.cmd.StdinPipe(); err != nil {
		return nil, "", err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, "", fmt.Errorf("start the engine: %w", err)
	}
	go func() {
		_ = c.cmd.Wait() // why it ended is in its log
		killGuarded(c.cmd.Process)
		close(c.exited)
	}()

	cl := newClient(c.base)
	defer cl.close()
	deadline := time.NewTimer(wait)
	defer deadline.Stop()
	for {
		version, err := cl.version(ctx, time.Second)
		if err == nil {
			return c, version, nil
		}
		select {
		case <-time.After(50 * time.Millisecond):
			continue
		case <-c.exited:
			return nil, "", memory.Errorf(memory.EENGINE, "engine", "the engine ended at once; its log says why")
		case <-deadline.C:
			err = memory.Errorf(memory.EENGINE, "engine", "the engine does not answer after %s", wait)
		case <-ctx.Done():
			err = ctx.Err()
		}
		c.stop()
		return nil, "", err
	}
}

// stop ends the child and waits until it is gone.
func (c *child) stop() {
	_ = c.hold.Close()
	select {
	case <-c.exited:
	case <-time.After(stopGrace + 2*time.Second):
		killGuarded(c.cmd.Process)
		<-c.exited
	}
}

// freeAddress finds a port on loopback that nobody listens on.
func freeAddress() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer l.Close() //nolint:errcheck // only the number was wanted
	return l.Addr().String(), nil
}
