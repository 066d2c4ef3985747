package cli

import (
	"context"
	"flag"
	"fmt"
	"net/url"

	"recollect/backend/api"
	"recollect/backend/instance"
	"recollect/backend/memory"
	"recollect/backend/monitor"
)

func checkupCommand() command {
	return command{
		name: "checkup",
		flags: func(set *flag.FlagSet, in *invocation) {
			set.StringVar(&in.agent, "agent", "", in.words.flags["agent"])
			set.StringVar(&in.conversation, "conversation", "", in.words.flags["checkup conversation"])
		},
		run: runCheckup,
	}
}

// runCheckup tells what the window of a chat is used for, and what to do about it.
func runCheckup(ctx context.Context, in *invocation) error {
	if err := in.mustExist(); err != nil {
		return err
	}
	client, done, err := in.connect(ctx)
	if err != nil {
		return err
	}
	defer done()
	agentID, conversation, err := in.chosenChat(ctx, client)
	if err != nil {
		return err
	}
	var c monitor.Checkup
	if err := client.Do(ctx, "GET", "/api/agents/"+agentID+"/checkup?conversation_id="+url.QueryEscape(conversation.ID), nil, &c); err != nil {
		return err
	}
	if in.json {
		return in.printJSON(c)
	}
	in.printCheckup(conversation.Title, c)
	return nil
}

// chosenChat returns the conversation that --conversation names, else the one of the agent that was used last; none where
// the agent has none.
func (in *invocation) chosenChat(ctx context.Context, client *instance.Client) (string, memory.Conversation, error) {
	var chosen memory.Conversation
	if in.conversation != "" {
		err := client.Do(ctx, "GET", "/api/conversations/"+url.PathEscape(in.conversation), nil, &chosen)
		return chosen.AgentID, chosen, err
	}
	agent, err := in.chooseAgent(ctx, client)
	if err != nil {
		return "", chosen, err
	}
	var list api.Conversations
	err = client.Do(ctx, "GET", "/api/conversations?limit=500&agent_id="+agent.ID, nil, &list)
	for _, c := range list.Conversations { // pinned ones come first, whenever they were used
		if c.UpdatedAt.After(chosen.UpdatedAt) {
			chosen = c
		}
	}
	return agent.ID, chosen, err
}

func (in *invocation) printCheckup(title string, c monitor.Checkup) {
	w := in.words
	if title == "" {
		title = w.newChat
	}
	in.printf(w.checkupHead, title, c.Model, fmt.Sprintf(w.turns[c.Turns == 1], c.Turns), grouped(c.Plan.Prompt), grouped(c.Plan.Usable), c.Share*100)
	if c.Warning {
		in.printf("%s\n", w.nearlyFull)
	}
	in.printf("\n")
	for _, p := range c.Parts {
		in.printf("  %s %10s  %5.1f %%\n", column(w.parts[p.Name], 14), grouped(p.Tokens), p.Share*100)
	}
	if c.Largest != "" {
		in.printf(w.largest, w.parts[c.Largest])
	}
	advice := w.noCompaction
	if c.Compaction.Needed {
		advice = w.needsCompaction
	}
	in.printf(advice, w.strategies[c.Compaction.Strategy], c.Compaction.Threshold*100)
	in.printf("\n")
	for _, t := range c.Ticks {
		mark, text := w.tickMarks[t.OK], w.ticks[t.Name]
		in.printf("%s %s\n", mark, text)
		if !t.OK {
			in.printf("   %s\n", w.tickRemedies[t.Remedy])
		}
		if t.Name == monitor.TickSystem && !t.OK {
			in.printf("   %s\n", fmt.Sprintf(w.systemCost, grouped(t.Tokens), grouped(t.Monthly), t.Seconds))
		}
	}
}
