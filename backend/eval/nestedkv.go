package eval

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// loadNestedKV reads the key-value records and the orderings of MemGPT: for each ordering of each level one store with the
// 140 pairs of a record as passages, those of the ordering chained.
func loadNestedKV(dir, _ string) ([]Dialogue, error) {
	records, err := kvRecords(files(dir, "kv-retrieval-*_keys.jsonl.gz")[0])
	if err != nil {
		return nil, err
	}
	date := time.Date(2024, 1, 1, 9, 0, 0, 0, time.UTC)
	var all []Dialogue
	for level := 1; ; level++ {
		orderings := files(dir, fmt.Sprintf("random_orderings_*_%d_levels.jsonl", level))
		if len(orderings) == 0 {
			return all, nil
		}
		n := 0
		err := eachLine(orderings[0], func(line []byte) error {
			var chain []int
			if err := json.Unmarshal(line, &chain); err != nil {
				return err
			}
			if len(chain) == 0 || n == len(records) {
				return nil
			}
			pairs := slices.Clone(records[n])
			n++
			for i, at := range chain {
				if at < 0 || at >= len(pairs) {
					return fmt.Errorf("there is no pair %d", at)
				}
				if i+1 < len(chain) {
					if next := chain[i+1]; next >= 0 && next < len(pairs) {
						pairs[at][1] = pairs[next][0]
					}
				}
			}
			d := Dialogue{ID: fmt.Sprintf("level-%d-%d", level, n)}
			for i, p := range pairs {
				d.Texts = append(d.Texts, Text{ID: fmt.Sprint(i), Text: p[0] + ": " + p[1], Date: date.Add(time.Duration(i) * betweenTurns)})
			}
			q := Question{Category: fmt.Sprintf("level-%d", level), Answer: pairs[chain[len(chain)-1]][1]}
			q.Text = fmt.Sprintf("What is the value of the key %s?", pairs[chain[0]][0])
			for _, at := range chain {
				q.Evidence = append(q.Evidence, fmt.Sprint(at))
			}
			d.Questions = []Question{q}
			all = append(all, d)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
}

// kvRecords reads the pairs of all records.
func kvRecords(file string) ([][][2]string, error) {
	f, err := os.Open(file) // the user named the folder
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // only read
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	raw, err := io.ReadAll(unzipped)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
	}
	var records [][][2]string
	err = lines(filepath.Base(file), raw, func(line []byte) error {
		var r struct {
			Pairs [][2]string `json:"ordered_kv_records"`
		}
		if err := json.Unmarshal(line, &r); err != nil {
			return err
		}
		records = append(records, r.Pairs)
		return nil
	})
	return records, err
}
