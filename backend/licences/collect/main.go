// Command collect writes backend/licences/go.json: the licences of all Go modules whose packages are in the program, on
// any of the systems that it is built for.
//
//	go run ./backend/licences/collect
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"

	"recollect/backend/licences"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "collect:", err)
		os.Exit(1)
	}
}

func run() error {
	modules, err := licences.Modules(".")
	if err != nil {
		return err
	}
	parts := []licences.Part{{Name: "Go", Version: strings.TrimPrefix(runtime.Version(), "go")}}
	if err := licences.Read(&parts[0], runtime.GOROOT()); err != nil { //nolint:staticcheck // the tool chain that runs this
		return err
	}
	for _, m := range modules {
		part := licences.Part{Name: m.Path, Version: m.Version}
		if err := licences.Read(&part, m.Dirs...); err != nil {
			return err
		}
		parts = append(parts, part)
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(parts); err != nil {
		return err
	}
	return os.WriteFile("backend/licences/go.json", out.Bytes(), 0o644) // a file of the repository
}
