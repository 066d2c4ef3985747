package ingest_test

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
	"golang.org/x/text/encoding/unicode"

	"recollect/backend/ingest"
	"recollect/backend/ingest/ingesttest"
	"recollect/backend/memory"
	"recollect/backend/segment"
)

// read reads a document that is in memory.
func read(t *testing.T, name string, content []byte) (ingest.Meta, []ingest.Chunk, error) {
	t.Helper()
	var chunks []ingest.Chunk
	meta, err := ingest.Read(t.Context(), ingest.Source{Name: name, File: bytes.NewReader(content), Bytes: int64(len(content))},
		func(_ *ingest.Meta, c ingest.Chunk) error { chunks = append(chunks, c); return nil })
	return meta, chunks, err
}

// mustRead reads one that can be read.
func mustRead(t *testing.T, name string, content []byte) (ingest.Meta, []ingest.Chunk) {
	t.Helper()
	meta, chunks, err := read(t, name, content)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	for i, c := range chunks {
		if n := segment.Tokens(c.Text); n > 380 || n == 0 {
			t.Errorf("%s: piece %d has %d tokens", name, i, n)
		}
		if c.Lead >= utf8.RuneCountInString(c.Text) || c.Page < 1 {
			t.Errorf("%s: piece %d: lead %d of %d characters, page %d", name, i, c.Lead, utf8.RuneCountInString(c.Text), c.Page)
		}
	}
	return meta, chunks
}

// said is the text of a document, each part of it once.
func said(chunks []ingest.Chunk) string {
	var b strings.Builder
	for _, c := range chunks {
		b.WriteString(string([]rune(c.Text)[c.Lead:]) + "\n")
	}
	return b.String()
}

func find(t *testing.T, chunks []ingest.Chunk, text string) ingest.Chunk {
	t.Helper()
	i := slices.IndexFunc(chunks, func(c ingest.Chunk) bool { return strings.Contains(c.Text, text) })
	if i < 0 {
		t.Fatalf("nothing says %q:\n%s", text, said(chunks))
	}
	return chunks[i]
}

