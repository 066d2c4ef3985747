package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"recollect/backend/app"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// Both languages say everything, with the same numbers and names in it.
func TestWordsAreComplete(t *testing.T) {
	verb := regexp.MustCompile(`%[-+.0-9]*[a-z]`)
	en, zh := reflect.ValueOf(english), reflect.ValueOf(chinese)
	for i := range en.NumField() {
		name := en.Type().Field(i).Name
		if en.Field(i).Kind() == reflect.String {
			a, b := en.Field(i).String(), zh.Field(i).String()
			if a == "" || b == "" || !slices.Equal(verb.FindAllString(a, -1), verb.FindAllString(b, -1)) {
				t.Errorf("%s: %q and %q", name, a, b)
			}
			continue
		}
		if en.Field(i).Kind() == reflect.Struct {
			for j := range en.Field(i).NumField() {
				if a, b := en.Field(i).Field(j), zh.Field(i).Field(j); a.IsZero() != b.IsZero() {
					t.Errorf("%s: %v and %v", name, a, b)
				}
			}
			continue
		}
		for _, key := range en.Field(i).MapKeys() {
			a, b := en.Field(i).MapIndex(key), zh.Field(i).MapIndex(key)
			if !b.IsValid() || b.IsZero() {
				t.Errorf("%s %v is not said in Chinese", name, key)
				continue
			}
			if a.Kind() == reflect.Struct {
				for j := range a.NumField() {
					if a.Field(j).IsZero() != b.Field(j).IsZero() {
						t.Errorf("%s %v: %q and %q", name, key, a.Field(j), b.Field(j))
					}
				}
			} else if strings.Count(a.String(), "`") != strings.Count(b.String(), "`") {
				t.Errorf("%s %v: %q and %q", name, key, a, b)
			}
		}
	}
}

// Help tells each command and each flag, in both languages, with the two hyphens that people type.
func TestHelpTellsEverything(t *testing.T) {
	for _, w := range []*words{&english, &chinese} {
		for _, c := range commands() {
			if w.commands[c.name].short == "" || c.arguments != (w.commands[c.name].args != "") {
				t.Errorf("the command %q: %+v", c.name, w.commands[c.name])
			}
			set := c.flagSet(&invocation{words: w})
			var out strings.Builder
			w.printHelp(&out, c.name, set)
			for line := range strings.Lines(out.String()) {
				if strings.Count(line, "(default: ")+strings.Count(line, "（默认：") > 1 {
					t.Errorf("the help of %q tells a default twice: %s", c.name, line)
				}
			}
			set.VisitAll(func(f *flag.Flag) {
				if f.Usage == "" || !strings.Contains(out.String(), "\n  --"+f.Name) {
					t.Errorf("the flag %s of %q:\n%s", f.Name, c.name, &out)
				}
			})
		}
	}
	for lang, wants := range map[string][]string{
		"en_US.UTF-8": {"Usage: recollect serve [FLAGS]", "  --addr HOST:PORT  HOST:PORT to listen on", "(default: 127.0.0.1:0)", "  --home DIR "},
		"zh_CN.UTF-8": {"用法：recollect serve [选项]", "  --addr 主机:端口 ", "（默认：127.0.0.1:0）", "  --home 文件夹 "},
	} {
		_, out, _ := terminal(t, lang, "serve", "--help")
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing in\n%s", lang, want, out)
			}
		}
	}
	for lang, want := range map[string]string{"en_US.UTF-8": "there is no flag --colour", "zh_CN.UTF-8": "没有 --colour 这个选项"} {
		if code, _, errs := terminal(t, lang, "doctor", "--colour"); code != ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: %d %s", lang, code, errs)
		}
	}
	if code, _, errs := terminal(t, "zh_CN.UTF-8", "doctor", "--home"); code != ExitUsage {
		t.Errorf("%d %s", code, errs)
	}
}

