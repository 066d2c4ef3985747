package agent

import (
	"context"
	"embed"
	"encoding/json"
	"strings"

	"recollect/backend/memory"
)

//go:embed prompts
var promptFiles embed.FS

// prompt returns a text of the prompts folder in a language.
func prompt(name, language string) string {
	b, err := promptFiles.ReadFile("prompts/" + name + "_" + language + ".md")
	if err != nil {
		panic(err) // a file of this package is missing
	}
	return strings.TrimSpace(string(b))
}

// SystemText returns the instructions that every prompt begins with, for a model with or without tools. They are part of
// the cached prefix: the same bytes each time.
func SystemText(language string, tools bool) string {
	s := prompt("system", language)
	if tools {
		s += "\n\n" + prompt("tools", language)
	}
	return s
}

// languageOf returns "zh" for Chinese and "en" for everything else.
func languageOf(tags ...string) string {
	for _, t := range tags {
		if t != "" {
			if strings.HasPrefix(strings.ToLower(t), "zh") {
				return "zh"
			}
			return "en"
		}
	}
	return "en"
}

// Maker is what making an agent needs of the store.
type Maker interface {
	CreateAgent(ctx context.Context, a memory.Agent, cause memory.Cause) (memory.Agent, error)
	CreateBlock(ctx context.Context, b memory.Block, agentIDs []string, cause memory.Cause) (memory.Block, memory.Revision, error)
}

// NewAgent stores a with the blocks that every agent begins with, persona and human, in its language.
func NewAgent(ctx context.Context, st Maker, a memory.Agent) (memory.Agent, error) {
	language := languageOf(a.Language)
	if strings.TrimSpace(a.Name) == "" {
		a.Name = "Recollect"
	}
	var about map[string]map[string]string
	b, err := promptFiles.ReadFile("prompts/blocks.json")
	if err == nil {
		err = json.Unmarshal(b, &about)
	}
	if err != nil {
		panic(err) // a file of this package is missing or broken
	}
	cause := memory.Cause{Actor: memory.ActorSystem, Reason: "new agent"}
	if a, err = st.CreateAgent(ctx, a, cause); err != nil {
		return a, err
	}
	cause.AgentID = a.ID
	for _, block := range []memory.Block{
		{Label: "persona", Value: prompt("persona", language), Description: about[language]["persona"], Pinned: true},
		{Label: humanLabel, Description: about[language][humanLabel], Pinned: true},
	} {
		if _, _, err := st.CreateBlock(ctx, block, []string{a.ID}, cause); err != nil {
			return a, err
		}
	}
	return a, nil
}

// humanLabel is the block that holds what is known about the person.
const humanLabel = "human"

// EnsureDefault makes the first agent of a new database.
func (s *Service) EnsureDefault(ctx context.Context, language string) error {
	agents, err := s.Store.Agents(ctx)
	if err != nil || len(agents) > 0 {
		return err
	}
	_, err = NewAgent(ctx, s.Store, memory.Agent{Language: languageOf(language)})
	return err
}
