// Package ingesttest makes the files that tests of documents read: none of them is copied from anywhere.
package ingesttest

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
)

// PDF describes a PDF file to be made.
type PDF struct {
	Title   string
	Created string             // as PDF writes it: D:20240131120000Z
	Pages   int                //
	Page    func(int) []string // the lines of a page, counted from 1; one that begins with "# " is a heading
	Outline map[int]string     // titles of pages in the table of contents
	Locked  bool               // it asks for a password
	Scanned bool               // its pages are pictures
	Padding int                // bytes of noise in each page, as pictures are
}

// Write writes the file piece by piece, however many pages it has.
func (p PDF) Write(w io.Writer) error {
	b := &builder{w: w}
	b.line("%%%%PDF-1.7")
	const first = 10 // of the objects of pages: each has itself, its content and its padding
	var kids strings.Builder
	for i := range p.Pages {
		fmt.Fprintf(&kids, "%d 0 R ", first+3*i)
	}
	outline := ""
	if len(p.Outline) > 0 {
		outline = " /Outlines 8 0 R"
	}
	b.object(1, "<< /Type /Catalog /Pages 2 0 R"+outline+" >>")
	b.object(2, fmt.Sprintf("<< /Type /Pages /Kids [ %s] /Count %d >>", kids.String(), p.Pages))
	b.object(3, "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>")
	b.object(4, "<< /Type /Font /Subtype /Type0 /BaseFont /SimSun /Encoding /UniGB-UCS2-H /DescendantFonts [5 0 R] >>")
	b.object(5, "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /SimSun /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /FontDescriptor 6 0 R /DW 1000 >>")
	b.object(6, "<< /Type /FontDescriptor /FontName /SimSun /Flags 6 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 859 /Descent -140 /CapHeight 683 /StemV 92 >>")
	b.object(7, fmt.Sprintf("<< /Title %s /CreationDate (%s) >>", utf16Text(p.Title), p.Created))
	for i := range p.Pages {
		id := first + 3*i
		b.object(id, fmt.Sprintf("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 3 0 R /F2 4 0 R >> /XObject << /P %d 0 R >> >> /Contents %d 0 R >>", id+2, id+1))
		b.stream(id+1, "", p.content(i+1))
		b.stream(id+2, "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 ", noise(p.Padding+1, i))
	}
	next := first + 3*p.Pages
	if outline != "" {
		items := 0
		for page := 1; page <= p.Pages; page++ {
			if title := p.Outline[page]; title != "" {
				id := next + items
				more := ""
				if items > 0 {
					more = fmt.Sprintf(" /Prev %d 0 R", id-1)
				}
				if items+1 < len(p.Outline) {
					more += fmt.Sprintf(" /Next %d 0 R", id+1)
				}
				b.object(id, fmt.Sprintf("<< /Title %s /Parent 8 0 R /Dest [%d 0 R /Fit]%s >>", utf16Text(title), first+3*(page-1), more))
				items++
			}
		}
		b.object(8, fmt.Sprintf("<< /Type /Outlines /First %d 0 R /Last %d 0 R /Count %d >>", next, next+items-1, items))
		next += items
	}
	trailer := "/Root 1 0 R /Info 7 0 R"
	if p.Locked {
		key := strings.Repeat("5A", 32)
		b.object(9, fmt.Sprintf("<< /Filter /Standard /V 2 /R 3 /Length 128 /P -44 /O <%s> /U <%s> >>", key, key))
		trailer += fmt.Sprintf(" /Encrypt 9 0 R /ID [<%s> <%s>]", key[:32], key[:32])
	}
	start := b.at
	b.line("xref\n0 %d\n0000000000 65535 f ", next)
	for id := 1; id < next; id++ {
		if at, ok := b.offsets[id]; ok {
			b.line("%010d 00000 n ", at)
		} else {
			b.line("0000000000 65535 f ")
		}
	}
	b.line("trailer\n<< /Size %d %s >>\nstartxref\n%d\n%%%%EOF", next, trailer, start)
	return b.err
}

// content is what is drawn on a page.
func (p PDF) content(page int) []byte {
	if p.Scanned {
		return []byte("q 595 0 0 842 0 0 cm /P Do Q")
	}
	var c bytes.Buffer
	y := 780
	for _, line := range p.Page(page) {
		size := 11
		text, heading := strings.CutPrefix(line, "# ")
		if heading {
			size = 18
			y -= 12
		}
		if line == "" {
			y -= 14
			continue
		}
		font, shown := "F1", "("+strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`).Replace(text)+")"
		if strings.ContainsFunc(text, func(r rune) bool { return r > 0xff }) {
			font, shown = "F2", utf16Hex(text)
		}
		fmt.Fprintf(&c, "BT /%s %d Tf 72 %d Td %s Tj ET\n", font, size, y, shown)
		y -= 14
	}
	return c.Bytes()
}

func utf16Hex(s string) string {
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(s)) {
		fmt.Fprintf(&b, "%04X", u)
	}
	return "<" + b.String() + ">"
}

func utf16Text(s string) string { return "<FEFF" + utf16Hex(s)[1:] }

// noise are n bytes that do not get smaller when they are packed.
func noise(n, seed int) []byte {
	b := make([]byte, n)
	x := uint32(seed)*2654435761 + 1 // any number will do
	for i := range b {
		x ^= x << 13
		x ^= x >> 17
		x ^= x << 5
		b[i] = byte(x)
	}
	return b
}

// builder writes objects and notes where they are.
type builder struct {
	w       io.Writer
	at      int
	offsets map[int]int
	err     error
}

func (b *builder) line(format string, args ...any) { b.bytes(fmt.Appendf(nil, format+"\n", args...)) }

func (b *builder) bytes(p []byte) {
	if b.err == nil {
		var n int
		n, b.err = b.w.Write(p)
		b.at += n
	}
}

func (b *builder) begin(id int) {
	if b.offsets == nil {
		b.offsets = map[int]int{}
	}
	b.offsets[id] = b.at
	b.line("%d 0 obj", id)
}

func (b *builder) object(id int, body string) {
	b.begin(id)
	b.line("%s\nendobj", body)
}

func (b *builder) stream(id int, attributes string, content []byte) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	_, _ = z.Write(content) // into memory
	_ = z.Close()
	b.begin(id)
	b.line("<< %s/Filter /FlateDecode /Length %d >>\nstream", attributes, packed.Len())
	b.bytes(packed.Bytes())
	b.line("\nendstream\nendobj")
}
