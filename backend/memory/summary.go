package memory

import (
	"encoding/json"
	"strings"
)

// Summary tells a revision in one line: the lines it added and removed, as `+ "new" − "old"`, or that something else
// than the text changed.
func (r Revision) Summary() string {
	before, after := r.text(r.Before), r.text(r.After)
	switch {
	case r.Subject == SubjectAttachment:
		return "attached elsewhere"
	case r.After == "":
		return `− "` + before + `"`
	case before == after:
		return "settings changed"
	}
	var parts []string
	old, now := lines(before), lines(after)
	for _, l := range strings.Split(after, "\n") {
		if strings.TrimSpace(l) != "" && !old[l] {
			parts = append(parts, `+ "`+l+`"`)
		}
	}
	for _, l := range strings.Split(before, "\n") {
		if strings.TrimSpace(l) != "" && !now[l] {
			parts = append(parts, `− "`+l+`"`)
		}
	}
	if len(parts) == 0 {
		return "lines moved"
	}
	return strings.Join(parts, " ")
}

// text returns the value of a block or the text of a passage out of a revision's JSON.
func (r Revision) text(raw string) string {
	var v struct {
		Value string `json:"value"`
		Text  string `json:"text"`
	}
	if raw == "" || json.Unmarshal([]byte(raw), &v) != nil {
		return ""
	}
	return v.Value + v.Text
}

func lines(s string) map[string]bool {
	set := map[string]bool{}
	for _, l := range strings.Split(s, "\n") {
		set[l] = true
	}
	return set
}
