package app

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	ollama "github.com/ollama/ollama/api"

	"recollect/backend/api"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
)

const (
	failed    = 1
	usage     = 2
	noEngine  = 3
	dataInUse = 4
)

func TestHelpAndUsage(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "serve", "chat", "add", "doctor", "selftest", "bench", "backup", "restore", "version"} {
		args := []string{name, "--help"}
		if name == "" {
			args = args[1:]
		}
		out, errs, exit := run(t, "", nil, args...)
		if exit != 0 || errs != "" || !strings.Contains(out, "Usage: recollect") || !strings.Contains(out, "-home") || !strings.Contains(out, "-json") {
			t.Errorf("%v ended with %d:\n%s%s", args, exit, out, errs)
		}
		if name == "" {
			continue
		}
		again, _, exit := run(t, "", nil, "help", name)
		if exit != 0 || again != out {
			t.Errorf("help %s differs from %s --help", name, name)
		}
		if _, errs, exit := run(t, "", nil, name, "--no-such-flag"); exit != usage || !strings.Contains(errs, "no-such-flag") || !strings.Contains(errs, "Usage") {
			t.Errorf("%s with a wrong flag ended with %d: %s", name, exit, errs)
		}
	}
	for _, args := range [][]string{{"help"}, {"help", "--help"}} {
		out, _, exit := run(t, "", nil, args...)
		if exit != 0 || !strings.Contains(out, "Exit codes") || !strings.Contains(out, "restore") {
			t.Errorf("%v ended with %d:\n%s", args, exit, out)
		}
	}
	if _, errs, exit := run(t, "", nil, "remember"); exit != usage || !strings.Contains(errs, `"remember"`) {
		t.Errorf("an unknown command ended with %d: %s", exit, errs)
	}
	home := t.TempDir()
	for _, args := range [][]string{{"serve", "what"}, {"doctor", "what"}, {"selftest", "what"}, {"bench", "what"}, {"version", "what"}, {"backup", "a", "b"}, {"restore", "a", "b"}, {"--json", "what"}} {
		if out, errs, exit := run(t, home, nil, args...); exit != usage {
			t.Errorf("%v ended with %d: %s%s", args, exit, out, errs)
		}
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("wrong usage left %v in the data folder (%v)", left, err)
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	out, _, exit := run(t, "", nil, "version")
	if exit != 0 || !strings.HasPrefix(out, "recollect 0.") {
		t.Errorf("version ended with %d: %s", exit, out)
	}
	var v map[string]string
	out, _, exit = run(t, "", nil, "version", "--json")
	must(t, json.Unmarshal([]byte(out), &v))
	if exit != 0 || v["version"] == "" || v["os"] == "" {
		t.Errorf("version --json ended with %d: %s", exit, out)
	}
}

// exchange is what chat --json prints.
type exchange struct {
	ConversationID string            `json:"conversation_id"`
	Question       string            `json:"question"`
	Answer         memory.Message    `json:"answer"`
	Edits          []memory.Revision `json:"edits"`
	Receipt        *memory.Receipt   `json:"receipt"`
}

// chat, alone and beside a running instance: the answer, what it changed, what it drew on.
func TestChat(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{})
	for name, running := range map[string]bool{"alone": false, "beside a running instance": true} {
		t.Run(name, func(t *testing.T) {
			home := t.TempDir()
			if running {
				serve(t, home, env)
			}
			out, errs, exit := run(t, home, []string{env}, "chat", "Please remember that my bicycle is called Comet.")
			if exit != 0 || !strings.Contains(out, `[memory] human: + "my bicycle is called Comet"`) {
				t.Errorf("ended with %d:\n%s%s", exit, out, errs)
			}
			out, _, exit = run(t, home, []string{env}, "chat", "--json", "What is my bicycle called?")
			var x exchange
			must(t, json.Unmarshal([]byte(out), &x))
			if exit != 0 || x.Answer.Status != memory.StatusComplete || x.Answer.Content == "" || x.Receipt == nil || x.Edits == nil {
				t.Errorf("ended with %d: %s", exit, out)
			}
			if !strings.Contains(f.Chats()[len(f.Chats())-1].Messages[0].Content, "my bicycle is called Comet") {
				t.Error("the model was not told")
			}
			// the same conversation goes on
			out, _, exit = run(t, home, []string{env}, "chat", "--json", "--conversation", x.ConversationID, "And now?")
			var y exchange
			must(t, json.Unmarshal([]byte(out), &y))
			if exit != 0 || y.ConversationID != x.ConversationID || y.Answer.ParentID == "" {
				t.Errorf("ended with %d: %s", exit, out)
			}
		})
	}
}

