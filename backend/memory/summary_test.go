package memory

import "testing"

func TestSummary(t *testing.T) {
	block := func(value string) string {
		if value == "" {
			return ""
		}
		return `{"value":"` + value + `"}`
	}
	for _, c := range []struct{ name, before, after, want string }{
		{"a line is added", block(`a\nb`), block(`a\nb\nc`), `+ "c"`},
		{"a line is replaced", block(`cat: Tom`), block(`cat: 年糕`), `+ "cat: 年糕" − "cat: Tom"`},
		{"created", "", block("x"), `+ "x"`},
		{"deleted", block("x"), "", `− "x"`},
		{"only the limit changed", block("x"), block("x"), "settings changed"},
		{"a passage", "", `{"text":"lives in Leipzig"}`, `+ "lives in Leipzig"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := (Revision{Subject: SubjectBlock, Before: c.before, After: c.after}).Summary(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
