package agent

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
)

// written is a tool call that a model wrote into its answer instead of making it.
type written struct {
	name string
	args string // canonical JSON
}

// callMarks begin a call in the syntax of some family of models.
var callMarks = []string{"<tool_call>", "<function=", "[TOOL_CALLS]", "<|python_tag|>"}

// holdFrom returns where in a growing answer something begins that may be a tool call, len(content) when nothing does.
// From there on nothing is shown before it is clear what it is.
func holdFrom(content string) int {
	hold := len(content)
	for _, m := range callMarks {
		if i := strings.Index(content, m); i >= 0 {
			hold = min(hold, i)
		}
		for n := min(len(m)-1, len(content)); n > 0; n-- { // the mark may be coming
			if strings.HasSuffix(content, m[:n]) {
				hold = min(hold, len(content)-n)
				break
			}
		}
	}
	start := strings.TrimLeft(content, " \t\r\n")
	if start != "" && (start[0] == '{' || strings.HasPrefix(start, "[{") || start == "[" || fenceAtStart.MatchString(start) || fenceBegun(start)) {
		hold = min(hold, len(content)-len(start))
	}
	return hold
}

// fenceBegun reports whether s is the beginning of a code fence in which some models write calls.
func fenceBegun(s string) bool {
	for _, fence := range []string{"```json", "```tool_call", "```tool_code"} {
		if len(s) < len(fence) && fence[:len(s)] == s {
			return true
		}
	}
	return false
}

var (
	fenceAtStart = regexp.MustCompile("^```(?:json|tool_call|tool_code|tool)?\\s*(?:$|[\\[{])")
	fenced       = regexp.MustCompile("(?s)```(?:json|tool_call|tool|tool_code)?[ \t]*\r?\n?(.*?)(?:```|$)")
	tagged       = regexp.MustCompile(`(?s)<tool_call>(.*?)(?:</tool_call>|$)`)
	functionTag  = regexp.MustCompile(`(?s)<function=([\w.-]+)>?(.*?)(?:</function>|$)`)
	parameterTag = regexp.MustCompile(`(?s)<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>`)
	mistralNamed = regexp.MustCompile(`(?s)^\s*([\w.-]+)\s*(?:\[ARGS\])?\s*(\{.*)$`)
)

