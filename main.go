// Recollect is an assistant on one's own machine that remembers, and shows how. Without a subcommand it opens the window.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"recollect/backend/browser"
	"recollect/backend/cli"
	"recollect/backend/engine"
	"recollect/frontend"
)

// version is the release; the build sets it.
var version = "0.4.0" // set by the linker

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) > 0 && args[0] == engine.GuardCommand {
		return engine.RunGuard(args[1:])
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	self, err := os.Executable()
	if err != nil {
		self = os.Args[0]
	}
	return cli.Main(ctx, args, cli.Env{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv,
		Executable: self, Version: version, Page: frontend.Dist(),
		Window: window, Trouble: troubleWindow, CanOpen: canOpenWindow, Relaunch: relaunch, Browse: browser.Open,
	})
}
