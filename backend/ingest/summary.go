package ingest

import (
	"fmt"
	"strings"

	"recollect/backend/memory"
	"recollect/backend/segment"
)

const summaryTokens = 160 // of the sentences that a summary by rule repeats

// formatNames are what formats are called in a summary.
var formatNames = map[memory.DocumentFormat][2]string{
	memory.FormatPDF: {"a PDF", "PDF"}, memory.FormatDOCX: {"a Word document", "Word 文档"}, memory.FormatHTML: {"a web page", "网页"},
	memory.FormatMarkdown: {"a Markdown text", "Markdown 文档"}, memory.FormatText: {"a text", "文本"}, memory.FormatCSV: {"a table", "表格"},
	memory.FormatJSON: {"a JSON file", "JSON 文件"}, memory.FormatCode: {"source code", "源代码"}, memory.FormatEmail: {"an e-mail", "电子邮件"},
}

// Summary says by rule what a document is: what it says of itself, its highest headings and its first sentences, in its
// language where that is Chinese, else in English.
func Summary(m Meta) string {
	zh := m.Language == "zh"
	pick := func(en, chinese string) string {
		if zh {
			return chinese
		}
		return en
	}
	var s strings.Builder
	names := formatNames[m.Format]
	fmt.Fprintf(&s, pick("“%s”: %s", "《%s》：%s"), m.Title, pick(names[0], names[1]))
	if m.Paged && m.Pages > 0 {
		pages := pick(" of %d pages", "，共 %d 页")
		if m.Pages == 1 {
			pages = pick(" of %d page", pages)
		}
		fmt.Fprintf(&s, pages, m.Pages)
	}
	if m.Bare > 0 {
		fmt.Fprintf(&s, pick(", %d of them without text,", "，其中 %d 页没有文字"), m.Bare)
	}
	if m.Author != "" {
		fmt.Fprintf(&s, pick(" by %s", "，作者：%s"), m.Author)
	}
	if !m.Created.IsZero() {
		s.WriteString(m.Created.Format(pick(", of 2 January 2006", "，2006年1月2日")))
	}
	s.WriteString(pick(".", "。"))
	if heads := firstTokens(m.Headings, summaryTokens/2); len(heads) > 0 {
		s.WriteString(pick(memory.SummaryHeadings[0], memory.SummaryHeadings[1]) + strings.Join(heads, pick("; ", "；")) + pick(".", "。"))
	}
	if m.Lead != "" {
		s.WriteString(pick(memory.SummaryBegins[0], memory.SummaryBegins[1]) + split(m.Lead, summaryTokens, sentenceEnds)[0])
	}
	return s.String()
}

// firstTokens returns as many of the texts as fit.
func firstTokens(texts []string, limit int) []string {
	n := 0
	for i, text := range texts {
		if n += segment.Tokens(text) + 1; n > limit {
			return texts[:i]
		}
	}
	return texts
}
