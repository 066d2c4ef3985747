package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"recollect/backend/memory"
	"recollect/backend/tokens"
)

// world is memory and search without a database.
type world struct {
	blocks   []memory.Block
	passages []memory.Passage
	next     string
	pages    map[string][]memory.Candidate
	never    map[string]bool
	hits     []memory.Candidate
	asked    string // what was searched for
	after    time.Time
	before   time.Time
	conflict int // so many updates fail because somebody was faster
	results  map[string]memory.Message
	fit      func(string) string
}

func (w *world) ToolResult(_ context.Context, _, idEnd string) (memory.Message, error) {
	if m, ok := w.results[idEnd]; ok {
		return m, nil
	}
	return memory.Message{}, memory.Errorf(memory.ENOTFOUND, "read result", "no result %s", idEnd)
}

func (w *world) Blocks(context.Context, string) ([]memory.Block, error) {
	return slices.Clone(w.blocks), nil
}

func (w *world) UpdateBlock(_ context.Context, id string, change memory.BlockChange, cause memory.Cause) (memory.Block, memory.Revision, error) {
	for i, b := range w.blocks {
		if b.ID != id {
			continue
		}
		if w.conflict > 0 {
			w.conflict--
			w.blocks[i].Version++
		}
		b, err := change.Apply(w.blocks[i], cause.Actor)
		if err != nil {
			return b, memory.Revision{}, err
		}
		b.Version++
		w.blocks[i] = b
		return b, memory.Revision{ID: fmt.Sprint("r", b.Version), Cause: cause, Label: b.Label}, nil
	}
	return memory.Block{}, memory.Revision{}, memory.Errorf(memory.ENOTFOUND, "update", "no block %s", id)
}

func (w *world) CreatePassage(_ context.Context, p memory.Passage, cause memory.Cause) (memory.Passage, memory.Revision, error) {
	p, err := memory.ValidatePassage(p)
	if err != nil {
		return p, memory.Revision{}, err
	}
	for _, have := range w.passages {
		if have.Text == p.Text {
			return have, memory.Revision{}, nil
		}
	}
	w.passages = append(w.passages, p)
	return p, memory.Revision{ID: fmt.Sprint("p", len(w.passages)), Cause: cause}, nil
}

func (w *world) SearchMessages(_ context.Context, _, query string, roles []memory.Role, after, before time.Time, limit int, cursor string) ([]memory.Candidate, string, error) {
	w.asked, w.after, w.before = fmt.Sprint(query, roles, limit), after, before
	return w.page(cursor)
}

func (w *world) SearchPassages(_ context.Context, _, query string, tags []string, mode string, after, before time.Time, limit int, cursor string) ([]memory.Candidate, string, error) {
	w.asked, w.after, w.before = fmt.Sprint(query, tags, mode, limit), after, before
	return w.page(cursor)
}

// page returns the hits, or those of the page that a cursor names.
func (w *world) page(cursor string) ([]memory.Candidate, string, error) {
	if cursor == "" {
		return w.hits, w.next, nil
	}
	hits, ok := w.pages[cursor]
	if !ok {
		return nil, "", memory.Errorf(memory.EINVALID, "search", "no such cursor")
	}
	return hits, "", nil
}

var zone = time.FixedZone("", 8*3600)

func newWorld(human string) *world {
	return &world{blocks: []memory.Block{
		{ID: "b1", Label: "persona", Value: "I am Recollect.", Limit: 100, ReadOnly: true, Version: 1},
		{ID: "b2", Label: "human", Value: human, Limit: 200, Version: 1},
		{ID: "b3", Label: "project notes", Value: "", Limit: 100, Version: 1},
	}}
}

