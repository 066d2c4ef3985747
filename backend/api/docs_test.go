package api

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// documented returns what the first group of a pattern matches in a section of docs/api.md, sorted.
func documented(t *testing.T, section, pattern string) []string {
	t.Helper()
	docs, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(docs), "\n## "+section+"\n")
	if !ok {
		t.Fatalf("docs/api.md has no section %q", section)
	}
	text, _, _ = strings.Cut(text, "\n## ")
	var list []string
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	slices.Sort(list)
	return list
}

func jsonKeys(t reflect.Type) []string {
	var keys []string
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

func TestTheDocumentationIsComplete(t *testing.T) {
	var codes []string
	for code := range statuses {
		codes = append(codes, string(code))
	}
	slices.Sort(codes)
	source, err := os.ReadFile("../memory/errors.go")
	if err != nil {
		t.Fatal(err)
	}
	var remedies []string
	for _, m := range regexp.MustCompile(`Remedy = "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
		remedies = append(remedies, m[1])
	}
	slices.Sort(remedies)
	const first = "(?m)^\\| `([^`]+)` \\|" // code in the first column
	for _, c := range []struct {
		section string
		code    []string
	}{
		{"Routes", slices.Sorted(maps.Keys(New(Deps{}).routes()))},
		{"Errors", codes},
		{"Remedies", remedies},
		{"Events", jsonKeys(reflect.TypeFor[EventData]())},
		{"Settings", jsonKeys(reflect.TypeFor[Settings]())},
	} {
		if docs := documented(t, c.section, first); !slices.Equal(docs, c.code) {
			t.Errorf("%s: docs/api.md has\n%q\nthe code has\n%q", c.section, docs, c.code)
		}
	}
}

func TestEverySettingIsChecked(t *testing.T) {
	if keys, checks := jsonKeys(reflect.TypeFor[Settings]()), slices.Sorted(maps.Keys(settingChecks)); !slices.Equal(keys, checks) {
		t.Errorf("Settings has %v, checked are %v", keys, checks)
	}
	for key, values := range map[string]map[string]bool{
		"language":        {`"zh"`: true, `"de"`: false, `1`: false, `""`: false},
		"model":           {`"qwen3:4b"`: true, `"hf.co/x/y:Q4"`: true, `" "`: false, `"` + strings.Repeat("x", 300) + `"`: false},
		"window":          {`8192`: true, `2047`: false, `1e400`: false, `8192.5`: false, `"8192"`: false, `-1`: false},
		"core_share":      {`0.25`: true, `0`: false, `0.9`: false},
		"vector_cache_mb": {`0`: true, `320`: true, `-1`: false, `99999999999999999999`: false},
		"engine_host": {
			`"http://127.0.0.1:11434"`: true, `"127.0.0.1:11434"`: true, `"localhost"`: true, `"[::1]:11434"`: true,
			`"https://box.example:443"`: true, `"ftp://x"`: false, `"http://"`: false, `"http://u:p@x"`: false, `"a b"`: false, `""`: false,
		},
		"ui": {`{}`: true, `{"panel":{"width":360}}`: true, `[]`: false, `{"x":"` + strings.Repeat("x", 70_000) + `"}`: false},
	} {
		for value, want := range values {
			if got := settingChecks[key].ok(json.RawMessage(value)); got != want {
				t.Errorf("%s = %.60s: %v", key, value, got)
			}
		}
	}
}

func TestListsAndMapsAreNeverNull(t *testing.T) {
	type Leaf struct {
		Tags []string          `json:"tags"`
		Meta map[string]string `json:"meta"`
	}
	type tree struct {
		Leaf
		One  Leaf            `json:"one"`
		Many []Leaf          `json:"many"`
		Ptr  *Leaf           `json:"ptr"`
		Nil  *Leaf           `json:"nil"`
		Any  map[string]any  `json:"any"`
		Raw  json.RawMessage `json:"raw"`
		Skip []string        `json:"skip,omitempty"`
	}
	shared := []Leaf{{}}
	v := tree{Many: shared, Ptr: &Leaf{}, Any: map[string]any{"ids": []string(nil), "none": nil}, Raw: json.RawMessage(`1`)}
	got, err := json.Marshal(filled(v))
	if err != nil {
		t.Fatal(err)
	}
	const empty = `{"tags":[],"meta":{}}`
	if want := `{"tags":[],"meta":{},"one":` + empty + `,"many":[` + empty + `],"ptr":` + empty + `,"nil":null,"any":{"ids":[],"none":null},"raw":1}`; string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if shared[0].Tags != nil || v.Any["ids"].([]string) != nil {
		t.Error("what was given was changed")
	}
}
