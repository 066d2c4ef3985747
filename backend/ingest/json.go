package ingest

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// readJSON reads JSON, or a file of JSON values one after the other: each value becomes a line behind the names that lead
// to it. An entry of the outermost list or object makes a paragraph.
func readJSON(r *reader) error {
	from, err := r.text()
	if err != nil {
		return err
	}
	j := &jsonReader{reader: r, limited: &bounded{from: from}}
	j.dec = json.NewDecoder(j.limited)
	j.dec.UseNumber()
	for n := 0; ; n++ {
		token, err := j.next()
		if errors.Is(err, io.EOF) {
			return j.end()
		}
		if err != nil {
			return err
		}
		if err := j.value(token, "", 0); err != nil {
			return err
		}
		if err := j.end(); err != nil {
			return err
		}
	}
}

type jsonReader struct {
	*reader
	dec     *json.Decoder
	limited *bounded
	par     strings.Builder
}

func (j *jsonReader) next() (json.Token, error) {
	j.limited.n = 0
	token, err := j.dec.Token()
	switch {
	case err == nil, errors.Is(err, io.EOF):
		return token, err
	case ours(err), j.ctx.Err() != nil:
		return nil, err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return nil, broken("the JSON has no end")
	}
	return nil, broken("the JSON is damaged in line %d", j.lineAt(j.dec.InputOffset()))
}

// inside returns the next token of a value that has not ended.
func (j *jsonReader) inside() (json.Token, error) {
	token, err := j.next()
	if errors.Is(err, io.EOF) {
		return nil, broken("the JSON has no end")
	}
	return token, err
}

// lineAt returns the number of the line in which a byte of the text stands.
func (j *jsonReader) lineAt(offset int64) int {
	from, err := j.text()
	if err != nil {
		return 1
	}
	b := bufio.NewReader(io.LimitReader(from, offset))
	for n := 1; ; {
		switch _, err := b.ReadSlice('\n'); {
		case err == nil:
			n++
		case !errors.Is(err, bufio.ErrBufferFull):
			return n
		}
	}
}

// value takes a value that begins with a token.
func (j *jsonReader) value(token json.Token, name string, depth int) error {
	if depth > maxDepth {
		return tooMuch("the values are nested in more than %d levels", maxDepth)
	}
	open, nested := token.(json.Delim)
	if !nested {
		return j.line(name, token)
	}
	for i := 0; ; i++ {
		token, err := j.inside()
		if err != nil {
			return err
		}
		if d, ok := token.(json.Delim); ok && (d == ']' || d == '}') {
			return nil
		}
		part := fmt.Sprintf("%s[%d]", name, i)
		if open == '{' {
			key, _ := token.(string)
			if part = key; name != "" {
				part = name + "." + key
			}
			if token, err = j.inside(); err != nil {
				return err
			}
		} else if _, plain := token.(json.Delim); !plain {
			part = name // of a list of plain values each stands under the name of the list
		}
		if err := j.value(token, part, depth+1); err != nil {
			return err
		}
		if depth == 0 || j.par.Len() > maxParagraph {
			if err := j.end(); err != nil {
				return err
			}
		}
	}
}

func (j *jsonReader) line(name string, token json.Token) error {
	text := fmt.Sprint(token)
	if token == nil || strings.TrimSpace(text) == "" {
		return nil
	}
	if name != "" {
		text = oneLine(name) + ": " + text
	}
	if j.par.Len() > 0 {
		j.par.WriteByte('\n')
	}
	j.par.WriteString(text)
	return nil
}

func (j *jsonReader) end() error {
	text := j.par.String()
	j.par.Reset()
	return j.lines(code, text, 0)
}
