//go:build linux

package engine_test

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"recollect/backend/engine"
	"recollect/backend/engine/enginetest"
	"recollect/backend/engine/enginetest/scripted"
	"recollect/backend/memory"
)

// runApp is what the tests kill: an app with an engine of its own whose model is in memory.
func runApp(home, binary string) {
	e := engine.New(engine.Options{Home: home, Bundled: []string{binary}, Default: "-", Env: func(string) string { return "" }})
	go e.Run(context.Background()) //nolint:errcheck // ends with the process
	if err := e.Ready(context.Background()); err != nil {
		fmt.Println("failed:", err)
		return
	}
	model := filepath.Join(home, "model.gguf")
	if err := scripted.Write(model, scripted.Llama); err != nil {
		fmt.Println("failed:", err)
		return
	}
	if err := e.Import(context.Background(), model, "m", engine.ImportOptions{Template: scripted.Template(scripted.Llama)}, nil); err != nil {
		fmt.Println("failed:", err)
		return
	}
	if _, err := e.Chat(context.Background(), request("m", user("<c:hello>")...), nil); err != nil {
		fmt.Println("failed:", err)
		return
	}
	fmt.Println("ready")
	select {}
}

// processes returns the commands, by pid, of the processes that work with the model folder of home.
func processes(t *testing.T, home string) map[int]string {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	out := map[int]string{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		env, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "environ"))
		if err != nil || !bytes.Contains(env, []byte("OLLAMA_MODELS="+filepath.Join(home, "models"))) {
			continue
		}
		if cmd, err := os.ReadFile(filepath.Join("/proc", entry.Name(), "cmdline")); err == nil && len(cmd) > 0 {
			out[pid] = string(bytes.ReplaceAll(cmd, []byte{0}, []byte{' '}))
		}
	}
	return out
}

// app starts this test binary as the app and waits until its engine has a runner.
func app(t *testing.T, binary string) (*exec.Cmd, string) {
	t.Helper()
	home := t.TempDir()
	cmd := exec.Command(os.Args[0], appCommand, home, binary)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "ready\n" {
		t.Fatalf("the app said %q, %v", line, err)
	}
	var all strings.Builder
	for _, c := range processes(t, home) {
		fmt.Fprintln(&all, c)
	}
	for _, want := range []string{engine.GuardCommand, " serve", " runner "} {
		if !strings.Contains(all.String(), want) {
			t.Fatalf("no process with %q among\n%s", want, &all)
		}
	}
	return cmd, home
}

func awaitNone(t *testing.T, home string) {
	t.Helper()
	deadline := time.Now().Add(time.Minute)
	for len(processes(t, home)) > 0 {
		if time.Now().After(deadline) {
			t.Fatalf("still alive: %v", processes(t, home))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestNothingOutlivesAKilledApp(t *testing.T) {
	cmd, home := app(t, enginetest.Binary(t))
	if err := cmd.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	awaitNone(t, home)
}

func TestNothingOutlivesAKilledGuard(t *testing.T) {
	cmd, home := app(t, enginetest.Binary(t))
	for pid, c := range processes(t, home) {
		if strings.Contains(c, engine.GuardCommand) {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			for syscall.Kill(-pid, 0) == nil { // the old group, before the app starts the engine anew
				time.Sleep(10 * time.Millisecond)
			}
		}
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	awaitNone(t, home)
}

func TestKilledEngineTakesItsRunnersAlongAndIsStartedAgain(t *testing.T) {
	_, home := app(t, enginetest.Binary(t))
	before := processes(t, home)
	for pid, c := range before {
		if strings.Contains(c, " serve") && !strings.Contains(c, engine.GuardCommand) {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
		}
	}
	deadline := time.Now().Add(time.Minute)
	for {
		old, serving := 0, false
		for pid, c := range processes(t, home) {
			if _, ok := before[pid]; ok {
				old++
			} else if strings.Contains(c, " serve") && !strings.Contains(c, engine.GuardCommand) {
				serving = true
			}
		}
		if old == 0 && serving {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("left: %v", processes(t, home))
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func TestHangingRunnerIsReplaced(t *testing.T) {
	home := t.TempDir()
	e := start(t, engine.Options{Home: home, Bundled: []string{enginetest.Binary(t)}, Timeouts: engine.Timeouts{FirstToken: 10 * time.Second}})
	ready(t, e)
	model := filepath.Join(home, "model.gguf")
	if err := scripted.Write(model, scripted.Llama); err != nil {
		t.Fatal(err)
	}
	if err := e.Import(t.Context(), model, "m", engine.ImportOptions{Template: scripted.Template(scripted.Llama)}, nil); err != nil {
		t.Fatal(err)
	}
	ask(t, e, request("m", user("<c:hello>")...))
	address := e.Status().Address
	for pid, c := range processes(t, home) {
		if strings.Contains(c, " runner ") {
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, err := e.Chat(t.Context(), request("m", user("<c:hello>")...), nil)
	wantCode(t, err, memory.EENGINE, memory.RemedyRetry)
	await(t, e, func(s engine.Status) bool { return s.State == engine.StateReady && s.Address != address })
	ask(t, e, request("m", user("<c:hello>")...))
}
