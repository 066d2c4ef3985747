package compaction

import (
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"recollect/backend/memory"
	"recollect/backend/wish"
)

//go:embed prompts
var promptFiles embed.FS

// Summary is what is kept of messages that left the window, in short lines.
type Summary struct {
	Goals       []string `json:"goals"`
	Decisions   []string `json:"decisions"`
	Facts       []string `json:"facts"`
	Open        []string `json:"open"`
	Preferences []string `json:"preferences"` // in the user's own words
}

// sections are the lists of a summary, in the order in which it is read.
func (s *Summary) sections() []section {
	return []section{
		{"goals", &s.Goals}, {"decisions", &s.Decisions}, {"facts", &s.Facts}, {"open", &s.Open}, {"preferences", &s.Preferences},
	}
}

type section struct {
	name  string
	lines *[]string
}

// Bounds of what a model writes at a time.
const (
	maxLines     = 8   // of a list
	maxLineChars = 200 // of a line
)

// A model is asked to sum up about StageTokens of messages at a time, and for each CallTokens of them at most once: a second try is
// made of stages that are large enough for it, or of the only one.
const (
	StageTokens = 4000
	CallTokens  = 2000
)

// SummarySchema is what a model's answer must look like.
var SummarySchema = func() json.RawMessage {
	list := fmt.Sprintf(`{"type":"array","items":{"type":"string","maxLength":%d},"maxItems":%d}`, maxLineChars, maxLines)
	var s Summary
	var fields, names []string
	for _, sec := range s.sections() {
		fields = append(fields, fmt.Sprintf("%q:%s", sec.name, list))
		names = append(names, fmt.Sprintf("%q", sec.name))
	}
	return json.RawMessage(`{"type":"object","properties":{` + strings.Join(fields, ",") + `},"required":[` + strings.Join(names, ",") + `]}`)
}()

// words returns a word of the prompts in a language.
func words(language, key string) string { return promptWords[language+" "+key] }

var promptWords = func() map[string]string {
	b, err := promptFiles.ReadFile("prompts/summary_words.txt")
	if err != nil {
		panic(err) // a file of this package is missing
	}
	m := map[string]string{}
	for line := range strings.Lines(string(b)) {
		key, text, _ := strings.Cut(strings.TrimSpace(line), " = ")
		m[key] = text
	}
	return m
}()

// Language returns "zh" for a chat whose user writes Chinese, else "en".
func Language(messages []memory.Message) string {
	han, letters := 0, 0
	for _, m := range messages {
		if m.Role != memory.RoleUser {
			continue
		}
		h, l := scripts(m.Content[:min(len(m.Content), readBytes)])
		han, letters = han+h, letters+l
	}
	if 3*han > letters { // a Chinese character is about as much as a word's three letters
		return "zh"
	}
	return "en"
}

