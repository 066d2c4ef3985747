// Package eval measures recall on published data sets through the code that the app runs: the real store, the real
// search, the real floor and cap. The data is read from a folder that the caller names; none of it is part of the
// repository.
package eval

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

// Dialogue is one store of a data set: what was said, or noted, and the questions about it.
type Dialogue struct {
	ID        string
	Texts     []Text
	Questions []Question
}

// Text is one turn of a conversation, or one memory when it belongs to no session.
type Text struct {
	ID      string
	Session int // number of the session; 0 = a passage
	Speaker string
	Text    string
	Date    time.Time
}

// Question is one query with the ids of the texts that answer it.
type Question struct {
	Text     string
	Evidence []string
	Category string
}

// Missing tells whether a data set is not there, as opposed to damaged.
func Missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// locomoCategories names the categories by number.
var locomoCategories = map[int]string{1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

// LoadLoCoMo reads locomo*.json in the folder data/locomo, or data itself: one Dialogue a conversation, one Text a turn.
// Questions without evidence are left out.
func LoadLoCoMo(data string) ([]Dialogue, error) {
	var files []string
	for _, pattern := range []string{filepath.Join(data, "locomo", "locomo*.json"), filepath.Join(data, "locomo*.json")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			return nil, fmt.Errorf("load locomo: %w", err)
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("load locomo from %s: %w", data, fs.ErrNotExist)
	}
	var all []Dialogue
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("load locomo: %w", err)
		}
		var samples []struct {
			ID           string                     `json:"sample_id"`
			Conversation map[string]json.RawMessage `json:"conversation"`
			Questions    []struct {
				Question string   `json:"question"`
				Evidence []string `json:"evidence"`
				Category int      `json:"category"`
			} `json:"qa"`
		}
		if err := json.Unmarshal(raw, &samples); err != nil {
			return nil, fmt.Errorf("load locomo: %s: %w", file, err)
		}
		for _, s := range samples {
			d := Dialogue{ID: s.ID}
			if d.Texts, err = locomoTurns(s.Conversation); err != nil {
				return nil, fmt.Errorf("load locomo: %s, %s: %w", file, s.ID, err)
			}
			known := map[string]bool{}
			for _, t := range d.Texts {
				known[t.ID] = true
			}
			for _, q := range s.Questions {
				if ids := locomoEvidence(q.Evidence, known); len(ids) > 0 {
					d.Questions = append(d.Questions, Question{Text: q.Question, Evidence: ids, Category: locomoCategories[q.Category]})
				}
			}
			all = append(all, d)
		}
	}
	return all, nil
}

func locomoTurns(conversation map[string]json.RawMessage) ([]Text, error) {
	var texts []Text
	for key, raw := range conversation {
		var n int
		if _, err := fmt.Sscanf(key, "session_%d", &n); err != nil || key != fmt.Sprintf("session_%d", n) {
			continue
		}
		var when string
		if err := json.Unmarshal(conversation[key+"_date_time"], &when); err != nil {
			return nil, fmt.Errorf("date of %s: %w", key, err)
		}
		date, err := time.Parse("3:04 pm on 2 January, 2006", when)
		if err != nil {
			return nil, fmt.Errorf("date of %s: %w", key, err)
		}
		var turns []struct {
			Speaker string `json:"speaker"`
			ID      string `json:"dia_id"`
			Text    string `json:"text"`
			Caption string `json:"blip_caption"`
		}
		if err := json.Unmarshal(raw, &turns); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		for i, t := range turns {
			if t.Caption != "" {
				t.Text += " [" + t.Caption + "]"
			}
			texts = append(texts, Text{ID: t.ID, Session: n, Speaker: t.Speaker, Text: t.Text, Date: date.Add(time.Duration(i) * 30 * time.Second)})
		}
	}
	slices.SortStableFunc(texts, func(a, b Text) int { return a.Date.Compare(b.Date) })
	return texts, nil
}

var locomoID = regexp.MustCompile(`^D:?(\d+):0*(\d+)$`)

// locomoEvidence repairs the ids of evidence as they stand in the file ("D1:3; D2:4", "D:11:26", "D30:05") and leaves
// out those that name no turn.
func locomoEvidence(raw []string, known map[string]bool) []string {
	var ids []string
	for _, part := range strings.FieldsFunc(strings.Join(raw, " "), func(r rune) bool { return strings.ContainsRune(";, \t\n", r) }) {
		if m := locomoID.FindStringSubmatch(part); m != nil {
			if id := "D" + m[1] + ":" + m[2]; known[id] && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}

// LoadMADial reads the Chinese part of MADial-Bench from data/madial_zh, or data itself: all memories as passages of
// one store, the dialogues before a memory is wanted as questions.
func LoadMADial(data string) ([]Dialogue, error) {
	dir := data
	if _, err := os.Stat(filepath.Join(data, "madial_zh")); err == nil {
		dir = filepath.Join(data, "madial_zh")
	}
	d := Dialogue{ID: "madial-zh"}
	err := eachLine(filepath.Join(dir, "MADial-Bench-zh-memory.json"), func(line []byte) error {
		var entry map[string]struct{ Time, Scene, Emotion, Event string }
		if err := json.Unmarshal(line, &entry); err != nil {
			return err
		}
		for id, m := range entry {
			date, err := time.Parse(time.DateOnly, m.Time)
			if err != nil {
				return err
			}
			d.Texts = append(d.Texts, Text{ID: id, Date: date, Text: strings.Join([]string{m.Time, m.Scene, m.Emotion, m.Event}, " ")})
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load madial: %w", err)
	}
	err = eachLine(filepath.Join(dir, "BGE_M3_dense_zh_top_20_ids.json"), func(line []byte) error {
		var entry struct {
			Dialog   string        `json:"dialog_history"`
			Relevant []json.Number `json:"relevant_id"`
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			return err
		}
		q := Question{Text: madialMarks.ReplaceAllString(entry.Dialog, ""), Category: "dialogue"}
		for _, id := range entry.Relevant {
			q.Evidence = append(q.Evidence, id.String())
		}
		d.Questions = append(d.Questions, q)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("load madial: %w", err)
	}
	return []Dialogue{d}, nil
}

var madialMarks = regexp.MustCompile(`<(BOD|EOD)>\n?|<[^>\n]*>:`)

func eachLine(file string, f func([]byte) error) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	for i, line := range bytes.Split(raw, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := f(line); err != nil {
			return fmt.Errorf("%s, line %d: %w", filepath.Base(file), i+1, err)
		}
	}
	return nil
}

// role gives the first speaker of a dialogue the user's part and everyone else the assistant's.
func role(speaker, first string) memory.Role {
	if speaker == first {
		return memory.RoleUser
	}
	return memory.RoleAssistant
}
