package memory

import (
	"encoding/json"
	"strings"
)

// What Summary says where the text is the same.
const (
	SummaryAttached = "attached elsewhere"
	SummarySettings = "settings changed"
	SummaryMoved    = "lines moved"
)

// Summary tells a revision in one line: the lines it added and removed, as `+ "new" − "old"`, or one of the constants.
func (r Revision) Summary() string {
	before, after := r.text(r.Before), r.text(r.After)
	switch {
	case r.Subject == SubjectAttachment:
		return SummaryAttached
	case r.After == "":
		return `− "` + before + `"`
	case before == after:
		return SummarySettings
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
		return SummaryMoved
	}
	return strings.Join(parts, " ")
}

// Texts returns the value of the block, or the text of the passage, before and after; "" where there was none.
func (r Revision) Texts() (before, after string) { return r.text(r.Before), r.text(r.After) }

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
