package api

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"os"
	"strings"
	"unicode/utf8"

	"recollect/backend/memory"
)

// Desktop is what only the app's own window can do.
type Desktop interface {
	Ready()     // the page is interactive
	Heartbeat() // the page is alive
	Focus()     // bring the window to the front
	OpenURL(address string) error

	// ChooseFile and ChooseFolder let the user choose; "" = they chose nothing.
	ChooseFile(kind FileKind) (path string, err error)
	ChooseFolder() (path string, err error)
	// ChooseDocuments lets the user choose documents; none = they chose nothing.
	ChooseDocuments() (paths []string, err error)
	// SaveFile lets the user choose where text is kept and writes it there; "" = they chose nothing.
	SaveFile(name, text string) (path string, err error)
	// Dropped returns the paths of the files that were dropped on the window last, once, where the page cannot see them.
	Dropped() []string
	OpenFolder(path string) error // in the system's file manager
	// SetMenu gives the menu bar of the system what the page can do, on systems that have one.
	SetMenu(m Menu) error
	// Notify shows a notification unless the window is in front; a click on it brings the window to a route of the page.
	Notify(n Notification) error
}

// Autostart is whether the app starts when the user logs in.
type Autostart interface {
	Enabled() (bool, error)
	Set(enabled bool) error
}

// maxNotification bounds title and text of a notification, in characters.
const maxNotification = 300

// window returns the app's own window for something that only the page in it may ask for: a browser has dialogs of its
// own, and what it asks for must not happen in the window.
func (a *API) window(r *http.Request, op string) (Desktop, error) {
	d := a.Desktop()
	if d == nil || !inWindow(r) {
		return nil, memory.Errorf(memory.EUNSUPPORTED, op, "only the app's own window can do that")
	}
	return d, nil
}

func (a *API) uiReady(r *http.Request) (result, error) {
	if d := a.Desktop(); d != nil && inWindow(r) {
		d.Ready()
	}
	return nothing(), nil
}

func (a *API) uiHeartbeat(r *http.Request) (result, error) {
	if d := a.Desktop(); d != nil && inWindow(r) {
		d.Heartbeat()
	}
	return nothing(), nil
}

func (a *API) focus(*http.Request) (result, error) {
	var f Focused
	if a.Link != nil {
		f.URL = a.Link()
	}
	if d := a.Desktop(); d != nil {
		d.Focus()
		f.Window = true
	}
	return ok(f), nil
}

// open opens a link outside the app's own window; a browser does that itself.
func (a *API) open(r *http.Request) (result, error) {
	var in OpenURL
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	u, err := url.Parse(in.URL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return result{}, invalid("only http and https addresses are opened")
	}
	d := a.Desktop()
	if d == nil {
		return result{}, memory.Errorf(memory.EUNSUPPORTED, "open a link", "there is no window here that could open it")
	}
	return nothing(), d.OpenURL(u.String())
}

// choosePath opens the system's dialog for a file or a folder.
func (a *API) choosePath(r *http.Request) (result, error) {
	var in PathChoose
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	d, err := a.window(r, "choose a file")
	if err != nil {
		return result{}, err
	}
	var c Chosen
	switch in.Kind {
	case FileModel, FileDatabase:
		c.Path, err = d.ChooseFile(in.Kind)
	case FileFolder:
		c.Path, err = d.ChooseFolder()
	case FileDocument:
		c.Paths, err = d.ChooseDocuments()
	default:
		return result{}, invalid("kind must be model, database, folder or document")
	}
	return ok(c), err
}

// saveFile opens the system's dialog for saving.
func (a *API) saveFile(r *http.Request) (result, error) {
	var in FileSave
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if strings.TrimSpace(in.Name) == "" || strings.ContainsAny(in.Name, "/\\\x00") {
		return result{}, invalid("name must be the name of a file, without a folder")
	}
	d, err := a.window(r, "save a file")
	if err != nil {
		return result{}, err
	}
	path, err := d.SaveFile(in.Name, in.Text)
	return ok(Chosen{Path: path}), err
}

// maxDropped is how much of a dropped file goes to the page, in bytes.
const maxDropped = 32 << 20

// dropped gives the page what was dropped on its window. A larger file comes without its content.
func (a *API) dropped(r *http.Request) (result, error) {
	d, err := a.window(r, "take dropped files")
	if err != nil {
		return result{}, err
	}
	var all Dropped
	for _, path := range d.Dropped() {
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue // a folder, or gone
		}
		f := DroppedFile{Name: info.Name(), Path: path, Bytes: info.Size()}
		if f.Bytes <= maxDropped {
			content, err := os.ReadFile(path)
			if err != nil {
				return result{}, memory.Errorf(memory.EREADONLY, "take dropped files", "%s cannot be read: %w", path, err)
			}
			f.Data = base64.StdEncoding.EncodeToString(content)
		}
		all.Files = append(all.Files, f)
	}
	return ok(all), nil
}

func (a *API) setMenu(r *http.Request) (result, error) {
	var in Menu
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	d, err := a.window(r, "set the menu")
	if err != nil {
		return result{}, err
	}
	return nothing(), d.SetMenu(in)
}

func (a *API) notify(r *http.Request) (result, error) {
	var in Notification
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if strings.TrimSpace(in.Title) == "" {
		return result{}, invalid("title is missing")
	}
	if utf8.RuneCountInString(in.Title) > maxNotification || utf8.RuneCountInString(in.Body) > maxNotification {
		return result{}, invalid("title and body have at most %d characters", maxNotification)
	}
	if !strings.HasPrefix(in.Route, "#/") {
		return result{}, invalid(`route must begin with "#/"`)
	}
	d, err := a.window(r, "notify")
	if err != nil {
		return result{}, err
	}
	return nothing(), d.Notify(in)
}

func (a *API) loginStart(*http.Request) (result, error) {
	if a.Autostart == nil {
		return ok(LoginStart{}), nil
	}
	enabled, err := a.Autostart.Enabled()
	return ok(LoginStart{Enabled: enabled, Possible: true}), err
}

func (a *API) setLoginStart(r *http.Request) (result, error) {
	var in LoginStartSet
	if err := decode(r, &in); err != nil {
		return result{}, err
	}
	if a.Autostart == nil {
		return result{}, memory.Errorf(memory.EUNSUPPORTED, "start at login", "only the program with a window starts at login")
	}
	if err := a.Autostart.Set(in.Enabled); err != nil {
		return result{}, err
	}
	return a.loginStart(r)
}
