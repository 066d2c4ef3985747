package app

import (
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"recollect/backend/api"
	"recollect/backend/engine"
	"recollect/backend/memory"
)

// insideVariable is set where this test runs in a network of its own.
const insideVariable = "RECOLLECT_TEST_OFFLINE"

// On a machine without any network the app goes from its first start to the first answer, with a memory: with nothing but
// the loopback there is nothing else that it could have talked to.
func TestWithoutAnyNetwork(t *testing.T) {
	binary := complete(t)
	if os.Getenv(insideVariable) == "" {
		inOwnNetwork(t)
		return
	}
	loopbackUp(t)
	if c, err := net.Dial("tcp", "192.0.2.1:80"); err == nil {
		_ = c.Close()
		t.Fatal("there is a network")
	}

	p := serveProgram(t, binary, t.TempDir(), nil)
	if s := p.engineState(engine.StateReady); s.Kind != engine.KindBundled || !s.Loopback {
		t.Fatalf("the engine: %+v", s)
	}
	eventually(t, "the starter models", func() bool {
		var s api.Snapshot
		p.get("/api/snapshot", &s)
		return s.Settings.Model != "" && s.Settings.Embedder != ""
	})
	must(t, p.call("PATCH", "/api/settings", map[string]any{"window": 2048}, nil))
	c := p.conversation()
	user, answer := p.askBriefly(c, "Please remember that my bicycle is called Comet.")
	if changes := p.changes(user); !remembered(changes) || answer.Content == "" {
		t.Errorf("the answer %q; memory changed by %+v", answer.Content, changes)
	}
	_, answer = p.askBriefly(p.conversation(), "What is my bicycle called?")
	if answer.Content == "" || !strings.Contains(p.prompt(answer.ID), "Comet") {
		t.Errorf("the answer %q was made without the memory", answer.Content)
	}
	// What needs the network says so, and the app goes on.
	var pulled api.JobResult
	p.post("/api/models/pull", map[string]any{"name": "qwen3:0.6b"}, &pulled)
	var problem *memory.Problem
	eventually(t, "the end of a pull", func() bool {
		var list api.Jobs
		p.get("/api/jobs", &list)
		for _, j := range list.Jobs {
			if j.ID == pulled.Job.ID {
				problem = j.Problem
			}
		}
		return problem != nil
	})
	if problem.Code != memory.EMODEL || problem.Remedy != memory.RemedyRetry || !strings.Contains(problem.Message, "cannot be reached") {
		t.Errorf("a pull without a network: %+v", problem)
	}
	p.stop()
}

// inOwnNetwork runs this test once more, in a network namespace that has nothing but a loopback.
func inOwnNetwork(t *testing.T) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v") // this test itself
	cmd.Env = append(os.Environ(), insideVariable+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNET}
	if os.Getuid() != 0 {
		cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.CombinedOutput()
	if cmd.Process == nil {
		t.Skip("networks of one's own are not allowed here:", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Errorf("%v\n%s", err, out)
	}
}

// loopbackUp switches the loopback of a new network on.
func loopbackUp(t *testing.T) {
	t.Helper()
	s, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM, 0)
	must(t, err)
	defer func() { _ = unix.Close(s) }()
	lo, err := unix.NewIfreq("lo")
	must(t, err)
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	must(t, unix.IoctlIfreq(s, unix.SIOCSIFFLAGS, lo))
}
