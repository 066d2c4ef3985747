package ingest

import (
	"context"
	"errors"
	"io"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/klippa-app/go-pdfium"
	pdferrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"github.com/tetratelabs/wazero/sys"

	"recollect/backend/memory"
)

// PDFs are read by PDFium, which runs as WebAssembly: it sees the bytes of the one file and nothing else of the machine,
// has memory up to a limit, and is ended when it is told to. What a file does to it ends with the reading of that file.

const (
	pdfMemory   = 300 << 20 // bytes that PDFium may use
	pdfPageTime = 30 * time.Second
	pdfPageText = 4 << 20 // bytes of text on one page
	wasmPage    = 64 << 10
)

// pdfPage is how long one page may take; a variable for tests.
var pdfPage = pdfPageTime

// compiled is PDFium as code of this machine, which takes seconds to make: it is kept while PDFs come, and dropped when
// none has come for a while.
var compiled struct {
	sync.Mutex
	cache wazero.CompilationCache
	users int
	drop  *time.Timer
}

const keptCode = time.Minute

func useCode() wazero.CompilationCache {
	c := &compiled
	c.Lock()
	defer c.Unlock()
	if c.drop != nil {
		c.drop.Stop()
	}
	if c.cache == nil {
		c.cache = wazero.NewCompilationCache()
	}
	c.users++
	return c.cache
}

func leaveCode() {
	c := &compiled
	c.Lock()
	defer c.Unlock()
	c.users--
	c.drop = time.AfterFunc(keptCode, func() {
		c.Lock()
		defer c.Unlock()
		if c.users == 0 && c.cache != nil {
			_ = c.cache.Close(context.Background()) // it is only memory
			c.cache = nil
			debug.FreeOSMemory()
		}
	})
}

func readPDF(r *reader) error {
	cache := useCode()
	defer leaveCode()
	ctx, stop := context.WithCancelCause(r.ctx)
	defer stop(nil)
	pool, err := webassembly.Init(webassembly.Config{
		Context: ctx, MaxTotal: 1, FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
		RuntimeConfig: wazero.NewRuntimeConfig().WithCloseOnContextDone(true).WithMemoryLimitPages(pdfMemory / wasmPage).
			WithCompilationCache(cache).WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling),
	})
	if err != nil {
		return noPDFium(ctx, err)
	}
	defer func() { _ = pool.Close() }() // the file has been read, or cannot be
	engine, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return noPDFium(ctx, err)
	}
	p := &pdf{reader: r, engine: engine, ctx: ctx, stop: stop}
	return p.document()
}

// errSlowPage ends a page that takes too long.
var errSlowPage = errors.New("a page takes too long")

// noPDFium says that PDFium did not start, which says nothing about the file.
func noPDFium(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return memory.Errorf(memory.EINTERNAL, opRead, "what reads PDFs did not start: %w", err)
}

// pdfProblem says what to do about an error of PDFium.
func pdfProblem(ctx context.Context, err error) error {
	switch {
	case ours(err):
		return err
	case errors.Is(context.Cause(ctx), errSlowPage):
		return tooMuch("a page takes more than %d seconds", int(pdfPage.Seconds()))
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, pdferrors.ErrPassword), errors.Is(err, pdferrors.ErrSecurity):
		return locked()
	}
	var end *sys.ExitError
	if errors.As(err, &end) || strings.Contains(err.Error(), "wasm error") {
		// PDFium ends so where its memory is not enough, and where the file leads it astray.
		return tooMuch("a part of the PDF is damaged, or takes more than %d MB to unfold", pdfMemory>>20)
	}
	return damaged(err)
}

// pdf is the reading of a PDF.
type pdf struct {
	*reader
	engine  pdfium.Pdfium
	ctx     context.Context
	stop    context.CancelCauseFunc
	doc     references.FPDF_DOCUMENT
	outline []bookmark // by page
	body    float64    // the size of most letters so far
	sizes   map[float64]int
}

type bookmark struct {
	page, level int
	title       string
}

