package ingest

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
	"golang.org/x/text/transform"
)

const maxAttribute = 64 << 20 // bytes of one tag or text: pictures are written inside of pages

// readHTML reads a web page, tag by tag: nothing of it is run or fetched.
func readHTML(r *reader) error {
	head := sampleAt(r.src.File, 0)
	e, name, sure := charset.DetermineEncoding(head, "")
	from := r.bytes()
	switch {
	case bytes.IndexByte(head, 0) >= 0 && !strings.HasPrefix(name, "utf-16"):
		return r.binary()
	case sure || name == "utf-8":
		from = transform.NewReader(from, e.NewDecoder())
	default: // it says nothing: by its letters
		text, err := r.text()
		if err != nil {
			return err
		}
		from = text
	}
	return parseHTML(r, from)
}

// silent are elements whose text is not part of what the page says.
var silent = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Template: true, atom.Svg: true, atom.Math: true, atom.Iframe: true,
	atom.Object: true, atom.Button: true, atom.Select: true, atom.Textarea: true, atom.Nav: true, atom.Canvas: true, atom.Audio: true,
	atom.Video: true, atom.Datalist: true, atom.Dialog: true,
}

// breaks are elements that end a paragraph.
var breaks = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Section: true, atom.Article: true, atom.Main: true, atom.Header: true, atom.Footer: true,
	atom.Aside: true, atom.Ul: true, atom.Ol: true, atom.Dl: true, atom.Blockquote: true, atom.Figure: true, atom.Figcaption: true,
	atom.Form: true, atom.Fieldset: true, atom.Hr: true, atom.Address: true, atom.Details: true, atom.Summary: true, atom.Body: true,
	atom.Center: true, atom.Caption: true,
}

// ends are elements that may end without saying so: where another one of the kind begins, or the element around them ends.
var ends = map[atom.Atom]bool{
	atom.P: true, atom.Li: true, atom.Dt: true, atom.Dd: true, atom.Tr: true, atom.Td: true, atom.Th: true, atom.Thead: true,
	atom.Tbody: true, atom.Tfoot: true, atom.Option: true,
}

// void are elements that hold nothing.
var void = map[atom.Atom]bool{
	atom.Img: true, atom.Br: true, atom.Hr: true, atom.Input: true, atom.Meta: true, atom.Link: true, atom.Col: true, atom.Wbr: true,
	atom.Area: true, atom.Base: true, atom.Embed: true, atom.Param: true, atom.Source: true, atom.Track: true,
}

var hiding = regexp.MustCompile(`(?i)(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden)`)

// hidden tells whether nobody who opens the page sees an element: what is not to be read by people is not to be read by a
// model either.
func hidden(tag atom.Atom, attrs map[string]string) bool {
	if tag == 0 || tag == atom.Html || tag == atom.Body { // a page is hidden only until its script shows it
		return false
	}
	value, is := attrs["hidden"]
	return is && !strings.EqualFold(value, "until-found") || hiding.MatchString(attrs["style"])
}

var levels = map[atom.Atom]int{atom.H1: 1, atom.H2: 2, atom.H3: 3, atom.H4: 4, atom.H5: 5, atom.H6: 6}

// page is the reading of an HTML text.
type htmlReader struct {
	*reader
	par    strings.Builder // of the paragraph
	space  bool            // there was white space
	muted  []atom.Atom     // the silent or hidden element, and those in it
	title  bool
	level  int // of the heading being read, 0 = none
	pre    int
	tables int
	rows   []string
	cells  []string
	heads  bool // the row is one of headings
	head   int  // rows of headings that the table begins with
	size   int
}

