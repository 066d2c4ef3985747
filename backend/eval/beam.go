package eval

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"recollect/backend/memory"
)

// beamTail is what the makers of BEAM left at the end of their messages: "->-> 1,1".
var beamTail = regexp.MustCompile(`(?s)\s*->\s*->.*$`)

// loadBEAM reads N/chat.json and the questions about updates in N/probing_questions.json: a store a chat, a text a message.
func loadBEAM(dir, _ string) ([]Dialogue, error) {
	var all []Dialogue
	for _, file := range files(dir, "*/probing_questions.json") {
		folder := filepath.Dir(file)
		var batches []struct {
			Turns [][]struct {
				Role    memory.Role `json:"role"`
				ID      id          `json:"id"`
				Anchor  string      `json:"time_anchor"`
				Content string      `json:"content"`
			} `json:"turns"`
		}
		if err := readJSON(filepath.Join(folder, "chat.json"), &batches); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		d := Dialogue{ID: filepath.Base(folder)}
		date := time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC) // of chats that tell no date
		for session, b := range batches {
			for _, exchange := range b.Turns {
				for _, m := range exchange {
					if anchor, err := time.Parse("January-2-2006", m.Anchor); err == nil && anchor.After(date) {
						date = anchor.Add(9 * time.Hour)
					}
					d.Texts = append(d.Texts, Text{
						ID: string(m.ID), Session: session + 1, Role: m.Role, Text: beamTail.ReplaceAllString(m.Content, ""), Date: date,
					})
					date = date.Add(betweenTurns)
				}
			}
		}
		var probing struct {
			Updates []struct {
				Question string `json:"question"`
				Source   struct {
					Original []id `json:"original_info"`
					Updated  []id `json:"updated_info"`
				} `json:"source_chat_ids"`
			} `json:"knowledge_update"`
		}
		if err := readJSON(file, &probing); err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		for _, q := range probing.Updates {
			question := Question{
				Text: q.Question, Category: "knowledge-update", Original: known(d.Texts, q.Source.Original), Updated: known(d.Texts, q.Source.Updated),
			}
			question.Evidence = known(d.Texts, append(q.Source.Updated, q.Source.Original...))
			d.Questions = append(d.Questions, question)
		}
		all = append(all, d)
	}
	return all, nil
}

// known returns those of the ids that are texts, each once.
func known(texts []Text, ids []id) []string {
	exists := make(map[string]bool, len(texts))
	for _, t := range texts {
		exists[t.ID] = true
	}
	var found []string
	for _, i := range ids {
		if exists[string(i)] {
			found = append(found, string(i))
			exists[string(i)] = false
		}
	}
	return found
}

// stem returns the name of a file without its ending.
func stem(file string) string { return strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)) }