func TestFormatsGiveTextHeadingsAndWhatTheySayOfThemselves(t *testing.T) {
	for name, c := range map[string]struct {
		content  string
		format   memory.DocumentFormat
		title    string
		language string
		author   string
		created  string
		text     string // is said
		under    string // this heading
		not      string // and this is not
	}{
		"ride.md": {
			content: "---\ntitle: Rides of the year\nauthor: Mina\ndate: 2025-03-02\n---\n# Spring\n\nThe first ride of the year was to the coast, and the wind was with us for once. On the way back it was not, and it was late when we came home to the cat.\n\n## Gear\n\nThe **tent** is the old one that we had with us the year before.\n\n```sh\n# not a heading\nmake all\n```\n",
			format:  memory.FormatMarkdown, title: "Rides of the year", author: "Mina", created: "2025-03-02", language: "en", text: "The **tent**", under: "Spring › Gear", not: "title:",
		},
		"骑行.md": {
			content: "# 春天\n\n第一次骑行是去海边，路上风很大，回来的时候已经很晚了，猫在门口等我们。\n\n装备\n---\n\n帐篷还是旧的那顶。\n", format: memory.FormatMarkdown, title: "春天", language: "zh", text: "帐篷", under: "春天 › 装备",
		},
		"page.html": {
			content: "<!doctype html><html lang=en><head><title>The shop &amp; you</title><meta name=author content=Ada><meta property='article:published_time' content='2024-05-06T07:08:09Z'><script>var secret = 1;</script></head><body><nav>Home</nav><h1>Prices</h1><p>A pump costs <b>12</b> euros.<br>A bell 5.</p><table><tr><th>part</th><th>price</th></tr><tr><td>chain</td><td>20</td></tr></table><pre>a\n  b</pre><ul><li>one<li>two</ul></body></html>",
			format:  memory.FormatHTML, title: "The shop & you", author: "Ada", created: "2024-05-06", language: "en", text: "part | price\nchain | 20", under: "Prices", not: "secret",
		},
		"people.csv": {
			content: "name;city;note\nAnna;Bern;\"likes; semicolons\nand lines\"\nBen;Wien;\n", format: memory.FormatCSV, title: "people", text: "name: Anna; city: Bern; note: likes; semicolons and lines",
		},
		"values.csv": {content: "1,2,3\n4,5,6\n", format: memory.FormatCSV, title: "values", text: "4; 5; 6"},
		"data.json": {
			content: `{"owner":{"name":"Mina","pets":["Niangao","Mochi"]},"rides":[{"km":87},{"km":null,"to":"coast"}],"empty":{}}`,
			format:  memory.FormatJSON, title: "data", text: "owner.pets: Mochi", not: "null",
		},
		"log.jsonl": {content: "{\"a\":1}\n{\"a\":2}\n", format: memory.FormatJSON, title: "log", text: "a: 2"},
		"main.go": {
			content: "// Package main rides.\npackage main\n\nimport \"fmt\"\n\n// Ride rides.\nfunc Ride(km int) error {\n\tfmt.Println(km)\n\n\treturn nil\n}\n", format: memory.FormatCode, title: "main", text: "func Ride(km int) error {\n\tfmt.Println(km)\n\n\treturn nil\n}",
		},
		"letter.eml": {
			content: "From: =?utf-8?b?546L5bCP5piO?= <ming@example.org>\r\nTo: Mina <mina@example.org>\r\nSubject: =?utf-8?q?The_keys?=\r\nDate: Tue, 03 Mar 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n--c\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nThe caf=E9 has the keys.\r\n\r\n--c\r\nContent-Type: text/html\r\n\r\n<p>The same in <b>HTML</b></p>\r\n--c--\r\n--b\r\nContent-Type: application/pdf\r\nContent-Disposition: attachment; filename=plan.pdf\r\n\r\n%PDF\r\n--b--\r\n",
			format:  memory.FormatEmail, title: "The keys", author: "王小明 <ming@example.org>", created: "2026-03-03", text: "The café has the keys.", not: "HTML",
		},
		"hidden.html": {
			content: "<p>Seen.<p hidden>Not one.<p>Seen too.</p><div style='color:red; display: none'>Not <div>two <p>three</div> four</div><li hidden>Not<ul><li>five</ul></li><li>Last</li><img hidden alt=cat><table><tr><td style='visibility:hidden'>Not six<td>cell</table><body style='display:none'>Shown",
			format:  memory.FormatHTML, title: "hidden", text: "Seen too.", not: "Not",
		},
		"unclosed.html": {content: "<div><p hidden>Not this</div><p>Seen", format: memory.FormatHTML, title: "unclosed", text: "Seen", not: "Not"},
		"html first.eml": {
			content: "From: Ann <ann@example.org>\r\nSubject: Keys\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>They hang in the <b>cellar</b>.</p>\r\n--b\r\nContent-Type: text/plain\r\n\r\nThey hang in the cellar, once more.\r\n--b--\r\n",
			format:  memory.FormatEmail, title: "Keys", author: "Ann <ann@example.org>", text: "They hang in the cellar.", not: "once more",
		},
		"html alone.eml": {
			content: "From: Ann <ann@example.org>\r\nSubject: Keys\r\nMIME-Version: 1.0\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\n \r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>They hang in the cellar.</p>\r\n--b--\r\n",
			format:  memory.FormatEmail, title: "Keys", author: "Ann <ann@example.org>", text: "They hang in the cellar.",
		},
		"both.eml": {
			content: "From: Ann <ann@example.org>\r\nSubject: Keys\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nThey hang in the cellar.\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>Behind the boiler.</p>\r\n--b--\r\n",
			format:  memory.FormatEmail, title: "Keys", author: "Ann <ann@example.org>", text: "They hang in the cellar.\n\nBehind the boiler.",
		},
		"forward.eml": {
			content: "From: Ann <ann@example.org>\r\nSubject: Fwd\r\nDate: Tue, 03 Mar 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r\nSee below.\r\n--b\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename=old.eml\r\n\r\nFrom: Bob <bob@example.org>\r\nSubject: The code\r\nContent-Type: text/html\r\n\r\n<p>It is 4711.</p>\r\n--b--\r\n",
			format:  memory.FormatEmail, title: "Fwd", author: "Ann <ann@example.org>", created: "2026-03-03", text: "Date: 2026-03-03 10:00 +0100\nSubject: Fwd\n\nSee below.\n\nFrom: Bob <bob@example.org>\nSubject: The code\n\nIt is 4711.", not: "old.eml",
		},
		"mailbox.eml": {
			content: "From ann@example.org Tue Mar  3 10:00:00 2026\nFrom: Ann <ann@example.org>\nSubject: Keys\n\nThey hang in the cellar.\n", format: memory.FormatEmail, title: "Keys", author: "Ann <ann@example.org>", text: "They hang in the cellar.",
		},
		"about.txt": {content: "%PDF- is how a PDF begins.\n", format: memory.FormatText, title: "about", text: "how a PDF begins"},
		"MZ.txt":    {content: "MZ is how a program for Windows begins.\n", format: memory.FormatText, title: "MZ", text: "how a program"},
		"novel.txt": {
			content: "Chapter 1\n\nIt was the best of times, and it was the worst of times for all of them, or so they said to each other in the evening by the fire.\n\nChapter 2\n\nThe second one was better than the one before it was.\n", format: memory.FormatText, title: "Chapter 1", language: "en", text: "second one", under: "Chapter 2",
		},
	} {
		meta, chunks := mustRead(t, name, []byte(c.content))
		if meta.Format != c.format || meta.Title != c.title || meta.Author != c.author || c.language != "" && meta.Language != c.language {
			t.Errorf("%s: %+v", name, meta)
		}
		if c.created != "" && meta.Created.Format(time.DateOnly) != c.created {
			t.Errorf("%s was created on %v", name, meta.Created)
		}
		if got := find(t, chunks, c.text); c.under != "" && got.Heading != c.under {
			t.Errorf("%s: %q stands under %q", name, c.text, got.Heading)
		}
		if c.not != "" && strings.Contains(said(chunks), c.not) {
			t.Errorf("%s says %q:\n%s", name, c.not, said(chunks))
		}
	}
}

