// Package trouble is what the window shows where the data cannot be opened: what is wrong, the next step, and, where the
// database is damaged, the backups, any of which can be put back. A person who starts the app from a menu sees no terminal.
package trouble

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"recollect/backend/backups"
	"recollect/backend/memory"
)

//go:embed page.html
var files embed.FS

var page = template.Must(template.ParseFS(files, "page.html")) // a constant

// Words are the texts of the page, in the user's language.
type Words struct {
	Language string
	Title    string
	Problem  string // what is wrong
	Remedy   string // the next step, as far as it is not on the page

	Again, Quit                 string
	Backups, NoBackups, Restore string
	Confirm                     string // before a backup is put back
	Damage                      string // the database is damaged, and what can be done
	Restored, Kept, Start       string // the backup is back; the database as it was is kept; go on
}

// Deps are what a Page works with.
type Deps struct {
	Words     Words
	Damaged   bool   // the database is, so backups are offered
	BackupDir string // where they are
	// Restore puts a backup back and returns where the database as it was is kept, "" where there was none.
	Restore func(ctx context.Context, file string) (kept string, err error)
	// Failure says an error of Restore to the user.
	Failure func(error) string
}

// Page is the page, and what came of it.
type Page struct {
	deps Deps
	once sync.Once
	done chan struct{}

	mu    sync.Mutex
	again bool
	kept  string
	back  bool // a backup has been put back
}

// New returns a page.
func New(d Deps) *Page { return &Page{deps: d, done: make(chan struct{})} }

// Done is closed when the window is no longer needed.
func (p *Page) Done() <-chan struct{} { return p.done }

// Again says whether the app is to be started anew.
func (p *Page) Again() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.again
}

func (p *Page) end(again bool) {
	p.mu.Lock()
	p.again = again
	p.mu.Unlock()
	p.once.Do(func() { close(p.done) })
}

// shown is one backup as the page lists it.
type shown struct {
	Name, Size string
	At         time.Time
}

// When is the time of a backup, as the user's clock has it.
func (s shown) When() string { return s.At.Local().Format("2006-01-02 15:04") }

// ServeHTTP serves the page and takes what was chosen on it.
func (p *Page) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'")
	w.Header().Set("Cache-Control", "no-store")
	switch r.Method + " " + r.URL.Path {
	case "POST /again":
		p.end(true)
	case "POST /quit":
		p.end(false)
	case "POST /restore":
		p.restore(w, r)
	default:
		p.show(w)
	}
}

func (p *Page) show(w http.ResponseWriter) {
	p.mu.Lock()
	data := struct {
		Words
		Damaged, Back bool
		Old           string // path of the database as it was
		Files         []shown
	}{p.deps.Words, p.deps.Damaged && !p.back, p.back, p.kept, nil}
	p.mu.Unlock()
	if list, err := backups.List(p.deps.BackupDir); err == nil {
		for _, f := range list {
			data.Files = append(data.Files, shown{f.Name, fmt.Sprintf("%.1f MB", float64(f.Bytes)/(1<<20)), f.At})
		}
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_ = page.Execute(w, data) // the window has gone
}

// restore puts back the backup that the request names: one of those listed, and nothing else.
func (p *Page) restore(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	list, err := backups.List(p.deps.BackupDir)
	if err == nil && !slices.ContainsFunc(list, func(f backups.File) bool { return f.Name == name }) {
		err = memory.Errorf(memory.ENOTFOUND, "restore", "there is no backup %s", name)
	}
	kept := ""
	if err == nil {
		kept, err = p.deps.Restore(r.Context(), filepath.Join(p.deps.BackupDir, name))
	}
	answer := map[string]string{}
	if err != nil {
		answer["error"] = p.deps.Failure(err)
	} else {
		p.mu.Lock()
		p.back, p.kept = true, kept
		p.mu.Unlock()
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // the window has gone
}
