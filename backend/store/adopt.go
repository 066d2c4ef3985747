package store

import (
	"fmt"
	"slices"
	"strings"
)

// adopted are the tables whose rows another database hands over, each after those that it refers to, with the columns
// that are numbers of this file: they are moved behind the ones that are here. The rest of the tables is settings of a
// file, or is made anew: the search index and the vectors.
var adopted = []struct {
	table   string
	numbers map[string]string // column → the table whose key it is
}{
	{"archive", map[string]string{"key": "archive"}},
	{"agent", map[string]string{"key": "agent"}},
	{"block", nil},
	{"attachment", nil},
	{"conversation", nil},
	{"item", map[string]string{"key": "item", "owner": ""}},
	{"message", map[string]string{"key": "item", "parent": "item"}},
	{"passage", map[string]string{"key": "item"}},
	{"passage_tag", map[string]string{"passage": "item"}},
	{"fact", nil},
	{"fact_mention", nil},
	{"fact_question", nil},
	{"revision", nil},
	{"event", nil},
	{"prefix", nil},
	{"receipt", nil},
	{"plan", nil},
	{"page_in", nil},
	{"compaction", nil},
	{"core_entry", nil},
	{"core_weights", nil},
	{"usage", map[string]string{"message": "item", "turn": "item", "agent": "agent"}},
	{"usage_beside", map[string]string{"key": "usage_beside", "agent": "agent"}},
	{"prompt", map[string]string{"key": "prompt", "base": "prompt"}},
}

// adopt takes in everything of another database of this version but its settings, as it is: identifiers, times and
// history stay. In every text, old names are replaced by new ones.
func (t *tx) adopt(from *Store, names *strings.Replacer) error {
	behind := map[string]int64{} // the largest key here by table
	for _, table := range []string{"archive", "agent", "item", "usage_beside", "prompt"} {
		largest, err := one(t.ctx, t, value[int64], "SELECT ifnull(max(key), 0) FROM "+table)
		if err != nil {
			return err
		}
		behind[table] = largest
	}
	moved := func(of string, n int64) int64 {
		if of != "" {
			return n + behind[of]
		}
		if n&1 == 1 { // the owner of an item: see the table
			return n + 2*behind["archive"]
		}
		return n + 2*behind["agent"]
	}
	for _, a := range adopted {
		columns, err := all(t.ctx, t, value[string], "SELECT name FROM pragma_table_info(?)", a.table)
		if err != nil {
			return err
		}
		only := ""
		if a.table == "item" { // pieces of long texts are made anew
			only = " WHERE key NOT IN (SELECT key FROM chunk WHERE key <> whole)"
		}
		quoted := `"` + strings.Join(columns, `", "`) + `"`
		rows, err := all(t.ctx, from, func(r scanner) ([]any, error) {
			row, to := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				to[i] = &row[i]
			}
			return row, r.Scan(to...)
		}, "SELECT "+quoted+" FROM "+a.table+only+" ORDER BY 1")
		if err != nil {
			return err
		}
		insert := "INSERT INTO " + a.table + " (" + quoted + ") VALUES (?" + strings.Repeat(", ?", len(columns)-1) + ")"
		for _, row := range rows {
			for i, c := range columns {
				switch v := row[i].(type) {
				case int64:
					if of, is := a.numbers[c]; is {
						row[i] = moved(of, v)
					}
				case string:
					row[i] = names.Replace(v)
				}
			}
			if a.table == "item" {
				row[slices.Index(columns, "searchable")] = int64(0) // it is not in this index yet
			}
			if err := t.run(insert, row...); err != nil {
				return err
			}
		}
	}
	return t.indexFrom(behind["item"] + 1)
}

// indexFrom puts all that is to be searched from a key on into the search index and the queue of the embedder.
func (t *tx) indexFrom(first int64) error {
	for _, kind := range []struct {
		table string
		views int
		index func(int64) error
	}{
		{"message", bothViews, func(key int64) error { return t.index(key, false) }},
		{"passage", viewBit[ViewOwn], t.indexPassage},
	} {
		keys, err := all(t.ctx, t, value[int64], "SELECT key FROM "+kind.table+" WHERE key >= ?", first)
		if err != nil {
			return err
		}
		for _, key := range keys {
			if err := kind.index(key); err != nil {
				return fmt.Errorf("index %s %d: %w", kind.table, key, err)
			}
			searchable, err := one(t.ctx, t, value[bool], "SELECT searchable FROM item WHERE key = ?", key)
			if err != nil {
				return err
			}
			if !searchable { // without words there is nothing to embed
				continue
			}
			if err := t.wantVectors(key, kind.views); err != nil {
				return err
			}
		}
	}
	return nil
}