// A model without tools notes after its answer what it was told. The program ends when that is done.
func TestChatWaitsForWhatIsNoted(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{})
	f.OnChat(func(r ollama.ChatRequest) enginetest.Reply {
		const slow = 200 * time.Millisecond // a form takes longer than the end of the program
		switch {
		case strings.Contains(string(r.Format), "enum"):
			return enginetest.Reply{Content: `{"tool": "core_memory_append"}`, Delay: slow}
		case len(r.Format) > 0:
			return enginetest.Reply{Content: `{"label": "human", "content": "The bicycle is called Comet"}`, Delay: slow}
		}
		return enginetest.Reply{Content: "I see."}
	})
	home := t.TempDir()
	if out, errs, exit := run(t, home, []string{env}, "chat", "--model", enginetest.Chat, "My bicycle is called Comet."); exit != 0 || !strings.Contains(errs, "Noting") {
		t.Errorf("ended with %d:\n%s%s", exit, out, errs)
	}
	run(t, home, []string{env}, "chat", "Good morning")
	if last := f.Chats()[len(f.Chats())-1]; !strings.Contains(last.Messages[0].Content, "My bicycle is called Comet") {
		t.Errorf("the model was not told: %s", last.Messages[0].Content)
	}
}

// What is to be told beside an answer is told in the terminal too, in the user's language.
func TestChatTellsNotices(t *testing.T) {
	t.Parallel()
	f, env := fake(t, enginetest.Options{})
	f.AddModel(enginetest.Model{Name: enginetest.Chat, MaxWindow: 4096})
	for lang, said := range map[string]string{"en_GB.UTF-8": "4096 are used now", "zh_CN.UTF-8": "现在改用 4096 token"} {
		out, errs, exit := run(t, t.TempDir(), []string{env, "LANG=" + lang}, "chat", "--model", enginetest.Chat, "[[say Here.]]")
		if exit != 0 || !strings.Contains(out, "Here.") || !strings.Contains(errs, said) {
			t.Errorf("%s: ended with %d:\n%s%s", lang, exit, out, errs)
		}
	}
}

func TestChatReadsLines(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	cmd := exec.CommandContext(t.Context(), program, "chat", "--home", t.TempDir()) // built by us
	cmd.Env = environment(t, []string{env})
	cmd.Stdin = strings.NewReader("[[say First.]]\n\n/new\n[[status 500 broken]]\n[[say Third.]]\n/quit\nnever\n")
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &out, &errs)
	}
	if s := out.String(); !strings.Contains(s, "First.") || !strings.Contains(s, "Third.") || strings.Contains(s, "never") {
		t.Errorf("it printed %s", s)
	}
	if !strings.Contains(errs.String(), "recollect: ") {
		t.Errorf("the failed answer is not told: %s", &errs)
	}
}

// The exit code of lines that were read tells of the last answer.
func TestChatOfLinesEndsAsTheLastAnswer(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	for _, lines := range []string{"[[say First.]]\n[[say Half. ]] [[eof]]\n", "[[say Half. ]] [[eof]]\n/quit\n"} {
		for _, args := range [][]string{{"chat"}, {"chat", "--json"}} {
			cmd := exec.CommandContext(t.Context(), program, append(args, "--home", t.TempDir())...) // built by us
			cmd.Env = environment(t, []string{env})
			cmd.Stdin = strings.NewReader(lines)
			out, err := cmd.Output()
			if cmd.ProcessState.ExitCode() != failed {
				t.Errorf("%q to %v ended with %v: %s", lines, args, err, out)
			}
		}
	}
}

