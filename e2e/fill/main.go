// Command fill puts a long conversation into the data folder of an app that does not run, for browser tests:
//
//	fill --home DIR --messages 10000
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
	count := flag.Int("messages", 10_000, "messages of the conversation")
	flag.Parse()
	if err := fill(context.Background(), filepath.Join(*home, "recollect.db"), *count); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println("filled")
}

func fill(ctx context.Context, path string, count int) error {
	s, err := store.Open(ctx, path, store.Options{})
	if err != nil {
		return err
	}
	defer s.Close()
	agent, err := s.CreateAgent(ctx, memory.Agent{Name: "Recollect"}, memory.Cause{Actor: memory.ActorUser})
	if err != nil {
		return err
	}
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
