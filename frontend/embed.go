// Package frontend carries the built page inside the binary.
package frontend

import (
	"embed"
	"io/fs"
)

// The folder holds only .gitkeep until the page is built, so that the module compiles without Node.
//
//go:embed all:dist
var dist embed.FS

// Dist returns the files of the built page, rooted at its index.html, or nil when the page was not built before this
// binary was.
func Dist() fs.FS {
	page, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil
	}
	if _, err := fs.Stat(page, "index.html"); err != nil {
		return nil
	}
	return page
}