func TestChatFailures(t *testing.T) {
	t.Parallel()
	none := []string{"OLLAMA_HOST=" + freeAddress(t)}
	out, errs, exit := run(t, t.TempDir(), none, "chat", "Hello")
	if exit != noEngine || !strings.Contains(errs, "Next: ") {
		t.Errorf("without an engine it ended with %d: %s%s", exit, out, errs)
	}
	out, _, exit = run(t, t.TempDir(), none, "chat", "--json", "Hello")
	var told struct {
		Error struct {
			Code memory.Code `json:"code"`
			Exit int         `json:"exit"`
		} `json:"error"`
	}
	must(t, json.Unmarshal([]byte(out), &told))
	if exit != noEngine || told.Error.Code != memory.EENGINE || told.Error.Exit != noEngine {
		t.Errorf("with --json it ended with %d: %s", exit, out)
	}

	_, empty := fake(t, enginetest.Options{Models: []enginetest.Model{}})
	if out, errs, exit := run(t, t.TempDir(), []string{empty}, "chat", "Hello"); exit != noEngine || !strings.Contains(errs, "Next: ") {
		t.Errorf("without a model it ended with %d: %s%s", exit, out, errs)
	}

	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	for _, args := range [][]string{
		{"chat", "--agent", "nobody", "Hello"},
		{"chat", "--conversation", "conversation-0", "Hello"},
		{"chat", "[[status 500 broken]]"},
		{"chat", "--json", "[[status 500 broken]]"},
		{"chat", "[[eof]]"},
		{"chat", "--json", "[[eof]]"},
	} {
		if out, errs, exit := run(t, home, []string{env}, args...); exit == 0 {
			t.Errorf("%v ended with 0: %s%s", args, out, errs)
		}
	}
	if out, errs, exit := run(t, home, []string{env}, "chat", "--model", "no-such-model", "Hello"); exit != noEngine {
		t.Errorf("with a model that is not there it ended with %d: %s%s", exit, out, errs)
	}
}

func TestDoctor(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	check := func(name string, exit, want int, out string, ids ...string) {
		t.Helper()
		var found api.Doctor
		must(t, json.Unmarshal([]byte(out), &found))
		for _, id := range ids {
			seen := false
			for _, c := range found.Checks {
				seen = seen || c.ID == id && c.Detail != ""
				if c.Level != "ok" && c.Remedy == "" {
					t.Errorf("%s: no remedy for %+v", name, c)
				}
			}
			if !seen {
				t.Errorf("%s: nothing about %s: %s", name, id, out)
			}
		}
		if exit != want {
			t.Errorf("%s: it ended with %d: %s", name, exit, out)
		}
	}
	all := []string{"folder", "disk", "database", "cpu", "memory", "engine", "chat_model", "embedder"}
	out, _, exit := run(t, home, []string{env}, "doctor", "--json")
	check("alone", exit, 0, out, all...)
	p := serve(t, home, env)
	must(t, p.call("PATCH", "/api/settings", map[string]any{"model": enginetest.Chat, "embedder": enginetest.Embedder}, nil))
	out, _, exit = run(t, home, nil, "doctor", "--json")
	check("beside a running instance", exit, 0, out, all...)
	p.stop()
	out, _, exit = run(t, filepath.Join(home, "new"), []string{env}, "doctor", "--json")
	check("a folder that does not exist yet", exit, 0, out, all...)
	if !strings.Contains(out, "did not exist yet") {
		t.Errorf("it does not tell that the folder is new: %s", out)
	}
	out, _, exit = run(t, home, []string{"OLLAMA_HOST=" + freeAddress(t)}, "doctor", "--json")
	check("without an engine", exit, failed, out, all...)
	must(t, os.WriteFile(filepath.Join(home, "recollect.db"), []byte("this is no database, however long one looks at it"), 0o600))
	_ = os.Remove(filepath.Join(home, "recollect.db-wal"))
	out, _, exit = run(t, home, []string{env}, "doctor", "--json")
	check("with a damaged database", exit, failed, out, all...)
	if !strings.Contains(out, "recollect restore") {
		t.Errorf("it does not offer to restore: %s", out)
	}
}

