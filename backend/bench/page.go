package bench

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

var (
	scriptTag  = regexp.MustCompile(`<script[^>]+src="([^"]+)"`)
	preloadTag = regexp.MustCompile(`<link[^>]+rel="modulepreload"[^>]+href="([^"]+)"`)
	importPath = regexp.MustCompile(`(?:from|import)\s*"(\./[^"]+\.js)"`)
)

// initialScript adds up the scripts that the page loads before its composer accepts text: those that its HTML names, and
// what they import statically. Everything that is imported on demand stays out.
func initialScript(_ context.Context, o Options) ([]Result, error) {
	if o.Page == nil {
		return nil, missing{"the page was not built into this binary"}
	}
	html, err := fs.ReadFile(o.Page, "index.html")
	if err != nil {
		return nil, fmt.Errorf("read the page: %w", err)
	}
	seen := map[string]bool{}
	var todo []string
	for _, expression := range []*regexp.Regexp{scriptTag, preloadTag} {
		for _, m := range expression.FindAllSubmatch(html, -1) {
			todo = append(todo, strings.TrimPrefix(strings.TrimPrefix(string(m[1]), "."), "/"))
		}
	}
	total := 0
	for len(todo) > 0 {
		name := todo[0]
		todo = todo[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		raw, err := fs.ReadFile(o.Page, name)
		if err != nil {
			return nil, fmt.Errorf("read the script %s: %w", name, err)
		}
		n, err := gzipped(raw)
		if err != nil {
			return nil, err
		}
		total += n
		dir := name[:strings.LastIndex(name, "/")+1]
		for _, m := range importPath.FindAllSubmatch(raw, -1) {
			todo = append(todo, dir+strings.TrimPrefix(string(m[1]), "./"))
		}
	}
	return []Result{lower("initial script", float64(total)/1024, "KB gzip", 120)}, nil
}

func gzipped(raw []byte) (int, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return 0, fmt.Errorf("compress: %w", err)
	}
	if _, err := w.Write(raw); err != nil {
		return 0, fmt.Errorf("compress: %w", err)
	}
	if err := w.Close(); err != nil {
		return 0, fmt.Errorf("compress: %w", err)
	}
	return out.Len(), nil
}