func parseHTML(r *reader, from io.Reader) error {
	p := &htmlReader{reader: r}
	z := html.NewTokenizer(from)
	z.SetMaxBuf(maxAttribute)
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			err := z.Err()
			switch {
			case errors.Is(err, io.EOF):
				return p.close()
			case errors.Is(err, html.ErrBufferExceeded):
				return tooMuch("a tag of the page has more than %d bytes", maxAttribute)
			case ours(err), r.ctx.Err() != nil:
				return err
			}
			return damaged(err)
		case html.TextToken:
			if err := p.words(z.Text()); err != nil {
				return err
			}
		case html.StartTagToken, html.SelfClosingTagToken, html.EndTagToken:
			raw, more := z.TagName()
			tag := atom.Lookup(raw)
			attrs := map[string]string{}
			for n := 0; more && n < 64; n++ {
				var k, v []byte
				k, v, more = z.TagAttr()
				if len(v) < 4096 {
					attrs[string(k)] = string(v)
				}
			}
			var err error
			switch kind {
			case html.EndTagToken:
				err = p.endTag(tag)
			default:
				err = p.startTag(tag, attrs, kind == html.SelfClosingTagToken)
			}
			if err != nil {
				return err
			}
		}
	}
}

func (p *htmlReader) startTag(tag atom.Atom, attrs map[string]string, closed bool) error {
	p.impliedEnd(tag)
	if len(p.muted) > 0 || silent[tag] || hidden(tag, attrs) {
		if !closed && !void[tag] && (len(p.muted) == 0 || silent[tag] || breaks[tag] || ends[tag] || tag == atom.Table || tag == p.muted[0]) {
			p.muted = append(p.muted, tag)
			if len(p.muted) > maxDepth {
				return tooMuch("the tags are nested in more than %d levels", maxDepth)
			}
		}
		return nil
	}
	switch {
	case tag == atom.Html:
		if lang := shortLanguage(attrs["lang"]); lang != "" {
			p.meta.Language = lang
		}
	case tag == atom.Title:
		p.title = true
	case tag == atom.Meta:
		p.about(attrs)
	case tag == atom.Img:
		if alt := strings.TrimSpace(attrs["alt"]); alt != "" {
			return p.words([]byte(" [" + alt + "] "))
		}
	case tag == atom.Br:
		p.newline()
	case levels[tag] > 0:
		if err := p.end(); err != nil {
			return err
		}
		p.level = levels[tag]
	case tag == atom.Pre:
		if err := p.end(); err != nil {
			return err
		}
		p.pre++
	case tag == atom.Table:
		if p.tables == 0 {
			if err := p.end(); err != nil {
				return err
			}
		}
		p.tables++
	case tag == atom.Tr:
		return p.endRow()
	case tag == atom.Td, tag == atom.Th:
		p.endCell()
		p.heads = tag == atom.Th && (p.heads || len(p.cells) == 0)
	case tag == atom.Li, tag == atom.Dt, tag == atom.Dd, tag == atom.Option:
		if p.tables > 0 {
			p.space = true
			return nil
		}
		if p.par.Len() > maxParagraph {
			if err := p.end(); err != nil {
				return err
			}
		}
		p.newline()
		if tag == atom.Li {
			p.par.WriteString("- ")
		}
	case breaks[tag]:
		return p.paragraphEnd()
	}
	return nil
}

// impliedEnd ends what is muted where the beginning of another element ends it.
func (p *htmlReader) impliedEnd(next atom.Atom) {
	if n := len(p.muted); n > 0 {
		last := p.muted[n-1]
		if last == next && ends[last] || last == atom.P && (breaks[next] || levels[next] > 0 || next == atom.Table || next == atom.Pre) {
			p.muted = p.muted[:n-1]
		}
	}
}

func (p *htmlReader) endTag(tag atom.Atom) error {
	if len(p.muted) > 0 {
		// An element that is not closed mutes until one around it ends.
		if i := slices.Index(p.muted, tag); i >= 0 {
			for i = len(p.muted) - 1; p.muted[i] != tag; i-- {
			}
			p.muted = p.muted[:i]
			return nil
		}
		if !breaks[tag] && !ends[tag] && tag != atom.Table || slices.ContainsFunc(p.muted, func(m atom.Atom) bool { return !ends[m] }) {
			return nil
		}
		p.muted = nil // the element around it ends
	}
	switch {
	case tag == atom.Title:
		p.title = false
	case levels[tag] > 0:
		return p.end()
	case tag == atom.Pre:
		err := p.end()
		p.pre = max(0, p.pre-1)
		return err
	case tag == atom.Tr:
		return p.endRow()
	case tag == atom.Td, tag == atom.Th:
		p.endCell()
	case tag == atom.Table:
		if p.tables > 0 {
			if err := p.endRow(); err != nil {
				return err
			}
			if p.tables--; p.tables == 0 {
				return p.endTable()
			}
		}
	case breaks[tag]:
		return p.paragraphEnd()
	}
	return nil
}

