package memory

import (
	"strings"
	"time"
)

// DocumentFormat says how a document is read.
type DocumentFormat string

// The formats of documents.
const (
	FormatPDF      DocumentFormat = "pdf"
	FormatDOCX     DocumentFormat = "docx"
	FormatHTML     DocumentFormat = "html"
	FormatMarkdown DocumentFormat = "markdown"
	FormatText     DocumentFormat = "text"
	FormatCSV      DocumentFormat = "csv"
	FormatJSON     DocumentFormat = "json"
	FormatCode     DocumentFormat = "code"
	FormatEmail    DocumentFormat = "email"
)

// Document is a file whose text is in an archive, as passages.
type Document struct {
	ID        string         `json:"id"`
	ArchiveID string         `json:"archive_id"`
	Name      string         `json:"name"`           // of the file
	Path      string         `json:"path,omitempty"` // where it was read from on this machine, "" = it was uploaded
	Title     string         `json:"title"`
	Author    string         `json:"author,omitempty"`
	Format    DocumentFormat `json:"format"`
	Bytes     int64          `json:"bytes"`
	Hash      string         `json:"hash"`     // SHA-256 of the file
	Language  string         `json:"language"` // two letters, "" = not known
	Pages     int            `json:"pages"`    // or parts, of a format without pages
	Paged     bool           `json:"paged"`    // they are pages
	Passages  int            `json:"passages"`
	Summary   string         `json:"summary"`             // the text of its summary passage
	SummaryBy Actor          `json:"summary_by"`          // system: its first sentences, by rule; model; user
	WrittenAt time.Time      `json:"written_at,omitzero"` // as the document says
	ChangedAt time.Time      `json:"changed_at,omitzero"` // as the document or its file says
	DeletedAt time.Time      `json:"deleted_at,omitzero"` // deleted with undo
	CreatedAt time.Time      `json:"created_at"`          // when it was first read
	UpdatedAt time.Time      `json:"updated_at"`          // when it was last read
}

// DocumentPlace says where in a document a passage stands.
type DocumentPlace struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Page    int    `json:"page"`              // 0 = it is the summary
	Paged   bool   `json:"paged"`             // the document has pages, rather than parts
	Heading string `json:"heading,omitempty"` // the headings above it
}

// DocumentState is what a revision of a document records: which reading of the file is in the archive.
type DocumentState struct {
	Name    string `json:"name"`
	Reading int    `json:"reading"`
}

// What stands in a summary by rule, in English and Chinese, before what it repeats of its document.
var (
	SummaryHeadings = [2]string{" It is about: ", "内容："}
	SummaryBegins   = [2]string{" It begins: ", "开头："}
)

// SummaryRepeats returns what a summary repeats of its document: headings and first sentences of one by rule, all of another.
func SummaryRepeats(summary string) string {
	for _, mark := range append(SummaryHeadings[:], SummaryBegins[:]...) {
		if _, told, ok := strings.Cut(summary, mark); ok {
			return strings.NewReplacer(SummaryBegins[0], " ", SummaryBegins[1], " ").Replace(told)
		}
	}
	return summary
}
