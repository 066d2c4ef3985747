package monitor

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"reflect"
	"strings"
	"time"

	"recollect/backend/memory"
	"recollect/backend/store"
)

// exportPage is how many calls are read at a time.
const exportPage = 500

// ExportJSON writes the calls that a filter selects as a JSON array, the newest first.
func ExportJSON(ctx context.Context, s Store, f store.UsageFilter, w io.Writer) error {
	out := bufio.NewWriter(w)
	sep := "[\n"
	err := each(ctx, s, f, func(c memory.ModelCall) error {
		b, err := json.Marshal(c)
		if err == nil {
			_, err = out.WriteString(sep)
		}
		if err == nil {
			_, err = out.Write(b)
		}
		sep = ",\n"
		return err
	})
	if err != nil {
		return err
	}
	if sep == "[\n" {
		_, _ = out.WriteString("[") // Flush has its error
	}
	_, _ = out.WriteString("\n]\n")
	return out.Flush()
}

// ExportCSV writes the calls that a filter selects as CSV (RFC 4180) with a line of names, the newest first. A text that a
// spreadsheet would take for a formula begins with an apostrophe.
func ExportCSV(ctx context.Context, s Store, f store.UsageFilter, w io.Writer) error {
	out := csv.NewWriter(w)
	out.UseCRLF = true
	t := reflect.TypeFor[memory.ModelCall]()
	line := make([]string, t.NumField())
	for i := range line {
		line[i] = t.Field(i).Tag.Get("json")
	}
	if err := out.Write(line); err != nil {
		return err
	}
	err := each(ctx, s, f, func(c memory.ModelCall) error {
		v := reflect.ValueOf(c)
		for i := range line {
			line[i] = cell(v.Field(i).Interface())
		}
		return out.Write(line)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

func each(ctx context.Context, s Store, f store.UsageFilter, do func(memory.ModelCall) error) error {
	f.Limit = exportPage
	for {
		page, next, err := s.ModelCalls(ctx, f)
		if err != nil {
			return err
		}
		for _, c := range page {
			if err := do(c); err != nil {
				return err
			}
		}
		if next == "" {
			return nil
		}
		f.Cursor = next
	}
}

// cell returns a value as it stands in a table.
func cell(v any) string {
	switch v := v.(type) {
	case string:
		if v != "" && strings.ContainsRune("=+-@\t\r\n", rune(v[0])) {
			return "'" + v
		}
		return v
	case time.Time:
		return v.Format(time.RFC3339Nano)
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // numbers and booleans
	}
	return string(b)
}
