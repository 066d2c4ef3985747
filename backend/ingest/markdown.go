package ingest

import (
	"regexp"
	"strings"
	"time"
)

var (
	atx       = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	setext    = regexp.MustCompile(`^ {0,3}(=+|-+)[ \t]*$`)
	fence     = regexp.MustCompile("^ {0,3}(```+|~~~+)")
	tableRule = regexp.MustCompile(`^[ \t]*\|?[ \t]*:?-+:?[ \t]*(\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
	matter    = regexp.MustCompile(`^([A-Za-z_]+):[ \t]*(.+)$`)
	emphasis  = regexp.MustCompile("[*_`]{1,3}|!?\\[([^\\]]*)\\]\\([^)]*\\)")
)

// markdown is the reading of a Markdown text. It goes line by line, since a file may be larger than memory; what belongs
// together (a paragraph, a list, a table, a fence) is held until it ends.
type markdown struct {
	*reader
	lines  []string
	size   int
	fence  string // that closes the code being read
	inCode bool
	number int // of the line
	matter bool
}

// readMarkdown reads Markdown: its headings give the structure, its source is the text.
func readMarkdown(r *reader) error {
	from, err := r.text()
	if err != nil {
		return err
	}
	m := &markdown{reader: r}
	if err := eachLine(from, m.line); err != nil {
		return err
	}
	return m.end()
}

func (m *markdown) line(line string) error {
	m.number++
	if m.number == 1 && strings.TrimSpace(line) == "---" {
		m.matter = true
		return nil
	}
	if m.matter {
		if s := strings.TrimSpace(line); s == "---" || s == "..." || m.number > 100 {
			m.matter = false
			return nil
		}
		m.frontMatter(line)
		return nil
	}
	if m.inCode {
		m.hold(line)
		if strings.HasPrefix(strings.TrimSpace(line), m.fence) && strings.Trim(strings.TrimSpace(line), m.fence[:1]) == "" || m.size > maxParagraph {
			closed := m.size <= maxParagraph
			if err := m.end(); err != nil {
				return err
			}
			m.inCode = !closed
		}
		return nil
	}
	if f := fence.FindStringSubmatch(line); f != nil {
		if err := m.end(); err != nil {
			return err
		}
		m.inCode, m.fence = true, f[1]
		m.hold(line)
		return nil
	}
	if h := atx.FindStringSubmatch(line); h != nil {
		if err := m.end(); err != nil {
			return err
		}
		return m.title(len(h[1]), h[2], strings.TrimSpace(line))
	}
	if u := setext.FindStringSubmatch(line); u != nil && len(m.lines) == 1 && strings.TrimSpace(m.lines[0]) != "" && !strings.Contains(m.lines[0], "|") {
		text := m.lines[0]
		m.lines, m.size = nil, 0
		level := 1
		if u[1][0] == '-' {
			level = 2
		}
		return m.title(level, text, text)
	}
	if strings.TrimSpace(line) == "" {
		return m.end()
	}
	if m.size > maxParagraph {
		if err := m.end(); err != nil {
			return err
		}
	}
	m.hold(line)
	return nil
}

func (m *markdown) title(level int, text, shown string) error {
	text = oneLine(emphasis.ReplaceAllString(text, "$1"))
	if text == "" {
		return nil
	}
	m.remember(level, text)
	m.say(text)
	return m.chunks.heading(level, text, shown)
}

func (m *markdown) frontMatter(line string) {
	kv := matter.FindStringSubmatch(line)
	if kv == nil {
		return
	}
	value := strings.Trim(strings.TrimSpace(kv[2]), `"'`)
	switch strings.ToLower(kv[1]) {
	case "title":
		m.meta.Title = value
	case "author":
		m.meta.Author = value
	case "lang", "language":
		m.meta.Language = shortLanguage(value)
	case "date", "created":
		m.meta.Created = anyTime(value)
	case "modified", "updated", "lastmod":
		m.meta.Modified = anyTime(value)
	}
}

func (m *markdown) hold(line string) {
	m.lines = append(m.lines, line)
	m.size += len(line) + 1
}

// end takes what was held.
func (m *markdown) end() error {
	lines := m.lines
	m.lines, m.size = nil, 0
	if len(lines) == 0 {
		return nil
	}
	text := strings.Join(lines, "\n")
	switch {
	case m.inCode:
		m.inCode = false
		return m.reader.lines(code, text, 0)
	case len(lines) > 1 && strings.Contains(lines[0], "|") && tableRule.MatchString(lines[1]):
		return m.reader.lines(table, text, 2)
	}
	return m.paragraph(text)
}

// shortLanguage returns the two letters that a language tag begins with, "" where it begins otherwise.
func shortLanguage(tag string) string {
	tag = strings.ToLower(strings.TrimSpace(tag))
	code, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	if len(code) != 2 {
		return ""
	}
	return code
}

// anyTime reads a date in one of the forms in which documents write it; zero where it is none.
func anyTime(s string) time.Time {
	s = strings.TrimSpace(s)
	for _, form := range []string{
		time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04", time.DateOnly, "2006/01/02",
		"2006.01.02", "2006年1月2日", "2 January 2006", "January 2, 2006", "2006-01", time.RFC1123Z, time.RFC1123,
	} {
		if t, err := time.Parse(form, s); err == nil {
			return plausible(t)
		}
	}
	return time.Time{}
}

// plausible returns a time at which a document can have been written, else none.
func plausible(t time.Time) time.Time {
	if t.Year() < 1900 || t.Year() > 2200 {
		return time.Time{}
	}
	return t.UTC()
}
