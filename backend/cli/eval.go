package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"recollect/backend/api"
	"recollect/backend/engine"
	"recollect/backend/eval"
	"recollect/backend/instance"
	"recollect/backend/jobs"
	"recollect/backend/memory"
)

// noEmbedder is what --embedder says for keywords alone.
const noEmbedder = "none"

// mySet stands for the user's own questions.
const mySet = "mine"

// allSets stands for every set whose data is there.
const allSets = "all"

func evalCommand() command {
	return command{
		name: "eval", arguments: true,
		flags: func(set *flag.FlagSet, in *invocation) {
			set.StringVar(&in.eval.data, "data", "", in.words.flags["data"])
			set.StringVar(&in.eval.embedder, "embedder", "", in.words.flags["embedder"])
			set.StringVar(&in.eval.noise, "noise", "", in.words.flags["noise"])
			set.StringVar(&in.eval.explain, "explain", "", in.words.flags["explain"])
			set.IntVar(&in.eval.limit, "limit", 0, in.words.flags["limit"])
			set.StringVar(&in.eval.vectors, "vectors", filepath.Join(os.TempDir(), "recollect-eval-vectors"), in.words.flags["vectors"])
		},
		run: runEval,
	}
}

// evalFlags are those of eval.
type evalFlags struct {
	data, embedder, noise, explain, vectors string
	limit                                   int
}

func runEval(ctx context.Context, in *invocation) error {
	if len(in.args) != 1 {
		return usageError{in.words.oneSet}
	}
	if in.args[0] == mySet {
		return runEvalMine(ctx, in)
	}
	sets := eval.Sets
	if name := in.args[0]; name != allSets {
		set, err := eval.Find(name)
		if err != nil {
			return usageError{in.words.failure(memory.EINVALID, err)}
		}
		sets = []eval.Set{set}
	}
	if in.eval.data == "" {
		return usageError{in.words.noData}
	}
	if in.eval.limit < 0 {
		return usageError{fmt.Sprintf(in.words.badValue, "--limit", strconv.Quote(strconv.Itoa(in.eval.limit)))}
	}
	o := eval.Options{Version: in.Version, Only: in.eval.explain, Limit: in.eval.limit, Progress: in.draw}
	if name := in.eval.embedder; name != "" && name != noEmbedder {
		client, done, err := in.connect(ctx)
		if err != nil {
			return err
		}
		defer done()
		watch, stop := context.WithCancel(ctx)
		defer stop()
		e, err := in.openEngine(watch, client)
		if err != nil {
			return err
		}
		m, err := embeddingModel(ctx, client, e, name)
		if err != nil {
			return err
		}
		vectors, err := eval.OpenVectors(in.eval.vectors, m.Digest, e)
		if err != nil {
			return err
		}
		defer vectors.Close() //nolint:errcheck // what it holds is written already
		o.Model, o.Embedder = m.Name, vectors
	}
	var results []eval.Result
	for _, set := range sets {
		ds, err := set.Load(in.eval.data, in.eval.noise)
		if eval.Missing(err) {
			if len(sets) == 1 {
				return memory.Errorf(memory.ENOTFOUND, "evaluate", "%w", err)
			}
			_, _ = fmt.Fprintf(in.Stderr, in.words.setMissing, set.Name)
			continue
		}
		if err != nil {
			return err
		}
		r, err := eval.Run(ctx, set, ds, o)
		in.draw("")
		if err != nil {
			return err
		}
		results = append(results, r)
	}
	if len(results) == 0 {
		return memory.Errorf(memory.ENOTFOUND, "evaluate", "there is no set in %s", in.eval.data)
	}
	return in.printEval(results)
}

// printEval prints the results; as JSON the one set alone, all of them as a list.
func (in *invocation) printEval(results []eval.Result) error {
	switch {
	case in.json && in.args[0] != allSets:
		return in.printJSON(results[0])
	case in.json:
		return in.printJSON(results)
	case in.eval.explain == "":
		return eval.Print(in.Stdout, results...)
	}
	for _, r := range results {
		for _, a := range r.Asked {
			if err := a.Explain(in.Stdout); err != nil {
				return err
			}
		}
	}
	return nil
}

