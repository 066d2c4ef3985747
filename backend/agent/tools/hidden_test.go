package tools

import (
	"strings"
	"testing"

	"recollect/backend/memory"
)

// However a model writes it, a call of use_tool is the call that it means.
func TestUseTool(t *testing.T) {
	for args, want := range map[string]string{
		`{"name":"read_result","arguments":{"id":"ab12","from":3}}`: `read_result {"from":3,"id":"ab12"}`,
		`{"name":"read_result","arguments":"{\"id\":\"ab12\"}"}`:    `read_result {"id":"ab12"}`,
		`{"tool":"readResult","args":{"id":"ab12"}}`:                `read_result {"id":"ab12"}`,
		`{"name":"read_result","id":"ab12"}`:                        `read_result {"id":"ab12"}`,
		`{"name":"load_memory","arguments":"the bicycle"}`:          `load_memory {"query":"the bicycle"}`,
		`{"name":"core_memory_append","arguments":{"label":"a<b"}}`: `core_memory_append {"label":"a<b"}`,
		`{"name":"no_such_tool","arguments":{}}`:                    `use_tool {"name":"no_such_tool","arguments":{}}`,
		`{"name":"use_tool","arguments":{"name":"read_result"}}`:    `use_tool {"name":"use_tool","arguments":{"name":"read_result"}}`,
		`not JSON`:   `use_tool not JSON`,
		`{"name":7}`: `use_tool {"name":7}`,
		`{"name":"read_result","arguments":{"id":12345678901234567890}}`: `read_result {"id":12345678901234567890}`,
	} {
		got := Resolve(memory.ToolCall{ID: "1", Name: useToolName, Arguments: args})
		if s := got.Name + " " + got.Arguments; s != want || got.ID != "1" {
			t.Errorf("%s: %s, want %s", args, s, want)
		}
	}
	w := newWorld("")
	for _, args := range []string{`{"name":"no_such_tool"}`, `{}`, `broken`} {
		if r := w.run(t, useToolName, args); !r.Failed() || !strings.Contains(r.Text, "read_result") {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

// What use_tool says of itself leaves out what is off, and all of it where nothing is left.
func TestUseToolListsWhatItCalls(t *testing.T) {
	about := func(off ...string) string {
		for _, s := range Offered(off) {
			if s.Name == useToolName {
				return s.Description
			}
		}
		return ""
	}
	if s := about("load_memory"); strings.Contains(s, "load_memory") || !strings.Contains(s, "read_result(id, from?)") {
		t.Error(s)
	}
	var hidden []string
	for _, tool := range all {
		if tool.hidden {
			hidden = append(hidden, tool.name)
		}
	}
	if s := about(hidden...); s != "" {
		t.Error(s)
	}
	for _, tool := range All() {
		if tool.Name == useToolName || tool.Description == "" {
			t.Errorf("%+v", tool)
		}
	}
}

func TestReadResult(t *testing.T) {
	w := newWorld("")
	text := strings.Repeat("0123456789", 700)
	w.results = map[string]memory.Message{"ab12": {ToolName: "archival_memory_search", Content: text}}
	r := w.run(t, "read_result", `{"id":"ab12"}`)
	if !strings.HasPrefix(r.Text, "Result of archival_memory_search, characters 0 to 3000 of 7000:\n0123") || !strings.HasSuffix(r.Text, "[It goes on: from=3000]") {
		t.Error(r.Text)
	}
	if r = w.run(t, "read_result", `{"id":"ab12","from":6000}`); strings.Contains(r.Text, "goes on") || len(r.Text) < 1000 {
		t.Error(r.Text)
	}
	for _, args := range []string{`{"id":"gone"}`, `{"id":"ab12","from":7000}`, `{}`} {
		if r := w.run(t, "read_result", args); !r.Failed() {
			t.Errorf("%s: %+v", args, r)
		}
	}
}

func TestStoreMemoryMovesATextOutOfItsBlock(t *testing.T) {
	w := newWorld("Likes tea.\nThe old car was a blue Volvo.\nLives in Bern.")
	r := w.run(t, "store_memory", `{"content":"the old car was a blue volvo","label":"human"}`)
	if r.Failed() || w.blocks[1].Value != "Likes tea.\nLives in Bern." || len(w.passages) != 1 || w.passages[0].Text != "The old car was a blue Volvo." || len(r.Revisions) != 2 {
		t.Errorf("%+v: %q, %+v", r, w.blocks[1].Value, w.passages)
	}
	if r = w.run(t, "store_memory", `{"content":"It never snowed there.","tags":["weather"]}`); r.Failed() || len(w.passages) != 2 {
		t.Errorf("%+v", r)
	}
	if r = w.run(t, "store_memory", `{"content":"not there","label":"human"}`); !r.Failed() || len(w.passages) != 2 {
		t.Errorf("%+v", r)
	}
}

func TestLoadMemory(t *testing.T) {
	w := newWorld("")
	w.hits = []memory.Candidate{{ID: "p", Text: "The bicycle is called Comet.", LexRank: 1}}
	r := w.run(t, "load_memory", `{"query":"bicycle"}`)
	if !strings.HasPrefix(r.Text, "Loaded; it stays in view for 6 turns:\n[") || !strings.Contains(r.Text, "Comet") {
		t.Error(r.Text)
	}
	w.fit = func(s string) string { return s[:10] }
	if r = w.run(t, "load_memory", `{"query":"bicycle"}`); len(r.Text) != 10 {
		t.Error(r.Text)
	}
	w.hits = nil
	if r = w.run(t, "load_memory", `{"query":"bicycle"}`); !strings.HasPrefix(r.Text, "Nothing") {
		t.Error(r.Text)
	}
}
