// Package tools holds what the model can call: NAME.go does it, NAME.md describes it to the model.
//
// A tool never fails the turn. What it answers is written for a small model: what is so now, or what to do instead.
package tools

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/backend/engine"
	"recollect/backend/memory"
)

// Memory is what the tools change.
type Memory interface {
	Blocks(ctx context.Context, agentID string) ([]memory.Block, error)
	UpdateBlock(ctx context.Context, id string, change memory.BlockChange, cause memory.Cause) (memory.Block, memory.Revision, error)
	CreatePassage(ctx context.Context, p memory.Passage, cause memory.Cause) (memory.Passage, memory.Revision, error)
	DocumentsNamed(ctx context.Context, archiveID, name string, limit int) ([]memory.Document, error)
	DocumentText(ctx context.Context, id string, page int) (string, error)
	ToolResult(ctx context.Context, conversationID, idEnd string) (memory.Message, error)
}

// Search is what the tools search. A before at midnight includes that whole day.
type Search interface {
	SearchMessages(ctx context.Context, agentID, query string, roles []memory.Role, after, before time.Time, limit int, cursor string) ([]memory.Candidate, string, error)
	SearchPassages(ctx context.Context, archiveID, query string, tags []string, mode string, after, before time.Time, limit int, cursor string) ([]memory.Candidate, string, error)
}

// Env is where a call runs.
type Env struct {
	Memory    Memory
	Search    Search
	Agent     memory.Agent
	Cause     memory.Cause                                            // of the changes, but for the tool call's id
	Origin    string                                                  // the user message that began the turn
	Stored    []string                                                // what was stored in this turn already on the user's explicit wish
	Recalled  []memory.Candidate                                      // what was recalled for this turn
	Never     map[string]bool                                         // ids of memories that the user never wants in this conversation
	Now       time.Time                                               // in the user's time zone
	Compact   func(ctx context.Context, label string) (string, error) // makes room in core memory, or in one block, and says what of it
	Update    func(memory.Block) string                               // how the model is told the new state of a block, on lines of its own
	Fit       func(text string) string                                // as much of its beginning as one result may hold; nil = all
	PageTurns int                                                     // that what is loaded stays in view
}

// Result is what a call came to.
type Result struct {
	Text      string // for the model
	Code      memory.Code
	Revisions []memory.Revision
}

// Failed reports whether the call was refused.
func (r Result) Failed() bool { return r.Code != "" }

// tool is one of the tools.
type tool struct {
	name   string
	params []param
	run    func(ctx context.Context, c *call) (string, error)
	hidden bool // it has no schema of its own and is called through use_tool

	description string
	schema      json.RawMessage
}

// call is one call being run.
type call struct {
	*Env
	args      map[string]any
	revisions []memory.Revision
}

func (c *call) text(name string) string {
	s, _ := c.args[name].(string)
	return memory.FromData(s)
}

func (c *call) list(name string) []string {
	l, _ := c.args[name].([]string)
	return l
}

func (c *call) number(name string, otherwise int) int {
	if n, ok := c.args[name].(int); ok {
		return n
	}
	return otherwise
}

//go:embed *.md
var descriptions embed.FS

// all are the tools in the order in which every prompt lists them.
var all = describe([]*tool{
	coreMemoryAppend, coreMemoryReplace, memoryRethink,
	archivalMemoryInsert, archivalMemorySearch, conversationSearch, readDocument, useTool,
	memoryInsert, loadMemory, storeMemory, readResult, compactMemory,
})

// describe fills in the texts of the .md files: a description, then a line "- name: text" for each parameter.
func describe(list []*tool) []*tool {
	for _, t := range list {
		b, err := descriptions.ReadFile(t.name + ".md")
		if err != nil {
			panic(err) // a file of this package is missing
		}
		text, params, _ := strings.Cut(string(b), "\n- ")
		t.description = strings.Join(strings.Fields(text), " ")
		about := map[string]string{}
		for _, line := range strings.Split(params, "\n- ") {
			name, s, _ := strings.Cut(line, ":")
			about[name] = strings.Join(strings.Fields(s), " ")
		}
		for i := range t.params {
			t.params[i].description = about[t.params[i].name]
		}
		t.schema = schema(t.params)
	}
	return list
}

// Schemas returns the tools as they are offered to the model; the same bytes each time.
func Schemas() []engine.Tool { return Offered(nil) }

// Offered returns the schemas of the tools but for those that are off.
func Offered(off []string) []engine.Tool {
	var out []engine.Tool
	for _, t := range all {
		if t.hidden || slices.Contains(off, t.name) {
			continue
		}
		if about := t.about(off); about != "" {
			out = append(out, engine.Tool{Name: t.name, Description: about, Parameters: t.schema})
		}
	}
	return out
}

// All returns name and description of every tool, also of those that have no schema of their own; use_tool, which only leads to
// them, is not among them.
func All() []engine.Tool {
	var out []engine.Tool
	for _, t := range all {
		if t.name != useToolName {
			out = append(out, engine.Tool{Name: t.name, Description: t.description, Parameters: t.schema})
		}
	}
	return out
}

// Names returns the names of the tools.
func Names() []string {
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = t.name
	}
	return out
}

// Name returns the name of the tool that a model means by a name, "" when there is none.
func Name(name string) string {
	if t := find(name); t != nil {
		return t.name
	}
	return ""
}

// Schema returns the schema of a tool's arguments, nil when there is no such tool.
func Schema(name string) json.RawMessage {
	if t := find(name); t != nil {
		return t.schema
	}
	return nil
}

// Run runs a call. The error is only for what has nothing to do with the call: ctx ended, or the disk failed.
func Run(ctx context.Context, env Env, tc memory.ToolCall) (Result, error) {
	tc = Resolve(tc)
	t := find(tc.Name)
	if t == nil || t.run == nil {
		return refused(memory.Errorf(memory.EINVALID, "call", "there is no tool %q. The tools are: %s.", tc.Name, strings.Join(Names(), ", "))), nil
	}
	env.Cause.ToolCallID = tc.ID
	c := &call{Env: &env}
	var err error
	if c.args, err = arguments(t, tc.Arguments); err != nil {
		return refused(err), nil
	}
	text, err := t.run(ctx, c)
	if err == nil {
		return Result{Text: text, Revisions: c.revisions}, nil
	}
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	switch code := memory.CodeOf(err); code {
	case memory.EINVALID, memory.ENOTFOUND, memory.ECONFLICT, memory.ELIMIT, memory.EREADONLY:
		return refused(err), nil
	case memory.EINTERNAL:
		return Result{}, fmt.Errorf("tool %s: %w", t.name, err)
	default:
		return Result{}, err
	}
}

func refused(err error) Result {
	r := Result{Code: memory.CodeOf(err), Text: "Error: " + err.Error()}
	var e *memory.Error
	if errors.As(err, &e) {
		r.Text = "Error: " + e.Message
	}
	return r
}

// refuse makes an error for the model.
func refuse(code memory.Code, format string, args ...any) error {
	return memory.Errorf(code, "call", format, args...)
}
