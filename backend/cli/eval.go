package cli

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
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

// allSets stands for every set whose data is there.
const allSets = "all"

func evalCommand() command {
	return command{
		name: "eval", arguments: true, mixed: true,
		flags: func(set *flag.FlagSet, in *invocation) {
			set.StringVar(&in.eval.data, "data", "", in.words.flags["data"])
			set.StringVar(&in.eval.embedder, "embedder", noEmbedder, in.words.flags["embedder"])
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
	if in.eval.data == "" {
		return usageError{in.words.noData}
	}
	sets := eval.Sets
	if in.args[0] != allSets {
		set, err := eval.Find(in.args[0])
		if err != nil {
			return usageError{err.Error()}
		}
		sets = []eval.Set{set}
	}
	o := eval.Options{Only: in.eval.explain, Limit: in.eval.limit, Progress: in.draw}
	if in.eval.embedder != noEmbedder {
		model, vectors, done, err := in.embedder(ctx, in.eval.embedder)
		if err != nil {
			return err
		}
		defer done()
		o.Model, o.Embedder = model, vectors
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

// embedder returns an embedding model of the engine that the app uses, by its full name, with vectors that are kept. The
// returned function lets go of it.
func (in *invocation) embedder(ctx context.Context, name string) (model string, v *eval.Vectors, done func(), err error) {
	client, leave, err := in.connect(ctx)
	if err != nil {
		return "", nil, nil, err
	}
	watch, stop := context.WithCancel(ctx)
	end := func() {
		stop()
		leave()
	}
	m, e, err := in.openModel(watch, client, name)
	if err == nil {
		v, err = eval.OpenVectors(in.eval.vectors, m.Digest, e)
	}
	if err != nil {
		end()
		return "", nil, nil, err
	}
	return m.Name, v, func() { _ = v.Close(); end() }, nil
}

// openModel returns the embedding model of that name and the engine that has it, for as long as ctx lasts.
func (in *invocation) openModel(ctx context.Context, client *instance.Client, name string) (engine.Model, *engine.Engine, error) {
	status, err := ready(ctx, client)
	if err != nil {
		return engine.Model{}, nil, err
	}
	e := engine.New(engine.Options{Home: in.home, Host: status.Address, Env: in.Getenv})
	go func() { _ = e.Run(ctx) }() // its status says what is wrong
	if err := e.Ready(ctx); err != nil {
		return engine.Model{}, nil, err
	}
	m, err := embeddingModel(ctx, client, e, name)
	return m, e, err
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

// embeddingModel returns the installed embedding model of that name, which may lack its tag and what stands before the
// slash. The starter model is installed where it is named and missing.
func embeddingModel(ctx context.Context, client *instance.Client, e *engine.Engine, name string) (engine.Model, error) {
	find := func() (engine.Model, []string, error) {
		models, err := e.Models(ctx)
		var near *engine.Model
		var names []string
		for _, m := range models {
			if !m.Embedding {
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
	if err == nil && m.Name == "" && base(name) == base(engine.StarterEmbedder) {
		if err = installStarters(ctx, client); err == nil {
			m, names, err = find()
		}
	}
	if err != nil || m.Name != "" {
		return m, err
	}
	text := fmt.Sprintf("the engine has no embedding model %q", name)
	if len(names) > 0 {
		text += "; it has " + strings.Join(names, ", ")
	}
	return m, &memory.Error{Code: memory.EMODEL, Op: "evaluate", Message: text, Remedy: memory.RemedyPullModel}
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
					return &memory.Error{Code: p.Code, Op: "install the starter models", Message: p.Message, Remedy: p.Remedy}
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