func TestTextIsReadInItsEncoding(t *testing.T) {
	zh := strings.Repeat("我们在春天骑车去海边，路上看见很多人。这是今年的第一次，大家都说要再来。", 4)
	tw := strings.Repeat("我們在春天騎車去海邊，路上看見很多人。這是今年的第一次，大家都說要再來。", 4)
	ja := strings.Repeat("春になって自転車で海まで走りました。道でたくさんの人に会いました。", 4)
	ru := strings.Repeat("Весной мы поехали на велосипедах к морю. Было ветрено и холодно. ", 4)
	fr := strings.Repeat("Le café est fermé, mais la forêt est très belle cet été. ", 4)
	for name, c := range map[string]struct {
		encoding encoding.Encoding
		text     string
	}{
		"UTF-8":                {unicode.UTF8, zh},
		"UTF-8 with a mark":    {unicode.UTF8BOM, zh},
		"UTF-16 with a mark":   {unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), zh},
		"UTF-16 big endian":    {unicode.UTF16(unicode.BigEndian, unicode.UseBOM), fr},
		"UTF-16 without mark":  {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), fr},
		"GB18030":              {simplifiedchinese.GB18030, zh},
		"Big5":                 {traditionalchinese.Big5, tw},
		"Shift-JIS":            {japanese.ShiftJIS, ja},
		"UTF-16 of Chinese":    {unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), zh},
		"UTF-16 of Chinese BE": {unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), tw},
		"Windows-1251":         {charmap.Windows1251, ru},
		"KOI8-R":               {charmap.KOI8R, ru},
		"Windows-1252":         {charmap.Windows1252, fr},
	} {
		encoded, err := c.encoding.NewEncoder().String(c.text)
		if err != nil {
			t.Fatal(err)
		}
		_, chunks := mustRead(t, "a.txt", []byte(encoded))
		if got := strings.TrimSpace(strings.ReplaceAll(said(chunks), "\n", "")); got != strings.TrimSpace(c.text) {
			t.Errorf("%s reads as %.60q", name, got)
		}
	}
	if _, chunks := mustRead(t, "a.txt", []byte("caf\xe9")); chunks[0].Text != "café" {
		t.Errorf("a last letter in an old encoding reads as %q", chunks[0].Text)
	}
	// What says something only late is looked at there.
	late, _ := simplifiedchinese.GB18030.NewEncoder().String(strings.Repeat("plain words in ASCII. ", 10_000) + "\n\n" + zh) //nolint:errcheck // of its letters
	_, chunks := mustRead(t, "late.txt", []byte(late))
	find(t, chunks, "骑车去海边")
}

