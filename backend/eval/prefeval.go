package eval

import (
	"fmt"
	"time"

	"recollect/backend/memory"
)

// loadPrefEval reads the topics of PrefEval: all preferences of all files in one store, each told in a conversation of its
// own, and each asked after by the question that it bears on.
func loadPrefEval(dir, _ string) ([]Dialogue, error) {
	d := Dialogue{ID: "prefeval"}
	date := time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)
	for _, file := range files(dir, "*.json") {
		var entries []struct {
			Preference string `json:"preference"`
			Question   string `json:"question"`
		}
		if err := readJSON(file, &entries); err != nil {
			return nil, err
		}
		for i, e := range entries {
			t := Text{
				ID: fmt.Sprintf("%s-%d", stem(file), i+1), Session: len(d.Texts) + 1, Role: memory.RoleUser, Text: e.Preference,
				Date: date.Add(time.Duration(len(d.Texts)) * 8 * time.Hour),
			}
			d.Texts = append(d.Texts, t)
			d.Questions = append(d.Questions, Question{ID: t.ID, Text: e.Question, Evidence: []string{t.ID}, Category: stem(file)})
		}
	}
	return []Dialogue{d}, nil
}