func (w *world) run(t *testing.T, name, args string) Result {
	t.Helper()
	r, err := Run(t.Context(), Env{
		Memory: w, Search: w, Agent: memory.Agent{ID: "a", ArchiveID: "ar"}, Origin: "m1", Never: w.never, Now: time.Date(2026, 11, 29, 9, 0, 0, 0, zone),
		Cause: memory.Cause{Actor: memory.ActorModel}, Update: func(b memory.Block) string { return b.Label + " is now: " + b.Value },
		Fit: w.fit, PageTurns: 6,
	}, memory.ToolCall{ID: "c1", Name: name, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func object(fields ...string) string {
	m := map[string]string{}
	for i := 0; i < len(fields); i += 2 {
		m[fields[i]] = fields[i+1]
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(b)
}

func TestSchemas(t *testing.T) {
	schemas := Schemas()
	if len(schemas) > 8 {
		t.Errorf("%d tools; small models take at most 8", len(schemas))
	}
	total := 0
	for i, s := range schemas {
		if s.Description == "" || len(s.Description) > 200 && s.Name != useToolName || len(s.Description) > 900 {
			t.Errorf("%s: description of %d bytes", s.Name, len(s.Description))
		}
		var parsed struct {
			Type       string
			Properties map[string]struct{ Type, Description string }
			Required   []string
		}
		if err := json.Unmarshal(s.Parameters, &parsed); err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		for name, p := range parsed.Properties {
			if p.Description == "" || p.Type == "" {
				t.Errorf("%s.%s has no description in the .md file", s.Name, name)
			}
		}
		if parsed.Required == nil {
			t.Errorf("%s: required must be a list", s.Name)
		}
		total += tokens.Estimator().Count(s.Name + s.Description + string(s.Parameters))
		for j, other := range schemas {
			if i != j && strings.HasPrefix(other.Name, s.Name) {
				t.Errorf("%s begins %s: a streaming parser may take it for the whole", s.Name, other.Name)
			}
		}
	}
	if total > 1200 {
		t.Errorf("the tools take %d tokens of every prompt", total)
	}
	again, err := json.Marshal(Schemas())
	if err != nil {
		t.Fatal(err)
	}
	before, err := json.Marshal(schemas)
	if err != nil || string(again) != string(before) {
		t.Error("schemas are not the same bytes each time")
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"core_memory_append": "core_memory_append", "Core_Memory_Append": "core_memory_append", "coreMemoryAppend": "core_memory_append",
		"functions.core_memory_append": "core_memory_append", "core-memory-append": "core_memory_append", "core_memory_apend": "core_memory_append",
		"memory_core_append": "core_memory_append", "archival_memory_serch": "archival_memory_search", "rethink_memory": "memory_rethink",
		"core_memory_update": "core_memory_replace", "memory": "", "weather": "", "": "", "search": "",
	} {
		if got := Name(name); got != want {
			t.Errorf("%q is taken for %q, want %q", name, got, want)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, c := range []struct{ name, args, wantIn, value string }{
		{"good", `{"label":"human","content":"Likes tea."}`, "human is now: Likes tea.", "Likes tea."},
		{"unknown ones are dropped", `{"label":"human","content":"Likes tea.","heartbeat":true}`, "human is now", "Likes tea."},
		{"other names", `{"blockLabel":"human","Text":"Likes tea."}`, "human is now", "Likes tea."},
		{"a number", `{"label":"human","content":42}`, "human is now: 42", "42"},
		{"a list of one", `{"label":"human","content":["Likes tea."]}`, "human is now", "Likes tea."},
		{"label in another case", `{"label":" HUMAN ","content":"Likes tea."}`, "human is now", "Likes tea."},
		{"an object", `{"label":"human","content":{"likes":"tea"}}`, `"content" must be a text, not an object`, ""},
		{"a list", `{"label":"human","content":["a","b"]}`, `"content" must be a text, not a list`, ""},
		{"missing", `{"label":"human"}`, `"content" is missing`, ""},
		{"null", `{"label":"human","content":null}`, `"content" is missing`, ""},
		{"empty", `{"label":"human","content":"  "}`, `"content" is empty`, ""},
		{"no object", `"tea"`, "not a JSON object", ""},
		{"nothing", ``, `"label" is missing`, ""},
		{"near label", `{"label":"humans","content":"x y"}`, `there is no block "humans". The blocks are: persona, human, project notes. Did you mean "human"?`, ""},
		{"read-only", `{"label":"persona","content":"x y"}`, "read-only", ""},
		{"too long", object("label", "human", "content", strings.Repeat("x", 201)), `block "human" would have 201 characters; its limit is 200`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld("")
			r := w.run(t, "core_memory_append", c.args)
			if !strings.Contains(r.Text, c.wantIn) || w.blocks[1].Value != c.value {
				t.Errorf("answer %q, block %q", r.Text, w.blocks[1].Value)
			}
			if r.Failed() != (c.value == "") || r.Failed() != strings.HasPrefix(r.Text, "Error: ") || len(r.Revisions) != map[bool]int{true: 0, false: 1}[r.Failed()] {
				t.Errorf("failed %v, revisions %v: %q", r.Failed(), r.Revisions, r.Text)
			}
		})
	}
	w := newWorld("")
	if r := w.run(t, "archival_memory_insert", `{"content":{"a":"b"}}`); !r.Failed() || len(w.passages) != 0 {
		t.Errorf("%+v, %d rows", r, len(w.passages))
	}
	if r := w.run(t, "make_coffee", `{}`); !r.Failed() || !strings.Contains(r.Text, "conversation_search") {
		t.Errorf("%+v", r)
	}
}

func TestReplace(t *testing.T) {
	const value = "My bicycle is called Comet.\nI like tea, green tea.\n我的猫叫年糕，三岁。\nTea Tea"
	for _, c := range []struct{ name, old, with, want, answer string }{
		{"exact", "called Comet", "called Meteor", "My bicycle is called Meteor.\nI like tea, green tea.\n我的猫叫年糕，三岁。\nTea Tea", "human is now"},
		{"case and punctuation", "my bicycle is called comet!", "I sold my bicycle.", "I sold my bicycle.\nI like tea, green tea.\n我的猫叫年糕，三岁。\nTea Tea", ""},
		{"a changed comma", "I like tea green tea", "I like coffee", "My bicycle is called Comet.\nI like coffee.\n我的猫叫年糕，三岁。\nTea Tea", ""},
		{"other blanks", "My  bicycle is\ncalled Comet.", "No bicycle.", "No bicycle.\nI like tea, green tea.\n我的猫叫年糕，三岁。\nTea Tea", ""},
		{"full width", "我的猫叫年糕,三岁", "我的猫叫年糕，四岁", "My bicycle is called Comet.\nI like tea, green tea.\n我的猫叫年糕，四岁。\nTea Tea", ""},
		{"line number", "2→I like tea, green tea.", "I like water.", "My bicycle is called Comet.\nI like water.\n我的猫叫年糕，三岁。\nTea Tea", ""},
		{"deleting a line", "I like tea, green tea.", "", "My bicycle is called Comet.\n我的猫叫年糕，三岁。\nTea Tea", ""},
		{"deleting the last line", "Tea Tea", "", "My bicycle is called Comet.\nI like tea, green tea.\n我的猫叫年糕，三岁。", ""},
		{"twice", "Tea", "Water", value, `2 times`},
		{"not inside a word", "bicycl", "car", value[:3] + "car" + value[9:], ""},
		{"nowhere, but near", "The bicycle has the name Comet", "x", value, "Near it come: “My bicycle is called Comet.”"},
		{"nowhere", "zzzz qqqq", "x", value, "The block says: My bicycle"},
		{"already so", "My bike is called Meteor.", "I like tea, green tea.", value, "says that already"},
		{"nothing given", " ", "x", value, "old_content is empty"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(value)
			r := w.run(t, "core_memory_replace", object("label", "human", "old_content", c.old, "new_content", c.with))
			if w.blocks[1].Value != c.want || !strings.Contains(r.Text, c.answer) {
				t.Errorf("block %q\nanswer %q", w.blocks[1].Value, r.Text)
			}
		})
	}
}

func TestInsertAndRethink(t *testing.T) {
	for args, want := range map[string]string{
		`{"label":"human","new_string":"new"}`:                      "one\ntwo\nnew",
		`{"label":"human","new_string":"new","insert_line":-1}`:     "one\ntwo\nnew",
		`{"label":"human","new_string":"new","insert_line":"0"}`:    "new\none\ntwo",
		`{"label":"human","new_string":"1→new","insert_line":1.0}`:  "one\nnew\ntwo",
		`{"label":"human","new_string":"new","insert_line":3}`:      "one\ntwo",
		`{"label":"human","new_string":"new","insert_line":"last"}`: "one\ntwo",
	} {
		w := newWorld("one\ntwo")
		r := w.run(t, "memory_insert", args)
		if w.blocks[1].Value != want {
			t.Errorf("%s: %q, %q", args, w.blocks[1].Value, r.Text)
		}
	}
	w := newWorld("one")
	w.run(t, "memory_rethink", `{"label":"human","new_memory":"all new"}`)
	if w.blocks[1].Value != "all new" {
		t.Errorf("block %q", w.blocks[1].Value)
	}
	if r := w.run(t, "memory_rethink", `{"label":"fresh","new_memory":"x"}`); !r.Failed() || len(w.blocks) != 3 {
		t.Errorf("a block was made: %+v", r)
	}
}

func TestEditAgainstSomebodyElse(t *testing.T) {
	w := newWorld("one")
	w.conflict = 1
	if r := w.run(t, "core_memory_append", `{"label":"human","content":"two"}`); r.Failed() || w.blocks[1].Value != "one\ntwo" {
		t.Errorf("%+v, block %q", r, w.blocks[1].Value)
	}
	if r := w.run(t, "core_memory_append", `{"label":"human","content":"Two."}`); r.Failed() || w.blocks[1].Value != "one\ntwo" {
		t.Errorf("said twice: %+v, block %q", r, w.blocks[1].Value)
	}
}

func TestArchive(t *testing.T) {
	w := newWorld("")
	r := w.run(t, "archival_memory_insert", `{"content":"The bicycle is called Comet.","tags":"bicycle, names"}`)
	if r.Failed() || len(w.passages) != 1 || w.passages[0].Origin != "m1" || strings.Join(w.passages[0].Tags, "+") != "bicycle+names" {
		t.Errorf("%+v %+v", r, w.passages)
	}
	if r := w.run(t, "archival_memory_insert", `{"content":"The bicycle is called Comet."}`); r.Failed() || len(r.Revisions) != 0 || len(w.passages) != 1 {
		t.Errorf("the same again: %+v", r)
	}
}

func TestSearch(t *testing.T) {
	w := newWorld("")
	w.hits = []memory.Candidate{
		{Kind: "message", ID: "m1", Text: "the question itself", Role: memory.RoleUser},
		{Kind: "message", ID: "m0", Text: "a\nlong " + strings.Repeat("x", 400), Role: memory.RoleAssistant, Date: time.Date(2026, 5, 1, 20, 0, 0, 0, time.UTC)},
	}
	r := w.run(t, "conversation_search", `{"query":"tea","roles":["assistant"],"limit":"3","start_date":"2026-05-01","end_date":"2026-05-02"}`)
	if w.asked != "tea[assistant] 3" {
		t.Errorf("asked %q", w.asked)
	}
	if !w.after.Equal(time.Date(2026, 5, 1, 0, 0, 0, 0, zone)) || !w.before.Equal(time.Date(2026, 5, 2, 0, 0, 0, 0, zone)) {
		t.Errorf("from %v to %v", w.after, w.before)
	}
	if !strings.HasPrefix(r.Text, "1. [2026-05-02, assistant] a long xxx") || strings.Contains(r.Text, "question itself") || len([]rune(r.Text)) > 340 {
		t.Errorf("answer %q", r.Text)
	}
	for args, want := range map[string]string{
		`{"query":"x","start_date":"yesterday"}`:                          "must be a day such as",
		`{"query":"x","start_date":"2026-05-02","end_date":"2026-05-01"}`: "before start_date",
		`{"query":"x","roles":["tool"]}`:                                  "The roles are: user, assistant",
		`{"query":"x","limit":2.5}`:                                       "whole number",
	} {
		if r := w.run(t, "conversation_search", args); !r.Failed() || !strings.Contains(r.Text, want) {
			t.Errorf("%s: %q", args, r.Text)
		}
	}
	if r := w.run(t, "conversation_search", `{"start_date":"2026-05-01 10:00","end_date":"2026-05-01"}`); r.Failed() {
		t.Errorf("within one day: %q", r.Text)
	}
	w.hits = nil
	if r := w.run(t, "archival_memory_search", `{"query":"tea","tags":["a"],"top_k":50}`); r.Failed() || w.asked != "tea[a]20" || !strings.HasPrefix(r.Text, "Nothing") {
		t.Errorf("asked %q: %q", w.asked, r.Text)
	}
}

func TestSearchGoesOn(t *testing.T) {
	w := newWorld("")
	w.next, w.pages = "2", map[string][]memory.Candidate{"2": {{Kind: "message", ID: "m5", Text: "the harbour again", Role: memory.RoleUser}}}
	w.hits = []memory.Candidate{{Kind: "message", ID: "m3", Text: "the harbour", Role: memory.RoleUser}}
	const more = `There are more: call again with the same arguments and cursor "2".`
	for _, name := range []string{"conversation_search", "archival_memory_search"} {
		if r := w.run(t, name, `{"query":"harbour"}`); r.Failed() || !strings.Contains(r.Text, "the harbour") || !strings.HasSuffix(r.Text, more) {
			t.Errorf("%s: %q", name, r.Text)
		}
		if r := w.run(t, name, `{"query":"harbour","cursor":2}`); r.Failed() || !strings.Contains(r.Text, "the harbour again") || strings.Contains(r.Text, "more") {
			t.Errorf("%s, next page: %q", name, r.Text)
		}
		if r := w.run(t, name, `{"query":"harbour","cursor":"nonsense"}`); !r.Failed() || !strings.Contains(r.Text, "Leave it out to begin anew") {
			t.Errorf("%s, foreign cursor: %q", name, r.Text)
		}
	}
	// A page that holds nothing but the question itself is skipped, and so is what the user never wants here.
	w.hits = []memory.Candidate{{Kind: "message", ID: "m1", Text: "where is the harbour?", Role: memory.RoleUser}}
	if r := w.run(t, "conversation_search", `{"query":"harbour"}`); !strings.HasPrefix(r.Text, "1.") || !strings.Contains(r.Text, "the harbour again") {
		t.Errorf("after the question itself: %q", r.Text)
	}
	w.never = map[string]bool{"m5": true}
	if r := w.run(t, "conversation_search", `{"query":"harbour"}`); !strings.HasPrefix(r.Text, "Nothing was said") {
		t.Errorf("what is never wanted here was found: %q", r.Text)
	}
	for mode, want := range map[string]string{"all": "all", "ANY": "any"} {
		if w.run(t, "archival_memory_search", `{"query":"","tags":["a","b"],"tag_mode":"`+mode+`"}`); w.asked != "[a b]"+want+"5" {
			t.Errorf("asked %q", w.asked)
		}
	}
	if r := w.run(t, "archival_memory_search", `{"query":"x","tag_mode":"some"}`); !r.Failed() || !strings.Contains(r.Text, "any (one of the tags is enough) or all") {
		t.Errorf("tag_mode some: %q", r.Text)
	}
}

// The end day is included whole, also where the clocks change on it.
func TestSearchIncludesTheEndDay(t *testing.T) {
	for zone, day := range map[string]string{"Europe/Berlin": "2026-03-29", "America/Sao_Paulo": "2018-11-04", "Africa/Cairo": "2023-04-28", "Asia/Shanghai": "2026-11-29"} {
		where, err := time.LoadLocation(zone)
		if err != nil {
			t.Fatal(err)
		}
		w := newWorld("")
		r, err := Run(t.Context(), Env{Memory: w, Search: w, Now: time.Date(2026, 11, 30, 9, 0, 0, 0, where)},
			memory.ToolCall{Name: "conversation_search", Arguments: `{"start_date":"` + day + `","end_date":"` + day + `"}`})
		if err != nil || r.Failed() {
			t.Fatalf("%s: %q, %v", zone, r.Text, err)
		}
		if w.after.Format(time.DateOnly) != day || !w.before.Equal(w.after) {
			t.Errorf("%s: from %v to %v", zone, w.after, w.before)
		}
	}
}
