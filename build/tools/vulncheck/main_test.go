package main

import (
	"strings"
	"testing"
)

const stream = `{"config":{"scanner_name":"govulncheck"}}
{"osv":{"id":"GO-1","summary":"reads too much"}}
{"osv":{"id":"GO-2","summary":"never called"}}
{"osv":{"id":"GO-3","summary":"of Go itself"}}
{"finding":{"osv":"GO-1","fixed_version":"v1.1.0","trace":[{"module":"example.org/m","version":"v1.0.0","package":"example.org/m","function":"Read"},{"module":"recollect","package":"recollect/backend/x","function":"Open"}]}}
{"finding":{"osv":"GO-2","trace":[{"module":"example.org/m","version":"v1.0.0"}]}}
{"finding":{"osv":"GO-3","fixed_version":"v1.99.0","trace":[{"module":"stdlib","version":"v1.26.0","package":"net/http","function":"Serve"}]}}
`

func TestJudge(t *testing.T) {
	report, err := parse(strings.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		accepted, out, err string
	}{
		{"", "FOUND: GO-1 example.org/m v1.0.0 (fixed in v1.1.0): reads too much; from recollect/backend/x.Open", "GO-1"},
		{"# why\nGO-1 we never read\n", "accepted: GO-1 ", ""},
		{"GO-1 we never read\nGO-2 once\n", "accepted: GO-1 ", "GO-2 (accepted, but no longer found: remove it)"},
	} {
		accepted, err := parseAccepted([]byte(c.accepted))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		err = judge(&out, report, accepted)
		if got := out.String(); !strings.Contains(got, c.out) || !strings.Contains(got, "note: GO-3") || strings.Contains(got, "GO-2 ") {
			t.Errorf("accepted %q: %s", c.accepted, got)
		}
		if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("accepted %q: error %v, want %q", c.accepted, err, c.err)
		}
	}
	if _, err := parseAccepted([]byte("GO-1")); err == nil {
		t.Error("an ID without a reason was accepted")
	}
}
