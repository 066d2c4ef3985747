package agent_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ollama/ollama/api"

	"recollect/backend/agent"
	"recollect/backend/engine/enginetest"
	"recollect/backend/memory"
	"recollect/backend/store"
)

// readings counts the messages that are read of branches.
type readings struct {
	*store.Store
	messages int
}

func (r *readings) Path(ctx context.Context, leaf string, limit int, before string) ([]memory.Message, error) {
	path, err := r.Store.Path(ctx, leaf, limit, before)
	r.messages += len(path)
	return path, err
}

func (r *readings) PathSince(ctx context.Context, leaf, first string) ([]memory.Message, error) {
	path, err := r.Store.PathSince(ctx, leaf, first)
	r.messages += len(path)
	return path, err
}

// A turn reads only what is new since the last one. Whatever happens in between, its prompt is that of an app which was
// just started and has read nothing before.
func TestPromptIsTheSameAsAfterARestart(t *testing.T) {
	for _, window := range []int{8192, 2048} {
		t.Run(fmt.Sprint("window ", window), func(t *testing.T) {
			kept, fresh := prompts(t, window, false), prompts(t, window, true)
			for i := range kept {
				if kept[i] != fresh[i] {
					t.Fatalf("prompt %d is\n%s\nafter a restart it is\n%s", i, kept[i], fresh[i])
				}
			}
		})
	}
}

// prompts returns all that is sent while somebody talks, changes their mind and goes back. With restarts the service is a
// new one before each step.
func prompts(t *testing.T, window int, restarts bool) []string {
	w := newWorld(t, enginetest.Chat)
	at := time.Date(2026, 11, 29, 14, 0, 0, 0, time.UTC)
	w.replace(func(d *agent.Deps) {
		d.Clock, d.IDs = func() time.Time { return at }, memory.NewIDs(time.Now, rand.Reader)
	})
	w.set["window"] = window
	answers := 0
	w.fake.OnChat(func(api.ChatRequest) enginetest.Reply {
		answers++
		r := enginetest.Reply{Content: fmt.Sprintf("answer %d%s", answers, strings.Repeat(" and so on", 25))}
		if answers%4 == 0 {
			r.End = "length"
		}
		return r
	})
	step := func() {
		if restarts {
			w.replace(func(*agent.Deps) {})
		}
	}
	ask := func(text string) memory.Message {
		step()
		return w.send(text + strings.Repeat(" if you please", 10))
	}
	first := ask("first")
	for i := range 6 {
		ask(fmt.Sprint("question ", i))
	}
	step()
	_, err := w.service.Regenerate(w.ctx(), w.answer().ID, false)
	w.must(err)
	w.answer()
	ask("after regenerating")
	path := w.path()
	step()
	_, err = w.service.Edit(w.ctx(), path[len(path)-4].ID, "an edited question")
	w.must(err)
	w.answer()
	value := "The user changes their mind."
	w.setBlock("human", memory.BlockChange{Value: &value})
	ask("after editing")
	step()
	_, err = w.service.Regenerate(w.ctx(), path[len(path)-5].ID, false) // the preamble of its question is written anew
	w.must(err)
	w.answer()
	step()
	_, err = w.service.Select(w.ctx(), path[len(path)-1].ID)
	w.must(err)
	ask("on the other branch again")
	for w.answer().End != memory.EndLength {
		ask("until an answer is cut")
	}
	step()
	_, err = w.service.Continue(w.ctx(), w.answer().ID)
	w.must(err)
	w.answer()
	ask("after continuing")

	here := w.conv
	w.conv = w.newConversation()
	ask("in another conversation")
	ask("and once more")
	w.conv = here
	ask("back again")
	for _, deleted := range []bool{true, false} {
		_, err = w.store.UpdateConversation(w.ctx(), w.conv.ID, store.ConversationChange{Deleted: &deleted})
		w.must(err)
	}
	ask("after its deletion was taken back")
	w.set["window"] = 4096
	ask("in another window")
	w.set["window"] = window
	ask("in the old one")
	step()
	_, err = w.service.Select(w.ctx(), first.ID)
	w.must(err)
	ask("and on")

	var sent []string
	for i := range w.fake.Chats() {
		sent = append(sent, w.sent(i))
	}
	return sent
}

// The first turn of a long talk, as after an import, holds what a window holds and says that there is more.
func TestLongTalkIsNotReadAsAWhole(t *testing.T) {
	w := newWorld(t, enginetest.Chat)
	w.set["window"] = 2048
	ms := make([]memory.Message, 2000)
	for i := range ms {
		role := []memory.Role{memory.RoleUser, memory.RoleAssistant}[i%2]
		ms[i] = memory.Message{ID: fmt.Sprintf("message-%026d", i), ConversationID: w.conv.ID, Role: role, Content: fmt.Sprintf("small talk %d", i)}
		if i > 0 {
			ms[i].ParentID = ms[i-1].ID
		}
	}
	_, err := w.store.AddMessages(w.ctx(), ms)
	w.must(err)
	reads := &readings{Store: w.store}
	w.replace(func(d *agent.Deps) { d.Store = reads })
	w.scripts(say("yes"))
	w.send("And now?")
	if reads.messages > 1000 {
		t.Errorf("%d messages were read", reads.messages)
	}
	sent := w.fake.Chats()[0].Messages
	if len(sent) < 20 || !strings.HasSuffix(sent[len(sent)-2].Content, "small talk 1999") {
		t.Errorf("%d messages were sent, the last but one is %q", len(sent), sent[len(sent)-2].Content)
	}
	reads.messages = 0
	w.send("And then?")
	if reads.messages > 100 {
		t.Errorf("%d messages were read for the next turn", reads.messages)
	}
	if !strings.HasPrefix(w.sent(1), w.sent(0)) {
		t.Error("the second prompt does not begin with the first")
	}
}