// programmers are words of the libraries that read files.
var programmers = regexp.MustCompile(`\n|wasm|flate|zip:|(?i:xml)|syntax|csv|parse|base64|(?i:mime)|entit|EOF|: \d`)

// lockedZip is a Word document in an archive with a password, as zip -P makes it.
func lockedZip(t *testing.T) []byte {
	t.Helper()
	return packed(t, zip.FileHeader{Name: "word/document.xml", Method: zip.Deflate, Flags: 1})
}

// damagedZip is a Word document whose text cannot be unfolded.
func damagedZip(t *testing.T) []byte {
	t.Helper()
	return packed(t, zip.FileHeader{Name: "word/document.xml", Method: zip.Deflate})
}

// packed is an archive of one file whose content is not what its head says.
func packed(t *testing.T, head zip.FileHeader) []byte {
	t.Helper()
	content := bytes.Repeat([]byte{0xff}, 60)
	head.CompressedSize64, head.UncompressedSize64 = uint64(len(content)), 200
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateRaw(&head)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestADamagedJSONSaysWhere(t *testing.T) {
	_, _, err := read(t, "a.json", []byte("{\"a\": 1,\n\n\"b\": tree}"))
	if p := memory.ProblemOf(err); !strings.Contains(p.Message, "line 3") || !strings.Contains(p.Chinese, "第 3 行") {
		t.Errorf("%+v", p)
	}
}

func TestFilesThatCannotBeReadSayWhy(t *testing.T) {
	deep := strings.Repeat("[", 5000)
	quote := "a,b\n1,\"" + strings.Repeat("never closed ", 1<<20)
	for name, c := range map[string]struct {
		file    string
		content []byte
		code    memory.Code
		remedy  memory.Remedy
	}{
		"empty":                    {"a.txt", nil, memory.EINVALID, memory.RemedyFillFile},
		"white space":              {"a.md", []byte(" \n\n\t\n"), memory.EINVALID, memory.RemedyFillFile},
		"a page of nothing":        {"a.html", []byte("<html><script>1</script></html>"), memory.EINVALID, memory.RemedyFillFile},
		"binary of no kind":        {"a.dat", []byte("a\x00b\x01\x02\x03"), memory.EUNSUPPORTED, memory.RemedyOtherFormat},
		"binary page":              {"a.html", []byte("<html>a\x00b\x01\x02\x03"), memory.EINVALID, memory.RemedyCheckFile},
		"binary":                   {"a.txt", []byte("a\x00b\x01\x02\x03"), memory.EINVALID, memory.RemedyCheckFile},
		"picture":                  {"a.txt", []byte("\x89PNG\r\n\x1a\n...."), memory.EUNSUPPORTED, memory.RemedyOtherFormat},
		"no PDF":                   {"a.pdf", []byte("hello"), memory.EINVALID, memory.RemedyCheckFile},
		"half a PDF":               {"a.pdf", pdf(t, ingesttest.PDF{Pages: 3, Page: lorem})[:900], memory.EINVALID, memory.RemedyCheckFile},
		"locked PDF":               {"a.pdf", pdf(t, ingesttest.PDF{Pages: 1, Page: lorem, Locked: true}), memory.EUNSUPPORTED, memory.RemedyUnlockFile},
		"scanned PDF":              {"a.pdf", pdf(t, ingesttest.PDF{Pages: 3, Scanned: true}), memory.EUNSUPPORTED, memory.RemedyRecogniseText},
		"bomb in a PDF":            {"a.pdf", bombPDF(t), memory.ELIMIT, memory.RemedySplitFile},
		"old Office file":          {"a.doc", []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1........"), memory.EUNSUPPORTED, memory.RemedyOtherFormat},
		"locked DOCX":              {"a.docx", append([]byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), []byte("E\x00n\x00c\x00r\x00y\x00p\x00t\x00e\x00d\x00P\x00a\x00c\x00k\x00a\x00g\x00e\x00")...), memory.EUNSUPPORTED, memory.RemedyUnlockFile},
		"DOCX in a locked archive": {"a.docx", lockedZip(t), memory.EUNSUPPORTED, memory.RemedyUnlockFile},
		"damaged DOCX":             {"a.docx", damagedZip(t), memory.EINVALID, memory.RemedyCheckFile},
		"DOCX of another XML":      {"a.docx", docx(t, nil, "<w:p><w:r>&nothing;</w:r"), memory.EINVALID, memory.RemedyCheckFile},
		"half a DOCX":              {"a.docx", docx(t, nil, para("", "hello"))[:200], memory.EINVALID, memory.RemedyCheckFile},
		"sheet":                    {"a.xlsx", zipped(t, map[string]string{"xl/workbook.xml": "<a/>"}), memory.EUNSUPPORTED, memory.RemedyOtherFormat},
		"OpenDocument":             {"a.odt", zipped(t, map[string]string{"content.xml": "<a/>"}), memory.EUNSUPPORTED, memory.RemedyOtherFormat},
		"archive":                  {"a.zip", zipped(t, map[string]string{"a.txt": "hello"}), memory.EUNSUPPORTED, memory.RemedyOtherFormat},
		"bomb":                     {"a.docx", docx(t, nil, "<w:p><w:r><w:t>"+strings.Repeat("a", 200<<20)+"</w:t></w:r></w:p>"), memory.ELIMIT, memory.RemedySplitFile},
		"entities":                 {"a.docx", zipped(t, map[string]string{"word/document.xml": `<!DOCTYPE d [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><w:document><w:body><w:p><w:r><w:t>&b;</w:t></w:r></w:p></w:body></w:document>`}), memory.EINVALID, memory.RemedyCheckFile},
		"deep DOCX":                {"a.docx", docx(t, nil, strings.Repeat("<w:sdt>", 5000)), memory.ELIMIT, memory.RemedySplitFile},
		"deep JSON":                {"a.json", []byte(deep), memory.ELIMIT, memory.RemedySplitFile},
		"broken JSON":              {"a.json", []byte(`{"a": 1,`), memory.EINVALID, memory.RemedyCheckFile},
		"half a JSON":              {"a.json", []byte("{\"a\":"), memory.EINVALID, memory.RemedyCheckFile},
		"half a JSON value":        {"a.json", []byte("{\"a\": \"b"), memory.EINVALID, memory.RemedyCheckFile},
		"no JSON":                  {"a.json", []byte("{\"a\": 1,\n\"b\": tree}"), memory.EINVALID, memory.RemedyCheckFile},
		"open quotation":           {"a.csv", []byte(quote), memory.EINVALID, memory.RemedyCheckFile},
		"bad code in a mail":       {"a.eml", []byte("From: a@b.c\nContent-Transfer-Encoding: base64\n\n!!!!\n"), memory.EINVALID, memory.RemedyCheckFile},
		"no head":                  {"a.eml", []byte("no colon here\n\nHello.\n"), memory.EINVALID, memory.RemedyCheckFile},
		"no message":               {"a.eml", []byte("just words\n"), memory.EINVALID, memory.RemedyCheckFile},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := read(t, c.file, c.content)
			var e *memory.Error
			if !errors.As(err, &e) || e.Code != c.code || e.Remedy != c.remedy {
				t.Fatalf("%v: %+v", err, e)
			}
			if programmers.MatchString(e.Message) {
				t.Errorf("the message is for programmers: %s", e.Message)
			}
		})
	}
}

