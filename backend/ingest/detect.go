package ingest

import (
	"archive/zip"
	"bytes"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"recollect/backend/memory"
)

// extensions of text formats that cannot be told by their content. Anything else that is text is read as plain text.
var extensions = map[memory.DocumentFormat][]string{
	memory.FormatHTML:     {".html", ".htm", ".xhtml"},
	memory.FormatMarkdown: {".md", ".markdown", ".mdown", ".mkd"},
	memory.FormatCSV:      {".csv", ".tsv"},
	memory.FormatJSON:     {".json", ".jsonl", ".ndjson", ".geojson"},
	memory.FormatEmail:    {".eml"},
	memory.FormatCode: {
		".go", ".py", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".svelte", ".vue", ".java", ".kt", ".kts", ".scala", ".c", ".h",
		".cc", ".cpp", ".cxx", ".hpp", ".m", ".mm", ".cs", ".fs", ".vb", ".rs", ".rb", ".php", ".pl", ".pm", ".lua", ".r", ".jl",
		".swift", ".dart", ".ex", ".exs", ".erl", ".hs", ".ml", ".clj", ".lisp", ".el", ".sh", ".bash", ".zsh", ".fish", ".ps1",
		".bat", ".sql", ".css", ".scss", ".less", ".proto", ".graphql", ".tf", ".cmake", ".gradle", ".groovy", ".asm", ".s", ".zig",
		".nim", ".v", ".sol", ".xml", ".xsd", ".xsl", ".svg", ".yaml", ".yml", ".toml", ".ini", ".cfg", ".conf", ".properties", ".tex",
	},
}

// names of files of source code that have no extension.
var codeNames = []string{"makefile", "dockerfile", "jenkinsfile", "rakefile", "gemfile", "cmakelists.txt"}

// otherFormats are beginnings of files that people may take for documents, and that are not read.
var otherFormats = []string{
	"\x7fELF", "MZ", "\x89PNG", "\xff\xd8\xff", "GIF8", "RIFF", "ID3", "OggS", "fLaC", "\x1f\x8b", "7z\xbc\xaf", "Rar!", "BZh",
	"\xfd7zXZ", "SQLite format 3\x00", "\x00\x00\x01\x00", "wOFF", "wOF2", "GGUF",
}

// pdfMark is how a PDF begins; a text may speak of it.
var pdfMark = regexp.MustCompile(`^%PDF-\d\.\d`)

// detect tells what a file is, by its content first and its name second, and how it is read.
func detect(src Source) (memory.DocumentFormat, func(*reader) error, error) {
	head := make([]byte, 4096)
	n, err := src.File.ReadAt(head, 0)
	if err != nil && err != io.EOF { //nolint:errorlint // ReadAt returns it bare
		return "", nil, damaged(err)
	}
	head = head[:n]
	name := strings.ToLower(filepath.Base(strings.ReplaceAll(src.Name, `\`, "/")))
	switch {
	case pdfMark.Match(head), strings.HasSuffix(name, ".pdf") && bytes.Contains(head[:min(n, 1024)], []byte("%PDF-")):
		return memory.FormatPDF, readPDF, nil
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return detectZip(src)
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return "", nil, detectOLE(src)
	case bytes.HasPrefix(head, []byte(`{\rtf`)):
		return "", nil, unknown("RTF files are not read")
	}
	for _, magic := range otherFormats {
		if bytes.HasPrefix(head, []byte(magic)) && (bytes.IndexByte(head, 0) >= 0 || control(head)) { // a text may begin with MZ
			return "", nil, unknown("%s is no document", src.Name)
		}
	}
	ext := filepath.Ext(name)
	if ext == ".pdf" || ext == ".docx" {
		return "", nil, broken("%s is no %s file", src.Name, strings.ToUpper(ext[1:]))
	}
	start := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n"))
	looksHTML := bytes.HasPrefix(start, []byte("<!doctype html")) || bytes.HasPrefix(start, []byte("<html"))
	for format, list := range extensions {
		if !slices.Contains(list, ext) {
			continue
		}
		switch format {
		case memory.FormatHTML:
			return format, readHTML, nil
		case memory.FormatMarkdown:
			return format, readMarkdown, nil
		case memory.FormatCSV:
			return format, readCSV, nil
		case memory.FormatJSON:
			return format, readJSON, nil
		case memory.FormatEmail:
			return format, readEmail, nil
		case memory.FormatCode:
			return format, readCode, nil
		}
	}
	switch {
	case slices.Contains(codeNames, name):
		return memory.FormatCode, readCode, nil
	case looksHTML:
		return memory.FormatHTML, readHTML, nil
	}
	return memory.FormatText, readText, nil
}

// detectZip tells Word documents from other archives.
func detectZip(src Source) (memory.DocumentFormat, func(*reader) error, error) {
	z, err := zip.NewReader(src.File, src.Bytes)
	if err != nil {
		return "", nil, damaged(err)
	}
	if mainPart(z) != "" {
		return memory.FormatDOCX, readDOCX, nil
	}
	for _, f := range z.File {
		switch f.Name {
		case "META-INF/container.xml":
			return "", nil, unknown("e-books are not read; save it as PDF or HTML")
		case "META-INF/manifest.xml", "content.xml":
			return "", nil, unknown("OpenDocument files are not read; save it as DOCX or PDF")
		case "xl/workbook.xml":
			return "", nil, unknown("spreadsheets are not read; save the sheet as CSV")
		case "ppt/presentation.xml":
			return "", nil, unknown("presentations are not read; save it as PDF")
		}
	}
	return "", nil, unknown("%s is an archive of other files", src.Name)
}

// detectOLE tells an encrypted Word document from the formats of before 2007.
func detectOLE(src Source) error {
	head := make([]byte, min(src.Bytes, 1<<20))
	n, _ := src.File.ReadAt(head, 0) // what can be read is looked at
	if bytes.Contains(head[:n], utf16LE("EncryptedPackage")) {
		return locked()
	}
	return unknown("this is an old Office file; save it as DOCX or PDF")
}

func utf16LE(s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}
