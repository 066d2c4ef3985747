package ingest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/backend/memory"
)

// Source is a file to be read.
type Source struct {
	Name     string // of the file, which tells formats apart that look alike
	File     io.ReaderAt
	Bytes    int64
	Progress func(read int64) // how many of its bytes are done; may be nil
}

// Meta is what is known of a document besides its text.
type Meta struct {
	Format   memory.DocumentFormat
	Title    string // its own, else the name of the file
	Author   string
	Language string // two letters, "" = not known
	Pages    int    // pages of the format's own, or parts of some size where it has none
	Paged    bool   // they are pages
	Bare     int    // pages of a PDF that hold no text: most likely pictures of it
	Created  time.Time
	Modified time.Time
	Headings []string // of its highest level, as far as they say what it is about
	Lead     string   // its first sentences
}

// Chunk is a piece of a document that becomes one passage.
type Chunk struct {
	Text    string
	Page    int    // from 1
	Heading string // the headings above it, joined by HeadingMark
	Lead    int    // characters at its beginning that the piece before says also
}

// HeadingMark joins the headings that stand above a piece.
const HeadingMark = " › "

// Limits of what is read. A file beyond them is refused as a whole.
const (
	MaxTextBytes   = 1 << 30   // of a text format
	MaxPackedBytes = 512 << 20 // of PDF, DOCX and HTML
	maxUnpacked    = 1 << 30   // of the text inside a packed file
	maxRatio       = 150       // by which a packed text may be smaller than the text, once that is large
	largeUnpacked  = 32 << 20  // from which on the ratio counts
	maxPages       = 50_000
	maxDepth       = 256     // of what is nested
	maxToken       = 8 << 20 // bytes of one value, cell or run of text
	maxTitleChars  = 200
	maxHeadings    = 12
	leadChars      = 500
	languageSample = 64 << 10 // bytes of text that tell the language
)

// Read reads a document piece by piece and hands each piece to keep, with what is known of the document so far. It returns
// all that is known at the end. Errors are EUNSUPPORTED, EINVALID and ELIMIT with the remedy that says what to do, and
// what keep returns. A file of a kind that cannot be read fails before anything is handed on.
func Read(ctx context.Context, src Source, keep func(*Meta, Chunk) error) (Meta, error) {
	r := &reader{ctx: ctx, src: src, meta: Meta{}, keep: keep}
	r.chunks.keep = r.chunk
	if src.Bytes == 0 {
		return r.meta, emptyFile()
	}
	format, parse, err := detect(src)
	if err != nil {
		return r.meta, err
	}
	r.meta.Format = format
	most := int64(MaxTextBytes)
	switch format {
	case memory.FormatPDF, memory.FormatDOCX, memory.FormatHTML:
		most = MaxPackedBytes
	}
	if src.Bytes > most {
		return r.meta, tooMuch("the file has %d bytes; at most %d are read", src.Bytes, most)
	}
	err = safely(func() error { return parse(r) })
	if err == nil {
		err = r.chunks.flush()
	}
	if err != nil {
		if ctx.Err() != nil {
			err = ctx.Err()
		}
		return r.meta, err
	}
	r.finish()
	if r.pieces == 0 {
		return r.meta, emptyFile()
	}
	return r.meta, nil
}

// reader is the reading of one document.
type reader struct {
	ctx    context.Context
	src    Source
	meta   Meta
	keep   func(*Meta, Chunk) error
	chunks chunker
	sample strings.Builder
	lead   strings.Builder
	pieces int
	said   int // texts that were taken
	done   int64
}

// read tells how many bytes of the file are done, and whether to go on.
func (r *reader) read(n int64) error {
	if r.src.Progress != nil && n > r.done {
		r.done = n
		r.src.Progress(min(n, r.src.Bytes))
	}
	return r.ctx.Err()
}

// heading begins a part of the document.
func (r *reader) heading(level int, text string) error {
	text = oneLine(text)
	if text == "" {
		return nil
	}
	r.said++
	r.remember(level, text)
	return r.chunks.heading(level, text, text)
}

// remember notes a heading for title and summary.
func (r *reader) remember(level int, text string) {
	if r.meta.Title == "" && r.pieces == 0 && r.chunks.empty() {
		r.meta.Title = text
		return
	}
	if level <= 2 && len(r.meta.Headings) < maxHeadings {
		r.meta.Headings = append(r.meta.Headings, text)
	}
}

