package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"recollect/backend/memory"
)

// kind is the type of a parameter. Schemas are flat and small, since small models get lost in others.
type kind int

const (
	text    kind = iota
	list         // of strings
	integer      //
	date         // YYYY-MM-DD, or with a time
	dict         // of the arguments of another tool
)

// param is one parameter of a tool.
type param struct {
	name        string
	kind        kind
	required    bool
	mayBeEmpty  bool     // a required text may be ""
	aliases     []string // names that models use instead
	description string   // from the .md file
}

// schema writes the JSON schema of parameters, its bytes fixed by their order.
func schema(params []param) json.RawMessage {
	var b bytes.Buffer
	b.WriteString(`{"type":"object","properties":{`)
	required := []string{}
	for i, p := range params {
		if i > 0 {
			b.WriteByte(',')
		}
		typ := `"type":"string"`
		switch p.kind {
		case list:
			typ = `"type":"array","items":{"type":"string"}`
		case integer:
			typ = `"type":"integer"`
		case dict:
			typ = `"type":"object"`
		}
		fmt.Fprintf(&b, `%q:{%s,"description":%s}`, p.name, typ, quote(p.description))
		if p.required {
			required = append(required, quote(p.name))
		}
	}
	fmt.Fprintf(&b, `},"required":[%s]}`, strings.Join(required, ","))
	return b.Bytes()
}

func quote(s string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		panic(err) // strings always encode
	}
	return strings.TrimSpace(b.String())
}

// arguments reads what the model passed: names are matched loosely, numbers and lists may be strings, unknown names are
// dropped. What cannot be read is an error that says what to pass.
func arguments(t *tool, raw string) (map[string]any, error) {
	given := map[string]any{}
	if strings.TrimSpace(raw) != "" {
		d := json.NewDecoder(strings.NewReader(raw))
		d.UseNumber()
		if err := d.Decode(&given); err != nil {
			return nil, refuse(memory.EINVALID, "the arguments are not a JSON object. %s", t.usage())
		}
	}
	out := map[string]any{}
	for _, p := range t.params {
		value, ok := lookup(given, p)
		if !ok || value == nil {
			if p.required {
				return nil, refuse(memory.EINVALID, "the argument %q is missing. %s", p.name, t.usage())
			}
			continue
		}
		v, err := p.coerce(value)
		if err != nil {
			return nil, refuse(memory.EINVALID, "the argument %q %s. %s", p.name, err, t.usage())
		}
		if v == nil && p.required {
			return nil, refuse(memory.EINVALID, "the argument %q is empty. %s", p.name, t.usage())
		}
		if v != nil {
			out[p.name] = v
		}
	}
	return out, nil
}

// usage says how to call the tool.
func (t *tool) usage() string {
	parts := make([]string, 0, len(t.params))
	for _, p := range t.params {
		if p.required {
			parts = append(parts, p.name)
		}
	}
	if len(parts) == 0 {
		for _, p := range t.params {
			parts = append(parts, p.name)
		}
		return fmt.Sprintf("Call %s with any of: %s.", t.name, strings.Join(parts, ", "))
	}
	return fmt.Sprintf("Call %s again with: %s.", t.name, strings.Join(parts, ", "))
}

// lookup finds the value of a parameter under its name, a differently written form of it, or an alias.
func lookup(given map[string]any, p param) (any, bool) {
	if v, ok := given[p.name]; ok {
		return v, true
	}
	for _, name := range append([]string{p.name}, p.aliases...) {
		for k, v := range given {
			if plain(k) == plain(name) {
				return v, true
			}
		}
	}
	return nil, false
}

