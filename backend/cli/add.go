package cli

import (
	"context"
	"flag"
	"fmt"
	"path/filepath"
	"strings"

	"recollect/backend/api"
	"recollect/backend/instance"
	"recollect/backend/jobs"
	"recollect/backend/memory"
)

func addCommand() command {
	return command{
		name: "add", arguments: true,
		flags: func(set *flag.FlagSet, in *invocation) {
			set.StringVar(&in.agent, "agent", "", in.words.flags["agent"])
		},
		run: runAdd,
	}
}

// addition is what came of one file, as printed with --json.
type addition struct {
	File     string           `json:"file"`
	Status   string           `json:"status"` // "added", "updated", "known", "failed"
	Document *memory.Document `json:"document,omitempty"`
	Problem  *memory.Problem  `json:"problem,omitempty"`
}

const statusFailed = "failed"

// runAdd reads files into the archive of an agent, one after the other: one that cannot be read does not keep the others
// from it.
func runAdd(ctx context.Context, in *invocation) error {
	if len(in.args) == 0 {
		return usageError{in.words.noFiles}
	}
	client, done, err := in.connect(ctx)
	if err != nil {
		return err
	}
	defer done()
	agent, err := in.chooseAgent(ctx, client)
	if err != nil {
		return err
	}
	all := []addition{}
	failed := false
	for _, file := range in.args {
		made, err := in.add(ctx, client, agent.ID, file)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			made = addition{File: file, Status: statusFailed, Problem: memory.ProblemOf(err)}
			failed = true
		}
		all = append(all, made)
		switch {
		case in.json:
		case err != nil:
			_, _ = fmt.Fprintf(in.Stderr, "recollect: %s\n", in.about(file, err))
		default:
			in.printf(in.words.documents[made.Status], file, made.Document.Title, fmt.Sprintf(in.words.passages[made.Document.Passages == 1], made.Document.Passages))
		}
	}
	if in.json {
		if err := in.printJSON(map[string]any{"files": all}); err != nil {
			return err
		}
	}
	if failed {
		return saidError{ExitFailed}
	}
	return nil
}

// add reads one file and waits until that is done; when ctx ends the reading does too, and leaves nothing.
func (in *invocation) add(ctx context.Context, client *instance.Client, agentID, file string) (addition, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return addition{}, fmt.Errorf("find %s: %w", file, err)
	}
	var now api.Snapshot
	if err := client.Do(ctx, "GET", "/api/snapshot", nil, &now); err != nil {
		return addition{}, err
	}
	var begun api.Jobs
	if err := client.Do(ctx, "POST", "/api/documents", api.DocumentsAdd{AgentID: agentID, Paths: []string{path}}, &begun); err != nil {
		return addition{}, err
	}
	job, err := awaitJob(ctx, client, since(now), begun.Jobs[0], func(j jobs.Job) {
		if j.Total > 0 {
			in.draw(fmt.Sprintf("%s %d %%", file, j.Completed*100/j.Total))
		}
	})
	in.draw("")
	switch {
	case err != nil:
		_ = client.Do(context.WithoutCancel(ctx), "DELETE", "/api/jobs/"+begun.Jobs[0].ID, nil, nil)
		return addition{}, err
	case job.Problem != nil:
		return addition{}, memory.ErrorOf("add document", *job.Problem)
	case job.State != jobs.StateDone:
		return addition{}, memory.Errorf(memory.ECANCELLED, "add document", "stopped")
	}
	made := addition{File: file, Status: job.Status, Document: &memory.Document{}}
	return made, client.Do(ctx, "GET", "/api/documents/"+job.Result, nil, made.Document)
}

// about says what is wrong with a file, and which.
func (in *invocation) about(file string, err error) string {
	said := in.words.failure(memory.CodeOf(err), err)
	if path, err := filepath.Abs(file); err == nil && strings.Contains(said, path) {
		return said
	}
	return file + ": " + said
}
