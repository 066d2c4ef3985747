package eval

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// betweenTurns is how far apart two turns are that a set gives no time for.
const betweenTurns = 30 * time.Second

// locomoCategories names the categories of LoCoMo by number.
var locomoCategories = map[int]string{1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}

// loadLoCoMo reads locomo*.json: a store a conversation, a text a turn.
func loadLoCoMo(dir, _ string) ([]Dialogue, error) {
	var all []Dialogue
	for _, file := range files(dir, "locomo*.json") {
		var samples []struct {
			ID           string                     `json:"sample_id"`
			Conversation map[string]json.RawMessage `json:"conversation"`
			Questions    []struct {
				Question string   `json:"question"`
				Evidence evidence `json:"evidence"`
				Category int      `json:"category"`
			} `json:"qa"`
		}
		if err := readJSON(file, &samples); err != nil {
			return nil, err
		}
		for _, s := range samples {
			d := Dialogue{ID: s.ID}
			var err error
			if d.Texts, err = locomoTurns(s.Conversation); err != nil {
				return nil, fmt.Errorf("%s, %s: %w", file, s.ID, err)
			}
			for i, q := range s.Questions {
				d.Questions = append(d.Questions, Question{
					ID:   fmt.Sprintf("%s/%d", s.ID, i+1),
					Text: q.Question, Evidence: q.Evidence.ids(d.Texts), Category: locomoCategories[q.Category],
				})
			}
			all = append(all, d)
		}
	}
	return all, nil
}

// sessions returns the numbers N of the keys session_N, in order.
func sessions(keys map[string]json.RawMessage) []int {
	var ns []int
	for key := range keys {
		var n int
		if _, err := fmt.Sscanf(key, "session_%d", &n); err == nil && key == fmt.Sprintf("session_%d", n) {
			ns = append(ns, n)
		}
	}
	slices.Sort(ns)
	return ns
}

func locomoTurns(conversation map[string]json.RawMessage) ([]Text, error) {
	var texts []Text
	for _, n := range sessions(conversation) {
		key := fmt.Sprintf("session_%d", n)
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
		if err := json.Unmarshal(conversation[key], &turns); err != nil {
			return nil, fmt.Errorf("%s: %w", key, err)
		}
		for i, t := range turns {
			texts = append(texts, Text{
				ID: t.ID, Session: n, Speaker: t.Speaker, Text: captioned(t.Text, t.Caption),
				Date: date.Add(time.Duration(i) * betweenTurns),
			})
		}
	}
	slices.SortStableFunc(texts, func(a, b Text) int { return a.Date.Compare(b.Date) })
	return texts, nil
}

// captioned adds what a picture that was sent shows.
func captioned(text, caption string) string {
	if caption == "" {
		return text
	}
	return strings.TrimSpace(text + " [" + caption + "]")
}

// realtalkCategories names the categories of REALTALK by number.
var realtalkCategories = map[int]string{1: "multi-hop", 2: "temporal", 3: "commonsense"}

// loadRealTalk reads Chat_*.json: a store a file, a text a turn.
func loadRealTalk(dir, _ string) ([]Dialogue, error) {
	var all []Dialogue
	for _, file := range files(dir, "Chat_*.json") {
		var chat map[string]json.RawMessage
		if err := readJSON(file, &chat); err != nil {
			return nil, err
		}
		d := Dialogue{ID: stem(file)}
		for _, n := range sessions(chat) {
			var turns []struct {
				Speaker string `json:"speaker"`
				ID      string `json:"dia_id"`
				Text    string `json:"clean_text"`
				Date    string `json:"date_time"`
				Caption string `json:"blip_caption"`
			}
			if err := json.Unmarshal(chat[fmt.Sprintf("session_%d", n)], &turns); err != nil {
				return nil, fmt.Errorf("%s, session %d: %w", file, n, err)
			}
			for _, t := range turns {
				date, err := time.Parse("02.01.2006, 15:04:05", t.Date)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", file, t.ID, err)
				}
				d.Texts = append(d.Texts, Text{ID: plainTurn(t.ID), Session: n, Speaker: t.Speaker, Text: captioned(t.Text, t.Caption), Date: date})
			}
		}
		inOrder(d.Texts)
		var questions []struct {
			Question string   `json:"question"`
			Evidence evidence `json:"evidence"`
			Category int      `json:"category"`
		}
		if err := json.Unmarshal(chat["qa"], &questions); err != nil {
			return nil, fmt.Errorf("%s, qa: %w", file, err)
		}
		for _, q := range questions {
			d.Questions = append(d.Questions, Question{Text: q.Question, Evidence: q.Evidence.ids(d.Texts), Category: realtalkCategories[q.Category]})
		}
		all = append(all, d)
	}
	return all, nil
}

// inOrder keeps the order of the file where a time goes back.
func inOrder(texts []Text) {
	for i := 1; i < len(texts); i++ {
		if texts[i].Date.Before(texts[i-1].Date) {
			texts[i].Date = texts[i-1].Date
		}
	}
}
