// Package build_test tries the set-up scripts on machines that are made up.
package build_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// machine is a PATH with stubs in place of what setup.sh asks; what is installed by apt is written to a file.
type machine struct {
	t    *testing.T
	path string
}

func newMachine(t *testing.T) machine {
	t.Helper()
	m := machine{t, t.TempDir()}
	for _, name := range []string{"sh", "awk", "sort", "head", "grep", "dirname", "env", "true"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skip("this machine has no ", name)
		}
		if err := os.Symlink(path, filepath.Join(m.path, name)); err != nil {
			t.Fatal(err)
		}
	}
	m.has("uname", "echo Linux")
	m.has("go", "echo go9.9.9")
	m.has("node", "echo v99.0.0")
	m.has("npm", "")
	m.has("python3", `[ "$2" = pip ]`) // no engine answers it
	m.has("dpkg-query", `case $4 in xauth) echo "install ok installed" ;; dbus-x11) echo "deinstall ok config-files" ;; *) exit 1 ;; esac`)
	m.has("apt-get", `echo "$@" >>`+m.path+`/installed`)
	return m
}

// has puts a command on the machine.
func (m machine) has(name, script string) {
	m.t.Helper()
	if err := os.WriteFile(filepath.Join(m.path, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil { // must be executable
		m.t.Fatal(err)
	}
}

func (m machine) lacks(name string) {
	m.t.Helper()
	if err := os.Remove(filepath.Join(m.path, name)); err != nil {
		m.t.Fatal(err)
	}
}

// setup runs setup.sh for the parts and returns what it said, what apt was told, and whether it was content.
func (m machine) setup(parts ...string) (said, apt string, ok bool) {
	m.t.Helper()
	clone := m.t.TempDir() // in which nothing is built
	for _, file := range []string{"go.mod", "build/setup.sh", "build/engine/build.sh"} {
		raw, err := os.ReadFile(filepath.Join("..", file)) // fixed words
		if err == nil {
			err = os.MkdirAll(filepath.Join(clone, filepath.Dir(file)), 0o700)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(clone, file), raw, 0o700) // must be executable
		}
		if err != nil {
			m.t.Fatal(err)
		}
	}
	cmd := exec.Command("/bin/sh", append([]string{filepath.Join(clone, "build/setup.sh")}, parts...)...) // fixed words
	cmd.Env = []string{"PATH=" + m.path, "HOME=" + m.path, "OLLAMA_HOST=127.0.0.1:1"}
	out, err := cmd.CombinedOutput()
	installed, readErr := os.ReadFile(filepath.Join(m.path, "installed"))
	if readErr != nil && !os.IsNotExist(readErr) {
		m.t.Fatal(readErr)
	}
	return string(out), string(installed), err == nil
}

const (
	root    = `echo 0`
	nobody  = `echo 65534`
	allowed = `[ "$1" = -n ] && shift; exec "$@"`
	refused = `exit 1`
)

var everything = []string{"go", "node", "python", "engine", "desktop", "test"}

func TestSetupInstallsWhatIsMissingOnce(t *testing.T) {
	for name, may := range map[string][2]string{"root": {root, ""}, "sudo": {nobody, allowed}} {
		m := newMachine(t)
		m.has("id", may[0])
		if may[1] != "" {
			m.has("sudo", may[1])
		}
		said, apt, ok := m.setup(everything...)
		lines := strings.Split(strings.TrimSpace(apt), "\n")
		if !ok || len(lines) != 2 || !strings.HasPrefix(lines[0], "update") || !strings.HasPrefix(lines[1], "install -y --no-install-recommends g++ ") {
			t.Fatalf("%s: %v %q\n%s", name, ok, apt, said)
		}
		packages := strings.Fields(lines[1])
		slices.Sort(packages)
		if n := len(packages); n != len(slices.Compact(packages)) {
			t.Errorf("%s: something is named twice: %s", name, lines[1])
		}
		if slices.Contains(packages, "xauth") || !slices.Contains(packages, "dbus-x11") || !slices.Contains(packages, "fonts-noto-cjk") {
			t.Errorf("%s: %s", name, lines[1])
		}
	}
}

// Whoever may not install gets one line to type: nothing is tried.
func TestSetupPrintsTheLineToType(t *testing.T) {
	for name, sudo := range map[string]string{"without sudo": "", "sudo refuses": refused} {
		m := newMachine(t)
		m.has("id", nobody)
		if sudo != "" {
			m.has("sudo", sudo)
		}
		said, apt, ok := m.setup("go", "engine")
		const line = "\n  apt-get update && apt-get install -y --no-install-recommends g++ nlohmann-json3-dev libstb-dev\n"
		if ok || apt != "" || !strings.Contains(said, line) || !strings.Contains(said, "as root") {
			t.Errorf("%s: %v %q\n%s", name, ok, apt, said)
		}
	}
}

// What apt does not bring is named with its remedy, all of it at once, and nothing is installed meanwhile.
func TestSetupNamesWhatAptDoesNotBring(t *testing.T) {
	m := newMachine(t)
	m.has("id", root)
	m.lacks("go")
	m.has("node", "echo v18.20.4")
	m.lacks("python3")
	said, apt, ok := m.setup(everything...)
	for _, want := range []string{"setup: Go is missing. ", "go.dev/dl", "Node.js 20.19 is missing. This is 18.20.4", "apt-get update && ", "python3-pip"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	if ok || apt != "" {
		t.Errorf("%v %q", ok, apt)
	}
	if said, _, ok := newMachine(t).setup("go", "node", "python"); !ok || said != "" {
		t.Errorf("nothing is missing: %v\n%s", ok, said)
	}
}

// An engine that is there needs no compiler.
func TestSetupLeavesOutTheCompilerWhereAnEngineIsInstalled(t *testing.T) {
	m := newMachine(t)
	m.has("id", root)
	m.has("ollama", "")
	if said, apt, ok := m.setup("go", "engine-if-needed"); !ok || apt != "" {
		t.Errorf("%v %q\n%s", ok, apt, said)
	}
}
