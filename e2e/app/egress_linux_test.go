package app

import (
	"encoding/hex"
	"fmt"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine/enginetest"
)

// What the user does with memory, models and settings leads to the engine's address and nowhere else: no other
// connection, no look-up of a name, nothing by way of a proxy.
func TestNothingLeavesTheMachine(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{})
	f.OnChat(func(r api.ChatRequest) enginetest.Reply {
		if last := r.Messages[len(r.Messages)-1]; last.Role == "user" && strings.Contains(last.Content, "move") && len(r.Tools) > 0 {
			return enginetest.Reply{Calls: []enginetest.Call{{Name: "core_memory_append", Arguments: `{"label":"human","content":"Lives in Leipzig. See https://example.com/leipzig"}`}}}
		}
		return enginetest.Reply{Chunks: []string{"Noted: ", "![a](https://example.com/a.png) ", "[b](http://example.com)"}}
	})
	proxy, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = proxy.Close() }()
	go func() {
		for {
			c, err := proxy.Accept()
			if err != nil {
				return
			}
			t.Errorf("something goes by way of the proxy, from %s", c.RemoteAddr())
			_ = c.Close()
		}
	}()
	address := "http://" + proxy.Addr().String()
	home := t.TempDir()
	p := serve(t, home, env, "HTTP_PROXY="+address, "HTTPS_PROXY="+address, "ALL_PROXY="+address, "http_proxy="+address, "https_proxy="+address)
	w := watchConnections(p.cmd.Process.Pid)

	p.engineState("ready")
	c := p.conversation()
	p.ask(c, "remember that my bicycle is called Comet")
	p.ask(c, "I move to Leipzig, see https://example.com")
	p.ask(p.conversation(), "What is my bicycle called?")
	p.post("/api/passages", map[string]any{"agent_id": p.agent.ID, "text": "https://example.com/page"}, nil)
	for _, path := range []string{"/api/models", "/api/doctor", "/api/snapshot", "/api/engine"} {
		p.get(path, nil)
	}
	p.post("/api/backup", map[string]any{}, nil)
	if status, _ := p.raw("GET", "/", ""); status != 200 && status != 404 && status != 503 {
		t.Errorf("the page answers %d", status)
	}

	seen := w.stop()
	engine := f.Addr()
	ours := p.Info().Addr
	if seen[strings.TrimPrefix(engine, "http://")] == "" {
		t.Errorf("not even the connection to the engine at %s was seen, but %v", engine, seen)
	}
	for remote, how := range seen {
		a, err := netip.ParseAddrPort(remote)
		must(t, err)
		if remote != strings.TrimPrefix(engine, "http://") && !strings.HasSuffix(how, " of "+ours) {
			t.Errorf("a connection to %s (%s)", a, how)
		}
	}
}

// connections are the remote ends of a process's sockets, seen by looking every other millisecond.
type connections struct {
	pid  int
	seen map[string]string // remote address: protocol and local address
	end  chan struct{}
	done chan struct{}
}

func watchConnections(pid int) *connections {
	w := &connections{pid: pid, seen: map[string]string{}, end: make(chan struct{}), done: make(chan struct{})}
	go func() {
		defer close(w.done)
		for tick := time.NewTicker(2 * time.Millisecond); ; {
			w.look()
			select {
			case <-w.end:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	return w
}

func (w *connections) stop() map[string]string {
	close(w.end)
	<-w.done
	return w.seen
}

func (w *connections) look() {
	proc := fmt.Sprintf("/proc/%d", w.pid)
	inodes := map[string]bool{}
	fds, _ := filepath.Glob(proc + "/fd/*")
	for _, fd := range fds {
		if link, err := os.Readlink(fd); err == nil {
			if inode, ok := strings.CutPrefix(link, "socket:["); ok {
				inodes[strings.TrimSuffix(inode, "]")] = true
			}
		}
	}
	for _, protocol := range []string{"tcp", "tcp6", "udp", "udp6"} {
		table, err := os.ReadFile(proc + "/net/" + protocol)
		if err != nil {
			continue
		}
		for _, line := range strings.Split(string(table), "\n")[1:] {
			f := strings.Fields(line)
			if len(f) < 10 || !inodes[f[9]] {
				continue
			}
			if remote := hexAddress(f[2]); remote.Port() != 0 {
				w.seen[remote.String()] = protocol + " of " + hexAddress(f[1]).String()
			}
		}
	}
}

// hexAddress reads an address of /proc/net: words in the order of the machine, then the port.
func hexAddress(s string) netip.AddrPort {
	host, port, _ := strings.Cut(s, ":")
	raw, _ := hex.DecodeString(host)
	for i := 0; i+4 <= len(raw); i += 4 {
		raw[i], raw[i+1], raw[i+2], raw[i+3] = raw[i+3], raw[i+2], raw[i+1], raw[i]
	}
	ip, _ := netip.AddrFromSlice(raw)
	p, _ := hex.DecodeString(port)
	return netip.AddrPortFrom(ip.Unmap(), uint16(p[0])<<8|uint16(p[1]))
}