func scripts(s string) (han, letters int) {
	for _, r := range s {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return han, letters
}

// Stage is a part of a chat that is summed up at a time.
type Stage struct {
	Messages []memory.Message
	Tokens   int // that they took in the window
}

// Stages cuts messages into parts of about StageTokens, at the beginnings of turns where it can.
func Stages(messages []memory.Message, cost func(m memory.Message) int) []Stage {
	var out []Stage
	var now Stage
	for _, m := range messages {
		n := cost(m)
		if now.Tokens > 0 && (now.Tokens+n > StageTokens*3/2 || now.Tokens >= StageTokens && m.Role == memory.RoleUser) {
			out, now = append(out, now), Stage{}
		}
		now.Messages, now.Tokens = append(now.Messages, m), now.Tokens+n
	}
	if now.Tokens > 0 {
		if last := len(out) - 1; last >= 0 && now.Tokens < CallTokens {
			out[last].Messages, out[last].Tokens = append(out[last].Messages, now.Messages...), out[last].Tokens+now.Tokens
		} else {
			out = append(out, now)
		}
	}
	return out
}

// Prompt asks for the summary of a stage, with the messages shortened so that they take at most so many tokens.
func (st Stage) Prompt(language string, known Summary, zone *time.Location, tokens int, count func(string) int) string {
	b, err := promptFiles.ReadFile("prompts/summary_" + language + ".md")
	if err != nil {
		panic(err) // a file of this package is missing
	}
	head := strings.TrimSpace(string(b)) + "\n\n"
	if text := known.Text(language); text != "" {
		head += words(language, "known") + "\n" + memory.AsData(text, memory.FrameChat) + "\n\n"
	}
	head += words(language, "chat") + "\n"
	tail := "\n\n" + words(language, "json")
	left := tokens - count(head+tail)
	for chars := longestMessage; ; chars = chars * 2 / 3 {
		chat := st.chat(language, zone, chars)
		if count(chat) <= left || len(st.Messages) <= 1 && chars < shortestMessage {
			return head + chat + tail
		}
		if chars < shortestMessage { // the oldest are left out; they are in the transcript
			st.Messages = st.Messages[(len(st.Messages)+3)/4:]
		}
	}
}

// Characters of a message that a model is shown to sum it up.
const (
	longestMessage  = 4000
	shortestMessage = 40
	shortestResult  = 400 // of a tool's result; less of one is not worth the room
)

// chat renders messages, each shortened in its middle.
func (st Stage) chat(language string, zone *time.Location, chars int) string {
	var b strings.Builder
	b.WriteString("<chat>\n")
	for _, m := range st.Messages {
		text := strings.TrimSpace(m.Content)
		if text == "" || m.Role == memory.RoleTool && chars < shortestResult {
			continue
		}
		who := words(language, string(m.Role))
		if m.Speaker != "" {
			who = m.Speaker
		}
		fmt.Fprintf(&b, "[%s %s\n", m.CreatedAt.In(zone).Format(time.DateOnly), memory.AsData(who+"] "+middleOut(text, chars), memory.FrameChat))
	}
	b.WriteString("</chat>")
	return b.String()
}

// middleOut shortens a text to so many characters; its beginning and its end stay.
func middleOut(s string, chars int) string {
	if utf8.RuneCountInString(s) <= chars {
		return s
	}
	r := []rune(s)
	return string(r[:chars*2/3]) + " … " + string(r[len(r)-chars/3:])
}

var (
	thought = regexp.MustCompile(`(?s)<think(?:ing)?>.*?</think(?:ing)?>`)
	number  = regexp.MustCompile(`\d+(?:[.,:/-]\d+)*`)
)

// Refusal says why a model's answer is no summary.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// The refusals.
const (
	NoJSON    Refusal = "it is no summary but goes on with the chat, or is prose"
	NoContent Refusal = "it says nothing that was said in the chat"
	TooLong   Refusal = "it is not shorter than what it sums up"
)

// ReadSummary reads what a model answered about a stage. What was not said there is left out: lines with other numbers, in
// another language or about something else. The user's own words must be theirs. The error is a Refusal.
func (st Stage) ReadSummary(answer, language string, count func(string) int) (Summary, error) {
	asked, err := promptFiles.ReadFile("prompts/summary_" + language + ".md")
	if err != nil {
		return Summary{}, err
	}
	text := thought.ReplaceAllString(answer, "")
	start, end := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if start < 0 || end < start {
		return Summary{}, NoJSON
	}
	var raw map[string]any
	if err := json.Unmarshal([]byte(text[start:end+1]), &raw); err != nil {
		return Summary{}, NoJSON
	}
	var said, own strings.Builder
	for _, m := range st.Messages {
		said.WriteString(m.Content + "\n")
		if m.Role == memory.RoleUser {
			own.WriteString(m.Content + "\n")
		}
	}
	numbers := map[string]bool{}
	for _, n := range number.FindAllString(said.String(), -1) {
		numbers[n] = true
	}
	for _, m := range st.Messages {
		for _, n := range number.FindAllString(m.CreatedAt.Format("2006-1-2 2006-01-02"), -1) {
			numbers[n] = true
			for part := range strings.SplitSeq(n, "-") {
				numbers[part] = true
			}
		}
	}
	var s Summary
	for _, sec := range s.sections() {
		for _, line := range linesOf(raw[sec.name]) {
			if !grounded(line, language, said.String(), numbers) || wish.Covers(string(asked), line) > wish.Covers(said.String(), line) {
				continue
			}
			if to := sec.lines; sec.name == "preferences" && wish.Covers(own.String(), line) < ownWords {
				s.Facts = append(s.Facts, line)
			} else {
				*to = append(*to, line)
			}
		}
	}
	s = Summary{}.Merge(s)
	if s.empty() {
		return s, NoContent
	}
	if float64(count(s.Text(language))) >= shorter*float64(st.Tokens) {
		return s, TooLong
	}
	return s, nil
}

const (
	ownWords   = .8 // share of a line's words that the user's messages must have for it to be theirs
	knownWords = .5 // … that the chat must have
	shorter    = .8 // of what it sums up a summary takes less than this share
)

// linesOf reads a list, which small models write as a text too.
func linesOf(v any) []string {
	var out []string
	add := func(s string) {
		s = strings.Join(strings.Fields(strings.TrimLeft(s, "-*• \t\n")), " ")
		if n := utf8.RuneCountInString(s); n >= 2 && n <= 2*maxLineChars && len(out) < 2*maxLines {
			out = append(out, s)
		}
	}
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if s, ok := e.(string); ok {
				add(s)
			}
		}
	case string:
		for line := range strings.SplitSeq(v, "\n") {
			add(line)
		}
	}
	return out
}

// grounded reports whether a line is in the language of the chat and says what was said there.
func grounded(line, language, said string, numbers map[string]bool) bool {
	han, letters := scripts(line)
	if language == "zh" && han == 0 && letters > 12 || language == "en" && han > letters {
		return false
	}
	for _, n := range number.FindAllString(line, -1) {
		if !numbers[n] && !slices.ContainsFunc(strings.FieldsFunc(n, func(r rune) bool { return !unicode.IsDigit(r) }), func(p string) bool { return numbers[p] }) {
			return false
		}
	}
	return wish.Covers(said, line) >= knownWords
}

