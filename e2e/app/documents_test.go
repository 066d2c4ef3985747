package app

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	ollama "github.com/ollama/ollama/api"

	"recollect/backend/api"
	"recollect/backend/engine/enginetest"
	"recollect/backend/jobs"
	"recollect/backend/memory"
)

// rides writes a text of n paragraphs into a file.
func rides(t *testing.T, path, whose string, n int) {
	t.Helper()
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "The ride number %d of %s went to the coast and back again, with the wind.\n\n", i, whose)
	}
	must(t, os.WriteFile(path, []byte(b.String()), 0o600))
}

// documents are those in the archive, and how many passages can be listed and found.
func (p *process) documents() []memory.Document {
	p.t.Helper()
	var list api.Documents
	p.get("/api/documents?agent_id="+p.agent.ID, &list)
	return list.Documents
}

// addDocument begins to read a file.
func (p *process) addDocument(path string) jobs.Job {
	p.t.Helper()
	var list api.Jobs
	p.post("/api/documents", api.DocumentsAdd{AgentID: p.agent.ID, Paths: []string{path}}, &list)
	return list.Jobs[0]
}

func (p *process) job(id string) jobs.Job {
	p.t.Helper()
	var list api.Jobs
	p.get("/api/jobs", &list)
	i := slices.IndexFunc(list.Jobs, func(j jobs.Job) bool { return j.ID == id })
	if i < 0 {
		p.t.Fatalf("the job %s is not listed", id)
	}
	return list.Jobs[i]
}

// read reads a file to its end.
func (p *process) read(path string) jobs.Job {
	p.t.Helper()
	id := p.addDocument(path).ID
	var j jobs.Job
	eventually(p.t, "the end of the reading", func() bool { j = p.job(id); return j.State != jobs.StateRunning })
	return j
}

// passages counts those that are in sight.
func (p *process) passages() int {
	p.t.Helper()
	var ids api.PassageIDs
	p.get("/api/passages/ids?agent_id="+p.agent.ID, &ids)
	return len(ids.IDs)
}

// rows counts what the file holds of documents, also what is out of sight.
func rows(t *testing.T, home string) (n int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(home, "recollect.db")+"?mode=ro")
	must(t, err)
	defer func() { must(t, db.Close()) }()
	must(t, db.QueryRow("SELECT (SELECT count(*) FROM passage) + (SELECT count(*) FROM document_part) + (SELECT count(*) FROM document_reading)").Scan(&n))
	return n
}

// A document whose reading is ended by kill -9 has left nothing after the next start, and one that was to be replaced is as
// it was; read again it is whole.
func TestKilledWhileADocumentIsRead(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	p := serve(t, home, env)
	path := filepath.Join(t.TempDir(), "rides.txt")
	rides(t, path, "the old year", 40)
	if old := p.read(path); old.State != jobs.StateDone {
		t.Fatalf("%+v", old)
	}
	before := p.documents()
	seen, kept := p.passages(), rows(t, home)
	rides(t, path, "the zeppelin", 60_000) // some thousand passages
	for _, share := range []int64{0, 20, 50, 90} {
		id := p.addDocument(path).ID
		eventually(t, fmt.Sprintf("%d %% of the reading", share), func() bool {
			j := p.job(id)
			if j.State != jobs.StateRunning {
				t.Fatalf("it was read before it could be killed: %+v", j)
			}
			return j.Total > 0 && j.Completed*100 >= share*j.Total
		})
		p.kill()
		verifyFile(t, home)
		p = serve(t, home, env)
		if after := p.documents(); len(after) != 1 || after[0].Hash != before[0].Hash || after[0].Passages != before[0].Passages {
			t.Errorf("after the kill at %d %% there are %+v", share, after)
		}
		if n := p.passages(); n != seen {
			t.Errorf("after the kill at %d %% there are %d passages in sight, not %d", share, n, seen)
		}
		if n := rows(t, home); n != kept {
			t.Errorf("after the kill at %d %% the file holds %d passages and pieces of documents, not %d", share, n, kept)
		}
		var found api.Passages
		p.get("/api/passages?by=words&query=zeppelin&agent_id="+p.agent.ID, &found)
		if len(found.Passages) > 0 {
			t.Errorf("after the kill at %d %% a search finds %q", share, found.Passages[0].Text)
		}
	}
	if j := p.read(path); j.State != jobs.StateDone || j.Status != "updated" || j.Result != before[0].ID {
		t.Fatalf("read again: %+v", j)
	}
	whole := serve(t, t.TempDir(), env)
	whole.read(path)
	if got, want := p.documents()[0].Passages, whole.documents()[0].Passages; got != want || want < 1000 {
		t.Errorf("%d passages, where nothing was killed %d", got, want)
	}
}

