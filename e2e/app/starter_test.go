//go:build linux

package app

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"recollect/backend/api"
	"recollect/backend/engine"
	"recollect/backend/jobs"
	"recollect/backend/memory"
)

// The main job with the real engine and the real starter models: the first start installs them; what the user asks to be
// remembered, in English and in Chinese, is there after a crash, in a new conversation, in the receipt and in the prompt that
// was sent. What so small a model makes of it is its own affair.
func TestStarterModelsRemember(t *testing.T) {
	binary := complete(t)
	home := t.TempDir()
	p := serveProgram(t, binary, home, []string{"OLLAMA_HOST=" + freeAddress(t)})
	if s := p.engineState(engine.StateReady); s.Kind != engine.KindBundled && s.Kind != engine.KindFound || !s.Loopback {
		t.Fatalf("the engine: %+v", s)
	}
	eventually(t, "the starter models", func() bool {
		var list api.Jobs
		p.get("/api/jobs", &list)
		for _, j := range list.Jobs {
			if j.State == jobs.StateFailed {
				t.Fatalf("installing them failed: %+v", j)
			}
		}
		var s api.Snapshot
		p.get("/api/snapshot", &s)
		return s.Settings.Model != "" && s.Settings.Embedder != ""
	})
	must(t, p.call("PATCH", "/api/settings", map[string]any{"window": 2048}, nil)) // short answers, little memory

	said := map[string]string{ // wish → question
		"Please remember that my bicycle is called Comet.": "what is my bicycle called?",
		"记住我的猫叫年糕":                                         "我的猫叫什么？",
	}
	know := map[string]string{"what is my bicycle called?": "Comet", "我的猫叫什么？": "年糕"}
	for wish := range said {
		user, _ := p.askBriefly(p.conversation(), wish)
		if changes := p.changes(user); !remembered(changes) {
			t.Errorf("%s changed %+v", wish, changes)
		}
	}
	p.kill()
	eventually(t, "the end of the engine", func() bool { return len(processesOf(t, home)) == 0 })

	p = serveProgram(t, binary, home, []string{"OLLAMA_HOST=" + freeAddress(t)})
	p.engineState(engine.StateReady)
	for _, question := range said {
		name := know[question]
		// The first answers may go by words alone, while the embedding model loads and makes the vectors.
		byMeaning := false
		for end := time.Now().Add(5 * patience); !byMeaning; time.Sleep(time.Second) {
			if time.Now().After(end) {
				t.Fatalf("%s: meaning is never searched", question)
			}
			user, answer := p.askBriefly(p.conversation(), question)
			byMeaning = p.wantMemory(user, answer, name)
		}
	}
	p.stop()
	if left := processesOf(t, home); len(left) > 0 {
		t.Errorf("processes outlive the app: %v", left)
	}
}

// wantMemory fails the test unless receipt and prompt of an answer hold a memory with the name. It reports whether it was
// found by its meaning too.
func (p *process) wantMemory(user, answer memory.Message, name string) (byMeaning bool) {
	p.t.Helper()
	var receipt memory.Receipt
	p.get("/api/messages/"+answer.ID+"/receipt", &receipt)
	taken, core := false, false
	for _, c := range receipt.Candidates {
		if strings.Contains(c.Text, name) {
			taken = taken || c.Taken
			byMeaning = byMeaning || receipt.Vectors && c.Semantic > 0
		}
	}
	for _, b := range receipt.Blocks {
		core = core || b.Label == "human" && b.Tokens > 0
	}
	if receipt.MessageID != user.ID || !taken || !core {
		p.t.Errorf("%s: the receipt does not show the memory (taken %v, core %v): %+v", user.Content, taken, core, receipt)
	}
	sent := p.request(answer.ID)
	if first := sent.Messages[0]; first.Role != "system" || !strings.Contains(first.Content, name) {
		p.t.Errorf("%s: core memory was sent without %s: %s", user.Content, name, first.Content)
	}
	if last := sent.Messages[len(sent.Messages)-1]; !strings.Contains(last.Content, name) || !strings.HasSuffix(last.Content, user.Content) {
		p.t.Errorf("%s: sent as %s", user.Content, last.Content)
	}
	return byMeaning
}

// complete returns a program beside which the real engine and the real starter models lie, as after `make run`.
func complete(t *testing.T) string {
	t.Helper()
	binary, models := os.Getenv("RECOLLECT_TEST_ENGINE"), os.Getenv("RECOLLECT_TEST_MODELS")
	if binary == "" || models == "" {
		t.Skip("needs the real engine and the starter models: run make test, or set RECOLLECT_TEST_ENGINE and RECOLLECT_TEST_MODELS")
	}
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "engine"), 0o700))
	must(t, os.Symlink(binary, filepath.Join(dir, "engine", "ollama")))
	must(t, os.Symlink(models, filepath.Join(dir, "models")))
	copied := filepath.Join(dir, "recollect")
	if err := os.Link(program, copied); err != nil {
		raw, err := os.ReadFile(program)
		must(t, err)
		must(t, os.WriteFile(copied, raw, 0o700)) // a program
	}
	return copied
}

