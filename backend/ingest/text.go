package ingest

import (
	"bufio"
	"errors"
	"io"
	"regexp"
	"strings"
)

const (
	maxLine      = 64 << 10 // bytes; a longer line is taken in parts
	maxParagraph = 32 << 10 // bytes of lines without an empty one between them that are taken at once
)

// eachLine reads a text line by line, whatever ends its lines. A line longer than maxLine comes in parts.
func eachLine(from io.Reader, take func(string) error) error {
	b := bufio.NewReaderSize(from, maxLine)
	for {
		raw, _, err := b.ReadLine()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			if ours(err) {
				return err
			}
			return damaged(err)
		}
		for part := range strings.SplitSeq(strings.TrimSuffix(string(raw), "\r"), "\r") {
			if err := take(part); err != nil {
				return err
			}
		}
	}
}

// chapter is a line of plain text that stands alone and begins a part.
var chapter = regexp.MustCompile(`(?i)^\s*((chapter|part|section|book|appendix)\s+([0-9]+|[ivxlc]+|[a-z])\b.{0,80}|第\s*[0-9０-９一二三四五六七八九十百千零〇两]+\s*[章节節回卷部篇][^。！？]{0,40}|(序章?|前言|后记|後記|尾声|附录|附錄)[^。！？]{0,20})$`)

// readText reads plain text: paragraphs between empty lines, and lines that begin a chapter.
func readText(r *reader) error {
	from, err := r.text()
	if err != nil {
		return err
	}
	var par strings.Builder
	end := func() error {
		text := par.String()
		par.Reset()
		if chapter.MatchString(strings.TrimSpace(text)) {
			return r.heading(1, text)
		}
		return r.paragraph(text)
	}
	err = eachLine(from, func(line string) error {
		if strings.TrimSpace(line) == "" || chapter.MatchString(line) {
			if err := end(); err != nil {
				return err
			}
			if chapter.MatchString(line) {
				return r.heading(1, line)
			}
			return nil
		}
		if par.Len()+len(line) > maxParagraph {
			if err := end(); err != nil {
				return err
			}
		}
		if par.Len() > 0 {
			par.WriteByte('\n')
		}
		par.WriteString(line)
		return nil
	})
	if err != nil {
		return err
	}
	return end()
}

// declaration is a line of source code that begins something with a name.
var declaration = regexp.MustCompile(`^(?:(?:export|default|pub(?:\([a-z]+\))?|public|private|protected|internal|static|final|abstract|async|unsafe|virtual|override|inline|sealed|open|data|const)\s+)*(?:func|function|fun|fn|def|class|interface|struct|enum|trait|impl|type|module|namespace|protocol|extension|object|sub|procedure|create\s+(?:or\s+replace\s+)?(?:table|view|function|procedure|index)|CREATE\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW|FUNCTION|PROCEDURE|INDEX))\b[^{;]{0,160}`)

// closing is a line that belongs to what stands above it, though it is not indented.
var closing = regexp.MustCompile(`^(?:[)}\]]|end\b|else\b|elif\b|elsif\b|except\b|finally\b|catch\b|case\b|default:)`)

// readCode reads source code: what begins at the margin behind an empty line begins a piece, under the name that it
// declares.
func readCode(r *reader) error {
	from, err := r.text()
	if err != nil {
		return err
	}
	var block strings.Builder
	blank, named := false, false
	end := func() error {
		text := block.String()
		block.Reset()
		return r.lines(code, text, 0)
	}
	err = eachLine(from, func(line string) error {
		line = strings.TrimRight(line, " \t")
		if line == "" {
			blank = true
			if block.Len() > 0 {
				block.WriteByte('\n')
			}
			return nil
		}
		margin := line[0] != ' ' && line[0] != '\t' && !closing.MatchString(line)
		name := ""
		if margin {
			name = strings.TrimRight(declaration.FindString(line), " \t({:=")
		}
		if margin && (blank || name != "" && named) || block.Len()+len(line) > maxParagraph {
			if err := end(); err != nil {
				return err
			}
			named = false
		}
		if name != "" && !named {
			named = true
			// Short ones stay together, under the name of the first.
			if !r.chunks.empty() && r.chunks.tokens < fullTokens {
				block.WriteString(line + "\n")
				blank = false
				return nil
			}
			if err := r.chunks.heading(1, oneLine(name), ""); err != nil {
				return err
			}
		}
		blank = false
		block.WriteString(line + "\n")
		return nil
	})
	if err != nil {
		return err
	}
	return end()
}