// plain is a name without case and separators: "oldContent" and "old_content" are the same.
func plain(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// coerce turns a JSON value into the parameter's type; nil for an empty one.
func (p param) coerce(v any) (any, error) {
	switch p.kind {
	case list:
		return strs(v)
	case integer:
		return whole(v)
	case dict:
		return v, nil
	}
	s, err := str(v)
	if err != nil {
		return nil, err
	}
	if p.kind == date {
		return day(s)
	}
	if strings.TrimSpace(s) == "" && !p.mayBeEmpty {
		return nil, nil
	}
	return s, nil
}

func str(v any) (string, error) {
	switch v := v.(type) {
	case string:
		return v, nil
	case json.Number:
		return v.String(), nil
	case bool:
		return strconv.FormatBool(v), nil
	case []any:
		if len(v) == 1 {
			return str(v[0])
		}
		return "", fmt.Errorf("must be a text, not a list")
	default:
		return "", fmt.Errorf("must be a text, not an object")
	}
}

func strs(v any) (any, error) {
	var parts []string
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			s, err := str(e)
			if err != nil {
				return nil, fmt.Errorf("must be a list of texts")
			}
			parts = append(parts, s)
		}
	case string:
		if strings.HasPrefix(strings.TrimSpace(v), "[") { // a list written into a string
			var inner []any
			if json.Unmarshal([]byte(v), &inner) == nil {
				return strs(inner)
			}
		}
		parts = strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == '，' || r == '、' || r == ';' })
	default:
		return nil, fmt.Errorf("must be a list of texts")
	}
	var out []string
	for _, s := range parts {
		if s = strings.TrimSpace(s); s != "" {
			out = append(out, s)
		}
	}
	if out == nil {
		return nil, nil
	}
	return out, nil
}

func whole(v any) (any, error) {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	default:
		return nil, fmt.Errorf("must be a whole number")
	}
	if s == "" {
		return nil, nil
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > 1e9 {
		return nil, fmt.Errorf("must be a whole number, not %q", s)
	}
	return int(f), nil
}

// stamp is a date as the model gave it.
type stamp struct {
	time     time.Time // wall clock; the zone is the user's
	wholeDay bool
}

var layouts = []struct {
	layout string
	day    bool
}{
	{time.RFC3339, false},
	{"2006-01-02T15:04:05", false},
	{"2006-01-02T15:04", false},
	{"2006-01-02 15:04:05", false},
	{"2006-01-02 15:04", false},
	{"2006-01-02", true},
	{"2006/01/02", true},
	{"2006/1/2", true},
	{"2006.01.02", true},
	{"2006-1-2", true},
	{"20060102", true},
	{"2006年1月2日", true},
}

func day(s string) (any, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return nil, nil
	}
	for _, l := range layouts {
		if t, err := time.Parse(l.layout, s); err == nil {
			return stamp{t, l.day}, nil
		}
	}
	return nil, fmt.Errorf("must be a day such as 2026-01-31, not %q", s)
}

// find returns the tool of a name, written loosely: case, separators, a prefix such as "functions." and the order of the
// words do not matter, nor does one mistyped letter in ten.
func find(name string) *tool {
	if i := strings.LastIndexAny(name, ".:/"); i >= 0 {
		name = name[i+1:]
	}
	want := plain(name)
	if want == "" {
		return nil
	}
	for _, t := range all {
		if plain(t.name) == want {
			return t
		}
	}
	words := sortedWords(name)
	for _, t := range all {
		if sortedWords(t.name) == words {
			return t
		}
	}
	if alias, ok := aliases[want]; ok {
		return find(alias)
	}
	var best *tool
	least := len(want)/10 + 1
	for _, t := range all {
		if d := distance(plain(t.name), want, least); d < least+1 {
			if best != nil && d == least {
				return nil // two are as near
			}
			if d < least || best == nil {
				best, least = t, d
			}
		}
	}
	return best
}

// aliases are names that models know from elsewhere.
var aliases = map[string]string{
	"memoryreplace": "core_memory_replace", "memoryappend": "core_memory_append", "coreappend": "core_memory_append",
	"corereplace": "core_memory_replace", "archivalinsert": "archival_memory_insert", "archivalsearch": "archival_memory_search",
	"rethinkmemory": "memory_rethink", "recallsearch": "conversation_search", "recallmemorysearch": "conversation_search",
	"coremoryupdate": "core_memory_replace", "corememoryupdate": "core_memory_replace", "corememoryinsert": "memory_insert",
	"corememoryrethink": "memory_rethink", "searcharchive": "archival_memory_search", "searchconversations": "conversation_search",
}
