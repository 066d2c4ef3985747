package agent

import (
	"encoding/json"
	"fmt"
	"strings"

	"recollect/backend/agent/tools"
	"recollect/backend/engine"
	"recollect/backend/memory"
)

const (
	formTokens = 600  // of one answer under a schema
	argsChars  = 1000 // of one text argument
)

// form has a model make a tool call by filling in JSON under schemas, without tools: the way of a model that has none, and
// of one whose call cannot be read.
type form struct {
	language string
	profile  engine.Profile
	ids      *memory.IDs
	chat     func(engine.ChatRequest) (string, error) // what came is returned with an error too
}

// pick chooses between a text in English and one in Chinese.
func (f form) pick(en, zh string) string {
	if f.language == "zh" {
		return zh
	}
	return en
}

// fill lets the model choose a tool of the menu, or none, and then write its arguments: small models fail less with one
// small schema at a time. ok is false when what it wrote is no such JSON; the call is nil then, and when it wants none.
func (f form) fill(req engine.ChatRequest, menu []engine.Tool, question string) (call *memory.ToolCall, ok bool, err error) {
	var list strings.Builder
	names := []string{}
	for _, tool := range menu {
		fmt.Fprintf(&list, "\n%s: %s", tool.Name, tool.Description)
		names = append(names, tool.Name)
	}
	choice, err := json.Marshal(map[string]any{
		"type": "object", "properties": map[string]any{"tool": map[string]any{"type": "string", "enum": append(names, noTool)}}, "required": []string{"tool"},
	})
	if err != nil {
		return nil, false, err
	}
	req.Temperature, req.NumPredict = ptr(retryTemperature), min(req.NumPredict, formTokens)
	var chosen struct {
		Tool string `json:"tool"`
	}
	question += f.pick(` Reply as JSON, {"tool": "none"} for none.`, `用 JSON 回答，不用工具就写 {"tool": "none"}。`) + list.String()
	if ok, err := f.json(req, choice, question, &chosen); !ok || err != nil {
		return nil, false, err
	}
	if chosen.Tool == noTool {
		return nil, true, nil
	}
	name := tools.Name(chosen.Tool)
	if name == "" {
		return nil, false, nil
	}
	req.Messages = append(req.Messages[:len(req.Messages):len(req.Messages)], instruction(question),
		engine.Message{Role: "assistant", Content: `{"tool": "` + name + `"}`}) // what was read already is read again from the cache
	var args map[string]any
	if ok, err := f.json(req, bounded(tools.Schema(name)), f.pick("Reply with the arguments of "+name+" as JSON.", "用 JSON 写出 "+name+" 的参数。"), &args); !ok || err != nil {
		return nil, false, err
	}
	text, ok := canonical(args)
	if !ok {
		return nil, false, nil
	}
	return &memory.ToolCall{ID: f.ids.New("call"), Name: name, Arguments: text, Repaired: true}, true, nil
}

// noTool is what a model chooses that wants no tool.
const noTool = "none"

// json asks for JSON under a schema and reads it; the schema is a hope, since some models ignore it.
func (f form) json(req engine.ChatRequest, schema json.RawMessage, question string, into any) (bool, error) {
	req.Format = schema
	req.Messages = append(req.Messages[:len(req.Messages):len(req.Messages)], instruction(question))
	if f.profile.Thinking && f.profile.Parser != "" {
		req.Think = ptr(true) // with a built-in parser the engine drops the schema otherwise
	}
	text, err := f.chat(req)
	if code := memory.CodeOf(err); err != nil && code != memory.EMALFORMED && code != memory.EINCOMPLETE {
		return false, err
	}
	i := strings.IndexByte(text, '{')
	if i < 0 {
		return false, nil
	}
	v, ok := looseJSON(text[i:])
	if !ok {
		return false, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return false, err
	}
	return json.Unmarshal(b, into) == nil, nil
}

// bounded adds a length to the texts of a schema: without one a small model may never close them.
func bounded(schema json.RawMessage) json.RawMessage {
	return json.RawMessage(strings.ReplaceAll(string(schema), `"type":"string"`, fmt.Sprintf(`"type":"string","maxLength":%d`, argsChars)))
}
