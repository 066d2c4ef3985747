// Package bench measures the numbers that the README quotes: each with its bar, and with a rival in the same run where
// there is one. It builds its own data in a temporary folder and touches nothing else.
package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// Result is one measured number. OK is nil where it could not be measured, and Reason says what is missing.
type Result struct {
	Name   string   `json:"name"`
	Value  *float64 `json:"value"`
	Unit   string   `json:"unit"`
	Bar    *float64 `json:"bar"` // the figure to reach; see Better
	Better string   `json:"better"`
	OK     *bool    `json:"ok"`
	Rival  *float64 `json:"rival"` // the same work done the plain way, in the same run
	Ratio  *float64 `json:"ratio"` // Value to Rival
	Reason string   `json:"reason,omitempty"`
}

// The directions of Better.
const (
	Lower  = "lower"
	Higher = "higher"
)

// Options say what is at hand.
type Options struct {
	Dir      string              // for temporary data
	Engine   string              // path of an Ollama, "" = none
	Models   string              // manifest of the starter models, "" = none
	Binary   string              // this program
	Window   string              // this program with a window, "" = none
	Chromium string              // path of a Chromium, "" = none
	Page     fs.FS               // the built page, nil = not built
	Env      func(string) string //
	Only     string              // part of a measure's name; "" = all
	Quick    bool                // a tenth of the data, to see that the measures work; not comparable
	Log      io.Writer           // what is being done
}

// measure is one experiment that yields some results.
type measure struct {
	name string
	run  func(context.Context, Options) ([]Result, error)
}

// missing says why a measure cannot run here.
type missing struct{ what string }

func (m missing) Error() string { return m.what }

// Run runs the measures one after the other, since side by side they would spoil each other's figures. A measure that
// fails yields a result with the reason; Run itself fails only when ctx ends.
func Run(ctx context.Context, o Options) ([]Result, error) { return run(ctx, o, measures()) }

func run(ctx context.Context, o Options, measures []measure) ([]Result, error) {
	var all []Result
	for _, m := range measures {
		if !strings.Contains(m.name, o.Only) {
			continue
		}
		_, _ = fmt.Fprintf(o.Log, "… %s\n", m.name)
		began := time.Now()
		results, err := m.run(ctx, o)
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		var m2 missing
		switch {
		case errors.As(err, &m2):
			results = append(results, Result{Name: m.name, Reason: m2.what})
		case err != nil:
			no := false
			results = append(results, Result{Name: m.name, OK: &no, Reason: err.Error()})
		}
		_, _ = fmt.Fprintf(o.Log, "  %.1f s\n", time.Since(began).Seconds())
		all = append(all, results...)
	}
	return all, nil
}

// lower makes a result that is good when value is at most bar.
func lower(name string, value float64, unit string, bar float64) Result {
	ok := value <= bar
	return Result{Name: name, Value: &value, Unit: unit, Bar: &bar, Better: Lower, OK: &ok}
}

// share makes a result in per cent that is good when value is at least bar.
func share(name string, value, bar float64) Result {
	ok := value >= bar
	return Result{Name: name, Value: &value, Unit: "%", Bar: &bar, Better: Higher, OK: &ok}
}

// against notes what the rival needed in the same run.
func (r Result) against(rival float64) Result {
	r.Rival = &rival
	if rival != 0 {
		ratio := *r.Value / rival
		r.Ratio = &ratio
	}
	return r
}

// percentile returns the p-th percentile (0–100) of values, which it sorts.
func percentile(values []float64, p float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[min(len(values)-1, int(p/100*float64(len(values))))]
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// timed returns how many milliseconds f took.
func timed(f func() error) (float64, error) {
	began := time.Now()
	err := f()
	return milliseconds(time.Since(began)), err
}

// note tells what a measure is doing.
func (o Options) note(format string, args ...any) {
	_, _ = fmt.Fprintf(o.Log, "  "+format+"\n", args...)
}

func makeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	return nil
}

// Print writes results as a table for people.
func Print(w io.Writer, results []Result) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	_, _ = fmt.Fprintln(t, "measure\tvalue\tbar\tok\trival\tratio")
	number := func(v *float64) string {
		if v == nil {
			return "–"
		}
		return fmt.Sprintf("%.4g", *v)
	}
	for _, r := range results {
		ok, bar := "–", "–"
		if r.OK != nil {
			ok = map[bool]string{true: "yes", false: "NO"}[*r.OK]
		}
		if r.Bar != nil {
			bar = map[string]string{Lower: "≤ ", Higher: "≥ "}[r.Better] + number(r.Bar)
		}
		if r.Reason != "" {
			ok += " (" + r.Reason + ")"
		}
		_, _ = fmt.Fprintf(t, "%s\t%s %s\t%s\t%s\t%s\t%s\n", r.Name, number(r.Value), r.Unit, bar, ok, number(r.Rival), number(r.Ratio))
	}
	return t.Flush()
}

// PrintJSON writes results as a JSON array.
func PrintJSON(w io.Writer, results []Result) error {
	if results == nil {
		results = []Result{}
	}
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(results)
}