func (p *pdf) document() error {
	var pages int
	if err := p.timed(func() error {
		opened, err := p.engine.OpenDocument(&requests.OpenDocument{
			FileReader: io.NewSectionReader(p.src.File, 0, p.src.Bytes), FileReaderSize: p.src.Bytes,
		})
		if err != nil {
			return err
		}
		p.doc = opened.Document
		count, err := p.engine.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: p.doc})
		if err != nil {
			return err
		}
		pages = count.PageCount
		p.about()
		return nil
	}); err != nil {
		return err
	}
	if pages > maxPages {
		return tooMuch("the file has %d pages; at most %d are read", pages, maxPages)
	}
	empty := 0
	total := 0
	p.sizes = map[float64]int{}
	for n := 1; n <= pages; n++ {
		var lines []pdfLine
		if err := p.timed(func() (err error) { lines, err = p.page(n); return err }); err != nil {
			return err
		}
		if len(lines) == 0 {
			empty++
		}
		for _, l := range lines {
			total += len(l.text)
		}
		if total > maxUnpacked {
			return tooMuch("the file has more than %d bytes of text", maxUnpacked)
		}
		if err := p.take(n, lines); err != nil {
			return err
		}
		if err := p.read(p.src.Bytes * int64(n) / int64(pages)); err != nil {
			return err
		}
	}
	p.meta.Pages, p.meta.Bare = pages, empty
	if pages > 0 && empty == pages {
		return scanned()
	}
	return nil
}

// timed runs a step that must not take long.
func (p *pdf) timed(step func() error) error {
	watch := time.AfterFunc(pdfPage, func() { p.stop(errSlowPage) })
	defer watch.Stop()
	if err := step(); err != nil {
		return pdfProblem(p.ctx, err)
	}
	return nil
}

// about reads what the file says of itself.
func (p *pdf) about() {
	text := func(tag string) string {
		m, err := p.engine.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: p.doc, Tag: tag})
		if err != nil {
			return "" // it does not say
		}
		return strings.TrimSpace(m.Value)
	}
	p.meta.Title, p.meta.Author = text("Title"), text("Author")
	p.meta.Created, p.meta.Modified = pdfTime(text("CreationDate")), pdfTime(text("ModDate"))
	marks, err := p.engine.GetBookmarks(&requests.GetBookmarks{Document: p.doc})
	if err != nil {
		return
	}
	p.bookmarks(marks.Bookmarks, 1)
	slices.SortStableFunc(p.outline, func(a, b bookmark) int { return a.page - b.page })
}

// bookmarks notes the table of contents, as far as it leads to pages.
func (p *pdf) bookmarks(marks []responses.GetBookmarksBookmark, level int) {
	for _, m := range marks {
		if len(p.outline) > 10_000 || level > 9 {
			return
		}
		dest := m.DestInfo
		if dest == nil && m.ActionInfo != nil {
			dest = m.ActionInfo.DestInfo
		}
		if title := oneLine(m.Title); dest != nil && title != "" {
			p.outline = append(p.outline, bookmark{page: dest.PageIndex + 1, level: level, title: title})
		}
		p.bookmarks(m.Children, level+1)
	}
}

// pdfTime reads a date as PDF writes it, such as D:20240131120000+01'00'; zero where it is none.
func pdfTime(s string) time.Time {
	s = strings.ReplaceAll(strings.TrimPrefix(s, "D:"), "'", "")
	for _, form := range []string{"20060102150405-0700", "20060102150405Z0000", "20060102150405Z", "20060102150405", "200601021504", "20060102", "200601", "2006"} {
		if t, err := time.Parse(form, s); err == nil {
			return plausible(t)
		}
	}
	return anyTime(s)
}

// pdfLine is a line as it stands on a page.
type pdfLine struct {
	text        string
	top, bottom float64
	left        float64
	size        float64
}

// page reads the lines of a page from top to bottom, as the file orders them.
func (p *pdf) page(n int) (lines []pdfLine, err error) {
	page := requests.Page{ByIndex: &requests.PageByIndex{Document: p.doc, Index: n - 1}}
	got, err := p.engine.GetPageTextStructured(&requests.GetPageTextStructured{
		Page: page, Mode: requests.GetPageTextStructuredModeRects, CollectFontInformation: true,
	})
	if err != nil {
		return nil, err
	}
	total := 0
	for _, r := range got.Rects {
		text := strings.Map(readable, r.Text)
		if strings.TrimSpace(text) == "" {
			continue
		}
		if total += len(text); total > pdfPageText {
			return nil, tooMuch("page %d has more than %d bytes of text", n, pdfPageText)
		}
		l := pdfLine{text: strings.TrimSpace(text), top: r.PointPosition.Top, bottom: r.PointPosition.Bottom, left: r.PointPosition.Left}
		if r.FontInformation != nil {
			l.size = math.Round(r.FontInformation.Size*2) / 2
		}
		if l.size <= 1 { // the size is in the matrix of the text
			l.size = math.Round((l.top-l.bottom)*2) / 2
		}
		if last := len(lines) - 1; last >= 0 && lines[last].beside(l) {
			lines[last].join(l)
			continue
		}
		lines = append(lines, l)
	}
	return lines, nil
}

