package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"

	"recollect/backend/app"
	"recollect/backend/memory"
)

// A mistake in the command line is told in the user's language, on stderr, with the exit code for that, and before
// anything was opened.
func TestMistakesOfUsage(t *testing.T) {
	home := t.TempDir() + "/new"
	for _, c := range []struct{ args, en, zh string }{
		{"nosuch", `there is no command "nosuch"`, `没有 "nosuch" 这个命令`},
		{"version extra", `version takes no argument such as "extra"`, `version 不接受参数`},
		{"version --nosuch", "there is no flag --nosuch", "没有 --nosuch 这个选项"},
		{"version --=x", "there is no flag --=x", "没有 --=x 这个选项"},
		{"version --json=maybe", `--json does not take "maybe"`, `--json 不接受 "maybe"`},
		{"doctor --home=", "--home needs a value", "--home 需要一个值"},
		{"serve --addr", "--addr needs a value", "--addr 需要一个值"},
		{"serve --addr bogus", "--addr must be HOST:PORT", "--addr 的格式是 主机:端口"},
		{"serve --addr 127.0.0.1:99999", "--addr must be HOST:PORT", "--addr 的格式是 主机:端口"},
		{"serve --addr 0.0.0.0:0", "add --allow-remote", "请加上 --allow-remote"},
		{"bench --only nosuch", `no measure has "nosuch" in its name; there are: own time of a turn, `, `没有名称中含有 "nosuch" 的项目；有：own time of a turn, `},
		{"cost", "cost needs --daily, --tokens, --input-price, --output-price\n", "cost 需要 --daily, --tokens, --input-price, --output-price\n"},
		{"cost --daily -1", "--daily must be a whole number from 1 to", "--daily 应当是 1 到"},
		{"cost --daily 1 --tokens 1", "cost needs --input-price, --output-price\n", "cost 需要 --input-price, --output-price\n"},
		{"experiment forget --turns abc", `--turns does not take "abc"`, `--turns 不接受 "abc"`},
		{"eval nosuch", "nested-kv, all for those that are there, and mine for questions of your own\n", "nested-kv，还有 all（所有现有的数据集）和 mine（你自己的问题）\n"},
		{"chat hi --nosuch", "there is no flag --nosuch", "没有 --nosuch 这个选项"},
		{"chat hi --agent", "--agent needs a value", "--agent 需要一个值"},
		{"chat hi --agent --json", "--agent needs a value", "--agent 需要一个值"},
		{"eval locomo --data . --limit -1", `--limit does not take "-1"`, `--limit 不接受 "-1"`},
		{"backup a b", "backup takes one file at most", "backup 最多接受一个文件"},
		{"restore a b", "restore takes one file at most", "restore 最多接受一个文件"},
		{"add", "add needs the name of a file", "add 需要文件名"},
	} {
		for lang, want := range map[string]string{"en_US.UTF-8": c.en, "zh_CN.UTF-8": c.zh} {
			code, out, errs := terminalAt(t, home, lang, strings.Fields(c.args)...)
			if code != ExitUsage || out != "" || !strings.HasPrefix(errs, "recollect: ") || !strings.Contains(errs, want) || strings.Contains(errs, "\n\n\n") {
				t.Errorf("%s: exit %d, %q, %s", c.args, code, out, errs)
			}
			if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
				t.Fatalf("%s made the folder: %v", c.args, err)
			}
		}
	}
}

