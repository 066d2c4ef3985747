package ingest

import (
	"encoding/csv"
	"errors"
	"io"
	"strconv"
	"strings"
)

const rowsAtOnce = 40 // rows that are handed on together

// readCSV reads a table: each row becomes a line in which each value stands behind the name of its column, so that a piece
// can be understood alone.
func readCSV(r *reader) error {
	from, err := r.text()
	if err != nil {
		return err
	}
	limited := &bounded{from: from}
	c := csv.NewReader(limited)
	c.Comma = separator(r)
	c.LazyQuotes, c.FieldsPerRecord, c.ReuseRecord = true, -1, true
	var names []string
	var rows []string
	end := func() error {
		text := strings.Join(rows, "\n")
		rows = rows[:0]
		return r.lines(table, text, 0)
	}
	for n := 0; ; n++ {
		limited.n = 0
		record, err := c.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			if ours(err) || r.ctx.Err() != nil {
				return err
			}
			return damaged(err)
		}
		if n == 0 && isHeader(record) {
			for _, name := range record {
				names = append(names, oneLine(name))
			}
			r.meta.Headings = append(r.meta.Headings, strings.Join(names, ", "))
			continue
		}
		if line := row(names, record); line != "" {
			rows = append(rows, line)
		}
		if len(rows) == rowsAtOnce {
			if err := end(); err != nil {
				return err
			}
		}
	}
	if len(names) > 0 && r.pieces == 0 && len(rows) == 0 && r.chunks.empty() {
		return r.paragraph(strings.Join(names, ", "))
	}
	return end()
}

func row(names, record []string) string {
	var cells []string
	for i, cell := range record {
		cell = strings.Join(strings.Fields(cell), " ")
		if cell == "" {
			continue
		}
		if i < len(names) && names[i] != "" {
			cell = names[i] + ": " + cell
		}
		cells = append(cells, cell)
	}
	return strings.Join(cells, "; ")
}

// isHeader says whether the first row names the columns: none is empty, a number, or there twice.
func isHeader(record []string) bool {
	seen := map[string]bool{}
	for _, cell := range record {
		cell = strings.TrimSpace(cell)
		if _, err := strconv.ParseFloat(strings.ReplaceAll(cell, ",", ""), 64); err == nil || cell == "" || seen[cell] {
			return false
		}
		seen[cell] = true
	}
	return len(record) > 0
}

// separator returns what stands between the values: what the first line has the most of.
func separator(r *reader) rune {
	from, err := r.text()
	if err != nil {
		return ','
	}
	head := make([]byte, 8<<10)
	n, _ := io.ReadFull(from, head) // shorter is no matter
	line, _, _ := strings.Cut(string(head[:n]), "\n")
	best, most := ',', 0
	for _, sep := range ",;\t|" {
		if count := strings.Count(line, string(sep)); count > most {
			best, most = sep, count
		}
	}
	return best
}

// bounded refuses what is too much for one value: a quotation mark that nobody closes must not bring a whole file into
// memory. Its user sets n to zero with each value.
type bounded struct {
	from io.Reader
	n    int
}

// Read reads until there has been too much since the last value.
func (b *bounded) Read(p []byte) (int, error) {
	if b.n > maxToken {
		return 0, broken("a value of the file has no end")
	}
	n, err := b.from.Read(p)
	b.n += n
	return n, err
}
