package api

import (
	"io/fs"
	"net/http"
	"path"
	"strings"

	"recollect/backend/memory"
)

// contentTypes are those of the files of a page; the system's own table may lack or bend them.
var contentTypes = map[string]string{
	".html":        "text/html; charset=utf-8",
	".js":          "text/javascript; charset=utf-8",
	".css":         "text/css; charset=utf-8",
	".json":        "application/json",
	".map":         "application/json",
	".webmanifest": "application/manifest+json",
	".txt":         "text/plain; charset=utf-8",
	".svg":         "image/svg+xml",
	".png":         "image/png",
	".ico":         "image/x-icon",
	".woff2":       "font/woff2",
	".wasm":        "application/wasm",
}

// notBuilt is shown where the front end was not built.
const notBuilt = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Recollect</title>
<h1>The page is not built</h1>
<p>This binary was made without its front end. Run <code>make run</code>, or <code>npm ci &amp;&amp; npm run build</code> in the folder <code>frontend</code> and build again. The API below <code>/api</code> and the command line work.</p>
<p lang="zh-Hans">界面尚未构建。请运行 <code>make run</code>，或在 <code>frontend</code> 目录运行 <code>npm ci &amp;&amp; npm run build</code> 后重新构建。<code>/api</code> 接口和命令行可以使用。</p>
</html>
`

// page serves the built front end. A path that is no file and looks like a place in the page gets its index.html.
type page struct{ files fs.FS }

func (p page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD")
		writeProblem(w, r, &httpError{http.StatusMethodNotAllowed, invalid("%s is not possible here", r.Method)})
		return
	}
	if p.files == nil {
		write(w, r, http.StatusServiceUnavailable, ".html", []byte(notBuilt))
		return
	}
	name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
	body, err := fs.ReadFile(p.files, name)
	if err != nil && path.Ext(name) == "" {
		name = "index.html"
		body, err = fs.ReadFile(p.files, name)
	}
	if err != nil {
		writeProblem(w, r, memory.Errorf(memory.ENOTFOUND, "find file", "there is no file %s", r.URL.Path))
		return
	}
	write(w, r, http.StatusOK, path.Ext(name), body)
}

func write(w http.ResponseWriter, r *http.Request, status int, ext string, body []byte) {
	contentType := contentTypes[strings.ToLower(ext)]
	if contentType == "" {
		contentType = "application/octet-stream"
	}
	if r.Method == http.MethodHead {
		body = nil
	}
	send(w, status, contentType, body)
}
