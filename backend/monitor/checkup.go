package monitor

import (
	"cmp"
	"slices"

	"recollect/backend/compaction"
	"recollect/backend/memory"
)

// Checkup is what the window of a chat is used for, and what to do about it.
type Checkup struct {
	AgentID        string            `json:"agent_id"`
	ConversationID string            `json:"conversation_id"` // "" = one that does not exist yet
	Model          string            `json:"model"`
	Turns          int               `json:"turns"` // of the chat
	Plan           memory.Plan       `json:"plan"`  // of the next request, without a message
	Last           *memory.ModelCall `json:"last"`  // the newest call as it was measured; null = none was
	Share          float64           `json:"share"` // of the usable window that the chat takes now
	Warning        bool              `json:"warning"`
	Parts          []PartShare       `json:"parts"`   // of the next request, the largest first
	Largest        memory.PartName   `json:"largest"` // consumer
	Compaction     CompactionAdvice  `json:"compaction"`
	Ticks          []Tick            `json:"ticks"`
}

// PartShare is how much of a prompt one part is.
type PartShare struct {
	Name   memory.PartName `json:"name"`
	Tokens int             `json:"tokens"`
	Share  float64         `json:"share"` // of the prompt
}

// CompactionAdvice says whether a chat needs compaction, and which. The threshold decides whether, the length which.
type CompactionAdvice struct {
	Needed    bool            `json:"needed"`
	Threshold float64         `json:"threshold"` // share of the usable window from which on it is needed
	Strategy  memory.Strategy `json:"strategy"`  // that fits a chat of this length
	Summary   bool            `json:"summary"`   // a summary follows it, in the background
}

// TickName names something that a check-up looks at.
type TickName string

// What is looked at.
const (
	TickResults TickName = "tool_results"  // results of tools do not pile up
	TickSystem  TickName = "system_prompt" // the system prompt is short
	TickMonitor TickName = "monitor"       // what answers take is measured
)

// TickRemedy is what to do where something is not as it should be.
type TickRemedy string

// The remedies.
const (
	StubResults  TickRemedy = "stub_results"  // compact the chat: stubs take the place of full results
	ShortenSetup TickRemedy = "shorten_setup" // fewer tools; each request pays for them
	CheckEngine  TickRemedy = "check_engine"  // the engine tells no numbers: update it, or use another
)

// Tick is one thing that a check-up looks at.
type Tick struct {
	Name    TickName   `json:"name"`
	OK      bool       `json:"ok"`
	Tokens  int        `json:"tokens"`           // of the system prompt, or of full results
	Monthly int        `json:"monthly"`          // what these tokens came to in the last thirty days, read or cached
	Seconds float64    `json:"seconds"`          // to read them once; 0 = not measured
	Remedy  TickRemedy `json:"remedy,omitempty"` // where it is not OK
}

// ShortSystem is how many tokens a short system prompt has.
const ShortSystem = 500

// Inspected is what a check-up is made of.
type Inspected struct {
	AgentID, ConversationID, Model string

	Plan      memory.Plan
	Turns     int     // of the chat
	Answered  bool    // by a model
	Results   int     // tokens of the results of earlier turns that the next request has in full
	Threshold float64 // share of the usable window from which on room is made
	Due       bool    // room is made with the next message, and Plan is of what is left then
	Last      *memory.ModelCall
	Month     UsageTotals // of the agent, over thirty days
}

// Check makes a check-up.
func Check(in Inspected) Checkup {
	c := Checkup{
		AgentID: in.AgentID, ConversationID: in.ConversationID, Model: in.Model, Turns: in.Turns, Plan: in.Plan, Last: in.Last,
		Share: ratio(float64(in.Plan.Prompt), float64(in.Plan.Usable), 4),
	}
	// What fills the window now is what was read and written last, if it was in this window.
	if in.Due && in.Last != nil && in.Last.Usable == in.Plan.Usable {
		c.Share = max(c.Share, ratio(float64(in.Last.PromptTokens+in.Last.OutputTokens), float64(in.Plan.Usable), 4))
	}
	c.Warning = c.Share > memory.WarningShare
	system := 0
	for _, p := range in.Plan.Parts {
		switch p.Name {
		case memory.PartReserve, memory.PartMargin:
			continue
		case memory.PartSystem:
			system = p.Used
		}
		c.Parts = append(c.Parts, PartShare{Name: p.Name, Tokens: p.Used, Share: ratio(float64(p.Used), float64(in.Plan.Prompt), 4)})
	}
	slices.SortStableFunc(c.Parts, func(a, b PartShare) int { return cmp.Compare(b.Tokens, a.Tokens) })
	if len(c.Parts) > 0 {
		c.Largest = c.Parts[0].Name
	}
	c.Compaction = CompactionAdvice{
		Needed: in.Due || c.Share > in.Threshold, Threshold: in.Threshold, Strategy: compaction.Auto(in.Turns, true), Summary: compaction.Summarises(in.Turns),
	}
	c.Ticks = []Tick{
		in.tick(TickResults, in.Results == 0, in.Results, StubResults),
		in.tick(TickSystem, system <= ShortSystem, system, ShortenSetup),
		in.tick(TickMonitor, !in.Answered || in.Last != nil, 0, CheckEngine),
	}
	return c
}

func (in Inspected) tick(name TickName, ok bool, tokens int, remedy TickRemedy) Tick {
	t := Tick{Name: name, OK: ok, Tokens: tokens, Monthly: tokens * in.Month.Calls, Seconds: ratio(float64(tokens), in.Month.ReadPerSecond, 2)}
	if !ok {
		t.Remedy = remedy
	}
	return t
}
