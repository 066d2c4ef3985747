package app

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"recollect/backend/api"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

// The app is used for long: it answers to the end, keeps all that was said, and holds neither more files nor much more
// memory than it did after a third of the way. RECOLLECT_FULL=1 takes a hundred times as many turns.
func TestUsedForLong(t *testing.T) {
	turns := 30
	if os.Getenv("RECOLLECT_FULL") == "1" {
		turns = 3000
	}
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	p := serve(t, home, env)
	human := p.block("human")
	var warm, end use
	said := map[string]int{} // conversation → questions
	conversation := ""
	for n := range turns {
		if n%50 == 0 {
			conversation = p.conversation()
		}
		user, answer := p.ask(conversation, fmt.Sprintf("Question %d about bicycles and the weather\n[[long 5]]", n))
		said[conversation]++
		if answer.Status != memory.StatusComplete {
			t.Fatalf("turn %d: %+v %+v", n, answer, answer.Problem)
		}
		switch n % 5 {
		case 0:
			must(t, p.call("PATCH", "/api/blocks/"+human.ID, map[string]any{"value": fmt.Sprintf("Asked %d questions.", n)}, nil))
		case 1:
			p.post("/api/messages/"+answer.ID+"/regenerate", nil, nil)
			if again := p.answer(user); again.Status != memory.StatusComplete {
				t.Fatalf("turn %d, answered again: %+v", n, again)
			}
		case 2:
			p.post("/api/passages", api.PassageCreate{AgentID: p.agent.ID, Text: fmt.Sprintf("Fact %d: the gear has %d teeth.", n, n)}, nil)
		case 3:
			p.listenAndLeave()
		}
		if n == turns/3 {
			warm = useOf(t, p.cmd.Process.Pid)
		}
	}
	end = useOf(t, p.cmd.Process.Pid)
	t.Logf("after a third %+v, at the end %+v", warm, end)
	if end.files > warm.files+10 {
		t.Errorf("%d open files became %d", warm.files, end.files)
	}
	if end.bytes > warm.bytes*3/2+64<<20 {
		t.Errorf("%d MB of memory became %d", warm.bytes>>20, end.bytes>>20)
	}
	for c, questions := range said {
		if n := len(p.messages(c)); n != 2*questions {
			t.Errorf("%d questions, and %d messages are seen", questions, n)
		}
	}
	p.stop()
	verifyFile(t, home)
}

// listenAndLeave reads one event as a page does that is opened and closed.
func (p *process) listenAndLeave() {
	p.t.Helper()
	ctx, leave := context.WithCancel(p.t.Context())
	defer leave()
	for _, err := range p.Events(ctx, "0-0") { // of another epoch: it begins with a reset
		must(p.t, err)
		return
	}
}

// use is what a process holds.
type use struct{ files, bytes int }

func useOf(t *testing.T, pid int) use {
	t.Helper()
	files, err := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	must(t, err)
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	must(t, err)
	pages, err := strconv.Atoi(strings.Fields(string(raw))[1])
	must(t, err)
	return use{files: len(files), bytes: pages * os.Getpagesize()}
}
