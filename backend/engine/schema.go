package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// schemaKeywords are the keywords of JSON schema that Ollama turns into a grammar without crashing. A pattern, for one,
// takes the whole server down.
var schemaKeywords = []string{
	"type", "properties", "required", "enum", "const", "items", "minItems", "maxItems", "minLength", "maxLength", "anyOf",
	"minimum", "maximum", "description", "title",
}

const (
	maxRepeat      = 2000 // larger counts kill the runner
	maxSchemaDepth = 16
)

// SanitiseSchema returns the schema with only what the engine can take: other keywords are dropped, counts are capped,
// the order of properties is kept, since the answer follows it. What the schema loses must be checked on the answer, which
// callers do in any case. A schema that is not a JSON object is an error.
func SanitiseSchema(schema json.RawMessage) (json.RawMessage, error) {
	return sanitise(schema, 0)
}

func sanitise(raw json.RawMessage, depth int) (json.RawMessage, error) {
	if depth > maxSchemaDepth {
		return nil, fmt.Errorf("the schema is more than %d levels deep", maxSchemaDepth)
	}
	fields, err := objectFields(raw)
	if err != nil {
		return nil, err
	}
	var kept []field
	for _, f := range fields {
		if !slices.Contains(schemaKeywords, f.key) {
			continue
		}
		switch f.key {
		case "properties":
			props, err := objectFields(f.value)
			if err != nil {
				return nil, err
			}
			for i := range props {
				if props[i].value, err = sanitise(props[i].value, depth+1); err != nil {
					return nil, fmt.Errorf("property %q: %w", props[i].key, err)
				}
			}
			f.value = writeObject(props)
		case "items":
			if f.value, err = sanitise(f.value, depth+1); err != nil {
				return nil, fmt.Errorf("items: %w", err)
			}
		case "anyOf":
			var either []json.RawMessage
			if err := json.Unmarshal(f.value, &either); err != nil {
				return nil, fmt.Errorf("anyOf: %w", err)
			}
			for i := range either {
				if either[i], err = sanitise(either[i], depth+1); err != nil {
					return nil, fmt.Errorf("anyOf: %w", err)
				}
			}
			if f.value, err = json.Marshal(either); err != nil {
				return nil, err
			}
		case "minItems", "maxItems", "minLength", "maxLength":
			var n float64
			if json.Unmarshal(f.value, &n) != nil || n < 0 {
				continue
			}
			f.value = fmt.Appendf(nil, "%d", int(min(n, maxRepeat)))
		case "minimum", "maximum": // only integers have a grammar for it
			var n float64
			if json.Unmarshal(f.value, &n) != nil || n != float64(int64(n)) {
				continue
			}
		}
		kept = append(kept, f)
	}
	return writeObject(kept), nil
}

// field is one member of a JSON object.
type field struct {
	key   string
	value json.RawMessage
}

// objectFields reads a JSON object in the order it was written in.
func objectFields(raw json.RawMessage) ([]field, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("a JSON object was expected, not %.40q", raw)
	}
	var out []field
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		f := field{key: fmt.Sprint(key)}
		if err := d.Decode(&f.value); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	_, err := d.Token()
	return out, err
}

func writeObject(fields []field) json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		key, _ := json.Marshal(f.key) //nolint:errchkjson // a string
		b.Write(key)
		b.WriteByte(':')
		b.Write(f.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}