func TestSelftest(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	out, errs, exit := run(t, home, []string{env}, "selftest", "--json", "--model", enginetest.Tools)
	var r api.Selftest
	if err := json.Unmarshal([]byte(out), &r); err != nil || r.Model != enginetest.Tools || len(r.Results) < 4 || exit > failed {
		t.Errorf("it ended with %d (%v): %s%s", exit, err, out, errs)
	}
	p := serve(t, home, env)
	var now api.Snapshot
	p.get("/api/snapshot", &now)
	must(t, p.Do(t.Context(), "POST", "/api/selftest", api.SelftestRun{Model: enginetest.Tools}, &r))
	var told []string
	for ev, err := range p.Events(t.Context(), fmt.Sprintf("%s-%d", now.Epoch, now.Seq)) {
		must(t, err)
		if ev.Type != "selftest.progress" {
			continue
		}
		task, _ := ev.Data["task"].(string)
		if task == "" {
			break
		}
		told = append(told, task)
	}
	for i, x := range r.Results {
		if len(told) != len(r.Results) || told[i] != x.Task {
			t.Fatalf("told of %q, tried %+v", told, r.Results)
		}
	}
	p.stop()
	if out, errs, exit = run(t, home, []string{env}, "selftest", "--model", "no-such-model"); exit != noEngine || !strings.Contains(errs, "no-such-model") {
		t.Errorf("without the model it ended with %d: %s%s", exit, out, errs)
	}
}

// A backup is put back: what was said since is gone from the database and kept beside it.
func TestBackupAndRestore(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	file := filepath.Join(t.TempDir(), "copy of mine.db")

	if out, _, exit := run(t, home, []string{env}, "restore"); exit != 0 || !strings.Contains(out, "no backups") {
		t.Errorf("the list of none ended with %d: %s", exit, out)
	}
	p := serve(t, home, env)
	c := p.conversation()
	p.ask(c, "Before the backup")
	out, errs, exit := run(t, home, nil, "backup", file)
	if exit != 0 || !strings.Contains(out, "verified") {
		t.Fatalf("backup beside a running instance ended with %d: %s%s", exit, out, errs)
	}
	if _, errs, exit := run(t, home, nil, "backup", file); exit != failed || !strings.Contains(errs, "there already") {
		t.Errorf("a backup over another ended with %d: %s", exit, errs)
	}
	p.ask(c, "After the backup")
	if _, errs, exit := run(t, home, nil, "restore", file); exit != dataInUse || !strings.Contains(errs, "Quit it first") {
		t.Errorf("restore beside a running instance ended with %d: %s", exit, errs)
	}
	if n := len(p.messages(c)); n != 4 {
		t.Errorf("%d messages after a refused restore", n)
	}
	p.stop()
	if _, errs, exit := run(t, home, nil, "restore", program); exit != failed || !strings.Contains(errs, "the present database was left as it is") {
		t.Errorf("restoring what is no backup ended with %d: %s", exit, errs)
	}
	if _, errs, exit := run(t, home, nil, "restore", filepath.Join(home, "missing.db")); exit != failed || !strings.Contains(errs, "missing.db") {
		t.Errorf("restoring a missing file ended with %d: %s", exit, errs)
	}
	out, errs, exit = run(t, home, nil, "restore", "--json", file)
	var done map[string]string
	if exit != 0 || json.Unmarshal([]byte(out), &done) != nil || done["kept"] == "" {
		t.Fatalf("restore ended with %d: %s%s", exit, out, errs)
	}
	p = serve(t, home, env)
	if m := p.messages(c); len(m) != 2 || m[0].Content != "Before the backup" {
		t.Errorf("after restoring: %+v", m)
	}
	p.stop()
	// What was there before can be had back in the same way.
	if out, errs, exit := run(t, home, nil, "restore", done["kept"]); exit != 0 {
		t.Fatalf("restoring what was kept ended with %d: %s%s", exit, out, errs)
	}
	p = serve(t, home, env)
	if n := len(p.messages(c)); n != 4 {
		t.Errorf("%d messages after restoring what was kept", n)
	}
	p.stop()
	out, _, exit = run(t, home, []string{env}, "backup", "--json") // alone
	var made api.Backup
	if exit != 0 || json.Unmarshal([]byte(out), &made) != nil || made.Bytes == 0 || !made.Verified {
		t.Errorf("backup alone ended with %d: %s", exit, out)
	}
	out, _, exit = run(t, home, nil, "restore", "--json")
	if exit != 0 || !strings.Contains(out, filepath.Base(made.Path)) {
		t.Errorf("the list ended with %d: %s", exit, out)
	}
}

