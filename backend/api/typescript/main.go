// Command typescript writes the page's types, frontend/src/lib/api.gen.ts, from the Go types of the API. It reads the
// source, so that comments come along, and writes the same bytes for the same source.
//
//	go run ./backend/api/typescript
package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// target is where the types go, from the root of the module.
const target = "frontend/src/lib/api.gen.ts"

// sources are the packages whose types the API uses, with what is put in front of their names in TypeScript. All types
// of whole packages are written, of the others only what those use.
var sources = []struct {
	pkg, prefix string
	whole       bool
}{
	{"memory", "", true},
	{"api", "", true},
	{"jobs", "Job", false},
	{"doctor", "Doctor", false},
	{"selftest", "Selftest", false},
	{"engine", "Engine", false},
	{"agent", "", false},
	{"store", "", false},
	{"backups", "Backup", false},
	{"licences", "Licence", false},
	{"monitor", "", true},
	{"experiment", "Experiment", true},
	{"tokens", "Token", false},
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "typescript:", err)
		os.Exit(1)
	}
}

func run() error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	out, err := Generate(filepath.Join(root, "backend"))
	if err != nil {
		return err
	}
	path := filepath.Join(root, target)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, out, 0o644)
}

// moduleRoot returns the nearest folder upward that has a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}

// name is a type of one of the packages.
type name struct{ pkg, typ string }

type declared struct {
	spec   *ast.TypeSpec
	doc    string
	values []constant // constants of this type
}

type constant struct{ literal, doc string }

type generator struct {
	types map[name]*declared
	names map[name]string // in TypeScript
	order []name          // in the order to be written
	seen  map[name]bool
	out   bytes.Buffer
}

// Generate returns the TypeScript for the packages below the folder backend.
func Generate(backend string) ([]byte, error) {
	g := &generator{types: map[name]*declared{}, names: map[name]string{}, seen: map[name]bool{}}
	var roots []name
	for _, source := range sources {
		found, err := g.read(backend, source.pkg)
		if err != nil {
			return nil, err
		}
		for _, n := range found {
			g.names[n] = source.prefix + strings.TrimPrefix(n.typ, source.prefix)
		}
		if source.whole {
			roots = append(roots, found...)
		}
	}
	for _, n := range roots {
		if err := g.need(n); err != nil {
			return nil, err
		}
	}
	g.out.WriteString("// Written by `go run ./backend/api/typescript` from the Go types of the API. Do not edit.\n")
	for _, n := range g.order {
		if err := g.write(n); err != nil {
			return nil, fmt.Errorf("%s.%s: %w", n.pkg, n.typ, err)
		}
	}
	g.out.WriteString(`
/** An event on the bus, its data typed by its type. */
export type BusEvent = {
  [T in keyof EventData]: Omit<Event, 'type' | 'data'> & { type: T; data: EventData[T] }
}[keyof EventData]
`)
	return g.out.Bytes(), nil
}

// read collects the exported types of a package that JSON can see, and the constants of its string types.
func (g *generator) read(backend, pkg string) ([]name, error) {
	files, err := filepath.Glob(filepath.Join(backend, pkg, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("package %s has no source", pkg)
	}
	slices.Sort(files)
	var found []name
	constants := map[string][]constant{}
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			decl, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, s := range decl.Specs {
				switch spec := s.(type) {
				case *ast.TypeSpec:
					if spec.Name.IsExported() && visible(spec.Type) {
						n := name{pkg, spec.Name.Name}
						doc := spec.Doc
						if doc == nil {
							doc = decl.Doc
						}
						g.types[n] = &declared{spec: spec, doc: comment(doc)}
						found = append(found, n)
					}
				case *ast.ValueSpec:
					typ, ok := spec.Type.(*ast.Ident)
					if !ok || decl.Tok != token.CONST || len(spec.Values) != 1 {
						continue
					}
					if lit, ok := spec.Values[0].(*ast.BasicLit); ok && lit.Kind == token.STRING {
						constants[typ.Name] = append(constants[typ.Name], constant{lit.Value, comment(spec.Comment)})
					}
				}
			}
		}
	}
	for _, n := range found {
		g.types[n].values = constants[n.typ]
	}
	return found, nil
}

// visible says whether a type is one that JSON carries: a struct with tags (or without any field), or a kind of string.
func visible(t ast.Expr) bool {
	switch t := t.(type) {
	case *ast.StructType:
		return t.Fields.NumFields() == 0 || slices.ContainsFunc(t.Fields.List, func(f *ast.Field) bool { return f.Tag != nil })
	case *ast.Ident:
		return t.Name == "string"
	}
	return false
}

// need puts n and what it uses on the list of types to write.
func (g *generator) need(n name) error {
	if g.seen[n] {
		return nil
	}
	d, ok := g.types[n]
	if !ok {
		return fmt.Errorf("%s.%s is not a type that JSON carries", n.pkg, n.typ)
	}
	g.seen[n] = true
	g.order = append(g.order, n)
	structure, ok := d.spec.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, f := range structure.Fields.List {
		if _, _, skip := tag(f); skip {
			continue
		}
		var err error
		ast.Inspect(f.Type, func(node ast.Node) bool {
			if used, ok := reference(n.pkg, node); ok && err == nil {
				err = g.need(used)
			}
			_, selector := node.(*ast.SelectorExpr)
			return !selector
		})
		if err != nil {
			return fmt.Errorf("%s.%s: %w", n.pkg, n.typ, err)
		}
	}
	return nil
}

