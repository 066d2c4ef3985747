// Package cli is the command line: the subcommands, their flags, help, exit codes and output for people or as JSON.
//
// Every subcommand but restore, bench and version works through the API of the running instance; where none runs, it
// becomes that instance for as long as it takes, so there is one path for both.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"recollect/backend/app"
	"recollect/backend/memory"
)

// The exit codes.
const (
	ExitOK     = 0
	ExitFailed = 1 // what was asked could not be done
	ExitUsage  = 2 // the command line is wrong
	ExitEngine = 3 // no engine or no model
	ExitInUse  = 4 // another instance holds the data
)

// Env is what the command line works with; main fills it, tests replace it.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Executable     string // path of this binary: the engine and the starter models lie beside it
	Version        string
	Page           fs.FS // the built page; nil = not built

	// Window opens the desktop window and returns when it was closed; nil = this binary has none. CanOpen says why it
	// cannot open here (no display), in words for the user.
	Window  func(ctx context.Context, a *app.App, minimised bool) error
	CanOpen func() error

	// Relaunch starts this program once more; rescue is after a window that stayed blank.
	Relaunch func(rescue bool) error
}

// command is one subcommand.
type command struct {
	name  string
	args  string // what follows the flags
	short string // one line
	long  string
	run   func(ctx context.Context, in *invocation) error
	flags func(fs *flag.FlagSet, in *invocation)
}

// invocation is one call of a subcommand: the environment and the flags.
type invocation struct {
	Env
	home      string // as named, or the system's place for it; datafolder.Locate tells where it is now
	homeNamed bool
	json      bool
	args      []string
	words     *words // texts in the user's language

	addr         string
	allowRemote  bool
	model        string
	conversation string
	agent        string
	only         string
	quick        bool
	minimised    bool
}

func commands() []command {
	return []command{
		windowCommand(), serveCommand(), chatCommand(), doctorCommand(), selftestCommand(), benchCommand(),
		backupCommand(), restoreCommand(), versionCommand(),
	}
}

// Main runs the command line args (without the program's name) and returns the exit code.
func Main(ctx context.Context, args []string, env Env) int {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	if name == "help" {
		if len(args) == 0 {
			printUsage(env.Stdout)
			return ExitOK
		}
		name, args = args[0], []string{"--help"}
	}
	for _, c := range commands() {
		if c.name == name {
			return runCommand(ctx, c, args, env)
		}
	}
	_, _ = fmt.Fprintf(env.Stderr, "recollect: there is no command %q.\n\n", name)
	printUsage(env.Stderr)
	return ExitUsage
}

func runCommand(ctx context.Context, c command, args []string, env Env) int {
	in := &invocation{Env: env, words: wordsOf(systemLanguage(env.Getenv))}
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&in.home, "home", "", "folder `DIR` of the app's own data (default: the system's place for it)")
	set.BoolVar(&in.json, "json", false, "print JSON")
	if c.flags != nil {
		c.flags(set, in)
	}
	err := set.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		if c.name == "" {
			printUsage(env.Stdout)
		}
		printHelp(env.Stdout, c, set)
		return ExitOK
	}
	if err != nil {
		_, _ = fmt.Fprintf(env.Stderr, "recollect: %v\n\n", err)
		printHelp(env.Stderr, c, set)
		return ExitUsage
	}
	in.args = set.Args()
	if c.args == "" && len(in.args) > 0 {
		return report(in, usageError{fmt.Sprintf(in.words.noArgument, strings.TrimSpace("recollect "+c.name), in.args[0])})
	}
	in.homeNamed = in.home != ""
	if !in.homeNamed {
		in.home, err = app.DefaultHome(env.Getenv)
	}
	if err == nil {
		in.home, err = filepath.Abs(in.home)
	}
	if err != nil {
		return report(in, err)
	}
	return report(in, c.run(ctx, in))
}

// usageError is a mistake in the command line.
type usageError struct{ text string }

func (e usageError) Error() string { return e.text }

// saidError ends with an exit code where everything was said already.
type saidError struct{ exit int }

func (saidError) Error() string { return "said already" }

// report prints err and returns the exit code that goes with it.
func report(in *invocation, err error) int {
	if err == nil {
		return ExitOK
	}
	var said saidError
	if errors.As(err, &said) {
		return said.exit
	}
	if errors.Is(err, context.Canceled) {
		return ExitFailed
	}
	code := memory.CodeOf(err)
	exit := exitOf(code)
	var usage usageError
	if errors.As(err, &usage) {
		code, exit = memory.EINVALID, ExitUsage
	}
	if in.json {
		p := map[string]any{"error": map[string]any{"code": code, "message": err.Error(), "exit": exit}}
		_ = json.NewEncoder(in.Stdout).Encode(p)
	} else {
		_, _ = fmt.Fprintf(in.Stderr, "recollect: %s\n", in.words.failure(code, err))
		if hint := in.words.remedy(err); hint != "" {
			_, _ = fmt.Fprintln(in.Stderr, hint)
		}
	}
	return exit
}

func exitOf(code memory.Code) int {
	switch code {
	case memory.EENGINE, memory.EMODEL:
		return ExitEngine
	case memory.EBUSY:
		return ExitInUse
	}
	return ExitFailed
}

// remedy returns the next step for err as a sentence, or "".
func (w *words) remedy(err error) string {
	var e *memory.Error
	if !errors.As(err, &e) {
		return ""
	}
	return w.remedies[e.Remedy]
}

func (in *invocation) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(in.Stdout, format, args...)
}

// draw replaces the line of the terminal that tells how far something is. Where stderr is not a terminal nothing is
// written: a file or a pipe would keep each of the lines, and the signs that erase them.
func (in *invocation) draw(line string) {
	f, ok := in.Stderr.(*os.File)
	if !ok {
		return
	}
	if info, err := f.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		_, _ = fmt.Fprint(f, "\r\033[K"+line)
	}
}

func (in *invocation) printJSON(v any) error {
	enc := json.NewEncoder(in.Stdout)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func printUsage(w io.Writer) {
	_, _ = fmt.Fprint(w, "Recollect: an assistant on your own machine that remembers, and shows you how.\n\nUsage: recollect [COMMAND] [FLAGS]\n\n")
	for _, c := range commands() {
		name := c.name
		if name == "" {
			name = "(none)"
		}
		_, _ = fmt.Fprintf(w, "  %-10s %s\n", name, c.short)
	}
	_, _ = fmt.Fprint(w, "\n`recollect COMMAND --help` tells more. Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no engine or model, 4 data in use.\n")
}

func printHelp(w io.Writer, c command, set *flag.FlagSet) {
	head := strings.Join(strings.Fields("recollect "+c.name+" [FLAGS] "+c.args), " ")
	_, _ = fmt.Fprintf(w, "\nUsage: %s\n\n%s\n\nFlags:\n", head, strings.TrimSpace(c.short+" "+c.long))
	set.SetOutput(w)
	set.PrintDefaults()
}