func (s Summary) empty() bool {
	for _, sec := range s.sections() {
		if len(*sec.lines) > 0 {
			return false
		}
	}
	return true
}

// Merge adds the lines of a later summary. What says the same as a line that is there, in any list, is not repeated; the
// fuller one stays.
func (s Summary) Merge(later Summary) Summary {
	var out Summary
	to, from, more := out.sections(), s.sections(), later.sections()
	for i := range to {
		*to[i].lines = slices.Clone(*from[i].lines)
	}
	for i := range more {
	lines:
		for _, line := range *more[i].lines {
			for j := range to {
				for k, have := range *to[j].lines {
					if wish.Covers(have, line) >= .9 && sameNumbers(have, line) {
						continue lines
					}
					if i == j && wish.Covers(line, have) >= .9 && sameNumbers(line, have) {
						(*to[j].lines)[k] = line
						continue lines
					}
				}
			}
			*to[i].lines = append(*to[i].lines, line)
		}
	}
	return out
}

// sameNumbers reports whether all numbers of b are in a.
func sameNumbers(a, b string) bool {
	for _, n := range number.FindAllString(b, -1) {
		if !strings.Contains(a, n) {
			return false
		}
	}
	return true
}

// Text is a summary as the chat's model reads it.
func (s Summary) Text(language string) string {
	var b strings.Builder
	for _, sec := range s.sections() {
		if len(*sec.lines) == 0 {
			continue
		}
		b.WriteString(words(language, sec.name) + ":\n")
		for _, line := range *sec.lines {
			b.WriteString("- " + line + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// ParseSummary reads what Text wrote.
func ParseSummary(text string) Summary {
	var s Summary
	var to *[]string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if item, ok := strings.CutPrefix(line, "- "); ok && to != nil {
			*to = append(*to, item)
			continue
		}
		for _, sec := range s.sections() {
			for _, language := range []string{"en", "zh"} {
				if line == words(language, sec.name)+":" {
					to = sec.lines
				}
			}
		}
	}
	return s
}

// Fit leaves lines out until the text takes at most so many tokens: what is open and was wanted long ago goes first, then the
// oldest decisions and facts, and the user's own words last.
func (s Summary) Fit(language string, tokens int, count func(string) int) Summary {
	for count(s.Text(language)) > tokens {
		longest := -1
		weight := []float64{1, .9, .6, 1.2, .5} // of the sections: goals, decisions, facts, open, preferences
		most := 0.0
		secs := s.sections()
		for i, sec := range secs {
			n := 0
			for _, l := range *sec.lines {
				n += len(l)
			}
			if w := weight[i] * float64(n); w > most {
				longest, most = i, w
			}
		}
		if longest < 0 {
			return s
		}
		*secs[longest].lines = slices.Clone((*secs[longest].lines)[1:])
	}
	return s
}

// Extract is what stands for a stage that no model could sum up: what the user told of themselves or settled, in their words.
func (st Stage) Extract() Summary {
	var s Summary
	for _, m := range st.Messages {
		if m.Role != memory.RoleUser {
			continue
		}
		for line := range strings.Lines(m.Content[:min(len(m.Content), readBytes)]) {
			for _, sentence := range wish.Sentences(line) {
				sentence = strings.Join(strings.Fields(strings.ToValidUTF8(sentence, "")), " ")
				if utf8.RuneCountInString(sentence) > maxLineChars {
					continue
				}
				switch c := read(sentence); {
				case c.question:
				case c.telling > 0:
					s.Preferences = append(s.Preferences, sentence)
				case c.deciding > 0:
					s.Decisions = append(s.Decisions, sentence)
				}
			}
		}
	}
	for _, sec := range s.sections() {
		if n := len(*sec.lines); n > maxLines {
			*sec.lines = (*sec.lines)[n-maxLines:]
		}
	}
	return Summary{}.Merge(s)
}

const maxLost = 60 // numbers and names that are listed

// Lost returns the numbers and names of messages that a text does not have, each once, in their order.
func Lost(messages []memory.Message, text string) []string {
	var out []string
	there := map[string]bool{}
	add := func(s string) {
		if len(out) < maxLost && !there[s] && !strings.Contains(text, s) {
			out = append(out, s)
		}
		there[s] = true
	}
	for _, m := range messages {
		if m.Role == memory.RoleTool {
			continue
		}
		content := m.Content[:min(len(m.Content), readBytes)]
		for _, n := range number.FindAllString(content, -1) {
			if len(n) > 1 {
				add(n)
			}
		}
		for _, n := range names.FindAllStringSubmatch(content, -1) {
			add(n[1] + n[2])
		}
	}
	return out
}

// names finds capitalised words within sentences, and titles.
var names = regexp.MustCompile(`(?:[a-z,;]\s)(\p{Lu}\p{Ll}{2,}(?:\s\p{Lu}\p{Ll}{2,})*)|(《[^》]{1,30}》)`)
