// Command vulncheck runs govulncheck over the packages and fails where code of ours can reach a known vulnerability of a
// module, unless the file with the accepted ones names it with a reason. Vulnerabilities of the standard library are
// printed alone: what cures them is a newer Go on the machine that builds.
//
//	vulncheck -db file:///FOLDER -accepted build/vulnerabilities.txt ./...
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	govulncheck := flag.String("govulncheck", "bin/tools/govulncheck", "`PATH` of govulncheck")
	db := flag.String("db", "", "`URL` of the database")
	acceptedFile := flag.String("accepted", "build/vulnerabilities.txt", "`FILE` with lines \"ID reason\"")
	flag.Parse()
	if err := run(os.Stdout, *govulncheck, *db, *acceptedFile, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "vulncheck:", err)
		os.Exit(1)
	}
}

func run(w io.Writer, govulncheck, db, acceptedFile string, packages []string) error {
	text, err := os.ReadFile(acceptedFile)
	if err != nil {
		return err
	}
	accepted, err := parseAccepted(text)
	if err != nil {
		return fmt.Errorf("%s: %w", acceptedFile, err)
	}
	cmd := exec.Command(govulncheck, append([]string{"-db", db, "-format", "json"}, packages...)...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("govulncheck: %w", err)
	}
	report, err := parse(&out)
	if err != nil {
		return fmt.Errorf("read what govulncheck says: %w", err)
	}
	return judge(w, report, accepted)
}

// parseAccepted reads lines of an ID, a space and the reason; "#" begins a comment.
func parseAccepted(text []byte) (map[string]string, error) {
	accepted := map[string]string{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		id, reason, _ := strings.Cut(line, " ")
		if strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s has no reason", id)
		}
		accepted[id] = strings.TrimSpace(reason)
	}
	return accepted, lines.Err()
}

// reached is a vulnerability that our code can reach.
type reached struct {
	module, version, fixed string
	summary                string
	example                string // the function of ours from which it is reached
}

type frame struct {
	Module, Version, Package, Function, Receiver string
}

// parse collects the reached vulnerabilities by ID from a stream of govulncheck's messages.
func parse(r io.Reader) (map[string]reached, error) {
	found, summaries := map[string]reached{}, map[string]string{}
	messages := json.NewDecoder(r)
	for {
		var m struct {
			OSV *struct {
				ID, Summary string
			}
			Finding *struct {
				OSV          string
				FixedVersion string `json:"fixed_version"`
				Trace        []frame
			}
		}
		err := messages.Decode(&m)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if m.OSV != nil {
			summaries[m.OSV.ID] = m.OSV.Summary
		}
		if f := m.Finding; f != nil && len(f.Trace) > 0 && f.Trace[0].Function != "" {
			from := f.Trace[len(f.Trace)-1]
			found[f.OSV] = reached{
				module: f.Trace[0].Module, version: f.Trace[0].Version, fixed: f.FixedVersion,
				example: from.Package + "." + from.Function,
			}
		}
	}
	for id, v := range found {
		v.summary = summaries[id]
		found[id] = v
	}
	return found, nil
}

func judge(w io.Writer, report map[string]reached, accepted map[string]string) error {
	var bad []string
	for _, id := range slices.Sorted(maps.Keys(report)) {
		v := report[id]
		fixed := "no version fixes it"
		if v.fixed != "" {
			fixed = "fixed in " + v.fixed
		}
		line := fmt.Sprintf("%s %s %s (%s): %s; from %s", id, v.module, v.version, fixed, v.summary, v.example)
		switch reason, ok := accepted[id]; {
		case v.module == "stdlib":
			line = "note: " + line
		case ok:
			line = "accepted: " + line + "; " + reason
		default:
			line = "FOUND: " + line
			bad = append(bad, id)
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(accepted)) {
		if _, ok := report[id]; !ok {
			bad = append(bad, id+" (accepted, but no longer found: remove it)")
		}
	}
	if len(bad) > 0 {
		return errors.New(strings.Join(bad, ", "))
	}
	return nil
}