// terminal runs the command line in a data folder of its own, with an engine that echoes.
func terminal(t *testing.T, lang string, args ...string) (code int, out, errs string) {
	t.Helper()
	return terminalAt(t, t.TempDir(), lang, args...)
}

func terminalAt(t *testing.T, home, lang string, args ...string) (code int, out, errs string) {
	t.Helper()
	fake := enginetest.New(t, enginetest.Options{})
	fake.OnChat(enginetest.Echo)
	env := map[string]string{"LANG": lang, "OLLAMA_HOST": fake.Addr()}
	var stdout, stderr bytes.Buffer
	code = Main(context.Background(), slices.Insert(args, 1, "--home", home), Env{
		Stdin: strings.NewReader("记住我的猫叫年糕\n/quit\n"), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(key string) string { return env[key] }, Executable: t.TempDir() + "/recollect", Version: "0.1.0",
	})
	return code, stdout.String(), stderr.String()
}

func TestTheTerminalSpeaksTheLanguageOfTheSystem(t *testing.T) {
	if _, out, _ := terminal(t, "zh_CN.UTF-8", "chat"); !strings.Contains(out, "你> ") || !strings.Contains(out, "已记住：“我的猫叫年糕”。") || !strings.Contains(out, "[记忆] human：") {
		t.Errorf("chat: %s", out)
	}
	if _, out, _ := terminal(t, "en_US.UTF-8", "chat"); !strings.Contains(out, "you> ") || !strings.Contains(out, "[memory] human:") {
		t.Errorf("chat: %s", out)
	}
	if _, out, _ := terminal(t, "zh_TW.UTF-8", "doctor"); !strings.Contains(out, "正常  数据库") || !strings.Contains(out, "引擎") {
		t.Errorf("doctor: %s", out)
	}
	code, _, errs := terminal(t, "zh_CN.UTF-8", "backup", "a", "b")
	if code != ExitUsage || errs == "" {
		t.Errorf("exit %d: %s", code, errs)
	}
	code, _, errs = terminal(t, "zh_CN.UTF-8", "chat", "--agent", "nobody", "hello")
	if code != ExitFailed || errs != "recollect: 没有名为 \"nobody\" 的智能体\n" {
		t.Errorf("exit %d: %s", code, errs)
	}
}

// A model that is not there is refused, and the next chat goes on with the one before.
func TestAnUnknownModelDoesNotBreakTheNextChat(t *testing.T) {
	home := t.TempDir()
	if code, _, errs := terminalAt(t, home, "en_US.UTF-8", "chat", "--model", "nope", "Hi"); code != ExitEngine || !strings.Contains(errs, `"nope"`) {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, out, errs := terminalAt(t, home, "en_US.UTF-8", "chat", "Hi"); code != ExitOK {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// What can do nothing says so and leaves nothing behind, and no message tells of requests.
func TestMistakesLeaveNothing(t *testing.T) {
	home := t.TempDir() + "/new"
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"checkup"}, ExitFailed, "there is no data"},
		{[]string{"backup"}, ExitFailed, "there is no data"},
		{[]string{"chat", " "}, ExitUsage, "the question is empty"},
		{[]string{"chat", "\u202e", "\u200b"}, ExitUsage, "the question is empty"},
		{[]string{"experiment", "strategies", "--turns", "5"}, ExitUsage, "--turns is a flag of experiment forget"},
		{[]string{"experiment", "forget", "--chat", "x.json"}, ExitUsage, "--chat is a flag of experiment strategies"},
		{[]string{"experiment", "forget", "--embedder", "x"}, ExitUsage, "--embedder is a flag of experiment strategies"},
	} {
		if code, _, errs := terminalAt(t, home, "en_US.UTF-8", c.args...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%q: exit %d: %s", c.args, code, errs)
		}
		if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("%q made the folder: %v", c.args, err)
		}
	}
	if code, _, errs := terminalAt(t, home, "en_US.UTF-8", "add", home+"/nope.txt"); code != ExitFailed || strings.Contains(errs, "/api/") {
		t.Errorf("exit %d: %s", code, errs)
	}
	if code, _, errs := terminalAt(t, home, "en_US.UTF-8", "chat", strings.Repeat("x", memory.MaxMessageChars+1)); code != ExitFailed || strings.Contains(errs, "/api/") {
		t.Errorf("exit %d: %s", code, errs)
	}
	s, err := store.Open(t.Context(), app.DatabasePath(home), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	if list, _, err := s.Conversations(t.Context(), store.ConversationFilter{Limit: 10}); err != nil || len(list) > 0 {
		t.Errorf("left behind: %+v, %v", list, err)
	}
}