// paragraph takes a paragraph of prose.
func (r *reader) paragraph(text string) error {
	text = strings.TrimSpace(memory.CleanText(text))
	if memory.Blank(text) {
		return nil
	}
	if r.lead.Len() < 4*leadChars {
		r.lead.WriteString(strings.Join(strings.Fields(text), " ") + " ")
	}
	r.say(text)
	return r.chunks.add(prose, text)
}

// lines takes lines that belong together: code, or the rows of a table, the first head of which are its heading.
func (r *reader) lines(kind kind, text string, head int) error {
	text = strings.Trim(memory.CleanText(text), "\n")
	if memory.Blank(text) {
		return nil
	}
	r.say(text)
	return r.chunks.addLines(kind, text, head)
}

func (r *reader) say(text string) {
	r.said++
	if left := languageSample - r.sample.Len(); left > 0 {
		r.sample.WriteString(text[:min(len(text), left)] + "\n")
	}
}

// page begins a page.
func (r *reader) page(n int) error {
	r.meta.Paged = true
	r.meta.Pages = max(r.meta.Pages, n)
	return r.chunks.turn(n)
}

// chunk takes a finished piece.
func (r *reader) chunk(c Chunk) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	r.pieces++
	if c.Page == 0 { // no pages of its own
		c.Page = (r.pieces-1)/partPieces + 1
		r.meta.Pages = c.Page
	}
	if r.pieces == 1 {
		r.name()
	}
	return r.keep(&r.meta, c)
}

// partPieces is how many pieces make a part of a document that has no pages: some 1,500 words.
const partPieces = 8

// name gives a document without a title that of its file, and guesses its language.
func (r *reader) name() {
	if r.meta.Title = oneLine(r.meta.Title); r.meta.Title == "" {
		base := filepath.Base(strings.ReplaceAll(r.src.Name, `\`, "/"))
		r.meta.Title = oneLine(strings.TrimSuffix(base, filepath.Ext(base)))
	}
	r.meta.Author = oneLine(r.meta.Author)
	if r.meta.Language == "" {
		r.meta.Language = guess(r.sample.String())
	}
}

// finish fills in what only the whole document tells.
func (r *reader) finish() {
	if guessed := guess(r.sample.String()); guessed != "" {
		r.meta.Language = guessed
	}
	r.meta.Lead = firstSentences(r.lead.String(), leadChars)
}

// oneLine returns a text on one line, cut to the length of a title.
func oneLine(s string) string {
	s = strings.Join(strings.Fields(memory.CleanText(s)), " ")
	if utf8.RuneCountInString(s) <= maxTitleChars {
		return s
	}
	return string([]rune(s)[:maxTitleChars-1]) + "…"
}

// firstSentences returns the sentences that a text begins with, up to a number of characters.
func firstSentences(text string, limit int) string {
	text = strings.TrimSpace(text)
	r := []rune(text)
	if len(r) <= limit {
		return text
	}
	return strings.TrimSpace(string(r[:cut(r, limit)]))
}

// safely turns a fault of a library that reads the file into an error: a broken file must not end the app.
func safely(parse func() error) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = damaged(fmt.Errorf("a fault while it was read: %v", fault))
		}
	}()
	return parse()
}

const opRead = "read document"

func problem(code memory.Code, remedy memory.Remedy, format string, args ...any) error {
	e := memory.Errorf(code, opRead, format, args...)
	e.Remedy = remedy
	return e
}

func emptyFile() error {
	return problem(memory.EINVALID, memory.RemedyFillFile, "the file holds no text")
}

func broken(format string, args ...any) error {
	return problem(memory.EINVALID, memory.RemedyCheckFile, format, args...)
}

// damaged says that a file is broken where what reads it tells so in words of its own, which are the cause. What the system
// says of a file that it cannot read is told.
func damaged(cause error) error {
	var system *fs.PathError
	if errors.As(cause, &system) {
		return broken("the file cannot be read: %w", system.Err)
	}
	return memory.Errorf(memory.EINVALID, opRead, "the file is damaged or cut off").With(memory.RemedyCheckFile, cause)
}

func locked() error {
	return problem(memory.EUNSUPPORTED, memory.RemedyUnlockFile, "the file is protected by a password")
}

func scanned() error {
	return problem(memory.EUNSUPPORTED, memory.RemedyRecogniseText, "the pages are pictures without text")
}

func unknown(format string, args ...any) error {
	return problem(memory.EUNSUPPORTED, memory.RemedyOtherFormat, format, args...)
}

func tooMuch(format string, args ...any) error {
	return problem(memory.ELIMIT, memory.RemedySplitFile, format, args...)
}

// ours says whether an error says what to do already.
func ours(err error) bool {
	var e *memory.Error
	return errors.As(err, &e)
}
