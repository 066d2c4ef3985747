// Command fill puts a long conversation, a large archive or both into the data folder of an app that does not run, for
// browser tests:
//
//	fill --home DIR --messages 10000 --passages 60000
//
// Half the messages are the user's, the other half answers in Markdown; each tells its number. They end now, and a day
// lies between every twenty of them.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
)

func main() {
	home := flag.String("home", "", "data folder")
	messages := flag.Int("messages", 0, "messages of the conversation")
	passages := flag.Int("passages", 0, "passages of the archive")
	flag.Parse()
	if err := fill(context.Background(), filepath.Join(*home, "recollect.db"), *messages, *passages); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("filled")
}

func fill(ctx context.Context, path string, messages, passages int) error {
	s, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	agent, err := s.CreateAgent(ctx, memory.Agent{Name: "Recollect"}, memory.Cause{Actor: memory.ActorUser})
	if err != nil {
		return err
	}
	if passages > 0 {
		if err := archive(ctx, s, agent.ArchiveID, passages); err != nil {
			return err
		}
	}
	if messages > 0 {
		return talk(ctx, s, agent, messages)
	}
	return nil
}

// archive stores passages of about twenty words, each about one of many subjects, an hour apart.
func archive(ctx context.Context, s *store.Store, id string, count int) error {
	subjects := []string{"heron", "cellar", "violin", "tyre", "lease", "kettle", "garden", "ferry", "ladder", "年糕"}
	now := time.Now()
	const batch = 1000
	for from := 1; from <= count; from += batch {
		var passages []memory.Passage
		for n := from; n < min(from+batch, count+1); n++ {
			subject := subjects[n%len(subjects)]
			passages = append(passages, memory.Passage{
				ArchiveID: id, Tags: []string{subject}, CreatedAt: now.Add(-time.Duration(count-n) * time.Hour),
				Text: fmt.Sprintf("Note number %d is about the %s%d, which stands by the window of the workshop on the left bank and "+
					"is looked after every second week.", n, subject, n%997),
			})
		}
		if _, err := s.CreatePassages(ctx, passages, memory.Cause{Actor: memory.ActorUser}); err != nil {
			return err
		}
	}
	return nil
}

func talk(ctx context.Context, s *store.Store, agent memory.Agent, count int) error {
	c, err := s.CreateConversation(ctx, memory.Conversation{AgentID: agent.ID, Title: "A long talk", TitleBy: memory.ActorUser})
	if err != nil {
		return err
	}
	const batch = 500
	now := time.Now()
	parent := ""
	for from := 1; from <= count; from += batch {
		var messages []memory.Message
		for n := from; n < min(from+batch, count+1); n++ {
			m := memory.Message{
				ID: fmt.Sprintf("message-%08d", n), ConversationID: c.ID, ParentID: parent, Role: memory.RoleUser,
				Content:   fmt.Sprintf("Question number %d, about the *bicycle* and the cellar.", n),
				CreatedAt: now.Add(-time.Duration(count-n) * 72 * time.Minute),
			}
			if n%2 == 0 {
				m.Role, m.TurnID = memory.RoleAssistant, parent
				m.Content = fmt.Sprintf("Answer number %d.\n\n- It has a **list** of things,\n- and `code` in it.\n\nThen it goes on for a while, as answers do, "+
					"with a few words more than anybody needs, so that it fills some lines of the page.", n)
			}
			messages = append(messages, m)
			parent = m.ID
		}
		if _, err := s.AddMessages(ctx, messages); err != nil {
			return err
		}
	}
	return nil
}