// A file that cannot be read does not keep those after it from being read.
func TestOneBadFileDoesNotBlockTheOthers(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	p := serve(t, t.TempDir(), env)
	dir := t.TempDir()
	var paths []string
	for name, content := range map[string]string{
		"1 empty.txt": "", "2 broken.pdf": "%PDF-1.4 and no more", "3 binary.md": "\x7fELF\x00\x01", "4 latin.txt": "caf\xe9 au lait",
		"5 fine.md": "# Keys\n\nThe keys are with Ada.",
	} {
		paths = append(paths, filepath.Join(dir, name))
		must(t, os.WriteFile(paths[len(paths)-1], []byte(content), 0o600))
	}
	slices.Sort(paths)
	var list api.Jobs
	p.post("/api/documents", api.DocumentsAdd{AgentID: p.agent.ID, Paths: paths}, &list)
	for i, begun := range list.Jobs {
		want := jobs.StateFailed
		if i >= 3 {
			want = jobs.StateDone
		}
		var j jobs.Job
		eventually(t, "the end of "+paths[i], func() bool { j = p.job(begun.ID); return j.State != jobs.StateRunning })
		if j.State != want || (j.Problem != nil) != (want == jobs.StateFailed) {
			t.Errorf("%s: %+v %+v", paths[i], j, j.Problem)
		}
	}
	var found api.Passages
	p.get("/api/passages?by=words&query=caf%C3%A9&agent_id="+p.agent.ID, &found)
	if len(found.Passages) == 0 {
		t.Error("the text in an old encoding is not found")
	}
}

// Files are added from the terminal, alone and beside a running instance.
func TestAddDocuments(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	for name, running := range map[string]bool{"alone": false, "beside a running instance": true} {
		t.Run(name, func(t *testing.T) {
			home, dir := t.TempDir(), t.TempDir()
			if running {
				serve(t, home, env)
			}
			file := func(name, content string) string {
				path := filepath.Join(dir, name)
				must(t, os.WriteFile(path, []byte(content), 0o600))
				return path
			}
			notes, empty := file("notes.md", "# House notes\n\nThe keys are with Ada."), file("empty.txt", "")
			out, errs, exit := run(t, home, []string{env}, "add", empty, notes, filepath.Join(dir, "nothing.txt"))
			if exit != failed || !strings.Contains(out, "notes.md: added as “House notes”") || strings.Count(errs, "\n") != 2 ||
				!strings.Contains(errs, "empty.txt: ") || !strings.Contains(errs, "nothing.txt\n") {
				t.Errorf("ended with %d:\n%s%s", exit, out, errs)
			}
			if out, _, exit := run(t, home, []string{env}, "add", notes); exit != 0 || !strings.Contains(out, "in the archive already") {
				t.Errorf("the same again ended with %d: %s", exit, out)
			}
			file("notes.md", "# House notes\n\nThe keys are with Ben.")
			out, _, exit = run(t, home, []string{env}, "add", "--json", notes)
			var made struct {
				Files []struct {
					Status   string
					Document memory.Document
				}
			}
			must(t, json.Unmarshal([]byte(out), &made))
			if exit != 0 || len(made.Files) != 1 || made.Files[0].Status != "updated" || made.Files[0].Document.Path != notes {
				t.Errorf("the changed file ended with %d: %s", exit, out)
			}
			if out, _, exit := run(t, home, []string{env}, "chat", "--json", "Who has the keys?"); exit != 0 || !strings.Contains(out, "The keys are with Ben.") {
				t.Errorf("the answer does not draw on it (%d): %s", exit, out)
			}
			if _, errs, exit := run(t, home, []string{env}, "add"); exit != usage || !strings.Contains(errs, "file") {
				t.Errorf("without a file it ended with %d: %s", exit, errs)
			}
			if _, errs, exit := run(t, home, []string{env}, "add", "--agent", "nobody", notes); exit != failed || !strings.Contains(errs, "nobody") {
				t.Errorf("with an agent that is not there it ended with %d: %s", exit, errs)
			}
		})
	}
}

