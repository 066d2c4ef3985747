// Package cli is the command line: the subcommands, their flags, help, exit codes and output for people or as JSON.
//
// Every subcommand but restore, bench, cost, experiment without a model and version works through the API of the running
// instance; where none runs, it becomes that instance for as long as it takes, so there is one path for both.
package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
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

	// Trouble shows a page in a window until its user closes it or done is closed: why the app does not start. nil = this
	// binary has no window.
	Trouble func(ctx context.Context, page http.Handler, done <-chan struct{}) error

	Browse func(address string) error // opens an address in the user's browser; nil = not possible

	// Relaunch starts this program once more; rescue is after a window that stayed blank.
	Relaunch func(rescue bool) error
}

// command is one subcommand. What help says of it and of its flags is in words.
type command struct {
	name      string
	arguments bool // it takes something beside flags
	homeless  bool // it works without a data folder
	run       func(ctx context.Context, in *invocation) error
	flags     func(fs *flag.FlagSet, in *invocation)
}

// invocation is one call of a subcommand: the environment and the flags.
type invocation struct {
	Env
	home      string // as named, or the system's place for it; datafolder.Locate tells where it is now
	homeNamed bool
	json      bool
	args      []string
	given     map[string]bool // the flags that were named
	words     *words          // texts in the user's language

	addr         string
	allowRemote  bool
	model        string
	conversation string
	agent        string
	only         string
	quick        bool
	minimised    bool
	eval         evalFlags
	cost         costFlags
	experiment   experimentFlags
}

func commands() []command {
	return []command{
		windowCommand(), serveCommand(), chatCommand(), addCommand(), doctorCommand(), selftestCommand(), benchCommand(), evalCommand(), checkupCommand(), costCommand(), experimentCommand(),
		backupCommand(), restoreCommand(), versionCommand(),
	}
}

// Main runs the command line args (without the program's name) and returns the exit code.
func Main(ctx context.Context, args []string, env Env) int {
	w := wordsOf(systemLanguage(env.Getenv))
	out := &output{to: env.Stdout}
	env.Stdout = out
	exit := dispatch(ctx, args, env, w)
	if out.err != nil { // a full disk, a closed descriptor
		_, _ = fmt.Fprintf(env.Stderr, "recollect: "+w.noOutput+"\n", out.err)
		exit = cmp.Or(exit, ExitFailed)
	}
	return exit
}

// output remembers that something could not be written: whoever asked for it does not have it.
type output struct {
	to  io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.to.Write(p)
	o.err = cmp.Or(o.err, err)
	return n, err
}

// dispatch runs the command that args name.
func dispatch(ctx context.Context, args []string, env Env, w *words) int {
	name := ""
	if len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		name, args = args[0], args[1:]
	}
	if name == "help" {
		if len(args) == 0 || strings.HasPrefix(args[0], "-") {
			w.printUsage(env.Stdout)
			return ExitOK
		}
		name, args = args[0], []string{"--help"}
	}
	for _, c := range commands() {
		if c.name == name {
			return runCommand(ctx, c, args, env, w)
		}
	}
	_, _ = fmt.Fprintf(env.Stderr, "recollect: "+w.noCommand+"\n\n", name)
	w.printUsage(env.Stderr)
	return ExitUsage
}

func runCommand(ctx context.Context, c command, args []string, env Env, w *words) int {
	in := &invocation{Env: env, words: w}
	set := c.flagSet(in)
	err := parse(set, in, args)
	if errors.Is(err, flag.ErrHelp) {
		if c.name == "" {
			w.printUsage(env.Stdout)
		}
		w.printHelp(env.Stdout, c.name, set)
		return ExitOK
	}
	if err != nil {
		exit := report(in, usageError{w.flagError(err)})
		if !in.json {
			w.printHelp(env.Stderr, c.name, set)
		}
		return exit
	}
	if !c.arguments && len(in.args) > 0 {
		return report(in, usageError{fmt.Sprintf(in.words.noArgument, cmp.Or(c.name, w.noName), in.args[0])})
	}
	in.given = map[string]bool{}
	set.Visit(func(f *flag.Flag) { in.given[f.Name] = true })
	in.homeNamed = in.given["home"]
	if in.homeNamed && in.home == "" { // an unset variable of a script: never the user's own data instead
		return report(in, usageError{fmt.Sprintf(w.noValue, "--home")})
	}
	if !in.homeNamed && !c.homeless {
		in.home, err = app.DefaultHome(env.Getenv)
	}
	if err == nil && in.home != "" {
		in.home, err = filepath.Abs(in.home)
	}
	if err != nil {
		return report(in, err)
	}
	return report(in, c.run(ctx, in))
}

// flagSet returns the flags of a command, which fill in.
func (c command) flagSet(in *invocation) *flag.FlagSet {
	set := flag.NewFlagSet(c.name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.StringVar(&in.home, "home", "", in.words.flags["home"])
	set.BoolVar(&in.json, "json", false, in.words.flags["json"])
	if c.flags != nil {
		c.flags(set, in)
	}
	return set
}

// parse reads the flags, which may stand anywhere before "--", and the arguments. A value that begins with two hyphens is most
// likely a flag whose value was forgotten; who means it writes --flag=--value.
func parse(set *flag.FlagSet, in *invocation, args []string) error {
	for len(args) > 0 {
		word := args[0]
		if word == "--" {
			in.args = append(in.args, args[1:]...)
			return nil
		}
		if len(word) < 2 || word[0] != '-' {
			in.args, args = append(in.args, word), args[1:]
			continue
		}
		n := 1
		if f := set.Lookup(strings.TrimLeft(word, "-")); f != nil && !isSwitch(f) && len(args) > 1 && !strings.HasPrefix(args[1], "--") {
			n = 2
		}
		if err := set.Parse(args[:n]); err != nil {
			return err
		}
		args = args[n:]
	}
	return nil
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

// problem is an error in the words of the user's language.
func (in *invocation) problem(code memory.Code, format string, args ...any) *memory.Error {
	said := fmt.Sprintf(format, args...)
	return &memory.Error{Code: code, Message: said, Chinese: said}
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