// about reads what the head of a page says of it.
func (p *htmlReader) about(attrs map[string]string) {
	name := strings.ToLower(attrs["name"] + attrs["property"] + attrs["itemprop"])
	value := attrs["content"]
	switch name {
	case "og:title":
		if p.meta.Title == "" {
			p.meta.Title = value
		}
	case "author", "article:author", "dc.creator":
		p.meta.Author = value
	case "article:published_time", "date", "dc.date", "datepublished":
		p.meta.Created = anyTime(value)
	case "article:modified_time", "last-modified", "datemodified":
		p.meta.Modified = anyTime(value)
	}
}

var blanks = regexp.MustCompile(`[ \t\r\n\f\x{a0}]+`)

func (p *htmlReader) words(raw []byte) error {
	if len(p.muted) > 0 {
		return nil
	}
	text := string(raw)
	if p.title {
		if text = html.UnescapeString(text); len(p.meta.Title) < 4*maxTitleChars {
			p.meta.Title = strings.TrimSpace(p.meta.Title + text)
		}
		return nil
	}
	text = html.UnescapeString(text)
	if p.pre > 0 {
		p.par.WriteString(text)
	} else {
		text = blanks.ReplaceAllString(text, " ")
		if strings.HasPrefix(text, " ") {
			p.space = true
		}
		trimmed := strings.Trim(text, " ")
		if trimmed != "" {
			if p.space && p.par.Len() > 0 && !strings.HasSuffix(p.par.String(), "\n") {
				p.par.WriteByte(' ')
			}
			p.par.WriteString(trimmed)
			p.space = strings.HasSuffix(text, " ")
		}
	}
	if p.par.Len() > maxParagraph && p.tables == 0 {
		return p.end()
	}
	if p.par.Len() > maxToken {
		return tooMuch("a cell of a table has more than %d bytes", maxToken)
	}
	return nil
}

func (p *htmlReader) newline() {
	if p.par.Len() > 0 && !strings.HasSuffix(p.par.String(), "\n") {
		p.par.WriteByte('\n')
	}
	p.space = false
}

// paragraphEnd ends a paragraph, or inside of a table is a blank.
func (p *htmlReader) paragraphEnd() error {
	if p.tables > 0 || p.pre > 0 || p.level > 0 {
		p.space = true
		return nil
	}
	return p.end()
}

func (p *htmlReader) end() error {
	if p.tables > 0 {
		p.space = true
		return nil
	}
	text := p.par.String()
	p.par.Reset()
	p.space = false
	level := p.level
	p.level = 0
	switch {
	case level > 0:
		if p.meta.Title == "" {
			p.meta.Title = oneLine(text)
		}
		return p.heading(level, text)
	case p.pre > 0:
		return p.lines(code, text, 0)
	}
	return p.paragraph(text)
}

func (p *htmlReader) endCell() {
	if p.tables == 0 {
		return
	}
	if text := strings.Join(strings.Fields(p.par.String()), " "); text != "" {
		p.cells = append(p.cells, text)
	}
	p.par.Reset()
	p.space = false
}

func (p *htmlReader) endRow() error {
	if p.tables == 0 {
		return nil
	}
	p.endCell()
	if len(p.cells) > 0 {
		line := strings.Join(p.cells, " | ")
		p.rows = append(p.rows, line)
		p.size += len(line)
		if p.heads && p.head == len(p.rows)-1 {
			p.head++
		}
	}
	p.cells, p.heads = nil, false
	if p.size > maxParagraph {
		return p.endTable()
	}
	return nil
}

func (p *htmlReader) endTable() error {
	rows, head := p.rows, p.head
	p.rows, p.size, p.head = nil, 0, 0
	// A table of one column lays out a page.
	return p.lines(table, strings.Join(rows, "\n"), head)
}

func (p *htmlReader) close() error {
	if p.tables > 0 {
		p.tables = 1
		if err := p.endTag(atom.Table); err != nil {
			return err
		}
	}
	return p.end()
}
