package ingest

import (
	"hash/fnv"
	"strings"
	"unicode/utf8"

	"recollect/backend/segment"
)

// Sizes of pieces in tokens, as segment.Tokens estimates them.
const (
	maxTokens     = 300 // of what is new in a piece
	fullTokens    = 150 // from which on a piece may end where the text itself says so
	smallTokens   = 24  // below which the next section of the same level joins a piece
	overlapTokens = 40  // of the sentences before that a piece begins with
)

// kind says how a piece of text may be cut.
type kind int

const (
	prose kind = iota // between sentences
	code              // between lines
	table             // between rows, each part with the heading of the table
)

// chunker gathers the parts of a document into pieces: at headings and pages a piece ends, paragraphs are put together up
// to a size, tables and code are kept whole where they fit.
type chunker struct {
	keep func(Chunk) error

	path   []string // headings by level, "" where a level has none
	under  string   // the headings above what buf begins with
	number int      // of the page, 0 = the format has none
	buf    strings.Builder
	tokens int
	lead   int    // characters of buf that were said before
	tail   string // sentences that the next piece begins with
	last   kind   // of what was added last
	titled bool   // buf holds headings only
}

func (c *chunker) empty() bool { return c.buf.Len() == 0 }

// heading begins a part; text is what the piece shows of it, "" = nothing.
func (c *chunker) heading(level int, title, text string) error {
	level = max(1, min(level, 9))
	if !c.titled && (c.tokens >= smallTokens || level < len(c.path) || text == "") {
		if err := c.flush(); err != nil {
			return err
		}
	}
	c.tail = "" // another part is about something else
	for len(c.path) < level {
		c.path = append(c.path, "")
	}
	c.path = append(c.path[:level-1], title)
	if text != "" {
		c.put(text, segment.Tokens(text))
		if c.titled = c.titled || c.tokens == segment.Tokens(text); c.titled {
			c.under = c.heads()
		}
	}
	return nil
}

// turn begins a page.
func (c *chunker) turn(page int) error {
	if page == c.number {
		return nil
	}
	if err := c.flush(); err != nil {
		return err
	}
	c.number = page
	return nil
}

// add takes a paragraph.
func (c *chunker) add(kind kind, text string) error {
	n := segment.Tokens(text)
	if n > maxTokens {
		for _, part := range split(text, maxTokens, sentenceEnds) {
			if err := c.add(kind, part); err != nil {
				return err
			}
		}
		return nil
	}
	if c.tokens > 0 && !c.titled && c.tokens+n > maxTokens {
		if err := c.flush(); err != nil {
			return err
		}
	}
	c.begin(kind)
	c.put(text, n)
	c.last, c.titled = kind, false
	// An end that depends on the text alone: what is added to a document earlier moves only the pieces around it.
	if c.tokens >= fullTokens && hash(text)%3 == 0 {
		return c.flush()
	}
	return nil
}

// addLines takes lines that are kept together where they fit. Of a table that does not, each part begins with its head.
func (c *chunker) addLines(kind kind, text string, head int) error {
	n := segment.Tokens(text)
	if n <= maxTokens {
		return c.add(kind, text)
	}
	lines := strings.Split(text, "\n")
	if head >= len(lines) {
		head = 0
	}
	top := strings.Join(lines[:head], "\n")
	if segment.Tokens(top) > maxTokens/3 {
		top, head = "", 0
	}
	if !c.titled {
		if err := c.flush(); err != nil {
			return err
		}
	}
	first := true
	for start := head; start < len(lines); {
		end, size := start, segment.Tokens(top)
		for end < len(lines) {
			n := segment.Tokens(lines[end]) + 1
			if end > start && size+n > maxTokens {
				break
			}
			size += n
			end++
		}
		if top != "" {
			c.tail = ""
			c.write("\n\n", top)
			c.tokens += segment.Tokens(top)
			if !first {
				c.lead = utf8.RuneCountInString(c.buf.String()) + 1
			}
		}
		c.last, c.titled = kind, false
		for i, part := range split(strings.Join(lines[start:end], "\n"), maxTokens, lineEnds) {
			if i > 0 {
				if err := c.flush(); err != nil {
					return err
				}
			}
			sep := "\n\n"
			if top != "" && i == 0 {
				sep = "\n"
			}
			c.write(sep, part)
			c.tokens += segment.Tokens(part)
		}
		if err := c.flush(); err != nil {
			return err
		}
		c.tail = ""
		start, first = end, false
	}
	return nil
}

// write puts text behind what is there.
func (c *chunker) write(sep, text string) {
	if c.buf.Len() == 0 {
		sep, c.under = "", c.heads()
	}
	c.buf.WriteString(sep + text)
}

// begin puts the end of the piece before at the beginning of a new one.
func (c *chunker) begin(kind kind) {
	if c.tail == "" || c.buf.Len() > 0 || kind != prose {
		c.tail = ""
		return
	}
	c.write("", c.tail)
	c.lead = utf8.RuneCountInString(c.tail) + len("\n\n")
	c.tail = ""
}

func (c *chunker) put(text string, n int) {
	c.write("\n\n", text)
	c.tokens += n
}

// flush ends a piece.
func (c *chunker) flush() error {
	text := c.buf.String()
	lead := c.lead
	c.buf.Reset()
	c.tokens, c.lead = 0, 0
	titled := c.titled
	c.titled = false
	if text == "" || utf8.RuneCountInString(text) <= lead {
		return nil
	}
	c.tail = ""
	if c.last == prose && !titled {
		c.tail = lastSentences(text, overlapTokens)
	}
	return c.keep(Chunk{Text: text, Page: c.number, Heading: c.under, Lead: lead})
}

func (c *chunker) heads() string {
	var heads []string
	for _, h := range c.path {
		if h != "" {
			heads = append(heads, h)
		}
	}
	return strings.Join(heads, HeadingMark)
}

func hash(s string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(s)) // never fails
	return h.Sum32()
}

// split cuts a text into parts of at most limit tokens, after the last of the wanted ends in each, else after a word, else
// anywhere. Joined they are the text, but for white space at the cuts.
func split(text string, limit int, ends func([]rune, int) bool) []string {
	if segment.Tokens(text) <= limit {
		return []string{text}
	}
	r := []rune(text)
	var parts []string
	for len(r) > 0 {
		var count segment.TokenCounter
		end := 0
		for end < len(r) && count.Add(r[end]) <= limit {
			end++
		}
		if end < len(r) {
			end = lastEnd(r, max(end, 1), ends)
		}
		if part := strings.TrimSpace(string(r[:end])); part != "" {
			parts = append(parts, part)
		}
		r = r[end:]
	}
	return parts
}

// lastEnd returns the last place up to end at which r may be cut.
func lastEnd(r []rune, end int, ends func([]rune, int) bool) int {
	for _, may := range []func([]rune, int) bool{ends, word, whole} {
		for i := end; i > end/3; i-- {
			if may(r, i) {
				return i
			}
		}
	}
	return end
}

func sentenceEnds(r []rune, i int) bool { return line(r, i) || sentence(r, i) }
func lineEnds(r []rune, i int) bool     { return line(r, i) }

// lastSentences returns the sentences that a text ends with, up to a number of tokens; "" where the last is longer.
func lastSentences(text string, limit int) string {
	r := []rune(text)
	end := len(r)
	var count segment.TokenCounter
	best := end
	for i := end - 1; i > 0; i-- {
		if count.Add(r[i]) > limit {
			break
		}
		if sentence(r, i) || line(r, i) && i > 1 && r[i-1] == '\n' {
			best = i
		}
	}
	return strings.TrimSpace(string(r[best:]))
}
