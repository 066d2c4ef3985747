package memory

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Each Chinese sentence belongs to an English one that an error really has, and names the same things in the same order.
func TestChineseSentences(t *testing.T) {
	var source strings.Builder
	for _, root := range []string{"..", filepath.Join("..", "..", "dialogs.go")} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || d.Name() == "chinese.go" {
				return err
			}
			raw, err := os.ReadFile(path)
			source.Write(raw)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	verb := regexp.MustCompile(`%[-+.0-9]*[a-z]`)
	for en, zh := range chinese {
		if !strings.Contains(source.String(), strconv.Quote(en)) {
			t.Errorf("no error says %q", en)
		}
		if !slices.Equal(verb.FindAllString(en, -1), verb.FindAllString(zh, -1)) {
			t.Errorf("%q and %q", en, zh)
		}
	}
}

func TestErrorsSpeakChinese(t *testing.T) {
	cause := errors.New("no route")
	err := Errorf(EBUSY, "find", "the running instance does not answer: %w", cause)
	p := *ProblemOf(err)
	if p.Chinese != "正在运行的实例没有回应：no route" || p.Message != "the running instance does not answer: no route" {
		t.Errorf("%+v", p)
	}
	if back := ErrorOf("find", p); back.Chinese != err.Chinese || back.Code != EBUSY || !errors.Is(err, cause) {
		t.Errorf("%+v", back)
	}
	if e := Errorf(EINTERNAL, "x", "what no user meets"); e.Chinese != "" {
		t.Errorf("%+v", e)
	}
}