// The second start finds the first and ends well; the folder belongs to one at a time.
func TestSecondStart(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	p := serve(t, home, env)
	info, err := os.Stat(filepath.Join(home, "instance.json"))
	must(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Errorf("address and token can be read by others: %v", info.Mode())
	}
	out, errs, exit := run(t, home, []string{env}, "serve")
	if exit != 0 || !strings.Contains(out, "runs already") || !strings.Contains(out, p.Info().URL) {
		t.Errorf("a second serve ended with %d: %s%s", exit, out, errs)
	}
	var told struct {
		URL     string `json:"url"`
		Already bool   `json:"already_running"`
	}
	out, _, exit = run(t, home, []string{env}, "serve", "--json")
	if exit != 0 || json.Unmarshal([]byte(out), &told) != nil || !told.Already || told.URL != p.Info().URL {
		t.Errorf("a second serve --json ended with %d: %s", exit, out)
	}
	// The window of a second start: the first has none, so the link is told.
	if out, errs, exit := run(t, home, []string{env}); exit != 0 || !strings.Contains(out, p.Info().URL) {
		t.Errorf("opening the window beside serve ended with %d: %s%s", exit, out, errs)
	}
	must(t, p.call("GET", "/api/health", nil, nil))
	p.kill() // what it announced stays behind
	p = serve(t, home, env)
	p.stop()
	if _, err := os.Stat(filepath.Join(home, "instance.json")); !os.IsNotExist(err) {
		t.Errorf("what was announced is still there: %v", err)
	}
	if out, errs, exit := run(t, home, []string{env}); exit != failed || !strings.Contains(errs, "recollect serve") {
		t.Errorf("a window without one built in ended with %d: %s%s", exit, out, errs)
	}
}

func TestAddresses(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", ":0", "example.com:80"} {
		if out, errs, exit := run(t, home, []string{env}, "serve", "--addr", addr); exit != usage || !strings.Contains(errs, "--allow-remote") {
			t.Errorf("--addr %s ended with %d: %s%s", addr, exit, out, errs)
		}
	}
	for _, addr := range []string{"8080", "127.0.0.1", "127.0.0.1:http:80", "127.0.0.1:99999"} {
		if out, errs, exit := run(t, home, []string{env}, "serve", "--addr", addr); exit != usage || errs == "" {
			t.Errorf("--addr %s ended with %d: %s%s", addr, exit, out, errs)
		}
	}
	taken, other := freeAddress(t), t.TempDir()
	p := serveArgs(t, other, []string{env}, "--addr", taken)
	if p.Info().Addr != taken {
		t.Errorf("it listens on %s, not %s", p.Info().Addr, taken)
	}
	if _, errs, exit := run(t, home, []string{env}, "serve", "--addr", taken); exit != failed || !strings.Contains(errs, "port 0") {
		t.Errorf("a taken address ended with %d: %s", exit, errs)
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("a wrong address left %v in the data folder (%v)", left, err)
	}
	remote := serveArgs(t, home, []string{env}, "--addr", "0.0.0.0:0", "--allow-remote")
	eventually(t, "the warning", func() bool { return strings.Contains(remote.stderr.String(), "Warning: other machines") })
	if info := remote.Info(); strings.Contains(info.URL, "0.0.0.0") || strings.Contains(info.URL, "[::]") || !strings.HasPrefix(info.Addr, "127.0.0.1:") {
		t.Errorf("bound to all addresses, it is found at %s and its link is %s", info.Addr, info.URL)
	}
}

