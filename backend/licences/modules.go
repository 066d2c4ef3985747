package licences

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Module is a Go module that is in the program, with the folders of it that are.
type Module struct {
	Path, Version string
	Dirs          []string // the module's own first
}

// systems are those that the program is built for.
var systems = []string{"linux", "darwin", "windows"}

// Modules asks the go command for the modules whose packages are in the program, with its window, on any system.
func Modules(root string) ([]Module, error) {
	found := map[string]*Module{}
	for _, system := range systems {
		cmd := exec.Command("go", "list", "-deps", "-tags", "desktop,production", "-json=Dir,Module", ".") // ends by itself
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "GOOS="+system, "GOARCH=amd64", "CGO_ENABLED=1")
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("list the packages for %s: %w", system, err)
		}
		for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
			var p struct {
				Dir    string
				Module *struct {
					Path, Version, Dir string
					Main               bool
				}
			}
			if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return nil, fmt.Errorf("list the packages for %s: %w", system, err)
			}
			if p.Module == nil || p.Module.Main {
				continue
			}
			m := found[p.Module.Path]
			if m == nil {
				m = &Module{Path: p.Module.Path, Version: p.Module.Version, Dirs: []string{p.Module.Dir}}
				found[p.Module.Path] = m
			}
			for dir := p.Dir; len(dir) > len(p.Module.Dir); dir = filepath.Dir(dir) { // licences of what was copied in
				if !slices.Contains(m.Dirs, dir) {
					m.Dirs = append(m.Dirs, dir)
				}
			}
		}
	}
	list := make([]Module, 0, len(found))
	for _, m := range found {
		slices.Sort(m.Dirs)
		list = append(list, *m)
	}
	slices.SortFunc(list, func(a, b Module) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

var licenceFile = regexp.MustCompile(`(?i)^((un)?licen[sc]e|copying|notice|.*[-.]licen[sc]e)([-.].*)?$`)

var statedLicence = regexp.MustCompile(`(?i)\n#+ licen[sc]e\s+(MIT)\b`)

// Read fills in licence and texts of a part from the folders that it is made of. It fails where there is none, or one that
// is not known.
func Read(part *Part, dirs ...string) error {
	var ids []string
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return fmt.Errorf("read %s: %w", part.Name, err)
		}
		for _, e := range entries {
			if e.IsDir() || !licenceFile.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "-LOGO") {
				continue
			}
			b, err := os.ReadFile(filepath.Join(dir, e.Name())) // of the module cache
			if err != nil {
				return fmt.Errorf("read %s: %w", part.Name, err)
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n"))
			id := Identify(text)
			if id == "" && !strings.Contains(strings.ToLower(e.Name()), "notice") {
				return fmt.Errorf("%s: %s is a licence that is not known", part.Name, e.Name())
			}
			if !slices.Contains(part.Texts, text) {
				part.Texts = append(part.Texts, text)
			}
			if id != "" && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 { // some only say it
		readme, _ := os.ReadFile(filepath.Join(dirs[0], "README.md")) //nolint:errcheck // of the module cache; without one there is no licence
		said := statedLicence.FindSubmatch(readme)
		if said == nil {
			return fmt.Errorf("%s has no licence", part.Name)
		}
		ids = []string{string(said[1])}
		part.Texts = []string{ids[0] + ", as its README says."}
	}
	part.Licence = strings.Join(ids, " AND ")
	return nil
}