func pdf(t *testing.T, p ingesttest.PDF) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bombPDF is a page that unfolds to more than there is memory for.
func bombPDF(t *testing.T) []byte {
	t.Helper()
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	blank := bytes.Repeat([]byte(" "), 1<<20)
	for range 400 {
		if _, err := z.Write(blank); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, "%%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj\n"+
		"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>\nendobj\n"+
		"4 0 obj\n<< /Filter /FlateDecode /Length %d >>\nstream\n%s\nendstream\nendobj\ntrailer << /Root 1 0 R /Size 5 >>\n", packed.Len(), packed.Bytes())
}

func lorem(page int) []string {
	return []string{
		fmt.Sprintf("# Chapter %d", page), "The keys are with the neigh-", "bour, who is at home on week-", "days until five.", "",
		fmt.Sprintf("On page %d the number of the house is %d.", page, page*7),
	}
}

func TestAPDFGivesItsPagesHeadingsAndDates(t *testing.T) {
	meta, chunks := mustRead(t, "house.pdf", pdf(t, ingesttest.PDF{
		Title: "房屋手册 The house", Created: "D:20240131120000Z", Pages: 12, Page: func(n int) []string {
			if n == 3 {
				return []string{"# 钥匙", "钥匙在邻居那里，他工作日五点以前在", "家。"}
			}
			return lorem(n)
		},
	}))
	if meta.Title != "房屋手册 The house" || meta.Pages != 12 || !meta.Paged || meta.Created.Format(time.DateOnly) != "2024-01-31" {
		t.Errorf("%+v", meta)
	}
	if c := find(t, chunks, "the number of the house is 49."); c.Page != 7 || c.Heading != "Chapter 7" {
		t.Errorf("%+v", c)
	}
	if c := find(t, chunks, "钥匙在邻居那里，他工作日五点以前在家。"); c.Page != 3 || c.Heading != "钥匙" {
		t.Errorf("%+v", c)
	}
	find(t, chunks, "The keys are with the neighbour, who is at home on weekdays until five.")
}