// A database written by a newer version is refused and not touched, by every subcommand that opens it.
func TestNewerDatabaseIsRefusedUntouched(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	p := serve(t, home, env)
	p.ask(p.conversation(), "Hello")
	p.stop()
	path := filepath.Join(home, "recollect.db")
	db, err := sql.Open("sqlite", path)
	must(t, err)
	_, err = db.Exec("PRAGMA user_version = 999; PRAGMA journal_mode = DELETE")
	must(t, err)
	must(t, db.Close())
	before, err := os.ReadFile(path) // of the test
	must(t, err)
	for _, args := range [][]string{{"serve"}, {"chat", "Hello"}, {"backup"}, {"selftest"}} {
		if out, errs, exit := run(t, home, []string{env}, args...); exit != failed || !strings.Contains(errs, "newer") {
			t.Errorf("%v ended with %d: %s%s", args, exit, out, errs)
		}
	}
	if out, _, exit := run(t, home, []string{env}, "doctor"); exit != failed || !strings.Contains(out, "newer") {
		t.Errorf("doctor ended with %d: %s", exit, out)
	}
	after, err := os.ReadFile(path) // of the test
	must(t, err)
	if !bytes.Equal(before, after) {
		t.Error("the file was changed")
	}
	if _, err := os.Stat(path + "-wal"); !os.IsNotExist(err) {
		t.Errorf("something was written beside it: %v", err)
	}
}

// Started several times at once (a double click), one start wins and the others find it.
func TestStartsAtTheSameTime(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	var all []*exec.Cmd
	var out [4]output
	for i := range out {
		cmd := exec.CommandContext(t.Context(), program, "serve", "--home", home) // built by us
		cmd.Env = environment(t, []string{env})
		cmd.Stdout, cmd.Stderr = &out[i], &out[i]
		must(t, cmd.Start())
		all = append(all, cmd)
	}
	ended := make(chan int)
	for _, cmd := range all {
		go func() {
			_ = cmd.Wait()
			ended <- cmd.ProcessState.ExitCode()
		}()
	}
	for range len(all) - 1 {
		if code := <-ended; code != 0 {
			t.Errorf("one that came too late ended with %d", code)
		}
	}
	already := 0
	for i := range out {
		if strings.Contains(out[i].String(), "runs already") {
			already++
		}
	}
	if already != len(all)-1 {
		t.Errorf("%d of %d found the first", already, len(all))
	}
	for _, cmd := range all {
		_ = cmd.Process.Signal(os.Interrupt)
	}
	if code := <-ended; code != 0 {
		t.Errorf("the one that served ended with %d", code)
	}
}

// Several questions at once, with nothing running before: each is answered, whichever command holds the data.
func TestQuestionsAtTheSameTime(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{ChunkDelay: 5 * time.Millisecond})
	home := t.TempDir()
	var wg sync.WaitGroup
	for i := range 3 {
		wg.Go(func() {
			want := fmt.Sprintf("Answer %d of three.", i)
			if out, errs, exit := run(t, home, []string{env}, "chat", "[[say "+want+"]]"); exit != 0 || !strings.Contains(out, want) {
				t.Errorf("question %d ended with %d: %s%s", i, exit, out, errs)
			}
		})
	}
	wg.Wait()
}

// Ctrl+C ends chat at once; what came of the answer is kept.
func TestChatInterrupted(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{ChunkDelay: 10 * time.Millisecond})
	home := t.TempDir()
	cmd := exec.CommandContext(t.Context(), program, "chat", "--home", home, "[[long 500]]") // built by us
	cmd.Env = environment(t, []string{env})
	var out output
	cmd.Stdout, cmd.Stderr = &out, &out
	must(t, cmd.Start())
	eventually(t, "the beginning of the answer", func() bool { return strings.Contains(out.String(), "3. A line") })
	must(t, cmd.Process.Signal(os.Interrupt))
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != failed {
		t.Errorf("it ended with %v", err)
	}
	p := serve(t, home, env)
	var list api.Conversations
	p.get("/api/conversations", &list)
	m := p.messages(list.Conversations[0].ID)
	if last := m[len(m)-1]; !strings.Contains(last.Content, "3. A line") || last.Status == memory.StatusStreaming || last.Status == memory.StatusComplete {
		t.Errorf("kept as %s: %.100s", last.Status, last.Content)
	}
}
