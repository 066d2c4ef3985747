package sample

import (
	"embed"
	"fmt"
	"strings"
	"time"
)

//go:embed en.txt zh.txt
var files embed.FS

// kind says what a line of a script does; its first character names it.
type kind string

// The kinds of lines.
//
//	== Title                    a conversation begins
//	2026-06-04 19:12            a turn begins at that time
//	> words                     what the user says
//	+ label: line               the model adds a line to a block
//	~ label: old → new          the model replaces a piece of a block; without new it deletes it
//	* [tag, tag] text           the model stores a passage
//	? words                     the model searches the archive
//	< words                     what the model answers
//	! label: old → new          the user changes a block, after the answer
//	!+ label: text              the user makes a block, after the answer
//	% label                     the user has a block tidied, after the answer
const (
	conversation kind = "=="
	says         kind = ">"
	adds         kind = "+"
	replaces     kind = "~"
	stores       kind = "*"
	searches     kind = "?"
	answers      kind = "<"
	edits        kind = "!"
	makes        kind = "!+"
	tidies       kind = "%"
)

var kinds = []kind{conversation, says, adds, replaces, stores, searches, answers, makes, edits, tidies} // "!+" before "!"

// act is one thing that happens in a turn, beside what the user says and what is answered.
type act struct {
	kind     kind
	label    string // of a block
	old, new string // of a block's text; new alone is added
	text     string // of a passage or a search
	tags     []string
}

// turn is one exchange.
type turn struct {
	at     time.Time
	user   string
	answer string
	acts   []act
}

// talk is one conversation.
type talk struct {
	title string
	turns []turn
}

const timeFormat = "2006-01-02 15:04"

// read reads the script of a language; its times are in the given zone.
func read(language string, zone *time.Location) ([]talk, error) {
	b, err := files.ReadFile(language + ".txt")
	if err != nil {
		return nil, fmt.Errorf("there is no sample life in %q", language)
	}
	return parse(string(b), zone)
}

func parse(script string, zone *time.Location) ([]talk, error) {
	var talks []talk
	var current *turn
	for i, line := range strings.Split(script, "\n") {
		fail := func(what string) ([]talk, error) { return nil, fmt.Errorf("line %d: %s", i+1, what) }
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if at, err := time.ParseInLocation(timeFormat, line, zone); err == nil {
			if len(talks) == 0 {
				return fail("a turn outside of a conversation")
			}
			t := &talks[len(talks)-1]
			t.turns = append(t.turns, turn{at: at})
			current = &t.turns[len(t.turns)-1]
			continue
		}
		k, text := cut(line)
		if k == conversation {
			talks, current = append(talks, talk{title: text}), nil
			continue
		}
		if current == nil {
			return fail("what happens needs a time")
		}
		switch k {
		case says:
			current.user = text
		case answers:
			current.answer = text
		case "":
			return fail("no such kind of line")
		default:
			a, ok := parseAct(k, text)
			if !ok {
				return fail("cannot be read")
			}
			current.acts = append(current.acts, a)
		}
	}
	return talks, nil
}

// cut returns the kind of a line and its text.
func cut(line string) (kind, string) {
	for _, k := range kinds {
		if text, ok := strings.CutPrefix(line, string(k)+" "); ok {
			return k, strings.TrimSpace(text)
		}
	}
	return "", ""
}

func parseAct(k kind, text string) (a act, ok bool) {
	a.kind = k
	switch k {
	case searches:
		a.text = text
		return a, true
	case tidies:
		a.label = text
		return a, true
	case stores:
		tags, rest, ok := strings.Cut(strings.TrimPrefix(text, "["), "] ")
		a.tags, a.text = strings.Split(tags, ", "), rest
		return a, ok && rest != ""
	}
	label, rest, ok := strings.Cut(text, ": ")
	if !ok {
		return a, false
	}
	a.label, a.new = label, rest
	if k == replaces || k == edits {
		a.old, a.new, ok = strings.Cut(rest+" ", " → ")
		a.new = strings.TrimSpace(a.new)
	}
	return a, ok
}