// Every command takes its flags behind the rest too, and no other flag; what follows -- is text.
func TestFlagsStandAnywhere(t *testing.T) {
	for _, c := range commands() {
		if c.name == "" {
			continue
		}
		var in invocation
		in.words = &english
		set := c.flagSet(&in)
		args := []string{"one", "-", "--json", "two", "--home=d"}
		set.VisitAll(func(f *flag.Flag) {
			switch {
			case f.Name == "home" || f.Name == "json":
			case isSwitch(f):
				args = append(args, "three", "--"+f.Name)
			default:
				args = append(args, "three", "-"+f.Name, "7")
			}
		})
		if err := parse(set, &in, append(args, "--", "--json=no", "--", "-x")); err != nil || !in.json || in.home != "d" {
			t.Errorf("%s %q: %v, %+v", c.name, args, err, in)
		}
		set.VisitAll(func(f *flag.Flag) {
			if v := f.Value.String(); f.Name != "home" && f.Name != "json" && v != "7" && v != "true" {
				t.Errorf("%s: --%s is %q", c.name, f.Name, v)
			}
		})
		if end := in.args[len(in.args)-3:]; !slices.Equal(in.args[:3], []string{"one", "-", "two"}) || !slices.Equal(end, []string{"--json=no", "--", "-x"}) {
			t.Errorf("%s: arguments %q", c.name, in.args)
		}
		home := t.TempDir() + "/new"
		if code, _, errs := runMain(t, c.name, "one", "--home", home, "--nosuch"); code != ExitUsage || !strings.Contains(errs, "there is no flag --nosuch") {
			t.Errorf("%s: exit %d: %s", c.name, code, errs)
		}
		if code, out, errs := runMain(t, c.name, "one", "--help"); code != ExitOK || !strings.Contains(out, "Usage: recollect "+c.name) {
			t.Errorf("%s: exit %d: %s%s", c.name, code, out, errs)
		}
		if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%s made the folder: %v", c.name, err)
		}
	}
}

// A question takes its flags behind it, in the data folder that is named; its hyphens are kept behind --.
func TestAQuestionBeforeItsFlags(t *testing.T) {
	home := t.TempDir()
	code, out, errs := terminalAt(t, t.TempDir(), "en_US.UTF-8", "chat", "What is", "3 - 4?", "--home", home, "--json", "--", "--json", "is text")
	var said exchange
	if err := json.Unmarshal([]byte(out), &said); code != ExitOK || err != nil || said.Question != "What is 3 - 4? --json is text" {
		t.Errorf("exit %d, %v: %s%s", code, err, out, errs)
	}
	if _, err := os.Stat(app.DatabasePath(home)); err != nil {
		t.Error(err)
	}
}

// With --json mistakes of usage are told as all other errors are.
func TestMistakesOfUsageAsJSON(t *testing.T) {
	for _, args := range []string{"version --json extra", "version --json --nosuch", "serve --json --addr bogus", "bench --json --only nosuch"} {
		var said struct {
			Error struct {
				Code    memory.Code
				Message string
				Exit    int
			}
		}
		code, out, errs := terminal(t, "en_US.UTF-8", strings.Fields(args)...)
		if err := json.Unmarshal([]byte(out), &said); err != nil || code != ExitUsage || said.Error.Exit != ExitUsage || said.Error.Code != memory.EINVALID || said.Error.Message == "" || errs != "" {
			t.Errorf("%s: exit %d, %s, %s", args, code, out, errs)
		}
	}
}

// Without a command there is the window, which has flags of its own.
func TestMistakesBeforeTheWindow(t *testing.T) {
	for _, args := range [][]string{{"--minimised=7"}, {"--nosuch"}, {"--home", ""}} {
		var out, errs bytes.Buffer
		code := Main(t.Context(), args, Env{Stdout: &out, Stderr: &errs, Getenv: func(string) string { return "" }})
		if code != ExitUsage || out.Len() > 0 || !strings.Contains(errs.String(), "recollect: ") {
			t.Errorf("%q: exit %d, %s%s", args, code, &out, &errs)
		}
	}
}

