// Command fakeollama runs the fake engine of package enginetest as a server of its own, for browser tests:
//
//	fakeollama --addr 127.0.0.1:11434 --chunk-delay 20ms
//
// It prints its address on the first line and runs until it is interrupted. What it answers is chosen by directives in the
// last user message, see [enginetest.Directives].
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/engine/enginetest"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:0", "address to listen on")
	delay := flag.Duration("chunk-delay", 10*time.Millisecond, "time between the chunks of an answer")
	pull := flag.Duration("pull-delay", 50*time.Millisecond, "time between the steps of a download")
	speed := flag.Float64("prompt-speed", 5000, "tokens of a prompt read in a second, 0 = at once")
	load := flag.Duration("load-delay", 0, "time that it takes to bring a chat model into memory")
	empty := flag.Bool("empty", false, "start without any model")
	flag.Parse()
	o := enginetest.Options{ChunkDelay: *delay, PullDelay: *pull, PromptSpeed: *speed}
	if *empty {
		o.Models = []enginetest.Model{}
	}
	f, err := enginetest.Start(*addr, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	f.OnChat(enginetest.Directives)
	f.OnLoad(func(string) { time.Sleep(*load) })
	f.OnPull(func(name string) []api.ProgressResponse {
		if !strings.HasPrefix(name, "huge") {
			return nil
		}
		return []api.ProgressResponse{ // one that the disk has no room for
			{Status: "pulling manifest"},
			{Status: "pulling 0123", Digest: "sha256:0123", Total: 1_000_000, Completed: 420_000},
			{Status: "error: write blobs/sha256-0123: no space left on device"},
		}
	})
	fmt.Println(f.URL())
	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	<-stop
	f.Stop()
}