// fromContent finds the calls that a model wrote as text. rest is the text without them. broken reports that something
// looks like a call of ours but cannot be read.
func fromContent(content string, known func(name string) bool) (calls []written, rest string, broken bool) {
	take := func(name string, args any) bool {
		if name == "" || !known(name) {
			return false
		}
		a, ok := canonical(args)
		if ok {
			calls = append(calls, written{name, a})
		}
		return ok
	}
	// cut removes what re matches; each match that is not understood counts as broken
	cut := func(re *regexp.Regexp, understand func(m []string) bool) {
		rest = re.ReplaceAllStringFunc(rest, func(s string) string {
			if !understand(re.FindStringSubmatch(s)) {
				broken = true
			}
			return ""
		})
	}
	function := func(m []string) bool {
		if args := parameterTag.FindAllStringSubmatch(m[2], -1); args != nil {
			values := map[string]any{}
			for _, a := range args {
				values[a[1]] = a[2]
			}
			return take(m[1], values)
		}
		v, ok := looseJSON(m[2])
		return ok && take(m[1], v)
	}
	rest = content
	if strings.Contains(rest, "<tool_call>") {
		cut(tagged, func(m []string) bool {
			if f := functionTag.FindStringSubmatch(m[1]); f != nil {
				return function(f)
			}
			return takeJSON(m[1], take)
		})
	}
	if strings.Contains(rest, "<function=") {
		cut(functionTag, function)
	}
	if before, after, ok := strings.Cut(rest, "[TOOL_CALLS]"); ok {
		rest = before
		if !takeJSON(after, take) {
			if m := mistralNamed.FindStringSubmatch(after); m != nil {
				v, ok := looseJSON(m[2])
				broken = !ok || !take(m[1], v)
			} else {
				broken = true
			}
		}
	}
	if before, after, ok := strings.Cut(rest, "<|python_tag|>"); ok {
		rest = before
		broken = !takeJSON(after, take) || broken
	}
	if len(calls) == 0 && !broken {
		trimmed := strings.TrimSpace(rest)
		switch {
		case strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[{"):
			if takeJSON(trimmed, take) {
				rest = ""
			} else if names := mentions(trimmed, known); names {
				rest, broken = "", true
			}
		case strings.Contains(rest, "```"):
			rest = fenced.ReplaceAllStringFunc(rest, func(s string) string {
				if takeJSON(fenced.FindStringSubmatch(s)[1], take) {
					return ""
				}
				return s // an ordinary piece of code
			})
		}
	}
	if len(calls) > 0 || broken {
		rest = strings.TrimSpace(rest)
	} else {
		rest = content
	}
	return calls, rest, broken && len(calls) == 0
}

var nameField = regexp.MustCompile(`"(?:name|tool|tool_name|function)"\s*:\s*"([\w.-]+)"`)

// mentions reports whether broken JSON names one of our tools.
func mentions(s string, known func(string) bool) bool {
	m := nameField.FindStringSubmatch(s)
	return m != nil && known(m[1])
}

// takeJSON takes the call, or the list of calls, that s begins with.
func takeJSON(s string, take func(string, any) bool) bool {
	v, ok := looseJSON(s)
	if !ok {
		return false
	}
	list, isList := v.([]any)
	if !isList {
		list = []any{v}
	}
	for _, e := range list {
		name, args := nameAndArgs(e)
		if !take(name, args) {
			return false
		}
	}
	return len(list) > 0
}

// nameAndArgs reads the several forms in which models write a call.
func nameAndArgs(v any) (string, any) {
	m, ok := v.(map[string]any)
	if !ok {
		return "", nil
	}
	if f, ok := m["function"].(map[string]any); ok {
		m = f
	}
	name := ""
	for _, k := range []string{"name", "tool", "tool_name", "function", "function_name"} {
		if s, ok := m[k].(string); ok && s != "" {
			name = s
			break
		}
	}
	for _, k := range []string{"arguments", "parameters", "args", "input", "tool_input"} {
		if a, ok := m[k]; ok {
			return name, a
		}
	}
	return name, nil
}

// canonical writes arguments as JSON with sorted keys, compact. A string may hold the object; none at all are none.
func canonical(args any) (string, bool) {
	switch a := args.(type) {
	case nil:
		return "{}", true
	case string:
		if strings.TrimSpace(a) == "" {
			return "{}", true
		}
		v, ok := looseJSON(a)
		if _, isString := v.(string); !ok || isString {
			return "", false
		}
		return canonical(v)
	case map[string]any:
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if e.Encode(a) != nil {
			return "", false
		}
		return strings.TrimSpace(b.String()), true
	default:
		return "", false
	}
}

// looseJSON reads the JSON value that s begins with, and forgives what models get wrong: line breaks inside strings,
// commas before a closing bracket, brackets that are missing at the end.
func looseJSON(s string) (any, bool) {
	s = strings.TrimSpace(s)
	if s == "" || s[0] != '{' && s[0] != '[' {
		return nil, false
	}
	for _, try := range []string{s, mend(s)} {
		d := json.NewDecoder(strings.NewReader(try))
		d.UseNumber()
		var v any
		if d.Decode(&v) == nil {
			return v, true
		}
	}
	return nil, false
}

// mend closes what is open, escapes what must be and drops commas before a closing bracket.
func mend(s string) string {
	var b, open []byte
	inString, escaped := false, false
	shut := func(c byte) { b = append(bytes.TrimRight(b, " \t\r\n,"), c) }
	for i := range len(s) {
		c := s[i]
		switch {
		case !inString && (c == '{' || c == '['):
			open = append(open, c+2) // '{'+2 = '}', '['+2 = ']'
			b = append(b, c)
		case !inString && (c == '}' || c == ']'):
			if len(open) == 0 || open[len(open)-1] != c {
				return s
			}
			shut(c)
			if open = open[:len(open)-1]; len(open) == 0 {
				return string(b)
			}
		case !inString:
			inString = c == '"'
			b = append(b, c)
		case c == '\n' && !escaped:
			b = append(b, `\n`...)
		case c == '\t' && !escaped:
			b = append(b, `\t`...)
		case c == '\r':
		default:
			inString = escaped || c != '"'
			escaped = c == '\\' && !escaped
			b = append(b, c)
		}
	}
	if inString {
		return s // a value was cut: what it would have been nobody knows
	}
	for i := len(open) - 1; i >= 0; i-- {
		shut(open[i])
	}
	return string(b)
}
