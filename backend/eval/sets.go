// Package eval measures recall on published data sets through the code that the app runs: the real store, the real
// search, the real floor, collapse and cap. docs/evaluation.md defines the sets and the metrics. The data is read from a
// folder that the caller names; none of it is part of the repository.
package eval

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"recollect/backend/memory"
)

// Dialogue is one store of a data set: what was said, or noted, and the questions about it.
type Dialogue struct {
	ID        string
	Texts     []Text
	Questions []Question
}

// Text is one turn of a conversation, or one memory when it belongs to no session.
type Text struct {
	ID      string
	Session int // number of the session; 0 = a passage
	Speaker string
	Role    memory.Role // "" = the first speaker of the dialogue is the user, everyone else the assistant
	Text    string
	Date    time.Time // never before that of the text above
}

// Question is one query with the ids of the texts that answer it.
type Question struct {
	ID       string // how --explain names it
	Text     string
	Evidence []string
	Category string

	Updated, Original []string // beam-updates: the parts of the evidence that are current and replaced
	Answer            string   // nested-kv: the value at the end of the chain
	Published         []string // madial-zh: what another embedder returned, best first

	conversation string    // mine: where it was asked
	before       time.Time // mine: when
}

// Set is a data set that can be measured on.
type Set struct {
	Name      string
	folders   []string // names that its folder may have inside the folder that is named
	pattern   string   // files that show that a folder is the set's
	load      func(dir, noise string) ([]Dialogue, error)
	published string // whose answers Question.Published are
}

// Sets are all of them, in the order of the tables.
var Sets = []Set{
	{Name: "locomo", folders: []string{"locomo"}, pattern: "locomo*.json", load: loadLoCoMo},
	{Name: "beam-updates", folders: []string{"beam_100k", "beam-updates", "beam_updates", "beam"}, pattern: "*/probing_questions.json", load: loadBEAM},
	{Name: "madial-zh", folders: []string{"madial_zh", "madial-zh", "madial"}, pattern: madialMemories, load: loadMADial, published: "BGE-M3"},
	{Name: "memdaily-zh", folders: []string{"memdaily_zh", "memdaily-zh", "memdaily"}, pattern: "0*.json", load: loadMemDaily},
	{Name: "realtalk", folders: []string{"realtalk", "REALTALK"}, pattern: "Chat_*.json", load: loadRealTalk},
	{Name: "prefeval", folders: []string{"prefeval", "PrefEval"}, pattern: "*.json", load: loadPrefEval},
	{Name: "nested-kv", folders: []string{"nested_kv", "nested-kv"}, pattern: "kv-retrieval-*_keys.jsonl.gz", load: loadNestedKV},
}

// Find returns the set of that name. ENOTFOUND, with the names that there are.
func Find(name string) (Set, error) {
	i := slices.IndexFunc(Sets, func(s Set) bool { return s.Name == name })
	if i < 0 {
		names := make([]string, len(Sets))
		for i, s := range Sets {
			names[i] = s.Name
		}
		return Set{}, memory.Errorf(memory.ENOTFOUND, "evaluate", "there is no set %q; there are %s, all for those that are there, and mine for questions of your own", name, strings.Join(names, ", "))
	}
	return Sets[i], nil
}

// Load reads the set from its own folder or the one around it. noise names a MemoryBank file whose utterances are added to
// each store of memdaily-zh; "" = none.
func (s Set) Load(data, noise string) ([]Dialogue, error) {
	dirs := []string{data}
	for _, f := range s.folders {
		dirs = append([]string{filepath.Join(data, f)}, dirs...)
	}
	for _, dir := range dirs {
		if found, err := filepath.Glob(filepath.Join(dir, s.pattern)); err != nil || len(found) == 0 {
			continue
		}
		ds, err := s.load(dir, noise)
		if err != nil {
			return nil, fmt.Errorf("load %s: %w", s.Name, err)
		}
		for _, d := range ds {
			for j := range d.Questions {
				d.Questions[j].ID = cmp.Or(d.Questions[j].ID, fmt.Sprintf("%s/%d", d.ID, j+1))
			}
		}
		return ds, nil
	}
	return nil, fmt.Errorf("load %s: no %s in %s: %w", s.Name, s.pattern, data, fs.ErrNotExist)
}

// Missing tells whether a data set is not there, as opposed to damaged.
func Missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// files returns the files of a folder that match, in order.
func files(dir, pattern string) []string {
	found, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are ours
	slices.SortFunc(found, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b)) })
	return found
}

// readJSON reads a file into v; an error names the file.
func readJSON(file string, v any) error {
	raw, err := os.ReadFile(file) // the user named the folder
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	return nil
}

// eachLine calls f with each line of a file that is not empty; an error names file and line.
func eachLine(file string, f func([]byte) error) error {
	raw, err := os.ReadFile(file) // the user named the folder
	if err != nil {
		return err
	}
	return lines(filepath.Base(file), raw, f)
}

func lines(name string, raw []byte, f func([]byte) error) error {
	for i, line := range bytes.Split(raw, []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := f(line); err != nil {
			return fmt.Errorf("%s, line %d: %w", name, i+1, err)
		}
	}
	return nil
}

// id is an identifier that files write as a number or a string.
type id string

// UnmarshalJSON takes either.
func (i *id) UnmarshalJSON(raw []byte) error {
	var n json.Number
	if err := json.Unmarshal(raw, &n); err == nil {
		*i = id(n)
		return nil
	}
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return err
	}
	*i = id(s)
	return nil
}

// evidence is the ids of a question's evidence as LoCoMo and REALTALK write them: a list or one string, "D1:3; D2:4",
// "D:11:26", "D30:05", "D12:3-D12:5".
type evidence string

// UnmarshalJSON takes a string, a list of them, or null.
func (e *evidence) UnmarshalJSON(raw []byte) error {
	var many []string
	if err := json.Unmarshal(raw, &many); err == nil {
		*e = evidence(strings.Join(many, " "))
		return nil
	}
	var one string
	if err := json.Unmarshal(raw, &one); err != nil {
		return err
	}
	*e = evidence(one)
	return nil
}

var (
	turnID    = regexp.MustCompile(`D:?(\d+):0*(\d+)`)
	turnRange = regexp.MustCompile(`(D:?\d+:\d+)\s*[-–—]\s*(D:?\d+:\d+)`)
)

// ids returns the turns that the evidence names, in its order and each once; what names no turn is left out.
func (e evidence) ids(texts []Text) []string {
	place := make(map[string]int, len(texts))
	for i, t := range texts {
		place[t.ID] = i
	}
	var found []string
	whole := turnRange.ReplaceAllStringFunc(string(e), func(r string) string {
		ends := turnRange.FindStringSubmatch(r)
		from, begins := place[plainTurn(ends[1])]
		to, finishes := place[plainTurn(ends[2])]
		if !begins || !finishes || to < from {
			return ends[1] + " " + ends[2]
		}
		all := make([]string, 0, to-from+1)
		for _, t := range texts[from : to+1] {
			all = append(all, t.ID)
		}
		return strings.Join(all, " ")
	})
	for _, raw := range turnID.FindAllString(whole, -1) {
		id := plainTurn(raw)
		if _, there := place[id]; there && !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	return found
}

// plainTurn returns the id of a turn as the turns have it.
func plainTurn(raw string) string {
	m := turnID.FindStringSubmatch(raw)
	if m == nil {
		return raw
	}
	return "D" + strings.TrimLeft(m[1], "0") + ":" + m[2]
}