// One is not many.
func TestOneIsSaidAsOne(t *testing.T) {
	home := t.TempDir()
	file := home + "/note.txt"
	if err := os.WriteFile(file, []byte("The spare key hangs in the shed."), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, out, errs := terminalAt(t, home, "en_US.UTF-8", "add", file); !strings.Contains(out, ", 1 passage\n") {
		t.Errorf("add: %s%s", out, errs)
	}
	if _, out, errs := terminalAt(t, home, "en_US.UTF-8", "chat", "Hi"); errs != "" {
		t.Errorf("%s%s", out, errs)
	}
	if _, out, _ := terminalAt(t, home, "en_US.UTF-8", "checkup"); !strings.Contains(out, ", 1 turn:") {
		t.Errorf("checkup: %s", out)
	}
}

// What the user chose in the settings goes before the system's language.
func TestTheTerminalSpeaksTheLanguageOfTheSettings(t *testing.T) {
	home := t.TempDir()
	s, err := store.Open(t.Context(), app.DatabasePath(home), store.Options{})
	if err == nil {
		err = errors.Join(s.SetSetting(t.Context(), "language", json.RawMessage(`"zh"`)), s.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, out, _ := terminalAt(t, home, "en_US.UTF-8", "doctor"); !strings.Contains(out, "正常  数据库") {
		t.Errorf("doctor: %s", out)
	}
}

func TestErrorsKeepTheirDetail(t *testing.T) {
	if english.failure(memory.ENOTFOUND, memory.Errorf(memory.ENOTFOUND, "x", "gone")) != "x: gone" {
		t.Error("English errors say what they say")
	}
	if s := chinese.failure(memory.ENOTFOUND, memory.Errorf(memory.ENOTFOUND, "x", "gone")); !strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Han, r) }) || !strings.Contains(s, "gone") {
		t.Errorf("%q", s)
	}
	for env, want := range map[string]string{"zh_CN.UTF-8": "zh", "C": "en", "": ""} {
		if got := systemLanguage(func(string) string { return env }); got != want {
			t.Errorf("%q: %q", env, got)
		}
	}
	if wordsOf("zh") != &chinese || wordsOf("") != &english || chinese.language() != "zh" {
		t.Error("the languages are mixed up")
	}
}

// Where the app serves its page without a window, another start opens the page in the browser; where that is not possible
// it tells the link.
func TestAnotherStartOpensThePageInTheBrowser(t *testing.T) {
	home := t.TempDir()
	a, err := app.Start(t.Context(), app.Options{Home: home, Env: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = a.Close(context.Background()) }()
	var opened []string
	for _, c := range []struct {
		fails error
		want  string
	}{{nil, "opening in the browser"}, {errors.New("there is none"), "without a window here"}} {
		var out bytes.Buffer
		code := Main(t.Context(), []string{"--home", home}, Env{
			Stdout: &out, Stderr: &out, Getenv: func(string) string { return "" }, Executable: t.TempDir() + "/recollect",
			Browse: func(address string) error {
				opened = append(opened, address)
				return c.fails
			},
		})
		if code != ExitOK || !strings.Contains(out.String(), c.want) || !strings.Contains(out.String(), a.Info().URL) {
			t.Errorf("exit %d: %s", code, out.String())
		}
	}
	if !slices.Equal(opened, []string{a.Info().URL, a.Info().URL}) {
		t.Errorf("opened %q", opened)
	}
}
