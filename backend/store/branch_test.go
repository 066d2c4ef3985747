package store

import (
	"slices"
	"testing"
	"time"

	"recollect/backend/memory"
)

func TestPathAround(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	var ids []string
	for _, text := range []string{"q1", "a1", "q2", "a2", "q3", "a3"} {
		role := memory.RoleUser
		if text[0] == 'a' {
			role = memory.RoleAssistant
		}
		ids = append(ids, w.say(c.ID, role, text).ID)
	}
	aside := w.sayAfter(c.ID, ids[2], memory.RoleAssistant, "a2'").ID
	leaf := ids[5]
	for _, at := range []struct {
		id            string
		before, after int
		want          string
		older, newer  bool
	}{
		{ids[3], 1, 1, "q2 a2 q3", true, true},
		{ids[3], 10, 10, "q1 a1 q2 a2 q3 a3", false, false},
		{ids[0], 2, 1, "q1 a1", false, true},
		{ids[5], 2, 3, "a2 q3 a3", true, false},
		{ids[4], 0, 0, "q3", true, true},
	} {
		got, err := w.PathAround(w.ctx, leaf, at.id, at.before, at.after)
		must(t, err)
		wantEqual(t, "stretch", contents(got.Messages), at.want)
		if got.Older != at.older || got.Newer != at.newer {
			t.Errorf("around %s: older %v, newer %v", at.want, got.Older, got.Newer)
		}
	}
	_, err := w.PathAround(w.ctx, leaf, aside, 1, 1)
	wantCode(t, err, memory.ENOTFOUND)
}

func TestMessageAt(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	day := time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC)
	var ids []string
	for i := range 3 {
		m, err := w.AddMessage(w.ctx, memory.Message{
			ConversationID: c.ID, ParentID: last(ids), Role: memory.RoleUser, Content: "hello", CreatedAt: day.AddDate(0, 0, 2*i),
		})
		must(t, err)
		ids = append(ids, m.ID)
	}
	for days, want := range map[int]string{-5: ids[0], 0: ids[0], 1: ids[1], 2: ids[1], 30: ids[2]} {
		got, err := w.MessageAt(w.ctx, ids[2], day.AddDate(0, 0, days))
		must(t, err)
		wantEqual(t, "message at", got, want)
	}
}

func last(ids []string) string {
	if len(ids) == 0 {
		return ""
	}
	return ids[len(ids)-1]
}

func TestFindInBranch(t *testing.T) {
	w := newWorld(t)
	c := w.conversation(w.agent())
	q1 := w.say(c.ID, memory.RoleUser, "My BICYCLE is ＣＯＭＥＴ")
	a1 := w.say(c.ID, memory.RoleAssistant, "A fine bicycle.")
	w.sayAfter(c.ID, q1.ID, memory.RoleAssistant, "bicycle on another branch")
	q2 := w.sayAfter(c.ID, a1.ID, memory.RoleUser, "我的猫叫年糕，100%_确定")
	for query, want := range map[string][]string{
		"bicycle": {q1.ID, a1.ID}, "comet": {q1.ID}, "年糕": {q2.ID}, "0%_": {q2.ID}, "%": {q2.ID}, "nothing": {}, "": {},
	} {
		got, err := w.FindInBranch(w.ctx, q2.ID, query)
		must(t, err)
		if !slices.Equal(got, want) {
			t.Errorf("%q is found in %v, want %v", query, got, want)
		}
	}
}

func TestFilesOfMessages(t *testing.T) {
	w := newWorld(t)
	agent := w.agent()
	c := w.conversation(agent)
	m, err := w.AddMessage(w.ctx, memory.Message{
		ConversationID: c.ID, Role: memory.RoleUser, Content: "see", Files: []memory.MessageFile{
			{Name: "notes.txt", Content: []byte("words")}, {Name: "photo.png", Content: []byte("\x89PNG\r\n\x1a\n\x00")},
		},
	})
	must(t, err)
	answer := w.say(c.ID, memory.RoleAssistant, "seen")
	path, err := w.Path(w.ctx, answer.ID, 0, "")
	must(t, err)
	if len(path[0].Files) != 2 || len(path[1].Files) != 0 {
		t.Fatalf("the files are %v and %v", path[0].Files, path[1].Files)
	}
	wantEqual(t, "text", string(path[0].Files[0].Content), "words")
	wantEqual(t, "type", path[0].Files[1].Type, "image/png")
	wantEqual(t, "bytes", path[0].Files[1].Bytes, 9)
	same, err := w.Message(w.ctx, m.ID)
	must(t, err)
	wantEqual(t, "name", same.Files[1].Name, "photo.png")
}
