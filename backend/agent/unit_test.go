package agent

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"recollect/backend/tokens"
)

func TestSystemTextIsShort(t *testing.T) {
	for _, language := range []string{"en", "zh"} {
		if n := tokens.Estimator().Count(SystemText(language, true)); n > 300 {
			t.Errorf("%s: %d tokens; at most 300 are ours", language, n)
		} else {
			t.Logf("%s: %d tokens", language, n)
		}
	}
}

func TestTitle(t *testing.T) {
	for message, want := range map[string]string{
		"hello": "Hello",
		"Hi there! Could you please help me to plan a trip to Norway? I have a week.": "Plan a trip to Norway?",
		"What's the capital of France?":                                               "What's the capital of France?",
		"# Notes\n\nsome text":                                                        "Notes",
		"```go\nfmt.Println(1)\n```\nWhy does it fail?":                               "Why does it fail?",
		"```\nls -la\n```":                                                            "Ls -la",
		"你好，请帮我写一封请假邮件，明天要用。谢谢！":                                                      "写一封请假邮件，明天要用",
		"请问今天天气怎么样？":                                                                  "今天天气怎么样？",
		"记住我的猫叫年糕":                                                                    "记住我的猫叫年糕",
		"我想知道如何在一个周末里学会做正宗的四川火锅并且请朋友来家里吃饭":                                             "我想知道如何在一个周末里学会做正宗的四…",
		"Please remember that my bicycle is called Comet and that it is blue and old.": "Remember that my bicycle is called…",
		"[a link](https://example.org) to read":                                        "A link to read",
		"👋":                                                                            "👋",
		"...":                                                                          "",
		"  \n\n  **bold** move  ":                                                      "Bold move",
		"1. first\n2. second":                                                          "First",
		strings.Repeat("x", 100):                                                       "X" + strings.Repeat("x", 38) + "…",
	} {
		got := Title(message)
		if got != want {
			t.Errorf("%q:\n got  %q\n want %q", message, got, want)
		}
		if utf8.RuneCountInString(got) > titleChars {
			t.Errorf("%q has %d characters", got, utf8.RuneCountInString(got))
		}
	}
}

func TestHoldFrom(t *testing.T) {
	for content, want := range map[string]string{ // content → what may be shown
		"Hello":                "Hello",
		"Hello <tool":          "Hello ",
		"Hello <tool_call>{":   "Hello ",
		"Hello <b>":            "Hello <b>",
		" {\"name\":":          " ",
		"[1, 2]":               "[1, 2]",
		"[":                    "",
		"[TOOL":                "",
		"```":                  "",
		"```json\n{":           "",
		"```python\nprint()":   "```python\nprint()",
		"Use `{}` here":        "Use `{}` here",
		"a <func":              "a ",
		"a <function":          "a ",
		"a < b":                "a < b",
		"Text <|python_tag|>{": "Text ",
	} {
		if got := content[:holdFrom(content)]; got != want {
			t.Errorf("%q shows %q, want %q", content, got, want)
		}
	}
}

func TestLooseJSON(t *testing.T) {
	for s, want := range map[string]string{
		`{"b":1,"a":"x"}`:             `{"a":"x","b":1}`,
		`{"a":"line` + "\n" + `two"}`: `{"a":"line\ntwo"}`,
		`{"a":[1,2,],}`:               `{"a":[1,2]}`,
		`{"a":{"b":"c"`:               `{"a":{"b":"c"}}`,
		`{"a":"x, }"} and more`:       `{"a":"x, }"}`,
		`{"a":"quote \" here"`:        `{"a":"quote \" here"}`,
		`{"a":"cut in the mid`:        "",
		`{"a" "b"}`:                   "",
		`no json`:                     "",
		``:                            "",
		`{"n":12345678901234567890}`:  `{"n":12345678901234567890}`,
		`{"a":"<&>"}`:                 `{"a":"<&>"}`,
	} {
		got := ""
		if v, ok := looseJSON(s); ok {
			got, _ = canonical(v)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func FuzzFromContent(f *testing.F) {
	f.Add("<tool_call>{\"name\":\"a\",\"arguments\":{}}</tool_call>")
	f.Add("[TOOL_CALLS]a[ARGS]{\"x\":1}")
	f.Add("```json\n{\"name\":\"a\"")
	f.Fuzz(func(t *testing.T, s string) {
		calls, rest, _ := fromContent(s, func(string) bool { return true })
		if len(rest) > len(s) {
			t.Fatalf("%d bytes became %d", len(s), len(rest))
		}
		for _, c := range calls {
			if _, ok := looseJSON(c.args); !ok {
				t.Fatalf("arguments %q are no JSON", c.args)
			}
		}
		if n := holdFrom(s); n < 0 || n > len(s) {
			t.Fatalf("hold from %d of %d", n, len(s))
		}
	})
}

func TestFastTextIsToldLessOften(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		runes  int
		within time.Duration
		want   time.Duration
	}{
		{0, 125 * ms, 125 * ms},   // nothing came
		{4, 125 * ms, 125 * ms},   // as one reads
		{22, 125 * ms, 125 * ms},  // still to be read along
		{45, 125 * ms, 250 * ms},  // 360 runes a second
		{180, 250 * ms, 500 * ms}, // 720
		{90_000, 500 * ms, 650 * ms},
		{600, 0, 650 * ms},
	} {
		if got := pause(c.runes, c.within); got != c.want {
			t.Errorf("%d runes within %s: told again after %s, not %s", c.runes, c.within, got, c.want)
		}
	}
}
