//go:build unix && !darwin

package autostart

import "path/filepath"

func (e Entry) path() string {
	dir := e.Env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(e.Env("HOME"), ".config")
	}
	return filepath.Join(dir, "autostart", "recollect.desktop")
}

// Enabled says whether the app starts at login.
func (e Entry) Enabled() (bool, error) {
	text, err := readEntry(e.path())
	return text != "" && desktopEntryOn(text), err
}

// Set switches the start at login.
func (e Entry) Set(enabled bool) error {
	if !enabled {
		return removeEntry(e.path())
	}
	return writeEntry(e.path(), desktopEntry(e.Command))
}
