package eval

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

const (
	madialMemories = "MADial-Bench-zh-memory.json"
	madialAnswers  = "BGE_M3_dense_zh_top_20_ids.json"
)

// loadMADial reads the Chinese part of MADial-Bench: all memories as passages of one store, the dialogues before a memory
// is wanted as questions.
func loadMADial(dir, _ string) ([]Dialogue, error) {
	d := Dialogue{ID: "madial-zh"}
	err := eachLine(filepath.Join(dir, madialMemories), func(line []byte) error {
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
		return nil, err
	}
	err = eachLine(filepath.Join(dir, madialAnswers), func(line []byte) error {
		var entry struct {
			Dialog   string `json:"dialog_history"`
			Relevant []id   `json:"relevant_id"`
			Top      []id   `json:"top_20_ids"`
		}
		if err := json.Unmarshal(line, &entry); err != nil {
			return err
		}
		d.Questions = append(d.Questions, Question{
			Text: spoken(entry.Dialog), Category: "dialogue", Evidence: known(d.Texts, entry.Relevant), Published: known(d.Texts, entry.Top),
		})
		return nil
	})
	return []Dialogue{d}, err
}

var (
	dialogueEnds = regexp.MustCompile(`<(BOD|EOD)>\n?`)
	speakerMark  = regexp.MustCompile(`(?m)^<([^>\n]*)>: ?"?(.*?)"?$`)
)

// spoken returns a dialogue as a person would paste one: a line "Name: words" a turn.
func spoken(dialogue string) string {
	return strings.TrimSpace(speakerMark.ReplaceAllString(dialogueEnds.ReplaceAllString(dialogue, ""), "$1: $2"))
}

// loadMemDaily reads 0*.json of MemDaily: a store a trajectory, a text a message of the user. With noise, everything that
// users and assistant said in that MemoryBank file stands before it.
func loadMemDaily(dir, noise string) ([]Dialogue, error) {
	var before []Text
	if noise != "" {
		var err error
		if before, err = memoryBank(noise); err != nil {
			return nil, fmt.Errorf("noise: %w", err)
		}
	}
	var all []Dialogue
	for _, file := range files(dir, "0*.json") {
		var trajectories []struct {
			ID       id `json:"tid"`
			Messages []struct {
				ID      id     `json:"mid"`
				Message string `json:"message"`
				Time    string `json:"time"`
			} `json:"message_list"`
			Questions []struct {
				Question string `json:"question"`
				Evidence []id   `json:"target_step_id"`
			} `json:"question_list"`
		}
		if err := readJSON(file, &trajectories); err != nil {
			return nil, err
		}
		for _, t := range trajectories {
			d := Dialogue{ID: stem(file) + "-" + string(t.ID), Texts: slices.Clone(before)}
			session := 0
			if len(before) > 0 {
				session = before[len(before)-1].Session
			}
			own := make([]Text, 0, len(t.Messages))
			last := ""
			for _, m := range t.Messages {
				date, day, err := memDailyTime(m.Time)
				if err != nil {
					return nil, fmt.Errorf("%s, %s: %w", file, d.ID, err)
				}
				if day != last {
					session++
					last = day
				}
				own = append(own, Text{ID: string(m.ID), Session: session, Role: memory.RoleUser, Text: m.Message, Date: date})
			}
			inOrder(own)
			d.Texts = append(d.Texts, own...)
			for _, q := range t.Questions {
				d.Questions = append(d.Questions, Question{Text: q.Question, Evidence: known(own, q.Evidence), Category: stem(file)})
			}
			all = append(all, d)
		}
	}
	return all, nil
}

// memDailyTime reads "2024年04月01日 周一 08:30" and returns its day as well. The time of day may be missing.
func memDailyTime(s string) (at time.Time, day string, err error) {
	words := strings.Fields(s)
	if len(words) == 0 {
		return at, "", fmt.Errorf("a message has no time")
	}
	day = words[0]
	if at, err = time.Parse("2006年01月02日", day); err != nil {
		return at, day, err
	}
	if clock, err := time.Parse("15:04", words[len(words)-1]); err == nil {
		at = at.Add(time.Duration(clock.Hour())*time.Hour + time.Duration(clock.Minute())*time.Minute)
	}
	return at, day, nil
}

// memoryBank reads the chats of all users of a MemoryBank file, by user and day, a session each.
func memoryBank(file string) ([]Text, error) {
	var users map[string]struct {
		History map[string][]struct {
			Query    string `json:"query"`
			Response string `json:"response"`
		} `json:"history"`
	}
	if err := readJSON(file, &users); err != nil {
		return nil, err
	}
	type day struct {
		user string
		date time.Time
		key  string
	}
	var days []day
	for user, u := range users {
		for key := range u.History {
			date, err := time.Parse(time.DateOnly, key)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", user, err)
			}
			days = append(days, day{user, date, key})
		}
	}
	slices.SortFunc(days, func(a, b day) int {
		if c := a.date.Compare(b.date); c != 0 {
			return c
		}
		return strings.Compare(a.user, b.user)
	})
	var texts []Text
	for session, d := range days {
		for i, x := range users[d.user].History[d.key] {
			date := d.date.Add(12*time.Hour + time.Duration(2*i)*betweenTurns)
			texts = append(texts,
				Text{ID: fmt.Sprintf("noise-%d", len(texts)), Session: session + 1, Role: memory.RoleUser, Text: x.Query, Date: date},
				Text{ID: fmt.Sprintf("noise-%d", len(texts)+1), Session: session + 1, Role: memory.RoleAssistant, Text: x.Response, Date: date.Add(betweenTurns)})
		}
	}
	inOrder(texts)
	return texts, nil
}
