package ingest

import (
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
	}
	return nil, broken("the JSON has a fault: %w", err)
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
		token, err := j.next()
		if err != nil {
			if errors.Is(err, io.EOF) {
				return broken("the JSON has no end")
			}
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
			if token, err = j.next(); err != nil {
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
