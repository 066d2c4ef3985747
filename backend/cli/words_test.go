package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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
		for _, key := range en.Field(i).MapKeys() {
			if b := zh.Field(i).MapIndex(key); !b.IsValid() || b.String() == "" {
				t.Errorf("%s %v is not said in Chinese", name, key)
			}
		}
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
	if code != ExitFailed || !strings.Contains(errs, "找不到") || !strings.Contains(errs, "没有名为 \"nobody\" 的智能体") {
		t.Errorf("exit %d: %s", code, errs)
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
