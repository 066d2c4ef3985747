package ingest

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// readDOCX reads a Word document: its styles tell headings, its marks of rendered pages tell pages.
func readDOCX(r *reader) error {
	z, err := zip.NewReader(r.src.File, r.src.Bytes)
	if err != nil {
		return damaged(err)
	}
	d := &docx{reader: r, levels: map[string]int{}}
	files := map[string]*zip.File{}
	for _, f := range z.File {
		if files[f.Name] == nil {
			files[f.Name] = f
		}
	}
	for _, part := range []struct {
		name string
		take func(*part) error
		body bool
	}{
		{"docProps/core.xml", d.about, false},
		{"word/styles.xml", d.styles, false},
		{mainPart(z), d.body, true},
		{"word/footnotes.xml", d.body, false},
		{"word/endnotes.xml", d.body, false},
	} {
		f := files[part.name]
		if f == nil {
			continue
		}
		if part.body && hasPages(f) {
			d.number = 1
			if err := d.page(1); err != nil {
				return err
			}
		}
		if err := d.part(f, part.body, part.take); err != nil {
			return err
		}
	}
	return nil
}

// mainPart returns the name of the text in a Word document, "" where there is none. Some programs number it.
func mainPart(z *zip.Reader) string {
	for _, f := range z.File {
		if mainParts.MatchString(f.Name) {
			return f.Name
		}
	}
	return ""
}

var mainParts = regexp.MustCompile(`^word/document\d*\.xml$`)

// hasPages says whether a document tells where its pages begin.
func hasPages(f *zip.File) bool {
	from, err := f.Open()
	if err != nil {
		return false // its reading says so
	}
	defer func() { _ = from.Close() }()
	marks := [][]byte{[]byte("lastRenderedPageBreak"), []byte(`w:type="page"`)}
	const kept = 32
	buf := make([]byte, kept+64<<10)
	held := 0
	for total := 0; total < maxUnpacked; {
		n, err := from.Read(buf[held:])
		total += n
		for _, mark := range marks {
			if bytes.Contains(buf[:held+n], mark) {
				return true
			}
		}
		if err != nil {
			return false
		}
		end := held + n
		held = copy(buf, buf[max(0, end-kept):end])
	}
	return false
}

// encrypted is the flag of a file in an archive that needs a password.
const encrypted = 1

// part is one XML file of a document being read.
type part struct {
	*xml.Decoder
	limited *bounded
	depth   int
}

// part opens a file of the archive. What is inside may not be much larger than it is packed.
func (d *docx) part(f *zip.File, body bool, take func(*part) error) (err error) {
	if f.UncompressedSize64 > maxUnpacked || f.UncompressedSize64 > largeUnpacked && f.UncompressedSize64 > maxRatio*max(f.CompressedSize64, 1) {
		return tooMuch("a part of the document would become %d bytes large", f.UncompressedSize64)
	}
	if f.Flags&encrypted != 0 {
		return locked()
	}
	from, err := f.Open()
	if err != nil {
		return damaged(err)
	}
	defer func() { err = errors.Join(err, ignoreBroken(from.Close())) }()
	size := int64(f.UncompressedSize64) // checked above
	if !body {
		size = 0
	}
	limited := &bounded{from: &unpacked{d: d, from: from, size: size}}
	p := &part{Decoder: xml.NewDecoder(limited), limited: limited}
	return take(p)
}

// ignoreBroken drops the error of a file that was not read to its end.
func ignoreBroken(error) error { return nil }

// unpacked reads what is in an archive, and no more of it than there may be.
type unpacked struct {
	d    *docx
	from io.Reader
	size int64 // of the body, 0 = it is no measure of progress
	n    int64
}

// Read reads, tells how far it is, and stops where there is too much.
func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.from.Read(p)
	if u.n += int64(n); u.n > maxUnpacked {
		return n, tooMuch("the document has more than %d bytes of text", maxUnpacked)
	}
	done := int64(0)
	if u.size > 0 {
		done = int64(float64(u.d.src.Bytes) * float64(u.n) / float64(u.size))
	}
	if stop := u.d.read(done); stop != nil {
		return n, stop
	}
	return n, err
}

// next returns the next token; io.EOF at the end.
func (p *part) next() (xml.Token, error) {
	p.limited.n = 0
	token, err := p.RawToken()
	if err != nil {
		if errors.Is(err, io.EOF) || ours(err) {
			return nil, err
		}
		return nil, damaged(err)
	}
	switch token.(type) {
	case xml.StartElement:
		if p.depth++; p.depth > maxDepth {
			return nil, tooMuch("its parts are nested in more than %d levels", maxDepth)
		}
	case xml.EndElement:
		p.depth--
	case xml.Directive: // Word writes none: what it declares may unfold to anything
		return nil, broken("the document declares what no word processor writes")
	}
	return token, nil
}

// docx is the reading of a Word document.
type docx struct {
	*reader
	levels map[string]int // of headings, by style

	par     strings.Builder
	style   string
	level   int // outline level of the paragraph itself
	item    bool
	inText  bool
	inRun   bool
	hidden  bool // the run is not shown
	skip    int  // depth in what is not text: a deleted part, a second form of the same
	tables  int
	cell    []string
	cells   []string
	rows    []string
	size    int
	number  int  // of the page
	turning bool // a page begins in the middle of the paragraph
}

func (d *docx) about(p *part) error {
	name := ""
	for {
		token, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			name = t.Name.Local
		case xml.EndElement:
			name = ""
		case xml.CharData:
			s := strings.TrimSpace(string(t))
			switch name {
			case "title":
				d.meta.Title = s
			case "creator":
				d.meta.Author = s
			case "language":
				d.meta.Language = shortLanguage(s)
			case "created":
				d.meta.Created = anyTime(s)
			case "modified":
				d.meta.Modified = anyTime(s)
			}
		}
	}
}