func TestPagesWithoutTextAreTold(t *testing.T) {
	content := pdf(t, ingesttest.PDF{Title: "The house", Pages: 10, Page: func(n int) []string {
		if n > 1 {
			return nil
		}
		return lorem(n)
	}})
	meta, _ := mustRead(t, "house.pdf", content)
	if got := ingest.Summary(meta); !strings.HasPrefix(got, "“The house”: a PDF of 10 pages, 9 of them without text,") {
		t.Error(got)
	}
	if got := memory.SummaryRepeats(ingest.Summary(meta)); !strings.HasPrefix(got, meta.Headings[0]) {
		t.Error(got)
	}
	meta, _ = mustRead(t, "note.pdf", pdf(t, ingesttest.PDF{Title: "A note", Pages: 1, Page: lorem}))
	if got := ingest.Summary(meta); !strings.HasPrefix(got, "“A note”: a PDF of 1 page.") {
		t.Error(got)
	}
}

func TestTheTableOfContentsOfAPDFGivesItsHeadings(t *testing.T) {
	_, chunks := mustRead(t, "house.pdf", pdf(t, ingesttest.PDF{Pages: 6, Page: lorem, Outline: map[int]string{1: "About", 4: "Doors and keys"}}))
	if c := find(t, chunks, "On page 5"); c.Heading != "Doors and keys" {
		t.Errorf("%+v", c)
	}
}