// askBriefly asks, and stops the answer when it has begun: the small model may ramble.
func (p *process) askBriefly(conversation, text string) (user, answer memory.Message) {
	p.t.Helper()
	user = p.send(conversation, text)
	ctx, cancel := context.WithTimeout(p.t.Context(), 5*time.Minute) // a cold model on a busy machine
	defer cancel()
	for {
		for _, m := range p.messages(conversation) {
			if m.TurnID == user.ID && m.Role == memory.RoleAssistant && (m.Content != "" || m.Status != memory.StatusStreaming) {
				must(p.t, p.call("POST", "/api/conversations/"+conversation+"/stop", nil, nil))
				answer = p.answer(user)
				if answer.Problem != nil {
					p.t.Fatalf("%s: %+v", text, answer.Problem)
				}
				return user, answer
			}
		}
		select {
		case <-ctx.Done():
			p.t.Fatalf("no answer to %s", text)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// changes returns what a turn changed in memory.
func (p *process) changes(user memory.Message) []memory.Revision {
	p.t.Helper()
	var list api.Revisions
	p.get("/api/revisions?message_id="+user.ID, &list)
	return list.Revisions
}

// remembered tells whether a wish is kept as it should be: as a line about the user and as the fact that it states.
func remembered(changes []memory.Revision) bool {
	line := func(r memory.Revision) bool { return r.Subject == memory.SubjectBlock && r.Label == "human" }
	fact := func(r memory.Revision) bool { return r.Subject == memory.SubjectFact }
	return len(changes) == 2 && slices.ContainsFunc(changes, line) && slices.ContainsFunc(changes, fact)
}

type request struct {
	Messages []struct{ Role, Content string }
}

// request is what was sent to the engine for an answer.
func (p *process) request(answer string) request {
	p.t.Helper()
	var r request
	must(p.t, json.Unmarshal([]byte(p.prompt(answer)), &r))
	if len(r.Messages) < 2 {
		p.t.Fatalf("the request has %d messages", len(r.Messages))
	}
	return r
}

// processesOf returns the processes that work with the model folder of a data folder.
func processesOf(t *testing.T, home string) []string {
	t.Helper()
	all, err := filepath.Glob("/proc/[0-9]*")
	must(t, err)
	var found []string
	for _, dir := range all {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil || !bytes.Contains(env, []byte("OLLAMA_MODELS="+home)) {
			continue // ended, or not ours
		}
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline")) //nolint:errcheck // a zombie has none
		if len(line) > 0 {
			found = append(found, string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
		}
	}
	return found
}

// The starter models that find no room are told of, with how much they need, also those that the first start installs by
// itself; with room they are installed. Whoever deletes them afterwards keeps them deleted.
func TestStarterModelsNeedRoomAndConsent(t *testing.T) {
	binary, home := complete(t), t.TempDir()
	if err := unix.Mount("tmpfs", home, "tmpfs", 0, "size=60m,mode=0700"); err != nil {
		t.Skip("needs the right to mount a small disk:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(home, unix.MNT_DETACH) })
	env := []string{"OLLAMA_HOST=" + freeAddress(t)}
	p := serveProgram(t, binary, home, env)
	ended := func(state jobs.State) (last jobs.Job) {
		t.Helper()
		eventually(t, "the end of the installation", func() bool {
			var list api.Jobs
			p.get("/api/jobs", &list)
			if len(list.Jobs) > 0 {
				last = list.Jobs[0]
			}
			return last.ID != "" && last.State != jobs.StateRunning
		})
		if last.State != state {
			t.Fatalf("it ended so: %+v %+v", last, last.Problem)
		}
		return last
	}
	full := func(job jobs.Job) {
		t.Helper()
		if p := job.Problem; p == nil || p.Code != memory.EDISKFULL || p.Remedy != memory.RemedyFreeSpace || !strings.Contains(p.Message, "MB are free") {
			t.Errorf("without room: %+v", p)
		}
	}
	full(ended(jobs.StateFailed)) // nobody asked for it
	var told api.Activity
	p.get("/api/activity?types=job.failed", &told)
	if len(told.Events) != 1 {
		t.Errorf("the activity: %+v", told)
	}
	p.post("/api/models/starter", struct{}{}, nil)
	full(ended(jobs.StateFailed))

	must(t, unix.Mount("tmpfs", home, "tmpfs", unix.MS_REMOUNT, "size=260m"))
	p.post("/api/models/starter", struct{}{}, nil)
	ended(jobs.StateDone)
	var list api.Models
	p.get("/api/models", &list)
	for _, m := range list.Models {
		must(t, p.call("DELETE", "/api/models/"+m.Name, nil, nil))
	}
	p.stop()

	p = serveProgram(t, binary, home, env)
	p.engineState(engine.StateReady)
	if _, answer := p.ask(p.conversation(), "Hello"); answer.Problem == nil || answer.Problem.Code != memory.EMODEL {
		t.Errorf("without a model: %+v", answer)
	}
	var all api.Jobs
	p.get("/api/jobs", &all)
	if len(all.Jobs) != 0 {
		t.Errorf("deleted models are installed again: %+v", all.Jobs)
	}
}
