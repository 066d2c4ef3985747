package agent

import (
	"context"
	"embed"
	"encoding/json"
	"slices"
	"strings"

	"recollect/backend/memory"
	"recollect/backend/store"
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
	AttachBlock(ctx context.Context, blockID, agentID string, cause memory.Cause) (memory.Revision, error)
}

// First is what an agent begins with.
type First struct {
	Persona string // text of the block persona; "" = the plain assistant's
	Human   string // id of the block human of another agent, for both; "" = an empty one of its own
}

// NewAgent stores a with the blocks that every agent begins with, persona and human, in its language.
func NewAgent(ctx context.Context, st Maker, a memory.Agent, first First) (memory.Agent, error) {
	if strings.TrimSpace(a.Name) == "" {
		a.Name = "Recollect"
	}
	cause := memory.Cause{Actor: memory.ActorSystem, Reason: "new agent"}
	a, err := st.CreateAgent(ctx, a, cause)
	if err != nil {
		return a, err
	}
	cause.AgentID = a.ID
	for _, block := range firstBlocks(languageOf(a.Language), a.Name) {
		if block.Label == HumanLabel && first.Human != "" {
			if _, err := st.AttachBlock(ctx, first.Human, a.ID, cause); err != nil {
				return a, err
			}
			continue
		}
		if block.Label == personaLabel && first.Persona != "" {
			block.Value = first.Persona
		}
		if _, _, err := st.CreateBlock(ctx, block, []string{a.ID}, cause); err != nil {
			return a, err
		}
	}
	return a, nil
}

// firstBlocks returns the blocks that every agent begins with, in a language, for one of that name.
func firstBlocks(language, name string) []memory.Block {
	var about map[string]map[string]string
	b, err := promptFiles.ReadFile("prompts/blocks.json")
	if err == nil {
		err = json.Unmarshal(b, &about)
	}
	if err != nil {
		panic(err) // a file of this package is missing or broken
	}
	return []memory.Block{
		{Label: personaLabel, Value: Personas(language, name)[0].Text, Description: about[language][personaLabel]},
		{Label: HumanLabel, Description: about[language][HumanLabel]},
	}
}

// The labels of the blocks that every agent begins with.
const (
	personaLabel = "persona" // who the agent is
	HumanLabel   = "human"   // what is known about the person
)

// EnsureDefault makes the first agent of a new database.
func (s *Service) EnsureDefault(ctx context.Context, language string) error {
	agents, err := s.Store.Agents(ctx)
	if err != nil || len(agents) > 0 {
		return err
	}
	_, err = NewAgent(ctx, s.Store, memory.Agent{Language: languageOf(language)}, First{})
	return err
}

// SpeakLanguage lets agents follow the language that the user has chosen, as long as nobody has given them words of their
// own: where the block persona is a template still. The first agent follows also with an edited persona until somebody has
// talked with it, since it was made before there was a choice. Texts that were edited stay as they are.
func (s *Service) SpeakLanguage(ctx context.Context, language string) error {
	if language == "" {
		return nil
	}
	agents, err := s.Store.Agents(ctx)
	if err != nil {
		return err
	}
	for _, a := range agents {
		if languageOf(a.Language) == languageOf(language) {
			continue
		}
		talks, _, err := s.Store.Conversations(ctx, store.ConversationFilter{AgentID: a.ID, Limit: 1})
		if err != nil {
			return err
		}
		if err := s.translate(ctx, a, language, len(agents) == 1 && len(talks) == 0); err != nil {
			return err
		}
	}
	return nil
}

// translate puts what an agent began with into another language. Unless it must, it leaves an agent alone whose persona
// was edited.
func (s *Service) translate(ctx context.Context, a memory.Agent, language string, must bool) error {
	blocks, err := s.Store.Blocks(ctx, a.ID)
	if err != nil {
		return err
	}
	personas, translated := templates(a.Language), templates(language)
	// inOther returns a persona that is a template still in the other language, nil otherwise.
	inOther := func(b memory.Block) *string {
		if b.Label != personaLabel {
			return nil
		}
		for i, p := range personas {
			if name, is := p.nameIn(b.Value); is {
				text := translated[i].called(name)
				return &text
			}
		}
		return nil
	}
	if !must && !slices.ContainsFunc(blocks, func(b memory.Block) bool { return inOther(b) != nil }) {
		return nil
	}
	before, after := firstBlocks(languageOf(a.Language), a.Name), firstBlocks(languageOf(language), a.Name)
	cause := memory.Cause{Actor: memory.ActorSystem, AgentID: a.ID, Reason: "language"}
	for _, b := range blocks {
		i := slices.IndexFunc(before, func(first memory.Block) bool { return first.Label == b.Label })
		if i < 0 {
			continue
		}
		change := memory.BlockChange{IfVersion: b.Version, Value: inOther(b)}
		if b.Description == before[i].Description {
			change.Description = &after[i].Description
		}
		if change.Value == nil && change.Description == nil {
			continue
		}
		if _, _, err := s.Store.UpdateBlock(ctx, b.ID, change, cause); err != nil {
			return err
		}
	}
	_, err = s.Store.UpdateAgent(ctx, a.ID, func(a *memory.Agent) error {
		a.Language = languageOf(language)
		return nil
	})
	return err
}
