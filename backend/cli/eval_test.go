package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const prefEval = `[{"preference": "I never fly, I take trains.", "question": "How should I take the trains to Rome?", "explanation": ""}]`

// runMain runs a command line and returns its exit code and what it printed.
func runMain(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	code = Main(t.Context(), args, Env{
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr, Executable: filepath.Join(t.TempDir(), "recollect"),
		Getenv: func(key string) string { return map[string]string{"HOME": t.TempDir(), "LANG": "en_GB.UTF-8"}[key] },
	})
	return code, stdout.String(), stderr.String()
}

func TestEvalPrintsTableJSONAndOneQuestion(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "travel.json"), []byte(prefEval), 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, errs := runMain(t, "eval", "prefeval", "--data", dir, "--json")
	var r struct {
		Overall map[string]float64
		N       int
	}
	if err := json.Unmarshal([]byte(out), &r); code != ExitOK || err != nil || r.N != 1 || r.Overall["R@10"] != 1 {
		t.Errorf("%d, %v: %s%s", code, err, out, errs)
	}
	if code, out, _ := runMain(t, "eval", "--data", dir, "prefeval", "--embedder", "none"); code != ExitOK || !strings.Contains(out, "All@10") {
		t.Errorf("table: %d, %s", code, out)
	}
	if code, out, _ := runMain(t, "eval", "prefeval", "--data", dir, "--explain", "travel-1"); code != ExitOK || !strings.Contains(out, "wanted travel-1, rank 1") {
		t.Errorf("one question: %d, %s", code, out)
	}
}

func TestEvalSaysWhatIsWrong(t *testing.T) {
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"eval"}, ExitUsage, "name of one set"},
		{[]string{"eval", "locomo"}, ExitUsage, "--data"},
		{[]string{"eval", "lokomo", "--data", "."}, ExitUsage, "memdaily-zh"},
		{[]string{"eval", "locomo", "--data", "."}, ExitFailed, "locomo*.json"},
		{[]string{"eval", "locomo", "more", "--data", "."}, ExitUsage, "name of one set"},
		{[]string{"eval", "all", "--data", "."}, ExitFailed, "no set"},
	} {
		if code, _, errs := runMain(t, c.args...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%v: %d, %q; want %d and %q", c.args, code, errs, c.code, c.says)
		}
	}
}

func TestEvalMineSaysThatThereIsTooLittle(t *testing.T) {
	home := t.TempDir()
	code, out, errs := runMain(t, "eval", "mine", "--embedder", "none", "--home", home)
	if code != ExitOK || !strings.Contains(out, "0 questions of yours") {
		t.Errorf("%d, %q, %q", code, out, errs)
	}
	if code, out, _ := runMain(t, "eval", "mine", "--embedder", "none", "--home", home, "--json"); code != ExitOK || !strings.Contains(out, `"needed"`) {
		t.Errorf("as JSON: %d, %q", code, out)
	}
}
