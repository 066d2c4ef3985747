package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"recollect/backend/memory"
	"recollect/backend/monitor"
)

func TestCostIsAsOnPaper(t *testing.T) {
	reference := []string{"cost", "--daily", "100", "--tokens", "5000", "--input-price", "0.01", "--output-price", "0.03"}
	code, out, errs := terminal(t, "en_US.UTF-8", append(reference, "--json")...)
	if want := `{"monthly_tokens":15000000,"monthly_cost":225,"per_conversation":0.075}`; code != ExitOK || strings.Join(strings.Fields(out), "") != want {
		t.Errorf("exit %d: %s %s", code, out, errs)
	}
	for lang, want := range map[string]string{
		"en_US.UTF-8": "15,000,000 tokens a month\n$225.00 a month\n$0.0750 a conversation\n",
		"zh_CN.UTF-8": "每月 15,000,000 个 token\n每月 $225.00\n每次对话 $0.0750\n",
	} {
		if _, out, _ := terminal(t, lang, reference...); out != want {
			t.Errorf("%s: %s", lang, out)
		}
	}
	if _, out, _ := terminal(t, "en_US.UTF-8", append(reference, "--ratio", "1:1")...); !strings.Contains(out, "$300.00") {
		t.Errorf("one read to one written: %s", out)
	}
}

func TestCostSaysWhatIsWrongWithANumber(t *testing.T) {
	for flags, want := range map[string]string{
		"":                   "needs --daily, --tokens",
		"--daily -1":         "--daily must be a whole number from 1 to 10,000,000",
		"--daily 0":          "--daily must be",
		"--daily 1.5":        "--daily must be a whole number",
		"--tokens 1e18":      "--tokens must be a whole number from 1 to 100,000,000",
		"--tokens lots":      `not "lots"`,
		"--input-price -1":   "--input-price must be a number from 0 to 10,000",
		"--input-price NaN":  "--input-price must be",
		"--output-price Inf": "--output-price must be",
		"--ratio 3":          "--ratio must be two numbers such as 3:1",
		"--ratio 0:0":        "--ratio must be two numbers",
		"--ratio a:1":        "--ratio must be",
	} {
		args := map[string]string{"--daily": "100", "--tokens": "5000", "--input-price": "0.01", "--output-price": "0.03", "--ratio": "3:1"}
		name, value, _ := strings.Cut(flags, " ")
		args[name] = value
		if name == "" {
			args = nil
		}
		line := []string{"cost"}
		for k, v := range args {
			line = append(line, k, v)
		}
		if code, _, errs := terminal(t, "en_US.UTF-8", line...); code != ExitUsage || !strings.Contains(errs, want) {
			t.Errorf("%q: exit %d, %s", flags, code, errs)
		}
	}
}

func TestCheckupOfTheChatUsedLast(t *testing.T) {
	home := t.TempDir()
	if code, _, errs := terminalAt(t, home, "en_US.UTF-8", "chat", "Hello"); code != ExitOK {
		t.Fatalf("exit %d: %s", code, errs)
	}
	_, out, errs := terminalAt(t, home, "en_US.UTF-8", "checkup", "--json")
	var c monitor.Checkup
	if err := json.Unmarshal([]byte(out), &c); err != nil {
		t.Fatalf("%s: %s %s", err, out, errs)
	}
	if c.Turns != 1 || c.Last == nil || c.Largest == "" || c.Plan.Prompt == 0 || c.Compaction.Needed || c.Compaction.Strategy != memory.StrategySliding || len(c.Ticks) != 3 {
		t.Errorf("%+v", c)
	}
	for lang, wants := range map[string][]string{
		"en_US.UTF-8": {"1 turn:", "The most goes to: ", "It needs no compaction.", "[x] What answers take is measured."},
		"zh_CN.UTF-8": {"1 轮", "占用最多的是：", "不需要压缩。", "[x] 回答的用量有测量。"},
	} {
		_, out, _ := terminalAt(t, home, lang, "checkup")
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("%s: %q is missing in\n%s", lang, want, out)
			}
		}
	}
	if code, _, errs := terminalAt(t, home, "en_US.UTF-8", "checkup", "--conversation", "conv-nothing"); code != ExitFailed || errs == "" {
		t.Errorf("exit %d: %s", code, errs)
	}
}