// readable drops what PDFium puts in for what has no letter.
func readable(r rune) rune {
	switch {
	case r == '\r' || r == '\n' || r == '\t':
		return ' '
	case r == 0xfffe || r == 0xffff || r == 0x02: // a hyphen at the end of a line
		return '-'
	case unicode.IsControl(r) || unicode.Is(unicode.Co, r):
		return -1
	}
	return r
}

// beside says whether a piece of text stands on the line behind what is there.
func (l *pdfLine) beside(o pdfLine) bool {
	height := min(l.top-l.bottom, o.top-o.bottom)
	return min(l.top, o.top)-max(l.bottom, o.bottom) > height/2 && o.left >= l.left
}

func (l *pdfLine) join(o pdfLine) {
	sep := " "
	if wideEnd(l.text) && wideStart(o.text) {
		sep = ""
	}
	l.text += sep + o.text
	l.top, l.bottom, l.size = max(l.top, o.top), min(l.bottom, o.bottom), max(l.size, o.size)
}

func wideEnd(s string) bool {
	r := []rune(s)
	return len(r) > 0 && isWide(r[len(r)-1])
}

func wideStart(s string) bool {
	for _, r := range s {
		return isWide(r)
	}
	return false
}

// isWide says whether a letter is of a script that has no blanks between words.
func isWide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r >= 0x3000 && r <= 0x303F || r >= 0xFF00 && r <= 0xFFEF
}

// take puts the lines of a page together: a larger gap, another size of letters or a line that ends early ends a paragraph.
func (p *pdf) take(n int, lines []pdfLine) error {
	if err := p.reader.page(n); err != nil {
		return err
	}
	for len(p.outline) > 0 && p.outline[0].page <= n {
		mark := p.outline[0]
		p.outline = p.outline[1:]
		p.sizes = nil // the table of contents knows better than sizes
		if mark.level <= 2 && len(p.meta.Headings) < maxHeadings {
			p.meta.Headings = append(p.meta.Headings, mark.title)
		}
		if err := p.chunks.heading(mark.level, mark.title, ""); err != nil {
			return err
		}
	}
	for _, l := range lines {
		if p.sizes != nil {
			p.sizes[l.size] += len(l.text)
			if p.body == 0 || p.sizes[l.size] > p.sizes[p.body] {
				p.body = l.size
			}
		}
	}
	gap := lineGap(lines)
	var par strings.Builder
	end := func() error {
		text := par.String()
		par.Reset()
		return p.paragraph(text)
	}
	for i, l := range lines {
		if p.sizes != nil && p.isHeading(l) {
			if err := end(); err != nil {
				return err
			}
			level := 2
			if l.size > p.body*1.5 {
				level = 1
			}
			if err := p.heading(level, l.text); err != nil {
				return err
			}
			continue
		}
		if i > 0 && par.Len() > 0 {
			before := lines[i-1]
			if before.bottom-l.top > gap*1.6+1 || l.bottom > before.top || math.Abs(before.size-l.size) > 1 {
				if err := end(); err != nil {
					return err
				}
			}
		}
		joinLine(&par, l.text)
	}
	return end()
}

// joinLine puts a line behind those of its paragraph: a word that was cut is whole again.
func joinLine(par *strings.Builder, line string) {
	text := par.String()
	switch {
	case text == "":
	case strings.HasSuffix(text, "-") && startsLower(line) && endsLower(strings.TrimSuffix(text, "-")):
		par.Reset()
		par.WriteString(strings.TrimSuffix(text, "-"))
	case wideEnd(text) && wideStart(line):
	default:
		par.WriteByte(' ')
	}
	par.WriteString(line)
}

func startsLower(s string) bool {
	for _, r := range s {
		return unicode.IsLower(r)
	}
	return false
}

func endsLower(s string) bool {
	r := []rune(s)
	return len(r) > 0 && unicode.IsLower(r[len(r)-1])
}

// isHeading says whether a line is one by the size of its letters.
func (p *pdf) isHeading(l pdfLine) bool {
	return p.body > 0 && l.size >= p.body*1.15 && len(l.text) < 200 && strings.ContainsFunc(l.text, unicode.IsLetter)
}

// lineGap is what usually lies between two lines of a page.
func lineGap(lines []pdfLine) float64 {
	var gaps []float64
	for i := 1; i < len(lines); i++ {
		if g := lines[i-1].bottom - lines[i].top; g >= 0 {
			gaps = append(gaps, g)
		}
	}
	if len(gaps) == 0 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2]
}