// reference returns the type of ours that an expression in package pkg names.
func reference(pkg string, node ast.Node) (name, bool) {
	switch t := node.(type) {
	case *ast.Ident:
		return name{pkg, t.Name}, t.IsExported()
	case *ast.SelectorExpr:
		from, ok := t.X.(*ast.Ident)
		if ok && from.Name != "time" && from.Name != "json" {
			return name{from.Name, t.Sel.Name}, true
		}
	}
	return name{}, false
}

func (g *generator) write(n name) error {
	d := g.types[n]
	g.out.WriteByte('\n')
	g.comment("", d.doc)
	structure, ok := d.spec.Type.(*ast.StructType)
	if !ok {
		if len(d.values) == 0 {
			return fmt.Errorf("a kind of string without constants")
		}
		fmt.Fprintf(&g.out, "export type %s =\n", g.names[n])
		for _, c := range d.values {
			text, err := strconv.Unquote(c.literal)
			if err != nil {
				return err
			}
			fmt.Fprintf(&g.out, "  | '%s'%s\n", text, trailing(c.doc))
		}
		return nil
	}
	var extends, fields []string
	for _, f := range structure.Fields.List {
		key, optional, skip := tag(f)
		if skip {
			continue
		}
		typ, err := g.typ(n.pkg, f.Type)
		if err != nil {
			return err
		}
		if len(f.Names) == 0 && key == "" {
			extends = append(extends, typ)
			continue
		}
		if optional {
			key, typ = key+"?", strings.TrimSuffix(typ, " | null")
		}
		fields = append(fields, fmt.Sprintf("  %s: %s%s\n", key, typ, trailing(comment(f.Comment))))
	}
	if len(fields) == 0 && len(extends) == 0 {
		fmt.Fprintf(&g.out, "export type %s = Record<string, never>\n", g.names[n])
		return nil
	}
	fmt.Fprintf(&g.out, "export interface %s ", g.names[n])
	if len(extends) > 0 {
		fmt.Fprintf(&g.out, "extends %s ", strings.Join(extends, ", "))
	}
	fmt.Fprintf(&g.out, "{\n%s}\n", strings.Join(fields, ""))
	return nil
}

// typ returns the TypeScript for a Go type as encoding/json writes it. The API writes no null for slices and maps.
func (g *generator) typ(pkg string, t ast.Expr) (string, error) {
	switch t := t.(type) {
	case *ast.StarExpr:
		of, err := g.typ(pkg, t.X)
		return of + " | null", err
	case *ast.ArrayType:
		if name, ok := t.Elt.(*ast.Ident); ok && name.Name == "byte" {
			return "string", nil // in base64
		}
		of, err := g.typ(pkg, t.Elt)
		if strings.Contains(of, " ") {
			of = "(" + of + ")"
		}
		return of + "[]", err
	case *ast.MapType:
		of, err := g.typ(pkg, t.Value)
		return "Record<string, " + of + ">", err
	case *ast.Ident:
		switch t.Name {
		case "string":
			return "string", nil
		case "bool":
			return "boolean", nil
		case "int", "int64", "int32", "uint64", "uint32", "float64", "float32":
			return "number", nil
		case "any":
			return "unknown", nil
		}
	case *ast.SelectorExpr:
		switch from, _ := t.X.(*ast.Ident); from.Name + "." + t.Sel.Name {
		case "time.Time":
			return "string", nil // RFC 3339
		case "time.Duration":
			return "number", nil // nanoseconds
		case "json.RawMessage":
			return "unknown", nil
		}
	}
	if n, ok := reference(pkg, t); ok && g.names[n] != "" {
		return g.names[n], nil
	}
	return "", fmt.Errorf("no TypeScript for %T", t)
}

var identifier = regexp.MustCompile(`^[A-Za-z_$][\w$]*$`)

// tag returns the JSON key of a field, whether it may be absent, and whether JSON leaves it out.
func tag(f *ast.Field) (key string, optional, skip bool) {
	if f.Tag != nil {
		raw, _ := strconv.Unquote(f.Tag.Value)
		parts := strings.Split(reflect.StructTag(raw).Get("json"), ",")
		key = parts[0]
		optional = slices.Contains(parts, "omitempty") || slices.Contains(parts, "omitzero")
	}
	switch {
	case key == "-", len(f.Names) > 0 && !f.Names[0].IsExported():
		return "", false, true
	case key == "" && len(f.Names) > 0:
		key = f.Names[0].Name
	case key != "" && !identifier.MatchString(key):
		key = "'" + key + "'"
	}
	return key, optional, false
}

// comment returns the text of a comment as one line.
func comment(c *ast.CommentGroup) string {
	return strings.Join(strings.Fields(cmp.Or(c, &ast.CommentGroup{}).Text()), " ")
}

func trailing(doc string) string {
	if doc == "" {
		return ""
	}
	return " // " + doc
}

func (g *generator) comment(indent, doc string) {
	if doc != "" {
		fmt.Fprintf(&g.out, "%s/** %s */\n", indent, strings.ReplaceAll(doc, "*/", "* /"))
	}
}
