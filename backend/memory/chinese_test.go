package memory

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// formats returns the formats of the errors in our own code, each with a place where it stands: what is given to Errorf, or to a
// function that hands it on. Left out are programs of developers, the words of tools, which a model reads, and formats that are
// nothing but what another error says. texts are all texts that the code has.
func formats(t *testing.T) (found map[string]string, texts map[string]bool) {
	t.Helper()
	handOn := map[string][]int{"Errorf": {2}, "invalid": {0}, "fail": {0, 2}, "forbidden": {0}, "busy": {0}, "useless": {0}, "broken": {0}, "unknown": {0}, "tooMuch": {0}, "problem": {2}, "because": {1}, "limitError": {1}}
	developers := regexp.MustCompile(`^\.\./(bench|eval|engine/enginetest|agent/tools|sample|experiment/stage)\b`)
	words := regexp.MustCompile(`\pL\pL`)
	found, texts = map[string]string{}, map[string]bool{}
	set := token.NewFileSet()
	roots, err := filepath.Glob(filepath.Join("..", "..", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range append(roots, "..") {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(d.Name(), "chinese") {
				return err
			}
			file, err := parser.ParseFile(set, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					texts[folded(e)] = true
				}
				call, ok := n.(*ast.CallExpr)
				if !ok || developers.MatchString(path) {
					return true
				}
				name := ""
				switch f := call.Fun.(type) {
				case *ast.Ident:
					name = f.Name
				case *ast.SelectorExpr:
					if name = f.Sel.Name; name == "Errorf" && fmt.Sprint(f.X) == "fmt" {
						return true
					}
				}
				for _, at := range handOn[name] {
					if at >= len(call.Args) {
						break
					}
					if text := folded(call.Args[at]); words.MatchString(verb.ReplaceAllString(text, "")) {
						found[text] = set.Position(call.Pos()).String()
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found, texts
}

// folded returns a text that is written in one piece or several, "" where it is anything else.
func folded(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, _ := strconv.Unquote(e.Value)
		return text
	case *ast.BinaryExpr:
		return folded(e.X) + folded(e.Y)
	}
	return ""
}

// What an error says in English it says in Chinese, and names the same things in the same order.
func TestChineseSentences(t *testing.T) {
	english, texts := formats(t)
	if len(english) < 300 {
		t.Fatalf("only %d sentences were found", len(english))
	}
	for en, at := range english {
		if chinese[en] == "" {
			t.Errorf("%s: %q is not in Chinese", at, en)
		}
	}
	for en, zh := range chinese {
		if !texts[en] {
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
	if e := Errorf(ENOTFOUND, "x", "there is no %s %q", "compaction", "c1"); e.Chinese != "没有这个压缩记录：“c1”" {
		t.Errorf("%+v", e)
	}
	if e := Errorf(EINVALID, "x", "%s cannot be a %s", "content", "number"); e.Chinese != "content 不能是数字" {
		t.Errorf("%+v", e)
	}
	if e := Errorf(EINVALID, "x", "%.80q is not the name of a model", `a "b"`+strings.Repeat("c", 99)); !strings.HasPrefix(e.Chinese, `“a \"b\"ccc`) || !strings.HasSuffix(e.Chinese, "c” 不是模型的名称") {
		t.Errorf("%+v", e)
	}
	if e := Errorf(EINTERNAL, "x", "what nothing says"); e.Chinese != "" {
		t.Errorf("%+v", e)
	}
}