func attr(t xml.StartElement, local string) string {
	for _, a := range t.Attr {
		if a.Name.Local == local {
			return a.Value
		}
	}
	return ""
}

// styles notes which styles are headings: by their outline level, or by their name.
func (d *docx) styles(p *part) error {
	id := ""
	for {
		token, err := p.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		t, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch t.Name.Local {
		case "style":
			id = attr(t, "styleId")
		case "name":
			name := strings.ToLower(attr(t, "val"))
			if n, ok := strings.CutPrefix(name, "heading "); ok {
				if level, err := strconv.Atoi(n); err == nil {
					d.levels[id] = level
				}
			} else if name == "title" {
				d.levels[id] = 1
			}
		case "outlineLvl":
			if level, err := strconv.Atoi(attr(t, "val")); err == nil && level < 9 && d.levels[id] == 0 {
				d.levels[id] = level + 1
			}
		}
	}
}

func (d *docx) body(p *part) error {
	for {
		token, err := p.next()
		if errors.Is(err, io.EOF) {
			return d.end()
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			err = d.startTag(t)
		case xml.EndElement:
			err = d.endTag(t.Name.Local)
		case xml.CharData:
			if d.inText && d.skip == 0 && !d.hidden {
				d.par.Write(t)
				if d.par.Len() > maxToken {
					err = tooMuch("a paragraph has more than %d bytes", maxToken)
				}
			}
		}
		if err != nil {
			return err
		}
	}
}

func (d *docx) startTag(t xml.StartElement) error {
	if d.skip > 0 {
		d.skip++
		return nil
	}
	switch t.Name.Local {
	case "Fallback", "del", "moveFrom", "instrText", "sdtPr": // what is said elsewhere, or no more
		d.skip = 1
	case "footnote", "endnote":
		if kind := attr(t, "type"); kind != "" && kind != "normal" { // the line above the notes
			d.skip = 1
		}
	case "r":
		d.inRun, d.hidden = true, false
	case "vanish":
		if v := attr(t, "val"); d.inRun && v != "0" && v != "false" {
			d.hidden = true
		}
	case "p":
		d.style, d.level, d.item = "", 0, false
	case "pStyle":
		d.style = attr(t, "val")
	case "outlineLvl":
		if level, err := strconv.Atoi(attr(t, "val")); err == nil && level < 9 {
			d.level = level + 1
		}
	case "numPr":
		d.item = true
	case "t":
		d.inText = true
	case "tab":
		d.par.WriteByte('\t')
	case "br", "cr":
		if attr(t, "type") == "page" {
			return d.turn()
		}
		d.par.WriteByte('\n')
	case "lastRenderedPageBreak":
		return d.turn()
	case "noBreakHyphen":
		d.par.WriteByte('-')
	case "tbl":
		d.tables++
	}
	return nil
}

// turn begins a page, once where a break is followed by the mark of its rendering.
func (d *docx) turn() error {
	if d.number == 0 {
		return nil // in a note
	}
	if d.tables > 0 || d.par.Len() > 0 {
		d.turning = true
		return nil
	}
	if !d.turning && d.pieces == 0 && d.chunks.empty() {
		return nil // a mark before anything was said
	}
	d.turning = false
	return d.next()
}

func (d *docx) next() error {
	d.number++
	return d.page(d.number)
}

func (d *docx) endTag(name string) error {
	if d.skip > 0 {
		d.skip--
		return nil
	}
	switch name {
	case "t":
		d.inText = false
	case "r":
		d.inRun, d.hidden = false, false
	case "p":
		return d.paragraphEnd()
	case "tc":
		if d.tables == 1 {
			d.cells = append(d.cells, strings.Join(d.cell, " "))
			d.cell = nil
		}
	case "tr":
		if d.tables == 1 {
			line := strings.Join(d.cells, " | ")
			if strings.Trim(line, " |") != "" {
				d.rows = append(d.rows, line)
				d.size += len(line)
			}
			d.cells = nil
			if d.size > maxParagraph {
				return d.table()
			}
		}
	case "tbl":
		if d.tables > 0 {
			if d.tables--; d.tables == 0 {
				return d.table()
			}
		}
	}
	return nil
}

func (d *docx) paragraphEnd() error {
	text := strings.TrimSpace(d.par.String())
	d.par.Reset()
	if d.tables > 0 {
		if text != "" {
			d.cell = append(d.cell, strings.Join(strings.Fields(text), " "))
		}
		return nil
	}
	var err error
	level := max(d.level, d.levels[d.style])
	switch {
	case level > 0:
		err = d.heading(level, text)
	case d.item && text != "":
		err = d.paragraph("- " + text)
	default:
		err = d.paragraph(text)
	}
	if err == nil && d.turning {
		d.turning = false
		err = d.next()
	}
	return err
}

func (d *docx) table() error {
	rows := d.rows
	d.rows, d.size = nil, 0
	head := 0
	if len(rows) > 1 {
		head = 1
	}
	if err := d.lines(table, strings.Join(rows, "\n"), head); err != nil {
		return err
	}
	if d.turning {
		d.turning = false
		return d.next()
	}
	return nil
}

// end takes what is left at the end of a part.
func (d *docx) end() error {
	d.tables, d.skip, d.inText, d.inRun, d.hidden = 0, 0, false, false, false
	if err := d.table(); err != nil {
		return err
	}
	d.style, d.level, d.item = "", 0, false
	return d.paragraphEnd()
}