// What is wrong with a file is told once, with its path.
func TestAFileThatCannotBeAdded(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	for _, c := range []struct{ path, en, zh string }{
		{dir + "/nope.txt", "recollect: there is no file " + dir + "/nope.txt\n", "没有文件 " + dir + "/nope.txt"},
		{dir, "recollect: " + dir + " is a folder; name a file in it\n", dir + " 是文件夹"},
		{"/dev/null", "recollect: /dev/null is no file\n", "/dev/null 不是文件"},
	} {
		if code, out, errs := terminalAt(t, home, "en_US.UTF-8", "add", c.path); code != ExitFailed || out != "" || errs != c.en {
			t.Errorf("%s: exit %d, %s%s", c.path, code, out, errs)
		}
		if code, _, errs := terminalAt(t, home, "zh_CN.UTF-8", "add", c.path); code != ExitFailed || !strings.Contains(errs, c.zh) || strings.Count(errs, c.path) != 1 {
			t.Errorf("%s: exit %d, %s", c.path, code, errs)
		}
	}
}

// A backup that cannot be written or read is told by its own path: the data folder has nothing to do with it.
func TestABackupElsewhere(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(dir+"/file", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := terminalAt(t, home, "en_US.UTF-8", "chat", "Hi"); code != ExitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	for _, c := range []struct{ command, path, want string }{
		{"backup", dir + "/nope/copy.db", "there is no folder " + dir + "/nope"},
		{"backup", dir + "/file/copy.db", "there is no folder " + dir + "/file"},
		{"restore", dir + "/nope.db", "there is no file " + dir + "/nope.db"},
		{"restore", dir, dir + " is a folder"},
	} {
		if code, _, errs := terminalAt(t, home, "en_US.UTF-8", c.command, c.path); code != ExitFailed || !strings.Contains(errs, c.want) {
			t.Errorf("%s %s: exit %d, %s", c.command, c.path, code, errs)
		}
	}
}

// A data folder that cannot be used is told in the user's language, with the next step.
func TestADataFolderThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	file := dir + "/file"
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for lang, want := range map[string]string{"en_US.UTF-8": "the data folder " + file + " cannot be written", "zh_CN.UTF-8": "数据文件夹 " + file + " 无法写入"} {
		if code, _, errs := terminalAt(t, file, lang, "chat", "Hi"); code != ExitFailed || !strings.Contains(errs, want) || strings.Count(errs, "\n") != 2 {
			t.Errorf("exit %d: %s", code, errs)
		}
	}
	if os.Geteuid() == 0 {
		return // may write and read everywhere
	}
	closed := dir + "/closed"
	if err := os.Mkdir(closed, 0o500); err != nil {
		t.Fatal(err)
	}
	for mode, words := range map[fs.FileMode][2]string{0o500: {"cannot be written", "无法写入"}, 0: {"cannot be read", "无法读取"}} {
		if err := os.Chmod(closed, mode); err != nil {
			t.Fatal(err)
		}
		for i, lang := range []string{"en_US.UTF-8", "zh_CN.UTF-8"} {
			if code, _, errs := terminalAt(t, closed, lang, "chat", "Hi"); code != ExitFailed || !strings.Contains(errs, words[i]) || strings.Count(errs, "\n") != 2 {
				t.Errorf("%v: exit %d: %s", mode, code, errs)
			}
		}
	}
}

// full is where nothing can be written to.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, syscall.ENOSPC }

// Output that is lost is no success.
func TestOutputThatCannotBeWritten(t *testing.T) {
	for _, args := range []string{"version", "version --json", "help", "chat --help", "doctor"} {
		var errs bytes.Buffer
		line := strings.Fields(args)
		if line[0] == "doctor" {
			line = append(line, "--home", t.TempDir())
		}
		code := Main(t.Context(), line, Env{Stdout: full{}, Stderr: &errs, Getenv: func(string) string { return "" }, Executable: t.TempDir() + "/recollect"})
		if code != ExitFailed || line[0] != "doctor" && !strings.Contains(errs.String(), "the output could not be written: no space left") {
			t.Errorf("%s: exit %d, %s", args, code, &errs)
		}
	}
}
