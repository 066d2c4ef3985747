package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"recollect/backend/bench"
)

func benchCommand() command {
	return command{
		name: "bench", homeless: true,
		flags: func(set *flag.FlagSet, in *invocation) {
			set.StringVar(&in.only, "only", "", in.words.flags["only"])
			set.BoolVar(&in.quick, "quick", false, in.words.flags["quick"])
		},
		run: runBench,
	}
}

func runBench(ctx context.Context, in *invocation) error {
	names := bench.Names()
	if !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, in.only) }) {
		return usageError{fmt.Sprintf(in.words.noMeasure, in.only, strings.Join(names, ", "))}
	}
	dir, err := os.MkdirTemp("", "recollect-bench-*")
	if err != nil {
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	beside := filepath.Dir(in.Executable)
	window := firstFile(filepath.Join(beside, "recollect"))
	if in.Window != nil {
		window = in.Executable
	}
	results, err := bench.Run(ctx, bench.Options{
		Dir: dir, Binary: in.Executable, Window: window, Env: in.Getenv, Only: in.only, Quick: in.quick, Log: in.Stderr, Page: in.Page,
		Engine:   firstFile(filepath.Join(beside, "engine", "ollama"), onPath("ollama")),
		Models:   firstFile(filepath.Join(beside, "models", "starter.json")),
		Chromium: firstFile(onPath("chromium"), onPath("chromium-browser"), onPath("google-chrome")),
	})
	if err != nil {
		return err
	}
	if in.json {
		return bench.PrintJSON(in.Stdout, results)
	}
	return bench.Print(in.Stdout, results)
}

func onPath(name string) string {
	path, err := exec.LookPath(name)
	if err != nil {
		return ""
	}
	return path
}

// firstFile returns the first of the paths that exists, "" where none does.
func firstFile(paths ...string) string {
	for _, p := range paths {
		if p == "" {
			continue
		}
		if _, err := os.Stat(p); err == nil {
			return p
		}
	}
	return ""
}