func para(style, text string) string {
	if style != "" {
		style = `<w:pPr><w:pStyle w:val="` + style + `"/></w:pPr>`
	}
	return "<w:p>" + style + "<w:r><w:t>" + text + "</w:t></w:r></w:p>"
}

func docx(t *testing.T, more map[string]string, body string) []byte {
	t.Helper()
	files := map[string]string{"word/document.xml": `<?xml version="1.0" encoding="UTF-8"?><w:document xmlns:w="w"><w:body>` + body + `</w:body></w:document>`}
	for name, content := range more {
		files[name] = content
	}
	return zipped(t, files)
}

func zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, content := range files {
		w, err := z.Create(name)
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestAWordDocumentGivesHeadingsPagesTablesAndNoDeletedText(t *testing.T) {
	meta, chunks := mustRead(t, "lease.docx", docx(t, map[string]string{
		"docProps/core.xml":  `<cp:coreProperties xmlns:dc="d" xmlns:dcterms="t"><dc:title>The lease</dc:title><dc:creator>Ada</dc:creator><dcterms:created>2023-02-01T10:00:00Z</dcterms:created></cp:coreProperties>`,
		"word/styles.xml":    `<w:styles xmlns:w="w"><w:style w:styleId="1"><w:name w:val="heading 1"/></w:style><w:style w:styleId="a7"><w:name w:val="标题二"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style></w:styles>`,
		"word/footnotes.xml": `<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="0">` + para("", "Old line") + `</w:footnote><w:footnote w:id="2">` + para("", "A note.") + `</w:footnote></w:footnotes>`,
	}, para("1", "Rent")+para("", "The rent is due on the third of the month.")+
		`<w:p><w:del><w:r><w:delText>Old.</w:delText><w:t>Older.</w:t></w:r></w:del><w:r><w:t>New</w:t></w:r><w:r><w:tab/><w:t>words.</w:t></w:r></w:p>`+
		`<w:tbl><w:tr><w:tc>`+para("", "Month")+`</w:tc><w:tc>`+para("", "Euros")+`</w:tc></w:tr><w:tr><w:tc>`+para("", "May")+`</w:tc><w:tc>`+para("", "900")+`</w:tc></w:tr></w:tbl>`+
		`<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>Old and hidden.</w:t></w:r><w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>Shown.</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>`+
		`<w:p><w:r><w:pict><v:textbox xmlns:v="v"><w:txbxContent>`+para("", "In a box.")+`</w:txbxContent></v:textbox></w:pict></w:r></w:p>`+
		`<w:p><w:r><w:br w:type="page"/></w:r></w:p>`+para("a7", "Keys")+para("", "There are two keys &amp; a card.")))
	if meta.Title != "The lease" || meta.Author != "Ada" || meta.Created.Format(time.DateOnly) != "2023-02-01" || meta.Pages != 2 || !meta.Paged {
		t.Errorf("%+v", meta)
	}
	text := said(chunks)
	for _, wanted := range []string{"The rent is due", "New\twords.", "Month | Euros\nMay | 900", "Shown.", "In a box.", "A note."} {
		if !strings.Contains(text, wanted) {
			t.Errorf("nothing says %q:\n%s", wanted, text)
		}
	}
	if strings.Contains(text, "Old") {
		t.Errorf("deleted text is read:\n%s", text)
	}
	if c := find(t, chunks, "two keys & a card"); c.Page != 2 || c.Heading != "Rent › Keys" {
		t.Errorf("%+v", c)
	}
}

func TestTheTextOfAWordDocumentMayBeNumbered(t *testing.T) {
	_, chunks := mustRead(t, "a.docx", zipped(t, map[string]string{"word/document2.xml": `<w:document xmlns:w="w"><w:body>` + para("", "Here it is.") + `</w:body></w:document>`}))
	find(t, chunks, "Here it is.")
}

func TestPiecesKeepWhatBelongsTogether(t *testing.T) {
	words := func(n int, about string) string {
		return strings.TrimSpace(strings.Repeat(about+" is what this sentence is about. ", n))
	}
	table := "| part | price |\n|---|---|\n" + strings.Repeat("| chain of the bicycle | 20 |\n", 90)
	source := "# One\n\n" + words(30, "Rain") + "\n\n" + words(3, "Snow") + "\n\n" + words(8, "Hail") + "\n\n## Code\n\n```go\n" + strings.Repeat("call(it)\n", 40) + "```\n\n## Prices\n\n" + table
	_, chunks := mustRead(t, "a.md", []byte(source))
	fence := find(t, chunks, "```go")
	if strings.Count(fence.Text, "call(it)") != 40 || fence.Heading != "One › Code" {
		t.Errorf("the code was cut: %+v", fence)
	}
	rows := 0
	for _, c := range chunks {
		if c.Heading == "One › Prices" {
			rows += strings.Count(c.Text, "chain of")
			if !strings.Contains(c.Text, "| part | price |") {
				t.Errorf("a part of the table has no heading: %.80q", c.Text)
			}
		}
	}
	if rows != 90 {
		t.Errorf("%d rows", rows)
	}
	// Each piece of a long text begins with the end of the one before, and says the rest once.
	if strings.Count(said(chunks), "Rain is") != 30 || !strings.HasPrefix(chunks[1].Text, "Rain is") || chunks[1].Lead == 0 {
		t.Errorf("%d of 30; %.40q, lead %d", strings.Count(said(chunks), "Rain is"), chunks[1].Text, chunks[1].Lead)
	}
	_, one := mustRead(t, "long.txt", []byte(strings.Repeat("无标点", 3000)))
	if got := strings.Count(strings.ReplaceAll(said(one), "\n", ""), "无标点"); got < 2900 {
		t.Errorf("%d of 3000", got)
	}
}

func TestAChangeMovesOnlyThePiecesAroundIt(t *testing.T) {
	var source []string
	for i := range 400 {
		source = append(source, fmt.Sprintf("Paragraph %d tells of the ride number %d, which was %d kilometres long and went to the coast and back again.", i, i, i*13%97))
	}
	_, before := mustRead(t, "a.txt", []byte(strings.Join(source, "\n\n")))
	source = slices.Insert(source, 20, "Something new that was not known before.")
	_, after := mustRead(t, "a.txt", []byte(strings.Join(source, "\n\n")))
	known := map[string]bool{}
	for _, c := range before {
		known[c.Text] = true
	}
	fresh := 0
	for _, c := range after {
		if !known[c.Text] {
			fresh++
		}
	}
	if fresh > 6 || len(after) < 30 {
		t.Errorf("%d of %d pieces are new", fresh, len(after))
	}
}

func TestReadingStops(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	content := pdf(t, ingesttest.PDF{Pages: 40, Page: lorem})
	n := 0
	_, err := ingest.Read(ctx, ingest.Source{Name: "a.pdf", File: bytes.NewReader(content), Bytes: int64(len(content))}, func(*ingest.Meta, ingest.Chunk) error {
		if n++; n == 3 {
			stop()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || n > 3 {
		t.Errorf("%v after %d pieces", err, n)
	}
}