// Ctrl+C ends a reading, and it leaves nothing.
func TestAddInterrupted(t *testing.T) {
	t.Parallel()
	_, env := fake(t, enginetest.Options{})
	home := t.TempDir()
	p := serve(t, home, env)
	path := filepath.Join(t.TempDir(), "rides.txt")
	rides(t, path, "the year", 200_000)
	cmd := exec.CommandContext(t.Context(), program, "add", "--home", home, path) // built by us
	cmd.Env = environment(t, []string{env})
	must(t, cmd.Start())
	eventually(t, "the beginning of the reading", func() bool {
		var list api.Jobs
		p.get("/api/jobs", &list)
		return len(list.Jobs) > 0 && list.Jobs[0].Completed > 0
	})
	must(t, cmd.Process.Signal(os.Interrupt))
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != failed {
		t.Errorf("it ended with %v", err)
	}
	eventually(t, "the end of the reading", func() bool {
		var list api.Jobs
		p.get("/api/jobs", &list)
		return list.Jobs[0].State == jobs.StateCancelled
	})
	if d := p.documents(); len(d) > 0 || p.passages() > 0 {
		t.Errorf("it left %+v", d)
	}
}

// Killed while texts are embedded, the app goes on where it was: what had a vector is not embedded again, and in the end
// nothing is without one.
func TestKilledWhileEmbedding(t *testing.T) {
	t.Parallel()
	const texts, killAfter = 120, 4
	f, env := fake(t, enginetest.Options{})
	var mu sync.Mutex
	embedded := map[string]int{} // how often each text was, and answered
	batches, killed := 0, make(chan struct{})
	reached := make(chan struct{})
	f.OnEmbed(func(r ollama.EmbedRequest) enginetest.EmbedReply {
		mu.Lock()
		defer mu.Unlock()
		mine := slices.DeleteFunc(enginetest.Texts(r), func(s string) bool { return !strings.Contains(s, "memory number") })
		if len(mine) == 0 {
			return enginetest.EmbedReply{}
		}
		if batches++; batches == killAfter+1 {
			close(reached)
			return enginetest.EmbedReply{Hold: killed}
		}
		for _, s := range mine {
			embedded[s]++
		}
		return enginetest.EmbedReply{}
	})
	home := t.TempDir()
	p := serve(t, home, env)
	for i := range texts {
		p.post("/api/passages", api.PassageCreate{AgentID: p.agent.ID, Text: fmt.Sprintf("The memory number %d is about the sea.", i)}, nil)
	}
	must(t, p.call("PATCH", "/api/settings", map[string]any{"embedder": enginetest.Embedder}, nil))
	select {
	case <-reached:
	case <-time.After(patience):
		t.Fatal("nothing is embedded")
	}
	p.kill()
	close(killed)
	verifyFile(t, home)
	p = serve(t, home, env)
	eventually(t, "all vectors", func() bool {
		var list api.Passages
		p.get("/api/passages?limit=200&agent_id="+p.agent.ID, &list)
		return len(list.Passages) == texts && !slices.ContainsFunc(list.Passages, func(x memory.Passage) bool { return !x.Embedded })
	})
	mu.Lock()
	defer mu.Unlock()
	again := 0
	for _, n := range embedded {
		again += n - 1
	}
	if len(embedded) != texts || again > 16 { // the batch that was answered and not yet stored
		t.Errorf("%d texts were embedded, %d of them again", len(embedded), again)
	}
}