// runEvalMine compares embedders on the user's own questions, in a copy of the database that is removed at the end.
func runEvalMine(ctx context.Context, in *invocation) error {
	client, done, err := in.connect(ctx)
	if err != nil {
		return err
	}
	defer done()
	dir, err := os.MkdirTemp("", "recollect-mine-")
	if err != nil {
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	copied := filepath.Join(dir, "recollect.db")
	if err := client.Do(ctx, "POST", "/api/backup", api.BackupCreate{Path: copied}, nil); err != nil {
		return err
	}
	watch, stop := context.WithCancel(ctx)
	defer stop()
	embedders, err := in.myEmbedders(watch, client)
	if err != nil {
		return err
	}
	m, err := eval.RunMine(ctx, copied, embedders, eval.Options{Progress: in.draw})
	in.draw("")
	switch {
	case err != nil:
		return err
	case in.json:
		return in.printJSON(m)
	case len(m.Results) == 0:
		in.printf(in.words.mineTooLittle, m.Questions, m.Needed)
		return nil
	}
	in.printf(in.words.mine, m.Questions, m.Marked, m.Repeated)
	return eval.Print(in.Stdout, m.Results...)
}

// myEmbedders returns keywords alone and the embedder that was named, or all that are installed.
func (in *invocation) myEmbedders(ctx context.Context, client *instance.Client) ([]eval.Candidate, error) {
	list := []eval.Candidate{{}}
	if in.eval.embedder == noEmbedder {
		return list, nil
	}
	e, err := in.openEngine(ctx, client)
	if err != nil {
		return nil, err
	}
	if in.eval.embedder != "" {
		m, err := embeddingModel(ctx, client, e, in.eval.embedder)
		return append(list, eval.Candidate{Model: m.Name, Embedder: e}), err
	}
	models, err := e.Models(ctx)
	for _, m := range models {
		if m.Embedding {
			list = append(list, eval.Candidate{Model: m.Name, Embedder: e})
		}
	}
	return list, err
}

// openEngine returns the engine that the app uses, for as long as ctx lasts.
func (in *invocation) openEngine(ctx context.Context, client *instance.Client) (*engine.Engine, error) {
	status, err := ready(ctx, client)
	if err != nil {
		return nil, err
	}
	e := engine.New(engine.Options{Home: in.home, Host: status.Address, Env: in.Getenv})
	go func() { _ = e.Run(ctx) }() // its status says what is wrong
	return e, e.Ready(ctx)
}

// ready waits until the engine of an instance is usable.
func ready(ctx context.Context, client *instance.Client) (engine.Status, error) {
	for {
		var s engine.Status
		if err := client.Do(ctx, "GET", "/api/engine", nil, &s); err != nil {
			return s, err
		}
		switch s.State {
		case engine.StateReady:
			return s, nil
		case engine.StateSearching, engine.StateStarting:
		default:
			return s, &memory.Error{Code: memory.EENGINE, Op: "evaluate", Message: cmp.Or(s.Message, string(s.State)), Remedy: cmp.Or(s.Remedy, memory.RemedyStartEngine)}
		}
		select {
		case <-ctx.Done():
			return s, ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}

// embeddingModel returns the installed embedding model of that name.
func embeddingModel(ctx context.Context, client *instance.Client, e *engine.Engine, name string) (engine.Model, error) {
	return installed(ctx, client, e, name, engine.StarterEmbedder, "embedding", func(m engine.Model) bool { return m.Embedding })
}

// chatModel returns the installed chat model of that name.
func chatModel(ctx context.Context, client *instance.Client, e *engine.Engine, name string) (engine.Model, error) {
	return installed(ctx, client, e, name, engine.StarterChat, "chat", func(m engine.Model) bool { return m.Chat && !m.Embedding })
}

// installed returns the installed model of a kind with a name, which may lack its tag and what stands before the slash. The
// starter model is installed where it is named and missing.
func installed(ctx context.Context, client *instance.Client, e *engine.Engine, name, starter, kind string, is func(engine.Model) bool) (engine.Model, error) {
	find := func() (engine.Model, []string, error) {
		models, err := e.Models(ctx)
		var near *engine.Model
		var names []string
		for _, m := range models {
			if !is(m) {
				continue
			}
			if engine.SameModel(m.Name, name) {
				return m, nil, nil
			}
			names = append(names, m.Name)
			if base(m.Name) == base(name) && !strings.Contains(name, "/") {
				near = &m
			}
		}
		if near != nil {
			return *near, nil, nil
		}
		return engine.Model{}, names, err
	}
	m, names, err := find()
	if err == nil && m.Name == "" && base(name) == base(starter) {
		if err = installStarters(ctx, client); err == nil {
			m, names, err = find()
		}
	}
	if err != nil || m.Name != "" {
		return m, err
	}
	text := fmt.Sprintf("the engine has no %s model %q", kind, name)
	if len(names) > 0 {
		text += "; it has " + strings.Join(names, ", ")
	}
	return m, &memory.Error{Code: memory.EMODEL, Op: "choose the model", Message: text, Remedy: memory.RemedyPullModel}
}

// base returns a model's name without what stands before the last slash and without the tag.
func base(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	name, _, _ = strings.Cut(name, ":")
	return name
}

// installStarters installs the starter models and waits for them.
func installStarters(ctx context.Context, client *instance.Client) error {
	var started api.JobResult
	if err := client.Do(ctx, "POST", "/api/models/starter", nil, &started); err != nil {
		return err
	}
	for {
		var all api.Jobs
		if err := client.Do(ctx, "GET", "/api/jobs", nil, &all); err != nil {
			return err
		}
		for _, j := range all.Jobs {
			if j.ID == started.Job.ID && j.State != jobs.StateRunning {
				if p := j.Problem; p != nil {
					return memory.ErrorOf("install the starter models", *p)
				}
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(lookEvery):
		}
	}
}
